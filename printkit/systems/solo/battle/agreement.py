"""What a battle file, its log and its map have to say alike; what contradicts is refused, with what both say."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from printkit.core.errors import ScenarioError
from printkit.core.units import MM_PER_INCH
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.tactics.battle_file import SCALES, Battle
from printkit.systems.solo.tactics.battle_log import COMPOSE, BattleLog
from printkit.systems.solo.tactics.situation import Situation
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record

_ALIKE: Final = 0.5
"""Millimetres by which lengths may differ and are still the same."""

_PLAIN: Final = ("waterway", "bua")
"""Facts that a map shows for certain; what else it shows is judged, and a person may judge it otherwise (AMB-25)."""


def refuse_other_log(battle: Battle, log: BattleLog) -> None:
    """Refuse a log that belongs to other armies, or in which the other side attacks.

    Raises:
        ScenarioError: it does; says what it says.
    """
    logged = {key: log.result(COMPOSE, key) for key in ("npg", "you", "attacker")}
    stated = {"npg": battle.npg, "you": battle.you, "attacker": battle.attacker.value if battle.attacker else None}
    for key, value in stated.items():
        if value is not None and logged[key] is not None and logged[key] != value:
            error = ScenarioError(
                "{key} = {value!r}, but the log of this battle has {logged!r}; restore that value, or move "
                "the log away to start over",
                key=key,
                value=value,
                logged=logged[key],
            )
            error.member = (key,)
            raise error


def refuse_other_game(battle: Battle, record: Record, armies: Mapping[str, str]) -> None:
    """Refuse the record of a game of other armies, or in which the other side attacks.

    Args:
        battle: names the record as its map.
        record: of the game.
        armies: the names of those that the battle has, by ``npg`` and ``you``.

    Raises:
        ScenarioError: it is one; says what it says.
    """
    lists, attack = record.details.get("armies"), record.details.get("attack")
    for key, here in armies.items():
        told = lists.get(key) if isinstance(lists, Mapping) else None
        army = told.get("name") if isinstance(told, Mapping) else None
        if army is not None and army != here:
            raise ScenarioError(
                "{key} = {name!r} is {here}, but {map} is a game of {army}; name the armies of that game, or "
                "another map",
                key=key,
                name=getattr(battle, key),
                here=here,
                map=battle.map,
                army=army,
            )
    attacks = attack.get("attacker") if isinstance(attack, Mapping) else None
    if battle.attacker is not None and attacks is not None and attacks != battle.attacker.value:
        raise ScenarioError(
            "attacker = {attacker!r}, but in {map} {attacks!r} attacks; remove it",
            attacker=battle.attacker.value,
            map=battle.map,
            attacks=attacks,
        )


def on_map(battle: Battle, field: Battlefield | None, rules: SoloRules, path: Path) -> Battle:
    """Return a battle with the scale of figures and the width that its map has; without a map the usual scale.

    Raises:
        ScenarioError: the battle states another; says what the map has.
    """
    if field is None:
        return replace(battle, scale=battle.scale or SCALES[0])
    base = field.board.scale.base_width
    fitting = [each for each in SCALES if abs(rules.number(f"base_width_mm_{each}") - base) < _ALIKE]
    if battle.scale and fitting and battle.scale not in fitting:
        raise ScenarioError(
            "{path}: [board] scale = {scale!r}, but the map is for {found} figures; remove it",
            path=path,
            scale=battle.scale,
            found=fitting[0],
        )
    wide = field.board.width / MM_PER_INCH
    if battle.width_in is not None and abs(battle.width_in - wide) * MM_PER_INCH > _ALIKE:
        raise ScenarioError(
            "{path}: [board] width_in = {width:g}, but the map is {found:g} in wide; remove it",
            path=path,
            width=battle.width_in,
            found=round(wide, 2),
        )
    return replace(battle, scale=battle.scale or next(iter(fitting), SCALES[0]))


def refuse_other_ground(battle: Battle, known: Situation, path: Path) -> None:
    """Refuse facts of a battle file that its map shows to be otherwise.

    Raises:
        ScenarioError: one is; says what the map shows.
    """
    for name in _PLAIN:
        stated, shown = battle.situation.text(name), known.text(name)
        if stated and shown and stated != shown:
            raise ScenarioError(
                "{path}: [facts] {name} = {stated!r}, but on the map it is {shown!r}; remove it, or name another map",
                path=path,
                name=name,
                stated=stated,
                shown=shown,
            )
