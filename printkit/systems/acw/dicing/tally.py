"""The tally of farms and settlements: from the third one on they are disregarded (AC-212)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from printkit.kit.book import RuleBook
from printkit.systems.acw.terms.pieces import Piece

_FARMS: Final = "farms"
_SETTLEMENTS: Final = "settlements"


class Tally(Struct):
    """How many farms and settlements the table has: one count, or one for each (AC-Q04).

    ``kinds`` says in which count a piece stands; ``limit`` is None for tables without one (AC-Q06).
    """

    kinds: Mapping[Piece, str]
    limit: int | None
    separate: bool
    counts: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, book: RuleBook, settings: Mapping[str, str], table: int) -> Tally:
        """Return an empty tally for a table of rolls."""
        kinds = {Piece.FARM: _FARMS, Piece.SETTLEMENT: _SETTLEMENTS}
        if settings["ac-q07"] in ("town", "both"):
            kinds[Piece.TOWN] = _SETTLEMENTS
        if settings["ac-q07"] == "both":
            kinds[Piece.FORT] = _SETTLEMENTS
        if settings["ac-q22"] == "yes":
            kinds[Piece.BUILDING] = _FARMS
        holds = settings["ac-q06"] in ("all", str(table))
        return cls(kinds, int(book.numbers["limit"]) if holds else None, settings["ac-q04"] == "separate")

    def ignores(self, piece: Piece) -> bool:
        """Return whether another such piece would be disregarded."""
        if self.limit is None or piece not in self.kinds:
            return False
        count = self.counts[self.kinds[piece]] if self.separate else self.counts.total()
        return count >= self.limit

    def add(self, piece: Piece) -> None:
        """Count a piece that lies on the table."""
        if piece in self.kinds:
            self.counts[self.kinds[piece]] += 1
