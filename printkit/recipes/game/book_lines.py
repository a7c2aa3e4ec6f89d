"""A rule system as lines of text: settings, stages, tables, checks, clauses."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from printkit.core.errors import Sentence, joined
from printkit.core.resources import template
from printkit.core.words import IN_ENGLISH, Words
from printkit.kit.registry import BUILT_IN, plugin

if TYPE_CHECKING:
    from printkit.kit.book import RuleBook, Setting
    from printkit.kit.shape_rules import ShapeRule, ShapeRules

_WIDTH = 100
# Minimum width of the outcome column of a table, in characters.
_OUTCOME_WIDTH = 16


def list_lines(names: Iterable[str], words: Words = IN_ENGLISH) -> Iterator[str]:
    """Yield two lines for each rule system: its name with its title, and its source.

    They come from its book, without importing built-in systems. Systems without a book are left out.
    """
    for name in names:
        # The book of another package is found once its plugin is loaded. A plugin with only commands has no book.
        if name not in BUILT_IN and not plugin(name).system:
            continue
        book = template("rules", name)
        title = words.each()[0].book_line((name,), "book", "title", book["title"])
        yield f"{name:<18}{title}"
        yield f"{'':<18}{words.each()[0].book_line((name,), 'book', 'source', book['source'])}"


def _keep_name(text: str, category: str) -> str:
    """Return the text unchanged; the default of ``translate``, which also gets a category."""
    del category
    return text


def system_lines(book: RuleBook, words: Words, stages: Sequence[str]) -> Iterator[str]:
    """Yield the title, stages and settings of a rule book, and the commands that show the rest.

    The most used settings come first, then the others, then the numbers. The book of no rule system has no stages.
    """
    main_words = words.each()[0]
    yield book.title_in(main_words)
    yield book.source_in(main_words)
    if stages:
        yield ""
        yield from _wrap_text(words(f"rules.{book.name}.subtitle"), 0)
        yield ""
        yield Sentence("Stages (--reroll, --keep)")
        yield from _wrap_text(", ".join(stages), 2)
    numbers = [setting for setting in book.settings if setting.number]
    common = [setting for key in book.first for setting in book.settings if setting.key == key]
    others = [setting for setting in book.settings if setting not in (*numbers, *common)]
    headings = (Sentence("Settings (--set NAME=VALUE; default first)"), Sentence("More settings"))
    for heading, group in zip(headings, (common, others), strict=True):
        if group:
            yield ""
            yield heading
        width = max((len(setting.name) for setting in group), default=0) + 4
        for setting in group:
            yield from _wrap_text(f"{setting.name:<{width - 2}}{_setting_text(book, setting, main_words)}", 2, width)
    if numbers:
        yield ""
        yield Sentence("Numbers (--set NAME=NUMBER)")
        yield from _wrap_text(", ".join(map(_number_text, numbers)), 2)
    yield ""
    yield Sentence("tables: printkit rules {name} --show tables", name=book.file)
    yield Sentence("checks: printkit rules {name} --show checks", name=book.file)
    yield Sentence("clauses: printkit rules {name} --show clauses", name=book.file)


def table_lines(book: RuleBook, words: Words, translate: Callable[[str, str], str] = _keep_name) -> Iterator[str]:
    """Yield the goings and the die tables of a rule book.

    ``translate`` translates the name of an outcome or a going for the user; its second argument is ``kind`` or
    ``going``.
    """
    main_words = words.each()[0]
    yield Sentence("Going, from easiest to impassable")
    yield f"  {', '.join(translate(going.name, 'going') for going in sorted(book.going.values()))}"

    def book_text(text: str) -> str:
        return main_words.book_line((book.name, book.shares), "tables", text, text)

    for table in book.tables.values():
        outcomes = [book_text(translate(row.outcome, "kind")) for row in table.rows]
        width = max(_OUTCOME_WIDTH, *(len(outcome) + 2 for outcome in outcomes))
        yield ""
        yield Sentence(
            "Table {table}, d{sides} ({section})",
            table=book_text(table.name),
            sides=table.sides,
            section=book_text(table.source.section),
        )
        for modifier in table.modifiers:
            yield f"  {modifier.amount:+d} {book_text(modifier.condition)}"
        for row, outcome in zip(table.rows, outcomes, strict=True):
            yield f"  {row.span!s:<6}{outcome:<{width}}{row.clause}"


def clause_lines(book: RuleBook, words: Words) -> Iterator[str]:
    """Yield the clauses of a rule book that apply to a battlefield."""
    main_words = words.each()[0]
    for clause in book.of_a_record:
        yield from _wrap_text(f"{clause:<7} {book.clause_title(clause, main_words)}", 0, 8)


def check_lines(book: RuleBook, rules: ShapeRules, words: Words) -> Iterator[str]:
    """Yield the rules of shapes that printkit checks, with limit, tolerance and clause, under the source of the book.

    ``rules`` has the rules by the heading of their group.
    """
    main_words = words.each()[0]
    yield book.source_in(main_words)
    for heading, group in rules.items():
        yield ""
        yield heading
        for rule in group:
            text = Sentence(rule.title)
            if rule.number:
                text = Sentence("{rule}: {limit}", rule=text, limit=limit_text(book, rule))
            yield from _wrap_text(f"{rule.clause:<7} {main_words.translate(text)}", 2, 10)


def limit_text(book: RuleBook, rule: ShapeRule[Any, Any]) -> Sentence:
    """Return the limit of a rule with its tolerance, and the setting that changes it."""
    from printkit.kit.shape_rules import format_number

    limit = format_number(book, rule.number, book.numbers[rule.number])
    text = Sentence("at least {limit}", limit=limit) if rule.minimum else Sentence("at most {limit}", limit=limit)
    if slack := book.slacks.get(rule.number):
        tolerance = format_number(book, rule.number, slack)
        text = Sentence("{limit} (tolerance {tolerance})", limit=text, tolerance=tolerance)
    if key := book.set_by.get(rule.number):
        name = next(setting.name for setting in book.settings if setting.key == key)
        text = Sentence("{limit}; the setting {name} changes it", limit=text, name=name)
    return text


def _setting_text(book: RuleBook, setting: Setting, words: Words) -> str:
    """Return the values, the title and the clause of a setting as one line."""
    values = joined([" | ".join(setting.values), *_extra_values(setting, book.setting_like(setting, words))])
    return words.translate(
        Sentence(
            "{values}: {title} ({clause})",
            title=book.setting_title(setting, words),
            values=values,
            clause=setting.clause,
        )
    )


def _number_text(setting: Setting) -> str:
    """Return a setting that is a number as text: name, default, and least and greatest value."""
    return f"{setting.name} {float(setting.default):g} ({setting.least:g} .. {setting.most:g})"


def _extra_values(setting: Setting, example: str) -> Iterator[Sentence]:
    """Yield what a setting accepts apart from its listed values, as one phrase: "or" and a description, or a range.

    ``example`` describes in words the texts that the pattern of a setting accepts, for example "a State or region"; it
    is not used for a setting that accepts numbers. The result is empty if only the listed values are accepted.
    """
    if setting.pattern:
        yield Sentence("or {like}", like=example)
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


def _wrap_text(text: str, indent: int, hanging: int | None = None) -> list[str]:
    """Return a text as lines of limited width. ``indent`` and ``hanging`` are numbers of spaces.

    ``hanging`` is the indent of all lines but the first; None means that of the first.
    """
    later_indent = " " * (indent if hanging is None else hanging)
    return textwrap.wrap(
        text, _WIDTH, initial_indent=" " * indent, subsequent_indent=later_indent, break_on_hyphens=False
    )
