"""Every option where the source is silent: who is first, whose turn, which dice, which going."""

from __future__ import annotations

import pytest
from playing import BRANTLEY, EVERYTHING, NO_COURSES, RED, dice_of, play, rules

from printkit.chance.dice import Dice, Scripted, Seeded
from printkit.kit.system import Outcome
from printkit.systems.brantley.dealing.deal import roll_off
from printkit.terrain.field.features import Hill

FOUR = "AS AH 2S 2H 3S 3H 4S 4H 5H"
"""Features in zones 1, 3, 5 and 7."""


HILL, HIGH_HILL = "9S " + RED[3:], "JS " + RED[3:]
"""A hill of one level, or of two, in zone 1."""


def quiet(dice: str, zones: str, **settings: str) -> Outcome:
    """Return a game without rivers and roads; br_q03 stands for br-q03."""
    named = {key.replace("_", "-"): value for key, value in settings.items()}
    return play(f"{dice} {NO_COURSES} 1 2".strip(), zones=zones, settings=named)


def hill(dice: str, zones: str, **settings: str) -> Hill:
    (found,) = quiet(dice, zones, **settings).battlefield.features
    assert isinstance(found, Hill)
    return found


@pytest.mark.clause("BR-Q03", "BR-341")
@pytest.mark.parametrize(
    ("settings", "placers"), [({}, "ABAB"), ({"br_q03": "first=B"}, "BABA"), ({"br_q03": "per-zone"}, "AAAA")]
)
def test_features_are_put_down_turn_about_by_zone_of_their_own_or_b_first(settings, placers):
    features = quiet("", FOUR, **settings).battlefield.features
    assert "".join(feature.origin.placed_by for feature in features) == placers


@pytest.mark.clause("BR-Q03")
@pytest.mark.parametrize("first", ["A", "B"])
def test_owners_put_down_their_own_and_the_first_player_the_blind_one(first):
    cards = "4S 5S 6S 7S 2S 3S 8S AS KS"
    settings = {"br-q03": "owner", "policy": "terrain-hungry", "first": first}
    outcome = play(f"{NO_COURSES} 1 2", deck=cards, settings=settings)
    by_zone = {zone["n"]: zone for zone in outcome.details["zones"]}
    assert len(outcome.battlefield.features) == 9
    for feature in outcome.battlefield.features:
        zone = by_zone[feature.origin.zone]
        assert feature.origin.placed_by == (zone["placed_by"] or first)


@pytest.mark.clause("BR-Q04")
def test_woods_may_be_thrown_before_slopes():
    outcome = quiet("1 5", HILL, br_q04="woods-first")
    assert outcome.details["hills"] == [{"zone": 1, "slope": 5, "modified": 5, "woods": 1}]
    assert [throw.reason for throw in outcome.log if throw.asked == "d6"][:2] == ["woods on z1", "slopes of z1"]


@pytest.mark.clause("BR-Q05", "BR-325")
def test_the_woods_die_of_a_hill_steep_all_round_is_thrown_or_skipped():
    for dice, settings, cover in (("6 1", {}, "heavy_woods"), ("6", {"br_q05": "skip"}, None)):
        found = hill(dice, HIGH_HILL, **settings)
        assert (found.cover, found.going.name) == (cover, "impassable")
    assert quiet("6", HIGH_HILL, br_q05="skip").details["hills"][0]["woods"] is None
    assert dice_of(quiet("2 1", HIGH_HILL, br_q05="skip"), "hills") == [2, 1]


@pytest.mark.clause("BR-Q06", "BR-G22", "BR-Q26")
def test_a_hill_has_four_sides_or_six_and_a_six_makes_two_of_them_steep():
    for setting, sides in (("four", 4), ("six", 6)):
        found = hill("6 6", HIGH_HILL, br_q06=setting)
        assert [face.side for face in found.faces] == list(range(sides))
        assert sum(face.line.length for face in found.faces) == pytest.approx(found.outline.length)
    assert len(hill("6 4", HILL).faces) == 2


@pytest.mark.clause("BR-Q07", "BR-G23")
def test_the_upper_contour_may_be_steep_too():
    outer = hill("4 6", HIGH_HILL)
    both = hill("4 6", HIGH_HILL, br_q07="inner-too", steep="random")
    assert len(outer.faces) == 1
    assert [face.side for face in both.faces] == [outer.faces[0].side] * 2
    assert both.faces[0].line.equals(outer.faces[0].line)
    assert both.contours[1].exterior.distance(both.faces[1].line.interpolate(0.5, normalized=True)) < 1e-6
    assert all(face.going.name == "impassable" for face in both.faces)


@pytest.mark.clause("BR-Q08", "BR-G24", "BR-Q21", "BR-330")
def test_an_open_hill_is_good_going_or_bad_and_a_lightly_wooded_one_keeps_its_height():
    for setting in ("good", "bad"):
        assert hill("4 4", HILL, br_q08=setting).going.name == setting
    wooded = hill("3 2", HIGH_HILL)
    assert (len(wooded.contours), wooded.cover, wooded.going.name) == (2, "light_woods", "bad")


@pytest.mark.clause("BR-Q11", "BR-403", "BR-503")
@pytest.mark.parametrize(
    ("setting", "dice", "rivers", "roads"),
    [
        ("A-then-B", "3 4 2 5", "AB", "AB"),
        ("roll", "3 1 6 4 5 2 2 5", "BA", "AB"),
        ("deployer-order", "6 2 3 4", "BA", "BA"),
    ],
)
def test_the_first_of_two_courses_is_a_s_or_thrown_for_or_the_first_deployer_s(setting, dice, rivers, roads):
    outcome = play(dice, zones=RED, settings={"br-q11": setting})
    assert "".join(course["placed_by"] for course in outcome.details["rivers"]) == rivers
    assert "".join(course["placed_by"] for course in outcome.details["roads"]) == roads
    assert outcome.warnings == ()


@pytest.mark.clause("BR-Q17")
def test_a_tie_is_thrown_again_or_won_by_a():
    assert roll_off(Dice(Scripted(["3", "3", "1", "2"], Seeded(1))), "x", "", rules()) == "B"
    assert roll_off(Dice(Scripted(["3", "3"], Seeded(1))), "x", "", rules({"br-q17": "A-wins"})) == "A"


@pytest.mark.clause("BR-Q18", "BR-G71", "BR-701")
def test_paces_may_be_given_by_the_inch():
    outcome = play(f"{NO_COURSES} 1 2", zones=RED, settings={"paces_per_inch": "80"})
    assert outcome.battlefield.board.scale.pace == pytest.approx(25.4 / 80)
    assert outcome.details["deployment"]["depth_mm"] == pytest.approx(190.5)


@pytest.mark.clause("BR-Q19", "BR-702", "BR-703")
@pytest.mark.parametrize(("winner", "loser"), [("A", "B"), ("B", "A")])
def test_the_order_may_be_agreed_and_then_takes_no_dice(winner, loser):
    outcome = play(NO_COURSES, zones=RED, settings={"br-q19": "agree", "agreed-winner": winner})
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
        ("br-q06", "six"),
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
