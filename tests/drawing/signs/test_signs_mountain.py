"""Mountains; low hills; hills that touch one another or the board's edge; cliffs and scree on a hill's side."""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shapely import LineString, MultiPoint, Point, Polygon, affinity, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring
from signs_scene import GOOD, STYLES, board, context, corners, filled, oval, paths, shape, stroked

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Item, LayerName, Path
from printkit.drawing.signs.relief.landforms import extend_past_board, find_connected_hills, join_hills
from printkit.drawing.signs.relief.mountain import Ridges, build_ridges, long_side, mountain
from printkit.drawing.signs.relief.relief import hill
from printkit.drawing.signs.relief.relief_field import Relief, ReliefGrid, measure_inside
from printkit.terrain.field.features import Going, Hill, HillFace, Kind
from printkit.terrain.field.grids import SquareGrid
from printkit.terrain.geometry.outlines import blob

_BAD = Going(2, "bad")
_LOW = (Kind.RISE, Kind.SPUR, Kind.LONG_HILL)
_WIDE = oval(120, 100, 72, 56)
_ROCK = affinity.translate(blob(70, 52, Stream("rock"), roughness=0.2), 100, 100)

Laid = list[tuple[LayerName, Item]]


def _hill(identity: str, *contours: Polygon, kind: Kind = Kind.HILL, going: Going = GOOD, **how: object) -> Hill:
    return Hill(id=identity, kind=kind, contours=contours, going=going, **how)  # type: ignore[arg-type]


def _faced(kind: Kind, first: float = 0.1, last: float = 0.35) -> Hill:
    ring = LineString(_WIDE.exterior.coords)
    line = substring(ring, first * ring.length, last * ring.length)
    return _hill("h1", _WIDE, faces=(HillFace(line=line, kind=kind, going=_BAD, side=0),))


@cache
def _laid(feature: Hill, *others: Hill, name: str = "campaign", clear: BaseGeometry | None = None) -> Laid:
    sign = mountain if feature.kind is Kind.MOUNTAIN else hill
    return list(sign(feature, context(name, clear=clear), board(feature, *others)))


@cache
def _light(feature: Hill, name: str) -> float:
    return float(np.abs(Relief.from_hill(feature, context(name)).light).max())


def _ridges(outline: Polygon, peaks: int, name: str = "ridges") -> Ridges:
    grid = ReliefGrid.covering(outline, 3.0, 0.8)
    return build_ridges(outline, peaks, measure_inside(outline, grid), grid, Stream(name))


def _inked(items: Laid, ink: object) -> BaseGeometry:
    """Return all ground of an ink that is laid in many small pieces, each a run."""
    rings = [run.points for _, item in items if isinstance(item, Path) and item.fill == ink for run in item.runs]
    found = [Polygon(np.array(ring).reshape(-1, 2) / 100).buffer(0) for ring in rings]
    return shapely.union_all(found) if found else Polygon()


def _strokes(items: Laid) -> list[Polygon]:
    rings = [run.points for path in paths(items, LayerName.HACHURE) for run in path.runs]
    return [Polygon(np.array(ring).reshape(-1, 2) / 100) for ring in rings]


# mountains


@pytest.mark.parametrize("name", STYLES)
def test_a_mountain_lies_on_its_own_layer_is_heavier_away_from_the_light_and_only_its_shadow_leaves_it(
    name: str,
) -> None:
    hand = context(name)
    items = _laid(_hill("m1", _ROCK, kind=Kind.MOUNTAIN), name=name)
    assert {layer for layer, _ in items} == {LayerName.MOUNTAIN}
    shadow = hand.tint("shadow", 0.20)
    for _, item in items:
        assert isinstance(item, Path)
        if item.fill != shadow or not hand.style.shadows:
            assert _ROCK.buffer(0.1).covers(MultiPoint(corners(item)))
    assert (len(items) > 20) == hand.style.washes
    assert filled(items, hand.style.ink("mountain")).symmetric_difference(_ROCK).area < 5.0
    items = _laid(_hill("m1", oval(100, 100, 32, 32), kind=Kind.MOUNTAIN), name=name)
    ink = _inked(items, hand.tint("mountain-line", 0.80))
    below = Polygon([(40, 40), (160, 40), (160, 160)])
    assert ink.intersection(below).area > 2.0 * ink.difference(below).area


def test_a_mountain_has_a_peak_for_every_ninety_millimetres_or_for_each_cell() -> None:
    def peaks(feature: Hill) -> int:
        snow = filled(_laid(feature), context().tint("snow", 0.75)).buffer(0.2)
        return len([part for part in shapely.get_parts(snow) if part.area > 12])

    assert peaks(_hill("m1", oval(100, 100, 44, 34), kind=Kind.MOUNTAIN)) == 1
    assert peaks(_hill("m1", oval(150, 100, 90, 24), kind=Kind.MOUNTAIN)) >= 2
    assert peaks(_hill("m1", oval(100, 100, 44, 22), kind=Kind.MOUNTAIN, cells=((1, 1), (1, 2)))) >= 2
    assert long_side(affinity.rotate(oval(150, 100, 130, 40), 33)) == pytest.approx(260, rel=0.03)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(seed=st.integers(0, 999), width=st.floats(40, 220), share=st.floats(0.35, 1), peaks=st.integers(1, 3))
def test_ridges_stay_inside_and_never_cross(seed: int, width: float, share: float, peaks: int) -> None:
    outline = affinity.translate(blob(width, width * share, Stream(f"rock/{seed}"), roughness=0.2), 150, 150)
    found = _ridges(outline, peaks, f"ridges/{seed}").ridges
    assert len(found) >= 2 * peaks
    lines = [LineString(ridge.points) for ridge in found]
    spurs = lines[2 * peaks :]
    for one, other in itertools.combinations(spurs, 2):
        assert not one.crosses(other)
    for ridge, line in zip(found, lines, strict=True):
        assert ridge.high > ridge.low > 0
        assert line.intersection(outline).length > 0.93 * line.length


def test_a_ridge_is_highest_at_its_peak_and_cones_fall_from_it() -> None:
    found = _ridges(_ROCK, 1)
    grid = ReliefGrid.covering(_ROCK, 3.0, 0.8)
    height = found.cone_heights(grid, share=0.95, fall=1.6, step=1.2)
    top = found.ridges[0].points[0]
    assert height.max() == pytest.approx(0.95 * found.radius, abs=1.0)
    assert grid.at(height, top) == pytest.approx(height.max(), abs=1.0)
    heights = found.ridges[0].heights(9)
    assert (np.diff(heights) < 0).all()
    assert (heights[0], heights[-1]) == pytest.approx((1.0, 0.10))


def test_strokes_of_a_mountain_keep_off_its_name_and_are_where_they_are_in_every_style_in_colour() -> None:
    label = box(80, 84, 120, 94)
    for name in STYLES[:2]:
        items = _laid(_hill("m1", _ROCK, kind=Kind.MOUNTAIN), name=name, clear=label)
        assert _inked(items, context(name).tint("mountain-line", 0.80)).intersection(label.buffer(-1.0)).area < 0.5
    colour, contrast = (_laid(_hill("m1", _ROCK, kind=Kind.MOUNTAIN), name=name) for name in STYLES[:2])
    first, second = ([len(item.runs) for _, item in items if isinstance(item, Path)] for items in (colour, contrast))
    assert first == second


# low hills and high ones


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("kind", _LOW)
def test_low_hills_are_drawn_lower(kind: Kind, name: str) -> None:
    low, high = _hill("h1", _WIDE, kind=kind), _hill("h1", _WIDE)
    light = [_light(feature, name) for feature in (low, high)]
    assert light[0] < 0.6 * light[1]
    longest = [max(stroke.length / 2 for stroke in _strokes(_laid(feature, name=name))) for feature in (low, high)]
    assert longest[0] < 0.8 * longest[1]
    assert len(_strokes(_laid(low, name=name))) < 0.75 * len(_strokes(_laid(high, name=name)))
    (line,) = paths(_laid(low, name=name), LayerName.CONTOUR)
    assert line.stroke is not None
    assert line.stroke.width == pytest.approx(0.35 * context(name).style.line_factor)
    assert bool(line.stroke.dash) == (kind is Kind.RISE)


def test_the_third_level_has_a_tint_of_its_own_and_a_narrow_long_hill_strokes_on_both_sides() -> None:
    levels = (_WIDE, oval(120, 100, 48, 36), oval(118, 100, 24, 16))
    items = _laid(_hill("h1", *levels))
    for number, level in enumerate(levels):
        assert filled(items, context().style.ink(f"hill-{number + 1}")).symmetric_difference(level).area < 10
    strokes = _strokes(items)
    assert all(any(level.exterior.distance(stroke) < 1.6 for stroke in strokes) for level in levels)
    ridge = oval(120, 100, 60, 10)
    found = _strokes(_laid(_hill("h1", ridge, kind=Kind.LONG_HILL)))
    north = [stroke for stroke in found if stroke.centroid.y > 100]
    assert min(len(north), len(found) - len(north)) > 15


# hills that touch, and the board's edge


_WEST = box(40, 60, 120, 140).buffer(-12).buffer(12)
_EAST = box(120, 70, 210, 130).buffer(-12).buffer(12).union(box(120, 70, 150, 130))
_WEST_TO_EDGE = _WEST.union(box(90, 60, 120, 140))


def test_hills_of_the_same_going_run_on_into_one_another() -> None:
    west, east = _hill("h1", _WEST_TO_EDGE), _hill("h2", _EAST)
    field = board(west, east)
    whole = join_hills(west, field, context())
    assert whole is not None
    assert join_hills(east, field, context()) is None
    both = _WEST_TO_EDGE.union(_EAST)
    assert both.difference(whole.outline).area < 1
    assert Point(120, 100).buffer(45).covers(whole.outline.difference(both.buffer(0.1)))
    items = _laid(west, east)
    assert list(hill(east, context(), field)) == []
    seam = LineString([(120, 90), (120, 110)])
    (line,) = paths(items, LayerName.CONTOUR)
    assert shape(line).distance(seam) > 5
    across = [stroke for stroke in _strokes(items) if stroke.distance(seam) < 0.1]
    assert not across


def test_re_entrants_between_hills_are_worn_and_their_own_bends_stay() -> None:
    bent = oval(90, 150, 60, 45).union(oval(60, 215, 30, 60))
    group = _hill("h1", bent), _hill("h2", oval(190, 150, 60, 45))
    whole = join_hills(group[0], board(*group), context())
    assert whole is not None
    outlines = shapely.union_all([member.outline for member in group])
    added = whole.outline.difference(outlines.buffer(0.1))
    assert added.area > 20
    assert box(120, 100, 160, 200).covers(added)
    gridded = replace(board(*group), grid=SquareGrid(4, 3, 100.0))
    kept = join_hills(group[0], gridded, context())
    assert kept is not None
    assert kept.outline.difference(outlines.buffer(0.1)).is_empty


def test_hills_of_another_going_that_overlap_are_one_body_that_keeps_its_faces() -> None:
    west, over = oval(100, 150, 70, 55), oval(195, 150, 60, 50)
    ring = LineString(over.exterior.coords)
    faces = (HillFace(line=ring, kind=Kind.STEEP_SLOPE, going=_BAD, side=0),)
    first, second = _hill("h1", west, oval(95, 150, 30, 25)), _hill("h2", over, going=_BAD, faces=faces)
    field = board(first, second)
    items = list(hill(first, context(), field))
    assert list(hill(second, context(), field)) == []
    (line,) = paths(items, LayerName.CONTOUR)
    whole = west.union(over)
    hidden = shapely.union_all([west.exterior, over.exterior]).difference(whole.exterior.buffer(26))
    assert hidden.length > 20
    assert shape(line).distance(hidden) > 5
    assert min(stroke.distance(hidden) for stroke in _strokes(items)) > 0.5
    steep = paths(items, LayerName.HACHURE)[-1].fill
    assert steep == context().style.ink("hachure-steep")
    dark = filled(items, steep).centroid
    assert dark.distance(over) == 0
    nearly = board(first, replace(second, contours=(oval(228, 150, 60, 50),), faces=()))
    apart = join_hills(first, nearly, context())
    assert apart is not None
    assert apart.outline == west


def test_an_upper_contour_loses_its_thin_horns_and_no_other_ground() -> None:
    body = oval(200, 150, 60, 50)
    horned = body.union(Polygon([(195, 195), (202, 195), (199, 235)]))
    whole = join_hills(hilly := _hill("h1", oval(200, 150, 120, 100), horned), board(hilly), context())
    assert whole is not None
    outline, upper = whole.contours
    assert outline == hilly.outline
    assert upper.distance(Point(199, 220)) > 10
    assert body.buffer(-0.5).difference(upper).area < 1


def test_an_upper_level_of_a_massif_is_steep_where_its_own_hill_is() -> None:
    west, east = oval(110, 150, 80, 65), oval(235, 150, 70, 60)
    ring = LineString(east.exterior.coords)
    faces = (HillFace(line=ring, kind=Kind.STEEP_SLOPE, going=_BAD, side=0),)
    gentle = _hill("h1", west, oval(105, 150, 35, 28))
    steep = _hill("h2", east, oval(240, 150, 30, 26), going=_BAD, faces=faces)
    field = board(gentle, steep)
    whole = join_hills(gentle, field, context())
    assert whole is not None
    _, *upper = Relief.from_hill(whole, context(), find_connected_hills(gentle, field, context())).levels
    by_east = sorted(upper, key=lambda level: level.contour.centroid.x)
    assert [level.steepness.min() for level in by_east] == pytest.approx([0.0, 1.0])
    assert [level.steepness.max() for level in by_east] == pytest.approx([0.0, 1.0])


def test_hills_of_another_going_that_only_meet_at_a_point_or_ring_lower_ground_stay_apart() -> None:
    other = _hill("h2", _EAST, going=_BAD)
    west = _hill("h1", _WEST_TO_EDGE)
    far = _hill("h3", box(120, 140, 200, 200))
    for neighbour in (other, far):
        field = board(west, neighbour)
        assert join_hills(west, field, context()) == west
        assert join_hills(neighbour, field, context()) == neighbour
        assert len(paths(list(hill(neighbour, context(), field)), LayerName.CONTOUR)) == 1
    ring = Point(120, 120).buffer(80).difference(Point(120, 120).buffer(40))
    parts = (ring.intersection(part) for part in (box(0, 0, 120, 300), box(120, 0, 300, 300)))
    west, east = (_hill(f"h{number}", Polygon(part.exterior)) for number, part in enumerate(parts, 1))
    assert join_hills(west, board(west, east), context()) == west
    assert join_hills(east, board(west, east), context()) == east


def test_levels_of_hills_that_touch_keep_their_place_and_each_cover_its_own_hill() -> None:
    west = _hill("h1", _WEST_TO_EDGE, oval(75, 100, 20, 18))
    east = _hill("h2", _EAST, cover=Kind.HEAVY_WOODS)
    whole = join_hills(west, board(west, east), context())
    assert whole is not None
    assert len(whole.contours) == 2
    assert [level.rank for level in Relief.from_hill(whole, context()).levels] == [0, 1]
    items = list(hill(west, context(), board(west, east)))
    crowns = [place for layer, item in items if layer is LayerName.CROWN for place in item.places]  # type: ignore[union-attr]
    assert len(crowns) > 20
    assert all(_EAST.contains(Point(place.e, place.f)) for place in crowns)


@pytest.mark.parametrize("kind", [Kind.HILL, Kind.SPUR])
@pytest.mark.parametrize("edge", ["left", "right", "near", "far"])
def test_no_slope_falls_to_the_edge_of_the_board(kind: Kind, edge: str) -> None:
    middle = {"left": (0, 150), "right": (400, 150), "near": (200, 0), "far": (200, 300)}[edge]
    outline = oval(*middle, 70, 60).intersection(box(0, 0, 400, 300))
    feature = _hill("h1", outline, kind=kind)
    items = _laid(feature)
    rim = box(0, 0, 400, 300).exterior
    drawn = shape(paths(items, LayerName.CONTOUR)[0])
    assert drawn.intersection(rim.buffer(0.3)).length < 3
    shown = [stroke for stroke in _strokes(items) if box(0, 0, 400, 300).contains(stroke)]
    assert len(shown) > 20
    # The valleys of a hill of this size are at most 36 mm deep; the edge's middle is 60 mm from the outline.
    assert max(stroke.distance(outline.exterior.difference(rim.buffer(1))) for stroke in shown) < 36
    away = Relief.from_hill(extend_past_board(feature, board(feature).board, context()), context())
    level = away.grid.at(away.levels[0].inside, np.array([middle], dtype=float))[0]
    assert level > 40


def test_a_mountain_on_the_edge_of_the_board_runs_on_beyond_it() -> None:
    outline = oval(200, 300, 60, 50).intersection(box(0, 0, 400, 300))
    items = _laid(_hill("m1", outline, kind=Kind.MOUNTAIN))
    line = stroked(items, context().style.solid("mountain-line"))
    assert line.intersection(LineString([(0, 300), (400, 300)]).buffer(0.3)).length < 3
    assert line.bounds[3] > 320


# cliffs and scree


def _foot_of(feature: Hill) -> BaseGeometry:
    """Return the middle of the stretch that a face covers."""
    line = feature.faces[0].line
    return substring(line, 12, line.length - 12)


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("kind", [Kind.CLIFF, Kind.SCREE])
def test_no_hachure_stands_where_there_is_cliff_or_scree(kind: Kind, name: str) -> None:
    feature = _faced(kind)
    near = [stroke for stroke in _strokes(_laid(feature, name=name)) if stroke.distance(_foot_of(feature)) < 9]
    assert not near
    assert len(_strokes(_laid(_hill("h1", _WIDE), name=name))) > len(_strokes(_laid(feature, name=name))) + 20


@pytest.mark.parametrize("name", STYLES)
def test_a_cliff_lies_a_little_inside_the_contour_with_its_drop_outwards(name: str) -> None:
    feature = _faced(Kind.CLIFF)
    items = _laid(feature, name=name)
    contours = [(layer, item) for layer, item in items if layer is LayerName.CONTOUR]
    body = filled(contours, context(name).style.ink("cliff"))
    assert _WIDE.buffer(0.1).covers(body)
    assert 0.3 < body.distance(_WIDE.exterior) < 2.5
    lines = [item for _, item in items if isinstance(item, Path) and item.stroke]
    crest = max((shape(item) for item in lines if item.stroke.width > 0.8), key=lambda line: line.length)  # type: ignore[union-attr]
    away, body_away = (
        np.median(shapely.distance(_WIDE.exterior, shapely.points(shapely.get_coordinates(each))))
        for each in (crest, body)
    )
    assert away == pytest.approx(6.0, abs=0.8)
    assert body_away < away
    assert crest.length == pytest.approx(feature.faces[0].line.length, rel=0.15)


@pytest.mark.parametrize("name", STYLES)
def test_scree_fills_the_side_and_grows_coarser_downhill(name: str) -> None:
    feature, hand = _faced(Kind.SCREE), context(name)
    items = _laid(feature, name=name)
    rocks = [path for path in paths(items, LayerName.GROUND_PATTERN) if path.fill == hand.style.ink("rock")]
    chips = [Polygon(np.array(run.points).reshape(-1, 2) / 100) for path in rocks for run in path.runs]
    assert len(chips) > 60
    assert _WIDE.buffer(0.1).covers(shapely.MultiPolygon(chips).envelope.intersection(_WIDE))
    deep = np.array([_WIDE.exterior.distance(chip) for chip in chips])
    size = np.sqrt([chip.area for chip in chips])
    assert deep.max() < 24
    assert size[deep < 6].mean() > 1.3 * size[deep > 12].mean()


def test_scree_all_round_closes_and_a_label_stays_clear() -> None:
    label = box(172, 90, 190, 110)
    items = _laid(_faced(Kind.SCREE, 0.0, 1.0), clear=label)
    assert not _strokes(items)
    stones = shapely.union_all([_inked(items, context().tint(*how)) for how in (("rock", 1.0), ("rock-line", 0.9))])
    assert stones.intersection(label.buffer(-0.6)).area < 0.5
    bearings = np.sort([math.atan2(part.centroid.y - 100, part.centroid.x - 120) for part in shapely.get_parts(stones)])
    assert np.diff(bearings).max() < 0.35
