"""Options of printkit, declared once for the command line, the Python API and the studio."""
