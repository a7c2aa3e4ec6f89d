"""Painted mats as they are seen: edges stand where the record has them, nothing repeats, what is barred is told."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from msgspec.structs import replace
from shapely import Polygon
from shapely.geometry.base import BaseGeometry
from signs_scene import area, board, context, course, oval

from printkit.drawing.canvas.items import Drawing, Layer, LayerName
from printkit.drawing.mats.mat import painted
from printkit.drawing.mats.raster import blurred
from printkit.drawing.mats.stock import PERIOD
from printkit.export.png import pictures
from printkit.page.sheet import Document, page_of
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Going, Hill, Kind

_WIDE, _DEEP = 600.0, 300.0
_DPI = 150
_GOING = Going(3, "impassable")
_SCENE = {
    "lake": area("p1", Kind.LAKE, oval(65, 225, 50, 55)),
    "broken": area("b1", Kind.BROKEN_GROUND, oval(190, 235, 55, 45)),
    "marsh": area("m1", Kind.MARSH, oval(325, 235, 60, 45)),
    "light woods": area("l1", Kind.LIGHT_WOODS, oval(70, 60, 55, 45)),
    "hill": Hill(id="h1", kind=Kind.HILL, contours=(oval(200, 65, 60, 45),), going=Going(0, "good")),
    "heavy woods": area("w1", Kind.HEAVY_WOODS, oval(500, 150, 60, 100)),
    "barred": replace(area("r1", Kind.ROUGH_GROUND, oval(335, 65, 50, 45)), going=_GOING),
    "road": course("d1", Kind.ROAD, [(-20, 145), (120, 155), (300, 140), (420, 150)], width=18),
}


def seen(field: Battlefield, dpi: float, style: str = "painted") -> np.ndarray:
    """Return how light each dot of a painted board is, from 0 to 255, rows from the top."""
    items = tuple(item for _, item in painted(field, context(style)))
    drawing = Drawing(field.board.width, field.board.depth, (Layer(LayerName.MAT, items),))
    (picture,) = pictures(Document(title="Mat", pages=(page_of(drawing),)), dpi)
    return np.asarray(picture.convert("RGB"), dtype=float) @ (0.2126, 0.7152, 0.0722)


@pytest.fixture(scope="module")
def mats() -> dict[str, np.ndarray]:
    """Return a scene at 150 dots an inch in both painted styles."""
    field = board(*_SCENE.values(), width=_WIDE, depth=_DEEP)
    return {style: seen(field, _DPI, style) for style in ("painted", "painted-light")}


def outline_of(name: str) -> Polygon:
    feature = _SCENE[name]
    return feature.line.buffer(feature.width / 2, cap_style="flat") if name == "road" else feature.outline


def normals(outline: Polygon, step: float, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """Return places on lines across an outline, n x m x 2, and how far out each of m lies, in mm."""
    ring = outline.exterior
    along = np.arange(0, ring.length, step)
    at, ahead = (shapely.get_coordinates(ring.interpolate(along + off)) for off in (-0.5, 0.5))
    way = (ahead - at) / np.hypot(*(ahead - at).T)[:, None]
    out = np.arange(-reach, reach + 0.05, 0.1)
    sign = 1.0 if ring.is_ccw else -1.0
    across = np.column_stack([way[:, 1], -way[:, 0]]) * sign
    places = ((at + ahead) / 2)[:, None, :] + across[:, None, :] * out[None, :, None]
    inside = (places[..., 0] > 6) & (places[..., 0] < _WIDE - 6) & (places[..., 1] > 6) & (places[..., 1] < _DEEP - 6)
    return places[inside.all(axis=1)], out


def sampled(shown: np.ndarray, places: np.ndarray) -> np.ndarray:
    column = np.clip((places[..., 0] * _DPI / 25.4).astype(int), 0, shown.shape[1] - 1)
    row = np.clip(((_DEEP - places[..., 1]) * _DPI / 25.4).astype(int), 0, shown.shape[0] - 1)
    return shown[row, column]


def lightness(shown: np.ndarray) -> np.ndarray:
    """Return L* of luminance from 0 to 255, taken as sRGB."""
    linear = (shown / 255) ** 2.2
    return np.where(linear > 0.008856, 116 * np.cbrt(linear) - 16, 903.3 * linear)


def within(shown: np.ndarray, ground: BaseGeometry) -> np.ndarray:
    """Return how light every fourth dot of some ground is, as L*."""
    row, column = np.mgrid[0 : shown.shape[0] : 4, 0 : shown.shape[1] : 4]
    x, y = (column + 0.5) * 25.4 / _DPI, _DEEP - (row + 0.5) * 25.4 / _DPI
    return lightness(shown[::4, ::4][shapely.contains_xy(ground, x, y)])


@pytest.mark.parametrize("style", ["painted", "painted-light"])
@pytest.mark.parametrize("name", [name for name in _SCENE if name != "heavy woods"])
def test_the_darkest_line_about_a_feature_is_its_outline(mats: dict[str, np.ndarray], name: str, style: str) -> None:
    """Of the places all 2 mm, 95 of 100 lie within 2 mm, and half within 0.7: a soft edge of gentle ground as well."""
    places, out = normals(outline_of(name), 2.0, 3.2)
    off = out[sampled(mats[style], places).argmin(axis=1)]
    assert len(off) > 100
    assert np.mean(np.abs(off) <= 2.0) >= 0.95
    assert abs(np.median(off)) <= 0.7


@pytest.mark.parametrize("style", ["painted", "painted-light"])
@pytest.mark.parametrize("name", ["lake", "heavy woods", "barred"])
def test_what_cannot_be_passed_is_told_by_an_unbroken_line(mats: dict[str, np.ndarray], name: str, style: str) -> None:
    """Nowhere for more than 3 mm is the outline not darker by 8 L* than the ground beyond it."""
    shown = mats[style]
    features = shapely.union_all([outline_of(each).buffer(8) for each in _SCENE])
    ground = within(shown, shapely.difference(shapely.box(0, 0, _WIDE, _DEEP), features)).mean()
    places, _ = normals(outline_of(name), 0.5, 1.6)
    bare = lightness(sampled(shown, places).min(axis=1)) > ground - 8
    longest = max((len(run) for run in "".join("x" if each else " " for each in [*bare, *bare]).split()), default=0)
    assert longest * 0.5 <= 3.0


@pytest.mark.parametrize("style", ["painted", "painted-light"])
@pytest.mark.parametrize("name", ["lake", "heavy woods"])
def test_what_cannot_be_passed_is_told_by_its_tone(mats: dict[str, np.ndarray], name: str, style: str) -> None:
    features = shapely.union_all([outline_of(each).buffer(8) for each in _SCENE])
    ground = within(mats[style], shapely.difference(shapely.box(0, 0, _WIDE, _DEEP), features)).mean()
    assert within(mats[style], outline_of(name)).mean() <= ground - 9


def test_open_ground_shows_no_lattice() -> None:
    """Laid on itself one period of the textures away, bare ground is like itself by at most 0.22; from afar 0.09."""
    bare = seen(board(width=609.6, depth=609.6), 75)
    period = round(PERIOD / 25.4 * 75)
    for ground, most in ((bare, 0.22), (blurred(bare, 2), 0.09)):
        detail = (ground - blurred(ground, 4))[20:-20, 20:-20]
        detail = detail - detail.mean()
        for down, right in ((0, period), (period, 0), (period, period)):
            height, width = detail.shape
            like = (detail[down:, right:] * detail[: height - down, : width - right]).mean() / (detail**2).mean()
            assert abs(like) <= most
