"""What one visitor of a listener may take: time, bytes, connections, streams and wrong links."""
