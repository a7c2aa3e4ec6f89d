"""Whatever setting is changed, every sheet that speaks of it changes, and no other."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest
from forces import force
from msgspec.structs import replace
from solo_games import RULES, rules

from printkit.core.words import Words, find
from printkit.systems.solo.armies.composition_text import modifier_text
from printkit.systems.solo.armies.force import Force
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


def crossbows(army: Force) -> Force:
    """Return an army whose bows are crossbows."""
    return replace(
        army, elements=tuple(replace(each, code="Cb") if each.code == "Bw" else each for each in army.elements)
    )


PAIRS = (
    (force("n1", "Cv* 3, Kn 1, LH 2, Sp 3, Ax 1, Ps 2", "arable", 2), force("y1", "Cv* 4, El 1, Sp 2, Bd 5", "dry", 1)),
    (force("n2", "Bd* 3, Sp 3, Bw 6", "littoral", 2), force("y2", "El* 2, Cv 2, Ps 2, Sp 2, Bw 4", "littoral", 1)),
    (
        crossbows(force("n3", "Kn* 1, El 1, Ax 1, Sp 4, Bw 5", "arable", 2)),
        crossbows(force("y3", "El* 2, Kn 1, Art 2, Sp 2, Bw 5", "hilly", 1)),
    ),
)
"""Armies of which the counts lie where a setting decides."""

TOUCHES: Mapping[str, tuple[str, str]] = {
    "scale": ("25mm", "R05 R07 R11 X2 X6 S1 asked told"),
    "unknown": ("ask", "R01"),
    "use_bua": ("false", "R03 R05 R09 X1 S1"),
    "bridge_model": ("true", "R06"),
    "tie_redice": ("all", "R02"),
    "pike_parity": ("strict", "R02"),
    "general_tie": ("ask", "R02"),
    "slower": ("some", "R02 composing"),
    "general_match": ("code", "R02 composing"),
    "bow_aliases": ("false", "R02 R03 X5 X9 S1 composing"),
    "el_mounted": ("false", "R03 R04 R08 R12 R16 summary X1 X3 X5 S1 told"),
    "artillery_is_infantry": ("true", "R02 R09 told"),
    "solo_terrain": ("npg", "R01"),
    "m4_replaces_m2": ("true", "R03"),
    "cap_counts_compulsory": ("false", "R04 X1"),
    "opt_tie": ("all", "R04"),
    "bua_is_bad_going": ("true", "R04 R05"),
    "flank_view": ("human", "R12 R13 X5"),
    "straddle": ("if_needed", "R06"),
    "river_measure": ("bank", "R05"),
    "bua_road": ("bend", "R06"),
    "same_road": ("true", "R06"),
    "big_area_sqin": ("8", "R07 X2 S1 asked told"),
    "centre_fraction": ("0.4", "R07 X2 S1 asked told"),
    "front_depth_in": ("5", "R07 X2 S1 asked told"),
    "bua_side": ("whole", "R09 X4 asked told"),
    "m5_reading": ("ps_needed", "R09 X4 S1 told"),
    "garrison_even_pk": ("true", "R09"),
    "garrison_counts": ("start", "R09 X4 S1"),
    "grouping": ("greedy", "R10 X5 S1"),
    "el_ax_always": ("true", "R10 X5 S1"),
    "mixed_mounted": ("max", "R12 X5 S1 told"),
    "lead": ("any", "R12 X5 S1"),
    "high_cf": ("bd,sp", "R12 told"),
    "ground_ahead": ("group", "R12 told"),
    "rank_die": ("group", "R14"),
    "landing_fill": ("true", "R13"),
    "swap": ("auto", "R01 R15 X9"),
    "last_stand": ("at_least", "R17 summary told"),
    "losses": ("troops", "R17 R18"),
    "rearrange": ("with_repair", "P-A P-C P-D G4 summary moves"),
    "list_walk": ("down", "R01 P-A P-C P-D moves"),
    "level_counts": ("table", "R16 X7"),
}
"""By setting another value, and the cards, sheets and lines at the terminal that speak of it."""

SILENT = {"npg", "you", "home", "mode", "no_fit", "bands"}
"""Settings of which no sheet speaks: armies and home are told by name, others say what the program does; the bands of a
river are the same on the board for 15 mm figures."""


def texts(game: SoloRules, words: Words) -> dict[str, str]:
    """Return everything that is printed or told, by the card or the sheet."""
    text = CardText(words, game)
    found = {card.id: repr((card.blocks, card.back, card.facts)) for card in reference_cards(text)}
    for armies in PAIRS:
        npg, you = (replace(army, classing=game.classing) for army in armies)
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


def test_bands_in_inches_change_the_card_of_rivers_on_a_larger_board() -> None:
    large = {bands: texts(rules(scale="25mm", bands=bands), find("en"))["R05"] for bands in ("board", "inches")}
    assert "9–18 in" in large["board"]
    assert "6–12 in" in large["inches"]
