"""A settlement: its streets meet the map's roads, its houses stand clear of everything."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon
from signs_scene import STYLES, area, board, context, course, filled, paths, shape

from printkit.drawing.canvas.items import LayerName
from printkit.drawing.signs.built.buildings import House, houses
from printkit.drawing.signs.built.settlement import laid_out, settlement
from printkit.drawing.signs.built.streets import gates
from printkit.drawing.signs.ways.roads import road
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Kind


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
