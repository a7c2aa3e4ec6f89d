"""A symbol for each of the 17 troop types of DBA, in solid black and line: the weapon or the mount.

Each is in a square of ten units around its centre. ``tools/patterns/drawn_symbols.py`` draws them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct, json

from printkit.core.resources import resource
from printkit.drawing.canvas.items import Cap, Ink, Item, Join, Path, PathRun, Stroke

_Point: TypeAlias = tuple[float, float]

# Units of the square for a symbol.
SIDE: Final = 10.0

# The name of the star of a general, which is drawn like a symbol.
STAR: Final = "general"

_MIN_LINE_MM: Final = 0.12
_GRID: Final = 100


class SymbolPart(Struct, frozen=True):
    """A shape of a symbol: ``ink`` and ``paper`` are filled, a ``line`` has a width, a ``ring`` is a closed line.

    Points and the width of a line are in units of the symbol, which is 10 units wide.
    """

    kind: Literal["ink", "paper", "line", "ring"]
    points: tuple[_Point, ...]
    width: float = 0.7


# The symbol of each type by its code, and the star of a general.
SYMBOLS: Final[Mapping[str, tuple[SymbolPart, ...]]] = json.decode(
    resource("templates/patterns", "troop-symbols.json").read_bytes(), type=dict[str, tuple[SymbolPart, ...]]
)


def draw_symbol(name: str, x: float, y: float, side: float, ink: Ink, paper: Ink) -> list[Item]:
    """Return the symbol of a troop type, at most ``side`` mm high and wide on paper.

    Args:
        name: the code of the type, for example ``Kn``, or ``general``.
        x: of the centre, in mm on paper.
        y: of the centre, in mm on paper.
        side: of the square, in mm on paper.
        ink: of the symbol.
        paper: of the parts cut out of it.

    Raises:
        KeyError: no type has this code.
    """
    scale = side / SIDE
    items: list[Item] = []
    for symbol_part in SYMBOLS[name]:
        numbers = tuple(
            round(_GRID * value)
            for unit_x, unit_y in symbol_part.points
            for value in (x + unit_x * scale, y + unit_y * scale)
        )
        run = PathRun(numbers, symbol_part.kind != "line")
        if symbol_part.kind in ("ink", "paper"):
            items.append(Path((run,), fill=ink if symbol_part.kind == "ink" else paper))
        else:
            stroke = Stroke(ink, max(symbol_part.width * scale, _MIN_LINE_MM), cap=Cap.BUTT, join=Join.ROUND)
            items.append(Path((run,), stroke=stroke))
    return items
