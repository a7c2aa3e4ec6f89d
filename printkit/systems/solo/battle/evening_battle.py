"""The battle file of an evening and its log: what the laptop goes on from is what was printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from printkit.core.words import Words
from printkit.systems.dba.armies.list_notation import is_notation
from printkit.systems.solo.armies.army import Army, ArmyText
from printkit.systems.solo.armies.army_files import army_of, read_army, sample_names
from printkit.systems.solo.armies.force import Force, read_troops
from printkit.systems.solo.armies.rules import load_solo_rules
from printkit.systems.solo.battle.battles import log_of_game
from printkit.systems.solo.battle.composing_job import finished_text
from printkit.systems.solo.battle.new_battle import filled_text
from printkit.systems.solo.cards.pair import Pair
from printkit.systems.solo.tactics.battle_file import Battle
from printkit.systems.solo.tactics.battle_log import write_log
from printkit.terrain.field.record import Record

NAME: Final = "battle"
_INPUTS: Final = ("npg", "you", "scale", "mode", "names", "title", "home", "solo_terrain")
"""Settings of a game that a battle has in other keys, or that its terrain alone asks for."""


def battle_files(record: Record, pair: Pair, words: Words, *, at: str) -> Mapping[str, str]:
    """Return the battle file of a recorded game, its log, and files of armies that are no samples, by their names.

    Args:
        record: the game.
        pair: its armies.
        words: the language of what the battle file explains.
        at: the record, as seen from the battle file.
    """
    files: dict[str, str] = {}
    named: dict[str, str] = {}
    lists: dict[str, Army] = {}
    for side, force in (("npg", pair.npg), ("you", pair.you)):
        named[side], lists[side] = _army(record, side, force, files)
    text = filled_text(
        named,
        words,
        board={"scale": pair.rules.choice("scale"), "map": at},
        seed=record.seed,
        title=record.battlefield.title,
        settings=own_settings(record),
    )
    battle = Battle(npg=named["npg"], you=named["you"])
    log = log_of_game(battle, lists["npg"], lists["you"], record, pair.rules)
    return {f"{NAME}.toml": text, f"{NAME}.json": write_log(log), **files}


def own_settings(record: Record) -> dict[str, str]:
    """Return the readings of a game that are not the usual ones, and that a battle has too.

    Raises:
        RecordError: it was made under a setting that no longer exists; no battle can go on from it.
    """
    rules = load_solo_rules()
    rules.book.refuse_retired(record.settings)
    usual = rules.settings
    return {
        key: value
        for key, value in sorted(record.settings.items())
        if key in usual and key not in _INPUTS and value != usual[key]
    }


def _army(record: Record, side: str, force: Force, files: dict[str, str]) -> tuple[str, Army]:
    """Return how a battle names an army, and its list; a file of one's own is written anew, as it was made."""
    asked = str(record.settings.get(side, ""))
    told = record.details.get("armies", {}).get(side, {}).get("file", "")
    name = asked if is_notation(asked) else str(told)
    if is_notation(name) or name in sample_names():
        return name, read_army(name)
    codes = Counter(element.code for element in force.elements)
    general = next(element.code for element in force.elements if element.general)
    codes[general] -= 1
    place = f"{side}.toml"
    files[place] = finished_text(force, general, {code: count for code, count in codes.items() if count})
    return place, army_of(ArmyText(place, files[place]), read_troops())
