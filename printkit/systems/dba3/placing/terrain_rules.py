"""The rules of the shape of DBA 3 terrain, as rows: terrain is placed by them, and ``check`` judges by them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

import shapely
from shapely import Point

from printkit.core.errors import Sentence
from printkit.kit.checks import UnseenError
from printkit.kit.shape_rules import Measurement, ShapeRule, ShapeRules
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain, TerrainSurroundings
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
    measure_edge_gap,
)
from printkit.systems.dba3.placing.terms import PieceRules, QuarterReach, Terms
from printkit.systems.dba3.placing.zones import find_quarter_numbers, quarter_ground
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.measure import gap, overlap

_FORTIFIED: Final = (Kind.CITY, Kind.FORT)
_UNFORTIFIED: Final = (Kind.HAMLET, Kind.EDIFICE)


class Dba3Surroundings(TerrainSurroundings, frozen=True, kw_only=True, eq=False, dict=True):
    """The surroundings of a piece of DBA 3 terrain, with the terms of the game."""

    terms: Terms

    def piece_rules(self, terrain: Terrain) -> PieceRules:
        """Return the rules of a terrain type.

        Raises:
            UnseenError: the rule book does not have this type.
        """
        if terrain not in self.terms.piece_rules:
            raise UnseenError("{terrain} is not a DBA 3 terrain type", terrain=terrain.value)
        return self.terms.piece_rules[terrain]

    def find_quarters(self, piece: CheckedTerrain) -> tuple[int, ...]:
        """Return the numbers (1 to 4) of the quarters that contain part of a piece; contact is not enough.

        The result is empty for a piece off the board. Quarters are 1 near left, 2 far left, 3 far right and 4 near
        right.
        """
        shape = piece.line if piece.terrain in COURSES else piece.ground
        is_area = shape.area > 0
        if self.rounding_mm is None:
            return find_quarter_numbers(shape, self.board, self.rules.limit("held_area" if is_area else "held_line"))
        return find_quarter_numbers(shape, self.board, self.rounding_mm * (self.unit_mm if is_area else 1.0))

    def missed_mm(self, part: str) -> float:
        """Return the tolerance for the place of a course in mm on the board; ``part`` is that of its number."""
        return self.rules.length(f"missed_bw_{part}") if self.rounding_mm is None else self.rounding_mm

    @property
    def shared_area(self) -> float:
        """Return the area in mm² on the board that two features may share, because records are rounded."""
        square = self.unit_mm**2
        return (
            self.rules.number("sliver_sqbw") * square if self.rounding_mm is None else self.rounding_mm * self.unit_mm
        )


Measure: TypeAlias = Callable[[CheckedTerrain, Dba3Surroundings], TerrainMeasurements]


def may_be_small(identity: str, surroundings: Dba3Surroundings) -> bool:
    """Return whether an area may be shorter than an ordinary one, because few others are (D3-24).

    ``identity`` is its ID.
    """
    least = surroundings.rules.length("ordinary_long_bw_min") - surroundings.tolerance("ordinary_long_bw_min")
    others = surroundings.find_others(identity, Terrain.WATERWAY)
    small_count = sum(other.side_lengths[0] < least for other in others)
    return small_count < surroundings.rules.number("small_features_max")


def _measure_ordinary_length(piece: CheckedTerrain, surroundings: Dba3Surroundings) -> TerrainMeasurements:
    if not may_be_small(piece.id, surroundings):
        yield Measurement(piece.side_lengths[0])


def _measure_ratio(
    limit_name: str, sign: int, piece: CheckedTerrain, surroundings: Dba3Surroundings
) -> TerrainMeasurements:
    length, width = piece.side_lengths
    limit: float | None = getattr(surroundings.piece_rules(piece.terrain), limit_name)
    if limit is not None:
        share, rounding_mm = surroundings.rules.number("ratio_off"), surroundings.rounding_mm
        tolerance = share * limit * width if rounding_mm is None else rounding_mm
        if sign * (length - limit * width) > tolerance:
            yield Measurement(words={"ratio": length / width, "limit": limit})


def _count_quarters(
    allowed: tuple[int, ...], piece: CheckedTerrain, surroundings: Dba3Surroundings
) -> TerrainMeasurements:
    quarters = surroundings.find_quarters(piece)
    is_apart = len(quarters) == 2 and (quarters[1] - quarters[0]) % 2 == 0
    if len(quarters) not in allowed or is_apart:
        yield Measurement(words={"count": len(quarters)})


def _count_town_quarters(town: CheckedTerrain, surroundings: Dba3Surroundings) -> TerrainMeasurements:
    if town.feature.kind in _UNFORTIFIED:
        yield from _count_quarters((1,), town, surroundings)


def _with_reach(reach: QuarterReach, measure: Measure) -> Measure:
    """Return the measure for the types with this reach; hamlets and edifices have a rule of their own."""

    def measure_type(piece: CheckedTerrain, surroundings: Dba3Surroundings) -> TerrainMeasurements:
        is_of_type = surroundings.piece_rules(piece.terrain).reach is reach
        if piece.feature.kind not in _UNFORTIFIED and is_of_type:
            yield from measure(piece, surroundings)

    return measure_type


def _measure_reach(piece: CheckedTerrain, surroundings: Dba3Surroundings) -> TerrainMeasurements:
    quarters = surroundings.find_quarters(piece)
    if len(quarters) == 2:
        parts = (overlap(piece.ground, quarter_ground(surroundings.board, number)) for number in quarters)
        yield Measurement(min(parts) / surroundings.unit_mm**2)


def _measure_water_gaps(piece: CheckedTerrain, surroundings: Dba3Surroundings) -> TerrainMeasurements:
    for water in surroundings.pieces_of_type(Terrain.WATERWAY):
        yield Measurement(gap(piece.ground, water.ground), words={"water": water.id})


def _find_overlaps(town: CheckedTerrain, surroundings: Dba3Surroundings) -> TerrainMeasurements:
    for other in surroundings.find_others(town.id):
        is_legal_hill = other.terrain in HILLS and town.feature.kind in _FORTIFIED
        if not is_legal_hill and overlap(town.ground, other.ground) > surroundings.shared_area:
            yield Measurement(words={"other": other.id})


def _measure_corner(town: CheckedTerrain, surroundings: Dba3Surroundings) -> TerrainMeasurements:
    if town.feature.kind in _FORTIFIED:
        (left, low, right, high), board = town.ground.bounds, surroundings.board
        yield Measurement(max(min(right, board.width - left), min(high, board.depth - low)))


def _find_hills(town: CheckedTerrain, surroundings: Dba3Surroundings) -> list[CheckedTerrain]:
    """Return the hills under a city or fort."""
    hills = surroundings.pieces_of_type(*HILLS) if town.feature.kind in _FORTIFIED else ()
    return [hill for hill in hills if overlap(town.ground, hill.ground) > surroundings.shared_area]


def _find_partial_hills(town: CheckedTerrain, surroundings: Dba3Surroundings) -> TerrainMeasurements:
    for hill in _find_hills(town, surroundings):
        if town.ground.area - overlap(town.ground, hill.ground) > surroundings.shared_area:
            yield Measurement(words={"hill": hill.id})


def _find_small_hills(town: CheckedTerrain, surroundings: Dba3Surroundings) -> TerrainMeasurements:
    for hill in _find_hills(town, surroundings):
        if hill.ground.area <= town.ground.area:
            yield Measurement(words={"hill": hill.id})


def _find_end(course: CheckedTerrain, surroundings: Dba3Surroundings, index: int) -> str | None:
    """Return the edge or goal where a course ends, such as ``left`` or ``goal 0``; None if neither.

    An edge counts before a goal. A course that ends a little beyond the board ends at the edge. A river may also end at
    a waterway, a road at a waterway, a road or a town. ``index`` is 0 for the start, -1 for the end.
    """
    board, rules, point = surroundings.board, surroundings.rules, Point(course.line.coords[index])
    for edge in Edge:
        distance = board.edge(edge).distance(point)
        is_beyond = not board.shape.covers(point) and distance <= surroundings.missed_mm("beyond")
        if distance <= surroundings.missed_mm("line") or is_beyond:
            return edge.value
    goals, reach = surroundings.pieces_of_type(Terrain.WATERWAY), surroundings.missed_mm("shore")
    if course.terrain is Terrain.ROAD:
        goals = surroundings.pieces_of_type(Terrain.WATERWAY, Terrain.ROAD, Terrain.BUA)
        reach = rules.number("road_short_max") * course.width
        rounding_mm = surroundings.rounding_mm
        reach += rules.slack("road_short_max") * course.width if rounding_mm is None else rounding_mm
    others = (other for other in goals if other.id != course.id)
    return next((f"goal {number}" for number, goal in enumerate(others) if gap(goal.ground, point) <= reach), None)


def _find_open_ends(course: CheckedTerrain, surroundings: Dba3Surroundings) -> TerrainMeasurements:
    if None in [_find_end(course, surroundings, index) for index in (0, -1)]:
        yield Measurement()


def _find_same_ends(course: CheckedTerrain, surroundings: Dba3Surroundings) -> TerrainMeasurements:
    ends = [_find_end(course, surroundings, index) for index in (0, -1)]
    if ends[0] == ends[1] and ends[0] is not None:
        yield Measurement()


def _measure_clearance(river: CheckedTerrain, surroundings: Dba3Surroundings) -> TerrainMeasurements:
    ends = shapely.MultiPoint([river.line.coords[0], river.line.coords[-1]])
    waters = [(surroundings.find_edge(water), water.ground) for water in surroundings.pieces_of_type(Terrain.WATERWAY)]
    for edge in Edge:
        line = surroundings.board.edge(edge)
        ground = shapely.union_all([line, *(ground for water_edge, ground in waters if water_edge is edge)])
        if gap(ends, ground) > surroundings.missed_mm("shore"):
            yield Measurement(gap(river.ground, line), words={"edge": edge})


def _find_entered(
    terrains: tuple[Terrain, ...], course: CheckedTerrain, surroundings: Dba3Surroundings
) -> TerrainMeasurements:
    for other in surroundings.pieces_of_type(*terrains):
        if course.line.intersection(other.ground).length > surroundings.missed_mm("line"):
            yield Measurement(words={"other": other.id})


# The rules of the outline of an area, wherever it is.
SIZE_RULES: Final[tuple[TerrainRule, ...]] = (
    *make_size_rules("D3-22", "D3-23", "area_side_bw_min"),
    ShapeRule(clause="D3-24", measure=_measure_ordinary_length, minimum="ordinary_long_bw_min",
              title="length, if as many areas as allowed are shorter"),
    ShapeRule(clause="D3-25", measure=partial(_measure_ratio, "ratio_max", 1),
              title="not longer for its width than its type may be",
              says="{it} is {ratio:.2f} times as long as wide; at most {limit:g} times"),
    ShapeRule(clause="D3-26", measure=partial(_measure_ratio, "ratio_min", -1),
              title="not shorter for its width than its type may be",
              says="{it} is {ratio:.2f} times as long as wide; at least {limit:g} times"),
)  # fmt: skip
AREA_RULES: Final[tuple[TerrainRule, ...]] = (
    *SIZE_RULES,
    ShapeRule(clause="D3-32", measure=_with_reach(QuarterReach.MUST, partial(_count_quarters, (2,))),
              title="plough: part in each of two adjacent quarters",
              says="{it} is in {count} quarters; it must be in two adjacent ones"),
    ShapeRule(clause="D3-32", measure=_with_reach(QuarterReach.MUST, _measure_reach), minimum="reach_sqbw_min",
              title="plough: area in the second quarter, in square base widths"),
    ShapeRule(clause="D3-33", measure=_with_reach(QuarterReach.MAY, partial(_count_quarters, (1, 2))),
              title="gentle hills: inside one quarter, or in two adjacent ones",
              says="{it} is in {count} quarters; it may be in one, or in two adjacent ones"),
    ShapeRule(clause="D3-34", measure=_with_reach(QuarterReach.INSIDE, partial(_count_quarters, (1,))),
              title="all other areas: inside one quarter",
              says="{it} is in {count} quarters; it must be inside one"),
)  # fmt: skip
OPEN_RULES: Final[tuple[TerrainRule, ...]] = (
    make_gap_rule("D3-36", Sentence("distance from other areas, except built-up areas"), Terrain.WATERWAY, Terrain.BUA),
    ShapeRule(clause="D3-36", measure=_measure_water_gaps, minimum="water_gap_bw_min",
              title="distance of areas from a waterway, except built-up areas",
              says="{it} is {found:.2f} base widths from {water}; at least {limit:g}"),
    ShapeRule(clause="D3-37", measure=measure_edge_gap, minimum="edge_gap_bw_min",
              title="distance of areas from the edges of the board, except built-up areas"),
)  # fmt: skip
TOWN_RULES: Final[tuple[TerrainRule, ...]] = (
    make_overhang_rule("D3-38", "edge_gap_bw_min"),
    ShapeRule(clause="D3-38", measure=_find_overlaps,
              title="not on another area or a waterway; cities and forts may be on a hill",
              says="{it} is on {other}"),
    ShapeRule(clause="D3-41", measure=_measure_corner, maximum="bua_corner_bw",
              title="cities and forts: side of the square in a corner of the board that contains them"),
    ShapeRule(clause="D3-42", measure=_find_partial_hills,
              title="cities and forts: completely on a hill, or not on it",
              says="{it} is only partly on {hill}"),
    ShapeRule(clause="D3-42", measure=_find_small_hills,
              title="cities and forts: smaller than their hill",
              says="{hill} is not larger than {it}"),
    ShapeRule(clause="D3-43", measure=_count_town_quarters,
              title="hamlets and edifices: inside one quarter",
              says="{it} is in {count} quarters; it must be inside one"),
)  # fmt: skip


def _make_course_rules(terrain: Terrain, ends: str, length: str) -> tuple[TerrainRule, ...]:
    """Return the rules that rivers and roads share; the arguments are the clauses for their ends and their length."""
    return (
        _LINEAR_RULE,
        ShapeRule(clause=ends, measure=_find_open_ends,
                  title="each end at an edge or a waterway, for a road also at a built-up area or a road",
                  says="{it} ends in the open"),
        ShapeRule(clause=ends, measure=_find_same_ends,
                  title="ends at two different edges or goals",
                  says="{it} begins and ends at the same place"),
        make_length_rule(length, terrain),
    )  # fmt: skip


_LINEAR_RULE: Final[TerrainRule] = ShapeRule(
    "D3-35",
    "part in each of two adjacent quarters",
    partial(_count_quarters, (2,)),
    says="{it} is in {count} quarters; it must be in two adjacent ones",
)
WATERWAY_RULES: Final = (_LINEAR_RULE, *make_waterway_rules("D3-44"))
RIVER_RULES: Final[tuple[TerrainRule, ...]] = (
    *_make_course_rules(Terrain.RIVER, "D3-47", "D3-48"),
    ShapeRule(clause="D3-49", measure=_measure_clearance, minimum="river_clearance_bw",
              title="distance from the edges, except those of its ends",
              says="{it} comes within {found:.2f} base widths of the {edge} edge; at least {limit:g}"),
    ShapeRule(clause="D3-53", measure=partial(_find_entered, (*HILLS, Terrain.BUA)),
              title="does not cross a hill or a built-up area",
              says="{it} crosses {other}"),
)  # fmt: skip
ROAD_RULES: Final[tuple[TerrainRule, ...]] = (
    *_make_course_rules(Terrain.ROAD, "D3-51", "D3-51"),
    ShapeRule(clause="D3-52", measure=partial(_find_entered, (Terrain.WATERWAY,)),
              title="not through a waterway",
              says="{it} runs through {other}"),
)  # fmt: skip

# The rules for placing and checking terrain.
PLACED_RULES: Final[TerrainRules] = {
    **dict.fromkeys(set(Terrain) - {*COURSES, Terrain.WATERWAY}, (*AREA_RULES, *OPEN_RULES)),
    Terrain.BUA: (*AREA_RULES, *TOWN_RULES),
    Terrain.RIVER: RIVER_RULES,
    Terrain.ROAD: ROAD_RULES,
}
# The rules of what is made to keep them: they are only checked.
MADE_RULES: Final[TerrainRules] = {
    Terrain.WATERWAY: WATERWAY_RULES,
    Terrain.RIVER: (make_width_rule("D3-46", Terrain.RIVER),),
    Terrain.ROAD: (make_width_rule("D3-50", Terrain.ROAD),),
}


def list_shape_rules() -> ShapeRules:
    """Return all rules of shapes by heading."""
    return list_by_heading((*AREA_RULES, *OPEN_RULES), TOWN_RULES, PLACED_RULES, MADE_RULES)
