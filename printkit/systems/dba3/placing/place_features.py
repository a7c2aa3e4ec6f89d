"""Place features: areas in their quarter or across into the next, towns in corners or on hills, rivers and roads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Final

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Polygon, affinity

from printkit.core.errors import Sentence
from printkit.kit.placement import (
    PlacedOutline,
    PlacementArea,
    PlacementFailure,
    find_placement,
    search_placement,
    share_inside,
)
from printkit.systems.dba.ground import piece_features
from printkit.systems.dba.ground.frame import Axis, corner_area, find_axis
from printkit.systems.dba.ground.placed_pieces import PlacedPiece
from printkit.systems.dba.ground.placing_turns import NewCourse, PlacementResult, block_by_road
from printkit.systems.dba.ground.shapes import PieceOutline, load_measures
from printkit.systems.dba.ground.terrain_limits import HILLS, CourseLimits, PiecePick, Terrain
from printkit.systems.dba3.placing.placement import Dba3Placement
from printkit.systems.dba3.placing.terms import QuarterReach
from printkit.systems.dba3.placing.zones import (
    NUMBERED_QUARTERS,
    dividing_line,
    joined_quarters,
    neighbour_numbers,
    quarter_ground,
    quarter_strip,
)
from printkit.terrain.field.features import Feature, Kind, Origin
from printkit.terrain.geometry.outlines import largest_polygon

# Terrain that a river may not cross (D3-53), and a gully.
_UNCROSSABLE: Final = (*HILLS, Terrain.BUA, Terrain.GULLY)


def place_course(
    placement: Dba3Placement, pick: PiecePick, identity: str, quarter: int, axis: Axis, origin: Origin
) -> PlacementResult:
    """Return a river or road along an axis through a quarter (1 to 4), or the obstacles that block it.

    A river avoids every feature if it can, and never crosses a hill or a built-up area (D3-53). A road has its
    crossings after it; a second one along the same axis in the same half of the board is not possible. ``identity`` is
    the ID of the course, ``origin`` has the rolls that placed it. Quarters are 1 near left, 2 far left, 3 far right and
    4 near right.
    """
    course = NewCourse(
        placement=placement,
        pick=pick,
        identity=identity,
        result=str(quarter),
        limits=placement.terms.course_limits(pick.terrain, axis, quarter),
        origin=origin,
    )
    name = f"{identity}/{quarter}/{axis}"
    if pick.terrain is Terrain.RIVER:
        areas = placement.area_pieces()
        closed_areas = [area for area in areas if area.pick.terrain in _UNCROSSABLE]
        avoided = (areas, closed_areas) if len(closed_areas) < len(areas) else (areas,)
        lines = (course.route_river(f"{name}/{number}", pieces) for number, pieces in enumerate(avoided))
        return course.place(lines, Sentence("the clearance from the edges"))
    if failure := block_by_road(_find_roads(placement, quarter, axis)):
        return failure
    town = _find_town_without_road(placement, course.limits)
    targets = {"town": town, "plain": None} if town is not None else {"plain": None}
    lines = (course.route_road(f"{name}/{part}", target) for part, target in targets.items())
    return course.place(lines, Sentence("the limits of its ground"))


def _find_roads(placement: Dba3Placement, quarter: int, axis: Axis) -> list[PlacedPiece]:
    """Return the placed roads along an axis in the half of the board with a quarter (1 to 4)."""
    half = quarter_strip(placement.board, quarter, axis)
    return [
        road
        for road in placement.select_pieces(Terrain.ROAD)
        if find_axis(road.checked.line, placement.board) is axis and half.covers(road.shape.centroid)
    ]


def _find_town_without_road(placement: Dba3Placement, limits: CourseLimits) -> Polygon | None:
    """Return the outline, in mm on the board, of a town without a road in this band; otherwise None (D3-51)."""
    for town in placement.select_pieces(Terrain.BUA):
        has_road = any(road.checked.ground.intersects(town.shape) for road in placement.select_pieces(Terrain.ROAD))
        if not has_road and town.shape.intersects(limits.band) and isinstance(town.shape, Polygon):
            return town.shape
    return None


def find_axes(placement: Dba3Placement, terrain: Terrain, quarter: int) -> tuple[Axis, ...]:
    """Return the possible axes of a river or road in a quarter (1 to 4).

    For a road, axes of earlier roads there are left out if another one remains. Quarters are 1 near left, 2 far left, 3
    far right and 4 near right.
    """
    free_axes = [axis for axis in Axis if terrain is Terrain.RIVER or not _find_roads(placement, quarter, axis)]
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
    placement: Dba3Placement, pick: PiecePick, identity: str, quarter: int, origin: Origin
) -> PlacementResult:
    """Return an area feature in a quarter (1 to 4), or up to three obstacles that block it.

    The feature is alone in its tuple. Each size gets its number of tries at random places and rotations, shared among
    the sites. Then the next smaller size is tried. If all tries fail, a search on a grid decides whether there is a
    place (D3-39). ``identity`` is its ID, ``origin`` has the rolls that placed it. Quarters are 1 near left, 2 far
    left, 3 far right and 4 near right.
    """
    sites = tuple(_find_sites(placement, pick, identity, quarter))
    if not sites:
        return PlacementFailure((Sentence("the limits of its ground"),))
    accept = placement.make_test(pick, identity, str(quarter))
    try_count = max(1, placement.terms.rules.whole("tries") // len(sites))
    blocks: dict[str, None] = {}
    for size, shape in enumerate(placement.get_outlines_of(pick, identity)):
        # Most features fit within the first few tries, so further places are drawn only when needed.
        for part_name, tries in (("first", min(_FIRST_TRIES, try_count)), ("more", try_count - _FIRST_TRIES)):
            for number, site in enumerate(sites) if tries > 0 else ():
                stream = placement.stream(f"{identity}/{quarter}/place/{size}/{number}/{part_name}")
                result = find_placement(site.ground, (shape.outline,), stream, site.narrow(accept), tries=tries)
                if isinstance(result, PlacedOutline):
                    return (_make_feature(placement, pick, identity, shape, result, origin),)
                blocks.update(dict.fromkeys(result.obstacles))
    for shape, site in product(placement.get_outlines_of(pick, identity), sites):
        if (position := search_placement(site.ground, shape.outline, site.narrow(accept))) is not None:
            return (_make_feature(placement, pick, identity, shape, position, origin),)
    return PlacementFailure(tuple(blocks)[:3])


def _find_sites(placement: Dba3Placement, pick: PiecePick, identity: str, quarter: int) -> Iterator[Site]:
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
    placement: Dba3Placement, pick: PiecePick, region: Polygon, *, over_rivers: bool, hill_id: str = ""
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
    placement: Dba3Placement, pick: PiecePick, quarter: int, neighbour: int, *, over_rivers: bool
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


def _find_town_sites(placement: Dba3Placement, pick: PiecePick, quarter: int) -> Iterator[Site]:
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


def _make_hill_site(placement: Dba3Placement, pick: PiecePick, hill: PlacedPiece, region: Polygon) -> Site | None:
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
    pick: PiecePick,
    identity: str,
    shape: PieceOutline,
    placed_outline: PlacedOutline,
    origin: Origin,
) -> Feature:
    """Return the feature of a piece at its place: a gully as a course, others as an area or hill.

    ``shape`` is its outline around the origin, ``placed_outline`` the position found for it. ``identity`` becomes its
    ID.
    """
    terrain_type = placement.terms.type_of(pick)
    if shape.bed is not None:
        bed = _move_bed(shape.bed, shape.outline, placed_outline)
        return piece_features.make_course(terrain_type, identity, bed, shape.width, origin)
    return piece_features.make_area_feature(pick.terrain, terrain_type, identity, placed_outline, origin)


def _move_bed(bed: LineString, outline: Polygon, placed_outline: PlacedOutline) -> LineString:
    """Return the centre line of a gully in mm on the board, rotated and moved like its outline.

    ``bed`` and ``outline`` are the line and the outline of the gully around the origin.
    """
    rotated_centre = affinity.rotate(outline, placed_outline.angle_deg, origin=(0, 0)).centroid
    rotated_bed = affinity.rotate(bed, placed_outline.angle_deg, origin=(0, 0))
    target_centre = placed_outline.outline.centroid
    return affinity.translate(rotated_bed, target_centre.x - rotated_centre.x, target_centre.y - rotated_centre.y)
