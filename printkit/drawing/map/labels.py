"""Place labels: key numbers, words at crossings, names of areas and courses."""

from __future__ import annotations

import math
from itertools import product
from typing import Final, assert_never

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core import elementary
from printkit.drawing.canvas.items import Anchor, Font, Item, LayeredItems, LayerName, Text
from printkit.drawing.canvas.shapes import Line, circles, fill, lines, outline, resampled
from printkit.drawing.canvas.symbol_context import LEAST_MEANING
from printkit.drawing.lettering.label_space import (
    LabelSpace,
    boxes_at,
    centre,
    centre_distance,
    circle_points,
    distance,
    joined_ground,
    lattice_points,
    rotated_size,
    side_penalties,
    steep_ground,
)
from printkit.drawing.lettering.lettering import TypeStyle, least_size, line, measure, set_along_curve
from printkit.drawing.map.course_names import course_name, reach, road_ends
from printkit.drawing.map.overlays import guide_ground
from printkit.drawing.signs.lines.course_lines import on
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import BUILT, Area, Course, Crossing, Feature, Hill, Kind
from printkit.terrain.field.names import NO_NAMES

# --- Names of features: areas along their long axis, large ones on an arc, courses along their line -------------------

_GREAT_WOODS: Final = (Kind.HEAVY_WOODS, Kind.FOREST, Kind.CONIFER_FOREST, Kind.MIXED_WOODS, Kind.PALM_FOREST)
_OPEN_WOODS: Final = (Kind.LIGHT_WOODS, Kind.WOODLAND, Kind.LIGHT_CONIFERS, Kind.LIGHT_PALMS)
_ARCHED: Final = (*_GREAT_WOODS, Kind.HILL)
_TOWNS: Final = (Kind.BUA, Kind.TOWN, Kind.CITY)
_CLOSED: Final = frozenset((*_GREAT_WOODS, *BUILT))
_CAPITALS: Final = (*_GREAT_WOODS, *_TOWNS)
_WET: Final = (Kind.MARSH, Kind.SWAMP, Kind.BOGGY_GROUND)
_WATERS: Final = (Kind.LAKE, Kind.POOL, *_WET)
_HALOS: Final = {
    **dict.fromkeys((*_GREAT_WOODS, *_OPEN_WOODS), "halo-wood"),
    **dict.fromkeys(_WET, "halo-marsh"),
    Kind.LAKE: "halo-lake",
    **dict.fromkeys((Kind.BROKEN_GROUND, Kind.ROUGH_GROUND), "halo-broken"),
}
_NEARLY: Final = 1e-3
_RISE: Final = 0.07
_SHARES: Final = (1.0, 0.9, 0.8)
_MOST_TILT: Final = 12.0
_MOST_CLEARED: Final = 0.22
_CROWN: Final = 12.0
# Minimum distance in mm of a name in a closed wood from the outline.
_EDGE_ROW: Final = 10.5

# Distance in mm of a name beside an area from its outline: minimum (to its box), preferred, maximum (to its letters).
_NEAREST: Final = 1.6
_BESIDE: Final = 3.0
_FARTHEST: Final = 6.0

_SPARE: Final = 0.6
# Distance of the baseline below the middle of a label, relative to the type size.
_FEET: Final = 0.24

_SLANT: Final = 0.55
_GAP: Final = 0.04
_STEEP_DEPTH: Final = 22.0
# The seam area extends this far in mm on each side past the actual cut between two sheets.
_ABOUT_CUT: Final = 10.5


def area_name(feature: Area | Hill, drafter: Drafter, room: LabelSpace) -> tuple[Text, ...]:
    """Return the name of an area: inside it if it fits, otherwise beside it, otherwise nothing (the key has it).

    The space of a placed name is reserved.
    """
    ground = feature.contours[-1] if isinstance(feature, Hill) else feature.outline
    hand = _area_hand(feature, drafter)
    text = feature.name.upper() if feature.kind in _CAPITALS else feature.name
    grounds = [ground] if ground is feature.outline else [ground, feature.outline]
    if feature.kind not in BUILT:
        arched = feature.kind in _ARCHED
        # A name replaces tree crowns. Enough crowns must remain for the wood to be visible.
        spread = drafter.size(_CROWN) if feature.kind in _GREAT_WOODS else 0.0
        steep = steep_ground(feature, drafter.size(_STEEP_DEPTH))
        for whole in room.cut_rules:
            for part, share in product(grounds, _SHARES):
                sized = hand.resize(share, minimum_pt=least_size(hand.font))
                if found := _within(
                    text, part, sized, drafter, room, steep=steep, arched=arched, spread=spread, whole=whole
                ):
                    return found
            # An undivided name beside the area is better than one inside that a sheet cut divides.
            if found := _beside(text, feature.outline, hand, drafter, room, whole=whole):
                return found
        return ()
    for whole in room.cut_rules:
        if found := _beside(text, feature.outline, hand, drafter, room, whole=whole):
            return found
    return ()


def _area_hand(feature: Area | Hill, drafter: Drafter) -> TypeStyle:
    true_area = feature.outline.area / drafter.context.scale**2
    grown = min(27.0, max(17.0, 13.0 + 0.11 * math.sqrt(true_area)))
    match feature.kind:
        case kind if kind in _TOWNS:
            hand = drafter.hand(Font.ROMAN, 25, track=2.2)
        case kind if kind in BUILT:
            hand = drafter.hand(Font.ROMAN, 17, track=0.8)
        case kind if kind in _GREAT_WOODS:
            hand = drafter.hand(Font.ROMAN, 21, "label-wood", track=2.4)
        case kind if kind in _WATERS:
            hand = drafter.hand(Font.ITALIC, min(22.0, grown), "water-name", track=0.9)
        case kind if kind in _OPEN_WOODS:
            hand = drafter.hand(Font.ITALIC, grown, "label-wood", track=0.6)
        case _:
            hand = drafter.hand(Font.ITALIC, grown, track=0.6 + 0.06 * (grown - 13))
    ground = feature.cover if isinstance(feature, Hill) and feature.cover else feature.kind
    return hand.with_halo(drafter.halo(_HALOS.get(ground, "halo"), 2.0 if ground in _GREAT_WOODS else 1.5))


def _within(
    text: str,
    ground: BaseGeometry,
    hand: TypeStyle,
    drafter: Drafter,
    room: LabelSpace,
    *,
    steep: BaseGeometry,
    arched: bool,
    spread: float,
    whole: bool,
) -> tuple[Text, ...]:
    """Return the name inside its area, tilted along the long axis, or nothing if it does not fit."""
    span, high = measure(text, hand) + drafter.size(2), hand.height * 0.96
    rise = _RISE * span if arched else 0.0
    angle = _tilt(ground)
    margin = drafter.size(2)
    if spread and (span + spread) * (high + spread) > _MOST_CLEARED * ground.area:
        return ()
    left, low, right, top = ground.bounds
    across, up = rotated_size(span, high + rise, angle=angle)
    if across > right - left + _NEARLY or up > top - low + _NEARLY:
        return ()
    # The row of crowns along the edge marks a closed wood, so names must not cover it.
    within = ground.buffer(-drafter.size(_EDGE_ROW)) if spread else ground
    places = lattice_points(within.buffer(-(high / 2 + margin), quad_segs=4), drafter.size(5))
    if not len(places):
        return ()
    boxes = boxes_at(places, span, high + rise, angle=angle)
    best = room.find_best(
        boxes, centre_distance(places, ground), clear_of=room.inside - within, avoid=steep, reject_cut=whole
    )
    if best is None:
        return ()
    room.take(boxes[best].buffer(drafter.size(2), quad_segs=4))
    x, y = places[best]
    if not arched:
        turn = math.radians(angle)
        foot = (x + 0.24 * hand.height * math.sin(turn), y - 0.24 * hand.height * math.cos(turn))
        return line(text, foot, hand, anchor=Anchor.MIDDLE, angle=angle)
    return set_along_curve(text, _arc((x, y), span, rise, angle), hand, offset=-0.24 * hand.height)


def _arc(at: tuple[float, float], span: float, rise: float, angle: float) -> Line:
    """Return a gentle arc over a chord of ``span`` mm, with half its rise above ``at`` and half below."""
    share = np.linspace(-1.0, 1.0, 41)
    flat = np.column_stack([share * span / 2, rise * (0.5 - share**2)])
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return np.asarray(at) + np.column_stack(
        [elementary.product(flat, (cosine, -sine)), elementary.product(flat, (sine, cosine))]
    )


def _tilt(ground: BaseGeometry) -> float:
    """Return the tilt of the long axis in degrees, from -12 to 12; 0 if the axis is steeper than 50 degrees."""
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(ground))
    sides = np.diff(corners[:3], axis=0)
    axis = max(sides, key=lambda side: float(np.hypot(*side)))
    slant = math.degrees(math.atan2(axis[1], axis[0]))
    slant = (slant + 90) % 180 - 90
    return max(-_MOST_TILT, min(_MOST_TILT, slant)) if abs(slant) < 50 else 0.0


def _beside(
    text: str, ground: BaseGeometry, hand: TypeStyle, drafter: Drafter, room: LabelSpace, *, whole: bool
) -> tuple[Text, ...]:
    """Return the name beside its area, preferably above, smaller if necessary, or nothing if it does not fit.

    The name avoids other features, because it would read as their name, but not features that overlap its area.
    """
    ground = shapely.simplify(ground, drafter.size(_EASED))
    others = shapely.get_parts(room.soft_obstacles)
    kept_off = [*others[~shapely.intersects(others, ground)], ground, room.canopies]
    # A name farther away does not read as the name of the area. The limit does not grow on large boards.
    nearest, farthest = (min(drafter.size(mm), mm) for mm in (_NEAREST, _FARTHEST))
    for share in _SHARES:
        sized = hand.resize(share, minimum_pt=least_size(hand.font))
        span, high = measure(text, sized) + drafter.size(2), sized.height * 0.96
        low = _FEET * sized.height
        beside = max(nearest, min(drafter.size(_BESIDE), farthest - low - _SPARE))
        feet = resampled(ground.buffer(beside + high / 2, quad_segs=8).exterior, drafter.size(2))
        # A name left or right of the area is aligned by its end, a name above or below by its middle.
        out = feet - shapely.get_coordinates(shapely.shortest_line(shapely.points(feet), ground))[1::2]
        lean = out[:, 0] / np.maximum(np.hypot(out[:, 0], out[:, 1]), _NEARLY)
        places = feet + np.column_stack([np.clip(lean / _SLANT, -1, 1) * (span / 2), np.zeros(len(feet))])
        boxes = boxes_at(places, span, high)
        gaps = shapely.distance(boxes, ground)
        letters = boxes_at(places, span - drafter.size(2), 2 * low)
        near = (gaps > nearest) & (shapely.distance(letters, ground) <= farthest)
        if not near.any():
            continue
        places, boxes = places[near], boxes[near]
        liking = side_penalties(feet[near], centre(ground)) + _GAP * gaps[near]
        best = room.find_best(boxes, liking, clear_of=kept_off, avoid=room.soft_obstacles, reject_cut=whole)
        if best is not None:
            room.take(boxes[best].buffer(drafter.size(4), quad_segs=4))
            x, y = places[best]
            return line(text, (x, y - low), sized, anchor=Anchor.MIDDLE)
    return ()


# Distances round a feature, in disc radii, to try for a disc that has no free place in the feature.
_ABOUT: Final = (2.0, 3.5, 5.0, 7.0)

_NUMBER_PT: Final = 9.5
_WORD_PT: Final = 13.0
_FROM_EDGE: Final = 3.0
_KEEP_OUT: Final = 0.8
# Tolerance in mm at 1:1 for simplifying an outline before the search for places of its name.
_EASED: Final = 0.1

_NOTHING: Final = Polygon()
_NAMED_FIRST: Final = (Kind.BUA, Kind.HILL, Kind.LAKE, Kind.RIVER, Kind.STREAM, Kind.CREEK)


class Labels(Struct, frozen=True):
    """The items of all labels, and the area that stamped symbols keep clear."""

    items: tuple[tuple[LayerName, Item], ...]
    clear: BaseGeometry


def numbered(field: Battlefield) -> tuple[tuple[int, Feature], ...]:
    """Return the features with their numbers on map and key, from 1 in the order of placement."""
    return tuple(enumerate(field.features, 1))


def labels(
    field: Battlefield,
    drafter: Drafter,
    *,
    numbers: bool = True,
    kept_free: BaseGeometry = _NOTHING,
    period: str = NO_NAMES,
    seams: BaseGeometry = _NOTHING,
) -> Labels:
    """Return all labels of a battlefield in printed mm.

    The order is words at crossings (they have the least choice), names of features, road destinations, numbered discs.
    No label leaves the board, covers a course or a guide mark, or overlaps another label. A name without a free place
    appears only in the key. On a grid each crossing is in the middle of a cell, and gets a label only if it has a name.

    Args:
        field: the battlefield in printed mm.
        drafter: style, scale and words.
        numbers: draw the key numbers.
        kept_free: further area that labels must not cover.
        period: the period of the names of road destinations; by default there are none.
        seams: the area round the cuts between sheets, which labels avoid where they can.
    """
    features = field.features
    room = LabelSpace(
        inside=field.ground.buffer(-drafter.size(_FROM_EDGE), join_style="mitre"),
        hard_obstacles=joined_ground(
            [
                kept_free,
                guide_ground(field, drafter),
                *(_edge_row(feature, drafter) for feature in features if isinstance(feature, Area)),
                *(_ground(feature, field, drafter) for feature in features if _is_line(feature)),
            ]
        ),
        soft_obstacles=joined_ground([feature.outline for feature in features if isinstance(feature, Area | Hill)]),
        seams=seams,
        cuts=seams.buffer(-_ABOUT_CUT, join_style="mitre"),
        canopies=joined_ground(
            [feature.outline for feature in features if isinstance(feature, Area) and feature.kind in _CLOSED]
        ),
    )
    found: list[tuple[LayerName, Item]] = []
    for number, feature in numbered(field):
        if isinstance(feature, Crossing) and (feature.name or field.grid is None):
            mark = number if numbers else None
            found.extend(_crossing(feature, mark, field, drafter, room))
    for feature in sorted(features, key=_priority):
        if feature.name and not isinstance(feature, Crossing):
            name = course_name if isinstance(feature, Course) else area_name
            found.extend(on(LayerName.LABEL, name(feature, drafter, room)))  # type: ignore[arg-type]
    found.extend(on(LayerName.LABEL, road_ends(field, period, drafter, room)))
    for number, feature in numbered(field) if numbers else ():
        if not isinstance(feature, Crossing):
            found.extend(on(LayerName.NUMBER, disc(number, _spot(feature, number, drafter, room), drafter)))
    return Labels(tuple(found), joined_ground(room.label_boxes).buffer(drafter.size(_KEEP_OUT), quad_segs=4))


def disc_radius(drafter: Drafter) -> float:
    """Return the printed radius in mm of the disc of a number; two figures fit."""
    return 0.90 * _number_hand(drafter).height


def disc(number: int, at: tuple[float, float], drafter: Drafter) -> tuple[Item, ...]:
    """Return a key number in its disc, the same for map and key."""
    hand = _number_hand(drafter)
    shape = Point(at).buffer(disc_radius(drafter), quad_segs=12)
    stroke = drafter.context.stroke(drafter.style.solid("ink"), 0.35, minimum_mm=LEAST_MEANING)
    figures = drafter.centred(str(number), at, hand)
    return (*fill(shape, drafter.style.solid("cartouche")), *outline(shape, stroke), *figures)


def _number_hand(drafter: Drafter) -> TypeStyle:
    return drafter.hand(Font.FIGURES_MEDIUM, _NUMBER_PT)


def _priority(feature: Feature) -> int:
    return _NAMED_FIRST.index(feature.kind) if feature.kind in _NAMED_FIRST else len(_NAMED_FIRST)


def _is_line(feature: Feature) -> bool:
    return isinstance(feature, Course | Crossing)


def _ground(feature: Feature, field: Battlefield, drafter: Drafter) -> BaseGeometry:
    """Return the area of a feature on the sheet; a bridge includes its wing walls."""
    match feature:
        case Area() | Hill():
            return feature.outline
        case Course():
            return feature.line.buffer(reach(feature, drafter) + drafter.size(1), quad_segs=4, cap_style="square")
        case Crossing():
            way, water = field.find(feature.way), field.find(feature.water)
            wide = way.width if isinstance(way, Course) else drafter.size(10)
            long = water.width if isinstance(water, Course) else drafter.size(15)
            at = shapely.get_coordinates(feature.at)
            boxes = boxes_at(at, 1.25 * long + drafter.size(4), wide + drafter.size(6), angle=feature.bearing)
            ground: BaseGeometry = boxes[0]
            return ground
        case _:
            assert_never(feature)


def _edge_row(area: Area, drafter: Drafter) -> BaseGeometry:
    """Return the row of crowns along the edge of a closed wood, or all of a built-up area; otherwise nothing."""
    if area.kind not in _CLOSED:
        return _NOTHING
    ground: BaseGeometry = area.outline
    if area.kind not in BUILT:
        ground = shapely.difference(ground, ground.buffer(-drafter.size(_EDGE_ROW), quad_segs=4))
    return ground


def _spot(feature: Area | Hill | Course, number: int, drafter: Drafter, room: LabelSpace) -> tuple[float, float]:
    """Return the position of the disc of a feature and reserve it: in an area, next to a town or beside a line."""
    radius = disc_radius(drafter)
    clear_of, avoid = room.soft_obstacles, _NOTHING
    if isinstance(feature, Course):
        places, dislike = _beside_line(feature, number, radius, drafter, room)
    elif feature.kind in BUILT:
        places = resampled(feature.outline.buffer(radius + drafter.size(2.2)).exterior, drafter.size(3))
        dislike = side_penalties(places, centre(feature.outline))
    else:
        places, dislike = _in_area(feature, radius, drafter)
        clear_of, avoid = room.inside - feature.outline, steep_ground(feature, drafter.size(_STEEP_DEPTH))
    discs = circles(places, radius + drafter.size(1.2))
    best = room.find_best(discs, dislike, clear_of=clear_of, avoid=avoid)
    if best is None:
        # A place farther from the feature is better than one on ground that labels must not cover.
        ground = feature.line if isinstance(feature, Course) else feature.outline
        wide = feature.width if isinstance(feature, Course) else 0.0
        rings = [resampled(ground.buffer(far * radius + wide).exterior, drafter.size(3)) for far in _ABOUT]
        places = np.vstack([places, *rings])
        farther = [np.full(len(ring), 1.0 + step) for step, ring in enumerate(rings)]
        dislike = np.concatenate([dislike, *farther])
        discs = circles(places, radius + drafter.size(1.2))
        best = room.find_best(discs, dislike, avoid=room.soft_obstacles, force=True) or 0
    room.take(discs[best])
    return float(places[best][0]), float(places[best][1])


def _in_area(feature: Area | Hill, radius: float, drafter: Drafter) -> tuple[Line, NDArray[np.float64]]:
    """Return places for a disc away from the edge of an area, or on the summit of a hill, with their penalties."""
    ground = feature.contours[-1] if isinstance(feature, Hill) else feature.outline
    edge = drafter.size(_EDGE_ROW + 1.5) if feature.kind in _GREAT_WOODS else drafter.size(2)
    roomy = shapely.simplify(ground, drafter.size(_EASED)).buffer(-(radius + edge), quad_segs=4)
    places = lattice_points(roomy if not roomy.is_empty else ground, drafter.size(4))
    return places, centre_distance(places, ground)


def _beside_line(
    course: Course, number: int, radius: float, drafter: Drafter, room: LabelSpace
) -> tuple[Line, NDArray[np.float64]]:
    """Return places for a disc on both sides of a line and their penalties, least at 0.3 or 0.7 of its length."""
    visible = max(
        # A course along the board edge may have no part inside.
        lines(shapely.intersection(course.line, room.inside)),
        key=lambda part: float(part.length),
        default=course.line,
    )
    path = resampled(visible, drafter.size(4))
    along = np.gradient(path, axis=0)
    across = np.column_stack([-along[:, 1], along[:, 0]]) / np.hypot(along[:, 0], along[:, 1])[:, None]
    reach = course.width / 2 + radius + drafter.size(2.4)
    places = np.vstack([path + across * reach, path - across * reach])
    share = np.tile(np.linspace(0, 1, len(path)), 2)
    wanted = 0.3 if number % 2 else 0.7
    return places, np.abs(share - wanted) + 0.02 * np.repeat([0, 1], len(path))


def _counts(crossing: Crossing, field: Battlefield) -> bool:
    """Return whether a crossing is over a river."""
    return field.find(crossing.water).kind is Kind.RIVER


def _crossing(
    crossing: Crossing, number: int | None, field: Battlefield, drafter: Drafter, room: LabelSpace
) -> LayeredItems:
    """Yield the name or kind of a crossing with its number in front, clear of road and water.

    If no place is free, only the number is drawn: the key has the text. Only river crossings show their kind, because
    rules require a crossing at rivers only. At streams and railways the symbol and the legend are enough.
    """
    word = crossing.name or (drafter.words(f"kind.{crossing.kind}") if _counts(crossing, field) else "")
    if not word and number is None:
        return
    hand = drafter.hand(Font.ROMAN, _WORD_PT, track=0.5).with_halo(drafter.halo("halo", 1.3))
    radius = disc_radius(drafter) if number is not None else 0.0
    lead = 2 * radius + (drafter.size(1.6) if number is not None else 0.0)
    span = lead + measure(word, hand)
    high = max(hand.height * 0.96, 2 * radius)
    at = (crossing.at.x, crossing.at.y)
    ground = _ground(crossing, field, drafter)
    least = float(np.sqrt(ground.area)) / 2
    places = np.vstack([circle_points(at, least + drafter.size(step)) for step in range(4, 64, 3)])
    # A label left or right of the crossing is aligned by its near end, a label above or below by its middle.
    lean = np.clip((places[:, :1] - at[0]) / max(least, 1e-6), -1, 1) * (span / 2)
    places = places + np.column_stack([lean, np.zeros(len(places))])
    boxes = boxes_at(places, span + drafter.size(2), high + drafter.size(1))
    liking = side_penalties(places, at) + distance(places, at) / drafter.size(18)
    best = room.find_best(boxes, liking, clear_of=room.canopies, avoid=room.soft_obstacles) if word else None
    if best is None:
        if number is not None:
            discs = circles(places, radius + drafter.size(1.2))
            best = room.find_best(discs, liking, avoid=room.soft_obstacles, force=True) or 0
            room.take(discs[best])
            yield from on(LayerName.NUMBER, disc(number, (float(places[best][0]), float(places[best][1])), drafter))
        return
    x, y = places[best]
    room.take(boxes[best])
    yield from on(LayerName.LABEL, drafter.text(word, (x - span / 2 + lead, y - 0.24 * hand.height), hand))
    if number is not None:
        yield from on(LayerName.NUMBER, disc(number, (float(x - span / 2 + radius), float(y)), drafter))
