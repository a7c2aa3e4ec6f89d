"""The zone log (AC-A04), the graph of zones as a record keeps it (AC-A08), and the key of features (AC-A03)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import shapely
from msgspec import Struct
from shapely.geometry.base import BaseGeometry

from printkit.core.words import Words
from printkit.kit.book import RuleBook
from printkit.systems.acw.terms.pieces import ROADS, STREAMS, Piece
from printkit.systems.acw.terms.plan import Fate, ZoneAxis, ZonePlan, ZoneSide, zone_grid
from printkit.systems.acw.terms.profile import Measure, PieceProfile
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill, Kind
from printkit.terrain.field.record import Record

# --- The network as a record keeps it, a graph of zones: links, ends, mouths and sources, read back (AC-A08) ----------

_END: Final = re.compile(r"(?P<to>edge|water) (?P<side>[NESW])(?: via (?P<via>[\d ]+))?")
_AT: Final = re.compile(r"(?P<to>[a-z_]+) (?P<zone>\d+)(?: via (?P<via>[\d ]+))?")
_FOOT: Final = re.compile(r"foot of (?P<hill>.+)")
_BEYOND: Final = re.compile(r"hill beyond (?P<side>[NESW])")


class RecordedEnd(Struct, frozen=True, kw_only=True):
    """Where a course ends, as the record tells it: ``to`` is a key of words; what does not apply is empty."""

    zone: int
    to: str
    side: ZoneSide | None = None
    via: tuple[int, ...] = ()
    at: int | None = None
    piece: Piece | None = None


def links(record: Record, net: str) -> tuple[tuple[int, ...], ...]:
    """Return the links of a network as the record keeps them: paths of zones."""
    found = _graph(record).get(net) or {}
    if net == "rail":
        paths = [found.get("path", ()), *(branch.get("path", ()) for branch in found.get("branches", ()))]
        return tuple(tuple(path) for path in paths if path)
    return tuple(tuple(path) for path in found.get("links", ()))


def ends(record: Record, net: str, which: str) -> tuple[RecordedEnd, ...]:
    """Return the ``ends`` of roads and rails, the ``mouths`` or ``sources`` of streams, as the record keeps them."""
    found = _graph(record).get(net) or {}
    if net == "rail":
        return tuple(_rail_ends(found))
    return tuple(told(zone, text) for zone, text in found.get(which, ()))


def _rail_ends(rail: Any) -> Iterator[RecordedEnd]:
    """Yield the ends of the railroad: those of its line, which are edges of the table, and of its branches (AC-N32)."""
    if rail:
        first, last = ZoneAxis(rail["axis"]).sides
        yield RecordedEnd(zone=rail["path"][0], to="edge", side=first)
        yield RecordedEnd(zone=rail["path"][-1], to="edge", side=last)
        for branch in rail["branches"]:
            if branch["side"]:
                yield RecordedEnd(zone=branch["path"][-1], to="edge", side=ZoneSide(branch["side"]))


def creek(record: Record) -> tuple[tuple[int, ...], ZoneSide, ZoneSide] | None:
    """Return the creek that crosses the table: its zones, and by which edges it comes in and goes out (AC-N30)."""
    found = _graph(record).get("creek")
    return (
        None if found is None else (tuple(found["path"]), ZoneSide(found["entry_edge"]), ZoneSide(found["exit_edge"]))
    )


def creek_said(creek: tuple[tuple[int, ...], ZoneSide, ZoneSide], words: Words) -> str:
    """Return in words where a creek crosses the table."""
    path, entry, leaves = creek
    sides = {"entry": words(f"acw.side.{entry}"), "exit": words(f"acw.side.{leaves}")}
    return words("acw.log.crosses", first=path[0], last=path[-1], **sides)


def swamps(record: Record) -> tuple[tuple[int, int], ...]:
    """Return the pairs of zones whose swamps grow together (AC-N33)."""
    return tuple((first, second) for first, second in _graph(record).get("swamps", ()))


def told(zone: int, text: str) -> RecordedEnd:
    """Return an end from the words of the record, as ``edge S via 5`` or ``foot of Hill``."""
    if (found := _END.fullmatch(text)) is not None:
        return RecordedEnd(zone=zone, to=found["to"], side=ZoneSide(found["side"]), via=_via(found["via"]))
    if (found := _FOOT.fullmatch(text)) is not None:
        names = {piece.value: piece for piece in Piece}
        return RecordedEnd(zone=zone, to="foot", piece=names.get(found["hill"], Piece.HILL))
    if (found := _BEYOND.fullmatch(text)) is not None:
        return RecordedEnd(zone=zone, to="beyond", side=ZoneSide(found["side"]))
    if (found := _AT.fullmatch(text)) is not None:
        keys = {piece.key: piece for piece in Piece}
        if found["to"] in ("creek", "junction"):
            return RecordedEnd(zone=zone, to=found["to"], at=int(found["zone"]), via=_via(found["via"]))
        piece = keys.get(found["to"], Piece.SETTLEMENT)
        return RecordedEnd(zone=zone, to="place", at=int(found["zone"]), via=_via(found["via"]), piece=piece)
    return RecordedEnd(zone=zone, to=text if text in ("swamp", "pool", "farm", "trees") else "open")


def _via(text: str | None) -> tuple[int, ...]:
    return tuple(map(int, text.split())) if text else ()


def _graph(record: Record) -> Mapping[str, Any]:
    """Return the graph of a record; an empty one where it has none, or one that was changed and cannot be read."""
    found = record.details.get("graph")
    return found if isinstance(found, Mapping) and all(_sound(net, value) for net, value in found.items()) else {}


def _sound(net: str, value: Any) -> bool:
    match net, value:
        case (("rail" | "creek"), None):
            return True
        case "roads", {"links": links, "ends": ends}:
            return _paths(links) and _ends(ends)
        case "streams", {"links": links, "mouths": mouths, "sources": sources}:
            return _paths(links) and _ends(mouths) and _ends(sources)
        case "rail", {"axis": axis, "path": [_, *_] as path, "branches": branches}:
            return (
                axis in list(ZoneAxis) and _paths([path]) and isinstance(branches, list) and all(map(_branch, branches))
            )
        case "creek", {"path": [_, *_] as path, "entry_edge": entry, "exit_edge": leaves}:
            return _paths([path]) and entry in list(ZoneSide) and leaves in list(ZoneSide)
        case "swamps", pairs:
            return _paths(pairs) and all(len(pair) == len(("first", "second")) for pair in pairs)
    return False


def _paths(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(path, list) and all(isinstance(zone, int) for zone in path) for path in value
    )


def _ends(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(end, list) and list(map(type, end)) == [int, str] for end in value
    )


def _branch(value: Any) -> bool:
    match value:
        case {"path": [_, *_] as path, "side": side}:
            return _paths([path]) and side in ("", *ZoneSide)
    return False


def steps(paths: Sequence[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    """Return the pairs of neighbouring zones that paths join, the lower number first, each once."""
    pairs = ((min(pair), max(pair)) for path in paths for pair in pairwise(path))
    return tuple(sorted(set(pairs)))


# --- The feature key: every name of the rules with its sign, its size on a table, its going and its view (AC-A03) -----

_OWN_SIGNS: Final = (Piece.HILL, Piece.STEEP_HILL, Piece.HILL_CLIFF, Piece.HILL_SCREE, Piece.STEEP_HILL_CLIFF)
"""Pieces of one kind, a hill, that are told apart by their sign; all others have the sign of their kind."""

CROSSINGS: Final = (Kind.FORD, Kind.BRIDGE, Kind.RAILWAY_BRIDGE, Kind.LEVEL_CROSSING)
"""The crossings of the rules (AC-F39)."""


class KeyLine(Struct, frozen=True, kw_only=True):
    """A feature: its piece, the name of its sign, its measure, and its lengths on the table in mm, 0 for none."""

    piece: Piece
    sign: str
    measure: Measure
    long: float
    short: float
    width: float


def key_lines(grid: ZonePlan, book: RuleBook, profile: Iterable[str] = ()) -> tuple[KeyLine, ...]:
    """Return all features in the order of the rules, sized for the zones of a table.

    Areas are parts of the shorter side of their zone: here of the largest zone, where a rest makes narrow ones.

    Raises:
        ScenarioError: a line of a scenario's own profile cannot be read (AC-Q23).
    """
    unit = unit_of(grid)
    measures = PieceProfile.of(book, profile)
    return tuple(
        KeyLine(
            piece=piece,
            sign=sign_of(piece, book),
            measure=measures.of_piece(piece),
            long=(measures.of_piece(piece).long or 0.0) * unit,
            short=(measures.of_piece(piece).short or 0.0) * unit,
            width=(measures.of_piece(piece).width or 0.0) * unit,
        )
        for piece in Piece
    )


def unit_of(grid: ZonePlan) -> float:
    """Return the shorter side in mm of the largest zone."""
    return max(grid.unit(zone) for zone in grid.zones)


def sign_of(piece: Piece, book: RuleBook) -> str:
    """Return the name of the sign of a piece: its own, or its kind."""
    if piece in _OWN_SIGNS:
        return piece.key
    return PieceProfile.of(book).of_piece(piece).kind.value


_JOINED: Final = (*ROADS, *STREAMS, Piece.RAILROAD, Piece.SWAMP)
"""Pieces that grow together from zone to zone, so that one feature may stand for several rolls."""

_TOUCHED: Final = 1.0
"""Square mm, or mm of a course, of which a zone must hold more for a feature to lie in it."""

_LIES: Final = (Fate.KEPT, Fate.CHOSEN, Fate.GIVEN)
_NEEDED: Final = {"zone", "roll", "die", "cell", "fate", "piece", "throw"}


class LogLine(Struct, frozen=True, kw_only=True):
    """One roll: its zone, its number, the die (None where none was thrown), the cell, and what became of it.

    ``piece`` is what the roll put down or would have put down, ``name`` that of a campaign place; ``no_room`` says
    that it should lie in its zone and does not (AC-G04).
    """

    zone: int
    roll: int
    die: int | None
    cell: str
    fate: Fate
    piece: Piece | None
    name: str = ""
    no_room: bool = False


def zone_lines(record: Record, book: RuleBook) -> tuple[LogLine, ...]:
    """Return the rolls of a record in the order in which they were thrown; none of a record that keeps no log of zones.

    That there was no room is seen in the shapes: a roll lies where a feature bears its ID, or owes its die a throw.
    """
    field = record.battlefield
    lying = _Lying(
        grid=grid_of(record, book),
        features=field.features,
        ids=frozenset(feature.id for feature in field.features),
        throws=frozenset(throw for feature in field.features for throw in feature.origin.throws),
        kinds=_kinds(book),
    )
    return tuple(_line(roll, lying) for roll in _rolls(record))


def grid_of(record: Record, book: RuleBook) -> ZonePlan:
    """Return the zones of a record's table, divided as its settings say (AC-201, AC-Q02)."""
    return zone_grid(record.battlefield.board, book, settings_of(record, book))


def settings_of(record: Record, book: RuleBook) -> Mapping[str, str]:
    """Return a value for every setting of the book: those of the record, and the defaults of what it does not say."""
    known = {setting.key for setting in book.settings}
    return book.settle({key: value for key, value in record.settings.items() if key in known})


def rolled_pieces(record: Record) -> Mapping[str, Piece]:
    """Return by the ID of the feature that would come of it the piece of every roll that puts one down."""
    return {
        f"z{roll['zone']}-{roll['roll']}": Piece[roll["piece"].upper()]
        for roll in _rolls(record)
        if roll["piece"] and Fate(roll["fate"]) in _LIES
    }


def _rolls(record: Record) -> Iterator[Mapping[str, Any]]:
    """Yield the rolls that can be read; a record that was changed by hand may hold anything."""
    pieces, fates = ["", *(piece.key for piece in Piece)], list(Fate)
    rolls = record.details.get("zones", ())
    for roll in rolls if isinstance(rolls, list | tuple) else ():
        if isinstance(roll, Mapping) and roll.keys() >= _NEEDED and roll["fate"] in fates and roll["piece"] in pieces:
            yield roll


class _Lying(Struct, frozen=True, kw_only=True):
    """What a roll is looked for in."""

    grid: ZonePlan
    features: Collection[Feature]
    ids: frozenset[str]
    throws: frozenset[int]
    kinds: Mapping[Piece, frozenset[Kind]]

    def holds(self, roll: Mapping[str, Any], piece: Piece) -> bool:
        """Return whether what a roll puts down lies on the table."""
        if f"z{roll['zone']}-{roll['roll']}" in self.ids or (
            roll["throw"] is not None and roll["throw"] in self.throws
        ):
            return True
        return piece in _JOINED and roll["zone"] in self.grid.zones and self._passes(roll["zone"], self.kinds[piece])

    def _passes(self, zone: int, kinds: Collection[Kind]) -> bool:
        left, near, width, depth = self.grid.box(zone)
        ground = shapely.box(left, near, left + width, near + depth)
        shapes = (shape_of(feature) for feature in self.features if feature.kind in kinds)
        met = (shapely.intersection(shape, ground) for shape in shapes)
        return any(max(shape.area, shape.length) > _TOUCHED for shape in met)


def _kinds(book: RuleBook) -> Mapping[Piece, frozenset[Kind]]:
    """Return as which kinds the joined pieces lie: a class has one course in a zone, whatever else was rolled there."""
    own = {Piece(row.need("piece", str)): Kind(row.need("kind", str)) for row in book.own("profile")}
    found = {piece: frozenset({own[piece]}) for piece in _JOINED}
    for group in (ROADS, STREAMS):
        found |= dict.fromkeys(group, frozenset(own[piece] for piece in group))
    return found


def shape_of(feature: Feature) -> BaseGeometry:
    """Return the shape of any feature: an outline, a line or a point."""
    match feature:
        case Area() | Hill():
            return feature.outline
        case Course():
            return feature.line
        case Crossing():
            return feature.at


def _line(roll: Mapping[str, Any], lying: _Lying) -> LogLine:
    fate = Fate(roll["fate"])
    piece = Piece[roll["piece"].upper()] if roll["piece"] else None
    return LogLine(
        zone=roll["zone"],
        roll=roll["roll"],
        die=roll["die"],
        cell=roll["cell"],
        fate=fate,
        piece=piece,
        name=roll.get("name", ""),
        no_room=piece is not None and fate in _LIES and not lying.holds(roll, piece),
    )
