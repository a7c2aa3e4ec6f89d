"""The pages of the studio: templates, and what fills them."""
