"""Clearings: openings in the trees of their zone, or belts of trees about open ground (AC-F13, AC-Q16)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np
import shapely
from msgspec.structs import replace
from shapely import Polygon, affinity

from printkit.chance.streams import Stream
from printkit.systems.acw.ground.areas import put, wish_of
from printkit.systems.acw.ground.make_room import anywhere, place
from printkit.systems.acw.ground.placement import Placed, Table, area
from printkit.systems.acw.terms.pieces import ROADS, TREES, Piece
from printkit.systems.acw.terms.plan import Result
from printkit.terrain.field.features import Area
from printkit.terrain.geometry.wavering import largest

_BELT: Final = 0.08
_INSIDE: Final = 0.045
_GAPS: Final = (0.15, 0.20)
_LEAST_BELT: Final = 40.0
_SHRUNK: Final = (1.0, 0.85, 0.7, 0.6)


def lay_clearing(table: Table, result: Result) -> None:
    """Lay a clearing."""
    if _in_trees(table, result):
        return
    match table.settings["ac-q16"]:
        case "nothing":
            _open_ground(table, result)
        case "wooded-zone":
            _wooded_zone(table, result)
        case _:
            _with_belt(table, result)


def _in_trees(table: Table, result: Result) -> bool:
    """Open the trees of the zone, the largest first; False where there are none with room."""
    site = table.sites[result.zone]
    trees = sorted(table.in_zone(result.zone, TREES), key=lambda one: -one.outline.area)
    if not trees:
        return False
    stream = table.stream(result.id, "place")
    wish = wish_of(table, result)
    for wood in trees:
        inner = wood.outline.buffer(-_INSIDE * site.unit)
        if inner.is_empty:
            continue
        for factor in _SHRUNK:
            shape = affinity.scale(wish.drawn, factor, factor, origin=(0, 0))
            for _ in range(25):
                x, y, turn = anywhere(largest(inner))(stream, 1.0)
                opening = affinity.translate(affinity.rotate(shape, turn, origin=(0, 0)), x, y)
                if inner.contains(opening):
                    _open(table, result, wood, opening)
                    return True
    return False


def _open(table: Table, result: Result, wood: Placed, opening: Polygon) -> None:
    place_of = table.placed.index(wood)
    assert isinstance(wood.feature, Area)
    rest = replace(wood.feature, outline=largest(wood.outline.difference(opening)))
    table.placed[place_of] = replace(wood, feature=rest)
    feature = area(table, result, opening)
    table.placed.append(Placed(piece=Piece.CLEARING, zone=result.zone, feature=feature))


def _open_ground(table: Table, result: Result) -> None:
    put(table, result, place(wish_of(table, result), table.stream(result.id, "place")))


def _with_belt(table: Table, result: Result) -> None:
    """Lay a belt of trees about the clearing, with gaps where ways pass and others so that there are two at least."""
    site = table.sites[result.zone]
    belt = _BELT * site.unit
    wish = wish_of(table, result)
    whole = replace(wish, drawn=wish.drawn.buffer(belt), score=_uncrossed(table, result.zone))
    found = place(whole, table.stream(result.id, "place"))
    if found is None:
        table.note(result)
        return
    opening = largest(found.buffer(-belt))
    put(table, result, opening)
    ring = found.difference(opening)
    stream = table.stream(result.id, "belt")
    kind = table.measure(Piece.WOOD)
    for number, part in enumerate(_parts(ring, opening, stream), 1):
        feature = replace(area(table, result, part), id=f"{result.id}-{number}", kind=kind.kind, going=kind.going)
        table.placed.append(Placed(piece=Piece.WOOD, zone=result.zone, feature=feature))


def _uncrossed(table: Table, zone: int):  # type: ignore[no-untyped-def]
    ways = table.lines((*ROADS, Piece.RAILROAD), zone)
    return lambda shape: -float(shape.intersection(ways).length)


def _parts(ring: Polygon, opening: Polygon, stream: Stream) -> Iterator[Polygon]:
    """Yield the pieces of a belt between two gaps of together more than a quarter of it (AC-F13)."""
    middle = opening.centroid
    start = stream.between(0, math.tau)
    across = start + math.pi + stream.between(-0.6, 0.6)
    far = 4 * math.hypot(opening.bounds[2] - opening.bounds[0], opening.bounds[3] - opening.bounds[1])
    gaps = []
    for bearing in (start, across):
        half = math.pi * stream.between(*_GAPS)
        angles = np.linspace(bearing - half, bearing + half, 12)
        fan = [(middle.x + far * math.cos(angle), middle.y + far * math.sin(angle)) for angle in angles]
        gaps.append(Polygon([(middle.x, middle.y), *fan]))
    soft = 6.0
    for part in shapely.get_parts(ring.difference(shapely.union_all(gaps))):
        calm = largest(part.buffer(-soft).buffer(soft))
        if calm.area > _LEAST_BELT:
            yield calm


def _wooded_zone(table: Table, result: Result) -> None:
    """Make the whole zone light wood but for the clearing (AC-Q16)."""
    site = table.sites[result.zone]
    wish = wish_of(table, result)
    opening = place(wish, table.stream(result.id, "place"))
    if opening is None:
        table.note(result)
        return
    wood = largest(site.room.difference(shapely.union_all([wish.closed, wish.last])))
    put(table, result, opening)
    kind = table.measure(Piece.WOOD)
    feature = area(table, result, largest(wood.difference(opening)))
    feature = replace(feature, id=f"{result.id}-1", kind=kind.kind, going=kind.going)
    table.placed.append(Placed(piece=Piece.WOOD, zone=result.zone, feature=feature))
