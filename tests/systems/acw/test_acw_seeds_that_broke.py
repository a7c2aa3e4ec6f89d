"""Tables that the program's own judge once found broken."""

from __future__ import annotations

import pytest
from seeded_tables import broken_of, ordered_table, seeded

NARROW = {"geography": "hilly", "state": "maryland, pennsylvania"}
NARROW |= {"ac_q01": "swap36", "ac_q02": "rest-east-south", "ac_q04": "separate", "ac_q05": "reroll", "ac_q06": "7"}
NARROW |= {"ac_q08": "short-edges", "ac_q09": "last", "ac_q11": "allow-corner", "ac_q13": "all-tables"}
NARROW |= {"ac_q14": "together", "ac_q16": "wooded-zone", "ac_q17": "merge", "ac_q19": "four", "ac_q21": "2"}
"""A table whose southern zones are an inch deep, with a railroad through them."""


@pytest.mark.clause("AC-G08", "AC-211", "AC-N14", "AC-F04", "AC-F15", "AC-T45")
@pytest.mark.parametrize(
    ("seed", "size", "given"),
    [
        (156, (144, 72), {"state": "louisiana", "ac_q15": "with-dice", "choice_policy": "uniform"}),
        (173, (96, 48), {"geography": "mountains"}),
        (60, (72, 48), {"state": "texas", "ac_q15": "with-dice", "choice_policy": "uniform"}),
    ],
)
def test_these_tables_keep_every_clause(seed, size, given):
    assert broken_of(seeded(seed, size, **given)) == {}


@pytest.mark.clause("AC-F26")
def test_a_railroad_turns_smoothly_in_a_zone_an_inch_deep():
    assert "AC-F26" not in broken_of(seeded(1022, (67, 49), **NARROW, ac_q27="stub"))


@pytest.mark.clause("AC-F07")
@pytest.mark.parametrize(
    ("seed", "size", "given"), [(227, (27, 72), {}), (1022, (67, 49), {**NARROW, "ac_q27": "stub"})]
)
def test_scree_takes_all_of_its_sector(seed, size, given):
    assert "AC-F07" not in broken_of(seeded(seed, size, **given))


@pytest.mark.clause("AC-F04")
def test_a_ridge_that_meets_a_spur_stays_a_ridge():
    assert broken_of(ordered_table(255, geography="mountains")) == {}


STRIP = {"geography": "coastal", "water": "N", "ac_q02": "rest-east-south", "ac_q14": "together"}
"""A table with a strip of an inch along its eastern edge, in which a stream, a fence and a road lie."""


@pytest.mark.clause("AC-F18")
def test_a_stream_winds_along_a_strip_an_inch_wide():
    assert "AC-F18" not in broken_of(ordered_table(105, "25x36in", **STRIP))


@pytest.mark.clause("AC-F16")
def test_a_fence_runs_along_the_road_of_a_strip():
    assert broken_of(ordered_table(105, "25x36in", **STRIP)) == {}


@pytest.mark.clause("AC-F16")
def test_a_fence_that_has_a_railroad_behind_it_still_runs_along_its_field():
    assert broken_of(ordered_table(436, "38x41in")) == {}


@pytest.mark.clause("AC-N25", "AC-N40")
@pytest.mark.parametrize(
    ("seed", "board", "given"),
    [
        (324, "49x53in", {"geography": "mountains", "ac_q02": "rest-east-south", "ac_q14": "together"}),
        (467, "26x57in", {"geography": "F", "ac_q02": "rest-east-south", "ac_q03": "4,1,5,3,6,2"}),
    ],
)
def test_in_a_strip_too_streams_rise_at_the_foot_and_fords_lie_along_their_road(seed, board, given):
    assert broken_of(ordered_table(seed, board, **given)) == {}


@pytest.mark.clause("AC-G08")
def test_a_railroad_passes_a_strip_nearly_straight():
    assert broken_of(ordered_table(778, "27x57in", geography="C", ac_q02="rest-east-south")) == {}


@pytest.mark.clause("AC-N04", "AC-N14", "AC-211")
def test_a_side_road_of_a_strip_leads_to_its_house():
    assert broken_of(ordered_table(852, "29x35in", geography="mountains", ac_q02="rest-east-south")) == {}


@pytest.mark.clause("AC-N25")
def test_a_stream_is_led_on_to_a_hill_that_a_swamp_pushed_away():
    given = {"geography": "swampy", "ac_q01": "swap36", "ac_q02": "rest-east-south", "ac_q14": "together"}
    assert broken_of(ordered_table(1065, "59x34in", **given)) == {}


@pytest.mark.clause("AC-G05", "AC-N13")
@pytest.mark.parametrize(
    ("seed", "board", "given"),
    [(667, "26x54in", {}), (763, "50x33in", {"geography": "R", "ac_q08": "own-flanks"})],
)
def test_water_leaves_a_strip_along_its_edge_ground_for_a_railroad(seed, board, given):
    assert broken_of(ordered_table(seed, board, ac_q02="rest-east-south", **given)) == {}


@pytest.mark.clause("AC-N32")
def test_a_branch_of_the_railroad_may_run_straight_into_its_line():
    assert broken_of(ordered_table(1528, "60x56in", ac_q22="yes", ac_q24="outside")) == {}


@pytest.mark.clause("AC-F16")
def test_a_fence_goes_round_a_field_from_each_of_its_corners():
    assert broken_of(ordered_table(1364, geography="farm")) == {}


@pytest.mark.clause("AC-G04", "AC-N26")
def test_a_stream_that_comes_and_goes_with_the_creek_is_that_creek():
    given = {"geography": "riverside", "water": "creek", "choice_policy": "uniform", "ac_q02": "rest-east-south"}
    given |= {"ac_q05": "reroll", "ac_q14": "together", "ac_q15": "with-dice", "ac_q21": "2", "ac_q24": "outside"}
    assert broken_of(ordered_table(92002, "60x72in", **given, ac_q27="stub")) == {}


@pytest.mark.clause("AC-N34")
@pytest.mark.parametrize(
    ("seed", "given"),
    [
        (384, {"geography": "R", "ac_q01": "swap36", "ac_q02": "rest-east-south", "ac_q07": "none", "ac_q20": "lanes"}),
        (
            1137,
            {
                "geography": "riverside",
                "ac_q04": "separate",
                "ac_q05": "reroll",
                "ac_q08": "uniform",
                "ac_q11": "again",
                "ac_q14": "together",
                "ac_q15": "stream",
                "ac_q17": "merge",
                "ac_q19": "three",
                "ac_q20": "lanes",
                "ac_q21": "4",
                "ac_q23": "profile",
            },
        ),
    ],
)
def test_a_swamp_whose_flanks_are_loosened_stays_at_the_water(seed, given):
    assert broken_of(ordered_table(seed, **given, ac_q24="outside")) == {}


@pytest.mark.clause("AC-N33")
def test_a_swamp_that_draws_back_from_a_village_stays_one_with_its_neighbour():
    given = {"state": "Mississippi, Alabama, Arkansas", "water": "W", "ac_q14": "together"}
    assert broken_of(ordered_table(1286, "55x72in", **given)) == {}


@pytest.mark.clause("AC-F17")
def test_a_ditch_reaches_water_that_lies_beyond_the_edge():
    given = {"ac_q01": "swap36", "ac_q03": "3,1,6,2,5,4", "ac_q06": "6", "ac_q11": "again"}
    given |= {"state": "Kentucky, Tennessee", "geography": "coastal", "ac_q08": "own-flanks"}
    given |= {"ac_q13": "all-tables", "ac_q20": "lanes", "ac_q21": "4", "ac_q22": "yes"}
    assert broken_of(ordered_table(250, "30x66in", **given, ac_q24="outside")) == {}


@pytest.mark.clause("AC-N25")
def test_a_stream_is_led_on_to_a_hill_that_a_road_pushed_away():
    given = {"ac_q02": "rest-east-south", "ac_q08": "short-edges", "ac_q14": "together", "ac_q20": "none"}
    assert broken_of(ordered_table(307, "72x48in", **given, ac_q19="three", ac_q22="no")) == {}


@pytest.mark.clause("AC-G05")
def test_a_side_road_goes_round_a_pool():
    given = {"geography": "R", "ac_q02": "rest-east-south", "ac_q08": "own-flanks", "ac_q20": "lanes", "ac_q21": "1"}
    assert broken_of(ordered_table(927, "68x56in", **given, ac_q09="last")) == {}


@pytest.mark.clause("AC-F13", "AC-Q16")
def test_a_belt_goes_round_the_clearing_of_a_small_zone():
    given = {"geography": "M", "ac_q02": "rest-east-south", "ac_q08": "own-flanks", "ac_q14": "together"}
    given |= {"ac_q07": "both", "ac_q15": "with-dice", "ac_q20": "lanes", "ac_q22": "yes"}
    given |= {"state": "Mississippi, Alabama, Arkansas", "ac_q16": "belt-everywhere"}
    assert broken_of(ordered_table(1313, "26x64in", **given)) == {}


@pytest.mark.clause("AC-F18", "AC-F19")
def test_a_stream_that_winds_as_far_as_a_strip_lets_it_winds():
    given = {"geography": "R", "ac_q01": "swap36", "ac_q02": "rest-east-south", "ac_q08": "short-edges"}
    given |= {"ac_q07": "town", "ac_q13": "all-tables", "ac_q15": "with-dice", "ac_q21": "2", "ac_q27": "join"}
    given |= {"ac_q05": "reroll", "ac_q09": "last", "ac_q17": "merge", "ac_q22": "no", "ac_q23": "profile"}
    assert broken_of(ordered_table(1555, "65x49in", **given, ac_q24="outside", names="medieval")) == {}
