"""Rivers and lakes: engraved water with its banks, open to one another where they meet.

Source: the cartography's sections 7 (order of width), 9.6 and 10.4. Rivers keep the true width of the rules, BR-G31.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.drawing.items import Ink, Laid, LayerName, Path
from printkit.drawing.pen import LEAST_MEANING, Pen
from printkit.drawing.planting import planted
from printkit.drawing.shapes import Line, dots, fill, lines, normals, polygons, resampled, wedges
from printkit.drawing.signs.courses import (
    Measured,
    areas,
    band,
    bending,
    courses,
    ends_on,
    on,
    overrun,
    parallel,
    ruled,
)
from printkit.terrain.battlefield import Battlefield
from printkit.terrain.features import Area, Course, Kind

_NOTHING: Final = Polygon()
_OVERLAP: Final = 0.2
_BAR_BEND: Final = 0.0115
_TICK_BEND: Final = 0.010
_SHORE_LINES: Final = ((1.5, 0.28, (14.0, 34.0), (2.5, 9.0)), (3.1, 0.20, (7.0, 20.0), (2.5, 9.0)))
_MORE_LINES: Final = ((4.9, 0.17, (6.0, 15.0), (7.0, 22.0)),)
_WATERLINES: Final = 5


def river(course: Course, pen: Pen, field: Battlefield) -> Laid:
    """Draw a river at its true width, from bank to bank."""
    line = overrun(course, field)
    ground = band(line, course.width)
    over = _drawn_over(course, field)
    mouths = [_ground(other, field) for other in _tributaries(course, field)]
    water = shapely.difference(ground, over.buffer(-_OVERLAP))
    yield from _damp(course, pen, field)
    yield from on(LayerName.WATER, fill(water, pen.style.ink("water")))
    yield from _depth(course, line, pen, field)
    yield from _sunk(water, shapely.union_all([ground, over, *mouths]), pen, 0.9, 0.28)
    sand, brinks = _bars(course, line, water, pen)
    yield from _sand(course, sand, brinks, pen)
    yield from _flow(course, line, sand.union(over), pen)
    closed = shapely.union_all([over, *(mouth.buffer(-0.15) for mouth in mouths)])
    banks = [bank for side in (1, -1) for bank in parallel(line, side * course.width / 2)]
    cut = shapely.difference(shapely.MultiLineString(banks), closed)
    yield from on(LayerName.WATER_LINE, ruled(cut, pen, "bank-line", 0.62, least=LEAST_MEANING))
    yield from _ticks(course, line, shapely.union_all([closed, *mouths]), pen)


def lake(area: Area, pen: Pen, field: Battlefield) -> Laid:
    """Draw a lake with waterlines along its shore, open where a river runs in."""
    shape, style = area.outline, pen.style
    inflow = shapely.union_all([_ground(course, field) for course in _feeders(area, field)] or [_NOTHING])
    joined = shape.union(inflow)
    rivers = inflow.buffer(pen.size(3.4))
    for width, token, alpha in ((3.0, "bank-damp", 0.7), (1.6, "sand", 0.35)):
        rim = shapely.difference(shape.buffer(pen.size(width)), rivers)
        yield from on(LayerName.BANK, fill(rim, pen.tint(token, alpha)))
    yield from on(LayerName.WATER, fill(shape, style.ink("water")))
    for inset in np.linspace(3, 26, 9):
        deep = shape.buffer(-pen.size(float(inset)))
        yield from on(LayerName.WATER, fill(deep, pen.tint("water-deep", 0.13)))
    yield from _sunk(shape, joined, pen, 1.1, 0.35)
    yield from on(LayerName.WATER_LINE, waterlines(joined, pen, _WATERLINES, within=shape))
    shore = shapely.difference(shape.exterior, inflow.buffer(-0.15))
    yield from on(LayerName.WATER_LINE, ruled(shore, pen, "bank-line", 0.62, least=LEAST_MEANING))


def waterlines(shape: BaseGeometry, pen: Pen, count: int, *, within: BaseGeometry) -> Iterable[Path]:
    """Return lines along the shore of ``shape``, each gap 1.3 times the last, as far as they lie in ``within``."""
    inset = gap = 1.5
    for number in range(count):
        line = shape.buffer(-pen.size(inset), quad_segs=6).boundary.intersection(within)
        width = 0.34 - 0.20 * number / max(1, count - 1)
        yield from ruled(line, pen, "waterline", width, alpha=0.9 - 0.06 * number)
        gap *= 1.3
        inset += gap


def _ground(course: Course, field: Battlefield) -> BaseGeometry:
    return band(overrun(course, field), course.width)


def _feeders(area: Area, field: Battlefield) -> list[Course]:
    """Return the rivers that run into a lake."""
    return [course for course in courses(field, Kind.RIVER) if area.outline.intersects(course.line)]


def _tributaries(course: Course, field: Battlefield) -> list[Course]:
    return [other for other in courses(field, Kind.RIVER) if ends_on(other, course)]


def _drawn_over(course: Course, field: Battlefield) -> BaseGeometry:
    """Return the lake or the greater river that this river runs into; it is drawn instead of what lies in it."""
    lakes = [area.outline for area in areas(field, Kind.LAKE) if area.outline.intersects(course.line)]
    rivers = [_ground(other, field) for other in courses(field, Kind.RIVER) if ends_on(course, other)]
    return shapely.union_all([*lakes, *rivers]) if lakes or rivers else _NOTHING


def _damp(course: Course, pen: Pen, field: Battlefield) -> Laid:
    """Draw the damp bank in two breadths, once where two rivers meet."""
    line = overrun(course, field)
    others = [other for other in courses(field, Kind.RIVER) if ends_on(course, other)]
    for spare, alpha in ((3.4, 0.55), (1.7, 0.70)):
        wet = band(line, course.width + 2 * pen.size(spare))
        theirs = [band(overrun(other, field), other.width + 2 * pen.size(spare)) for other in others]
        yield from on(
            LayerName.BANK, fill(shapely.difference(wet, shapely.union_all(theirs)), pen.tint("bank-damp", alpha))
        )


def _sunk(water: BaseGeometry, joined: BaseGeometry, pen: Pen, by: float, alpha: float) -> Laid:
    """Draw the shade that the north-western bank throws on the water."""
    if pen.style.shadows:
        moved = affinity.translate(joined, pen.size(by), -pen.size(by))
        yield from on(LayerName.WATER, fill(shapely.difference(water, moved), pen.tint("bank-line", alpha)))


def _depth(course: Course, line: LineString, pen: Pen, field: Battlefield) -> Laid:
    """Draw the deep middle in two breadths; towards a mouth both run out in a point."""
    points = resampled(line, pen.size(3.0))
    over = _drawn_over(course, field)
    fading = np.ones(len(points))
    if not over.is_empty:
        fading = np.clip(shapely.distance(shapely.points(points), over) / (1.6 * course.width), 0, 1)
    across = normals(points)
    for share, alpha in ((0.52, 0.35), (0.26, 0.30)):
        half = across * (course.width * share / 2 * np.sin(fading * np.pi / 2))[:, None]
        deep = shapely.make_valid(Polygon(np.vstack([points + half, (points - half)[::-1]])))
        yield from on(LayerName.WATER, fill(polygons(deep), pen.tint("water-deep", alpha)))


def _bars(course: Course, line: LineString, water: BaseGeometry, pen: Pen) -> tuple[BaseGeometry, list[Line]]:
    """Return the bars of sand on the inside of bends, and their edges towards the stream."""
    points = resampled(line, pen.size(2.0))
    bend, across = bending(points, pen.size(10.0)), normals(points)
    bars: list[BaseGeometry] = []
    brinks: list[Line] = []
    for side in (1, -1):
        for first, last in _stretches(bend * side * pen.scale > _BAR_BEND, least=9):
            here, out = points[first:last], across[first:last] * side
            thick = course.width * 0.20 * np.sin(np.linspace(0, np.pi, last - first)) ** 1.3
            brink = here + out * (course.width / 2 - thick)[:, None]
            bar = shapely.make_valid(Polygon(np.vstack([here + out * course.width / 2, brink[::-1]])))
            bars.append(shapely.intersection(bar, water))
            brinks.append(brink)
    return shapely.union_all(bars) if bars else _NOTHING, brinks


def _sand(course: Course, sand: BaseGeometry, brinks: list[Line], pen: Pen) -> Laid:
    stream = pen.stream(f"draw/{course.id}/bars")
    yield from on(LayerName.WATER, fill(sand, pen.tint("sand", 0.9)))
    yield from on(LayerName.WATER_LINE, ruled(brinks, pen, "waterline", 0.24))
    beaches = polygons(sand.buffer(-pen.size(0.3)))
    grains = [place for beach in beaches for place in planted(beach, pen.size(1.1), stream)]
    yield from on(LayerName.WATER_LINE, dots(grains, pen.size(0.14), pen.tint("sand-line", 0.9)))


def _flow(course: Course, line: LineString, over: BaseGeometry, pen: Pen) -> Laid:
    """Draw the broken lines along the banks, and dashes in mid-stream that grow thicker where the water turns."""
    stream, half = pen.stream(f"draw/{course.id}/flow"), course.width / 2
    rows = [row for row in _SHORE_LINES + _MORE_LINES if half - pen.size(row[0]) > pen.size(1.2)]
    for inset, width, ons, offs in rows:
        pieces: list[Line] = []
        for side in (1, -1):
            for row in parallel(line, side * (half - pen.size(inset))):
                pieces += Measured.of(row).broken(_sized(ons, pen), _sized(offs, pen), stream)
        yield from _strokes(pieces, over, pen, width, 0.85)
    room = half - pen.size(rows[-1][0] if rows else 0.5) - pen.size(1.0)
    lanes = max(1, round(2 * room / pen.size(3.2)) + 1) if room > 0 else 1
    calm: list[Line] = []
    quick: list[Line] = []
    spine = Measured.of(resampled(line, pen.size(2.0)))
    bend = np.abs(bending(spine.points, pen.size(10.0))) * pen.scale
    for offset in np.linspace(-room, room, lanes) if lanes > 1 else [0.0]:
        way = stream.between(0, pen.size(34))
        while way < spine.length - pen.size(6):
            length = pen.size(stream.between(5, 11))
            piece = spine.cut(way, way + length)
            aside = float(offset) + pen.size(stream.between(-0.9, 0.9))
            turning = float(np.interp(way + length / 2, spine.gone, bend))
            (quick if turning > _BAR_BEND else calm).append(piece + normals(piece) * aside)
            way += length + pen.size(stream.between(10, 26)) * (1.0 if lanes == 1 else 1.5)
    yield from _strokes(calm, over, pen, 0.20, 0.75)
    yield from _strokes(quick, over, pen, 0.28, 0.85)


def _strokes(pieces: list[Line], over: BaseGeometry, pen: Pen, width: float, alpha: float) -> Laid:
    kept = [LineString(piece) for piece in pieces if len(piece) > 1]
    shown = shapely.difference(shapely.MultiLineString(kept), over) if kept else _NOTHING
    yield from on(LayerName.WATER_LINE, ruled(lines(shown), pen, "waterline", width, alpha=alpha))


def _ticks(course: Course, line: LineString, mouths: BaseGeometry, pen: Pen) -> Laid:
    """Draw short strokes on the outer bank of bends, where the water undercuts it."""
    spine = Measured.of(resampled(line, pen.size(2.0)))
    bend, across = bending(spine.points, pen.size(8.0)) * pen.scale, normals(spine.points)
    keep_off = mouths.buffer(pen.size(1.5))
    shapely.prepare(keep_off)
    ink: Ink | None = pen.tint("hachure", 0.8)
    strokes: list[tuple[Line, float, float]] = []
    for way in np.arange(pen.size(12), spine.length - pen.size(12), pen.size(1.7)):
        turning = float(np.interp(way, spine.gone, bend))
        if abs(turning) <= _TICK_BEND:
            continue
        out = np.array([np.interp(way, spine.gone, across[:, axis]) for axis in (0, 1)]) * (-1 if turning > 0 else 1)
        foot = spine.at(way)[0] + out * (course.width / 2 + pen.size(0.35))
        if not shapely.contains_xy(keep_off, *foot):
            length = pen.size(min(3.6, 1.4 + abs(turning) * 55))
            strokes.append((np.array([foot + out * length, foot]), pen.width(0.50), pen.width(0.12)))
    yield from on(LayerName.WATER_LINE, wedges(strokes, ink))


def _stretches(holds: NDArray[np.bool_], *, least: int) -> list[tuple[int, int]]:
    """Return first and last place of every unbroken stretch that holds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], holds, [False]]).astype(int)))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= least]


def _sized(span: tuple[float, float], pen: Pen) -> tuple[float, float]:
    return pen.size(span[0]), pen.size(span[1])
