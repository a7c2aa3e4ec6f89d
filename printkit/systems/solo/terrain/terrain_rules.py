"""The rules of the shape of Solo DBA terrain, as rows: terrain is placed by them, and ``check`` judges by them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import shapely
from shapely import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import UnseenError
from printkit.kit.placement import SLACK
from printkit.kit.shape_rules import Measurement, ShapeRule, ShapeRules
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain, TerrainSurroundings
from printkit.systems.dba.ground.frame import Axis, Quarter, find_quarters, quarter_area, sector_area, third_range
from printkit.systems.dba.ground.terrain_limits import COURSES, HILLS, Terrain
from printkit.systems.dba.ground.terrain_rules import (
    TerrainMeasurements,
    TerrainRule,
    TerrainRules,
    list_by_heading,
    make_gap_rule,
    make_length_rule,
    make_overhang_rule,
    make_size_rules,
    make_waterway_rules,
    make_width_rule,
)
from printkit.systems.solo.terrain.placement import PlacementTerms
from printkit.terrain.field.battlefield import Edge

# Results of the dice in the order of their clauses.
_EDGES: Final = (Edge.RIGHT, Edge.LEFT, Edge.FAR, Edge.NEAR)
_CORNERS: Final = (Quarter.NEAR_RIGHT, Quarter.NEAR_LEFT, Quarter.FAR_RIGHT, Quarter.FAR_LEFT)
_COLUMNS: Final = ("left", "centre", "right")
_ROWS: Final = ("near", "middle", "far")
_BANDS: Final = ("across-far", "across-near", "up-left", "up-right")
_LINES: Final = ("across-near", "across-middle", "across-far", "up-left", "up-centre", "up-right")


class SoloSurroundings(TerrainSurroundings, frozen=True, kw_only=True, eq=False, dict=True):
    """The surroundings of a piece of Solo DBA terrain.

    Attributes:
        terms: the rules and the board.
        bad_count: how many pieces of bad going the board has or gets.
        find_result: gets a piece and returns the result of its dice, for example ``across-far`` or ``left/near``.
            It raises UnseenError if the result is not known.
    """

    terms: PlacementTerms
    bad_count: int
    find_result: Callable[[CheckedTerrain], str]

    def must_straddle(self, terrain: Terrain) -> bool:
        """Return whether a piece is the only bad going and must be in two quarters (SD-3.3.4-c, AMB-18)."""
        return self.bad_count == 1 and self.terms.is_bad(terrain)

    def find_line(self, road: CheckedTerrain) -> str:
        """Return the row or column that the dice gave a road, for example ``across-middle``, without its side."""
        return self.find_result(road).split("/")[0]

    def find_axis(self, course: CheckedTerrain) -> Axis | None:
        """Return the axis along which a course joins two opposite edges, or None if it does not."""
        return next((axis for axis in Axis if self.runs_along(course, axis)), None)

    def runs_along(self, course: CheckedTerrain, axis: Axis) -> bool:
        """Return whether a course joins the two edges of an axis, or the shore of a waterway along one (AMB-20)."""
        ends = [Point(course.line.coords[index]) for index in (0, -1)]
        return any(
            all(self._ends_at(course, point, edge) for point, edge in zip(ends, edges, strict=True))
            for edges in (axis.ends, axis.ends[::-1])
        )

    def _ends_at(self, course: CheckedTerrain, point: Point, edge: Edge) -> bool:
        """Return whether an end of a course is at an edge; if water covers the edge, at its shore."""
        for water in self.pieces_of_type(Terrain.WATERWAY):
            if self.water_edges[water.id] is edge:
                # Rounding may move a shore too.
                rounding_mm = 2 * SLACK if self.rounding_mm is None else self.rounding_mm
                short = course.width / 2 if course.terrain is Terrain.ROAD else 0.0
                return bool(water.ground.distance(point) <= short + rounding_mm)
        return bool(self.board.edge(edge).distance(point) <= SLACK)

    def keeps_inside(self, shape: BaseGeometry, region: Polygon) -> bool:
        """Return whether a shape is inside a region, both in mm on the board, with the tolerance for corners."""
        return bool(region.buffer(self.tolerance("bua_corner_p"), join_style="mitre").covers(shape))


def no_result_error(piece: CheckedTerrain) -> UnseenError:
    """Return the error that the record has no valid result of the dice for a piece."""
    return UnseenError("the record does not say where the dice put {piece}", piece=piece.id)


def _measure_ratio(piece: CheckedTerrain, surroundings: SoloSurroundings) -> TerrainMeasurements:
    (length, width), limit = piece.side_lengths, surroundings.terms.piece_rules[piece.terrain].ratio_max
    if limit is not None and length > limit * width + surroundings.tolerance("area_sides_bw_max"):
        yield Measurement(words={"ratio": length / width, "limit": limit})


def _find_rivers(hill: CheckedTerrain, surroundings: SoloSurroundings) -> TerrainMeasurements:
    for river in surroundings.pieces_of_type(Terrain.RIVER):
        if river.line.intersection(hill.ground).length > surroundings.tolerance("area_gap_bw_min"):
            yield Measurement(words={"river": river.id})


def _find_outside_corners(town: CheckedTerrain, surroundings: SoloSurroundings) -> TerrainMeasurements:
    squares = (surroundings.terms.corner_square(corner) for corner in Quarter)
    if not any(surroundings.keeps_inside(town.ground, square) for square in squares):
        yield Measurement(words={"paces": surroundings.rules.number("bua_corner_p")})


def _find_outside_corner(corner: Quarter, town: CheckedTerrain, surroundings: SoloSurroundings) -> TerrainMeasurements:
    square, (y, x) = surroundings.terms.corner_square(corner), corner.split("-")
    if surroundings.find_result(town) == corner and not surroundings.keeps_inside(town.ground, square):
        yield Measurement(words={"y": y, "x": x})


def _find_untouched(town: CheckedTerrain, surroundings: SoloSurroundings) -> TerrainMeasurements:
    roads = surroundings.pieces_of_type(Terrain.ROAD)
    tolerance = surroundings.tolerance("bua_corner_p")
    if roads and all(road.ground.distance(town.ground) > tolerance for road in roads):
        yield Measurement()


def _measure_share(piece: CheckedTerrain, region: Polygon, **words: object) -> Measurement:
    share = float(piece.ground.intersection(region).area / piece.ground.area)
    return Measurement(share, words={"share": 100 * share, **words})


def _measure_sector_share(piece: CheckedTerrain, surroundings: SoloSurroundings) -> TerrainMeasurements:
    column, _, row = surroundings.find_result(piece).partition("/")
    if column not in _COLUMNS or row not in _ROWS:
        raise no_result_error(piece)
    yield _measure_share(piece, sector_area(surroundings.board, column, row), column=column, row=row)


def _measure_third_share(name: str, piece: CheckedTerrain, surroundings: SoloSurroundings) -> TerrainMeasurements:
    board, line = surroundings.board, "column" if name in _COLUMNS else "row"
    low, high = third_range(board.width if line == "column" else board.depth, name)
    strip = box(low, 0, high, board.depth) if line == "column" else box(0, low, board.width, high)
    if name in surroundings.find_result(piece).split("/"):
        yield _measure_share(piece, strip, name=name, what=line)


def _measure_straddling(piece: CheckedTerrain, surroundings: SoloSurroundings) -> TerrainMeasurements:
    if surroundings.must_straddle(piece.terrain):
        quarters = (quarter_area(surroundings.board, quarter) for quarter in Quarter)
        areas = sorted(piece.ground.intersection(quarter).area for quarter in quarters)
        yield Measurement(areas[-2] / surroundings.board.scale.pace**2)


def _find_other_edge(edge: Edge, water: CheckedTerrain, surroundings: SoloSurroundings) -> TerrainMeasurements:
    if surroundings.find_result(water) == edge.value and surroundings.water_edges[water.id] is not edge:
        yield Measurement(words={"edge": edge.value})


def _find_no_axis(course: CheckedTerrain, surroundings: SoloSurroundings) -> TerrainMeasurements:
    if surroundings.find_axis(course) is None:
        yield Measurement()


def _count_quarters(course: CheckedTerrain, surroundings: SoloSurroundings) -> TerrainMeasurements:
    minimum = surroundings.tolerance("course_in_quarter_p_min")
    yield Measurement(len(find_quarters(course.line, surroundings.board, minimum)))


def _find_near_parts(
    course: CheckedTerrain, edge: Edge, axis: Axis, surroundings: SoloSurroundings
) -> Iterator[LineString]:
    """Yield the parts of a river that are too near an edge: all except one from each end at an edge of its axis."""
    ends = shapely.MultiPoint([course.line.coords[0], course.line.coords[-1]])
    strip_width = surroundings.rules.length("river_clearance_p_min") - SLACK
    near = course.line.intersection(surroundings.board.edge(edge).buffer(strip_width, cap_style="flat"))
    near = shapely.line_merge(near) if near.geom_type == "MultiLineString" else near
    may_end = edge in axis.ends
    for part in shapely.get_parts(near):
        if part.length <= SLACK:
            continue
        if may_end and part.distance(ends) <= SLACK:
            may_end = False
        else:
            yield part


def _measure_clearance(river: CheckedTerrain, surroundings: SoloSurroundings) -> TerrainMeasurements:
    axis = surroundings.find_axis(river) or Axis.ACROSS
    for edge in Edge:
        for part in _find_near_parts(river, edge, axis, surroundings):
            distance = part.distance(surroundings.board.edge(edge))
            paces = distance / surroundings.board.scale.pace
            yield Measurement(distance, words={"edge": edge.value, "paces": paces})


def _leaves_band(course: CheckedTerrain, axis: Axis, band: Polygon, surroundings: SoloSurroundings) -> bool:
    """Return whether a course does not run along an axis, or leaves its band in mm on the board."""
    is_inside = band.buffer(SLACK, join_style="mitre").covers(course.line)
    return not is_inside or not surroundings.runs_along(course, axis)


def _find_outside_band(name: str, river: CheckedTerrain, surroundings: SoloSurroundings) -> TerrainMeasurements:
    limits = surroundings.terms.river_limits(name)
    if surroundings.find_result(river) == name and _leaves_band(river, limits.axis, limits.band, surroundings):
        yield Measurement(words={"name": name})


def _find_outside_line(name: str, road: CheckedTerrain, surroundings: SoloSurroundings) -> TerrainMeasurements:
    limits = surroundings.terms.road_limits(name)
    if surroundings.find_line(road) == name and _leaves_band(road, limits.axis, limits.band, surroundings):
        yield Measurement(words={"name": name})


def _find_same_places(road: CheckedTerrain, surroundings: SoloSurroundings) -> TerrainMeasurements:
    for other in surroundings.pieces_of_type(Terrain.ROAD):
        if other.id != road.id and surroundings.find_line(other) == surroundings.find_line(road):
            first, second = sorted((road.id, other.id))
            yield Measurement(words={"one": first, "two": second})


_GAP_RULE: Final = make_gap_rule("SD-3.3-b", Sentence("distance of areas from each other and from a waterway"))
AREA_RULES: Final[tuple[TerrainRule, ...]] = (
    *make_size_rules("SD-3.3-b", "SD-3.3-b", "area_sides_bw_min"),
    ShapeRule(clause="SD-3.3-b", measure=_measure_ratio,
              title="not longer for its width than its type may be",
              says="{it} is {ratio:.2f} times as long as wide; at most {limit:g} times"),
    make_overhang_rule("SD-3.3-b", "bua_corner_p"),
    _GAP_RULE,
)  # fmt: skip
SECTOR_RULES: Final[tuple[TerrainRule, ...]] = (
    ShapeRule(clause="SD-3.3.4-b", measure=_measure_sector_share, minimum="sector_share_min",
              title="share in the sector of its dice",
              says="{share:.2f} per cent of {it} is in the sector {column}, {row}"),
    *(
        ShapeRule(clause=f"SD-3.3.4-r{number}", measure=partial(_measure_third_share, name), minimum="sector_share_min",
                  title="share in the column or row of its die",
                  says="{share:.2f} per cent of {it} is in the {name} {what}")
        for number, name in enumerate((*_COLUMNS, *_ROWS), 1)
    ),
    ShapeRule(clause="SD-3.3.4-c", measure=_measure_straddling, minimum="straddle_sqp_min",
              title="the only bad going: area in a second quarter, in square paces",
              says="{it} is the only bad going and is in one quarter"),
)  # fmt: skip
HILL_RULES: Final[tuple[TerrainRule, ...]] = (
    ShapeRule(clause="SD-3.3-b", measure=_find_rivers,
              title="hills: no river crosses them",
              says="{river} crosses the hill {it}"),
)  # fmt: skip
TOWN_RULES: Final[tuple[TerrainRule, ...]] = (
    ShapeRule(clause="SD-3.3.2-a", measure=_find_outside_corners,
              title="completely in the square of a corner",
              says="{it} is not completely within {paces:g} paces of two edges"),
    *(
        ShapeRule(clause=f"SD-3.3.2-r{number}", measure=partial(_find_outside_corner, corner),
                  title="in the corner of its die",
                  says="the die puts {it} in the {y} {x} corner, but it is not there")
        for number, corner in enumerate(_CORNERS, 1)
    ),
    ShapeRule(clause="SD-3.3.5-a", measure=_find_untouched,
              title="touched by a road, if there is one",
              says="no road touches {it}"),
)  # fmt: skip
WATERWAY_RULES: Final[tuple[TerrainRule, ...]] = (
    *make_waterway_rules("SD-3.3-b"),
    *(
        ShapeRule(clause=f"SD-3.3.1-r{number}", measure=partial(_find_other_edge, edge),
                  title="along the edge of its die",
                  says="the die puts {it} along the {edge} edge, but it is not there")
        for number, edge in enumerate(_EDGES, 1)
    ),
)  # fmt: skip


def _make_course_rules(terrain: Terrain, ends: str, length: str, quarters: str) -> tuple[TerrainRule, ...]:
    """Return the rules that rivers and roads share; the arguments are the clauses for ends, length and quarters."""
    return (
        ShapeRule(clause=ends, measure=_find_no_axis,
                  title="from an edge to the opposite edge, or to a waterway along it",
                  says="{it} does not run from an edge to the opposite one"),
        make_length_rule(length, terrain),
        ShapeRule(clause=quarters, measure=_count_quarters, maximum="course_quarters_max",
                  title="number of quarters that it enters"),
    )  # fmt: skip


RIVER_RULES: Final[tuple[TerrainRule, ...]] = (
    *_make_course_rules(Terrain.RIVER, "SD-3.3.3-a", "SD-3.3.3-b", "SD-3.3.3-d"),
    ShapeRule(clause="SD-3.3.3-c", measure=_measure_clearance, minimum="river_clearance_p_min",
              title="distance from the edges, except in one run from each end",
              says="{it} comes within {paces:.0f} paces of the {edge} edge"),
    ShapeRule(clause="SD-3.3.3-d", measure=_count_quarters, minimum="course_quarters_max",
              title="number of quarters that it enters"),
    *(
        ShapeRule(clause=f"SD-3.3.3-r{number}", measure=partial(_find_outside_band, name),
                  title="in the band of its die",
                  says="the die puts {it} in the band {name}, but it leaves that band")
        for number, name in enumerate(_BANDS, 1)
    ),
)  # fmt: skip
ROAD_RULES: Final[tuple[TerrainRule, ...]] = (
    *_make_course_rules(Terrain.ROAD, "SD-3.3.5-b", "SD-3.3.5-b", "SD-3.3.5-c"),
    *(
        ShapeRule(clause=f"SD-3.3.5-r{number}", measure=partial(_find_outside_line, name),
                  title="in the row or column of its die",
                  says="the die puts {it} in {name}, but it leaves that row or column")
        for number, name in enumerate(_LINES, 1)
    ),
    ShapeRule(clause="AMB-23", measure=_find_same_places,
              title="not in the same row or column as another road",
              says="{one} and {two} have the same place"),
)  # fmt: skip

# The rules for placing and checking terrain.
PLACED_RULES: Final[TerrainRules] = {
    **dict.fromkeys(set(Terrain) - {*COURSES, *HILLS, Terrain.WATERWAY}, (*AREA_RULES, *SECTOR_RULES)),
    **dict.fromkeys(HILLS, (*AREA_RULES, *HILL_RULES, *SECTOR_RULES)),
    Terrain.BUA: (*AREA_RULES, *TOWN_RULES),
    Terrain.WATERWAY: (_GAP_RULE,),
    Terrain.RIVER: RIVER_RULES,
    Terrain.ROAD: ROAD_RULES,
}
# The rules of what is made to keep them: they are only checked.
MADE_RULES: Final[TerrainRules] = {
    Terrain.WATERWAY: WATERWAY_RULES,
    Terrain.RIVER: (make_width_rule("SD-3.3.3-a", Terrain.RIVER),),
    Terrain.ROAD: (make_width_rule("SD-3.3.5-b", Terrain.ROAD),),
}


def list_shape_rules() -> ShapeRules:
    """Return all rules of shapes by heading."""
    return list_by_heading((*AREA_RULES, *HILL_RULES, *SECTOR_RULES), TOWN_RULES, PLACED_RULES, MADE_RULES)
