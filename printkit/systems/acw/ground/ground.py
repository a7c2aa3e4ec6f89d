"""The shapes of everything on the table, laid in the order of the rules: hills, water, ways, places, trees, the rest.

Nothing here takes dice: what lies where is settled by the zones and the network, and all irregularity is jitter.
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
from printkit.kit.book import RuleBook
from printkit.systems.acw.ground.areas import lay_clearing, lay_pools, lay_rest, lay_trees
from printkit.systems.acw.ground.chains import chain
from printkit.systems.acw.ground.hills import lay_hills, resettle_hills
from printkit.systems.acw.ground.placement import Table, origin
from printkit.systems.acw.ground.places import lay_field, lay_places
from printkit.systems.acw.ground.rails import lay_rails
from printkit.systems.acw.ground.roads import lay_roads, lead_home
from printkit.systems.acw.ground.spurs import face_hills, meet_ridges
from printkit.systems.acw.ground.streams import lay_streams, lead_from_hills
from printkit.systems.acw.ground.swamps import lay_swamps
from printkit.systems.acw.ground.works import lay_ravines, lay_work
from printkit.systems.acw.ground.zone_crossings import Joints
from printkit.systems.acw.network.network import Laying
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import Axis
from printkit.systems.acw.terms.profile import Profile
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Area, Feature

# --- Water along an edge of the table: a river or the sea, with a shore that wanders (AC-F37, AC-F38) -----------------

_STEP: Final = 3.0
_FACTOR: Final = (0.85, 1.15)
_WAVES: Final = {
    Piece.SEA: ((2.3, 0.16), (1.1, 0.12), (0.53, 0.07), (0.23, 0.03)),
    Piece.RIVER: ((2.6, 0.13), (1.3, 0.07)),
}
"""Wavelength in units of the zones, and height as a share of the depth, of what a shore is made of."""

_CALM: Final = 0.6
"""The shore keeps at least this share of its mean depth."""


def lay_water(table: Table) -> None:
    """Lay the water of the table's edge, if it has one."""
    water = table.laying.water
    if water is None:
        return
    measure = table.measure(water.piece)
    stream = table.stream("water", "shore")
    low = max(measure.least, _FACTOR[0])
    high = max(low, min(measure.most, _FACTOR[1]))
    deep = (measure.width or 0.0) * table.smallest * stream.between(low, high)
    along = water.edge in Axis.NORTH_SOUTH.sides
    length = table.board.width if along else table.board.depth
    at = np.linspace(0.0, length, max(8, math.ceil(length / _STEP)) + 1)
    shore = np.full_like(at, deep)
    for wave, height in _WAVES[water.piece]:
        phase, longer = stream.between(0, math.tau), stream.between(0.85, 1.2)
        shore += height * deep * np.sin(math.tau * at / (wave * longer * table.smallest) + phase)
    shore = np.maximum(shore, _CALM * deep)
    outline = _outline(table, at, shore)
    if table.settings["ac-q24"] == "outside":
        outline = _outline(table, at, np.full_like(at, 0.0), beyond=deep)
    table.edge_water = Area(
        id="water",
        kind=measure.kind,
        outline=outline,
        going=measure.going,
        origin=origin(0, (), (measure.clause, "AC-303")),
    )


def _outline(
    table: Table, at: np.typing.NDArray[np.float64], shore: np.typing.NDArray[np.float64], *, beyond: float = 0.0
) -> Polygon:
    """Return the ground between the edge of the table, or a line beyond it, and the shore."""
    assert table.laying.water is not None
    board = table.board
    foot = np.full_like(at, -beyond)
    ring = np.concatenate([np.column_stack([at, shore]), np.column_stack([at[[-1, 0]], foot[:2]])])
    match table.laying.water.edge.value:
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


class Ground(Struct, frozen=True):
    """What lies on the table, and a note for each result that found no room (AC-G04, AC-X12)."""

    features: tuple[Feature, ...]
    notes: tuple[str, ...] = ()


def lay(
    laying: Laying, board: Board, profile: Profile, *, book: RuleBook, settings: Mapping[str, str], jitter: Jitter
) -> Ground:
    """Return the ground of a table (AC-F, AC-G, AC-N).

    The courses of a railroad are settled first, for it cannot turn sharply: hills are laid beside it (AC-G05).
    """
    table = Table(laying=laying, board=board, profile=profile, book=book, settings=settings, jitter=jitter)
    lay_water(table)
    joints = Joints(table)
    lay_rails(table, joints)
    lay_hills(table)
    meet_ridges(table)
    lay_streams(table, joints)
    resettle_hills(table, roads=False)
    lead_from_hills(table, joints)
    face_hills(table)
    lay_ravines(table)
    lay_pools(table)
    lay_swamps(table)
    lay_roads(table, joints)
    resettle_hills(table, roads=True)
    face_hills(table)
    lay_places(table)
    lay_trees(table)
    lead_home(table, joints)
    # Fields are laid before what grows wild: they stand by farms and roads, and that ground is wanted.
    for result in table.results(Piece.FIELD):
        lay_field(table, result)
    for result in table.results(*_GROWING):
        lay_rest(table, result)
    for result in table.results(Piece.CLEARING):
        lay_clearing(table, result)
    for result in table.results(*_WORKS):
        lay_work(table, result)
    chain(table)
    return Ground(features=_ordered(table), notes=tuple(table.notes))


def _ordered(table: Table) -> tuple[Feature, ...]:
    """Return all features: water, areas and hills as they were laid, courses, works, crossings."""
    edge = () if table.edge_water is None else (table.edge_water,)
    areas = tuple(placed.feature for placed in table.placed)
    return (*edge, *areas, *table.works, *table.courses, *table.crossings)
