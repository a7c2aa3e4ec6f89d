"""Build the streams: links, a mouth for every group, sources, reaches by zone (AC-N20..N26)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise

from msgspec import Struct, field

from printkit.kit.rules import Rules
from printkit.systems.acw.network.network import End, Streams, To, ZoneExit, ZoneReach
from printkit.systems.acw.network.network_builder import (
    NetworkBuilder,
    StraightRun,
    groups,
    lay_run,
    links,
    preferences,
    run_of,
)
from printkit.systems.acw.network.roads_and_rails import straight_axis
from printkit.systems.acw.terms.pieces import HILLS, STREAMS, Piece
from printkit.systems.acw.terms.plan import CreekPath, RollResult, Water, ZoneLog, ZonePlan, ZoneSide

# --- Natural sources of a stream --------------------------------------------------------------------------------------


def natural_springs(grid: ZonePlan, log: ZoneLog, zone: int, used: Collection[ZoneSide]) -> Iterator[ZoneExit]:
    """Yield the natural sources of a zone: its hills, swamp and pools, then unused sides towards hills."""
    lying = log.lying(zone)
    yield from (ZoneExit(to=To.HILL, roll=result.roll) for result in lying if result.piece in HILLS)
    if log.has(zone, Piece.SWAMP):
        yield ZoneExit(to=To.SWAMP)
    yield from (ZoneExit(to=To.POOL, roll=result.roll) for result in lying if result.piece is Piece.POOL)
    for side, other in grid.neighbours(zone):
        if side not in used and log.has(other, *HILLS):
            yield ZoneExit(to=To.HILLSIDE, side=side)


# --- Mouths of groups of streams --------------------------------------------------------------------------------------


class Brook(Struct, frozen=True):
    """A group of zones with linked streams; ``rolled`` has the stream rolls of those zones that have any."""

    zones: tuple[int, ...]
    rolled: Mapping[int, tuple[RollResult, ...]]

    @property
    def alone(self) -> bool:
        """Return whether the brook has only one zone."""
        return len(self.zones) == 1


class Mouths(Struct):
    """A builder of the mouths of brooks; ``down`` is the downstream arm of each zone.

    The lowest zone number identifies a brook. ``owner`` maps a zone to its brook. ``into`` maps a brook to the brook
    that it flows into.
    """

    grid: ZonePlan
    log: ZoneLog
    web: NetworkBuilder
    water: ZoneSide | None
    creek: CreekPath | None
    found: list[End] = field(default_factory=list)
    down: dict[int, ZoneExit] = field(default_factory=dict)
    owner: dict[int, int] = field(default_factory=dict)
    into: dict[int, int] = field(default_factory=dict)

    def downstream(self, zone: int) -> ZoneExit | None:
        """Return the downstream arm of a zone, or None."""
        return self.down.get(zone)

    def mouth_of(self, brook: Brook) -> End:
        """Return the mouth of a brook; the brook must have one."""
        return next(end for end in self.found if end.zone in brook.zones)

    def held(self) -> frozenset[int]:
        """Return the zones with running water; no other stream may pass through them."""
        return frozenset((*self.web.arms, *self._creek))

    def linked(self, brook: Brook, zone: int) -> tuple[ZoneSide, ...]:
        """Return the sides of a zone with links to other zones of its brook."""
        sides = {side: other for side, other in self.grid.neighbours(zone) if other in brook.zones}
        return tuple(side for side in self.web.used(zone) if side in sides)

    def give(self, brook: Brook) -> None:
        """Add the mouth of a brook and set the flow of its zones."""
        mouth = self._mouth(brook)
        self.found.append(mouth)
        self._drain(brook, mouth.zone)

    def _mouth(self, brook: Brook) -> End:
        on_creek = [zone for zone in brook.zones if zone in self._creek]
        if on_creek:
            return self._in_zone(on_creek[0], ZoneExit(to=To.CREEK))
        if self.water is not None:
            edge = self.water
            nearest = min(brook.rolled, key=lambda zone: (len(self.grid.beyond(zone, edge)), zone))
            return self._first_run(brook, nearest, [edge])
        for zone in brook.zones:
            for side, other in self.grid.neighbours(zone):
                if other in self._creek:
                    return self._lay(run_of(self.grid, zone, side, self._creek))
        return self._of_lone(brook) if brook.alone else self._of_group(brook)

    def _of_lone(self, brook: Brook) -> End:
        """Return the mouth of a single stream: at the last edge of its zone, or straight across (AC-N22)."""
        zone = brook.zones[0]
        edges = self.grid.edges(zone)
        if edges and any(natural_springs(self.grid, self.log, zone, self.web.used(zone))):
            return self._lay(run_of(self.grid, zone, edges[-1], ()))
        upper, lower = straight_axis(self.grid, None).sides
        return self._first_run(brook, zone, [lower, upper])

    def _of_group(self, brook: Brook) -> End:
        """Return the mouth of linked streams: an edge of an end zone, a pool or swamp (AC-N23, AC-N24)."""
        ends = [zone for zone in brook.rolled if len(self.linked(brook, zone)) <= 1]
        for zone in reversed(ends):
            across = self.linked(brook, zone)[0].opposite
            edges = [side for side in self.grid.edges(zone) if side not in self.web.used(zone)]
            if edges:
                return self._lay(run_of(self.grid, zone, across if across in edges else edges[-1], ()))
        for zone in brook.rolled:
            for piece, to in ((Piece.POOL, To.POOL), (Piece.SWAMP, To.SWAMP)):
                if self.log.has(zone, piece):
                    return self._in_zone(zone, ZoneExit(to=to, roll=self._pool(zone) if to is To.POOL else None))
        zone = ends[-1]
        return self._first_run(brook, zone, (self.linked(brook, zone)[0].opposite, *ZoneSide))

    def _first_run(self, brook: Brook, zone: int, sides: Iterable[ZoneSide]) -> End:
        """Add the first run that does not flow back into the brook; without one the stream ends in the zone."""
        for side in sides:
            run = run_of(self.grid, zone, side, self.held())
            if side not in self.web.used(zone) and not self._comes_back(run, brook.zones[0]):
                return self._lay(run)
        return self._in_zone(zone, ZoneExit(to=To.OPEN))

    def _comes_back(self, run: StraightRun, brook: int) -> bool:
        following = self.owner.get(run.meets) if run.meets is not None and run.meets not in self._creek else None
        while following is not None and following != brook:
            following = self.into.get(following)
        return following == brook

    def _in_zone(self, zone: int, arm: ZoneExit) -> End:
        self.web.put(zone, arm)
        self.down[zone] = arm
        return End(zone=zone, to=arm.to, roll=arm.roll)

    def _lay(self, run: StraightRun) -> End:
        """Add a downstream run and return its mouth."""
        to = To.WATER if run.side is self.water else To.EDGE
        if run.meets is not None:
            to = To.CREEK if run.meets in self._creek else To.JUNCTION
            self.web.reach(run.meets, self.web.pieces[run.zone])
        lay_run(self.web, run, to)
        brook = self.owner[run.zone]
        if to is To.JUNCTION and run.meets is not None:
            self.into[brook] = self.owner[run.meets]
        for zone in run.via:
            self.owner[zone] = brook
        way = (run.zone, *run.via)
        for zone in way:
            on = run.meets is not None or zone != way[-1]
            self.down[zone] = ZoneExit(to=To.ZONE if on else to, side=run.side)
        return End(zone=run.zone, to=to, side=run.side, via=run.via, zone_at=run.meets)

    def _drain(self, brook: Brook, mouth: int) -> None:
        """Set the downstream arm of every other zone of a brook, towards the zone of the mouth."""
        seen, waiting = {mouth}, [mouth]
        while waiting:
            zone = waiting.pop(0)
            for side in self.linked(brook, zone):
                other = next(found for beside, found in self.grid.neighbours(zone) if beside is side)
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
                    self.down[other] = ZoneExit(to=To.ZONE, side=side.opposite)

    def _pool(self, zone: int) -> int:
        return next(result.roll for result in self.log.lying(zone) if result.piece is Piece.POOL)

    @property
    def _creek(self) -> tuple[int, ...]:
        return self.creek.path if self.creek is not None else ()


# --- Sources of streams: number and position in each zone (AC-N25) ----------------------------------------------------


def sources(mouths: Mouths, brook: Brook) -> Iterator[End]:
    """Add the sources of a brook, zone by zone, and yield them.

    A stream of another group that flows into a zone replaces one source there.
    """
    mouth = mouths.mouth_of(brook)
    for zone in brook.rolled:
        rises = brook.alone or (len(mouths.linked(brook, zone)) <= 1 and zone != mouth.zone)
        count = len(brook.rolled[zone]) - 1 + int(rises) - _tributaries(mouths, brook, zone)
        natural = list(natural_springs(mouths.grid, mouths.log, zone, _taken(mouths, zone)))
        if zone == mouth.zone:
            natural = [arm for arm in natural if (arm.to, arm.roll) != (mouth.to, mouth.roll)]
        for _ in range(count):
            yield _rise(mouths, brook, zone, natural)


def _rise(mouths: Mouths, brook: Brook, zone: int, natural: list[ZoneExit]) -> End:
    """Add the next source of a zone: natural, at the far edge, at an edge of the zone, or a spring."""
    if natural:
        arm = natural.pop(0)
        mouths.web.put(zone, arm)
        return End(zone=zone, to=arm.to, side=arm.side, roll=arm.roll, piece=_hill(mouths, zone, arm))
    taken = _taken(mouths, zone)
    away = mouths.mouth_of(brook).side
    if brook.alone and away is not None and away.opposite not in taken and away.opposite is not mouths.water:
        run = run_of(mouths.grid, zone, away.opposite, mouths.held())
        if run.meets is None:
            lay_run(mouths.web, run, To.EDGE)
            for passed in run.via:
                mouths.down[passed] = ZoneExit(to=To.ZONE, side=away)
            return End(zone=zone, to=To.EDGE, side=run.side, via=run.via)
    for side in (*(used.opposite for used in taken), *ZoneSide):
        if side in mouths.grid.edges(zone) and side not in taken and side is not mouths.water:
            mouths.web.put(zone, ZoneExit(to=To.EDGE, side=side))
            return End(zone=zone, to=To.EDGE, side=side)
    mouths.web.put(zone, ZoneExit(to=To.OPEN))
    return End(zone=zone, to=To.OPEN)


def _taken(mouths: Mouths, zone: int) -> tuple[ZoneSide, ...]:
    """Return the sides of a zone that streams or the creek across the table already use."""
    taken = mouths.web.used(zone)
    if mouths.creek is None or zone not in mouths.creek.path:
        return taken
    creek = mouths.creek
    place = creek.path.index(zone)
    before = creek.entry if place == 0 else mouths.grid.side_between(zone, creek.path[place - 1])
    after = creek.exit if place == len(creek.path) - 1 else mouths.grid.side_between(zone, creek.path[place + 1])
    return tuple(dict.fromkeys((*taken, before, after)))


def _tributaries(mouths: Mouths, brook: Brook, zone: int) -> int:
    """Return the number of streams of other groups that flow into a zone."""
    down = mouths.downstream(zone)
    arms = [arm for arm in mouths.web.arms[zone] if arm.to is To.ZONE and arm != down]
    return sum(arm.side not in mouths.linked(brook, zone) for arm in arms)


def _hill(mouths: Mouths, zone: int, arm: ZoneExit) -> Piece | None:
    """Return the hill of the zone where a stream rises, or None."""
    return next((r.piece for r in mouths.log.lying(zone) if arm.to is To.HILL and r.roll == arm.roll), None)


def streams(
    grid: ZonePlan,
    log: ZoneLog,
    rules: Rules,
    *,
    water: Water | None = None,
    creek: CreekPath | None = None,
) -> Streams:
    """Return the streams of a table; a creek from a CHOICE is a wide stream."""
    rolled = {zone: found for zone in grid.zones if (found := _of_class(log, zone))}
    paths = links(grid, rolled, preferences(rules, "streams", log), int(rules.choice("ac-q21")))
    web = NetworkBuilder(grid, STREAMS)
    for zone, results in rolled.items():
        web.reach(zone, max((_piece(result) for result in results), key=STREAMS.index))
    for path in paths:
        web.follow(path)
    brooks = tuple(
        Brook(zones=group, rolled={zone: rolled[zone] for zone in group if zone in rolled})
        for group in groups(rolled, paths)
    )
    mouths = Mouths(
        grid=grid,
        log=log,
        web=web,
        water=water.edge if water is not None else None,
        creek=creek,
        owner={zone: brook.zones[0] for brook in brooks for zone in brook.zones},
    )
    for brook in brooks:
        mouths.give(brook)
    rising = tuple(end for brook in brooks for end in sources(mouths, brook))
    rolls = {zone: tuple(result.roll for result in results) for zone, results in rolled.items()}
    return Streams(
        links=paths,
        mouths=tuple(mouths.found),
        sources=rising,
        reaches=_reaches(mouths, rolls),
    )


def creek_reaches(grid: ZonePlan, creek: CreekPath | None) -> tuple[ZoneReach, ...]:
    """Return the reaches of the creek across the table in path order, downstream arm first (AC-N30)."""
    if creek is None:
        return ()
    found = []
    for place, zone in enumerate(creek.path):
        last, first = place == len(creek.path) - 1, place == 0
        down = (To.EDGE, creek.exit) if last else (To.ZONE, grid.side_between(zone, creek.path[place + 1]))
        up = (To.EDGE, creek.entry) if first else (To.ZONE, grid.side_between(zone, creek.path[place - 1]))
        arms = tuple(ZoneExit(to=to, side=side) for to, side in (down, up))
        found.append(ZoneReach(zone=zone, piece=Piece.CREEK, arms=arms))
    return tuple(found)


def _reaches(mouths: Mouths, rolls: Mapping[int, tuple[int, ...]]) -> tuple[ZoneReach, ...]:
    """Return the reaches to draw, downstream arm first, without steps along the creek (AC-N26)."""
    found = []
    carried = _carried(mouths.creek)
    for reach in mouths.web.reaches(dict(rolls)):
        zone = reach.zone
        arms = [
            arm
            for arm in reach.arms
            if arm.to is not To.ZONE or arm.side is None or (zone, mouths.grid.neighbour(zone, arm.side)) not in carried
        ]
        down = mouths.downstream(zone)
        arms.sort(key=lambda arm, down=down: arm != down)  # type: ignore[misc]
        if mouths.creek is not None and zone in mouths.creek.path:
            arms = [ZoneExit(to=To.CREEK), *(arm for arm in arms if arm.to is not To.CREEK)]
            if len(arms) == 1:
                continue
        found.append(ZoneReach(zone=zone, piece=reach.piece, arms=tuple(arms), rolls=reach.rolls))
    return tuple(found)


def _carried(creek: CreekPath | None) -> frozenset[tuple[int, int]]:
    """Return the steps along a creek, in both directions."""
    if creek is None:
        return frozenset()
    return frozenset(step for one, other in pairwise(creek.path) for step in ((one, other), (other, one)))


def _of_class(log: ZoneLog, zone: int) -> tuple[RollResult, ...]:
    return tuple(result for result in log.lying(zone) if result.piece in STREAMS)


def _piece(result: RollResult) -> Piece:
    assert result.piece is not None
    return result.piece
