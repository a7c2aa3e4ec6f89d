"""Rule books: one TOML file a system, read into settings and typed tables; errors name file, table and row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, TypeVar

from msgspec import Struct, field

from printkit.chance.tables import Citation, DieRow, DieTable, Modifier, Span
from printkit.core.errors import BookError, RecordError, RetiredError, ScenarioError, Sentence
from printkit.core.nearest import nearest_names
from printkit.core.resources import template
from printkit.core.words import ClauseText, Words
from printkit.terrain.field.features import Going

# --- A setting of a rule system ---------------------------------------------------------------------------------------


class Setting(Struct, frozen=True, kw_only=True):
    """A choice of the rules: its key, its values with the default first, the clause that it settles.

    Records and file names have the ``key``, people read and type the ``name``. ``alias`` is one more name that can be
    typed; settings that share one are set together by it. ``open`` means that a number from ``least`` to ``most`` may
    be given besides the listed values, ``pattern`` that any text that it matches may, and ``like`` says in words what
    that is; ``path`` keeps such a text as it was given, capitals and all. ``number`` is the number of the book that the
    setting gives.
    """

    key: str
    name: str
    values: tuple[str, ...]
    clause: str
    title: str
    alias: str = ""
    open: bool = False
    least: float | None = None
    most: float | None = None
    pattern: str = ""
    like: str = ""
    path: bool = False
    number: str = ""

    @property
    def default(self) -> str:
        """Return the value that holds where a person says nothing."""
        return self.values[0]

    @property
    def names(self) -> tuple[str, ...]:
        """Return what people can type for it: key, name, alias; the first that is given counts."""
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
        """Return in words what may be given."""
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

_NAMES: Final = "ancient"
"""The period of names of a book that says nothing of it."""


class Retired(Struct, frozen=True):
    """A setting of an earlier version that no longer exists.

    ``reading`` is the value that applies now. A board that was made with another value may break ``clauses``; the
    first of these states what applies now.
    """

    key: str
    reading: str
    clauses: tuple[str, ...]


class Merged(Struct, frozen=True):
    """Settings of an earlier version that became one setting.

    ``values`` gives the value of ``into`` by their values, which stand in the order of ``keys`` with a space between
    them. Where one of the keys is missing, its value in ``missing`` counts.
    """

    into: str
    keys: tuple[str, ...]
    missing: tuple[str, ...]
    values: Mapping[str, str]

    def translate(self, texts: Mapping[str, str]) -> dict[str, str]:
        """Return settings with the new one in place of the old ones, where these have such values."""
        given = [texts.get(key, usual).strip().lower() for key, usual in zip(self.keys, self.missing, strict=True)]
        value = self.values.get(" ".join(given))
        if value is None or not texts.keys() & set(self.keys):
            return dict(texts)
        return {**{key: text for key, text in texts.items() if key not in self.keys}, self.into: value}


class Stricter(Struct, frozen=True):
    """Since which version a clause is judged more strictly than before, and what is seen since then."""

    since: str
    why: str


class RuleBook(Struct, frozen=True, kw_only=True):
    """Everything of a system that is data: clauses with one-line titles, settings, going, die tables, numbers.

    ``cited`` names the clause of each number, ``units`` what it counts where it is a measure, ``slacks`` by how much of
    it a judge lets it be missed, and ``set_by`` the key of the setting that gives it. ``beside`` is how the IDs of
    clauses begin that no record can keep or break, ``stricter`` what is judged more strictly than it was. ``rows``
    holds the lists that only the system itself understands, each row with a ``clause``; ``own`` reads them. ``retired``
    has the settings of earlier versions by key and by alias, ``merged`` those that became one setting. ``names`` is the
    period of the names on the map where a person asks for none. ``first`` lists the settings that people change most.
    ``shares`` names the book that this one begins with, ``file`` is what it was asked for by: its name, or a path.
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
        """Return the clauses that speak of a battlefield: not of sheets, of examples, or of the use of the program."""
        return tuple(clause for clause in self.clauses if not clause.startswith(self.beside))

    def title_in(self, words: Words) -> str:
        """Return the title of the book in the languages of a document, where these have one for it."""
        return words.book_line((self.name, self.shares), "book", "title", self.title)

    def source_in(self, words: Words) -> str:
        """Return where the rules come from, in the languages of a document."""
        return words.book_line((self.name, self.shares), "book", "source", self.source)

    def clause_title(self, clause: str, words: Words) -> str:
        """Return the title of a clause in the languages of a document; of one that is not listed, an empty text."""
        return words.book_line((self.name, self.shares), "clauses", clause, self.clauses.get(clause, ""))

    def setting_title(self, setting: Setting, words: Words) -> str:
        """Return what a setting decides, in the languages of a document."""
        return words.book_line((self.name, self.shares), "settings", setting.key, setting.title)

    def setting_like(self, setting: Setting, words: Words) -> str:
        """Return in words what a setting takes beside its values, in the languages of a document."""
        return words.book_line((self.name, self.shares), "likes", setting.key, setting.like)

    def current(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return settings as this version has them.

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
        """Refuse to play a game again that was made under a retired setting.

        Raises:
            RecordError: it was; names the setting.
        """
        for name, text in self.made_otherwise(self.current(settings)).items():
            raise RecordError(
                "this game was made with {key}={value}; replay it with printkit 0.2", key=name, value=text
            )

    def settle(self, *given: Mapping[str, str]) -> dict[str, str]:
        """Return a value for every setting: what was given by any of its names, and the defaults.

        Of several mappings a later one wins, by whichever name. Within one a key outweighs an alias, so that
        ``policy`` may speak for both players and ``policy-b`` for one of them.

        Raises:
            ScenarioError: an unknown setting or value; names the known ones.
            RetiredError: a retired setting with another value than the one that holds now.
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
                raise ScenarioError(
                    "{rules} has no setting {key!r}; did you mean {near}?", rules=self.name, key=name, near=near
                )
            for setting in self.settings:
                text = next((texts[name] for name in setting.names if name in texts), None)
                if text is not None:
                    settled[setting.key] = setting.read(text, (self.name, self.shares))
        return settled

    def default(self, key: str) -> str:
        """Return the default of a setting."""
        return next(setting.default for setting in self.settings if setting.key == key)

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
        place = Sentence("{file}: [rows] {name}, row", file=self.file, name=name)
        return (BookRow(f"{place} {number}", row) for number, row in enumerate(self.rows[name], 1))


class BookRow(Struct, frozen=True):
    """A row of a rule book as it stands in the file, and its place for errors."""

    place: str
    values: Mapping[str, Any]

    def need(self, name: str, kind: type[T]) -> T:
        """Return a value that has to be there.

        Raises:
            BookError: it is missing or of another type; names the row.
        """
        if name not in self.values:
            raise BookError("{place} has no {name!r}; add it", place=self.place, name=name)
        return self.get(name, kind, kind())

    def get(self, name: str, kind: type[T], default: T) -> T:
        """Return a value, or the default where the row is silent.

        Raises:
            BookError: it is of another type; names the row.
        """
        value = self.values.get(name, default)
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise BookError(
                "{place}: {name} = {value!r} is not valid (expected: {wanted})",
                place=self.place,
                name=name,
                value=value,
                wanted=_TYPES[kind],
            )
        return value

    def only(self, *names: str) -> None:
        """Refuse values that nobody would read.

        Raises:
            BookError: there is one; names those that may stand here.
        """
        for name in self.values:
            if name not in names:
                raise BookError(
                    "{place} has the unknown key {name!r}; known keys are {names}",
                    place=self.place,
                    name=name,
                    names=", ".join(names),
                )


_TYPES: Final[Mapping[type, str]] = {
    str: Sentence("text"),
    int: Sentence("whole number"),
    float: Sentence("number"),
    bool: Sentence("true or false"),
    list: Sentence("list"),
    dict: Sentence("table"),
}

_PARTS: Final = (
    *("shares", "name", "title", "source", "going", "rows", "tables", "numbers", "settings", "clauses"),
    *("beside", "stricter", "retired", "merged", "names", "first"),
)


def read_book(name: str) -> RuleBook:
    """Return a rule book of ours by its name, or a person's own by the path of its file.

    A book that ``shares`` another begins with everything of that: two versions of one system have much in common.

    Raises:
        ResourceError: there is none.
        BookError: a row is wrong, or cites a clause that the book does not list; names file, table and row.
    """
    return _read(name) if name.endswith(".toml") else _ours(name)


@cache
def _ours(name: str) -> RuleBook:
    """Return a book of ours, read once: several parts of a system ask for it, and it takes as long as a library."""
    return _read(name)


def _read(name: str) -> RuleBook:
    tree = BookRow(name, _whole(template("rules", name)))
    tree.only(*_PARTS)
    clauses, numbers = _texts(tree, "clauses"), _numbers(tree)
    book = RuleBook(
        name=tree.need("name", str),
        title=tree.need("title", str),
        source=tree.need("source", str),
        clauses=clauses,
        settings=(*map(_setting, _list(tree, "settings")), *_adjustable(tree)),
        going={key: Going(row.need(key, int), key) for key, row in _members(tree, "going")},
        tables={key: _table(name, key, row, tree.need("source", str)) for key, row in _tables(tree, "tables")},
        **numbers,
        rows={key: tuple(_plain_rows(tree, key)) for key in tree.get("rows", dict, {})},
        beside=tuple(tree.get("beside", list, [])),
        stricter={
            clause: Stricter(row.need("since", str), row.need("why", str)) for clause, row in _tables(tree, "stricter")
        },
        retired=dict(_retired(tree)),
        merged=tuple(map(_merged, _list(tree, "merged"))),
        names=tree.get("names", str, _NAMES),
        first=tuple(tree.get("first", list, [])),
        shares=tree.get("shares", str, ""),
        file=name,
    )
    keys = [setting.key for setting in book.settings]
    for row, key in enumerate(keys, 1):
        if keys.index(key) < row - 1:
            raise BookError(
                "{name}: [settings] row {row}: the key {key!r} is already in row {earlier}",
                name=name,
                row=row,
                key=key,
                earlier=keys.index(key) + 1,
            )
    for number, key in book.set_by.items():
        if key not in keys:
            raise BookError(
                "{name}: [numbers] {number} is set by {key!r}, but [settings] does not list it",
                name=name,
                number=number,
                key=key,
            )
    for place, clause in _citations(name, book):
        if clause not in clauses:
            raise BookError("{place} cites {rule!r}, but [clauses] does not list it", place=place, rule=clause)
    return book


def _whole(tree: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the tree of a book with that of the book it ``shares`` before its own, table by table."""
    if not isinstance(tree.get("shares"), str):
        return tree
    found = dict(template("rules", tree["shares"]))
    for key, value in tree.items():
        shared = found.get(key)
        if isinstance(shared, dict) and isinstance(value, dict):
            found[key] = {**shared, **value}
        elif isinstance(shared, list) and isinstance(value, list):
            found[key] = [*shared, *value]
        else:
            found[key] = value
    return found


def _texts(tree: BookRow, table: str) -> dict[str, str]:
    return {key: row.need(key, str) for key, row in _members(tree, table)}


def _members(tree: BookRow, table: str) -> Iterator[tuple[str, BookRow]]:
    """Yield the keys of a table, each with the table as a row whose place names the key."""
    values = tree.get(table, dict, {})
    return ((key, BookRow(f"{tree.place}: [{table}]", values)) for key in values)


def _tables(tree: BookRow, table: str) -> Iterator[tuple[str, BookRow]]:
    for key, row in _members(tree, table):
        yield key, BookRow(f"{tree.place}: [{table}] {key}", row.need(key, dict))


def _list(tree: BookRow, table: str) -> Iterator[BookRow]:
    for place, values in enumerate(tree.get(table, list, []), 1):
        row = BookRow(
            Sentence("{tree_place}: [{table}] row {place}", tree_place=tree.place, table=table, place=place), values
        )
        if not isinstance(values, dict):
            raise BookError("{place} is not a table of keys and values", place=row.place)
        yield row


def _plain_rows(tree: BookRow, key: str) -> Iterator[Mapping[str, Any]]:
    rows = BookRow(f"{tree.place}: [rows]", tree.get("rows", dict, {})).need(key, list)
    return (row.values for row in _list(BookRow(f"{tree.place}: [rows]", {key: rows}), key))


def _setting(row: BookRow) -> Setting:
    row.only("key", "name", "alias", "values", "open", "least", "most", "pattern", "like", "path", "clause", "title")
    values = row.need("values", list)
    if not values or any(not isinstance(value, str) for value in values):
        raise BookError(
            "{place}: values = {values!r} is not a list; write the default first", place=row.place, values=values
        )
    return Setting(
        key=row.need("key", str),
        name=row.get("name", str, row.need("key", str)),
        values=tuple(values),
        clause=row.need("clause", str),
        title=row.need("title", str),
        alias=row.get("alias", str, ""),
        open=row.get("open", bool, False),
        least=row.need("least", float) if "least" in row.values else None,
        most=row.need("most", float) if "most" in row.values else None,
        pattern=row.get("pattern", str, ""),
        like=row.get("like", str, ""),
        path=row.get("path", bool, False),
    )


def _adjustable(tree: BookRow) -> Iterator[Setting]:
    """Yield the settings of numbers that people may change: their rows have a ``setting``, a title and a range."""
    for key, row in _tables(tree, "numbers"):
        if "title" in row.values:
            row.need("value", float)
            yield Setting(
                key=row.need("setting", str),
                name=row.get("name", str, row.need("setting", str)),
                # A whole number stays whole, because records have it so.
                values=(str(row.values["value"]),),
                clause=row.need("clause", str),
                title=row.need("title", str),
                alias=row.get("alias", str, ""),
                open=True,
                least=row.need("min", float),
                most=row.need("max", float),
                number=key,
            )


def _retired(tree: BookRow) -> Iterator[tuple[str, Retired]]:
    """Yield the settings of earlier versions by key, and again by alias."""
    for key, row in _tables(tree, "retired"):
        row.only("reading", "clauses", "alias")
        found = Retired(key, row.need("reading", str), tuple(row.need("clauses", list)))
        yield from ((name, found) for name in (key, row.get("alias", str, "")) if name)


def _merged(row: BookRow) -> Merged:
    row.only("into", "keys", "missing", "values")
    keys, missing = row.need("keys", list), row.need("missing", list)
    return Merged(row.need("into", str), tuple(keys), tuple(missing), row.need("values", dict))


def _table(book: str, name: str, row: BookRow, source: str) -> DieTable[str]:
    row.only("sides", "section", "rows", "modifiers")
    try:
        return DieTable(
            name=name,
            sides=row.need("sides", int),
            rows=tuple(_table_row(line) for line in _list(row, "rows")),
            source=Citation(source, row.need("section", str)),
            modifiers=tuple(
                Modifier(line.need("amount", int), line.need("condition", str)) for line in _list(row, "modifiers")
            ),
        )
    except BookError as error:
        if str(error).startswith(book):
            raise
        raise BookError("{place}: {error}", place=row.place, error=error) from None


def _table_row(row: BookRow) -> DieRow[str]:
    row.only("score", "outcome", "clause")
    return DieRow(Span.parse(row.need("score", str)), row.need("outcome", str), row.need("clause", str))


_BESIDE: Final = ("clause", "unit", "slack", "why", "setting", "title", "name", "alias")
"""What stands beside the parts of a row of numbers."""


def _numbers(tree: BookRow) -> dict[str, Any]:
    """Return numbers, clauses, units, slacks and settings by name of the number.

    ``value`` bears the name of its row, other parts add their own to it; a setting changes ``value`` alone.
    """
    found: dict[str, Any] = {part: {} for part in ("numbers", "cited", "units", "slacks", "set_by")}
    for key, row in _tables(tree, "numbers"):
        for part in row.values:
            if part in _BESIDE:
                continue
            name = key if part == "value" else f"{key}_{part}"
            if name in found["numbers"]:
                raise BookError("{place}: the number {name} is listed twice", place=row.place, name=name)
            found["numbers"][name], found["cited"][name] = row.need(part, float), row.need("clause", str)
            if "unit" in row.values:
                found["units"][name] = row.need("unit", str)
            if "slack" in row.values:
                found["slacks"][name] = row.need("slack", float)
        if "setting" in row.values:
            found["set_by"][key] = row.need("setting", str)
    return found


def _citations(name: str, book: RuleBook) -> Iterator[tuple[str, str]]:
    for setting in book.settings:
        yield Sentence("{name}: [settings] {key}", name=name, key=setting.key), setting.clause
    for table in book.tables.values():
        for row in table.rows:
            yield (
                Sentence("{name}: [tables] {table}, score {span}", name=name, table=table.name, span=row.span),
                row.clause,
            )
    for key, retired in book.retired.items():
        for clause in retired.clauses:
            yield Sentence("{name}: [retired] {key}", name=name, key=key), clause
    for clause in book.stricter:
        yield Sentence("{name}: [stricter]", name=name), clause
    for number, clause in book.cited.items():
        yield Sentence("{name}: [numbers] {number}", name=name, number=number), clause
    for own in book.rows:
        for line in book.own(own):
            yield line.place, line.need("clause", str)
