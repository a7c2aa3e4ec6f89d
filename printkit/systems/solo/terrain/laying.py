"""Laying area pieces: a town in the square of a corner (SD-3.3.2), all others in their sector (SD-3.3.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.placement import Blocked, Closed, Ground, Spot, find
from printkit.systems.dba.ground import laying, legal, roads, waters
from printkit.systems.dba.ground.frame import Axis, Quarter, corner, sector, third
from printkit.systems.dba.ground.legal import CourseLimits, Terrain, apart
from printkit.systems.dba.ground.placed import COURSES, HILLS, Outlines
from printkit.systems.dba.ground.roads import Lie
from printkit.systems.dba.ground.shapes import Look, drawn_size, looks, measures, outline, within
from printkit.systems.solo.terrain.placement import Table
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Area, Feature, Kind, Origin

# --- Laying waterway, river and roads where their dice put them (SD-3.3.1, SD-3.3.3, SD-3.3.5) ------------------------

_HARD: Final = (Terrain.STEEP_HILL, Terrain.MARSH)
"""What roads go farthest round."""

_LOW, _HIGH = "low", "high"
"""The sides of the middle line on which a middle road may lie: near or left, far or right (AMB-22)."""


def lay_waterway(table: Table, identity: str, result: str, origin: Origin) -> tuple[Feature, ...] | Blocked:
    """Return a waterway along its edge."""
    board, sort = table.board, table.terms.sorts[Terrain.WATERWAY]
    water = waters.waterway(board, Edge(result), table.terms.depths(board), table.stream(f"{identity}/{result}"))
    near = [piece.identity for piece in table.areas() if not apart(piece.shape, [water], table.terms.gap(board))]
    if near:
        return Blocked(tuple(near))
    return (laying.area(sort, identity, water, origin),)


def lay_river(table: Table, identity: str, result: str, origin: Origin) -> tuple[Feature, ...] | Blocked:
    """Return a river in its band, clear of towns, or what stands in the way."""
    board, sort = table.board, table.terms.sorts[Terrain.RIVER]
    limits = table.terms.river(result, board)
    shore = table.shore(*limits.axis.ends)
    closed = [piece.shape for piece in (*table.areas(), *table.of(Terrain.WATERWAY)) if piece.shape is not shore]
    stream = table.stream(f"{identity}/{result}")
    width = table.terms.width(Terrain.RIVER, board)
    line = waters.river(board, limits, width, stream, closed=shapely.union_all(closed), shore=shore)
    if line is None:
        near = [piece.identity for piece in table.laid if piece.shape.intersects(limits.band)]
        return Blocked(tuple(near) or (Sentence("the clearance from the edges"),))
    return (laying.course(sort, identity, line, width, origin),)


def road_sides(table: Table, result: str) -> tuple[str, ...]:
    """Return the sides of the middle line where a middle road may lie, that with fewer features first; none for others.

    Where a town must be touched, only the side that it reaches counts. Two equal sides are for a player, or chance, to
    choose from (AMB-22).
    """
    if _third_of(result) not in ("middle", "centre"):
        return ()
    town = _town_wanted(table)
    sides = [side for side in (_LOW, _HIGH) if town is None or _reaches(table, result, side, town)] or [_LOW, _HIGH]
    shapes = [piece.shape for piece in table.laid]
    return tuple(sorted(sides, key=lambda side: _met(table, shapes, result, side)))


def equal_sides(table: Table, result: str, sides: tuple[str, ...]) -> bool:
    """Return whether both sides of the middle line meet as many features."""
    shapes = [piece.shape for piece in table.laid]
    return len(sides) == 2 and _met(table, shapes, result, sides[0]) == _met(table, shapes, result, sides[1])


def lay_road(table: Table, identity: str, result: str, origin: Origin, side: str = "") -> tuple[Feature, ...] | Blocked:
    """Return a road along its row or column with its crossings, or what stands in the way.

    Args:
        side: of the middle line, for a middle road.
    """
    board, sort = table.board, table.terms.sorts[Terrain.ROAD]
    limits = road_limits(table, result, side)
    same = [piece.identity for piece in table.of(Terrain.ROAD) if piece.result.split("/")[0] == result]
    if same and not table.terms.readings.same_road:
        return Blocked((Sentence("{same} in the same place", same=same[0]),))
    town = _town(table)
    wanted = _town_wanted(table)
    # An earlier road may have been left out, so the roads on the table do not tell which is the last.
    last = identity == f"road-{sum(pick.terrain is Terrain.ROAD for pick in table.picks)}"
    width = table.terms.width(Terrain.ROAD, board)
    name = f"{identity}/{result}{side}"
    line = None
    if wanted is not None:
        line = roads.road(board, limits, width, _lie(table, limits, wanted), table.stream(f"{name}/town"))
        if line is None and table.terms.readings.road_bends_to_bua:
            wide = road_limits(table, result, side, bent=True)
            line = roads.road(board, wide, width, _lie(table, wide, wanted), table.stream(f"{name}/bent"))
        if line is None and last:
            return Blocked((Sentence("the way to {town}", town=town.id if town else Sentence("the town")),))
    if line is None:
        line = roads.road(board, limits, width, _lie(table, limits, None), table.stream(name))
    if line is None:
        return Blocked(tuple(piece.identity for piece in table.laid if piece.shape.intersects(limits.band)))
    course = laying.course(sort, identity, line, width, origin)
    kind = crossing_kind(bridge_model=table.terms.readings.bridge_model)
    return (course, *laying.crossings(table, course, kind, Origin(clauses=("SD-3.3.5-d",), throws=origin.throws)))


def road_limits(table: Table, result: str, side: str, *, bent: bool = False) -> CourseLimits:
    """Return what a road keeps; one that bends to a town may leave its row on its own side of the middle."""
    axis, board = Axis(result.split("-")[0]), table.board
    breadth = axis.breadth(board)
    low, high = third(breadth, _third_of(result))
    if side == _LOW:
        high = breadth / 2
    elif side == _HIGH:
        low = breadth / 2
    if bent:
        low, high = (0.0, breadth / 2) if low + high < breadth else (breadth / 2, breadth)
    short = table.terms.width(Terrain.ROAD, board) / 2
    return table.terms.road(axis, axis.belt(board, low, high), short=short, bent=bent)


def crossing_kind(*, bridge_model: bool) -> Kind:
    """Return what lies where a road meets a river: a bridge where there is a model of one (SD-3.3.5-d)."""
    return Kind.BRIDGE if bridge_model else Kind.FORD


def _lie(table: Table, limits: CourseLimits, through: Polygon | None) -> Lie:
    return laying.lie(
        table,
        limits.axis,
        lambda piece: _axis(piece.result),
        hard=_HARD,
        shore=table.shore(*limits.axis.ends),
        through=through,
    )


def _axis(result: str) -> Axis:
    return Axis(result.split("-")[0])


def _third_of(result: str) -> str:
    return result.split("-")[1]


def _town(table: Table) -> Area | None:
    piece = table.first(Terrain.BUA)
    feature = None if piece is None else piece.features[0]
    return feature if isinstance(feature, Area) else None


def _town_wanted(table: Table) -> Polygon | None:
    """Return the town if no road touches it yet (SD-3.3.5-a)."""
    town = _town(table)
    if town is None or any(piece.shape.distance(town.outline) <= 0 for piece in table.of(Terrain.ROAD)):
        return None
    return town.outline


def _reaches(table: Table, result: str, side: str, town: BaseGeometry) -> bool:
    return bool(road_limits(table, result, side).band.intersects(town))


def _met(table: Table, shapes: list[BaseGeometry], result: str, side: str) -> int:
    return roads.features_met(shapes, road_limits(table, result, side).band)


_SMALLER = (1.0, 0.8, 0.62)
_LEAST = 1.25
"""Base widths: what the last try of a piece measures where nothing larger finds room."""


def lay_bua(table: Table, identity: str, result: str, origin: Origin) -> tuple[Feature, ...] | Blocked:
    """Return a town somewhere in the square of its corner, or what stands in the way."""
    board, terms = table.board, table.terms
    side = board.paces(terms.numbers["bua_corner_p"])
    margin = float(measures("room")["bua_edge"]) * board.scale.base_width
    ground = Ground(
        region=corner(board, Quarter(result), side, side),
        share=1.0,
        room=board.shape.buffer(-margin, join_style="mitre"),
        closed=table.closed(),
    )
    found = _found(table, Terrain.BUA, f"{identity}/{result}", (ground,))
    if isinstance(found, Blocked):
        return found
    return (laying.stood(Terrain.BUA, terms.sorts[Terrain.BUA], identity, found, origin),)


def lay_area(
    table: Table,
    terrain: Terrain,
    identity: str,
    result: str,
    origin: Origin,
    accept: Callable[[Polygon], bool] | None = None,
) -> tuple[Feature, ...] | Blocked:
    """Return a piece at least half of which lies in its sector, or what stands in the way.

    Args:
        result: column and row of the sector, as ``left/near``.
        accept: what the whole board asks of it besides.
    """
    board, terms = table.board, table.terms
    column, row = result.split("/")
    straddles = must_straddle(table, terrain)
    ground = Ground(
        region=sector(board, column, row),
        share=terms.numbers["sector_share_min"],
        room=board.shape,
        closed=(*table.closed(), *_rivers(table, terrain)),
        across=(("x", board.width / 2), ("y", board.depth / 2)) if straddles else (),
        reach=terms.straddle(board),
    )
    edge = float(measures("room")["edge"]) * board.scale.base_width
    # Pieces keep off the edge and off roads where there is room for that, though they need not.
    roads = tuple(Closed(name, shape, 0.0) for name, shape in table.ribbons(Terrain.ROAD))
    free = replace(ground, room=board.shape.buffer(-edge, join_style="mitre"), closed=(*ground.closed, *roads))
    name = f"{identity}/{result}" + ("/again" if accept else "")

    def fits(outline: Polygon) -> bool:
        lies = not straddles or legal.straddles(outline, board, terms.straddle(board))
        return lies and (accept is None or accept(outline))

    found = _found(table, terrain, name, (free, ground), fits, straddles=straddles)
    if isinstance(found, Blocked):
        return found
    return (laying.stood(terrain, terms.sorts[terrain], identity, found, origin),)


def must_straddle(table: Table, terrain: Terrain) -> bool:
    """Return whether a piece is the only bad going and so lies across two quarters (SD-3.3.4-c, AMB-18)."""
    terms = table.terms
    bad = [pick.terrain for pick in table.picks if pick.terrain not in COURSES and terms.is_bad(pick.terrain)]
    if bad != [terrain]:
        return False
    return not (terms.readings.straddle_if_needed and table.of(Terrain.RIVER, Terrain.WATERWAY))


def _rivers(table: Table, terrain: Terrain) -> Iterator[Closed]:
    """Yield the rivers for a hill, which no river crosses; other ground may lie over them."""
    if terrain in HILLS:
        gap = float(measures("room")["river"]) * table.board.scale.base_width
        yield from (Closed(name, shape, gap) for name, shape in table.ribbons(Terrain.RIVER))


def _found(
    table: Table,
    terrain: Terrain,
    name: str,
    grounds: tuple[Ground, ...],
    accept: Callable[[Polygon], bool] | None = None,
    *,
    straddles: bool = False,
) -> Spot | Blocked:
    """Return a place on the first ground that has one, large pieces tried before small ones.

    A piece keeps its outlines wherever its dice put it.
    """
    identity = name.split("/", 1)[0]
    if identity not in table.outlines:
        table.outlines[identity] = Outlines(_shapes(table, terrain, identity, straddles=straddles))
    found: Spot | Blocked = Blocked(())
    for number, ground in enumerate(grounds):
        found = find(ground, table.outlines[identity], table.stream(f"{name}/place/{number}"), accept)
        if isinstance(found, Spot):
            break
    return found


def _shapes(table: Table, terrain: Terrain, identity: str, *, straddles: bool) -> Iterator[Polygon]:
    """Yield outlines of a piece: of its own size, then smaller; the only bad going also as long as it may be."""
    look, base, stream = looks()[terrain], table.board.scale.base_width, table.stream(f"{identity}/outline")
    limits = table.terms.size(terrain, table.board)
    long, short = drawn_size(look, limits, base, stream)
    smaller = [(factor * long, factor * short) for factor in _SMALLER]
    if terrain is Terrain.BUA or not straddles:
        smaller.append((_LEAST * base * max(1.0, min(1.4, long / short)), _LEAST * base))
    if straddles:
        reach = limits.both / 9
        smaller.append((6 * reach, 3 * reach))
        if limits.longest is None:
            smaller.append((7 * reach, 1.9 * reach))
    for size in smaller:
        yield outline(_calmer(look, size), within(*size, limits), limits, stream)


def _calmer(look: Look, size: tuple[float, float]) -> Look:
    """Return the look of a piece; one far longer than wide is bowed and ragged less, or it would grow too long."""
    return replace(look, bend=0.5 * look.bend) if size[0] > 1.9 * size[1] else look
