"""Place the chosen features one after the other, with a die each for the quarter (D3-28..D3-31).

Features without a legal place in their quarter are discarded (D3-39).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

from shapely import Polygon

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter, Stream
from printkit.core.errors import Sentence
from printkit.core.numbers import is_number
from printkit.kit.placement import PlacedOutline, PlacementFailure, find_placement, search_placement
from printkit.systems.dba.ground.frame import Axis, find_axis
from printkit.systems.dba.ground.placed_pieces import (
    BlockedPiece,
    PlacedPiece,
    PlacedTerrain,
    choice_facts,
    order_picks,
)
from printkit.systems.dba.ground.placing_turns import (
    NewCourse,
    PieceTurn,
    PlacementResult,
    block_by_road,
    place_pieces,
)
from printkit.systems.dba.ground.shapes import PieceOutline
from printkit.systems.dba.ground.terrain_limits import COURSES, HILLS, PiecePick, Terrain
from printkit.systems.dba.ground.terrain_rules import TerrainRules, keeps_rules
from printkit.systems.dba3.placing.placement import Dba3Placement, KeepOut, make_outlines
from printkit.systems.dba3.placing.selection import name_pick
from printkit.systems.dba3.placing.sites import QuarterSites
from printkit.systems.dba3.placing.terms import HomeTopography, Terms
from printkit.systems.dba3.placing.terrain_rules import PLACED_RULES, SIZE_RULES, may_be_small
from printkit.systems.dba3.placing.zones import QUARTER_NUMBERS, quarter_edges, quarter_strip
from printkit.terrain.field.battlefield import Edge

_ONE_EACH: Final = (Terrain.WATERWAY, Terrain.RIVER, Terrain.BUA, Terrain.OASIS, Terrain.GULLY)
# Terrain that roads avoid most.
_HARD_TERRAIN: Final = (Terrain.STEEP_HILL, Terrain.MARSH, Terrain.GULLY, Terrain.BUA)
# Terrain that a river may not cross (D3-53), and a gully.
_UNCROSSABLE: Final = (*HILLS, Terrain.BUA, Terrain.GULLY)
_DEFENDER: Final = "defender"
_FIRST_TRIES: Final = 24


def place_features(
    picks: tuple[PiecePick, ...],
    terms: Terms,
    dice: Dice,
    jitter: Jitter,
    *,
    keep_out: KeepOut | None = None,
    more_rules: TerrainRules | None = None,
) -> PlacedTerrain:
    """Return the chosen features, placed by dice, and those that were discarded without room.

    Args:
        picks: the compulsory features first.
        terms: the rules of the game and its board.
        dice: the dice of the placement stage; its name is also the prefix of the random streams.
        jitter: the source of the random streams for shapes and positions.
        keep_out: gets a terrain type, the board and the waterway, and returns additional ground that features avoid.
        more_rules: rules for placing features, in addition to those of DBA 3.
    """
    more = more_rules or {}
    placement = Dba3Placement(
        terms=terms,
        placed_rules={terrain: (*rules, *more.get(terrain, ())) for terrain, rules in PLACED_RULES.items()},
        hard=_HARD_TERRAIN,
        dice=dice,
        jitter=jitter,
        picks=picks,
        keep_out=keep_out,
    )

    def start_turn(pick: PiecePick, identity: str) -> _FeatureTurn:
        """Return the turn of a feature."""
        return _FeatureTurn(placement=placement, pick=pick, identity=identity, roll_count=len(dice.log))

    discarded = place_pieces(placement, order_features(picks), start_turn)
    return PlacedTerrain(placed_pieces=tuple(placement.placed_pieces), blocked_pieces=discarded)


def order_features(picks: Sequence[PiecePick]) -> tuple[tuple[PiecePick, str], ...]:
    """Return the picks in placing order, each with the ID of its feature (D3-28).

    After waterway and compulsory features the river comes first, because it needs most space. Then come areas, then
    roads, which can pass everything.
    """

    def turn(pick: PiecePick) -> int:
        """Return the placing turn of a pick, from 0; lower turns are placed first."""
        if pick.terrain is Terrain.WATERWAY:
            return 0
        if pick.compulsory:
            return 1
        return {Terrain.RIVER: 2, Terrain.BUA: 3, Terrain.ROAD: 5}.get(pick.terrain, 4)

    return order_picks(picks, turn, _ONE_EACH, {Terrain.STEEP_HILL: "difficult-hill"})


def warn_of_discarded(feature: BlockedPiece) -> Sentence:
    """Return the message that a feature is discarded, with its quarter and its obstacles (D3-39)."""
    return Sentence(
        "{identity} is discarded: it is blocked in quarter {quarter} by {blocked} (D3-39)",
        identity=feature.identity,
        quarter=int(feature.result),
        blocked=PlacementFailure(feature.blockers),
    )


def warn_of_turned(course: PlacedPiece) -> Sentence:
    """Return the message that a course does not run in the chosen direction (D3-35)."""
    return Sentence(
        "{identity} does not run in the chosen direction: it is blocked there by {blocked} (D3-35)",
        identity=course.identity,
        blocked=PlacementFailure(course.turned_by),
    )


class _FeatureTurn(PieceTurn, kw_only=True):
    """The turn of one feature; the results of its dice are the numbers of quarters, 1 to 4.

    Quarters are 1 near left, 2 far left, 3 far right and 4 near right.
    """

    placement: Dba3Placement

    def roll_results(self) -> Iterator[str]:
        """Yield the quarters to try: that of the die, or those that a side chooses until the feature fits.

        The defender sees that there is no space and chooses another quarter; the invader may have wanted that.
        """
        reason = Sentence("quarter of {feature}", feature=self.identity)
        result = self.placement.terms.rules.outcomes("quarter").roll(self.placement.dice, reason)
        if is_number(result):
            yield result
            return
        tried_quarters: list[int] = []
        for _ in QUARTER_NUMBERS if result == _DEFENDER else QUARTER_NUMBERS[:1]:
            tried_quarters.append(self._choose_quarter(result, tried_quarters))
            yield str(tried_quarters[-1])

    def place_at(self, result: str) -> PlacedPiece | PlacementFailure:
        """Return the feature placed in a quarter, or the obstacles that block it."""
        quarter = int(result)
        if self.pick.terrain is Terrain.WATERWAY:
            edge = self._choose_edge(quarter)
            return self.take_place(result, self.place_waterway(edge, quarter), edge=edge)
        if self.pick.terrain in COURSES:
            outcome, turned_by = self._place_course(quarter)
            return self.take_place(result, outcome, turned_by=turned_by)
        return self.take_place(result, self._place_area(quarter))

    def make_outlines(self, stream: Stream) -> Iterator[PieceOutline]:
        """Yield the legal outlines; a curved outline can become more slender with each try to make it fit."""
        surroundings = self.placement.find_surroundings(self.identity, "")
        is_small = may_be_small(self.identity, surroundings)
        for shape in make_outlines(self.pick, self.placement.terms, stream, may_be_small=is_small):
            if keeps_rules(SIZE_RULES, self.make_candidate(shape.outline), surroundings):
                yield shape

    def _choose_quarter(self, role: str, tried_quarters: Sequence[int]) -> int:
        """Return the quarter that a side chooses from those not tried yet (D3-30, D3-31).

        ``role`` is ``defender`` or ``invader``. The question is logged.
        """
        options = tuple(number for number in QUARTER_NUMBERS if number not in tried_quarters)
        clause = "D3-30" if role == _DEFENDER else "D3-31"
        reason = Sentence("quarter of {feature} for the {side}", feature=self.identity, side=role)
        if tried_quarters:
            reason = Sentence("{reason} again", reason=reason)
        return self.placement.dice.choose(options, reason, clause, asks=True)

    def _choose_edge(self, quarter: int) -> Edge:
        """Return the edge for a waterway in a quarter: the defender chooses one of two (D3-45)."""
        reason = Sentence("edge of {feature}", feature=self.identity)
        edges = [edge.value for edge in quarter_edges(quarter)]
        return Edge(self.placement.dice.choose(edges, reason, "D3-45", asks=True))

    def _place_course(self, quarter: int) -> tuple[PlacementResult, tuple[str, ...]]:
        """Return a course along the axis that the defender chooses, otherwise along the other (D3-35).

        The second result are the obstacles along the chosen axis. If both axes are blocked, so is the first. Axes of
        earlier roads in the same half of the board are left out for a road if another one remains.
        """
        is_river = self.pick.terrain is Terrain.RIVER
        free_axes = [axis for axis in Axis if is_river or not self._find_roads(quarter, axis)]
        axes = free_axes or list(Axis)
        if len(axes) > 1:
            reason = Sentence("which way {feature} runs", feature=self.identity)
            first_axis = self.placement.dice.choose([axis.value for axis in axes], reason, "D3-35", asks=True)
            axes = sorted(axes, key=lambda axis: axis != first_axis)
        outcome: PlacementResult = PlacementFailure(())
        turned_by: tuple[str, ...] = ()
        for axis in axes:
            outcome = self._place_river(quarter, axis) if is_river else self._place_road(quarter, axis)
            if not isinstance(outcome, PlacementFailure):
                break
            turned_by = turned_by or outcome.obstacles
        return outcome, turned_by

    def _place_river(self, quarter: int, axis: Axis) -> PlacementResult:
        """Return a river along an axis through a quarter, or the obstacles that block it.

        It avoids every feature if it can, and never crosses a hill or a built-up area (D3-53).
        """
        areas, river = self.placement.area_pieces(), self._start_course(quarter, axis)
        closed_areas = [area for area in areas if area.pick.terrain in _UNCROSSABLE]
        avoided_sets = (areas, closed_areas) if len(closed_areas) < len(areas) else (areas,)
        lines = (river.route_river(f"{quarter}/{axis}/{number}", each) for number, each in enumerate(avoided_sets))
        return river.place(lines, Sentence("the clearance from the edges"))

    def _place_road(self, quarter: int, axis: Axis) -> PlacementResult:
        """Return a road along an axis through a quarter with its fords, or the obstacles that block it.

        A second road along the same axis in the same half of the board is not possible.
        """
        if failure := block_by_road(self._find_roads(quarter, axis)):
            return failure
        road = self._start_course(quarter, axis)
        town = self._find_town_without_road(road.limits.band)
        targets = {"town": town, "plain": None} if town is not None else {"plain": None}
        lines = (road.route_road(f"{quarter}/{axis}/{part}", target) for part, target in targets.items())
        return road.place(lines, Sentence("the limits of its ground"))

    def _start_course(self, quarter: int, axis: Axis) -> NewCourse:
        """Return a course along an axis through a quarter, to be placed."""
        limits = self.placement.terms.course_limits(self.pick.terrain, axis, quarter)
        return NewCourse(self, str(quarter), limits, quarter)

    def _find_roads(self, quarter: int, axis: Axis) -> list[PlacedPiece]:
        """Return the placed roads along an axis in the half of the board with a quarter."""
        board, half = self.placement.board, quarter_strip(self.placement.board, quarter, axis)
        roads = self.placement.select_pieces(Terrain.ROAD)
        return [road for road in roads if find_axis(road.shape, board) is axis and half.covers(road.shape.centroid)]

    def _find_town_without_road(self, band: Polygon) -> Polygon | None:
        """Return the outline of a town without a road in a band, both in mm on the board; otherwise None (D3-51)."""
        roads = self.placement.select_pieces(Terrain.ROAD)
        for town in (piece.shape for piece in self.placement.select_pieces(Terrain.BUA)):
            if town.intersects(band) and not any(road.view.ground.intersects(town) for road in roads):
                return town
        return None

    def _place_area(self, quarter: int) -> PlacementResult:
        """Return an area feature in a quarter, or up to three obstacles that block it.

        Each size gets its number of tries at random places and rotations, shared among the sites. Then the next smaller
        size is tried. If all tries fail, a search on a grid decides whether there is a place (D3-39).
        """
        sites = tuple(QuarterSites(self.placement, self.pick, quarter).find_sites(self.stream(f"{quarter}/reach")))
        if not sites:
            return PlacementFailure((Sentence("the limits of its ground"),))
        accept = self.make_test(str(quarter))
        try_count = max(1, self.placement.terms.rules.whole("tries") // len(sites))
        blocks: dict[str, None] = {}
        for size, shape in enumerate(self.outlines):
            # Most features fit within the first few tries, so further places are drawn only when needed.
            for part_name, tries in (("first", min(_FIRST_TRIES, try_count)), ("more", try_count - _FIRST_TRIES)):
                for number, site in enumerate(sites) if tries > 0 else ():
                    stream = self.stream(f"{quarter}/place/{size}/{number}/{part_name}")
                    result = find_placement(site.ground, (shape.outline,), stream, site.narrow(accept), tries=tries)
                    if isinstance(result, PlacedOutline):
                        return self.make_area_piece(result, quarter, shape)
                    blocks.update(dict.fromkeys(result.obstacles))
        for shape, site in product(self.outlines, sites):
            if (position := search_placement(site.ground, shape.outline, site.narrow(accept))) is not None:
                return self.make_area_piece(position, quarter, shape)
        return PlacementFailure(tuple(blocks)[:3])


def build_terrain_facts(home: HomeTopography, picks: tuple[PiecePick, ...], terrain: PlacedTerrain) -> dict[str, Any]:
    """Return the home topography and the features in placing order, ready for the JSON record.

    The keys are ``home``, ``pieces`` and ``discarded``. In ``pieces`` the quarter of a discarded feature is null.
    ``discarded`` lists quarters and obstacles. ``of`` is the number of compulsory or of optional features, and
    ``turned_by`` has the obstacles of a course that does not run in the chosen direction.
    """
    quarters = {piece.identity: int(piece.result) for piece in terrain.placed_pieces}
    turned_by = {piece.identity: piece.turned_by for piece in terrain.placed_pieces if piece.turned_by}
    return {
        "home": home.value,
        "pieces": [
            {
                "id": identity,
                "terrain": pick.terrain.value,
                "bua": pick.town or None,
                **choice_facts(pick, picks),
                "quarter": quarters.get(identity),
                **({"turned_by": list(turned_by[identity])} if identity in turned_by else {}),
            }
            for pick, identity in order_features(picks)
        ],
        "discarded": [
            {
                "id": piece.identity,
                "name": name_pick(piece.pick),
                "quarter": int(piece.result),
                "by": list(piece.blockers),
            }
            for piece in terrain.blocked_pieces
        ],
    }
