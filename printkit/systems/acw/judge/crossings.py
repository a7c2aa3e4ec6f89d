"""Check the fords, bridges and crossings of courses (AC-N40, AC-F39)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults
from printkit.systems.acw.judge.case import ROUTES, AcwCase, Check, CheckedPiece, find_crossings
from printkit.systems.acw.judge.positions import require_shapes
from printkit.systems.acw.network.joining import CrossingRules
from printkit.systems.acw.terms.pieces import STREAMS, Piece
from printkit.terrain.field.features import Course, Crossing, Kind
from printkit.terrain.geometry.measure import line_bearing, turn_between

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
CHECKS: Final[Mapping[str, Check]] = {
    "AC-F39": require_shapes(check_crossings),
    "AC-N40": require_shapes(check_crossings),
}
