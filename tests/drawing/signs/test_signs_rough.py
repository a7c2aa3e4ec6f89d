"""Bare and rough ground: stones that lie on one another, scree that grows downhill, dunes, sand, scrub."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon, box
from shapely.geometry.base import BaseGeometry
from signs_scene import GOOD, STYLES, area, board, context, corners, course, filled, oval, paths, shape

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import GRID, Item, LayerName, Path, Stamp
from printkit.drawing.canvas.shapes import polygons
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.scatter.crowns import UNIT, thin_out
from printkit.drawing.signs.catalogue import SIGNS
from printkit.drawing.signs.relief import rocks
from printkit.drawing.signs.relief.open_ground import draw_cover
from printkit.drawing.signs.relief.open_ground import ground as open_ground
from printkit.drawing.signs.relief.rocks import Stone, downhill, draw_scree, draw_stones, hulls_of
from printkit.terrain.field.features import Area, Hill, Kind

KINDS = (
    *(Kind.BROKEN_GROUND, Kind.ROUGH_GROUND, Kind.ROCKS, Kind.SCREE),
    *(Kind.DUNES, Kind.BEACH, Kind.OASIS, Kind.SCRUB),
)
GROUND = oval(200, 150, 60, 42)
FLOOR = (LayerName.GROUND_WASH, LayerName.GROUND_PATTERN, LayerName.GROUND_EDGE)


def _laid(
    kind: Kind, hand: SymbolContext, *others: Area | Hill, outline: Polygon = GROUND
) -> list[tuple[LayerName, Item]]:
    feature = area("z5", kind, outline)
    return list(SIGNS[kind](feature, hand, board(feature, *others)))


def _crowns(items: list[tuple[LayerName, Item]]) -> BaseGeometry:
    """Return the discs of all bushes and palms."""
    places = [place for _, item in items if isinstance(item, Stamp) for place in item.places]
    discs = [shapely.Point(place.e, place.f).buffer(UNIT * math.hypot(place.a, place.b)) for place in places]
    return shapely.union_all(discs)


# --- Every one of them ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=8, deadline=None, derandomize=True)
@given(wide=st.floats(22, 70), high=st.floats(18, 70), seed=st.integers(0, 99), name=st.sampled_from(STYLES))
def test_nothing_but_shadows_lies_outside(kind: Kind, wide: float, high: float, seed: int, name: str) -> None:
    ground, hand = oval(200, 150, wide, high), context(name, seed=seed)
    items = _laid(kind, hand, outline=ground)
    shadow = hand.style.solid("shadow")[:3]
    for layer, item in items:
        if isinstance(item, Path) and not (item.fill and item.fill[:3] == shadow and item.fill.alpha < 1):
            assert shapely.contains_xy(ground.buffer(0.02), corners(item)).all(), (layer, item.fill)
    assert _crowns(items).difference(ground.buffer(0.5)).is_empty


@pytest.mark.parametrize("kind", KINDS)
def test_stamps_keep_off_ways_waters_and_labels(kind: Kind) -> None:
    label = box(215, 158, 245, 168)
    hand, feature = context(clear=label), area("z5", kind, GROUND)
    way = course("D1", Kind.ROAD, [(0, 132), (400, 132)], 12.0)
    brook = course("S1", Kind.STREAM, [(165, 0), (165, 300)], 8.0)
    items = list(SIGNS[kind](feature, hand, board(feature, way, brook)))
    bodies = ("rock", "dune", "slip-face", "sand-line", "rock-line")
    inks = {hand.style.solid(token)[:3] for token in bodies}
    found = [item for item in paths(items, LayerName.GROUND_PATTERN) if item.fill and item.fill[:3] in inks]
    assert found or _crowns(items).area > 0
    points = np.vstack([np.zeros((0, 2)), *(corners(item) for item in found)])
    for taken in (way.line.buffer(5.8), brook.line.buffer(3.8), label.buffer(-0.2)):
        assert not shapely.contains_xy(taken, points).any()
        assert _crowns(items).intersection(taken).area < 0.5


@pytest.mark.parametrize("kind", KINDS)
def test_every_style_has_the_same_things_in_the_same_places(kind: Kind) -> None:
    def things(name: str) -> set[object]:
        found: set[object] = set()
        for _, item in _laid(kind, context(name), outline=oval(200, 150, 34, 24)):
            if isinstance(item, Stamp):
                found |= set(item.places)
            elif item.stroke and item.fill is None:
                found |= set(item.runs)
        return found

    usual, saved = things("campaign"), things("ink-saver")
    assert usual
    assert usual <= saved


def test_edges_are_drawn_where_no_stones_make_them() -> None:
    dashes = {}
    for kind in KINDS:
        edges = paths(_laid(kind, context("ink-saver")), LayerName.GROUND_EDGE)
        dashes[kind] = [item.stroke.dash for item in edges if item.stroke]
    assert dashes.pop(Kind.ROCKS) == dashes.pop(Kind.SCREE) == []
    assert all(len(found) == 1 for found in dashes.values())
    assert len({tuple(np.round(found[0], 2)) for found in dashes.values()}) == len(dashes)
    assert all(found[0][0] < 0.05 for kind, found in dashes.items() if kind is not Kind.BROKEN_GROUND)


# --- Stones -----------------------------------------------------------------------------------------------------------


def test_of_two_stones_that_meet_the_southern_lies_on_the_northern() -> None:
    hand = context()
    pair = [Stone.of((50, 50), 4.0, Stream("a")), Stone.of((51, 54), 4.0, Stream("b"))]
    items = list(draw_stones(pair, hand))
    (bodies,) = [item for item in items if item.fill == hand.style.ink("rock")]
    seen = polygons(shape(bodies))
    south, north = hulls_of(pair)
    assert south.intersection(north).area > 2
    areas = sorted(Polygon(np.array(run.points).reshape(-1, 2) / 100).area for run in bodies.runs)
    assert areas == pytest.approx(sorted([south.area, north.difference(south).area]), abs=0.1)
    assert len(seen) >= 1


@settings(max_examples=4, deadline=None, derandomize=True)
@given(seed=st.integers(0, 99), wide=st.floats(26, 60))
def test_rocks_are_of_three_sizes_and_fill_their_ground(seed: int, wide: float) -> None:
    ground, hand = oval(200, 150, wide, 30), context(seed=seed)
    items = _laid(Kind.ROCKS, hand, outline=ground)
    bodies = filled(items, hand.style.ink("rock"))
    assert 0.40 < bodies.area / ground.area < 0.85
    assert ground.buffer(-3.5).difference(bodies.buffer(4.5)).area < 0.02 * ground.area
    sizes = [part.area for part in polygons(bodies)]
    assert max(sizes) > 30
    assert min(sizes) < 12


def _scree(down: float, hand: SymbolContext) -> list[tuple[float, float]]:
    """Return how far down each stone of scree lies, 0 to 1, and its area."""
    ground = box(100, 100, 160, 160)
    items = draw_scree(ground, down, hand, Stream("scree"))
    way = np.array([math.cos(math.radians(down)), math.sin(math.radians(down))])
    reach = np.array(ground.exterior.coords) @ way
    found = []
    for item in items:
        if item.fill and item.fill[:3] != hand.style.solid("shadow")[:3]:
            for run in item.runs:
                part = Polygon(np.array(run.points).reshape(-1, 2) / 100)
                along = np.array(part.centroid.coords[0]) @ way
                found.append((float((along - reach.min()) / np.ptp(reach)), part.area))
    return found


@pytest.mark.parametrize("down", [270.0, 0.0, 135.0])
def test_scree_grows_coarser_and_sparser_downhill(down: float) -> None:
    found = np.array(_scree(down, context()))
    top, foot = found[found[:, 0] < 0.35], found[found[:, 0] > 0.65]
    assert np.median(foot[:, 1]) > 3 * np.median(top[:, 1])
    assert np.corrcoef(found[:, 0], np.sqrt(found[:, 1]))[0, 1] > 0.6
    if down % 90 == 0:
        assert len(top) > 1.5 * len(foot)


def test_scree_falls_away_from_the_nearest_hill_or_else_to_the_south_and_no_ground_has_none() -> None:
    near = Hill(id="h1", kind=Kind.HILL, contours=(oval(120, 150, 30, 30),), going=GOOD)
    far = Hill(id="h2", kind=Kind.HILL, contours=(oval(200, 280, 30, 10),), going=GOOD)
    patch = oval(180, 150, 20, 20)
    assert downhill(patch, board(far, near)) == pytest.approx(0.0, abs=0.5)
    assert downhill(patch, board(near, far)) == pytest.approx(0.0, abs=0.5)
    assert downhill(patch, board(far)) == pytest.approx(261.3, abs=0.5)
    assert downhill(patch, board()) == 270.0
    assert list(draw_scree(Polygon(), 270.0, context(), Stream("scree"))) == []


@settings(max_examples=10, deadline=None, derandomize=True)
@given(seed=st.integers(0, 999), spread=st.floats(0.5, 6))
def test_thinned_places_keep_their_own_distance(seed: int, spread: float) -> None:
    places = Stream(f"places/{seed}").draw_array(400).reshape(-1, 2) * 30
    spacings = 0.5 + spread * places[:, 0] / 30
    kept = thin_out(places, spacings)
    assert (kept[0] == places[0]).all()
    own = 0.5 + spread * kept[:, 0] / 30
    apart = np.hypot(*(kept[:, None] - kept[None]).transpose(2, 0, 1)) + 99 * np.eye(len(kept))
    assert (apart >= np.minimum(own[:, None], own[None]) - 1e-9).all()
    lost = [place for place in places if not (np.abs(kept - place).sum(axis=1) == 0).any()]
    for x, y in lost:
        assert np.hypot(kept[:, 0] - x, kept[:, 1] - y).min() < 0.5 + spread * x / 30


# --- Broken and rough -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STYLES)
def test_rough_ground_is_paler_with_fewer_scarps_and_stones_than_broken_and_tussocks(name: str) -> None:
    hand, counts = context(name), {}
    for kind in (Kind.BROKEN_GROUND, Kind.ROUGH_GROUND):
        pattern = paths(_laid(kind, hand), LayerName.GROUND_PATTERN)
        hachure, rock = hand.style.solid("hachure")[:3], hand.style.ink("rock")
        strokes = [item for item in pattern if item.fill and item.fill[:3] == hachure and item.rule.value == "nonzero"]
        grass = [item for item in pattern if item.stroke and item.stroke.ink == hand.style.ink("pasture-tuft")]
        counts[kind] = (
            sum(len(item.runs) for item in strokes if len(item.runs[0].points) == 8),
            sum(len(item.runs) for item in pattern if item.fill == rock),
            sum(len(item.runs) for item in grass) if name == "campaign" else 0,
        )
    broken, rough = counts[Kind.BROKEN_GROUND], counts[Kind.ROUGH_GROUND]
    assert 0 < rough[0] < 0.55 * broken[0]
    assert 0 < rough[1] < 0.7 * broken[1]
    if name == "campaign":
        assert rough[2] > 60
        assert broken[2] == 0
        washes = [
            paths(_laid(kind, context()), LayerName.GROUND_WASH)[0] for kind in (Kind.BROKEN_GROUND, Kind.ROUGH_GROUND)
        ]
        dark, pale = (sum(wash.fill[:3]) for wash in washes if wash.fill)
        assert dark + 40 < pale


# --- Sand -------------------------------------------------------------------------------------------------------------


def _dunes(hand: SymbolContext, outline: Polygon = GROUND) -> list[tuple[Polygon, Polygon]]:
    """Return back and slip face of every dune."""
    items = [item for _, item in _laid(Kind.DUNES, hand, outline=outline) if isinstance(item, Path)]
    inks = hand.tint("dune", 0.95), hand.tint("slip-face", 0.55)
    runs = ([run for item in items if item.fill == ink for run in item.runs] for ink in inks)
    backs, faces = ([Polygon(np.array(run.points).reshape(-1, 2) / 100) for run in each] for each in runs)
    return list(zip(backs, faces, strict=True))


@settings(max_examples=4, deadline=None, derandomize=True)
@given(seed=st.integers(0, 99))
def test_dunes_do_not_touch_and_slip_on_the_side_away_from_the_light(seed: int) -> None:
    dunes = _dunes(context(seed=seed))
    assert len(dunes) >= 5
    assert all(face.centroid.x > back.centroid.x for back, face in dunes)
    whole = [back.union(face) for back, face in dunes]
    assert (np.diff(shapely.STRtree(whole).query(whole, predicate="intersects"), axis=0) == 0).all()


def test_all_dunes_of_a_map_lie_in_one_wind() -> None:
    dunes = [dune for x in (100, 300) for dune in _dunes(context(), oval(x, 150, 50, 40))]
    middles = [(back.centroid, face.centroid) for back, face in dunes]
    assert np.ptp([math.degrees(math.atan2(face.y - back.y, face.x - back.x)) for back, face in middles]) < 45


@pytest.mark.parametrize("name", STYLES)
def test_the_tides_of_a_beach_run_along_the_water(name: str) -> None:
    hand = context(name)
    sea = area("w1", Kind.SEA, Polygon([(0, 0), (400, 0), (400, 100), (0, 100)]))
    items = _laid(Kind.BEACH, hand, sea, outline=box(40, 100, 360, 116))
    tides = [
        shape(item)
        for item in paths(items, LayerName.GROUND_PATTERN)
        if item.stroke and item.stroke.width == hand.width(0.26)
    ]
    assert len(tides) == 1
    heights = {round(part.bounds[1] - 100, 1) for part in shapely.get_parts(tides[0])}
    assert heights == {2.4, 5.6, 9.6}
    assert all(part.bounds[3] - part.bounds[1] < 0.05 for part in shapely.get_parts(tides[0]))


def test_a_way_through_an_oasis_goes_round_its_pool() -> None:
    hand, feature = context(), area("z5", Kind.OASIS, GROUND)
    way = course("D1", Kind.ROAD, [(0, 145), (400, 145)], 12.0)
    water = filled(SIGNS[Kind.OASIS](feature, hand, board(feature, way)), hand.style.ink("water"))
    assert water.area > 60
    assert water.distance(way.line) > 6.0


@pytest.mark.parametrize("name", STYLES)
def test_an_oasis_has_a_pool_and_palms_around_it(name: str) -> None:
    hand = context(name)
    items = _laid(Kind.OASIS, hand)
    water = filled(items, hand.style.ink("water")) if name != "ink-saver" else oval(200, 150, 20, 14)
    palms = [item for layer, item in items if isinstance(item, Stamp) and layer is LayerName.CROWN]
    assert all(item.artwork.name.startswith("palm") for item in palms)
    spots = shapely.points([(place.e, place.f) for item in palms for place in item.places])
    assert len(spots) >= 8
    away = shapely.distance(spots, water)
    assert away.min() > 1.5
    assert np.median(away) < 14
    turn = np.sort(np.arctan2(shapely.get_y(spots) - 150, shapely.get_x(spots) - 200))
    assert np.diff(turn).max() < 2.0


# --- Scrub ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STYLES)
def test_scrub_is_low_bushes_by_ones_twos_and_threes(name: str) -> None:
    hand = context(name)
    items = _laid(Kind.SCRUB, hand)
    bushes = [place for _, item in items if isinstance(item, Stamp) for place in item.places]
    radii = np.array([UNIT * math.hypot(place.a, place.b) for place in bushes])
    assert 0.9 <= radii.min() < radii.max() <= 1.75
    spots = np.array([(place.e, place.f) for place in bushes])
    near = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1)) < 3.1
    clumps = near.sum(axis=1)
    assert set(clumps.tolist()) >= {1, 2, 3}
    assert clumps.max() <= 6
    assert all(layer in FLOOR for layer, _ in items)


# --- Broken ground ----------------------------------------------------------------------------------------------------


ROUGH = area("z5", Kind.BROKEN_GROUND, GROUND)


@pytest.mark.parametrize("name", STYLES)
def test_broken_ground_has_scarps_stones_grit_and_an_edge(name: str) -> None:
    hand = context(name)
    items = list(draw_cover(ROUGH, hand, board(ROUGH)))
    edge = paths(items, LayerName.GROUND_EDGE)
    assert len(edge) == 1
    assert edge[0].stroke is not None
    assert edge[0].stroke.dash == (1.0, 1.5)
    pattern = paths(items, LayerName.GROUND_PATTERN)
    fills = {item.fill[:3] for item in pattern if item.fill}
    assert fills >= {hand.style.solid(token)[:3] for token in ("rock", "rock-line", "hachure")}
    assert {hand.width(0.34), hand.width(0.32)} <= {item.stroke.width for item in pattern if item.stroke}
    stones = next(item for item in pattern if item.fill == hand.style.ink("rock"))
    assert len(stones.runs) >= 15
    assert bool(paths(items, LayerName.GROUND_WASH)) == hand.style.washes


def test_stones_keep_off_ways_waters_and_labels() -> None:
    river = course("R1", Kind.RIVER, [(165, 0), (165, 300)], 25.4)
    way = course("D1", Kind.ROAD, [(0, 130), (400, 130)], 19.05)
    label = shapely.box(200, 155, 240, 165)
    pattern = paths(draw_cover(ROUGH, context(clear=label), board(ROUGH, river, way)), LayerName.GROUND_PATTERN)
    stones = next(shape(item) for item in pattern if item.fill == context().style.ink("rock"))
    assert not stones.is_empty
    for taken in (river.line.buffer(25.4 / 2), way.line.buffer(19.05 / 2), label.buffer(-1.8)):
        assert not stones.intersects(taken)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(seed=st.integers(0, 999), radius=st.floats(0.4, 5))
def test_the_dark_side_of_a_stone_is_the_south_eastern(seed: int, radius: float) -> None:
    stone = Stone.of((50, 60), radius, Stream(f"stone/{seed}"))
    hulls, radii = rocks.hulls_of([stone]), np.array([stone.radius])
    (hull,) = hulls
    assert hull.is_valid
    (top,), (dark,) = rocks._tops(hulls, radii), rocks._dark(hulls, radii)
    assert hull.buffer(1e-6).contains(dark)
    assert hull.contains(top)
    assert dark.centroid.x > hull.centroid.x
    assert dark.centroid.y < hull.centroid.y


# --- Open ground: paper to the edge of the board, mottle that nobody notices, grass on free ground only ---------------


_BOARD = box(0, 0, 400, 300)
_TAKEN = oval(200, 150, 120, 80)


@pytest.mark.parametrize("name", STYLES)
def test_grass_grows_on_free_ground_only(name: str) -> None:
    label = box(20, 240, 120, 260)
    items = list(open_ground(_BOARD, context(name, clear=label), _BOARD.difference(_TAKEN)))
    grass = paths(items, LayerName.GRASS)
    assert grass
    for path in grass:
        drawn = shape(path)
        assert _BOARD.covers(drawn)
        assert not drawn.intersects(_TAKEN.buffer(-4))
        if path.stroke is not None:
            assert not drawn.intersects(label.buffer(-2))


@pytest.mark.parametrize("name", STYLES)
def test_paper_and_mottle_are_there_where_the_style_has_them(name: str) -> None:
    hand = context(name)
    items = list(open_ground(_BOARD, hand, _BOARD))
    paper = paths(items, LayerName.PAPER)
    assert bool(paper) == bool(paths(items, LayerName.MOTTLE)) == hand.style.washes
    for path in paper:
        assert shape(path).equals(_BOARD)


def test_the_mottle_is_thin_and_stays_on_the_board_and_tufts_are_few_apart_and_on_free_ground() -> None:
    mottle = paths(list(open_ground(_BOARD, context(), _BOARD)), LayerName.MOTTLE)
    assert len(mottle) > 8
    for path in mottle:
        assert path.fill is not None
        assert path.fill.alpha <= 0.2
        assert _BOARD.buffer(0.02).covers(shape(path))
    (blades,) = [path for path in paths(list(open_ground(_BOARD, context(), _BOARD)), LayerName.GRASS) if path.stroke]
    feet = np.array([run.points[:2] for run in blades.runs]) * GRID
    clumps = shapely.union_all(shapely.buffer(shapely.points(feet), 2.0))
    count = len(shapely.get_parts(clumps))
    assert 50 < count < _BOARD.area / 15**2
    assert not paths(list(open_ground(_BOARD, context(), Polygon())), LayerName.GRASS)
