"""What a board asks of shapely: nothing twice, and of near things alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from msgspec.structs import replace
from shapely import LineString, Polygon
from signs_scene import board, context, course, winding

from printkit.chance.streams import Stream
from printkit.core.resources import resource
from printkit.drawing.canvas.shapes import lines, polygons, runs
from printkit.drawing.lettering.label_space import LabelSpace, boxes_at
from printkit.drawing.scatter import crown_shapes, crowns, scatter
from printkit.drawing.scatter.scatter import planted
from printkit.drawing.signs.built.buildings import House
from printkit.drawing.signs.built.lots import Neighbours
from printkit.drawing.signs.cover.rivers import river
from printkit.drawing.signs.lines import channels
from printkit.drawing.signs.lines.wet_plants import Tufts
from printkit.terrain.field.features import Kind


def test_the_pattern_of_planting_is_the_one_that_was_thrown() -> None:
    kept = resource("templates/patterns", "planting.txt").read_text(encoding="utf-8")
    assert kept == scatter.written(scatter.thrown())
    assert np.array_equal(scatter.pattern(), scatter.read(kept))


@pytest.mark.parametrize("shape", crown_shapes.KEPT, ids=lambda shape: shape.__name__)
def test_the_parts_of_crowns_are_those_that_were_worked_out(shape: Any) -> None:
    count = crown_shapes.KEPT[shape]
    kept = resource("templates/patterns", f"crowns-{shape.__name__}.json").read_text(encoding="utf-8")
    made = [crown_shapes.worked_out(shape(variant)) for variant in range(count)]
    assert kept == crown_shapes.written(made)
    for variant, crown in enumerate(made):
        read = crown_shapes.parts(shape, variant)
        assert replace(read, shadow=crown.shadow) == crown
        assert np.array_equal(read.shadow, crown.shadow)
        assert crown_shapes.pieces(shape, variant, 0, 3) == crown.body
        assert crown_shapes.pieces(shape, variant, 1, 3) == ()


def test_every_variant_of_a_kept_crown_is_kept() -> None:
    for family in crowns.FAMILIES.values():
        assert crown_shapes.KEPT.get(family.crown, family.variants) == family.variants


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
    list(channels.damp(water, ((1.0, 0.5),), hand, field))
    assert len(dug) == 1
    channels.water_ground(water, hand.smaller(0.5), field)
    channels.water_ground(water, hand, board(water))
    assert len(dug) == 3


def test_runs_of_many_shapes_are_those_of_each() -> None:
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


def test_blades_of_no_tuft_are_no_runs() -> None:
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
        found = standing.near(house, 0.45)
        close = np.flatnonzero(shapely.dwithin(house.footprint, [each.footprint for each in houses[:number]], 0.45))
        assert close.size if found is None else set(close.tolist()) <= set(found)
        standing.put(number, house)
    moved = House(x=200, y=200, width=9, depth=5, angle=0)
    standing.put(3, moved)
    assert standing.near(moved, 0.45, besides=3) == []
    assert standing.near(moved, 0.45) is None


def test_only_boxes_that_might_win_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    cut: list[int] = []
    intersection = shapely.intersection

    def counted(boxes: Any, ground: Any) -> Any:
        cut.append(np.size(boxes))
        return intersection(boxes, ground)

    places = np.column_stack([np.arange(0.0, 400.0, 2.0), np.zeros(200)])
    room = LabelSpace(inside=shapely.box(-50, -50, 500, 50), taken=[shapely.box(-50, -50, 20, 50)])
    marsh = shapely.box(-50, -50, 390, 2)
    boxes, dislike = boxes_at(places, 8, 4), np.linspace(0, 20, 200)
    with monkeypatch.context() as spied:
        spied.setattr(shapely, "intersection", counted)
        best = room.best(boxes, dislike, avoid=marsh)
    free = np.array([not box.intersects(room.taken[0]) for box in boxes])
    cost = [value + (1 + 2 * box.intersection(marsh).area / 32 if box.intersects(marsh) else 0)
            for box, value in zip(boxes, dislike, strict=True)]  # fmt: skip
    assert best == int(np.argmin(np.where(free, cost, np.inf)))
    assert sum(cut) < 50


def test_places_keep_from_what_stands_wherever_it_stands() -> None:
    ground = Polygon([(0, 0), (90, 10), (70, 80), (5, 60)])
    kept = [(40.0, 40.0), (-30.0, 20.0), (41.0, 40.5), (300.0, -90.0), (12.0, 9.0)]
    places = planted(ground, 4.0, Stream("kept"), kept=kept)
    apart = shapely.distance(shapely.points(places)[:, None], shapely.points([*kept, *places.tolist()])[None])
    apart[apart == 0] = np.inf
    assert apart.min() >= 4.0 * (1 - 1e-8)
    # Nowhere is room for one more.
    rest = ground.difference(shapely.union_all(shapely.buffer(shapely.points([*kept, *places]), 4.0)))
    assert rest.area < 0.02 * ground.area
