"""What the checkers share: the shapes of a saved record, and plain measures of lines and areas. No rule is here.

Nothing in this folder but its tests imports printkit. A checker reads the record alone and measures it with shapely.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Final

from shapely.geometry import LineString, Point, box, shape
from shapely.geometry.base import BaseGeometry

Tree = dict[str, Any]

ROUNDED: Final = 0.05
"""Millimetres: points are written with three decimals, and a curve is a chain of chords of about a millimetre."""


class Saved:
    """A saved record: its features with their shapes, its log, and its settings."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.settings: Tree = tree["settings"]
        self.log: list[Tree] = tree["log"]
        self.details: Tree = tree[tree["rules"]]
        self.width, self.depth = float(tree["board"]["width_mm"]), float(tree["board"]["depth_mm"])
        self.board = box(0, 0, self.width, self.depth)
        self.features: list[Tree] = tree["features"]
        self.shapes: dict[str, BaseGeometry] = {each["id"]: shape(each["geometry"]) for each in self.features}
        self.features_by: dict[str, Tree] = {each["id"]: each["properties"] for each in self.features}
        self.kinds: dict[str, str] = {each["id"]: each["properties"]["kind"] for each in self.features}

    def of_kind(self, *kinds: str) -> Iterator[tuple[str, Tree, BaseGeometry]]:
        """Yield ID, properties and shape of the features of some kinds."""
        for each in self.features:
            if each["properties"]["kind"] in kinds:
                yield each["id"], each["properties"], self.shapes[each["id"]]

    def answers(self, reason: str) -> list[str]:
        """Return the answers of the log whose reason begins with a text."""
        return [each["answer"] for each in self.log if each["reason"].startswith(reason)]

    def scores(self, reason: str) -> list[int]:
        """Return the dice of the log whose reason begins with a text."""
        dice = [each for each in self.log if each["reason"].startswith(reason) and each["asked"].startswith("d")]
        return [int(each["answer"]) for each in dice]

    def overlays(self, kind: str) -> list[tuple[Tree, BaseGeometry]]:
        """Return properties and shapes of the overlays of a kind."""
        rows = [each for each in self.tree["overlays"] if each["properties"]["kind"] == kind]
        return [(each["properties"], shape(each["geometry"])) for each in rows]

    def edges_at(self, point: Point) -> str:
        """Return the letters of the board edges on which a point is, of N, S, E and W."""
        gaps = {"N": self.depth - point.y, "S": point.y, "E": self.width - point.x, "W": point.x}
        return "".join(name for name, gap in gaps.items() if abs(gap) <= ROUNDED)

    def edge_gap(self, point: Point) -> float:
        """Return how far a point is from the nearest edge of the board; outside it is negative."""
        return min(self.depth - point.y, point.y, self.width - point.x, point.x)

    def corner_gap(self, point: Point) -> float:
        """Return how far a point of an edge is from the nearest corner."""
        return min(math.hypot(point.x - x, point.y - y) for x in (0, self.width) for y in (0, self.depth))


def roll_off_winner(rolls: list[tuple[str, int]]) -> str | None:
    """Return who won a roll-off of A and B in which equal scores are rolled again, or None if it is not one."""
    pairs = [(rolls[at], rolls[at + 1]) for at in range(0, len(rolls) - 1, 2)]
    if len(rolls) % 2 or not pairs or any((first[0], second[0]) != ("A", "B") for first, second in pairs):
        return None
    ties = [first[1] == second[1] for first, second in pairs]
    if ties != [True] * (len(pairs) - 1) + [False]:
        return None
    return "A" if pairs[-1][0][1] > pairs[-1][1][1] else "B"


def ends(line: BaseGeometry) -> tuple[Point, Point]:
    """Return the first and the last point of a line."""
    return Point(line.coords[0]), Point(line.coords[-1])


def straightness(line: BaseGeometry) -> float:
    """Return the length of a line as a multiple of the distance between its ends."""
    first, last = ends(line)
    return float(line.length / first.distance(last)) if first.distance(last) else math.inf


def meeting_angle(first: BaseGeometry, second: BaseGeometry, point: Point, reach: float) -> float:
    """Return the angle of two lines at a point, from 0 to 90 degrees, by chords that reach so far to both sides."""
    turn = abs(_direction(first, point, reach) - _direction(second, point, reach)) % 180
    return min(turn, 180 - turn)


def _direction(line: BaseGeometry, point: Point, reach: float) -> float:
    at = line.project(point)
    first, last = line.interpolate(max(at - reach, 0)), line.interpolate(min(at + reach, line.length))
    return math.degrees(math.atan2(last.y - first.y, last.x - first.x))


def turn_between(first: float, second: float) -> float:
    """Return the turn from one direction to another, from 0 to 180 degrees."""
    turn = abs(first - second) % 360
    return min(turn, 360 - turn)


def sharpest_bend(line: BaseGeometry, reach: float) -> float:
    """Return the largest turn, in degrees, between the chords before and after a place on a line."""
    step = reach / 8
    places = [reach + step * count for count in range(int((line.length - 2 * reach) / step) + 1)]
    chords = [(line.interpolate(at - reach), line.interpolate(at), line.interpolate(at + reach)) for at in places]
    return max((_turn(*points) for points in chords), default=0.0)


def _turn(first: Point, middle: Point, last: Point) -> float:
    before = math.degrees(math.atan2(middle.y - first.y, middle.x - first.x))
    return turn_between(before, math.degrees(math.atan2(last.y - middle.y, last.x - middle.x)))


def corner_turns(ring: BaseGeometry) -> list[float]:
    """Return the turn at each corner of a ring in degrees."""
    points = [Point(point) for point in ring.coords[:-1]]
    return [_turn(points[at - 1], point, points[(at + 1) % len(points)]) for at, point in enumerate(points)]


def pieces(shared: BaseGeometry, kind: str) -> list[BaseGeometry]:
    """Return the parts of one kind that an intersection has: "Point", "LineString" or "Polygon"."""
    parts = list(shared.geoms) if hasattr(shared, "geoms") else [shared]
    return [part for part in parts if part.geom_type == kind and not part.is_empty]


def smallest_box(area: BaseGeometry, unit: float) -> tuple[float, float]:
    """Return the long and the short side of the smallest box round an area, however it is turned, in some unit."""
    corners = area.minimum_rotated_rectangle.exterior.coords
    sides = [math.dist(corners[at], corners[at + 1]) / unit for at in (0, 1)]
    return max(sides), min(sides)


def edge_line(saved: Saved, edge: str) -> LineString:
    """Return an edge of the board, near, far, left or right, as a line."""
    start = (0, 0) if edge in ("near", "left") else (saved.width, saved.depth)
    return LineString([start, (saved.width, 0) if edge in ("near", "right") else (0, saved.depth)])


def water_depths(saved: Saved, water: BaseGeometry, edge: str) -> list[float]:
    """Return how deep a waterway along an edge is at sixty places, in millimetres, the least first."""
    places = [saved.width * (count + 0.5) / 60 for count in range(60)]
    upright, size = edge in ("near", "far"), saved.width
    cuts = [LineString([(at, 0), (at, size)] if upright else [(0, at), (size, at)]) for at in places]
    return sorted(cut.intersection(water).length for cut in cuts)


Courses = Iterable[tuple[str, BaseGeometry]]


def crossings(roads: Courses, rivers: Courses) -> list[tuple[str, str, Point]]:
    """Return where roads cross rivers, by the IDs of both."""
    rivers = list(rivers)
    return [
        (road, river, point)
        for road, line in roads
        for river, stream in rivers
        for point in pieces(line.intersection(stream), "Point")
    ]


def mark_faults(saved: Saved, met: list[tuple[str, str, Point]], lost: str, misplaced: str) -> Iterator[str]:
    """Yield the crossings without one ford or bridge, and the fords and bridges elsewhere, each with its clause."""
    marks = [(name, (each["way"], each["water"]), mark) for name, each, mark in saved.of_kind("ford", "bridge")]
    for road, river, point in met:
        if sum(courses == (road, river) and mark.distance(point) < 1 for _, courses, mark in marks) != 1:
            yield f"{lost}: {road} crosses {river} at {point.x:.0f}, {point.y:.0f} without one ford or bridge"
    for name, courses, mark in marks:
        if not any(courses == (road, river) and mark.distance(point) < 1 for road, river, point in met):
            yield f"{misplaced}: {name} is at no place where {courses[0]} crosses {courses[1]}"


def stretch_near_edges(saved: Saved, line: BaseGeometry, gap: float) -> list[tuple[float, float]]:
    """Return the stretches of a line, by places on it, that are nearer to the edge of the board than a gap."""
    near = line.difference(saved.board.buffer(-gap, join_style="mitre"))
    found = []
    for part in pieces(near, "LineString"):
        places = sorted(line.project(Point(point)) for point in (part.coords[0], part.coords[-1]))
        found.append((places[0], places[1]))
    merged: list[tuple[float, float]] = []
    for first, last in sorted(found):
        if merged and first - merged[-1][1] <= ROUNDED:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


def band(line: BaseGeometry, width: float) -> BaseGeometry:
    """Return the band of a width that a line is the middle of, cut square at both ends."""
    return LineString(line.coords).buffer(width / 2, cap_style="flat")
