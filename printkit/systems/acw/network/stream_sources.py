"""Where streams rise: how many sources each zone has, and at what (AC-N25)."""

from __future__ import annotations

from collections.abc import Iterator

from printkit.systems.acw.network.network import Arm, End, To
from printkit.systems.acw.network.network_builder import lay_run, run_of
from printkit.systems.acw.network.springs import natural_springs
from printkit.systems.acw.network.stream_mouths import Brook, Mouths
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import Side


def sources(mouths: Mouths, brook: Brook) -> Iterator[End]:
    """Lay the sources of a brook, zone by zone, and yield them.

    A stream of another group that flows into a zone is as good as a source there, and takes the place of one.
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


def _rise(mouths: Mouths, brook: Brook, zone: int, natural: list[Arm]) -> End:
    """Lay the next source of a zone: by nature, from the far edge, from an edge of its own, or a spring."""
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
                mouths.down[passed] = Arm(to=To.ZONE, side=away)
            return End(zone=zone, to=To.EDGE, side=run.side, via=run.via)
    for side in (*(used.opposite for used in taken), *Side):
        if side in mouths.grid.edges(zone) and side not in taken and side is not mouths.water:
            mouths.web.put(zone, Arm(to=To.EDGE, side=side))
            return End(zone=zone, to=To.EDGE, side=side)
    mouths.web.put(zone, Arm(to=To.OPEN))
    return End(zone=zone, to=To.OPEN)


def _taken(mouths: Mouths, zone: int) -> tuple[Side, ...]:
    """Return the sides of a zone through which water runs already, that of a creek across the table with it."""
    taken = mouths.web.used(zone)
    if mouths.creek is None or zone not in mouths.creek.path:
        return taken
    creek = mouths.creek
    place = creek.path.index(zone)
    before = creek.entry if place == 0 else mouths.grid.side_between(zone, creek.path[place - 1])
    after = creek.exit if place == len(creek.path) - 1 else mouths.grid.side_between(zone, creek.path[place + 1])
    return tuple(dict.fromkeys((*taken, before, after)))


def _tributaries(mouths: Mouths, brook: Brook, zone: int) -> int:
    """Return how many streams of other groups flow into a zone."""
    down = mouths.downstream(zone)
    arms = [arm for arm in mouths.web.arms[zone] if arm.to is To.ZONE and arm != down]
    return sum(arm.side not in mouths.linked(brook, zone) for arm in arms)


def _hill(mouths: Mouths, zone: int, arm: Arm) -> Piece | None:
    """Return the hill of the zone at whose foot a stream rises."""
    return next((r.piece for r in mouths.log.lying(zone) if arm.to is To.HILL and r.roll == arm.roll), None)
