"""Single buildings, forts and camps: walls and fences, gates on the ways, tents, the marks of sides."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
import shapely
from places_scene import area_of, field_of, ground_of
from shapely import LineString, Point, Polygon, affinity, box
from shapely.geometry.base import BaseGeometry
from signs_scene import STYLES, board, context, corners, course, filled, paths, shape

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import LayerName, Stamp
from printkit.drawing.signs.built import camp, farm, fort, single_buildings
from printkit.drawing.signs.built.buildings import House, PlanSite
from printkit.drawing.signs.built.farm_grounds import FarmGrounds, laid_grounds, taken_by
from printkit.drawing.signs.catalogue import SIGNS
from printkit.terrain.field.features import Feature, Kind
from printkit.terrain.geometry.outlines import settled


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
    _house_check(feature.outline, farm.farmhouses(feature, hand), 3)
    items = list(farm.farm(feature, hand, field))
    rail = shape(paths(items, LayerName.GARDEN)[0])
    nearest = shapely.shortest_line(feature.outline.exterior, lane.line)
    assert rail.distance(Point(nearest.coords[0])) > 1.5
    assert rail.length > 0.85 * feature.outline.length


_LARGE_FARM = affinity.rotate(box(110, 70, 290, 210), 24)


def _grounds(lane_at: float) -> tuple[PlanSite, FarmGrounds, list[House]]:
    feature, hand = area_of(Kind.FARM, _LARGE_FARM), context()
    way = Point(lane_at, 140)
    site, built = farm.farmstead(feature, hand, way), farm.farmhouses(feature, hand, way)
    return site, laid_grounds(_LARGE_FARM, taken_by(built, Point(), Point(), site.size), site), built


@pytest.mark.parametrize("lane_at", [60.0, 340.0])
def test_the_houses_of_a_large_farm_stand_at_the_end_by_the_way_and_leave_room_for_an_orchard(lane_at: float) -> None:
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


@pytest.mark.parametrize("name", STYLES)
def test_all_that_a_farm_has_lies_within_its_outline(name: str) -> None:
    feature = area_of(Kind.FARM, _LARGE_FARM)
    lane = course("r1", Kind.TRACK, [(40, 20), (60, 290)], 5.0)
    items = list(farm.farm(feature, context(name), board(feature, lane)))
    trees = [place for _, item in items if isinstance(item, Stamp) for place in item.places]
    assert len(trees) > 15
    assert all(_LARGE_FARM.buffer(-2).contains(Point(place.e, place.f)) for place in trees)
    for item in (path for path in paths(items, LayerName.GARDEN) if not path.fill or path.fill.alpha == 1):
        assert _LARGE_FARM.buffer(0.6).covers(shapely.multipoints(corners(item)))


def test_a_large_farm_has_a_woodlot_clear_of_houses_beds_and_orchard() -> None:
    _, grounds, built = _grounds(60.0)
    borne = [grounds.orchard, *(garden.ground for garden in grounds.gardens), *(house.footprint for house in built)]
    assert not grounds.woodlot.is_empty
    assert _LARGE_FARM.contains(grounds.woodlot)
    assert grounds.woodlot.distance(shapely.union_all(borne)) > 1.0


def _ruts(*others: Feature) -> BaseGeometry:
    feature = area_of(Kind.FARM, _LARGE_FARM)
    items = farm.farm(feature, context(), board(feature, *others))
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
    items = list(farm.farm(feature, context(), board(feature)))
    assert len([place for _, item in items if isinstance(item, Stamp) for place in item.places]) <= 2
    label = Point(200, 140).buffer(30)
    site, _, built = _grounds(60.0)
    grounds = laid_grounds(_LARGE_FARM, taken_by(built, Point(), label, site.size), site)
    assert grounds.orchard.disjoint(label)


@pytest.mark.parametrize("seed", range(6))
def test_a_great_building_stands_in_a_walled_yard_with_its_gate_to_the_way(seed: int) -> None:
    feature = area_of(Kind.EDIFICE, ground_of(Kind.EDIFICE, seed))
    road = course("r1", Kind.ROAD, [(100, 160), (300, 170)], 10.0)
    plan = single_buildings.laid_out(feature, context(seed=seed), board(feature, road))
    _house_check(plan.yard, plan.roofs, 5)
    assert max(house.width * house.depth for house in plan.roofs) > 2 * plan.roofs[1].width * plan.roofs[1].depth
    assert plan.court.disjoint(shapely.union_all([roof.footprint for roof in plan.roofs]))
    assert plan.gate.distance(plan.yard.exterior) < 1e-6
    assert plan.gate.y > plan.court.centroid.y


@pytest.mark.parametrize(("across", "bastions"), [(30, 4), (70, 5), (90, 5), (160, 6)])
@pytest.mark.parametrize("seed", range(3))
def test_forts_have_bastions_by_their_size(across: float, bastions: int, seed: int) -> None:
    outline = affinity.translate(settled(across, 0.9 * across, Stream(f"fort/{seed}")), 200, 150)
    feature, hand = area_of(Kind.FORT, outline), context(seed=seed)
    plan = fort.laid_out(feature, hand)
    assert len(plan.salients) == bastions
    assert plan.body.is_valid
    assert len(plan.body.exterior.coords) - 1 == 5 * bastions
    assert plan.ditch.contains(plan.body)
    assert outline.contains(plan.ditch)
    # Every bastion juts out of the curtains: the works fill far less than the figure of their salients.
    assert plan.body.area < 0.85 * plan.body.convex_hull.area
    way_in = fort.causeway(plan, feature, hand, board(feature))
    built = fort.barracks(plan, way_in)
    _house_check(plan.inner, built, 3)
    assert way_in.disjoint(shapely.union_all([house.footprint for house in built]))


def test_the_causeway_leads_to_the_road() -> None:
    feature = area_of(Kind.FORT, ground_of(Kind.FORT, 1))
    road = course("r1", Kind.ROAD, [(100, 50), (300, 50)], 10.0)
    plan = fort.laid_out(feature, context())
    way_in = fort.causeway(plan, feature, context(), board(feature, road))
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
    site, gate, wall = camp.pitched(feature, context(), field)
    assert camp.inwards(feature, field) == towards
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
    _, _, wall = camp.pitched(feature, hand, board(feature))
    assert all(wall.contains(ground) for ground in grounds)
    assert sum(ground.area for ground in grounds) == pytest.approx(shapely.union_all(grounds).area, rel=1e-3)
    chief = max(grounds, key=lambda ground: ground.area)
    assert not any(ground.intersects(label) for ground in grounds if ground is not chief)


@pytest.mark.parametrize("kind", [Kind.CAMP, Kind.BAGGAGE])
def test_sides_differ_in_colour_and_in_mark(kind: Kind) -> None:
    outline = ground_of(kind, 0)
    for name in ("campaign", "ink-saver"):
        hand = context(name)
        flags = {}
        for side, token in (("A", "side-blue"), ("B", "side-red")):
            feature = area_of(kind, outline, side)
            items = list(SIGNS[kind](feature, hand, board(feature)))
            flag = paths(items, LayerName.CAMP)[-1]
            assert flag.stroke is not None
            assert flag.stroke.ink == hand.style.solid(token)
            flags[side] = flag
        assert flags["B"].fill == hand.style.solid("side-red")
        assert flags["A"].fill == hand.style.solid("tent")
        assert len(flags["A"].runs[0].points) > len(flags["B"].runs[0].points)


def test_without_a_placer_the_half_of_the_board_tells_the_side() -> None:
    near, far = area_of(Kind.CAMP, box(100, 5, 180, 45)), area_of(Kind.CAMP, box(100, 255, 180, 295))
    assert camp.side_of(near, board(near)) == "side-red"
    assert camp.side_of(far, board(far)) == "side-blue"


def test_baggage_has_two_carts() -> None:
    feature, field = field_of(Kind.BAGGAGE, 1, roads=())
    hand = context("campaign")
    bodies = filled(list(camp.baggage(feature, hand, field)), hand.style.solid("timber-deck"))
    assert len(shapely.get_parts(bodies)) == 2


def test_fences_follow_the_edge_whole() -> None:
    """A ring that is opened away from its first point gives one line, not two."""
    from printkit.drawing.signs.built.buildings import opened, whole_lines

    ring = LineString(box(0, 0, 40, 30).exterior)
    rest, gap = opened(ring, Point(40, 15), 6.0)
    assert whole_lines(rest).geom_type == "LineString"
    assert gap.equals(Point(40, 15))
    assert rest.length == pytest.approx(134, abs=0.1)
