"""The rules of a game: a rule book after its settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, Self

from msgspec import Struct, field

from printkit.core.errors import BookError, RecordError, ScenarioError
from printkit.core.units import MM_PER_INCH

if TYPE_CHECKING:
    from printkit.chance.tables import DieTable
    from printkit.kit.book import BookRow, RuleBook
    from printkit.terrain.field.battlefield import Board
    from printkit.terrain.field.record import Record

NAMES_KEY: Final = "names"
TITLE_KEY: Final = "title"
OWN_KEYS: Final = (NAMES_KEY, TITLE_KEY)
"""Settings that hold for every rule system, and that a record keeps beside those of its own."""

_LENGTHS: Final = ("mm", "in", "bw", "p")
_YES: Final = ("true", "on", "yes")


class Rules(Struct, frozen=True, kw_only=True):
    """The rules of one game: a book after its settings, the only source of numbers for whoever plays, judges or prints.

    ``board`` is there where lengths are asked for; ``units`` are the mm of a unit beside ``mm``, ``in``, ``bw``
    (base widths) and ``p`` (paces), which the board knows.
    """

    book: RuleBook
    settings: Mapping[str, str]
    board: Board | None = None
    units: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        book: RuleBook,
        *given: Mapping[str, str],
        board: Board | None = None,
        units: Mapping[str, float] | None = None,
    ) -> Self:
        """Return a book after its settings, which are given as to ``RuleBook.settle``.

        Args:
            board: where lengths are wanted.
            units: the mm of units that only the system knows, as a cell of its grid; they outweigh the usual ones.

        Raises:
            ScenarioError: an unknown setting or value; names the known ones.
        """
        return cls(book=book, settings=book.settle(*given), board=board, units=units or {})

    @classmethod
    def of_record(cls, book: RuleBook, record: Record, *also: str, units: Mapping[str, float] | None = None) -> Self:
        """Return the rules by which a record was made, or the defaults where it is of another system.

        Args:
            also: the names of other systems of which this judge heeds the settings that it knows.
            units: as for ``of``.

        Raises:
            RecordError: the record has a setting that the book has not, or a value that cannot be.
        """
        given = book.current(record.settings) if record.rules in (book.name, *also) else {}
        known = {name for setting in book.settings for name in setting.names}
        strange = [key for key in given if key not in known and key not in OWN_KEYS and key not in book.retired]
        if strange and record.rules == book.name:
            raise RecordError(
                "settings.{key} is not a setting of {rules}; use one of {known}",
                key=strange[0],
                rules=book.name,
                known=", ".join(setting.name for setting in book.settings),
            )
        try:
            settled = {key: text for key, text in given.items() if key in known}
            return cls.of(book, settled, board=record.battlefield.board, units=units)
        except ScenarioError as error:
            raise RecordError("settings of the record: {error}", error=error) from None

    def number(self, name: str) -> float:
        """Return a number as these settings have it, in the unit of the book; a default leaves it as the book has it.

        Raises:
            BookError: the book has no such number.
        """
        if name not in self.book.numbers:
            raise BookError("{file}: [numbers] has no number {name}", file=self.book.file, name=name)
        key = self.book.set_by.get(name)
        if key is None or self.settings[key] == self.book.default(key):
            return self.book.numbers[name]
        return float(self.settings[key])

    def whole(self, name: str) -> int:
        """Return a number that counts; as ``number``."""
        return round(self.number(name))

    def length(self, name: str) -> float:
        """Return a number that is a length in mm on the board.

        Raises:
            BookError: the book has no such number, or gives it no unit of length.
        """
        return self.number(name) * self._mm(name)

    def slack(self, name: str) -> float:
        """Return by how much a judge lets a number be missed: in mm if that is a length, else in its own unit."""
        slack = self.book.slacks.get(name, 0.0)
        return slack * self._mm(name) if slack and self._is_length(name) else slack

    def limit(self, name: str) -> float:
        """Return a number as a measure is compared with it: in mm if it is a length, else in its own unit."""
        return self.length(name) if self._is_length(name) else self.number(name)

    def outcomes(self, name: str) -> DieTable[str]:
        """Return a die table by its name."""
        return self.book.tables[name]

    def choice(self, key: str) -> str:
        """Return the value of a setting."""
        return self.settings[key]

    def on(self, key: str) -> bool:
        """Return whether a setting is ``true``, ``on`` or ``yes``."""
        return self.settings[key] in _YES

    def measure(self, key: str) -> float:
        """Return the value of a setting that is a number."""
        return float(self.settings[key])

    def rows(self, name: str) -> Iterator[BookRow]:
        """Yield the rows of one of the system's own lists; as ``RuleBook.own``."""
        return self.book.own(name)

    def goings(self) -> Mapping[str, str]:
        """Return the going, by its name, of the signs that the book lists."""
        rows = self.rows("signs") if "signs" in self.book.rows else ()
        return {row.need("sign", str): row.need("going", str) for row in rows}

    def row(self, name: str, key: str, value: str) -> BookRow:
        """Return the first row of a list whose ``key`` is a value.

        Raises:
            BookError: there is none, or no such list.
        """
        found = next((row for row in self.rows(name) if row.get(key, str, "") == value), None)
        if found is None:
            raise BookError(
                "{file}: [rows] {name} has no row with {key} = {value!r}",
                file=self.book.file,
                name=name,
                key=key,
                value=value,
            )
        return found

    def _is_length(self, name: str) -> bool:
        return self.book.units.get(name, "") in (*_LENGTHS, *self.units)

    def _mm(self, name: str) -> float:
        unit = self.book.units.get(name, "")
        if unit in self.units:
            return self.units[unit]
        if self.board is None or unit not in _LENGTHS:
            raise BookError(
                "{file}: [numbers] {name} is not a length; add a unit such as mm, in, bw or p",
                file=self.book.file,
                name=name,
            )
        return {"mm": 1.0, "in": MM_PER_INCH, "bw": self.board.scale.base_width, "p": self.board.scale.pace}[unit]
