"""Wide roads have one beaten track within their casing, which runs through where a road is fenced or sunken."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import LineString, Point, box
from signs_scene import STYLES, area, board, context, corners, course, filled, oval, paths, shape

from printkit.drawing.canvas.items import Item, LayerName
from printkit.drawing.signs.catalogue import SIGNS
from printkit.drawing.signs.ways.roads import road
from printkit.drawing.signs.ways.worn import chain_of, goes_on
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Kind

WIDTH = 30.0
BENT = [(0.0, 150.0), (70.0, 156.0), (140.0, 152.0), (210.0, 148.0), (300.0, 152.0), (400.0, 150.0)]
WHOLE = course("D1", Kind.ROAD, BENT, WIDTH)
PARTS = (
    course("D1", Kind.FENCED_ROAD, BENT[:3], WIDTH),
    course("D2", Kind.SUNKEN_LANE, BENT[2:4], 26.0),
    course("D3", Kind.ROAD, BENT[3:][::-1], WIDTH),
)


def drawn(feature: Course, field: Battlefield, name: str = "campaign") -> list[tuple[LayerName, Item]]:
    return list(SIGNS[feature.kind](feature, context(name), field))


def ruts(items: list[tuple[LayerName, Item]], name: str = "campaign") -> shapely.geometry.base.BaseGeometry:
    ink = context(name).style.ink("wheel-rut")
    found = [item for item in paths(items, LayerName.COURSE_DETAIL) if item.stroke and ink]
    return shapely.union_all([shape(item) for item in found if item.stroke.ink[:3] == ink[:3]])


@pytest.mark.parametrize("name", STYLES)
def test_all_of_the_track_lies_within_the_casing(name: str) -> None:
    within = chain_of(WHOLE, context(name), board(WHOLE)).line.buffer(WIDTH / 2 - 0.5)
    for item in paths(drawn(WHOLE, board(WHOLE), name), LayerName.COURSE_DETAIL):
        assert within.covers(shapely.multipoints(corners(item)))


def test_there_is_one_track_and_no_more_than_a_second_beside_it() -> None:
    found = ruts(drawn(WHOLE, board(WHOLE)))
    counts = [
        shapely.get_num_geometries(found.intersection(LineString([(x, 100), (x, 200)]))) for x in range(20, 390, 10)
    ]
    assert set(counts) <= {2, 4}
    assert counts.count(2) > len(counts) / 3
    pair = found.intersection(LineString([(100, 100), (100, 200)]))
    low, high = sorted(point.y for point in pair.geoms)[:2]
    assert high - low == pytest.approx(2.6, abs=0.2)


def test_it_wanders_between_its_verges() -> None:
    hand = context()
    body = filled(drawn(WHOLE, board(WHOLE)), hand.tint("wheel-rut", 0.16))
    middles = [body.intersection(LineString([(x, 100), (x, 200)])).centroid for x in range(10, 390, 5)]
    aside = [WHOLE.line.distance(middle) for middle in middles]
    assert max(aside) - min(aside) > 1.0
    verges = filled(drawn(WHOLE, board(WHOLE)), hand.tint("pasture", 0.34))
    assert not verges.intersects(WHOLE.line.buffer(WIDTH / 2 - 6.5))
    assert verges.area > 2 * 400 * 1.5


@pytest.mark.parametrize("name", STYLES)
def test_it_runs_through_parts_that_are_fenced_or_sunken_and_is_drawn_once(name: str) -> None:
    field = board(*PARTS)
    each = [ruts(drawn(part, field, name), name) for part in PARTS]
    assert [found.is_empty for found in each][1:] == [True, True]
    if context(name).style.ink("wheel-rut") is not None:
        for joint in (BENT[2], BENT[3]):
            near = Point(joint).buffer(WIDTH / 2)
            assert each[0].intersection(near).length > 3 * WIDTH * 0.6
    chain = chain_of(PARTS[1], context(name), field)
    assert chain.members == ("D1", "D2", "D3")
    assert chain.line.hausdorff_distance(WHOLE.line) < 60


def test_a_road_grows_narrower_towards_a_narrower_one_without_a_step() -> None:
    field, hand = board(*PARTS), context()
    casing = shapely.union_all(
        [
            filled([item for item in drawn(part, field) if item[0] is LayerName.CASING], hand.style.ink("road-casing"))
            for part in PARTS
        ]
    )
    across = [casing.intersection(LineString([(x, 100), (x, 200)])).length for x in np.arange(100, 250, 0.5)]
    assert max(abs(np.diff(across))) < 0.6
    assert across[0] == pytest.approx(WIDTH, abs=0.2)
    assert min(across) == pytest.approx(26.0, abs=0.2)
    assert casing.geom_type == "Polygon"


def test_ways_that_branch_off_are_no_part_of_the_chain_and_open_the_verge() -> None:
    branch = course("D4", Kind.ROAD, [(210.0, 300.0), (210.0, 148.0)], WIDTH)
    field = board(WHOLE, branch)
    assert not goes_on(branch, WHOLE, context())
    assert chain_of(WHOLE, context(), field).members == ("D1",)
    verges = filled(drawn(WHOLE, field), context().tint("pasture", 0.34))
    assert not verges.intersects(branch.line.buffer(WIDTH / 2, cap_style="flat"))


def test_a_narrow_road_has_no_track_of_its_own_and_a_track_ends_at_a_town() -> None:
    narrow = course("D1", Kind.ROAD, BENT, 12.0)
    assert filled(drawn(narrow, board(narrow)), context().tint("wheel-rut", 0.16)).is_empty
    town = area("z5", Kind.BUA, oval(300, 150, 50, 45))
    found = ruts(list(road(WHOLE, context(), board(town, WHOLE))))
    assert not found.intersects(town.outline.buffer(-0.1))


def test_verges_and_worn_ground_thin_out_before_a_town() -> None:
    town, hand = area("z5", Kind.BUA, box(250, 100, 340, 200)), context()
    items = list(road(WHOLE, hand, board(town, WHOLE)))
    for ink in (hand.tint("pasture", 0.34), hand.tint("wheel-rut", 0.16)):
        found = filled(items, ink)
        before, at_edge = (found.intersection(LineString([(x, 100), (x, 200)])).length for x in (225.0, 249.5))
        assert at_edge < 0.35 * before
