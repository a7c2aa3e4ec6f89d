"""Limits for each visitor of the studio: time, bytes, connections, streams and wrong links."""
