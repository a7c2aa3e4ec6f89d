"""Streams and creeks: small waters, a stream plain between two fine banks, a creek wider and grown with reeds.

Source: the cartography, 7 (order of width) and 10.4.
"""

from __future__ import annotations

from typing import Final

import shapely
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Laid, LayerName
from printkit.drawing.canvas.shapes import Line, fill, resampled
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.signs.cover.rivers import banks, depth, flow, strokes
from printkit.drawing.signs.lines.channels import (
    Channel,
    damp,
    drawn_over,
    eased,
    kept_clear,
    sunk,
    tributaries,
    width_along,
)
from printkit.drawing.signs.lines.course_lines import Measured, on
from printkit.drawing.signs.lines.wet_plants import reeds
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course

_OVERLAP: Final = 0.2
_MOUTH: Final = 0.15
_WIDE: Final = 9.0
"""Millimetres at 1:1 from which a stream is wide enough for lines along its banks."""

_STREAM_LINES: Final = ((1.3, 0.22, (8.0, 22.0), (5.0, 14.0)),)
_CREEK_LINES: Final = ((1.4, 0.26, (10.0, 26.0), (3.0, 9.0)), (3.0, 0.18, (6.0, 15.0), (6.0, 18.0)))
_DASH: Final = 5.0
_DASH_PITCH: Final = 13.0
_DASHED_FROM: Final = 2.4
_REED_PITCH: Final = (10.0, 26.0)
_REED_HEIGHT: Final = 3.0


def stream(course: Course, pen: Pen, field: Battlefield) -> Laid:
    """Draw a stream; without a true width it grows from 1.6 to 3.4 mm on its way."""
    channel, over = Channel.of(course, pen, field), drawn_over(course, pen, field)
    mouths = tributaries(course, pen, field)
    yield from damp(course, ((1.5, 0.60),), pen, field)
    yield from _water(channel, over, mouths, pen, 0.5)
    if channel.width > pen.size(_WIDE):
        yield from flow(course, channel, over, pen, _STREAM_LINES)
    else:
        yield from _dashes(course, channel, over, pen)
    yield from banks(channel, _closed(over, mouths), pen, 0.42)


def creek(course: Course, pen: Pen, field: Battlefield) -> Laid:
    """Draw a creek: wider than a stream, deep in the middle, with clumps of reeds along its banks."""
    channel, over = Channel.of(course, pen, field), drawn_over(course, pen, field)
    mouths = tributaries(course, pen, field)
    yield from damp(course, ((2.6, 0.55), (1.3, 0.60)), pen, field)
    yield from _water(channel, over, mouths, pen, 0.7)
    yield from depth(channel, over, pen)
    yield from flow(course, channel, over, pen, _CREEK_LINES)
    yield from banks(channel, _closed(over, mouths), pen, 0.52)
    yield from _fringe(course, channel, shapely.union_all([over, *mouths]), pen, field)


def _water(channel: Channel, over: BaseGeometry, mouths: list[BaseGeometry], pen: Pen, shade: float) -> Laid:
    water = shapely.difference(channel.ground, over.buffer(-_OVERLAP))
    yield from on(LayerName.WATER, fill(water, pen.style.ink("water")))
    yield from sunk(water, shapely.union_all([channel.ground, over, *mouths]), pen, shade, 0.28)


def _closed(over: BaseGeometry, mouths: list[BaseGeometry]) -> BaseGeometry:
    """Return the ground through which no bank runs, since other water lies there."""
    return shapely.union_all([over, *(mouth.buffer(-_MOUTH) for mouth in mouths)])


def _dashes(course: Course, channel: Channel, over: BaseGeometry, pen: Pen) -> Laid:
    """Draw dashes in mid-stream, as far up as the water is wide enough for them."""
    spine = Measured.of(eased(resampled(channel.line, pen.size(1.0)), 0.3 * channel.width))
    chance = pen.stream(f"draw/{course.id}/flow")
    dashes: list[Line] = []
    way = pen.size(chance.between(2.0, 6.0))
    while way < spine.length - pen.size(_DASH):
        if width_along(course, pen, way / spine.length) >= pen.size(_DASHED_FROM):
            dashes.append(spine.cut(way, way + pen.size(_DASH)))
        way += pen.size(_DASH_PITCH) * chance.between(0.8, 1.2)
    yield from strokes(dashes, over, pen, 0.20, 0.9)


def _fringe(course: Course, channel: Channel, water: BaseGeometry, pen: Pen, field: Battlefield) -> Laid:
    """Draw clumps of reeds with their feet on the banks, here and there."""
    chance = pen.stream(f"draw/{course.id}/reeds")
    taken = shapely.union_all([kept_clear(pen, field), water]).buffer(pen.size(2.0))
    shapely.prepare(taken)
    feet: list[list[float]] = []
    for bank in channel.banks(pen.size(0.2)):
        edge = Measured.of(bank.points)
        way = pen.size(chance.between(4.0, _REED_PITCH[1]))
        while way < edge.length - pen.size(3.0):
            foot = edge.at(way)[0]
            if not shapely.contains_xy(taken, *foot):
                feet.append(foot.tolist())
            way += pen.size(chance.between(*_REED_PITCH))
    room = channel.ground.buffer(pen.size(_REED_HEIGHT + 1.0))
    yield from reeds(feet, _REED_HEIGHT, pen, chance, layer=LayerName.WATER_LINE, within=room)
