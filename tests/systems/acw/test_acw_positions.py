"""The rows ``place`` of the book: which course may not run through a piece, and which hill it may be on."""

from __future__ import annotations

import pytest
from drawn_by_hand import area, broken, course, hill, line, oval, plot, profile, record
from tables_by_hand import book

from printkit.kit.rules import Rules
from printkit.systems.acw.terms.pieces import ALL_HILLS, CLIFFS, PLACES, STEEP, WATERS, Piece, PlaceRules
from printkit.terrain.field.features import Area, Hill

HOMES = (*PLACES, Piece.FARM, Piece.BUILDING)
# What the specification says, by the course that is tried.
CLOSED = {
    Piece.ROAD: ("AC-G05", {Piece.POOL, Piece.ROCKS, *STEEP, *WATERS}),
    Piece.RAILROAD: ("AC-G05", {Piece.POOL, Piece.ROCKS, *STEEP, *WATERS}),
    Piece.STREAM: ("AC-G06", {*ALL_HILLS, *HOMES, Piece.ROCKS}),
    Piece.RAVINE: ("AC-F20", {*HOMES, Piece.ROCKS}),
}
ON_ANY = {Piece.WOOD, Piece.WOODLAND, Piece.SCRUB, Piece.ROCKS, Piece.SCREE, Piece.CLEARING}
ON_GENTLE = {Piece.FIELD, Piece.FARM, Piece.BUILDING}
REACHING = {Piece.LONG_HILL, Piece.SPUR, Piece.FOREST, Piece.SWAMP, Piece.SAND_DUNES}
AREAS = [piece for piece in Piece if profile().piece_measure(piece).short or piece in WATERS]
AREAS.remove(Piece.RAVINE)
INSIDE = [piece for piece in AREAS if piece not in WATERS]


def drawn(piece: Piece, x: float = 36, y: float = 36, name: str = "piece") -> Area | Hill:
    measure = profile().piece_measure(piece)
    long, short = (24 * (length or 0.4) for length in (measure.long, measure.short))
    shape = plot(x, y, long, short) if piece in (*HOMES, Piece.FIELD) else oval(x, y, long, short)
    if piece not in ALL_HILLS:
        return area(name, piece, shape)
    return hill(name, piece, shape, cliff=90.0 if piece in CLIFFS else None, scree=piece is Piece.HILL_SCREE)


def test_every_area_has_one_row() -> None:
    rows = Rules.of(book()).rows("place")
    named = [piece for row in rows for piece in row.need("pieces", tuple[Piece, ...])]
    assert sorted(named) == sorted(AREAS)
    assert set(PlaceRules.from_rules(Rules.of(book())).rows) == set(AREAS)


@pytest.mark.clause("AC-G05", "AC-G06", "AC-F20")
@pytest.mark.parametrize("piece", AREAS)
@pytest.mark.parametrize("way", CLOSED)
def test_a_course_may_not_run_through_a_piece_that_is_closed_to_it(piece: Piece, way: Piece) -> None:
    clause, closed = CLOSED[way]
    across = line((29, 36), (43, 36.3)) if way is Piece.RAVINE else line((24, 36), (36, 36.3), (48, 36))
    says = broken(record(drawn(piece), course("way", way, across)), clause)
    assert ("piece" in says) == (piece in closed)


@pytest.mark.clause("AC-G02")
@pytest.mark.parametrize("piece", INSIDE)
@pytest.mark.parametrize("under", ALL_HILLS)
def test_a_piece_is_only_on_hills_that_it_may_cover(piece: Piece, under: Piece) -> None:
    ground = drawn(under, name="hill")
    gentle = piece in ON_GENTLE and under in (Piece.HILL, Piece.RISE)
    assert (broken(record(ground, drawn(piece)), "AC-G02") == "") == (piece in ON_ANY or gentle)


@pytest.mark.clause("AC-G01")
@pytest.mark.parametrize("piece", INSIDE)
def test_only_some_pieces_reach_the_side_of_their_zone(piece: Piece) -> None:
    west = drawn(piece).outline.bounds[0] / 25.4
    assert (broken(record(drawn(piece, 36 - (west - 24))), "AC-G01") == "") == (piece in REACHING)
