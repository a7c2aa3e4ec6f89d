"""Fenced and sunken roads, tracks, paths, railways; where they meet, and what carries them over water and rails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shapely import LineString, Point, affinity
from signs_scene import GOOD, STYLES, board, context, corners, course, crossing, filled, paths, shape, stroked

from printkit.drawing.canvas.items import Drawing, Item, LayerName, Path, Rect
from printkit.drawing.canvas.layers import gathered
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.catalogue import SIGNS
from printkit.drawing.signs.lines.course_lines import drawn_width
from printkit.drawing.signs.lines.works import own_width
from printkit.drawing.signs.ways.railway import Gauge
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Crossing, Kind

STRAIGHT = [(0.0, 150.0), (200.0, 155.0), (400.0, 150.0)]
LENGTHENED = LineString([(-20, 149.5), *STRAIGHT, (420, 149.5)])
WAYS = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK, Kind.PATH, Kind.RAILWAY)
BESIDE = {Kind.FENCED_ROAD: 2.6, Kind.SUNKEN_LANE: 2.9, Kind.PATH: 0.0}
"""How far a way reaches beyond its width, in mm, its soft edge left out: fences and banks."""

OVER = (
    (Kind.FORD, Kind.TRACK, Kind.RIVER),
    (Kind.BRIDGE, Kind.ROAD, Kind.RIVER),
    (Kind.TIMBER_BRIDGE, Kind.TRACK, Kind.RIVER),
    (Kind.RAILWAY_BRIDGE, Kind.RAILWAY, Kind.RIVER),
    (Kind.LEVEL_CROSSING, Kind.ROAD, Kind.RAILWAY),
)


def drawn(feature: Course | Crossing, hand: SymbolContext, field: Battlefield) -> list[tuple[LayerName, Item]]:
    return list(SIGNS[feature.kind](feature, hand, field))


def way(kind: Kind, points: list[tuple[float, float]] | None = None, *, width: float = 0.0, name: str = "D1") -> Course:
    return course(name, kind, points or STRAIGHT, width)


def passed(kind: Kind, over: Kind, under: Kind, *, turn: float = 90.0, width: float = 11.0) -> tuple[Any, ...]:
    """Return a way from the near edge to the far one over a water or railway, at ``turn`` degrees, and the crossing."""
    beneath = course("R1", under, [(0, 150), (400, 150)], width if under is not Kind.RAILWAY else 0.0)
    line = affinity.rotate(LineString([(0, 150), (400, 150)]), turn, origin=(200, 150))
    above = Course(id="D1", kind=over, line=line, width=0.0, going=GOOD)
    return beneath, above, crossing("X1", kind, (200, 150), turn)


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("kind", WAYS)
def test_a_way_draws_on_its_own_ground(kind: Kind, name: str) -> None:
    hand, feature = context(name), way(kind)
    items = drawn(feature, hand, board(feature))
    reach = drawn_width(feature, hand) / 2 + BESIDE.get(kind, 0.0) + 1.4
    ground = LENGTHENED.buffer(reach)
    assert items
    for _, item in items:
        assert isinstance(item, Path)
        assert ground.covers(shapely.multipoints(corners(item)))


@pytest.mark.parametrize("kind", WAYS)
def test_a_true_width_is_kept_and_another_is_the_sign_s_own(kind: Kind) -> None:
    hand = context()
    assert drawn_width(way(kind, width=31.0), hand) == 31.0
    assert drawn_width(way(kind), hand) == {
        Kind.SUNKEN_LANE: 8.4,
        Kind.TRACK: 5.4,
        Kind.PATH: 3.0,
        Kind.RAILWAY: 7.5,
    }.get(kind, 9.6)


@pytest.mark.parametrize("name", STYLES)
def test_fences_stand_a_little_off_the_road_and_leave_a_gap_for_another(name: str) -> None:
    hand, main = context(name), way(Kind.FENCED_ROAD)
    branch = way(Kind.ROAD, [(200, 300), (200, 155)], name="D2")
    alone, joined = (
        shapely.union_all([shape(item) for item in paths(drawn(main, hand, field), LayerName.WORKS)])
        for field in (board(main), board(main, branch))
    )
    post = own_width(Kind.FENCE, hand) / 2
    off = LineString(STRAIGHT).distance(alone)
    assert off == pytest.approx(9.6 / 2 + 1.5 - post, abs=0.15)
    mouth = shapely.box(200 - 4.8, 156, 200 + 4.8, 170)
    assert alone.intersects(mouth)
    assert not joined.intersects(mouth)
    assert joined.intersects(shapely.box(195, 140, 205, 152))


@pytest.mark.parametrize("name", STYLES)
def test_the_banks_of_a_sunken_lane_fall_towards_it(name: str) -> None:
    hand, lane = context(name), way(Kind.SUNKEN_LANE)
    items = drawn(lane, hand, board(lane))
    ink = hand.style.ink("hachure")
    falls = [item for item in paths(items, LayerName.COURSE_DETAIL) if item.fill == ink]
    assert len(falls) == 1
    assert len(falls[0].runs) > 2 * 400 / 1.5 * 0.9
    for run in falls[0].runs[::25]:
        points = shapely.points(np.array(run.points).reshape(-1, 2) / 100)
        apart = shapely.distance(points, LENGTHENED)
        # The wide end of a stroke lies on the brink, the fine one at the foot, over the edge of the road.
        assert apart.max() == pytest.approx(4.2 + 2.6, abs=0.1)
        assert apart.min() < 4.2 + 0.35


@pytest.mark.parametrize(("kind", "runs_out"), [(Kind.FENCED_ROAD, True), (Kind.ROAD, True), (Kind.SUNKEN_LANE, False)])
def test_the_banks_of_a_sunken_lane_run_out_where_the_road_goes_on_above_ground(kind: Kind, runs_out: bool) -> None:
    lane = course("D1", Kind.SUNKEN_LANE, [(20, 150), (200, 150)], 26.0)
    onward = course("D2", kind, [(200, 150), (380, 155)], 26.0)
    hand = context("ink-saver")
    brinks = stroked(drawn(lane, hand, board(lane, onward)), hand.style.ink("hachure"))
    places = shapely.get_coordinates(shapely.segmentize(brinks, 2.0))
    away = np.abs(places[:, 1] - 150)
    assert away[(places[:, 0] > 60) & (places[:, 0] < 140)].max() == pytest.approx(13.0 + 2.6, abs=0.15)
    assert away[places[:, 0] > 194].min() == pytest.approx(13.0 + (1.6 if runs_out else 2.6), abs=0.25)


def test_only_the_bank_away_from_the_light_is_in_shade() -> None:
    hand, lane = context(), way(Kind.SUNKEN_LANE)
    items = drawn(lane, hand, board(lane))
    dark, pale = (
        shapely.union_all(
            [shape(item) for _, item in items if isinstance(item, Path) and item.fill and item.fill[:3] == ink[:3]]
        )
        for ink in (hand.style.solid("ravine-shaded"), hand.style.solid("ravine-lit"))
    )
    assert dark.centroid.y > 152 > pale.centroid.y


@pytest.mark.parametrize("name", STYLES)
def test_the_dashes_of_a_track_do_not_stand_opposite_one_another(name: str) -> None:
    hand, feature = context(name), way(Kind.TRACK)
    sides = paths(drawn(feature, hand, board(feature)), LayerName.COURSE_DETAIL)
    assert [item.stroke.dash for item in sides if item.stroke] == [(3.4, 1.8)] * 2
    assert len({item.stroke.phase for item in sides if item.stroke}) == 2
    assert shape(sides[0]).distance(shape(sides[1])) == pytest.approx(5.4, abs=0.05)


@pytest.mark.parametrize("name", STYLES)
def test_a_track_opens_the_casing_of_a_road_and_stops_there(name: str) -> None:
    hand, main = context(name), way(Kind.ROAD)
    branch = way(Kind.TRACK, [(200, 300), (200, 155)], name="D2")
    field = board(main, branch)
    items = drawn(branch, hand, field)
    dashes = shapely.union_all([shape(item) for item in paths(items, LayerName.COURSE_DETAIL)])
    assert not dashes.intersects(main.line.buffer(4.7))
    mouth = filled([item for item in items if item[0] is LayerName.COURSE], hand.style.ink("road"))
    casing = LineString([(198, 155 + 4.8 - 0.25), (202, 155 + 4.8 - 0.25)])
    assert mouth.covers(casing)
    assert mouth.bounds[2] - mouth.bounds[0] < 5.41


@pytest.mark.parametrize("name", STYLES)
def test_a_path_is_one_fine_broken_line_that_stops_at_wider_ways(name: str) -> None:
    hand, feature = context(name), way(Kind.PATH)
    across = way(Kind.TRACK, [(100, 0), (100, 300)], name="D2")
    items = drawn(feature, hand, board(across, feature))
    (line,) = paths(items, LayerName.COURSE_DETAIL)
    assert line.stroke is not None
    assert line.stroke.dash
    assert line.stroke.width < 0.6
    assert not shape(line).intersects(across.line.buffer(2.6))
    assert LineString(STRAIGHT).buffer(0.05, cap_style="square").buffer(10, cap_style="square").covers(shape(line))


@pytest.mark.parametrize("name", STYLES)
def test_roads_that_meet_have_no_casing_between_them_and_rounded_corners(name: str) -> None:
    hand, main = context(name), way(Kind.ROAD)
    branch = way(Kind.ROAD, [(200, 300), (200, 155)], name="D2")
    field = board(main, branch)
    items = [*drawn(main, hand, field), *drawn(branch, hand, field)]
    road = hand.style.ink("road")
    surface = filled([item for item in items if item[0] is LayerName.COURSE], road)
    assert surface.geom_type == "Polygon"
    assert surface.covers(shapely.box(196, 152, 204, 175))
    for x in (200 - 4.8 - 0.3, 200 + 4.8 + 0.3):
        assert surface.covers(Point(x, 155 + 4.8 - 0.3)), "wheels take the corner off"
    assert not surface.intersects(Point(200 + 4.8 + 3, 155 + 4.8 + 3))
    alone = drawn(branch, hand, board(branch))
    assert len(paths(alone, LayerName.COURSE)) == 1


@pytest.mark.parametrize("name", STYLES)
def test_a_railway_lies_under_all_roads(name: str) -> None:
    hand, rails = context(name), way(Kind.RAILWAY)
    layers = {layer for layer, _ in drawn(rails, hand, board(rails))}
    assert layers == {LayerName.RAIL}
    order = list(LayerName)
    assert order.index(LayerName.WATER_LINE) < order.index(LayerName.RAIL) < order.index(LayerName.CASING)


@pytest.mark.parametrize("name", STYLES)
def test_sleepers_stand_square_and_even_under_two_rails(name: str) -> None:
    hand, rails = context(name), way(Kind.RAILWAY)
    items = drawn(rails, hand, board(rails))
    (sleepers,) = [item for _, item in items if isinstance(item, Path) and item.stroke and len(item.runs) > 50]
    middles = np.array([np.array(run.points).reshape(2, 2).mean(axis=0) / 100 for run in sleepers.runs])
    steps = np.hypot(*np.diff(middles, axis=0).T)
    assert steps == pytest.approx(2.5, abs=0.05)
    lengths = [LineString(np.array(run.points).reshape(2, 2) / 100).length for run in sleepers.runs]
    assert lengths == pytest.approx([0.76 * 7.5] * len(lengths), abs=0.03)
    rail = shapely.union_all(
        [
            shape(item)
            for _, item in items
            if isinstance(item, Path) and item.stroke and item.stroke.width == hand.width(0.55)
        ]
    )
    assert rails.line.distance(rail) == pytest.approx(1.7, abs=0.03)


def test_a_wide_bed_carries_a_larger_track_but_no_giant_s_and_has_stones_beside_it() -> None:
    hand, wide = context(), way(Kind.RAILWAY, width=30.0)
    own, large = Gauge.of(way(Kind.RAILWAY, width=7.5), hand), Gauge.of(wide, hand)
    assert own.half < large.half <= 2.4 * own.half
    counts = [len(drawn(each, hand, board(each))) for each in (way(Kind.RAILWAY), wide)]
    assert counts[1] == counts[0] + 1


@pytest.mark.parametrize("name", STYLES)
def test_a_branch_joins_a_railway_by_its_rails_alone(name: str) -> None:
    hand, main = context(name), way(Kind.RAILWAY)
    branch = way(Kind.RAILWAY, [(200, 155), (260, 190), (400, 260)], name="D2")
    items = drawn(branch, hand, board(main, branch))
    main_ground = main.line.buffer(7.5 / 2 - 0.1)
    bed = filled(items, hand.style.ink("ballast") or (255, 255, 255, 1.0))
    sleepers = stroked(
        [item for item in items if isinstance(item[1], Path) and len(item[1].runs) > 20], hand.style.ink("sleeper")
    )
    rails = shapely.union_all(
        [
            shape(item)
            for _, item in items
            if isinstance(item, Path) and item.stroke and item.stroke.width == hand.width(0.55)
        ]
    )
    assert not bed.intersects(main_ground)
    assert sleepers.intersection(main_ground).length < 0.5
    assert rails.intersects(main.line.buffer(1))


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize(("kind", "over", "under"), OVER)
def test_a_crossing_draws_at_its_place_only(kind: Kind, over: Kind, under: Kind, name: str) -> None:
    hand, features = context(name), passed(kind, over, under)
    items = drawn(features[-1], hand, board(*features))
    assert items
    assert {layer for layer, _ in items} == {LayerName.CROSSING}
    places = np.vstack([corners(item) for _, item in items if isinstance(item, Path)])
    assert np.hypot(*(places - [200, 150]).T).max() < 20


@pytest.mark.parametrize("name", STYLES)
def test_a_timber_bridge_has_close_planks_and_nothing_in_the_water(name: str) -> None:
    hand, features = context(name), passed(Kind.TIMBER_BRIDGE, Kind.TRACK, Kind.RIVER)
    items = drawn(features[-1], hand, board(*features))
    deck = filled(items, hand.style.ink("timber-deck"))
    left, low, right, high = deck.bounds
    assert high - low == pytest.approx(11 + 7, abs=0.1)
    planks = next(item for _, item in items if isinstance(item, Path) and item.stroke and len(item.runs) > 8)
    assert 1.2 < (high - low) / (len(planks.runs) - 1) < 1.8
    wet = features[0].line.buffer(11 / 2 - 1)
    solid = shapely.union_all(
        [shape(item) for _, item in items if isinstance(item, Path) and item.fill and item.fill.alpha == 1]
    )
    over_water = solid.intersection(wet)
    assert over_water.bounds[0] > left - 1
    assert over_water.bounds[2] < right + 1


@settings(max_examples=12, deadline=None, derandomize=True)
@given(turn=st.floats(60, 120))
def test_a_girder_bridge_reaches_over_the_water_at_every_angle(turn: float) -> None:
    hand, features = context(), passed(Kind.RAILWAY_BRIDGE, Kind.RAILWAY, Kind.RIVER, turn=turn)
    items = drawn(features[-1], hand, board(*features))
    deck = shape(next(item for _, item in items if isinstance(item, Path) and item.fill == hand.style.ink("stone")))
    water = features[0].line.buffer(11 / 2, cap_style="flat")
    ends = shapely.points(shapely.get_coordinates(deck)[:4])
    assert shapely.distance(ends, water).min() > 0.2
    assert deck.intersection(water).area == pytest.approx(10 * 11 / np.sin(np.radians(turn)), rel=0.02)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(turn=st.floats(60, 120))
def test_gates_bar_the_road_clear_of_the_railway(turn: float) -> None:
    hand, features = context(), passed(Kind.LEVEL_CROSSING, Kind.ROAD, Kind.RAILWAY, turn=turn)
    rails, road, at = features
    items = drawn(at, hand, board(*features))
    gates = filled(items, hand.style.ink("ink"))
    assert len(gates.geoms) == 2
    for gate in gates.geoms:
        assert 2.5 < gate.distance(rails.line.buffer(7.5 / 2)) < 8
        assert gate.intersection(road.line.buffer(4.8)).area > 9
    deck = filled(items, hand.style.ink("timber-deck"))
    assert deck.area == pytest.approx(9.6 * (7.5 + 1.6) / np.sin(np.radians(turn)), rel=0.01)


@pytest.mark.parametrize("under", [Kind.STREAM, Kind.CREEK, Kind.GULLY, Kind.DITCH])
@pytest.mark.parametrize("kind", [Kind.BRIDGE, Kind.TIMBER_BRIDGE, Kind.FORD])
def test_narrow_waters_have_crossings_too(kind: Kind, under: Kind) -> None:
    hand, features = context(), passed(kind, Kind.ROAD, under, width=0.0)
    items = drawn(features[-1], hand, board(*features))
    wide = drawn_width(features[0], hand)
    places = np.vstack([corners(item) for _, item in items if isinstance(item, Path)])
    assert np.ptp(places[:, 1]) > wide
    assert np.ptp(places[:, 1]) < wide + 18


def test_a_single_arch_spans_a_brook_without_cutwaters() -> None:
    hand = context()
    brook, river = (passed(Kind.BRIDGE, Kind.ROAD, Kind.RIVER, width=width) for width in (4.0, 20.0))
    for features, piers in ((brook, False), (river, True)):
        stone = filled(drawn(features[-1], hand, board(*features)), hand.style.ink("stone"))
        assert stone.is_empty != piers


def test_fences_end_where_a_bridge_begins() -> None:
    hand, features = context(), passed(Kind.BRIDGE, Kind.FENCED_ROAD, Kind.RIVER)
    items = drawn(features[1], hand, board(*features))
    fences = shapely.union_all([shape(item) for item in paths(items, LayerName.WORKS)])
    assert fences.distance(features[0].line) == pytest.approx(11 / 2 + 7.0, abs=0.3)


def test_a_junction_itself_draws_nothing() -> None:
    main, branch = way(Kind.ROAD), way(Kind.TRACK, [(200, 300), (200, 155)], name="D2")
    at = crossing("X1", Kind.JUNCTION, (200, 155), 90)
    field = board(main, branch, replace(at, way="D1", water=""))
    assert not drawn(at, context(), field)
    assert drawn(main, context(), field) == drawn(main, context(), board(main, branch))


@pytest.mark.parametrize("kind", WAYS)
def test_what_a_way_looks_like(kind: Kind, golden: Callable[[Drawing, str], None]) -> None:
    feature = way(kind, [(0, 5), (7, 7.5), (13, 7), (20, 9)])
    field = board(feature, width=20, depth=14)
    golden(Drawing(20, 14, gathered(drawn(feature, context(), field), clip=Rect(0, 0, 20, 14))), f"sign-{kind}")


@pytest.mark.parametrize(("kind", "over", "under"), OVER)
def test_what_a_crossing_looks_like(
    kind: Kind, over: Kind, under: Kind, golden: Callable[[Drawing, str], None]
) -> None:
    beneath = course("R1", under, [(0, 6.5), (20, 7.5)], 6.0)
    above = course("D1", over, [(9.5, 0), (10.5, 14)], 5.0)
    at = crossing("X1", kind, (10, 7), 85.9)
    field = board(beneath, above, at, width=20, depth=14)
    golden(Drawing(20, 14, gathered(drawn(at, context(), field), clip=Rect(0, 0, 20, 14))), f"sign-{kind}")
