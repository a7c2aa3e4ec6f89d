"""Settlements, towns and forts on their roads (AC-F32, AC-F35, AC-F36, AC-N16)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.systems.acw.ground.areas import put, wish_of
from printkit.systems.acw.ground.ground_yielding import parts, without, won
from printkit.systems.acw.ground.make_room import Spot, anywhere, place
from printkit.systems.acw.ground.placement import Placed, Table
from printkit.systems.acw.network.network import To
from printkit.systems.acw.terms.pieces import ROADS, STREAMS, Piece
from printkit.systems.acw.terms.plan import Result

_DRY: Final = 0.012
_WADE: Final = 0.078
_LEFT: Final = 0.6
_SHORTEST: Final = 10.0
_ATTEMPTS: Final = 5
"""What a place keeps from a swamp that made room for it, and half of what such a swamp is wide at least (AC-N33)."""


def settle(table: Table, result: Result) -> None:
    """Lay a place so that the road of its zone passes through it (AC-N16)."""
    site = table.sites[result.zone]
    anchor = table.anchors.get((result.zone, To.PLACE))
    roads = table.lines(ROADS, result.zone)
    stream = table.stream(result.id, "place")
    spots: list[Callable[..., Spot]] = []
    if not roads.is_empty:
        spots.append(_on(roads, anchor, 0.03 * site.unit))
        spots.append(_on(roads, None, 0.06 * site.unit))
    if anchor is not None:
        spots.append(_near(anchor, 0.05 * site.unit))
    spots.append(anywhere(site.room))

    def score(shape: Polygon) -> float:
        return float(shape.intersection(roads).length) - (0.0 if roads.is_empty else float(shape.distance(roads)))

    found = None
    least = table.measure(result.piece).least if result.piece is not None else 1.0
    small = [(spot, (least, least)) for spot in spots[:2]] if not roads.is_empty else []
    whole = wish_of(table, result, score=score)
    for spot, factors in (*((spot, None) for spot in spots), *small):
        wish = replace(whole, spot=spot)
        placed = place(replace(wish, factors=factors) if factors is not None else wish, stream)
        if placed is not None and (roads.is_empty or placed.intersects(roads)):
            found = placed
            break
        found = found or placed
    if not roads.is_empty and (found is None or not found.intersects(roads)):
        drained = _drained(table, result, spots[:2], score, stream, roads)
        # A village that its road passes by is none of it; a town of the campaign stands wherever there is room.
        found = drained if drained is not None or result.piece is Piece.SETTLEMENT else found
    put(table, result, found, also="AC-N16" if found is not None and found.intersects(roads) else "")
    if found is not None and anchor is not None:
        _end_in(table, result.zone, found)


def _end_in(table: Table, zone: int, place_of: Polygon) -> None:
    """Let the road that ends in a place end there, and not beyond it."""
    for number, leg in enumerate(table.legs):
        loose = leg.zone == zone and leg.piece in ROADS and leg.ends is None and leg.meets is None
        if loose and leg.line.intersects(place_of) and not place_of.contains(Point(leg.line.coords[-1])):
            inner = shapely.get_coordinates(leg.line.intersection(place_of))
            along = sorted(leg.line.project(shapely.points(inner)))
            if along[-1] > _SHORTEST:
                table.legs[number] = replace(leg, line=substring(leg.line, 0.0, (along[0] + along[-1]) / 2))


def _drained(
    table: Table,
    result: Result,
    spots: list[Callable[..., Spot]],
    score: Callable[[Polygon], float],
    stream: Stream,
    roads: BaseGeometry,
) -> Polygon | None:
    """Return a place on its road where only a swamp leaves it no room: that draws back, as long as it stays whole."""
    unit = table.sites[result.zone].unit
    streams = table.lines(STREAMS)

    def stays(swamp: Placed, rest: Polygon) -> bool:
        whole = parts(rest, _WADE * unit) <= parts(swamp.outline, _WADE * unit)
        wet = rest.intersects(streams) or not swamp.outline.intersects(streams)
        return whole and wet and rest.area > _LEFT * swamp.outline.area

    swamps = (Piece.SWAMP,)
    wishes = without(table, swamps, lambda: [wish_of(table, result, spot=spot, score=score) for spot in spots])
    return won(
        table,
        swamps,
        wishes * _ATTEMPTS,
        stream,
        gap=_DRY * unit,
        stays=stays,
        wanted=lambda shape: bool(shape.intersects(roads)),
    )


def _on(lines: BaseGeometry, anchor: Point | None, spread: float) -> Callable[..., Spot]:
    """Return what draws places on lines, about an anchor where there is one."""
    parts = list(shapely.get_parts(lines))

    def spot(stream: Stream, _factor: float) -> Spot:
        part = parts[stream.below(len(parts))]
        at = part.interpolate(stream.between(0.15, 0.85), normalized=True)
        if anchor is not None:
            at = part.interpolate(part.project(anchor) - abs(stream.bell(2 * spread)))
        return at.x + stream.bell(spread), at.y + stream.bell(spread), stream.between(0.0, 360.0)

    return spot


def _near(anchor: Point, spread: float) -> Callable[..., Spot]:
    def spot(stream: Stream, _factor: float) -> Spot:
        return anchor.x + stream.bell(spread), anchor.y + stream.bell(spread), stream.between(0.0, 360.0)

    return spot
