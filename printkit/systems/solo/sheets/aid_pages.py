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
from printkit.recipes.prints.file_names import LARGE, add_marks, slug
from printkit.systems.solo.battle.battles import BattleOrder, open_battle, save
from printkit.systems.solo.sheets.sheet_sets import SYSTEM, describe_pair, read_pair
from printkit.systems.solo.sheets.table_aid import FILE, make_table_aid
from printkit.systems.solo.tactics.aid_log import events_of
from printkit.systems.solo.tactics.battle_log import COMPOSE, LEVEL


class AidPage(Struct, frozen=True, kw_only=True):
    """A table aid: the name of its file, its HTML, and the lines of its report."""

    name: str
    text: str
    lines: tuple[str, ...]


def make_aid_page(armies: ArmyOptions, game: GameOptions, words: Words, style: Style, *, seed: int) -> AidPage:
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
    large_mark, settings = LARGE if style.least_pt else "", parse_settings(game.settings)
    if armies.you:
        army_settings = {**settings, "npg": armies.first, "you": armies.you}
        pair, _ = read_pair(registry.find(SYSTEM), army_settings, seed)
        slugs = (slug(Path(army_name).stem) for army_name in (armies.first, armies.you))
        name = add_marks(FILE, *slugs, f"seed{seed}", large_mark)
        seed_line = Sentence("  armies rolled with seed {seed}", seed=seed)
        page = make_table_aid(pair, words, style, seed=seed)
        return AidPage(name=f"{name}.html", text=page, lines=(describe_pair(pair), seed_line))
    path = Path(armies.first)
    if path.suffix != ".toml":
        raise UsageError("give a battle file or two armies; {first!r} alone is neither", first=armies.first)
    battle_order = BattleOrder(path=path, words=words, seed=seed, own_seed=game.seed is not None, settings=settings)
    case = open_battle(battle_order)
    if case.steps or not case.log.done(COMPOSE):
        save(case.log, path)
    events = events_of(case.log, case.log.result(LEVEL, "level"), case.rules)
    return AidPage(
        name=f"{add_marks(path.stem, FILE, large_mark)}.html",
        text=make_table_aid(case, words, style, seed=case.log.seed, events=events),
        lines=(describe_pair(case),),
    )
