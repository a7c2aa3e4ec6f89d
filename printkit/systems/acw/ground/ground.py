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
from printkit.core import elementary
from printkit.core.errors import Sentence
from printkit.kit.rules import Rules
from printkit.systems.acw.ground.areas import lay_forests, lay_pools, lay_rest, lay_trees
from printkit.systems.acw.ground.chains import chain
from printkit.systems.acw.ground.clearings import lay_clearing
from printkit.systems.acw.ground.hills import lay_hills, resettle_hills
from printkit.systems.acw.ground.placement import ZonePlacement, origin
from printkit.systems.acw.ground.places import lay_campaign, lay_field, lay_places
from printkit.systems.acw.ground.rails import lay_rails
from printkit.systems.acw.ground.roads import lay_roads, lead_home
from printkit.systems.acw.ground.spurs import face_hills, meet_ridges
from printkit.systems.acw.ground.streams import lay_streams, lead_from_hills
from printkit.systems.acw.ground.swamps import lay_swamps
from printkit.systems.acw.ground.works import lay_ravines, lay_work
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
_CALM: Final = 0.6  # minimum depth of the water, as a share of its mean depth


def lay_water(placement: ZonePlacement) -> None:
    """Place the water along an edge of the table, if there is any."""
    water = placement.laying.water
    if water is None:
        return
    measure = placement.measure(water.piece)
    stream = placement.stream("water", "shore")
    low = max(measure.least, _FACTOR[0])
    high = max(low, min(measure.most, _FACTOR[1]))
    along = water.edge in ZoneAxis.NORTH_SOUTH.sides
    deep = (measure.width or 0.0) * placement.unit * stream.between(low, high)
    length = placement.board.width if along else placement.board.depth
    at = np.linspace(0.0, length, max(8, math.ceil(length / _STEP)) + 1)
    shore = np.full_like(at, deep)
    for wave, height in _WAVES[water.piece]:
        phase, longer = stream.between(0, math.tau), stream.between(0.85, 1.2)
        shore += height * deep * elementary.sin(math.tau * at / (wave * longer * placement.unit) + phase)
    shore = np.maximum(shore, _CALM * deep)
    outline = _outline(placement, at, shore)
    if placement.rules.choice("ac-q24") == "outside":
        outline = _outline(placement, at, np.zeros_like(at), far=shore)
    placement.edge_water = Area(
        id="water",
        kind=measure.kind,
        outline=outline,
        going=measure.going,
        origin=origin(0, (), (measure.clause, "AC-303")),
    )


def _outline(
    placement: ZonePlacement,
    at: np.typing.NDArray[np.float64],
    shore: np.typing.NDArray[np.float64],
    *,
    far: np.typing.NDArray[np.float64] | None = None,
) -> Polygon:
    """Return the water between the shore and the edge of the table, or the ``far`` bank beyond the edge."""
    assert placement.laying.water is not None
    board = placement.board
    bank = np.column_stack([at[[-1, 0]], [0.0, 0.0]]) if far is None else np.column_stack([at, -far])[::-1]
    ring = np.concatenate([np.column_stack([at, shore]), bank])
    match placement.laying.water.edge.value:
        case "S":
            placed = ring
        case "N":
            placed = np.column_stack([ring[:, 0], board.depth - ring[:, 1]])
        case "W":
            placed = ring[:, ::-1]
        case _:
            placed = np.column_stack([board.width - ring[:, 1], ring[:, 0]])
    return shapely.geometry.polygon.orient(Polygon(placed))


_GROWING: Final = (Piece.SCRUB, Piece.ROCKS, Piece.SCREE, Piece.SAND_DUNES)
_WORKS: Final = (Piece.WALL, Piece.FENCE_LINE, Piece.DITCH)


class TableFeatures(Struct, frozen=True):
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
                tried=tried,
            )
            for result, tried in self.left_out.items()
        )


def lay(
    laying: GroundPlan,
    board: Board,
    profile: PieceProfile,
    *,
    rules: Rules,
    jitter: Jitter,
) -> TableFeatures:
    """Return all features of a table (AC-F, AC-G, AC-N).

    The railroad comes first, because it cannot turn sharply; hills are placed next to it (AC-G05). The places of the
    campaign come next and have priority over all other pieces (AC-302).
    """
    placement = ZonePlacement(laying=laying, board=board, profile=profile, rules=rules, jitter=jitter)
    lay_water(placement)
    joints = Joints(placement)
    lay_rails(placement, joints)
    lay_campaign(placement, joints)
    lay_hills(placement)
    meet_ridges(placement)
    lay_streams(placement, joints)
    resettle_hills(placement, roads=False)
    lead_from_hills(placement, joints)
    face_hills(placement)
    lay_ravines(placement)
    lay_pools(placement)
    lay_swamps(placement)
    lead_from_hills(placement, joints)
    lay_roads(placement, joints)
    resettle_hills(placement, roads=True)
    lead_from_hills(placement, joints)
    meet_ridges(placement)
    face_hills(placement)
    lay_forests(placement)
    lay_places(placement)
    lay_trees(placement)
    lead_home(placement, joints)
    # Fields come before scrub, rocks, scree and dunes, because they need the ground next to farms and roads.
    for result in placement.results(Piece.FIELD):
        lay_field(placement, result)
    for result in placement.results(*_GROWING):
        lay_rest(placement, result)
    for result in placement.results(Piece.CLEARING):
        lay_clearing(placement, result)
    for result in placement.results(*_WORKS):
        lay_work(placement, result)
    chain(placement)
    return TableFeatures(features=_ordered(placement), left_out=placement.left_out)


def _ordered(placement: ZonePlacement) -> tuple[Feature, ...]:
    """Return all features: water, areas and hills in order of placement, works, courses, crossings."""
    edge = () if placement.edge_water is None else (placement.edge_water,)
    areas = tuple(placed.feature for placed in placement.placed)
    return (*edge, *areas, *placement.works, *placement.courses, *placement.crossings)
