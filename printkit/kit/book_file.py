"""The file of a rule book as a type: clauses, settings, numbers, tables of dice, and lists of the rule system."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from printkit.chance.tables import Modifier, Span
from printkit.core.errors import BookError, Sentence
from printkit.core.typed import MemberError, MemberPath, right


class SettingRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A choice of the rules: its key, its values with the default first, the clause that it settles.

    Records and file names have the ``key``, people read and type the ``name``. ``alias`` is one more name; settings
    that share one are set together by it. If ``open`` is true, a number from ``least`` to ``most`` is valid too. A text
    that matches ``pattern`` is valid too; ``like`` describes such texts. ``path`` keeps their capitals.
    """

    key: str
    name: str = ""
    values: Annotated[tuple[str, ...], Meta(min_length=1), right(Sentence("a list of texts, the default first"))]
    clause: str
    title: str
    alias: str = ""
    open: bool = False
    least: float | None = None
    most: float | None = None
    pattern: str = ""
    like: str = ""
    path: bool = False

    def __post_init__(self) -> None:
        try:
            re.compile(self.pattern)
        except (re.error, OverflowError, RecursionError) as error:
            raise MemberError("pattern is not a regular expression: {error}", "pattern", error=error) from None


class Merged(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of an earlier version that became one setting.

    ``values`` gives the value of ``into`` by their values, in the order of ``keys`` and separated by
    spaces. Where one of the keys is missing, its value in ``missing`` counts.
    """

    into: str
    keys: tuple[str, ...]
    missing: tuple[str, ...]
    values: Mapping[str, str]

    def __post_init__(self) -> None:
        if len(self.keys) != len(self.missing):
            raise MemberError("missing needs one value for each key in keys", "missing")

    def translate(self, texts: Mapping[str, str]) -> dict[str, str]:
        """Return settings with the new one in place of the old ones, where these have such values."""
        old_values = [texts.get(key, usual).strip().lower() for key, usual in zip(self.keys, self.missing, strict=True)]
        value = self.values.get(" ".join(old_values))
        if value is None or not texts.keys() & set(self.keys):
            return dict(texts)
        return {**{key: text for key, text in texts.items() if key not in self.keys}, self.into: value}


class Stricter(Struct, frozen=True, forbid_unknown_fields=True):
    """Since which version a clause is judged more strictly than before, and what is seen since then."""

    since: str
    why: str


class CitedRow(Struct, frozen=True, kw_only=True):
    """A row of a list that only the system understands, with the clause that it cites."""

    clause: str


class BookEntry(CitedRow, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the types of rows of one list: all its keys are known. ``confidence`` grades the source."""

    confidence: str = ""


class NumberRow(Struct, frozen=True, kw_only=True):
    """Numbers of one subject: ``value`` has the name of the row, other parts add their own to it.

    A setting changes ``value`` alone. A number that has a ``title`` is a setting itself and has a range.
    """

    clause: str
    value: Annotated[int | float, right(Sentence("a number"))] | None = None
    min: float | None = None
    max: float | None = None
    unit: str = ""
    slack: float | None = None
    why: str = ""
    setting: str = ""
    title: str | None = None
    name: str = ""
    alias: str = ""

    def __post_init__(self) -> None:
        for key in ("value", "min", "max", "setting") if self.title is not None else ():
            if getattr(self, key) in (None, ""):
                raise MemberError("{key} is missing; a number with a title has value, min, max and setting", key=key)


class ScoreRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a die table: the scores, the outcome, the clause."""

    score: str
    outcome: str
    clause: str

    def __post_init__(self) -> None:
        try:
            Span.parse(self.score)
        except BookError as error:
            raise MemberError("{error}", "score", error=error) from None


class ScoreTableFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A die table: the sides of its die, the section of the source, its rows and modifiers."""

    sides: Annotated[int, Meta(ge=1, le=1000)]
    section: str
    rows: tuple[ScoreRow, ...]
    modifiers: tuple[Modifier, ...] = ()


class Retired(Struct, frozen=True, forbid_unknown_fields=True):
    """A setting of an earlier version that no longer exists.

    ``reading`` is the value that applies now. A board that was made with another value may break ``clauses``; the
    first of these states what applies now. ``alias`` is its other name.
    """

    reading: str
    clauses: Annotated[tuple[str, ...], Meta(min_length=1), right(Sentence("a list of clauses"))]
    alias: str = ""


class BookFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of a rule book. If it ``shares`` another book, it has only the differences."""

    name: str
    shares: str = ""
    title: str = ""
    source: str = ""
    names: str = ""
    first: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    going: dict[str, int] = {}
    settings: tuple[SettingRow, ...] = ()
    numbers: dict[str, NumberRow] = {}
    tables: dict[str, ScoreTableFile] = {}
    rows: dict[str, tuple[CitedRow, ...]] = {}
    clauses: dict[str, str] = {}
    stricter: dict[str, Stricter] = {}
    retired: dict[str, Retired] = {}
    merged: tuple[Merged, ...] = ()

    def __post_init__(self) -> None:
        for key in ("title", "source") if not self.shares else ():
            if not getattr(self, key):
                advice = Sentence("Write {right}.", right=Sentence("text in quotes"))
                raise MemberError("{key} is missing. {advice}", key=key, advice=advice)

    def citations(self) -> Iterator[tuple[MemberPath, str]]:
        """Yield each clause that the file cites, with the path of the citation."""
        for number, setting in enumerate(self.settings):
            yield ("settings", number, "clause"), setting.clause
        for name, table in self.tables.items():
            yield from ((("tables", name, "rows", index, "clause"), row.clause) for index, row in enumerate(table.rows))
        for key, old in self.retired.items():
            yield from ((("retired", key, "clauses"), clause) for clause in old.clauses)
        yield from ((("stricter", clause), clause) for clause in self.stricter)
        yield from ((("numbers", key, "clause"), row.clause) for key, row in self.numbers.items())
        for name, rows in self.rows.items():
            yield from ((("rows", name, index, "clause"), row.clause) for index, row in enumerate(rows))
