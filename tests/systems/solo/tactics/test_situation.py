"""Facts of the table: given by a person, or read off a map (SD-4.1, AMB-25 to AMB-35)."""

from __future__ import annotations

import pytest
from boards import BOARD, INCH, area, board, course, hill, marsh
from forces import LEG, TRB
from shapely import Point
from solo_games import RULES, rules
from throwing import on

from printkit.core.errors import ScenarioError
from printkit.systems.solo.tactics.camp import camp_place, camp_spots
from printkit.systems.solo.tactics.edges import EDGE, EdgeCase
from printkit.systems.solo.tactics.ground import (
    SideFrame,
    edge_facts,
    ground_of,
    side_facts,
    situation_of,
)
from printkit.systems.solo.tactics.situation import EDGES, NAMES, Place, Situation, read_fact
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Kind

BOTH = (marsh(19, 9, 23, 15), marsh(1, 9, 5, 15))
"""The pieces of ST-41 near the middle of the left and the right zone."""


@pytest.mark.clause("SD-4.1-m1", "SD-4.1-m2", "SD-4.1-m4", "SD-4.1-m8", "SD-4.1-m9", "AMB-25")
def test_the_map_of_st_41_gives_its_modifiers() -> None:
    field = board(*BOTH, area(Kind.BUA, 0, 0, 4, 4), hill(10, 20, 14, 23), marsh(10, 13, 12, 17))
    situation = situation_of(field, None, RULES)
    assert situation.text("bua") == "near-left"
    for edge, counted in ((Edge.FAR, ["m1", "m4", "m8"]), (Edge.RIGHT, ["m2", "m9"])):
        judged = EDGE.judge(EdgeCase(npg=TRB, you=LEG, situation=situation, edge=edge), RULES)
        assert [name for name in on(judged) if name != "m8" or edge is Edge.FAR] == counted
    assert situation.fact("far.bad_ahead") is True
    assert set(situation.sources.values()) == {"map"}


@pytest.mark.clause("SD-4.1-m1", "AMB-14", "AMB-25")
def test_what_makes_a_zone_clear() -> None:
    def clear(*features: object) -> object:
        return edge_facts(board(*features), RULES)["near.zone_clear"]  # type: ignore[arg-type]

    assert clear() is True
    assert clear(marsh(10, 4, 12, 8)) is False
    assert clear(hill(10, 2, 14, 5, steep=True)) is False
    assert clear(course(Kind.RIVER, (9, 0), (9, 24))) is False
    assert clear(hill(10, 2, 14, 5), course(Kind.ROAD, (9, 0), (9, 24))) is True
    assert clear(area(Kind.WATERWAY, 0, 0, 24, 2)) is True
    assert clear(area(Kind.BUA, 0, 0, 4, 4)) is True


@pytest.mark.clause("AMB-25")
def test_a_reasonable_size_near_the_centre() -> None:
    def central(*pieces: object, **readings: str) -> object:
        return edge_facts(board(*pieces), rules(**readings))["near.zone_bad_centre"]  # type: ignore[arg-type]

    assert central(marsh(11, 1, 14, 3)) is True
    assert central(marsh(11, 1, 14, 2.9)) is False
    assert central(marsh(11, 1, 13, 2), marsh(9, 1, 10.5, 4)) is False
    assert central(marsh(1, 1, 5, 5)) is False
    assert central(marsh(11, 1, 14, 2.9), big_area_sqin="5") is True
    assert central(marsh(1, 1, 5, 5), centre_fraction="0.9") is True


@pytest.mark.clause("SD-4.1-m3", "SD-4.1-m5", "SD-4.1-m8", "AMB-25")
def test_ahead_is_six_inches() -> None:
    def ahead(y: float, **readings: str) -> object:
        return edge_facts(board(marsh(2, y, 4, y + 2)), rules(**readings))["near.bad_ahead"]

    assert [ahead(y) for y in (3, 5, 11, 12)] == [False, True, True, False]
    assert ahead(12, front_depth_in="8") is True


@pytest.mark.clause("SD-4.1-m6", "SD-4.1-m7", "SD-4.1-a", "SD-4.4-m8", "AMB-26")
def test_waterways_and_towns_are_found_and_on_whose_side_a_town_lies() -> None:
    facts = edge_facts(board(area(Kind.WATERWAY, 22, 0, 24, 24), area(Kind.BUA, 1, 18, 6, 23)), RULES)
    assert (facts["waterway"], facts["bua"]) == ("right", "far-left")
    assert edge_facts(board(), RULES)["waterway"] == "none"
    high = board(area(Kind.BUA, 0, 9, 4, 13))
    assert side_facts(high, Edge.NEAR, RULES)["bua_own_side"] is True
    assert side_facts(high, Edge.FAR, RULES)["bua_own_side"] is False


@pytest.mark.clause("SD-4.6-m3", "AMB-35")
def test_bad_going_at_the_shore() -> None:
    water = area(Kind.WATERWAY, 0, 0, 2, 24)

    def shore(*pieces: object) -> tuple[object, object]:
        facts = side_facts(board(water, *pieces), Edge.NEAR, RULES)  # type: ignore[arg-type]
        return facts["bad_going_at_shore"], facts["dunes_at_shore"]

    assert shore() == (False, False)
    assert shore(marsh(7, 10, 9, 12)) == (True, False)
    assert shore(area(Kind.DUNES, 7, 10, 9, 12)) == (True, True)
    assert shore(marsh(8.1, 10, 10, 12)) == (False, False)
    assert shore(marsh(4, 2, 6, 8.9)) == (False, False)


@pytest.mark.clause("SD-4.7-m2", "AMB-33")
def test_the_ground_ahead_of_the_centre() -> None:
    assert side_facts(board(marsh(6, 6, 12, 11)), Edge.NEAR, RULES)["ground_ahead_good"] is True
    assert side_facts(board(marsh(6, 6, 18, 12)), Edge.NEAR, RULES)["ground_ahead_good"] is False
    assert side_facts(board(marsh(6, 6, 18, 12)), Edge.FAR, RULES)["ground_ahead_good"] is True
    assert side_facts(board(marsh(6, 6, 12.1, 12)), Edge.NEAR, RULES)["ground_ahead_good"] is False


@pytest.mark.clause("SD-4.1-m1", "SD-4.1-m2", "SD-4.1-m3", "SD-4.1-m4", "SD-4.1-m8", "SD-4.1-m9")
def test_a_zone_with_water_behind_it_begins_at_the_shore() -> None:
    water = area(Kind.WATERWAY, 0, 0, 24, 2)
    found = edge_facts(board(water, marsh(10, 6.5, 14, 9), hill(2, 6.2, 4, 7.5)), RULES)
    names = ("zone_clear", "zone_bad_centre", "bad_ahead", "gentle_hill")
    assert [found[f"near.{name}"] for name in names] == [False, True, True, True]
    dry = edge_facts(board(marsh(10, 6.5, 14, 9), hill(2, 6.2, 4, 7.5)), RULES)
    assert [dry[f"near.{name}"] for name in names] == [True, False, True, False]
    assert edge_facts(board(water, marsh(10, 14.1, 14, 16)), RULES)["near.bad_ahead"] is False
    assert edge_facts(board(water, marsh(10, 13.9, 14, 16)), RULES)["near.bad_ahead"] is True


@pytest.mark.clause("SD-4.7-m4", "SD-4.7-m7", "SD-4.7-d10", "AMB-34")
def test_flanks() -> None:
    facts = side_facts(board(marsh(0, 1, 3, 3), marsh(19, 7, 21, 11)), Edge.NEAR, RULES)
    assert [facts[f"left_flank.{name}"] for name in ("bad_going", "bad_ahead", "clear")] == [True, False, False]
    assert [facts[f"right_flank.{name}"] for name in ("bad_going", "bad_ahead")] == [False, True]
    assert facts["both_flanks_bad"] is True
    assert side_facts(board(marsh(0, 1, 3, 3)), Edge.NEAR, RULES)["both_flanks_bad"] is False
    assert side_facts(board(), Edge.NEAR, RULES)["right_flank.clear"] is True


@pytest.mark.clause("SD-4.7-j")
def test_room_in_places() -> None:
    facts = side_facts(board(marsh(0, 0, 6, 6)), Edge.NEAR, RULES)
    assert (facts["left_flank.room"], facts["left_flank.room_for_wheels"]) == (9, 0)
    assert side_facts(board(area(Kind.BUA, 0, 0, 6, 6)), Edge.NEAR, RULES)["left_flank.room"] == 0
    situation = situation_of(board(marsh(0, 0, 6, 6)), Edge.NEAR, RULES)
    assert situation.holds(Place.LEFT, 4, wheels=False) is True
    assert situation.holds(Place.LEFT, 1, wheels=True) is False
    assert situation.holds(Place.LANDING, 4, wheels=True) is True


@pytest.mark.clause("AMB-15")
@pytest.mark.parametrize("edge", EDGES)
def test_each_side_has_its_own_left(edge: Edge) -> None:
    frame = SideFrame(BOARD, edge)
    spots = {Edge.NEAR: (1, 1), Edge.FAR: (23, 23), Edge.LEFT: (1, 23), Edge.RIGHT: (23, 1)}
    seen = frame.seen(Point(spots[edge][0] * INCH, spots[edge][1] * INCH))
    assert (round(seen.x / INCH, 6), round(seen.y / INCH, 6)) == (1, 1)
    back = frame.on_board(INCH, INCH)
    assert [round(value / INCH, 6) for value in back] == list(spots[edge])


@pytest.mark.clause("ST-46", "SD-4.3-p1", "SD-4.3-p2", "SD-4.3-p3", "SD-4.3-p4")
def test_st_46_on_a_map() -> None:
    littoral = LEG.__class__(name="sailors", home=LEG.home.LITTORAL, aggression=1, elements=LEG.elements)
    field = board(area(Kind.WATERWAY, 22, 0, 24, 24), course(Kind.ROAD, (12, 0), (12, 24)), marsh(2, 6, 7, 10))
    spots = camp_spots(ground_of(field, Edge.NEAR, RULES))
    by_inch = {round(spot.along / INCH): spot for spot in spots}
    assert by_inch[4].behind_bad_going
    assert by_inch[12].enemy_road
    assert by_inch[20].waterway_flank
    assert not by_inch[4].waterway_flank
    step = camp_place(LEG, littoral, ground_of(field, Edge.NEAR, RULES))
    assert 2 <= float(step.result) / INCH <= 8
    assert step.row == "SD-4.3-p4"
    open_board = camp_place(LEG, LEG, ground_of(board(), Edge.FAR, RULES))
    assert float(open_board.result) == pytest.approx(12 * INCH)


@pytest.mark.clause("AMB-25")
def test_a_person_outweighs_the_map_and_an_unknown_table_knows_nothing() -> None:
    situation = situation_of(board(), Edge.NEAR, RULES).knowing({"near.zone_clear": False}, "given")
    assert situation.fact("near.zone_clear") is False
    assert situation.sources["near.zone_clear"] == "given"
    unknown = Situation()
    assert [unknown.waterway, unknown.bua, unknown.both_flanks_bad, unknown.beside_bua(Edge.NEAR)] == [None] * 4
    assert unknown.flank_clear(Place.LEFT) is None


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("waterways", True, "unknown fact 'waterways'"),
        ("waterway", "north", "use one of near, left, far, right, none"),
        ("you_reserved_landing", "two", "not a number of elements"),
        ("you_reserved_landing", True, "not a number of elements"),
        ("near.zone_clear", "yes", "write true or false"),
    ],
)
def test_a_wrong_fact_is_named(name: str, value: object, said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        read_fact(name, value)
    assert name in ("waterways", *NAMES)


@pytest.mark.parametrize(
    ("littoral", "facts", "held_back", "source"),
    [
        (False, {}, 0, "armies"),
        (False, {"waterway": "far"}, 0, "armies"),
        (True, {}, None, None),
        (True, {"waterway": "far"}, None, None),
        (True, {"waterway": "none"}, 0, "armies"),
        (False, {"you_reserved_landing": 2}, 2, "given"),
        (True, {"waterway": "none", "you_reserved_landing": 3}, 3, "given"),
    ],
)
def test_who_has_no_shore_or_no_waterway_holds_nobody_back(
    littoral: bool, facts: dict[str, str | int], held_back: int | None, source: str | None
) -> None:
    situation = Situation.given(**facts).from_home(littoral=littoral)
    assert situation.number("you_reserved_landing") == held_back
    assert situation.sources.get("you_reserved_landing") == source
