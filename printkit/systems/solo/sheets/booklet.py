"""The reference cards as small pages in two columns, for players who do not cut cards (S4).

The sides of the cards follow each other in the columns; a long side continues in the next column.

Source: the specification of the solo game, 8.7.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from printkit.content.cards import Card
from printkit.content.prose import Block, Heading
from printkit.core.errors import Sentence, UsageError
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item
from printkit.drawing.canvas.layers import PlacedDrawing, drawing_items, drawing_of, joined
from printkit.drawing.canvas.plain import make_line
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import TypeStyle, line, shrink_to_fit
from printkit.drawing.text.flow import FilledPages, Flow
from printkit.drawing.text.text_styles import (
    LaidOutBlock,
    TextStyle,
    text_style,
)
from printkit.drawing.text.typesetting import lay_out_blocks, stack_blocks
from printkit.options.printing import CardOptions
from printkit.page.leaflets import FLIP, booklet_page_size, make_booklet, reading_sheet
from printkit.page.printer import LEAST_MARGIN, apply_profile
from printkit.page.sheet import Document
from printkit.recipes.game.request import parse_settings
from printkit.recipes.output.printers import PrintContext, margin_of, sheet_for
from printkit.recipes.prints.card_jobs import CardSheets, DeckJob
from printkit.recipes.prints.decks import card_file_name
from printkit.systems.solo.armies.rules import SoloRules, load_solo_rules
from printkit.systems.solo.cards.reference import build_reference_deck
from printkit.systems.solo.sheets.card_npg import make_legible
from printkit.systems.solo.sheets.stance_marks import draw_stance_mark

# The cards should fit on this many pages: two sheets, folded once.
MOST_PAGES: Final = 8

SIZE_PT: Final = 8.0

_SETTINGS: Final = ((1.24, 0.9), (1.2, 0.6), (1.16, 0.45), (1.12, 0.3), (1.1, 0.2))
_COLUMNS: Final = 2
_FOOT: Final = 5.0
_TITLE: Final = 13.0
_BETWEEN: Final = 2.6
_MARK: Final = 9.0
_LINE: Final = 0.3
# A block with at most this many parts is not divided between columns.
_FEW_PARTS: Final = 4
# The number of parts of other blocks that stay together at each end.
_LEAST_PARTS: Final = 2


def draw_booklet_pages(
    cards: Sequence[Card], width: float, height: float, *, title: str, subtitle: str, style: Style
) -> tuple[Drawing, ...]:
    """Return the cards as pages of ``width`` by ``height`` mm on paper, at most 8 if possible.

    The loosest type that gives 8 pages or fewer is used. If every type needs more, the last one tried is used. The
    back of a card follows its front; backs with odds are left out. ``title`` and ``subtitle`` are at the top of the
    first page.

    Raises:
        PageError: a part of a block is higher than a column.
    """
    pages: FilledPages = []
    for leading, gap_factor in _SETTINGS:
        text = make_legible(text_style(style, SIZE_PT, face="plain", leading=leading), gap_factor)
        flow = Flow(width)
        column_width = flow.column_width(_COLUMNS)
        blocks = [
            block
            for card in cards
            for side in (card.blocks, () if card.facts.get("odds") else card.back)
            if side
            for block in _lay_out_side(card, side, column_width, text)
        ]
        flow.add_columns(_COLUMNS, blocks)
        pages = flow.fill_pages(height - _FOOT - _TITLE, height - _FOOT)
        if len(pages) <= MOST_PAGES:
            break
    drawings = []
    for number, page_blocks in enumerate(pages, 1):
        columns = stack_blocks(page_blocks, width)
        frame = drawing_of(width, height, _draw_page_frame(number, width, height, (title, subtitle), style))
        top = height - (_TITLE if number == 1 else 0.0)
        parts = [PlacedDrawing(columns, 0.0, top - columns.height), PlacedDrawing(frame, 0.0, 0.0)]
        drawings.append(joined(width, height, parts))
    return tuple(drawings)


def _lay_out_side(card: Card, side: Sequence[Block], width: float, style: TextStyle) -> Iterator[LaidOutBlock]:
    """Yield one side of a card under its ID and title, with a line above, ``width`` mm wide on paper.

    The front of a stance card has its mark, at the right of its list.
    """
    title = Heading(f"{card.id}  {card.title}")
    heading, *blocks = lay_out_blocks([title, *side], width, style)
    top = heading.height + 0.35 * style.size
    items = [*drawing_items(heading.parts[0]), make_line([(0.0, top), (width, top)], style.rule, style.line(_LINE))]
    stance, letter = card.facts.get("stance"), card.facts.get("letter")
    # The back has no mark: its lines are as long as the column.
    if isinstance(stance, str) and isinstance(letter, str) and side is card.blocks:
        middle = (width - _MARK / 2, heading.height - _MARK / 2 - 0.5)
        items += draw_stance_mark(stance, letter, middle, _MARK, _MARK, ink=style.rule, least_pt=style.text.least_pt)
    yield replace(heading, parts=(drawing_of(width, top, items),), gap_mm=_BETWEEN)
    for block in blocks:
        yield replace(block, min_parts=len(block.parts) if len(block.parts) <= _FEW_PARTS else _LEAST_PARTS)


def _draw_page_frame(
    number: int, width: float, height: float, heading: tuple[str, str], style: Style
) -> Iterator[Item]:
    """Yield the page number, and on the first page the title and subtitle above all columns.

    ``width`` and ``height`` are those of the page in mm on paper; ``heading`` is title and subtitle.
    """
    ink, secondary_ink = style.solid("ink"), style.solid("ink-secondary")
    number_style = TypeStyle.for_style(style, Font.FIGURES_MEDIUM, SIZE_PT, secondary_ink)
    yield from line(str(number), (width / 2, 0.4), number_style, anchor=Anchor.MIDDLE)
    if number > 1:
        return
    title, subtitle = heading
    title_style = shrink_to_fit(title, TypeStyle.for_style(style, Font.HEAVY, 14.0, ink), width)
    yield from line(title, (0.0, height - 4.6), title_style)
    subtitle_style = shrink_to_fit(subtitle, TypeStyle.for_style(style, Font.FIGURES_ITALIC, 9.0, secondary_ink), width)
    yield from line(subtitle, (0.0, height - 9.2), subtitle_style)


# --- The reference cards of the solo game as a booklet ----------------------------------------------------------------

# The name of the booklet among the decks.
BOOKLET: Final = "booklet"


class FoldedBooklet(NamedTuple):
    """A booklet as a document, with its number of pages."""

    document: Document
    pages: int


def make_booklet_document(order: PrintContext[CardOptions], rules: SoloRules | None = None) -> FoldedBooklet:
    """Return the booklet on the paper of a print context, by the rules of a game or by the defaults.

    Raises:
        UsageError: an option is for cards only, or the paper is unknown.
        PageError: the paper is too small.
    """
    options = order.asked
    if options.count is not None or options.backs or options.fold or options.flip is not None:
        raise UsageError("--count, --backs, --flip and --fold are for cards; the booklet flips on the short edge")
    sheet = sheet_for(options.sheet, margin=margin_of(options), default=LEAST_MARGIN, profile=order.profile, backs=True)
    sheet = reading_sheet(sheet)
    words = order.words
    deck = build_reference_deck(words, rules or load_solo_rules())
    width, height = booklet_page_size(sheet)
    drawings = draw_booklet_pages(
        deck.cards,
        width,
        height,
        title=deck.title,
        subtitle=words("npg.cards.booklet-subtitle"),
        style=order.style,
    )
    imposed_booklet = make_booklet(drawings, sheet, words=words)
    document = Document(
        title=words("npg.cards.booklet"),
        pages=imposed_booklet.pages,
        language=words.code,
        keywords=(deck.name, BOOKLET),
        flip=FLIP,
    )
    return FoldedBooklet(apply_profile(document, order.profile).document, len(drawings))


def booklet_sheets(job: DeckJob) -> CardSheets:
    """Return the booklet of a card job.

    Raises:
        UsageError: an option is for cards only, or the paper is unknown.
        PageError: the paper is too small.
    """
    folded_booklet = make_booklet_document(job.order, load_solo_rules(parse_settings(job.order.asked.settings)))
    name = card_file_name(job.order, job.deck)
    detail = Sentence("{count} pages", count=folded_booklet.pages)
    note = Sentence("Put the sheets inside one another and fold them once.")
    return CardSheets(document=folded_booklet.document, name=name, detail=detail, notes=(note,))
