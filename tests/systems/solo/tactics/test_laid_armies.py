"""Armies on boards of real games: nobody on the camp, in water, off the board, on another, or out of place unsaid."""

from __future__ import annotations

from types import ModuleType

import pytest
from imports import ROOT
from msgspec.structs import replace

from printkit.chance.dice import Dice, Seeded
from printkit.chance.streams import Jitter
from printkit.kit.registry import find
from printkit.kit.system import Scenario
from printkit.terrain.field.record import Record, write

SOLO = find("solo-dba")


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the tool that measures deployments, which loads its neighbours from its own folder."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    import soak_solo

    return soak_solo


def board(seed: int, **given: str) -> str:
    """Return the record of a game of Solo DBA as text."""
    settings = SOLO.book.settle(given)
    scenario = Scenario(board=SOLO.board(settings=settings), settings=settings, seed=seed)
    laid = SOLO.lay_out(scenario, Dice(Seeded(seed)), Jitter(seed))
    record = Record(rules="solo-dba", battlefield=laid.battlefield, settings=settings, seed=seed)
    return write(replace(record, log=laid.log, details=laid.details))


CASES = {
    "camp before the line": ("hilly classical-indian 4006 15mm", "feudal-english anglo-norman 119 you", "right"),
    "woods in the Centre": ("forest welsh 2025 15mm", "viking anglo-norman 1004 you", "left"),
    "a town in the Centre": ("steppe feudal-english 6001 15mm", "carthaginian-hannibal polybian-roman 106 npg", "far"),
    "woods on the right of the Centre": ("arable gallic 18 15mm", "low-countries-late anglo-norman 1007 npg", "far"),
    "a river": ("hilly mongol 5030 25mm", "marian-roman welsh 1026 you", "near"),
    "a shallow zone": ("steppe gallic 7017 25mm", "classical-indian welsh 1062 you", "near"),
}
"""Home, NPG, seed and scale of a field; NPG, YOU, seed and attacker of the battle on it; the edge of the NPG."""


@pytest.mark.clause("SD-4.7-a", "SD-4.7-b", "SD-4.7-c", "SD-4.7-d", "SD-4.7-j")
@pytest.mark.parametrize("name", CASES)
def test_everybody_stands_where_he_can(name: str, tool: ModuleType) -> None:
    field, battle, edge = CASES[name]
    home, lord, number, scale = field.split()
    npg, you, seed, attacker = battle.split()
    text = board(int(number), home=home, npg=lord, you="hyksos-early", scale=scale)
    fought = f'npg = "{npg}"\nyou = "{you}"\nseed = {seed}\nattacker = "{attacker}"\n'
    found = tool.measured(text, edge, fought)
    assert found["elements"] >= 8
    assert {fault: found[fault] for fault in tool.FAULTS if found[fault]} == {}
    assert {said: found[said] for said in tool.TOLD if found[said]} == {}


@pytest.mark.clause("SD-4.7-a", "SD-4.7-b", "SD-4.7-c", "SD-4.7-d", "SD-4.7-j")
@pytest.mark.parametrize("seed", [3, 26, 47, 62])
def test_games_from_seeds_are_laid(seed: int, tool: ModuleType) -> None:
    text = board(seed, **tool.SOAK.mixture(seed).settings)
    for edge in ("near", "right"):
        found = tool.measured(text, edge)
        assert {fault: found[fault] for fault in tool.FAULTS if found[fault]} == {}
