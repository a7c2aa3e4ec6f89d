"""Checks of area features: sizes, quarters, gaps and edges, and towns in corners and on hills."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations
from typing import Final

from printkit.core.errors import Sentence, joined
from printkit.core.sums import plain_sum
from printkit.kit.checks import Faults, check_maximum, check_minimum
from printkit.systems.dba.ground.judged import JudgedPiece
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.dba.ground.placed import HILLS
from printkit.systems.dba3.judge.case import Dba3Case, Dba3Check
from printkit.systems.dba3.placing.terms import QuarterReach
from printkit.systems.dba3.placing.zones import numbers_held
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.measure import gap, overlap

_HIGH: Final = (Kind.CITY, Kind.FORT)


def _areas(case: Dba3Case) -> tuple[JudgedPiece, ...]:
    return case.areas


def _plain(case: Dba3Case) -> tuple[JudgedPiece, ...]:
    """Return the area features other than built-up areas."""
    return tuple(piece for piece in case.areas if piece.terrain is not Terrain.BUA)


def base_of(case: Dba3Case) -> float:
    """Return a base width in mm, the unit of lengths in messages."""
    return case.base


def few_small(case: Dba3Case) -> Faults:
    """Check that there is at most one small feature (D3-24)."""
    least = case.rules.length("ordinary_long_bw_min") - case.rules.slack("ordinary_long_bw_min")
    small = [piece.id for piece in case.areas if piece.sides[0] < least]
    if len(small) > case.rules.number("small_features_max"):
        yield Sentence("too many small features: {small}", small=joined(small, Sentence(" and ")))


def slender(end: str, case: Dba3Case) -> Faults:
    """Check the maximum ratio of length to width; for a gully also the minimum (D3-25, D3-26)."""
    for piece in case.areas:
        sort, ratio = case.sort(piece.terrain), piece.sides[0] / piece.sides[1]
        limit = sort.longest if end == "longest" else sort.shortest
        over = 0.0 if limit is None else (ratio - limit if end == "longest" else limit - ratio) / limit
        if over > case.rules.number("ratio_off"):
            yield Sentence("{piece} is {ratio:.2f} times as long as wide", piece=piece.id, ratio=ratio)


def reaching(reach: QuarterReach, case: Dba3Case) -> Faults:
    """Check the number of quarters of a feature (D3-32..D3-34)."""
    counts = {QuarterReach.MUST: (2,), QuarterReach.MAY: (1, 2), QuarterReach.INSIDE: (1,)}[reach]
    for piece in case.areas:
        plain = piece.feature.kind in (Kind.HAMLET, Kind.EDIFICE)
        if not plain and case.sort(piece.terrain).reach is reach:
            yield from lying(case, piece, counts)


def plain_towns(case: Dba3Case) -> Faults:
    """Check that hamlets and edifices are completely inside one quarter (D3-43)."""
    for piece in case.of_type(Terrain.BUA):
        if piece.feature.kind in (Kind.HAMLET, Kind.EDIFICE):
            yield from lying(case, piece, (1,))


def lying(case: Dba3Case, piece: JudgedPiece, counts: tuple[int, ...]) -> Faults:
    """Yield a fault if a piece is in the wrong number of quarters, or in two that are not adjacent.

    An area that must reach into a second quarter needs the minimum area of the rule book there.
    """
    held = case.held(piece)
    least = case.rules.number("reach_sqbw_min") - case.rules.slack("reach_sqbw_min")
    if counts == (2,) and len(held) == 2 and piece in case.areas:
        held = numbers_held(piece.ground, case.board, least * case.base**2)
    if len(held) not in counts:
        yield Sentence("{piece} is in {count} quarters", piece=piece.id, count=len(held))
    elif len(held) == 2 and (held[1] - held[0]) % 2 == 0:
        yield Sentence("{piece} is in two quarters that are not adjacent", piece=piece.id)


def gaps(case: Dba3Case) -> Faults:
    """Check the gap of one base width between areas, and between areas and water, except built-up areas (D3-36)."""
    least = case.rules.length("area_gap_bw_min") - case.rules.slack("area_gap_bw_min")
    for one, other in combinations(_plain(case), 2):
        found = gap(one.ground, other.ground)
        if found < least:
            yield Sentence(
                "{one} and {other} are {found:.2f} base widths apart",
                one=one.id,
                other=other.id,
                found=found / case.base,
            )
    least = case.rules.length("water_gap_bw_min") - case.rules.slack("water_gap_bw_min")
    for water in case.of_type(Terrain.WATERWAY):
        for piece in _plain(case):
            found = gap(piece.ground, water.ground)
            if found < least:
                yield Sentence(
                    "{piece} is {found:.2f} base widths from {water}",
                    piece=piece.id,
                    found=found / case.base,
                    water=water.id,
                )


def towns_apart(case: Dba3Case) -> Faults:
    """Check that a built-up area is on the board and on no feature; a city or fort may be on a hill (D3-38)."""
    for town in case.of_type(Terrain.BUA):
        if _from_edge(case, town) < -case.rules.slack("edge_gap_bw_min"):
            yield Sentence("{town} is partly off the board", town=town.id)
        for other in (*case.areas, *case.of_type(Terrain.WATERWAY)):
            hill = other.terrain in HILLS and town.feature.kind in _HIGH
            if other.id != town.id and not hill and overlap(town.ground, other.ground) > case.sliver:
                yield Sentence("{town} is on {other}", town=town.id, other=other.id)


def in_corner(case: Dba3Case) -> Faults:
    """Check that a city or fort is within six base widths of two adjacent edges (D3-41)."""
    side = case.rules.length("bua_corner_bw")
    most = side + case.rules.slack("bua_corner_bw")
    for town in case.of_type(Terrain.BUA):
        if town.feature.kind not in _HIGH:
            continue
        left, low, right, high = town.ground.bounds
        if min(right, case.board.width - left) > most or min(high, case.board.depth - low) > most:
            yield Sentence(
                "{town} is not within {side:g} base widths of two adjacent edges", town=town.id, side=side / case.base
            )


def on_hills(case: Dba3Case) -> Faults:
    """Check that a city or fort on a hill is completely on it, and smaller than the hill (D3-42)."""
    for town in case.of_type(Terrain.BUA):
        for hill in case.of_type(*HILLS):
            shared = overlap(town.ground, hill.ground)
            if town.feature.kind not in _HIGH or shared <= case.sliver:
                continue
            if town.ground.area - shared > case.sliver:
                yield Sentence("{town} is only partly on {hill}", town=town.id, hill=hill.id)
            elif hill.ground.area <= town.ground.area:
                yield Sentence("{hill} is not larger than {town}", hill=hill.id, town=town.id)


def _from_edge(case: Dba3Case, piece: JudgedPiece) -> float:
    left, low, right, high = piece.ground.bounds
    return float(min(left, low, case.board.width - right, case.board.depth - high))


def _length(_case: Dba3Case, piece: JudgedPiece) -> float:
    return plain_sum(piece.sides)


def _breadth(_case: Dba3Case, piece: JudgedPiece) -> float:
    return piece.sides[1]


CHECKS: Final[Mapping[str, Dba3Check]] = {
    "D3-22": check_maximum(
        _areas, _length, "area_sides_bw_max", says="{it}: length plus width {found:.2f} base widths", unit=base_of
    ),
    "D3-23": check_minimum(
        _areas, _breadth, "area_side_bw_min", says="{it} is {found:.2f} base widths across", unit=base_of
    ),
    "D3-24": few_small,
    "D3-25": partial(slender, "longest"),
    "D3-26": partial(slender, "shortest"),
    "D3-32": partial(reaching, QuarterReach.MUST),
    "D3-33": partial(reaching, QuarterReach.MAY),
    "D3-34": partial(reaching, QuarterReach.INSIDE),
    "D3-36": gaps,
    "D3-37": check_minimum(
        _plain, _from_edge, "edge_gap_bw_min", says="{it} is {found:.2f} base widths from an edge", unit=base_of
    ),
    "D3-38": towns_apart,
    "D3-41": in_corner,
    "D3-42": on_hills,
    "D3-43": plain_towns,
}
