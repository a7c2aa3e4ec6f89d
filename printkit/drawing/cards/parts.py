"""Parts of cards: ground, border, picture window, going banner, centred lines, titles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.content.cards import Banner, Card, CardSize
from printkit.content.prose import Paragraph
from printkit.core.errors import PageError
from printkit.core.words import SEPARATOR
from printkit.drawing.canvas.area_fill import hatched
from printkit.drawing.canvas.items import (
    Anchor,
    Drawing,
    Font,
    Ink,
    Item,
    Join,
    Layer,
    LayerName,
    Path,
    Rect,
    Stroke,
    Text,
)
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.cards.layouts import LEAST_PT, BorderRule, CardLayout
from printkit.drawing.lettering.lettering import TypeStyle, fitted, line, measure, shrunk
from printkit.drawing.text.text_runs import TextRow, Word, words_of

# --- The going banner: a word, a fill, and a pattern at both ends -----------------------------------------------------

_WHITE: Final = Ink(255, 255, 255)

# Height of capitals, in type sizes.
_CAPITALS: Final = 0.725

_HATCH_LINE: Final = 0.30
_PIP: Final = 0.32
_SPREAD: Final = 1.05


class CardPlate(Struct, frozen=True):
    """A banner: its items, and its extra height over a banner of one row, in mm."""

    items: tuple[Item, ...]
    higher: float


def going_banner(kind: Banner, text: str, bottom: float, plan: CardLayout) -> CardPlate:
    """Return the going banner; ``bottom`` is the bottom of a one-row banner, and more rows extend below."""
    layout = plan.terrain
    high = layout.worded("banner", "height")
    clear, end = layout.worded("banner", "clear"), layout.worded("banner", "end")
    widest = layout.picture.width
    patterned = kind in (Banner.BAD, Banner.DIE)
    hand = plan.drafter.hand(Font.HEAVY, layout.points("banner", "size"), track=layout.worded("banner", "track"))
    if kind is Banner.IMPASSABLE:
        hand = replace(hand, ink=_WHITE)
    beside = 2 * (clear + (end if patterned else high / 2))
    rows: tuple[str, ...] = (text.upper(),)
    fitting = shrunk(rows[0], hand, widest - beside)
    if fitting.size_pt < LEAST_PT or measure(rows[0], fitting) > widest - beside + _LOOSE:
        rows = tuple(text.upper().split(SEPARATOR, 1))
        longest = max(rows, key=lambda row: measure(row, hand))
        fitting = shrunk(longest, hand, widest - beside)
        fitting = fitting.sized(1.0 if fitting.size_pt >= LEAST_PT else LEAST_PT / fitting.size_pt)
    length = max(measure(row, fitting) for row in rows)
    width = min(widest, max(layout.scaled("banner", "width"), length + beside))
    higher = (len(rows) - 1) * 1.1 * fitting.height
    middle = plan.size.width / 2
    plate = _hexagon(middle, bottom - higher, width, high + higher)
    items: list[Item] = [*fill(plate, _fill(kind, plan))]
    gap = length / 2 + clear
    if kind is Banner.BAD:
        items += _hatching(plate, middle, gap, plan)
    elif kind is Banner.DIE:
        away = (gap + width / 2 - high / 4) / 2
        items += _five_spots(middle, bottom + (high - higher) / 2, away, plan)
    stroke = Stroke(
        plan.drafter.style.solid("ink"), plan.drafter.width(layout.number("banner", "line")), join=Join.MITRE
    )
    items += outline(plate, stroke)
    foot = bottom + (high - _CAPITALS * fitting.height) / 2
    for place, row in enumerate(rows):
        items += line(row, (middle, foot - place * 1.1 * fitting.height), fitting, anchor=Anchor.MIDDLE)
    return CardPlate(tuple(items), higher)


def _fill(kind: Banner, plan: CardLayout) -> Ink:
    match kind:
        case Banner.GOOD | Banner.DIE:
            return _WHITE
        case Banner.BAD:
            return plan.drafter.style.solid("card-bad")
        case Banner.IMPASSABLE:
            return plan.drafter.style.solid("ink")


def _hexagon(middle: float, bottom: float, width: float, height: float) -> BaseGeometry:
    left, right, nip = middle - width / 2, middle + width / 2, min(height, 5.0) / 2
    return Polygon(
        [
            (left + nip, bottom),
            (right - nip, bottom),
            (right, bottom + height / 2),
            (right - nip, bottom + height),
            (left + nip, bottom + height),
            (left, bottom + height / 2),
        ]
    )


def _hatching(plate: BaseGeometry, middle: float, gap: float, plan: CardLayout) -> list[Item]:
    """Return hatching at 45 degrees on both ends, clear of the word."""
    left, low, right, high = plate.bounds
    ends = [box(left, low, middle - gap, high), box(middle + gap, low, right, high)]
    pitch, width = plan.terrain.number("banner", "hatch"), plan.drafter.width(_HATCH_LINE)
    return [
        stroke
        for end in ends
        for stroke in hatched(plate.intersection(end), plan.drafter.style.solid("ink"), pitch, width)
    ]


def _five_spots(x: float, y: float, away: float, plan: CardLayout) -> list[Item]:
    """Return the five pips of a die on both sides, ``away`` mm from the middle."""
    pip, spread = _PIP * plan.terrain.grown, _SPREAD * plan.terrain.grown
    spots = [(0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)]
    discs = [
        Point(x + side * away + across * spread, y + up * spread).buffer(pip, quad_segs=6)
        for side in (-1, 1)
        for across, up in spots
    ]
    return [*fill(discs, plan.drafter.style.solid("ink"))]


# --- Centred lines at the foot of a card with a picture, shorter next to the indices in the lower corners -------------

_DESCENT: Final = 0.26
_LOOSE: Final = 1e-6
_MOST_KEPT: Final = 3
_SHARES: Final = tuple(share / 100 for share in range(98, 48, -2))


class Hands(NamedTuple):
    """The type styles of body text, of strong words and of notes."""

    text: TypeStyle
    strong: TypeStyle
    note: TypeStyle


class LineRoom(NamedTuple):
    """The space for lines, in mm.

    Attributes:
        foot: baseline of the first line.
        leading: distance between lines.
        width: maximum width of a line.
        notched: height below which lines are narrow.
        narrow: maximum width of those lines.
    """

    foot: float
    leading: float
    width: float
    notched: float
    narrow: float

    def at(self, number: int, hand: TypeStyle) -> float:
        """Return the maximum width of a line; the first line is number 0."""
        lowest = self.foot - number * self.leading - _DESCENT * hand.height
        return self.width if lowest >= self.notched else self.narrow


def centred_rows(paragraphs: Iterable[Paragraph], hands: Hands, room: LineRoom) -> tuple[TextRow, ...]:
    """Return the lines of paragraphs, without gaps; a word that is too long gets its own line."""
    found: list[TextRow] = []
    for paragraph in paragraphs:
        hand = {"plain": hands.text, "strong": hands.strong, "note": hands.note}[paragraph.emphasis]
        found += _rows(words_of(paragraph.text, hand, hands.strong), hand, room, first=len(found))
    return tuple(found)


def _rows(words: Iterator[Word], hand: TypeStyle, room: LineRoom, *, first: int) -> list[TextRow]:
    space = measure("x x", hand) - measure("xx", hand)
    rows: list[TextRow] = []
    for kept in _kept(words, hand):
        longer = TextRow((*rows[-1].words, *kept), space) if rows else None
        if longer is not None and longer.width <= room.at(first + len(rows) - 1, hand):
            rows[-1] = longer
        else:
            rows.append(TextRow(kept, space))
    return rows


def _kept(words: Iterator[Word], hand: TypeStyle) -> Iterator[tuple[Word, ...]]:
    """Yield groups of words that stay on one line: strong words with the next word.

    For example, a score stays with its meaning.
    """
    held: tuple[Word, ...] = ()
    for word in words:
        held = (*held, word)
        if word[-1].hand == hand or len(held) == _MOST_KEPT:
            yield held
            held = ()
    if held:
        yield held


def balanced(paragraphs: Sequence[Paragraph], hands: Hands, room: LineRoom) -> tuple[TextRow, ...]:
    """Return lines of similar length: the narrowest setting that needs no extra line."""
    rows = centred_rows(paragraphs, hands, room)
    for share in _SHARES:
        closer = room._replace(width=room.width * share, narrow=room.narrow * share)
        tried = centred_rows(paragraphs, hands, closer)
        if len(tried) > len(rows) or not fits(tried, hands.text, closer):
            break
        rows = tried
    return rows


def fits(rows: Sequence[TextRow], hand: TypeStyle, room: LineRoom) -> bool:
    """Return whether every line fits its maximum width."""
    return all(row.width <= room.at(number, hand) + _LOOSE for number, row in enumerate(rows))


def set_centred(rows: Sequence[TextRow], x: float, room: LineRoom) -> Iterator[Text]:
    """Yield the text of lines, centred on ``x``."""
    for number, row in enumerate(rows):
        yield from row.items(x - row.width / 2, room.foot - number * room.leading)


# --- Titles of cards --------------------------------------------------------------------------------------------------

_ON_TWO_ROWS: Final = 0.78
_MOST_ROWS: Final = 2


def title_rows(card: Card, hand: TypeStyle, width: float, *, least: float) -> tuple[tuple[str, ...], TypeStyle]:
    """Return the rows of a card's title, one or two, and the type style in which they fit.

    Args:
        card: its title is in one language, or in two languages with ``SEPARATOR`` between them.
        hand: the type style at full size.
        width: available width in mm.
        least: the smallest size in points on one row.

    Raises:
        PageError: the title does not fit on two rows in legible type.
    """
    text = card.title
    single = shrunk(text, hand, width)
    if single.size_pt >= least and measure(text, single) <= width + _LOOSE:
        return (text,), single
    if SEPARATOR in text:
        rows = tuple(text.split(SEPARATOR, 1))
        widest = max(rows, key=lambda row: measure(row, hand))
        double = shrunk(widest, hand.sized(_ON_TWO_ROWS), width)
        if double.size_pt >= LEAST_PT and measure(widest, double) <= width + _LOOSE:
            return rows, double
    rows, double = fitted(text, hand.sized(_ON_TWO_ROWS), width, lines=_MOST_ROWS, least=LEAST_PT / hand.size_pt)
    over = max(measure(row, double) for row in rows) - width
    if len(rows) > _MOST_ROWS or double.size_pt < LEAST_PT or over > _LOOSE:
        raise PageError(
            "card {card}: the title {text!r} does not fit in {width:.0f} mm on two lines at {least_pt:g} "
            "pt; shorten it",
            card=card.id,
            text=text,
            width=width,
            least_pt=LEAST_PT,
        )
    return rows, double


def set_title(rows: Sequence[str], hand: TypeStyle, x: float, foot: float) -> list[Item]:
    """Return the rows of a title, centred on ``x``.

    ``foot`` is the baseline of a single row, and the middle between the baselines of two rows.
    """
    pitch = 1.06 * hand.height
    first = foot + pitch * (len(rows) - 1) / 2
    items: list[Item] = []
    for place, row in enumerate(rows):
        items += line(row, (x, first - place * pitch), hand, anchor=Anchor.MIDDLE)
    return items


_ROUND: Final = 16
_OVER: Final = 0.5


def card_drawing(size: CardSize, grounds: Iterable[Item], items: Iterable[Item], *between: Layer) -> Drawing:
    """Return a side of a card at its trimmed size; only ``grounds`` extend into the bleed.

    Args:
        size: the size of the card.
        grounds: the items at the bottom.
        items: the items on top.
        between: layers between the two.
    """
    below, above = tuple(grounds), tuple(items)
    layers = [Layer(LayerName.SHEET, below), *between, Layer(LayerName.MARGIN, above)]
    return Drawing(size.width, size.height, tuple(layer for layer in layers if layer.items))


def ground(plan: CardLayout, *, ink: Ink | None = None) -> list[Path]:
    """Return the ground of a card and its bleed; an empty list for white, which is the paper."""
    shown = ink or plan.ground
    return [] if shown[:3] == (255, 255, 255) else fill(box(*beyond(plan.size)), shown)


def beyond(size: CardSize) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of a card with its bleed, in mm."""
    return -size.bleed, -size.bleed, size.width + size.bleed, size.height + size.bleed


def rounded(size: CardSize, inset: float, radius: float) -> BaseGeometry:
    """Return a rounded rectangle, ``inset`` mm inside the cut."""
    inner = inset + radius
    return box(inner, inner, size.width - inner, size.height - inner).buffer(radius, quad_segs=_ROUND)


def border(plan: CardLayout, rules: Iterable[BorderRule]) -> Iterator[Path]:
    """Yield the lines of the border."""
    for rule in rules:
        stroke = Stroke(plan.drafter.style.solid("ink"), plan.drafter.width(rule.line), join=Join.MITRE)
        yield from outline(rounded(plan.size, rule.inset, rule.radius), stroke)


def hollowed(picture: Rect, radius: float) -> tuple[BaseGeometry, BaseGeometry]:
    """Return the window of a picture with its corners cut by arcs, and the corners that are cut off."""
    whole = box(picture.x, picture.y, picture.right, picture.top)
    spots = [Point(x, y) for x in (picture.x, picture.right) for y in (picture.y, picture.top)]
    cut = shapely.union_all([spot.buffer(radius, quad_segs=_ROUND) for spot in spots])
    # The covers overlap the edge, so that no hairline of the picture shows in print.
    return whole.difference(cut), cut.intersection(whole.buffer(_OVER, join_style="mitre"))
