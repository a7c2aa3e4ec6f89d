"""GeoJSON: shapes in mm to a thousandth, rings as RFC 7946 asks; and JSON that people may have written."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import LineString, MultiPolygon, Point, Polygon
from shapely.errors import ShapelyError
from shapely.geometry import mapping
from shapely.geometry import shape as shape_of
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient
from shapely.validation import explain_validity

from printkit.core.errors import RecordError, Sentence
from printkit.core.numbers import DIGITS
from printkit.core.reading import DEEPEST, clean_values, nesting_depth, plain

# --- Reading JSON that people may have written ------------------------------------------------------------------------


GREATEST: Final = 1_000_000_000
"""The greatest number of a record; a whole one that nothing is reckoned with, as a seed, may be greater."""

FARTHEST: Final = 20_000
"""How far from its corner anything may lie on a board, in mm: three times the widest board.

Drawing ground that reaches farther would take minutes.
"""


_STEERING: Final = re.compile(r"\\u(?:00[0189]|007f|d[89a-f]|fff[ef])|[\x7f-\x9f\ufffe\uffff]", re.IGNORECASE)
"""What a text has in which there may be more than plain texts."""


class Member(Struct, frozen=True):
    """A value of a record and the path that leads to it, as ``board.width_mm``.

    Every method that reads raises RecordError where the value is of another type; its text names the path.
    """

    value: Any
    path: str

    def get(self, name: str) -> Member | None:
        """Return a member of this object, or None where it is missing or null."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object {{...}}")
        found = self.value.get(name)
        return None if found is None else Member(found, f"{self.path}.{name}" if self.path else name)

    def need(self, name: str, remedy: str) -> Member:
        """Return a member of this object that has to be there; ``remedy`` says what to write."""
        found = self.get(name)
        if found is None:
            place = f"{self.path}.{name}" if self.path else name
            raise RecordError("{place} is missing; {remedy}", place=place, remedy=remedy)
        return found

    def text(self) -> str:
        """Return the value as plain text."""
        if not isinstance(self.value, str):
            raise self.wrong('text in quotes, for example "hill"')
        return plain(self.value)

    def number(self) -> float:
        """Return the value as a finite number."""
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float)) or not math.isfinite(self.value):
            raise self.wrong("a number")
        if abs(self.value) > GREATEST:
            raise self.wrong("a number from {least:,} to {greatest:,}", least=-GREATEST, greatest=GREATEST)
        return float(self.value)

    def length(self) -> float:
        """Return the value as a length in mm: greater than 0, and a hundred metres at most."""
        if self.number() <= 0:
            raise self.wrong("a number greater than 0")
        if self.number() > FARTHEST:
            raise self.wrong("a length in millimetres up to {farthest:,}", farthest=FARTHEST)
        return self.number()

    def whole(self) -> int:
        """Return the value as a whole number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.wrong("a whole number")
        return self.value

    def yes_no(self) -> bool:
        """Return the value as true or false."""
        if not isinstance(self.value, bool):
            raise self.wrong("true or false")
        return self.value

    def items(self) -> Iterator[Member]:
        """Yield the values of a list."""
        if not isinstance(self.value, list):
            raise self.wrong("a list [...]")
        return (Member(value, f"{self.path}[{place}]") for place, value in enumerate(self.value))

    def pairs(self) -> Iterator[tuple[str, Member]]:
        """Yield the names and values of an object."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object {{...}}")
        return ((name, Member(value, f"{self.path}.{name}")) for name, value in self.value.items())

    def wrong(self, should: str, /, **values: object) -> RecordError:
        """Return the error that this value is not what it should be: a template, and its values."""
        shown = json.dumps(self.value, ensure_ascii=False)
        return RecordError(
            "{path} is {shown}, not {should}",
            path=self.path or Sentence("the record"),
            shown=shown if len(shown) <= 40 else f"{shown[:37]}...",
            should=Sentence(should, **values),
        )


def parse(text: str) -> Member:
    """Return the top object of a JSON text.

    Raises:
        RecordError: it is not JSON, with the line; or its top is no object.
    """
    if not text.strip():
        raise RecordError("the file is empty")
    if nesting_depth(text) > DEEPEST:
        raise RecordError("not JSON of printkit: lists are nested more than {deepest} deep", deepest=DEEPEST)
    try:
        value = json.loads(text, parse_constant=_refuse, parse_int=_whole)
    except json.JSONDecodeError as error:
        raise RecordError(
            "not JSON: {reason} in line {lineno}, column {colno}",
            reason=error.msg,
            lineno=error.lineno,
            colno=error.colno,
        ) from None
    if _STEERING.search(text):
        value = clean_values(value)
    if not isinstance(value, dict):
        raise Member(value, "").wrong('an object {{"type": "FeatureCollection", ...}}')
    return Member(value, "")


def _whole(digits: str) -> int:
    if len(digits) > DIGITS:
        raise RecordError("not JSON of printkit: a whole number has {count:,} digits", count=len(digits))
    return int(digits)


def _refuse(constant: str) -> NoReturn:
    raise RecordError("not JSON: {constant} is not a JSON number", constant=constant)


PLACES: Final = 3
"""Decimals of a coordinate: thousandths of a millimetre."""

Json = dict[str, Any]


def rounded(value: float) -> float:
    """Return a length or angle as the record keeps it; never the negative zero, which reads as another text."""
    return round(float(value), PLACES) + 0.0


def settled_polygon(polygon: Polygon) -> Polygon:
    """Return the polygon with rounded corners, its exterior anticlockwise, its holes clockwise, and valid.

    Where rounding pinches an outline together, the largest piece of what is left stands for it.
    """
    rings = [_settled(ring.coords) for ring in (polygon.exterior, *polygon.interiors)]
    kept = [ring for ring in rings if len(ring) >= 4]
    found: Any = Polygon(kept[0], kept[1:]) if len(rings[0]) >= 4 else Polygon()
    if not found.is_valid:
        found = shapely.set_precision(polygon, 10.0**-PLACES)
        if isinstance(found, MultiPolygon):
            found = max(found.geoms, key=lambda piece: piece.area)
        found = Polygon(_settled(found.exterior.coords), [_settled(ring.coords) for ring in found.interiors])
    return orient(found, 1.0)


def settled_line(line: LineString) -> LineString:
    """Return the line with rounded points, none of them twice in a row."""
    return LineString(_settled(line.coords))


def settled_point(point: Point) -> Point:
    """Return the point with rounded coordinates."""
    return Point(rounded(point.x), rounded(point.y))


def rings(polygon: Polygon) -> list[list[list[float]]]:
    """Return the coordinates of a polygon: its exterior, then its holes."""
    settled = settled_polygon(polygon)
    return [_pairs(ring) for ring in (settled.exterior, *settled.interiors)]


def polygon_object(polygon: Polygon) -> Json:
    """Return a GeoJSON Polygon."""
    return {"type": "Polygon", "coordinates": rings(polygon)}


def line_object(line: LineString) -> Json:
    """Return a GeoJSON LineString."""
    return {"type": "LineString", "coordinates": _pairs(settled_line(line))}


def point_object(point: Point) -> Json:
    """Return a GeoJSON Point."""
    return {"type": "Point", "coordinates": [rounded(point.x), rounded(point.y)]}


def any_object(shape: BaseGeometry) -> Json:
    """Return any shape as GeoJSON, as overlays need it."""
    settled = settled_polygon(shape) if isinstance(shape, Polygon) else shapely.transform(shape, _round)
    found: Json = _plain(mapping(settled))
    return found


def read_polygon(geometry: Member, name: str) -> Polygon:
    """Return the polygon of a GeoJSON object of the feature called ``name``.

    Raises:
        RecordError: another type, a ring that is open or short, or one that crosses itself, with the place.
    """
    return read_rings(_coordinates(geometry, "Polygon", name), name)


def read_rings(coordinates: Member, name: str) -> Polygon:
    """Return the polygon of an exterior and its holes, as ``contours`` lists them too."""
    loops = [_points(ring) for ring in coordinates.items()]
    for loop in loops:
        if len(loop) < 4 or (loop[0] != loop[-1]).any():
            raise RecordError(
                "{name}: a ring of {path} is not closed; write at least four points, the last equal to the first",
                name=name,
                path=coordinates.path,
            )
    if not loops:
        raise RecordError(
            "{name}: {path} is empty; write a ring of at least four points", name=name, path=coordinates.path
        )
    found = Polygon(loops[0], loops[1:])
    if not found.is_valid:
        raise RecordError(
            "{name}: the outline is not a simple shape: {reason}; it must not cross itself",
            name=name,
            reason=explain_validity(found),
        )
    return settled_polygon(found)


def read_line(geometry: Member, name: str) -> LineString:
    """Return the line of a GeoJSON object.

    Raises:
        RecordError: another type, or fewer than two different points.
    """
    coordinates = _coordinates(geometry, "LineString", name)
    points = _settled(_points(coordinates))
    if len(points) < 2:
        raise RecordError(
            "{name}: {path} has {count} points; a line needs at least two different points",
            name=name,
            path=coordinates.path,
            count=len(points),
        )
    return LineString(points)


def read_point(geometry: Member, name: str) -> Point:
    """Return the point of a GeoJSON object.

    Raises:
        RecordError: another type, or no pair of numbers.
    """
    return settled_point(Point(_pair(_coordinates(geometry, "Point", name))))


def read_any(geometry: Member, name: str) -> BaseGeometry:
    """Return any shape of a GeoJSON object.

    Raises:
        RecordError: it is no GeoJSON geometry.
    """
    if geometry.need("type", Sentence("write the type of the geometry")).text() == "Polygon":
        return read_polygon(geometry, name)
    try:
        found = shapely.transform(shape_of(geometry.value), _round)
        if not (np.abs(shapely.get_coordinates(found)) <= FARTHEST).all():
            raise ValueError
        return found
    except (ShapelyError, ValueError, TypeError, KeyError, AttributeError, IndexError):
        raise RecordError(
            "{name}: {path} is not a GeoJSON geometry; write a type and its coordinates", name=name, path=geometry.path
        ) from None


def _coordinates(geometry: Member, type_name: str, name: str) -> Member:
    found = geometry.need("type", Sentence('write "type": "{type_name}"', type_name=type_name)).text()
    if found != type_name:
        raise RecordError(
            "{name}: the geometry is a {found}; it must be a {type_name}",
            name=name,
            found=found,
            type_name=type_name,
        )
    return geometry.need("coordinates", Sentence("write the points as [x, y] in millimetres on the board"))


def _points(member: Member) -> NDArray[np.float64]:
    """Return the points of a list: all at once where all are pairs as we write them, else one by one.

    One by one, an error names the place of the point, and a height is passed over.
    """
    listed = member.value if isinstance(member.value, list) else []
    alike = {type(pair) for pair in listed} == {list} and {len(pair) for pair in listed} == {2}
    if alike and {type(number) for pair in listed for number in pair} == {float}:
        points = np.array(listed)
        if (np.abs(points) <= FARTHEST).all():
            return points
    return np.array([_pair(pair) for pair in member.items()], dtype=float).reshape(-1, 2)


def _pair(member: Member) -> tuple[float, float]:
    numbers = [part.number() for part in member.items()]
    if len(numbers) < 2:
        raise member.wrong("a point [x, y]")
    if max(map(abs, numbers)) > FARTHEST:
        raise member.wrong("a point [x, y] in millimetres, at most {farthest:,} from the corner", farthest=FARTHEST)
    return numbers[0], numbers[1]


def _settled(coords: Any) -> NDArray[np.float64]:
    """Return rounded points; one that rounding made like the one before it is dropped."""
    points = _round(np.asarray(coords, dtype=float)[:, :2])
    new = np.ones(len(points), dtype=bool)
    new[1:] = np.any(points[1:] != points[:-1], axis=1)
    return points[new]


def _round(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.round(points, PLACES) + 0.0


def _pairs(settled: BaseGeometry) -> list[list[float]]:
    """Return the points of a settled ring or line; they are round already."""
    found: list[list[float]] = shapely.get_coordinates(settled).tolist()
    return found


def _plain(value: Any) -> Any:
    """Return shapely's tuples as the lists of JSON."""
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(part) for part in value]
    return value
