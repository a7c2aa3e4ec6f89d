"""Drawing routines for the map symbols, one module for each family."""
