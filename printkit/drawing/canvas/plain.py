"""Plain shapes of marks, sheets and cards: lines, polygons, rectangles and discs; and the inks black and white.

All lengths are in printed mm, and all points are on the grid of the display list (0.01 mm).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from shapely import Polygon

from printkit.drawing.canvas.items import GRID, Cap, Ink, Join, Path, PathRun, Rect, Stroke

BLACK: Final = Ink(0, 0, 0)
GREY: Final = Ink(120, 120, 120)
PALE: Final = Ink(205, 205, 205)
WHITE: Final = Ink(255, 255, 255)

# A geometry without any area.
NOTHING: Final = Polygon()

# Sums of lengths may differ by this much through rounding, in mm.
TOLERANCE: Final = 1e-6

Point: TypeAlias = tuple[float, float]


def make_line(points: Sequence[Point], ink: Ink, width: float, dash: tuple[float, ...] = ()) -> Path:
    """Return a line through points, with flat ends that stop there.

    ``dash`` has the lengths of strokes and gaps; empty for a solid line.
    """
    return _stroke_lines([points], ink, width, dash)


def make_lines(
    ends: Iterable[tuple[float, float, float, float]], ink: Ink, width: float, dash: tuple[float, ...] = ()
) -> Path:
    """Return straight lines, each given by its ends (x, y, x, y), as one path; see ``make_line``."""
    return _stroke_lines([(end[:2], end[2:]) for end in ends], ink, width, dash)


def _stroke_lines(lines: Iterable[Sequence[Point]], ink: Ink, width: float, dash: tuple[float, ...]) -> Path:
    """Return lines, each through its points, as one path with flat ends."""
    stroke = Stroke(ink, width, dash, cap=Cap.BUTT, join=Join.MITRE)
    return Path(tuple(_run(points, closed=False) for points in lines), stroke=stroke)


def make_polygon(points: Iterable[Point], ink: Ink | None, stroke: Stroke | None = None) -> Path:
    """Return a closed shape through points: filled, stroked or both.

    Without ``ink`` it is not filled; without ``stroke`` it has no line.
    """
    return Path((_run(points),), fill=ink, stroke=stroke)


def make_rectangle(rect: tuple[float, float, float, float], ink: Ink | None, stroke: Stroke | None = None) -> Path:
    """Return a rectangle (x, y, width, height), filled, stroked or both; see ``make_polygon``."""
    return make_polygon(rectangle_corners(*rect), ink, stroke)


def make_rectangles(rects: Iterable[Rect], ink: Ink) -> Path:
    """Return filled rectangles as one path."""
    return Path(tuple(_run(rectangle_corners(*rect)) for rect in rects), fill=ink)


def make_frame(rect: tuple[float, float, float, float], ink: Ink, width: float) -> Path:
    """Return the outline of a rectangle (x, y, width, height), with a line ``width`` wide centred on its sides.

    Its corners are sharp.
    """
    return make_rectangle(rect, None, Stroke(ink, width, join=Join.MITRE))


def make_disc(centre: Point, radius: float, ink: Ink | None, stroke: Stroke | None = None, *, sides: int = 40) -> Path:
    """Return a circle as a polygon with ``sides`` corners, filled, stroked or both; see ``make_polygon``."""
    angles = [2 * math.pi * step / sides for step in range(sides)]
    points = [(centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)) for angle in angles]
    return make_polygon(points, ink, stroke)


def make_lozenge(
    centre: Point, half_width: float, half_height: float, ink: Ink | None, stroke: Stroke | None = None
) -> Path:
    """Return a lozenge about its centre, filled, stroked or both; see ``make_polygon``."""
    x, y = centre
    points = (x - half_width, y), (x, y - half_height), (x + half_width, y), (x, y + half_height)
    return make_polygon(points, ink, stroke)


def make_ornament(end_xs: Point, y: float, half_width: float, gap: float, ink: Ink, width: float) -> list[Path]:
    """Return a horizontal rule with a lozenge in a gap in its middle.

    Args:
        end_xs: x of the left and the right end.
        y: height of the rule.
        half_width: half the width of the lozenge.
        gap: half the length of the gap.
        ink: the ink.
        width: line width.
    """
    middle = (end_xs[0] + end_xs[1]) / 2
    return [
        make_line([(end_xs[0], y), (middle - gap, y)], ink, width),
        make_line([(middle + gap, y), (end_xs[1], y)], ink, width),
        make_lozenge((middle, y), half_width, 0.45 * half_width, ink),
    ]


def rectangle_corners(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    """Return the corners of a rectangle, anticlockwise from ``x``, ``y`` (lower left)."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def _run(points: Iterable[Point], *, closed: bool = True) -> PathRun:
    """Return points as a run on the grid; ``closed`` joins the last to the first."""
    return PathRun(tuple(round(value / GRID) for point in points for value in point), closed)
