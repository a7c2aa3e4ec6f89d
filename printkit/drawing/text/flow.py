"""Distribute laid-out blocks over columns and pages: headings stay with their text, columns are balanced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from printkit.core.errors import PageError
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.canvas.plain import TOLERANCE
from printkit.drawing.text.text_styles import LaidOutBlock
from printkit.drawing.text.typesetting import column_height, stack_blocks

_STEP: Final = 1.0


class TextSection(Struct, frozen=True):
    """Laid-out blocks that flow through ``columns`` columns, ``gap`` mm apart. ``on_new_page`` begins a new page."""

    blocks: tuple[LaidOutBlock, ...]
    columns: int = 1
    gap: float = 0.0
    on_new_page: bool = False


class PagePart(NamedTuple):
    """A drawing as wide as the page, and the gap above it in mm."""

    drawing: Drawing
    before: float


PageParts = tuple[PagePart, ...]


class TypeArea(NamedTuple):
    """The space for blocks on pages, in mm: width, height on the first page, height on the others."""

    width: float
    first: float
    following: float


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


def lay_out_pages(sections: Sequence[TextSection], type_area: TypeArea) -> tuple[PageParts, ...]:
    """Return the pages, each as drawings from top to bottom with gaps in printed mm.

    Pages without drawings are left out, and a section can begin on a new page.

    Raises:
        PageError: one part is higher than a page.
    """
    pages: list[list[PagePart]] = [[]]
    headings: list[LaidOutBlock] = []
    for index, section in enumerate(sections):
        if section.on_new_page and pages[-1]:
            pages.append([])
        if section.columns == 1:
            blocks = [*headings, *section.blocks]
            headings = []
            following = sections[index + 1] if index + 1 < len(sections) else None
            # Headings at the end of a section go above the columns that follow, on the same page.
            while following is not None and following.columns > 1 and blocks and blocks[-1].keeps_with_next:
                headings.insert(0, blocks.pop())
            _add_full_width(blocks, pages, type_area)
        else:
            _add_columns(headings, section, pages, type_area)
            headings = []
    return tuple(tuple(page) for page in pages if page)


def parts_height(parts: Sequence[PagePart]) -> float:
    """Return the height of the drawings of a page with the gaps between them, in mm."""
    return plain_sum(part.drawing.height + (part.before if index else 0.0) for index, part in enumerate(parts))


def _free_height(pages: Sequence[Sequence[PagePart]], type_area: TypeArea) -> float:
    """Return the free height of the last page, in mm."""
    page_height = type_area.first if len(pages) == 1 else type_area.following
    return page_height - parts_height(pages[-1])


def _add_full_width(blocks: Sequence[LaidOutBlock], pages: list[list[PagePart]], type_area: TypeArea) -> None:
    """Add blocks over the full width to the last page, and to new pages as needed; ``pages`` changes in place.

    Raises:
        PageError: one part is higher than a page.
    """
    remaining = list(blocks)
    while remaining:
        is_empty_page = not pages[-1]
        gap = 0.0 if is_empty_page else remaining[0].gap_mm
        fitting_blocks, remaining = fill_column(
            remaining, _free_height(pages, type_area) - gap, must_break=is_empty_page
        )
        pages[-1].extend(PagePart(stack_blocks([block], type_area.width), block.gap_mm) for block in fitting_blocks)
        if remaining:
            pages.append([])


def _add_columns(
    headings: Sequence[LaidOutBlock], section: TextSection, pages: list[list[PagePart]], type_area: TypeArea
) -> None:
    """Add headings over the full width, and balanced columns below them.

    Blocks that do not fit continue in columns on the next page. ``pages`` changes in place.

    Raises:
        PageError: one part is higher than a page.
    """
    remaining = list(section.blocks)
    top_headings = list(headings)
    while remaining:
        is_empty_page = not pages[-1]
        first = (top_headings or remaining)[0]
        lead = column_height(top_headings) + (remaining[0].gap_mm if top_headings else 0.0)
        height_mm = _free_height(pages, type_area) - lead - (0.0 if is_empty_page else first.gap_mm)
        columns, remaining_after = _balance_columns(remaining, section.columns, height_mm, must_break=is_empty_page)
        if not any(columns):
            pages.append([])
            continue
        pages[-1].extend(PagePart(stack_blocks([heading], type_area.width), heading.gap_mm) for heading in top_headings)
        before = remaining[0].gap_mm
        width = (type_area.width - section.gap * (section.columns - 1)) / section.columns
        height = max(column_height(blocks) for blocks in columns)
        parts = [
            PlacedDrawing(stack_blocks(blocks, width, height=height), number * (width + section.gap), 0.0)
            for number, blocks in enumerate(columns)
        ]
        pages[-1].append(PagePart(joined(type_area.width, height, parts), before))
        remaining, top_headings = remaining_after, []
        if remaining:
            pages.append([])


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


def last_page_share(pages: Sequence[PageParts], type_area: TypeArea) -> float:
    """Return the filled share of the height of the last page, from 0 to 1; 0 without pages."""
    page_height = type_area.first if len(pages) == 1 else type_area.following
    return parts_height(pages[-1]) / page_height if pages else 0.0
