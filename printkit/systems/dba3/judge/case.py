"""What the judge sees of a record: its features by their shapes, its dice as the log has them, and what it tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import shapely
from shapely.geometry.base import BaseGeometry

from printkit.chance.dice import Act, Throw
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.dba.ground.judged import SLACK, DbaCase, JudgedPiece, sorted_out
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.dba3.placing import profile
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record

Dba3Check: TypeAlias = "Callable[[Dba3Case], Faults]"
"""Yields what breaks a clause; nothing means that the clause is kept."""

_OF_KIND: Final[Mapping[Kind, Terrain]] = {
    kind: terrain
    for terrain, kinds in {
        Terrain.WATERWAY: (Kind.WATERWAY, Kind.SEA, Kind.LAKE),
        Terrain.RIVER: (Kind.RIVER,),
        Terrain.ROAD: (Kind.ROAD, Kind.TRACK),
        Terrain.BUA: (
            Kind.BUA, Kind.SETTLEMENT, Kind.HAMLET, Kind.VILLAGE, Kind.TOWN, Kind.CITY, Kind.FORT, Kind.EDIFICE,
        ),
        Terrain.WOODS: (
            Kind.LIGHT_WOODS, Kind.HEAVY_WOODS, Kind.WOODLAND, Kind.FOREST, Kind.LIGHT_CONIFERS,
            Kind.CONIFER_FOREST, Kind.MIXED_WOODS, Kind.LIGHT_PALMS, Kind.PALM_FOREST,
        ),
        Terrain.MARSH: (Kind.MARSH, Kind.SWAMP),
        Terrain.BOGGY: (Kind.BOGGY_GROUND,),
        Terrain.ROCKY: (Kind.ROCKS, Kind.ROUGH_GROUND, Kind.BROKEN_GROUND),
        Terrain.SCRUB: (Kind.SCRUB,),
        Terrain.DUNES: (Kind.DUNES,),
        Terrain.OASIS: (Kind.OASIS,),
        Terrain.PLOUGH: (Kind.PLOUGH, Kind.CROPS),
        Terrain.ENCLOSURES: (Kind.ENCLOSURE, Kind.PASTURE, Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD),
        Terrain.GULLY: (Kind.GULLY, Kind.RAVINE),
    }.items()
    for kind in kinds
}  # fmt: skip

_OWN: Final = ("dba3", "collision-course")
"""Rule systems whose object in a record tells what this judge reads."""

_REASON: Final = re.compile(r"quarter of (?P<id>\S+)")
_CHOICE: Final = re.compile(r"quarter of (?P<id>\S+) for the (?:defender|invader)(?: again)?")


class Dba3Case(DbaCase, frozen=True, kw_only=True):
    """A record laid open for the judge of DBA 3."""

    @classmethod
    def of(cls, record: Record, book: RuleBook) -> Dba3Case:
        """Return the case of a record; settings of which it does not speak have their defaults.

        A profile that the record keeps is heeded.
        """
        own = record.rules in _OWN
        known = {setting.key for setting in book.settings} - {"profile"}
        given = {key: text for key, text in record.settings.items() if key in known} if own else {}
        inputs = record.details.get("inputs", {}) if own else {}
        lines = inputs.get(profile.LIST, ()) if isinstance(inputs, Mapping) else ()
        pieces, strange = sorted_out(record.battlefield.features, _OF_KIND)
        return cls(
            record=record,
            book=profile.changed(book, lines),
            settings=book.settle(given),
            pieces=pieces,
            strange=strange,
        )

    def bw(self, name: str) -> float:
        """Return a number of the rule book, given in base widths, in mm."""
        return self.book.numbers[name] * self.base

    def row(self, terrain: Terrain) -> Mapping[str, Any]:
        """Return what the rule book says of a type of terrain.

        Raises:
            UnseenError: it says nothing.
        """
        for row in self.book.rows["pieces"]:
            if row["piece"] == terrain.value:
                return row
        raise UnseenError("{terrain} is no terrain of DBA 3", terrain=terrain.value)

    def quarter(self, number: int) -> BaseGeometry:
        """Return a quarter by its number: near left, far left, far right, near right."""
        wide, deep = self.board.width / 2, self.board.depth / 2
        left, low = (0.0 if number <= 2 else wide), (deep if number in (2, 3) else 0.0)
        return shapely.box(left, low, left + wide, low + deep)

    def held(self, piece: JudgedPiece) -> tuple[int, ...]:
        """Return the numbers of the quarters that hold more than a sliver of a piece."""
        course = piece.terrain in (Terrain.RIVER, Terrain.ROAD)
        shape, found = piece.line if course else piece.ground, []
        for number in (1, 2, 3, 4):
            part = shape.intersection(self.quarter(number).buffer(-SLACK, join_style="mitre"))
            if (part.length if course else part.area) > (SLACK if course else 1.0):
                found.append(number)
        return tuple(found)

    @property
    def log(self) -> tuple[Throw, ...]:
        """Return the throws of the placement.

        Raises:
            UnseenError: there is no log.
        """
        found = tuple(throw for throw in self.record.log if throw.stage == "placement")
        if not self.record.log or self.record.rules not in _OWN:
            raise UnseenError("the record has no log of dice")
        return found

    def dice(self) -> dict[str, int]:
        """Return the die for the quarter of each piece, in the order thrown.

        Raises:
            UnseenError: there is no log.
        """
        found = {}
        for throw in self.log:
            match = _REASON.fullmatch(throw.reason)
            if match and throw.act is Act.DIE and throw.answer.isdigit():
                found[match["id"]] = int(throw.answer)
        return found

    def choices(self) -> dict[str, int]:
        """Return the quarter that a side chose for a piece, where it was asked."""
        found = {}
        for throw in self.log:
            match = _CHOICE.fullmatch(throw.reason)
            if match and throw.answer.isdigit():
                found[match["id"]] = int(throw.answer)
        return found

    def told(self) -> Sequence[Mapping[str, Any]]:
        """Return what the record tells of the features chosen, discarded ones too.

        Raises:
            UnseenError: it tells nothing.
        """
        found = self.detail("terrain", "pieces")
        return [each for each in found if isinstance(each, Mapping)]

    @property
    def details(self) -> Mapping[str, Any]:
        """Return what a rule system of this edition tells; what others tell is not read."""
        return self.record.details if self.record.rules in _OWN else {}

    @property
    def home(self) -> str:
        """Return the home topography.

        Raises:
            UnseenError: the record does not say which it is.
        """
        asked = self.settings["home"]
        return asked if asked != "auto" else str(self.detail("terrain", "home"))

    def topography(self) -> Mapping[str, Any]:
        """Return the row of the home topography."""
        for row in self.book.rows["topography"]:
            if row["home"] == self.home:
                return row
        raise UnseenError("{home!r} is no home topography", home=self.home)
