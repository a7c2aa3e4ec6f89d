"""Pair cards: faces left after everything known is counted, what is left out, and on what each card depends (8.6)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from forces import CST, DES, EVERY, HOP, LEG, MED, PHX, STP, TROOPS, WAG
from msgspec.structs import replace
from solo_games import RULES

from printkit.content.prose import Heading
from printkit.core.errors import UsageError
from printkit.core.words import find_words
from printkit.drawing.cards.faces import faces
from printkit.drawing.cards.layouts import find_size
from printkit.recipes.output.files import find_style
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.solo.armies.force import Element, Force, Side
from printkit.systems.solo.cards import pair_tables
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.pair import TWO_DICE, Pair, format_rolls_short, said
from printkit.systems.solo.cards.pair_cards import MAX_NAME_LETTERS, build_pair_cards, build_pair_deck
from printkit.systems.solo.cards.tables import frontages
from printkit.systems.solo.tactics.situation import Situation

EN = CardText(find_words("en"), RULES)


def pair(npg: Force, you: Force, attacker: Side | None = None, **facts: str) -> Pair:
    """Return two armies with the usual readings."""
    return Pair(npg=npg, you=you, rules=RULES, attacker=attacker, situation=Situation().knowing(facts, "given"))


def told(found: Mapping[str, tuple[int, ...]]) -> dict[str, str]:
    """Return faces as they are printed."""
    return {name: said(each, EN) for name, each in found.items()}


def fronts(npg: Force, you: Force) -> dict[str, object]:
    """Return what stands on the front of each card."""
    return {card.id: card.blocks for card in build_pair_cards(pair(npg, you), find_words("en"))}


@pytest.mark.clause("ST-75")
def test_terrain_camp_and_town_of_the_published_pair() -> None:
    found = pair_tables.find_terrain_rolls(pair(LEG, STP))
    assert found.compulsory_types == (Terrain.STEEP_HILL,)
    assert said(found.second[Terrain.STEEP_HILL], EN) == "4–6"
    assert told(found.number[False]) == {"2": "never", "3": "always"}
    assert told(found.number[True]) == {"2": "1", "3": "2–6"}
    camp = pair_tables.find_camp_faces(pair(LEG, STP))
    assert camp is not None
    assert told(camp.faces) == {"spear": "3–6", "followers": "1–2"}
    followers, spear = pair_tables.find_garrison_rolls(pair(LEG, STP))
    assert [said(each.own_half_faces, EN) for each in (followers, spear)] == ["3–6", "3–6"]
    assert [said(each.other_half_faces, EN) for each in (followers, spear)] == ["always", "always"]
    assert (followers.camp, followers.type, spear.camp, spear.type) == ("followers", "Bd", "spear", "Sp")


@pytest.mark.clause("ST-75")
def test_groups_landing_level_and_match_ups_of_the_published_pair() -> None:
    found = pair_tables.find_group_rolls(pair(LEG, STP))
    assert [each.places.sum for each in found] == [0, 0, 0, 4, 4]
    at_nothing, at_four = found[0].places.faces, found[3].places.faces
    names = ("reserve", "centre", "left", "right")
    assert [said(at_nothing[name], EN, TWO_DICE) for name in names] == ["2–4", "5–9", "10", "11–12"]
    assert [said(at_four[name], EN, TWO_DICE) for name in names] == ["never", "2–5", "6", "7–12"]
    assert format_rolls_short((), EN) == "–"
    assert pair_tables.find_landing_faces(pair(LEG, STP)) is None
    levels = told(pair_tables.find_level_faces(pair(LEG, STP)).faces)
    assert levels == {"defensive": "1–4", "neutral": "5–6", "aggressive": "never"}
    assert pair_tables.find_match_ups(EN.tactics, LEG, STP) == (("Ps", ("Cv",)),)
    assert pair_tables.find_match_ups(EN.tactics, STP, LEG) == (("Ps", ("Cv",)),)


@pytest.mark.clause("ST-75")
def test_the_cards_say_so() -> None:
    cards = {card.id: card for card in build_pair_cards(pair(LEG, STP), find_words("en"))}
    assert list(cards) == ["X1", "X2", "X3", "X4", "X5", "X7", "X8", "X9", "X10"]
    text = {name: str(card.blocks) for name, card in cards.items()}
    assert "A second Steep Hill: **4–6**" in text["X1"]
    assert "after one compulsory: two **never**, three **always**" in text["X1"]
    assert "two **1**, three **2–6**" in text["X1"]
    assert "('3–6', 'one Sp'), ('1–2', 'followers')" in text["X3"]
    assert "('**0**', '2–4', '5–9', '10', '11–12')" in text["X5"]
    assert "('**+4**', '–', '2–5', '6', '7–12')" in text["X5"]
    assert "('never', '**Aggressive** (+1)')" in text["X7"]
    assert text["X9"].count("('Ps', 'by Cv')") == 2
    assert "('**Cv**', '**A** 2/2', '**C** 6/1', '**C** 21/1')" in text["X10"]
    assert "LEG" in str(cards["X4"].back)
    assert "STP" in str(cards["X5"].back)
    assert "('**8**', 'LH', 'Light Horse')" in str(cards["X9"].back)
    # Garrisons stand under who holds the camp, where that matters.
    assert sum(isinstance(block, Heading) for block in cards["X4"].blocks) == 2


def test_an_open_modifier_keeps_its_box_and_shifts_the_faces() -> None:
    found = pair_tables.find_landing_faces(pair(CST, HOP))
    assert found is not None
    opened = {each.modifier.clause: said(each.faces["allowed"], EN) for each in found.open}
    assert list(opened) == ["SD-4.6-m1", "SD-4.6-m2", "SD-4.6-m3", "SD-4.6-m10", "SD-4.6-m11"]
    for each in found.open:
        shifted = [face for face in range(1, 7) if face + found.sum + each.modifier.amount >= 6]
        assert each.faces["allowed"] == tuple(shifted)
    attacking = pair_tables.find_landing_faces(pair(CST, HOP, Side.NPG))
    assert attacking is not None
    assert attacking.sum == found.sum + 3


def test_cards_and_modifiers_that_cannot_apply_are_left_out() -> None:
    def names(found: Pair) -> list[str]:
        return [card.id for card in build_pair_cards(found, find_words("en"))]

    assert names(pair(LEG, STP, Side.NPG)) == ["X2", "X3", "X5", "X7", "X8", "X9", "X10"]
    assert "X2" not in names(pair(LEG, STP, Side.YOU))
    assert "X4" not in names(pair(LEG, STP, Side.YOU, bua="none"))
    assert "X6" in names(pair(CST, MED))
    assert "X6" not in names(pair(CST, MED, waterway="none"))
    assert "X3" not in names(pair(WAG, DES))
    clauses = [each.clause for each in pair_tables.find_edge_modifiers(pair(LEG, STP))]
    assert clauses == [f"SD-4.1-m{number}" for number in (1, 2, 3, 4, 8, 9)]
    littoral = [each.clause for each in pair_tables.find_edge_modifiers(pair(LEG, CST))]
    assert {"SD-4.1-m6", "SD-4.1-m7"} <= set(littoral)


def test_one_option_changes_only_the_cards_that_depend_on_it() -> None:
    """A Light Horse less and a Cavalry more: no face changes, and no type comes or goes."""
    cavalry = Element(code="Cv", troop=TROOPS.get_type("Cv"))
    other = replace(STP, elements=(*STP.elements[:3], cavalry, *STP.elements[4:]))
    before, after = fronts(LEG, STP), fronts(LEG, other)
    assert before == after
    # Of YOUR Light Horse the last becomes a second Psiloi: no more than the number of features may change.
    psiloi = Element(code="Ps", troop=TROOPS.get_type("Ps"))
    other = replace(STP, elements=(*STP.elements[:-1], psiloi, psiloi)[1:])
    changed = {name for name, blocks in fronts(LEG, other).items() if blocks != before[name]}
    assert changed <= {"X1", "X4"}
    # An elephant brings match-ups, bars a garrison, and is mounted.
    elephant = Element(code="El", troop=TROOPS.get_type("El"))
    other = replace(STP, elements=(*STP.elements[:3], elephant, *STP.elements[4:]))
    changed = {name for name, blocks in fronts(LEG, other).items() if blocks != before[name]}
    assert changed == {"X4", "X9", "X10"}


@pytest.mark.clause("ST-77")
@pytest.mark.parametrize("language", ["en", "es"])
def test_every_card_of_one_language_or_two_fits_and_a_name_of_sixty_letters_wraps(language: str) -> None:
    words = find_words(language)
    long = replace(PHX, name="Armies of the Upper and the Lower Kingdoms of the Hill Peoples"[:60])
    bench_size, style = find_size("", bleed=0.0), find_style("ink-saver")
    deck = build_pair_deck(pair(long, CST), words)
    assert len(faces(deck, bench_size, style=style, words=words)) == len(deck.cards)
    with pytest.raises(UsageError, match="is too long"):
        build_pair_deck(pair(replace(PHX, name="x" * (MAX_NAME_LETTERS + 1)), CST), words)
    # Two languages have a set each.
    both = build_pair_deck(pair(LEG, STP), find_words("en+es"))
    assert [card.id for card in both.cards][:2] == ["X1-en", "X2-en"]
    assert len(both.cards) == 18


def test_the_stance_card_is_the_engine() -> None:
    """At NET 0 with 3 or 4 PIPs the stance die is its own total (SD-5.3-r1..r3)."""
    for pips, faces_left in ((3, ((1, 2), (3, 4), (5, 6))), (6, ((1,), (2, 3), (4, 5, 6)))):
        found = {stance.value: throws for stance, throws in pair_tables.find_stance_faces(EN.tactics, pips, 0).items()}
        assert found == dict(zip(("defensive", "cautious", "aggressive"), faces_left, strict=True))


def test_all_fixtures_are_twelve() -> None:
    assert all(sum(count for _, _, count, _ in pair_tables.list_army_rows(force)) == 12 for force in EVERY.values())


@pytest.mark.clause("SD-4.7-d6", "SD-4.7-d7")
def test_frontages_are_told_of_six_to_twelve_elements() -> None:
    """Two deep every other element widens the front; with one alone at either end these stand beside it."""
    rows = frontages(EN).rows
    assert [row[0] for row in rows] == [f"**{count}**" for count in range(6, 13)]
    assert [(row[1], row[2]) for row in rows[-2:]] == [("6", "7"), ("6", "7")]
