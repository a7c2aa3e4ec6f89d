"""Tables with pieces laid by hand, and placements with given dice, for the tests of placing."""

from __future__ import annotations

from collections.abc import Sequence

import shapely
from shapely import Polygon, box

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.chance.streams import Jitter
from printkit.kit.book import read_book
from printkit.kit.placement import SLACK
from printkit.systems.dba.ground.placed_pieces import PlacedPiece
from printkit.systems.dba.ground.terrain_limits import Depths, PiecePick
from printkit.systems.dba.ground.waterways import _probe_water, measure_depths
from printkit.systems.solo.armies.rules import load_solo_rules
from printkit.systems.solo.terrain.place_pieces import SoloPlacement
from printkit.systems.solo.terrain.placement import PlacementTerms
from printkit.systems.solo.terrain.placing import PlacementOutcome, place_terrain, sort_picks
from printkit.terrain.field.battlefield import Board, Edge, GroundScale
from printkit.terrain.field.features import Area

INCH = 25.4
BOARD = Board(24 * INCH, 24 * INCH, GroundScale(pace=0.254, base_width=40.0))
BOOK = read_book("solo-dba")


def terms_of(board: Board = BOARD, **settings: str) -> PlacementTerms:
    return PlacementTerms.from_rules(load_solo_rules(settings, board=board))


def square(*bounds: float) -> Polygon:
    return box(*(bound * INCH for bound in bounds))


def thrown(scores: str, seed: int = 1) -> Dice:
    """Return dice with these scores; decisions, and dice that are wanting, come from a seed."""
    return Dice(ScriptedSource(scores.split(), Seeded(seed), Seeded(seed)), "terrain")


def table_with(
    *pieces: tuple[PiecePick, Polygon], picks: Sequence[PiecePick] = (), dice: Dice | None = None, **settings: str
) -> SoloPlacement:
    """Return a table on which these pieces lie already."""
    terms = terms_of(**settings)
    table = SoloPlacement(terms=terms, dice=dice or thrown(""), jitter=Jitter(1), picks=tuple(picks))
    for (pick, identity), (_, shape) in zip(sort_picks([pick for pick, _ in pieces]), pieces, strict=True):
        sort = terms.piece_rules[pick.terrain]
        feature = Area(id=identity, kind=sort.kind, outline=shape, going=sort.going)
        table.placed_pieces.append(PlacedPiece(pick=pick, identity=identity, result="", features=(feature,)))
    return table


def place_on(picks: Sequence[PiecePick], scores: str, seed: int = 1, **settings: str) -> tuple[PlacementOutcome, Dice]:
    """Return what comes of given scores, and the dice with their log."""
    dice = thrown(scores, seed)
    return place_terrain(tuple(picks), terms_of(**settings), dice, Jitter(seed)), dice


def keeps_depths(water: Polygon, board: Board, edge: Edge, depths: Depths) -> bool:
    """Return whether a waterway in mm on the board covers a complete edge and keeps its depth limits."""
    depth = measure_depths(water, board, edge)
    touches_edge = shapely.distance(_probe_water(water, board, edge), board.edge(edge)) <= SLACK
    deep_share = float((depth > depths.shallow_max + SLACK).mean())
    is_legal = (depth >= depths.depth_min - SLACK) & (depth <= depths.depth_max + SLACK)
    return bool(touches_edge.all() and is_legal.all() and deep_share <= 0.5)
