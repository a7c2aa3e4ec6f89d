"""The feature key: every piece with its symbol, size on the table, going and view (AC-A03)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from printkit.kit.rules import Rules
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import ZonePlan
from printkit.systems.acw.terms.profile import Measure, PieceProfile
from printkit.terrain.field.features import Kind

# Hills with a symbol for each piece; all other pieces have the symbol of their kind.
_HILLS_WITH_SYMBOL: Final = (Piece.HILL, Piece.STEEP_HILL, Piece.HILL_CLIFF, Piece.HILL_SCREE, Piece.STEEP_HILL_CLIFF)

# The crossings of the rules (AC-F39).
CROSSINGS: Final = (Kind.FORD, Kind.BRIDGE, Kind.RAILWAY_BRIDGE, Kind.LEVEL_CROSSING)


class KeyLine(Struct, frozen=True, kw_only=True):
    """A line of the feature key: piece, name of its symbol, allowed size, lengths in mm on the board.

    A length that does not apply is 0.
    """

    piece: Piece
    sign: str
    measure: Measure
    long: float
    short: float
    width: float


def build_key_lines(grid: ZonePlan, rules: Rules, profile: Iterable[str] = ()) -> tuple[KeyLine, ...]:
    """Return a line for every piece of terrain in the order of the rules, sized for the zones of a table.

    Lengths are in mm on the board, 0 if the piece has no such length. ``profile`` has the lines of the scenario that
    change sizes.

    Raises:
        ScenarioError: a line of the scenario's profile cannot be read (AC-Q23).
    """
    measures = PieceProfile.from_rules(rules, profile)

    def build_line(piece: Piece) -> KeyLine:
        """Return the line of a piece, with its lengths in mm on the board."""
        measure = measures.piece_measure(piece)
        long, short, width = ((length or 0.0) * grid.unit for length in (measure.long, measure.short, measure.width))
        return KeyLine(
            piece=piece, sign=symbol_name(piece, rules), measure=measure, long=long, short=short, width=width
        )

    return tuple(map(build_line, Piece))


def symbol_name(piece: Piece, rules: Rules) -> str:
    """Return the name of the symbol of a piece: its key, for example ``hill``, or that of its kind."""
    if piece in _HILLS_WITH_SYMBOL:
        return piece.key
    return PieceProfile.from_rules(rules).piece_measure(piece).kind.value
