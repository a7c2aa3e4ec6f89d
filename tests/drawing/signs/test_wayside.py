"""Trees by the wayside stand on free ground, beside their courses, and clear of labels."""

from __future__ import annotations

import pytest
from shapely import LineString, Point, box

from printkit.chance.streams import Jitter
from printkit.drawing.canvas import style as styles
from printkit.drawing.canvas.items import LayerName, Stamp
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.ways.roads import wayside_trees
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Course, Going, Kind
from printkit.terrain.geometry.roughness import Noise

BOARD = Board(600.0, 600.0, GroundScale(pace=0.254, base_width=40.0))
ROAD = Course(id="D1", kind=Kind.ROAD, line=LineString([(0, 300), (600, 320)]), width=19.0, going=Going(0, "good"))
LABEL = box(200, 320, 400, 350)


def places(kind: Kind, style: str = "campaign") -> list[Point]:
    course = Course(id="D1", kind=kind, line=ROAD.line, width=19.0, going=ROAD.going)
    field = Battlefield(board=BOARD, features=(course,))
    jitter = Jitter(5)
    context = SymbolContext(
        style=styles.find(style), jitter=jitter, noise=Noise.of(jitter.stream("draw/noise")), clear=LABEL
    )
    free = BOARD.shape.difference(course.line.buffer(course.width / 2 + 4))
    laid = list(wayside_trees(field, context, free))
    stamps = [item for name, item in laid if name is LayerName.CROWN and isinstance(item, Stamp)]
    return [Point(place.e, place.f) for stamp in stamps for place in stamp.places]


@pytest.mark.parametrize("style", ["campaign", "ink-saver", "high-contrast"])
def test_trees_stand_beside_the_road_and_clear_of_labels(style: str) -> None:
    found = places(Kind.ROAD, style)
    assert len(found) > 4
    for spot in found:
        assert 13 < spot.distance(ROAD.line) < 26
        assert spot.distance(LABEL) > 3
        assert BOARD.shape.buffer(-8).contains(spot)


def test_styles_plant_the_same_trees() -> None:
    assert places(Kind.ROAD, "campaign") == places(Kind.ROAD, "ink-saver")


def test_no_tree_stands_by_a_wall() -> None:
    assert places(Kind.WALL) == []
