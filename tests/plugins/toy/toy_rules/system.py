"""The rule system: nine zones, a die for the ground of each, a die for the size of what stands there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from shapely import Polygon, affinity

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.content.cards import Card, Deck
from printkit.content.prose import scores_of
from printkit.core.errors import ScenarioError, UsageError
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.kit.book import RuleBook, read_book
from printkit.kit.rules import Rules
from printkit.kit.system import Outcome, Scenario, Verdict
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale, Overlay
from printkit.terrain.field.features import Area, Feature, Hill, Kind, Origin
from printkit.terrain.field.record import Record
from printkit.terrain.geometry.outlines import blob, inner_contour, rounded
from toy_rules.judge import judge

GROUND: Final = "terrain"
SIZES: Final = "sizes"

_SIDE: Final = 3
_FLATTEST: Final = 0.7
"""How deep a feature is at least, as a share of its length."""


class Toy:
    """A board of nine zones."""

    name: str = "toy"
    stages: tuple[str, ...] = (GROUND, SIZES)

    @cached_property
    def book(self) -> RuleBook:
        """Return the rule book."""
        return read_book(self.name)

    def board(
        self,
        width: float | None = None,
        depth: float | None = None,
        *,
        settings: Mapping[str, str] | None = None,
        cell: float | None = None,
    ) -> Board:
        """Return the one board that there is.

        Raises:
            UsageError: another one is asked for, or one with cells.
        """
        del settings
        side = self.book.numbers["board"] * MM_PER_INCH
        if cell is not None or any(asked is not None and abs(asked - side) > 0.1 for asked in (width, depth)):
            raise UsageError("the toy rules have one board, {side:g}in square", side=side / MM_PER_INCH)
        return Board(side, side, GroundScale(pace=MM_PER_INCH / 100, base_width=40.0))

    def lay_out(self, scenario: Scenario, dice: Dice, jitter: Jitter) -> Outcome:
        """Return a field with at most one feature in each zone.

        Raises:
            ScenarioError: a setting is wrong, or the scenario has a list.
        """
        if scenario.inputs:
            raise ScenarioError("the toy rules take no list {names}", names=", ".join(scenario.inputs))
        rules = Rules.of(self.book, scenario.settings, board=scenario.board)
        ponds = rules.whole("ponds")
        features: list[Feature] = []
        zones = scenario.board.zones(_SIDE, _SIDE)
        for number, zone in enumerate(zones, 1):
            first = len(dice.log)
            kind = self._ground(number, dice.at(GROUND))
            if kind is None or (kind is Kind.POOL and ponds == 0):
                continue
            ponds -= kind is Kind.POOL
            size = self.book.tables["size"].roll(dice.at(SIZES), f"size of zone {number}")
            throws = tuple(range(first + 1, len(dice.log) + 1))
            clauses = tuple(dict.fromkeys(dice.log[place - 1].clause for place in throws))
            origin = Origin(clauses=clauses, throws=throws, zone=number)
            room, length = zone.buffer(-rules.length("margin")), rules.length(f"size_{size}")
            features.append(self._feature(kind, room, length, origin, jitter))
        overlays = (Overlay(kind="zone", shape=zone, label=str(number)) for number, zone in enumerate(zones, 1))
        field = Battlefield(board=scenario.board, features=tuple(features), overlays=tuple(overlays), title="toy.title")
        return Outcome(battlefield=field, log=tuple(dice.log))

    def _ground(self, number: int, dice: Dice) -> Kind | None:
        """Return what stands in a zone; None is open ground."""
        found = self.book.tables["ground"].roll(dice, f"ground of zone {number}")
        if found == "woods":
            found = self.book.tables["woods"].roll(dice, f"woods of zone {number}")
        return None if found == "open" else Kind(found)

    def _feature(self, kind: Kind, room: Polygon, length: float, origin: Origin, jitter: Jitter) -> Feature:
        """Return a feature in the room of its zone; where and how it lies is left to chance, not to the dice."""
        identity = f"{kind.value}-{origin.zone}"
        stream = jitter.stream(f"{SIZES}/{identity}/outline")
        wide, deep = length, length * stream.between(_FLATTEST, 1.0)
        shape = (rounded if kind is Kind.HILL else blob)(wide, deep, stream)
        left, near, right, far = room.bounds
        middle = stream.between(left + wide / 2, right - wide / 2), stream.between(near + deep / 2, far - deep / 2)
        outline = affinity.translate(shape, *middle)
        going = self.book.going[self.goings()[kind.value]]
        if kind is Kind.HILL:
            contours = (outline, inner_contour(outline, stream, inset=deep / 8))
            return Hill(id=identity, kind=kind, contours=contours, going=going, origin=origin)
        return Area(id=identity, kind=kind, outline=outline, going=going, origin=origin)

    def judge(self, record: Record) -> tuple[Verdict, ...]:
        """Return a verdict for every clause of the book."""
        return judge(record, self.book)

    def account(self, record: Record, words: Words) -> Mapping[str, str]:
        """Return by the ID of each feature the dice that put it there."""
        log = record.log
        found = {}
        for feature in record.battlefield.features:
            thrown = [log[place - 1].answer for place in feature.origin.throws if 0 < place <= len(log)]
            if thrown:
                found[feature.id] = words("toy.account", zone=feature.origin.zone, dice=", ".join(thrown))
        return found

    def decks(self, words: Words, record: Record | None = None) -> tuple[Deck, ...]:
        """Return the reference card: the very tables that are thrown on; of two languages a card each."""
        del record
        cards = tuple(self._card(one) for one in words.each())
        return (Deck(name="reference", title=words("toy.deck"), cards=cards, reference=True),)

    def _card(self, words: Words) -> Card:
        def say(outcome: str) -> str:
            return words(f"toy.outcome.{outcome}")

        tables = self.book.tables.items()
        blocks = tuple(scores_of(table, say, title=words(f"toy.table.{name}")) for name, table in tables)
        return Card(id=f"toy-{words.code}", title=words("toy.card"), blocks=blocks)

    def goings(self) -> Mapping[str, str]:
        """Return the going of every kind of ground."""
        return {row.need("sign", str): row.need("going", str) for row in self.book.own("signs")}
