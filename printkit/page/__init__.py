"""Drawings on sheets of paper: tiling, printer's marks, cards and booklets."""
