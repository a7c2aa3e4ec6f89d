"""Boards of hexes and squares laid by hand, with every terrain that the rules for cells can put there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from shapely import Point

from printkit.chance.streams import Jitter, Stream
from printkit.systems.portable.course_lines import draw_courses
from printkit.systems.portable.grid.sketch import AreaFeature, CellCourse, Sketch
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, Kind
from printkit.terrain.field.grids import Cell, Grid, HexGrid, SquareGrid, grid_of, neighbours
from printkit.terrain.gridded.cell_courses import Chain
from printkit.terrain.gridded.cell_shapes import draw_fields, draw_plot, grow_contours, grow_outline

FREE, SLOW, IMPASSABLE = Going(0, "free"), Going(1, "slow"), Going(3, "impassable")

FLAT = HexGrid(9, 8, 74.0, "flat-odd-low")
POINTY = HexGrid(9, 8, 74.0, "pointy-odd-right")
SQUARES = SquareGrid(8, 8, 74.0)

Places = Sequence[tuple[int, int]]


def stream(name: str) -> Stream:
    """Return the stream of a name, always the same."""
    return Jitter(1870).stream(f"cells/{name}")


def way(grid: Grid, *through: tuple[int, int]) -> tuple[Cell, ...]:
    """Return a chain of neighbouring cells through given ones, as straight as cells allow."""
    found = [Cell(*through[0])]
    for goal in through[1:]:
        start, end = grid.centre(found[-1]), grid.centre(Cell(*goal))
        while found[-1] != goal:

            def dear(cell: Cell, start: tuple[float, float] = start, end: tuple[float, float] = end) -> float:
                x, y = grid.centre(cell)
                off = abs((end[0] - start[0]) * (y - start[1]) - (end[1] - start[1]) * (x - start[0]))
                return math.dist((x, y), end) + 0.4 * off / max(math.dist(start, end), 1e-9)

            found.append(min(neighbours(grid, found[-1]), key=dear))
    return tuple(found)


def outer(grid: Grid, cell: Cell, towards: str) -> int:
    """Return the outer face of a cell that looks most to the far, near, left or right edge."""
    aim = {"far": (0, 1), "near": (0, -1), "left": (-1, 0), "right": (1, 0)}[towards]
    x, y = grid.centre(cell)

    def looks(direction: int) -> float:
        to_x, to_y = grid.centre(grid.step(cell, direction))
        return (to_x - x) * aim[0] + (to_y - y) * aim[1]

    return max((way for way in range(grid.direction_count()) if grid.neighbour(cell, way) is None), key=looks)


def area(grid: Grid, identity: str, kind: Kind, cells: Places, name: str = "") -> Area:
    """Return natural or built-up ground that fills cells."""
    filled = tuple(Cell(*cell) for cell in cells)
    outline = grow_outline(grid, filled, stream(identity))
    return Area(id=identity, kind=kind, outline=outline, going=SLOW, name=name, cells=filled)


def hill(grid: Grid, identity: str, cells: Places, upper: Places = (), name: str = "", kind: Kind = Kind.HILL) -> Hill:
    """Return a hill or a mountain."""
    base, top = (tuple(Cell(*cell) for cell in part) for part in (cells, upper))
    contours = grow_contours(grid, base, top, stream(identity))
    return Hill(id=identity, kind=kind, contours=contours, going=SLOW, name=name, cells=base)


def fields(grid: Grid, identity: str, cell: tuple[int, int], *kinds: Kind) -> tuple[Area, ...]:
    """Return the fields of a cell, their kinds by turns."""
    return tuple(
        Area(id=f"{identity}{number}", kind=kinds[number % len(kinds)], outline=quad, going=SLOW, cells=(cell,))
        for number, quad in enumerate(draw_fields(grid, Cell(*cell), stream(identity)))
    )


def courses(grid: Grid, *chains: tuple[Kind, Chain], towns: Places = ()) -> tuple[Course, ...]:
    """Return courses through chains of cells that keep apart, each drawn after those before it."""
    ways = tuple(
        CellCourse(id=f"c-{number}", kind=kind, cells=chain.cells, width=1.0, enters=chain.enters, leaves=chain.leaves)
        for number, (kind, chain) in enumerate(chains)
    )
    town = AreaFeature(id="town", kind=Kind.TOWN, cells=tuple(Cell(*cell) for cell in towns))
    drawn_courses = draw_courses(Sketch(grid=grid, placings=(town,), ways=ways), lambda _, name: stream(name))
    return tuple(
        Course(id=way.id, kind=way.kind, line=each.line, width=each.width, going=FREE, cells=way.cells)
        for way, each in zip(ways, drawn_courses, strict=True)
    )


def crossing(grid: Grid, identity: str, kind: Kind, way: Course, water: Course) -> Crossing:
    """Return where two courses cross for the first time."""
    at = Point(way.line.intersection(water.line).representative_point())
    gone = way.line.project(at)
    first, last = way.line.interpolate(gone - 3), way.line.interpolate(gone + 3)
    cell = grid.at(at.x, at.y)
    bearing, cells = math.degrees(math.atan2(last.y - first.y, last.x - first.x)), (cell,) if cell else ()
    return Crossing(
        id=identity, kind=kind, at=at, bearing=bearing, route=way.id, water=water.id, going=FREE, cells=cells
    )


def battlefield(grid: Grid, features: Sequence[Feature], title: str = "The Crossing at Kaltenbrück") -> Battlefield:
    """Return a gridded battlefield."""
    board = Board(grid.width, grid.depth, GroundScale(pace=grid.cell / 100, base_width=40.0))
    return Battlefield(board=board, features=tuple(features), title=title, grid=grid)


@cache
def country(grid: Grid = FLAT) -> Battlefield:
    """Return a hilly rural country with a river, a railway, roads, a track, towns, fields, marsh and lake."""
    right, row = grid.columns, grid.rows
    river_way = way(grid, (5, 1), (5, 4), (5, row))
    road_way = way(grid, (3, row), (4, 5), (5, 4), (7, 4), (right, 4))
    rail_way = way(grid, (1, 5), (4, 5), (7, 5), (right, 5))
    track_way = way(grid, (7, 4), (6, 1))
    lane_way = way(grid, (7, 5), (7, 7), (right - 1, row))
    chains = [
        Chain(river_way, outer(grid, river_way[0], "far"), outer(grid, river_way[-1], "near")),
        Chain(rail_way, outer(grid, rail_way[0], "left"), outer(grid, rail_way[-1], "right")),
        Chain(road_way, outer(grid, road_way[0], "near"), outer(grid, road_way[-1], "right")),
        Chain(track_way, None, outer(grid, track_way[-1], "far")),
        Chain(lane_way, None, outer(grid, lane_way[-1], "near")),
    ]
    kinds = (Kind.RIVER, Kind.RAILWAY, Kind.ROAD, Kind.TRACK, Kind.TRACK)
    river, rail, road, track, lane = courses(grid, *zip(kinds, chains, strict=True), towns=[(3, 7), (7, 4), (7, 5)])
    features: list[Feature] = [
        hill(grid, "mountain", [(1, 1), (2, 1), (1, 2)], kind=Kind.MOUNTAIN),
        hill(grid, "ridge", [(8, 1), (8, 2), (7, 1)], [(8, 2)], name="Kestrel Ridge"),
        hill(grid, "signal", [(1, 6), (2, 6)], name="Signal Hill"),
        area(grid, "forest", Kind.CONIFER_FOREST, [(2, 3), (3, 3), (2, 2), (3, 2)], "Schwarzwald"),
        area(grid, "rough", Kind.ROUGH_GROUND, [(4, 2)], "Stonefield"),
        area(grid, "linden", Kind.LIGHT_WOODS, [(at, 6) for at in (8, 9) if at <= right], "Linden Wood"),
        area(grid, "heath", Kind.SCRUB, [(1, 7), (1, 8)], "The Heath"),
        area(grid, "fen", Kind.SWAMP, [(6, 7), (6, 8)], "Reed Fen"),
        area(grid, "lake", Kind.LAKE, [(right, 7), (right, 8)], "Lake Ida"),
        *fields(grid, "f1-", (2, 7), Kind.CROPS, Kind.PLOUGH),
        *fields(grid, "f2-", (4, 7), Kind.PASTURE, Kind.PLOUGH),
        *fields(grid, "f3-", (6, 6), Kind.PLOUGH, Kind.CROPS),
        *fields(grid, "f4-", (6, 3), Kind.ORCHARD),
        *fields(grid, "f5-", (8, 3), Kind.VINEYARD),
        *fields(grid, "f6-", (8, 4), Kind.CROPS, Kind.PLOUGH),
        river,
        area(grid, "town", Kind.TOWN, [(7, 4), (7, 5)], "Kaltenbrück"),
        area(grid, "village", Kind.VILLAGE, [(3, 7)], "Altdorf"),
        rail,
        road,
        track,
        lane,
        crossing(grid, "x-bridge", Kind.BRIDGE, road, river),
        crossing(grid, "x-rail", Kind.RAILWAY_BRIDGE, rail, river),
        crossing(grid, "x-level", Kind.LEVEL_CROSSING, road, rail),
    ]
    at = Cell(right - 1, 7)
    farm = draw_plot(grid, at, stream("farm"))
    features.append(Area(id="farm", kind=Kind.FARM, outline=farm, going=SLOW, name="Ida Farm", cells=(at,)))
    return battlefield(grid, features)


def blank(text: str, cell: float = 74.0) -> Battlefield:
    """Return a grid without a feature."""
    return battlefield(grid_of(text, cell=cell), (), title="")
