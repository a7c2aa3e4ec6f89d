"""Links between zones that hold roads, or streams: nearest groups first, along the zones they would rather pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from printkit.kit.book import RuleBook
from printkit.systems.acw.terms.plan import ZoneGrid, ZoneLog
from printkit.systems.acw.terms.tables import piece_of

Path = tuple[int, ...]
Preference = Callable[[int], int]


def links(grid: ZoneGrid, rolled: Iterable[int], preference: Preference, reach: int) -> tuple[Path, ...]:
    """Return the links that join groups of zones, as paths, in the order in which they come (AC-N01, AC-N02).

    Args:
        grid: the zones of the table.
        rolled: the zones that hold a course of the class; each is a group of its own to begin with.
        preference: how little a link would like to pass a zone; the least is best (AC-N03).
        reach: how many steps a link may be long (AC-Q21).
    """
    group = {zone: zone for zone in sorted(rolled)}
    found: list[Path] = []
    while (pair := _nearest(grid, group, reach)) is not None:
        path = best_path(grid, *pair, preference)
        found.append(path)
        joined, old = group[pair[0]], group[pair[1]]
        group = {zone: joined if number == old else number for zone, number in group.items()}
        group |= dict.fromkeys(path, joined)
    return tuple(found)


def best_path(grid: ZoneGrid, start: int, end: int, preference: Preference) -> Path:
    """Return the shortest path with the least preference over its zones in between, ties by the lowest numbers."""
    best: dict[int, tuple[int, Path]] = {start: (0, (start,))}
    for _ in range(grid.distance(start, end)):
        following: dict[int, tuple[int, Path]] = {}
        for zone, (cost, path) in best.items():
            for _side, other in grid.neighbours(zone):
                if grid.distance(other, end) < grid.distance(zone, end):
                    reached = (cost + (0 if other == end else preference(other)), (*path, other))
                    following[other] = min(reached, following.get(other, reached))
        best = following
    return best[end][1]


def preferences(book: RuleBook, course: str, log: ZoneLog) -> Preference:
    """Return how little the links of ``roads`` or of ``streams`` would like to pass a zone (AC-N03)."""
    ranks = {
        piece_of(row, row.need("piece", str)): row.need("rank", int)
        for row in book.own("preferences")
        if row.need("course", str) == course
    }
    none = int(book.numbers["no_preference"])
    return lambda zone: min((ranks.get(piece, none) for piece in log.pieces(zone)), default=none)


def steps(paths: Iterable[Path]) -> Iterator[tuple[int, int]]:
    """Yield the steps of all paths, each from one zone to its neighbour."""
    for path in paths:
        yield from pairwise(path)


def groups(rolled: Iterable[int], paths: Iterable[Path]) -> tuple[tuple[int, ...], ...]:
    """Return the zones that links join, group by group in the order of their lowest zone, each group in order."""
    group = {zone: zone for zone in rolled}
    for one, other in steps(paths):
        old, new = group.setdefault(other, other), group.setdefault(one, one)
        group = {zone: new if number == old else number for zone, number in group.items()}
    return tuple(sorted(tuple(sorted(members)) for members in _by_number(group).values()))


def _by_number(group: Mapping[int, int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for zone, number in group.items():
        found.setdefault(number, []).append(zone)
    return found


def _nearest(grid: ZoneGrid, group: Mapping[int, int], reach: int) -> tuple[int, int] | None:
    """Return the first pair of zones of different groups that lie nearest, or None where none are near enough."""
    zones = sorted(group)
    pairs = (
        (grid.distance(one, other), one, other)
        for place, one in enumerate(zones)
        for other in zones[place + 1 :]
        if group[one] != group[other]
    )
    best = min(pairs, default=None)
    return best[1:] if best is not None and best[0] <= reach else None
