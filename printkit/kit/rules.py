"""The rules of a game: a rule book with the values of its settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, Self, TypeVar

from msgspec import Struct, field

from printkit.core.errors import BookError, RecordError, ScenarioError
from printkit.core.units import MM_PER_INCH

if TYPE_CHECKING:
    from printkit.chance.tables import DieTable
    from printkit.kit.book import BookRow, RuleBook
    from printkit.terrain.field.battlefield import Board
    from printkit.terrain.field.record import Record

T = TypeVar("T")

NAMES_KEY: Final = "names"
TITLE_KEY: Final = "title"
PLAYERS_KEY: Final = "players"
# Settings of every rule system; a record stores them with the settings of its system.
OWN_KEYS: Final = (NAMES_KEY, TITLE_KEY, PLAYERS_KEY)

_LENGTHS: Final = ("mm", "in", "bw", "p")
_YES: Final = ("true", "on", "yes")


def split_players(text: str) -> tuple[str, ...]:
    """Return the names of players that a text separates by commas, for example ``Ann, Bob``.

    Spaces around a name are removed and those inside become one blank. A name may be empty, but an empty text gives no
    names.
    """
    return tuple(" ".join(name.split()) for name in text.split(",")) if text else ()


def split_names(text: str) -> tuple[str, ...]:
    """Return the names that a text separates by commas, without empty ones."""
    return tuple(filter(None, split_players(text)))


class Rules(Struct, frozen=True, kw_only=True):
    """The rules of one game: a rule book with its settings. All numbers for play, checks and print come from here.

    ``board`` is required for lengths. ``units`` has the mm of further units by name. The board defines ``bw`` (base
    widths) and ``p`` (paces); ``mm`` and ``in`` are fixed.
    """

    book: RuleBook
    settings: Mapping[str, str]
    board: Board | None = None
    units: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        book: RuleBook,
        *setting_maps: Mapping[str, str],
        board: Board | None = None,
        units: Mapping[str, float] | None = None,
    ) -> Self:
        """Return the rules of a book for some settings; the defaults apply to all others.

        Args:
            book: the rule book.
            setting_maps: values of settings by name, as in ``RuleBook.settle``; later mappings have priority.
            board: the board, required for lengths.
            units: length in mm of special units, for example a grid cell, by unit. They override the standard units.

        Raises:
            ScenarioError: a setting or value is unknown; the message names the known ones.
        """
        return cls(book=book, settings=book.settle(*setting_maps), board=board, units=units or {})

    @classmethod
    def of_record(
        cls, book: RuleBook, record: Record, *other_systems: str, units: Mapping[str, float] | None = None
    ) -> Self:
        """Return the rules with the settings of a record, or the defaults if the record is of another system.

        Args:
            book: the rule book.
            record: the record.
            other_systems: names of other systems; the settings of their records are used if the book has them.
            units: see ``of``.

        Raises:
            RecordError: the record has an unknown setting, or a value that is not valid.
        """
        record_settings = book.current(record.settings) if record.rules in (book.name, *other_systems) else {}
        known_names = {name for setting in book.settings for name in setting.names}
        unknown_keys = [
            key for key in record_settings if key not in known_names and key not in OWN_KEYS and key not in book.retired
        ]
        if unknown_keys and record.rules == book.name:
            raise RecordError(
                "settings.{key} is not a setting of {rules}; use one of {known}",
                key=unknown_keys[0],
                rules=book.name,
                known=", ".join(setting.name for setting in book.settings),
            )
        try:
            known_settings = {key: text for key, text in record_settings.items() if key in known_names}
            return cls.of(book, known_settings, board=record.battlefield.board, units=units)
        except ScenarioError as error:
            raise RecordError("settings of the record: {error}", error=error) from None

    def number(self, name: str) -> float:
        """Return a number of the book in its unit there, for example inches or base widths.

        A setting with a value other than the default overrides it.

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
        """Return a number of the book, rounded to the nearest integer (halves to the even one); see ``number``."""
        return round(self.number(name))

    def length(self, name: str) -> float:
        """Return a number of the book that is a length, in mm on the board.

        Raises:
            BookError: the book does not have this number, its unit is not a length, or these rules have no board.
        """
        return self.number(name) * self.unit_mm(name)

    def slack(self, name: str) -> float:
        """Return the tolerance that checks allow for a number of the book; 0 if the book does not give it.

        It is in mm on the board for a length, otherwise in the unit of the number.
        """
        slack = self.book.slacks.get(name, 0.0)
        return slack * self.unit_mm(name) if slack and self.is_length(name) else slack

    def limit(self, name: str) -> float:
        """Return a number of the book for comparison with a measure.

        It is in mm on the board for a length, otherwise in the unit of the number.

        Raises:
            BookError: the book has no such number, or it is a length and these rules have no board.
        """
        return self.length(name) if self.is_length(name) else self.number(name)

    def outcomes(self, name: str) -> DieTable[str]:
        """Return a die table of the book by its name.

        Raises:
            KeyError: the book has no such table.
        """
        return self.book.tables[name]

    def choice(self, key: str) -> str:
        """Return the value of a setting by its key.

        Raises:
            KeyError: the book has no such setting.
        """
        return self.settings[key]

    def is_on(self, key: str) -> bool:
        """Return whether a setting is on: its value is ``true``, ``on`` or ``yes``.

        Raises:
            KeyError: the book has no such setting.
        """
        return self.settings[key] in _YES

    def measure(self, key: str) -> float:
        """Return the value of a setting that is a number, in the unit of the setting.

        Raises:
            KeyError: the book has no such setting.
            ValueError: its value is not a number.
        """
        return float(self.settings[key])

    def rows(self, name: str) -> Iterator[BookRow]:
        """Yield the rows of a list of the rule system in its book, by the name of the list.

        Raises:
            BookError: the book has no such list.
        """
        return self.book.own(name)

    def read(self, name: str, kind: type[T]) -> tuple[T, ...]:
        """Return the rows of a list of the rule system in its book, as a type.

        Raises:
            BookError: the book has no such list.
            FileError: a row does not have the form of the type.
        """
        return self.book.read(name, kind)

    def goings(self) -> Mapping[str, str]:
        """Return the name of the going of each map symbol, by the name of the symbol.

        It comes from the list ``signs`` of the book, and is empty without it.
        """
        return self.book.goings_by_sign()

    def row(self, name: str, key: str, value: str) -> BookRow:
        """Return the first row of a list with this value of ``key``.

        Raises:
            BookError: there is no such row or list.
        """
        first_row = next((row for row in self.rows(name) if row.get(key, str, "") == value), None)
        if first_row is None:
            raise BookError(
                "{file}: [rows] {name} has no row with {key} = {value!r}",
                file=self.book.file,
                name=name,
                key=key,
                value=value,
            )
        return first_row

    def is_length(self, name: str) -> bool:
        """Return whether the unit of a number of the book is a length.

        Lengths are mm, inches, base widths, paces and the special units of these rules.
        """
        return self.book.units.get(name, "") in (*_LENGTHS, *self.units)

    def unit_mm(self, name: str) -> float:
        """Return the length in mm on the board of the unit of a number of the book.

        Raises:
            BookError: the unit is not a length, or these rules have no board.
        """
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
