"""Places along and aside of a bearing or a line, as bridges, houses, rows and gardens are laid."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

Frame: TypeAlias = Callable[[float, float], tuple[float, float]]
"""From mm along and aside of a bearing to a place on the board."""


def frame_at(x: float, y: float, degrees: float) -> Frame:
    """Return the frame about a place."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return lambda along, aside: (x + along * cosine - aside * sine, y + along * sine + aside * cosine)


def oblong_in(frame: Frame, along: float, aside: float) -> Polygon:
    """Return the oblong that reaches so far on both sides of the middle of a frame."""
    return Polygon([frame(-along, -aside), frame(along, -aside), frame(along, aside), frame(-along, aside)])


def beside(line: BaseGeometry, along: float, off: float, step: float) -> tuple[float, float]:
    """Return the place ``off`` mm to the left of a line, ``along`` mm from its start; ``step`` mm on tell its way."""
    at, ahead = line.interpolate(along), line.interpolate(min(along + step, line.length))
    across, up = ahead.x - at.x, ahead.y - at.y
    length = math.hypot(across, up) or 1.0
    return at.x - up / length * off, at.y + across / length * off


def long_bearing(ground: Polygon) -> float:
    """Return the bearing of the longest side of the tightest box about some ground, in degrees."""
    corners = shapely.get_coordinates(ground.minimum_rotated_rectangle)
    across, up = max(np.diff(corners, axis=0).tolist(), key=lambda step: math.hypot(*step))
    return math.degrees(math.atan2(up, across))
