"""Tests share the boards of the same games, and of no others."""

from __future__ import annotations

import pytest
from laid_once import LayOut, laid_once, lay_out_anew

from printkit.chance.dice import Dice, Seeded, Source
from printkit.core.words import find_words as language
from printkit.kit.registry import find
from printkit.kit.system import Outcome, Scenario
from printkit.recipes.game.games import GameSetup
from printkit.recipes.game.request import Orders
from printkit.terrain.field.battlefield import Battlefield

SYSTEM = find("brantley")


@pytest.fixture
def laid() -> list[int]:
    """Return the seeds of the boards that were laid out."""
    return []


@pytest.fixture
def lay_out(laid: list[int]) -> LayOut:
    """Return what lays out a board by one die, each once."""

    def once(game: GameSetup, source: Source) -> Outcome:
        laid.append(game.scenario.seed)
        dice = Dice(source)
        score = dice.at("deal").d6("a die")
        board = Battlefield(board=game.scenario.board)
        return Outcome(battlefield=board, log=tuple(dice.log), details={"score": score})

    return laid_once(once)


def game(seed: int) -> GameSetup:
    scenario = Scenario(board=SYSTEM.board(), settings={}, seed=seed)
    return GameSetup(SYSTEM, Orders(rules="brantley"), scenario, language("en"))


def play(lay_out: LayOut, seed: int) -> Outcome:
    return lay_out(game(seed), Seeded(seed))


def test_the_same_game_is_laid_out_once(lay_out: LayOut, laid: list[int]) -> None:
    assert play(lay_out, 1) == play(lay_out, 1)
    play(lay_out, 2)
    assert laid == [1, 2]


def test_other_throws_of_the_same_game_are_laid_out(lay_out: LayOut, laid: list[int]) -> None:
    scores = {lay_out(game(1), Seeded(seed)).details["score"] for seed in range(20)}
    assert len(laid) == len(scores) == 6


def bare(game: GameSetup, _source: Source) -> Outcome:
    return Outcome(battlefield=Battlefield(board=game.scenario.board), log=())


def test_boards_count_once_in_all_processes_unless_nothing_can_share_them() -> None:
    counted: list[list[str]] = []
    for _process in range(2):
        counted.append([])
        lay_out = laid_once(bare, counted[-1].append)
        for seed in (1, 1, 2):
            play(lay_out, seed)
        with pytest.MonkeyPatch.context() as patch:
            lay_out_anew(patch)
            play(lay_out, 1)
    assert counted[0] == counted[1]
    first, second, alone = counted[0]
    assert "" != first != second != ""
    assert alone == ""


def test_what_a_test_changes_stays_its_own(lay_out: LayOut, laid: list[int]) -> None:
    whole = play(lay_out, 1)
    dict.clear(play(lay_out, 1).details)  # type: ignore[arg-type]
    assert play(lay_out, 1) == whole
    assert laid == [1]


@pytest.mark.parametrize(
    ("target", "name"), [("printkit.kit.rules.TITLE_KEY", "name"), (SYSTEM, "_name"), ({}, "key"), (None, "")]
)
def test_every_board_is_laid_out_while_something_that_places_terrain_is_patched(
    target: object, name: str, lay_out: LayOut, laid: list[int]
) -> None:
    play(lay_out, 1)
    with pytest.MonkeyPatch.context() as patch:
        match target:
            case str():
                patch.setattr(target, name)
            case dict():
                patch.setitem(target, name, 1)
            case None:
                lay_out_anew(patch)
            case _:
                patch.setattr(target, name, 1, raising=False)
        play(lay_out, 1)
        play(lay_out, 1)
    play(lay_out, 1)
    assert laid == [1, 1, 1]


def test_a_patch_of_what_draws_changes_no_board(
    lay_out: LayOut, laid: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("printkit.drawing.text.drafter.SIZES", ())
    monkeypatch.setenv("LANG", "C")
    play(lay_out, 1)
    play(lay_out, 1)
    assert laid == [1]
