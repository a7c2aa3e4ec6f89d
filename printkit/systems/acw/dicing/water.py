"""Water: river or sea along an edge of the table, or a creek across it (AC-303..AC-306, AC-N30)."""

from __future__ import annotations

from typing import NamedTuple

from printkit.chance.dice import Dice
from printkit.core.errors import ScenarioError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.acw.dicing.geography import AUTO, CREEK, find_water_setting, pick
from printkit.systems.acw.terms.inputs import RECORDED, Inputs
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import CreekPath, Water, ZonePlan, ZoneSide
from printkit.systems.acw.terms.tables import Geography


class TableWater(NamedTuple):
    """The water of a table: along an edge, a creek, or neither."""

    edge: Water | None = None
    creek: CreekPath | None = None


def determine_water(grid: ZonePlan, geography: Geography, inputs: Inputs, dice: Dice, *, rules: Rules) -> TableWater:
    """Return the water of a table, by the defender's choice or by chance (AC-303, AC-304, AC-Q08).

    The result has ``edge`` and ``creek``, at most one of them; both have the value None for a geography without water.

    Raises:
        ScenarioError: the geography does not have water, or needs it (AC-X09); the sea cannot be a creek (AC-X10).
        DiceError: a die of the creek is missing or not valid (AC-X02, AC-X04).
    """
    setting = find_water_setting(inputs, rules)
    if geography.water is None:
        if setting != AUTO:
            raise ScenarioError(
                "water is {wanted}, but there is no water in {country}; remove it",
                wanted=setting,
                country=geography.name,
                clause="AC-X09",
            )
        return TableWater()
    if setting == CREEK:
        if geography.water is Piece.SEA:
            raise ScenarioError(
                "the sea of {country} cannot be a creek; give its edge", country=geography.name, clause="AC-X10"
            )
        return TableWater(creek=roll_creek(grid, dice))
    if setting == AUTO:
        if rules.choice("choice-policy") == RECORDED:
            raise ScenarioError(
                "{country} needs water: write water=N, E, S or W for its edge, or water=creek",
                country=geography.name,
                clause="AC-X09",
            )
        reason = Sentence("edge of the {piece}", piece=geography.water.value)
        setting = dice.choose(tuple(ZoneSide), reason, "AC-303").value
    return TableWater(edge=Water(ZoneSide(setting), geography.water))


def list_open_water(geography: Geography, inputs: Inputs, rules: Rules) -> tuple[str, ...]:
    """Return a line for each open roll or choice about the water: its edge, or the dice of a creek.

    The result is empty if nothing is open.
    """
    setting = find_water_setting(inputs, rules)
    if geography.water is None:
        return ()
    if setting == CREEK:
        return (Sentence("creek: the zone where it enters, then the zone where it leaves"),)
    return (Sentence("water: the edge of the {water}", water=geography.water.value),) if setting == AUTO else ()


def roll_creek(grid: ZonePlan, dice: Dice) -> CreekPath:
    """Roll the edge zones where a creek enters and leaves the table, and return its path (AC-D2).

    Raises:
        DiceError: a die is missing or not valid (AC-X02, AC-X04).
    """
    zones = grid.edge_zones
    entry = pick(zones, dice, Sentence("zone where the creek comes in"), "AC-305")
    while True:
        leaves = pick(zones, dice, Sentence("zone where the creek goes out"), "AC-306")
        if leaves != entry or len(zones) == 1:
            return find_creek_path(grid, entry, leaves)


def find_creek_path(grid: ZonePlan, entry: int, leaves: int) -> CreekPath:
    """Return the path of a creek from the edge zone ``entry`` to the edge zone ``leaves`` (AC-N30).

    Both zones are included, and the result also has the table edges where it enters and leaves. Each step is along the
    axis with the longer distance left; if both are equal, the step is west or east. If both zones are the same, it
    enters in the west and leaves in the east.
    """
    path = [entry]
    while path[-1] != leaves:
        column_steps = grid.column(leaves) - grid.column(path[-1])
        row_steps = grid.row(leaves) - grid.row(path[-1])
        if abs(column_steps) >= abs(row_steps):
            side = ZoneSide.EAST if column_steps > 0 else ZoneSide.WEST
        else:
            side = ZoneSide.SOUTH if row_steps > 0 else ZoneSide.NORTH
        path.append(next(other for direction, other in grid.neighbours(path[-1]) if direction is side))
    if len(path) == 1:
        return CreekPath(path=(entry,), entry=ZoneSide.WEST, exit=ZoneSide.EAST)
    entry_side = grid.side_between(entry, path[1]).opposite
    exit_side = grid.side_between(path[-2], leaves)
    first, last = grid.edges(entry), grid.edges(leaves)
    return CreekPath(
        path=tuple(path),
        entry=entry_side if entry_side in first else first[0],
        exit=exit_side if exit_side in last else last[0],
    )
