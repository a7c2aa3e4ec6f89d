"""Selection of terrain: compulsory pieces, the number of optional ones, littoral pairs; worked examples with dice."""

from __future__ import annotations

from fractions import Fraction

import pytest
from forces import ARB, CST, DES, HOP, LEG, MED, PHX, STP, TRB, WDS
from msgspec.structs import replace
from selecting import case_of, compelled, thrown, used_up
from terrain_chances import chance_of, faces_for

from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.solo.armies.force import Force, HillsOrMarsh, Home, LittoralPairs, WoodsOrDunes
from printkit.systems.solo.armies.steps import on_of, sum_of
from printkit.systems.solo.terrain.selection import (
    compulsory_feature,
    compulsory_pieces,
    optional_features,
    optional_number,
)
from printkit.systems.solo.terrain.topography import modifiers


class TestCompulsory:
    @pytest.mark.clause("ST-12", "SD-3.1.1-b", "SD-3.1.1-m2", "SD-3.1.1-m4", "SD-3.1.1-r2", "AMB-11")
    def test_a_defender_without_spears_and_blades_takes_a_road(self) -> None:
        case = case_of(PHX, LEG)
        dice = thrown("1")
        feature, (step,) = compulsory_feature(case, dice)
        assert feature is Terrain.ROAD
        assert (sum_of(step.modifiers), step.total, step.row) == (5, 6, "SD-3.1.1-r2")
        assert on_of(step.modifiers) == ("SD-3.1.1-m2", "SD-3.1.1-m4")
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
        found, (step,) = compulsory_feature(case, thrown(die))
        assert (found, step.total) == (feature, total)
        assert on_of(step.modifiers) == tuple(f"SD-3.1.1-{name}" for name in on.split())
        assert chance_of("compulsory", "bua", case) == chance

    @pytest.mark.clause("ST-14", "SD-3.1.1-a", "SD-3.1-a", "SD-3-a")
    def test_without_built_up_areas_it_is_a_road_and_other_homes_have_one_feature_and_no_die(self) -> None:
        dice = thrown("")
        feature, (step,) = compulsory_feature(case_of(ARB, HOP, use_bua="false"), dice)
        assert (feature, step.clause, dice.log) == (Terrain.ROAD, "SD-3.1.1-a", [])
        others = [home for home in Home if home != "arable"]
        found = {home: compulsory_feature(case_of(LEG, STP, home=home), thrown(""))[0] for home in others}
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
        found, (step,) = compulsory_pieces(case, Terrain(terrain), thrown(die))
        assert found == compelled(terrain) * count
        assert step.total == total
        assert chance_of("second_piece", "two", case, compelled(terrain)) == chance

    @pytest.mark.clause("ST-15", "SD-3.1.2-a", "SD-3.1.2-m1")
    def test_never_two_waterways_or_built_up_areas_and_nothing_added_for_roads_and_gentle_hills(self) -> None:
        for terrain in ("waterway", "bua"):
            assert compulsory_pieces(case_of(CST, LEG), Terrain(terrain), thrown("")) == (compelled(terrain), ())
        on = {
            terrain.value
            for terrain, piece in case_of(WDS, LEG).country.pieces.items()
            if piece.doubled and sum_of(modifiers("second_piece", case_of(WDS, LEG), compelled(terrain)))
        }
        assert on == {"woods", "steep_hill", "rough"}


class TestNumber:
    @pytest.mark.clause("ST-16", "SD-3.2.1-a", "SD-3.2.1-m1..SD-3.2.1-m3", "SD-3.2.1-r1", "SD-3.2.1-r2")
    @pytest.mark.parametrize(("die", "number"), [("1", 2), ("2", 3)])
    def test_two_woods_take_one_off(self, die: str, number: int) -> None:
        case = case_of(WDS, STP)
        found, step = optional_number(case, compelled("woods", "woods"), thrown(die))
        assert found == number
        assert on_of(step.modifiers) == ("SD-3.2.1-m1", "SD-3.2.1-m2", "SD-3.2.1-m3")
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
        found = modifiers("optional", case, compelled(*compulsory.split()))
        assert on_of(found) == tuple(f"SD-3.2.1-{name}" for name in on.split())
        assert sum_of(found) == added
        assert chance_of("optional", "3", case, compelled(*compulsory.split())) == chance

    @pytest.mark.clause("SD-3.2.1-m3", "AMB-14")
    def test_a_built_up_area_is_no_bad_going(self) -> None:
        two = compelled("bua", "rough")
        assert "SD-3.2.1-m3" not in on_of(modifiers("optional", case_of(ARB, HOP), two))
        assert "SD-3.2.1-m3" in on_of(modifiers("optional", case_of(ARB, HOP), compelled("woods", "rough")))


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
        offered, steps = optional_features(case_of(CST, LEG), dice)
        assert [terrain.value for terrain in offered] == ["marsh", "woods", "bua", "river"]
        assert [step.dice for step in steps] == [(4, 4, 2, 6), (5, 1)]
        assert used_up(dice)

    @pytest.mark.clause("SD-3.2.2-a", "SD-3.2.2-b")
    def test_what_suits_an_army_takes_no_die_and_other_homes_have_no_pairs(self) -> None:
        pairs = LittoralPairs(hills_or_marsh=HillsOrMarsh.STEEP_HILL, woods_or_dunes=WoodsOrDunes.DUNES)
        offered, _ = optional_features(case_of(replace(CST, pairs=pairs), LEG), thrown(""))
        assert [terrain.value for terrain in offered] == ["steep_hill", "dunes", "bua", "river"]
        assert optional_features(case_of(LEG, CST), thrown(""))[1] == ()
