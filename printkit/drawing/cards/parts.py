"""Parts of cards: ground, border and picture window, the banner of the going, the lines at the foot, titles."""

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
from printkit.core.words import BETWEEN
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
from printkit.drawing.lettering.lettering import Hand, fitted, line, measure, shrunk
from printkit.drawing.text.text_runs import TextRow, Word, words_of

# --- The banner of the going: told by a word, by a fill and by a pattern at both ends ---------------------------------

_WHITE: Final = Ink(255, 255, 255)
_CAPITALS: Final = 0.725
"""How high capitals stand, in sizes."""

_HATCH_LINE: Final = 0.30
_PIP: Final = 0.32
_SPREAD: Final = 1.05


class CardPlate(Struct, frozen=True):
    """A banner: its items, and how much higher it is than one of a single row, in mm."""

    items: tuple[Item, ...]
    higher: float


def going_banner(kind: Banner, text: str, bottom: float, plan: CardLayout) -> CardPlate:
    """Return the banner of a going, its lower side at ``bottom`` if it has one row; more rows hang below."""
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
        rows = tuple(text.upper().split(BETWEEN, 1))
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
    """Return strokes at 45 degrees on both ends, clear of the word."""
    left, low, right, high = plate.bounds
    ends = [box(left, low, middle - gap, high), box(middle + gap, low, right, high)]
    pitch, width = plan.terrain.number("banner", "hatch"), plan.drafter.width(_HATCH_LINE)
    return [
        stroke
        for end in ends
        for stroke in hatched(plate.intersection(end), plan.drafter.style.solid("ink"), pitch, width)
    ]


def _five_spots(x: float, y: float, away: float, plan: CardLayout) -> list[Item]:
    """Return the five of a die on either side, ``away`` mm from the middle."""
    pip, spread = _PIP * plan.terrain.grown, _SPREAD * plan.terrain.grown
    spots = [(0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)]
    discs = [
        Point(x + side * away + across * spread, y + up * spread).buffer(pip, quad_segs=6)
        for side in (-1, 1)
        for across, up in spots
    ]
    return [*fill(discs, plan.drafter.style.solid("ink"))]


# --- The few centred lines at the foot of a card with a picture, shorter beside the indices in the lower corners ------

_DESCENT: Final = 0.26
_LOOSE: Final = 1e-6
_MOST_KEPT: Final = 3
_SHARES: Final = tuple(share / 100 for share in range(98, 48, -2))


class Hands(NamedTuple):
    """The hands of running text, of strong words and of notes."""

    text: Hand
    strong: Hand
    note: Hand


class LineRoom(NamedTuple):
    """The room of lines in mm: the foot of the first, the distance of the next, and how wide they may be.

    A line that reaches below ``notched`` is no wider than ``narrow``.
    """

    foot: float
    leading: float
    width: float
    notched: float
    narrow: float

    def at(self, number: int, hand: Hand) -> float:
        """Return how wide a line may be, from 0 for the first."""
        lowest = self.foot - number * self.leading - _DESCENT * hand.height
        return self.width if lowest >= self.notched else self.narrow


def centred_rows(paragraphs: Iterable[Paragraph], hands: Hands, room: LineRoom) -> tuple[TextRow, ...]:
    """Return the lines of paragraphs, which follow one another without a gap; a word that is too long has its own."""
    found: list[TextRow] = []
    for paragraph in paragraphs:
        hand = {"plain": hands.text, "strong": hands.strong, "note": hands.note}[paragraph.manner]
        found += _rows(words_of(paragraph.text, hand, hands.strong), hand, room, first=len(found))
    return tuple(found)


def _rows(words: Iterator[Word], hand: Hand, room: LineRoom, *, first: int) -> list[TextRow]:
    space = measure("x x", hand) - measure("xx", hand)
    rows: list[TextRow] = []
    for kept in _kept(words, hand):
        longer = TextRow((*rows[-1].words, *kept), space) if rows else None
        if longer is not None and longer.width <= room.at(first + len(rows) - 1, hand):
            rows[-1] = longer
        else:
            rows.append(TextRow(kept, space))
    return rows


def _kept(words: Iterator[Word], hand: Hand) -> Iterator[tuple[Word, ...]]:
    """Yield the words that stay on one line: a strong one with the next, as a score with what it means."""
    held: tuple[Word, ...] = ()
    for word in words:
        held = (*held, word)
        if word[-1].hand == hand or len(held) == _MOST_KEPT:
            yield held
            held = ()
    if held:
        yield held


def balanced(paragraphs: Sequence[Paragraph], hands: Hands, room: LineRoom) -> tuple[TextRow, ...]:
    """Return the lines of paragraphs about equally long: as narrow as they may be set in no more lines."""
    rows = centred_rows(paragraphs, hands, room)
    for share in _SHARES:
        closer = room._replace(width=room.width * share, narrow=room.narrow * share)
        tried = centred_rows(paragraphs, hands, closer)
        if len(tried) > len(rows) or not fits(tried, hands.text, closer):
            break
        rows = tried
    return rows


def fits(rows: Sequence[TextRow], hand: Hand, room: LineRoom) -> bool:
    """Return whether no line is longer than its room; a single word may be."""
    return all(row.width <= room.at(number, hand) + _LOOSE for number, row in enumerate(rows))


def set_centred(rows: Sequence[TextRow], x: float, room: LineRoom) -> Iterator[Text]:
    """Yield the type of lines about ``x``."""
    for number, row in enumerate(rows):
        yield from row.items(x - row.width / 2, room.foot - number * room.leading)


# --- Titles of cards --------------------------------------------------------------------------------------------------

_ON_TWO_ROWS: Final = 0.78
_MOST_ROWS: Final = 2


def title_rows(card: Card, hand: Hand, width: float, *, least: float) -> tuple[tuple[str, ...], Hand]:
    """Return the rows of a card's title, two at most, and the hand in which they fit a width.

    Args:
        card: its title is in one language, or in two parted by a raised dot.
        hand: as large as it is set where there is room.
        width: in mm.
        least: the size in points down to which it shrinks on one line.

    Raises:
        PageError: it does not fit on two rows in type that can be read.
    """
    text = card.title
    single = shrunk(text, hand, width)
    if single.size_pt >= least and measure(text, single) <= width + _LOOSE:
        return (text,), single
    if BETWEEN in text:
        rows = tuple(text.split(BETWEEN, 1))
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


def set_title(rows: Sequence[str], hand: Hand, x: float, foot: float) -> list[Item]:
    """Return the rows of a title about ``x``; the foot is that of a single row, about which two are spread."""
    pitch = 1.06 * hand.height
    first = foot + pitch * (len(rows) - 1) / 2
    items: list[Item] = []
    for place, row in enumerate(rows):
        items += line(row, (x, first - place * pitch), hand, anchor=Anchor.MIDDLE)
    return items


_ROUND: Final = 16
_OVER: Final = 0.5


def card_drawing(size: CardSize, grounds: Iterable[Item], items: Iterable[Item], *between: Layer) -> Drawing:
    """Return a side of a card, as large as the card is cut; only grounds reach over the cut, by the bleed.

    Args:
        size: of the card.
        grounds: what lies lowest.
        items: what lies uppermost.
        between: layers between the two.
    """
    below, above = tuple(grounds), tuple(items)
    layers = [Layer(LayerName.SHEET, below), *between, Layer(LayerName.MARGIN, above)]
    return Drawing(size.width, size.height, tuple(layer for layer in layers if layer.items))


def ground(plan: CardLayout, *, ink: Ink | None = None) -> list[Path]:
    """Return the ground of a card and of its bleed; a white one is the paper's own."""
    shown = ink or plan.ground
    return [] if shown[:3] == (255, 255, 255) else fill(box(*beyond(plan.size)), shown)


def beyond(size: CardSize) -> tuple[float, float, float, float]:
    """Return left, low, right and high of a card with its bleed."""
    return -size.bleed, -size.bleed, size.width + size.bleed, size.height + size.bleed


def rounded(size: CardSize, inset: float, radius: float) -> BaseGeometry:
    """Return a rounded oblong, ``inset`` mm inside the cut."""
    inner = inset + radius
    return box(inner, inner, size.width - inner, size.height - inner).buffer(radius, quad_segs=_ROUND)


def border(plan: CardLayout, rules: Iterable[BorderRule]) -> Iterator[Path]:
    """Yield the rules of the border."""
    for rule in rules:
        stroke = Stroke(plan.drafter.style.solid("ink"), plan.drafter.width(rule.line), join=Join.MITRE)
        yield from outline(rounded(plan.size, rule.inset, rule.radius), stroke)


def hollowed(picture: Rect, radius: float) -> tuple[BaseGeometry, BaseGeometry]:
    """Return the window of a picture, its corners cut by arcs about them, and what the arcs cut away."""
    whole = box(picture.x, picture.y, picture.right, picture.top)
    spots = [Point(x, y) for x in (picture.x, picture.right) for y in (picture.y, picture.top)]
    cut = shapely.union_all([spot.buffer(radius, quad_segs=_ROUND) for spot in spots])
    # A printer would leave a hair of the picture where its edge and that of its cover fell together.
    return whole.difference(cut), cut.intersection(whole.buffer(_OVER, join_style="mitre"))
