"""Benchmarks of printkit: what a person waits for, measured against a floor in the same run. Start with ``run.py``."""
