"""Answers to a CHOICE (AC-207..AC-209, AC-410, AC-M3); the tally of farms and settlements (AC-212)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.core.errors import ScenarioError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.acw.terms.inputs import NOTHING, RECORDED, find_piece
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import ZonePlan, ZoneSide

# --- The tally of farms and settlements: from the third one on they are ignored (AC-212) ------------------------------

_COUNTED: Final = (Piece.FARM, Piece.SETTLEMENT, Piece.TOWN)


class Tally(Struct):
    """The number of farms and settlements on the table, including campaign towns (AC-Q04, AC-Q07)."""

    limit: int
    count: int = 0

    def ignores(self, piece: Piece) -> bool:
        """Return whether another piece of this type is ignored: a farm or settlement over the limit (AC-212)."""
        return piece in _COUNTED and self.count >= self.limit

    def add(self, piece: Piece) -> None:
        """Count a piece on the table, if it is a farm, settlement or town.

        Other pieces do not change the count.
        """
        self.count += piece in _COUNTED


_ASK: Final = "ask"
_TIDY: Final = "tidy"
_NONE: Final = "none"


class PendingCell(Struct, frozen=True, kw_only=True):
    """An open CHOICE.

    Attributes:
        options: the pieces that may be chosen.
        pieces_by_zone: the pieces on the table so far, by zone.
    """

    zone: int
    roll: int
    options: tuple[Piece, ...]
    pieces_by_zone: Mapping[int, tuple[Piece, ...]]
    tally: Tally
    grid: ZonePlan

    @property
    def allowed(self) -> tuple[Piece, ...]:
        """Return the options without farms and settlements that would be ignored (AC-212); may be empty."""
        return tuple(piece for piece in self.options if not self.tally.ignores(piece))

    @property
    def label(self) -> Sentence:
        """Return the name of the CHOICE for messages, with its zone and roll."""
        return Sentence("CHOICE of zone {zone:d}, roll {roll:d}", zone=self.zone, roll=self.roll)


class Chooser(Struct):
    """Answers each CHOICE: from the list of decisions first, then by the policy."""

    rules: Rules
    policy: str
    decisions: tuple[str, ...]
    dice: Dice
    used_count: int = 0

    @property
    def unused_count(self) -> int:
        """Return the number of decisions that were not needed (AC-X03)."""
        return len(self.decisions) - self.used_count

    def choose(self, choice: PendingCell) -> Piece | None:
        """Return the piece that the defender chooses, or None to leave the place empty.

        It is the next recorded decision if one is left; otherwise the policy of the settings decides. A recorded
        decision that is used counts in ``used_count``. The tally does not change.

        Raises:
            ScenarioError: a decision is outside the list (AC-X05), would not count (AC-X06), or is missing (AC-X07).
        """
        if self.unused_count:
            self.used_count += 1
            return _parse_decision(self.decisions[self.used_count - 1], choice)
        if self.policy == RECORDED:
            raise ScenarioError(
                "decision {needed} is missing, for the {spot}; you gave {used}",
                needed=self.used_count + 1,
                spot=choice.label,
                used=self.used_count,
                clause="AC-X07",
            )
        if self.policy == _NONE:
            return None
        return self._choose_tidy(choice) if self.policy == _TIDY else self._choose_randomly(choice)

    def _choose_randomly(self, choice: PendingCell) -> Piece | None:
        """Return an allowed piece, or None for nothing, at random or by asking the user (AC-M3)."""
        options = (*(piece.value for piece in choice.allowed), NOTHING[0])
        person = self.policy == _ASK
        return find_piece(self.dice.choose(options, choice.label, "AC-207", asks=person))

    def _choose_tidy(self, choice: PendingCell) -> Piece | None:
        """Return a piece that continues the zones to the north and west, or trees, fields or a hill (AC-M3).

        Return None if no row of the list ``tidy`` in the rule book has a suitable piece that is allowed.
        """
        zone_pieces = choice.pieces_by_zone.get(choice.zone, ())
        neighbours = tuple(_list_neighbours(choice))
        for row in self.rules.rows("tidy"):
            pieces = row.need("pieces", tuple[Piece, ...])
            needed_pieces = row.get("beside", tuple[Piece, ...], ())
            if any(piece in zone_pieces for piece in (*pieces, *needed_pieces)) or (
                needed_pieces and not set(needed_pieces) & set(neighbours)
            ):
                continue
            chosen_piece = next((piece for piece in pieces if piece in choice.allowed), None)
            if chosen_piece is not None:
                return chosen_piece
        return None


def _parse_decision(text: str, choice: PendingCell) -> Piece | None:
    """Return the piece that a decision names, or None for a word such as "nothing".

    Raises:
        ScenarioError: the piece is not an option (AC-X05), or would not count (AC-X06).
    """
    if text.casefold() in NOTHING:
        return None
    piece = find_piece(text)
    if piece not in choice.options:
        names = ", ".join(choice.options)
        raise ScenarioError(
            "{text!r} is not an answer for the {spot}; leave it empty, or write one of {listed}",
            text=text,
            spot=choice.label,
            listed=names,
            clause="AC-X05",
        )
    if choice.tally.ignores(piece):
        raise ScenarioError(
            "{text!r} is not an answer for the {spot}: the table already has its farms and settlements",
            text=text,
            spot=choice.label,
            clause="AC-X06",
        )
    return piece


def _list_neighbours(choice: PendingCell) -> Iterator[Piece]:
    """Yield the pieces in the zones north and west of the zone of a CHOICE, those of the north first.

    Empty zones, and the sides at the edge of the table, yield nothing.
    """
    for side in (ZoneSide.NORTH, ZoneSide.WEST):
        other = choice.grid.neighbour(choice.zone, side)
        if other is not None:
            yield from choice.pieces_by_zone.get(other, ())
