"""The subjects of the page, one module each: what is run, and the section that comes of it."""
