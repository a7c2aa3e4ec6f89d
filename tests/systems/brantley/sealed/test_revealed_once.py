"""A sealed game is revealed once: what its note binds, what bends nothing, and that nothing leads around it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from dealt_games import EIGHT, QUICK, Captured, closed, dealt, first_reveal, names, quick_reveal, refused, with_turns

from printkit.cli.app import run
from printkit.console.locks import lock_game
from printkit.core.errors import FileError
from printkit.kit.book import Setting, read_book
from printkit.kit.registry import read_record
from printkit.systems.brantley.dealing.reveal_note import RevealNote, field_fingerprint, read_note, write_note

pytestmark = pytest.mark.usefixtures("table", "_bare")

BOOK = read_book("brantley")
ONCE = "a sealed game is revealed only once"


def revealed(*options: str) -> Path:
    """Return the folder of a game that was revealed."""
    folder = with_turns(dealt())
    first_reveal(folder, *options)
    return folder


def rewrite(path: Path, before: str, after: str) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")


def note_of(folder: Path) -> RevealNote:
    return read_note((folder / "revealed.json").read_text(encoding="utf-8"), "revealed.json")


# --- The note ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-M14")
def test_a_reveal_notes_with_what_it_was() -> None:
    folder = revealed("--dice", "4 4 5 1")
    note, (_, record) = note_of(folder), read_record((folder / "map.json").read_text(encoding="utf-8"))
    game = closed(folder)
    assert (note.game, note.commitment) == (game.seal.game, game.commitment)
    assert (note.turns, dict(note.numbers), dict(note.lists)) == (EIGHT, {}, {})
    assert note.dice[:4] == ("4", "4", "5", "1")
    assert note.settings == {key: text for key, text in game.settings.items() if key != "names"}
    assert note.field == field_fingerprint(record, note.settings)
    assert (folder / "revealed.json").stat().st_mode & 0o077 == 0
    assert read_note(write_note(note), "revealed.json") == note


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "printkit is missing"),
        ('{"printkit": {"revealed": 2}}', "a newer printkit wrote this note"),
        ('{"printkit": {"revealed": 1}, "turns": 7}', "turns = 7 is not valid"),
        ("[]", "must contain a JSON object"),
        ("A KS 5", "not valid JSON"),
    ],
)
def test_what_is_no_note_is_refused(text: str, said: str, capsys: Captured) -> None:
    with pytest.raises(FileError, match=f"{said}.* Use the file as printkit reveal wrote it."):
        read_note(text, "revealed.json")
    folder = with_turns(dealt())
    (folder / "revealed.json").write_text(text, encoding="utf-8")
    refused(capsys, ["reveal", str(folder), *QUICK], 1, f"printkit: {folder / 'revealed.json'}")
    assert not (folder / "map.json").exists()


def test_the_note_of_another_game_or_of_a_field_made_otherwise_is_told_as_that(capsys: Captured) -> None:
    folder = revealed()
    path, whole = folder / "revealed.json", json.loads((folder / "revealed.json").read_text(encoding="utf-8"))
    for part, message in (
        ({"commitment": "0" * 32}, "this note belongs to a different game"),
        ({"field": "0" * 64}, "the same cards and dice, but its battlefield differs"),
    ):
        path.write_text(json.dumps({**whole, **part}), encoding="utf-8")
        refused(capsys, ["reveal", str(folder), *QUICK], 1, message)


def test_a_plan_or_a_reveal_that_cannot_be_put_down_notes_nothing(capsys: Captured) -> None:
    folder = with_turns(dealt())
    before = names(folder)
    assert run(["reveal", str(folder), *QUICK, "--plan"]) == 0
    assert names(folder) == before
    assert "Nothing was printed." in capsys.readouterr().out
    (folder / "other").mkdir()
    for out in ((), ("--out", str(folder / "other"))):
        (Path(out[-1]) if out else folder).joinpath("map.json").write_text("{}", encoding="utf-8")
        refused(capsys, ["reveal", str(folder), *QUICK, *out], 1, "map.json already exists and holds a different game")
        assert not (folder / "revealed.json").exists()


# --- Once -------------------------------------------------------------------------------------------------------------


LOOKS = ["", "--style campaign", "--sheet letter", "--lang es", "--lang en+es", "--to svg", "--hide numbers"]
AS_SEALED = ["--set names=none", "--set crossing=choose", "--scenario seven.toml", "--dice @first.json"]


@pytest.mark.clause("BR-M14")
@pytest.mark.parametrize("options", [*LOOKS, "--set title=Ours", *AS_SEALED])
def test_another_printing_bends_nothing(options: str) -> None:
    folder = revealed()
    Path("first.json").write_bytes((folder / "map.json").read_bytes())
    Path("seven.toml").write_text("seed = 7", encoding="utf-8")
    note = (folder / "revealed.json").read_bytes()
    assert quick_reveal(folder, "--force", *options.split()) == 0
    assert quick_reveal(folder, "--out", "elsewhere", *options.split()) == 0
    assert (folder / "revealed.json").read_bytes() == note
    assert not Path("elsewhere/revealed.json").exists()


OTHERWISE: dict[str, tuple[str, Callable[[Path], object], tuple[str, ...]]] = {
    "turns": (
        "the turns, number 7: A 7H 7, not A 7H 9",
        lambda folder: rewrite(folder / "placements.txt", "A 7H 7", "A 7H 9"),
        (),
    ),
    "number": (
        "the number of player A: nothing, not 1",
        lambda folder: (folder / "numbers.txt").write_text("A=1\n", encoding="utf-8"),
        (),
    ),
    "dice": ("the dice, number 1: 4, not 5", lambda _: None, ("--dice", "5 4 5 1")),
    "list": (
        "the list features, number 1: nothing, not z3 turn 0",
        lambda _: Path("f.toml").write_text('features = ["z3 turn 0"]', encoding="utf-8"),
        ("--scenario", "f.toml"),
    ),
}


@pytest.mark.clause("BR-M14", "BR-M13")
@pytest.mark.parametrize("way", [(), ("--force",), ("--out", "elsewhere"), ("--plan",)], ids=" ".join)
@pytest.mark.parametrize("changed", list(OTHERWISE))
def test_a_second_reveal_with_something_else_is_refused(changed: str, way: tuple[str, ...], capsys: Captured) -> None:
    message, change, options = OTHERWISE[changed]
    dice = () if changed == "number" else ("--dice", "4 4 5 1")
    folder = revealed(*dice)
    change(folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    asked = options if changed == "dice" else (*dice, *options)
    refused(capsys, ["reveal", str(folder), *QUICK, *asked, *way], 1, message, ONCE, "revealed.json")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert not Path("elsewhere").exists()


def test_the_place_of_the_first_reveal_does_not_matter(capsys: Captured) -> None:
    folder = revealed("--dice", "4 4 5 1", "--out", "elsewhere/field.pdf")
    assert (folder / "revealed.json").exists()
    assert names(Path("elsewhere")) == ["field-reveal.pdf", "field.json", "field.pdf"]
    refused(capsys, ["reveal", str(folder), *QUICK, "--dice", "5 4 5 1"], 1, "the dice, number 1: 4, not 5", ONCE)


def test_of_two_reveals_at_one_time_one_is_refused() -> None:
    folder = with_turns(dealt())
    command = ["reveal", str(folder), *QUICK, "--force"]
    with lock_game(folder / "closed-game.json"):
        both = [
            subprocess.Popen(
                [sys.executable, "-m", "printkit", *command, "--dice", f"{first} 4 5 1"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            for first in (4, 5)
        ]
        waits: list[str] = []
        for each in both:
            assert each.stderr is not None
            waits.append(each.stderr.readline())
    said = [each.communicate()[1] for each in both]
    assert all("waiting for another printkit" in line for line in waits), (waits, said)
    assert sorted(each.returncode for each in both) == [0, 1]
    assert sum(ONCE in line for line in said) == 1
    first = json.loads((folder / "map.json").read_text(encoding="utf-8"))
    assert [throw["answer"] for throw in first["log"] if throw["asked"] == "d6"] == list(note_of(folder).dice)


# --- What the seal binds ----------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-M14", "BR-M13")
@pytest.mark.parametrize("setting", BOOK.settings, ids=lambda setting: setting.key)
def test_no_setting_of_the_rules_is_another_at_the_reveal(setting: Setting, capsys: Captured) -> None:
    folder = with_turns(dealt())
    other = setting.least if setting.open else next(each for each in setting.values if each != setting.default)
    kept = f"{setting.name} was set to {closed(folder).settings[setting.key]} at the deal"
    refused(capsys, ["reveal", str(folder), "--set", f"{setting.key}={other}", "--plan"], 1, kept)


@pytest.mark.clause("BR-M13")
def test_lists_that_were_sealed_stay_as_they_are(capsys: Captured) -> None:
    Path("ours.toml").write_text('features = ["z3 turn 0"]', encoding="utf-8")
    Path("other.toml").write_text('features = ["z3 turn 90"]', encoding="utf-8")
    folder = with_turns(dealt("--scenario", "ours.toml"))
    before = names(folder)
    message = "features cannot change after the deal"
    refused(capsys, ["reveal", str(folder), "--scenario", "other.toml"], 1, message)
    assert names(folder) == before
    assert quick_reveal(folder, "--scenario", "ours.toml") == 0
    assert note_of(folder).lists == {"features": ("z3 turn 0",)}


@pytest.mark.clause("BR-M13")
def test_a_log_has_the_dice_that_the_deal_has_sealed(capsys: Captured) -> None:
    folder = with_turns(dealt(deck="KS 7H 9C 2D QC 3S 10H JS 5C 4 4 5 1", seed="7"))
    assert quick_reveal(folder) == 0
    log = json.loads((folder / "map.json").read_text(encoding="utf-8"))
    (folder / "revealed.json").unlink()
    first = next(throw for throw in log["log"] if throw["stage"] == "hills")
    first["answer"] = "6"
    Path("bent.json").write_text(json.dumps(log), encoding="utf-8")
    command = ["reveal", str(folder), *QUICK, "--dice", "@bent.json", "--force"]
    refused(capsys, command, 1, "the sealed dice are 4 4 5 1")
