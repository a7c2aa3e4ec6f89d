"""The contents of the battle sheet, the bound log and the pre-rolled strip: texts and boxes (8.7).

A sheet is printed ``blank``, with ``ranges`` of faces after the known modifiers, or ``rolled`` with all results so far
(0.7).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct, field

from printkit.chance.dice import Dice, Seeded
from printkit.core.errors import Sentence
from printkit.core.words import Words
from printkit.kit.sides import RecordedSide
from printkit.systems.solo.armies.army_files import named
from printkit.systems.solo.armies.force import Side
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import AppliedModifier, Mode
from printkit.systems.solo.cards.bound_deck import BoundCard
from printkit.systems.solo.cards.pair import Pair
from printkit.systems.solo.tactics.battle_log import BoundEntry
from printkit.systems.solo.tactics.situation import facing
from printkit.systems.solo.tactics.tactics_tables import tactics
from printkit.terrain.field.battlefield import Edge

# Number of bounds on the log and the strip.
BOUND_COUNT: Final = 24

ARMY_ROWS: Final = 12


class Tick(StrEnum):
    """A box: empty, ticked, or struck out because it cannot count."""

    EMPTY = "empty"
    ON = "on"
    OFF = "off"


# The box of a modifier, by its state.
TICKS: Final[Mapping[str, Tick]] = {"on": Tick.ON, "off": Tick.OFF, "open": Tick.EMPTY}


def find_tick(modifier: AppliedModifier) -> Tick:
    """Return the box of a modifier: ticked if it counts, struck out if not, empty if it is open."""
    return TICKS[modifier.state]


class RolledValues(Struct, frozen=True, kw_only=True):
    """The rolls so far: steps as plain values (see ``Step.as_data``), terrain and bounds.

    ``terrain`` are the terrain facts of the record, ``placing`` the placement dice of each piece by ID.
    """

    steps: tuple[Mapping[str, Any], ...] = ()
    terrain: Mapping[str, Any] = field(default_factory=dict)
    placing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bounds: tuple[BoundEntry, ...] = ()
    overrides: int = 0

    def find_steps(self, *clauses: str) -> Iterator[Mapping[str, Any]]:
        """Yield the steps of these clauses in order, as plain values."""
        return (step for step in self.steps if step["clause"] in clauses)

    def find_step(self, *clauses: str) -> Mapping[str, Any] | None:
        """Return the first step of these clauses as plain values, or None if none was rolled."""
        return next(self.find_steps(*clauses), None)


class SheetCase(Struct, frozen=True, kw_only=True):
    """The input of the sheets: mode, rules, armies, rolls so far, and title.

    ``pair`` is unset if the armies are not known. ``secret`` keeps the NPG's elements, and everything that reveals
    them, off the sheet; the NPG's army has a separate page that stays face down. ``edge`` is the base edge of the NPG,
    once it is known.
    """

    mode: Mode
    rules: SoloRules
    pair: Pair | None = None
    rolls: RolledValues = field(default_factory=RolledValues)
    secret: bool = False
    title: str = ""
    edge: Edge | None = None

    def sides(self, words: Words) -> Mapping[str, RecordedSide]:
        """Return the edge, role and army name by side, ``NPG`` and ``YOU``, in one language; empty without armies.

        The role is empty while the attacker is unknown, and the edge can be None.
        """
        pair = self.pair
        if pair is None:
            return {}
        sides = {}
        for side, force in ((Side.NPG, pair.npg), (Side.YOU, pair.you)):
            role = "" if pair.attacker is None else "attacker" if side is pair.attacker else "defender"
            edge = self.edge if self.edge is None or side is Side.NPG else facing(self.edge)
            sides[side.value.upper()] = RecordedSide(edge=edge, role=role, army=named(force.name, words))
        return sides

    @property
    def counted_pair(self) -> Pair | None:
        """Return both armies if this sheet counts their modifiers, otherwise None."""
        return None if self.mode is Mode.BLANK or self.secret else self.pair

    @property
    def deployment_rolls(self) -> RolledValues:
        """Return the rolls of the NPG's deployment that this sheet may show."""
        return RolledValues() if self.secret or self.mode is not Mode.ROLLED else self.rolls


def dice(step: Mapping[str, Any] | None) -> str:
    """Return the scores of a step's dice as text, with spaces between them; empty for None, without a step."""
    return "" if step is None else " ".join(str(die) for die in step["dice"])


# --- Bounds rolled before the game, with the same dice as the battle of that seed (S3, 8.5) ---------------------------


def roll_bounds(seed: int, rules: SoloRules, count: int = BOUND_COUNT) -> tuple[BoundCard, ...]:
    """Return the first ``count`` bounds of the battle of a seed, numbered from 1, each with its override die.

    Each has the scores of three dice; the same seed gives the same bounds, and other rolls do not change them.
    """
    dice, tables = Dice(Seeded(seed)), tactics(rules)
    bounds = []
    for number in range(1, count + 1):
        bound_dice = dice.at(f"bound {number}")
        pips, die = bound_dice.d6(Sentence("PIPs"), "SD-5.3-a"), bound_dice.d6(Sentence("stance"), "SD-5.3-b")
        override_die = dice.at(f"override {number}").d6(Sentence("override of the engine"), "SD-5.4-a")
        bounds.append(BoundCard.from_dice(number, pips, die, tables, override_die=override_die))
    return tuple(bounds)
