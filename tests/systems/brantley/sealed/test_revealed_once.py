"""A sealed game is revealed once: what its journal binds, and that another printing changes nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from dealt_games import QUICK, Captured, closed, dealt, first_reveal, names, quick_reveal, refused, with_turns

from printkit.cli.app import run
from printkit.console.locks import lock_game
from printkit.kit.book import Setting, read_book
from printkit.kit.registry import read_record
from printkit.systems.brantley.dealing.progress import field_fingerprint
from printkit.systems.brantley.sheets.game_folder import read_progress

pytestmark = pytest.mark.usefixtures("table", "_bare")

BOOK = read_book("brantley")
ONCE = "a sealed game is revealed only once"


def revealed(*options: str) -> Path:
    """Return the folder of a game that was revealed."""
    folder = with_turns(dealt())
    first_reveal(folder, *options)
    return folder


def fingerprint_of(folder: Path) -> str:
    return read_progress(folder / "closed-game.json").reveal_fingerprint


# --- The line of the reveal -------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-M14")
def test_a_reveal_adds_the_fingerprint_of_its_battlefield_to_the_journal() -> None:
    folder = revealed("--dice", "4 4 5 1")
    _, record = read_record((folder / "map.json").read_text(encoding="utf-8"))
    line = (folder / "game.txt").read_text(encoding="utf-8").splitlines()[-1]
    assert line.split()[:3] == ["9", "revealed", field_fingerprint(record, closed(folder))]
    assert (folder / "game.txt").stat().st_mode & 0o077 == 0


def test_a_plan_or_a_reveal_that_cannot_be_written_leaves_the_journal_as_it_was(capsys: Captured) -> None:
    folder = with_turns(dealt())
    before, journal = names(folder), (folder / "game.txt").read_bytes()
    assert run(["reveal", str(folder), *QUICK, "--plan"]) == 0
    assert names(folder) == before
    assert "Nothing was printed." in capsys.readouterr().out
    (folder / "other").mkdir()
    for out in ((), ("--out", str(folder / "other"))):
        (Path(out[-1]) if out else folder).joinpath("map.json").write_text("{}", encoding="utf-8")
        refused(capsys, ["reveal", str(folder), *QUICK, *out], 1, "map.json already exists and holds a different game")
        assert (folder / "game.txt").read_bytes() == journal


# --- Once -------------------------------------------------------------------------------------------------------------


LOOKS = ["", "--style campaign", "--sheet letter", "--lang es", "--lang en+es", "--to svg", "--hide numbers"]
AS_SEALED = ["--set names=none", "--set crossing=choose", "--scenario seven.toml", "--dice @first.json"]


@pytest.mark.clause("BR-M14")
@pytest.mark.parametrize("options", [*LOOKS, "--set title=Ours", *AS_SEALED])
def test_another_printing_bends_nothing(options: str) -> None:
    folder = revealed()
    Path("first.json").write_bytes((folder / "map.json").read_bytes())
    Path("seven.toml").write_text("seed = 7", encoding="utf-8")
    journal = (folder / "game.txt").read_bytes()
    assert quick_reveal(folder, "--force", *options.split()) == 0
    assert quick_reveal(folder, "--out", "elsewhere", *options.split()) == 0
    assert (folder / "game.txt").read_bytes() == journal
    assert not Path("elsewhere/game.txt").exists()


OTHERWISE: dict[str, tuple[str, ...]] = {
    "dice": ("--dice", "5 4 5 1"),
    "no dice": (),
    "list": ("--dice", "4 4 5 1", "--scenario", "f.toml"),
}


@pytest.mark.clause("BR-M14", "BR-M13")
@pytest.mark.parametrize("way", [(), ("--force",), ("--out", "elsewhere"), ("--plan",)], ids=" ".join)
@pytest.mark.parametrize("changed", list(OTHERWISE))
def test_a_second_reveal_with_something_else_is_refused(changed: str, way: tuple[str, ...], capsys: Captured) -> None:
    Path("f.toml").write_text('features = ["z3 turn 0"]', encoding="utf-8")
    folder = revealed("--dice", "4 4 5 1")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    refused(capsys, ["reveal", str(folder), *QUICK, *OTHERWISE[changed], *way], 1, ONCE, "game.txt")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert not Path("elsewhere").exists()


def test_the_place_of_the_first_reveal_does_not_matter(capsys: Captured) -> None:
    folder = revealed("--dice", "4 4 5 1", "--out", "elsewhere/field.pdf")
    assert fingerprint_of(folder)
    assert "field.json" in names(Path("elsewhere"))
    refused(capsys, ["reveal", str(folder), *QUICK, "--dice", "5 4 5 1"], 1, ONCE)


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
    _, record = read_record((folder / "map.json").read_text(encoding="utf-8"))
    assert fingerprint_of(folder) == field_fingerprint(record, closed(folder))


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
    record = json.loads((folder / "map.json").read_text(encoding="utf-8"))
    assert record["brantley"]["inputs"]["features"] == ["z3 turn 0"]


@pytest.mark.clause("BR-M13")
def test_a_log_has_the_dice_that_the_deal_has_sealed(capsys: Captured) -> None:
    folder = with_turns(dealt(deck="KS 7H 9C 2D QC 3S 10H JS 5C 4 4 5 1", seed="7"))
    assert quick_reveal(folder) == 0
    log = json.loads((folder / "map.json").read_text(encoding="utf-8"))
    first = next(throw for throw in log["log"] if throw["stage"] == "hills")
    first["answer"] = "6"
    Path("bent.json").write_text(json.dumps(log), encoding="utf-8")
    command = ["reveal", str(folder), *QUICK, "--dice", "@bent.json", "--force"]
    refused(capsys, command, 1, "the sealed dice are 4 4 5 1")
