"""Place labels: key numbers, words at crossings, names of areas and courses."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import product
from typing import Final, assert_never

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import Point
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.drawing.canvas.items import Anchor, Font, Item, LayeredItems, LayerName, Path, Text
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import Line, circles, fill, lines, outline, resampled
from printkit.drawing.canvas.symbol_context import LEAST_MEANING
from printkit.drawing.lettering.extent import PER_MM, path_extent
from printkit.drawing.lettering.glyphs import letters_area
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
from printkit.drawing.map.course_names import half_width_mm, place_course_name, place_road_destinations
from printkit.drawing.map.overlays import guide_mark_area
from printkit.drawing.signs.lines.course_lines import on_layer
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import BUILT, KIND_ROWS, Area, Course, Crossing, Feature, Hill, Kind
from printkit.terrain.field.names import NO_NAMES

# --- Names of features: areas along their long axis, large ones on an arc, courses along their line -------------------


_GREAT_WOODS, _OPEN_WOODS, _TOWNS, _WATERS = (
    tuple(kind for kind, row in KIND_ROWS.items() if row.label == label)
    for label in ("forest", "grove", "town", "water")
)
_ARCHED: Final = (*_GREAT_WOODS, Kind.HILL)
_CLOSED: Final = frozenset((*_GREAT_WOODS, *BUILT))
_CAPITALS: Final = (*_GREAT_WOODS, *_TOWNS)
_EPSILON: Final = 1e-3
_RISE: Final = 0.07
_SHARES: Final = (1.0, 0.9, 0.8)
_MOST_TILT: Final = 12.0
_MOST_CLEARED: Final = 0.22
# Least shorter side, in mm of the board, of an area with its name inside.
_LEAST_ROOM: Final = 55.0
# Width in mm of the stroke under the letters of a name: 0.9 mm on each side of a letter.
_HALO: Final = 1.8
_CROWN: Final = 12.0
# Minimum distance in mm of a name in a closed wood from the outline.
_EDGE_ROW: Final = 10.5

# Distance in mm of a name beside an area from its outline: minimum (to its box), preferred, maximum (to its letters).
_NEAREST: Final = 1.6
_BESIDE: Final = 3.0
_FARTHEST: Final = 6.0

_SPARE: Final = 0.6
# Distance of the baseline below the middle of a label, relative to the type size.
_BASELINE_DROP: Final = 0.24

_SLANT: Final = 0.55
_GAP: Final = 0.04
_STEEP_DEPTH: Final = 22.0
# The seam area extends this far in mm on each side past the actual cut between two sheets.
_CUT_MARGIN: Final = 10.5


def place_area_name(feature: Area | Hill, drafter: Drafter, label_space: LabelSpace) -> tuple[Text, ...]:
    """Return the name of an area: inside it if it fits, otherwise beside it, otherwise an empty tuple.

    A name inside a small area would hide it, so it is beside it. The space of a placed name is reserved. The key has
    the names that do not fit.
    """
    ground = feature.contours[-1] if isinstance(feature, Hill) else feature.outline
    style = _area_style(feature, drafter)
    text = feature.name.upper() if feature.kind in _CAPITALS else feature.name
    grounds = [ground] if ground is feature.outline else [ground, feature.outline]
    grounds = [part for part in grounds if _shorter_side(part) >= _LEAST_ROOM * drafter.context.scale]
    if feature.kind not in BUILT:
        is_arched = feature.kind in _ARCHED
        # A name replaces tree crowns. Enough crowns must remain for the wood to be visible.
        spread = drafter.size(_CROWN) if feature.kind in _GREAT_WOODS else 0.0
        steep = steep_ground(feature, drafter.size(_STEEP_DEPTH))
        for is_undivided in label_space.cut_rules:
            for part, share in product(grounds, _SHARES):
                sized_style = style.resize(share, minimum_pt=least_size(style.font))
                if texts := _place_inside(
                    text,
                    part,
                    sized_style,
                    drafter,
                    label_space,
                    steep_area=steep,
                    is_arched=is_arched,
                    spread=spread,
                    is_undivided=is_undivided,
                ):
                    return texts
            # An undivided name beside the area is better than one inside that a sheet cut divides.
            if texts := _place_beside(text, feature.outline, style, drafter, label_space, is_undivided=is_undivided):
                return texts
        return ()
    for is_undivided in label_space.cut_rules:
        if texts := _place_beside(text, feature.outline, style, drafter, label_space, is_undivided=is_undivided):
            return texts
    return ()


def _shorter_side(ground: BaseGeometry) -> float:
    """Return the shorter side of the smallest rectangle round an area, in its unit."""
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(ground))
    return float(np.hypot(*np.diff(corners[:3], axis=0).T).min())


def _area_style(feature: Area | Hill, drafter: Drafter) -> TypeStyle:
    """Return the type style of the name of an area, by its kind.

    Waters, open woods and open ground have larger type if they are large; others have a fixed size.
    """
    true_area = feature.outline.area / drafter.context.scale**2
    size_pt = min(27.0, max(17.0, 13.0 + 0.11 * math.sqrt(true_area)))
    match feature.kind:
        case kind if kind in _TOWNS:
            style = drafter.type_style(Font.ROMAN, 25, track=2.2)
        case kind if kind in BUILT:
            style = drafter.type_style(Font.ROMAN, 17, track=0.8)
        case kind if kind in _GREAT_WOODS:
            style = drafter.type_style(Font.ROMAN, 21, "label-wood", track=2.4)
        case kind if kind in _WATERS:
            style = drafter.type_style(Font.ITALIC, min(22.0, size_pt), "water-name", track=0.9)
        case kind if kind in _OPEN_WOODS:
            style = drafter.type_style(Font.ITALIC, size_pt, "label-wood", track=0.6)
        case _:
            style = drafter.type_style(Font.ITALIC, size_pt, track=0.6 + 0.06 * (size_pt - 13))
    ground = feature.cover if isinstance(feature, Hill) and feature.cover else feature.kind
    return style.with_halo(drafter.halo(KIND_ROWS[ground].halo, _HALO))


def _place_inside(
    text: str,
    ground: BaseGeometry,
    style: TypeStyle,
    drafter: Drafter,
    label_space: LabelSpace,
    *,
    steep_area: BaseGeometry,
    is_arched: bool,
    spread: float,
    is_undivided: bool,
) -> tuple[Text, ...]:
    """Return the name inside its area, tilted along the long axis, or nothing if it does not fit.

    The space of a placed name is reserved.

    Args:
        text: the name.
        ground: the area in printed mm.
        style: the type style.
        drafter: the scale.
        label_space: the free space for labels.
        steep_area: area in printed mm that the name avoids if it can.
        is_arched: set the name on an arc.
        spread: width in printed mm that tree crowns keep from the name; 0 for an area without them.
        is_undivided: reject places that are cut between two sheets.
    """
    span, height = measure(text, style) + drafter.size(2), style.height * 0.96
    rise = _RISE * span if is_arched else 0.0
    angle = _tilt_deg(ground)
    margin = drafter.size(2)
    if spread and (span + spread) * (height + spread) > _MOST_CLEARED * ground.area:
        return ()
    left, low, right, top = ground.bounds
    box_width, box_height = rotated_size(span, height + rise, angle=angle)
    if box_width > right - left + _EPSILON or box_height > top - low + _EPSILON:
        return ()
    # The row of crowns along the edge marks a closed wood, so names must not cover it.
    inner_area = ground.buffer(-drafter.size(_EDGE_ROW)) if spread else ground
    points = lattice_points(inner_area.buffer(-(height / 2 + margin), quad_segs=4), drafter.size(5))
    if not len(points):
        return ()
    boxes = boxes_at(points, span, height + rise, angle=angle)
    best = label_space.find_best(
        boxes,
        centre_distance(points, ground),
        clear_of=label_space.inside - inner_area,
        avoid=steep_area,
        reject_cut=is_undivided,
    )
    if best is None:
        return ()
    label_space.take(boxes[best].buffer(drafter.size(2), quad_segs=4))
    x, y = points[best]
    if not is_arched:
        angle_rad = math.radians(angle)
        baseline = (x + 0.24 * style.height * math.sin(angle_rad), y - 0.24 * style.height * math.cos(angle_rad))
        return line(text, baseline, style, anchor=Anchor.MIDDLE, angle=angle)
    return set_along_curve(text, _arc_line((x, y), span, rise, angle), style, offset=-0.24 * style.height)


def _arc_line(middle: tuple[float, float], span: float, rise: float, angle: float) -> Line:
    """Return a gentle arc over a chord of ``span`` printed mm, as points in mm, n x 2.

    Half of its ``rise`` (in mm) is above ``middle`` and half below. ``angle`` is the tilt of the chord in degrees.
    """
    share = np.linspace(-1.0, 1.0, 41)
    flat = np.column_stack([share * span / 2, rise * (0.5 - share**2)])
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return np.asarray(middle) + np.column_stack(
        [exact_math.product(flat, (cosine, -sine)), exact_math.product(flat, (sine, cosine))]
    )


def _tilt_deg(ground: BaseGeometry) -> float:
    """Return the tilt of the long axis of an area in degrees, from -12 to 12.

    It is 0 if the axis is steeper than 50 degrees.
    """
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(ground))
    sides = np.diff(corners[:3], axis=0)
    axis = max(sides, key=lambda side: float(np.hypot(*side)))
    slant = math.degrees(math.atan2(axis[1], axis[0]))
    slant = (slant + 90) % 180 - 90
    return max(-_MOST_TILT, min(_MOST_TILT, slant)) if abs(slant) < 50 else 0.0


def _place_beside(
    text: str, ground: BaseGeometry, style: TypeStyle, drafter: Drafter, label_space: LabelSpace, *, is_undivided: bool
) -> tuple[Text, ...]:
    """Return the name beside its area, preferably above, or nothing if it does not fit.

    It is smaller if necessary. It avoids other features, because it would read as their name, but not features that
    overlap its area. ``ground`` is the area in printed mm. With ``is_undivided`` no place that is cut between two
    sheets is used. The space of a placed name is reserved.
    """
    ground = shapely.simplify(ground, drafter.size(_TOLERANCE))
    soft_parts = shapely.get_parts(label_space.soft_obstacles)
    hard_areas = [*soft_parts[~shapely.intersects(soft_parts, ground)], ground, label_space.canopies]
    # A name farther away does not read as the name of the area. The limit does not grow on large boards.
    nearest, farthest = (min(drafter.size(mm), mm) for mm in (_NEAREST, _FARTHEST))
    for share in _SHARES:
        sized_style = style.resize(share, minimum_pt=least_size(style.font))
        span, height = measure(text, sized_style) + drafter.size(2), sized_style.height * 0.96
        low = _BASELINE_DROP * sized_style.height
        gap_mm = max(nearest, min(drafter.size(_BESIDE), farthest - low - _SPARE))
        contour_points = resampled(ground.buffer(gap_mm + height / 2, quad_segs=8).exterior, drafter.size(2))
        # A name left or right of the area is aligned by its end, a name above or below by its middle.
        outward = (
            contour_points
            - shapely.get_coordinates(shapely.shortest_line(shapely.points(contour_points), ground))[1::2]
        )
        lean = outward[:, 0] / np.maximum(np.hypot(outward[:, 0], outward[:, 1]), _EPSILON)
        points = contour_points + np.column_stack(
            [np.clip(lean / _SLANT, -1, 1) * (span / 2), np.zeros(len(contour_points))]
        )
        boxes = boxes_at(points, span, height)
        gaps = shapely.distance(boxes, ground)
        letters = boxes_at(points, span - drafter.size(2), 2 * low)
        is_near = (gaps > nearest) & (shapely.distance(letters, ground) <= farthest)
        if not is_near.any():
            continue
        points, boxes = points[is_near], boxes[is_near]
        penalty = side_penalties(contour_points[is_near], centre(ground)) + _GAP * gaps[is_near]
        best = label_space.find_best(
            boxes, penalty, clear_of=hard_areas, avoid=label_space.soft_obstacles, reject_cut=is_undivided
        )
        if best is not None:
            label_space.take(boxes[best].buffer(drafter.size(4), quad_segs=4))
            x, y = points[best]
            return line(text, (x, y - low), sized_style, anchor=Anchor.MIDDLE)
    return ()


# Distances round a feature, in disc radii, to try for a disc that has no free place in the feature.
_DISC_DISTANCES: Final = (2.0, 3.5, 5.0, 7.0)

_NUMBER_PT: Final = 9.5
_WORD_PT: Final = 13.0
_FROM_EDGE: Final = 3.0
# Distance in mm that stamped symbols keep from the letters of a label, and from a disc.
_CLEARANCE: Final = 1.2
# Tolerance in mm at 1:1 for simplifying an outline before the search for places of its name.
_TOLERANCE: Final = 0.1

_NAMED_FIRST: Final = (Kind.BUA, Kind.HILL, Kind.LAKE, Kind.RIVER, Kind.STREAM, Kind.CREEK)


class Labels(Struct, frozen=True):
    """The items of all labels, and the area round their letters that stamped symbols keep clear, in printed mm."""

    items: tuple[tuple[LayerName, Item], ...]
    clear: BaseGeometry


def numbered(field: Battlefield) -> tuple[tuple[int, Feature], ...]:
    """Return (number, feature) pairs of all features.

    The numbers are those on map and key: from 1, in the order of placement. Crossings have a number too.
    """
    return tuple(enumerate(field.features, 1))


def labels(
    field: Battlefield,
    drafter: Drafter,
    *,
    numbers: bool = True,
    kept_free: BaseGeometry = NOTHING,
    period: str = NO_NAMES,
    seams: BaseGeometry = NOTHING,
) -> Labels:
    """Return all labels of a battlefield in printed mm.

    The order is words at crossings (they have the least choice), names of features, road destinations, numbered discs.
    No label leaves the board, covers a course or a guide mark, or overlaps another label; only a key number that has no
    free place goes where it overlaps least. A name without a free place appears only in the key. On a grid each
    crossing is in the middle of a cell, and gets a label only if it has a name.

    Args:
        field: the battlefield in printed mm.
        drafter: style, scale and words.
        numbers: draw the key numbers.
        kept_free: further area that labels must not cover, in printed mm.
        period: the name of a period in the name book, for road destinations; by default there are none.
        seams: the area round the cuts between sheets, in printed mm, which labels avoid where they can.
    """
    features = field.features
    label_space = LabelSpace(
        inside=field.ground.buffer(-drafter.size(_FROM_EDGE), join_style="mitre"),
        hard_obstacles=joined_ground(
            [
                kept_free,
                guide_mark_area(field, drafter),
                *(_edge_area(feature, drafter) for feature in features if isinstance(feature, Area)),
                *(
                    _feature_area(feature, field, drafter)
                    for feature in features
                    if isinstance(feature, Course | Crossing)
                ),
            ]
        ),
        soft_obstacles=joined_ground([feature.outline for feature in features if isinstance(feature, Area | Hill)]),
        seams=seams,
        cuts=seams.buffer(-_CUT_MARGIN, join_style="mitre"),
        canopies=joined_ground(
            [feature.outline for feature in features if isinstance(feature, Area) and feature.kind in _CLOSED]
        ),
    )
    items: list[tuple[LayerName, Item]] = []
    for number, feature in numbered(field):
        if isinstance(feature, Crossing) and (feature.name or field.grid is None):
            mark = number if numbers else None
            items.extend(_place_crossing_label(feature, mark, field, drafter, label_space))
    for feature in sorted(features, key=_label_priority):
        if feature.name and not isinstance(feature, Crossing):
            name = place_course_name if isinstance(feature, Course) else place_area_name
            items.extend(on_layer(LayerName.LABEL, name(feature, drafter, label_space)))  # type: ignore[arg-type]
    items.extend(on_layer(LayerName.LABEL, place_road_destinations(field, period, drafter, label_space)))
    for number, feature in numbered(field) if numbers else ():
        if not isinstance(feature, Crossing):
            items.extend(
                on_layer(
                    LayerName.NUMBER, draw_disc(number, _place_disc(feature, number, drafter, label_space), drafter)
                )
            )
    return Labels(tuple(items), _clear_area(items, drafter))


def _clear_area(items: Iterable[tuple[LayerName, Item]], drafter: Drafter) -> BaseGeometry:
    """Return the area round the letters of names and words and round the discs of numbers, in printed mm."""
    reach = drafter.size(_CLEARANCE)
    texts = [item for layer, item in items if layer is LayerName.LABEL and isinstance(item, Text)]
    discs = [item for layer, item in items if layer is LayerName.NUMBER and isinstance(item, Path) and item.fill]
    middles = [np.reshape(path_extent(disc), (2, 2)).mean(axis=0) / PER_MM for disc in discs]
    return joined_ground(
        [letters_area(texts, reach), *circles(np.reshape(middles, (-1, 2)), disc_radius(drafter) + reach)]
    )


def disc_radius(drafter: Drafter) -> float:
    """Return the printed radius in mm of the disc of a key number; two figures fit."""
    return 0.90 * _number_style(drafter).height


def draw_disc(number: int, middle: tuple[float, float], drafter: Drafter) -> tuple[Item, ...]:
    """Return a key number (from 1) in its disc, for map and key; ``middle`` is x and y in printed mm."""
    style = _number_style(drafter)
    shape = Point(middle).buffer(disc_radius(drafter), quad_segs=12)
    stroke = drafter.context.stroke(drafter.style.solid("ink"), 0.35, minimum_mm=LEAST_MEANING)
    figures = drafter.centred_text(str(number), middle, style)
    return (*fill(shape, drafter.style.solid("cartouche")), *outline(shape, stroke), *figures)


def _number_style(drafter: Drafter) -> TypeStyle:
    """Return the type style of key numbers."""
    return drafter.type_style(Font.FIGURES_MEDIUM, _NUMBER_PT)


def _label_priority(feature: Feature) -> int:
    """Return the rank of a feature in the order of placing names, by its kind: 0 comes first, unlisted kinds last."""
    return _NAMED_FIRST.index(feature.kind) if feature.kind in _NAMED_FIRST else len(_NAMED_FIRST)


def _feature_area(feature: Feature, field: Battlefield, drafter: Drafter) -> BaseGeometry:
    """Return the area of a feature on the sheet, in printed mm.

    A course has the area of half its drawn width and 1 mm at 1:1 on each side of its line. A crossing is a rotated box
    that includes the wing walls of a bridge.
    """
    match feature:
        case Area() | Hill():
            return feature.outline
        case Course():
            return feature.line.buffer(
                half_width_mm(feature, drafter) + drafter.size(1), quad_segs=4, cap_style="square"
            )
        case Crossing():
            road, water = field.find(feature.route), field.find(feature.water)
            road_width = road.width if isinstance(road, Course) else drafter.size(10)
            water_length = water.width if isinstance(water, Course) else drafter.size(15)
            position = shapely.get_coordinates(feature.at)
            boxes = boxes_at(
                position, 1.25 * water_length + drafter.size(4), road_width + drafter.size(6), angle=feature.bearing
            )
            ground: BaseGeometry = boxes[0]
            return ground
        case _:
            assert_never(feature)


def _edge_area(area: Area, drafter: Drafter) -> BaseGeometry:
    """Return the row of crowns along the edge of a closed wood, or all of a built-up area, in printed mm.

    It is empty for other areas.
    """
    if area.kind not in _CLOSED:
        return NOTHING
    ground: BaseGeometry = area.outline
    if area.kind not in BUILT:
        ground = shapely.difference(ground, ground.buffer(-drafter.size(_EDGE_ROW), quad_segs=4))
    return ground


def _place_disc(
    feature: Area | Hill | Course, number: int, drafter: Drafter, label_space: LabelSpace
) -> tuple[float, float]:
    """Return the position of the disc of a feature, x and y in printed mm, and reserve it in ``label_space``.

    ``number`` is its key number, from 1. The disc is in an area, next to a town or beside a line. Without a free place
    it is farther away, or overlaps least.
    """
    radius = disc_radius(drafter)
    clear_of, avoid = label_space.soft_obstacles, NOTHING
    if isinstance(feature, Course):
        points, dislike = _line_disc_places(feature, number, radius, drafter, label_space)
    elif feature.kind in BUILT:
        points = resampled(feature.outline.buffer(radius + drafter.size(2.2)).exterior, drafter.size(3))
        dislike = side_penalties(points, centre(feature.outline))
    else:
        points, dislike = _area_disc_places(feature, radius, drafter)
        clear_of, avoid = label_space.inside - feature.outline, steep_ground(feature, drafter.size(_STEEP_DEPTH))
    discs = circles(points, radius + drafter.size(1.2))
    best = label_space.find_best(discs, dislike, clear_of=clear_of, avoid=avoid)
    if best is None:
        # A place farther from the feature is better than one on ground that labels must not cover.
        ground = feature.line if isinstance(feature, Course) else feature.outline
        course_width = feature.width if isinstance(feature, Course) else 0.0
        rings = [
            resampled(ground.buffer(radii * radius + course_width).exterior, drafter.size(3))
            for radii in _DISC_DISTANCES
        ]
        points = np.vstack([points, *rings])
        farther = [np.full(len(ring), 1.0 + step) for step, ring in enumerate(rings)]
        dislike = np.concatenate([dislike, *farther])
        discs = circles(points, radius + drafter.size(1.2))
        best = label_space.find_best(discs, dislike, avoid=label_space.soft_obstacles, force=True) or 0
    label_space.take(discs[best])
    return float(points[best][0]), float(points[best][1])


def _area_disc_places(feature: Area | Hill, radius: float, drafter: Drafter) -> tuple[Line, NDArray[np.float64]]:
    """Return places for a disc in an area or on the summit of a hill, and their penalties.

    Places are x and y in printed mm, n x 2. A disc of ``radius`` mm stays away from the edge there, if there is space.
    """
    ground = feature.contours[-1] if isinstance(feature, Hill) else feature.outline
    edge = drafter.size(_EDGE_ROW + 1.5) if feature.kind in _GREAT_WOODS else drafter.size(2)
    roomy = shapely.simplify(ground, drafter.size(_TOLERANCE)).buffer(-(radius + edge), quad_segs=4)
    points = lattice_points(roomy if not roomy.is_empty else ground, drafter.size(4))
    return points, centre_distance(points, ground)


def _line_disc_places(
    course: Course, number: int, radius: float, drafter: Drafter, label_space: LabelSpace
) -> tuple[Line, NDArray[np.float64]]:
    """Return places for a disc on both sides of a line, and their penalties.

    Places are x and y in printed mm, n x 2, for a disc of ``radius`` mm. Penalties are about 0 to 0.7. The penalty is
    least at 0.3 of the visible length for odd ``number``, at 0.7 for even.
    """
    visible = max(
        # A course along the board edge may have no part inside.
        lines(shapely.intersection(course.line, label_space.inside)),
        key=lambda part: float(part.length),
        default=course.line,
    )
    path = resampled(visible, drafter.size(4))
    tangents = np.gradient(path, axis=0)
    normals = np.column_stack([-tangents[:, 1], tangents[:, 0]]) / np.hypot(tangents[:, 0], tangents[:, 1])[:, None]
    offset_mm = course.width / 2 + radius + drafter.size(2.4)
    points = np.vstack([path + normals * offset_mm, path - normals * offset_mm])
    share = np.tile(np.linspace(0, 1, len(path)), 2)
    preferred_share = 0.3 if number % 2 else 0.7
    return points, np.abs(share - preferred_share) + 0.02 * np.repeat([0, 1], len(path))


def _place_crossing_label(
    crossing: Crossing, number: int | None, field: Battlefield, drafter: Drafter, label_space: LabelSpace
) -> LayeredItems:
    """Yield (layer, item) pairs of the name or kind of a crossing with its number in front, clear of road and water.

    If no place is free, only the number is drawn: the key has the text. Only river crossings show their kind, because
    rules require a crossing at rivers only. At streams and railways the symbol and the legend are enough. Without a
    ``number`` (None) the label has no disc. Shapes and items are in printed mm. The space of the label is reserved in
    ``label_space``.
    """
    word = crossing.name
    if not word and field.find(crossing.water).kind is Kind.RIVER:
        word = drafter.words(f"kind.{crossing.kind}")
    if not word and number is None:
        return
    style = drafter.type_style(Font.ROMAN, _WORD_PT, track=0.5).with_halo(drafter.halo("halo", _HALO))
    radius = disc_radius(drafter) if number is not None else 0.0
    lead = 2 * radius + (drafter.size(1.6) if number is not None else 0.0)
    span = lead + measure(word, style)
    height = max(style.height * 0.96, 2 * radius)
    position = (crossing.at.x, crossing.at.y)
    ground = _feature_area(crossing, field, drafter)
    min_distance = float(np.sqrt(ground.area)) / 2
    points = np.vstack([circle_points(position, min_distance + drafter.size(step)) for step in range(4, 64, 3)])
    # A label left or right of the crossing is aligned by its near end, a label above or below by its middle.
    lean = np.clip((points[:, :1] - position[0]) / max(min_distance, 1e-6), -1, 1) * (span / 2)
    points = points + np.column_stack([lean, np.zeros(len(points))])
    boxes = boxes_at(points, span + drafter.size(2), height + drafter.size(1))
    penalty = side_penalties(points, position) + distance(points, position) / drafter.size(18)
    best = (
        label_space.find_best(boxes, penalty, clear_of=label_space.canopies, avoid=label_space.soft_obstacles)
        if word
        else None
    )
    if best is None:
        if number is not None:
            discs = circles(points, radius + drafter.size(1.2))
            best = label_space.find_best(discs, penalty, avoid=label_space.soft_obstacles, force=True) or 0
            label_space.take(discs[best])
            yield from on_layer(
                LayerName.NUMBER, draw_disc(number, (float(points[best][0]), float(points[best][1])), drafter)
            )
        return
    x, y = points[best]
    label_space.take(boxes[best])
    yield from on_layer(LayerName.LABEL, drafter.text(word, (x - span / 2 + lead, y - 0.24 * style.height), style))
    if number is not None:
        yield from on_layer(LayerName.NUMBER, draw_disc(number, (float(x - span / 2 + radius), float(y)), drafter))
