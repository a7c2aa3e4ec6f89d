"""Square tiles of a battlefield: their shapes, which are equal if turned, and the place of each one.

Roads and waters cross the sides of every tile at their middles, so tiles fit in any arrangement. Sides count clockwise
from 0 at the top. Lengths are in mm on the board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Point, Polygon, affinity

from printkit.core import exact_math
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import ROUTES, Area, Course, Crossing, Feature, Hill, Kind, transform_shapes
from printkit.terrain.field.grids import Cell, Grid, SquareGrid
from printkit.terrain.geometry.measure import line_bearing
from printkit.terrain.geometry.outlines import open_shape
from printkit.terrain.gridded.gridplan import CellChain, GridPlan
from printkit.terrain.gridded.sampling import find_goals, sample_chain

SIDES: Final = 4

# Widest course of a tile, as a share of its side: a road and a water that bend in opposite corners stay apart.
_WIDEST: Final = 0.4
# Width of a course that fills its squares, as a share of the side.
_FLOOD: Final = 1.6
# Distance of terrain from the sides that it crosses on the map, and between two contours, as shares of the side.
_INSET: Final = 0.05
_STEP: Final = 0.11
# Smoothing of terrain that is cut off at a side or a water, as a share of the side.
_ROUNDING: Final = 0.06
# Ground between a water and other terrain, as a share of the side.
_BANK: Final = 0.06
# Courses continue this far beyond the sides, as a share of the side, so that the cut ends them.
_BEYOND: Final = 0.1
# Extra costs, in squared sides, of a course that has another kind on its side, or that enters terrain off its line.
_SHARED_COST: Final = 1e4
_TERRAIN_COST: Final = 4.0
_ARC: Final = np.linspace(0.0, np.pi / 2, 13)


class TileShape(NamedTuple):
    """What a tile shows: kinds of terrain, number of contours, courses with their sides, and crossings.

    A course without sides fills the square.
    """

    kinds: tuple[Kind, ...] = ()
    height: int = 0
    courses: tuple[tuple[Kind, tuple[int, ...]], ...] = ()
    crossings: tuple[Kind, ...] = ()

    def rotate(self, turns: int) -> TileShape:
        """Return the shape after ``turns`` quarter turns clockwise."""
        courses = ((kind, tuple(sorted((side + turns) % SIDES for side in sides))) for kind, sides in self.courses)
        return self._replace(courses=tuple(sorted(courses)))

    @property
    def pattern(self) -> TileShape:
        """Return the smallest shape of all turns; equal tiles have the same one. A mirrored tile may have another."""
        return min(self.rotate(turns) for turns in range(SIDES))

    @property
    def letter(self) -> str:
        """Return the letter of its code: G ground, T terrain, R routes, W water, X routes and water."""
        routes = any(kind in ROUTES for kind, _ in self.courses)
        waters = any(kind not in ROUTES for kind, _ in self.courses)
        return {(True, True): "X", (True, False): "R", (False, True): "W"}.get(
            (routes, waters), "T" if self.kinds else "G"
        )


class SquareTile(Struct, frozen=True, kw_only=True):
    """A tile with its code, its shape as drawn, the battlefield of this square alone, and its copies."""

    code: str
    shape: TileShape
    field: Battlefield
    copies: int


class TilePlace(NamedTuple):
    """The place of a tile: its square, its code, and its quarter turns clockwise."""

    cell: Cell
    code: str
    turns: int


class SquareLayout(Struct, frozen=True, kw_only=True):
    """The tiles of a battlefield by code, and a place for each square in reading order."""

    grid: Grid
    tiles: Mapping[str, SquareTile]
    places: tuple[TilePlace, ...]


class _Courses(NamedTuple):
    """The sides of each course by square and ID, and the IDs of courses that fill their squares."""

    sides: Mapping[Cell, Mapping[str, set[int]]]
    floods: Collection[str]


def lay_out_squares(field: Battlefield, plan: GridPlan) -> SquareLayout:
    """Return the tiles of a battlefield on squares, with the fewest different tiles.

    ``plan`` is its plan on its own grid. A tile is drawn like the first of its squares whose terrain covers no other
    square; without one, like the first of them.
    """
    courses = _trace_courses(field, plan)
    shapes = {plot.cell: _find_shape(plot.cell, field, plan, courses) for plot in plan.plots}
    cells_by_feature = Counter(feature for plot in plan.plots for feature in plot.features)
    patterns: dict[TileShape, list[Cell]] = {}
    for cell, shape in shapes.items():
        patterns.setdefault(shape.pattern, []).append(cell)
    codes = assign_codes({pattern: len(cells) for pattern, cells in patterns.items()})
    tiles: dict[str, SquareTile] = {}
    for pattern, code in codes.items():
        cells = patterns[pattern]
        model_cell = min(cells, key=lambda cell: sum(cells_by_feature[name] > 1 for name in plan.plot(cell).features))
        square = _draw_square(model_cell, shapes[model_cell], field, plan)
        tiles[code] = SquareTile(code=code, shape=shapes[model_cell], field=square, copies=len(cells))
    places = (
        TilePlace(cell, code := codes[shape.pattern], find_turns(tiles[code].shape, shape))
        for cell, shape in shapes.items()
    )
    return SquareLayout(grid=plan.grid, tiles=tiles, places=tuple(places))


def assign_codes(copies: Mapping[TileShape, int]) -> dict[TileShape, str]:
    """Return the code of each pattern, in the order of codes; those with more copies have lower numbers."""
    numbers, codes = Counter[str](), dict[TileShape, str]()
    for pattern in sorted(copies, key=lambda shape: (shape.letter, -copies[shape], shape)):
        numbers[pattern.letter] += 1
        codes[pattern] = f"{pattern.letter}{numbers[pattern.letter]}"
    return codes


def find_turns(tile: TileShape, shape: TileShape) -> int:
    """Return the fewest quarter turns clockwise that turn a tile into a shape of the same pattern."""
    return next(turns for turns in range(SIDES) if tile.rotate(turns) == shape)


def _trace_courses(field: Battlefield, plan: GridPlan) -> _Courses:
    """Return the sides of all courses, waters first.

    Two courses of different kinds do not share a side if there is a way round it, because both cross it in the middle.
    """
    cells_by_id: dict[str, tuple[Cell, ...]] = {}
    for plot in plan.plots:
        for name in plot.features:
            cells_by_id[name] = (*cells_by_id.get(name, ()), plot.cell)
    goals = find_goals(field.features, cells_by_id)
    lines = {feature.id: feature for feature in field.features if isinstance(feature, Course)}
    terrain = {cell for cells in cells_by_id.values() for cell in cells}
    sides: dict[Cell, dict[str, set[int]]] = {}
    users: dict[tuple[Cell, int], Kind] = {}
    floods = set()
    for strip in sorted(plan.strips, key=lambda strip: strip.kind in ROUTES):
        course = lines[strip.feature]
        is_flood = course.width >= plan.grid.cell and strip.kind not in ROUTES
        shared_costs = {side: _SHARED_COST for side, kind in users.items() if kind != strip.kind}
        crossed_sides = tuple(_crossed_sides(strip, plan.grid))
        needs_detour = terrain & {*strip.cells} if is_flood else shared_costs.keys() & crossed_sides
        side_count = 2 * (len(strip.cells) - 1) + sum(side is not None for side in (strip.enters, strip.leaves))
        if needs_detour or len(crossed_sides) < side_count:
            costs = {
                (plan.grid.step(cell, side), (side + 2) % SIDES): _TERRAIN_COST
                for cell in (terrain if is_flood else terrain - {*strip.cells})
                for side in range(SIDES)
            }
            chain = sample_chain(course.line, field.ground, plan.grid, goals, side_costs={**costs, **shared_costs})
            strip = replace(strip, cells=chain.cells, enters=chain.enters, leaves=chain.leaves)
            crossed_sides = tuple(_crossed_sides(strip, plan.grid))
        if is_flood:
            # Terrain beside a wide water keeps its square, although the water covers a part of it on the map.
            floods.add(strip.feature)
            for cell in (*strip.cells, *strip.wide):
                if cell not in terrain:
                    sides.setdefault(cell, {})[strip.feature] = set()
            continue
        for cell, side in crossed_sides:
            sides.setdefault(cell, {}).setdefault(strip.feature, set()).add(side)
            users[cell, side] = strip.kind
    return _Courses(sides, floods)


def _crossed_sides(strip: CellChain, grid: Grid) -> Iterator[tuple[Cell, int]]:
    """Yield each square of a course with each side that the course crosses there; none between diagonal squares."""
    if strip.enters is not None:
        yield strip.cells[0], strip.enters
    for cell, next_cell in pairwise(strip.cells):
        for side in range(SIDES):
            if grid.step(cell, side) == next_cell:
                yield cell, side
                yield next_cell, (side + SIDES // 2) % SIDES
    if strip.leaves is not None:
        yield strip.cells[-1], strip.leaves


def _find_shape(cell: Cell, field: Battlefield, plan: GridPlan, courses: _Courses) -> TileShape:
    """Return what a square shows."""
    plot, cell_courses = plan.plot(cell), courses.sides.get(cell, {})
    kinds = {feature.id: feature.kind for feature in field.features if feature.id in cell_courses}
    sides: dict[Kind, set[int]] = {}
    for name, crossed_sides in cell_courses.items():
        sides.setdefault(kinds[name], set()).update(crossed_sides)
    return TileShape(
        kinds=tuple(sorted(plot.kinds)),
        height=plot.height,
        courses=tuple(sorted((kind, tuple(sorted(crossed_sides))) for kind, crossed_sides in sides.items())),
        crossings=tuple(sorted({crossing.kind for crossing in _find_crossings(cell, field, plan.grid, courses)})),
    )


def _find_crossings(cell: Cell, field: Battlefield, grid: Grid, courses: _Courses) -> Iterator[Crossing]:
    """Yield the crossings of a square: where two straight courses cross, or a route crosses a wide water.

    If a crossing of the battlefield has several such squares of narrow courses, only the nearest one has it.
    """
    for crossing in field.features:
        if not isinstance(crossing, Crossing):
            continue
        cells = [
            candidate
            for candidate, cell_courses in courses.sides.items()
            if len(cell_courses.get(crossing.route, ())) == 2
            and cell_courses.get(crossing.water) in _find_water_sides(cell_courses[crossing.route], crossing.kind)
        ]
        if crossing.water not in courses.floods:
            cells = sorted(cells, key=lambda place: round(crossing.at.distance(Point(grid.centre(place))), 6))[:1]
        if cell in cells:
            yield crossing


def _find_water_sides(sides: set[int], kind: Kind) -> tuple[set[int], ...]:
    """Return the sides that a water may have where a route with two ``sides`` crosses it; none for a wide water.

    A route that bends crosses only a wide water, and only by a ford, because a bridge is straight.
    """
    if sides in ({0, 2}, {1, 3}):
        return set(), {0, 1, 2, 3} - sides
    return (set(),) if kind is Kind.FORD else ()


# --- Drawings: the features of one square, from the map ---------------------------------------------------------------


def _draw_square(cell: Cell, shape: TileShape, field: Battlefield, plan: GridPlan) -> Battlefield:
    """Return a battlefield of one square, with the features of the map there and courses from side to side."""
    size, plot = plan.grid.cell, plan.plot(cell)
    x, y = plan.grid.corners(cell)[-1]
    courses = _straighten_courses(shape, field.features, size)
    waters = [course.line.buffer(course.width / 2 + _BANK * size) for course in courses if course.kind not in ROUTES]
    dry_ground = Polygon([(0, 0), (size, 0), (size, size), (0, size)]).difference(shapely.union_all(waters))
    grounds: list[Feature] = []
    for feature in field.features:
        if feature.id in plot.features and isinstance(feature, Area | Hill):
            is_shared = sum(feature.id in other.features for other in plan.plots) > 1
            tile_feature = transform_shapes(feature, lambda part: affinity.translate(part, -x, -y))
            assert isinstance(tile_feature, Area | Hill)
            grounds.append(
                _fit_ground(replace(tile_feature, name="", cells=()), dry_ground, size, plot.height, is_cut=is_shared)
            )
    features = (*grounds, *courses, *_place_crossings(shape, field.features, courses, size))
    if not features:
        # A grid without features is drawn as a sheet to sketch on, so open ground gets one that is off the square.
        features = tuple(
            transform_shapes(feature, lambda part: affinity.translate(part, 9 * field.board.width, 0.0))
            for feature in [each for each in field.features if not isinstance(each, Crossing)][:1]
        )
    return replace(
        field,
        board=replace(field.board, width=size, depth=size),
        features=features,
        grid=SquareGrid(1, 1, size),
        overlays=(),
        title="",
    )


def _fit_ground(feature: Area | Hill, dry_ground: Polygon, size: float, height: int, *, is_cut: bool) -> Area | Hill:
    """Return terrain inside a square of ``size`` mm, off its waters; terrain of several squares is cut at the sides.

    ``dry_ground`` is the square without its waters. A hill gets ``height`` contours.
    """
    square = Polygon([(0, 0), (size, 0), (size, size), (0, size)])
    if isinstance(feature, Area):
        ground = square.buffer(-_INSET * size, join_style="mitre") if is_cut else square
        outline = open_shape(feature.outline.intersection(ground).intersection(dry_ground), _ROUNDING * size)
        return replace(
            feature, outline=outline if not outline.is_empty else open_shape(ground.intersection(dry_ground), 1.0)
        )
    if not is_cut:
        return feature
    contours: list[Polygon] = []
    for level in range(height):
        inner_square = square.buffer(-(_INSET + level * _STEP) * size, join_style="mitre")
        map_contour = feature.contours[min(level, len(feature.contours) - 1)]
        contour = open_shape(map_contour.intersection(inner_square), _ROUNDING * size)
        contours.append(contour if not contour.is_empty else open_shape(inner_square, _ROUNDING * size))
    return replace(feature, contours=tuple(contours), faces=())


def _straighten_courses(shape: TileShape, features: Iterable[Feature], size: float) -> list[Course]:
    """Return the courses of a tile of ``size`` mm, drawn from the middle of a side to the middle of a side."""
    courses = []
    for kind, sides in shape.courses:
        model = next(feature for feature in features if isinstance(feature, Course) and feature.kind == kind)
        width = min(model.width, _WIDEST * size) if sides else _FLOOD * size
        for number, line in enumerate(_course_lines(sides or _flow_sides(shape), size)):
            names = {"id": f"{kind}-{number}", "name": ""}
            courses.append(replace(model, **names, line=line, width=width, cells=()))
    return courses


def _flow_sides(shape: TileShape) -> tuple[int, ...]:
    """Return the sides of a water that fills its square: across the straight route, if there is one."""
    return (1, 3) if any(sides == (0, 2) for kind, sides in shape.courses if kind in ROUTES) else (0, 2)


def _course_lines(sides: Sequence[int], size: float) -> Iterator[LineString]:
    """Yield the lines of a course through the middles of sides: straight, or quarter circles.

    Of three sides two are joined and the third one ends in the middle of the tile, as one alone does.
    """
    middle = np.array([size / 2, size / 2])
    directions = {0: (0.0, 1.0), 1: (1.0, 0.0), 2: (0.0, -1.0), 3: (-1.0, 0.0)}
    side_points = {side: middle + size / 2 * np.array(directions[side]) for side in sides}
    outer_points = {side: middle + (0.5 + _BEYOND) * size * np.array(directions[side]) for side in sides}
    if len(sides) == 2 and (sides[0] - sides[1]) % 2:
        first, last = sides
        corner = side_points[first] + side_points[last] - middle
        cosines, sines = exact_math.cos(_ARC)[:, None], exact_math.sin(_ARC)[:, None]
        arc = corner + cosines * (side_points[first] - corner) + sines * (side_points[last] - corner)
        yield LineString([outer_points[first], *arc, outer_points[last]])
        return
    for side in sides:
        opposite = (side + 2) % SIDES
        if opposite not in sides:
            yield LineString([outer_points[side], side_points[side], middle])
        elif side < opposite:
            yield LineString(
                [outer_points[side], side_points[side], middle, side_points[opposite], outer_points[opposite]]
            )


def _place_crossings(
    shape: TileShape, features: Sequence[Feature], courses: Sequence[Course], size: float
) -> Iterator[Crossing]:
    """Yield the crossings of a tile of ``size`` mm, in the middle of its route."""
    kinds = {feature.id: feature.kind for feature in features}
    courses_by_kind = {course.kind: course for course in courses}
    models = {
        feature.kind: feature
        for feature in features
        if isinstance(feature, Crossing) and {kinds[feature.route], kinds[feature.water]} <= courses_by_kind.keys()
    }
    for kind in shape.crossings:
        crossing = models[kind]
        route, water = courses_by_kind[kinds[crossing.route]], courses_by_kind[kinds[crossing.water]]
        heading = line_bearing(route.line, route.line.length / 2, size / 4)
        middle = route.line.interpolate(0.5, normalized=True)
        yield replace(crossing, at=middle, bearing=heading, route=route.id, water=water.id, name="", cells=())
