"""Checks of area features: sizes, quarters, gaps and edges, and towns in corners and on hills."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations
from typing import Final

from printkit.core.errors import Sentence, joined
from printkit.core.sums import plain_sum
from printkit.kit.checks import Faults, check_maximum, check_minimum
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain
from printkit.systems.dba.ground.placed_pieces import HILLS
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.dba3.judge.case import Dba3Case, Dba3Check
from printkit.systems.dba3.placing.terms import QuarterReach
from printkit.systems.dba3.placing.zones import find_quarter_numbers
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.measure import gap, overlap

_FORTIFIED: Final = (Kind.CITY, Kind.FORT)


def _area_pieces(case: Dba3Case) -> tuple[CheckedTerrain, ...]:
    """Return the area features of the record in its order, with built-up areas and gullies."""
    return case.area_pieces


def _areas_without_towns(case: Dba3Case) -> tuple[CheckedTerrain, ...]:
    """Return the area features of the record in its order, without built-up areas."""
    return tuple(piece for piece in case.area_pieces if piece.terrain is not Terrain.BUA)


def base_width_mm(case: Dba3Case) -> float:
    """Return a base width in mm on the board, the unit of lengths in messages."""
    return case.base_width_mm


def check_small_count(case: Dba3Case) -> Faults:
    """Check that at most one area feature is small: under three base widths long (D3-24)."""
    minimum = case.rules.length("ordinary_long_bw_min") - case.rules.slack("ordinary_long_bw_min")
    small_ids = [piece.id for piece in case.area_pieces if piece.side_lengths[0] < minimum]
    if len(small_ids) > case.rules.number("small_features_max"):
        yield Sentence("too many small features: {small}", small=joined(small_ids, Sentence(" and ")))


def check_ratio(end: str, case: Dba3Case) -> Faults:
    """Check the ratio of length to width of area features, with a tolerance of the rule book (D3-25, D3-26).

    ``end`` is ``longest`` for the maximum ratio, or ``shortest`` for the minimum one of a gully. Types without such a
    limit pass.
    """
    for piece in case.area_pieces:
        piece_rules, ratio = case.piece_rules(piece.terrain), piece.side_lengths[0] / piece.side_lengths[1]
        limit = piece_rules.ratio_max if end == "longest" else piece_rules.ratio_min
        excess = 0.0 if limit is None else (ratio - limit if end == "longest" else limit - ratio) / limit
        if excess > case.rules.number("ratio_off"):
            yield Sentence("{piece} is {ratio:.2f} times as long as wide", piece=piece.id, ratio=ratio)


def check_reach(reach: QuarterReach, case: Dba3Case) -> Faults:
    """Check the number of quarters of features whose type has this reach (D3-32..D3-34)."""
    counts = {QuarterReach.MUST: (2,), QuarterReach.MAY: (1, 2), QuarterReach.INSIDE: (1,)}[reach]
    for piece in case.area_pieces:
        is_plain_town = piece.feature.kind in (Kind.HAMLET, Kind.EDIFICE)
        if not is_plain_town and case.piece_rules(piece.terrain).reach is reach:
            yield from check_quarters(case, piece, counts)


def check_plain_towns(case: Dba3Case) -> Faults:
    """Check that hamlets and edifices are completely inside one quarter (D3-43)."""
    for piece in case.pieces_of_type(Terrain.BUA):
        if piece.feature.kind in (Kind.HAMLET, Kind.EDIFICE):
            yield from check_quarters(case, piece, (1,))


def check_quarters(case: Dba3Case, piece: CheckedTerrain, counts: tuple[int, ...]) -> Faults:
    """Yield a fault if a piece is in a wrong number of quarters, or in two that are not adjacent.

    ``counts`` are the legal numbers. An area that must reach into a second quarter needs the minimum area of the rule
    book there. A contact is not enough to be in a quarter.
    """
    quarters = case.find_quarters(piece)
    minimum = case.rules.number("reach_sqbw_min") - case.rules.slack("reach_sqbw_min")
    if counts == (2,) and len(quarters) == 2 and piece in case.area_pieces:
        quarters = find_quarter_numbers(piece.ground, case.board, minimum * case.base_width_mm**2)
    if len(quarters) not in counts:
        if counts == (1,):
            yield Sentence("{piece} is not wholly inside one quarter", piece=piece.id)
        else:
            yield Sentence("{piece} is in {count} quarters", piece=piece.id, count=len(quarters))
    elif len(quarters) == 2 and (quarters[1] - quarters[0]) % 2 == 0:
        yield Sentence("{piece} is in two quarters that are not adjacent", piece=piece.id)


def check_gaps(case: Dba3Case) -> Faults:
    """Check the gap of one base width between areas, and between areas and water, except built-up areas (D3-36)."""
    minimum = case.rules.length("area_gap_bw_min") - case.rules.slack("area_gap_bw_min")
    for first, second in combinations(_areas_without_towns(case), 2):
        distance = gap(first.ground, second.ground)
        if distance == 0:
            yield Sentence("{one} touches {other}; one base width must lie between", one=first.id, other=second.id)
        elif distance < minimum:
            yield Sentence(
                "{one} is {found:.1f} base widths from {other}; one base width must lie between",
                one=first.id,
                other=second.id,
                found=distance / case.base_width_mm,
            )
    minimum = case.rules.length("water_gap_bw_min") - case.rules.slack("water_gap_bw_min")
    for water in case.pieces_of_type(Terrain.WATERWAY):
        for piece in _areas_without_towns(case):
            distance = gap(piece.ground, water.ground)
            if distance < minimum:
                yield Sentence(
                    "{piece} is {found:.2f} base widths from {water}",
                    piece=piece.id,
                    found=distance / case.base_width_mm,
                    water=water.id,
                )


def check_towns(case: Dba3Case) -> Faults:
    """Check that a built-up area is on the board and on no feature; a city or fort may be on a hill (D3-38)."""
    for town in case.pieces_of_type(Terrain.BUA):
        if _edge_distance(case, town) < -case.rules.slack("edge_gap_bw_min"):
            yield Sentence("{town} is partly off the board", town=town.id)
        for neighbour in (*case.area_pieces, *case.pieces_of_type(Terrain.WATERWAY)):
            is_legal_hill = neighbour.terrain in HILLS and town.feature.kind in _FORTIFIED
            if neighbour.id != town.id and not is_legal_hill and overlap(town.ground, neighbour.ground) > case.sliver:
                yield Sentence("{town} is on {other}", town=town.id, other=neighbour.id)


def check_town_corner(case: Dba3Case) -> Faults:
    """Check that a city or fort is within six base widths of two adjacent edges (D3-41)."""
    side = case.rules.length("bua_corner_bw")
    limit = side + case.rules.slack("bua_corner_bw")
    for town in case.pieces_of_type(Terrain.BUA):
        if town.feature.kind not in _FORTIFIED:
            continue
        left, low, right, high = town.ground.bounds
        if min(right, case.board.width - left) > limit or min(high, case.board.depth - low) > limit:
            yield Sentence(
                "{town} is not within {side:g} base widths of two adjacent edges",
                town=town.id,
                side=side / case.base_width_mm,
            )


def check_towns_on_hills(case: Dba3Case) -> Faults:
    """Check that a city or fort on a hill is completely on it, and smaller than the hill (D3-42)."""
    for town in case.pieces_of_type(Terrain.BUA):
        for hill in case.pieces_of_type(*HILLS):
            shared_area = overlap(town.ground, hill.ground)
            if town.feature.kind not in _FORTIFIED or shared_area <= case.sliver:
                continue
            if town.ground.area - shared_area > case.sliver:
                yield Sentence("{town} is only partly on {hill}", town=town.id, hill=hill.id)
            elif hill.ground.area <= town.ground.area:
                yield Sentence("{hill} is not larger than {town}", hill=hill.id, town=town.id)


def _edge_distance(case: Dba3Case, piece: CheckedTerrain) -> float:
    """Return the least distance of a piece from the edges in mm on the board; negative if partly off."""
    left, low, right, high = piece.ground.bounds
    return float(min(left, low, case.board.width - right, case.board.depth - high))


def _side_sum(_case: Dba3Case, piece: CheckedTerrain) -> float:
    """Return length plus width of the smallest rectangle around a piece, in mm on the board."""
    return plain_sum(piece.side_lengths)


def _short_side(_case: Dba3Case, piece: CheckedTerrain) -> float:
    """Return the width of the smallest rectangle around a piece, in mm on the board."""
    return piece.side_lengths[1]


CHECKS: Final[Mapping[str, Dba3Check]] = {
    "D3-22": check_maximum(
        _area_pieces,
        _side_sum,
        "area_sides_bw_max",
        says="{it}: length plus width {found:.2f} base widths",
        unit=base_width_mm,
    ),
    "D3-23": check_minimum(
        _area_pieces, _short_side, "area_side_bw_min", says="{it} is {found:.2f} base widths across", unit=base_width_mm
    ),
    "D3-24": check_small_count,
    "D3-25": partial(check_ratio, "longest"),
    "D3-26": partial(check_ratio, "shortest"),
    "D3-32": partial(check_reach, QuarterReach.MUST),
    "D3-33": partial(check_reach, QuarterReach.MAY),
    "D3-34": partial(check_reach, QuarterReach.INSIDE),
    "D3-36": check_gaps,
    "D3-37": check_minimum(
        _areas_without_towns,
        _edge_distance,
        "edge_gap_bw_min",
        says="{it} is {short_in:.1f} in ({short:.0f} mm) too close to an edge of the board",
    ),
    "D3-38": check_towns,
    "D3-41": check_town_corner,
    "D3-42": check_towns_on_hills,
    "D3-43": check_plain_towns,
}
