"""Places and buildings: houses in their number and on their ground, gates on the roads, camps, forts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from places_scene import PLACES, SINGLE, area_of, field_of, ground_of
from shapely import LineString, Point, Polygon, affinity, box
from shapely.geometry.base import BaseGeometry
from signs_scene import STYLES, area, board, context, corners, course, filled, paths, shape

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Item, LayerName, Path, Stamp
from printkit.drawing.signs.built import camp, fort, settlement, single_buildings
from printkit.drawing.signs.built.buildings import House, PlanSite, draw_houses, merge_lines, open_ring
from printkit.drawing.signs.built.farm_grounds import FarmGrounds, find_occupied_ground, plan_grounds
from printkit.drawing.signs.built.settlement import TownPlan
from printkit.drawing.signs.built.streets import SETTLINGS, find_gates
from printkit.drawing.signs.built.village import MeetingHouse, place_headstones
from printkit.drawing.signs.catalogue import SIGNS
from printkit.drawing.signs.routes.roads import TOWNS, road
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Feature, Kind
from printkit.terrain.field.grids import SquareGrid
from printkit.terrain.geometry.outlines import draw_plot_outline


@cache
def _town(kind: Kind, seed: int) -> TownPlan:
    feature, field = field_of(kind, seed, roads=(0.3, 3.2) if seed % 2 else ())
    return settlement.laid_out(feature, context(seed=seed), field)


def _roofs(town: TownPlan) -> np.ndarray:
    return np.array([house.footprint for house in town.houses])


def _check_houses(town: TownPlan, ground: Polygon) -> np.ndarray:
    """See that houses stand on their ground and clear of streets and of one another; return their roofs."""
    roofs = _roofs(town)
    assert ground.contains(shapely.union_all(roofs))
    assert shapely.distance(roofs, town.paved_ground).min() > 0.05
    apart = shapely.distance(roofs[:, None], roofs[None, :]) + 99 * np.eye(len(roofs))
    assert apart.min() > 0.3 * town.unit
    assert all(shapely.distance(roofs, garden.ground).min() > 0.1 for garden in town.gardens)
    return roofs


def _corners(items: Sequence[tuple[LayerName, Item]]) -> np.ndarray:
    """Return all points of what is drawn, shadows left out, of stamps their middles."""
    found = [np.zeros((0, 2))]
    for _, item in items:
        if isinstance(item, Path) and not (item.fill and item.fill.alpha in (0.26, 0.30, 0.32, 0.34, 0.35)):
            found.append(corners(item))
        elif isinstance(item, Stamp):
            found.append(np.array([(place.e, place.f) for place in item.places]))
    return np.vstack(found)


@pytest.mark.parametrize("kind", PLACES)
@pytest.mark.parametrize("seed", range(4))
def test_a_place_has_as_many_houses_as_its_kind(kind: Kind, seed: int) -> None:
    """The cartography, 10.9."""
    least, most = SETTLINGS[kind].least_houses, SETTLINGS[kind].most_houses
    assert most is not None
    assert least <= len(_town(kind, seed).houses) <= most
    assert (_town(kind, seed).church is not None) == (kind in (Kind.SETTLEMENT, Kind.VILLAGE, Kind.TOWN, Kind.CITY))
    assert (_town(kind, seed).well is not None) == (kind in (Kind.TOWN, Kind.CITY))


@pytest.mark.parametrize("kind", PLACES)
@pytest.mark.parametrize("seed", range(4))
def test_houses_stand_on_their_own_ground(kind: Kind, seed: int) -> None:
    town = _town(kind, seed)
    roofs = _check_houses(town, town.ground)
    if town.church is not None:
        assert shapely.distance(roofs, town.churchyard).min() > 0.1
        assert town.paved_ground.disjoint(town.church.footprint)


@settings(max_examples=6, deadline=None, derandomize=True)
@given(
    kind=st.sampled_from(PLACES),
    size=st.floats(0.6, 2.2),
    roads=st.lists(st.floats(0, 6.2), max_size=3, unique_by=lambda bearing: round(bearing / 1.3)),
    seed=st.integers(0, 99),
)
def test_places_of_any_size_and_roads_keep_their_houses_apart(
    kind: Kind, size: float, roads: list[float], seed: int
) -> None:
    feature, field = field_of(kind, seed, roads=roads)
    grown = area_of(kind, affinity.scale(feature.outline, size, size))
    town = settlement.laid_out(grown, context(seed=seed), board(grown, *field.features[1:]))
    least, most = SETTLINGS[kind].least_houses, SETTLINGS[kind].most_houses
    assert most is not None
    assert min(least, 12) <= len(_check_houses(town, grown.outline)) <= most


@pytest.mark.parametrize("seed", range(3))
def test_a_town_in_a_cell_is_a_third_roof(seed: int) -> None:
    """The cartography, 20.1: a town must not be thin on houses in a hex of 74 mm."""
    turn = np.arange(6) * math.pi / 3 + math.pi / 6
    hexagon = Polygon(np.column_stack([200 + 42.7 * np.cos(turn), 150 + 42.7 * np.sin(turn)])).buffer(-4.0)
    feature = area_of(Kind.TOWN, hexagon)
    road = course("r1", Kind.ROAD, [(100, 143), (180, 147), (200, 150), (300, 156)], 8.4)
    town = settlement.laid_out(feature, context(seed=seed), board(feature, road))
    assert shapely.area(_roofs(town)).sum() / hexagon.area > 0.28
    assert all(street.width < 4.5 for street in town.streets)


@pytest.mark.parametrize("seed", range(3))
def test_gates_lie_on_the_roads(seed: int) -> None:
    feature, field = field_of(Kind.CITY, seed, roads=(0.3, 2.4, 4.4))
    town = settlement.laid_out(feature, context(seed=seed), field)
    wall = town.wall
    assert wall is not None
    assert len(wall.gates) == 3
    roads = shapely.union_all([way.line for way in field.select_features(Kind.ROAD)])  # type: ignore[union-attr]
    for gate in wall.gates:
        assert gate.position.distance(roads) < 6.0
        assert gate.width > 9.6
        assert town.paved_ground.covers(gate.position)
        flanks = [tower for tower in wall.towers if tower.distance(gate.position) < gate.width / 2 + 2 * wall.radius]
        assert len(flanks) >= 2
    assert town.paved_ground.distance(wall.curtain) > 0.2
    assert feature.outline.buffer(1e-6).contains(wall.ground)
    assert shapely.distance(_roofs(town), wall.ground).min() > 1.0
    assert max(town.paved_ground.intersection(tower.buffer(wall.radius)).area for tower in wall.towers) < 0.5
    for tower, other in zip(wall.towers, wall.towers[1:], strict=False):
        assert tower.distance(other) > 2 * wall.radius


def test_roads_end_where_streets_begin_and_a_city_without_roads_has_the_gates_of_its_main_street() -> None:
    town = _town(Kind.CITY, 2)
    assert town.wall is not None
    assert len(town.wall.gates) == 2
    assert set(TOWNS) == SETTLINGS.keys() - {"village_settlement"}


def test_a_river_or_railway_through_a_place_keeps_houses_off() -> None:
    feature, _ = field_of(Kind.VILLAGE, 1)
    river = course("w1", Kind.RIVER, [(100, 90), (200, 125), (300, 110)], 12.0)
    town = settlement.laid_out(feature, context(), board(feature, river))
    assert shapely.distance(_roofs(town), river.line).min() > 6.5


@pytest.mark.parametrize("scale", [0.2, 0.292, 0.5])
def test_small_sheets_have_houses_too(scale: float) -> None:
    for kind in PLACES:
        feature, field = field_of(kind, 3, scale=scale)
        town = settlement.laid_out(feature, context(scale=scale), field)
        assert len(town.houses) >= min(12, SETTLINGS[kind].least_houses), kind
    small = area("z5", Kind.BUA, shapely.transform(_bua().outline, lambda points: points * scale))
    assert len(settlement.laid_out(small, context(scale=scale), board(small)).houses) >= 12


@cache
def _bare(kind: Kind) -> tuple[Area, Battlefield]:
    return field_of(kind, 4, roads=())


@cache
def _laid_bare(kind: Kind, name: str = STYLES[0]) -> TownPlan:
    feature, field = _bare(kind)
    return settlement.laid_out(feature, context(name), field)


def test_the_plan_of_a_place_is_the_same_in_every_style_and_another_for_another_seed() -> None:
    """So the other styles may be drawn from the plan of the first."""
    feature = _bua()
    field = _bua_field((1.0,), feature)
    for name in STYLES[1:]:
        assert _laid_bare(Kind.VILLAGE, name) == _laid_bare(Kind.VILLAGE)
        assert settlement.laid_out(feature, context(name), field) == settlement.laid_out(feature, context(), field)
    first, second = (settlement.laid_out(feature, context(seed=seed), field) for seed in (1, 2))
    assert first != second


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("kind", [*PLACES, *SINGLE])
def test_every_style_draws_every_kind_on_its_own_ground(kind: Kind, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    feature, field = _bare(kind)
    if kind in PLACES:
        plan = _laid_bare(kind)
        monkeypatch.setattr(settlement, "laid_out", lambda *_: plan)
    items = list(SIGNS[kind](feature, context(name), field))
    assert len(items) >= 3
    on_ground = [(layer, item) for layer, item in items if layer is not LayerName.GRASS]  # Lanes lead away.
    assert shapely.contains_xy(feature.outline.buffer(0.4), _corners(on_ground)).all()


# --- Built-up areas ---------------------------------------------------------------------------------------------------


def _bua(corners: int = 7, wide: float = 50.8, high: float = 44.4, turn: float = 0.3) -> Area:
    angle = np.linspace(0, 2 * np.pi, corners, endpoint=False) + turn
    ring = np.column_stack([200 + wide * np.cos(angle), 150 + high * np.sin(angle)])
    return area("z5", Kind.BUA, Polygon(ring).buffer(5).buffer(-3))


def _road_to(identity: str, bearing: float, town: Area) -> Course:
    """Return a road from afar that ends 12.7 mm inside the town, as BR-G55 has it."""
    along = np.array([np.cos(bearing), np.sin(bearing)])
    middle = np.array([town.outline.centroid.x, town.outline.centroid.y])
    far = middle + along * 190
    ray = shapely.LineString([far, middle])
    edge = shapely.get_coordinates(ray.intersection(town.outline.exterior))[0]
    return course(identity, Kind.ROAD, [tuple(far), tuple((far + edge) / 2), tuple(edge - along * 12.7)], 19.05)


def _bua_field(bearings: tuple[float, ...], town: Area) -> Battlefield:
    return board(town, *(_road_to(f"D{number}", bearing, town) for number, bearing in enumerate(bearings, 1)))


@settings(max_examples=12, deadline=None, derandomize=True)
@given(
    corners=st.integers(5, 8),
    wide=st.floats(38, 76),
    high=st.floats(38, 76),
    roads=st.lists(st.floats(0, 6.2), max_size=2, unique_by=lambda bearing: round(bearing / 1.3)),
    seed=st.integers(0, 99),
)
def test_houses_stand_inside_and_clear_of_streets_and_of_each_other(
    corners: int, wide: float, high: float, roads: list[float], seed: int
) -> None:
    feature = _bua(corners, wide, high)
    plan = settlement.laid_out(feature, context(seed=seed), _bua_field(tuple(roads), feature))
    assert len(plan.houses) >= 12
    grounds = _check_houses(plan, feature.outline)
    assert shapely.distance(grounds, plan.churchyard).min() > 0.9 if plan.church else plan.churchyard.is_empty
    apart = shapely.distance(grounds[:, None], grounds[None, :]) + 99 * np.eye(len(grounds))
    assert apart.min() > 0.4
    assert all(feature.outline.contains(garden.ground) for garden in plan.gardens)


@pytest.mark.clause("BR-G11", "BR-G55")
@pytest.mark.parametrize("name", STYLES)
def test_a_road_goes_on_as_a_street_to_the_middle(name: str) -> None:
    feature, hand = _bua(), context(name)
    field = _bua_field((0.2, 3.0), feature)
    assert len(find_gates(feature.outline, field, hand)) == 2
    items = list(settlement.settlement(feature, hand, field))
    surface = shape(paths(items, LayerName.COURSE)[0])
    edge = shape(paths(items, LayerName.TOWN_EDGE)[0])
    for way in field.features[1:]:
        assert isinstance(way, Course)
        outside = shape(paths(road(way, hand, field), LayerName.COURSE)[0])
        both = outside.union(surface)
        assert both.geom_type == "Polygon"
        crossed = way.line.intersection(feature.outline.exterior)
        assert edge.distance(crossed) > 8
        # A base that comes in on the road keeps the road's width at the edge.
        assert both.intersection(crossed.buffer(3)).area > 0.99 * crossed.buffer(3).area
        assert surface.covers(Point(feature.outline.centroid))


@pytest.mark.clause("BR-G11")
def test_the_edge_is_whole_where_no_road_comes() -> None:
    feature, hand = _bua(), context()
    items = list(settlement.settlement(feature, hand, board(feature)))
    edge = shape(paths(items, LayerName.TOWN_EDGE)[0])
    assert edge.length == pytest.approx(feature.outline.length, rel=0.01)
    plan = settlement.laid_out(feature, hand, board(feature))
    assert feature.outline.contains(plan.paved_ground)
    assert plan.paved_ground.distance(feature.outline.exterior) < 3


def test_large_grounds_have_church_and_market() -> None:
    large = settlement.laid_out(_bua(wide=75, high=60), context(), board(_bua(wide=75, high=60)))
    assert large.church is not None
    assert large.well is not None
    assert large.churchyard.buffer(0.1).contains(large.church.footprint)
    assert large.paved_ground.disjoint(large.churchyard)
    assert len(large.houses) >= 40


def test_labels_stay_free() -> None:
    feature, label = _bua(), shapely.box(170, 160, 215, 172)
    plan = settlement.laid_out(feature, context(clear=label), board(feature))
    grounds = [house.footprint for house in plan.houses] + [garden.ground for garden in plan.gardens]
    assert shapely.distance(grounds, label).min() >= 0
    assert shapely.union_all(grounds).intersection(label).area < 1e-6
    assert plan.church is None or not plan.churchyard.intersects(label)


@pytest.mark.parametrize("name", STYLES)
def test_every_style_has_roofs_streets_walls_and_trees(name: str) -> None:
    feature, hand = _bua(), context(name)
    items = list(settlement.settlement(feature, hand, _bua_field((0.2,), feature)))
    roofs = paths(items, LayerName.HOUSE)
    assert any(item.stroke and item.stroke.width == hand.width(0.38) for item in roofs)
    strokes = {item.stroke.width for item in roofs if item.stroke}
    assert {hand.width(0.34), hand.width(0.75)} <= strokes
    assert hand.style.shadows == any(item.fill == hand.style.solid("shadow").with_alpha(0.34) for item in roofs)
    assert bool(paths(items, LayerName.TOWN_WASH)) == hand.style.washes
    assert {name for name, _ in items} >= {LayerName.CASING, LayerName.COURSE, LayerName.TOWN_EDGE, LayerName.GARDEN}
    assert len(items) < 140


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("degrees", [0, 40, 90, 170, 275])
def test_roofs_are_pale_towards_the_north_west(name: str, degrees: float) -> None:
    house = House(x=50, y=50, width=12, depth=8, angle=np.radians(degrees), shade=1)
    hand = context(name)
    items = list(draw_houses([house], hand))
    (first, first_facing), (_, second_facing) = house.planes[:2]
    assert first_facing * second_facing < 0
    if hand.style.hatched:
        hatching = shape(next(item for _, item in items if item.stroke and item.stroke.width == hand.width(0.20)))
        dark = next(plane for plane, facing in house.planes if facing < 0)
        assert Polygon(dark).buffer(0.05).contains(hatching)
        return
    base = hand.style.family("roof")[1]
    pale = filled(items, base.mix(hand.style.solid("roof-lit"), 0.30))
    roof = next(Polygon(plane) for plane, facing in house.planes if facing > 0)
    assert pale.symmetric_difference(roof).area < 0.5
    assert Polygon(first).area == pytest.approx(48)


def _village(*others: Course, seed: int = 1) -> tuple[Area, Battlefield, TownPlan]:
    angle = np.linspace(0, 2 * np.pi, 7, endpoint=False) + 0.3
    ring = np.column_stack([400 + 130 * np.cos(angle), 300 + 110 * np.sin(angle)])
    village = area("z1-4", Kind.SETTLEMENT, Polygon(ring))
    field = board(village, *others)
    return village, field, settlement.laid_out(village, context(seed=seed), field)


_STREAM = course("w1", Kind.STREAM, [(250, 60), (255, 300), (245, 560)], 18.0)
_CROSSROADS = (
    course("r1", Kind.ROAD, [(40, 300), (400, 300), (760, 310)], 36.0),
    course("r2", Kind.ROAD, [(400, 20), (400, 300)], 36.0),
)


def test_a_village_has_a_meeting_house_in_its_yard_clear_of_houses_and_streets() -> None:
    village, _, plan = _village()
    assert isinstance(plan.church, MeetingHouse)
    assert plan.churchyard.contains(plan.church.footprint)
    assert village.outline.contains(plan.churchyard)
    grounds = np.array([house.footprint for house in plan.houses])
    assert shapely.distance(grounds, plan.churchyard).min() > 0.9
    assert plan.paved_ground.disjoint(plan.churchyard)
    stones = place_headstones(plan.church, plan.churchyard, plan.trees)
    assert stones
    assert all(stone.distance(plan.church.footprint) > 1.0 for stone in stones)
    assert 4 <= len(plan.houses) + 1 <= 12


def _village_items(*others: Course, name: str = "campaign") -> tuple[Area, list[tuple[LayerName, Item]]]:
    feature = area_of(Kind.SETTLEMENT, affinity.scale(_bua().outline, 2.0, 2.0))
    return feature, list(settlement.settlement(feature, context(name), board(feature, *others)))


def test_the_ground_of_a_village_fades_out_over_6_mm_and_its_edge_stays_in_sight() -> None:
    feature, items = _village_items()
    washes = paths(items, LayerName.TOWN_WASH)
    alphas = [item.fill.alpha for item in washes if item.fill]
    covered = 1 - np.cumprod(1 - np.array(alphas))
    assert len(alphas) == len(washes)
    assert covered[0] < 0.1
    assert np.diff(covered).max() < 0.21
    assert covered[-1] == 1
    insets = [feature.outline.exterior.distance(shape(item).exterior) for item in washes]
    assert insets == pytest.approx(np.linspace(0, 6, len(washes)), abs=0.2)
    for name in STYLES:
        feature, items = _village_items(name=name)
        (edge,) = paths(items, LayerName.TOWN_EDGE)
        assert shape(edge).length > 0.95 * feature.outline.length


def test_the_gardens_of_a_village_reach_its_edge_and_no_trees_stand_in_a_row_inside_it() -> None:
    feature = area_of(Kind.SETTLEMENT, affinity.scale(_bua().outline, 2.0, 2.0))
    plan = settlement.laid_out(feature, context(), board(feature))
    edge = feature.outline.exterior
    assert sum(edge.distance(garden.ground) < 2.6 for garden in plan.gardens) >= 3
    grounds = np.array([garden.ground for garden in plan.gardens])
    assert shapely.contains(feature.outline, grounds).all()
    assert shapely.area(shapely.union_all(grounds)) == pytest.approx(shapely.area(grounds).sum(), rel=1e-6)
    near = sorted(edge.project(Point(tree)) for tree in plan.trees if edge.distance(Point(tree)) < 12)
    gaps = np.diff([*near, near[0] + edge.length])
    assert gaps.max() > 60


def test_a_street_without_a_road_goes_on_as_a_lane_that_keeps_off_everything() -> None:
    feature, items = _village_items()
    lanes = shapely.union_all([shape(item) for item in paths(items, LayerName.GRASS) if item.fill])
    reach = [shapely.hausdorff_distance(lane, feature.outline.intersection(lane.buffer(3))) for lane in lanes.geoms]
    assert len(reach) == 2
    assert all(20 < mm < 44 for mm in reach)
    end = lanes.geoms[0].centroid
    wall = course("W1", Kind.WALL, [(end.x - 90, end.y - 3), (end.x + 90, end.y + 3)], 2.0)
    _, items = _village_items(wall)
    left = shapely.union_all([shape(item) for item in paths(items, LayerName.GRASS) if item.fill])
    assert left.is_empty or left.distance(wall.line) > 5


def test_a_settlement_in_a_cell_stays_a_few_houses() -> None:
    village, field, _ = _village()
    plan = settlement.laid_out(village, context(seed=1), replace(field, grid=SquareGrid(columns=2, rows=2, cell=400.0)))
    assert (plan.church, plan.mill, plan.tavern) == (None, None, None)


def test_a_mill_stands_with_its_wheel_to_the_stream_that_runs_by_and_without_stream_or_road_is_no_mill_or_tavern() -> (
    None
):
    milled = [plan for seed in range(6) if (plan := _village(_STREAM, seed=seed)[2]).mill is not None]
    assert milled
    for plan in milled:
        assert plan.mill is not None
        assert plan.ground.contains(plan.mill.ground)
        assert plan.mill.wheel.distance(_STREAM.line) < plan.mill.house.footprint.distance(_STREAM.line)
        assert plan.mill.ground.disjoint(
            shapely.union_all([plan.paved_ground, *(house.footprint for house in plan.houses)])
        )
    alone = [_village(seed=seed)[2] for seed in range(3)]
    assert [(plan.mill, plan.tavern) for plan in alone] == [(None, None)] * 3


def test_a_tavern_stands_where_three_ways_meet_its_gallery_clear_of_street_and_houses() -> None:
    for seed in range(4):
        village, field, plan = _village(*_CROSSROADS, seed=seed)
        if plan.tavern is None:
            continue
        others = [house.footprint for number, house in enumerate(plan.houses) if number != plan.tavern.number]
        assert plan.tavern.gallery.disjoint(shapely.union_all([plan.paved_ground, *others]))
        assert plan.tavern.gallery.distance(plan.houses[plan.tavern.number].footprint) < 1e-6
        assert list(settlement.settlement(village, context(seed=seed), field))
        return
    pytest.fail("no village at a crossroads has a tavern")


# --- Single buildings, forts and camps: walls and fences, gates on the ways, tents, the marks of sides ----------------


def _house_check(ground: Polygon, built: Sequence[House], count: int) -> None:
    roofs = np.array([house.footprint for house in built])
    assert len(roofs) == count
    assert ground.contains(shapely.union_all(roofs))
    apart = shapely.distance(roofs[:, None], roofs[None, :]) + 99 * np.eye(len(roofs))
    assert apart.min() > 0.0


@pytest.mark.parametrize("seed", range(5))
def test_a_farm_has_three_houses_a_fence_and_a_gate_to_the_way(seed: int) -> None:
    feature = area_of(Kind.FARM, ground_of(Kind.FARM, seed))
    lane = course("r1", Kind.TRACK, [(100, 68), (300, 72)], 5.0)
    field, hand = board(feature, lane), context(seed=seed)
    _house_check(feature.outline, single_buildings.make_farmhouses(feature, hand), 3)
    items = list(single_buildings.farm(feature, hand, field))
    rail = shape(paths(items, LayerName.GARDEN)[0])
    nearest = shapely.shortest_line(feature.outline.exterior, lane.line)
    assert rail.distance(Point(nearest.coords[0])) > 1.5
    assert rail.length > 0.85 * feature.outline.length


_LARGE_FARM = affinity.rotate(box(110, 70, 290, 210), 24)


def _grounds(lane_at: float) -> tuple[PlanSite, FarmGrounds, list[House]]:
    feature, hand = area_of(Kind.FARM, _LARGE_FARM), context()
    way = Point(lane_at, 140)
    site, built = single_buildings.place_farm(feature, hand, way), single_buildings.make_farmhouses(feature, hand, way)
    return site, plan_grounds(_LARGE_FARM, find_occupied_ground(built, Point(), Point(), site.size), site), built


@pytest.mark.parametrize("lane_at", [60.0, 340.0])
def test_the_houses_of_a_large_farm_stand_at_the_end_by_the_way_and_leave_room_for_orchard_gardens_and_woodlot(
    lane_at: float,
) -> None:
    site, grounds, built = _grounds(lane_at)
    assert site.size <= 1.45
    assert (site.x - 200) * (lane_at - 200) > 0
    parts = [grounds.orchard, *(garden.ground for garden in grounds.gardens)]
    assert len(parts) == 3
    whole = sum(part.area for part in parts)
    assert 0.6 < parts[0].area / whole < 0.72
    assert whole > 0.3 * _LARGE_FARM.area
    roofs = shapely.union_all([house.footprint for house in built])
    for number, part in enumerate(parts):
        assert _LARGE_FARM.contains(part)
        assert part.distance(roofs) > 2.0
        assert all(part.disjoint(other) for other in parts[:number])
    assert parts[0].distance(roofs) >= parts[1].distance(roofs) - 1e-6 or parts[0].centroid.distance(roofs) > 40
    assert not grounds.woodlot.is_empty
    assert _LARGE_FARM.contains(grounds.woodlot)
    assert grounds.woodlot.distance(shapely.union_all([roofs, *parts])) > 1.0


@pytest.mark.parametrize("name", STYLES)
def test_all_that_a_farm_has_lies_within_its_outline(name: str) -> None:
    feature = area_of(Kind.FARM, _LARGE_FARM)
    lane = course("r1", Kind.TRACK, [(40, 20), (60, 290)], 5.0)
    items = list(single_buildings.farm(feature, context(name), board(feature, lane)))
    trees = [place for _, item in items if isinstance(item, Stamp) for place in item.places]
    assert len(trees) > 15
    assert all(_LARGE_FARM.buffer(-2).contains(Point(place.e, place.f)) for place in trees)
    for item in (path for path in paths(items, LayerName.GARDEN) if not path.fill or path.fill.alpha == 1):
        assert _LARGE_FARM.buffer(0.6).covers(shapely.multipoints(corners(item)))


def _ruts(*others: Feature) -> BaseGeometry:
    feature = area_of(Kind.FARM, _LARGE_FARM)
    items = single_buildings.farm(feature, context(), board(feature, *others))
    found = [shape(item) for item in paths(items, LayerName.COURSE_DETAIL)]
    return shapely.difference(shapely.union_all(found), _LARGE_FARM.buffer(1.0))


def test_the_cart_track_of_a_farm_leads_to_the_way_unless_something_that_counts_lies_between() -> None:
    lane = course("r1", Kind.TRACK, [(40, 20), (60, 290)], 5.0)
    ruts = _ruts(lane)
    assert ruts.length > 20.0
    assert 2.5 < ruts.distance(lane.line) < 6.0
    wall = course("w1", Kind.WALL, [(75, 20), (85, 290)], 3.0)
    assert _ruts(lane, wall).length > 20.0, "through a wall it leads by a gate"
    ditch = course("d1", Kind.DITCH, [(75, 20), (85, 290)], 3.0)
    assert _ruts(lane, ditch).is_empty
    assert _ruts().is_empty


def test_a_small_farm_has_neither_orchard_nor_gardens_and_no_name_is_covered() -> None:
    feature = area_of(Kind.FARM, box(180, 130, 225, 163))
    items = list(single_buildings.farm(feature, context(), board(feature)))
    assert len([place for _, item in items if isinstance(item, Stamp) for place in item.places]) <= 2
    label = Point(200, 140).buffer(30)
    site, _, built = _grounds(60.0)
    grounds = plan_grounds(_LARGE_FARM, find_occupied_ground(built, Point(), label, site.size), site)
    assert grounds.orchard.disjoint(label)


@pytest.mark.parametrize("seed", range(6))
def test_a_great_building_stands_in_a_walled_yard_with_its_gate_to_the_way(seed: int) -> None:
    feature = area_of(Kind.EDIFICE, ground_of(Kind.EDIFICE, seed))
    road = course("r1", Kind.ROAD, [(100, 160), (300, 170)], 10.0)
    plan = single_buildings.plan_edifice(feature, context(seed=seed), board(feature, road))
    _house_check(plan.yard, plan.roofs, 5)
    assert max(house.width * house.depth for house in plan.roofs) > 2 * plan.roofs[1].width * plan.roofs[1].depth
    assert plan.court.disjoint(shapely.union_all([roof.footprint for roof in plan.roofs]))
    assert plan.gate.distance(plan.yard.exterior) < 1e-6
    assert plan.gate.y > plan.court.centroid.y


@pytest.mark.parametrize(("across", "bastions"), [(30, 4), (70, 5), (90, 5), (160, 6)])
@pytest.mark.parametrize("seed", range(3))
def test_forts_have_bastions_by_their_size(across: float, bastions: int, seed: int) -> None:
    outline = affinity.translate(draw_plot_outline(across, 0.9 * across, Stream(f"fort/{seed}")), 200, 150)
    feature, hand = area_of(Kind.FORT, outline), context(seed=seed)
    plan = fort.plan_fort(feature, hand)
    assert len(plan.salients) == bastions
    assert plan.body.is_valid
    assert len(plan.body.exterior.coords) - 1 == 5 * bastions
    assert plan.ditch.contains(plan.body)
    assert outline.contains(plan.ditch)
    # Every bastion juts out of the curtains: the works fill far less than the figure of their salients.
    assert plan.body.area < 0.85 * plan.body.convex_hull.area
    way_in = fort.make_causeway(plan, feature, hand, board(feature))
    built = fort.place_barracks(plan, way_in)
    _house_check(plan.inner, built, 3)
    assert way_in.disjoint(shapely.union_all([house.footprint for house in built]))


def test_the_causeway_leads_to_the_road() -> None:
    feature = area_of(Kind.FORT, ground_of(Kind.FORT, 1))
    road = course("r1", Kind.ROAD, [(100, 50), (300, 50)], 10.0)
    plan = fort.plan_fort(feature, context())
    way_in = fort.make_causeway(plan, feature, context(), board(feature, road))
    assert way_in.centroid.y < plan.body.centroid.y
    assert way_in.distance(plan.ground.exterior) < 0.05
    assert way_in.distance(plan.inner) < 0.05


@pytest.mark.parametrize(
    ("at", "towards"),
    [((200, 30), (0, 1)), ((200, 270), (0, -1)), ((45, 150), (1, 0)), ((355, 150), (-1, 0)), ((45, 25), (0, 1))],
)
def test_the_gate_of_a_camp_faces_the_enemy(at: tuple[float, float], towards: tuple[float, float]) -> None:
    ground = affinity.rotate(box(at[0] - 42, at[1] - 21, at[0] + 42, at[1] + 21), 4)
    feature = area_of(Kind.CAMP, ground)
    field = board(feature)
    site, gate, wall = camp.plan_camp(feature, context(), field)
    assert camp.find_enemy_direction(feature, field) == towards
    assert np.dot((gate.x - site.x, gate.y - site.y), towards) > 15
    items = list(camp.camp(feature, context("ink-saver"), field))
    palisade = next(item for item in paths(items, LayerName.CAMP) if item.stroke and item.stroke.width > 0.6)
    assert shape(palisade).distance(gate) > 3.5
    assert ground.contains(wall)


def test_tents_keep_clear_of_one_another_of_the_palisade_and_of_labels() -> None:
    feature = area_of(Kind.CAMP, ground_of(Kind.CAMP, 1))
    label = box(165, 95, 190, 104)
    hand = context("ink-saver", clear=label)
    items = list(camp.camp(feature, hand, board(feature)))
    white = [item for item in paths(items, LayerName.CAMP) if item.fill == hand.style.solid("tent")]
    discs = max(white, key=lambda item: len(item.runs))
    grounds = [Polygon(np.array(run.points).reshape(-1, 2) / 100) for run in discs.runs]
    assert len(grounds) >= 8
    sizes = sorted(math.sqrt(ground.area) for ground in grounds)
    assert sizes[-1] > 1.3 * sizes[-2]
    assert sizes[0] == pytest.approx(sizes[-2], rel=0.02)
    _, _, wall = camp.plan_camp(feature, hand, board(feature))
    assert all(wall.contains(ground) for ground in grounds)
    assert sum(ground.area for ground in grounds) == pytest.approx(shapely.union_all(grounds).area, rel=1e-3)
    chief = max(grounds, key=lambda ground: ground.area)
    assert not any(ground.intersects(label) for ground in grounds if ground is not chief)


@pytest.mark.parametrize("name", ["campaign", "ink-saver"])
@pytest.mark.parametrize("kind", [Kind.CAMP, Kind.BAGGAGE])
def test_sides_differ_in_colour_and_in_mark(kind: Kind, name: str) -> None:
    hand, flags = context(name), {}
    for side, token in (("A", "side-blue"), ("B", "side-red")):
        feature = area_of(kind, ground_of(kind, 0), side)
        flags[side] = paths(SIGNS[kind](feature, hand, board(feature)), LayerName.CAMP)[-1]
        stroke = flags[side].stroke
        assert stroke is not None
        assert stroke.ink == hand.style.solid(token)
    assert flags["B"].fill == hand.style.solid("side-red")
    assert flags["A"].fill == hand.style.solid("tent")
    assert len(flags["A"].runs[0].points) > len(flags["B"].runs[0].points)


def test_without_a_placer_the_half_of_the_board_tells_the_side() -> None:
    near, far = area_of(Kind.CAMP, box(100, 5, 180, 45)), area_of(Kind.CAMP, box(100, 255, 180, 295))
    assert camp.find_side_ink(near, board(near)) == "side-red"
    assert camp.find_side_ink(far, board(far)) == "side-blue"


def test_baggage_has_two_carts() -> None:
    feature, field = field_of(Kind.BAGGAGE, 1, roads=())
    bodies = filled(camp.baggage(feature, context(), field), context().style.solid("timber-deck"))
    assert len(shapely.get_parts(bodies)) == 2


def test_fences_follow_the_edge_whole() -> None:
    """A ring that is opened away from its first point gives one line, not two."""
    rest, gap = open_ring(LineString(box(0, 0, 40, 30).exterior), Point(40, 15), 6.0)
    assert merge_lines(rest).geom_type == "LineString"
    assert gap.equals(Point(40, 15))
    assert rest.length == pytest.approx(134, abs=0.1)
