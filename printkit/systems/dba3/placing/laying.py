"""Place features: areas in their quarter or across into the next, towns in corners or on hills, water and roads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.placement import PlacedOutline, PlacementArea, PlacementFailure, find_placement, share_inside
from printkit.systems.dba.ground import laying, roads, waters
from printkit.systems.dba.ground.frame import Axis, corner
from printkit.systems.dba.ground.legal import CourseLimits, Terrain
from printkit.systems.dba.ground.placed import HILLS
from printkit.systems.dba.ground.roads import RoadObstacles
from printkit.systems.dba.ground.shapes import measures
from printkit.systems.dba3.placing.placement import Dba3Placement, PieceOutline, PlacedPick
from printkit.systems.dba3.placing.selection import FeaturePick
from printkit.systems.dba3.placing.terms import QuarterReach
from printkit.systems.dba3.placing.zones import NUMBERED, both, ground_of, line_between, neighbours, strip
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Feature, Kind, Origin
from printkit.terrain.geometry.roughness import largest_polygon

# --- Waterway, river and roads, each in its quarter and an adjacent one (D3-35, D3-44..D3-54) -------------------------

# Terrain that roads avoid most.
_HARD: Final = (Terrain.STEEP_HILL, Terrain.MARSH, Terrain.GULLY, Terrain.BUA)


def lay_waterway(placement: Dba3Placement, identity: str, edge: Edge, origin: Origin) -> tuple[Feature, ...]:
    """Return a waterway along an edge; it is placed before everything else (D3-28)."""
    board, sort = placement.board, placement.terms.sorts[Terrain.WATERWAY]
    water = waters.waterway(board, edge, placement.terms.depths(), placement.stream(f"{identity}/{edge}"))
    return (laying.area(sort, identity, water, origin),)


def lay_river(
    placement: Dba3Placement, identity: str, quarter: int, axis: Axis, origin: Origin
) -> tuple[Feature, ...] | PlacementFailure:
    """Return a river along an axis through a quarter, or the obstacles that block it.

    It avoids every feature if it can, and never crosses a hill or a built-up area (D3-53).
    """
    board, sort = placement.board, placement.terms.sorts[Terrain.RIVER]
    limits = placement.terms.course(Terrain.RIVER, axis, quarter, board)
    width, shore = placement.terms.width(Terrain.RIVER), _shore(placement, limits)
    for number, closed in enumerate(_off_areas(placement, shore)):
        stream = placement.stream(f"{identity}/{quarter}/{axis}/{number}")
        line = waters.river(board, limits, width, stream, closed=closed, shore=shore)
        if line is not None:
            return (laying.course(sort, identity, line, width, origin),)
    return PlacementFailure(placement.near(limits.band) or (Sentence("the clearance from the edges"),))


def lay_road(
    placement: Dba3Placement, identity: str, quarter: int, axis: Axis, origin: Origin
) -> tuple[Feature, ...] | PlacementFailure:
    """Return a road along an axis through a quarter with its crossings, or the obstacles that block it."""
    board, sort = placement.board, placement.terms.sorts[Terrain.ROAD]
    limits = placement.terms.course(Terrain.ROAD, axis, quarter, board)
    width = placement.terms.width(Terrain.ROAD)
    beside = [road.identity for road in placement.of(Terrain.ROAD) if _runs_in(road, placement, limits)]
    if beside:
        return PlacementFailure((Sentence("{beside} in the same place", beside=beside[0]),))
    town = _town_wanted(placement, limits)
    for through in (town, None) if town is not None else (None,):
        stream = placement.stream(f"{identity}/{quarter}/{axis}/{'town' if through is not None else 'plain'}")
        line = roads.road(board, limits, width, _lie(placement, limits, through), stream)
        if line is not None:
            course = laying.course(sort, identity, line, width, origin)
            fords = Origin(clauses=("D3-54",), throws=origin.throws)
            return (course, *laying.crossings(placement, course, Kind.FORD, fords))
    return PlacementFailure(placement.near(limits.band) or (Sentence("the limits of its ground"),))


def axis_of(laid: PlacedPick, placement: Dba3Placement) -> Axis:
    """Return the axis of a river or road: the longer extent relative to the board."""
    line = laid.shape
    left, low, right, high = line.bounds
    board = placement.board
    return Axis.ACROSS if (right - left) / board.width >= (high - low) / board.depth else Axis.UP


def _runs_in(road: PlacedPick, placement: Dba3Placement, limits: CourseLimits) -> bool:
    """Return whether a road has the same axis in the same half of the board."""
    return axis_of(road, placement) is limits.axis and limits.band.covers(road.shape.centroid)


def _off_areas(placement: Dba3Placement, shore: Polygon | None) -> Iterator[BaseGeometry]:
    """Yield the ground that a river avoids: everything, then only the ground it may not cross."""
    free = placement.free(Terrain.RIVER)
    water = [each.shape for each in placement.of(Terrain.WATERWAY) if each.shape is not shore]
    areas = placement.areas()
    barred = [each for each in areas if each.pick.terrain in (*HILLS, Terrain.BUA, Terrain.GULLY)]
    for kept_off in (areas, barred) if len(barred) < len(areas) else (areas,):
        yield shapely.union_all([free, *water, *(each.shape for each in kept_off)])


def _shore(placement: Dba3Placement, limits: CourseLimits) -> Polygon | None:
    """Return the waterway at an end of a course, which then ends at the shore."""
    shore = placement.shore
    return shore.water if shore is not None and shore.edge in limits.axis.ends else None


def _town_wanted(placement: Dba3Placement, limits: CourseLimits) -> Polygon | None:
    """Return a town without a road, if a road in this band can reach it (D3-51)."""
    for town in placement.of(Terrain.BUA):
        reached = any(road.ground.intersects(town.shape) for road in placement.of(Terrain.ROAD))
        if not reached and town.shape.intersects(limits.band) and isinstance(town.shape, Polygon):
            return town.shape
    return None


def _lie(placement: Dba3Placement, limits: CourseLimits, through: Polygon | None) -> RoadObstacles:
    return laying.lie(
        placement,
        limits.axis,
        lambda laid: axis_of(laid, placement),
        hard=_HARD,
        shore=_shore(placement, limits),
        through=through,
        closed=(placement.free(Terrain.ROAD),),
    )


def axes(placement: Dba3Placement, terrain: Terrain, quarter: int) -> tuple[Axis, ...]:
    """Return the possible axes of a river or road in a quarter, without those of earlier roads if one is left."""
    taken = [road for road in placement.of(Terrain.ROAD) if terrain is Terrain.ROAD]
    free = [
        axis
        for axis in Axis
        if not any(
            axis_of(road, placement) is axis and strip(placement.board, quarter, axis).covers(road.shape.centroid)
            for road in taken
        )
    ]
    return tuple(free) or tuple(Axis)


# Smallest share of a feature in its quarter, if it crosses the line to another.
_HALF: Final = 0.52

# Share of the features that may reach into another quarter and do (D3-33).
_ACROSS: Final = 0.35

# Gap in base widths between a town on a hill and the foot of the hill.
_ON_HILL: Final = 0.12

_LARGER: Final = 1.15

# Area in the other quarter of a feature across a line, as a multiple of the required minimum.
_REACH: Final = 1.1

_FIRST: Final = 24


class Site(Struct, frozen=True):
    """Ground to try, and a further condition for a place on it."""

    ground: PlacementArea
    accept: Callable[[Polygon], bool] | None = None


def lay_area(
    placement: Dba3Placement, pick: FeaturePick, identity: str, quarter: int, origin: Origin
) -> tuple[Feature, ...] | PlacementFailure:
    """Return an area feature in a quarter, or the obstacles that block it.

    Each size gets its number of tries at random places and rotations, shared among the sites. Then the next smaller
    size is tried (D3-39).
    """
    sites = tuple(_sites(placement, pick, identity, quarter))
    if not sites:
        return PlacementFailure((Sentence("the limits of its ground"),))
    whole = max(1, placement.terms.rules.whole("tries") // len(sites))
    blocks: dict[str, None] = {}
    for size, each in enumerate(placement.outlined(pick, identity)):
        # Most features fit within the first few tries, so further places are drawn only when needed.
        for part, tries in (("first", min(_FIRST, whole)), ("more", whole - _FIRST)):
            for number, site in enumerate(sites) if tries > 0 else ():
                stream = placement.stream(f"{identity}/{quarter}/place/{size}/{number}/{part}")
                found = find_placement(site.ground, (each.outline,), stream, site.accept, tries=tries)
                if isinstance(found, PlacedOutline):
                    return (_feature(placement, pick, identity, each, found, origin),)
                blocks.update(dict.fromkeys(found.obstacles))
    return PlacementFailure(tuple(blocks)[:3])


def _sites(placement: Dba3Placement, pick: FeaturePick, identity: str, quarter: int) -> Iterator[Site]:
    """Yield the ground for a feature, the best first."""
    if pick.town:
        yield from _town_sites(placement, pick, quarter)
        return
    reach = placement.terms.sorts[pick.terrain].reach
    stream = placement.stream(f"{identity}/{quarter}/reach")
    crossing, turn = stream.draw_unit() < _ACROSS, stream.draw_index(2)
    off_rivers = (False,) if pick.terrain in HILLS or not placement.of(Terrain.RIVER) else (False, True)
    for over_rivers in off_rivers:
        own = ground_of(placement.board, quarter)
        inside = [] if reach is QuarterReach.MUST else [Site(_ground(placement, pick, own, over_rivers=over_rivers))]
        across = [
            _across(placement, pick, quarter, other, over_rivers=over_rivers)
            for other in _turned(neighbours(quarter), turn)
            if reach is not QuarterReach.INSIDE
        ]
        yield from (*across, *inside) if crossing else (*inside, *across)


def _ground(
    placement: Dba3Placement, pick: FeaturePick, region: Polygon, *, over_rivers: bool, beside: str = ""
) -> PlacementArea:
    """Return the part of a region for a feature, clear of the other features and optionally of rivers.

    Args:
        beside: the ID of the hill for a town on a hill.
    """
    room, rivers = _room(placement, pick.terrain), () if over_rivers else placement.rivers()
    closed = (*placement.closed(pick.terrain, beside=beside), *rivers)
    return PlacementArea(region=region.intersection(room), share=1.0, bounds=room, obstacles=closed)


def _across(placement: Dba3Placement, pick: FeaturePick, quarter: int, other: int, *, over_rivers: bool) -> Site:
    """Return the ground of two neighbouring quarters, for a feature across their line (D3-32, D3-33)."""
    board, own = placement.board, ground_of(placement.board, quarter)
    ground = _ground(placement, pick, both(board, quarter, other), over_rivers=over_rivers)
    reach = _REACH * placement.terms.rules.number("reach_sqbw_min") * board.scale.base_width**2
    ground = replace(ground, across=(line_between(board, quarter, other),), reach=reach)
    return Site(ground, lambda outline: share_inside(outline, own) >= _HALF)


def _town_sites(placement: Dba3Placement, pick: FeaturePick, quarter: int) -> Iterator[Site]:
    """Yield open ground, in the corner square for a city or fort, and hills for those that may be on one."""
    board, town = placement.board, placement.terms.towns[pick.town]
    region = ground_of(board, quarter)
    if town.corner:
        side = placement.terms.rules.length("bua_corner_bw")
        region = corner(board, NUMBERED[quarter - 1], side, side).intersection(region)
    open_ground = Site(_ground(placement, pick, region, over_rivers=False))
    hills = [_on_hill(placement, pick, hill, region) for hill in placement.of(*HILLS)] if town.on_hill else []
    sites = [site for site in hills if site is not None]
    # A fort prefers a hill; a city uses a hill only if there is no other space (D3-42).
    yield from (*sites, open_ground) if town.kind is Kind.FORT else (open_ground, *sites)


def _on_hill(placement: Dba3Placement, pick: FeaturePick, hill: PlacedPick, region: Polygon) -> Site | None:
    top = largest_polygon(hill.shape.buffer(-_ON_HILL * placement.board.scale.base_width).intersection(region))
    ground = _ground(placement, pick, top, over_rivers=False, beside=hill.identity)
    if ground.region.is_empty:
        return None
    return Site(ground, lambda outline: bool(_LARGER * outline.area <= hill.shape.area))


def _room(placement: Dba3Placement, terrain: Terrain) -> Polygon:
    """Return the board without the gap of a feature to its edges (D3-37, D3-38)."""
    base = placement.board.scale.base_width
    margin = placement.terms.rules.length("edge_gap_bw_min")
    if terrain is Terrain.BUA:
        margin = min(margin, float(measures("room")["bua_edge"]) * base)
    return shapely.box(margin, margin, placement.board.width - margin, placement.board.depth - margin)


def _turned(pair: Sequence[int], by: int) -> tuple[int, ...]:
    return (*pair[by:], *pair[:by])


def _feature(
    placement: Dba3Placement, pick: FeaturePick, identity: str, shape: PieceOutline, spot: PlacedOutline, origin: Origin
) -> Feature:
    sort = placement.terms.sorts[pick.terrain]
    if shape.bed is not None:
        bed = _moved(shape.bed, shape.outline, spot)
        return laying.course(sort, identity, bed, shape.width, origin)
    if pick.town:
        sort = replace(sort, kind=placement.terms.towns[pick.town].kind)
    return laying.stood(pick.terrain, sort, identity, spot, origin)


def _moved(bed: LineString, outline: Polygon, spot: PlacedOutline) -> LineString:
    """Return the bed of a gully, moved like its outline."""
    turned = affinity.rotate(outline, spot.angle_deg, origin=(0, 0)).centroid
    found = affinity.rotate(bed, spot.angle_deg, origin=(0, 0))
    there = spot.outline.centroid
    return affinity.translate(found, there.x - turned.x, there.y - turned.y)
