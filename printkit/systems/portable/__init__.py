"""Gridded terrain by Bob Cordery's generator for the Portable Wargame, in its two published versions."""
