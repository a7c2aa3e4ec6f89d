"""Everything for one evening: the files of the folder, what the contents promise, and what no player may find."""

from __future__ import annotations

import re
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from shutil import copytree
from typing import NamedTuple

import pypdfium2
import pytest
from leaflets_scene import assert_inside, squeezed, tells
from leaflets_scene import texts as type_of
from msgspec.structs import replace
from reading import everything_said, opened, texts
from set_evenings import evening_set

from printkit.chance.dice import read_log
from printkit.cli.app import run
from printkit.content.cards import Deck
from printkit.content.prose import Table
from printkit.core.words import Words, find_words
from printkit.drawing.canvas import style
from printkit.export.pdf import data
from printkit.kit.check import judge_text
from printkit.kit.registry import read_record
from printkit.kit.sides import PlayerSide
from printkit.kit.system import RuleSystem
from printkit.page import sheet as sheets
from printkit.page.printer import PrinterProfile, apply_profile
from printkit.page.sheet import Document, Page
from printkit.recipes.evening import handouts
from printkit.recipes.evening.folder import MANIFEST, Folders
from printkit.recipes.evening.handouts import CONTENTS, GameNight
from printkit.recipes.evening.table_sheets import player_pages, playing_sides, read_turn_order
from printkit.recipes.output.files import write_folder
from printkit.recipes.output.handout import HandoutContext
from printkit.recipes.output.printed_files import sum_work
from printkit.systems.brantley.system import Brantley
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.record import Record

SEED = 730439
"""Of a field with two hills, a wood and a river; a number that stands nowhere by chance."""

FIELD = ["--board", "12in", "--style", "ink-saver", "--lang", "en"]
PRINTED = ("map", "overview", "cards-terrain", "cards-reference", "reference", "report")
SIDES = ("player-a", "player-b")
RECORD, LOG = Folders().record, Folders().log


whole_decks = Brantley.decks


def few_cards(system: Brantley, words: Words, record: Record | None = None) -> tuple[Deck, ...]:
    """Return the decks of the card system, each with its first ten cards; whole packs are drawn elsewhere."""
    return tuple(replace(deck, cards=deck.cards[:10]) for deck in whole_decks(system, words, record))


class Made(NamedTuple):
    """The folder as the command line wrote it, what it was made of, and what the command said of it."""

    folder: Path
    evening: GameNight
    said: str
    planned: str


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Write one folder, and plan the same again; it is drawn once."""
    folder = tmp_path_factory.mktemp("evening") / "tonight"
    kept: list[GameNight] = []
    draw = handouts.evening

    def once(*arguments: object) -> GameNight:
        if not kept:
            kept.append(draw(*arguments))  # type: ignore[arg-type]
        return kept[0]

    command = ["handouts", "--seed", str(SEED), *FIELD, "--with", "cards", "--out", str(folder)]
    said, planned = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(handouts, "evening", once)
        patch.setattr(Brantley, "decks", few_cards)
        with redirect_stderr(said):
            assert run(command) == 0
        with redirect_stdout(planned):
            assert run([*command, "--plan"]) == 0
    return Made(folder, kept[0], said.getvalue(), planned.getvalue())


def pages(made: Made, name: str) -> list[str]:
    """Return the text of a file, page by page."""
    return texts((made.folder / f"{name}.pdf").read_bytes())


def record_of(made: Made) -> tuple[RuleSystem, Record]:
    """Return the rule system and the record of the folder as it is read back."""
    return read_record((made.folder / RECORD).read_text(encoding="utf-8"))


def test_the_folder_holds_every_file_of_a_game_night_as_said_and_planned(made: Made) -> None:
    found = sorted(path.relative_to(made.folder).as_posix() for path in made.folder.rglob("*") if path.is_file())
    wanted = [CONTENTS, *(f"{name}.pdf" for name in PRINTED), *(f"{side}/{side}.pdf" for side in SIDES)]
    assert found == sorted([*wanted, "umpire/umpire.pdf", RECORD, LOG, MANIFEST])
    first = made.said.splitlines()[0]
    work = sum_work(made.evening.describe_files())
    assert work.sheets == len(made.evening.contents.pages) + sum(part.sheets for part in made.evening.parts)
    taken = f"{work.sheets} sheets of A4, {work.cuts} cuts, {work.minutes} minutes"
    assert first.endswith(f": {taken}.")
    assert f"would take {taken} and about " in made.planned
    assert f"  {made.folder / CONTENTS}   print this first" in made.planned
    lines = [line for line in made.planned.splitlines() if not line[0].isupper()]
    sheets = {name: int(count) for count, name in re.findall(r"\b(\d+) ([\w-]+)", "\n".join(lines[1:]))}
    assert sheets == {Path(part.name).stem: part.sheets for part in made.evening.printed_parts}


def row_of(page: Page, first: str) -> list[str]:
    """Return what stands on the row of a table that begins with a text, from the left."""
    found = type_of(page)
    # The steps below the table name files too, but not at the left.
    _, foot = min((text.at[0], round(text.at[1], 1)) for text in found if text.content == first)
    row = sorted((text for text in found if round(text.at[1], 1) == foot), key=lambda text: text.at[0])
    return [text.content for text in row]


def test_the_contents_promise_what_the_files_have_and_link_to_each(made: Made) -> None:
    (page,) = made.evening.contents.pages
    for part in made.evening.parts:
        file = opened((made.folder / part.name).read_bytes())
        assert len(file.pages) == part.pages
        *_, cuts, minutes = row = row_of(page, part.name)
        assert str(part.sheets) in row[2:-2]
        assert (cuts, int(minutes)) == (str(part.cuts or "–"), part.minutes)
    found = links_of((made.folder / CONTENTS).read_bytes())
    names = [part.name for part in made.evening.parts]
    assert [name for name, _ in found[: len(names)]] == names
    # The table and the steps below it name each of them once, and each name is a link to its file.
    assert sorted(name for name, _ in found) == sorted(names * 2)
    assert all(text == name and (made.folder / name).is_file() for name, text in found)
    sums = [sum(each) for each in zip(*((x.sheets, x.cuts, x.minutes) for x in made.evening.parts), strict=True)]
    assert row_of(page, "Total") == ["Total", *map(str, sums)]


def links_of(data: bytes) -> list[tuple[str, str]]:
    """Return the file to which each link of a PDF leads, and the text below it."""
    shown, found = pypdfium2.PdfDocument(data), []
    for page, read in zip(opened(data).pages, shown, strict=True):
        for link in page.get("/Annots", []):
            assert (link.Subtype, link.A.S, link.A.D[0]) == ("/Link", "/GoToR", 0)
            text = read.get_textpage().get_text_bounded(*map(float, link.Rect)).strip()
            found.append((str(link.A.F), text))
    return found


def test_a_name_over_several_rows_is_a_link_in_each_and_moves_with_its_page(made: Made) -> None:
    system, record = record_of(made)
    own = HandoutContext(
        record=record,
        system=system,
        sheet=sheets.find_sheet("148x210mm"),
        style=style.find("ink-saver"),
        words=find_words("en"),
    )
    rows = (("[[umpire/cards-pair-1.pdf]]", "A long story."), ("[[map.pdf]]", "Another."))
    first = own.build_pages("Files", [Table(rows=rows, shares=(1.0, 5.0))])
    profile = PrinterProfile(name="small", scale_x=1.02, scale_y=0.99)
    moved = apply_profile(Document(title="", pages=first), profile).document
    found = links_of(data(moved))
    assert [name for name, _ in found] == ["umpire/cards-pair-1.pdf"] * (len(found) - 1) + ["map.pdf"]
    assert len(found) > 2
    # A reader makes a mark of its own of the hyphen at which a word is broken.
    assert re.sub("[^a-z0-9/.]", "", "".join(text for _, text in found)) == "umpire/cardspair1.pdfmap.pdf"


def test_cards_count_their_sheets_once_and_a_map_takes_a_minute_for_each_joint(made: Made) -> None:
    parts = {part.name: part for part in made.evening.parts}
    deck, the_map = parts["cards-terrain.pdf"], parts["map.pdf"]
    assert (deck.pages, deck.sheets, deck.card, deck.cuts) == (4, 2, True, 2 * 8)
    assert parts["report.pdf"].cuts == 0
    assert "card, both sides" in pages(made, "contents")[0]
    tiles = the_map.pages - 1
    assert the_map.joints == tiles - 1
    seconds = 10 * the_map.pages + 15 * the_map.cuts + 60 * the_map.joints
    assert the_map.minutes - 1 < seconds / 60 <= the_map.minutes


def test_the_map_is_that_of_the_map_command_and_comes_again_from_the_record(made: Made, tmp_path: Path) -> None:
    again = tmp_path / "again.pdf"
    record = made.folder / RECORD
    command = ["map", "--from", str(record), "--style", "ink-saver", "--lang", "en", "--quiet"]
    assert run([*command, "--out", str(again)]) == 0
    assert again.read_bytes() == (made.folder / "map.pdf").read_bytes()
    assert again.with_suffix(".json").read_bytes() == record.read_bytes()


@pytest.mark.parametrize(("side", "own", "enemy"), [("a", "far", "B"), ("b", "near", "A")])
def test_a_players_own_edge_lies_at_the_bottom(made: Made, side: str, own: str, enemy: str) -> None:
    document = next(part.document for part in made.evening.parts if part.name == f"player-{side}/player-{side}.pdf")
    said = squeezed(document.pages[:1])
    mine, theirs = f"Yourbaseedge–{own}edgeofthemap", f"Baseedgeofplayer{enemy}"
    assert said.index(theirs) < said.index(mine) < said.index("Thisisyourview")
    assert tells(document.pages, "3.0 in (7.6 cm)")
    assert tells(document.pages, "You deploy first" if side == "a" else "You deploy second")
    assert tells(document.pages, "Player B has the first bound" if side == "a" else "You have the first bound")
    assert_inside(document.pages)


@pytest.mark.parametrize("side", SIDES)
def test_nothing_that_a_player_gets_tells_the_seed_or_a_throw(made: Made, side: str) -> None:
    _, record = record_of(made)
    secrets = [str(SEED), " ".join(record.details["deck"][:4]), "BR-M24", "seed"]
    files = [path for path in (made.folder / side).rglob("*") if path.is_file()]
    assert [path.name for path in files] == [f"{side}.pdf"]
    for path in files:
        data = path.read_bytes()
        told = [*everything_said(data), path.name]
        for secret in secrets:
            assert not [said for said in told if secret in said], secret
        assert str(SEED).encode() not in data


@pytest.mark.clause("BR-A09")
def test_the_umpires_copy_tells_seed_throws_settings_and_verdicts(made: Made) -> None:
    said = "\n".join(pages(made, "umpire/umpire"))
    text = (made.folder / RECORD).read_text(encoding="utf-8")
    system, record = read_record(text)
    judgement = judge_text(text, {system.name: system})
    kept = sum(verdict.state == "kept" for verdict in judgement.verdicts)
    assert f"Seed {SEED}" in said
    assert f"{kept} clauses are satisfied" in said
    # The dice behind each feature stand in his key alone.
    number = r"River die \d: one river \(BR-401\)"
    assert re.search(number, " ".join(said.split()))
    assert not re.search(number, " ".join(" ".join(pages(made, "overview")).split()))
    for title in ("The Reveal", "How this battlefield was made"):
        assert title in said
    # Nothing was set otherwise than usual, and what is usual stands in the record and in the rule book.
    assert "All settings are at their defaults. The record lists them" in " ".join(said.split())
    assert f"{len(record.log)} log entries" in " ".join(said.split())
    assert read_log((made.folder / LOG).read_text(encoding="utf-8")) == record.log


def contents_of(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder by its name."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_printed_alone_leaves_all_other_files_as_they_are(made: Made, tmp_path: Path) -> None:
    folder = tmp_path / "tonight"
    before = contents_of(copytree(made.folder, folder))
    alone = ["handouts", "--from", str(made.folder / RECORD), "--lang", "en", "--out", str(folder), "--quiet"]
    # As it was printed among the others, it is there already.
    assert run([*alone, "--style", "ink-saver", "--only", "player-a"]) == 0
    assert contents_of(folder) == before
    spanish = [*alone, "--only", "player-a", "--lang", "es"]
    assert run(spanish) == 1
    assert contents_of(folder) == before
    assert run([*spanish, "--force"]) == 0
    assert run([*alone, "--only", "player-b", "--sheet", "letter", "--force"]) == 0
    after = contents_of(folder)
    assert after.keys() == before.keys()
    assert {name for name in before if after[name] != before[name]} == {f"{side}/{side}.pdf" for side in SIDES}
    assert "Jugador A" in " ".join(texts(after["player-a/player-a.pdf"]))
    with opened(after["player-b/player-b.pdf"]) as pdf:
        assert sorted(round(float(each)) for each in pdf.pages[0].mediabox[2:]) == [612, 792]
    # A part that is new is listed too, so that the next game night takes it away.
    assert run([*alone, "--only", "layout"]) == 0
    listed = (folder / "manifest.txt").read_text(encoding="utf-8").splitlines()
    assert listed == [*before["manifest.txt"].decode().splitlines(), "layout.pdf"]


def test_the_umpires_folder_alone_has_record_and_log(
    made: Made, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = ["handouts", "--from", str(made.folder / RECORD), *FIELD[2:], "--only", "umpire"]
    assert run([*alone, "--plan"]) == 0
    planned = capsys.readouterr().out
    assert run([*alone, "--quiet"]) == 0
    (folder,) = (table / "output").glob(f"*-seed{SEED}-game-night")
    assert f"  {Path('output', folder.name)}\n" in planned
    found, whole = contents_of(folder), contents_of(made.folder)
    assert found == {name: whole[name] for name in ("umpire/umpire.pdf", RECORD, LOG)}


@pytest.mark.parametrize("folder", ["you", "sealed"])
def test_a_folder_of_a_solo_game_alone_has_every_file_that_it_had(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, alone = (evening_set("solo-dba", find_words("en"), monkeypatch, only=only).files for only in ((), (folder,)))
    assert set(alone) == {name for name in whole if name.startswith(f"{folder}/")}
    assert any(isinstance(content, str) for content in alone.values())


def test_sides_without_ground_of_their_own_sit_at_far_and_near_edge(made: Made) -> None:
    system, record = record_of(made)
    marked = playing_sides(record, system.book)
    assert [(side.name, side.edge, side.folder) for side in marked] == [
        ("A", Edge.FAR, "player-a"),
        ("B", Edge.NEAR, "player-b"),
    ]
    assert [side.depth(record.battlefield) for side in marked] == pytest.approx([76.2, 76.2])
    assert read_turn_order(record).deploys_first == "A"
    solo = PlayerSide(name="YOU")
    paper, ink = sheets.find_sheet("letter"), style.find("ink-saver")
    made_for = HandoutContext(record=record, system=system, sheet=paper, style=ink, words=find_words("es"))
    assert solo.folder == "you"
    (first, *_) = player_pages(made_for, solo, (solo,), (), origin="")
    assert tells([first], "TÚ")
    assert tells([first], "Las reglas de terreno no fijan")


@pytest.mark.parametrize(
    ("arguments", "status", "part"),
    [
        (["--out", "-"], 2, "name a folder"),
        (["--out", "tonight.pdf"], 2, "name a folder"),
        (["--out", "taken"], 2, "name a folder"),
        (["--backs", "gilt"], 2, "use one of none, deck, content"),
        (["--keep", "rivers"], 2, "--from"),
        (["--size", "9"], 2, ""),
        (["--rules", "chess"], 2, "unknown rule system"),
        (["--only", "playr-a"], 2, "--only: there is no 'playr-a'; did you mean player-a, player-b?"),
        (["--only", "map", "--with", "form"], 2, "leave out --with and --without"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_refusal_leaves_nothing(
    arguments: list[str], status: int, part: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (table / "taken").write_text("a file", encoding="utf-8")
    assert run(["handouts", "--seed", "5", *FIELD, *arguments]) == status
    said = capsys.readouterr().err
    assert said.startswith("printkit: ")
    assert part in said
    assert [path.name for path in table.rglob("*")] == ["taken"]


def test_other_files_of_the_folder_survive(made: Made, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "umpire").mkdir()
    (tmp_path / "umpire" / "plans.txt").write_text("his", encoding="utf-8")
    write_folder(made.evening.texts, tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*.txt")) == ["log.txt", "notes.txt", "plans.txt"]


def test_the_title_and_the_players_are_on_every_sheet_for_people(table: Path) -> None:
    """``--title`` and ``--players`` go into the record, so that every later print has them too."""
    names = ["--title", "Battle of Oak Hill", "--players", "Ann, Bob"]
    assert run(["handouts", "--seed", "7", *FIELD, *names, "--table", "build", "--out", "night"]) == 0
    for file in ("contents", "report", "player-a/player-a", "player-b/player-b", "umpire/umpire"):
        shown = " ".join(texts((table / "night" / f"{file}.pdf").read_bytes()))
        assert [name for name in ("Battle of Oak Hill", "Ann", "Bob") if name not in shown] == []
    record = table / "night" / RECORD
    assert run(["map", "--from", str(record), "--scale", "fit", "--out", "again.pdf", *FIELD[2:]]) == 0
    assert "Ann (Player A)" in " ".join(texts((table / "again.pdf").read_bytes()))
    assert run(["map", "--from", str(record), "--players", "Eve, Dave", "--to", "json", "--out", "other.json"]) == 0
    _, changed = read_record((table / "other.json").read_text(encoding="utf-8"))
    assert changed.settings["players"] == "Eve, Dave"
    assert changed.battlefield.title == "Battle of Oak Hill"


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        (["--title", "x" * 61], "at most 60 characters"),
        (["--players", f"Ann, {'x' * 61}"], "at most 60 characters"),
        (["--title", "a\x1b[31mb"], "a control character"),
        (["--players", "Ann\n, Bob"], "a control character"),
        (["--players", "Ann, Bob, Carmen"], "write at most 2"),
    ],
)
def test_names_that_do_not_fit_a_sheet_are_refused(
    typed: list[str], reason: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["handouts", "--seed", "7", "--lang", "en", *typed]) == 2
    assert reason in capsys.readouterr().err
    assert not [*table.iterdir()]
