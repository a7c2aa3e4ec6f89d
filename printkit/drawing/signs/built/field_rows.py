"""The rows of tilled ground: side by side along a field, a little uneven, a little bent as teams of oxen turn.

Source: the cartography, 10.7.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import product
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.shapes import Line, lines, normals, polygons, resampled
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.signs.built.plots import Plot

_NOISE: Final = (0.22, 9.0)
_WAVER: Final = 0.07
_STEP: Final = 1.5
_STRAY: Final = 0.35
_PHASES: Final = tuple(np.arange(6) / 6)
_NOTHING: Final = np.zeros((0, 2))


def rows(plot: Plot, spacing: float, pen: Pen, stream: Stream, *, bend: float = 0.0, noise: float = 1.0) -> list[Line]:
    """Return rows that cover a field and more; ``kept`` cuts them to it.

    Args:
        plot: the field, whose angle they follow.
        spacing: mm at 1:1 from row to row.
        pen: for the scale and the noise of the map.
        stream: wavers the spacing.
        bend: how far the two ends of a row lie apart across it, as a share of the field's length: a slight S.
        noise: share of the common unevenness.
    """
    if plot.inner.is_empty:
        return []
    middle, along, across = _frame(plot)
    places = (shapely.get_coordinates(plot.inner) - middle) @ np.column_stack([along, across])
    (left, low), (right, high) = places.min(axis=0), places.max(axis=0)
    long = max(right - left, 1e-9)
    swing = bend * long / 2
    count = max(3, math.ceil(long / pen.size(_STEP)) + 1)
    way = np.linspace(left, right, count)
    bow = swing * np.sin(math.pi * (way - (left + right) / 2) / long)
    offsets: list[float] = []
    offset = low - swing + pen.size(spacing) * stream.between(0.1, 0.6)
    while offset < high + swing:
        offsets.append(offset)
        offset += pen.size(spacing) * stream.between(1 - _WAVER, 1 + _WAVER)
    aside = np.array(offsets)[:, None] + bow
    points = middle + way[:, None] * along + aside[..., None] * across
    uneven = noise * pen.size(_NOISE[0]) * pen.noise.at(points[..., 0], points[..., 1], pen.size(_NOISE[1]))
    return list(points + uneven[..., None] * across)


def kept(found: list[Line], ground: BaseGeometry, least: float) -> list[Line]:
    """Return the parts of rows inside some ground that are at least ``least`` printed mm long."""
    if not found or ground.is_empty:
        return []
    shown = np.array(lines(shapely.intersection(_linestrings(found), ground)), dtype=object)
    return [shapely.get_coordinates(part) for part in shown[shapely.length(shown) >= least]]


def _linestrings(found: list[Line]) -> NDArray[np.object_]:
    """Return rows as lines, all of which are made at once."""
    of = np.repeat(np.arange(len(found)), [len(row) for row in found])
    return np.asarray(shapely.linestrings(np.concatenate(found), indices=of))


def beside(row: Line, by: float) -> Line:
    """Return a row moved ``by`` mm away from the light, to the south-east."""
    across = normals(row)
    left = across.mean(axis=0)
    side = 1.0 if left[0] - left[1] > 0 else -1.0
    return np.asarray(row + side * by * across)


def waved(row: Line, swing: float, wave: float, phase: float) -> Line:
    """Return a row as a wavy line, ``swing`` mm to either side, a wave every ``wave`` mm."""
    points = resampled(row, wave / 8)
    gone = np.arange(len(points)) * (wave / 8)
    return np.asarray(points + swing * np.sin(2 * np.pi * gone / wave + phase)[:, None] * normals(points))


def lattice(plot: Plot, ground: BaseGeometry, steps: tuple[float, float], pen: Pen, stream: Stream) -> Line:
    """Return places in staggered rows on some ground of a field, as an orchard is planted: as many as it holds.

    Args:
        ground: where the places must lie; each piece of it has rows of its own.
        steps: mm at 1:1 along a row and from row to row.
        stream: moves every place a little.
    """
    pieces = polygons(ground)
    if not pieces:
        return _NOTHING
    step, pitch = (pen.size(mm) for mm in steps)
    found = [_NOTHING]
    middle, along, across = _frame(plot)
    for piece in pieces:
        places = (shapely.get_coordinates(piece) - middle) @ np.column_stack([along, across])
        (left, low), (right, high) = places.min(axis=0), places.max(axis=0)
        # Every second row stands half a step aside.
        u, v = np.meshgrid(np.arange(left, right + step, step / 2), np.arange(low, high + pitch, pitch))
        odd = np.add.outer(np.arange(u.shape[0]), np.arange(u.shape[1])) % 2 == 1
        shapely.prepare(piece)
        tried = []
        for over, up in product(_PHASES, repeat=2):
            spots = middle + (u[odd] - over * step)[:, None] * along + (v[odd] - up * pitch)[:, None] * across
            tried.append(spots[shapely.contains_xy(piece, spots[:, 0], spots[:, 1])])
        most = max(map(len, tried))
        found.append(min((spots for spots in tried if len(spots) == most), key=partial(_astray, ground=piece)))
    trees = np.vstack(found)
    trees = trees + (2 * stream.array(2 * len(trees)).reshape(-1, 2) - 1) * pen.size(_STRAY)
    return np.asarray(trees[shapely.contains_xy(ground, trees[:, 0], trees[:, 1])])


def _astray(places: Line, ground: Polygon) -> float:
    """Return how far the middle of places lies from the middle of their ground, to a tenth of a mm."""
    if not len(places):
        return 0.0
    return round(float(ground.centroid.distance(Point(places.mean(axis=0)))), 1)


def _frame(plot: Plot) -> tuple[Line, Line, Line]:
    """Return the middle of a field, and the unit directions along and across its rows."""
    at: Point = plot.ground.centroid
    cosine, sine = math.cos(plot.angle), math.sin(plot.angle)
    return np.array([at.x, at.y]), np.array([cosine, sine]), np.array([-sine, cosine])
