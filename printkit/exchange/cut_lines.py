"""A record as SVG for a cutter: hairlines at actual size on the layers cut, score and engrave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final
from xml.sax.saxutils import escape, quoteattr

import shapely
from shapely.geometry.base import BaseGeometry

from printkit.exchange.exported_features import (
    ExportedFeature,
    ExportedField,
    iter_rings,
    load_kind_looks,
    parse_record,
)

# Line width in mm: cutters follow a line this thin as a path.
HAIR: Final = 0.01

# The colours that most laser cutter programs use to separate passes.
_COLOURS: Final = {"cut": "#ff0000", "score": "#0000ff", "engrave": "#000000"}

# Type size of engraved text, in mm.
_TYPE: Final = 4.0


def cut_lines(text: str, *, kerf: float = 0.0) -> bytes:
    """Return a record, given as JSON text, as an SVG file for a cutter, in mm at 1:1.

    Areas, contours of hills, rivers and roads (at their width) are closed lines on the layer ``cut``, grouped by the ID
    of their feature. Steep faces and walls are on ``score``, names and numbers on ``engrave``. The edge of the board is
    cut last.

    Args:
        text: the record.
        kerf: width of the tool's cut in mm at 1:1; each piece is larger by half of it on every side.
    """
    field = parse_record(text)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
        f' width="{field.width:g}mm" height="{field.depth:g}mm" viewBox="0 0 {field.width:g} {field.depth:g}">',
        f"<title>{escape(field.title)}</title>",
    ]
    for layer, groups in _build_layers(field, kerf).items():
        attributes = f'fill="none" stroke="{_COLOURS[layer]}" stroke-width="{HAIR}"'
        if layer == "engrave":
            attributes = f'fill="{_COLOURS[layer]}" font-family="sans-serif" font-size="{_TYPE:g}" text-anchor="middle"'
        lines += [f'<g id="{layer}" inkscape:groupmode="layer" inkscape:label="{layer}" {attributes}>', *groups, "</g>"]
    return ("\n".join([*lines, "</svg>"]) + "\n").encode()


def _build_layers(field: ExportedField, kerf: float) -> Mapping[str, list[str]]:
    """Return the SVG elements by layer: ``cut``, ``score``, ``engrave``; ``kerf`` is in mm at 1:1.

    Coordinates are in mm of the board, with y downwards from the far edge. The outline of the board is the last in
    ``cut``. ``engrave`` has the name of each feature, or its ID.
    """
    groups_by_layer: dict[str, list[str]] = {layer: [] for layer in _COLOURS}
    for feature in field.features:
        for name, ground, layer in _iter_pieces(feature, field.board, kerf):
            paths = [_format_path(run, field.depth, closed=layer == "cut") for run in iter_rings(ground)]
            if paths:
                groups_by_layer[layer] += [f'<g id={quoteattr(name)} class="{feature.kind}">', *paths, "</g>"]
        middle = feature.ground.intersection(field.board).representative_point()
        if not middle.is_empty:
            label = escape(str(feature.properties.get("name") or feature.id))
            groups_by_layer["engrave"].append(
                f'<text x="{middle.x:.3f}" y="{field.depth - middle.y:.3f}">{label}</text>'
            )
    groups_by_layer["cut"] += [
        '<g id="board">',
        *(_format_path(run, field.depth, closed=True) for run in iter_rings(field.board)),
        "</g>",
    ]
    return groups_by_layer


def _iter_pieces(feature: ExportedFeature, board: BaseGeometry, kerf: float) -> Iterator[tuple[str, BaseGeometry, str]]:
    """Yield the name, shape in mm on the board and layer (``cut`` or ``score``) of each piece of a feature.

    A hill has one piece for its outline and each contour; several pieces have numbers from 1 after the feature's ID.
    Pieces are cut off at the board edge. ``kerf`` is the width of the cut in mm at 1:1; pieces to cut are larger by
    half of it.
    """
    if feature.kind in load_kind_looks().score:
        yield feature.id, feature.shape.intersection(board), "score"
        return
    grounds = (feature.ground, *feature.contours)
    for level, ground in enumerate(grounds, 1):
        name = feature.id if len(grounds) == 1 else f"{feature.id}-{level}"
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
