"""The rules of the squares to keep clear, as rows: terrain is placed by them, and ``check`` judges by them (CC-G08)."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Final

from printkit.kit.checks import UnseenError
from printkit.kit.shape_rules import Measurement, ShapeRule
from printkit.systems.collision.march.ground import Square, build_squares
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.dba.ground.terrain_rules import TerrainMeasurements, TerrainRule, TerrainRules
from printkit.systems.dba3.placing.placement import Shore
from printkit.systems.dba3.placing.terrain_rules import Dba3Surroundings
from printkit.terrain.geometry.measure import overlap

_HARD: Final = ("rough", "bad")
_PLOUGH: Final = "plough"


@lru_cache(maxsize=1)
def _find_squares(surroundings: Dba3Surroundings) -> tuple[Square, ...]:
    """Return the squares to keep clear, from each edge and from a shore along it (CC-G06)."""
    shores = (
        Shore(edge, water.ground)
        for water in surroundings.pieces_of_type(Terrain.WATERWAY)
        if (edge := surroundings.water_edges[water.id]) is not None
    )
    return build_squares(surroundings.rules, next(shores, None))


def find_class(piece: CheckedTerrain, surroundings: Dba3Surroundings) -> str:
    """Return the class of a feature that is not allowed in the squares; empty if it is allowed there.

    The class is ``plough``, ``built-up area``, or the name of its going: ``rough`` or ``bad``. Rivers are allowed.
    """
    if piece.terrain is Terrain.PLOUGH:
        return _PLOUGH
    if piece.terrain is Terrain.BUA:
        return "built-up area"
    if piece.terrain is Terrain.RIVER:
        return ""
    try:
        expected = surroundings.piece_rules(piece.terrain).going.name
    except UnseenError:
        # Ground of another version of DBA has no entry in these rules. The going in its record decides.
        expected = piece.feature.going.name
    return expected if expected in _HARD else ""


def measure_overlaps(
    classes: tuple[str, ...], piece: CheckedTerrain, surroundings: Dba3Surroundings
) -> TerrainMeasurements:
    """Yield the overlap of a feature with each square that it meets, in square base widths (CC-G03, CC-G04).

    ``classes`` are the classes to look for; all if empty.
    """
    ground_class = find_class(piece, surroundings)
    if ground_class and (not classes or ground_class in classes):
        for square in _find_squares(surroundings):
            if square.ground.intersects(piece.ground):
                area = overlap(piece.ground, square.ground) / surroundings.unit_mm**2
                yield Measurement(area, words={"going": ground_class, "square": square.name, "edge": square.edge})


def _measure_shore_overlaps(piece: CheckedTerrain, surroundings: Dba3Surroundings) -> TerrainMeasurements:
    edges = [surroundings.find_edge(water) for water in surroundings.pieces_of_type(Terrain.WATERWAY)]
    yield from (each for each in measure_overlaps((), piece, surroundings) if each.words["edge"] in edges)


_SQUARE_RULES: Final[tuple[TerrainRule, ...]] = tuple(
    ShapeRule(
        clause,
        "area in the squares to keep clear, in square base widths",
        measure,
        says="{it} ({going}) overlaps {square} by {found:.4g} BW² (CC-E30)",
        maximum="breach_sqbw_least",
    )
    for clause, measure in (
        ("CC-1.1", partial(measure_overlaps, _HARD)),
        ("CC-1.2", partial(measure_overlaps, (_PLOUGH,))),
        ("CC-G03", partial(measure_overlaps, ())),
        ("CC-G04", partial(measure_overlaps, ())),
        ("CC-G06", _measure_shore_overlaps),
        ("CC-G08", partial(measure_overlaps, ())),
        ("CC-E30", partial(measure_overlaps, ())),
    )
)
# The rules for placing and checking terrain, in addition to those of DBA 3.
SQUARE_RULES: Final[TerrainRules] = dict.fromkeys(Terrain, _SQUARE_RULES)
