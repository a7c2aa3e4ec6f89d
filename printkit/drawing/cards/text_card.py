"""Cards of text and cards of terrain: their fronts, with title, picture and going.

Source: the cartography, 15.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace
from shapely import box

from printkit.content.cards import Card
from printkit.content.prose import Block, Diagram, Paragraph, ScoreTable
from printkit.core.errors import PageError, Sentence
from printkit.core.numbers import is_number
from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Join, Path, Rect, Stroke
from printkit.drawing.canvas.layers import drawing_items
from printkit.drawing.canvas.plain import TOLERANCE
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.cards.art import picture
from printkit.drawing.cards.layouts import LEAST_PT, CardLayout, TerrainLayout
from printkit.drawing.cards.parts import (
    CardPlate,
    CardTypeStyles,
    LineSpace,
    balance_rows,
    bleed_box,
    border,
    break_centred_rows,
    card_drawing,
    corner_index,
    cut_corners,
    fits,
    going_banner,
    ground,
    index_token,
    set_centred,
    set_title,
    suit_items,
    title_rows,
)
from printkit.drawing.lettering.lettering import TypeStyle, least_size_for, line, measure, shrink_to_fit
from printkit.drawing.text.text_styles import TextStyle, text_style
from printkit.drawing.text.typesetting import column_height, lay_out_blocks, lay_out_to_fit, stack_blocks

_CAPITALS: Final = 0.65

# Optical height of small capitals, relative to capitals.
_BIG_SMALL: Final = 0.86

_ABOVE_FOOT: Final = 4.0

# Gap above and below the going banner on a text card, in mm.
BESIDE_BANNER: Final = 1.0


def text_face(card: Card, plan: CardLayout) -> Drawing:
    """Return the front of a text card.

    Raises:
        PageError: its text does not fit in the smallest type; the message gives the number of extra lines.
    """
    area = plan.text.box
    if card.banner is None:
        return draw_text_card(card, card.blocks, plan, area)
    # The banner is at the top of the box. Draw it first to measure it, because two rows are higher.
    banner_height = plan.terrain.scale_with_text("banner", "height") + BESIDE_BANNER
    plate = going_banner(*card.banner, area.top - banner_height, plan)
    text_area = area._replace(height=area.height - banner_height - plate.higher - BESIDE_BANNER)
    return draw_text_card(card, card.blocks, plan, text_area, above=plate.items)


def content_back(card: Card, plan: CardLayout) -> Drawing:
    """Return a card's own back, in the frame of its front; without text it has lines to write on.

    Raises:
        PageError: its text does not fit in the smallest type; the message gives the number of extra lines.
    """
    return draw_text_card(card, card.back, plan, plan.text.box) if card.back else ruled_face(card, plan)


def draw_text_card(
    card: Card, blocks: Sequence[Block], plan: CardLayout, area: Rect, *, above: Sequence[Item] = ()
) -> Drawing:
    """Return a text card with its blocks in ``area`` (mm on the card), and the items ``above`` them.

    Raises:
        PageError: the blocks do not fit in the smallest type; the message gives the number of extra lines.
    """
    text_column = set_column(card, blocks, plan, area)
    text_items = drawing_items(text_column, area.x, area.top - text_column.height)
    return card_drawing(plan.size, grounds(plan), [*frame(card, plan), *above, *text_items])


def ruled_face(card: Card, plan: CardLayout) -> Drawing:
    """Return a text card without text: its frame, with lines to write on.

    ``card`` gives the texts of the frame. The line in the place of the footer is left out.
    """
    layout = plan.text
    pitch = layout.number("ruled", "pitch")
    # The footer has its own line, so the last of these is left out.
    count = math.floor((layout.box.height - _ABOVE_FOOT) / pitch)
    items: list[Item] = list(frame(card, plan))
    for number in range(1, count + 1):
        y = layout.box.top - number * pitch
        items.append(plan.drafter.rule([(layout.box.x, y), (layout.box.right, y)], layout.number("ruled", "line")))
    return card_drawing(plan.size, grounds(plan), items)


def set_column(card: Card, blocks: Sequence[Block], plan: CardLayout, area: Rect) -> Drawing:
    """Return blocks in the largest type in which they fit ``area``, as a drawing as wide as the area.

    The area is in mm on the card.

    Raises:
        PageError: they do not fit in the smallest type; the message gives the number of extra lines.
    """
    fit = lay_out_to_fit(blocks, area.width, area.height, card_text_styles(plan))
    if fit.excess_mm:
        raise too_long_error(
            card, math.ceil(fit.excess_mm / fit.style.row_height() - TOLERANCE), fit.style.text.size_pt, plan
        )
    return stack_blocks(fit.blocks, area.width)


def too_long_error(card: Card, lines: int, size_pt: float, plan: CardLayout) -> PageError:
    """Return the error for a card whose text is ``lines`` lines too long at ``size_pt`` points."""
    excess = Sentence("1 line") if lines == 1 else Sentence("{lines} lines", lines=lines)
    return PageError(
        "card {card} is {said} too long for {size} at {size_pt:g} pt; shorten its text or use a larger card",
        card=card.id,
        said=excess,
        size=plan.size.name,
        size_pt=size_pt,
    )


def card_text_styles(plan: CardLayout) -> tuple[TextStyle, ...]:
    """Return the text styles to try on cards, the most spacious first.

    All are in the plain typeface and large enough to read. The last is the smallest size with closer leading and
    smaller gaps.
    """
    layout = plan.text
    leading = layout.number("text", "leading")
    candidates = (text_style(plan.drafter.style, size, face="plain", leading=leading) for size in layout.sizes)
    styles = [style.with_min_size(plan.least_pt) for style in candidates]
    return (
        *styles,
        styles[-1].with_spacing(layout.number("text", "close_leading"), layout.number("text", "close_air")),
    )


def grounds(plan: CardLayout) -> list[Path]:
    """Return the ground of a text card and of its title band, both with bleed."""
    left, _, right, high = bleed_box(plan.size)
    return [*ground(plan), *fill(box(left, strip_foot(plan), right, high), plan.drafter.style.ink("card-band"))]


def frame(card: Card, plan: CardLayout) -> Iterator[Item]:
    """Yield title band, title, index and footer of a text card.

    Items are in printed mm.

    Raises:
        PageError: the title or the footer does not fit in legible type.
    """
    yield from title_strip(plan)
    yield from card_title(card, plan)
    yield from card_foot(card, plan)


def title_strip(plan: CardLayout) -> Iterator[Path]:
    """Yield the chequered strip at the bottom of the band: two rows of fields, as in the map frame.

    Paths are in printed mm: the ground, the dark fields, then a rule above and below.
    """
    layout = plan.text
    band, foot, high = layout.band, strip_foot(plan), layout.scaled("band", "strip")
    count = max(3, round(band.width / layout.scaled("band", "field")) | 1)
    step, half = band.width / count, high / 2
    blocks = [
        box(
            band.x + step * number,
            foot + (half if number % 2 else 0),
            band.x + step * (number + 1),
            foot + (high if number % 2 else half),
        )
        for number in range(count)
    ]
    yield from fill(box(band.x, foot, band.right, foot + high), plan.ground)
    yield from fill(blocks, plan.drafter.style.solid("ink"))
    for y in (foot, foot + high):
        yield plan.drafter.rule([(band.x, y), (band.right, y)], layout.number("band", "line"))


def strip_foot(plan: CardLayout) -> float:
    """Return the y of the lower side of the chequered strip, in printed mm from the lower cut."""
    return plan.text.band.y + plan.text.scaled("band", "air")


def title_fits(card: Card, plan: CardLayout, *, left_mm: float) -> bool:
    """Return whether the title fits on one row if ``left_mm`` printed mm at its left are taken.

    The type may become tighter, and smaller down to the limit of the template.
    """
    layout = plan.text
    style = plan.drafter.type_style(
        Font.SMALL_CAPITALS, layout.scaled("band", "size"), track=layout.scaled("band", "track")
    )
    available_mm = layout.band.width - left_mm
    single = shrink_to_fit(card.title, style, available_mm)
    return single.size_pt >= layout.number("band", "least") and measure(card.title, single) <= available_mm + TOLERANCE


def card_title(card: Card, plan: CardLayout, *, left_mm: float = 0.0) -> Iterator[Item]:
    """Yield the title in the band, between index and suit if the card has them.

    Args:
        card: the card.
        plan: its layout.
        left_mm: width in printed mm that is taken at the left of the title; ignored if the card has an index.

    Raises:
        PageError: the title does not fit on two rows in legible type.
    """
    layout = plan.text
    band, top = layout.band, strip_foot(plan) + layout.scaled("band", "strip")
    middle = (top + band.top) / 2
    left, right = left_mm, 0.0
    if card.index is not None:
        style = plan.drafter.type_style(Font.INDEX, layout.scaled("index", "size"), index_token(card.index))
        style = shrink_to_fit(card.index.text, style, band.width / 5)
        gap = 0.5 * style.height
        yield from line(card.index.text, (band.x, middle - 0.356 * style.height), style)
        left = measure(card.index.text, style) + gap
        if card.index.suit is not None:
            suit_height = layout.scaled("index", "suit")
            yield from suit_items(card.index.suit, suit_height, (band.right - suit_height / 2, middle), plan)
            right = suit_height + gap
    style = plan.drafter.type_style(
        Font.SMALL_CAPITALS, layout.scaled("band", "size"), track=layout.scaled("band", "track")
    )
    centre, available_mm = band.x + band.width / 2, band.width - 2 * max(left, right)
    if measure(card.title, style) > available_mm:
        # Centre a long title in the space that index and suit leave.
        centre, available_mm = centre + (left - right) / 2, band.width - left - right
    rows, style = title_rows(card, style, available_mm, minimum_pt=layout.number("band", "least"))
    yield from set_title(rows, style, centre, middle - _CAPITALS / 2 * _BIG_SMALL * style.height)


def card_foot(card: Card, plan: CardLayout) -> Iterator[Item]:
    """Yield the footer: the ID of the card at the left, its footer text at the right, and a rule above them.

    Items are in printed mm. A card without both has no footer. In large print the ID is left out if both do not fit.

    Raises:
        PageError: the footer text does not fit in legible type.
    """
    layout = plan.text
    foot = layout.foot
    if not card.id and not card.foot:
        return
    style = plan.drafter.type_style(
        Font.FIGURES_MEDIUM, max(LEAST_PT, layout.number("foot", "size")), "ink-secondary", track=0.1
    )
    rule = foot.top - 0.35 * (foot.height - 0.72 * style.height)
    yield plan.drafter.rule([(foot.x, rule), (foot.right, rule)], layout.number("foot", "line"), "ink-secondary")
    mark = _translate_id(card.id, plan.drafter.words)
    available_mm = foot.width - measure(mark, style) - style.height
    if style.least_pt and measure(card.foot, style) > available_mm:
        # In large print the footer text is more useful than the ID.
        mark, available_mm = "", foot.width
    yield from line(mark, (foot.x, foot.y), style)
    if card.foot:
        yield from line(card.foot, (foot.right, foot.y), _fit_foot_style(card, style, available_mm), anchor=Anchor.END)


def _translate_id(name: str, words: Words) -> str:
    """Return the ID of a card with its words in the card's language, or in the first one.

    Its language code and its number stay at the end. An ID without a translation is unchanged.
    """
    base_name, _, number = name.rpartition("-") if is_number(name[-1:]) else (name, "", "")
    own_words = next((translation for translation in words.each() if base_name.endswith(f"-{translation.code}")), None)
    key_name = base_name if own_words is None else base_name.removesuffix(f"-{own_words.code}")
    translation, key = own_words or words.each()[0], f"cards.mark.{key_name}"
    if not translation.has(key):
        return name
    return "-".join(filter(None, (translation(key), own_words.code if own_words else "", number)))


def _fit_foot_style(card: Card, style: TypeStyle, available_mm: float) -> TypeStyle:
    """Return the type style, as given or smaller, in which a card's footer text fits ``available_mm`` printed mm.

    Raises:
        PageError: it does not fit in legible type.
    """
    fitting = shrink_to_fit(card.foot, style, available_mm)
    if fitting.size_pt < LEAST_PT - TOLERANCE or measure(card.foot, fitting) > available_mm + TOLERANCE:
        raise PageError(
            "card {card}: the footer {foot!r} is too long; only {room:.0f} mm are free at {least_pt:g} pt",
            card=card.id,
            foot=card.foot,
            room=available_mm,
            least_pt=max(LEAST_PT, style.least_pt),
        )
    return fitting


# --- Short texts in large type; with one language on each side the back has its own title and footer ------------------

# Type sizes in points, tried before those of other text cards.
_SIZES: Final = (11.0, 10.5, 10.0, 9.5, 9.0, 8.5)


def large_face(card: Card, plan: CardLayout) -> Drawing:
    """Return the front of a card in the largest type that fits; without its plans if they do not fit.

    Raises:
        PageError: its text does not fit in the smallest type; the message gives the number of extra lines.
    """
    return _draw_with_plans(lambda variant: text_face(variant, _with_large_sizes(plan)), card)


def other_side(card: Card, plan: CardLayout) -> Drawing:
    """Return the back of a card: its ``back`` with the title and footer in its facts.

    Its plans are left out if they do not fit.

    Raises:
        KeyError: the facts of the card have no ``title`` or no ``foot``.
        PageError: its text does not fit in the smallest type; the message gives the number of extra lines.
    """
    back_card = replace(card, title=str(card.facts["title"]), foot=str(card.facts["foot"]))
    return _draw_with_plans(lambda variant: content_back(variant, _with_large_sizes(plan)), back_card)


def _draw_with_plans(draw: Callable[[Card], Drawing], card: Card) -> Drawing:
    """Return a side of a card as ``draw`` draws it; without its plans if they do not fit.

    Raises:
        PageError: the rest does not fit either.
    """
    try:
        return draw(card)
    except PageError:
        return draw(replace(card, blocks=_without_plans(card.blocks), back=_without_plans(card.back)))


def _without_plans(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return all blocks that are not plans."""
    return tuple(block for block in blocks if not isinstance(block, Diagram))


def _with_large_sizes(plan: CardLayout) -> CardLayout:
    """Return the layout with larger type sizes, to try before its others."""
    return replace(plan, text=replace(plan.text, sizes=(*_SIZES, *plan.text.sizes)))


# Gap between text and an index in a lower corner, in mm.
_BESIDE_INDEX = 1.2

_TERRAIN_ABOVE_FOOT = 2.9
_STRONG = 0.90
_UNBANNERED = 1.0
_ASCENT = 0.8
_DEEPEST_HOLLOW = 0.42


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
    fitting = math.floor((space.foot - lowest) / leading + TOLERANCE) + 1
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
    extra_lines = math.ceil((height - top + max(_text_limits(card, plan))) / setting.row_height() - TOLERANCE)
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
        lowest = layout.number("foot", "foot") + _TERRAIN_ABOVE_FOOT
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
