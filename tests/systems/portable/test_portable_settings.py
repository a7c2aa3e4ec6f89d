"""Settings change whatever speaks of them: the board, the reference cards, the verdicts; cards say what tables say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from spoiling import game

from printkit.chance.dice import Dice, Seeded
from printkit.content.cards import Deck
from printkit.content.prose import ScoreTable, Table
from printkit.core.words import Words
from printkit.core.words import find_words as language
from printkit.drawing.canvas import style as styles
from printkit.drawing.canvas.items import Text
from printkit.drawing.cards.faces import faces
from printkit.drawing.cards.layouts import find_size
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.systems.portable.decks import decks
from printkit.systems.portable.grid.sketch import Sketch
from printkit.systems.portable.grid.terms import build_sketch
from printkit.terrain.field.grids import grid_of

LAID, CARDS = "laid", "cards"
"""What a setting touches: what the dice put on the areas, and with it record, log and verdicts; the reference cards."""

BOTH: dict[str, tuple[str, str]] = {
    "grid": ("hex-6x8", LAID),
    "grid.hex": ("flat-odd-high", LAID),
    "preset": ("mountainous", LAID),
    "relief": ("hilly", LAID),
    "area": ("desert", LAID),
    "forested": ("yes", LAID),
    "climate": ("hot", LAID),
    "river": ("2", LAID),
    "road": ("2", LAID),
    "river-areas": ("2", f"{LAID} {CARDS}"),
    "crossing": ("bridge", f"{LAID} {CARDS}"),
    "numbers": ("by-area", f"{LAID} {CARDS}"),
    "hills": ("9", f"{LAID} {CARDS}"),
    "trees": ("9", f"{LAID} {CARDS}"),
}
TOUCHES: dict[str, dict[str, tuple[str, str]]] = {
    "portable-1": {
        **BOTH,
        "pw1.order": ("hills-first", f"{LAID} {CARDS}"),
        "pw1.course": ("chain", LAID),
        "pw1.river_width": ("0.9", LAID),
        "pw1.road_width": ("0.6", LAID),
        "pw1.sliver": ("0.4", LAID),
        "pw1.places": ("2-3", f"{LAID} {CARDS}"),
        "pw1.chains": ("on", f"{LAID} {CARDS}"),
        "mountains": ("2", f"{LAID} {CARDS}"),
        "settlements": ("4", f"{LAID} {CARDS}"),
        "villages": ("3", f"{LAID} {CARDS}"),
        "towns": ("3", f"{LAID} {CARDS}"),
    },
    "portable-2": {
        **BOTH,
        "railway": ("1", LAID),
        "lakes": ("3", f"{LAID} {CARDS}"),
        "marshes": ("die", f"{LAID} {CARDS}"),
        "habitation": ("9", f"{LAID} {CARDS}"),
        "fields": ("9", f"{LAID} {CARDS}"),
        "pw2.chains": ("off", f"{LAID} {CARDS}"),
        "pw2.exit": ("sep30", f"{LAID} {CARDS}"),
        "pw2.connect": ("off", f"{LAID} {CARDS}"),
        "pw2.rail_divert": ("0", f"{LAID} {CARDS}"),
        "pw2.orchards": ("off", f"{LAID} {CARDS}"),
    },
}
NEEDS: dict[str, dict[str, str]] = {
    "numbers": {"grid": "sq-6x6"},
    "pw2.connect": {"habitation": "20"},
    "pw2.rail_divert": {"railway": "2", "habitation": "12"},
}
"""What has to be asked for besides, so that there is anything of which the setting speaks."""

GAMES_TRIED = 12
CASES = [pytest.param(name, key, id=f"{name}-{key}") for name, table in TOUCHES.items() for key in table]


def settings(name: str, key: str) -> dict[str, str]:
    known = {setting.key for setting in find(name).book.settings}
    return {each: text for each, text in NEEDS.get(key, {}).items() if each in known}


def rules(name: str, given: dict[str, str]) -> Rules:
    return Rules.of(find(name).book, given)


def laid(name: str, given: dict[str, str], seed: int) -> Sketch:
    own = rules(name, given)
    grid = grid_of(own.choice("grid"), cell=100, grain=own.choice("grid.hex"))
    return build_sketch(find(name).steps, grid, own, {}, Dice(Seeded(seed)))  # type: ignore[attr-defined]


@cache
def cards(name: str, *given: tuple[str, str]) -> Deck:
    (found,) = decks(rules(name, dict(given)), language("en"))
    return found


def written(found: Deck) -> Iterator[str]:
    """Yield everything that stands on cards, as text."""
    return (str((card.title, card.blocks, card.back)) for card in found.cards)


@pytest.mark.parametrize("name", TOUCHES)
def test_every_setting_that_can_be_changed_is_in_the_table(name: str) -> None:
    changeable = {each.key for each in find(name).book.settings if len(each.values) > 1 or each.open or each.pattern}
    assert set(TOUCHES[name]) == changeable


@pytest.mark.parametrize(("name", "key"), CASES)
def test_a_setting_changes_what_speaks_of_it(name: str, key: str) -> None:
    text, touched = TOUCHES[name][key]
    usual = settings(name, key)
    changed = {**usual, key: text}
    tried = any(laid(name, usual, seed) != laid(name, changed, seed) for seed in range(GAMES_TRIED))
    assert tried == (LAID in touched)
    one, other = (list(written(cards(name, *given.items()))) for given in (usual, changed))
    assert (one != other) == (CARDS in touched)


@pytest.mark.parametrize("name", TOUCHES)
@pytest.mark.parametrize("code", ["en", "es"])
def test_the_cards_of_changed_games_have_room_for_their_text(name: str, code: str) -> None:
    given = {key: text for key, (text, touched) in TOUCHES[name].items() if CARDS in touched}
    words = language(code)
    # Numbers that are said leave out tables, and so give room: here every table stands, and the longest sentences.
    tables = [key for key in given if not text_of_a_number(given[key])]
    (found,) = decks(rules(name, {key: given[key] for key in tables}), words)
    for face in faces(found, find_size(), style=styles.find("campaign"), words=words):
        for side in (face.front, face.back):
            assert side is not None
            assert min(item.size_pt for _, item in side.items() if isinstance(item, Text)) >= 7.0


def text_of_a_number(text: str) -> bool:
    return text.isdigit() and len(text) == 1


@pytest.mark.parametrize(("name", "number"), [("portable-1", 2), ("portable-2", 4)])
def test_the_cards_of_a_game_are_those_of_its_record(name: str, number: int) -> None:
    words = language("en")
    record = game(name, number)
    (found,) = find(name).decks(words, record)
    assert list(written(found)) == list(written(cards(name, *record.settings.items())))
    assert list(written(found)) != list(written(cards(name)))


VERSIONS = pytest.mark.parametrize("name", ["portable-1", "portable-2"])
LANGUAGES = pytest.mark.parametrize("words", [language("en"), language("es")], ids=["en", "es"])
LEAST_PT = 7.0


def deck(name: str, words: Words | None = None) -> Deck:
    (found,) = find(name).decks(words or language("en"))
    return found


def tables(found: Deck) -> list[tuple[tuple[str, ...], ...]]:
    blocks = (block for card in found.cards for block in (*card.blocks, *card.back))
    return [block.rows for block in blocks if isinstance(block, Table | ScoreTable)]


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
