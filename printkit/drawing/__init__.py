"""Battlefields as display lists: paths, text and stamps on named layers."""
