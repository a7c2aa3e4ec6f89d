"""Parts of cards: ground, border, picture window, going banner, centred lines, titles, suits and corner indices."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import Point, Polygon, affinity, box
from shapely.geometry.base import BaseGeometry

from printkit.content.cards import Banner, Card, CardSize, Index, Suit
from printkit.content.prose import Paragraph
from printkit.core.errors import PageError
from printkit.core.resources import resource
from printkit.core.words import SEPARATOR
from printkit.drawing.canvas.items import (
    GRID,
    Affine,
    Anchor,
    Drawing,
    Font,
    Ink,
    Item,
    Join,
    Layer,
    LayerName,
    Path,
    PathRun,
    Picture,
    Rect,
    Stamp,
    Stroke,
    Text,
)
from printkit.drawing.canvas.plain import TOLERANCE, WHITE
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.canvas.symbol_context import draw_hatching
from printkit.drawing.cards.layouts import LEAST_PT, BorderRule, CardLayout
from printkit.drawing.lettering.lettering import TypeStyle, fit_text, line, measure, shrink_to_fit
from printkit.drawing.text.text_runs import TextRow, Word, split_words

# --- Half-turns: items repeated upside down in the opposite corner of a card ------------------------------------------


def rotated(items: Iterable[Item], size: CardSize) -> tuple[Item, ...]:
    """Return items rotated by 180 degrees about the middle of a card; positions are in printed mm.

    Raises:
        TypeError: one of them is a painted picture.
    """
    return tuple(_rotate_item(item, size) for item in items)


def rotated_run(run: PathRun, size: CardSize) -> PathRun:
    """Return a run rotated by 180 degrees about the middle of a card."""
    grid_width, grid_height = round(size.width / GRID), round(size.height / GRID)
    points = run.points
    coordinates = [
        value for x, y in zip(points[::2], points[1::2], strict=True) for value in (grid_width - x, grid_height - y)
    ]
    return PathRun(tuple(coordinates), run.closed)


def with_rotated_runs(paths: Iterable[Path], size: CardSize) -> tuple[Path, ...]:
    """Return paths with all runs twice: unchanged, and rotated by 180 degrees."""
    return tuple(replace(path, runs=(*path.runs, *(rotated_run(run, size) for run in path.runs))) for path in paths)


def _rotate_item(item: Item, size: CardSize) -> Item:
    """Return the item rotated by 180 degrees about the middle of a card.

    Raises:
        TypeError: it is a painted picture.
    """
    match item:
        case Path():
            return replace(item, runs=tuple(rotated_run(run, size) for run in item.runs))
        case Text():
            position = (size.width - item.at[0], size.height - item.at[1])
            glyphs = tuple((size.width - x, size.height - y, _add_half_turn(angle)) for x, y, angle in item.glyphs)
            return replace(item, at=position, angle=_add_half_turn(item.angle), glyphs=glyphs)
        case Stamp():
            places = tuple(
                Affine(-place.a, -place.b, -place.c, -place.d, size.width - place.e, size.height - place.f)
                for place in item.places
            )
            return replace(item, places=places)
        case Picture():
            raise TypeError("no card bears a painted picture")


def _add_half_turn(angle: float) -> float:
    """Return the angle in degrees plus 180, between -360 and 360."""
    return math.fmod(angle + 180.0, 360.0)


RED: Final = (Suit.HEARTS, Suit.DIAMONDS)

_HOLLOW_LINE: Final = 0.42


def suit_shape(suit: Suit, height: float, middle: tuple[float, float]) -> BaseGeometry:
    """Return the shape of a suit, ``height`` mm high, centred on ``middle`` (mm on the card)."""
    shape = _unit_shapes()[suit]
    left, low, right, high = shape.bounds
    scale = height / (high - low)
    centred_shape = affinity.translate(shape, -(left + right) / 2, -(low + high) / 2)
    return affinity.translate(affinity.scale(centred_shape, scale, scale, origin=(0, 0)), *middle)


def suit_items(suit: Suit, height: float, middle: tuple[float, float], plan: CardLayout) -> list[Item]:
    """Return a suit, ``height`` mm high and centred on ``middle`` (mm on the card).

    It is filled. In a style without washes red suits are hollow, to tell them apart.
    """
    shape = suit_shape(suit, height, middle)
    if suit not in RED:
        return [*fill(shape, plan.drafter.style.solid("ink"))]
    ink = plan.drafter.style.solid("side-red")
    if plan.drafter.style.washes:
        return [*fill(shape, ink)]
    # The line is inside the shape, so that all suits have the same size.
    inner = shape.buffer(-_HOLLOW_LINE / 2, join_style="mitre")
    return [*outline(inner, Stroke(ink, _HOLLOW_LINE, join=Join.MITRE))]


def index_token(index: Index) -> str:
    """Return the name of the ink of an index: red for red suits."""
    return "side-red" if index.suit in RED else "ink"


def corner_index(index: Index, plan: CardLayout) -> tuple[Item, ...]:
    """Return the items of rank and suit in both upper corners, and the same rotated by 180 degrees in the lower ones.

    Items are in printed mm. An index without a suit has only its text. The sizes scale with the card.
    """
    layout, size = plan.terrain, plan.size
    # The cut corners of the picture scale with the card, and so does the index in them.
    reach = layout.share
    style = plan.drafter.type_style(Font.INDEX, max(LEAST_PT, layout.scaled("index", "size")), index_token(index))
    style = shrink_to_fit(index.text, style, layout.scaled("index", "widest"))
    x = layout.picture.x + (layout.number("index", "left") - layout.number("picture", "left")) * reach
    index_gap = (layout.number("index", "below_top") - layout.number("picture", "below_top")) * reach
    items: list[Item] = [*line(index.text, (x, layout.picture.top - index_gap), style, anchor=Anchor.MIDDLE)]
    if index.suit is not None:
        right_gap = (layout.number("suit", "right") - layout.number("picture", "left")) * reach
        top_gap = (layout.number("suit", "below_top") - layout.number("picture", "below_top")) * reach
        middle = (layout.picture.right - right_gap, layout.picture.top - top_gap)
        items += suit_items(index.suit, layout.scaled("suit", "height"), middle, plan)
    return (*items, *rotated(items, size))


@cache
def _unit_shapes() -> Mapping[str, BaseGeometry]:
    """Return the shape of each suit by its value, about 2 units high around the origin, with y upwards."""
    shapes = json.loads(resource("templates/patterns", "suits.json").read_bytes())
    return {suit: shapely.from_wkb(shape) for suit, shape in shapes.items()}


# --- The going banner: a word, a fill, and a pattern at both ends -----------------------------------------------------


# Height of capitals, in type sizes.
_CAPITALS: Final = 0.725

_HATCH_LINE: Final = 0.30
_PIP: Final = 0.32
_SPREAD: Final = 1.05


class CardPlate(Struct, frozen=True):
    """A banner: its items, and its extra height over a banner of one row, in printed mm."""

    items: tuple[Item, ...]
    higher: float


def going_banner(kind: Banner, text: str, bottom: float, plan: CardLayout) -> CardPlate:
    """Return the going banner with its text, centred on the card.

    ``bottom`` is the y in printed mm of the bottom of a banner with one row; a second row extends below it. The plate
    has its items and the height that a second row adds, in printed mm (0 for one row).
    """
    layout = plan.terrain
    height = layout.scale_with_text("banner", "height")
    clear, end = layout.scale_with_text("banner", "clear"), layout.scale_with_text("banner", "end")
    widest = layout.picture.width
    has_pattern = kind in (Banner.BAD, Banner.DIE)
    style = plan.drafter.type_style(
        Font.HEAVY, layout.points("banner", "size"), track=layout.scale_with_text("banner", "track")
    )
    if kind is Banner.IMPASSABLE:
        style = replace(style, ink=WHITE)
    margins = 2 * (clear + (end if has_pattern else height / 2))
    rows: tuple[str, ...] = (text.upper(),)
    fitting = shrink_to_fit(rows[0], style, widest - margins)
    if fitting.size_pt < LEAST_PT or measure(rows[0], fitting) > widest - margins + TOLERANCE:
        rows = tuple(text.upper().split(SEPARATOR, 1))
        longest = max(rows, key=lambda row: measure(row, style))
        fitting = shrink_to_fit(longest, style, widest - margins)
        fitting = fitting.resize(1.0 if fitting.size_pt >= LEAST_PT else LEAST_PT / fitting.size_pt)
    length = max(measure(row, fitting) for row in rows)
    width = min(widest, max(layout.scaled("banner", "width"), length + margins))
    higher = (len(rows) - 1) * 1.1 * fitting.height
    middle = plan.size.width / 2
    plate = _build_hexagon(middle, bottom - higher, width, height + higher)
    items: list[Item] = [*fill(plate, _banner_ink(kind, plan))]
    gap = length / 2 + clear
    if kind is Banner.BAD:
        items += _hatch_ends(plate, middle, gap, plan)
    elif kind is Banner.DIE:
        distance = (gap + width / 2 - height / 4) / 2
        items += _draw_pips(middle, bottom + (height - higher) / 2, distance, plan)
    stroke = Stroke(
        plan.drafter.style.solid("ink"), plan.drafter.width(layout.number("banner", "line")), join=Join.MITRE
    )
    items += outline(plate, stroke)
    foot = bottom + (height - _CAPITALS * fitting.height) / 2
    for place, row in enumerate(rows):
        items += line(row, (middle, foot - place * 1.1 * fitting.height), fitting, anchor=Anchor.MIDDLE)
    return CardPlate(tuple(items), higher)


def _banner_ink(kind: Banner, plan: CardLayout) -> Ink:
    """Return the ink that fills the banner of a going."""
    match kind:
        case Banner.GOOD | Banner.DIE:
            return WHITE
        case Banner.BAD:
            return plan.drafter.style.solid("card-bad")
        case Banner.IMPASSABLE:
            return plan.drafter.style.solid("ink")


def _build_hexagon(middle: float, bottom: float, width: float, height: float) -> BaseGeometry:
    """Return the outline of a banner in printed mm, pointed at the left and the right.

    ``middle`` is the x of its middle and ``bottom`` the y of its lower side; ``width`` includes the points.
    """
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


def _hatch_ends(plate: BaseGeometry, middle: float, gap: float, plan: CardLayout) -> list[Item]:
    """Return hatching at 45 degrees on both ends of a banner, clear of the word.

    ``plate`` is the outline of the banner; the ends are more than ``gap`` printed mm from ``middle``, its x.
    """
    left, low, right, high = plate.bounds
    ends = [box(left, low, middle - gap, high), box(middle + gap, low, right, high)]
    pitch, width = plan.terrain.number("banner", "hatch"), plan.drafter.width(_HATCH_LINE)
    return [
        stroke
        for end in ends
        for stroke in draw_hatching(plate.intersection(end), plan.drafter.style.solid("ink"), pitch, width)
    ]


def _draw_pips(x: float, y: float, distance: float, plan: CardLayout) -> list[Item]:
    """Return the five pips of a die on both sides of a word.

    ``x`` and ``y`` are the middle of the word, and ``distance`` is from there to the middle of the pips, in printed mm.
    """
    pip, spread = _PIP * plan.terrain.text_scale, _SPREAD * plan.terrain.text_scale
    pip_places = [(0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)]
    discs = [
        Point(x + side * distance + column * spread, y + row * spread).buffer(pip, quad_segs=6)
        for side in (-1, 1)
        for column, row in pip_places
    ]
    return [*fill(discs, plan.drafter.style.solid("ink"))]


# --- Centred lines at the foot of a card with a picture, shorter next to the indices in the lower corners -------------

_DESCENT: Final = 0.26
_MOST_KEPT: Final = 3
_SHARES: Final = tuple(share / 100 for share in range(98, 48, -2))


class CardTypeStyles(NamedTuple):
    """The type styles of body text, of strong words and of notes."""

    text: TypeStyle
    strong: TypeStyle
    note: TypeStyle


class LineSpace(NamedTuple):
    """The space for lines, in printed mm.

    Attributes:
        foot: baseline of the first line.
        leading: distance between lines.
        width: maximum width of a line.
        notch_height: height below which lines are narrow.
        narrow: maximum width of those lines.
    """

    foot: float
    leading: float
    width: float
    notch_height: float
    narrow: float

    def at(self, number: int, style: TypeStyle) -> float:
        """Return the maximum width of a line in printed mm; the first line is number 0."""
        lowest = self.foot - number * self.leading - _DESCENT * style.height
        return self.width if lowest >= self.notch_height else self.narrow


def break_centred_rows(
    paragraphs: Iterable[Paragraph], styles: CardTypeStyles, space: LineSpace
) -> tuple[TextRow, ...]:
    """Return the rows of paragraphs that fit the widths of ``space``, without gaps between paragraphs.

    A word that is too long gets a row of its own.
    """
    rows: list[TextRow] = []
    for paragraph in paragraphs:
        style = {"plain": styles.text, "strong": styles.strong, "note": styles.note}[paragraph.emphasis]
        rows += _break_rows(split_words(paragraph.text, style, styles.strong), style, space, first=len(rows))
    return tuple(rows)


def _break_rows(words: Iterator[Word], style: TypeStyle, line_space: LineSpace, *, first: int) -> list[TextRow]:
    """Return the rows of one paragraph; ``first`` is the number of its first row, from 0 at the top.

    A word that is too long gets a row of its own.
    """
    space = measure("x x", style) - measure("xx", style)
    rows: list[TextRow] = []
    for group in _group_words(words, style):
        longer = TextRow((*rows[-1].words, *group), space) if rows else None
        if longer is not None and longer.width <= line_space.at(first + len(rows) - 1, style):
            rows[-1] = longer
        else:
            rows.append(TextRow(group, space))
    return rows


def _group_words(words: Iterator[Word], style: TypeStyle) -> Iterator[tuple[Word, ...]]:
    """Yield groups of words that stay on one line: strong words with the next word.

    For example, a score stays with its meaning. ``style`` is the type style of words that are not strong. A group has
    at most three words.
    """
    group: tuple[Word, ...] = ()
    for word in words:
        group = (*group, word)
        if word[-1].style == style or len(group) == _MOST_KEPT:
            yield group
            group = ()
    if group:
        yield group


def balance_rows(paragraphs: Sequence[Paragraph], styles: CardTypeStyles, space: LineSpace) -> tuple[TextRow, ...]:
    """Return rows of similar length: the narrowest setting that needs no extra row.

    ``space`` has the maximum widths in printed mm, which are narrowed by fixed shares. If none fits, the rows are those
    of the full width.
    """
    rows = break_centred_rows(paragraphs, styles, space)
    for share in _SHARES:
        narrower_space = space._replace(width=space.width * share, narrow=space.narrow * share)
        narrower_rows = break_centred_rows(paragraphs, styles, narrower_space)
        if len(narrower_rows) > len(rows) or not fits(narrower_rows, styles.text, narrower_space):
            break
        rows = narrower_rows
    return rows


def fits(rows: Sequence[TextRow], style: TypeStyle, space: LineSpace) -> bool:
    """Return whether every row is at most as wide as ``space`` allows for its number."""
    return all(row.width <= space.at(number, style) + TOLERANCE for number, row in enumerate(rows))


def set_centred(rows: Sequence[TextRow], x: float, space: LineSpace) -> Iterator[Text]:
    """Yield the text of rows, centred on ``x`` (printed mm on the card).

    The first row has its baseline at ``space.foot``; the others are below it.
    """
    for number, row in enumerate(rows):
        yield from row.items(x - row.width / 2, space.foot - number * space.leading)


# --- Titles of cards --------------------------------------------------------------------------------------------------

_ON_TWO_ROWS: Final = 0.78
_MOST_ROWS: Final = 2


def title_rows(card: Card, style: TypeStyle, width: float, *, minimum_pt: float) -> tuple[tuple[str, ...], TypeStyle]:
    """Return the rows of a card's title, one or two, and the type style in which they fit.

    Args:
        card: its title is in one language, or in two languages with ``SEPARATOR`` between them.
        style: the type style at full size.
        width: available width in printed mm.
        minimum_pt: the smallest size in points on one row; on two rows it is 7 points.

    Raises:
        PageError: the title does not fit on two rows in legible type.
    """
    text = card.title
    single = shrink_to_fit(text, style, width)
    if single.size_pt >= minimum_pt and measure(text, single) <= width + TOLERANCE:
        return (text,), single
    if SEPARATOR in text:
        rows = tuple(text.split(SEPARATOR, 1))
        widest = max(rows, key=lambda row: measure(row, style))
        double = shrink_to_fit(widest, style.resize(_ON_TWO_ROWS), width)
        if double.size_pt >= LEAST_PT and measure(widest, double) <= width + TOLERANCE:
            return rows, double
    rows, double = fit_text(
        text, style.resize(_ON_TWO_ROWS), width, lines=_MOST_ROWS, least_share=LEAST_PT / style.size_pt
    )
    excess = max(measure(row, double) for row in rows) - width
    if len(rows) > _MOST_ROWS or double.size_pt < LEAST_PT or excess > TOLERANCE:
        raise PageError(
            "card {card}: the title {text!r} does not fit in {width:.0f} mm on two lines at {least_pt:g} "
            "pt; shorten it",
            card=card.id,
            text=text,
            width=width,
            least_pt=LEAST_PT,
        )
    return rows, double


def set_title(rows: Sequence[str], style: TypeStyle, x: float, foot: float) -> list[Item]:
    """Return the rows of a title, centred on ``x``, in mm on the card.

    ``foot`` is the baseline of a single row, and the middle between the baselines of two rows, in mm.
    """
    pitch = 1.06 * style.height
    first = foot + pitch * (len(rows) - 1) / 2
    items: list[Item] = []
    for place, row in enumerate(rows):
        items += line(row, (x, first - place * pitch), style, anchor=Anchor.MIDDLE)
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
    """Return the ground of a card and its bleed, in ``ink`` or in the style's ink for cards.

    The list is empty for white, which is the paper.
    """
    ground_ink = ink or plan.ground
    return [] if ground_ink[:3] == (255, 255, 255) else fill(box(*bleed_box(plan.size)), ground_ink)


def bleed_box(size: CardSize) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of a card with its bleed, in printed mm.

    The origin is the lower left corner of the trimmed card.
    """
    return -size.bleed, -size.bleed, size.width + size.bleed, size.height + size.bleed


def rounded(size: CardSize, inset: float, radius: float) -> BaseGeometry:
    """Return the outline of a card ``inset`` printed mm inside the cut, with corners of ``radius`` mm."""
    inner = inset + radius
    return box(inner, inner, size.width - inner, size.height - inner).buffer(radius, quad_segs=_ROUND)


def border(plan: CardLayout, rules: Iterable[BorderRule]) -> Iterator[Path]:
    """Yield the lines of the border of a card, one for each rule."""
    for rule in rules:
        stroke = Stroke(plan.drafter.style.solid("ink"), plan.drafter.width(rule.line), join=Join.MITRE)
        yield from outline(rounded(plan.size, rule.inset, rule.radius), stroke)


def cut_corners(picture: Rect, radius: float) -> tuple[BaseGeometry, BaseGeometry]:
    """Return the window of a picture with its corners cut by arcs, and the cut-off corners.

    All areas, and the ``radius`` of the arcs, are in printed mm. The cut-off corners extend a little beyond the frame.
    """
    frame = box(picture.x, picture.y, picture.right, picture.top)
    corners = [Point(x, y) for x in (picture.x, picture.right) for y in (picture.y, picture.top)]
    cut = shapely.union_all([corner.buffer(radius, quad_segs=_ROUND) for corner in corners])
    # The covers overlap the edge, so that no hairline of the picture shows in print.
    return frame.difference(cut), cut.intersection(frame.buffer(_OVER, join_style="mitre"))
