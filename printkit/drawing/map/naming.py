"""Letters the names of features: areas along their long axis, great ones on an arc, courses along their line."""

from __future__ import annotations

import math
from itertools import product
from typing import Final

import numpy as np
import shapely
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Anchor, Font, Text
from printkit.drawing.canvas.shapes import Line, resampled
from printkit.drawing.lettering.label_space import (
    Room,
    aside,
    boxed,
    boxes_at,
    centre,
    from_centre,
    inside,
    steep_ground,
)
from printkit.drawing.lettering.lettering import Hand, along, least_size, line, measure
from printkit.drawing.signs.built.settlement_types import BUILT
from printkit.drawing.text.drafter import Desk
from printkit.terrain.field.features import Area, Course, Hill, Kind

_GREAT_WOODS: Final = (Kind.HEAVY_WOODS, Kind.FOREST, Kind.CONIFER_FOREST, Kind.MIXED_WOODS, Kind.PALM_FOREST)
_OPEN_WOODS: Final = (Kind.LIGHT_WOODS, Kind.WOODLAND, Kind.LIGHT_CONIFERS, Kind.LIGHT_PALMS)
_ARCHED: Final = (*_GREAT_WOODS, Kind.HILL)
_TOWNS: Final = (Kind.BUA, Kind.TOWN, Kind.CITY)
_CAPITALS: Final = (*_GREAT_WOODS, *_TOWNS)
_WET: Final = (Kind.MARSH, Kind.SWAMP, Kind.BOGGY_GROUND)
_WATERS: Final = (Kind.LAKE, Kind.RIVER, *_WET)
_HALOS: Final = {
    **dict.fromkeys((*_GREAT_WOODS, *_OPEN_WOODS), "halo-wood"),
    **dict.fromkeys(_WET, "halo-marsh"),
    Kind.LAKE: "halo-lake",
    **dict.fromkeys((Kind.BROKEN_GROUND, Kind.ROUGH_GROUND), "halo-broken"),
}
_NEARLY: Final = 1e-3
_RISE: Final = 0.07
_SHARES: Final = (1.0, 0.9, 0.8)
_REPEAT: Final = 500.0
_MOST_TILT: Final = 12.0
_MOST_CLEARED: Final = 0.22
_CROWN: Final = 12.0
_STEEP_DEPTH: Final = 22.0


def area_name(feature: Area | Hill, desk: Desk, room: Room) -> tuple[Text, ...]:
    """Return the name of an area: in it where it fits, else beside it, else nothing, for the key has it anyway.

    What is placed is taken from the room.
    """
    ground = feature.contours[-1] if isinstance(feature, Hill) else feature.outline
    hand = _area_hand(feature, desk)
    text = feature.name.upper() if feature.kind in _CAPITALS else feature.name
    grounds = [ground] if ground is feature.outline else [ground, feature.outline]
    if feature.kind not in BUILT:
        arched = feature.kind in _ARCHED
        # Where a name leaves crowns out, it must leave enough of them for the wood to be seen.
        spread = desk.size(_CROWN) if feature.kind in _GREAT_WOODS else 0.0
        steep = steep_ground(feature, desk.size(_STEEP_DEPTH))
        for part, share in product(grounds, _SHARES):
            sized = hand.sized(share, least=least_size(hand.font))
            if found := _within(text, part, sized, desk, room, steep=steep, arched=arched, spread=spread):
                return found
    return _beside(text, feature.outline, hand, desk, room)


def course_name(course: Course, desk: Desk, room: Room) -> tuple[Text, ...]:
    """Return the name of a river or road along its straightest stretches, repeated every 500 mm of it."""
    water = course.kind is Kind.RIVER
    hand = desk.hand(Font.ITALIC, 20 if water else 13.5, "water-name" if water else "ink", track=2.2 if water else 0.5)
    hand = hand.haloed(desk.halo("halo", 1.4))
    span = measure(course.name, hand)
    found: list[Text] = []
    visible = shapely.intersection(course.line, room.inside)
    parts = [part for part in shapely.get_parts(visible) if part.length > span * 1.2]
    if not parts:
        return ()
    path = resampled(max(parts, key=lambda part: float(part.length)), 2.0)
    length = 2.0 * (len(path) - 1)
    times = max(1, round(length / max(_REPEAT * desk.pen.scale, span * 2)))
    for number in range(times):
        found.extend(_along(course, path, number / times, (number + 1) / times, hand, desk, room))
    return tuple(found)


def _area_hand(feature: Area | Hill, desk: Desk) -> Hand:
    true_area = feature.outline.area / desk.pen.scale**2
    grown = min(27.0, max(17.0, 13.0 + 0.11 * math.sqrt(true_area)))
    match feature.kind:
        case kind if kind in _TOWNS:
            hand = desk.hand(Font.ROMAN, 25, track=2.2)
        case kind if kind in BUILT:
            hand = desk.hand(Font.ROMAN, 17, track=0.8)
        case kind if kind in _GREAT_WOODS:
            hand = desk.hand(Font.ROMAN, 21, "label-wood", track=2.4)
        case kind if kind in _WATERS:
            hand = desk.hand(Font.ITALIC, min(22.0, grown), "water-name", track=0.9)
        case kind if kind in _OPEN_WOODS:
            hand = desk.hand(Font.ITALIC, grown, "label-wood", track=0.6)
        case _:
            hand = desk.hand(Font.ITALIC, grown, track=0.6 + 0.06 * (grown - 13))
    ground = feature.cover if isinstance(feature, Hill) and feature.cover else feature.kind
    return hand.haloed(desk.halo(_HALOS.get(ground, "halo"), 2.0 if ground in _GREAT_WOODS else 1.5))


def _within(
    text: str,
    ground: BaseGeometry,
    hand: Hand,
    desk: Desk,
    room: Room,
    *,
    steep: BaseGeometry,
    arched: bool,
    spread: float,
) -> tuple[Text, ...]:
    """Return the name inside its ground, tilted with its long axis, or nothing where it does not fit."""
    span, high = measure(text, hand) + desk.size(2), hand.height * 0.96
    rise = _RISE * span if arched else 0.0
    angle = _tilt(ground)
    margin = desk.size(2)
    if spread and (span + spread) * (high + spread) > _MOST_CLEARED * ground.area:
        return ()
    left, low, right, top = ground.bounds
    across, up = boxed(span, high + rise, angle=angle)
    if across > right - left + _NEARLY or up > top - low + _NEARLY:
        return ()
    places = inside(ground.buffer(-(high / 2 + margin)), desk.size(5))
    if not len(places):
        return ()
    boxes = boxes_at(places, span, high + rise, angle=angle)
    best = room.best(boxes, from_centre(places, ground), clear_of=room.inside - ground, avoid=steep)
    if best is None:
        return ()
    room.take(boxes[best].buffer(desk.size(2)))
    x, y = places[best]
    if not arched:
        turn = math.radians(angle)
        foot = (x + 0.24 * hand.height * math.sin(turn), y - 0.24 * hand.height * math.cos(turn))
        return line(text, foot, hand, anchor=Anchor.MIDDLE, angle=angle)
    return along(text, _arc((x, y), span, rise, angle), hand, offset=-0.24 * hand.height)


def _arc(at: tuple[float, float], span: float, rise: float, angle: float) -> Line:
    """Return a gentle arch over a chord of ``span`` mm, half its rise above ``at`` and half below."""
    share = np.linspace(-1.0, 1.0, 41)
    flat = np.column_stack([share * span / 2, rise * (0.5 - share**2)])
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return np.asarray(at) + np.column_stack([flat @ (cosine, -sine), flat @ (sine, cosine)])


def _tilt(ground: BaseGeometry) -> float:
    """Return the slant of the long axis in degrees, at most 12 either way; 0 for one that stands upright."""
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(ground))
    sides = np.diff(corners[:3], axis=0)
    axis = max(sides, key=lambda side: float(np.hypot(*side)))
    slant = math.degrees(math.atan2(axis[1], axis[0]))
    slant = (slant + 90) % 180 - 90
    return max(-_MOST_TILT, min(_MOST_TILT, slant)) if abs(slant) < 50 else 0.0


def _beside(text: str, ground: BaseGeometry, hand: Hand, desk: Desk, room: Room) -> tuple[Text, ...]:
    """Return the name next to its ground: right above first; smaller where it must be, nothing where it cannot."""
    for share in _SHARES:
        sized = hand.sized(share, least=least_size(hand.font))
        span, high = measure(text, sized) + desk.size(2), sized.height * 0.96
        reach = desk.size(3)
        left, low, right, top = ground.bounds
        about = shapely.box(left - span / 2, low - high / 2, right + span / 2, top + high / 2).buffer(reach)
        places = resampled(about.exterior, desk.size(6))
        boxes = boxes_at(places, span, high)
        best = room.best(boxes, aside(places, centre(ground)), clear_of=ground, avoid=room.busy)
        if best is not None:
            room.take(boxes[best].buffer(desk.size(4)))
            x, y = places[best]
            return line(text, (x, y - 0.24 * sized.height), sized, anchor=Anchor.MIDDLE)
    return ()


def _along(
    course: Course, path: Line, first: float, last: float, hand: Hand, desk: Desk, room: Room
) -> tuple[Text, ...]:
    """Return the name beside its line within a stretch of it, where the line bends least and the ground is free."""
    span, high = measure(course.name, hand), hand.height
    length = 2.0 * (len(path) - 1)
    half = span / 2 + desk.size(4)
    middles = np.arange(max(first * length, half), min(last * length, length - half), 6.0)
    edge = course.width / 2 + desk.size(1.5)
    lines, dislikes, made = [], [], []
    for middle in middles:
        window = path[max(0, int((middle - half) / 2)) : int((middle + half) / 2) + 1]
        chord = window[-1] - window[0]
        bend = 1 - float(np.hypot(*chord)) / (2.0 * (len(window) - 1))
        reads = window if chord[0] > -0.2 * np.hypot(*chord) else window[::-1]
        for offset in (edge + 0.20 * high, -(edge + 0.70 * high)):
            lines.append(LineString(reads))
            dislikes.append(40 * bend + 0.5 * (offset < 0))
            made.append((reads, offset))
    if not lines:
        return ()
    midlines = shapely.offset_curve(lines, [offset + 0.24 * high for _, offset in made])
    boxes = shapely.buffer(midlines, 0.48 * high, quad_segs=16, cap_style="flat")
    best = room.best(boxes, dislikes, avoid=room.busy)
    if best is None:
        return ()
    room.take(boxes[best].buffer(desk.size(2)))
    reads, offset = made[best]
    return along(course.name, reads, hand, offset=offset)
