"""The judge: it measures what lies on the board and reads the log, and knows nothing of how a field is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.case import JudgedRecord
from printkit.kit.checks import Faults, Reasons, verdicts
from printkit.kit.rules import Rules
from printkit.kit.system import Verdict
from printkit.terrain.field.features import Area, Hill, Kind
from printkit.terrain.field.record import Record


class Case(JudgedRecord, frozen=True, kw_only=True, eq=False, dict=True):
    """A record, laid open for the checks."""

    @cached_property
    def in_zone(self) -> Mapping[int, tuple[Area | Hill, ...]]:
        """Return what stands in each zone, by its number from 1: that of which the middle lies there."""
        zones = enumerate(self.board.zones(3, 3), 1)
        return {
            number: tuple(each for each in self.ground if zone.contains(each.outline.centroid))
            for number, zone in zones
        }

    def due(self, number: int) -> str:
        """Return what the dice put into a zone.

        Raises:
            UnseenError: there is no log, or no score for the zone.
        """
        found = self.rules.outcomes("ground").look_up(self.score("terrain", f"ground of zone {number}") or 0)
        if found == "woods":
            found = self.rules.outcomes("woods").look_up(self.score("terrain", f"woods of zone {number}") or 0)
        return found


def board(case: Case) -> Faults:
    """TY-1: one size of board."""
    width, depth = case.board.playing_size
    due, slack = case.rules.length("board"), case.rules.slack("board")
    if max(abs(width - due), abs(depth - due)) > slack:
        yield Sentence("the board is {width:g} x {depth:g} mm", width=width, depth=depth)


def dice(case: Case) -> Faults:
    """TY-2 and TY-3: a zone holds what its dice say, or nothing where they say a pond too many."""
    for number, features in case.in_zone.items():
        due, there = case.due(number), [feature.kind.value for feature in features] or ["open"]
        if there != [due] and (there, due) != (["open"], "pool"):
            yield Sentence(
                "zone {number} has {there}, its dice say {due}", number=number, there=", ".join(there), due=due
            )


def sizes(case: Case) -> Faults:
    """TY-4: three sizes, measured along the board."""
    names = ("size_small", "size_medium", "size_large")
    for feature in case.ground:
        left, _, right, _ = feature.outline.bounds
        if all(abs(right - left - case.rules.length(name)) > case.rules.slack(name) for name in names):
            yield Sentence("{id} is {length:.0f} mm long", id=feature.id, length=right - left)


def ponds(case: Case) -> Faults:
    """TY-5: as many ponds as the dice say, but no more than the setting."""
    count, most = len(case.of(Area, Kind.POOL)), case.rules.whole("ponds")
    if count > most:
        yield Sentence("there are too many ponds: {count}", count=count)
    due = sum(case.due(number) == "pool" for number in case.in_zone)
    if count < min(due, most):
        yield Sentence("there are too few ponds: {count}", count=count)


def inside(case: Case) -> Faults:
    """TY-6: alone in its zone, and well inside it."""
    zones = case.board.zones(3, 3)
    for number, features in case.in_zone.items():
        room = zones[number - 1].buffer(case.rules.slack("margin") - case.rules.length("margin"), join_style="mitre")
        for feature in features:
            if not room.covers(feature.outline):
                yield Sentence("{id} lies too near the side of zone {number}", id=feature.id, number=number)
        if len(features) > 1:
            yield Sentence("zone {number} holds {count} features", number=number, count=len(features))


def going(case: Case) -> Faults:
    """TY-7: the going of each kind; nobody need write it down."""
    due = {row.need("sign", str): row.need("going", str) for row in case.rules.rows("signs")}
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
    return verdicts(book.clauses, CHECKS, REASONS, Case(record=record, rules=Rules.of_record(book, record)), record)
