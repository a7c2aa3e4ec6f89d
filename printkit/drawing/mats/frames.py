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


def frame_at(x: float, y: float, degrees: float) -> Frame:
    """Return the frame with its origin at a point and a bearing in degrees."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return lambda along, aside: (x + along * cosine - aside * sine, y + along * sine + aside * cosine)


def oblong_in(frame: Frame, along: float, aside: float) -> Polygon:
    """Return the rectangle round the origin of a frame, from half its length and half its width."""
    return Polygon([frame(-along, -aside), frame(along, -aside), frame(along, aside), frame(-along, aside)])


def beside(line: BaseGeometry, along: float, off: float, step: float) -> tuple[float, float]:
    """Return the point ``off`` mm left of a line, ``along`` mm from its start; ``step`` mm ahead give its direction."""
    at, ahead = line.interpolate(along), line.interpolate(min(along + step, line.length))
    across, up = ahead.x - at.x, ahead.y - at.y
    length = math.hypot(across, up) or 1.0
    return at.x - up / length * off, at.y + across / length * off


def long_bearing(ground: Polygon) -> float:
    """Return the bearing in degrees of the longest side of the minimum rotated rectangle of some ground."""
    corners = shapely.get_coordinates(ground.minimum_rotated_rectangle)
    across, up = max(np.diff(corners, axis=0).tolist(), key=lambda step: math.hypot(*step))
    return math.degrees(math.atan2(up, across))
