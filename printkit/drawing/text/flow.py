"""Distribute laid-out blocks over columns and pages: headings stay with their text, columns are balanced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from msgspec import Struct, field

from printkit.core.errors import PageError
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.canvas.plain import TOLERANCE
from printkit.drawing.text.text_styles import LaidOutBlock
from printkit.drawing.text.typesetting import column_height, stack_blocks

# Gap between columns in mm.
GUTTER: Final = 6.0

_STEP: Final = 1.0

# The blocks of each page, from top to bottom.
FilledPages: TypeAlias = list[list[LaidOutBlock]]


class Flow(Struct):
    """Blocks laid out for pages ``width`` printed mm wide, which continue from page to page.

    ``sections`` has for each part of the text its number of columns and its blocks; 0 columns are a page break.
    """

    width: float
    sections: list[tuple[int, list[LaidOutBlock]]] = field(default_factory=list)

    def add(self, blocks: Iterable[LaidOutBlock]) -> None:
        """Add blocks over the full width."""
        if not self.sections or self.sections[-1][0] != 1:
            self.sections.append((1, []))
        self.sections[-1][1].extend(blocks)

    def add_columns(self, count: int, blocks: Sequence[LaidOutBlock]) -> None:
        """Add blocks in ``count`` balanced columns, laid out for the width of a column."""
        self.sections.append((count, list(blocks)))

    def break_page(self) -> None:
        """Begin a new page, unless the last page is still empty."""
        self.sections.append((0, []))

    def column_width(self, count: int) -> float:
        """Return the width in printed mm of each of ``count`` columns, which are 6 mm apart."""
        return (self.width - GUTTER * (count - 1)) / count

    def fill_pages(self, first: float, following: float) -> FilledPages:
        """Return the blocks of each page; columns side by side are one block. Empty pages are left out.

        Args:
            first: height for blocks on the first page, in printed mm.
            following: height on the other pages, in mm.

        Raises:
            PageError: one part is higher than a page.
        """
        pages: FilledPages = [[]]
        headings: list[LaidOutBlock] = []
        for (columns, blocks), (next_columns, _) in zip(self.sections, [*self.sections[1:], (0, [])], strict=True):
            remaining = [*headings, *blocks] if columns == 1 else list(blocks)
            top_headings, headings = (headings if columns > 1 else []), []
            if columns == 0 and pages[-1]:
                pages.append([])
            # Headings at the end of a section go above the columns that follow, on the same page.
            while columns == 1 and next_columns > 1 and remaining and remaining[-1].keeps_with_next:
                headings.insert(0, remaining.pop())
            while remaining:
                is_empty_page = not pages[-1]
                free_mm = (first if len(pages) == 1 else following) - column_height(pages[-1])
                if not is_empty_page:
                    free_mm -= (top_headings or remaining)[0].gap_mm
                if columns == 1:
                    page_blocks, remaining = fill_column(remaining, free_mm, must_break=is_empty_page)
                    pages[-1] += page_blocks
                else:
                    fitting_blocks, remaining = self._fill_columns(
                        columns, top_headings, remaining, free_mm, must_break=is_empty_page
                    )
                    pages[-1] += fitting_blocks
                    top_headings = [] if fitting_blocks else top_headings
                if remaining:
                    pages.append([])
        return [page for page in pages if page]

    def _fill_columns(
        self,
        count: int,
        headings: Sequence[LaidOutBlock],
        blocks: Sequence[LaidOutBlock],
        height_mm: float,
        *,
        must_break: bool,
    ) -> tuple[list[LaidOutBlock], list[LaidOutBlock]]:
        """Return headings over the full width and one block of balanced columns, and the remaining blocks.

        All are up to ``height_mm`` printed mm high. If nothing fits, there are no headings and no columns.

        Raises:
            PageError: ``must_break`` is True and one part is higher than the column.
        """
        lead = column_height(headings) + (blocks[0].gap_mm if headings else 0.0)
        columns, remaining = _balance_columns(blocks, count, height_mm - lead, must_break=must_break)
        if not any(columns):
            return [], list(blocks)
        width, height = self.column_width(count), max(map(column_height, columns))
        parts = [
            PlacedDrawing(stack_blocks(column, width, height=height), number * (width + GUTTER), 0.0)
            for number, column in enumerate(columns)
        ]
        side_by_side = LaidOutBlock(parts=(joined(self.width, height, parts),), gap_mm=blocks[0].gap_mm)
        return [*headings, side_by_side], remaining


def fill_column(
    blocks: Sequence[LaidOutBlock], height_mm: float, *, must_break: bool = False
) -> tuple[list[LaidOutBlock], list[LaidOutBlock]]:
    """Return the blocks that fit a column ``height_mm`` mm high, and the remaining blocks.

    A heading is not the last block while other blocks remain. ``must_break``: no column is higher, so if nothing fits,
    the first block breaks after any part, or headings stay alone.

    Raises:
        PageError: ``must_break`` is True and one part is higher than the column.
    """
    fitting_blocks: list[LaidOutBlock] = []
    used_mm = 0.0
    remaining = list(blocks)
    while remaining:
        first = remaining[0]
        gap = first.gap_mm if fitting_blocks else 0.0
        if used_mm + gap + first.height <= height_mm + TOLERANCE:
            fitting_blocks.append(remaining.pop(0))
            used_mm += gap + first.height
            continue
        count = _split_count(first, height_mm - used_mm - gap, first.min_parts)
        if count:
            upper, lower = first.split(count)
            fitting_blocks.append(upper)
            remaining[0] = lower
        break
    # A heading must not be at the bottom of a column, away from its text.
    while remaining and fitting_blocks and fitting_blocks[-1].keeps_with_next:
        remaining.insert(0, fitting_blocks.pop())
    if fitting_blocks or not remaining or not must_break:
        return fitting_blocks, remaining
    return _force_break(remaining, height_mm)


def _force_break(blocks: list[LaidOutBlock], height_mm: float) -> tuple[list[LaidOutBlock], list[LaidOutBlock]]:
    """Return the blocks of a column in which nothing fits in the usual way, and the remaining blocks.

    Break the first block after any part, but not directly after its head row. ``height_mm`` is the height of the column
    in printed mm. If nothing of it fits, the column has only the headings.

    Raises:
        PageError: one part is higher than the column.
    """
    headings: list[LaidOutBlock] = []
    remaining = list(blocks)
    while remaining and remaining[0].keeps_with_next and column_height([*headings, remaining[0]]) < height_mm:
        headings.append(remaining.pop(0))
    free_mm = height_mm - column_height(headings) - (remaining[0].gap_mm if headings and remaining else 0.0)
    count = _split_count(remaining[0], free_mm, 1) if remaining else 0
    if remaining and count and not (remaining[0].head is not None and count == 1):
        upper, lower = remaining[0].split(count)
        return [*headings, upper], [lower, *remaining[1:]]
    if headings:
        return headings, remaining
    raise PageError(
        "a block {height:.0f} mm high does not fit on a page with {room:.0f} mm of space; use larger paper",
        height=remaining[0].height,
        room=height_mm,
    )


def _split_count(block: LaidOutBlock, height_mm: float, min_parts: int) -> int:
    """Return after how many parts a block can break in ``height_mm`` printed mm, or 0 if it cannot.

    At least ``min_parts`` parts stay on each side.
    """
    count = min(block.fitting_part_count(height_mm), len(block.parts) - min_parts)
    return count if count >= min_parts else 0


def _balance_columns(
    blocks: Sequence[LaidOutBlock], count: int, height_mm: float, *, must_break: bool
) -> tuple[list[list[LaidOutBlock]], list[LaidOutBlock]]:
    """Return ``count`` columns that fit in ``height_mm`` mm, and the remaining blocks.

    The columns are balanced if all blocks fit. There are no columns if no height is left.

    Raises:
        PageError: ``must_break`` is True and one part is higher than the column.
    """
    if height_mm <= 0 and not must_break:
        return [], list(blocks)
    column_blocks, remaining = _fill_columns(blocks, count, height_mm, must_break=must_break)
    if remaining:
        return column_blocks, remaining
    trial_height_mm = max(column_height(blocks) / count, 1.0)
    while trial_height_mm < height_mm:
        balanced_columns, remaining = _fill_columns(blocks, count, trial_height_mm, must_break=False)
        if not remaining:
            return balanced_columns, []
        trial_height_mm += _STEP
    return column_blocks, []


def _fill_columns(
    blocks: Sequence[LaidOutBlock], count: int, height_mm: float, *, must_break: bool
) -> tuple[list[list[LaidOutBlock]], list[LaidOutBlock]]:
    """Return ``count`` columns up to ``height_mm`` mm high, filled in turn, and the remaining blocks.

    ``must_break``: if nothing fits in the first column, its first block breaks after any part.
    """
    column_blocks: list[list[LaidOutBlock]] = []
    remaining = list(blocks)
    for number in range(count):
        fitting_blocks, remaining = fill_column(remaining, height_mm, must_break=must_break and number == 0)
        column_blocks.append(fitting_blocks)
    return column_blocks, remaining
