"""Place each piece of terrain by its dice: waterway, river, roads, town and area pieces (SD-3.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.placement import PlacedOutline, PlacementArea, PlacementFailure, find_placement
from printkit.systems.dba.ground import laying, legal, roads, waters
from printkit.systems.dba.ground.frame import Axis, sector_area, third_range
from printkit.systems.dba.ground.legal import CourseLimits, Terrain, keeps_gap
from printkit.systems.dba.ground.placed import COURSES, HILLS, Outlines
from printkit.systems.dba.ground.roads import RoadObstacles
from printkit.systems.dba.ground.shapes import OutlineLook, draw_size, fit_sides, load_looks, load_measures, outline
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.terrain.placement import SoloPlacement
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Area, Feature, Kind, Origin

# --- Place waterway, river and roads by their dice (SD-3.3.1, SD-3.3.3, SD-3.3.5) -------------------------------------

# Roads make the longest detours around these.
_HARD: Final = (Terrain.STEEP_HILL, Terrain.MARSH)

# The sides of the middle line for a middle road: near or left, far or right (AMB-22).
_LOW, _HIGH = "low", "high"


def lay_waterway(
    placement: SoloPlacement, identity: str, result: str, origin: Origin
) -> tuple[Feature, ...] | PlacementFailure:
    """Return a waterway along its edge, or the pieces that block it."""
    terms, stream = placement.terms, placement.stream(f"{identity}/{result}")
    sort = terms.sorts[Terrain.WATERWAY]
    water = waters.make_waterway(placement.board, Edge(result), terms.depths, stream)
    near = [piece.identity for piece in placement.area_pieces() if not keeps_gap(piece.shape, [water], terms.gap)]
    if near:
        return PlacementFailure(tuple(near))
    return (laying.make_area(sort, identity, water, origin),)


def lay_river(
    placement: SoloPlacement, identity: str, result: str, origin: Origin
) -> tuple[Feature, ...] | PlacementFailure:
    """Return a river in its band, clear of area pieces, or what blocks it."""
    board, sort = placement.board, placement.terms.sorts[Terrain.RIVER]
    limits = placement.terms.river(result)
    shore = placement.shore(*limits.axis.ends)
    closed = [
        piece.shape
        for piece in (*placement.area_pieces(), *placement.select_pieces(Terrain.WATERWAY))
        if piece.shape is not shore
    ]
    stream = placement.stream(f"{identity}/{result}")
    width = placement.terms.width(Terrain.RIVER)
    line = waters.route_river(board, limits, width, stream, closed=shapely.union_all(closed), shore=shore)
    if line is None:
        return PlacementFailure(placement.find_overlapping(limits.band) or (Sentence("the clearance from the edges"),))
    return (laying.make_course(sort, identity, line, width, origin),)


def road_sides(placement: SoloPlacement, result: str) -> tuple[str, ...]:
    """Return the sides of the middle line for a middle road, the one with fewer features first.

    The result is empty for other roads. If the road must touch a town, only sides that reach it count. If both sides
    meet as many features, the player or a roll chooses (AMB-22).
    """
    if _third_of(result) not in ("middle", "centre"):
        return ()
    town = _town_wanted(placement)
    sides = [side for side in (_LOW, _HIGH) if town is None or _reaches(placement, result, side, town)] or [_LOW, _HIGH]
    shapes = [piece.shape for piece in placement.placed_pieces]
    return tuple(sorted(sides, key=lambda side: _met(placement, shapes, result, side)))


def equal_sides(placement: SoloPlacement, result: str, sides: tuple[str, ...]) -> bool:
    """Return whether a road meets the same number of features on both sides of the middle line."""
    shapes = [piece.shape for piece in placement.placed_pieces]
    return len(sides) == 2 and _met(placement, shapes, result, sides[0]) == _met(placement, shapes, result, sides[1])


def lay_road(
    placement: SoloPlacement, identity: str, result: str, origin: Origin, side: str = ""
) -> tuple[Feature, ...] | PlacementFailure:
    """Return a road along its row or column with its crossings, or what blocks it.

    Args:
        placement: the terrain placed so far.
        identity: the ID of the road.
        result: the result of its die.
        origin: the clauses and rolls of the feature.
        side: the side of the middle line, for a middle road.
    """
    board, sort = placement.board, placement.terms.sorts[Terrain.ROAD]
    limits = road_limits(placement, result, side)
    same = [piece.identity for piece in placement.select_pieces(Terrain.ROAD) if piece.result.split("/")[0] == result]
    if same:
        return PlacementFailure((Sentence("{same} in the same place", same=same[0]),))
    town = _town(placement)
    wanted = _town_wanted(placement)
    # Compare the ID with the number of picked roads: an earlier road may be missing from the table.
    last = identity == f"road-{sum(pick.terrain is Terrain.ROAD for pick in placement.picks)}"
    width = placement.terms.width(Terrain.ROAD)
    name = f"{identity}/{result}{side}"
    line = None
    if wanted is not None:
        line = roads.route_road(board, limits, width, _lie(placement, limits, wanted), placement.stream(f"{name}/town"))
        if line is None and last:
            return PlacementFailure((Sentence("the way to {town}", town=town.id if town else Sentence("the town")),))
    if line is None:
        line = roads.route_road(board, limits, width, _lie(placement, limits, None), placement.stream(name))
    if line is None:
        return PlacementFailure(placement.find_overlapping(limits.band))
    course = laying.make_course(sort, identity, line, width, origin)
    kind = crossing_kind(placement.terms.rules)
    return (
        course,
        *laying.make_crossings(placement, course, kind, Origin(clauses=("SD-3.3.5-d",), throws=origin.throws)),
    )


def road_limits(placement: SoloPlacement, result: str, side: str) -> CourseLimits:
    """Return the limits of a road; a middle road stays on one side of the middle line."""
    axis, board = Axis(result.split("-")[0]), placement.board
    breadth = axis.breadth(board)
    low, high = third_range(breadth, _third_of(result))
    if side == _LOW:
        high = breadth / 2
    elif side == _HIGH:
        low = breadth / 2
    short = placement.terms.width(Terrain.ROAD) / 2
    return placement.terms.road(axis, axis.strip(board, low, high), short=short)


def crossing_kind(rules: SoloRules) -> Kind:
    """Return the kind of crossing of roads and rivers: a bridge if the players have a model (SD-3.3.5-d)."""
    return Kind.BRIDGE if rules.is_on("bridge_model") else Kind.FORD


def _lie(placement: SoloPlacement, limits: CourseLimits, through: Polygon | None) -> RoadObstacles:
    return laying.find_road_obstacles(
        placement,
        limits.axis,
        lambda piece: _axis(piece.result),
        hard=_HARD,
        shore=placement.shore(*limits.axis.ends),
        town=through,
    )


def _axis(result: str) -> Axis:
    return Axis(result.split("-")[0])


def _third_of(result: str) -> str:
    return result.split("-")[1]


def _town(placement: SoloPlacement) -> Area | None:
    piece = placement.first(Terrain.BUA)
    feature = None if piece is None else piece.features[0]
    return feature if isinstance(feature, Area) else None


def _town_wanted(placement: SoloPlacement) -> Polygon | None:
    """Return the outline of the town if no road touches it yet (SD-3.3.5-a)."""
    town = _town(placement)
    if town is None or any(piece.shape.distance(town.outline) <= 0 for piece in placement.select_pieces(Terrain.ROAD)):
        return None
    return town.outline


def _reaches(placement: SoloPlacement, result: str, side: str, town: BaseGeometry) -> bool:
    return bool(road_limits(placement, result, side).band.intersects(town))


def _met(placement: SoloPlacement, shapes: list[BaseGeometry], result: str, side: str) -> int:
    return roads.count_features(shapes, road_limits(placement, result, side).band)


# Scale factors of the sizes to try, largest first.
_SMALLER = (1.0, 0.8, 0.62)
# Short side of the smallest size to try, in base widths.
_LEAST = 1.25


def lay_bua(
    placement: SoloPlacement, identity: str, result: str, origin: Origin
) -> tuple[Feature, ...] | PlacementFailure:
    """Return a town in the square of its corner, or what blocks it (SD-3.3.2)."""
    board, terms = placement.board, placement.terms
    margin = float(load_measures("room")["bua_edge"]) * board.scale.base_width
    ground = PlacementArea(
        region=terms.corner(result),
        share=1.0,
        bounds=board.shape.buffer(-margin, join_style="mitre"),
        obstacles=placement.closed(),
    )
    found = _found(placement, Terrain.BUA, f"{identity}/{result}", (ground,))
    if isinstance(found, PlacementFailure):
        return found
    return (laying.make_area_feature(Terrain.BUA, terms.sorts[Terrain.BUA], identity, found, origin),)


def lay_area(
    placement: SoloPlacement,
    terrain: Terrain,
    identity: str,
    result: str,
    origin: Origin,
    accept: Callable[[Polygon], bool] | None = None,
) -> tuple[Feature, ...] | PlacementFailure:
    """Return a piece with at least half of its area in its sector, or what blocks it (SD-3.3.4).

    Args:
        placement: the terrain placed so far.
        terrain: the type of the piece.
        identity: the ID of the piece.
        result: column and row of the sector, for example ``left/near``.
        origin: the clauses and rolls of the feature.
        accept: an additional test of the outline, for the conditions on the whole board.
    """
    board, terms = placement.board, placement.terms
    column, row = result.split("/")
    straddles = must_straddle(placement, terrain)
    # A river cannot cross a hill; other pieces may overlap it.
    off_river = float(load_measures("room")["river"]) * board.scale.base_width
    rivers = placement.closed_courses(Terrain.RIVER, off_river) if terrain in HILLS else ()
    ground = PlacementArea(
        region=sector_area(board, column, row),
        share=terms.rules.number("sector_share_min"),
        bounds=board.shape,
        obstacles=(*placement.closed(), *rivers),
        crossed_lines=(("x", board.width / 2), ("y", board.depth / 2)) if straddles else (),
        min_area=terms.straddle,
    )
    edge = float(load_measures("room")["edge"]) * board.scale.base_width
    # Prefer positions away from the edge and the roads; the rules do not require it.
    closed = (*ground.obstacles, *placement.closed_courses(Terrain.ROAD, 0.0))
    free = replace(ground, room=board.shape.buffer(-edge, join_style="mitre"), closed=closed)
    name = f"{identity}/{result}" + ("/again" if accept else "")

    def fits(outline: Polygon) -> bool:
        lies = not straddles or legal.straddles(outline, board, terms.straddle)
        return lies and (accept is None or accept(outline))

    found = _found(placement, terrain, name, (free, ground), fits, straddles=straddles)
    if isinstance(found, PlacementFailure):
        return found
    return (laying.make_area_feature(terrain, terms.sorts[terrain], identity, found, origin),)


def must_straddle(placement: SoloPlacement, terrain: Terrain) -> bool:
    """Return whether a piece is the only bad going and must straddle two quarters (SD-3.3.4-c, AMB-18)."""
    terms = placement.terms
    bad = [pick.terrain for pick in placement.picks if pick.terrain not in COURSES and terms.is_bad(pick.terrain)]
    return bad == [terrain]


def _found(
    placement: SoloPlacement,
    terrain: Terrain,
    name: str,
    grounds: tuple[PlacementArea, ...],
    accept: Callable[[Polygon], bool] | None = None,
    *,
    straddles: bool = False,
) -> PlacedOutline | PlacementFailure:
    """Return a position for the piece in the first of the areas where it fits, or what blocks it.

    Large outlines are tried before small ones. A piece uses the same outlines for all results of its dice.
    """
    identity = name.split("/", 1)[0]
    if identity not in placement.outlines:
        placement.outlines[identity] = Outlines(_shapes(placement, terrain, identity, straddles=straddles))
    found: PlacedOutline | PlacementFailure = PlacementFailure(())
    for number, ground in enumerate(grounds):
        found = find_placement(ground, placement.outlines[identity], placement.stream(f"{name}/place/{number}"), accept)
        if isinstance(found, PlacedOutline):
            break
    return found


def _shapes(placement: SoloPlacement, terrain: Terrain, identity: str, *, straddles: bool) -> Iterator[Polygon]:
    """Yield outlines of a piece, large to small; also long ones if it must straddle two quarters."""
    look, base, stream = (
        load_looks()[terrain],
        placement.board.scale.base_width,
        placement.stream(f"{identity}/outline"),
    )
    limits = placement.terms.size(terrain)
    long, short = draw_size(look, limits, base, stream)
    smaller = [(factor * long, factor * short) for factor in _SMALLER]
    if terrain is Terrain.BUA or not straddles:
        smaller.append((_LEAST * base * max(1.0, min(1.4, long / short)), _LEAST * base))
    if straddles:
        reach = limits.sides_max / 9
        smaller.append((6 * reach, 3 * reach))
        if limits.ratio_max is None:
            smaller.append((7 * reach, 1.9 * reach))
    for size in smaller:
        yield outline(_calmer(look, size), fit_sides(*size, limits), limits, stream)


def _calmer(look: OutlineLook, size: tuple[float, float]) -> OutlineLook:
    """Return the look of a piece with less bend if it is long and narrow, so that it is not too long."""
    return replace(look, bend=0.5 * look.bend) if size[0] > 1.9 * size[1] else look
