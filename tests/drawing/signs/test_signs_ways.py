"""Fenced and sunken roads, tracks, paths, railways; where they meet, and what carries them over water and rails."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shapely import LineString, Point, affinity
from shapely.geometry.base import BaseGeometry
from signs_scene import (
    GOOD,
    STYLES,
    area,
    board,
    context,
    corners,
    course,
    crossing,
    filled,
    oval,
    paths,
    shape,
    stroked,
)

from printkit.drawing.canvas.items import Item, LayerName, Path, Stamp
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.catalogue import SIGNS
from printkit.drawing.signs.lines.course_lines import drawn_width, ground
from printkit.drawing.signs.lines.walls_and_hedges import own_width
from printkit.drawing.signs.routes.railways_and_crossings import Gauge, bridge, ford, water_span
from printkit.drawing.signs.routes.roads import road, wayside_trees
from printkit.drawing.signs.routes.wheel_tracks import chain_of, goes_on
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


def lines_as_wide_as(items: list[tuple[LayerName, Item]], width: float) -> BaseGeometry:
    found = [item for _, item in items if isinstance(item, Path) and item.stroke and item.stroke.width == width]
    return shapely.union_all([shape(item) for item in found])


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
    own = {Kind.SUNKEN_LANE: 8.4, Kind.TRACK: 5.4, Kind.PATH: 3.0, Kind.RAILWAY: 7.5}
    assert drawn_width(way(kind), hand) == own.get(kind, 9.6)


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
    items = [item for _, item in drawn(lane, hand, board(lane)) if isinstance(item, Path) and item.fill]
    inks = (hand.style.solid(token)[:3] for token in ("ravine-shaded", "ravine-lit"))
    dark, pale = (shapely.union_all([shape(item) for item in items if item.fill[:3] == ink]) for ink in inks)  # type: ignore[index]
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
def test_a_railway_lies_under_all_roads_its_sleepers_square_and_even_under_two_rails(name: str) -> None:
    hand, rails = context(name), way(Kind.RAILWAY)
    items = drawn(rails, hand, board(rails))
    assert {layer for layer, _ in items} == {LayerName.RAIL}
    order = list(LayerName)
    assert order.index(LayerName.WATER_LINE) < order.index(LayerName.RAIL) < order.index(LayerName.CASING)
    (sleepers,) = [item for _, item in items if isinstance(item, Path) and item.stroke and len(item.runs) > 50]
    middles = np.array([np.array(run.points).reshape(2, 2).mean(axis=0) / 100 for run in sleepers.runs])
    steps = np.hypot(*np.diff(middles, axis=0).T)
    assert steps == pytest.approx(2.5, abs=0.05)
    lengths = [LineString(np.array(run.points).reshape(2, 2) / 100).length for run in sleepers.runs]
    assert lengths == pytest.approx([0.76 * 7.5] * len(lengths), abs=0.03)
    rail = lines_as_wide_as(items, hand.width(0.55))
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
    many = [(layer, item) for layer, item in items if isinstance(item, Path) and len(item.runs) > 20]
    sleepers = stroked(many, hand.style.ink("sleeper"))
    rails = lines_as_wide_as(items, hand.width(0.55))
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
    solid = [shape(item) for _, item in items if isinstance(item, Path) and item.fill and item.fill.alpha == 1]
    over_water = shapely.union_all(solid).intersection(wet)
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


def test_a_single_arch_spans_a_brook_without_cutwaters_and_fences_end_where_a_bridge_begins() -> None:
    hand = context()
    brook, river = (passed(Kind.BRIDGE, Kind.ROAD, Kind.RIVER, width=width) for width in (4.0, 20.0))
    for features, piers in ((brook, False), (river, True)):
        stone = filled(drawn(features[-1], hand, board(*features)), hand.style.ink("stone"))
        assert stone.is_empty != piers
    fenced = passed(Kind.BRIDGE, Kind.FENCED_ROAD, Kind.RIVER)
    items = drawn(fenced[1], hand, board(*fenced))
    fences = shapely.union_all([shape(item) for item in paths(items, LayerName.WORKS)])
    assert fences.distance(fenced[0].line) == pytest.approx(11 / 2 + 7.0, abs=0.3)


def test_a_junction_itself_draws_nothing() -> None:
    main, branch = way(Kind.ROAD), way(Kind.TRACK, [(200, 300), (200, 155)], name="D2")
    at = crossing("X1", Kind.JUNCTION, (200, 155), 90)
    field = board(main, branch, replace(at, route="D1", water=""))
    assert not drawn(at, context(), field)
    assert drawn(main, context(), field) == drawn(main, context(), board(main, branch))


# --- Bridges and fords ------------------------------------------------------------------------------------------------


RIVER = course("R1", Kind.RIVER, [(200, 0), (200, 300)], 25.4)
LEVEL_ROAD = course("D1", Kind.ROAD, [(0, 150), (400, 150)], 19.05)


def _deck(name: str, bearing: float) -> tuple[shapely.Geometry, shapely.Geometry]:
    hand, at = context(name), crossing("X1", Kind.BRIDGE, (200, 150), bearing)
    items = paths(bridge(at, hand, board(RIVER, LEVEL_ROAD, at)), LayerName.CROSSING)
    *_, deck = (item for item in items if item.fill == hand.style.ink("road"))
    return shape(deck), RIVER.line.buffer(25.4 / 2)


@pytest.mark.clause("BR-G61")
@pytest.mark.parametrize("name", STYLES)
def test_a_bridge_is_longer_than_the_water_is_wide(name: str) -> None:
    deck, _ = _deck(name, 0)
    left, low, right, high = deck.bounds
    assert right - left == pytest.approx(25.4 + 7, abs=0.1)
    assert right - left >= 1.25 * 25.4
    assert high - low == pytest.approx(19.05 + 0.8, abs=0.1)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(bearing=st.floats(-45, 45))
def test_both_ends_of_a_bridge_stand_on_dry_ground(bearing: float) -> None:
    deck, water = _deck("campaign", bearing)
    corners = shapely.points(shapely.get_coordinates(deck)[:4])
    assert shapely.distance(corners, water).min() > 2


@pytest.mark.clause("BR-G61")
@pytest.mark.parametrize("name", STYLES)
def test_a_ford_lies_in_the_water_and_its_sign_is_a_quarter_longer(name: str) -> None:
    hand, at = context(name), crossing("X1", Kind.FORD, (200, 150), 0)
    items = list(ford(at, hand, board(RIVER, LEVEL_ROAD, at)))
    sides = [shape(item) for _, item in items if isinstance(item, Path) and item.stroke and item.stroke.dash]
    assert len(sides) == 1
    assert sides[0].bounds[2] - sides[0].bounds[0] == pytest.approx(1.25 * 25.4, abs=0.1)
    stones = [item for _, item in items if isinstance(item, Path) and item.stroke is None and len(item.runs) >= 8]
    assert stones[-1].fill == hand.style.ink("stone")
    assert RIVER.line.buffer(25.4 / 2 + 2.5).contains(shape(stones[-1]))
    lines = [item for _, item in items if isinstance(item, Path) and item.stroke]
    (dashes,) = [item for item in lines if item.stroke and item.stroke.width == hand.width(0.34)]
    assert RIVER.line.buffer(25.4 / 2).contains(shape(dashes))


def test_the_water_is_measured_where_the_crossing_is() -> None:
    bent = course("R1", Kind.RIVER, [(100, 0), (100, 260), (300, 260), (300, 0)], 25.4)
    for x in (100, 300):
        at = crossing("X1", Kind.BRIDGE, (x, 150), 0)
        span = water_span(at, 19.05, board(bent, LEVEL_ROAD, at), context())
        assert (span.first, span.last) == pytest.approx((-12.7, 12.7), abs=0.05)


@pytest.mark.parametrize("name", STYLES)
def test_bridge_and_ford_throw_shadows_only_where_the_style_has_them(name: str) -> None:
    hand = context(name)
    for kind, sign in ((Kind.BRIDGE, bridge), (Kind.FORD, ford)):
        at = crossing("X1", kind, (200, 150), 0)
        cast = filled(sign(at, hand, board(RIVER, LEVEL_ROAD, at)), hand.tint("shadow", 0.28))
        assert cast.is_empty != hand.style.shadows


# --- Roads ------------------------------------------------------------------------------------------------------------


BROAD = course("D1", Kind.ROAD, [(0, 150), (200, 155), (400, 150)], 19.05)


@pytest.mark.clause("BR-G51")
@pytest.mark.parametrize("name", STYLES)
def test_a_road_runs_off_the_board_with_its_width_over_the_casing_and_ruts_where_the_style_has_the_ink(
    name: str,
) -> None:
    hand = context(name)
    items = list(road(BROAD, hand, board(BROAD)))
    left, _, right, _ = filled(items, hand.style.ink("road")).bounds
    assert left < -5
    assert right > 405
    window = shapely.box(190, 100, 210, 200)
    casing = shape(paths(items, LayerName.CASING)[-1]).intersection(window)
    surface = shape(paths(items, LayerName.COURSE)[0]).intersection(window)
    assert casing.area / 20 == pytest.approx(19.05, abs=0.05)
    assert surface.area / 20 == pytest.approx(19.05 - 2 * hand.width(0.55, minimum_mm=0.18), abs=0.05)
    assert casing.contains(surface)
    assert bool(paths(items, LayerName.COURSE_DETAIL)) == (hand.style.ink("wheel-rut") is not None)


@pytest.mark.clause("BR-G55", "BR-G56")
def test_a_road_stops_at_the_edge_of_a_built_up_area_and_a_junction_has_no_ruts_across_the_through_road() -> None:
    town = area("z5", Kind.BUA, oval(300, 150, 50, 45))
    street = course("D1", Kind.ROAD, [(0, 150), (200, 155), (262, 150)], 19.05)
    surface = filled(road(street, context(), board(town, street)), context().style.ink("road"))
    assert surface.bounds[2] == pytest.approx(250, abs=1.5)
    branch = course("D2", Kind.ROAD, [(210, 300), (205, 220), (200, 155)], 19.05)
    items = list(road(branch, context(), board(BROAD, branch)))
    ruts = shapely.union_all([shape(item) for item in paths(items, LayerName.COURSE_DETAIL)])
    assert not ruts.is_empty
    assert not ruts.intersects(BROAD.line.buffer(9.4))
    assert shape(paths(items, LayerName.COURSE)[0]).intersects(BROAD.line.buffer(1))


@pytest.mark.parametrize("name", STYLES)
def test_the_water_of_a_ford_shows_through_the_road(name: str) -> None:
    hand = context(name)
    wet = board(RIVER, BROAD, crossing("X1", Kind.FORD, (200, 155), 0))
    dry = board(RIVER, BROAD, crossing("X1", Kind.BRIDGE, (200, 155), 0))
    band = RIVER.line.buffer(25.4 / 2 - 0.1, cap_style="flat")
    assert not filled(road(BROAD, hand, wet), hand.style.ink("road")).intersects(band)
    assert filled(road(BROAD, hand, dry), hand.style.ink("road")).intersects(band)


@pytest.mark.parametrize("slant", [9, 14, 25, 60, 90])
def test_a_road_that_leaves_at_a_slant_reaches_the_edge_with_its_whole_width(slant: float) -> None:
    far = 120.0
    end = (200.0 + far * float(np.cos(np.radians(slant))), far * float(np.sin(np.radians(slant))))
    leaving = course("D1", Kind.ROAD, [end, (200.0, 0.0)], 19.05)
    covered = ground(leaving, board(leaving), context())
    half = 19.05 / 2 / np.sin(np.radians(slant))
    edge = shapely.LineString([(200 - half + 0.1, 0), (200 + half - 0.1, 0)])
    assert covered.buffer(0.01).covers(edge)


# --- Trees by the wayside ---------------------------------------------------------------------------------------------

LABEL = shapely.box(200, 320, 400, 350)


def places_of_trees(kind: Kind, style: str) -> list[Point]:
    beside = course("D1", kind, [(0, 300), (600, 320)], 19.0)
    field = board(beside, width=600, depth=600)
    free = field.board.shape.difference(beside.line.buffer(19.0 / 2 + 4))
    laid = wayside_trees(field, context(style, clear=LABEL), free)
    stamps = [item for name, item in laid if name is LayerName.CROWN and isinstance(item, Stamp)]
    return [Point(place.e, place.f) for stamp in stamps for place in stamp.places]


@pytest.mark.parametrize("style", STYLES)
def test_the_same_trees_stand_beside_a_road_in_every_style_clear_of_labels_and_none_by_a_wall(style: str) -> None:
    found = places_of_trees(Kind.ROAD, style)
    assert len(found) > 4
    for spot in found:
        assert 13 < spot.distance(LineString([(0, 300), (600, 320)])) < 26
        assert spot.distance(LABEL) > 3
        assert shapely.box(8, 8, 592, 592).contains(spot)
    assert found == places_of_trees(Kind.ROAD, "campaign")
    assert places_of_trees(Kind.WALL, style) == []


def test_trees_beside_a_course_are_at_irregular_distances() -> None:
    for kind in (Kind.ROAD, Kind.RIVER):
        places = sorted(spot.x for spot in places_of_trees(kind, "campaign"))
        steps = np.diff(places)
        assert steps.std() > 0.5 * steps.mean()


# --- The beaten track of wide roads -----------------------------------------------------------------------------------


WIDE = 30.0
WINDING = [(0.0, 150.0), (70.0, 156.0), (140.0, 152.0), (210.0, 148.0), (300.0, 152.0), (400.0, 150.0)]
WHOLE = course("D1", Kind.ROAD, WINDING, WIDE)
STRETCHES = (
    course("D1", Kind.FENCED_ROAD, WINDING[:3], WIDE),
    course("D2", Kind.SUNKEN_LANE, WINDING[2:4], 26.0),
    course("D3", Kind.ROAD, WINDING[3:][::-1], WIDE),
)


def road_drawn(feature: Course, field: Battlefield, name: str = "campaign") -> list[tuple[LayerName, Item]]:
    return list(SIGNS[feature.kind](feature, context(name), field))


def ruts(items: list[tuple[LayerName, Item]], name: str = "campaign") -> BaseGeometry:
    ink = context(name).style.ink("wheel-rut")
    found = [item for item in paths(items, LayerName.COURSE_DETAIL) if item.stroke and ink]
    return shapely.union_all([shape(item) for item in found if item.stroke.ink[:3] == ink[:3]])


@pytest.mark.parametrize("name", STYLES)
def test_all_of_the_track_lies_within_the_casing(name: str) -> None:
    within = chain_of(WHOLE, context(name), board(WHOLE)).line.buffer(WIDE / 2 - 0.5)
    for item in paths(road_drawn(WHOLE, board(WHOLE), name), LayerName.COURSE_DETAIL):
        assert within.covers(shapely.multipoints(corners(item)))


def test_there_is_one_track_that_wanders_between_its_verges_and_no_more_than_a_second_beside_it() -> None:
    found = ruts(road_drawn(WHOLE, board(WHOLE)))
    counts = [
        shapely.get_num_geometries(found.intersection(LineString([(x, 100), (x, 200)]))) for x in range(20, 390, 10)
    ]
    assert set(counts) <= {2, 4}
    assert counts.count(2) > len(counts) / 3
    pair = found.intersection(LineString([(100, 100), (100, 200)]))
    low, high = sorted(point.y for point in pair.geoms)[:2]
    assert high - low == pytest.approx(2.6, abs=0.2)
    hand = context()
    body = filled(road_drawn(WHOLE, board(WHOLE)), hand.tint("wheel-rut", 0.16))
    middles = [body.intersection(LineString([(x, 100), (x, 200)])).centroid for x in range(10, 390, 5)]
    aside = [WHOLE.line.distance(middle) for middle in middles]
    assert max(aside) - min(aside) > 1.0
    verges = filled(road_drawn(WHOLE, board(WHOLE)), hand.tint("pasture", 0.34))
    assert not verges.intersects(WHOLE.line.buffer(WIDE / 2 - 6.5))
    assert verges.area > 2 * 400 * 1.5


@pytest.mark.parametrize("name", STYLES)
def test_it_runs_through_parts_that_are_fenced_or_sunken_and_is_drawn_once(name: str) -> None:
    field = board(*STRETCHES)
    each = [ruts(road_drawn(part, field, name), name) for part in STRETCHES]
    assert [found.is_empty for found in each][1:] == [True, True]
    if context(name).style.ink("wheel-rut") is not None:
        for joint in (WINDING[2], WINDING[3]):
            near = Point(joint).buffer(WIDE / 2)
            assert each[0].intersection(near).length > 3 * WIDE * 0.6
    chain = chain_of(STRETCHES[1], context(name), field)
    assert chain.members == ("D1", "D2", "D3")
    assert chain.line.hausdorff_distance(WHOLE.line) < 60


def test_a_road_grows_narrower_towards_a_narrower_one_without_a_step() -> None:
    field, hand = board(*STRETCHES), context()
    items = [item for part in STRETCHES for item in road_drawn(part, field) if item[0] is LayerName.CASING]
    casing = filled(items, hand.style.ink("road-casing"))
    across = [casing.intersection(LineString([(x, 100), (x, 200)])).length for x in np.arange(100, 250, 0.5)]
    assert max(abs(np.diff(across))) < 0.6
    assert across[0] == pytest.approx(WIDE, abs=0.2)
    assert min(across) == pytest.approx(26.0, abs=0.2)
    assert casing.geom_type == "Polygon"


def test_ways_that_branch_off_are_no_part_of_the_chain_and_open_the_verge() -> None:
    branch = course("D4", Kind.ROAD, [(210.0, 300.0), (210.0, 148.0)], WIDE)
    field = board(WHOLE, branch)
    assert not goes_on(branch, WHOLE, context())
    assert chain_of(WHOLE, context(), field).members == ("D1",)
    verges = filled(road_drawn(WHOLE, field), context().tint("pasture", 0.34))
    assert not verges.intersects(branch.line.buffer(WIDE / 2, cap_style="flat"))


def test_a_narrow_road_has_no_track_and_a_track_and_its_verges_end_at_a_town() -> None:
    narrow = course("D1", Kind.ROAD, WINDING, 12.0)
    assert filled(road_drawn(narrow, board(narrow)), context().tint("wheel-rut", 0.16)).is_empty
    town = area("z5", Kind.BUA, oval(300, 150, 50, 45))
    found = ruts(list(road(WHOLE, context(), board(town, WHOLE))))
    assert not found.intersects(town.outline.buffer(-0.1))
    town, hand = area("z5", Kind.BUA, shapely.box(250, 100, 340, 200)), context()
    items = list(road(WHOLE, hand, board(town, WHOLE)))
    for ink in (hand.tint("pasture", 0.34), hand.tint("wheel-rut", 0.16)):
        found = filled(items, ink)
        before, at_edge = (found.intersection(LineString([(x, 100), (x, 200)])).length for x in (225.0, 249.5))
        assert at_edge < 0.35 * before
