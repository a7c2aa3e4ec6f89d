"""Draw streams and creeks from source to mouth around hills, and side streams (AC-F18, F19)."""

from __future__ import annotations

import math
from functools import partial
from itertools import product
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.systems.acw.ground.course_rules import OFF_HILLS, keeps_rules
from printkit.systems.acw.ground.legs import TOUCH, WIDE, WINDING, LegSpec, joining, led, meets_only_at, until, way
from printkit.systems.acw.ground.make_room import free_spot
from printkit.systems.acw.ground.placement import AT_FOOT, XY, Leg, PlacedGround, ZoneGround, ZonePlacement
from printkit.systems.acw.ground.zone_crossings import CREEK, STREAM, Joints
from printkit.systems.acw.network.network import To, ZoneExit, ZoneReach
from printkit.systems.acw.terms.pieces import ALL_HILLS, HILLS, PLACES, STREAMS, Piece
from printkit.systems.acw.terms.plan import ZoneSide
from printkit.terrain.geometry.courses import Terminal
from printkit.terrain.geometry.measure import sinuosity

_LEAD: Final = 0.05
_JOIN: Final = 0.05
_ACUTE: Final = 0.6
_PLACES_ALONG: Final = (0.3, 0.4, 0.5, 0.6, 0.7)
_INTO_WATER: Final = 0.03
# Gap between a stream and the junctions of a railroad, if possible; a fraction of the unit.
_OFF_POINTS: Final = 0.12

_FOOT_CLEAR: Final = 0.035
# Shares of its length that a stream may give up to rise at a different point.
_HEAD_SHARES: Final = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75)

_POOL_ROOM: Final = 0.1  # room on each side of a pool at the end of a stream, as a fraction of the unit


def add_streams(placement: ZonePlacement, joints: Joints) -> None:
    """Add the creek across the table, then all streams zone by zone.

    The legs go to ``placement.legs``.
    """
    network = placement.laying.network
    builders = [_BrookBuilder(placement, joints, reach, CREEK) for reach in network.creek_reaches]
    builders += [_BrookBuilder(placement, joints, reach, STREAM) for reach in network.streams.reaches]
    for builder in builders:
        builder.add_legs()
    # A stream from a hill of a neighbouring zone avoids the streams there, so it comes after them.
    for builder in builders:
        builder.add_from_hills()


def extend_to_hills(placement: ZonePlacement, joints: Joints) -> None:
    """Extend streams to the foot of their hill, if the hill had to move away from them (AC-N25).

    The new lines replace those in ``placement.legs``.
    """
    for reach in placement.laying.network.streams.reaches:
        near = AT_FOOT * placement.sites[reach.zone].unit
        hill_ids = {f"z{reach.zone}-{arm.roll}" for arm in reach.arms if arm.to is To.HILL}
        for hill in [
            placed_piece for placed_piece in placement.in_zone(reach.zone, HILLS) if placed_piece.feature.id in hill_ids
        ]:
            if placement.lines(STREAMS, reach.zone).distance(hill.outline) > near:
                _BrookBuilder(placement, joints, reach, STREAM).reroute_from_hill(hill)


class _BrookBuilder:
    """A builder of the stream legs of one reach."""

    def __init__(self, placement: ZonePlacement, joints: Joints, reach: ZoneReach, course: str) -> None:
        self.table, self.joints, self.reach, self.course = placement, joints, reach, course
        self.site: ZoneGround = placement.sites[reach.zone]
        self.stream: Stream = placement.stream(f"z{reach.zone}", course)
        self.half = placement.half(reach.piece)
        style = WIDE if reach.piece is Piece.CREEK else WINDING
        self.keeps_rules = partial(keeps_rules, placement, reach.zone, reach.piece)
        self.run = LegSpec(
            box=self.site.box, unit=self.site.unit, half=self.half, sort=style, keeps_rules=self.keeps_rules
        )
        near = self.site.box.buffer(self.site.unit / 2)
        self.places: BaseGeometry = shapely.union_all(
            [
                placed_piece.outline
                for placed_piece in placement.find_pieces(PLACES)
                if placed_piece.outline.intersects(near)
            ]
        )
        hills = [
            placed_piece.outline
            for placed_piece in placement.find_pieces(ALL_HILLS)
            if placed_piece.outline.intersects(near)
        ]
        self.hills: BaseGeometry = shapely.union_all([*hills, self.places])
        self.beyond: list[tuple[ZoneExit, Terminal]] = []

    def add_legs(self) -> None:
        """Add the main leg from the farthest source down to the mouth, then the side streams into it."""
        down, *heads = self.reach.arms if len(self.reach.arms) > 1 else (*self.reach.arms, ZoneExit(to=To.OPEN))
        end = self._terminal(down, ())
        starts: list[tuple[ZoneExit, Terminal]] = []
        for arm in heads:
            end_points = (Point(end.at), *(Point(start.at) for _, start in starts))
            starts.append((arm, self._terminal(arm, end_points)))
        starts.sort(key=lambda source: -math.dist(source[1].at, end.at))
        rolls = sorted(self.reach.rolls, key=lambda roll: self._rolled_piece(roll) is not self.reach.piece)
        main = self._add_main(starts[0], (down, end), tuple(rolls[:1] if len(starts) > 1 else rolls))
        for index, (arm, start) in enumerate(starts[1:], 1):
            self._add_side_stream(
                main, arm, start, tuple(rolls[index:] if index == len(starts) - 1 else rolls[index : index + 1])
            )

    def _add_main(
        self, start: tuple[ZoneExit, Terminal], end: tuple[ZoneExit, Terminal], rolls: tuple[int, ...]
    ) -> Leg:
        """Add the main leg of the reach and return it.

        Args:
            start: the arm of the farthest source, with its terminal.
            end: the arm of the mouth, with its terminal.
            rolls: the rolls of the zone that give this leg.
        """
        creek = self._creek()
        free_points = [Point(end[1].at)] if end[0].to is To.CREEK else []
        free = shapely.union_all([free_point.buffer(6 * self.half + TOUCH) for free_point in free_points])
        points = [leg.meets for leg in self.table.legs if leg.piece is Piece.RAILROAD and leg.meets is not None]
        junction_area = shapely.MultiPoint(points).buffer(_OFF_POINTS * self.site.unit)
        obstacles = shapely.union_all([creek.buffer(self.half), junction_area]).difference(free)
        grounds = (shapely.union_all([self.hills, obstacles]), self.hills, self.places, shapely.Polygon())
        line = way(self.run, start[1], end[1], grounds, self.stream)
        if not creek.is_empty:
            line = until(line, creek)
        leg = Leg(
            piece=self.reach.piece,
            zone=self.reach.zone,
            line=self._end_in_water(line) if end[0].to is To.WATER else line,
            rolls=rolls,
            starts=self._joint_key(start[0]),
            ends=self._joint_key(end[0]),
            clauses=("AC-N30",) if self.course == CREEK else ("AC-N20", "AC-N25"),
        )
        self.table.legs.append(leg)
        self.beyond.append(start)
        return leg

    def reroute_from_hill(self, hill: PlacedGround) -> None:
        """Reroute the stream source nearest to a hill to the foot of the hill; its lower part stays.

        The leg in ``table.legs`` is replaced in place. Without a source in the zone, or without room for another
        course, it stays as it is.
        """
        legs = [(number, leg) for number, leg in enumerate(self.table.legs) if leg.zone == self.reach.zone]
        heads = [(number, leg) for number, leg in legs if leg.piece in STREAMS and leg.starts is None]
        if not heads:
            return
        number, leg = min(heads, key=lambda candidate: Point(candidate[1].line.coords[0]).distance(hill.outline))
        other_streams = self.table.lines(STREAMS, self.reach.zone).difference(leg.line.buffer(TOUCH))
        feeders = [feeder.meets for _, feeder in legs if feeder is not leg and feeder.meets is not None]
        first = min(
            (leg.line.project(point) for point in feeders if point.distance(leg.line) < TOUCH), default=leg.line.length
        )
        # A source near the stream that it flows into must rise between the two, so a smaller gap is tried as well.
        grounds = [shapely.union_all([self.hills, other_streams.buffer(gap * self.half)]) for gap in (3, 1)]
        for obstacles, share in product(grounds, _HEAD_SHARES):
            distance = share * leg.line.length
            if distance > first - TOUCH:
                continue
            lower_part = substring(leg.line, distance, leg.line.length)
            point, next_point = lower_part.coords[0], lower_part.interpolate(_LEAD * self.site.unit)
            end = Terminal(at=(point[0], point[1]), lead=(2 * point[0] - next_point.x, 2 * point[1] - next_point.y))
            head = way(self.run, self._foot_terminal(hill, (Point(point),)), end, (obstacles,), self.stream)
            line = LineString([*head.coords[:-1], *lower_part.coords])
            # Prefer a line shorter than the longest that AC-G08 allows.
            is_short = sinuosity(line) < self.run.sort.longest
            if is_short and self.keeps_rules(line) and not head.intersects(obstacles):
                self.table.legs[number] = replace(leg, line=line)
                return

    def add_from_hills(self) -> None:
        """Add the streams that come from hills in neighbouring zones."""
        for head in self.beyond:
            self._add_from_hill(head)

    def _rolled_piece(self, roll: int) -> Piece | None:
        """Return the piece of a roll in the zone of the reach, or None."""
        log = self.table.laying.log
        return next((result.piece for result in log.placed_rolls(self.reach.zone) if result.roll == roll), None)

    def _add_side_stream(self, main: Leg, arm: ZoneExit, start: Terminal, rolls: tuple[int, ...]) -> None:
        """Add a stream that flows into the main one at an acute angle downstream (AC-N26).

        ``arm`` and ``start`` are its source and the terminal there. ``rolls`` may be empty. The leg is added to the
        legs of the table.
        """
        points = [main.line.interpolate(share, normalized=True) for share in _PLACES_ALONG]
        lines = [leg.line for leg in self.table.legs if leg.zone == self.reach.zone and leg.piece in STREAMS]
        other_streams = shapely.union_all([line.buffer(2 * self.half) for line in lines if line is not main.line])
        for point in sorted(points, key=Point(start.at).distance)[:3]:
            end = self._confluence(main.line, point, start.at)
            line = way(
                self.run,
                start,
                end,
                (shapely.union_all([self.hills, other_streams]), self.hills, self.places),
                self.stream,
                wanted=lambda line, point=point: meets_only_at(line, main.line, point),  # type: ignore[misc]
            )
            if meets_only_at(line, main.line, point):
                break
        line = until(line, shapely.MultiLineString(lines))
        leg = Leg(
            piece=(self._rolled_piece(rolls[0]) or self.reach.piece) if rolls else self.reach.piece,
            zone=self.reach.zone,
            line=line,
            rolls=rolls,
            starts=self._joint_key(arm),
            meets=Point(line.coords[-1]),
            clauses=("AC-N25", "AC-N26"),
        )
        self.table.legs.append(leg)
        self.beyond.append((arm, start))

    def _confluence(self, main: LineString, point: Point, start: XY) -> Terminal:
        """Return the end of a stream on the line ``main``, at an acute angle downstream (AC-N26).

        ``start`` is x and y of its start. All are in mm on the board. ``point`` is the place on ``main`` where they
        meet.
        """
        return joining(main, point, start, _JOIN * self.site.unit + 2 * self.half, upstream=_ACUTE)

    def _terminal(self, arm: ZoneExit, other_ends: tuple[Point, ...]) -> Terminal:
        """Return the terminal of an arm of the reach: its joint, hill foot, confluence or free point.

        ``other_ends`` are the points of the other ends, in mm on the board. A free point stays away from them, a hill
        foot is near the first. A free point is also stored in ``table.anchors``.
        """
        zone, zone_ground = self.reach.zone, self.site
        if arm.side is not None and self.joints.has(self.course, zone, arm.side):
            joint = self.joints.of(self.course, zone, arm.side)
            return led(joint.at, joint.out, zone_ground.unit)
        reference_points = other_ends or tuple(
            Point(self.joints.of(self.course, zone, side).at)
            for side in (reach_arm.side for reach_arm in self.reach.arms)
            if side is not None
        )
        if arm.to is To.HILL:
            hills = [
                placed_piece
                for placed_piece in self.table.in_zone(zone, HILLS)
                if placed_piece.feature.id == f"z{zone}-{arm.roll}"
            ]
            if hills:
                return self._foot_terminal(hills[0], reference_points)
        creek = self._creek()
        if arm.to is To.CREEK and not creek.is_empty:
            middle = reference_points[0] if reference_points else Point(zone_ground.middle)
            points = [creek.interpolate(share, normalized=True) for share in _PLACES_ALONG]
            near = min(points, key=middle.distance)
            return self._confluence(creek, near, (middle.x, middle.y))
        closed = shapely.union_all([self.hills, self.table.water, creek])
        if arm.to is To.POOL:
            # The stream must not end where the pool would cover the railroad.
            closed = closed.union(self.table.ribbons((Piece.RAILROAD,), gap=_POOL_ROOM * zone_ground.unit, zone=zone))
        end_point = free_spot(zone_ground, away=reference_points, closed=closed, stream=self.stream)
        self.table.anchors[zone, arm.to] = end_point
        return Terminal(at=(end_point.x, end_point.y))

    def _foot_terminal(self, hill: PlacedGround, reference_points: tuple[Point, ...]) -> Terminal:
        """Return a terminal at the foot of a hill, on the side where its stream runs.

        That is the side of the first of ``reference_points``, in mm on the board, or of the middle of the zone.
        """
        reference = reference_points[0] if reference_points else Point(self.site.middle)
        margin = hill.outline.buffer(min(self.half + 2.0, AT_FOOT * self.site.unit), quad_segs=8)
        others = [
            placed_piece.outline
            for placed_piece in self.table.find_pieces((*ALL_HILLS, *PLACES))
            if placed_piece is not hill
        ]
        bars = shapely.union_all([*others, self.table.water]).buffer(_FOOT_CLEAR * self.site.unit + self.half)
        inner = margin.exterior.intersection(self.site.inset_box(0.05))
        if not (clear := inner.difference(bars)).is_empty:
            inner = clear
        near = shapely.shortest_line(reference, margin.exterior if inner.is_empty else inner).coords[-1]
        return Terminal(at=(near[0], near[1]))

    def _add_from_hill(self, head: tuple[ZoneExit, Terminal]) -> None:
        """Add a stream from the foot of a hill in the neighbouring zone to the joint (AC-N25).

        ``head`` is the arm of a source with its terminal. Nothing is added for a source inside the zone, or without
        room.
        """
        arm, start = head
        if arm.to is not To.HILLSIDE or arm.side is None:
            return
        neighbour = self.table.laying.grid.neighbour(self.reach.zone, arm.side)
        assert neighbour is not None
        neighbour_brook = _BrookBuilder(
            self.table, self.joints, ZoneReach(zone=neighbour, piece=self.reach.piece, arms=()), self.course
        )
        hills = list(self.table.in_zone(neighbour, HILLS))
        if not hills:
            return
        hill = min(hills, key=lambda placed_piece: placed_piece.outline.distance(Point(start.at)))
        joint = self.joints.of(self.course, neighbour, arm.side.opposite)
        end = led(joint.at, joint.out, self.site.unit)
        lines = self.table.lines(STREAMS, neighbour)
        grounds = (shapely.union_all([neighbour_brook.hills, lines.buffer(3 * self.half)]), neighbour_brook.hills)
        line = way(
            neighbour_brook.run, neighbour_brook._foot_terminal(hill, (Point(start.at),)), end, grounds, self.stream
        )
        if line.intersects(lines) or not neighbour_brook.keeps_rules(line, (OFF_HILLS,)):
            return
        joints = (neighbour, arm.side.opposite)
        self.table.legs.append(
            Leg(piece=self.reach.piece, zone=neighbour, line=line, ends=joints, clauses=("AC-N20", "AC-N25"))
        )

    def _joint_key(self, arm: ZoneExit) -> tuple[int, ZoneSide] | None:
        """Return the zone and the side of the joint of an arm, or None for an arm inside the zone."""
        return (self.reach.zone, arm.side) if arm.side is not None else None

    def _creek(self) -> LineString:
        """Return the line of the creek that crosses the zone, in mm on the board.

        It is empty without a creek, or if this course is the creek.
        """
        if self.course == CREEK:
            return LineString()
        lines = [
            leg.line
            for leg in self.table.legs
            if leg.zone == self.reach.zone and leg.piece is Piece.CREEK and "AC-N30" in leg.clauses
        ]
        return lines[0] if lines else LineString()

    def _end_in_water(self, line: LineString) -> LineString:
        """Return a line (mm on the board), cut just inside the edge water; unchanged if it ends before."""
        for share in range(1, 101):
            if self.table.water.contains(line.interpolate(share / 100, normalized=True)):
                far = share / 100 * line.length + _INTO_WATER * self.site.unit
                return substring(line, 0.0, min(far, line.length))
        return line
