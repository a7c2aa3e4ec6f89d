"""The ground where a feature may be: in its quarter or across into the next, a town in a corner or on a hill."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import Polygon

from printkit.chance.streams import Stream
from printkit.kit.placement import PlacementArea, PlacementObstacle, share_inside
from printkit.systems.dba.ground.frame import corner_area
from printkit.systems.dba.ground.placed_pieces import PlacedPiece
from printkit.systems.dba.ground.shapes import load_measures
from printkit.systems.dba.ground.terrain_limits import HILLS, PiecePick, Terrain
from printkit.systems.dba3.placing.placement import Dba3Placement
from printkit.systems.dba3.placing.terms import QuarterReach
from printkit.systems.dba3.placing.zones import (
    NUMBERED_QUARTERS,
    dividing_line,
    joined_quarters,
    neighbour_numbers,
    quarter_ground,
)
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.outlines import largest_polygon

# Smallest share of a feature in its quarter, if it crosses the line to another.
_HOME_SHARE: Final = 0.52

# Share of the features that may reach into another quarter and do (D3-33).
_CROSSING_SHARE: Final = 0.35

# Gap in base widths between a town on a hill and the foot of the hill.
_HILL_MARGIN_BW: Final = 0.12

_HILL_FACTOR: Final = 1.15

# Area in the other quarter of a feature across a line, as a multiple of the required minimum.
_REACH_FACTOR: Final = 1.1

# Gap in base widths between a built-up area and other features; it may be closer than they are, without contact
# (D3-38).
_TOWN_GAP: Final = 0.3


class Site(Struct, frozen=True):
    """Ground to try, and a further condition for a place on it."""

    ground: PlacementArea
    accept: Callable[[Polygon], bool] | None = None

    def narrow(self, accept: Callable[[Polygon], bool]) -> Callable[[Polygon], bool]:
        """Return a test by the further condition of this site, then by another one."""
        own_test = self.accept
        return accept if own_test is None else lambda outline: own_test(outline) and accept(outline)


class QuarterSites(Struct, frozen=True):
    """The sites for a feature with the quarter of its die.

    Quarters are 1 near left, 2 far left, 3 far right and 4 near right.
    """

    placement: Dba3Placement
    pick: PiecePick
    quarter: int

    def find_sites(self, stream: Stream) -> Iterator[Site]:
        """Yield the ground in the quarter and next to it, in the order to try it.

        The stream decides whether ground across two quarters comes before or after ground in the quarter. Sites without
        rivers come before those over rivers.
        """
        if self.pick.town:
            yield from self._find_town_sites()
            return
        placement, terrain = self.placement, self.pick.terrain
        reach = placement.terms.piece_rules[terrain].reach
        prefers_crossing, start = stream.draw_unit() < _CROSSING_SHARE, stream.draw_index(2)
        neighbours = neighbour_numbers(self.quarter)
        off_rivers = (False,) if terrain in HILLS or not placement.select_pieces(Terrain.RIVER) else (False, True)
        for over_rivers in off_rivers:
            inside_sites = [
                Site(self._free_ground(self._own_quarter, over_rivers=over_rivers))
                for _ in range(reach is not QuarterReach.MUST)
            ]
            crossing_sites = [
                self._make_crossing_site(neighbour, over_rivers=over_rivers)
                for neighbour in (*neighbours[start:], *neighbours[:start])
                if reach is not QuarterReach.INSIDE
            ]
            yield from (*crossing_sites, *inside_sites) if prefers_crossing else (*inside_sites, *crossing_sites)

    @property
    def _own_quarter(self) -> Polygon:
        """Return the quarter in mm on the board."""
        return quarter_ground(self.placement.board, self.quarter)

    def _free_ground(self, region: Polygon, *, over_rivers: bool = False, hill_id: str = "") -> PlacementArea:
        """Return the part of a region for the feature, clear of other features and optionally of rivers.

        The region is in mm on the board, and loses the gap to the edges of the board (D3-37, D3-38).

        Args:
            over_rivers: include rivers in the ground.
            hill_id: the ID of the hill for a town on a hill.
        """
        placement, terrain, base = self.placement, self.pick.terrain, self.placement.board.scale.base_width
        margin = placement.terms.rules.length("edge_gap_bw_min")
        if terrain is Terrain.BUA:
            margin = min(margin, float(load_measures("room")["bua_edge"]) * base)
        bounds = shapely.box(margin, margin, placement.board.width - margin, placement.board.depth - margin)
        river_gap = float(load_measures("room")["river"]) * base
        closed: tuple[PlacementObstacle, ...] = (
            *placement.closed_areas(self._find_gap, hill_id),
            *placement.reserved_ground(terrain),
            *(() if over_rivers else placement.closed_courses(Terrain.RIVER, river_gap)),
        )
        return PlacementArea(region=region.intersection(bounds), share=1.0, bounds=bounds, obstacles=closed)

    def _find_gap(self, piece: PlacedPiece) -> float:
        """Return the distance to keep from a placed piece, in mm on the board."""
        length, town_gap = self.placement.terms.rules.length, _TOWN_GAP * self.placement.board.scale.base_width
        if piece.pick.terrain is Terrain.WATERWAY:
            water_gap = length("water_gap_bw_min")
            return min(water_gap, town_gap) if self.pick.terrain is Terrain.BUA else water_gap
        return town_gap if Terrain.BUA in (self.pick.terrain, piece.pick.terrain) else length("area_gap_bw_min")

    def _make_crossing_site(self, neighbour: int, *, over_rivers: bool) -> Site:
        """Return the ground of the quarter and a neighbour for a feature across their line (D3-32, D3-33).

        Most of the feature must be in its own quarter. With ``over_rivers`` the ground includes rivers.
        """
        board, own_quarter = self.placement.board, self._own_quarter
        reach = _REACH_FACTOR * self.placement.terms.rules.number("reach_sqbw_min") * board.scale.base_width**2
        ground = self._free_ground(joined_quarters(board, self.quarter, neighbour), over_rivers=over_rivers)
        ground = replace(ground, crossed_lines=(dividing_line(board, self.quarter, neighbour),), min_area=reach)
        return Site(ground, lambda outline: share_inside(outline, own_quarter) >= _HOME_SHARE)

    def _find_town_sites(self) -> Iterator[Site]:
        """Yield the sites for a town: open ground, and hills if it may be on one.

        Some towns need a place in the corner square. A fort tries hills first, others last.
        """
        town, region = self.placement.terms.towns[self.pick.town], self._own_quarter
        if town.is_in_corner:
            side = self.placement.terms.rules.length("bua_corner_bw")
            corner = corner_area(self.placement.board, NUMBERED_QUARTERS[self.quarter - 1], side, side)
            region = corner.intersection(region)
        open_ground = Site(self._free_ground(region))
        hills = self.placement.select_pieces(*HILLS) if town.may_be_on_hill else []
        hill_sites = [site for hill in hills if not (site := self._make_hill_site(hill, region)).ground.region.is_empty]
        # A fort prefers a hill; a city uses a hill only if there is no other space (D3-42).
        yield from (*hill_sites, open_ground) if town.kind is Kind.FORT else (open_ground, *hill_sites)

    def _make_hill_site(self, hill: PlacedPiece, region: Polygon) -> Site:
        """Return the ground for a town on a hill inside ``region`` (mm on the board); it may be empty."""
        margin = _HILL_MARGIN_BW * self.placement.board.scale.base_width
        top = largest_polygon(hill.shape.buffer(-margin).intersection(region))
        ground = self._free_ground(top, hill_id=hill.identity)
        return Site(ground, lambda outline: bool(_HILL_FACTOR * outline.area <= hill.shape.area))
