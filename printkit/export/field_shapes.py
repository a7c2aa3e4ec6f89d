"""The shapes of a record for other programs: their colours and sight; and a record as SVG for a cutter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final
from xml.sax.saxutils import escape, quoteattr

import shapely
from msgspec import Struct
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Ink
from printkit.drawing.canvas.style import find
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import KIND_ROWS, Kind
from printkit.terrain.field.record import Record, record_parts
from printkit.terrain.field.record_features import FeaturePart

# The style that gives the colours for other programs.
_STYLE: Final = "campaign"


class KindLooks(Struct, frozen=True, kw_only=True):
    """The properties of kinds for other programs, from the table of kinds.

    Attributes:
        sight: kinds that block sight.
        crests: kinds whose highest contour blocks sight.
        score: kinds that a cutter scores.
    """

    sight: frozenset[Kind]
    crests: frozenset[Kind]
    score: frozenset[Kind]

    def inks(self, kind: str) -> tuple[Ink, Ink]:
        """Return the inks of the ground and of the line of a kind.

        Raises:
            ValueError: there is no such kind.
        """
        style = find(_STYLE)
        ground, line = KIND_ROWS[Kind(kind)].inks
        return style.solid(ground), style.solid(line)


@cache
def load_kind_looks() -> KindLooks:
    """Return the properties of all kinds for other programs. Cached."""
    sight, crests, score = (
        frozenset(kind for kind, row in KIND_ROWS.items() if row.export == look) for look in ("sight", "crest", "score")
    )
    return KindLooks(sight=sight, crests=crests, score=score)


def board_outline(board: Board) -> Polygon:
    """Return the outline of the board in mm; the near left corner is (0, 0), and is the first."""
    return Polygon([(0, 0), (board.width, 0), (board.width, board.depth), (0, board.depth)])


def width_mm(part: FeaturePart) -> float:
    """Return the width of a linear feature in mm on the board; 0 for any other part."""
    return float(part.properties.get("width_mm", 0.0))


def covered_ground(part: FeaturePart) -> BaseGeometry:
    """Return the area that a part covers, in mm on the board; a linear feature covers its width."""
    width, shape = width_mm(part), part.shapes[0]
    return shape.buffer(width / 2, cap_style="flat") if width else shape


def iter_rings(ground: BaseGeometry) -> Iterator[list[tuple[float, float]]]:
    """Yield each ring and line of a shape as points (x, y) in its unit (mm); nothing for a point.

    The outer ring comes before the holes; parts of collections follow each other.
    """
    for part in shapely.get_parts(ground):
        lines = shapely.get_rings(part) if isinstance(part, Polygon) else [part] if isinstance(part, LineString) else []
        yield from ([(x, y) for x, y in line.coords] for line in lines if not line.is_empty)


# Line width in mm: cutters follow a line this thin as a path.
HAIR: Final = 0.01

# The colours that most laser cutter programs use to separate passes.
_COLOURS: Final = {"cut": "#ff0000", "score": "#0000ff", "engrave": "#000000"}

# Type size of engraved text, in mm.
_TYPE: Final = 4.0


def cut_lines(record: Record, *, kerf: float = 0.0) -> bytes:
    """Return a record as an SVG file for a cutter, in mm at 1:1.

    Areas, contours of hills, rivers and roads (at their width) are closed lines on the layer ``cut``, grouped by the ID
    of their feature. Steep faces and walls are on ``score``, names and numbers on ``engrave``. The edge of the board is
    cut last.

    Args:
        record: the record.
        kerf: width of the tool's cut in mm at 1:1; each piece is larger by half of it on every side.
    """
    board = record.battlefield.board
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
        f' width="{board.width:g}mm" height="{board.depth:g}mm" viewBox="0 0 {board.width:g} {board.depth:g}">',
        f"<title>{escape(record.battlefield.title)}</title>",
    ]
    for layer, groups in _build_layers(record, kerf).items():
        attributes = f'fill="none" stroke="{_COLOURS[layer]}" stroke-width="{HAIR}"'
        if layer == "engrave":
            attributes = f'fill="{_COLOURS[layer]}" font-family="sans-serif" font-size="{_TYPE:g}" text-anchor="middle"'
        lines += [f'<g id="{layer}" inkscape:groupmode="layer" inkscape:label="{layer}" {attributes}>', *groups, "</g>"]
    return ("\n".join([*lines, "</svg>"]) + "\n").encode()


def _build_layers(record: Record, kerf: float) -> Mapping[str, list[str]]:
    """Return the SVG elements by layer: ``cut``, ``score``, ``engrave``; ``kerf`` is in mm at 1:1.

    Coordinates are in mm of the board, with y downwards from the far edge. The outline of the board is the last in
    ``cut``. ``engrave`` has the name of each feature, or its ID.
    """
    depth, outline = record.battlefield.board.depth, board_outline(record.battlefield.board)
    groups_by_layer: dict[str, list[str]] = {layer: [] for layer in _COLOURS}
    for part in record_parts(record):
        for name, ground, layer in _iter_pieces(part, outline, kerf):
            paths = [_format_path(run, depth, closed=layer == "cut") for run in iter_rings(ground)]
            if paths:
                kind = part.properties["kind"]
                groups_by_layer[layer] += [f'<g id={quoteattr(name)} class="{kind}">', *paths, "</g>"]
        middle = covered_ground(part).intersection(outline).representative_point()
        if not middle.is_empty:
            label = escape(str(part.properties.get("name") or part.id))
            groups_by_layer["engrave"].append(f'<text x="{middle.x:.3f}" y="{depth - middle.y:.3f}">{label}</text>')
    groups_by_layer["cut"] += [
        '<g id="board">',
        *(_format_path(run, depth, closed=True) for run in iter_rings(outline)),
        "</g>",
    ]
    return groups_by_layer


def _iter_pieces(part: FeaturePart, board: BaseGeometry, kerf: float) -> Iterator[tuple[str, BaseGeometry, str]]:
    """Yield the name, shape in mm on the board and layer (``cut`` or ``score``) of each piece of a feature.

    A hill has one piece for its outline and each contour; several pieces have numbers from 1 after the feature's ID.
    Pieces are cut off at the board edge. ``kerf`` is the width of the cut in mm at 1:1; pieces to cut are larger by
    half of it.
    """
    if part.properties["kind"] in load_kind_looks().score:
        yield part.id, part.shapes[0].intersection(board), "score"
        return
    grounds = (covered_ground(part), *part.shapes[1:])
    for level, ground in enumerate(grounds, 1):
        name = part.id if len(grounds) == 1 else f"{part.id}-{level}"
        # The tool removes half its width on each side, so the finished piece is as large as on the map.
        piece = shapely.buffer(ground.intersection(board), kerf / 2) if kerf else ground.intersection(board)
        yield name, piece, "cut"


def _format_path(run: list[tuple[float, float]], depth: float, *, closed: bool) -> str:
    """Return a line of points in mm on the board as an SVG path, which has y downwards.

    Args:
        run: the points, x and y from the near left corner.
        depth: the depth of the board (near to far edge) in mm.
        closed: whether the path ends where it starts.
    """
    points = [f"{x:.3f},{depth - y:.3f}" for x, y in run]
    if closed and points[0] == points[-1]:
        del points[-1]
    return f'<path d="M{" L".join(points)}{" Z" if closed else ""}"/>'
