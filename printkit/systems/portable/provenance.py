"""Explain how each feature was generated (PW0-02, PW0-14), and write the details of the record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.core.words import Words
from printkit.kit.provenance import AccountLine, account_features, scores_of_feature
from printkit.systems.portable.grid.details import (
    PlaceEntry,
    RecordedArea,
    RecordedCourse,
    RecordedEdgePosition,
    parse_details,
)
from printkit.systems.portable.grid.geography import Geography
from printkit.systems.portable.grid.sketch import FIELDS, HABITATION, AreaFeature, CellCourse, Sketch, SketchNote
from printkit.terrain.field.features import Course, Crossing, Feature
from printkit.terrain.field.grids import Cell
from printkit.terrain.field.record import Record

# --- The details of the record ----------------------------------------------------------------------------------------

_PLACES = 4


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


def write_note(note: SketchNote) -> Sentence:
    """Return what could not be placed as the rules say, with the reason."""
    values = {"count": 1, "kind": "", "areas": "", "what": "", "area": "", **note.values}
    values |= {"feature": note.feature, "rule": note.clause}
    match note.key:
        case "dropped":
            return Sentence("no area was left for {count} {kind} (PW0-11)", **values)
        case "smaller":
            return Sentence("{feature} has fewer areas, because no area next to it was left ({rule})", **values)
        case "forced":
            return Sentence("{feature} had to cross hills, because they block every route ({rule})", **values)
        case "short":
            return Sentence("{feature} touches fewer than three areas ({rule})", **values)
        case "nowhere":
            return Sentence("no route for {what} ({rule})", **values)
        case _:
            return Sentence("no road reaches {feature} at {area} ({rule})", **values)


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


def explain_features(record: Record, words: Words) -> dict[str, str]:
    """Return sentences for each feature, by its ID; features without recorded facts are left out."""
    return account_features(record, words, _Explainer(record).explain)


def _line(key: str, **values: object) -> AccountLine:
    """Return the line of a key below ``portable.account.``."""
    return AccountLine(f"portable.account.{key}", **values)


def _second_line(key: str, **values: object) -> AccountLine:
    """Return the line of a key below ``portable.second.``."""
    return AccountLine(f"portable.second.{key}", **values)


class _Explainer:
    """Yields the sentences about the features of one record."""

    def __init__(self, record: Record) -> None:
        self._log = record.log
        self._grid = record.battlefield.grid
        self._kept = parse_details(record)
        self._numbered = {entry.throws[0]: entry.id for entry in self._kept.places[::-1] if entry.throws}

    def explain(self, feature: Feature) -> Iterator[AccountLine]:
        """Yield the sentences about one feature; nothing if the record does not have it."""
        match feature:
            case Course():
                for way in [entry for entry in self._kept.ways if entry.id == feature.id][:1]:
                    yield from self._explain_course(way.told)
            case Crossing():
                clause = next(
                    (entry.clauses[0] for entry in self._kept.passages if entry.id == feature.id and entry.clauses), ""
                )
                scores = scores_of_feature(feature, self._log)
                if clause:
                    yield _line("crossing_die" if scores else "crossing", score="".join(scores[-1:]), clause=clause)
            case _ if any(entry.id == feature.id for entry in self._kept.places):
                for entry in self._kept.places:
                    if entry.kind is feature.kind and set(entry.cells) <= set(feature.cells):
                        yield from self._explain_place(entry)

    def _area(self, cell: Sequence[int]) -> str | AccountLine:
        """Return an area as the map prints it, or by row and column if there is no grid (PW0-02)."""
        if self._grid is not None:
            return self._grid.address(Cell(*cell))
        return AccountLine("portable.area", row=cell[1], column=cell[0])

    def _explain_place(self, entry: PlaceEntry) -> Iterator[AccountLine]:
        """Yield how a feature on whole areas was placed; for each area, if areas were located one by one."""
        told, count = entry.told, len(entry.cells)
        if told.number_score is not None and entry.id in self._numbered.values():
            yield _line("number", score=told.number_score)
        for part in (told,) if told.areas is None else told.areas:
            yield from self._explain_area(part, self._area(part.cell or entry.cells[0]))
        if told.sides:
            areas = tuple(map(self._area, entry.cells[1:]))
            yield _line("sides", scores=", ".join(map(str, told.sides)), areas=areas, count=count)
        if told.height_score is not None:
            yield _line("height" if entry.contours else "mountain", score=told.height_score, count=entry.contours)
        if told.use_score is not None:
            yield _line("use", score=told.use_score, use=AccountLine(f"kind.{entry.kind}", str.lower))
        if told.areas is not None and entry.kind in HABITATION:
            yield _second_line(f"makes.{entry.kind}", count=count)
        yield from self._explain_owner("of", told.of)

    def _explain_area(self, part: RecordedArea, area: str | AccountLine) -> Iterator[AccountLine]:
        """Yield how one area was located; ``area`` is its printed name.

        It yields nothing if the record has no way of locating it.
        """
        if part.by in ("first", "onward", "beside", "next", "given"):
            yield _line(
                part.by,
                area=area,
                dice=" + ".join(map(str, part.dice)),
                sum=sum(part.dice),
                row=part.row,
                score=part.score,
                after="" if part.after is None else self._area(part.after),
            )
        if skipped := part.passed or part.passed_sides:
            yield _line("passed" if part.passed else "passed_sides", count=len(skipped))

    def _explain_course(self, told: RecordedCourse) -> Iterator[AccountLine]:
        """Yield how a course was placed: ends, dice, width and detour."""
        if told.start is not None and told.end is not None:
            yield _line("from_to", start=_position_line(told.start), end=_position_line(told.end))
        elif told.entry is not None and told.exit is not None:
            start, end = self._end(told.entry, told.entry_quarter), self._end(told.exit, told.exit_quarter)
            yield _line("from_to" if told.joins is None else "joins", start=start, end=end)
        for key in ("entry", "exit", "entry_station", "exit_station"):
            if told.scores.get(key) is not None:
                yield _line(key, score=told.scores[key])
        areas = told.areas or told.width
        if told.width_score is not None or areas:
            yield _line("width" if told.width_score is None else "width_die", score=told.width_score, count=areas)
        if told.bank_score is not None and told.bank is not None:
            yield _second_line("bank", score=told.bank_score, side=_second_line(f"side.{told.bank}"))
        if told.detour is not None:
            yield _line("detour", score=told.detour)
        if told.forced:
            yield _second_line("forced", areas=tuple(map(self._area, told.forced)))
        yield from self._explain_owner("stop", told.stop)

    def _explain_owner(self, key: str, identity: str | None) -> Iterator[AccountLine]:
        """Yield the place that a feature belongs to; nothing if ``identity`` is not that of a place.

        ``key`` selects the text: ``of`` for a field, ``stop`` for a railway.
        """
        place = next((each for each in self._kept.places if each.id == identity and each.kind in HABITATION), None)
        if place is not None:
            yield _second_line(key, kind=_second_line(f"kind.{place.kind}"), area=self._area(place.cells[0]))

    def _end(self, cell: Cell, quarter: int | None) -> str | AccountLine:
        """Return an area where a course crosses the board edge, with its quarter, 1 to 16, if there is one."""
        return self._area(cell) if quarter is None else _line("mouth", area=self._area(cell), quarter=quarter)


def _position_line(position: RecordedEdgePosition) -> AccountLine:
    """Return an edge position: a corner, or a side with its station in percent."""
    slot = AccountLine(f"portable.slot.{position.slot}")
    return slot if "-" in position.slot else _line("stand", slot=slot, percent=round(100 * position.share))
