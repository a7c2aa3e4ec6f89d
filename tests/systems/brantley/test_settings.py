"""A setting changes every text that speaks of it, and no other."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from playing import BOOK, play, rules

from printkit.content.cards import Card, Deck
from printkit.core.words import Words
from printkit.drawing.canvas import style as styles
from printkit.kit.rules import Rules
from printkit.page import sheet as sheets
from printkit.recipes.output.printers import SheetRequest
from printkit.systems.brantley.dealing.decks import decks
from printkit.systems.brantley.sheets.boards import form_leaflet

ENGLISH = Words(("en",))
DRAFTER = SheetRequest(sheet=sheets.find("a4"), words=ENGLISH, style=styles.find("ink-saver")).drafter

TOUCHED: Mapping[str, tuple[str, set[str]]] = {
    "br-q01": ("alternate", {"record"}),
    "br-q02": ("B", {"record"}),
    "br-q03": ("owner", {"record", "reference"}),
    "br-q04": ("woods-first", {"record", "reference", "terrain", "form"}),
    "br-q05": ("skip", {"record"}),
    "br-q06": ("six", {"record"}),
    "br-q07": ("inner-too", {"record"}),
    "br-q08": ("bad", {"record", "reference", "terrain", "ground"}),
    "br-q09": ("allow", {"reference"}),
    "br-q10": ("opposite-only", {"record", "reference"}),
    "br-q11": ("deployer-order", {"record", "reference"}),
    "br-q12": ("none", {"record"}),
    "br-q14": ("deferred", set()),
    "br-q15": ("clear-only", {"record"}),
    "br-q16": ("ford", {"record", "reference"}),
    "br-q17": ("A-wins", {"record", "reference", "form"}),
    "br-q18": ("80", {"record"}),
    "br-q19": ("agree", {"record", "reference", "form"}),
    "agreed-winner": ("B", {"record", "reference"}),
    "br-q20": ("clear", {"record", "reference"}),
    "policy-a": ("clear-centre", {"record"}),
    "policy-b": ("terrain-hungry", {"record"}),
    "steep": ("facing-enemy", {"record"}),
    "margin": ("1.0", {"record"}),
    "river-width": ("0.8", {"record"}),
    "river-limit": ("1.1", {"record"}),
    "road-width": ("0.6", {"record"}),
    "road-limit": ("1.02", {"record"}),
}
"""A value of each setting, and the texts that it changes. What BR-Q09 and BR-Q14 allow, only recorded courses do."""

ONE_READING = {f"br-q{number}" for number in (13, 21, 22, 23, 24, 25, 26)}

SEEDS = {
    **dict.fromkeys(("br-q07", "br-q15", "br-q16", "br-q17", "river-width", "river-limit", "road-limit"), 2),
    "br-q05": 32,
    "br-q12": 4,
}
"""The seed of the game in which a setting shows, where the first does not do."""
ALSO = {"agreed-winner": {"br-q19": "agree"}}


def faces(deck: Deck) -> tuple[Card, ...]:
    return tuple(card for card in deck.cards if card.index is not None or deck.reference)


def texts(key: str, settings: Mapping[str, str]) -> dict[str, object]:
    """Return what a game says with settings, by the name of the sheet; the cards as values, before they are drawn."""
    game: Rules = rules(settings)
    terrain, reference = decks(game, ENGLISH)
    outcome = play(seed=SEEDS.get(key, 1), settings=settings)
    return {
        "record": (outcome.battlefield, outcome.log, outcome.details),
        "terrain": faces(terrain),
        "reference": faces(reference),
        "ground": game.goings(),
        "form": form_leaflet(180.0, DRAFTER, game, None),
    }


@pytest.mark.parametrize("key", TOUCHED)
def test_a_setting_changes_every_text_that_speaks_of_it(key: str):
    value, due = TOUCHED[key]
    also = ALSO.get(key, {})
    usual, changed = texts(key, also), texts(key, {**also, key: value})
    assert {name for name in usual if usual[name] != changed[name]} == due


def test_every_setting_is_in_the_table():
    assert set(TOUCHED) | ONE_READING == {setting.key for setting in BOOK.settings}
    assert {setting.key for setting in BOOK.settings if len(setting.values) == 1 and not setting.open} == ONE_READING
