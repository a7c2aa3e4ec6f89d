"""The HTML templates of the studio, and the code that renders them."""
