"""The commands of a battle at the table: terrain, the NPG's edge, deployment, swap and bounds, from a battle file."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from printkit.console import options, terminal
from printkit.core.errors import UsageError

if TYPE_CHECKING:
    from fractions import Fraction

    from printkit.systems.solo.battle.battles import BattleOrder, Case
    from printkit.systems.solo.battle.stages import Played
    from printkit.systems.solo.tactics.bounds import Losses

BattleFile = Annotated[Path, typer.Argument(metavar="BATTLE.toml", help="The battle; its log is kept beside it.")]
Mode = Annotated[
    str, typer.Option("--mode", metavar="MODE", help="rolled, ranges (the faces needed) or blank (boxes to tick).")
]
Again = Annotated[bool, typer.Option("--again", help="Throw this stage anew, and forget what came after it.")]
Lost = Annotated[
    str | None, typer.Option("--lost", metavar="NPG,YOU", help="Elements lost so far on either side, as 1,2.")
]
CampsLost = Annotated[
    list[str] | None, typer.Option("--camp-lost", metavar="SIDE", help="One of the losses is a camp: npg or you.")
]
Override = Annotated[bool, typer.Option("--override", help="Try to override the engine for the bound just thrown.")]
Odds = Annotated[
    str | None,
    typer.Option("--odds", metavar="K,D", help="Which attack is it? Chances to kill and to die, as 1/6,1/12."),
]
Folder = Annotated[
    Path | None, typer.Option("--out", metavar="PATH", help="Also print map and counters of the deployment, in here.")
]

_LOST: Final = re.compile(r"\s*(\d{1,2})\s*[,:/ ]\s*(\d{1,2})\s*")


def terrain_(
    battle: BattleFile,
    settings: options.Setting = None,
    seed: options.Seed = None,
    dice: options.DiceText = None,
    ask: options.Ask = False,
    mode: Mode = "rolled",
    again: Again = False,
    lang: options.Language = None,
    verbose: options.Verbose = False,
) -> None:
    """Choose and place the terrain of a battle, and keep the map beside it."""
    from printkit.systems.solo.battle.telling import play_terrain

    order = _order(battle, settings, seed, dice, mode, lang, ask=ask, again=again, verbose=verbose)
    terminal.show(play_terrain(order))


def edge_(
    battle: BattleFile,
    settings: options.Setting = None,
    seed: options.Seed = None,
    dice: options.DiceText = None,
    ask: options.Ask = False,
    mode: Mode = "rolled",
    again: Again = False,
    lang: options.Language = None,
    verbose: options.Verbose = False,
) -> None:
    """Dice for the base edge of an attacking NPG."""
    from printkit.systems.solo.battle.stages import play_edge

    _stage("edge", play_edge, _order(battle, settings, seed, dice, mode, lang, ask=ask, again=again, verbose=verbose))


def deploy_(
    battle: BattleFile,
    settings: options.Setting = None,
    seed: options.Seed = None,
    dice: options.DiceText = None,
    ask: options.Ask = False,
    mode: Mode = "rolled",
    again: Again = False,
    lang: options.Language = None,
    out: Folder = None,
    force: options.Force = False,
    sheet: options.Paper = "a4",
    style: options.StyleName = "campaign",
    verbose: options.Verbose = False,
) -> None:
    """Garrison, group and place the NPG's army."""
    from printkit.systems.solo.battle.stages import play_deployment

    order = _order(battle, settings, seed, dice, mode, lang, ask=ask, again=again, verbose=verbose)
    _stage("deploy", play_deployment, order)
    if out is not None:
        from printkit.systems.solo.sheets.deployment_maps import print_deployment

        terminal.show(print_deployment(order, out, sheet=sheet, style=style, force=force))


def swap_(
    battle: BattleFile,
    settings: options.Setting = None,
    lang: options.Language = None,
    again: Again = False,
    verbose: options.Verbose = False,
) -> None:
    """Propose which elements a defending NPG exchanges once YOU have deployed."""
    from printkit.systems.solo.battle.stages import play_swap

    order = _order(battle, settings, None, None, "rolled", lang, ask=False, again=again, verbose=verbose)
    _stage("swap", play_swap, order)


def bound_(
    battle: BattleFile,
    settings: options.Setting = None,
    seed: options.Seed = None,
    dice: options.DiceText = None,
    ask: options.Ask = False,
    mode: Mode = "rolled",
    lost: Lost = None,
    camp_lost: CampsLost = None,
    override: Override = False,
    odds: Odds = None,
    lang: options.Language = None,
    verbose: options.Verbose = False,
) -> None:
    """Throw PIPs and stance of the NPG's next bound, and list his moves; before the first, his aggression level."""
    from printkit.systems.solo.battle.battles import save
    from printkit.systems.solo.battle.sheets import odds_line, play_and_tell, tell_sheet, try_override

    order = _order(battle, settings, seed, dice, mode, lang, ask=ask, again=False, verbose=verbose)
    if odds is not None:
        print(odds_line(_chances(odds), order.words))
        return
    case = _opened(order)
    if mode != "rolled":
        terminal.show(tell_sheet(case))
        return
    if override:
        log, lines = try_override(case)
    else:
        given = _asked_losses(case, lost) if lost is None and ask else lost
        log, lines = play_and_tell(case, _losses(given, camp_lost or ()))
    save(log, battle)
    terminal.show(lines)


def register(app: typer.Typer) -> None:
    """Add the commands of a battle to those about the non-player general."""
    app.command("terrain")(terrain_)
    app.command("edge")(edge_)
    app.command("deploy")(deploy_)
    app.command("swap")(swap_)
    app.command("bound")(bound_)


def _stage(stage: str, play: Callable[[Case], Played], order: BattleOrder) -> None:
    """Play a stage, keep its log and tell it; one that was played is told again as it was."""
    from printkit.systems.solo.battle.battles import ROLLED, save
    from printkit.systems.solo.battle.telling import tell_new, tell_played, tell_sheet

    case = _opened(order)
    if order.mode != ROLLED:
        terminal.show(tell_sheet(case, stage))
        return
    if case.log.done(stage) and not order.again:
        terminal.show(tell_played(case, stage, play))
        return
    played = play(case)
    save(played.log, order.path)
    terminal.show(tell_new(case, stage, played))


def _opened(order: BattleOrder) -> Case:
    """Return the battle; where this run makes the NPG's army, keep it and tell it before anything else is thrown."""
    from printkit.systems.solo.battle.battles import open_battle, save
    from printkit.systems.solo.battle.telling import army_lines

    case = open_battle(order)
    if case.steps:
        save(case.log, order.path)
        terminal.show(army_lines(case))
    return case


def _order(
    battle: Path,
    settings: Sequence[str] | None,
    seed: int | None,
    dice: str | None,
    mode: str,
    lang: str | None,
    *,
    ask: bool,
    again: bool,
    verbose: bool,
) -> BattleOrder:
    from printkit.core import words as languages
    from printkit.recipes.game.request import dice_text, pairs
    from printkit.systems.solo.battle.battles import BattleOrder

    if ask and dice is not None:
        raise UsageError("--ask and --dice together say two things; give the dice, or be asked for them")
    return BattleOrder(
        path=battle,
        words=languages.find(lang or terminal.language()),
        seed=terminal.fresh_seed() if seed is None else seed,
        own_seed=seed is not None,
        settings=pairs(settings or ()),
        mode=mode,
        dice=dice_text(dice),
        table=terminal.table() if ask else None,
        again=again,
        every=verbose,
    )


def _losses(text: str | None, camps: Sequence[str]) -> Losses | None:
    """Return the losses of ``1,2``: the NPG's first; None where nothing was said."""
    from printkit.systems.solo.tactics.bounds import Losses

    for side in camps:
        if side not in ("npg", "you"):
            raise UsageError("--camp-lost {side!r}; it is npg or you", side=side)
    if text is None:
        if camps:
            raise UsageError("--camp-lost says which of the losses is a camp; give --lost NPG,YOU too")
        return None
    match = _LOST.fullmatch(text)
    if match is None:
        raise UsageError("--lost {text!r} is not NPG,YOU, two numbers of lost elements, as 1,2", text=text)
    return Losses(npg=int(match[1]), you=int(match[2]), npg_camp="npg" in camps, you_camp="you" in camps)


def _asked_losses(case: Case, lost: str | None) -> str | None:
    """Return the losses that the person types; an empty line leaves them as they were."""
    from printkit.systems.solo.battle.sheets import losses_question

    if not case.log.bounds:
        return lost
    print(terminal.said(losses_question(case)), end=" ", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip() or None


def _chances(text: str) -> tuple[Fraction, Fraction]:
    """Return two chances of ``1/6,1/12``."""
    from fractions import Fraction

    try:
        kill, die = (Fraction(part.strip()) for part in text.split(","))
    except (ValueError, ZeroDivisionError):
        raise UsageError("--odds {text!r} is not K,D, two chances, as 1/6,1/12 or 0.3,0.1", text=text) from None
    if not (0 <= kill <= 1 and 0 <= die <= 1):
        raise UsageError("--odds {text!r}: a chance lies from 0 to 1", text=text)
    return kill, die
