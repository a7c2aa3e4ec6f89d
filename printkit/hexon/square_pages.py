"""The pages of square tiles: sheets to cut, and a plan that shows the place and the rotation of each tile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from printkit.content.cards import CardSize
from printkit.core.words import SEPARATOR, Words
from printkit.drawing.canvas.items import Affine, Anchor, Drawing, Font, Item, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, drawing_of, joined
from printkit.drawing.canvas.plain import make_polygon, make_rectangle
from printkit.drawing.lettering.lettering import line, measure, shorten
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.leaflet import instruction_header
from printkit.hexon.layout.strips import RELIEF
from printkit.hexon.square_tiles import SquareLayout, SquareTile, TileShape
from printkit.page.imposition import CutPlan, ImposedCards, impose
from printkit.page.leaflets import leaflet_area, leaflet_sheets
from printkit.page.marks import Imprint
from printkit.page.sheet import Page, Placement
from printkit.recipes.output.handout import HandoutContext
from printkit.recipes.output.printers import PrintContext
from printkit.terrain.field.grids import Cell

# Height in mm of the heading of the plan, and of its instructions in one language.
_TITLE: Final = 12.0
_HOW: Final = 13.0
# Type size of codes and rows in points, and the height of a row in mm.
_CODE_PT: Final = 8.0
_ROW_PT: Final = 8.5
_ROW: Final = 4.4
# Squares narrower than this, in mm, have smaller codes.
_LEAST: Final = 14.0
# Distance of a code from the sides of its tile, and the side of its triangle, in mm.
_EDGE: Final = 1.2
_TRIANGLE: Final = 2.2
# Space inside the plate of a code in mm.
_INNER: Final = 0.6
# Width in mm of the letters and numbers next to the plan, and of the gap between columns of the parts list.
_BAND: Final = 6.0
_GAP: Final = 5.0
# Width of the lines of the plan in mm.
_LINE: Final = 0.25
# Space below the parts list in mm.
_LAST: Final = 1.5
# The most columns of the parts list.
_COLUMNS: Final = 4


class TileFace(NamedTuple):
    """A tile to cut: its drawing, in mm on paper. The back is blank."""

    front: Drawing
    back: Drawing | None = None


def draw_tiles(tiles: Mapping[str, SquareTile], handout: HandoutContext) -> dict[str, Drawing]:
    """Return the drawing of each tile by code, at actual size and without its code."""
    drafter = handout.map_drafter()
    return {
        code: board_drawing(tile.field, drafter, numbers=False, names=False, zones=False, deployment=False, grid=False)
        for code, tile in tiles.items()
    }


def tile_sheets(
    tiles: Mapping[str, SquareTile], drawings: Mapping[str, Drawing], context: PrintContext[Any], imprint: Imprint
) -> ImposedCards:
    """Return the sheets with all copies of the tiles, by code, with cut marks.

    Args:
        tiles: the tiles by code.
        drawings: the drawing of each tile by code.
        context: the paper, style and words.
        imprint: the text on every sheet.

    Raises:
        PageError: the paper is too small for a tile.
    """
    faces: list[TileFace] = []
    for code, tile in tiles.items():
        width, height = drawings[code].width, drawings[code].height
        label = drawing_of(width, height, _draw_code(code, Rect(0.0, 0.0, width, height), 0, context.drafter))
        face = joined(width, height, [PlacedDrawing(drawings[code], 0.0, 0.0), PlacedDrawing(label, 0.0, 0.0)])
        faces += [TileFace(face)] * tile.copies
    size = faces[0].front.width
    cutting = CutPlan(size=CardSize(name="tile", width=size, height=size), least_margin=0.0)
    return impose(faces, context.sheet, cutting, imprint=imprint, words=context.words)


def plan_page(layout: SquareLayout, drawings: Mapping[str, Drawing], context: PrintContext[Any], title: str) -> Page:
    """Return the plan of a battlefield of tiles with its parts list.

    A tile without copies is open ground that needs no tile.

    Args:
        layout: the tiles and their places.
        drawings: the drawing of each tile by code.
        context: the paper, style and words.
        title: the title of the battlefield.

    Raises:
        PageError: the paper is too small for the instructions.
    """
    words, drafter, grid = context.words, context.drafter, layout.grid
    free = leaflet_area(context.sheet, spread=True)
    parts = [tile for tile in layout.tiles.values() if tile.copies]
    count = sum(tile.copies for tile in parts)
    how = words("tiles.how", count=count, kinds=len(parts), cell=f"{grid.cell:g}")
    if len(parts) < len(layout.tiles):
        how = f"{how} {words('tiles.no-code')}"
    label, head_height = words("tiles.plan"), _TITLE + _HOW * len(words.each())
    head = instruction_header(f"{label} – {title}", how, free.width, head_height, drafter)
    parts_list = _draw_parts(parts, free.width, drafter)
    top = free.height - head_height - _BAND
    size = min((free.width - _BAND) / grid.columns, (top - _GAP - parts_list.height - _LAST) / grid.rows)
    left = (free.width + _BAND - size * grid.columns) / 2
    squares = {cell: Rect(left + (cell.column - 1) * size, top - cell.row * size, size, size) for cell in grid.cells()}
    items: list[Item] = list(_draw_addresses(layout, squares, drafter))
    tile_places = [place for place in layout.places if layout.tiles[place.code].copies]
    items += [drafter.box(square, _LINE) for square in squares.values()]
    for place in tile_places:
        items += _draw_code(place.code, squares[place.cell], place.turns, drafter)
    text = [
        PlacedDrawing(head, 0.0, free.height - head_height),
        PlacedDrawing(parts_list, 0.0, top - size * grid.rows - _GAP - parts_list.height),
        PlacedDrawing(drawing_of(free.width, free.height, items), 0.0, 0.0),
    ]
    drawing = joined(free.width, free.height, text)
    (page,) = leaflet_sheets([drawing], context.sheet, words=words, bookmark=label, label=label, spread=True)
    pictures = []
    for place in tile_places:
        square = squares[place.cell]._replace(x=squares[place.cell].x + free.x, y=squares[place.cell].y + free.y)
        pictures.append(Placement(drawings[place.code], _turn_into(square, grid.cell, place.turns), square))
    return replace(page, placements=(*pictures, *page.placements))


def describe_tile(shape: TileShape, words: Words) -> str:
    """Return what a tile shows, in each language."""
    return SEPARATOR.join(dict.fromkeys(", ".join(_list_contents(shape, language)) for language in words.each()))


def _list_contents(shape: TileShape, words: Words) -> Iterator[str]:
    """Yield the terrain, the courses and the crossings of a tile in one language."""
    if not shape.kinds and not shape.courses:
        yield words("tiles.open")
    for kind in shape.kinds:
        name = words(f"kind.{kind}")
        is_tall = shape.height > 1 and kind in RELIEF
        yield words("tiles.levels", kind=name, height=shape.height) if is_tall else name
    for kind, sides in shape.courses:
        is_straight = len(sides) == 2 and (sides[1] - sides[0]) % 2 == 0
        form = ("flood", "end", "straight" if is_straight else "bend", "junction", "cross")[len(sides)]
        yield words(f"tiles.course.{form}", kind=words(f"kind.{kind}"))
    for kind in shape.crossings:
        yield words(f"kind.{kind}")


def _turn_into(square: Rect, size: float, turns: int) -> Affine:
    """Return the transform of a tile of ``size`` mm into a square on the page after quarter turns clockwise."""
    scale = square.width / size
    x_axis, y_axis = ((1, 0), (0, -1), (-1, 0), (0, 1))[turns], ((0, 1), (1, 0), (0, -1), (-1, 0))[turns]
    x = square.x + (square.width if turns in (2, 3) else 0.0)
    y = square.y + (square.height if turns in (1, 2) else 0.0)
    return Affine(scale * x_axis[0], scale * x_axis[1], scale * y_axis[0], scale * y_axis[1], x, y)


def _draw_code(code: str, square: Rect, turns: int, drafter: Drafter) -> Iterator[Item]:
    """Yield the code of a tile after quarter turns clockwise in its corner, and a triangle to the tile's top.

    The corner is the near left one of a tile that is not turned. ``square`` is in mm on paper.
    """
    share = min(1.0, square.width / _LEAST)
    style = drafter.type_style(Font.FIGURES_MEDIUM, _CODE_PT).resize(share)
    text_width, half, gap, edge = measure(code, style), share * _TRIANGLE / 2, share * _INNER, share * _EDGE
    width, height = text_width + 2 * half + 4 * gap, 0.76 * style.height + 2 * gap
    x = square.right - edge - width if turns in (2, 3) else square.x + edge
    y = square.top - edge - height if turns in (1, 2) else square.y + edge
    yield make_rectangle((x, y, width, height), drafter.style.solid("halo"))
    yield from line(code, (x + gap, y + gap), style)
    middle = (x + width - 1.3 * gap - half, y + height / 2)
    direction = ((0, 1), (1, 0), (0, -1), (-1, 0))[turns]
    corners = [
        (
            middle[0] + half * (forward * direction[0] + side * direction[1]),
            middle[1] + half * (forward * direction[1] - side * direction[0]),
        )
        for forward, side in ((1.0, 0.0), (-0.8, 0.9), (-0.8, -0.9))
    ]
    yield make_polygon(corners, drafter.style.solid("ink"))


def _draw_addresses(layout: SquareLayout, squares: dict[Cell, Rect], drafter: Drafter) -> Iterator[Item]:
    """Yield the letters of columns above the plan and the numbers of rows left of it."""
    grid, style = layout.grid, drafter.type_style(Font.FIGURES, _ROW_PT)
    for column in range(1, grid.columns + 1):
        square = squares[Cell(column, 1)]
        yield from line(
            grid.column_label(column), (square.x + square.width / 2, square.top + 1.5), style, anchor=Anchor.MIDDLE
        )
    for row in range(1, grid.rows + 1):
        square = squares[Cell(1, row)]
        yield from line(str(row), (square.x - 1.5, square.y + square.height / 2 - 1.0), style, anchor=Anchor.END)


def _draw_parts(tiles: Sequence[SquareTile], width: float, drafter: Drafter) -> Drawing:
    """Return the parts list in columns, ``width`` mm wide: code, copies and contents of each tile."""
    strong, plain = drafter.type_style(Font.FIGURES_MEDIUM, _ROW_PT), drafter.type_style(Font.ROMAN, _ROW_PT)
    texts = [describe_tile(tile.shape, drafter.words) for tile in tiles]
    indent = [max(measure(tile.code, strong) for tile in tiles) + 1.5]
    indent.append(indent[0] + measure("888 ×", plain) + 1.5)
    longest = indent[1] + max(measure(text, plain) for text in texts) + _GAP
    columns = min(_COLUMNS, max(1, int((width + _GAP) // longest)))
    rows = -(-len(tiles) // columns)
    pitch, row_height = (width + _GAP) / columns, max(_ROW, 1.35 * plain.height)
    items: list[Item] = []
    for number, (tile, text) in enumerate(zip(tiles, texts, strict=True)):
        column, row = divmod(number, rows)
        x, y = column * pitch, (rows - row - 1) * row_height + 1.0
        items += line(tile.code, (x, y), strong)
        items += line(f"{tile.copies} ×", (x + indent[1] - 1.5, y), plain, anchor=Anchor.END)
        items += line(shorten(text, plain, pitch - _GAP - indent[1]), (x + indent[1], y), plain)
    return drawing_of(width, rows * row_height, items)
