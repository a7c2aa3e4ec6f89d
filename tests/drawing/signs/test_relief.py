"""Hills: strokes that stay on the hill, stand evenly, run downhill and tell steep ground from gentle."""

from __future__ import annotations

import math
import tracemalloc
from functools import cache

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shapely import LineString, MultiPoint, Point, Polygon, affinity
from shapely.ops import substring
from signs_scene import GOOD, STYLES, board, context, oval, paths, shape

from printkit.chance.streams import Jitter
from printkit.drawing.canvas.items import GRID, Item, LayerName, Path, Stamp
from printkit.drawing.scatter.crowns import UNIT
from printkit.drawing.signs.cover.woods import GROWTHS
from printkit.drawing.signs.relief import hachures
from printkit.drawing.signs.relief.hachures import (
    Hachure,
    Slope,
    compute_crest_widths,
    count_further_rows,
    make_hachures,
    prepare_slope,
)
from printkit.drawing.signs.relief.landforms import extend_past_board, join_hills, smooth_ring
from printkit.drawing.signs.relief.reentrants import add_reentrants
from printkit.drawing.signs.relief.relief import find_form_lines, hill
from printkit.drawing.signs.relief.relief_field import Relief
from printkit.drawing.signs.relief.spine_strokes import find_crest_lines, make_spine_strokes
from printkit.drawing.signs.relief.spines import Spine
from printkit.terrain.field.features import Going, Hill, HillFace, Kind
from printkit.terrain.field.grids import SquareGrid
from printkit.terrain.geometry.outlines import rounded

_IMPASSABLE = Going(3, "impassable")
_OUTER, _INNER = oval(120, 100, 90, 75), oval(115, 104, 45, 35)


def _hill(*contours: Polygon, steep: tuple[float, float] | None = None, cover: Kind | None = None) -> Hill:
    """Return a hill; ``steep`` is the stretch of its outline that is steep, in shares of its length."""
    faces: tuple[HillFace, ...] = ()
    if steep is not None:
        ring = LineString(contours[0].exterior.coords)
        line = substring(ring, steep[0] * ring.length, steep[1] * ring.length)
        faces = (HillFace(line=line, kind=Kind.STEEP_SLOPE, going=_IMPASSABLE, side=0),)
    return Hill(id="z5", kind=Kind.HILL, contours=contours, going=GOOD, faces=faces, cover=cover)


def _slopes(feature: Hill, name: str = "campaign") -> list[Slope]:
    relief = Relief.from_hill(feature, context(name))
    return [prepare_slope(relief, level, context(name)) for level in relief.levels]


def _strokes(feature: Hill, name: str = "campaign") -> list[list[Hachure]]:
    return [
        list(make_hachures(slope, context(name), f"draw/test/{number}"))
        for number, slope in enumerate(_slopes(feature, name))
    ]


def _length(stroke: Hachure) -> float:
    return float(np.hypot(*np.diff(stroke.points, axis=0).T).sum())


def _steep_side(feature: Hill, stroke: Hachure) -> bool:
    return bool(feature.faces) and feature.faces[0].line.distance(Point(stroke.points[-1])) < 3.0


def _discs(items: list[tuple[LayerName, Item]]) -> list[tuple[Point, float]]:
    stamps = [item for _, item in items if isinstance(item, Stamp)]
    return [
        (Point(place.e, place.f), UNIT * max(abs(place.a), abs(place.b))) for stamp in stamps for place in stamp.places
    ]


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("steep", [None, (0.55, 0.8), (0, 1)])
def test_nothing_leaves_the_hill(name: str, steep: tuple[float, float] | None) -> None:
    feature, room = _hill(_OUTER, _INNER, steep=steep), _OUTER.buffer(0.06)
    for layer, item in hill(feature, context(name), board(feature)):
        assert isinstance(item, Path)
        points = np.concatenate([run.points for run in item.runs]).reshape(-1, 2) * GRID
        assert room.covers(MultiPoint(points)), layer


@settings(max_examples=6, deadline=None, derandomize=True)
@given(
    width=st.floats(55, 170),
    share=st.floats(0.6, 1),
    turn=st.floats(0, 180),
    seed=st.integers(0, 99),
    side=st.floats(0, 0.7),
)
def test_strokes_of_any_hill_stay_on_it_and_do_not_cross(
    width: float, share: float, turn: float, seed: int, side: float
) -> None:
    outline = rounded(width, width * share, Jitter(seed).stream("features/test/outline"))
    outline = affinity.translate(affinity.rotate(outline, turn), 200, 150)
    feature = _hill(outline, steep=(side, side + 0.25))
    found = _strokes(feature)[0]
    lines = np.array([LineString(stroke.points) for stroke in found])
    assert shapely.covers(outline, lines).all()
    tree = shapely.STRtree(lines)
    first, second = tree.query(lines, predicate="crosses")
    assert len(first) == 0, (first, second)


def test_strokes_run_uphill_from_the_contour_and_those_of_the_first_stop_below_the_second() -> None:
    feature = _hill(_OUTER, steep=(0.5, 0.75))
    ring = _OUTER.exterior
    for stroke in _strokes(feature)[0]:
        head, foot = (ring.distance(Point(point)) for point in (stroke.points[0], stroke.points[-1]))
        assert head > foot
        assert stroke.head >= stroke.foot > 0 or _length(stroke) < 23
    near = affinity.translate(_INNER, 20, 12)
    feature = _hill(_OUTER, near, steep=(0, 1))
    for stroke in _strokes(feature)[0]:
        assert not near.buffer(0.8).intersects(LineString(stroke.points))


def test_steep_strokes_are_longer_closer_heavier_and_reach_one_edge() -> None:
    outline = oval(120, 100, 60, 42)
    feature = _hill(outline, steep=(0.5, 0.75))
    found = [stroke for stroke in _strokes(feature)[0] if outline.exterior.distance(Point(stroke.points[-1])) < 1.2]
    steep = [stroke for stroke in found if stroke.steepness > 0.95]
    gentle = [stroke for stroke in found if stroke.steepness < 0.05]
    assert all(_steep_side(feature, stroke) for stroke in steep)
    assert not any(_steep_side(feature, stroke) for stroke in gentle)
    assert np.median([_length(stroke) for stroke in steep]) > 1.6 * np.median([_length(stroke) for stroke in gentle])
    level = [
        stroke
        for stroke in _strokes(_hill(outline))[0]
        if feature.faces[0].line.distance(Point(stroke.points[-1])) < 1.2
    ]
    assert np.median([stroke.head for stroke in steep]) > 1.8 * np.median([stroke.head for stroke in level])
    quarter = outline.exterior.length / 4
    assert len(steep) / quarter > 1.3 * len(gentle) / (3 * quarter)


def test_feet_stand_evenly_without_a_seam_and_strokes_are_heavier_in_the_south_east() -> None:
    outline = oval(120, 100, 46, 38)
    feature = _hill(outline)
    ring = LineString(outline.exterior.coords)
    feet = sorted(
        ring.project(Point(stroke.points[-1]))
        for stroke in _strokes(feature)[0]
        if ring.distance(Point(stroke.points[-1])) < 1.2
    )
    gaps = np.diff([*feet, feet[0] + ring.length])
    assert gaps.min() > 0.75 * 2.5
    assert gaps.max() < 1.3 * 2.5
    found = [stroke for stroke in _strokes(feature)[0] if outline.exterior.distance(Point(stroke.points[-1])) < 1.2]

    def heads(east: float, north: float) -> list[float]:
        spots = [(stroke, stroke.points[-1] - np.array([120, 100])) for stroke in found]
        return [stroke.head for stroke, (x, y) in spots if (x * east + y * north) / math.hypot(x, y) > 0.95]

    assert min(heads(0.707, -0.707)) > max(heads(-0.707, 0.707))


def test_gentle_ground_has_a_second_row_steep_ground_none_and_rows_and_strokes_grow_with_the_hill() -> None:
    def second(feature: Hill) -> list[Hachure]:
        ring = feature.outline.exterior
        whole = [stroke for stroke in _strokes(feature)[0] if stroke.head > stroke.foot]
        return [stroke for stroke in whole if ring.distance(Point(stroke.points[-1])) > 8.0]

    assert len(second(_hill(_OUTER))) > 50
    assert not second(_hill(_OUTER, steep=(0, 1)))
    assert [count_further_rows(radius) for radius in (20.0, 45.0, 72.0, 110.0, 150.0, 400.0)] == [1, 1, 2, 3, 5, 5]
    small, large = _slopes(_hill(oval(60, 60, 44, 40)))[0], _slopes(_hill(oval(160, 160, 150, 140)))[0]
    assert large.length.mean() > 1.3 * small.length.mean()
    assert large.rows > small.rows == 1
    low, wide = (
        _slopes(replace(_hill(oval(160, 160, size, 0.9 * size)), kind=Kind.RISE))[0].rows for size in (50.0, 120.0)
    )
    assert (low, wide > 0) == (0, True)


def test_traces_go_on_no_farther_than_strokes_need(monkeypatch: pytest.MonkeyPatch) -> None:
    feature = replace(_hill(oval(200, 150, 150, 120), steep=(0.4, 0.6)), kind=Kind.RISE)
    (near,), (found,) = _slopes(feature), _strokes(feature)
    reached = hachures._reached
    monkeypatch.setattr(hachures, "_reached", lambda *about: np.full(len(about[1]), reached(*about).max()))
    (far,), (all_traced,) = _slopes(feature), _strokes(feature)
    assert near.traces.steps.mean() < 0.7 * far.traces.steps.mean()
    assert len(found) == pytest.approx(len(all_traced), rel=0.01)
    assert sum(map(_length, found)) == pytest.approx(sum(map(_length, all_traced)), rel=0.01)


@pytest.mark.clause("BR-Q07")
def test_the_second_contour_is_steep_on_the_same_bearing() -> None:
    feature = _hill(_OUTER, _INNER, steep=(0.5, 0.75))
    middle, centre = feature.faces[0].line.interpolate(0.5, normalized=True), _OUTER.centroid
    towards = math.atan2(middle.y - centre.y, middle.x - centre.x)
    steep = _strokes(feature)[1]
    inner = _INNER.centroid
    for stroke in steep:
        x, y = stroke.points[-1]
        off = abs((math.atan2(y - inner.y, x - inner.x) - towards + math.pi) % (2 * math.pi) - math.pi)
        if stroke.steepness > 0.9:
            assert off < math.radians(55)
        elif off < math.radians(20):
            pytest.fail("gentle where the face below is steep")
    assert any(stroke.steepness > 0.9 for stroke in steep)


def test_a_crest_fades_out_over_twelve_millimetres_and_one_as_long_as_anybody_sends_takes_little_memory() -> None:
    slope = _slopes(_hill(_OUTER, steep=(0.4, 0.7)))[0]
    share = compute_crest_widths(slope, context())
    step = _OUTER.exterior.length / len(share)
    rising = np.count_nonzero((share > 0.01) & (share < 0.99)) * step / 2
    assert (share.min(), share.max()) == (0, 1)
    assert rising == pytest.approx(12, abs=2.5)
    assert compute_crest_widths(_slopes(_hill(oval(60, 60, 44, 38), steep=(0, 1)))[0], context()).min() == 1
    assert compute_crest_widths(_slopes(_hill(_OUTER))[0], context()).max() == 0
    steepness = np.repeat([0.0, 1.0, 0.0], 10_000)
    level = replace(slope.level, steepness=steepness, bare=np.zeros(len(steepness), dtype=bool))
    tracemalloc.start()
    share = compute_crest_widths(
        replace(slope, level=level, largeness=0.0, row_shares=np.ones(len(steepness))), context()
    )
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20_000_000
    assert (share > 0).sum() == 10_000
    assert share[15_000] == 1
    assert share[10_000] < share[10_001] < 1


def test_the_crest_of_a_nose_is_round_and_no_spike() -> None:
    nosed = oval(150, 150, 40, 35).union(Polygon([(170, 177), (170, 122), (225, 150)]).buffer(-4).buffer(4))
    feature = _hill(nosed, steep=(0, 1))
    (crest,) = (
        path for path in paths(list(hill(feature, context(), board(feature))), LayerName.HACHURE) if path.stroke
    )
    (run,) = crest.runs
    ring = Polygon(np.array(run.points).reshape(-1, 2) * GRID)
    assert ring.difference(ring.buffer(-2.3).buffer(2.4)).area < 1


def test_a_steep_face_of_a_large_hill_varies_in_width_and_its_crest_has_gaps_and_a_small_hill_is_even() -> None:
    (large,) = _slopes(_hill(oval(200, 150, 150, 120), steep=(0, 1)))
    (small,) = _slopes(_hill(oval(60, 60, 42, 37), steep=(0, 1)))
    assert large.length.max() > 2 * large.length.min()
    assert small.length.max() < 1.35 * small.length.min()
    crest = compute_crest_widths(large, context())
    assert 0.5 < (crest > 0).mean() < 0.95
    assert compute_crest_widths(small, context()).min() == 1
    growth = np.abs(np.diff(large.length)) * hachures.STEP / (large.level.contour.exterior.length / len(large.length))
    assert growth.max() < 0.75


def test_an_upper_contour_has_no_sharp_corner_inward_or_outward() -> None:
    bearing = np.linspace(0, 2 * np.pi, 10, endpoint=False)
    reach = np.where(np.arange(10) % 2, 30.0, 70.0)
    star = Polygon(np.column_stack([200 + reach * np.cos(bearing), 150 + reach * np.sin(bearing)]))
    feature = _hill(oval(200, 150, 150, 120), star)
    ground = join_hills(feature, board(feature), context())
    assert ground is not None
    ring = ground.contours[1].exterior
    points = np.array([ring.interpolate(place).coords[0] for place in np.arange(0.0, ring.length, 1.0)])
    steps = np.diff(np.vstack([points, points[:2]]), axis=0)
    turns = np.diff(np.arctan2(steps[:, 1], steps[:, 0]))
    assert np.degrees(np.abs((turns + np.pi) % (2 * np.pi) - np.pi)).max() < 40


def test_a_large_gentle_hill_has_broken_rows_valleys_and_five_tints_and_a_small_hill_none_of_them() -> None:
    large, small = _hill(oval(200, 150, 150, 120)), _hill(oval(60, 60, 40, 34))

    def open_share(feature: Hill) -> float:
        """Return the share of the outline without a stroke within 4 mm."""
        feet = [Point(stroke.points[-1]) for stroke in _strokes(feature)[0]]
        places = shapely.points(_slopes(feature)[0].level.places)
        return float((shapely.distance(places, MultiPoint(feet)) > 4.0).mean())

    assert 0.15 < open_share(large) < 0.45
    assert open_share(small) == 0
    (slope,), relief = _slopes(large), Relief.from_hill(large, context())
    strokes = _strokes(large)[0]
    cut = add_reentrants(relief, slope, strokes, context(), "draw/test")
    old = {id(stroke) for stroke in strokes}
    new = np.array([LineString(stroke.points) for stroke in cut if id(stroke) not in old])
    assert shapely.length(new).max() < 12.5
    assert len(shapely.get_parts(shapely.union_all(shapely.buffer(new, 6)))) == round(large.outline.length / 250)
    drawn = np.array([LineString(stroke.points) for stroke in cut])
    assert shapely.covers(large.outline, drawn).all()
    first, second = shapely.STRtree(drawn).query(new, predicate="crosses")
    assert len(first) == len(second) == 0
    (slope,), relief = _slopes(small), Relief.from_hill(small, context())
    assert len(add_reentrants(relief, slope, _strokes(small)[0], context(), "draw/test")) == len(_strokes(small)[0])
    tints = [len(paths(list(hill(it, context(), board(it))), LayerName.HILL_TINT)) for it in (large, small)]
    assert tints == [6, 5]


def test_the_shade_of_a_large_gentle_hill_has_no_hard_edge() -> None:
    relief = Relief.from_hill(_hill(oval(200, 150, 120, 95)), context())
    across = 200 + np.array([[-0.7071, 0.7071]]) * np.arange(-90.0, 90.0, 3.0)[:, None] - np.array([0, 50])
    light = relief.light_grid.at(relief.light, across)
    assert np.ptp(light) > 0.05
    assert np.abs(np.diff(light)).max() < 0.085 * np.ptp(light)


def test_light_comes_from_the_north_west_and_the_shade_of_a_broad_hill_is_as_broad_a_part_of_it() -> None:
    relief = Relief.from_hill(_hill(_OUTER), context())
    north_west, south_east = (
        np.array([[120 + 62 * east, 100 + 52 * north]]) for east, north in ((-0.9, 0.9), (0.9, -0.9))
    )
    assert relief.light_grid.at(relief.light, north_west * 1.0)[0] > 0.03
    assert relief.light_grid.at(relief.light, south_east * 1.0)[0] < -0.03
    assert abs(relief.light_grid.at(relief.light, np.array([[120.0, 100.0]]))[0]) < 0.02

    def dark(size: float) -> float:
        relief = Relief.from_hill(_hill(oval(300, 300, size, size)), context())
        deep = 300 + (np.linspace(0.05, 0.95, 60) * size)[:, None] * np.array([[0.7071, -0.7071]])
        return float((relief.light_grid.at(relief.light, deep) < -0.02).mean())

    shares = [dark(size) for size in (50.0, 110.0, 170.0)]
    assert min(shares) > 0.4
    assert max(shares) < 1.35 * min(shares)


def test_the_shade_of_broad_hills_has_no_ridges_finer_bands_where_it_is_faint_and_does_not_fall_to_the_edge() -> None:
    """Light changes no faster where sides meet than over a band of shade; many thin bands would tinge the ground."""
    relief = Relief.from_hill(_hill(shapely.box(40, 40, 340, 280).buffer(20)), context())
    across = np.column_stack([np.arange(240.0, 360.0, 3.0), np.full(40, 110.0)])
    light = relief.light_grid.at(relief.light, across)
    assert np.abs(np.diff(light)).max() < 0.02
    assert np.ptp(light) > 0.05
    low = replace(_hill(oval(200, 150, 150, 130)), kind=Kind.RISE)
    finer = [
        Relief.from_hill(feature, context()).finer for feature in (low, replace(low, kind=Kind.HILL), _hill(_OUTER))
    ]
    assert finer == [2, 1, 1]
    half = shapely.intersection(oval(0, 150, 180, 140), shapely.box(0, 0, 400, 300))
    relief = Relief.from_hill(extend_past_board(_hill(half), board().board, context()), context())
    assert abs(relief.light_grid.at(relief.light, np.array([[1.0, 150.0]]))[0]) < 0.02


def _form_lines(feature: Hill, name: str = "campaign", *, gridded: bool = False) -> list[Path]:
    """Return what is drawn as contours behind the true ones."""
    field = replace(board(feature), grid=SquareGrid(4, 3, 100.0)) if gridded else board(feature)
    return paths(list(hill(feature, context(name), field)), LayerName.CONTOUR)[1:]


def test_form_lines_stand_on_large_hills_alone_and_not_on_cells_below_true_contours_or_above_steep_faces() -> None:
    large = _hill(oval(200, 150, 150, 130))
    assert not _form_lines(_hill(oval(200, 150, 75, 60)))
    assert _form_lines(_hill(oval(200, 150, 90, 70)))
    assert _form_lines(large)
    assert not _form_lines(large, gridded=True)
    relief = Relief.from_hill(_hill(oval(200, 150, 170, 145), oval(200, 150, 90, 80)), context())
    outer, inner = (list(find_form_lines(level, relief, context())) for level in relief.levels)
    assert not outer
    assert inner
    assert all(relief.levels[1].contour.buffer(-10).covers(LineString(line)) for line in inner)
    outline = oval(200, 150, 150, 120)
    assert not _form_lines(_hill(outline, steep=(0, 1)))
    half = _hill(outline, steep=(0.25, 0.75))
    (drawn,) = _form_lines(half)
    assert shape(drawn).distance(half.faces[0].line.interpolate(0.5, normalized=True)) > 75


@pytest.mark.parametrize("size", [75.0, 100.0, 120.0, 145.0])
@pytest.mark.parametrize("kind", [Kind.HILL, Kind.RISE])
def test_a_form_line_is_broken_and_keeps_off_strokes(kind: Kind, size: float) -> None:
    feature = replace(_hill(oval(200, 150, 1.2 * size, size)), kind=kind)
    (drawn,) = _form_lines(feature)
    assert drawn.stroke is not None
    assert drawn.stroke.dash
    assert not any(run.closed for run in drawn.runs)
    line = shape(drawn)
    inside = feature.outline.exterior.distance(line)
    assert inside > 0.2 * size
    parts = shapely.line_merge(line)
    assert not any(part.is_ring for part in shapely.get_parts(parts))
    ring = feature.outline.buffer(-0.46 * size).length
    assert line.length < 0.88 * ring * (1 if size < 110 else 2)
    found = make_hachures(_slopes(feature)[0], context(), "draw/z5/hachures/0")
    assert min(LineString(stroke.points).distance(line) for stroke in found) > 0.9


@pytest.mark.parametrize("name", STYLES)
def test_a_form_line_is_paler_than_a_contour(name: str) -> None:
    feature = _hill(oval(200, 150, 150, 130))
    contour, form = paths(list(hill(feature, context(name), board(feature))), LayerName.CONTOUR)
    assert contour.stroke is not None
    assert form.stroke is not None
    assert form.fill is None

    def ink(path: Path) -> float:
        assert path.stroke is not None
        on, off = path.stroke.dash or (1.0, 0.0)
        darkness = 1 - sum(path.stroke.ink[:3]) / 765
        return darkness * path.stroke.ink.alpha * path.stroke.width * on / (on + off)

    assert ink(form) < 0.4 * ink(contour)


@pytest.mark.parametrize("name", STYLES)
def test_a_style_draws_only_what_it_has(name: str) -> None:
    feature, hand = _hill(_OUTER, _INNER, steep=(0.5, 0.75)), context(name)
    items = list(hill(feature, hand, board(feature)))
    assert bool(paths(items, LayerName.HILL_TINT)) == hand.style.washes
    assert bool(paths(items, LayerName.RELIEF)) == hand.style.washes
    assert len(paths(items, LayerName.CONTOUR)) == 1
    assert 2 <= len(paths(items, LayerName.HACHURE)) <= 8


def test_small_hills_have_smaller_strokes_and_reduced_maps_have_strokes_too() -> None:
    def typical(outline: Polygon) -> float:
        feature = _hill(outline)
        first = paths(list(hill(feature, context(), board(feature))), LayerName.HACHURE)[0]
        rings = [np.array(run.points).reshape(-1, 2) * GRID for run in first.runs]
        return float(np.median([Polygon(ring).length / 2 for ring in rings]))

    assert typical(oval(60, 60, 30, 20)) < 0.85 * typical(_OUTER)
    feature = _hill(oval(30, 26, 26, 22), steep=(0.5, 0.75))
    items = list(hill(feature, context(scale=0.292), board(feature)))
    assert paths(items, LayerName.HACHURE)
    for path in paths(items, LayerName.HACHURE):
        assert feature.outline.buffer(0.06).covers(shape(path))


@pytest.mark.parametrize("cover", [*GROWTHS, Kind.SCRUB])
@pytest.mark.parametrize("contours", [(_OUTER,), (_OUTER, _INNER)])
def test_whatever_grows_on_a_hill_leaves_the_hachures_in_sight(cover: Kind, contours: tuple[Polygon, ...]) -> None:
    feature = _hill(*contours, cover=cover)
    discs = _discs(list(hill(feature, context(), board(feature))))
    assert len(discs) > {Kind.LIGHT_WOODS: 25, Kind.HEAVY_WOODS: 60}.get(cover, 20)
    for middle, radius in discs:
        assert _OUTER.exterior.distance(middle) > 10
        assert all(contour.exterior.distance(middle) > 0.6 * radius for contour in contours[1:])


def test_trees_keep_off_the_crest_of_a_steep_face() -> None:
    feature = _hill(_OUTER, steep=(0.5, 0.75), cover=Kind.LIGHT_WOODS)
    discs = _discs(list(hill(feature, context(), board(feature))))
    face = substring(feature.faces[0].line, 20, feature.faces[0].line.length - 20)
    assert min(face.distance(middle) for middle, _ in discs) > 23.5


def test_a_hill_does_not_depend_on_where_its_outline_begins_for_averages_around_a_ring_wrap() -> None:
    turned = Polygon(np.roll(np.array(_OUTER.exterior.coords)[:-1], 17, axis=0))
    feature = _hill(_OUTER)
    drawn = list(hill(feature, context(), board(feature)))
    again = list(hill(replace(feature, contours=(turned,)), context(), board(feature)))
    assert paths(drawn, LayerName.HACHURE) == paths(again, LayerName.HACHURE)
    values = np.zeros(100)
    values[0] = 1.0
    even = smooth_ring(values, 10.0, 100.0)
    assert even.sum() == pytest.approx(1.0)
    assert even[-3] == pytest.approx(even[3])
    assert even[20] == 0.0


# --- Long hills as ridges: a spine with knolls and saddles, both flanks in the light ----------------------------------


_LONG = oval(200, 150, 170, 52)
_SHAPES = {
    "level": _LONG,
    "turned": affinity.rotate(_LONG, 50),
    "upright": affinity.rotate(_LONG, 90),
    "bent": LineString([(60, 90), (190, 140), (330, 130)]).buffer(45),
    "longest": oval(200, 150, 195, 34),
}


def _long_hill(outline: Polygon, kind: Kind = Kind.LONG_HILL) -> Hill:
    return Hill(id="z5", kind=kind, contours=(outline,), going=GOOD)


@cache
def _relief(shape: str) -> Relief:
    return Relief.from_hill(_long_hill(_SHAPES[shape]), context())


def _spine(shape: str) -> Spine:
    spine = _relief(shape).spine
    assert spine is not None
    return spine


def test_only_long_hills_that_are_long_and_large_have_a_spine_wherever_their_outline_begins() -> None:
    def found(outline: Polygon, kind: Kind = Kind.LONG_HILL) -> bool:
        return Relief.from_hill(_long_hill(outline, kind), context()).spine is not None

    assert found(_LONG)
    assert not found(_LONG, Kind.RISE)
    assert not found(oval(200, 150, 80, 60))
    assert not found(affinity.scale(_LONG, 0.35, 0.35))
    ring = np.array(_LONG.exterior.coords)[:-1]
    deepest = _relief("level").levels[0].deepest
    turned = Spine.from_contour(Polygon(np.roll(ring, 31, axis=0)), deepest, context())
    assert turned is not None
    assert turned.points == pytest.approx(_spine("level").points, abs=1e-6)


@pytest.mark.parametrize("shape", _SHAPES)
def test_a_spine_runs_the_length_of_its_hill_with_two_or_three_saddles(shape: str) -> None:
    spine, outline = _spine(shape), _SHAPES[shape]
    line = LineString(spine.points)
    assert outline.buffer(-15).covers(line)
    assert line.length > 0.5 * max(np.ptp(np.array(outline.exterior.coords), axis=0))
    low = spine.depth > 0.25
    saddles = np.count_nonzero(np.diff(low.astype(int)) == 1) + low[0]
    assert saddles in (2, 3)
    assert spine.depth.min() == 0
    assert len(find_crest_lines(spine)) >= 2


@pytest.mark.parametrize("shape", ["level", "turned"])
def test_one_flank_of_a_ridge_is_lit_and_the_other_dark(shape: str) -> None:
    relief, spine = _relief(shape), _spine(shape)
    knolls = spine.points[spine.depth < 0.1]
    away = np.array([0.7071, -0.7071]) * 18
    lit, dark = (relief.light_grid.at(relief.light, knolls + side * away) for side in (-1, 1))
    assert np.median(lit) > 0.02
    assert np.median(dark) < -0.03
    assert np.median(lit - dark) > 0.1


@pytest.mark.parametrize("shape", _SHAPES)
def test_strokes_fall_from_a_spine_on_both_sides_and_cross_nothing(shape: str) -> None:
    relief, spine = _relief(shape), _spine(shape)
    level = relief.levels[0]
    others = list(make_hachures(prepare_slope(relief, level, context()), context(), "draw/z5/hachures/0"))
    found = make_spine_strokes(spine, level, others, context(), "draw/z5/hachures")
    line = LineString(spine.points)
    drawn = np.array([LineString(stroke.points) for stroke in found])
    assert len(drawn) > 60
    assert shapely.distance(drawn, line).min() > 1
    assert all(
        line.distance(shapely.Point(stroke.points[-1])) > line.distance(shapely.Point(stroke.points[0]))
        for stroke in found
    )
    left, right = (line.buffer(side * 25, single_sided=True) for side in (1, -1))
    assert min(np.count_nonzero(shapely.intersects(drawn, side)) for side in (left, right)) > 0.3 * len(drawn)
    rest = np.array([LineString(stroke.points) for stroke in others])
    first, second = shapely.STRtree(rest).query(drawn, predicate="intersects")
    assert len(first) == len(second) == 0
    first, second = shapely.STRtree(drawn).query(drawn, predicate="intersects")
    assert (first == second).all()
    saddles = shapely.MultiPoint(spine.points[spine.depth > 0.5])
    assert saddles.is_empty or shapely.distance(drawn, saddles).min() > 2


@pytest.mark.parametrize("name", STYLES)
def test_a_ridge_has_a_contour_and_the_line_of_its_crest_alone(name: str) -> None:
    feature = _long_hill(_LONG)
    contour, crest = paths(list(hill(feature, context(name), board(feature))), LayerName.CONTOUR)
    assert contour.stroke is not None
    assert crest.stroke is not None
    assert crest.stroke.dash
    assert crest.stroke.width < contour.stroke.width
    assert len(crest.runs) >= 2
