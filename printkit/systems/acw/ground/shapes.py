"""Outlines of pieces around the origin, with the long side along x."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from shapely import Point, Polygon, affinity

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.systems.acw.terms.pieces import HILLS, Piece
from printkit.terrain.geometry import outlines
from printkit.terrain.geometry.outlines import largest_polygon

_ROUGHNESS: Final = {
    Piece.WOOD: 0.28,
    Piece.SCRUB: 0.27,
    Piece.SWAMP: 0.27,
    Piece.FOREST: 0.25,
    Piece.POOL: 0.16,
    Piece.SCREE: 0.24,
    Piece.ROCKS: 0.22,
    Piece.CLEARING: 0.18,
}
_USUAL: Final = 0.22
_BEND: Final = 0.12
_CROOKED: Final = 0.30
_SHEAR: Final = 0.10
_BAY: Final = (0.30, 0.42)
_FORT_CORNERS: Final = (5, 8)
_ROUND: Final = (*HILLS, Piece.RISE)


def outline(piece: Piece, long: float, short: float, stream: Stream) -> Polygon:
    """Return a piece's outline around the origin, ``long`` by ``short`` mm on the board, long along x.

    The kind of outline depends on the piece: round, straight-sided, a rectangle or an irregular shape. The stream draws
    its details. Fields and farms can be a little smaller.
    """
    match piece:
        case _ if piece in _ROUND:
            return outlines.rounded(long, short, stream)
        case Piece.SETTLEMENT | Piece.TOWN:
            return outlines.draw_plot_outline(long, short, stream)
        case Piece.FORT:
            return _fort_outline(long, short, stream)
        case Piece.FIELD | Piece.FARM:
            return _plot_outline(long, short, stream, shear=_SHEAR if piece is Piece.FIELD else _SHEAR / 3)
        case Piece.BUILDING:
            return shapely.box(-long / 2, -short / 2, long / 2, short / 2)
        case Piece.WOODLAND:
            return _woodland_outline(long, short, stream)
        case _:
            most = _CROOKED if piece in (Piece.WOOD, Piece.SCRUB) else _BEND
            bend = stream.between(-most, most)
            return outlines.blob(long, short, stream, roughness=_ROUGHNESS.get(piece, _USUAL), bend=bend)


def spur_tongue(long: float, short: float, stream: Stream) -> Polygon:
    """Return a half-oval tongue with its base on the y axis, pointing along +x, in mm (AC-F05).

    ``long`` is its length along x, ``short`` its width; all are in mm on the board.
    """
    oval = outlines.rounded(2 * long, short, stream)
    half = largest_polygon(oval.intersection(shapely.box(0.0, -short, 2 * long, short)))
    left, low, right, high = half.bounds
    return affinity.scale(half, long / (right - left), short / (high - low), origin=(0, 0))


def _plot_outline(long: float, short: float, stream: Stream, *, shear: float) -> Polygon:
    """Return a four-sided plot of about ``long`` by ``short`` mm around the origin.

    The size is in mm on the board. ``shear`` is the largest irregularity of its corners, as a share of its size.
    """
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    skew = stream.between(-shear, shear)
    points = [
        (
            x * long / 2 * stream.between(1 - shear, 1) + skew * y * short / 2,
            y * short / 2 * (1 if y < 0 else stream.between(1 - shear, 1)),
        )
        for x, y in corners
    ]
    return Polygon(points)


def _fort_outline(long: float, short: float, stream: Stream) -> Polygon:
    """Return a fort of ``long`` by ``short`` mm on the board around the origin, 5 to 8 corners (AC-F36).

    It is a regular polygon stretched to that size.
    """
    low, high = _FORT_CORNERS
    count = low + stream.draw_index(high - low + 1)
    turn = stream.between(0, math.tau)
    angles = turn + math.tau * np.arange(count) / count
    work = Polygon(np.column_stack([exact_math.cos(angles), exact_math.sin(angles)]))
    left, near, right, far = work.bounds
    return affinity.translate(
        affinity.scale(work, long / (right - left), short / (far - near), origin=(left, near)),
        -left - long / 2,
        -near - short / 2,
    )


def _woodland_outline(long: float, short: float, stream: Stream) -> Polygon:
    """Return a wood of ``long`` by ``short`` mm on the board around the origin, with a bay (AC-F10)."""
    wood_outline = outlines.blob(long, short, stream, roughness=0.18, bend=stream.between(-_BEND, _BEND))
    bay_width, bay_depth = (stream.between(*_BAY) * length for length in (long, short))
    bay_position = stream.between(-0.15, 0.15) * long
    bay = affinity.scale(Point(0, 0).buffer(1.0), bay_width / 2, bay_depth)
    edge = float(wood_outline.intersection(shapely.LineString([(bay_position, 0), (bay_position, short)])).bounds[3])
    open_side = largest_polygon(wood_outline.difference(affinity.translate(bay, bay_position, edge + 0.15 * bay_depth)))
    soft = 0.05 * short
    wood = largest_polygon(open_side.buffer(-soft).buffer(2 * soft).buffer(-soft))
    left, low, right, high = wood.bounds
    return affinity.scale(wood, long / (right - left), short / (high - low), origin=(0, 0))
