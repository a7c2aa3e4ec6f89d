"""Writers for the file formats."""
