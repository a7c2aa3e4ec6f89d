"""Fields drawn by hand, without rolls, log or graph: whole tables that break nothing, and single pieces of right size.

Lengths are inches from the south-west corner; a table of 72 by 48 has six zones of 24, numbered from the north-west.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from msgspec.structs import replace
from shapely import LineString, Point, Polygon, affinity, box
from tables_by_hand import INCH, book, system

from printkit.kit.checks import UnseenError
from printkit.kit.rules import Rules
from printkit.systems.acw.judge.case import AcwCase
from printkit.systems.acw.judge.judge import CHECKS
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.profile import PieceProfile
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, HillFace, Kind
from printkit.terrain.field.record import Record

UNIT = 24 * INCH
Change = Callable[[Record], Record]


def going(name: str) -> Going:
    return book().going[name]


@cache
def profile() -> PieceProfile:
    return PieceProfile.from_rules(Rules.of(book()))


def oval(x: float, y: float, wide: float, deep: float) -> Polygon:
    angles = [math.tau * step / 96 for step in range(96)]
    return Polygon(
        [(INCH * (x + wide / 2 * math.cos(angle)), INCH * (y + deep / 2 * math.sin(angle))) for angle in angles]
    )


def plot(x: float, y: float, wide: float, deep: float) -> Polygon:
    return box(INCH * (x - wide / 2), INCH * (y - deep / 2), INCH * (x + wide / 2), INCH * (y + deep / 2))


def line(*points: tuple[float, float]) -> LineString:
    return LineString([(INCH * x, INCH * y) for x, y in points])


def area(identity: str, piece: Piece, outline: Polygon) -> Area:
    measure = profile().piece_measure(piece)
    return Area(id=identity, kind=measure.kind, outline=outline, going=measure.going)


def hill(identity: str, piece: Piece, outline: Polygon, cliff: float | None = None, scree: bool = False) -> Hill:
    """Return a hill with the contours and faces of its piece; ``cliff`` is a bearing in degrees."""
    measure = profile().piece_measure(piece)
    steep = piece in (Piece.STEEP_HILL, Piece.STEEP_HILL_CLIFF)
    contours = (outline, affinity.scale(outline, math.sqrt(0.4), math.sqrt(0.4))) if steep else (outline,)
    faces: tuple[HillFace, ...] = ()
    if piece is Piece.STEEP_HILL:
        rim = LineString(outline.exterior.coords)
        faces = (HillFace(line=rim, kind=Kind.STEEP_SLOPE, going=measure.going, side=0),)
    if cliff is not None:
        faces = (HillFace(line=arc(outline, cliff, 115.0), kind=Kind.CLIFF, going=going("impassable"), side=0),)
    if scree:
        faces = (HillFace(line=arc(outline, 0.0, 90.0), kind=Kind.SCREE, going=going("difficult"), side=0),)
    return Hill(id=identity, kind=measure.kind, contours=contours, going=measure.going, faces=faces)


def arc(outline: Polygon, bearing: float, wide: float) -> LineString:
    """Return the part of an outline that is seen from its centre within an angle about a bearing, in degrees."""
    middle = outline.centroid
    found = []
    for step in range(-int(wide / 2), int(wide / 2) + 1):
        angle = math.radians(bearing + step)
        ray = LineString([middle, (middle.x + 5000 * math.cos(angle), middle.y + 5000 * math.sin(angle))])
        found.append(outline.exterior.intersection(ray).coords[0])
    return LineString(found)


def course(identity: str, piece: Piece, shape: LineString) -> Course:
    measure = profile().piece_measure(piece)
    width = (measure.width if measure.width is not None else measure.short) or 0.0
    return Course(id=identity, kind=measure.kind, line=shape, width=width * UNIT, going=measure.going)


def crossing(identity: str, kind: Kind, x: float, y: float, way: str, water: str, bearing: float = 0.0) -> Crossing:
    at = Point(x * INCH, y * INCH)
    return Crossing(id=identity, kind=kind, at=at, bearing=bearing, route=way, water=water, going=going("open"))


def record(*features: Feature, details: Mapping[str, object] | None = None) -> Record:
    return Record(
        rules="acw", battlefield=Battlefield(board=system().board(), features=features), details=dict(details or {})
    )


@cache
def country() -> Record:
    """A farmed country: a road through a settlement, a stream under it, a railroad, fields, hills and woods."""
    bends = [(40, 48), (41, 43), (39, 38), (40.5, 33), (39.5, 29), (40, 24), (41, 20), (39, 14), (40, 8), (40.5, 0)]
    bay = oval(63, 17.4, 13.4, 11).difference(oval(63, 23, 4.5, 5))
    return record(
        hill("steep", Piece.STEEP_HILL, oval(7.2, 41.2, 12, 9)),
        hill("bluff", Piece.HILL_CLIFF, oval(7, 6.2, 11, 8.6), cliff=180.0),
        hill("rise", Piece.RISE, oval(18, 6, 9.6, 7.2)),
        hill("ridge", Piece.LONG_HILL, oval(60, 5, 20, 6.7)),
        area("wood", Piece.WOOD, oval(19, 42, 7.8, 7.2)),
        area("scree", Piece.SCREE, oval(7.2, 34.2, 7.2, 4.8)),
        area("pool", Piece.POOL, oval(20, 27, 3.8, 2.9)),
        area("village", Piece.SETTLEMENT, plot(30.5, 32.5, 8.8, 7.7)),
        area("farm", Piece.FARM, plot(55, 34, 5.3, 4.3)),
        area("field-1", Piece.FIELD, plot(62.5, 35, 8.4, 6)),
        area("field-2", Piece.FIELD, plot(62.5, 41, 8.4, 6)),
        area("house", Piece.BUILDING, plot(51, 45, 2.4, 1.7)),
        area("scrub", Piece.SCRUB, oval(6.2, 19, 9.6, 7.2)),
        area("swamp", Piece.SWAMP, oval(40, 10, 10, 7.7)),
        area("rocks", Piece.ROCKS, oval(52, 20.4, 6, 4.8)),
        area("woodland", Piece.WOODLAND, bay),
        course("wall", Piece.WALL, line((66.9, 32.2), (66.9, 43.8))),
        course("fence", Piece.FENCE_LINE, line((2, 29.9), (12, 29.9))),
        course("ditch", Piece.DITCH, line((29, 6), (38.7, 7))),
        course("ravine", Piece.RAVINE, line((12.5, 13), (17, 14.2), (22.7, 13.4))),
        course("stream", Piece.STREAM, line(*bends)),
        course("railroad", Piece.RAILROAD, line((0, 16.5), (30, 16.5), (72, 16.5))),
        course("road", Piece.ROAD, line((0, 31), (24, 31.2), (48, 31), (72, 30.8))),
        course("track", Piece.TRACK, line((69, 30.83), (69.3, 40), (69, 48))),
        crossing("bridge", Kind.BRIDGE, 40.02, 31.07, "road", "stream"),
        crossing("trestle", Kind.RAILWAY_BRIDGE, 39.83, 16.5, "railroad", "stream"),
    )


@cache
def coast() -> Record:
    """A country by the sea: dunes, two swamps grown together, a clearing in a forest, spurs, a fort on its lane."""
    forest = oval(12, 34, 19, 18)
    opening = oval(12, 34, 7, 6)
    return record(
        area("sea", Piece.SEA, box(0, 0, 72 * INCH, 6 * INCH)),
        area("forest", Piece.FOREST, forest.difference(opening)),
        area("clearing", Piece.CLEARING, opening),
        area("dunes", Piece.SAND_DUNES, oval(12, 9.2, 11, 5.8)),
        area("swamp", Piece.SWAMP, joined_swamps(4.0)),
        area("fort", Piece.FORT, fort(36, 34)),
        hill("apron", Piece.HILL_SCREE, oval(60, 38, 11, 8.6), scree=True),
        hill("tongue", Piece.SPUR, box(64 * INCH, 27 * INCH, 72 * INCH, 33.5 * INCH)),
        course("lane", Piece.SUNKEN_LANE, line((24.5, 48), (30, 40), (36, 34))),
        course("brook", Piece.STREAM, line((60, 24), (57, 20), (58, 15), (55.5, 10), (56, 5))),
    )


def joined_swamps(neck: float) -> Polygon:
    """Return the swamps of zones 5 and 6, grown together by a neck of so many inches; one reaches the sea."""
    found = plot(41, 11.925, 10, 11.85).union(plot(56, 14, 10, 7.7)).union(plot(48.5, 14, 8, neck))
    assert isinstance(found, Polygon)
    return found


def fort(x: float, y: float) -> Polygon:
    corners = [math.tau * number / 6 for number in range(6)]
    return Polygon([(INCH * (x + 4.2 * math.cos(angle)), INCH * (y + 4.2 * math.sin(angle))) for angle in corners])


def broken(found: Record, clause: str) -> str:
    """Return what the check of a clause finds broken; an empty text where nothing is."""
    return "; ".join(CHECKS[clause](AcwCase(record=found, rules=Rules.of_record(book(), found))))


def unseen(found: Record, clause: str) -> bool:
    """Return whether the check of a clause sees nothing that it speaks of."""
    try:
        list(CHECKS[clause](AcwCase(record=found, rules=Rules.of_record(book(), found))))
    except UnseenError:
        return True
    return False


def _with_features(found: Record, features: Iterable[Feature]) -> Record:
    return replace(found, battlefield=replace(found.battlefield, features=tuple(features)))


def changed(identity: str, **values: object) -> Change:
    """Return the change of some values of one feature."""

    def altered(feature: Feature) -> Feature:
        return replace(feature, **values) if feature.id == identity else feature  # type: ignore[arg-type]

    return lambda found: _with_features(found, map(altered, found.battlefield.features))


def moved(identity: str, x: float, y: float) -> Change:
    """Return the move of an area by so many inches."""

    def change(found: Record) -> Record:
        feature = found.battlefield.find(identity)
        if isinstance(feature, Hill):
            contours = tuple(affinity.translate(one, x * INCH, y * INCH) for one in feature.contours)
            faces = tuple(
                replace(face, line=affinity.translate(face.line, x * INCH, y * INCH)) for face in feature.faces
            )
            return changed(identity, contours=contours, faces=faces)(found)
        if isinstance(feature, Area):
            return changed(identity, outline=affinity.translate(feature.outline, x * INCH, y * INCH))(found)
        assert isinstance(feature, Course)
        return changed(identity, line=affinity.translate(feature.line, x * INCH, y * INCH))(found)

    return change


def with_feature(*features: Feature) -> Change:
    return lambda found: _with_features(found, (*found.battlefield.features, *features))


def without(*identities: str) -> Change:
    return lambda found: _with_features(found, (one for one in found.battlefield.features if one.id not in identities))
