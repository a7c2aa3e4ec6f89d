"""The same display list drawn by other libraries, one module each."""
