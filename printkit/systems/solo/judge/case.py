"""What the judge sees of a record: its pieces by their shapes, its dice as the log has them, and what it tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final, TypeAlias

import shapely
from msgspec import field
from shapely import Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.chance.dice import Throw
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.dba.ground.judged import SLACK, DbaCase, JudgedPiece, sorted_out
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.solo.armies.rules import SoloRules
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record

Check: TypeAlias = "Callable[[Case], Faults]"
"""Yields what breaks a clause; nothing means that the clause is kept."""

THIRDS: Final = {"left": 0, "centre": 1, "right": 2, "near": 0, "middle": 1, "far": 2}

_KINDS: Final[Mapping[Terrain, tuple[Kind, ...]]] = {
    Terrain.WATERWAY: (Kind.WATERWAY, Kind.SEA, Kind.LAKE),
    Terrain.BUA: (Kind.BUA, Kind.SETTLEMENT, Kind.HAMLET, Kind.VILLAGE, Kind.TOWN, Kind.CITY, Kind.FORT),
    Terrain.RIVER: (Kind.RIVER,),
    Terrain.WOODS: (
        Kind.LIGHT_WOODS, Kind.HEAVY_WOODS, Kind.WOODLAND, Kind.FOREST, Kind.LIGHT_CONIFERS, Kind.CONIFER_FOREST,
        Kind.MIXED_WOODS, Kind.LIGHT_PALMS, Kind.PALM_FOREST,
    ),
    Terrain.ROUGH: (Kind.ROUGH_GROUND, Kind.BROKEN_GROUND, Kind.SCRUB, Kind.ROCKS),
    Terrain.MARSH: (Kind.MARSH, Kind.SWAMP, Kind.BOGGY_GROUND),
    Terrain.DUNES: (Kind.DUNES,),
    Terrain.OASIS: (Kind.OASIS,),
    Terrain.ROAD: (Kind.ROAD, Kind.TRACK),
}  # fmt: skip
_OF_KIND: Final[Mapping[Kind, Terrain]] = {kind: terrain for terrain, kinds in _KINDS.items() for kind in kinds}

_REASON: Final = re.compile(r"(?P<what>column|row|place) of (?P<piece>\S+)(?: again: .*)?")


class Case(DbaCase, frozen=True, kw_only=True, eq=False, dict=True):
    """A record laid open for the judge of Solo DBA; ``recounted`` keeps the faults of its selection by clause."""

    rules: SoloRules
    recounted: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of_record(cls, record: Record, book: RuleBook) -> Case:
        """Return the case of a record; settings of which it does not speak have their defaults."""
        rules = SoloRules.of_record(book, record)
        pieces, strange = sorted_out(record.battlefield.features, _OF_KIND)
        return cls(record=record, rules=rules, pieces=pieces, strange=strange)

    @property
    def book(self) -> RuleBook:
        """Return the rule book."""
        return self.rules.book

    @property
    def settings(self) -> Mapping[str, str]:
        """Return the settings of the record."""
        return self.rules.settings

    def number(self, name: str) -> float:
        """Return a number of the rule book."""
        return self.book.numbers[name]

    def paces(self, name: str) -> float:
        """Return a number of the rule book, given in paces, in mm."""
        return self.board.paces(self.number(name))

    def on(self, key: str) -> bool:
        """Return whether a setting is ``true``."""
        return self.settings[key] == "true"

    def laid_out(self) -> None:
        """See that there is terrain to judge.

        Raises:
            UnseenError: YOU lay out the terrain yourself, and nothing lies there yet (AMB-10).
        """
        terrain = self.record.details.get("terrain")
        if not self.pieces and isinstance(terrain, Mapping) and terrain.get("by") == "person":
            raise UnseenError("the person lays out the terrain himself (AMB-10)")

    def row(self, terrain: str) -> Mapping[str, Any]:
        """Return what the rule book says of a type of terrain."""
        return next(row for row in self.book.rows["pieces"] if row["piece"] == terrain)

    def is_bad(self, terrain: str) -> bool:
        """Return whether a type is bad going (AMB-14)."""
        return bool(self.row(terrain)["going"] == "bad" or (terrain == Terrain.BUA and self.on("bua_is_bad_going")))

    def is_cover(self, terrain: str) -> bool:
        """Return whether a type is bad going, a river or a waterway."""
        return terrain in (Terrain.RIVER, Terrain.WATERWAY) or self.is_bad(terrain)

    def quarters(self) -> tuple[Polygon, ...]:
        """Return the four quarters."""
        return self.board.zones(2, 2)

    def third(self, name: str) -> Polygon:
        """Return a column or a row of the nine sectors by its name."""
        width, depth, place = self.board.width, self.board.depth, THIRDS[name]
        if name in ("left", "centre", "right"):
            return box(place * width / 3, 0, (place + 1) * width / 3, depth)
        return box(0, place * depth / 3, width, (place + 1) * depth / 3)

    def detail(self, *names: str) -> Any:
        """Return the value of a member of the record's own object."""
        return super().detail(*names).value

    @cached_property
    def thrown(self) -> Mapping[str, Mapping[str, Throw]]:
        """Return the dice by which each piece lies where it does, by ID and by ``place``, ``column`` or ``row``.

        Raises:
            UnseenError: there is no log.
        """
        found: dict[str, dict[str, Throw]] = {}
        for throw in self.dice("placement"):
            match = _REASON.fullmatch(throw.reason)
            if match:
                found.setdefault(match["piece"], {})[match["what"]] = throw
        return found

    def outcome(self, piece: JudgedPiece, what: str, table: str) -> str:
        """Return what the last die for a piece means.

        Raises:
            UnseenError: the log has no such die.
        """
        throw = self.thrown.get(piece.id, {}).get(what)
        if throw is None or not throw.answer.isdigit():
            raise UnseenError("the log has no die for the {what} of {piece}", what=what, piece=piece.id)
        return self.book.tables[table].look_up(int(throw.answer))


def held(shape: BaseGeometry, quarter: Polygon, case: Case) -> bool:
    """Return whether a quarter holds some part of a shape: enough of an area, of a line more than a touch."""
    part = shape.intersection(quarter)
    if shape.area > 0:
        return bool(part.area >= case.number("straddle_sqp_min") * case.board.scale.pace**2 - 1)
    return bool(part.length > SLACK)


def parts(shape: BaseGeometry) -> list[BaseGeometry]:
    """Return the parts of a shape that are more than a touch."""
    merged = shapely.line_merge(shape) if shape.geom_type == "MultiLineString" else shape
    return [part for part in shapely.get_parts(merged) if part.length > SLACK]
