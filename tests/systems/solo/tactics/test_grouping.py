"""Tactical groups: the method of the specification, its exceptions, plain fours, and a person's own (SD-4.5)."""

from __future__ import annotations

from collections import Counter

import pytest
from forces import EVERY, HOP, LEG, STP, force
from hypothesis import given, settings
from hypothesis import strategies as st
from solo_games import RULES, rules

from printkit.core.errors import ScenarioError
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.tactics.grouping import Group, GroupRules, groups_by_hand, groups_of, lead_type, written

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
    assert groups_of(HOP.elements, HOP, LEG, rules(grouping="ask"))[1].needs_person
    assert made(HOP, LEG, grouping="greedy") == "{4Sp*}{4Sp}{2Sp}{2Ps}"


@pytest.mark.clause("SD-4.5-a")
@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("Sp* Sp Sp Sp Sp", "Sp Sp Sp Sp", "Sp Ps Ps"), "group 1 has 5 elements"),
        (("Sp* Sp Sp Sp", "Kn"), "group 2: no Kn is left"),
        (("Sp* Sp Sp Sp",), "no group has Sp Sp"),
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
    if npg.mounted > 1:
        assert sum(any(element.troop.mounted for element in group.elements) for group in groups) >= 2
