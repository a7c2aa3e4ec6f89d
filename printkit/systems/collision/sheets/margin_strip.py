"""The strip outside the frame, along the edges of the board where columns wait that are not on it yet (CC-O08)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import shapely
from msgspec.structs import replace
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Drawing, Item, Layer, LayerName, Rect
from printkit.drawing.canvas.layers import Placed, joined
from printkit.drawing.furniture.frame import Margins
from printkit.drawing.text.drafter import Desk
from printkit.systems.collision.sheets.marching import Marcher, waiting
from printkit.systems.collision.sheets.marching_faces import column_disc, leads, marcher_face, tag_behind, tag_room
from printkit.terrain.field.battlefield import Battlefield, Board, Edge

_APART: Final = 2.5
"""Between frame and strip, in mm at 1:1."""

_EDGES: Final = {90: Edge.NEAR, 270: Edge.FAR, 0: Edge.LEFT, 180: Edge.RIGHT}
"""The edge behind somebody who looks there."""

_OUT: Final = {Edge.NEAR: (0, -1), Edge.FAR: (0, 1), Edge.LEFT: (-1, 0), Edge.RIGHT: (1, 0)}


def with_waiting(framed: tuple[Drawing, Rect], field: Battlefield, desk: Desk, about: Margins) -> tuple[Drawing, Rect]:
    """Return a framed board with a strip beyond each edge behind which columns wait; as it is where none does.

    Args:
        framed: the board in its frame, and where the board lies on that.
        field: the battlefield in printed mm.
        desk: pen and words; a draft only grows.
        about: what the frame itself takes of each side; a border that lies beyond it comes to lie beyond the strip.
    """
    drawing, at = framed
    strips = _strips(field, about, desk)
    if not strips:
        return framed
    board, grown = field.board, dict.fromkeys(Edge, 0.0)
    frame = _frame(about)
    for edge, strip in strips.items():
        grown[edge] = max(0.0, _reach(edge, strip, board, desk) - frame[edge])
    by_x, by_y = grown[Edge.LEFT], grown[Edge.NEAR]
    width, height = by_x + drawing.width + grown[Edge.RIGHT], by_y + drawing.height + grown[Edge.FAR]
    items = () if desk.draft else tuple(item for strip in strips.values() for item in _drawn(strip, board, desk))
    shown = Drawing(board.width, board.depth, (Layer(LayerName.OVERLAY, items),) if items else ())
    moved = at._replace(x=at.x + by_x, y=at.y + by_y)
    return joined(width, height, [Placed(drawing, by_x, by_y), Placed(shown, moved.x, moved.y)]), moved


def _strips(field: Battlefield, about: Margins, desk: Desk) -> dict[Edge, tuple[Marcher, ...]]:
    """Return who waits behind each edge, moved out as far as the frame reaches."""
    board, gap = field.board, desk.size(_APART)
    edges: dict[Edge, list[Marcher]] = {}
    for each in waiting(field):
        edges.setdefault(_EDGES[round(each.facing) % 360], []).append(each)
    frame, found = _frame(about), {}
    for edge, group in edges.items():
        over = _beyond(edge, shapely.union_all([each.base for each in group]), board)[0]
        by = frame[edge] + gap - over
        x, y = _OUT[edge]
        found[edge] = tuple(replace(each, base=translate(each.base, x * by, y * by)) for each in group)
    return found


def _frame(about: Margins) -> dict[Edge, float]:
    return {Edge.NEAR: about.bottom, Edge.FAR: about.top, Edge.LEFT: about.left, Edge.RIGHT: about.right}


def _beyond(edge: Edge, shape: BaseGeometry, board: Board) -> tuple[float, float]:
    """Return where beyond an edge of the board a shape begins and ends, in mm."""
    left, low, right, high = shape.bounds
    near, far = {
        Edge.NEAR: (-high, -low),
        Edge.FAR: (low - board.depth, high - board.depth),
        Edge.LEFT: (-right, -left),
        Edge.RIGHT: (left - board.width, right - board.width),
    }[edge]
    return float(near), float(far)


def _reach(edge: Edge, strip: Sequence[Marcher], board: Board, desk: Desk) -> float:
    """Return how far beyond the edge of the board a strip reaches with its lettering."""
    ground = shapely.union_all([each.base for each in strip])
    return _beyond(edge, ground, board)[1] + tag_room(strip, board, desk)


def _drawn(strip: Sequence[Marcher], board: Board, desk: Desk) -> Iterator[Item]:
    for each in strip:
        yield from marcher_face(each, board, desk)
        yield from tag_behind(each, board, desk)
    for lead in leads(strip):
        yield from column_disc(lead, board, desk)
