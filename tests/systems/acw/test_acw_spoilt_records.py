"""Of a record what is missing is found, and what is wrong is judged or named, as every piece's size from both sides.

Sizes are in inches on a table whose zones have sides of 24.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from drawn_by_hand import area, broken, course, hill, line, oval, plot, profile, record, without
from msgspec.structs import replace
from seeded_tables import broken_of, seeded
from shapely import LineString, Point
from tables_by_hand import book, rules, system

from printkit.core.errors import RecordError
from printkit.core.words import find_words
from printkit.kit.checks import UnseenError
from printkit.kit.rules import Rules
from printkit.systems.acw.ground.checked_ground import find_crossings
from printkit.systems.acw.judge.case import AcwCase
from printkit.systems.acw.judge.positions import check_minimum_sizes
from printkit.systems.acw.terms.pieces import WATERS, Piece
from printkit.systems.acw.terms.profile import Measure
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record

SEEN_BY = ("AC-G04", "AC-303", "AC-F13", "AC-211", "AC-N04", "AC-N14", "AC-N30", "AC-N40")
"""The clauses that a missing feature breaks; the others look at what is there."""


def faults(record: Record) -> dict[str, str]:
    found = {}
    for clause in SEEN_BY:
        with suppress(UnseenError):
            if said := broken(record, clause):
                found[clause] = said
    return found


@pytest.mark.clause("AC-G04", "AC-205", "AC-303", "AC-N04", "AC-N14", "AC-N40", "AC-F13")
@pytest.mark.parametrize(
    ("seed", "given"),
    [
        (3, {"geography": "mountains", "ac_q16": "wooded-zone"}),
        (10, {"geography": "riverside"}),
        (8, {"geography": "farm", "ac_q20": "lanes"}),
        (5, {"geography": "swampy"}),
        *(pytest.param(seed, {}, marks=pytest.mark.soak) for seed in range(40)),
    ],
)
def test_any_one_feature_taken_out_breaks_a_clause(seed: int, given: dict[str, Any]) -> None:
    record = seeded(seed, (48, 48), **given)
    assert faults(record) == {}
    for feature in record.battlefield.features:
        assert faults(without(feature.id)(record)), feature.id


@pytest.mark.clause("AC-N14")
def test_a_junction_that_was_taken_out_is_missed() -> None:
    records = (seeded(seed, geography="wilderness") for seed in (1, 9, 17, 25))
    record, junction = next(
        (found, mark) for found in records for mark in found.battlefield.select_features(Kind.JUNCTION)
    )
    assert broken(record, "AC-N14") == ""
    assert "without a junction" in broken(without(junction.id)(record), "AC-N14")


@pytest.mark.clause("AC-103", "AC-201", "AC-204", "AC-303", "AC-211", "AC-N04", "AC-D3", "AC-D5", "AC-207")
@pytest.mark.parametrize(
    ("seed", "given"),
    [
        (5, {"choice_policy": "uniform"}),
        (6, {"geography": "riverside", "water": "creek"}),
        (7, {"geography": "coastal", "choice_policy": "uniform"}),
    ],
)
def test_any_member_and_any_throw_taken_out_breaks_a_clause(seed: int, given: dict[str, Any]) -> None:
    record = seeded(seed, (48, 24), **given)
    assert broken_of(record) == {}
    for member in (name for name, value in record.details.items() if value is not None):
        left = {name: told for name, told in record.details.items() if name != member}
        assert broken_of(replace(record, details=left)), member
    for place, throw in enumerate(record.log):
        assert broken_of(replace(record, log=(*record.log[:place], *record.log[place + 1 :]))), throw


WRONG: tuple[Any, ...] = (None, "x", -1, [])


def paths(value: Any, *path: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value: of a list the first of each shape, for the others are read alike."""
    if path:
        yield path
    if isinstance(value, dict):
        for name, member in value.items():
            yield from paths(member, *path, name)
    elif isinstance(value, list):
        for place, member in enumerate(value[:1]):
            yield from paths(member, *path, place)


def changed(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    made = json.loads(json.dumps(tree))
    at = made
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = value
    return made


@pytest.mark.parametrize(
    ("seed", "given"), [(2, {"geography": "riverside", "water": "creek"}), (8, {"geography": "farm"})]
)
def test_whatever_is_wrong_in_the_details_is_judged_or_named(seed: int, given: dict[str, Any]) -> None:
    record = seeded(seed, (48, 24), **given)
    details = json.loads(json.dumps({**record.details, "inputs": {"profile": ["Wood: going slow"]}}))
    for path in paths(details):
        for value in WRONG:
            told(replace(record, details=changed(details, path, value)))


def test_whatever_is_wrong_in_the_log_is_judged_or_named() -> None:
    record = seeded(4, (48, 24), geography="by-state", state="texas")
    for place, throw in enumerate(record.log):
        for answer in ("0", "7", "99", "", "x"):
            log = (*record.log[:place], replace(throw, answer=answer), *record.log[place + 1 :])
            told(replace(record, log=log))


def told(record: Record) -> None:
    """Judge a record and say how its features came about; what is wrong in it may be an error of the record alone."""
    with suppress(RecordError):
        system().judge(record)
    with suppress(RecordError):
        system().account(record, find_words("en"))


def test_two_lines_meet_in_the_middle_of_what_they_share() -> None:
    line = LineString([(0, 0), (10, 0), (10, 10)])
    other = LineString([(2, 0), (6, 0), (6, 5), (12, 5)])
    assert sorted(find_crossings(line, other), key=lambda at: at.x) == [Point(4, 0), Point(10, 5)]


MEASURES = tuple(profile().measures.values())
COURSES = tuple(each for each in MEASURES if each.piece not in WATERS and (each.width or each.piece is Piece.RAVINE))
LONG_COURSES = tuple(each for each in COURSES if each.long)
AREAS = tuple(each for each in MEASURES if each.long and each not in COURSES)
BANDS = tuple(each for each in MEASURES if each.piece in WATERS)
GROWING = (Piece.FOREST, Piece.SWAMP, Piece.SPUR)
"""Pieces that lie about others or grow together, of which only what is too large shows."""

ENDS = (("least", -1), ("most", 1))


def of(measures: tuple[Measure, ...]) -> pytest.MarkDecorator:
    """Return the parameter of these pieces, each with the clause that it proves."""
    marked = (pytest.param(each, id=each.piece.key, marks=pytest.mark.clause(each.clause)) for each in measures)
    return pytest.mark.parametrize("measure", list(marked))


def ground(measure: Measure, long: float, short: float, *, square: bool = False) -> Record:
    """Return a piece of ground in the middle of a zone, with an outline of so many parts of a zone."""
    outline = (plot if square else oval)(36, 36, 24 * long, 24 * short)
    if measure.kind not in (Kind.HILL, Kind.RISE, Kind.LONG_HILL, Kind.SPUR):
        return record(area("one", measure.piece, outline))
    cliff = 180.0 if measure.piece in (Piece.HILL_CLIFF, Piece.STEEP_HILL_CLIFF) else None
    return record(hill("one", measure.piece, outline, cliff=cliff, scree=measure.piece is Piece.HILL_SCREE))


def way(measure: Measure, *, long: float = 0.0, wide: float = 1.0) -> Record:
    """Return a course so many parts of a zone long, and so many times as wide as it should be."""
    drawn = course("z2-1", measure.piece, line((30, 36), (30 + 24 * (long or measure.long or 0.5), 36)))
    roll = {"zone": 2, "roll": 1, "die": None, "cell": "", "fate": "given", "piece": measure.piece.key, "throw": None}
    return record(replace(drawn, width=drawn.width * wide), details={"zones": [roll]})


def misfit(found: Record, measure: Measure) -> bool:
    """Return whether the clause of a piece says that its size is wrong."""
    return f"; a {measure.piece.value} must be" in broken(found, measure.clause)


def sides(measure: Measure) -> tuple[float, float]:
    """Return the sides of a piece as parts of a zone; where no dice tell, a swamp may have been rolled twice."""
    assert measure.long is not None
    assert measure.short is not None
    grown = math.sqrt(rules().number("swamp_twice")) if measure.piece is Piece.SWAMP else 1.0
    return measure.long * grown, measure.short * grown


def just(measure: Measure, end: str, way: int) -> tuple[float, float]:
    """Return the factors that are a hundredth inside a limit, and its slack and a hundredth outside."""
    limit = getattr(measure, end)
    return limit * (1 - 0.01 * way), limit * (1 + (0.01 + rules().number("sizes_missed")) * way)


def test_every_piece_with_a_size_is_tried_here() -> None:
    assert {each.piece for each in (*AREAS, *COURSES, *BANDS)} == set(Piece)


@of(AREAS)
@pytest.mark.parametrize(("end", "way"), ENDS)
@pytest.mark.clause("AC-G04")
def test_the_sides_of_ground_hold_from_both_sides(measure: Measure, end: str, way: int) -> None:
    (long, short), (inside, outside) = sides(measure), just(measure, end, way)
    grows = measure.piece in GROWING and end == "least"
    assert not misfit(ground(measure, long * inside, short * inside), measure)
    found = ground(measure, long * outside, short * outside)
    assert misfit(found, measure) is not grows
    too_small = "; ".join(check_minimum_sizes(AcwCase(record=found, rules=Rules.of_record(book(), found))))
    assert (f"; a {measure.piece.value} must be at least" in too_small) is (end == "least" and not grows)


@of(AREAS)
def test_neither_side_of_ground_is_longer_than_it_may_be(measure: Measure) -> None:
    (long, short), (inside, outside) = sides(measure), just(measure, "most", 1)
    assert not misfit(ground(measure, long * inside, short * inside, square=True), measure)
    assert misfit(ground(measure, long * outside, short * inside, square=True), measure)
    assert misfit(ground(measure, long * inside, short * outside, square=True), measure)


@of(LONG_COURSES)
@pytest.mark.parametrize(("end", "sign"), ENDS)
def test_the_length_of_a_course_holds_from_both_sides(measure: Measure, end: str, sign: int) -> None:
    assert measure.long is not None
    inside, outside = just(measure, end, sign)
    assert not misfit(way(measure, long=measure.long * inside), measure)
    assert misfit(way(measure, long=measure.long * outside), measure)


@of(COURSES)
@pytest.mark.parametrize("sign", [-1, 1])
def test_the_width_of_a_course_holds_from_both_sides(measure: Measure, sign: int) -> None:
    assert not misfit(way(measure, wide=1 + 0.01 * sign), measure)
    assert misfit(way(measure, wide=1 + (0.01 + rules().number("sizes_missed")) * sign), measure)


@of(BANDS)
@pytest.mark.parametrize(("end", "sign"), ENDS)
def test_the_depth_of_water_along_an_edge_holds_from_both_sides(measure: Measure, end: str, sign: int) -> None:
    assert measure.width is not None
    for factor, fits in zip(just(measure, end, sign), (True, False), strict=True):
        deep = 24 * measure.width * factor
        found = broken(record(area("one", measure.piece, plot(36, deep / 2, 72, deep))), measure.clause)
        assert ("mm deep;" not in found) is fits
