"""Bridges and fords lie along their way and reach little farther than the water, in every rule system and style."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final
from unittest.mock import MagicMock

import pytest
import shapely
from shapely import LineString
from shapely.geometry.base import BaseGeometry
from signs_scene import STYLES, board, context, course, crossing, paths, shape

import printkit
from printkit.drawing.canvas.items import LayerName
from printkit.drawing.mats import ways
from printkit.drawing.mats.ways import body
from printkit.drawing.signs.catalogue import SIGNS
from printkit.drawing.signs.routes.roads import crossed_ground, find_open_water
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Crossing, Kind
from printkit.terrain.geometry.measure import line_bearing, turn_between

_FIXTURES: Final = Path(__file__).resolve().parents[2] / "fixtures"
_OVER_WATER: Final = (Kind.FORD, Kind.BRIDGE, Kind.TIMBER_BRIDGE, Kind.RAILWAY_BRIDGE)
_SYSTEMS: Final = ("brantley", "acw", "portable-1", "portable-2", "solo-dba", "dba3", "collision-course")

# Degrees between a crossing and its way, and mm at 1:1 of its deck on each bank, at most.
_TURN: Final = 20.0
_DRY: Final = 6.0

# Seeds whose road runs along its river, or leaves the board beside it.
_ALONG_A_RIVER: Final = (
    *(("portable-1", seed) for seed in (9, 40, 12536)),
    *(("portable-2", seed) for seed in (25, 59, 13, 200, 268)),
)


@lru_cache(maxsize=2)
def field_of(rules: str, seed: int) -> Battlefield:
    """Return the battlefield of a seed."""
    return printkit.generate(rules, seed=seed).record.battlefield


def crossings_of(field: Battlefield) -> Iterator[tuple[Crossing, Course, Course]]:
    """Yield the crossings of a battlefield, each with its way and what that passes."""
    for feature in field.features:
        if isinstance(feature, Crossing) and feature.kind is not Kind.JUNCTION:
            way, water = field.find(feature.route), field.find(feature.water)
            assert isinstance(way, Course)
            if isinstance(water, Course):
                yield feature, way, water


def dry_mm(deck: BaseGeometry, at: Crossing, water: BaseGeometry) -> float:
    """Return how far the axis of a deck reaches over dry ground, on that side where it is farther."""
    reach = shapely.affinity.rotate(
        LineString([(at.at.x - 2000, at.at.y), (at.at.x + 2000, at.at.y)]), at.bearing, at.at
    )
    dry = shapely.get_parts(reach.intersection(deck).difference(water))
    # A crossing that has no water under it is as long as both banks and 2 mm.
    most = 2 * _DRY + 2 if not reach.intersection(deck).intersects(water) else _DRY
    return max((float(part.length) - most + _DRY for part in dry), default=0.0)


def drawn_deck(at: Crossing, field: Battlefield, style: str) -> BaseGeometry:
    """Return the ground of a deck as a style draws it; nothing where the style has no ink for it."""
    hand = context(style)
    ink = hand.tint("road", 0.55) if at.kind is Kind.FORD else hand.style.ink(_DECKS[at.kind])
    items = [item for item in paths(SIGNS[at.kind](at, hand, field), LayerName.CROSSING) if item.fill is not None]
    return shapely.union_all([shape(item) for item in items if item.fill == ink])


_DECKS: Final = {Kind.BRIDGE: "road", Kind.TIMBER_BRIDGE: "timber-deck", Kind.RAILWAY_BRIDGE: "stone"}


def painted_deck(at: Crossing, field: Battlefield, monkeypatch: pytest.MonkeyPatch) -> BaseGeometry:
    """Return the ground of a deck as it is painted."""
    decks: list[BaseGeometry] = []
    oblong = ways.rectangle_in_frame

    def kept_oblong(*args: object) -> BaseGeometry:
        decks.append(oblong(*args))  # type: ignore[arg-type]
        return decks[-1]

    with monkeypatch.context() as patched:
        patched.setattr(ways, "rectangle_in_frame", kept_oblong)
        ways.paint_crossing(MagicMock(k=1.0), at, field, shapely.Polygon())
    return decks[0]


def faults(rules: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield what is wrong with the crossings of a seed."""
    field = field_of(rules, seed)
    for at, way, water in crossings_of(field):
        turn = turn_between(at.bearing, line_bearing(way.line, way.line.project(at.at), 10.0)) % 180.0
        if min(turn, 180.0 - turn) > _TURN:
            yield f"{rules} {seed} {at.id}: {turn:.0f} degrees off its way"
        if at.kind not in _OVER_WATER:
            continue
        for style in STYLES:
            dry = dry_mm(drawn_deck(at, field, style), at, crossed_ground(water, context(style), field))
            if dry > _DRY + 0.05:
                yield f"{rules} {seed} {at.id}: {dry:.1f} mm on dry ground in {style}"
        dry = dry_mm(painted_deck(at, field, monkeypatch), at, body(water))
        if dry > _DRY + 0.05:
            yield f"{rules} {seed} {at.id}: {dry:.1f} mm on dry ground, painted"


@pytest.mark.parametrize("count", [10, pytest.param(200, marks=pytest.mark.soak)])
@pytest.mark.parametrize("rules", _SYSTEMS)
def test_crossings_lie_along_their_way_and_cover_little_dry_ground(
    rules: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [fault for seed in range(1, count + 1) for fault in faults(rules, seed, monkeypatch)] == []


@pytest.mark.parametrize(("rules", "seed"), _ALONG_A_RIVER)
def test_a_road_along_a_river_crosses_it_like_any_other(rules: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(faults(rules, seed, monkeypatch)) == []
    assert printkit.generate(rules, seed=seed).check().broken == ()


@pytest.mark.parametrize(("rules", "seed"), _ALONG_A_RIVER[:3])
def test_a_road_beside_a_wide_river_is_dry_but_for_its_crossing(rules: str, seed: int) -> None:
    field = field_of(rules, seed)
    for at, way, water in crossings_of(field):
        deck = at.at.buffer(1.3 * water.width)
        wet = way.line.intersection(body(water)).difference(deck).intersection(field.ground)
        assert wet.length < 1.0, at.id


@pytest.mark.parametrize("bearing", [0.0, 30.0, -45.0])
@pytest.mark.parametrize("kind", _OVER_WATER)
def test_a_slanted_crossing_reaches_no_farther(kind: Kind, bearing: float, monkeypatch: pytest.MonkeyPatch) -> None:
    river = course("R1", Kind.RIVER, [(200, 0), (200, 300)], 112.0)
    turn = shapely.affinity.rotate(LineString([(0, 150), (400, 150)]), bearing, (200, 150))
    over = Kind.RAILWAY if kind is Kind.RAILWAY_BRIDGE else Kind.ROAD
    road = course("D1", over, list(turn.coords), 19.0)
    at = crossing("X1", kind, (200, 150), bearing)
    field = board(river, road, at)
    water = body(river)
    decks = [drawn_deck(at, field, style) for style in STYLES] + [painted_deck(at, field, monkeypatch)]
    assert not decks[0].is_empty
    for deck in decks:
        assert dry_mm(deck, at, water) <= _DRY + 0.05


@pytest.mark.parametrize("kind", [Kind.BRIDGE, Kind.TIMBER_BRIDGE, Kind.FORD])
def test_no_way_goes_through_water_beside_its_crossing(kind: Kind) -> None:
    river = course("R1", Kind.RIVER, [(200, 0), (200, 300)], 60.0)
    road = course("D1", Kind.ROAD, [(0, 60), (180, 60), (200, 100), (200, 150), (400, 150)], 12.0)
    at = crossing("X1", kind, (200, 150), 0.0)
    field: Battlefield = board(river, road, at)
    hand = context()
    items = list(SIGNS[road.kind](road, hand, field))
    filled = [item for name in (LayerName.CASING, LayerName.COURSE) for item in paths(items, name) if item.fill]
    assert body(road).intersection(body(river)).area > 800
    for ground in (ways.course_ground(road, field, 1.0), shapely.union_all([shape(item) for item in filled])):
        off = ground.intersection(body(river).buffer(-1.0)).difference(shapely.box(0, 135, 400, 165))
        assert off.area < 1.0
    assert not find_open_water(road, hand, field).is_empty


def test_a_record_whose_bridge_lies_across_its_road_is_still_legal_and_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    old = printkit.load(_FIXTURES / "portable-1-bridge-across-river.json")
    field = old.record.battlefield
    at, way, _ = next(crossings_of(field))
    assert turn_between(at.bearing, line_bearing(way.line, way.line.project(at.at), 10.0)) % 180.0 > _TURN
    assert old.check().broken == ()
    assert not painted_deck(at, field, monkeypatch).is_empty
    for style in STYLES:
        assert not drawn_deck(at, field, style).is_empty
