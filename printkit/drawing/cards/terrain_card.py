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
    CardTypeStyles,
    LineSpace,
    balance_rows,
    border,
    break_centred_rows,
    card_drawing,
    cut_corners,
    fits,
    going_banner,
    ground,
    set_centred,
    set_title,
    title_rows,
)
from printkit.drawing.cards.suits import corner_index
from printkit.drawing.cards.text_card import card_text_styles, too_long_error
from printkit.drawing.lettering.lettering import least_size_for, line
from printkit.drawing.text.text_styles import TextStyle, drawing_items
from printkit.drawing.text.typesetting import column_height, lay_out_blocks, stack_blocks

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
    text, layout = _find_text(card, plan)
    plan = replace(plan, terrain=layout)
    if layout.picture not in plan.frames:
        plan.frames[layout.picture] = (*_draw_window(plan), *border(plan, layout.border))
    items: list[Item] = [*plan.frames[layout.picture]]
    if card.index is not None:
        items += corner_index(card.index, plan)
    items += [*_draw_name(card, plan), *text]
    if card.foot:
        style = plan.drafter.type_style(
            Font.FIGURES_MEDIUM, plan.terrain.points("foot", "size"), "ink-secondary", track=0.1
        )
        position = (plan.size.width / 2, plan.terrain.number("foot", "foot"))
        items += line(card.foot, position, style, anchor=Anchor.MIDDLE)
    picture_layers = () if card.art is None else (picture(card.art, plan),)
    return card_drawing(plan.size, ground(plan), items, *picture_layers)


def _find_text(card: Card, plan: CardLayout) -> tuple[tuple[Item, ...], TerrainLayout]:
    """Return the items below the name and the layout in which they fit; equal texts share them in ``plan.texts``.

    Raises:
        PageError: they do not fit in the smallest type.
    """
    # The key: everything that takes space from the picture. Name and index do not.
    content = (card.blocks, card.banner, bool(card.foot), card.index is None)
    for cached_content, items, layout in plan.texts:
        if cached_content == content:
            return items, layout
    text = _fit_text(card, plan)
    plan.texts.append((content, *text))
    return text


def _draw_window(plan: CardLayout) -> Iterator[Item]:
    """Yield the ground over the corners of the picture, and the outline of its window.

    Items are in printed mm.
    """
    layout = plan.terrain
    hollow = min(layout.scaled("picture", "hollow"), _DEEPEST_HOLLOW * layout.picture.height)
    window, corners = cut_corners(layout.picture, hollow)
    yield from fill(corners, plan.ground)
    line_width = plan.drafter.width(layout.number("picture", "line"))
    yield from outline(window, Stroke(plan.drafter.style.solid("ink"), line_width, join=Join.MITRE))


def _draw_name(card: Card, plan: CardLayout) -> list[Item]:
    """Return the name of a card below its picture, centred, on one or two rows.

    Raises:
        PageError: the name does not fit on two rows in legible type.
    """
    layout = plan.terrain
    style = plan.drafter.type_style(
        Font.SMALL_CAPITALS, layout.points("name", "size"), track=layout.number("name", "track") * layout.share
    )
    minimum_pt = min(style.size_pt, layout.number("name", "least"))
    rows, style = title_rows(card, style, layout.scaled("name", "width"), minimum_pt=minimum_pt)
    return set_title(rows, style, plan.size.width / 2, layout.height_below_picture("name", "foot"))


def _fit_text(card: Card, plan: CardLayout) -> tuple[tuple[Item, ...], TerrainLayout]:
    """Return the items of banner and text, and the layout in which they fit.

    If needed, the type becomes smaller, and then the picture becomes lower.

    Raises:
        PageError: they do not fit in the smallest type.
    """
    layout = plan.terrain
    step = layout.scale_with_text("text", "leading") / 2
    lifts = range(math.floor(layout.drop / step) + 1)
    *roomy, close = _text_setters(card, plan)
    trial = _TextTrial((), 0, LEAST_PT)
    for setter, lift in (
        *((setter, 0) for setter in roomy),
        *((roomy[-1], lift) for lift in lifts[1:]),
        *((close, lift) for lift in lifts),
    ):
        window = layout.picture
        higher = Rect(window.x, window.y + lift * step, window.width, window.height - lift * step)
        lifted_plan = replace(plan, terrain=replace(layout, picture=higher))
        plate = _draw_plate(card, lifted_plan)
        trial = setter(plate, lifted_plan)
        if not trial.extra_lines:
            return (*plate.items, *trial.items), lifted_plan.terrain
    raise too_long_error(card, trial.extra_lines, trial.size_pt, plan)


def _draw_plate(card: Card, plan: CardLayout) -> CardPlate:
    """Return the going banner of a card; without one, no items and a negative extra height."""
    bottom = plan.terrain.height_below_picture("banner", "bottom")
    if card.banner is None:
        # Without a banner the text starts at the position of the banner.
        return CardPlate((), -_UNBANNERED - plan.terrain.scale_with_text("banner", "height"))
    return going_banner(*card.banner, bottom, plan)


class _TextTrial(NamedTuple):
    """A text set in one style: its items, or the number of lines that do not fit (``extra_lines``)."""

    items: tuple[Item, ...]
    extra_lines: int
    size_pt: float


# A function that sets the text of a card below its banner.
_TextSetter: TypeAlias = Callable[[CardPlate, CardLayout], _TextTrial]


def _text_setters(card: Card, plan: CardLayout) -> list[_TextSetter]:
    """Return two or more functions that set the text of a card, the most spacious setting first."""
    running = tuple(run_in(block, plan.drafter.words) for block in card.blocks)
    if all(isinstance(block, Paragraph) for block in running):
        paragraphs = [block for block in running if isinstance(block, Paragraph)]
        return [partial(_set_lines, card, paragraphs, setting) for setting in _type_sizes(plan)]
    return [partial(_set_text_column, card, setting) for setting in card_text_styles(plan)]


def run_in(block: Block, words: Words) -> Block:
    """Return a die table as running text, which needs less space; other blocks are unchanged."""
    if not isinstance(block, ScoreTable):
        return block
    language_words = words.each()[0]
    rows = (language_words("faces.run_in_row", score=score, meaning=meaning) for score, meaning in block.rows)
    key = "faces.run_in" if block.title else "faces.run_in_untitled"
    return Paragraph(
        language_words(key, title=block.title, dice=block.dice, rows=language_words("faces.run_in_between").join(rows))
    )


def _set_lines(
    card: Card, blocks: Sequence[Paragraph], setting: tuple[float, float], plate: CardPlate, plan: CardLayout
) -> _TextTrial:
    """Return paragraphs as centred lines below a banner, or how many lines do not fit.

    ``setting`` is the type size in points and the leading in printed mm; ``plate`` is the banner.
    """
    layout = plan.terrain
    size, leading = setting
    lowest, notch_height = _text_limits(card, plan)
    space = LineSpace(
        foot=layout.height_below_picture("text", "foot") - plate.higher,
        leading=leading,
        width=layout.scaled("text", "width"),
        notch_height=notch_height,
        narrow=layout.scaled("text", "notch"),
    )
    styles = _type_styles(size, plan)
    rows = break_centred_rows(blocks, styles, space)
    fitting = math.floor((space.foot - lowest) / leading + _LOOSE) + 1
    extra_lines = max(0, len(rows) - fitting, int(not fits(rows, styles.text, space)))
    if extra_lines:
        return _TextTrial((), extra_lines, size)
    return _TextTrial(tuple(set_centred(balance_rows(blocks, styles, space), plan.size.width / 2, space)), 0, size)


def _set_text_column(card: Card, setting: TextStyle, plate: CardPlate, plan: CardLayout) -> _TextTrial:
    """Return the blocks of a card in the plain typeface, or how many lines do not fit.

    They are below the banner ``plate`` and above the indices, as wide as the picture.
    """
    layout = plan.terrain
    width, size = layout.picture.width, setting.text.size_pt
    top = (
        layout.height_below_picture("text", "foot") - plate.higher + _ASCENT * layout.scale_with_text("text", "leading")
    )
    settings = lay_out_blocks(card.blocks, width, setting)
    height = column_height(settings)
    extra_lines = math.ceil((height - top + max(_text_limits(card, plan))) / setting.row_height() - _LOOSE)
    if extra_lines > 0:
        return _TextTrial((), extra_lines, size)
    return _TextTrial(
        tuple(drawing_items(stack_blocks(settings, width), (plan.size.width - width) / 2, top - height)), 0, size
    )


def _text_limits(card: Card, plan: CardLayout) -> tuple[float, float]:
    """Return the lowest baseline of text, and the height below which lines are narrow.

    Both are in printed mm above the lower cut. Narrow lines clear the indices in the corners; without an index the
    second is 0.
    """
    layout = plan.terrain
    lowest = layout.number("text", "lowest")
    if card.foot:
        lowest = layout.number("foot", "foot") + _ABOVE_FOOT
    if card.index is None:
        return lowest, 0.0
    hollow = layout.number("index", "below_top") * layout.share
    return lowest, hollow + _BESIDE_INDEX


def _type_sizes(plan: CardLayout) -> tuple[tuple[float, float], ...]:
    """Return pairs of type size in points and leading in printed mm, the most spacious first."""
    layout = plan.terrain
    minimum_pt = max(layout.number("text", "least"), least_size_for(Font.SMALL, plan.drafter.style.least_pt))
    full = layout.scale_with_text("text", "size")
    share = layout.number("text", "leading") / layout.number("text", "size")
    sizes = (full,) if full <= minimum_pt else (full, minimum_pt)
    last = sizes[-1] * share * layout.number("text", "close")
    return (*((size, size * share) for size in sizes), (sizes[-1], last))


def _type_styles(size: float, plan: CardLayout) -> CardTypeStyles:
    """Return the type styles of the text of a card; ``size`` is that of body text in points."""
    return CardTypeStyles(
        text=plan.drafter.type_style(Font.SMALL, size),
        strong=plan.drafter.type_style(Font.BANNER, max(LEAST_PT, _STRONG * size)),
        note=plan.drafter.type_style(Font.SMALL_ITALIC, size, "ink-secondary"),
    )
