"""A setting changes every text that speaks of it, and no other."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from playing import BOOK, play, rules

from printkit.content.cards import Card, Deck
from printkit.core.words import Words
from printkit.kit.rules import Rules
from printkit.options.printing import PrintOptions
from printkit.recipes.output.printers import print_context
from printkit.systems.brantley.dealing.decks import decks
from printkit.systems.brantley.sheets.boards import build_form_leaflet

ENGLISH = Words(("en",))
DRAFTER = print_context(PrintOptions(style="ink-saver"), ENGLISH).drafter

TOUCHED: Mapping[str, tuple[str, set[str]]] = {
    "br-q02": ("B", {"record"}),
    "br-q12": ("none", {"record"}),
    "br-q15": ("clear-only", {"record"}),
    "br-q16": ("ford", {"record", "reference"}),
    "br-q19": ("B", {"record", "reference", "form"}),
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
"""A value of each setting, and the texts that it changes."""

SEEDS = {**dict.fromkeys(("br-q15", "br-q16", "river-width", "river-limit", "road-limit"), 2), "br-q12": 4}
"""The seed of the game in which a setting shows, where the first does not do."""


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
        "form": build_form_leaflet(180.0, DRAFTER, game, None),
    }


@pytest.mark.parametrize("key", TOUCHED)
def test_a_setting_changes_every_text_that_speaks_of_it(key: str):
    value, due = TOUCHED[key]
    usual, changed = texts(key, {}), texts(key, {key: value})
    assert {name for name in usual if usual[name] != changed[name]} == due


def test_every_setting_is_in_the_table():
    assert set(TOUCHED) == {setting.key for setting in BOOK.settings}
