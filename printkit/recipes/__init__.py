"""The composition root: where rule systems, drawings, pages and writers meet in the recipes of the commands."""
