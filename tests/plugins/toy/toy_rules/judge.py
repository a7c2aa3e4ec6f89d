"""The judge: it measures what lies on the board and reads the log, and knows nothing of how a field is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.core.units import MM_PER_INCH
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, Reasons, UnseenError, verdicts
from printkit.kit.system import Verdict
from printkit.terrain.field.features import Area, Hill, Kind
from printkit.terrain.field.record import Record

_SLACK: Final = 0.1
"""Millimetres by which a person's ruler may be wrong."""


class Case(Struct, frozen=True):
    """A record, laid open for the checks; ``features`` are what stands in each zone, by its number from 1."""

    record: Record
    book: RuleBook
    features: Mapping[int, tuple[Area | Hill, ...]]

    @classmethod
    def of(cls, record: Record, book: RuleBook) -> Case:
        """Return the case of a record; a feature belongs to the zone in which its middle lies."""
        zones = record.battlefield.board.zones(3, 3)
        areas = [each for each in record.battlefield.features if isinstance(each, Area | Hill)]
        features = {
            number: tuple(each for each in areas if zone.contains(each.outline.centroid))
            for number, zone in enumerate(zones, 1)
        }
        return cls(record, book, features)

    def mm(self, number: str) -> float:
        """Return a number of the book, which are all in inches."""
        return self.book.numbers[number] * MM_PER_INCH


def board(case: Case) -> Faults:
    """TY-1: one size of board."""
    width, depth = case.record.battlefield.board.playing_size
    if max(abs(width - case.mm("board")), abs(depth - case.mm("board"))) > _SLACK:
        yield Sentence("the board is {width:g} x {depth:g} mm", width=width, depth=depth)


def dice(case: Case) -> Faults:
    """TY-2 and TY-3: a zone holds what its dice say, or nothing where they say a pond too many."""
    thrown = {throw.reason: int(throw.answer) for throw in case.record.log}
    if not thrown:
        raise UnseenError("nobody wrote down the dice")
    for number, features in case.features.items():
        due = case.book.tables["ground"].look_up(thrown[f"ground of zone {number}"])
        if due == "woods":
            due = case.book.tables["woods"].look_up(thrown[f"woods of zone {number}"])
        there = [feature.kind.value for feature in features] or ["open"]
        if there != [due] and (there, due) != (["open"], "pool"):
            yield Sentence(
                "zone {number} has {there}, its dice say {due}", number=number, there=", ".join(there), due=due
            )


def sizes(case: Case) -> Faults:
    """TY-4: three sizes, measured along the board."""
    lengths = [case.mm(name) for name in case.book.numbers if name.startswith("size_")]
    for features in case.features.values():
        for feature in features:
            left, _, right, _ = feature.outline.bounds
            if all(abs(right - left - length) > _SLACK for length in lengths):
                yield Sentence("{id} is {length:.0f} mm long", id=feature.id, length=right - left)


def ponds(case: Case) -> Faults:
    """TY-5: no more ponds than the setting says."""
    count = len(tuple(case.record.battlefield.of(Kind.POOL)))
    if count > int(case.record.settings.get("ponds", "1")):
        yield Sentence("there are too many ponds: {count}", count=count)


def inside(case: Case) -> Faults:
    """TY-6: alone in its zone, and well inside it."""
    zones = case.record.battlefield.board.zones(3, 3)
    for number, features in case.features.items():
        room = zones[number - 1].buffer(_SLACK - case.mm("margin"), join_style="mitre")
        for feature in features:
            if not room.covers(feature.outline):
                yield Sentence("{id} lies too near the side of zone {number}", id=feature.id, number=number)
        if len(features) > 1:
            yield Sentence("zone {number} holds {count} features", number=number, count=len(features))


def going(case: Case) -> Faults:
    """TY-7: the going of each kind; nobody need write it down."""
    due = {row.need("sign", str): row.need("going", str) for row in case.book.own("signs")}
    for feature in case.record.battlefield.features:
        if feature.kind.value not in due:
            yield Sentence("{id} is {kind}, which these rules do not know", id=feature.id, kind=feature.kind.value)
        elif feature.going.name not in ("", due[feature.kind.value]):
            yield Sentence("{id} is {going} going", id=feature.id, going=feature.going.name)


CHECKS: Final[Mapping[str, Callable[[Case], Faults]]] = {
    "TY-1": board,
    "TY-2": dice,
    "TY-3": dice,
    "TY-4": sizes,
    "TY-5": ponds,
    "TY-6": inside,
    "TY-7": going,
}
"""What looks for breaches of each clause."""

REASONS: Final = Reasons(clauses={"TY-8": Sentence("players sit down after the field is laid")})


def judge(record: Record, book: RuleBook) -> tuple[Verdict, ...]:
    """Return a verdict for every clause of the book."""
    return verdicts(book.clauses, CHECKS, REASONS, Case.of(record, book), "toy")
