"""Leagues: games of one rule system in a folder, with their results."""
