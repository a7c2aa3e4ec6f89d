"""Long hills as ridges: a spine with knolls and saddles, both flanks in the light, strokes down both of them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import shapely
from shapely import LineString, Polygon, affinity
from signs_scene import GOOD, STYLES, board, context, oval, paths

from printkit.drawing.canvas.items import LayerName
from printkit.drawing.signs.relief.hachures import prepared, strokes
from printkit.drawing.signs.relief.relief import hill
from printkit.drawing.signs.relief.relief_field import Relief
from printkit.drawing.signs.relief.spine_strokes import spine_line, spine_strokes
from printkit.drawing.signs.relief.spines import Spine
from printkit.terrain.field.features import Hill, Kind

_LONG = oval(200, 150, 170, 52)
_SHAPES = {
    "level": _LONG,
    "turned": affinity.rotate(_LONG, 50),
    "upright": affinity.rotate(_LONG, 90),
    "bent": LineString([(60, 90), (190, 140), (330, 130)]).buffer(45),
    "longest": oval(200, 150, 195, 34),
}


def _hill(outline: Polygon, kind: Kind = Kind.LONG_HILL) -> Hill:
    return Hill(id="z5", kind=kind, contours=(outline,), going=GOOD)


@cache
def _relief(shape: str) -> Relief:
    return Relief.of(_hill(_SHAPES[shape]), context())


def _spine(shape: str) -> Spine:
    spine = _relief(shape).spine
    assert spine is not None
    return spine


def test_only_long_hills_that_are_long_and_large_have_a_spine() -> None:
    def found(outline: Polygon, kind: Kind = Kind.LONG_HILL) -> bool:
        return Relief.of(_hill(outline, kind), context()).spine is not None

    assert found(_LONG)
    assert not found(_LONG, Kind.RISE)
    assert not found(oval(200, 150, 80, 60))
    assert not found(affinity.scale(_LONG, 0.35, 0.35))


@pytest.mark.parametrize("shape", _SHAPES)
def test_a_spine_runs_the_length_of_its_hill_with_two_or_three_saddles(shape: str) -> None:
    spine, outline = _spine(shape), _SHAPES[shape]
    line = LineString(spine.points)
    assert outline.buffer(-15).covers(line)
    assert line.length > 0.5 * max(np.ptp(np.array(outline.exterior.coords), axis=0))
    low = spine.low > 0.25
    saddles = np.count_nonzero(np.diff(low.astype(int)) == 1) + low[0]
    assert saddles in (2, 3)
    assert spine.low.min() == 0
    assert len(spine_line(spine)) >= 2


def test_a_spine_does_not_depend_on_where_an_outline_begins() -> None:
    ring = np.array(_LONG.exterior.coords)[:-1]
    deepest = _relief("level").levels[0].deepest
    turned = Spine.of(Polygon(np.roll(ring, 31, axis=0)), deepest, context())
    assert turned is not None
    assert turned.points == pytest.approx(_spine("level").points, abs=1e-6)


@pytest.mark.parametrize("shape", ["level", "turned"])
def test_one_flank_of_a_ridge_is_lit_and_the_other_dark(shape: str) -> None:
    relief, spine = _relief(shape), _spine(shape)
    knolls = spine.points[spine.low < 0.1]
    away = np.array([0.7071, -0.7071]) * 18
    lit, dark = (relief.light_grid.at(relief.light, knolls + side * away) for side in (-1, 1))
    assert np.median(lit) > 0.02
    assert np.median(dark) < -0.03
    assert np.median(lit - dark) > 0.1


@pytest.mark.parametrize("shape", _SHAPES)
def test_strokes_fall_from_a_spine_on_both_sides_and_cross_nothing(shape: str) -> None:
    relief, spine = _relief(shape), _spine(shape)
    level = relief.levels[0]
    others = list(strokes(prepared(relief, level, context()), context(), "draw/z5/hachures/0"))
    found = spine_strokes(spine, level, others, context(), "draw/z5/hachures")
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
    saddles = shapely.MultiPoint(spine.points[spine.low > 0.5])
    assert saddles.is_empty or shapely.distance(drawn, saddles).min() > 2


@pytest.mark.parametrize("name", STYLES)
def test_a_ridge_has_a_contour_and_the_line_of_its_crest_alone(name: str) -> None:
    feature = _hill(_LONG)
    contour, crest = paths(list(hill(feature, context(name), board(feature))), LayerName.CONTOUR)
    assert contour.stroke is not None
    assert crest.stroke is not None
    assert crest.stroke.dash
    assert crest.stroke.width < contour.stroke.width
    assert len(crest.runs) >= 2
