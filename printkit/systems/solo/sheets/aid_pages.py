"""Table aids: of a battle file, of two armies, and of the game of an evening."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from printkit.core.errors import Sentence, UsageError
from printkit.core.words import Words
from printkit.drawing.canvas.style import Style
from printkit.kit import registry
from printkit.recipes.prints.file_names import LARGE, marked, printing_slug
from printkit.systems.solo.battle.battles import BattleOrder, open_battle, save
from printkit.systems.solo.cards.pair import Pair
from printkit.systems.solo.sheets.sheet_sets import SYSTEM, named_pair, told_pair
from printkit.systems.solo.sheets.table_aid import FILE, AidCase, table_aid
from printkit.systems.solo.tactics.aid_log import events_of
from printkit.systems.solo.tactics.battle_log import COMPOSE, LEVEL
from printkit.systems.solo.tactics.bounds import LevelCase


class AidOrder(Struct, frozen=True, kw_only=True):
    """What is asked for. ``first`` is a battle file, or with ``you`` the NPG's army."""

    first: str
    you: str | None
    settings: Mapping[str, str]
    seed: int
    own_seed: bool
    words: Words
    style: Style


class AidPage(Struct, frozen=True, kw_only=True):
    """A page, the name of its file, and what is to be said about it."""

    name: str
    text: str
    lines: tuple[str, ...]


def aid_page(order: AidOrder) -> AidPage:
    """Return the page of a battle, which goes on from its log, or of two armies.

    Raises:
        UsageError: one army, or a setting that is none.
        ScenarioError: an army or a battle file is wrong, or YOUR choices are open.
    """
    large = LARGE if order.style.least_pt else ""
    if order.you is not None:
        system = registry.find(SYSTEM)
        pair, _ = named_pair(system, {**order.settings, "npg": order.first, "you": order.you}, order.seed)
        armies = (printing_slug(Path(each).stem) for each in (order.first, order.you))
        name = marked(FILE, *armies, f"seed{order.seed}", large)
        by = Sentence("  armies by seed {seed}", seed=order.seed)
        page = table_aid(pair_case(pair, order.seed), order.words, order.style)
        return AidPage(name=f"{name}.html", text=page, lines=(told_pair(pair), by))
    path = Path(order.first)
    if path.suffix != ".toml":
        raise UsageError(
            "printkit npg aid takes a battle file, or two armies; {first!r} is neither alone", first=order.first
        )
    wanted = BattleOrder(
        path=path, words=order.words, seed=order.seed, own_seed=order.own_seed, settings=order.settings
    )
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
        name=f"{marked(path.stem, FILE, large)}.html",
        text=table_aid(aid, order.words, order.style),
        lines=(told_pair(pair),),
    )


def pair_case(pair: Pair, seed: int | None) -> AidCase:
    """Return what the page of two armies is made for, before anything was played."""
    return AidCase(
        rules=pair.rules,
        npg=pair.npg.name,
        you=pair.you.name,
        seed=seed,
        counts=LevelCase(pair.npg, pair.you),
    )
