"""Ground as it is painted: the stock of textures and sprites."""
