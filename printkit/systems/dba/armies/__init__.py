"""Armies of every edition of DBA as lists write them."""
