"""What the PIP score of a bound allows and requires for columns that enter: the table as data (CC-K01 to K11)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.kit.book_file import BookEntry
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


class DutyEntry(BookEntry, frozen=True, kw_only=True):
    """A row as the rule book has it: its conditions, what it allows and requires, and the names of its numbers.

    The PIP score is at least the sum of ``scores``. At least that of ``least`` must be spent, and that of ``done`` if
    column 2 is complete.
    """

    first: bool = False
    second: BoardPresence | None = None
    third: BoardPresence | None = None
    landing: bool = False
    room: bool = False
    scores: tuple[str, ...] = field(default=(), name="from")
    may: str = ""
    must: str = ""
    least: tuple[str, ...] = ()
    done: tuple[str, ...] = ()


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
        FileError: a row is wrong; names it.
        BookError: the book does not have one of its numbers.
    """

    def build_row(row: DutyEntry) -> DutyRow:
        """Return a row of the rule book with the values of its numbers."""
        low, least_pips, completed_pips = (sum(map(rules.whole, names)) for names in (row.scores, row.least, row.done))
        return DutyRow(
            duty=BoundDuty(
                row=row.clause, may=row.may, must=row.must, least_pips=least_pips, completed_least=completed_pips
            ),
            first=row.first,
            second=row.second,
            third=row.third,
            landing=row.landing,
            room=row.room,
            low=max(1, low),
        )

    return tuple(map(build_row, rules.read("duties", DutyEntry)))


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
