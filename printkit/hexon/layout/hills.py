"""Build the hills of a plan from flat hexes and slopes; a hill without space for slopes gets steps (HX-50)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from printkit.hexon.layout.pieces import (
    Hex,
    HexSlope,
    PieceKind,
    SlopeRelief,
    build_relief,
    components,
    hex_distance,
    hex_neighbours,
)
from printkit.hexon.layout.stock import NAMES, Shortage, Stock, given_up

# Modes for the sides of hills: the fewest hexes of a hill with slopes (HX-50).
HILLS: Final[Mapping[str, float]] = {"auto": 2, "slope": 1, "step": inf}

# Why a hill cannot have slopes. Its rim is not open ground, or its side is too high for one piece. Or its rim is also
# the rim of a higher hill, or the user does not own the pieces.
Reason = Literal["occupied", "steep", "meets", "owned"]


class HexGround(Struct, frozen=True, kw_only=True):
    """The hexes of the table.

    Attributes:
        heights: their heights in levels, in reading order.
        open: the hexes that may have slopes.
    """

    heights: Mapping[Hex, int]
    open: frozenset[Hex]

    def on_board(self, hexes: Iterable[Hex]) -> list[Hex]:
        """Return those of the hexes that are on the table."""
        return [position for position in hexes if position in self.heights]


class HexHill(Struct, frozen=True):
    """A hill: its number from 1 in reading order, its hexes, and whether it has slopes."""

    number: int
    hexes: tuple[Hex, ...]
    sloped: bool


class Fallback(Struct, frozen=True):
    """A hill with vertical sides, with the reason and the hexes where slopes do not fit, or the missing slopes."""

    hill: int
    reason: Reason
    hexes: tuple[Hex, ...] = ()
    shortage: Shortage | None = None


class Rim(Struct, frozen=True):
    """A slope of a hill: ``level`` is its layer, ``rise`` is the number of levels that it climbs."""

    level: int
    rise: int
    slope: HexSlope
    hill: int

    @property
    def piece(self) -> PieceKind:
        """Return the piece for this shape and rise."""
        return PieceKind(f"{self.slope.shape}{self.rise}")


class Hills(Struct, frozen=True, kw_only=True):
    """All hills as built.

    Attributes:
        hills: the hills.
        flats: the flat hexes of each level from 1.
        rims: the slopes on the table.
        cut: the slopes off the table.
        raised_hexes: hexes that were raised to the plateau because no slope fits them.
        fallbacks: the hills with vertical sides, with reasons.
    """

    hills: tuple[HexHill, ...]
    flats: tuple[tuple[Hex, ...], ...]
    rims: tuple[Rim, ...]
    cut: tuple[Rim, ...]
    raised_hexes: tuple[Hex, ...]
    fallbacks: tuple[Fallback, ...]

    def level(self, position: Hex) -> int:
        """Return the level of the flat top of a hex, from 1; 0 for the base and for slopes."""
        return sum(position in flat for flat in self.flats)


class _Terrace(Struct, frozen=True):
    """Slopes that are computed together: those of one level, or those that climb two levels at once."""

    level: int
    rise: int
    slope_relief: SlopeRelief


def build_hills(ground: HexGround, mode: str, stock: Stock | None = None) -> Hills:
    """Return the hills of a table, with slopes if the mode requires them and they fit.

    A hill without enough slopes in the stock is built as steps.

    Args:
        ground: the table.
        mode: how sides are built, a key of ``HILLS``.
        stock: the pieces that the user owns; unlimited if None.
    """
    stepped_hexes: frozenset[Hex] = frozenset()
    hills = _fit_hills(ground, mode, stepped_hexes)
    stock_fallbacks: list[Fallback] = []
    while stock is not None and (best := given_up(count_slopes(hills.rims), stock)):
        number, shortage = best
        stock_fallbacks.append(Fallback(number, "owned", shortage=shortage))
        stepped_hexes |= frozenset(next(hill.hexes for hill in hills.hills if hill.number == number))
        hills = _fit_hills(ground, mode, stepped_hexes)
    return replace(hills, fallbacks=(*hills.fallbacks, *stock_fallbacks))


def count_slopes(rims: Iterable[Rim]) -> Mapping[int, Mapping[str, int]]:
    """Return the number of slopes of each hill: by hill number (from 1), then by the piece's name in a stock."""
    counts: dict[int, Counter[str]] = {}
    for rim in rims:
        counts.setdefault(rim.hill, Counter())[NAMES[rim.piece]] += 1
    return counts


def _fit_hills(ground: HexGround, mode: str, stepped_hexes: frozenset[Hex]) -> Hills:
    """Return the hills of a table, with slopes if the mode requires them and they fit.

    Hills on ``stepped_hexes`` get steps. If slopes do not fit, the hill nearest to the fault is built as steps, and all
    hills are tried again. In the mode ``slope`` a hill keeps its other slopes if some hexes next to it are not free.
    """
    hills = _number_hills(ground, mode, stepped_hexes)
    fallbacks: list[Fallback] = []
    while True:
        stepped_hills = {each.hill for each in fallbacks}
        current_hills = tuple(
            HexHill(each.number, each.hexes, each.sloped and each.number not in stepped_hills) for each in hills
        )
        terraces = _build_terraces(current_hills, ground, partial=mode == "slope")
        fault = _find_fault(current_hills, terraces, ground)
        if fault is None:
            sides = {each.number: _vertical_side(each, terraces, ground) for each in current_hills if each.sloped}
            vertical = [Fallback(number, "occupied", hexes) for number, (hexes, _) in sides.items() if hexes]
            fault = next((each for each in vertical if not sides[each.hill][1]), None)
            if fault is None:
                return _collect_hills(current_hills, terraces, ground, fallbacks=(*fallbacks, *vertical))
        fallbacks.append(fault)


def _vertical_side(hill: HexHill, terraces: Iterable[_Terrace], ground: HexGround) -> tuple[tuple[Hex, ...], bool]:
    """Return the hexes next to a hill that stay without a slope, in reading order, and whether others have one."""
    near = frozenset(hill.hexes).union(*map(hex_neighbours, hill.hexes))
    gaps = near.intersection(position for terrace in terraces for position in terrace.slope_relief.gaps)
    slopes = near.intersection(slope.at for terrace in terraces for slope in terrace.slope_relief.slopes)
    return tuple(position for position in ground.heights if position in gaps), bool(ground.on_board(slopes))


def _number_hills(ground: HexGround, mode: str, stepped_hexes: frozenset[Hex]) -> tuple[HexHill, ...]:
    """Return the connected hills in reading order, numbered from 1.

    A hill gets slopes if the mode allows it and none of its hexes is in ``stepped_hexes``.
    """
    order = {position: index for index, position in enumerate(ground.heights)}
    high = [position for position, height in ground.heights.items() if height]
    parts = sorted((sorted(part, key=order.__getitem__) for part in components(high)), key=lambda part: order[part[0]])
    return tuple(
        HexHill(number, tuple(part), len(part) >= HILLS[mode] and stepped_hexes.isdisjoint(part))
        for number, part in enumerate(parts, 1)
    )


def _build_terraces(hills: Sequence[HexHill], ground: HexGround, *, partial: bool) -> tuple[_Terrace, ...]:
    """Return the slopes of all sloped hills together.

    Neighbouring hills therefore share the slopes between them. Terraces are sorted by level (from 1) and rise (1 or 2
    levels). With ``partial`` no hex is raised, and slopes are left out where the ground is not free.
    """
    plateaus: dict[tuple[int, int], frozenset[Hex]] = {}
    for hill in hills:
        if not hill.sloped:
            continue
        highest = max(ground.heights[position] for position in hill.hexes)
        levels = [
            frozenset(position for position in hill.hexes if ground.heights[position] > level)
            for level in range(highest)
        ]
        # If both levels of a hill have the same hexes, its slopes climb two levels at once (HX-27).
        climbs = {(1, 2): levels[0]} if highest == 2 and levels[0] == levels[1] else {
            (level, 1): area for level, area in enumerate(levels, 1)
        }  # fmt: skip
        for key, area in climbs.items():
            plateaus[key] = plateaus.get(key, frozenset()) | area
    fixed_hexes: frozenset[Hex] = frozenset()
    closed_hexes: frozenset[Hex] = frozenset()
    if partial:
        fixed_hexes = frozenset(ground.heights)
        closed_hexes = fixed_hexes - (ground.open - _stepped_hexes(hills))
    return tuple(_Terrace(*key, build_relief(plateaus[key], fixed_hexes, closed_hexes)) for key in sorted(plateaus))


def _stepped_hexes(hills: Iterable[HexHill]) -> frozenset[Hex]:
    """Return the hexes of the hills without slopes."""
    return frozenset(position for hill in hills if not hill.sloped for position in hill.hexes)


def _find_fault(hills: Sequence[HexHill], terraces: Sequence[_Terrace], ground: HexGround) -> Fallback | None:
    """Return the first hill whose slopes do not fit, in reading order of the hexes, or None if all fit.

    The result has all hexes where its slopes do not fit for the same reason.
    """
    free = ground.open - _stepped_hexes(hills)
    wrong = []
    for terrace, position in _terrace_claims(terraces, ground):
        # If the plan already has a hill of that height there, its flat top may have any feature.
        is_plateau = position in terrace.slope_relief.plateau and ground.heights[position] >= terrace.level
        wrong.append((position, _fault_reason(position, terrace, terraces, free=is_plateau or position in free)))
    faults = [
        (_nearest_hill(position, hills, last=True), reason, position)
        for position, reason in wrong
        if reason is not None
    ]
    if not faults:
        return None
    hill, reason, _ = faults[0]
    return Fallback(
        hill, reason, tuple(dict.fromkeys(position for *same, position in faults if same == [hill, reason]))
    )


def _terrace_claims(terraces: Iterable[_Terrace], ground: HexGround) -> list[tuple[_Terrace, Hex]]:
    """Return each hex of the table with the terrace (plateau and slopes) that covers it, in reading order.

    A hex can occur several times, with the lower terrace first.
    """
    order = {position: index for index, position in enumerate(ground.heights)}
    claims = [
        (order[position], terrace, position)
        for terrace in terraces
        for position in ground.on_board(terrace.slope_relief.footprint)
    ]
    claims.sort(key=lambda claim: (claim[0], claim[1].level, claim[1].rise))
    return [(terrace, position) for _, terrace, position in claims]


def _fault_reason(position: Hex, terrace: _Terrace, terraces: Sequence[_Terrace], *, free: bool) -> Reason | None:
    """Return why a terrace does not fit on a hex, or None if it fits.

    The reason is ``occupied``, ``steep`` (no plateau below) or ``meets`` (terraces of another rise at its level).
    ``terraces`` are all terraces. ``free`` is false for a hex with another feature.
    """
    if not free:
        return "occupied"
    below = [other.slope_relief.plateau for other in terraces if other.level == terrace.level - 1 and other.rise == 1]
    if terrace.level > 1 and not any(position in flat for flat in below):
        return "steep"
    other_terraces = (other for other in terraces if other.level == terrace.level and other.rise != terrace.rise)
    return "meets" if any(position in other.slope_relief.footprint for other in other_terraces) else None


def _nearest_hill(position: Hex, hills: Iterable[HexHill], *, last: bool = False) -> int:
    """Return the number, from 1, of the sloped hill nearest to a hex; there must be a sloped hill.

    Of equally near hills it is the first in reading order, or the last if ``last``.
    """
    ranks = {hill.number: min(hex_distance(position, each) for each in hill.hexes) for hill in hills if hill.sloped}
    return min(ranks, key=lambda number: (ranks[number], -number if last else number))


def _collect_hills(
    hills: tuple[HexHill, ...],
    terraces: Sequence[_Terrace],
    ground: HexGround,
    *,
    fallbacks: tuple[Fallback, ...],
) -> Hills:
    """Return all hills as built, with their slopes, flat hexes and faults.

    Slopes are sorted by level, then in reading order; those off the table are in ``cut``.
    """
    order = {position: index for index, position in enumerate(ground.heights)}
    rims = [
        Rim(terrace.level, terrace.rise, slope, _nearest_hill(slope.at, hills))
        for terrace in terraces
        for slope in terrace.slope_relief.slopes
    ]
    return Hills(
        hills=hills,
        flats=_flat_hexes(hills, terraces, ground),
        rims=tuple(
            sorted((rim for rim in rims if rim.slope.at in order), key=lambda rim: (rim.level, order[rim.slope.at]))
        ),
        cut=tuple(rim for rim in rims if rim.slope.at not in order),
        raised_hexes=tuple(
            position for position in order if any(position in each.slope_relief.raised_hexes for each in terraces)
        ),
        fallbacks=fallbacks,
    )


def _flat_hexes(
    hills: Iterable[HexHill], terraces: Iterable[_Terrace], ground: HexGround
) -> tuple[tuple[Hex, ...], ...]:
    """Return the flat hexes of each level above the base, the lowest first; empty without hills.

    A plateau that is two levels high counts in both.
    """
    flats: dict[int, set[Hex]] = {}
    for terrace in terraces:
        for level in range(terrace.level, terrace.level + terrace.rise):
            flats.setdefault(level, set()).update(ground.on_board(terrace.slope_relief.plateau))
    for hill in hills:
        for position in () if hill.sloped else hill.hexes:
            for level in range(1, ground.heights[position] + 1):
                flats.setdefault(level, set()).add(position)
    return tuple(tuple(position for position in ground.heights if position in flats[level]) for level in sorted(flats))
