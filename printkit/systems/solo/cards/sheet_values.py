"""What the battle sheet, the bound log and the pre-rolled strip say, as values of text and ticks (8.7).

A sheet is printed ``blank``, with ``ranges`` of faces after what is known was counted, or ``rolled`` as far as it was
thrown (0.7).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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

BOUNDS: Final = 24
"""Bounds of the log and of the strip."""

ARMY_ROWS: Final = 12


class Tick(StrEnum):
    """A box: empty, ticked, or struck out because it cannot count."""

    EMPTY = "empty"
    ON = "on"
    OFF = "off"


TICKS: Final[Mapping[str, Tick]] = {"on": Tick.ON, "off": Tick.OFF, "open": Tick.EMPTY}
"""The box of a modifier by its state."""


def tick_of(modifier: AppliedModifier) -> Tick:
    """Return the box of a modifier: ticked where it counts, struck where it does not, empty where nobody knows."""
    return TICKS[modifier.state]


class RolledValues(Struct, frozen=True, kw_only=True):
    """What was thrown so far: steps as ``Step.as_data`` gives them, the terrain, and the bounds.

    ``terrain`` are the facts that a record keeps, ``placing`` the dice of each piece by its ID.
    """

    steps: tuple[Mapping[str, Any], ...] = ()
    terrain: Mapping[str, Any] = field(default_factory=dict)
    placing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bounds: tuple[BoundEntry, ...] = ()
    overrides: int = 0

    def steps_of(self, *clauses: str) -> Iterator[Mapping[str, Any]]:
        """Yield the steps of procedures in their order."""
        return (step for step in self.steps if step["clause"] in clauses)

    def step(self, *clauses: str) -> Mapping[str, Any] | None:
        """Return the first step of one of these procedures, or None where it was not played."""
        return next(self.steps_of(*clauses), None)


class SheetCase(Struct, frozen=True, kw_only=True):
    """What sheets are made for.

    ``pair`` is None where nobody has said which armies fight. ``secret`` keeps the NPG's elements, and all that would
    tell of them, off the sheet: his army is on a page of its own, which stays face down. ``edge`` is the base edge of
    the NPG, once it is known.
    """

    mode: Mode
    rules: SoloRules
    pair: Pair | None = None
    thrown: RolledValues = field(default_factory=RolledValues)
    secret: bool = False
    title: str = ""
    edge: Edge | None = None

    def sides(self, words: Words) -> Mapping[str, RecordedSide]:
        """Return what is known of NPG and YOU, their armies by name in one language; nothing where none are named."""
        pair = self.pair
        if pair is None:
            return {}
        found = {}
        for side, force in ((Side.NPG, pair.npg), (Side.YOU, pair.you)):
            role = "" if pair.attacker is None else "attacker" if side is pair.attacker else "defender"
            edge = self.edge if self.edge is None or side is Side.NPG else facing(self.edge)
            found[side.value.upper()] = RecordedSide(edge=edge, role=role, army=named(force.name, words))
        return found

    @property
    def counted(self) -> Pair | None:
        """Return the armies if their modifiers are to be counted on this sheet."""
        return None if self.mode is Mode.BLANK or self.secret else self.pair

    @property
    def deployed(self) -> RolledValues:
        """Return what was thrown of the NPG's deployment, as far as this sheet may tell it."""
        return RolledValues() if self.secret or self.mode is not Mode.ROLLED else self.thrown


def dice(step: Mapping[str, Any] | None) -> str:
    """Return the dice of a step as text."""
    return "" if step is None else " ".join(str(die) for die in step["dice"])


def filled(rows: Sequence[tuple[str, ...]], count: int, columns: int) -> tuple[tuple[str, ...], ...]:
    """Return rows with empty ones after them, ``count`` in all."""
    return (*rows, *(("",) * columns for _ in range(count - len(rows))))


# --- Bounds rolled before the game, by the dice that the battle of the same seed throws (S3, 8.5) ---------------------


def rolled_bounds(seed: int, rules: SoloRules, count: int = BOUNDS) -> tuple[BoundCard, ...]:
    """Return the first bounds of a battle of a seed, each with the die of an override that may be tried in it."""
    dice, tables = Dice(Seeded(seed)), tactics(rules)
    found = []
    for number in range(1, count + 1):
        own = dice.at(f"bound {number}")
        pips, die = own.d6(Sentence("PIPs"), "SD-5.3-a"), own.d6(Sentence("stance"), "SD-5.3-b")
        tried = dice.at(f"override {number}").d6(Sentence("override of the engine"), "SD-5.4-a")
        found.append(BoundCard.of(number, pips, die, tables, tried=tried))
    return tuple(found)
