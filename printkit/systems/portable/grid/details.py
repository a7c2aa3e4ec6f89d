"""The details of a record: written, and parsed and validated."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct, field

from printkit.core.errors import RecordError
from printkit.systems.portable.grid.geography import Geography
from printkit.systems.portable.grid.overrides import SLOTS
from printkit.systems.portable.grid.sketch import FIELDS, AreaFeature, CellCourse, Sketch, SketchNote
from printkit.terrain.field.features import Feature, Kind
from printkit.terrain.field.grids import Cell
from printkit.terrain.field.record import Record

Cells = Annotated[tuple[Cell, ...], Meta(min_length=1)]
_Scores = tuple[int, ...]
_PATH: Final = re.compile(r".* - at `\$(.*)`")


class RecordedArea(Struct, frozen=True, kw_only=True):
    """How an area was located; ``by`` is the method."""

    by: str = ""
    cell: Cell | None = None
    dice: _Scores = ()
    row: int = 0
    passed: tuple[Cell, ...] = ()
    after: Cell | None = None
    score: int = 0
    passed_sides: _Scores = ()


class RecordedPlace(RecordedArea, frozen=True, kw_only=True):
    """How a feature on whole areas was placed; ``areas`` if they were located one by one."""

    number_score: int | None = None
    areas: tuple[RecordedArea, ...] | None = None
    sides: _Scores = ()
    height_score: int | None = None
    use_score: int | None = None
    of: str | None = None


class RecordedEdgePosition(Struct, frozen=True):
    """Where a course of version 1 begins or ends on the edge.

    ``share`` is the position along a side, from 0 to 1.
    """

    slot: Literal[SLOTS]  # type: ignore[valid-type]
    share: float = 0.0


class RecordedCourse(Struct, frozen=True, kw_only=True):
    """How a course was placed."""

    start: RecordedEdgePosition | None = field(default=None, name="from")
    end: RecordedEdgePosition | None = field(default=None, name="to")
    joins: str | None = None
    entry: Cell | None = None
    exit: Cell | None = None
    entry_quarter: int | None = None
    exit_quarter: int | None = None
    scores: Mapping[str, int | None] = field(default_factory=dict)
    areas: int | None = None
    width: int | None = None
    width_score: int | None = None
    bank: Literal["left", "right"] | None = None
    bank_score: int | None = None
    detour: int | None = None
    forced: tuple[Cell, ...] = ()
    stop: str | None = None


class PlaceEntry(Struct, frozen=True, kw_only=True):
    """A feature on whole areas.

    Attributes:
        outlines: the number of strips of a field; None if the record does not state it.
    """

    id: str
    kind: Kind
    cells: Cells
    contours: int = 0
    outlines: int | None = None
    throws: _Scores = ()
    told: RecordedPlace = RecordedPlace()


class WayEntry(Struct, frozen=True, kw_only=True):
    """A course."""

    id: str
    told: RecordedCourse = RecordedCourse()


class RecordDetails(Struct, frozen=True, kw_only=True):
    """The details of a record that printkit reads."""

    geography: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    places: tuple[PlaceEntry, ...] = ()
    ways: tuple[WayEntry, ...] = ()
    notes: tuple[SketchNote, ...] = ()


def parse_details(record: Record) -> RecordDetails:
    """Return the details of a record.

    Raises:
        RecordError: a member is missing or has another type; names its path.
    """
    try:
        return msgspec.convert(dict(record.details), RecordDetails)
    except msgspec.ValidationError as error:
        match = _PATH.fullmatch(str(error))
        path = f"{record.rules}{match[1] if match else ''}"
        raise RecordError("{path} of the record is not what these rules write there", path=path) from None


_PLACES: Final = 4


def build_details(sketch: Sketch, geography: Geography, features: Sequence[Feature]) -> dict[str, Any]:
    """Return the details of the record: everything on the sketch in plain values, areas as [column, row].

    The keys are ``geography``, ``places``, ``ways``, ``passages`` and ``notes``. For a field they include the number of
    strips that are drawn.
    """
    strips = Counter((feature.kind.value, feature.cells) for feature in features if feature.kind in FIELDS)
    return {
        "geography": geography.facts,
        "places": [_place_details(piece, strips[piece.kind.value, piece.cells]) for piece in sketch.placings],
        "ways": [_course_details(course) for course in sketch.ways],
        "passages": [_plain_details(passage, "at") for passage in sketch.passages],
        "notes": [_plain_details(note) for note in sketch.notes],
    }


def _place_details(piece: AreaFeature, strips: int) -> dict[str, Any]:
    """Return a feature on complete areas as plain values by name; areas are lists of column and row from 1.

    ``strips`` is the number of strips of a field, 0 for other features. Contours and strips are left out if they are 0.
    """
    return {
        "id": piece.id,
        "kind": piece.kind.value,
        "cells": [list(cell) for cell in piece.cells],
        **({"contours": piece.contours} if piece.contours else {}),
        **({"outlines": strips} if strips else {}),
        "throws": list(piece.throws),
        "clauses": list(piece.clauses),
        "told": dict(piece.told),
    }


def _plain_details(value: Struct, *left_out: str) -> dict[str, Any]:
    """Return the members of a struct in plain values, without those ``left_out``."""
    return {name: member for name, member in msgspec.to_builtins(value).items() if name not in left_out}


def _course_details(course: CellCourse) -> dict[str, Any]:
    """Return a course as plain values by name; the ends of a band are in mm on the board, its shares 0 to 1."""
    details: dict[str, Any] = {
        "id": course.id,
        "kind": course.kind.value,
        "cells": [list(cell) for cell in course.cells],
        "width": course.width,
    }
    if course.band is not None:
        details["band_mm"] = [[round(part, _PLACES) for part in end] for end in course.band]
        details["shares"] = [[*cell, round(share, _PLACES)] for cell, share in course.shares.items()]
    else:
        details |= {"enters": course.enters, "leaves": course.leaves}
    if any(course.beside):
        details["beside"] = [None if cell is None else list(cell) for cell in course.beside]
    return {**details, "throws": list(course.throws), "clauses": list(course.clauses), "told": dict(course.facts)}
