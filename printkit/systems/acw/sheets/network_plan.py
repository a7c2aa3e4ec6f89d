"""The plan of a network: zones with numbers, rulers, and named marks along roads and streams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from printkit.drawing.canvas.items import Drawing, Font, Item, LayerName, Rect, Stroke
from printkit.drawing.canvas.layers import PlacedDrawing, drawing_of, group_by_layer, joined
from printkit.drawing.canvas.plain import make_line
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import TypeStyle, line, measure
from printkit.drawing.map.board_drawing import scaled
from printkit.drawing.map.layout_plan import PlanMark, layout_plan
from printkit.drawing.signs.catalogue import draw
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield, OuterMargins

_LINE: Final = 0.45
_NUMBER: Final = (9.0, 17.0)
_SHARE: Final = 0.5
_NO_MARGINS: Final = OuterMargins()
_HALO: Final = 1.2
_INSET: Final = 1.4
# Space for a mark with its name, to the right and up, in mm.
_MARK_SPACE: Final = (7.0, 4.5)


def draw_network(field: Battlefield, drafter: Drafter) -> Drawing:
    """Return a drawing, in printed mm at the drafter's scale, of a battlefield's symbols without dressing.

    ``field`` is in mm on the board. The drawing is as large as the board.
    """
    context = drafter.context
    scaled_field = scaled(field, context.scale)
    width, height = scaled_field.board.width, scaled_field.board.depth

    def generate_items() -> Iterator[tuple[LayerName, Item]]:
        """Yield the paper and the symbols, each with its layer."""
        for item in fill(scaled_field.board.shape, drafter.style.ink("paper")):
            yield LayerName.PAPER, item
        yield from draw(scaled_field, context)

    return Drawing(width, height, group_by_layer(generate_items(), clip=Rect(0.0, 0.0, width, height)))


def draw_network_plan(
    board: Drawing,
    zones: Sequence[Rect],
    marks: Sequence[PlanMark],
    *,
    scale: float,
    style: Style,
    outer_margins: OuterMargins = _NO_MARGINS,
) -> Drawing:
    """Return a drawing in printed mm of the network with zones, marks, and rulers in inches and centimetres.

    Args:
        board: the drawing of the network at ``scale``, with the outer margins.
        zones: in the order of their numbers, in mm of the table.
        marks: in mm of the table, from its near left corner.
        scale: printed mm per mm of the board.
        style: the inks.
        outer_margins: ground shown beyond each edge of the table, in mm of the board.
    """
    left, near, right, far = (reach * scale for reach in outer_margins)
    size = board.width - left - right, board.height - near - far
    cells = [Rect(*(side * scale for side in zone)) for zone in zones]
    points = [(mark.x * scale, mark.y * scale) for mark in marks]
    items = drawing_of(*size, [*_draw_lines(cells, size, style), *_draw_numbers(cells, points, style)])
    board_with_zones = joined(
        board.width, board.height, [PlacedDrawing(board, 0.0, 0.0), PlacedDrawing(items, left, near)]
    )
    return layout_plan(board_with_zones, marks, scale=scale, style=style, surround=outer_margins)


def _draw_lines(cells: Sequence[Rect], size: tuple[float, float], style: Style) -> Iterator[Item]:
    """Yield the lines between zones.

    ``cells`` are the zones and ``size`` is width and height of the drawing, all in mm on paper.
    """
    ink, width = style.solid("ink"), _LINE * style.line_factor
    for x in sorted({round(cell.x, 3) for cell in cells} - {0.0}):
        yield make_line([(x, 0.0), (x, size[1])], ink, width)
    for y in sorted({round(cell.y, 3) for cell in cells} - {0.0}):
        yield make_line([(0.0, y), (size[0], y)], ink, width)


def _draw_numbers(cells: Sequence[Rect], points: Sequence[tuple[float, float]], style: Style) -> Iterator[Item]:
    """Yield the number of each zone, in its upper left corner or in another corner without marks.

    ``cells`` are the zones and ``points`` the marks as x and y, all in mm on paper.
    """
    halo = Stroke(style.solid("halo"), _HALO)
    # The name of a mark is to its right and above.
    mark_areas = [Rect(x - 1.0, y - 1.0, *_MARK_SPACE) for x, y in points]
    for number, cell in enumerate(cells, 1):
        size = min(max(_SHARE * min(cell.width, cell.height), _NUMBER[0]), _NUMBER[1])
        number_style = TypeStyle.for_style(style, Font.HEAVY, size, style.solid("ink")).with_halo(halo)
        wide, high = measure(str(number), number_style), 0.72 * number_style.height
        corners = [
            Rect(x, y, wide, high)
            for y in (cell.top - _INSET - high, cell.y + _INSET)
            for x in (cell.x + _INSET, cell.right - _INSET - wide)
        ]
        free = (corner for corner in corners if not any(corner.meets(area) for area in mark_areas))
        position = next(free, corners[0])
        yield from line(str(number), (position.x, position.y), number_style)
