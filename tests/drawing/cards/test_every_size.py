"""Every deck on small, usual, large and odd cards, in English and a language a third longer: all of it can be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import pytest
from card_deck import beyond, said, texts
from msgspec.structs import replace
from pseudo_language import PSEUDO, spoken_in

from printkit.content.cards import Card, Deck
from printkit.content.prose import Paragraph, ScoreTable, Table
from printkit.core.words import Words, catalogue, find_words
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Drawing, Font, Layer, LayerName
from printkit.drawing.cards import text_card
from printkit.drawing.cards.faces import CardFace, faces
from printkit.drawing.cards.layouts import find_size
from printkit.drawing.cards.long_text import has_clash
from printkit.drawing.lettering.lettering import clean_text
from printkit.kit import registry
from printkit.kit.plugin import load
from printkit.kit.registry import BUILT_IN, plugin

SIZES = ("mini", "poker-63x88", "tarot", "47x101")
CASES = (*((PSEUDO.CODE, size) for size in SIZES), ("en", "mini"), ("en", "tarot"))
"""What is longer has less room, so English is tried on the smallest and the largest cards alone."""

LATO = (Font.FIGURES, Font.FIGURES_ITALIC, Font.FIGURES_MEDIUM, Font.BANNER, Font.HEAVY)


@pytest.fixture(name="languages", scope="module")
def _languages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Words]]:
    with spoken_in(tmp_path_factory.mktemp("languages")) as words:
        yield {"en": find_words("en"), PSEUDO.CODE: words}


@pytest.fixture(autouse=True)
def _no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the pictures of cards empty: only what stands about them is looked at."""
    monkeypatch.setattr(text_card, "picture", lambda *_: Layer(LayerName.PAPER, ()))


def _decks(name: str, words: Words) -> Iterator[Deck]:
    free = plugin(name).free_decks
    found = {deck.name: deck for deck in registry.find(name).decks(words, None)}
    found |= {each: load(free.deck)(each, words, seed=1, copies=1) for each in free.names}
    for deck in found.values():
        # All bound cards say the same words.
        yield replace(deck, cards=deck.cards[:2]) if deck.name == "bound" else deck


@cache
def _all_words(code: str) -> str:
    return " ".join(catalogue(code).values())


def _broken(side: Drawing, code: str) -> set[str]:
    """Return the beginnings of words that are parted with a hyphen which they do not have."""
    parted = {word for text in texts(side) for word in text.content.split() if word.endswith("-") and len(word) > 1}
    return {word for word in parted if word not in _all_words(code)}


def _small(side: Drawing) -> set[str]:
    least = {font: 6.5 if font in LATO else 7.0 for font in Font}
    return {text.content for text in texts(side) if text.size_pt < least[text.font] - 0.01}


def _unsaid(deck: Deck, made: Sequence[CardFace]) -> set[str]:
    """Return the words of texts and tables of a deck that stand nowhere on its cards."""
    whole = "".join(said(side) for face in made for side in (face.front, face.back) if side is not None)
    whole = whole.replace(" ", "").casefold()
    told: list[str] = []
    for block in (block for card in deck.cards for block in (*card.blocks, *card.back)):
        match block:
            case Paragraph():
                told.append(block.text)
            case ScoreTable() | Table():
                told += [cell for row in block.rows for cell in row]
    words = {word for text in told for word in clean_text(text).replace("*", " ").split()}
    return {word for word in words if not all(bit in whole for bit in word.casefold().split("-"))}


@pytest.mark.parametrize(("code", "size"), CASES)
@pytest.mark.parametrize("name", BUILT_IN)
def test_a_deck_can_be_read_on_cards_of_any_size(name: str, code: str, size: str, languages: dict[str, Words]) -> None:
    small, plain = find_size(size), style.find("ink-saver")
    for deck in _decks(name, languages[code]):
        made = faces(deck, small, style=plain, words=languages[code])
        sides = [side for face in made for side in (face.front, face.back) if side is not None]
        assert {(side.width, side.height) for side in sides} == {(small.width, small.height)}
        if deck.backs == "content":
            # What lies behind a card is its own, whole sheet by whole sheet.
            assert all(face.back is not None for face in made)
        for side in sides:
            assert (deck.name, list(beyond(side, small.width, small.height))) == (deck.name, [])
            assert (deck.name, _broken(side, code)) == (deck.name, set())
            assert (deck.name, _small(side)) == (deck.name, set())
            assert not has_clash(side), (deck.name, said(side))
        assert (deck.name, _unsaid(deck, made)) == (deck.name, set())


def test_a_word_that_has_no_room_would_be_found() -> None:
    card = Card(id="X", title="One", blocks=(Paragraph("A " + "unbreakable" * 9),))
    deck = Deck(name="x", title="X", cards=(card,))
    made = faces(deck, find_size("mini"), style=style.find("ink-saver"), words=find_words("en"))
    assert any(_broken(face.front, "en") for face in made)


@pytest.mark.parametrize(("size", "angle"), [("mini", 90.0), ("poker-63x88", 0.0)])
def test_a_plan_lies_on_its_side_where_its_card_is_too_narrow(size: str, angle: float) -> None:
    (deck,) = (each for each in registry.find("solo-dba").decks(find_words("en"), None) if each.name == "npg")
    planned = replace(deck, cards=tuple(card for card in deck.cards if card.id == "R13"))
    made = faces(planned, find_size(size), style=style.find("ink-saver"), words=find_words("en"))
    backs = [text for face in made if face.back is not None for text in texts(face.back)]
    assert {text.angle for text in backs if text.content == "Reserve, 200p behind"} == {angle}
