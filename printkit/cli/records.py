"""The commands ``rules`` and ``check``: show a rule system, check a record."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from printkit.console import terminal
from printkit.core.errors import Sentence, UsageError
from printkit.kit import registry
from printkit.options.commands import CheckOptions, GameOptions, RulesOptions
from printkit.options.printing import FileOptions

# The values of ``printkit rules NAME --show``.
PAGES: Final = ("tables", "checks", "clauses")


def show_rules(options: RulesOptions) -> None:
    """List all rule systems, show one of them, or list the remaining rolls of a scenario file."""
    from printkit.recipes.game.book_lines import check_lines, clause_lines, list_lines, system_lines, table_lines

    words = terminal.words(options.lang)
    if options.page is not None and (options.page not in PAGES or options.name is None or options.scenario is not None):
        raise UsageError(
            "--show needs a rule system and one page, tables, checks or clauses: printkit rules brantley --show tables"
        )
    if options.scenario is not None:
        from printkit.console.games import orders_of
        from printkit.recipes.game.games import remaining_roll_lines

        orders = orders_of(GameOptions(rules=options.name, scenario=options.scenario))
        with terminal.naming(Path(options.scenario)):
            terminal.show(remaining_roll_lines(registry.find(orders.rules), orders))
    elif options.name is None:
        terminal.show(list_lines(registry.names(), words))
    else:
        from printkit.kit.book import read_book

        # A name with ".toml" is the file of a rule book, and there is no system for it.
        system = None if options.name.endswith(".toml") else registry.find(options.name)
        book = system.book if system else read_book(options.name)
        if options.page == "tables":
            terminal.show(table_lines(book, words, terminal.translate_log_text))
        elif options.page == "checks":
            from printkit.kit.shape_rules import find_shape_rules

            terminal.show(check_lines(book, find_shape_rules(system), words))
        elif options.page == "clauses":
            terminal.show(clause_lines(book, words))
        else:
            terminal.show(system_lines(book, words, system.stages if system else ()))


def check_record(options: CheckOptions, files: FileOptions) -> int:
    """Check a record, show the results, and return the exit status.

    It is 1 if a clause is broken or the replay differs, otherwise 0.
    """
    from printkit.kit.check import breach_lines, format_legality, judge_text, summary_line, verdict_lines
    from printkit.kit.remarks import collect_remarks
    from printkit.kit.replay import compare_replay
    from printkit.recipes.game.request import check_record_path, read_text

    if options.judge is not None:
        registry.find(options.judge)
    path = Path(options.file)
    text, words = read_text(check_record_path(path)), terminal.words(options.lang)
    terminal.stage(Sentence("checking the battlefield"))
    with terminal.naming(path):
        judgement = judge_text(text, registry.all_systems(), options.judge)
        remarks = collect_remarks(judgement.system, judgement.record, words)
        replay = compare_replay(registry.find(judgement.record.rules), judgement.record) if options.replay else None
        differences = replay.faults if replay is not None else ()
    if not files.quiet:
        first = words.each()[0]
        lines = (
            [*verdict_lines(judgement, first), summary_line(judgement)]
            if options.every
            else [format_legality(judgement, str(path)), *breach_lines(judgement, first)]
        )
        after: list[str] = []
        if replay is not None and replay.note is not None:
            after.append(replay.note)
        elif replay is not None and not differences:
            after.append(Sentence("Replayed: every roll and feature is the same."))
        terminal.show([*lines, *differences, *remarks, *after])
    return 1 if judgement.broken or differences else 0
