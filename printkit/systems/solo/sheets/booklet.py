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
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import TypeStyle, line, shrink_to_fit
from printkit.drawing.text.text_styles import TextStyle, drawing_of, make_line, text_style
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
from printkit.systems.solo.sheets.card_npg import closed_up, legible
from printkit.systems.solo.sheets.stance_marks import stance_mark

# The cards should fit on this many pages: two sheets, folded once.
PAGES: Final = 8

SIZE_PT: Final = 8.0

_SETTINGS: Final = ((1.24, 0.9), (1.2, 0.6), (1.16, 0.45), (1.12, 0.3), (1.1, 0.2))
_COLUMNS: Final = 2
_GUTTER: Final = 5.0
_FOOT: Final = 5.0
_TITLE: Final = 13.0
_BETWEEN: Final = 2.6
_MARK: Final = 9.0
_LINE: Final = 0.3
_LOOSE: Final = 1e-6
# How many columns back a panel may go to fill a gap. Small numbers keep the order of the cards better.
_REACHES: Final = (2, 4, 8, 1000)


class _Column(Struct):
    """A column being filled: its height in mm, and its panels from the top."""

    room: float
    panels: list[Drawing] = field(default_factory=list)

    @property
    def left(self) -> float:
        return self.room - plain_sum(panel.height + _BETWEEN for panel in self.panels)


def booklet_pages(
    cards: Sequence[Card], width: float, height: float, *, title: str, subtitle: str, style: Style
) -> tuple[Drawing, ...]:
    """Return the cards as pages of ``width`` by ``height`` mm, in the loosest type for at most 8 pages.

    If every type needs more, the last one tried is used.

    Raises:
        PageError: one side of a card is larger than a column.
    """
    wide = (width - _GUTTER * (_COLUMNS - 1)) / _COLUMNS
    pages: list[list[_Column]] = []
    tried: dict[tuple[float, float], list[Drawing]] = {}
    for reach, tight in product(_REACHES, _SETTINGS):
        if tight not in tried:
            how = legible(text_style(style, SIZE_PT, face="plain", leading=tight[0]), tight[1])
            tried[tight] = [panel for card in cards for panel in _panels(card, wide, how)]
        pages = _filled(tried[tight], height - _FOOT, reach)
        if len(pages) <= PAGES:
            break
    return tuple(
        _page(columns, number, width=width, height=height, head=(title, subtitle), style=style)
        for number, columns in enumerate(pages, 1)
    )


def _filled(panels: Sequence[Drawing], room: float, reach: int) -> list[list[_Column]]:
    """Return the columns of each page. A panel is in the first of the last ``reach`` columns that fits."""
    columns: list[_Column] = []
    for panel in panels:
        found = next((one for one in columns[-reach:] if panel.height <= one.left + _LOOSE), None)
        if found is None:
            found = _Column(room - (_TITLE if len(columns) < _COLUMNS else 0.0))
            columns.append(found)
            if panel.height > found.room + _LOOSE:
                raise PageError(
                    "a card {height:.0f} mm high does not fit on a page with {room:.0f} mm of space; use larger paper",
                    height=panel.height,
                    room=found.room,
                )
        found.panels.append(panel)
    return [columns[first : first + _COLUMNS] for first in range(0, len(columns), _COLUMNS)]


def _panels(card: Card, width: float, how: TextStyle) -> Iterator[Drawing]:
    """Yield front and back of a card, each under its ID and title. Backs with odds are left out."""
    for blocks in (card.blocks, () if card.facts.get("odds") else card.back):
        if blocks:
            yield _panel(card, blocks, width, how)


def _panel(card: Card, blocks: Sequence[Block], width: float, how: TextStyle) -> Drawing:
    head = Heading(f"{card.id}  {card.title}")
    made = stack_blocks(closed_up(lay_out_blocks([head, *blocks], width, how), how), width)
    air = 0.35 * how.size
    items: list[Item] = [
        make_line([(0.0, made.height + air), (width, made.height + air)], how.rule, how.line(_LINE)),
        *(item for _, item in made.items()),
    ]
    stance, letter = card.facts.get("stance"), card.facts.get("letter")
    if isinstance(stance, str) and isinstance(letter, str):
        middle = (width - _MARK / 2, made.height - _MARK / 2 - 0.5)
        # The back has no mark: its lines are as long as the column.
        least = how.text.least_pt
        items += (
            stance_mark(stance, letter, middle, _MARK, _MARK, ink=how.rule, least_pt=least)
            if blocks is card.blocks
            else ()
        )
    return drawing_of(width, made.height + air, items)


def _page(
    columns: Sequence[_Column],
    number: int,
    *,
    width: float,
    height: float,
    head: tuple[str, str],
    style: Style,
) -> Drawing:
    parts: list[PlacedDrawing] = []
    wide = (width - _GUTTER * (_COLUMNS - 1)) / _COLUMNS
    for place, one in enumerate(columns):
        top = height - (_TITLE if number == 1 else 0.0)
        # The panels share the free height of a column, up to 4 mm between two.
        gap = _BETWEEN + min(4.0, max(0.0, one.left) / max(1, len(one.panels) - 1))
        for panel in one.panels:
            top -= panel.height
            parts.append(PlacedDrawing(panel, place * (wide + _GUTTER), top))
            top -= gap
    items = list(_furniture(number, width, height, head, style))
    return joined(width, height, [*parts, PlacedDrawing(drawing_of(width, height, items), 0.0, 0.0)])


def _furniture(number: int, width: float, height: float, head: tuple[str, str], style: Style) -> Iterator[Item]:
    """Yield the page number, and on the first page the title above all columns."""
    ink, second = style.solid("ink"), style.solid("ink-secondary")
    figure = TypeStyle.for_style(style, Font.FIGURES_MEDIUM, SIZE_PT, second)
    yield from line(str(number), (width / 2, 0.4), figure, anchor=Anchor.MIDDLE)
    if number > 1:
        return
    title, subtitle = head
    hand = shrink_to_fit(title, TypeStyle.for_style(style, Font.HEAVY, 14.0, ink), width)
    yield from line(title, (0.0, height - 4.6), hand)
    below = shrink_to_fit(subtitle, TypeStyle.for_style(style, Font.FIGURES_ITALIC, 9.0, second), width)
    yield from line(subtitle, (0.0, height - 9.2), below)


# --- The reference cards of the solo game as a booklet ----------------------------------------------------------------

# The name of the booklet among the decks.
BOOKLET: Final = "booklet"


class Folded(NamedTuple):
    """A booklet as a document, with its numbers of sheets and pages."""

    document: Document
    sheets: int
    pages: int


def booklet_document(order: PrintContext[CardOptions], rules: SoloRules | None = None) -> Folded:
    """Return the booklet on the paper of a print context, by the rules of a game or by the defaults.

    Raises:
        UsageError: an option is for cards only, or the paper is unknown.
        PageError: the paper is too small.
    """
    asked = order.asked
    if asked.count is not None or asked.backs or asked.fold or asked.flip is not None:
        raise UsageError("--count, --backs, --flip and --fold are for cards; the booklet flips on the short edge")
    sheet = sheet_for(asked.sheet, margin=margin_of(asked), default=LEAST_MARGIN, profile=order.profile, backs=True)
    sheet = reading_sheet(sheet)
    words = order.words
    deck = build_reference_deck(words, rules or load_solo_rules())
    width, height = booklet_page_size(sheet)
    drawn = booklet_pages(
        deck.cards,
        width,
        height,
        title=deck.title,
        subtitle=words("npg.cards.booklet-subtitle"),
        style=order.style,
    )
    made = make_booklet(drawn, sheet, words=words)
    document = Document(
        title=words("npg.cards.booklet"),
        pages=made.pages,
        language=words.code,
        keywords=(deck.name, BOOKLET),
        flip=FLIP,
    )
    return Folded(apply_profile(document, order.profile).document, made.sheets, len(drawn))


def booklet_sheets(job: DeckJob) -> CardSheets:
    """Return the booklet of a card job.

    Raises:
        PrintkitError: see ``booklet_document``.
    """
    folded = booklet_document(job.order, load_solo_rules(parse_settings(job.order.asked.settings)))
    name = card_file_name(job.order, job.deck, settings=job.order.asked.settings)
    return CardSheets(document=folded.document, name=name, said=tuple(booklet_lines(folded)))


def booklet_lines(folded: Folded) -> Iterator[str]:
    """Yield the numbers of pages and sheets, and how to fold the booklet."""
    yield Sentence(
        "{title}: {pages} pages on {sheets}, printed on both sides (flip on the short edge)",
        title=folded.document.title,
        pages=folded.pages,
        sheets=Sentence("1 sheet") if folded.sheets == 1 else Sentence("{count} sheets", count=folded.sheets),
    )
    yield Sentence("  put the sheets inside one another and fold them once")
