"""Selection of terrain: compulsory and optional pieces, pairs, whole fields, and every modifier over all armies."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from forces import ARB, CST, DES, EVERY, HOP, LEG, MED, PHX, STP, TRB, WDS
from msgspec.structs import replace
from selecting import BOOK, case_of, chosen, compelled, list_active_clauses, pieces, thrown, used_up
from terrain_chances import chance_of, faces_for

from printkit.chance.dice import Dice, Seeded
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.solo.armies.force import Force, HillsOrMarsh, Home, LittoralPairs, WoodsOrDunes
from printkit.systems.solo.armies.steps import sum_modifiers
from printkit.systems.solo.terrain.selection import (
    Candidate,
    Selection,
    choose_compulsory_feature,
    choose_compulsory_pieces,
    choose_optional_features,
    choose_optional_pieces,
    choose_pieces,
    list_candidates,
    roll_optional_number,
    select_terrain,
)
from printkit.systems.solo.terrain.topography import CONDITIONS, find_modifiers


class TestCompulsory:
    @pytest.mark.clause("ST-12", "SD-3.1.1-b", "SD-3.1.1-m2", "SD-3.1.1-m4", "SD-3.1.1-r2", "AMB-11")
    def test_a_defender_without_spears_and_blades_takes_a_road(self) -> None:
        case = case_of(PHX, LEG)
        dice = thrown("1")
        feature, (step,) = choose_compulsory_feature(case, dice)
        assert feature is Terrain.ROAD
        assert (sum_modifiers(step.modifiers), step.total, step.row) == (5, 6, "SD-3.1.1-r2")
        assert list_active_clauses(step.modifiers) == ("SD-3.1.1-m2", "SD-3.1.1-m4")
        assert dice.log[0].clause == "SD-3.1.1-r2"
        assert chance_of("compulsory", "bua", case) == 0

    @pytest.mark.clause("ST-13", "SD-3.1.1-m1..SD-3.1.1-m4", "SD-3.1.1-r1", "SD-3.1.1-r2")
    @pytest.mark.parametrize(
        ("defender", "attacker", "die", "total", "feature", "on", "chance"),
        [
            (ARB, HOP, "3", 3, "bua", "", Fraction(1, 2)),
            (PHX, DES, "1", 3, "bua", "m2", Fraction(1, 6)),
            (MED, HOP, "1", 4, "road", "m1 m2", Fraction(0)),
            (MED, CST, "1", 6, "road", "m1 m2 m3", Fraction(0)),
        ],
    )
    def test_built_up_area_or_road(
        self, defender: Force, attacker: Force, die: str, total: int, feature: str, on: str, chance: Fraction
    ) -> None:
        case = case_of(defender, attacker)
        found, (step,) = choose_compulsory_feature(case, thrown(die))
        assert (found, step.total) == (feature, total)
        assert list_active_clauses(step.modifiers) == tuple(f"SD-3.1.1-{name}" for name in on.split())
        assert chance_of("compulsory", "bua", case) == chance

    @pytest.mark.clause("ST-14", "SD-3.1.1-a", "SD-3.1-a", "SD-3-a")
    def test_without_built_up_areas_it_is_a_road_and_other_homes_have_one_feature_and_no_die(self) -> None:
        dice = thrown("")
        feature, (step,) = choose_compulsory_feature(case_of(ARB, HOP, use_bua="false"), dice)
        assert (feature, step.clause, dice.log) == (Terrain.ROAD, "SD-3.1.1-a", [])
        others = [home for home in Home if home != "arable"]
        found = {home: choose_compulsory_feature(case_of(LEG, STP, home=home), thrown(""))[0] for home in others}
        assert found == {
            "forest": "woods",
            "hilly": "steep_hill",
            "steppe": "gentle_hill",
            "dry": "rough",
            "tropical": "woods",
            "littoral": "waterway",
        }

    @pytest.mark.clause("ST-15", "SD-3.1.2-a", "SD-3.1.2-m1", "SD-3.1.2-r1")
    @pytest.mark.parametrize(
        ("defender", "terrain", "die", "total", "count", "chance"),
        [
            (WDS, "woods", "3", 4, 2, Fraction(2, 3)),
            (HOP, "steep_hill", "3", 3, 1, Fraction(1, 2)),
            (TRB, "gentle_hill", "3", 3, 1, Fraction(1, 2)),
            (DES, "rough", "3", 3, 1, Fraction(1, 2)),
        ],
    )
    def test_a_second_compulsory_piece(
        self, defender: Force, terrain: str, die: str, total: int, count: int, chance: Fraction
    ) -> None:
        case = case_of(defender, LEG)
        found, (step,) = choose_compulsory_pieces(case, Terrain(terrain), thrown(die))
        assert found == compelled(terrain) * count
        assert step.total == total
        assert chance_of("second_piece", "two", case, compelled(terrain)) == chance

    @pytest.mark.clause("ST-15", "SD-3.1.2-a", "SD-3.1.2-m1")
    def test_never_two_waterways_or_built_up_areas_and_nothing_added_for_roads_and_gentle_hills(self) -> None:
        for terrain in ("waterway", "bua"):
            assert choose_compulsory_pieces(case_of(CST, LEG), Terrain(terrain), thrown("")) == (compelled(terrain), ())
        on = {
            terrain.value
            for terrain, piece in case_of(WDS, LEG).tables.pieces.items()
            if piece.doubled and sum_modifiers(find_modifiers("second_piece", case_of(WDS, LEG), compelled(terrain)))
        }
        assert on == {"woods", "steep_hill", "rough"}


class TestNumber:
    @pytest.mark.clause("ST-16", "SD-3.2.1-a", "SD-3.2.1-m1..SD-3.2.1-m3", "SD-3.2.1-r1", "SD-3.2.1-r2")
    @pytest.mark.parametrize(("die", "number"), [("1", 2), ("2", 3)])
    def test_two_woods_take_one_off(self, die: str, number: int) -> None:
        case = case_of(WDS, STP)
        found, step = roll_optional_number(case, compelled("woods", "woods"), thrown(die))
        assert found == number
        assert list_active_clauses(step.modifiers) == ("SD-3.2.1-m1", "SD-3.2.1-m2", "SD-3.2.1-m3")
        assert chance_of("optional", "3", case, compelled("woods", "woods")) == Fraction(5, 6)

    @pytest.mark.clause("ST-17", "SD-3.2.1-m4", "SD-3.2.1-m5")
    @pytest.mark.parametrize(
        ("defender", "attacker", "compulsory", "on", "added", "chance"),
        [
            (STP, WDS, "gentle_hill gentle_hill", "m4 m5", -2, Fraction(1, 6)),
            (DES, STP, "rough", "m1 m2", 3, Fraction(1)),
            (HOP, LEG, "steep_hill", "m2", 1, Fraction(2, 3)),
        ],
    )
    def test_chances_of_three(
        self, defender: Force, attacker: Force, compulsory: str, on: str, added: int, chance: Fraction
    ) -> None:
        case = case_of(defender, attacker)
        found = find_modifiers("optional", case, compelled(*compulsory.split()))
        assert list_active_clauses(found) == tuple(f"SD-3.2.1-{name}" for name in on.split())
        assert sum_modifiers(found) == added
        assert chance_of("optional", "3", case, compelled(*compulsory.split())) == chance

    @pytest.mark.clause("SD-3.2.1-m3", "AMB-14")
    def test_a_built_up_area_is_no_bad_going(self) -> None:
        two = compelled("bua", "rough")
        assert "SD-3.2.1-m3" not in list_active_clauses(find_modifiers("optional", case_of(ARB, HOP), two))
        assert "SD-3.2.1-m3" in list_active_clauses(
            find_modifiers("optional", case_of(ARB, HOP), compelled("woods", "rough"))
        )


@pytest.mark.clause("SD-3.1.2-r1", "SD-3.2.1-r1", "SD-3.2.1-r2")
def test_faces_of_the_die_for_a_pair_of_armies() -> None:
    """Spears and blades of the hills against light horse: the faces as a card of this pair prints them."""
    case = case_of(LEG, STP)
    assert faces_for("second_piece", case, compelled("steep_hill"))["two"] == (4, 5, 6)
    assert faces_for("optional", case, compelled("steep_hill"))["3"] == (1, 2, 3, 4, 5, 6)
    assert faces_for("optional", case, compelled("steep_hill", "steep_hill")) == {"2": (1,), "3": (2, 3, 4, 5, 6)}


class TestLittoral:
    @pytest.mark.clause("ST-18", "SD-3.2.2-a", "SD-3.2.2-b")
    def test_two_dice_for_each_pair_and_a_tie_again(self) -> None:
        dice = thrown("4 4 2 6 5 1")
        offered, steps = choose_optional_features(case_of(CST, LEG), dice)
        assert [terrain.value for terrain in offered] == ["marsh", "woods", "bua", "river"]
        assert [step.dice for step in steps] == [(4, 4, 2, 6), (5, 1)]
        assert used_up(dice)

    @pytest.mark.clause("SD-3.2.2-a", "SD-3.2.2-b")
    def test_what_suits_an_army_takes_no_die_and_other_homes_have_no_pairs(self) -> None:
        pairs = LittoralPairs(hills_or_marsh=HillsOrMarsh.STEEP_HILL, woods_or_dunes=WoodsOrDunes.DUNES)
        offered, _ = choose_optional_features(case_of(replace(CST, pairs=pairs), LEG), thrown(""))
        assert [terrain.value for terrain in offered] == ["steep_hill", "dunes", "bua", "river"]
        assert choose_optional_features(case_of(LEG, CST), thrown(""))[1] == ()


STEPPE = pieces("river", "rough", "rough", "bua")
FOREST = pieces("river", "marsh", "marsh", "gentle_hill", "gentle_hill")
TOWN_FIRST = pieces("bua", "gentle_hill", "gentle_hill", "river")


class TestChoice:
    @pytest.mark.clause("ST-19", "SD-3.2.3-a", "SD-3.2.3-c", "SD-3.2.3-d", "ST-20", "ST-21", "SD-3.2.3-e", "AMB-13")
    @pytest.mark.parametrize(
        ("able", "places", "scores", "required", "taken"),
        [
            pytest.param(STEPPE, 2, "2 5 3 6", True, "rough bua", id="bad going first where the field has none"),
            pytest.param(TOWN_FIRST, 2, "6 5 4 1", True, "river bua", id="the required one whatever others throw"),
            pytest.param(pieces("bua", "gentle_hill", "river"), 2, "6 5 1", False, "bua gentle_hill", id="none asked"),
            pytest.param(STEPPE, 2, "3 3 3 6 6 1 2", True, "river bua", id="a tie for the first place"),
            pytest.param(FOREST, 2, "4 6 4 4 1 3 5 5 2 1", False, "marsh marsh", id="ties for the last place"),
            pytest.param(FOREST, 3, "5 5 5 1 1", False, "river marsh marsh", id="all that tie get in"),
            pytest.param(FOREST, 1, "1 5 5 1 1", False, "marsh", id="all that tie are of one type"),
            pytest.param(pieces("river", "bua"), 3, "1 1", True, "river bua", id="fewer than places"),
        ],
    )
    def test_which_candidates_come_in(
        self, able: Sequence[Candidate], places: int, scores: str, required: bool, taken: str
    ) -> None:
        assert chosen(able, places, scores, required=required) == taken.split()

    @pytest.mark.clause("ST-22", "SD-3.2.3-b")
    @pytest.mark.parametrize(
        ("attacker", "scores", "found"),
        [
            (CST, "3 2 1 6 5 4 3 6 5 5 5", ["woods", "gentle_hill", "road"]),
            (LEG, "3 2 1 6 5 4 3 6 5", ["waterway", "gentle_hill", "road"]),
        ],
    )
    def test_a_littoral_attacker_takes_one_off_the_waterway(
        self, attacker: Force, scores: str, found: list[str]
    ) -> None:
        case = case_of(ARB, attacker)
        dice = thrown(scores)
        offered, _ = choose_optional_features(case, dice)
        picks, step = choose_optional_pieces(case, compelled("road"), offered, 3, dice)
        assert [pick.terrain.value for pick in picks] == found
        assert len(step.dice) == len(scores.split())
        assert used_up(dice)
        assert bool(list_active_clauses(step.modifiers, "waterway")) == attacker.is_littoral

    @pytest.mark.clause("ST-25", "AMB-12", "SD-3.2.3-a")
    @pytest.mark.parametrize(("compulsory", "roads"), [(["bua"], 2), (["road"], 1), (["road", "road"], 0)])
    def test_compulsory_roads_use_up_those_that_a_field_holds(self, compulsory: list[str], roads: int) -> None:
        case = case_of(ARB, HOP)
        able = list_candidates(case, compelled(*compulsory), case.tables.optional_types(Home.ARABLE))
        assert [candidate.terrain for candidate in able].count(Terrain.ROAD) == roads

    @pytest.mark.clause("AMB-13")
    def test_only_those_whose_tie_decides_dice_again(self) -> None:
        dice = thrown("4 4 1 1 5 2")
        choice = choose_pieces(pieces("river", "rough", "bua", "road"), 1, dice, required=True)
        assert choice.types == (Terrain.RIVER,)
        assert used_up(dice)

    @pytest.mark.clause("AMB-14", "SD-3.2.3-c")
    def test_a_built_up_area_is_not_the_required_one(self) -> None:
        case = case_of(STP, LEG)
        dice = thrown("1 2 3 6")
        picks, _ = choose_optional_pieces(
            case, compelled("gentle_hill"), case.tables.optional_types(Home.STEPPE), 2, dice
        )
        assert [pick.terrain.value for pick in picks] == ["rough", "bua"]


@pytest.mark.clause("SD-3-a", "SD-3.2.3-c", "SD-3.2.3-d")
@pytest.mark.parametrize("home", list(Home))
def test_a_field_has_three_to_five_pieces_within_its_caps_and_some_cover(home: Home) -> None:
    for attacker in (STP, WDS, CST):
        case = case_of(MED, attacker, home=home)
        for seed in range(12):
            found: Selection = select_terrain(case, Dice(Seeded(seed)))
            assert 3 <= len(found.picks) <= 5
            assert not case.tables.lacks_required(found.picks)
            for pick in found.picks:
                same = [other for other in found.picks if other.terrain is pick.terrain]
                assert len(same) <= case.tables.pieces[pick.terrain].count_max
                listed = case.tables.compulsory_types(home) if pick.compulsory else case.tables.optional_types(home)
                assert pick.terrain in listed
            assert {step.clause for step in found.steps} >= {"SD-3.2.1-a", "SD-3.2.3-a"}


def test_no_built_up_area_at_all_where_nobody_uses_them() -> None:
    fields = [select_terrain(case_of(HOP, STP, use_bua="false"), Dice(Seeded(seed))) for seed in range(20)]
    assert Terrain.BUA not in {pick.terrain for found in fields for pick in found.picks}


CASE = case_of(LEG, LEG)
PAIRS = [replace(CASE, defender=one, attacker=other) for one in EVERY.values() for other in EVERY.values()]


@pytest.mark.clause("SD-3.1.1-m1..SD-3.1.1-m4", "SD-3.1.2-m1", "SD-3.2.1-m1..SD-3.2.1-m5", "SD-3.2.3-b")
def test_every_modifier_over_all_pairs_of_armies_is_what_the_rules_say() -> None:
    def line(army: Force) -> int:
        return army.count("Sp") + army.count("Bd")

    for case in PAIRS:
        one, other = case.defender, case.attacker
        two = compelled("woods", "woods")
        found = {
            modifier
            for table in ("compulsory", "second_piece", "optional", "candidate")
            for modifier in list_active_clauses(find_modifiers(table, case, two))
        }
        expected = {
            "SD-3.1.1-m1": one.mounted_count >= 5,
            "SD-3.1.1-m2": line(one) < 6,
            "SD-3.1.1-m3": other.count("Art") >= 1,
            "SD-3.1.1-m4": line(one) == 0 and line(other) >= 1,
            "SD-3.1.2-m1": one.bad_goer_count > 6,
            "SD-3.2.1-m1": one.bad_goer_count > other.bad_goer_count,
            "SD-3.2.1-m2": other.mounted_count > one.mounted_count,
            "SD-3.2.1-m3": True,
            "SD-3.2.1-m4": one.mounted_count > other.mounted_count,
            "SD-3.2.1-m5": other.bad_goer_count > one.bad_goer_count,
            "SD-3.2.3-b": other.home is Home.LITTORAL,
        }
        assert found == {clause for clause, holds in expected.items() if holds}, (one.name, other.name)


@pytest.mark.clause("SD-3.1.1-r1", "SD-3.1.1-r2", "SD-3.2.1-r1", "SD-3.2.1-r2", "SD-3.1.2-r1")
def test_four_is_the_line_of_all_three_tables_for_every_pair() -> None:
    for case in PAIRS:
        for table, over in (("compulsory", "road"), ("second_piece", "two"), ("optional", "3")):
            for compulsory in (compelled("woods"), compelled("woods", "woods")):
                added = sum_modifiers(find_modifiers(table, case, compulsory))
                faces = tuple(face for face in range(1, 7) if face + added >= 4)
                assert faces_for(table, case, compulsory)[over] == faces


def test_the_tables_and_the_conditions_name_the_same_modifiers() -> None:
    tables = ("compulsory", "second_piece", "optional", "candidate")
    assert {modifier.condition for table in tables for modifier in BOOK.tables[table].modifiers} == set(CONDITIONS)
