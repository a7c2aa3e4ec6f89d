"""Fields: rows and trees as the cartography has them, and patchworks in which neighbours share a border."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shapely import LineString, Point, Polygon, affinity, box
from shapely.geometry.base import BaseGeometry
from signs_scene import STYLES, area, board, context, course, filled, paths, shape, stroked

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Item, LayerName, Path, Stamp
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.built.borders import divide_into_strips, place_gate, split_by_kind
from printkit.drawing.signs.built.fields import (
    AMERICAN_BORDERS,
    BORDERS,
    choose_use,
    farmland,
    make_plot,
    roughen_outline,
)
from printkit.drawing.signs.lines.walls_and_hedges import own_width
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Kind

QUAD = Polygon([(100, 100), (158, 103), (155, 145), (103, 148)])


def _drawn(feature: Area, hand: SymbolContext, field: Battlefield | None = None) -> list[tuple[LayerName, Item]]:
    return list(farmland(feature, hand, field or board(feature)))


def _pattern(items: Iterable[tuple[LayerName, Item]], hand: SymbolContext, kind: Kind) -> BaseGeometry:
    """Return all that is stroked or stamped on the ground of a field."""
    marks: list[BaseGeometry] = []
    for layer, item in items:
        if layer is LayerName.FIELD and isinstance(item, Stamp):
            marks += [Point(place.e, place.f).buffer(10 * np.hypot(place.a, place.c)) for place in item.places]
        elif layer is LayerName.FIELD and isinstance(item, Path) and item.stroke:
            marks.append(shape(item))
    assert marks, (kind, hand.style.name)
    return shapely.union_all(marks)


def _spots(items: Iterable[tuple[LayerName, Item]]) -> np.ndarray:
    return np.array([(place.e, place.f) for _, item in items if isinstance(item, Stamp) for place in item.places])


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("kind", BORDERS)
def test_a_field_has_a_wash_a_pattern_and_a_border(kind: Kind, name: str) -> None:
    hand, feature = context(name), area("z1", kind, QUAD)
    items = _drawn(feature, hand)
    whole = feature.outline.buffer(1.3)
    washes = [item for item in paths(items, LayerName.FIELD) if item.fill and item.stroke is None]
    assert all(whole.covers(shape(item)) for item in washes)
    assert bool(washes) == (hand.style.washes or kind in (Kind.OLIVES, Kind.VINEYARD))
    drawn = [item for item in paths(items, LayerName.WORKS) if item.fill != hand.tint("shadow", 0.25)]
    border = shapely.union_all([shape(item) for item in drawn if item.fill != hand.tint("shadow", 0.30)])
    half = own_width(BORDERS[kind], hand) / 2
    assert border.buffer(half + 1.5).covers(QUAD.exterior)
    assert QUAD.exterior.buffer(1.3 + 1.45 * half).covers(border)
    pattern = _pattern(items, hand, kind)
    assert QUAD.buffer(1.0 - half - 1.3).covers(pattern)
    assert pattern.distance(border) > 0.6


@pytest.mark.parametrize("kind", BORDERS)
def test_nothing_of_the_pattern_lies_beneath_a_label(kind: Kind) -> None:
    label = box(115, 115, 140, 125)
    hand, feature = context(clear=label), area("z1", kind, QUAD)
    for layer, item in _drawn(feature, hand):
        if layer is LayerName.FIELD and isinstance(item, Path) and item.stroke:
            assert not shape(item).intersects(label.buffer(-0.02))
        elif isinstance(item, Stamp):
            assert all(label.distance(Point(place.e, place.f)) > 2.0 for place in item.places)


@pytest.mark.parametrize("kind", [kind for kind in BORDERS if kind is not Kind.ENCLOSURE])
def test_every_style_has_the_same_rows_and_trees(kind: Kind) -> None:
    feature = area("z1", kind, QUAD)

    def places(name: str) -> object:
        items = _drawn(feature, context(name))
        token = {Kind.PLOUGH: "furrow", Kind.CROPS: "crops-dash", Kind.VINEYARD: "vine-row"}.get(kind, "pasture-tuft")
        ink = context(name).style.ink(token)
        fields = paths(items, LayerName.FIELD)
        return sorted(_spots(items).tolist()), [item.runs for item in fields if item.stroke and item.stroke.ink == ink]

    assert places("campaign") == places("high-contrast")
    assert len(places("ink-saver")[0]) == len(places("campaign")[0])  # type: ignore[index]
    if kind is not Kind.VINEYARD:
        assert places("campaign") == places("ink-saver")


@settings(max_examples=8, deadline=None, derandomize=True)
@given(turn=st.floats(-80, 80), seed=st.integers(0, 99))
def test_furrows_run_along_the_long_side_2_5_mm_apart(turn: float, seed: int) -> None:
    feature = area("z1", Kind.PLOUGH, affinity.rotate(box(100, 120, 180, 160), turn))
    hand = context(seed=seed)
    furrows = stroked(_drawn(feature, hand), hand.style.ink("furrow"))
    level = affinity.rotate(furrows, -turn, origin=feature.outline.centroid)
    met = [level.intersection(LineString([(x, 100), (x, 180)])) for x in (125, 140, 155)]
    for points in met:
        gaps = np.diff(np.sort(shapely.get_coordinates(points)[:, 1]))
        assert gaps.mean() == pytest.approx(2.5, abs=0.12)
        assert 1.8 < gaps.min() < gaps.max() < 3.2
        assert len(gaps) >= 12


def test_the_light_line_lies_south_east_of_its_furrow() -> None:
    for turn in (0, 60, 120):
        hand, feature = context(), area("z1", Kind.PLOUGH, affinity.rotate(QUAD, turn))
        items = _drawn(feature, hand)
        dark, lit = (stroked(items, hand.style.ink(token)) for token in ("furrow", "furrow-light"))
        sample = [part for part in shapely.get_parts(lit) if part.length > 15]
        for part in sample:
            middle = part.interpolate(0.5, normalized=True)
            near = shapely.shortest_line(middle, dark).coords
            assert near[0] != near[1]
            assert LineString(near).length == pytest.approx(0.75, abs=0.06)
            east, north = np.subtract(near[0], near[1])
            assert east - north > 0


def test_corn_is_rows_of_short_strokes() -> None:
    hand, feature = context(), area("z1", Kind.CROPS, QUAD)
    (dashes,) = [item for item in paths(_drawn(feature, hand), LayerName.FIELD) if item.stroke]
    lengths = [LineString(np.array(run.points).reshape(-1, 2) / 100).length for run in dashes.runs]
    assert max(lengths) < 2.52
    assert min(lengths) > 0.6
    assert np.median(lengths) == pytest.approx(1.9, abs=0.2)
    assert len(lengths) > 150


def test_orchards_stand_in_staggered_rows() -> None:
    for kind in (Kind.ORCHARD, Kind.OLIVES):
        feature = area("z1", kind, box(100, 100, 180, 150))
        spots = _spots(_drawn(feature, context()))
        assert len(spots) > 35
        apart = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1)) + 99 * np.eye(len(spots))
        # In a row 8.6, to the next row half of that aside and 7.7 up; every tree strays up to 0.35 both ways.
        assert apart.min() > 7.4
        assert np.median(apart.min(axis=1)) == pytest.approx(8.4, abs=0.5)
        assert not np.isclose(spots % 1, spots[0] % 1).all()


@settings(max_examples=10, deadline=None, derandomize=True)
@given(wide=st.floats(17, 60), high=st.floats(17, 60), turn=st.floats(0, 90))
def test_no_orchard_is_without_trees(wide: float, high: float, turn: float) -> None:
    feature = area("z1", Kind.ORCHARD, affinity.rotate(box(100, 100, 100 + wide, 100 + high), turn))
    hand = context()
    items = _drawn(feature, hand)
    assert len(_spots(items)) >= max(1, int(wide * high / 400))
    crowns = _pattern(items, hand, Kind.ORCHARD)
    assert feature.outline.buffer(0.4 - 1.25).covers(crowns)


@pytest.mark.parametrize("name", STYLES)
def test_olives_have_a_dot_at_the_trunk(name: str) -> None:
    hand, feature = context(name), area("z1", Kind.OLIVES, QUAD)
    items = _drawn(feature, hand)
    dot = hand.style.solid("olive-crown-line")
    trunks = filled(items, dot if hand.style.hatched else dot.with_alpha(0.55))
    assert len(shapely.get_parts(trunks)) == len(_spots(items))
    names = {item.artwork.name.rsplit("-", 1)[0] for _, item in items if isinstance(item, Stamp)}
    assert names == {"olive-crown"}
    assert (dot[:3] == (0, 0, 0)) == hand.style.hatched


def test_vines_wind_along_wires_from_stake_to_stake() -> None:
    hand, feature = context(), area("z1", Kind.VINEYARD, box(100, 100, 180, 150))
    items = _drawn(feature, hand)
    inks = {token: hand.style.ink(token) for token in ("vine-row", "timber")}
    vines, field = stroked(items, inks["vine-row"]), [each for each in items if each[0] is LayerName.FIELD]
    wires, stakes = stroked(field, inks["timber"]), filled(field, inks["timber"])
    assert vines.length > 1.15 * wires.length
    assert wires.buffer(0.75).covers(vines)
    rows = shapely.get_coordinates(wires.intersection(LineString([(140, 90), (140, 160)])))[:, 1]
    assert np.diff(np.sort(rows)).mean() == pytest.approx(3.9, abs=0.2)
    dots = shapely.get_parts(stakes)
    assert all(dot.centroid.distance(wires) < 0.05 for dot in dots)
    assert len(dots) == pytest.approx(wires.length / 5.2 + len(rows), rel=0.1)


def test_an_enclosure_is_ploughed_or_sown_by_chance() -> None:
    hand = context("ink-saver")
    uses = [choose_use(area(f"z{number}", Kind.ENCLOSURE, QUAD), hand) for number in range(40)]
    assert set(uses) == {Kind.PLOUGH, Kind.CROPS}
    assert 8 < uses.count(Kind.PLOUGH) < 32
    feature = area("z1", Kind.ENCLOSURE, QUAD)
    assert _drawn(feature, hand) == _drawn(replace(feature, kind=choose_use(feature, hand)), hand)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(gap=st.floats(-2.0, 2.4), slide=st.floats(-25, 25), kinds=st.permutations([Kind.PLOUGH, Kind.PASTURE]))
def test_neighbours_share_one_border_and_leave_no_gap(gap: float, slide: float, kinds: list[Kind]) -> None:
    one = area("z1", kinds[0], box(100, 100, 160, 150))
    other = area("z2", kinds[1], box(160 + gap, 100 + slide, 215, 150 + slide))
    hand, field = context(), board(one, other)
    plots = {each.kind: make_plot(each, hand, field) for each in (one, other)}
    hedge, fence = plots[Kind.PLOUGH], plots[Kind.PASTURE]
    # The hedge is the more solid of the two: it goes all round, the fence ends at it on both sides.
    assert hedge.border.length == pytest.approx(hedge.ground.boundary.length)
    side = 50 - abs(slide)
    assert -4 < fence.ground.boundary.length - fence.border.length - side < 6
    ends = fence.border.boundary
    assert len(shapely.get_parts(ends)) == 2
    assert all(end.distance(hedge.border) < 0.01 for end in shapely.get_parts(ends))
    beside = fence.border.intersection(hedge.border.buffer(2.5))
    assert max((part.length for part in shapely.get_parts(beside)), default=0) < 7
    assert hedge.ground.intersection(fence.ground).area < 0.1
    middle = Point(160 + gap / 2, (max(100, 100 + slide) + min(150, 150 + slide)) / 2)
    assert shapely.union(hedge.ground, fence.ground).buffer(0.05).covers(middle.buffer(2))


def test_neighbours_farther_apart_have_borders_of_their_own_and_rows_across_but_strips_keep_their_way() -> None:
    fields = [area("z1", Kind.PLOUGH, box(100, 100, 160, 150)), area("z2", Kind.CROPS, box(166, 100, 220, 150))]
    for each in fields:
        made = make_plot(each, context(), board(*fields))
        assert made.border.length == pytest.approx(made.ground.boundary.length)
        assert made.border.length > 190
    fields = [area("z1", Kind.PLOUGH, box(100, 100, 160, 145)), area("z2", Kind.CROPS, box(160, 100, 220, 145))]
    first, second = (make_plot(each, context(), board(*fields)).angle for each in fields)
    assert abs(np.cos(first)) > 0.99
    assert abs(np.cos(second)) < 0.1
    strips = [area("z1", Kind.PLOUGH, box(100, 100, 190, 120)), area("z2", Kind.CROPS, box(100, 120, 190, 140))]
    assert all(abs(np.cos(make_plot(each, context(), board(*strips)).angle)) > 0.99 for each in strips)


def test_a_recorded_work_along_a_side_stands_for_the_border_and_what_it_leaves_is_drawn_as_that_work() -> None:
    field = area("z1", Kind.PASTURE, box(100, 100, 160, 150))
    wall = course("w1", Kind.WALL, [(90, 152), (170, 151)], 0)
    crossing = course("w2", Kind.WALL, [(130, 90), (131, 140)], 0)
    made = make_plot(field, context(), board(field, wall))
    assert made.border.length == pytest.approx(made.ground.boundary.length - 60, abs=8)
    assert made.border.distance(LineString([(110, 150), (150, 150)])) > 2
    crossed = make_plot(field, context(), board(field, crossing))
    assert crossed.border.length == pytest.approx(crossed.ground.boundary.length)
    assert not crossed.inner.intersects(crossing.line.buffer(1.8))
    feature, hand = area("z1", Kind.CROPS, box(100, 100, 200, 180)), context()
    fence = course("w1", Kind.WORM_FENCE, [(200, 185), (200, 120)], 0)
    laid = make_plot(feature, hand, board(feature, fence))
    kinds = dict(split_by_kind(laid.ground, laid.border, Kind.HEDGE, laid.existing_works, hand))
    assert set(kinds) == {Kind.HEDGE, Kind.WORM_FENCE}
    assert kinds[Kind.WORM_FENCE].length == pytest.approx(20, abs=4)
    assert kinds[Kind.WORM_FENCE].distance(LineString([(200, 100), (200, 120)])) < 1.5
    assert kinds[Kind.HEDGE].distance(LineString([(200, 110), (200, 120)])) > 4
    short = course("w1", Kind.WORM_FENCE, [(200, 185), (200, 160)], 0)
    laid = make_plot(feature, hand, board(feature, short))
    assert [kind for kind, _ in split_by_kind(laid.ground, laid.border, Kind.HEDGE, laid.existing_works, hand)] == [
        Kind.HEDGE
    ]


@pytest.mark.parametrize(("kind", "spare"), [(Kind.ROAD, 2.2), (Kind.TRACK, 1.9), (Kind.FENCED_ROAD, 1.5)])
def test_fields_are_cut_back_from_ways(kind: Kind, spare: float) -> None:
    field = area("z1", Kind.CROPS, QUAD)
    way = course("D1", kind, [(0, 124), (400, 124)], 8.0)
    made = make_plot(field, context(), board(field, way))
    assert made.ground.distance(way.line) == pytest.approx(4.0 + spare, abs=0.05)
    assert len(shapely.get_parts(made.ground)) == 2
    # Along a fenced road stands a fence already; there the field has none of its own.
    alongside = made.border.intersection(way.line.buffer(4.0 + spare + 0.5))
    assert (alongside.length > 60) == (kind is not Kind.FENCED_ROAD)
    assert made.inner.distance(way.line) > 4.0 + spare + 1.3


def test_slivers_behind_a_way_are_not_tilled() -> None:
    field = area("z1", Kind.CROPS, QUAD)
    way = course("D1", Kind.ROAD, [(0, 138), (400, 138)], 8.0)
    assert make_plot(field, context(), board(field, way)).ground.bounds[3] < 133
    covered = course("R1", Kind.RIVER, [(0, 124), (400, 124)], 90.0)
    assert list(farmland(field, context(), board(field, covered))) == []


def test_america_fences_all_its_fields_with_worms() -> None:
    assert set(AMERICAN_BORDERS) == set(BORDERS)
    hand = context()
    for kind in BORDERS:
        feature = area("z1", kind, QUAD)
        works = paths(farmland(feature, hand, board(feature), borders=AMERICAN_BORDERS), LayerName.WORKS)
        strokes = [item.stroke for item in works if item.stroke]
        assert {stroke.ink for stroke in strokes} == {hand.style.ink("timber")}
        assert {stroke.width for stroke in strokes} == {hand.width(0.36), hand.width(0.30)}


@settings(max_examples=10, deadline=None, derandomize=True)
@given(split=st.floats(125, 155), lean=st.floats(-15, 15))
def test_what_two_outlines_share_they_share_when_man_made(split: float, lean: float) -> None:
    left = Polygon([(100, 100), (split, 102), (split + lean, 150), (104, 156)])
    right = Polygon([(split, 102), (180, 104), (176, 152), (split + lean, 150)])
    hand = context()
    made = [roughen_outline(each, hand) for each in (left, right)]
    for rough, neat in zip((left, right), made, strict=True):
        assert shapely.hausdorff_distance(neat.exterior, rough.exterior, 0.1) < 3.0
        assert rough.buffer(1.5).covers(neat)
        assert neat.difference(neat.buffer(-1.9).buffer(1.9)).area < 0.1
        assert rough.difference(rough.buffer(-1.9).buffer(1.9)).area > 0.4
    shared = made[0].exterior.intersection(made[1].exterior.buffer(0.01))
    side = LineString([(split, 102), (split + lean, 150)])
    assert shared.length == pytest.approx(side.length, abs=7)
    assert shapely.hausdorff_distance(shared, side, 0.1) > 0.1


# --- Large tilled fields lie in strips --------------------------------------------------------------------------------

TURN = 18.0
LEVEL = Polygon([(80, 70), (262, 70), (274, 214), (80, 214)])
GROUND = affinity.rotate(LEVEL, TURN, origin=(0, 0))


def _strips(ground: Polygon = GROUND, seed: str = "s"):
    return divide_into_strips(ground, np.radians(TURN), 0.04, context(), Stream(seed))


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_a_large_field_has_strips_of_about_44_mm_that_do_not_meet_and_headlands_across_both_ends(seed: str) -> None:
    found = _strips(seed=seed)
    assert found is not None
    assert len(found.strips) == 3
    for number, strip in enumerate(found.strips):
        assert GROUND.buffer(0.01).covers(strip)
        level = affinity.rotate(strip, -TURN, origin=(0, 0))
        deep = level.intersection(LineString([(170, 0), (170, 300)])).length
        assert 44 * 0.65 < deep < 44 * 1.45
        assert all(strip.distance(other) > 1.6 for other in found.strips[:number])
        assert all(strip.distance(end) > 1.0 for end in found.headlands)
    assert found.balks.area == pytest.approx(2 * 1.8 * 172, rel=0.08)
    # However the ends lean.
    for end, x in zip(found.headlands, (80.0, 268.0), strict=True):
        level = affinity.rotate(end, -TURN, origin=(0, 0))
        across = level.intersection(LineString([(0, 142), (400, 142)]))
        assert across.length == pytest.approx(7.0 - 1.2, abs=0.05)
        assert abs(across.centroid.x - x) < 4


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("kind", [Kind.PLOUGH, Kind.CROPS])
def test_no_row_runs_over_a_balk_and_rows_of_the_headland_lie_across(kind: Kind, name: str) -> None:
    hand, feature = context(name), area("z1", kind, affinity.translate(GROUND, 60, -40))
    items = [item for item in farmland(feature, hand, board(feature)) if item[0] is LayerName.FIELD]
    rows = stroked(items, hand.style.ink("furrow" if kind is Kind.PLOUGH else "crops-dash"))
    laid = make_plot(feature, hand, board(feature))
    stray = 0.05 if kind is Kind.PLOUGH else 0.03
    found = divide_into_strips(laid.ground, laid.angle, stray, hand, hand.stream("draw/z1/strips"))
    assert found is not None
    if name != "ink-saver":
        # There the tufts of the balks are as black as the rows.
        assert rows.intersection(found.balks.buffer(-0.05)).length < 0.5
    assert feature.outline.buffer(1.3).covers(rows)
    across = shapely.get_parts(rows.intersection(found.headlands[0]))
    steps = np.vstack([np.diff(shapely.get_coordinates(part)[[0, -1]], axis=0) for part in across])
    turned = np.degrees(np.arctan2(steps[:, 1], steps[:, 0])) - np.degrees(laid.angle)
    assert np.median(np.abs((turned % 180) - 90)) < 8


@pytest.mark.parametrize("name", ["campaign", "high-contrast"])
def test_only_a_field_of_9000_mm2_is_in_strips_of_which_every_second_is_a_little_darker(name: str) -> None:
    assert _strips(box(0, 0, 99, 90)) is None
    assert _strips(box(0, 0, 101, 90)) is not None
    hand, feature = context(name), area("z1", Kind.PLOUGH, affinity.translate(GROUND, 60, -40))
    dark = filled(_drawn(feature, hand), hand.tint("furrow", 0.07))
    assert dark.area == pytest.approx(feature.outline.area / 3, rel=0.35)


def test_the_tint_ends_at_the_inner_side_of_a_worm_fence() -> None:
    hand, feature = context(), area("z1", Kind.PASTURE, box(100, 100, 160, 150))
    fence = course("w1", Kind.WORM_FENCE, [(90, 150), (170, 150)], 0)
    field = board(feature, fence)
    washes = [item for item in paths(farmland(feature, hand, field), LayerName.FIELD) if item.fill]
    tinted = shapely.union_all([shape(item) for item in washes])
    assert tinted.distance(fence.line) >= 3.4 / 2 - 0.05
    assert make_plot(feature, hand, field).tint_area.bounds[1] < 102


# --- One kind of border a side, and a gate ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", STYLES)
def test_a_field_has_a_gate_of_6_mm_towards_the_way_that_passes_and_else_none(name: str) -> None:
    hand, feature = context(name), area("z1", Kind.PASTURE, box(100, 100, 200, 180))
    lane = course("D1", Kind.TRACK, [(20, 60), (150, 84), (300, 60)], 5.4)
    border = make_plot(feature, hand, board(feature)).border
    for field, wide in ((board(feature), 0.0), (board(feature, lane), 6.0)):
        works = [item for item in paths(_drawn(feature, hand, field), LayerName.WORKS) if not item.fill]
        gap = border.difference(shapely.union_all([shape(item) for item in works]).buffer(0.1))
        assert gap.length == pytest.approx(wide, abs=0.5)
        assert not wide or gap.centroid.distance(Point(150, 100)) < 8


def test_no_gate_stands_where_the_border_ends() -> None:
    hand = context()
    at = place_gate(LineString([(0, 0), (100, 0)]), Point(98, 3), hand)
    assert at is not None
    assert at.x == pytest.approx(91)
    assert place_gate(LineString([(0, 0), (100, 0)]), None, hand) is None
    assert place_gate(LineString([(0, 0), (12, 0)]), Point(6, 1), hand) is None
