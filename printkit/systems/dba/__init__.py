"""Terrain of DBA, whatever its version: quarters, sectors, sizes in base widths, and places that the rules allow."""
