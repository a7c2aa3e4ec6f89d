"""The shapes of everything on the table, laid in the order of the rules: hills, water, ways, places, trees, the rest.

Nothing here takes dice: what lies where is settled by the zones and the network, and all irregularity is jitter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from printkit.chance.streams import Jitter
from printkit.kit.book import RuleBook
from printkit.systems.acw.ground.areas import lay_pools, lay_rest, lay_trees
from printkit.systems.acw.ground.chains import chain
from printkit.systems.acw.ground.ground_clearings import lay_clearing
from printkit.systems.acw.ground.ground_faces import face_hills
from printkit.systems.acw.ground.ground_water import lay_water
from printkit.systems.acw.ground.hills import lay_hills, resettle_hills
from printkit.systems.acw.ground.placement import Table
from printkit.systems.acw.ground.places import lay_field, lay_places
from printkit.systems.acw.ground.rails import lay_rails
from printkit.systems.acw.ground.roads import lay_roads, lead_home
from printkit.systems.acw.ground.spurs import meet_ridges
from printkit.systems.acw.ground.streams import lay_streams, lead_from_hills
from printkit.systems.acw.ground.swamps import lay_swamps
from printkit.systems.acw.ground.works import lay_ravines, lay_work
from printkit.systems.acw.ground.zone_crossings import Joints
from printkit.systems.acw.network.network import Laying
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.profile import Profile
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Feature

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
