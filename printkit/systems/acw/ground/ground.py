"""Draw the shapes of everything on the table in the order of the rules, and the water along an edge.

This module uses no dice. The zones and the network give the content of each zone; all irregularity is jitter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import Polygon

from printkit.chance.streams import Jitter
from printkit.core import exact_math
from printkit.core.errors import Sentence
from printkit.kit.rules import Rules
from printkit.systems.acw.ground.areas import place_forests, place_pools, place_trees, place_wild_piece
from printkit.systems.acw.ground.chains import chain_legs
from printkit.systems.acw.ground.clearings import place_clearing
from printkit.systems.acw.ground.fields import place_field
from printkit.systems.acw.ground.hills import move_hills, place_hills
from printkit.systems.acw.ground.placement import ZonePlacement, build_origin
from printkit.systems.acw.ground.rails import add_rails
from printkit.systems.acw.ground.roads import end_lanes_at_farms, lay_roads, lead_home
from printkit.systems.acw.ground.settlements import place_buildings, place_campaign
from printkit.systems.acw.ground.spurs import add_hill_faces, join_ridges
from printkit.systems.acw.ground.streams import add_streams, extend_to_hills
from printkit.systems.acw.ground.swamps import place_swamps
from printkit.systems.acw.ground.walls_and_ditches import place_ravines, place_work
from printkit.systems.acw.ground.zone_crossings import Joints
from printkit.systems.acw.network.network import GroundPlan
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import RollResult, ZoneAxis
from printkit.systems.acw.terms.profile import PieceProfile
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Area, Feature

# --- Water along an edge of the table: a river or the sea, with a wavy shore (AC-F37, AC-F38) -------------------------

_STEP: Final = 3.0
_FACTOR: Final = (0.85, 1.15)
# Waves of a shore: wavelength in units of the zones, height as a share of the depth.
_WAVES: Final = {
    Piece.SEA: ((2.3, 0.16), (1.1, 0.12), (0.53, 0.07), (0.23, 0.03)),
    Piece.RIVER: ((2.6, 0.13), (1.3, 0.07)),
}
_LEAST_DEPTH: Final = 0.6  # minimum depth of the water, as a share of its mean depth


def place_water(placement: ZonePlacement) -> None:
    """Place the water along an edge of the table, if there is any.

    It sets ``placement.edge_water``, which stays None without water. The shore is random. One setting puts the water
    outside the table.
    """
    water = placement.laying.water
    if water is None:
        return
    measure = placement.measure(water.piece)
    stream = placement.stream("water", "shore")
    low = max(measure.least, _FACTOR[0])
    high = max(low, min(measure.most, _FACTOR[1]))
    is_horizontal = water.edge in ZoneAxis.NORTH_SOUTH.sides
    mean_depth = (measure.width or 0.0) * placement.unit * stream.between(low, high)
    length = placement.board.width if is_horizontal else placement.board.depth
    positions = np.linspace(0.0, length, max(8, math.ceil(length / _STEP)) + 1)
    shore = np.full_like(positions, mean_depth)
    for wave, height in _WAVES[water.piece]:
        phase, length_factor = stream.between(0, math.tau), stream.between(0.85, 1.2)
        shore += (
            height * mean_depth * exact_math.sin(math.tau * positions / (wave * length_factor * placement.unit) + phase)
        )
    shore = np.maximum(shore, _LEAST_DEPTH * mean_depth)
    outline = _water_outline(placement, positions, shore)
    if placement.rules.choice("ac-q24") == "outside":
        outline = _water_outline(placement, positions, np.zeros_like(positions), far_bank=shore)
    placement.edge_water = Area(
        id="water",
        kind=measure.kind,
        outline=outline,
        going=measure.going,
        origin=build_origin(0, (), (measure.clause, "AC-303")),
    )


def _water_outline(
    placement: ZonePlacement,
    positions: np.typing.NDArray[np.float64],
    shore: np.typing.NDArray[np.float64],
    *,
    far_bank: np.typing.NDArray[np.float64] | None = None,
) -> Polygon:
    """Return the outline of the water between its shore and the table edge, in mm on the board.

    Positions run from the left or near end of the edge.

    Args:
        positions: distances along the edge in mm.
        shore: the distance of the shore from the edge at each position, in mm.
        far_bank: the distance of the far bank beyond the edge at each position, in mm; by default the edge is the bank.
    """
    assert placement.laying.water is not None
    board = placement.board
    bank = (
        np.column_stack([positions[[-1, 0]], [0.0, 0.0]])
        if far_bank is None
        else np.column_stack([positions, -far_bank])[::-1]
    )
    ring = np.concatenate([np.column_stack([positions, shore]), bank])
    match placement.laying.water.edge.value:
        case "S":
            points = ring
        case "N":
            points = np.column_stack([ring[:, 0], board.depth - ring[:, 1]])
        case "W":
            points = ring[:, ::-1]
        case _:
            points = np.column_stack([board.width - ring[:, 1], ring[:, 0]])
    return shapely.geometry.polygon.orient(Polygon(points))


_WILD_PIECES: Final = (Piece.SCRUB, Piece.ROCKS, Piece.SCREE, Piece.SAND_DUNES)
_WORKS: Final = (Piece.WALL, Piece.FENCE_LINE, Piece.DITCH)


class PlacedFeatures(Struct, frozen=True):
    """The features on the table, and the failed attempts of each result without room (AC-G04)."""

    features: tuple[Feature, ...]
    left_out: Mapping[RollResult, Sentence] = {}

    @property
    def notes(self) -> tuple[Sentence, ...]:
        """Return a note for each result without room (AC-X12)."""
        return tuple(
            Sentence(
                "no room for the {piece} of zone {zone}, roll {roll}: {tried} (AC-X12)",
                piece=result.piece.value if result.piece is not None else result.cell,
                zone=result.zone,
                roll=result.roll,
                tried=attempts,
            )
            for result, attempts in self.left_out.items()
        )


def lay(
    plan: GroundPlan,
    board: Board,
    profile: PieceProfile,
    *,
    rules: Rules,
    jitter: Jitter,
) -> PlacedFeatures:
    """Return all features of a table, and the results without room (AC-F, AC-G, AC-N).

    The railroad comes first, because it cannot turn sharply; hills are placed next to it (AC-G05). The places of the
    campaign come next and have priority over all other pieces (AC-302). No dice are rolled: shapes and positions come
    from ``jitter``.
    """
    placement = ZonePlacement(laying=plan, board=board, profile=profile, rules=rules, jitter=jitter)
    place_water(placement)
    joints = Joints(placement)
    add_rails(placement, joints)
    place_campaign(placement, joints)
    place_hills(placement)
    join_ridges(placement)
    add_streams(placement, joints)
    move_hills(placement, roads=False)
    extend_to_hills(placement, joints)
    add_hill_faces(placement)
    place_ravines(placement)
    place_pools(placement)
    place_swamps(placement)
    extend_to_hills(placement, joints)
    lay_roads(placement, joints)
    move_hills(placement, roads=True)
    extend_to_hills(placement, joints)
    join_ridges(placement)
    add_hill_faces(placement)
    place_forests(placement)
    place_buildings(placement)
    place_trees(placement)
    lead_home(placement, joints)
    end_lanes_at_farms(placement)
    # Fields come before scrub, rocks, scree and dunes, because they need the ground next to farms and roads.
    for result in placement.find_results(Piece.FIELD):
        place_field(placement, result)
    for result in placement.find_results(*_WILD_PIECES):
        place_wild_piece(placement, result)
    for result in placement.find_results(Piece.CLEARING):
        place_clearing(placement, result)
    for result in placement.find_results(*_WORKS):
        place_work(placement, result)
    chain_legs(placement)
    return PlacedFeatures(features=_collect_features(placement), left_out=placement.left_out)


def _collect_features(placement: ZonePlacement) -> tuple[Feature, ...]:
    """Return all features: water, areas and hills in order of placement, works, courses, crossings."""
    edge_water = () if placement.edge_water is None else (placement.edge_water,)
    areas = tuple(placed_piece.feature for placed_piece in placement.placed)
    return (*edge_water, *areas, *placement.works, *placement.courses, *placement.crossings)
