"""How the sheets of a map lie over its board, told without drawing it: for whoever looks before printing."""

from __future__ import annotations

from msgspec import Struct
from shapely import Polygon, box

from printkit.drawing.canvas.items import Drawing, Rect
from printkit.drawing.furniture.furniture import furnished
from printkit.kit.system import RuleSystem
from printkit.page.sheet import Sheet
from printkit.page.tiling import Zone, lattice_of
from printkit.recipes.prints.map_parts import chosen, drawn_zones
from printkit.recipes.prints.maps import MapContext, map_way, shown_record
from printkit.terrain.field.record import Record


class LyingSheet(Struct, frozen=True):
    """A sheet over the board: its name and what it shows, in mm of the board from its lower left corner."""

    name: str
    window: Rect


class LyingMap(Struct, frozen=True, kw_only=True):
    """A map as it will lie: printed mm per mm of the board, the sheets, and the straight cuts they take.

    ``sheet`` is the paper as it lies; ``dropped`` names the sheets of the lattice that miss the board, and are not
    printed; ``overlap`` is what neighbours share, in mm of the board. A map that stands on one sheet has none of these.
    """

    scale: float
    sheet: Sheet
    sheets: tuple[LyingSheet, ...] = ()
    dropped: tuple[str, ...] = ()
    columns: int = 1
    rows: int = 1
    cuts: int = 0
    overlap: float = 0.0

    @property
    def printed(self) -> int:
        """Return how many sheets of map are printed, the plan not counted."""
        return max(1, len(self.sheets) - len(self.dropped))


def lying_map(record: Record, system: RuleSystem, order: MapContext) -> LyingMap:
    """Return how a map will lie.

    Raises:
        PageError: the paper is too small.
        UsageError: a zone that the map does not have.
    """
    shown = shown_record(record, order)
    way = map_way(shown, system, order)
    layout, scale = way.map_layout, way.map_layout.scale
    if way.way in ("one", "whole"):
        return LyingMap(scale=scale, sheet=order.sheet)
    board = layout.field.board
    empty = Drawing(board.width * scale, board.depth * scale, ())
    made = furnished(empty, layout, way.furniture, draft=True)
    parts: tuple[Zone, ...] = (Zone("", Rect(0.0, 0.0, made.drawing.width, made.drawing.height)),)
    if way.way == "zones":
        parts = chosen(drawn_zones(layout.field, made, scale), order.zones or ())
    lattices = [lattice_of(part, order.sheet, order.overlap) for part in parts]
    sheets, dropped = [], []
    hull = None if layout.field.grid is None else layout.field.grid.hull()
    for lattice in lattices:
        for tile in lattice.tiles():
            window = tile.window
            x, y = (window.x + lattice.at[0] - made.board_at.x), (window.y + lattice.at[1] - made.board_at.y)
            right = min(window.right, lattice.width) - window.x
            top = min(window.top, lattice.height) - window.y
            lies = Rect(x / scale, y / scale, right / scale, top / scale)
            sheets.append(LyingSheet(tile.name, lies))
            if hull is not None and not hull.intersects(_shape(lies)):
                dropped.append(tile.name)
    largest = max(lattices, key=lambda each: each.count)
    return LyingMap(
        scale=scale,
        sheet=largest.sheet,
        sheets=tuple(sheets),
        dropped=tuple(dropped),
        columns=largest.columns,
        rows=largest.rows,
        cuts=sum(each.cuts for each in lattices),
        overlap=largest.overlap / scale,
    )


def _shape(window: Rect) -> Polygon:
    return box(window.x, window.y, window.right, window.top)
