"""Situations in which a clause is easily lost: what is led somewhere ends there, and nothing lies in anything else."""

from __future__ import annotations

import pytest
import shapely
from drawn_by_hand import area, broken, course, hill, line, oval, plot, record
from shapely import LineString, Point, Polygon, box
from tables_by_hand import INCH, grid_of, log_of, rules, system

from printkit.chance.streams import Jitter
from printkit.systems.acw.ground.areas import place_forests, place_pools, place_trees, place_wild_piece
from printkit.systems.acw.ground.hills import move_hills
from printkit.systems.acw.ground.legs import plain
from printkit.systems.acw.ground.placement import Leg, PlacedGround, ZonePlacement
from printkit.systems.acw.ground.rails import add_rails
from printkit.systems.acw.ground.roads import lead_home
from printkit.systems.acw.ground.settlements import place_buildings
from printkit.systems.acw.ground.streams import add_streams
from printkit.systems.acw.ground.walls_and_ditches import place_work
from printkit.systems.acw.ground.zone_crossings import Joints
from printkit.systems.acw.network.joining import build_network
from printkit.systems.acw.network.network import Branch, GroundPlan, Network, Roads, To, ZoneExit
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import Water, ZoneSide
from printkit.systems.acw.terms.profile import PieceProfile
from printkit.terrain.geometry.courses import Terminal
from printkit.terrain.geometry.measure import find_meetings

UNIT = 24 * INCH
SEEDS = range(3)


def table_of(
    zones: dict[int, str],
    size: str = "24x24",
    *,
    seed: int = 4,
    water: str = "",
    network: Network | None = None,
    **given: str,
) -> ZonePlacement:
    """Return a table on which nothing lies yet, its zones joined unless a network is given."""
    grid, log, ruled = grid_of(size), log_of(zones), rules(size, **given)
    edge = Water(ZoneSide(water), Piece.SEA) if water else None
    joined = network or build_network(grid, log, ruled, water=edge, creek=None)
    width, depth = (float(side) * INCH for side in size.split("x"))
    table = ZonePlacement(
        laying=GroundPlan(grid=grid, log=log, network=joined, water=edge),
        board=system().board(width, depth),
        profile=PieceProfile.from_rules(rules()),
        rules=ruled,
        jitter=Jitter(seed),
    )
    table.straights = dict.fromkeys(table.sites, ())
    return table


def put(table: ZonePlacement, identity: str, piece: Piece, outline: Polygon) -> None:
    made = hill if piece in (Piece.STEEP_HILL, Piece.HILL, Piece.LONG_HILL, Piece.SPUR) else area
    zone = int(identity[1 : identity.index("-")])
    table.placed.append(PlacedGround(piece=piece, zone=zone, feature=made(identity, piece, outline)))


def way(table: ZonePlacement, piece: Piece, *points: tuple[float, float], **values: object) -> LineString:
    """Lay a course through places in inches, in zone 1."""
    table.legs.append(Leg(piece=piece, zone=1, line=line(*points), **values))  # type: ignore[arg-type]
    return table.legs[-1].line


def outline(table: ZonePlacement, piece: Piece) -> Polygon:
    return next(table.find_pieces((piece,))).outline


@pytest.mark.clause("AC-F17")
def test_a_ditch_from_a_head_far_off_the_water_is_no_longer_than_ditches_are() -> None:
    for seed in SEEDS:
        table = table_of({1: "Pool, Road, Ditch"}, seed=seed)
        put(table, "z1-1", Piece.POOL, oval(12, 3, 3.8, 2.9))
        way(table, Piece.ROAD, (0, 22.2), (24, 22.2))
        place_work(table, *table.find_results(Piece.DITCH))
        (ditch,) = table.works
        assert ditch.line.length <= 1.2 * 0.6 * UNIT + 0.1


@pytest.mark.clause("AC-F20", "AC-G02")
def test_nobody_settles_over_a_ravine() -> None:
    for seed in SEEDS:
        table = table_of({1: "Settlement, Farm, Building, Rocks"}, seed=seed)
        ravine = course("z1-9", Piece.RAVINE, line((2, 11), (12, 13), (22, 11)))
        table.works.append(ravine)
        place_buildings(table)
        place_wild_piece(table, *table.find_results(Piece.ROCKS))
        assert len(table.placed) == 4
        assert not any(one.outline.intersects(ravine.line.buffer(ravine.width / 2)) for one in table.placed)


@pytest.mark.clause("AC-G03", "AC-G04", "AC-F11")
def test_a_forest_lies_first_and_what_comes_later_is_cleared_from_it():
    for seed in SEEDS:
        table = table_of({1: "Forest, Farm, Building"}, seed=seed)
        place_forests(table)
        whole = outline(table, Piece.FOREST).area
        place_buildings(table)
        place_trees(table)
        assert not table.left_out
        forest = outline(table, Piece.FOREST)
        assert 0.5 * whole < forest.area <= whole
        others = [one.outline for one in table.placed if one.piece is not Piece.FOREST]
        assert len(others) == 2
        assert not any(forest.intersects(one) for one in others)


def side_road(to: To) -> ZonePlacement:
    """Return a table with a track that leaves its road and ends in the open, in the middle of the zone."""
    branch = Branch(zone=1, piece=Piece.TRACK, arm=ZoneExit(to=to), roll=1)
    table = table_of({1: "Track, Road"}, network=Network(roads=Roads(branches=(branch,))))
    sides = {"starts": (1, ZoneSide.WEST), "ends": (1, ZoneSide.EAST)}
    main = way(table, Piece.ROAD, (0, 4), (12, 4), (24, 4), rolls=(2,), **sides)
    way(table, Piece.TRACK, (12, 10), (12, 4), rolls=(1,), meets=main.interpolate(0.5, normalized=True))
    return table


@pytest.mark.clause("AC-N04", "AC-N14", "AC-211")
@pytest.mark.parametrize(
    ("to", "piece", "home"),
    [
        (To.TREES, Piece.FOREST, oval(7, 17, 12, 9)),
        (To.TREES, Piece.WOOD, oval(20, 15, 6, 5)),
        (To.FARM, Piece.BUILDING, plot(19, 11, 2.4, 1.7)),
    ],
)
def test_a_side_road_is_led_to_what_found_room_elsewhere(to, piece, home):
    table = side_road(to)
    lead_home(table, Joints(table))
    assert len(table.legs) == 2
    put(table, "z1-3", piece, home)
    lead_home(table, Joints(table))
    (track,) = (leg for leg in table.legs if leg.piece is Piece.TRACK)
    end = Point(track.line.coords[0])
    assert track.rolls == (1,)
    assert end.distance(home) < 0.08 * UNIT
    assert Point(track.line.coords[-1]).distance(table.legs[0].line) < 1
    assert track.line.intersection(home).length < 1


@pytest.mark.clause("AC-N04")
def test_a_side_road_that_ends_at_its_trees_stays_as_it_is() -> None:
    table = side_road(To.TREES)
    put(table, "z1-3", Piece.WOOD, oval(12, 13, 7, 5))
    before = list(table.legs)
    lead_home(table, Joints(table))
    assert table.legs == before


@pytest.mark.clause("AC-N04")
def test_a_house_is_built_at_the_end_of_the_side_road_that_leads_to_it():
    for seed in SEEDS:
        table = table_of({1: "Track, Road, Building"}, seed=seed)
        way(table, Piece.ROAD, (0, 4), (24, 4))
        way(table, Piece.TRACK, (17, 15), (17, 4))
        table.anchors[1, To.FARM] = Point(17 * INCH, 15 * INCH)
        place_buildings(table)
        assert outline(table, Piece.BUILDING).distance(table.anchors[1, To.FARM]) < 0.06 * UNIT


@pytest.mark.clause("AC-G04", "AC-F21", "AC-N25")
def test_a_stream_does_not_end_on_a_railroad_where_its_pool_has_no_room():
    for seed in SEEDS:
        table = table_of({1: "Stream, Pool, Railroad", 2: "Stream"}, "48x24", seed=seed)
        joints = Joints(table)
        add_rails(table, joints)
        add_streams(table, joints)
        spring = table.anchors[1, To.POOL]
        place_pools(table)
        assert not table.left_out
        assert outline(table, Piece.POOL).distance(spring) < 0.02 * UNIT


@pytest.mark.clause("AC-G04", "AC-F21")
def test_a_hill_that_is_moved_leaves_room_for_the_pool_at_the_end_of_a_stream():
    for seed in SEEDS:
        table = table_of({1: "Hill, Stream, Pool"}, seed=seed)
        put(table, "z1-1", Piece.HILL, oval(6, 12, 11, 8.6))
        way(table, Piece.STREAM, (13.5, 12), (6, 12), (0, 12), ends=(1, ZoneSide.WEST))
        table.anchors[1, To.POOL] = Point(13.5 * INCH, 12 * INCH)
        move_hills(table, roads=False)
        assert outline(table, Piece.HILL).distance(table.anchors[1, To.POOL]) > 0.085 * UNIT


@pytest.mark.clause("AC-F33", "AC-N16")
def test_a_farm_lies_across_its_road_where_there_is_no_room_along_it():
    """As between a railroad and the sea, with a road that comes down to the one at a slant."""
    for seed in SEEDS:
        table = table_of({1: "Unfenced Road, Railroad, Farm"}, seed=seed, water="N")
        table.edge_water = area("water", Piece.SEA, box(0, 16.2 * INCH, UNIT, UNIT))
        way(table, Piece.RAILROAD, (0, 10.4), (24, 10.4))
        put(table, "z1-9", Piece.STEEP_HILL, box(0, 0, UNIT, 9.6 * INCH))
        road = way(table, Piece.UNFENCED_ROAD, (0, 14.6), (2.4, 13), (3.4, 9), (5, 6), (6, 0))
        place_buildings(table)
        assert outline(table, Piece.FARM).distance(road) < 0.15 * UNIT


@pytest.mark.clause("AC-F33", "AC-N16", "AC-G04", "AC-X12")
def test_a_farm_without_room_near_its_road_is_left_out():
    table = table_of({1: "Road, Farm"})
    way(table, Piece.ROAD, (0, 4), (24, 4))
    put(table, "z1-9", Piece.STEEP_HILL, box(0, 0, UNIT, 13 * INCH))
    place_buildings(table)
    assert not list(table.find_pieces((Piece.FARM,)))
    ((result, tried),) = table.left_out.items()
    assert result.id == "z1-2"
    assert tried.startswith("tried 100 places beside the road of its zone")


@pytest.mark.clause("AC-F25", "AC-G02")
def test_scree_lies_at_the_foot_of_a_hill_that_a_forest_surrounds() -> None:
    table = table_of({1: "Long Hill, Forest, Scree"})
    ridge = oval(12, 11, 16, 5.5)
    put(table, "z1-1", Piece.LONG_HILL, ridge)
    put(table, "z1-2", Piece.FOREST, oval(12, 12, 23, 22.5).difference(ridge.buffer(4)))
    place_wild_piece(table, *table.find_results(Piece.SCREE))
    scree, forest = outline(table, Piece.SCREE), outline(table, Piece.FOREST)
    assert scree.distance(ridge) < 0.08 * UNIT
    assert scree.intersection(forest).area < 1
    assert isinstance(forest, Polygon)


@pytest.mark.clause("AC-G05", "AC-N13")
def test_a_railroad_runs_past_the_farthest_reach_of_a_shore_between_two_sides():
    table = table_of({1: "Railroad, Stream", 2: "Stream"}, "48x24", water="N")
    shore = [(0, 19.5), (8, 19), (12, 16), (16, 19), (48, 19.5)]
    ring = [*shore, (48, 24), (0, 24)]
    table.edge_water = area("water", Piece.SEA, Polygon([(x * INCH, y * INCH) for x, y in ring]))
    joints = Joints(table)
    add_rails(table, joints)
    rails = shapely.union_all([leg.line for leg in table.legs])
    assert rails.distance(table.water) > 0.05 * UNIT


@pytest.mark.clause("AC-G07", "AC-N26")
def test_the_simple_curve_that_is_laid_at_last_stays_in_its_zone() -> None:
    zone = box(0, 0, 600, 150)
    start, end = Terminal(at=(0.0, 110.0), lead=(30.0, 110.0)), Terminal(at=(395.0, 110.0), lead=(390.0, 180.0))
    found = plain(start, end, zone)
    assert zone.buffer(0.6).contains(found)
    assert (found.coords[0], found.coords[-1]) == (start.at, end.at)


def angles(track: LineString, table: ZonePlacement) -> list[float]:
    """Return the angles at which a track meets the rims of the steep hills, in degrees to the slope."""
    rims = [LineString(placed.outline.exterior.coords) for placed in table.find_pieces((Piece.STEEP_HILL,))]
    return [meeting.angle for rim in rims for meeting in find_meetings(track, rim)]


@pytest.mark.clause("AC-G05")
def test_a_steep_hill_is_moved_out_of_a_track_that_climbs_it_straight() -> None:
    for seed in SEEDS:
        table = table_of({1: "Steep Hill, Track"}, seed=seed)
        put(table, "z1-1", Piece.STEEP_HILL, oval(12, 12, 12, 9))
        track = way(table, Piece.TRACK, (12, 24), (12, 0), starts=(1, ZoneSide.NORTH), ends=(1, ZoneSide.SOUTH))
        move_hills(table, roads=True)
        assert list(table.find_pieces((Piece.STEEP_HILL,)))
        assert all(angle <= 45 for angle in angles(track, table))


@pytest.mark.clause("AC-G05", "AC-G04")
def test_a_track_may_run_up_a_steep_hill_at_a_slant_where_there_is_no_other_room() -> None:
    table = table_of({1: "Steep Hill, Track"})
    put(table, "z1-9", Piece.POOL, box(11.2 * INCH, 0, UNIT, UNIT))
    put(table, "z1-1", Piece.STEEP_HILL, oval(5, 12, 9, 8))
    way(table, Piece.TRACK, (7, 24), (4, 0), starts=(1, ZoneSide.NORTH), ends=(1, ZoneSide.SOUTH))
    move_hills(table, roads=True)
    assert all(angle <= 45 for angle in angles(table.legs[0].line, table))


@pytest.mark.clause("AC-N35")
def test_a_field_is_off_its_road_only_where_there_is_no_room_beside_that():
    road, field = course("road", Piece.ROAD, line((0, 44), (72, 44))), area("field", Piece.FIELD, plot(12, 28, 8.4, 6))
    assert "from all its farms" in broken(record(road, field), "AC-N35")
    woods = area("forest", Piece.FOREST, box(0.5 * INCH, 32 * INCH, 23.5 * INCH, 47.5 * INCH))
    assert broken(record(road, field, woods), "AC-N35") == ""


@pytest.mark.clause("AC-N04", "AC-211")
def test_a_side_road_to_a_house_that_found_no_room_ends_in_the_open() -> None:
    road = course("road", Piece.ROAD, line((0, 30), (72, 30)))
    track = course("t", Piece.TRACK, line((12, 40), (12, 30)))
    branch = {"zone": 1, "piece": "track", "arms": [["farm", ""]], "branch": True}
    graph = {"roads": {"links": [], "ends": []}, "streams": {"links": [], "mouths": [], "sources": []}, "rail": None}
    details = {"reaches": [branch], "graph": graph}
    assert broken(record(road, track, details=details), "AC-N14") == ""
    house = area("house", Piece.BUILDING, plot(20, 45, 2.4, 1.7))
    assert "on open ground in zone 1" in broken(record(road, track, house, details=details), "AC-N14")
    assert "on open ground in zone 1" in broken(record(road, track), "AC-N14")


@pytest.mark.clause("AC-G02")
def test_a_table_of_courses_alone_is_judged():
    assert broken(record(course("road", Piece.ROAD, line((0, 30), (72, 30)))), "AC-G02") == ""
