"""Whatever setting is changed, every sheet that speaks of it changes, and no other."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest
from forces import force
from solo_games import RULES, rules

from printkit.core.words import Words, find
from printkit.systems.solo.armies.composition_text import modifier_text
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import Mode, applied
from printkit.systems.solo.battle.facts import question_of
from printkit.systems.solo.battle.lines import move_lines, title_of
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.decks import summary_deck
from printkit.systems.solo.cards.pair import Pair
from printkit.systems.solo.cards.pair_cards import pair_cards
from printkit.systems.solo.cards.reference import reference_cards
from printkit.systems.solo.cards.sheet_deployment import deployment
from printkit.systems.solo.cards.sheet_setup import set_up
from printkit.systems.solo.cards.sheet_values import SheetCase
from printkit.systems.solo.tactics.situation import NAMES
from printkit.systems.solo.tactics.tactics_tables import Stance

PAIRS = (
    (force("n1", "Cv* 3, Kn 1, LH 2, Sp 3, Ax 1, Ps 2", "arable", 2), force("y1", "Cv* 4, El 1, Sp 2, Bd 5", "dry", 1)),
    (force("n2", "Bd* 3, Sp 3, Bw 6", "littoral", 2), force("y2", "El* 2, Cv 2, Ps 2, Sp 2, Bw 4", "littoral", 1)),
)
"""Armies of which the counts lie where a setting decides."""

TOUCHES: Mapping[str, tuple[str, str]] = {
    "scale": ("25mm", "R05 R07 R11 X2 X6 S1 asked told"),
    "use_bua": ("false", "R03 R05 R09 X1 S1"),
    "bridge_model": ("true", "R06"),
    "solo_terrain": ("npg", "R01"),
    "big_area_sqin": ("8", "R07 X2 S1 asked told"),
    "centre_fraction": ("0.4", "R07 X2 S1 asked told"),
    "front_depth_in": ("5", "R07 X2 S1 asked told"),
    "grouping": ("greedy", "R10 X5 S1"),
    "swap": ("auto", "R01 R15 X9"),
}
"""By setting another value, and the cards, sheets and lines at the terminal that speak of it."""

SILENT = {"npg", "you", "home", "mode"}
"""Settings of which no sheet speaks: armies and home are told by name, the mode says what is filled in."""


def texts(game: SoloRules, words: Words) -> dict[str, str]:
    """Return everything that is printed or told, by the card or the sheet."""
    text = CardText(words, game)
    found = {card.id: repr((card.blocks, card.back, card.facts)) for card in reference_cards(text)}
    for npg, you in PAIRS:
        pair = Pair(npg=npg, you=you, rules=game)
        for card in pair_cards(pair, words):
            found[card.id] = found.get(card.id, "") + repr(card.blocks)
        case = SheetCase(mode=Mode.RANGES, rules=game, pair=pair)
        found["S1"] = found.get("S1", "") + repr((set_up(case, text), deployment(case, text)))
    found["summary"] = repr(summary_deck(words, game).cards[0].blocks)
    found["moves"] = "\n".join(line for stance in Stance for line in move_lines(stance, text))
    found["asked"] = "\n".join(question_of(name, text) for name in NAMES if not name.startswith("left_flank.bad_ahead"))
    own = [clause for clause in game.book.clauses if words.has(f"npg.battle.modifier.{clause}")]
    found["told"] = "\n".join(title_of(clause, text) for clause in own)
    generals = [each.condition for each in game.outcomes("general").modifiers]
    found["composing"] = "\n".join(modifier_text(applied(clause, 1, fact=True), game, words) for clause in generals)
    return found


@cache
def usual(language: str) -> dict[str, str]:
    """Return everything that is printed or told by the usual settings."""
    return texts(RULES, find(language))


def test_the_table_knows_every_setting() -> None:
    assert set(TOUCHES) | SILENT == {setting.key for setting in RULES.book.settings}


@pytest.mark.parametrize("setting", TOUCHES)
def test_a_setting_changes_every_sheet_that_speaks_of_it(setting: str) -> None:
    value, touched = TOUCHES[setting]
    for language in ("en", "es"):
        before, changed = usual(language), texts(rules(**{setting: value}), find(language))
        names = set(before) | set(changed)
        assert {name for name in names if changed.get(name) != before.get(name)} == set(touched.split()), language


@pytest.mark.clause("AMB-19")
def test_on_a_larger_board_the_bands_of_rivers_are_the_same_parts_of_it() -> None:
    assert "9–18 in" in texts(rules(scale="25mm"), find("en"))["R05"]
