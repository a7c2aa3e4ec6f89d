"""Place clearings: openings in trees, belts around open ground, wooded zones (AC-F13, AC-Q16)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np
import shapely
from msgspec.structs import replace
from shapely import LineString, Polygon, affinity

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.core.errors import Sentence
from printkit.core.sums import plain_sum
from printkit.systems.acw.ground.areas import put, wish_of
from printkit.systems.acw.ground.make_room import anywhere, place
from printkit.systems.acw.ground.placement import PlacedGround, ZonePlacement, area
from printkit.systems.acw.terms.pieces import ROADS, TREES, Piece
from printkit.systems.acw.terms.plan import RollResult
from printkit.systems.acw.terms.tables import clearing_reading
from printkit.terrain.field.features import Area
from printkit.terrain.geometry.measure import interpolate_points
from printkit.terrain.geometry.roughness import largest_polygon

_BELT: Final = 0.08
_INSIDE: Final = 0.045
_GAPS: Final = (0.15, 0.20)
_LEAST_BELT: Final = 40.0
# Radius in mm of the corners of a belt, and its maximum as a share of the width of the belt.
_BELT_SOFT: Final = 6.0
_BELT_SHARE: Final = 0.37

_SHRUNK: Final = (1.0, 0.85, 0.7, 0.6)
# Minimum width of the trees around an opening in the last search, as a fraction of the unit.
_NARROWEST_RIM: Final = 0.02

_SPOTS: Final = 14
_TURN: Final = 15
_RIM: Final = 24
_WITHIN: Final = 0.16
_WOOD_SOFT: Final = 0.022
_LEAST_WOOD: Final = 0.02
# Waves in the edge of a wooded zone: wavelength and height, as fractions of the unit.
_WAVES: Final = ((0.55, 0.022), (0.23, 0.012), (0.12, 0.006))
_WAVE_STEP: Final = 0.015


def lay_clearing(placement: ZonePlacement, result: RollResult) -> None:
    """Place a clearing."""
    if _in_trees(placement, result):
        return
    match clearing_reading(placement.rules, placement.laying.geography):
        case "nothing":
            _open_ground(placement, result)
        case "wooded-zone":
            _wooded_zone(placement, result)
        case _:
            _with_belt(placement, result)


def _in_trees(placement: ZonePlacement, result: RollResult) -> bool:
    """Place the clearing inside trees of the zone, largest first; return False if none has room."""
    site = placement.sites[result.zone]
    trees = sorted(placement.in_zone(result.zone, TREES), key=lambda one: -one.outline.area)
    if not trees:
        return False
    stream = placement.stream(result.id, "place")
    wish = wish_of(placement, result)
    for wood in trees:
        inner = wood.outline.buffer(-_INSIDE * site.unit)
        if inner.is_empty:
            continue
        for factor in _SHRUNK:
            shape = affinity.scale(wish.drawn, factor, factor, origin=(0, 0))
            for _ in range(25):
                x, y, turn = anywhere(largest_polygon(inner))(stream, 1.0)
                opening = affinity.translate(affinity.rotate(shape, turn, origin=(0, 0)), x, y)
                if inner.contains(opening):
                    _open(placement, result, wood, opening)
                    return True
    for wood in trees:
        sought = _sought(wood.outline, wish.drawn, wish.factors[0], site.unit)
        if sought is not None:
            _open(placement, result, wood, sought)
            return True
    return False


def _sought(wood: Polygon, drawn: Polygon, least: float, unit: float) -> Polygon | None:
    """Return an opening of the smallest size, as deep inside a wood as possible; or None.

    This search comes after the random tries.

    Args:
        wood: the outline of the wood.
        drawn: the outline of the opening around the origin at its usual size.
        least: the smallest factor of the size.
        unit: the unit of the zone, in mm.
    """
    inner = wood.buffer(-_NARROWEST_RIM * unit)
    if inner.is_empty:
        return None
    turns = [
        affinity.rotate(affinity.scale(drawn, least, least, origin=(0, 0)), turn, origin=(0, 0))
        for turn in range(0, 360, _TURN)
    ]
    # Most positions fail at one of a few points of the outline. Test these before any shape is built.
    rims = np.array(
        [interpolate_points(turn.exterior, np.arange(_RIM) / _RIM * turn.exterior.length) for turn in turns]
    )
    left, low, right, high = inner.bounds
    steps = np.linspace(0.0, 1.0, _SPOTS)
    spots = np.array([(x, y) for x in left + steps * (right - left) for y in low + steps * (high - low)])
    shapely.prepare(inner)
    points = spots[:, None, None, :] + rims[None]
    inside = shapely.contains_xy(inner, points[..., 0], points[..., 1]).all(axis=2)
    deep = shapely.distance(shapely.points(spots), wood.boundary)
    for spot, turn in sorted(np.argwhere(inside).tolist(), key=lambda held: -deep[held[0]]):
        opening: Polygon = affinity.translate(turns[turn], *spots[spot])
        if inner.contains(opening):
            return opening
    return None


def _open(placement: ZonePlacement, result: RollResult, wood: PlacedGround, opening: Polygon) -> None:
    place_of = placement.placed.index(wood)
    assert isinstance(wood.feature, Area)
    rest = replace(wood.feature, outline=largest_polygon(wood.outline.difference(opening)))
    placement.placed[place_of] = replace(wood, feature=rest)
    feature = area(placement, result, opening)
    placement.placed.append(PlacedGround(piece=Piece.CLEARING, zone=result.zone, feature=feature))


def _open_ground(placement: ZonePlacement, result: RollResult) -> None:
    put(placement, result, place(wish_of(placement, result), placement.stream(result.id, "place")))


def _with_belt(placement: ZonePlacement, result: RollResult) -> None:
    """Place a clearing with a belt of trees around it, in pieces between two gaps."""
    site = placement.sites[result.zone]
    belt = _BELT * site.unit
    wish = wish_of(placement, result)
    whole = replace(wish, drawn=wish.drawn.buffer(belt), score=_uncrossed(placement, result.zone))
    found = place(whole, placement.stream(result.id, "place"))
    if found is None:
        placement.leave_out(result, Sentence("for an opening, in trees of its zone and in the open"))
        return
    opening = largest_polygon(found.buffer(-belt))
    put(placement, result, opening)
    ring = found.difference(opening)
    stream = placement.stream(result.id, "belt")
    kind = placement.measure(Piece.WOOD)
    for number, part in enumerate(_parts(ring, opening, belt, stream), 1):
        feature = replace(area(placement, result, part), id=f"{result.id}-{number}", kind=kind.kind, going=kind.going)
        placement.placed.append(PlacedGround(piece=Piece.WOOD, zone=result.zone, feature=feature))


def _uncrossed(placement: ZonePlacement, zone: int):  # type: ignore[no-untyped-def]
    ways = placement.lines((*ROADS, Piece.RAILROAD), zone)
    return lambda shape: -float(shape.intersection(ways).length)


def _parts(ring: Polygon, opening: Polygon, belt: float, stream: Stream) -> Iterator[Polygon]:
    """Yield the pieces of a belt (width in mm); two gaps take more than a quarter of it (AC-F13)."""
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
    soft, least = min(_BELT_SOFT, _BELT_SHARE * belt), min(_LEAST_BELT, belt**2)
    for part in shapely.get_parts(ring.difference(shapely.union_all(gaps))):
        calm = largest_polygon(part.buffer(-soft).buffer(soft))
        if calm.area > least:
            yield calm


def _wooded_zone(placement: ZonePlacement, result: RollResult) -> None:
    """Fill the zone with light wood around a clearing, if possible well inside the zone (AC-Q16)."""
    site = placement.sites[result.zone]
    wish, stream = wish_of(placement, result), placement.stream(result.id, "place")
    within = replace(wish, room=site.inside(_WITHIN))
    opening = place(within, stream) or place(wish, stream)
    if opening is None:
        placement.leave_out(result, Sentence("for an opening, in trees of its zone and in the open"))
        return
    closed = shapely.union_all([wish.closed, wish.last])
    soft = _WOOD_SOFT * site.unit
    grown = _rim(placement, result).difference(closed)
    # Remove thin parts of the wood and round its corners. The wood never covers other pieces.
    calm = grown.buffer(-soft).buffer(2 * soft, quad_segs=6).buffer(-soft, quad_segs=6)
    free = shapely.intersection(calm, site.room).difference(shapely.union(closed, opening))
    put(placement, result, opening)
    kind = placement.measure(Piece.WOOD)
    woods = [part for part in shapely.get_parts(free) if part.area > _LEAST_WOOD * site.unit**2]
    woods = sorted(woods, key=lambda part: -part.area) or [largest_polygon(free)]
    for number, part in enumerate(woods, 1):
        feature = area(placement, result, part)
        feature = replace(feature, id=f"{result.id}-{number}", kind=kind.kind, going=kind.going)
        placement.placed.append(PlacedGround(piece=Piece.WOOD, zone=result.zone, feature=feature))


def _rim(placement: ZonePlacement, result: RollResult) -> Polygon:
    """Return the outline of a wooded zone, with a wavy edge inside the area for placement."""
    site = placement.sites[result.zone]
    left, low, right, high = site.room.bounds
    stream = placement.stream(result.id, "rim")
    waves = [
        (stream.between(0.8, 1.2) * wave * site.unit, stream.between(0, math.tau), height * site.unit)
        for wave, height in _WAVES
    ]
    deep = plain_sum(height for _, _, height in waves)
    ring = LineString(shapely.box(left, low, right, high).buffer(-deep).exterior)
    around = ring.length
    count = max(24, round(around / (_WAVE_STEP * site.unit)))
    gone = np.arange(count) / count * around
    # An integer number of waves fits around the outline; otherwise the edge would have a step at its start.
    off = np.zeros(count)
    for wave, phase, height in waves:
        off += height * elementary.sin(math.tau * max(1, round(around / wave)) * gone / around + phase)
    points = interpolate_points(ring, gone)
    middle = np.array([(left + right) / 2, (low + high) / 2])
    half = np.array([right - left, high - low]) / 2 - deep
    out = (points - middle) / half
    flat = np.abs(out) > 1 - 1e-9
    side = np.where(flat, np.sign(out), 0.0)
    moved = points + side * off[:, None]
    soft = 2 * _WOOD_SOFT * site.unit
    shape = shapely.make_valid(Polygon(moved)).buffer(-soft, quad_segs=6).buffer(soft, quad_segs=6)
    return largest_polygon(shape.intersection(site.room))
