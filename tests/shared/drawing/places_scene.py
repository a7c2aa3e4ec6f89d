"""What the tests of places and buildings share: ground of an ordinary size, and roads that lead there."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from shapely import Polygon, affinity, box
from signs_scene import GOOD, board, course

from printkit.chance.streams import Stream
from printkit.drawing.signs.built import settlement
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Feature, Kind, Origin
from printkit.terrain.geometry.outlines import draw_plot_outline

PLACES = (Kind.HAMLET, Kind.SETTLEMENT, Kind.VILLAGE, Kind.TOWN, Kind.CITY)
SINGLE = (Kind.BUILDING, Kind.FARM, Kind.EDIFICE, Kind.FORT, Kind.CAMP, Kind.BAGGAGE)
ACROSS = {
    Kind.BUILDING: (24, 18),
    Kind.FARM: (50, 40),
    Kind.HAMLET: (70, 60),
    Kind.SETTLEMENT: (90, 70),
    Kind.VILLAGE: (110, 90),
    Kind.TOWN: (130, 110),
    Kind.CITY: (160, 130),
    Kind.EDIFICE: (80, 60),
    Kind.FORT: (90, 80),
    Kind.CAMP: (84, 42),
    Kind.BAGGAGE: (40, 40),
}
"""Ground of an ordinary size at 1:1, in mm."""


def ground_of(kind: Kind, seed: int, *, scale: float = 1.0) -> Polygon:
    width, depth = ACROSS[kind]
    if kind in (Kind.CAMP, Kind.BAGGAGE, Kind.BUILDING):
        outline = affinity.rotate(box(-width / 2, -depth / 2, width / 2, depth / 2), 5 * seed)
    else:
        outline = draw_plot_outline(width, depth, Stream(f"{kind}/{seed}"))
    return affinity.translate(affinity.scale(outline, scale, scale, origin=(0, 0)), 200 * scale, 100 * scale)


def area_of(kind: Kind, outline: Polygon, placed_by: str = "") -> Area:
    return Area(id="f1", kind=kind, outline=outline, going=GOOD, origin=Origin(placed_by=placed_by))


def field_of(
    kind: Kind, seed: int, *, roads: Sequence[float] = (0.3, 3.2), scale: float = 1.0
) -> tuple[Area, Battlefield]:
    """Return an area with roads that come from these bearings and end in its centre."""
    feature = area_of(kind, ground_of(kind, seed, scale=scale))
    middle = np.array(settlement.find_middle(feature.outline))
    ways: list[Feature] = [feature]
    for number, bearing in enumerate(roads):
        far = middle + 150 * scale * np.array([math.cos(bearing), math.sin(bearing)])
        ways.append(course(f"r{number}", Kind.ROAD, [tuple(far), tuple(middle)], 9.6 * scale))
    return feature, board(*ways, width=400 * scale, depth=300 * scale)
