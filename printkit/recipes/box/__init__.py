"""A room of printkit."""
