"""Terrain of DBA 3: chosen by the defender from his home topography, placed quarter by quarter."""
