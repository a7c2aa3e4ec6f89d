"""The rules of one game of cards: the book after its settings, its lengths in inches of a board of 24 (BR-G01)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.kit.book import RuleBook
from printkit.kit.rules import Rules
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record

RULES: Final = "brantley"
HILL_DICE: Final = ("slope", "woods")
"""The tables of the two dice of a hill in the order thrown (BR-Q04)."""

_INCH: Final = "inch"


def game_rules(book: RuleBook, settings: Mapping[str, str], board: Board) -> Rules:
    """Return the rules of a game on a board."""
    return Rules.of(book, settings, board=board, units=_units(book, board))


def recorded_rules(book: RuleBook, record: Record) -> Rules:
    """Return the rules by which a record was made.

    Raises:
        RecordError: it has a setting that there is not.
    """
    return Rules.of_record(book, record, units=_units(book, record.battlefield.board))


def ninth_is_blind(rules: Rules) -> bool:
    """Return whether the ninth card lies unseen in the last zone, which else stays clear (BR-Q20)."""
    return rules.choice("br-q20") == "blind"


def inch_of(rules: Rules) -> float:
    """Return the mm of an inch of the rules on the board of a game."""
    return rules.units[_INCH]


def is_closed(course: Kind, ground: Kind, rules: Rules, *, impassable: bool) -> bool:
    """Return whether a river or a road keeps out of ground of a kind in which it does not end (BR-Q12, BR-Q15)."""
    if course is Kind.RIVER:
        passed = {"none": False, "any-but-bua-lake": ground not in (Kind.BUA, Kind.LAKE)}
        return not passed.get(rules.choice("br-q12"), ground is Kind.MARSH)
    closed = {"clear-only": True, "any-but-lake": ground is Kind.LAKE}
    return closed.get(rules.choice("br-q15"), impassable or ground in (Kind.BUA, Kind.LAKE))


def _units(book: RuleBook, board: Board) -> Mapping[str, float]:
    return {_INCH: board.width / book.numbers["board_side"]}
