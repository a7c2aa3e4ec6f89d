"""The zone board: nine places that each hold a whole card, and beside each the boxes for turn and player (BR-A02)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from msgspec import Struct

from printkit.content.cards import CardSize
from printkit.content.prose import Paragraph
from printkit.core.errors import PageError
from printkit.core.words import SEPARATOR, Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Ink, Item, Rect
from printkit.drawing.canvas.style import Style
from printkit.drawing.forms.zone_grid import ZONES, GridPlayer, edge_name
from printkit.drawing.lettering.lettering import TypeStyle, measure
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.text_styles import drawing_of
from printkit.kit.book import read_book
from printkit.kit.sides import PlayerSide, find_look, format_side, format_sides, merge_sides, sides_of
from printkit.recipes.game.throw_text import join_languages
from printkit.systems.brantley.dealing.deal import PLAYERS
from printkit.systems.brantley.dealing.game_rules import RULES
from printkit.terrain.field.record import Record

_SLACK: Final = 0.2
"""How much wider and higher than a card its place is."""

_BAND: Final = (2.3, 8.0)
_BAND_LARGE: Final = 3.7
_STRIP: Final = (4.0, 9.0)
"""The least and the most mm that the name of an edge, and the boxes of a zone, take; a name in large print more."""

_SPACED: Final = 3.4
"""The mm about a label of a strip."""

_PALE: Final = 0.88
_NUMERAL_PT: Final = 110.0
_USE_PT: Final = (10.0, 9.5, 9.0, 8.5, 8.0)
_SAID: Final = 0.32
_SAID_TWICE: Final = 0.56
"""The share of a place that a text on it may take; in large print, in several languages, over the pale numeral."""

_MIDDLE: Final = 5
_LOWER: Final = 8
_CORNER_PT: Final = 15.0
_WHITE: Final = Ink(255, 255, 255)


def sides(words: Words) -> tuple[GridPlayer, GridPlayer]:
    """Return the two players, he of the far edge first (BR-106)."""
    far, near = (_player(name, words("brantley.sheets.edge", player=name)) for name in PLAYERS)
    return far, near


def who(words: Words, style: Style, record: Record | None = None) -> tuple[str, ...]:
    """Return who is who, a line a language: by the record, or while there is none as the rules seat the players."""
    sides = _dealt_sides() if record is None else sides_of(record, read_book(RULES))
    return format_sides(sides, words, colours=style.washes)


def _dealt_sides() -> tuple[PlayerSide, ...]:
    return merge_sides(read_book(RULES), {})


def _player(name: str, edge: str) -> GridPlayer:
    look = find_look(name)
    return GridPlayer(name, edge, look.ink, look.dash())


def zone_board(width: float, height: float, size: CardSize, drafter: Drafter, *, game: str = "") -> Drawing:
    """Return the board as a drawing of ``width`` by ``height`` mm, the far edge at the top.

    The boxes stand below the cards on paper that is long, beside them on paper that is wide. ``game`` says of a deal
    which it is, as its other sheets do; who is who in it stands at the edges.

    Raises:
        PageError: nine cards have no room.
    """
    plan, (far, near) = _planned(width, height, size, large=bool(drafter.style.least_pt)), sides(drafter.words)
    if game:
        far, near = (
            _player(side.name, join_languages(drafter.words, partial(format_side, side, colours=drafter.style.washes)))
            for side in _dealt_sides()
        )
    items: list[Item] = [*edge_name(far, plan.band(upper=True), drafter, size_pt=plan.edge_pt)]
    for zone in ZONES:
        items += plan.cell(zone, drafter)
    items += plan.grid(drafter)
    items += edge_name(near, plan.band(upper=False), drafter, size_pt=plan.edge_pt)
    items += plan.title(drafter)
    items += plan.said(_MIDDLE, drafter.words("brantley.sheets.board.use"), drafter)
    if game:
        items += plan.said(_LOWER, game, drafter)
    return drawing_of(width, height, items)


def _strip_texts(zone: int, words: Words) -> list[tuple[str, ...]]:
    """Return the name of a zone and of its boxes, each in every language."""
    keys = ("dealing.zone", "brantley.sheets.board.player", "brantley.sheets.board.turn")
    return [tuple(each(key, zone=zone) for each in words.each()) for key in keys]


def _side_by_side(texts: Sequence[str]) -> str:
    return SEPARATOR.join(dict.fromkeys(texts))


def _planned(width: float, height: float, size: CardSize, *, large: bool = False) -> _Plan:
    least = _BAND_LARGE if large else _BAND[0]
    place = Rect(0.0, 0.0, size.width + _SLACK, size.height + _SLACK)
    over, aside = height - 3 * place.height, width - 3 * place.width
    below, beside = (over - 2 * least) / 3, (aside - least) / 3
    strip = min(max(below, beside), _STRIP[1])
    if strip < _STRIP[0] or over < 2 * least or aside < 0:
        raise PageError(
            "nine cards of {size_width:g} x {size_height:g} mm with their boxes need about "
            "{needed_width:.0f} x {needed_height:.0f} mm, but the sheet has {width:.0f} x {height:.0f} mm; "
            "use larger paper",
            size_width=size.width,
            size_height=size.height,
            needed_width=3 * place.width,
            needed_height=3 * (place.height + _STRIP[0]) + 2 * least,
            width=width,
            height=height,
        )
    return _Plan(width=width, height=height, place=place, strip=strip, lies=below >= beside)


class _Plan(Struct, frozen=True, kw_only=True):
    """Where everything stands: ``lies`` says whether boxes are below the cards."""

    width: float
    height: float
    place: Rect
    strip: float
    lies: bool

    @property
    def step(self) -> tuple[float, float]:
        """Return how far apart cells are, across and up."""
        across, up = self.place.width, self.place.height
        return (across, up + self.strip) if self.lies else (across + self.strip, up)

    @property
    def block(self) -> Rect:
        """Return all nine cells; what is left of the width stands at their sides."""
        across, up = (3 * step for step in self.step)
        # One side alone is used where both together hardly hold a row of type.
        left = (self.width - across) / 2 if self.lies else 0.0
        return Rect(left, (self.height - up) / 2, across, up)

    @property
    def edge_pt(self) -> float:
        """Return the size of the names of edges."""
        return min(12.0, max(6.5, 2.55 * (self.height - self.block.height) / 2))

    def band(self, *, upper: bool) -> Rect:
        """Return the strip above or below the cells."""
        high = min((self.height - self.block.height) / 2, _BAND[1])
        return Rect(self.block.x, self.block.top if upper else self.block.y - high, self.block.width, high)

    def corner(self, zone: int) -> tuple[float, float]:
        """Return the lower left corner of a cell."""
        row, column = divmod(zone - 1, 3)
        return self.block.x + column * self.step[0], self.block.top - (row + 1) * self.step[1]

    def card(self, zone: int) -> Rect:
        """Return the place of the card of a zone."""
        x, y = self.corner(zone)
        return self.place._replace(x=x, y=y + self.strip) if self.lies else self.place._replace(x=x, y=y)

    def cell(self, zone: int, drafter: Drafter) -> Iterator[Item]:
        """Yield a place with its pale numeral and its number in the corner, and its boxes."""
        card = self.card(zone)
        pale = TypeStyle.of(drafter.style, Font.HEAVY, _NUMERAL_PT, drafter.style.solid("ink").towards(_WHITE, _PALE))
        middle = (card.x + card.width / 2, card.y + card.height / 2 - 0.22 * pale.height)
        yield from drafter.text(str(zone), middle, pale, room=card.width, anchor=Anchor.MIDDLE)
        corner = drafter.hand(Font.HEAVY, _CORNER_PT)
        at = (card.x + 2.6, card.top - 2.6 - 0.72 * corner.height)
        yield from drafter.text(str(zone), at, corner, room=card.width)
        yield drafter.box(card, 0.25)
        yield from self.boxes(zone, drafter)

    def boxes(self, zone: int, drafter: Drafter) -> Iterator[Item]:
        """Yield the name of a zone and the two boxes along its strip, read upwards where the strip stands.

        Two languages stand side by side, or where the strip is too short for them, one above the other.
        """
        length = self.place.width if self.lies else self.place.height
        box = min(13.0, 2.0 * self.strip)
        lines = _strip_texts(zone, drafter.words)
        said, *labels = (_side_by_side(texts) for texts in lines)
        needed = _SPACED + measure(said, self._hand(drafter))
        told = sum(_SPACED + measure(label, self._hand(drafter, small=True)) for label in labels)
        if len(drafter.words.languages) == 1 or needed + told + 2 * box <= length:
            lines = [(said,), *((label,) for label in labels)]
        elif drafter.style.least_pt:
            # Two rows of large print have no room in a strip; what the corner says is left out, and boxes are smaller.
            lines = [(), *((label,) for label in labels)]
            box = max(_STRIP[0], (length - told) / 2)
        hand, small = (self._hand(drafter, small=each, lines=len(lines[1])) for each in (False, True))
        yield from self._stack(lines[0], zone, 1.6, hand=hand, drafter=drafter)
        start = length
        for label in lines[1:]:
            start -= box
            yield self._box(zone, start, box, drafter)
            wide = max(measure(text, small) for text in label)
            yield from self._stack(label, zone, start - 1.0 - wide, hand=small, drafter=drafter)
            start -= wide + 2.4

    def grid(self, drafter: Drafter) -> Iterator[Item]:
        """Yield the lines between the cells, and the frame."""
        block = self.block
        for part in (1, 2):
            x, y = block.x + part * self.step[0], block.y + part * self.step[1]
            yield drafter.rule([(x, block.y), (x, block.top)], 0.6)
            yield drafter.rule([(block.x, y), (block.right, y)], 0.6)
        yield drafter.box(block, 0.6)

    def title(self, drafter: Drafter) -> Iterator[Item]:
        """Yield the title beside the cells, read upwards: at their left, or where all room is at their right, there."""
        hand = drafter.hand(Font.SMALL_CAPITALS, 11.0 if self.lies else 8.5, track=0.15)
        x = self.block.x - 1.6 if self.lies else self.block.right + 0.5 + 0.72 * hand.height
        at = (x, self.height / 2)
        said, room = drafter.words("dealing.board.title"), self.block.height
        yield from drafter.text(said, at, hand, room=room, anchor=Anchor.MIDDLE, angle=90.0)

    def said(self, zone: int, text: str, drafter: Drafter) -> Iterator[Item]:
        """Yield a text on a place, where the card will lie on it: how the board is used, or which game it is of."""
        card = self.card(zone)
        several = bool(drafter.style.least_pt) and len(drafter.words.languages) > 1
        high = (_SAID_TWICE if several else _SAID) * card.height
        room = Rect(card.x + 4.0, card.y + 2.0, card.width - 8.0, high)
        yield from drafter.prose((Paragraph(text, "note"),), room, sizes=_USE_PT, middle=True)

    def _hand(self, drafter: Drafter, *, small: bool = False, lines: int = 1) -> TypeStyle:
        """Return the type of a strip: of the name of its zone, or of its boxes."""
        high = self.strip / lines
        if small:
            return drafter.hand(Font.FIGURES, min(9.0, max(6.5, 1.6 * high)), "ink-secondary")
        return drafter.hand(Font.HEAVY, min(11.0, 2.0 * high))

    def _stack(
        self, texts: Sequence[str], zone: int, along: float, *, hand: TypeStyle, drafter: Drafter
    ) -> Iterator[Item]:
        """Yield the lines of a text in a strip, one above the other; a line alone stands in its middle."""
        high = self.strip / max(1, len(texts))
        for line, text in enumerate(reversed(texts)):
            up = line * high + (high - 0.72 * hand.height) / 2
            yield from self._text(text, zone, along, up, hand=hand, drafter=drafter)

    def _text(
        self, text: str, zone: int, along: float, up: float, *, hand: TypeStyle, drafter: Drafter
    ) -> Iterator[Item]:
        """Yield type in a strip, ``along`` mm from its beginning and ``up`` mm from its outer side."""
        x, y = self.corner(zone)
        if self.lies:
            yield from drafter.text(text, (x + along, y + up), hand, room=self.place.width)
        else:
            right = x + self.step[0]
            yield from drafter.text(text, (right - up, y + along), hand, room=self.place.height, angle=90.0)

    def _box(self, zone: int, start: float, length: float, drafter: Drafter) -> Item:
        x, y = self.corner(zone)
        if self.lies:
            return drafter.box(Rect(x + start, y, length, self.strip), 0.35)
        return drafter.box(Rect(x + self.place.width, y + start, self.strip, length), 0.35)
