"""Features of a record: each as a GeoJSON object, and back, with errors that name the feature."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import Any, Final, assert_never

import shapely
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import RecordError, Sentence
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, HillFace, Kind, Origin
from printkit.terrain.field.geojson import (
    Json,
    Member,
    line_object,
    point_object,
    polygon_object,
    read_line,
    read_point,
    read_polygon,
    read_rings,
    rings,
    rounded,
)


class Shape(Enum):
    """What a kind is in the record."""

    AREA = auto()
    HILL = auto()
    FACE = auto()
    COURSE = auto()
    CROSSING = auto()


_HILLS: Final = (Kind.HILL, Kind.RISE, Kind.SPUR, Kind.LONG_HILL, Kind.MOUNTAIN)
_COURSES: Final = (
    *(Kind.CLIFF, Kind.RIVER, Kind.STREAM, Kind.CREEK, Kind.DITCH, Kind.RAVINE, Kind.GULLY),
    *(Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK, Kind.PATH, Kind.RAILWAY),
    *(Kind.WALL, Kind.FENCE, Kind.WORM_FENCE, Kind.HEDGE),
)
_CROSSINGS: Final = (
    *(Kind.FORD, Kind.BRIDGE, Kind.TIMBER_BRIDGE, Kind.RAILWAY_BRIDGE, Kind.LEVEL_CROSSING, Kind.JUNCTION),
)

SHAPES: Final[Mapping[Kind, Shape]] = (
    dict.fromkeys(Kind, Shape.AREA)
    | dict.fromkeys(_HILLS, Shape.HILL)
    | dict.fromkeys(_COURSES, Shape.COURSE)
    | dict.fromkeys(_CROSSINGS, Shape.CROSSING)
    | {Kind.STEEP_SLOPE: Shape.FACE}
)
"""What a kind is on the map; a cliff or scree that names a hill (``of``) is a stretch of its side instead."""

_ALSO_FACES: Final = (Kind.CLIFF, Kind.SCREE)

UNSTATED: Final = Going(rank=0, name="")
"""The going of a feature drawn by hand that states none: its kind decides."""

_IMPASSABLE: Final = 3

_KNOWN: Final = frozenset(
    {"kind", "name", "going", "zone", "placed_by", "source", "throws", "cells"}
    | {"levels", "steep", "cover", "contours", "width_mm", "bearing", "way", "water"}
)
"""Properties that the record itself understands; all others belong to the rule system and are kept for it."""


def feature_objects(feature: Feature, extra: Mapping[str, Any]) -> Iterator[Json]:
    """Yield a feature as a GeoJSON object, and after a hill each of its steep stretches as one of its own.

    Args:
        feature: with shapes in mm.
        extra: properties that only its rule system knows.
    """
    own: Json
    match feature:
        case Area():
            shape, own = polygon_object(feature.outline), {}
        case Hill():
            shape = polygon_object(feature.outline)
            own = {
                "levels": len(feature.contours),
                "steep": [face.side for face in feature.faces],
                "cover": feature.cover.value if feature.cover else None,
                "contours": [rings(contour) for contour in feature.contours[1:]],
            }
        case Course():
            shape, own = line_object(feature.line), {"width_mm": rounded(feature.width)}
        case Crossing():
            shape = point_object(feature.at)
            own = {"bearing": rounded(feature.bearing), "way": feature.route, "water": feature.water}
        case _:
            assert_never(feature)
    head: Json = {"kind": feature.kind.value, **_named(feature.name, feature.going)}
    others = {name: value for name, value in extra.items() if name not in _KNOWN}
    yield _object(feature.id, shape, {**head, **own, **_origin(feature), **others})
    if isinstance(feature, Hill):
        for place, face in enumerate(feature.faces, 1):
            yield _object(f"{feature.id}-steep-{place}", line_object(face.line), _face_properties(feature.id, face))


def _shapes(feature: Feature) -> tuple[BaseGeometry, ...]:
    """Return what is drawn of a feature and judged; a crossing is a point."""
    match feature:
        case Hill():
            return feature.contours
        case Area():
            return (feature.outline,)
        case Course():
            return (feature.line,)
        case _:
            return ()


MOST_FEATURES: Final = 2000
"""Features of a record; a crowded board of 144 x 72 in has a fifth of them."""

MOST_DRAWN: Final = 3_000_000
"""How long all outlines and lines of a record may be together, in mm."""


class FeatureReader:
    """Reads the features of one record; faces are gathered first, for they may stand before their hill.

    Args:
        objects: the member ``features``.
        goings: the rule system's own going by name.
    """

    def __init__(self, objects: Member, goings: Mapping[str, Going]) -> None:
        self._goings = goings
        self._objects = list(objects.items())
        self._taken: set[str] = set()
        self._counts: dict[Kind, int] = {}
        self.properties: dict[str, dict[str, Any]] = {}

    def read(self) -> tuple[Feature, ...]:
        """Return the features in order, and fill ``properties`` with what only the rule system knows.

        Raises:
            RecordError: a feature is wrong; names it, the member and what would be right.
        """
        if len(self._objects) > MOST_FEATURES:
            raise RecordError(
                "{path} has {count:,} features; printkit reads up to {most:,}",
                path="features",
                count=len(self._objects),
                most=MOST_FEATURES,
            )
        stated = [self._stated_id(member) for member in self._objects]
        for member, identity in zip(self._objects, stated, strict=True):
            if identity in self._taken:
                raise RecordError(
                    "{path}: the id {identity!r} belongs to an earlier feature; choose another",
                    path=member.path,
                    identity=identity,
                )
            self._taken.update([identity] if identity else [])
        kinds = [self._kind(member) for member in self._objects]
        named = [identity or self._given_id(kind) for identity, kind in zip(stated, kinds, strict=True)]
        faces: dict[str, list[HillFace]] = {}
        for member, kind, identity in zip(self._objects, kinds, named, strict=True):
            if _is_face(kind, member):
                hill, face = self._face(member, kind, Sentence("feature {identity!r}", identity=identity), faces)
                faces.setdefault(hill, []).append(face)
        found = tuple(
            self._feature(member, kind, identity, faces.pop(identity, []))
            for member, kind, identity in zip(self._objects, kinds, named, strict=True)
            if not _is_face(kind, member)
        )
        if faces:
            raise RecordError("steep slope of {faces!r}: features has no hill with that id", faces=next(iter(faces)))
        drawn = float(shapely.length([shape for feature in found for shape in _shapes(feature)]).sum())
        if drawn > MOST_DRAWN:
            raise RecordError(
                "the lines of all features are {drawn:,.0f} mm long; printkit reads up to {most:,}",
                drawn=drawn,
                most=MOST_DRAWN,
            )
        return found

    def _stated_id(self, member: Member) -> str:
        identity = member.get("id")
        if identity is None:
            return ""
        return str(identity.value) if isinstance(identity.value, int) else identity.text()

    def _kind(self, member: Member) -> Kind:
        text = _properties(member).need("kind", Sentence("write one of {kinds}", kinds=", ".join(Kind)))
        return _kind_of(text, Kind)

    def _given_id(self, kind: Kind) -> str:
        while True:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            identity = f"{kind}-{self._counts[kind]}"
            if identity not in self._taken:
                self._taken.add(identity)
                return identity

    def _face(
        self, member: Member, kind: Kind, name: str, faces: Mapping[str, Sequence[HillFace]]
    ) -> tuple[str, HillFace]:
        properties = _properties(member)
        hill = properties.need("of", Sentence("write the id of the hill")).text()
        side = properties.get("side")
        face = HillFace(
            line=read_line(_geometry(member), name),
            kind=kind,
            going=self._going(properties, name),
            side=side.whole() if side else len(faces.get(hill, [])),
        )
        return hill, face

    def _feature(self, member: Member, kind: Kind, identity: str, faces: Sequence[HillFace]) -> Feature:
        name, properties, geometry = (
            Sentence("feature {identity!r}", identity=identity),
            _properties(member),
            _geometry(member),
        )
        extra = {key: value for key, value in properties.value.items() if key not in _KNOWN}
        if extra:
            self.properties[identity] = extra
        title = properties.get("name")
        going, origin, cells = self._going(properties, name), _read_origin(properties), _read_cells(properties)
        common: Json = {"id": identity, "kind": kind, "going": going, "origin": origin, "cells": cells}
        common["name"] = title.text() if title else ""
        match SHAPES[kind]:
            case Shape.AREA:
                return Area(outline=read_polygon(geometry, name), **common)
            case Shape.HILL:
                upper = properties.get("contours")
                contours = tuple(read_rings(contour, name) for contour in (upper.items() if upper else ()))
                cover = properties.get("cover")
                return Hill(
                    contours=(read_polygon(geometry, name), *contours),
                    faces=tuple(faces),
                    cover=_kind_of(cover, _COVERS) if cover else None,
                    **common,
                )
            case Shape.COURSE:
                width = properties.need(
                    "width_mm", Sentence("{name} needs its width in millimetres", name=name)
                ).length()
                return Course(line=read_line(geometry, name), width=rounded(width), **common)
            case Shape.CROSSING:
                return Crossing(
                    at=read_point(geometry, name),
                    bearing=rounded(_number(properties, "bearing")),
                    route=_text(properties, "way"),
                    water=_text(properties, "water"),
                    **common,
                )
            case Shape.FACE:
                raise RecordError("{name} is part of a hill, not a feature", name=name)
            case unknown:
                assert_never(unknown)

    def _going(self, properties: Member, name: str) -> Going:
        stated = properties.get("going")
        if stated is None:
            return UNSTATED
        if stated.text() not in self._goings:
            raise RecordError(
                "{name}: unknown going {stated!r}; use one of {goings}",
                name=name,
                stated=stated.text(),
                goings=", ".join(self._goings),
            )
        return self._goings[stated.text()]


_COVERS: Final = (Kind.LIGHT_WOODS, Kind.HEAVY_WOODS)


def _kind_of(text: Member, known: Sequence[Kind] | type[Kind]) -> Kind:
    if text.text() not in list(known):
        raise RecordError(
            "{path}: unknown kind {text!r}; use one of {known}",
            path=text.path,
            text=text.text(),
            known=", ".join(known),
        )
    return Kind(text.text())


def _properties(member: Member) -> Member:
    return member.need("properties", Sentence('write its properties, at least {{"kind": ...}}'))


def _geometry(member: Member) -> Member:
    return member.need("geometry", Sentence("write its shape"))


def _number(properties: Member, name: str) -> float:
    found = properties.get(name)
    return found.number() if found else 0.0


def _text(properties: Member, name: str) -> str:
    found = properties.get(name)
    return found.text() if found else ""


def _read_origin(properties: Member) -> Origin:
    source, throws, zone = (properties.get(name) for name in ("source", "throws", "zone"))
    return Origin(
        clauses=tuple(clause.text() for clause in source.items()) if source else (),
        throws=tuple(place.whole() for place in throws.items()) if throws else (),
        zone=zone.whole() if zone else None,
        placed_by=_text(properties, "placed_by"),
    )


def _read_cells(properties: Member) -> tuple[tuple[int, int], ...]:
    found = properties.get("cells")
    if found is None:
        return ()
    cells = [[part.whole() for part in cell.items()] for cell in found.items()]
    if any(len(cell) != 2 for cell in cells):
        raise found.wrong("a list of [column, row]")
    return tuple((column, row) for column, row in cells)


def _object(identity: str, geometry: Json, properties: Json) -> Json:
    return {"type": "Feature", "id": identity, "geometry": geometry, "properties": properties}


def _face_properties(hill: str, face: HillFace) -> Json:
    properties: Json = {"kind": face.kind.value, **_named("", face.going), "of": hill, "side": face.side}
    if face.going.rank >= _IMPASSABLE:
        properties["impassable"] = True
    return properties


def _named(name: str, going: Going) -> Json:
    return {**({"name": name} if name else {}), **({"going": going.name} if going.name else {})}


def _origin(feature: Feature) -> Json:
    origin, found = feature.origin, Json()
    if origin.zone is not None:
        found["zone"] = origin.zone
    if origin.placed_by:
        found["placed_by"] = origin.placed_by
    if origin.clauses:
        found["source"] = list(origin.clauses)
    if origin.throws:
        found["throws"] = list(origin.throws)
    if feature.cells:
        found["cells"] = [list(cell) for cell in feature.cells]
    return found


def _is_face(kind: Kind, member: Member) -> bool:
    if kind in _ALSO_FACES:
        return _properties(member).get("of") is not None
    return SHAPES[kind] is Shape.FACE
