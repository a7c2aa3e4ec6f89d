"""What the PIP score of a bound allows and requires for columns that enter: the table as data (CC-K01 to K11)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.kit.book import BookRow
from printkit.kit.rules import Rules

# Sides of the PIP die.
_SIDES: Final = 6


class BoardPresence(StrEnum):
    """How much of a column is on the board; "on" includes the baggage that marches in it (CC-Q11)."""

    OFF = "off"
    PARTLY = "partly"
    ON = "on"


class Landing(StrEnum):
    """The state of a landing."""

    NONE = "none"
    PLANNED = "planned"
    LOST = "lost"
    DONE = "done"


class State(Struct, frozen=True, kw_only=True):
    """A player's columns at the start of a bound.

    Attributes:
        bound: its number.
        second: column 2.
        third: column 3.
        general_on: whether the general is on the board.
    """

    bound: int = 1
    second: BoardPresence = BoardPresence.PARTLY
    third: BoardPresence = BoardPresence.OFF
    landing: Landing = Landing.NONE
    general_on: bool = False


class BoundDuty(Struct, frozen=True, kw_only=True):
    """A row of the table: what the player may and must do.

    Attributes:
        least_pips: the least number of PIPs that the player must spend.
        completed_least: the same, if column 2 is complete after its move.
    """

    row: str
    may: str = ""
    must: str = ""
    least_pips: int = 0
    completed_least: int = 0

    def required_pips(self, *, completed: bool) -> int:
        """Return the PIPs that the player must spend.

        ``completed`` is True if all of column 2 entered in this bound.
        """
        return max(self.least_pips, self.completed_least) if completed else self.least_pips


class DutyRow(Struct, frozen=True, kw_only=True):
    """A row with its conditions: None is any state, ``low`` the lowest score."""

    duty: BoundDuty
    first: bool
    second: BoardPresence | None
    third: BoardPresence | None
    landing: bool
    room: bool
    low: int

    def is_match(self, state: State, score: int, *, room: bool) -> bool:
        """Return whether the row applies to a state and a PIP score.

        A row applies from its lowest score upwards; the first row of the table that applies counts. ``room`` is True if
        column 3 has space to enter or to land.
        """
        return (
            self.first == (state.bound == 1)
            and self.second in (None, state.second)
            and self.third in (None, state.third)
            and (not self.landing or state.landing is Landing.PLANNED)
            and (not self.room or room)
            and self.low <= score
        )


def duty_rows(rules: Rules) -> tuple[DutyRow, ...]:
    """Return the rows of the duty table; the first row that matches a state and a score applies.

    Raises:
        BookError: a row is wrong; names it.
    """
    return tuple(_parse_row(row, rules) for row in rules.rows("duties"))


def _parse_row(row: BookRow, rules: Rules) -> DutyRow:
    """Return a row of the rule book with its conditions and its duty.

    Raises:
        BookError: the row is wrong; names it.
    """
    row.only("first", "second", "third", "landing", "from", "room", "may", "must", "least", "done", "clause")

    def total(name: str) -> int:
        """Return the sum of the rule-book numbers that the row lists under ``name``."""
        return sum(rules.whole(number) for number in row.get(name, list, []))

    duty = BoundDuty(
        row=row.need("clause", str),
        may=row.get("may", str, ""),
        must=row.get("must", str, ""),
        least_pips=total("least"),
        completed_least=total("done"),
    )
    return DutyRow(
        duty=duty,
        first=row.get("first", bool, False),
        second=_parse_presence(row, "second"),
        third=_parse_presence(row, "third"),
        landing=row.get("landing", bool, False),
        room=row.get("room", bool, False),
        low=max(1, total("from")),
    )


def _parse_presence(row: BookRow, name: str) -> BoardPresence | None:
    """Return the required state of a column in a row; None means any state.

    ``name`` is the key of the column.
    """
    text = row.get(name, str, "")
    return BoardPresence(text) if text else None


def scores_of(row: DutyRow, rows: tuple[DutyRow, ...]) -> tuple[int, int]:
    """Return the lowest and the highest PIP score of a row; ``rows`` are all rows of the duty table.

    Both are inclusive.
    """
    alike = [
        each.low
        for each in rows
        if (each.first, each.second, each.third, each.landing) == (row.first, row.second, row.third, row.landing)
        and each.low > row.low
    ]
    # A row for any state of column 3 ends below the rows for one of its states, if column 2 is the same.
    half = row.second if row.third is None else None
    alike += [each.low for each in rows if half is not None and each.second is half and each.third is not None]
    return row.low, min(alike, default=_SIDES + 1) - 1


def duty_of(state: State, score: int, rules: Rules, *, room: bool = True) -> BoundDuty:
    """Return what the PIP score of a bound allows and requires for columns that enter.

    Args:
        state: of the player at the start of the bound.
        score: of the PIP die, 1 to 6.
        rules: of the game.
        room: whether column 3 has space to land or to enter.
    """
    duty = next(row.duty for row in duty_rows(rules) if row.is_match(state, score, room=room))
    if duty.row == "CC-K06" and not room:
        return replace(duty, may="", must="move-2", completed_least=0)
    if duty.row == "CC-K09" and not room:
        return replace(duty, must="", least_pips=0)
    return duty
