"""What is drawn over a map for marching columns: numbers beside the centre line, nothing drawn twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from shapely import LineString, box
from signs_scene import board, context

from printkit.core.words import find
from printkit.drawing.canvas.items import Item, LayeredItems, Path, Text
from printkit.drawing.map.overlays import keep_clear_squares
from printkit.drawing.text.drafter import Drafter
from printkit.systems.collision.sheets.column_overlays import column_marks
from printkit.terrain.field.battlefield import Battlefield, Overlay

SIDE = 600.0


def drawn(*overlays: Overlay, draw: Callable[[Battlefield, Drafter], LayeredItems] = column_marks) -> list[Item]:
    """Return what is drawn of overlays on a board of 600 mm."""
    field = Battlefield(board=board(width=SIDE, depth=SIDE).board, overlays=overlays)
    return [item for _, item in draw(field, Drafter(context=context("campaign"), words=find("en")))]


def texts(*overlays: Overlay) -> list[tuple[str, float, float]]:
    return [(item.content, item.at[0], item.at[1]) for item in drawn(*overlays) if isinstance(item, Text)]


def test_the_number_of_a_column_stands_beside_the_centre_line() -> None:
    ground = box(220, 0, 380, 160)
    (content, x, y), *rest = texts(Overlay(kind="column", shape=ground, label="1", side="B"))
    assert (content, rest) == ("1", [])
    assert x > 330
    assert 60 < y < 100


def test_an_entry_stretch_bears_its_number_at_both_ends_inside_the_board() -> None:
    found = texts(Overlay(kind="entry", shape=LineString([(160, 600), (440, 600)]), label="3", side="A"))
    assert [content for content, _, _ in found] == ["3", "3"]
    assert all(y < 600 for _, _, y in found)
    assert found[0][1] < 220 < 380 < found[1][1]


def test_a_square_to_keep_clear_bears_a_word_in_its_left_half() -> None:
    square = Overlay(kind="keep-clear", shape=box(220, 0, 380, 160), label="collision.clear_square")
    found = [item for item in drawn(square, draw=keep_clear_squares) if isinstance(item, Text)]
    assert [item.content for item in found] == ["4 x 4 BW clear"]
    assert 220 < found[0].at[0] < 300


@pytest.mark.parametrize("kind", ["base-line", "centre-line", "entry", "entry-fast", "landing", "flank"])
def test_every_kind_draws_something(kind: str) -> None:
    shape = box(80, 0, 520, 180) if kind == "flank" else LineString([(100, 0), (500, 0)])
    assert drawn(Overlay(kind=kind, shape=shape, side="A"))


def test_wider_ground_is_not_drawn_along_the_sides_own() -> None:
    own = Overlay(kind="deployment", shape=box(160, 0, 440, 180), side="B")
    wide = Overlay(kind="flank", shape=box(80, 0, 520, 180), side="B")
    runs = [run for item in drawn(own, wide) if isinstance(item, Path) for run in item.runs]
    across = [x / 100 for run in runs for x in run.points[::2]]
    assert across
    assert all(not 161 < x < 439 for x in across)
