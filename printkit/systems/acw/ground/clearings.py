"""Place clearings: openings in trees, belts around open ground, wooded zones (AC-F13, AC-Q16)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import shapely
from msgspec.structs import replace
from shapely import LineString, Polygon, affinity

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.core.errors import Sentence
from printkit.core.sums import plain_sum
from printkit.systems.acw.ground.areas import add_area, build_request
from printkit.systems.acw.ground.make_room import place_outline, uniform_poses
from printkit.systems.acw.ground.placement import PlacedGround, ZonePlacement, build_area
from printkit.systems.acw.terms.pieces import ROADS, TREES, Piece
from printkit.systems.acw.terms.plan import RollResult
from printkit.systems.acw.terms.tables import clearing_reading
from printkit.terrain.field.features import Area
from printkit.terrain.geometry.measure import interpolate_points
from printkit.terrain.geometry.outlines import largest_polygon

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


def place_clearing(placement: ZonePlacement, result: RollResult) -> None:
    """Place a clearing: in trees of its zone, or in the way that the geography gives (AC-F13, AC-Q16).

    It changes ``placement.placed``; without room ``placement.left_out`` gets the result.
    """
    if _open_trees(placement, result):
        return
    match clearing_reading(placement.rules, placement.laying.geography):
        case "nothing":
            _place_open_clearing(placement, result)
        case "wooded-zone":
            _place_wooded_zone(placement, result)
        case _:
            _place_belt(placement, result)


def _open_trees(placement: ZonePlacement, result: RollResult) -> bool:
    """Place the clearing inside trees of the zone, largest first; return False if none has room.

    It changes ``placement.placed``: the trees lose the ground of the clearing.
    """
    zone_ground = placement.sites[result.zone]
    trees = sorted(placement.in_zone(result.zone, TREES), key=lambda placed_piece: -placed_piece.outline.area)
    if not trees:
        return False
    stream = placement.stream(result.id, "place")
    request = build_request(placement, result)
    for wood in trees:
        inner = wood.outline.buffer(-_INSIDE * zone_ground.unit)
        if inner.is_empty:
            continue
        for factor in _SHRUNK:
            shape = affinity.scale(request.base_outline, factor, factor, origin=(0, 0))
            for _ in range(25):
                x, y, turn = uniform_poses(largest_polygon(inner))(stream, 1.0)
                opening = affinity.translate(affinity.rotate(shape, turn, origin=(0, 0)), x, y)
                if inner.contains(opening):
                    _open_wood(placement, result, wood, opening)
                    return True
    for wood in trees:
        deep_opening = _find_opening(wood.outline, request.base_outline, request.factors[0], zone_ground.unit)
        if deep_opening is not None:
            _open_wood(placement, result, wood, deep_opening)
            return True
    return False


def _find_opening(wood: Polygon, base_outline: Polygon, least_factor: float, unit: float) -> Polygon | None:
    """Return an opening of the smallest size, as deep inside a wood as possible; None without room.

    It is in mm on the board. This search comes after the random tries.

    Args:
        wood: the outline of the wood in mm on the board.
        base_outline: the outline of the opening around the origin at its usual size, in mm.
        least_factor: the smallest factor of the size.
        unit: the unit of the zone, in mm.
    """
    inner = wood.buffer(-_NARROWEST_RIM * unit)
    if inner.is_empty:
        return None
    turns = [
        affinity.rotate(
            affinity.scale(base_outline, least_factor, least_factor, origin=(0, 0)), turn_index, origin=(0, 0)
        )
        for turn_index in range(0, 360, _TURN)
    ]
    # Most positions fail at one of a few points of the outline. Test these before any shape is built.
    rims = np.array(
        [
            interpolate_points(turn_index.exterior, np.arange(_RIM) / _RIM * turn_index.exterior.length)
            for turn_index in turns
        ]
    )
    left, low, right, high = inner.bounds
    steps = np.linspace(0.0, 1.0, _SPOTS)
    positions = np.array([(x, y) for x in left + steps * (right - left) for y in low + steps * (high - low)])
    shapely.prepare(inner)
    points = positions[:, None, None, :] + rims[None]
    inside = shapely.contains_xy(inner, points[..., 0], points[..., 1]).all(axis=2)
    deep = shapely.distance(shapely.points(positions), wood.boundary)
    for position, turn_index in sorted(np.argwhere(inside).tolist(), key=lambda candidate: -deep[candidate[0]]):
        opening: Polygon = affinity.translate(turns[turn_index], *positions[position])
        if inner.contains(opening):
            return opening
    return None


def _open_wood(placement: ZonePlacement, result: RollResult, wood: PlacedGround, opening: Polygon) -> None:
    """Cut an opening (outline in mm on the board) out of a wood, and place the clearing there.

    ``wood`` is replaced by its rest in ``placement.placed``, and the clearing is added. Only the largest part of the
    wood remains.
    """
    index = placement.placed.index(wood)
    assert isinstance(wood.feature, Area)
    remainder = replace(wood.feature, outline=largest_polygon(wood.outline.difference(opening)))
    placement.placed[index] = replace(wood, feature=remainder)
    feature = build_area(placement, result, opening)
    placement.placed.append(PlacedGround(piece=Piece.CLEARING, zone=result.zone, feature=feature))


def _place_open_clearing(placement: ZonePlacement, result: RollResult) -> None:
    """Place a clearing without trees around it, on free ground of its zone (AC-Q16)."""
    add_area(placement, result, place_outline(build_request(placement, result), placement.stream(result.id, "place")))


def _place_belt(placement: ZonePlacement, result: RollResult) -> None:
    """Place a clearing with a belt of trees around it, in pieces between two gaps.

    All are added to ``placement.placed``; the trees have the ID of the roll and a number from 1. Without room
    ``placement.left_out`` gets the result.
    """
    zone_ground, measure = placement.sites[result.zone], placement.measure(Piece.CLEARING)
    belt = _BELT * zone_ground.unit
    request = build_request(placement, result)
    # The belt does not shrink with the opening, which keeps its least size.
    short = (measure.short or 0.0) * zone_ground.unit
    least = (measure.least * short + 2 * belt) / (short + 2 * belt)
    road_lines = placement.lines((*ROADS, Piece.RAILROAD), result.zone)
    belt_request = replace(
        request,
        base_outline=request.base_outline.buffer(belt),
        factors=(least, measure.most),
        score=lambda shape: -float(shape.intersection(road_lines).length),
    )
    outer_outline = place_outline(belt_request, placement.stream(result.id, "place"))
    if outer_outline is None:
        placement.leave_out(result, Sentence("for an opening, in trees of its zone and in the open"))
        return
    opening = largest_polygon(outer_outline.buffer(-belt))
    add_area(placement, result, opening)
    ring = outer_outline.difference(opening)
    stream = placement.stream(result.id, "belt")
    _add_woods(placement, result, _belt_parts(ring, opening, belt, stream))


def _add_woods(placement: ZonePlacement, result: RollResult, outlines: Iterable[Polygon]) -> None:
    """Add woods of a clearing to ``placement.placed``, with the ID of its roll and a number from 1.

    The outlines are in mm on the board.
    """
    measure = placement.measure(Piece.WOOD)
    for number, outline in enumerate(outlines, 1):
        feature = build_area(placement, result, outline)
        feature = replace(feature, id=f"{result.id}-{number}", kind=measure.kind, going=measure.going)
        placement.placed.append(PlacedGround(piece=Piece.WOOD, zone=result.zone, feature=feature))


def _belt_parts(ring: Polygon, opening: Polygon, belt: float, stream: Stream) -> Iterator[Polygon]:
    """Yield the outlines in mm of the trees around a clearing; two gaps separate them (AC-F13).

    Args:
        ring: the ground of the belt.
        opening: the outline of the clearing.
        belt: the width of the belt, in mm on the board.
        stream: the random stream for the gaps, which take 30 to 40 % of the belt together.
    """
    middle = opening.centroid
    start = stream.between(0, math.tau)
    opposite = start + math.pi + stream.between(-0.6, 0.6)
    far = 4 * math.hypot(opening.bounds[2] - opening.bounds[0], opening.bounds[3] - opening.bounds[1])
    gaps = []
    for bearing in (start, opposite):
        half = math.pi * stream.between(*_GAPS)
        angles = np.linspace(bearing - half, bearing + half, 12)
        fan = [(middle.x + far * math.cos(angle), middle.y + far * math.sin(angle)) for angle in angles]
        gaps.append(Polygon([(middle.x, middle.y), *fan]))
    soft, least = min(_BELT_SOFT, _BELT_SHARE * belt), min(_LEAST_BELT, belt**2)
    for part in shapely.get_parts(ring.difference(shapely.union_all(gaps))):
        smoothed = largest_polygon(part.buffer(-soft).buffer(soft))
        if smoothed.area > least:
            yield smoothed


def _place_wooded_zone(placement: ZonePlacement, result: RollResult) -> None:
    """Fill the zone with light wood around a clearing, if possible well inside the zone (AC-Q16).

    All are added to ``placement.placed``; the woods have the ID of the roll and a number from 1, the largest first.
    Without room ``placement.left_out`` gets the result.
    """
    zone_ground = placement.sites[result.zone]
    request, stream = build_request(placement, result), placement.stream(result.id, "place")
    inner_request = replace(request, search_area=zone_ground.inset_box(_WITHIN))
    opening = place_outline(inner_request, stream) or place_outline(request, stream)
    if opening is None:
        placement.leave_out(result, Sentence("for an opening, in trees of its zone and in the open"))
        return
    closed = shapely.union_all([request.closed, request.last])
    soft = _WOOD_SOFT * zone_ground.unit
    wooded_area = _wavy_rim(placement, result).difference(closed)
    # Remove thin parts of the wood and round its corners. The wood never covers other pieces.
    smoothed = wooded_area.buffer(-soft).buffer(2 * soft, quad_segs=6).buffer(-soft, quad_segs=6)
    free = shapely.intersection(smoothed, zone_ground.room).difference(shapely.union(closed, opening))
    add_area(placement, result, opening)
    woods = [part for part in shapely.get_parts(free) if part.area > _LEAST_WOOD * zone_ground.unit**2]
    _add_woods(placement, result, sorted(woods, key=lambda part: -part.area) or [largest_polygon(free)])


def _wavy_rim(placement: ZonePlacement, result: RollResult) -> Polygon:
    """Return the wavy outline of a wooded zone inside the area for placement, in mm on the board.

    It touches the area only at the tops of its waves, and is empty if nothing is left after smoothing.
    """
    zone_ground = placement.sites[result.zone]
    left, low, right, high = zone_ground.room.bounds
    stream = placement.stream(result.id, "rim")
    waves = [
        (stream.between(0.8, 1.2) * wave * zone_ground.unit, stream.between(0, math.tau), height * zone_ground.unit)
        for wave, height in _WAVES
    ]
    deep = plain_sum(height for _, _, height in waves)
    ring = LineString(shapely.box(left, low, right, high).buffer(-deep).exterior)
    circumference = ring.length
    count = max(24, round(circumference / (_WAVE_STEP * zone_ground.unit)))
    distances = np.arange(count) / count * circumference
    # An integer number of waves fits around the outline; otherwise the edge would have a step at its start.
    offsets = np.zeros(count)
    for wave, phase, height in waves:
        offsets += height * exact_math.sin(
            math.tau * max(1, round(circumference / wave)) * distances / circumference + phase
        )
    points = interpolate_points(ring, distances)
    middle = np.array([(left + right) / 2, (low + high) / 2])
    half = np.array([right - left, high - low]) / 2 - deep
    relative = (points - middle) / half
    is_side = np.abs(relative) > 1 - 1e-9
    side = np.where(is_side, np.sign(relative), 0.0)
    wavy_points = points + side * offsets[:, None]
    soft = 2 * _WOOD_SOFT * zone_ground.unit
    shape = shapely.make_valid(Polygon(wavy_points)).buffer(-soft, quad_segs=6).buffer(soft, quad_segs=6)
    return largest_polygon(shape.intersection(zone_ground.room))
