"""The reference cards as small pages in two columns, for players who do not cut cards (S4).

Each side of a card is a panel that is never split. It goes into the first column with enough space.

Source: the specification of the solo game, 8.7.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from msgspec import Struct, field

from printkit.content.cards import Card
from printkit.content.prose import Block, Heading
from printkit.core.errors import PageError, Sentence, UsageError
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item
from printkit.drawing.canvas.layers import PlacedDrawing, drawing_of, joined
from printkit.drawing.canvas.plain import TOLERANCE, make_line
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import TypeStyle, line, shrink_to_fit
from printkit.drawing.text.text_styles import TextStyle, text_style
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
_GUTTER: Final = 5.0
_FOOT: Final = 5.0
_TITLE: Final = 13.0
_BETWEEN: Final = 2.6
_MARK: Final = 9.0
_LINE: Final = 0.3
# How many columns back a panel may go to fill a gap. Small numbers keep the order of the cards better.
_COLUMN_REACHES: Final = (2, 4, 8, 1000)


class _Column(Struct):
    """A column being filled: its height in mm on paper, and its panels from the top."""

    height: float
    panels: list[Drawing] = field(default_factory=list)

    @property
    def free_height(self) -> float:
        """Return the height that is still free in the column, in mm on paper."""
        return self.height - plain_sum(panel.height + _BETWEEN for panel in self.panels)


def draw_booklet_pages(
    cards: Sequence[Card], width: float, height: float, *, title: str, subtitle: str, style: Style
) -> tuple[Drawing, ...]:
    """Return the cards as pages of ``width`` by ``height`` mm on paper, at most 8 if possible.

    The loosest type that gives 8 pages or fewer is used. If every type needs more, the last one tried is used. Front
    and back of a card have a panel each; backs with odds are left out. ``title`` and ``subtitle`` are at the top of the
    first page.

    Raises:
        PageError: one side of a card is larger than a column.
    """
    column_width = (width - _GUTTER * (_COLUMNS - 1)) / _COLUMNS
    pages: list[list[_Column]] = []
    panels_by_setting: dict[tuple[float, float], list[Drawing]] = {}
    for reach, setting in product(_COLUMN_REACHES, _SETTINGS):
        if setting not in panels_by_setting:
            panel_style = make_legible(text_style(style, SIZE_PT, face="plain", leading=setting[0]), setting[1])
            # Front and back have a panel each. Backs with odds are left out.
            panels_by_setting[setting] = [
                _make_panel(card, blocks, column_width, panel_style)
                for card in cards
                for blocks in (card.blocks, () if card.facts.get("odds") else card.back)
                if blocks
            ]
        pages = _fill_columns(panels_by_setting[setting], height - _FOOT, reach)
        if len(pages) <= MOST_PAGES:
            break
    return tuple(
        _draw_page(columns, number, width=width, height=height, heading=(title, subtitle), style=style)
        for number, columns in enumerate(pages, 1)
    )


def _fill_columns(panels: Sequence[Drawing], height: float, reach: int) -> list[list[_Column]]:
    """Return the columns of each page. A card goes into the first of the last ``reach`` columns that fits.

    ``height`` is the height of a column in mm on paper; columns of the first page are lower.

    Raises:
        PageError: a panel is higher than a column.
    """
    columns: list[_Column] = []
    for panel in panels:
        target = next(
            (candidate for candidate in columns[-reach:] if panel.height <= candidate.free_height + TOLERANCE), None
        )
        if target is None:
            target = _Column(height - (_TITLE if len(columns) < _COLUMNS else 0.0))
            columns.append(target)
            if panel.height > target.height + TOLERANCE:
                raise PageError(
                    "a card {height:.0f} mm high does not fit on a page with {room:.0f} mm of space; use larger paper",
                    height=panel.height,
                    room=target.height,
                )
        target.panels.append(panel)
    return [columns[first : first + _COLUMNS] for first in range(0, len(columns), _COLUMNS)]


def _make_panel(card: Card, blocks: Sequence[Block], width: float, style: TextStyle) -> Drawing:
    """Return one side of a card under its ID and title, ``width`` mm wide on paper.

    Its height fits the blocks, with a line above. The front has its stance mark.
    """
    heading = Heading(f"{card.id}  {card.title}")
    text_column = stack_blocks(lay_out_blocks([heading, *blocks], width, style), width)
    gap = 0.35 * style.size
    items: list[Item] = [
        make_line([(0.0, text_column.height + gap), (width, text_column.height + gap)], style.rule, style.line(_LINE)),
        *(item for _, item in text_column.items()),
    ]
    stance, letter = card.facts.get("stance"), card.facts.get("letter")
    if isinstance(stance, str) and isinstance(letter, str):
        middle = (width - _MARK / 2, text_column.height - _MARK / 2 - 0.5)
        # The back has no mark: its lines are as long as the column.
        least_pt = style.text.least_pt
        items += (
            draw_stance_mark(stance, letter, middle, _MARK, _MARK, ink=style.rule, least_pt=least_pt)
            if blocks is card.blocks
            else ()
        )
    return drawing_of(width, text_column.height + gap, items)


def _draw_page(
    columns: Sequence[_Column],
    number: int,
    *,
    width: float,
    height: float,
    heading: tuple[str, str],
    style: Style,
) -> Drawing:
    """Return one page with its columns, ``width`` by ``height`` mm on paper.

    Panels of a column have equal gaps from the top. ``number`` is its page number, from 1; ``heading`` is the title and
    subtitle for the first page.
    """
    parts: list[PlacedDrawing] = []
    column_width = (width - _GUTTER * (_COLUMNS - 1)) / _COLUMNS
    for index, panel_column in enumerate(columns):
        top = height - (_TITLE if number == 1 else 0.0)
        # The panels share the free height of a column, up to 4 mm between two.
        gap = _BETWEEN + min(4.0, max(0.0, panel_column.free_height) / max(1, len(panel_column.panels) - 1))
        for panel in panel_column.panels:
            top -= panel.height
            parts.append(PlacedDrawing(panel, index * (column_width + _GUTTER), top))
            top -= gap
    items = list(_draw_page_frame(number, width, height, heading, style))
    return joined(width, height, [*parts, PlacedDrawing(drawing_of(width, height, items), 0.0, 0.0)])


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
