"""A league: games of one rule system that are kept together in a folder, with their results."""
