"""Ground where little room is left: what belongs together stays together or gives way, places of the campaign last."""

from __future__ import annotations

import pytest
import shapely
from drawn_by_hand import UNIT, area, broken, country, course, oval, plot, record
from drawn_by_hand import line as drawn_line
from seeded_tables import broken_of, seeded
from shapely import LineString, Point, Polygon, box
from tables_by_hand import INCH, grid_of
from test_acw_ground import ROADS, laid, sides
from test_acw_kept_clauses import outline, put, table_of, way

from printkit.core.words import find_words as language
from printkit.kit.registry import find
from printkit.kit.system import Outcome
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.systems.acw.ground.chains import _mark_bearing
from printkit.systems.acw.ground.hills import move_hills
from printkit.systems.acw.ground.placement import Leg
from printkit.systems.acw.ground.spurs import join_ridges
from printkit.systems.acw.ground.swamps import _find_neck, _is_wide_enough
from printkit.systems.acw.network.network import Network
from printkit.systems.acw.terms.inputs import Inputs
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import ZoneSide
from printkit.terrain.field.features import Area, Course, Kind
from printkit.terrain.geometry.measure import line_bearing, turn_between


def shapes(outcome: Outcome, *kinds: Kind) -> list[Polygon]:
    return [feature.outline for feature in outcome.battlefield.select_features(*kinds) if isinstance(feature, Area)]


def lines(outcome: Outcome, *kinds: Kind) -> list[LineString]:
    return [feature.line for feature in outcome.battlefield.select_features(*kinds) if isinstance(feature, Course)]


@pytest.mark.clause("AC-N35", "AC-F11")
@pytest.mark.parametrize("seed", range(3))
def test_a_forest_draws_back_from_the_field_of_a_farm(seed: int) -> None:
    outcome = laid("Scrub, Field, Forest, Farm", size="24x24", seed=seed, geography="swampy")
    (field,), (farm,) = shapes(outcome, Kind.CROPS, Kind.PLOUGH, Kind.PASTURE), shapes(outcome, Kind.FARM)
    assert field.distance(farm) < 0.35 * UNIT
    assert all(field.distance(forest) > 0.01 * UNIT for forest in shapes(outcome, Kind.FOREST))


@pytest.mark.clause("AC-F15", "AC-F16")
@pytest.mark.parametrize("seed", range(3))
def test_a_wall_and_a_fence_share_the_sides_of_one_field(seed: int) -> None:
    outcome = laid("Field, Wall, Fence Line, Settlement", size="24x24", seed=seed)
    (field,) = shapes(outcome, Kind.CROPS, Kind.PLOUGH, Kind.PASTURE)
    for work in lines(outcome, Kind.WALL, Kind.WORM_FENCE):
        assert work.intersection(field.buffer(0.05 * UNIT)).length > 0.9 * work.length


@pytest.mark.clause("AC-F16")
@pytest.mark.parametrize("seed", range(3))
def test_a_fence_runs_along_a_road_that_bends(seed: int) -> None:
    outcome = laid("Unfenced Road, Rise, Fence Line, STOP", size="24x24", seed=seed)
    roads = shapely.union_all(lines(outcome, *ROADS)).buffer((0.03 + 0.05) * UNIT)
    (fence,) = lines(outcome, Kind.WORM_FENCE)
    assert fence.intersection(roads).length > 0.7 * fence.length


@pytest.mark.clause("AC-N04", "AC-N14")
@pytest.mark.parametrize("seed", range(3))
def test_a_side_road_ends_at_the_farm_to_which_it_leads(seed: int) -> None:
    outcome = laid("Road, Pool, Track, Farm", size="22x15", seed=seed, geography="mountains")
    (farm,), (track,) = shapes(outcome, Kind.FARM), lines(outcome, Kind.TRACK)
    ends = [Point(track.coords[place]) for place in (0, -1)]
    assert min(end.distance(farm) for end in ends) < 0.08 * 15 * INCH


@pytest.mark.clause("AC-N25", "AC-G05", "AC-G06")
@pytest.mark.parametrize("seed", range(2))
def test_a_hill_that_makes_way_for_a_road_keeps_its_spring(seed: int) -> None:
    table = table_of({1: "Steep Hill, Stream, Road"}, "48x24", seed=seed, network=Network())
    put(table, "z1-1", Piece.STEEP_HILL, oval(8, 14, 12, 9))
    spring = way(table, Piece.STREAM, (12, 9.6), (14, 5), (14, 0), ends=(1, ZoneSide.SOUTH))
    road = way(table, Piece.ROAD, (2, 24), (5, 14), (2, 0), starts=(1, ZoneSide.NORTH), ends=(1, ZoneSide.SOUTH))
    move_hills(table, roads=True)
    (placed,) = table.placed
    assert placed.outline.intersection(road).length < 1
    assert placed.outline.intersection(spring).length < 1
    assert placed.outline.distance(Point(spring.coords[0])) < 0.08 * UNIT


@pytest.mark.clause("AC-F05")
def test_a_spur_whose_hill_moves_away_grows_out_of_another() -> None:
    table = table_of({1: "Spur", 2: "Steep Hill, Road"}, "48x24", network=Network())
    put(table, "z2-1", Piece.STEEP_HILL, oval(32, 12, 12, 9))
    put(table, "z1-1", Piece.SPUR, plot(22, 12, 8, 6))
    road = drawn_line((27.5, 24), (27.5, 0))
    table.legs.append(Leg(piece=Piece.ROAD, zone=2, line=road, starts=(2, ZoneSide.NORTH), ends=(2, ZoneSide.SOUTH)))
    move_hills(table, roads=True)
    steep, moved = outline(table, Piece.STEEP_HILL), outline(table, Piece.SPUR)
    assert not steep.intersects(road)
    edge = table.sites[1].box.exterior.difference(table.sites[1].side(ZoneSide.EAST))
    assert min(moved.distance(steep), moved.distance(edge)) < 0.03 * UNIT


@pytest.mark.clause("AC-F04", "AC-G02")
def test_ridges_that_meet_stay_as_narrow_as_ridges_are_and_lie_beside_each_other() -> None:
    for rise in range(0, 10, 2):
        table = table_of({1: "Long Hill", 2: "Long Hill"}, "48x24", network=Network())
        put(table, "z1-1", Piece.LONG_HILL, oval(14, 8, 20, 6.7))
        put(table, "z2-1", Piece.LONG_HILL, oval(34, 8 + rise, 20, 6.7))
        join_ridges(table)
        west, east = (placed.outline for placed in table.placed)
        assert west.intersection(east).area < 2
        assert max(sides(west)[1], sides(east)[1]) * UNIT <= 1.2 * 6.75 * INCH


@pytest.mark.clause("AC-N33")
def test_a_neck_between_swamps_at_the_shore_is_cut_by_the_water_and_stays_wide_enough() -> None:
    table = table_of({1: "Swamp", 2: "Swamp"}, "48x24", water="S", network=Network())
    sea = box(0, 0, 48 * INCH, 6 * INCH)
    table.edge_water = area("water", Piece.SEA, sea)
    put(table, "z1-2", Piece.FOREST, plot(24, 17.5, 30, 12.9))
    one, other = (oval(x, 8, 10, 7).difference(sea) for x in (15, 33))
    neck = _find_neck(table, one, other, (1, 2))
    assert neck is not None
    assert not neck.intersects(sea.buffer(-0.1))
    slim = shapely.union_all([one, other, neck]).buffer(-0.075 * UNIT)
    assert any(all(part.intersects(swamp) for swamp in (one, other)) for part in shapely.get_parts(slim))


@pytest.mark.clause("AC-F16")
def test_a_fence_is_free_only_where_no_side_of_a_field_or_road_is() -> None:
    """The side of a field that nothing stands at is wanted; where walls take them all, the fence may stand anywhere."""
    lone = country().battlefield.find("field-1")
    away = course("fence", Piece.FENCE_LINE, drawn_line((50, 26), (64, 26)))
    wall = course("wall", Piece.WALL, LineString(plot(62.5, 35, 9, 6.6).exterior.coords))
    assert broken(record(lone, away), "AC-F16")
    assert not broken(record(lone, away, wall), "AC-F16")


@pytest.mark.clause("AC-N33", "AC-N34")
@pytest.mark.parametrize(("end", "joined"), [(700, False), (850, True)])
def test_a_neck_has_to_reach_the_swamp_beyond_and_not_its_zone_alone(end: float, joined: bool) -> None:
    table = table_of({1: "Swamp", 2: "Swamp"}, "48x24", network=Network())
    one, other = box(200, 200, 450, 400), box(800, 200, 1100, 400)
    assert _is_wide_enough(table, box(400, 250, end, 380), one, other, (1, 2)) is joined


@pytest.mark.clause("AC-N40")
def test_a_bridge_lies_as_its_road_runs_there_where_that_bends_within_its_length() -> None:
    road = course("road", Piece.ROAD, LineString([(0, 0), (300, 0), (300, 300)]))
    over = line_bearing(road.line, 310.0, 2 * road.width)
    assert turn_between(over, line_bearing(road.line, 310.0, 20.0)) > 27.0
    assert _mark_bearing(road, 310.0) == line_bearing(road.line, 310.0, 20.0)
    assert _mark_bearing(road, 150.0) == line_bearing(road.line, 150.0, 2 * road.width)


@pytest.mark.clause("AC-302", "AC-G06", "AC-N16")
@pytest.mark.parametrize(
    ("seed", "geography", "zone"),
    [(117, "mountains", 6), (128, "hilly", 5), (137, "riverside", 2), (202, "mountains", 1), (219, "hilly", 6)],
)
def test_a_town_of_the_campaign_is_never_left_out(seed, geography, zone):
    found = seeded(seed, inputs={"campaign": [f"town Gettysburg in {zone}"]}, geography=geography)
    (town,) = found.battlefield.select_features(Kind.TOWN)
    assert (town.name, town.origin.zone) == ("Gettysburg", zone)
    assert broken_of(found) == {}


@pytest.mark.clause("AC-301", "AC-302", "AC-F35", "AC-F36")
@pytest.mark.parametrize(("kind", "clause"), [(Kind.TOWN, "AC-F35"), (Kind.FORT, "AC-F36")])
def test_a_place_of_the_campaign_that_was_taken_out_breaks_its_clauses(kind: Kind, clause: str) -> None:
    places = {"campaign": ["town Gettysburg in 2", "fort Stevens in 6"]}
    broken = broken_of(seeded(63, inputs=places, geography="farm"), without=kind)
    assert {"AC-301", "AC-302", clause} <= set(broken)
    assert "is not there" in broken[clause]


@pytest.mark.clause("AC-301")
@pytest.mark.parametrize(
    ("line", "name"),
    [("fort Stevens in 2", "Fort Stevens"), ("fort Fort Sumter in 2", "Fort Sumter"), ("fort in 2", "")],
)
def test_a_fort_is_named_as_one(line, name):
    assert Inputs.read({"campaign": [line]}, grid_of()).places[2].name == name


@pytest.mark.clause("AC-301")
def test_the_title_names_the_town_that_the_campaign_marks():
    orders = Orders(rules="acw", board="48x24in", inputs={"campaign": ["town Gettysburg in 2"]})
    assert play(find("acw"), orders, 1, language("en")).record.battlefield.title == "The Field of Gettysburg"
