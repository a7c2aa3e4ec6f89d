"""What the land of a board shows, from its shapes: the share of its parcels, and how far a crossing is off its way."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from shapely import LineString

from printkit.api import Field
from printkit.chance.streams import Jitter
from printkit.core.words import find_words
from printkit.drawing.canvas.style import find as find_style
from printkit.drawing.dressing.dressing import find_dressing
from printkit.drawing.text.drafter import Drafter
from printkit.kit.registry import find
from printkit.recipes.prints.map_ground import build_cover
from printkit.terrain.field.features import Course, Crossing

# The length in mm along a road on both sides of a crossing that gives its direction there.
_REACH: Final = 6.0


def parcel_share(field: Field, dressing: str) -> float:
    """Return the share of a board with parcels at 1:1, from 0 to 1."""
    record = field.record
    cover = build_cover(record, find(record.rules), dressing, 1.0)
    if cover is None:
        return 0.0
    context = Drafter.map(find_style("campaign"), find_words("en"), Jitter(record.seed), scale=1.0).context
    parcels = find_dressing(record.battlefield, cover, context).parcels
    return sum(parcel.ground.area for parcel in parcels) / record.battlefield.ground.area


def largest_turn(field: Field) -> float:
    """Return the largest angle in degrees between a crossing and the road on it; 0 without crossings."""
    features = field.record.battlefield.features
    lines = {feature.id: feature.line for feature in features if isinstance(feature, Course)}
    crossings = [feature for feature in features if isinstance(feature, Crossing) and feature.route in lines]
    return max((_angle_to(lines[crossing.route], crossing) for crossing in crossings), default=0.0)


def _angle_to(line: LineString, crossing: Crossing) -> float:
    """Return the angle in degrees, 0 to 90, between a crossing and the line of its road there."""
    place = line.project(crossing.at)
    start, end = (line.interpolate(place + step) for step in (-_REACH, _REACH))
    bearing = math.degrees(math.atan2(end.y - start.y, end.x - start.x))
    apart = float(np.mod(bearing - crossing.bearing, 180.0))
    return min(apart, 180.0 - apart)
