"""Frames: places along and aside of a bearing, as bridges, houses, rows and gardens are laid."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import shapely
from shapely import Polygon

Frame: TypeAlias = Callable[[float, float], tuple[float, float]]
"""From mm along and aside of a bearing to a place on the board."""


def frame_at(x: float, y: float, degrees: float) -> Frame:
    """Return the frame about a place."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return lambda along, aside: (x + along * cosine - aside * sine, y + along * sine + aside * cosine)


def oblong_in(frame: Frame, along: float, aside: float) -> Polygon:
    """Return the oblong that reaches so far on both sides of the middle of a frame."""
    return Polygon([frame(-along, -aside), frame(along, -aside), frame(along, aside), frame(-along, aside)])


def long_bearing(ground: Polygon) -> float:
    """Return the bearing of the longest side of the tightest box about some ground, in degrees."""
    corners = shapely.get_coordinates(ground.minimum_rotated_rectangle)
    across, up = max(np.diff(corners, axis=0).tolist(), key=lambda step: math.hypot(*step))
    return math.degrees(math.atan2(up, across))
