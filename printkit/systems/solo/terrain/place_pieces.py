"""The turn of each piece: its dice, and its place as waterway, town, river, area piece or road (SD-3.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core.errors import Sentence
from printkit.kit.placement import SLACK, PlacedOutline, PlacementArea, PlacementFailure, find_placement
from printkit.systems.dba.ground.frame import Quarter, sector_area
from printkit.systems.dba.ground.placed_pieces import PlacedPiece, TerrainPlacement
from printkit.systems.dba.ground.placing_turns import NewCourse, PieceTurn, PlacementResult, block_by_road
from printkit.systems.dba.ground.shapes import PieceOutline, draw_size, fit_sides, load_looks, load_measures, outline
from printkit.systems.dba.ground.terrain_limits import COURSES, HILLS, Terrain
from printkit.systems.dba.ground.terrain_rules import TerrainRules
from printkit.systems.solo.terrain.placement import HIGH, LOW, PlacementTerms
from printkit.systems.solo.terrain.terrain_rules import PLACED_RULES, SoloSurroundings
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Course

# Maximum rolls for one piece, in case the dice never give a result that fits.
_MAX_ROLLS: Final = 200

# Scale factors of the sizes to try, largest first.
_SIZE_FACTORS = (1.0, 0.8, 0.62)
# Short side of the smallest size to try, in base widths.
_MIN_SIZE_BW = 1.25


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
        return SoloSurroundings(
            terms=self.terms,
            pieces=tuple(piece.view for piece in self.placed_pieces),
            bad_count=sum(self.terms.is_bad(pick.terrain) for pick in self.picks if pick.terrain not in COURSES),
            find_result=lambda piece: results[piece.id],
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


class SoloTurn(PieceTurn, kw_only=True):
    """The turn of a piece; results of dice are for example ``left/near``, or ``across-middle`` for a road.

    ``accept`` tests the conditions on the whole board, and ``cause`` says why the piece is rolled again for them.
    ``failures`` has what blocks the piece, by result.
    """

    placement: SoloPlacement
    accept: Callable[[BaseGeometry], bool] | None = None
    cause: Sentence | None = None
    failures: dict[str, PlacementFailure] = field(default_factory=dict)

    @property
    def possible_results(self) -> tuple[str, ...]:
        """Return every possible result of its dice; column and row of a sector as ``left/near``."""
        tables = map(self.placement.terms.rules.outcomes, self._reasons)
        first, *others = [tuple(dict.fromkeys(row.outcome for row in table.rows)) for table in tables]
        return tuple(f"{column}/{row}" for column in first for row in others[0]) if others else first

    def roll_results(self) -> Iterator[str]:
        """Yield the results of its dice, rolled again while one is possible that was not blocked yet."""
        cause, is_feasible = self.cause, False
        for _ in range(_MAX_ROLLS):
            result = self.roll(cause)
            yield result
            cause = Sentence("{result} cannot be", result=result)
            is_feasible = is_feasible or self._has_feasible_result()
            if not is_feasible:
                return

    def roll(self, cause: Sentence | None = None) -> str:
        """Roll its dice and return the result: one die, or column and row of a sector (SD-3.3.4, AMB-17).

        ``cause`` is the reason for a re-roll; None for the first roll.
        """
        self.roll_count = len(self.placement.dice.log)
        outcomes = []
        for name, reason in self._reasons.items():
            roll_reason = Sentence("{reason} again: {why}", reason=reason, why=cause) if cause else reason
            outcomes.append(self.placement.terms.rules.outcomes(name).roll(self.placement.dice, roll_reason))
        return "/".join(outcomes)

    def place_at(self, result: str) -> PlacedPiece | PlacementFailure:
        """Return the piece at a result of its dice, or what blocks it there; add the step of the roll."""
        throws = self.make_origin().throws
        outcome = self.failures.get(result) or self.try_result(result, asks=True)
        if isinstance(outcome, PlacedPiece):
            self._add_step(outcome.result, self.make_origin().throws)
        else:
            self.failures[result] = outcome
            self._add_step(result, throws, refusal=str(outcome))
        return outcome

    def try_result(self, result: str, *, asks: bool = False) -> PlacedPiece | PlacementFailure:
        """Return the piece at a result of its dice, or what blocks it there.

        If ``asks`` is set, the user or a roll chooses between equal sides of the middle line for a road.
        """
        match self.pick.terrain:
            case Terrain.WATERWAY:
                edge = Edge(result)
                return self.take_place(result, self.place_waterway(edge), edge=edge)
            case Terrain.RIVER:
                return self.take_place(result, self._check_course(self._place_river(result)))
            case Terrain.ROAD:
                return self._place_road(result, asks=asks)
            case _:
                return self.take_place(result, self._place_area(result))

    def find_road_sides(self, result: str) -> tuple[str, ...]:
        """Return the sides of the middle line for a middle road, the one with fewer features first.

        A side is ``low`` (near or left) or ``high`` (far or right). The result is empty for other roads. If the road
        must touch a town, only sides that reach it count. If both sides meet as many features, ``low`` comes first; the
        player or a roll chooses between these (AMB-22).
        """
        if not result.endswith(("-middle", "-centre")):
            return ()
        town, road_limits = self._find_unconnected_town(), self.placement.terms.road_limits
        sides = [side for side in (LOW, HIGH) if town is None or road_limits(result, side).band.intersects(town.shape)]
        return tuple(sorted(sides or (LOW, HIGH), key=lambda side: self._count_met_features(result, side)))

    def has_equal_sides(self, result: str, sides: tuple[str, ...]) -> bool:
        """Return whether both sides are possible for a road, and it meets as many features on each of them."""
        return len(sides) == 2 and len({self._count_met_features(result, side) for side in sides}) == 1

    def _place_road(self, result: str, *, asks: bool) -> PlacedPiece | PlacementFailure:
        """Return a road with its side in the result, or what blocks it.

        A middle road goes on the side with fewer features.
        """
        dice, sides = self.placement.dice, self.find_road_sides(result)
        # AMB-23: the sides are chosen only if no road has this position yet.
        if asks and self.has_equal_sides(result, sides) and not self._find_same_roads(result):
            side_names = ("near", "far") if result.startswith("across") else ("left", "right")
            sides_by_name = dict(zip(side_names, (LOW, HIGH), strict=True))
            reason = Sentence("side of the middle line for {feature}", feature=self.identity)
            chosen_side = sides_by_name[dice.choose(tuple(sides_by_name), reason, "AMB-22", asks=True)]
            sides = (chosen_side, *(side for side in sides if side != chosen_side))
        outcome: PlacedPiece | PlacementFailure = PlacementFailure(())
        for side in sides or ("",):
            road = self._check_course(self.place_road_on(result, side))
            outcome = self.take_place(f"{result}/{side}" if side else result, road)
            if isinstance(outcome, PlacedPiece):
                break
        return outcome

    def place_road_on(self, result: str, side: str) -> PlacementResult:
        """Return a road along its row or column with its crossings, or what blocks it.

        A second road with the same result is not possible. The last road must touch the town if no other does.
        ``side`` is the side of the middle line for a middle road, ``low`` or ``high``; otherwise empty.
        """
        placement = self.placement
        if failure := block_by_road(self._find_same_roads(result)):
            return failure
        road = NewCourse(self, result, placement.terms.road_limits(result, side))
        town = self._find_unconnected_town()
        line = None if town is None else road.route_road(f"{result}{side}/town", town.shape)
        # Compare the ID with the number of picked roads: an earlier road may be missing from the table.
        is_last = self.identity == f"road-{sum(pick.terrain is Terrain.ROAD for pick in placement.picks)}"
        if town is not None and line is None and is_last:
            return PlacementFailure((Sentence("the way to {town}", town=town.identity),))
        return road.place([line if line is not None else road.route_road(f"{result}{side}", None)])

    def _find_same_roads(self, result: str) -> list[PlacedPiece]:
        """Return the placed roads with a result of the road die, whatever their side (AMB-23)."""
        return [road for road in self.placement.select_pieces(Terrain.ROAD) if road.result.split("/")[0] == result]

    def _find_unconnected_town(self) -> PlacedPiece | None:
        """Return the town if no road touches it yet, otherwise None (SD-3.3.5-a)."""
        roads = self.placement.select_pieces(Terrain.ROAD)
        for town in self.placement.select_pieces(Terrain.BUA):
            if all(road.shape.distance(town.shape) > 0 for road in roads):
                return town
        return None

    def _count_met_features(self, result: str, side: str) -> int:
        """Return how many features a road meets on one side of the middle line (AMB-22)."""
        return len(self.placement.find_overlapping(self.placement.terms.road_limits(result, side).band))

    def _place_river(self, result: str) -> PlacementResult:
        """Return a river in its band, clear of area pieces, or what blocks it."""
        river = NewCourse(self, result, self.placement.terms.river_limits(result))
        line = river.route_river(result, self.placement.area_pieces())
        return river.place([line], Sentence("the clearance from the edges"))

    def _check_course(self, outcome: PlacementResult) -> PlacementResult:
        """Return a placed course, or a failure if the whole board is still illegal with it."""
        if isinstance(outcome, PlacementFailure) or self.accept is None:
            return outcome
        course = outcome[0]
        assert isinstance(course, Course)
        return outcome if self.accept(course.line) else PlacementFailure((Sentence("the whole board"),))

    def _place_area(self, result: str) -> PlacementResult:
        """Return a town or another area piece at a result of its dice, or what blocks it (SD-3.3.2, SD-3.3.4).

        It uses the same outlines for all results, large ones before small ones.
        """
        keeps_rules, accept = self.make_test(result), self.accept

        def fits(outline: Polygon) -> bool:
            """Return whether the piece keeps its rules and the conditions on the whole board."""
            return keeps_rules(outline) and (accept is None or accept(outline))

        failure = PlacementFailure(())
        for number, area in enumerate(self._find_areas(result)):
            stream = self.stream(f"{result}{'/again' if accept else ''}/place/{number}")
            position = find_placement(area, (shape.outline for shape in self.outlines), stream, fits)
            if isinstance(position, PlacedOutline):
                return self.make_area_piece(position)
            failure = position
        return failure

    @property
    def _must_straddle(self) -> bool:
        """Return whether the piece must be in two quarters (SD-3.3.4-c)."""
        return self.placement.find_surroundings(self.identity, "").must_straddle(self.pick.terrain)

    def _find_areas(self, result: str) -> tuple[PlacementArea, ...]:
        """Return where a piece may go, in the order to try the areas.

        A town is in the square of its corner. Other pieces have at least half of their area in their sector.
        """
        placement, terms, room = self.placement, self.placement.terms, load_measures("room")
        board, base = terms.board, terms.board.scale.base_width
        obstacles = placement.closed_areas(lambda _piece: terms.gap)
        if self.pick.terrain is Terrain.BUA:
            bounds = board.shape.buffer(-float(room["bua_edge"]) * base, join_style="mitre")
            return (PlacementArea(region=terms.corner_square(result), share=1.0, bounds=bounds, obstacles=obstacles),)
        # A river cannot cross a hill; other pieces may overlap it.
        river_gap, is_hill = float(room["river"]) * base, self.pick.terrain in HILLS
        area = PlacementArea(
            region=sector_area(board, *result.split("/")),
            share=terms.rules.number("sector_share_min"),
            bounds=board.shape,
            obstacles=(*obstacles, *(placement.closed_courses(Terrain.RIVER, river_gap) if is_hill else ())),
            crossed_lines=(("x", board.width / 2), ("y", board.depth / 2)) if self._must_straddle else (),
            min_area=terms.min_straddle_area,
        )
        # Prefer positions away from the edge and the roads; the rules do not require it.
        preferred_area = replace(
            area,
            bounds=board.shape.buffer(-float(room["edge"]) * base, join_style="mitre"),
            obstacles=(*area.obstacles, *placement.closed_courses(Terrain.ROAD, 0.0)),
        )
        return preferred_area, area

    def make_outlines(self, stream: Stream) -> Iterator[PieceOutline]:
        """Yield outlines of a piece, large to small; also long ones if it must be in two quarters."""
        look, base = load_looks()[self.pick.terrain], self.placement.board.scale.base_width
        limits = self.placement.terms.size_limits(self.pick.terrain)
        long, short = draw_size(look, limits, base, stream)
        sizes = [(factor * long, factor * short) for factor in _SIZE_FACTORS]
        if not self._must_straddle:
            sizes.append((_MIN_SIZE_BW * base * max(1.0, min(1.4, long / short)), _MIN_SIZE_BW * base))
        else:
            reach = limits.sides_max / 9
            sizes.append((6 * reach, 3 * reach))
            if limits.ratio_max is None:
                sizes.append((7 * reach, 1.9 * reach))
        for size in sizes:
            # A long and narrow piece has less bend, so that it is not too long.
            size_look = replace(look, bend=0.5 * look.bend) if size[0] > 1.9 * size[1] else look
            yield PieceOutline(outline(size_look, fit_sides(*size, limits), limits, stream))

    def _has_feasible_result(self) -> bool:
        """Return whether a result that is not in ``failures`` is possible.

        Impossible ones before it are added to ``failures``. Nothing is placed.
        """
        for result in self.possible_results:
            if result not in self.failures:
                outcome = self.try_result(result)
                if isinstance(outcome, PlacedPiece):
                    return True
                self.failures[result] = outcome
        return False

    def _add_step(self, result: str, throws: tuple[int, ...], refusal: str = "") -> None:
        """Add the step of a roll; ``refusal`` says why its result is not possible, if so.

        ``throws`` are the numbers of its rolls in the log, from 1.
        """
        step = PlacementStep(
            identity=self.identity, terrain=self.pick.terrain, result=result, throws=throws, refusal=refusal
        )
        self.placement.steps.append(step)

    @property
    def _reasons(self) -> Mapping[str, Sentence]:
        """Return the reason of each die of the piece, by its table: one die, or two for a sector."""
        if self.pick.terrain in (*COURSES, Terrain.WATERWAY, Terrain.BUA):
            return {self.pick.terrain.value: Sentence("place of {feature}", feature=self.identity)}
        return {
            "sector_column": Sentence("column of {feature}", feature=self.identity),
            "sector_row": Sentence("row of {feature}", feature=self.identity),
        }
