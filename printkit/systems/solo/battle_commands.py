"""The commands of a battle at the table: terrain, the NPG's edge, deployment, swap and bounds, from a battle file."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Struct

from printkit.console import options, terminal
from printkit.console.locks import alone_at
from printkit.console.options import Game
from printkit.console.parameters import Opt, argument, flag, made_of
from printkit.core.errors import UsageError, typed_path
from printkit.core.paths import exists
from printkit.systems.solo.army_commands import ShowNpg

if TYPE_CHECKING:
    from printkit.systems.solo.battle.battles import BattleCase, BattleOrder
    from printkit.systems.solo.battle.stages import StagePlayed
    from printkit.systems.solo.tactics.bounds import Losses

BattleFile = Annotated[Path, argument("BATTLE.toml", "The battle; its log is kept beside it.")]
Mode = Annotated[str, Opt("--mode", "MODE", "rolled, ranges (the faces needed) or blank (boxes to tick).")]
Again = Annotated[bool, flag("--again", "Throw this stage anew, and forget what came after it.")]

Undo = Annotated[bool, flag("--undo", "Take back what was done last of this, and what came after it.")]

_LOST: Final = re.compile(r"\s*(\+?)([0-9]{1,2})\s*[,:/ ]\s*(\+?)([0-9]{1,2})\s*")


class Throws(Struct, frozen=True, kw_only=True):
    """The battle, its readings, and where its dice come from."""

    battle: BattleFile
    settings: options.Settings = ()
    seed: options.Seed = None
    dice: options.DiceText = None
    ask: options.Ask = False
    mode: Mode = "rolled"
    show_npg: ShowNpg = False


class StageOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit npg terrain`` and ``printkit npg edge``."""

    throws: Throws
    again: Again = False
    undo: Undo = False
    lang: options.Language = None
    verbose: options.Verbose = False


def terrain(asked: StageOptions) -> None:
    """Play the terrain of a battle."""
    from printkit.systems.solo.battle.telling import play_terrain

    order = _order(asked.throws, asked)
    if asked.undo:
        _undo("terrain", order)
        return
    with alone_at(order.path):
        terminal.show(play_terrain(order))


def edge(asked: StageOptions) -> None:
    """Play the base edge of an attacking NPG."""
    from printkit.systems.solo.battle.stages import play_edge

    _stage("edge", play_edge, _order(asked.throws, asked), undo=asked.undo)


class DeployOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit npg deploy``."""

    throws: Throws
    again: Again = False
    undo: Undo = False
    lang: options.Language = None
    out: Annotated[Path | None, Opt("--out", "PATH", "Also print map and counters of the deployment, in here.")] = None
    force: options.Force = False
    sheet: options.PaperName = "a4"
    style: options.StyleName = "campaign"
    large_print: options.LargePrint = False
    verbose: options.Verbose = False


def deploy(asked: DeployOptions) -> None:
    """Play the NPG's deployment, and print it where a folder is named."""
    from printkit.systems.solo.battle.stages import play_deployment

    order = _order(asked.throws, asked)
    _stage("deploy", play_deployment, order, undo=asked.undo)
    if asked.out is not None and not asked.undo:
        from printkit.recipes.prints.maps import MapRequest
        from printkit.systems.solo.sheets.deployment_maps import print_deployment

        how = made_of(MapRequest, asked)
        terminal.show(print_deployment(order, asked.out, how, force=asked.force))


class SwapOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit npg swap``, which throws nothing."""

    battle: BattleFile
    settings: options.Settings = ()
    show_npg: ShowNpg = False
    lang: options.Language = None
    again: Again = False
    undo: Undo = False
    verbose: options.Verbose = False


def swap(asked: SwapOptions) -> None:
    """Propose what a defending NPG exchanges."""
    from printkit.systems.solo.battle.stages import play_swap

    _stage("swap", play_swap, _order(made_of(Throws, asked), asked), undo=asked.undo)


class BoundOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit npg bound``."""

    throws: Throws
    lost: Annotated[
        str | None,
        Opt("--lost", "NPG,YOU", "Elements lost so far on either side, as 1,2; or by the last bound, +1,+0."),
    ] = None
    camp_lost: Annotated[
        tuple[str, ...],
        Opt("--camp-lost", "SIDE", "A camp of this side, npg or you, is among its losses; it counts as two."),
    ] = ()
    general_lost: Annotated[
        tuple[str, ...],
        Opt("--general-lost", "SIDE", "The general of this side, npg or you, is among its losses from now on."),
    ] = ()
    override: Annotated[bool, flag("--override", "Try to override the engine for the bound just thrown.")] = False
    undo: Annotated[bool, flag("--undo", "Take back the last override, or else the last bound.")] = False
    odds: Annotated[
        str | None,
        Opt("--odds", "K,D", "Which attack is it? Chances to kill and to die, as 1/6,1/12."),
    ] = None
    lang: options.Language = None
    verbose: options.Verbose = False


def bound(asked: BoundOptions) -> None:
    """Play the NPG's next bound."""
    from printkit.systems.solo.armies.steps import Mode
    from printkit.systems.solo.battle.battles import answered, answered_after, save
    from printkit.systems.solo.battle.sheets import odds_line, play_and_tell, read_chances, tell_sheet, try_override
    from printkit.systems.solo.battle.standing import end_lines

    order = _order(asked.throws, asked)
    if asked.odds is not None:
        terminal.show([odds_line(read_chances(asked.odds), order.words)])
        return
    if asked.undo:
        _undo("bound", order)
        return
    with alone_at(order.path):
        case = _opened(order)
        if order.mode != Mode.ROLLED:
            terminal.show(tell_sheet(case))
            return
        if asked.override:
            log, lines = answered(case, try_override)
        elif asked.throws.ask and asked.lost is None and case.log.bounds:
            log, lines = answered_after(case, partial(_asked_losses, case, asked), play_and_tell)
        else:
            losses = _losses(asked.lost, asked, case)
            log, lines = answered(case, lambda one: play_and_tell(one, losses))
        save(log, order.path)
        terminal.show([*lines, *end_lines(log, case.rules, order.words)])


class NewOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit npg new``."""

    npg: Annotated[str, argument("NPG", "His army: a sample by its name, an army file, or a list on one line.")]
    you: Annotated[str, argument("YOU", "YOUR army, likewise.")]
    out: Annotated[Path, Opt("--out", "FILE", "The battle file to write.")] = Path("battle.toml")
    scale: Annotated[str | None, Opt("--scale", "SCALE", "15mm or 25mm figures [those of the map, or 15mm].")] = None
    map: Annotated[
        Path | None, Opt("--map", "RECORD", "The record of a game that lies on the table: its armies, throws and seed.")
    ] = None
    seed: options.Seed = None
    lang: options.Language = None
    force: options.Force = False


def new(asked: NewOptions) -> None:
    """Write a battle file with every key explained."""
    from printkit.kit.registry import read_record
    from printkit.recipes.game.request import read_text
    from printkit.recipes.output.files import write_folder
    from printkit.systems.solo.battle.battles import log_path
    from printkit.systems.solo.battle.evening_battle import own_settings
    from printkit.systems.solo.battle.new_battle import battle_copies, battle_text
    from printkit.systems.solo.tactics.battle_file import SCALES

    words = terminal.words(asked.lang).each()[0]
    place = asked.out
    log = log_path(place)
    if asked.scale not in (None, *SCALES):
        raise UsageError("--scale {scale!r}; it is one of {scales}", scale=asked.scale, scales=", ".join(SCALES))
    if exists(log):
        raise UsageError("{log} is the log of a battle of that name; give another with --out", log=log)
    seed = terminal.fresh_seed() if asked.seed is None and asked.map is None else asked.seed
    game = None if asked.map is None else read_record(read_text(asked.map))[1]
    settings = {} if game is None else own_settings(game)
    scale = asked.scale or (game.settings.get("scale") if game is not None else None) or SCALES[0]
    text = battle_text(asked.npg, asked.you, place, words, scale=scale, seed=seed, record=asked.map, settings=settings)
    copies = battle_copies(asked.npg, asked.you, place, asked.map)
    write_folder({**copies, place.name: text}, place.parent, force=asked.force)
    made = "made-map" if asked.map else "made"
    terminal.show([words(f"npg.battle.new.{made}", path=typed_path(place), npg=asked.npg, you=asked.you)])


class ShowOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit npg show``."""

    battle: BattleFile
    settings: options.Settings = ()
    from_aid: Annotated[
        Path | None, Opt("--from-aid", "FILE", "The log of the table aid: what was played with it.")
    ] = None
    keep: Annotated[bool, flag("--keep", "Keep in the log of the battle what was played with the table aid.")] = False
    show_npg: ShowNpg = False
    lang: options.Language = None
    verbose: options.Verbose = False


def show(asked: ShowOptions) -> None:
    """Tell where a battle stands; nothing is thrown that was not."""
    from printkit.systems.solo.battle.standing import standing

    if asked.keep and asked.from_aid is None:
        raise UsageError("--keep keeps what was played with the table aid; give its log with --from-aid")
    order = _order(made_of(Throws, asked), asked)
    with alone_at(order.path):
        case = _opened(order)
        if asked.from_aid is None:
            terminal.show(standing(case))
            return
        from printkit.systems.solo.battle.aid_reading import with_aid
        from printkit.systems.solo.battle.battles import save

        played, lines = with_aid(case, asked.from_aid, keeps=asked.keep)
        if asked.keep:
            save(played.log, order.path)
        terminal.show([*standing(played), *lines])


def _undo(stage: str, order: BattleOrder) -> None:
    """Take back what was done last of a stage, and keep the log without it."""
    from printkit.systems.solo.battle.battles import save
    from printkit.systems.solo.battle.standing import undo

    with alone_at(order.path):
        log, line = undo(_opened(order), stage)
        save(log, order.path)
        terminal.show([line])


def _stage(stage: str, play: Callable[[BattleCase], StagePlayed], order: BattleOrder, *, undo: bool = False) -> None:
    """Play a stage, keep its log and tell it; one that was played is told again as it was, or is taken back."""
    if undo:
        _undo(stage, order)
        return
    from printkit.systems.solo.armies.steps import Mode
    from printkit.systems.solo.battle.battles import answered, save
    from printkit.systems.solo.battle.telling import tell_new, tell_played, tell_sheet

    with alone_at(order.path):
        case = _opened(order)
        if order.mode != Mode.ROLLED:
            terminal.show(tell_sheet(case, stage))
            return
        if case.log.done(stage) and not order.again:
            terminal.show(tell_played(case, stage, play))
            return
        played = answered(case, play)
        save(played.log, order.path)
        terminal.show(tell_new(case, stage, played))


def _opened(order: BattleOrder) -> BattleCase:
    """Return the battle; where this run makes the NPG's army, keep it and tell it before anything else is thrown."""
    from printkit.systems.solo.battle.battles import open_battle, save
    from printkit.systems.solo.battle.telling import army_lines

    case = open_battle(order)
    if case.steps:
        save(case.log, order.path)
        terminal.show(army_lines(case))
    return case


def _order(
    throws: Throws, asked: StageOptions | DeployOptions | SwapOptions | BoundOptions | ShowOptions
) -> BattleOrder:
    from printkit.console.games import refuse_ask_and_dice
    from printkit.recipes.game.games import HOW_TO_ANSWER
    from printkit.recipes.game.request import dice_text, pairs
    from printkit.systems.solo.battle.battles import BattleOrder

    refuse_ask_and_dice(made_of(Game, throws))
    person = terminal.person() if throws.ask else None
    if person is not None:
        person.tell(HOW_TO_ANSWER)
    return BattleOrder(
        path=throws.battle,
        words=terminal.words(asked.lang),
        seed=terminal.fresh_seed() if throws.seed is None else throws.seed,
        own_seed=throws.seed is not None,
        settings=pairs(throws.settings),
        mode=throws.mode,
        dice=dice_text(throws.dice),
        person=person,
        again=not isinstance(asked, BoundOptions | ShowOptions) and asked.again,
        every=asked.verbose,
        show_npg=throws.show_npg,
    )


def _losses(text: str | None, asked: BoundOptions, case: BattleCase) -> Losses | None:
    """Return the losses of ``1,2`` in the whole game, or of ``+1,+0`` by the last bound; the NPG's come first.

    Those by the last bound leave a camp lost that was; a general stays lost. None where nothing was said.
    """
    from printkit.systems.solo.battle.standing import judged_losses, losses_before
    from printkit.systems.solo.tactics.bounds import Losses

    named = {"--camp-lost": asked.camp_lost, "--general-lost": asked.general_lost}
    for option, sides in named.items():
        for side in sides:
            if side not in ("npg", "you"):
                raise UsageError("{option} {side!r}; it is npg or you", option=option, side=side)
    if text is None:
        if option := next((each for each, sides in named.items() if sides), ""):
            raise UsageError("{option} says what is among the losses; give --lost NPG,YOU too", option=option)
        return None
    match = _LOST.fullmatch(text)
    if match is None:
        raise UsageError("--lost {text!r} is not NPG,YOU, two numbers of lost elements, as 1,2", text=text)
    before = losses_before(case.log)
    npg, you = int(match[2]) + before.npg * bool(match[1]), int(match[4]) + before.you * bool(match[3])
    told = {side for side, more in (("npg", match[1]), ("you", match[3])) if more}
    camps = {*asked.camp_lost, *(told & set(before.camps))}
    generals = {*asked.general_lost, *before.generals}
    return judged_losses(
        Losses(
            npg=npg,
            you=you,
            npg_camp="npg" in camps,
            you_camp="you" in camps,
            npg_general="npg" in generals,
            you_general="you" in generals,
        ),
        case,
    )


def _asked_losses(case: BattleCase, asked: BoundOptions) -> Losses | None:
    """Return the losses that the person types; an empty line leaves them as they were."""
    from printkit.chance.asking import NOTHING_TO_TAKE_BACK
    from printkit.systems.solo.battle.sheets import losses_question

    while terminal.takes_back(typed := terminal.ask(losses_question(case))):
        terminal.complain(NOTHING_TO_TAKE_BACK)
    return _losses(typed.strip() or None, asked, case)
