"""Check the graph of a record, and the fords, bridges and crossings of courses (AC-N40, AC-F39).

Links, railroad, swamps and the path of the creek are checked in the graph itself. The ends of roads and streams depend
on one another, so they are compared with the graph that the rules give for the same zones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import combinations, pairwise, permutations
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.acw.dicing.water import creek_path
from printkit.systems.acw.judge.case import WAYS, AcwCase, Check, CheckedPiece, both, crossings_of
from printkit.systems.acw.judge.room import drawn
from printkit.systems.acw.network.joining import CrossingRules
from printkit.systems.acw.terms.pieces import ROADS, STREAMS, Piece
from printkit.systems.acw.terms.plan import ZoneSide
from printkit.terrain.field.features import Course, Crossing, Kind
from printkit.terrain.geometry.measure import direction, turn_between

# --- Check where courses cross: fords, bridges and level crossings of the right kind (AC-N40, AC-F39) -----------------

_MARKS: Final = (Kind.FORD, Kind.BRIDGE, Kind.RAILWAY_BRIDGE, Kind.LEVEL_CROSSING)


def passages(case: AcwCase) -> Faults:
    """Check AC-N40, AC-F39: each crossing of courses has the right ford, bridge or level crossing."""
    ground = case.laid
    lines = {one.id: one for one in ground.seen if isinstance(one.feature, Course)}
    rules, near = CrossingRules.of(case.rules), case.rules.length("crossing_near")
    for crossing in ground.crossings:
        if crossing.kind in _MARKS:
            yield from _passage(case, crossing, lines, rules)
    for way in ground.of(*WAYS):
        under = STREAMS if way.piece is Piece.RAILROAD else (*STREAMS, Piece.RAILROAD)
        for other in ground.of(*under):
            far = near + way.width + other.width
            here = [one.at for one in ground.crossings if {one.way, one.water} == {way.id, other.id}]
            for at in crossings_of(way.line, other.line):
                if not any(at.distance(spot) < far for spot in here):
                    yield Sentence(
                        "{way} crosses {other} at {x:.0f}, {y:.0f} mm without a ford, bridge or crossing",
                        way=way.id,
                        other=other.id,
                        x=at.x,
                        y=at.y,
                    )


def _passage(case: AcwCase, crossing: Crossing, lines: Mapping[str, CheckedPiece], rules: CrossingRules) -> Faults:
    way, water = lines.get(crossing.way), lines.get(crossing.water)
    if way is None or water is None:
        yield Sentence(
            "{crossing} joins {way} and {water}, which are not both on the table",
            crossing=crossing.id,
            way=crossing.way,
            water=crossing.water,
        )
        return
    passed = (kind for overs, unders, kind in rules.rows if way.piece in overs and water.piece in unders)
    wanted = next(passed, None)
    # A road without a roll may be an unfenced road, which crosses a stream by a ford.
    if crossing.kind is not wanted and not (
        crossing.kind is Kind.FORD and way.piece is Piece.ROAD and way.roll is None
    ):
        yield Sentence(
            "{crossing} is a {kind}, but a {way} crosses a {water} by a {wanted}",
            crossing=crossing.id,
            kind=crossing.kind,
            way=way.piece.value,
            water=water.piece.value,
            wanted=wanted or Sentence("nothing"),
        )
    off = max(crossing.at.distance(one.line) for one in (way, water))
    if off > case.meets:
        yield Sentence("{crossing} is {off:.0f} mm from the features it joins", crossing=crossing.id, off=off)
    along = direction(way.line, way.line.project(crossing.at), case.rules.length("crossing_near"))
    turn = min(turn_between(along, crossing.bearing), turn_between(along + 180.0, crossing.bearing))
    if turn > case.rules.number("crossing_turn"):
        yield Sentence(
            "{crossing} is turned {turn:.0f} degrees from its road or railroad", crossing=crossing.id, turn=turn
        )


# The checks of crossings by clause.
CROSSING_CHECKS: Final[Mapping[str, Check]] = {"AC-F39": drawn(passages), "AC-N40": drawn(passages)}


def links(case: AcwCase) -> Faults:
    """Check AC-N01, AC-N02: short links join separate groups, and all groups near each other are joined."""
    reach = int(case.rules.choice("ac-q21"))
    for name, pieces in (("roads", ROADS), ("streams", STREAMS)):
        group = {zone: zone for zone in case.grid.zones if case.zones.has(zone, *pieces)}
        for path in case.graph.links(name):
            lane = case.rules.choice("ac-q20") == "lanes" and name == "roads" and path[0] not in group
            yield from () if lane else _link(case, path, group, reach)
        for one, other in permutations(group, 2):
            if group[one] < group[other] and case.grid.distance(one, other) <= reach:
                yield Sentence(
                    "the {name} of zones {one} and {other} are not connected", name=name, one=one, other=other
                )


def _link(case: AcwCase, path: Sequence[int], group: dict[int, int], reach: int) -> Faults:
    said = "-".join(map(str, path))
    if any(case.grid.distance(one, other) != 1 for one, other in pairwise(path)):
        yield Sentence("the link {said} skips a zone", said=said)
    if len(path) - 1 != case.grid.distance(path[0], path[-1]) or len(path) - 1 > reach:
        yield Sentence("the link {said} is too long", said=said)
    start, end = group.get(path[0]), group.get(path[-1])
    if start is None or end is None or start == end:
        yield Sentence("the link {said} is not needed", said=said)
    else:
        joined = (zone for zone, number in group.items() if number == end)
        group.update(dict.fromkeys((*joined, *path), start))


def edges(case: AcwCase) -> Faults:
    """Check AC-N13: no road or railroad ends at the water edge."""
    ends, rail, water = case.graph.roads.ends, case.graph.rail, case.facts.edge_water
    if water is None:
        raise UnseenError("no edge of the table is water")
    for zone in (zone for zone, text in ends if text.startswith(Sentence("edge {edge}", edge=water.edge.value))):
        yield Sentence("the road of zone {zone} ends at the water edge", zone=zone)
    if rail is not None and water.edge in (*rail.axis.sides, *(branch.side for branch in rail.branches)):
        yield Sentence("the railroad ends at the water edge")


def rail(case: AcwCase) -> Faults:
    """Check AC-N31, AC-N32: one railroad from edge to edge passes or branches to every rail zone."""
    zones = [zone for zone in case.grid.zones if case.zones.has(zone, Piece.RAILROAD)]
    found = case.graph.rail
    if found is None and zones:
        yield Sentence("no railroad for the zones {zones}", zones=zones)
    elif found is not None and not zones:
        yield Sentence("a railroad without rail zones")
    elif found is not None:
        if any(case.grid.distance(one, other) != 1 for one, other in pairwise(found.path)):
            yield Sentence("the railroad skips a zone")
        first, last = found.axis.sides
        if first not in case.grid.edges(found.path[0]) or last not in case.grid.edges(found.path[-1]):
            yield Sentence("the railroad does not run from {first} to {last}", first=first, last=last)
        served = {zone for path in case.graph.links("rail") for zone in path}
        for zone in (zone for zone in zones if zone not in served):
            yield Sentence("the railroad does not reach zone {zone}", zone=zone)


def swamps(case: AcwCase) -> Faults:
    """Check AC-N33: all swamps of neighbouring zones are joined, and no others."""
    wet = [zone for zone in case.grid.zones if case.zones.has(zone, Piece.SWAMP)]
    pairs = [pair for pair in combinations(wet, 2) if case.grid.distance(*pair) == 1]
    if sorted(case.graph.swamps) != pairs:
        yield Sentence(
            "the swamps {swamps} are joined, but the neighbours are {pairs}", swamps=case.graph.swamps, pairs=pairs
        )


def creek(case: AcwCase) -> Faults:
    """Check AC-N30: the creek takes the shortest path from edge to edge, along the longer axis first."""
    found = case.creek
    if found is None:
        raise UnseenError("no creek crosses the table")
    for one, other in pairwise(found.path):
        across = abs(case.grid.column(found.path[-1]) - case.grid.column(one))
        down = abs(case.grid.row(found.path[-1]) - case.grid.row(one))
        side = case.grid.side_between(one, other) if case.grid.distance(one, other) == 1 else None
        if side not in ((ZoneSide.EAST, ZoneSide.WEST) if across >= down else (ZoneSide.NORTH, ZoneSide.SOUTH)):
            yield Sentence("the creek goes from {one} to {other}", one=one, other=other)
    if found.entry not in case.grid.edges(found.path[0]) or found.exit not in case.grid.edges(found.path[-1]):
        yield Sentence("the creek does not enter and leave by edges of the table")
    right = creek_path(case.grid, found.path[0], found.path[-1])
    if found.entry is not right.entry:
        yield Sentence(
            "the creek enters by edge {side} of zone {zone}, but its course gives edge {right}",
            side=found.entry.value,
            zone=found.path[0],
            right=right.entry.value,
        )
    if found.exit is not right.exit:
        yield Sentence(
            "the creek leaves by edge {side} of zone {zone}, but its course gives edge {right}",
            side=found.exit.value,
            zone=found.path[-1],
            right=right.exit.value,
        )


def anew(*keys: str) -> Check:
    """Return a check that compares a part of the graph with the graph that the rules give for the zones."""

    def check(case: AcwCase) -> Faults:
        told, found = (reduce(getattr, keys, net) for net in (case.graph, case.joined))
        if told != found:
            yield Sentence("{keys}: {told}; the zones give {found}", keys=" ".join(keys), told=told, found=found)

    return check


# The checks of the graph by clause.
CHECKS: Final[Mapping[str, Check]] = {
    "AC-211": both(links, rail, swamps),
    "AC-N01": links,
    "AC-N02": both(links, anew("roads", "links"), anew("streams", "links")),
    "AC-N03": both(anew("roads", "links"), anew("streams", "links")),
    **dict.fromkeys(("AC-N10", "AC-N11", "AC-N12", "AC-N14", "AC-N15", "AC-N16"), anew("roads", "ends")),
    "AC-N13": edges,
    **dict.fromkeys(("AC-N20", "AC-N21", "AC-N22", "AC-N23", "AC-N24", "AC-N26"), anew("streams", "mouths")),
    "AC-N25": anew("streams", "sources"),
    "AC-N30": creek,
    **dict.fromkeys(("AC-N31", "AC-N32"), both(rail, anew("rail"))),
    "AC-N33": swamps,
}
