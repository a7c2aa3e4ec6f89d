"""Places and buildings: houses in their number and on their ground, gates on the roads, camps, forts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon, affinity, box
from signs_scene import GOOD, STYLES, board, corners, course, filled, paths, pen, shape

from printkit.chance.streams import Stream
from printkit.drawing.composing import gathered
from printkit.drawing.items import Drawing, Item, LayerName, Path, Rect, Stamp
from printkit.drawing.legend_entries import ENTRIES
from printkit.drawing.pen import Pen
from printkit.drawing.samples import specimens
from printkit.drawing.signs import camp, edifice, farm, fort, settlement
from printkit.drawing.signs.buildings import House
from printkit.drawing.signs.catalogue import SIGNS
from printkit.drawing.signs.settlement import Town
from printkit.drawing.signs.settling import BUILT, SETTLINGS
from printkit.drawing.signs.ways import TOWNS
from printkit.terrain.battlefield import Battlefield
from printkit.terrain.features import Area, Feature, Kind, Origin
from printkit.terrain.outlines import settled

PLACES = (Kind.HAMLET, Kind.SETTLEMENT, Kind.VILLAGE, Kind.TOWN, Kind.CITY)
SINGLE = (Kind.BUILDING, Kind.FARM, Kind.EDIFICE, Kind.FORT, Kind.CAMP, Kind.BAGGAGE)
ACROSS = {
    Kind.BUILDING: (24, 18),
    Kind.FARM: (50, 40),
    Kind.HAMLET: (70, 60),
    Kind.SETTLEMENT: (90, 70),
    Kind.VILLAGE: (110, 90),
    Kind.TOWN: (130, 110),
    Kind.CITY: (160, 130),
    Kind.EDIFICE: (80, 60),
    Kind.FORT: (90, 80),
    Kind.CAMP: (84, 42),
    Kind.BAGGAGE: (40, 40),
}
"""Ground of an ordinary size at 1:1, in mm."""


def _ground(kind: Kind, seed: int, *, scale: float = 1.0) -> Polygon:
    width, depth = ACROSS[kind]
    if kind in (Kind.CAMP, Kind.BAGGAGE, Kind.BUILDING):
        outline = affinity.rotate(box(-width / 2, -depth / 2, width / 2, depth / 2), 5 * seed)
    else:
        outline = settled(width, depth, Stream(f"{kind}/{seed}"))
    return affinity.translate(affinity.scale(outline, scale, scale, origin=(0, 0)), 200 * scale, 100 * scale)


def _area(kind: Kind, outline: Polygon, placed_by: str = "") -> Area:
    return Area(id="f1", kind=kind, outline=outline, going=GOOD, origin=Origin(placed_by=placed_by))


def _field(
    kind: Kind, seed: int, *, roads: Sequence[float] = (0.3, 3.2), scale: float = 1.0
) -> tuple[Area, Battlefield]:
    """Return an area with roads that come from these bearings and end in its middle."""
    feature = _area(kind, _ground(kind, seed, scale=scale))
    middle = np.array(settlement.middle(feature.outline))
    ways: list[Feature] = [feature]
    for number, bearing in enumerate(roads):
        far = middle + 150 * scale * np.array([math.cos(bearing), math.sin(bearing)])
        ways.append(course(f"r{number}", Kind.ROAD, [tuple(far), tuple(middle)], 9.6 * scale))
    return feature, board(*ways, width=400 * scale, depth=300 * scale)


@cache
def _town(kind: Kind, seed: int) -> Town:
    feature, field = _field(kind, seed, roads=(0.3, 3.2) if seed % 2 else ())
    return settlement.laid_out(feature, pen(seed=seed), field)


def _roofs(town: Town) -> np.ndarray:
    return np.array([house.footprint for house in town.houses])


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
    least, most = SETTLINGS[kind].houses
    assert most is not None
    assert least <= len(_town(kind, seed).houses) <= most
    assert (_town(kind, seed).church is not None) == (kind in (Kind.VILLAGE, Kind.TOWN, Kind.CITY))
    assert (_town(kind, seed).well is not None) == (kind in (Kind.TOWN, Kind.CITY))


@pytest.mark.parametrize("kind", PLACES)
@pytest.mark.parametrize("seed", range(4))
def test_houses_stand_on_their_own_ground(kind: Kind, seed: int) -> None:
    town = _town(kind, seed)
    roofs = _roofs(town)
    assert town.ground.contains(shapely.union_all(roofs))
    assert shapely.distance(roofs, town.paved).min() > 0.05
    apart = shapely.distance(roofs[:, None], roofs[None, :]) + 99 * np.eye(len(roofs))
    assert apart.min() > 0.3 * town.unit
    if town.church is not None:
        assert shapely.distance(roofs, town.churchyard).min() > 0.1
        assert town.paved.disjoint(town.church.footprint)
    for garden in town.gardens:
        assert shapely.distance(roofs, garden.ground).min() > 0.1


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
    feature, field = _field(kind, seed, roads=roads)
    grown = _area(kind, affinity.scale(feature.outline, size, size))
    town = settlement.laid_out(grown, pen(seed=seed), board(grown, *field.features[1:]))
    roofs = _roofs(town)
    least, most = SETTLINGS[kind].houses
    assert most is not None
    assert min(least, 12) <= len(roofs) <= most
    assert grown.outline.contains(shapely.union_all(roofs))
    assert shapely.distance(roofs, town.paved).min() > 0.05
    apart = shapely.distance(roofs[:, None], roofs[None, :]) + 99 * np.eye(len(roofs))
    assert apart.min() > 0.3 * town.unit


@pytest.mark.parametrize("seed", range(3))
def test_a_town_in_a_cell_is_a_third_roof(seed: int) -> None:
    """The cartography, 20.1: a town must not be thin on houses in a hex of 74 mm."""
    turn = np.arange(6) * math.pi / 3 + math.pi / 6
    hexagon = Polygon(np.column_stack([200 + 42.7 * np.cos(turn), 150 + 42.7 * np.sin(turn)])).buffer(-4.0)
    feature = _area(Kind.TOWN, hexagon)
    road = course("r1", Kind.ROAD, [(100, 143), (180, 147), (200, 150), (300, 156)], 8.4)
    town = settlement.laid_out(feature, pen(seed=seed), board(feature, road))
    assert shapely.area(_roofs(town)).sum() / hexagon.area > 0.28
    assert all(street.width < 4.5 for street in town.streets)


@pytest.mark.parametrize("seed", range(3))
def test_gates_lie_on_the_roads(seed: int) -> None:
    feature, field = _field(Kind.CITY, seed, roads=(0.3, 2.4, 4.4))
    town = settlement.laid_out(feature, pen(seed=seed), field)
    wall = town.wall
    assert wall is not None
    assert len(wall.gates) == 3
    roads = shapely.union_all([way.line for way in field.of(Kind.ROAD)])  # type: ignore[union-attr]
    for gate in wall.gates:
        assert gate.at.distance(roads) < 6.0
        assert gate.width > 9.6
        assert town.paved.covers(gate.at)
        flanks = [tower for tower in wall.towers if tower.distance(gate.at) < gate.width / 2 + 2 * wall.radius]
        assert len(flanks) >= 2
    assert town.paved.distance(wall.curtain) > 0.2
    assert feature.outline.buffer(1e-6).contains(wall.ground)
    assert shapely.distance(_roofs(town), wall.ground).min() > 1.0
    assert max(town.paved.intersection(tower.buffer(wall.radius)).area for tower in wall.towers) < 0.5
    for tower, other in zip(wall.towers, wall.towers[1:], strict=False):
        assert tower.distance(other) > 2 * wall.radius


def test_a_city_without_roads_has_the_gates_of_its_main_street() -> None:
    town = _town(Kind.CITY, 2)
    assert town.wall is not None
    assert len(town.wall.gates) == 2


def test_roads_end_where_streets_begin() -> None:
    assert set(TOWNS) == set(SETTLINGS)


def test_a_river_or_railway_through_a_place_keeps_houses_off() -> None:
    feature, _ = _field(Kind.VILLAGE, 1)
    river = course("w1", Kind.RIVER, [(100, 90), (200, 125), (300, 110)], 12.0)
    town = settlement.laid_out(feature, pen(), board(feature, river))
    assert shapely.distance(_roofs(town), river.line).min() > 6.5


@pytest.mark.parametrize("kind", PLACES)
@pytest.mark.parametrize("scale", [0.2, 0.292])
def test_small_sheets_have_houses_too(kind: Kind, scale: float) -> None:
    feature, field = _field(kind, 3, scale=scale)
    town = settlement.laid_out(feature, pen(scale=scale), field)
    assert len(town.houses) >= min(12, SETTLINGS[kind].houses[0])


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("kind", [*PLACES, *SINGLE])
def test_every_style_draws_every_kind_on_its_own_ground(kind: Kind, name: str) -> None:
    feature, field = _field(kind, 4, roads=())
    items = list(SIGNS[kind](feature, pen(name), field))
    assert len(items) >= 3
    assert shapely.contains_xy(feature.outline.buffer(0.4), _corners(items)).all()


@pytest.mark.parametrize("kind", BUILT)
def test_every_kind_has_an_entry_in_the_legend(kind: Kind) -> None:
    assert kind.value in {entry.key for entry in ENTRIES}


def _house_check(ground: Polygon, built: Sequence[House], count: int) -> None:
    roofs = np.array([house.footprint for house in built])
    assert len(roofs) == count
    assert ground.contains(shapely.union_all(roofs))
    apart = shapely.distance(roofs[:, None], roofs[None, :]) + 99 * np.eye(len(roofs))
    assert apart.min() > 0.0


@pytest.mark.parametrize("seed", range(5))
def test_a_farm_has_three_houses_a_fence_and_a_gate_to_the_way(seed: int) -> None:
    feature = _area(Kind.FARM, _ground(Kind.FARM, seed))
    lane = course("r1", Kind.TRACK, [(100, 68), (300, 72)], 5.0)
    field, hand = board(feature, lane), pen(seed=seed)
    _house_check(feature.outline, farm.farmhouses(feature, hand), 3)
    items = list(farm.farm(feature, hand, field))
    rail = shape(paths(items, LayerName.GARDEN)[0])
    nearest = shapely.shortest_line(feature.outline.exterior, lane.line)
    assert rail.distance(Point(nearest.coords[0])) > 1.5
    assert rail.length > 0.85 * feature.outline.length


@pytest.mark.parametrize("seed", range(6))
def test_a_great_building_stands_in_a_walled_yard_with_its_gate_to_the_way(seed: int) -> None:
    feature = _area(Kind.EDIFICE, _ground(Kind.EDIFICE, seed))
    road = course("r1", Kind.ROAD, [(100, 160), (300, 170)], 10.0)
    plan = edifice.laid_out(feature, pen(seed=seed), board(feature, road))
    _house_check(plan.yard, plan.roofs, 5)
    assert max(house.width * house.depth for house in plan.roofs) > 2 * plan.roofs[1].width * plan.roofs[1].depth
    assert plan.court.disjoint(shapely.union_all([roof.footprint for roof in plan.roofs]))
    assert plan.gate.distance(plan.yard.exterior) < 1e-6
    assert plan.gate.y > plan.court.centroid.y


@pytest.mark.parametrize(("across", "bastions"), [(30, 4), (70, 5), (90, 5), (160, 6)])
@pytest.mark.parametrize("seed", range(3))
def test_forts_have_bastions_by_their_size(across: float, bastions: int, seed: int) -> None:
    outline = affinity.translate(settled(across, 0.9 * across, Stream(f"fort/{seed}")), 200, 150)
    feature, hand = _area(Kind.FORT, outline), pen(seed=seed)
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
    feature = _area(Kind.FORT, _ground(Kind.FORT, 1))
    road = course("r1", Kind.ROAD, [(100, 50), (300, 50)], 10.0)
    plan = fort.laid_out(feature, pen())
    way_in = fort.causeway(plan, feature, pen(), board(feature, road))
    assert way_in.centroid.y < plan.body.centroid.y
    assert way_in.distance(plan.ground.exterior) < 0.05
    assert way_in.distance(plan.inner) < 0.05


@pytest.mark.parametrize(
    ("at", "towards"),
    [((200, 30), (0, 1)), ((200, 270), (0, -1)), ((45, 150), (1, 0)), ((355, 150), (-1, 0)), ((45, 25), (0, 1))],
)
def test_the_gate_of_a_camp_faces_the_enemy(at: tuple[float, float], towards: tuple[float, float]) -> None:
    ground = affinity.rotate(box(at[0] - 42, at[1] - 21, at[0] + 42, at[1] + 21), 4)
    feature = _area(Kind.CAMP, ground)
    field = board(feature)
    site, gate, wall = camp.pitched(feature, pen(), field)
    assert camp.inwards(feature, field) == towards
    assert np.dot((gate.x - site.x, gate.y - site.y), towards) > 15
    items = list(camp.camp(feature, pen("ink-saver"), field))
    palisade = next(item for item in paths(items, LayerName.CAMP) if item.stroke and item.stroke.width > 0.6)
    assert shape(palisade).distance(gate) > 3.5
    assert ground.contains(wall)


def test_tents_keep_clear_of_one_another_of_the_palisade_and_of_labels() -> None:
    feature = _area(Kind.CAMP, _ground(Kind.CAMP, 1))
    label = box(165, 95, 190, 104)
    hand = pen("ink-saver", clear=label)
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
    outline = _ground(kind, 0)
    for name in ("campaign", "ink-saver"):
        hand = pen(name)
        flags = {}
        for side, token in (("A", "side-blue"), ("B", "side-red")):
            feature = _area(kind, outline, side)
            items = list(SIGNS[kind](feature, hand, board(feature)))
            flag = paths(items, LayerName.CAMP)[-1]
            assert flag.stroke is not None
            assert flag.stroke.ink == hand.style.solid(token)
            flags[side] = flag
        assert flags["B"].fill == hand.style.solid("side-red")
        assert flags["A"].fill == hand.style.solid("tent")
        assert len(flags["A"].runs[0].points) > len(flags["B"].runs[0].points)


def test_without_a_placer_the_half_of_the_board_tells_the_side() -> None:
    near, far = _area(Kind.CAMP, box(100, 5, 180, 45)), _area(Kind.CAMP, box(100, 255, 180, 295))
    assert camp.side_of(near, board(near)) == "side-red"
    assert camp.side_of(far, board(far)) == "side-blue"


def test_baggage_has_two_carts() -> None:
    feature, field = _field(Kind.BAGGAGE, 1, roads=())
    hand = pen("campaign")
    bodies = filled(list(camp.baggage(feature, hand, field)), hand.style.solid("timber-deck"))
    assert len(shapely.get_parts(bodies)) == 2


@pytest.mark.parametrize("kind", [*PLACES, *SINGLE])
def test_a_small_sample_stays_as_it_was(kind: Kind, golden: Callable[[Drawing, str], None]) -> None:
    hand: Pen = pen("ink-saver").smaller(0.5)
    width, height = 20.0, 14.0
    outline = affinity.scale(settled(18, 12, Stream("golden")), 1, 1) if kind in PLACES else box(-8.5, -6, 8.5, 6)
    feature = _area(kind, affinity.translate(outline, 10, 7), "B")
    items = list(SIGNS[kind](feature, hand, board(feature, width=width, depth=height)))
    golden(Drawing(width, height, gathered(iter(items), clip=Rect(0, 0, width, height))), f"sign-{kind}")


def test_the_specimen_sheet_shows_every_one() -> None:
    shown = {specimen.key for specimen in specimens()}
    assert {kind.value for kind in BUILT} <= shown


def test_fences_follow_the_edge_whole() -> None:
    """A ring that is opened away from its first point gives one line, not two."""
    from printkit.drawing.signs.site import opened, whole_lines

    ring = LineString(box(0, 0, 40, 30).exterior)
    rest, gap = opened(ring, Point(40, 15), 6.0)
    assert whole_lines(rest).geom_type == "LineString"
    assert gap.equals(Point(40, 15))
    assert rest.length == pytest.approx(134, abs=0.1)
