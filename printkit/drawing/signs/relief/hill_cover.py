"""What grows on a hill: so far inside its contours that the hachures stay in sight. Source: the cartography, 10.1."""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Laid, LayerName
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.scatter.crowns import crowns, shadows
from printkit.drawing.signs.cover.growths import GROWTHS
from printkit.drawing.signs.cover.scrub import bushes
from printkit.drawing.signs.cover.woods import clear_of, forest, grove, left_open
from printkit.drawing.signs.relief.relief_field import Relief
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Hill, Kind

_INSET: Final = (8.0, 17.0)
_INSET_NARROW: Final = (8.0, 13.5)
"""How far in mm inside a contour trees stand, on small hills and on others; nearer where contours lie close."""

_ON: Final = (14.0, 32.0)
"""Radii in mm of the largest inscribed circles of such hills."""

_INSET_STEEP: Final = 27.5
_TO_MIDDLE: Final = 0.85
_BELOW_CONTOUR: Final = 0.9
_SCRUB_RADIUS: Final = 3.0


def cover(hill: Hill, relief: Relief, pen: Pen, field: Battlefield) -> Laid:
    """Draw the trees or bushes of a hill.

    Args:
        relief: of the whole ground of which the hill may be a part.
    """
    within = shapely.intersection(hill.outline, field.board.shape)
    stream = pen.stream(f"draw/{hill.id}/trees")
    if hill.cover is Kind.SCRUB:
        room = shapely.intersection(_room(relief, pen.size(_SCRUB_RADIUS), pen), within)
        stand = clear_of(left_open(field, pen), bushes(room, pen.clear, pen, stream), radii=1.0)
        yield from shadows(stand, pen, LayerName.GROUND_PATTERN)
        yield from crowns(stand, pen, LayerName.GROUND_PATTERN)
    elif hill.cover is not None and (growth := GROWTHS.get(hill.cover)) is not None:
        large, spacing = growth.on_hill
        radius = pen.size(large)
        room = shapely.intersection(_room(relief, radius, pen), within)
        if growth.closed:
            ground = shapely.intersection(room.buffer(_TO_MIDDLE * radius), within)
            yield from forest(shapely.difference(ground, left_open(field, pen)), growth, radius, pen, stream)
            return
        stand = grove(room, growth, radius, pen, stream, spacing=spacing, edge=False)
        stand = clear_of(left_open(field, pen), stand, radii=1.0)
        yield from shadows(stand, pen)
        yield from crowns(stand, pen)


def _room(relief: Relief, radius: float, pen: Pen) -> BaseGeometry:
    """Return the ground on which the middles of trees may stand: above the hachures of one contour, below the next."""
    room: BaseGeometry = Polygon()
    insets = _INSET if len(relief.levels) == 1 else _INSET_NARROW
    for level in relief.levels:
        inset = float(np.interp(level.deepest / pen.size(1), _ON, insets))
        crest = min(_INSET_STEEP, 0.78 * level.deepest / pen.size(1) + 4.0)
        wanted = pen.size(1) * (inset + max(0.0, crest - inset) * level.slope)
        above = relief.grid.above(level.inside - wanted, 0.0)
        below = shapely.difference(room, level.contour.buffer(_BELOW_CONTOUR * radius))
        room = shapely.union(below, shapely.intersection(above, level.contour))
    return room
