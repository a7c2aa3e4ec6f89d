"""Drawings on sheets of paper: tiling and printer's marks."""
