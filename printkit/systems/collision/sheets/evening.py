"""Additions of Collision Course to a game-night folder."""

from __future__ import annotations

from printkit.page.sheet import Page
from printkit.recipes.output.handout import HandoutContext, PluginFile, SidePieces


def evening_files(handout: HandoutContext) -> tuple[PluginFile, ...]:
    """Return two files: the column orders and trackers of both sides, and the cut-outs for columns."""
    from printkit.systems.collision.sheets.cut_outs import build_cut_outs
    from printkit.systems.collision.sheets.pages import order_and_tracker_pages

    cut = build_cut_outs(handout)
    return (
        PluginFile(name="collision-course.pdf", key="own-collision-course", pages=order_and_tracker_pages(handout)),
        PluginFile(name="markers.pdf", key="markers", pages=cut.pages, cuts=cut.cuts, card=True),
    )


def side_pieces(handout: HandoutContext) -> tuple[SidePieces, ...]:
    """Return the markers of the columns; both players share them."""
    from printkit.systems.collision.sheets.cut_outs import build_markers

    title = handout.words.each()[0]("columns.markers.title")
    return (SidePieces(folder="", title=title, pieces=build_markers(handout)),)


def reference_pages(handout: HandoutContext) -> tuple[Page, ...]:
    """Return the quick sheet, which has the text of every card."""
    from printkit.systems.collision.sheets.pages import quick_pages

    return quick_pages(handout)
