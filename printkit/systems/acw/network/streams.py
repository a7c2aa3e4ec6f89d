"""The streams: links, a mouth for every group, sources, and each zone's part with its arms (AC-N20..N26)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from printkit.kit.book import RuleBook
from printkit.systems.acw.network.linking import groups, links, preferences
from printkit.systems.acw.network.network import Arm, Reach, Streams, To
from printkit.systems.acw.network.network_builder import Web
from printkit.systems.acw.network.stream_mouths import Brook, Mouths
from printkit.systems.acw.network.stream_sources import sources
from printkit.systems.acw.terms.pieces import STREAMS, Piece
from printkit.systems.acw.terms.plan import CreekPath, Result, Water, ZoneGrid, ZoneLog


def streams(
    grid: ZoneGrid,
    log: ZoneLog,
    book: RuleBook,
    *,
    settings: Mapping[str, str],
    water: Water | None = None,
    creek: CreekPath | None = None,
) -> Streams:
    """Return the streams of a table, a creek taken by CHOICE among them as a wide one."""
    rolled = {zone: found for zone in grid.zones if (found := _of_class(log, zone))}
    paths = links(grid, rolled, preferences(book, "streams", log), int(settings["ac-q21"]))
    web = Web(grid, STREAMS)
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


def creek_reaches(grid: ZoneGrid, creek: CreekPath | None) -> tuple[Reach, ...]:
    """Return the parts of a creek that crosses the table, downstream arm first, in the order of its way (AC-N30)."""
    if creek is None:
        return ()
    found = []
    for place, zone in enumerate(creek.path):
        last, first = place == len(creek.path) - 1, place == 0
        down = (To.EDGE, creek.exit) if last else (To.ZONE, grid.side_between(zone, creek.path[place + 1]))
        up = (To.EDGE, creek.entry) if first else (To.ZONE, grid.side_between(zone, creek.path[place - 1]))
        arms = tuple(Arm(to=to, side=side) for to, side in (down, up))
        found.append(Reach(zone=zone, piece=Piece.CREEK, arms=arms))
    return tuple(found)


def _reaches(mouths: Mouths, rolls: Mapping[int, tuple[int, ...]]) -> tuple[Reach, ...]:
    """Return what there is to draw: downstream arms first, without what the creek itself carries (AC-N26)."""
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
            arms = [Arm(to=To.CREEK), *(arm for arm in arms if arm.to is not To.CREEK)]
            if len(arms) == 1:
                continue
        found.append(Reach(zone=zone, piece=reach.piece, arms=tuple(arms), rolls=reach.rolls))
    return tuple(found)


def _carried(creek: CreekPath | None) -> frozenset[tuple[int, int]]:
    """Return the steps along a creek, in both directions."""
    if creek is None:
        return frozenset()
    return frozenset(step for one, other in pairwise(creek.path) for step in ((one, other), (other, one)))


def _of_class(log: ZoneLog, zone: int) -> tuple[Result, ...]:
    return tuple(result for result in log.lying(zone) if result.piece in STREAMS)


def _piece(result: Result) -> Piece:
    assert result.piece is not None
    return result.piece
