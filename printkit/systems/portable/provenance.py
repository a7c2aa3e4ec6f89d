"""Why each feature of a portable battlefield is there (PW0-02, PW0-14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from printkit.core.words import Words
from printkit.kit.provenance import AccountLine, account_features, scores_of_feature
from printkit.systems.portable.grid.details import (
    PlaceEntry,
    RecordedArea,
    RecordedCourse,
    RecordedEdgePosition,
    parse_details,
)
from printkit.systems.portable.grid.sketch import HABITATION
from printkit.terrain.field.features import Course, Crossing, Feature
from printkit.terrain.field.grids import Cell
from printkit.terrain.field.record import Record


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
                scores, clause = scores_of_feature(feature, self._log), next(iter(feature.origin.clauses), None)
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
        facts, count = entry.told, len(entry.cells)
        if entry.id in self._numbered.values():
            yield _line("number", score=facts.number_score)
        for part in (facts,) if facts.areas is None else facts.areas:
            yield from self._explain_area(part, self._area(part.cell or entry.cells[0]))
        areas = tuple(map(self._area, entry.cells[1:]))
        yield _line("sides", scores=", ".join(map(str, facts.sides)) or None, areas=areas, count=count)
        yield _line("height" if entry.contours else "mountain", score=facts.height_score, count=entry.contours)
        yield _line("use", score=facts.use_score, use=AccountLine(f"kind.{entry.kind}", str.lower))
        if facts.areas is not None and entry.kind in HABITATION:
            yield _second_line(f"makes.{entry.kind}", count=count)
        yield from self._explain_owner("of", facts.of)

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

    def _explain_course(self, facts: RecordedCourse) -> Iterator[AccountLine]:
        """Yield how a course was placed: ends, dice, width and detour."""
        if facts.start is not None and facts.end is not None:
            yield _line("from_to", start=_position_line(facts.start), end=_position_line(facts.end))
        elif facts.entry is not None and facts.exit is not None:
            start, end = self._end(facts.entry, facts.entry_quarter), self._end(facts.exit, facts.exit_quarter)
            yield _line("from_to" if facts.joins is None else "joins", start=start, end=end)
        for key in ("entry", "exit", "entry_station", "exit_station"):
            yield _line(key, score=facts.scores.get(key))
        areas = facts.areas or facts.width or None
        if facts.width_score is None:
            yield _line("width", count=areas)
        yield _line("width_die", score=facts.width_score, count=areas)
        yield _second_line("bank", score=facts.bank_score, side=facts.bank and _second_line(f"side.{facts.bank}"))
        yield _line("detour", score=facts.detour)
        yield _second_line("forced", areas=tuple(map(self._area, facts.forced)) or None)
        yield from self._explain_owner("stop", facts.stop)

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
