"""Names beside what they name: close to towns, off the edge row of closed woods."""

from __future__ import annotations

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon, box

from printkit.chance.streams import Jitter, Stream
from printkit.core.words import find
from printkit.drawing.canvas.items import LayerName, Stamp, Text
from printkit.drawing.canvas.style import find as find_style
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.map.labels import labels
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Going, Kind
from printkit.terrain.geometry.outlines import settled

_BAD = Going(1, "bad")


def _field(kind: Kind, outline: Polygon, name: str) -> Battlefield:
    board = Board(400.0, 400.0, GroundScale(pace=0.254, base_width=40.0))
    return Battlefield(board=board, features=(Area(id="z5", kind=kind, outline=outline, going=_BAD, name=name),))


def _drafter(style: str = "campaign") -> Drafter:
    return Drafter.map(find_style(style), find("en"), Jitter(3))


def _texts(field: Battlefield) -> list[Text]:
    return [
        item for layer, item in labels(field, _drafter()).items if layer is LayerName.LABEL and isinstance(item, Text)
    ]


@settings(max_examples=20)
@given(st.integers(0, 999), st.floats(60, 140), st.floats(60, 140), st.sampled_from(["Ur", "Cannae Minores"]))
def test_the_name_of_a_town_stands_close_to_it(seed: int, wide: float, deep: float, name: str) -> None:
    outline = shapely.affinity.translate(settled(wide, deep, Stream(f"town/{seed}")), 200, 200)
    field = _field(Kind.BUA, outline, name)
    named = labels(field, _drafter(), numbers=False)
    assert _texts(field)
    # What stays clear is the box of the name and 4.8 mm about it.
    gap = named.clear.buffer(-4.7, join_style="mitre").distance(outline)
    assert 1.5 <= gap <= 6.2
    assert not named.clear.buffer(-4.7, join_style="mitre").intersects(outline)


@pytest.mark.parametrize("name", ["Elm", "Wolves' Wood", "The Forest of Arden"])
@pytest.mark.parametrize("side", [60.0, 100.0, 180.0])
def test_no_name_stands_in_the_edge_row_of_a_closed_wood(name: str, side: float) -> None:
    outline = box(200 - side / 2, 200 - side / 2, 200 + side / 2, 200 + side / 2).buffer(-12).buffer(12)
    field = _field(Kind.HEAVY_WOODS, outline, name)
    named = labels(field, _drafter(), numbers=False)
    row = outline.difference(outline.buffer(-10.0))
    within = outline.contains(named.clear)
    assert not named.clear.buffer(-2.7 if within else -4.7, join_style="mitre").intersects(row)


def test_the_edge_row_of_a_wood_is_closed_where_crowns_give_way_to_names() -> None:
    outline = box(110, 130, 290, 270).buffer(-15).buffer(15)
    field = _field(Kind.HEAVY_WOODS, outline, "Wolves' Wood")

    def crowns(style: str) -> set[tuple[float, float]]:
        drawing = board_drawing(field, _drafter(style), numbers=False, zones=False)
        stamps = [item for layer, item in drawing.items() if layer.name is LayerName.CROWN and isinstance(item, Stamp)]
        return {(place.e, place.f) for item in stamps for place in item.places}

    def row(style: str) -> set[tuple[float, float]]:
        return {at for at in crowns(style) if outline.exterior.distance(shapely.Point(at)) < 6.5}

    assert row("ink-saver") == row("campaign") != set()
    assert len(crowns("ink-saver")) < len(crowns("campaign"))
