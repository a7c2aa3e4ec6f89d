"""Terrain by playing cards: hidden cards on nine zones, then rivers, roads, crossings and the order of deployment."""
