"""Armies in columns: who may stand where, and what is still to come on."""

from __future__ import annotations

from itertools import permutations
from math import factorial
from typing import Any

import pytest
from columns_scene import TROOPS, USUAL, army, codes, rules, tree

from printkit.core.errors import ScenarioError
from printkit.core.words import find
from printkit.systems.collision.march.columns import BAGGAGE, Contingent, Role, read_army
from printkit.systems.collision.march.columns_check import (
    Land,
    depth_of,
    entry_length,
    entry_margin,
    slowest,
    wanted_sizes,
)
from printkit.systems.collision.march.faults import Fault

PLAIN = rules()
WATER, DRY = Land(waterway=True), Land(waterway=False)
ONE = {"sizes": (4, 5, 3), "allies": (3,)}
TWO = {"sizes": (4, 4, 4), "allies": (2, 2)}
WAGONS = ("WWg", "WWg", *USUAL[2:])


@pytest.mark.clause("CC-T19", "CC-2.1", "CC-S02", "CC-S03", "CC-Q09", "CC-Q27")
def test_twelve_own_elements_in_three_columns_of_four_with_baggage_behind_the_second() -> None:
    assert codes(army()) == []


@pytest.mark.clause("CC-T20", "CC-2.7", "CC-S06")
def test_baggage_may_open_column_three() -> None:
    assert codes(army(baggage="3-first")) == []


@pytest.mark.clause("CC-T21", "CC-E08", "CC-2.7")
def test_baggage_stands_nowhere_else() -> None:
    assert codes(army(baggage="3-second")) == ["CC-E08"]
    assert codes(army(baggage="1-last")) == ["CC-E08"]


@pytest.mark.clause("CC-T22", "CC-E03", "CC-S03")
def test_five_in_the_second_column_need_an_ally() -> None:
    made = army((4, 5, 3))
    assert codes(made) == ["CC-E03"]
    assert wanted_sizes(made, PLAIN) == (4, 4, 4)


@pytest.mark.clause("CC-T23", "CC-10.1", "CC-10.2", "CC-10.3", "CC-10.6", "CC-Q10", "CC-S04")
def test_one_contingent_is_the_third_column_of_three() -> None:
    made = army(**ONE)
    assert codes(made) == []
    assert len(made.column(2)) == 6


@pytest.mark.clause("CC-T24", "CC-E09", "CC-10.7", "CC-S07")
def test_with_allies_the_baggage_closes_column_two() -> None:
    assert codes(army(**ONE, baggage="3-first")) == ["CC-E09"]


@pytest.mark.clause("CC-T25", "CC-E04", "CC-10.2", "CC-Q21")
def test_no_own_element_stands_among_the_allies() -> None:
    made = army((4, 4, 4), allies=(3,))
    assert codes(made) == ["CC-E03", "CC-E04"]
    assert wanted_sizes(made, PLAIN) == (4, 5, 3)


@pytest.mark.clause("CC-T26", "CC-10.4")
def test_two_contingents_are_a_third_column_of_four() -> None:
    assert codes(army(**TWO)) == []


@pytest.mark.clause("CC-T27", "CC-E14", "CC-10.8", "CC-S09")
def test_two_contingents_may_not_land_though_both_are_littoral() -> None:
    assert codes(army(**TWO, landing=True), land=WATER) == ["CC-E14"]


@pytest.mark.clause("CC-T28", "CC-E13", "CC-E15", "CC-6.1", "CC-10.8")
def test_one_littoral_contingent_lands_from_a_waterway() -> None:
    assert codes(army(**ONE, landing=True), land=WATER) == []
    assert codes(army(**ONE, landing=True), land=DRY) == ["CC-E15"]
    assert codes(army(**ONE, landing=True, ally_homes=("hilly",)), land=WATER) == ["CC-E13"]
    assert codes(army(**ONE, landing=True)) == []


@pytest.mark.clause("CC-T29", "CC-E10", "CC-6.6", "CC-S07")
def test_a_landing_leaves_the_baggage_to_column_two() -> None:
    assert codes(army(home="littoral", landing=True, baggage="3-first"), land=WATER) == ["CC-E10"]
    assert codes(army(home="littoral", landing=True), land=WATER) == []


@pytest.mark.clause("CC-T30", "CC-E05", "CC-3.8", "CC-S05", "CC-Q24")
def test_two_war_wagons_need_no_baggage_and_one_does() -> None:
    assert codes(army(types=WAGONS, baggage="")) == []
    assert codes(army(types=("WWg", *USUAL[1:]), baggage="")) == ["CC-E05"]


@pytest.mark.clause("CC-T31", "CC-E07", "CC-E17", "CC-7.5", "CC-S10")
def test_a_defender_with_a_city_has_no_baggage_and_an_attacker_no_city() -> None:
    assert codes(army(city=True)) == ["CC-E07"]
    assert codes(army(city=True, baggage="")) == []
    assert codes(army(), land=Land(city=True)) == ["CC-E07"]
    assert codes(army(role="attacker"), land=Land(city=True)) == []
    assert codes(army(role="attacker", city=True)) == ["CC-E17"]


@pytest.mark.clause("CC-T32", "CC-5.1", "CC-S08")
def test_the_general_may_march_in_any_column() -> None:
    assert codes(army(general=11)) == []
    assert codes(army(general=5)) == []


@pytest.mark.clause("CC-E01", "CC-E02", "CC-S02")
def test_every_element_stands_in_one_column() -> None:
    assert codes(army((4, 4, 3), types=USUAL[:11])) == ["CC-E01", "CC-E03"]
    twice = tree()
    twice["columns"]["1"][0] = "E12"
    assert codes(read_army(twice, "army", TROOPS)) == ["CC-E02", "CC-E02"]


@pytest.mark.clause("CC-E06", "CC-S05")
def test_there_is_one_baggage() -> None:
    twice = tree()
    twice["columns"]["3"].insert(0, BAGGAGE)
    assert codes(read_army(twice, "army", TROOPS)) == ["CC-E06"]


@pytest.mark.clause("CC-E11", "CC-S08")
def test_one_general_of_the_armys_own() -> None:
    none, two = tree(), tree()
    del none["elements"][0]["general"]
    two["elements"][3]["general"] = True
    assert codes(read_army(none, "army", TROOPS)) == ["CC-E11"]
    assert codes(read_army(two, "army", TROOPS)) == ["CC-E11"]
    assert codes(army(**ONE, general=11)) == ["CC-E11"]


@pytest.mark.clause("CC-E12", "CC-6.2")
def test_the_third_column_alone_lands() -> None:
    assert codes(army(home="littoral", landing=2), land=WATER) == ["CC-E12"]


@pytest.mark.clause("CC-E16", "CC-E18", "CC-7.1", "CC-7.3", "CC-S10")
def test_no_fort_and_no_garrison() -> None:
    assert codes(army(fort=True)) == ["CC-E16"]
    assert codes(army(), land=Land(forts=1)) == ["CC-E16"]
    assert codes(army(city=True, garrison=True, baggage="")) == ["CC-E18"]


@pytest.mark.clause("CC-E19", "CC-S11", "CC-3.1", "CC-Q29")
def test_baggage_is_forty_millimetres_deep_or_a_base_where_that_is_read() -> None:
    assert codes(army(baggage_depth_mm=40)) == []
    assert codes(army(baggage_depth_mm=60), base_width=60.0) == ["CC-E19"]
    assert codes(army(baggage_depth_mm=60), base_width=60.0, cc_q29="1bw") == []
    assert Fault("CC-E19").warning


@pytest.mark.clause("CC-Q09")
def test_baggage_may_be_read_as_one_of_the_four() -> None:
    made = army((4, 3, 4), types=USUAL[:11])
    assert codes(made, cc_q09="inside") == []
    assert codes(made) == ["CC-E01", "CC-E03"]
    assert codes(army(types=WAGONS, baggage=""), cc_q09="inside") == []


@pytest.mark.clause("CC-Q19")
def test_a_list_that_allows_two_allies_may_be_read_as_two() -> None:
    made = army((4, 4, 4), allies=(4,), two_allies=True)
    assert codes(made, cc_q19="could") == []
    assert codes(made) == ["CC-E03"]


@pytest.mark.clause("CC-Q20")
def test_three_and_one_is_noted_or_refused() -> None:
    made = army((4, 4, 4), allies=(3, 1))
    assert codes(made) == ["CC-Q20"]
    assert Fault("CC-Q20").warning
    assert not Fault("CC-Q20", hard=True).warning


@pytest.mark.clause("CC-Q22", "CC-Q23")
def test_whose_wagons_count_and_whether_baggage_may_come_besides() -> None:
    allied = army(**ONE, types=(*USUAL[:9], "WWg", "WWg", "Ps"), baggage="")
    assert codes(allied) == []
    assert codes(allied, cc_q22="own-only") == ["CC-E05"]
    assert codes(army(types=WAGONS)) == []
    assert codes(army(types=WAGONS), cc_q23="forbidden") == ["CC-Q23"]


@pytest.mark.clause("CC-S01", "CC-2.8")
def test_an_army_file_is_read_as_it_stands() -> None:
    made = army(**ONE, city=True)
    assert (made.name, made.role, made.home) == ("Ours", Role.DEFENDER, "arable")
    assert made.fielded == (Contingent.FIRST,)
    assert made.power(Contingent.FIRST).name == "Allies 1"
    assert made.column(2)[-1] == BAGGAGE
    assert made.city
    assert list(Role) == ["defender", "attacker"]


@pytest.mark.clause("CC-S01")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": 3}, "is no text"),
        ({"home": "sea"}, "there are arable"),
        ({"role": "umpire"}, "there are defender, attacker"),
        ({"elements": "many"}, "no list of tables"),
        ({"elements": [{"id": "A", "type": "Tank"}]}, "no troop type"),
        ({"elements": [{"id": "A", "type": "Cv"}, {"id": "A", "type": "Cv"}]}, "twice"),
        ({"columns": {"1": ["X"], "2": [], "3": []}}, "which is no element"),
        ({"columns": {"4": []}}, "means nothing here"),
        ({"columns": {"1": 3}}, "no list of ids"),
        ({"landing": 4}, "neither true nor false"),
        ({"city": "yes"}, "neither true nor false"),
        ({"baggage_depth_mm": -1}, "millimetres above 0"),
        ({"horses": 3}, "means nothing here"),
    ],
)
def test_a_wrong_line_is_named(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        read_army({**tree(), **change}, "army.defender", TROOPS, role="defender")


@pytest.mark.clause("CC-T43", "CC-S12", "CC-4.5", "CC-2.5", "CC-3.2", "CC-Q28")
def test_what_of_column_two_is_still_to_come_on() -> None:
    made = army(types=("Cv", *["4Bd"] * 3, "Cv", "3Kn", "Cv", "LH", *["4Bd"] * 4))
    length = entry_length(made, 2, TROOPS, PLAIN)
    assert (length.mm, length.widths, length.speed, length.moves) == (130.0, 3.25, 2.0, 2)
    assert entry_length(made, 1, TROOPS, PLAIN).mm == 0
    assert entry_length(made, 3, TROOPS, PLAIN).mm == 60
    assert entry_length(made, 3, TROOPS, PLAIN, speed=0.5).moves == 3


@pytest.mark.clause("CC-4.5", "CC-3.2", "CC-2.6")
def test_a_column_is_as_fast_as_its_slowest_and_baggage_as_a_war_wagon() -> None:
    made = army(types=("Cv", *["4Bd"] * 7, *["LH"] * 4), baggage="3-first")
    assert slowest(made, 3, TROOPS) == 2
    assert slowest(army(types=("Cv", *["4Bd"] * 7, *["LH"] * 4)), 3, TROOPS) == 4
    assert depth_of(made, BAGGAGE, TROOPS, rules(60.0)) == 40
    assert depth_of(made, BAGGAGE, TROOPS, rules(60.0, cc_q29="1bw")) == 60
    assert depth_of(made, "E1", TROOPS, rules(60.0)) == 40


@pytest.mark.clause("CC-Q16", "CC-4.3")
def test_the_strictest_troops_of_a_column_say_how_near_to_the_sides_it_may_come_on() -> None:
    made = army(types=("Cv", *["4Bd"] * 7, "LH", "LH", "Sp", "3Ax"))
    assert entry_margin(made, 3, TROOPS, PLAIN) == 4
    assert entry_margin(made, 3, TROOPS, rules(cc_q16="lead-type")) == 2
    assert entry_margin(made, 3, TROOPS, rules(cc_q16="none")) == 0
    light = army(types=("Cv", *["4Bd"] * 7, *["LH"] * 4))
    assert entry_margin(light, 3, TROOPS, PLAIN) == 2
    assert entry_margin(light, 3, TROOPS, rules(cc_q16="4bw")) == 4


@pytest.mark.clause("CC-P07", "CC-Q10")
def test_the_legal_patterns_of_columns() -> None:
    cases = {
        (): {("2-last", (4, 5, 4)), ("3-first", (4, 4, 5))},
        (3,): {("2-last", (4, 6, 3))},
        (2, 2): {("2-last", (4, 5, 4))},
    }
    for allies, wanted in cases.items():
        found = set()
        for sizes in ((one, two, 12 - one - two) for one in range(13) for two in range(13 - one)):
            for baggage in ("2-last", "3-first"):
                made = army(sizes, allies=allies, baggage=baggage)
                if not codes(made):
                    found.add((baggage, tuple(len(column) for column in made.columns)))
        assert found == wanted


@pytest.mark.clause("CC-P08")
def test_in_how_many_ways_an_army_can_march() -> None:
    """Four elements in columns of 2, 1, 1 stand for twelve: each order of them all is another march."""
    orders = {(order[:2], order[2:3], order[3:]) for order in permutations("ABCD")}
    assert len(orders) == factorial(4)
    legal = [where for where in ("2-last", "3-first", "3-second", "1-last") if not codes(army(baggage=where))]
    assert (factorial(12), len(legal)) == (479_001_600, 2)


@pytest.mark.clause("CC-E03")
@pytest.mark.parametrize(
    ("lang", "said"), [("en", "1 allied contingent they must be 4/5/3"), ("es", "deben ser 4/5/3")]
)
def test_sizes_are_told_in_both_languages(lang: str, said: str) -> None:
    from printkit.systems.collision.march.columns_check import check_army

    faults = check_army(army((4, 4, 4), allies=(3,)), PLAIN)
    assert said in faults[0].said(find(lang))
