"""The relief of the land: strokes that follow its fall, pale, away from all that counts, and few bytes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray
from signs_scene import board, context, course, oval

from printkit.drawing.canvas.items import Stamp
from printkit.drawing.dressing.countryside_types import DressingLevel, open_country
from printkit.drawing.dressing.free_ground import OpenGround
from printkit.drawing.dressing.land_relief import draw_slope_strokes, find_slope_strokes, slope_ink
from printkit.kit.countryside import Countryside
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Going, Hill, Kind

_HILL = Hill(id="z1", kind=Kind.HILL, contours=(oval(300, 500, 120, 100),), going=Going(0, "good"))
_RIVER = course("R1", Kind.RIVER, [(900, 0), (880, 400), (950, 800)], 30.0)


@cache
def _field() -> Battlefield:
    return board(_HILL, _RIVER, course("D1", Kind.ROAD, [(0, 150), (1200, 180)], 20.0), width=1200.0, depth=800.0)


@cache
def _strokes() -> NDArray[np.float64]:
    return find_slope_strokes(OpenGround(_field()), context().noise, context().stream("draw/dressing/slopes"))


def _luminance(channels: tuple[float, ...]) -> float:
    shares = np.array(channels[:3]) / 255
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))


def test_strokes_keep_6_mm_off_all_that_counts_and_fall_to_the_river_and_from_the_hill() -> None:
    strokes, ground = _strokes(), OpenGround(_field())
    drawn = shapely.linestrings(strokes[:, :4].reshape(-1, 2, 2))
    assert len(drawn) > 200
    assert shapely.distance(drawn, shapely.union(ground.solid, ground.road_area)).min() > 5.9
    assert shapely.distance(drawn, _field().board.shape.exterior).min() > 5.9
    heads, feet = shapely.points(strokes[:, :2]), shapely.points(strokes[:, 2:4])
    near = shapely.distance(feet, _RIVER.line) < 90
    assert near.sum() > 30
    assert (shapely.distance(heads, _RIVER.line) > shapely.distance(feet, _RIVER.line))[near].mean() > 0.85


def test_no_stroke_is_long_and_no_row_of_them_closes_around_anything() -> None:
    strokes = _strokes()
    lengths = np.hypot(*(strokes[:, 2:4] - strokes[:, :2]).T)
    assert 3 < lengths.min() < lengths.max() < 25
    grown = shapely.union_all(shapely.buffer(shapely.linestrings(strokes[:, :4].reshape(-1, 2, 2)), 2.5))
    rings = [ring for part in shapely.get_parts(grown) for ring in part.interiors]
    assert max((shapely.Polygon(ring).area for ring in rings), default=0.0) < 0.1 * _HILL.outline.area


def test_strokes_are_one_stamp_and_pale() -> None:
    hand = context()
    ((_, stamp),) = draw_slope_strokes(_strokes(), hand)
    assert isinstance(stamp, Stamp)
    assert len(stamp.places) == len(_strokes())
    paper, ink = hand.style.solid("paper"), slope_ink(hand.style)
    assert ink is not None
    mixed = tuple(low + (high - low) * ink.alpha for low, high in zip(paper[:3], ink[:3], strict=True))
    assert (_luminance(paper) + 0.05) / (_luminance(mixed) + 0.05) < 1.75


@pytest.mark.parametrize("name", ["high-contrast", "ink-saver"])
def test_styles_that_must_stay_clean_have_no_strokes(name: str) -> None:
    assert not list(draw_slope_strokes(_strokes(), context(name)))


def test_only_a_fully_dressed_american_board_has_relief() -> None:
    for countryside in Countryside:
        for level in (DressingLevel.LIGHT, DressingLevel.FULL):
            cover = open_country(_field(), countryside, level)
            assert cover is not None
            assert cover.relief == (countryside is Countryside.AMERICAN and level is DressingLevel.FULL)
