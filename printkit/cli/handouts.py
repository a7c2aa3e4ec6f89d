"""The command that prints everything for one evening into one folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from printkit.console import options, terminal
from printkit.console.options import FOLDER, BatchOptions, Game, Paper
from printkit.console.parameters import Opt, flag, made_of

if TYPE_CHECKING:
    from printkit.recipes.evening.handouts import Evening
    from printkit.recipes.game.games import Played


class HandoutOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit handouts``."""

    game: Game
    paper: Paper
    skip_bare: options.SkipBare = False
    show_seed: options.ShowSeed = False
    large_print: options.LargePrint = False
    dressing: options.DressingKind = "light"
    climate: options.Climate = ""
    key: options.KeyKind = "plain"
    style: options.StyleName = "campaign"
    lang: options.Language = None
    player_a: options.PlayerA = ()
    player_b: options.PlayerB = ()
    laid: Annotated[
        str,
        Opt("--table", "KIND", "print (the map), build (own pieces: plan and lay-out aid) or hexon (tiles)."),
    ] = "print"
    wanted: Annotated[
        tuple[str, ...],
        Opt("--with", "PART", "Print this part too; contents.pdf names them, cards is all decks; repeatable."),
    ] = ()
    unwanted: Annotated[tuple[str, ...], Opt("--without", "PART", "Leave this part out; repeatable.")] = ()
    size: options.CardSize = ""
    backs: options.Backs = ""
    flip: options.FlipEdge = None
    fold: options.Fold = False
    to: options.FolderFormats = ()
    url_base: options.UrlBase = ""
    out: Annotated[Path | None, Opt("--out", "PATH", "The folder [output/NAME-handouts, as maps are named].")] = None
    force: options.Force = False
    batch: BatchOptions
    box: options.TerrainBox = None
    plan: options.Plan = False
    progress: Annotated[
        bool, flag("--progress", "Say each file with its sheets, cuts and minutes, and each when it is whole.")
    ] = False
    printer: options.Printer = None
    quiet: options.Quiet = False
    verbose: options.Verbose = False


def handouts(asked: HandoutOptions) -> None:
    """Print an evening, or several, each into a folder."""
    from printkit.console.batches import Verbosity, is_batch, make_batch, refuse_sharing
    from printkit.console.games import Wanted, games_of
    from printkit.recipes.evening.folder import write_evening
    from printkit.recipes.evening.handouts import (
        evening,
        evening_order,
        evening_plan,
        folder_of,
        judge_folder,
    )
    from printkit.recipes.evening.parts import choice_of
    from printkit.recipes.output.printers import PrintRequest, printing_of_players
    from printkit.recipes.prints.decks import CardRequest
    from printkit.recipes.prints.maps import MapRequest, map_sheet

    judge_folder(asked.out)
    choice = choice_of(asked.laid, asked.wanted, asked.unwanted)
    words, wanted = terminal.words(asked.lang), made_of(Wanted, asked, asked.batch)
    wanted.refuse_together(asked.out or FOLDER, ("pdf",))
    refuse_sharing(asked.batch, ask=asked.game.ask)
    map_order = map_sheet(made_of(MapRequest, asked, asked.paper), words, terminal.profile(asked.printer))
    choices = {"A": asked.player_a, "B": asked.player_b}
    usual = made_of(PrintRequest, asked, asked.paper)
    own = printing_of_players(choices, usual, asked.lang, words=terminal.words, profile=map_order.profile)
    cards = made_of(CardRequest, asked, asked.paper)
    order = evening_order(map_order, cards, own, choice=choice, formats=asked.to, url_base=asked.url_base)
    if is_batch(wanted):
        from printkit.recipes.batch.works import EveningWork

        work, telling = EveningWork(order=order), made_of(Verbosity, asked)
        make_batch(wanted, words, work, asked.out or FOLDER, sharing=asked.batch, telling=telling)
        return
    for system, game in games_of(wanted, words, quiet=asked.quiet):
        folder = folder_of(game.record, order, asked.out, wanted.count, default=FOLDER)
        made = evening(game.record, system, order, folder)
        if asked.plan:
            terminal.show(evening_plan(made, game.record, folder))
            continue
        write_evening(made.files, folder, force=asked.force, tell=_progress(made) if asked.progress else _quietly)
        _report(made, game, folder, asked)


def _progress(made: Evening) -> Callable[[str], None]:
    """Say what there will be, a file a line, and return what says of each that it is whole."""
    count = len(made.files)
    done = iter(range(1, count + 1))
    terminal.tell(f"made {part.name} {part.sheets} {part.cuts} {part.minutes}" for part in made.parts)
    return lambda name: terminal.tell([f"written {next(done)}/{count} {name}"])


def _quietly(name: str) -> None:
    """Say nothing of a file."""
    del name


def _report(made: Evening, game: Played, folder: Path, asked: HandoutOptions) -> None:
    """Say what was written, and where; with ``--verbose`` every throw."""
    from printkit.recipes.evening.handouts import evening_report

    if asked.verbose:
        from printkit.chance.dice import write_log

        terminal.tell(write_log(game.record.log).splitlines())
    if not asked.quiet:
        terminal.tell(evening_report(made, game, folder))
