"""Place features: areas in their quarter or across into the next, towns in corners or on hills, water and roads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Final

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.placement import (
    PlacedOutline,
    PlacementArea,
    PlacementFailure,
    find_placement,
    search_placement,
    share_inside,
)
from printkit.systems.dba.ground import piece_features, roads, waterways
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain
from printkit.systems.dba.ground.frame import Axis, corner_area
from printkit.systems.dba.ground.placed_pieces import HILLS
from printkit.systems.dba.ground.roads import RoadObstacles
from printkit.systems.dba.ground.shapes import load_measures
from printkit.systems.dba.ground.terrain_limits import CourseLimits, Terrain
from printkit.systems.dba.ground.waterways import LineTest
from printkit.systems.dba3.placing.placement import Dba3Placement, PieceOutline, PlacedPick
from printkit.systems.dba3.placing.selection import FeaturePick
from printkit.systems.dba3.placing.terms import QuarterReach
from printkit.systems.dba3.placing.zones import (
    NUMBERED_QUARTERS,
    dividing_line,
    joined_quarters,
    neighbour_numbers,
    quarter_ground,
    quarter_strip,
)
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Feature, Kind, Origin
from printkit.terrain.geometry.outlines import largest_polygon

# --- Waterway, river and roads, each in its quarter and an adjacent one (D3-35, D3-44..D3-54) -------------------------

# Terrain that roads avoid most.
_HARD_TERRAIN: Final = (Terrain.STEEP_HILL, Terrain.MARSH, Terrain.GULLY, Terrain.BUA)


def place_waterway(placement: Dba3Placement, identity: str, edge: Edge, origin: Origin) -> tuple[Feature, ...]:
    """Return a waterway along an edge, as a tuple with one area; it is placed before everything else (D3-28).

    Its shore is random. ``identity`` is its ID, ``origin`` has the rolls that placed it.
    """
    board, piece_rules = placement.board, placement.terms.piece_rules[Terrain.WATERWAY]
    water = waterways.make_waterway(
        board, edge, placement.terms.waterway_depths(), placement.stream(f"{identity}/{edge}")
    )
    return (piece_features.make_area(piece_rules, identity, water, origin),)


def place_river(
    placement: Dba3Placement, identity: str, quarter: int, axis: Axis, origin: Origin
) -> tuple[Feature, ...] | PlacementFailure:
    """Return a river along an axis through a quarter (1 to 4), or the obstacles that block it.

    The river is a tuple with one course. It avoids every feature if it can, and never crosses a hill or a built-up area
    (D3-53). It can end at the waterway. ``identity`` is its ID, ``origin`` has the rolls that placed it. Quarters are 1
    near left, 2 far left, 3 far right and 4 near right.
    """
    board, piece_rules = placement.board, placement.terms.piece_rules[Terrain.RIVER]
    limits = placement.terms.course_limits(Terrain.RIVER, axis, quarter, board)
    width, shore = placement.terms.width(Terrain.RIVER), _shore_at_end(placement, limits)
    accept = _line_test(placement, Terrain.RIVER, identity)
    for number, closed in enumerate(_river_obstacles(placement, shore)):
        stream = placement.stream(f"{identity}/{quarter}/{axis}/{number}")
        line = waterways.route_river(board, limits, width, stream, accept=accept, closed=closed, shore=shore)
        if line is not None:
            return (piece_features.make_course(piece_rules, identity, line, width, origin),)
    return PlacementFailure(placement.find_overlapping(limits.band) or (Sentence("the clearance from the edges"),))


def place_road(
    placement: Dba3Placement, identity: str, quarter: int, axis: Axis, origin: Origin
) -> tuple[Feature, ...] | PlacementFailure:
    """Return a road and its crossings through a quarter (1 to 4), or the obstacles that block it.

    The course is the first feature. ``axis`` is its direction and ``identity`` its ID; ``origin`` has the rolls that
    placed it. Fords follow it. A second road along the same axis in the same half of the board is not possible.
    Quarters are 1 near left, 2 far left, 3 far right and 4 near right.
    """
    board, piece_rules = placement.board, placement.terms.piece_rules[Terrain.ROAD]
    limits = placement.terms.course_limits(Terrain.ROAD, axis, quarter, board)
    width = placement.terms.width(Terrain.ROAD)
    # Roads with the same axis in the same half of the board.
    parallel_ids = [
        road.identity
        for road in placement.select_pieces(Terrain.ROAD)
        if find_axis(road, placement) is limits.axis and limits.band.covers(road.shape.centroid)
    ]
    if parallel_ids:
        return PlacementFailure((Sentence("{beside} in the same place", beside=parallel_ids[0]),))
    town, accept = _find_town_without_road(placement, limits), _line_test(placement, Terrain.ROAD, identity)
    for target_town in (town, None) if town is not None else (None,):
        stream = placement.stream(f"{identity}/{quarter}/{axis}/{'town' if target_town is not None else 'plain'}")
        line = roads.route_road(board, limits, width, _road_obstacles(placement, limits, target_town), accept, stream)
        if line is not None:
            course = piece_features.make_course(piece_rules, identity, line, width, origin)
            fords = Origin(clauses=("D3-54",), throws=origin.throws)
            return (course, *piece_features.make_crossings(placement, course, Kind.FORD, fords))
    return PlacementFailure(placement.find_overlapping(limits.band) or (Sentence("the limits of its ground"),))


def _line_test(placement: Dba3Placement, terrain: Terrain, identity: str) -> LineTest:
    """Return whether a river or road along a centre line keeps its rules, as a function.

    ``identity`` is its ID.
    """
    surroundings, piece_rules = placement.surroundings, placement.terms.piece_rules[terrain]
    width = placement.terms.width(terrain)

    def accept(line: LineString) -> bool:
        """Return whether the course keeps its rules; the line is in mm on the board."""
        course = piece_features.make_course(piece_rules, identity, line, width, Origin())
        return placement.keeps_rules(CheckedTerrain(identity, terrain, course), surroundings)

    return accept


def find_axis(placed_course: PlacedPick, placement: Dba3Placement) -> Axis:
    """Return the axis of a placed river or road: the longer extent relative to the board; across on a tie."""
    line = placed_course.shape
    left, low, right, high = line.bounds
    board = placement.board
    return Axis.ACROSS if (right - left) / board.width >= (high - low) / board.depth else Axis.UP


def _river_obstacles(placement: Dba3Placement, shore: Polygon | None) -> Iterator[BaseGeometry]:
    """Yield the areas that a river avoids: first everything, then only the ground it may not cross.

    They are in mm on the board. The second one is left out if it is the same. ``shore`` is the waterway where the river
    ends, or None.
    """
    keep_out_area = placement.keep_out_area(Terrain.RIVER)
    water = [
        placed_feature.shape
        for placed_feature in placement.select_pieces(Terrain.WATERWAY)
        if placed_feature.shape is not shore
    ]
    areas = placement.area_pieces()
    closed_areas = [
        placed_feature
        for placed_feature in areas
        if placed_feature.pick.terrain in (*HILLS, Terrain.BUA, Terrain.GULLY)
    ]
    for avoided_areas in (areas, closed_areas) if len(closed_areas) < len(areas) else (areas,):
        yield shapely.union_all([keep_out_area, *water, *(placed_feature.shape for placed_feature in avoided_areas)])


def _shore_at_end(placement: Dba3Placement, limits: CourseLimits) -> Polygon | None:
    """Return the waterway at an end of a course, in mm on the board, or None; the course ends there."""
    shore = placement.shore
    return shore.water if shore is not None and shore.edge in limits.axis.ends else None


def _find_town_without_road(placement: Dba3Placement, limits: CourseLimits) -> Polygon | None:
    """Return the outline, in mm on the board, of a town without a road in this band; otherwise None (D3-51)."""
    for town in placement.select_pieces(Terrain.BUA):
        has_road = any(road.ground.intersects(town.shape) for road in placement.select_pieces(Terrain.ROAD))
        if not has_road and town.shape.intersects(limits.band) and isinstance(town.shape, Polygon):
            return town.shape
    return None


def _road_obstacles(placement: Dba3Placement, limits: CourseLimits, town: Polygon | None) -> RoadObstacles:
    """Return the obstacles of a road; ``town`` is the town to reach, in mm on the board, or None.

    Shapes are in mm on the board.
    """
    return piece_features.find_road_obstacles(
        placement,
        limits.axis,
        lambda placed_course: find_axis(placed_course, placement),
        hard=_HARD_TERRAIN,
        shore=_shore_at_end(placement, limits),
        town=town,
        closed=(placement.keep_out_area(Terrain.ROAD),),
    )


def find_axes(placement: Dba3Placement, terrain: Terrain, quarter: int) -> tuple[Axis, ...]:
    """Return the possible axes of a river or road in a quarter (1 to 4).

    For a road, axes of earlier roads there are left out if another one remains. Quarters are 1 near left, 2 far left, 3
    far right and 4 near right.
    """
    earlier_roads = [road for road in placement.select_pieces(Terrain.ROAD) if terrain is Terrain.ROAD]
    free_axes = [
        axis
        for axis in Axis
        if not any(
            find_axis(road, placement) is axis
            and quarter_strip(placement.board, quarter, axis).covers(road.shape.centroid)
            for road in earlier_roads
        )
    ]
    return tuple(free_axes) or tuple(Axis)


# Smallest share of a feature in its quarter, if it crosses the line to another.
_HOME_SHARE: Final = 0.52

# Share of the features that may reach into another quarter and do (D3-33).
_CROSSING_SHARE: Final = 0.35

# Gap in base widths between a town on a hill and the foot of the hill.
_HILL_MARGIN_BW: Final = 0.12

_HILL_FACTOR: Final = 1.15

# Area in the other quarter of a feature across a line, as a multiple of the required minimum.
_REACH_FACTOR: Final = 1.1

_FIRST_TRIES: Final = 24


class Site(Struct, frozen=True):
    """Ground to try, and a further condition for a place on it."""

    ground: PlacementArea
    accept: Callable[[Polygon], bool] | None = None

    def narrow(self, accept: Callable[[Polygon], bool]) -> Callable[[Polygon], bool]:
        """Return a test by the further condition of this site, then by another one."""
        own_test = self.accept
        return accept if own_test is None else lambda outline: own_test(outline) and accept(outline)


def place_area(
    placement: Dba3Placement, pick: FeaturePick, identity: str, quarter: int, origin: Origin
) -> tuple[Feature, ...] | PlacementFailure:
    """Return an area feature in a quarter (1 to 4), or up to three obstacles that block it.

    The feature is alone in its tuple. Each size gets its number of tries at random places and rotations, shared among
    the sites. Then the next smaller size is tried. If all tries fail, a search on a grid decides whether there is a
    place (D3-39). ``identity`` is its ID, ``origin`` has the rolls that placed it. Quarters are 1 near left, 2 far
    left, 3 far right and 4 near right.
    """
    sites = tuple(_find_sites(placement, pick, identity, quarter))
    if not sites:
        return PlacementFailure((Sentence("the limits of its ground"),))
    surroundings = placement.surroundings

    def accept(outline: Polygon) -> bool:
        """Return whether the feature keeps its rules; its outline is in mm on the board."""
        return placement.keeps_rules(placement.make_candidate(pick, identity, outline), surroundings)

    try_count = max(1, placement.terms.rules.whole("tries") // len(sites))
    blocks: dict[str, None] = {}
    for size, shape in enumerate(placement.get_outlines(pick, identity)):
        # Most features fit within the first few tries, so further places are drawn only when needed.
        for part_name, tries in (("first", min(_FIRST_TRIES, try_count)), ("more", try_count - _FIRST_TRIES)):
            for number, site in enumerate(sites) if tries > 0 else ():
                stream = placement.stream(f"{identity}/{quarter}/place/{size}/{number}/{part_name}")
                result = find_placement(site.ground, (shape.outline,), stream, site.narrow(accept), tries=tries)
                if isinstance(result, PlacedOutline):
                    return (_make_feature(placement, pick, identity, shape, result, origin),)
                blocks.update(dict.fromkeys(result.obstacles))
    for shape, site in product(placement.get_outlines(pick, identity), sites):
        if (position := search_placement(site.ground, shape.outline, site.narrow(accept))) is not None:
            return (_make_feature(placement, pick, identity, shape, position, origin),)
    return PlacementFailure(tuple(blocks)[:3])


def _find_sites(placement: Dba3Placement, pick: FeaturePick, identity: str, quarter: int) -> Iterator[Site]:
    """Yield the ground for a feature in a quarter (1 to 4) and next to it, in the order to try them.

    The stream decides whether ground across two quarters comes before or after ground in the quarter. Sites without
    rivers come before those over rivers. Quarters are 1 near left, 2 far left, 3 far right and 4 near right.
    ``identity`` is the ID of the feature, and names the stream.
    """
    if pick.town:
        yield from _find_town_sites(placement, pick, quarter)
        return
    reach = placement.terms.piece_rules[pick.terrain].reach
    stream = placement.stream(f"{identity}/{quarter}/reach")
    prefers_crossing, start = stream.draw_unit() < _CROSSING_SHARE, stream.draw_index(2)
    neighbours = neighbour_numbers(quarter)
    off_rivers = (False,) if pick.terrain in HILLS or not placement.select_pieces(Terrain.RIVER) else (False, True)
    for over_rivers in off_rivers:
        own_quarter = quarter_ground(placement.board, quarter)
        inside_sites = (
            []
            if reach is QuarterReach.MUST
            else [Site(_free_ground(placement, pick, own_quarter, over_rivers=over_rivers))]
        )
        crossing_sites = [
            _make_crossing_site(placement, pick, quarter, neighbour, over_rivers=over_rivers)
            for neighbour in (*neighbours[start:], *neighbours[:start])
            if reach is not QuarterReach.INSIDE
        ]
        yield from (*crossing_sites, *inside_sites) if prefers_crossing else (*inside_sites, *crossing_sites)


def _free_ground(
    placement: Dba3Placement, pick: FeaturePick, region: Polygon, *, over_rivers: bool, hill_id: str = ""
) -> PlacementArea:
    """Return the part of a region for a feature, clear of other features and optionally of rivers.

    The region is in mm on the board.

    Args:
        hill_id: the ID of the hill for a town on a hill.
        over_rivers: include rivers in the ground.
    """
    board_area, rivers = (
        _board_without_margin(placement, pick.terrain),
        () if over_rivers else placement.closed_rivers(),
    )
    closed = (*placement.closed_ground(pick.terrain, hill_id=hill_id), *rivers)
    return PlacementArea(region=region.intersection(board_area), share=1.0, bounds=board_area, obstacles=closed)


def _make_crossing_site(
    placement: Dba3Placement, pick: FeaturePick, quarter: int, neighbour: int, *, over_rivers: bool
) -> Site:
    """Return the ground of two neighbouring quarters for a feature across their line (D3-32, D3-33).

    ``quarter`` and ``neighbour`` are their numbers, 1 to 4; most of the feature must be in the first. With
    ``over_rivers`` the ground includes rivers.
    """
    board, own_quarter = placement.board, quarter_ground(placement.board, quarter)
    ground = _free_ground(placement, pick, joined_quarters(board, quarter, neighbour), over_rivers=over_rivers)
    reach = _REACH_FACTOR * placement.terms.rules.number("reach_sqbw_min") * board.scale.base_width**2
    ground = replace(ground, crossed_lines=(dividing_line(board, quarter, neighbour),), min_area=reach)
    return Site(ground, lambda outline: share_inside(outline, own_quarter) >= _HOME_SHARE)


def _find_town_sites(placement: Dba3Placement, pick: FeaturePick, quarter: int) -> Iterator[Site]:
    """Yield the sites for a town in a quarter (1 to 4): open ground, and hills if it may be on one.

    Some towns need a place in the corner square. A fort tries hills first, others last.
    """
    board, town = placement.board, placement.terms.towns[pick.town]
    region = quarter_ground(board, quarter)
    if town.is_in_corner:
        side = placement.terms.rules.length("bua_corner_bw")
        region = corner_area(board, NUMBERED_QUARTERS[quarter - 1], side, side).intersection(region)
    open_ground = Site(_free_ground(placement, pick, region, over_rivers=False))
    hills = (
        [_make_hill_site(placement, pick, hill, region) for hill in placement.select_pieces(*HILLS)]
        if town.may_be_on_hill
        else []
    )
    sites = [site for site in hills if site is not None]
    # A fort prefers a hill; a city uses a hill only if there is no other space (D3-42).
    yield from (*sites, open_ground) if town.kind is Kind.FORT else (open_ground, *sites)


def _make_hill_site(placement: Dba3Placement, pick: FeaturePick, hill: PlacedPick, region: Polygon) -> Site | None:
    """Return the ground for a town on a hill inside ``region`` (mm on the board); None without space."""
    top = largest_polygon(hill.shape.buffer(-_HILL_MARGIN_BW * placement.board.scale.base_width).intersection(region))
    ground = _free_ground(placement, pick, top, over_rivers=False, hill_id=hill.identity)
    if ground.region.is_empty:
        return None
    return Site(ground, lambda outline: bool(_HILL_FACTOR * outline.area <= hill.shape.area))


def _board_without_margin(placement: Dba3Placement, terrain: Terrain) -> Polygon:
    """Return the board without the gap to its edges as a rectangle in mm on the board (D3-37, D3-38)."""
    base = placement.board.scale.base_width
    margin = placement.terms.rules.length("edge_gap_bw_min")
    if terrain is Terrain.BUA:
        margin = min(margin, float(load_measures("room")["bua_edge"]) * base)
    return shapely.box(margin, margin, placement.board.width - margin, placement.board.depth - margin)


def _make_feature(
    placement: Dba3Placement,
    pick: FeaturePick,
    identity: str,
    shape: PieceOutline,
    placed_outline: PlacedOutline,
    origin: Origin,
) -> Feature:
    """Return the feature of a piece at its place: a gully as a course, others as an area or hill.

    ``shape`` is its outline around the origin, ``placed_outline`` the position found for it. ``identity`` becomes its
    ID.
    """
    piece_rules = placement.terms.piece_rules[pick.terrain]
    if shape.bed is not None:
        bed = _move_bed(shape.bed, shape.outline, placed_outline)
        return piece_features.make_course(piece_rules, identity, bed, shape.width, origin)
    if pick.town:
        piece_rules = replace(piece_rules, kind=placement.terms.towns[pick.town].kind)
    return piece_features.make_area_feature(pick.terrain, piece_rules, identity, placed_outline, origin)


def _move_bed(bed: LineString, outline: Polygon, placed_outline: PlacedOutline) -> LineString:
    """Return the centre line of a gully in mm on the board, rotated and moved like its outline.

    ``bed`` and ``outline`` are the line and the outline of the gully around the origin.
    """
    rotated_centre = affinity.rotate(outline, placed_outline.angle_deg, origin=(0, 0)).centroid
    rotated_bed = affinity.rotate(bed, placed_outline.angle_deg, origin=(0, 0))
    target_centre = placed_outline.outline.centroid
    return affinity.translate(rotated_bed, target_centre.x - rotated_centre.x, target_centre.y - rotated_centre.y)
