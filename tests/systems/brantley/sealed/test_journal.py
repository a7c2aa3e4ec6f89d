"""The journal of a sealed game: what may come when, its codes, its file, and who can compute what on which day."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest
from dealt_games import EIGHT, Captured, closed, code_of_line, dealt, names, quick_reveal, refused, with_turns
from msgspec.structs import replace
from reading import texts
from telling_words import told

from printkit.cli.app import run
from printkit.core.errors import ScenarioError, UsageError
from printkit.core.words import Words
from printkit.export.pdf import data
from printkit.kit.book import read_book
from printkit.kit.registry import read_record
from printkit.options.printing import PrintOptions
from printkit.recipes.game.roll_text import ThrowText
from printkit.recipes.output.printers import print_context
from printkit.systems.brantley.dealing.closed_game import ClosedGame
from printkit.systems.brantley.dealing.facts import facts_of
from printkit.systems.brantley.dealing.journal import (
    MAX_LINES,
    Journal,
    add_line,
    build_journal,
    dice_seed,
    journal_turns,
    parse_codes,
    parse_number,
    read_journal,
    write_journal,
)
from printkit.systems.brantley.dealing.progress import recorded_progress
from printkit.systems.brantley.judge.judge import judge
from printkit.systems.brantley.sheets.dealing import reveal_sheet
from printkit.systems.brantley.sheets.game_folder import read_progress, save_progress
from printkit.terrain.field.record import Record

pytestmark = pytest.mark.usefixtures("table")

BOOK = read_book("brantley")
SLOTS = ("A a1 5", "B b1 6", "A a3 4", "B b4 2", "A a4 8", "B b2 3", "A a2 7", "B b3 1")
"""The turns of ``EIGHT`` as a journal has them: without the cards."""

NUMBER = "416235"


TO_AND_FRO = tuple(line for place in range(1, MAX_LINES, 2) for line in ("A a1 1", f"back {place}"))
"""A card that is placed and taken back again and again, as often as a journal allows."""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> ClosedGame:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("deal"))
        return closed(dealt())


def played(game: ClosedGame, number: str = NUMBER, turns: tuple[str, ...] = EIGHT) -> Journal:
    return build_journal(game, (*turns, *([f"number B {number}"] if number else ())))


# --- Lines and codes --------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-M13", "BR-M12")
def test_a_line_tells_no_card_and_its_code_is_of_salt_code_before_line_and_card(game: ClosedGame) -> None:
    journal = played(game)
    assert tuple(journal.turns.values()) == SLOTS
    assert journal.number == int(NUMBER)
    assert not told(write_journal(journal))
    before = game.commitment
    cards = [turn.split()[1] for turn in EIGHT]
    for line, card in zip(journal.lines, [*cards, ""], strict=True):
        whole = hashlib.sha256(f"turn|{game.salt}|{before}|{line.text}|{card}".encode()).hexdigest()
        assert line.code == whole[:12]
        before = line.code
    assert [turn.zone for turn in journal_turns(game, journal)] == [int(turn[-1]) for turn in EIGHT]
    # Without the salt a code says nothing: another salt gives another code for the same card.
    others = {played(replace(game, salt=f"{salt:032x}"), "").last_code for salt in range(50)}
    assert len(others) == 50


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        (EIGHT[:1], "A a2 4", "line 2: A places a card, but it is B's turn (BR-X04)"),
        (EIGHT[:1], "B b2 5", "line 2: zone 5 was taken in turn 1 (BR-X02)"),
        (EIGHT[:2], "A a1 9", "line 3: A has no A1 in hand, or has already placed it (BR-X03)"),
        ((), "A a5 9", "line 1: a hand has no card a5"),
        ((), "A a1 10", "line 1: there is no zone 10"),
        ((), "A a1", "line 1 is 'A a1'; write player, card and zone"),
        (EIGHT, "A a1 9", "line 9: all 8 cards are placed; only player B's number can come now (BR-X05)"),
        (EIGHT[:7], "number B 416235", "line 8: player B gives the number when all 8 cards are placed; 7 are placed"),
        (EIGHT[:2], "number A 416235", "line 3 is 'number A 416235'; write player, card and zone"),
        (EIGHT, "number B 41623", "line 9: all 8 cards are placed"),
        ((*EIGHT, "number B 416235"), "number B 416236", "line 10: player B has given the number for the dice"),
        ((*EIGHT, "number B 416235"), "back 8", "line 10: player B has given the number for the dice"),
        ((*EIGHT, "number B 416235", f"revealed {'0' * 32}"), "number B 999999", "line 11: the game is revealed"),
        ((*EIGHT, f"revealed {'0' * 32}"), "back 8", "line 10: the game is revealed"),
        (EIGHT[:2], "back 3", "line 3: line 3 of the game is not a card on the board"),
        ((*EIGHT[:2], "back 2"), "back 2", "line 4: line 2 of the game is not a card on the board"),
        (TO_AND_FRO, "A a1 1", f"a game has at most {MAX_LINES} lines"),
    ],
)  # fmt: skip
@pytest.mark.clause("BR-M13", "BR-X01", "BR-X02", "BR-X03", "BR-X04", "BR-X05")
def test_a_line_that_cannot_come_now_is_refused(
    game: ClosedGame, lines: tuple[str, ...], line: str, message: str
) -> None:
    journal = build_journal(game, lines)
    with pytest.raises(ScenarioError) as refusal:
        add_line(game, journal, line)
    assert message in str(refusal.value)


def test_cards_are_taken_back_with_those_after_them_and_nothing_is_deleted(game: ClosedGame) -> None:
    journal = build_journal(game, (*EIGHT, "back 7"))
    assert [*journal.turns] == [1, 2, 3, 4, 5, 6]
    journal = build_journal(game, (*EIGHT, "back 7", "A a2 9", "B b3 1", f"number B {NUMBER}"))
    assert [*journal.turns] == [1, 2, 3, 4, 5, 6, 10, 11]
    assert len(journal.lines) == 12
    assert dice_seed(game, journal) != dice_seed(game, played(game))


# --- What is typed ----------------------------------------------------------------------------------------------------


def test_numbers_and_codes_are_read_as_a_person_types_them() -> None:
    assert [parse_number(text) for text in ("B=416235", " b = 100000 ", "B=999999999999")] == [
        416235,
        100000,
        999_999_999_999,
    ]
    assert parse_codes(["8=91be5c20aa07", " 7 = 91BE 5c20-aa07"]) == {8: "91be5c20aa07", 7: "91be5c20aa07"}


@pytest.mark.clause("BR-M13")
@pytest.mark.parametrize("text", ["A=416235", "B=41623", "B=016235", "B=1000000000000", "416235", "B=", "B=٤١٦٢٣٥", ""])
def test_what_is_no_number_of_six_digits_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not player B's number; write for example B=416235, with 6 to 12 digits"):
        parse_number(text)


@pytest.mark.parametrize(
    "text", ["91be5c20aa07", "8=91be5c20aa0", "8=91be5c20aa0g", "8=91be5c20aa077", "x=91be5c20aa07"]
)
def test_what_is_no_code_of_a_line_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not the code of a line; write for example 8=91be5c20aa07, with 12 digits"):
        parse_codes([text])


# --- The file ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-M13")
def test_a_journal_is_read_as_it_was_written_whatever_a_mail_program_did_to_it(game: ClosedGame) -> None:
    journal = played(game)
    text = write_journal(journal)
    for sent in (text, "\ufeff" + text, text.replace("\n", "\r\n"), text.replace("\n", "  \n"), text + "\n\n"):
        assert read_journal(game, sent) == journal


def read_or_refused(game: ClosedGame, text: str) -> Journal | None:
    try:
        return read_journal(game, text)
    except ScenarioError:
        return None


@pytest.mark.clause("BR-M13")
def test_every_character_of_a_journal_that_was_changed_is_seen(game: ClosedGame) -> None:
    journal = build_journal(game, (*EIGHT, f"number B {NUMBER}", f"revealed {'5' * 32}"))
    text, chance = write_journal(journal), random.Random(1)
    for _ in range(300):
        place = chance.randrange(len(text) - 1)
        sign = chance.choice([each for each in "0123456789abcdefAB \n" if each != text[place]])
        changed = text[:place] + sign + text[place + 1 :]
        assert read_or_refused(game, changed) in (journal, None), changed
    lines = text.splitlines(keepends=True)
    for gone in range(1, len(lines) - 1):
        with pytest.raises(ScenarioError, match=rf"line {gone}: its code does not follow from the line before"):
            read_journal(game, "".join(lines[:gone] + lines[gone + 1 :]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A a4 9\n", "line 1: this is not the journal of a sealed game"),
        (f"printkit-game 2 {'0' * 32}\n", "line 1: another version of printkit wrote this journal"),
        (f"printkit-game 1 {'0' * 32}\n", "line 1: this journal belongs to another game"),
        ("printkit-game 1\n", "line 1: this is not the journal of a sealed game"),
    ],
)
def test_a_file_that_is_no_journal_of_this_game_is_named(text: str, message: str, capsys: Captured) -> None:
    folder = dealt()
    (folder / "game.txt").write_text(text, encoding="utf-8")
    for command in (["status", "--place", "A a1 5"], ["reveal"]):
        refused(capsys, [command[0], str(folder), *command[1:]], 1, f"{folder / 'game.txt'}: {message}")
    assert (folder / "game.txt").read_text(encoding="utf-8") == text


def test_a_file_with_other_line_ends_is_written_whole_before_a_line_is_added() -> None:
    folder = with_turns(dealt(), 3)
    path = folder / "game.txt"
    before = path.read_text(encoding="utf-8")
    path.write_bytes(b"\xef\xbb\xbf" + before.replace("\n", "\r\n").encode())
    assert run(["status", str(folder), "--place", EIGHT[3], "--quiet"]) == 0
    after = path.read_bytes()
    assert after.startswith(before.encode())
    assert (after.count(b"\r"), after.count(b"\n")) == (0, 5)
    assert path.stat().st_mode & 0o077 == 0


# --- At the terminal --------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-M13", "BR-M16")
def test_status_shows_the_code_to_send_and_asks_for_the_number_after_the_eighth_card(capsys: Captured) -> None:
    folder = dealt()
    for place, turn in enumerate(EIGHT, 1):
        capsys.readouterr()
        assert run(["status", str(folder), "--place", turn, "--lang", "en"]) == 0
        said, beside = capsys.readouterr()
        code = code_of_line(folder, place).partition("=")[2]
        assert f"Line {place} {SLOTS[place - 1]}. Send this code to the other player: {code}" in said
        assert ("--number B=NUMBER" in beside) == (place == 8)
        if place < 8:
            refused(capsys, ["status", str(folder), "--number", f"B={NUMBER}"], 1, "when all 8 cards are placed")
    assert run(["status", str(folder), "--number", f"B={NUMBER}", "--lang", "en"]) == 0
    said, beside = capsys.readouterr()
    assert f"Numbers for the dice: B {NUMBER}." in said
    assert "--number" not in beside
    assert run(["status", str(folder), "--lang", "es"]) == 0
    assert f"Números para los dados: B {NUMBER}." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("number", "status", "message"),
    [
        ("A=416235", 2, "--number 'A=416235' is not player B's number"),
        ("B=17", 2, "--number 'B=17' is not player B's number"),
        ("B=416236", 1, "player B has given the number for the dice; after that nothing can change"),
    ],
)
def test_a_wrong_or_a_second_number_is_refused_and_nothing_is_kept(
    number: str, status: int, message: str, capsys: Captured
) -> None:
    folder = with_turns(dealt(), number=NUMBER)
    before = (folder / "game.txt").read_bytes()
    refused(capsys, ["status", str(folder), "--number", number], status, message)
    assert (folder / "game.txt").read_bytes() == before


@pytest.mark.clause("BR-A08", "BR-M16")
def test_the_hidden_sheet_has_the_code_of_each_card() -> None:
    folder = with_turns(dealt(), 3)
    assert run(["status", str(folder), "--out", "hidden.pdf", "--style", "ink-saver", "--lang", "en"]) == 0
    sheet = " ".join(" ".join(texts(Path("hidden.pdf").read_bytes())).split())
    for line in range(1, 4):
        code = code_of_line(folder, line).partition("=")[2]
        assert f"line {line}: {code[:4]} {code[4:8]} {code[8:]}" in sheet


# --- Who can compute what on which day --------------------------------------------------------------------------------


def dice_of(folder: Path, copy: str, turns: tuple[str, ...], numbers: list[str]) -> tuple[str, ...]:
    """Reveal a copy of a game after more turns and a number, and return its dice."""
    there = Path(copy)
    shutil.copytree(folder, there)
    file = there / "closed-game.json"
    save_progress(file, read_progress(file).add(turns, numbers))
    assert quick_reveal(there) == 0
    log = json.loads((there / "map.json").read_text(encoding="utf-8"))["log"]
    return tuple(throw["answer"] for throw in log if throw["asked"].startswith("d"))


@pytest.mark.clause("BR-M13")
@pytest.mark.parametrize("day", [0, 2, 7])
def test_before_the_eighth_card_a_copy_of_the_folder_tells_the_keeper_no_die(day: int, capsys: Captured) -> None:
    folder = with_turns(dealt(), day)
    refused(capsys, ["reveal", str(folder)], 1, f"{day} cards were placed; the reveal needs exactly 8")
    real = dice_of(folder, "real", EIGHT[day:], [f"B={NUMBER}"])
    # The keeper tries numbers of their own in a copy, and places other cards there: other dice each time.
    last = (*EIGHT[day:-1], "B 10H 9")
    tries = [dice_of(folder, f"try{number}", EIGHT[day:], [f"B={number}"]) for number in (416234, 999999)]
    tries.append(dice_of(folder, "other-turn", last, [f"B={NUMBER}"]))
    assert real not in tries


@pytest.mark.clause("BR-M13")
def test_after_the_eighth_card_the_dice_still_need_the_number_and_after_the_number_nothing_changes(
    capsys: Captured,
) -> None:
    folder = with_turns(dealt())
    code = code_of_line(folder)
    seeds = {dice_seed(closed(folder), played(closed(folder), str(number))) for number in range(100_000, 100_300)}
    assert len(seeds) == 300
    assert all(0 <= seed < 1 << 48 for seed in seeds)
    bits = Counter(bit for seed in seeds for bit in range(48) if seed >> bit & 1)
    assert all(100 < bits[bit] < 200 for bit in range(48))
    assert run(["status", str(folder), "--number", f"B={NUMBER}", "--quiet"]) == 0
    for change in (["--place", "back 8"], ["--place", "A a1 9"], ["--number", "B=999999"]):
        refused(capsys, ["status", str(folder), *change], 1, "after that nothing can change")
    assert code_of_line(folder) == code


@pytest.mark.clause("BR-M12", "BR-M15")
def test_what_player_b_is_sent_before_the_reveal_tells_nothing(capsys: Captured) -> None:
    folder = with_turns(dealt(), number=NUMBER)
    game = closed(folder)
    capsys.readouterr()
    assert run(["status", str(folder), "--lang", "en"]) == 0
    sent = capsys.readouterr().out + (folder / "game.txt").read_text(encoding="utf-8")
    assert not told(sent)
    assert game.salt not in sent
    assert str(dice_seed(game, read_progress(folder / "closed-game.json").journal)) not in sent


# --- At the reveal ----------------------------------------------------------------------------------------------------


def revealed(folder: Path, *options: str) -> Record:
    assert quick_reveal(with_turns(folder, number=NUMBER), *options) == 0
    return read_record((folder / "map.json").read_text(encoding="utf-8"))[1]


def verdict(record: Record) -> str:
    (found,) = [each for each in judge(record, BOOK) if each.clause == "BR-M13"]
    return found.state


@pytest.mark.clause("BR-M13", "BR-M14")
def test_a_reveal_rolls_by_turns_and_number_and_its_record_proves_it() -> None:
    folder = dealt()
    game, record = closed(folder), revealed(folder)
    journal = played(game)
    whole = hashlib.sha256(f"dice|{game.salt}|{journal.lines[7].code}|{NUMBER}".encode()).hexdigest()
    assert record.seed == dice_seed(game, journal) == int(whole[:12], 16)
    assert facts_of(record).journal == (*SLOTS, f"number B {NUMBER}")
    progress = recorded_progress(facts_of(record))
    assert progress is not None
    assert progress.journal == journal
    assert all(throw.seeded for throw in record.log if throw.stage not in ("deal", "placing"))
    assert run(["check", str(folder / "map.json"), "--replay", "--quiet"]) == 0
    assert verdict(record) == "kept"
    lines = [*SLOTS, f"number B {NUMBER}"]
    swapped = [*lines[:6], "A a2 1", "B b3 7", lines[8]]
    lies = [
        {"journal": lines[:8]},
        {"journal": [*lines[:8], "number B 999999"]},
        {"journal": swapped},
        {"journal": lines[1:]},
        {"first": "B"},
    ]
    broken = [replace(record, details={**record.details, **lie}) for lie in lies]
    broken += [replace(record, seed=7), replace(record, settings={**record.settings, "br-q16": "ford"})]
    assert {verdict(each) for each in broken} == {"broken"}
    assert verdict(replace(record, settings={**record.settings, "names": "none", "title": "Ours"})) == "kept"


def test_the_number_goes_on_where_dice_of_the_deal_run_out() -> None:
    record = revealed(dealt("--set", "crossing=bridge", deck="KS 7H 9C 2D QC 3S 10H JS 5C 4", seed=""))
    assert next(throw.answer for throw in record.log if throw.stage == "hills") == "4"


@pytest.mark.parametrize("options", [["--dice", "4 4 5 1"], ["--ask"]], ids=" ".join)
def test_nobody_rolls_by_hand_what_the_number_decides(options: list[str], capsys: Captured) -> None:
    folder = with_turns(dealt(), number=NUMBER)
    before = names(folder)
    refused(capsys, ["reveal", str(folder), *options], 1, "the dice of this game come from player B's number")
    assert names(folder) == before


@pytest.mark.clause("BR-A09")
@pytest.mark.parametrize(("language", "numbers"), [("en", "Numbers for the dice"), ("es", "Números para los dados")])
def test_the_reveal_sheet_tells_number_seed_and_every_die(language: str, numbers: str) -> None:
    record = revealed(dealt())
    order = print_context(PrintOptions(style="ink-saver"), Words((language,)))
    sheet = " ".join(" ".join(texts(data(reveal_sheet(record, order)))).split())
    for part in (f"{numbers}: B {NUMBER}.", f": {record.seed}, "):
        assert part in sheet
    text = ThrowText(order.words)
    dice = [f"{text.reason(throw)} {throw.answer}" for throw in record.log if throw.asked == "d6"]
    assert " ".join(f"{number} {die}" for number, die in enumerate(dice, 1)) in sheet
