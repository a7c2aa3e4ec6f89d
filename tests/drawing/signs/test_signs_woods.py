"""Woods of every kind, clearings, and what grows on hills: the right trees, dense enough, in their place."""

from __future__ import annotations

import itertools
import sys

import numpy as np
import pytest
import shapely
from imports import ROOT
from msgspec.structs import replace
from shapely import Point, Polygon, box
from signs_scene import GOOD, STYLES, area, board, context, corners, course, filled, oval, paths, shape, stroked

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Artwork, Ink, Item, LayerName, Path, Stamp
from printkit.drawing.canvas.symbol_context import draw_hatching, wash
from printkit.drawing.scatter.crowns import FAMILIES, UNIT, draw_crowns, draw_shadows, draw_trees, grown
from printkit.drawing.signs.catalogue import SIGNS
from printkit.drawing.signs.cover.low_plants import clearing
from printkit.drawing.signs.cover.woods import GROWTHS, heavy_woods, light_woods
from printkit.terrain.field.features import Hill, Kind

sys.path.insert(0, str(ROOT / "tools" / "patterns"))

from drawn_crowns import SHAPES, conifer, palm

_OUTLINE = oval(120, 100, 56, 42)
_OPENING = oval(122, 98, 20, 14)
_LABEL = box(95, 94, 145, 104)
_OPEN = [kind for kind, growth in GROWTHS.items() if not growth.closed]

Laid = list[tuple[LayerName, Item]]


def _drawn(kind: Kind, name: str = "campaign", outline: Polygon = _OUTLINE, **how: object) -> Laid:
    feature = area("w1", kind, outline)
    return list(SIGNS[kind](feature, context(name, **how), board(feature)))  # type: ignore[arg-type]


def _trees(items: Laid, *families: str) -> list[tuple[float, float, float]]:
    """Return middle and radius of every tree of these families, or of all."""
    return [
        (place.e, place.f, UNIT * max(abs(place.a), abs(place.b)))
        for _, item in items
        if isinstance(item, Stamp) and (not families or item.artwork.name.rsplit("-", 1)[0] in families)
        for place in item.places
    ]


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("kind", GROWTHS)
def test_a_wood_of_any_kind_stays_on_its_ground(kind: Kind, name: str) -> None:
    items = _drawn(kind, name)
    found = _trees(items)
    assert len(found) > 15
    for x, y, radius in found:
        assert _OUTLINE.contains(Point(x, y))
        disc = Point(x, y).buffer(radius)
        assert disc.intersection(_OUTLINE).area > 0.75 * disc.area
    for layer, item in items:
        if isinstance(item, Path) and layer is not LayerName.WOOD_SHADOW:
            assert _OUTLINE.buffer(0.05).covers(shapely.MultiPoint(corners(item)))


@pytest.mark.parametrize("kind", GROWTHS)
def test_each_kind_has_its_own_trees(kind: Kind) -> None:
    named = [name for name, _ in GROWTHS[kind].families]
    items = _drawn(kind)
    assert len(_trees(items, *named)) == len(_trees(items)) - len(_trees(items, "snag"))
    for name, share in GROWTHS[kind].families:
        assert len(_trees(items, name)) / len(_trees(items, *named)) == pytest.approx(share, abs=0.06)


def test_two_kinds_of_one_family_differ_in_how_dense_they_are() -> None:
    counts = [len(_trees(_drawn(kind))) for kind in (Kind.LIGHT_WOODS, Kind.WOODLAND, Kind.HEAVY_WOODS)]
    assert counts[0] * 1.5 < counts[1] < counts[2] / 1.5
    assert counts[2] > 3 * counts[0]
    for light, closed in ((Kind.LIGHT_CONIFERS, Kind.CONIFER_FOREST), (Kind.LIGHT_PALMS, Kind.PALM_FOREST)):
        assert len(_trees(_drawn(light))) * 2 < len(_trees(_drawn(closed)))


@pytest.mark.parametrize("kind", _OPEN)
def test_trees_of_open_woods_keep_their_distance(kind: Kind) -> None:
    growth = GROWTHS[kind]
    found = _trees(_drawn(kind))
    gaps = [np.hypot(a[0] - b[0], a[1] - b[1]) for a, b in itertools.combinations(found, 2)]
    assert min(gaps) > 0.6 * growth.spacing * growth.radius


@pytest.mark.parametrize("kind", [Kind.LIGHT_WOODS, Kind.LIGHT_CONIFERS, Kind.WOODLAND])
def test_an_open_wood_stands_in_clumps_and_is_nowhere_hollow(kind: Kind) -> None:
    outline = oval(150, 150, 110, 80)
    found = _trees(_drawn(kind, outline=outline))
    shaded = shapely.union_all([Point(x, y).buffer(size) for x, y, size in found])
    # Gaps open along the edge, and yet no glade within is as wide as the crowns of five trees side by side.
    edge = np.sort(
        [
            outline.exterior.project(Point(x, y))
            for x, y, size in found
            if outline.exterior.distance(Point(x, y)) < 1.2 * size
        ]
    )
    steps = np.diff(edge, append=edge[0] + outline.exterior.length)
    assert steps.max() > 1.6 * np.median(steps)
    glade = shapely.maximum_inscribed_circle(outline.difference(shaded), tolerance=0.5)
    assert 0.7 * GROWTHS[kind].radius < glade.length < 5 * GROWTHS[kind].radius


def test_crowns_come_up_to_a_label_but_not_under_its_letters() -> None:
    bare, near = {(x, y) for x, y, _ in _trees(_drawn(Kind.LIGHT_WOODS))}, 0
    for place in range(80, 141, 12):
        label = box(place - 20, 95, place + 20, 105)
        named = _trees(_drawn(Kind.LIGHT_WOODS, clear=label))
        assert {(x, y) for x, y, _ in named} <= bare
        assert not any(label.intersects(Point(x, y).buffer(0.99 * size)) for x, y, size in named)
        near += sum(label.intersects(Point(x, y).buffer(1.01 * size)) for x, y, size in named)
    assert near >= 6


@pytest.mark.parametrize("name", ["campaign", "ink-saver"])
@pytest.mark.parametrize("kind", GROWTHS)
def test_no_tree_stands_under_a_label_unless_a_roof_in_colour(kind: Kind, name: str) -> None:
    hidden = [(x, y) for x, y, _ in _trees(_drawn(kind, name, clear=_LABEL)) if _LABEL.contains(Point(x, y))]
    assert bool(hidden) == (GROWTHS[kind].closed and name != "ink-saver")


def test_a_wood_too_small_for_an_edge_has_one_tree_of_its_size() -> None:
    for kind in GROWTHS:
        ((x, y, radius),) = _trees(_drawn(kind, outline=oval(50, 50, 3, 2)), *FAMILIES)
        assert radius < 4.0
        assert abs(x - 50) + abs(y - 50) < 2


@pytest.mark.parametrize(
    ("wood", "way", "width"),
    [
        *((Kind.MIXED_WOODS, way, 6.0) for way in (Kind.TRACK, Kind.RAILWAY, Kind.STREAM)),
        *((wood, Kind.ROAD, 10.0) for wood in (Kind.LIGHT_WOODS, Kind.HEAVY_WOODS)),
    ],
)
def test_ways_of_every_sort_lead_through_a_wood_under_no_crown(wood: Kind, way: Kind, width: float) -> None:
    feature, line = area("w1", wood, _OUTLINE), course("d1", way, [(0, 95), (120, 105), (250, 98)], width)
    found = _trees(list(SIGNS[wood](feature, context(), board(feature, line))))
    ground = line.line.buffer(width / 2)
    assert not any(ground.intersects(Point(x, y).buffer(0.7 * radius)) for x, y, radius in found)


def test_a_few_inner_trees_of_a_great_forest_are_dead_and_stand_above_a_living_crown() -> None:
    outline = oval(150, 150, 120, 110)
    items = _drawn(Kind.FOREST, outline=outline)
    dead, living = _trees(items, "snag"), _trees(items, "crown")
    assert 0.005 < len(dead) / len(living) < 0.05
    for x, y, radius in dead:
        assert outline.exterior.distance(Point(x, y)) > 5.8
        assert any(np.hypot(x - a, y - b) < 0.1 and size > radius for a, b, size in living)
    assert not _trees(_drawn(Kind.PALM_FOREST, outline=outline), "snag")


def test_conifers_and_palms_are_made_as_they_grow() -> None:
    assert (FAMILIES["conifer"].variants, FAMILIES["palm"].variants) == (12, 10)
    for variant in range(12):
        tree = conifer(variant)
        assert 9 <= len(tree.leaves) <= 11
        assert tree.silhouette.area < 0.8 * tree.silhouette.convex_hull.area
        assert tree.shade.area < 0.6 * tree.silhouette.area
    for variant in range(10):
        tree = palm(variant)
        assert 7 <= len(tree.pieces) <= 9
        assert sum(piece.area for piece in tree.pieces) == pytest.approx(tree.silhouette.area, rel=0.03)
        assert tree.silhouette.area < 0.7 * tree.silhouette.convex_hull.area


@pytest.mark.parametrize("kind", GROWTHS)
def test_the_ink_saver_draws_trees_in_line_only(kind: Kind) -> None:
    items = _drawn(kind, "ink-saver")
    assert not paths(items, LayerName.WOOD_SHADOW)
    for _, item in items:
        if isinstance(item, Stamp):
            fills = {path.fill for path in item.artwork.paths if path.fill is not None}
            assert all(ink[:3] in ((255, 255, 255), (0, 0, 0)) for ink in fills)
            largest = max(
                (shape(path).area for path in item.artwork.paths if path.fill and not any(path.fill[:3])), default=0
            )
            assert largest < 0.1 * UNIT**2


@pytest.mark.parametrize("wood", [Kind.FOREST, Kind.LIGHT_WOODS])
@pytest.mark.parametrize("holed", [True, False])
def test_a_wood_leaves_its_clearing_open_and_rings_it_with_trees(wood: Kind, holed: bool) -> None:
    outline = _OUTLINE.difference(_OPENING) if holed else _OUTLINE
    feature, opening = area("w1", wood, outline), area("c1", Kind.CLEARING, _OPENING)
    found = _trees(list(SIGNS[wood](feature, context(), board(feature, opening))))
    assert not any(_OPENING.contains(Point(x, y)) for x, y, _ in found)
    near = [Point(x, y) for x, y, radius in found if _OPENING.distance(Point(x, y)) < 1.6 * radius]
    gaps = np.sort([np.arctan2(point.y - 98, point.x - 122) for point in near])
    assert np.diff(gaps, append=gaps[0] + 2 * np.pi).max() < (0.8 if wood is Kind.FOREST else 1.6)


@pytest.mark.parametrize("name", STYLES)
def test_a_clearing_is_paper_with_an_inner_shadow_tufts_and_stumps(name: str) -> None:
    opening, hand = area("c1", Kind.CLEARING, oval(100, 100, 40, 32)), context(name)
    items = list(clearing(opening, hand, board(opening)))
    for _, item in items:
        assert isinstance(item, Path)
        assert opening.outline.buffer(0.05).covers(shapely.MultiPoint(corners(item)))
    dashed = [item for _, item in items if isinstance(item, Path) and item.stroke and item.stroke.dash]
    assert dashed[0].stroke is not None
    assert dashed[0].stroke.dash == pytest.approx((2.2, 1.5))
    assert shape(dashed[0]).length == pytest.approx(opening.outline.length, rel=0.01)
    stumps = [item for _, item in items if isinstance(item, Path) and item.fill == hand.style.ink("timber-deck")]
    assert len(stumps) >= 8
    assert len(stumps) % 2 == 0
    assert stroked(items, hand.style.ink("pasture-tuft")).length > 100
    cast = filled(items, hand.tint("shadow", 0.18))
    assert cast.is_empty != hand.style.shadows
    if hand.style.shadows:
        assert cast.centroid.x < 98
        assert cast.centroid.y > 102


def test_a_clearing_keeps_labels_and_ways_free() -> None:
    opening = area("c1", Kind.CLEARING, oval(100, 100, 40, 32))
    label = box(80, 95, 120, 106)
    way = course("d1", Kind.TRACK, [(50, 112), (150, 118)], 5.4)
    hand = context(clear=label)
    items = list(clearing(opening, hand, board(opening, way)))
    grass = stroked(items, hand.style.ink("pasture-tuft"))
    stumps = filled(items, hand.style.ink("timber-deck"))
    for taken in (label, way.line.buffer(2.7)):
        assert grass.intersection(taken.buffer(-2.5)).is_empty
        assert stumps.intersection(taken).is_empty
    assert not grass.is_empty


def test_a_hill_shows_through_an_open_wood_and_its_contour_lies_on_a_closed_one() -> None:
    high = Hill(id="h1", kind=Kind.HILL, contours=(oval(60, 100, 50, 40),), going=GOOD)
    line = high.outline.exterior.intersection(_OUTLINE)
    for kind, sign in ((Kind.LIGHT_WOODS, light_woods), (Kind.FOREST, heavy_woods)):
        feature, hand = area("w1", kind, _OUTLINE), context()
        items = list(sign(feature, hand, board(high, feature)))
        if kind is Kind.FOREST:
            top = [item for layer, item in items if layer is LayerName.CROWN][-1]
            assert isinstance(top, Path)
            assert shape(top).hausdorff_distance(line) < 0.1
        else:
            ink = hand.style.solid("light-woods")
            solid = filled(items, ink)
            assert solid.intersection(high.outline).area < 1.0
            thinned = ink.with_alpha(0.5)
            assert filled(items, thinned).symmetric_difference(_OUTLINE.intersection(high.outline)).area < 5.0
            assert all(line.distance(Point(x, y)) > 0.5 * radius for x, y, radius in _trees(items))


# --- Crowns, shadows and washes ---------------------------------------------------------------------------------------


_BROAD = oval(120, 100, 70, 55)
_HEAVY = area("w1", Kind.HEAVY_WOODS, _BROAD)
_LIGHT = area("w2", Kind.LIGHT_WOODS, _BROAD)


def test_a_heavy_wood_is_a_closed_roof() -> None:
    radius = 5.8
    discs = _trees(list(heavy_woods(_HEAVY, context(), board(_HEAVY))))
    covered = shapely.union_all([Point(x, y).buffer(size) for x, y, size in discs])
    inner = _BROAD.buffer(-radius)
    assert covered.intersection(inner).area > 0.97 * inner.area
    holes = [part for part in shapely.get_parts(inner.difference(covered)) if part.area > np.pi * radius**2]
    assert not holes


def test_the_trees_are_the_same_in_colour_and_in_black() -> None:
    colour, contrast, black = (_trees(list(light_woods(_LIGHT, context(name), board(_LIGHT)))) for name in STYLES)
    assert colour == contrast == black


@pytest.mark.parametrize("name", STYLES)
def test_a_style_draws_only_what_it_has(name: str) -> None:
    hand = context(name)
    items = list(heavy_woods(_HEAVY, hand, board(_HEAVY)))
    assert bool(paths(items, LayerName.WOOD_SHADOW)) == hand.style.shadows
    assert bool(paths(items, LayerName.WOOD_FLOOR)) == hand.style.washes
    artwork = next(item.artwork for _, item in items if isinstance(item, Stamp))
    filled = {path.fill for path in artwork.paths if path.fill is not None}
    assert (filled == {Ink(255, 255, 255)}) == hand.style.hatched


def test_shadows_fall_to_the_south_east_in_one_path_before_the_first_crown() -> None:
    items = list(heavy_woods(_HEAVY, context(), board(_HEAVY)))
    layers = [layer for layer, _ in items]
    assert layers.count(LayerName.WOOD_SHADOW) == 1
    assert layers.index(LayerName.WOOD_SHADOW) < layers.index(LayerName.CROWN)
    stand = grown([(50, 50)], [5.0], "crown", Stream("one"))
    cast = shape(paths(draw_shadows(stand, context()), LayerName.WOOD_SHADOW)[0]).centroid
    assert cast.x > 51.5
    assert cast.y < 48.5
    (tree,) = grown([(50.0, 50.0)], [5.0], "conifer", Stream("one"))
    point = shape(paths(draw_shadows([tree], context()), LayerName.WOOD_SHADOW)[0])
    tip = max(shapely.get_coordinates(point), key=lambda at: at[0] - at[1])
    assert tip == pytest.approx((50 + 1.75 * 5, 50 - 1.75 * 5), abs=0.02)


def test_crowns_are_painted_from_north_to_south_and_share_their_artwork() -> None:
    stream = Stream("many")
    places = [(float(x), float(y)) for x in range(0, 100, 10) for y in range(0, 100, 10)]
    stamps = [item for _, item in draw_crowns(grown(places, [5.0] * len(places), "crown", stream), context())]
    feet = [stamp.places[0].f for stamp in stamps if isinstance(stamp, Stamp)]
    assert feet == sorted(feet, reverse=True)
    pictures: dict[int, Artwork] = {id(stamp.artwork): stamp.artwork for stamp in stamps if isinstance(stamp, Stamp)}
    assert len(pictures) == len({picture.name for picture in pictures.values()}) <= FAMILIES["crown"].variants


def test_lines_of_a_crown_print_at_their_width_and_shadows_elsewhere_stay_on_their_own_layer() -> None:
    for radius in (5.8, 2.9):
        stamp = next(
            item
            for layer, item in draw_trees([(9, 9)], [radius], "crown", context(), Stream("w"))
            if layer is LayerName.CROWN
        )
        assert isinstance(stamp, Stamp)
        rim = stamp.artwork.paths[-1].stroke
        assert rim is not None
        assert rim.width * radius / UNIT == pytest.approx(0.26, rel=0.2)
    laid = list(draw_trees([(5, 5), (20, 9)], [3, 3], "light-crown", context(), Stream("garden"), LayerName.GARDEN))
    assert {layer for layer, _ in laid} == {LayerName.GARDEN}
    assert list(draw_trees([], [], "crown", context(), Stream("none"))) == []


@pytest.mark.parametrize("name", STYLES)
def test_a_shrub_that_stands_alone_has_its_shadow_in_its_stamp(name: str) -> None:
    hand = context(name)
    places = [(5, 5), (20, 9), (23, 9)]
    laid = list(draw_trees(places, [2, 2, 2], "bush", hand, Stream("shrubs"), LayerName.GRASS))
    stamps = [item for _, item in laid if isinstance(item, Stamp)]
    alone = [stamp for stamp in stamps if stamp.places[0].e == 5]
    shadow = hand.tint("shadow", FAMILIES["bush"].shadow)
    cast = [any(path.fill == shadow for path in stamp.artwork.paths) for stamp in stamps if hand.style.shadows]
    assert sum(cast) == (1 if hand.style.shadows else 0)
    apart = paths(laid, LayerName.GRASS)
    assert len(apart) == (1 if hand.style.shadows else 0)
    if hand.style.shadows:
        assert alone[0].artwork.paths[0].fill == shadow
        left, *_ = shape(apart[0]).bounds
        assert left > 15


@pytest.mark.parametrize("family", FAMILIES)
def test_every_variant_of_a_family_is_a_whole_crown_of_its_own(family: str) -> None:
    made = FAMILIES[family]
    areas = set()
    for variant in range(made.variants):
        crown = SHAPES[made.crown][0](variant)
        assert isinstance(crown.silhouette, Polygon)
        assert 0.85 < max(abs(bound) for bound in crown.silhouette.bounds) < 1.15
        assert crown.silhouette.buffer(1e-6).covers(crown.shade)
        shade, light = crown.shade.centroid, crown.light.centroid
        assert shade.x - shade.y > light.x - light.y
        areas.add(round(crown.silhouette.area, 6))
    assert len(areas) == made.variants


def test_a_wash_pools_at_its_edge_and_hides_all_but_what_should_show_through() -> None:
    ink = Ink(200, 210, 170)
    flat, *rings = wash(_BROAD, ink, None, context())
    assert flat.fill == ink
    assert len(rings) == 3
    middle = _BROAD.centroid
    for ring in rings:
        assert ring.fill is not None
        assert ring.fill.red < ink.red
        assert ring.fill.alpha < 0.2
        assert not shape(ring).contains(middle)
    assert wash(_BROAD, ink, None, context("ink-saver")) == []
    assert wash(_BROAD, None, None, context()) == []
    ink = context().style.solid("light-woods")
    whole = wash(_OUTLINE, ink, None, context())
    split = wash(_OUTLINE, ink, None, context(), visible_ground=_OPENING)
    assert [path.fill for path in whole[1:]] == [path.fill for path in split[2:]]
    assert shape(split[0]).area == pytest.approx(_OUTLINE.area - _OPENING.area, rel=0.01)
    assert split[1].fill == ink.with_alpha(0.5)
    assert wash(_OUTLINE, ink, None, context(), visible_ground=Polygon()) == whole


def test_hatching_stays_inside_and_runs_as_told() -> None:
    black = Ink(0, 0, 0)
    (drawn,) = draw_hatching(_BROAD, black, 1.5, 0.2, 30)
    lines = shape(drawn)
    assert _BROAD.buffer(0.05).covers(lines)
    assert lines.length == pytest.approx(_BROAD.area / 1.5, rel=0.02)
    for run in drawn.runs:
        x0, y0, x1, y1 = run.points
        if np.hypot(x1 - x0, y1 - y0) > 500:
            assert np.degrees(np.arctan2(y1 - y0, x1 - x0)) % 180 == pytest.approx(30, abs=0.5)
    assert draw_hatching([box(0, 0, 5, 5), box(9, 0, 12, 5)], black, 1, 0.2)
    assert draw_hatching(_BROAD, None, 1, 0.2) == []
    assert draw_hatching(Polygon(), black, 1, 0.2) == []


def test_on_a_small_map_without_washes_an_open_wood_has_a_dashed_edge() -> None:
    def dash(name: str, scale: float) -> float:
        hand = replace(context(name), scale=scale, factor=scale)
        grove = area("w1", Kind.LIGHT_WOODS, oval(60, 60, 50 * scale + 4, 40 * scale + 4))
        drawn = [item for _, item in light_woods(grove, hand, board(grove)) if isinstance(item, Path)]
        return max(item.stroke.dash[0] / item.stroke.width for item in drawn if item.stroke and item.stroke.dash)

    assert dash("ink-saver", 0.25) > 3
    assert max(dash("ink-saver", 0.5), dash("campaign", 0.25)) < 0.5
