"""Walls, fences and hedges: their parts have the sizes of the cartography, and they open where a way passes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from signs_scene import STYLES, area, board, context, course, filled, paths, shape, stroked

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Item, LayerName, Path
from printkit.drawing.canvas.shapes import polygons
from printkit.drawing.signs.lines.gates import find_farm_tracks, find_road_gates, place_farm_gates, place_field_gate
from printkit.drawing.signs.lines.walls_and_hedges import (
    MAX_SHIFT,
    WIDTHS,
    draw_loose_rails,
    draw_work,
    own_width,
    waver_wall,
    work,
)
from printkit.terrain.field.features import Area, Kind

STRAIGHT = LineString([(50, 50), (170, 50)])
RING = shapely.box(50, 50, 110, 90).exterior


def _along(kind: Kind, line: object, name: str = "campaign", **how: float) -> list[tuple[LayerName, Item]]:
    return list(draw_work(kind, line, context(name), Stream("test"), **how))  # type: ignore[arg-type]


def _ground(items: Iterable[tuple[LayerName, Item]]) -> BaseGeometry:
    """Return all that is drawn."""
    return shapely.union_all([shape(item) for _, item in items if isinstance(item, Path)])


def _runs(items: list[tuple[LayerName, Item]], mm: float) -> list[np.ndarray]:
    """Return the lines that are stroked with a width of ``mm``."""
    lines = [item for _, item in items if isinstance(item, Path) and item.stroke]
    found = [item for item in lines if item.stroke and item.stroke.width == context().width(mm)]
    return [np.array(run.points).reshape(-1, 2) / 100 for item in found for run in item.runs]


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("kind", WIDTHS)
def test_a_work_lies_along_its_line(kind: Kind, name: str) -> None:
    line = course("w1", kind, [(20, 100), (60, 120), (100, 90), (140, 110)], 0)
    hand = context(name)
    items = list(work(line, hand, board(line)))
    assert items
    assert {layer for layer, _ in items} == {LayerName.WORKS}
    drawn = _ground(items)
    wandering = 0.0 if kind is Kind.HEDGE else MAX_SHIFT
    reach = own_width(kind, hand) / 2 * 1.45 + wandering
    # Shadows fall up to 1.1 mm to the south-east; only styles that have them may reach so far.
    assert line.line.buffer(reach + (1.1 if hand.style.shadows else 0.0)).covers(drawn)
    assert drawn.buffer(2.6 + wandering).covers(line.line)
    shadow = hand.style.ink("shadow")
    assert any(isinstance(item, Path) and item.fill and item.fill[:3] == shadow[:3] for _, item in items) == (
        hand.style.shadows and kind in (Kind.WALL, Kind.HEDGE)
    )


@settings(max_examples=10, deadline=None, derandomize=True)
@given(length=st.floats(2.5, 140))
def test_a_wall_is_of_stones_two_to_three_and_a_half_long_that_do_not_touch(length: float) -> None:
    items = _along(Kind.WALL, LineString([(50, 50), (50 + length, 50)]), "ink-saver")
    stones = polygons(filled(items, context("ink-saver").style.ink("stone")))
    boxes = np.array([stone.bounds for stone in stones])
    sizes = boxes[:, 2] - boxes[:, 0]
    assert (boxes[:, 3] - boxes[:, 1] == pytest.approx(1.7, abs=0.03)) is True
    assert sizes.max() <= 3.4 - 0.25 + 0.03
    assert sizes.sum() + 0.25 * len(stones) == pytest.approx(length, abs=0.1 * len(stones))
    if length > 40:
        assert sizes.min() > 2.0 * 0.9 - 0.25
        assert sizes.std() > 0.15
    apart = np.diff(np.sort(boxes[:, [0, 2]].ravel()))[1::2]
    assert not len(apart) or apart.min() == pytest.approx(0.25, abs=0.03)


def test_a_fence_has_a_rail_and_posts_every_4_6_mm_that_do_not_stand_twice_where_a_ring_closes() -> None:
    items = _along(Kind.FENCE, STRAIGHT)
    (rail,) = _runs(items, 0.34)
    assert LineString(rail).equals(STRAIGHT)
    posts = _runs(items, 0.46)
    assert [np.hypot(*(post[1] - post[0])) for post in posts] == pytest.approx([1.9] * len(posts), abs=0.03)
    spots = np.sort([post[:, 0].mean() for post in posts])
    assert (spots[0], spots[-1]) == pytest.approx((50, 170), abs=0.02)
    assert np.diff(spots).mean() == pytest.approx(4.6, abs=0.1)
    assert 4.0 < np.diff(spots).min() < np.diff(spots).max() < 5.2
    posts = _runs(_along(Kind.FENCE, RING), 0.46)
    middles = np.array([post.mean(axis=0) for post in posts])
    apart = np.hypot(*(middles[:, None] - middles[None]).transpose(2, 0, 1)) + 99 * np.eye(len(middles))
    assert apart.min() > 3.0


def test_a_worm_fence_zigzags_tied_at_every_corner_and_a_ring_of_it_closes_without_a_step() -> None:
    items = _along(Kind.WORM_FENCE, STRAIGHT)
    (rails,) = _runs(items, 0.36)
    sides = rails[:, 1] - 50
    assert np.abs(sides) == pytest.approx(0.8, abs=0.02)
    assert (np.diff(np.sign(sides)) != 0).all()
    assert np.diff(rails[:, 0]).mean() == pytest.approx(2.6, abs=0.1)
    ties = _runs(items, 0.30)
    assert len(ties) == len(rails)
    for tie, corner in zip(ties, rails, strict=True):
        assert tie.mean(axis=0) == pytest.approx(corner, abs=0.02)
        assert np.hypot(*(tie[1] - tie[0])) == pytest.approx(1.8, abs=0.03)
    (rails,) = _runs(_along(Kind.WORM_FENCE, RING), 0.36)
    assert rails[0] == pytest.approx(rails[-1])
    assert len(rails) % 2 == 1


@pytest.mark.parametrize("line", [STRAIGHT, RING])
def test_a_hedge_is_whole_and_shaded_away_from_the_light(line: LineString) -> None:
    hand = context()
    items = _along(Kind.HEDGE, line)
    bushes = filled(items, hand.style.family("hedge")[0])
    assert bushes.geom_type == "Polygon"
    assert bushes.buffer(0.02).covers(LineString(line.coords))
    assert 2.0 < bushes.area / line.length < 2.7
    shade = filled(items, hand.tint("hedge-line", 0.45))
    assert bushes.buffer(0.03).covers(shade)
    if line is STRAIGHT:
        assert shade.centroid.y < bushes.centroid.y - 0.3
    leaves = [filled(items, ink) for ink in hand.style.family("hedge")[1:]]
    assert all(not part.is_empty and bushes.buffer(0.05).covers(part) for part in leaves)


@pytest.mark.parametrize("kind", WIDTHS)
def test_a_true_width_is_drawn_true(kind: Kind) -> None:
    across = [_ground(_along(kind, STRAIGHT, "ink-saver", width=width)).bounds for width in (3.0, 6.0)]
    narrow, wide = (high - low for _, low, _, high in across)
    assert wide == pytest.approx(2 * narrow, rel=0.05)
    assert narrow == pytest.approx(3.6 if kind is Kind.HEDGE else 3.0, abs=0.6 if kind is Kind.HEDGE else 0.05)
    feature = course("w1", kind, STRAIGHT.coords, 5.0)
    items = list(work(feature, context("ink-saver"), board(feature)))
    if kind is Kind.WALL:
        # It wanders: what it covers is as much as that of a straight one as wide.
        straight, stone = _along(kind, STRAIGHT, "ink-saver", width=5.0), context("ink-saver").style.ink("stone")
        assert filled(items, stone).area == pytest.approx(filled(straight, stone).area, rel=0.05)
        return
    # A fence wanders too, but little within 8 mm.
    window = box(106, 0, 114, 300) if kind is not Kind.HEDGE else box(0, 0, 400, 300)
    _, low, _, high = _ground(items).intersection(window).bounds
    assert high - low == pytest.approx(5.0 * narrow / 3.0, rel=0.1)


@pytest.mark.parametrize("kind", WIDTHS)
def test_a_work_opens_for_a_way_that_crosses_it_and_stops_at_water(kind: Kind) -> None:
    fence = course("w1", kind, [(50, 150), (350, 150)], 0)
    road = course("D1", Kind.ROAD, [(120, 0), (120, 300)], 9.6)
    track = course("D2", Kind.TRACK, [(200, 0), (220, 300)], 0)
    river = course("R1", Kind.RIVER, [(300, 0), (300, 300)], 15)
    drawn = _ground(work(fence, context("ink-saver"), board(fence, road, track, river)))
    assert drawn.distance(road.line) > 4.8
    assert drawn.distance(track.line) > 2.7
    assert drawn.distance(river.line) > 6.0
    assert all(drawn.distance(Point(x, 150)) < 2.0 for x in (113, 128, 205, 216, 290, 310))


def test_a_wall_beside_a_road_stays_whole_and_runs_off_the_board() -> None:
    wall = course("w1", Kind.WALL, [(50, 154), (350, 154)], 0)
    road = course("D1", Kind.ROAD, [(0, 150), (400, 150)], 9.6)
    alone = list(work(wall, context(), board(wall)))
    assert list(work(wall, context(), board(wall, road))) == alone
    wall = course("w1", Kind.WALL, [(0, 150), (400, 160)], 0)
    left, _, right, _ = filled(work(wall, context(), board(wall)), context().style.ink("stone")).bounds
    assert left < -1
    assert right > 401


@pytest.mark.parametrize("kind", [Kind.WALL, Kind.FENCE, Kind.WORM_FENCE])
def test_before_a_farm_a_work_has_a_gate_that_is_shut_and_no_other_gap(kind: Kind) -> None:
    farm = area("f1", Kind.FARM, box(160, 60, 240, 120))
    road = course("D1", Kind.ROAD, [(0, 158), (400, 150)], 9.6)
    line = course("w1", kind, [(60, 140), (340, 132)], 0)
    far = course("D1", Kind.ROAD, [(0, 258), (400, 250)], 9.6)
    hand = context("ink-saver")
    (gate,) = place_farm_gates(line.line, board(line, road, farm), hand)
    assert gate.shut
    assert gate.line.length == pytest.approx(11.0, rel=0.01)
    assert gate.line.distance(find_farm_tracks(board(road, farm), hand)[0]) < 1e-6
    assert place_farm_gates(line.line, board(line, far, farm), hand) == []
    alone, gated = (list(work(line, hand, board(*others))) for others in ((line,), (line, road, farm)))
    drawn = _ground(gated)
    assert gated != alone
    assert line.line.buffer(4.5).contains(drawn)
    # Posts stand at both its ends, and its leaf closes it; a wall is drawn up to 2 mm off its line.
    assert all(drawn.distance(Point(end)) < 2.1 for end in (gate.first, gate.last))
    assert drawn.distance(gate.line.centroid) < 2.6


def test_a_wall_has_gates_at_ways_and_towards_farms_and_none_at_its_end_or_when_it_is_short() -> None:
    farm = area("f1", Kind.FARM, box(160, 60, 240, 120))
    road = course("D1", Kind.ROAD, [(0, 158), (400, 150)], 9.6)
    ends_there = course("w1", Kind.WALL, [(60, 140), (236, 135)], 0)
    assert place_farm_gates(ends_there.line, board(ends_there, road, farm), context()) == []
    wall, way = LineString([(50, 150), (350, 150)]), LineString([(120, 0), (120, 300)])
    (through,) = find_road_gates(wall, way.buffer(6.0), context())
    assert not through.shut
    assert through.line.equals(LineString([(114, 150), (126, 150)]))
    wall = LineString([(50, 150), (350, 150)])
    gates = {place_field_gate(wall, board(), context(), Stream(f"gate/{seed}"))[0].line.centroid.x for seed in range(8)}
    assert len(gates) > 4
    assert all(140 < x < 260 for x in gates)
    farm = area("f1", Kind.FARM, box(80, 60, 120, 120))
    (gate,) = place_field_gate(wall, board(farm), context(), Stream("gate"))
    assert gate.line.centroid.x < 125
    assert place_field_gate(LineString([(50, 150), (160, 150)]), board(), context(), Stream("gate")) == []


def test_any_layer_and_several_lines_will_do() -> None:
    lines = shapely.MultiLineString([STRAIGHT, LineString([(50, 80), (50.2, 80)]), LineString([(60, 90), (90, 99)])])
    for kind in WIDTHS:
        items = list(draw_work(kind, lines, context(), Stream("x"), layer=LayerName.GARDEN))
        assert {layer for layer, _ in items} == {LayerName.GARDEN}
        drawn = _ground(items)
        assert not drawn.intersects(box(45, 75, 55, 84))
        assert list(draw_work(kind, LineString(), context(), Stream("x"))) == []


def test_shrunk_maps_have_thinner_walls() -> None:
    assert own_width(Kind.WALL, context(scale=0.3)) < 0.5 * own_width(Kind.WALL, context())
    rail = stroked(draw_work(Kind.FENCE, STRAIGHT, context(scale=0.3), Stream("x")), context().style.ink("timber"))
    assert rail.bounds[3] - rail.bounds[1] < 1.2
    widths = {item.stroke.width for item in paths(_along(Kind.FENCE, STRAIGHT), LayerName.WORKS) if item.stroke}
    assert min(widths) >= 0.18


# --- Walls wander about their true line ------------------------------------------------------------------------------

NOWHERE = Polygon()
LONG_WALL = LineString([(20, 150), (380, 150)])


def _wandered(line: LineString, *, seed: int = 0, crossed=NOWHERE, beside=NOWHERE) -> LineString:
    return waver_wall(line, context(seed=seed), gaps=crossed, obstacles=beside)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    points=st.lists(st.tuples(st.floats(20, 380), st.floats(20, 280)), min_size=2, max_size=5, unique=True),
    seed=st.integers(0, 9),
)
def test_the_middle_of_a_wall_is_drawn_within_2_mm_of_its_line(points: list[tuple[float, float]], seed: int) -> None:
    line = LineString(points)
    found = _wandered(line, seed=seed)
    places = shapely.points(shapely.get_coordinates(found))
    assert shapely.distance(places, line).max() < MAX_SHIFT
    if line.length >= 9:
        ends = shapely.get_coordinates(found)[[0, -1]]
        assert ends == pytest.approx(shapely.get_coordinates(line)[[0, -1]])


def test_a_long_wall_wavers_with_eased_corners_but_is_true_at_gates_ways_and_fields() -> None:
    aside = shapely.get_coordinates(_wandered(LONG_WALL))[:, 1] - 150
    assert aside.max() - aside.min() > 1.5
    corner = LineString([(50, 100), (150, 100), (150, 200)])
    steps = np.diff(shapely.get_coordinates(_wandered(corner)), axis=0)
    bearings = np.unwrap(np.arctan2(steps[:, 1], steps[:, 0]))
    assert np.abs(np.diff(bearings)).max() < np.radians(50)
    gate, field = Point(200, 150).buffer(6), box(250, 152, 330, 220)
    found = _wandered(LONG_WALL, crossed=gate, beside=field)
    for stretch in (box(194, 100, 206, 200), box(252, 100, 328, 200)):
        assert shapely.hausdorff_distance(found.intersection(stretch), LONG_WALL.intersection(stretch)) < 0.05
    assert found.distance(field) >= 1.99


@pytest.mark.parametrize("kind", [Kind.FENCE, Kind.WORM_FENCE, Kind.HEDGE])
def test_fences_wander_like_walls_and_hedges_do_not(kind: Kind) -> None:
    feature = course("w1", kind, LONG_WALL.coords, 0)
    items = list(work(feature, context(), board(feature)))
    runs = [np.array(run.points).reshape(-1, 2)[:, 1] / 100 for _, item in items for run in getattr(item, "runs", ())]
    aside = np.concatenate(runs) - 150
    assert abs(aside).max() < (2.9 if kind is Kind.HEDGE else MAX_SHIFT + own_width(kind, context()) / 2 + 0.1)
    if kind is not Kind.HEDGE:
        middles = [run.mean() - 150 for run in runs if len(run) == 2]
        assert np.ptp(middles) > 1.5


@pytest.mark.parametrize("kind", [Kind.FENCE, Kind.WORM_FENCE])
def test_a_fence_ends_softly_in_the_open_and_not_at_another_feature(kind: Kind) -> None:
    feature = course("w1", kind, [(60, 150), (300, 150)], 0)
    wood = area("z1", Kind.LIGHT_WOODS, box(302, 120, 360, 180))

    def reach(*others: Area) -> tuple[float, float]:
        """Return how far the unbroken part of the fence goes to the left and to the right."""
        items = list(work(feature, context(), board(feature, *others)))
        rail = max((shape(item) for item in paths(items, LayerName.WORKS) if item.stroke), key=lambda it: it.length)
        longest = max(shapely.get_parts(rail), key=lambda part: part.length)
        return longest.bounds[0], longest.bounds[2]

    assert reach() == pytest.approx((71, 289), abs=1.0)
    assert reach(wood) == pytest.approx((71, 300), abs=1.0)
    rails = [shape(item) for _, item in draw_loose_rails([LineString([(0, 0), (11, 0)])], context(), Stream("test"))]
    assert shapely.union_all(rails).length < 0.75 * 11
    assert max(abs(rail.bounds[1]) + abs(rail.bounds[3]) for rail in rails) < 3


def test_every_style_has_the_same_wall() -> None:
    feature = course("w1", Kind.WALL, LONG_WALL.coords, 0)
    walls = [filled(work(feature, context(name), board(feature)), context(name).style.ink("stone")) for name in STYLES]
    assert all(wall.equals(walls[0]) for wall in walls)
