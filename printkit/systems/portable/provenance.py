"""Explain how each feature was generated (PW0-02, PW0-14), and write the details of the record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.core.words import Words
from printkit.kit.provenance import describe_features, scores_of_feature
from printkit.systems.portable.grid.details import PlaceEntry, RecordedArea, RecordedEdgePosition, parse_details
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
    return describe_features(record, words, lambda record, language: _Explainer(record, language).explain_feature)


class _Explainer:
    """Explains the features of one record in one language."""

    def __init__(self, record: Record, words: Words) -> None:
        self._words = words
        self._log = record.log
        self._grid = record.battlefield.grid
        self._kept = parse_details(record)
        self._numbered = {entry.throws[0]: entry.id for entry in self._kept.places[::-1] if entry.throws}

    def explain_feature(self, feature: Feature) -> Iterator[str]:
        """Yield the sentences about one feature; nothing if the record does not have it."""
        match feature:
            case Course():
                yield from self._explain_course(feature)
            case Crossing():
                yield from self._explain_crossing(feature)
            case _ if any(entry.id == feature.id for entry in self._kept.places):
                for entry in self._kept.places:
                    if entry.kind is feature.kind and set(entry.cells) <= set(feature.cells):
                        yield from self._explain_place(entry)

    def _text(self, key: str, **values: object) -> str:
        """Return a text of the account in the language, filled with ``values``."""
        return self._words(f"portable.account.{key}", **values)

    def _area_text(self, cell: Sequence[int]) -> str:
        """Return an area as the map prints it, or by row and column if there is no grid (PW0-02)."""
        if self._grid is not None:
            return self._grid.address(Cell(*cell))
        return self._words("portable.area", row=cell[1], column=cell[0])

    def _explain_place(self, entry: PlaceEntry) -> Iterator[str]:
        """Yield how a feature on whole areas was placed; for each area, if areas were located one by one."""
        place_facts = entry.told
        if place_facts.number_score is not None and entry.id in self._numbered.values():
            yield self._text("number", score=place_facts.number_score)
        for part in (place_facts,) if place_facts.areas is None else place_facts.areas:
            yield from self._explain_area(part, self._area_text(part.cell or entry.cells[0]))
        if place_facts.sides:
            scores = ", ".join(map(str, place_facts.sides))
            areas = " ".join(self._area_text(cell) for cell in entry.cells[1:])
            yield self._text("sides", scores=scores, areas=areas, count=len(entry.cells))
        if place_facts.height_score is not None:
            yield self._text(
                "height" if entry.contours else "mountain", score=place_facts.height_score, count=entry.contours
            )
        if place_facts.use_score is not None:
            yield self._text("use", score=place_facts.use_score, use=self._kind_text(entry.kind))
        if place_facts.areas is not None and entry.kind in HABITATION:
            yield self._words(f"portable.second.makes.{entry.kind}", count=len(entry.cells))
        yield from self._explain_owner("of", place_facts.of)

    def _explain_area(self, part: RecordedArea, area: str) -> Iterator[str]:
        """Yield how one area was located; ``area`` is its printed name.

        It yields nothing if the record has no way of locating it.
        """
        after = "" if part.after is None else self._area_text(part.after)
        match part.by:
            case "first":
                yield self._text("first", area=area, dice=_format_sum(part.dice), sum=sum(part.dice), row=part.row)
            case "onward":
                yield self._text("onward", area=area, dice=_format_sum(part.dice), sum=sum(part.dice), after=after)
            case "beside":
                yield self._text("beside", area=area, score=part.score, after=after)
            case "next" | "given":
                yield self._text(part.by, area=area)
        if skipped := part.passed or part.passed_sides:
            yield self._text("passed" if part.passed else "passed_sides", count=len(skipped))

    def _explain_course(self, course: Course) -> Iterator[str]:
        """Yield how a course was placed: ends, dice, width, detour; nothing without facts in the record."""
        course_facts = next((entry.told for entry in self._kept.ways if entry.id == course.id), None)
        if course_facts is None:
            return
        if course_facts.start is not None and course_facts.end is not None:
            yield self._text(
                "from_to", start=self._position_text(course_facts.start), end=self._position_text(course_facts.end)
            )
        elif course_facts.entry is not None and course_facts.exit is not None:
            start, end = (
                self._end_text(course_facts.entry, course_facts.entry_quarter),
                self._end_text(course_facts.exit, course_facts.exit_quarter),
            )
            yield self._text("from_to" if course_facts.joins is None else "joins", start=start, end=end)
        for key in ("entry", "exit", "entry_station", "exit_station"):
            if course_facts.scores.get(key) is not None:
                yield self._text(key, score=course_facts.scores[key])
        areas = course_facts.areas or course_facts.width
        if course_facts.width_score is not None:
            yield self._text("width_die", score=course_facts.width_score, count=areas)
        elif areas:
            yield self._text("width", count=areas)
        if course_facts.bank_score is not None and course_facts.bank is not None:
            side = self._words(f"portable.second.side.{course_facts.bank}")
            yield self._words("portable.second.bank", score=course_facts.bank_score, side=side)
        if course_facts.detour is not None:
            yield self._text("detour", score=course_facts.detour)
        if course_facts.forced:
            yield self._words("portable.second.forced", areas=" ".join(map(self._area_text, course_facts.forced)))
        yield from self._explain_owner("stop", course_facts.stop)

    def _explain_owner(self, key: str, identity: str | None) -> Iterator[str]:
        """Yield the place that a feature belongs to; nothing if ``identity`` is not that of a place.

        ``key`` selects the text: ``of`` for a field, ``stop`` for a railway.
        """
        place = next((each for each in self._kept.places if each.id == identity and each.kind in HABITATION), None)
        if place is not None:
            kind, area = self._words(f"portable.second.kind.{place.kind}"), self._area_text(place.cells[0])
            yield self._words(f"portable.second.{key}", kind=kind, area=area)

    def _position_text(self, position: RecordedEdgePosition) -> str:
        """Return an edge position in words: a corner, or a side with its station in percent."""
        slot = self._words(f"portable.slot.{position.slot}")
        return slot if "-" in position.slot else self._text("stand", slot=slot, percent=round(100 * position.share))

    def _end_text(self, cell: Cell, quarter: int | None) -> str:
        """Return an area where a course crosses the board edge, with its quarter, 1 to 16, if there is one."""
        return (
            self._area_text(cell)
            if quarter is None
            else self._text("mouth", area=self._area_text(cell), quarter=quarter)
        )

    def _explain_crossing(self, crossing: Crossing) -> Iterator[str]:
        """Yield the die or the rule that gave the kind of a crossing; nothing if the record has no clause."""
        clauses = next((entry.clauses for entry in self._kept.passages if entry.id == crossing.id), ())
        if not clauses:
            return
        kind = self._kind_text(crossing.kind)
        if scores := scores_of_feature(crossing, self._log):
            yield self._text("crossing_die", score=scores[-1], kind=kind, clause=clauses[0])
        else:
            yield self._text("crossing", kind=kind, clause=clauses[0])

    def _kind_text(self, kind: str) -> str:
        """Return the name of a kind in the language, in lower case."""
        return self._words(f"kind.{kind}").lower()


def _format_sum(dice: Sequence[int]) -> str:
    """Return scores as a sum, for example ``3 + 5 + 1``."""
    return " + ".join(map(str, dice))
