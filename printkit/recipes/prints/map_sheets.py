"""The positions of the sheets of a map on its board, without drawing it, for a preview."""

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
    """A sheet of a map: its name and its area, in board mm from the near left corner."""

    name: str
    window: Rect


class SheetLayout(Struct, frozen=True, kw_only=True):
    """The division of a map into sheets: ``scale`` in printed mm per mm of the board, the sheets, and straight cuts.

    ``sheet`` is the paper in its orientation. ``dropped`` names the sheets outside the board, which are not printed.
    ``overlap`` is the overlap of neighbouring sheets, in board mm. A map on one sheet does not have these values.
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
        """Return the number of printed sheets of the map, without the assembly plan."""
        return max(1, len(self.sheets) - len(self.dropped))


def lying_map(record: Record, system: RuleSystem, order: MapContext) -> SheetLayout:
    """Return the division of a map into sheets.

    Raises:
        PageError: the paper is too small.
        UsageError: a zone is unknown.
    """
    shown = shown_record(record, order)
    way = map_way(shown, system, order)
    layout, scale = way.map_layout, way.map_layout.scale
    if way.way in ("one", "whole"):
        return SheetLayout(scale=scale, sheet=order.sheet)
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
    return SheetLayout(
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
