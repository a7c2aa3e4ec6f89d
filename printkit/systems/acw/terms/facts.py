"""Facts about a game read from a record: geography, rolls, origin of features, and the network as a graph of zones.

The user may have edited the record. A wrong value raises an error that names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Struct, field

from printkit.core.errors import RecordError
from printkit.core.words import Words
from printkit.kit.book import read_book
from printkit.kit.provenance import AccountLine, account_features
from printkit.kit.rules import Rules
from printkit.kit.sides import RecordedSide
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import (
    CreekPath,
    RollOutcome,
    RollResult,
    Water,
    ZoneAxis,
    ZonePlan,
    ZoneSide,
    zone_grid,
)
from printkit.terrain.field.features import Feature

if TYPE_CHECKING:
    from printkit.terrain.field.record import Record

T = TypeVar("T")

_PIECES: Final = {piece.key: piece for piece in Piece}
_SIDES: Final = 6
_ROLLS: Final = 4
_ARMIES: Final = ("confederate", "union")
_END: Final = re.compile(r"(?P<to>edge|water) (?P<side>[NESW])(?: via (?P<via>[0-9]{1,40}(?: [0-9]{1,40})*))?")
_AT: Final = re.compile(r"(?P<to>[a-z_]+) (?P<zone>[0-9]{1,40})(?: via (?P<via>[0-9]{1,40}(?: [0-9]{1,40})*))?")
_FOOT: Final = re.compile(r"foot of (?P<hill>.+)")
_BEYOND: Final = re.compile(r"hill beyond (?P<side>[NESW])")


def told_sides(record: Record) -> dict[str, RecordedSide]:
    """Return the army of each side by letter: A attacks, and a setting gives defender B's army (AC-102).

    The keys are A and B; the army is the key of a text.
    """
    rules = Rules.of_record(read_book(record.rules), record)
    defends = rules.choice("defender")
    attacks = next(value for value in _ARMIES if value != defends)
    return {"A": RecordedSide(army=f"sides.army.{attacks}"), "B": RecordedSide(army=f"sides.army.{defends}")}


# The zones of a path, in order.
ZoneNumbers = Annotated[list[int], msgspec.Meta(min_length=1)]


class RecordedEnd(Struct, frozen=True, kw_only=True):
    """The end of a course in a record: ``target`` is a key of words; fields that do not apply are empty."""

    zone: int
    target: str
    side: ZoneSide | None = None
    via: tuple[int, ...] = ()
    at: int | None = None
    piece: Piece | None = None


class RecordedRoll(Struct, frozen=True, kw_only=True):
    """A roll in the record: ``name`` is the name of a campaign place.

    ``no_room`` says which positions were tried without success; it is empty if the piece is on the table (AC-G04).
    """

    zone: int
    roll: int
    die: int | None
    cell: str
    fate: RollOutcome
    key: str = field(name="piece")
    throw: int | None
    name: str = ""
    no_room: str = ""

    def __post_init__(self) -> None:
        if self.key and self.key not in _PIECES:
            raise ValueError(f"{self.key!r} is no piece of terrain")
        if self.die is not None and not 1 <= self.die <= _SIDES:
            raise ValueError(f"{self.die} is no score of a die")
        if self.roll < 0 or (self.die is not None and not 1 <= self.roll <= _ROLLS):
            raise ValueError(f"{self.roll} is no roll of a zone")

    @property
    def piece(self) -> Piece | None:
        """Return the piece that the roll placed or would have placed; None for a roll without a piece."""
        return _PIECES.get(self.key)

    @property
    def result(self) -> RollResult:
        """Return the roll as the result of a die."""
        return RollResult(
            zone=self.zone,
            roll=self.roll,
            die=self.die,
            cell=self.cell,
            outcome=self.fate,
            piece=self.piece,
            throw=self.throw,
        )


class RecordedGrid(Struct, frozen=True):
    """The numbers of columns and rows of zones."""

    columns: int
    rows: int


class RecordedWater(Struct, frozen=True):
    """The water along an edge of the table."""

    edge: ZoneSide
    kind: str

    def __post_init__(self) -> None:
        if self.kind not in _PIECES:
            raise ValueError(f"{self.kind!r} is no water")


class RecordedRoads(Struct, frozen=True):
    """The road links between zones, and the ends of the roads."""

    links: list[ZoneNumbers] = []
    ends: list[tuple[int, str]] = []


class RecordedStreams(Struct, frozen=True):
    """The stream links between zones, the mouths and the sources."""

    links: list[ZoneNumbers] = []
    mouths: list[tuple[int, str]] = []
    sources: list[tuple[int, str]] = []


class RecordedBranch(Struct, frozen=True):
    """A branch of the railroad: its rail zone, its zones in order, and its table edge or an empty text."""

    zone: int
    path: ZoneNumbers
    side: Literal["N", "E", "S", "W", ""]


class RecordedRail(Struct, frozen=True):
    """The railroad: its axis, its zones in order, its branches."""

    axis: ZoneAxis
    path: ZoneNumbers
    branches: list[RecordedBranch]

    def ends(self) -> Iterator[RecordedEnd]:
        """Yield the ends of the line and of its branches at the edges of the table (AC-N32)."""
        first, last = self.axis.sides
        yield RecordedEnd(zone=self.path[0], target="edge", side=first)
        yield RecordedEnd(zone=self.path[-1], target="edge", side=last)
        for branch in self.branches:
            if branch.side:
                yield RecordedEnd(zone=branch.path[-1], target="edge", side=ZoneSide(branch.side))


class RecordedCreek(Struct, frozen=True):
    """A creek across the table."""

    path: ZoneNumbers
    entry_edge: ZoneSide
    exit_edge: ZoneSide


class RecordedGraph(Struct, frozen=True):
    """The network of zones: ``roads``, ``streams``, ``rail``, pairs with joined swamps, and a creek."""

    roads: RecordedRoads = RecordedRoads()
    streams: RecordedStreams = RecordedStreams()
    rail: RecordedRail | None = None
    swamps: list[tuple[int, int]] = []
    creek: RecordedCreek | None = None

    def links(self, net: str) -> Sequence[Sequence[int]]:
        """Return the links of the network ``roads``, ``streams`` or ``rail``, each a path of zones.

        The links of a railroad are its line and its branches; without a railroad there are none.
        """
        if net == "rail":
            return () if self.rail is None else (self.rail.path, *(branch.path for branch in self.rail.branches))
        return self.roads.links if net == "roads" else self.streams.links

    def ends(self, net: str, part: str = "ends") -> tuple[RecordedEnd, ...]:
        """Return the ends of the network ``net``: ``roads``, ``streams`` or ``rail``.

        ``part`` is ``ends`` for roads, ``mouths`` or ``sources`` for streams. A railroad does not use it.
        """
        if net == "rail":
            return () if self.rail is None else tuple(self.rail.ends())
        return tuple(parse_end(zone, text) for zone, text in getattr(getattr(self, net), part))


class RecordedReach(Struct, frozen=True):
    """The part of a course in one zone: the target and side of each arm; ``branch`` marks a side road."""

    zone: int
    key: str = field(name="piece")
    arms: list[tuple[str, str]] = []
    branch: bool = False

    def __post_init__(self) -> None:
        if self.key not in _PIECES:
            raise ValueError(f"{self.key!r} is no course")

    @property
    def piece(self) -> Piece:
        """Return the type of the course."""
        return _PIECES[self.key]


class Facts(Struct, frozen=True, kw_only=True, dict=True):
    """All facts about the game in a record; missing members are empty."""

    state: str = ""
    geography: str = ""
    table: int | None = None
    grid: RecordedGrid | None = None
    water: RecordedWater | None = None
    zones: list[RecordedRoll] = []
    graph: RecordedGraph | None = None
    reaches: list[RecordedReach] = []
    inputs: dict[str, Any] = {}

    @classmethod
    def from_record(cls, record: Record, rules: Rules) -> Facts:
        """Return the facts in a record; empty facts if the record belongs to another rule system.

        Raises:
            RecordError: a member is not valid, or a zone is not on the board; the message names it.
        """
        if record.rules != rules.book.name:
            return cls()
        facts = _convert(dict(record.details), cls)._check_zones(zone_grid(rules))
        geographies = [row.need("geography", str) for row in rules.rows("geographies")]
        if facts.geography not in ("", *geographies):
            raise RecordError(
                "acw.geography of the record is {geography!r}; use one of {known}",
                geography=facts.geography,
                known=", ".join(geographies),
            )
        return facts

    @cached_property
    def rolls(self) -> tuple[RollResult, ...]:
        """Return the rolls in the order of the record."""
        return tuple(roll.result for roll in self.zones)

    @property
    def placed_pieces(self) -> Mapping[str, Piece]:
        """Return the piece of every roll that places one, by the ID of its feature."""
        return {roll.id: roll.piece for roll in self.rolls if roll.is_placed and roll.piece is not None}

    @property
    def network(self) -> RecordedGraph:
        """Return the network; an empty one if the record does not have it."""
        return self.graph or RecordedGraph()

    @property
    def side_roads(self) -> list[tuple[int, str]]:
        """Return pairs of zone and type of end, such as ``farm``, for each side road."""
        return [(reach.zone, reach.arms[0][0]) for reach in self.reaches if reach.branch and reach.arms]

    @property
    def edge_water(self) -> Water | None:
        """Return the water along an edge of the table, or None."""
        return None if self.water is None else Water(self.water.edge, _PIECES[self.water.kind])

    @property
    def creek(self) -> CreekPath | None:
        """Return the creek across the table, or None."""
        creek = self.network.creek
        if creek is None:
            return None
        return CreekPath(path=tuple(creek.path), entry=creek.entry_edge, exit=creek.exit_edge)

    def _check_zones(self, grid: ZonePlan) -> Facts:
        """Return the same facts after a check that the board has all of their zones.

        Raises:
            RecordError: a zone is not on the board.
        """
        for zone in self._zone_numbers():
            if zone not in grid.zones:
                raise RecordError(
                    "the object acw of the record names zone {zone}; this board has {count} zones",
                    zone=zone,
                    count=len(grid.zones),
                )
        return self

    def _zone_numbers(self) -> Iterator[int]:
        """Yield every zone number in the record, from its rolls, reaches and network; numbers repeat."""
        net = self.network
        yield from (roll.zone for roll in self.zones)
        yield from (reach.zone for reach in self.reaches)
        creek = [] if net.creek is None else [net.creek.path]
        for path in (*net.links("roads"), *net.links("streams"), *net.links("rail"), *net.swamps, *creek):
            yield from path
        for end in (*net.ends("roads"), *net.ends("streams", "mouths"), *net.ends("streams", "sources")):
            yield from (end.zone, *end.via, *(() if end.at is None else (end.at,)))


def parse_end(zone: int, text: str) -> RecordedEnd:
    """Return an end in ``zone`` from its text in the record, for example ``edge S via 5``.

    It is the reverse of ``recorded_network.end_text``. A text that is not recognised gives an end on open ground.
    """
    if (match := _END.fullmatch(text)) is not None:
        return RecordedEnd(zone=zone, target=match["to"], side=ZoneSide(match["side"]), via=_via(match["via"]))
    if (match := _FOOT.fullmatch(text)) is not None:
        names = {piece.value: piece for piece in Piece}
        return RecordedEnd(zone=zone, target="foot", piece=names.get(match["hill"], Piece.HILL))
    if (match := _BEYOND.fullmatch(text)) is not None:
        return RecordedEnd(zone=zone, target="beyond", side=ZoneSide(match["side"]))
    if (match := _AT.fullmatch(text)) is not None:
        if match["to"] in ("creek", "junction"):
            return RecordedEnd(zone=zone, target=match["to"], at=int(match["zone"]), via=_via(match["via"]))
        piece = _PIECES.get(match["to"], Piece.SETTLEMENT)
        return RecordedEnd(zone=zone, target="place", at=int(match["zone"]), via=_via(match["via"]), piece=piece)
    return RecordedEnd(zone=zone, target=text if text in ("swamp", "pool", "farm", "trees") else "open")


def _via(text: str | None) -> tuple[int, ...]:
    """Return the zone numbers in a text such as ``5 6``; an empty tuple without text."""
    return tuple(map(int, text.split())) if text else ()


def _convert(value: dict[str, Any], kind: type[T]) -> T:
    """Return plain values of a record as an object of a class.

    Raises:
        RecordError: a value is not valid; the message names it.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise RecordError("cannot read the object acw of the record: {error}", error=error) from None


_PLACED_OUTCOMES = (RollOutcome.KEPT, RollOutcome.CHOSEN, RollOutcome.GIVEN)


def explain_features(record: Record, rules: Rules, words: Words) -> Mapping[str, str]:
    """Return the origin of each feature in sentences, by its ID; features of unknown origin are left out.

    A feature belongs to the roll with the same ID, for example ``z3-2``, and to every roll in its origin.

    Raises:
        RecordError: the details of the record cannot be read.
    """
    facts = Facts.from_record(record, rules)

    def explain(feature: Feature) -> Iterator[AccountLine]:
        for roll in facts.zones:
            belongs = feature.id == roll.result.id or roll.throw in feature.origin.throws
            if belongs and roll.fate in _PLACED_OUTCOMES and roll.piece is not None:
                yield _explain_roll(roll, roll.piece, facts.geography)
        if facts.water is not None and "AC-303" in feature.origin.clauses:
            yield AccountLine("acw.account.water", edge=AccountLine(f"acw.side.{facts.water.edge}"))
        if clauses := [clause for clause in feature.origin.clauses if clause.startswith("AC-N")]:
            yield AccountLine("acw.account.joined", clauses=", ".join(clauses))

    return account_features(record, words, explain)


def _explain_roll(roll: RecordedRoll, rolled_piece: Piece, geography: str) -> AccountLine:
    """Return the sentence for a roll that gave a feature: how ``rolled_piece`` came to its zone.

    ``geography`` is the local geography of the record, or empty.
    """
    if roll.die is None:
        key = "named" if roll.name else "given"
    else:
        key = "chosen" if roll.fate is RollOutcome.CHOSEN or not geography else "rolled"
    values = {"roll": AccountLine(f"acw.roll.{roll.roll}"), "die": roll.die} if roll.die is not None else {}
    if key == "rolled":
        values["geography"] = AccountLine(f"acw.geography.{geography}")
    piece = AccountLine(f"acw.piece.{rolled_piece.key}")
    return AccountLine(f"acw.account.{key}", zone=roll.zone, piece=piece, name=roll.name, **values)
