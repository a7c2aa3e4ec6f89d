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
from printkit.systems.acw.dicing.water import find_creek_path
from printkit.systems.acw.judge.case import ROUTES, AcwCase, Check, CheckedPiece, combine_checks, find_crossings
from printkit.systems.acw.judge.positions import require_shapes
from printkit.systems.acw.network.joining import CrossingRules
from printkit.systems.acw.terms.pieces import ROADS, STREAMS, Piece
from printkit.systems.acw.terms.plan import ZoneSide
from printkit.terrain.field.features import Course, Crossing, Kind
from printkit.terrain.geometry.measure import line_bearing, turn_between

# --- Check where courses cross: fords, bridges and level crossings of the right kind (AC-N40, AC-F39) -----------------

_MARK_KINDS: Final = (Kind.FORD, Kind.BRIDGE, Kind.RAILWAY_BRIDGE, Kind.LEVEL_CROSSING)


def check_crossings(case: AcwCase) -> Faults:
    """Check AC-N40, AC-F39: each crossing of courses has the right ford, bridge or level crossing."""
    ground = case.layout
    lines = {one.id: one for one in ground.all_pieces if isinstance(one.feature, Course)}
    rules, near = CrossingRules.from_rules(case.rules), case.rules.length("crossing_near")
    for crossing in ground.crossings:
        if crossing.kind in _MARK_KINDS:
            yield from _check_crossing(case, crossing, lines, rules)
    for route in ground.select(*ROUTES):
        lower_pieces = STREAMS if route.piece is Piece.RAILROAD else (*STREAMS, Piece.RAILROAD)
        for other in ground.select(*lower_pieces):
            max_distance = near + route.width + other.width
            mark_points = [one.at for one in ground.crossings if {one.route, one.water} == {route.id, other.id}]
            for point in find_crossings(route.line, other.line):
                if not any(point.distance(mark_point) < max_distance for mark_point in mark_points):
                    yield Sentence(
                        "{way} crosses {other} at {x:.0f}, {y:.0f} mm without a ford, bridge or crossing",
                        way=route.id,
                        other=other.id,
                        x=point.x,
                        y=point.y,
                    )


def _check_crossing(
    case: AcwCase, crossing: Crossing, lines: Mapping[str, CheckedPiece], rules: CrossingRules
) -> Faults:
    """Yield the faults of a mark: its two courses, kind, position and direction (AC-N40, AC-F39).

    ``lines`` has the courses by the ID of their feature.
    """
    route, water = lines.get(crossing.route), lines.get(crossing.water)
    if route is None or water is None:
        yield Sentence(
            "{crossing} joins {way} and {water}, which are not both on the table",
            crossing=crossing.id,
            way=crossing.route,
            water=crossing.water,
        )
        return
    crossing_kinds = (kind for overs, unders, kind in rules.rows if route.piece in overs and water.piece in unders)
    expected_kind = next(crossing_kinds, None)
    # A road without a roll may be an unfenced road, which crosses a stream by a ford.
    if crossing.kind is not expected_kind and not (
        crossing.kind is Kind.FORD and route.piece is Piece.ROAD and route.roll is None
    ):
        yield Sentence(
            "{crossing} is a {kind}, but a {way} crosses a {water} by a {wanted}",
            crossing=crossing.id,
            kind=crossing.kind,
            way=route.piece.value,
            water=water.piece.value,
            wanted=expected_kind or Sentence("nothing"),
        )
    distance = max(crossing.at.distance(one.line) for one in (route, water))
    if distance > case.meets:
        yield Sentence("{crossing} is {off:.0f} mm from the features it joins", crossing=crossing.id, off=distance)
    route_bearing = line_bearing(route.line, route.line.project(crossing.at), case.rules.length("crossing_near"))
    turn = min(turn_between(route_bearing, crossing.bearing), turn_between(route_bearing + 180.0, crossing.bearing))
    if turn > case.rules.number("crossing_turn"):
        yield Sentence(
            "{crossing} is turned {turn:.0f} degrees from its road or railroad", crossing=crossing.id, turn=turn
        )


# The checks of crossings by clause.
CROSSING_CHECKS: Final[Mapping[str, Check]] = {
    "AC-F39": require_shapes(check_crossings),
    "AC-N40": require_shapes(check_crossings),
}


def check_links(case: AcwCase) -> Faults:
    """Check AC-N01, AC-N02: short links join separate groups, and all groups near each other are joined."""
    reach = int(case.rules.choice("ac-q21"))
    for name, pieces in (("roads", ROADS), ("streams", STREAMS)):
        group = {zone: zone for zone in case.grid.zones if case.zones.has(zone, *pieces)}
        for path in case.graph.links(name):
            lane = case.rules.choice("ac-q20") == "lanes" and name == "roads" and path[0] not in group
            yield from () if lane else _check_link(case, path, group, reach)
        for one, other in permutations(group, 2):
            if group[one] < group[other] and case.grid.distance(one, other) <= reach:
                yield Sentence(
                    "the {name} of zones {one} and {other} are not connected", name=name, one=one, other=other
                )


def _check_link(case: AcwCase, path: Sequence[int], group: dict[int, int], reach: int) -> Faults:
    """Yield the faults of a link, then join its groups in ``group``.

    Args:
        path: the zones of the link.
        group: the group of each zone; it is changed.
        reach: the maximum length of a link, in steps.
    """
    label = "-".join(map(str, path))
    if any(case.grid.distance(one, other) != 1 for one, other in pairwise(path)):
        yield Sentence("the link {said} skips a zone", said=label)
    if len(path) - 1 != case.grid.distance(path[0], path[-1]) or len(path) - 1 > reach:
        yield Sentence("the link {said} is too long", said=label)
    start, end = group.get(path[0]), group.get(path[-1])
    if start is None or end is None or start == end:
        yield Sentence("the link {said} is not needed", said=label)
    else:
        group_zones = (zone for zone, number in group.items() if number == end)
        group.update(dict.fromkeys((*group_zones, *path), start))


def check_edges(case: AcwCase) -> Faults:
    """Check AC-N13: no road or railroad ends at the water edge.

    The ends are those that the record states, not those of the shapes.

    Raises:
        UnseenError: no edge of the table is water in the record.
    """
    ends, rail, water = case.graph.roads.ends, case.graph.rail, case.facts.edge_water
    if water is None:
        raise UnseenError("no edge of the table is water")
    for zone in (zone for zone, text in ends if text.startswith(Sentence("edge {edge}", edge=water.edge.value))):
        yield Sentence("the road of zone {zone} ends at the water edge", zone=zone)
    if rail is not None and water.edge in (*rail.axis.sides, *(branch.side for branch in rail.branches)):
        yield Sentence("the railroad ends at the water edge")


def check_rail(case: AcwCase) -> Faults:
    """Check AC-N31, AC-N32: one railroad from edge to edge passes or branches to every rail zone."""
    zones = [zone for zone in case.grid.zones if case.zones.has(zone, Piece.RAILROAD)]
    railroad = case.graph.rail
    if railroad is None and zones:
        yield Sentence("no railroad for the zones {zones}", zones=zones)
    elif railroad is not None and not zones:
        yield Sentence("a railroad without rail zones")
    elif railroad is not None:
        if any(case.grid.distance(one, other) != 1 for one, other in pairwise(railroad.path)):
            yield Sentence("the railroad skips a zone")
        first, last = railroad.axis.sides
        if first not in case.grid.edges(railroad.path[0]) or last not in case.grid.edges(railroad.path[-1]):
            yield Sentence("the railroad does not run from {first} to {last}", first=first, last=last)
        served_zones = {zone for path in case.graph.links("rail") for zone in path}
        for zone in (zone for zone in zones if zone not in served_zones):
            yield Sentence("the railroad does not reach zone {zone}", zone=zone)


def check_swamps(case: AcwCase) -> Faults:
    """Check AC-N33: all swamps of neighbouring zones are joined, and no others."""
    swamp_zones = [zone for zone in case.grid.zones if case.zones.has(zone, Piece.SWAMP)]
    pairs = [pair for pair in combinations(swamp_zones, 2) if case.grid.distance(*pair) == 1]
    if sorted(case.graph.swamps) != pairs:
        yield Sentence(
            "the swamps {swamps} are joined, but the neighbours are {pairs}", swamps=case.graph.swamps, pairs=pairs
        )


def check_creek(case: AcwCase) -> Faults:
    """Check AC-N30: the creek takes the shortest path from edge to edge, along the longer axis first.

    The path is that of the record, as a list of zones.

    Raises:
        UnseenError: the record has no creek.
    """
    recorded_creek = case.creek
    if recorded_creek is None:
        raise UnseenError("no creek crosses the table")
    for one, other in pairwise(recorded_creek.path):
        columns_left = abs(case.grid.column(recorded_creek.path[-1]) - case.grid.column(one))
        rows_left = abs(case.grid.row(recorded_creek.path[-1]) - case.grid.row(one))
        side = case.grid.side_between(one, other) if case.grid.distance(one, other) == 1 else None
        if side not in (
            (ZoneSide.EAST, ZoneSide.WEST) if columns_left >= rows_left else (ZoneSide.NORTH, ZoneSide.SOUTH)
        ):
            yield Sentence("the creek goes from {one} to {other}", one=one, other=other)
    if recorded_creek.entry not in case.grid.edges(
        recorded_creek.path[0]
    ) or recorded_creek.exit not in case.grid.edges(recorded_creek.path[-1]):
        yield Sentence("the creek does not enter and leave by edges of the table")
    expected_path = find_creek_path(case.grid, recorded_creek.path[0], recorded_creek.path[-1])
    if recorded_creek.entry is not expected_path.entry:
        yield Sentence(
            "the creek enters by edge {side} of zone {zone}, but its course gives edge {right}",
            side=recorded_creek.entry.value,
            zone=recorded_creek.path[0],
            right=expected_path.entry.value,
        )
    if recorded_creek.exit is not expected_path.exit:
        yield Sentence(
            "the creek leaves by edge {side} of zone {zone}, but its course gives edge {right}",
            side=recorded_creek.exit.value,
            zone=recorded_creek.path[-1],
            right=expected_path.exit.value,
        )


def compare_graph(*keys: str) -> Check:
    """Return a check that compares a part of the graph with the graph that the rules give for the zones.

    ``keys`` are the names of the members that lead to the part, for example ``roads``, ``links``.
    """

    def check(case: AcwCase) -> Faults:
        """Yield a fault if the part of the recorded graph differs from the expected one."""
        recorded_part, expected_part = (reduce(getattr, keys, net) for net in (case.graph, case.expected_graph))
        if recorded_part != expected_part:
            yield Sentence(
                "{keys}: {told}; the zones give {found}", keys=" ".join(keys), told=recorded_part, found=expected_part
            )

    return check


# The checks of the graph by clause.
CHECKS: Final[Mapping[str, Check]] = {
    "AC-211": combine_checks(check_links, check_rail, check_swamps),
    "AC-N01": check_links,
    "AC-N02": combine_checks(check_links, compare_graph("roads", "links"), compare_graph("streams", "links")),
    "AC-N03": combine_checks(compare_graph("roads", "links"), compare_graph("streams", "links")),
    **dict.fromkeys(("AC-N10", "AC-N11", "AC-N12", "AC-N14", "AC-N15", "AC-N16"), compare_graph("roads", "ends")),
    "AC-N13": check_edges,
    **dict.fromkeys(("AC-N20", "AC-N21", "AC-N22", "AC-N23", "AC-N24", "AC-N26"), compare_graph("streams", "mouths")),
    "AC-N25": compare_graph("streams", "sources"),
    "AC-N30": check_creek,
    **dict.fromkeys(("AC-N31", "AC-N32"), combine_checks(check_rail, compare_graph("rail"))),
    "AC-N33": check_swamps,
}
