"""The NPG's bounds: PIPs and stance, the lists and how they are walked, kinds of attack (SD-5.1, SD-5.3)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from solo_games import RULES
from throwing import dice, on, pairs

from printkit.core.words import find_words
from printkit.systems.solo.armies.steps import sum_modifiers
from printkit.systems.solo.tactics.bounds import Losses, bound, next_move, stance_modifiers
from printkit.systems.solo.tactics.tactics_tables import Action, Level, Stance, attack_class, tactics


def stance_of(level: Level, npg: int, you: int, pips: int, die: int) -> tuple[int | None, Stance]:
    made = bound(level, Losses(npg=npg, you=you), RULES, dice(pips, die))
    return made.step.total, made.stance


@pytest.mark.clause("ST-65", "ST-66", "SD-5.3-a", "SD-5.3-b", "SD-5.3-m1..SD-5.3-m7", "SD-5.3-r1..SD-5.3-r3", "AMB-42")
@pytest.mark.parametrize(
    ("level", "npg", "you", "throw", "total", "stance"),
    [
        (Level.NEUTRAL, 1, 2, (6, 2), 4, Stance.CAUTIOUS),
        (Level.DEFENSIVE, 2, 0, (1, 1), -3, Stance.DEFENSIVE),
        (Level.AGGRESSIVE, 3, 2, (3, 1), 5, Stance.AGGRESSIVE),
        (Level.NEUTRAL, 3, 2, (3, 2), 5, Stance.AGGRESSIVE),
        (Level.NEUTRAL, 3, 3, (3, 2), 2, Stance.DEFENSIVE),
        (Level.NEUTRAL, 2, 0, (3, 2), 0, Stance.DEFENSIVE),
    ],
)
def test_st_65_and_66(level: Level, npg: int, you: int, throw: tuple[int, int], total: int, stance: Stance) -> None:
    assert stance_of(level, npg, you, *throw) == (total, stance)


@pytest.mark.clause("SD-5.3-a")
def test_the_first_die_is_pips_the_second_stance() -> None:
    thrown = dice(4, 6)
    made = bound(Level.NEUTRAL, Losses(), RULES, thrown)
    assert (made.pips, made.die, made.stance, len(thrown.log)) == (4, 6, Stance.AGGRESSIVE, 2)
    assert [throw.reason for throw in thrown.log] == ["PIPs", "stance"]


@pytest.mark.clause("ST-67", "SD-5.3-b", "SD-5.3-r1", "SD-5.3-r2", "SD-5.3-r3")
@pytest.mark.parametrize(
    ("level", "npg", "you", "net", "counts"),
    [
        (Level.DEFENSIVE, 2, 0, -3, (30, 6, 0)),
        (Level.NEUTRAL, 2, 0, -2, (24, 10, 2)),
        (Level.DEFENSIVE, 0, 0, -1, (18, 12, 6)),
        (Level.NEUTRAL, 0, 0, 0, (12, 12, 12)),
        (Level.AGGRESSIVE, 0, 0, 1, (6, 12, 18)),
        (Level.NEUTRAL, 0, 2, 2, (2, 10, 24)),
        (Level.NEUTRAL, 0, 3, 3, (0, 6, 30)),
        (Level.AGGRESSIVE, 0, 3, 4, (0, 2, 34)),
    ],
)
def test_st_67(level: Level, npg: int, you: int, net: int, counts: tuple[int, ...]) -> None:
    found = Counter(stance_of(level, npg, you, *throw)[1] for throw in pairs())
    assert tuple(found[stance] for stance in Stance) == counts
    assert bound(level, Losses(npg=npg, you=you), RULES, dice(1, 1)).net == net


@pytest.mark.clause("ST-68", "SD-5.3-m1", "SD-5.3-m4", "SD-5.3-m7")
def test_st_68() -> None:
    table = [
        [bound(Level.NEUTRAL, Losses(npg=npg, you=you), RULES, dice(3, 1)).net for you in range(4)] for npg in range(4)
    ]
    assert table == [[0, 1, 2, 3], [-1, 0, 1, 2], [-2, -1, 0, 1], [1, 2, 3, 0]]


@pytest.mark.clause("SD-5.3-m1..SD-5.3-m7")
@pytest.mark.parametrize(
    ("level", "pips", "losses", "counted", "added"),
    [
        (Level.NEUTRAL, 3, Losses(), [], 0),
        (Level.NEUTRAL, 3, Losses(npg=2), ["m1"], -2),
        (Level.DEFENSIVE, 3, Losses(), ["m2"], -1),
        (Level.NEUTRAL, 1, Losses(), ["m3"], -1),
        (Level.NEUTRAL, 2, Losses(), ["m3"], -1),
        (Level.NEUTRAL, 3, Losses(you=3), ["m4"], 3),
        (Level.AGGRESSIVE, 3, Losses(), ["m5"], 1),
        (Level.NEUTRAL, 5, Losses(), ["m6"], 1),
        (Level.NEUTRAL, 6, Losses(), ["m6"], 1),
        (Level.NEUTRAL, 4, Losses(npg=3), ["m1", "m7"], 1),
        (Level.NEUTRAL, 4, Losses(npg=3, you=3), ["m1", "m4"], 0),
    ],
)
def test_each_modifier_matters(level: Level, pips: int, losses: Losses, counted: list[str], added: int) -> None:
    found = stance_modifiers(level, pips, losses, RULES)
    assert (on(found), sum_modifiers(found)) == (counted, added)


@pytest.mark.clause("AMB-43")
def test_the_last_stand_is_at_three_lost_and_a_lost_camp_is_among_them() -> None:
    assert "m7" not in on(stance_modifiers(Level.NEUTRAL, 3, Losses(npg=4, you=1), RULES))
    camp = Losses(npg=3, you=0, npg_camp=True)
    assert sum_modifiers(stance_modifiers(Level.NEUTRAL, 3, camp, RULES)) == 1


@pytest.mark.clause("SD-5.1-act01..SD-5.1-act13", "AMB-44")
def test_each_action_has_its_clause_its_words_and_its_lists() -> None:
    for place, action in enumerate(Action, 1):
        assert tactics(RULES).actions[action] == f"SD-5.1-act{place:02}"
        said = [find_words(code)(f"npg.cards.action.{action}") for code in ("en", "es")]
        assert said[0] != said[1]
    moves = {stance: [move.action for move in tactics(RULES).permitted[stance]] for stance in Stance}
    assert [len(moves[stance]) for stance in (Stance.AGGRESSIVE, Stance.CAUTIOUS, Stance.DEFENSIVE)] == [11, 10, 9]
    assert set(Action) - {action for actions in moves.values() for action in actions} == {Action.REARRANGE_LINE}


@pytest.mark.clause("SD-5.3-c", "AMB-45")
def test_each_pip_goes_to_the_first_move_of_the_list_that_is_possible() -> None:
    moves = tactics(RULES).permitted[Stance.CAUTIOUS]
    for _ in range(2):
        assert next_move(Stance.CAUTIOUS, [Action.FORM_LINE, Action.SAFE_ATTACK], RULES) == moves[1]
    assert next_move(Stance.CAUTIOUS, [Action.FORM_LINE], RULES) == moves[6]
    assert next_move(Stance.CAUTIOUS, [], RULES) is None


@pytest.mark.clause("SD-5.3-c", "SD-5.1-act08", "AMB-44")
def test_rearranging_a_line_comes_when_nothing_else_can_be_done() -> None:
    found = next_move(Stance.DEFENSIVE, [Action.REARRANGE_LINE], RULES)
    assert found is not None
    assert (found.action, found.place, found.clause) == (Action.REARRANGE_LINE, 10, "SD-5.1-act08")
    other = next_move(Stance.DEFENSIVE, [Action.REARRANGE_LINE, Action.FORM_LINE], RULES)
    assert other is not None
    assert other.action is Action.FORM_LINE


@pytest.mark.clause("ST-70", "SD-5.1-act01", "SD-5.1-act03", "SD-5.1-act09", "SD-5.1-act12", "SD-5.1-act13", "AMB-41")
@pytest.mark.parametrize(
    ("kill", "die", "kind"),
    [
        ("1/6", "0", Action.SAFE_ATTACK),
        ("1/3", "1/6", Action.CALCULATED_ATTACK),
        ("1/6", "1/6", Action.AGGRESSIVE_ATTACK),
        ("1/12", "1/6", Action.RECKLESS_ATTACK),
        ("0", "0", None),
        ("0", "1/6", None),
    ],
)
def test_st_70(kill: str, die: str, kind: Action | None) -> None:
    assert attack_class(Fraction(kill), Fraction(die)) is kind
    assert attack_class(Fraction(kill), Fraction(die), supports=True) is Action.SUPPORT_ATTACK
