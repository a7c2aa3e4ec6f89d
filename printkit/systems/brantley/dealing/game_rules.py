"""The rules of one card game: the rule book with its settings, and lengths in inches of a 24-inch board (BR-G01)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.kit.book import RuleBook
from printkit.kit.rules import Rules
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record

RULES: Final = "brantley"
# The tables of the two dice of a hill, in the order of the rolls (BR-Q04).
HILL_DICE: Final = ("slope", "woods")

_INCH: Final = "inch"


def game_rules(book: RuleBook, settings: Mapping[str, str], board: Board) -> Rules:
    """Return the rules of a game on a board, with settings by their keys; lengths are in mm on the board."""
    return Rules.of(book, settings, board=board, units=_units(book, board))


def recorded_rules(book: RuleBook, record: Record) -> Rules:
    """Return the rules of a recorded game.

    Raises:
        RecordError: the record has a setting that does not exist.
    """
    return Rules.of_record(book, record, units=_units(book, record.battlefield.board))


def is_ninth_blind(rules: Rules) -> bool:
    """Return True if the ninth card goes face down, False if the last zone stays clear (BR-Q20)."""
    return rules.choice("br-q20") == "blind"


def rule_inch_mm(rules: Rules) -> float:
    """Return one inch of the rules on the board of a game, in mm: a 24th of its width."""
    return rules.units[_INCH]


def is_closed(course: Kind, ground: Kind, rules: Rules, *, impassable: bool) -> bool:
    """Return whether a river or road may not enter ground, except to end in it (BR-Q12, BR-Q15).

    Args:
        course: the kind of the course: river or road.
        ground: the kind of the feature.
        rules: the rules with their settings.
        impassable: True if the going of the feature is impassable; it matters only to roads.
    """
    if course is Kind.RIVER:
        can_pass = {"none": False, "any-but-bua-lake": ground not in (Kind.BUA, Kind.LAKE)}
        return not can_pass.get(rules.choice("br-q12"), ground is Kind.MARSH)
    blocks_road = {"clear-only": True, "any-but-lake": ground is Kind.LAKE}
    return blocks_road.get(rules.choice("br-q15"), impassable or ground in (Kind.BUA, Kind.LAKE))


def _units(book: RuleBook, board: Board) -> Mapping[str, float]:
    """Return the length in mm of the one unit, ``inch``: the width of the board divided by 24."""
    return {_INCH: board.width / book.numbers["board_side"]}
