"""Whole games from lists of dice: what they give, how many they take, in which order."""

from __future__ import annotations

import pytest
from playing import BOOK, HILLS, NO_COURSES, RED, dice_of, play

from printkit.chance.dice import Act
from printkit.core.errors import DiceError
from printkit.kit.system import Outcome
from printkit.terrain.field.features import Hill

QUEEN = "AS 3D 4H 5D QC 7D 8H 9D KC"
JACK = "2H JS 3S 4D KH 7C QS 9C 6H"


def order(outcome: Outcome) -> tuple[str, str]:
    found = outcome.details["deployment"]
    return found["deploys_first"], found["moves_first"]


def placers(outcome: Outcome) -> tuple[str, str]:
    """Return who placed the rivers, and who the roads."""
    rivers, roads = ("".join(each["placed_by"] for each in outcome.details[sort]) for sort in ("rivers", "roads"))
    return rivers, roads


def ground(outcome: Outcome) -> list[str]:
    """Return features as text: zone, result, what the dice made of a hill, going, placer."""
    by_zone = {zone["n"]: zone for zone in outcome.details["zones"]}
    found = []
    for feature in outcome.battlefield.features:
        if feature.origin.zone is None:
            continue
        hill = f" {len(feature.faces)} steep, {feature.cover or 'open'}," if isinstance(feature, Hill) else ""
        result, placer = by_zone[feature.origin.zone]["result"], feature.origin.placed_by
        found.append(f"{feature.id} {result}{hill} {feature.going.name} {placer}")
    return found


@pytest.mark.clause("BR-T18", "BR-701..BR-703", "BR-401", "BR-501", "BR-P14", "BR-104")
def test_an_empty_board_takes_four_dice():
    outcome = play("5 6 2 5", zones=RED)
    assert outcome.battlefield.features == ()
    assert order(outcome) == ("A", "B")
    assert dice_of(outcome) == [5, 6, 2, 5]
    assert outcome.warnings == ()


@pytest.mark.clause("BR-T19", "BR-402", "BR-502", "BR-D3", "BR-D4", "BR-D6", "BR-Q17")
def test_ties_are_thrown_again_in_each_roll_off():
    outcome = play("2 3 3 5 1 1 2 6 4 4 3 1", zones=RED)
    assert placers(outcome) == ("A", "B")
    assert order(outcome) == ("B", "A")
    thrown = [dice_of(outcome, stage) for stage in ("rivers", "roads", "order")]
    assert thrown == [[2, 3, 3, 5, 1], [1, 2, 6], [4, 4, 3, 1]]


@pytest.mark.clause("BR-T20", "BR-403", "BR-503", "BR-341", "BR-Q11")
def test_two_rivers_and_two_roads_need_no_roll_off():
    outcome = play("3 4 6 1", zones=QUEEN)
    assert ground(outcome) == ["z1 bua bad A", "z5 lake impassable B", "z9 bua bad A"]
    assert placers(outcome) == ("AB", "AB")
    assert order(outcome) == ("B", "A")
    assert len(dice_of(outcome)) == 4


@pytest.mark.clause("BR-T21", "BR-321", "BR-328", "BR-D2")
def test_a_board_with_two_hills_and_a_tie():
    outcome = play("6 6 4 2 1 4 4 6 2 5 3 1", zones=JACK)
    assert ground(outcome) == [
        "z2 hill_2 4 steep, open, impassable A",
        "z3 broken_ground bad B",
        "z6 marsh bad A",
        "z7 lake impassable B",
        "z8 hill_1 0 steep, light_woods, bad A",
    ]
    assert placers(outcome) == ("A", "")
    assert order(outcome) == ("B", "A")
    assert len(dice_of(outcome)) == 12


@pytest.mark.clause("BR-T22", "BR-D2", "BR-321..BR-326", "BR-328..BR-331")
def test_six_hills_throw_slope_then_woods_zone_by_zone():
    outcome = play("1 1 5 3 4 2 6 4 6 6 2 5 6 1 6 5 1 2", zones=HILLS)
    assert ground(outcome) == [
        "z1 hill_1 0 steep, heavy_woods, impassable A",
        "z2 hill_1 1 steep, light_woods, bad B",
        "z3 hill_2 1 steep, light_woods, bad A",
        "z4 hill_2 4 steep, open, impassable B",
        "z5 hill_1 2 steep, open, good A",
        "z6 hill_1 0 steep, open, good B",
    ]
    assert placers(outcome) == ("", "A")
    assert order(outcome) == ("A", "B")
    assert len(dice_of(outcome)) == 18
    slopes = [throw.clause for throw in outcome.log if throw.reason.startswith("slopes")]
    assert slopes == ["BR-322", "BR-323", "BR-323", "BR-325", "BR-324", "BR-322"]
    woods = [throw.clause for throw in outcome.log if throw.reason.startswith("woods")]
    assert woods == ["BR-329", "BR-330", "BR-330", "BR-331", "BR-331", "BR-331"]
    assert outcome.details["hills"][3] == {"zone": 4, "slope": 6, "modified": 7, "woods": 4}


@pytest.mark.clause("BR-T23", "BR-T24", "BR-X07", "BR-X08", "BR-X09", "BR-D7")
def test_a_die_short_or_one_that_cannot_be_is_named_and_one_too_many_is_a_warning():
    for dice, message, clause in (
        ("5 6 2", "die 4 is missing: order of deployment, player B needs d6", "BR-X08"),
        ("5 6 7 5", "die 3 is 7", "BR-X07"),
    ):
        with pytest.raises(DiceError, match=message) as caught:
            play(dice, zones=RED)
        assert caught.value.clause == clause
    outcome = play("5 6 2 5 1", zones=RED)
    assert order(outcome) == ("A", "B")


@pytest.mark.clause("BR-P14", "BR-103", "BR-D2", "BR-D3", "BR-D4", "BR-D6")
@pytest.mark.parametrize("seed", range(5))
def test_dice_are_thrown_step_by_step_and_each_hill_each_single_course_and_each_tie_adds_two(seed):
    outcome = play(seed=seed, settings={"policy": "clear-centre"})
    hills = sum(isinstance(feature, Hill) for feature in outcome.battlefield.features)
    singles = [sort for sort in ("rivers", "roads") if len(outcome.details[sort]) == 1]
    ties = 0
    for stage, ahead in (("rivers", 1), ("roads", 1), ("order", 0)):
        dice = dice_of(outcome, stage)[ahead:]
        ties += sum(one == two for one, two in zip(dice[::2], dice[1::2], strict=True))
    assert len(dice_of(outcome)) == 4 + 2 * (hills + len(singles) + ties)
    stages = [throw.stage for throw in outcome.log if throw.act is Act.DIE]
    assert stages == sorted(stages, key=("placing", "hills", "rivers", "roads", "crossings", "order").index)


@pytest.mark.clause("BR-401", "BR-501")
def test_the_count_dice_of_rivers_and_roads_differ():
    for sort, counts in (("rivers", [1, 1, 2, 0, 0, 0]), ("roads", [1, 1, 1, 2, 0, 0])):
        assert [int(BOOK.tables[sort].look_up(score)) for score in range(1, 7)] == counts


@pytest.mark.clause("BR-D1", "BR-Q02")
def test_the_first_card_may_be_thrown_for_before_all_other_dice():
    outcome = play(f"2 2 3 6 {NO_COURSES} 2 5", deck=RED, settings={"first": "roll"})
    assert dice_of(outcome, "placing") == [2, 2, 3, 6]
    assert next(zone["placed_by"] for zone in outcome.details["zones"] if zone["turn"] == 1) == "B"
    assert [throw.act for throw in outcome.log].index(Act.DIE) < [throw.act for throw in outcome.log].index(Act.CHOICE)


@pytest.mark.clause("BR-D5", "BR-Q16")
def test_crossings_take_dice_only_where_asked_for():
    courses = {"rivers": ["river A N:8 -> S:8"], "roads": ["road A W:4 -> E:4"]}
    assert dice_of(play("1 5 1 1 5 1 1 2", zones=RED, **courses), "crossings") == []
    thrown = play("1 5 1 1 5 1 3 1 2", zones=RED, settings={"crossing": "die"}, **courses)
    assert dice_of(thrown, "crossings") == [3]
    (crossing,) = [feature for feature in thrown.battlefield.features if feature.id.startswith("X")]
    assert crossing.kind == "ford"
    assert [thrown.log[place - 1].answer for place in crossing.origin.throws] == ["3"]
