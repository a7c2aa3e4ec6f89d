"""Place each piece of terrain by its dice: waterway, river, roads, town and area pieces (SD-3.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.placement import SLACK, PlacedOutline, PlacementArea, PlacementFailure, find_placement
from printkit.systems.dba.ground import piece_features, roads, waterways
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain, view_placed
from printkit.systems.dba.ground.frame import Axis, sector_area, third_range
from printkit.systems.dba.ground.placed_pieces import COURSES, HILLS, Outlines
from printkit.systems.dba.ground.roads import RoadObstacles
from printkit.systems.dba.ground.shapes import draw_size, fit_sides, load_looks, load_measures, outline
from printkit.systems.dba.ground.terrain_limits import CourseLimits, Terrain
from printkit.systems.dba.ground.terrain_rules import keeps_rules
from printkit.systems.dba.ground.waterways import LineTest
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.terrain.placement import SoloPlacement
from printkit.systems.solo.terrain.terrain_rules import PLACED_RULES, SoloSurroundings
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Area, Feature, Kind, Origin

# --- Place waterway, river and roads by their dice (SD-3.3.1, SD-3.3.3, SD-3.3.5) -------------------------------------

# Roads make the longest detours around these.
_HARD_TERRAIN: Final = (Terrain.STEEP_HILL, Terrain.MARSH)

# The sides of the middle line for a middle road: near or left, far or right (AMB-22).
_LOW, _HIGH = "low", "high"


def place_waterway(
    placement: SoloPlacement, identity: str, result: str, origin: Origin
) -> tuple[Feature, ...] | PlacementFailure:
    """Return a waterway along its edge as one feature, or the pieces that block it.

    Args:
        placement: the terrain placed so far.
        identity: the ID of the waterway.
        result: the edge of its die, for example ``left``.
        origin: the clauses and rolls of the feature.
    """
    terms, stream = placement.terms, placement.stream(f"{identity}/{result}")
    rule = terms.piece_rules[Terrain.WATERWAY]
    water = waterways.make_waterway(placement.board, Edge(result), terms.depths, stream)
    area = piece_features.make_area(rule, identity, water, origin)
    candidate, rules = CheckedTerrain(identity, Terrain.WATERWAY, area), PLACED_RULES[Terrain.WATERWAY]
    surroundings = find_surroundings(placement, identity, result)
    blockers = [
        piece.id
        for piece in surroundings.pieces
        if not keeps_rules(rules, candidate, replace(surroundings, pieces=(piece,)))
    ]
    return PlacementFailure(tuple(blockers)) if blockers else (area,)


def place_river(
    placement: SoloPlacement, identity: str, result: str, origin: Origin
) -> tuple[Feature, ...] | PlacementFailure:
    """Return a river in its band as one feature, clear of area pieces, or what blocks it.

    Args:
        placement: the terrain placed so far.
        identity: the ID of the river.
        result: the band of its die, for example ``across-near``.
        origin: the clauses and rolls of the feature.
    """
    board, rule = placement.board, placement.terms.piece_rules[Terrain.RIVER]
    limits = placement.terms.river_limits(result)
    shore = placement.find_shore(*limits.axis.ends)
    obstacles = [
        piece.shape
        for piece in (*placement.area_pieces(), *placement.select_pieces(Terrain.WATERWAY))
        if piece.shape is not shore
    ]
    stream = placement.stream(f"{identity}/{result}")
    width = placement.terms.width(Terrain.RIVER)
    accept = _line_test(placement, Terrain.RIVER, identity, result)
    line = waterways.route_river(
        board, limits, width, stream, accept=accept, closed=shapely.union_all(obstacles), shore=shore
    )
    if line is None:
        return PlacementFailure(placement.find_overlapping(limits.band) or (Sentence("the clearance from the edges"),))
    return (piece_features.make_course(rule, identity, line, width, origin),)


def find_road_sides(placement: SoloPlacement, result: str) -> tuple[str, ...]:
    """Return the sides of the middle line for a middle road, the one with fewer features first.

    A side is ``low`` (near or left) or ``high`` (far or right). The result is empty for other roads. If the road must
    touch a town, only sides that reach it count. If both sides meet as many features, ``low`` comes first; the caller
    then lets the player or a roll choose (AMB-22).

    Args:
        placement: the terrain placed so far.
        result: the result of its die, for example ``across-middle``.
    """
    if _parse_third(result) not in ("middle", "centre"):
        return ()
    town = _find_unconnected_town(placement)
    sides = [
        side for side in (_LOW, _HIGH) if town is None or road_limits(placement, result, side).band.intersects(town)
    ] or [_LOW, _HIGH]
    shapes = [piece.shape for piece in placement.placed_pieces]
    return tuple(sorted(sides, key=lambda side: _count_met_features(placement, shapes, result, side)))


def has_equal_sides(placement: SoloPlacement, result: str, sides: tuple[str, ...]) -> bool:
    """Return whether both sides are possible and a road meets as many features on each of them.

    ``result`` is the result of the road's dice, and ``sides`` are its possible sides.
    """
    shapes = [piece.shape for piece in placement.placed_pieces]
    return len(sides) == 2 and _count_met_features(placement, shapes, result, sides[0]) == _count_met_features(
        placement, shapes, result, sides[1]
    )


def place_road(
    placement: SoloPlacement, identity: str, result: str, origin: Origin, side: str = ""
) -> tuple[Feature, ...] | PlacementFailure:
    """Return a road along its row or column with its crossings, or what blocks it.

    The course is the first feature. A second road with the same result is not possible. The last road must touch the
    town if no other does.

    Args:
        placement: the terrain placed so far; it does not change.
        identity: the ID of the road.
        result: the result of its die.
        origin: the clauses and rolls of the feature.
        side: the side of the middle line for a middle road, ``low`` or ``high``; otherwise empty.
    """
    board, rule = placement.board, placement.terms.piece_rules[Terrain.ROAD]
    limits = road_limits(placement, result, side)
    duplicates = [
        piece.identity for piece in placement.select_pieces(Terrain.ROAD) if piece.result.split("/")[0] == result
    ]
    if duplicates:
        return PlacementFailure((Sentence("{same} in the same place", same=duplicates[0]),))
    town = _find_town(placement)
    unconnected_town = _find_unconnected_town(placement)
    # Compare the ID with the number of picked roads: an earlier road may be missing from the table.
    is_last = identity == f"road-{sum(pick.terrain is Terrain.ROAD for pick in placement.picks)}"
    width = placement.terms.width(Terrain.ROAD)
    name = f"{identity}/{result}{side}"
    line = None
    accept = _line_test(placement, Terrain.ROAD, identity, result)
    if unconnected_town is not None:
        line = roads.route_road(
            board,
            limits,
            width,
            _build_obstacles(placement, limits, unconnected_town),
            accept,
            placement.stream(f"{name}/town"),
        )
        if line is None and is_last:
            return PlacementFailure((Sentence("the way to {town}", town=town.id if town else Sentence("the town")),))
    if line is None:
        line = roads.route_road(
            board, limits, width, _build_obstacles(placement, limits, None), accept, placement.stream(name)
        )
    if line is None:
        return PlacementFailure(placement.find_overlapping(limits.band))
    course = piece_features.make_course(rule, identity, line, width, origin)
    kind = crossing_kind(placement.terms.rules)
    return (
        course,
        *piece_features.make_crossings(placement, course, kind, Origin(clauses=("SD-3.3.5-d",), throws=origin.throws)),
    )


def road_limits(placement: SoloPlacement, result: str, side: str) -> CourseLimits:
    """Return the limits of a road with this result, in mm on the board.

    A middle road stays on its ``side`` of the middle line: ``low`` (near or left) or ``high`` (far or right).
    """
    axis, board = Axis(result.split("-")[0]), placement.board
    breadth = axis.breadth(board)
    low, high = third_range(breadth, _parse_third(result))
    if side == _LOW:
        high = breadth / 2
    elif side == _HIGH:
        low = breadth / 2
    return placement.terms.road_limits(axis, axis.edge_strip(board, low, high))


def crossing_kind(rules: SoloRules) -> Kind:
    """Return the kind of crossing of roads and rivers: a bridge if the players have a model (SD-3.3.5-d)."""
    return Kind.BRIDGE if rules.is_on("bridge_model") else Kind.FORD


def find_surroundings(placement: SoloPlacement, identity: str, result: str) -> SoloSurroundings:
    """Return what a new piece with this ID and result of its dice is measured against: the pieces placed so far."""
    results, terms = {piece.identity: piece.result for piece in placement.placed_pieces}, placement.terms
    return SoloSurroundings(
        board=placement.board,
        rules=terms.rules,
        terms=terms,
        pieces=view_placed(placement.placed_pieces),
        bad_count=sum(terms.is_bad(pick.terrain) for pick in placement.picks if pick.terrain not in COURSES),
        find_result=lambda piece: result if piece.id == identity else results[piece.id],
        rounding_mm=SLACK,
    )


def _line_test(placement: SoloPlacement, terrain: Terrain, identity: str, result: str) -> LineTest:
    """Return whether a river or road along a centre line keeps its rules, as a function.

    ``identity`` is its ID, ``result`` that of its dice.
    """
    surroundings, rule = find_surroundings(placement, identity, result), placement.terms.piece_rules[terrain]
    width = placement.terms.width(terrain)

    def accept(line: LineString) -> bool:
        """Return whether the course keeps its rules; the line is in mm on the board."""
        course = piece_features.make_course(rule, identity, line, width, Origin())
        return keeps_rules(PLACED_RULES[terrain], CheckedTerrain(identity, terrain, course), surroundings)

    return accept


def _build_obstacles(placement: SoloPlacement, limits: CourseLimits, town_outline: Polygon | None) -> RoadObstacles:
    """Return the ground that a road goes round and the town that it must reach, in mm on the board.

    ``town_outline`` is the town that it must touch, in mm on the board; None if it need not touch one.
    """
    return piece_features.find_road_obstacles(
        placement,
        limits.axis,
        lambda piece: _parse_axis(piece.result),
        hard=_HARD_TERRAIN,
        shore=placement.find_shore(*limits.axis.ends),
        town=town_outline,
    )


def _parse_axis(result: str) -> Axis:
    """Return the direction in a result of the road die, for example of ``across-near``."""
    return Axis(result.split("-")[0])


def _parse_third(result: str) -> str:
    """Return the row or column in a result of the road die: ``near`` for ``across-near``."""
    return result.split("-")[1]


def _find_town(placement: SoloPlacement) -> Area | None:
    """Return the placed town, or None if there is none yet."""
    piece = placement.find_first(Terrain.BUA)
    feature = None if piece is None else piece.features[0]
    return feature if isinstance(feature, Area) else None


def _find_unconnected_town(placement: SoloPlacement) -> Polygon | None:
    """Return the outline of the town if no road touches it yet, otherwise None (SD-3.3.5-a).

    It is in mm on the board.
    """
    town = _find_town(placement)
    if town is None or any(piece.shape.distance(town.outline) <= 0 for piece in placement.select_pieces(Terrain.ROAD)):
        return None
    return town.outline


def _count_met_features(placement: SoloPlacement, shapes: list[BaseGeometry], result: str, side: str) -> int:
    """Return how many of ``shapes`` a road meets on one side of the middle line.

    The shapes are outlines and lines in mm on the board. ``result`` is the result of the road's dice.
    """
    return roads.count_features(shapes, road_limits(placement, result, side).band)


# Scale factors of the sizes to try, largest first.
_SIZE_FACTORS = (1.0, 0.8, 0.62)
# Short side of the smallest size to try, in base widths.
_MIN_SIZE_BW = 1.25


def place_bua(
    placement: SoloPlacement, identity: str, result: str, origin: Origin
) -> tuple[Feature, ...] | PlacementFailure:
    """Return a town in the square of its corner as one feature, or what blocks it (SD-3.3.2).

    Args:
        placement: the terrain placed so far.
        identity: the ID of the town.
        result: the corner of its die, for example ``near-left``.
        origin: the clauses and rolls of the feature.
    """
    board, terms = placement.board, placement.terms
    margin = float(load_measures("room")["bua_edge"]) * board.scale.base_width
    area = PlacementArea(
        region=terms.corner_square(result),
        share=1.0,
        bounds=board.shape.buffer(-margin, join_style="mitre"),
        obstacles=placement.area_obstacles(),
    )
    position = _find_position(placement, Terrain.BUA, identity, result, (area,))
    if isinstance(position, PlacementFailure):
        return position
    return (piece_features.make_area_feature(Terrain.BUA, terms.piece_rules[Terrain.BUA], identity, position, origin),)


def place_area(
    placement: SoloPlacement,
    terrain: Terrain,
    identity: str,
    result: str,
    origin: Origin,
    accept: Callable[[Polygon], bool] | None = None,
) -> tuple[Feature, ...] | PlacementFailure:
    """Return a piece with at least half of its area in its sector, or what blocks it (SD-3.3.4).

    The piece is alone in its tuple.

    Args:
        placement: the terrain placed so far; it does not change.
        terrain: the type of the piece.
        identity: the ID of the piece.
        result: column and row of the sector, for example ``left/near``.
        origin: the clauses and rolls of the feature.
        accept: gets the outline in mm and returns whether it meets the conditions on the whole board; None for no such
            test.
    """
    board, terms = placement.board, placement.terms
    column, row = result.split("/")
    straddles = find_surroundings(placement, identity, result).must_straddle(terrain)
    # A river cannot cross a hill; other pieces may overlap it.
    river_gap = float(load_measures("room")["river"]) * board.scale.base_width
    rivers = placement.closed_courses(Terrain.RIVER, river_gap) if terrain in HILLS else ()
    area = PlacementArea(
        region=sector_area(board, column, row),
        share=terms.rules.number("sector_share_min"),
        bounds=board.shape,
        obstacles=(*placement.area_obstacles(), *rivers),
        crossed_lines=(("x", board.width / 2), ("y", board.depth / 2)) if straddles else (),
        min_area=terms.min_straddle_area,
    )
    edge_margin = float(load_measures("room")["edge"]) * board.scale.base_width
    # Prefer positions away from the edge and the roads; the rules do not require it.
    obstacles = (*area.obstacles, *placement.closed_courses(Terrain.ROAD, 0.0))
    preferred_area = replace(area, bounds=board.shape.buffer(-edge_margin, join_style="mitre"), obstacles=obstacles)
    position = _find_position(placement, terrain, identity, result, (preferred_area, area), accept)
    if isinstance(position, PlacementFailure):
        return position
    return (piece_features.make_area_feature(terrain, terms.piece_rules[terrain], identity, position, origin),)


def _find_position(
    placement: SoloPlacement,
    terrain: Terrain,
    identity: str,
    result: str,
    areas: tuple[PlacementArea, ...],
    accept: Callable[[Polygon], bool] | None = None,
) -> PlacedOutline | PlacementFailure:
    """Return a position for the piece in the first of the areas where it fits, or what blocks it.

    Large outlines are tried before small ones. A piece uses the same outlines for all results of its dice.

    Args:
        placement: the terrain placed so far.
        terrain: the type of the piece.
        identity: its ID.
        result: the result of its dice; both name the random stream.
        areas: where it may go, in the order to try them.
        accept: an additional test of the outline in mm on the board.
    """
    name = f"{identity}/{result}" + ("/again" if accept else "")
    surroundings, rule = find_surroundings(placement, identity, result), placement.terms.piece_rules[terrain]
    straddles = surroundings.must_straddle(terrain)

    def fits(outline: Polygon) -> bool:
        """Return whether the piece keeps its rules and meets the additional test."""
        area = piece_features.make_area(rule, identity, outline, Origin())
        is_legal = keeps_rules(PLACED_RULES[terrain], CheckedTerrain(identity, terrain, area), surroundings)
        return is_legal and (accept is None or accept(outline))

    if identity not in placement.outlines:
        placement.outlines[identity] = Outlines(_iter_outlines(placement, terrain, identity, straddles=straddles))
    position: PlacedOutline | PlacementFailure = PlacementFailure(())
    for number, area in enumerate(areas):
        position = find_placement(area, placement.outlines[identity], placement.stream(f"{name}/place/{number}"), fits)
        if isinstance(position, PlacedOutline):
            break
    return position


def _iter_outlines(placement: SoloPlacement, terrain: Terrain, identity: str, *, straddles: bool) -> Iterator[Polygon]:
    """Yield outlines of a piece, large to small; also long ones if it must be in two quarters.

    They are around the origin, in mm on the board. ``identity`` is its ID. ``straddles`` says whether it must be in two
    quarters.
    """
    look, base, stream = (
        load_looks()[terrain],
        placement.board.scale.base_width,
        placement.stream(f"{identity}/outline"),
    )
    limits = placement.terms.size_limits(terrain)
    long, short = draw_size(look, limits, base, stream)
    sizes = [(factor * long, factor * short) for factor in _SIZE_FACTORS]
    if terrain is Terrain.BUA or not straddles:
        sizes.append((_MIN_SIZE_BW * base * max(1.0, min(1.4, long / short)), _MIN_SIZE_BW * base))
    if straddles:
        reach = limits.sides_max / 9
        sizes.append((6 * reach, 3 * reach))
        if limits.ratio_max is None:
            sizes.append((7 * reach, 1.9 * reach))
    for size in sizes:
        # A long and narrow piece has less bend, so that it is not too long.
        size_look = replace(look, bend=0.5 * look.bend) if size[0] > 1.9 * size[1] else look
        yield outline(size_look, fit_sides(*size, limits), limits, stream)
