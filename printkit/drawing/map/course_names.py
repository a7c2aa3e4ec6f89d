"""Place names along rivers and roads, and road destinations at the board edge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point

from printkit.core import exact_math
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Font, Text
from printkit.drawing.canvas.shapes import Line, resampled
from printkit.drawing.lettering.label_space import LabelSpace
from printkit.drawing.lettering.lettering import TypeStyle, measure, set_words_along_curve
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Kind
from printkit.terrain.field.names import NameBook, load_name_book

_PITCH: Final = 2.0
_REPEAT: Final = 500.0
_BEND_PENALTY: Final = 40.0
_MAX_CURVE_PENALTY: Final = 2.4
# Extra penalty of a place below a line over one above it.
_BELOW_PENALTY: Final = 0.5


# Size in points, ink and tracking in mm of the names of waters.
_WATER_STYLES: Final = {
    Kind.RIVER: (20.0, "water-name", 2.2),
    **dict.fromkeys((Kind.STREAM, Kind.CREEK), (17.0, "water-name", 1.6)),
}
# The same for roads and all other courses.
_ROAD_STYLE: Final = (13.5, "ink", 0.5)

_MAX_PLACES: Final = 12
# Height of capitals, relative to the type size.
_CAPITALS: Final = 0.66

# Distance in mm of fences and banks from the edge of a road.
_FENCE_DISTANCES: Final = {Kind.FENCED_ROAD: 1.5, Kind.SUNKEN_LANE: 2.6}


class _NamePlace(Struct, frozen=True, eq=False):
    """A place for a name beside a line: ``path`` in reading direction, baseline offset, and penalty.

    ``ground`` is the area that the name covers there. Path, offset and area are in printed mm.
    """

    path: Line
    offset: float
    label_penalty: float
    ground: shapely.Geometry


def half_width_mm(course: Course, drafter: Drafter) -> float:
    """Return half the width of a course in printed mm, with its fences and banks."""
    return course.width / 2 + drafter.size(_FENCE_DISTANCES.get(course.kind, 0.0))


def place_course_name(course: Course, drafter: Drafter, label_space: LabelSpace) -> tuple[Text, ...]:
    """Return the name of a course along its straightest sections, about every 500 mm at 1:1.

    It is an empty tuple if no place is free. Sections with tight bends get no repeat, because letters collide on a
    tight curve; if there is no other section, one of them gets the name once. The space of a placed name is reserved in
    ``label_space``. Course and items are in printed mm.
    """
    size, token, track = _WATER_STYLES.get(course.kind, _ROAD_STYLE)
    style = drafter.type_style(Font.ITALIC, size, token, track=track).with_halo(drafter.halo("halo", 1.4))
    span = measure(course.name, style)
    visible = shapely.intersection(course.line, label_space.inside)
    parts = [part for part in shapely.get_parts(visible) if part.length > span * 1.2]
    if not parts:
        return ()
    path = resampled(max(parts, key=lambda part: float(part.length)), _PITCH)
    length = _PITCH * (len(path) - 1)
    times = max(1, round(length / max(drafter.size(_REPEAT), span * 2)))
    half_window = span / 2 + drafter.size(4)
    sections = []
    for number in range(times):
        first, last = number / times * length, (number + 1) / times * length
        middles = np.arange(max(first, half_window), min(last, length - half_window), 6.0)
        windows = [(middle - half_window, middle + half_window) for middle in middles]
        sections.append(
            _candidate_places(course, path, windows, style, drafter, (label_space.hard_obstacles, label_space.canopies))
        )

    def place_name(strips: Iterable[_NamePlace], *, is_undivided: bool = False) -> tuple[Text, ...]:
        """Return the name at the best free place of ``strips`` and reserve its area, or return an empty tuple.

        With ``is_undivided`` no place that is cut between two sheets is used.
        """
        grounds = {"clear_of": label_space.canopies, "avoid": label_space.soft_obstacles}
        return _place_text(
            course.name, tuple(strips), style, drafter, label_space, is_undivided=is_undivided, **grounds
        )

    straight = [[strip for strip in section if strip.label_penalty < _MAX_CURVE_PENALTY] for section in sections]
    # Prefer names that no sheet cut divides: if one fits, no divided repeats are needed.
    for is_undivided in label_space.cut_rules:
        if texts := [text for section in straight for text in place_name(section, is_undivided=is_undivided)]:
            return tuple(texts)
    return place_name(strip for section in sections for strip in section)


def _candidate_places(
    course: Course,
    path: Line,
    windows: Iterable[tuple[float, float]],
    style: TypeStyle,
    drafter: Drafter,
    blocked_areas: Sequence[shapely.Geometry],
    *,
    farther: float = 0.0,
) -> list[_NamePlace]:
    """Return the places for a name on both sides of a line, two for each window.

    Places with an end on a blocked area are left out.

    Args:
        course: the course.
        path: its line as points in printed mm, n x 2, 2 mm apart.
        windows: start and end of each possible name, in mm along the path.
        style: the type style of the name.
        drafter: the scale.
        blocked_areas: areas in printed mm that names must not begin or end on.
        farther: extra penalty of each window over the one before; a bend adds to the penalty too.
    """
    edge = half_width_mm(course, drafter) + drafter.size(1.5)
    offsets = (edge + 0.20 * style.height, -(edge + 0.70 * style.height))
    candidates: list[tuple[Line, float, float]] = []
    for number, (first, last) in enumerate(windows):
        window = path[max(0, int(first / _PITCH)) : int(last / _PITCH) + 1]
        chord = window[-1] - window[0]
        bend = 1 - float(np.hypot(*chord)) / (_PITCH * (len(window) - 1))
        reading_path = window if chord[0] > -0.2 * np.hypot(*chord) else window[::-1]
        candidates += [
            (reading_path, offset, _BEND_PENALTY * bend + _BELOW_PENALTY * (offset < 0) + farther * number)
            for offset in offsets
        ]
    if not candidates:
        return []
    middles = np.array([offset + 0.24 * style.height for _, offset, _ in candidates])
    steps = np.array(
        [[reading_path[1] - reading_path[0], reading_path[-1] - reading_path[-2]] for reading_path, *_ in candidates]
    )
    steps /= np.hypot(steps[..., 0], steps[..., 1])[..., None]
    end_points = np.array([reading_path[[0, -1]] for reading_path, *_ in candidates])
    end_points = end_points + np.stack([-steps[..., 1], steps[..., 0]], axis=-1) * middles[:, None, None]
    is_free = np.ones(len(candidates), dtype=bool)
    for ground in blocked_areas:
        shapely.prepare(ground)
        is_free &= ~shapely.intersects_xy(ground, end_points[..., 0], end_points[..., 1]).any(axis=1)
    free_indices = np.flatnonzero(is_free)
    lines = [LineString(candidates[number][0]) for number in free_indices]
    midlines = shapely.offset_curve(lines, middles[free_indices])
    boxes = shapely.buffer(midlines, 0.48 * style.height, quad_segs=4, cap_style="flat")
    return [
        _NamePlace(*candidates[number], ground) for number, ground in zip(free_indices.tolist(), boxes, strict=True)
    ]


def _place_text(
    text: str,
    strips: tuple[_NamePlace, ...],
    style: TypeStyle,
    drafter: Drafter,
    label_space: LabelSpace,
    *,
    is_undivided: bool = False,
    **grounds: shapely.Geometry,
) -> tuple[Text, ...]:
    """Place a text at the place beside a line with the lowest penalty, and reserve its area.

    Return an empty tuple if no place is free, or if at each of the 12 best places a letter meets a hard obstacle.

    Args:
        text: the text.
        strips: possible places.
        style: the type style.
        drafter: the scale.
        label_space: the free space for labels; a placed text is reserved there.
        is_undivided: reject places that are cut between two sheets.
        grounds: ``clear_of`` and ``avoid`` of ``LabelSpace.find_best``, in printed mm.
    """
    if not strips:
        return ()
    boxes = np.array([strip.ground for strip in strips])
    dislike = np.array([strip.label_penalty for strip in strips])
    for _ in range(_MAX_PLACES):
        best = label_space.find_best(boxes, dislike, reject_cut=is_undivided, **grounds)
        if best is None or not np.isfinite(dislike[best]):
            return ()
        texts = set_words_along_curve(text, strips[best].path, style, offset=strips[best].offset)
        # On a line that winds within the length of a letter, letters reach outside their box.
        if not shapely.intersects(label_space.hard_obstacles, _letter_end_points(texts)):
            label_space.take(boxes[best].buffer(drafter.size(2)))
            return texts
        dislike[best] = np.inf
    return ()


def _letter_end_points(texts: tuple[Text, ...]) -> shapely.Geometry:
    """Return the baseline and cap-height points of letters along a curve, as a multipoint in printed mm.

    They are two points at the left foot of each letter: one on the baseline, one at cap height.
    """
    points = []
    for text in texts:
        capital_height = _CAPITALS * text.size_pt * MM_PER_POINT
        for x, y, angle in text.glyphs:
            angle_rad = np.radians(angle)
            points += [
                (x, y),
                (x - capital_height * exact_math.sin(angle_rad), y + capital_height * exact_math.cos(angle_rad)),
            ]
    return shapely.multipoints(points)


# --- Road destinations at the edge of the board -----------------------------------------------------------------------

_ROAD_KINDS: Final = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK)
# The kind of road destinations in a name book.
_DESTINATION_KIND: Final = "beyond"

# Range of distances in mm from the edge at which a text may begin, and their step.
_NEAREST: Final = 6.0
_FARTHEST: Final = 60.0
_STEP: Final = 6.0

_ON_RIM: Final = 1.0
# Two roads that leave the board within this distance in mm get one destination.
_SHARED_END_MM: Final = 25.0

_TRIES: Final = 20


def place_road_destinations(
    field: Battlefield, period: str, drafter: Drafter, label_space: LabelSpace
) -> Iterator[Text]:
    """Yield the destination of each road beside its end at the map edge: "to Corvinum".

    The battlefield is in printed mm. Destinations appear only in the drawing. They come from the name book of a period,
    and never repeat a name on the board. A road gets none if no place on a single sheet is free, or if the period has
    no names.
    """
    words = drafter.words.each()[0]
    roads = [feature for feature in field.features if isinstance(feature, Course) and feature.kind in _ROAD_KINDS]
    book = load_name_book(words.code) if roads else None
    if book is None or period not in book.periods:
        return
    style = drafter.type_style(Font.ITALIC, 12.5, "ink-secondary", track=0.4).with_halo(drafter.halo("halo", 1.2))
    used_names = [feature.name for feature in field.features if feature.name]
    labelled_points: list[Point] = []
    for road in roads:
        for end, path in _edge_ends(road, field):
            destination = _draw_destination(book, period, f"{road.id}/{end}", used_names, drafter)
            end_point = Point(path[0])
            if not destination or any(
                end_point.distance(labelled_point) < drafter.size(_SHARED_END_MM) for labelled_point in labelled_points
            ):
                continue
            used_names.append(destination)
            labelled_points.append(end_point)
            text = words("way.to", name=destination)
            span = measure(text, style) + drafter.size(2)
            starts = drafter.size(1) * np.arange(_NEAREST, _FARTHEST, _STEP)
            length = _PITCH * (len(path) - 1)
            windows = [(start, start + span) for start in starts if start + span <= length]
            strips = tuple(
                _candidate_places(
                    road,
                    path,
                    windows,
                    style,
                    drafter,
                    (label_space.hard_obstacles, label_space.soft_obstacles),
                    farther=0.1,
                )
            )
            yield from _place_text(
                text, strips, style, drafter, label_space, is_undivided=True, clear_of=label_space.soft_obstacles
            )


def _edge_ends(road: Course, field: Battlefield) -> Iterator[tuple[str, Line]]:
    """Yield the ends of a road that are on the map edge: ``first`` or ``last``, and its line.

    The line has points in printed mm, from the edge inwards, n x 2.
    """
    rim = field.ground.exterior
    for part in shapely.get_parts(shapely.intersection(road.line, field.ground)):
        if not isinstance(part, LineString) or part.length < 2 * _PITCH:
            continue
        for end, line in (("first", part), ("last", part.reverse())):
            if rim.distance(Point(line.coords[0])) <= _ON_RIM:
                yield end, resampled(line, _PITCH)


def _draw_destination(book: NameBook, period: str, end: str, used_names: list[str], drafter: Drafter) -> str:
    """Return a random destination that does not resemble a name in ``used_names``, or an empty string.

    Two names resemble each other if one contains the other. There are 20 tries. ``period`` is a period of the name
    book. ``end`` is the ID of the road and the name of its end (``z5/first``); it selects the random numbers.
    """
    stream = drafter.context.jitter.stream(f"draw/road-end/{end}")
    tries = (book.name(_DESTINATION_KIND, period, stream) for _ in range(_TRIES))
    return next(
        (name for name in tries if not any(name in used_name or used_name in name for used_name in used_names)), ""
    )
