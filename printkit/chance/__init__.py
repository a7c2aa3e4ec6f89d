"""Logged dice, and unlogged random numbers for drawing."""
