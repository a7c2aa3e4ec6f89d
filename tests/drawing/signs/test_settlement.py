"""A settlement: its streets meet the map's roads, its houses stand clear of everything."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shapely import Point, Polygon
from signs_scene import STYLES, area, board, context, course, filled, paths, shape

from printkit.drawing.canvas.items import LayerName
from printkit.drawing.signs.built.buildings import House, houses
from printkit.drawing.signs.built.settlement import TownPlan, laid_out, settlement
from printkit.drawing.signs.built.streets import gates
from printkit.drawing.signs.built.village import MeetingHouse, headstones
from printkit.drawing.signs.ways.roads import road
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Kind
from printkit.terrain.field.grids import SquareGrid


def _town(corners: int = 7, wide: float = 50.8, high: float = 44.4, turn: float = 0.3) -> Area:
    angle = np.linspace(0, 2 * np.pi, corners, endpoint=False) + turn
    ring = np.column_stack([200 + wide * np.cos(angle), 150 + high * np.sin(angle)])
    return area("z5", Kind.BUA, Polygon(ring).buffer(5).buffer(-3))


def _road(identity: str, bearing: float, town: Area) -> Course:
    """Return a road from afar that ends 12.7 mm inside the town, as BR-G55 has it."""
    along = np.array([np.cos(bearing), np.sin(bearing)])
    middle = np.array([town.outline.centroid.x, town.outline.centroid.y])
    far = middle + along * 190
    ray = shapely.LineString([far, middle])
    edge = shapely.get_coordinates(ray.intersection(town.outline.exterior))[0]
    return course(identity, Kind.ROAD, [tuple(far), tuple((far + edge) / 2), tuple(edge - along * 12.7)], 19.05)


def _field(bearings: tuple[float, ...], town: Area) -> Battlefield:
    return board(town, *(_road(f"D{number}", bearing, town) for number, bearing in enumerate(bearings, 1)))


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
    feature = _town(corners, wide, high)
    plan = laid_out(feature, context(seed=seed), _field(tuple(roads), feature))
    assert len(plan.houses) >= 12
    grounds = np.array([house.footprint for house in plan.houses])
    assert feature.outline.contains(shapely.union_all(grounds))
    assert shapely.distance(grounds, plan.paved).min() > 0.05
    assert shapely.distance(grounds, plan.churchyard).min() > 0.9 if plan.church else plan.churchyard.is_empty
    apart = shapely.distance(grounds[:, None], grounds[None, :]) + 99 * np.eye(len(grounds))
    assert apart.min() > 0.4
    for garden in plan.gardens:
        assert shapely.distance(grounds, garden.ground).min() > 0.1
        assert feature.outline.contains(garden.ground)


@pytest.mark.clause("BR-G11", "BR-G55")
@pytest.mark.parametrize("name", STYLES)
def test_a_road_goes_on_as_a_street_to_the_middle(name: str) -> None:
    feature, hand = _town(), context(name)
    field = _field((0.2, 3.0), feature)
    assert len(gates(feature.outline, field, hand)) == 2
    items = list(settlement(feature, hand, field))
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
    feature, hand = _town(), context()
    items = list(settlement(feature, hand, board(feature)))
    edge = shape(paths(items, LayerName.TOWN_EDGE)[0])
    assert edge.length == pytest.approx(feature.outline.length, rel=0.01)
    plan = laid_out(feature, hand, board(feature))
    assert feature.outline.contains(plan.paved)
    assert plan.paved.distance(feature.outline.exterior) < 3


def test_a_plan_is_the_same_in_every_style() -> None:
    feature = _town()
    field = _field((1.0,), feature)
    assert laid_out(feature, context("campaign"), field) == laid_out(feature, context("ink-saver"), field)
    assert laid_out(feature, context(seed=1), field) != laid_out(feature, context(seed=2), field)


def test_large_grounds_have_church_and_market() -> None:
    large = laid_out(_town(wide=75, high=60), context(), board(_town(wide=75, high=60)))
    assert large.church is not None
    assert large.well is not None
    assert large.churchyard.buffer(0.1).contains(large.church.footprint)
    assert large.paved.disjoint(large.churchyard)
    assert len(large.houses) >= 40


def test_labels_stay_free() -> None:
    feature, label = _town(), shapely.box(170, 160, 215, 172)
    plan = laid_out(feature, context(clear=label), board(feature))
    grounds = [house.footprint for house in plan.houses] + [garden.ground for garden in plan.gardens]
    assert shapely.distance(grounds, label).min() >= 0
    assert shapely.union_all(grounds).intersection(label).area < 1e-6
    assert plan.church is None or not plan.churchyard.intersects(label)


@pytest.mark.parametrize("scale", [0.2, 0.292, 0.5])
def test_a_small_sheet_has_twelve_houses_too(scale: float) -> None:
    small = area("z5", Kind.BUA, shapely.transform(_town().outline, lambda points: points * scale))
    plan = laid_out(small, context(scale=scale), board(small))
    assert len(plan.houses) >= 12


@pytest.mark.parametrize("name", STYLES)
def test_every_style_has_roofs_streets_walls_and_trees(name: str) -> None:
    feature, hand = _town(), context(name)
    items = list(settlement(feature, hand, _field((0.2,), feature)))
    roofs = paths(items, LayerName.HOUSE)
    assert any(item.stroke and item.stroke.width == hand.width(0.38) for item in roofs)
    strokes = {item.stroke.width for item in roofs if item.stroke}
    assert {hand.width(0.34), hand.width(0.75)} <= strokes
    assert hand.style.shadows == any(item.fill == hand.style.solid("shadow").thin(0.34) for item in roofs)
    assert bool(paths(items, LayerName.TOWN_WASH)) == hand.style.washes
    assert {name for name, _ in items} >= {LayerName.CASING, LayerName.COURSE, LayerName.TOWN_EDGE, LayerName.GARDEN}
    assert len(items) < 140


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("degrees", [0, 40, 90, 170, 275])
def test_roofs_are_pale_towards_the_north_west(name: str, degrees: float) -> None:
    house = House(x=50, y=50, width=12, depth=8, angle=np.radians(degrees), shade=1)
    hand = context(name)
    items = list(houses([house], hand))
    (first, first_facing), (_, second_facing) = house.planes[:2]
    assert first_facing * second_facing < 0
    if hand.style.hatched:
        hatching = shape(next(item for _, item in items if item.stroke and item.stroke.width == hand.width(0.20)))
        dark = next(plane for plane, facing in house.planes if facing < 0)
        assert Polygon(dark).buffer(0.05).contains(hatching)
        return
    base = hand.style.family("roof")[1]
    pale = filled(items, base.towards(hand.style.solid("roof-lit"), 0.30))
    roof = next(Polygon(plane) for plane, facing in house.planes if facing > 0)
    assert pale.symmetric_difference(roof).area < 0.5
    assert Polygon(first).area == pytest.approx(48)


# --- Villages: a meeting house, a mill by the stream, a tavern where roads meet ---------------------------------------


def _village(*others: Course, seed: int = 1) -> tuple[Area, Battlefield, TownPlan]:
    angle = np.linspace(0, 2 * np.pi, 7, endpoint=False) + 0.3
    ring = np.column_stack([400 + 130 * np.cos(angle), 300 + 110 * np.sin(angle)])
    village = area("z1-4", Kind.SETTLEMENT, Polygon(ring))
    field = board(village, *others)
    return village, field, laid_out(village, context(seed=seed), field)


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
    assert plan.paved.disjoint(plan.churchyard)
    stones = headstones(plan.church, plan.churchyard, plan.trees)
    assert stones
    assert all(stone.distance(plan.church.footprint) > 1.0 for stone in stones)
    assert 4 <= len(plan.houses) + 1 <= 12


def test_a_settlement_in_a_cell_stays_a_few_houses() -> None:
    village, field, _ = _village()
    plan = laid_out(village, context(seed=1), replace(field, grid=SquareGrid(columns=2, rows=2, cell=400.0)))
    assert plan.church is None
    assert plan.mill is None
    assert plan.tavern is None


def test_a_mill_stands_on_the_village_ground_with_its_wheel_to_the_stream_that_runs_by() -> None:
    milled = [plan for seed in range(6) if (plan := _village(_STREAM, seed=seed)[2]).mill is not None]
    assert milled
    for plan in milled:
        assert plan.mill is not None
        assert plan.ground.contains(plan.mill.ground)
        assert plan.mill.wheel.distance(_STREAM.line) < plan.mill.house.footprint.distance(_STREAM.line)
        assert plan.mill.ground.disjoint(shapely.union_all([plan.paved, *(house.footprint for house in plan.houses)]))
    assert all(_village(seed=seed)[2].mill is None for seed in range(3))


def test_a_tavern_stands_where_three_ways_meet_its_gallery_clear_of_street_and_houses() -> None:
    for seed in range(4):
        village, field, plan = _village(*_CROSSROADS, seed=seed)
        if plan.tavern is None:
            continue
        others = [house.footprint for number, house in enumerate(plan.houses) if number != plan.tavern.number]
        assert plan.tavern.gallery.disjoint(shapely.union_all([plan.paved, *others]))
        assert plan.tavern.gallery.distance(plan.houses[plan.tavern.number].footprint) < 1e-6
        assert list(settlement(village, context(seed=seed), field))
        return
    pytest.fail("no village at a crossroads has a tavern")


def test_without_a_road_no_village_has_a_tavern() -> None:
    assert all(_village(seed=seed)[2].tavern is None for seed in range(3))
