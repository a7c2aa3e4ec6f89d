"""Games played again: from the log alone, with a stage thrown anew, with answers laid over, in every rule system."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from command_lines import Captured
from hypothesis import given, settings
from hypothesis import strategies as st
from leaflets_scene import handout, tells
from msgspec.structs import replace

from printkit.chance.dice import Throw, read_log, write_log
from printkit.cli.app import run
from printkit.core.errors import DiceError, RecordError, UsageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing
from printkit.kit.registry import NAMES, find
from printkit.recipes.evening.folder import Folders
from printkit.recipes.evening.umpire import umpire_pages
from printkit.recipes.game.games import Played, play, play_again
from printkit.recipes.game.request import Orders, log_text, ordered
from printkit.recipes.prints.file_names import game_name
from printkit.terrain.field.record import Record, read, write

ENGLISH = Words(("en",))
QUICK = ["--to", "json", "--lang", "en"]
RICH = 1004
"""The seed of a game of cards with two rivers and two roads, in 43 throws."""

EVERY = tuple((rules, seed) for rules in NAMES for seed in (3, 8))


BOARDS = {"acw": "48x24in"}
"""A table of eight zones, for that of twenty-four takes three times as long to lay out."""


@cache
def new(rules: str, seed: int) -> Record:
    return play(find(rules), Orders(rules=rules, board=BOARDS.get(rules)), seed, ENGLISH).record


def again(record: Record, own: dict[int, str], fresh: int = 9) -> Played:
    return play_again(find(record.rules), record, ENGLISH, own=own, fresh=fresh)


def fed_back(log: str, **given: Any) -> Record:
    """Return the game of a log that is given as dice, and nothing else but what is named."""
    asked = {"rules": None, "settings": (), "scenario": None, "board": None, "seed": None}
    orders = ordered(**{**asked, "dice": log, **given})
    goes_on = orders.seed is not None
    return play(find(orders.rules), orders, orders.first_seed or 0, ENGLISH, goes_on=goes_on).record


def answers(record: Record, *stages: str) -> list[tuple[str, str]]:
    return [(throw.reason, throw.answer) for throw in record.log if throw.stage in stages or not stages]


def number_of(record: Record, reason: str = "number of roads") -> int:
    return next(number for number, throw in enumerate(record.log, 1) if throw.reason == reason)


def edited(record: Record, new: str) -> str:
    """Return the log of a game whose die for the number of roads shows something else."""
    number = number_of(record)
    line = next(text for text in log_text(record).splitlines() if text.startswith(f"{number} | "))
    old = f"d6 | {record.log[number - 1].answer}"
    assert old in line
    return log_text(record).replace(line, line.replace(old, f"d6 | {new}"))


@pytest.mark.parametrize(("rules", "seed"), EVERY)
def test_the_unaltered_log_gives_the_same_bytes(rules: str, seed: int) -> None:
    record = new(rules, seed)
    assert write(fed_back(log_text(record))) == write(record)


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ("brantley", {"board": "36in", "settings": ("br-q12=none", "title=Bloody Meadow", "names=none")}),
        ("acw", {"board": "48x48in", "settings": ("state=texas",)}),
        ("portable-1", {"cell": "80mm", "settings": ("grid=sq-8x8",)}),
    ],
)
def test_the_log_carries_board_and_settings(rules: str, options: dict[str, Any]) -> None:
    record = fed_back("", rules=rules, seed=4, dice=None, **options)
    assert write(fed_back(log_text(record))) == write(record)
    assert fed_back(log_text(record), seed=5).seed == 5


def test_the_log_of_a_changed_game_gives_that_game() -> None:
    record = new("brantley", 3)
    rerolled = play_again(find("brantley"), record, ENGLISH, reroll=("rivers",), fresh=5).record
    laid_over = again(rerolled, {number_of(rerolled): "6"}).record
    assert laid_over.reseeded
    for each in (rerolled, laid_over):
        assert write(fed_back(log_text(each))) == write(each)


@pytest.mark.clause("BR-X08")
@pytest.mark.parametrize("count", [19, 36])
def test_a_log_that_is_cut_names_the_throw_that_is_missing(count: int, tmp_path: Path, capsys: Captured) -> None:
    record = new("brantley", RICH)
    assert len(record.log) > count
    cut = tmp_path / "cut.txt"
    cut.write_text("\n".join(log_text(record).splitlines()[: 3 + count]), encoding="utf-8")
    missing = record.log[count]
    command = ["map", "--dice", f"@{cut}", "--out", str(tmp_path / "cut.json"), *QUICK]
    assert run(command) == 1
    said = capsys.readouterr().err
    assert f"throw {count + 1}: the log of stage '{missing.stage}' has no throw for {missing.reason}" in said
    assert said.count("\n") == 1
    assert "BR-X08" in said
    assert run([*command, "--seed", str(RICH)]) == 0
    found = json.loads((tmp_path / "cut.json").read_text(encoding="utf-8"))["log"]
    assert [throw["answer"] for throw in found[:count]] == [throw.answer for throw in record.log[:count]]


def test_a_die_changed_in_the_log_stands_where_a_seed_goes_on_and_an_impossible_one_is_named() -> None:
    record = new("brantley", RICH)
    number = number_of(record)
    assert fed_back(edited(record, "6"), seed=RICH).log[number - 1].answer == "6"
    with pytest.raises(DiceError, match=f"throw {number}: '7' cannot answer d6 for number of roads"):
        fed_back(edited(record, "7"))


def test_throws_are_numbered_in_a_log_numbers_may_be_missing_and_marks_survive() -> None:
    log = write_log(new("dba3", 3).log)
    lines = [line for line in log.splitlines() if not line.startswith("#")]
    assert [line.split(" | ")[0] for line in lines] == [str(number) for number in range(1, len(lines) + 1)]
    assert read_log("\n".join(line.split(" | ", 1)[1] for line in lines)) == read_log(log)
    own = Throw(stage="a", reason="b", asked="d6", answer="3", seeded=False)
    marked = (own, replace(own, reason="c", was="5"))
    assert read_log(write_log(marked)) == marked


def test_rivers_thrown_anew_leave_the_throws_of_the_roads() -> None:
    for seed in (2, 6, 14, 21):
        record = new("brantley", seed)
        assert any(throw.reason.startswith("road ") for throw in record.log)
        assert any(throw.reason.startswith("river ") for throw in record.log)
        other = play_again(find("brantley"), record, ENGLISH, reroll=("rivers",), fresh=42).record
        assert dict(answers(other, "roads")) == dict(answers(record, "roads"))
        assert answers(other, "rivers") != answers(record, "rivers")


@pytest.mark.parametrize(("rules", "stage"), [("acw", "joining"), ("acw", "water"), ("brantley", "crossings")])
def test_a_stage_without_a_throw_changes_nothing_and_says_so(rules: str, stage: str) -> None:
    record = new(rules, 3)
    played = play_again(find(rules), record, ENGLISH, reroll=(stage,), fresh=9)
    assert played.idle == (stage,)
    assert write(played.record) == write(record)


@given(game=st.sampled_from(EVERY), place=st.integers(0, 200))
@settings(max_examples=10, deadline=None, derandomize=True)
def test_the_same_answer_laid_over_is_the_same_record(game: tuple[str, int], place: int) -> None:
    record = new(*game)
    number = 1 + place % len(record.log)
    played = again(record, {number: record.log[number - 1].answer})
    assert write(played.record) == write(record)
    assert played.renewed == ()


@pytest.mark.parametrize(("rules", "seed"), EVERY[::2])
def test_what_comes_before_a_die_stands_and_the_die_is_the_persons(rules: str, seed: int) -> None:
    record = new(rules, seed)
    dice = [number for number, throw in enumerate(record.log, 1) if throw.asked == "d6"]
    number = dice[len(dice) // 2]
    throw = record.log[number - 1]
    answer = "6" if throw.answer != "6" else "1"
    played = again(record, {number: answer}).record
    assert answers(played)[: number - 1] == answers(record)[: number - 1]
    now = played.log[number - 1]
    assert (now.reason, now.answer, now.was, now.seeded) == (throw.reason, answer, throw.answer, False)
    assert write(again(record, {number: answer}).record) == write(played)
    assert [found.clause for found in find(rules).judge(played) if found.state == "broken"] == []
    assert write(play_again(find(rules), played, ENGLISH, fresh=1).record) == write(played)


def test_six_roads_stay_six_and_later_stages_keep_what_fits() -> None:
    record = new("brantley", 2)
    number = number_of(record)
    assert record.log[number - 1].answer == "4"
    played = again(record, {number: "6"})
    assert dict(answers(played.record))["number of roads"] == "6"
    assert answers(played.record, "order") == answers(record, "order")
    assert "roads" not in played.renewed


def test_an_answer_that_is_not_asked_for_any_more_is_told() -> None:
    record = new("brantley", RICH)
    last = max(number for number, throw in enumerate(record.log, 1) if throw.stage == "roads")
    assert last > number_of(record)
    with pytest.raises(DiceError, match=f"throw {last}, .*, is not asked for any more"):
        again(record, {number_of(record): "1", last: record.log[last - 1].answer})


def test_dice_cards_and_options_are_laid_over_and_the_record_says_so() -> None:
    record = new("brantley", RICH)
    die, size = number_of(record), number_of(record, "size of z1, placed by A")
    text, same = (write(again(record, {die: "6", size: "2"}, fresh=5).record) for _ in range(2))
    assert text == same
    tree = json.loads(text)
    assert [each["throw"] for each in tree["overwritten"]] == sorted((size, die))
    assert [each["was"] for each in tree["overwritten"]] == [
        record.log[each - 1].answer for each in sorted((size, die))
    ]
    assert tree["log"][die - 1]["answer"] == "6"
    assert write(read(text, find("brantley").book.going)) == text
    # Another answer gets another name.
    card = number_of(record, "card of A, turn 1")
    assert len({game_name(again(record, {card: answer}, fresh=5).record) for answer in "123"}) == 3
    pack = again(record, {1: "KS 7H 9C 2D QC 3S 10H JS 5C"}).record
    assert pack.log[0].answer.split()[:9] == ["KS", "7H", "9C", "2D", "QC", "3S", "10H", "JS", "5C"]


@pytest.mark.parametrize(
    ("reason", "number", "answer", "error", "said"),
    [
        ("", 999, "6", UsageError, "there is no throw 999; the log has"),
        ("", 0, "6", UsageError, "there is no throw 0; the log has"),
        ("number of roads", 0, "7", DiceError, "d6 for number of roads gives 1 to 6"),
        ("zone of A, turn 1", 0, "99", DiceError, "zone of A, turn 1 is one of 1, 2, 3"),
        ("", 1, "KS 7X", DiceError, "7X is no card of this pack"),
    ],
)
def test_what_cannot_be_laid_over_is_named(
    reason: str, number: int, answer: str, error: type[Exception], said: str
) -> None:
    record = new("brantley", RICH)
    with pytest.raises(error, match=said):
        again(record, {number_of(record, reason) if reason else number: answer})


def test_a_record_has_no_throw_and_no_stage_but_its_own() -> None:
    bare = read(
        write(Record(rules="brantley", battlefield=new("brantley", RICH).battlefield)), find("brantley").book.going
    )
    with pytest.raises(Exception, match="nothing of it can be played again"):
        again(bare, {1: "6"})
    with pytest.raises(UsageError, match="has no stage 'weather'"):
        play_again(find("brantley"), new("brantley", RICH), ENGLISH, reroll=("weather",), fresh=1)
    tree = json.loads(write(new("brantley", RICH)))
    tree["overwritten"] = [{"throw": 400, "was": "3", "answer": "6"}]
    with pytest.raises(RecordError, match=r"overwritten.*400.*not a throw of the log"):
        read(json.dumps(tree), find("brantley").book.going)


@pytest.mark.usefixtures("table")
@pytest.mark.clause("BR-X06")
@pytest.mark.parametrize("options", [[], ["--seed", "4"]])
def test_cards_among_the_dice_of_rules_without_cards_are_named(options: list[str], capsys: Captured) -> None:
    assert run(["map", "--rules", "acw", "--dice", "5 KS 2", *options, *QUICK]) == 1
    assert "no card is asked for here, but KS is given among the dice" in capsys.readouterr().err


@pytest.mark.usefixtures("table")
def test_the_persons_dice_are_marked_and_the_seeds_are_not() -> None:
    Path("red.toml").write_text("zones = ['AH 2H 3H 4H 5H 6H 7H 8H 9H']", encoding="utf-8")
    order = ["map", "--scenario", "red.toml", "--dice", "5 6", "--seed", "5", "--out", "red.json", *QUICK]
    assert run(order) == 0
    record = read(Path("red.json").read_text(encoding="utf-8"), find("brantley").book.going)
    assert [throw.seeded for throw in record.log] == [False, False, *[True] * (len(record.log) - 2)]


@pytest.mark.usefixtures("_bare")
def test_the_umpires_copy_names_the_answers_that_were_laid_over() -> None:
    record = new("brantley", RICH)
    number = number_of(record)
    played = again(record, {number: "6"}).record
    scene = handout((find("brantley"), played))
    pages = umpire_pages(scene, Drawing(50.0, 50.0, ()), Folders(), key=False)
    assert tells(pages, f"throw {number}: 6, was {record.log[number - 1].answer}")
