"""Water: river or sea along an edge of the table, or a creek across it (AC-303..AC-306, AC-N30)."""

from __future__ import annotations

from typing import NamedTuple

from printkit.chance.dice import Dice
from printkit.core.errors import ScenarioError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.acw.dicing.geography import AUTO, CREEK, pick, wanted_water
from printkit.systems.acw.terms.inputs import RECORDED, Inputs
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import CreekPath, Water, ZonePlan, ZoneSide
from printkit.systems.acw.terms.tables import Geography


class Waters(NamedTuple):
    """The water of a table: along an edge, a creek, or neither."""

    edge: Water | None = None
    creek: CreekPath | None = None


def settle_water(grid: ZonePlan, country: Geography, inputs: Inputs, dice: Dice, *, rules: Rules) -> Waters:
    """Return the water of a table, by the defender's choice or by chance (AC-303, AC-304, AC-Q08).

    Raises:
        ScenarioError: the geography does not have water, or needs it (AC-X09); the sea cannot be a creek (AC-X10).
        DiceError: a die of the creek is missing or not valid (AC-X02, AC-X04).
    """
    wanted = wanted_water(inputs, rules)
    if country.water is None:
        if wanted != AUTO:
            raise ScenarioError(
                "water is {wanted}, but there is no water in {country}; remove it",
                wanted=wanted,
                country=country.name,
                clause="AC-X09",
            )
        return Waters()
    if wanted == CREEK:
        if country.water is Piece.SEA:
            raise ScenarioError(
                "the sea of {country} cannot be a creek; give its edge", country=country.name, clause="AC-X10"
            )
        return Waters(creek=crossing_creek(grid, dice))
    if wanted == AUTO:
        if rules.choice("choice-policy") == RECORDED:
            raise ScenarioError(
                "{country} needs water: write water=N, E, S or W for its edge, or water=creek",
                country=country.name,
                clause="AC-X09",
            )
        reason = Sentence("edge of the {piece}", piece=country.water.value)
        wanted = dice.choose(tuple(ZoneSide), reason, "AC-303").value
    return Waters(edge=Water(ZoneSide(wanted), country.water))


def water_to_settle(country: Geography, inputs: Inputs, rules: Rules) -> tuple[str, ...]:
    """Return a line for each open roll or choice about the water: its edge, or the dice of a creek."""
    wanted = wanted_water(inputs, rules)
    if country.water is None:
        return ()
    if wanted == CREEK:
        return (Sentence("creek: the zone where it enters, then the zone where it leaves"),)
    return (Sentence("water: the edge of the {water}", water=country.water.value),) if wanted == AUTO else ()


def crossing_creek(grid: ZonePlan, dice: Dice) -> CreekPath:
    """Roll a creek across the table: two edge zones by dice, for its entry and its exit (AC-D2)."""
    zones = grid.edge_zones
    entry = pick(zones, dice, Sentence("zone where the creek comes in"), "AC-305")
    while True:
        leaves = pick(zones, dice, Sentence("zone where the creek goes out"), "AC-306")
        if leaves != entry or len(zones) == 1:
            return creek_path(grid, entry, leaves)


def creek_path(grid: ZonePlan, entry: int, leaves: int) -> CreekPath:
    """Return the path of a creek; each step is along the axis with the longer distance left (AC-N30).

    If both are equal, the step is west or east.
    """
    path = [entry]
    while path[-1] != leaves:
        across = grid.column(leaves) - grid.column(path[-1])
        down = grid.row(leaves) - grid.row(path[-1])
        if abs(across) >= abs(down):
            side = ZoneSide.EAST if across > 0 else ZoneSide.WEST
        else:
            side = ZoneSide.SOUTH if down > 0 else ZoneSide.NORTH
        path.append(next(other for beside, other in grid.neighbours(path[-1]) if beside is side))
    if len(path) == 1:
        return CreekPath(path=(entry,), entry=ZoneSide.WEST, exit=ZoneSide.EAST)
    behind = grid.side_between(entry, path[1]).opposite
    ahead = grid.side_between(path[-2], leaves)
    first, last = grid.edges(entry), grid.edges(leaves)
    return CreekPath(
        path=tuple(path),
        entry=behind if behind in first else first[0],
        exit=ahead if ahead in last else last[0],
    )
