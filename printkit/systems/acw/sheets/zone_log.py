"""The zone log: every roll of a record with its die, what the table said, and what became of it (AC-A04)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import shapely
from msgspec import Struct
from shapely.geometry.base import BaseGeometry

from printkit.kit.book import RuleBook
from printkit.systems.acw.terms.pieces import ROADS, STREAMS, Piece
from printkit.systems.acw.terms.plan import Fate, ZoneGrid
from printkit.systems.acw.terms.zones import zone_grid
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill, Kind
from printkit.terrain.field.record import Record

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


def grid_of(record: Record, book: RuleBook) -> ZoneGrid:
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

    grid: ZoneGrid
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
