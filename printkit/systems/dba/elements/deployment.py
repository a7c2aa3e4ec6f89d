"""Armies on the map: elements on their bases, outlines and numbers of groups, names of places, and camps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
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
    iterate_groups,
    read_camps,
    read_elements,
)
from printkit.systems.dba.elements.element_face import ElementFace, draw_camp, draw_element, side_ink, unit_vector
from printkit.terrain.field.battlefield import Battlefield, Board
from printkit.terrain.field.features import Area, Hill

# The place behind the others; its name is at its rear.
RESERVE: Final = "reserve"

_OUTLINE_GAP: Final = 1.2
_DISC: Final = 3.6
_DISC_GAP: Final = 0.8
_NAME_GAP: Final = 1.2
_NUMBER_PT: Final = 13.0
_PLACE_PT: Final = 15.0
_LINE: Final = 0.45
_EDGE_GAP: Final = 1.6
_ZONE_PT: Final = 12.0
_TRACKING: Final = 0.3
_TRY_COUNT: Final = 9


def draw_armies(field: Battlefield, drafter: Drafter) -> LayeredItems:
    """Draw the armies on a battlefield in printed mm: camps, elements on their bases, groups and places.

    Yields (layer, item) pairs.

    Raises:
        RecordError: the label of an overlay cannot be parsed.
    """
    elements, camps = read_elements(field), read_camps(field)
    for camp in camps:
        camp_name = drafter.words("deployment.camp")
        square = draw_camp(camp_name, camp.side, camp.x, camp.y, camp.size, drafter.style, facing=camp.facing)
        yield from on_layer(LayerName.OVERLAY, square)
    for element in elements:
        face = ElementFace(side=element.side, code=element.code, type=element.type, is_general=element.is_general)
        face_items = draw_element(
            face, element.x, element.y, element.width, element.depth, drafter.style, facing=element.facing
        )
        yield from on_layer(LayerName.OVERLAY, face_items)
    for _, group in iterate_groups(elements):
        yield from on_layer(LayerName.OVERLAY, _draw_group_outline(group, drafter))
    label_map = _LabelMap(field.board, [base.buffer(drafter.size(_OUTLINE_GAP)) for base in _base_outlines(field)])
    yield from on_layer(LayerName.NUMBER, _draw_numbers(elements, label_map, drafter))
    yield from on_layer(LayerName.LABEL, _draw_place_names(elements, label_map, drafter))
    yield from on_layer(LayerName.LABEL, _draw_zone_names(field, label_map, drafter))


def armies_ground(field: Battlefield, drafter: Drafter) -> BaseGeometry:
    """Return the area that armies and their lettering cover, in printed mm.

    Names and grass avoid it. It is empty if no armies are deployed.
    """
    elements = read_elements(field)
    reach = drafter.size(_OUTLINE_GAP + 2 * _DISC + _DISC_GAP)
    advanced_bases = [_advance_element(element, reach).base for element in elements if element.place != RESERVE]
    area: BaseGeometry = shapely.union_all([*_base_outlines(field), *advanced_bases]).buffer(
        drafter.size(_OUTLINE_GAP), join_style="mitre"
    )
    return area


def _base_outlines(field: Battlefield) -> list[BaseGeometry]:
    """Return the outlines of all element bases and camps, in printed mm."""
    return [*(element.base for element in read_elements(field)), *(camp.base for camp in read_camps(field))]


def _draw_group_outline(group: Sequence[DeployedElement], drafter: Drafter) -> Iterable[Item]:
    """Return the outline around the bases of a group, which separates groups that touch."""
    group_outline = shapely.union_all([element.base for element in group]).buffer(
        drafter.size(_OUTLINE_GAP), join_style="mitre"
    )
    ink = side_ink(group[0].side, drafter.style)
    return stroke_with_halo(group_outline, drafter, ink, _LINE, halo=(0.7, 1.2), join=Join.MITRE)


class _LabelMap(Struct):
    """Obstacles for names and numbers in printed mm: bases, camps, and lettering drawn so far."""

    board: Board
    obstacles: list[BaseGeometry]

    def is_free(self, shape: BaseGeometry) -> bool:
        """Return whether a shape in printed mm is on the board and neither overlaps nor touches an obstacle."""
        return bool(self.board.shape.covers(shape)) and not any(
            shape.intersects(obstacle) for obstacle in self.obstacles
        )

    def find_best(self, shapes: Sequence[BaseGeometry]) -> int:
        """Return the index of the first free shape, or else of the one that covers the least of the obstacles.

        Free shapes are on the board and clear of all obstacles. The second choice ignores the board edge. Shapes are in
        printed mm.
        """
        for number, shape in enumerate(shapes):
            if self.is_free(shape):
                return number
        all_obstacles = shapely.union_all(self.obstacles)
        return min(range(len(shapes)), key=lambda number: float(all_obstacles.intersection(shapes[number]).area))


def _draw_numbers(elements: tuple[DeployedElement, ...], label_map: _LabelMap, drafter: Drafter) -> Iterable[Item]:
    """Yield a disc with the number of each group in front of its middle, behind it for a Reserve, or at a free point.

    If the list has a note about the group, an exclamation mark follows the number.
    """
    radius, gap = drafter.size(_DISC), drafter.size(_DISC_GAP)
    for number, group in iterate_groups(elements):
        bounds = _GroupBounds.from_group(group)
        distance = drafter.size(_OUTLINE_GAP) + radius + gap
        half_front = (bounds.right - bounds.left) / 2
        steps = [step * (radius + gap) for step in range(1 + int(half_front / (radius + gap)))]
        offsets = [side * step for step in steps for side in ((1, -1) if step else (1,))]
        centres = [
            bounds.at(offset, front_distance)
            for front_distance in bounds.distances_beyond(distance)
            for offset in offsets
        ]
        centres += [bounds.point_beyond(distance, left=left) for left in (True, False)]
        discs = [shapely.Point(centre).buffer(radius) for centre in centres]
        best_index = label_map.find_best(discs)
        x, y = centres[best_index]
        label_map.obstacles.append(discs[best_index].buffer(gap))
        number_text = f"{number}!" if any(element.has_note for element in group) else str(number)
        yield from draw_number_disc(number_text, (x, y), radius, side_ink(group[0].side, drafter.style), drafter)


def draw_number_disc(
    number: str, centre: tuple[float, float], radius: float, ink: Ink, drafter: Drafter
) -> Iterator[Item]:
    """Yield the number of a group or column on a disc in the ink of a side.

    Centre and radius are in printed mm. ``number`` may end with an exclamation mark.
    """
    yield from dots([centre], radius, ink)
    type_style = replace(drafter.type_style(Font.HEAVY, _NUMBER_PT), ink=drafter.style.solid("halo"))
    yield from drafter.centred_text(number, centre, shrink_to_fit(number, type_style, 1.5 * radius))


def _draw_place_names(elements: tuple[DeployedElement, ...], label_map: _LabelMap, drafter: Drafter) -> Iterable[Item]:
    """Yield the name of each place with elements, beyond the numbers of its groups.

    Items are in printed mm. The place of the camp is left out, and each name gets the best of several positions.
    """
    groups: dict[tuple[str, str], list[DeployedElement]] = {}
    for element in elements:
        if element.place != CAMP_PLACE:
            groups.setdefault((element.side, element.place), []).append(element)
    for (side, place), group in groups.items():
        bounds, type_height = _GroupBounds.from_group(group), drafter.type_style(Font.BANNER, _PLACE_PT).height
        disc_space = 2 * (drafter.size(_DISC) + drafter.size(_DISC_GAP)) if group[0].group else 0.0
        name_distance = drafter.size(_OUTLINE_GAP + _NAME_GAP) + type_height / 2
        front_distances = bounds.distances_beyond(name_distance + disc_space)
        points = [
            bounds.at(offset, front_distances[0])
            for offset in (0.0, 0.25 * bounds.front_length, -0.25 * bounds.front_length)
        ]
        text = drafter.words(f"deployment.place.{place}")
        text_width = measure(text, drafter.type_style(Font.BANNER, _PLACE_PT, track=_TRACKING))
        points += [bounds.point_beyond(name_distance + text_width / 2, left=left) for left in (True, False)]
        points += [
            bounds.at(0.0, front_distance)
            for front_distance in (*bounds.distances_beyond(name_distance), front_distances[1])
        ]
        # Text is horizontal or reads upwards, along the front.
        angle = 90.0 if round(group[0].facing) % 180 == 0 else 0.0
        yield from _draw_name(text, side, points, angle, label_map, drafter)


def _draw_zone_names(field: Battlefield, label_map: _LabelMap, drafter: Drafter) -> Iterable[Item]:
    """Yield the name of each side's zone, inside the zone at an end of its front line.

    Elements without space in the zone are listed there too.
    """
    terrain = shapely.union_all([feature.outline for feature in field.features if isinstance(feature, Area | Hill)])
    zone_labels = [(overlay, f"deployment.zone.{overlay.side}", "") for overlay in overlays_of_kind(field, DEPLOYMENT)]
    zone_labels += [(overlay, "deployment.unplaced", overlay.label) for overlay in overlays_of_kind(field, UNPLACED)]
    for overlay, key, elements in zone_labels:
        line = limit_lines(overlay, field.board)
        if not drafter.words.has(key) or line.is_empty:
            continue
        text = drafter.words(key, elements=elements)
        left, low, right, top = line.bounds
        is_horizontal = right - left > top - low
        type_height = drafter.type_style(Font.BANNER, _ZONE_PT).height
        text_width = measure(text, drafter.type_style(Font.BANNER, _ZONE_PT, track=_TRACKING))
        inner = overlay.shape.centroid
        inward_sign = 1.0 if (inner.y - low if is_horizontal else inner.x - left) > 0 else -1.0
        from_end, offset = (
            text_width / 2 + drafter.size(_EDGE_GAP + 1.0),
            inward_sign * (0.5 * type_height + drafter.size(2 * _NAME_GAP)),
        )
        first, last = (left + from_end, right - from_end) if is_horizontal else (low + from_end, top - from_end)
        positions = [first, last, *np.linspace(first, last, _TRY_COUNT + 2)[1:-1].tolist()]
        points = [
            (position, low + shift) if is_horizontal else (left + shift, position)
            for shift in (offset, -offset)
            for position in positions
        ]
        points.sort(key=lambda point: bool(shapely.Point(point).buffer(text_width / 2).intersects(terrain)))
        yield from _draw_name(
            text, overlay.side, points, 0.0 if is_horizontal else 90.0, label_map, drafter, points=_ZONE_PT
        )


def _draw_name(
    text: str,
    side: str,
    candidates: Sequence[tuple[float, float]],
    angle: float,
    label_map: _LabelMap,
    drafter: Drafter,
    *,
    points: float = _PLACE_PT,
) -> Iterable[Item]:
    """Yield a name at the first of several points where it covers nothing, or where it covers least.

    Args:
        side: ``NPG`` or ``YOU``; gives the ink.
        candidates: possible centres of the name, in printed mm.
        angle: 0 for horizontal text, 90 for text that reads upwards, in degrees.
        points: type size in points.
    """
    type_style = drafter.type_style(Font.BANNER, points, track=_TRACKING)
    type_style = replace(type_style, ink=side_ink(side, drafter.style)).with_halo(drafter.halo("halo", 1.6))
    board = label_map.board
    type_style = shrink_to_fit(text, type_style, board.width if angle == 0.0 else board.depth)
    text_width = measure(text, type_style)
    centres = [_move_onto_board(x, y, text_width, type_style.height, angle, board) for x, y in candidates]
    half_size = (
        (text_width / 2, 0.42 * type_style.height) if angle == 0.0 else (0.42 * type_style.height, text_width / 2)
    )
    boxes = [shapely.box(x - half_size[0], y - half_size[1], x + half_size[0], y + half_size[1]) for x, y in centres]
    best_index = label_map.find_best(boxes)
    label_map.obstacles.append(boxes[best_index])
    x, y = centres[best_index]
    up_x, up_y = unit_vector(angle + 90.0)
    baseline_drop = 0.36 * type_style.height
    yield from drafter.text(
        text, (x - up_x * baseline_drop, y - up_y * baseline_drop), type_style, anchor=Anchor.MIDDLE, angle=angle
    )


class _GroupBounds(Struct, frozen=True):
    """The bounds of elements as their side sees them: left to right along the front, and distance towards the enemy.

    Lengths are in printed mm from the board's origin, and ``facing`` is in degrees anticlockwise from +x.
    """

    facing: float
    left: float
    right: float
    rear: float
    front: float
    is_reserve: bool

    @classmethod
    def from_group(cls, group: Sequence[DeployedElement]) -> _GroupBounds:
        """Return the bounds of a group's bases in printed mm, as its side sees them.

        All elements have the facing of the first.
        """
        facing = group[0].facing
        points = shapely.get_coordinates(shapely.union_all([element.base for element in group]))
        forward_values, across_values = (
            exact_math.product(points, unit_vector(turn)) for turn in (facing, facing - 90.0)
        )
        return cls(
            facing,
            float(across_values.min()),
            float(across_values.max()),
            float(forward_values.min()),
            float(forward_values.max()),
            group[0].place == RESERVE,
        )

    @property
    def front_length(self) -> float:
        """Return the length of the group's front, in printed mm."""
        return self.right - self.left

    def distances_beyond(self, gap_mm: float) -> tuple[float, float]:
        """Return two distances along the facing: ``gap_mm`` mm before the front, and behind the rear.

        They are in printed mm from the board's origin. For a Reserve the rear one is first.
        """
        front_distance, rear_distance = self.front + gap_mm, self.rear - gap_mm
        return (rear_distance, front_distance) if self.is_reserve else (front_distance, rear_distance)

    def at(self, offset: float, distance: float) -> tuple[float, float]:
        """Return the point ``offset`` mm right of the middle of the front, ``distance`` mm along the facing.

        The point is x and y in printed mm; ``distance`` is measured from the board's origin.
        """
        return self._point((self.left + self.right) / 2 + offset, distance)

    def point_beyond(self, gap_mm: float, *, left: bool) -> tuple[float, float]:
        """Return the point ``gap_mm`` mm beyond the left or right end of the group, at half its depth.

        The point is x and y in printed mm.
        """
        return self._point(self.left - gap_mm if left else self.right + gap_mm, (self.front + self.rear) / 2)

    def _point(self, offset: float, distance: float) -> tuple[float, float]:
        """Return the point ``offset`` mm to the right and ``distance`` mm along the facing, as x and y.

        Both are in printed mm from the board's origin, as the group's side sees the board.
        """
        point = offset * np.array(unit_vector(self.facing - 90.0)) + distance * np.array(unit_vector(self.facing))
        return float(point[0]), float(point[1])


def _move_onto_board(
    x: float, y: float, text_width: float, text_height: float, angle: float, board: Board
) -> tuple[float, float]:
    """Return the centre of a name, moved so that the name is completely on the board.

    Lengths are in printed mm. ``angle`` is 0 (horizontal) or 90 (upwards), in degrees.
    """
    width, height = (text_width, text_height) if angle == 0.0 else (text_height, text_width)
    half_x, half_y = width / 2 + _EDGE_GAP, height / 2 + _EDGE_GAP
    return (
        min(max(x, half_x), max(board.width - half_x, half_x)),
        min(max(y, half_y), max(board.depth - half_y, half_y)),
    )


def _advance_element(element: DeployedElement, distance_mm: float) -> DeployedElement:
    """Return the element moved forward along its facing, by ``distance_mm`` printed mm."""
    x, y = unit_vector(element.facing)
    return replace(element, x=element.x + distance_mm * x, y=element.y + distance_mm * y)


# Draws the armies on the board.
PAINTER: Final = OverlayPainter(marks=draw_armies, ground=armies_ground)
