"""The tiles of a Tiled map as one SVG picture: a hex for every piece, strip and marker that the map uses.

A slope is drawn with side 0 as its first low side and a strip with its least mask, so that the map can turn them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple
from xml.sax.saxutils import escape

from printkit.core.resources import template
from printkit.hexon.formats.tables import Link, Mark, Tile

WIDE: Final = 116
TALL: Final = 100
SIDE: Final = 58
PITCH: Final = (WIDE - SIDE) // 2 + SIDE
"""Pixels of a hex across its corners, across its flats, of its side, and from one column to the next."""

COLUMNS: Final = 6
"""Tiles in a row of the picture."""

_LOW_SIDES: Final = {"A": 1, "B": 2, "C": 3}


class TileName(NamedTuple):
    """A tile: ``piece``, ``strip`` or ``marker``; its kind; of a strip the sides as bits, of a slope its low sides.

    ``level`` is that of a piece, by which it is coloured.
    """

    group: str
    kind: str
    pattern: int = 0
    level: int = 0


def piece_name(tile: Tile) -> TileName:
    """Return the tile of a piece."""
    low = _LOW_SIDES.get(tile.piece[:1], 0) if tile.piece[1:].isdigit() else 0
    return TileName("piece", tile.piece, (1 << low) - 1, tile.level)


def link_name(link: Link) -> TileName:
    """Return the tile of a strip before it is turned."""
    return TileName("strip", link.feature, link.pattern)


def mark_name(mark: Mark) -> TileName:
    """Return the tile of a marker."""
    return TileName("marker", mark.feature)


def sheet_size(tiles: int, *, flat: bool) -> tuple[int, int]:
    """Return the width and height in pixels of the picture of so many tiles."""
    wide, tall = (WIDE, TALL) if flat else (TALL, WIDE)
    return COLUMNS * wide, math.ceil(tiles / COLUMNS) * tall


def tile_sheet(tiles: Sequence[TileName], *, flat: bool) -> str:
    """Return the picture of the tiles of a map, in their order."""
    width, height = sheet_size(len(tiles), flat=flat)
    wide, tall = (WIDE, TALL) if flat else (TALL, WIDE)
    colours = template("hexon", "programs")["colours"]
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">']
    for place, name in enumerate(tiles):
        at = f"{place % COLUMNS * wide + wide / 2:g},{place // COLUMNS * tall + tall / 2:g}"
        lines.append(f'<g transform="translate({at})">')
        lines += _drawn(name, colours, flat=flat)
        lines.append("</g>")
    return "\n".join((*lines, "</svg>")) + "\n"


def _drawn(name: TileName, colours: Mapping[str, Any], *, flat: bool) -> Iterator[str]:
    match name.group:
        case "piece":
            yield from _piece(name, colours, flat=flat)
        case "strip":
            ink = colours["kinds"].get(name.kind, colours["other"])
            for side in range(6):
                if name.pattern >> side & 1:
                    x, y = _middle(side, flat=flat)
                    yield f'<path d="M0,0L{x:g},{y:g}" stroke="{ink}" stroke-width="16" stroke-linecap="round"/>'
        case _:
            ink = colours["kinds"].get(name.kind, colours["other"])
            yield f'<circle r="24" fill="{ink}" stroke="{colours["edge"]}" stroke-width="2"/>'
            yield _letters(name.kind[:2].capitalize(), 22, "#ffffff")


def _piece(name: TileName, colours: Mapping[str, Any], *, flat: bool) -> Iterator[str]:
    levels = colours["levels"]
    fill = colours["mountain"] if name.kind == "mountain" else levels[min(name.level, len(levels) - 1)]
    points = " ".join(f"{x:g},{y:g}" for x, y in _hexagon(flat=flat))
    yield f'<polygon points="{points}" fill="{fill}" stroke="{colours["edge"]}" stroke-width="1"/>'
    if name.pattern:
        low = name.pattern.bit_length()
        yield from _arrow(60 * (low - 1) / 2, colours["arrow"], flat=flat)
        yield _letters(name.kind, 20, colours["arrow"])


def _arrow(turn: float, ink: str, *, flat: bool) -> Iterator[str]:
    """Yield an arrow from the middle down to the low sides, ``turn`` degrees clockwise of side 0."""
    angle = turn + (30 if flat else 0)
    yield f'<g transform="rotate({angle:g})"><path d="M16,0H40M32,-7L40,0L32,7" fill="none" stroke="{ink}"'
    yield ' stroke-width="3" stroke-linecap="round"/></g>'


def _middle(side: int, *, flat: bool) -> tuple[float, float]:
    corners = _hexagon(flat=flat)
    (left, top), (right, bottom) = corners[side - 1], corners[side]
    return (left + right) / 2, (top + bottom) / 2


def _hexagon(*, flat: bool) -> list[tuple[float, float]]:
    """Return the corners about the middle, corner ``i`` between sides ``i`` and ``i + 1``, y downwards."""
    half, tall = WIDE / 2, TALL / 2
    if flat:
        return [(SIDE / 2, tall), (-SIDE / 2, tall), (-half, 0), (-SIDE / 2, -tall), (SIDE / 2, -tall), (half, 0)]
    return [(tall, SIDE / 2), (0, half), (-tall, SIDE / 2), (-tall, -SIDE / 2), (0, -half), (tall, -SIDE / 2)]


def _letters(text: str, size: int, ink: str) -> str:
    return (
        f'<text text-anchor="middle" dominant-baseline="central" font-family="sans-serif" font-size="{size}" '
        f'fill="{ink}">{escape(text)}</text>'
    )
