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
from printkit.core.words import BETWEEN, Words
from printkit.drawing.canvas.items import Anchor, Cap, Drawing, Font, Item, Join, LayeredItems, LayerName, Path, Stroke
from printkit.drawing.canvas.layers import PlacedDrawing, gathered, joined
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import LEAST_FIGURES, TypeStyle, line, measure, wrapped
from printkit.drawing.text.text_styles import patch
from printkit.hexon.layout.layout import HexonLayout, TilePiece
from printkit.hexon.layout.pieces import PieceKind
from printkit.hexon.layout.strips import StripName, StripPiece
from printkit.hexon.plans.board import HIGH, MARGIN, BoardPoint, PlanBoard, Window, lettered, net, run, whole
from printkit.hexon.plans.layer_plans import piece_items, ring, tints_of, wall
from printkit.terrain.field.features import BUILT, STILL_WATERS, WOODS, Kind
from printkit.terrain.field.grids import Cell, Grid, HexGrid

_WATER: Final = frozenset(
    {
        *(Kind.RIVER, Kind.STREAM, Kind.CREEK, Kind.DITCH, Kind.RAVINE, Kind.GULLY),
        *STILL_WATERS,
    }
)
_WET: Final = frozenset({Kind.MARSH, Kind.SWAMP, Kind.BOGGY_GROUND})
_TILLED: Final = frozenset({Kind.PLOUGH, Kind.CROPS, Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD, Kind.ENCLOSURE})
# The ink of a hex by its features, and the strength of the ink.
_TINTS: Final[Mapping[frozenset[Kind], tuple[str, float]]] = {
    _WATER: ("water", 0.75),
    _WET: ("marsh", 0.8),
    frozenset(WOODS): ("heavy-woods", 0.55),
    frozenset(BUILT): ("town", 0.9),
    _TILLED: ("crops", 0.45),
    frozenset({Kind.PASTURE}): ("pasture", 0.8),
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


def top_plan(
    layout: HexonLayout, words: Words, *, scale: float, style: Style, window: Window | None = None, turned: bool = False
) -> TopPlan:
    """Return the plan of strips and markers over the finished hills, for all cells or a window."""
    board = PlanBoard(layout.grid, scale, style, window or whole(layout.grid), turned)
    laid = list(net(board))
    for layer in layout.layers[1:]:
        tints = tints_of(layer.pieces, layout.grid)
        for piece in layer.pieces:
            if any(board.window.holds(cell) for cell in piece.cells):
                laid += piece_items(board, piece, tint=tints.get(piece.number, 0), numbers=False)
    strips: dict[Cell, list[StripPiece]] = {}
    for strip in sorted(layout.strips, key=lambda each: _RANK[group_of(each.kind)]):
        strips.setdefault(strip.cell, []).append(strip)
    held: dict[Cell, list[Kind]] = {}
    for marker in layout.markers:
        held.setdefault(marker.cell, []).append(marker.kind)
    notes: list[tuple[int, Cell, str]] = []
    for cell in board.cells():
        kinds, through = held.get(cell, []), strips.get(cell, [])
        laid += _areas(board, cell, kinds)
        for strip in through:
            laid += strip_items(board, strip.cell, strip.sides, group_of(strip.kind))
        written = _words(board, cell, kinds, through, words=words)
        if written is None:
            notes.append((len(notes) + 1, cell, _said(kinds, through, words)))
            written = list(_figure(board, cell, through, len(notes)))
        laid += written
    return TopPlan(board.drawing(laid), tuple(notes))


def group_of(kind: Kind) -> str:
    """Return the drawing style of a strip: ``water``, ``rail`` or ``way``."""
    return "water" if kind in _WATER else "rail" if kind is Kind.RAILWAY else "way"


def strip_items(board: PlanBoard, cell: Cell, sides: Sequence[int], group: str) -> LayeredItems:
    """Draw a strip through the midpoints of its sides."""
    edge, inner, below, above = _PAINT[group]
    outer, ink = board.style.solid(edge), board.style.solid(inner)
    wide = max(0.9, _WIDE[group] * board.cell)
    runs = tuple(run(points, closed=False) for points in _paths(board, cell, sides))
    # Water ends exactly at the sides, because the next hex continues it; only ends inside a hex are round.
    if group == "rail":
        yield below, Path(runs, stroke=Stroke(outer, wide, dash=(0.45, 1.0), cap=Cap.BUTT))
        yield above, Path(runs, stroke=Stroke(ink, max(0.5, 0.3 * wide), cap=Cap.BUTT))
    else:
        yield below, Path(runs, stroke=Stroke(outer, wide + 2 * _CASING, cap=Cap.BUTT, join=Join.ROUND))
        yield above, Path(runs, stroke=Stroke(ink, wide, cap=Cap.BUTT, join=Join.ROUND))
    if len(sides) == 1:
        x, y = board.centre(cell)
        yield below, patch(ring(x, y, wide / 2 + _CASING), outer)
        yield above, patch(ring(x, y, wide / 2), ink)


def _paths(board: PlanBoard, cell: Cell, sides: Sequence[int]) -> list[list[BoardPoint]]:
    middle = board.centre(cell)
    if len(sides) != 2:
        return [[middle, board.middle(cell, side)] for side in sides]
    one, other = (board.middle(cell, side) for side in sides)
    steps = [step / _CURVE for step in range(_CURVE + 1)]
    across, up = (
        [(1 - t) ** 2 * first + 2 * t * (1 - t) * bow + t**2 * last for t in steps]
        for first, bow, last in zip(one, middle, other, strict=True)
    )
    return [list(zip(across, up, strict=True))]


def _areas(board: PlanBoard, cell: Cell, kinds: Sequence[Kind]) -> LayeredItems:
    """Tint a hex, slightly inside its sides, for the first of its features that has a tint."""
    corners = board.corners(cell, inset=_SIGN_INSET)
    ink = board.style.solid("ink-secondary")
    for kind in kinds:
        for group, (token, alpha) in _TINTS.items():
            if kind in group:
                around = Stroke(ink, 0.2, dash=(0.8, 0.6), cap=Cap.BUTT)
                yield LayerName.GROUND_PATTERN, patch(corners, board.tint(token, alpha, grey=0.08), around)
                return


def _words(
    board: PlanBoard, cell: Cell, kinds: Sequence[Kind], strips: Sequence[StripPiece], *, words: Words
) -> list[tuple[LayerName, Item]] | None:
    """Write the features and strips of a hex, or return None if there is no space next to the strips."""
    if not kinds and not strips:
        return []
    courses = _courses(board, cell, strips)
    for share in _SHARES:
        rows = list(_rows(board, kinds, strips, words=words, share=share))
        place = _place(board, cell, rows, courses)
        if place is not None:
            return list(_written(board, rows, *place))
    if not strips:
        return list(_written(board, rows, *board.centre(cell)))
    (strip, *others) = strips
    if kinds or others or len(rows) > 1 or strip.name is not StripName.STRAIGHT or group_of(strip.kind) != "water":
        return None
    return list(_within(board, strip, rows[0]))


def _within(board: PlanBoard, strip: StripPiece, row: _Row) -> LayeredItems:
    """Write a word along a straight strip of water, between its banks."""
    (one_x, one_y), (two_x, two_y) = (board.middle(strip.cell, side) for side in strip.sides)
    angle = math.atan((two_y - one_y) / (two_x - one_x)) if abs(two_x - one_x) > _UPRIGHT else math.pi / 2
    x, y = board.centre(strip.cell)
    foot = HIGH * row.hand.height / 2
    at = x + foot * math.sin(angle), y - foot * math.cos(angle)
    yield from lettered(LayerName.LABEL, line(row.text, at, row.hand, anchor=Anchor.MIDDLE, angle=math.degrees(angle)))


def _written(board: PlanBoard, rows: Sequence[_Row], x: float, y: float) -> LayeredItems:
    top = y + plain_sum(_high(row) for row in rows) / 2
    for row in rows:
        top -= _high(row)
        haloed = row.hand.haloed(Stroke(board.style.solid("halo").thin(0.9), 0.9))
        foot = top + 0.24 * row.hand.height
        yield from lettered(LayerName.LABEL, line(row.text, (x, foot), haloed, anchor=Anchor.MIDDLE))


def _figure(board: PlanBoard, cell: Cell, strips: Sequence[StripPiece], number: int) -> LayeredItems:
    """Draw a number in a disc at the position that covers the least of the strips."""
    hand = TypeStyle.of(board.style, Font.HEAVY, _WORD_PT, board.style.solid("ink"))
    x, y = _clearest(board, cell, _courses(board, cell, strips))
    yield (
        LayerName.OVERLAY,
        patch(ring(x, y, _DISC), board.style.solid("halo"), Stroke(board.style.solid("ink"), 0.3)),
    )
    foot = y - HIGH * hand.height / 2
    yield from lettered(LayerName.NUMBER, line(str(number), (x, foot), hand, anchor=Anchor.MIDDLE))


def _said(kinds: Sequence[Kind], strips: Sequence[StripPiece], words: Words) -> str:
    """Return the contents of a hex as one text, one language after the other."""

    def said(one: Words) -> str:
        held = [one(f"kind.{kind}") for kind in dict.fromkeys(kinds)]
        held += [one(f"hexon.strip.{strip.name}", kind=one(f"kind.{strip.kind}")) for strip in strips]
        return "; ".join(held)

    return BETWEEN.join(said(one) for one in words.each())


def _courses(board: PlanBoard, cell: Cell, strips: Sequence[StripPiece]) -> BaseGeometry:
    """Return the area that strips cover in a hex."""
    lines = [LineString(path) for strip in strips for path in _paths(board, cell, strip.sides)]
    widest = max((_WIDE[group_of(strip.kind)] for strip in strips), default=0.0)
    return MultiLineString(lines).buffer(widest * board.cell / 2 + _CASING) if lines else Polygon()


def _place(board: PlanBoard, cell: Cell, rows: Sequence[_Row], courses: BaseGeometry) -> BoardPoint | None:
    """Return the position for rows nearest to the centre of a hex and clear of its strips, or None."""
    width = max(measure(row.text, row.hand) for row in rows) + _KEEP
    height = plain_sum(_high(row) for row in rows)
    across, up = (_OFFSETS * board.cell + board.centre(cell)).T
    rooms = shapely.box(across - width / 2, up - height / 2, across + width / 2, up + height / 2)
    free = Polygon(board.corners(cell, inset=_INSET)).difference(courses)
    shapely.prepare(free)
    fits = shapely.contains(free, rooms)
    best = int(np.argmax(fits))
    return (float(across[best]), float(up[best])) if fits[best] else None


def _clearest(board: PlanBoard, cell: Cell, courses: BaseGeometry) -> BoardPoint:
    """Return the position for a disc in a hex, as far as needed from its strips."""
    across, up = (_OFFSETS * board.cell + board.centre(cell)).T
    points = shapely.points(across, up)
    inner = Polygon(board.corners(cell)).buffer(-_DISC - _KEEP)
    shapely.prepare(inner)
    far = np.where(shapely.contains(inner, points), np.round(shapely.distance(points, courses), 2), -1.0)
    best = int(np.argmax(np.minimum(far, _DISC + _KEEP)))
    return float(across[best]), float(up[best])


def _rows(
    board: PlanBoard, kinds: Sequence[Kind], strips: Sequence[StripPiece], *, words: Words, share: float
) -> Iterator[_Row]:
    """Yield the rows of a hex: its features, then the shapes of its strips, with the kind if there are several."""
    size = max(LEAST_FIGURES, min(_WORD_PT, 0.42 * board.cell) * share)
    plain = TypeStyle.of(board.style, Font.FIGURES_MEDIUM, size, board.style.solid("ink"))
    slanted = {
        group: TypeStyle.of(board.style, Font.FIGURES_ITALIC, size, board.style.solid(ink))
        for group, ink in (("water", "water-name"), ("rail", "ink"), ("way", "sepia"))
    }
    room = 0.86 * board.cell
    for kind in dict.fromkeys(kinds):
        for one in words.each():
            yield from _wrapped(one(f"kind.{kind}"), plain, room)
    for strip in strips:
        hand = slanted[group_of(strip.kind)]
        # There is space for one language; the parts list has the names of strips in both.
        one = words.each()[0]
        shape = one(f"hexon.shape.{strip.name}")
        said = shape if len(strips) == 1 else one("hexon.shape.of", kind=one(f"kind.{strip.kind}"), shape=shape)
        yield from _wrapped(said, hand, room)


def _wrapped(text: str, hand: TypeStyle, room: float) -> Iterator[_Row]:
    for row in wrapped(text, hand.font, hand.size_pt, room):
        yield _Row(row, hand)


def _high(row: _Row) -> float:
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


def sign_key(signs: Mapping[str, str], grid: Grid, width: float, style: Style) -> Drawing:
    """Return symbols with their texts in two columns of the total width ``width``.

    Args:
        signs: the text of each symbol of ``SIGNS`` that the plans use.
        grid: the grid of the plans, which gives the orientation of the hexes.
        width: in mm.
        style: the style of the plans.
    """
    column = (width - (_COLUMNS - 1) * _GUTTER) / _COLUMNS
    entries = [_entry(sign, signs[sign], grid, column, style) for sign in SIGNS if sign in signs]
    rows = [entries[first : first + _COLUMNS] for first in range(0, len(entries), _COLUMNS)]
    height = plain_sum(max(each.height for each in row) + _GAP for row in rows)
    parts, top = [], height
    for row in rows:
        high = max(each.height for each in row)
        for place, each in enumerate(row):
            parts.append(PlacedDrawing(each, place * (column + _GUTTER), top - high + (high - each.height) / 2))
        top -= high + _GAP
    return joined(width, height, parts)


def _entry(sign: str, text: str, grid: Grid, width: float, style: Style) -> Drawing:
    picture = _picture(sign, grid, style)
    hand = TypeStyle.of(style, Font.ROMAN, _SIZE_PT, style.solid("ink"))
    rows = wrapped(text, hand.font, hand.size_pt, width - _PLACE - _GAP)
    step = _KEY_LEADING * hand.height
    height = max(picture.height, len(rows) * step)
    top = (height + len(rows) * step) / 2
    laid = [
        laid
        for place, row in enumerate(rows, 1)
        for laid in lettered(LayerName.LABEL, line(row, (_PLACE + _GAP, top - place * step + 0.28 * hand.height), hand))
    ]
    said = Drawing(width, height, gathered(laid))
    at = PlacedDrawing(picture, (_PLACE - picture.width) / 2, (height - picture.height) / 2)
    return joined(width, height, [at, PlacedDrawing(said, 0.0, 0.0)])


def _picture(sign: str, grid: Grid, style: Style) -> Drawing:
    """Return a symbol without space around it."""
    flat = grid.grain.startswith("flat")
    columns, rows = (3, 2) if flat else (2, 3)
    small = HexGrid(columns, rows, 100.0, "flat-odd-low" if flat else "pointy-odd-right")
    if sign == "board":
        board = PlanBoard(small, _SMALL / 100, style, Window(1, 1, columns, rows))
    else:
        board = PlanBoard(small, _HEX / 100, style, Window(1, 1, 1, 1))
    width, height = (size - 2 * MARGIN for size in board.size)
    found = Drawing(*board.size, gathered(_laid(sign, board, tuple(small.cells()))))
    return joined(width, height, [PlacedDrawing(found, -MARGIN, -MARGIN)])


def _laid(sign: str, board: PlanBoard, cells: Sequence[Cell]) -> LayeredItems:
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
            yield from wall(board, cell, 0)
