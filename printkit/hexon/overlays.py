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

from printkit.core.words import BETWEEN, Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Layer, Path, PathRun, Stroke
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.lettering.lettering import TypeStyle, line, measure
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.leaflet import explained_head
from printkit.drawing.text.text_styles import drawing_of
from printkit.hexon.files import part_word
from printkit.hexon.layout.layout import HexonLayout
from printkit.hexon.layout.pieces import SIDES, direction_of
from printkit.hexon.layout.stock import Stock, strip_key
from printkit.hexon.layout.strips import StripPiece, turned_mask
from printkit.hexon.plans.board import run
from printkit.page.leaflets import room, shelved_pages
from printkit.page.ruling import shortened
from printkit.page.sheet import Page, Sheet
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import BUILT, WAYS, Area, Course, Crossing, Feature, Going, Kind
from printkit.terrain.field.grids import Cell, Grid, HexGrid, neighbours
from printkit.terrain.geometry.measure import direction
from printkit.terrain.gridded.cell_courses import course_width

_RIVERS: Final = (Kind.RIVER, Kind.STREAM, Kind.CREEK)
_DRY: Final = (Kind.DITCH, Kind.GULLY, Kind.RAVINE)
_COURSES: Final = (*_RIVERS, *_DRY, *WAYS)
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


def overlays(layout: HexonLayout, drafter: Drafter, words: Words, stock: Stock | None = None) -> tuple[PaperPiece, ...]:
    """Return all paper pieces, strips first, each kind in reading order.

    Args:
        layout: the tiles.
        drafter: the style, irregularity and language of the symbols, at actual size.
        words: the language of the titles.
        stock: the pieces that the user owns, which are not cut.
    """
    strips: dict[Cell, list[StripPiece]] = {}
    for strip in layout.strips:
        strips.setdefault(strip.cell, []).append(strip)
    held: dict[Cell, list[Kind]] = {}
    for marker in layout.markers:
        held.setdefault(marker.cell, []).append(marker.kind)
    lone = [each[0] for cell, each in strips.items() if len(each) == 1 and cell not in held]
    mixed = sorted({*held, *(cell for cell, each in strips.items() if len(each) > 1)}, key=lambda cell: cell[::-1])
    found = []
    for strip in _lacking(lone, stock):
        name = strip_key(strip.kind, strip.name)
        found.append(PaperPiece(_strip(layout.grid, strip, drafter), part_word(name, words), strip.cell, name))
    for cell in mixed:
        kinds = [*held.get(cell, ()), *(strip.kind for strip in strips.get(cell, ()))]
        title = BETWEEN.join(", ".join(one(f"kind.{kind}") for kind in dict.fromkeys(kinds)) for one in words.each())
        found.append(PaperPiece(_hex(layout.grid, cell, held, strips.get(cell, ()), drafter), title, cell))
    return tuple(found)


def overlay_pages(
    made: Sequence[PaperPiece], grid: Grid, sheet: Sheet, drafter: Drafter, words: Words
) -> tuple[Page, ...]:
    """Return the sheets of paper pieces, large pieces first.

    Raises:
        PageError: the paper is too small for one hex.
    """
    free = room(sheet, measured=True, spread=True)
    title = words("hexon.overlays.title")
    strips = sum(bool(each.strip) for each in made)
    how = words("hexon.overlays.how", cell=f"{grid.cell:g}", strips=strips, hexes=len(made) - strips)
    head = explained_head(title, how, free.width, _HEAD, drafter)
    blocks = [_labelled(each, grid, drafter) for each in made]
    blocks.sort(key=lambda block: (-block.height, -block.width))
    return shelved_pages(blocks, head, sheet, words=words, label=title, spread=True)[0]


def _lacking(strips: Sequence[StripPiece], stock: Stock | None) -> Iterator[StripPiece]:
    """Yield the strips that the stock cannot supply, by kind; the stock supplies the first ones in reading order."""
    used: dict[str, int] = {}
    for strip in sorted(strips, key=lambda each: (strip_key(each.kind, each.name), each.cell[::-1])):
        name = strip_key(strip.kind, strip.name)
        used[name] = used.get(name, 0) + 1
        if stock is None or used[name] > stock.owned(name):
            yield strip


# --- The ground of one hex --------------------------------------------------------------------------------------------


def _strip(grid: Grid, strip: StripPiece, drafter: Drafter) -> Drawing:
    """Return the drawing of a strip in its narrowest rotation, with the cut line, at its own size."""
    one = _alone(grid)
    masks = (turned_mask(strip.pattern, turn) for turn in range(SIDES))
    turned = [_courses(one, [(strip.kind, _sides(mask))]) for mask in masks]
    papers = [shapely.union_all([_paper(course) for course in courses]).intersection(_rim(one)) for courses in turned]
    least = min(range(SIDES), key=lambda turn: (round(_width(papers[turn]), 3), turn))
    return _cut(_drawn(one, turned[least], drafter), papers[least], drafter)


def _sides(mask: int) -> tuple[int, ...]:
    return tuple(side for side in range(SIDES) if mask >> side & 1)


def _width(shape: Polygon) -> float:
    left, _, right, _ = shape.bounds
    return float(right - left)


def _hex(
    grid: Grid,
    cell: Cell,
    held: Mapping[Cell, Sequence[Kind]],
    strips: Sequence[StripPiece],
    drafter: Drafter,
) -> Drawing:
    """Return the drawing of a whole hex with all its features and the cut line."""
    one = _alone(grid)
    x, y = grid.centre(cell)
    middle = one.centre(Cell(1, 1))
    kinds = held.get(cell, ())
    features: list[Feature] = []
    for kind in dict.fromkeys(kinds):
        if kind in _CROSSINGS or kind is Kind.JUNCTION:
            continue
        ground = affinity.translate(_ground(grid, cell, kind, held), middle[0] - x, middle[1] - y)
        area = Kind.LAKE if kind in _RIVERS else kind
        features.append(Area(id=f"overlay-{grid.address(cell)}-{kind}", kind=area, outline=ground, going=_UNSTATED))
    courses = _courses(one, [(strip.kind, strip.sides) for strip in strips])
    crossings = [each for kind in kinds if kind in _CROSSINGS for each in _crossing(kind, courses)]
    drawn = _drawn(one, [*features, *courses, *crossings], drafter)
    return _cut(drawn, _rim(one), drafter)


def _alone(grid: Grid) -> Grid:
    """Return a grid of one hex with the size and orientation of a given grid."""
    assert isinstance(grid, HexGrid)
    return HexGrid(1, 1, grid.cell, grid.grain)


def _rim(one: Grid) -> Polygon:
    return Polygon(one.corners(Cell(1, 1)))


def _ground(grid: Grid, cell: Cell, kind: Kind, held: Mapping[Cell, Sequence[Kind]]) -> Polygon:
    """Return the ground of a kind in a hex, extended over the sides to neighbours with the same ground."""
    own = Polygon(grid.corners(cell))
    if kind in BUILT:
        return affinity.scale(own, 1 - _TOWN_INSET, 1 - _TOWN_INSET)
    alike = [each for each in neighbours(grid, cell) if kind in held.get(each, ())]
    whole = shapely.union_all([own, *(Polygon(grid.corners(each)) for each in alike)], grid_size=0.001)
    reach = own.buffer(_BEYOND, join_style="mitre")
    ground = whole.intersection(reach)
    return max((part for part in shapely.get_parts(ground) if part.area > 1.0), key=lambda part: float(part.area))


def _courses(one: Grid, strips: Sequence[tuple[Kind, Sequence[int]]]) -> list[Course]:
    """Return the courses through the midpoints of the sides of one hex; three or more courses meet in the centre."""
    found = []
    for kind, sides in strips:
        width = course_width(one, kind if kind not in _DRY else Kind.STREAM)
        for number, path in enumerate(_paths(one, sides)):
            found.append(Course(id=f"overlay-{kind}-{number}", kind=kind, line=path, width=width, going=_UNSTATED))
    return found


def _paths(one: Grid, sides: Sequence[int]) -> Iterator[LineString]:
    """Yield lines through a hex and beyond its edge: one curve for two sides, otherwise each side to the centre."""
    middle = np.array(one.centre(Cell(1, 1)))
    ends = [_end(one, side) for side in sides]
    if len(ends) == 2:
        steps = np.linspace(0.0, 1.0, _BOW + 1)[:, None]
        (first, out), (last, away) = ends
        bow = (1 - steps) ** 2 * first + 2 * steps * (1 - steps) * middle + steps**2 * last
        yield LineString([out, *bow, away])
        return
    for first, out in ends:
        yield LineString([out, first, middle])


def _end(one: Grid, side: int) -> tuple[np.typing.NDArray[np.float64], np.typing.NDArray[np.float64]]:
    """Return the midpoint of a side (numbered as in HX-12) and a point ``_BEYOND`` mm outside it."""
    corners = np.array(one.corners(Cell(1, 1)))
    at = direction_of(one, side)
    place = (corners[at] + corners[(at + 1) % len(corners)]) / 2
    out = place - np.array(one.centre(Cell(1, 1)))
    return place, place + out * (_BEYOND / (one.cell / 2))


def _crossing(kind: Kind, courses: Sequence[Course]) -> Iterator[Crossing]:
    """Yield the crossing of a road or railway over water, or of a road over a railway."""
    under = (Kind.RAILWAY,) if kind is Kind.LEVEL_CROSSING else (*_RIVERS, *_DRY)
    lower = [course for course in courses if course.kind in under]
    over = (Kind.RAILWAY,) if kind is Kind.RAILWAY_BRIDGE else tuple(each for each in WAYS if each is not Kind.RAILWAY)
    upper = [course for course in courses if course.kind in over]
    for way, water in ((way, water) for way in upper for water in lower):
        meets = way.line.intersection(water.line)
        if not meets.is_empty:
            at = Point(meets.centroid)
            bearing = direction(way.line, way.line.project(at), _BEYOND)
            yield Crossing(
                id=f"overlay-{kind}", kind=kind, at=at, bearing=bearing, way=way.id, water=water.id, going=_UNSTATED
            )
            return


def _paper(course: Course) -> Polygon:
    """Return the paper shape of a course."""
    half = max(course.width / 2 + _BESIDE, _NARROWEST / 2)
    paper: Polygon = course.line.buffer(half, cap_style="round", join_style="round")
    return paper


def _drawn(one: Grid, features: Sequence[Feature], drafter: Drafter) -> Drawing:
    board = Board(one.width, one.depth, GroundScale(pace=0.254, base_width=40.0))
    field = Battlefield(board=board, features=tuple(features), grid=one)
    return board_drawing(field, drafter, numbers=False, zones=False, deployment=False, grid=False)


def _cut(drawn: Drawing, shape: Polygon, drafter: Drafter) -> Drawing:
    """Return a drawing clipped to a shape and reduced to its size, with the cut line."""
    inner = run(shape.exterior.coords[:-1], closed=True)
    layers: tuple[Layer, ...] = tuple(replace(layer, clip=inner) for layer in drawn.layers)
    left, low, right, high = shape.bounds
    stroke = Stroke(drafter.style.solid("ink"), _CUT * drafter.style.line_factor)
    edge: PathRun = run([(x - left, y - low) for x, y in shape.exterior.coords[:-1]], closed=True)
    wide, deep = right - left, high - low
    parts = [
        PlacedDrawing(Drawing(drawn.width, drawn.height, layers), -left, -low),
        PlacedDrawing(drawing_of(wide, deep, [Path((edge,), stroke=stroke)]), 0.0, 0.0),
    ]
    return joined(wide, deep, parts)


def _labelled(piece: PaperPiece, grid: Grid, drafter: Drafter) -> Drawing:
    """Return a piece with its hex and name below the cut line, in two rows if the piece is narrow."""
    wide, deep = piece.drawing.width, piece.drawing.height
    hand: TypeStyle = drafter.hand(Font.FIGURES_MEDIUM, _LABEL_PT)
    address = grid.address(piece.cell)
    whole = f"{address}  {piece.title}"
    rows = [whole] if measure(whole, hand) <= wide else [address, shortened(piece.title, hand, wide + _OVERHANG)]
    broad, high = max(wide, *(measure(row, hand) for row in rows)), _LABEL * len(rows) + _BELOW
    items: list[Item] = []
    for number, row in enumerate(reversed(rows)):
        items += line(row, (broad / 2, 1.4 + number * _LABEL), hand, anchor=Anchor.MIDDLE)
    parts = [
        PlacedDrawing(piece.drawing, (broad - wide) / 2, high),
        PlacedDrawing(drawing_of(broad, high, items), 0.0, 0.0),
    ]
    return joined(broad, deep + high, parts)
