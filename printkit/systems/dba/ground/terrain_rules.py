"""The rules of shape that all editions of DBA have, as rows: terrain is placed and checked by them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias, TypeVar

from printkit.core.errors import Sentence
from printkit.core.sums import plain_sum
from printkit.kit.checks import Faults
from printkit.kit.shape_rules import Measurement, ShapeRule, ShapeRules
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain, DbaCase, TerrainSurroundings
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.terrain.geometry.measure import gap, sinuosity

# The surroundings are those of the edition.
TerrainRule: TypeAlias = ShapeRule[CheckedTerrain, Any]
# The rules of each type of terrain, in the order in which a candidate is tested.
TerrainRules: TypeAlias = Mapping[Terrain, tuple[TerrainRule, ...]]
TerrainMeasurements: TypeAlias = Iterator[Measurement]


C = TypeVar("C", bound=DbaCase)


def keeps_rules(rules: Iterable[TerrainRule], piece: CheckedTerrain, surroundings: TerrainSurroundings) -> bool:
    """Return whether a piece, or a candidate for a place, keeps all of some rules."""
    return not any(True for rule in rules for _ in rule.find_faults(piece, surroundings))


def terrain_checks(*rule_sets: TerrainRules) -> dict[str, Callable[[C], Faults]]:
    """Return the check of each clause by its rules in all rule sets."""

    def check_of(clause: str) -> Callable[[C], Faults]:
        def check(case: C) -> Faults:
            """Yield the faults of all pieces."""
            for piece in case.pieces:
                for rule in (rule for rule_set in rule_sets for rule in rule_set.get(piece.terrain, ())):
                    if rule.clause == clause:
                        yield from rule.find_faults(piece, case.surroundings)

        return check

    rules = (rule for rule_set in rule_sets for group in rule_set.values() for rule in group)
    return {clause: check_of(clause) for clause in dict.fromkeys(rule.clause for rule in rules)}


def _measure_sides(piece: CheckedTerrain, _surroundings: TerrainSurroundings) -> TerrainMeasurements:
    yield Measurement(plain_sum(piece.side_lengths))


def _measure_width(piece: CheckedTerrain, _surroundings: TerrainSurroundings) -> TerrainMeasurements:
    yield Measurement(piece.side_lengths[1])


def measure_edge_gap(piece: CheckedTerrain, surroundings: TerrainSurroundings) -> TerrainMeasurements:
    """Yield the least distance of a piece from the edges in mm on the board; it is negative if the piece is off it."""
    (left, low, right, high), board = piece.ground.bounds, surroundings.board
    yield Measurement(float(min(left, low, board.width - right, board.depth - high)))


def _find_overhang(number: str, piece: CheckedTerrain, surroundings: TerrainSurroundings) -> TerrainMeasurements:
    for edge_gap in measure_edge_gap(piece, surroundings):
        if edge_gap.value < -surroundings.tolerance(number):
            yield Measurement()


def _measure_gaps(
    left_out: tuple[Terrain, ...], piece: CheckedTerrain, surroundings: TerrainSurroundings
) -> TerrainMeasurements:
    for other in surroundings.find_others(piece.id, *left_out):
        first, second = sorted((piece.id, other.id))
        yield Measurement(gap(piece.ground, other.ground), words={"one": first, "two": second})


def _measure_course_width(course: CheckedTerrain, _surroundings: TerrainSurroundings) -> TerrainMeasurements:
    yield Measurement(course.width)


def _measure_sinuosity(course: CheckedTerrain, _surroundings: TerrainSurroundings) -> TerrainMeasurements:
    yield Measurement(sinuosity(course.line))


def _find_open_edge(water: CheckedTerrain, surroundings: TerrainSurroundings) -> TerrainMeasurements:
    if surroundings.water_edges[water.id] is None:
        yield Measurement()


def _measure_depth(index: int, water: CheckedTerrain, surroundings: TerrainSurroundings) -> TerrainMeasurements:
    if water.id in surroundings.water_depths:
        yield Measurement(surroundings.water_depths[water.id][index])


def make_size_rules(sides: str, width: str, number: str) -> tuple[TerrainRule, ...]:
    """Return the rules of the size of an area.

    Args:
        sides: the clause for the sum of its length and width.
        width: the clause for its width.
        number: the name of the number for its width.
    """
    return (
        ShapeRule(clause=sides, measure=_measure_sides, maximum="area_sides_bw_max",
                  title="length and width together"),
        ShapeRule(clause=width, measure=_measure_width, minimum=number,
                  title="width"),
    )  # fmt: skip


def make_gap_rule(clause: str, title: Sentence, *left_out: Terrain) -> TerrainRule:
    """Return the rule of the distance of an area from others, by its clause; ``left_out`` are types without a gap."""
    return ShapeRule(clause, title, measure=partial(_measure_gaps, left_out), minimum="area_gap_bw_min",
                     says="{one} and {two} are {found:.2f} base widths apart; at least {limit:g}")  # fmt: skip


def make_overhang_rule(clause: str, number: str) -> TerrainRule:
    """Return the rule that a piece is on the board, by its clause; ``number`` has the tolerance."""
    measure = partial(_find_overhang, number)
    return ShapeRule(clause, "completely on the board", measure, says="{it} is partly off the board")


def make_waterway_rules(clause: str) -> tuple[TerrainRule, ...]:
    """Return the rules of a waterway along an edge, by their clause."""
    return (
        ShapeRule(clause=clause, measure=_find_open_edge,
                  title="covers one edge of the board completely",
                  says="{it} does not cover one whole edge"),
        ShapeRule(clause=clause, measure=partial(_measure_depth, 0), minimum="waterway_depth_bw_min",
                  title="depth where it is shallowest"),
        ShapeRule(clause=clause, measure=partial(_measure_depth, 1), maximum="waterway_depth_bw_max",
                  title="depth where it is deepest"),
    )  # fmt: skip


def make_width_rule(clause: str, terrain: Terrain) -> TerrainRule:
    """Return the rule of the width of a river or road, by its clause."""
    return ShapeRule(clause, "width", _measure_course_width, maximum=f"{terrain}_width_bw_max")


def make_length_rule(clause: str, terrain: Terrain) -> TerrainRule:
    """Return the rule of the length of a river or road, by its clause."""
    return ShapeRule(
        clause, "length, as a multiple of the straight distance", _measure_sinuosity, maximum=f"{terrain}_sinuosity_max"
    )


def list_by_heading(
    areas: tuple[TerrainRule, ...], towns: tuple[TerrainRule, ...], placed_rules: TerrainRules, made_rules: TerrainRules
) -> ShapeRules:
    """Return the rules of an edition by heading; those of courses are in ``placed_rules`` and ``made_rules``."""
    return {
        Sentence("Areas"): areas,
        Sentence("Built-up areas"): towns,
        Sentence("Waterways"): made_rules[Terrain.WATERWAY],
        Sentence("Rivers"): (*placed_rules[Terrain.RIVER], *made_rules[Terrain.RIVER]),
        Sentence("Roads"): (*placed_rules[Terrain.ROAD], *made_rules[Terrain.ROAD]),
    }
