"""Battlefields as shapes: boards, features, outlines, courses, measurements and the record."""
