"""Place each piece of terrain at a result of its dice: river, roads, town and area pieces (SD-3.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace
from shapely import Polygon

from printkit.chance.streams import Stream
from printkit.core.errors import Sentence
from printkit.kit.placement import SLACK, PlacedOutline, PlacementArea, PlacementFailure, find_placement
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain
from printkit.systems.dba.ground.frame import Quarter, sector_area
from printkit.systems.dba.ground.piece_features import make_area_feature
from printkit.systems.dba.ground.placed_pieces import PlacedPiece, TerrainPlacement
from printkit.systems.dba.ground.placing_turns import NewCourse, PlacementResult, block_by_road
from printkit.systems.dba.ground.shapes import PieceOutline, draw_size, fit_sides, load_looks, load_measures, outline
from printkit.systems.dba.ground.terrain_limits import COURSES, HILLS, PiecePick, Terrain
from printkit.systems.dba.ground.terrain_rules import TerrainRules
from printkit.systems.solo.terrain.placement import HIGH, LOW, PlacementTerms
from printkit.systems.solo.terrain.terrain_rules import PLACED_RULES, SoloSurroundings
from printkit.terrain.field.features import Origin


class PlacementStep(Struct, frozen=True, kw_only=True):
    """A roll for a piece: its result, the log numbers of its dice, and why it was refused, or empty."""

    identity: str
    terrain: Terrain
    result: str
    throws: tuple[int, ...]
    refusal: str = ""


class SoloPlacement(TerrainPlacement, kw_only=True):
    """The pieces placed so far, the dice, and the rolls made."""

    terms: PlacementTerms
    placed_rules: TerrainRules = field(default_factory=lambda: PLACED_RULES)
    hard: tuple[Terrain, ...] = (Terrain.STEEP_HILL, Terrain.MARSH)
    steps: list[PlacementStep] = field(default_factory=list)

    def find_surroundings(self, identity: str, result: str) -> SoloSurroundings:
        """Return what a new piece with this ID and result of its dice is measured against: the pieces so far."""
        results = {**{piece.identity: piece.result for piece in self.placed_pieces}, identity: result}

        def find_result(piece: CheckedTerrain) -> str:
            """Return the result of the dice of a piece."""
            return results[piece.id]

        return SoloSurroundings(
            terms=self.terms,
            pieces=tuple(piece.checked for piece in self.placed_pieces),
            bad_count=sum(self.terms.is_bad(pick.terrain) for pick in self.picks if pick.terrain not in COURSES),
            find_result=find_result,
            rounding_mm=SLACK,
        )

    def failed_conditions(self) -> tuple[str, ...]:
        """Return the failed conditions on the whole board: ``features``, ``cover`` or both (SD-3.3-b)."""
        return self.check_conditions(self.find_quarters(), self.find_quarters(cover=True))

    def check_conditions(self, features: set[Quarter], cover: set[Quarter]) -> tuple[str, ...]:
        """Return the failed conditions (``features``, ``cover``), given the quarters with each; may be empty."""
        quarters_by_condition, minimum = {"features": features, "cover": cover}, self.terms.rules.number
        return tuple(
            name
            for name, quarters in quarters_by_condition.items()
            if len(quarters) < minimum(f"quarters_with_{name}_min")
        )

    def find_quarters(self, *, cover: bool = False) -> set[Quarter]:
        """Return the quarters with part of a piece; with ``cover``, of a river, waterway or bad going."""
        return self.terms.find_quarters(
            *(piece.shape for piece in self.placed_pieces if not cover or self.terms.is_cover(piece.pick.terrain))
        )


def place_river(
    placement: SoloPlacement, pick: PiecePick, identity: str, result: str, origin: Origin
) -> PlacementResult:
    """Return a river in its band as one feature, clear of area pieces, or what blocks it.

    Args:
        placement: the terrain placed so far; it does not change.
        pick: the pick of the river.
        identity: the ID of the river.
        result: the band of its die, for example ``across-near``.
        origin: the clauses and rolls of the feature.
    """
    river = NewCourse(
        placement=placement,
        pick=pick,
        identity=identity,
        result=result,
        limits=placement.terms.river_limits(result),
        origin=origin,
    )
    line = river.route_river(f"{identity}/{result}", placement.area_pieces())
    return river.place([line], Sentence("the clearance from the edges"))


def find_road_sides(placement: SoloPlacement, result: str) -> tuple[str, ...]:
    """Return the sides of the middle line for a middle road, the one with fewer features first.

    A side is ``low`` (near or left) or ``high`` (far or right). The result is empty for other roads. If the road must
    touch a town, only sides that reach it count. If both sides meet as many features, ``low`` comes first; the caller
    then lets the player or a roll choose (AMB-22).

    Args:
        placement: the terrain placed so far.
        result: the result of its die, for example ``across-middle``.
    """
    if not result.endswith(("-middle", "-centre")):
        return ()
    town = _find_unconnected_town(placement)
    sides = [
        side
        for side in (LOW, HIGH)
        if town is None or placement.terms.road_limits(result, side).band.intersects(town.shape)
    ]
    return tuple(sorted(sides or (LOW, HIGH), key=lambda side: _count_met_features(placement, result, side)))


def has_equal_sides(placement: SoloPlacement, result: str, sides: tuple[str, ...]) -> bool:
    """Return whether both sides are possible and a road meets as many features on each of them.

    ``result`` is the result of the road's dice, and ``sides`` are its possible sides.
    """
    return len(sides) == 2 and len({_count_met_features(placement, result, side) for side in sides}) == 1


def place_road(
    placement: SoloPlacement, pick: PiecePick, identity: str, result: str, origin: Origin, side: str = ""
) -> PlacementResult:
    """Return a road along its row or column with its crossings, or what blocks it.

    The course is the first feature. A second road with the same result is not possible. The last road must touch the
    town if no other does.

    Args:
        placement: the terrain placed so far; it does not change.
        pick: the pick of the road.
        identity: the ID of the road.
        result: the result of its die.
        origin: the clauses and rolls of the feature.
        side: the side of the middle line for a middle road, ``low`` or ``high``; otherwise empty.
    """
    if failure := block_by_road(find_same_roads(placement, result)):
        return failure
    road = NewCourse(
        placement=placement,
        pick=pick,
        identity=identity,
        result=result,
        limits=placement.terms.road_limits(result, side),
        origin=origin,
    )
    name, town = f"{identity}/{result}{side}", _find_unconnected_town(placement)
    line = None if town is None else road.route_road(f"{name}/town", town.shape)
    # Compare the ID with the number of picked roads: an earlier road may be missing from the table.
    is_last = identity == f"road-{sum(pick.terrain is Terrain.ROAD for pick in placement.picks)}"
    if town is not None and line is None and is_last:
        return PlacementFailure((Sentence("the way to {town}", town=town.identity),))
    return road.place([line if line is not None else road.route_road(name, None)])


def find_same_roads(placement: SoloPlacement, result: str) -> list[PlacedPiece]:
    """Return the placed roads with a result of the road die, whatever their side (AMB-23)."""
    return [road for road in placement.select_pieces(Terrain.ROAD) if road.result.split("/")[0] == result]


def _find_unconnected_town(placement: SoloPlacement) -> PlacedPiece | None:
    """Return the town if no road touches it yet, otherwise None (SD-3.3.5-a)."""
    for town in placement.select_pieces(Terrain.BUA)[:1]:
        if all(road.shape.distance(town.shape) > 0 for road in placement.select_pieces(Terrain.ROAD)):
            return town
    return None


def _count_met_features(placement: SoloPlacement, result: str, side: str) -> int:
    """Return how many features a road meets on one side of the middle line (AMB-22).

    ``result`` is the result of the road's dice.
    """
    return len(placement.find_overlapping(placement.terms.road_limits(result, side).band))


# Scale factors of the sizes to try, largest first.
_SIZE_FACTORS = (1.0, 0.8, 0.62)
# Short side of the smallest size to try, in base widths.
_MIN_SIZE_BW = 1.25


def place_area(
    placement: SoloPlacement,
    pick: PiecePick,
    identity: str,
    result: str,
    origin: Origin,
    accept: Callable[[Polygon], bool] | None = None,
) -> PlacementResult:
    """Return an area piece at a result of its dice as one feature, or what blocks it (SD-3.3.2, SD-3.3.4).

    A piece uses the same outlines for all results, large ones before small ones.

    Args:
        placement: the terrain placed so far; it does not change.
        pick: the pick of the piece.
        identity: the ID of the piece.
        result: the corner of a town, for example ``near-left``; otherwise column and row, for example ``left/near``.
        origin: the clauses and rolls of the feature.
        accept: gets the outline in mm and returns whether it meets the conditions on the whole board; None for no such
            test.
    """
    straddles = placement.find_surroundings(identity, result).must_straddle(pick.terrain)
    keeps_rules = placement.make_test(pick, identity, result)

    def fits(outline: Polygon) -> bool:
        """Return whether the piece keeps its rules and meets the additional test."""
        return keeps_rules(outline) and (accept is None or accept(outline))

    outlines = placement.get_outlines(
        identity, lambda stream: _iter_outlines(placement, pick.terrain, stream, straddles=straddles)
    )
    name = f"{identity}/{result}" + ("/again" if accept else "")
    failure = PlacementFailure(())
    for number, area in enumerate(_find_areas(placement, pick.terrain, result, straddles=straddles)):
        stream = placement.stream(f"{name}/place/{number}")
        position = find_placement(area, (shape.outline for shape in outlines), stream, fits)
        if isinstance(position, PlacedOutline):
            terrain_type = placement.terms.type_of(pick)
            return (make_area_feature(pick.terrain, terrain_type, identity, position, origin),)
        failure = position
    return failure


def _find_areas(
    placement: SoloPlacement, terrain: Terrain, result: str, *, straddles: bool
) -> tuple[PlacementArea, ...]:
    """Return where a piece may go, in the order to try the areas.

    A town is in the square of its corner. Other pieces have at least half of their area in their sector.
    """
    board, terms, room = placement.board, placement.terms, load_measures("room")
    base = board.scale.base_width
    obstacles = placement.closed_areas(lambda _piece: terms.gap)
    if terrain is Terrain.BUA:
        bounds = board.shape.buffer(-float(room["bua_edge"]) * base, join_style="mitre")
        return (PlacementArea(region=terms.corner_square(result), share=1.0, bounds=bounds, obstacles=obstacles),)
    # A river cannot cross a hill; other pieces may overlap it.
    rivers = placement.closed_courses(Terrain.RIVER, float(room["river"]) * base) if terrain in HILLS else ()
    area = PlacementArea(
        region=sector_area(board, *result.split("/")),
        share=terms.rules.number("sector_share_min"),
        bounds=board.shape,
        obstacles=(*obstacles, *rivers),
        crossed_lines=(("x", board.width / 2), ("y", board.depth / 2)) if straddles else (),
        min_area=terms.min_straddle_area,
    )
    # Prefer positions away from the edge and the roads; the rules do not require it.
    preferred_area = replace(
        area,
        bounds=board.shape.buffer(-float(room["edge"]) * base, join_style="mitre"),
        obstacles=(*area.obstacles, *placement.closed_courses(Terrain.ROAD, 0.0)),
    )
    return preferred_area, area


def _iter_outlines(
    placement: SoloPlacement, terrain: Terrain, stream: Stream, *, straddles: bool
) -> Iterator[PieceOutline]:
    """Yield outlines of a piece, large to small; also long ones if it must be in two quarters.

    They are around the origin, in mm on the board. ``straddles`` says whether it must be in two quarters.
    """
    look, base = load_looks()[terrain], placement.board.scale.base_width
    limits = placement.terms.size_limits(terrain)
    long, short = draw_size(look, limits, base, stream)
    sizes = [(factor * long, factor * short) for factor in _SIZE_FACTORS]
    if terrain is Terrain.BUA or not straddles:
        sizes.append((_MIN_SIZE_BW * base * max(1.0, min(1.4, long / short)), _MIN_SIZE_BW * base))
    if straddles:
        reach = limits.sides_max / 9
        sizes.append((6 * reach, 3 * reach))
        if limits.ratio_max is None:
            sizes.append((7 * reach, 1.9 * reach))
    for size in sizes:
        # A long and narrow piece has less bend, so that it is not too long.
        size_look = replace(look, bend=0.5 * look.bend) if size[0] > 1.9 * size[1] else look
        yield PieceOutline(outline(size_look, fit_sides(*size, limits), limits, stream))
