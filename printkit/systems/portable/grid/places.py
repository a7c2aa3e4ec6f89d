"""Inhabited areas and the places that they form (PW2-57), and the allotment of fields (PW2-71, PW2-72)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.edges import address
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid, neighbours
from printkit.terrain.gridded.cell_shapes import find_cell_groups


class Settlement(Struct, frozen=True, kw_only=True):
    """Inhabited areas connected by their sides, in the order located; ``id`` is the ID of its feature."""

    id: str
    kind: Kind
    cells: tuple[Cell, ...]


def bodies(grid: Grid, cells: Sequence[Cell]) -> tuple[tuple[Cell, ...], ...]:
    """Return the groups of areas connected by their sides; empty without areas.

    Groups, and the areas in each, are in the order located: the order of ``cells``.
    """
    sorted_groups = (tuple(sorted(group, key=cells.index)) for group in find_cell_groups(grid, cells))
    return tuple(sorted(sorted_groups, key=lambda group: cells.index(group[0])))


def kind_of(rules: Rules, count: int) -> Kind:
    """Return the kind of place that ``count`` connected inhabited areas form (PW2-57); ``count`` is at least 1."""
    rows = [row for row in rules.rows("places") if row.need("least", int) <= count]
    return rows[-1].need("kind", Kind)


def about(grid: Grid, cells: Collection[Cell]) -> frozenset[Cell]:
    """Return some areas and all their neighbours (PW0-18)."""
    return frozenset(cells) | {other for cell in cells for other in neighbours(grid, cell)}


# --- The place that gets each field (PW2-71, PW2-72) ------------------------------------------------------------------

_FIRST = (Kind.SETTLEMENT, Kind.VILLAGE)
_ELSE = (Kind.TOWN, Kind.CITY)


def owners(places: Sequence[Settlement]) -> tuple[Settlement, ...]:
    """Return the places that get fields: the settlements and villages, or the towns and cities if there are none."""
    first = tuple(place for place in places if place.kind in _FIRST)
    return first or tuple(place for place in places if place.kind in _ELSE)


def allotted(places: Sequence[Settlement], count: int, dice: Dice) -> tuple[Settlement, ...]:
    """Return the inhabited place that gets each of ``count`` fields, in the order of allotment.

    Without places the result is empty. If there are enough fields, each place first gets one without dice, in the order
    located. The others are allotted in rounds, at most one to each place in a round, highest die first.
    """
    if not places:
        return ()
    allotment = list(places) if count >= len(places) else []
    round_number = 0
    while len(allotment) < count:
        round_number += 1
        ranked_places = ranking(places, dice, Sentence("round {number:d} of fields", number=round_number))
        allotment.extend(ranked_places[: count - len(allotment)])
    return tuple(allotment)


def ranking(places: Sequence[Settlement], dice: Dice, reason: Sentence) -> tuple[Settlement, ...]:
    """Roll a die for each place and return the places, highest first; ties roll again among themselves.

    ``reason`` begins the reasons in the log.
    """
    return tuple(_roll_ranking(list(places), dice, reason))


def _roll_ranking(places: list[Settlement], dice: Dice, reason: Sentence) -> Iterator[Settlement]:
    """Yield the places by their dice, highest first; ties roll again among themselves (PW2-71).

    ``reason`` is the beginning of the reasons in the log.
    """
    reasons = (
        Sentence("{reason}, {kind} at {cell}", reason=reason, kind=place.kind.value, cell=address(place.cells[0]))
        for place in places
    )
    scores = [dice.d6(roll_reason, "PW2-71") for roll_reason in reasons]
    for score in sorted(set(scores), reverse=True):
        tied_places = [place for place, place_score in zip(places, scores, strict=True) if place_score == score]
        if len(tied_places) == 1:
            yield tied_places[0]
        else:
            yield from _roll_ranking(tied_places, dice, Sentence("{reason} again", reason=reason))
