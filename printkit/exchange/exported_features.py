"""A record for other programs: its features as shapes with colours, sight and cutting, and as SVG for a cutter."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

import shapely
from msgspec import Struct
from shapely import LineString, MultiLineString, MultiPolygon, Point, Polygon
from shapely.geometry import shape
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Ink
from printkit.drawing.canvas.style import find
from printkit.terrain.field.features import KIND_ROWS, Kind

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


class ExportedFeature(Struct, frozen=True, kw_only=True):
    """A feature of a record; ``shape`` is in mm of the board."""

    id: str
    kind: str
    shape: BaseGeometry
    properties: Mapping[str, Any]

    @property
    def width(self) -> float:
        """Return the width of a linear feature in mm on the board; 0 for any other feature."""
        return float(self.properties.get("width_mm") or 0.0)

    @property
    def ground(self) -> BaseGeometry:
        """Return the area that the feature covers, in mm on the board; a linear feature covers its width."""
        return self.shape.buffer(self.width / 2, cap_style="flat") if self.width else self.shape

    @property
    def contours(self) -> tuple[BaseGeometry, ...]:
        """Return the contours of a hill above its outline, lowest first, in mm on the board; or nothing."""
        return tuple(
            shape({"type": "Polygon", "coordinates": rings}) for rings in self.properties.get("contours") or ()
        )


class ExportedField(Struct, frozen=True, kw_only=True):
    """A record for other programs; lengths in mm, the near left corner of the board is (0, 0)."""

    title: str
    width: float
    depth: float
    features: tuple[ExportedFeature, ...]
    overlays: tuple[ExportedFeature, ...]

    @property
    def board(self) -> Polygon:
        """Return the outline of the board in mm; the near left corner is (0, 0)."""
        return Polygon([(0, 0), (self.width, 0), (self.width, self.depth), (0, self.depth)])


def parse_record(text: str) -> ExportedField:
    """Return the battlefield of a record for export, from the JSON text of the record.

    The text must be a record as printkit writes it: it is not checked.
    """
    document = json.loads(text)
    board = document["board"]
    return ExportedField(
        title=document["title"],
        width=board["width_mm"],
        depth=board["depth_mm"],
        features=tuple(_parse_features(document["features"])),
        overlays=tuple(_parse_features(document["overlays"])),
    )


def _parse_features(objects: list[Mapping[str, Any]]) -> Iterator[ExportedFeature]:
    """Yield the features of a list of GeoJSON objects, with shapes in mm of the board.

    A feature without an ID gets its number in the list, from 1.
    """
    for number, entry in enumerate(objects, 1):
        properties = dict(entry["properties"])
        yield ExportedFeature(
            id=str(entry.get("id", number)),
            kind=properties.pop("kind"),
            shape=shape(entry["geometry"]),
            properties=properties,
        )


def iter_rings(ground: BaseGeometry) -> Iterator[list[tuple[float, float]]]:
    """Yield each ring and line of a shape as points (x, y) in its unit (mm); nothing for a point.

    The outer ring comes before the holes; parts of collections follow each other.
    """
    match ground:
        case Polygon():
            if not ground.is_empty:
                yield [(x, y) for x, y in ground.exterior.coords]
                yield from ([(x, y) for x, y in hole.coords] for hole in ground.interiors)
        case LineString():
            if not ground.is_empty:
                yield [(x, y) for x, y in ground.coords]
        case MultiPolygon() | MultiLineString():
            for part in ground.geoms:
                yield from iter_rings(part)
        case Point():
            return
        case _:
            for part in getattr(ground, "geoms", ()):
                yield from iter_rings(part)


class BoardPicture(Struct, frozen=True, kw_only=True):
    """A PNG of the board without margins.

    ``size`` is in pixels. A cell of ``cell`` mm has ``pixels`` pixels; cells start at the far left corner.
    """

    data: bytes
    size: tuple[int, int]
    pixels: int
    cell: float


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
