"""Rule books: one TOML file a system, read into settings and typed tables; errors name file, line and row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar, cast

from msgspec import Struct, defstruct, field
from msgspec.structs import asdict

from printkit.chance.tables import Citation, DieRow, DieTable, Span
from printkit.core.errors import BookError, FileError, RecordError, RetiredError, ScenarioError, Sentence
from printkit.core.nearest import nearest_names
from printkit.core.resources import template, template_file, template_text
from printkit.core.typed import MemberPath, convert, member_error, wrong_choice
from printkit.core.words import ClauseText, Words
from printkit.kit.book_file import BookFile, Merged, NumberRow, Retired, SettingRow, Stricter
from printkit.terrain.field.features import Going


class Setting(SettingRow, frozen=True, kw_only=True):
    """A setting of a book; ``number`` is the number of the book that it gives."""

    number: str = ""

    @property
    def default(self) -> str:
        """Return the value that applies if the user does not set another."""
        return self.values[0]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names that people can type for it: key, name and alias; the first one present counts."""
        return tuple(dict.fromkeys(name for name in (self.key, self.name, self.alias) if name))

    def read(self, text: str, books: tuple[str, ...] = ()) -> str:
        """Return a value as the book spells it; ``books`` are the names of the books that translate the setting.

        Raises:
            ScenarioError: the setting has no such value; names those it has.
        """
        for value in self.values:
            if value.lower() == text.strip().lower():
                return value
        if self.open and _in_range(text, self.least, self.most):
            return text.strip()
        if self.pattern and re.fullmatch(self.pattern, text.strip().lower()):
            return text.strip() if self.path else self._in_order(text.strip().lower())
        choices = self._describe_choices(books)
        raise ScenarioError(
            "{key} = {text!r} is not valid; {choices}", key=self.name, text=text, choices=choices, clause=self.clause
        )

    def _in_order(self, text: str) -> str:
        """Return names of the default list in its order, with commas only; return any other text unchanged."""
        names, given = self.default.split(","), {name.strip() for name in text.split(",")}
        return ",".join(name for name in names if name in given) if given <= set(names) else text

    def _describe_choices(self, books: tuple[str, ...]) -> str:
        """Return a description of the valid values."""
        listed = ", ".join(self.values)
        if self.pattern:
            like = ClauseText.create(self.like, books, self.key, "likes")
            return Sentence("use one of {listed}, or {like}", listed=listed, like=like)
        if not self.open:
            return Sentence("use one of {listed}", listed=listed)
        return Sentence(
            "use {listed} or a number from {least:g} to {most:g}",
            listed=listed,
            least=self.least or 0,
            most=self.most or float("inf"),
        )


def _in_range(text: str, least: float | None, most: float | None) -> bool:
    try:
        value = float(text)
    except ValueError:
        return False
    return (least is None or value >= least) and (most is None or value <= most) and abs(value) < float("inf")


T = TypeVar("T")
D = TypeVar("D")

# The default period of the names on the map.
_NAMES: Final = "ancient"


class RuleBook(Struct, frozen=True, kw_only=True):
    """All data of a rule system.

    Attributes:
        name: the name of the book.
        title: the title of the rules.
        source: where the rules come from.
        clauses: the title of each clause, in one line.
        settings: the settings.
        going: the classes of going by name.
        tables: the die tables by name.
        numbers: the numbers by name.
        cited: the clause of each number.
        units: the unit of each number that is a measure.
        slacks: the tolerance of a check of the number, by its name, in the unit of the number.
        set_by: the key of the setting that gives a number, by the name of the number.
        rows: lists that only the rule system understands; each row has a ``clause``. ``own`` and ``read`` read them.
        beside: the first letters of the IDs of clauses that no record can keep or break.
        stricter: the clauses that are checked more strictly than in an earlier version.
        retired: the settings of earlier versions by key and by alias.
        merged: the settings of earlier versions that became one.
        names: the default period of the names on the map.
        first: the settings that people change most.
        shares: the name of the book whose content this one extends.
        file: the name of the book, or the path of its file.
    """

    name: str
    title: str
    source: str
    clauses: Mapping[str, str]
    settings: tuple[Setting, ...]
    going: Mapping[str, Going]
    tables: Mapping[str, DieTable[str]]
    numbers: Mapping[str, float]
    cited: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    slacks: Mapping[str, float] = field(default_factory=dict)
    set_by: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    beside: tuple[str, ...] = ()
    stricter: Mapping[str, Stricter] = field(default_factory=dict)
    retired: Mapping[str, Retired] = field(default_factory=dict)
    merged: tuple[Merged, ...] = ()
    names: str = _NAMES
    first: tuple[str, ...] = ()
    shares: str = ""
    file: str = ""

    @property
    def of_a_record(self) -> tuple[str, ...]:
        """Return the clauses about a battlefield, without those about sheets, examples or the use of the program."""
        return tuple(clause for clause in self.clauses if not clause.startswith(self.beside))

    def title_in(self, words: Words) -> str:
        """Return the title of the book in the languages of a document, as far as they have one."""
        return words.book_line((self.name, self.shares), "book", "title", self.title)

    def source_in(self, words: Words) -> str:
        """Return where the rules come from, in the languages of a document."""
        return words.book_line((self.name, self.shares), "book", "source", self.source)

    def clause_title(self, clause: str, words: Words) -> str:
        """Return the title of a clause in the languages of a document; empty for a clause that is not listed."""
        return words.book_line((self.name, self.shares), "clauses", clause, self.clauses.get(clause, ""))

    def setting_title(self, setting: Setting, words: Words) -> str:
        """Return the title of a setting in the languages of a document."""
        return words.book_line((self.name, self.shares), "settings", setting.key, setting.title)

    def setting_like(self, setting: Setting, words: Words) -> str:
        """Return the description of further values of a setting, in the languages of a document."""
        return words.book_line((self.name, self.shares), "likes", setting.key, setting.like)

    def current(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return settings in the form of this version.

        Merged settings become the new one. A retired setting is left out if it has the value that applies now. It stays
        if it has another.
        """
        texts = {name.lower(): text for name, text in given.items()}
        for merged in self.merged:
            names = next(setting.names for setting in self.settings if setting.key == merged.into)
            for name in names:
                if name in texts:
                    texts.setdefault(merged.into, texts.pop(name))
            texts = merged.translate(texts)
        otherwise = self.made_otherwise(texts)
        return {name: text for name, text in texts.items() if name not in self.retired or name in otherwise}

    def made_otherwise(self, settings: Mapping[str, str]) -> dict[str, str]:
        """Return the retired settings that have another value than the one that applies now."""
        return {
            name: text
            for name, text in settings.items()
            if name in self.retired and text.strip().lower() != self.retired[name].reading.lower()
        }

    def refuse_retired(self, settings: Mapping[str, str]) -> None:
        """Check that a game was made without retired settings, so that it can be replayed.

        Raises:
            RecordError: it was made with one; the message names the setting.
        """
        for name, text in self.made_otherwise(self.current(settings)).items():
            raise RecordError(
                "this game was made with {key}={value}; replay it with printkit 0.2", key=name, value=text
            )

    def settle(self, *given: Mapping[str, str]) -> dict[str, str]:
        """Return a value for every setting by key: those of the mappings, by any name of the setting, and the defaults.

        Later mappings have priority, by any name. Within one mapping a key has priority over an alias, so that
        ``policy`` can set both players and ``policy-b`` one of them.

        Raises:
            ScenarioError: a setting or value is unknown; the message names similar ones.
            RetiredError: a retired setting has another value than the one that applies now.
        """
        known = {name for setting in self.settings for name in setting.names}
        settled = {setting.key: setting.default for setting in self.settings}
        for texts in map(self.current, given):
            for name in self.made_otherwise(texts):
                clause = self.retired[name].clauses[0]
                raise RetiredError(
                    "{key} is no longer a setting: {holds}; printkit 0.2 still has it",
                    key=name,
                    holds=ClauseText.create(self.clauses[clause], (self.name, self.shares), clause),
                    clause=clause,
                )
            for name in (each for each in texts if each not in known):
                near = ", ".join(nearest_names(name, sorted(known)))
                error = ScenarioError(
                    "{rules} has no setting {key!r}; did you mean {near}?", rules=self.name, key=name, near=near
                )
                error.member = ("settings", name)
                raise error
            for setting in self.settings:
                for name in [name for name in setting.names if name in texts][:1]:
                    try:
                        settled[setting.key] = setting.read(texts[name], (self.name, self.shares))
                    except ScenarioError as error:
                        error.member = ("settings", name)
                        raise
        return settled

    def default(self, key: str) -> str:
        """Return the default of a setting."""
        return next(setting.default for setting in self.settings if setting.key == key)

    def goings_by_sign(self) -> dict[str, str]:
        """Return the name of the going of each map symbol, by the name of the symbol; empty without a list ``signs``.

        Raises:
            FileError: a row is wrong, or its going is not in ``[going]``.
        """
        rows = self.own("signs") if "signs" in self.rows else ()
        return {row.need("sign", str): row.find("going", self.going).name for row in rows}

    def own(self, name: str) -> Iterator[BookRow]:
        """Yield the rows of one of the system's own lists.

        Raises:
            BookError: the book has no such list.
        """
        if name not in self.rows:
            raise BookError(
                "{file}: [rows] has no list {name}; known lists: {rows}",
                file=self.file,
                name=name,
                rows=", ".join(self.rows) or Sentence("none"),
            )
        return (BookRow(self, ("rows", name, number), row) for number, row in enumerate(self.rows[name]))

    def read(self, name: str, kind: type[T]) -> tuple[T, ...]:
        """Return the rows of one of the system's own lists as a type.

        Raises:
            BookError: the book has no such list.
            FileError: a row does not have the form of the type.
        """
        return tuple(row.read(kind) for row in self.own(name))


class BookRow(Struct, frozen=True):
    """A row of a list of a rule book: its values in the file, its book, and its path in the file."""

    book: RuleBook
    path: MemberPath
    values: Mapping[str, Any]

    def read(self, kind: type[T]) -> T:
        """Return the row as a type.

        Raises:
            FileError: it does not have the form of the type.
        """
        try:
            return convert(self.values, kind, self.book.file)
        except FileError:
            # Only an error needs the text of the file.
            return convert(self.values, kind, *self._find_source(), self.path)

    def need(self, name: str, kind: type[T]) -> T:
        """Return a required value, of any type that ``core.typed`` reads.

        Raises:
            FileError: it is missing or of another type.
        """
        value: T = self.read(_row_with(name, cast(Any, kind))).value
        return value

    def get(self, name: str, kind: type[T], default: D) -> T | D:
        """Return a value, or the default if the row does not have it.

        Raises:
            FileError: it is of another type.
        """
        return self.need(name, kind) if name in self.values else default

    def find(self, name: str, among: Mapping[str, T]) -> T:
        """Return the value of a mapping for the text at ``name``.

        Raises:
            FileError: the text is missing, or the mapping does not have it; the error lists its keys.
        """
        key = self.need(name, str)
        if key not in among:
            raise self.error(wrong_choice(name, key, list(among)), name)
        return among[key]

    def error(self, reason: Sentence, *key: str | int) -> FileError:
        """Return the error of the row, on the line of its member at ``key``."""
        return member_error(*self._find_source(), self.path, reason, key)

    def _find_source(self) -> tuple[str, str]:
        """Return the file that has the list of the row, the book or the one that it shares, and its text."""
        shared = self.book.shares and self.path[1] not in template("rules", self.book.file).get("rows", {})
        name = self.book.shares if shared else self.book.file
        return template_file("rules", name), template_text("rules", name)


@cache
def _row_with(name: str, kind: type) -> Any:
    """Return the type of a row with a member of a type; it is ``value`` in Python."""
    return defstruct("_Row", [("value", kind)], rename={"value": name})


class _BookSource(NamedTuple):
    """A file of a book: its name for errors, its text, its values, and the same as a type."""

    place: str
    text: str
    values: Mapping[str, Any]
    file: BookFile

    @classmethod
    def read(cls, name: str) -> _BookSource:
        place, text, values = template_file("rules", name), template_text("rules", name), template("rules", name)
        return cls(place, text, values, convert(values, BookFile, place, text))

    def error(self, path: MemberPath, reason: Sentence, *key: str) -> FileError:
        """Return the error of the part of the file at a path, on the line of its member ``key``."""
        return member_error(self.place, self.text, path, reason, key)

    def table(self, name: str, source: str) -> DieTable[str]:
        """Return a die table of the file; ``source`` is that of the book."""
        table = self.file.tables[name]
        try:
            return DieTable(
                name=name,
                sides=table.sides,
                rows=tuple(DieRow(Span.parse(row.score), row.outcome, row.clause) for row in table.rows),
                source=Citation(source, table.section),
                modifiers=table.modifiers,
            )
        except BookError as error:
            raise self.error(("tables", name), Sentence("{error}", error=error)) from None

    def numbers(self, key: str) -> Mapping[str, float]:
        """Return the numbers in a row of numbers, each by its part of the row."""
        parts = {part: value for part, value in self.values["numbers"][key].items() if part not in _BESIDE}
        return convert(parts, dict[str, float], self.place, self.text, ("numbers", key))


# Keys in a row of numbers that are not numbers.
_BESIDE: Final = ("clause", "unit", "slack", "why", "setting", "title", "name", "alias")


def read_book(name: str) -> RuleBook:
    """Return a built-in rule book by its name, or the user's own by the path of its file.

    A book that ``shares`` another one extends its content: two versions of one system have much in common.

    Raises:
        ResourceError: there is no such book.
        FileError: a value is wrong, or cites a clause that the book does not list; names file, line and row.
    """
    return _read(name) if name.endswith(".toml") else _ours(name)


@cache
def _ours(name: str) -> RuleBook:
    """Return a built-in book. It is read only once, because that takes as long as the import of a library."""
    return _read(name)


def _read(name: str) -> RuleBook:
    own = _BookSource.read(name)
    sources = [*([_BookSource.read(own.file.shares)] if own.file.shares else []), own]
    files = [source.file for source in sources]
    title, work = (getattr(files[-1], key) or getattr(files[0], key) for key in ("title", "source"))
    rows = {key: (source, row) for source in sources for key, row in source.file.numbers.items()}
    book = RuleBook(
        name=own.file.name,
        title=title,
        source=work,
        clauses={clause: text for file in files for clause, text in file.clauses.items()},
        settings=_settings(sources, rows),
        going={key: Going(rank, key) for file in files for key, rank in file.going.items()},
        tables={key: source.table(key, work) for source in sources for key in source.file.tables},
        **_numbers(rows),
        rows={key: tuple(lines) for source in sources for key, lines in source.values.get("rows", {}).items()},
        beside=tuple(start for file in files for start in file.beside),
        stricter={clause: stricter for file in files for clause, stricter in file.stricter.items()},
        retired={name: row for file in files for key, row in file.retired.items() for name in (key, row.alias) if name},
        merged=tuple(merged for file in files for merged in file.merged),
        names=files[-1].names or files[0].names or _NAMES,
        first=tuple(key for file in files for key in file.first),
        shares=own.file.shares,
        file=name,
    )
    _check_book(book, sources)
    return book


def _settings(
    sources: Sequence[_BookSource], numbers: Mapping[str, tuple[_BookSource, NumberRow]]
) -> tuple[Setting, ...]:
    """Return the settings of a book: its own, and the numbers that people may change.

    Raises:
        FileError: two have the same key, or the setting of a number is missing.
    """
    found: dict[str, Setting] = {}

    def add(source: _BookSource, path: MemberPath, setting: Setting) -> None:
        if setting.key in found:
            reason = Sentence("another setting has the key {key!r} too; rename one of them", key=setting.key)
            raise source.error(path, reason)
        found[setting.key] = setting

    for source in sources:
        for place, row in enumerate(source.file.settings):
            add(source, ("settings", place), Setting(**{**asdict(row), "name": row.name or row.key}))
    for key, (source, number) in numbers.items():
        if number.title is not None:
            setting = Setting(
                key=number.setting,
                name=number.name or number.setting,
                # Records have a whole number without a decimal point.
                values=(str(number.value),),
                clause=number.clause,
                title=number.title,
                alias=number.alias,
                open=True,
                least=number.min,
                most=number.max,
                number=key,
            )
            add(source, ("numbers", key), setting)
    for key, (source, number) in numbers.items():
        if number.setting and number.setting not in found:
            raise source.error(("numbers", key), _unlisted(number.setting, "[[settings]]"), "setting")
    return tuple(found.values())


def _numbers(rows: Mapping[str, tuple[_BookSource, NumberRow]]) -> dict[str, Any]:
    """Return numbers, clauses, units, slacks and settings by name of the number.

    Raises:
        FileError: two numbers have the same name, or one is not a number.
    """
    found: dict[str, Any] = {part: {} for part in ("numbers", "cited", "units", "slacks", "set_by")}
    for key, (source, row) in rows.items():
        for part, value in source.numbers(key).items():
            name = key if part == "value" else f"{key}_{part}"
            if name in found["numbers"]:
                raise source.error(("numbers", key), Sentence("the number {name} is listed twice", name=name), part)
            found["numbers"][name], found["cited"][name] = value, row.clause
            if row.unit:
                found["units"][name] = row.unit
            if row.slack is not None:
                found["slacks"][name] = row.slack
        if row.setting:
            found["set_by"][key] = row.setting
    return found


def _check_book(book: RuleBook, sources: Sequence[_BookSource]) -> None:
    """Check the references between the parts of a book.

    Raises:
        FileError: a clause or setting is not in the book.
    """
    keys = [setting.key for setting in book.settings]
    book.goings_by_sign()
    for source in sources:
        for path, clause in source.file.citations():
            if clause not in book.clauses:
                raise source.error(path[:-1], _unlisted(clause, "[clauses]"), str(path[-1]))
        for place, merged in enumerate(source.file.merged):
            if merged.into not in keys:
                raise source.error(("merged", place), _unlisted(merged.into, "[[settings]]"), "into")


def _unlisted(key: str, table: str) -> Sentence:
    """Return that a table of a book does not list a key that another part names."""
    return Sentence("{key!r} is not in {table}; add it there, or correct it here", key=key, table=table)
