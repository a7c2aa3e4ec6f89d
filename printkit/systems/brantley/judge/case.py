"""What the judge sees of a record: zones, ground, courses, dice and the pack, from shapes and log, not from flags."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct
from shapely import Polygon

from printkit.chance.dice import Act, Throw
from printkit.core.errors import RecordError, Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.brantley.judge.ways import AreaOrHill, JudgedWay, ways
from printkit.terrain.field.features import Area, Course, Crossing, Hill, Kind
from printkit.terrain.field.geojson import Member
from printkit.terrain.field.record import Record

# --- The pack as the judge reads it -----------------------------------------------------------------------------------

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = "SCHD"
BLACK: Final = "SC"
PACK: Final = frozenset(rank + suit for rank in RANKS for suit in SUITS)


class ExpectedResult(NamedTuple):
    """What a black card puts on the board; a hill's going hangs on its dice; ``order`` 0 restricts most."""

    name: str
    kind: Kind
    going: str
    levels: int
    order: int


def reveal_table(book: RuleBook) -> Mapping[str, ExpectedResult]:
    """Return the result of each rank in black (BR-301 to BR-313)."""
    results = {
        row.need("result", str): (Kind(row.need("kind", str)), row.get("levels", int, 0), order)
        for order, row in enumerate(book.own("results"))
    }
    found = {}
    for row in book.own("reveal"):
        name = row.need("result", str)
        kind, levels, order = results[name]
        found[row.need("rank", str)] = ExpectedResult(name, kind, row.get("going", str, ""), levels, order)
    return found


def laying_order(book: RuleBook, policy: str) -> tuple[list[int], list[int]]:
    """Return the zones that a policy fills in their order, and its flanks, as A reads the board (BR-M25, BR-M26)."""
    for row in book.own("policies"):
        if row.need("policy", str) == policy:
            return row.need("zones", list), row.get("flanks", list, [])
    return [], []


Check: TypeAlias = "Callable[[Case], Faults]"
"""Yields what breaks a clause, each with its place and its measure; nothing means that the clause is kept."""

PLAYERS: Final = ("A", "B")


class Slot(Struct, frozen=True, kw_only=True):
    """One zone as the record lists it: its card, and who laid it in which turn."""

    number: int
    card: str
    placed_by: str
    turn: int | None
    result: str


class Case(Struct, frozen=True, kw_only=True):
    """A record laid open. ``zones`` are the nine squares in number order, ``ground`` areas and hills as placed."""

    record: Record
    book: RuleBook
    zones: tuple[Polygon, ...]
    ground: tuple[AreaOrHill, ...]
    rivers: tuple[JudgedWay, ...]
    roads: tuple[JudgedWay, ...]
    crossings: tuple[Crossing, ...]
    slots: tuple[Slot, ...]
    table: Mapping[str, ExpectedResult]
    zone_by_id: Mapping[str, int]

    @classmethod
    def of(cls, record: Record, book: RuleBook) -> Case:
        """Return the case of a record.

        Raises:
            RecordError: the object of the rule system has a wrong member; names it.
        """
        board, features = record.battlefield.board, record.battlefield.features
        zones, slots = board.zones(3, 3), Member(dict(record.details), record.rules).get("zones")
        ground = tuple(feature for feature in features if isinstance(feature, (Area, Hill)))
        rivers, roads = (
            ways(
                [f for f in features if isinstance(f, Course) and f.kind is kind],
                [g for g in ground if g.kind is into],
                board,
            )
            for kind, into in ((Kind.RIVER, Kind.LAKE), (Kind.ROAD, Kind.BUA))
        )
        return cls(
            record=record,
            book=book,
            zones=zones,
            ground=ground,
            rivers=rivers,
            roads=roads,
            crossings=tuple(feature for feature in features if isinstance(feature, Crossing)),
            slots=tuple(_slot(member) for member in (slots.items() if slots else ())),
            table=reveal_table(book),
            zone_by_id={feature.id: _zone(feature, zones) for feature in ground},
        )

    @property
    def inch(self) -> float:
        """Return the millimetres of an inch of the 24-inch board: other boards scale (BR-G01)."""
        return self.record.battlefield.board.width / 24

    def length(self, name: str) -> float:
        """Return a number of the rule book, given in inches of the 24-inch board, in mm on this board."""
        return self.book.numbers[name] * self.inch

    def setting(self, key: str) -> str:
        """Return a setting of the record, or its default where the record is silent."""
        for setting in self.book.settings:
            if key in (setting.key, setting.alias):
                given = self.record.settings
                return given.get(setting.key, given.get(setting.alias, setting.values[0]))
        return self.record.settings.get(key, "")

    def measure(self, key: str) -> float:
        """Return a setting that is a number.

        Raises:
            RecordError: it is none.
        """
        text = self.setting(key)
        try:
            return float(text)
        except ValueError:
            raise RecordError("settings.{key} is {text!r}, not a number as 1.25", key=key, text=text) from None

    def zone_of(self, feature: AreaOrHill) -> int:
        """Return the number of the zone that holds most of a feature."""
        return self.zone_by_id[feature.id]

    def in_zone(self, number: int) -> tuple[AreaOrHill, ...]:
        """Return what lies in a zone, by its shape."""
        return tuple(feature for feature in self.ground if self.zone_of(feature) == number)

    def hills(self) -> tuple[Hill, ...]:
        """Return the hills in the order of their zones."""
        hills = [feature for feature in self.ground if isinstance(feature, Hill)]
        return tuple(sorted(hills, key=self.zone_of))

    def areas(self, *kinds: Kind) -> tuple[AreaOrHill, ...]:
        """Return the ground of these kinds."""
        return tuple(feature for feature in self.ground if feature.kind in kinds)

    def throws(self, *stages: str) -> tuple[Throw, ...]:
        """Return every throw of these stages, of all stages where none is named.

        Raises:
            UnseenError: the record has no log.
        """
        if not self.record.log:
            raise UnseenError("the record has no log")
        return tuple(throw for throw in self.record.log if throw.stage in stages or not stages)

    def dice(self, *stages: str) -> tuple[Throw, ...]:
        """Return the dice of these stages in the order thrown.

        Raises:
            UnseenError: the record has no log.
        """
        return tuple(throw for throw in self.throws(*stages) if throw.act is Act.DIE)

    def scores(self, stage: str) -> tuple[int, ...]:
        """Return the scores of the dice of a stage.

        Raises:
            UnseenError: there is no log, or one of its answers is no score.
        """
        return tuple(score(throw) for throw in self.dice(stage))

    def named_in(self, throw: Throw) -> tuple[str, ...]:
        """Return the IDs of the ground that the reason of a throw names, as ``slopes of z5``."""
        words = throw.reason.replace(",", " ").split()
        return tuple(feature.id for feature in self.ground if feature.id in words)

    def cards(self) -> Mapping[int, str]:
        """Return the card of each zone.

        Raises:
            UnseenError: the record gives none.
        """
        found = {slot.number: slot.card for slot in self.slots if slot.card}
        if not found:
            raise UnseenError("the record gives no cards")
        return found

    def reveal(self, card: str) -> ExpectedResult | None:
        """Return what a card puts on the board; None is good going."""
        return self.table.get(card[:-1]) if card[-1] in BLACK else None

    def detail(self, name: str) -> Member:
        """Return a member of the object of the rule system; reading it as what it is not raises RecordError.

        Raises:
            UnseenError: the record does not have it.
        """
        found = Member(dict(self.record.details), self.record.rules).get(name)
        if found is None:
            raise UnseenError("the record has no {rules}.{name}", rules=self.record.rules, name=name)
        return found


def rivers(case: Case) -> tuple[JudgedWay, ...]:
    """Return the rivers as they lie on the board."""
    return case.rivers


def roads(case: Case) -> tuple[JudgedWay, ...]:
    """Return the roads as they lie on the board."""
    return case.roads


def score(throw: Throw) -> int:
    """Return the score of a six-sided die.

    Raises:
        UnseenError: its answer is no such score.
    """
    if throw.answer not in ("1", "2", "3", "4", "5", "6"):
        raise UnseenError(
            "the log has {answer!r} as the die for {reason}, which is no score",
            answer=throw.answer,
            reason=throw.reason,
        )
    return int(throw.answer)


def texts(member: Member | None) -> tuple[str, ...]:
    """Return a list of texts, which is empty where the member is missing."""
    return tuple(part.text() for part in member.items()) if member else ()


def other(player: str) -> str:
    """Return the opponent."""
    return PLAYERS[1 - PLAYERS.index(player)]


def _zone(feature: AreaOrHill, zones: tuple[Polygon, ...]) -> int:
    shared = [zone.intersection(feature.outline).area for zone in zones]
    return 1 + shared.index(max(shared))


def _slot(member: Member) -> Slot:
    code, placed_by, turn, result = (member.get(name) for name in ("card", "placed_by", "turn", "result"))
    card = code.text().upper().replace("T", "10") if code else ""
    if code and card not in PACK:
        raise code.wrong("a card, as 10S or QH")
    return Slot(
        number=member.need("n", Sentence("write the number of the zone")).whole(),
        card=card,
        placed_by=placed_by.text() if placed_by else "",
        turn=turn.whole() if turn else None,
        result=result.text() if result else "",
    )
