"""Pages of text: blocks and figures flow over pages, the figures centred or with text beside them.

Type and gaps adapt a little to avoid a last page with few lines: tighter if that saves a page, wider if there is space.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from printkit.content.prose import Block, Bullets, CheckBoxes, Modifiers, Paragraph, ScoreTable, Steps, Table
from printkit.core.errors import PageError
from printkit.core.sums import plain_sum
from printkit.core.words import SEPARATOR, Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, drawing_of, joined
from printkit.drawing.canvas.plain import TOLERANCE, make_line, make_ornament
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import TypeStyle, fit_text, line, measure, wrap_words
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.flow import GUTTER, FilledPages, Flow
from printkit.drawing.text.text_runs import draw_rows, wrap_text
from printkit.drawing.text.text_styles import LaidOutBlock, TextStyle, text_style
from printkit.drawing.text.typesetting import column_height, lay_out_block, stack_blocks

_MIN_SIDE_WIDTH: Final = 40.0
_BEFORE: Final = 0.45
_CAPTION: Final = 0.35
_FEWEST_ROWS: Final = 2
# Text that is up to this many times as high as its figure is not split.
_UNSPLIT_RATIO: Final = 1.45


class Figure(Struct, frozen=True):
    """A drawing at its actual size, with a caption below it."""

    drawing: Drawing
    caption: str = ""


class SideFigure(Struct, frozen=True):
    """A figure with blocks beside it. Blocks that do not fit there continue below, over the full width."""

    figure: Figure
    blocks: tuple[Block, ...]
    side: Literal["left", "right"] = "left"


def lay_out_figure(figure: Figure, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a figure in the middle of a column ``width`` printed mm wide, with its caption below.

    Raises:
        PageError: the figure is wider than the column.
    """
    drawing = figure.drawing
    if drawing.width > width + TOLERANCE:
        raise PageError(
            "a figure {drawing_width:.0f} mm wide does not fit in a column of {width:.0f} mm; use larger paper",
            drawing_width=drawing.width,
            width=width,
        )
    captioned_drawing = _add_caption(figure, style, align="middle")
    return LaidOutBlock(
        parts=(
            joined(
                width, captioned_drawing.height, [PlacedDrawing(captioned_drawing, (width - drawing.width) / 2, 0.0)]
            ),
        ),
        gap_mm=style.gap_mm(_BEFORE),
    )


def lay_out_side_figure(content: SideFigure, width: float, style: TextStyle) -> tuple[LaidOutBlock, ...]:
    """Return a figure with the text that fits beside it, and the rest of the text below.

    ``width`` is the width of the page in printed mm. If the text beside the figure would be too narrow, all of it is
    below.

    Raises:
        PageError: the figure is wider than the page.
    """
    figure = content.figure
    side_width = width - figure.drawing.width - GUTTER
    if side_width < _MIN_SIDE_WIDTH:
        return (lay_out_figure(figure, width, style), *(lay_out_block(block, width, style) for block in content.blocks))
    captioned_drawing = _add_caption(figure, style, align="left")
    all_blocks = [lay_out_block(block, side_width, style) for block in content.blocks]
    side_blocks, blocks_below = all_blocks, list[Block]()
    if column_height(all_blocks) > _UNSPLIT_RATIO * captioned_drawing.height:
        side_blocks, blocks_below = _fit_blocks(content.blocks, side_width, captioned_drawing.height, style)
    height = max(captioned_drawing.height, column_height(side_blocks))
    text = stack_blocks(side_blocks, side_width, height=height)
    is_left = content.side == "left"
    parts = [
        PlacedDrawing(
            captioned_drawing, 0.0 if is_left else width - captioned_drawing.width, height - captioned_drawing.height
        ),
        PlacedDrawing(text, width - side_width if is_left else 0.0, 0.0),
    ]
    first = LaidOutBlock(parts=(joined(width, height, parts),), gap_mm=style.gap_mm(_BEFORE))
    return (first, *(lay_out_block(block, width, style) for block in blocks_below))


def _add_caption(figure: Figure, style: TextStyle, *, align: Literal["left", "middle"]) -> Drawing:
    """Return the drawing of a figure with its caption below, as wide as the drawing.

    A figure without a caption is unchanged. ``align`` is the position of the rows of the caption.
    """
    drawing = figure.drawing
    rows = wrap_text(figure.caption, style.note, style.strong, drawing.width)
    if not rows:
        return drawing
    row_height = style.row_height(style.note)
    caption_height = len(rows) * row_height + _CAPTION * style.size
    caption_texts = draw_rows(
        rows,
        0.0,
        len(rows) * row_height,
        width=drawing.width,
        row=row_height,
        baseline=style.baseline_height(style.note),
        align=align,
    )
    caption_drawing = drawing_of(drawing.width, caption_height, caption_texts)
    return joined(
        drawing.width,
        drawing.height + caption_height,
        [PlacedDrawing(drawing, 0.0, caption_height), PlacedDrawing(caption_drawing, 0.0, 0.0)],
    )


def _fit_blocks(
    blocks: Sequence[Block], width: float, height: float, style: TextStyle
) -> tuple[list[LaidOutBlock], list[Block]]:
    """Return the blocks that fit ``height`` printed mm, laid out, and the other blocks.

    The blocks are ``width`` mm wide. A list or table can be split.
    """
    fitting_blocks: list[LaidOutBlock] = []
    remaining = list(blocks)
    while remaining:
        setting = lay_out_block(remaining[0], width, style)
        gap = setting.gap_mm if fitting_blocks else 0.0
        free_mm = height - column_height(fitting_blocks) - gap
        if setting.height > free_mm + TOLERANCE:
            pieces = _split_block(remaining[0], setting, free_mm)
            if pieces is not None:
                fitting_blocks.append(lay_out_block(pieces[0], width, style))
                remaining[0] = pieces[1]
            break
        fitting_blocks.append(setting)
        remaining.pop(0)
    while remaining and fitting_blocks and fitting_blocks[-1].keeps_with_next:
        fitting_blocks.pop()
        remaining.insert(0, blocks[len(fitting_blocks)])
    return fitting_blocks, remaining


def _split_block(block: Block, setting: LaidOutBlock, free_mm: float) -> tuple[Block, Block] | None:
    """Return a list or table in two pieces, the first at most ``free_mm`` printed mm high.

    Return None if too few rows fit, or if the block is not a list or table.
    """
    count = setting.fitting_part_count(free_mm) - (1 if setting.head is not None else 0)
    match block:
        case Table() | ScoreTable() | Modifiers() if _FEWEST_ROWS <= count <= len(block.rows) - _FEWEST_ROWS:
            return replace(block, rows=block.rows[:count]), replace(block, rows=block.rows[count:])
        case Steps() if _FEWEST_ROWS <= count < len(block.items):
            second_list = replace(block, items=block.items[count:], first=block.first + count)
            return replace(block, items=block.items[:count]), second_list
        case Bullets() | CheckBoxes() if _FEWEST_ROWS <= count < len(block.items):
            return replace(block, items=block.items[:count]), replace(block, items=block.items[count:])
        case _:
            return None


# --- Headers and footers of the pages of a leaflet --------------------------------------------------------------------

# Height in mm of the running header, and minimum height of the footer; long texts make the footer higher.
HEAD: Final = 8.5
FOOT: Final = 6.5

_TITLE_PT: Final = 25.0
_SUBTITLE_PT: Final = 11.5
_RUNNING_PT: Final = 9.0
_SMALL_PT: Final = 7.0
_SMALL_LEADING: Final = 1.15
_LOWEST_BASELINE: Final = 0.8
_BEFORE_NUMBER: Final = 6.0
_ABOVE_FOOT: Final = 1.0
_LINE: Final = 0.25
_LOZENGE: Final = 1.7
_HEAD_LEADING: Final = 1.12


def title_block(title: str, subtitle: str, width: float, style: Style) -> Drawing:
    """Return a title, its subtitle (if not empty) and an ornamental rule below, centred on ``width`` printed mm.

    The type shrinks a little to fit; a longer text gets more rows. The height depends on the rows.
    """
    ink, second = style.solid("ink"), style.solid("ink-secondary")
    rows, title_style = fit_text(
        title, TypeStyle.for_style(style, Font.ROMAN, _TITLE_PT, ink, track=0.25), width, lines=1, least_share=0.7
    )
    italic = TypeStyle.for_style(style, Font.ITALIC, _SUBTITLE_PT, second, track=0.1)
    subtitle_rows, subtitle_style = (
        fit_text(subtitle, italic, width, lines=1, least_share=0.8) if subtitle else ((), italic)
    )
    height = len(rows) * title_style.height * _HEAD_LEADING + len(subtitle_rows) * subtitle_style.height * 1.3 + 7.0
    items: list[Item] = []
    y = height
    for row in rows:
        y -= title_style.height * _HEAD_LEADING
        items += line(row, (width / 2, y + 0.26 * title_style.height), title_style, anchor=Anchor.MIDDLE)
    for row in subtitle_rows:
        y -= subtitle_style.height * 1.3
        items += line(row, (width / 2, y + 0.30 * subtitle_style.height), subtitle_style, anchor=Anchor.MIDDLE)
    y -= 2.2
    items += make_ornament((0.0, width), y, _LOZENGE, _LOZENGE + 0.8, ink, _LINE * style.line_factor)
    return drawing_of(width, height, items)


def running_header(title: str, width: float, style: Style) -> Drawing:
    """Return a running header ``width`` printed mm wide and 8.5 mm high: the small title above a rule.

    A long title is smaller. Only the first row of a title that is still too long is drawn.
    """
    title_style = TypeStyle.for_style(style, Font.SMALL_CAPITALS, _RUNNING_PT, style.solid("ink-secondary"), track=0.12)
    rows, title_style = fit_text(title, title_style, width, lines=1, least_share=0.8)
    items: list[Item] = [*line(rows[0] if rows else "", (0.0, HEAD - 3.6), title_style)]
    y = HEAD - 5.0
    items.append(make_line([(0.0, y), (width, y)], style.solid("ink"), _LINE * style.line_factor))
    return drawing_of(width, HEAD, items)


def instruction_header(
    title: str, instructions: str, width: float, height: float, drafter: Drafter, *, bottom_gap: float = 2.0
) -> Drawing:
    """Return a running header with instructions for the page below, ``width`` by ``height`` printed mm.

    ``bottom_gap`` mm stay free at the bottom.

    Raises:
        PageError: the instructions do not fit in the smallest type.
    """
    header = running_header(title, width, drafter.style)
    items = drafter.prose((Paragraph(instructions),), Rect(0.0, bottom_gap, width, height - header.height - bottom_gap))
    return joined(
        width,
        height,
        [PlacedDrawing(header, 0.0, height - header.height), PlacedDrawing(drawing_of(width, height, items), 0.0, 0.0)],
    )


def running_footer(origin: str, number: str, width: float, style: Style, side_names: Sequence[str] = ()) -> Drawing:
    """Return a footer ``width`` printed mm wide: the game on the left, the page number on the right.

    ``origin`` is the text for the game and ``number`` that for the page; both may be empty. The sides (``side_names``,
    one text for each language) are above them. Long texts wrap, and make the footer higher than its least height of 6.5
    mm.
    """
    type_style = TypeStyle.for_style(style, Font.FIGURES, _SMALL_PT, style.solid("ink-secondary"))
    rows = wrap_words(origin, type_style, width - measure(number, type_style) - _BEFORE_NUMBER)
    for side_text in reversed(side_names):
        # All sides are in one row if they fit, otherwise each side has separate rows.
        parts = (side_text,) if measure(side_text, type_style) <= width else side_text.split(SEPARATOR)
        rows = (*(row for part in parts for row in wrap_words(part, type_style, width)), *rows)
    items: list[Item] = [*line(number, (width, _LOWEST_BASELINE), type_style, anchor=Anchor.END)]
    for index, row in enumerate(reversed(rows)):
        items += line(row, (0.0, _LOWEST_BASELINE + index * type_style.height * _SMALL_LEADING), type_style)
    height = max(FOOT, _LOWEST_BASELINE + len(rows) * type_style.height * _SMALL_LEADING + _ABOVE_FOOT)
    return drawing_of(width, height, items)


def page_number_text(words: Words, number: int, count: int) -> str:
    """Return the page number as text, for example page 2 of 3; empty for a single page.

    ``number`` counts from 1, and ``count`` is the number of pages.
    """
    return words("leaflets.page", number=number, count=count) if count > 1 else ""


class Columns(Struct, frozen=True):
    """Blocks and figures that flow through columns side by side."""

    contents: tuple[Block | Figure, ...]
    count: int = 2


class NewPage(Struct, frozen=True):
    """A page break."""


Content: TypeAlias = Block | Figure | SideFigure | Columns | NewPage


class Leaflet(Struct, frozen=True, kw_only=True):
    """The contents of a leaflet.

    ``origin`` is the footer text that names the game; ``who`` names the sides there, one line for each language.
    ``has_level_pages`` gives all pages about the same height; otherwise each page is filled before the next.
    """

    title: str
    contents: tuple[Content, ...]
    subtitle: str = ""
    origin: str = ""
    has_level_pages: bool = True
    who: tuple[str, ...] = ()


# Normal and smallest size of running text on pages, in points.
SIZE_PT: Final = 10.5
LEAST_PT: Final = 9.0

_LEADING: Final = 1.2
# Factors for type size, leading and gaps, to try in this order.
_TIGHTER_SPACINGS: Final = (
    (1.0, 0.97, 0.8),
    (0.95, 0.97, 0.8),
    (0.90, 0.97, 0.75),
    (LEAST_PT / SIZE_PT, 0.96, 0.7),
)
_WIDER_SPACINGS: Final = (
    (1.12, 1.08, 1.7),
    (1.10, 1.05, 1.5),
    (1.05, 1.04, 1.4),
    (1.0, 1.03, 1.25),
)
_NEARLY_EMPTY: Final = 0.40
_LEVEL_BELOW: Final = 0.72
_WIDEN_BELOW: Final = 0.75
_MOST_STRETCHED: Final = 2.0
_HALVINGS: Final = 6
_FEW_PARTS: Final = 10


def leaflet_pages(
    leaflet: Leaflet, width: float, height: float, *, style: Style, words: Words, size_pt: float = SIZE_PT
) -> tuple[Drawing, ...]:
    """Return the pages of a leaflet as drawings of ``width`` by ``height`` printed mm.

    ``size_pt`` is the normal size of running text in points.

    Raises:
        PageError: one figure or row is larger than a page.
    """
    head = title_block(leaflet.title, leaflet.subtitle, width, style)
    heights = leaflet_text_heights(leaflet, width, height, style=style, words=words)
    pages = _fill_pages(leaflet, text_style(style, size_pt, leading=_LEADING), width, heights)
    drawings = []
    for number, blocks in enumerate(pages, 1):
        is_first, is_last = number == 1, number == len(pages)
        header = head if is_first else running_header(leaflet.title, width, style)
        page_number = page_number_text(words, number, len(pages))
        footer = running_footer(leaflet.origin, page_number, width, style, leaflet.who)
        parts = [PlacedDrawing(header, 0.0, height - header.height)]
        gap_factor = 1.0 if is_last else _gap_factor(blocks, heights[0 if is_first else 1])
        top = height - header.height
        for index, block in enumerate(blocks):
            top -= block.height + (block.gap_mm * gap_factor if index else 0.0)
            parts.append(PlacedDrawing(stack_blocks([block], width), 0.0, top))
        parts.append(PlacedDrawing(footer, 0.0, 0.0))
        drawings.append(joined(width, height, parts))
    return tuple(drawings)


def leaflet_text_heights(
    leaflet: Leaflet, width: float, height: float, *, style: Style, words: Words
) -> tuple[float, float]:
    """Return the height for text on the first page of a leaflet and on the others, in printed mm.

    ``width`` and ``height`` of the pages are in mm, without margins. The first page has the title, the others a running
    header; all have a footer.
    """
    head = title_block(leaflet.title, leaflet.subtitle, width, style)
    footer_height = running_footer(leaflet.origin, page_number_text(words, 88, 88), width, style, leaflet.who).height
    return height - head.height - footer_height, height - HEAD - footer_height


def contents_height(contents: Sequence[Content], width: float, style: Style) -> float:
    """Return the height in printed mm of contents in the normal type of a leaflet, stacked on one page.

    ``width`` is the width of the page in mm.

    Raises:
        PageError: a figure is wider than the page.
    """
    one_page = [content for content in contents if not isinstance(content, NewPage)]
    flow = lay_out_contents(one_page, text_style(style, SIZE_PT, leading=_LEADING), width)
    return plain_sum(map(column_height, flow.fill_pages(math.inf, math.inf)))


def _fill_pages(leaflet: Leaflet, usual: TextStyle, width: float, heights: tuple[float, float]) -> FilledPages:
    """Return the blocks of each page, with tighter type if that saves a page, or wider type if there is space.

    ``width`` and the ``heights`` for text on the first page and the others are in printed mm. Only a last page filled
    to less than 0.4 is worth saving.
    """

    def try_spacing(size: float, leading: float, gap_factor: float) -> tuple[Flow, FilledPages]:
        """Return the text laid out with factors for its spacing, and its pages."""
        style = usual.scaled(size).with_spacing(_LEADING * leading, gap_factor)
        flow = lay_out_contents(leaflet.contents, style, width)
        return flow, flow.fill_pages(*heights)

    def last_page_share(pages: FilledPages) -> float:
        """Return the filled share of the height of the last page, from 0 to 1; 0 without pages."""
        return column_height(pages[-1]) / heights[min(len(pages), 2) - 1] if pages else 0.0

    flow, pages = try_spacing(1.0, 1.0, 1.0)
    if len(pages) > 1 and last_page_share(pages) < _NEARLY_EMPTY:
        for spacing in _TIGHTER_SPACINGS:
            _, closer = try_spacing(*spacing)
            if len(closer) < len(pages):
                return closer
    if len(pages) > 1 and not leaflet.has_level_pages:
        return pages
    for spacing in _WIDER_SPACINGS if len(pages) == 1 or last_page_share(pages) < _WIDEN_BELOW else ():
        loose_flow, wider = try_spacing(*spacing)
        if len(wider) == len(pages):
            flow, pages = loose_flow, wider
            break
    if len(pages) == 1 or last_page_share(pages) >= _LEVEL_BELOW:
        return pages
    return _level_pages(pages, flow, heights)


def _level_pages(pages: FilledPages, flow: Flow, heights: tuple[float, float]) -> FilledPages:
    """Return the same number of pages, all filled to a lower height, so that the last is not half empty.

    The height is from half to all of a page. The pages are unchanged if no lower height gives the same number.
    """
    lower, upper = 0.5, 1.0
    for _ in range(_HALVINGS):
        middle = (lower + upper) / 2
        try:
            level = flow.fill_pages(heights[0] * middle, heights[1] * middle)
        except PageError:
            level = []
        if len(level) == len(pages):
            pages, upper = level, middle
        else:
            lower = middle
    return pages


def _gap_factor(blocks: Sequence[LaidOutBlock], height: float) -> float:
    """Return the factor for the gaps of a page, 1 to 2, with which its blocks fill ``height`` printed mm."""
    gaps = plain_sum(block.gap_mm for block in blocks[1:])
    return min(1.0 + (height - column_height(blocks)) / gaps, _MOST_STRETCHED) if gaps > 0 else 1.0


def lay_out_contents(contents: Sequence[Content], style: TextStyle, width: float) -> Flow:
    """Return the contents laid out for pages ``width`` printed mm wide.

    Raises:
        PageError: a figure is wider than the page or its column.
    """
    flow = Flow(width)
    for content in contents:
        match content:
            case NewPage():
                flow.break_page()
            case Columns():
                column_width = flow.column_width(content.count)
                blocks = [_lay_out_content(block, column_width, style) for block in content.contents]
                # A block of few parts is not divided between columns.
                inner = [
                    replace(block, min_parts=len(block.parts)) if 1 < len(block.parts) <= _FEW_PARTS else block
                    for block in blocks
                ]
                flow.add_columns(content.count, inner)
            case SideFigure():
                flow.add(lay_out_side_figure(content, width, style))
            case _:
                flow.add([_lay_out_content(content, width, style)])
    return flow


def _lay_out_content(content: Block | Figure, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a block or figure laid out at a width in printed mm."""
    return (
        lay_out_figure(content, width, style) if isinstance(content, Figure) else lay_out_block(content, width, style)
    )
