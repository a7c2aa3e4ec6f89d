"""A sealed game of version 0.2 goes on with its own files; nothing is converted, and nothing is called proven."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from dealt_games import Captured, closed, names, quick_reveal, refused

from printkit.cli.app import run
from printkit.systems.brantley.dealing.old_game import MAX_NUMBER, old_dice_seed, read_old_numbers

pytestmark = pytest.mark.usefixtures("table", "_bare")

AGE = Path(__file__).parents[3] / "ages" / "0.2.0" / "sealed"
TURNS = (AGE / "placements.txt").read_text(encoding="utf-8").splitlines()


def open_game(turns: int = 8, numbers: str = "") -> Path:
    """Return the folder of a game that version 0.2 dealt, before its reveal."""
    folder = Path("old")
    folder.mkdir()
    shutil.copy(AGE / "closed-game.json", folder)
    (folder / "placements.txt").write_text("# Tuesday\n" + "\n".join(TURNS[:turns]), encoding="utf-8")
    if numbers:
        (folder / "numbers.txt").write_text(numbers, encoding="utf-8")
    return folder


@pytest.mark.clause("BR-M14", "BR-M16")
def test_turns_and_numbers_are_added_to_its_own_files(capsys: Captured) -> None:
    folder = open_game(6)
    assert run(["status", str(folder), "--place", TURNS[6], "--number", "A=4711", "--quiet"]) == 0
    assert run(["status", str(folder), "--place", TURNS[7], "--number", "b=17", "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert "Numbers for the dice: A 4711, B 17." in said
    assert "code" not in said
    assert names(folder) == ["closed-game.json", "numbers.txt", "placements.txt"]
    assert (folder / "placements.txt").read_text(encoding="utf-8").splitlines() == ["# Tuesday", *TURNS]
    assert read_old_numbers((folder / "numbers.txt").read_text(encoding="utf-8")) == {"A": 4711, "B": 17}
    refused(capsys, ["status", str(folder), "--number", "A=5"], 1, "'A=5' is not a player's number, or is their second")
    refused(capsys, ["status", str(folder), "--place", "A a1 9"], 1, "9 cards were placed")


@pytest.mark.clause("BR-M13", "BR-M14")
def test_it_is_revealed_once_by_both_numbers_and_nothing_of_it_is_called_proven(capsys: Captured) -> None:
    folder = open_game(numbers="A=4711\nB=17\n")
    game = closed(folder)
    whole = hashlib.sha256(f"{game.salt}|{game.seed}|A=4711|B=17".encode()).hexdigest()
    assert old_dice_seed(game, {"A": 4711, "B": 17}) == int(whole[:12], 16)
    assert old_dice_seed(game, {}) == game.seed
    assert quick_reveal(folder) == 0
    record = json.loads((folder / "map.json").read_text(encoding="utf-8"))
    assert record["seed"] == int(whole[:12], 16)
    assert record["brantley"]["numbers"] == {"A": 4711, "B": 17}
    assert "journal" not in {**record["brantley"], **record["brantley"]["sealed"]}
    assert run(["check", str(folder / "map.json"), "--replay", "--quiet"]) == 0
    capsys.readouterr()
    assert run(["verify", str(folder), game.commitment, "--number", "A=4711", "--number", "B=17", "--lang", "en"]) == 0
    *rows, last = capsys.readouterr().out.splitlines()
    states = {row.split(": ")[0]: row.split(": ")[1] for row in rows}
    assert states == {
        "deal": "correct",
        "chain": "not proven",
        "turns": "not proven",
        "number": "correct",
        "dice": "not proven",
        "map": "correct",
        "shapes": "not proven",
    }
    assert last == "Nothing is wrong, but 4 of 7 checks are not proven."
    assert run(["verify", str(folder), game.commitment, "--number", "B=18", "--quiet"]) == 1
    assert quick_reveal(folder, "--force", "--lang", "es") == 0
    (folder / "numbers.txt").write_text("A=4711\nB=18\n", encoding="utf-8")
    refused(capsys, ["reveal", str(folder), "--force"], 1, "this game was already revealed")
    refused(capsys, ["status", str(folder), "--number", "B=19"], 1, "is revealed and its dice are rolled")


@pytest.mark.clause("BR-M14")
def test_the_note_of_its_reveal_by_version_02_still_counts(capsys: Captured) -> None:
    folder = open_game()
    shutil.copy(AGE / "revealed.json", folder)
    note = folder / "revealed.json"
    assert quick_reveal(folder) == 0
    assert not (folder / "game.txt").exists()
    note.write_text(note.read_text(encoding="utf-8").replace('"field": "', '"field": "0'), encoding="utf-8")
    refused(capsys, ["reveal", str(folder), "--force"], 1, "this game was already revealed")
    for text, message in (
        ("{}", "commitment is missing"),
        ("[]", "the file must contain a JSON object"),
        (json.dumps({"commitment": "0" * 32, "field": "0" * 64}), "this note belongs to another game"),
    ):
        (folder / "revealed.json").write_text(text, encoding="utf-8")
        refused(capsys, ["status", str(folder)], 1, f"{folder / 'revealed.json'}: {message}")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("placements.txt", "# Tuesday\n\nA a1 0\n", "line 3: there is no zone 0"),
        ("numbers.txt", "A=1\nA=2\n", "line 2: 'A=2' is not a player's number, or is their second"),
        ("numbers.txt", f"A={MAX_NUMBER + 1}\n", "line 1: 'A=1000000000001' is not a player's number"),
        ("numbers.txt", "A=x\n", "line 1: 'A=x' is not a player's number"),
    ],
)
def test_a_line_of_its_files_that_is_wrong_is_named(name: str, text: str, message: str, capsys: Captured) -> None:
    folder = open_game()
    (folder / name).write_text(text, encoding="utf-8")
    for command in ("status", "reveal"):
        refused(capsys, [command, str(folder)], 1, f"{folder / name}: {message}")
