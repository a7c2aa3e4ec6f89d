"""Assembly plans of a Hexon layout: a drawing for each layer, and one of what is laid and set on top.

Every cell is drawn; what lies below the layer is pale. Boards have heavy outlines, two tints in turn, and the number
by which they are laid; slopes have their letter and an arrow down the slope.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import shapely

from printkit.drawing.composing import gathered
from printkit.drawing.items import GRID, Anchor, Cap, Drawing, Font, Ink, Item, Join, Laid, LayerName, Path, Run, Stroke
from printkit.drawing.lettering import LEAST_FIGURES, Hand, line, measure
from printkit.drawing.setting import patch
from printkit.drawing.style import Style
from printkit.terrain.cells import Cell, Grid
from printkit.terrain.features import Kind
from printkit.terrain.hexon_layout import HexonLayout, LaidLayer, Piece
from printkit.terrain.hexon_pieces import PieceKind, direction_of
from printkit.words import Words

_SCALES: Final = (2, 2.5, 4, 5, 6, 8, 10, 12, 15, 16, 20, 25, 30, 40, 50)
_MARGIN: Final = 7.0
"""Room in mm about the cells for the numbers of rows and columns."""

_THIN: Final = 0.15
_EDGE: Final = 0.75
_FULL: Final = 0.55
_FIGURE_PT: Final = 8.0
_HIGH: Final = 0.72
_PT_OF_CELL: Final = {"number": 1.0, "letter": 0.62, "word": 0.42}
"""Size of type in points per mm across a printed cell."""

_COURSES: Final = {
    "water": {Kind.RIVER, Kind.STREAM, Kind.CREEK, Kind.WATERWAY, Kind.DITCH, Kind.RAVINE, Kind.GULLY},
    "rail": {Kind.RAILWAY},
}
_COURSE_INKS: Final = {"water": "bank-line", "rail": "rail", "way": "road-casing"}


@dataclass(frozen=True, slots=True)
class _Board:
    """A grid in printed mm with the numbers of rows and columns about it."""

    grid: Grid
    scale: float
    style: Style

    @property
    def cell(self) -> float:
        """Return the printed mm across a cell."""
        return self.grid.cell * self.scale

    @property
    def size(self) -> tuple[float, float]:
        """Return the width and height with the margin."""
        return self.grid.width * self.scale + 2 * _MARGIN, self.grid.depth * self.scale + 2 * _MARGIN

    @property
    def edge(self) -> float:
        """Return the width of the outline of a flat piece, finer where cells are small."""
        return min(_EDGE, 0.2 + 0.04 * self.cell)

    def at(self, point: tuple[float, float]) -> tuple[float, float]:
        """Return where a point of the board is drawn."""
        return point[0] * self.scale + _MARGIN, point[1] * self.scale + _MARGIN

    def centre(self, cell: Cell) -> tuple[float, float]:
        """Return the middle of a cell."""
        return self.at(self.grid.centre(cell))

    def corners(self, cell: Cell, *, inset: float = 0.0) -> list[tuple[float, float]]:
        """Return the corners of a cell, drawn in by a share of their distance from the middle."""
        x, y = self.centre(cell)
        own = (self.at(point) for point in self.grid.corners(cell))
        return [(x + (right - x) * (1 - inset), y + (up - y) * (1 - inset)) for right, up in own]

    def side(self, cell: Cell, side: int, *, inset: float = 0.0) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the ends of a side, numbered as pieces are (HX-12)."""
        corners = self.corners(cell, inset=inset)
        direction = direction_of(self.grid, side)
        return corners[direction], corners[(direction + 1) % len(corners)]

    def middle(self, cell: Cell, side: int) -> tuple[float, float]:
        """Return the middle of a side."""
        one, other = self.side(cell, side)
        return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2

    def hand(self, use: str, ink: str, *, font: Font = Font.FIGURES_MEDIUM) -> Hand:
        """Return the hand of a number, a letter or a word in a cell."""
        size = max(LEAST_FIGURES, _PT_OF_CELL[use] * self.cell)
        return Hand(font=font, size_pt=min(size, 24.0), ink=self.style.solid(ink))


def sheet_scale(grid: Grid, width: float, height: float) -> float:
    """Return the largest of the round scales at which a plan of a grid fits a room of ``width`` by ``height`` mm."""
    for ratio in _SCALES:
        if grid.width / ratio + 2 * _MARGIN <= width and grid.depth / ratio + 2 * _MARGIN <= height:
            return 1 / ratio
    return 1 / _SCALES[-1]


def layer_plan(layout: HexonLayout, layer: LaidLayer, *, scale: float, style: Style) -> Drawing:
    """Return the pieces of one layer at a scale, with the numbers of rows and columns."""
    board = _Board(layout.grid, scale, style)
    below = _flat_cells(layout, layer.level - 1) if layer.level else set()
    laid = [*_ground(board, below), *_figures(board)]
    for piece in layer.pieces:
        laid += _piece(board, piece)
    for each in layout.unbuildable:
        if each.level == layer.level:
            laid += _misfit(board, each.cell, each.shape.value)
    return Drawing(*board.size, gathered(laid))


def top_plan(layout: HexonLayout, words: Words, *, scale: float, style: Style) -> Drawing:
    """Return the strips and markers at a scale, over the finished hills."""
    board = _Board(layout.grid, scale, style)
    laid = [*_ground(board, ()), *_figures(board)]
    for layer in layout.layers[1:]:
        for piece in layer.pieces:
            laid += _piece(board, piece, numbers=False)
    for strip in layout.strips:
        group = next((name for name, kinds in _COURSES.items() if strip.kind in kinds), "way")
        laid += _strip(board, strip.cell, strip.sides, style.solid(_COURSE_INKS[group]))
    held: dict[Cell, list[str]] = {}
    for marker in layout.markers:
        held.setdefault(marker.cell, []).append(words(f"kind.{marker.kind}"))
    for cell, names in held.items():
        laid += _marker(board, cell, names)
    return Drawing(*board.size, gathered(laid))


def _flat_cells(layout: HexonLayout, level: int) -> set[Cell]:
    return {
        cell
        for piece in layout.layers[level].pieces
        if piece.kind in (PieceKind.BOARD, PieceKind.SINGLE)
        for cell in piece.cells
    }


def _ground(board: _Board, flat: Iterable[Cell]) -> Laid:
    """Draw all cells as thin lines, and those on which the layer may stand a little darker."""
    ink = board.style.solid("ink-secondary")
    for cell in sorted(flat):
        yield LayerName.PAPER, patch(board.corners(cell), board.style.solid("paper"))
    runs = tuple(_run(board.corners(cell), closed=True) for cell in board.grid.cells())
    yield LayerName.GRID, Path(runs, stroke=Stroke(ink.thin(0.5), _THIN, join=Join.MITRE))


def _figures(board: _Board) -> Laid:
    """Draw the number of each column at both its ends and of each row at both sides, where its first cell lies."""
    hand = Hand(font=Font.FIGURES, size_pt=_FIGURE_PT, ink=board.style.solid("ink-secondary"))
    drop = _HIGH * hand.height / 2
    width, height = board.size
    for column in range(1, board.grid.columns + 1):
        x, _ = board.centre(Cell(column, 1))
        for y in (_MARGIN / 2, height - _MARGIN / 2):
            yield from _lettered(LayerName.NUMBER, line(str(column), (x, y - drop), hand, anchor=Anchor.MIDDLE))
    for row in range(1, board.grid.rows + 1):
        for x, column in ((_MARGIN / 2, 1), (width - _MARGIN / 2, board.grid.columns)):
            _, y = board.centre(Cell(column, row))
            yield from _lettered(LayerName.NUMBER, line(str(row), (x, y - drop), hand, anchor=Anchor.MIDDLE))


def _piece(board: _Board, piece: Piece, *, numbers: bool = True) -> Laid:
    match piece.kind:
        case PieceKind.BOARD:
            tint = "hill-1" if piece.rotation < 3 else "hill-2"
            yield from _flat(board, piece.cells, board.style.solid(tint).thin(0.55))
            if numbers:
                yield from _in_the_middle(board, piece.cells, str(piece.number), board.hand("number", "ink"))
        case PieceKind.SINGLE:
            yield from _flat(board, piece.cells, board.style.solid("hill-1").thin(0.25))
            x, y = board.centre(piece.cells[0])
            by = board.cell * 0.09
            yield LayerName.NUMBER, patch(_round(x, y, by), None, Stroke(board.style.solid("ink"), 0.3))
        case PieceKind.MOUNTAIN:
            yield from _flat(board, piece.cells, board.style.solid("mountain"))
            yield from _in_the_middle(board, piece.cells, "M", board.hand("letter", "ink"))
        case _:
            yield from _slope(board, piece)


def _flat(board: _Board, cells: Sequence[Cell], tint: Ink) -> Laid:
    """Draw a flat piece: its tint, the seams of its hexes, and its outline."""
    ink = board.style.solid("ink")
    for cell in cells:
        yield LayerName.GROUND_WASH, patch(board.corners(cell), tint, Stroke(ink.thin(0.35), _THIN, join=Join.MITRE))
    outline = shapely.union_all([board.grid.outline(cell) for cell in cells]).exterior.coords[:-1]
    run = _run([board.at(point) for point in outline], closed=True)
    yield LayerName.GROUND_EDGE, Path((run,), stroke=Stroke(ink, board.edge, join=Join.ROUND))


def _slope(board: _Board, piece: Piece) -> Laid:
    """Draw a slope: full sides heavy, low sides dashed, its letter at the upper half, an arrow down the slope."""
    (cell,) = piece.cells
    low = {"A": 1, "B": 2, "C": 3}[piece.kind[0]]
    ink, contour = board.style.solid("ink"), board.style.solid("contour")
    yield LayerName.GROUND_WASH, patch(board.corners(cell), board.style.solid("hill-2").thin(0.28))
    for place in range(6):
        one, other = board.side(cell, piece.rotation + place, inset=0.04)
        if place < low:
            stroke = Stroke(contour, 0.3, dash=(0.6, 0.8), cap=Cap.BUTT)
        elif place in (low, 5):
            stroke = Stroke(contour, 0.3)
        else:
            stroke = Stroke(ink, _FULL, cap=Cap.BUTT)
        yield LayerName.GROUND_EDGE, Path((_run((one, other), closed=False),), stroke=stroke)
    x, y = board.centre(cell)
    down = _bearing(board, cell, piece.rotation + (low - 1) / 2)
    yield from _arrow(x, y, down, board.cell, contour)
    hand = board.hand("letter", "ink", font=Font.BANNER)
    back = 0.2 * board.cell
    text_x, text_y = x - back * math.cos(down), y - back * math.sin(down) - _HIGH * hand.height / 2
    name = piece.kind.value if piece.matched else f"({piece.kind.value})"
    yield from _lettered(LayerName.NUMBER, line(name, (text_x, text_y), hand, anchor=Anchor.MIDDLE))


def _bearing(board: _Board, cell: Cell, side: float) -> float:
    """Return the angle in radians, anticlockwise from the right, towards a side or a corner between two sides."""
    x, y = board.centre(cell)
    right, up = board.middle(cell, 0)
    return math.atan2(up - y, right - x) - math.radians(60 * side)


def _arrow(x: float, y: float, angle: float, cell: float, ink: Ink) -> Laid:
    def along(far: float, aside: float) -> tuple[float, float]:
        across, up = math.cos(angle), math.sin(angle)
        return x + far * cell * across - aside * cell * up, y + far * cell * up + aside * cell * across

    stroke = Stroke(ink, 0.4)
    runs = (
        _run((along(0.08, 0.0), along(0.36, 0.0)), closed=False),
        _run((along(0.27, 0.07), along(0.36, 0.0), along(0.27, -0.07)), closed=False),
    )
    yield LayerName.OVERLAY, Path(runs, stroke=stroke)


def _misfit(board: _Board, cell: Cell, shape: str) -> Laid:
    """Draw a hex that no piece fits: crossed out, with what it would have to be."""
    corners = board.corners(cell, inset=0.15)
    runs = tuple(_run((corners[i], corners[i + 3]), closed=False) for i in range(3))
    yield LayerName.OVERLAY, Path(runs, stroke=Stroke(board.style.solid("side-red"), 0.4))
    yield from _in_the_middle(board, (cell,), shape, board.hand("letter", "side-red"))


def _strip(board: _Board, cell: Cell, sides: Sequence[int], ink: Ink) -> Laid:
    centre = board.centre(cell)
    runs = tuple(_run((centre, board.middle(cell, side)), closed=False) for side in sides)
    yield LayerName.COURSE, Path(runs, stroke=Stroke(ink, max(0.5, 0.07 * board.cell)))


def _marker(board: _Board, cell: Cell, names: Sequence[str]) -> Laid:
    """Draw what stands on a cell as words, as small as they must be to stay in it, with a halo over what is below."""
    x, y = board.centre(cell)
    style = board.style
    hand = board.hand("word", "ink").haloed(Stroke(style.solid("halo").thin(0.9), 0.9))
    rows = [row for name in names for row in _rows(name, hand, 0.92 * board.cell)]
    step = 1.1 * hand.height
    for place, row in enumerate(rows):
        foot = y + (len(rows) / 2 - place - 1) * step + step * 0.2
        yield from _lettered(LayerName.LABEL, line(row, (x, foot), hand, anchor=Anchor.MIDDLE))


def _rows(text: str, hand: Hand, room: float) -> Iterator[str]:
    """Yield a text in rows that fit, a word at least in each; a word too long is cut with a full stop."""
    row = ""
    for word in text.split():
        longer = f"{row} {word}".strip()
        if row and measure(longer, hand) > room:
            yield row
            longer = word
        row = _cut(longer, hand, room)
    yield row


def _cut(word: str, hand: Hand, room: float) -> str:
    if measure(word, hand) <= room:
        return word
    return next(
        (f"{word[:count]}." for count in range(len(word) - 1, 1, -1) if measure(f"{word[:count]}.", hand) <= room),
        word[:2],
    )


def _in_the_middle(board: _Board, cells: Sequence[Cell], text: str, hand: Hand) -> Laid:
    centres = [board.centre(cell) for cell in cells]
    x, y = (sum(values) / len(centres) for values in zip(*centres, strict=True))
    haloed = hand.haloed(Stroke(board.style.solid("halo").thin(0.85), 1.0))
    yield from _lettered(LayerName.NUMBER, line(text, (x, y - _HIGH * hand.height / 2), haloed, anchor=Anchor.MIDDLE))


def _lettered(name: LayerName, items: Iterable[Item]) -> Laid:
    return ((name, item) for item in items)


def _round(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    angles = (math.tau * step / 24 for step in range(24))
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def _run(points: Iterable[tuple[float, float]], *, closed: bool) -> Run:
    return Run(tuple(round(value / GRID) for point in points for value in point), closed)
