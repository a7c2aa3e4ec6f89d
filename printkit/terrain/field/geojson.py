"""GeoJSON: shapes in mm to a thousandth, with rings as RFC 7946 asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeVar

import numpy as np
import shapely
from msgspec import Meta, Struct
from numpy.typing import NDArray
from shapely import LineString, MultiPolygon, Point, Polygon
from shapely.errors import ShapelyError
from shapely.geometry import mapping
from shapely.geometry import shape as shape_of
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient
from shapely.validation import explain_validity

from printkit.core.errors import RecordError, Sentence
from printkit.core.typed import right

# The decimals of a coordinate: thousandths of a millimetre.
PLACES: Final = 3

# The greatest number of a record; a whole one that nothing is calculated from, such as a seed, may be greater.
GREATEST: Final = 1_000_000_000

# The greatest coordinate on a board, in mm: three times the widest board. Ground farther out takes minutes to draw.
FARTHEST: Final = 20_000

Json = dict[str, Any]

Number = Annotated[
    float,
    Meta(ge=-GREATEST, le=GREATEST),
    right(Sentence("a number from {least:,} to {greatest:,}", least=-GREATEST, greatest=GREATEST)),
]
Length = Annotated[
    float,
    Meta(gt=0, le=FARTHEST),
    right(Sentence("a length in millimetres, greater than 0 and up to {farthest:,}", farthest=FARTHEST)),
]
Coordinate = Annotated[
    float,
    Meta(ge=-FARTHEST, le=FARTHEST),
    right(Sentence("a number of millimetres, at most {farthest:,} from the corner", farthest=FARTHEST)),
]
# Programs may add a height, which is ignored.
Position = Annotated[list[Coordinate], Meta(min_length=2), right(Sentence("a point [x, y] in millimetres"))]
Positions = Annotated[list[Position], right(Sentence("a list of points [x, y] in millimetres"))]
Ring = Annotated[
    list[Position],
    Meta(min_length=4),
    right(Sentence("a ring of at least four points [x, y] in millimetres, the last equal to the first")),
]
Rings = Annotated[list[Ring], Meta(min_length=1), right(Sentence("a list of rings: the outline, then its holes"))]


class PolygonGeometry(Struct, frozen=True, tag_field="type", tag="Polygon"):
    """A polygon of a file: its outline, then its holes."""

    coordinates: Rings


class LineGeometry(Struct, frozen=True, tag_field="type", tag="LineString"):
    """A line of a file."""

    coordinates: Positions


class PointGeometry(Struct, frozen=True, tag_field="type", tag="Point"):
    """A point of a file."""

    coordinates: Position


Geometry = Annotated[
    PolygonGeometry | LineGeometry | PointGeometry,
    right(Sentence('a shape such as {{"type": "Point", "coordinates": [x, y]}}')),
]
G = TypeVar("G", PolygonGeometry, LineGeometry, PointGeometry)


def rounded(value: float) -> float:
    """Return a length or angle as the record keeps it; never the negative zero, which has another text."""
    return round(float(value), PLACES) + 0.0


def round_polygon(polygon: Polygon) -> Polygon:
    """Return the polygon with rounded corners, its exterior anticlockwise, its holes clockwise, and valid.

    Where rounding splits an outline, the result is its largest piece.
    """
    rings = [_round_points(ring.coords) for ring in (polygon.exterior, *polygon.interiors)]
    areas = [ring for ring in rings if len(ring) >= 4]
    outline: Any = Polygon(areas[0], areas[1:]) if len(rings[0]) >= 4 else Polygon()
    if not outline.is_valid:
        outline = shapely.set_precision(polygon, 10.0**-PLACES)
        if isinstance(outline, MultiPolygon):
            outline = max(outline.geoms, key=lambda piece: piece.area)
        holes = [_round_points(ring.coords) for ring in outline.interiors]
        outline = Polygon(_round_points(outline.exterior.coords), holes)
    return orient(outline, 1.0)


def round_line(line: LineString) -> LineString:
    """Return the line with rounded points, none of them twice in a row."""
    return LineString(_round_points(line.coords))


def round_point(point: Point) -> Point:
    """Return the point with rounded coordinates."""
    return Point(rounded(point.x), rounded(point.y))


def rings(polygon: Polygon) -> list[list[list[float]]]:
    """Return the coordinates of a polygon: its exterior, then its holes."""
    outline = round_polygon(polygon)
    return [_pairs(ring) for ring in (outline.exterior, *outline.interiors)]


def shape_object(shape: BaseGeometry) -> Json:
    """Return the shape of a feature as GeoJSON."""
    match shape:
        case Polygon():
            return {"type": "Polygon", "coordinates": rings(shape)}
        case LineString():
            return {"type": "LineString", "coordinates": _pairs(round_line(shape))}
        case Point():
            return {"type": "Point", "coordinates": [rounded(shape.x), rounded(shape.y)]}
        case _:
            return any_object(shape)


def any_object(shape: BaseGeometry) -> Json:
    """Return any shape as GeoJSON, as overlays need it."""
    rounded_shape = round_polygon(shape) if isinstance(shape, Polygon) else shapely.transform(shape, _round)
    document: Json = _plain(mapping(rounded_shape))
    return document


def read_polygon(rings: Rings, name: str) -> Polygon:
    """Return the polygon of an outline and its holes, of the feature called ``name``.

    Raises:
        RecordError: a ring is open, or the outline crosses itself.
    """
    if any(ring[0][:2] != ring[-1][:2] for ring in rings):
        raise RecordError("{name}: a ring is not closed; write its first point again as its last", name=name)
    outline, *holes = map(_points, rings)
    return _require_valid(Polygon(outline, holes), name)


def _require_valid(polygon: Polygon, name: str) -> Polygon:
    """Return a polygon of a file with rounded corners.

    Raises:
        RecordError: it crosses itself; the message gives the place.
    """
    if not polygon.is_valid:
        raise RecordError(
            "{name}: the outline is not a simple shape: {reason}; it must not cross itself",
            name=name,
            reason=explain_validity(polygon),
        )
    return round_polygon(polygon)


def read_line(positions: Positions, name: str) -> LineString:
    """Return the line of the feature called ``name``.

    Raises:
        RecordError: it has fewer than two different points.
    """
    points = _round_points(_points(positions))
    if len(points) < 2:
        raise RecordError("{name}: a line needs at least two different points", name=name)
    return LineString(points)


def read_point(position: Position) -> Point:
    """Return the point at a position."""
    return round_point(Point(position[:2]))


def read_any(geometry: Json, name: str) -> BaseGeometry:
    """Return the shape of any GeoJSON geometry, of the overlay called ``name``.

    Raises:
        RecordError: it is not a geometry, or is far from the board.
    """
    try:
        shape = shape_of(geometry)
        if not (np.abs(shapely.get_coordinates(shape)) <= FARTHEST).all():
            raise ValueError
    except (ShapelyError, ValueError, TypeError, KeyError, AttributeError, IndexError):
        raise RecordError(
            "{name}: its geometry is not a GeoJSON geometry; write a type and its coordinates", name=name
        ) from None
    return _require_valid(shape, name) if isinstance(shape, Polygon) else shapely.transform(shape, _round)


def require_geometry(geometry: Geometry, kind: type[G], name: str) -> G:
    """Return the geometry of the feature called ``name`` if it is of this type.

    Raises:
        RecordError: it is of another type.
    """
    if not isinstance(geometry, kind):
        raise RecordError(
            "{name}: the geometry is a {found}; it must be a {type_name}",
            name=name,
            found=geometry.__struct_config__.tag,
            type_name=kind.__struct_config__.tag,
        )
    return geometry


def _points(positions: Positions) -> NDArray[np.float64]:
    """Return the points of a list, without heights."""
    return np.array([position[:2] for position in positions], dtype=float).reshape(-1, 2)


def _round_points(coords: Any) -> NDArray[np.float64]:
    """Return rounded points; without those that equal the one before."""
    points = _round(np.asarray(coords, dtype=float)[:, :2])
    new = np.ones(len(points), dtype=bool)
    new[1:] = np.any(points[1:] != points[:-1], axis=1)
    return points[new]


def _round(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.round(points, PLACES) + 0.0


def _pairs(shape: BaseGeometry) -> list[list[float]]:
    """Return the points of a ring or line, which are rounded already."""
    pairs: list[list[float]] = shapely.get_coordinates(shape).tolist()
    return pairs


def _plain(value: Any) -> Any:
    """Return shapely's tuples as the lists of JSON."""
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(part) for part in value]
    return value
