"""Lay out a hex plan as Hexon tiles: layers of pieces, strips, markers and totals (HX-34, HX-50 to HX-54)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import ScenarioError
from printkit.hexon.layout.covering import Cover, cover, limit_boards
from printkit.hexon.layout.hills import Fallback, HexGround, HexHill, Hills, Reason, Rim, build_hills
from printkit.hexon.layout.pieces import Hex, PieceKind, cell_of, hex_of
from printkit.hexon.layout.stock import NAMES, Shortage, Stock, shortages, strip_key
from printkit.hexon.layout.strips import TREES, Marker, StripPiece, make_markers, occupied_cells, strip_pieces
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.gridded.gridplan import GridPlan

# A mountain always has this many levels (HX-50).
_MOUNTAIN_LEVELS: Final = 3


class TilePiece(Struct, frozen=True, kw_only=True):
    """A piece in its position.

    Attributes:
        kind: the piece.
        level: its layer; 0 is the base.
        cells: its cells in reading order.
        rotation: the first low side of a slope, clockwise (HX-26); the number of 60 degree turns clockwise of a board.
        number: the number of a board in its layer; 0 for other pieces.
        hill: the number of its hill; 0 in the base.
    """

    kind: PieceKind
    level: int
    cells: tuple[Cell, ...]
    rotation: int = 0
    number: int = 0
    hill: int = 0


class TileLayer(Struct, frozen=True, kw_only=True):
    """The pieces of one level in reading order, and the quality of its covering.

    Attributes:
        level: the level; 0 is the base.
        pieces: the pieces.
        boards: the number of boards.
        singles: the number of single hexes.
        bound: no covering of the flat hexes has more boards than this.
        withheld: the number of boards replaced by single hexes because the user does not own them.
    """

    level: int
    pieces: tuple[TilePiece, ...]
    boards: int
    singles: int
    bound: int
    withheld: int = 0

    @property
    def gap(self) -> int:
        """Return how many more boards may be possible in the layer, if there are enough; 0 if none."""
        return self.bound - self.boards - self.withheld


class TileHill(Struct, frozen=True, kw_only=True):
    """A hill of the plan.

    Attributes:
        number: its number from 1 in reading order.
        cells: its cells.
        sloped: whether it has slopes.
        reason: why it has vertical sides although it should have slopes, or None.
        faults: the cells where slopes do not fit.
        shortage: the slope that the user has too few of, if that is the reason.
    """

    number: int
    cells: tuple[Cell, ...]
    sloped: bool
    reason: Reason | None = None
    faults: tuple[Cell, ...] = ()
    shortage: Shortage | None = None


class HexonLayout(Struct, frozen=True, kw_only=True):
    """All pieces of a battlefield and their positions.

    Attributes:
        grid: the hexes.
        layers: the layers from the base upwards.
        strips: the strips.
        markers: the other features on the tiles.
        hills: the hills.
        cut: slopes outside the table, which are not supplied (HX-28).
        raised_cells: cells that were raised to a plateau because no slope fits them.
        shortages: pieces that the stock has too few of.
        unlisted_pieces: names of needed pieces that the stock does not list.
        notes: the notes of the plan.
    """

    grid: Grid
    layers: tuple[TileLayer, ...]
    strips: tuple[StripPiece, ...]
    markers: tuple[Marker, ...]
    hills: tuple[TileHill, ...]
    cut: tuple[TilePiece, ...] = ()
    raised_cells: tuple[Cell, ...] = ()
    shortages: tuple[Shortage, ...] = ()
    unlisted_pieces: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def pieces(self) -> Iterator[TilePiece]:
        """Yield all pieces from the base upwards."""
        return (piece for layer in self.layers for piece in layer.pieces)

    @property
    def gap(self) -> int:
        """Return how many more boards may be possible in all layers; 0 if none.

        Each would replace six single hexes.
        """
        return sum(layer.gap for layer in self.layers)

    @property
    def withheld(self) -> int:
        """Return how many boards single hexes replace in all layers, because the user does not own them."""
        return sum(layer.withheld for layer in self.layers)

    def counts(self) -> Mapping[PieceKind, int]:
        """Return the number of each piece, in the order of the kinds."""
        piece_counts = Counter(piece.kind for piece in self.pieces)
        return {kind: piece_counts[kind] for kind in PieceKind if piece_counts[kind]}

    def needs(self) -> Mapping[str, int]:
        """Return the number of each piece and strip, by its name in a stock."""
        strips = Counter(strip_key(piece.kind, piece.name) for piece in self.strips)
        return {NAMES[kind]: count for kind, count in self.counts().items()} | dict(sorted(strips.items()))


def lay_out(plan: GridPlan, hills: str = "auto", stock: Stock | None = None) -> HexonLayout:
    """Return the tile layout of a plan.

    Args:
        plan: the cells, of any rule system.
        hills: the mode for the sides of hills, a key of ``HILLS``.
        stock: the pieces that the user owns. Single hexes replace missing boards, hills without enough slopes get
            steps, and all other missing pieces are reported.

    Raises:
        ScenarioError: the plan has squares.
    """
    grid = plan.grid
    if grid.shape != "hex":
        raise ScenarioError(
            "{grid} does not fit Hexon tiles, which are hexes; generate the battlefield on hexes, for "
            "example hex-9x8, or sample it onto them",
            grid=grid.name,
            clause="HX-53",
        )
    ground = _hex_ground(plan, hills)
    built_hills = build_hills(ground, hills, stock)
    levels = {cell_of(grid, position): built_hills.level(position) for position in ground.heights}
    strips = strip_pieces(plan, levels)
    layout = HexonLayout(
        grid=grid,
        layers=_build_layers(grid, ground, built_hills, stock),
        strips=strips,
        markers=make_markers(plan, levels, strips),
        hills=tuple(_build_hill(grid, hill, built_hills.fallbacks) for hill in built_hills.hills),
        cut=tuple(_slope_piece(grid, rim) for rim in built_hills.cut),
        raised_cells=tuple(cell_of(grid, position) for position in built_hills.raised_hexes),
        notes=plan.notes,
    )
    if stock is None:
        return layout
    return replace(
        layout,
        shortages=shortages(layout.needs(), stock, withheld=layout.withheld),
        unlisted_pieces=_unlisted_pieces(layout, stock),
    )


def _unlisted_pieces(layout: HexonLayout, stock: Stock) -> tuple[str, ...]:
    """Return the needed pieces that the stock does not list, including those that other pieces replace."""
    names = [NAMES[PieceKind.BOARD]] if layout.withheld else []
    names += [*layout.needs(), *(hill.shortage.name for hill in layout.hills if hill.shortage is not None)]
    order = tuple(NAMES.values())
    names.sort(key=lambda name: (order.index(name) if name in order else len(order), name))
    return tuple(name for name in dict.fromkeys(names) if name not in stock.own)


def _hex_ground(plan: GridPlan, mode: str) -> HexGround:
    """Return the hexes of the table with their heights; a mountain has three levels (HX-50).

    Slopes may have trees only in the mode ``slope``.
    """
    used_cells = occupied_cells(plan, left_out=TREES if mode == "slope" else ())
    return HexGround(
        heights={
            hex_of(plan.grid, plot.cell): _MOUNTAIN_LEVELS if Kind.MOUNTAIN in plot.kinds else plot.height
            for plot in plan.plots
        },
        open=frozenset(hex_of(plan.grid, plot.cell) for plot in plan.plots if plot.cell not in used_cells),
    )


def _build_layers(grid: Grid, ground: HexGround, hills: Hills, stock: Stock | None) -> tuple[TileLayer, ...]:
    """Return the base and the levels above it; the boards of a stock go to the lowest layers first."""
    boards_left = None if stock is None else stock.count(NAMES[PieceKind.BOARD])
    layers = []
    for level, flat in enumerate((tuple(ground.heights), *hills.flats)):
        tile_cover = cover(flat)
        if boards_left is not None:
            tile_cover = limit_boards(tile_cover, boards_left)
            boards_left -= len(tile_cover.boards)
        pieces = [*_flat_pieces(grid, tile_cover, level, hills)]
        pieces += [_slope_piece(grid, rim) for rim in hills.rims if rim.level == level]
        layers.append(_build_layer(level, pieces, tile_cover))
    return tuple(layers)


def _build_layer(level: int, pieces: list[TilePiece], tile_cover: Cover) -> TileLayer:
    """Return the layer of a level (0 is the base), with its pieces in reading order."""
    return TileLayer(
        level=level,
        pieces=tuple(_number_boards(sorted(pieces, key=lambda piece: _reading_key(piece.cells[0])))),
        boards=len(tile_cover.boards),
        singles=len(tile_cover.singles),
        bound=tile_cover.bound,
        withheld=tile_cover.withheld,
    )


def _number_boards(pieces: list[TilePiece]) -> Iterator[TilePiece]:
    """Yield the pieces in order, with boards numbered from 1."""
    number = 0
    for piece in pieces:
        if piece.kind is PieceKind.BOARD:
            number += 1
            yield replace(piece, number=number)
        else:
            yield piece


def _flat_pieces(grid: Grid, tile_cover: Cover, level: int, hills: Hills) -> Iterator[TilePiece]:
    """Yield the boards, then the single hexes, of a level, 0 for the base.

    Each has the number of its hill, 0 for none; a board on several hills has the highest number.
    """
    owner = {position: hill.number for hill in hills.hills for position in hill.hexes} if level else {}
    for board in tile_cover.boards:
        yield TilePiece(
            kind=PieceKind.BOARD,
            level=level,
            cells=_sorted_cells(grid, board.hexes),
            rotation=board.orientation,
            hill=max(owner.get(position, 0) for position in board.hexes),
        )
    for position in tile_cover.singles:
        yield TilePiece(
            kind=PieceKind.SINGLE, level=level, cells=(cell_of(grid, position),), hill=owner.get(position, 0)
        )


def _slope_piece(grid: Grid, rim: Rim) -> TilePiece:
    """Return the piece of a slope."""
    return TilePiece(
        kind=rim.piece,
        level=rim.level,
        cells=(cell_of(grid, rim.slope.at),),
        rotation=rim.slope.rotation,
        hill=rim.hill,
    )


def _build_hill(grid: Grid, hill: HexHill, fallbacks: tuple[Fallback, ...]) -> TileHill:
    """Return a hill of the plan, with the reason for its vertical sides and the hexes that prevent slopes."""
    fallback = next((entry for entry in fallbacks if entry.hill == hill.number), None)
    return TileHill(
        number=hill.number,
        cells=_sorted_cells(grid, hill.hexes),
        sloped=hill.sloped,
        reason=None if fallback is None else fallback.reason,
        faults=() if fallback is None else _sorted_cells(grid, fallback.hexes),
        shortage=None if fallback is None else fallback.shortage,
    )


def _sorted_cells(grid: Grid, hexes: tuple[Hex, ...]) -> tuple[Cell, ...]:
    """Return the cells of hexes in reading order."""
    return tuple(sorted((cell_of(grid, position) for position in hexes), key=_reading_key))


def _reading_key(cell: Cell) -> tuple[int, int]:
    """Return the sort key of a cell for reading order: row, then column."""
    return cell.row, cell.column
