"""Table aids of battle files, of two armies, and of the game in a game-night folder."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from printkit.core.errors import Sentence, UsageError
from printkit.core.words import Words
from printkit.drawing.canvas.style import Style
from printkit.kit import registry
from printkit.options.commands import GameOptions
from printkit.options.play import ArmyOptions
from printkit.recipes.game.request import parse_settings
from printkit.recipes.prints.file_names import LARGE, add_marks, printing_slug
from printkit.systems.solo.battle.battles import BattleOrder, open_battle, save
from printkit.systems.solo.cards.pair import Pair
from printkit.systems.solo.sheets.sheet_sets import SYSTEM, named_pair, told_pair
from printkit.systems.solo.sheets.table_aid import FILE, AidCase, table_aid
from printkit.systems.solo.tactics.aid_log import events_of
from printkit.systems.solo.tactics.battle_log import COMPOSE, LEVEL
from printkit.systems.solo.tactics.bounds import LevelCase


class AidPage(Struct, frozen=True, kw_only=True):
    """A table aid: the name of its file, its HTML, and the lines of its report."""

    name: str
    text: str
    lines: tuple[str, ...]


def aid_page(armies: ArmyOptions, game: GameOptions, words: Words, style: Style, *, seed: int) -> AidPage:
    """Return the table aid of two armies, or of a battle file, which continues from its log.

    Args:
        armies: its ``first`` is a battle file, or the NPG's army if ``you`` has an army too.
        game: the settings, and the seed if the user gave one.
        words: the words of the page.
        style: the style with its colours.
        seed: the user's seed, or a new one.

    Raises:
        UsageError: only one army is given, or a setting is unknown.
        ScenarioError: an army or a battle file is wrong, or YOUR choices are open.
    """
    large, settings = LARGE if style.least_pt else "", parse_settings(game.settings)
    if armies.you:
        named = {**settings, "npg": armies.first, "you": armies.you}
        pair, _ = named_pair(registry.find(SYSTEM), named, seed)
        slugs = (printing_slug(Path(each).stem) for each in (armies.first, armies.you))
        name = add_marks(FILE, *slugs, f"seed{seed}", large)
        by = Sentence("  armies rolled with seed {seed}", seed=seed)
        page = table_aid(pair_case(pair, seed), words, style)
        return AidPage(name=f"{name}.html", text=page, lines=(told_pair(pair), by))
    path = Path(armies.first)
    if path.suffix != ".toml":
        raise UsageError("give a battle file or two armies; {first!r} alone is neither", first=armies.first)
    wanted = BattleOrder(path=path, words=words, seed=seed, own_seed=game.seed is not None, settings=settings)
    case = open_battle(wanted)
    if case.steps or not case.log.done(COMPOSE):
        save(case.log, path)
    pair = Pair(npg=case.npg, you=case.you, rules=case.rules, attacker=case.attacker, situation=case.situation)
    aid = AidCase(
        rules=case.rules,
        npg=case.npg.name,
        you=case.you.name,
        seed=case.log.seed,
        counts=LevelCase(case.npg, case.you),
        events=events_of(case.log, case.log.result(LEVEL, "level"), case.rules),
    )
    return AidPage(
        name=f"{add_marks(path.stem, FILE, large)}.html",
        text=table_aid(aid, words, style),
        lines=(told_pair(pair),),
    )


def pair_case(pair: Pair, seed: int | None) -> AidCase:
    """Return the case of a table aid for two armies, before the first bound."""
    return AidCase(
        rules=pair.rules,
        npg=pair.npg.name,
        you=pair.you.name,
        seed=seed,
        counts=LevelCase(pair.npg, pair.you),
    )
