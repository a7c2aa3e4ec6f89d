"""Suggestions to save sheets: a smaller margin or a smaller overlap."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.page.lattice import lay
from printkit.page.sheet import Sheet

# The smallest margin in mm that most printers can print, and the smallest overlap that is still easy to glue.
LEAST: Final = 5.0


class FewerSheets(Struct, frozen=True, kw_only=True):
    """A change of options (for example ``--margin 7mm``), the sheets with it, and the sheets without it."""

    change: str
    sheets: int
    instead_of: int


def cheapest(
    sizes: Sequence[tuple[float, float]], sheet: Sheet, *, overlap: float, own_margin: bool, narrow: bool = True
) -> FewerSheets | None:
    """Return the change in whole mm that saves the most sheets, or None if no change saves any.

    One change is preferred to both together, then the smaller change, then the margin before the overlap.

    Args:
        sizes: width and height in mm of each drawing or zone that is tiled.
        sheet: the paper.
        overlap: the overlap of neighbouring sheets, in mm.
        own_margin: whether the margin may change; False if it was measured on the printer.
        narrow: the same as for ``lay``.
    """
    now = _sheets(sizes, sheet, overlap, narrow=narrow)
    margins = list(_smaller(sheet.margin)) if own_margin and sheet.head is None else []
    overlaps = list(_smaller(overlap))
    alone = [(sheet.margin - margin, margin, overlap) for margin in margins]
    alone += [(overlap - shared, sheet.margin, shared) for shared in overlaps]
    both = [(0.0, margins[-1], overlaps[-1])] if margins and overlaps else []
    for changes in (sorted(alone, key=lambda change: change[0]), both):
        counted = [
            (
                _sheets(sizes, replace(sheet, margin=margin), shared, narrow=narrow),
                _said(sheet, overlap, margin, shared),
            )
            for _, margin, shared in changes
        ]
        count, change = min(counted, key=lambda each: each[0], default=(now, ""))
        if count < now:
            return FewerSheets(change=change, sheets=count, instead_of=now)
    return None


def _smaller(length: float) -> Iterator[float]:
    """Yield the whole mm below a length, down to ``LEAST``."""
    return (float(each) for each in range(math.ceil(length) - 1, int(LEAST) - 1, -1))


def _said(sheet: Sheet, overlap: float, margin: float, shared: float) -> str:
    """Return the changed options as the user types them."""
    changed = (("--margin", margin, sheet.margin), ("--overlap", shared, overlap))
    return " ".join(f"{option} {length:g}mm" for option, length, now in changed if length != now)


def _sheets(sizes: Sequence[tuple[float, float]], sheet: Sheet, overlap: float, *, narrow: bool) -> int:
    return sum(lay(width, height, sheet, overlap=overlap, narrow=narrow).count for width, height in sizes)
