"""Terrain rule systems: each makes a battlefield from a scenario and dice."""
