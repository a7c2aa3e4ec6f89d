"""The command line: each command parses, calls a recipe, writes, reports. Libraries load when a command needs them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from printkit import __version__
from printkit.cli import calibrate as cli_calibrate
from printkit.cli import cards as cli_cards
from printkit.cli import handouts as cli_handouts
from printkit.cli import hexon as cli_hexon
from printkit.console import options, terminal
from printkit.console.commands import Commands
from printkit.console.parsing import parsed
from printkit.core.errors import PrintkitError, Sentence, UsageError
from printkit.core.units import parse_length
from printkit.systems.brantley import commands as cli_dealing
from printkit.systems.solo import army_commands as cli_npg
from printkit.systems.solo import battle_commands as cli_battle

if TYPE_CHECKING:
    from printkit.console.games import Wanted
    from printkit.recipes.prints.maps import MapSheet

_STOPPED: Final = 130
"""The status into which the parser turns Ctrl-C, without a word."""

_FOLDER: Final = Path("output")

app = Commands(
    name="printkit",
    help="Wargame battlefields by published terrain rules, as sheets to print at true size.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status: 0, 1 for wrong input, 2 for a wrong command line."""
    terminal.speak(arguments)
    command = typer.main.get_command(app)
    try:
        found = command.main(list(arguments) or ["--help"], prog_name="printkit", standalone_mode=False)
        if found == _STOPPED:
            raise KeyboardInterrupt
        return found if isinstance(found, int) else 0
    except PrintkitError as error:
        terminal.complain(error.sentence)
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
            terminal.complain(Sentence("{fault}; see printkit --help", fault=parsed(message.rstrip("."))))
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
    lang: options.Language = None,
) -> None:
    """Wargame battlefields by published terrain rules, as sheets to print at true size."""
    del version  # Its callback has shown it.
    terminal.prefer(lang)


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
    force: options.Force = False,
    count: options.Count = 1,
    jobs: options.Jobs = None,
    backend: options.Backend = None,
    again: options.Again = False,
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
    from printkit.console.batches import Sharing, Telling, is_batch, make_batch, place_of, tell
    from printkit.console.games import Wanted, games_of
    from printkit.core import words as languages
    from printkit.export.writers import known

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
    sharing = Sharing(jobs=jobs, backend=backend, again=again)
    sharing.refuse_together(wanted)
    from printkit.recipes.prints.maps import map_sheet

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
    if blank and _print_form(wanted, order, formats, out, force=force, plan=plan, quiet=quiet):
        return
    from printkit.export.writers import FORMATS
    from printkit.recipes.batch.batches import SEVERAL, Delivery
    from printkit.recipes.batch.works import MapWork
    from printkit.recipes.prints.printing import STREAM

    folder, name = place_of(out, FORMATS)
    work = MapWork(order=order, formats=formats, out=name, count=min(count, SEVERAL))
    telling = Telling(plan=plan, quiet=quiet, verbose=verbose, force=force)
    if is_batch(wanted):
        make_batch(wanted, words, work, folder, sharing=sharing, telling=telling)
        return
    for system, game in games_of(wanted, words, quiet=quiet):
        if out == STREAM and not plan:
            sys.stdout.buffer.write(work.stream(system, game))
        else:
            place = Delivery(folder=folder, shown=folder, plan=plan, verbose=verbose, force=force)
            tell(work(system, game, place), quiet=quiet)


@app.command("specimen")
def specimen_(
    style: options.StyleName = "campaign",
    lang: options.Language = None,
    to: options.Format = None,
    out: options.Out = _FOLDER,
    force: options.Force = False,
    printer: options.Printer = None,
    quiet: options.Quiet = False,
) -> None:
    """Print every sign of a style on one sheet, with its name and going."""
    from printkit.core import words as languages
    from printkit.export.writers import known_document
    from printkit.kit import registry as systems
    from printkit.recipes.prints.file_names import marked, printing_marks
    from printkit.recipes.prints.printing import STREAM, document_bytes, write_document
    from printkit.recipes.prints.specimens import specimen_document

    words = languages.find(lang or terminal.language())
    formats = tuple(dict.fromkeys(known_document(name) for name in to or ["pdf"]))
    if out == STREAM and len(formats) > 1:
        raise UsageError("--out - writes one file; give one --to")
    profile = terminal.profile(printer)
    document = specimen_document(style, words, systems.every(), profile=profile)
    if out == STREAM:
        sys.stdout.buffer.write(document_bytes(document, formats[0]))
        return
    name = marked(f"specimen-{document.keywords[0]}", *printing_marks(words, profile=profile))
    written = write_document(document, name, formats, out, force=force)
    if not quiet:
        terminal.tell(str(path) for path in written)


@app.command("rules")
def rules_(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="A rule system; none lists them all.")] = None,
    scenario: options.Recorded = None,
    lang: options.Language = None,
) -> None:
    """List the rule systems; of one, its settings with choices and defaults, its stages, tables and clauses."""
    from printkit.core import words as languages
    from printkit.kit import registry as systems
    from printkit.recipes.game.book_lines import list_lines, system_lines

    words = languages.find(lang or terminal.language())
    if scenario is not None:
        from printkit.recipes.game.games import outstanding_lines
        from printkit.recipes.game.request import ordered

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
            terminal.show(outstanding_lines(systems.find(orders.rules), orders))
        return
    lines = list_lines(systems.NAMES) if name is None else system_lines(systems.find(name), words)
    terminal.show(lines)


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
    from printkit.core import words as languages
    from printkit.kit import registry as systems
    from printkit.kit.check import judge_text, summary_line, verdict_lines
    from printkit.recipes.game.games import remarks_of
    from printkit.recipes.game.request import read_text

    if rules is not None:
        systems.find(rules)
    text = read_text(record)
    with terminal.naming(record):
        judgement = judge_text(text, systems.every(), rules)
        remarks = remarks_of(judgement.system, judgement.record, languages.find(lang or terminal.language()))
    lines = list(verdict_lines(judgement))
    broken = [line for line, verdict in zip(lines, judgement.verdicts, strict=True) if verdict.state == "broken"]
    if not quiet:
        summary = Sentence("{record}: {summary}", record=record, summary=summary_line(judgement))
        terminal.show([*(lines if verbose else broken), *remarks, summary])
    if broken:
        raise typer.Exit(1)


app.command("handouts")(cli_handouts.handouts_)
app.command("hexon")(cli_hexon.hexon_)
app.command("cards")(cli_cards.cards_)
app.command("calibrate")(cli_calibrate.calibrate_)
cli_battle.register(cli_npg.app)
cli_npg.register_sheets(cli_npg.app)
cli_npg.register_maps(cli_npg.app)
app.add_typer(cli_npg.app, name="npg")
app.command("deal")(cli_dealing.deal_)
app.command("status")(cli_dealing.status_)
app.command("reveal")(cli_dealing.reveal_)


def _print_form(
    wanted: Wanted, order: MapSheet, formats: Sequence[str], out: Path, *, force: bool, plan: bool, quiet: bool
) -> bool:
    """Write the form by which a table is made by hand, and say where; False where the rules print an empty grid."""
    from printkit.console.games import blank_orders
    from printkit.export.writers import known_document
    from printkit.recipes.prints.file_names import document_stem
    from printkit.recipes.prints.printing import STREAM, document_bytes, outside_lines, would_write, write_document
    from printkit.recipes.prints.specimens import blank_form

    made = blank_form(*blank_orders(wanted), order)
    if made is None:
        return False
    names = tuple(known_document(name) for name in formats)
    if plan:
        stem = document_stem(made.name, out)
        terminal.show([made.told, *would_write(stem.with_name(f"{stem.name}.{name}") for name in names)])
    elif out == STREAM:
        sys.stdout.buffer.write(document_bytes(made.document, names[0]))
    else:
        written = write_document(made.document, made.name, names, out, force=force)
        if not quiet:
            terminal.tell([made.told, *(f"  {path}" for path in written), *outside_lines(made.outside)])
    return True
