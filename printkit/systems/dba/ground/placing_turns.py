"""Place pieces one after the other, each at a result of its dice: the turn of a piece, waterways, rivers and roads."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Final, TypeAlias

import shapely
from msgspec import Struct, field
from msgspec.structs import replace
from shapely import LineString, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core.errors import Sentence
from printkit.kit.placement import PlacedOutline, PlacementFailure
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain
from printkit.systems.dba.ground.frame import find_axis
from printkit.systems.dba.ground.placed_pieces import BlockedPiece, PlacedPiece, TerrainPlacement
from printkit.systems.dba.ground.roads import CrossedCourse, RoadObstacles, route_road
from printkit.systems.dba.ground.shapes import PieceOutline
from printkit.systems.dba.ground.terrain_limits import COURSES, HILLS, CourseLimits, PiecePick, Terrain, TerrainType
from printkit.systems.dba.ground.terrain_rules import keeps_rules
from printkit.systems.dba.ground.waterways import make_waterway, route_river
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Course, Crossing, Feature, Origin
from printkit.terrain.geometry.measure import find_meetings, line_bearing

# The features of a piece that has a place, or what blocks it.
PlacementResult: TypeAlias = tuple[Feature, ...] | PlacementFailure

# Simplification tolerance in mm for obstacles of a road.
_TOLERANCE_MM: Final = 0.5


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


class Outlines(Struct):
    """The outlines of a piece, the preferred one first; each is made once, on demand."""

    source: Iterator[PieceOutline]
    cached_outlines: list[PieceOutline] = field(default_factory=list)

    def __iter__(self) -> Iterator[PieceOutline]:
        yield from self.cached_outlines
        for outline in self.source:
            self.cached_outlines.append(outline)
            yield outline


class PieceTurn(Struct, kw_only=True, dict=True):
    """The turn of a piece: its dice give places, and it takes the first where it keeps the rules.

    Each edition says how dice are rolled again and where their results put a piece. ``roll_count`` is the number of
    rolls in the log before those that placed the piece.
    """

    placement: TerrainPlacement
    pick: PiecePick
    identity: str
    roll_count: int = 0

    @abstractmethod
    def roll_results(self) -> Iterator[str]:
        """Yield the results of its dice until they may not be rolled again; each roll is logged."""

    @abstractmethod
    def place_at(self, result: str) -> PlacedPiece | PlacementFailure:
        """Return the piece at a result of its dice, or what blocks it there; it is not added to the board."""

    @abstractmethod
    def make_outlines(self, stream: Stream) -> Iterator[PieceOutline]:
        """Yield the outlines of an area piece, the preferred one first."""

    def place(self) -> PlacedPiece | BlockedPiece:
        """Roll for the piece and return it at the first result where it has a place.

        Otherwise it is returned with the last result and the obstacles there.
        """
        result, failure = "", PlacementFailure(())
        for result in self.roll_results():
            outcome = self.place_at(result)
            if isinstance(outcome, PlacedPiece):
                return outcome
            failure = outcome
        return BlockedPiece(pick=self.pick, identity=self.identity, result=result, blockers=failure.obstacles)

    def take_place(
        self, result: str, outcome: PlacementResult, edge: Edge | None = None, turned_by: tuple[str, ...] = ()
    ) -> PlacedPiece | PlacementFailure:
        """Return the piece with the features of its place; a failure stays one."""
        if isinstance(outcome, PlacementFailure):
            return outcome
        return PlacedPiece(
            pick=self.pick, identity=self.identity, result=result, features=outcome, edge=edge, turned_by=turned_by
        )

    @cached_property
    def outlines(self) -> Outlines:
        """Return the outlines of an area piece; they are the same at every place that is tried."""
        return Outlines(self.make_outlines(self.stream("outline")))

    @property
    def terrain_type(self) -> TerrainType:
        """Return the terrain type of the piece."""
        return self.placement.terms.type_of(self.pick)

    def stream(self, name: str) -> Stream:
        """Return a random stream of the piece."""
        return self.placement.stream(f"{self.identity}/{name}")

    def make_origin(self, zone: int | None = None) -> Origin:
        """Return the origin of its features: the rolls that placed it with their clauses, numbered from 1."""
        log = self.placement.dice.log
        clauses = tuple(dict.fromkeys(roll.clause for roll in log[self.roll_count :]))
        return Origin(clauses=clauses, throws=tuple(range(self.roll_count + 1, len(log) + 1)), zone=zone)

    def make_candidate(self, shape: Polygon | LineString) -> CheckedTerrain:
        """Return the piece to measure: an area with an outline, or a course with a line, in mm on the board."""
        feature: Feature
        if isinstance(shape, Polygon):
            feature = self.terrain_type.make_area(self.identity, shape, Origin())
        else:
            width = self.placement.terms.width(self.pick.terrain)
            feature = self.terrain_type.make_course(self.identity, shape, width, Origin())
        return CheckedTerrain(self.identity, self.pick.terrain, feature)

    def make_test(self, result: str) -> Callable[[Polygon | LineString], bool]:
        """Return a function that returns whether the piece with some shape keeps the rules at a result of its dice."""
        rules = self.placement.placed_rules[self.pick.terrain]
        surroundings = self.placement.find_surroundings(self.identity, result)
        return lambda shape: keeps_rules(rules, self.make_candidate(shape), surroundings)

    def make_area_piece(
        self, position: PlacedOutline, zone: int | None = None, shape: PieceOutline | None = None
    ) -> tuple[Feature, ...]:
        """Return the feature of an area piece at its place; a gully is a course.

        ``shape`` is its outline around the origin; a gully needs it.
        """
        origin, terrain = self.make_origin(zone), self.pick.terrain
        if shape is not None and shape.bed is not None:
            return (self.terrain_type.make_course(self.identity, _move_bed(shape, position), shape.width, origin),)
        if terrain not in HILLS:
            return (self.terrain_type.make_area(self.identity, position.outline, origin),)
        is_steep = terrain is Terrain.STEEP_HILL
        return (self.terrain_type.make_hill(self.identity, position, origin, is_steep=is_steep),)

    def place_waterway(self, edge: Edge, zone: int | None = None) -> PlacementResult:
        """Return a waterway along an edge as one feature, or the pieces that block it. Its shore is random."""
        placement = self.placement
        water = make_waterway(placement.board, edge, placement.terms.waterway_depths(), self.stream(edge))
        rules = placement.placed_rules.get(self.pick.terrain, ())
        surroundings, candidate = placement.find_surroundings(self.identity, edge), self.make_candidate(water)
        blockers = [
            piece.id
            for piece in surroundings.pieces
            if not keeps_rules(rules, candidate, replace(surroundings, pieces=(piece,)))
        ]
        if blockers:
            return PlacementFailure(tuple(blockers))
        return (self.terrain_type.make_area(self.identity, water, self.make_origin(zone)),)


class NewCourse(Struct, frozen=True, dict=True):
    """A river or road to place at a result of its dice, with the limits of its course and the zone of its origin."""

    turn: PieceTurn
    result: str
    limits: CourseLimits
    zone: int | None = None

    def place(self, lines: Iterable[LineString | None], *otherwise: Sentence) -> PlacementResult:
        """Return the features of the first line that is not None, or the pieces that block its band.

        The course is the first feature, and the crossings of a road follow it. ``otherwise`` is the obstacle if there
        are no such pieces.
        """
        for line in lines:
            if line is not None:
                origin = self.turn.make_origin(self.zone)
                course = self.turn.terrain_type.make_course(self.turn.identity, line, self.width, origin)
                return (course, *self._make_crossings(course))
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
            self.turn.stream(name),
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
                for course in (piece.view for piece in placement.select_pieces(*COURSES))
            ),
            shore=self.shore,
            town=town,
        )
        return route_road(placement.board, self.limits, self.width, obstacles, self.accept, self.turn.stream(name))

    @property
    def placement(self) -> TerrainPlacement:
        """Return the terrain placed so far."""
        return self.turn.placement

    @cached_property
    def accept(self) -> Callable[[LineString], bool]:
        """Return a function that returns whether the course keeps its rules on a line in mm on the board."""
        return self.turn.make_test(self.result)

    @property
    def shore(self) -> Polygon | None:
        """Return the waterway at an end of the course, in mm on the board, or None; the course ends there."""
        return self.placement.find_shore(self.limits.axis)

    @property
    def width(self) -> float:
        """Return the width of the course in mm on the board."""
        return self.placement.terms.width(self.turn.pick.terrain)

    def _other_waters(self) -> list[BaseGeometry]:
        """Return the waterways that the course does not end at, in mm on the board."""
        waters = [piece.shape for piece in self.placement.select_pieces(Terrain.WATERWAY)]
        return [water for water in waters if water is not self.shore]

    def _keep_out_area(self) -> BaseGeometry:
        """Return the further ground that the course avoids, in mm on the board; it may be empty."""
        return shapely.union_all([each.shape for each in self.placement.reserved_ground(self.turn.pick.terrain)])

    def _make_crossings(self, course: Course) -> Iterator[Crossing]:
        """Yield the crossings of a new road with the placed rivers; their IDs continue the count of crossings."""
        terms, number = self.placement.terms, self.placement.count_crossings()
        rivers = self.placement.select_pieces(Terrain.RIVER) if self.turn.pick.terrain is Terrain.ROAD else []
        for river in (piece.view for piece in rivers):
            for meeting in find_meetings(course.line, river.line):
                number += 1
                yield Crossing(
                    id=f"crossing-{number}",
                    kind=terms.crossing_kind,
                    at=meeting.at,
                    bearing=line_bearing(course.line, meeting.distance, river.width),
                    route=course.id,
                    water=river.id,
                    going=course.going,
                    origin=Origin(clauses=(terms.crossing_clause,), throws=course.origin.throws),
                )


def block_by_road(roads: Iterable[PlacedPiece]) -> PlacementFailure | None:
    """Return a failure that names the first of some roads in the place of a new one; None without any."""
    return next((PlacementFailure((Sentence("{same} in the same place", same=road.identity),)) for road in roads), None)


def _move_bed(shape: PieceOutline, position: PlacedOutline) -> LineString:
    """Return the centre line of a gully in mm on the board, rotated and moved like its outline."""
    rotated_centre = affinity.rotate(shape.outline, position.angle_deg, origin=(0, 0)).centroid
    rotated_bed = affinity.rotate(shape.bed, position.angle_deg, origin=(0, 0))
    target_centre = position.outline.centroid
    return affinity.translate(rotated_bed, target_centre.x - rotated_centre.x, target_centre.y - rotated_centre.y)


def _simplify_union(shapes: Iterable[BaseGeometry]) -> BaseGeometry:
    """Return the union of shapes, simplified by up to 0.5 mm on the board; obstacles need not be exact."""
    return shapely.union_all([shapely.simplify(shape, _TOLERANCE_MM) for shape in shapes])
