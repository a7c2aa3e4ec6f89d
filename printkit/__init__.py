"""Wargame battlefields by published terrain rules, as sheets to print at true size."""

__version__ = "0.1.0"
