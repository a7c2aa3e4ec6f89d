"""The ground of many shadows: the very points and rings that ``shapely.union_all`` gives."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from printkit.chance.streams import Stream
from printkit.drawing.scatter.uniting import united


def _discs(count: int, side: float, name: str) -> NDArray[np.object_]:
    """Return uneven stars over a square, every other one running the other way round."""
    stream = Stream(f"uniting/{name}")
    found = []
    for number in range(count):
        x, y, size = stream.between(0, side), stream.between(0, side), stream.between(0.5, 3.0)
        corners = 5 + stream.below(9)
        turn = np.arange(corners) * (2 * np.pi / corners)
        reach = size * (0.6 + 0.4 * stream.array(corners))
        points = np.column_stack([x + reach * np.cos(turn), y + reach * np.sin(turn)])
        found.append(shapely.Polygon(points[:: 1 if number % 2 else -1]))
    return np.array(found, dtype=object)


@pytest.mark.parametrize(
    ("count", "side"),
    [(1, 10.0), (2, 3.0), (2, 90.0), (9, 30.0), (40, 60.0), (41, 200.0), (150, 110.0), (300, 100.0), (700, 260.0)],
)
def test_many_shapes_are_united_as_shapely_unites_them(count: int, side: float) -> None:
    shapes = _discs(count, side, f"{count} on {side}")
    whole = shapely.get_parts(shapely.union_all(shapes))
    assert [part.wkb for part in united(shapes)] == [part.wkb for part in whole]


def test_what_lies_within_others_gives_no_ring_its_place() -> None:
    large, small = shapely.Point(10, 10).buffer(5), shapely.Point(9, 8).buffer(1)
    others = [shapely.Point(x, 30 + 3 * x).buffer(1) for x in range(0, 40, 4)]
    shapes = np.array([small, *others, large], dtype=object)
    whole = shapely.get_parts(shapely.union_all(shapes))
    assert [part.wkb for part in united(shapes)] == [part.wkb for part in whole]


def test_a_hole_between_shapes_stays() -> None:
    ring = [shapely.box(0, 0, 9, 2), shapely.box(7, 1, 9, 9), shapely.box(0, 7, 8, 9), shapely.box(0, 1, 2, 8)]
    apart = [shapely.box(x, 20, x + 1, 21) for x in range(0, 60, 3)]
    found = united(np.array([*ring, *apart], dtype=object))
    assert sorted(len(part.interiors) for part in found) == [0] * len(apart) + [1]
    assert sum(part.area for part in found) == pytest.approx(81 - 25 + len(apart))
