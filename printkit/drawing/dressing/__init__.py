"""Dressing: decorative lanes, parcels, grass and bushes on open ground, without effect on the rules."""
