"""The command line: each command parses, calls a recipe, writes, reports. Libraries load when a command needs them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from printkit import (
    __version__,
    cli_battle,
    cli_calibrate,
    cli_cards,
    cli_dealing,
    cli_handouts,
    cli_hexon,
    cli_npg,
    cli_npg_maps,
    cli_npg_sheets,
)
from printkit import cli_options as options
from printkit import cli_terminal as terminal
from printkit.cli_games import Wanted, blank_orders, games_of
from printkit.errors import PrintkitError, UsageError
from printkit.units import parse_length

if TYPE_CHECKING:
    from printkit.recipes.games import Played
    from printkit.recipes.maps import MapSheet
    from printkit.rules.system import RuleSystem

_STOPPED: Final = 130
"""The status into which the parser turns Ctrl-C, without a word."""

_FOLDER: Final = Path("output")

app = typer.Typer(
    name="printkit",
    help="Wargame battlefields by published terrain rules, as sheets to print at true size.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status: 0, 1 for wrong input, 2 for a wrong command line."""
    command = typer.main.get_command(app)
    try:
        found = command.main(list(arguments) or ["--help"], prog_name="printkit", standalone_mode=False)
        if found == _STOPPED:
            raise KeyboardInterrupt
        return found if isinstance(found, int) else 0
    except PrintkitError as error:
        terminal.complain(str(error))
        return error.exit_status
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Exception as error:
        # The parser's own errors share no public class; all have a message for people and a status.
        if not hasattr(error, "format_message") or not hasattr(error, "exit_code"):
            raise
        message = error.format_message()
        if message:
            terminal.complain(f"{message.rstrip('.')}; see printkit --help")
        return 2


def _version(wanted: bool) -> None:
    if wanted:
        print(f"printkit {__version__}")
        raise typer.Exit


@app.callback()
def _start(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and stop.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Wargame battlefields by published terrain rules, as sheets to print at true size."""


@app.command("map")
def map_(
    rules: options.Rules = None,
    settings: options.Setting = None,
    scenario: options.Scenario = None,
    board: options.BoardSize = None,
    cell: options.CellSize = None,
    seed: options.Seed = None,
    dice: options.DiceText = None,
    ask: options.Ask = False,
    from_: options.From = None,
    reroll: options.Reroll = None,
    keep: options.Keep = None,
    sheet: options.Paper = "a4",
    margin: options.OwnMargin = None,
    overlap: options.Overlap = "10mm",
    furniture: options.Furniture = None,
    scale: options.Scale = "1:1",
    style: options.StyleName = "campaign",
    lang: options.Language = None,
    to: options.Format = None,
    out: options.Out = _FOLDER,
    count: options.Count = 1,
    plan: options.Plan = False,
    numbers: options.Numbers = True,
    zones: options.Zones = True,
    deployment: options.Deployment = True,
    grid: options.CellGrid = True,
    by_zone: options.ByZone = False,
    zone: options.OneZone = None,
    blank: options.Blank = False,
    box: options.TerrainBox = None,
    printer: options.Printer = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Generate a battlefield, or load one, and print it at true size over as many sheets as it takes."""
    from printkit import words as languages
    from printkit.recipes.writers import known

    words = languages.find(lang or terminal.language())
    formats = tuple(dict.fromkeys(known(name) for name in to or ["pdf"]))
    wanted = Wanted(
        rules=rules,
        settings=settings or (),
        scenario=scenario,
        board=board,
        cell=cell,
        seed=seed,
        dice=dice,
        ask=ask,
        record=from_,
        reroll=reroll or (),
        keep=keep or (),
        count=count,
        blank=blank,
        box=box,
    )
    wanted.refuse_together(out, formats)
    games = games_of(wanted, words, quiet=quiet)
    from printkit.recipes.maps import map_sheet

    order = map_sheet(
        sheet=sheet,
        margin=None if margin is None else parse_length(margin),
        overlap=parse_length(overlap),
        words=words,
        style=style,
        furniture=furniture,
        scale=scale,
        numbers=numbers,
        zones=zones,
        deployment=deployment,
        grid=grid,
        by_zone=by_zone,
        only=zone or (),
        profile=terminal.profile(printer),
    )
    if blank and _print_form(wanted, order, formats, out, plan=plan, quiet=quiet):
        return
    for system, game in games:
        _print_map(system, game, order, formats, out, count, plan=plan, quiet=quiet, verbose=verbose)


@app.command("specimen")
def specimen_(
    style: options.StyleName = "campaign",
    lang: options.Language = None,
    to: options.Format = None,
    out: options.Out = _FOLDER,
    printer: options.Printer = None,
    quiet: options.Quiet = False,
) -> None:
    """Print every sign of a style on one sheet, with its name and going."""
    from printkit import words as languages
    from printkit.recipes import systems
    from printkit.recipes.printing import STREAM, document_bytes, write_document
    from printkit.recipes.specimens import specimen_document
    from printkit.recipes.writers import known_document

    words = languages.find(lang or terminal.language())
    formats = tuple(dict.fromkeys(known_document(name) for name in to or ["pdf"]))
    if out == STREAM and len(formats) > 1:
        raise UsageError("--out - writes one file; give one --to")
    document = specimen_document(style, words, systems.every(), profile=terminal.profile(printer))
    if out == STREAM:
        sys.stdout.buffer.write(document_bytes(document, formats[0]))
        return
    written = write_document(document, f"specimen-{document.keywords[0]}", formats, out)
    if not quiet:
        print("\n".join(str(path) for path in written), file=sys.stderr)


@app.command("rules")
def rules_(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="A rule system; none lists them all.")] = None,
    scenario: options.Recorded = None,
    lang: options.Language = None,
) -> None:
    """List the rule systems; of one, its settings with choices and defaults, its stages, tables and clauses."""
    from printkit import words as languages
    from printkit.recipes import systems
    from printkit.recipes.books import list_lines, system_lines

    words = languages.find(lang or terminal.language())
    if scenario is not None:
        from printkit.recipes.orders import ordered
        from printkit.recipes.outstanding import outstanding_lines

        orders = ordered(
            rules=name,
            settings=(),
            scenario=scenario,
            board=None,
            seed=None,
            dice=None,
            default_rules=systems.DEFAULT,
        )
        with terminal.naming(scenario):
            print("\n".join(outstanding_lines(systems.find(orders.rules), orders)))
        return
    lines = list_lines(systems.every()) if name is None else system_lines(systems.find(name), words)
    print("\n".join(lines))


@app.command("check")
def check_(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="A record, also one drawn by hand.")],
    rules: Annotated[
        str | None, typer.Option("--rules", metavar="NAME", help="The rules to judge by [those of the record].")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Show every clause, not the broken ones alone.")] = False,
    lang: options.Language = None,
    quiet: options.Quiet = False,
) -> None:
    """Judge a record against its rule system: each clause kept or broken, and where."""
    from printkit import words as languages
    from printkit.recipes import systems
    from printkit.recipes.orders import read_text
    from printkit.recipes.remarks import remarks_of
    from printkit.rules.check import judge_text, summary_line, verdict_lines

    if rules is not None:
        systems.find(rules)
    text = read_text(record)
    with terminal.naming(record):
        judgement = judge_text(text, systems.every(), rules)
        remarks = remarks_of(judgement.system, judgement.record, languages.find(lang or terminal.language()))
    lines = list(verdict_lines(judgement))
    broken = [line for line, verdict in zip(lines, judgement.verdicts, strict=True) if verdict.state == "broken"]
    if not quiet:
        print("\n".join([*(lines if verbose else broken), *remarks, f"{record}: {summary_line(judgement)}"]))
    if broken:
        raise typer.Exit(1)


app.command("handouts")(cli_handouts.handouts_)
app.command("hexon")(cli_hexon.hexon_)
app.command("cards")(cli_cards.cards_)
app.command("calibrate")(cli_calibrate.calibrate_)
cli_battle.register(cli_npg.app)
cli_npg_sheets.register(cli_npg.app)
cli_npg_maps.register(cli_npg.app)
app.add_typer(cli_npg.app, name="npg")
app.command("deal")(cli_dealing.deal_)
app.command("status")(cli_dealing.status_)
app.command("reveal")(cli_dealing.reveal_)


def _print_form(wanted: Wanted, order: MapSheet, formats: Sequence[str], out: Path, *, plan: bool, quiet: bool) -> bool:
    """Write the form by which a table is made by hand, and say where; False where the rules print an empty grid."""
    from printkit.recipes.blank_grids import blank_form
    from printkit.recipes.printing import STREAM, document_bytes, document_stem, outside_lines, write_document
    from printkit.recipes.writers import known_document

    made = blank_form(*blank_orders(wanted), order)
    if made is None:
        return False
    names = tuple(known_document(name) for name in formats)
    if plan:
        stem = document_stem(made.name, out)
        print("\n".join([made.told, *(f"would write {stem.with_name(f'{stem.name}.{name}')}" for name in names)]))
    elif out == STREAM:
        sys.stdout.buffer.write(document_bytes(made.document, names[0]))
    else:
        written = write_document(made.document, made.name, names, out)
        if not quiet:
            print(
                "\n".join([made.told, *(f"  {path}" for path in written), *outside_lines(made.outside)]),
                file=sys.stderr,
            )
    return True


def _print_map(
    system: RuleSystem,
    game: Played,
    order: MapSheet,
    formats: Sequence[str],
    out: Path,
    count: int,
    *,
    plan: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Write the sheets and the record beside them, and say where; or say what would be written."""
    from printkit.recipes.maps import map_document
    from printkit.recipes.printing import STREAM, as_bytes, plan_lines, report_lines, stem, write_map

    document, planned = map_document(game.record, system, order)
    if plan:
        from printkit.export.ink import ink_share

        print("\n".join(plan_lines(game, order, planned, formats, out, count, ink=ink_share(document))))
        return
    if out == STREAM:
        sys.stdout.buffer.write(as_bytes(document, game.record, formats[0]))
        return
    written = write_map(document, game.record, formats, stem(game.record, out, count, order))
    if verbose:
        from printkit.chance.script import write_log

        print(write_log(game.record.log), end="", file=sys.stderr)
    if not quiet:
        print("\n".join(report_lines(game, order, planned, written)), file=sys.stderr)
