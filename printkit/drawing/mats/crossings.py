"""Paint crossings on a mat: stone and timber bridges, fords, level crossings."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Polygon
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.decks import WaterSpan, find_deep_water, find_water_span
from printkit.drawing.mats.frames import Frame, frame_at, oblong_in
from printkit.drawing.mats.painter import Painter, TextureLattice
from printkit.drawing.mats.ways import body
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Kind

_LARGEST: Final = 40.0
_USUAL_WAY: Final = 14.0
_OVER_WATER: Final = (Kind.FORD, Kind.BRIDGE, Kind.TIMBER_BRIDGE, Kind.RAILWAY_BRIDGE)


def crossing(painter: Painter, feature: Crossing, field: Battlefield, water: BaseGeometry) -> None:
    """Paint a crossing. A road junction has no symbol."""
    if feature.kind is Kind.JUNCTION:
        return
    k = painter.k
    found = {each.id: each for each in field.features}
    way, below = found.get(feature.way), found.get(feature.water)
    wide = way.width if isinstance(way, Course) else _USUAL_WAY * k
    course = way if isinstance(way, Course) else None
    frame = frame_at(feature.at.x, feature.at.y, feature.bearing)
    if feature.kind is Kind.LEVEL_CROSSING:
        rails = [each.width for each in field.features if isinstance(each, Course) and each.kind is Kind.RAILWAY]
        _planks(painter, frame, max(rails, default=_USUAL_WAY * k) / 2, wide * 0.42)
        return
    aside = _deck_width(wide, k) / 2
    frame, half = _deck_frame(frame, find_water_span(feature, course, 2 * aside, water_ground(below), k), k)
    deck = oblong_in(frame, half, aside)
    if feature.kind is Kind.FORD:
        painter.area("earth", deck, 7, 1.5, feature.id, gain=0.62)
        stones = painter.scattered(deck, "stone", 3.6, (0.13, 0.46), feature.id, share=0.8)
        painter.shadows(stones, 2.6, 0.55, 0.4)
        painter.sprites(stones, overlapping=False)
        return
    shadow = shapely.intersection(translate(deck, 2.2 * k, -2.6 * k), shapely.buffer(water, k))
    if not shadow.is_empty:
        painter.fill(shadow, (8, 14, 14), 0.45)
    if feature.kind is Kind.TIMBER_BRIDGE:
        _timber(painter, deck, frame, half, aside)
    else:
        _stone(painter, feature, deck, frame, half, aside)


def way_ground(course: Course, field: Battlefield, k: float) -> BaseGeometry:
    """Return the ground of a course without the water at its fords and beside its bridge decks."""
    ground = body(course)
    found = {each.id: each for each in field.features}
    for feature in field.features:
        if isinstance(feature, Crossing) and feature.way == course.id and feature.kind in _OVER_WATER:
            water = water_ground(found.get(feature.water))
            if feature.kind is not Kind.FORD:
                span = find_water_span(feature, course, _deck_width(course.width, k), water, k)
                water = find_deep_water(feature, span, course.width, water, k)
            ground = shapely.difference(ground, water)
    return ground


def _deck_width(wide: float, k: float) -> float:
    return max(6 * k, min(wide * 0.86, _LARGEST * k))


def water_ground(below: Feature | None) -> BaseGeometry:
    """Return the ground of the feature under a crossing; empty if there is none."""
    if isinstance(below, Course):
        return body(below)
    return below.outline if isinstance(below, Area) else Polygon()


def _deck_frame(frame: Frame, span: WaterSpan, k: float) -> tuple[Frame, float]:
    """Return the frame at the middle of a deck with ends slanted like the banks, and half the length in mm."""
    first, last = span.deck(k)
    middle = (first + last) / 2
    return lambda along, aside: frame(middle + along + span.slant * aside, aside), (last - first) / 2


def _planks(painter: Painter, frame: Frame, half: float, aside: float) -> None:
    k = painter.k
    for along in np.arange(-half, half, 1.7 * k).tolist():
        if abs(abs(along) - half * 0.43) > k:
            far = along + 1.4 * k
            ends = [frame(along, -aside), frame(far, -aside), frame(far, aside), frame(along, aside)]
            painter.fill(Polygon(ends), (116, 92, 62))
            painter.line(LineString([ends[0], ends[3]]), (52, 38, 22), 0.3, 0.8)


def _stone(painter: Painter, feature: Crossing, deck: Polygon, frame: Frame, half: float, aside: float) -> None:
    """Paint a stone bridge: deck, and parapets with wing walls at both ends."""
    k, turn = painter.k, math.radians(feature.bearing)
    on = "track" if feature.kind is Kind.BRIDGE else "gravel"
    painter.texture(on, clip=deck, lie=TextureLattice(feature.bearing, (feature.at.x, feature.at.y)))
    painter.fill(deck, (70, 58, 40), 0.12)
    over, rise = 0.9 * k * math.sin(turn), 0.9 * k * math.cos(turn)
    wings = ((-half - 2.5 * k, aside + 2 * k), (-half + k, aside), (half - k, aside), (half + 2.5 * k, aside + 2 * k))
    for side in (-1, 1):
        wall = LineString([frame(along, side * off) for along, off in wings])
        painter.line(translate(wall, 0.7 * k, -0.7 * k), (18, 16, 10), 2.2, 0.5)
        painter.line(wall, (72, 66, 56), 2.4)
        painter.line(wall, (170, 164, 148), 1.6)
        joints = []
        for along in np.arange(0.0, wall.length, 2.1 * k).tolist():
            at = wall.interpolate(along)
            joints.append(LineString([(at.x + over, at.y - rise), (at.x - over, at.y + rise)]))
        painter.line(shapely.multilinestrings(joints), (84, 78, 66), 0.28, 0.8)


def _timber(painter: Painter, deck: Polygon, frame: Frame, half: float, aside: float) -> None:
    k = painter.k
    painter.fill(deck, (126, 100, 66))
    joints = [
        LineString([frame(along, -aside), frame(along, aside)]) for along in np.arange(-half, half, 1.5 * k).tolist()
    ]
    painter.line(shapely.multilinestrings(joints), (60, 44, 26), 0.3, 0.8)
    for side in (-1, 1):
        painter.line(LineString([frame(-half, side * aside), frame(half, side * aside)]), (84, 62, 38), 1.1)
