"""A record under check: zones, ground, courses, dice and pack, derived from shapes and log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TypeAlias

from shapely import Polygon

from printkit.chance.dice import Throw
from printkit.kit.book import RuleBook
from printkit.kit.case import JudgedRecord, score
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.brantley.dealing.cards import BY_CODE, CardResult, RevealTable
from printkit.systems.brantley.dealing.deal import ACROSS
from printkit.systems.brantley.dealing.facts import ZoneFacts, zones_of
from printkit.systems.brantley.dealing.game_rules import recorded_rules
from printkit.systems.brantley.judge.ways import AreaOrHill, JudgedWay, ways
from printkit.terrain.field.features import Course, Hill, Kind
from printkit.terrain.field.record import Record

# Yields the faults against a clause, each with its place and measure; an empty result means a legal record.
Check: TypeAlias = "Callable[[BrantleyCase], Faults]"


class BrantleyCase(JudgedRecord, frozen=True, kw_only=True, eq=False, dict=True):
    """A record with its nine zones, their features, and its rivers and roads on the board."""

    @classmethod
    def of_book(cls, record: Record, book: RuleBook) -> BrantleyCase:
        """Return the case of a record.

        Raises:
            RecordError: the record has a setting that does not exist.
        """
        return cls(record=record, rules=recorded_rules(book, record))

    @cached_property
    def zones(self) -> tuple[Polygon, ...]:
        """Return the nine squares in number order."""
        return self.board.zones(ACROSS, ACROSS)

    @cached_property
    def rivers(self) -> tuple[JudgedWay, ...]:
        """Return the rivers on the board."""
        return ways(self.of(Course, Kind.RIVER), self.areas(Kind.LAKE), self.board, self.touch)

    @cached_property
    def roads(self) -> tuple[JudgedWay, ...]:
        """Return the roads on the board."""
        return ways(self.of(Course, Kind.ROAD), self.areas(Kind.BUA), self.board, self.touch)

    @cached_property
    def slots(self) -> tuple[ZoneFacts, ...]:
        """Return the zones that the record lists."""
        return zones_of(self.record)

    @cached_property
    def table(self) -> RevealTable:
        """Return the reveal table."""
        return RevealTable.of(self.rules.book)

    @cached_property
    def touch(self) -> float:
        """Return the distance in mm within which a point is on a line."""
        return self.rules.length("touch")

    @cached_property
    def _zone_by_id(self) -> Mapping[str, int]:
        return {feature.id: _zone(feature, self.zones) for feature in self.ground}

    def zone_of(self, feature: AreaOrHill) -> int:
        """Return the number of the zone that contains most of a feature."""
        return self._zone_by_id[feature.id]

    def in_zone(self, number: int) -> tuple[AreaOrHill, ...]:
        """Return the features of a zone, by their shapes."""
        return tuple(feature for feature in self.ground if self.zone_of(feature) == number)

    def hills(self) -> tuple[Hill, ...]:
        """Return the hills in the order of their zones."""
        return tuple(sorted(self.of(Hill), key=self.zone_of))

    def areas(self, *kinds: Kind) -> tuple[AreaOrHill, ...]:
        """Return the areas and hills of these kinds."""
        return tuple(feature for feature in self.ground if feature.kind in kinds)

    def scores(self, stage: str) -> tuple[int, ...]:
        """Return the scores of the dice of a stage.

        Raises:
            UnseenError: there is no log, or one of its answers is not a score.
        """
        return tuple(score(throw) for throw in self.dice(stage))

    def named_in(self, throw: Throw) -> tuple[str, ...]:
        """Return the IDs of areas and hills in the reason of a roll, for example ``slopes of z5``."""
        words = throw.reason.replace(",", " ").split()
        return tuple(feature.id for feature in self.ground if feature.id in words)

    def decided(self, identity: str, what: str) -> list[str]:
        """Return the logged decisions about an area or hill in log order, for example its rotations."""
        asked = (throw for throw in self.record.log if throw.reason.startswith(what))
        return [throw.answer for throw in asked if identity in self.named_in(throw)]

    def cards(self) -> Mapping[int, str]:
        """Return the card of each zone.

        Raises:
            UnseenError: the record does not have any.
        """
        found = {slot.number: slot.card for slot in self.slots if slot.card}
        if not found:
            raise UnseenError("the record has no cards")
        return found

    def reveal(self, card: str) -> CardResult | None:
        """Return the feature that a card places; None means good going."""
        return self.table.look_up(BY_CODE[card])


def rivers(case: BrantleyCase) -> tuple[JudgedWay, ...]:
    """Return the rivers on the board."""
    return case.rivers


def roads(case: BrantleyCase) -> tuple[JudgedWay, ...]:
    """Return the roads on the board."""
    return case.roads


def _zone(feature: AreaOrHill, zones: tuple[Polygon, ...]) -> int:
    shared = [zone.intersection(feature.outline).area for zone in zones]
    return 1 + shared.index(max(shared))
