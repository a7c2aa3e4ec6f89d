"""Armies on boards of real games: nobody on the camp, in water, off the board, on another, or out of place unsaid."""

from __future__ import annotations

from types import ModuleType

import pytest
from imports import ROOT

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


def board(seed: int, side_in: float | None = None, **given: str) -> str:
    """Return the record of a game of Solo DBA as text."""
    settings = SOLO.book.settle(given)
    side = side_in * 25.4 if side_in else None
    scenario = Scenario(board=SOLO.board(side, side, settings=settings), settings=settings, seed=seed)
    outcome = SOLO.lay_out(scenario, Dice(Seeded(seed)), Jitter(seed))
    return write(
        Record(
            rules="solo-dba",
            battlefield=outcome.battlefield,
            settings=settings,
            seed=seed,
            log=outcome.log,
            details=outcome.details,
        )
    )


def armies(npg: str, you: str, seed: int, attacker: str) -> str:
    return f'npg = "{npg}"\nyou = "{you}"\nseed = {seed}\nattacker = "{attacker}"\n'


CASES = {
    "camp before the line": (
        {"home": "hilly", "npg": "classical-indian", "you": "hyksos-early", "seed": 4006},
        armies("feudal-english", "anglo-norman", 119, "you"),
        "right",
    ),
    "woods in the Centre": (
        {"home": "forest", "npg": "welsh", "you": "hyksos-early", "seed": 2025},
        armies("viking", "anglo-norman", 1004, "you"),
        "left",
    ),
    "a town in the Centre": (
        {"home": "steppe", "npg": "feudal-english", "you": "hyksos-early", "seed": 6001},
        armies("carthaginian-hannibal", "polybian-roman", 106, "npg"),
        "far",
    ),
    "woods on the right of the Centre": (
        {"home": "arable", "npg": "gallic", "you": "hyksos-early", "seed": 18},
        armies("low-countries-late", "anglo-norman", 1007, "npg"),
        "far",
    ),
    "a river": (
        {"home": "hilly", "npg": "mongol", "you": "hyksos-early", "seed": 5030, "scale": "25mm", "side_in": 36},
        armies("marian-roman", "welsh", 1026, "you"),
        "near",
    ),
    "a shallow zone": (
        {"home": "steppe", "npg": "gallic", "you": "hyksos-early", "seed": 7017, "scale": "25mm", "side_in": 36},
        armies("classical-indian", "welsh", 1062, "you"),
        "near",
    ),
}


@pytest.mark.clause("SD-4.7-a", "SD-4.7-b", "SD-4.7-c", "SD-4.7-d", "SD-4.7-j")
@pytest.mark.parametrize("name", CASES)
def test_everybody_stands_where_he_can(name: str, tool: ModuleType) -> None:
    given, fought, edge = CASES[name]
    found = tool.measured(board(**given), edge, fought)  # type: ignore[arg-type]
    assert found["elements"] >= 8
    assert {fault: found[fault] for fault in tool.FAULTS if found[fault]} == {}
    assert {said: found[said] for said in tool.TOLD if found[said]} == {}


@pytest.mark.clause("SD-4.7-a", "SD-4.7-b", "SD-4.7-c", "SD-4.7-d", "SD-4.7-j")
@pytest.mark.parametrize("seed", [3, 26, 47, 62])
def test_games_from_seeds_are_laid(seed: int, tool: ModuleType) -> None:
    field = tool.SOAK.mixture(seed).settings
    text = board(seed, **field)
    for edge in ("near", "right"):
        found = tool.measured(text, edge)
        assert {fault: found[fault] for fault in tool.FAULTS if found[fault]} == {}
