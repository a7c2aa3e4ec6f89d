"""What the score of a bound allows and obliges: the table of columns that come on, as data (CC-K01 to K11)."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import Sentence
from printkit.core.resources import template
from printkit.kit.book import BookRow
from printkit.systems.collision.march.faults import Readings

T = TypeVar("T")


class Where(StrEnum):
    """How much of a column is on the board; "on" counts the baggage that marches in it (CC-Q11)."""

    OFF = "off"
    PARTLY = "partly"
    ON = "on"


class Landing(StrEnum):
    """What has become of a landing."""

    NONE = "none"
    PLANNED = "planned"
    LOST = "lost"
    DONE = "done"


class State(Struct, frozen=True, kw_only=True):
    """A player at the start of a bound: its number, his columns 2 and 3, his landing, and an entry that he owes.

    ``owed`` comes of a 6 in a bound that had no room, where that only puts it off (CC-Q32). ``general_on`` tells that
    the general himself is on the board.
    """

    bound: int = 1
    second: Where = Where.PARTLY
    third: Where = Where.OFF
    landing: Landing = Landing.NONE
    owed: bool = False
    general_on: bool = False


class Duty(Struct, frozen=True, kw_only=True):
    """A row of the table: what the player may, what he must, and the PIPs that are bound at least.

    ``done`` are those bound where column 2 is complete after its move.
    """

    row: str
    may: str = ""
    must: str = ""
    least: int = 0
    done: int = 0

    def committed(self, *, completed: bool) -> int:
        """Return the PIPs that are bound; ``completed`` if column 2 came on wholly in this bound."""
        return max(self.least, self.done) if completed else self.least


class DutyRow(Struct, frozen=True, kw_only=True):
    """A row with what it holds for; None is any state."""

    duty: Duty
    first: bool
    second: Where | None
    third: Where | None
    landing: bool
    room: bool
    scores: tuple[int, int]

    def holds(self, state: State, score: int, *, room: bool) -> bool:
        """Return whether the row is the one for a state and a score."""
        return (
            self.first == (state.bound == 1)
            and self.second in (None, state.second)
            and self.third in (None, state.third)
            and (not self.landing or state.landing is Landing.PLANNED)
            and (not self.room or room)
            and self.scores[0] <= score <= self.scores[1]
        )


class Prices(Struct, frozen=True, kw_only=True):
    """PIPs: to bring a column on, to land it, to move baggage alone; the score that forces, the least spending."""

    entry: int
    landing: int
    baggage: int
    baggage_added: int
    forced: int
    least: int


def value_of(table: str, key: str, kind: type[T], name: str = "entry") -> T:
    """Return a value of a table of the template, which stands there with its clause.

    Raises:
        BookError: it is missing or of another kind.
    """
    tree = BookRow(f"{name}: [{table}]", BookRow(name, template("columns", name)).need(table, dict))
    return BookRow(f"{tree.place} {key}", tree.need(key, dict)).need("value", kind)


@cache
def prices() -> Prices:
    """Return what coming on costs.

    Raises:
        BookError: a price is missing.
    """
    return Prices(**{key: value_of("prices", key, int) for key in Prices.__struct_fields__})


@cache
def rows(name: str = "entry") -> tuple[DutyRow, ...]:
    """Return the table in the order in which its rows are tried.

    Raises:
        BookError: a row is wrong; names it.
    """
    found = []
    for place, values in enumerate(BookRow(name, template("columns", name)).need("rows", list), 1):
        row = BookRow(Sentence("{name}: [rows] row {place}", name=name, place=place), values)
        row.only("row", "first", "second", "third", "landing", "room", "scores", "may", "must", "least", "done")
        low, high = row.need("scores", list)
        found.append(
            DutyRow(
                duty=Duty(
                    row=row.need("row", str),
                    may=row.get("may", str, ""),
                    must=row.get("must", str, ""),
                    least=row.get("least", int, 0),
                    done=row.get("done", int, 0),
                ),
                first=row.get("first", bool, False),
                second=_where(row, "second"),
                third=_where(row, "third"),
                landing=row.get("landing", bool, False),
                room=row.get("room", bool, False),
                scores=(low, high),
            )
        )
    return tuple(found)


def _where(row: BookRow, name: str) -> Where | None:
    said = row.get(name, str, "")
    return Where(said) if said else None


def duty_of(state: State, score: int, readings: Readings, *, room: bool = True) -> Duty:
    """Return what a score allows and obliges, by the readings.

    Args:
        state: of the player at the start of the bound.
        score: of the PIP die, 1 to 6.
        readings: of the open questions.
        room: whether column 3 has room to land or to come on.
    """
    found = next(row.duty for row in rows() if row.holds(state, score, room=room))
    cost = prices()
    if found.row == "CC-K10" and readings(15, "4-each"):
        # A later move costs as much as the first; with fewer PIPs it cannot be made.
        return replace(found, least=cost.entry if score >= cost.entry else 0)
    if found.row == "CC-K06" and (readings(13, "col2-only") or not room):
        return replace(found, must="move-2", may="enter-after" if room else "", done=0)
    if found.row == "CC-K09" and not room:
        return replace(found, must="", least=0)
    if state.owed and room and found.row == "CC-K08":
        return replace(found, may="", must="enter", least=cost.entry)
    if state.owed and room and found.row == "CC-K05":
        return replace(found, may="", must="move-2-enter", done=cost.entry + cost.least)
    return found
