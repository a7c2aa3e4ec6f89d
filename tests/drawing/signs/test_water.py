"""Rivers keep their true width and open into one another; lakes keep their shore."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point
from signs_scene import STYLES, area, board, context, corners, course, filled, oval, paths, shape, stroked, winding

from printkit.drawing.canvas.items import LayerName, Path
from printkit.drawing.signs.cover.rivers import river
from printkit.drawing.signs.cover.shores import lake
from printkit.terrain.field.features import Kind

MAIN = course("R1", Kind.RIVER, winding(400, 30), 25.4)


@pytest.mark.clause("BR-G31")
@pytest.mark.parametrize(
    ("name", "width"), [("campaign", 12.7), ("campaign", 38.1), *((name, 25.4) for name in STYLES)]
)
def test_a_river_is_as_wide_as_the_rules_say(name: str, width: float) -> None:
    hand = context(name)
    feature = course("R1", Kind.RIVER, winding(400, 30), width)
    water = filled(river(feature, hand, board(feature)), hand.style.ink("water"))
    for share in (0.2, 0.4, 0.5, 0.7):
        middle, on = (feature.line.interpolate(share + step, normalized=True) for step in (0, 0.005))
        along = np.array([on.x - middle.x, on.y - middle.y]) / middle.distance(on)
        across = np.array([-along[1], along[0]]) * 2 * width
        cut = water.intersection(
            LineString([np.add((middle.x, middle.y), across), np.subtract((middle.x, middle.y), across)])
        )
        assert cut.length == pytest.approx(width, abs=0.15)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(swing=st.floats(0, 45), width=st.floats(10, 38), seed=st.integers(0, 99))
def test_nothing_of_the_water_lies_outside_the_river(swing: float, width: float, seed: int) -> None:
    hand, feature = context(seed=seed), course("R1", Kind.RIVER, winding(400, swing), width)
    items = list(river(feature, hand, board(feature)))
    bank = feature.line.buffer(width / 2 + 4.5)
    for item in paths(items, LayerName.WATER) + paths(items, LayerName.WATER_LINE):
        points = corners(item)
        onto = points[(points[:, 0] > 10) & (points[:, 0] < 390)]
        assert shapely.contains_xy(bank, onto).all()


def test_a_river_runs_off_the_board() -> None:
    hand = context()
    left, low, right, high = filled(river(MAIN, hand, board(MAIN)), hand.style.ink("water")).bounds
    assert left < -10
    assert right > 410
    assert low > 0
    assert high < 300


@pytest.mark.parametrize("name", STYLES)
def test_a_tributary_has_an_open_mouth(name: str) -> None:
    at = MAIN.line.interpolate(0.5, normalized=True)
    side = course("R2", Kind.RIVER, [(at.x, 300), (at.x - 4, 240), (at.x, at.y)], 25.4)
    hand, field = context(name), board(MAIN, side)
    mouth = side.line.buffer(25.4 / 2 - 0.5, cap_style="flat")
    drawn = [list(river(feature, hand, field)) for feature in (MAIN, side)]
    banks = [
        shape(item)
        for items in drawn
        for item in paths(items, LayerName.WATER_LINE)
        if item.stroke and item.stroke.width == hand.width(0.62)
    ]
    assert len(banks) == 2
    assert not shapely.union_all(banks).intersects(mouth.union(MAIN.line.buffer(25.4 / 2 - 0.5)))
    main, water = (filled(items, hand.style.ink("water")) for items in drawn)
    both = water.union(main)
    assert both.geom_type == "Polygon"
    assert water.intersection(MAIN.line.buffer(25.4 / 2 - 0.5)).is_empty


@pytest.mark.clause("BR-G38")
@pytest.mark.parametrize("name", STYLES)
def test_a_river_opens_into_a_lake(name: str) -> None:
    mere = area("z5", Kind.LAKE, oval(250, 150, 60, 50))
    feature = course("R1", Kind.RIVER, [(0, 150), (100, 160), (196, 150)], 25.4)
    hand, field = context(name), board(mere, feature)
    banks = paths(river(feature, hand, field), LayerName.WATER_LINE)
    heavy = [shape(item) for item in banks if item.stroke and item.stroke.width == hand.width(0.62)]
    assert not shapely.union_all(heavy).intersects(mere.outline.buffer(-0.3))
    shore = [
        shape(item)
        for item in paths(lake(mere, hand, field), LayerName.WATER_LINE)
        if item.stroke and item.stroke.width == hand.width(0.62)
    ]
    assert len(shore) == 1
    assert not shore[0].intersects(feature.line.buffer(25.4 / 2 - 1))
    assert shore[0].length == pytest.approx(mere.outline.length - 25.4, abs=3)


@pytest.mark.clause("BR-G38")
def test_a_river_reaches_a_slanting_shore_with_its_whole_width() -> None:
    mere = area("z5", Kind.LAKE, shapely.Polygon([(150, 60), (290, 200), (320, 120), (260, 50)]))
    feature = course("R1", Kind.RIVER, [(0, 150), (100, 150), (245, 150)], 25.4)
    hand, field = context(), board(mere, feature)
    water = filled(river(feature, hand, field), hand.style.ink("water"))
    joined = water.union(filled(lake(mere, hand, field), hand.style.ink("water")))
    assert joined.geom_type == "Polygon"
    assert joined.contains(shapely.box(100, 150 - 12.6, 250, 150 + 12.6))


@pytest.mark.parametrize("name", STYLES)
def test_a_lake_stays_inside_its_shore(name: str) -> None:
    mere, hand = area("z5", Kind.LAKE, oval(250, 150, 60, 50)), context(name)
    items = list(lake(mere, hand, board(mere)))
    for item in paths(items, LayerName.WATER) + paths(items, LayerName.WATER_LINE):
        assert mere.outline.buffer(0.05).contains(shape(item))
    lines = stroked(items, hand.style.ink("waterline")) if name == "ink-saver" else None
    assert lines is None or lines.distance(Point(250, 150)) > 20


@pytest.mark.parametrize("name", STYLES)
def test_every_style_draws_banks_flow_and_ticks(name: str) -> None:
    hand = context(name)
    items = list(river(MAIN, hand, board(MAIN)))
    assert filled(items, hand.style.ink("water")).area > 400 * 25
    lines = paths(items, LayerName.WATER_LINE)
    assert {item.stroke.width for item in lines if item.stroke} >= {hand.width(mm) for mm in (0.62, 0.28, 0.20)}
    assert any(isinstance(item, Path) and item.fill for item in lines)
    assert hand.style.shadows == any(
        item.fill and item.fill[:3] == hand.style.solid("bank-line")[:3] for item in paths(items, LayerName.WATER)
    )
