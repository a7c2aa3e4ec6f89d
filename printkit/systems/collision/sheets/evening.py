"""What Collision Course adds to an evening."""

from __future__ import annotations

from printkit.page.sheet import Page
from printkit.recipes.output.handout import Handout


def evening_pages(handout: Handout) -> tuple[Page, ...]:
    """Return order of columns and tracker of both sides, the quick sheet, markers and templates."""
    from printkit.systems.collision.sheets.cut_outs import cut_pages
    from printkit.systems.collision.sheets.pages import column_pages

    return (*column_pages(handout), *cut_pages(handout))
