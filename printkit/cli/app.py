"""The command line: which command is called, and what becomes of its end. Each command loads when it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import typer

from printkit import __version__
from printkit.console import terminal
from printkit.console.help import parsed
from printkit.console.parser import parser_of
from printkit.core.errors import OWN_FAULT, PrintkitError, Sentence
from printkit.kit.plugin import Command
from printkit.kit.registry import commands

ABOUT: Final = "Wargame battlefields by published terrain rules, as sheets to print at true size."

OWN: Final[Mapping[str, Command]] = {
    "map": Command(
        "printkit.cli.map:map_",
        "Generate a battlefield, or load one, and print it at true size over as many sheets as it takes.",
    ),
    "specimen": Command(
        "printkit.cli.map:specimen", "Print every sign of a style on one sheet, with its name and going."
    ),
    "rules": Command(
        "printkit.cli.records:rules",
        "List the rule systems; of one, its settings with choices and defaults, its stages, tables and clauses.",
    ),
    "check": Command(
        "printkit.cli.records:check",
        "Judge a record against its rule system: each clause kept or broken, and where.",
    ),
    "handouts": Command(
        "printkit.cli.handouts:handouts",
        "Print everything for one evening into one folder: map, cards, a document for each player, the umpire's copy.",
    ),
    "hexon": Command(
        "printkit.cli.hexon:hexon",
        "Plan a battlefield as Hexon tiles: assembly sheets, the layout for other programs, and a list of parts.",
    ),
    "cards": Command(
        "printkit.cli.cards:cards",
        "Print a deck of cards, as many on a sheet as it holds, backs behind their fronts.",
    ),
    "studio": Command(
        "printkit.cli.studio:studio",
        "Open printkit in a browser: fields made, understood, changed by hand, printed and played at a desk.",
    ),
    "box": Command("", "Your own terrain pieces: a file of them, their sheet, and the fields that they build best."),
    "box new": Command(
        "printkit.cli.box:new", "Write a box to fill in: what fields of these rules ask for, in usual sizes."
    ),
    "box show": Command("printkit.cli.box:show", "Print your pieces to scale, with numbers to stick under them."),
    "box fit": Command("printkit.cli.box:fit", "Find the fields that your pieces build best, with small pictures."),
    "league": Command("", "Games of one rule system in a folder, all different, all kept, with their results."),
    "league new": Command("printkit.cli.league:new", "Begin a league: an evening for each game, and a page of all."),
    "league add": Command("printkit.cli.league:add", "Add games to a league; none that it has is replaced."),
    "league result": Command("printkit.cli.league:result", "Note what came of a game, or correct it."),
    "league show": Command("printkit.cli.league:show", "Show the results of a league, and print its page."),
    "words": Command(
        "printkit.cli.words:words", "Tell what a language lacks beside English, or write files in which to fill it in."
    ),
    "calibrate": Command(
        "printkit.cli.calibrate:calibrate",
        "Print a test sheet for a printer; with the lengths measured on it, save the printer's profile.",
    ),
}
"""The commands that no rule system brings; theirs stand in its ``plugin.py``."""

DEBUG: Final = "--debug"

_STOPPED: Final = 130
"""The status into which the parser turns Ctrl-C, without a word."""


def all_commands(words: Sequence[str] = ()) -> dict[str, Command]:
    """Return every command by its name, those of a group as ``npg armies``.

    Rule systems of other packages are asked for theirs only where the words that were typed name none of ours.
    """
    known = {**OWN, **commands()}
    called = [word for word in words if not word.startswith("-")]
    return known if not called or known.keys() & called else {**known, **commands(others=True)}


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status: 0, 1 for wrong input, 2 for a wrong command line, 70 for our fault.

    ``--debug`` shows of a fault of ours where it lies, whichever command it stands behind.
    """
    words = [word for word in arguments if word != DEBUG] or ["--help"]
    terminal.speak(words)
    try:
        status = _run(words)
        terminal.tell_lacking()
        return status
    except PrintkitError as error:
        terminal.complain(error.sentence)
        fault: Exception = error
        status = error.exit_status
    except Exception as error:
        terminal.complain(
            Sentence(
                "this is a fault of printkit ({kind}: {error}); please report it with the command; "
                "--debug shows where it lies",
                kind=type(error).__name__,
                error=" ".join(str(error).split()),
            )
        )
        fault, status = error, OWN_FAULT
    if status == OWN_FAULT and DEBUG in arguments:
        from traceback import print_exception

        print_exception(fault)
    return status


def _run(words: Sequence[str]) -> int:
    try:
        parser = typer.main.get_command(parser_of(all_commands(words), ABOUT, __version__, words))
        found = parser.main(list(words), prog_name="printkit", standalone_mode=False)
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except typer.TyperException as error:
        message = error.format_message()
        if message:
            terminal.complain(Sentence("{fault}; see printkit --help", fault=parsed(message)))
        return 2
    if found == _STOPPED:
        raise KeyboardInterrupt
    return found if isinstance(found, int) else 0
