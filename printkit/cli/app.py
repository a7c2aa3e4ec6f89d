"""The command line: find the command, run it, and return its exit status. A command is imported when it runs.

Typer knows the program, its groups and commands, and calls the command. The option table parses the arguments of the
command (``printkit.options.table``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import typer

from printkit.console import terminal
from printkit.console.help import HELP_ALL, HELP_FLAGS, OTHERS, command_help, first_screen, group_help, program_help
from printkit.console.stages import end_stages
from printkit.core.errors import BUG_EXIT_STATUS, PrintkitError, Sentence, UsageError
from printkit.core.paths import is_file
from printkit.kit.plugin import Command
from printkit.kit.registry import commands, find_package

if TYPE_CHECKING:
    from printkit.options.table import Row

ABOUT: Final = "Generate battlefields by published rules and print them at actual size."

_PRINTED: Final = "style lang sheet margin large_print force out printer quiet"
_WRITERS: Final = "printkit.export.writers"

# The commands that do not belong to a rule system; a rule system has its commands in its ``plugin.py``.
OWN: Final[Mapping[str, Command]] = {
    "map": Command(
        "printkit.cli.map:print_map",
        "Generate a battlefield and print its map. It is printed at actual size; --from prints a saved one again.",
        "make",
        formats=(f"{_WRITERS}:PAGES", f"{_WRITERS}:RECORDS"),
    ),
    "handouts": Command(
        "printkit.cli.map:print_handouts",
        "Print everything for a game night. One folder has the map, the cards, the handouts of each player "
        "and the umpire's copy.",
        "make",
        takes="-kerf -blank",
        formats=(f"{_WRITERS}:FOLDERS",),
    ),
    "hexon": Command(
        "printkit.cli.hexon:plan_tiles",
        "Plan a battlefield with Hexon or square tiles. For hexes it writes assembly sheets, a parts list, and the "
        "layout for other programs. For squares it prints tiles to cut and a plan. Its second name is tiles.",
        "make",
        takes="-box -verbose -url_base -kerf -blank",
        usual={"to": ("pdf", "json", "csv")},
        formats=("printkit.hexon.formats.layouts:SHEETS", "printkit.hexon.formats.layouts:LAYOUTS"),
    ),
    "cards": Command(
        "printkit.cli.cards:print_cards",
        "Print a deck of cards. Without the name of a deck, list all decks.",
        "make",
        takes="-verbose -kerf -blank",
        formats=(f"{_WRITERS}:PAGES", f"{_WRITERS}:DECKS"),
    ),
    "play": Command(
        "printkit.cli.machine:answer_questions",
        "Answer six questions and print what you need. It ends with the command that does the same without questions.",
        "make",
    ),
    "studio": Command(
        "printkit.cli.machine:open_studio",
        "Open printkit in the browser. Generate, edit, check, print and play battlefields there. Without --out, files "
        "are saved in the folder printkit of your documents, in a checkout in output.",
        "make",
        usual={"out": ""},
        takes="port lan new_key child out lang",
    ),
    "box": Command(
        "",
        "Build battlefields with your own terrain. Describe your pieces in a file, and find the "
        "battlefields that they build best.",
        "own",
    ),
    "box new": Command(
        "printkit.cli.box:write_box",
        "Write a terrain box file to fill in. It lists the pieces that these rules use, in common sizes.",
        takes="rules settings board lang out force quiet",
        usual={"out": "my-box.toml"},
    ),
    "box show": Command(
        "printkit.cli.box:print_box",
        "Print your pieces to scale. They have numbers to stick under the pieces.",
        takes=f"file {_PRINTED}",
    ),
    "box fit": Command(
        "printkit.cli.box:fit_box",
        "Find the battlefields that your pieces build best. The sheet shows a small map of each.",
        takes=f"file rules settings board seeds {_PRINTED} plan",
    ),
    "league": Command(
        "",
        "Keep a league: several games with their results. All games use one rule system, and no two "
        "battlefields are alike.",
        "own",
    ),
    "league new": Command(
        "printkit.cli.league:begin_league",
        "Start a league. With --players everybody meets everybody, round by round; otherwise it has single games.",
        takes="folder players games tables print_sheets name rules settings scenario board cell seed box lang "
        "style sheet margin large_print show_seed overlap skip_bare dressing climate key laid wanted unwanted size "
        "backs flip fold quiet",
        usual={"laid": ""},
    ),
    "league add": Command(
        "printkit.cli.league:add_games",
        "Add games to a league without players. Existing games do not change.",
        takes="folder games seed lang quiet",
    ),
    "league round": Command(
        "printkit.cli.league:add_round",
        "Start the next round of a league. It has a pair and a battlefield for each table; --players adds players.",
        takes="folder players tables print_sheets seed lang quiet",
    ),
    "league result": Command(
        "printkit.cli.league:note_result",
        "Record the result of a game. Correct it, or take it back.",
        takes="game result players lang quiet",
    ),
    "league show": Command(
        "printkit.cli.league:show_league",
        "Show the standings and results. Print the page of the league.",
        takes="folder print_sheets lang quiet",
        usual={"folder": "."},
    ),
    "rules": Command(
        "printkit.cli.records:show_rules",
        "List the rule systems, or the settings of one. Use --show for its tables and clauses.",
        "look",
    ),
    "check": Command(
        "printkit.cli.records:check_record",
        "Check that a battlefield is legal. The report names each broken clause and its place.",
        "look",
        takes="file judge replay every lang quiet",
    ),
    "calibrate": Command(
        "printkit.cli.machine:calibrate_printer",
        "Calibrate your printer. Print a test sheet, measure it, and save the measurements.",
        "look",
        takes="name measured back margins flip sheet lang out force quiet",
    ),
    "specimen": Command(
        "printkit.cli.machine:print_specimen",
        "Print all map symbols of a style on one sheet. Each has its name and going.",
        "more",
        takes="style lang to out force printer quiet",
        formats=(f"{_WRITERS}:PAGES",),
    ),
    "schema": Command(
        "printkit.cli.schema:show_schema",
        "Print the format of a file, or an example to fill in. "
        "The format is a JSON Schema; without a kind, all are listed.",
        "more",
        takes="kind example lang out force quiet",
        usual={"out": ""},
    ),
    "completion": Command(
        "printkit.cli.completion:write_completion",
        "Print a tab-completion script for your shell. For bash, zsh, fish or PowerShell; "
        "docs/reference/files.md says where to save it.",
        "more",
    ),
}

# Second names of commands. The program replaces them, so help and messages have the first name.
SECOND_NAMES: Final[Mapping[str, str]] = {"tiles": "hexon"}

DEBUG: Final = "--debug"

# The exit status that Typer returns after Ctrl-C.
_STOPPED: Final = 130

_SETTINGS: Final[Mapping[str, Any]] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": []},
}


def all_commands(words: Sequence[str] = ()) -> dict[str, Command]:
    """Return all commands by name; the name of a command in a group is for example ``npg armies``.

    ``words`` are those of the command line. Rule systems of other packages are loaded only if these name an unknown
    command.
    """
    available = {**OWN, **commands()}
    names = [word for word in words if not word.startswith("-")]
    return available if not names or available.keys() & names else {**available, **commands(include_others=True)}


def _with_other_packages(available: Mapping[str, Command]) -> dict[str, Command]:
    """Return commands and those of other packages; if a package cannot be loaded, say so and leave these out."""
    try:
        loaded_commands = commands(include_others=True)
    except PrintkitError as error:
        terminal.report_error(error.sentence)
        return {**available}
    new_names = loaded_commands.keys() - available.keys()
    return {**available, **{name: loaded_commands[name]._replace(group=OTHERS) for name in sorted(new_names)}}


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status.

    The status is 0, or 1 for wrong input, 2 for a wrong command line, 70 for a bug in printkit or in another package.
    ``--debug`` works with every command and shows the traceback of a bug.
    """
    words = [word for word in arguments if word != DEBUG] or (["studio"] if terminal.is_opened_by_click() else [])
    words = _replace_second_name(words)
    try:
        terminal.set_language(words)
        status = _run_or_resolve(words)
        terminal.report_missing_texts()
        return status
    except BrokenPipeError:
        raise
    except PrintkitError as error:
        if terminal.is_stopped():
            raise KeyboardInterrupt from None
        terminal.report_error(error.sentence)
        terminal.report_missing_texts()
        fault: Exception = error
        status = error.exit_status
    except Exception as error:
        if terminal.is_stopped():
            raise KeyboardInterrupt from None
        kind, text = type(error).__name__, " ".join(str(error).split())
        package = find_package(error)
        terminal.report_error(
            Sentence(
                "This is a mistake in the rules of {package} ({kind}: {error}): in their tables or their Python code. "
                "No file was left incomplete. --debug shows where it is.",
                package=package,
                kind=kind,
                error=text,
            )
            if package
            else Sentence(
                "This is a mistake in printkit, not yours ({kind}: {error}). No file was left incomplete. Please "
                "report it with your command; --debug shows where it is.",
                kind=kind,
                error=text,
            )
        )
        fault, status = error, BUG_EXIT_STATUS
    finally:
        end_stages()
    if status == BUG_EXIT_STATUS and DEBUG in arguments:
        from traceback import print_exception

        print_exception(fault)
    return status


def _replace_second_name(words: list[str]) -> list[str]:
    """Return the words of a command line with the first name of its command in place of a second name."""
    for position, word in enumerate(words):
        if not word.startswith("-") and words[max(0, position - 1)] != "--lang":
            return [*words[:position], SECOND_NAMES.get(word, word), *words[position + 1 :]]
    return words


def _run_or_resolve(words: Sequence[str]) -> int:
    """Run a command; if its words cannot be read, read them again with the table of synonyms.

    It returns the exit status of the command.
    """
    from printkit.options.removed import GONE

    try:
        return _run(words)
    except UsageError as error:
        if GONE.keys() & {word.partition("=")[0] for word in words}:
            raise
        from printkit.console.resolve import resolve, synonyms_of

        available = all_commands()
        resolution = resolve(
            _option_words(words),
            synonyms_of(terminal.output_language()),
            available,
            lambda name: {row.flag: bool(row.option.value) for row in _rows_of(available[name])},
        )
        if resolution is None:
            raise
        if isinstance(resolution, str):
            raise UsageError("{sentence}", sentence=resolution) from error
    terminal.tell(resolution.notices)
    words = [*resolution.words, *words[len(_option_words(words)) :]]
    # The messages are in the language of the command line that is run, and repeat it.
    terminal.set_language(words)
    return _run(words)


def _rows_of(command: Command) -> Sequence[Row]:
    """Return the rows of the options of a command; empty for a group."""
    from printkit.options.table import command_rows

    return command_rows(command) if command.call else ()


def _run(words: Sequence[str]) -> int:
    """Show help or the version, or run a command with Typer; return the exit status.

    ``words`` are those of the command line. An unknown command raises UsageError.
    """
    available = all_commands(words)
    path, rest = _find_command((), list(words), available)
    if rest is None:
        return 0
    if not path:
        raise _unknown_command(rest[0], available)
    if not available[path[0]].call and len(path) == 1:
        raise _unknown_command(rest[0], _group_commands(path[0], available), f"printkit {path[0]} ")
    try:
        program = _build_program(path, available[" ".join(path)], rest)
        result = program(args=[*path], prog_name="printkit", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except typer.TyperException as error:
        # The option table parses all arguments, so Typer should not find an error.
        raise UsageError("{fault}", fault=error.format_message()) from None
    if result == _STOPPED:
        raise KeyboardInterrupt
    return result if isinstance(result, int) else 0


def _find_command(
    path: tuple[str, ...], words: list[str], available: Mapping[str, Command]
) -> tuple[tuple[str, ...], list[str] | None]:
    """Return the path of the called command, one word each, and its arguments.

    The path has the name of a group, then that of the command. If help or the version was shown, None replaces the
    arguments. Options of the program go before the command, or between a group and its command.
    """
    candidates = _group_commands(path[0], available) if path else available
    shows_help = False
    while words and words[0].startswith("-"):
        flag, equals, value = words.pop(0).partition("=")
        if flag in (*HELP_FLAGS, HELP_ALL):
            shows_help = True
            words.clear()
        elif flag == "--version" and not path:
            terminal.show(terminal.about_lines())
            return path, None
        elif flag == "--lang" and (equals or words):
            terminal.set_preferred_language(value if equals else words.pop(0))
        elif flag == "--lang":
            raise UsageError("a value is missing: {option} {argument}", option=flag, argument="CODE")
        else:
            raise _misplaced_option(flag, words, available)
    if not words:
        if path:
            text = group_help(f"printkit {path[0]}", available[path[0]].about, candidates)
        else:
            text = program_help(_with_other_packages(available)) if shows_help else first_screen(ABOUT)
        terminal.show([text])
        return path, None
    if words[0] not in candidates:
        return path, words
    path, words = (*path, words[0]), words[1:]
    return (path, words) if available[" ".join(path)].call else _find_command(path, words, available)


def _group_commands(group: str, available: Mapping[str, Command]) -> dict[str, Command]:
    """Return the commands of a group, without the name of the group."""
    return {
        name.removeprefix(f"{group} "): command for name, command in available.items() if name.startswith(f"{group} ")
    }


def _unknown_command(word: str, available: Mapping[str, Command], path: str = "printkit ") -> UsageError:
    """Return the error for an unknown command, with a similar name if there is one.

    ``path`` is the start of the command line to suggest.
    """
    from difflib import get_close_matches

    from printkit.kit.plugin import load
    from printkit.options.play import MATCHING_SAMPLES

    near = get_close_matches(word, [name for name in available if " " not in name], 1)
    if near:
        return UsageError("unknown command {word}; did you mean {meant}?", word=word, meant=f"{path}{near[0]}")
    army = word.rpartition("=")[2]
    # Armies are loaded only for a word that looks like one.
    may_be_army = path == "printkit " and (army[:1].isupper() or army != word)
    if may_be_army and (samples := load(MATCHING_SAMPLES)(army)):
        shown_name = samples[0] if len(samples) == 1 else army
        return UsageError("{word} is an army, not a command: printkit npg armies {army}", word=word, army=shown_name)
    return UsageError("unknown command {word}; see {help}", word=word, help=f"{path}--help")


def _misplaced_option(flag: str, words: Sequence[str], available: Mapping[str, Command]) -> UsageError:
    """Return the error for an option before the command, with its correct place if a command follows."""
    command = next((word for word in words if word in available), None)
    if command is None:
        return UsageError("unknown option {word}; see {help}", word=flag, help="printkit --help")
    return UsageError("{typed} goes after the command: printkit {command} {typed} ...", typed=flag, command=command)


def _build_program(path: Sequence[str], command: Command, words: Sequence[str]) -> typer.Typer:
    """Return a Typer program with one command only, because every further command slows Typer down.

    The arguments of the command do not pass through Typer, which would remove ``--``.
    """
    program = typer.Typer(name="printkit", **_SETTINGS)
    program.callback()(_do_nothing)
    group = program
    if len(path) > 1:
        group = typer.Typer(name=path[0], **_SETTINGS)
        group.callback()(_do_nothing)
        program.add_typer(group, name=path[0])
    group.command(path[-1])(_command_callback(f"printkit {' '.join(path)}", command, words))
    return program


def _do_nothing() -> None:
    """Do nothing; Typer needs a callback for each group."""


def _option_words(words: Sequence[str]) -> Sequence[str]:
    """Return the arguments before ``--``; later ones are not options."""
    return words[: words.index("--")] if "--" in words else words


def saved_paper() -> str:
    """Return the name of the paper that the user prefers; empty if no preferences are saved."""
    file = terminal.preferences_file()
    if not is_file(file):
        return ""
    from printkit.studio.preferences import Preferences, read_preferences

    preferences, notices = read_preferences(file, Preferences())
    terminal.tell(notices)
    return preferences.sheet


def _command_callback(path: str, command: Command, words: Sequence[str]) -> Callable[[], Any]:
    """Return a function without arguments that shows the help of a command, or runs it with its options.

    Its result is that of the command, or 0 after help.
    """

    def call() -> Any:
        from printkit.kit.plugin import load
        from printkit.options.table import UnknownOptionError, command_rows, read_command

        if {*HELP_FLAGS, HELP_ALL} & {*_option_words(words)}:
            terminal.show([command_help(path, command.about, command_rows(command), everything=HELP_ALL in words)])
            return 0
        try:
            options = read_command(command, words, saved_paper)
        except UnknownOptionError as error:
            if error.told:
                raise
            raise UsageError("{fault}; see {help}", fault=error, help=f"{path} --help") from None
        return load(command.call)(*options)

    return call
