"""Collision Course for DBA 3: armies that march on to the field in columns, and the terrain that leaves them room."""
