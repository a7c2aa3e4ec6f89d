"""Check courses against the graph of their record, and by the rules that are rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise, product
from typing import Final

import shapely
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.kit.shape_rules import shape_checks
from printkit.systems.acw.ground.checked_ground import CheckedGround, CheckedPiece, end_points
from printkit.systems.acw.ground.course_rules import COURSE_RULES, MARK_RULES, SIDE_RULES, find_marks
from printkit.systems.acw.judge.case import AbsentError, AcwCase, Check, combine_checks
from printkit.systems.acw.judge.positions import require_shapes
from printkit.systems.acw.terms.facts import RecordedEnd, parse_end
from printkit.systems.acw.terms.pieces import ALL_HILLS, PLACES, ROADS, ROUTES, STREAMS, Piece
from printkit.systems.acw.terms.plan import ZoneAxis

# --- Check courses against the graph of their record ------------------------------------------------------------------


def check_recorded_ends(name: str, part: str, pieces: Sequence[Piece], case: AcwCase) -> Faults:
    """Check that courses reach the ends in the graph: edges, water, towns, hills.

    Args:
        name: ``roads`` or ``streams``.
        part: the list of ends: ``ends``, ``mouths`` or ``sources``.
        pieces: the types of these courses.
        case: the record to check.
    """
    lines = case.layout.lines(*pieces)
    for zone, text in getattr(getattr(case.graph, name), part):
        target = _find_target(case, parse_end(zone, text))
        if target is None or target.is_empty:
            continue
        distance = math.inf if lines.is_empty else lines.distance(target)
        if distance > case.part("end_reach"):
            yield Sentence(
                "{name}: nothing reaches {text} of zone {zone}; {off:.0f} mm are missing",
                name=name,
                text=text,
                zone=zone,
                off=distance,
            )


def _find_target(case: AcwCase, end: RecordedEnd) -> BaseGeometry | None:
    """Return the shape that a course should end at, in mm on the board, or None if there is none on the board.

    It is a side of a zone, water, or the places, hills, swamps or pools in a zone.
    """
    ground, last = case.layout, end.via[-1] if end.via else end.zone
    match end.target:
        case "edge" if end.side in ground.grid.edges(last):
            return ground.side(last, end.side)
        case "water" if not ground.water.is_empty:
            return ground.water.intersection(ground.boxes[last])
        case "place" if end.at is not None:
            shapes = [piece.shape for piece in ground.in_zone(end.at, *PLACES, Piece.FARM) if piece.piece is end.piece]
        case "foot":
            shapes = [piece.shape for piece in ground.in_zone(end.zone, *ALL_HILLS)]
        case "swamp" | "pool":
            box = ground.boxes[end.zone]
            shapes = [
                shape for piece in ground.select(Piece[end.target.upper()]) if (shape := piece.shape & box).area > 0
            ]
        case _:
            return None
    return shapely.union_all(shapes) if shapes else None


def steps(name: str, pieces: Sequence[Piece], case: AcwCase) -> Faults:
    """Check that courses cross every zone side that a link of the graph crosses.

    ``name`` is ``roads`` or ``streams``; ``pieces`` are the types of these courses.
    """
    ground, lines = case.layout, case.layout.lines(*pieces)
    inner = {zone: lines.intersection(box.buffer(-case.touch)) for zone, box in ground.boxes.items()}
    for path in getattr(case.graph, name).links:
        # The checks of the graph report links that skip a zone.
        for one, other in (pair for pair in pairwise(path) if ground.grid.distance(*pair) == 1):
            side = ground.side(one, ground.grid.side_between(one, other))
            if not all(inner[zone].dwithin(side, 2 * case.touch) for zone in (one, other)):
                yield Sentence(
                    "no {key} or similar feature connects zones {one} and {other}",
                    key=pieces[0].key,
                    one=one,
                    other=other,
                )


def check_creek_edges(case: AcwCase) -> Faults:
    """Check AC-N30: the creek enters and leaves the table by the edges of its path.

    Raises:
        UnseenError: the table has no creek.
    """
    creek, ground = case.creek, case.layout
    if creek is None:
        raise UnseenError("no creek crosses the table")
    lines = ground.lines(Piece.CREEK)
    for zone, side in ((creek.path[0], creek.entry), (creek.path[-1], creek.exit)):
        if lines.is_empty or lines.distance(ground.side(zone, side)) > case.touch:
            yield Sentence("the creek does not reach edge {side} of zone {zone}", side=side, zone=zone)


# The checks by clause that compare lines with the graph.
RECORDED_END_CHECKS: Final[Mapping[str, Check]] = {
    "AC-N02": require_shapes(combine_checks(partial(steps, "roads", ROADS), partial(steps, "streams", STREAMS))),
    "AC-N10": require_shapes(partial(check_recorded_ends, "roads", "ends", ROADS)),
    "AC-N11": require_shapes(partial(check_recorded_ends, "roads", "ends", ROADS)),
    "AC-N20": require_shapes(partial(check_recorded_ends, "streams", "mouths", STREAMS)),
    "AC-N25": require_shapes(partial(check_recorded_ends, "streams", "sources", STREAMS)),
    "AC-N30": require_shapes(check_creek_edges),
}


def check_reaches(case: AcwCase) -> Faults:
    """Check AC-N04: each zone has the type of course that the record states."""
    ground = case.layout
    for reach in case.facts.reaches:
        measure = ground.profile.piece_measure(reach.piece)
        if not any(
            course.feature.kind is measure.kind
            and course.line.intersection(ground.boxes[reach.zone]).length > case.touch
            for course in ground.select(*ROUTES, *STREAMS)
        ):
            yield Sentence("there is no {piece} in zone {zone}", piece=reach.piece.value, zone=reach.zone)


def check_rail_through(case: AcwCase) -> Faults:
    """Check AC-N31: one railroad, if there is any, crosses the table."""
    ground, rails = case.layout, list(case.layout.select(Piece.RAILROAD))
    if rails and not any(
        all(rail.line.distance(ground.edge(side)) < case.touch for side in axis.sides)
        for rail, axis in product(rails, ZoneAxis)
    ):
        yield Sentence("no railroad crosses the table from one edge to another")


def check_side_roads(case: AcwCase) -> Faults:
    """Check AC-N04: a side road ends on open ground only in a zone without an edge.

    Two roads that leave a zone by one edge must be well apart.
    """
    ground, water, rules = case.layout, case.layout.water_edge, case.rules
    for zone, end_type in case.facts.side_roads:
        edges = [side for side in ground.grid.edges(zone) if side is not water]
        if end_type == "open" and edges:
            yield Sentence("a road ends on open ground in zone {zone}, which has an edge of the table", zone=zone)
        least = (rules.number("roads_apart") - rules.slack("roads_apart")) * ground.unit
        tips = [end for road in ground.select(*ROADS) for end in end_points(road.line)]
        for side, line in ((side, ground.side(zone, side)) for side in edges):
            distances = sorted(line.project(end) for end in tips if end.distance(line) < case.touch)
            for gap in (other - one for one, other in pairwise(distances) if other - one < least):
                yield Sentence(
                    "two roads leave zone {zone} by edge {side}, {off:.0f} mm apart", zone=zone, side=side, off=gap
                )


def _select(pieces: tuple[Piece, ...], case: AcwCase) -> Iterator[CheckedPiece]:
    """Return an iterator over the courses of these types."""
    return case.layout.select(*pieces)


def _require(applies: Callable[[AcwCase], bool], otherwise: Sentence) -> Check:
    """Return a check without faults that raises AbsentError if a clause does not apply to the table."""

    def check(case: AcwCase) -> Faults:
        """Yield no fault."""
        if not applies(case):
            raise AbsentError("{reason}", reason=otherwise)
        yield from ()

    return check


_HAS_RAIL: Final = _require(
    lambda case: any(case.layout.select(Piece.RAILROAD)), Sentence("there is no railroad on the table")
)
_HAS_WATER: Final = _require(lambda case: case.layout.water_edge is not None, Sentence("no edge of the table is water"))

# The checks by clause of the ends and the parts in zones.
CHECKS: Final[Mapping[str, Check]] = {
    "AC-211": require_shapes(check_rail_through),
    "AC-N04": require_shapes(combine_checks(check_side_roads, check_reaches)),
    "AC-N13": require_shapes(_HAS_WATER),
    "AC-N31": require_shapes(combine_checks(_HAS_RAIL, check_rail_through)),
}


def _find_ground(case: AcwCase) -> CheckedGround:
    """Return what courses are measured against."""
    return case.layout


# The checks of the rules as rows, by clause.
RULE_CHECKS: Final[tuple[Mapping[str, Check], ...]] = tuple(
    {clause: require_shapes(check) for clause, check in checks.items()}
    for checks in (
        shape_checks(MARK_RULES, lambda case: find_marks(case.layout), _find_ground),
        shape_checks(SIDE_RULES, lambda case: case.side_crossings, _find_ground),
        *(shape_checks(rules, partial(_select, pieces), _find_ground) for pieces, rules in COURSE_RULES.items()),
    )
)
