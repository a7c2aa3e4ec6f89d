"""The camp: who holds it, and where it stands (SD-4.2, SD-4.3)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from forces import DES, HOP, LEG, SOL, STP, TRB, WAG, force
from solo_games import RULES
from throwing import FACES, dice, no_dice, on, share

from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.tactics.camp import CAMP, CampCase, CampSpot, camp_garrison, camp_place, preferred_spots

THREE = force("three", "Cv* 2, Sp 3, Bd 7", "hilly", 1)


@pytest.mark.clause("ST-44", "ST-45", "SD-4.2-a", "SD-4.2-b", "SD-4.2-m1", "SD-4.2-m2", "SD-4.2-m3", "AMB-47")
@pytest.mark.parametrize(
    ("npg", "you", "die", "counted", "total", "result", "chance"),
    [
        (HOP, STP, 3, ["m1", "m3"], 6, "spear", Fraction(2, 3)),
        (LEG, HOP, 5, [], 5, "followers", Fraction(1, 6)),
        (SOL, DES, 2, ["m1", "m3"], 5, "followers", Fraction(2, 3)),
        (THREE, DES, 2, ["m1", "m2", "m3"], 6, "spear", Fraction(5, 6)),
    ],
)
def test_st_44_and_45(
    npg: Force, you: Force, die: int, counted: list[str], total: int, result: str, chance: Fraction
) -> None:
    thrown = dice(die)
    step = camp_garrison(npg, you, RULES, thrown)
    assert (on(step.modifiers), step.total, step.result, len(thrown.log)) == (counted, total, result, 1)
    assert share(camp_garrison(npg, you, RULES, dice(face)).result == "spear" for face in FACES) == chance


@pytest.mark.clause("SD-4.2-a", "SD-4.2-b", "SD-4.3-p4")
def test_without_spears_or_camp_no_die_is_thrown_and_without_a_map_the_person_places_the_camp() -> None:
    for npg, result in ((TRB, "followers"), (WAG, "no_camp")):
        step = camp_garrison(npg, HOP, RULES, no_dice())
        assert (step.result, step.dice) == (result, ())
    step = camp_place(LEG, HOP, None)
    assert (step.result, step.needs_person) == ("by_hand", "npg.battle.person.camp_place")
    assert camp_place(WAG, HOP, None).result == "no_camp"


PLAIN = force("plain", "Kn* 2, Sp 4, Bd 6", "hilly", 1)


@pytest.mark.clause("SD-4.2-m1", "SD-4.2-m2", "SD-4.2-m3")
@pytest.mark.parametrize(
    ("modifier", "npg", "you"),
    [
        ("m1", PLAIN, force("scouts", "LH* 1, Bd 11", "hilly", 1)),
        ("m2", force("odd", "Kn* 2, Sp 5, Bd 5", "hilly", 1), force("few", "Cv* 1, Bd 11", "hilly", 1)),
        ("m3", PLAIN, force("horse", "Cv* 3, Bd 9", "hilly", 1)),
    ],
)
def test_each_modifier_matters(modifier: str, npg: Force, you: Force) -> None:
    assert on(CAMP.judge(CampCase(PLAIN, force("few", "Cv* 1, Bd 11", "hilly", 1)), RULES)) == []
    assert on(CAMP.judge(CampCase(npg, you), RULES)) == [modifier]
    assert list(CAMP.tests) == [each.condition for each in RULES.outcomes("camp").modifiers]


SPOTS = (
    CampSpot(along=4, behind_bad_going=True),
    CampSpot(along=12, enemy_road=True),
    CampSpot(along=20, waterway_flank=True),
)


@pytest.mark.clause("ST-46", "SD-4.3-p1", "SD-4.3-p2", "SD-4.3-p3", "SD-4.3-p4")
def test_st_46() -> None:
    best, kept = preferred_spots(SPOTS, you_littoral=True, middle=12)
    assert ([spot.along for spot in best], kept) == ([4], ("SD-4.3-p1", "SD-4.3-p2", "SD-4.3-p3", "SD-4.3-p4"))
    no_road = (SPOTS[0], CampSpot(along=12), SPOTS[2])
    assert [spot.along for spot in preferred_spots(no_road, you_littoral=False, middle=12)[0]] == [4]
    bare = (CampSpot(along=4), CampSpot(along=12), SPOTS[2])
    assert [spot.along for spot in preferred_spots(bare, you_littoral=False, middle=12)[0]] == [12]


@pytest.mark.clause("SD-4.3-p1", "SD-4.3-p2", "SD-4.3-p3", "SD-4.3-p4")
def test_each_preference_decides_alone() -> None:
    def best(*spots: CampSpot, littoral: bool = True) -> list[float]:
        return [spot.along for spot in preferred_spots(spots, you_littoral=littoral, middle=12)[0]]

    assert best(CampSpot(along=12, waterway_flank=True), CampSpot(along=2)) == [2]
    assert best(CampSpot(along=12, waterway_flank=True), CampSpot(along=2), littoral=False) == [12]
    assert best(CampSpot(along=12, enemy_road=True), CampSpot(along=2)) == [2]
    assert best(CampSpot(along=12), CampSpot(along=2, behind_bad_going=True)) == [2]
    assert best(CampSpot(along=10), CampSpot(along=14), CampSpot(along=2)) == [10, 14]
    # A preference that nothing satisfies is skipped.
    alone = CampSpot(along=2, waterway_flank=True, enemy_road=True)
    assert preferred_spots((alone,), you_littoral=True, middle=12) == ((alone,), ("SD-4.3-p4",))
