"""The commands about rules and records: what a rule system has, and how a record keeps its clauses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from msgspec import Struct

from printkit.console import options, terminal
from printkit.console.options import Game
from printkit.console.parameters import Opt, argument, flag
from printkit.core.errors import Sentence, UsageError

if TYPE_CHECKING:
    from printkit.core.words import Words
    from printkit.recipes.game.replay_check import Replay
    from printkit.terrain.field.record import Record


_PAGES: Final = ("tables", "clauses")


class RulesOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit rules``."""

    name: Annotated[str | None, argument("[NAME]", "A rule system; none lists them all.")] = None
    show: Annotated[str | None, Opt("--show", "PAGE", "Show its tables or its clauses: tables, clauses.")] = None
    scenario: Annotated[
        Path | None, Opt("--scenario", "FILE.toml", "Say what a game recorded in this file has still to throw.")
    ] = None
    lang: options.Language = None


def rules(asked: RulesOptions) -> None:
    """Tell what a rule system has, all of them by name, or what a recorded game lacks."""
    from printkit.kit import registry
    from printkit.recipes.game.book_lines import clause_lines, list_lines, system_lines, table_lines

    words = terminal.words(asked.lang)
    if asked.show is not None and (asked.show not in _PAGES or asked.name is None or asked.scenario is not None):
        raise UsageError("--show is tables or clauses, of one rule system: printkit rules brantley --show tables")
    if asked.scenario is not None:
        from printkit.console.games import orders_of
        from printkit.recipes.game.games import outstanding_lines

        orders = orders_of(Game(rules=asked.name, scenario=asked.scenario))
        with terminal.naming(asked.scenario):
            terminal.show(outstanding_lines(registry.find(orders.rules), orders))
    elif asked.name is None:
        terminal.show(list_lines(registry.names(), words))
    elif asked.show == "tables":
        terminal.show(table_lines(registry.find(asked.name), words, terminal.thrown))
    elif asked.show == "clauses":
        terminal.show(clause_lines(registry.find(asked.name), words))
    else:
        terminal.show(system_lines(registry.find(asked.name), words))


class CheckOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit check``."""

    record: Annotated[Path, argument("RECORD", "A record, also one drawn by hand.")]
    rules: Annotated[str | None, Opt("--rules", "NAME", "The rules to judge by [those of the record].")] = None
    replay: Annotated[bool, flag("--replay", "Play seed and log again, and say where the record differs.")] = False
    verbose: Annotated[bool, flag("--verbose", "Show every clause, not the broken ones alone.")] = False
    lang: options.Language = None
    quiet: options.Quiet = False


def check(asked: CheckOptions) -> None:
    """Judge a record; a broken clause is status 1."""
    from printkit.kit import registry
    from printkit.kit.check import breach_lines, judge_text, summary_line, verdict_line, verdict_lines
    from printkit.recipes.game.games import remarks_of
    from printkit.recipes.game.request import read_text, record_meant

    if asked.rules is not None:
        registry.find(asked.rules)
    text, words = read_text(record_meant(asked.record)), terminal.words(asked.lang)
    with terminal.naming(asked.record):
        judgement = judge_text(text, registry.every(), asked.rules)
        remarks = remarks_of(judgement.system, judgement.record, words)
        replay = _replay(judgement.record, words) if asked.replay else None
        parted = replay.faults if replay is not None else ()
    if not asked.quiet:
        first = words.each()[0]
        lines = verdict_lines(judgement, first) if asked.verbose else breach_lines(judgement, first)
        told = summary_line(judgement) if asked.verbose else verdict_line(judgement)
        summary = Sentence("{record}: {summary}", record=asked.record, summary=told)
        same = Sentence("{record}: played again, every throw and feature is the same", record=asked.record)
        after = [summary]
        if replay is not None and replay.note is not None:
            after.append(Sentence("{record}: {summary}", record=asked.record, summary=replay.note))
        elif replay is not None and not parted:
            after.append(same)
        terminal.show([*lines, *parted, *remarks, *after])
    if judgement.broken or parted:
        raise typer.Exit(1)


def _replay(record: Record, words: Words) -> Replay:
    """Return where a record differs from what its own rules make of its seed and its log."""
    from printkit.kit import registry
    from printkit.recipes.game.replay_check import replay_of

    return replay_of(registry.find(record.rules), record, words)
