"""Cards with a picture: border, picture with cut corners, index, name, going banner, text.

Source: the cartography, 15.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from printkit.content.cards import Card
from printkit.content.prose import Block, Paragraph, ScoreTable
from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Join, Rect, Stroke
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.cards.art import picture
from printkit.drawing.cards.layouts import LEAST_PT, CardLayout, TerrainLayout
from printkit.drawing.cards.parts import (
    CardPlate,
    Hands,
    LineRoom,
    balanced,
    border,
    card_drawing,
    centred_rows,
    fits,
    going_banner,
    ground,
    hollowed,
    set_centred,
    set_title,
    title_rows,
)
from printkit.drawing.cards.suits import corner_index
from printkit.drawing.cards.text_card import card_text_styles, too_long
from printkit.drawing.lettering.lettering import floor_of, line
from printkit.drawing.text.text_styles import TextStyle, items_of
from printkit.drawing.text.typesetting import column, column_height, set_blocks

# Gap between text and an index in a lower corner, in mm.
_BESIDE_INDEX = 1.2

_ABOVE_FOOT = 2.9
_STRONG = 0.90
_UNBANNERED = 1.0
_ASCENT = 0.8
_DEEPEST_HOLLOW = 0.42
_LOOSE = 1e-6


def terrain_face(card: Card, plan: CardLayout) -> Drawing:
    """Return the front of a card with a picture.

    A long text gets smaller type, and then space from the picture.

    Raises:
        PageError: the text does not fit then; the message gives the number of extra lines.
    """
    text, layout = _shared_words(card, plan)
    plan = replace(plan, terrain=layout)
    if layout.picture not in plan.frames:
        plan.frames[layout.picture] = (*_window(plan), *border(plan, layout.border))
    items: list[Item] = [*plan.frames[layout.picture]]
    if card.index is not None:
        items += corner_index(card.index, plan)
    items += [*_name(card, plan), *text]
    if card.foot:
        hand = plan.drafter.hand(Font.FIGURES_MEDIUM, plan.terrain.points("foot", "size"), "ink-secondary", track=0.1)
        at = (plan.size.width / 2, plan.terrain.number("foot", "foot"))
        items += line(card.foot, at, hand, anchor=Anchor.MIDDLE)
    between = () if card.art is None else (picture(card.art, plan),)
    return card_drawing(plan.size, ground(plan), items, *between)


def _shared_words(card: Card, plan: CardLayout) -> tuple[tuple[Item, ...], TerrainLayout]:
    """Return the items below the name and the layout in which they fit; equal texts share them."""
    # The key: everything that takes space from the picture. Name and index do not.
    said = (card.blocks, card.banner, bool(card.foot), card.index is None)
    for known, items, layout in plan.texts:
        if known == said:
            return items, layout
    found = _words(card, plan)
    plan.texts.append((said, *found))
    return found


def _window(plan: CardLayout) -> Iterator[Item]:
    """Yield the ground over the corners of the picture, and the outline of its window."""
    layout = plan.terrain
    hollow = min(layout.scaled("picture", "hollow"), _DEEPEST_HOLLOW * layout.picture.height)
    window, corners = hollowed(layout.picture, hollow)
    yield from fill(corners, plan.ground)
    line_width = plan.drafter.width(layout.number("picture", "line"))
    yield from outline(window, Stroke(plan.drafter.style.solid("ink"), line_width, join=Join.MITRE))


def _name(card: Card, plan: CardLayout) -> list[Item]:
    layout = plan.terrain
    hand = plan.drafter.hand(
        Font.SMALL_CAPITALS, layout.points("name", "size"), track=layout.number("name", "track") * layout.share
    )
    least = min(hand.size_pt, layout.number("name", "least"))
    rows, hand = title_rows(card, hand, layout.scaled("name", "width"), least=least)
    return set_title(rows, hand, plan.size.width / 2, layout.under("name", "foot"))


def _words(card: Card, plan: CardLayout) -> tuple[tuple[Item, ...], TerrainLayout]:
    """Return banner and text, and the layout in which they fit.

    If needed, the type becomes smaller, and then the picture becomes lower.
    """
    layout = plan.terrain
    step = layout.worded("text", "leading") / 2
    lifts = range(math.floor(layout.drop / step) + 1)
    *roomy, close = _ways(card, plan)
    tried = _Tried((), 0, LEAST_PT)
    for way, lift in (
        *((way, 0) for way in roomy),
        *((roomy[-1], lift) for lift in lifts[1:]),
        *((close, lift) for lift in lifts),
    ):
        window = layout.picture
        higher = Rect(window.x, window.y + lift * step, window.width, window.height - lift * step)
        lifted = replace(plan, terrain=replace(layout, picture=higher))
        plate = _plate(card, lifted)
        tried = way(plate, lifted)
        if not tried.over:
            return (*plate.items, *tried.items), lifted.terrain
    raise too_long(card, tried.over, tried.size_pt, plan)


def _plate(card: Card, plan: CardLayout) -> CardPlate:
    bottom = plan.terrain.under("banner", "bottom")
    if card.banner is None:
        # Without a banner the text starts at the position of the banner.
        return CardPlate((), -_UNBANNERED - plan.terrain.worded("banner", "height"))
    return going_banner(*card.banner, bottom, plan)


class _Tried(NamedTuple):
    """A text set in one style: its items, or the number of lines that do not fit (``over``)."""

    items: tuple[Item, ...]
    over: int
    size_pt: float


# A function that sets the text of a card below its banner.
_Way: TypeAlias = Callable[[CardPlate, CardLayout], _Tried]


def _ways(card: Card, plan: CardLayout) -> list[_Way]:
    """Return two or more functions that set the text of a card, the most spacious setting first."""
    running = tuple(run_in(block, plan.drafter.words) for block in card.blocks)
    if all(isinstance(block, Paragraph) for block in running):
        paragraphs = [block for block in running if isinstance(block, Paragraph)]
        return [partial(_lines, card, paragraphs, how) for how in _sizes(plan)]
    return [partial(_column, card, how) for how in card_text_styles(plan)]


def run_in(block: Block, words: Words) -> Block:
    """Return a die table as running text, which needs less space; other blocks are unchanged."""
    if not isinstance(block, ScoreTable):
        return block
    say = words.each()[0]
    rows = (say("faces.run_in_row", score=score, meaning=meaning) for score, meaning in block.rows)
    key = "faces.run_in" if block.title else "faces.run_in_untitled"
    return Paragraph(say(key, title=block.title, dice=block.dice, rows=say("faces.run_in_between").join(rows)))


def _lines(
    card: Card, blocks: Sequence[Paragraph], how: tuple[float, float], plate: CardPlate, plan: CardLayout
) -> _Tried:
    """Return paragraphs as centred lines; ``how`` is the type size in points and the leading in mm."""
    layout = plan.terrain
    size, leading = how
    lowest, notched = _lowest(card, plan)
    room = LineRoom(
        foot=layout.under("text", "foot") - plate.higher,
        leading=leading,
        width=layout.scaled("text", "width"),
        notched=notched,
        narrow=layout.scaled("text", "notch"),
    )
    hands = _hands(size, plan)
    rows = centred_rows(blocks, hands, room)
    fitting = math.floor((room.foot - lowest) / leading + _LOOSE) + 1
    over = max(0, len(rows) - fitting, int(not fits(rows, hands.text, room)))
    if over:
        return _Tried((), over, size)
    return _Tried(tuple(set_centred(balanced(blocks, hands, room), plan.size.width / 2, room)), 0, size)


def _column(card: Card, how: TextStyle, plate: CardPlate, plan: CardLayout) -> _Tried:
    """Return lists and tables in the plain typeface, above the indices."""
    layout = plan.terrain
    width, size = layout.picture.width, how.text.size_pt
    top = layout.under("text", "foot") - plate.higher + _ASCENT * layout.worded("text", "leading")
    settings = set_blocks(card.blocks, width, how)
    height = column_height(settings)
    over = math.ceil((height - top + max(_lowest(card, plan))) / how.row() - _LOOSE)
    if over > 0:
        return _Tried((), over, size)
    return _Tried(tuple(items_of(column(settings, width), (plan.size.width - width) / 2, top - height)), 0, size)


def _lowest(card: Card, plan: CardLayout) -> tuple[float, float]:
    """Return the lowest baseline, and the height below which lines must clear the indices, in mm."""
    layout = plan.terrain
    lowest = layout.number("text", "lowest")
    if card.foot:
        lowest = layout.number("foot", "foot") + _ABOVE_FOOT
    if card.index is None:
        return lowest, 0.0
    hollow = layout.number("index", "below_top") * layout.share
    return lowest, hollow + _BESIDE_INDEX


def _sizes(plan: CardLayout) -> tuple[tuple[float, float], ...]:
    """Return pairs of type size in points and leading in mm, the most spacious first."""
    layout = plan.terrain
    least = max(layout.number("text", "least"), floor_of(Font.SMALL, plan.drafter.style.least_pt))
    full = layout.worded("text", "size")
    share = layout.number("text", "leading") / layout.number("text", "size")
    sizes = (full,) if full <= least else (full, least)
    last = sizes[-1] * share * layout.number("text", "close")
    return (*((size, size * share) for size in sizes), (sizes[-1], last))


def _hands(size: float, plan: CardLayout) -> Hands:
    return Hands(
        text=plan.drafter.hand(Font.SMALL, size),
        strong=plan.drafter.hand(Font.BANNER, max(LEAST_PT, _STRONG * size)),
        note=plan.drafter.hand(Font.SMALL_ITALIC, size, "ink-secondary"),
    )
