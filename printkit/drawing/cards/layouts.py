"""Sizes and layouts of cards: a size by name or in mm, and positions from templates, scaled to the card.

The templates measure one card size. On other sizes, distances from the cut stay the same, because they allow for
cutting. All other lengths scale with the card, but type stays legible. Extra height of a long card goes to the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.content.cards import CardSize
from printkit.core.errors import BookError, UsageError
from printkit.core.numbers import is_number
from printkit.core.resources import template
from printkit.core.units import MM_PER_POINT, parse_size, validate_bleed
from printkit.core.words import Words
from printkit.drawing.canvas.items import GRID, Font, Ink, Item, Rect
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import least_size_for
from printkit.drawing.text.drafter import Drafter

# Minimum width and height of a custom card, in mm; text is not legible on smaller cards.
LEAST: Final = (40.0, 55.0)

# Maximum length of a side, in mm.
MOST: Final = 210.0

# A larger card has more than this many times the width and the height.
_CLEARLY: Final = 1.1

_MEMBERS: Final = {"width", "height", "safe", "corner"}
_BARE: Final = re.compile(r"[0-9.,]+\s*[x×]\s*[0-9.,]+")


def find_size(text: str = "", *, bleed: float = 0.0) -> CardSize:
    """Return a card size by name, or a custom size such as ``60x92`` (mm) or ``2.75x4.75in``.

    The result is in printed mm.

    Args:
        text: a name or a size; empty for the first named size.
        bleed: colour beyond the cut, in printed mm.

    Raises:
        UsageError: the name is unknown, the size is too small or too large, or the bleed is not valid.
    """
    validate_bleed(bleed)
    name = text.strip().lower()
    table = named_sizes()
    size = table[name or next(iter(table))] if name in table or not name else _parse_custom_size(text, name)
    return replace(size, bleed=bleed)


def next_larger_name(text: str = "") -> str:
    """Return the name of the next larger size, for large print; the same name if there is none.

    A larger size has both sides more than 1.1 times as long; the one with the least area is chosen. ``text`` is a name
    or a size as for ``find_size``.

    Raises:
        UsageError: ``text`` is not a card size.
    """
    size = find_size(text)
    wider = (
        candidate
        for candidate in named_sizes().values()
        if min(candidate.width / size.width, candidate.height / size.height) > _CLEARLY
    )
    return min(wider, key=lambda candidate: candidate.width * candidate.height, default=size).name


@cache
def named_sizes() -> Mapping[str, CardSize]:
    """Return every named size by name, in printed mm.

    Raises:
        BookError: an entry is not a size.
    """
    return {name: _parse_entry(name, entry) for name, entry in template("sheets", "cards").get("cards", {}).items()}


def _parse_entry(name: str, entry: Any) -> CardSize:
    """Return the card size of one entry of the table of sizes; its numbers are in printed mm.

    ``name`` is the name of the size, and ``entry`` its table: width, height and perhaps more.

    Raises:
        BookError: a number is missing, unknown or not above 0.
    """
    numbers = entry if isinstance(entry, Mapping) else {}
    is_valid = all(isinstance(value, int | float) and value > 0 for value in numbers.values())
    if not is_valid or not {"width", "height"} <= set(numbers) <= _MEMBERS:
        raise BookError(
            "sheets/cards.toml: {name} = {entry!r} is not a card; write for example {{ width = 63, height "
            "= 88 }} in mm",
            name=name,
            entry=entry,
        )
    return CardSize(name=name, **{member: float(value) for member, value in numbers.items()})


def _parse_custom_size(text: str, name: str) -> CardSize:
    """Return the card size of a text such as ``60x92``; without a unit the numbers are printed mm.

    ``name`` is ``text`` in lower case. Sides are rounded to 0.01 mm.

    Raises:
        UsageError: the text is not a size, or the size is too small or too large.
    """
    if not is_number(name[:1]):
        raise UsageError(
            "unknown card size {text!r}; use one of {known}, or a size in mm, for example 60x92",
            text=text,
            known=", ".join(named_sizes()),
        )
    sides = parse_size(f"{name}mm" if _BARE.fullmatch(name) else name)
    # Round the size to the drawing grid, so that its half-turn is on the grid too.
    width, height = (round(round(side / GRID) * GRID, 2) for side in sides)
    if width < LEAST[0] or height < LEAST[1] or max(width, height) > MOST:
        raise UsageError(
            "a card of {width:g} x {height:g} mm is not possible; it must be {least_width:g} to {most:g} "
            "mm wide and {least_height:g} to {most:g} mm high",
            width=width,
            height=height,
            least_width=LEAST[0],
            most=MOST,
            least_height=LEAST[1],
        )
    return CardSize(name=f"{width:g}x{height:g}", width=width, height=height)


# The smallest type on a card, in points.
LEAST_PT: Final = 7.0

_SMALLEST: Final = 0.8
_LARGEST: Final = 1.5


class BorderRule(NamedTuple):
    """One line of the border: distance from the cut, corner radius and line width, in printed mm."""

    inset: float
    radius: float
    line: float


class CardMeasures(Struct, frozen=True):
    """The numbers of a template, by table and key."""

    name: str
    tables: Mapping[str, Mapping[str, Any]]

    def number(self, table: str, key: str) -> float:
        """Return a number of the template: mm on its card, points, a count or a share.

        ``table`` is the name of its table in the template, ``key`` its key in that table.

        Raises:
            BookError: the value is missing or not a number.
        """
        value = self.tables.get(table, {}).get(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BookError(
                "cards/{name}.toml: {table}.{key} = {value!r} is not a number; write one in mm or points",
                name=self.name,
                table=table,
                key=key,
                value=value,
            )
        return float(value)

    def numbers(self, table: str, key: str) -> tuple[float, ...]:
        """Return a list of numbers of the template: mm on its card, points or shares.

        ``table`` is the name of its table in the template, ``key`` its key in that table.

        Raises:
            BookError: the list is missing or empty, or has other values.
        """
        values = self.tables.get(table, {}).get(key)
        if not isinstance(values, list) or not values or not all(isinstance(value, int | float) for value in values):
            raise BookError(
                "cards/{name}.toml: {table}.{key} = {values!r} is not a list of numbers",
                name=self.name,
                table=table,
                key=key,
                values=values,
            )
        return tuple(float(value) for value in values)

    def share(self, size: CardSize) -> float:
        """Return the scale of a card relative to the template's card: the smaller ratio of the two sides."""
        return min(size.width / self.number("card", "width"), size.height / self.number("card", "height"))


@cache
def load_measures(name: str) -> CardMeasures:
    """Return the numbers of ``templates/cards/NAME.toml``: mm on its card, type sizes in points, counts and shares."""
    return CardMeasures(name, template("cards", name))


class _Layout(Struct, frozen=True, kw_only=True):
    """The values of a template at one card size; ``share`` is the scale of the card."""

    template: ClassVar[str]
    size: CardSize
    share: float

    def number(self, table: str, key: str) -> float:
        """Return a number of the template, unscaled: mm on its card, points, a count or a share."""
        return load_measures(self.template).number(table, key)

    def scaled(self, table: str, key: str) -> float:
        """Return a length (printed mm) or type size (points) of the template, scaled with the card.

        ``table`` is the name of its table in the template, ``key`` its key in that table.
        """
        return self.number(table, key) * self.share


class TerrainLayout(_Layout, frozen=True, kw_only=True):
    """The layout of a card with a picture: positions in printed mm, type sizes in points.

    ``text_scale`` is the scale of the text; ``drop`` is how far the bottom of the picture may rise, in mm.
    """

    template = "terrain"
    text_scale: float
    border: tuple[BorderRule, ...]
    picture: Rect
    drop: float

    def scale_with_text(self, table: str, key: str) -> float:
        """Return a length (printed mm) or type size (points) of the template, scaled with the text.

        ``table`` is the name of its table in the template, ``key`` its key in that table.
        """
        return self.number(table, key) * self.text_scale

    def points(self, table: str, key: str) -> float:
        """Return a type size in points, scaled with the text, but at least the smallest on a card."""
        return max(LEAST_PT, self.scale_with_text(table, key))

    def height_below_picture(self, table: str, key: str) -> float:
        """Return the y in printed mm of something that the template measures from the bottom of the picture.

        The distance scales with the text. The origin is the lower left corner of the card.
        """
        return self.picture.y - (self.number("picture", "bottom") - self.number(table, key)) * self.text_scale


def terrain_layout(size: CardSize, least_pt: float = 0.0) -> TerrainLayout:
    """Return the layout of a card with a picture, in printed mm and points.

    ``least_pt`` is the smallest type in large print, in points; 0 in ordinary print.
    """
    numbers = load_measures("terrain")
    share = numbers.share(size)
    minimum_pt = max(numbers.number("text", "least"), least_size_for(Font.SMALL, least_pt))
    text_scale = max(share, minimum_pt / numbers.number("text", "size"))
    left, below_top = numbers.number("picture", "left") * share, numbers.number("picture", "below_top") * share
    inner = numbers.numbers("border", "insets")[-1]
    left, below_top = max(left, inner + 0.6), max(below_top, inner + 0.6)
    width = size.width - 2 * left
    top = size.height - below_top
    bottom = max(numbers.number("picture", "bottom") * text_scale, top - width * numbers.number("picture", "highest"))
    height = top - bottom
    border = zip(
        numbers.numbers("border", "insets"),
        numbers.numbers("border", "radii"),
        numbers.numbers("border", "lines"),
        strict=True,
    )
    return TerrainLayout(
        size=size,
        share=share,
        text_scale=text_scale,
        border=tuple(BorderRule(*rule) for rule in border),
        picture=Rect(left, bottom, width, height),
        drop=max(
            0.0, height - max(height * numbers.number("picture", "least"), numbers.number("picture", "lowest") * share)
        ),
    )


# Height of a title of two rows, in type sizes.
_TWO_ROWS: Final = 2.2

# Type sizes of large print, relative to the smallest.
_STEPS: Final = (1.1, 1.05, 1.0)


def sizes_from(sizes: Sequence[float], least_pt: float) -> tuple[float, ...]:
    """Return the type sizes to try, in points, largest first.

    If ``least_pt`` is more than the smallest of ``sizes``, 1.1, 1.05 and 1.0 times ``least_pt`` replace them all.
    ``least_pt`` is the smallest type in large print, in points; 0 in ordinary print.
    """
    return tuple(share * least_pt for share in _STEPS) if least_pt > min(sizes) else tuple(sizes)


class TextLayout(_Layout, frozen=True, kw_only=True):
    """The layout of a text card: title band, text box and footer in printed mm, type sizes in points."""

    template = "text"
    band: Rect
    box: Rect
    foot: Rect
    sizes: tuple[float, ...]


def text_layout(size: CardSize, least_pt: float = 0.0) -> TextLayout:
    """Return the layout of a text card, in printed mm and points.

    The text box is the safe area without the title band and the footer. ``least_pt`` is the smallest type in large
    print, in points; 0 in ordinary print.
    """
    numbers = load_measures("text")
    share = min(_LARGEST, max(_SMALLEST, numbers.share(size)))
    safe, width = size.safe, size.width - 2 * size.safe
    # In large print a title of two rows needs more than the usual band.
    two_rows = _TWO_ROWS * least_pt * MM_PER_POINT
    below = (numbers.number("band", "strip") + numbers.number("band", "air")) * share
    band = max(numbers.number("band", "height") * share, (two_rows + below) * bool(least_pt))
    foot = numbers.number("foot", "height") * max(1.0, share, least_pt / numbers.number("foot", "size"))
    first, *others = sizes_from(numbers.numbers("text", "sizes"), least_pt)
    larger = [first * share] if share > 1 and not least_pt else []
    return TextLayout(
        size=size,
        share=share,
        band=Rect(safe, size.height - safe - band, width, band),
        box=Rect(safe, safe + foot, width, size.height - 2 * safe - band - foot),
        foot=Rect(safe, safe, width, foot),
        sizes=(*larger, first, *others),
    )


# --- The layout that every card face receives -------------------------------------------------------------------------


class CardLayout(Struct, frozen=True, kw_only=True):
    """The size and the layouts of the cards of one deck, and their drafter.

    It caches drawings: cards with the same frame or the same text share them.

    Attributes:
        frames: cached frames, by picture rectangle.
        texts: cached texts: content, items, and the layout in which they fit.
    """

    size: CardSize
    drafter: Drafter
    terrain: TerrainLayout
    text: TextLayout
    frames: dict[Rect, tuple[Item, ...]] = field(default_factory=dict)
    texts: list[tuple[object, tuple[Item, ...], TerrainLayout]] = field(default_factory=list)

    @property
    def least_pt(self) -> float:
        """Return the smallest type on these cards, in points."""
        return max(LEAST_PT, self.drafter.style.least_pt)

    @property
    def ground(self) -> Ink:
        """Return the background ink of the card."""
        return self.drafter.style.solid("cartouche")


def card_layout(size: CardSize, *, style: Style, words: Words) -> CardLayout:
    """Return the layouts for a card size, in a style and its languages."""
    drafter, least = Drafter.card(style, words), style.least_pt
    return CardLayout(size=size, drafter=drafter, terrain=terrain_layout(size, least), text=text_layout(size, least))
