"""Half-turns: what stands on a card as it is, and once more upside down at the opposite place.

All of it is done on whole hundredths of a millimetre, so that a turned card lies on itself to the last point.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec.structs import replace

from printkit.content.cards import CardSize
from printkit.drawing.canvas.items import GRID, Affine, Item, Path, Run, Stamp, Text


def turned(items: Iterable[Item], size: CardSize) -> tuple[Item, ...]:
    """Return items turned by half about the middle of a card."""
    return tuple(_turned(item, size) for item in items)


def turned_run(run: Run, size: CardSize) -> Run:
    """Return a run turned by half about the middle of a card."""
    across, up = round(size.width / GRID), round(size.height / GRID)
    points = run.points
    found = [value for x, y in zip(points[::2], points[1::2], strict=True) for value in (across - x, up - y)]
    return Run(tuple(found), run.closed)


def with_turned(paths: Iterable[Path], size: CardSize) -> tuple[Path, ...]:
    """Return paths each of which has all its runs twice: as they are, and turned by half."""
    return tuple(replace(path, runs=(*path.runs, *(turned_run(run, size) for run in path.runs))) for path in paths)


def _turned(item: Item, size: CardSize) -> Item:
    match item:
        case Path():
            return replace(item, runs=tuple(turned_run(run, size) for run in item.runs))
        case Text():
            at = (size.width - item.at[0], size.height - item.at[1])
            glyphs = tuple((size.width - x, size.height - y, _half(angle)) for x, y, angle in item.glyphs)
            return replace(item, at=at, angle=_half(item.angle), glyphs=glyphs)
        case Stamp():
            places = tuple(
                Affine(-place.a, -place.b, -place.c, -place.d, size.width - place.e, size.height - place.f)
                for place in item.places
            )
            return replace(item, places=places)


def _half(angle: float) -> float:
    return math.fmod(angle + 180.0, 360.0)
