"""The ground of whole tables: what lies where, at which size, beside what, and how courses run and meet."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import combinations, pairwise, product

import pytest
import shapely
from drawn_by_hand import UNIT
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon, box
from tables_by_hand import INCH, grid_of, settle, system

from printkit.chance.dice import Dice, Seeded
from printkit.chance.streams import Jitter, Stream
from printkit.kit.system import Outcome, Scenario
from printkit.systems.acw.ground.flanks import roughen_straight_edges
from printkit.systems.acw.ground.make_room import PlacementRequest, place_outline, uniform_poses
from printkit.systems.acw.ground.shapes import outline, spur_tongue
from printkit.systems.acw.terms.pieces import Piece
from printkit.terrain.field.features import Area, Course, Crossing, Hill, Kind
from printkit.terrain.geometry.measure import sharpest_bend, sinuosity

ROADS = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK)
STREAMS = (Kind.STREAM, Kind.CREEK)
LINES = (*ROADS, *STREAMS, Kind.RAILWAY)


def laid(*zones: str, geography: str = "farm", size: str = "72x48", seed: int = 4, **settings: str) -> Outcome:
    """Return the ground of a table whose zones hold just these pieces; zones without any are empty."""
    given = settle(geography=geography, choice_policy="none", **settings)
    empty = ["STOP"] * (len(grid_of(size).zones) - len(zones))
    lines = [f"{zone}: {pieces}" for zone, pieces in enumerate((*zones, *empty), 1)]
    board = system().board(*(float(side) * INCH for side in size.split("x")), settings=given)
    scenario = Scenario(board=board, settings=given, seed=seed, inputs={"zones": lines})
    return system().lay_out(scenario, Dice(Seeded(seed)), Jitter(seed))


@cache
def farm() -> Outcome:
    """A table with roads, streams, a railroad, places and fields."""
    return laid(
        "Steep Hill, Field, Field, Stream",
        "Fenced Road, Settlement, Stream, STOP",
        "Wood, Railroad, Fence Line, STOP",
        "Unfenced Road, Farm, Field, Wall",
        "Railroad, Hill, Road, Building",
        "Stream, Swamp, Pool, Ditch",
    )


@cache
def heights() -> Outcome:
    """A table with every kind of hill."""
    return laid(
        "Long Hill, STOP",
        "Hill + Cliff, Spur, STOP",
        "Hill + Scree, Scree, STOP",
        "Steep Hill + Cliff, STOP",
        "Forest, Clearing, STOP",
        "Clearing, Rocks, Rise, Scrub",
        geography="mountains",
    )


@cache
def coast() -> Outcome:
    """A table by the sea."""
    return laid(
        "Stream, Wood, STOP",
        "Swamp, STOP",
        "Swamp, Stream, STOP",
        "Sand Dunes, Fenced Road, STOP",
        "Road, Woodland, STOP",
        "Railroad, Ravine, STOP",
        geography="coastal",
        water="S",
    )


Table = Callable[[], Outcome]
TABLES: tuple[Table, ...] = (farm, heights, coast)


def areas(outcome: Outcome, *kinds: Kind) -> list[Area | Hill]:
    """Return the areas of some kinds, or of all."""
    features = [feature for feature in outcome.battlefield.features if isinstance(feature, Area | Hill)]
    return [feature for feature in features if not kinds or feature.kind in kinds]


def courses(outcome: Outcome, *kinds: Kind) -> list[Course]:
    return [feature for feature in outcome.battlefield.select_features(*kinds) if isinstance(feature, Course)]


def zone_box(zone: int, size: str = "72x48") -> Polygon:
    left, near, width, depth = grid_of(size).box(zone)
    return box(left, near, left + width, near + depth)


def sides(shape: Polygon) -> tuple[float, float]:
    """Return the long and the short side of a shape in units of a zone."""
    corners = shapely.get_coordinates(shape.minimum_rotated_rectangle.exterior)
    first, second = (math.dist(corners[place], corners[place + 1]) / UNIT for place in (0, 1))
    return max(first, second), min(first, second)


@pytest.mark.clause("AC-G01", "AC-F04", "AC-F05", "AC-F11", "AC-F22", "AC-F23")
@pytest.mark.parametrize("table", TABLES)
def test_areas_lie_inside_their_zones_off_the_sides(table: Table) -> None:
    free = (Kind.SEA, Kind.WATERWAY, Kind.LONG_HILL, Kind.SPUR, Kind.FOREST, Kind.SWAMP, Kind.DUNES)
    for feature in areas(table()):
        if feature.kind not in free:
            room = zone_box(feature.origin.zone).buffer(-0.04 * UNIT, join_style="mitre")
            assert room.buffer(0.01).contains(feature.outline), feature.id


@pytest.mark.clause("AC-G02")
@pytest.mark.parametrize("table", TABLES)
def test_areas_overlap_only_as_the_rules_allow(table: Table) -> None:
    on_hills = (Kind.LIGHT_WOODS, Kind.WOODLAND, Kind.SCRUB, Kind.ROCKS, Kind.SCREE, Kind.CLEARING)
    on_gentle = (Kind.CROPS, Kind.PLOUGH, Kind.PASTURE, Kind.FARM, Kind.BUILDING)
    for feature, other in combinations(areas(table()), 2):
        hill, cover = (feature, other) if isinstance(feature, Hill) else (other, feature)
        if not isinstance(hill, Hill) or cover.kind not in (*on_hills, *on_gentle):
            assert feature.outline.intersection(other.outline).area < 4.0, (feature.id, other.id)


@pytest.mark.clause("AC-F01", "AC-F08", "AC-F06", "AC-F07", "AC-F03", "AC-F04")
def test_hills_have_their_contours_and_faces() -> None:
    hills = {hill.id: hill for hill in areas(heights()) if isinstance(hill, Hill)}
    steep, rise = hills["z4-1"], hills["z6-3"]
    assert 0.28 <= steep.contours[1].area / steep.outline.area <= 0.5
    assert steep.outline.contains(steep.contours[1])
    assert [face.kind for face in steep.faces] == [Kind.CLIFF, Kind.STEEP_SLOPE]
    for hill in (steep, hills["z2-1"]):
        (cliff,) = (face for face in hill.faces if face.kind is Kind.CLIFF)
        assert cliff.going.name == "impassable"
        assert 0.25 <= cliff.line.length / hill.outline.exterior.length <= 0.40
        assert hill.outline.exterior.distance(cliff.line) < 1e-6
    (scree,) = hills["z3-1"].faces
    middle = hills["z3-1"].outline.centroid
    start, end = (math.atan2(y - middle.y, x - middle.x) for x, y in (scree.line.coords[0], scree.line.coords[-1]))
    assert math.degrees(abs(math.remainder(end - start, math.tau))) == pytest.approx(90, abs=4)
    long, short = sides(hills["z1-1"].outline)
    assert long / short >= 2.3
    assert (rise.kind, len(rise.contours)) == (Kind.RISE, 1)
    (whole,) = (hill for hill in areas(farm()) if isinstance(hill, Hill) and hill.id == "z1-1")
    assert [(face.kind, face.line.is_ring) for face in whole.faces] == [(Kind.STEEP_SLOPE, True)]


@pytest.mark.clause("AC-F05")
def test_a_spur_has_its_base_on_a_side_of_its_zone() -> None:
    (spur,) = areas(heights(), Kind.SPUR)
    assert zone_box(2).exterior.buffer(0.5).intersection(spur.outline).area > 0.1 * UNIT


@pytest.mark.clause("AC-F13", "AC-F11", "AC-Q16")
def test_a_clearing_is_an_opening_in_the_forest_or_has_a_belt_with_gaps():
    found = {feature.id: feature for feature in areas(heights())}
    forest, opening = found["z5-1"].outline, found["z5-2"].outline
    assert len(forest.interiors) == 1
    assert Polygon(forest.interiors[0]).buffer(0.1).contains(opening)
    assert forest.area > 0.3 * UNIT**2
    belts = [found[name].outline for name in found if name.startswith("z6-1-")]
    assert len(belts) >= 2
    clearing = found["z6-1"].outline
    ring = clearing.buffer(0.08 * UNIT).difference(clearing).area
    assert sum(belt.area for belt in belts) <= 0.76 * ring
    assert all(belt.distance(clearing) < 12 for belt in belts)


@pytest.mark.clause("AC-F13", "AC-Q16")
def test_the_wilderness_is_closed_about_a_clearing_and_no_other_country() -> None:
    def trees(country: str, reading: str) -> list[Polygon]:
        outcome = laid("Clearing, Pool, Rise, Stream", geography=country, size="24x24", ac_q16=reading)
        return [feature.outline for feature in areas(outcome, Kind.LIGHT_WOODS)]

    woods, everywhere, mountains = (
        trees(*each) for each in (("wilderness", "belt"), ("wilderness", "belt-everywhere"), ("mountains", "belt"))
    )
    closed, open_country, high = (shapely.union_all(each).area / UNIT**2 for each in (woods, everywhere, mountains))
    assert closed > 0.35
    assert high == open_country < 0.15
    room = box(0, 0, UNIT, UNIT).buffer(-0.04 * UNIT + 0.1, join_style="mitre")
    assert all(room.contains(wood) for wood in woods)
    edges = shapely.union_all([wood.exterior for wood in woods])
    # No side of the wood is ruled along the zone.
    sides = [LineString(pair) for pair in pairwise(room.exterior.coords)]
    assert all(edges.intersection(side.buffer(1.0)).length < 0.2 * UNIT for side in sides)


@pytest.mark.clause("AC-F13")
@pytest.mark.parametrize("seed", [2, 5, 13, 23])
def test_a_clearing_finds_its_place_also_in_a_wood_with_a_bay(seed: int):
    found = {feature.id: feature for feature in areas(laid("Woodland, Clearing", size="24x24", seed=seed))}
    wood, opening = found["z1-1"].outline, found["z1-2"].outline
    assert len(wood.interiors) == 1
    assert Polygon(wood.interiors[0]).buffer(0.1).contains(opening)
    assert Polygon(wood.exterior).exterior.distance(opening) > 0.019 * UNIT


@pytest.mark.clause("AC-F22")
def test_a_swamp_follows_no_side_of_its_zone():
    side = LineString([(100, 0), (100, 600)])
    # A ruler has cut the swamp on its west.
    swamp = Point(160, 300).buffer(110).intersection(box(100, 0, 600, 600))
    ruled = swamp.exterior.intersection(side.buffer(4)).length
    loose = roughen_straight_edges(swamp, [side], unit=600.0, neck=0.15 * 600, stream=Stream("flanks"))
    assert ruled > 150
    assert loose.exterior.intersection(side.buffer(4)).length < 0.4 * ruled
    assert swamp.buffer(0.01).contains(loose)
    assert loose.area > 0.85 * swamp.area
    # Where it would be too narrow, or lies well off the side, it is left as it was.
    thin = box(100, 100, 200, 500)
    assert roughen_straight_edges(thin, [side], unit=600.0, neck=90.0, stream=Stream("flanks")) == thin
    assert (
        roughen_straight_edges(
            swamp, [LineString([(60, 0), (60, 600)])], unit=600.0, neck=90.0, stream=Stream("flanks")
        )
        == swamp
    )


@pytest.mark.clause("AC-F14", "AC-N35", "AC-F32", "AC-F33", "AC-N16")
def test_fields_share_a_side_and_places_lie_on_their_roads():
    found = {feature.id: feature for feature in areas(farm())}
    one_field, other = found["z1-2"].outline, found["z1-3"].outline
    shared = one_field.buffer(0.5).exterior.intersection(other.buffer(1.0)).length
    assert shared > 0.15 * UNIT
    assert len(one_field.exterior.coords) == 5
    roads = shapely.union_all([course.line for course in courses(farm(), *ROADS)])
    assert found["z2-2"].kind is Kind.SETTLEMENT
    assert found["z2-2"].outline.intersects(roads)
    assert found["z4-2"].kind is Kind.FARM
    assert 0.01 * UNIT < found["z4-2"].outline.distance(roads) < 0.08 * UNIT


@pytest.mark.clause("AC-F15", "AC-F16", "AC-F17")
def test_walls_follow_fields_and_ditches_lead_to_water() -> None:
    (wall,), (ditch,) = courses(farm(), Kind.WALL), courses(farm(), Kind.DITCH)
    field = next(area for area in areas(farm()) if area.id == "z4-3")
    assert wall.line.hausdorff_distance(wall.line.intersection(field.outline.buffer(4))) < 1
    assert 0.29 <= wall.line.length / UNIT <= 0.71
    assert ditch.width == pytest.approx(0.02 * UNIT)
    water = [course.line.buffer(course.width / 2) for course in courses(farm(), *STREAMS)]
    water += [pool.outline for pool in areas(farm(), Kind.POOL)]
    assert ditch.line.distance(shapely.union_all(water)) < 0.03 * UNIT


@pytest.mark.clause("AC-F20")
def test_a_ravine_has_its_length_and_width() -> None:
    (ravine,) = courses(coast(), Kind.RAVINE)
    assert ravine.width == pytest.approx(0.08 * UNIT)
    assert 0.42 <= ravine.line.length / UNIT <= 0.78


@pytest.mark.clause("AC-G07", "AC-G08", "AC-F26", "AC-F18")
@pytest.mark.parametrize("table", TABLES)
def test_courses_cross_sides_in_their_middle_half_and_run_smoothly(table: Table) -> None:
    for course in courses(table(), *LINES):
        assert course.line.is_simple, course.id
        most = 1.15 if course.kind is Kind.RAILWAY else 1.5 if course.kind in STREAMS else 1.3
        for zone in grid_of().zones:
            part = course.line.intersection(zone_box(zone))
            for piece in shapely.get_parts(shapely.line_merge(part) if part.geom_type == "MultiLineString" else part):
                assert piece.length < 0.2 * UNIT or sinuosity(piece) <= most + 0.01, (course.id, zone)
        for x, y in shapely.get_coordinates(course.line.intersection(zone_box(1).exterior)):
            left, low, right, high = zone_box(1).bounds
            across, along = (x - left) / (right - left), (y - low) / (high - low)
            assert 0.24 <= across <= 0.76 or 0.24 <= along <= 0.76
    for rail in courses(table(), Kind.RAILWAY):
        # A curve of radius 0.4 of the unit turns by less than this over a tenth of the unit.
        assert sharpest_bend(rail.line, 0.1 * UNIT) <= math.degrees(0.1 / 0.4) + 1.5


@pytest.mark.clause("AC-G05", "AC-G06", "AC-F01")
@pytest.mark.parametrize("table", TABLES)
def test_courses_keep_out_of_what_bars_them(table: Table) -> None:
    barred = {
        STREAMS: (Kind.SETTLEMENT, Kind.ROCKS, Kind.FARM),
        (*ROADS, Kind.RAILWAY): (Kind.POOL, Kind.ROCKS, Kind.SEA, Kind.WATERWAY),
    }
    for kinds, grounds in barred.items():
        for course, ground in product(courses(table(), *kinds), areas(table())):
            if ground.kind in grounds:
                assert not course.line.intersects(ground.outline), (course.id, ground.id)
            if isinstance(ground, Hill) and (kinds is STREAMS or len(ground.contours) > 1):
                assert course.line.intersection(ground.outline).length < 4, (course.id, ground.id)


@pytest.mark.clause("AC-N40", "AC-F39")
@pytest.mark.parametrize("table", TABLES)
def test_every_meeting_of_courses_has_its_crossing(table: Table) -> None:
    crossings = [feature for feature in table().battlefield.features if isinstance(feature, Crossing)]
    wanted = {
        **dict.fromkeys((Kind.TRACK, Kind.SUNKEN_LANE), Kind.FORD),
        Kind.FENCED_ROAD: Kind.BRIDGE,
        Kind.RAILWAY: Kind.RAILWAY_BRIDGE,
    }
    roads, rails = courses(table(), *ROADS), courses(table(), Kind.RAILWAY)
    for way, water in product((*roads, *rails), courses(table(), *STREAMS)):
        here = [crossing for crossing in crossings if (crossing.route, crossing.water) == (way.id, water.id)]
        for at in shapely.get_coordinates(way.line.intersection(water.line)):
            near = [crossing for crossing in here if crossing.at.distance(Point(at)) < 60]
            assert near, (way.id, water.id)
            assert near[0].kind is wanted.get(way.kind, near[0].kind)
    level = [crossing for crossing in crossings if crossing.kind is Kind.LEVEL_CROSSING]
    assert bool(level) == any(road.line.crosses(rail.line) for road, rail in product(roads, rails))


@pytest.mark.clause("AC-F38", "AC-N13", "AC-N20", "AC-N33", "AC-N34", "AC-F22")
def test_by_the_sea_streams_reach_it_roads_keep_off_and_swamps_grow_together() -> None:
    sea, swamp = (feature.outline for kind in (Kind.SEA, Kind.SWAMP) for feature in areas(coast(), kind))
    width = 72 * INCH
    assert sea.area / width / UNIT == pytest.approx(0.25, rel=0.25)
    assert (sea.bounds[0], sea.bounds[2]) == (0.0, pytest.approx(width))
    assert not any(way.line.intersects(sea) for way in courses(coast(), *ROADS, Kind.RAILWAY))
    neck = swamp.intersection(zone_box(2)).intersection(zone_box(3).buffer(0.1))
    assert neck.bounds[3] - neck.bounds[1] >= 0.149 * UNIT
    for water in (sea, swamp):
        assert any(stream.line.intersects(water) for stream in courses(coast(), *STREAMS))


@pytest.mark.clause("AC-F37")
def test_a_river_runs_along_the_whole_edge() -> None:
    (river,) = areas(laid("Hill, STOP", geography="riverside", water="N", size="48x24"), Kind.WATERWAY)
    assert river.outline.bounds[3] == pytest.approx(UNIT)
    assert river.outline.area / (2 * UNIT * UNIT) == pytest.approx(0.2, rel=0.3)


@pytest.mark.clause("AC-G09")
def test_the_same_seed_lays_the_same_ground() -> None:
    one, other = (laid("Hill, Stream, Wood, STOP", "Field, Track, STOP", size="48x24", seed=9) for _ in range(2))
    assert one.battlefield == other.battlefield


@pytest.mark.clause("AC-G04", "AC-X12")
def test_what_finds_no_room_is_said() -> None:
    full = laid("Forest, Settlement, Woodland, Field", size="24x24", geography="swampy", seed=3)
    notes = [line for line in full.warnings if "AC-X12" in line]
    assert len({feature.id for feature in areas(full)}) + len(notes) == 4
    assert all("zone 1, roll" in line for line in notes)


@pytest.mark.clause("AC-G04")
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000), share=st.floats(0.2, 0.9))
def test_a_place_is_in_its_room_off_what_is_closed_and_no_smaller_than_it_may_be(seed, share):
    room, closed = box(0, 0, 300, 200), box(0, 0, 300 * share, 200)
    drawn = outline(Piece.WOOD, 110, 90, Stream(f"test/{seed}"))
    wish = PlacementRequest(
        base_outline=drawn,
        factors=(0.6, 1.3),
        search_area=room,
        closed=closed,
        last=Polygon(),
        draw_pose=uniform_poses(room),
        score=lambda _shape: 0.0,
    )
    found = place_outline(wish, Stream(f"test/{seed}/place"))
    if found is None:
        assert 300 * (1 - share) < 0.6 * 130
        return
    assert room.contains(found)
    assert found.intersection(closed).area < 20
    assert 0.59**2 <= found.area / drawn.area <= 1.31**2


@pytest.mark.clause("AC-F02", "AC-F09", "AC-F10", "AC-F12", "AC-F21", "AC-F24", "AC-F34", "AC-F35", "AC-F36")
@pytest.mark.parametrize(
    "piece", [Piece.HILL, Piece.WOOD, Piece.WOODLAND, Piece.POOL, Piece.ROCKS, Piece.TOWN, Piece.FORT]
)
def test_outlines_have_the_sides_that_are_asked_for(piece):
    shape = outline(piece, 120, 80, Stream(f"test/{piece}"))
    left, low, right, high = shape.bounds
    assert shape.is_valid
    assert right - left == pytest.approx(120, rel=0.03)
    assert high - low == pytest.approx(80, rel=0.06)
    if piece is Piece.FORT:
        assert 5 <= len(shape.exterior.coords) - 1 <= 8
    if piece is Piece.WOODLAND:
        assert shape.area < 0.97 * shape.convex_hull.area


@pytest.mark.clause("AC-F05")
def test_a_tongue_has_a_flat_base_and_points_away_from_it():
    shape = spur_tongue(100, 60, Stream("test/tongue"))
    assert shape.bounds[0] == pytest.approx(0.0, abs=1e-6)
    assert shape.bounds[2] == pytest.approx(100)
    assert shape.intersection(box(-1, -60, 1, 60)).bounds[3] > 15


def test_a_board_without_anything_has_no_ground() -> None:
    assert laid(size="24x24", geography="plain").battlefield.features == ()
