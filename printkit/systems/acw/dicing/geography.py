"""The local geography by map or die (AC-103), and rolling dice with this system's clauses (AC-D5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.core.errors import DiceError, ScenarioError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.acw.terms.inputs import Inputs
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.tables import Geography, Region, Tables

# --- Rolling dice: errors with the clauses of this system, and picking an item by dice (AC-D5) ------------------------

T = TypeVar("T")

_SIDES: Final = 6

# Clauses of this system for the shared errors of a list of dice.
_CLAUSE_MAP: Final = {"BR-X08": "AC-X02", "BR-X07": "AC-X04"}


def roll_d6(
    dice: Dice, reason: Sentence, clause: str | Callable[[int], str], brings: Callable[[int], object] | None = None
) -> int:
    """Roll a die, log it and return its score, 1 to 6.

    Args:
        dice: the source of the score.
        reason: what the die is for; the log shows it.
        clause: the clause for the log, or a function that gets the score and returns the clause.
        brings: gets a score and returns its result, for the user; by default the result is not shown.

    Raises:
        DiceError: the list of dice has run out (AC-X02) or has an invalid score (AC-X04).
    """
    try:
        return dice.d6(reason, clause, brings=brings)
    except DiceError as error:
        if error.clause not in _CLAUSE_MAP:
            raise
        raise DiceError("{fault}", fault=error.fault, clause=_CLAUSE_MAP[error.clause]) from None


def pick(items: Sequence[T], dice: Dice, reason: Sentence, clause: str) -> T:
    """Pick one of ``items``, all equally likely, with the fewest dice that give enough numbers (AC-D5).

    The dice form one number, the first die its highest digit. Numbers from the largest multiple of the item count
    upwards are rolled again. A single item needs no die.

    Raises:
        DiceError: the list of dice has run out (AC-X02) or has an invalid score (AC-X04).
    """
    count = dice_needed(len(items))
    while True:
        number = 0
        for _ in range(count):
            number = number * _SIDES + roll_d6(dice, reason, clause) - 1
        if number < last_round(len(items)):
            return items[number % len(items)]


def dice_needed(items: int) -> int:
    """Return the number of six-sided dice needed to pick one of ``items`` items (AC-D5).

    It is 0 for one item.
    """
    count = 0
    while _SIDES**count < items:
        count += 1
    return count


def last_round(items: int) -> int:
    """Return the number, from 0, from which the dice for ``items`` items are rolled again (AC-D5).

    It is the largest multiple of ``items`` up to the count of numbers that the dice can give.
    """
    total: int = _SIDES ** dice_needed(items)
    return total - total % items


# Values of the setting for water: chosen by the program, or a creek across the table instead of water along an edge.
AUTO: Final = "auto"
CREEK: Final = "creek"

ANY = "any"
BY_STATE = "by-state"


class BattleLocation(Struct, frozen=True):
    """The location of the battle: its geography, and its row of the State table if one is used."""

    geography: Geography
    region: Region | None = None


def determine_location(tables: Tables, inputs: Inputs, rules: Rules, dice: Dice) -> BattleLocation:
    """Return the geography and the State of the battle, from the settings or by rolls (AC-101, AC-103, AC-D1).

    A geography in the settings needs no roll; without a State in the settings ``region`` is empty (None). Otherwise a
    State is chosen by chance or by the user if none is set, and a die gives its geography. No die is rolled if only one
    geography of the State allows the water in the settings. If several do, a die for another one is rolled again.

    Raises:
        ScenarioError: unknown State or geography (AC-X01), or no geography of the State allows the water (AC-X09).
        DiceError: the die is missing or not valid (AC-X02, AC-X04).
    """
    region, known_geography = _read_location(tables, inputs, rules)
    if known_geography is not None:
        return BattleLocation(known_geography, region)
    if region is None:
        regions = tuple(region for region in tables.regions if _list_allowed(tables, region, inputs, rules))
        region = dice.choose(regions, Sentence("State of the battle"), "AC-110")
    row, names = region, _list_allowed(tables, region, inputs, rules)
    if not names:
        raise ScenarioError(
            "water is {wanted}, but no geography of {state} allows it: {countries}; remove it",
            wanted=find_water_setting(inputs, rules),
            state=row.name,
            countries=", ".join(dict.fromkeys(tables.geography(name).name for name in row.geographies)),
            clause="AC-X09",
        )
    while len(names) > 1:
        die = roll_d6(
            dice,
            Sentence("geography of {state}", state=row.name),
            lambda _score: row.clause,
            lambda score: row.geographies[score - 1],
        )
        if row.geographies[die - 1] in names:
            return BattleLocation(tables.geography(row.geographies[die - 1]), row)
    return BattleLocation(tables.geography(names[0]), row)


def _list_allowed(tables: Tables, region: Region, inputs: Inputs, rules: Rules) -> tuple[str, ...]:
    """Return the names of the geographies of a State that allow the water in the settings, each once."""
    names = dict.fromkeys(region.geographies)
    return tuple(name for name in names if allows_water(tables.geography(name), inputs, rules))


def find_water_setting(inputs: Inputs, rules: Rules) -> str:
    """Return the water that the campaign gives, otherwise that of the settings: an edge, ``CREEK`` or ``AUTO``.

    An edge is N, E, S or W.
    """
    return inputs.water or rules.choice("water")


def allows_water(geography: Geography, inputs: Inputs, rules: Rules) -> bool:
    """Return whether a geography allows the water in the settings.

    ``AUTO`` is always allowed, a creek only if its water is a river, and an edge if it has any water.
    """
    setting = find_water_setting(inputs, rules)
    return setting == AUTO or (geography.water is Piece.RIVER if setting == CREEK else geography.water is not None)


def find_known_location(tables: Tables, inputs: Inputs, rules: Rules) -> BattleLocation | str:
    """Return the location if the settings decide its geography, otherwise a line with the rolls that it needs (AC-M2).

    No die is rolled.

    Raises:
        ScenarioError: unknown State or geography (AC-X01).
    """
    region, known_geography = _read_location(tables, inputs, rules)
    if known_geography is not None:
        return BattleLocation(known_geography, region)
    if region is not None and len(names := _list_allowed(tables, region, inputs, rules)) == 1:
        return BattleLocation(tables.geography(names[0]), region)
    state = (
        Sentence("choose the State of the battle, then roll one die for it")
        if region is None
        else Sentence("one die for {region}", region=region.name)
    )
    return Sentence("geography: {state}", state=state)


def _read_location(tables: Tables, inputs: Inputs, rules: Rules) -> tuple[Region | None, Geography | None]:
    """Return the State and the geography from the settings, each None if not given.

    Raises:
        ScenarioError: unknown State or geography (AC-X01).
    """
    region = None if rules.choice("state") == ANY else tables.region(rules.choice("state"))
    geography_name = inputs.geography or ("" if rules.choice("geography") == BY_STATE else rules.choice("geography"))
    return region, tables.geography(geography_name) if geography_name else None
