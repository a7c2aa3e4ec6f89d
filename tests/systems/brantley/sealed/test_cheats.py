"""Two players and a cheat who keeps the sealed game: what they change is refused, or shown by ``verify``."""

from __future__ import annotations

import json
import shlex
import shutil
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dealt_games import (
    EIGHT,
    QUICK,
    Captured,
    closed,
    code_of_line,
    dealt,
    first_reveal,
    quick_reveal,
    refused,
    with_turns,
)
from msgspec import convert

from printkit.cli.app import run
from printkit.systems.brantley.dealing.closed_game import ClosedGame, write
from printkit.systems.brantley.dealing.journal import Journal
from printkit.systems.brantley.dealing.progress import Progress, seal_facts
from printkit.systems.brantley.sheets.game_folder import read_progress, save_progress

pytestmark = pytest.mark.usefixtures("table", "_bare")

NUMBER = "416235"
ROWS = ("deal", "chain", "turns", "number", "dice", "map")


def played(*deal: str, number: str = NUMBER) -> tuple[Path, list[str]]:
    """Return the folder of a game with all cards and the number, and what player B kept, as ``verify`` takes it."""
    folder = with_turns(dealt(*deal), number=number)
    kept = [closed(folder).commitment, "--code", code_of_line(folder)]
    return folder, [*kept, *(["--number", f"B={number}"] if number else [])]


def revealed(*options: str, number: str = NUMBER) -> tuple[Path, list[str]]:
    """Return the folder of such a game after its reveal, and what player B kept."""
    folder, kept = played(number=number)
    first_reveal(folder, *options)
    return folder, kept


def verified(capsys: Captured, folder: Path, *arguments: str) -> tuple[int, dict[str, str], str]:
    """Return the exit status of ``verify``, what it said in each row, and its last line."""
    capsys.readouterr()
    status = run(["verify", str(folder), *arguments, "--lang", "en"])
    said, beside = capsys.readouterr()
    assert beside == ""
    *lines, last = said.splitlines()
    return status, dict(line.split(": ", 1) for line in lines), last


def opened(folder: Path) -> dict[str, Any]:
    packed = "".join(json.loads((folder / "closed-game.json").read_text(encoding="utf-8"))["closed"])
    found: dict[str, Any] = json.loads(zlib.decompress(b64decode(packed)))
    return found


# --- An honest game ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-M13", "BR-M14")
def test_an_honest_game_is_proven_row_by_row_and_without_its_journal_too(capsys: Captured) -> None:
    folder, kept = revealed()
    status, told, last = verified(capsys, folder, *kept)
    assert (status, last) == (0, "All is proven: the game was played as sealed.")
    assert tuple(told) == ROWS
    assert all(line.startswith("correct") for line in told.values())
    assert told["number"] == f"correct: B {NUMBER}"
    assert told["turns"] == f"correct: {', '.join(EIGHT)}"
    assert run(["verify", str(folder / "closed-game.json"), *kept, "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    code, grouped = kept[0], closed(folder).seal.grouped_commitment
    for text in (code, grouped):
        for typed in ([text.upper()], [text[:4], text[4:9], text[9:]], grouped.split()):
            assert verified(capsys, folder, *typed, *kept[1:])[2] == last
    # Player B has the record and the sealed game, and needs no other file.
    (folder / "game.txt").unlink()
    assert verified(capsys, folder, *kept)[2] == last


@pytest.mark.clause("BR-M13", "BR-M14")
def test_the_practice_game_of_the_page_about_sealed_games_is_proven(capsys: Captured) -> None:
    page = (Path(__file__).parents[4] / "docs" / "guide" / "sealed-game.md").read_text(encoding="utf-8")
    lines = page.split("```")[1].strip().splitlines()
    assert [line.split()[1] for line in lines] == ["deal", *["status"] * 4, "reveal", "verify"]
    for line in lines:
        capsys.readouterr()
        assert run([*shlex.split(line)[1:], "--lang", "en"]) == 0, line
    *rows, last = capsys.readouterr().out.splitlines()
    assert [row.split(": ")[1] for row in rows] == ["correct"] * 6
    assert last == "All is proven: the game was played as sealed."
    assert {path.name for path in Path("game").glob("*/*")} > {"game.txt", "proof.html", "map.json", "reveal.pdf"}


@pytest.mark.clause("BR-M13")
def test_what_is_missing_is_not_called_proven(capsys: Captured) -> None:
    folder, kept = revealed()
    commitment, code, number = kept[:1], kept[1:3], kept[3:]
    last = "Nothing is wrong, but {} of 6 checks are not proven."
    for given, rows in (
        ((*commitment, *number), ["turns"]),
        ((*commitment, *code), ["number"]),
        (commitment, ["turns", "number"]),
        ((*commitment, *number, "--code", code_of_line(folder, 7)), ["turns"]),
    ):
        status, told, said = verified(capsys, folder, *given)
        assert (status, said) == (0, last.format(len(rows)))
        assert [row for row, line in told.items() if line.startswith("not proven: ")] == rows
    assert told["turns"] == "not proven: your codes prove the game only up to line 7 of 8"
    shutil.rmtree(folder)
    folder, kept = revealed(number="")
    status, told, said = verified(capsys, folder, *kept)
    assert (status, said) == (0, last.format(2))
    assert told["number"] == "not proven: player B gave no number"
    assert told["dice"] == "not proven: without player B's number, the keeper could know them"


WITHOUT_RECORD = "The cards are still hidden, or the record is missing. Verify again after the reveal."


@pytest.mark.clause("BR-M12", "BR-M15")
def test_before_the_reveal_nothing_is_told_of_what_is_hidden(capsys: Captured) -> None:
    folder, kept = played()
    status, told, last = verified(capsys, folder, *kept)
    assert (status, last) == (0, WITHOUT_RECORD)
    assert tuple(told) == ROWS[:4]
    assert told["deal"] == f"correct: the sheet belongs to sealed game {closed(folder).seal.game}"
    status, told, _ = verified(capsys, folder, "0" * 32)
    assert (status, list(told)) == (1, ["deal"])
    assert verified(capsys, folder, kept[0], "--number", "B=999999")[0] == 1


def test_verify_names_what_it_needs_and_what_is_no_code(capsys: Captured) -> None:
    folder, kept = revealed("--out", "elsewhere")
    code = kept[0]
    refused(capsys, ["verify", str(folder), code], 1, "is missing; give its record with --record")
    assert verified(capsys, folder, *kept, "--record", "elsewhere/map.json")[0] == 0
    no_code = "is not the code of a sheet; type its commitment, 32 digits of 0 to 9 and a to f"
    for arguments, status, message in (
        ([str(folder), code, "--number", "B=x"], 2, "'B=x' is not player B's number"),
        ([str(folder), code, "--code", "8=x"], 2, "'8=x' is not the code of a line"),
        (["nowhere", code], 1, "contains no sealed game"),
        ([str(folder)], 2, "CODE"),
        ([str(folder), "1234"], 2, "the code must have 32 digits, not 4"),
        ([str(folder), "0" * 33], 2, "the code must have 32 digits, not 33"),
        ([str(folder), ""], 2, "the code must have 32 digits, not 0"),
        ([str(folder), "g" * 32], 2, no_code),
        ([str(folder), "lusab babad"], 2, "'lusab babad' is not the code of a sheet"),
    ):
        refused(capsys, ["verify", *arguments], status, message)


def test_what_was_rolled_and_placed_by_hand_is_not_proven(capsys: Captured) -> None:
    Path("f.toml").write_text('features = ["z3 turn 0"]', encoding="utf-8")
    folder, kept = revealed("--dice", "4 4 5 1", "--scenario", "f.toml", number="")
    status, told, last = verified(capsys, folder, *kept)
    assert (status, last) == (0, "Nothing is wrong, but 3 of 6 checks are not proven.")
    assert told["map"] == "not proven: placed by hand, not covered by the seal: features"
    assert " by hand: slopes of z2 4, woods on z2 4" in told["dice"]
    assert told["dice"].endswith("; ask who saw them")
    assert run(["verify", str(folder), *kept, "--lang", "es"]) == 0
    assert " a mano: z2: laderas 4, z2: bosque 4" in capsys.readouterr().out.lower()


# --- Changed before the reveal ----------------------------------------------------------------------------------------

ENVELOPE: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "settings": lambda part: {"settings": {**part["settings"], "br-q16": "ford"}},
    "names of settings": lambda part: {"settings": {**part["settings"], "names": "none"}},
    "seed": lambda _: {"seed": 8},
    "first": lambda _: {"first": "B"},
    "pack": lambda part: {"pack": [*part["pack"][:8], part["pack"][9], part["pack"][8], *part["pack"][10:]]},
    "salt": lambda _: {"salt": "0" * 32},
    "board": lambda _: {"board": "36in"},
    "dice": lambda _: {"dice": ["6", "6"]},
    "lists": lambda _: {"inputs": {"features": ["z3 turn 0"]}},
}


@pytest.mark.clause("BR-M13")
@pytest.mark.parametrize("bent", list(ENVELOPE))
def test_an_envelope_that_was_opened_and_bent_is_found(bent: str, capsys: Captured) -> None:
    folder, kept = played()
    part = opened(folder)
    changed = {**part, **ENVELOPE[bent](part)}
    file = folder / "closed-game.json"
    document = json.loads(file.read_text(encoding="utf-8"))
    packed = b64encode(zlib.compress(json.dumps(changed).encode())).decode()
    file.write_text(json.dumps({**document, "closed": [packed]}), encoding="utf-8")
    for command in (["status", str(folder)], ["reveal", str(folder), *QUICK], ["verify", str(folder), *kept]):
        refused(capsys, command, 1, "commitment does not match the sealed part")
    # They seal it anew, and nobody sees it but who has their own sheet.
    file.write_text(write(convert(changed, ClosedGame), ""), encoding="utf-8")
    assert closed(folder).commitment != kept[0]
    status, told, last = verified(capsys, folder, *kept)
    assert (status, last) == (1, "Wrong: 1 of 1 checks failed.")
    assert told["deal"].startswith("WRONG: the sheet does not belong to this game")


def swap_cards(folder: Path) -> None:
    """Place the keeper's own cards anew at the end, in the same zones and turns, with a new journal."""
    file = folder / "closed-game.json"
    (folder / "game.txt").unlink(missing_ok=True)
    swapped = ("A 7H 5", *EIGHT[1:6], "A KS 7", EIGHT[7])
    save_progress(file, read_progress(file).add(swapped, [f"B={NUMBER}"]))


def other_number(folder: Path) -> None:
    file = folder / "closed-game.json"
    (folder / "game.txt").unlink(missing_ok=True)
    save_progress(file, read_progress(file).add(EIGHT, ["B=999999"]))


def take_back(folder: Path) -> None:
    """Take back a card without a word, place it elsewhere, and let the journal show it."""
    file = folder / "closed-game.json"
    (folder / "game.txt").unlink(missing_ok=True)
    turns = (*EIGHT[:7], "B 10H 9", "back 8", EIGHT[7])
    save_progress(file, read_progress(file).add(turns, [f"B={NUMBER}"]))


@pytest.mark.clause("BR-M13")
@pytest.mark.parametrize(
    ("cheat", "row", "part"),
    [
        (swap_cards, "turns", "a card up to this line was changed"),
        (other_number, "number", f"player B gave {NUMBER}; the game has 999999"),
        (take_back, "turns", "line 8 has the code"),
    ],
)
def test_a_journal_that_was_made_anew_before_the_reveal_is_wrong(
    cheat: Callable[[Path], None], row: str, part: str, capsys: Captured
) -> None:
    folder, kept = played()
    cheat(folder)
    assert quick_reveal(folder) == 0
    status, told, _ = verified(capsys, folder, *kept)
    assert status == 1
    assert told[row].startswith("WRONG: ")
    assert part in told[row]


@pytest.mark.clause("BR-M13")
def test_a_game_that_the_keeper_calls_an_old_one_is_another_game(capsys: Captured) -> None:
    folder, kept = revealed()
    file = folder / "closed-game.json"
    file.write_text(write(convert({**opened(folder), "journal": 0}, ClosedGame), ""), encoding="utf-8")
    (folder / "game.txt").unlink()
    assert verified(capsys, folder, *kept)[1]["deal"].startswith("WRONG: ")


# --- Changed after the reveal -----------------------------------------------------------------------------------------

Record = dict[str, Any]


def edited(change: Callable[[Record], None]) -> Callable[[Path], None]:
    """Return a cheat who edits the record."""

    def edit(folder: Path) -> None:
        path = folder / "map.json"
        record = json.loads(path.read_text(encoding="utf-8"))
        change(record)
        path.write_text(json.dumps(record), encoding="utf-8")

    return edit


def swapped(record: Record) -> None:
    """Give B's queen for a six, everywhere in the record."""
    text = json.dumps(record["brantley"] | {"log": record["log"]})
    bent = json.loads(text.replace("QC", "??").replace("6H", "QC").replace("??", "6H"))
    record["log"] = bent.pop("log")
    record["brantley"] = {**bent, "sealed": record["brantley"]["sealed"]}


def resealed(record: Record) -> None:
    """Put another closed game with its own commitment into the record."""
    other = convert({**record["brantley"]["sealed"], "salt": "0" * 32}, ClosedGame)
    facts = seal_facts(Progress(game=other, journal=Journal(other.commitment)))
    record["brantley"].update(json.loads(json.dumps(facts, default=str)))


def turned(record: Record) -> None:
    lines = record["brantley"]["inputs"]["placements"]
    lines[6], lines[7] = "A 7H 1", "B 10H 7"


def die(record: Record) -> None:
    throw = next(throw for throw in record["log"] if throw["stage"] == "hills")
    throw["answer"] = "6" if throw["answer"] != "6" else "1"


def die_by_hand(record: Record) -> None:
    die(record)
    next(throw for throw in record["log"] if throw["stage"] == "hills")["seeded"] = False


def moved(record: Record) -> None:
    shape = record["features"][0]["geometry"]["coordinates"][0]
    record["features"][0]["geometry"]["coordinates"][0] = [[x + 5.0, y] for x, y in shape]


def taken(record: Record) -> None:
    record["features"] = [each for each in record["features"] if each.get("id") != "z6"]


def edited_journal(before: str, after: str) -> Callable[[Path], None]:
    """Return a cheat who edits the journal next to the game."""

    def edit(folder: Path) -> None:
        text = (folder / "game.txt").read_text(encoding="utf-8")
        assert before in text
        (folder / "game.txt").write_text(text.replace(before, after), encoding="utf-8")

    return edit


def rerolled(folder: Path) -> None:
    again = ["map", "--from", str(folder / "map.json"), "--reroll", "hills", "--seed", "3", "--out", "again"]
    assert run([*again, "--to", "geojson", "--quiet"]) == 0
    (again_record,) = Path("again").glob("records/*.json")
    (folder / "map.json").write_bytes(again_record.read_bytes())


CHANGED: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "setting": (
        edited(lambda record: record["settings"].update({"br-q16": "ford"})),
        "map",
        "br-q16 choose was sealed; the record has ford",
    ),
    "board": (edited(lambda record: record["board"].update(width_mm=914.4, depth_mm=914.4)), "map", "the board"),
    "seed": (edited(lambda record: record.update(seed=7)), "dice", "the sealed game gives seed"),
    "first": (edited(lambda record: record["brantley"].update(first="B")), "deal", "the record has B"),
    "pack": (edited(swapped), "deal", "QC at position 5 was sealed; the record has 6H"),
    "salt": (edited(lambda record: record["brantley"].update(salt="0" * 32)), "deal", "is not what was sealed"),
    "another seal": (edited(resealed), "deal", "the record is not from this game"),
    "number": (
        edited(lambda record: record["brantley"]["journal"].__setitem__(8, "number B 999999")),
        "number",
        f"player B gave {NUMBER}; the game has 999999",
    ),
    "no number": (edited(lambda record: record["brantley"]["journal"].pop()), "number", f"player B gave {NUMBER}"),
    "no journal": (edited(lambda record: record["brantley"].pop("journal")), "turns", "other turns than the game"),
    "a turn in the journal": (
        edited(lambda record: record["brantley"]["journal"].pop(0)),
        "chain",
        "line 1: B places a card, but it is A's turn",
    ),
    "turns": (edited(turned), "turns", "the record has other turns than the game"),
    "die": (edited(die), "map", "roll"),
    "die by hand": (edited(die_by_hand), "dice", "1 by hand"),
    "shape": (edited(moved), "map", "does not match the log"),
    "feature taken away": (edited(taken), "map", "the log gives lake z6, but it is not on the board"),
    "overlay taken away": (edited(lambda record: record["overlays"].pop()), "map", "deployment"),
    "stage": (edited(lambda record: record.update(reseeded={"hills": 3})), "dice", "rolled again after the reveal"),
    "list": (
        edited(lambda record: record["brantley"]["inputs"].update(features=["z3 turn 0"])),
        "chain",
        "the record was changed after the reveal",
    ),
    "rolled again": (rerolled, "deal", "the record is not from this game"),
    "turns beside": (edited_journal("A a2 7", "A a2 9"), "chain", "line 7: its code does not follow"),
    "number beside": (edited_journal(NUMBER, "999999"), "chain", "line 9: its code does not follow"),
    "a line gone": (edited_journal("2 B b1 6 ", "3 B b1 6 "), "chain", "line 2: its code does not follow"),
    "fingerprint": (edited_journal("revealed ", "revealed 0"), "chain", "line 10: "),
}


@pytest.mark.clause("BR-M13", "BR-M14")
@pytest.mark.parametrize("changed", list(CHANGED))
def test_what_is_changed_after_the_reveal_is_shown_with_the_journal_and_without(changed: str, capsys: Captured) -> None:
    cheat, row, part = CHANGED[changed]
    folder, kept = revealed()
    cheat(folder)
    status, told, last = verified(capsys, folder, *kept)
    assert status == 1
    assert told[row].startswith("WRONG: "), told
    assert part in told[row]
    assert last.startswith("Wrong: ")
    # They take the journal away too: then only what it had is missing, because the record has the rest.
    (folder / "game.txt").unlink()
    beside = {"turns beside", "number beside", "a line gone", "fingerprint"}
    assert verified(capsys, folder, *kept)[0] == (0 if changed in beside else 1)


@pytest.mark.clause("BR-M14")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--dice", "6 6 6 6"], "leave out --dice and --ask"),
        (["--scenario", "eight.toml"], "the seed of the dice was sealed"),
        (["--scenario", "turns.toml"], "the cards were placed with printkit status; leave out placements"),
        (["--set", "crossing=ford"], "crossing was set to choose at the deal"),
    ],
)
def test_a_reveal_again_with_something_else_is_refused(options: list[str], message: str, capsys: Captured) -> None:
    Path("eight.toml").write_text("seed = 8", encoding="utf-8")
    Path("turns.toml").write_text('placements = ["A KS 5"]', encoding="utf-8")
    folder, _ = revealed()
    for way in ((), ("--force",), ("--out", "elsewhere")):
        refused(capsys, ["reveal", str(folder), *QUICK, *options, *way], 1, message)
