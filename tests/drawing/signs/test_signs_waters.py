"""Waters: banks without cusps, mouths without bank lines, shores that end with the board, and what grows in wet."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from signs_scene import STYLES, area, board, context, corners, course, filled, oval, paths, shape, stroked, winding

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Item, LayerName, Path
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.catalogue import SIGNS
from printkit.drawing.signs.cover.low_plants import Tufts, draw_reeds
from printkit.drawing.signs.cover.rivers import river
from printkit.drawing.signs.cover.shores import Basin, lake
from printkit.drawing.signs.lines.channels import Channel, find_covering_waters, find_tributaries, width_at
from printkit.drawing.signs.relief.open_ground import draw_cover
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Kind

ELBOW = [(0, 200), (120, 190), (190, 60), (260, 190), (400, 200)]
RIVER = course("R1", Kind.RIVER, winding(400, 30), 25.4)
MERE = oval(200, 150, 60, 42)
BAY = Polygon([(0, 0), (400, 0), (400, 90), (250, 70), (120, 96), (0, 80)])
STILL = (Kind.LAKE, Kind.POOL, Kind.SEA, Kind.WATERWAY)
WET = (Kind.MARSH, Kind.SWAMP, Kind.BOGGY_GROUND)


def _laid(feature: Area | Course, hand: SymbolContext, field: Battlefield) -> list[tuple[LayerName, Item]]:
    return list(SIGNS[feature.kind](feature, hand, field))


def _heavy(feature: Area | Course, hand: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the bank lines of a water: what is stroked in their ink and is no shade."""
    return _banks(_laid(feature, hand, field), hand)


def _banks(items: list[tuple[LayerName, Item]], hand: SymbolContext) -> BaseGeometry:
    found = paths(items, LayerName.WATER_LINE)
    banks = [hand.width(mm) for mm in (0.62, 0.52, 0.42)]
    return shapely.union_all([shape(item) for item in found if item.stroke and item.stroke.width in banks])


def _sharpest(line: LineString) -> float:
    """Return the greatest turn in radians over 3 mm of a line."""
    points = np.array([line.interpolate(way).coords[0] for way in np.arange(0, line.length, 1.5)])
    turned = np.unwrap(np.arctan2(*np.diff(points, axis=0).T[::-1]))
    return float(np.abs(turned[2:] - turned[:-2]).max())


# --- Running water ----------------------------------------------------------------------------------------------------


def test_bends_are_round_within_and_stay_apart_where_they_come_near() -> None:
    feature = course("R1", Kind.RIVER, ELBOW, 25.4)
    raw = feature.line.buffer(25.4 / 2, quad_segs=8, cap_style="flat")
    channel = Channel.from_course(feature, context(), board(feature))
    banks = [LineString(bank.points) for bank in channel.banks()]
    cusped = [LineString(part.coords) for part in shapely.get_parts(feature.line.offset_curve(25.4 / 2))]
    assert max(map(_sharpest, cusped)) > 1.2
    assert max(map(_sharpest, banks)) < 0.5
    assert raw.difference(channel.ground).intersection(box(0, 0, 400, 300)).area < 0.5
    assert channel.ground.difference(raw).intersection(box(0, 0, 400, 300)).area < 0.02 * raw.area
    loop = [(0, 100), (180, 100), (215, 120), (215, 130), (180, 150), (0, 150)]
    feature = course("R1", Kind.RIVER, loop, 25.4)
    neck = Channel.from_course(feature, context(), board(feature)).ground
    assert not neck.intersects(LineString([(20, 125), (120, 125)]))


@pytest.mark.parametrize("kind", [Kind.RIVER, Kind.CREEK, Kind.STREAM])
def test_left_and_right_banks_run_with_the_water(kind: Kind) -> None:
    feature = course("R1", kind, winding(400, 30), 12.0)
    left, right = sorted(Channel.from_course(feature, context(), board(feature)).banks(), key=lambda bank: -bank.side)
    assert (left.side, right.side) == (1, -1)
    for bank in (left, right):
        assert bank.distances[-1] - bank.distances[0] > 0.95 * feature.line.length
        beyond = shapely.points(bank.points + 0.2 * bank.outward)
        assert shapely.distance(beyond, feature.line).min() > 6.0


def test_a_stream_without_a_width_grows_from_1_6_to_3_4_mm() -> None:
    brook, hand = course("S1", Kind.STREAM, [(60, 150), (400, 150)], 0.0), context()
    assert (width_at(brook, hand, 0), width_at(brook, hand, 1)) == (pytest.approx(1.6, abs=0.02), 3.4)
    ground = Channel.from_course(brook, hand, board(brook)).ground
    for x, wide in ((70, 1.65), (230, 2.5), (390, 3.35)):
        assert ground.intersection(LineString([(x, 100), (x, 200)])).length == pytest.approx(wide, abs=0.06)
    assert ground.bounds[0] == pytest.approx(60 - 0.8, abs=0.03)
    assert ground.bounds[2] > 403


@pytest.mark.parametrize("kind", [Kind.RIVER, Kind.CREEK, Kind.STREAM])
@settings(max_examples=8, deadline=None, derandomize=True)
@given(width=st.floats(1.5, 38), swing=st.floats(0, 45), seed=st.integers(0, 99))
def test_a_true_width_is_kept_and_nothing_lies_outside_the_banks(
    kind: Kind, width: float, swing: float, seed: int
) -> None:
    feature, hand = course("S1", kind, winding(400, swing), width), context(seed=seed)
    items = _laid(feature, hand, board(feature))
    water = filled(items, hand.style.ink("water"))
    assert water.intersection(LineString([(60, 0), (60, 300)])).length == pytest.approx(width, rel=0.3)
    assert feature.line.buffer(width / 2 - 0.1, cap_style="flat").difference(water).area < 1.0
    room = feature.line.buffer(width / 2 + 4.2)
    for item in paths(items, LayerName.WATER) + paths(items, LayerName.WATER_LINE):
        points = corners(item)
        assert shapely.contains_xy(room, points[(points[:, 0] > 10) & (points[:, 0] < 390)]).all()


def test_a_creek_has_reeds_and_a_stream_has_none() -> None:
    for kind, reedy in ((Kind.CREEK, True), (Kind.STREAM, False)):
        feature, hand = course("S1", kind, winding(400, 20), 8.0), context("ink-saver")
        lines = paths(_laid(feature, hand, board(feature)), LayerName.WATER_LINE)
        assert (hand.width(0.78) in {item.stroke.width for item in lines if item.stroke}) is reedy


@pytest.mark.parametrize(
    ("name", "kind", "width"),
    [
        ("campaign", Kind.STREAM, 0.0),
        ("high-contrast", Kind.STREAM, 14.0),
        ("ink-saver", Kind.CREEK, 0.0),
        ("campaign", Kind.CREEK, 14.0),
    ],
)
def test_a_small_water_opens_into_a_greater_one(name: str, kind: Kind, width: float) -> None:
    at = RIVER.line.interpolate(0.5, normalized=True)
    brook = course("S1", kind, [(at.x + 8, 300), (at.x - 4, 240), (at.x, at.y)], width)
    hand, field = context(name), board(RIVER, brook)
    reach = brook.line.intersection(box(0, at.y, 400, at.y + 20)).buffer(0.45)
    less, more = (_laid(feature, hand, field) for feature in (brook, RIVER))
    assert not _banks(less, hand).intersects(RIVER.line.buffer(25.4 / 2 - 0.3))
    assert not _banks(more, hand).intersects(reach)
    whole = _heavy(RIVER, hand, board(RIVER))
    assert whole.intersects(reach)
    water = filled(less, hand.style.ink("water"))
    assert water.union(filled(more, hand.style.ink("water"))).geom_type == "Polygon"


def test_a_branch_has_an_open_mouth_and_what_goes_on_from_the_end_of_a_water_is_no_branch() -> None:
    at = RIVER.line.interpolate(0.5, normalized=True)
    arm = course("S1", Kind.CREEK, [(at.x, at.y), (at.x, 40), (at.x + 4, 0)], 8.0)
    hand, field = context(), board(RIVER, arm)
    assert len(find_tributaries(RIVER, hand, field)) == 1
    assert find_covering_waters(arm, hand, field).contains(Point(at.x, at.y))
    assert not _heavy(RIVER, hand, field).intersects(arm.line.buffer(3.0))
    upper = course("S1", Kind.STREAM, [(100, 300), (150, 200)], 6.0)
    lower = course("S2", Kind.CREEK, [(150, 200), (200, 0)], 8.0)
    hand, field = context(), board(upper, lower)
    assert find_covering_waters(lower, hand, field).is_empty
    assert not find_covering_waters(upper, hand, field).is_empty


@pytest.mark.parametrize("kind", [Kind.POOL, Kind.LAKE])
def test_a_stream_out_of_a_pool_does_not_come_out_on_its_far_side(kind: Kind) -> None:
    basin = area("p1", kind, oval(200, 220, 16, 11))
    brook = course("S1", Kind.STREAM, [(200, 220), (205, 100), (210, 0)], 18.0)
    hand, field = context(), board(basin, brook)
    water = filled(_laid(brook, hand, field), hand.style.ink("water"))
    assert water.bounds[3] <= 231.01
    assert water.intersection(box(190, 226, 210, 240)).area < 5
    shore = _heavy(basin, hand, field)
    assert shore.intersects(box(190, 228, 210, 232))
    assert not shore.intersects(box(200, 200, 204, 212))


# --- Still water ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "name"), [(Kind.SEA, "ink-saver"), (Kind.WATERWAY, "campaign")])
def test_lines_run_along_the_shore_and_not_along_the_edge_of_the_board(kind: Kind, name: str) -> None:
    water, hand = area("w1", kind, BAY), context(name)
    items, shore = _laid(water, hand, board(water)), LineString(BAY.exterior.coords[2:6])
    lines = [shape(item) for item in paths(items, LayerName.WATER_LINE) if item.fill is None]
    assert not shapely.union_all(lines).intersects(box(2, 0, 398, 1.0))
    assert not shapely.union_all(lines).intersects(box(0, 2, 0.5, 30))
    bank = _heavy(water, hand, board(water))
    assert bank.hausdorff_distance(shore) < 0.2


def test_the_number_of_waterlines_tells_the_waters_apart() -> None:
    hand, counts = context(), {}
    for kind in STILL:
        basin = area("w1", kind, oval(200, 150, 90, 70))
        lines = paths(_laid(basin, hand, board(basin)), LayerName.WATER_LINE)
        inks = [item.stroke.ink[:3] for item in lines if item.stroke and len(item.runs) == 1]
        counts[kind] = inks.count(hand.style.solid("waterline")[:3])
    assert counts == {Kind.POOL: 3, Kind.LAKE: 5, Kind.WATERWAY: 6, Kind.SEA: 7}


@pytest.mark.parametrize("name", STYLES)
def test_the_sea_has_a_beach_and_a_waterway_a_bank(name: str) -> None:
    hand = context(name)
    shore = LineString(BAY.exterior.coords[2:6])
    sea, canal = (area("w1", kind, BAY) for kind in (Kind.SEA, Kind.WATERWAY))
    beach = [shape(item) for item in paths(_laid(sea, hand, board(sea)), LayerName.BANK)]
    assert shapely.union_all(beach).distance(Point(200, 84)) < 3
    assert all(shore.buffer(9.0).covers(part) for part in beach)
    assert all(BAY.buffer(-0.05).disjoint(part) for part in beach)
    assert not paths(_laid(canal, hand, board(canal)), LayerName.BANK)
    wedges = [item for item in paths(_laid(canal, hand, board(canal)), LayerName.WATER_LINE) if item.fill]
    assert len(wedges) == 1
    assert len(wedges[0].runs) == pytest.approx(shore.length / 2.2, rel=0.05)
    assert BAY.disjoint(shape(wedges[0]))
    assert shore.buffer(2.9).covers(shape(wedges[0]))


def test_a_beach_leaves_other_ground_and_mouths_alone_and_a_basin_at_the_edge_of_the_board_goes_on_beyond_it() -> None:
    sea, fen = area("w1", Kind.SEA, BAY), area("z1", Kind.MARSH, oval(120, 110, 40, 18))
    brook = course("S1", Kind.STREAM, [(250, 300), (255, 160), (250, 60)], 10.0)
    hand = context()
    sand = [shape(item) for item in paths(_laid(sea, hand, board(sea, fen, brook)), LayerName.BANK) if item.fill]
    beach = shapely.union_all(sand)
    assert beach.intersection(fen.outline).area < 0.5
    assert beach.intersection(Channel.from_course(brook, hand, board(sea, brook)).ground).area < 0.5
    basin = Basin.from_area(area("w1", Kind.SEA, BAY), context(), board())
    assert basin.open.bounds[1] < -30
    assert basin.open.intersection(box(0, 0, 400, 300)).symmetric_difference(BAY).area < 5
    inland = Basin.from_area(area("w1", Kind.LAKE, MERE), context(), board())
    assert inland.open.equals(MERE)


# --- Wet ground -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", WET)
@settings(max_examples=8, deadline=None, derandomize=True)
@given(wide=st.floats(24, 70), high=st.floats(20, 70), seed=st.integers(0, 99))
def test_nothing_of_wet_ground_lies_outside_it(kind: Kind, wide: float, high: float, seed: int) -> None:
    feature = area("z5", kind, oval(200, 150, wide, high))
    for _, item in _laid(feature, context(seed=seed), board(feature)):
        assert isinstance(item, Path)
        assert shapely.contains_xy(feature.outline.buffer(0.02), corners(item)).all()


@pytest.mark.parametrize("name", STYLES)
def test_a_swamp_has_more_pools_than_a_marsh_and_dead_trees(name: str) -> None:
    hand, counts = context(name), {}
    for kind in WET:
        feature = area("z5", kind, MERE)
        pattern = paths(draw_cover(feature, hand, board(feature)), LayerName.GROUND_PATTERN)
        pools = [item for item in pattern if item.fill == hand.style.ink("water")]
        wood = [item for item in pattern if item.fill == hand.style.ink("timber")]
        heads = [item for item in pattern if item.stroke and item.stroke.width == hand.width(0.78)]
        counts[kind] = [sum(len(item.runs) for item in found) for found in (pools, wood, heads)]
    assert counts[Kind.SWAMP][0] > 1.5 * counts[Kind.MARSH][0] > 0
    assert counts[Kind.SWAMP][1] > 12
    assert counts[Kind.SWAMP][2] > 3
    assert counts[Kind.MARSH][1:] == counts[Kind.BOGGY_GROUND][1:] == [0, 0]
    assert counts[Kind.BOGGY_GROUND][0] == 0


@pytest.mark.parametrize("name", STYLES)
def test_a_large_swamp_has_pools_of_every_size_some_with_channels_and_a_small_swamp_has_even_ones(name: str) -> None:
    hand = context(name)

    def pools(outline: Polygon) -> list[BaseGeometry]:
        feature = area("z5", Kind.SWAMP, outline)
        pattern = paths(draw_cover(feature, hand, board(feature)), LayerName.GROUND_PATTERN)
        found = shapely.union_all([shape(item) for item in pattern if item.fill == hand.style.ink("water")])
        assert outline.buffer(-1.0).covers(found)
        return list(shapely.get_parts(found))

    large, small = pools(oval(200, 150, 190, 140)), pools(MERE)
    areas = sorted(pool.area for pool in large)
    assert areas[-1] > 10 * areas[len(areas) // 10]
    assert max(pool.area for pool in small) < 10 * min(pool.area for pool in small)
    # A channel is lost when a pool is opened by 1.2 mm, so that a pool with channels falls apart.
    split = [len(shapely.get_parts(pool.buffer(-1.2))) for pool in large if pool.area > 20]
    assert sum(count > 1 for count in split) >= 3


def test_wet_grounds_differ_in_density_tone_and_edge() -> None:
    hand, length = context("ink-saver"), {}
    grounds = [area("z5", kind, MERE) for kind in (Kind.SWAMP, Kind.MARSH, Kind.BOGGY_GROUND)]
    for feature in grounds:
        items = draw_cover(feature, hand, board(feature))
        length[feature.kind] = stroked(items, hand.style.ink("marsh-stroke")).length
    assert length[Kind.BOGGY_GROUND] < 0.5 * length[Kind.MARSH]
    tones = [paths(draw_cover(ground, context(), board()), LayerName.GROUND_WASH)[0].fill for ground in grounds]
    first, second, third = (sum(ink[:3]) for ink in tones if ink)
    assert first < second < third
    edges = {kind: paths(_laid(area("z5", kind, MERE), context(), board()), LayerName.GROUND_EDGE)[0] for kind in WET}
    dashes = {kind: edge.stroke.dash for kind, edge in edges.items() if edge.stroke}
    assert len(set(dashes.values())) == 3
    assert dashes[Kind.BOGGY_GROUND][0] < 0.05


@pytest.mark.parametrize("kind", WET)
def test_what_stands_in_wet_ground_keeps_off_rivers_ways_and_labels(kind: Kind) -> None:
    river = course("R1", Kind.RIVER, [(170, 0), (170, 300)], 25.4)
    way, label = course("D1", Kind.ROAD, [(0, 130), (400, 130)], 19.05), box(200, 155, 240, 165)
    feature, hand = area("z5", kind, MERE), context(clear=label)
    items = _laid(feature, hand, board(feature, river, way))
    assert not any(shape(item).intersects(river.line.buffer(25.4 / 2 + 1.9)) for _, item in items)
    pattern = paths(items, LayerName.GROUND_PATTERN)
    assert not any(shape(item).intersects(label.buffer(-0.1)) for item in pattern[:3])
    tufts = [shape(item) for item in pattern if item.stroke and item.stroke.ink == hand.style.ink("marsh-tuft")]
    assert tufts
    # Blades may lean over a road from its southern side, but no foot stands on it.
    feet = shapely.union_all([Point(blade.coords[0]) for tuft in tufts for blade in shapely.get_parts(tuft)])
    assert not feet.intersects(way.line.buffer(19.05 / 2))
    assert not feet.intersects(label)
    if kind is Kind.MARSH:
        (blades,) = (item for item in pattern if item.stroke and item.stroke.width == 0.42)
        assert not shape(blades).intersects(way.line.buffer(8))


# --- Rivers and lakes -------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-G31")
@pytest.mark.parametrize(
    ("name", "width"), [("campaign", 12.7), ("campaign", 38.1), *((name, 25.4) for name in STYLES)]
)
def test_a_river_is_as_wide_as_the_rules_say(name: str, width: float) -> None:
    hand = context(name)
    feature = course("R1", Kind.RIVER, winding(400, 30), width)
    water = filled(river(feature, hand, board(feature)), hand.style.ink("water"))
    for share in (0.2, 0.4, 0.5, 0.7):
        middle, on = (feature.line.interpolate(share + step, normalized=True) for step in (0, 0.005))
        along = np.array([on.x - middle.x, on.y - middle.y]) / middle.distance(on)
        across = np.array([-along[1], along[0]]) * 2 * width
        cut = water.intersection(
            LineString([np.add((middle.x, middle.y), across), np.subtract((middle.x, middle.y), across)])
        )
        assert cut.length == pytest.approx(width, abs=0.15)


@pytest.mark.parametrize("name", STYLES)
def test_a_tributary_has_an_open_mouth(name: str) -> None:
    at = RIVER.line.interpolate(0.5, normalized=True)
    side = course("R2", Kind.RIVER, [(at.x, 300), (at.x - 4, 240), (at.x, at.y)], 25.4)
    hand, field = context(name), board(RIVER, side)
    mouth = side.line.buffer(25.4 / 2 - 0.5, cap_style="flat")
    drawn = [_laid(feature, hand, field) for feature in (RIVER, side)]
    banks = [_banks(items, hand) for items in drawn]
    assert not any(bank.is_empty for bank in banks)
    assert not shapely.union_all(banks).intersects(mouth.union(RIVER.line.buffer(25.4 / 2 - 0.5)))
    main, water = (filled(items, hand.style.ink("water")) for items in drawn)
    both = water.union(main)
    assert both.geom_type == "Polygon"
    assert water.intersection(RIVER.line.buffer(25.4 / 2 - 0.5)).is_empty


@pytest.mark.clause("BR-G38")
@pytest.mark.parametrize("name", STYLES)
def test_a_river_opens_into_a_lake(name: str) -> None:
    mere = area("z5", Kind.LAKE, oval(250, 150, 60, 50))
    feature = course("R1", Kind.RIVER, [(0, 150), (100, 160), (196, 150)], 25.4)
    hand, field = context(name), board(mere, feature)
    assert not _heavy(feature, hand, field).intersects(mere.outline.buffer(-0.3))
    shore = _heavy(mere, hand, field)
    assert not shore.intersects(feature.line.buffer(25.4 / 2 - 1))
    assert shore.length == pytest.approx(mere.outline.length - 25.4, abs=3)


@pytest.mark.clause("BR-G38")
def test_a_river_reaches_a_slanting_shore_with_its_whole_width() -> None:
    mere = area("z5", Kind.LAKE, shapely.Polygon([(150, 60), (290, 200), (320, 120), (260, 50)]))
    feature = course("R1", Kind.RIVER, [(0, 150), (100, 150), (245, 150)], 25.4)
    hand, field = context(), board(mere, feature)
    water = filled(river(feature, hand, field), hand.style.ink("water"))
    joined = water.union(filled(lake(mere, hand, field), hand.style.ink("water")))
    assert joined.geom_type == "Polygon"
    assert joined.contains(shapely.box(100, 150 - 12.6, 250, 150 + 12.6))


@pytest.mark.parametrize("name", STYLES)
def test_a_lake_stays_inside_its_shore(name: str) -> None:
    mere, hand = area("z5", Kind.LAKE, oval(250, 150, 60, 50)), context(name)
    items = list(lake(mere, hand, board(mere)))
    for item in paths(items, LayerName.WATER) + paths(items, LayerName.WATER_LINE):
        assert mere.outline.buffer(0.05).contains(shape(item))


@pytest.mark.parametrize("name", STYLES)
def test_a_river_runs_off_the_board_with_banks_flow_and_ticks_in_every_style(name: str) -> None:
    hand = context(name)
    items = list(river(RIVER, hand, board(RIVER)))
    assert filled(items, hand.style.ink("water")).area > 400 * 25
    lines = paths(items, LayerName.WATER_LINE)
    assert {item.stroke.width for item in lines if item.stroke} >= {hand.width(mm) for mm in (0.62, 0.28, 0.20)}
    assert any(isinstance(item, Path) and item.fill for item in lines)
    assert hand.style.shadows == any(
        item.fill and item.fill[:3] == hand.style.solid("bank-line")[:3] for item in paths(items, LayerName.WATER)
    )
    left, low, right, high = filled(items, hand.style.ink("water")).bounds
    assert left < -10
    assert right > 410
    assert low > 0
    assert high < 300


# --- Marshes ----------------------------------------------------------------------------------------------------------


FEN = area("z5", Kind.MARSH, MERE)


@pytest.mark.parametrize("name", STYLES)
def test_a_marsh_has_strokes_pools_an_edge_and_tufts_in_the_same_places_in_every_style(name: str) -> None:
    hand = context(name)
    items, usual = (list(draw_cover(FEN, each, board(FEN))) for each in (hand, context()))
    edge = paths(items, LayerName.GROUND_EDGE)
    assert len(edge) == 1
    assert shape(edge[0]).length == pytest.approx(MERE.length, rel=0.01)
    pattern = paths(items, LayerName.GROUND_PATTERN)
    assert {item.stroke.width for item in pattern if item.stroke} >= {hand.width(mm) for mm in (0.34, 0.38, 0.22, 0.42)}
    assert len([item for item in pattern if item.fill == hand.style.ink("water")]) == 1
    assert bool(paths(items, LayerName.GROUND_WASH)) == hand.style.washes
    tufts = [item.runs for item in pattern if item.stroke and item.stroke.width == hand.width(0.42)]
    usual_pattern = paths(usual, LayerName.GROUND_PATTERN)
    assert tufts == [item.runs for item in usual_pattern if item.stroke and item.stroke.width == 0.42]


def test_a_tuft_spreads_from_one_foot_and_reeds_that_would_reach_out_of_their_ground_are_left_out() -> None:
    blades = Tufts.at([(10, 20)], 3.3, 5, Stream("tuft")).blades
    assert len(blades) == 5
    for blade in blades:
        assert abs(blade[0][0] - 10) < 1
        assert blade[0][1] == 20
        assert 21 < blade[-1][1] < 24
    hand, ground = context(), box(0, 0, 20, 10)
    found = draw_reeds([(5, 2), (15, 8)], 4.0, hand, Stream("reeds"), area=ground)
    drawn = shapely.union_all([shape(item) for item in found])
    assert 4 < drawn.bounds[2] < 8
    assert ground.covers(drawn)


# --- Springs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("width", [0.0, 12.0])
def test_a_stream_that_begins_on_the_board_has_a_spring_there_and_at_the_edge_none(name: str, width: float) -> None:
    hand, source = context(name), Point(80, 140)

    def ticks(feature: Course) -> list[BaseGeometry]:
        items = paths(_laid(feature, hand, board(feature)), LayerName.WATER_LINE)
        return [shape(item) for item in items if item.fill and item.fill == hand.tint("hachure", 0.85)]

    brook = course("S1", Kind.STREAM, [(80, 140), (240, 160), (400, 150)], width)
    (spring,) = ticks(brook)
    assert spring.distance(source) < 0.5 * max(width, 1.6) + 1.6
    assert spring.hausdorff_distance(source) < 0.5 * max(width, 1.6) + 4.2
    assert spring.distance(Point(400, 150)) > 300
    assert spring.convex_hull.contains(source)
    assert not ticks(course("S1", Kind.STREAM, [(0, 140), (240, 160), (400, 150)], width))
    assert not ticks(course("R1", Kind.RIVER, [(80, 140), (240, 160), (400, 150)], width))


def test_a_stream_narrows_toward_its_spring_and_is_true_beyond() -> None:
    brook, hand = course("S1", Kind.STREAM, [(60, 150), (400, 150)], 16.0), context()
    channel = Channel.from_course(brook, hand, board(brook))
    widths = [channel.ground.intersection(LineString([(x, 100), (x, 200)])).length for x in (68, 80, 101, 200, 398)]
    assert widths == sorted(widths)
    assert widths[0] < 7
    assert widths[2] == pytest.approx(16.0, abs=0.1)
    assert widths[2:] == pytest.approx([16.0] * 3, abs=0.1)
    assert brook.line.buffer(8.05).contains(channel.ground.intersection(box(0, 0, 400, 300)))


@pytest.mark.parametrize("kind", [Kind.LAKE, Kind.WATERWAY, Kind.SEA])
def test_wide_water_without_a_wash_has_level_lines_in_its_middle(kind: Kind) -> None:
    def count(name: str, wide: float) -> int:
        basin = area("w1", kind, oval(200, 150, wide, 0.8 * wide))
        drawn = paths(_laid(basin, context(name), board(basin)), LayerName.WATER_LINE)
        middle = Point(200, 150).buffer(0.25 * wide)
        level = [shape(item) for item in drawn if item.fill is None and shape(item).intersects(middle)]
        return sum(part.bounds[1] == part.bounds[3] for each in level for part in shapely.get_parts(each))

    assert count("ink-saver", 120) > 8
    assert count("ink-saver", 20) == 0
    assert count("campaign", 120) == 0
