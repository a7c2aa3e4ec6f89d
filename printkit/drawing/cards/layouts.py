"""Where things stand on a card: read from ``templates/cards``, and brought to the size of the card.

The templates measure one card. On others the distances from the cut stay, for they belong to the knife and not to the
picture; all else grows or shrinks with the card, type no further than it can be read. What a long card has over goes
to the words, for a picture much higher than wide shows nothing more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Final, NamedTuple

from msgspec import Struct, field

from printkit.content.cards import CardSize
from printkit.core.errors import BookError
from printkit.core.resources import template
from printkit.core.units import MM_PER_POINT
from printkit.core.words import Words
from printkit.drawing.canvas.items import Font, Ink, Item, Rect
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import floor_of
from printkit.drawing.text.drafter import Drafter

LEAST_PT: Final = 7.0
"""The smallest type on a card, in points."""

_SMALLEST: Final = 0.8
_LARGEST: Final = 1.5


class BorderRule(NamedTuple):
    """One rounded rule of the border: its distance from the cut, its radius and its width in mm."""

    inset: float
    radius: float
    line: float


class CardMeasures(Struct, frozen=True):
    """The numbers of a template, by table and key."""

    name: str
    tables: Mapping[str, Mapping[str, Any]]

    def number(self, table: str, key: str) -> float:
        """Return a number; raises BookError where there is none."""
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
        """Return a list of numbers; raises BookError where there is none."""
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
        """Return how large things are on a card of this size: as its narrower direction has room for them."""
        return min(size.width / self.number("card", "width"), size.height / self.number("card", "height"))


@cache
def measures(name: str) -> CardMeasures:
    """Return the numbers of ``templates/cards/NAME.toml``."""
    return CardMeasures(name, template("cards", name))


class _Layout(Struct, frozen=True, kw_only=True):
    """What is read from a template at one size of card; ``share`` is how much larger than there things are."""

    template: ClassVar[str]
    size: CardSize
    share: float

    def number(self, table: str, key: str) -> float:
        """Return a number of the template as it is there."""
        return measures(self.template).number(table, key)

    def scaled(self, table: str, key: str) -> float:
        """Return a number that grows with the card."""
        return self.number(table, key) * self.share


class TerrainLayout(_Layout, frozen=True, kw_only=True):
    """Places in mm and sizes in points of a card with a picture, at one size of card.

    ``grown`` is how large words and what belongs to them are; ``drop`` how far the picture's foot may still rise.
    """

    template = "terrain"
    grown: float
    border: tuple[BorderRule, ...]
    picture: Rect
    drop: float

    def worded(self, table: str, key: str) -> float:
        """Return a number that goes with the words."""
        return self.number(table, key) * self.grown

    def points(self, table: str, key: str) -> float:
        """Return a size of type that goes with the words."""
        return max(LEAST_PT, self.worded(table, key))

    def under(self, table: str, key: str) -> float:
        """Return a height that the template gives, as it hangs below the picture."""
        return self.picture.y - (self.number("picture", "bottom") - self.number(table, key)) * self.grown


def terrain_layout(size: CardSize, least_pt: float = 0.0) -> TerrainLayout:
    """Return where the parts of a card with a picture stand; ``least_pt`` is the smallest type in large print."""
    kept = measures("terrain")
    share = kept.share(size)
    least = max(kept.number("text", "least"), floor_of(Font.SMALL, least_pt))
    grown = max(share, least / kept.number("text", "size"))
    left, below_top = kept.number("picture", "left") * share, kept.number("picture", "below_top") * share
    inner = kept.numbers("border", "insets")[-1]
    left, below_top = max(left, inner + 0.6), max(below_top, inner + 0.6)
    width = size.width - 2 * left
    top = size.height - below_top
    bottom = max(kept.number("picture", "bottom") * grown, top - width * kept.number("picture", "highest"))
    height = top - bottom
    border = zip(
        kept.numbers("border", "insets"), kept.numbers("border", "radii"), kept.numbers("border", "lines"), strict=True
    )
    return TerrainLayout(
        size=size,
        share=share,
        grown=grown,
        border=tuple(BorderRule(*rule) for rule in border),
        picture=Rect(left, bottom, width, height),
        drop=max(0.0, height - max(height * kept.number("picture", "least"), kept.number("picture", "lowest") * share)),
    )


_TWO_ROWS: Final = 2.2
"""How high a title of two rows is, in sizes."""

_STEPS: Final = (1.1, 1.05, 1.0)
"""The sizes of large print, in shares of the smallest."""


def sizes_from(sizes: Sequence[float], least_pt: float) -> tuple[float, ...]:
    """Return the sizes in points that are tried, the largest first; in large print those that it allows."""
    return tuple(share * least_pt for share in _STEPS) if least_pt > min(sizes) else tuple(sizes)


class TextLayout(_Layout, frozen=True, kw_only=True):
    """Places in mm and sizes in points of a card of text: the band of its title, its box of text, its foot."""

    template = "text"
    band: Rect
    box: Rect
    foot: Rect
    sizes: tuple[float, ...]


def text_layout(size: CardSize, least_pt: float = 0.0) -> TextLayout:
    """Return where the parts of a card of text stand; the box is what band and foot leave inside the safe edge.

    ``least_pt`` is the smallest type in large print.
    """
    kept = measures("text")
    share = min(_LARGEST, max(_SMALLEST, kept.share(size)))
    safe, width = size.safe, size.width - 2 * size.safe
    # In large print a title of two rows needs more than the usual band.
    two_rows = _TWO_ROWS * least_pt * MM_PER_POINT
    below = (kept.number("band", "strip") + kept.number("band", "air")) * share
    band = max(kept.number("band", "height") * share, (two_rows + below) * bool(least_pt))
    foot = kept.number("foot", "height") * max(1.0, share, least_pt / kept.number("foot", "size"))
    first, *others = sizes_from(kept.numbers("text", "sizes"), least_pt)
    larger = [first * share] if share > 1 and not least_pt else []
    return TextLayout(
        size=size,
        share=share,
        band=Rect(safe, size.height - safe - band, width, band),
        box=Rect(safe, safe + foot, width, size.height - 2 * safe - band - foot),
        foot=Rect(safe, safe, width, foot),
        sizes=(*larger, first, *others),
    )


# --- What every face of a card is given -------------------------------------------------------------------------------


class CardLayout(Struct, frozen=True, kw_only=True):
    """The size and the layouts of the cards of one deck, and what they are drawn with.

    What was drawn is remembered: cards that are framed alike or say the same share it. ``texts`` stand with what they
    say, and with the layout that left them room.
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
        """Return the ground of the card."""
        return self.drafter.style.solid("cartouche")


def card_layout(size: CardSize, *, style: Style, words: Words) -> CardLayout:
    """Return the layout of cards of a size."""
    drafter, least = Drafter.card(style, words), style.least_pt
    return CardLayout(size=size, drafter=drafter, terrain=terrain_layout(size, least), text=text_layout(size, least))
