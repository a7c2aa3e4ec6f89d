"""Suggestions to save sheets: a smaller margin or a smaller overlap."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.page.lattice import fit_lattice
from printkit.page.sheet import Sheet

# The smallest margin in mm that most printers can print, and the smallest overlap that is still easy to glue.
LEAST: Final = 5.0


class FewerSheets(Struct, frozen=True, kw_only=True):
    """A change of options (for example ``--margin 7mm``), the sheets with it, and the sheets without it."""

    change: str
    sheets: int
    instead_of: int


def find_cheapest_change(
    sizes: Sequence[tuple[float, float]], sheet: Sheet, *, overlap: float, can_change_margin: bool, narrow: bool = True
) -> FewerSheets | None:
    """Return the change in whole mm on paper that saves the most sheets, or None if no change saves any.

    One change is preferred to both together, then the smaller change, then the margin before the overlap. No length
    goes below 5 mm. A sheet with separate top and bottom margins keeps its margins.

    Args:
        sizes: width and height in printed mm of each drawing or zone that is tiled.
        sheet: the paper.
        overlap: the overlap of neighbouring sheets, in mm.
        can_change_margin: whether the margin may change; False if it was measured on the printer.
        narrow: whether the bands for marks may be narrow if that saves sheets.

    Raises:
        PageError: the drawings cannot be tiled on the sheet with ``overlap``.
    """
    current = _count_sheets(sizes, sheet, overlap, narrow=narrow)
    margins = list(_smaller_lengths(sheet.margin)) if can_change_margin and sheet.head is None else []
    overlaps = list(_smaller_lengths(overlap))
    single_changes = [(sheet.margin - margin, margin, overlap) for margin in margins]
    single_changes += [(overlap - new_overlap, sheet.margin, new_overlap) for new_overlap in overlaps]
    both = [(0.0, margins[-1], overlaps[-1])] if margins and overlaps else []
    for changes in (sorted(single_changes, key=lambda change: change[0]), both):
        candidates = [
            (
                _count_sheets(sizes, replace(sheet, margin=margin), new_overlap, narrow=narrow),
                _format_change(sheet, overlap, margin, new_overlap),
            )
            for _, margin, new_overlap in changes
        ]
        count, change = min(candidates, key=lambda candidate: candidate[0], default=(current, ""))
        if count < current:
            return FewerSheets(change=change, sheets=count, instead_of=current)
    return None


def _smaller_lengths(length: float) -> Iterator[float]:
    """Yield the whole mm below a length in mm on paper, from the largest down to 5 mm; none for a length up to 5 mm."""
    return (float(value) for value in range(math.ceil(length) - 1, int(LEAST) - 1, -1))


def _format_change(sheet: Sheet, overlap: float, margin: float, new_overlap: float) -> str:
    """Return the changed options as typed, for example ``--margin 7mm``; lengths are in mm on paper.

    ``margin`` and ``new_overlap`` are the new values, those of ``sheet`` and ``overlap`` the present ones. The text is
    empty if nothing changes.
    """
    changes = (("--margin", margin, sheet.margin), ("--overlap", new_overlap, overlap))
    return " ".join(f"{option} {length:g}mm" for option, length, current in changes if length != current)


def _count_sheets(sizes: Sequence[tuple[float, float]], sheet: Sheet, overlap: float, *, narrow: bool) -> int:
    """Return how many sheets the drawings need together; ``sizes`` and ``overlap`` are in mm on paper.

    ``sizes`` has width and height of each drawing. With ``narrow``, bands may be narrow if that saves sheets.
    """
    return sum(fit_lattice(width, height, sheet, overlap=overlap, narrow=narrow).count for width, height in sizes)
