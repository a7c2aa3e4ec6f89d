"""Dice that keep a log, and jitter that only draws."""
