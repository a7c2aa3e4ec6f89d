"""Nothing is left in English where Spanish is asked for: every help, every list of rules, every sheet of an evening."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bare_boards import own_pictures
from command_lines import Captured
from english_words import english, of_settings
from leaflets_scene import texts

from printkit.cli.app import OWN, run
from printkit.console.terminal import set_language
from printkit.core.words import _table_for_key
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.furniture import legend
from printkit.drawing.signs import catalogue
from printkit.export import pdf
from printkit.kit import registry
from printkit.page.sheet import Document

SYSTEMS = tuple(registry.names())

NAMES = {"you", "npg", "map", "cards", "reference", "columns", "tables", "clear"}
"""Names of folders, files, parts and commands that stand by themselves; and the label of squares in both languages."""

COMMANDS = (*OWN, *registry.commands())
TYPED = {
    *(part for name in COMMANDS for part in name.split()),
    *("one", "dry", "defender", "attacker", "none", "all", "light", "zones", "deployment", "deck", "slope", "open"),
    *("piece", "pieces", "edge", "bound", "terrain", "reference", "sheet", "you", "terrains", "rolled", "sheets"),
    *("armies", "columns", "card", "tables", "clauses", "invader", "both"),
}
"""Values that a person types after an option, and names of commands and decks."""


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    set_language(["--lang", "en"])


def _said(capsys: Captured, *arguments: str) -> str:
    assert run([*arguments, "--lang", "es"]) in (0, None), capsys.readouterr().err
    return capsys.readouterr().out


def test_every_help_and_the_lists_of_rules_and_armies_are_spanish(capsys: Captured) -> None:
    wrong = {}
    for name in ("", *COMMANDS):
        told = _said(capsys, *name.split(), "--help")
        rows = [line for line in told.splitlines() if not line.startswith("Uso:")]
        wrong[name] = [(word, line) for line in rows for word in english(line, TYPED)]
    assert {name: found for name, found in wrong.items() if found} == {}
    told = "\n".join(line[18:] for line in _said(capsys, "rules").splitlines())
    assert list(english(told)) == []
    armies = _said(capsys, "npg", "armies")
    assert list(english(armies, TYPED)) == []
    assert " BC" not in armies


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_rules_tell_is_spanish(name: str, capsys: Captured) -> None:
    book = registry.find(name).book
    typed = of_settings(book) | {*registry.find(name).stages, "farm", "rules", "tables", "clauses"}
    for page in ((), ("--show", "tables"), ("--show", "clauses")):
        rows = _said(capsys, "rules", name, *page).splitlines()
        assert [(word, line) for line in rows for word in english(line, typed)] == []


@pytest.fixture
def documents(monkeypatch: pytest.MonkeyPatch) -> list[Document]:
    """Return the documents that commands print from now on; without signs and files, which take long."""

    def no_signs(*_: object, **__: object) -> Iterator[object]:
        yield from ()

    own_pictures(monkeypatch)
    monkeypatch.setattr(catalogue, "draw", no_signs)
    monkeypatch.setattr(legend, "draw", no_signs)
    monkeypatch.setattr("printkit.drawing.cards.art.draw", no_signs)
    monkeypatch.setattr("printkit.drawing.map.board_drawing.cell_trees", no_signs)
    blank = Drawing(58.0, 58.0, ())
    monkeypatch.setattr("printkit.recipes.evening.reference.small_map", lambda *_, **__: blank)
    collected: list[Document] = []

    def collect(document: Document) -> bytes:
        collected.append(document)
        return b"%PDF\nstartxref"

    monkeypatch.setattr(pdf, "data", collect)
    return collected


def _on_sheets(collected: list[Document]) -> dict[str, set[str]]:
    """Return what sheets say, by the title of their document."""
    found: dict[str, set[str]] = {}
    for document in collected:
        found.setdefault(document.title, set()).update(text.content for page in document.pages for text in texts(page))
    return found


def _evening(name: str, documents: list[Document], folder: Path) -> dict[str, set[str]]:
    """Return what the sheets of an evening say, file by file."""
    small = ["--sheet", "a0", "--dressing", "none", "--style", "ink-saver", "--quiet", "--seed", "5"]
    assert run(["handouts", "--rules", name, "--lang", "es", "--out", str(folder / name), *small]) in (0, None)
    return _on_sheets(documents)


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_sheet_of_an_evening_is_spanish(name: str, documents: list[Document], tmp_path: Path) -> None:
    typed, found = of_settings(registry.find(name).book), {}
    for title, lines in _evening(name, documents, tmp_path).items():
        allowed = NAMES | (typed if title.startswith("Cómo se hizo") else set())
        found[title] = sorted({word for line in lines for word in english(line, allowed)})
    assert {title: words for title, words in found.items() if words} == {}


def test_one_spoilt_word_is_found_and_english_told_from_what_is_typed(
    monkeypatch: pytest.MonkeyPatch, documents: list[Document], tmp_path: Path
) -> None:
    monkeypatch.setitem(_table_for_key("es", "handouts.contents.files"), "handouts.contents.files", "What to print")
    said = _evening("dba3", documents, tmp_path).values()
    assert "What" in {word for lines in said for line in lines for word in english(line, NAMES)}
    assert list(english("Pon map.pdf junto a --cell y «The Book», PW0-01")) == []
    assert list(english("El borde near de home", ["home"])) == ["near"]


def test_battles_marches_and_verdicts_are_spanish(capsys: Captured, tmp_path: Path) -> None:
    record, battle, march = (str(tmp_path / name) for name in ("board.json", "battle.toml", "march.toml"))
    assert run(["map", "--rules", "brantley", "--seed", "3", "--to", "json", "--out", record, "--quiet"]) in (0, None)
    typed = of_settings(registry.find("brantley").book)
    told = _said(capsys, "check", record, "--verbose")
    told += _said(capsys, "npg", "new", "gallic", "spartan", "--out", battle)
    for stage in ("terrain", "edge", "deploy"):
        told += _said(capsys, "npg", stage, battle, "--seed", "4")
    told += _said(capsys, "npg", "show", battle)
    told += _said(capsys, "columns", "new", march, "gallic", "polybian-roman")
    assert [(word, line) for line in told.splitlines() for word in english(line, typed)] == []


def test_a_secret_deal_is_spanish_on_its_sheets_and_on_the_screen(
    documents: list[Document], capsys: Captured, tmp_path: Path
) -> None:
    out = str(tmp_path / "deal")
    assert run(["deal", "--seed", "7", "--open", "--lang", "es", "--out", out]) in (0, None)
    (game,) = (tmp_path / "deal").iterdir()
    turns = [f"{player} {player.lower()}{1 + zone // 2} {1 + zone}" for zone, player in enumerate("ABABABAB")]
    placed = [part for turn in turns for part in ("--place", turn)]
    assert run(["status", str(game), *placed, "--lang", "es", "--out", out]) in (0, None)
    assert run(["reveal", str(game), "--sheet", "a0", "--lang", "es", "--out", out]) in (0, None)
    told = capsys.readouterr()
    said = {
        "screen": set((told.out + told.err).replace(str(tmp_path), "").replace("printkit map", "").splitlines()),
        **_on_sheets(documents),
    }
    assert len(said) >= 7
    found = {title: sorted({word for line in lines for word in english(line)}) for title, lines in said.items()}
    assert {title: words for title, words in found.items() if words} == {}


def test_bounds_armies_leagues_and_boxes_are_spanish(
    documents: list[Document], capsys: Captured, tmp_path: Path
) -> None:
    battle, march, box, league = (str(tmp_path / name) for name in ("battle.toml", "march.toml", "box.toml", "league"))
    assert run(["npg", "new", "gallic", "spartan", "--out", battle, "--lang", "es"]) in (0, None)
    told = _said(capsys, "npg", "compose", "gallic", "polybian-roman", "--seed", "4", "--verbose")
    told += _said(capsys, "npg", "compose", "gallic", "polybian-roman", "--set", "mode=ranges")
    for stage in ("terrain", "edge", "deploy"):
        told += _said(capsys, "npg", stage, battle, "--seed", "4")
    for more in ([], ["--lost", "3,0", "--camp-lost", "npg"], ["--override"], ["--odds", "1/6,1/12"], ["--undo"]):
        told += _said(capsys, "npg", "bound", battle, *more)
    told += _said(capsys, "npg", "show", battle, "--npg")
    told += _said(capsys, "columns", "new", march, "gallic", "polybian-roman")
    for side, die in (("attacker", "6"), ("defender", "1")):
        told += _said(capsys, "columns", "bound", march, side, die)
    told += _said(capsys, "columns", "show", march)
    small = ["--rules", "dba3", "--sheet", "a0", "--dressing", "none", "--style", "ink-saver"]
    assert run(["league", "new", league, "--games", "1", "--seed", "5", *small, "--lang", "es"]) in (0, None)
    told += _said(capsys, "league", "result", f"{league}/1", "Gana Ana", "--players", "Ana, Luis")
    told += _said(capsys, "league", "show", league)
    told += _said(capsys, "box", "new", "--rules", "dba3", "--out", box)
    told += _said(capsys, "box", "show", box, "--out", str(tmp_path / "box.pdf"))
    for written in (battle, march, box):
        told += "\n".join(row.partition("#")[2] for row in Path(written).read_text(encoding="utf-8").splitlines())
    told = told.replace(str(tmp_path), "")
    typed = TYPED | {"near", "far", "left", "right", "title", "size", "length", "width", "waterway"}
    found = sorted({f"{word}: {line}" for line in told.splitlines() for word in english(line, typed)})
    assert not found, "\n".join(found)
    sheets = {word for lines in _on_sheets(documents).values() for line in lines for word in english(line, NAMES)}
    assert sheets == set()
