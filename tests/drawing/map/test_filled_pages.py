"""A map on one page: board and furniture fill it, whichever way they stand, and nothing lies on anything else."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace
from shapely import box
from shapely.geometry.base import BaseGeometry
from small_country import country, layout

from printkit.drawing.canvas.items import Drawing, LayerName, Text
from printkit.drawing.furniture.furniture import Furnished, Furniture, fitting, furnished
from printkit.drawing.map.map_layout import MapLayout
from printkit.terrain.field.battlefield import Board, GroundScale

LYING, STANDING = (269.0, 180.0), (182.0, 267.0)
"""What an A4 page leaves for a map, in mm."""


@pytest.fixture(autouse=True)
def _no_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave swatches empty: it is asked where things stand."""
    monkeypatch.setattr(
        "printkit.drawing.furniture.legend.swatch_drawing",
        lambda _, each: Drawing(each.size(28), each.size(17), ()),
    )


@cache
def wide() -> MapLayout:
    """Return a table of six by four feet with as many features as half of one has."""
    field = replace(country(), board=Board(1828.8, 1219.2, GroundScale(pace=0.254, base_width=40.0)), overlays=())
    made: MapLayout = replace(layout(field), accounts={feature.id: "Wide enough." for feature in field.features})
    return made


def filled(how: MapLayout, room: tuple[float, float]) -> tuple[MapLayout, Furnished]:
    fitted = fitting(how, *room)
    board = how.field.board
    empty = Drawing(board.width * fitted.scale, board.depth * fitted.scale, ())
    return fitted, furnished(empty, fitted, Furniture.FULL)


def written(made: Furnished) -> dict[str, tuple[float, float]]:
    return {item.content: item.at for _, item in made.drawing.items() if isinstance(item, Text)}


@pytest.mark.parametrize("room", [LYING, STANDING])
@pytest.mark.parametrize("how", [layout(), layout(language="en+es"), wide()], ids=["square", "two languages", "wide"])
def test_a_page_is_filled_and_nothing_lies_on_the_board(how: MapLayout, room: tuple[float, float]) -> None:
    _, made = filled(how, room)
    assert (made.drawing.width, made.drawing.height) == pytest.approx(room)
    board = made.board_at
    ground: BaseGeometry = box(board.x, board.y, board.right, board.top)
    assert box(0, 0, *room).covers(ground)
    for layer, item in made.drawing.items():
        if isinstance(item, Text):
            x, y = item.at
            assert 0 <= x <= room[0], item.content
            assert 0 <= y <= room[1], item.content
            if layer.name is LayerName.MARGIN:
                assert not ground.covers(box(x, y, x + 1, y + 1)), item.content


def test_the_key_of_a_wide_board_stands_below_it_and_the_rest_beside_so_that_it_is_larger(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, made = filled(wide(), LYING)
    texts = written(made)
    board = made.board_at
    (x, y), (_, plate) = texts["KEY TO THE MAP"], texts["The Field of Thornby"]
    assert board.x < x < board.right
    assert y < board.y
    assert plate > board.y
    assert texts["The Field of Thornby"][0] > board.right
    scale = fitting(wide(), *LYING).scale
    monkeypatch.setattr("printkit.drawing.furniture.furniture._with_strip_about", lambda *_: None)
    assert scale > 1.02 * fitting(wide(), *LYING).scale


def test_what_is_said_grows_where_it_has_the_room() -> None:
    few = replace(layout(), field=replace(country(), features=country().features[:1]), accounts={})
    sizes = [
        item.size_pt
        for how in (few, layout())
        for _, item in filled(how, LYING)[1].drawing.items()
        if isinstance(item, Text) and item.content == "KEY TO THE MAP"
    ]
    assert sizes[0] > 1.1 * sizes[1]
