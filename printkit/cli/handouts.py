"""The command that prints everything for one evening into one folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from printkit.console import options, terminal
from printkit.core.units import parse_length

if TYPE_CHECKING:
    from printkit.recipes.evening.handouts import Evening
    from printkit.recipes.game.games import Played

_FOLDER: Final = Path("output")

OwnFolder = Annotated[
    Path | None, typer.Option("--out", metavar="PATH", help="The folder [output/NAME-handouts, as maps are named].")
]


def handouts_(
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
    style: options.StyleName = "campaign",
    lang: options.Language = None,
    size: options.CardSize = "",
    backs: options.Backs = "",
    flip: options.FlipEdge = None,
    fold: options.Fold = False,
    out: OwnFolder = None,
    force: options.Force = False,
    count: options.Count = 1,
    jobs: options.Jobs = None,
    backend: options.Backend = None,
    again: options.Again = False,
    box: options.TerrainBox = None,
    plan: options.Plan = False,
    printer: options.Printer = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Print everything for one evening into one folder: map, cards, a document for each player, the umpire's copy."""
    from printkit.console.batches import Sharing, Telling, is_batch, make_batch
    from printkit.console.games import Wanted, games_of
    from printkit.core import words as languages
    from printkit.drawing.cards.sizes import find_size
    from printkit.page.leaflets import in_hand
    from printkit.recipes.evening.folder import write_evening
    from printkit.recipes.evening.handouts import EveningOrder, evening, evening_plan, folder_of, judge_folder
    from printkit.recipes.output.printers import parse_flip
    from printkit.recipes.prints.decks import CardOrder
    from printkit.recipes.prints.maps import map_sheet

    judge_folder(out)
    words = languages.find(lang or terminal.language())
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
        box=box,
    )
    wanted.refuse_together(out or _FOLDER, ("pdf",))
    sharing = Sharing(jobs=jobs, backend=backend, again=again)
    sharing.refuse_together(wanted)
    own_margin = None if margin is None else parse_length(margin)
    map_order = map_sheet(
        sheet=sheet,
        margin=own_margin,
        overlap=parse_length(overlap),
        words=words,
        style=style,
        furniture=None,
        scale="1:1",
        profile=terminal.profile(printer),
    )
    cards = CardOrder(
        sheet=in_hand(map_order.sheet).name,
        words=words,
        style=map_order.style,
        size=find_size(size, bleed=0.0),
        margin=own_margin,
        backs=backs,
        flip=None if flip is None else parse_flip(flip),
        fold=fold,
        profile=map_order.profile,
    )
    order = EveningOrder(map=map_order, cards=cards)
    if is_batch(wanted):
        from printkit.recipes.batch.works import EveningWork

        telling = Telling(plan=plan, quiet=quiet, verbose=verbose, force=force)
        make_batch(wanted, words, EveningWork(order=order), out or _FOLDER, sharing=sharing, telling=telling)
        return
    for system, game in games_of(wanted, words, quiet=quiet):
        folder = folder_of(game.record, order, out, count, default=_FOLDER)
        made = evening(game.record, system, order)
        if plan:
            terminal.show(evening_plan(made, game.record, folder))
            continue
        write_evening(made.files, folder, force=force)
        _report(made, game, folder, quiet=quiet, verbose=verbose)


def _report(made: Evening, game: Played, folder: Path, *, quiet: bool, verbose: bool) -> None:
    """Say what was written, and where; with ``verbose`` every throw."""
    from printkit.recipes.evening.handouts import evening_report

    if verbose:
        from printkit.chance.dice import write_log

        print(write_log(game.record.log), end="", file=sys.stderr)
    if not quiet:
        terminal.tell(evening_report(made, game, folder))
