"""A record for other programs: its features as shapes; colours, sight and cutting of each kind."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from msgspec import Struct, convert
from shapely import LineString, MultiLineString, MultiPolygon, Point, Polygon
from shapely.geometry import shape
from shapely.geometry.base import BaseGeometry

from printkit.core.resources import template
from printkit.drawing.canvas.items import Ink
from printkit.drawing.canvas.style import find

# The style that gives the colours for other programs.
_STYLE: Final = "campaign"


class KindLooks(Struct, frozen=True, kw_only=True):
    """The properties of kinds for other programs, from ``templates/exchange/kinds.toml``.

    Attributes:
        sight: kinds that block sight.
        crests: kinds whose highest contour blocks sight.
        score: kinds that a cutter scores.
        ground: ink tokens of the ground, each with its kinds.
        line: ink tokens of lines, each with its ground tokens.
    """

    sight: frozenset[str]
    crests: frozenset[str]
    score: frozenset[str]
    ground: Mapping[str, tuple[str, ...]]
    line: Mapping[str, tuple[str, ...]]

    def inks(self, kind: str) -> tuple[Ink, Ink]:
        """Return the inks of the ground and of the line of a kind.

        Raises:
            KeyError: the kind is not listed.
        """
        ground = next((token for token, kinds in self.ground.items() if kind in kinds), None)
        line = next((token for token, grounds in self.line.items() if ground in grounds), None)
        if ground is None or line is None:
            raise KeyError(kind)
        style = find(_STYLE)
        return style.solid(ground), style.solid(line)


@cache
def load_kind_looks() -> KindLooks:
    """Return the properties of all kinds for other programs. Cached."""
    return convert(template("exchange", "kinds"), KindLooks)


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
