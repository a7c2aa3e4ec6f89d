"""Where each group of streams flows to: the water edge, a creek, an edge of the table, a pool or swamp (AC-N20..N24).

A run that comes upon another stream flows into it and goes no further (AC-N26), but never into one that itself flows
into the first: such a way is passed over for the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from printkit.systems.acw.network.network import Arm, End, To
from printkit.systems.acw.network.network_builder import Run, Web, lay_run, run_of
from printkit.systems.acw.network.roads_and_rails import straight_axis
from printkit.systems.acw.network.springs import natural_springs
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import CreekPath, Result, Side, ZoneGrid, ZoneLog


class Brook(Struct, frozen=True):
    """A group of zones whose streams are linked: all of them, and those where a stream was rolled, with the rolls."""

    zones: tuple[int, ...]
    rolled: Mapping[int, tuple[Result, ...]]

    @property
    def alone(self) -> bool:
        """Return whether it is a single zone."""
        return len(self.zones) == 1


class Mouths(Struct):
    """Gives brooks their mouths, one after another; ``down`` is the arm by which the water leaves each zone.

    A brook goes by its lowest zone: ``owner`` says whose a zone is, ``into`` which other brook one flows into.
    """

    grid: ZoneGrid
    log: ZoneLog
    web: Web
    water: Side | None
    creek: CreekPath | None
    found: list[End] = field(default_factory=list)
    down: dict[int, Arm] = field(default_factory=dict)
    owner: dict[int, int] = field(default_factory=dict)
    into: dict[int, int] = field(default_factory=dict)

    def downstream(self, zone: int) -> Arm | None:
        """Return the arm of a zone by which its water leaves it."""
        return self.down.get(zone)

    def mouth_of(self, brook: Brook) -> End:
        """Return the mouth of a brook that has been given one."""
        return next(end for end in self.found if end.zone in brook.zones)

    def held(self) -> frozenset[int]:
        """Return the zones that hold running water, where no other may pass."""
        return frozenset((*self.web.arms, *self._creek))

    def linked(self, brook: Brook, zone: int) -> tuple[Side, ...]:
        """Return the sides by which links leave a zone of a brook."""
        sides = {side: other for side, other in self.grid.neighbours(zone) if other in brook.zones}
        return tuple(side for side in self.web.used(zone) if side in sides)

    def give(self, brook: Brook) -> None:
        """Lay the mouth of a brook."""
        mouth = self._mouth(brook)
        self.found.append(mouth)
        self._drain(brook, mouth.zone)

    def _mouth(self, brook: Brook) -> End:
        on_creek = [zone for zone in brook.zones if zone in self._creek]
        if on_creek:
            return self._in_zone(on_creek[0], Arm(to=To.CREEK))
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
        """Return the mouth of a stream alone: from its source to its last edge, or straight across (AC-N22)."""
        zone = brook.zones[0]
        edges = self.grid.edges(zone)
        if edges and any(natural_springs(self.grid, self.log, zone, self.web.used(zone))):
            return self._lay(run_of(self.grid, zone, edges[-1], ()))
        upper, lower = straight_axis(self.grid, None).sides
        return self._first_run(brook, zone, [lower, upper])

    def _of_group(self, brook: Brook) -> End:
        """Return the mouth of linked streams: an edge of their last zone, else a pool or swamp (AC-N23, AC-N24)."""
        ends = [zone for zone in brook.rolled if len(self.linked(brook, zone)) <= 1]
        for zone in reversed(ends):
            across = self.linked(brook, zone)[0].opposite
            edges = [side for side in self.grid.edges(zone) if side not in self.web.used(zone)]
            if edges:
                return self._lay(run_of(self.grid, zone, across if across in edges else edges[-1], ()))
        for zone in brook.rolled:
            for piece, to in ((Piece.POOL, To.POOL), (Piece.SWAMP, To.SWAMP)):
                if self.log.has(zone, piece):
                    return self._in_zone(zone, Arm(to=to, roll=self._pool(zone) if to is To.POOL else None))
        zone = ends[-1]
        return self._first_run(brook, zone, (self.linked(brook, zone)[0].opposite, *Side))

    def _first_run(self, brook: Brook, zone: int, sides: Iterable[Side]) -> End:
        """Lay the first run that does not flow back into the brook; where there is none its water sinks away."""
        for side in sides:
            run = run_of(self.grid, zone, side, self.held())
            if side not in self.web.used(zone) and not self._comes_back(run, brook.zones[0]):
                return self._lay(run)
        return self._in_zone(zone, Arm(to=To.OPEN))

    def _comes_back(self, run: Run, brook: int) -> bool:
        following = self.owner.get(run.meets) if run.meets is not None and run.meets not in self._creek else None
        while following is not None and following != brook:
            following = self.into.get(following)
        return following == brook

    def _in_zone(self, zone: int, arm: Arm) -> End:
        self.web.put(zone, arm)
        self.down[zone] = arm
        return End(zone=zone, to=arm.to, roll=arm.roll)

    def _lay(self, run: Run) -> End:
        """Lay a run downstream and return the mouth that it makes."""
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
            self.down[zone] = Arm(to=To.ZONE if on else to, side=run.side)
        return End(zone=run.zone, to=to, side=run.side, via=run.via, zone_at=run.meets)

    def _drain(self, brook: Brook, mouth: int) -> None:
        """Note for every other zone of a brook by which link its water runs to the mouth."""
        seen, waiting = {mouth}, [mouth]
        while waiting:
            zone = waiting.pop(0)
            for side in self.linked(brook, zone):
                other = next(found for beside, found in self.grid.neighbours(zone) if beside is side)
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
                    self.down[other] = Arm(to=To.ZONE, side=side.opposite)

    def _pool(self, zone: int) -> int:
        return next(result.roll for result in self.log.lying(zone) if result.piece is Piece.POOL)

    @property
    def _creek(self) -> tuple[int, ...]:
        return self.creek.path if self.creek is not None else ()
