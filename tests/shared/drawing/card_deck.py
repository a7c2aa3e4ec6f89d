"""What the tests of cards share: a small deck with a card of every sort, and what stands on a face."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec.structs import replace

from printkit.content.cards import Art, Banner, Card, CardSize, Deck, Index, Suit
from printkit.content.prose import CheckBoxes, Heading, Modifiers, Paragraph, ScoreTable, Steps
from printkit.core import words
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Drawing, Item, LayerName, Path, Text
from printkit.drawing.cards.faces import CardFace, faces
from printkit.drawing.cards.layouts import CardLayout, card_layout, find_size
from printkit.drawing.lettering.extent import Extent, extents, text_length, union_extents
from printkit.terrain.field.features import Kind

SIZES = ("poker-63x88", "us-2.5x3.5in", "mini", "tarot", "90x60")

SAFE = 300
"""The safe edge in hundredths of a millimetre."""

MARSH = Card(
    id="7S",
    title="Marsh · Pantano",
    index=Index("7", Suit.SPADES),
    art=Art((Kind.MARSH,)),
    banner=(Banner.BAD, "Bad going"),
    blocks=(Paragraph("Reeds, pools and quaking ground."),),
)
GOOD = Card(
    id="10H",
    title="Good going",
    index=Index("10", Suit.HEARTS),
    art=Art(()),
    banner=(Banner.GOOD, "Good going · Terreno bueno"),
    blocks=(Paragraph("Place nothing."),),
)
HILL = Card(
    id="JC",
    title="Two-level hill",
    index=Index("J", Suit.CLUBS),
    art=Art((Kind.POOL,)),
    banner=(Banner.DIE, "Roll for slope"),
    blocks=(
        ScoreTable(
            (("1–3", "gentle all round"), ("4", "one steep side"), ("5–6", "two steep sides")), title="Slope die"
        ),
        ScoreTable((("1", "heavily wooded"), ("2–3", "lightly wooded"), ("4–6", "open")), title="Woods die"),
    ),
)
TEXT = Card(
    id="R16",
    title="Aggression",
    foot="1 of 2",
    blocks=(
        Heading("Level", "1", "once"),
        ScoreTable((("2–", "Defensive"), ("3–4", "Neutral"))),
        Modifiers((("+2", "five mounted"), ("-1", "many foot"))),
        Steps(("Throw.", "Add.")),
        CheckBoxes(("Done",)),
        Paragraph("It holds.", "note"),
    ),
    back=(Paragraph("Odds."),),
)


def deck(*cards: Card, **more: object) -> Deck:
    """Return a deck of these cards, or of one of every sort."""
    made = Deck(name="test", title="Test", cards=cards or (MARSH, GOOD, HILL, TEXT), backs="secret")
    return replace(made, **more)  # type: ignore[arg-type]


def made(
    of: Deck, size: str = "", *, manner: str = "campaign", lang: str = "en", bleed: float = 0.0
) -> tuple[CardFace, ...]:
    """Return the faces of a deck."""
    return faces(of, find_size(size, bleed=bleed), style=style.find(manner), words=words.find_words(lang))


def bench(size: str | CardSize = "", *, manner: str = "campaign", lang: str = "en") -> CardLayout:
    """Return the layout of cards of a size."""
    found = find_size(size) if isinstance(size, str) else size
    return card_layout(found, style=style.find(manner), words=words.find_words(lang))


def texts(drawing: Drawing) -> Iterator[Text]:
    """Yield the type of a drawing."""
    return (item for _, item in drawing.items() if isinstance(item, Text))


def said(drawing: Drawing) -> str:
    """Return all type of a drawing."""
    return " ".join(text.content for text in texts(drawing))


def reach(item: Item) -> Extent:
    """Return how far an item is inked, in hundredths of a millimetre; of type its feet, its ends and its capitals."""
    if isinstance(item, Path):
        points = [value for run in item.runs for value in run.points]
        half = 50 * item.stroke.width if item.stroke else 0.0
        xs, ys = points[::2], points[1::2]
        return Extent(min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half)
    if isinstance(item, Text) and not item.glyphs:
        turn = math.radians(item.angle)
        along, over = 100 * text_length(item), 65 * item.size_pt * MM_PER_POINT
        across, up = math.cos(turn), math.sin(turn)
        steps = [(a, b) for a in (0, along) for b in (0, over)]
        right = [100 * item.at[0] + a * across - b * up for a, b in steps]
        high = [100 * item.at[1] + a * up + b * across for a, b in steps]
        return Extent(min(right), min(high), max(right), max(high))
    return union_extents(extents(item))


def layer(drawing: Drawing, name: LayerName) -> tuple[Item, ...]:
    """Return the items of one layer."""
    return tuple(item for layer, item in drawing.items() if layer.name is name)


def beyond(drawing: Drawing, width: float, height: float) -> Iterator[str]:
    """Yield every text that reaches out of the safe box by more than 0.02 mm."""
    for text in texts(drawing):
        box = reach(text)
        beyond_far = box.right > 100 * width - SAFE + 2 or box.top > 100 * height - SAFE + 2
        if beyond_far or min(box.left, box.bottom) < SAFE - 2:
            yield text.content
