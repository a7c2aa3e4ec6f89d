"""Ground that shrinks to nothing, as slivers and thumbnails: a sign without room is drawn without it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace
from shapely import LineString, Point, affinity, box

from printkit.chance.streams import Jitter, Stream
from printkit.core.words import find_words
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Drawing, LayerName, Text
from printkit.drawing.furniture.specimens import specimens
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.scatter.crowns import poisson_points
from printkit.drawing.signs.lines.course_lines import offset_line
from printkit.drawing.text.drafter import Drafter
from printkit.kit import registry
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, Kind

SHOWN = {specimen.key: specimen for specimen in specimens()}
GOING = Going(0, "")


def field(*features: Feature, width: float = 200.0, depth: float = 200.0) -> Battlefield:
    board = Board(width, depth, GroundScale(pace=0.254, base_width=40.0))
    return Battlefield(board=board, features=features)


def drawn(found: Battlefield, scale: float = 1.0) -> Drawing:
    return board_drawing(
        found, Drafter.map(style.find("campaign"), find_words("en"), Jitter(1), scale=scale), numbers=True
    )


def area(kind: Kind, *corners: float) -> Area:
    return Area(id=str(kind), kind=kind, outline=box(*corners), going=GOING)


def course(kind: Kind, *places: tuple[float, float], width: float = 0.0) -> Course:
    return Course(id=str(kind), kind=kind, line=LineString(places), width=width, going=GOING)


def crossing(kind: Kind, way: Kind, water: Kind, at: tuple[float, float]) -> Crossing:
    return Crossing(id=str(kind), kind=kind, at=Point(at), bearing=0.0, route=str(way), water=str(water), going=GOING)


@pytest.mark.parametrize("key", sorted(SHOWN))
def test_every_sign_draws_however_little_room_it_has(key: str) -> None:
    """At a fiftieth a field of the specimen sheet is a mm or two across; a thin one has no inside at all."""
    for width, depth, scale in ((60.0, 40.0, 0.02), (120.0, 15.0, 0.05)):
        drawn(SHOWN[key].field(width, depth), scale)


FIELDS = (Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD, Kind.PASTURE, Kind.PLOUGH, Kind.CROPS)
GROUNDS = (Kind.MARSH, Kind.SWAMP, Kind.BOGGY_GROUND, Kind.OLIVES, Kind.LIGHT_WOODS, Kind.ROCKS)
LINES = (Kind.WALL, Kind.FENCE, Kind.WORM_FENCE, Kind.HEDGE, Kind.DITCH, Kind.STREAM)
CROSSED = (
    (Kind.RAILWAY_BRIDGE, Kind.RAILWAY, Kind.RIVER),
    (Kind.LEVEL_CROSSING, Kind.ROAD, Kind.RAILWAY),
    (Kind.BRIDGE, Kind.ROAD, Kind.RIVER),
    (Kind.FORD, Kind.ROAD, Kind.RIVER),
)
ACROSS = (-10.0, 100.0), (210.0, 100.0)


def crowded() -> Iterator[tuple[Feature, ...]]:
    """Yield fields between two roads, grounds under a course, towns with a line through them, crossings of nothing."""
    for kind in FIELDS:
        south = course(Kind.ROAD, (-10, 97), (210, 97), width=10)
        yield area(kind, 20, 95, 180, 110), south, course(Kind.FENCED_ROAD, (-10, 108), (210, 108), width=10)
    for kind, over in product(GROUNDS, (Kind.RIVER, Kind.ROAD, Kind.RAVINE)):
        yield area(kind, 50, 97, 80, 103), course(over, *ACROSS, width=30)
    for kind in LINES:
        yield area(Kind.TOWN, 30, 30, 170, 170), course(kind, *ACROSS)
    for kind, way, water in CROSSED:
        apart = course(way, *ACROSS), course(water, (150, -10), (150, 60), width=12)
        yield *apart, crossing(kind, way, water, (50, 100))


@pytest.mark.parametrize("features", [*crowded()], ids=lambda features: "-".join(each.kind for each in features))
def test_what_has_no_room_is_drawn_all_the_same(features: tuple[Feature, ...]) -> None:
    assert drawn(field(*features)).layers


@pytest.mark.parametrize("share", [0.2, 0.05])
def test_a_mountain_may_be_a_mm_across(share: float) -> None:
    (whole,) = SHOWN[Kind.MOUNTAIN].sample(60.0, 40.0)
    assert isinstance(whole, Hill)
    small = tuple(affinity.scale(contour, share, share, origin=(30, 20)) for contour in whole.contours)
    assert drawn(field(replace(whole, contours=small)), 0.02).layers


def test_an_orchard_of_a_large_grid_on_one_sheet_and_a_board_of_a_thumbnail_are_drawn() -> None:
    system = registry.find("portable-2")
    record = play(system, Orders(rules=system.name, options={"grid": "hex-30x20"}), 1, find_words("en")).record
    assert drawn(record.battlefield, 0.0618).layers
    everything = tuple(
        replace(feature, id=f"{key}-{feature.id}")
        for key in ("road", "wall", "railway", "hill", "town")
        for feature in SHOWN[key].sample(200.0, 30.0)
    )
    assert drawn(field(*everything, depth=30.0), 0.1).layers


def test_the_number_of_a_wall_along_the_very_edge_stands_beside_it() -> None:
    made = drawn(field(course(Kind.WALL, (0.5, 10), (0.5, 190), width=2.0)))
    numbers = [item for layer in made.layers if layer.name is LayerName.NUMBER for item in layer.items]
    assert any(isinstance(item, Text) and item.content == "1" for item in numbers)


@pytest.mark.parametrize("offset", [0.0, -2.2e-16, 1e-12, 1e-9, 1e-3])
def test_a_line_that_is_moved_by_next_to_nothing_stays(offset: float) -> None:
    along = np.linspace(0, 200, 501)
    line = LineString(np.column_stack([along, 30 * np.sin(along / 30)]))
    (moved,) = offset_line(line, offset)
    assert moved.length == pytest.approx(line.length, rel=1e-4)


def test_nothing_is_planted_on_a_sliver_and_small_ground_is_planted_still() -> None:
    """As many places as its tiny area asks for, over all its length and height, would fill the memory."""
    sliver = LineString([(0, 0), (40, 8)]).buffer(1e-9, cap_style="flat")
    assert len(poisson_points(sliver, 4.0, Stream("sliver"))) < 20
    ground = box(0, 0, 0.5, 0.5)
    assert len(poisson_points(ground, 4.0, Stream("small"))) == 1
    assert np.isfinite(poisson_points(ground, 4.0, Stream("small"))).all()
