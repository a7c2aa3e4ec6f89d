"""The tables of the rule book: States, local geographies, eight roll tables and choice lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from msgspec import Meta, Struct, field

from printkit.core.errors import BookError, ScenarioError, Sentence
from printkit.core.typed import right
from printkit.kit.book_file import BookEntry
from printkit.systems.acw.terms.pieces import Piece

if TYPE_CHECKING:
    from printkit.kit.book import BookRow, RuleBook
    from printkit.kit.rules import Rules

STOP: Final = "STOP"
CHOICE: Final = "CHOICE"
BLANK: Final = ""

_CELL_NAMES: Final = "|".join(map(re.escape, (*Piece, STOP, CHOICE, BLANK)))
RollCell: TypeAlias = Annotated[
    str,
    Meta(pattern=f"^(?:{_CELL_NAMES})$"),
    right(Sentence("the name of a terrain piece, STOP, CHOICE, or an empty text")),
]

_SCORES: Final = 6
_ROLLS: Final = 4


class Region(BookEntry, frozen=True, kw_only=True):
    """A row of the State table: its name, all its spellings, and a geography for each score (AC-110)."""

    name: str = field(name="row")
    spellings: tuple[str, ...] = field(name="names")
    geographies: tuple[str, str, str, str, str, str]

    def __str__(self) -> str:
        """Return the text for the log."""
        return self.name


class Geography(Struct, frozen=True):
    """A local geography: its letter, its roll table, and edge water if it has any (AC-104, AC-303)."""

    name: str
    letter: str
    water: Piece | None
    rolls: RollTable


def clearing_reading(rules: Rules, geography: str) -> str:
    """Return the rule for a clearing without trees: ``belt``, ``nothing`` or ``wooded-zone`` (AC-Q16).

    Args:
        rules: the setting decides; its default depends on the geography.
        geography: the name of the local geography; empty if it is unknown.
    """
    reading = rules.choice("ac-q16")
    if reading != rules.book.default("ac-q16"):
        return "belt" if reading == "belt-everywhere" else reading
    rows = (row for row in rules.rows("clearings") if row.need("geography", str) == geography)
    return next((row.need("reading", str) for row in rows), reading)


class RollTable(Struct, frozen=True):
    """One of the eight roll tables: ``cells`` by score, then by roll.

    A cell is a piece, STOP, CHOICE or blank.
    """

    number: int
    cells: tuple[tuple[str, ...], ...]
    clause: str

    def cell(self, die: int, roll: int) -> str:
        """Return the cell for the score ``die``, 1 to 6, in the column ``roll``, 1 to 4.

        It is the name of a piece, STOP, CHOICE or the text of a blank.
        """
        return self.cells[die - 1][roll - 1]

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Return the distinct pieces of the table, roll by roll."""
        columns = (self.cell(die, roll) for roll in range(1, _ROLLS + 1) for die in range(1, _SCORES + 1))
        return tuple(dict.fromkeys(Piece(cell) for cell in columns if cell not in (STOP, CHOICE, BLANK)))


class Tables(Struct, frozen=True):
    """All tables of the rules."""

    regions: tuple[Region, ...]
    geographies: tuple[Geography, ...]

    @classmethod
    def from_rules(cls, rules: Rules) -> Tables:
        """Load the tables from the rule book.

        Raises:
            BookError: a table is incomplete.
            FileError: a row is wrong, for example a cell is not a piece of terrain.
        """
        rolls = {table.number: table for table in _read_roll_tables(rules.book)}
        return cls(
            regions=rules.read("states", Region),
            geographies=tuple(_read_geography(row, rolls) for row in rules.rows("geographies")),
        )

    def region(self, name: str) -> Region:
        """Return the row of a State or region, by any of its spellings.

        Raises:
            ScenarioError: the name is unknown (AC-X01).
        """
        for region in self.regions:
            if _normalise_name(name) in [_normalise_name(spelling) for spelling in (region.name, *region.spellings)]:
                return region
        raise self._unknown_name_error(Sentence("State or region"), name)

    def geography(self, name: str) -> Geography:
        """Return a local geography by its name or letter; Seacoast means Coastal (AC-Q25).

        Raises:
            ScenarioError: the name is unknown (AC-X01).
        """
        spelling = "coastal" if _normalise_name(name) == "seacoast" else _normalise_name(name)
        for geography in self.geographies:
            if spelling in (_normalise_name(geography.name), _normalise_name(geography.letter)):
                return geography
        raise self._unknown_name_error(Sentence("geography"), name)

    def _unknown_name_error(self, noun: str, name: str) -> ScenarioError:
        """Return the error for an unknown State or geography; ``noun`` says which it is."""
        states = "; ".join(region.name for region in self.regions)
        types = ", ".join(geography.name for geography in self.geographies)
        return ScenarioError(
            "unknown {what} {name!r}; the States are {states}; the geographies are {types}",
            what=noun,
            name=name,
            states=states,
            types=types,
            clause="AC-X01",
        )


def choice_list(geography: Geography, rules: Rules) -> tuple[Piece, ...]:
    """Return the pieces that a CHOICE may take (AC-410, AC-Q13).

    They are those of the geography's table and others such as the creek, each once. Taking no piece is always allowed
    and not listed.
    """
    extra_pieces = (piece for row in rules.rows("choices") for piece in row.need("pieces", list[Piece]))
    return tuple(dict.fromkeys((*geography.rolls.pieces, *extra_pieces)))


def _read_roll_tables(book: RuleBook) -> Iterator[RollTable]:
    """Yield the roll tables of the rule book; each has a row of cells for each score from 1 to 6.

    Raises:
        BookError: a table is incomplete.
        FileError: a cell is not a piece of terrain.
    """
    rows: dict[int, dict[int, BookRow]] = {}
    for row in book.own("rolls"):
        rows.setdefault(row.need("table", int), {})[row.need("die", int)] = row
    for number, by_die in rows.items():
        if sorted(by_die) != list(range(1, _SCORES + 1)):
            raise BookError(
                "{file}: [rows] rolls, table {number} has no row for each score from 1 to 6",
                file=book.file,
                number=number,
            )
        rows_by_score = [row for _, row in sorted(by_die.items())]
        cells = tuple(row.need("cells", tuple[RollCell, RollCell, RollCell, RollCell]) for row in rows_by_score)
        yield RollTable(number=number, cells=cells, clause=by_die[1].need("clause", str))


def _read_geography(row: BookRow, rolls: Mapping[int, RollTable]) -> Geography:
    """Return a local geography from its row in the rule book; ``rolls`` has the roll tables by number.

    Raises:
        FileError: its roll table is missing, or its water is not a piece.
    """
    number = row.need("table", int)
    if number not in rolls:
        raise row.error(Sentence("there is no roll table {number}", number=number), "table")
    return Geography(
        name=row.need("geography", str),
        letter=row.need("letter", str),
        water=row.get("water", Piece, None),
        rolls=rolls[number],
    )


def _normalise_name(name: str) -> str:
    """Return a name for comparison: in lower case, without dots and repeated spaces."""
    return " ".join(name.replace(".", " ").casefold().split())
