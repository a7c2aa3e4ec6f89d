"""The details of a record, parsed and validated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct, field

from printkit.core.errors import RecordError
from printkit.systems.portable.grid.overrides import SLOTS
from printkit.systems.portable.grid.sketch import SketchNote
from printkit.terrain.field.features import Kind
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


class PassageEntry(Struct, frozen=True, kw_only=True):
    """A crossing."""

    id: str
    clauses: tuple[str, ...] = ()


class RecordDetails(Struct, frozen=True, kw_only=True):
    """The details of a record that printkit reads."""

    geography: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    places: tuple[PlaceEntry, ...] = ()
    ways: tuple[WayEntry, ...] = ()
    passages: tuple[PassageEntry, ...] = ()
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
