"""Explain how each feature was generated (PW0-02, PW0-14), and write the details of the record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.core.words import Words
from printkit.kit.provenance import describe_features, scores_of_feature
from printkit.systems.portable.grid.details import PlaceEntry, RecordedArea, RecordedEdgePosition, details_of
from printkit.systems.portable.grid.geography import Geography
from printkit.systems.portable.grid.sketch import FIELDS, HABITATION, AreaFeature, CellCourse, Sketch, SketchNote
from printkit.terrain.field.features import Course, Crossing, Feature
from printkit.terrain.field.grids import Cell
from printkit.terrain.field.record import Record

# --- The details of the record ----------------------------------------------------------------------------------------

_PLACES = 4


def facts(sketch: Sketch, country: Geography, features: Sequence[Feature]) -> dict[str, Any]:
    """Return the details of the record: everything on the sketch in plain values, areas as [column, row].

    For a field they include the number of strips that are drawn.
    """
    strips = Counter((each.kind.value, each.cells) for each in features if each.kind in FIELDS)
    return {
        "geography": country.facts,
        "places": [_place(piece, strips[piece.kind.value, piece.cells]) for piece in sketch.placings],
        "ways": [_way(way) for way in sketch.ways],
        "passages": [_plain(passage, "at") for passage in sketch.passages],
        "notes": [_plain(note) for note in sketch.notes],
    }


def warnings(sketch: Sketch) -> tuple[str, ...]:
    """Return a line for each note, for the user."""
    return tuple(
        _warning(note, {"count": 1, **note.values, "feature": note.feature, "rule": note.clause})
        for note in sketch.notes
    )


def _warning(note: SketchNote, values: Mapping[str, Any]) -> Sentence:
    match note.key:
        case "dropped":
            return Sentence("no area was left for {count} {kind} (PW0-11)", **values)
        case "forced":
            return Sentence("{feature} had to cross hills, because they block every route ({rule})", **values)
        case "short":
            return Sentence("{feature} touches fewer than three areas ({rule})", **values)
        case "nowhere":
            return Sentence("no route for {what} ({rule})", **values)
        case _:
            return Sentence("no road reaches {feature} at {area} ({rule})", **values)


def _place(piece: AreaFeature, strips: int) -> dict[str, Any]:
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


def _plain(value: Struct, *left_out: str) -> dict[str, Any]:
    return {name: member for name, member in msgspec.to_builtins(value).items() if name not in left_out}


def _way(way: CellCourse) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": way.id,
        "kind": way.kind.value,
        "cells": [list(cell) for cell in way.cells],
        "width": way.width,
    }
    if way.band is not None:
        found["band_mm"] = [[round(part, _PLACES) for part in end] for end in way.band]
        found["shares"] = [[*cell, round(share, _PLACES)] for cell, share in way.shares.items()]
    else:
        found |= {"enters": way.enters, "leaves": way.leaves}
    if any(way.beside):
        found["beside"] = [None if cell is None else list(cell) for cell in way.beside]
    return {**found, "throws": list(way.throws), "clauses": list(way.clauses), "told": dict(way.told)}


def account(record: Record, words: Words) -> dict[str, str]:
    """Return sentences for each feature, by its ID; facts that the record does not contain are left out."""
    return describe_features(record, words, lambda record, language: _Telling(record, language).of)


class _Telling:
    """Explains the features of one record in one language."""

    def __init__(self, record: Record, words: Words) -> None:
        self._words = words
        self._log = record.log
        self._grid = record.battlefield.grid
        self._kept = details_of(record)
        self._numbered = {entry.throws[0]: entry.id for entry in self._kept.places[::-1] if entry.throws}

    def of(self, feature: Feature) -> Iterator[str]:
        """Yield the sentences about one feature."""
        match feature:
            case Course():
                yield from self._course(feature)
            case Crossing():
                yield from self._crossing(feature)
            case _ if any(entry.id == feature.id for entry in self._kept.places):
                for entry in self._kept.places:
                    if entry.kind is feature.kind and set(entry.cells) <= set(feature.cells):
                        yield from self._place(entry)

    def _say(self, key: str, **values: object) -> str:
        return self._words(f"portable.account.{key}", **values)

    def _area(self, cell: Sequence[int]) -> str:
        """Return an area as the map prints it, or by row and column if there is no grid (PW0-02)."""
        if self._grid is not None:
            return self._grid.address(Cell(*cell))
        return self._words("portable.area", row=cell[1], column=cell[0])

    def _place(self, entry: PlaceEntry) -> Iterator[str]:
        """Yield how a feature on whole areas was placed; for each area, if areas were located one by one."""
        told = entry.told
        if told.number_score is not None and entry.id in self._numbered.values():
            yield self._say("number", score=told.number_score)
        for part in (told,) if told.areas is None else told.areas:
            yield from self._located(part, self._area(part.cell or entry.cells[0]))
        if told.sides:
            areas = " ".join(self._area(cell) for cell in entry.cells[1:])
            yield self._say("sides", scores=_listed(told.sides), areas=areas, count=len(entry.cells))
        if told.height_score is not None:
            yield self._say("height" if entry.contours else "mountain", score=told.height_score, count=entry.contours)
        if told.use_score is not None:
            yield self._say("use", score=told.use_score, use=self._kind(entry.kind))
        if told.areas is not None and entry.kind in HABITATION:
            yield self._words(f"portable.second.makes.{entry.kind}", count=len(entry.cells))
        yield from self._at_place("of", told.of)

    def _located(self, part: RecordedArea, area: str) -> Iterator[str]:
        after = "" if part.after is None else self._area(part.after)
        match part.by:
            case "first":
                yield self._say("first", area=area, dice=_added(part.dice), sum=sum(part.dice), row=part.row)
            case "onward":
                yield self._say("onward", area=area, dice=_added(part.dice), sum=sum(part.dice), after=after)
            case "beside":
                yield self._say("beside", area=area, score=part.score, after=after)
            case "next" | "given":
                yield self._say(part.by, area=area)
        if passed := part.passed or part.passed_sides:
            yield self._say("passed" if part.passed else "passed_sides", count=len(passed))

    def _course(self, course: Course) -> Iterator[str]:
        told = next((entry.told for entry in self._kept.ways if entry.id == course.id), None)
        if told is None:
            return
        if told.start is not None and told.end is not None:
            yield self._say("from_to", start=self._stand(told.start), end=self._stand(told.end))
        elif told.entry is not None and told.exit is not None:
            start, end = self._mouth(told.entry, told.entry_quarter), self._mouth(told.exit, told.exit_quarter)
            yield self._say("from_to" if told.joins is None else "joins", start=start, end=end)
        for key in ("entry", "exit", "entry_station", "exit_station"):
            if told.scores.get(key) is not None:
                yield self._say(key, score=told.scores[key])
        areas = told.areas or told.width
        if told.width_score is not None:
            yield self._say("width_die", score=told.width_score, count=areas)
        elif areas:
            yield self._say("width", count=areas)
        if told.bank_score is not None and told.bank is not None:
            side = self._words(f"portable.second.side.{told.bank}")
            yield self._words("portable.second.bank", score=told.bank_score, side=side)
        if told.detour is not None:
            yield self._say("detour", score=told.detour)
        if told.forced:
            yield self._words("portable.second.forced", areas=" ".join(map(self._area, told.forced)))
        yield from self._at_place("stop", told.stop)

    def _at_place(self, key: str, identity: str | None) -> Iterator[str]:
        """Yield the place that a feature belongs to, if there is one."""
        place = next((each for each in self._kept.places if each.id == identity and each.kind in HABITATION), None)
        if place is not None:
            kind, area = self._words(f"portable.second.kind.{place.kind}"), self._area(place.cells[0])
            yield self._words(f"portable.second.{key}", kind=kind, area=area)

    def _stand(self, stand: RecordedEdgePosition) -> str:
        slot = self._words(f"portable.slot.{stand.slot}")
        return slot if "-" in stand.slot else self._say("stand", slot=slot, percent=round(100 * stand.share))

    def _mouth(self, cell: Cell, quarter: int | None) -> str:
        return self._area(cell) if quarter is None else self._say("mouth", area=self._area(cell), quarter=quarter)

    def _crossing(self, crossing: Crossing) -> Iterator[str]:
        clauses = next((entry.clauses for entry in self._kept.passages if entry.id == crossing.id), ())
        if not clauses:
            return
        kind = self._kind(crossing.kind)
        if scores := scores_of_feature(crossing, self._log):
            yield self._say("crossing_die", score=scores[-1], kind=kind, clause=clauses[0])
        else:
            yield self._say("crossing", kind=kind, clause=clauses[0])

    def _kind(self, kind: str) -> str:
        return self._words(f"kind.{kind}").lower()


def _added(dice: Sequence[int]) -> str:
    return " + ".join(map(str, dice))


def _listed(scores: Sequence[int]) -> str:
    return ", ".join(map(str, scores))
