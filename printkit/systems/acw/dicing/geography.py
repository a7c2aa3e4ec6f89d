"""The local geography by map or die (AC-103), and dice as these rules throw them, errors by clause (AC-D5)."""

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

# --- Dice as these rules throw them: errors by their own clauses, and one of any number of things by dice (AC-D5) -----

T = TypeVar("T")

_SIDES: Final = 6
_OURS: Final = {"BR-X08": "AC-X02", "BR-X07": "AC-X04"}
"""The errors of a list of dice are the same for all rule systems; here they have clauses of their own."""


def d6(
    dice: Dice, reason: Sentence, clause: str | Callable[[int], str], brings: Callable[[int], object] | None = None
) -> int:
    """Return the score of a die.

    Raises:
        DiceError: the list of dice has run out (AC-X02), or holds what is no score (AC-X04).
    """
    try:
        return dice.d6(reason, clause, brings=brings)
    except DiceError as error:
        if error.clause not in _OURS:
            raise
        raise DiceError("{fault}", fault=error.fault, clause=_OURS[error.clause]) from None


def pick(items: Sequence[T], dice: Dice, reason: Sentence, clause: str) -> T:
    """Return one of ``items``, all equally likely, by the fewest dice that can tell them apart (AC-D5).

    The dice are read as one number, the first as its highest figure; a number over the last whole round of the items
    is thrown again.
    """
    count = dice_needed(len(items))
    while True:
        number = 0
        for _ in range(count):
            number = number * _SIDES + d6(dice, reason, clause) - 1
        if number < last_round(len(items)):
            return items[number % len(items)]


def dice_needed(items: int) -> int:
    """Return how many dice pick one of so many things."""
    count = 0
    while _SIDES**count < items:
        count += 1
    return count


def last_round(items: int) -> int:
    """Return how many of the numbers that those dice give are used."""
    whole: int = _SIDES ** dice_needed(items)
    return whole - whole % items


AUTO: Final = "auto"
CREEK: Final = "creek"
"""Water that is left open, and water that crosses the board in place of running along its edge."""

ANY = "any"
BY_STATE = "by-state"


class BattleLocation(Struct, frozen=True):
    """Where the battle is: its row of the State table if one was read, and the geography."""

    geography: Geography
    region: Region | None = None


def settle_country(tables: Tables, inputs: Inputs, rules: Rules, dice: Dice) -> BattleLocation:
    """Return the country: known from the campaign, or by the die of the State (AC-101, AC-103, AC-D1).

    Water that only some geographies have is heeded: the die is thrown again where it gives another one.

    Raises:
        ScenarioError: no such State or geography (AC-X01), or none that has the water that is asked for (AC-X09).
        DiceError: the die is missing or cannot be (AC-X02, AC-X04).
    """
    region, known = _given(tables, inputs, rules)
    if known is not None:
        return BattleLocation(known, region)
    fitting = {each: _fitting(tables, each, inputs, rules) for each in tables.regions}
    if region is None:
        region = dice.choose(
            tuple(each for each in fitting if fitting[each]), Sentence("State of the battle"), "AC-110"
        )
    row = region
    if not fitting[row]:
        raise ScenarioError(
            "water is {wanted}, but no geography of {state} allows it: {countries}; remove it",
            wanted=wanted_water(inputs, rules),
            state=row.name,
            countries=", ".join(dict.fromkeys(tables.geography(name).name for name in row.geographies)),
            clause="AC-X09",
        )
    while True:
        die = d6(
            dice,
            Sentence("geography of {state}", state=row.name),
            lambda _score: row.clause,
            lambda score: row.geographies[score - 1],
        )
        if row.geographies[die - 1] in fitting[row]:
            return BattleLocation(tables.geography(row.geographies[die - 1]), row)


def wanted_water(inputs: Inputs, rules: Rules) -> str:
    """Return the water that is asked for: an edge, a creek, or that it is left open."""
    return inputs.water or rules.choice("water")


def allows_water(country: Geography, inputs: Inputs, rules: Rules) -> bool:
    """Return whether the water that is asked for can be in a geography; a die that gives another is thrown again."""
    wanted = wanted_water(inputs, rules)
    return wanted == AUTO or (country.water is Piece.RIVER if wanted == CREEK else country.water is not None)


def _fitting(tables: Tables, region: Region, inputs: Inputs, rules: Rules) -> tuple[str, ...]:
    """Return the geographies of a State in which the water that is asked for can be."""
    return tuple(name for name in region.geographies if allows_water(tables.geography(name), inputs, rules))


def known_country(tables: Tables, inputs: Inputs, rules: Rules) -> BattleLocation | str:
    """Return the country if no die is needed for it, or else what is to be thrown for it (AC-M2).

    Raises:
        ScenarioError: no such State or geography (AC-X01).
    """
    region, known = _given(tables, inputs, rules)
    if known is not None:
        return BattleLocation(known, region)
    state = (
        Sentence("choose the State of the battle, then roll one die for it")
        if region is None
        else Sentence("one die for {region}", region=region.name)
    )
    return Sentence("geography: {state}", state=state)


def _given(tables: Tables, inputs: Inputs, rules: Rules) -> tuple[Region | None, Geography | None]:
    """Return the region and the geography that a person gives, as far as he gives them."""
    region = None if rules.choice("state") == ANY else tables.region(rules.choice("state"))
    known = inputs.geography or ("" if rules.choice("geography") == BY_STATE else rules.choice("geography"))
    return region, tables.geography(known) if known else None
