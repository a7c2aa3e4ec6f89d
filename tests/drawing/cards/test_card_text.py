"""Cards of text: the largest type in which they fit, what does not fit, backs, cards to write on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from card_deck import GOOD, TEXT, bench, deck, layer, made, said, texts
from msgspec.structs import replace

from printkit.content.cards import Art, Banner, Card, Index, Suit
from printkit.content.prose import Block, Paragraph, Steps
from printkit.core import words
from printkit.core.errors import PageError
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Drawing, Font, LayerName
from printkit.drawing.cards.faces import blank_faces, front
from printkit.drawing.cards.sizes import find_size, known
from printkit.drawing.cards.text_card import card_text_styles
from printkit.drawing.lettering.lettering import width

CAPACITIES = Path(__file__).parents[3] / "docs" / "cards.md"
SAMPLE = "Groups in bad going halt at its edge unless the general is with them; then they go on by 200 paces."
"""English as it stands on cards, to count how many letters a line has."""


def lines(count: int) -> tuple[Block, ...]:
    """Return so many blocks of one line without gaps."""
    return (Steps(("word",) * count),)


def size_of_text(drawing: Drawing) -> float:
    return next(text.size_pt for text in texts(drawing) if text.content == "word")


@pytest.mark.parametrize(("count", "size_pt"), [(4, 8.0), (18, 8.0), (19, 7.5), (20, 7.0), (22, 7.0)])
def test_text_is_set_in_the_largest_type_in_which_it_fits(count: int, size_pt: float) -> None:
    assert size_of_text(front(Card(id="R1", title="R", blocks=lines(count)), bench())) == size_pt


@pytest.mark.parametrize("side", ["front", "back"])
def test_what_does_not_fit_runs_on_and_each_part_says_which_it_is(side: str) -> None:
    """No word is lost, and every side has the same frame."""
    numbers = [f"word{number}" for number in range(11 * 40)]
    blocks = (Paragraph(" ".join(numbers)),)
    card = Card(id="R7", title="R", blocks=blocks) if side == "front" else Card(id="R7", title="R", back=blocks)
    cards = made(deck(card, backs="content"))
    sides = [shown for face in cards for shown in (face.front, face.back) if shown is not None]
    told = [word for shown in sides for text in texts(shown) for word in text.content.split() if "word" in word]
    assert sorted(told) == sorted(numbers)
    assert [face.id for face in cards] == ["R7"] * len(cards)
    parts = sum("of" in said(shown) for shown in sides)
    assert parts == len([shown for shown in sides if any("word" in text.content for text in texts(shown))]) > 1


def test_what_runs_on_is_not_shuffled_in_among_cards_with_a_secret_back() -> None:
    """Each card stays one card; its other part lies aside, with a white back, once for all that say the same."""
    long = (Paragraph(" ".join(["word"] * 11 * 40)),)
    same = [Card(id=name, title="R", blocks=long) for name in "AB"]
    cards = made(deck(*same, Card(id="C", title="S"), backs="secret"))
    assert [face.id for face in cards[:3]] == ["A", "B", "C"]
    assert all(face.back is not None for face in cards[:3])
    assert {face.id for face in cards[3:]} == {"A"}
    assert all(face.back is None for face in cards[3:])


def test_a_larger_card_has_larger_type() -> None:
    plan = bench("tarot")
    assert size_of_text(front(Card(id="R1", title="R", blocks=lines(3)), plan)) == pytest.approx(8 * 70 / 63)


def test_title_index_and_foot_stand_on_the_card() -> None:
    card = replace(TEXT, index=Index("K", Suit.HEARTS), banner=(Banner.BAD, "Bad going"))
    drawing = front(card, bench())
    for text in ("Aggression", "K", "R16", "1 of 2", "BAD GOING", "Throw."):
        assert text in said(drawing)
    foot = next(text for text in texts(drawing) if text.content == "R16")
    assert (foot.size_pt, foot.at) == (7.0, (3.0, 3.0))


def test_a_title_of_two_languages_shrinks_and_then_parts() -> None:
    short = front(replace(TEXT, title="Level · Nivel"), bench())
    long = front(replace(TEXT, title="The aggression of the general · La agresividad del general"), bench())
    capitals = [
        [text for text in texts(side) if text.font is Font.SMALL_CAPITALS and text.at[1] > 76] for side in (short, long)
    ]
    assert [text.content for text in capitals[0]] == ["Level · Nivel"]
    assert [text.content for text in capitals[1]] == ["The aggression of the general", "La agresividad del general"]
    assert capitals[1][0].size_pt < capitals[0][0].size_pt


@pytest.mark.parametrize("art", [None, Art(())])
def test_a_title_that_is_too_long_is_refused(art: Art | None) -> None:
    title = "The Aggression of the Most Excellent General and of all his Officers · La agresividad"
    with pytest.raises(PageError, match=r"^card R16: its title 'The .*' does not fit \d+ mm on two rows at 7 pt"):
        front(Card(id="R16", title=title + " de todos los oficiales", art=art), bench())


def test_a_foot_that_is_too_long_is_refused() -> None:
    with pytest.raises(PageError, match=r"card R16: its foot 'once.*' is too long; \d+ mm are free at 7 pt"):
        front(replace(TEXT, foot="once and again " * 8), bench())


def test_backs_are_what_the_deck_says() -> None:
    secret, content, none = (made(deck(TEXT, GOOD, backs=backs)) for backs in ("secret", "content", "none"))
    assert secret[0].back is not None
    assert content[0].back is not None
    assert content[1].back is not None
    assert "Odds." in said(secret[0].back)
    assert "Odds." in said(content[0].back)
    assert "Aggression" in said(content[0].back)
    assert "10H" in said(content[1].back)
    assert none[0].back is none[1].back is None


@pytest.mark.parametrize("size", ["poker-63x88", "mini"])
def test_cards_to_write_on_are_ruled_and_have_the_back_of_the_deck(size: str) -> None:
    manner, language, card = style.find("campaign"), words.find("es"), find_size(size)
    found = blank_faces(3, card, style=manner, words=language, deck=deck(GOOD))
    assert len(found) == 3
    assert found[0].back == made(deck(GOOD), size, lang="es")[0].back
    assert blank_faces(1, card, style=manner, words=language, deck=deck(GOOD, backs="none"))[0].back is None
    ruled = blank_faces(1, card, style=manner, words=language, deck=deck(TEXT, backs="content"))[0]
    assert ruled.back == ruled.front
    assert said(ruled.front) == ""
    assert len(layer(ruled.front, LayerName.MARGIN)) > 5
    with pytest.raises(PageError, match="-1 blank cards"):
        blank_faces(-1, card, style=manner, words=language)


def test_the_capacities_of_the_docs_are_those_of_the_cards() -> None:
    table = CAPACITIES.read_text(encoding="utf-8")
    for name in known():
        assert capacity_row(name) in table, capacity_row(name)


def capacity_row(name: str) -> str:
    """Return the row of the docs for a size: lines x letters in each type that is tried at full leading."""
    plan = bench(name)
    box = plan.text.box
    cells = []
    for how in card_text_styles(plan)[-4:-1]:
        letters = box.width * len(SAMPLE) / width(SAMPLE, how.text.font, how.text.size_pt)
        cells.append(f"{int(box.height / how.row() + 1e-6)} × {int(letters)}")
    return f"| `{name}` | {box.width:g} × {box.height:.4g} | {' | '.join(cells)} |"


def test_a_card_of_text_stays_as_it_was(golden: Callable[[Drawing, str], None]) -> None:
    card = Card(id="R2", title="Level", blocks=(Paragraph("Throw **one** die."),), foot="2")
    golden(front(card, bench("mini", manner="ink-saver")), "card-text")
