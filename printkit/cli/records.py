"""The commands ``rules`` and ``check``: show a rule system, check a record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from printkit.console import terminal
from printkit.core.errors import Sentence, UsageError
from printkit.options.commands import CheckOptions, GameOptions, RulesOptions
from printkit.options.printing import FileOptions

if TYPE_CHECKING:
    from printkit.core.words import Words
    from printkit.recipes.game.replay_check import Replay
    from printkit.terrain.field.record import Record

# The values of ``printkit rules NAME --show``.
PAGES: Final = ("tables", "clauses")


def show_rules(asked: RulesOptions) -> None:
    """List all rule systems, show one of them, or list the remaining rolls of a scenario file."""
    from printkit.kit import registry
    from printkit.recipes.game.book_lines import clause_lines, list_lines, system_lines, table_lines

    words = terminal.words(asked.lang)
    if asked.page is not None and (asked.page not in PAGES or asked.name is None or asked.scenario is not None):
        raise UsageError(
            "--show needs a rule system and one page, tables or clauses: printkit rules brantley --show tables"
        )
    if asked.scenario is not None:
        from printkit.console.games import orders_of
        from printkit.recipes.game.games import remaining_roll_lines

        orders = orders_of(GameOptions(rules=asked.name, scenario=asked.scenario))
        with terminal.naming(Path(asked.scenario)):
            terminal.show(remaining_roll_lines(registry.find(orders.rules), orders))
    elif asked.name is None:
        terminal.show(list_lines(registry.names(), words))
    elif asked.page == "tables":
        terminal.show(table_lines(registry.find(asked.name), words, terminal.thrown))
    elif asked.page == "clauses":
        terminal.show(clause_lines(registry.find(asked.name), words))
    else:
        terminal.show(system_lines(registry.find(asked.name), words))


def check_record(asked: CheckOptions, files: FileOptions) -> int:
    """Check a record and return the exit status: 1 if a clause is broken or the replay differs."""
    from printkit.kit import registry
    from printkit.kit.check import breach_lines, format_legality, judge_text, summary_line, verdict_lines
    from printkit.recipes.game.games import collect_remarks
    from printkit.recipes.game.request import check_record_path, read_text

    if asked.judge is not None:
        registry.find(asked.judge)
    path = Path(asked.file)
    text, words = read_text(check_record_path(path)), terminal.words(asked.lang)
    with terminal.naming(path):
        judgement = judge_text(text, registry.all_systems(), asked.judge)
        remarks = collect_remarks(judgement.system, judgement.record, words)
        replay = _replay(judgement.record, words) if asked.replay else None
        parted = replay.faults if replay is not None else ()
    if not files.quiet:
        first = words.each()[0]
        lines = verdict_lines(judgement, first) if asked.every else breach_lines(judgement, first)
        told = summary_line(judgement) if asked.every else format_legality(judgement)
        summary = Sentence("{record}: {summary}", record=path, summary=told)
        same = Sentence("{record}: replayed. Every roll and feature is the same.", record=path)
        after = [summary]
        if replay is not None and replay.note is not None:
            after.append(Sentence("{record}: {summary}", record=path, summary=replay.note))
        elif replay is not None and not parted:
            after.append(same)
        terminal.show([*lines, *parted, *remarks, *after])
    return 1 if judgement.broken or parted else 0


def _replay(record: Record, words: Words) -> Replay:
    """Replay a record from its seed and log, and return the differences."""
    from printkit.kit import registry
    from printkit.recipes.game.replay_check import compare_replay

    return compare_replay(registry.find(record.rules), record, words)
