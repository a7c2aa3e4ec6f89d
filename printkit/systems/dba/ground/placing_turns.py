"""Place pieces one after the other, each at a result of its dice: the turn of a piece, waterways, rivers and roads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Final, TypeAlias

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.placement import PlacementFailure
from printkit.systems.dba.ground.frame import find_axis
from printkit.systems.dba.ground.piece_features import make_area, make_course
from printkit.systems.dba.ground.placed_pieces import BlockedPiece, PlacedPiece, TerrainPlacement
from printkit.systems.dba.ground.roads import CrossedCourse, RoadObstacles, route_road
from printkit.systems.dba.ground.terrain_limits import COURSES, CourseLimits, PiecePick, Terrain
from printkit.systems.dba.ground.terrain_rules import keeps_rules
from printkit.systems.dba.ground.waterways import make_waterway, route_river
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Course, Crossing, Feature, Origin
from printkit.terrain.geometry.measure import find_meetings, line_bearing

# The features of a piece that has a place, or what blocks it.
PlacementResult: TypeAlias = tuple[Feature, ...] | PlacementFailure

# Simplification tolerance in mm for obstacles of a road.
_TOLERANCE_MM: Final = 0.5


class PieceTurn(Struct, kw_only=True):
    """The turn of a piece: its dice give places, and it takes the first where it keeps the rules.

    Each edition says how dice are rolled again and where their results put a piece. ``roll_count`` is the number of
    rolls in the log before those that placed the piece.
    """

    placement: TerrainPlacement
    pick: PiecePick
    identity: str
    roll_count: int = 0

    def roll_results(self) -> Iterator[str]:
        """Yield the results of its dice until they may not be rolled again; each roll is logged."""
        raise NotImplementedError

    def place_at(self, result: str) -> PlacedPiece | PlacementFailure:
        """Return the piece at a result of its dice, or what blocks it there; it is not added to the board."""
        raise NotImplementedError

    def take_place(
        self, result: str, outcome: PlacementResult, edge: Edge | None = None, turned_by: tuple[str, ...] = ()
    ) -> PlacedPiece | PlacementFailure:
        """Return the piece with the features of its place; a failure stays one."""
        if isinstance(outcome, PlacementFailure):
            return outcome
        return PlacedPiece(
            pick=self.pick, identity=self.identity, result=result, features=outcome, edge=edge, turned_by=turned_by
        )

    def make_origin(self, zone: int | None = None) -> Origin:
        """Return the origin of its features: the rolls that placed it with their clauses, numbered from 1."""
        log = self.placement.dice.log
        clauses = tuple(dict.fromkeys(roll.clause for roll in log[self.roll_count :]))
        return Origin(clauses=clauses, throws=tuple(range(self.roll_count + 1, len(log) + 1)), zone=zone)

    def place(self) -> PlacedPiece | BlockedPiece:
        """Roll for the piece and return it at the first result where it has a place.

        If it has none, it is returned with the last result and what blocks it there.
        """
        result, failure = "", PlacementFailure(())
        for result in self.roll_results():
            outcome = self.place_at(result)
            if isinstance(outcome, PlacedPiece):
                return outcome
            failure = outcome
        return BlockedPiece(pick=self.pick, identity=self.identity, result=result, blockers=failure.obstacles)


def place_pieces(
    placement: TerrainPlacement,
    ordered_picks: Iterable[tuple[PiecePick, str]],
    start_turn: Callable[[PiecePick, str], PieceTurn],
) -> tuple[BlockedPiece, ...]:
    """Place picks in their order and return those without a place.

    Args:
        placement: gets the placed pieces.
        ordered_picks: each pick with its ID.
        start_turn: returns the turn of a pick with an ID.
    """
    blocked_pieces = []
    for pick, identity in ordered_picks:
        outcome = start_turn(pick, identity).place()
        if isinstance(outcome, PlacedPiece):
            placement.placed_pieces.append(outcome)
        else:
            blocked_pieces.append(outcome)
    return tuple(blocked_pieces)


def place_waterway(
    placement: TerrainPlacement, pick: PiecePick, identity: str, edge: Edge, origin: Origin
) -> PlacementResult:
    """Return a waterway along an edge as one feature, or the pieces that block it. Its shore is random."""
    terms, stream = placement.terms, placement.stream(f"{identity}/{edge}")
    water = make_waterway(placement.board, edge, terms.waterway_depths(), stream)
    rules, surroundings = placement.placed_rules.get(pick.terrain, ()), placement.find_surroundings(identity, edge)
    candidate = placement.make_candidate(pick, identity, water)
    blockers = [
        piece.id
        for piece in surroundings.pieces
        if not keeps_rules(rules, candidate, replace(surroundings, pieces=(piece,)))
    ]
    area = make_area(terms.type_of(pick), identity, water, origin)
    return PlacementFailure(tuple(blockers)) if blockers else (area,)


class NewCourse(Struct, frozen=True, kw_only=True, dict=True):
    """A river or road to place at a result of its dice, with the limits of its course."""

    placement: TerrainPlacement
    pick: PiecePick
    identity: str
    result: str
    limits: CourseLimits
    origin: Origin

    def place(self, lines: Iterable[LineString | None], *otherwise: Sentence) -> PlacementResult:
        """Return the features of the first line that is not None, or the pieces in its band as what blocks it.

        The course is the first feature, and the crossings of a road follow it. ``otherwise`` is what blocks the course
        if there are no such pieces.
        """
        for line in lines:
            if line is not None:
                terrain_type = self.placement.terms.type_of(self.pick)
                course = make_course(terrain_type, self.identity, line, self.width, self.origin)
                return (course, *(self._make_crossings(course) if self.pick.terrain is Terrain.ROAD else ()))
        return PlacementFailure(self.placement.find_overlapping(self.limits.band) or otherwise)

    def route_river(self, name: str, avoided_areas: Iterable[PlacedPiece]) -> LineString | None:
        """Return the centre line of a river clear of areas and of other water, in mm on the board, or None.

        ``name`` is that of its random stream.
        """
        closed = [self._keep_out_area(), *self._other_waters(), *(piece.shape for piece in avoided_areas)]
        return route_river(
            self.placement.board,
            self.limits,
            self.width,
            self.placement.stream(name),
            accept=self.accept,
            closed=shapely.union_all(closed),
            shore=self.shore,
        )

    def route_road(self, name: str, town: Polygon | None) -> LineString | None:
        """Return the centre line of a road that touches a town if one is given, in mm on the board, or None.

        ``name`` is that of its random stream.
        """
        placement, hard = self.placement, self.placement.hard
        areas = [piece for piece in placement.area_pieces() if piece.shape is not town]
        obstacles = RoadObstacles(
            water=shapely.union_all([*self._other_waters(), self._keep_out_area()]),
            hard=_simplify_union(piece.shape for piece in areas if piece.pick.terrain in hard),
            soft=_simplify_union(piece.shape for piece in areas if piece.pick.terrain not in hard),
            passages=tuple(
                CrossedCourse(
                    line=course.line,
                    width=course.width,
                    is_parallel=find_axis(course.line, placement.board) is self.limits.axis,
                )
                for course in (piece.checked for piece in placement.select_pieces(*COURSES))
            ),
            shore=self.shore,
            town=town,
        )
        return route_road(placement.board, self.limits, self.width, obstacles, self.accept, placement.stream(name))

    @cached_property
    def accept(self) -> Callable[[LineString], bool]:
        """Return a function that returns whether the course keeps its rules on a line in mm on the board."""
        return self.placement.make_test(self.pick, self.identity, self.result)

    @property
    def shore(self) -> Polygon | None:
        """Return the waterway at an end of the course, in mm on the board, or None; the course ends there."""
        return self.placement.find_shore(self.limits.axis)

    @property
    def width(self) -> float:
        """Return the width of the course in mm on the board."""
        return self.placement.terms.width(self.pick.terrain)

    def _other_waters(self) -> list[BaseGeometry]:
        """Return the waterways that the course does not end at, in mm on the board."""
        waters = [piece.shape for piece in self.placement.select_pieces(Terrain.WATERWAY)]
        return [water for water in waters if water is not self.shore]

    def _keep_out_area(self) -> BaseGeometry:
        """Return the further ground that the course avoids, in mm on the board; it may be empty."""
        return shapely.union_all([each.shape for each in self.placement.reserved_ground(self.pick.terrain)])

    def _make_crossings(self, road: Course) -> Iterator[Crossing]:
        """Yield the crossings of a new road with the placed rivers; their IDs continue the count of crossings."""
        terms, number = self.placement.terms, self.placement.count_crossings()
        origin = Origin(clauses=(terms.crossing_clause,), throws=self.origin.throws)
        for river in (piece.checked for piece in self.placement.select_pieces(Terrain.RIVER)):
            for meeting in find_meetings(road.line, river.line):
                number += 1
                yield Crossing(
                    id=f"crossing-{number}",
                    kind=terms.crossing_kind,
                    at=meeting.at,
                    bearing=line_bearing(road.line, meeting.distance, river.width),
                    route=road.id,
                    water=river.id,
                    going=road.going,
                    origin=origin,
                )


def block_by_road(roads: Iterable[PlacedPiece]) -> PlacementFailure | None:
    """Return a failure that names the first of some roads in the place of a new one; None without any."""
    return next((PlacementFailure((Sentence("{same} in the same place", same=road.identity),)) for road in roads), None)


def _simplify_union(shapes: Iterable[BaseGeometry]) -> BaseGeometry:
    """Return the union of shapes, simplified by up to 0.5 mm on the board; obstacles need not be exact."""
    return shapely.union_all([shapely.simplify(shape, _TOLERANCE_MM) for shape in shapes])
