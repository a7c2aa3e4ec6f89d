"""The board, its zones and edges, and the battlefield that lies on it."""

from __future__ import annotations

import pytest
from shapely import Point, box

from printkit.terrain.field.battlefield import Battlefield, Board, Edge, GroundScale
from printkit.terrain.field.features import Area, Going, Kind

BOARD = Board(609.6, 609.6, GroundScale(pace=0.254, base_width=40.0))
GOOD = Going(rank=0, name="good")


def pond(identity: str) -> Area:
    return Area(id=identity, kind=Kind.LAKE, outline=Point(100, 100).buffer(40), going=GOOD)


@pytest.mark.clause("BR-105", "BR-106", "BR-701", "BR-G71")
def test_zones_and_edges_cover_the_board_once_in_their_order():
    zones = BOARD.zones(3, 3)
    assert [tuple(round(bound, 6) for bound in zone.bounds) for zone in (zones[0], zones[4], zones[8])] == [
        (0.0, 406.4, 203.2, 609.6),
        (203.2, 203.2, 406.4, 406.4),
        (406.4, 0.0, 609.6, 203.2),
    ]
    assert sum(zone.area for zone in zones) == pytest.approx(BOARD.shape.area)
    assert zones[0].union(zones[1]).equals(box(0, 406.4, 406.4, 609.6)) or zones[0].touches(zones[1])
    assert all(one.intersection(other).area < 1e-6 for one in zones for other in zones if one is not other)
    assert BOARD.paces(600) == pytest.approx(6 * 25.4)
    for edge in Edge:
        line = BOARD.edge(edge)
        assert BOARD.shape.boundary.covers(line)
        assert line.coords[0] < line.coords[-1]
        assert (edge is Edge.FAR) == (line.bounds[1] == BOARD.depth)


def test_adding_leaves_the_battlefield_as_it_was():
    empty = Battlefield(board=BOARD)
    full = empty.add(pond("a"), pond("b"))
    assert empty.features == ()
    assert [feature.id for feature in full.of(Kind.LAKE)] == ["a", "b"]
    assert list(full.of(Kind.MARSH)) == []
    assert full.find("b") == pond("b")
    with pytest.raises(KeyError):
        full.find("c")
