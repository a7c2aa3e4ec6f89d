"""Build the streams: links, a mouth for every group, sources, reaches by zone (AC-N20..N26)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct, field

from printkit.kit.rules import Rules
from printkit.systems.acw.network.network import End, Streams, To, ZoneExit, ZoneReach
from printkit.systems.acw.network.network_builder import (
    NetworkBuilder,
    StraightRun,
    add_run,
    find_links,
    group_zones,
    load_preferences,
    trace_run,
)
from printkit.systems.acw.network.roads_and_rails import choose_straight_axis
from printkit.systems.acw.terms.pieces import HILLS, STREAMS, Piece
from printkit.systems.acw.terms.plan import CreekPath, RollResult, Water, ZoneLog, ZonePlan, ZoneSide

# --- Natural sources of a stream --------------------------------------------------------------------------------------


def find_springs(grid: ZonePlan, log: ZoneLog, zone: int, used_sides: Collection[ZoneSide]) -> Iterator[ZoneExit]:
    """Yield the natural sources of a zone: its hills, swamp and pools, then unused sides towards hills.

    Hills and pools have the number of their roll. Nothing is yielded in a zone without sources.
    """
    results = log.placed_rolls(zone)
    yield from (ZoneExit(to=To.HILL, roll=result.roll) for result in results if result.piece in HILLS)
    if log.has(zone, Piece.SWAMP):
        yield ZoneExit(to=To.SWAMP)
    yield from (ZoneExit(to=To.POOL, roll=result.roll) for result in results if result.piece is Piece.POOL)
    for side, neighbour in grid.neighbours(zone):
        if side not in used_sides and log.has(neighbour, *HILLS):
            yield ZoneExit(to=To.HILLSIDE, side=side)


# --- Mouths of groups of streams --------------------------------------------------------------------------------------


class Brook(Struct, frozen=True):
    """A group of zones with linked streams; ``stream_rolls`` has the stream rolls of those zones that have any."""

    zones: tuple[int, ...]
    stream_rolls: Mapping[int, tuple[RollResult, ...]]

    @property
    def is_single(self) -> bool:
        """Return whether the brook has only one zone."""
        return len(self.zones) == 1


class BrookMouths(Struct):
    """A builder of the mouths of brooks; ``down`` is the downstream arm of each zone.

    The lowest zone number identifies a brook. ``owner`` maps a zone to its brook. ``outlets`` maps a brook to the brook
    that it flows into.
    """

    grid: ZonePlan
    log: ZoneLog
    network: NetworkBuilder
    water: ZoneSide | None
    creek: CreekPath | None
    mouths: list[End] = field(default_factory=list)
    down: dict[int, ZoneExit] = field(default_factory=dict)
    owner: dict[int, int] = field(default_factory=dict)
    outlets: dict[int, int] = field(default_factory=dict)

    def downstream_arm(self, zone: int) -> ZoneExit | None:
        """Return the downstream arm of a zone, or None."""
        return self.down.get(zone)

    def brook_mouth(self, brook: Brook) -> End:
        """Return the mouth of a brook; the brook must have one."""
        return next(end for end in self.mouths if end.zone in brook.zones)

    def water_zones(self) -> frozenset[int]:
        """Return the zones with running water; no other stream may pass through them."""
        return frozenset((*self.network.arms, *self._creek_zones))

    def linked_sides(self, brook: Brook, zone: int) -> tuple[ZoneSide, ...]:
        """Return the sides of a zone with links to other zones of its brook.

        They are in the order of the arms of the zone.
        """
        sides = {side: neighbour for side, neighbour in self.grid.neighbours(zone) if neighbour in brook.zones}
        return tuple(side for side in self.network.used_sides(zone) if side in sides)

    def add_mouth(self, brook: Brook) -> None:
        """Add the mouth of a brook and set the flow of its zones."""
        mouth = self._make_mouth(brook)
        self.mouths.append(mouth)
        self._set_drainage(brook, mouth.zone)

    def _make_mouth(self, brook: Brook) -> End:
        """Add the mouth of a brook and return it: a creek, the edge water, an edge, a pool or a swamp."""
        on_creek = [zone for zone in brook.zones if zone in self._creek_zones]
        if on_creek:
            return self._add_zone_mouth(on_creek[0], ZoneExit(to=To.CREEK))
        if self.water is not None:
            edge = self.water
            nearest = min(brook.stream_rolls, key=lambda zone: (len(self.grid.zones_beyond(zone, edge)), zone))
            return self._add_first_run(brook, nearest, [edge])
        for zone in brook.zones:
            for side, neighbour in self.grid.neighbours(zone):
                if neighbour in self._creek_zones:
                    return self._add_run_mouth(trace_run(self.grid, zone, side, self._creek_zones))
        return self._lone_mouth(brook) if brook.is_single else self._group_mouth(brook)

    def _lone_mouth(self, brook: Brook) -> End:
        """Return the mouth of a single stream: at the last edge of its zone, or straight across (AC-N22)."""
        zone = brook.zones[0]
        edges = self.grid.edges(zone)
        if edges and any(find_springs(self.grid, self.log, zone, self.network.used_sides(zone))):
            return self._add_run_mouth(trace_run(self.grid, zone, edges[-1], ()))
        upper, lower = choose_straight_axis(self.grid, None).sides
        return self._add_first_run(brook, zone, [lower, upper])

    def _group_mouth(self, brook: Brook) -> End:
        """Return the mouth of linked streams: an edge of an end zone, a pool or swamp (AC-N23, AC-N24).

        The mouth is also added to the network. The last end zones of the group are tried first.
        """
        ends = [zone for zone in brook.stream_rolls if len(self.linked_sides(brook, zone)) <= 1]
        for zone in reversed(ends):
            straight_side = self.linked_sides(brook, zone)[0].opposite
            edges = [side for side in self.grid.edges(zone) if side not in self.network.used_sides(zone)]
            if edges:
                return self._add_run_mouth(
                    trace_run(self.grid, zone, straight_side if straight_side in edges else edges[-1], ())
                )
        for zone in brook.stream_rolls:
            pools = [result.roll for result in self.log.placed_rolls(zone) if result.piece is Piece.POOL]
            if pools:
                return self._add_zone_mouth(zone, ZoneExit(to=To.POOL, roll=pools[0]))
            if self.log.has(zone, Piece.SWAMP):
                return self._add_zone_mouth(zone, ZoneExit(to=To.SWAMP))
        zone = ends[-1]
        return self._add_first_run(brook, zone, (self.linked_sides(brook, zone)[0].opposite, *ZoneSide))

    def _add_first_run(self, brook: Brook, zone: int, sides: Iterable[ZoneSide]) -> End:
        """Add the first run that does not flow back into the brook, and return its mouth.

        ``sides`` are the sides of the zone to try, in order. Without such a run the stream ends in the zone.
        """
        for side in sides:
            run = trace_run(self.grid, zone, side, self.water_zones())
            if side not in self.network.used_sides(zone) and not self._flows_back(run, brook.zones[0]):
                return self._add_run_mouth(run)
        return self._add_zone_mouth(zone, ZoneExit(to=To.OPEN))

    def _flows_back(self, run: StraightRun, brook: int) -> bool:
        """Return whether a run leads into ``brook``, directly or through other brooks."""
        next_brook = self.owner.get(run.meets) if run.meets is not None and run.meets not in self._creek_zones else None
        while next_brook is not None and next_brook != brook:
            next_brook = self.outlets.get(next_brook)
        return next_brook == brook

    def _add_zone_mouth(self, zone: int, arm: ZoneExit) -> End:
        """Add a downstream arm that ends inside a zone, and return its mouth."""
        self.network.add_arm(zone, arm)
        self.down[zone] = arm
        return End(zone=zone, target=arm.to, roll=arm.roll)

    def _add_run_mouth(self, run: StraightRun) -> End:
        """Add a downstream run and return its mouth.

        It adds the run and a meeting zone to the network. It also changes ``owner``, ``outlets`` and ``down``.
        """
        target = To.WATER if run.side is self.water else To.EDGE
        if run.meets is not None:
            target = To.CREEK if run.meets in self._creek_zones else To.JUNCTION
            self.network.add_zone(run.meets, self.network.pieces[run.zone])
        add_run(self.network, run, target)
        brook = self.owner[run.zone]
        if target is To.JUNCTION and run.meets is not None:
            self.outlets[brook] = self.owner[run.meets]
        for zone in run.via:
            self.owner[zone] = brook
        zones = (run.zone, *run.via)
        for zone in zones:
            continues = run.meets is not None or zone != zones[-1]
            self.down[zone] = ZoneExit(to=To.ZONE if continues else target, side=run.side)
        return End(zone=run.zone, target=target, side=run.side, via=run.via, target_zone=run.meets)

    def _set_drainage(self, brook: Brook, mouth: int) -> None:
        """Set the arm in ``down`` of every other zone of a brook, so that it flows to the zone ``mouth``."""
        done_zones, queue = {mouth}, [mouth]
        while queue:
            zone = queue.pop(0)
            for side in self.linked_sides(brook, zone):
                next_zone = next(
                    neighbour for neighbour_side, neighbour in self.grid.neighbours(zone) if neighbour_side is side
                )
                if next_zone not in done_zones:
                    done_zones.add(next_zone)
                    queue.append(next_zone)
                    self.down[next_zone] = ZoneExit(to=To.ZONE, side=side.opposite)

    @property
    def _creek_zones(self) -> tuple[int, ...]:
        """Return the zones of the creek across the table, in order; empty without a creek."""
        return self.creek.path if self.creek is not None else ()


# --- Sources of streams: number and position in each zone (AC-N25) ----------------------------------------------------


def add_sources(mouths: BrookMouths, brook: Brook) -> Iterator[End]:
    """Add the sources of a brook to ``mouths``, zone by zone, and yield each as it is added.

    They change its ``network``, and its ``down`` for the zones that they pass. All brooks must have their mouths
    before. A stream of another group that flows into a zone replaces one source there, which is not yielded. A rolled
    zone of the creek across the table always has a stream that flows into the creek there.
    """
    mouth = mouths.brook_mouth(brook)
    for zone in brook.stream_rolls:
        has_source = brook.is_single or (len(mouths.linked_sides(brook, zone)) <= 1 and zone != mouth.zone)
        down = mouths.downstream_arm(zone)
        arms = [arm for arm in mouths.network.arms[zone] if arm.to is To.ZONE and arm != down]
        tributary_count = sum(arm.side not in mouths.linked_sides(brook, zone) for arm in arms)
        count = len(brook.stream_rolls[zone]) - 1 + int(has_source) - tributary_count
        if creek_sides := _creek_sides(mouths, zone):
            # Links along the creek are the creek itself: without another inflow, the stream rises in its own zone.
            links = [arm for arm in mouths.network.arms[zone] if arm.to is To.ZONE and arm.side not in creek_sides]
            count = max(count, 1 - len(links))
        springs = list(find_springs(mouths.grid, mouths.log, zone, _used_sides(mouths, zone)))
        if zone == mouth.zone:
            springs = [arm for arm in springs if (arm.to, arm.roll) != (mouth.target, mouth.roll)]
        for _ in range(count):
            yield _add_source(mouths, brook, zone, springs)


def _add_source(mouths: BrookMouths, brook: Brook, zone: int, springs: list[ZoneExit]) -> End:
    """Add the next source of a zone to ``mouths``: natural, at the far edge, at an edge of the zone, or a spring.

    Return the source. If ``springs`` has natural sources, the first one is removed from it.
    """
    if springs:
        arm = springs.pop(0)
        mouths.network.add_arm(zone, arm)
        return End(zone=zone, target=arm.to, side=arm.side, roll=arm.roll, piece=_spring_hill(mouths, zone, arm))
    used_sides = _used_sides(mouths, zone)
    mouth_side = mouths.brook_mouth(brook).side
    if (
        brook.is_single
        and mouth_side is not None
        and mouth_side.opposite not in used_sides
        and mouth_side.opposite is not mouths.water
    ):
        run = trace_run(mouths.grid, zone, mouth_side.opposite, mouths.water_zones())
        if run.meets is None:
            add_run(mouths.network, run, To.EDGE)
            for run_zone in run.via:
                mouths.down[run_zone] = ZoneExit(to=To.ZONE, side=mouth_side)
            return End(zone=zone, target=To.EDGE, side=run.side, via=run.via)
    for side in (*(used_side.opposite for used_side in used_sides), *ZoneSide):
        if side in mouths.grid.edges(zone) and side not in used_sides and side is not mouths.water:
            mouths.network.add_arm(zone, ZoneExit(to=To.EDGE, side=side))
            return End(zone=zone, target=To.EDGE, side=side)
    mouths.network.add_arm(zone, ZoneExit(to=To.OPEN))
    return End(zone=zone, target=To.OPEN)


def _used_sides(mouths: BrookMouths, zone: int) -> tuple[ZoneSide, ...]:
    """Return the sides of a zone that streams or the creek across the table already use.

    Each side appears once. Those of the network come first, in the order of its arms.
    """
    return tuple(dict.fromkeys((*mouths.network.used_sides(zone), *_creek_sides(mouths, zone))))


def _creek_sides(mouths: BrookMouths, zone: int) -> tuple[ZoneSide, ...]:
    """Return the sides where the creek across the table enters and leaves a zone; empty if it does not pass."""
    creek = mouths.creek
    if creek is None or zone not in creek.path:
        return ()
    index = creek.path.index(zone)
    entry_side = creek.entry if index == 0 else mouths.grid.side_between(zone, creek.path[index - 1])
    exit_side = creek.exit if index == len(creek.path) - 1 else mouths.grid.side_between(zone, creek.path[index + 1])
    return entry_side, exit_side


def _spring_hill(mouths: BrookMouths, zone: int, arm: ZoneExit) -> Piece | None:
    """Return the hill of the zone where a stream rises, or None if ``arm`` does not end at a hill."""
    return next(
        (result.piece for result in mouths.log.placed_rolls(zone) if arm.to is To.HILL and result.roll == arm.roll),
        None,
    )


def build_streams(
    grid: ZonePlan,
    log: ZoneLog,
    rules: Rules,
    *,
    water: Water | None = None,
    creek: CreekPath | None = None,
) -> Streams:
    """Return the streams of a table with links, mouths and sources; a creek from a CHOICE is a wide stream.

    ``water`` is the water along an edge, ``creek`` the creek across the table; None without it.
    """
    stream_rolls = {
        zone: tuple(result for result in log.placed_rolls(zone) if result.piece in STREAMS) for zone in grid.zones
    }
    results_by_zone = {zone: results for zone, results in stream_rolls.items() if results}
    paths = find_links(grid, results_by_zone, load_preferences(rules, "streams", log), int(rules.choice("ac-q21")))
    network = NetworkBuilder(grid, STREAMS)
    for zone, results in results_by_zone.items():
        pieces = [result.piece for result in results if result.piece is not None]
        network.add_zone(zone, max(pieces, key=STREAMS.index))
    for path in paths:
        network.add_path(path)
    brooks = tuple(
        Brook(zones=group, stream_rolls={zone: results_by_zone[zone] for zone in group if zone in results_by_zone})
        for group in group_zones(results_by_zone, paths)
    )
    mouths = BrookMouths(
        grid=grid,
        log=log,
        network=network,
        water=water.edge if water is not None else None,
        creek=creek,
        owner={zone: brook.zones[0] for brook in brooks for zone in brook.zones},
    )
    for brook in brooks:
        mouths.add_mouth(brook)
    source_ends = tuple(end for brook in brooks for end in add_sources(mouths, brook))
    rolls = {zone: tuple(result.roll for result in results) for zone, results in results_by_zone.items()}
    return Streams(
        links=paths,
        mouths=tuple(mouths.mouths),
        sources=source_ends,
        reaches=_build_reaches(mouths, rolls),
    )


def build_creek_reaches(grid: ZonePlan, creek: CreekPath | None) -> tuple[ZoneReach, ...]:
    """Return the reaches of the creek across the table in path order, downstream arm first (AC-N30).

    Without a creek the tuple is empty.
    """
    if creek is None:
        return ()
    reaches = []
    for index, zone in enumerate(creek.path):
        last, first = index == len(creek.path) - 1, index == 0
        down = (To.EDGE, creek.exit) if last else (To.ZONE, grid.side_between(zone, creek.path[index + 1]))
        up = (To.EDGE, creek.entry) if first else (To.ZONE, grid.side_between(zone, creek.path[index - 1]))
        arms = tuple(ZoneExit(to=target, side=side) for target, side in (down, up))
        reaches.append(ZoneReach(zone=zone, piece=Piece.CREEK, arms=arms))
    return tuple(reaches)


def _build_reaches(mouths: BrookMouths, rolls: Mapping[int, tuple[int, ...]]) -> tuple[ZoneReach, ...]:
    """Return the reaches to draw, downstream arm first, without steps along the creek (AC-N26).

    ``rolls`` has the numbers of the rolls of each zone. A zone of the creek gets an arm to it, or no reach if that is
    its only arm.
    """
    reaches = []
    for reach in mouths.network.build_reaches(dict(rolls)):
        zone, creek_sides = reach.zone, _creek_sides(mouths, reach.zone)
        arms = [arm for arm in reach.arms if arm.to is not To.ZONE or arm.side not in creek_sides]
        down = mouths.downstream_arm(zone)
        arms.sort(key=lambda arm, down=down: arm != down)  # type: ignore[misc]
        if creek_sides:
            arms = [ZoneExit(to=To.CREEK), *(arm for arm in arms if arm.to is not To.CREEK)]
            if len(arms) == 1:
                continue
        reaches.append(ZoneReach(zone=zone, piece=reach.piece, arms=tuple(arms), rolls=reach.rolls))
    return tuple(reaches)
