"""Dressing: lanes, meadow, drifts of grass and bushes on open ground, which count for nothing in any rules."""
