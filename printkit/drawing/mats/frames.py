"""Local coordinates along and across a bearing or a line, for bridges, houses, rows and gardens."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

# Converts mm along and across a bearing to a point on the board.
Frame: TypeAlias = Callable[[float, float], tuple[float, float]]


def make_frame(x: float, y: float, degrees: float) -> Frame:
    """Return the frame with its origin at a point in printed mm and a bearing in degrees anticlockwise.

    A frame is a function from printed mm along and to the left of the bearing to x and y of a point, in printed mm.
    """
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return lambda distance, offset: (x + distance * cosine - offset * sine, y + distance * sine + offset * cosine)


def rectangle_in_frame(frame: Frame, half_length: float, half_width: float) -> Polygon:
    """Return the rectangle round the origin of a frame, from half its length and width in printed mm.

    Corners are in printed mm, anticlockwise from the rear right one.
    """
    return Polygon(
        [
            frame(-half_length, -half_width),
            frame(half_length, -half_width),
            frame(half_length, half_width),
            frame(-half_length, half_width),
        ]
    )


def offset_point(line: BaseGeometry, distance: float, offset: float, step: float) -> tuple[float, float]:
    """Return x and y of the point ``offset`` left of a line, ``distance`` from its start, in printed mm.

    The point ``step`` mm further on gives the direction of the line.
    """
    point, ahead = line.interpolate(distance), line.interpolate(min(distance + step, line.length))
    dx, dy = ahead.x - point.x, ahead.y - point.y
    length = math.hypot(dx, dy) or 1.0
    return point.x - dy / length * offset, point.y + dx / length * offset


def long_side_bearing(ground: Polygon) -> float:
    """Return the bearing of the longest side of the smallest rectangle around some ground.

    It is in degrees anticlockwise from the right.
    """
    corners = shapely.get_coordinates(ground.minimum_rotated_rectangle)
    dx, dy = max(np.diff(corners, axis=0).tolist(), key=lambda step: math.hypot(*step))
    return math.degrees(math.atan2(dy, dx))
