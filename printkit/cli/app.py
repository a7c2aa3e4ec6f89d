"""The command line: which command is called, and what becomes of its end. Each command loads when it is called."""

from __future__ import annotations

import re
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
        "Make a battlefield and print its map. "
        "It is printed at true size over as many sheets as it takes; --from prints a record again.",
        group="make",
    ),
    "specimen": Command(
        "printkit.cli.map:specimen",
        "Print every sign of a style on one sheet. Each with its name and going.",
        group="print",
    ),
    "rules": Command(
        "printkit.cli.records:rules",
        "List the rule systems, or what one can be told. "
        "Of one: settings with choices and defaults, stages, tables and clauses.",
        group="check",
    ),
    "check": Command(
        "printkit.cli.records:check",
        "Judge a field by its rules. Each clause is kept or broken, and where.",
        group="check",
    ),
    "handouts": Command(
        "printkit.cli.handouts:handouts",
        "Print everything for one evening. "
        "Map, cards, a document for each player and the umpire's copy come into one folder.",
        group="make",
    ),
    "hexon": Command(
        "printkit.cli.hexon:hexon",
        "Plan a battlefield as Hexon tiles. Assembly sheets, the layout for other programs, and a list of parts.",
        group="make",
    ),
    "cards": Command(
        "printkit.cli.cards:cards",
        "Print a deck of cards. As many on a sheet as it holds, backs behind their fronts; without a deck, list them.",
        group="print",
    ),
    "studio": Command(
        "printkit.cli.studio:studio",
        "Open printkit in a browser. Fields are made, understood, changed by hand, printed and played at a desk.",
        group="make",
    ),
    "box": Command(
        "",
        "Fields that your own terrain pieces can build. "
        "A file of the pieces, their sheet, and the fields that they build best.",
        group="make",
    ),
    "box new": Command(
        "printkit.cli.box:new", "Write a box to fill in. It has what fields of these rules ask for, in usual sizes."
    ),
    "box show": Command("printkit.cli.box:show", "Print your pieces to scale. They have numbers to stick under them."),
    "box fit": Command(
        "printkit.cli.box:fit", "Find the fields that your pieces build best. They come with small pictures."
    ),
    "league": Command(
        "",
        "Several games, kept with their results. Of one rule system, in a folder, all of them different.",
        group="make",
    ),
    "league new": Command("printkit.cli.league:new", "Begin a league. An evening for each game, and a page of all."),
    "league add": Command("printkit.cli.league:add", "Add games to a league. None that it has is replaced."),
    "league result": Command("printkit.cli.league:result", "Note what came of a game, or correct it."),
    "league show": Command("printkit.cli.league:show", "Show the results, and print the league's page."),
    "words": Command(
        "printkit.cli.words:words",
        "Tell what a language lacks beside English. Or write files in which to fill it in.",
        group="check",
    ),
    "completion": Command(
        "printkit.cli.completion:completion",
        "Write what a shell completes printkit by. For bash, zsh or fish; docs/install.md says where it goes.",
        group="check",
    ),
    "calibrate": Command(
        "printkit.cli.calibrate:calibrate",
        "Print a test sheet for a printer. With the lengths measured on it, save the printer's profile.",
        group="print",
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
    try:
        terminal.speak(words)
        status = _run(words)
        terminal.tell_lacking()
        terminal.list_placed()
        return status
    except BrokenPipeError:
        raise
    except PrintkitError as error:
        if terminal.is_stopped():
            raise KeyboardInterrupt from None
        terminal.complain(error.sentence)
        terminal.tell_lacking()
        fault: Exception = error
        status = error.exit_status
    except Exception as error:
        if terminal.is_stopped():
            raise KeyboardInterrupt from None
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


_CALLED: Final[Mapping[str, str]] = {
    **dict.fromkeys(("--size", "--table", "-b"), "--board"),
    **dict.fromkeys(("--paper", "--page", "--paper-size", "-p"), "--sheet"),
    **dict.fromkeys(("-o", "--output", "--dir", "--folder", "--file"), "--out"),
    **dict.fromkeys(("--format", "-f", "--type"), "--to"),
    **dict.fromkeys(("--language", "-l", "--locale"), "--lang"),
    **dict.fromkeys(("--rule", "--ruleset", "--system", "--game", "-r"), "--rules"),
    **dict.fromkeys(("--setting", "--option"), "--set"),
    **dict.fromkeys(("--random", "--number", "-s"), "--seed"),
    **dict.fromkeys(("--dry-run", "-n"), "--plan"),
    **dict.fromkeys(("--resolution",), "--dpi"),
    **dict.fromkeys(("-q", "--silent"), "--quiet"),
    **dict.fromkeys(("-v",), "--verbose"),
}
"""Options by what other programs call them."""

_NO_OPTION: Final = re.compile(r"No such option: (-{1,2}[\w-]+)")


def _known_as(message: str, words: Sequence[str]) -> tuple[str, str] | None:
    """Return an option as it was typed and the one of the command that is meant; None where there is none."""
    match, called = _NO_OPTION.search(message), [word for word in words if not word.startswith("-")]
    meant = _CALLED.get(match[1], "") if match else ""
    command = all_commands(words).get(" ".join(called[:2])) or all_commands(words).get(" ".join(called[:1]))
    if match is None or not meant or command is None or not command.call:
        return None
    from printkit.console.parameters import parameters
    from printkit.console.parser import options_of

    return (match[1], meant) if any(meant in each.told.flags for each in parameters(options_of(command))) else None


_EXTRA: Final = re.compile(r"unexpected extra argument(?:\(s\)|s)? \((\S+?)\)")
_SIZE: Final = re.compile(r"\d+(\.\d+)?(x\d+(\.\d+)?)?(in|inch|inches|cm|mm|ft|\")?", re.IGNORECASE)


def _meant_otherwise(message: str, words: Sequence[str]) -> Sentence | None:
    """Return what is said of an option before its command, and of a size without its option; None of all else."""
    match = _NO_OPTION.search(message)
    called = next((word for word in words if word in all_commands(words)), None)
    if match is not None and called is not None and words.index(called) > 0 and words[0] == match[1]:
        return Sentence(
            "{typed} stands behind the command: printkit {command} {typed} ...", typed=match[1], command=called
        )
    extra = _EXTRA.search(message)
    if extra is not None and _SIZE.fullmatch(extra[1]) and _takes_board(called):
        size = extra[1].lower().replace('"', "in").replace("inches", "in").replace("inch", "in")
        return Sentence("{typed} is the size of a board: write --board {size}", typed=extra[1], size=size)
    return None


def _takes_board(called: str | None) -> bool:
    """Return whether a command may be told the size of a board."""
    command = all_commands((called,)).get(called) if called else None
    if command is None or not command.call:
        return False
    from printkit.console.parameters import parameters
    from printkit.console.parser import options_of

    return any(each.told.flags == "--board" for each in parameters(options_of(command)))


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
        if (said := _meant_otherwise(message, words)) is not None:
            terminal.complain(said)
        elif (known := _known_as(message, words)) is not None:
            terminal.complain(
                Sentence("there is no option {typed} here; {meant} is meant", typed=known[0], meant=known[1])
            )
        elif message:
            terminal.complain(Sentence("{fault}; see printkit --help", fault=parsed(message)))
        return 2
    if found == _STOPPED:
        raise KeyboardInterrupt
    return found if isinstance(found, int) else 0
