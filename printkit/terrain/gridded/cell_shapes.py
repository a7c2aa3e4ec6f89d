"""Natural outlines for grid cells: they show clearly which cells they fill, but hide the lattice.

Lengths are mm on the board. The constants are for cells of 74 mm across the flats and scale with the cell. Each outline
depends only on the caller's random stream, so one feature never reshapes another.

Source: the cartography, 14 and 20.2; courses through cells are in ``cell_courses``.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import product
from typing import Final

import shapely
from shapely import LineString, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core.errors import PlacementError
from printkit.terrain.field.grids import Cell, Grid, neighbours
from printkit.terrain.geometry.outlines import Noise, draw_plot_outline, largest_polygon, open_shape, waver_outline

# Width across the flats of the cell that the lengths below are for, in mm.
REFERENCE_CELL_MM: Final = 74.0

# Minimum share of each cell that an outline covers.
MIN_COVERAGE: Final = 0.70

# Mean insets of an outline from its cells in mm, tried in order until it covers enough of each cell.
_INSETS: Final = (6.6, 5.8, 5.0, 4.4, 3.8, 3.2, 2.6, 2.0)

# Wavelength in cells and height in mm of the noise: bays, a long sweep that hides the lattice, and pen waver.
_WAVES: Final = ((0.62, 6.4), (1.5, 6.6), (0.16, 0.45))
_CALM_WAVES: Final = ((0.62, 5.6), (1.1, 7.0))

# Smoothing of corners in mm: square corners are more conspicuous, and a round outline still fills enough of a square.
_SPREADS: Final = {"hex": 13.0, "square": 15.0}

# Factor for the height of the waves: the straight sides of squares need more.
_WAVE_FACTORS: Final = {"hex": 1.0, "square": 1.2}

# Ratios of length to width of one-cell ground, towards a corner, tried in order until it fills enough of the cell.
_LENGTH_RATIOS: Final = (1.32, 1.26, 1.20, 1.12)

# Share of the cell that the ellipse for one-cell ground covers before it is cut and wavered.
_ELLIPSE_SHARE: Final = 0.80

# Radius for rounding one-cell ground where it is cut at the sides of its cell, in mm.
_CORNER_RADIUS: Final = 16.0

# The least share of each cell that a hill covers.
_HILL_COVERAGE: Final = 0.55
# Radii of a hill about the line between two cells, in cells, tried in order.
_HILL_RADII: Final = {"hex": (0.33, 0.36, 0.40), "square": (0.40, 0.43, 0.46)}
# The largest hole that is filled, in square cells, and the radius of its corners in mm.
_HILL_HOLE: Final = 0.5
_HILL_CORNER: Final = 9.0

# The ellipses of a hill of one cell, tried in order: length to width, and the share of the cell that they cover.
_HILL_ELLIPSES: Final = ((1.35, 0.68), (1.30, 0.74), (1.20, 0.80))

# Radius for filling notches between cells, in cells. The ground still keeps inside its cells.
_NOTCH_RADIUS: Final = 0.42

_CELL_MARGIN: Final = 1.6
_OPENING_RADIUS: Final = 1.5
_STEP: Final = 1.25
_SPARE_SHARE: Final = 0.01

# Inset of an upper contour from its cells and from the contour below, in mm.
_TOP_INSET: Final = 12.5
_CONTOUR_GAP: Final = 10.0

# Factors for the insets and waves of an upper contour, tried in order until it contains the centres of its cells.
_TOP_FACTORS: Final = (1.0, 0.75, 0.5, 0.25)

_FIELD_SHARES: Final = (0.77, 0.72)
_FIELD_ANGLE: Final = 15.0
_FIELD_MARGIN: Final = 2.6
_STRIP_COUNTS: Final = (1, 2, 2, 2, 3)
_CORNER_WAVER: Final = 0.045


def grow_outline(grid: Grid, cells: Collection[Cell], stream: Stream) -> Polygon:
    """Return one natural outline, in mm on the board, that fills a group of connected cells.

    It keeps inside its cells and covers at least 70 % and the centre of each. A ring of cells keeps its hole. If no
    attempt covers that much, it returns the last attempt.

    Args:
        grid: the grid.
        cells: the cells to fill.
        stream: the random numbers for the bays.

    Raises:
        PlacementError: there are no cells, or they are not connected.
    """
    ground, unit = _merge_cells(grid, cells), grid.cell / REFERENCE_CELL_MM
    noise = Noise.from_stream(stream)
    free_area = ground.buffer(-_CELL_MARGIN * unit, join_style="mitre")
    waves = [(length * grid.cell, _WAVE_FACTORS[grid.shape] * height * unit) for length, height in _WAVES]
    outline = Polygon()
    if len(cells) == 1:
        corner = stream.draw_index(len(ground.exterior.coords) - 1)
        for ratio, calmer in product(_LENGTH_RATIOS, (1.0, 0.75, 0.5)):
            shape = waver_outline(
                _build_ellipse(ground, corner, ratio, _ELLIPSE_SHARE),
                noise,
                spread=0.5 * _SPREADS[grid.shape] * unit,
                step=_STEP * unit,
                max_outwards=3 * _STEP * unit,
                waves=[(length, calmer * height) for length, height in waves],
            )
            outline = largest_polygon(
                shape.intersection(free_area).buffer(-_CORNER_RADIUS * unit).buffer(_CORNER_RADIUS * unit)
            )
            if _covers_cells(outline, grid, cells, MIN_COVERAGE):
                return outline
    closed = ground.buffer(_NOTCH_RADIUS * grid.cell, quad_segs=12).buffer(-_NOTCH_RADIUS * grid.cell, quad_segs=12)
    # The same inset takes more of a cell if the ground has many corners or if hollows of the noise meet in the cell.
    for share in (1.0, 0.75, 0.5, 0.25):
        for inset in _INSETS:
            shape = waver_outline(
                closed.buffer(-inset * unit, join_style="mitre"),
                noise,
                spread=_SPREADS[grid.shape] * unit * share,
                step=_STEP * unit,
                max_outwards=(inset - _CELL_MARGIN) * unit,
                waves=[(length, height * share) for length, height in waves],
            )
            outline = open_shape(shape.intersection(free_area), _OPENING_RADIUS * unit)
            if _covers_cells(outline, grid, cells, MIN_COVERAGE):
                return outline
    return outline


def grow_hill(grid: Grid, cells: Collection[Cell], stream: Stream) -> Polygon:
    """Return the outline of a hill, in mm on the board: one mass without narrow waists between its cells.

    It keeps inside its cells and covers at least 55 % and the centre of each. A ring of cells keeps its hole.

    Args:
        grid: the grid.
        cells: the cells to fill.
        stream: the random numbers for the bays.

    Raises:
        PlacementError: there are no cells, or they are not connected.
    """
    ground, unit = _merge_cells(grid, cells), grid.cell / REFERENCE_CELL_MM
    noise = Noise.from_stream(stream)
    free_area = ground.buffer(-_CELL_MARGIN * unit, join_style="mitre")
    if len(cells) == 1:
        corner = stream.draw_index(len(ground.exterior.coords) - 1)
        masses = [_build_ellipse(ground, corner, *ellipse) for ellipse in _HILL_ELLIPSES]
    else:
        masses = [_join_cells(grid, cells, radius * grid.cell) for radius in _HILL_RADII[grid.shape]]
    outline, factor = Polygon(), _WAVE_FACTORS[grid.shape]
    for mass, share in product(masses, (1.0, 0.7, 0.4)):
        shape = waver_outline(
            mass,
            noise,
            spread=_SPREADS[grid.shape] * (0.5 if len(cells) == 1 else 1.0) * unit,
            step=_STEP * unit,
            max_outwards=3 * _STEP * unit,
            waves=[(length * grid.cell, share * factor * height * unit) for length, height in _CALM_WAVES],
        )
        smooth_shape = open_shape(shape.intersection(free_area), _HILL_CORNER * unit)
        outline = open_shape(smooth_shape.intersection(free_area), _OPENING_RADIUS * unit)
        if _covers_cells(outline, grid, cells, _HILL_COVERAGE):
            break
    return outline


def grow_contours(grid: Grid, base: Collection[Cell], upper: Collection[Cell], stream: Stream) -> tuple[Polygon, ...]:
    """Return the contours of a hill in mm on the board: the lowest, then one per group of higher cells.

    The groups of higher cells are in reading order, each connected by sides. Without higher cells there is only the
    lowest contour.

    Args:
        grid: the grid.
        base: all cells of the hill.
        upper: the cells that are two contours high.
        stream: the random numbers for the bays.

    Raises:
        PlacementError: see ``grow_outline``; or a higher cell is not in ``base``.
    """
    if strange := sorted(set(upper) - set(base)):
        raise PlacementError("cell {cell} is higher than the hill but is not one of its cells", cell=tuple(strange[0]))
    outer = grow_hill(grid, base, stream)
    noise = Noise.from_stream(stream)
    contours = [outer]
    for group in find_cell_groups(grid, upper):
        lower = [Point(grid.centre(cell)) for cell in grid.cells() if cell not in group]
        for share in _TOP_FACTORS:
            top = _grow_top(grid, group, outer, noise, share)
            if all(top.contains(Point(grid.centre(cell))) for cell in group):
                break
        # A ring of high ground keeps a hole for the lower cells inside it.
        holes = [ring for ring in top.interiors if any(Polygon(ring).contains(centre) for centre in lower)]
        contours.append(Polygon(top.exterior, holes))
    return tuple(contours)


def _grow_top(grid: Grid, group: Collection[Cell], outer: Polygon, noise: Noise, share: float) -> Polygon:
    """Return the upper contour of a hill over some cells; ``share``, 0 to 1, scales its insets and waves.

    ``outer`` is the contour below it. Shapes are in mm on the board. The result may be empty.
    """
    unit = grid.cell / REFERENCE_CELL_MM
    gap = _CONTOUR_GAP * share * unit
    free_area = _merge_cells(grid, group).buffer(-_TOP_INSET * share * unit, join_style="mitre")
    top = waver_outline(
        largest_polygon(free_area.intersection(outer.buffer(-gap))),
        noise,
        spread=0.6 * _SPREADS[grid.shape] * share * unit,
        step=_STEP * unit,
        max_outwards=_STEP * unit,
        waves=[(length * grid.cell, 0.8 * height * share * unit) for length, height in _CALM_WAVES],
    )
    return open_shape(top.intersection(outer.buffer(-0.8 * gap)), _OPENING_RADIUS * unit)


def draw_plot(grid: Grid, cell: Cell, stream: Stream, *, share: float = 0.58) -> Polygon:
    """Return a small plot near the centre of a cell, in mm on the board, for a farm or hamlet.

    Before a random rotation of up to 25 degrees it is ``share`` times the size of a cell long and somewhat less wide.
    """
    size = share * grid.cell
    plot = draw_plot_outline(size, size * stream.between(0.74, 0.92), stream)
    plot = affinity.rotate(plot, stream.between(-25.0, 25.0), origin=(0, 0))
    x, y = grid.centre(cell)
    waver = 0.04 * grid.cell
    return affinity.translate(plot, x + stream.between(-waver, waver), y + stream.between(-waver, waver))


def draw_fields(grid: Grid, cell: Cell, stream: Stream) -> tuple[Polygon, ...]:
    """Return the fields of a cell in mm on the board: a quadrilateral cut into one to three strips, side by side.

    Number, corners and rotation are random. The strips keep off the sides of the cell.
    """
    width, depth = (share * grid.cell for share in _FIELD_SHARES)
    waver = _CORNER_WAVER * grid.cell
    corners = [
        (x_sign * width / 2 + stream.between(-waver, waver), y_sign * depth / 2 + stream.between(-waver, waver))
        for x_sign, y_sign in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    strips = _STRIP_COUNTS[stream.draw_index(len(_STRIP_COUNTS))]
    cuts = [
        [0.0, *(number / strips + stream.between(-0.06, 0.06) for number in range(1, strips)), 1.0] for _ in range(2)
    ]
    turn = stream.between(-_FIELD_ANGLE, _FIELD_ANGLE)
    if grid.shape == "hex" and stream.draw_unit() < 0.5:
        # Rotation by 60 degrees gives strips in other directions and fits a hex equally well.
        turn += 60.0 if stream.draw_unit() < 0.5 else -60.0
    near, far = ((corners[0], corners[1]), (corners[3], corners[2]))
    strip_ends = [
        [(x + share * (to_x - x), y + share * (to_y - y)) for share in cut]
        for ((x, y), (to_x, to_y)), cut in zip((near, far), cuts, strict=True)
    ]
    quads = [
        Polygon([strip_ends[0][strip], strip_ends[0][strip + 1], strip_ends[1][strip + 1], strip_ends[1][strip]])
        for strip in range(strips)
    ]
    return _fit_quads(quads, grid, cell, turn)


def find_cell_groups(grid: Grid, cells: Collection[Cell]) -> tuple[tuple[Cell, ...], ...]:
    """Return the cells as groups connected by sides; groups and cells are in reading order (PW0-18).

    Without cells there are no groups.
    """
    remaining = [cell for cell in grid.cells() if cell in set(cells)]
    cell_groups: list[tuple[Cell, ...]] = []
    while remaining:
        group, pending = {remaining[0]}, [remaining[0]]
        while pending:
            fresh = [cell for cell in neighbours(grid, pending.pop()) if cell in remaining and cell not in group]
            group.update(fresh)
            pending += fresh
        cell_groups.append(tuple(cell for cell in remaining if cell in group))
        remaining = [cell for cell in remaining if cell not in group]
    return tuple(cell_groups)


def union_cells(grid: Grid, cells: Collection[Cell]) -> BaseGeometry:
    """Return the union of the cells as one shape, in mm on the board.

    Cells off the grid are left out. Without cells the shape is empty; it has several parts if the cells are not
    connected.
    """
    merged: BaseGeometry = shapely.union_all([grid.outline(cell) for cell in grid.cells() if cell in set(cells)])
    return merged


def _merge_cells(grid: Grid, cells: Collection[Cell]) -> Polygon:
    """Return the union of connected cells as one polygon, in mm on the board.

    Raises:
        PlacementError: there are no cells, or they are not connected.
    """
    parts = find_cell_groups(grid, cells)
    if not parts:
        raise PlacementError("a natural feature has no cells; give at least one")
    if len(parts) > 1:
        raise PlacementError(
            "cells {first} and {second} do not share a side, so they cannot be one feature; give each "
            "group its own outline",
            first=tuple(parts[0][0]),
            second=tuple(parts[1][0]),
        )
    return largest_polygon(union_cells(grid, cells))


def _join_cells(grid: Grid, cells: Collection[Cell], radius: float) -> Polygon:
    """Return the ground within ``radius`` mm of the lines between neighbouring cells, with holes only for a ring."""
    lines = [
        LineString([grid.centre(cell), grid.centre(other)])
        for cell in cells
        for other in neighbours(grid, cell)
        if other in cells
    ]
    ground = largest_polygon(shapely.union_all(lines).buffer(radius))
    return Polygon(
        ground.exterior, [ring for ring in ground.interiors if Polygon(ring).area > _HILL_HOLE * grid.cell**2]
    )


def _build_ellipse(cell: Polygon, corner: int, ratio: float, share: float) -> Polygon:
    """Return an ellipse at the centre of a cell, elongated towards the corner with index ``corner``, from 0.

    ``cell`` is the outline in mm on the board, ``ratio`` that of length to width, and ``share`` the part of the cell
    that the ellipse covers.
    """
    (x, y), (to_x, to_y) = cell.centroid.coords[0], cell.exterior.coords[corner]
    radius = math.sqrt(share * cell.area / math.pi)
    long_radius, short_radius = radius * math.sqrt(ratio), radius / math.sqrt(ratio)
    ellipse = affinity.scale(Point(0, 0).buffer(1.0, quad_segs=24), long_radius, short_radius)
    rotated = affinity.rotate(ellipse, math.degrees(math.atan2(to_y - y, to_x - x)), origin=(0, 0))
    return affinity.translate(rotated, x, y)


def _covers_cells(outline: Polygon, grid: Grid, cells: Collection[Cell], coverage: float) -> bool:
    """Return whether an outline in mm on the board covers enough of each cell, and the centre of each.

    Enough is a little more than the share ``coverage`` of its area.
    """
    for cell in cells:
        cell_shape = grid.outline(cell)
        if outline.intersection(cell_shape).area < (coverage + _SPARE_SHARE) * cell_shape.area:
            return False
    shapely.prepare(outline)
    return all(shapely.contains_xy(outline, *grid.centre(cell)) for cell in cells)


def _fit_quads(quads: Sequence[Polygon], grid: Grid, cell: Cell, turn: float) -> tuple[Polygon, ...]:
    """Return quadrilaterals moved to a cell, rotated, and scaled down to keep off its sides.

    The quadrilaterals ``quads`` are about the origin. Shapes are in mm on the board, and ``turn`` is in degrees
    anticlockwise. The smallest scale is 0.8, even if that is still too large.
    """
    x, y = grid.centre(cell)
    free_area = grid.outline(cell).buffer(-_FIELD_MARGIN * grid.cell / REFERENCE_CELL_MM, join_style="mitre")
    placed_quads: tuple[Polygon, ...] = ()
    for size in (1.0, 0.96, 0.92, 0.88, 0.84, 0.8):
        rotated = (affinity.rotate(quad, turn, origin=(0, 0)) for quad in quads)
        scaled = (affinity.scale(quad, size, size, origin=(0, 0)) for quad in rotated)
        placed_quads = tuple(affinity.translate(quad, x, y) for quad in scaled)
        if all(free_area.contains(quad) for quad in placed_quads):
            break
    return placed_quads
