"""Joining: roads, streams, railroad and swamps as graphs of zones; the worked examples; networks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables_by_hand import (
    FARMS,
    TOWN,
    dice_of,
    diced,
    game,
    grid_of,
    joined,
    rail,
    roads,
    rules,
    spent,
    streams,
)

from printkit.systems.acw.dicing.water import find_creek_path, roll_creek
from printkit.systems.acw.network.joining import CrossingRules
from printkit.systems.acw.network.network import Network, To, ZoneExit, ZoneReach
from printkit.systems.acw.network.recorded_network import graph_values
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import ZoneAxis, ZonePlan, ZoneSide

RIVER = "6 / 5,6 / 3,3,3,6 / 1,1,4,3 / 4,2,6,2 / 2,5,1,1"
COAST = "6,5,2,6 / 1,1,6,1 / 2,2,1,5 / 3,4,4,4 / 4,3,3,3 / 5,6"
HILLS = "5,4,1,6 / 6,5,5,5 / 1,1,3,1 / 3,3,4,2 / 2,2,2,3 / 4,6"


@pytest.mark.clause("AC-T19", "AC-211", "AC-N01", "AC-N02", "AC-N03", "AC-N11", "AC-N22", "AC-N25")
def test_roads_pass_the_settlement_and_the_stream_leaves_its_hill() -> None:
    network = joined(diced("farm", TOWN, inputs={"campaign": ["town in 3"]})[0].log)
    assert roads(network) == "2-3, 2-1-4; 3 edge E, 4 edge W"
    assert rail(network) == "W-E 1-2-3"
    assert streams(network) == "6 edge S < 6 foot of Steep Hill"


@pytest.mark.clause("AC-T21", "AC-N10", "AC-N23", "AC-N32")
def test_a_road_goes_to_the_settlement_next_door() -> None:
    network = joined(diced("farm", FARMS, inputs={"decisions": "Wood"})[0].log)
    assert roads(network) == "1-2; 1 edge W, 2 settlement 5"
    assert rail(network) == "W-E 4-5-6"
    assert streams(network) == "1-4, 4-5-6; 6 edge E < 1 edge N"


@pytest.mark.clause("AC-T22", "AC-303", "AC-N13", "AC-N20", "AC-N31", "AC-N33")
@pytest.mark.usefixtures("joined_only")
def test_a_river_along_the_south_takes_the_streams() -> None:
    outcome = game("riverside", RIVER, inputs={"decisions": ["Fenced Road"]}, water="S")
    found = outcome.details["graph"]
    assert len(outcome.log) == 19
    assert found["roads"] == {"links": [[4, 5]], "ends": [[4, "edge W"], [5, "settlement 6"]]}
    assert (found["rail"]["axis"], found["rail"]["path"]) == ("W-E", [4, 5, 6])
    assert found["streams"] == {"links": [[2, 3]], "mouths": [[2, "water S via 5"]], "sources": [[3, "swamp"]]}
    assert found["swamps"] == [[4, 5]]
    assert outcome.details["water"] == {"edge": "S", "kind": "river"}
    laid = [(roll["zone"], roll["piece"]) for roll in outcome.details["zones"] if roll["zone"] in (1, 5)]
    assert laid == [(1, ""), (5, "wood"), (5, "swamp"), (5, "fenced_road"), (5, "farm")]


@pytest.mark.clause("AC-T23", "AC-304", "AC-305", "AC-306", "AC-D2", "AC-N21", "AC-N26", "AC-N30", "AC-Q09")
@pytest.mark.usefixtures("joined_only")
def test_the_river_made_a_creek_takes_the_streams_where_it_meets_them():
    outcome = game("riverside", "3,4 / " + RIVER, inputs={"decisions": ["Fenced Road"]}, water="creek")
    found = outcome.details["graph"]
    assert len(outcome.log) == 21
    assert found["creek"] == {"path": [3, 2, 1, 4], "entry_edge": "E", "exit_edge": "S"}
    assert found["streams"] == {"links": [[2, 3]], "mouths": [[2, "creek 2"]], "sources": [[2, "edge N"], [3, "swamp"]]}
    assert found["roads"]["ends"] == [[4, "edge W"], [5, "settlement 6"]]
    streams_drawn = [reach for reach in outcome.details["reaches"] if reach["piece"] == "stream"]
    assert streams_drawn == [
        {"zone": 2, "piece": "stream", "arms": [["creek", ""], ["edge", "N"]]},
        {"zone": 3, "piece": "stream", "arms": [["creek", ""], ["swamp", ""]]},
    ]


@pytest.mark.clause("AC-T24", "AC-N30")
@pytest.mark.parametrize(
    ("entry", "leaves", "path", "edges"),
    [(1, 6, (1, 2, 3, 6), "WS"), (2, 5, (2, 5), "NS"), (5, 3, (5, 6, 3), "SN")],
)
def test_the_way_of_a_creek(entry: int, leaves: int, path: tuple[int, ...], edges: str) -> None:
    creek = find_creek_path(grid_of(), entry, leaves)
    assert (creek.path, creek.entry.value + creek.exit.value) == (path, edges)


@pytest.mark.clause("AC-T25", "AC-T26", "AC-T27", "AC-D5", "AC-Q11", "AC-Q12", "AC-P10")
@pytest.mark.parametrize(
    ("size", "scores", "path", "edges"),
    [
        ("72x48", "2,2,5", (2, 5), "NS"),
        ("72x48", "1,1,1,2", (1, 2), "WN"),
        ("48x48", "5,3,6,1", (3, 1), "SN"),
        ("96x60", "2,5 / 6,1 / 4,4", (1, 2), "WN"),
        ("24x24", "", (1,), "WE"),
    ],
)
def test_dice_pick_the_ends_of_a_creek(size: str, scores: str, path: tuple[int, ...], edges: str) -> None:
    dice = dice_of(scores)
    creek = roll_creek(grid_of(size), dice)
    assert spent(dice)
    assert (creek.path, creek.entry.value + creek.exit.value) == (path, edges)


@pytest.mark.clause("AC-T27", "AC-D5")
def test_edge_zones_are_counted_in_number_order_and_axes_have_two_opposite_edges() -> None:
    assert grid_of("96x60").edge_zones == (1, 2, 3, 4, 5, 8, 9, 10, 11, 12)
    assert all(axis.sides[0].opposite is axis.sides[1] for axis in ZoneAxis)


@pytest.mark.clause("AC-T28..AC-T32", "AC-N02", "AC-N10", "AC-N11", "AC-N12", "AC-N13", "AC-N14", "AC-N15", "AC-N16")
@pytest.mark.parametrize(
    ("zones", "water", "expected"),
    [
        ({2: "Road"}, "", "2 edge N, 2 edge S via 5"),
        ({2: "Road"}, "S", "2 edge W via 1, 2 edge E via 3"),
        ({1: "Road", 3: "Fenced Road"}, "", "1-2-3; 1 edge W, 3 edge E"),
        ({1: "Road", 5: "Road"}, "", "1-2-5; 1 edge W, 5 edge S"),
        ({1: "Road", 5: "Road", 4: "Settlement"}, "", "1-4-5; 1 edge N, 5 edge S"),
        ({1: "Road", 2: "Road", 4: "Track", 5: "Road"}, "", "1-2, 1-4, 2-5; 4 edge S, 5 edge S"),
        ({1: "Road", 6: "Road"}, "", "1-2-3-6; 1 edge W, 6 edge E"),
        ({2: "Road", 1: "Settlement"}, "", "2 settlement 1, 2 edge E via 3"),
        ({2: "Road", 1: "Settlement"}, "E", "2 settlement 1, 2 edge N"),
        ({2: "Road", 1: "Town", 3: "Fort"}, "", "2 fort 3, 2 town 1, 1 edge N"),
    ],
)
def test_road_networks(zones: dict[int, str], water: str, expected: str) -> None:
    assert roads(joined(zones, water=water)) == expected


@pytest.mark.clause("AC-N11")
@pytest.mark.parametrize(
    ("zones", "size", "expected"),
    [
        # Opposite the edge by which the net leaves already, if the zone has that edge.
        ({1: "Road", 6: "Road"}, "72x48", "1-2-3-6; 1 edge W, 6 edge E"),
        # Not by the same edge again, if there is another.
        ({1: "Road", 2: "Road", 5: "Road", 4: "Road"}, "72x48", "1-2, 1-4, 2-5; 4 edge S, 5 edge S"),
        ({4: "Road", 5: "Road", 2: "Road", 1: "Settlement"}, "72x48", "2-5, 4-5; 2 settlement 1, 4 edge W"),
    ],
)
def test_a_net_of_roads_leaves_by_two_edges(zones: dict[int, str], size: str, expected: str) -> None:
    assert roads(joined(zones, size)) == expected


@pytest.mark.clause("AC-Q20")
@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("lanes", "5-4, 6-5; 1 edge N, 1 edge S via 4, 4 farm 5, 5 settlement 6"),
        ("none", "1 edge N, 1 edge S via 4"),
    ],
)
def test_a_track_leads_to_each_settlement_and_farm_off_the_roads(setting: str, expected: str) -> None:
    zones = {1: "Road", 5: "Farm", 6: "Settlement"}
    assert roads(joined(zones, ac_q20=setting)) == expected


@pytest.mark.clause("AC-N14", "AC-Q21")
@pytest.mark.parametrize(
    ("zones", "size", "expected"),
    [
        ({1: "Road", 4: "Road"}, "24x120", "1 edge W, 1 edge E, 4 edge W, 4 edge E"),
        ({1: "Road", 3: "Road"}, "120x24", "1 edge N, 1 edge S, 3 edge N, 3 edge S"),
        ({2: "Road", 8: "Road"}, "72x72", "2 edge W via 1, 2 edge E via 3, 8 edge W via 7, 8 edge E via 9"),
        ({1: "Road", 3: "Track"}, "72x72", "1 edge W, 1 junction 3 via 2, 3 edge E"),
    ],
)
def test_road_networks_where_only_the_next_zone_is_joined(zones: dict[int, str], size: str, expected: str) -> None:
    assert roads(joined(zones, size, ac_q21="1")) == expected


@pytest.mark.clause("AC-T33..AC-T36", "AC-N20", "AC-N22", "AC-N23", "AC-N24", "AC-N25", "AC-Q17")
@pytest.mark.parametrize(
    ("zones", "size", "water", "expected"),
    [
        ({2: "Stream"}, "72x48", "", "2 edge S via 5 < 2 edge N"),
        ({2: "Stream, Hill"}, "72x48", "", "2 edge N < 2 foot of Hill"),
        ({1: "Stream, Hill", 3: "Stream"}, "72x48", "", "1-2-3; 3 edge E < 1 foot of Hill"),
        ({1: "Stream", 2: "Stream", 3: "Stream"}, "72x48", "W", "1-2, 2-3; 1 water W < 3 edge E"),
        ({5: "Hill, Swamp, Stream, Stream"}, "72x48", "", "5 edge S < 5 foot of Hill, 5 swamp"),
        ({7: "Stream", 8: "Stream, Pool"}, "120x72", "", "7-8; 8 pool < 7 open"),
        ({7: "Stream", 8: "Stream"}, "120x72", "", "7-8; 8 edge E via 9 10 < 7 open"),
    ],
)
def test_stream_networks(zones: dict[int, str], size: str, water: str, expected: str) -> None:
    assert streams(joined(zones, size, water=water)) == expected


@pytest.mark.clause("AC-T37", "AC-T38", "AC-N31", "AC-N32")
@pytest.mark.parametrize(
    ("zones", "water", "expected"),
    [
        ((1, 6), "", "W-E 1-2-3-6"),
        ((1, 5), "", "W-E 1-2-5-6"),
        ((1, 4), "", "N-S 1-4"),
        ((1, 2, 4), "", "W-E 1-2-3 + 4"),
        ((4, 2), "", "W-E 4-5-2-3"),
        ((2,), "W", "N-S 2-5"),
        ((2,), "N", "W-E 1-2-3"),
    ],
)
def test_railroads(zones: tuple[int, ...], water: str, expected: str) -> None:
    assert rail(joined(dict.fromkeys(zones, "Railroad"), water=water)) == expected


@pytest.mark.clause("AC-T39", "AC-N33")
def test_swamps_of_neighbours_grow_together():
    assert joined(dict.fromkeys((1, 2, 5, 6), "Swamp")).swamps == ((1, 2), (2, 5), (5, 6))


@pytest.mark.clause("AC-T40", "AC-303", "AC-N04", "AC-Q15")
@pytest.mark.usefixtures("joined_only")
def test_a_coast_with_a_creek_by_choice():
    decisions = {"decisions": ["Sand Dunes", "nothing", "Creek"]}
    outcome = game("coastal", COAST, inputs=decisions, water="N")
    found = outcome.details["graph"]
    assert len(outcome.log) == 22
    assert found["roads"] == {
        "links": [[1, 4], [3, 2]],
        "ends": [[1, "settlement 2"], [4, "edge S"], [2, "farm 3"]],
    }
    assert found["rail"]["path"] == [1, 2, 3]
    assert found["streams"] == {
        "links": [[1, 4], [1, 2, 3]],
        "mouths": [[1, "water N"]],
        "sources": [[3, "swamp"], [4, "edge S"]],
    }
    assert found["swamps"] == [[2, 3]]
    reaches = [(reach["zone"], reach["piece"]) for reach in outcome.details["reaches"]]
    wet = {zone: piece for zone, piece in reaches if piece in ("stream", "creek")}
    assert wet == {1: "creek", 2: "stream", 3: "stream", 4: "stream"}


@pytest.mark.clause("AC-T41", "AC-212")
@pytest.mark.usefixtures("joined_only")
def test_a_hilly_table_ignores_the_third_place():
    outcome = game("hilly", HILLS, inputs={"decisions": ["Pool", "nothing"]})
    found = outcome.details["graph"]
    assert [(r["zone"], r["piece"]) for r in outcome.details["zones"] if r["fate"] == "ignored"] == [(5, "farm")]
    assert found["roads"] == {"links": [], "ends": []}
    assert found["rail"]["path"] == [1, 2, 3]
    assert found["streams"] == {"links": [], "mouths": [[2, "edge N"]], "sources": [[2, "foot of Hill + Scree"]]}


@pytest.mark.clause("AC-N04", "AC-N14")
def test_links_take_the_lesser_type() -> None:
    network = joined({1: "Fenced Road, Track, Farm", 3: "Track"})
    pieces = {reach.zone: reach.piece for reach in network.roads.reaches}
    assert pieces == {1: Piece.FENCED_ROAD, 2: Piece.TRACK, 3: Piece.TRACK}
    apart = joined({1: "Road", 3: "Track"}, "72x72", ac_q21="1")
    assert {reach.zone: reach.piece for reach in apart.roads.reaches}[2] is Piece.TRACK


@pytest.mark.clause("AC-N04")
@pytest.mark.parametrize(
    ("zones", "arm"),
    [
        ({1: "Fenced Road, Track, Farm", 3: "Track"}, ZoneExit(to=To.FARM)),
        ({2: "Road, Track, Wood"}, ZoneExit(to=To.TREES)),
        ({1: "Road, Track"}, ZoneExit(to=To.EDGE, side=ZoneSide.WEST)),
    ],
)
def test_second_roads_branch_off(zones: dict[int, str], arm: ZoneExit) -> None:
    (branch,) = joined(zones).roads.branches
    assert (branch.zone, branch.piece, branch.arm) == (min(zones), Piece.TRACK, arm)


@pytest.mark.clause("AC-Q20")
def test_a_lane_leads_from_a_settlement_to_the_road() -> None:
    lanes = joined({1: "Road", 6: "Settlement"}, ac_q20="lanes")
    assert graph_values(lanes)["roads"]["links"] in ([[6, 3, 2, 1]], [[6, 5, 4]])


@pytest.mark.clause("AC-N24", "AC-N26")
def test_streams_run_on_without_a_junction() -> None:
    assert "junction" not in streams(joined({2: "Stream", 14: "Stream, Hill"}, "72x120"))
    column = streams(joined({3: "Stream", 8: "Stream, Hill"}, "120x72", ac_q21="1"))
    assert column.startswith("3-8") or "3 edge" in column


@pytest.mark.clause("AC-N40", "AC-F39")
def test_every_way_has_its_crossing_of_every_water() -> None:
    passings = CrossingRules.from_rules(rules())
    ways = (Piece.TRACK, Piece.SUNKEN_LANE, Piece.UNFENCED_ROAD, Piece.ROAD, Piece.FENCED_ROAD, Piece.RAILROAD)
    streams, creeks = ([passings.kind(way, water).value for way in ways] for water in (Piece.STREAM, Piece.CREEK))
    assert streams == ["ford", "ford", "ford", "bridge", "bridge", "railway_bridge"]
    assert creeks == [*["bridge"] * 5, "railway_bridge"]
    assert passings.kind(Piece.TRACK, Piece.RAILROAD).value == "level_crossing"
    meetings = [each for each in joined({1: "Road, Stream, Railroad"}).meetings if each.zone == 1]
    assert {(each.upper, each.lower, each.kind.value) for each in meetings} == {
        (Piece.ROAD, Piece.STREAM, "bridge"),
        (Piece.RAILROAD, Piece.STREAM, "railway_bridge"),
        (Piece.ROAD, Piece.RAILROAD, "level_crossing"),
    }


SIZES = ("24x24", "72x48", "120x24", "24x96", "120x96", "144x144")
EXAMPLES = 20
PIECES = ("Road", "Track", "Settlement", "Stream", "Hill", "Swamp", "Pool", "Railroad")


@st.composite
def networks(draw: st.DrawFn) -> tuple[ZonePlan, Network]:
    size = draw(st.sampled_from(SIZES))
    grid = grid_of(size)
    few = draw(st.integers(1, 12))
    contents = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4)
    zones = draw(st.dictionaries(st.sampled_from(grid.zones), contents, max_size=few))
    water = draw(st.sampled_from(("", "", "N", "E", "S", "W")))
    ends = draw(st.tuples(st.sampled_from(grid.edge_zones), st.sampled_from(grid.edge_zones)))
    creek = find_creek_path(grid, *ends) if not water and ends[0] != ends[1] and draw(st.booleans()) else None
    reach = draw(st.sampled_from("13"))
    pieces = {zone: ", ".join(found) for zone, found in zones.items()}
    return grid, joined(pieces, size, water=water, creek=creek, ac_q21=reach)


def sides(grid: ZonePlan, reaches: tuple[ZoneReach, ...]) -> Iterator[tuple[int, int]]:
    for reach in reaches:
        for arm in reach.arms:
            if arm.to is To.ZONE and arm.side is not None:
                other = grid.neighbour(reach.zone, arm.side)
                assert other is not None
                yield reach.zone, other
            if arm.to in (To.EDGE, To.WATER):
                assert arm.side in grid.edges(reach.zone)


@pytest.mark.clause("AC-G07", "AC-N14", "AC-N26", "AC-N32", "AC-T45")
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(networks())
def test_both_zones_of_a_shared_side_know_of_it(found: tuple[ZonePlan, Network]) -> None:
    grid, network = found
    rails = network.rail.reaches if network.rail is not None else ()
    for reaches in (network.roads.reaches, network.streams.reaches, network.creek_reaches, rails):
        steps = list(sides(grid, reaches))
        assert sorted(steps) == sorted((other, zone) for zone, other in steps)
        assert len({reach.zone for reach in reaches}) == len(reaches)


@pytest.mark.clause("AC-N20", "AC-N21", "AC-N22", "AC-N23", "AC-N24", "AC-N26")
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(networks())
def test_every_stream_runs_out_of_the_table_or_into_standing_water(found: tuple[ZonePlan, Network]) -> None:
    grid, network = found
    by_zone = {reach.zone: reach for reach in network.streams.reaches}
    for start in by_zone:
        seen: list[int] = []
        zone: int | None = start
        while zone is not None:
            assert zone not in seen
            seen.append(zone)
            if zone not in by_zone:
                assert network.creek is not None
                assert zone in network.creek.path
                break
            arm = by_zone[zone].arms[0]
            if arm.to is not To.ZONE:
                assert arm.to in (To.EDGE, To.WATER, To.CREEK, To.POOL, To.SWAMP, To.OPEN)
                break
            assert arm.side is not None
            zone = grid.neighbour(zone, arm.side)


@pytest.mark.clause("AC-N11", "AC-N12", "AC-N13", "AC-N15", "AC-N16")
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(networks())
def test_every_road_leads_off_the_table_and_none_into_the_water(found: tuple[ZonePlan, Network]) -> None:
    grid, network = found
    reaches = {reach.zone: reach for reach in network.roads.reaches}
    for start in reaches:
        seen, waiting = {start}, [start]
        while waiting:
            steps = list(sides(grid, (reaches[waiting.pop()],)))
            waiting += [other for _, other in steps if other not in seen]
            seen |= {other for _, other in steps}
        assert any(arm.to is To.EDGE for zone in seen for arm in reaches[zone].arms)
        assert all(len(reaches[zone].arms) > 1 for zone in seen)
    if network.rail is not None:
        through = network.rail.path
        ends = [reach for reach in network.rail.reaches if reach.zone in (through[0], through[-1])]
        assert all(any(arm.to is To.EDGE for arm in reach.arms) for reach in ends)
        assert all(reach.piece is Piece.RAILROAD for reach in network.rail.reaches)
