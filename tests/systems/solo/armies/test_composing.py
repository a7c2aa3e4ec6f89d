"""Army composition: the published cases with their dice, doubtful points, exact chances, counts of an army."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from army_chances import army_chances
from forces import DES, EVERY, HOP, LEG, MED, PHX, STP, force
from hypothesis import given, settings
from hypothesis import strategies as st
from lists import HILL_KINGDOM, counted, listed, read
from msgspec.structs import replace
from selecting import list_active_clauses
from solo_games import RULES

from printkit.chance.dice import Dice, ScriptedSource, Seeded, read_scores
from printkit.core.errors import DiceError, ScenarioError
from printkit.core.words import find_words
from printkit.systems.solo.armies.army import Army
from printkit.systems.solo.armies.choices import assess_threat, general_modifiers
from printkit.systems.solo.armies.composing import ComposedArmy, compose_army, roll_for_attack
from printkit.systems.solo.armies.composition_text import chance_text
from printkit.systems.solo.armies.contests import assess_general, attack_chance, contest_chances, filling_chances
from printkit.systems.solo.armies.force import Force, Side, read_troops
from printkit.systems.solo.armies.steps import sum_modifiers

KINGDOM = read(HILL_KINGDOM)


def dice_of(scores: str) -> Dice:
    """Return dice with these scores and none after them; a bar marks what is diced again."""
    return Dice(ScriptedSource(read_scores(scores.replace("|", ",")), Seeded(1)))


def composed(army: Army, you: Force, scores: str) -> ComposedArmy:
    """Return an army composed with these dice, of which all are needed."""
    dice = dice_of(scores)
    found = compose_army(army, counted(you), dice, RULES)
    assert len(dice.log) == found.dice == len(read_scores(scores.replace("|", ",")))
    return found


def general_only(others: str, general: str) -> Army:
    """Return a list of which the general alone is open."""
    return listed(f"fixed = {{ {others} }}", general=general)


def modifiers(army: Army, you: Force) -> dict[str, list[str]]:
    """Return the tails of the modifiers that count for each option, m1 and so on, the general alone being open."""
    (filling,) = filling_chances(army)
    slots = tuple((bundle,) for bundle in filling)
    found = general_modifiers(army, slots, assess_threat([you], RULES), RULES)
    return {
        str(option): [clause.rpartition("-")[2] for clause in list_active_clauses(ones, str(option))]
        for option, ones in zip(army.general, found, strict=True)
    }


def chances(army: Army, you: Force) -> list[Fraction]:
    """Return the chance of each option of the general."""
    return list(assess_general(army, assess_threat([you], RULES), RULES).chances.values())


@pytest.mark.clause("ST-01", "SD-2.2-b", "SD-2.2-c")
def test_a_tie_within_a_block_is_diced_again() -> None:
    army = listed('mode = "block"\noptions = [{ "3Cv" = 2 }, { "2LH" = 2 }]', 'fixed = { "4Bd" = 9 }')
    found = composed(army, LEG, "4,4 | 2,5")
    assert found.force.type_counts() == {"Cv": 1, "LH": 2, "Bd": 9}
    (step, _) = found.steps
    assert (step.clause, step.dice, step.total, step.result) == ("SD-2.2-b", (4, 4, 2, 5), 5, "2 x 2LH")


@pytest.mark.clause("ST-02", "SD-2.2-d", "AMB-02")
def test_an_option_that_leaves_an_odd_number_of_pikes_is_not_diced() -> None:
    army = listed(
        'fixed = { "4Pk" = 3 }', 'mode = "each"\noptions = ["4Pk", "4Sp"]', 'fixed = { "2Ps" = 7 }', general='"3Kn"'
    )
    found = composed(army, LEG, "")
    assert found.force.type_counts()["Pk"] == 4
    (step, _) = found.steps
    assert (step.clause, step.result, step.inputs["left_out"]) == ("SD-2.2-d", "4Pk", ["4Sp"])


@pytest.mark.clause("ST-03", "SD-2.2-a", "SD-2.2.1-a", "SD-2-a", "AMB-03", "AMB-04")
def test_the_example_hill_kingdom_with_its_trace_and_the_chances_of_its_general() -> None:
    found = composed(KINGDOM, STP, "5,2, 1,6, 3,3 | 4,1, 2,5, 6,3,6 | 2,2")
    assert [step.result for step in found.steps] == ["4Pk", "4Sp", "2 x 3Cv", "7Hd", "4Pk"]
    assert found.dice == 15
    tails = [
        list_active_clauses(ones, name)
        for ones, name in zip(found.general.modifiers, found.general.options, strict=True)
    ]
    assert tails == [("SD-2.2.1-m1",), ("SD-2.2.1-m6",), ("SD-2.2.1-m1", "SD-2.2.1-m5")]
    assert [found.general.sum(option) for option in range(3)] == [-2, 1, -3]
    first, second = found.general.rounds
    assert [score + found.general.sum(option) for option, score in first.scores] == [4, 4, 3]
    assert second.scores == ((0, 2), (1, 2))
    assert found.general.winning_total == 3
    assert found.force.type_counts() == {"Pk": 6, "Sp": 1, "Cv": 2, "Hd": 1, "Ax": 2}
    assert found.force.general is not None
    assert found.force.general.code == "4Pk"
    data: list[dict[str, Any]] = [step.as_data() for step in found.steps]
    assert (data[-1]["clause"], data[-1]["dice"]) == ("SD-2.2.1-a", [6, 3, 6, 2, 2])
    assert len(data[-1]["modifiers"]) == 21
    assert {one["state"] for one in data[-1]["modifiers"]} == {"on", "off"}
    assert sum_modifiers(found.general.modifiers[1]) == 1
    assert all(set(one) == set(data[0]) for one in data)
    assert contest_chances((-2, 1, -3)) == (Fraction(6493, 72974), Fraction(71221, 80036), Fraction(4773, 225556))


@pytest.mark.clause("ST-04", "AMB-02")
def test_a_general_of_pikes_may_still_make_their_number_even() -> None:
    found = composed(KINGDOM, STP, "5,2, 1,6, 2,5, 3,6, 6,2,1")
    assert [step.result for step in found.steps] == ["4Pk", "4Sp", "2 x 2LH", "7Hd", "3Kn"]
    second = found.steps[1]
    assert (second.dice, second.inputs["left_out"]) == ((1, 6), [])
    assert found.force.type_counts()["Pk"] == 5


@pytest.mark.clause("AMB-02")
def test_where_every_option_is_odd_the_rule_is_set_aside_and_it_is_said() -> None:
    army = listed('mode = "block"\noptions = [{ "4Pk" = 3 }, { "4Pk" = 1, "4Sp" = 2 }]', 'fixed = { "2Ps" = 8 }')
    found = composed(army, LEG, "1,2")
    assert {result.choice.slot.id for result in found.choice_results if result.is_suspended} == {"slot 1"}
    assert found.force.type_counts()["Pk"] == 1


@pytest.mark.clause("AMB-01", "AMB-04")
def test_the_tied_dice_again_of_which_generals_keep_their_modifiers() -> None:
    army = listed('mode = "each"\noptions = ["3Cv", "2LH", "4Ax"]', 'fixed = { "4Bd" = 10 }')
    assert composed(army, LEG, "5,5,1 | 2,3").steps[0].result == "2LH"
    found = composed(general_only('"3Cv" = 3, "4Bd" = 8', '"3Cv", "3Kn", "El"'), LEG, "4,6,1 | 1,2")
    assert [found.general.sum(option) for option in range(3)] == [2, 0, 0]
    assert (found.general.winning_total, found.general.winner) == (3, 0)


@pytest.mark.clause("AMB-03")
def test_two_of_a_or_b_is_one_choice_or_two_as_the_file_says() -> None:
    rest = 'fixed = { "4Bd" = 9 }'
    each = listed('mode = "each"\ncount = 2\noptions = ["4Sp", "2Ps"]', rest)
    assert composed(each, LEG, "5,1, 1,5").force.type_counts() == {"Cv": 1, "Sp": 1, "Ps": 1, "Bd": 9}
    block = listed('mode = "block"\ncount = 2\noptions = ["4Sp", "2Ps"]', rest)
    assert composed(block, LEG, "5,1").force.type_counts() == {"Cv": 1, "Sp": 2, "Bd": 9}


ST05 = general_only('"4Pk" = 4, "3Cv" = 2, "4Ax" = 2, "2Ps" = 2, "4Sp" = 1', '"3Kn", "El", "4Pk"')
ST06 = general_only('"2LH" = 8, "3Cv" = 3', '"El", "3Cv"')
ST07 = general_only('"3Cv" = 3, "2LH" = 2, "4Sp" = 4, "2Ps" = 2', '"3Cv", "3Kn"')
ST08 = general_only('"4Ax" = 5, "2Ps" = 4, "3Bw" = 2', '"2Ps", "4Ax"')


@pytest.mark.clause("ST-05", "SD-2.2.1-m1", "SD-2.2.1-m2", "SD-2.2.1-m5", "SD-2.2.1-m6")
def test_the_general_by_dice_with_modifiers() -> None:
    found = composed(ST05, DES, "6,5,5 | 3,2,6")
    assert modifiers(ST05, DES) == {"3Kn": ["m2"], "El": ["m5"], "4Pk": ["m1", "m6"]}
    assert [found.general.sum(option) for option in range(3)] == [-2, -1, -1]
    assert (found.general.winning_total, found.general.options[found.general.winner]) == (5, "4Pk")
    assert chances(ST05, DES) == [Fraction(1130, 6541), Fraction(5411, 13082), Fraction(5411, 13082)]


@pytest.mark.clause(
    "ST-06", "ST-07", "ST-08", "SD-2.2.1-m2", "SD-2.2.1-m3", "SD-2.2.1-m4", "SD-2.2.1-m6", "SD-2.2.1-m7", "AMB-05"
)
@pytest.mark.parametrize(
    ("army", "you", "counted", "option", "chance"),
    [
        (ST06, HOP, {"El": ["m3"], "3Cv": ["m7"]}, 0, Fraction(1, 34)),
        (ST07, MED, {"3Cv": ["m2", "m7"], "3Kn": ["m2"]}, 0, Fraction(13, 16)),
        (ST08, HOP, {"2Ps": ["m4", "m6"], "4Ax": ["m6"]}, 1, Fraction(21, 31)),
    ],
)
def test_slow_generals_those_that_fear_bows_and_psiloi(
    army: Army, you: Force, counted: dict[str, list[str]], option: int, chance: Fraction
) -> None:
    assert modifiers(army, you) == counted
    assert chances(army, you)[option] == chance


@pytest.mark.clause("ST-09", "SD-2.1-a")
def test_no_die_before_your_choices_are_made() -> None:
    dice = Dice(Seeded(1))
    with pytest.raises(ScenarioError, match=r"'second line', 'horse', 'screen', 'general'.*\(SD-2.1-a\)"):
        compose_army(ST05, KINGDOM, dice, RULES)
    assert dice.log == []


@pytest.mark.clause("ST-10", "SD-2.3-a", "AMB-47")
def test_the_higher_total_attacks() -> None:
    dice = dice_of("2,4 | 6,6")
    found = roll_for_attack(3, 1, dice)
    assert (found.attacker, found.defender, found.totals, len(dice.log)) == (Side.NPG, Side.YOU, (9, 7), 4)
    step = found.step
    assert (step.clause, step.dice, step.total, step.result) == ("SD-2.3-a", (2, 4, 6, 6), 9, "npg")


@pytest.mark.clause("ST-11", "SD-2.3-a")
@pytest.mark.parametrize(
    ("ahead", "chance"),
    [(0, (1, 2)), (1, (21, 31)), (2, (13, 16)), (3, (10, 11)), (4, (33, 34))],
)
def test_the_chance_to_attack(ahead: int, chance: tuple[int, int]) -> None:
    assert attack_chance(ahead, 0) == Fraction(*chance)
    assert attack_chance(0, ahead) == 1 - Fraction(*chance)
    wins = draws = 0
    for npg, you in product(range(1, 7), repeat=2):
        wins += npg + ahead > you
        draws += npg + ahead == you
    assert attack_chance(ahead, 0) == Fraction(wins, 36 - draws)


# --- Truth tables -----------------------------------------------------------------------------------------------------


def expected(code: str, others: Counter[str], speed: dict[str, int], you: Force) -> set[str]:
    """Return the modifiers of a general by a second reading of the rules, from plain counts."""
    mounted = code in ("El", "Kn", "Cv", "LH", "Cm", "SCh")
    infantry = not mounted and code not in ("Art", "WWg")
    yours = you.type_counts()
    return {
        tail
        for tail, holds in {
            "m1": (others["Pk"] + (code == "Pk")) % 2 == 1,
            "m2": mounted and code != "El" and yours["Bw"] >= 4,
            "m3": all(speed[code] < speed[other] for other in others),
            "m4": code == "Ps",
            "m5": code == "El" and (yours["Ps"] + yours["Ax"] + yours["LH"] >= 4 or yours["Art"] >= 1),
            "m6": infantry and others[code] > 0,
            "m7": mounted and others[code] > 0,
        }.items()
        if holds
    }


@pytest.mark.clause("SD-2.2.1-m1..SD-2.2.1-m7", "AMB-08", "AMB-09")
@pytest.mark.parametrize("name", list(EVERY))
def test_every_modifier_over_all_armies(name: str) -> None:
    """Every type as general, over the other elements of each army but one, against every army."""
    codes = [element.code for element in EVERY[name].elements[1:]]
    types = ("El", "Kn", "Cv", "LH", "Cm", "SCh", "Sp", "Pk", "Bd", "Ax", "Bw", "Ps", "Wb", "Hd", "Art", "WWg")
    fixed = ", ".join(f"{code} = {count}" for code, count in Counter(codes).items())
    army = general_only(fixed, ", ".join(f'"{code}"' for code in types))
    speed = {"LH": 500} | dict.fromkeys(("Cv", "Cm", "SCh"), 400) | dict.fromkeys(("Kn", "El", "Ax", "Ps"), 300)
    speed |= dict.fromkeys(("Sp", "Pk", "Bd", "Bw", "Wb", "Hd", "Art", "WWg"), 200)
    for you in EVERY.values():
        found = modifiers(army, you)
        assert {code: set(tails) for code, tails in found.items()} == {
            code: expected(code, Counter(codes), speed, you) for code in types
        }


@pytest.mark.clause("AMB-06")
def test_a_type_is_there_whatever_its_code() -> None:
    army = general_only('"3/4Wb" = 8, "4Kn" = 2, "3Cv//4Bd" = 1', '"3Wb", "5Wb", "3Kn", "3Cv", "LCh"')
    assert modifiers(army, HOP) == {"3Wb": ["m6"], "5Wb": ["m6"], "3Kn": ["m7"], "3Cv": ["m7"], "LCh": ["m7"]}
    # The general's own element does not count.
    assert modifiers(general_only('"4Bd" = 11', '"3Cv", "4Bd"'), HOP) == {"3Cv": [], "4Bd": ["m6"]}


@pytest.mark.clause("AMB-07", "AMB-08", "SD-2.2.1-m7")
def test_crossbows_are_bows_and_an_elephant_is_a_mounted_general() -> None:
    army = general_only('"4Bd" = 11', '"3Cv", "El"')
    bows = force("Archers", "Bd* 8, Bw 4", "arable", 1)
    crossbows = [replace(one, code="4Cb") if one.code == "Bw" else one for one in bows.elements]
    you = replace(bows, elements=tuple(crossbows))
    assert modifiers(army, you)["3Cv"] == ["m2"]
    elephants = general_only('"El" = 2, "4Bd" = 9', '"El", "3Cv"')
    assert modifiers(elephants, bows) == {"El": ["m7"], "3Cv": ["m2"]}


@pytest.mark.clause("AMB-09", "SD-2.2.1-m6")
def test_artillery_and_wagons_are_no_infantry() -> None:
    army = general_only('"Art" = 2, "WWg" = 2, "4Bd" = 7', '"Art", "WWg"')
    assert modifiers(army, HOP) == {"Art": [], "WWg": []}


# --- Chances ----------------------------------------------------------------------------------------------------------


def by_enumeration(sums: tuple[int, ...]) -> list[Fraction]:
    """Return the chances of a contest by every throw of all dice; ties are worked out in the same way."""
    wins = [Fraction(0)] * len(sums)
    again = Fraction(0)
    share = Fraction(1, 6 ** len(sums))
    for scores in product(range(1, 7), repeat=len(sums)):
        totals = [score + more for score, more in zip(scores, sums, strict=True)]
        top = [option for option, total in enumerate(totals) if total == max(totals)]
        if len(top) == len(sums) > 1:
            again += share
        else:
            part = by_enumeration(tuple(sums[option] for option in top)) if len(top) > 1 else [Fraction(1)]
            for option, chance in zip(top, part, strict=True):
                wins[option] += share * chance
    return [win / (1 - again) for win in wins]


@pytest.mark.clause("SD-2.2.1-a", "AMB-04")
@pytest.mark.parametrize("sums", [(0,), (0, 0), (2, -1), (-2, -1, -1), (-2, 1, -3), (0, 3, 1)])
def test_chances_are_those_of_every_throw(sums: tuple[int, ...]) -> None:
    assert list(contest_chances(sums)) == by_enumeration(sums)


@settings(max_examples=40)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=4))
def test_chances_make_one_and_follow_the_sums(sums: list[int]) -> None:
    found = contest_chances(tuple(sums))
    assert sum(found) == 1
    for one, other in product(range(len(sums)), repeat=2):
        assert (found[one] >= found[other]) or sums[one] < sums[other]


@pytest.mark.clause("AMB-02", "SD-2.2-d", "SD-2.2.1-a")
def test_finished_armies_of_the_kingdom_and_the_outlook_that_is_theirs() -> None:
    finished = army_chances(KINGDOM, assess_threat([STP], RULES), RULES)
    assert sum(finished.values()) == 1
    by_pikes: dict[int, Fraction] = {}
    by_general = dict.fromkeys((str(option) for option in KINGDOM.general), Fraction(0))
    for (codes, general), chance in finished.items():
        by_pikes[codes.count("4Pk")] = by_pikes.get(codes.count("4Pk"), Fraction(0)) + chance
        by_general[general] += chance
    assert by_pikes == {4: Fraction(1, 4), 5: Fraction(1, 2), 6: Fraction(1, 4)}
    found = assess_general(KINGDOM, assess_threat([STP], RULES), RULES)
    assert {str(option): chance for option, chance in found.chances.items()} == by_general
    states = {(one.option, one.clause[-2:]): one.state.value for ones in found.modifiers for one in ones}
    assert {states[name, "m1"] for name in ("3Kn", "4Pk", "El")} == {"open"}
    assert (states["4Pk", "m6"], states["El", "m5"], states["3Kn", "m7"]) == ("on", "on", "off")


@pytest.mark.clause("SD-2.1-a")
def test_what_hangs_on_your_open_choices_is_open() -> None:
    threat = assess_threat(KINGDOM.iter_possible_forces(), RULES)
    assert (threat.bows, threat.frightens_elephants) == (False, None)
    assert assess_threat([STP], RULES).frightens_elephants is True


@pytest.mark.clause("SD-2.2-b", "AMB-02")
def test_dice_come_out_as_the_chances_say_they_can() -> None:
    """Whatever the seed, what is composed is among the armies that have a chance."""
    possible = army_chances(KINGDOM, assess_threat([STP], RULES), RULES)
    for seed in range(20):
        found = compose_army(KINGDOM, counted(STP), Dice(Seeded(seed)), RULES)
        key = (tuple(sorted(found.combination.other_codes)), str(found.combination.general))
        assert key in possible
        assert len(found.force.elements) == 12


def test_dice_that_run_out_say_what_for() -> None:
    with pytest.raises(DiceError, match="die 3 is missing: second line, 2 of 2: 4Pk"):
        composed(KINGDOM, STP, "5,2")


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (Fraction(1, 101), "less than 1 %"),
        (Fraction(1, 100), "1 %"),
        (Fraction(99, 100), "99 %"),
        (Fraction(100, 101), "more than 99 %"),
        (Fraction(1), "100 %"),
    ],
)
def test_a_chance_that_is_nearly_none_or_all_is_said_so(chance: Fraction, said: str) -> None:
    assert chance_text(chance, find_words("en")).startswith(said)


@pytest.mark.clause("SD-1.2-c", "SD-1.2-a", "SD-1.2-b")
@pytest.mark.parametrize(
    ("name", "mounted", "bad_goers", "fast", "slow"),
    [
        ("PHX", 3, 3, 6, 11),
        ("LEG", 2, 2, 4, 10),
        ("TRB", 2, 10, 4, 10),
        ("STP", 11, 1, 12, 1),
        ("HOP", 0, 2, 2, 12),
        ("CST", 1, 6, 7, 11),
        ("DES", 6, 6, 8, 6),
        ("WDS", 0, 12, 10, 12),
        ("MED", 5, 4, 5, 12),
        ("WAG", 2, 2, 2, 10),
        ("SOL", 1, 3, 4, 11),
        ("ARB", 2, 4, 6, 10),
    ],
)
def test_the_counts_of_the_invented_armies(name: str, mounted: int, bad_goers: int, fast: int, slow: int) -> None:
    army = EVERY[name]
    assert len(army.elements) == 12
    assert (army.mounted_count, army.bad_goer_count) == (mounted, bad_goers)
    assert (army.count_moving_at_least(300), army.count_moving_at_most(300)) == (fast, slow)


def test_codes_name_their_types_of_which_four_are_bad_going_troops() -> None:
    troops = read_troops()
    assert {troop.code for troop in troops.types if troop.bad_goer} == {"Ps", "Ax", "Wb", "Bw"}
    found = [troops.find_type(code) for code in ("4Pk", "Pk", "3/4Pk", "4Pk//4Bd", "Orc")]
    assert [troop and troop.code for troop in found] == ["Pk", "Pk", "Pk", "Pk", None]
    assert PHX.general is not None
    assert PHX.general.troop.code == "Kn"


@pytest.mark.clause("AMB-08", "AMB-09")
def test_elephants_are_mounted_and_artillery_is_no_infantry() -> None:
    army = force("Wheels", "El* 2, Bw 3, Art 3, Sp 4", "dry", 1)
    assert (army.mounted_count, army.infantry_count) == (2, 7)
