"""The numbers of the players, which stir the dice of a sealed game: given once, told openly, and bound."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from dealt_games import QUICK, Captured, closed, dealt, names, quick_reveal, refused, with_turns
from msgspec.structs import replace
from reading import texts

from printkit.cli.app import run
from printkit.core.errors import ScenarioError, UsageError
from printkit.core.words import Words
from printkit.export.pdf import data
from printkit.kit.book import read_book
from printkit.kit.registry import read_record
from printkit.options.printing import PrintOptions
from printkit.recipes.game.roll_text import ThrowText
from printkit.recipes.output.printers import print_context
from printkit.systems.brantley.dealing.closed_game import dice_seed
from printkit.systems.brantley.dealing.facts import facts_of
from printkit.systems.brantley.dealing.numbers import MAX_NUMBER, add_numbers, read_numbers, write_numbers
from printkit.systems.brantley.judge.judge import judge
from printkit.systems.brantley.sheets.dealing import reveal_sheet
from printkit.terrain.field.record import Record

pytestmark = pytest.mark.usefixtures("table")

BOOK = read_book("brantley")


# --- One number -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "player", "number"),
    [
        ("A=4711", "A", 4711),
        ("b = 17", "B", 17),
        (" A=0", "A", 0),
        ("B=0042", "B", 42),
        (f"A={MAX_NUMBER}", "A", 10**12),
    ],
)
def test_a_number_is_read_as_a_person_types_it(text: str, player: str, number: int) -> None:
    assert add_numbers({}, [text]) == {player: number}


NO_NUMBERS = ["4711", "A", "A=", "=4711", "C=1", "AB=1", "A=-1", "A=+1", "A=1.5", "A=1e3", "A=1 000", "A=٣", "A=1=2"]
TOO_GREAT = [f"A={MAX_NUMBER + 1}", f"A={10**13}", "A=" + "9" * 5000]


@pytest.mark.parametrize("text", [*NO_NUMBERS, "A=x", "", *TOO_GREAT])
def test_what_is_no_number_or_too_great_is_refused(text: str) -> None:
    with pytest.raises(
        UsageError, match="is not a player's number; write for example A=4711, a whole number from 0 to "
    ):
        add_numbers({}, [text])


def test_a_player_gives_one_number() -> None:
    assert add_numbers({"A": 1}, ["A=1", "B=2", "b=2"]) == {"A": 1, "B": 2}
    for kept, given in (({"A": 1}, ["A=2"]), ({}, ["A=1", "A=2"])):
        with pytest.raises(
            ScenarioError, match="player A has already given the number 1 and may give only one; leave out 2"
        ):
            add_numbers(kept, given)


def test_numbers_are_read_as_they_are_written() -> None:
    numbers = {"A": 4711, "B": 0}
    assert read_numbers(write_numbers(numbers)) == numbers
    assert read_numbers("# told on Tuesday\n\nb=17   # by telephone\n") == {"B": 17}
    for text in ("A=1\nA=2\n", "\nA=z\n"):
        with pytest.raises(ScenarioError, match=r"line 2: 'A=[2z]' is not a player's number, or is their second"):
            read_numbers(text)


# --- The seed of the dice ---------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-M13")
def test_the_dice_come_from_the_seal_and_all_numbers_by_a_seed_of_48_bits_that_all_come() -> None:
    game = closed(dealt())
    whole = hashlib.sha256(f"{game.salt}|7|A=4711|B=17".encode()).hexdigest()
    assert dice_seed(game, {"A": 4711, "B": 17}) == dice_seed(game, {"B": 17, "A": 4711}) == int(whole[:12], 16)
    assert dice_seed(game, {}) == game.seed == 7
    others = [
        dice_seed(game, numbers)
        for numbers in ({"A": 4711}, {"B": 4711}, {"A": 4711, "B": 18}, {"A": 471, "B": 17}, {"A": 0}, {"B": 0})
    ]
    others += [dice_seed(replace(game, salt="0" * 32), {"A": 4711}), dice_seed(replace(game, seed=8), {"A": 4711})]
    assert len({*others, dice_seed(game, {"A": 4711, "B": 17})}) == len(others) + 1
    seeds = [dice_seed(game, {"A": number}) for number in range(300)]
    assert all(0 <= seed < 1 << 48 for seed in seeds)
    bits = Counter(bit for seed in seeds for bit in range(48) if seed >> bit & 1)
    assert all(100 < bits[bit] < 200 for bit in range(48))


# --- At the terminal --------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-M13")
def test_numbers_are_kept_beside_the_game_and_shown(capsys: Captured) -> None:
    folder = dealt()
    assert run(["status", str(folder), "--lang", "en"]) == 0
    assert "Numbers" not in capsys.readouterr().out
    for options, said in (
        (["--number", "B=17", "--lang", "en"], "Numbers for the dice: A none, B 17."),
        (["--number", "a=4711", "--number", "B=17", "--lang", "en"], "Numbers for the dice: A 4711, B 17."),
        (["--lang", "es"], "Números para los dados: A 4711, B 17."),
    ):
        assert run(["status", str(folder), *options]) == 0
        assert said in capsys.readouterr().out
    kept = folder / "numbers.txt"
    assert kept.read_text(encoding="utf-8") == "A=4711\nB=17\n"
    assert kept.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("given", "status", "message"),
    [
        (["A=5"], 1, "player A has already given the number 4711 and may give only one; leave out 5 (BR-M13)"),
        (["B=5", "B=6"], 1, "player B has already given the number 5"),
        (["B=five"], 2, "--number 'B=five' is not a player's number; write for example A=4711"),
        (["B=1000000000001"], 2, "from 0 to 1,000,000,000,000"),
    ],
)
def test_a_wrong_number_is_refused_and_nothing_is_kept(
    given: list[str], status: int, message: str, capsys: Captured
) -> None:
    folder = dealt()
    assert run(["status", str(folder), "--number", "A=4711", "--quiet"]) == 0
    options = [part for text in given for part in ("--number", text)]
    refused(capsys, ["status", str(folder), "--place", "A KS 5", *options], status, message)
    assert (folder / "numbers.txt").read_text(encoding="utf-8") == "A=4711\n"
    assert not (folder / "placements.txt").exists()


@pytest.mark.clause("BR-M13")
def test_no_number_comes_after_the_reveal(capsys: Captured) -> None:
    folder = dealt()
    stirred(folder)
    assert run(["status", str(folder), "--number", "A=4711", "--quiet"]) == 0
    (folder / "numbers.txt").unlink()
    for number in ("A=4711", "B=18"):
        refused(capsys, ["status", str(folder), "--number", number], 1, "revealed and its dice are rolled")
    assert not (folder / "numbers.txt").exists()


def test_a_file_of_numbers_that_cannot_be_read_is_named(capsys: Captured) -> None:
    folder = with_turns(dealt())
    (folder / "numbers.txt").write_text("A=1\nA=2\n", encoding="utf-8")
    for command in ("status", "reveal"):
        refused(capsys, [command, str(folder)], 1, f"{folder / 'numbers.txt'}: line 2: 'A=2' is not a player's number")


# --- At the reveal ----------------------------------------------------------------------------------------------------


def stirred(folder: Path, *options: str) -> Record:
    """Return the record of a reveal after both players have given numbers."""
    numbers = ("--number", "A=4711", "--number", "B=17")
    assert run(["status", str(with_turns(folder)), *numbers, "--quiet"]) == 0
    assert quick_reveal(folder, *options) == 0
    return read_record((folder / "map.json").read_text(encoding="utf-8"))[1]


def verdict(record: Record) -> str:
    (found,) = [each for each in judge(record, BOOK) if each.clause == "BR-M13"]
    return found.state


@pytest.mark.clause("BR-M13", "BR-M14")
def test_a_reveal_throws_by_the_numbers_and_its_record_proves_it() -> None:
    folder = dealt()
    game, record = closed(folder), stirred(folder)
    numbers = {"A": 4711, "B": 17}
    assert record.seed == dice_seed(game, numbers)
    assert facts_of(record).numbers == numbers
    assert json.loads((folder / "map.json").read_text(encoding="utf-8"))["brantley"]["numbers"] == numbers
    assert all(throw.seeded for throw in record.log if throw.stage not in ("deal", "placing"))
    assert run(["check", str(folder / "map.json"), "--replay", "--quiet"]) == 0
    assert verdict(record) == "kept"
    told: list[dict[str, Any]] = [{"numbers": each} for each in ({"A": 4711}, {"A": 4711, "B": 18}, {})]
    lies: list[dict[str, Any]] = [{"details": {**record.details, **each}} for each in [*told, {"first": "B"}]]
    lies += [{"seed": game.seed}, {"settings": {**record.settings, "br-q16": "ford"}}]
    assert {verdict(replace(record, **lie)) for lie in lies} == {"broken"}
    assert verdict(replace(record, settings={**record.settings, "names": "none", "title": "Ours"})) == "kept"


def test_other_numbers_throw_other_dice() -> None:
    dice = set()
    folder = with_turns(dealt())
    for number in range(4):
        (folder / "revealed.json").unlink(missing_ok=True)
        (folder / "numbers.txt").write_text(f"A={number}\n", encoding="utf-8")
        assert quick_reveal(folder, "--out", f"out{number}") == 0
        record = read_record(Path(f"out{number}/map.json").read_text(encoding="utf-8"))[1]
        dice.add(tuple(throw.answer for throw in record.log if throw.stage in ("hills", "rivers", "roads")))
    assert len(dice) == 4


def test_numbers_of_the_players_go_on_where_dice_of_the_deal_run_out() -> None:
    record = stirred(dealt("--set", "crossing=bridge", deck="KS 7H 9C 2D QC 3S 10H JS 5C 4", seed=""))
    assert next(throw.answer for throw in record.log if throw.stage == "hills") == "4"


@pytest.mark.parametrize("options", [["--dice", "4 4 5 1"], ["--ask"]], ids=" ".join)
def test_nobody_throws_by_hand_what_the_numbers_throw(options: list[str], capsys: Captured) -> None:
    folder = with_turns(dealt())
    assert run(["status", str(folder), "--number", "A=4711", "--quiet"]) == 0
    before = names(folder)
    said = "the dice of this game come from the players' numbers"
    refused(capsys, ["reveal", str(folder), *options, *QUICK], 1, said)
    assert names(folder) == before


@pytest.mark.clause("BR-A09")
@pytest.mark.parametrize(("language", "numbers"), [("en", "Numbers for the dice"), ("es", "Números para los dados")])
def test_the_reveal_sheet_tells_numbers_seeds_and_every_die(language: str, numbers: str) -> None:
    record = stirred(dealt())
    order = print_context(PrintOptions(style="ink-saver"), Words((language,)))
    told = " ".join(" ".join(texts(data(reveal_sheet(record, order)))).split())
    for part in (f"{numbers}: A 4711, B 17.", f": {record.seed}, ", " 7, "):
        assert part in told
    text = ThrowText(order.words)
    dice = [f"{text.reason(throw)} {throw.answer}" for throw in record.log if throw.asked == "d6"]
    assert " ".join(f"{number} {die}" for number, die in enumerate(dice, 1)) in told
