"""The proof page of a sealed game: it agrees with Python, and finds what was changed, in a real Chromium."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec
import pytest
from browser import chromium
from msgspec.structs import replace

from printkit.cli.app import run
from printkit.systems.brantley.dealing.closed_game import ClosedGame, read, write

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Details: TypeAlias = dict[str, Any]

TITLE: Final = "Ñandú </script><b>Hill"
PRINT: Final = ("--scale", "1:12", "--style", "ink-saver", "--lang", "en", "--quiet")
# Line 3 is taken back, so line 10 has the last card.
TURNS: Final = ("A a1 5", "B b1 1", "A a2 9", "back 3", "A a3 9", "B b2 2", "A a2 3", "B b3 4", "A a4 6", "B b4 7")
NUMBER: Final = "416235"
CHECKS: Final = ("deal", "codes", "turns", "number", "dice")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a sealed game to its reveal, and return its folder."""
    out = tmp_path_factory.mktemp("proof")
    style = ("--style", "ink-saver", "--lang", "en", "--quiet", "--title", TITLE)
    assert run(["deal", "--open", "--seed", "7", *style, "--out", str(out)]) == 0
    (folder,) = out.iterdir()
    places = [part for turn in TURNS for part in ("--place", turn)]
    assert run(["status", str(folder), *places, "--number", f"B={NUMBER}", "--quiet"]) == 0
    assert run(["reveal", str(folder), *PRINT]) == 0
    return folder


@pytest.fixture(scope="module")
def kept(game: Path) -> dict[str, str]:
    """Return what a player of the game kept, by the fields of the page."""
    head, *lines = (game / "game.txt").read_text(encoding="utf-8").splitlines()
    return {"commitment": head.split()[-1], "line": "10", "code": lines[9].split()[-1], "number": NUMBER}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def page(browser: Browser, game: Path) -> Iterator[Page]:
    """Open the page from its file without a network; it may request nothing but itself."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, offline=True)
    wrong: list[str] = []
    found = context.new_page()
    found.on("pageerror", lambda error: wrong.append(str(error)))
    found.on("console", lambda message: wrong.append(message.text))
    address = (game / "proof.html").as_uri()
    found.on("request", lambda request: wrong.append(request.url) if request.url != address else None)
    found.goto(address)
    yield found
    context.close()
    assert wrong == []


def type_kept(page: Page, kept: dict[str, str]) -> None:
    for name, text in kept.items():
        page.fill(f"#{name}", text)


def states(page: Page) -> dict[str, str]:
    return {name: page.inner_text(f"#check-{name} strong") for name in CHECKS}


def wrong_checks(page: Page) -> set[str]:
    return {name for name, state in states(page).items() if state == "WRONG"}


def read_record(game: Path) -> Details:
    record: Details = json.loads((game / "map.json").read_text(encoding="utf-8"))
    return record


def choose(page: Page, text: str, name: str = "map.json") -> None:
    page.set_input_files("#file", {"name": name, "mimeType": "application/json", "buffer": text.encode()})
    page.wait_for_function("name => source === name || unread?.file === name", arg=name)


# --- Without a browser ------------------------------------------------------------------------------------------------


def test_the_page_loads_nothing_and_a_title_cannot_end_its_script(game: Path) -> None:
    page = (game / "proof.html").read_text(encoding="utf-8")
    assert "content=\"default-src 'none'; script-src 'sha256-" in page
    assert re.findall(r"\bsrc=|\bhref=|https?:|url\(|@import|\bimport\b|fetch\(|XMLHttp|crypto", page) == []
    assert page.count("</script>") == 2
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert json.loads(data)["record"]["title"] == TITLE
    assert "features" not in json.loads(data)["record"]


def test_the_same_reveal_writes_the_same_page_also_elsewhere(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (game / "proof.html").read_bytes()
    assert run(["reveal", str(game), *PRINT, "--out", str(tmp_path / "other")]) == 0
    assert run(["reveal", str(game), *PRINT, "--out", str(tmp_path / "mine.pdf")]) == 0
    assert [(tmp_path / name).read_bytes() for name in ("other/proof.html", "mine-proof.html")] == [page, page]
    assert run(["reveal", str(game), *PRINT[:-1], "--plan"]) == 0
    assert str(game / "proof.html") in capsys.readouterr().out


def test_a_game_of_version_0_2_has_no_page(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = game / "closed-game.json"
    old = replace(read(file.read_text(encoding="utf-8"), file.name), journal=0)
    (tmp_path / file.name).write_text(write(old, ""), encoding="utf-8")
    turns = [turn for turn in TURNS if turn not in ("A a2 9", "back 3")]
    (tmp_path / "placements.txt").write_text("\n".join(turns), encoding="utf-8")
    assert run(["reveal", str(tmp_path), *PRINT[:-1], "--plan"]) == 0
    report = capsys.readouterr().out
    assert "reveal.pdf" in report
    assert "proof.html" not in report


# --- In a browser -----------------------------------------------------------------------------------------------------


@pytest.mark.browser
def test_hashes_and_random_numbers_are_those_of_python(page: Page) -> None:
    texts = [mark * size for mark in ("a", "ñ", "€😀") for size in (0, 1, 27, 28, 54, 55, 56, 57, 63, 64, 65, 120)]
    hashes = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    assert page.evaluate("texts => texts.map(digest)", texts) == hashes
    seeds = [0, 1, 2**32 - 1, 2**32, *(random.Random(bits).getrandbits(bits) for bits in range(1, 400, 2))]
    words = [[seed >> shift & 0xFFFFFFFF for shift in range(0, max(seed.bit_length(), 1), 32)] for seed in seeds]
    drawn = page.evaluate("seeds => seeds.map(seed => Array.from({ length: 320 }, twister(seed)))", words)
    for seed, numbers in zip(seeds, drawn, strict=True):
        generator = random.Random(seed)
        assert numbers == [generator.random() for _ in range(320)], seed


@pytest.mark.browser
@pytest.mark.clause("BR-M13")
def test_an_honest_game_is_right_in_every_row(page: Page, kept: dict[str, str]) -> None:
    assert states(page) == {
        **dict.fromkeys(("deal", "codes", "number"), "not proven"),
        "turns": "correct",
        "dice": "correct",
    }
    type_kept(page, {**kept, "commitment": re.sub("(....)", r"\1 ", kept["commitment"]).upper()})
    assert states(page) == dict.fromkeys(CHECKS, "correct")
    assert page.inner_text("#verdict") == "All 5 checks are correct."
    assert TITLE in page.inner_text("#game")
    for heading in page.query_selector_all("summary"):
        heading.click()
    lines = [text.split("\t") for text in page.inner_text("#lines").splitlines()]
    assert [line[1] for line in lines] == [*TURNS, f"number B {NUMBER}"]
    assert [line[-1] for line in lines] == ["correct"] * 10 + ["not proven"]
    assert {text.split("\t")[-1] for text in page.inner_text("#dice").splitlines()} == {"correct"}
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.click("#language")
    assert page.inner_text("#verdict") == "Las 5 comprobaciones son correctas."


@pytest.mark.browser
def test_an_earlier_code_proves_the_game_up_to_its_line_only(page: Page, game: Path, kept: dict[str, str]) -> None:
    line = (game / "game.txt").read_text(encoding="utf-8").splitlines()[4]
    type_kept(page, {**kept, "line": "4", "code": line.split()[-1]})
    assert states(page)["codes"] == "not proven"
    assert "only up to line 4" in page.inner_text("#check-codes")


@pytest.mark.browser
@pytest.mark.parametrize(
    ("field", "text", "check"),
    [
        ("commitment", "0" * 32, "deal"),
        ("code", "0" * 12, "codes"),
        ("line", "9", "codes"),
        ("line", "12", "codes"),
        ("number", "416236", "number"),
    ],
)
def test_what_another_player_would_have_kept_is_wrong(
    page: Page, kept: dict[str, str], field: str, text: str, check: str
) -> None:
    type_kept(page, {**kept, field: text})
    assert states(page) == {**dict.fromkeys(CHECKS, "correct"), check: "WRONG"}


def seal_again(record: Details) -> None:
    """Make everything about the deal in a record follow from its sealed part, as a cheat would."""
    facts = record["brantley"]
    pack = facts["sealed"]["pack"]
    facts["seal"]["commitment"] = msgspec.convert(facts["sealed"], ClosedGame).commitment
    facts |= {"salt": facts["sealed"]["salt"], "deck": pack, "hands": {"A": pack[:4], "B": pack[4:8]}}
    facts["inputs"]["deck"] = [" ".join(pack)]
    record["log"][0]["answer"] = " ".join(pack)


def swap_sealed_cards(record: Details) -> None:
    pack = record["brantley"]["sealed"]["pack"]
    pack[0], pack[8] = pack[8], pack[0]
    seal_again(record)


def swap_zones(record: Details) -> None:
    first, second = record["brantley"]["zones"][:2]
    first["card"], second["card"] = second["card"], first["card"]


def swap_turns(record: Details) -> None:
    lines = record["brantley"]["journal"]
    lines[4], lines[6] = "A a3 3", "A a2 9"


def alter_die(record: Details) -> None:
    die = [throw for throw in record["log"] if throw["asked"] == "d6"][-1]
    die["answer"] = str(int(die["answer"]) % 6 + 1)


def alter_number(record: Details) -> None:
    record["brantley"]["journal"][-1] = "number B 416236"


def alter_salt(record: Details) -> None:
    record["brantley"]["sealed"]["salt"] = "0" * 32
    seal_again(record)


def alter_seal(record: Details) -> None:
    record["brantley"]["sealed"]["pack"].reverse()


def roll_by_hand(record: Details) -> None:
    next(throw for throw in record["log"] if throw["asked"] == "d6")["seeded"] = False


@pytest.mark.browser
@pytest.mark.clause("BR-M13")
@pytest.mark.parametrize(
    ("alter", "checks"),
    [
        (swap_sealed_cards, {"deal", "codes", "turns", "dice"}),
        (swap_zones, {"turns"}),
        (swap_turns, {"codes", "turns", "dice"}),
        (alter_die, {"dice"}),
        (alter_number, {"number", "dice"}),
        (alter_salt, {"deal", "codes", "dice"}),
        (alter_seal, {"deal", "codes", "turns", "dice"}),
        (roll_by_hand, {"dice"}),
    ],
)
def test_a_record_that_was_changed_is_wrong(
    page: Page, game: Path, kept: dict[str, str], alter: Callable[[Details], None], checks: set[str]
) -> None:
    record = read_record(game)
    alter(record)
    choose(page, json.dumps(record))
    type_kept(page, kept)
    assert wrong_checks(page) == checks
    assert page.inner_text("#verdict").startswith("WRONG")


@pytest.mark.browser
def test_dice_by_hand_are_named_and_not_proven(page: Page, game: Path, kept: dict[str, str]) -> None:
    record = read_record(game)
    # A seed may have more digits than a number of JavaScript keeps.
    record["seed"] = record["brantley"]["sealed"]["seed"] = 123456789012345678901234567890
    del record["brantley"]["journal"][-1]
    for throw in record["log"]:
        throw["seeded"] = throw["asked"] != "d6"
    seal_again(record)
    choose(page, json.dumps(record))
    type_kept(page, {**kept, "commitment": record["brantley"]["seal"]["commitment"], "number": "", "code": ""})
    assert states(page) == {**dict.fromkeys(CHECKS, "not proven"), "deal": "correct", "turns": "correct"}
    assert "by hand" in page.inner_text("#check-dice")
    choose(page, json.dumps({**record, "log": record["log"][:1]}), "no-dice.json")
    assert states(page)["dice"] == "not proven"


@pytest.mark.browser
def test_a_file_that_is_not_a_record_leaves_the_page_as_it_is(page: Page, game: Path, kept: dict[str, str]) -> None:
    record, old = read_record(game), read_record(game)
    del old["brantley"]["sealed"]["journal"]
    wrong = "is not the record of a sealed game."
    for name, text, part in (
        ("a.json", "{", wrong),
        ("b.json", "{}", wrong),
        ("c.json", json.dumps({**record, "log": 3}), wrong),
        ("old.json", json.dumps(old), "Use printkit verify."),
    ):
        choose(page, text, name)
        told = page.inner_text("#unread")
        assert told.startswith(name)
        assert told.endswith(part)
        type_kept(page, kept)
        assert states(page) == dict.fromkeys(CHECKS, "correct")
    assert page.inner_text("#source") == "This page shows the game that it was made for."
