"""Where groups go: sums, dice, places that cannot be, landings that are too many, other flanks (SD-4.7)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from forces import CST, HOP, LEG, MED, PHX, SOL, STP, WDS, force
from solo_games import RULES
from throwing import dice, no_dice, on, pairs

from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.steps import Step, sum_of
from printkit.systems.solo.tactics.grouping import Group, groups_of
from printkit.systems.solo.tactics.positions import (
    POSITION,
    PlacedGroup,
    PositionCase,
    landed,
    place_at,
    position,
    position_modifiers,
    positions,
)
from printkit.systems.solo.tactics.situation import Place, Situation

GOOD: dict[str, bool | int | str] = {"ground_ahead_good": True, "both_flanks_bad": False, "you_reserved_landing": 0}


def group(npg: Force, text: str) -> Group:
    """Return a group of an army: ``Cv*``, ``Ax* Ax Ax``."""
    left, found = list(npg.elements), []
    for code in text.split():
        element = next(each for each in left if each.code == code.rstrip("*") and each.general == code.endswith("*"))
        left.remove(element)
        found.append(element)
    return Group(tuple(found))


def case(npg: Force, you: Force, text: str, **facts: bool | int | str) -> PositionCase:
    given = {name.replace("__", "."): value for name, value in facts.items()}
    situation = Situation().knowing(GOOD | given, "given")
    return PositionCase(group=group(npg, text), npg=npg, you=you, situation=situation, rules=RULES)


@pytest.mark.clause("ST-55", "SD-4.7-e", "SD-4.7-r1..SD-4.7-r5", "SD-4.7-a", "SD-4.7-b", "SD-4.7-c", "SD-4.7-d")
def test_st_55() -> None:
    groups, _ = groups_of(LEG.elements, LEG, STP, RULES)
    thrown = dice(3, 4, 1, 2, 5, 5, 2, 5, 6, 3)
    situation = Situation().knowing(GOOD, "given")
    placed, more = positions(groups, LEG, STP, situation, RULES, thrown, landing=False)
    assert [each.step.total for each in placed] == [7, 3, 10, 11, 13]
    assert [each.place for each in placed] == [Place.CENTRE, Place.RESERVE, Place.LEFT, Place.RIGHT, Place.RIGHT]
    assert [each.step.row for each in placed] == [f"SD-4.7-{row}" for row in ("r2", "r1", "r3", "r4", "r5")]
    assert (len(thrown.log), more) == (10, ())


@pytest.mark.clause("ST-56", "SD-4.7-m1..SD-4.7-m8", "AMB-32", "AMB-33", "AMB-34")
@pytest.mark.parametrize(
    ("one", "added", "counted"),
    [
        (case(SOL, HOP, "Cv*"), -5, ["m1"]),
        (case(STP, HOP, "Ps"), -3, ["m2", "m5"]),
        (case(MED, HOP, "Bd Bd"), -5, ["m2"]),
        (case(MED, HOP, "Kn* Kn Kn"), 3, ["m6"]),
        (case(WDS, LEG, "Ax* Ax Ax", both_flanks_bad=True), 5, ["m5", "m7"]),
        (case(MED, LEG, "Kn* Kn Kn", both_flanks_bad=True), 0, ["m4", "m6"]),
        (case(LEG, CST, "Cv*", you_reserved_landing=1), 1, ["m3", "m8"]),
        (case(PHX, HOP, "El Ax"), 3, ["m6"]),
    ],
)
def test_st_56(one: PositionCase, added: int, counted: list[str]) -> None:
    found = position_modifiers(one)
    assert (sum_of(found), on(found)) == (added, counted)


@pytest.mark.clause("ST-57", "SD-4.7-r1..SD-4.7-r5")
@pytest.mark.parametrize(("added", "counts"), [(0, (6, 24, 3, 2, 1)), (4, (0, 10, 5, 6, 15)), (-5, (30, 6, 0, 0, 0))])
def test_st_57(added: int, counts: tuple[int, ...]) -> None:
    found = Counter(place_at(one + other + added, RULES, landing=True)[0] for one, other in pairs())
    order = (Place.RESERVE, Place.CENTRE, Place.LEFT, Place.RIGHT, Place.LANDING)
    assert tuple(found[place] for place in order) == counts
    assert sum(Fraction(count, 36) for count in counts) == 1


@pytest.mark.clause("SD-4.7-r5", "AMB-15")
def test_a_landing_that_is_not_allowed_is_the_right_flank_as_the_npg_sees_it() -> None:
    assert place_at(12, RULES, landing=False) == (Place.RIGHT, "SD-4.7-r5")
    assert place_at(15, RULES, landing=True) == (Place.LANDING, "SD-4.7-r5")
    places = [place_at(total, RULES, landing=False)[0] for total in (4, 7, 10, 11, 12)]
    assert places == [Place.RESERVE, Place.CENTRE, Place.LEFT, Place.RIGHT, Place.RIGHT]


def _sent(npg: Force, text: str) -> PlacedGroup:
    return PlacedGroup(group=group(npg, text), place=Place.LANDING, step=Step(clause="SD-4.7-e", title="x"))


@pytest.mark.clause("ST-58", "SD-4.7-d2", "AMB-37")
def test_st_58_with_ties_and_no_filling_up_to_four() -> None:
    three, four, one = _sent(CST, "Ax Ax Ax"), _sent(CST, "Bd* Bd Bd Bd"), _sent(CST, "LH")
    thrown = dice(2, 5)
    found, (step,) = landed((three, four), RULES, thrown)
    assert [each.place for each in found] == [Place.RIGHT, Place.LANDING]
    assert (step.dice, step.result, len(thrown.log)) == ((2, 5), "4Bd*", 2)
    found, steps = landed((three, one), RULES, no_dice())
    assert ([each.place for each in found], steps) == ([Place.LANDING, Place.LANDING], ())
    found, (step,) = landed((three, four, one), RULES, dice(5, 5, 1, 6, 2))
    assert ([each.place for each in found], step.dice) == ([Place.LANDING, Place.RIGHT, Place.RIGHT], (5, 5, 1, 6, 2))
    found, _ = landed((three, four, one), RULES, dice(6, 5, 1))
    assert [each.place for each in found] == [Place.LANDING, Place.RIGHT, Place.RIGHT]


ARTILLERY = force("guns", "Art* 2, Kn 4, Ax 6", "hilly", 1)


@pytest.mark.clause("ST-60", "SD-4.7-j", "SD-4.7-d10")
def test_st_60() -> None:
    marsh = {"left_flank__closed_to_wheels": True, "left_flank__bad_going": True}
    thrown = dice(5, 5, 3, 3)
    guns = position(case(ARTILLERY, HOP, "Art* Art", **marsh), thrown, landing=False)
    assert (guns.place, guns.step.total, len(thrown.log)) == (Place.CENTRE, 6, 4)
    assert guns.step.inputs["refused"] == ["left"]
    ahead = {"left_flank__bad_ahead": True, "left_flank__bad_going": False, "right_flank__clear": True}
    knights = position(case(ARTILLERY, HOP, "Kn Kn", **ahead), dice(3, 4), landing=False)
    assert (knights.place, knights.step.row, knights.step.inputs["rolled"]) == (Place.RIGHT, "SD-4.7-d10", "left")
    light = position(case(ARTILLERY, PLAIN, "Ax Ax", **ahead), dice(4, 4), landing=False)
    assert (light.place, light.step.row) == (Place.LEFT, "SD-4.7-r3")


@pytest.mark.clause("SD-4.7-d10")
def test_the_other_flank_has_to_be_clear() -> None:
    bad = {"left_flank__bad_going": True, "right_flank__bad_going": True}
    unknown = {"left_flank__bad_going": True}
    clear = {"left_flank__bad_going": False, "left_flank__bad_ahead": False, "right_flank__clear": True}
    for facts in (bad, unknown, clear):
        assert position(case(ARTILLERY, HOP, "Kn Kn", **facts), dice(3, 4), landing=False).place is Place.LEFT


@pytest.mark.clause("SD-4.7-j")
def test_rooms_are_counted_for_the_group_and_where_nothing_has_room_the_person_places_it() -> None:
    small = {"left_flank__room": 1, "centre__room": 12}
    refused = position(case(ARTILLERY, PLAIN, "Ax Ax", **small), dice(4, 4, 3, 4), landing=False)
    assert (refused.place, refused.step.dice) == (Place.CENTRE, (4, 4, 3, 4))
    alone = position(case(ARTILLERY, PLAIN, "Ax", **small), dice(4, 4), landing=False)
    assert alone.place is Place.LEFT
    closed = {f"{place}__closed": True for place in ("centre", "reserve", "left_flank", "right_flank")}
    stuck = position(case(ARTILLERY, PLAIN, "Ax", **closed), no_dice(), landing=False)
    assert (stuck.step.needs_person, stuck.step.dice) == ("npg.battle.person.no_place", ())


PLAIN = force("plain", "Bw* 6, Hd 6", "hilly", 1)
"""No mounted, none of the types that a modifier names."""
TWO = force("two", "Cv* 2, Hd 10", "hilly", 1)


@pytest.mark.clause("SD-4.7-m1..SD-4.7-m8")
@pytest.mark.parametrize(
    ("base", "changed", "more"),
    [
        (case(TWO, PLAIN, "Cv*"), case(force("one", "Cv* 1, Hd 11", "hilly", 1), PLAIN, "Cv*"), {"m1", "m8"}),
        (case(MED, HOP, "Hd", ground_ahead_good=False), case(MED, HOP, "Hd"), {"m2"}),
        (case(MED, PLAIN, "Hd"), case(MED, HOP, "Hd"), {"m2"}),
        (case(TWO, PLAIN, "Cv*"), case(TWO, PLAIN, "Cv*", you_reserved_landing=1), {"m3"}),
        (case(TWO, PLAIN, "Cv*"), case(TWO, PLAIN, "Cv*", both_flanks_bad=True), {"m4"}),
        (case(PLAIN, PLAIN, "Hd"), case(force("x", "Ps* 12", "hilly", 1), PLAIN, "Ps"), {"m5"}),
        (case(PLAIN, PLAIN, "Hd"), case(force("x", "El* 2, Hd 10", "hilly", 1), PLAIN, "El*"), {"m6"}),
        (case(PLAIN, PLAIN, "Bw"), case(PLAIN, PLAIN, "Bw", both_flanks_bad=True), {"m7"}),
        (case(PLAIN, PLAIN, "Hd"), case(TWO, PLAIN, "Cv*"), {"m8"}),
    ],
)
def test_each_modifier_matters(base: PositionCase, changed: PositionCase, more: set[str]) -> None:
    assert set(on(position_modifiers(base))) ^ set(on(position_modifiers(changed))) == more
    assert list(POSITION.tests) == [each.condition for each in RULES.outcomes("position").modifiers]


MIXED = force("mixed", "Kn* 2, Cv 4, Hd 6", "hilly", 1)
PIKES = force("pikes", "Pk* 6, Hd 6", "hilly", 1)


@pytest.mark.clause("SD-4.7-m3", "SD-4.7-m4", "SD-4.7-m7", "AMB-32", "AMB-33")
@pytest.mark.parametrize(
    ("one", "counted"),
    [
        # Facts that ask for a type leave others alone.
        (case(PLAIN, PLAIN, "Hd", you_reserved_landing=3, both_flanks_bad=True), []),
        # Mixed mounted add both; a Cv that does not lead does not count.
        (case(MIXED, PLAIN, "Kn* Cv Cv"), ["m6", "m8"]),
        (case(MIXED, PLAIN, "Kn* Cv"), ["m6"]),
        # Pikes have a high factor.
        (case(TWO, PIKES, "Hd"), ["m2"]),
    ],
)
def test_what_counts_for_other_types_mixed_groups_and_pikes(one: PositionCase, counted: list[str]) -> None:
    assert on(position_modifiers(one)) == counted


@pytest.mark.clause("AMB-34")
def test_two_bad_flanks_follow_from_each() -> None:
    both = Situation.given(left_flank__bad_going=True, right_flank__bad_ahead=True)
    assert both.both_flanks_bad is True
    assert Situation.given(left_flank__bad_going=True).both_flanks_bad is None
    assert Situation.given(left_flank__bad_going=False, left_flank__bad_ahead=False).both_flanks_bad is False
