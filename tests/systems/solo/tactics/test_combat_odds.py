"""Odds of a close combat, and the attacks that they make: against a published chart, the match-ups, and every pair."""

from __future__ import annotations

from itertools import product

import pytest

from printkit.core.errors import BookError
from printkit.core.words import find
from printkit.systems.solo.armies.force import read_troops
from printkit.systems.solo.armies.rules import solo_rules
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.reference import reference_cards
from printkit.systems.solo.tactics.combat_odds import CombatOdds, combat_odds, fighting_types
from printkit.systems.solo.tactics.tactics_tables import Action, tactics

TROOPS = read_troops()
TYPES = fighting_types(TROOPS)


def odds(attacker: str, defender: str) -> CombatOdds:
    return combat_odds(TROOPS.known[attacker], TROOPS.known[defender])


@pytest.mark.clause("SD-5.1-act01", "SD-5.1-act03", "SD-5.1-act09", "SD-5.1-act12", "AMB-41")
@pytest.mark.parametrize(
    ("attacker", "defender", "kill", "die", "attack"),
    [
        # A chart of players: knights double light horse in 25 per cent of throws, and light horse win 17.
        ("Kn", "LH", 9, 6, Action.CALCULATED_ATTACK),
        ("LH", "Kn", 6, 9, Action.RECKLESS_ATTACK),
        ("Ps", "El", 6, 0, Action.SAFE_ATTACK),
        ("Sp", "Sp", 1, 1, Action.AGGRESSIVE_ATTACK),
        ("Cv", "Sp", 0, 0, None),
        # Bows destroy knights that have moved into contact with them, not knights that stand.
        ("Kn", "Bw", 10, 21, Action.RECKLESS_ATTACK),
        ("Bw", "Kn", 4, 10, Action.RECKLESS_ATTACK),
    ],
)
def test_odds_and_the_attack_that_they_make(
    attacker: str, defender: str, kill: int, die: int, attack: Action | None
) -> None:
    found = odds(attacker, defender)
    assert found == (kill, die)
    assert found.attack is attack


def test_all_types_but_camp_followers_have_odds_that_are_the_same_from_both_sides_but_for_who_moved() -> None:
    for one, other in product(TYPES, TYPES):
        there, back = combat_odds(one, other), combat_odds(other, one)
        assert there.kill + there.die <= 36
        if not (one.charging or other.charging):
            assert there == back[::-1]
    assert len(TYPES) == 16
    with pytest.raises(BookError, match="CF has no factor against foot"):
        odds("CF", "Bd")


@pytest.mark.clause("SD-4.8.1-b1..SD-4.8.1-b8")
def test_who_fares_badly_by_the_match_ups_is_destroyed_by_less_than_half() -> None:
    """But for Cv, Cm, LH and Wb before SCh, which flee, bows and artillery, which shoot, and knights before them."""
    shooting = {("Hd", "Bw"), ("Hd", "Art"), ("El", "Art"), ("WWg", "Art")}
    fleeing = {(code, "SCh") for code in ("Cv", "Cm", "LH")}
    for row in tactics(solo_rules()).match_ups:
        for own, by in product(row.bad_for, row.by):
            if (own, by) not in shooting | fleeing:
                troop = TROOPS.known[own]
                assert by in (*troop.beaten, *troop.charging), (own, by)


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_backs_of_the_glossary_have_all_odds(language: str) -> None:
    text = CardText(find(language), solo_rules())
    told = {card.id: card.back for card in reference_cards(text)}
    cells = [table for name in ("G1", "G2", "G3", "G4") for table in told[name] if hasattr(table, "rows")]
    assert [column for table in cells for column in table.head[1:]] == [each.code for each in TYPES]
    assert all(len(table.rows) == len(TYPES) for table in cells)
    row = next(row for row in cells[0].rows if row[0] == "**Kn**")
    assert row[4] == "**C** 9/6"
