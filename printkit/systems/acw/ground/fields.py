"""Place fields next to farms, settlements and roads (AC-F14, AC-N35)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import LineString, Polygon
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.core.errors import Sentence
from printkit.systems.acw.ground.areas import add_area, build_request
from printkit.systems.acw.ground.make_room import PlacementRequest, PoseSampler, clear_forest, place_first
from printkit.systems.acw.ground.placement import ZonePlacement
from printkit.systems.acw.ground.settlements import (
    AWAY,
    ground_sides,
    poses_along_courses,
    poses_along_lines,
    poses_along_sides,
)
from printkit.systems.acw.terms.pieces import ROADS, Piece
from printkit.systems.acw.terms.plan import RollResult
from printkit.terrain.field.features import Area, Kind

# Maximum distance between a field and its farm, place or road, if nearer ground is covered; a fraction of the unit.
_FIELDS_OFF: Final = 0.27
# Factor on the smallest size of a field at a part of a side: its depth varies by 8 %.
_SMALLEST: Final = 1.1

_CROPS: Final = (Kind.CROPS, Kind.PLOUGH, Kind.CROPS, Kind.PASTURE)


def place_field(placement: ZonePlacement, result: RollResult) -> None:
    """Place a field next to another one of its zone, or a farm, settlement or road (AC-F14, AC-N35).

    It is added to ``placement.placed``, or to ``placement.left_out`` without room. Its kind is random. A field of the
    zone can be split, and a forest can lose ground.
    """
    request = build_request(placement, result, draw_pose=poses_along_courses(placement, result.zone))
    stream = placement.stream(result.id, "place")
    kind = _CROPS[stream.draw_index(len(_CROPS))]
    fields = [placed_piece.outline for placed_piece in placement.in_zone(result.zone, (Piece.FIELD,))]
    if fields:
        outline = _find_next_field(placement, result, request, fields, stream)
        if outline is None:
            outline = _split_field(placement, result.zone)
        add_area(
            placement,
            result,
            outline,
            kind=kind,
            extra_clause="AC-N35",
            position=Sentence("beside another field of its zone"),
        )
        return
    rolls = placement.laying.log.placed_rolls(result.zone)
    has_more = sum(zone_result.piece is Piece.FIELD for zone_result in rolls) > 1
    # The first of several fields must leave room for another one beside it, if that is possible.
    score = _neighbour_score(placement, result, request) if has_more else _home_score(placement, result.zone)
    variants = (replace(request, score=score), request) if has_more else (request,)
    samplers = _field_samplers(placement, result, request.base_outline)
    outline = place_first(
        (replace(variant, draw_pose=draw_pose) for variant in variants for draw_pose in samplers), stream
    ) or clear_forest(
        placement,
        result.zone,
        lambda: [build_request(placement, result, draw_pose=draw_pose) for draw_pose in samplers],
        stream,
    )
    extra_clause = "AC-N35" if outline is not None else ""
    outline = outline or place_first((replace(request, score=score), request), stream)
    add_area(placement, result, outline, kind=kind, extra_clause=extra_clause)


def _split_field(placement: ZonePlacement, zone: int) -> Polygon | None:
    """Split a field of the zone and return the outline of one half in mm on the board, or None (AC-F14).

    The other half replaces the field. Return None if no field is large enough.
    """
    measure, unit = placement.measure(Piece.FIELD), placement.sites[zone].unit
    least = [(length or 0.0) * measure.least * unit for length in (measure.long, measure.short)]
    for index, placed_piece in enumerate(placement.placed):
        if (
            placed_piece.zone != zone
            or placed_piece.piece is not Piece.FIELD
            or not isinstance(placed_piece.feature, Area)
        ):
            continue
        sides = ground_sides(placed_piece.outline)
        long_side = max((0, 1), key=lambda number: sides[number].length + sides[number + 2].length)
        side_a, side_b = sides[long_side], sides[long_side + 2]
        first, last = (side.interpolate(0.5, normalized=True) for side in (side_a, side_b))
        lengths = sorted(
            (side_a.length / 2, side_b.length / 2, sides[1 - long_side].length, sides[3 - long_side].length)
        )
        if lengths[0] < least[1] or lengths[2] < least[0]:
            continue
        first_half = Polygon([side_a.coords[0], first, last, side_b.coords[1]])
        second_half = Polygon([first, side_a.coords[1], side_b.coords[0], last])
        placement.placed[index] = replace(placed_piece, feature=replace(placed_piece.feature, outline=first_half))
        return second_half
    return None


def _home_score(placement: ZonePlacement, zone: int) -> Callable[[Polygon], float]:
    """Return a score function for a single field: minus its distance from houses, fields and roads.

    The distance is in mm on the board; only those in and near the zone count. A higher score is better.
    """
    zone_ground = placement.sites[zone]
    homes = [
        placed_piece.outline
        for placed_piece in placement.find_pieces(
            (Piece.FARM, Piece.SETTLEMENT, Piece.TOWN, Piece.BUILDING, Piece.FIELD)
        )
    ]
    near = shapely.union_all([*homes, placement.lines(ROADS)]).intersection(
        zone_ground.box.buffer(0.4 * zone_ground.unit)
    )

    def score(shape: Polygon) -> float:
        """Return minus a shape's distance from houses, fields and roads in mm on the board; 0 without any."""
        return 0.0 if near.is_empty else -float(shape.distance(near))

    return score


def _field_samplers(placement: ZonePlacement, result: RollResult, base_outline: Polygon) -> list[PoseSampler]:
    """Return functions that draw poses of a field: at a farm, a settlement, then a road (AC-N35).

    Each takes a random stream and a size factor. It returns x and y in mm on the board, and a rotation in degrees.
    ``base_outline`` is the field around the origin, in mm.
    """
    zone, unit = result.zone, placement.sites[result.zone].unit
    samplers: list[PoseSampler] = []
    for pieces in ((Piece.FARM,), (Piece.SETTLEMENT, Piece.TOWN)):
        grounds = [placed_piece.outline for placed_piece in placement.in_zone(zone, pieces)]
        if grounds:
            samplers.append(poses_along_sides(grounds, base_outline, 0.013 * unit))
            samplers.append(poses_along_sides(grounds, base_outline, 0.013 * unit, play=AWAY * unit))
            samplers.append(poses_along_sides(grounds, base_outline, 0.013 * unit, play=_FIELDS_OFF * unit))
    legs = [leg for leg in placement.legs if leg.zone == zone and leg.piece in ROADS]
    if legs:
        lines = [(leg.line, placement.width(leg) / 2) for leg in legs]
        samplers.append(poses_along_lines(lines, base_outline, 0.013 * unit))
        samplers.append(poses_along_lines(lines, base_outline, 0.013 * unit, play=AWAY * unit))
        samplers.append(poses_along_lines(lines, base_outline, 0.013 * unit, play=_FIELDS_OFF * unit))
    return samplers


def _find_next_field(
    placement: ZonePlacement, result: RollResult, request: PlacementRequest, fields: list[Polygon], stream: Stream
) -> Polygon | None:
    """Return the outline of a field that shares a full side with one of ``fields``, or None without room.

    All outlines are in mm on the board; ``request`` has the obstacles. Smaller sizes are tried last.
    """
    zone_ground, measure = placement.sites[result.zone], placement.measure(Piece.FIELD)
    long, short = (measure.long or 0) * zone_ground.unit, (measure.short or 0) * zone_ground.unit
    for factor in (1.0, 0.85, measure.least, 0.0):
        for field in fields:
            field_area = field.buffer(0.0)
            closed = request.closed.difference(field_area.buffer(0.02 * zone_ground.unit))
            obstacles = shapely.union_all([closed, request.last])
            sides = sorted(ground_sides(field), key=lambda _side: stream.draw_unit())
            whole_sides = [(side, factor * (short if side.length > 0.8 * long else long)) for side in sides]
            for side, depth in whole_sides if factor else _part_sides(sides, _SMALLEST * measure.least, long, short):
                shape = _plot_on_side(side, depth, stream)
                if (
                    zone_ground.room.contains(shape)
                    and not obstacles.intersects(shape)
                    and shape.intersection(field_area).area < 1.0
                ):
                    return shape
    return None


def _part_sides(
    sides: Iterable[LineString], factor: float, long: float, short: float
) -> Iterator[tuple[LineString, float]]:
    """Yield parts of sides for a field of ``factor`` times ``long`` by ``short`` mm, and the depth of the field.

    They are at both ends and in the middle of each side. All lengths are in mm on the board.
    """
    for side, (length, depth) in product(sides, ((long, short), (short, long))):
        for share in (0.0, 1.0, 0.5) if side.length > factor * length else ():
            start = share * (side.length - factor * length)
            yield substring(side, start, start + factor * length), factor * depth


def _neighbour_score(
    placement: ZonePlacement, result: RollResult, request: PlacementRequest
) -> Callable[[Polygon], float]:
    """Return a score function: 0 if a field has room next to a side of the shape, otherwise minus infinity.

    The field must be inside the zone's area for placement, clear of the obstacles of ``request``.
    """
    zone_ground, measure = placement.sites[result.zone], placement.measure(Piece.FIELD)
    depth = (measure.short or 0) * zone_ground.unit
    obstacles = shapely.union_all([request.closed, request.last])

    def score(shape: Polygon) -> float:
        """Return 0 if another field has room next to a side of the shape (mm on the board), else minus infinity."""
        plots = (
            _plot_on_side(side, 1.08 * depth, placement.stream(result.id, "beside")) for side in ground_sides(shape)
        )
        has_room = any(zone_ground.room.contains(plot) and not obstacles.intersects(plot) for plot in plots)
        return 0.0 if has_room else -math.inf

    return score


def _plot_on_side(side: LineString, depth: float, stream: Stream) -> Polygon:
    """Return a four-sided plot on the right of a line, about ``depth`` mm on the board deep."""
    (x, y), (end_x, end_y) = side.coords
    length = side.length
    out = ((end_y - y) / length * depth, -(end_x - x) / length * depth)
    first, last = stream.between(0.92, 1.04), stream.between(0.92, 1.04)
    return Polygon([(x, y), (x + first * out[0], y + first * out[1]), (end_x + last * out[0], end_y + last * out[1]),
                    (end_x, end_y)])  # fmt: skip
