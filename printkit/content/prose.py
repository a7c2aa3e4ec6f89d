"""What a page or a card says, block by block; how it looks is decided where it is drawn.

Text may hold ``**strong**`` stretches, and line feeds where another line must begin, and no other markup. Every block
is a frozen value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct, field

from printkit.chance.tables import DieTable

T = TypeVar("T")

Emphasis = Literal["plain", "note", "strong"]
Align = Literal["left", "right", "middle"]


class Heading(Struct, frozen=True):
    """A head of a section: a figure in a disc where there is one, and a remark in italics at the right."""

    text: str
    number: str = ""
    aside: str = ""


class Paragraph(Struct, frozen=True):
    """Running text: plain, a note in small italics, or strong."""

    text: str
    manner: Emphasis = "plain"


class Steps(Struct, frozen=True):
    """Numbered steps, from ``first``; ``letters`` counts a, b, c instead."""

    items: tuple[str, ...]
    first: int = 1
    letters: bool = False


class Bullets(Struct, frozen=True):
    """A list without order."""

    items: tuple[str, ...]


class Ticks(Struct, frozen=True):
    """A list with a box to tick before each item; ``boxes`` says how many boxes each has."""

    items: tuple[str, ...]
    boxes: int = 1


class Scores(Struct, frozen=True):
    """A die table as players read it: each row is a span of scores and what it means."""

    rows: tuple[tuple[str, str], ...]
    title: str = ""
    dice: str = "D6"


class Modifiers(Struct, frozen=True):
    """What is added to a die: each row is an amount, as ``+2`` or ``−1``, and the condition.

    ``boxes`` to tick stand before each row; ``letters`` counts the rows a, b, c, as other forms call them, and
    ``numbered`` by a letter and their number, as m1.
    """

    rows: tuple[tuple[str, str], ...]
    boxes: int = 0
    letters: bool = False
    numbered: str = ""


class Results(Struct, frozen=True):
    """What totals mean, each row in a box: one or more scores side by side, each with what it gives."""

    rows: tuple[tuple[tuple[str, str], ...], ...]


class Table(Struct, frozen=True, kw_only=True):
    """Rows of cells under a head. ``shares`` divide the width, by content where there are none.

    ``least`` is the height in mm of a row at least, for rows that are written into.
    """

    rows: tuple[tuple[str, ...], ...]
    head: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()
    aligns: tuple[Align, ...] = ()
    least: float = 0.0


class Blanks(Struct, frozen=True):
    """Lines to write on, each after its label, ``pitch`` mm apart."""

    labels: tuple[str, ...]
    pitch: float = 7.0


class Boxes(Struct, frozen=True):
    """Small boxes to write a figure into, each with its label, side by side."""

    labels: tuple[str, ...]
    side: float = 8.0


class Diagram(Struct, frozen=True, kw_only=True):
    """A small plan by its name: what it says at its places, and the measures that it shows.

    ``highest`` is how high in mm it may be; 0 lets it be as high as its column makes it. ``along`` has it lie on its
    side, read up the page, so many mm long.
    """

    name: str
    labels: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, float] = field(default_factory=dict)
    highest: float = 0.0
    along: float = 0.0


class Ornament(Struct, frozen=True):
    """A rule across the column, with a lozenge in its middle."""


class Space(Struct, frozen=True):
    """Millimetres of nothing."""

    height: float


Block: TypeAlias = (
    Heading
    | Paragraph
    | Steps
    | Bullets
    | Ticks
    | Scores
    | Modifiers
    | Results
    | Table
    | Blanks
    | Boxes
    | Diagram
    | Ornament
    | Space
)


def scores_of(table: DieTable[T], say: Callable[[T], str], *, title: str = "", dice: str = "", add: int = 0) -> Scores:
    """Return the very table that the rules roll on, as players read it.

    Args:
        table: the table of the rule book.
        say: what an outcome is called.
        title: stands above it.
        dice: what is thrown; the table's own die where nothing is said.
        add: a fixed bonus already worked into the spans, so that the bare score of the die can be read off.
    """
    rows: list[tuple[str, str]] = []
    for row in table.rows:
        scores = [score for score in range(1, table.sides + 1) if score + add in row.span]
        if scores:
            span = str(scores[0]) if len(scores) == 1 else f"{scores[0]}–{scores[-1]}"
            rows.append((span, say(row.outcome)))
    return Scores(rows=tuple(rows), title=title, dice=dice or f"D{table.sides}")
