"""A record under check: zones, ground, courses, dice and pack, derived from shapes and log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from printkit.chance.dice import Throw
from printkit.core import exact_math
from printkit.core.numbers import is_number
from printkit.kit.book import RuleBook
from printkit.kit.case import JudgedRecord, score
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.brantley.board.area_rules import AreaSurroundings, CheckedArea
from printkit.systems.brantley.board.checked_courses import AreaOrHill, CheckedCourse, find_courses
from printkit.systems.brantley.dealing.cards import CARDS_BY_CODE, CardResult, RevealTable
from printkit.systems.brantley.dealing.deal import ZONES_PER_SIDE
from printkit.systems.brantley.dealing.facts import GameFacts, ZoneFacts, facts_of
from printkit.systems.brantley.dealing.game_rules import recorded_rules
from printkit.terrain.field.features import Course, Hill, Kind
from printkit.terrain.field.record import Record

# Yields the faults against a clause, each with its place and measure; an empty result means a legal record.
Check: TypeAlias = "Callable[[BrantleyCase], Faults]"


class BrantleyCase(JudgedRecord, frozen=True, kw_only=True, eq=False, dict=True):
    """A record with its nine zones, their features, and its rivers and roads on the board."""

    @classmethod
    def from_record(cls, record: Record, book: RuleBook) -> BrantleyCase:
        """Return the case of a record.

        Raises:
            RecordError: the record has a setting that does not exist.
        """
        return cls(record=record, rules=recorded_rules(book, record))

    @cached_property
    def zones(self) -> tuple[Polygon, ...]:
        """Return the nine squares in number order, in mm on the board."""
        return self.board.zones(ZONES_PER_SIDE, ZONES_PER_SIDE)

    @cached_property
    def rivers(self) -> tuple[CheckedCourse, ...]:
        """Return the rivers on the board."""
        return find_courses(self.of(Course, Kind.RIVER), self.areas(Kind.LAKE), self.board, self.touch_mm)

    @cached_property
    def roads(self) -> tuple[CheckedCourse, ...]:
        """Return the roads on the board."""
        return find_courses(self.of(Course, Kind.ROAD), self.areas(Kind.BUA), self.board, self.touch_mm)

    @cached_property
    def facts(self) -> GameFacts:
        """Return what the record has beside its features."""
        return facts_of(self.record)

    @property
    def slots(self) -> tuple[ZoneFacts, ...]:
        """Return the facts of the zones that the record lists; empty if it lists none."""
        return self.facts.zones

    @cached_property
    def table(self) -> RevealTable:
        """Return the reveal table."""
        return RevealTable.from_book(self.rules.book)

    @cached_property
    def touch_mm(self) -> float:
        """Return the distance in mm on the board within which a point is on a line."""
        return self.rules.length("touch")

    @cached_property
    def _zone_by_id(self) -> Mapping[str, int]:
        """Return the zone of each area and hill, by the ID of the feature."""
        return {feature.id: _find_zone(feature, self.zones) for feature in self.ground}

    def find_zone(self, feature: AreaOrHill) -> int:
        """Return the number, from 1, of the zone that contains most of a feature of the record.

        Raises:
            KeyError: the record has no area or hill with its ID.
        """
        return self._zone_by_id[feature.id]

    def features_in_zone(self, number: int) -> tuple[AreaOrHill, ...]:
        """Return the features whose shapes are mostly in a zone, numbered from 1; may be empty."""
        return tuple(feature for feature in self.ground if self.find_zone(feature) == number)

    @cached_property
    def area_surroundings(self) -> AreaSurroundings:
        """Return what the areas and hills are measured against, with all of them."""
        return AreaSurroundings(rules=self.rules, areas=tuple(map(self._measure_area, self.ground)))

    def _measure_area(self, feature: AreaOrHill) -> CheckedArea:
        """Return an area or hill with its zone and its sides before rotation."""
        number = self.find_zone(feature)
        name = f"hill_{min(len(feature.contours), 2)}" if isinstance(feature, Hill) else feature.kind.value
        return CheckedArea(
            id=feature.id,
            size_name=name,
            outline=feature.outline,
            sides=_original_sides(self, feature, name) if f"{name}_min" in self.rules.book.numbers else (),
            zone_number=number,
            zone=self.zones[number - 1],
        )

    @property
    def free_side_mm(self) -> float:
        """Return the side of a zone without its margins, in mm on the board."""
        left, _, right, _ = self.zones[0].bounds
        return float((right - left) - 2 * self.rules.length("margin"))

    def hills(self) -> tuple[Hill, ...]:
        """Return the hills in the order of their zones."""
        return tuple(sorted(self.of(Hill), key=self.find_zone))

    def areas(self, *kinds: Kind) -> tuple[AreaOrHill, ...]:
        """Return the areas and hills of these kinds."""
        return tuple(feature for feature in self.ground if feature.kind in kinds)

    def scores(self, stage: str) -> tuple[int, ...]:
        """Return the scores of the dice of a stage in log order; choices are left out.

        Raises:
            UnseenError: there is no log, or one of its answers is not a score.
        """
        return tuple(score(throw) for throw in self.dice(stage))

    def find_named_ids(self, throw: Throw) -> tuple[str, ...]:
        """Return the IDs of areas and hills in the reason of a roll, for example ``slopes of z5``.

        They are in the order of the features on the board; there may be none.
        """
        words = throw.reason.replace(",", " ").split()
        return tuple(feature.id for feature in self.ground if feature.id in words)

    def find_decisions(self, identity: str, reason: str) -> list[str]:
        """Return the logged answers about an area or hill, in log order.

        ``reason`` is the beginning of the logged reason, for example ``facing of`` for its rotations.
        """
        rolls = (throw for throw in self.record.log if throw.reason.startswith(reason))
        return [throw.answer for throw in rolls if identity in self.find_named_ids(throw)]

    def cards(self) -> Mapping[int, str]:
        """Return the code of the card of each zone, by zone number from 1; zones without a card are left out.

        Raises:
            UnseenError: the record does not have any.
        """
        cards = {slot.number: slot.card for slot in self.slots if slot.card}
        if not cards:
            raise UnseenError("the record has no cards")
        return cards

    def look_up_card(self, card: str) -> CardResult | None:
        """Return the feature that a card places; None means good going.

        ``card`` is a code such as ``10S``.

        Raises:
            KeyError: there is no such card.
        """
        return self.table.look_up(CARDS_BY_CODE[card])


def find_rivers(case: BrantleyCase) -> tuple[CheckedCourse, ...]:
    """Return the rivers on the board."""
    return case.rivers


def find_roads(case: BrantleyCase) -> tuple[CheckedCourse, ...]:
    """Return the roads on the board."""
    return case.roads


def _find_zone(feature: AreaOrHill, zones: tuple[Polygon, ...]) -> int:
    """Return the number, from 1, of the zone (mm on the board) that contains most of a feature."""
    overlaps = [zone.intersection(feature.outline).area for zone in zones]
    return 1 + overlaps.index(max(overlaps))


# The angles in radians for measuring the box of an outline of unknown rotation.
_ANGLES_RAD: Final = np.radians(np.arange(0.0, 90.0, 0.25))


def rotated_extents(
    feature: AreaOrHill, angles: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return widths and depths (mm on the board) of an outline rotated back by some angles in radians.

    The angles are anticlockwise; each result has one value for each angle.
    """
    points = np.asarray(feature.outline.convex_hull.exterior.coords)
    cosine, sine = exact_math.cos(angles)[:, None], exact_math.sin(angles)[:, None]
    widths = np.ptp(points[:, 0] * cosine + points[:, 1] * sine, axis=1)
    return widths, np.ptp(points[:, 1] * cosine - points[:, 0] * sine, axis=1)


def _original_sides(case: BrantleyCase, feature: AreaOrHill, name: str) -> tuple[float, float]:
    """Return the short and long side of an outline's box before rotation, in mm on the board.

    The log gives the rotation. Without it, the best fitting of the tight boxes counts; for outlines drawn by hand, the
    tightest. ``name`` is the prefix of the limits in the rule book.
    """
    low, high = (case.rules.length(f"{name}_{end}") for end in ("min", "max"))
    facings = case.find_decisions(feature.id, "facing of")
    turns = np.radians([float(facings[-1])]) if facings and is_number(facings[-1]) else _ANGLES_RAD
    widths, depths = rotated_extents(feature, turns)
    short_sides, long_sides = np.minimum(widths, depths), np.maximum(widths, depths)
    tightness = case.rules.number("tight_frame") if case.record.log else 1.0
    misfit = np.where(
        short_sides * long_sides <= tightness * (short_sides * long_sides).min(),
        np.maximum(low - short_sides, long_sides - high),
        np.inf,
    )
    best = int(np.argmin(misfit))
    return float(short_sides[best]), float(long_sides[best])
