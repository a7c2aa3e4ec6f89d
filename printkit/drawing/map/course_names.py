"""Place names along rivers and roads, and road destinations at the board edge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point

from printkit.core import elementary
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Font, Text
from printkit.drawing.canvas.shapes import Line, resampled
from printkit.drawing.lettering.label_space import LabelSpace
from printkit.drawing.lettering.lettering import TypeStyle, measure, set_words_along_curve
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Kind
from printkit.terrain.field.names import NameBook, name_book

_PITCH: Final = 2.0
_REPEAT: Final = 500.0
_BEND: Final = 40.0
_CURVED: Final = 2.4
# Extra penalty of a place below a line over one above it.
_BELOW: Final = 0.5


# Size in points, ink and tracking in mm of the names of waters.
_HANDS: Final = {
    Kind.RIVER: (20.0, "water-name", 2.2),
    **dict.fromkeys((Kind.STREAM, Kind.CREEK), (17.0, "water-name", 1.6)),
}
# The same for roads and all other courses.
_WAY: Final = (13.5, "ink", 0.5)

_TRIED: Final = 12
# Height of capitals, relative to the type size.
_CAPITALS: Final = 0.66

# Distance in mm of fences and banks from the edge of a road.
_WORKS: Final = {Kind.FENCED_ROAD: 1.5, Kind.SUNKEN_LANE: 2.6}


class _Strip(Struct, frozen=True, eq=False):
    """A place for a name beside a line: ``path`` in reading direction, baseline offset in mm, and penalty.

    ``ground`` is the area that the name covers there.
    """

    path: Line
    offset: float
    label_penalty: float
    ground: shapely.Geometry


def reach(course: Course, drafter: Drafter) -> float:
    """Return half the width of a course in mm, with its fences and banks."""
    return course.width / 2 + drafter.size(_WORKS.get(course.kind, 0.0))


def course_name(course: Course, drafter: Drafter, room: LabelSpace) -> tuple[Text, ...]:
    """Return the name of a course along its straightest sections, repeated every 500 mm.

    Sections with tight bends get no repeat, because letters collide on a tight curve.
    """
    size, token, track = _HANDS.get(course.kind, _WAY)
    hand = drafter.hand(Font.ITALIC, size, token, track=track).with_halo(drafter.halo("halo", 1.4))
    span = measure(course.name, hand)
    visible = shapely.intersection(course.line, room.inside)
    parts = [part for part in shapely.get_parts(visible) if part.length > span * 1.2]
    if not parts:
        return ()
    path = resampled(max(parts, key=lambda part: float(part.length)), _PITCH)
    length = _PITCH * (len(path) - 1)
    times = max(1, round(length / max(drafter.size(_REPEAT), span * 2)))
    half = span / 2 + drafter.size(4)
    stretches = []
    for number in range(times):
        first, last = number / times * length, (number + 1) / times * length
        middles = np.arange(max(first, half), min(last, length - half), 6.0)
        windows = [(middle - half, middle + half) for middle in middles]
        stretches.append(_strips(course, path, windows, hand, drafter, (room.hard_obstacles, room.canopies)))

    def placed(strips: Iterable[_Strip], *, whole: bool = False) -> tuple[Text, ...]:
        grounds = {"clear_of": room.canopies, "avoid": room.soft_obstacles}
        return _beside(course.name, tuple(strips), hand, drafter, room, whole=whole, **grounds)

    straight = [[strip for strip in stretch if strip.label_penalty < _CURVED] for stretch in stretches]
    # Prefer names that no sheet cut divides: if one fits, no divided repeats are needed.
    for whole in room.cut_rules:
        if found := [text for stretch in straight for text in placed(stretch, whole=whole)]:
            return tuple(found)
    return placed(strip for stretch in stretches for strip in stretch)


def _strips(
    course: Course,
    path: Line,
    windows: Iterable[tuple[float, float]],
    hand: TypeStyle,
    drafter: Drafter,
    shut: Sequence[shapely.Geometry],
    *,
    farther: float = 0.0,
) -> list[_Strip]:
    """Return the places on both sides of a line, one pair for each window (start and end in mm along it).

    A bend adds to the penalty, and each window has ``farther`` more than the one before. Places with an end on
    ``shut`` ground are left out.
    """
    edge = reach(course, drafter) + drafter.size(1.5)
    offsets = (edge + 0.20 * hand.height, -(edge + 0.70 * hand.height))
    found: list[tuple[Line, float, float]] = []
    for number, (first, last) in enumerate(windows):
        window = path[max(0, int(first / _PITCH)) : int(last / _PITCH) + 1]
        chord = window[-1] - window[0]
        bend = 1 - float(np.hypot(*chord)) / (_PITCH * (len(window) - 1))
        reads = window if chord[0] > -0.2 * np.hypot(*chord) else window[::-1]
        found += [(reads, offset, _BEND * bend + _BELOW * (offset < 0) + farther * number) for offset in offsets]
    if not found:
        return []
    middles = np.array([offset + 0.24 * hand.height for _, offset, _ in found])
    steps = np.array([[reads[1] - reads[0], reads[-1] - reads[-2]] for reads, *_ in found])
    steps /= np.hypot(steps[..., 0], steps[..., 1])[..., None]
    feet = np.array([reads[[0, -1]] for reads, *_ in found])
    feet = feet + np.stack([-steps[..., 1], steps[..., 0]], axis=-1) * middles[:, None, None]
    free = np.ones(len(found), dtype=bool)
    for ground in shut:
        shapely.prepare(ground)
        free &= ~shapely.intersects_xy(ground, feet[..., 0], feet[..., 1]).any(axis=1)
    kept = np.flatnonzero(free)
    lines = [LineString(found[number][0]) for number in kept]
    midlines = shapely.offset_curve(lines, middles[kept])
    boxes = shapely.buffer(midlines, 0.48 * hand.height, quad_segs=4, cap_style="flat")
    return [_Strip(*found[number], ground) for number, ground in zip(kept.tolist(), boxes, strict=True)]


def _beside(
    text: str,
    strips: tuple[_Strip, ...],
    hand: TypeStyle,
    drafter: Drafter,
    room: LabelSpace,
    *,
    whole: bool = False,
    **grounds: shapely.Geometry,
) -> tuple[Text, ...]:
    """Place a text at the best place beside a line and reserve its area. Return nothing if no place is free."""
    if not strips:
        return ()
    boxes = np.array([strip.ground for strip in strips])
    dislike = np.array([strip.label_penalty for strip in strips])
    for _ in range(_TRIED):
        best = room.find_best(boxes, dislike, reject_cut=whole, **grounds)
        if best is None or not np.isfinite(dislike[best]):
            return ()
        found = set_words_along_curve(text, strips[best].path, hand, offset=strips[best].offset)
        # On a line that winds within the length of a letter, letters reach outside their box.
        if not shapely.intersects(room.hard_obstacles, _ends_of_letters(found)):
            room.take(boxes[best].buffer(drafter.size(2)))
            return found
        dislike[best] = np.inf
    return ()


def _ends_of_letters(texts: tuple[Text, ...]) -> shapely.Geometry:
    """Return the baseline and cap-height points of letters along a curve."""
    found = []
    for text in texts:
        high = _CAPITALS * text.size_pt * MM_PER_POINT
        for x, y, angle in text.glyphs:
            turn = np.radians(angle)
            found += [(x, y), (x - high * elementary.sin(turn), y + high * elementary.cos(turn))]
    return shapely.multipoints(found)


# --- Road destinations at the edge of the board -----------------------------------------------------------------------

_LEADING: Final = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK)
# The kind of road destinations in a name book.
_PLACE: Final = "beyond"

# Range of distances in mm from the edge at which a text may begin, and their step.
_NEAREST: Final = 6.0
_FARTHEST: Final = 60.0
_STEP: Final = 6.0

_ON_RIM: Final = 1.0
# Two roads that leave the board within this distance in mm get one destination.
_ONE_END: Final = 25.0

_TRIES: Final = 20


def road_ends(field: Battlefield, period: str, drafter: Drafter, room: LabelSpace) -> Iterator[Text]:
    """Yield the destination of each road beside its end at the map edge: "to Corvinum".

    Destinations appear only in the drawing. They come from the name book of a period, and never repeat a name on the
    board. A road gets none if no place on a single sheet is free, or if the period has no names.
    """
    words = drafter.words.each()[0]
    ways = [feature for feature in field.features if isinstance(feature, Course) and feature.kind in _LEADING]
    book = name_book(words.code) if ways else None
    if book is None or period not in book.periods:
        return
    hand = drafter.hand(Font.ITALIC, 12.5, "ink-secondary", track=0.4).with_halo(drafter.halo("halo", 1.2))
    taken = [feature.name for feature in field.features if feature.name]
    told: list[Point] = []
    for way in ways:
        for end, path in _leaving(way, field):
            place = _place_beyond(book, period, f"{way.id}/{end}", taken, drafter)
            at = Point(path[0])
            if not place or any(at.distance(other) < drafter.size(_ONE_END) for other in told):
                continue
            taken.append(place)
            told.append(at)
            text = words("way.to", name=place)
            span = measure(text, hand) + drafter.size(2)
            starts = drafter.size(1) * np.arange(_NEAREST, _FARTHEST, _STEP)
            length = _PITCH * (len(path) - 1)
            windows = [(start, start + span) for start in starts if start + span <= length]
            strips = tuple(
                _strips(way, path, windows, hand, drafter, (room.hard_obstacles, room.soft_obstacles), farther=0.1)
            )
            yield from _beside(text, strips, hand, drafter, room, whole=True, clear_of=room.soft_obstacles)


def _leaving(way: Course, field: Battlefield) -> Iterator[tuple[str, Line]]:
    """Yield the ends of a road that are on the map edge, each with the line from there inwards."""
    rim = field.ground.exterior
    for part in shapely.get_parts(shapely.intersection(way.line, field.ground)):
        if not isinstance(part, LineString) or part.length < 2 * _PITCH:
            continue
        for end, line in (("first", part), ("last", part.reverse())):
            if rim.distance(Point(line.coords[0])) <= _ON_RIM:
                yield end, resampled(line, _PITCH)


def _place_beyond(book: NameBook, period: str, end: str, taken: list[str], drafter: Drafter) -> str:
    """Return a destination that does not resemble a name in ``taken``, or an empty string."""
    stream = drafter.context.jitter.stream(f"draw/road-end/{end}")
    tries = (book.name(_PLACE, period, stream) for _ in range(_TRIES))
    return next((name for name in tries if not any(name in other or other in name for other in taken)), "")
