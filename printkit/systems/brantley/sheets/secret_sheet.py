"""Secret sheets: the cards of a player or the ninth card inside, and a cover with a security tint outside."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from msgspec import Struct

from printkit.chance.streams import Jitter
from printkit.content.cards import CardSize, Suit
from printkit.content.prose import Block, Heading, Paragraph, Steps
from printkit.core.errors import PageError
from printkit.drawing.canvas.items import (
    Affine,
    Anchor,
    Artwork,
    Cap,
    Drawing,
    Font,
    Ink,
    Item,
    Layer,
    LayerName,
    Path,
    Rect,
    Stamp,
    Stroke,
)
from printkit.drawing.canvas.layers import PlacedDrawing, drawing_of, joined
from printkit.drawing.canvas.plain import BLACK, make_frame, make_line, make_rectangle
from printkit.drawing.canvas.shapes import runs
from printkit.drawing.canvas.style import Style
from printkit.drawing.cards.parts import suit_shape
from printkit.drawing.lettering.lettering import measure, shrink_to_fit
from printkit.drawing.map.layout_plan import ZoneGrid, draw_medallion
from printkit.drawing.text.drafter import Drafter
from printkit.systems.brantley.sheets.zone_board import sides

# --- The tint on the covers of secret sheets --------------------------------------------------------------------------

_PITCH: Final = 4.2
_HEIGHT: Final = 4.3
_SIZES: Final = (0.70, 1.06)
_JITTER_MM: Final = 0.85
_ROW_STEP: Final = 0.84
# The lines of the frame: the distance of each inside the rectangle, and its width, in mm.
_FRAME: Final = ((0.0, 1.0), (2.0, 0.4))


def draw_tint(place: Rect, style: Style) -> tuple[Layer, ...]:
    """Return the layers of a tint that fills a rectangle in mm on paper: ground, pattern and frame.

    The order is from the bottom to the top.
    """
    ground = make_rectangle(place, style.solid("card-back"))
    ink = style.solid("card-back" if style.washes else "ink")
    frame = tuple(make_frame(place.padded(-inset), ink, width) for inset, width in _FRAME)
    suits = tuple(
        Stamp(_suit_artwork(suit, style.solid("card-back-line")), places) for suit, places in _scatter_suits(place)
    )
    return (
        Layer(LayerName.PAPER, (ground,)),
        Layer(LayerName.GROUND_PATTERN, suits, place),
        Layer(LayerName.FRAME, frame),
    )


def _scatter_suits(place: Rect) -> Iterator[tuple[Suit, tuple[Affine, ...]]]:
    """Yield each suit with its transforms in a rectangle in mm on paper, in close rows.

    Every other row is shifted by half a step; rotation and size are random, but always the same. Some extend past the
    rectangle.
    """
    stream = Jitter(0).stream("sheets/tint")
    stamps_by_suit: dict[Suit, list[Affine]] = {suit: [] for suit in Suit}
    kinds = list(Suit)
    rows = math.ceil(place.height / (_ROW_STEP * _PITCH)) + 1
    columns = math.ceil(place.width / _PITCH) + 2
    for row in range(rows):
        for column in range(columns):
            x = place.x + (column - 0.5 * (row % 2)) * _PITCH + stream.between(-_JITTER_MM, _JITTER_MM)
            y = place.y + _ROW_STEP * row * _PITCH + stream.between(-_JITTER_MM, _JITTER_MM)
            turn, size = stream.between(0.0, 2 * math.pi), stream.between(*_SIZES)
            cosine, sine = size * math.cos(turn), size * math.sin(turn)
            stamps_by_suit[kinds[stream.draw_index(len(kinds))]].append(Affine(cosine, sine, -sine, cosine, x, y))
    for suit, places in stamps_by_suit.items():
        yield suit, tuple(places)


@cache
def _suit_artwork(suit: Suit, ink: Ink) -> Artwork:
    """Return the artwork of a suit in the pattern of a tint; it is cached."""
    return Artwork(f"tint-{suit.name.lower()}", (Path(runs(suit_shape(suit, _HEIGHT, (0.0, 0.0))), fill=ink),))


# --- Covers of secret sheets ------------------------------------------------------------------------------------------

# Free space on each side of the fold, in mm.
FOLD_GAP: Final = 6.0

_DASH: Final = (3.0, 2.0)
_FOLD_DASH: Final = (5.0, 2.0, 1.0, 2.0)
_FLAP: Final = (30.0, 34.0)
_FLAP_LARGE: Final = (24.0, 56.0)
_GAP: Final = 4.0
_GAP_LARGE: Final = 1.8
_TITLE_PT: Final = 18.0
_RADIUS: Final = 19.0


class SheetCover(Struct, frozen=True, kw_only=True):
    """The texts of a cover: title, recipient and notes on the front; steps for use on the back.

    ``write_lines`` are lines to write on, below the notes. ``letter`` is the large letter on the tint.
    ``signature_text`` is the text for the signature on the back, over the sticker at the open edge.
    """

    title: str
    lead: str
    front: tuple[Block, ...]
    steps: tuple[str, ...]
    letter: str
    token: str
    signature_text: str
    write_lines: tuple[Block, ...] = ()


def draw_cover(cover: SheetCover, width: float, height: float, tint: Rect, drafter: Drafter) -> Drawing:
    """Return a cover as a drawing of ``width`` by ``height`` mm on paper.

    The front is the right half, the back the left half; the fold is between them.

    Args:
        cover: the texts.
        width: of the sheet inside its margins.
        height: of the sheet inside its margins.
        tint: the area behind the secret, which must not show through.
        drafter: style and words.

    Raises:
        PageError: the texts do not fit below the tint.
    """
    words, middle, large = drafter.words, width / 2, bool(drafter.style.least_pt)
    free_height = tint.y - (_GAP_LARGE if large else _GAP)
    flap_wide, flap_high = _FLAP_LARGE if large else _FLAP
    flap_high = min(flap_high, free_height)
    letter_centre = (middle + FOLD_GAP + (width - middle - FOLD_GAP) / 2, tint.y + tint.height / 2)
    # The letter is as opaque as the tint around it.
    items: list[Item] = [
        *draw_medallion("", letter_centre, _RADIUS + 1.8, drafter, token="card-back-line"),
        *draw_medallion(cover.letter, letter_centre, _RADIUS, drafter, token=cover.token, font=Font.INDEX),
    ]
    front = Rect(middle + FOLD_GAP, 0.0, width - middle - FOLD_GAP - flap_wide - _GAP, free_height)
    back = Rect(flap_wide + _GAP, 0.0, middle - FOLD_GAP - flap_wide - _GAP, free_height)
    lead = Paragraph(f"**{cover.lead}**")
    if large:
        items += drafter.prose((Heading(cover.title), lead, *cover.front), front)
    else:
        title_style = shrink_to_fit(cover.title, drafter.type_style(Font.ROMAN, _TITLE_PT), front.width)
        title_height = 1.25 * title_style.height
        items += drafter.text(cover.title, (front.x, front.top - 0.8 * title_style.height), title_style)
        items += drafter.prose((lead, *cover.front), front._replace(height=front.height - title_height))
    items += drafter.prose((Paragraph(words("brantley.sheets.cover.steps"), "strong"), Steps(cover.steps)), back)
    flap = Rect(0.0, (free_height - flap_high) / 2, flap_wide, flap_high)
    items += _draw_flap(flap._replace(x=width - flap_wide), words("brantley.sheets.cover.sticker"), drafter)
    items += _draw_flap(flap, cover.signature_text, drafter, left=True)
    items += draw_fold_line(middle, height, tint, drafter)
    return drawing_of(width, height, items, *draw_tint(tint, drafter.style))


def draw_fold_line(x: float, height: float, tint: Rect, drafter: Drafter) -> Iterator[Item]:
    """Yield the fold line at ``x`` mm with its name; it is white on a dark tint.

    It is vertical. ``height`` is the height of the sheet in mm on paper, ``tint`` the area of the tint.
    """
    tint_stroke = drafter.stroke(0.35, "card-back-line", dash=_FOLD_DASH)
    free_height = min(tint.y, height)
    for low, high in ((0.0, free_height), (tint.top, height)):
        if high - low > 1.0:
            yield drafter.dashed_line([(x, low), (x, high)], 0.35, _FOLD_DASH)
    type_style = drafter.type_style(Font.FIGURES_ITALIC, 7.5, "ink-secondary")
    fold_text = drafter.words("brantley.sheets.fold")
    yield from drafter.text(
        fold_text, (x - 1.2, free_height / 2), type_style, max_width_mm=free_height, anchor=Anchor.MIDDLE, angle=90.0
    )
    if drafter.style.washes:
        tint_rule = drafter.rule([(x, tint.y), (x, tint.top)], 0.35)
        yield Path(tint_rule.runs, stroke=Stroke(tint_stroke.ink, tint_stroke.width, tint_stroke.dash, cap=Cap.BUTT))


def _draw_flap(place: Rect, text: str, drafter: Drafter, *, left: bool = False) -> Iterator[Item]:
    """Yield one half of the box for a sticker: three dashed sides, open at the edge of the paper.

    ``left`` is True for the half at the left edge. Items are in printed mm.
    """
    outer, inner = (place.x, place.right) if left else (place.right, place.x)
    points = [(outer, place.y), (inner, place.y), (inner, place.top), (outer, place.top)]
    yield drafter.dashed_line(points, 0.4, _DASH)
    text_area = Rect(place.x + 2.0, place.y + 2.0, place.width - 4.0, place.height - 4.0)
    yield from drafter.prose((Paragraph(text),), text_area, sizes=(9.5, 9.0, 8.5, 8.0, 7.5), is_centred=True)


_HEAD: Final = 13.0
_HEAD_PT: Final = (13.0, 12.0, 11.0, 10.0, 9.0, 8.0)
_SLOT: Final = 6.0
_BECOMES: Final = 17.0
_BECOMES_LARGE: Final = 21.0
_FOOT: Final = 4.5
_HOW_GAP: Final = 3.0
_LEAST_BELOW: Final = 44.0
_TINT_MORE: Final = 2.0
_CUT: Final = Ink(120, 120, 120)
_CUT_LINE: Final = 0.12
_TICK: Final = (1.0, 4.0)
_TICK_LINE: Final = 0.15
# Largest side of the map of the zones, in mm.
_MAP_MAX: Final = 50.0
# Space for the name of an edge, in mm.
_EDGE: Final = 5.0
_EDGE_PT: Final = 8.5
_BETWEEN: Final = 9.0
# Width of the log as a share of the space next to the map; in large print the second.
_LOG_SHARE: Final = 0.52
_LOG_SHARE_LARGE: Final = 0.33
_PAIR_PT: Final = (10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5)


class PrintedCard(Struct, frozen=True):
    """A card to cut out, with its name in the hand above it and its feature below.

    ``face`` is the drawing of the card at its size for cutting out.
    """

    slot: str
    face: Drawing
    becomes: str


class Inside(Struct, frozen=True, kw_only=True):
    """The content of a folded sheet: title and game, the cards of a hand or the ninth, and instructions.

    ``log`` is a form to fill in. ``is_rotated`` is True if the zones on the sheet are seen from the far edge.
    """

    head: tuple[Block, ...]
    how: tuple[Block, ...]
    cards: tuple[PrintedCard, ...]
    log: tuple[Block, ...]
    is_rotated: bool = False


def _becomes_height(style: Style) -> float:
    """Return the height of the text with the feature of a card, in mm on paper."""
    return _BECOMES_LARGE if style.least_pt else _BECOMES


def hand_tint_area(width: float, height: float, size: CardSize, style: Style) -> Rect:
    """Return the area of a cover in mm on paper that is behind the cards of a hand and their texts.

    ``width`` and ``height`` are those of the sheet inside its margins, in mm. ``size`` is that of a card.

    Raises:
        PageError: the sheet is too small for four cards in a row.
    """
    top = height - _HEAD
    foot = top - _SLOT - size.height - _becomes_height(style)
    if width < 4 * size.width or foot < _LEAST_BELOW:
        raise PageError(
            "a hand of four cards of {size_width:g} x {size_height:g} mm needs about {needed_width:.0f} x "
            "{needed_height:.0f} mm, but the sheet has {width:.0f} x {height:.0f} mm; use larger paper",
            size_width=size.width,
            size_height=size.height,
            needed_width=4 * size.width,
            needed_height=height - foot + _LEAST_BELOW,
            width=width,
            height=height,
        )
    return Rect(0.0, foot - _TINT_MORE, width, top - foot + 2 * _TINT_MORE)


def draw_hand_inside(inside: Inside, width: float, height: float, size: CardSize, drafter: Drafter) -> Drawing:
    """Return the inner side of a hand as a drawing of ``width`` by ``height`` mm on paper.

    It shows the faces of up to four cards in a row, with cuts between them, and the lower part below. ``size`` is that
    of a card.

    Raises:
        PageError: a text does not fit.
    """
    left = (width - 4 * size.width) / 2
    y = height - _HEAD - _SLOT - size.height
    row = [Rect(left + place * size.width, y, size.width, size.height) for place in range(len(inside.cards))]
    items = drafter.prose(inside.head, Rect(0.0, height - _HEAD, width, _HEAD), sizes=_HEAD_PT)
    below = Rect(0.0, _FOOT, width, y - _becomes_height(drafter.style) - _FOOT - 2.0)
    items += _draw_lower_part(inside, below, drafter)
    items += _draw_footer(drafter.words("brantley.sheets.hand.cut"), width, height, drafter)
    return _add_cards(inside, row, drawing_of(width, height, items), drafter)


def draw_ninth_inside(inside: Inside, width: float, height: float, size: CardSize, drafter: Drafter) -> Drawing:
    """Return the inner side of the sealed sheet: the card on the right, and the tint on the left.

    The tint covers the card when the sheet is folded. ``width`` and ``height`` are in mm on paper; ``size`` is that of
    a card.

    Raises:
        PageError: the sheet is too small, or a text does not fit.
        ValueError: ``inside`` does not have exactly one card.
    """
    tint = hand_tint_area(width, height, size, drafter.style)
    middle = width / 2
    place = Rect(middle + (middle - size.width) / 2, height - _HEAD - _SLOT - size.height, size.width, size.height)
    right = Rect(middle + FOLD_GAP, height - _HEAD, width - middle - FOLD_GAP, _HEAD)
    items = drafter.prose(inside.head, right, sizes=_HEAD_PT)
    how = right._replace(y=_FOOT, height=tint.y - _FOOT - _HOW_GAP)
    items += drafter.prose(inside.how, how)
    items += drafter.prose(inside.log, how._replace(x=0.0))
    items += _draw_footer("", width, height, drafter)
    cover = tint._replace(width=middle - FOLD_GAP)
    sheet = drawing_of(width, height, items, *draw_tint(cover, drafter.style))
    return _add_cards(inside, [place], sheet, drafter)


def _add_cards(inside: Inside, row: Sequence[Rect], sheet: Drawing, drafter: Drafter) -> Drawing:
    """Return a sheet with the faces of its cards, their texts, and the cuts around them.

    ``row`` has the rectangles of the cards from left to right, in mm on paper.
    """
    texts = [
        item for card, place in zip(inside.cards, row, strict=True) for item in _draw_card_texts(card, place, drafter)
    ]
    marks = drawing_of(sheet.width, sheet.height, [*texts, *_draw_cuts(row, sheet.width)])
    cards = [PlacedDrawing(card.face, place.x, place.y) for card, place in zip(inside.cards, row, strict=True)]
    return joined(sheet.width, sheet.height, [PlacedDrawing(sheet, 0.0, 0.0), *cards, PlacedDrawing(marks, 0.0, 0.0)])


def _draw_card_texts(card: PrintedCard, place: Rect, drafter: Drafter) -> Iterator[Item]:
    """Yield the name of a card above its rectangle ``place``, in mm on paper, and its feature below it."""
    name_style = drafter.type_style(Font.HEAVY, 11.0)
    middle = place.x + place.width / 2
    # A name wider than its card would cover the cut ticks. The title has the same text, so large print omits it.
    if not name_style.least_pt or measure(card.slot, name_style) < place.width:
        yield from drafter.text(
            card.slot, (middle, place.top + 1.6), name_style, max_width_mm=place.width, anchor=Anchor.MIDDLE
        )
    text_height = _becomes_height(drafter.style)
    below = Rect(place.x + 3.0, place.y - text_height, place.width - 6.0, text_height - 2.0)
    yield from drafter.prose((Paragraph(card.becomes),), below, sizes=_PAIR_PT)


def _draw_cuts(row: Sequence[Rect], width: float) -> Iterator[Item]:
    """Yield hairlines around cards, and ticks outside the row that point at the cuts.

    ``row`` has the rectangles of the cards from left to right. ``width`` is that of the sheet; all lengths are in
    printed mm.
    """
    for place in row:
        yield make_frame(place, _CUT, _CUT_LINE)
    near, far = _TICK
    for x in sorted({round(x, 2) for place in row for x in (place.x, place.right)}):
        for y, direction in ((row[0].top, 1), (row[0].y, -1)):
            yield make_line([(x, y + direction * near), (x, y + direction * far)], BLACK, _TICK_LINE)
    left, right = row[0].x, row[-1].right
    for y in (row[0].y, row[0].top):
        if left > 2 * near:
            yield make_line([(left - near, y), (max(0.0, left - far), y)], BLACK, _TICK_LINE)
            yield make_line([(right + near, y), (min(width, right + far), y)], BLACK, _TICK_LINE)


def _draw_lower_part(inside: Inside, place: Rect, drafter: Drafter) -> Iterator[Item]:
    """Yield the log on the left, the instructions in the middle and the zones on the right.

    ``place`` is the rectangle of the part. Items are in printed mm.
    """
    side, players = min(place.height - 2 * _EDGE, _MAP_MAX), sides(drafter.words)
    # In large print names of edges may be longer than the grid is wide.
    edge_style = drafter.type_style(Font.BANNER, _EDGE_PT)
    map_width = max(side, *(measure(player.edge, edge_style) * bool(edge_style.least_pt) + 2.0 for player in players))
    left = place.right - (map_width + side) / 2
    grid = ZoneGrid(place=Rect(left, place.top - _EDGE - side, side, side), turned=inside.is_rotated)
    yield from grid.lines(drafter)
    yield from grid.numbers(drafter, 9.0, inset=1.4)
    yield from grid.edges(*players, drafter, size_pt=_EDGE_PT)
    free_width = place.width - map_width - 2 * _BETWEEN
    log = Rect(
        place.x, place.y, free_width * (_LOG_SHARE_LARGE if drafter.style.least_pt else _LOG_SHARE), place.height
    )
    how = Rect(log.right + _BETWEEN, place.y, free_width - log.width, place.height)
    yield from drafter.prose(inside.log, log, sizes=_PAIR_PT)
    yield from drafter.prose(inside.how, how)


def _draw_footer(cut: str, width: float, height: float, drafter: Drafter) -> Iterator[Item]:
    """Yield the footer of a sheet: the note on the actual size, and ``cut``, the note on cutting.

    ``width`` and ``height`` are those of the sheet in mm on paper. In large print a long note on cutting is at the top
    of the sheet.
    """
    true_size = drafter.words("marks.true-size")
    type_style = drafter.type_style(Font.FIGURES, 6.5)
    yield from drafter.text(true_size, (0.0, 0.4), type_style, max_width_mm=width)
    free_width = width - measure(true_size, type_style) - 5.0
    if type_style.least_pt and measure(cut, type_style) > free_width:
        # In large print the cutting note goes above the cards if the footer is too narrow.
        yield from drafter.text(cut, (0.0, height - 0.97 * _HEAD), type_style, max_width_mm=width)
    else:
        yield from drafter.text(cut, (width, 0.4), type_style, max_width_mm=free_width, anchor=Anchor.END)
