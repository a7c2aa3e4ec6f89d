"""Terrain rule systems: each lays out a battlefield from a scenario and dice."""
