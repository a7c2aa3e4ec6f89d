"""The commands of a battle at the table: terrain, the NPG's edge, deployment, swap and bounds, from a battle file."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from printkit.console import terminal
from printkit.console.locks import lock_game
from printkit.console.prompts import build_prompter
from printkit.core.errors import UsageError, quote_path
from printkit.core.paths import exists
from printkit.options.commands import GameOptions
from printkit.options.play import ArmyOptions, BattleOptions
from printkit.options.printing import FileOptions, LanguageOptions, MapOptions, PrintOptions
from printkit.recipes.game.request import parse_settings, read_dice, read_record_file
from printkit.systems.solo.armies.steps import Mode
from printkit.systems.solo.army_commands import check_folder, use_sample_names

if TYPE_CHECKING:
    from printkit.systems.solo.battle.battles import BattleCase, BattleOrder
    from printkit.systems.solo.battle.stages import StagePlayed
    from printkit.systems.solo.tactics.bounds import Losses

_LOST: Final = re.compile(r"\s*(\+?)([0-9]{1,2})\s*[,:/ ]\s*(\+?)([0-9]{1,2})\s*")


def place_terrain(battle: BattleOptions, game: GameOptions, asked: LanguageOptions, files: FileOptions) -> None:
    """Play the terrain of a battle."""
    from printkit.systems.solo.battle.telling import play_terrain

    order = _order(battle, game, asked, files)
    if battle.undo:
        _undo("terrain", order)
        return
    with lock_game(order.path):
        terminal.show(play_terrain(order))


def roll_edge(battle: BattleOptions, game: GameOptions, asked: LanguageOptions, files: FileOptions) -> None:
    """Play the base edge of an attacking NPG."""
    from printkit.systems.solo.battle.stages import play_edge

    _stage("edge", play_edge, _order(battle, game, asked, files), undo=battle.undo)


def deploy_army(battle: BattleOptions, game: GameOptions, asked: MapOptions, files: FileOptions) -> None:
    """Play the NPG's deployment, and print it if a folder is named."""
    from printkit.systems.solo.battle.stages import play_deployment

    check_folder(files)
    order = _order(battle, game, asked, files)
    _stage("deploy", play_deployment, order, undo=battle.undo)
    if files.out and not battle.undo:
        from printkit.systems.solo.sheets.deployment_maps import print_deployment

        terminal.show(print_deployment(order, files.place, asked))


def propose_swap(battle: BattleOptions, game: GameOptions, asked: LanguageOptions, files: FileOptions) -> None:
    """Propose what a defending NPG exchanges."""
    from printkit.systems.solo.battle.stages import play_swap

    _stage("swap", play_swap, _order(battle, game, asked, files), undo=battle.undo)


def roll_bound(battle: BattleOptions, game: GameOptions, asked: LanguageOptions, files: FileOptions) -> None:
    """Play the NPG's next bound."""
    from printkit.systems.solo.battle.battles import answered, answered_after, save
    from printkit.systems.solo.battle.sheets import odds_line, play_and_tell, read_chances, tell_sheet, try_override
    from printkit.systems.solo.battle.standing import end_lines

    order = _order(battle, game, asked, files)
    if battle.odds is not None:
        terminal.show([odds_line(read_chances(battle.odds), order.words)])
        return
    if battle.undo:
        _undo("bound", order)
        return
    with lock_game(order.path):
        case = _opened(order)
        if order.mode is not Mode.ROLLED:
            terminal.show(tell_sheet(case))
            return
        if battle.override:
            log, lines = answered(case, try_override)
        elif game.ask and battle.lost is None and case.log.bounds:
            log, lines = answered_after(case, partial(_asked_losses, case, battle), play_and_tell)
        else:
            losses = _losses(battle.lost, battle, case)
            log, lines = answered(case, lambda one: play_and_tell(one, losses))
        save(log, order.path)
        terminal.show([*lines, *end_lines(log, case.rules, order.words)])


def write_battle(
    armies: ArmyOptions, battle: BattleOptions, game: GameOptions, asked: PrintOptions, files: FileOptions
) -> None:
    """Write a battle file with every key explained."""
    from printkit.recipes.output.files import write_folder
    from printkit.systems.solo.battle.battles import log_path
    from printkit.systems.solo.battle.evening_battle import own_settings
    from printkit.systems.solo.battle.new_battle import battle_copies, battle_text
    from printkit.systems.solo.tactics.battle_file import SCALES

    armies = use_sample_names(armies)
    words, npg, you = terminal.words(asked.lang).each()[0], armies.npg, armies.you
    place, record = files.place, None if battle.map is None else Path(battle.map)
    log = log_path(place)
    if battle.figures not in (None, *SCALES):
        raise UsageError(
            "--scale {scale!r} is not valid; use one of {scales}", scale=battle.figures, scales=", ".join(SCALES)
        )
    if exists(log):
        raise UsageError("{log} is the log of a battle with that name; choose another --out", log=log)
    seed = terminal.fresh_seed() if game.seed is None and record is None else game.seed
    played = None if record is None else read_record_file(record)[1]
    settings = {} if played is None else own_settings(played)
    scale = battle.figures or (played.settings.get("scale") if played is not None else None) or SCALES[0]
    text = battle_text(npg, you, place, words, scale=scale, seed=seed, record=record, settings=settings)
    copies = battle_copies(npg, you, place, record)
    write_folder({**copies, place.name: text}, place.parent, force=asked.force)
    made = "made-map" if record else "made"
    terminal.show([words(f"npg.battle.new.{made}", path=quote_path(place), npg=npg, you=you)])


def show_battle(battle: BattleOptions, game: GameOptions, asked: LanguageOptions, files: FileOptions) -> None:
    """Show where a battle stands, without rolling anything new."""
    from printkit.systems.solo.battle.standing import standing
    from printkit.systems.solo.battle.telling import composition_lines

    if battle.keep_aid and battle.from_aid is None:
        raise UsageError("--keep saves what was played with the table aid; give its log with --from-aid")
    order = _order(battle, game, asked, files)
    with lock_game(order.path):
        case = _opened(order)
        # An army that is made only now was shown just before.
        made = composition_lines(case) if battle.show_npg and not case.steps else ()
        if battle.from_aid is None:
            terminal.show([*made, *standing(case)])
            return
        from printkit.systems.solo.battle.aid_reading import with_aid
        from printkit.systems.solo.battle.battles import save

        played, lines = with_aid(case, Path(battle.from_aid), keeps=battle.keep_aid)
        if battle.keep_aid:
            save(played.log, order.path)
        terminal.show([*made, *standing(played), *lines])


def _undo(stage: str, order: BattleOrder) -> None:
    """Take back what was done last of a stage, and keep the log without it."""
    from printkit.systems.solo.battle.battles import save
    from printkit.systems.solo.battle.standing import undo

    with lock_game(order.path):
        log, line = undo(_opened(order), stage)
        save(log, order.path)
        terminal.show([line])


def _stage(stage: str, play: Callable[[BattleCase], StagePlayed], order: BattleOrder, *, undo: bool = False) -> None:
    """Play a stage, keep its log and tell it; one that was played is told again as it was, or is taken back."""
    if undo:
        _undo(stage, order)
        return
    from printkit.systems.solo.battle.battles import answered, save
    from printkit.systems.solo.battle.telling import tell_new, tell_played, tell_sheet
    from printkit.systems.solo.tactics.battle_log import SWAP

    with lock_game(order.path):
        case = _opened(order)
        # A swap rolls nothing, so that it is the same in every mode.
        if order.mode is not Mode.ROLLED and stage != SWAP:
            terminal.show(tell_sheet(case, stage))
            return
        if case.log.done(stage) and not order.again:
            terminal.show(tell_played(case, stage, play))
            return
        played = answered(case, play)
        save(played.log, order.path)
        terminal.show(tell_new(case, stage, played))


def _opened(order: BattleOrder) -> BattleCase:
    """Return the battle; where this run makes the NPG's army, keep it and show it before anything else is rolled."""
    from printkit.systems.solo.battle.battles import open_battle, save
    from printkit.systems.solo.battle.telling import army_lines

    case = open_battle(order)
    if case.steps:
        save(case.log, order.path)
        terminal.show(army_lines(case))
    return case


def _order(battle: BattleOptions, game: GameOptions, asked: LanguageOptions, files: FileOptions) -> BattleOrder:
    from printkit.console.games import refuse_ask_and_dice
    from printkit.recipes.game.games import HOW_TO_ANSWER
    from printkit.systems.solo.armies.rules import split_mode
    from printkit.systems.solo.battle.battles import BattleOrder

    refuse_ask_and_dice(game)
    settings, mode = split_mode(parse_settings(game.settings))
    person = build_prompter() if game.ask else None
    if person is not None:
        person.tell(HOW_TO_ANSWER)
    return BattleOrder(
        path=Path(battle.file),
        words=terminal.words(asked.lang),
        seed=terminal.fresh_seed() if game.seed is None else game.seed,
        own_seed=game.seed is not None,
        settings=settings,
        mode=mode or Mode.ROLLED,
        dice=read_dice(game.dice),
        person=person,
        again=battle.anew,
        every=files.verbose,
        show_npg=battle.show_npg,
    )


def _losses(text: str | None, asked: BattleOptions, case: BattleCase) -> Losses | None:
    """Return the losses of ``1,2`` in the whole game, or of ``+1,+0`` by the last bound; the NPG's come first.

    Those by the last bound leave a camp lost that was; a general stays lost. None where nothing was said.
    """
    from printkit.systems.solo.battle.standing import judged_losses, losses_before
    from printkit.systems.solo.tactics.bounds import Losses

    named = {"--camp-lost": asked.camp_lost, "--general-lost": asked.general_lost}
    for option, sides in named.items():
        for side in sides:
            if side not in ("npg", "you"):
                raise UsageError("{option} {text!r} is not valid; use npg or you", option=option, text=side)
    if text is None:
        if option := next((each for each, sides in named.items() if sides), ""):
            raise UsageError("{option} needs the losses; add --lost NPG,YOU", option=option)
        return None
    match = _LOST.fullmatch(text)
    if match is None:
        raise UsageError(
            "--lost {text!r} is not valid; write the lost elements of both sides, for example 1,2", text=text
        )
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


def _asked_losses(case: BattleCase, asked: BattleOptions) -> Losses | None:
    """Return the losses that the person types; an empty line leaves them as they were."""
    from printkit.chance.asking import NOTHING_TO_UNDO
    from printkit.systems.solo.battle.sheets import losses_question

    while terminal.is_undo(typed := terminal.ask(losses_question(case))):
        terminal.report_error(NOTHING_TO_UNDO)
    return _losses(typed.strip() or None, asked, case)
