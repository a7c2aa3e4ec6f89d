"""Features of a record: each as a GeoJSON object, and back, with errors that name the feature."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple, assert_never

import shapely
from msgspec import Meta, Struct
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import RecordError, Sentence
from printkit.core.typed import right
from printkit.terrain.field.features import (
    KIND_ROWS,
    Area,
    Course,
    Crossing,
    Feature,
    Going,
    Hill,
    HillFace,
    Kind,
    Origin,
    Shape,
)
from printkit.terrain.field.geojson import (
    Geometry,
    Json,
    Length,
    LineGeometry,
    Number,
    PointGeometry,
    PolygonGeometry,
    Rings,
    read_line,
    read_point,
    read_polygon,
    require_geometry,
    rings,
    rounded,
    shape_object,
)

# A cliff or scree with the ID of a hill (``of``) is a part of its side instead of the shape in the table.
_ALSO_FACES: Final = (Kind.CLIFF, Kind.SCREE)

# The going of a feature without one in its file: its kind decides.
UNSTATED: Final = Going(rank=0, name="")


class FeatureProperties(Struct, frozen=True, kw_only=True):
    """The properties of a feature that all rule systems know.

    Attributes:
        kind: what it is.
        name: its name on the map.
        going: the going of the rule system by name; without it the kind decides.
        zone: the number of its zone.
        placed_by: the player who placed it.
        source: the clauses that it comes from.
        throws: the numbers of its rolls in the log, from 1.
        cells: its cells in the grid: column and row, from 1.
        contours: the contours of a hill above its outline.
        cover: the woods on a hill.
        of: the ID of the hill, for a steep part of its side.
        side: the number of that stretch.
        width_mm: the width of a course.
        bearing: the direction of a crossing, in degrees.
        way: the ID of the road of a crossing.
        water: the ID of the water of a crossing.
    """

    kind: Kind
    name: str | None = None
    going: str | None = None
    zone: int | None = None
    placed_by: str | None = None
    source: list[str] | None = None
    throws: list[int] | None = None
    cells: list[Annotated[tuple[int, int], right(Sentence("[column, row]"))]] | None = None
    contours: list[Rings] | None = None
    cover: Literal["light_woods", "heavy_woods"] | None = None
    of: str | None = None
    side: int | None = None
    width_mm: Length | None = None
    bearing: Number | None = None
    way: str | None = None
    water: str | None = None

    @property
    def shape(self) -> Shape:
        """Return what it is on the map."""
        return Shape.FACE if self.kind in _ALSO_FACES and self.of is not None else KIND_ROWS[self.kind].shape

    def read_going(self, goings: Mapping[str, Going], name: str) -> Going:
        """Return the going, from that of the rule system by name, of the feature called ``name``.

        Raises:
            RecordError: the rule system does not have it.
        """
        if self.going is None:
            return UNSTATED
        if self.going not in goings:
            raise RecordError(
                "{name}: unknown going {stated!r}; use one of {goings}",
                name=name,
                stated=self.going,
                goings=", ".join(goings),
            )
        return goings[self.going]


class FeatureObject(Struct, frozen=True, kw_only=True):
    """A feature of a file: its shape, its properties and its ID."""

    id: str | int | None = None
    geometry: Geometry
    properties: Annotated[FeatureProperties, right(Sentence('an object with at least its kind: {{"kind": "hill"}}'))]


# Other properties of a feature belong to the rule system, and are kept for it.
_KNOWN: Final = {*FeatureProperties.__struct_fields__, "levels", "steep"} - {"of", "side"}


class FeaturePart(NamedTuple):
    """What is one object of a record: a feature, or a steep stretch of a hill.

    ``shapes`` are in mm: the contours of a hill, the outermost first, or the one shape of another part. ``properties``
    are those of the object, with its ``kind``.
    """

    id: str
    shapes: tuple[BaseGeometry, ...]
    properties: Json

    def write(self) -> Json:
        """Return the GeoJSON object of the part."""
        return {
            "type": "Feature",
            "id": self.id,
            "geometry": shape_object(self.shapes[0]),
            "properties": self.properties,
        }


def feature_parts(feature: Feature, extra: Mapping[str, Any]) -> Iterator[FeaturePart]:
    """Yield a feature as a part of the record, and after a hill each of its steep stretches.

    Args:
        feature: with shapes in mm.
        extra: properties that only its rule system knows.
    """
    shapes: tuple[BaseGeometry, ...]
    own: Json
    match feature:
        case Area():
            shapes, own = (feature.outline,), {}
        case Hill():
            shapes = feature.contours
            own = {
                "levels": feature.levels,
                "steep": [face.side for face in feature.faces],
                "cover": feature.cover.value if feature.cover else None,
                "contours": [rings(contour) for contour in feature.contours[1:]],
            }
        case Course():
            shapes, own = (feature.line,), {"width_mm": rounded(feature.width)}
        case Crossing():
            shapes = (feature.at,)
            own = {"bearing": rounded(feature.bearing), "way": feature.route, "water": feature.water}
        case _:
            assert_never(feature)
    head: Json = {"kind": feature.kind.value, **_name_members(feature.name, feature.going)}
    others = {name: value for name, value in extra.items() if name not in _KNOWN}
    yield FeaturePart(feature.id, shapes, {**head, **own, **_origin(feature), **others})
    if isinstance(feature, Hill):
        for place, face in enumerate(feature.faces, 1):
            yield FeaturePart(f"{feature.id}-steep-{place}", (face.line,), _face_properties(feature.id, face))


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


# The most features of a record; a crowded board of 144 x 72 in has a fifth of them.
MOST_FEATURES: Final = 2000

# The greatest length of all outlines and lines of a record together, in mm.
MOST_DRAWN: Final = 3_000_000

Features = Annotated[
    list[FeatureObject],
    Meta(max_length=MOST_FEATURES),
    right(Sentence("a list of up to {most:,} features", most=MOST_FEATURES)),
]


def read_features(objects: Features, goings: Mapping[str, Going]) -> tuple[Feature, ...]:
    """Return the features of a record in their order, each hill with its steep stretches.

    Args:
        objects: the features of the file; a steep stretch may stand before its hill.
        goings: the going of the rule system by name.

    Raises:
        RecordError: a feature is wrong; names it, and what is right.
    """
    faces: dict[str, list[HillFace]] = {}
    ids = _read_ids(objects)
    for identity, item in zip(ids, objects, strict=True):
        if item.properties.shape is Shape.FACE:
            name = Sentence("feature {identity!r}", identity=identity)
            if item.properties.of is None:
                raise RecordError("{name}: of is missing; write the id of the hill", name=name)
            hill_faces = faces.setdefault(item.properties.of, [])
            hill_faces.append(_read_face(item, goings, name, len(hill_faces)))
    features = tuple(
        _read_feature(item, identity, goings, faces.pop(identity, []))
        for identity, item in zip(ids, objects, strict=True)
        if item.properties.shape is not Shape.FACE
    )
    if faces:
        raise RecordError("steep slope of {faces!r}: features has no hill with that id", faces=next(iter(faces)))
    length_mm = float(shapely.length([shape for feature in features for shape in _shapes(feature)]).sum())
    if length_mm > MOST_DRAWN:
        raise RecordError(
            "the lines of all features are {drawn:,.0f} mm long; printkit reads up to {most:,}",
            drawn=length_mm,
            most=MOST_DRAWN,
        )
    return features


def read_extra(features: Sequence[Feature], objects: Features, tree: Json) -> dict[str, Json]:
    """Return the properties that only the rule system knows, by the ID of the feature.

    Args:
        features: the features of a record.
        objects: the features of its file, with steep stretches.
        tree: the decoded file.
    """
    pairs = zip(objects, tree["features"], strict=True)
    own_properties = [part["properties"] for item, part in pairs if item.properties.shape is not Shape.FACE]
    extras = [{key: value for key, value in part.items() if key not in _KNOWN} for part in own_properties]
    return {feature.id: extra for feature, extra in zip(features, extras, strict=True) if extra}


def _read_ids(objects: Features) -> list[str]:
    """Return the ID of each feature; one without an ID is called after its kind and number.

    Raises:
        RecordError: two features have the same ID.
    """
    file_ids = ["" if item.id is None else str(item.id) for item in objects]
    ids, counts = set[str](), dict[Kind, int]()
    for number, identity in enumerate(file_ids, 1):
        if identity in ids:
            raise RecordError(
                "{path}: the id {identity!r} belongs to an earlier feature; choose another",
                path=f"features {number}",
                identity=identity,
            )
        ids.update([identity] if identity else [])

    def new_id(kind: Kind) -> str:
        while True:
            counts[kind] = counts.get(kind, 0) + 1
            if (identity := f"{kind}-{counts[kind]}") not in ids:
                return identity

    return [identity or new_id(item.properties.kind) for identity, item in zip(file_ids, objects, strict=True)]


def _read_face(item: FeatureObject, goings: Mapping[str, Going], name: str, number: int) -> HillFace:
    """Return the steep stretch called ``name``; ``number`` is its number if the file does not state it."""
    properties = item.properties
    return HillFace(
        line=read_line(require_geometry(item.geometry, LineGeometry, name).coordinates, name),
        kind=properties.kind,
        going=properties.read_going(goings, name),
        side=number if properties.side is None else properties.side,
    )


def _read_feature(
    item: FeatureObject, identity: str, goings: Mapping[str, Going], faces: Sequence[HillFace]
) -> Feature:
    name, properties = Sentence("feature {identity!r}", identity=identity), item.properties
    common: Json = {
        "id": identity,
        "kind": properties.kind,
        "name": properties.name or "",
        "going": properties.read_going(goings, name),
        "cells": tuple(properties.cells or ()),
        "origin": Origin(
            clauses=tuple(properties.source or ()),
            throws=tuple(properties.throws or ()),
            zone=properties.zone,
            placed_by=properties.placed_by or "",
        ),
    }
    match KIND_ROWS[properties.kind].shape:
        case Shape.COURSE:
            if properties.width_mm is None:
                raise RecordError("{name} needs its width in millimetres: write width_mm", name=name)
            line = read_line(require_geometry(item.geometry, LineGeometry, name).coordinates, name)
            return Course(line=line, width=rounded(properties.width_mm), **common)
        case Shape.CROSSING:
            return Crossing(
                at=read_point(require_geometry(item.geometry, PointGeometry, name).coordinates),
                bearing=rounded(properties.bearing or 0),
                route=properties.way or "",
                water=properties.water or "",
                **common,
            )
        case shape:
            outline = read_polygon(require_geometry(item.geometry, PolygonGeometry, name).coordinates, name)
            if shape is Shape.AREA:
                return Area(outline=outline, **common)
            return Hill(
                contours=(outline, *(read_polygon(contour, name) for contour in properties.contours or ())),
                faces=tuple(faces),
                cover=Kind(properties.cover) if properties.cover else None,
                **common,
            )


def _face_properties(hill: str, face: HillFace) -> Json:
    properties: Json = {"kind": face.kind.value, **_name_members("", face.going), "of": hill, "side": face.side}
    if face.going.is_impassable:
        properties["impassable"] = True
    return properties


def _name_members(name: str, going: Going) -> Json:
    return {**({"name": name} if name else {}), **({"going": going.name} if going.name else {})}


def _origin(feature: Feature) -> Json:
    origin, members = feature.origin, Json()
    if origin.zone is not None:
        members["zone"] = origin.zone
    if origin.placed_by:
        members["placed_by"] = origin.placed_by
    if origin.clauses:
        members["source"] = list(origin.clauses)
    if origin.throws:
        members["throws"] = list(origin.throws)
    if feature.cells:
        members["cells"] = [list(cell) for cell in feature.cells]
    return members
