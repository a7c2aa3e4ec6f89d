"""The judge on area features: sizes, quarters, gaps and edges, towns in corners and on hills."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations
from typing import Final

import shapely

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults
from printkit.systems.dba.ground.judged import SLACK, JudgedPiece
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.dba3.judge.case import Dba3Case, Dba3Check
from printkit.terrain.field.features import Kind

_HILLS: Final = (Terrain.STEEP_HILL, Terrain.GENTLE_HILL)
_HIGH: Final = (Kind.CITY, Kind.FORT)
_LEAST_SHARED: Final = 1.0
"""Square millimetres that two features may share by rounding."""


def both_sides(case: Dba3Case) -> Faults:
    """D3-22: length and width together."""
    most = case.bw("area_sides_bw_max")
    for piece in case.areas:
        if sum(piece.sides) > most + SLACK:
            yield Sentence("{piece}: {sum:.2f} base widths", piece=piece.id, sum=sum(piece.sides) / case.base)


def least_side(case: Dba3Case) -> Faults:
    """D3-23: no side under one base width."""
    for piece in case.areas:
        if piece.sides[1] < case.bw("area_side_bw_min") - SLACK:
            yield Sentence("{piece} is {side:.2f} base widths across", piece=piece.id, side=piece.sides[1] / case.base)


def few_small(case: Dba3Case) -> Faults:
    """D3-24: at most one small feature."""
    small = [piece.id for piece in case.areas if piece.sides[0] < case.bw("ordinary_long_bw_min") - SLACK]
    if len(small) > case.book.numbers["small_features_max"]:
        yield Sentence("{small} are small", small=" and ".join(small))


def slender(case: Dba3Case) -> Faults:
    """D3-25: at most so many times as long as wide."""
    for piece in case.areas:
        longest = case.row(piece.terrain).get("longest")
        if longest and piece.sides[0] > longest * piece.sides[1] + SLACK:
            yield Sentence(
                "{piece} is {ratio:.2f} times as long as wide", piece=piece.id, ratio=piece.sides[0] / piece.sides[1]
            )


def gullies(case: Dba3Case) -> Faults:
    """D3-26: at least so many times as long as wide."""
    for piece in case.areas:
        shortest = case.row(piece.terrain).get("shortest")
        if shortest and piece.sides[0] < shortest * piece.sides[1] - SLACK:
            yield Sentence(
                "{piece} is {ratio:.2f} times as long as wide", piece=piece.id, ratio=piece.sides[0] / piece.sides[1]
            )


def reaching(reach: str, case: Dba3Case) -> Faults:
    """D3-32..D3-35: in how many quarters a feature lies."""
    counts = {"must": (2,), "may": (1, 2), "inside": (1,)}[reach]
    for piece in case.areas:
        if case.row(piece.terrain)["reach"] == reach and piece.feature.kind not in (Kind.HAMLET, Kind.EDIFICE):
            yield from lying(case, piece, counts)


def plain_towns(case: Dba3Case) -> Faults:
    """D3-43: hamlets and edifices lie wholly inside one quarter."""
    for piece in case.of_type(Terrain.BUA):
        if piece.feature.kind in (Kind.HAMLET, Kind.EDIFICE):
            yield from lying(case, piece, (1,))


def lying(case: Dba3Case, piece: JudgedPiece, counts: tuple[int, ...]) -> Faults:
    """Yield a fault where a piece lies in another number of quarters, or in two that do not adjoin."""
    held = case.held(piece)
    if len(held) not in counts:
        yield Sentence("{piece} lies in {count} quarters", piece=piece.id, count=len(held))
    elif len(held) == 2 and (held[1] - held[0]) % 2 == 0:
        yield Sentence("{piece} lies in two quarters that do not adjoin", piece=piece.id)


def gaps(case: Dba3Case) -> Faults:
    """D3-36: one base width between area features, and between them and a waterway; built-up areas excepted."""
    plain = [piece for piece in case.areas if piece.terrain is not Terrain.BUA]
    for one, other in combinations(plain, 2):
        found = one.ground.distance(other.ground)
        if found < case.bw("area_gap_bw_min") - SLACK:
            yield Sentence(
                "{one} and {other} are {found:.2f} base widths apart",
                one=one.id,
                other=other.id,
                found=found / case.base,
            )
    for water in case.of_type(Terrain.WATERWAY):
        for piece in plain:
            found = piece.ground.distance(water.ground)
            if found < case.bw("water_gap_bw_min") - SLACK:
                yield Sentence(
                    "{piece} is {found:.2f} base widths from {water}",
                    piece=piece.id,
                    found=found / case.base,
                    water=water.id,
                )


def edges(case: Dba3Case) -> Faults:
    """D3-37: one base width from every edge."""
    for piece in case.areas:
        if piece.terrain is not Terrain.BUA:
            found = _from_edge(case, piece)
            if found < case.bw("edge_gap_bw_min") - SLACK:
                yield Sentence(
                    "{piece} is {found:.2f} base widths from an edge", piece=piece.id, found=found / case.base
                )


def towns_apart(case: Dba3Case) -> Faults:
    """D3-38: a built-up area may be near, and lies on the board and on no feature but, a city or fort, a hill."""
    for town in case.of_type(Terrain.BUA):
        if _from_edge(case, town) < -SLACK:
            yield Sentence("{town} lies partly off the board", town=town.id)
        for other in (*case.areas, *case.of_type(Terrain.WATERWAY)):
            hill = other.terrain in _HILLS and town.feature.kind in _HIGH
            if other.id != town.id and not hill and _shared(town, other) > _LEAST_SHARED:
                yield Sentence("{town} lies on {other}", town=town.id, other=other.id)


def in_corner(case: Dba3Case) -> Faults:
    """D3-41: the whole of a city or fort within six base widths of two edges that meet."""
    side = case.bw("bua_corner_bw")
    for town in case.of_type(Terrain.BUA):
        if town.feature.kind not in _HIGH:
            continue
        left, low, right, high = town.ground.bounds
        beside = right <= side + SLACK or left >= case.board.width - side - SLACK
        behind = high <= side + SLACK or low >= case.board.depth - side - SLACK
        if not (beside and behind):
            yield Sentence(
                "{town} reaches farther from two edges than {side:g} base widths", town=town.id, side=side / case.base
            )


def on_hills(case: Dba3Case) -> Faults:
    """D3-42: a city or fort on a hill stands wholly on it, and the hill is larger."""
    for town in case.of_type(Terrain.BUA):
        for hill in case.of_type(*_HILLS):
            if town.feature.kind not in _HIGH or _shared(town, hill) <= _LEAST_SHARED:
                continue
            if not hill.ground.buffer(SLACK).covers(town.ground):
                yield Sentence("{town} stands only partly on {hill}", town=town.id, hill=hill.id)
            elif hill.ground.area <= town.ground.area:
                yield Sentence("{hill} is no larger than {town}", hill=hill.id, town=town.id)


def _from_edge(case: Dba3Case, piece: JudgedPiece) -> float:
    left, low, right, high = piece.ground.bounds
    return float(min(left, low, case.board.width - right, case.board.depth - high))


def _shared(one: JudgedPiece, other: JudgedPiece) -> float:
    return float(shapely.intersection(one.ground, other.ground).area)


CHECKS: Final[Mapping[str, Dba3Check]] = {
    "D3-22": both_sides,
    "D3-23": least_side,
    "D3-24": few_small,
    "D3-25": slender,
    "D3-26": gullies,
    "D3-32": partial(reaching, "must"),
    "D3-33": partial(reaching, "may"),
    "D3-34": partial(reaching, "inside"),
    "D3-36": gaps,
    "D3-37": edges,
    "D3-38": towns_apart,
    "D3-41": in_corner,
    "D3-42": on_hills,
    "D3-43": plain_towns,
}
