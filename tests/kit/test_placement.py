"""The search for a place: what a piece keeps from, what it lies in and across, and what is told where it has none."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace
from shapely import Polygon, box
from shapely.affinity import rotate

from printkit.chance.streams import Stream
from printkit.kit.placement import (
    EDGE,
    QUARTERS,
    REGION,
    PlacedOutline,
    PlacementArea,
    PlacementFailure,
    PlacementObstacle,
    find_placement,
    search_placement,
)

BOARD = box(0, 0, 600, 600)
ROOM = PlacementArea(region=BOARD, share=1, bounds=BOARD)
PIECE = box(-60, -20, 60, 20)
SEEDS = range(12)


def laid(ground: PlacementArea, piece: Polygon = PIECE, *, seed: int = 1) -> PlacedOutline:
    """Return where a piece was laid."""
    found = find_placement(ground, [piece], Stream(f"place/{seed}"))
    assert isinstance(found, PlacedOutline)
    return found


def blocked(ground: PlacementArea, piece: Polygon = PIECE) -> PlacementFailure:
    """Return why a piece was not laid."""
    found = find_placement(ground, [piece], Stream("place"))
    assert isinstance(found, PlacementFailure)
    return found


def at(x: float, y: float) -> Polygon:
    """Return a square of 100 mm about a place."""
    return box(x - 50, y - 50, x + 50, y + 50)


@pytest.mark.parametrize("gap", [0.0, 30.0])
def test_a_room_takes_what_keeps_the_gap(gap: float) -> None:
    ground = replace(ROOM, obstacles=(PlacementObstacle("lake", at(300, 300), gap),))
    assert ground.accepts(at(401 + gap, 300))
    assert not ground.accepts(at(399 + gap, 300))
    assert ground.accepts(at(400.005 + gap, 300))
    assert not replace(ground, obstacles=(*ground.obstacles, PlacementObstacle("marsh", at(500, 500), gap))).accepts(
        at(500, 470)
    )


def test_a_room_takes_what_lies_on_the_board_in_its_region_and_across_one_of_its_lines() -> None:
    half = replace(ROOM, region=box(0, 0, 300, 600), share=0.5)
    assert half.accepts(at(300, 300))
    assert not half.accepts(at(302, 300))
    assert not half.accepts(at(49, 300))
    whole = replace(half, share=1)
    assert whole.accepts(at(250, 300))
    assert not whole.accepts(at(251, 300))
    ground = replace(ROOM, crossed_lines=(("x", 300), ("y", 500)), min_area=1000)
    assert ground.accepts(at(340, 200))
    assert not ground.accepts(at(341, 200))
    assert ground.accepts(at(100, 460))
    assert not ground.accepts(at(100, 200))
    assert not ground.accepts(at(100, 459))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_piece_is_turned_and_moved_as_it_says_and_lies_across_or_along_its_line(seed: int) -> None:
    spot = laid(ROOM, seed=seed)
    middle = spot.outline.centroid
    there = rotate(box(middle.x - 60, middle.y - 20, middle.x + 60, middle.y + 20), spot.angle_deg, origin=middle)
    assert there.symmetric_difference(spot.outline).area < 1e-6
    assert ROOM.accepts(spot.outline)
    spot = laid(replace(ROOM, crossed_lines=(("x", 300),), min_area=1.0), seed=seed)
    assert abs(spot.outline.centroid.x - 300) <= 0.6 * 60 + 1e-6
    ground = PlacementArea(
        region=box(0, 0, 250, 600), share=0.2, bounds=BOARD, crossed_lines=(("x", 290),), min_area=1.0
    )
    spot = laid(ground, seed=seed)
    assert abs(math.remainder(spot.angle_deg, 180)) <= 14
    assert ground.accepts(spot.outline)


def test_pieces_lie_where_the_board_is_free_or_are_told_what_stood_in_the_way() -> None:
    ground = replace(ROOM, obstacles=(PlacementObstacle("lake", box(0, 0, 600, 250), 20.0),))
    spots = [laid(ground, at(0, 0), seed=seed) for seed in SEEDS]
    assert all(ground.accepts(spot.outline) for spot in spots)
    assert min(spot.outline.bounds[1] for spot in spots) >= 270 - 0.01
    large, small = box(-400, -10, 400, 10), box(-40, -10, 40, 10)
    found = find_placement(ROOM, [large, small, PIECE], Stream("place"))
    assert isinstance(found, PlacedOutline)
    assert found.outline.area == pytest.approx(small.area)
    assert find_placement(ROOM, [small], Stream("place"), lambda _outline: False) == PlacementFailure((QUARTERS,))
    lake, marsh = (
        PlacementObstacle("lake", box(0, 0, 600, 500), 0.0),
        PlacementObstacle("marsh", box(0, 500, 600, 600), 0.0),
    )
    assert blocked(replace(ROOM, obstacles=(lake, marsh))).obstacles == ("lake", "marsh")
    assert str(blocked(replace(ROOM, obstacles=(lake, marsh)))) == "lake and marsh"
    assert blocked(ROOM, box(-400, -10, 400, 10)).obstacles == (EDGE,)
    assert blocked(replace(ROOM, region=at(300, 300))).obstacles == (REGION,)
    assert blocked(replace(ROOM, crossed_lines=(("x", 300),), min_area=4000)).obstacles == (QUARTERS,)
    assert str(PlacementFailure(())) == "everything"


@pytest.mark.parametrize(
    ("lines", "walls", "is_found"),
    [
        ((), (box(0, 0, 600, 270), box(0, 330, 600, 600)), True),
        ((), (box(0, 0, 600, 285), box(0, 315, 600, 600)), False),
        ((("x", 300.0),), (box(0, 0, 600, 270), box(0, 330, 270, 600)), True),
        ((("x", 300.0),), (box(280, 0, 320, 600),), False),
    ],
)
def test_a_search_finds_the_narrow_place_that_tries_miss(
    lines: tuple[tuple[str, float], ...], walls: tuple[Polygon, ...], is_found: bool
) -> None:
    obstacles = tuple(PlacementObstacle(f"wall-{number}", wall, 5.0) for number, wall in enumerate(walls))
    ground = replace(ROOM, obstacles=obstacles, crossed_lines=lines, min_area=400.0)
    found = search_placement(ground, PIECE)
    assert (found is not None) is is_found
    assert found is None or ground.accepts(found.outline)
    assert search_placement(ground, PIECE, lambda _outline: False) is None
