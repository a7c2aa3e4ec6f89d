"""A rule system as plain lines to read: settings, stages, tables, clauses."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from printkit.core.errors import Sentence, joined
from printkit.core.resources import template
from printkit.core.words import IN_ENGLISH, Words
from printkit.kit.registry import BUILT_IN, plugin

if TYPE_CHECKING:
    from printkit.kit.book import Setting
    from printkit.kit.system import RuleSystem

_WIDTH = 100
_OUTCOME = 16
"""Columns of the outcomes of a table, where none is longer."""


def list_lines(names: Iterable[str], words: Words = IN_ENGLISH) -> Iterator[str]:
    """Yield of each system its name, its title, its source, as its book has them; none of ours is imported for that."""
    for name in names:
        if name not in BUILT_IN:
            plugin(name)  # Its book lies in a folder of its own.
        book = template("rules", name)
        title = words.each()[0].of_book((name,), "book", "title", book["title"])
        yield f"{name:<18}{title}"
        yield f"{'':<18}{words.each()[0].of_book((name,), 'book', 'source', book['source'])}"


def _as_it_is(text: str, sort: str) -> str:
    del sort
    return text


def system_lines(system: RuleSystem, words: Words, tell: Callable[[str, str], str] = _as_it_is) -> Iterator[str]:
    """Yield everything of one system that a person may want to know before he plays it.

    ``tell`` says what a name of the book is called in the person's language: of an outcome or a going.
    """
    book = system.book
    first = words.each()[0]
    yield book.title_in(first)
    yield book.source_in(first)
    yield ""
    yield from _wrapped(words(f"rules.{system.name}.subtitle"), 0)
    yield ""
    yield Sentence("Stages (--reroll, --keep)")
    yield f"  {', '.join(system.stages)}"
    yield ""
    yield Sentence("Settings (--set KEY=VALUE; the default first)")
    for setting in book.settings:
        named = Sentence("{key} or {alias}", key=setting.key, alias=setting.alias) if setting.alias else setting.key
        values = joined([" | ".join(setting.values), *_besides(setting, book.setting_like(setting, first))])
        yield Sentence("  {named} = {values}", named=named, values=values)
        yield from _wrapped(f"{book.setting_title(setting, first)} ({setting.clause})", 6)
    yield ""
    yield Sentence("Going, from free to impassable")
    yield f"  {', '.join(tell(going.name, 'going') for going in sorted(book.going.values()))}"

    def in_person(text: str) -> str:
        return first.of_book((book.name, book.shares), "tables", text, text)

    for table in book.tables.values():
        outcomes = [in_person(tell(row.outcome, "kind")) for row in table.rows]
        width = max(_OUTCOME, *(len(outcome) + 2 for outcome in outcomes))
        yield ""
        yield Sentence(
            "Table {table}, d{sides} ({section})",
            table=in_person(table.name),
            sides=table.sides,
            section=in_person(table.source.section),
        )
        for modifier in table.modifiers:
            yield f"  {modifier.amount:+d} {in_person(modifier.condition)}"
        for row, outcome in zip(table.rows, outcomes, strict=True):
            yield f"  {row.span!s:<6}{outcome:<{width}}{row.clause}"
    yield ""
    yield Sentence("Clauses")
    for clause in book.of_a_record:
        yield from _wrapped(f"{clause:<7} {book.clause_title(clause, first)}", 2, 10)


def _besides(setting: Setting, like: str) -> Iterator[Sentence]:
    """Yield what a setting takes besides its values."""
    if setting.pattern:
        yield Sentence("or {like}", like=like)
    elif setting.open:
        yield setting_range(setting)


def setting_range(setting: Setting) -> Sentence:
    """Return which numbers a setting takes besides its values."""
    least, most = setting.least, setting.most
    if least is not None and most is not None:
        return Sentence("or a number from {least:g} to {most:g}", least=least, most=most)
    if least is not None:
        return Sentence("or a number from {least:g}", least=least)
    if most is not None:
        return Sentence("or a number to {most:g}", most=most)
    return Sentence("or a number")


def _wrapped(text: str, indent: int, hanging: int | None = None) -> list[str]:
    following = " " * (indent if hanging is None else hanging)
    return textwrap.wrap(text, _WIDTH, initial_indent=" " * indent, subsequent_indent=following)
