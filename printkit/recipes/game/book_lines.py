"""A rule system as lines of text: settings, stages, tables, clauses."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from printkit.core.errors import Sentence, joined
from printkit.core.resources import template
from printkit.core.words import IN_ENGLISH, Words
from printkit.kit.registry import BUILT_IN, plugin

if TYPE_CHECKING:
    from printkit.kit.book import RuleBook, Setting
    from printkit.kit.system import RuleSystem

_WIDTH = 100
# Minimum width of the outcome column of a table, in characters.
_OUTCOME = 16


def list_lines(names: Iterable[str], words: Words = IN_ENGLISH) -> Iterator[str]:
    """Yield the name, title and source of each rule system from its book, without importing built-in systems."""
    for name in names:
        # The book of another package is found once its plugin is loaded. A plugin with only commands has no book.
        if name not in BUILT_IN and not plugin(name).system:
            continue
        book = template("rules", name)
        title = words.each()[0].of_book((name,), "book", "title", book["title"])
        yield f"{name:<18}{title}"
        yield f"{'':<18}{words.each()[0].of_book((name,), 'book', 'source', book['source'])}"


def _as_it_is(text: str, sort: str) -> str:
    del sort
    return text


def system_lines(system: RuleSystem, words: Words) -> Iterator[str]:
    """Yield the title, stages and settings of a rule system, and the commands that show the rest.

    The most used settings come first, then the others, then the numbers.
    """
    book, first = system.book, words.each()[0]
    yield book.title_in(first)
    yield book.source_in(first)
    yield ""
    yield from _wrapped(words(f"rules.{system.name}.subtitle"), 0)
    yield ""
    yield Sentence("Stages (--reroll, --keep)")
    yield from _wrapped(", ".join(system.stages), 2)
    numbers = [setting for setting in book.settings if setting.number]
    chosen = [setting for key in book.first for setting in book.settings if setting.key == key]
    others = [setting for setting in book.settings if setting not in (*numbers, *chosen)]
    heads = (Sentence("Settings (--set NAME=VALUE; default first)"), Sentence("More settings"))
    for head, group in zip(heads, (chosen, others), strict=True):
        if group:
            yield ""
            yield head
        width = max((len(setting.name) for setting in group), default=0) + 4
        for setting in group:
            yield from _wrapped(f"{setting.name:<{width - 2}}{_setting_text(book, setting, first)}", 2, width)
    if numbers:
        yield ""
        yield Sentence("Numbers (--set NAME=NUMBER)")
        yield from _wrapped(", ".join(map(_number_text, numbers)), 2)
    yield ""
    yield Sentence("tables: printkit rules {name} --show tables", name=system.name)
    yield Sentence("clauses: printkit rules {name} --show clauses", name=system.name)


def table_lines(system: RuleSystem, words: Words, tell: Callable[[str, str], str] = _as_it_is) -> Iterator[str]:
    """Yield the goings and the die tables of a rule system.

    ``tell`` translates the name of an outcome or a going for the user; its second argument is ``kind`` or ``going``.
    """
    book, first = system.book, words.each()[0]
    yield Sentence("Going, from easiest to impassable")
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


def clause_lines(system: RuleSystem, words: Words) -> Iterator[str]:
    """Yield the clauses of a rule system that apply to a battlefield."""
    book, first = system.book, words.each()[0]
    for clause in book.of_a_record:
        yield from _wrapped(f"{clause:<7} {book.clause_title(clause, first)}", 0, 8)


def _setting_text(book: RuleBook, setting: Setting, words: Words) -> str:
    """Return the values, the title and the clause of a setting as one line."""
    values = joined([" | ".join(setting.values), *_besides(setting, book.setting_like(setting, words))])
    return words.say(
        Sentence(
            "{values}: {title} ({clause})",
            title=book.setting_title(setting, words),
            values=values,
            clause=setting.clause,
        )
    )


def _number_text(setting: Setting) -> str:
    return f"{setting.name} {float(setting.default):g} ({setting.least:g} .. {setting.most:g})"


def _besides(setting: Setting, like: str) -> Iterator[Sentence]:
    """Yield what a setting accepts apart from its listed values."""
    if setting.pattern:
        yield Sentence("or {like}", like=like)
    elif setting.open:
        yield setting_range(setting)


def setting_range(setting: Setting) -> Sentence:
    """Return the range of numbers that a setting accepts apart from its listed values."""
    least, most = setting.least, setting.most
    if least is not None and most is not None:
        return Sentence("or a number from {least:g} to {most:g}", least=least, most=most)
    if least is not None:
        return Sentence("or a number of at least {least:g}", least=least)
    if most is not None:
        return Sentence("or a number of at most {most:g}", most=most)
    return Sentence("or a number")


def _wrapped(text: str, indent: int, hanging: int | None = None) -> list[str]:
    following = " " * (indent if hanging is None else hanging)
    return textwrap.wrap(text, _WIDTH, initial_indent=" " * indent, subsequent_indent=following, break_on_hyphens=False)
