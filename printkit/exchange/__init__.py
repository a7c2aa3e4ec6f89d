"""Export of battlefields to virtual tabletops, geographic information systems and cutters."""
