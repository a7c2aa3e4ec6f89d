"""Paper overlays for features without tiles: strips of roads and water, and whole hexes, at the size of the tiles.

A hex with courses of one kind and nothing else is cut as a strip, in the rotation that makes it narrowest, so equal
strips are identical. Every other hex with features is cut as a whole hex, in its position on the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import shapely
from msgspec.structs import replace
from shapely import LineString, Point, Polygon, affinity

from printkit.core.words import SEPARATOR, Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Layer, Path, PathRun, Stroke
from printkit.drawing.canvas.layers import PlacedDrawing, drawing_of, joined
from printkit.drawing.lettering.lettering import TypeStyle, line, measure, shorten
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.leaflet import instruction_header
from printkit.hexon.files import part_name
from printkit.hexon.layout.layout import HexonLayout
from printkit.hexon.layout.pieces import SIDES, direction_of
from printkit.hexon.layout.stock import Stock, strip_key
from printkit.hexon.layout.strips import StripPiece, rotate_mask
from printkit.hexon.plans.board import run
from printkit.page.leaflets import leaflet_area, shelved_pages
from printkit.page.sheet import Page, Sheet
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import BUILT, ROUTES, Area, Course, Crossing, Feature, Going, Kind
from printkit.terrain.field.grids import Cell, Grid, HexGrid, neighbours
from printkit.terrain.geometry.measure import line_bearing
from printkit.terrain.gridded.cell_courses import course_width

_RIVERS: Final = (Kind.RIVER, Kind.STREAM, Kind.CREEK)
_DRY: Final = (Kind.DITCH, Kind.GULLY, Kind.RAVINE)
_COURSES: Final = (*_RIVERS, *_DRY, *ROUTES)
_CROSSINGS: Final = (Kind.FORD, Kind.BRIDGE, Kind.TIMBER_BRIDGE, Kind.RAILWAY_BRIDGE, Kind.LEVEL_CROSSING)

# Ground on each side of a strip in mm, so that the paper does not tear.
_BESIDE: Final = 3.0

# Smallest width of a strip in mm.
_NARROWEST: Final = 16.0

# Courses and ground extend this far beyond the edge of the hex, in mm, where the cut removes them.
_BEYOND: Final = 4.0

# Distance of a town from the edge of its hex, as a share of the hex.
_TOWN_INSET: Final = 0.06

_BOW: Final = 14
_UNSTATED: Final = Going(0, "")
_CUT: Final = 0.12
_LABEL_PT: Final = 7.5
# Height of a row of a label in mm.
_LABEL: Final = 3.6

# Distance of a label from the cut line in mm.
_BELOW: Final = 1.2

# A name may be this much wider than its strip, in mm.
_OVERHANG: Final = 8.0

_HEAD: Final = 24.0


class PaperPiece(NamedTuple):
    """A paper piece: its drawing with the cut line, its title, and its hex.

    ``strip`` is the name in a stock of the piece that it replaces; empty for a whole hex.
    """

    drawing: Drawing
    title: str
    cell: Cell
    strip: str = ""


def draw_overlays(
    layout: HexonLayout, drafter: Drafter, words: Words, stock: Stock | None = None
) -> tuple[PaperPiece, ...]:
    """Return all paper pieces at actual size: strips by kind, then whole hexes in reading order; often none.

    Args:
        layout: the tiles.
        drafter: the style, irregularity and language of the symbols, at actual size.
        words: the language of the titles.
        stock: the pieces that the user owns, which are not cut; None to cut all strips.
    """
    strips: dict[Cell, list[StripPiece]] = {}
    for strip in layout.strips:
        strips.setdefault(strip.cell, []).append(strip)
    kinds_by_cell: dict[Cell, list[Kind]] = {}
    for marker in layout.markers:
        kinds_by_cell.setdefault(marker.cell, []).append(marker.kind)
    lone = [
        cell_strips[0] for cell, cell_strips in strips.items() if len(cell_strips) == 1 and cell not in kinds_by_cell
    ]
    mixed_cells = sorted(
        {*kinds_by_cell, *(cell for cell, cell_strips in strips.items() if len(cell_strips) > 1)},
        key=lambda cell: cell[::-1],
    )
    pieces = []
    for strip in _missing_strips(lone, stock):
        name = strip_key(strip.kind, strip.name)
        pieces.append(PaperPiece(_draw_strip(layout.grid, strip, drafter), part_name(name, words), strip.cell, name))
    for cell in mixed_cells:
        kinds = [*kinds_by_cell.get(cell, ()), *(strip.kind for strip in strips.get(cell, ()))]
        title = SEPARATOR.join(
            ", ".join(language(f"kind.{kind}") for kind in dict.fromkeys(kinds)) for language in words.each()
        )
        pieces.append(
            PaperPiece(_draw_hex(layout.grid, cell, kinds_by_cell, strips.get(cell, ()), drafter), title, cell)
        )
    return tuple(pieces)


def overlay_pages(
    pieces: Sequence[PaperPiece], grid: Grid, sheet: Sheet, drafter: Drafter, words: Words
) -> tuple[Page, ...]:
    """Return the sheets of paper pieces at actual size, each with a label, large pieces first.

    Args:
        pieces: at least one piece.
        grid: the hexes of the layout.
        sheet: the requested paper.
        drafter: style and words of labels and instructions.
        words: the language or languages.

    Raises:
        PageError: the paper is too small for one hex.
    """
    free = leaflet_area(sheet, measured=True, spread=True)
    title = words("hexon.overlays.title")
    strips = sum(bool(piece.strip) for piece in pieces)
    how = words("hexon.overlays.how", cell=f"{grid.cell:g}", strips=strips, hexes=len(pieces) - strips)
    head = instruction_header(title, how, free.width, _HEAD, drafter)
    blocks = [_add_label(piece, grid, drafter) for piece in pieces]
    blocks.sort(key=lambda block: (-block.height, -block.width))
    return shelved_pages(blocks, head, sheet, words=words, label=title, spread=True)[0]


def _missing_strips(strips: Sequence[StripPiece], stock: Stock | None) -> Iterator[StripPiece]:
    """Yield the strips that the stock does not have, by their name in a stock, then in reading order.

    Without a stock these are all of them. The stock supplies the first ones of each name in reading order.
    """
    counts: dict[str, int] = {}
    for strip in sorted(strips, key=lambda piece: (strip_key(piece.kind, piece.name), piece.cell[::-1])):
        name = strip_key(strip.kind, strip.name)
        counts[name] = counts.get(name, 0) + 1
        if stock is None or counts[name] > stock.count(name):
            yield strip


# --- The ground of one hex --------------------------------------------------------------------------------------------


def _draw_strip(grid: Grid, strip: StripPiece, drafter: Drafter) -> Drawing:
    """Return a strip in its narrowest rotation at actual size (mm at 1:1), with the cut line."""
    hex_grid = _single_hex_grid(grid)
    masks = (rotate_mask(strip.pattern, turn) for turn in range(SIDES))
    rotations = [_hex_courses(hex_grid, [(strip.kind, _mask_sides(mask))]) for mask in masks]
    papers = [
        shapely.union_all([_paper_shape(course) for course in courses]).intersection(_hex_outline(hex_grid))
        for courses in rotations
    ]
    widths = [round(float(right - left), 3) for left, _, right, _ in (paper.bounds for paper in papers)]
    least = widths.index(min(widths))
    return _clip_to_shape(_draw_features(hex_grid, rotations[least], drafter), papers[least], drafter)


def _mask_sides(mask: int) -> tuple[int, ...]:
    """Return the numbers of the sides, 0 to 5, whose bits are set in ``mask``."""
    return tuple(side for side in range(SIDES) if mask >> side & 1)


def _draw_hex(
    grid: Grid,
    cell: Cell,
    kinds_by_cell: Mapping[Cell, Sequence[Kind]],
    strips: Sequence[StripPiece],
    drafter: Drafter,
) -> Drawing:
    """Return the drawing of a complete hex with all its features and the cut line, in mm at 1:1.

    ``kinds_by_cell`` has the kinds of features in each cell, and ``strips`` are those of this cell.
    """
    hex_grid = _single_hex_grid(grid)
    x, y = grid.centre(cell)
    middle = hex_grid.centre(Cell(1, 1))
    kinds = kinds_by_cell.get(cell, ())
    features: list[Feature] = []
    for kind in dict.fromkeys(kinds):
        if kind in _CROSSINGS or kind is Kind.JUNCTION:
            continue
        ground = affinity.translate(_hex_ground(grid, cell, kind, kinds_by_cell), middle[0] - x, middle[1] - y)
        area = Kind.LAKE if kind in _RIVERS else kind
        features.append(Area(id=f"overlay-{grid.address(cell)}-{kind}", kind=area, outline=ground, going=_UNSTATED))
    courses = _hex_courses(hex_grid, [(strip.kind, strip.sides) for strip in strips])
    crossings = [crossing for kind in kinds if kind in _CROSSINGS for crossing in _find_crossing(kind, courses)]
    drawing = _draw_features(hex_grid, [*features, *courses, *crossings], drafter)
    return _clip_to_shape(drawing, _hex_outline(hex_grid), drafter)


def _single_hex_grid(grid: Grid) -> Grid:
    """Return a grid of one hex with the size and orientation of the hexes of a grid."""
    assert isinstance(grid, HexGrid)
    return HexGrid(1, 1, grid.cell, grid.grain)


def _hex_outline(hex_grid: Grid) -> Polygon:
    """Return the outline of the hex of a grid of one hex, in mm at 1:1."""
    return Polygon(hex_grid.corners(Cell(1, 1)))


def _hex_ground(grid: Grid, cell: Cell, kind: Kind, kinds_by_cell: Mapping[Cell, Sequence[Kind]]) -> Polygon:
    """Return the ground of a kind in a hex, in mm on the board.

    It extends a little over the sides to neighbours with the same ground in ``kinds_by_cell``; a town is smaller than
    its hex.
    """
    outline = Polygon(grid.corners(cell))
    if kind in BUILT:
        return affinity.scale(outline, 1 - _TOWN_INSET, 1 - _TOWN_INSET)
    same_kind = [other_cell for other_cell in neighbours(grid, cell) if kind in kinds_by_cell.get(other_cell, ())]
    union = shapely.union_all(
        [outline, *(Polygon(grid.corners(other_cell)) for other_cell in same_kind)], grid_size=0.001
    )
    reach = outline.buffer(_BEYOND, join_style="mitre")
    ground = union.intersection(reach)
    return max((part for part in shapely.get_parts(ground) if part.area > 1.0), key=lambda part: float(part.area))


def _hex_courses(hex_grid: Grid, strips: Sequence[tuple[Kind, Sequence[int]]]) -> list[Course]:
    """Return the courses through the midpoints of the sides of one hex, in mm at 1:1.

    Each strip is a kind and its side numbers (0 to 5, HX-12). Three or more courses meet in the centre.
    """
    courses = []
    for kind, sides in strips:
        width = course_width(hex_grid, kind if kind not in _DRY else Kind.STREAM)
        for number, path in enumerate(_hex_paths(hex_grid, sides)):
            courses.append(Course(id=f"overlay-{kind}-{number}", kind=kind, line=path, width=width, going=_UNSTATED))
    return courses


def _hex_paths(hex_grid: Grid, sides: Sequence[int]) -> Iterator[LineString]:
    """Yield lines in mm at 1:1 through a hex and beyond its edge.

    ``sides`` count clockwise from 0 (HX-12). Two sides give one curve; otherwise each side is joined to the centre.
    """
    middle = np.array(hex_grid.centre(Cell(1, 1)))
    ends = [_side_end(hex_grid, side) for side in sides]
    if len(ends) == 2:
        steps = np.linspace(0.0, 1.0, _BOW + 1)[:, None]
        (first, out), (last, last_out) = ends
        bow = (1 - steps) ** 2 * first + 2 * steps * (1 - steps) * middle + steps**2 * last
        yield LineString([out, *bow, last_out])
        return
    for first, out in ends:
        yield LineString([out, first, middle])


def _side_end(hex_grid: Grid, side: int) -> tuple[np.typing.NDArray[np.float64], np.typing.NDArray[np.float64]]:
    """Return the midpoint of a side (0 to 5 clockwise, HX-12) and a point ``_BEYOND`` mm outside it.

    Both are x and y in mm at 1:1.
    """
    corners = np.array(hex_grid.corners(Cell(1, 1)))
    corner_index = direction_of(hex_grid, side)
    midpoint = (corners[corner_index] + corners[(corner_index + 1) % len(corners)]) / 2
    out = midpoint - np.array(hex_grid.centre(Cell(1, 1)))
    return midpoint, midpoint + out * (_BEYOND / (hex_grid.cell / 2))


def _find_crossing(kind: Kind, courses: Sequence[Course]) -> Iterator[Crossing]:
    """Yield the first crossing of a way over water, or of a road over a railway; nothing without one.

    The position is in the mm of the courses, the bearing in degrees.
    """
    lower_kinds = (Kind.RAILWAY,) if kind is Kind.LEVEL_CROSSING else (*_RIVERS, *_DRY)
    lower = [course for course in courses if course.kind in lower_kinds]
    upper_kinds = (
        (Kind.RAILWAY,)
        if kind is Kind.RAILWAY_BRIDGE
        else tuple(upper_kind for upper_kind in ROUTES if upper_kind is not Kind.RAILWAY)
    )
    upper = [course for course in courses if course.kind in upper_kinds]
    for road, water in ((road, water) for road in upper for water in lower):
        meets = road.line.intersection(water.line)
        if not meets.is_empty:
            point = Point(meets.centroid)
            bearing = line_bearing(road.line, road.line.project(point), _BEYOND)
            yield Crossing(
                id=f"overlay-{kind}",
                kind=kind,
                at=point,
                bearing=bearing,
                route=road.id,
                water=water.id,
                going=_UNSTATED,
            )
            return


def _paper_shape(course: Course) -> Polygon:
    """Return the shape of the paper for a course, a little wider than the course, in mm at 1:1."""
    half = max(course.width / 2 + _BESIDE, _NARROWEST / 2)
    paper: Polygon = course.line.buffer(half, cap_style="round", join_style="round")
    return paper


def _draw_features(hex_grid: Grid, features: Sequence[Feature], drafter: Drafter) -> Drawing:
    """Return the drawing of features, in mm at 1:1, on the board of a grid."""
    board = Board(hex_grid.width, hex_grid.depth, GroundScale(pace=0.254, base_width=40.0))
    field = Battlefield(board=board, features=tuple(features), grid=hex_grid)
    return board_drawing(field, drafter, numbers=False, zones=False, deployment=False, grid=False)


def _clip_to_shape(drawing: Drawing, shape: Polygon, drafter: Drafter) -> Drawing:
    """Return a drawing cut down to a shape in mm at 1:1 and to its bounds, with the cut line.

    Its origin is the lower left corner of the bounds.
    """
    inner = run(shape.exterior.coords[:-1], closed=True)
    layers: tuple[Layer, ...] = tuple(replace(layer, clip=inner) for layer in drawing.layers)
    left, low, right, high = shape.bounds
    stroke = Stroke(drafter.style.solid("ink"), _CUT * drafter.style.line_factor)
    edge: PathRun = run([(x - left, y - low) for x, y in shape.exterior.coords[:-1]], closed=True)
    wide, deep = right - left, high - low
    parts = [
        PlacedDrawing(Drawing(drawing.width, drawing.height, layers), -left, -low),
        PlacedDrawing(drawing_of(wide, deep, [Path((edge,), stroke=stroke)]), 0.0, 0.0),
    ]
    return joined(wide, deep, parts)


def _add_label(piece: PaperPiece, grid: Grid, drafter: Drafter) -> Drawing:
    """Return a piece with the address of its hex and its title below the cut line.

    A narrow piece has them in two rows, and a title that is too long is shortened.
    """
    width, height = piece.drawing.width, piece.drawing.height
    style: TypeStyle = drafter.type_style(Font.FIGURES_MEDIUM, _LABEL_PT)
    address = grid.address(piece.cell)
    full_label = f"{address}  {piece.title}"
    rows = (
        [full_label]
        if measure(full_label, style) <= width
        else [address, shorten(piece.title, style, width + _OVERHANG)]
    )
    total_width, label_height = max(width, *(measure(row, style) for row in rows)), _LABEL * len(rows) + _BELOW
    items: list[Item] = []
    for number, row in enumerate(reversed(rows)):
        items += line(row, (total_width / 2, 1.4 + number * _LABEL), style, anchor=Anchor.MIDDLE)
    parts = [
        PlacedDrawing(piece.drawing, (total_width - width) / 2, label_height),
        PlacedDrawing(drawing_of(total_width, label_height, items), 0.0, 0.0),
    ]
    return joined(total_width, height + label_height, parts)
