"""The size of every piece from both sides: a hundredth inside is kept, the slack and a hundredth outside is not.

Lengths are inches on a table whose zones have sides of 24.
"""

from __future__ import annotations

import math

import pytest
from drawn_by_hand import area, broken, course, hill, line, oval, plot, profile, record
from msgspec.structs import replace
from tables_by_hand import book, rules

from printkit.kit.rules import Rules
from printkit.systems.acw.judge.case import Case
from printkit.systems.acw.judge.room import not_too_small
from printkit.systems.acw.terms.pieces import WATERS, Piece
from printkit.systems.acw.terms.profile import Measure
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record

MEASURES = tuple(profile().measures.values())
COURSES = tuple(each for each in MEASURES if each.piece not in WATERS and (each.width or each.piece is Piece.RAVINE))
LONG_COURSES = tuple(each for each in COURSES if each.long)
AREAS = tuple(each for each in MEASURES if each.long and each not in COURSES)
BANDS = tuple(each for each in MEASURES if each.piece in WATERS)
GROWING = (Piece.FOREST, Piece.SWAMP, Piece.SPUR, Piece.CLEARING)
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
    return f"; a {measure.piece.value} has" in broken(found, measure.clause)


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
    too_small = "; ".join(not_too_small(Case(record=found, rules=Rules.of_record(book(), found))))
    assert (f"; a {measure.piece.value} has at least" in too_small) is (end == "least" and not grows)


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
