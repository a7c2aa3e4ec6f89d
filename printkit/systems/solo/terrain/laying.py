"""Laying area pieces: a town in the square of a corner (SD-3.3.2), all others in their sector (SD-3.3.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace
from shapely import Polygon

from printkit.kit.placement import Blocked, Closed, Ground, Spot, find
from printkit.systems.dba.ground import legal
from printkit.systems.dba.ground.frame import Quarter, corner, sector
from printkit.systems.dba.ground.pieces import Terrain
from printkit.systems.dba.ground.shapes import Look, drawn_size, looks, measures, outline, within
from printkit.systems.solo.terrain.placement import COURSES, Outlines, Table
from printkit.terrain.field.features import Area, Face, Feature, Hill, Kind, Origin
from printkit.terrain.geometry import outlines

_SMALLER = (1.0, 0.8, 0.62)
_LEAST = 1.25
"""Base widths: what the last try of a piece measures where nothing larger finds room."""

HILLS = (Terrain.STEEP_HILL, Terrain.GENTLE_HILL)


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
    sort = terms.sorts[Terrain.BUA]
    return (Area(id=identity, kind=sort.kind, outline=found.outline, going=sort.going, origin=origin),)


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
    return found if isinstance(found, Blocked) else (_feature(table, terrain, identity, found, origin),)


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


def _feature(table: Table, terrain: Terrain, identity: str, spot: Spot, origin: Origin) -> Feature:
    sort = table.terms.sorts[terrain]
    if terrain not in HILLS:
        return Area(id=identity, kind=sort.kind, outline=spot.outline, going=sort.going, origin=origin)
    faces: tuple[Face, ...] = ()
    if terrain is Terrain.STEEP_HILL:
        faces = tuple(
            Face(line=line, kind=Kind.STEEP_SLOPE, going=sort.going, side=side)
            for side, line in enumerate(outlines.arcs(spot.outline, spot.turn))
        )
    return Hill(id=identity, kind=sort.kind, contours=(spot.outline,), going=sort.going, faces=faces, origin=origin)
