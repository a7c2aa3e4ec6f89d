"""The search for a place: what a piece keeps from, what it lies in and across, and what is told where it has none."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace
from shapely import Polygon, box
from shapely.affinity import rotate

from printkit.chance.streams import Stream
from printkit.kit.placement import EDGE, QUARTERS, REGION, Blocked, Closed, Room, Spot, find

BOARD = box(0, 0, 600, 600)
ROOM = Room(region=BOARD, share=1, room=BOARD)
PIECE = box(-60, -20, 60, 20)
SEEDS = range(12)


def laid(ground: Room, piece: Polygon = PIECE, *, seed: int = 1) -> Spot:
    """Return where a piece was laid."""
    found = find(ground, [piece], Stream(f"place/{seed}"))
    assert isinstance(found, Spot)
    return found


def blocked(ground: Room, piece: Polygon = PIECE) -> Blocked:
    """Return why a piece was not laid."""
    found = find(ground, [piece], Stream("place"))
    assert isinstance(found, Blocked)
    return found


def at(x: float, y: float) -> Polygon:
    """Return a square of 100 mm about a place."""
    return box(x - 50, y - 50, x + 50, y + 50)


@pytest.mark.parametrize("gap", [0.0, 30.0])
def test_a_room_takes_what_keeps_the_gap(gap: float) -> None:
    ground = replace(ROOM, closed=(Closed("lake", at(300, 300), gap),))
    assert ground.takes(at(401 + gap, 300))
    assert not ground.takes(at(399 + gap, 300))
    assert ground.takes(at(400.005 + gap, 300))
    assert not replace(ground, closed=(*ground.closed, Closed("marsh", at(500, 500), gap))).takes(at(500, 470))


def test_a_room_takes_what_lies_on_the_board_in_its_region_and_across_one_of_its_lines() -> None:
    half = replace(ROOM, region=box(0, 0, 300, 600), share=0.5)
    assert half.takes(at(300, 300))
    assert not half.takes(at(302, 300))
    assert not half.takes(at(49, 300))
    whole = replace(half, share=1)
    assert whole.takes(at(250, 300))
    assert not whole.takes(at(251, 300))
    ground = replace(ROOM, across=(("x", 300), ("y", 500)), reach=1000)
    assert ground.takes(at(340, 200))
    assert not ground.takes(at(341, 200))
    assert ground.takes(at(100, 460))
    assert not ground.takes(at(100, 200))
    assert not ground.takes(at(100, 459))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_piece_is_turned_and_moved_as_it_says_and_lies_across_or_along_its_line(seed: int) -> None:
    spot = laid(ROOM, seed=seed)
    middle = spot.outline.centroid
    there = rotate(box(middle.x - 60, middle.y - 20, middle.x + 60, middle.y + 20), spot.turn, origin=middle)
    assert there.symmetric_difference(spot.outline).area < 1e-6
    assert ROOM.takes(spot.outline)
    spot = laid(replace(ROOM, across=(("x", 300),), reach=1.0), seed=seed)
    assert abs(spot.outline.centroid.x - 300) <= 0.6 * 60 + 1e-6
    ground = Room(region=box(0, 0, 250, 600), share=0.2, room=BOARD, across=(("x", 290),), reach=1.0)
    spot = laid(ground, seed=seed)
    assert abs(math.remainder(spot.turn, 180)) <= 14
    assert ground.takes(spot.outline)


def test_pieces_lie_where_the_board_is_free_or_are_told_what_stood_in_the_way() -> None:
    ground = replace(ROOM, closed=(Closed("lake", box(0, 0, 600, 250), 20.0),))
    spots = [laid(ground, at(0, 0), seed=seed) for seed in SEEDS]
    assert all(ground.takes(spot.outline) for spot in spots)
    assert min(spot.outline.bounds[1] for spot in spots) >= 270 - 0.01
    large, small = box(-400, -10, 400, 10), box(-40, -10, 40, 10)
    found = find(ROOM, [large, small, PIECE], Stream("place"))
    assert isinstance(found, Spot)
    assert found.outline.area == pytest.approx(small.area)
    assert find(ROOM, [small], Stream("place"), lambda _outline: False) == Blocked((QUARTERS,))
    lake, marsh = Closed("lake", box(0, 0, 600, 500), 0.0), Closed("marsh", box(0, 500, 600, 600), 0.0)
    assert blocked(replace(ROOM, closed=(lake, marsh))).by == ("lake", "marsh")
    assert str(blocked(replace(ROOM, closed=(lake, marsh)))) == "lake and marsh"
    assert blocked(ROOM, box(-400, -10, 400, 10)).by == (EDGE,)
    assert blocked(replace(ROOM, region=at(300, 300))).by == (REGION,)
    assert blocked(replace(ROOM, across=(("x", 300),), reach=4000)).by == (QUARTERS,)
    assert str(Blocked(())) == "everything"
