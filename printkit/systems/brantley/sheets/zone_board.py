"""The zone board: nine places for cards, each with boxes for turn and player (BR-A02)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from msgspec import Struct

from printkit.content.cards import CardSize
from printkit.content.prose import Paragraph
from printkit.core.errors import PageError
from printkit.core.words import SEPARATOR, Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Rect
from printkit.drawing.canvas.layers import drawing_items, drawing_of, rotate_quarter_turn
from printkit.drawing.canvas.plain import WHITE
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import TypeStyle, measure
from printkit.drawing.map.layout_plan import ZONES, GridPlayer, draw_edge_name
from printkit.drawing.text.drafter import Drafter
from printkit.kit.book import read_book
from printkit.kit.sides import PlayerSide, find_look, format_side, format_sides, merge_sides, sides_of
from printkit.recipes.game.roll_text import join_languages
from printkit.systems.brantley.dealing.deal import PLAYERS
from printkit.systems.brantley.dealing.game_rules import RULES
from printkit.terrain.field.record import Record

# Extra width and height of a place for a card, in mm.
_CARD_SLACK: Final = 0.2

# Smallest and largest height in mm of the name of an edge; for large print the smallest is ``_BAND_LARGE``.
_BAND: Final = (2.3, 8.0)
_BAND_LARGE: Final = 3.7
# Smallest and largest width in mm of the strip with the boxes of a zone.
_STRIP: Final = (4.0, 9.0)

# Space in mm around a label of a strip.
_LABEL_GAP: Final = 3.4

_PALE: Final = 0.88
_NUMERAL_PT: Final = 110.0
_USE_PT: Final = (10.0, 9.5, 9.0, 8.5, 8.0)
# Height of a text on a place, as a share of the place; the second is for large print in several languages.
_NOTE_SHARE: Final = 0.32
_NOTE_SHARE_LARGE: Final = 0.56

_MIDDLE: Final = 5
_LOWER: Final = 8
_CORNER_PT: Final = 15.0


def sides(words: Words) -> tuple[GridPlayer, GridPlayer]:
    """Return the two players, A at the far edge first, then B (BR-106).

    The names of their edges are in the languages of ``words``.
    """
    far, near = (_player(name, words("brantley.sheets.edge", player=name)) for name in PLAYERS)
    return far, near


def who(words: Words, style: Style, record: Record | None = None) -> tuple[str, ...]:
    """Return the list of players, one line per language: from the record, or as the rules seat them.

    None as ``record`` means the players as the rules seat them.
    """
    sides = _default_sides() if record is None else sides_of(record, read_book(RULES))
    return format_sides(sides, words, colours=style.washes)


def _default_sides() -> tuple[PlayerSide, ...]:
    """Return the two sides as the rules seat them, for a sheet without a record."""
    return merge_sides(read_book(RULES), {})


def _player(name: str, edge: str) -> GridPlayer:
    """Return a player with the ink and the line style of their side; ``edge`` is the name of their edge."""
    look = find_look(name)
    return GridPlayer(name, edge, look.ink, look.dash())


def draw_zone_board(width: float, height: float, size: CardSize, drafter: Drafter, *, game: str = "") -> Drawing:
    """Return the board, ``width`` by ``height`` mm on paper, with the far edge at the top.

    The boxes are below the cards on tall paper, and next to them on wide paper. ``game`` is the line with the name of a
    deal, as on its other sheets; then the players are named at the edges.

    Raises:
        PageError: nine cards do not fit.
    """
    plan, (far, near) = _make_plan(width, height, size, large=bool(drafter.style.least_pt)), sides(drafter.words)
    if game:
        far, near = (
            _player(side.name, join_languages(drafter.words, partial(format_side, side, colours=drafter.style.washes)))
            for side in _default_sides()
        )
    items: list[Item] = [*draw_edge_name(far, plan.edge_band(upper=True), drafter, size_pt=plan.edge_pt)]
    for zone in ZONES:
        items += plan.draw_cell(zone, drafter)
    items += plan.draw_grid(drafter)
    items += draw_edge_name(near, plan.edge_band(upper=False), drafter, size_pt=plan.edge_pt)
    items += plan.draw_title(drafter)
    items += plan.draw_text(_MIDDLE, drafter.words("brantley.sheets.board.use"), drafter)
    if game:
        items += plan.draw_text(_LOWER, game, drafter)
    return drawing_of(width, height, items)


def _make_plan(width: float, height: float, size: CardSize, *, large: bool = False) -> _Plan:
    """Return the layout of a zone board for ``width`` by ``height`` mm of paper.

    ``size`` is that of a card. ``large`` is True for large print. The strips for boxes are where there is more space:
    below the cards or beside them. They are 4 to 9 mm thick.

    Raises:
        PageError: nine cards do not fit.
    """
    edge_height = _BAND_LARGE if large else _BAND[0]
    place = Rect(0.0, 0.0, size.width + _CARD_SLACK, size.height + _CARD_SLACK)
    free_height, free_width = height - 3 * place.height, width - 3 * place.width
    lower_strip, side_strip = (free_height - 2 * edge_height) / 3, (free_width - edge_height) / 3
    strip = min(max(lower_strip, side_strip), _STRIP[1])
    if strip < _STRIP[0] or free_height < 2 * edge_height or free_width < 0:
        raise PageError(
            "nine cards of {size_width:g} x {size_height:g} mm with their boxes need about "
            "{needed_width:.0f} x {needed_height:.0f} mm, but the sheet has {width:.0f} x {height:.0f} mm; "
            "use larger paper",
            size_width=size.width,
            size_height=size.height,
            needed_width=3 * place.width,
            needed_height=3 * (place.height + _STRIP[0]) + 2 * edge_height,
            width=width,
            height=height,
        )
    return _Plan(width=width, height=height, place=place, strip=strip, has_strip_below=lower_strip >= side_strip)


class _Plan(Struct, frozen=True, kw_only=True):
    """The layout of the board in mm on paper: ``has_strip_below`` means that boxes are below the cards.

    ``place`` is a rectangle at the origin with the size of a card's place. ``strip`` is the height or the width of a
    strip.
    """

    width: float
    height: float
    place: Rect
    strip: float
    has_strip_below: bool

    @property
    def step(self) -> tuple[float, float]:
        """Return the mm on paper from one cell to the next, horizontally and vertically."""
        width, height = self.place.width, self.place.height
        return (width, height + self.strip) if self.has_strip_below else (width + self.strip, height)

    @property
    def block(self) -> Rect:
        """Return the rectangle of all nine cells, in mm on paper; the rest of the width is at their sides."""
        total_width, total_height = (3 * step for step in self.step)
        # The rest is on one side, because half of it is hardly enough for a row of type.
        left = (self.width - total_width) / 2 if self.has_strip_below else 0.0
        return Rect(left, (self.height - total_height) / 2, total_width, total_height)

    @property
    def edge_pt(self) -> float:
        """Return the type size for the names of edges, in points of type."""
        return min(12.0, max(6.5, 2.55 * (self.height - self.block.height) / 2))

    def edge_band(self, *, upper: bool) -> Rect:
        """Return the strip for the name of an edge above (``upper``) or below the cells, in mm on paper."""
        high = min((self.height - self.block.height) / 2, _BAND[1])
        return Rect(self.block.x, self.block.top if upper else self.block.y - high, self.block.width, high)

    def cell_corner(self, zone: int) -> tuple[float, float]:
        """Return the lower left corner of the cell of a zone, numbered from 1, in mm on paper."""
        row, column = divmod(zone - 1, 3)
        return self.block.x + column * self.step[0], self.block.top - (row + 1) * self.step[1]

    def card_place(self, zone: int) -> Rect:
        """Return the rectangle for the card of a zone, in mm on paper."""
        x, y = self.cell_corner(zone)
        return self.place._replace(x=x, y=y + self.strip) if self.has_strip_below else self.place._replace(x=x, y=y)

    def draw_cell(self, zone: int, drafter: Drafter) -> Iterator[Item]:
        """Yield the cell of a zone: a pale numeral, the number in the corner, and the boxes.

        Items are in printed mm.
        """
        card = self.card_place(zone)
        pale_style = TypeStyle.for_style(
            drafter.style, Font.HEAVY, _NUMERAL_PT, drafter.style.solid("ink").mix(WHITE, _PALE)
        )
        middle = (card.x + card.width / 2, card.y + card.height / 2 - 0.22 * pale_style.height)
        yield from drafter.text(str(zone), middle, pale_style, max_width_mm=card.width, anchor=Anchor.MIDDLE)
        corner_style = drafter.type_style(Font.HEAVY, _CORNER_PT)
        number_point = (card.x + 2.6, card.top - 2.6 - 0.72 * corner_style.height)
        yield from drafter.text(str(zone), number_point, corner_style, max_width_mm=card.width)
        yield drafter.box(card, 0.25)
        yield from self.draw_strip(zone, drafter)

    def draw_strip(self, zone: int, drafter: Drafter) -> list[Item]:
        """Return the strip of a zone in its place, in printed mm; on a vertical strip it reads upwards."""
        length = self.place.width if self.has_strip_below else self.place.height
        strip = drawing_of(length, self.strip, self._draw_boxes(zone, length, drafter))
        x, y = self.cell_corner(zone)
        if self.has_strip_below:
            return drawing_items(strip, x, y)
        return drawing_items(rotate_quarter_turn(strip), x + self.place.width, y)

    def _draw_boxes(self, zone: int, length: float, drafter: Drafter) -> Iterator[Item]:
        """Yield the name of a zone and its two boxes on a strip of ``length`` printed mm.

        Two languages are side by side, or one above the other if the strip is too short.
        """
        box = min(13.0, 2.0 * self.strip)
        keys = ("dealing.zone", "brantley.sheets.board.player", "brantley.sheets.board.turn")
        lines = [tuple(language(key, zone=zone) for language in drafter.words.each()) for key in keys]
        zone_name, *labels = (SEPARATOR.join(dict.fromkeys(texts)) for texts in lines)
        name_width = _LABEL_GAP + measure(zone_name, self._strip_style(drafter))
        labels_width = sum(_LABEL_GAP + measure(label, self._strip_style(drafter, small=True)) for label in labels)
        if len(drafter.words.languages) == 1 or name_width + labels_width + 2 * box <= length:
            lines = [(zone_name,), *((label,) for label in labels)]
        elif drafter.style.least_pt:
            # Two rows of large print do not fit a strip. The name is omitted because the corner shows it, and the boxes
            # are smaller.
            lines = [(), *((label,) for label in labels)]
            box = max(_STRIP[0], (length - labels_width) / 2)
        name_style, label_style = (
            self._strip_style(drafter, small=is_small, lines=len(lines[1])) for is_small in (False, True)
        )
        yield from self._draw_lines(lines[0], 1.6, length, name_style, drafter)
        start = length
        for label in lines[1:]:
            start -= box
            yield drafter.box(Rect(start, 0.0, box, self.strip), 0.35)
            label_width = max(measure(text, label_style) for text in label)
            yield from self._draw_lines(label, start - 1.0 - label_width, length, label_style, drafter)
            start -= label_width + 2.4

    def _draw_lines(
        self, texts: Sequence[str], x: float, length: float, type_style: TypeStyle, drafter: Drafter
    ) -> Iterator[Item]:
        """Yield the lines of a text from ``x`` on a strip of ``length``, both in printed mm.

        They are one above the other; a single line is centred.
        """
        line_height = self.strip / max(1, len(texts))
        for line, text in enumerate(reversed(texts)):
            y = line * line_height + (line_height - 0.72 * type_style.height) / 2
            yield from drafter.text(text, (x, y), type_style, max_width_mm=length)

    def draw_grid(self, drafter: Drafter) -> Iterator[Item]:
        """Yield the lines between the cells, and the frame.

        Items are in printed mm.
        """
        block = self.block
        for part in (1, 2):
            x, y = block.x + part * self.step[0], block.y + part * self.step[1]
            yield drafter.rule([(x, block.y), (x, block.top)], 0.6)
            yield drafter.rule([(block.x, y), (block.right, y)], 0.6)
        yield drafter.box(block, 0.6)

    def draw_title(self, drafter: Drafter) -> Iterator[Item]:
        """Yield the title next to the cells, reading upwards, on the side with the free space.

        Items are in printed mm.
        """
        type_style = drafter.type_style(Font.SMALL_CAPITALS, 11.0 if self.has_strip_below else 8.5, track=0.15)
        x = self.block.x - 1.6 if self.has_strip_below else self.block.right + 0.5 + 0.72 * type_style.height
        point = (x, self.height / 2)
        title, available_mm = drafter.words("dealing.board.title"), self.block.height
        yield from drafter.text(title, point, type_style, max_width_mm=available_mm, anchor=Anchor.MIDDLE, angle=90.0)

    def draw_text(self, zone: int, text: str, drafter: Drafter) -> Iterator[Item]:
        """Yield a text on the lower part of the place for the card of a zone: instructions, or the name of the game.

        ``zone`` counts from 1. Items are in printed mm.
        """
        card = self.card_place(zone)
        has_two_languages = bool(drafter.style.least_pt) and len(drafter.words.languages) > 1
        height = (_NOTE_SHARE_LARGE if has_two_languages else _NOTE_SHARE) * card.height
        text_area = Rect(card.x + 4.0, card.y + 2.0, card.width - 8.0, height)
        yield from drafter.prose((Paragraph(text, "note"),), text_area, sizes=_USE_PT, is_centred=True)

    def _strip_style(self, drafter: Drafter, *, small: bool = False, lines: int = 1) -> TypeStyle:
        """Return the type style of a strip: for the name of its zone, or for its boxes if ``small``.

        ``lines`` is the number of lines one above the other.
        """
        high = self.strip / lines
        if small:
            return drafter.type_style(Font.FIGURES, min(9.0, max(6.5, 1.6 * high)), "ink-secondary")
        return drafter.type_style(Font.HEAVY, min(11.0, 2.0 * high))
