"""Secret sheets: the cards of a player or the ninth card inside, and a cover with a security tint outside."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from msgspec import Struct

from printkit.chance.streams import Jitter
from printkit.content.cards import CardSize, Suit
from printkit.content.prose import Block, Paragraph, Steps
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
    Join,
    Layer,
    LayerName,
    Path,
    Rect,
    Stamp,
    Stroke,
)
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.canvas.shapes import runs
from printkit.drawing.canvas.style import Style
from printkit.drawing.cards.suits import suit_shape
from printkit.drawing.forms.zone_grid import ZoneGrid, draw_medallion
from printkit.drawing.lettering.lettering import measure, shrink_to_fit
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.text_styles import drawing_of, make_line, oblong, patch
from printkit.systems.brantley.sheets.zone_board import sides

# --- The tint on the covers of secret sheets --------------------------------------------------------------------------

_PITCH: Final = 4.2
_HEIGHT: Final = 4.3
_SIZES: Final = (0.70, 1.06)
_ASIDE: Final = 0.85
_CLOSE: Final = 0.84
# The lines of the frame: the distance of each inside the rectangle, and its width, in mm.
_FRAME: Final = ((0.0, 1.0), (2.0, 0.4))


def tinted(place: Rect, style: Style) -> tuple[Layer, ...]:
    """Return the ground, the pattern and the frame of a tint that fills a rectangle."""
    ground = patch(oblong(*place), style.solid("card-back"))
    ink = style.solid("card-back" if style.washes else "ink")
    frame = tuple(
        patch(oblong(*place.padded(-inset)), None, Stroke(ink, width, join=Join.MITRE)) for inset, width in _FRAME
    )
    suits = tuple(Stamp(_artwork(suit, style.solid("card-back-line")), places) for suit, places in _strewn(place))
    return (
        Layer(LayerName.PAPER, (ground,)),
        Layer(LayerName.GROUND_PATTERN, suits, place),
        Layer(LayerName.FRAME, frame),
    )


def _strewn(place: Rect) -> Iterator[tuple[Suit, tuple[Affine, ...]]]:
    """Yield each suit with its positions in close rows; every other row is shifted by half a step."""
    stream = Jitter(0).stream("sheets/tint")
    found: dict[Suit, list[Affine]] = {suit: [] for suit in Suit}
    kinds = list(Suit)
    rows = math.ceil(place.height / (_CLOSE * _PITCH)) + 1
    columns = math.ceil(place.width / _PITCH) + 2
    for row in range(rows):
        for column in range(columns):
            x = place.x + (column - 0.5 * (row % 2)) * _PITCH + stream.between(-_ASIDE, _ASIDE)
            y = place.y + _CLOSE * row * _PITCH + stream.between(-_ASIDE, _ASIDE)
            turn, size = stream.between(0.0, 2 * math.pi), stream.between(*_SIZES)
            across, up = size * math.cos(turn), size * math.sin(turn)
            found[kinds[stream.draw_index(len(kinds))]].append(Affine(across, up, -up, across, x, y))
    for suit, places in found.items():
        yield suit, tuple(places)


@cache
def _artwork(suit: Suit, ink: Ink) -> Artwork:
    return Artwork(f"tint-{suit.name.lower()}", (Path(runs(suit_shape(suit, _HEIGHT, (0.0, 0.0))), fill=ink),))


# --- Covers of secret sheets ------------------------------------------------------------------------------------------

# Free space on each side of the fold, in mm.
FOLD: Final = 6.0

_DASH: Final = (3.0, 2.0)
_FOLD_DASH: Final = (5.0, 2.0, 1.0, 2.0)
_FLAP: Final = (30.0, 34.0)
_FLAP_LARGE: Final = (24.0, 56.0)
_GAP: Final = 4.0
_GAP_LARGE: Final = 1.8
_RADIUS: Final = 19.0
# Type sizes of the title; the first that leaves space for the texts below is used.
_TITLE_PT: Final = (25.0, 20.0, 16.0, 13.0)

_LEAD_PT: Final = 12.0


class SheetCover(Struct, frozen=True, kw_only=True):
    """The texts of a cover: on the front the title, the recipient and notes; on the back the steps for use.

    ``letter`` is the large letter on the tint. ``signed`` is the text for the signature on the back, over the sticker
    at the open edge.
    """

    title: str
    lead: str
    front: tuple[Block, ...]
    steps: tuple[str, ...]
    letter: str
    token: str
    signed: str


def cover_drawing(said: SheetCover, width: float, height: float, tint: Rect, drafter: Drafter) -> Drawing:
    """Return a cover as a drawing of ``width`` by ``height`` mm.

    Args:
        said: the texts.
        width: of the sheet inside its margins.
        height: of the sheet inside its margins.
        tint: the area behind the secret, which must not show through.
        drafter: style and words.

    Raises:
        PageError: the texts do not fit below the tint.
    """
    words, middle, large = drafter.words, width / 2, bool(drafter.style.least_pt)
    free = tint.y - (_GAP_LARGE if large else _GAP)
    flap_wide, flap_high = _FLAP_LARGE if large else _FLAP
    flap_high = min(flap_high, free)
    at = (middle + FOLD + (width - middle - FOLD) / 2, tint.y + tint.height / 2)
    items: list[Item] = [*_letter(said, at, drafter)]
    front = Rect(middle + FOLD, 0.0, width - middle - FOLD - flap_wide - _GAP, free)
    back = Rect(flap_wide + _GAP, 0.0, middle - FOLD - flap_wide - _GAP, free)
    items += _front(said, front, drafter)
    items += drafter.prose((Paragraph(words("brantley.sheets.cover.steps"), "strong"), Steps(said.steps)), back)
    flap = Rect(0.0, (free - flap_high) / 2, flap_wide, flap_high)
    items += _flap(flap._replace(x=width - flap_wide), words("brantley.sheets.cover.sticker"), drafter)
    items += _flap(flap, said.signed, drafter, left=True)
    items += fold_line(middle, height, tint, drafter)
    return drawing_of(width, height, items, *tinted(tint, drafter.style))


def fold_line(x: float, height: float, tint: Rect, drafter: Drafter) -> Iterator[Item]:
    """Yield the fold line with its name; it is white on a dark tint."""
    over = drafter.stroke(0.35, "card-back-line", dash=_FOLD_DASH)
    free = min(tint.y, height)
    for low, high in ((0.0, free), (tint.top, height)):
        if high - low > 1.0:
            yield drafter.dashed_line([(x, low), (x, high)], 0.35, _FOLD_DASH)
    hand = drafter.type_style(Font.FIGURES_ITALIC, 7.5, "ink-secondary")
    said = drafter.words("brantley.sheets.fold")
    yield from drafter.text(said, (x - 1.2, free / 2), hand, max_width_mm=free, anchor=Anchor.MIDDLE, angle=90.0)
    if drafter.style.washes:
        bare = drafter.rule([(x, tint.y), (x, tint.top)], 0.35)
        yield Path(bare.runs, stroke=Stroke(over.ink, over.width, over.dash, cap=Cap.BUTT))


def _letter(said: SheetCover, at: tuple[float, float], drafter: Drafter) -> Iterator[Item]:
    """Yield the large letter on its disc, which is as opaque as the tint around it."""
    yield from draw_medallion("", at, _RADIUS + 1.8, drafter, token="card-back-line")
    yield from draw_medallion(said.letter, at, _RADIUS, drafter, token=said.token, font=Font.INDEX)


def _front(said: SheetCover, place: Rect, drafter: Drafter) -> list[Item]:
    """Return title, lead and texts of the front, with the largest title that leaves space for the texts.

    Raises:
        PageError: the texts do not fit even with the smallest title.
    """
    *larger, least = _TITLE_PT
    for size_pt in larger:
        try:
            return list(_front_under(size_pt, said, place, drafter))
        except PageError:
            continue
    return list(_front_under(least, said, place, drafter))


def _front_under(size_pt: float, said: SheetCover, place: Rect, drafter: Drafter) -> Iterator[Item]:
    title = shrink_to_fit(said.title, drafter.type_style(Font.ROMAN, size_pt, track=0.2), place.width)
    lead = shrink_to_fit(said.lead, drafter.type_style(Font.BANNER, _LEAD_PT, said.token), place.width)
    y = place.top - 0.80 * title.height
    yield from drafter.text(said.title, (place.x, y), title, max_width_mm=place.width)
    y -= 0.55 * title.height + 0.72 * lead.height
    yield from drafter.text(said.lead, (place.x, y), lead, max_width_mm=place.width)
    y -= 0.9 * lead.height
    yield drafter.rule([(place.x, y), (place.right, y)], 0.5, said.token)
    below = Rect(place.x, place.y, place.width, y - 2.0 - place.y)
    yield from drafter.prose(said.front, below)


def _flap(place: Rect, said: str, drafter: Drafter, *, left: bool = False) -> Iterator[Item]:
    """Yield one half of the box for a sticker: three dashed sides, open at the edge of the paper."""
    outer, inner = (place.x, place.right) if left else (place.right, place.x)
    points = [(outer, place.y), (inner, place.y), (inner, place.top), (outer, place.top)]
    yield drafter.dashed_line(points, 0.4, _DASH)
    room = Rect(place.x + 2.0, place.y + 2.0, place.width - 4.0, place.height - 4.0)
    yield from drafter.prose((Paragraph(said),), room, sizes=(9.5, 9.0, 8.5, 8.0, 7.5), is_centred=True)


_HEAD: Final = 13.0
_SLOT: Final = 6.0
_BECOMES: Final = 17.0
_BECOMES_LARGE: Final = 21.0
_FOOT: Final = 4.5
_AIR: Final = 3.0
_LEAST_BELOW: Final = 44.0
_TINT_MORE: Final = 2.0
_CUT: Final = Ink(120, 120, 120)
_CUT_LINE: Final = 0.12
_TICK: Final = (1.0, 4.0)
_TICK_LINE: Final = 0.15
_BLACK: Final = Ink(0, 0, 0)
# Largest side of the map of the zones, in mm.
_MAP: Final = 50.0
# Space for the name of an edge, in mm.
_EDGE: Final = 5.0
_EDGE_PT: Final = 8.5
_BETWEEN: Final = 9.0
# Width of the log as a share of the space next to the map; in large print the second.
_LOG: Final = 0.52
_LOG_LARGE: Final = 0.33
_PAIR_PT: Final = (10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5)


class HandCard(Struct, frozen=True):
    """A card to cut out, with its name in the hand above it and its feature below."""

    slot: str
    face: Drawing
    becomes: str


class Inside(Struct, frozen=True, kw_only=True):
    """The content of a folded sheet: its title, its game, the cards of a hand or the ninth, and instructions.

    ``log`` is a form to fill in. ``turned`` is True if the zones on the sheet are seen from the far edge.
    """

    title: str
    origin: str
    how: tuple[Block, ...]
    cards: tuple[HandCard, ...]
    log: tuple[Block, ...]
    turned: bool = False


def _becomes_height(style: Style) -> float:
    """Return the height in mm of the text with the feature of a card."""
    return _BECOMES_LARGE if style.least_pt else _BECOMES


def hand_tint(width: float, height: float, size: CardSize, style: Style) -> Rect:
    """Return the area of a cover behind the cards of a hand and their texts.

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


def hand_inside(said: Inside, width: float, height: float, size: CardSize, drafter: Drafter) -> Drawing:
    """Return the inner side of a hand as a drawing of ``width`` by ``height`` mm."""
    left = (width - 4 * size.width) / 2
    y = height - _HEAD - _SLOT - size.height
    row = [Rect(left + place * size.width, y, size.width, size.height) for place in range(len(said.cards))]
    items: list[Item] = [*_head(said.title, said.origin, Rect(0.0, height - _HEAD, width, _HEAD), drafter)]
    for card, place in zip(said.cards, row, strict=True):
        items += _around(card, place, drafter)
    items += _cuts(row, width)
    below = Rect(0.0, _FOOT, width, y - _becomes_height(drafter.style) - _FOOT - 2.0)
    items += _below(said, below, drafter)
    items += _foot(drafter.words("brantley.sheets.hand.cut"), width, height, drafter)
    cards = [PlacedDrawing(card.face, place.x, place.y) for card, place in zip(said.cards, row, strict=True)]
    return joined(width, height, [*cards, PlacedDrawing(drawing_of(width, height, items), 0.0, 0.0)])


def ninth_inside(said: Inside, width: float, height: float, size: CardSize, drafter: Drafter) -> Drawing:
    """Return the inner side of the sealed sheet: the card on the right, and the tint that covers it on the left."""
    tint = hand_tint(width, height, size, drafter.style)
    middle, (card,) = width / 2, said.cards
    y = height - _HEAD - _SLOT - size.height
    place = Rect(middle + (middle - size.width) / 2, y, size.width, size.height)
    items: list[Item] = [*_around(card, place, drafter), *_cuts([place], width)]
    right = Rect(middle + FOLD, height - _HEAD, width - middle - FOLD, _HEAD)
    items += _head(said.title, said.origin, right, drafter)
    how = Rect(middle + FOLD, _FOOT, width - middle - FOLD, tint.y - _FOOT - _AIR)
    items += drafter.prose(said.how, how)
    items += drafter.prose(said.log, how._replace(x=0.0))
    items += _foot("", width, height, drafter)
    cover = tint._replace(width=middle - FOLD)
    below = drawing_of(width, height, (), *tinted(cover, drafter.style))
    parts = [PlacedDrawing(below, 0.0, 0.0), PlacedDrawing(card.face, place.x, place.y)]
    return joined(width, height, [*parts, PlacedDrawing(drawing_of(width, height, items), 0.0, 0.0)])


def _head(title: str, origin: str, place: Rect, drafter: Drafter) -> Iterator[Item]:
    """Yield the title on the left and the game on the right, above a line."""
    hand, small = (
        drafter.type_style(Font.ROMAN, 19.0, track=0.2),
        drafter.type_style(Font.FIGURES, 7.5, "ink-secondary"),
    )
    y = place.top - 0.80 * hand.height
    room = place.width - measure(origin, small) - 5.0
    if small.least_pt and measure(title, hand) > room:
        # In large print the game goes below the line if the title is too long.
        yield from drafter.text(title, (place.x, y), hand, max_width_mm=place.width)
        at = (place.right, y - 3.2 - 0.80 * small.height)
        yield from drafter.text(origin, at, small, max_width_mm=place.width, anchor=Anchor.END)
    else:
        yield from drafter.text(title, (place.x, y), hand, max_width_mm=room)
        yield from drafter.text(origin, (place.right, y), small, max_width_mm=place.width, anchor=Anchor.END)
    yield drafter.rule([(place.x, y - 2.4), (place.right, y - 2.4)], 0.3)


def _around(card: HandCard, place: Rect, drafter: Drafter) -> Iterator[Item]:
    """Yield the name of a card above it, and its feature below it."""
    hand = drafter.type_style(Font.HEAVY, 11.0)
    middle = place.x + place.width / 2
    # A name wider than its card would cover the cut ticks. The title has the same text, so large print omits it.
    if not hand.least_pt or measure(card.slot, hand) < place.width:
        yield from drafter.text(
            card.slot, (middle, place.top + 1.6), hand, max_width_mm=place.width, anchor=Anchor.MIDDLE
        )
    high = _becomes_height(drafter.style)
    below = Rect(place.x + 3.0, place.y - high, place.width - 6.0, high - 2.0)
    yield from drafter.prose((Paragraph(card.becomes),), below, sizes=_PAIR_PT)


def _cuts(row: Sequence[Rect], width: float) -> Iterator[Item]:
    """Yield hairlines on the cuts, and ticks that point at them."""
    for place in row:
        yield patch(oblong(*place), None, Stroke(_CUT, _CUT_LINE, join=Join.MITRE))
    near, far = _TICK
    for x in sorted({round(x, 2) for place in row for x in (place.x, place.right)}):
        for y, way in ((row[0].top, 1), (row[0].y, -1)):
            yield make_line([(x, y + way * near), (x, y + way * far)], _BLACK, _TICK_LINE)
    left, right = row[0].x, row[-1].right
    for y in (row[0].y, row[0].top):
        if left > 2 * near:
            yield make_line([(left - near, y), (max(0.0, left - far), y)], _BLACK, _TICK_LINE)
            yield make_line([(right + near, y), (min(width, right + far), y)], _BLACK, _TICK_LINE)


def _below(said: Inside, place: Rect, drafter: Drafter) -> Iterator[Item]:
    """Yield the log on the left, the instructions in the middle and the zones on the right."""
    side, players = min(place.height - 2 * _EDGE, _MAP), sides(drafter.words)
    # In large print names of edges may be longer than the grid is wide.
    named = drafter.type_style(Font.BANNER, _EDGE_PT)
    wide = max(side, *(measure(player.edge, named) * bool(named.least_pt) + 2.0 for player in players))
    left = place.right - (wide + side) / 2
    grid = ZoneGrid(place=Rect(left, place.top - _EDGE - side, side, side), turned=said.turned)
    yield from grid.lines(drafter)
    yield from grid.numbers(drafter, 9.0, inset=1.4)
    yield from grid.edges(*players, drafter, size_pt=_EDGE_PT)
    room = place.width - wide - 2 * _BETWEEN
    log = Rect(place.x, place.y, room * (_LOG_LARGE if drafter.style.least_pt else _LOG), place.height)
    how = Rect(log.right + _BETWEEN, place.y, room - log.width, place.height)
    yield from drafter.prose(said.log, log, sizes=_PAIR_PT)
    yield from drafter.prose(said.how, how)


def _foot(cut: str, width: float, height: float, drafter: Drafter) -> Iterator[Item]:
    true_size = drafter.words("marks.true-size")
    hand = drafter.type_style(Font.FIGURES, 6.5)
    yield from drafter.text(true_size, (0.0, 0.4), hand, max_width_mm=width)
    free = width - measure(true_size, hand) - 5.0
    if hand.least_pt and measure(cut, hand) > free:
        # In large print the cutting note goes above the cards if the footer is too narrow.
        yield from drafter.text(cut, (0.0, height - 0.97 * _HEAD), hand, max_width_mm=width)
    else:
        yield from drafter.text(cut, (width, 0.4), hand, max_width_mm=free, anchor=Anchor.END)
