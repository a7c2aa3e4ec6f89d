"""Armies on the map: elements on their bases, outlines and numbers of groups, names of places, and camps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely.geometry.base import BaseGeometry

from printkit.core import elementary
from printkit.drawing.canvas.items import Anchor, Font, Ink, Item, Join, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import dots
from printkit.drawing.lettering.lettering import measure, shrink_to_fit
from printkit.drawing.map.overlays import OverlayPainter, limit_lines, overlays_of_kind, stroke_with_halo
from printkit.drawing.signs.lines.course_lines import on_layer
from printkit.drawing.text.drafter import Drafter
from printkit.kit.sides import DEPLOYMENT
from printkit.systems.dba.elements.deployed_overlay import (
    CAMP_PLACE,
    UNPLACED,
    DeployedElement,
    camps_of,
    elements_of,
    groups_of,
)
from printkit.systems.dba.elements.element_face import ElementFace, camp_face, element_face, side_ink, unit_vector
from printkit.terrain.field.battlefield import Battlefield, Board
from printkit.terrain.field.features import Area, Hill

# The place behind the others; its name is at its rear.
RESERVE: Final = "reserve"

_ABOUT: Final = 1.2
_DISC: Final = 3.6
_APART: Final = 0.8
_BEYOND: Final = 1.2
_NUMBER_PT: Final = 13.0
_PLACE_PT: Final = 15.0
_LINE: Final = 0.45
_SLACK: Final = 1.6
_ZONE_PT: Final = 12.0
_TRACK: Final = 0.3
_TRIED: Final = 9


def standing_armies(field: Battlefield, drafter: Drafter) -> LayeredItems:
    """Draw the armies on a battlefield in printed mm: camps, elements on their bases, groups and places.

    Raises:
        RecordError: the label of an overlay cannot be parsed.
    """
    elements, camps = elements_of(field), camps_of(field)
    for camp in camps:
        said = drafter.words("deployment.camp")
        square = camp_face(said, camp.side, camp.x, camp.y, camp.size, drafter.style, facing=camp.facing)
        yield from on_layer(LayerName.OVERLAY, square)
    for element in elements:
        face = ElementFace(side=element.side, code=element.code, type=element.type, general=element.general)
        drawn = element_face(
            face, element.x, element.y, element.width, element.depth, drafter.style, facing=element.facing
        )
        yield from on_layer(LayerName.OVERLAY, drawn)
    for _, group in groups_of(elements):
        yield from on_layer(LayerName.OVERLAY, _ring(group, drafter))
    room = _Map(field.board, [base.buffer(drafter.size(_ABOUT)) for base in _bases(field)])
    yield from on_layer(LayerName.NUMBER, _numbers(elements, room, drafter))
    yield from on_layer(LayerName.LABEL, _places(elements, room, drafter))
    yield from on_layer(LayerName.LABEL, _zones(field, room, drafter))


def standing_ground(field: Battlefield, drafter: Drafter) -> BaseGeometry:
    """Return the ground of armies and their lettering, which names and grass avoid."""
    elements = elements_of(field)
    reach = drafter.size(_ABOUT + 2 * _DISC + _APART)
    ahead = [_moved(each, reach).base for each in elements if each.place != RESERVE]
    covered: BaseGeometry = shapely.union_all([*_bases(field), *ahead]).buffer(drafter.size(_ABOUT), join_style="mitre")
    return covered


def _bases(field: Battlefield) -> list[BaseGeometry]:
    return [*(element.base for element in elements_of(field)), *(camp.base for camp in camps_of(field))]


def _ring(group: Sequence[DeployedElement], drafter: Drafter) -> Iterable[Item]:
    """Return the outline around a group, which separates groups that touch."""
    around = shapely.union_all([each.base for each in group]).buffer(drafter.size(_ABOUT), join_style="mitre")
    ink = side_ink(group[0].side, drafter.style)
    return stroke_with_halo(around, drafter, ink, _LINE, halo=(0.7, 1.2), join=Join.MITRE)


class _Map(Struct):
    """Obstacles for names and numbers: bases, camps, and lettering drawn so far."""

    board: Board
    taken: list[BaseGeometry]

    def free(self, shape: BaseGeometry) -> bool:
        """Return whether a shape is on the board and covers nothing."""
        return bool(self.board.shape.covers(shape)) and not any(shape.intersects(each) for each in self.taken)

    def best(self, shapes: Sequence[BaseGeometry]) -> int:
        """Return the index of the first free shape; if none is free, of the shape that covers least."""
        for number, shape in enumerate(shapes):
            if self.free(shape):
                return number
        covered = shapely.union_all(self.taken)
        return min(range(len(shapes)), key=lambda number: float(covered.intersection(shapes[number]).area))


def _numbers(elements: tuple[DeployedElement, ...], room: _Map, drafter: Drafter) -> Iterable[Item]:
    """Yield a disc with the number of each group in front of its middle, behind it for a Reserve, or at a free point.

    If the list has a note about the group, an exclamation mark follows the number.
    """
    radius, gap = drafter.size(_DISC), drafter.size(_APART)
    for number, group in groups_of(elements):
        about = _About.of(group)
        away = drafter.size(_ABOUT) + radius + gap
        half = (about.right - about.left) / 2
        steps = [step * (radius + gap) for step in range(1 + int(half / (radius + gap)))]
        asides = [side * step for step in steps for side in ((1, -1) if step else (1,))]
        spots = [about.at(aside, ahead) for ahead in about.both(away) for aside in asides]
        spots += [about.beside(away, left=left) for left in (True, False)]
        discs = [shapely.Point(spot).buffer(radius) for spot in spots]
        chosen = room.best(discs)
        x, y = spots[chosen]
        room.taken.append(discs[chosen].buffer(gap))
        said = f"{number}!" if any(each.noted for each in group) else str(number)
        yield from number_disc(said, (x, y), radius, side_ink(group[0].side, drafter.style), drafter)


def number_disc(number: str, at: tuple[float, float], radius: float, ink: Ink, drafter: Drafter) -> Iterator[Item]:
    """Yield a number, with or without an exclamation mark, on a disc in the ink of a side."""
    yield from dots([at], radius, ink)
    hand = replace(drafter.type_style(Font.HEAVY, _NUMBER_PT), ink=drafter.style.solid("halo"))
    yield from drafter.centred_text(number, at, shrink_to_fit(number, hand, 1.5 * radius))


def _places(elements: tuple[DeployedElement, ...], room: _Map, drafter: Drafter) -> Iterable[Item]:
    """Yield the name of each place with elements, beyond the numbers of its groups."""
    seen: dict[tuple[str, str], list[DeployedElement]] = {}
    for each in elements:
        if each.place != CAMP_PLACE:
            seen.setdefault((each.side, each.place), []).append(each)
    for (side, place), group in seen.items():
        about, high = _About.of(group), drafter.type_style(Font.BANNER, _PLACE_PT).height
        discs = 2 * (drafter.size(_DISC) + drafter.size(_APART)) if group[0].group else 0.0
        close = drafter.size(_ABOUT + _BEYOND) + high / 2
        aheads = about.both(close + discs)
        spots = [about.at(aside, aheads[0]) for aside in (0.0, 0.25 * about.long, -0.25 * about.long)]
        text = drafter.words(f"deployment.place.{place}")
        long = measure(text, drafter.type_style(Font.BANNER, _PLACE_PT, track=_TRACK))
        spots += [about.beside(close + long / 2, left=left) for left in (True, False)]
        spots += [about.at(0.0, ahead) for ahead in (*about.both(close), aheads[1])]
        yield from _named(text, side, spots, _reading(group[0].facing), room, drafter)


def _zones(field: Battlefield, room: _Map, drafter: Drafter) -> Iterable[Item]:
    """Yield the name of each side's zone, inside the zone at an end of its front line.

    Elements without space in the zone are listed there too.
    """
    country = shapely.union_all([each.outline for each in field.features if isinstance(each, Area | Hill)])
    told = [(overlay, f"deployment.zone.{overlay.side}", "") for overlay in overlays_of_kind(field, DEPLOYMENT)]
    told += [(overlay, "deployment.unplaced", overlay.label) for overlay in overlays_of_kind(field, UNPLACED)]
    for overlay, key, elements in told:
        line = limit_lines(overlay, field.board)
        if not drafter.words.has(key) or line.is_empty:
            continue
        text = drafter.words(key, elements=elements)
        left, low, right, top = line.bounds
        level = right - left > top - low
        high = drafter.type_style(Font.BANNER, _ZONE_PT).height
        long = measure(text, drafter.type_style(Font.BANNER, _ZONE_PT, track=_TRACK))
        inner = overlay.shape.centroid
        toward = 1.0 if (inner.y - low if level else inner.x - left) > 0 else -1.0
        from_end, off = long / 2 + drafter.size(_SLACK + 1.0), toward * (0.5 * high + drafter.size(2 * _BEYOND))
        first, last = (left + from_end, right - from_end) if level else (low + from_end, top - from_end)
        along = [first, last, *np.linspace(first, last, _TRIED + 2)[1:-1].tolist()]
        spots = [(at, low + by) if level else (left + by, at) for by in (off, -off) for at in along]
        spots.sort(key=lambda spot: bool(shapely.Point(spot).buffer(long / 2).intersects(country)))
        yield from _named(text, overlay.side, spots, 0.0 if level else 90.0, room, drafter, points=_ZONE_PT)


def _named(
    text: str,
    side: str,
    spots: Sequence[tuple[float, float]],
    angle: float,
    room: _Map,
    drafter: Drafter,
    *,
    points: float = _PLACE_PT,
) -> Iterable[Item]:
    """Yield a name at the first of several points where it covers nothing."""
    hand = drafter.type_style(Font.BANNER, points, track=_TRACK)
    hand = replace(hand, ink=side_ink(side, drafter.style)).with_halo(drafter.halo("halo", 1.6))
    board = room.board
    hand = shrink_to_fit(text, hand, board.width if angle == 0.0 else board.depth)
    long = measure(text, hand)
    kept = [_kept_in(x, y, long, hand.height, angle, board) for x, y in spots]
    half = (long / 2, 0.42 * hand.height) if angle == 0.0 else (0.42 * hand.height, long / 2)
    boxes = [shapely.box(x - half[0], y - half[1], x + half[0], y + half[1]) for x, y in kept]
    chosen = room.best(boxes)
    room.taken.append(boxes[chosen])
    x, y = kept[chosen]
    up_x, up_y = unit_vector(angle + 90.0)
    low = 0.36 * hand.height
    yield from drafter.text(text, (x - up_x * low, y - up_y * low), hand, anchor=Anchor.MIDDLE, angle=angle)


class _About(Struct, frozen=True):
    """The bounds of elements as their side sees them: left to right along the front, and distance towards the enemy."""

    facing: float
    left: float
    right: float
    rear: float
    front: float
    behind: bool

    @classmethod
    def of(cls, group: Sequence[DeployedElement]) -> _About:
        facing = group[0].facing
        points = shapely.get_coordinates(shapely.union_all([each.base for each in group]))
        forth, aside = (elementary.product(points, unit_vector(turn)) for turn in (facing, facing - 90.0))
        return cls(
            facing,
            float(aside.min()),
            float(aside.max()),
            float(forth.min()),
            float(forth.max()),
            group[0].place == RESERVE,
        )

    @property
    def long(self) -> float:
        """Return the length of the front."""
        return self.right - self.left

    def both(self, by: float) -> tuple[float, float]:
        """Return distances ``by`` mm before the front and behind the rear, in this order; reversed for a Reserve."""
        ahead, back = self.front + by, self.rear - by
        return (back, ahead) if self.behind else (ahead, back)

    def at(self, aside: float, away: float) -> tuple[float, float]:
        """Return the board point at an offset from the middle, and a distance towards the enemy."""
        return self._point((self.left + self.right) / 2 + aside, away)

    def beside(self, by: float, *, left: bool) -> tuple[float, float]:
        """Return the point ``by`` mm beyond an end."""
        return self._point(self.left - by if left else self.right + by, (self.front + self.rear) / 2)

    def _point(self, along: float, away: float) -> tuple[float, float]:
        point = along * np.array(unit_vector(self.facing - 90.0)) + away * np.array(unit_vector(self.facing))
        return float(point[0]), float(point[1])


def _kept_in(x: float, y: float, long: float, high: float, angle: float, board: Board) -> tuple[float, float]:
    """Return the centre of a name, moved so that the name is completely on the board."""
    across, up = (long, high) if angle == 0.0 else (high, long)
    half_x, half_y = across / 2 + _SLACK, up / 2 + _SLACK
    return (
        min(max(x, half_x), max(board.width - half_x, half_x)),
        min(max(y, half_y), max(board.depth - half_y, half_y)),
    )


def _moved(element: DeployedElement, by: float) -> DeployedElement:
    x, y = unit_vector(element.facing)
    return replace(element, x=element.x + by * x, y=element.y + by * y)


def _reading(facing: float) -> float:
    """Return the angle of text along a front in degrees: horizontal, or upwards."""
    return 90.0 if round(facing) % 180 == 0 else 0.0


# Draws the armies on the board.
PAINTER: Final = OverlayPainter(marks=standing_armies, ground=standing_ground)
