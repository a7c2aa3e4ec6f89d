"""Games played again: from the log, with a stage or answers anew, in every rule system; and by ``check --replay``."""

from __future__ import annotations

import json
from collections.abc import Callable
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
from printkit.kit.registry import NAMES, find, read_record
from printkit.kit.replay import compare_replay
from printkit.recipes.evening.folder import Folders
from printkit.recipes.evening.reference import umpire_pages
from printkit.recipes.game.games import GeneratedGame, play, replay_game
from printkit.recipes.game.request import Orders, build_orders, log_text
from printkit.terrain.field.record import Record, read, write

ENGLISH = Words(("en",))
QUICK = ["--to", "json", "--lang", "en"]
RICH = 1004
"""The seed of a game of cards with two rivers and two roads, in 43 throws."""

EVERY = tuple((rules, seed) for rules in NAMES for seed in (3, 8))


BOARDS = {"acw": "48x24in"}
"""A table of eight zones, for that of twenty-four takes three times as long to lay out."""


@cache
def new(rules: str, seed: int = RICH) -> Record:
    return play(find(rules), Orders(rules=rules, board=BOARDS.get(rules)), seed, ENGLISH).record


def again(record: Record, own: dict[int, str], fresh: int = 9) -> GeneratedGame:
    return replay_game(find(record.rules), record, ENGLISH, overrides=own, new_seed=fresh)


def fed_back(log: str, **given: Any) -> Record:
    """Return the game of a log that is given as dice, and nothing else but what is named."""
    asked = {"rules": None, "settings": (), "scenario": None, "board": None, "seed": None}
    orders = build_orders(**{**asked, "dice": log, **given})
    goes_on = orders.seed is not None
    return play(find(orders.rules), orders, orders.first_seed or 0, ENGLISH, continues=goes_on).record


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
    rerolled = replay_game(find("brantley"), record, ENGLISH, reroll=("rivers",), new_seed=5).record
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
    assert f"roll {count + 1}: the log of stage '{missing.stage}' has no roll for {missing.reason}" in said
    assert said.count("\n") == 1
    assert "BR-X08" in said
    assert run([*command, "--seed", str(RICH)]) == 0
    found = json.loads((tmp_path / "cut.json").read_text(encoding="utf-8"))["log"]
    assert [throw["answer"] for throw in found[:count]] == [throw.answer for throw in record.log[:count]]


def test_a_die_changed_in_the_log_stands_where_a_seed_goes_on_and_an_impossible_one_is_named() -> None:
    record = new("brantley", RICH)
    number = number_of(record)
    assert fed_back(edited(record, "6"), seed=RICH).log[number - 1].answer == "6"
    with pytest.raises(DiceError, match=f"roll {number}: '7' is not a valid result of d6 for number of roads"):
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
        other = replay_game(find("brantley"), record, ENGLISH, reroll=("rivers",), new_seed=42).record
        assert dict(answers(other, "roads")) == dict(answers(record, "roads"))
        assert answers(other, "rivers") != answers(record, "rivers")


@pytest.mark.parametrize(("rules", "stage"), [("acw", "joining"), ("acw", "water"), ("brantley", "crossings")])
def test_a_stage_without_a_throw_changes_nothing_and_says_so(rules: str, stage: str) -> None:
    record = new(rules, 3)
    played = replay_game(find(rules), record, ENGLISH, reroll=(stage,), new_seed=9)
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
    assert write(replay_game(find(rules), played, ENGLISH, new_seed=1).record) == write(played)


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
    with pytest.raises(DiceError, match=f"roll {last} (.*) is no longer needed"):
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
    pack = again(record, {1: "KS 7H 9C 2D QC 3S 10H JS 5C"}).record
    assert pack.log[0].answer.split()[:9] == ["KS", "7H", "9C", "2D", "QC", "3S", "10H", "JS", "5C"]


@pytest.mark.parametrize(
    ("reason", "number", "answer", "error", "said"),
    [
        ("", 999, "6", UsageError, "there is no roll 999; the log has"),
        ("", 0, "6", UsageError, "there is no roll 0; the log has"),
        ("number of roads", 0, "7", DiceError, "d6 for number of roads can be 1 to 6"),
        ("zone of A, turn 1", 0, "99", DiceError, "zone of A, turn 1 is one of 1, 2, 3"),
        ("", 1, "KS 7X", DiceError, "7X is not a card of this deck"),
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
    with pytest.raises(Exception, match="it cannot be replayed"):
        again(bare, {1: "6"})
    with pytest.raises(UsageError, match="has no stage 'weather'"):
        replay_game(find("brantley"), new("brantley", RICH), ENGLISH, reroll=("weather",), new_seed=1)
    tree = json.loads(write(new("brantley", RICH)))
    tree["overwritten"] = [{"throw": 400, "was": "3", "answer": "6"}]
    with pytest.raises(RecordError, match=r"overwritten.*400.*not a roll of the log"):
        read(json.dumps(tree), find("brantley").book.going)


@pytest.mark.usefixtures("table")
@pytest.mark.clause("BR-X06")
@pytest.mark.parametrize("options", [[], ["--seed", "4"]])
def test_cards_among_the_dice_of_rules_without_cards_are_named(options: list[str], capsys: Captured) -> None:
    assert run(["map", "--rules", "acw", "--dice", "5 KS 2", *options, *QUICK]) == 1
    assert "no card is needed here, but your dice include KS" in capsys.readouterr().err


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
    assert tells(pages, f"roll {number}: 6, was {record.log[number - 1].answer}")


SPANISH = Words(("es",))
TYPED: dict[str, Any] = {"settings": (), "scenario": None, "seed": 3, "dice": None}


"""A table of eight zones, for that of twenty-four takes three times as long to lay out."""


def parted(record: Record) -> list[str]:
    return [str(line) for line in compare_replay(find(record.rules), record).faults]


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
    rerolled = replay_game(find(rules), record, ENGLISH, reroll=(stage,), new_seed=5).record
    number = next(number for number, throw in enumerate(rerolled.log, 1) if throw.asked == "d6")
    answer = "6" if rerolled.log[number - 1].answer != "6" else "1"
    assert parted(replay_game(find(rules), rerolled, ENGLISH, overrides={number: answer}, new_seed=5).record) == []


@pytest.mark.parametrize(("rules", "board"), [("acw", "48x36in"), ("acw", "1111.1234567mm"), ("brantley", "37.3in")])
def test_a_board_that_was_typed_is_played_again_on_the_sides_of_its_record(rules: str, board: str) -> None:
    """48 times 25.4 mm are 1219.1999999999998 mm where they are counted, and 1219.2 in a record."""
    made = play(find(rules), build_orders(rules=rules, board=board, **TYPED), 3, ENGLISH)
    assert parted(read_record(write(made.record))[1]) == []


def test_the_own_board_of_a_rule_system_may_be_typed_as_well() -> None:
    for seed in (6, 14, 16):
        typed = play(find("brantley"), build_orders(rules="brantley", board="24in", **TYPED), seed, ENGLISH)
        assert write(typed.record) == write(new("brantley", seed))


@pytest.mark.parametrize("rules", NAMES)
def test_another_seed_is_told_in_one_line_of_the_log(rules: str) -> None:
    said = forged(lambda tree: tree.update(seed=7), rules)
    assert sum("; seed 7 gives " in line for line in said) == 1


@pytest.mark.usefixtures("table")
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
    "size": (answered("size of z1", "6x5"), "size of z1, placed by A) is 6x5; seed 1004 gives 6.5x5"),
    "facing": (answered("facing of z1", "90"), "facing of z1, placed by A) is 90; seed 1004 gives 215"),
    # What the changed log would have laid is told by feature.
    "ground": (answered("facing of z1", "90"), "(z1) does not match the log: geometry"),
    "start": (answered("road D1: start", "N:15.5"), "road D1: start) is N:15.5; seed 1004 gives N:16.0"),
    "throw forgotten": (
        lambda tree: tree["log"].remove(throw_of(tree, "facing of z1")),
        "replay failed: the log of stage 'features' has choice of 9 for place in its zone of z1",
    ),
    "throw added": (
        lambda tree: tree["log"].append({**tree["log"][-1], "reason": "one more"}),
        "the log of stage 'order' has too many rolls",
    ),
    "feature lost": (
        lambda tree: tree["features"].remove(feature_of(tree, "z1")),
        "the log gives lake z1, but it is not on the board",
    ),
    "feature added": (
        lambda tree: tree["features"].append({**feature_of(tree, "z1"), "id": "z2"}),
        "(z2) is on the board, but no roll produced it",
    ),
    "river widened": (widen_a_river, "does not match the log: width_mm"),
    "fact": (
        lambda tree: tree["brantley"]["deployment"].update(deploys_first="nobody"),
        "brantley.deployment.deploys_first is nobody; the log gives ",
    ),
    "overlay": (lambda tree: tree["overlays"].pop(3), "the overlay zone 4 is missing or differs"),
    "other overlay": (
        lambda tree: tree["overlays"][3]["properties"].update(label="10"),
        "the overlay zone 10 is not part of the game",
    ),
    "board": (lambda tree: tree["board"].update(base_width_mm=41.0), "the board does not match the settings"),
}


@pytest.mark.parametrize(("change", "said"), CHANGES.values(), ids=CHANGES)
def test_what_was_changed_by_hand_is_told(change: Callable[[dict[str, Any]], None], said: str) -> None:
    found = forged(change)
    assert any(said in line for line in found), found


@pytest.mark.usefixtures("table")
def test_the_command_says_what_differs_and_that_it_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    Path("good.json").write_text(write(new("brantley")), encoding="utf-8")
    assert run(["check", "good.json", "--replay", "--lang", "en"]) == 0
    assert capsys.readouterr().out.endswith("\nReplayed: every roll and feature is the same.\n")
    tree = json.loads(write(new("brantley")))
    tree["seed"] = 7
    Path("bad.json").write_text(json.dumps(tree), encoding="utf-8")
    assert run(["check", "bad.json", "--lang", "en"]) == 0
    assert run(["check", "bad.json", "--replay", "--lang", "en"]) == 1
    assert "; seed 7 gives " in capsys.readouterr().out


@pytest.mark.usefixtures("table")
def test_a_record_by_hand_cannot_be_played_again(capsys: pytest.CaptureFixture[str]) -> None:
    bare = Record(rules="brantley", battlefield=new("brantley").battlefield)
    Path("hand.json").write_text(write(bare), encoding="utf-8")
    assert run(["check", "hand.json", "--replay", "--lang", "en"]) == 1
    said = capsys.readouterr()
    assert "hand.json: this record has no log or seed, so it cannot be replayed" in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


@pytest.mark.parametrize("rules", NAMES)
@pytest.mark.parametrize("answer", ["0", "7", "x", "-1"])
def test_a_die_beyond_its_sides_is_named(rules: str, answer: str) -> None:
    tree = json.loads(write(new(rules, 3)))
    number = next(number for number, throw in enumerate(tree["log"], 1) if throw["asked"] == "d6")
    tree["log"][number - 1]["answer"] = answer
    with pytest.raises(RecordError, match=f"roll {number} is '{answer}', but d6 for .* gives 1 to 6"):
        read_record(json.dumps(tree))
