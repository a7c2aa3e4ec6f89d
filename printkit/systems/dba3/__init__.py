"""Terrain of DBA 3: chosen by the defender from the home topography, and placed quarter by quarter."""
