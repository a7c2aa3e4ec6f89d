"""The top plan of a Hexon layout, with strips and markers, and the key of all plans.

Words avoid strips. A hex without enough space for its words shows a number, and a list below the plan has its contents.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

import numpy as np
import shapely
from shapely import LineString, MultiLineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.sums import plain_sum
from printkit.core.words import SEPARATOR, Words
from printkit.drawing.canvas.items import Anchor, Cap, Drawing, Font, Item, Join, LayeredItems, LayerName, Path, Stroke
from printkit.drawing.canvas.layers import PlacedDrawing, group_by_layer, joined
from printkit.drawing.canvas.plain import make_disc, make_polygon
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import LEAST_FIGURES, TypeStyle, line, measure, wrap_words
from printkit.hexon.layout.layout import HexonLayout, TilePiece
from printkit.hexon.layout.pieces import PieceKind
from printkit.hexon.layout.strips import StripName, StripPiece
from printkit.hexon.plans.board import (
    HIGH,
    MARGIN,
    BoardPoint,
    PlanBoard,
    Window,
    add_layer_name,
    board_tints,
    draw_grid_lines,
    draw_wall,
    full_window,
    piece_items,
    run,
)
from printkit.terrain.field.features import BUILT, WOODS, Kind, find_family
from printkit.terrain.field.grids import Cell, Grid, HexGrid

_WATER: Final = frozenset(find_family("running-water", "cut", "still-water"))
# The ink of a hex by its features, and the strength of the ink.
_TINTS: Final[Mapping[frozenset[Kind], tuple[str, float]]] = {
    _WATER: ("water", 0.75),
    frozenset(find_family("wet")): ("marsh", 0.8),
    frozenset(WOODS): ("heavy-woods", 0.55),
    frozenset(BUILT): ("town", 0.9),
    frozenset({Kind.PASTURE}): ("pasture", 0.8),
    frozenset(find_family("field")): ("crops", 0.45),
}

# Drawn width of a strip, as a share of the cell.
_WIDE: Final = {"water": 0.30, "rail": 0.13, "way": 0.15}
_RANK: Final = {"water": 0, "way": 1, "rail": 2}
_CASING: Final = 0.3
_CURVE: Final = 14
# The inks of the edge and of the surface of a strip, and their layers.
_PAINT: Final[Mapping[str, tuple[str, str, LayerName, LayerName]]] = {
    "water": ("bank-line", "water", LayerName.BANK, LayerName.WATER),
    "rail": ("rail", "rail", LayerName.CASING, LayerName.COURSE),
    "way": ("road-casing", "road", LayerName.CASING, LayerName.COURSE),
}


_INSET: Final = 0.06
_SIGN_INSET: Final = 0.12
_WORD_PT: Final = 8.5
_SHARES: Final = (1.0, 0.88, 0.77)
_DISC: Final = 2.1
_LEADING: Final = 1.12
_TRIES: Final = 7
_OUT: Final = 0.35
_KEEP: Final = 0.5
_UPRIGHT: Final = 0.01

_STEPS: Final = [_OUT * step / _TRIES for step in range(-_TRIES, _TRIES + 1)]
# Positions to try for words in a hex, from the centre outwards, in cells.
_OFFSETS: Final = np.array(
    sorted(product(_STEPS, repeat=2), key=lambda place: (round(math.hypot(*place), 6), place)),
)


class TopPlan(NamedTuple):
    """The plan, and the list for its numbered hexes: number, cell, and contents."""

    drawing: Drawing
    notes: tuple[tuple[int, Cell, str], ...]


class _Row(NamedTuple):
    """A row of words in a hex."""

    text: str
    hand: TypeStyle


def draw_top_plan(
    layout: HexonLayout, words: Words, *, scale: float, style: Style, window: Window | None = None, turned: bool = False
) -> TopPlan:
    """Return the plan of strips and markers over the finished hills, and the list of numbered hexes.

    Args:
        layout: the tiles.
        words: the language or languages of the texts.
        scale: printed mm per mm of the table.
        style: the style of the plan.
        window: the cells to show; all if None.
        turned: whether the view is from the far edge of the table.
    """
    board = PlanBoard(layout.grid, scale, style, window or full_window(layout.grid), turned)
    items = list(draw_grid_lines(board))
    for layer in layout.layers[1:]:
        tints = board_tints(layer.pieces, layout.grid)
        for piece in layer.pieces:
            if any(board.window.contains(cell) for cell in piece.cells):
                items += piece_items(board, piece, tint=tints.get(piece.number, 0), numbers=False)
    strips: dict[Cell, list[StripPiece]] = {}
    for strip in sorted(layout.strips, key=lambda strip_piece: _RANK[strip_group(strip_piece.kind)]):
        strips.setdefault(strip.cell, []).append(strip)
    kinds_by_cell: dict[Cell, list[Kind]] = {}
    for marker in layout.markers:
        kinds_by_cell.setdefault(marker.cell, []).append(marker.kind)
    notes: list[tuple[int, Cell, str]] = []
    for cell in board.cells():
        kinds, cell_strips = kinds_by_cell.get(cell, []), strips.get(cell, [])
        items += _tint_hex(board, cell, kinds)
        for strip in cell_strips:
            items += strip_items(board, strip.cell, strip.sides, strip_group(strip.kind))
        word_items = _hex_words(board, cell, kinds, cell_strips, words=words)
        if word_items is None:
            notes.append((len(notes) + 1, cell, _contents_text(kinds, cell_strips, words)))
            word_items = list(_draw_number(board, cell, cell_strips, len(notes)))
        items += word_items
    return TopPlan(board.drawing(items), tuple(notes))


def strip_group(kind: Kind) -> str:
    """Return the drawing style of a strip (a course in one hex): ``water``, ``rail`` or ``way``."""
    return "water" if kind in _WATER else "rail" if kind is Kind.RAILWAY else "way"


def strip_items(board: PlanBoard, cell: Cell, sides: Sequence[int], group: str) -> LayeredItems:
    """Yield the items of a strip through the midpoints of the sides that it crosses.

    ``sides`` count clockwise from 0 (HX-12), and ``group`` is the result of ``strip_group``.
    """
    edge, inner, below, above = _PAINT[group]
    outer, ink = board.style.solid(edge), board.style.solid(inner)
    wide = max(0.9, _WIDE[group] * board.cell)
    runs = tuple(run(points, closed=False) for points in _strip_paths(board, cell, sides))
    # Water ends exactly at the sides, because the next hex continues it; only ends inside a hex are round.
    if group == "rail":
        yield below, Path(runs, stroke=Stroke(outer, wide, dash=(0.45, 1.0), cap=Cap.BUTT))
        yield above, Path(runs, stroke=Stroke(ink, max(0.5, 0.3 * wide), cap=Cap.BUTT))
    else:
        yield below, Path(runs, stroke=Stroke(outer, wide + 2 * _CASING, cap=Cap.BUTT, join=Join.ROUND))
        yield above, Path(runs, stroke=Stroke(ink, wide, cap=Cap.BUTT, join=Join.ROUND))
    if len(sides) == 1:
        x, y = board.centre(cell)
        yield below, make_disc((x, y), wide / 2 + _CASING, outer, sides=24)
        yield above, make_disc((x, y), wide / 2, ink, sides=24)


def _strip_paths(board: PlanBoard, cell: Cell, sides: Sequence[int]) -> list[list[BoardPoint]]:
    """Return the lines of a strip as points in printed mm.

    Two sides (numbers 0 to 5, HX-12) give one curve; otherwise a line goes from the centre to each side.
    """
    middle = board.centre(cell)
    if len(sides) != 2:
        return [[middle, board.middle(cell, side)] for side in sides]
    start, end = (board.middle(cell, side) for side in sides)
    steps = [step / _CURVE for step in range(_CURVE + 1)]
    x_values, y_values = (
        [(1 - t) ** 2 * first + 2 * t * (1 - t) * control + t**2 * last for t in steps]
        for first, control, last in zip(start, middle, end, strict=True)
    )
    return [list(zip(x_values, y_values, strict=True))]


def _tint_hex(board: PlanBoard, cell: Cell, kinds: Sequence[Kind]) -> LayeredItems:
    """Yield a (layer, item) pair of a tinted make_polygon in a hex for the first of its features with a tint.

    It yields nothing if no feature has a tint.
    """
    corners = board.corners(cell, inset=_SIGN_INSET)
    ink = board.style.solid("ink-secondary")
    for kind in kinds:
        for group, (token, alpha) in _TINTS.items():
            if kind in group:
                outline = Stroke(ink, 0.2, dash=(0.8, 0.6), cap=Cap.BUTT)
                yield LayerName.GROUND_PATTERN, make_polygon(corners, board.tint(token, alpha, grey=0.08), outline)
                return


def _hex_words(
    board: PlanBoard, cell: Cell, kinds: Sequence[Kind], strips: Sequence[StripPiece], *, words: Words
) -> list[tuple[LayerName, Item]] | None:
    """Return the texts about the features and strips of a hex, each a pair of layer and item.

    The result is None if there is no space next to the strips, and empty for an empty hex. Without strips, the
    texts are always drawn, even if they are too large for the hex. So is a single row about a straight strip of water.
    """
    if not kinds and not strips:
        return []
    courses = _strip_area(board, cell, strips)
    for share in _SHARES:
        rows = list(_hex_rows(board, kinds, strips, words=words, share=share))
        place = _find_position(board, cell, rows, courses)
        if place is not None:
            return list(_draw_rows(board, rows, *place))
    if not strips:
        return list(_draw_rows(board, rows, *board.centre(cell)))
    (strip, *other_strips) = strips
    if (
        kinds
        or other_strips
        or len(rows) > 1
        or strip.name is not StripName.STRAIGHT
        or strip_group(strip.kind) != "water"
    ):
        return None
    return list(_draw_along_water(board, strip, rows[0]))


def _draw_along_water(board: PlanBoard, strip: StripPiece, row: _Row) -> LayeredItems:
    """Yield (layer, item) pairs of a row of words along a straight strip of water, in the middle of its hex.

    The strip must cross two sides. The words may extend past the hex: their length is not checked. Items are in
    printed mm.
    """
    (one_x, one_y), (two_x, two_y) = (board.middle(strip.cell, side) for side in strip.sides)
    angle = math.atan((two_y - one_y) / (two_x - one_x)) if abs(two_x - one_x) > _UPRIGHT else math.pi / 2
    x, y = board.centre(strip.cell)
    foot = HIGH * row.hand.height / 2
    position = x + foot * math.sin(angle), y - foot * math.cos(angle)
    yield from add_layer_name(
        LayerName.LABEL, line(row.text, position, row.hand, anchor=Anchor.MIDDLE, angle=math.degrees(angle))
    )


def _draw_rows(board: PlanBoard, rows: Sequence[_Row], x: float, y: float) -> LayeredItems:
    """Yield (layer, item) pairs of rows of words centred on the point (x, y), in printed mm.

    Whether they fit the hex is not checked.
    """
    top = y + plain_sum(_row_height(row) for row in rows) / 2
    for row in rows:
        top -= _row_height(row)
        halo_style = row.hand.with_halo(Stroke(board.style.solid("halo").with_alpha(0.9), 0.9))
        foot = top + 0.24 * row.hand.height
        yield from add_layer_name(LayerName.LABEL, line(row.text, (x, foot), halo_style, anchor=Anchor.MIDDLE))


def _draw_number(board: PlanBoard, cell: Cell, strips: Sequence[StripPiece], number: int) -> LayeredItems:
    """Yield a number of the list of hexes in a disc, where the disc covers the strips of the hex least."""
    type_style = TypeStyle.for_style(board.style, Font.HEAVY, _WORD_PT, board.style.solid("ink"))
    x, y = _clearest_position(board, cell, _strip_area(board, cell, strips))
    yield (
        LayerName.OVERLAY,
        make_disc((x, y), _DISC, board.style.solid("halo"), Stroke(board.style.solid("ink"), 0.3), sides=24),
    )
    foot = y - HIGH * type_style.height / 2
    yield from add_layer_name(LayerName.NUMBER, line(str(number), (x, foot), type_style, anchor=Anchor.MIDDLE))


def _contents_text(kinds: Sequence[Kind], strips: Sequence[StripPiece], words: Words) -> str:
    """Return the names of features and strips of a hex as one text, one language after the other.

    Names are separated by semicolons, and equal kinds appear once.
    """

    def language_text(language: Words) -> str:
        """Return the names in one language."""
        names = [language(f"kind.{kind}") for kind in dict.fromkeys(kinds)]
        names += [language(f"hexon.strip.{strip.name}", kind=language(f"kind.{strip.kind}")) for strip in strips]
        return "; ".join(names)

    return SEPARATOR.join(language_text(language_words) for language_words in words.each())


def _strip_area(board: PlanBoard, cell: Cell, strips: Sequence[StripPiece]) -> BaseGeometry:
    """Return the area that strips cover in a hex, in printed mm; empty without strips."""
    lines = [LineString(path) for strip in strips for path in _strip_paths(board, cell, strip.sides)]
    widest = max((_WIDE[strip_group(strip.kind)] for strip in strips), default=0.0)
    return MultiLineString(lines).buffer(widest * board.cell / 2 + _CASING) if lines else Polygon()


def _find_position(board: PlanBoard, cell: Cell, rows: Sequence[_Row], courses: BaseGeometry) -> BoardPoint | None:
    """Return the position (x, y) in printed mm for rows of words in a hex, or None if there is none.

    It is the one nearest to the centre and clear of ``courses``, the area of its strips in printed mm.
    """
    width = max(measure(row.text, row.hand) for row in rows) + _KEEP
    height = plain_sum(_row_height(row) for row in rows)
    x_values, y_values = (_OFFSETS * board.cell + board.centre(cell)).T
    boxes = shapely.box(x_values - width / 2, y_values - height / 2, x_values + width / 2, y_values + height / 2)
    free = Polygon(board.corners(cell, inset=_INSET)).difference(courses)
    shapely.prepare(free)
    fits = shapely.contains(free, boxes)
    best = int(np.argmax(fits))
    return (float(x_values[best]), float(y_values[best])) if fits[best] else None


def _clearest_position(board: PlanBoard, cell: Cell, courses: BaseGeometry) -> BoardPoint:
    """Return the position (x, y) in printed mm for a disc in a hex, clear of its strips if possible.

    If not, it is the position farthest from them. ``courses`` is the area of the strips in printed mm.
    """
    x_values, y_values = (_OFFSETS * board.cell + board.centre(cell)).T
    points = shapely.points(x_values, y_values)
    inner = Polygon(board.corners(cell)).buffer(-_DISC - _KEEP)
    shapely.prepare(inner)
    far = np.where(shapely.contains(inner, points), np.round(shapely.distance(points, courses), 2), -1.0)
    best = int(np.argmax(np.minimum(far, _DISC + _KEEP)))
    return float(x_values[best]), float(y_values[best])


def _hex_rows(
    board: PlanBoard, kinds: Sequence[Kind], strips: Sequence[StripPiece], *, words: Words, share: float
) -> Iterator[_Row]:
    """Yield the rows of words of a hex: its features in each language, then the shapes of its strips.

    The shapes are in the first language. ``share`` is the type size as a share of the usual one, down to the least
    size.
    """
    size = max(LEAST_FIGURES, min(_WORD_PT, 0.42 * board.cell) * share)
    plain_style = TypeStyle.for_style(board.style, Font.FIGURES_MEDIUM, size, board.style.solid("ink"))
    course_styles = {
        group: TypeStyle.for_style(board.style, Font.FIGURES_ITALIC, size, board.style.solid(ink))
        for group, ink in (("water", "water-name"), ("rail", "ink"), ("way", "sepia"))
    }
    width_mm = 0.86 * board.cell
    for kind in dict.fromkeys(kinds):
        for language in words.each():
            yield from _wrap_rows(language(f"kind.{kind}"), plain_style, width_mm)
    for strip in strips:
        type_style = course_styles[strip_group(strip.kind)]
        # There is space for one language; the parts list has the names of strips in both.
        language = words.each()[0]
        shape = language(f"hexon.shape.{strip.name}")
        text = (
            shape if len(strips) == 1 else language("hexon.shape.of", kind=language(f"kind.{strip.kind}"), shape=shape)
        )
        yield from _wrap_rows(text, type_style, width_mm)


def _wrap_rows(text: str, type_style: TypeStyle, width_mm: float) -> Iterator[_Row]:
    """Yield a text as rows of at most ``width_mm`` printed mm."""
    for row in wrap_words(text, type_style, width_mm):
        yield _Row(row, type_style)


def _row_height(row: _Row) -> float:
    """Return the height of a row in printed mm."""
    return _LEADING * row.hand.height


# --- The key of the plans of Hexon tiles: each symbol and its meaning -------------------------------------------------

# The symbols in the order of the key.
SIGNS: Final = ("board", "single", "slope", "strip", "wall")

# Width in mm of a hex of the key, and of a hex of a six-hex board.
_HEX: Final = 11.0
_SMALL: Final = 6.4
# Width in mm of the column of symbols, left of their texts.
_PLACE: Final = 21.0
_GAP: Final = 3.0
_GUTTER: Final = 8.0
_SIZE_PT: Final = 9.5
_KEY_LEADING: Final = 1.2
_COLUMNS: Final = 2


def draw_symbol_key(signs: Mapping[str, str], grid: Grid, width: float, style: Style) -> Drawing:
    """Return symbols with their texts in two columns, together ``width`` printed mm wide.

    Args:
        signs: the text of each symbol of ``SIGNS`` that the plans use.
        grid: the grid of the plans, which gives the orientation of the hexes.
        width: of both columns, in printed mm.
        style: the style of the plans.
    """
    column = (width - (_COLUMNS - 1) * _GUTTER) / _COLUMNS
    entries = [_draw_entry(sign, signs[sign], grid, column, style) for sign in SIGNS if sign in signs]
    rows = [entries[first : first + _COLUMNS] for first in range(0, len(entries), _COLUMNS)]
    height = plain_sum(max(entry.height for entry in row) + _GAP for row in rows)
    parts, top = [], height
    for row in rows:
        row_height = max(entry.height for entry in row)
        for index, entry in enumerate(row):
            parts.append(
                PlacedDrawing(entry, index * (column + _GUTTER), top - row_height + (row_height - entry.height) / 2)
            )
        top -= row_height + _GAP
    return joined(width, height, parts)


def _draw_entry(sign: str, text: str, grid: Grid, width: float, style: Style) -> Drawing:
    """Return a symbol with its text, ``width`` printed mm wide; ``sign`` is its name in ``SIGNS``."""
    picture = _draw_symbol(sign, grid, style)
    type_style = TypeStyle.for_style(style, Font.ROMAN, _SIZE_PT, style.solid("ink"))
    rows = wrap_words(text, type_style, width - _PLACE - _GAP)
    step = _KEY_LEADING * type_style.height
    height = max(picture.height, len(rows) * step)
    top = (height + len(rows) * step) / 2
    label_items = [
        label_items
        for index, row in enumerate(rows, 1)
        for label_items in add_layer_name(
            LayerName.LABEL, line(row, (_PLACE + _GAP, top - index * step + 0.28 * type_style.height), type_style)
        )
    ]
    label = Drawing(width, height, group_by_layer(label_items))
    placed_picture = PlacedDrawing(picture, (_PLACE - picture.width) / 2, (height - picture.height) / 2)
    return joined(width, height, [placed_picture, PlacedDrawing(label, 0.0, 0.0)])


def _draw_symbol(sign: str, grid: Grid, style: Style) -> Drawing:
    """Return a symbol of the key without space around it, in printed mm.

    ``sign`` is its name, for example ``board``.
    """
    flat = grid.grain.startswith("flat")
    columns, rows = (3, 2) if flat else (2, 3)
    small = HexGrid(columns, rows, 100.0, "flat-odd-low" if flat else "pointy-odd-right")
    if sign == "board":
        board = PlanBoard(small, _SMALL / 100, style, Window(1, 1, columns, rows))
    else:
        board = PlanBoard(small, _HEX / 100, style, Window(1, 1, 1, 1))
    width, height = (size - 2 * MARGIN for size in board.size)
    drawing = Drawing(*board.size, group_by_layer(_symbol_items(sign, board, tuple(small.cells()))))
    return joined(width, height, [PlacedDrawing(drawing, -MARGIN, -MARGIN)])


def _symbol_items(sign: str, board: PlanBoard, cells: Sequence[Cell]) -> LayeredItems:
    """Yield the items of a symbol of the key, drawn on some cells of a plan."""
    cell = cells[0]
    single = TilePiece(kind=PieceKind.SINGLE, level=1, cells=(cell,))
    match sign:
        case "board":
            yield from piece_items(board, TilePiece(kind=PieceKind.BOARD, level=0, cells=tuple(cells), number=7))
        case "single":
            yield from piece_items(board, single)
        case "slope":
            yield from piece_items(board, TilePiece(kind=PieceKind.B1, level=1, cells=(cell,), rotation=1))
        case "strip":
            yield from piece_items(board, TilePiece(kind=PieceKind.SINGLE, level=0, cells=(cell,)), numbers=False)
            yield from strip_items(board, cell, (0, 2), "water")
            yield from strip_items(board, cell, (5, 3), "way")
        case "wall":
            yield from piece_items(board, single)
            yield from draw_wall(board, cell, 0)
