"""Armies in columns: who may stand where, what is still to come on, and what a player may do in a bound."""

from __future__ import annotations

from itertools import permutations
from math import factorial
from pathlib import Path
from typing import Any

import pytest
from columns_scene import TROOPS, USUAL, army, codes, rules, tree

from printkit.cli.app import run
from printkit.core.errors import ScenarioError
from printkit.core.words import find_words
from printkit.kit.registry import find as system_of
from printkit.kit.rules import Rules
from printkit.systems.collision.march.columns import BAGGAGE, Contingent, Role, read_army
from printkit.systems.collision.march.columns_check import (
    Fault,
    Land,
    check_army,
    depth_of,
    entry_length,
    entry_margin,
    required_sizes,
    slowest_move,
)
from printkit.systems.collision.march.duties import duty_rows
from printkit.systems.collision.sheets import pages

PLAIN = rules()
WATER, DRY = Land(waterway=True), Land(waterway=False)
ONE = {"sizes": (4, 5, 3), "allies": (3,)}
TWO = {"sizes": (4, 4, 4), "allies": (2, 2)}
WAGONS = ("WWg", "WWg", *USUAL[2:])


@pytest.mark.clause("CC-T19", "CC-T20", "CC-T21", "CC-E08", "CC-2.1", "CC-2.7", "CC-S02", "CC-S03", "CC-S06")
@pytest.mark.clause("CC-Q09", "CC-Q27")
def test_baggage_stands_behind_column_two_or_opens_column_three_and_stands_nowhere_else() -> None:
    wanted = {"2-last": [], "3-first": [], "3-second": ["CC-E08"], "1-last": ["CC-E08"]}
    assert {place: codes(army(baggage=place)) for place in wanted} == wanted


@pytest.mark.clause("CC-T22", "CC-T23", "CC-T25", "CC-T26", "CC-E03", "CC-E04", "CC-S03", "CC-S04", "CC-Q10", "CC-Q21")
@pytest.mark.clause("CC-10.1", "CC-10.2", "CC-10.3", "CC-10.4", "CC-10.6")
@pytest.mark.parametrize(
    ("sizes", "allies", "faults", "right"),
    [
        ((4, 5, 3), (), ["CC-E03"], (4, 4, 4)),
        ((4, 5, 3), (3,), [], (4, 5, 3)),
        ((4, 4, 4), (3,), ["CC-E03", "CC-E04"], (4, 5, 3)),
        ((4, 4, 4), (4,), ["CC-E03"], (4, 5, 3)),
        ((4, 6, 2), (2,), ["CC-E03"], (4, 5, 3)),
        ((4, 4, 4), (2, 2), [], (4, 4, 4)),
    ],
)
def test_one_contingent_is_a_third_column_of_three_and_two_are_one_of_four(
    sizes: tuple[int, ...], allies: tuple[int, ...], faults: list[str], right: tuple[int, ...]
) -> None:
    made = army(sizes, allies=allies)
    assert (codes(made), required_sizes(made, PLAIN)) == (faults, right)
    assert len(made.column(2)) == sizes[1] + 1


@pytest.mark.clause("CC-T24", "CC-T29", "CC-E09", "CC-E10", "CC-6.6", "CC-10.7", "CC-S07")
def test_with_allies_or_for_a_landing_the_baggage_closes_column_two() -> None:
    assert codes(army(**ONE, baggage="3-first")) == ["CC-E09"]
    assert codes(army(home="littoral", landing=True, baggage="3-first"), land=WATER) == ["CC-E10"]
    assert codes(army(home="littoral", landing=True), land=WATER) == []


@pytest.mark.clause("CC-T27", "CC-T28", "CC-E12", "CC-E13", "CC-E14", "CC-E15", "CC-6.1", "CC-6.2", "CC-10.8", "CC-S09")
def test_the_third_column_lands_from_a_waterway_and_of_allies_one_littoral_contingent() -> None:
    assert codes(army(**TWO, landing=True), land=WATER) == ["CC-E14"]
    assert codes(army(**ONE, landing=True), land=WATER) == []
    assert codes(army(**ONE, landing=True), land=DRY) == ["CC-E15"]
    assert codes(army(**ONE, landing=True, ally_homes=("hilly",)), land=WATER) == ["CC-E13"]
    assert codes(army(**ONE, landing=True)) == []
    assert codes(army(home="littoral", landing=2), land=WATER) == ["CC-E12"]


@pytest.mark.clause("CC-T30", "CC-E05", "CC-3.8", "CC-S05", "CC-Q22", "CC-Q23", "CC-Q24")
def test_two_war_wagons_need_no_baggage_which_may_come_and_a_setting_says_whose_count() -> None:
    assert codes(army(types=WAGONS, baggage="")) == []
    assert codes(army(types=("WWg", *USUAL[1:]), baggage="")) == ["CC-E05"]
    allied = army(**ONE, types=(*USUAL[:9], "WWg", "WWg", "Ps"), baggage="")
    assert codes(allied) == []
    assert codes(allied, cc_q22="own-only") == ["CC-E05"]
    assert codes(army(types=WAGONS)) == []


@pytest.mark.clause("CC-T31", "CC-E07", "CC-E16", "CC-E17", "CC-E18", "CC-7.1", "CC-7.3", "CC-7.5", "CC-S10")
def test_a_defender_with_a_city_has_no_baggage_and_nobody_else_a_city_a_fort_or_a_garrison() -> None:
    assert codes(army(city=True)) == ["CC-E07"]
    assert codes(army(city=True, baggage="")) == []
    assert codes(army(), land=Land(city=True)) == ["CC-E07"]
    assert codes(army(role="attacker"), land=Land(city=True)) == []
    assert codes(army(role="attacker", city=True)) == ["CC-E17"]
    assert codes(army(fort=True)) == codes(army(), land=Land(forts=1)) == ["CC-E16"]
    assert codes(army(city=True, garrison=True, baggage="")) == ["CC-E18"]


@pytest.mark.clause("CC-T32", "CC-E11", "CC-5.1", "CC-S08")
def test_one_general_of_the_armys_own_marches_in_any_column() -> None:
    assert codes(army(general=11)) == codes(army(general=5)) == []
    none, two = tree(), tree()
    del none["elements"][0]["general"]
    two["elements"][3]["general"] = True
    assert codes(read_army(none, "army", TROOPS)) == codes(read_army(two, "army", TROOPS)) == ["CC-E11"]
    assert codes(army(**ONE, general=11)) == ["CC-E11"]


@pytest.mark.clause("CC-E01", "CC-E02", "CC-E06", "CC-S02", "CC-S05")
def test_twelve_elements_stand_in_one_column_each_with_one_baggage() -> None:
    assert codes(army((4, 4, 3), types=USUAL[:11])) == ["CC-E01", "CC-E03"]
    assert codes(army((4, 4, 5), types=["Bd"] * 13)) == ["CC-E01", "CC-E03"]
    twice, two = tree(), tree()
    twice["columns"]["1"][0] = "E12"
    assert codes(read_army(twice, "army", TROOPS)) == ["CC-E02", "CC-E02"]
    two["columns"]["3"].insert(0, BAGGAGE)
    assert codes(read_army(two, "army", TROOPS)) == ["CC-E06"]


@pytest.mark.clause("CC-E19", "CC-S11", "CC-3.1", "CC-Q29")
def test_baggage_is_forty_millimetres_deep_on_bases_of_any_width() -> None:
    assert codes(army(baggage_depth_mm=40)) == []
    assert codes(army(baggage_depth_mm=41)) == ["CC-E19"]
    assert codes(army(baggage_depth_mm=60), base_width=60.0) == ["CC-E19"]
    assert codes(army(baggage_depth_mm=40), base_width=60.0) == []
    assert Fault("CC-E19").is_warning


@pytest.mark.clause("CC-Q09")
def test_baggage_may_be_read_as_one_of_the_four() -> None:
    made = army((4, 3, 4), types=USUAL[:11])
    assert codes(made, cc_q09="inside") == []
    assert codes(made) == ["CC-E01", "CC-E03"]
    assert codes(army(types=WAGONS, baggage=""), cc_q09="inside") == []


@pytest.mark.clause("CC-Q19", "CC-Q20")
def test_a_list_of_two_allies_may_be_read_as_two_and_three_and_one_is_noted() -> None:
    made = army((4, 4, 4), allies=(4,), two_allies=True)
    assert codes(made, cc_q19="could") == []
    assert codes(made) == ["CC-E03"]
    assert codes(army((4, 4, 4), allies=(3, 1))) == ["CC-Q20"]
    assert Fault("CC-Q20").is_warning


@pytest.mark.clause("CC-S01", "CC-2.8")
def test_an_army_file_is_read_as_it_stands() -> None:
    made = army(**ONE, city=True)
    assert (made.name, made.role, made.home) == ("Ours", Role.DEFENDER, "arable")
    assert made.used_allies == (Contingent.FIRST,)
    assert made.power(Contingent.FIRST).name == "Allies 1"
    assert made.column(2)[-1] == BAGGAGE
    assert made.city
    assert list(Role) == ["defender", "attacker"]


@pytest.mark.clause("CC-S01")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": 3}, "name = 3 is not valid. Write text in quotes."),
        ({"home": "sea"}, 'Write one of "arable"'),
        ({"role": "umpire"}, 'Write one of "defender", "attacker"'),
        ({"elements": "many"}, 'elements = "many" is not valid. Write '),
        ({"elements": [{"id": "A", "type": "Tank"}], "columns": {}}, 'elements 1: type = "Tank" is not valid'),
        ({"elements": [{"id": "A", "type": "Cv"}] * 2}, "twice"),
        ({"columns": {"1": ["X"], "2": [], "3": []}}, "which is not an element"),
        ({"columns": {"4": []}}, 'columns: unknown key "4"'),
        ({"columns": {"1": 3}}, "columns.1 = 3 is not valid. Write a list of ids"),
        ({"landing": 4}, "Write true or false, or the number of a column"),
        ({"city": "yes"}, 'city = "yes" is not valid. Write true or false.'),
        ({"baggage_depth_mm": -1}, "millimetres above 0"),
        ({"horses": 3}, 'unknown key "horses"'),
    ],
)
def test_a_wrong_line_is_named(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        read_army({**tree(), **change}, "army.defender", TROOPS, role="defender")


@pytest.mark.clause("CC-T43", "CC-S12", "CC-4.5", "CC-2.5", "CC-2.6", "CC-3.2", "CC-Q28")
def test_what_is_still_to_come_on_is_as_fast_as_its_slowest_and_baggage_as_a_war_wagon() -> None:
    made = army(types=("Cv", *["4Bd"] * 3, "Cv", "3Kn", "Cv", "LH", *["4Bd"] * 4))
    length = entry_length(made, 2, TROOPS, PLAIN)
    assert (length.mm, length.widths, length.speed, length.moves) == (130.0, 3.25, 2.0, 2)
    assert [entry_length(made, column, TROOPS, PLAIN).mm for column in (1, 3)] == [0, 60]
    assert entry_length(made, 3, TROOPS, PLAIN, speed=0.5).moves == 3
    types = ("Cv", *["4Bd"] * 7, *["LH"] * 4)
    assert slowest_move(army(types=types, baggage="3-first"), 3, TROOPS) == 2
    assert slowest_move(army(types=types), 3, TROOPS) == 4
    assert depth_of(made, BAGGAGE, TROOPS, rules(60.0)) == depth_of(made, "E1", TROOPS, rules(60.0)) == 40


@pytest.mark.clause("CC-Q16", "CC-4.3")
def test_the_strictest_troops_of_a_column_say_how_near_to_the_sides_it_may_come_on() -> None:
    made = army(types=("Cv", *["4Bd"] * 7, "LH", "LH", "Sp", "3Ax"))
    assert entry_margin(made, 3, TROOPS) == 4
    light = army(types=("Cv", *["4Bd"] * 7, *["LH"] * 4))
    assert entry_margin(light, 3, TROOPS) == 2


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
def test_sizes_are_told_in_both_languages() -> None:
    (fault, *_) = check_army(army((4, 4, 4), allies=(3,)), PLAIN)
    assert "1 allied contingent they must be 4/5/3" in fault.describe(find_words("en"))
    assert "deben ser 4/5/3" in fault.describe(find_words("es"))


AS_USUAL = {"en": "as usual", "es": "lo normal"}
SILENT = {"CC-K03", "CC-K04", "CC-K06", "CC-K07", "CC-K09", "CC-K10"}
"""The rows whose rule gives a duty or nothing, so that a player may move as in any bound."""

RULES = Rules.of(system_of("collision-course").book)


@pytest.mark.parametrize("language", AS_USUAL)
def test_a_row_of_the_table_that_allows_nothing_special_says_as_usual(language: str) -> None:
    words, rows = find_words(language), duty_rows(RULES)
    shown = {row.duty.row: pages._build_duty_row(row, rows, RULES, words)[1] for row in rows}
    assert {row for row, may in shown.items() if may == AS_USUAL[language]} == SILENT | {"CC-K11"}
    assert "–" not in shown.values()


@pytest.mark.parametrize("language", AS_USUAL)
def test_the_terminal_says_as_usual_for_a_landing_that_is_lost(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = str(tmp_path / "game.toml")
    assert run(["columns", "new", game, "gallic", "viking", "--set", "landing=invader"]) == 0
    assert run(["columns", "bound", game, "attacker", "3", "--lang", language]) == 0
    said = capsys.readouterr().out
    assert "CC-K03" in said
    assert f"{find_words(language)('columns.sheet.may')}: {AS_USUAL[language]}" in said
