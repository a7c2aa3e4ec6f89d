"""Roads keep their true width, open where they meet, and show the water of a ford."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from signs_scene import STYLES, area, board, context, course, crossing, filled, oval, paths, shape

from printkit.drawing.canvas.items import LayerName
from printkit.drawing.signs.lines.course_lines import ground
from printkit.drawing.signs.ways.roads import road
from printkit.terrain.field.features import Kind

ROAD = course("D1", Kind.ROAD, [(0, 150), (200, 155), (400, 150)], 19.05)


@pytest.mark.clause("BR-G51")
@pytest.mark.parametrize("name", STYLES)
def test_a_road_has_its_width_over_the_casing(name: str) -> None:
    hand = context(name)
    items = list(road(ROAD, hand, board(ROAD)))
    window = shapely.box(190, 100, 210, 200)
    casing = shape(paths(items, LayerName.CASING)[-1]).intersection(window)
    surface = shape(paths(items, LayerName.COURSE)[0]).intersection(window)
    assert casing.area / 20 == pytest.approx(19.05, abs=0.05)
    assert surface.area / 20 == pytest.approx(19.05 - 2 * hand.width(0.55, least=0.18), abs=0.05)
    assert casing.contains(surface)


def test_a_road_runs_off_the_board_at_both_ends() -> None:
    left, _, right, _ = filled(road(ROAD, context(), board(ROAD)), context().style.ink("road")).bounds
    assert left < -5
    assert right > 405


@pytest.mark.clause("BR-G56")
def test_a_junction_has_no_ruts_across_the_through_road() -> None:
    branch = course("D2", Kind.ROAD, [(210, 300), (205, 220), (200, 155)], 19.05)
    items = list(road(branch, context(), board(ROAD, branch)))
    ruts = shapely.union_all([shape(item) for item in paths(items, LayerName.COURSE_DETAIL)])
    assert not ruts.is_empty
    assert not ruts.intersects(ROAD.line.buffer(9.4))
    assert shape(paths(items, LayerName.COURSE)[0]).intersects(ROAD.line.buffer(1))


@pytest.mark.clause("BR-G55")
def test_a_road_stops_at_the_edge_of_a_built_up_area() -> None:
    town = area("z5", Kind.BUA, oval(300, 150, 50, 45))
    street = course("D1", Kind.ROAD, [(0, 150), (200, 155), (262, 150)], 19.05)
    surface = filled(road(street, context(), board(town, street)), context().style.ink("road"))
    assert surface.bounds[2] == pytest.approx(250, abs=1.5)


@pytest.mark.parametrize("name", STYLES)
def test_the_water_of_a_ford_shows_through_the_road(name: str) -> None:
    river = course("R1", Kind.RIVER, [(200, 0), (200, 300)], 25.4)
    hand = context(name)
    wet = board(river, ROAD, crossing("X1", Kind.FORD, (200, 155), 0))
    dry = board(river, ROAD, crossing("X1", Kind.BRIDGE, (200, 155), 0))
    band = river.line.buffer(25.4 / 2 - 0.1, cap_style="flat")
    assert not filled(road(ROAD, hand, wet), hand.style.ink("road")).intersects(band)
    assert filled(road(ROAD, hand, dry), hand.style.ink("road")).intersects(band)


@pytest.mark.parametrize("name", STYLES)
def test_only_styles_with_the_ink_draw_ruts(name: str) -> None:
    hand = context(name)
    drawn = bool(paths(road(ROAD, hand, board(ROAD)), LayerName.COURSE_DETAIL))
    assert drawn == (hand.style.ink("wheel-rut") is not None)


@pytest.mark.parametrize("slant", [9, 14, 25, 60, 90])
def test_a_road_that_leaves_at_a_slant_reaches_the_edge_with_its_whole_width(slant: float) -> None:
    far = 120.0
    end = (200.0 + far * float(np.cos(np.radians(slant))), far * float(np.sin(np.radians(slant))))
    leaving = course("D1", Kind.ROAD, [end, (200.0, 0.0)], 19.05)
    covered = ground(leaving, board(leaving), context())
    half = 19.05 / 2 / np.sin(np.radians(slant))
    edge = shapely.LineString([(200 - half + 0.1, 0), (200 + half - 0.1, 0)])
    assert covered.buffer(0.01).covers(edge)
