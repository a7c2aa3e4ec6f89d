"""Fields for other programs: virtual tables, geographic information systems, cutters."""
