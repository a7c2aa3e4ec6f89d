"""Tactical groups by every method (SD-4.5), and where they go: sums, dice, places that cannot be, landings (SD-4.7)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from forces import CST, EVERY, HOP, LEG, MED, PHX, SOL, STP, WDS, force
from hypothesis import given, settings
from hypothesis import strategies as st
from solo_games import RULES, rules
from throwing import dice, no_dice, on, pairs

from printkit.core.errors import ScenarioError
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.steps import Step, sum_modifiers
from printkit.systems.solo.tactics.grouping import Group, GroupRules, groups_by_hand, groups_of, lead_type, written
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
    assert (sum_modifiers(found), on(found)) == (added, counted)


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
    assert (stuck.step.question_key, stuck.step.dice) == ("npg.battle.person.no_place", ())


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


NOBODY = force("nobody", "Sp* 12", "hilly", 1)
"""An enemy without mounted or Wb."""


def made(npg: Force, you: Force, **readings: str) -> str:
    found, step = groups_of(npg.elements, npg, you, rules(**readings))
    assert step.result == " ".join(f"{{{written(group)}}}" for group in found)
    return step.result.replace(" ", "")


@pytest.mark.clause(
    "ST-51", "ST-52", "SD-4.5-a", "SD-4.5-b", "SD-4.5-c", "SD-4.5-x1", "SD-4.5-x2", "SD-4.5-x4", "SD-4.5-x5", "AMB-30"
)
@pytest.mark.parametrize(
    ("npg", "you", "groups"),
    [
        ("LEG", "STP", "{3Bd+1Ps}{3Bd+1Ps}{2Sp}{1Cv*}{1Cv}"),
        ("PHX", "HOP", "{4Pk}{2Pk}{2Ps}{1El+1Ax}{1Kn*+1Cv}"),
        ("MED", "DES", "{2Bd+2Bw}{2Bw}{1Hd}{3Kn*}{2Kn}"),
        ("HOP", "STP", "{3Sp*+1Ps}{3Sp+1Ps}{4Sp}"),
        ("HOP", "LEG", "{4Sp*}{3Sp}{3Sp}{2Ps}"),
        ("TRB", "HOP", "{2Ps}{4Wb}{4Wb}{1Cv*}{1LH}"),
        ("DES", "STP", "{2Ps}{4Bw}{4Cm*}{2LH}"),
        ("CST", "MED", "{3Bd*+1Ps}{3Ax+1Ps}{1Bd}{1Ax}{1Art}{1LH}"),
        ("PHX", "MED", "{1Ax+1Ps}{4Pk}{2Pk}{1Ps}{1El+1Kn*}{1Cv}"),
        ("WAG", "DES", "{2Sp+1Bw}{1Sp+1Bw}{1Art}{4WWg*}{1Cv}{1Cv}"),
    ],
)
def test_st_51_and_52(npg: str, you: str, groups: str) -> None:
    assert made(EVERY[npg], EVERY[you]) == groups


THREE_MOUNTED = force("three", "Cv* 3, Sp 9", "hilly", 1)
BOWS = force("bows", "Bd* 4, Bw 4, Sp 2, Hd 2", "hilly", 1)


@pytest.mark.clause("SD-4.5-b", "SD-4.5-x1", "SD-4.5-x2", "SD-4.5-x3", "SD-4.5-x5", "AMB-30")
@pytest.mark.parametrize(
    ("npg", "you", "groups"),
    [
        # Psiloi support against four mounted and warband.
        (HOP, THREE_MOUNTED, "{4Sp*}{3Sp}{3Sp}{2Ps}"),
        (HOP, force("four", "Cv* 2, Wb 2, Sp 8", "hilly", 1), "{3Sp*+1Ps}{3Sp+1Ps}{4Sp}"),
        # Bows are mixed against four mounted.
        (BOWS, THREE_MOUNTED, "{2Sp}{4Bd*}{4Bw}{2Hd}"),
        (BOWS, force("four", "Cv* 4, Sp 8", "hilly", 1), "{2Bd*+2Bw}{2Bd+2Bw}{2Sp}{2Hd}"),
        # Spears, blades and pikes may share.
        (force("mixed", "Bd* 1, Sp 3, Pk 6, Hd 2", "hilly", 1), NOBODY, "{3Sp}{4Pk}{1Bd*+2Pk}{2Hd}"),
        # Mounted of different types share, but stand in two groups.
        (force("horse", "Cv* 4, LH 1, Sp 7", "hilly", 1), NOBODY, "{4Sp}{3Sp}{4Cv*}{1LH}"),
        (force("pair", "Cv* 2, Sp 10", "hilly", 1), NOBODY, "{4Sp}{3Sp}{3Sp}{1Cv*}{1Cv}"),
        (force("rest", "Kn* 4, Cv 3, LH 1, Sp 4", "hilly", 1), NOBODY, "{4Sp}{4Kn*}{3Cv+1LH}"),
        (THREE_MOUNTED, NOBODY, "{3Sp}{3Sp}{3Sp}{2Cv*}{1Cv}"),
        (force("four", "Cv* 4, Sp 8", "hilly", 1), NOBODY, "{4Sp}{4Sp}{2Cv*}{2Cv}"),
    ],
)
def test_who_shares_a_group(npg: Force, you: Force, groups: str) -> None:
    assert made(npg, you) == groups


@pytest.mark.clause("SD-4.5-x4", "AMB-31")
def test_who_goes_with_elephants() -> None:
    jungle = force("jungle", "El* 1, Ax 1, Sp 10", "tropical", 1)
    two, three = force("two", "Cv* 2, Sp 10", "hilly", 1), THREE_MOUNTED
    assert "{1El*+1Ax}" in made(jungle, two)
    assert "{1El*}" in made(jungle, three)
    knights = force("knights", "El* 1, Kn 1, Sp 10", "tropical", 1)
    assert "{1El*}" in made(knights, two)
    case = GroupRules(npg=force("many", "El* 2, Ax 3, Sp 7", "dry", 1), you=two, rules=RULES)
    company = case.npg.elements
    assert case.may_share([company[0], company[2], company[3]])
    assert not case.may_share([company[0], company[2], company[3], company[4]])


@pytest.mark.clause("AMB-30", "SD-4.5-a")
def test_a_person_groups_by_hand_or_by_greedy_fours() -> None:
    lines = ("Sp* Sp Sp Sp", "Sp Sp Sp Ps", "Sp Sp Sp Ps")
    groups, step = groups_by_hand(lines, HOP.elements, HOP, LEG, RULES)
    assert [written(group) for group in groups] == ["4Sp*", "3Sp+1Ps", "3Sp+1Ps"]
    assert step.inputs["against_the_rules"] == ["3Sp+1Ps", "3Sp+1Ps"]
    assert groups_by_hand(lines, HOP.elements, HOP, STP, RULES)[1].inputs["against_the_rules"] == []
    assert groups_of(HOP.elements, HOP, LEG, rules(grouping="ask"))[1].question_key
    assert made(HOP, LEG, grouping="greedy") == "{4Sp*}{4Sp}{2Sp}{2Ps}"


@pytest.mark.clause("SD-4.5-a")
@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("Sp* Sp Sp Sp Sp", "Sp Sp Sp Sp", "Sp Ps Ps"), "group 1 has 5 elements"),
        (("Sp* Sp Sp Sp", "Kn"), "group 2: no Kn is left"),
        (("Sp* Sp Sp Sp",), "no group contains Sp Sp"),
        (("",), "group 1 has 0 elements"),
    ],
)
def test_groups_that_cannot_be_are_refused(lines: tuple[str, ...], said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        groups_by_hand(lines, HOP.elements, HOP, LEG, RULES)


@pytest.mark.clause("AMB-32")
@pytest.mark.parametrize(
    ("elements", "lead"),
    [
        ("El* 1, Ax 2", "El"),
        ("Bd* 1, Ps 3", "Bd"),
        ("Sp* 1, Bw 2", "Sp"),
        ("Kn* 1, Cv 1", "Kn"),
        ("Kn* 1, Cv 2", "Cv"),
        ("Ps* 2, Bw 1", "Ps"),
    ],
)
def test_the_lead_type(elements: str, lead: str) -> None:
    army = force("group", elements, "hilly", 1)
    assert lead_type(Group(army.elements), RULES) == lead


TYPES = ("El", "Kn", "Cv", "LH", "Cm", "SCh", "Sp", "Pk", "Bd", "Ax", "Bw", "Ps", "Wb", "Hd", "Art", "WWg")


def army_of(types: list[str]) -> Force:
    parts = Counter(types)
    led = types[0]
    text = ", ".join(f"{kind}{'*' if kind == led else ''} {many}" for kind, many in parts.items())
    return force("any", text, "hilly", 1)


@pytest.mark.clause("SD-4.5-a", "SD-4.5-b", "SD-4.5-c")
@given(
    st.lists(st.sampled_from(TYPES), min_size=12, max_size=12),
    st.sampled_from(sorted(EVERY)),
    st.sampled_from(["group_v1", "greedy"]),
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_every_grouping_keeps_the_rules(types: list[str], you: str, method: str) -> None:
    npg, readings = army_of(types), rules(grouping=method)
    groups, _ = groups_of(npg.elements, npg, EVERY[you], readings)
    case = GroupRules(npg=npg, you=EVERY[you], rules=readings)
    grouped = Counter(element.code for group in groups for element in group.elements)
    assert grouped == Counter(element.code for element in npg.elements)
    assert all(case.may_share(group.elements) for group in groups)
    assert sum(group.general for group in groups) == 1
    if npg.mounted_count > 1:
        assert sum(any(element.troop.mounted for element in group.elements) for group in groups) >= 2
