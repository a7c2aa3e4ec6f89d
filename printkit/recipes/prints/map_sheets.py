"""The positions of the sheets of a map on its board, without drawing it, for a preview."""

from __future__ import annotations

from msgspec import Struct
from shapely import box

from printkit.drawing.canvas.items import Drawing, Rect
from printkit.drawing.furniture.furniture import frame_board
from printkit.kit.system import RuleSystem
from printkit.page.sheet import Sheet
from printkit.page.tiling import Zone, zone_lattice
from printkit.recipes.prints.map_parts import select_zones, zones_on_drawing
from printkit.recipes.prints.maps import MapContext, divide_map, record_with_overlays
from printkit.terrain.field.record import Record


class SheetPosition(Struct, frozen=True):
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
    sheets: tuple[SheetPosition, ...] = ()
    dropped: tuple[str, ...] = ()
    columns: int = 1
    rows: int = 1
    cuts: int = 0
    overlap: float = 0.0

    @property
    def printed_count(self) -> int:
        """Return the number of printed sheets of the map, without the assembly plan."""
        return max(1, len(self.sheets) - len(self.dropped))


def find_sheet_layout(record: Record, system: RuleSystem, order: MapContext) -> SheetLayout:
    """Return the division of a map into sheets, as positions in mm on the board.

    A map on one sheet has no positions.

    Raises:
        PageError: the paper is too small.
        UsageError: a zone is unknown.
    """
    record_to_draw = record_with_overlays(record, order)
    division = divide_map(record_to_draw, system, order)
    layout, scale = division.map_layout, division.map_layout.scale
    if division.kind in ("one", "whole"):
        return SheetLayout(scale=scale, sheet=order.sheet)
    board = layout.field.board
    empty = Drawing(board.width * scale, board.depth * scale, ())
    framed_board = frame_board(empty, layout, division.furniture, measures=True)
    parts: tuple[Zone, ...] = (Zone("", Rect(0.0, 0.0, framed_board.drawing.width, framed_board.drawing.height)),)
    if division.kind == "zones":
        parts = select_zones(zones_on_drawing(layout.field, framed_board, scale), order.zones or ())
    lattices = [zone_lattice(part, order.sheet, order.overlap) for part in parts]
    sheets, dropped = [], []
    hull = None if layout.field.grid is None else layout.field.grid.hull()
    for lattice in lattices:
        for tile in lattice.tiles():
            window = tile.window
            x, y = (
                (window.x + lattice.at[0] - framed_board.board_rect.x),
                (window.y + lattice.at[1] - framed_board.board_rect.y),
            )
            right = min(window.right, lattice.width) - window.x
            top = min(window.top, lattice.height) - window.y
            area = Rect(x / scale, y / scale, right / scale, top / scale)
            sheets.append(SheetPosition(tile.name, area))
            if hull is not None and not hull.intersects(box(area.x, area.y, area.right, area.top)):
                dropped.append(tile.name)
    largest = max(lattices, key=lambda lattice_of_zone: lattice_of_zone.count)
    return SheetLayout(
        scale=scale,
        sheet=largest.sheet,
        sheets=tuple(sheets),
        dropped=tuple(dropped),
        columns=largest.columns,
        rows=largest.rows,
        cuts=sum(lattice_of_zone.count_cuts(dropped) for lattice_of_zone in lattices),
        overlap=largest.overlap / scale,
    )
