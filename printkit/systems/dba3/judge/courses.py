"""Checks of waterways, rivers and roads, and of the edges and zones of both sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

import shapely
from shapely import Point
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, check_maximum
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain
from printkit.systems.dba.ground.frame import rotate_from_edge
from printkit.systems.dba.ground.placed_pieces import COURSES, HILLS
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.dba.ground.waterways import find_water_edge, measure_depths
from printkit.systems.dba3.judge.areas import base_width_mm, check_quarters
from printkit.systems.dba3.judge.case import Dba3Case, Dba3Check
from printkit.systems.dba3.placing.zones import OPPOSITE_EDGES, QUARTER_NUMBERS, quarter_edges
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Course, Kind
from printkit.terrain.geometry.measure import gap, sinuosity


def check_course_quarters(case: Dba3Case) -> Faults:
    """Check that a linear feature is in two adjacent quarters (D3-35)."""
    for piece in case.pieces_of_type(Terrain.WATERWAY, *COURSES):
        yield from check_quarters(case, piece, (2,))


def find_edge(case: Dba3Case, water: CheckedTerrain) -> Edge:
    """Return the edge that a waterway covers completely.

    Raises:
        UnseenError: the waterway does not cover any edge completely.
    """
    shore = case.shore
    edge = (
        shore.edge if shore is not None and shore.water is water.ground else find_water_edge(water.ground, case.board)
    )
    if edge is None:
        raise UnseenError("{water} does not cover any edge from end to end", water=water.id)
    return edge


def check_waterway(case: Dba3Case) -> Faults:
    """Check that a waterway covers a complete edge and keeps its depth (D3-44)."""
    slack = case.rules.slack("waterway_depth_bw_min")
    depth_min, depth_max = (case.rules.length(f"waterway_depth_bw_{end}") for end in ("min", "max"))
    for water in case.pieces_of_type(Terrain.WATERWAY):
        try:
            depths = measure_depths(water.ground, case.board, find_edge(case, water))
        except UnseenError as error:
            yield error.sentence
            continue
        if depths.min() < depth_min - slack or depths.max() > depth_max + slack:
            yield Sentence(
                "{water} is {shallowest:.2f} to {deepest:.2f} base widths deep",
                water=water.id,
                shallowest=depths.min() / case.base_width_mm,
                deepest=depths.max() / case.base_width_mm,
            )


def check_waterway_quarter(case: Dba3Case) -> Faults:
    """Check that the quarter of a waterway is at its edge (D3-45)."""
    quarters = {recorded_piece.id: recorded_piece.quarter for recorded_piece in case.recorded_pieces}
    for water in case.pieces_of_type(Terrain.WATERWAY):
        quarter = quarters.get(water.id)
        if quarter in QUARTER_NUMBERS and find_edge(case, water) not in quarter_edges(quarter):
            yield Sentence("{water} does not border on quarter {quarter}", water=water.id, quarter=quarter)


def _piece_grounds(pieces: Iterable[CheckedTerrain], excluded_id: str = "") -> list[BaseGeometry]:
    """Return the areas of pieces in mm on the board, without the piece of ``excluded_id``."""
    return [piece.ground for piece in pieces if piece.id != excluded_id]


def check_river_ends(case: Dba3Case) -> Faults:
    """Check that a river runs from one edge to another, or to the waterway (D3-47)."""
    waters = _piece_grounds(case.pieces_of_type(Terrain.WATERWAY))
    for piece in case.pieces_of_type(Terrain.RIVER):
        ends = [_find_end(case, piece, index, waters, case.rules.length("missed_bw_shore")) for index in (0, -1)]
        if None in ends:
            yield Sentence("{piece} ends neither at an edge nor in the waterway", piece=piece.id)
        elif ends[0] == ends[1]:
            yield Sentence("{piece} begins and ends at the same edge", piece=piece.id)


def check_road_ends(case: Dba3Case) -> Faults:
    """Check that a road runs from an edge to another, to a town or a road, and is nearly straight (D3-51)."""
    max_gap = case.rules.number("road_short_max") + case.rules.slack("road_short_max")
    for piece in case.pieces_of_type(Terrain.ROAD):
        goals = _piece_grounds(case.pieces_of_type(Terrain.WATERWAY, Terrain.ROAD, Terrain.BUA), excluded_id=piece.id)
        ends = [_find_end(case, piece, index, goals, max_gap * _course_width(case, piece)) for index in (0, -1)]
        if None in ends:
            yield Sentence("{piece} ends in the open", piece=piece.id)
        elif ends[0] == ends[1]:
            yield Sentence("{piece} begins and ends at the same edge", piece=piece.id)
    yield from _check_road_sinuosity(case)


def _find_end(
    case: Dba3Case, piece: CheckedTerrain, index: int, goals: list[BaseGeometry], goal_distance: float
) -> str | None:
    """Return the edge or goal where a course ends, such as ``left`` or ``goal 0``; None if neither.

    An edge counts before a goal. A course that ends a little beyond the board ends at the edge.

    Args:
        case: the record.
        piece: the course.
        index: 0 for its start, -1 for its end.
        goals: areas in mm where the course may end too, numbered from 0.
        goal_distance: maximum distance from a goal, in mm on the board.
    """
    point, tolerance = Point(piece.line.coords[index]), case.rules.length("missed_bw_line")
    for edge in Edge:
        line = case.board.edge(edge)
        distance = line.distance(point)
        if distance <= tolerance or (
            not case.board.shape.covers(point) and distance <= case.rules.length("missed_bw_beyond")
        ):
            return edge.value
    for number, goal in enumerate(goals):
        if gap(goal, point) <= goal_distance:
            return f"goal {number}"
    return None


def check_river_clearance(case: Dba3Case) -> Faults:
    """Check the distance of a river from edges other than those of its ends (D3-49)."""
    minimum = case.rules.length("river_clearance_bw") - case.rules.slack("river_clearance_bw")
    at_shore = case.rules.length("missed_bw_shore")
    for piece in case.pieces_of_type(Terrain.RIVER):
        ends = shapely.MultiPoint([piece.line.coords[0], piece.line.coords[-1]])
        for edge in Edge:
            line = case.board.edge(edge)
            water = [
                waterway_piece.ground
                for waterway_piece in case.pieces_of_type(Terrain.WATERWAY)
                if find_edge(case, waterway_piece) is edge
            ]
            is_end_edge = gap(ends, shapely.union_all([line, *water])) <= at_shore
            if not is_end_edge and gap(piece.ground, line) < minimum:
                yield Sentence(
                    "{piece} comes within {distance:.2f} base widths of the {edge} edge",
                    piece=piece.id,
                    distance=gap(piece.ground, line) / case.base_width_mm,
                    edge=edge,
                )


def check_roads_dry(case: Dba3Case) -> Faults:
    """Check that no road is in a waterway (D3-52)."""
    for piece in case.pieces_of_type(Terrain.ROAD):
        for water in case.pieces_of_type(Terrain.WATERWAY):
            if piece.line.intersection(water.ground).length > case.rules.length("missed_bw_line"):
                yield Sentence("{piece} runs through {water}", piece=piece.id, water=water.id)


def check_rivers_clear(case: Dba3Case) -> Faults:
    """Check that no river crosses a hill or a town (D3-53)."""
    for piece in case.pieces_of_type(Terrain.RIVER):
        for other in case.pieces_of_type(*HILLS, Terrain.BUA):
            if piece.line.intersection(other.ground).length > case.rules.length("missed_bw_line"):
                yield Sentence("{piece} crosses {other}", piece=piece.id, other=other.id)


def check_fords(case: Dba3Case) -> Faults:
    """Check that there is a ford where a road crosses a river (D3-54)."""
    crossing_points = [crossing.at for crossing in case.crossings if crossing.kind in (Kind.FORD, Kind.BRIDGE)]
    for road in case.pieces_of_type(Terrain.ROAD):
        for river in case.pieces_of_type(Terrain.RIVER):
            for meeting_point in shapely.get_parts(road.line.intersection(river.line)):
                if not meeting_point.is_empty and not any(
                    gap(point, meeting_point) <= case.rules.length("missed_bw_ford") for point in crossing_points
                ):
                    yield Sentence("{road} crosses {river} without a ford", road=road.id, river=river.id)


def check_opposite_edges(case: Dba3Case) -> Faults:
    """Check that the base edges are opposite each other (D3-55)."""
    defender, invader = case.recorded_sides.defender_edge, case.recorded_sides.invader_edge
    if OPPOSITE_EDGES[defender] is not invader:
        yield Sentence(
            "the defender has the {defender} edge and the invader the {invader} edge",
            defender=defender,
            invader=invader,
        )


def check_defender_edge(case: Dba3Case) -> Faults:
    """Check that no waterway is behind the defender (D3-56)."""
    for water in case.pieces_of_type(Terrain.WATERWAY):
        if find_edge(case, water) is case.recorded_sides.defender_edge:
            yield Sentence("{water} is behind the defender", water=water.id)


def check_zone_depth(case: Dba3Case) -> Faults:
    """Check that each zone ends at its distance from the middle, regardless of water (D3-57, D3-60)."""
    yield from case.report_missing("deployment")
    expected = case.board.depth / 2 - case.rules.length("zone_from_centre_bw")
    for overlay, edge in case.find_overlays("deployment"):
        _, low, _, depth = rotate_from_edge(overlay.shape, case.board, edge).bounds
        if max(abs(depth - expected), abs(low)) > case.rules.slack("zone_from_centre_bw"):
            yield Sentence(
                "the zone of side {side} is {deep:.2f} base widths deep",
                side=overlay.side,
                deep=depth / case.base_width_mm,
            )


def check_zone_sides(kind: str, number: str, case: Dba3Case) -> Faults:
    """Check the distance of zones from the sides of the board (D3-58, D3-59).

    ``kind`` is the kind of overlay; ``number`` names the distance in the rule book.
    """
    yield from case.report_missing(kind)
    for overlay, edge in case.find_overlays(kind):
        left, _, right, _ = rotate_from_edge(overlay.shape, case.board, edge).bounds
        margins = (left, case.board.width - right)
        if max(abs(margin - case.rules.length(number)) for margin in margins) > case.rules.slack(number):
            yield Sentence(
                "the zone of side {side} starts {margin:.2f} base widths from the side edge",
                side=overlay.side,
                margin=min(margins) / case.base_width_mm,
            )


def _river_pieces(case: Dba3Case) -> tuple[CheckedTerrain, ...]:
    """Return the rivers of the record, in its order; empty without rivers."""
    return case.pieces_of_type(Terrain.RIVER)


def _road_pieces(case: Dba3Case) -> tuple[CheckedTerrain, ...]:
    """Return the roads of the record, in its order; empty without roads."""
    return case.pieces_of_type(Terrain.ROAD)


def _course_width(_case: Dba3Case, piece: CheckedTerrain) -> float:
    """Return the width of a course in mm on the board; 0 for a piece that is drawn as an area."""
    return piece.feature.width if isinstance(piece.feature, Course) else 0.0


def _sinuosity(_case: Dba3Case, piece: CheckedTerrain) -> float:
    """Return the length of a course divided by the straight distance of its ends."""
    return sinuosity(piece.line)


_check_road_sinuosity: Final = check_maximum(
    _road_pieces, _sinuosity, "road_sinuosity_max", says="{it} is {found:.2f} times as long as a straight line"
)

CHECKS: Final[Mapping[str, Dba3Check]] = {
    "D3-35": check_course_quarters,
    "D3-44": check_waterway,
    "D3-45": check_waterway_quarter,
    "D3-46": check_maximum(
        _river_pieces,
        _course_width,
        "river_width_bw_max",
        says="{it} is {found:.2f} base widths wide",
        unit=base_width_mm,
    ),
    "D3-47": check_river_ends,
    "D3-48": check_maximum(
        _river_pieces, _sinuosity, "river_sinuosity_max", says="{it} is {found:.2f} times as long as a straight line"
    ),
    "D3-49": check_river_clearance,
    "D3-50": check_maximum(
        _road_pieces,
        _course_width,
        "road_width_bw_max",
        says="{it} is {found:.2f} base widths wide",
        unit=base_width_mm,
    ),
    "D3-51": check_road_ends,
    "D3-52": check_roads_dry,
    "D3-53": check_rivers_clear,
    "D3-54": check_fords,
    "D3-55": check_opposite_edges,
    "D3-56": check_defender_edge,
    "D3-57": check_zone_depth,
    "D3-58": partial(check_zone_sides, "deployment", "zone_side_bw"),
    "D3-59": partial(check_zone_sides, "flank", "zone_side_bw_fast"),
    "D3-60": check_zone_depth,
}
