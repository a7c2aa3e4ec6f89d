"""Limits for one visitor of a listener: time, bytes, connections, streams and wrong links."""
