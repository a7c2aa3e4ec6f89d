"""Samples of signs for keys of a rule system: those of the legend, and hills as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Final

import numpy as np
from shapely import LineString

from printkit.chance.streams import Jitter
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.furniture.legend import swatch_drawing
from printkit.drawing.furniture.legend_entries import ENTRIES, Entry
from printkit.drawing.furniture.swatches import SWATCH, UNSTATED, patch
from printkit.drawing.text.drafter import Desk
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Face, Feature, Going, Hill, Kind
from printkit.terrain.geometry.roughness import Noise

_OUTER: Final = (13.2, 8.0)
_INNER: Final = (6.6, 3.6)
_ARC: Final = (0.53, 0.86)
"""The part of a hill's outline, from the east and anticlockwise, that is cliff or scree."""

_POWER: Final = 0.55
"""How signs shrink with the scale of the map; see ``Pen.symbol_scale``."""


def _hill(*, steep: bool = False, face: Kind | None = None) -> tuple[Feature, ...]:
    """Return a whole hill in a swatch; a steep one has a second contour, and its slopes are steep but for the face."""
    outline = patch(15.0, 9.5, *_OUTER)
    contours = (outline, patch(15.0, 9.6, *_INNER)) if steep else (outline,)
    ring = LineString(outline.exterior.coords)
    faces: list[Face] = []
    if face is not None:
        faces.append(Face(line=_along(ring, *_ARC), kind=face, going=UNSTATED, side=0))
    if steep:
        rest = ring if face is None else _along(ring, _ARC[1], 1.0 + _ARC[0])
        faces.append(Face(line=rest, kind=Kind.STEEP_SLOPE, going=UNSTATED, side=1))
    name = f"key-hill-{'steep' if steep else 'gentle'}-{face or ''}"
    return (Hill(id=name, kind=Kind.HILL, contours=contours, going=UNSTATED, faces=tuple(faces)),)


def _along(ring: LineString, start: float, end: float) -> LineString:
    spots = np.linspace(start, end, 60) % 1.0
    return LineString([ring.interpolate(float(spot) or 1e-9, normalized=True) for spot in spots])


def _nowhere(_field: Battlefield) -> Iterator[Going]:
    return iter(())


HILLS: Final[Mapping[str, Callable[[], tuple[Feature, ...]]]] = {
    "hill": _hill,
    "steep_hill": partial(_hill, steep=True),
    "hill_cliff": partial(_hill, face=Kind.CLIFF),
    "hill_scree": partial(_hill, face=Kind.SCREE),
    "steep_hill_cliff": partial(_hill, steep=True, face=Kind.CLIFF),
}
"""Whole hills by name; everything else is drawn as the legend draws it."""

_LEGEND: Final = {entry.key: entry for entry in ENTRIES}


def sign_swatch(key: str, width: float, style: Style, words: Words) -> Drawing:
    """Return the real sign of a style in a bordered swatch.

    Args:
        key: of ``HILLS``, or of an entry of the legend.
        width: of the swatch in mm; signs grow no smaller than in one of 10.5 mm.
        style: the symbol set.
        words: of the desk; nothing is written.

    Raises:
        KeyError: there is no such sign.
    """
    scale = (width / SWATCH[0]) ** (1.0 / _POWER)
    pen = Pen(style=style, jitter=Jitter(0), noise=_noise(), scale=scale)
    desk = Desk(pen=pen, words=words)
    entry = Entry(key, _nowhere, HILLS[key]) if key in HILLS else _LEGEND[key]
    return swatch_drawing(entry, desk)


@cache
def _noise() -> Noise:
    return Noise.of(Jitter(0).stream("draw/noise"))
