"""Woods: crowns within their outline, a closed roof for heavy ones, trees apart for light ones; the shared means."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import shapely
from shapely import Point, Polygon, box
from signs_scene import STYLES, area, board, context, course, oval, paths, shape

from printkit.chance.streams import Stream
from printkit.drawing.canvas.area_fill import hatched, wash
from printkit.drawing.canvas.items import Artwork, Ink, Item, LayerName, Path, Stamp
from printkit.drawing.scatter.crown_shapes import UNIT
from printkit.drawing.scatter.crowns import FAMILIES, crowns, grown, shadows, trees
from printkit.drawing.signs.cover.woods import heavy_woods, light_woods
from printkit.terrain.field.features import Kind

_OUTLINE = oval(120, 100, 70, 55)
_HEAVY = area("w1", Kind.HEAVY_WOODS, _OUTLINE)
_LIGHT = area("w2", Kind.LIGHT_WOODS, _OUTLINE)


def _discs(items: list[tuple[LayerName, Item]]) -> list[tuple[float, float, float]]:
    """Return middle and radius of every crown."""
    places = [place for _, item in items if isinstance(item, Stamp) for place in item.places]
    return [(place.e, place.f, UNIT * max(abs(place.a), abs(place.b))) for place in places]


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize(("sign", "feature"), [(heavy_woods, _HEAVY), (light_woods, _LIGHT)])
def test_every_crown_stands_in_its_wood(name: str, sign, feature):
    items = list(sign(feature, context(name), board(feature)))
    discs = _discs(items)
    assert len(discs) > 20
    for x, y, radius in discs:
        assert _OUTLINE.contains(Point(x, y))
        disc = Point(x, y).buffer(radius)
        assert disc.intersection(_OUTLINE).area > 0.75 * disc.area


def test_only_shadows_leave_a_wood():
    for sign, feature in ((heavy_woods, _HEAVY), (light_woods, _LIGHT)):
        items = list(sign(feature, context(), board(feature)))
        for layer, item in items:
            if isinstance(item, Path) and layer is not LayerName.WOOD_SHADOW and item.fill is not None:
                assert _OUTLINE.buffer(0.05).covers(shape(item))


def test_a_heavy_wood_is_a_closed_roof():
    radius = 5.8
    discs = _discs(list(heavy_woods(_HEAVY, context(), board(_HEAVY))))
    covered = shapely.union_all([Point(x, y).buffer(size) for x, y, size in discs])
    inner = _OUTLINE.buffer(-radius)
    assert covered.intersection(inner).area > 0.97 * inner.area
    holes = [part for part in shapely.get_parts(inner.difference(covered)) if part.area > np.pi * radius**2]
    assert not holes


def test_trees_of_a_light_wood_stand_apart_and_heavy_woods_have_many_more():
    light = _discs(list(light_woods(_LIGHT, context(), board(_LIGHT))))
    heavy = _discs(list(heavy_woods(_HEAVY, context(), board(_HEAVY))))
    assert len(heavy) > 3 * len(light)
    gaps = [np.hypot(a[0] - b[0], a[1] - b[1]) for a, b in itertools.combinations(light, 2)]
    assert min(gaps) > 1.5 * 5.4


def test_the_trees_are_the_same_in_colour_and_in_black():
    colour, contrast, black = (_discs(list(light_woods(_LIGHT, context(name), board(_LIGHT)))) for name in STYLES)
    assert colour == contrast == black


def test_a_label_clears_light_woods_everywhere_and_heavy_woods_where_there_is_no_colour():
    label = box(95, 90, 145, 102)
    for sign, feature, name, cleared in (
        (light_woods, _LIGHT, "campaign", True),
        (light_woods, _LIGHT, "ink-saver", True),
        (heavy_woods, _HEAVY, "campaign", False),
        (heavy_woods, _HEAVY, "ink-saver", True),
    ):
        discs = _discs(list(sign(feature, context(name, clear=label), board(feature))))
        assert (not any(label.contains(Point(x, y)) for x, y, _ in discs)) == cleared


def test_a_road_leads_through_woods_under_no_crown():
    road = course("d1", Kind.ROAD, [(0, 95), (120, 105), (250, 98)], 10)
    band = road.line.buffer(5)
    for sign, feature in ((light_woods, _LIGHT), (heavy_woods, _HEAVY)):
        discs = _discs(list(sign(feature, context(), board(feature, road))))
        assert not any(Point(x, y).buffer(0.7 * radius).intersects(band) for x, y, radius in discs)


@pytest.mark.parametrize("name", STYLES)
def test_a_style_draws_only_what_it_has(name: str):
    hand = context(name)
    items = list(heavy_woods(_HEAVY, hand, board(_HEAVY)))
    assert bool(paths(items, LayerName.WOOD_SHADOW)) == hand.style.shadows
    assert bool(paths(items, LayerName.WOOD_FLOOR)) == hand.style.washes
    artwork = next(item.artwork for _, item in items if isinstance(item, Stamp))
    filled = {path.fill for path in artwork.paths if path.fill is not None}
    assert (filled == {Ink(255, 255, 255)}) == hand.style.hatched


def test_shadows_are_one_path_painted_before_the_first_crown():
    items = list(heavy_woods(_HEAVY, context(), board(_HEAVY)))
    layers = [layer for layer, _ in items]
    assert layers.count(LayerName.WOOD_SHADOW) == 1
    assert layers.index(LayerName.WOOD_SHADOW) < layers.index(LayerName.CROWN)


def test_a_shadow_falls_to_the_south_east():
    stand = grown([(50, 50)], [5.0], "crown", Stream("one"))
    cast = shape(paths(shadows(stand, context()), LayerName.WOOD_SHADOW)[0]).centroid
    assert cast.x > 51.5
    assert cast.y < 48.5


def test_crowns_are_painted_from_north_to_south_and_share_their_artwork():
    stream = Stream("many")
    places = [(float(x), float(y)) for x in range(0, 100, 10) for y in range(0, 100, 10)]
    stamps = [item for _, item in crowns(grown(places, [5.0] * len(places), "crown", stream), context())]
    feet = [stamp.places[0].f for stamp in stamps if isinstance(stamp, Stamp)]
    assert feet == sorted(feet, reverse=True)
    pictures: dict[int, Artwork] = {id(stamp.artwork): stamp.artwork for stamp in stamps if isinstance(stamp, Stamp)}
    assert len(pictures) == len({picture.name for picture in pictures.values()}) <= FAMILIES["crown"].variants


def test_lines_of_a_crown_print_at_their_width():
    for radius in (5.8, 2.9):
        stamp = next(
            item
            for layer, item in trees([(9, 9)], [radius], "crown", context(), Stream("w"))
            if layer is LayerName.CROWN
        )
        assert isinstance(stamp, Stamp)
        rim = stamp.artwork.paths[-1].stroke
        assert rim is not None
        assert rim.width * radius / UNIT == pytest.approx(0.26, rel=0.2)


def test_trees_elsewhere_keep_their_shadows_on_their_own_layer():
    laid = list(trees([(5, 5), (20, 9)], [3, 3], "light-crown", context(), Stream("garden"), LayerName.GARDEN))
    assert {layer for layer, _ in laid} == {LayerName.GARDEN}
    assert list(trees([], [], "crown", context(), Stream("none"))) == []


@pytest.mark.parametrize("name", STYLES)
def test_a_shrub_that_stands_alone_has_its_shadow_in_its_stamp(name: str):
    hand = context(name)
    places = [(5, 5), (20, 9), (23, 9)]
    laid = list(trees(places, [2, 2, 2], "bush", hand, Stream("shrubs"), LayerName.GRASS))
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
def test_every_variant_of_a_family_is_a_whole_crown_of_its_own(family: str):
    made = FAMILIES[family]
    areas = set()
    for variant in range(made.variants):
        crown = made.crown(variant)
        assert isinstance(crown.silhouette, Polygon)
        assert 0.85 < max(abs(bound) for bound in crown.silhouette.bounds) < 1.15
        assert crown.silhouette.buffer(1e-6).covers(crown.shade)
        shade, light = crown.shade.centroid, crown.light.centroid
        assert shade.x - shade.y > light.x - light.y
        areas.add(round(crown.silhouette.area, 6))
    assert len(areas) == made.variants


def test_a_wash_pools_at_its_edge():
    ink = Ink(200, 210, 170)
    flat, *rings = wash(_OUTLINE, ink, None, context())
    assert flat.fill == ink
    assert len(rings) == 3
    middle = _OUTLINE.centroid
    for ring in rings:
        assert ring.fill is not None
        assert ring.fill.red < ink.red
        assert ring.fill.alpha < 0.2
        assert not shape(ring).contains(middle)
    assert wash(_OUTLINE, ink, None, context("ink-saver")) == []
    assert wash(_OUTLINE, None, None, context()) == []


def test_hatching_stays_inside_and_runs_as_told():
    black = Ink(0, 0, 0)
    (drawn,) = hatched(_OUTLINE, black, 1.5, 0.2, 30)
    lines = shape(drawn)
    assert _OUTLINE.buffer(0.05).covers(lines)
    assert lines.length == pytest.approx(_OUTLINE.area / 1.5, rel=0.02)
    for run in drawn.runs:
        x0, y0, x1, y1 = run.points
        if np.hypot(x1 - x0, y1 - y0) > 500:
            assert np.degrees(np.arctan2(y1 - y0, x1 - x0)) % 180 == pytest.approx(30, abs=0.5)
    assert hatched([box(0, 0, 5, 5), box(9, 0, 12, 5)], black, 1, 0.2)
    assert hatched(_OUTLINE, None, 1, 0.2) == []
    assert hatched(Polygon(), black, 1, 0.2) == []
