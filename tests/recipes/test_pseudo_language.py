"""A language that is a folder alone, and a third longer than English: every card of every system is printed in it."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from card_deck import reach, said, texts
from imports import ROOT
from msgspec.structs import replace
from set_evenings import evening_set, no_boards

from printkit.cli.app import run
from printkit.content.cards import Deck
from printkit.content.prose import Paragraph
from printkit.core import resources, words
from printkit.core.words import Words, _shelf, catalogue, find
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.cards.faces import faces
from printkit.drawing.cards.sizes import find_size
from printkit.drawing.lettering.extent import Extent
from printkit.export import pdf
from printkit.kit import registry
from printkit.kit.plugin import load
from printkit.kit.registry import BUILT_IN, plugin


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tools_pseudo", ROOT / "tools" / "languages" / "pseudo.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PSEUDO = _tool()


@pytest.fixture(name="spoken", scope="module")
def _spoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Words]:
    """Return the words of the pseudo-language, which is a folder and nothing else."""
    folder = tmp_path_factory.mktemp("languages")
    PSEUDO.write(folder)
    before = list(resources._BROUGHT)
    resources.bring(folder)
    words.forget()
    yield find(PSEUDO.CODE)
    resources._BROUGHT[:] = before
    words.forget()


def test_a_sentence_keeps_what_a_translator_keeps_and_grows_by_a_third() -> None:
    grown = PSEUDO.pseudo("Place the pieces by {count} rolls of **2D6**, as --set says")
    assert all(kept in grown for kept in ("{count}", "**2D6**", "--set"))
    long = "the quick brown fox jumps over the lazy dog and goes home again"
    letters = len(long.replace(" ", ""))
    assert len(PSEUDO.pseudo(long).replace(" ", "")) == pytest.approx(letters * (1 + PSEUDO.LONGER), abs=3)


def test_the_pseudo_language_lacks_nothing(spoken: Words) -> None:
    assert set(catalogue(spoken.code)) == set(catalogue("en"))


def _decks(name: str, spoken: Words) -> Iterator[Deck]:
    yield from registry.find(name).decks(spoken, None)
    free = plugin(name).free_decks
    yield from (load(free.deck)(each, spoken, seed=1, copies=1) for each in free.names)


def _is_cut(box: Extent, side: Drawing) -> bool:
    """Return whether a bound in hundredths of a millimetre comes nearer the cut than 3 mm, but for a hair."""
    return min(box.left, box.bottom, 100 * side.width - box.right, 100 * side.height - box.top) < 297


@pytest.mark.parametrize("size", ["mini", "47x101"])
@pytest.mark.parametrize("name", BUILT_IN)
def test_every_deck_is_printed_on_small_cards_with_every_word_in_its_card(name: str, size: str, spoken: Words) -> None:
    small, plain = find_size(size), style.find("ink-saver")
    for deck in _decks(name, spoken):
        # All bound cards say the same words.
        cards = deck.cards[:2] if deck.name == "bound" else deck.cards
        made = faces(replace(deck, cards=cards), small, style=plain, words=spoken)
        sides = [side for face in made for side in (face.front, face.back) if side is not None]
        cut = [text.content for side in sides for text in texts(side) if _is_cut(reach(text), side)]
        assert (deck.name, cut) == (deck.name, [])
        told = "".join(said(side) for side in sides).replace(" ", "").replace("-", "")
        for card in cards:
            for block in (*card.blocks, *card.back):
                if isinstance(block, Paragraph):
                    missing = [
                        word for word in block.text.replace("*", " ").split() if word.replace("-", "") not in told
                    ]
                    assert (deck.name, card.id, missing) == (deck.name, card.id, [])


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_sheet_of_an_evening_is_set(name: str, spoken: Words, monkeypatch: pytest.MonkeyPatch) -> None:
    made = evening_set(name, spoken, monkeypatch)
    assert min(part.sheets for part in made.parts) >= 1


SHEETS = (
    ("deal", "--open", "--seed", "7"),
    ("hexon", "--rules", "portable-1", "--seed", "7"),
    ("npg", "sheets", "gallic", "polybian-roman", "--seed", "7"),
    ("npg", "counters", "gallic"),
    ("cards", "booklet"),
    ("cards", "kit"),
    ("map", "--blank", "--rules", "acw"),
    ("map", "--blank", "--rules", "collision-course"),
    ("map", "--blank", "--rules", "portable-2", "--scale", "fit"),
)
"""Commands that print sheets which no evening has."""


@pytest.mark.parametrize("command", SHEETS, ids=lambda command: "-".join(command[:2]))
def test_every_sheet_beside_an_evening_is_set(
    command: tuple[str, ...], spoken: Words, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    no_boards(monkeypatch)
    monkeypatch.setattr(pdf, "data", lambda _: b"%PDF")
    assert run([*command, "--lang", spoken.code, "--quiet", "--out", str(tmp_path)]) in (0, None)


def test_a_text_that_no_sheet_holds_is_found(
    spoken: Words, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(_shelf(spoken.code, "npg"), "npg.sheet.bound.number", "Unbreakable" * 9)
    assert run(["npg", "sheets", "--lang", spoken.code, "--quiet", "--out", str(tmp_path)]) == 1
    assert "Unbreakable" in capsys.readouterr().err
