"""Names of courses along their line, and at the edge of the board where its roads lead."""

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
from printkit.drawing.lettering.lettering import Hand, measure, words_along
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Kind
from printkit.terrain.field.names import NameBook, name_book

_PITCH: Final = 2.0
_REPEAT: Final = 500.0
_BEND: Final = 40.0
_CURVED: Final = 2.4
_BELOW: Final = 0.5
"""How much less a place below a line is liked than one above it."""


_HANDS: Final = {
    Kind.RIVER: (20.0, "water-name", 2.2),
    **dict.fromkeys((Kind.STREAM, Kind.CREEK), (17.0, "water-name", 1.6)),
}
_WAY: Final = (13.5, "ink", 0.5)
"""The size in points, the ink and the track in mm of the names of courses, of ways and all else."""

_TRIED: Final = 12
_CAPITALS: Final = 0.66
"""How high in sizes capitals are."""

_WORKS: Final = {Kind.FENCED_ROAD: 1.5, Kind.SUNKEN_LANE: 2.6}
"""How far in mm the fences and banks of a way stand off its edge."""


class _Strip(Struct, frozen=True, eq=False):
    """A place for type beside a line: the stretch as it reads, how far off the feet stand, how ill it is liked.

    ``ground`` is what the type takes there.
    """

    path: Line
    offset: float
    dislike: float
    ground: shapely.Geometry


def reach(course: Course, drafter: Drafter) -> float:
    """Return how far in mm a course reaches from its centre line, its fences and banks counted."""
    return course.width / 2 + drafter.size(_WORKS.get(course.kind, 0.0))


def course_name(course: Course, drafter: Drafter, room: LabelSpace) -> tuple[Text, ...]:
    """Return the name of a water or way along its straightest stretches, repeated every 500 mm of it.

    Where it bends much it is not told again, for letters on a tight curve run into each other.
    """
    size, token, track = _HANDS.get(course.kind, _WAY)
    hand = drafter.hand(Font.ITALIC, size, token, track=track).haloed(drafter.halo("halo", 1.4))
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
        stretches.append(_strips(course, path, windows, hand, drafter, (room.barred, room.closed)))

    def placed(strips: Iterable[_Strip], *, whole: bool = False) -> tuple[Text, ...]:
        grounds = {"clear_of": room.closed, "avoid": room.busy}
        return _beside(course.name, tuple(strips), hand, drafter, room, whole=whole, **grounds)

    straight = [[strip for strip in stretch if strip.dislike < _CURVED] for stretch in stretches]
    # One that is told in one piece need not be told again in two.
    for whole in room.wholes:
        if found := [text for stretch in straight for text in placed(stretch, whole=whole)]:
            return tuple(found)
    return placed(strip for stretch in stretches for strip in stretch)


def _strips(
    course: Course,
    path: Line,
    windows: Iterable[tuple[float, float]],
    hand: Hand,
    drafter: Drafter,
    shut: Sequence[shapely.Geometry],
    *,
    farther: float = 0.0,
) -> list[_Strip]:
    """Return the places on both sides of stretches of a line, from and to so many mm of it; one that bends is worse.

    Each stretch is liked ``farther`` less than the one before. Places are left out of which an end lies on ground that
    is shut.
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
    hand: Hand,
    drafter: Drafter,
    room: LabelSpace,
    *,
    whole: bool = False,
    **grounds: shapely.Geometry,
) -> tuple[Text, ...]:
    """Return a text at the best of the places beside a line, or nothing where none is free; takes its room."""
    if not strips:
        return ()
    boxes = np.array([strip.ground for strip in strips])
    dislike = np.array([strip.dislike for strip in strips])
    for _ in range(_TRIED):
        best = room.best(boxes, dislike, whole=whole, **grounds)
        if best is None or not np.isfinite(dislike[best]):
            return ()
        found = words_along(text, strips[best].path, hand, offset=strips[best].offset)
        # Where a line winds within a letter's length, letters stand nearer to it than their ground.
        if not shapely.intersects(room.barred, _ends_of_letters(found)):
            room.take(boxes[best].buffer(drafter.size(2)))
            return found
        dislike[best] = np.inf
    return ()


def _ends_of_letters(texts: tuple[Text, ...]) -> shapely.Geometry:
    """Return the feet and the heads of letters along a curve, as points."""
    found = []
    for text in texts:
        high = _CAPITALS * text.size_pt * MM_PER_POINT
        for x, y, angle in text.glyphs:
            turn = np.radians(angle)
            found += [(x, y), (x - high * elementary.sin(turn), y + high * elementary.cos(turn))]
    return shapely.multipoints(found)


# --- At the edge of the board: where its roads lead -------------------------------------------------------------------

_LEADING: Final = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK)
_PLACE: Final = "beyond"
"""The kind under which a name book has the places that roads lead to."""

_NEAREST: Final = 6.0
_FARTHEST: Final = 60.0
_STEP: Final = 6.0
"""Where in mm from the edge a text may begin, and how far apart its places are."""

_ON_RIM: Final = 1.0
_ONE_END: Final = 25.0
"""How close in mm two ways leave that are told of once."""

_TRIES: Final = 20


def road_ends(field: Battlefield, period: str, drafter: Drafter, room: LabelSpace) -> Iterator[Text]:
    """Yield beside each road at the edge where it leaves the map where it leads: "to Corvinum".

    Nothing says so but the drawing. The places are those of a period of the names, never one that lies on the board;
    nothing is told where no place is free and on one sheet, or where the period has none.
    """
    words = drafter.words.each()[0]
    ways = [feature for feature in field.features if isinstance(feature, Course) and feature.kind in _LEADING]
    book = name_book(words.code) if ways else None
    if book is None or period not in book.periods:
        return
    hand = drafter.hand(Font.ITALIC, 12.5, "ink-secondary", track=0.4).haloed(drafter.halo("halo", 1.2))
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
            strips = tuple(_strips(way, path, windows, hand, drafter, (room.barred, room.busy), farther=0.1))
            yield from _beside(text, strips, hand, drafter, room, whole=True, clear_of=room.busy)


def _leaving(way: Course, field: Battlefield) -> Iterator[tuple[str, Line]]:
    """Yield the ends of a way that lie on the edge of the map, each with the way from there on."""
    rim = field.ground.exterior
    for part in shapely.get_parts(shapely.intersection(way.line, field.ground)):
        if not isinstance(part, LineString) or part.length < 2 * _PITCH:
            continue
        for end, line in (("first", part), ("last", part.reverse())):
            if rim.distance(Point(line.coords[0])) <= _ON_RIM:
                yield end, resampled(line, _PITCH)


def _place_beyond(book: NameBook, period: str, end: str, taken: list[str], drafter: Drafter) -> str:
    """Return a place that lies on no board of these names, or nothing."""
    stream = drafter.context.jitter.stream(f"draw/road-end/{end}")
    tries = (book.name(_PLACE, period, stream) for _ in range(_TRIES))
    return next((name for name in tries if not any(name in other or other in name for other in taken)), "")
