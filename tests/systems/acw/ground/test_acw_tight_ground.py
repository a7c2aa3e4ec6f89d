"""Ground where little room is left: what belongs together stays together, or is left out and said to be."""

from __future__ import annotations

import pytest
import shapely
from drawn_by_hand import area, country, hill, oval, plot
from drawn_by_hand import line as drawn_line
from msgspec.structs import replace
from shapely import LineString, Point, Polygon, box
from tables_by_hand import INCH, grid_of, log_of, rules, settle, system

from printkit.chance.dice import Dice, Seeded
from printkit.chance.streams import Jitter
from printkit.kit.system import Outcome, Scenario
from printkit.systems.acw.ground.hills import resettle_hills
from printkit.systems.acw.ground.placement import Leg, PlacedGround, ZonePlacement
from printkit.systems.acw.ground.spurs import meet_ridges
from printkit.systems.acw.ground.swamps import _joins, _neck
from printkit.systems.acw.judge.belonging import CHECKS
from printkit.systems.acw.judge.case import Case
from printkit.systems.acw.network.network import GroundPlan, Network
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import Water, ZoneSide
from printkit.systems.acw.terms.profile import PieceProfile
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Feature, Kind
from printkit.terrain.field.record import Record

UNIT = 24 * INCH
FIELDS = (Kind.CROPS, Kind.PLOUGH, Kind.PASTURE)
ROADS = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK)


def laid(pieces: str, seed: int, *, geography: str = "farm", size: str = "24x24") -> Outcome:
    """Return the ground of a table with these pieces in zone 1."""
    given = settle(geography=geography, choice_policy="none")
    width, depth = (float(side) * INCH for side in size.split("x"))
    board = system().board(width, depth, settings=given)
    scenario = Scenario(board=board, settings=given, seed=seed, inputs={"zones": [f"1: {pieces}"]})
    return system().lay_out(scenario, Dice(Seeded(seed)), Jitter(seed))


def table_of(zones: dict[int, str], size: str = "48x24", water: str = "") -> ZonePlacement:
    """Return a table on which nothing lies yet."""
    edge = Water(ZoneSide(water), Piece.SEA) if water else None
    network = Network()
    laying = GroundPlan(grid=grid_of(size), log=log_of(zones), network=network, water=edge)
    width, depth = (float(side) * INCH for side in size.split("x"))
    table = ZonePlacement(
        laying=laying,
        board=system().board(width, depth),
        profile=PieceProfile.of(rules()),
        rules=rules(size),
        jitter=Jitter(4),
    )
    table.straights = dict.fromkeys(table.sites, ())
    return table


def shapes(outcome: Outcome, *kinds: Kind) -> list[Polygon]:
    return [feature.outline for feature in outcome.battlefield.of(*kinds) if isinstance(feature, Area)]


def lines(outcome: Outcome, *kinds: Kind) -> list[LineString]:
    return [feature.line for feature in outcome.battlefield.of(*kinds) if isinstance(feature, Course)]


@pytest.mark.clause("AC-N35", "AC-F11")
@pytest.mark.parametrize("seed", range(3))
def test_a_forest_draws_back_from_the_field_of_a_farm(seed):
    outcome = laid("Scrub, Field, Forest, Farm", seed, geography="swampy")
    (field,), (farm,) = shapes(outcome, *FIELDS), shapes(outcome, Kind.FARM)
    assert field.distance(farm) < 0.35 * UNIT
    for forest in shapes(outcome, Kind.FOREST):
        assert field.distance(forest) > 0.01 * UNIT


@pytest.mark.clause("AC-F15", "AC-F16")
@pytest.mark.parametrize("seed", range(3))
def test_a_wall_and_a_fence_share_the_sides_of_one_field(seed):
    outcome = laid("Field, Wall, Fence Line, Settlement", seed)
    (field,) = shapes(outcome, *FIELDS)
    for work in lines(outcome, Kind.WALL, Kind.WORM_FENCE):
        assert work.intersection(field.buffer(0.05 * UNIT)).length > 0.9 * work.length


@pytest.mark.clause("AC-F16")
@pytest.mark.parametrize("seed", range(3))
def test_a_fence_runs_along_a_road_that_bends(seed):
    outcome = laid("Unfenced Road, Rise, Fence Line, STOP", seed)
    roads = shapely.union_all(lines(outcome, *ROADS)).buffer((0.03 + 0.05) * UNIT)
    (fence,) = lines(outcome, Kind.WORM_FENCE)
    assert fence.intersection(roads).length > 0.7 * fence.length


@pytest.mark.clause("AC-N04", "AC-N14")
@pytest.mark.parametrize("seed", range(3))
def test_a_side_road_ends_at_the_farm_to_which_it_leads(seed):
    outcome = laid("Road, Pool, Track, Farm", seed, geography="mountains", size="22x15")
    (farm,), (track,) = shapes(outcome, Kind.FARM), lines(outcome, Kind.TRACK)
    ends = [Point(track.coords[place]) for place in (0, -1)]
    assert min(end.distance(farm) for end in ends) < 0.08 * 15 * INCH


@pytest.mark.clause("AC-N25", "AC-G05", "AC-G06")
@pytest.mark.parametrize("seed", range(2))
def test_a_hill_that_makes_way_for_a_road_keeps_its_spring(seed):
    table = table_of({1: "Steep Hill, Stream, Road"})
    table.jitter = Jitter(seed)
    was = hill("z1-1", Piece.STEEP_HILL, oval(8, 14, 12, 9))
    table.placed.append(PlacedGround(piece=Piece.STEEP_HILL, zone=1, feature=was))
    spring, road = drawn_line((12, 9.6), (14, 5), (14, 0)), drawn_line((2, 24), (5, 14), (2, 0))
    table.legs.append(Leg(piece=Piece.STREAM, zone=1, line=spring, ends=(1, ZoneSide.SOUTH)))
    table.legs.append(Leg(piece=Piece.ROAD, zone=1, line=road, starts=(1, ZoneSide.NORTH), ends=(1, ZoneSide.SOUTH)))
    resettle_hills(table, roads=True)
    (placed,) = table.placed
    assert placed.outline.intersection(road).length < 1
    assert placed.outline.intersection(spring).length < 1
    assert placed.outline.distance(Point(spring.coords[0])) < 0.08 * UNIT


@pytest.mark.clause("AC-F05")
def test_a_spur_whose_hill_moves_away_grows_out_of_another():
    table = table_of({1: "Spur", 2: "Steep Hill, Road"})
    was = hill("z2-1", Piece.STEEP_HILL, oval(32, 12, 12, 9))
    spur = hill("z1-1", Piece.SPUR, plot(22, 12, 8, 6))
    table.placed += [
        PlacedGround(piece=Piece.STEEP_HILL, zone=2, feature=was),
        PlacedGround(piece=Piece.SPUR, zone=1, feature=spur),
    ]
    road = drawn_line((27.5, 24), (27.5, 0))
    table.legs.append(Leg(piece=Piece.ROAD, zone=2, line=road, starts=(2, ZoneSide.NORTH), ends=(2, ZoneSide.SOUTH)))
    resettle_hills(table, roads=True)
    steep, moved = (next(table.of((piece,))).outline for piece in (Piece.STEEP_HILL, Piece.SPUR))
    assert not steep.intersects(road)
    edge = table.sites[1].box.exterior.difference(table.sites[1].side(ZoneSide.EAST))
    assert min(moved.distance(steep), moved.distance(edge)) < 0.03 * UNIT


@pytest.mark.clause("AC-F04", "AC-G02")
def test_ridges_that_meet_stay_as_narrow_as_ridges_are_and_lie_beside_each_other():
    for rise in range(0, 10, 2):
        table = table_of({1: "Long Hill", 2: "Long Hill"})
        shapes_of = (oval(14, 8, 20, 6.7), oval(34, 8 + rise, 20, 6.7))
        for zone, shape in enumerate(shapes_of, 1):
            feature = hill(f"z{zone}-1", Piece.LONG_HILL, shape)
            table.placed.append(PlacedGround(piece=Piece.LONG_HILL, zone=zone, feature=feature))
        meet_ridges(table)
        west, east = (placed.outline for placed in table.placed)
        assert west.intersection(east).area < 2
        for shape in (west, east):
            corners = shapely.get_coordinates(shape.minimum_rotated_rectangle.exterior)
            assert min(Point(corners[n]).distance(Point(corners[n + 1])) for n in (0, 1)) <= 1.2 * 6.75 * INCH


@pytest.mark.clause("AC-N33")
def test_a_neck_between_swamps_at_the_shore_is_cut_by_the_water_and_stays_wide_enough():
    table = table_of({1: "Swamp", 2: "Swamp"}, water="S")
    sea = box(0, 0, 48 * INCH, 6 * INCH)
    table.edge_water = area("water", Piece.SEA, sea)
    table.placed.append(
        PlacedGround(piece=Piece.FOREST, zone=1, feature=area("f", Piece.FOREST, plot(24, 17.5, 30, 12.9)))
    )
    one, other = (oval(x, 8, 10, 7).difference(sea) for x in (15, 33))
    neck = _neck(table, one, other, (1, 2))
    assert neck is not None
    assert not neck.intersects(sea.buffer(-0.1))
    slim = shapely.union_all([one, other, neck]).buffer(-0.075 * UNIT)
    assert any(all(part.intersects(swamp) for swamp in (one, other)) for part in shapely.get_parts(slim))


@pytest.mark.clause("AC-F16")
def test_a_fence_is_free_only_where_no_side_of_a_field_or_road_is():
    """The side of a field that nothing stands at is wanted; where walls take them all, the fence may stand anywhere."""
    found = country()
    lone = [one for one in found.battlefield.features if one.id in ("field-1",)]
    fence = next(one for one in country().battlefield.features if one.kind is Kind.WORM_FENCE)
    assert isinstance(fence, Course)
    away = replace(fence, line=drawn_line((50, 26), (64, 26)))
    assert list(CHECKS["AC-F16"](case(*lone, away)))
    ring = plot(62.5, 35, 9, 6.6).exterior
    walled = replace(fence, id="wall", kind=Kind.WALL, line=LineString(ring.coords))
    assert not list(CHECKS["AC-F16"](case(*lone, away, walled)))


def case(*features: Feature) -> Case:
    field = Battlefield(board=system().board(), features=features)
    return Case(record=Record(rules="acw", battlefield=field), rules=rules())


@pytest.mark.clause("AC-N33", "AC-N34")
@pytest.mark.parametrize(("end", "joined"), [(700, False), (850, True)])
def test_a_neck_has_to_reach_the_swamp_beyond_and_not_its_zone_alone(end: float, joined: bool) -> None:
    table = table_of({1: "Swamp", 2: "Swamp"})
    one, other = box(200, 200, 450, 400), box(800, 200, 1100, 400)
    assert _joins(table, box(400, 250, end, 380), one, other, (1, 2)) is joined
