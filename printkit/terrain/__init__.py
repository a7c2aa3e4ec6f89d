"""The battlefield as shapes: boards, features, outlines, courses, measures, the record."""
