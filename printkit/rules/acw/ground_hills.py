"""Hills: where they lie, their outlines, upper contours and steep sides (AC-F01..AC-F08)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.rules.acw.ground_faces import counterclockwise
from printkit.rules.acw.ground_placing import ALL_HILLS, Wish, anywhere, place, taken
from printkit.rules.acw.ground_shapes import outline
from printkit.rules.acw.ground_spurs import spur
from printkit.rules.acw.ground_table import CLIFFS, JOINT, STEEP, Placed, Site, Table, origin
from printkit.rules.acw.pieces import ROADS, STREAMS, Piece
from printkit.rules.acw.plan import Result
from printkit.terrain.features import Face, Hill, Kind
from printkit.terrain.outlines import inner_contour

_UPPER: Final = (0.30, 0.50)
_UPPER_INSET: Final = 0.045
_CORRIDOR: Final = 0.05
_BESIDE_WAYS: Final = 0.05
_OFF_ROAD: Final = 0.02
_CROSSED: Final = 1.0


def lay_hills(table: Table) -> None:
    """Lay all hills: ridges and steep ones first, for least may pass them, spurs last, for they grow out of others."""
    results = list(table.results(*ALL_HILLS))
    for result in sorted(results, key=lambda result: _rank(result.piece)):
        placed = _placed(table, result)
        if placed is not None:
            table.placed.append(placed)


def resettle_hills(table: Table, *, roads: bool) -> None:
    """Move hills out of courses that found no way around them; a hill that then finds no room is left out (AC-G04).

    Streams pass no hill at all (AC-G06), roads none that is steep or has a cliff (AC-G05).
    """
    courses = tuple(piece for piece in ROADS if piece is not Piece.TRACK) if roads else STREAMS
    lines = table.lines(courses)
    _resettle(
        table,
        lambda placed: (
            (not roads or placed.piece in (*STEEP, *CLIFFS)) and placed.outline.intersection(lines).length > _CROSSED
        ),
    )


def give_way(table: Table) -> None:
    """Move hills out of swamps that had to grow together where these stood (AC-N33)."""
    swamps = shapely.union_all([placed.outline for placed in table.of((Piece.SWAMP,))])
    _resettle(table, lambda placed: placed.outline.intersection(swamps).area > _CROSSED)


def _resettle(table: Table, barred: Callable[[Placed], bool]) -> None:
    results = {result.id: result for result in table.results(*ALL_HILLS)}
    for placed in list(table.placed):
        if placed.piece not in ALL_HILLS or not barred(placed):
            continue
        place_of = table.placed.index(placed)
        del table.placed[place_of]
        anew = _placed(table, results[placed.feature.id])
        if anew is not None:
            table.placed.insert(place_of, anew)


def _placed(table: Table, result: Result) -> Placed | None:
    """Return the hill of a result where it lies; None, and a note, where there is no room for it."""
    assert result.piece is not None
    found = spur(table, result) if result.piece is Piece.SPUR else _free(table, result)
    if found is None:
        table.note(result)
        return None
    return Placed(piece=result.piece, zone=result.zone, feature=_hill(table, result, found))


def _rank(piece: Piece | None) -> int:
    order = (Piece.LONG_HILL, *STEEP)
    if piece is Piece.SPUR:
        return len(order) + 1
    return order.index(piece) if piece in order else len(order)


def _free(table: Table, result: Result) -> Polygon | None:
    """Return the outline of a hill that stands by itself."""
    assert result.piece is not None
    site, measure = table.sites[result.zone], table.measure(result.piece)
    stream = table.stream(result.id, "outline")
    drawn = outline(result.piece, (measure.long or 0) * site.unit, (measure.short or 0) * site.unit, stream)
    ridge = result.piece is Piece.LONG_HILL
    closed, last = taken(table, site, result.piece)
    barring = result.piece in (*STEEP, *CLIFFS)
    corridor = _kept_free(table, site, barring=barring)
    wish = Wish(
        drawn=drawn,
        factors=(measure.least, measure.most),
        room=site.box if ridge else site.room,
        closed=shapely.union_all([closed, corridor]),
        last=last,
        spot=anywhere(site.room),
        score=_liking(table, site, result),
    )
    straight = shapely.union_all(table.straights[site.zone]).buffer(_BESIDE_WAYS * site.unit, quad_segs=4)
    grounds = [shapely.union_all([wish.closed, straight]), wish.closed]
    if not barring:
        # A gentle hill may lie on the way of a railroad, which passes it through a cutting.
        grounds.append(closed)
    return next(
        (found for ground in grounds if (found := place(replace(wish, closed=ground), stream)) is not None), None
    )


def _kept_free(table: Table, site: Site, *, barring: bool) -> BaseGeometry:
    """Return where hills would bar the courses: about joints, and along railroads, which cannot go around."""
    spots = [point.buffer(JOINT * site.unit, quad_segs=4) for point in table.joints]
    room = (_CORRIDOR if barring else _CORRIDOR / 2) * site.unit
    lines = [line.buffer(room, quad_segs=4) for line in table.rails.get(site.zone, ())]
    if barring:
        spots.append(table.ribbons(ROADS, gap=_OFF_ROAD * site.unit, zone=site.zone))
    return shapely.union_all([*spots, *lines])


def _liking(table: Table, site: Site, result: Result) -> Callable[[Polygon], float]:
    """Return how well a hill likes a place: off the straight ways between joints, near spurs that grow out of it."""
    bars = shapely.union_all(table.straights[site.zone])
    log, grid = table.laying.log, table.laying.grid
    pulls = [
        site.side(side)
        for side, other in grid.neighbours(result.zone)
        if log.has(other, Piece.SPUR) or (result.piece is Piece.LONG_HILL and log.has(other, Piece.LONG_HILL))
    ]
    pull = shapely.union_all(pulls)

    def score(shape: Polygon) -> float:
        barred = shape.intersection(bars).length if not bars.is_empty else 0.0
        near = shape.distance(pull) if not pull.is_empty else 0.0
        return -barred - 3.0 * near

    return score


def _hill(table: Table, result: Result, shape: Polygon) -> Hill:
    """Return a hill without cliffs and scree, which hang on what lies about it."""
    assert result.piece is not None
    measure = table.measure(result.piece)
    stream, unit = table.stream(result.id, "contours"), table.sites[result.zone].unit
    contours: tuple[Polygon, ...] = (shape,)
    faces: tuple[Face, ...] = ()
    if result.piece in STEEP:
        contours = (shape, inner_contour(shape, stream, share=_UPPER, inset=_UPPER_INSET * unit))
        if result.piece is Piece.STEEP_HILL:
            faces = (Face(line=counterclockwise(shape), kind=Kind.STEEP_SLOPE, going=measure.going, side=0),)
    return Hill(
        id=result.id,
        kind=measure.kind,
        contours=contours,
        going=measure.going,
        faces=faces,
        origin=origin(result.zone, (result,), (measure.clause,)),
    )
