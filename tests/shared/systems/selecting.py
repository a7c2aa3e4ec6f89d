"""What the tests of the selection share: cases of two armies, dice by hand, candidates and compulsory pieces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.kit.book import read_book
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.rules import load_solo_rules
from printkit.systems.solo.armies.steps import AppliedModifier, ModifierState
from printkit.systems.solo.terrain.selection import Candidate, choose_pieces
from printkit.systems.solo.terrain.topography import SelectionCase

BOOK = read_book("solo-dba")
REQUIRED = {Terrain.WATERWAY, Terrain.RIVER, *map(Terrain, ("woods", "steep_hill", "rough", "marsh", "dunes"))}


def case_of(defender: Force, attacker: Force, **settings: str) -> SelectionCase:
    return SelectionCase.from_armies(defender, attacker, load_solo_rules(settings))


def thrown(scores: str) -> Dice:
    return Dice(ScriptedSource(scores.split(), Seeded(1)))


def used_up(dice: Dice) -> bool:
    assert isinstance(dice.source, ScriptedSource)
    return dice.source.unused_count == 0


def pieces(*names: str) -> tuple[Candidate, ...]:
    return tuple(Candidate(terrain=Terrain(name), required=name in REQUIRED) for name in names)


def compelled(*names: str) -> tuple[PiecePick, ...]:
    return tuple(PiecePick(Terrain(name), compulsory=True) for name in names)


def chosen(able: Sequence[Candidate], places: int, scores: str, *, required: bool) -> list[str]:
    dice = thrown(scores)
    choice = choose_pieces(able, places, dice, required=required)
    assert used_up(dice)
    assert len(choice.dice) == len(dice.log) == len(scores.split())
    return [terrain.value for terrain in choice.types]


def list_active_clauses(modifiers: Iterable[AppliedModifier], option: str = "") -> tuple[str, ...]:
    """Return the clauses of the modifiers that count for one option, or for the only total."""
    on = [modifier for modifier in modifiers if modifier.state is ModifierState.ON]
    return tuple(modifier.clause for modifier in on if modifier.option == option)
