"""Faces of a hill that have a sign of their own: a cliff a little inside the contour, scree from crest to contour.

Source: the cartography, 10.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon

from printkit.drawing.canvas.area_fill import wash
from printkit.drawing.canvas.items import Laid, LayerName
from printkit.drawing.canvas.shapes import Line
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.signs.lines.course_lines import median, on
from printkit.drawing.signs.relief.cliffs import cliff_along
from printkit.drawing.signs.relief.contour_places import ON_CONTOUR
from printkit.drawing.signs.relief.relief_field import Numbers, Relief
from printkit.drawing.signs.relief.rocks import scree_within
from printkit.drawing.signs.relief.slopes import APRON, STEP, Slope
from printkit.terrain.field.features import Face, Hill, Kind

_CLIFF_INSET: Final = 6.0
_CLIFF_DEPTH: Final = 5.6
_CLIFF_WITHIN: Final = 0.15
_SCREE_INSET: Final = 0.9
_SHARE_OF_HILL: Final = 0.78
_RINGS: Final = ((2.4, 0.07), (1.1, 0.10))


def faces(hill: Hill, relief: Relief, slope: Slope, pen: Pen) -> Laid:
    """Draw the cliffs and the scree along the outermost contour of a hill.

    Args:
        slope: of that contour.
        pen: with the size of this hill's strokes.
    """
    for number, face in enumerate(hill.faces):
        name = f"draw/{hill.id}/face/{number}"
        for spots in _stretches(face, slope):
            if face.kind is Kind.CLIFF:
                yield from _cliff(spots, slope, pen, name)
            elif face.kind is Kind.SCREE:
                yield from _scree(spots, relief, slope, pen, name)


def _stretches(face: Face, slope: Slope) -> Iterator[NDArray[np.int64]]:
    """Yield the places around the contour on which a face lies, in their order; all of them for a face all round."""
    near = shapely.distance(shapely.points(slope.level.places), face.line) < ON_CONTOUR
    if near.all():
        yield np.append(np.arange(len(near)), 0)
        return
    first = int(near.argmin())
    order = np.roll(np.arange(len(near)), -first)
    for stretch in np.split(order, np.flatnonzero(np.diff(near[order].astype(int))) + 1):
        if near[stretch[0]] and len(stretch) > 3:
            yield stretch


def _heads(spots: NDArray[np.int64], steps: Numbers, slope: Slope) -> Line:
    """Return the points so many steps above places of the contour, or as far as one can go there."""
    return slope.traces.at(spots.astype(float), np.minimum(steps, slope.traces.steps[spots]))


def _cliff(spots: NDArray[np.int64], slope: Slope, pen: Pen, name: str) -> Laid:
    """Draw a cliff; places run counterclockwise, so the drop lies on the right, as it should."""
    crest = LineString(_heads(spots, np.full(len(spots), _CLIFF_INSET / STEP), slope))
    smooth = crest.simplify(pen.size(_CLIFF_WITHIN))
    yield from cliff_along(smooth, pen, pen.stream(name), depth=pen.size(_CLIFF_DEPTH))


def _scree(spots: NDArray[np.int64], relief: Relief, slope: Slope, pen: Pen, name: str) -> Laid:
    """Draw scree from the crest, where it is fine, to the contour, where it is coarse."""
    level, grid = slope.level, relief.grid
    most = np.minimum(APRON / STEP, _SHARE_OF_HILL * level.deepest / pen.size(STEP))
    high = _heads(spots, np.full(len(spots), most), slope)
    whole = Polygon(np.vstack([level.places[spots], high[::-1]])).buffer(0)
    apron = shapely.intersection(whole, level.contour.buffer(-pen.size(_SCREE_INSET)))
    deep = max(median(grid.at(level.inside, high)), pen.size(1.0))

    def fallen(places: Line) -> Numbers:
        return np.asarray(np.clip(1 - grid.at(level.inside, places) / deep, 0.0, 1.0))

    ground, edge = pen.style.ink("scree-ground"), pen.style.ink("stones-wash-edge")
    yield from on(LayerName.GROUND_WASH, wash(apron, ground, edge, pen, _RINGS))
    room = shapely.difference(apron, pen.clear)
    yield from scree_within(room, 0.0, pen, pen.stream(name), fallen=fallen)
