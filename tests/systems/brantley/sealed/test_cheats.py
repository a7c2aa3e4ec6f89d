"""Two players and a cheat who keeps the closed game: what he bends is refused, or shown by ``verify``."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dealt_games import EIGHT, QUICK, Captured, closed, dealt, first_reveal, quick_reveal, refused, with_turns
from msgspec import convert

from printkit.cli.app import run
from printkit.systems.brantley.dealing.closed_game import ClosedGame, write
from printkit.systems.brantley.dealing.facts import seal_facts

pytestmark = pytest.mark.usefixtures("table", "_bare")

TOLD = ("--number", "A=4711", "--number", "B=17")
SEALED = ("commitment", "record", "deck", "first card", "settings", "numbers", "turns", "dice")
REPLAYED = ("shapes", "replay")


def played(*deal: str, numbers: bool = True) -> tuple[Path, str]:
    """Return the folder of a game in which all cards lie and both numbers are told, and the code of its sheets."""
    folder = with_turns(dealt(*deal))
    if numbers:
        assert run(["status", str(folder), *TOLD, "--quiet"]) == 0
    return folder, closed(folder).commitment


def revealed(*options: str, numbers: bool = True) -> tuple[Path, str]:
    """Return the folder of such a game after its reveal, and the code."""
    folder, code = played(numbers=numbers)
    first_reveal(folder, *options)
    return folder, code


def verified(capsys: Captured, folder: Path, *arguments: str) -> tuple[int, dict[str, str], str]:
    """Return the exit status of ``verify``, what it said of each thing, and its last line."""
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
def test_an_honest_game_is_proven_thing_by_thing_and_without_its_note_too(capsys: Captured) -> None:
    folder, code = revealed()
    status, told, last = verified(capsys, folder, code, *TOLD)
    assert (status, last) == (0, "All correct: the game was played as sealed.")
    assert tuple(told) == (*SEALED, "reveal note", *REPLAYED)
    assert all(line.startswith("correct") for line in told.values())
    assert told["numbers"] == "correct: A 4711, B 17"
    assert told["turns"] == f"correct: {', '.join(EIGHT)}"
    assert run(["verify", str(folder / "closed-game.json"), code, "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    grouped = closed(folder).seal.grouped
    for text in (code, grouped):
        for typed in ([text.upper()], [text[:4], text[4:9], text[9:]], grouped.split()):
            assert verified(capsys, folder, *typed)[0] == 0
    # What a player holds proves it too, without the note.
    (folder / "revealed.json").unlink()
    status, told, _ = verified(capsys, folder, code, *TOLD)
    assert (status, tuple(told)) == (0, (*SEALED, *REPLAYED))


WITHOUT_RECORD = "The cards are still hidden, or map.json is missing. Verify again after the reveal."


def test_a_missing_record_is_not_taken_for_a_cheat(capsys: Captured) -> None:
    folder, code = played()
    for name in ("numbers.txt", "placements.txt"):
        (folder / name).unlink()
    status, told, last = verified(capsys, folder, code, *TOLD)
    assert (status, list(told), last) == (0, ["commitment"], WITHOUT_RECORD)


@pytest.mark.clause("BR-M12", "BR-M15")
def test_before_the_reveal_nothing_is_told_of_what_is_closed(capsys: Captured) -> None:
    folder, code = played()
    status, told, last = verified(capsys, folder, code, *TOLD)
    assert (status, last) == (0, WITHOUT_RECORD)
    game = closed(folder)
    assert told == {
        "commitment": f"correct: the sheet belongs to sealed game {game.seal.game}",
        "numbers": "correct: A 4711, B 17",
    }
    status, told, _ = verified(capsys, folder, "0" * 32)
    assert (status, list(told)) == (1, ["commitment"])
    assert verified(capsys, folder, code, "--number", "B=18")[0] == 1


def test_verify_names_what_it_needs_and_what_is_no_code(capsys: Captured) -> None:
    folder, code = revealed("--out", "elsewhere")
    refused(capsys, ["verify", str(folder), code], 1, "is missing; give its record with --record")
    assert verified(capsys, folder, code, "--record", "elsewhere/map.json", *TOLD)[0] == 0
    no_code = "is not the code of a sheet; type its commitment, 32 digits of 0 to 9 and a to f"
    for arguments, status, message in (
        ([str(folder), code, "--number", "A=x"], 2, "'A=x' is not a player's number"),
        ([str(folder), code, "--number", "A=1", "--number", "A=2"], 1, "may give only one"),
        (["nowhere", code], 1, "contains no sealed game"),
        ([str(folder)], 2, "CODE"),
        ([str(folder), "1234"], 2, "the code must have 32 digits, not 4"),
        ([str(folder), "0" * 33], 2, "the code must have 32 digits, not 33"),
        ([str(folder), ""], 2, "the code must have 32 digits, not 0"),
        ([str(folder), "g" * 32], 2, no_code),
        ([str(folder), "lusab babad"], 2, "'lusab babad' is not the code of a sheet"),
    ):
        refused(capsys, ["verify", *arguments], status, message)


def test_what_was_thrown_and_put_down_by_hand_is_told(capsys: Captured) -> None:
    Path("f.toml").write_text('features = ["z3 turn 0"]', encoding="utf-8")
    folder, code = revealed("--dice", "4 4 5 1", "--scenario", "f.toml", numbers=False)
    status, told, _ = verified(capsys, folder, code)
    assert status == 0
    assert told["settings"] == "correct: placed by hand, not covered by the seal: features"
    assert " by hand: slopes of z2 4, woods on z2 4" in told["dice"]
    assert told["dice"].endswith("the seal does not cover these; ask who saw them")
    assert run(["verify", str(folder), code, "--lang", "es"]) == 0
    assert " a mano: z2: laderas 4, z2: bosque 4" in capsys.readouterr().out.lower()


# --- Bent before the reveal -------------------------------------------------------------------------------------------

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
    folder, code = played()
    part = opened(folder)
    changed = {**part, **ENVELOPE[bent](part)}
    file = folder / "closed-game.json"
    document = json.loads(file.read_text(encoding="utf-8"))
    packed = b64encode(zlib.compress(json.dumps(changed).encode())).decode()
    file.write_text(json.dumps({**document, "closed": [packed]}), encoding="utf-8")
    for command in (["status", str(folder)], ["reveal", str(folder), *QUICK], ["verify", str(folder), code]):
        refused(capsys, command, 1, "commitment does not match the sealed part")
    # He seals it anew, and nobody sees it but who has his own sheet.
    file.write_text(write(convert(changed, ClosedGame), ""), encoding="utf-8")
    assert closed(folder).commitment != code
    assert run(["status", str(folder), "--placements", "none.txt", "--place", "A KS 5", "--quiet"]) in (0, 1)
    status, told, last = verified(capsys, folder, code, *TOLD)
    assert (status, last) == (1, "Wrong: 1 of 1 checks failed.")
    assert told["commitment"].startswith("WRONG: the sheet does not belong to this game")


# --- Bent afterwards --------------------------------------------------------------------------------------------------

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
    record["brantley"].update(json.loads(json.dumps(seal_facts(other), default=str)))


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


def rewritten(name: str, before: str, after: str) -> Callable[[Path], None]:
    """Return a cheat who edits a file beside the game."""

    def edit(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert before in text
        (folder / name).write_text(text.replace(before, after), encoding="utf-8")

    return edit


def rerolled(folder: Path) -> None:
    again = ["map", "--from", str(folder / "map.json"), "--reroll", "hills", "--seed", "3", "--out", "again"]
    assert run([*again, "--to", "geojson", "--quiet"]) == 0
    (again_record,) = Path("again").glob("records/*.json")
    (folder / "map.json").write_bytes(again_record.read_bytes())


BENT: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "setting": (
        edited(lambda record: record["settings"].update({"br-q16": "ford"})),
        "settings",
        "br-q16 choose was sealed; the record has ford",
    ),
    "board": (edited(lambda record: record["board"].update(width_mm=914.4, depth_mm=914.4)), "settings", "the board"),
    "seed": (edited(lambda record: record.update(seed=7)), "dice", "the seal and the numbers give seed"),
    "first": (edited(lambda record: record["brantley"].update(first="B")), "first card", "the record has B"),
    "pack": (edited(swapped), "deck", "QC at position 5 was sealed; the record has 6H"),
    "salt": (edited(lambda record: record["brantley"].update(salt="0" * 32)), "record", "is not what was sealed"),
    "another seal": (edited(resealed), "record", "it is not from this game"),
    "own number": (edited(lambda record: record["brantley"].update(numbers={"A": 9, "B": 17})), "numbers", "gave 4711"),
    "no number": (edited(lambda record: record["brantley"].pop("numbers")), "numbers", "player A gave 4711"),
    "turns": (edited(turned), "turns", "turn 7 is A 7H 1 in the record, but A 7H 7 in the game folder"),
    "die": (edited(die), "replay", "roll"),
    "die by hand": (edited(die_by_hand), "dice", "1 by hand"),
    "shape": (edited(moved), "replay", "does not match the log"),
    "feature taken away": (edited(taken), "replay", "the log gives lake z6, but it is not on the board"),
    "stage": (edited(lambda record: record.update(reseeded={"hills": 3})), "dice", "rolled again after the reveal"),
    "list": (
        edited(lambda record: record["brantley"]["inputs"].update(features=["z3 turn 0"])),
        "reveal note",
        "the list features, number 1 is nothing in the note, but z3 turn 0 in the record",
    ),
    "thrown anew": (rerolled, "record", "it is not from this game"),
    "turns beside": (rewritten("placements.txt", "A 7H 7", "A 7H 9"), "turns", "A 7H 9 in the game folder"),
    "numbers beside": (rewritten("numbers.txt", "B=17", "B=18"), "numbers", "player B gave 18; the game has 17"),
    "note": (rewritten("revealed.json", '"A": 4711', '"A": 9'), "numbers", "player A gave 9; the game has 4711"),
    "note of the dice": (
        rewritten("revealed.json", '"dice": [\n  "', '"dice": [\n  "6'), "reveal note", "the dice, number 1",
    ),
    "field of the note": (
        rewritten("revealed.json", '"field": "', '"field": "0'), "reveal note", "changed after the reveal",
    ),
}  # fmt: skip


@pytest.mark.clause("BR-M13", "BR-M14")
@pytest.mark.parametrize("bent", list(BENT))
def test_what_is_bent_after_the_reveal_is_shown_with_its_note_and_without(bent: str, capsys: Captured) -> None:
    cheat, thing, part = BENT[bent]
    folder, code = revealed()
    cheat(folder)
    status, told, last = verified(capsys, folder, code, *TOLD)
    assert status == 1
    assert told[thing].startswith("WRONG: ")
    assert part in told[thing]
    assert told["commitment"].startswith("correct")
    assert last.startswith("Wrong: ")
    if bent == "turns beside":
        return
    # He takes the note away too. A list that is played is a field otherwise laid; a note alone that is bent, and
    # taken away, bends nothing.
    (folder / "revealed.json").unlink()
    status, told, _ = verified(capsys, folder, code, *TOLD)
    of_the_note = thing == "reveal note" or bent == "note"
    assert status == (0 if of_the_note and bent != "list" else 1), told


@pytest.mark.clause("BR-M13")
@pytest.mark.parametrize(
    ("before", "after", "part"),
    [
        ("B=17", "B=18", "player B gave 17; the game has 18"),
        ("A=4711", "A=4712", "player A gave 4711; the game has 4712"),
        ("B=17\n", "", "player B gave 17; the game has nothing"),
    ],
)
def test_numbers_that_were_changed_before_the_reveal_are_shown(
    before: str, after: str, part: str, capsys: Captured
) -> None:
    folder, code = played()
    rewritten("numbers.txt", before, after)(folder)
    assert quick_reveal(folder) == 0
    status, told, _ = verified(capsys, folder, code, *TOLD)
    assert (status, told["numbers"]) == (1, f"WRONG: {part}")


@pytest.mark.clause("BR-M14")
@pytest.mark.parametrize(
    ("cheat", "options", "message"),
    [
        (None, ["--dice", "6 6 6 6"], "leave out --dice and --ask"),
        (None, ["--scenario", "eight.toml"], "the seed of the dice was sealed"),
        (None, ["--set", "crossing=ford"], "crossing was set to choose at the deal"),
        (rewritten("numbers.txt", "B=17", "B=18"), [], "a sealed game is revealed only once"),
    ],
)
def test_a_reveal_again_with_something_else_is_refused(
    cheat: Callable[[Path], None] | None, options: list[str], message: str, capsys: Captured
) -> None:
    Path("eight.toml").write_text("seed = 8", encoding="utf-8")
    folder, _ = revealed()
    if cheat:
        cheat(folder)
    for way in ((), ("--force",), ("--out", "elsewhere")):
        refused(capsys, ["reveal", str(folder), *QUICK, *options, *way], 1, message)
