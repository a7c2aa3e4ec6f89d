"""Draw roads around steep hills and straight over streams, and side roads to their ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from itertools import combinations
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.systems.acw.ground.course_rules import keeps_rules
from printkit.systems.acw.ground.legs import EASY, LegSpec, joining, led, meets_only_at, until, way
from printkit.systems.acw.ground.make_room import free_spot
from printkit.systems.acw.ground.placement import Leg, ZonePlacement
from printkit.systems.acw.ground.zone_crossings import ROAD, Joints, side_road
from printkit.systems.acw.network.network import Branch, To, ZoneExit, ZoneReach
from printkit.systems.acw.terms.pieces import ALL_HILLS, PLACES, STEEP, STREAMS, TREES, Piece
from printkit.systems.acw.terms.plan import ZoneSide
from printkit.terrain.geometry.courses import Terminal
from printkit.terrain.geometry.measure import sinuosity

_JOIN: Final = 0.06
# Positions of junctions along the main road, and the number of the nearest ones to try first. All are tried only if
# the side road would cross water.
_PLACES_ALONG: Final = (0.34, 0.42, 0.5, 0.58, 0.66)
_NEAREST: Final = 3

_CLOSED: Final = (Piece.POOL, Piece.FARM, Piece.BUILDING)
_HOMES: Final[Mapping[To, tuple[Piece, ...]]] = {To.FARM: (Piece.FARM, Piece.BUILDING), To.TREES: TREES}
# Maximum distance between the end of a side road and its house or trees, as a fraction of the unit.
_AT_HOME: Final = 0.06

# The least length in its zone of a track that ends at a farm, as a fraction of the unit.
_SHORTEST_LANE: Final = 0.08

_DOOR: Final = 0.015
_OFF_POOL: Final = 4.0
# Shares of its half width that a road keeps free if there is no route for all of it.
_CLOSER: Final = (0.75, 0.5)

_CLIFF: Final = 10.0
_BED: Final = 0.02
_PASSAGE: Final = 1.7  # maximum length of a road over a stream, relative to a crossing at a right angle

# Depth inside the outline of an earlier place that a road passes through, as a fraction of the unit.
_CORE: Final = 0.08

# Distance from its side of the zone to the end of a road in a place, as a fraction of the unit.
_INTO_PLACE: Final = 0.5


def lay_roads(placement: ZonePlacement, joints: Joints) -> None:
    """Add the roads of all zones, then the side roads.

    The legs go to ``placement.legs``.
    """
    roads = placement.laying.network.roads
    for reach in roads.reaches:
        _Roads(placement, joints, reach.zone, reach.piece).add_main_road(reach)
    for branch in roads.branches:
        _Roads(placement, joints, branch.zone, branch.piece).branch(branch)


def lead_home(placement: ZonePlacement, joints: Joints) -> None:
    """Route side roads again that end too far from their house or trees (AC-N04).

    The new leg replaces the old one in ``placement.legs``. Zones without a house or trees keep their road.
    """
    for branch in placement.laying.network.roads.branches:
        homes = [one.outline for one in placement.in_zone(branch.zone, _HOMES.get(branch.arm.to, ()))]
        number = next(
            (
                number
                for number, leg in enumerate(placement.legs)
                if (leg.zone, leg.rolls, leg.piece, leg.starts) == (branch.zone, (branch.roll,), branch.piece, None)
            ),
            None,
        )
        if number is None or not homes:
            continue
        end = Point(placement.legs[number].line.coords[0])
        if min(end.distance(home) for home in homes) > _AT_HOME * placement.sites[branch.zone].unit:
            was = placement.legs.pop(number)
            assert was.meets is not None
            _Roads(placement, joints, branch.zone, branch.piece).lead(branch, min(homes, key=was.meets.distance))


def end_lanes_at_farms(placement: ZonePlacement) -> None:
    """Cut the tracks that lead to a farm where they pass it (AC-Q20), in ``placement.legs``."""
    lanes = {
        reach.zone: placement.sites[reach.zone].unit
        for reach in placement.laying.network.roads.reaches
        if any(arm.to is To.FARM for arm in reach.arms)
    }
    for number, leg in enumerate(placement.legs):
        farms = [farm.outline for farm in placement.in_zone(leg.zone, (Piece.FARM,))]
        if leg.zone not in lanes or leg.piece is not Piece.TRACK or leg.ends is not None or not farms:
            continue
        length = leg.line.project(Point(shapely.shortest_line(leg.line, shapely.union_all(farms)).coords[0]))
        length = max(length, _SHORTEST_LANE * lanes[leg.zone])
        placement.legs[number] = replace(leg, line=substring(leg.line, 0.0, length))


class _Roads:
    """A builder of the road legs in one zone."""

    def __init__(self, placement: ZonePlacement, joints: Joints, zone: int, piece: Piece) -> None:
        self.table, self.joints, self.zone, self.piece = placement, joints, zone, piece
        self.site = placement.sites[zone]
        self.half = placement.half(piece)
        self._keeps_rules = partial(keeps_rules, placement, zone, piece)
        near = self.site.box.buffer(self.site.unit / 4)
        nearby = [ground for ground in placement.placed if ground.outline.intersects(near)]
        pools = [ground.outline.buffer(_OFF_POOL) for ground in nearby if ground.piece in _CLOSED]
        wet = [] if placement.water.is_empty else [placement.water]
        steep = [ground.outline for ground in nearby if ground.piece in STEEP]
        cliffs = [
            face.line.buffer(_CLIFF)
            for ground in nearby
            for face in getattr(ground.feature, "faces", ())
            if face.kind.value == "cliff"
        ]
        self.hills = [ground.outline for ground in nearby if ground.piece in ALL_HILLS]
        self.hard: BaseGeometry = shapely.union_all([*pools, *wet, *cliffs])
        self.steep: BaseGeometry = shapely.union_all([*pools, *wet, *cliffs, *steep])
        self.soft: BaseGeometry = shapely.union_all([self.steep, *self.hills])
        self.crossed = tuple(
            leg.line for leg in placement.legs if leg.zone == zone and leg.piece in (*STREAMS, Piece.RAILROAD)
        )

    def add_main_road(self, reach: ZoneReach) -> None:
        """Add the main road of the zone, and the roads that join it there.

        The legs are added to ``legs`` of the table.
        """
        joints = [(arm.side, self.joints.of(ROAD, self.zone, arm.side)) for arm in reach.arms if arm.side is not None]
        ends = [(side, led(joint.at, joint.out, self.site.unit)) for side, joint in joints]
        if len(ends) < 2:
            self._ending(reach, ends)
            return
        first, last = max(combinations(ends, 2), key=lambda pair: math.dist(pair[0][1].at, pair[1][1].at))
        line = self._route_through(first[1], last[1])
        main = self._leg(line, reach.rolls, first[0], last[0], "AC-N02")
        for side, end in ends:
            if side not in (first[0], last[0]):
                self._joining(main, end, side)

    def _ending(self, reach: ZoneReach, ends: list[tuple[ZoneSide, Terminal]]) -> None:
        """Add a road that enters by one side, or by none, and ends in the zone.

        ``ends`` has the side and the terminal, or is empty; then only the end in the zone is stored.
        """
        far_points = tuple(Point(end.at) for _, end in ends)
        place = self.table.laying.log.has(self.zone, *PLACES)
        share = _INTO_PLACE if place else 0.45
        closed = shapely.union_all([self.soft, *(line.buffer(0.1 * self.site.unit) for line in self.crossed)])
        town = self._town()
        end_point = free_spot(self.site, away=far_points, closed=closed, stream=self._stream("end"), share=share)
        end_point = end_point if town is None else town.centroid
        at_farm = any(arm.to is To.FARM for arm in reach.arms)
        self.table.anchors[self.zone, To.PLACE if place else To.FARM if at_farm else To.OPEN] = end_point
        if not ends:
            return
        side, start = ends[0]
        line = self._find_route(start, Terminal(at=(end_point.x, end_point.y)))
        self._leg(line, reach.rolls, side, None, "AC-N10")

    def _town(self) -> Polygon | None:
        """Return the outline, in mm on the board, of a campaign place placed before its roads; or None."""
        return next((one.outline for one in self.table.in_zone(self.zone, PLACES)), None)

    def _route_through(self, start: Terminal, end: Terminal) -> LineString:
        """Return the line of a road from side to side, through a campaign place on its way (AC-N16).

        It is in mm on the board. If the way through the place is too long, it may pass beside it.
        """
        town = self._town()
        if town is None:
            return self._find_route(start, end)
        # Pass deep inside the place, unless that makes the road much longer.
        for core in (town.buffer(-_CORE * self.site.unit), town.buffer(-_CORE / 4 * self.site.unit)):
            line = self._route_past(start, end, core)
            if sinuosity(line) < EASY.longest and self._keeps_rules(line):
                return line
        direct = self._find_route(start, end)
        return direct if direct.intersects(town) else line

    def _route_past(self, start: Terminal, end: Terminal, core: Polygon) -> LineString:
        """Return the line of a road from side to side through the area ``core``.

        Both are in mm on the board. The road passes the point of the area nearest to the straight line, and is straight
        there.
        """
        chord = LineString([start.inner, end.inner])
        core_part = chord.intersection(core)
        passing_point = (
            core_part.centroid if not core_part.is_empty else Point(shapely.shortest_line(core, chord).coords[0])
        )
        far = _JOIN * self.site.unit / chord.length
        x, y = (far * (end.inner[axis] - start.inner[axis]) for axis in (0, 1))
        halves = [
            self._find_route(
                terminal,
                Terminal(
                    at=(passing_point.x, passing_point.y), lead=(passing_point.x + sign * x, passing_point.y + sign * y)
                ),
            )
            for terminal, sign in ((start, -1), (end, 1))
        ]
        return LineString([*halves[0].coords, *list(halves[1].coords)[-2::-1]])

    def branch(self, branch: Branch) -> None:
        """Add a side road from the main road of its zone to its end (AC-N04).

        Without a main road, only its end in the zone is stored.
        """
        main = self._main()
        end = self._branch_end(branch.arm, branch, main)
        if main is None:
            return
        self._joining(main, end, None, rolls=(branch.roll,), joint=branch.arm.side)

    def lead(self, branch: Branch, home: Polygon) -> None:
        """Add a side road from the main road of its zone to a placed house or to placed trees (AC-N04).

        ``home`` is their outline in mm on the board.
        """
        main = self._main()
        assert main is not None
        door = home.buffer(_DOOR * self.site.unit + self.half, quad_segs=4)
        junction = shapely.shortest_line(main.line, door.exterior.intersection(self.site.room)).coords[-1]
        self._joining(main, Terminal(at=(junction[0], junction[1])), None, rolls=(branch.roll,))

    def _main(self) -> Leg | None:
        """Return the main road of the zone, or None."""
        roads = (leg for leg in self.table.legs if leg.piece not in (*STREAMS, Piece.RAILROAD) and leg.meets is None)
        return next((leg for leg in roads if leg.zone == self.zone and leg.starts), None)

    def _branch_end(self, arm: ZoneExit, branch: Branch, main: Leg | None) -> Terminal:
        """Return the end of a side road: its joint on a side of the zone, or else a free point in the zone.

        The free point is stored in the anchors of the table. It stays away from the main road, if there is one.
        """
        name = side_road(branch)
        if arm.side is not None and self.joints.has(name, self.zone, arm.side):
            joint = self.joints.of(name, self.zone, arm.side)
            return led(joint.at, joint.out, self.site.unit)
        far_points = (main.line.interpolate(0.5, normalized=True),) if main is not None else ()
        bars = [line.buffer(0.1 * self.site.unit) for line in (*self.crossed, *([main.line] if main else []))]
        closed = shapely.union_all([self.soft, *bars])
        end_point = free_spot(self.site, away=far_points, closed=closed, stream=self._stream(name), share=0.3)
        self.table.anchors[self.zone, arm.to] = end_point
        return Terminal(at=(end_point.x, end_point.y))

    def _joining(
        self,
        main: Leg,
        end: Terminal,
        side: ZoneSide | None,
        *,
        rolls: tuple[int, ...] = (),
        joint: ZoneSide | None = None,
    ) -> None:
        """Add a road that leaves the main road at nearly a right angle.

        Args:
            main: the main road.
            end: the other end of the new road.
            side: the side of that end, for a part of the main road of the zone; None for a side road.
            rolls: the rolls of the new road.
            joint: for a side road, the side where it leaves the zone; None if it ends in the zone.
        """
        junctions = [main.line.interpolate(share, normalized=True) for share in _PLACES_ALONG]
        junctions.sort(key=Point(end.at).distance)
        for junction in junctions[:_NEAREST]:
            line = self._route_to_point(main, end, junction)
            if meets_only_at(line, main.line, junction):
                break
        if line.intersects(self.hard):
            # Prefer a junction farther along the main road to a route through a pool (AC-G05).
            lines = ((junction, self._route_to_point(main, end, junction)) for junction in junctions)
            dry = (
                route
                for junction, route in lines
                if meets_only_at(route, main.line, junction) and not route.intersects(self.hard)
            )
            line = next(dry, line)
        line = until(line, main.line)
        name = side or joint
        self.table.legs.append(
            Leg(
                piece=self.piece,
                zone=self.zone,
                line=line,
                rolls=rolls,
                starts=(self.zone, side) if side is not None else None,
                meets=Point(line.coords[-1]),
                clauses=("AC-N04",) if side is None else ("AC-N14",),
            )
        )
        if name is not None:
            self.table.joints.append(Point(end.at))

    def _route_to_point(self, main: Leg, end: Terminal, junction: Point) -> LineString:
        """Return a route in mm on the board from an end to a point of the main road, nearly square to it.

        ``main`` is the leg of the main road, and ``junction`` the point on it.
        """
        start = joining(main.line, junction, end.at, _JOIN * self.site.unit + 2 * self.half)
        return self._find_route(end, start, main=main.line, junction=junction)

    def _find_route(
        self, start: Terminal, end: Terminal, *, main: LineString | None = None, junction: Point | None = None
    ) -> LineString:
        """Return the line of a road from ``start`` to ``end``, clear of hills and water if possible.

        Lines are in mm on the board. ``main`` is the line of the road that the new one joins, if any, and
        ``junction`` the point on it.
        """
        closed = [self.soft, self.steep, self.hard]
        outside = not any(Point(one.at).intersects(self.steep) for one in (start, end))
        if not outside:
            closed.append(shapely.Polygon())

        def is_wanted(line: LineString) -> bool:
            """Return whether a line (mm on the board) meets the main road, if any, only at the junction."""
            return main is None or junction is None or meets_only_at(line, main, junction)

        def find_line(half: float) -> LineString:
            """Return the line of the road in mm on the board, with ``half`` mm free on both sides if possible."""
            return way(
                LegSpec(box=self.site.box, unit=self.site.unit, half=half, sort=EASY, keeps_rules=self._keeps_rules),
                start,
                end,
                closed,
                self._stream("way"),
                squarely=self.crossed,
                wanted=is_wanted,
                liked=self._crosses_shortly,
            )

        line = find_line(self.half)
        if not outside or not line.intersects(self.hard):
            return line
        # Prefer a smaller gap to a route through a pool (AC-G05).
        closer = (find_line(share * self.half) for share in _CLOSER)
        return next((other for other in closer if not other.intersects(self.hard)), line)

    def _crosses_shortly(self, line: LineString) -> bool:
        """Return whether a road (mm on the board) crosses streams and railroads without following them."""
        reach = _BED * self.site.unit + self.half
        for other in self.crossed:
            overlap = line.intersection(other.buffer(reach, quad_segs=4))
            meeting_count = len(shapely.get_coordinates(line.intersection(other)))
            if overlap.length > _PASSAGE * 2 * reach * max(1, meeting_count):
                return False
        return True

    def _leg(
        self, line: LineString, rolls: tuple[int, ...], first: ZoneSide, last: ZoneSide | None, clause: str
    ) -> Leg:
        """Add the leg of a main road to the table and return it.

        Args:
            line: the line in mm on the board.
            rolls: the rolls of the roads in the zone; those of side roads are left out.
            first: the side where the line starts.
            last: the side where it ends, or None for an end in the zone.
            clause: the clause of the leg.
        """
        side_rolls = {branch.roll for branch in self.table.laying.network.roads.branches if branch.zone == self.zone}
        leg = Leg(
            piece=self.piece,
            zone=self.zone,
            line=line,
            rolls=tuple(roll for roll in rolls if roll not in side_rolls),
            starts=(self.zone, first),
            ends=(self.zone, last) if last is not None else None,
            clauses=(clause,),
        )
        self.table.legs.append(leg)
        return leg

    def _stream(self, purpose: str) -> Stream:
        """Return the random stream of this zone for one purpose of its roads."""
        return self.table.stream(f"z{self.zone}", f"{ROAD}/{purpose}")
