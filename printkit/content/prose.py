"""The blocks of text on a page or a card, without their design.

The only markup in text is ``**strong**``, ``[[folder/file.pdf]]`` for a link to a file, and line feeds for forced
line breaks. Every block is a frozen value.
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
    """A section heading, optionally with a number in a disc, and with a remark in italics at the right."""

    text: str
    number: str = ""
    remark: str = ""


class Paragraph(Struct, frozen=True):
    """A paragraph: plain, a note in small italics, or strong."""

    text: str
    emphasis: Emphasis = "plain"


class Steps(Struct, frozen=True):
    """Steps numbered from ``first``, or with ``letters`` a, b, c."""

    items: tuple[str, ...]
    first: int = 1
    letters: bool = False


class Bullets(Struct, frozen=True):
    """A bulleted list."""

    items: tuple[str, ...]


class CheckBoxes(Struct, frozen=True):
    """A list with check boxes before each item; ``boxes`` is their number per item."""

    items: tuple[str, ...]
    boxes: int = 1


class ScoreTable(Struct, frozen=True):
    """A die table for players: each row is a range of scores and its meaning."""

    rows: tuple[tuple[str, str], ...]
    title: str = ""
    dice: str = "D6"


class Modifiers(Struct, frozen=True):
    """Modifiers of a die: each row is an amount, for example ``+2`` or ``−1``, and its condition.

    ``boxes`` is the number of check boxes before each row. ``letters`` labels the rows a, b, c, to which other forms
    refer; ``prefix`` is a letter for labels with a number, for example m1.
    """

    rows: tuple[tuple[str, str], ...]
    boxes: int = 0
    letters: bool = False
    prefix: str = ""


class Results(Struct, frozen=True):
    """The meaning of totals, each row in a box: one or more scores side by side, each with its result."""

    rows: tuple[tuple[tuple[str, str], ...], ...]


class Table(Struct, frozen=True, kw_only=True):
    """A table with a header row. ``shares`` are the relative column widths; if empty, the content decides.

    ``min_height`` is the minimum height of a row in mm, for rows to write in.
    """

    rows: tuple[tuple[str, ...], ...]
    head: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()
    aligns: tuple[Align, ...] = ()
    min_height: float = 0.0


class WriteLines(Struct, frozen=True):
    """Lines to write on, each after its label; ``pitch`` is their distance in mm."""

    labels: tuple[str, ...]
    pitch: float = 7.0


class Boxes(Struct, frozen=True):
    """Small boxes for numbers in a row, each with its label; ``side`` is their side in mm."""

    labels: tuple[str, ...]
    side: float = 8.0


class Diagram(Struct, frozen=True, kw_only=True):
    """A small plan by its name, with its labels and numbers.

    ``max_height`` is the maximum height in mm; with 0 the column width decides. If ``rotated_length`` is not 0, the
    plan is rotated to read up the page, with this length in mm.
    """

    name: str
    labels: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, float] = field(default_factory=dict)
    max_height: float = 0.0
    rotated_length: float = 0.0


class Ornament(Struct, frozen=True):
    """A rule across the column with a lozenge in the middle."""


class Space(Struct, frozen=True):
    """Vertical space; ``height`` is in mm."""

    height: float


Block: TypeAlias = (
    Heading
    | Paragraph
    | Steps
    | Bullets
    | CheckBoxes
    | ScoreTable
    | Modifiers
    | Results
    | Table
    | WriteLines
    | Boxes
    | Diagram
    | Ornament
    | Space
)


def scores_of(
    table: DieTable[T], describe: Callable[[T], str], *, title: str = "", dice: str = "", bonus: int = 0
) -> ScoreTable:
    """Return the score table of a die table of the rules, for players.

    A row shows its lowest and highest score on the die, for example ``2–4``. A row that the die cannot give is left
    out.

    Args:
        table: the table of the rule book.
        describe: returns the name of an outcome.
        title: the heading of the table.
        dice: the dice to roll; the default is the die of the table, for example ``D6``.
        bonus: a fixed bonus on the die. The rows show the scores of the die without it.
    """
    rows: list[tuple[str, str]] = []
    for row in table.rows:
        scores = [score for score in range(1, table.sides + 1) if score + bonus in row.span]
        if scores:
            span = str(scores[0]) if len(scores) == 1 else f"{scores[0]}–{scores[-1]}"
            rows.append((span, describe(row.outcome)))
    return ScoreTable(rows=tuple(rows), title=title, dice=dice or f"D{table.sides}")
