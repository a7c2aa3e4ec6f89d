"""What a river or a road has to heed on its board: ground it keeps out of, its limits, and what it must not do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import shapely
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.rules.brantley.course_records import Goal, IntoArea, IntoCourse, inch_of
from printkit.rules.brantley.course_sorts import Sort, numbers
from printkit.terrain.battlefield import Battlefield, Board
from printkit.terrain.features import Area, Course, Hill, Kind
from printkit.terrain.measure import (
    angle_at,
    common_pieces,
    corner_distance,
    edge_of,
    meetings,
    runs_inside,
    sharpest_bend,
    straight,
    touches_edge_only_at_ends,
)

IMPASSABLE: Final = 3
"""The rank of going that nobody can pass."""

_SLACK: Final = 0.01
"""Millimetres by which a line may overstep a limit: what rounding does."""

_BEND_OVER_IN: Final = 2.0
"""Inches of way about a place over which its bend is measured."""


class Fault(NamedTuple):
    """What is wrong with a course: the clause for its error, and the message."""

    clause: str
    message: str


class Closed(NamedTuple):
    """Ground that a course keeps out of: the feature's ID, its kind, and the shape."""

    identity: str
    kind: Kind
    shape: BaseGeometry


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A course that is to be laid: its sort, its ID, the board as it is, and the courses of its sort that lie there."""

    sort: Sort
    identity: str
    field: Battlefield
    others: tuple[Course, ...]
    settings: Mapping[str, str]

    @property
    def board(self) -> Board:
        """Return the board."""
        return self.field.board

    @property
    def inch(self) -> float:
        """Return the mm of an inch of the rules on this board."""
        return inch_of(self.board)

    @property
    def width(self) -> float:
        """Return the width of the course in mm (BR-G31, BR-G51)."""
        return float(self.settings.get(f"{self.sort}-width", numbers()[f"{self.sort}_width"])) * self.inch

    @property
    def limit(self) -> float:
        """Return the most length for a unit of straight distance (BR-G32, BR-G52)."""
        return float(self.settings.get(f"{self.sort}-limit", numbers()[f"{self.sort}_sinuosity_max"]))

    @property
    def depth(self) -> float:
        """Return how many mm inside an area the course stops (BR-G38, BR-G55)."""
        return numbers()[f"{self.sort.into}_depth"] * self.inch

    @property
    def edge_gap(self) -> float:
        """Return the mm that the middle of the course keeps from the edge between its ends (BR-G34)."""
        return self.width * (numbers()["river_edge_gap_in_widths"] if self.sort.kind is Kind.RIVER else 1.0)

    @property
    def rivers(self) -> tuple[Course, ...]:
        """Return the rivers that a road may have to cross; a river crosses none."""
        if self.sort.kind is Kind.RIVER:
            return ()
        return tuple(feature for feature in self.field.of(Kind.RIVER) if isinstance(feature, Course))

    def areas(self, kind: Kind) -> tuple[Area, ...]:
        """Return the areas of a kind."""
        return tuple(feature for feature in self.field.of(kind) if isinstance(feature, Area))

    def area(self, identity: str) -> Area | None:
        """Return the lake or built-up area of that ID in which this course may end, or None."""
        return next((area for area in self.areas(self.sort.into) if area.id == identity), None)

    def other(self, identity: str) -> Course | None:
        """Return the course of that ID which lies on the board already, or None."""
        return next((course for course in self.others if course.id == identity), None)

    def closed(self, goal: Goal | None, *, clear: bool = False) -> tuple[Closed, ...]:
        """Return the ground that the course keeps out of on its way to a goal.

        Args:
            goal: a lake or a built-up area that is the goal is left out.
            clear: a road's first choice, to meet no feature at all (BR-G58).
        """
        found: list[Closed] = []
        for feature in self.field.features:
            if not isinstance(feature, (Area, Hill)) or (isinstance(goal, IntoArea) and feature.id == goal.identity):
                continue
            if clear or self._keeps_out_of(feature):
                found.append(Closed(feature.id, feature.kind, feature.outline))
            elif self._heeds_slopes() and isinstance(feature, Hill):
                steep = [face for face in feature.faces if face.going.rank >= IMPASSABLE]
                found.extend(Closed(feature.id, face.kind, face.line) for face in steep)
        return tuple(found)

    def _keeps_out_of(self, feature: Area | Hill) -> bool:
        if self.sort.kind is Kind.RIVER:
            match self.settings.get("br-q12", "marsh"):
                case "none":
                    return True
                case "any-but-bua-lake":
                    return feature.kind in (Kind.BUA, Kind.LAKE)
                case _:
                    return feature.kind is not Kind.MARSH
        match self.settings.get("br-q15", "passable"):
            case "clear-only":
                return True
            case "any-but-lake":
                return feature.kind is Kind.LAKE
            case _:
                return feature.kind in (Kind.BUA, Kind.LAKE) or feature.going.rank >= IMPASSABLE

    def _heeds_slopes(self) -> bool:
        return self.sort.kind is Kind.ROAD and self.settings.get("br-q15", "passable") == "passable"

    def faults(
        self, line: LineString, goal: Goal, *, clear: bool = False, flattest: float | None = None
    ) -> Iterator[Fault]:
        """Yield what is wrong with a centre line, as it would be laid.

        Args:
            flattest: degrees at which a road may cross a river; if not given, those of the fallback (BR-G57).
        """
        yield from self._ground_faults(line, goal, clear=clear)
        yield from self._shape_faults(line)
        yield from self._goal_faults(line, goal)
        if self.sort.kind is Kind.RIVER:
            yield from self._common_points(line, goal)
        else:
            yield from self._river_faults(line, flattest or numbers()["crossing_angle_min"])

    def _ground_faults(self, line: LineString, goal: Goal, *, clear: bool) -> Iterator[Fault]:
        for identity, kind, shape in self.closed(goal, clear=clear):
            gap = shape.distance(line)
            if gap < self.width / 2 - _SLACK:
                where = "runs into" if gap == 0 else f"comes within {gap / self.inch:.2f} in of"
                yield Fault(
                    self.sort.ground_clause,
                    f"{self.sort} {self.identity} {where} {identity} ({kind}); its middle keeps "
                    f"{self.width / 2 / self.inch:g} in from ground that is closed to it",
                )

    def _shape_faults(self, line: LineString) -> Iterator[Fault]:
        name, inch = f"{self.sort} {self.identity}", self.inch
        most = self.limit * straight(line)
        if line.length > most + _SLACK:
            yield Fault(
                self.sort.length_clause,
                f"{name} is {line.length / inch:.2f} in long; at most {self.limit:g} x "
                f"{straight(line) / inch:.2f} in = {most / inch:.2f} in",
            )
        if self.sort.kind is Kind.ROAD:
            bend, sharpest = sharpest_bend(line, _BEND_OVER_IN * inch), numbers()["road_bend_max"]
            if bend > sharpest + _SLACK:
                yield Fault("BR-X18", f"{name} bends by {bend:.0f} degrees; at most {sharpest:g}")
        if not line.is_simple:
            yield Fault("BR-G35", f"{name} crosses itself")
        for x, y in (line.coords[0], line.coords[-1]):
            near = corner_distance(Point(x, y), self.board)
            room = numbers()["corner_gap"]
            if edge_of(Point(x, y), self.board) and near < room * inch - _SLACK:
                yield Fault("BR-X10", f"{name} meets the edge {near / inch:.2f} in from a corner; at least {room:g} in")
        if self.sort.kind is Kind.RIVER and not runs_inside(line, self.board, self.edge_gap):
            yield Fault(
                "BR-G34", f"{name} comes within {self.edge_gap / inch:g} in of the board's edge between its ends"
            )
        elif not touches_edge_only_at_ends(line, self.board):
            yield Fault(
                "BR-G34" if self.sort.kind is Kind.RIVER else "BR-X18",
                f"{name} meets the board's edge between its ends",
            )

    def _goal_faults(self, line: LineString, goal: Goal) -> Iterator[Fault]:
        name, inch, stop = f"{self.sort} {self.identity}", self.inch, Point(line.coords[-1])
        if isinstance(goal, IntoArea) and (area := self.area(goal.identity)):
            passed, deep = len(shores(line, area.outline)), area.outline.exterior.distance(stop)
            low, high = (numbers()[f"{self.sort.into}_depth_{end}"] for end in ("min", "max"))
            if passed != 1:
                yield Fault(
                    self.sort.ground_clause, f"{name} passes the outline of {area.id} {passed} times; once is right"
                )
            if not area.outline.contains(stop) or not low * inch - _SLACK <= deep <= high * inch + _SLACK:
                yield Fault(
                    self.sort.ground_clause,
                    f"{name} ends {deep / inch:.2f} in from the outline of {area.id}; {low:g} to {high:g} in inside it",
                )
        if isinstance(goal, IntoCourse) and (other := self.other(goal.identity)):
            clause = "BR-G39" if self.sort.kind is Kind.RIVER else "BR-X18"
            along = other.line.project(stop)
            room = min(along, other.line.length - along) / inch
            least = numbers()["river_junction_gap" if self.sort.kind is Kind.RIVER else "junction_gap"]
            if room < least - 1e-3:
                yield Fault(clause, f"{name} joins {other.id} {room:.2f} in from an end of it; at least {least:g} in")
            angle, flattest = angle_at(stop, line, other.line), numbers()["junction_angle"]
            if angle < flattest - 1e-6:
                yield Fault(clause, f"{name} meets {other.id} at {angle:.0f} degrees; at least {flattest:g}")

    def _common_points(self, line: LineString, goal: Goal) -> Iterator[Fault]:
        end = Point(line.coords[-1])
        for other in self.others:
            joins = isinstance(goal, IntoCourse) and goal.identity == other.id
            shared = [meeting.at for meeting in meetings(line, other.line)]
            if any(not (joins and at.distance(end) < 0.5) for at in shared):
                yield Fault("BR-G40", f"river {self.identity} crosses {other.id}; it may only end in it")

    def _river_faults(self, line: LineString, flattest: float) -> Iterator[Fault]:
        name, inch = f"road {self.identity}", self.inch
        for river in self.rivers:
            crossed = meetings(line, river.line)
            for meeting in crossed:
                if meeting.angle < flattest - 1e-6:
                    yield Fault(
                        "BR-X18", f"{name} crosses {river.id} at {meeting.angle:.0f} degrees; at least {flattest:g}"
                    )
            for piece in common_pieces(line, self.width, river.line, river.width):
                within = piece.intersection(river.line.buffer(river.width / 2, cap_style="flat")).length
                most = numbers()["crossing_length_in_widths_max"] * river.width
                if within > most + _SLACK:
                    yield Fault(
                        "BR-X18",
                        f"{name} runs in {river.id} for {within / inch:.2f} in; at most {most / inch:g} in",
                    )
                elif sum(piece.distance(meeting.at) < 0.5 for meeting in crossed) != 1:
                    yield Fault("BR-X18", f"{name} runs beside {river.id}, partly in it, without one clean crossing")


def shores(line: LineString, outline: Polygon) -> list[Point]:
    """Return the points where a line passes an outline."""
    return [
        part
        for part in shapely.get_parts(line.intersection(outline.exterior))
        if isinstance(part, Point) and not part.is_empty
    ]
