"""The reference cards of both versions: they say what the very tables of the book say, and have room for it."""

from __future__ import annotations

import pytest

from printkit.content.cards import Deck
from printkit.content.prose import Scores, Table
from printkit.core.words import Words
from printkit.core.words import find as language
from printkit.drawing.canvas import style as styles
from printkit.drawing.canvas.items import Text
from printkit.drawing.cards.faces import faces
from printkit.drawing.cards.sizes import find_size
from printkit.kit.registry import find

VERSIONS = pytest.mark.parametrize("name", ["portable-1", "portable-2"])
LANGUAGES = pytest.mark.parametrize("words", [language("en"), language("es")], ids=["en", "es"])
LEAST_PT = 7.0


def deck(name: str, words: Words | None = None) -> Deck:
    (found,) = find(name).decks(words or language("en"))
    return found


def tables(found: Deck) -> list[tuple[tuple[str, ...], ...]]:
    blocks = (block for card in found.cards for block in (*card.blocks, *card.back))
    return [block.rows for block in blocks if isinstance(block, Table | Scores)]


@VERSIONS
@LANGUAGES
def test_every_card_has_room_for_its_text_at_seven_points(name: str, words: Words) -> None:
    made = faces(deck(name, words), find_size(), style=styles.find("campaign"), words=words)
    assert len(made) == 4
    for face in made:
        sides = [side for side in (face.front, face.back) if side is not None]
        assert len(sides) == 2
        sizes = [item.size_pt for side in sides for _, item in side.items() if isinstance(item, Text)]
        assert min(sizes) >= LEAST_PT


@pytest.mark.clause("PW1-11", "PW1-13", "PW1-14", "PW1-21", "PW1-30", "PW1-40", "PW1-51")
def test_the_tables_of_version_1_stand_by_country_and_score_and_courses_as_the_dice_have_them() -> None:
    found = tables(deck("portable-1"))
    hills = ("1 0 1 2 2+1", "2 1 1 4 3+1", "3 2 3 4 4+2", "4 2 3 6 5+2", "5 3 5 6 6+3", "6 3 5 8 7+3")
    assert tuple(tuple(row.split()) for row in hills) in found
    trees = {
        "Desert": "0 1 1 2 2 3",
        "Flat, undulating": "2 2 3 3 4 4",
        "Hilly": "2 3 3 4 4 5",
        "Mountains": "3 4 4 5 5 6",
        "Forest": "4 5 6 7 8 9",
    }
    assert tuple((country, *numbers.split()) for country, numbers in trees.items()) in found
    places = next(rows for rows in found if rows[-1] == ("6", "2s", "3s 2v 1t", "3t"))
    assert places[0] == ("1", "—", "1s", "2v")
    stations = {"middle": "5/12, 7/12", "left or upper part": "1/12, 3/12", "right or lower part": "9/12, 11/12"}
    for rows in (
        (("1–2", "top"), ("3–4", "right"), ("5", "bottom right corner"), ("6", "top right corner")),
        tuple(zip(("1–2", "3–4", "5–6"), (f"{part}: {shares}" for part, shares in stations.items()), strict=True)),
        (("1–4", "one area wide"), ("5–6", "two areas wide")),
        (("1–4", "ford"), ("5–6", "bridge")),
    ):
        assert rows in found


@pytest.mark.clause("PW2-10", "PW2-11", "PW2-20", "PW2-36", "PW2-50", "PW2-55", "PW2-57", "PW2-70", "PW2-73")
def test_the_numbers_and_die_tables_of_version_2_are_those_of_the_book() -> None:
    found = tables(deck("portable-2"))
    for rows in (
        (("Flat", "D6"), ("Undulating", "D6 + 2"), ("Hilly", "D6 + 4"), ("Mountains", "D6 + 6")),
        (("Wild, desert", "D6 − 3"), ("Rural", "D6"), ("Urban", "D6 + 2")),
        (("Rural", "D6 + 2"), ("Urban", "D6 − 2")),
        (("1–2", "one contour"), ("3–4", "2 contours"), ("5–6", "mountain")),
        (("1–3", "by 3D6, counted on"), ("4–6", "beside it: side die")),
        (("1", "settlement"), ("2", "village"), ("3–4", "town"), ("5 or more", "city")),
        (("1–3", "open field"), ("4–6", "orchard, olives, vines")),
    ):
        assert rows in found
    trees = next(rows for rows in found if rows[0] == ("Desert", "D6 − 2"))
    assert trees[-1] == ("Forest", "D6 + 4")


@VERSIONS
def test_two_languages_have_cards_of_their_own(name: str) -> None:
    found = deck(name, language("en+es"))
    assert len(found.cards) == len({card.id for card in found.cards}) == 8
    assert found.reference
    assert found.backs == "content"
    assert "{" not in str([(card.title, card.blocks, card.back) for card in found.cards])
