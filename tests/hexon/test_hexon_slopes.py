"""Slopes: every published hill, and that whatever is built fits together side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from printkit.hexon.layout.pieces import (
    SIDES,
    Corner,
    Hex,
    HexShape,
    SlopeRelief,
    build_relief,
    corner,
    corners,
    hex_neighbours,
    hex_shape,
    slope_rotation,
)

ORIGIN = (0, 0)
RECIPES = [
    pytest.param([(0, 0)], (1, 0, 0, 6), marks=pytest.mark.clause("HX-40")),
    pytest.param([(0, 0), (0, 1), (1, -1), (1, 0), (2, -1), (2, 0)], (6, 1, 4, 7), marks=pytest.mark.clause("HX-41")),
    pytest.param([(0, 0), (1, 1)], (2, 2, 0, 8), marks=pytest.mark.clause("HX-42")),
    pytest.param([(0, 0), (1, 0)], (2, 0, 2, 6), marks=pytest.mark.clause("HX-44")),
    pytest.param([(0, 0), (1, 0), (2, 0)], (3, 0, 4, 6), marks=pytest.mark.clause("HX-45")),
    pytest.param([(0, 0), (1, 0), (0, 1)], (3, 0, 3, 6), marks=pytest.mark.clause("HX-46")),
    pytest.param([ORIGIN, *hex_neighbours(ORIGIN)], (7, 0, 6, 6), marks=pytest.mark.clause("HX-47")),
    pytest.param([(1, 0), (-1, 1), (0, -1)], (4, 3, 0, 9), marks=pytest.mark.clause("HX-48")),
    pytest.param([(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)], (6, 0, 6, 6), marks=pytest.mark.clause("HX-49")),
    pytest.param([(0, 0), (2, 0)], (3, 0, 4, 6), marks=pytest.mark.clause("HX-25")),
    pytest.param([(1, 0), (0, 1), (-1, 1), (-1, 0)], (5, 0, 5, 6), marks=pytest.mark.clause("HX-25")),
    pytest.param([(1, 0), (0, 1), (-1, 0)], (4, 1, 3, 7), marks=pytest.mark.clause("HX-25")),
]
RIDGE = [
    corner(*hexes)
    for hexes in (
        ((-1, 1), (-1, 2), (0, 1)),
        ((-1, 2), (0, 1), (0, 2)),
        ((-1, 2), (-1, 3), (0, 2)),
        ((-1, 3), (0, 2), (0, 3)),
        ((0, 2), (0, 3), (1, 2)),
    )
]
few = settings(max_examples=40, deadline=None, derandomize=True)
plateaus = st.sets(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=9)
corner_sets = st.sets(
    st.sampled_from([each for q in range(4) for s in range(4) for each in corners((q, s))]), max_size=9
)


def flags(*high: int) -> list[bool]:
    return [i in high for i in range(6)]


def numbers(found: SlopeRelief) -> tuple[int, int, int, int]:
    counts = Counter(each.shape for each in found.slopes)
    return len(found.plateau), counts[HexShape.A], counts[HexShape.B], counts[HexShape.C]


def shapes_of(high: Collection[Corner]) -> dict[Hex, HexShape]:
    """Return what every hex with a high corner would have to be, whether or not a piece of that shape is sold."""
    return {at: hex_shape([each in high for each in corners(at)]) for corner_ in high for at in corner_}


def high_of(plateau: Iterable[Hex]) -> frozenset[Corner]:
    return frozenset(each for at in plateau for each in corners(at))


@pytest.mark.clause("HX-21")
@pytest.mark.parametrize(("plateau", "expected"), RECIPES)
def test_published_hills_have_exactly_their_pieces(plateau: list[Hex], expected: tuple[int, ...]) -> None:
    found = build_relief(plateau)
    assert numbers(found) == expected
    assert len(found.footprint) == sum(expected)


@pytest.mark.clause("HX-42", "HX-43", "HX-23")
def test_a_ridge_ends_in_a_hex_that_no_piece_fits_and_a_pass_has_an_a_on_each_side() -> None:
    found = build_relief([(0, 0), (1, 1)])
    assert {each.at for each in found.slopes if each.shape is HexShape.A} == {(1, 0), (0, 1)}
    shapes = shapes_of(high_of([ORIGIN]) | set(RIDGE))
    assert Counter(shapes.values()) == {"flat": 1, "A": 2, "B": 2, "C": 6, "D": 1}
    assert shapes[1, 2] is HexShape.D


@pytest.mark.clause("HX-20", "HX-26")
def test_the_corners_of_a_hex_say_what_it_is_and_how_it_is_turned() -> None:
    runs = [hex_shape(flags(*range(count))) for count in range(7)]
    assert runs == [HexShape.GROUND, HexShape.D, HexShape.C, HexShape.B, HexShape.A, HexShape.E, HexShape.FLAT]
    broken = [high for count in range(7) for high in combinations(range(6), count) if _runs(high) > 1]
    assert {hex_shape(flags(*high)) for high in broken} == {HexShape.X}
    assert [slope_rotation(flags(*((each + turn) % 6 for each in (0, 1)))) for turn in range(6)] == [3, 4, 5, 0, 1, 2]
    assert slope_rotation(flags(0, 1, 2)) == 4
    assert slope_rotation(flags(0, 1, 2, 3)) == 5
    assert slope_rotation(flags(*range(6))) == 0


def _runs(high: tuple[int, ...]) -> int:
    return sum((each - 1) % 6 not in high for each in high)


@pytest.mark.clause("HX-21")
@pytest.mark.parametrize(
    ("neighbours", "shape"),
    [
        ((0,), HexShape.C), ((0, 1), HexShape.B), ((0, 1, 2), HexShape.A), ((0, 2), HexShape.A),
        ((0, 1, 2, 3), HexShape.E),
        ((0, 1, 3), HexShape.E), ((0, 3), HexShape.X), ((0, 2, 4), HexShape.FLAT), ((0, 1, 2, 4), HexShape.FLAT),
        ((0, 1, 2, 3, 4), HexShape.FLAT),
    ],
)  # fmt: skip
def test_the_plateau_beside_a_hex_says_what_it_is(neighbours: tuple[int, ...], shape: HexShape) -> None:
    plateau = [hex_neighbours(ORIGIN)[side] for side in neighbours]
    assert shapes_of(high_of(plateau))[ORIGIN] is shape
    found = {each.at: each.shape for each in build_relief(plateau).slopes}
    # A hex that no piece fits is raised (HX-25).
    assert found.get(ORIGIN) is (shape if shape in (HexShape.A, HexShape.B, HexShape.C) else None)


def _sides(found: SlopeRelief) -> dict[Hex, list[str]]:
    """Return what every side of every piece is like, from the piece and its rotation alone.

    A triangulated side is told by which of its ends is high, seen clockwise.
    """
    sides = {each: ["full"] * 6 for each in found.plateau}
    for slope in found.slopes:
        low = {HexShape.A: 1, HexShape.B: 2, HexShape.C: 3}[slope.shape]
        kinds = ["full"] * 6
        for i in range(low):
            kinds[(slope.rotation + i) % 6] = "low"
        kinds[(slope.rotation + low) % 6] = "rising"
        kinds[(slope.rotation - 1) % 6] = "falling"
        sides[slope.at] = kinds
    return sides


@pytest.mark.clause("HX-20", "HX-21", "HX-25", "HX-26", "HX-24", "HX-22")
@few
@given(plateaus)
def test_pieces_of_any_hill_match_and_its_footprint_gives_back_its_plateau(plateau: set[Hex]) -> None:
    sides = _sides(build_relief(plateau))
    opposite = {"full": "full", "low": "low", "rising": "falling", "falling": "rising"}
    for at, kinds in sides.items():
        for side, kind in enumerate(kinds):
            beyond = sides.get(hex_neighbours(at)[side], ["low"] * 6)[(side + 3) % 6]
            assert beyond == opposite[kind], (at, side)
    found = build_relief(plateau)
    high = high_of(found.plateau)
    assert turning(high) == closed_turning(high)
    inner = {each for each in found.footprint if found.footprint.issuperset(hex_neighbours(each))}
    assert set(found.plateau) <= inner
    assert found.footprint == inner.union(*map(hex_neighbours, inner))


@pytest.mark.clause("HX-23", "HX-24")
@few
@given(corner_sets)
def test_the_check_sum_holds_with_ridge_ends_and_notches(high: set[Corner]) -> None:
    flags = [[each in high for each in corners(at)] for at in shapes_of(high)]
    if all(_runs(tuple(i for i in range(SIDES) if each[i])) == 1 or all(each) for each in flags):
        assert turning(high) == closed_turning(high)


@pytest.mark.clause("HX-24")
def test_parts_that_no_side_joins_and_hollows_count_apart() -> None:
    one, beside, apart, *_ = corners(ORIGIN)
    assert (closed_turning([one, beside]), closed_turning([one, apart])) == (6, 12)
    wall = {(q, s) for q in range(-3, 4) for s in range(-3, 4) if max(abs(q), abs(s), abs(q + s)) == 3}
    assert build_relief(wall).raised_hexes == ()
    assert turning(high_of(wall)) == closed_turning(high_of(wall)) == 0
    notched = high_of([(1, 0), (0, 1), (-1, 1), (-1, 0)])
    assert shapes_of(notched)[ORIGIN] is HexShape.E
    assert turning(notched) == closed_turning(notched) == 6


@pytest.mark.clause("HX-25")
@few
@given(st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=6))
def test_a_repair_raises_nothing_that_need_not_be(plateau: set[Hex]) -> None:
    found = build_relief(plateau)
    assert set(found.plateau) == plateau | set(found.raised_hexes)
    for count in range(min(len(found.raised_hexes), 4)):
        for fewer in combinations(found.raised_hexes, count):
            shapes = shapes_of(high_of(plateau | set(fewer)))
            assert any(shape not in ("A", "B", "C") for at, shape in shapes.items() if at not in plateau | set(fewer))


@pytest.mark.clause("HX-22", "HX-25")
def test_a_footprint_is_the_plateau_with_its_neighbours_and_low_sides_need_not_face_outside() -> None:
    assert build_relief([ORIGIN]).footprint == {ORIGIN, *hex_neighbours(ORIGIN)}
    assert build_relief([(0, 0), (2, 0)]).raised_hexes == ((1, 0),)
    # Two slopes meet toe to toe: their low sides lie within the footprint.
    found = build_relief([(0, 0), (3, 0)])
    slopes = {each.at: each.shape for each in found.slopes}
    assert (slopes[1, 0], slopes[2, 0]) == (HexShape.C, HexShape.C)
    assert _sides(found)[1, 0][0] == _sides(found)[2, 0][3] == "low"


def turning(high: Collection[Corner]) -> int:
    """Return what the pieces turn all contours by, in steps of 60 degrees: C and two D less A and two E (HX-24)."""
    counts = Counter(shapes_of(high).values())
    return counts[HexShape.C] + 2 * counts[HexShape.D] - counts[HexShape.A] - 2 * counts[HexShape.E]


def closed_turning(high: Collection[Corner]) -> int:
    """Return what ``turning`` has to be: six for every hill, less six for every enclosed hollow (HX-24).

    It holds where there is no saddle.
    """
    hills = _count_parts(high)
    around = frozenset(each for at in _margin(high) for each in corners(at)) - set(high)
    # All corners beyond the margin are low and hang together, so of the low parts one alone is no hollow.
    hollows = _count_parts(around) - 1 if high else 0
    return SIDES * (hills - hollows)


def _count_parts(points: Collection[Corner]) -> int:
    """Return how many connected parts corners have."""
    left, count = set(points), 0
    while left:
        part, count = {left.pop()}, count + 1
        while part:
            part = left.intersection(each for corner_ in part for each in _beside(corner_))
            left -= part
    return count


def _margin(high: Iterable[Corner]) -> set[Hex]:
    """Return the hexes of a box about all high corners, two hexes wider than they reach."""
    hexes = {each for corner in high for each in corner}
    if not hexes:
        return set()
    qs, ss = [q for q, _ in hexes], [s for _, s in hexes]
    return {(q, s) for q in range(min(qs) - 2, max(qs) + 3) for s in range(min(ss) - 2, max(ss) + 3)}


def _beside(of: Corner) -> set[Corner]:
    """Return the three corners at the other ends of the sides that meet in a corner."""
    return {corners(each)[corners(each).index(of) - 1] for each in of}
