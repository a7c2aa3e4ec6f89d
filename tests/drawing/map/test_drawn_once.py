"""What a board asks of shapely: nothing twice, and of near things alone."""

from __future__ import annotations

import math
import sys
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from imports import ROOT
from msgspec.structs import replace
from shapely import LineString, Point, Polygon, box
from signs_scene import board, context, course, winding

from printkit.chance.streams import Stream
from printkit.core.resources import resource
from printkit.core.words import Words
from printkit.drawing.canvas.shapes import lines, polygons, runs
from printkit.drawing.canvas.style import find
from printkit.drawing.furniture.legend import SWATCH_ENTRIES, draw_swatch, swatch_drawing
from printkit.drawing.furniture.stored_swatches import STORED_SCALES, read_swatch
from printkit.drawing.lettering.label_space import LabelSpace, boxes_at
from printkit.drawing.scatter import crowns
from printkit.drawing.scatter.crowns import edge_row, poisson_points
from printkit.drawing.signs.built.buildings import House
from printkit.drawing.signs.built.lots import Neighbours
from printkit.drawing.signs.cover.low_plants import Tufts
from printkit.drawing.signs.cover.rivers import river
from printkit.drawing.signs.lines import channels
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.features import Kind

sys.path.insert(0, str(ROOT / "tools" / "patterns"))

import patterns


def test_the_stored_patterns_are_those_that_their_tool_makes() -> None:
    for file, text in patterns.patterns():
        assert resource("templates/patterns", file).read_text(encoding="utf-8") == text, file
    assert len(crowns.load_pattern()) > 1000
    for file, parts in patterns.swatch_files():
        with ZipFile(resource("templates/patterns", file)) as archive:
            assert {name: archive.read(name) for name in archive.namelist()} == parts, file


def test_a_swatch_is_read_for_a_built_in_style_at_a_stored_scale_and_drawn_otherwise() -> None:
    style, words = find("campaign"), Words(("en",))
    stored = Drafter.furniture(style, words, scale=STORED_SCALES[0])
    layers = draw_swatch(SWATCH_ENTRIES["farm"], stored)
    assert read_swatch("farm", stored) == swatch_drawing(SWATCH_ENTRIES["farm"], stored).layers == layers
    large_print = Drafter.furniture(replace(style, least_pt=12.0, language="es"), words, scale=STORED_SCALES[0])
    assert read_swatch("farm", large_print) == layers
    own = replace(style, inks={**style.inks, "roof": style.inks["water"]})
    for drafter in (
        Drafter.furniture(own, words, scale=STORED_SCALES[0]),
        Drafter.furniture(replace(style, name="mine"), words, scale=STORED_SCALES[0]),
        Drafter.furniture(style, words, scale=0.31),
        replace(stored, growth=1.2),
    ):
        assert read_swatch("farm", drafter) is None


@pytest.mark.parametrize("family", crowns.FAMILIES.values(), ids=lambda family: family.inks)
def test_every_variant_of_a_crown_is_stored_with_its_pieces(family: crowns.Family) -> None:
    draw, count = patterns.SHAPES[family.crown]
    assert count == family.variants
    for variant in range(count):
        crown, body = draw(variant), crowns.parts(family.crown, variant).body
        assert crowns.pieces(family.crown, variant, 0, 1) == body
        if len(crown.pieces) == 1:
            assert crowns.pieces(family.crown, variant, 0, 3) == body
            assert crowns.pieces(family.crown, variant, 1, 3) == ()
        else:
            assert all(crowns.pieces(family.crown, variant, first, 3) for first in range(3))


def test_a_water_is_dug_once_for_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    dug: list[str] = []
    eased = channels._eased_bends

    def counted(ground: Polygon, line: LineString, width: float) -> object:
        dug.append("ground")
        return eased(ground, line, width)

    monkeypatch.setattr(channels, "_eased_bends", counted)
    water = course("R1", Kind.RIVER, winding(400, 40), 25.4)
    field, hand = board(water), context()
    list(river(water, hand, field))
    list(channels.draw_damp_ground(water, ((1.0, 0.5),), hand, field))
    assert len(dug) == 1
    channels.water_ground(water, hand.smaller(0.5), field)
    channels.water_ground(water, hand, board(water))
    assert len(dug) == 3


def test_runs_of_many_shapes_are_those_of_each_and_no_tuft_has_any() -> None:
    ring = shapely.Point(5, 5).buffer(3)
    pair = shapely.MultiLineString([[(0, 0), (4, 0)], [(0, 1), (4, 1), (4, 6)]])
    nested = shapely.GeometryCollection([shapely.Point(0, 0), shapely.GeometryCollection([pair, ring]), ring])
    shapes = [ring.difference(shapely.Point(5, 5).buffer(1)), np.array([[0.0, 0.0], [3.0, 3.0]]), pair, nested]
    assert runs(shapes) == tuple(run for part in shapes for run in runs(part))
    assert [run.closed for run in runs(nested)] == [False, False, True, True]
    assert runs(np.zeros((0, 5, 2))) == runs([]) == runs(Polygon()) == runs(np.zeros((1, 2))) == ()
    assert polygons(nested) == [ring, ring]
    assert len(lines(nested)) == 2
    assert len(lines(np.array([pair, ring.exterior, nested]))) == 5
    assert runs(Tufts().blades) == ()


@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_neighbours_are_the_houses_that_may_be_in_the_way(seed: str) -> None:
    stream, standing = Stream(seed), Neighbours(9.0)
    houses = [
        House(
            x=stream.between(-60, 60),
            y=stream.between(-60, 60),
            width=stream.between(4, 14),
            depth=stream.between(3, 6),
            angle=stream.between(0, math.tau),
        )
        for _ in range(60)
    ]
    for number, house in enumerate(houses):
        found = standing.find_near(house, 0.45)
        close = np.flatnonzero(shapely.dwithin(house.footprint, [each.footprint for each in houses[:number]], 0.45))
        assert close.size if found is None else set(close.tolist()) <= set(found)
        standing.add(number, house)
    moved = House(x=200, y=200, width=9, depth=5, angle=0)
    standing.add(3, moved)
    assert standing.find_near(moved, 0.45, ignored_number=3) == []
    assert standing.find_near(moved, 0.45) is None


def test_only_boxes_that_might_win_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    cut: list[int] = []
    intersection = shapely.intersection

    def counted(boxes: Any, ground: Any) -> Any:
        cut.append(np.size(boxes))
        return intersection(boxes, ground)

    places = np.column_stack([np.arange(0.0, 400.0, 2.0), np.zeros(200)])
    room = LabelSpace(inside=shapely.box(-50, -50, 500, 50), label_boxes=[shapely.box(-50, -50, 20, 50)])
    marsh = shapely.box(-50, -50, 390, 2)
    boxes, dislike = boxes_at(places, 8, 4), np.linspace(0, 20, 200)
    with monkeypatch.context() as spied:
        spied.setattr(shapely, "intersection", counted)
        best = room.find_best(boxes, dislike, avoid=marsh)
    free = np.array([not box.intersects(room.label_boxes[0]) for box in boxes])
    cost = [value + (1 + 2 * box.intersection(marsh).area / 32 if box.intersects(marsh) else 0)
            for box, value in zip(boxes, dislike, strict=True)]  # fmt: skip
    assert best == int(np.argmin(np.where(free, cost, np.inf)))
    assert sum(cut) < 50


# --- Planting: places scattered but never crowded, and rows along edges -----------------------------------------------


_WOOD = Point(60, 40).buffer(70).difference(Point(75, 45).buffer(22))


def _nearest(places: np.ndarray, others: np.ndarray) -> np.ndarray:
    return np.hypot(*np.moveaxis(places[:, None] - others[None], -1, 0))


@settings(max_examples=12, deadline=None, derandomize=True)
@given(spacing=st.floats(2.5, 40), name=st.text("abc", min_size=1, max_size=4))
def test_places_lie_inside_and_keep_their_distance_and_no_hole_is_wider_than_two_spacings(
    spacing: float, name: str
) -> None:
    places = poisson_points(_WOOD, spacing, Stream(name))
    assert shapely.contains_xy(_WOOD, places[:, 0], places[:, 1]).all()
    apart = _nearest(places, places)
    np.fill_diagonal(apart, np.inf)
    assert apart.min(initial=np.inf) >= spacing * (1 - 1e-9)
    x, y = (axis.ravel() for axis in np.meshgrid(np.linspace(-10, 130, 60), np.linspace(-30, 110, 60)))
    inside = shapely.contains_xy(_WOOD, x, y)
    reach = _nearest(np.column_stack([x[inside], y[inside]]), places).min(axis=1)
    assert reach.max() < 1.35 * spacing


def test_places_run_from_north_to_south_off_ground_to_avoid_and_alike_for_equal_streams() -> None:
    places = poisson_points(_WOOD, 6, Stream("order"))
    assert (np.diff(places[:, 1]) <= 0).all()
    avoid = box(40, 20, 80, 60)
    places = poisson_points(_WOOD, 5, Stream("avoid"), avoid=avoid)
    assert len(places) > 100
    assert not shapely.contains_xy(avoid, places[:, 0], places[:, 1]).any()
    first, again, other = (poisson_points(_WOOD, 6, Stream(name)) for name in ("a", "a", "b"))
    assert np.array_equal(first, again)
    assert first.shape != other.shape or not np.allclose(first, other)


def test_new_places_keep_clear_of_those_that_stand_wherever_they_stand_and_close_up_to_them() -> None:
    kept = edge_row(_WOOD, 5, 7, Stream("row"))
    places = poisson_points(_WOOD, 7, Stream("kept"), existing=kept)
    apart = _nearest(places, kept)
    assert apart.min() >= 7 * (1 - 1e-9)
    assert np.median(apart.min(axis=1)) < 30
    assert len(places) < len(poisson_points(_WOOD, 7, Stream("kept")))
    ground = Polygon([(0, 0), (90, 10), (70, 80), (5, 60)])
    standing = [(40.0, 40.0), (-30.0, 20.0), (41.0, 40.5), (300.0, -90.0), (12.0, 9.0)]
    places = poisson_points(ground, 4.0, Stream("kept"), existing=standing)
    apart = shapely.distance(shapely.points(places)[:, None], shapely.points([*standing, *places.tolist()])[None])
    apart[apart == 0] = np.inf
    assert apart.min() >= 4.0 * (1 - 1e-8)
    # Nowhere is room for one more.
    rest = ground.difference(shapely.union_all(shapely.buffer(shapely.points([*standing, *places]), 4.0)))
    assert rest.area < 0.02 * ground.area


@pytest.mark.parametrize("room", [Polygon(), Point(0, 0).buffer(5).difference(Point(0, 0).buffer(9))])
def test_a_room_smaller_than_the_spacing_gets_its_one_place_and_empty_ground_stays_empty(room: Polygon) -> None:
    assert poisson_points(room, 3, Stream("none")).shape == (0, 2)
    assert edge_row(room, 1, 3, Stream("none")).shape == (0, 2)
    assert all(len(poisson_points(box(0, 0, 4, 4), 30, Stream(f"small/{number}"))) == 1 for number in range(12))


def test_an_edge_row_follows_every_edge_evenly() -> None:
    row = edge_row(_WOOD, 4, 6, Stream("edge"))
    away = shapely.distance(shapely.points(row), _WOOD.boundary)
    assert np.allclose(away, 4, atol=0.15)
    hole = shapely.distance(shapely.points(row), Polygon(_WOOD.interiors[0])) < 5
    assert hole.any()
    assert not hole.all()
    steps = _nearest(row, row)
    np.fill_diagonal(steps, np.inf)
    assert steps.min() > 6 * 0.6
