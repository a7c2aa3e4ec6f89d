"""What would take fewer sheets: a smaller margin, or a smaller overlap, by arithmetic alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.page.lattice import lay
from printkit.page.sheet import Sheet

LEAST: Final = 5.0
"""The least margin in mm that most printers reach, and the least overlap that is still glued well."""


class FewerSheets(Struct, frozen=True, kw_only=True):
    """A change of what is asked, as ``--margin 7mm``, with the sheets that it takes, and those it takes without."""

    change: str
    sheets: int
    instead_of: int


def cheapest(
    sizes: Sequence[tuple[float, float]], sheet: Sheet, *, overlap: float, own_margin: bool, narrow: bool = True
) -> FewerSheets | None:
    """Return the change in whole mm that saves most sheets, or None where none saves any.

    One change goes before both together, of equal ones that which changes least, and the margin before the overlap.

    Args:
        sizes: width and height in mm of all that is laid over sheets by itself.
        sheet: the paper.
        overlap: how far neighbours repeat each other, in mm.
        own_margin: whether the margin may be made smaller: it was not measured on the printer.
        narrow: as ``lay``.
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
    """Yield the whole mm below a length, down to the least."""
    return (float(each) for each in range(math.ceil(length) - 1, int(LEAST) - 1, -1))


def _said(sheet: Sheet, overlap: float, margin: float, shared: float) -> str:
    """Return what differs as a person types it."""
    changed = (("--margin", margin, sheet.margin), ("--overlap", shared, overlap))
    return " ".join(f"{option} {length:g}mm" for option, length, now in changed if length != now)


def _sheets(sizes: Sequence[tuple[float, float]], sheet: Sheet, overlap: float, *, narrow: bool) -> int:
    return sum(lay(width, height, sheet, overlap=overlap, narrow=narrow).count for width, height in sizes)
