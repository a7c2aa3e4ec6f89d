"""Pieces of DBA and their places: sizes within the limits at any seed, shores, and the search for a place."""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from placing_by_hand import keeps_depths
from shapely import Polygon, box

from printkit.chance.streams import Stream
from printkit.core.errors import BookError
from printkit.kit.placement import (
    PlacedOutline,
    PlacementArea,
    PlacementFailure,
    PlacementObstacle,
    find_placement,
    is_inside,
    straddles_line,
)
from printkit.systems.dba.ground import shapes
from printkit.systems.dba.ground.frame import Quarter, quarter_area
from printkit.systems.dba.ground.shapes import draw_size, fit_sides, load_looks, outline
from printkit.systems.dba.ground.terrain_limits import Depths, SizeLimits, Terrain, side_lengths
from printkit.systems.dba.ground.waterways import _river_style, make_waterway
from printkit.terrain.field.battlefield import Board, Edge, GroundScale
from printkit.terrain.geometry.courses import MEANDERING

BASE = 40.0
BOARD = Board(609.6, 609.6, GroundScale(pace=0.254, base_width=BASE))
DEPTHS = Depths(depth_min=BASE, depth_max=2.5 * BASE, shallow_max=1.5 * BASE)


def limits_of(terrain: Terrain) -> SizeLimits:
    slender = terrain in (Terrain.MARSH, Terrain.ROUGH, Terrain.GULLY)
    return SizeLimits(sides_max=9 * BASE, side_min=BASE, ratio_max=None if slender else 2.0)


@given(terrain=st.sampled_from(sorted(load_looks())), seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_every_outline_keeps_the_limits_and_is_one_whole_piece(terrain, seed):
    limits, stream = limits_of(terrain), Stream(f"piece/{seed}")
    shape = outline(load_looks()[terrain], draw_size(load_looks()[terrain], limits, BASE, stream), limits, stream)
    assert shape.is_valid
    assert not shape.interiors
    length, width = side_lengths(shape)
    assert length + width <= limits.sides_max
    assert width >= limits.side_min
    assert limits.ratio_max is None or length <= limits.ratio_max * width
    assert shape.area > 0.45 * side_lengths(shape)[0] * side_lengths(shape)[1]


def test_most_pieces_are_three_to_five_base_widths_long():
    look, limits = load_looks()[Terrain.WOODS], limits_of(Terrain.WOODS)
    found = [draw_size(look, limits, BASE, Stream(f"size/{seed}"))[0] / BASE for seed in range(200)]
    assert 0.7 < sum(3 <= long <= 5 for long in found) / 200 < 0.98
    assert max(found) - min(found) > 1.5


def test_a_size_outside_the_limits_is_brought_within():
    limits = limits_of(Terrain.WOODS)
    assert sum(fit_sides(400, 200, limits)) <= 9 * BASE
    long, short = fit_sides(200, 20, limits)
    assert long <= 2 * short
    assert fit_sides(30, 20, limits)[1] >= BASE


def test_a_wrong_row_of_the_template_is_named(monkeypatch):
    load_looks.cache_clear()
    shapes._template.cache_clear()
    monkeypatch.setattr(shapes, "template", lambda *_: {"pieces": {"woods": {"style": "fractal"}}})
    with pytest.raises(BookError, match=r"\[pieces\] woods"):
        load_looks()
    monkeypatch.undo()
    load_looks.cache_clear()
    shapes._template.cache_clear()
    assert set(load_looks()) == set(Terrain) - {Terrain.WATERWAY, Terrain.RIVER, Terrain.ROAD}


@pytest.mark.parametrize("edge", list(Edge))
def test_a_waterway_lies_along_its_whole_edge_half_of_it_shallow(edge):
    for seed in range(4):
        water = make_waterway(BOARD, edge, DEPTHS, Stream(f"water/{edge}/{seed}"))
        assert water.is_valid
        assert keeps_depths(water, BOARD, edge, DEPTHS)
        assert not keeps_depths(
            water, BOARD, edge, Depths(depth_min=BASE, depth_max=1.2 * BASE, shallow_max=1.1 * BASE)
        )


def test_a_waterway_has_bays() -> None:
    bounds = [make_waterway(BOARD, Edge.NEAR, DEPTHS, Stream(f"bays/{seed}")).bounds for seed in range(6)]
    assert {(left, low, round(right, 3)) for left, low, right, _ in bounds} == {(0, 0, 609.6)}
    assert max(high for *_, high in bounds) > 1.8 * BASE


@pytest.mark.parametrize("bases", [1.0, 2.0, 3.0])
def test_a_river_bows_and_swings_no_wider_than_its_band_and_in_a_wide_one_as_rivers_do(bases: float) -> None:
    manner = _river_style(BOARD, bases * BASE)
    assert manner.bow * BOARD.width <= 0.1 * bases * BASE + 1e-9
    assert manner.swing[0] <= manner.swing[1] <= 0.46 * bases * BASE
    assert _river_style(BOARD, BOARD.depth).bow == MEANDERING.bow


class TestSearch:
    PIECE: ClassVar = box(-60, -40, 60, 40)

    def ground(self, *closed: PlacementObstacle, **changed: object) -> PlacementArea:
        given = {"region": quarter_area(BOARD, Quarter.FAR_LEFT), "share": 1.0, "bounds": box(40, 40, 569.6, 569.6)}
        return PlacementArea(**{**given, "obstacles": closed, **changed})

    def spot(self, room: PlacementArea, stream: str, *smaller: Polygon) -> Polygon:
        """Return the outline of a piece in the place that is found for it."""
        found = find_placement(room, [self.PIECE, *smaller], Stream(stream))
        assert isinstance(found, PlacedOutline)
        return found.outline

    def test_a_piece_wholly_inside_its_quarter_off_the_edges_and_out_of_a_square(self) -> None:
        keep_out = PlacementObstacle("the march square", box(0, 384.8, 160, 544.8), 0.0)
        found = self.spot(self.ground(keep_out), "search/1")
        assert is_inside(found, quarter_area(BOARD, Quarter.FAR_LEFT))
        assert is_inside(found, box(40, 40, 569.6, 569.6))
        assert not found.intersects(keep_out.shape)

    def test_a_piece_that_reaches_into_the_next_quarter(self) -> None:
        line = ("x", BOARD.width / 2)
        found = self.spot(self.ground(share=0.5, crossed_lines=(line,), min_area=2 * BASE**2), "search/2")
        assert straddles_line(found, line, 2 * BASE**2)

    def test_what_stands_in_the_way_is_named(self) -> None:
        wood, tiny = PlacementObstacle("woods-1", box(100, 350, 250, 560), BASE), box(0, 0, 50, 50)
        for room, name in ((self.ground(wood), "woods-1"), (self.ground(bounds=tiny), "the edge of the board")):
            assert find_placement(room, [self.PIECE], Stream("search/3")) == PlacementFailure((name,))
            assert name in str(PlacementFailure((name,)))

    def test_a_smaller_piece_is_taken_where_a_large_one_has_no_room(self) -> None:
        wood = PlacementObstacle("woods-1", box(100, 350, 330, 620), BASE)
        room = self.ground(wood, bounds=BOARD.shape, region=box(0, 304.8, 90, 609.6), share=0.5)
        assert self.spot(room, "search/5", box(-20, -20, 20, 20)).area == pytest.approx(1600)

    def test_the_same_stream_finds_the_same_place_and_a_test_of_the_board_is_heeded(self) -> None:
        first, again, other = (find_placement(self.ground(), [self.PIECE], Stream(name)) for name in "aab")
        assert first == again != other
        assert isinstance(find_placement(self.ground(), [self.PIECE], Stream("a"), lambda _: False), PlacementFailure)
