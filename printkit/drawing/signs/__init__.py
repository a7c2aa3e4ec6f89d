"""One module a family of conventional signs: feature in, items out."""
