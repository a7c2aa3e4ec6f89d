"""What stands on the board for people: numbers of the key, names, words at crossings; placed before planting."""

from __future__ import annotations

from typing import Final, assert_never

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Anchor, Font, Item, LayerName
from printkit.drawing.canvas.shapes import Line, circles, fill, lines, outline, resampled
from printkit.drawing.canvas.symbol_context import LEAST_MEANING
from printkit.drawing.lettering.label_space import (
    Room,
    about,
    aside,
    boxes_at,
    centre,
    distance,
    from_centre,
    inside,
    joined_ground,
    steep_ground,
)
from printkit.drawing.lettering.lettering import Hand, measure
from printkit.drawing.map.naming import area_name, course_name
from printkit.drawing.map.overlays import DEPLOYMENT, limits, of_kind
from printkit.drawing.signs.built.settlement_types import BUILT
from printkit.drawing.text.drafter import Desk
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill, Kind

_NUMBER_PT: Final = 9.5
_WORD_PT: Final = 13.0
_FROM_EDGE: Final = 3.0
_KEEP_OUT: Final = 0.8
_STEEP_DEPTH: Final = 22.0
_NOTHING: Final = Polygon()
_NAMED_FIRST: Final = (Kind.BUA, Kind.HILL, Kind.LAKE, Kind.RIVER)


class Labels(Struct, frozen=True):
    """The items of all labels, and the ground that stamps keep out of."""

    items: tuple[tuple[LayerName, Item], ...]
    clear: BaseGeometry


def numbered(field: Battlefield) -> tuple[tuple[int, Feature], ...]:
    """Return the features with their numbers on map and key: from 1, in the order in which they were placed."""
    return tuple(enumerate(field.features, 1))


def labels(field: Battlefield, desk: Desk, *, numbers: bool = True, kept_free: BaseGeometry = _NOTHING) -> Labels:
    """Return every label of a battlefield whose shapes are printed mm.

    Words at crossings, which have least choice, come first, then names, the greater before the smaller, then the
    numbered discs. No label leaves the board, covers a way or water, or meets another. On cells, where every crossing
    lies in the middle of one, crossings are told by their signs alone, unless they have names.

    Args:
        numbers: of the key.
        kept_free: further ground that no label may cover.
    """
    features = field.features
    room = Room(
        inside=field.ground.buffer(-desk.size(_FROM_EDGE), join_style="mitre"),
        barred=joined_ground(
            [kept_free, *(_ground(feature, field, desk) for feature in features if _is_line(feature))]
        ),
        busy=joined_ground([feature.outline for feature in features if isinstance(feature, Area | Hill)]),
        ruled=joined_ground([limits(overlay, field.board) for overlay in of_kind(field, DEPLOYMENT)]).buffer(
            desk.size(2)
        ),
    )
    found: list[tuple[LayerName, Item]] = []
    for number, feature in numbered(field):
        if isinstance(feature, Crossing) and (feature.name or field.grid is None):
            mark = number if numbers else None
            found.extend(_crossing(feature, mark, field, desk, room))
    for feature in sorted(features, key=_priority):
        if feature.name and not isinstance(feature, Crossing):
            name = course_name if isinstance(feature, Course) else area_name
            found.extend((LayerName.LABEL, text) for text in name(feature, desk, room))  # type: ignore[arg-type]
    for number, feature in numbered(field) if numbers else ():
        if not isinstance(feature, Crossing):
            found.extend(_disc(number, _spot(feature, number, desk, room), desk))
    return Labels(tuple(found), joined_ground(room.taken).buffer(desk.size(_KEEP_OUT)))


def disc_radius(desk: Desk) -> float:
    """Return the printed radius in mm of the disc about a number: two figures fit."""
    return 0.90 * _number_hand(desk).height


def disc(number: int, at: tuple[float, float], desk: Desk) -> tuple[Item, ...]:
    """Return a number of the key in its disc, as on the map, so in the key."""
    hand = _number_hand(desk)
    shape = Point(at).buffer(disc_radius(desk), quad_segs=12)
    stroke = desk.pen.stroke(desk.style.solid("ink"), 0.35, least=LEAST_MEANING)
    figures = desk.text(str(number), at[0], at[1] - 0.36 * hand.height, hand, anchor=Anchor.MIDDLE)
    return (*fill(shape, desk.style.solid("cartouche")), *outline(shape, stroke), *figures)


def _number_hand(desk: Desk) -> Hand:
    return desk.hand(Font.FIGURES_MEDIUM, _NUMBER_PT)


def _priority(feature: Feature) -> int:
    return _NAMED_FIRST.index(feature.kind) if feature.kind in _NAMED_FIRST else len(_NAMED_FIRST)


def _is_line(feature: Feature) -> bool:
    return isinstance(feature, Course | Crossing)


def _ground(feature: Feature, field: Battlefield, desk: Desk) -> BaseGeometry:
    """Return what a feature covers on the sheet, a bridge with its wings."""
    match feature:
        case Area() | Hill():
            return feature.outline
        case Course():
            return feature.line.buffer(feature.width / 2 + desk.size(1), cap_style="square")
        case Crossing():
            way, water = field.find(feature.way), field.find(feature.water)
            wide = way.width if isinstance(way, Course) else desk.size(10)
            long = water.width if isinstance(water, Course) else desk.size(15)
            at = shapely.get_coordinates(feature.at)
            boxes = boxes_at(at, 1.25 * long + desk.size(4), wide + desk.size(6), angle=feature.bearing)
            ground: BaseGeometry = boxes[0]
            return ground
        case _:
            assert_never(feature)


def _disc(number: int, at: tuple[float, float], desk: Desk) -> tuple[tuple[LayerName, Item], ...]:
    return tuple((LayerName.NUMBER, item) for item in disc(number, at, desk))


def _spot(feature: Area | Hill | Course, number: int, desk: Desk, room: Room) -> tuple[float, float]:
    """Return where the disc of a feature stands, and take its room: in an area, by a town, beside a line."""
    radius = disc_radius(desk)
    clear_of, avoid = room.busy, _NOTHING
    if isinstance(feature, Course):
        places, dislike = _beside_line(feature, number, radius, desk, room)
    elif feature.kind in BUILT:
        places = resampled(feature.outline.buffer(radius + desk.size(2.2)).exterior, desk.size(3))
        dislike = aside(places, centre(feature.outline))
    else:
        places, dislike = _in_area(feature, radius, desk)
        clear_of, avoid = room.inside - feature.outline, steep_ground(feature, desk.size(_STEEP_DEPTH))
    discs = circles(places, radius + desk.size(1.2))
    best = room.best(discs, dislike, clear_of=clear_of, avoid=avoid)
    if best is None:
        best = room.best(discs, dislike, force=True) or 0
    room.take(discs[best])
    return float(places[best][0]), float(places[best][1])


def _in_area(feature: Area | Hill, radius: float, desk: Desk) -> tuple[Line, NDArray[np.float64]]:
    """Return places for a disc in the calm of an area or on the top of a hill."""
    ground = feature.contours[-1] if isinstance(feature, Hill) else feature.outline
    roomy = ground.buffer(-(radius + desk.size(2)))
    places = inside(roomy if not roomy.is_empty else ground, desk.size(4))
    return places, from_centre(places, ground)


def _beside_line(
    course: Course, number: int, radius: float, desk: Desk, room: Room
) -> tuple[Line, NDArray[np.float64]]:
    """Return places for a disc on both sides of a line, at about a third of its way; later lines at other shares."""
    visible = max(
        # Of a course along the very edge nothing may be left inside.
        lines(shapely.intersection(course.line, room.inside)),
        key=lambda part: float(part.length),
        default=course.line,
    )
    path = resampled(visible, desk.size(4))
    along = np.gradient(path, axis=0)
    across = np.column_stack([-along[:, 1], along[:, 0]]) / np.hypot(along[:, 0], along[:, 1])[:, None]
    reach = course.width / 2 + radius + desk.size(2.4)
    places = np.vstack([path + across * reach, path - across * reach])
    share = np.tile(np.linspace(0, 1, len(path)), 2)
    wanted = 0.3 if number % 2 else 0.7
    return places, np.abs(share - wanted) + 0.02 * np.repeat([0, 1], len(path))


def _crossing(
    crossing: Crossing, number: int | None, field: Battlefield, desk: Desk, room: Room
) -> tuple[tuple[LayerName, Item], ...]:
    """Return the word at a crossing, or its name, with its number before it, clear of way and water."""
    word = crossing.name or desk.words(f"kind.{crossing.kind}")
    hand = desk.hand(Font.ROMAN, _WORD_PT, track=0.5).haloed(desk.halo("halo", 1.3))
    radius = disc_radius(desk) if number is not None else 0.0
    lead = 2 * radius + (desk.size(1.6) if number is not None else 0.0)
    span = lead + measure(word, hand)
    high = max(hand.height * 0.96, 2 * radius)
    at = (crossing.at.x, crossing.at.y)
    ground = _ground(crossing, field, desk)
    least = float(np.sqrt(ground.area)) / 2
    places = np.vstack([about(at, least + desk.size(step)) for step in range(4, 64, 3)])
    # A label to the side stands with its near end towards the crossing, one above or below with its middle.
    lean = np.clip((places[:, :1] - at[0]) / max(least, 1e-6), -1, 1) * (span / 2)
    places = places + np.column_stack([lean, np.zeros(len(places))])
    boxes = boxes_at(places, span + desk.size(2), high + desk.size(1))
    liking = aside(places, at) + distance(places, at) / desk.size(18)
    best = room.best(boxes, liking, avoid=room.busy, force=True) or 0
    x, y = places[best]
    room.take(boxes[best])
    texts = desk.text(word, x - span / 2 + lead, y - 0.24 * hand.height, hand)
    word_items = tuple((LayerName.LABEL, text) for text in texts)
    if number is None:
        return word_items
    return word_items + _disc(number, (float(x - span / 2 + radius), float(y)), desk)
