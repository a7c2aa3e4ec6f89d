"""What printkit can be told: each option is declared once, for the command line, for Python and for the studio."""
