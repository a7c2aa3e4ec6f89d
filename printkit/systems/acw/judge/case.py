"""What the judge sees of a record: its dice as the log has them, its zones and its graph as the record tells them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct, field

from printkit.chance.dice import Act, Throw
from printkit.core.errors import RecordError
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.acw.judge.judge_ground import Ground
from printkit.systems.acw.terms.inputs import Inputs
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import CreekPath, Fate, Result, Side, Water, ZoneGrid, ZoneLog
from printkit.systems.acw.terms.profile import Profile
from printkit.systems.acw.terms.tables import Geography, Tables
from printkit.systems.acw.terms.zones import zone_grid
from printkit.terrain.field.record import Record

Check: TypeAlias = "Callable[[Case], Faults]"
"""Yields what breaks a clause; nothing means that the clause is kept."""


class AbsentError(UnseenError):
    """Nothing of what a clause is about lies on the table, so that no other part of its check has anything to say."""


class Case(Struct, frozen=True, kw_only=True):
    """A record laid open. Zones and edges are worked out from the board; rolls, graph and ground are what is judged.

    ``joined`` keeps the graph of the same zones joined anew, once a check has asked for it.
    """

    record: Record
    book: RuleBook
    settings: Mapping[str, str]
    tables: Tables
    grid: ZoneGrid
    inputs: Inputs
    rolls: tuple[Result, ...]
    ground: Ground
    joined: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, record: Record, book: RuleBook) -> Case:
        """Return the case of a record.

        Raises:
            RecordError: a roll of it cannot be read.
        """
        known = {setting.key for setting in book.settings}
        settings = book.settle({key: text for key, text in record.settings.items() if key in known})
        grid = zone_grid(record.battlefield.board, book, settings)
        inputs = Inputs.read(record.details.get("inputs", {}), grid)
        rolls = tuple(_roll(entry) for entry in record.details.get("zones", ()))
        return cls(
            record=record,
            book=book,
            settings=settings,
            tables=Tables.of(book, settings),
            grid=grid,
            inputs=inputs,
            rolls=rolls,
            ground=Ground.look(record.battlefield, grid, Profile.of(book, inputs.profile), rolls),
        )

    @property
    def country(self) -> Geography:
        """Return the geography that the record names."""
        return self.tables.geography(str(self._need("geography")))

    @property
    def zones(self) -> ZoneLog:
        """Return the rolls of the record as a log of zones."""
        if not self.rolls:
            raise UnseenError("the record lists no rolls")
        return ZoneLog(self.rolls)

    @property
    def graph(self) -> Mapping[str, Any]:
        """Return the network of the record."""
        found: Mapping[str, Any] = self._need("graph")
        return found

    @property
    def water(self) -> Water | None:
        """Return the water along an edge."""
        found = self.record.details.get("water")
        return None if found is None else Water(Side(found["edge"]), Piece[str(found["kind"]).upper()])

    @property
    def creek(self) -> CreekPath | None:
        """Return the creek across the table."""
        found = self.graph.get("creek")
        if found is None:
            return None
        entry, leaves = Side(found["entry_edge"]), Side(found["exit_edge"])
        return CreekPath(path=tuple(found["path"]), entry=entry, exit=leaves)

    def rolled_twice(self, zone: int, piece: Piece) -> bool:
        """Return whether a zone has a piece twice; a record without rolls may always have it so."""
        return not self.rolls or ZoneLog(self.rolls).pieces(zone).count(piece) > 1

    def dice(self, stage: str) -> tuple[Throw, ...]:
        """Return the dice of a stage as the log has them.

        Raises:
            UnseenError: there is no log.
        """
        if not self.record.log:
            raise UnseenError("the record has no log of dice")
        return tuple(throw for throw in self.record.log if throw.stage == stage and throw.act is Act.DIE)

    def _need(self, name: str) -> Any:
        if name not in self.record.details:
            raise UnseenError("the record does not tell its {name}", name=name)
        return self.record.details[name]


def both(*checks: Check) -> Check:
    """Return one check of several; what some of them cannot see is left to the others.

    Raises:
        UnseenError: none of them sees anything.
    """

    def check(case: Case) -> Faults:
        unseen: list[UnseenError] = []
        for each in checks:
            try:
                yield from each(case)
            except AbsentError:
                raise
            except UnseenError as error:
                unseen.append(error)
        if unseen and len(unseen) == len(checks):
            raise unseen[0]

    return check


def _roll(entry: Any) -> Result:
    try:
        piece = entry["piece"]
        return Result(
            zone=int(entry["zone"]),
            roll=int(entry["roll"]),
            die=entry["die"],
            cell=str(entry["cell"]),
            fate=Fate(entry["fate"]),
            piece=Piece[str(piece).upper()] if piece else None,
            throw=entry["throw"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(
            "acw.zones has the roll {entry!r}, which cannot be read: {error}", entry=entry, error=error
        ) from None
