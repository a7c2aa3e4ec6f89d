"""A rule system as plain lines to read: settings, stages, tables, clauses."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

from printkit.rules.system import RuleSystem
from printkit.words import Words

_WIDTH = 100


def list_lines(systems: Mapping[str, RuleSystem]) -> Iterator[str]:
    """Yield a line a system: its name, its title, its source."""
    for name, system in systems.items():
        yield f"{name:<18}{system.book.title}"
        yield f"{'':<18}{system.book.source}"


def system_lines(system: RuleSystem, words: Words) -> Iterator[str]:
    """Yield everything of one system that a person may want to know before he plays it."""
    book = system.book
    yield book.title
    yield book.source
    yield ""
    yield from _wrapped(words(f"rules.{system.name}.subtitle"), 0)
    yield ""
    yield "Stages (--reroll, --keep)"
    yield f"  {', '.join(system.stages)}"
    yield ""
    yield "Settings (--set KEY=VALUE; the default first)"
    for setting in book.settings:
        alias = f" or {setting.alias}" if setting.alias else ""
        more = ""
        if setting.open:
            least = "" if setting.least is None else f" from {setting.least:g}"
            most = "" if setting.most is None else f" to {setting.most:g}"
            more = f", or a number{least}{most}"
        if setting.pattern:
            more = f", or {setting.like}"
        yield f"  {setting.key}{alias} = {' | '.join(setting.values)}{more}"
        yield from _wrapped(f"{setting.title} ({setting.clause})", 6)
    yield ""
    yield "Going, from free to impassable"
    yield f"  {', '.join(going.name for going in sorted(book.going.values()))}"
    for table in book.tables.values():
        yield ""
        yield f"Table {table.name}, d{table.sides} ({table.source.section})"
        for modifier in table.modifiers:
            yield f"  {modifier.amount:+d} {modifier.condition}"
        for row in table.rows:
            yield f"  {row.span!s:<6}{row.outcome:<16}{row.clause}"
    yield ""
    yield "Clauses"
    for clause, title in book.clauses.items():
        yield from _wrapped(f"{clause:<8}{title}", 2, 10)


def _wrapped(text: str, indent: int, hanging: int | None = None) -> list[str]:
    following = " " * (indent if hanging is None else hanging)
    return textwrap.wrap(text, _WIDTH, initial_indent=" " * indent, subsequent_indent=following)
