"""Records played again by ``check --replay``: what differs from seed and log is found, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from printkit.cli.app import run
from printkit.core.errors import RecordError
from printkit.core.words import Words
from printkit.kit.registry import NAMES, find, read_record
from printkit.recipes.game.games import play, play_again
from printkit.recipes.game.replay_check import parted_lines
from printkit.recipes.game.request import Orders, ordered
from printkit.terrain.field.record import Record, write

pytestmark = pytest.mark.usefixtures("table")

ENGLISH, SPANISH = Words(("en",)), Words(("es",))
SEED = 1004
TYPED: dict[str, Any] = {"settings": (), "scenario": None, "seed": 3, "dice": None}


BOARDS = {"acw": "48x24in"}
"""A table of eight zones, for that of twenty-four takes three times as long to lay out."""


@cache
def new(rules: str, seed: int = SEED) -> Record:
    return play(find(rules), Orders(rules=rules, board=BOARDS.get(rules)), seed, ENGLISH).record


def parted(record: Record) -> list[str]:
    return [str(line) for line in parted_lines(find(record.rules), record, SPANISH)]


def forged(change: Callable[[dict[str, Any]], None], rules: str = "brantley") -> list[str]:
    """Return what is told of a record that somebody changed."""
    tree = json.loads(write(new(rules)))
    change(tree)
    return parted(read_record(json.dumps(tree))[1])


def throw_of(tree: dict[str, Any], reason: str) -> dict[str, Any]:
    found: dict[str, Any] = next(throw for throw in tree["log"] if throw["reason"].startswith(reason))
    return found


@pytest.mark.parametrize("rules", NAMES)
def test_a_record_is_what_its_seed_and_log_give(rules: str) -> None:
    record = new(rules, 3)
    assert parted(record) == []
    stage = find(rules).stages[-2]
    rerolled = play_again(find(rules), record, ENGLISH, reroll=(stage,), fresh=5).record
    number = next(number for number, throw in enumerate(rerolled.log, 1) if throw.asked == "d6")
    answer = "6" if rerolled.log[number - 1].answer != "6" else "1"
    assert parted(play_again(find(rules), rerolled, ENGLISH, own={number: answer}, fresh=5).record) == []


@pytest.mark.parametrize(("rules", "board"), [("acw", "48x36in"), ("acw", "1111.1234567mm"), ("brantley", "37.3in")])
def test_a_board_that_was_typed_is_played_again_on_the_sides_of_its_record(rules: str, board: str) -> None:
    """48 times 25.4 mm are 1219.1999999999998 mm where they are counted, and 1219.2 in a record."""
    made = play(find(rules), ordered(rules=rules, board=board, **TYPED), 3, ENGLISH)
    assert parted(read_record(write(made.record))[1]) == []


def test_the_own_board_of_a_rule_system_may_be_typed_as_well() -> None:
    for seed in (6, 14, 16):
        typed = play(find("brantley"), ordered(rules="brantley", board="24in", **TYPED), seed, ENGLISH)
        assert write(typed.record) == write(new("brantley", seed))


@pytest.mark.parametrize("rules", NAMES)
def test_another_seed_is_told_in_one_line_of_the_log(rules: str) -> None:
    said = forged(lambda tree: tree.update(seed=7), rules)
    assert sum("; seed 7 gives " in line for line in said) == 1


def test_own_dice_are_no_fault_of_the_seed() -> None:
    Path("red.toml").write_text("zones = ['AH 2H 3H 4H 5H 6H 7H 8H 9H']", encoding="utf-8")
    order = ["map", "--scenario", "red.toml", "--dice", "5 6", "--seed", "5", "--out", "red.json", "--to", "json"]
    assert run([*order, "--quiet"]) == 0
    assert run(["check", "red.json", "--replay", "--quiet"]) == 0
    pack = ["--dice", "KS 7H 9C 2D QC 3S 10H JS 5C", "--seed", "5", "--out", "pack.json", "--to", "json"]
    assert run(["map", *pack]) == 0
    assert run(["check", "pack.json", "--replay", "--quiet"]) == 0


def answered(reason: str, answer: str) -> Callable[[dict[str, Any]], None]:
    """Return what gives a throw another answer."""
    return lambda tree: throw_of(tree, reason).update(answer=answer)


def feature_of(tree: dict[str, Any], identity: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in tree["features"] if each["id"] == identity)
    return found


def widen_a_river(tree: dict[str, Any]) -> None:
    feature_of(tree, "R1")["properties"]["width_mm"] += 1


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "size": (answered("size of z1", "6x5"), "size of z1, placed by A, is 6x5; seed 1004 gives 6.5x5"),
    "facing": (answered("facing of z1", "90"), "facing of z1, placed by A, is 90; seed 1004 gives 215"),
    # What the changed log would have laid is told by feature.
    "ground": (answered("facing of z1", "90"), "(z1): geometry not as seed and log give"),
    "start": (answered("road D1: start", "N:15.5"), "road D1: start, is N:15.5; seed 1004 gives N:16.0"),
    "throw forgotten": (
        lambda tree: tree["log"].remove(throw_of(tree, "facing of z1")),
        "played again: the log of stage 'features' has choice of 9 for place in its zone of z1",
    ),
    "throw added": (
        lambda tree: tree["log"].append({**tree["log"][-1], "reason": "one more"}),
        "the log of stage 'order' has more throws than are due",
    ),
    "feature lost": (
        lambda tree: tree["features"].remove(feature_of(tree, "z1")),
        "lake z1 is given by the log, and is not on the board",
    ),
    "feature added": (
        lambda tree: tree["features"].append({**feature_of(tree, "z1"), "id": "z2"}),
        "(z2) is on the board, and no throw gives it",
    ),
    "river widened": (widen_a_river, ": width_mm not as seed and log give"),
    "fact": (
        lambda tree: tree["brantley"]["deployment"].update(deploys_first="nobody"),
        "brantley.deployment.deploys_first is not what seed and log give",
    ),
    "board": (lambda tree: tree["board"].update(base_width_mm=41.0), "the board is not the one of the settings"),
}


@pytest.mark.parametrize(("change", "said"), CHANGES.values(), ids=CHANGES)
def test_what_was_changed_by_hand_is_told(change: Callable[[dict[str, Any]], None], said: str) -> None:
    found = forged(change)
    assert any(said in line for line in found), found


def test_the_command_says_what_differs_and_that_it_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    Path("good.json").write_text(write(new("brantley")), encoding="utf-8")
    assert run(["check", "good.json", "--replay", "--lang", "en"]) == 0
    assert capsys.readouterr().out.endswith("good.json: played again, every throw and feature is the same\n")
    tree = json.loads(write(new("brantley")))
    tree["seed"] = 7
    Path("bad.json").write_text(json.dumps(tree), encoding="utf-8")
    assert run(["check", "bad.json", "--lang", "en"]) == 0
    assert run(["check", "bad.json", "--replay", "--lang", "en"]) == 1
    assert "; seed 7 gives " in capsys.readouterr().out


def test_a_record_by_hand_cannot_be_played_again(capsys: pytest.CaptureFixture[str]) -> None:
    bare = Record(rules="brantley", battlefield=new("brantley").battlefield)
    Path("hand.json").write_text(write(bare), encoding="utf-8")
    assert run(["check", "hand.json", "--replay", "--lang", "en"]) == 1
    said = capsys.readouterr()
    assert "hand.json: this record has no log and seed, so nothing of it can be played again" in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


@pytest.mark.parametrize("rules", NAMES)
@pytest.mark.parametrize("answer", ["0", "7", "x", "-1"])
def test_a_die_beyond_its_sides_is_named(rules: str, answer: str) -> None:
    tree = json.loads(write(new(rules, 3)))
    number = next(number for number, throw in enumerate(tree["log"], 1) if throw["asked"] == "d6")
    tree["log"][number - 1]["answer"] = answer
    with pytest.raises(RecordError, match=f"throw {number} is '{answer}': d6 for .* gives 1 to 6"):
        read_record(json.dumps(tree))
