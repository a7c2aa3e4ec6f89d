"""Terrain common to all versions of DBA: quarters, sectors, sizes in base widths, and legal places."""
