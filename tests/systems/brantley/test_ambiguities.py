"""Every option where the source is silent: who is first, whose turn, which dice, which going."""

from __future__ import annotations

import pytest
from playing import BRANTLEY, EVERYTHING, NO_COURSES, RED, dice_of, play

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.kit.system import Outcome
from printkit.systems.brantley.dealing.deal import roll_off
from printkit.terrain.field.features import Hill

FOUR = "AS AH 2S 2H 3S 3H 4S 4H 5H"
"""Features in zones 1, 3, 5 and 7."""


HILL, HIGH_HILL = "9S " + RED[3:], "JS " + RED[3:]
"""A hill of one level, or of two, in zone 1."""


def quiet(dice: str, zones: str) -> Outcome:
    """Return a game without rivers and roads."""
    return play(f"{dice} {NO_COURSES} 1 2".strip(), zones=zones)


def hill(dice: str, zones: str) -> Hill:
    (found,) = quiet(dice, zones).battlefield.features
    assert isinstance(found, Hill)
    return found


@pytest.mark.clause("BR-Q03", "BR-341")
def test_features_are_put_down_turn_about_in_the_order_of_their_zones():
    assert "".join(feature.origin.placed_by for feature in quiet("", FOUR).battlefield.features) == "ABAB"


@pytest.mark.clause("BR-Q04")
def test_slopes_are_thrown_before_woods():
    outcome = quiet("5 1", HILL)
    assert outcome.details["hills"] == [{"zone": 1, "slope": 5, "modified": 5, "woods": 1}]
    assert [throw.reason for throw in outcome.log if throw.asked == "d6"][:2] == ["slopes of z1", "woods on z1"]


@pytest.mark.clause("BR-Q05", "BR-325")
def test_the_woods_die_of_a_hill_steep_all_round_is_thrown():
    found = hill("6 1", HIGH_HILL)
    assert (found.cover, found.going.name) == ("heavy_woods", "impassable")
    assert dice_of(quiet("6 1", HIGH_HILL), "hills") == [6, 1]


@pytest.mark.clause("BR-Q06", "BR-G22", "BR-Q26")
def test_a_hill_has_four_sides_and_a_six_makes_two_of_them_steep():
    found = hill("6 6", HIGH_HILL)
    assert [face.side for face in found.faces] == list(range(4))
    assert sum(face.line.length for face in found.faces) == pytest.approx(found.outline.length)
    assert len(hill("6 4", HILL).faces) == 2


@pytest.mark.clause("BR-Q07", "BR-G23")
def test_the_upper_contour_is_not_steep():
    found = hill("6 6", HIGH_HILL)
    assert len(found.contours) == 2
    for face in found.faces:
        assert found.contours[0].exterior.distance(face.line.interpolate(0.5, normalized=True)) < 1e-6
        assert face.going.name == "impassable"


@pytest.mark.clause("BR-Q08", "BR-G24", "BR-Q21", "BR-330")
def test_an_open_hill_is_good_going_and_a_lightly_wooded_one_keeps_its_height():
    assert hill("4 4", HILL).going.name == "good"
    wooded = hill("3 2", HIGH_HILL)
    assert (len(wooded.contours), wooded.cover, wooded.going.name) == (2, "light_woods", "bad")


@pytest.mark.clause("BR-Q11", "BR-403", "BR-503")
@pytest.mark.parametrize("order", ["2 5", "5 2"])
def test_the_first_of_two_courses_is_a_s_whoever_deploys_first(order):
    outcome = play(f"3 4 {order}", zones=RED)
    for sort in ("rivers", "roads"):
        assert "".join(course["placed_by"] for course in outcome.details[sort]) == "AB"
    assert outcome.warnings == ()


@pytest.mark.clause("BR-Q17")
def test_a_tie_is_thrown_again():
    assert roll_off(Dice(ScriptedSource(["3", "3", "1", "2"], Seeded(1))), "x", "") == "B"


@pytest.mark.clause("BR-Q18", "BR-G71", "BR-701")
@pytest.mark.parametrize("side", [609.6, 914.4])
def test_the_size_of_the_board_gives_the_paces(side):
    outcome = play(f"{NO_COURSES} 1 2", zones=RED, side=side)
    assert outcome.battlefield.board.scale.pace == pytest.approx(side / 2400)
    assert outcome.details["deployment"]["depth_mm"] == pytest.approx(side / 4)


@pytest.mark.clause("BR-Q19", "BR-702", "BR-703")
@pytest.mark.parametrize(("winner", "loser"), [("A", "B"), ("B", "A")])
def test_the_order_may_be_agreed_and_then_takes_no_dice(winner, loser):
    outcome = play(NO_COURSES, zones=RED, settings={"order": winner})
    assert outcome.details["deployment"]["moves_first"] == winner
    assert outcome.details["deployment"]["deploys_first"] == loser
    assert dice_of(outcome, "order") == []


@pytest.mark.clause("BR-Q25", "BR-106", "BR-M23")
def test_zone_numbers_are_the_same_for_both_players():
    settings = {"policy-a": "terrain-hungry", "policy-b": "terrain-hungry"}
    zones = play("4 4 5 6 1 2", deck="KS 7H 9C 2D QC 3S 10H 6S 5C", settings=settings).details["zones"]
    assert [(zone["card"], zone["placed_by"]) for zone in zones if zone["turn"] == 2] == [("QC", "B")]
    assert zones[5]["card"] == "QC"
    assert BRANTLEY.board().zones(3, 3)[5].centroid.x > 400


@pytest.mark.clause("BR-D8", "BR-M21")
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("policy", "terrain-hungry"),
        ("policy-b", "clear-centre"),
        ("steep", "facing-enemy"),
        ("margin", "1.0"),
        ("br-q16", "ford"),
        ("river-width", "0.6"),
    ],
)
def test_an_option_leaves_the_dice_of_the_same_seed_alone(key, value):
    plain, other = play(seed=8), play(seed=8, settings={key: value})
    assert dice_of(plain) == dice_of(other)
    assert plain.details["deck"] == other.details["deck"]


@pytest.mark.clause("BR-D8", "BR-G04")
def test_an_option_of_rivers_leaves_the_ground_alone():
    settings = {"river-width": "0.6", "br-q12": "none"}
    plain, other = (
        [feature.outline.wkt for feature in outcome.battlefield.features if hasattr(feature, "outline")]
        for outcome in (play(seed=2, zones=EVERYTHING), play(seed=2, zones=EVERYTHING, settings=settings))
    )
    assert plain == other
    assert len(plain) == 9
