"""Ground beyond the table: where an area lies wholly outside, as water along an edge may, the board grows by it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import shapely
from msgspec.structs import replace

from printkit.terrain.field.battlefield import Battlefield, Beyond, Board, Edge
from printkit.terrain.field.features import Area, Course, Crossing, Face, Feature, Hill

_OUTSIDE: Final = 0.99
"""The share of an area that has to lie beyond the edge; what only reaches over it is cut there."""


def with_beyond(field: Battlefield) -> Battlefield:
    """Return the battlefield on a board that holds the areas lying beyond its edges too, everything moved with it.

    Zones and lines stay where they are on the table. Without such an area the battlefield is returned as it is.
    """
    board = field.board
    beyond = _beyond(field)
    if beyond == Beyond():
        return field

    offset = np.array((beyond.left, beyond.near))

    def moved(shape: Any) -> Any:
        return shapely.transform(shape, lambda points: points + offset)

    wider = Board(board.width + beyond.left + beyond.right, board.depth + beyond.near + beyond.far, board.scale, beyond)
    return replace(
        field,
        board=wider,
        features=tuple(_moved(feature, moved) for feature in field.features),
        overlays=tuple(replace(overlay, shape=moved(overlay.shape)) for overlay in field.overlays),
    )


def edge_beyond(area: Area, board: Board) -> Edge | None:
    """Return the edge of a board beyond which an area lies; None where it lies on the board."""
    if not _lies_outside(area, board):
        return None
    middle = area.outline.centroid
    reaches = {
        Edge.LEFT: -middle.x,
        Edge.NEAR: -middle.y,
        Edge.RIGHT: middle.x - board.width,
        Edge.FAR: middle.y - board.depth,
    }
    return max(reaches, key=lambda edge: reaches[edge])


def _beyond(field: Battlefield) -> Beyond:
    board = field.board
    bounds = [
        feature.outline.bounds
        for feature in field.features
        if isinstance(feature, Area) and _lies_outside(feature, board)
    ]
    if not bounds or field.grid is not None:
        return Beyond()
    lefts, lows, rights, highs = zip(*bounds, strict=True)
    return Beyond(
        left=max(0.0, -min(lefts)),
        near=max(0.0, -min(lows)),
        right=max(0.0, max(rights) - board.width),
        far=max(0.0, max(highs) - board.depth),
    )


def _lies_outside(area: Area, board: Board) -> bool:
    outside = shapely.difference(area.outline, board.shape).area
    return bool(outside >= _OUTSIDE * area.outline.area > 0)


def _moved(feature: Feature, moved: Any) -> Feature:
    match feature:
        case Area():
            return replace(feature, outline=moved(feature.outline))
        case Hill():
            faces = tuple(_moved_face(face, moved) for face in feature.faces)
            return replace(feature, contours=tuple(moved(contour) for contour in feature.contours), faces=faces)
        case Course():
            return replace(feature, line=moved(feature.line))
        case Crossing():
            return replace(feature, at=moved(feature.at))


def _moved_face(face: Face, moved: Any) -> Face:
    return replace(face, line=moved(face.line))
