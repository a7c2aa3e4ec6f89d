"""The face of an element's base at its size, a camp as a square, and counters of both to cut out.

The sides differ without colour: the front of the NPG is a solid bar and its flanks are hatched; YOUR front is an open
bar and your base is plain. On a map the text is always readable, whatever the facing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import box
from shapely.affinity import rotate

from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import (
    GRID,
    Anchor,
    Cap,
    Drawing,
    Font,
    Ink,
    Item,
    Join,
    Path,
    PathRun,
    Picture,
    Rect,
    Stamp,
    Stroke,
    Text,
)
from printkit.drawing.canvas.layers import drawing_of
from printkit.drawing.canvas.plain import make_line, make_polygon, make_rectangle, rectangle_corners
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import draw_hatching
from printkit.drawing.lettering.lettering import TypeStyle, least_size, line, measure, shrink_to_fit
from printkit.systems.dba.elements.deployed_overlay import NPG, STAR, draw_symbol

# The inks of the sides.
SIDE_INKS: Final = {NPG: "side-red"}
OTHER_SIDE: Final = "side-blue"

# Shares of the width of a base. A base of depth share ``_DEEP_BASE`` or more has its code below the symbol.
_BAR: Final = 0.065
_WING: Final = 0.085
_PITCH: Final = 0.045
_HATCH: Final = 0.010
_RIM: Final = 0.0085
_LEAST_RIM: Final = 0.18
_PAD: Final = 0.02
_TINT: Final = 0.14
_STAR: Final = 0.95
_CODE: Final = 0.185
_CODE_BESIDE: Final = 0.62
_STAR_ABOVE: Final = 0.46
_ARROW: Final = 1.1
_CAPITALS: Final = 0.72
_SYMBOL: Final = 0.5
_DEEP_BASE: Final = 0.6


class ElementFace(Struct, frozen=True, kw_only=True):
    """The content of a base: side, code and type of the element, and whether it is a general."""

    side: str
    code: str
    type: str
    is_general: bool = False


def side_ink(side: str, style: Style) -> Ink:
    """Return the ink of a side: red for the NPG, blue for YOU, or black if the style has no colours."""
    return style.solid(SIDE_INKS.get(side, OTHER_SIDE))


def ground_ink(side: str, style: Style) -> Ink:
    """Return the colour of a side's bases: paper, with a tint of its ink if the style has washes."""
    paper = style.solid("halo")
    return paper.mix(side_ink(side, style), _TINT) if style.washes else paper


def draw_element(
    face: ElementFace, x: float, y: float, width: float, depth: float, style: Style, *, facing: float = 90.0
) -> list[Item]:
    """Return an element's base drawn around its centre.

    Args:
        face: the content of the base.
        x: of the centre, in mm on paper.
        y: of the centre, in mm on paper.
        width: of the front, in mm on paper; the fill has exactly this size.
        depth: of the base, in mm on paper.
        style: inks.
        facing: in degrees anticlockwise from the right; 90 is up.
    """
    rotation = (facing - 90.0) % 360.0
    # Text must not be upside down: a base that faces down is drawn the other way up, with its front below.
    text_rotation = rotation - 180.0 if 90.0 < rotation <= 270.0 else rotation
    is_front_up = not 90.0 < rotation <= 270.0
    items = _draw_unrotated(face, x, y, width, depth, style, front_up=is_front_up)
    return [_rotate_item(item, text_rotation, x, y) for item in items] if text_rotation % 360.0 else items


def _draw_unrotated(
    face: ElementFace, x: float, y: float, width: float, depth: float, style: Style, *, front_up: bool
) -> list[Item]:
    """Return the items of an element's base with its front above, or below if ``front_up`` is False.

    ``x`` and ``y`` are its centre; all lengths are in mm on paper.
    """
    ink, ground, black = side_ink(face.side, style), ground_ink(face.side, style), style.solid("ink")
    left, bottom = x - width / 2, y - depth / 2
    bar = _BAR * width
    rim = max(_RIM * width * style.line_factor, _LEAST_RIM)
    front = Rect(left, bottom + depth - bar if front_up else bottom, width, bar)
    body = Rect(left, bottom if front_up else bottom + bar, width, depth - bar)
    items: list[Item] = [make_rectangle((left, bottom, width, depth), ground)]
    is_solid = face.side == NPG
    flank_width = _WING * width if is_solid else 0.0
    if is_solid:
        wings = [
            box(x_position, body.y, x_position + flank_width, body.top)
            for x_position in (left, left + width - flank_width)
        ]
        items += draw_hatching(wings, ink, _PITCH * width, max(_HATCH * width, 0.12))
    items += _draw_front(front, ink, ground, rim, is_solid=is_solid, points_up=front_up)
    padding = _PAD * width + rim
    inner = Rect(
        body.x + flank_width + padding,
        body.y + padding,
        body.width - 2 * (flank_width + padding),
        body.height - 2 * padding,
    )
    items += _draw_content(face, inner, width, style, black, ground)
    edge = Stroke(ink, rim, cap=Cap.BUTT, join=Join.MITRE)
    items.append(make_rectangle((left + rim / 2, bottom + rim / 2, width - rim, depth - rim), None, edge))
    return items


def _draw_front(place: Rect, ink: Ink, ground: Ink, rim: float, *, is_solid: bool, points_up: bool) -> Iterable[Item]:
    """Yield the bar along the front, with an arrow towards the enemy if it is high enough.

    ``place`` is the bar and ``rim`` the width of its border, in mm on paper. ``ground`` is the colour of the base.
    """
    edge = Stroke(ink, rim, cap=Cap.BUTT, join=Join.MITRE)
    inset = rectangle_corners(place.x + rim / 2, place.y + rim / 2, place.width - rim, place.height - rim)
    yield make_rectangle(place, ink) if is_solid else make_polygon(inset, None, edge)
    if place.height < _ARROW:
        return
    middle, half_height = place.x + place.width / 2, 0.36 * place.height
    base_y, top = place.y + 0.5 * place.height - half_height, place.y + 0.5 * place.height + half_height
    if not points_up:
        base_y, top = top, base_y
    yield make_polygon(
        ((middle - 2.2 * half_height, base_y), (middle + 2.2 * half_height, base_y), (middle, top)),
        ground if is_solid else ink,
    )


def _draw_content(face: ElementFace, inner: Rect, width: float, style: Style, ink: Ink, ground: Ink) -> Iterable[Item]:
    """Yield symbol and code: one above the other on a deep base, side by side on a shallow one.

    ``inner`` is the free rectangle and ``width`` the width of the base, in mm on paper. ``ground`` is the colour of the
    base.
    """
    min_height = max(least_size(Font.HEAVY), style.least_pt) * MM_PER_POINT
    if inner.height >= _DEEP_BASE * inner.width:
        code_height = max(_CODE * width, min_height)
        symbol_size = min(inner.height - 0.85 * code_height, 1.1 * _SYMBOL * width, inner.width)
        free_height = inner.height - symbol_size - 0.85 * code_height
        yield from draw_symbol(
            face.type,
            inner.x + inner.width / 2,
            inner.top - free_height / 3 - symbol_size / 2,
            symbol_size,
            ink,
            ground,
        )
        baseline = inner.y + free_height / 3 + 0.06 * code_height
        yield from _draw_code(face, inner.x + inner.width / 2, baseline, code_height, inner.width, style, ink)
        return
    symbol_size = min(inner.height, _SYMBOL * inner.width)
    middle = inner.y + inner.height / 2
    code_width = 0.54 * inner.width
    code_x, code_height = (
        inner.x + inner.width - code_width / 2,
        max(min(_CODE_BESIDE * inner.height, _CODE * width), min_height),
    )
    if not face.is_general or 0.5 * inner.height >= min_height:
        yield from draw_symbol(face.type, inner.x + 0.24 * inner.width, middle, symbol_size, ink, ground)
    if not face.is_general:
        yield from _draw_code(face, code_x, middle - _CAPITALS * code_height / 2, code_height, code_width, style, ink)
        return
    face_without_star, half_height = replace(face, is_general=False), 0.5 * inner.height
    if half_height < min_height:
        # On the small base of an overview the star replaces the symbol; the code shows the type.
        yield from _draw_code(
            face_without_star, code_x, middle - _CAPITALS * code_height / 2, code_height, code_width, style, ink
        )
        yield from draw_symbol(STAR, inner.x + 0.24 * inner.width, middle, symbol_size, ink, ground)
        return
    yield from _draw_code(
        face_without_star, code_x, inner.y + 0.1 * inner.height, min(code_height, half_height), code_width, style, ink
    )
    star_size = min(_STAR_ABOVE * inner.height, code_width)
    yield from draw_symbol(STAR, code_x, inner.top - star_size / 2, star_size, ink, ground)


def _draw_code(
    face: ElementFace, x: float, baseline: float, height_mm: float, max_width_mm: float, style: Style, ink: Ink
) -> Iterable[Item]:
    """Yield the code centred at ``x``, followed by the star of a general.

    All lengths are in mm on paper; ``height_mm`` is the type size. The code shrinks to fit ``max_width_mm``. The troop
    type replaces a code that would be too small to read.
    """
    star_size = _STAR * _CAPITALS * height_mm if face.is_general else 0.0
    gap = 0.2 * height_mm if face.is_general else 0.0
    full_style = TypeStyle.for_style(style, Font.HEAVY, height_mm / MM_PER_POINT, ink)
    # If 3/4Wb would be too small to read, Wb is enough: the list has the complete code.
    smallest_style = replace(full_style, size_pt=max(least_size(Font.HEAVY), style.least_pt))
    code_text = face.code if measure(face.code, smallest_style) <= max_width_mm - star_size - gap else face.type
    type_style = shrink_to_fit(code_text, full_style, max_width_mm - star_size - gap)
    text_width = measure(code_text, type_style)
    start = x - (text_width + gap + star_size) / 2
    yield from line(code_text, (start, baseline), type_style)
    if face.is_general:
        middle = baseline + _CAPITALS * height_mm / 2
        yield from draw_symbol(
            STAR, start + text_width + gap + star_size / 2, middle, star_size, ink, style.solid("halo")
        )


def _rotate_item(item: Item, degrees: float, x: float, y: float) -> Item:
    """Return an item rotated anticlockwise by ``degrees`` around the point ``x``, ``y`` in mm on paper.

    Raises:
        TypeError: the item is a stamp or a picture.
    """
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def rotate_point(a: float, b: float) -> tuple[float, float]:
        """Return the point ``a``, ``b`` after the rotation, as x and y in mm on paper."""
        return x + (a - x) * cosine - (b - y) * sine, y + (a - x) * sine + (b - y) * cosine

    match item:
        case Path():
            return replace(item, runs=tuple(_rotate_run(run, cosine, sine, x, y) for run in item.runs))
        case Text():
            glyphs = tuple(
                (*rotate_point(point_x, point_y), angle + degrees) for point_x, point_y, angle in item.glyphs
            )
            return replace(item, at=rotate_point(*item.at), angle=item.angle + degrees, glyphs=glyphs)
        case Stamp() | Picture():
            raise TypeError("no face bears a stamp or a picture")


def _rotate_run(run: PathRun, cosine: float, sine: float, x: float, y: float) -> PathRun:
    """Return a path run rotated anticlockwise around a point, by the angle of this cosine and sine.

    ``x`` and ``y`` are the point in mm on paper. The result is on the grid of 0.01 mm.
    """
    numbers: list[int] = []
    for grid_x, grid_y in zip(run.points[::2], run.points[1::2], strict=True):
        off_x, off_y = grid_x * GRID - x, grid_y * GRID - y
        numbers += (
            round((x + off_x * cosine - off_y * sine) / GRID),
            round((y + off_x * sine + off_y * cosine) / GRID),
        )
    return PathRun(tuple(numbers), run.closed)


# --- A camp as a square: a dashed border, three tents in its rear half, and its name along the rear -------------------

_TENT: Final = 0.24
_TENTS: Final = ((-0.3, 0.08), (0.0, 0.14), (0.3, 0.08))
_NAME: Final = 0.075
_FROM_REAR: Final = 0.40
_DASH: Final = (0.05, 0.025)
_LINE: Final = 0.010
_LEAST: Final = 0.18


def draw_camp(
    name: str, side: str, x: float, y: float, size: float, style: Style, *, facing: float = 90.0
) -> list[Item]:
    """Return a camp drawn around its centre.

    Args:
        name: written on the camp, behind its tents.
        side: ``NPG`` or ``YOU``; it gives the inks.
        x: of the centre, in mm.
        y: of the centre, in mm.
        size: its side in mm.
        style: inks.
        facing: the direction of the enemy, in degrees anticlockwise from the right; 90 is up.
    """
    width = max(_LINE * size * style.line_factor, _LEAST)
    dash = tuple(share * size for share in _DASH)
    stroke = Stroke(side_ink(side, style), width, dash, cap=Cap.BUTT, join=Join.MITRE)
    half_side = (size - width) / 2
    ground = rotate(box(x - size / 2, y - size / 2, x + size / 2, y + size / 2), facing - 90.0, origin=(x, y))
    border = rotate(box(x - half_side, y - half_side, x + half_side, y + half_side), facing - 90.0, origin=(x, y))
    items: list[Item] = [*fill(ground, ground_ink(side, style)), *outline(border.exterior, stroke)]
    ahead_x, ahead_y = unit_vector(facing)
    along_x, along_y = unit_vector(facing - 90.0)
    for offset, distance in _TENTS:
        at_x, at_y = (
            x + size * (offset * along_x - distance * ahead_x),
            y + size * (offset * along_y - distance * ahead_y),
        )
        items += draw_symbol("CF", at_x, at_y, _TENT * size, style.solid("ink"), style.solid("halo"))
    points = max(_NAME * size / MM_PER_POINT, least_size(Font.BANNER))
    type_style = shrink_to_fit(name, TypeStyle.for_style(style, Font.BANNER, points, style.solid("ink")), 0.9 * size)
    angle = 90.0 if round(facing) % 180 == 0 else 0.0
    up_x, up_y = unit_vector(angle + 90.0)
    baseline_drop = 0.36 * type_style.height
    baseline = (
        x - _FROM_REAR * size * ahead_x - up_x * baseline_drop,
        y - _FROM_REAR * size * ahead_y - up_y * baseline_drop,
    )
    return [*items, *line(name, baseline, type_style, anchor=Anchor.MIDDLE, angle=angle)]


def unit_vector(degrees: float) -> tuple[float, float]:
    """Return the unit vector (x, y) of an angle, in degrees anticlockwise from the right."""
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


# --- Counters to cut out ----------------------------------------------------------------------------------------------

# Length of cut lines beyond a strip, in mm.
TICK: Final = 4.0

_CUT: Final = 0.12


class Counter(Struct, frozen=True, kw_only=True):
    """One counter: its face, and the width and depth of its base in mm on paper."""

    face: ElementFace
    width: float
    depth: float


def draw_counter(counter: Counter, style: Style) -> Drawing:
    """Return one counter as a drawing of the size of its base, with its front above."""
    width, depth = counter.width, counter.depth
    return drawing_of(width, depth, draw_element(counter.face, width / 2, depth / 2, width, depth, style))


def draw_strips(counters: Sequence[Counter], width: float, height: float, style: Style) -> tuple[Drawing, ...]:
    """Return counters in blocks of at most ``width`` by ``height`` mm on paper, deep counters first.

    Each block has one base size. Adjacent counters share the line between them. Counters keep their order within a
    size.
    """
    sizes = sorted({(counter.depth, counter.width) for counter in counters}, reverse=True)
    blocks: list[Drawing] = []
    for counter_depth, counter_width in sizes:
        same_size = [
            counter for counter in counters if (counter.depth, counter.width) == (counter_depth, counter_width)
        ]
        columns = max(1, int((width - 2 * TICK) // counter_width))
        rows = max(1, int((height - 2 * TICK) // counter_depth))
        starts = range(0, len(same_size), columns * rows)
        blocks += [_draw_block(same_size[start : start + columns * rows], columns, style) for start in starts]
    return tuple(blocks)


def draw_camp_tile(name: str, side: str, size: float, style: Style) -> Drawing:
    """Return a camp to cut out, ``size`` mm square on paper, with space for a garrison before the tents.

    The drawing is 4 mm larger on each side, for the cut lines. ``side`` is ``NPG`` or ``YOU`` and gives the inks;
    ``name`` is written on the camp.
    """
    middle, tile_size = TICK + size / 2, size + 2 * TICK
    items = draw_camp(name, side, middle, middle, size, style)
    ink, width = style.solid("ink"), _CUT * style.line_factor
    for position in (TICK, TICK + size):
        # The border of the camp is the cut line, so only its extensions are drawn.
        for start, end in ((0.0, TICK), (TICK + size, tile_size)):
            items += [
                make_line([(position, start), (position, end)], ink, width),
                make_line([(start, position), (end, position)], ink, width),
            ]
    return drawing_of(tile_size, tile_size, items)


def _draw_block(counters: Sequence[Counter], columns: int, style: Style) -> Drawing:
    """Return counters of one size in rows of ``columns`` from the upper left, with cut lines around them.

    The drawing is at actual size, in mm on paper.
    """
    width, depth = counters[0].width, counters[0].depth
    column_count = min(columns, len(counters))
    rows = -(-len(counters) // columns)
    height = rows * depth + 2 * TICK
    items: list[Item] = []
    for number, counter in enumerate(counters):
        row, column = divmod(number, columns)
        x, y = TICK + (column + 0.5) * width, height - TICK - (row + 0.5) * depth
        items += draw_element(counter.face, x, y, width, depth, style)
    items += _draw_cuts(column_count, rows, width, depth, len(counters) - (rows - 1) * columns, style)
    return drawing_of(column_count * width + 2 * TICK, height, items)


def _draw_cuts(columns: int, rows: int, width: float, depth: float, last: int, style: Style) -> Iterator[Item]:
    """Yield the cut lines of a block of counters; its last row has ``last`` counters.

    ``width`` and ``depth`` are the size of a counter in mm on paper.
    """
    ink, line_width = style.solid("ink"), _CUT * style.line_factor
    top = 2 * TICK + rows * depth
    for column in range(columns + 1):
        row_reach = rows if column <= last else rows - 1
        bottom = top - TICK - row_reach * depth
        yield make_line([(TICK + column * width, top), (TICK + column * width, bottom - TICK)], ink, line_width)
    for row in range(rows + 1):
        row_count = columns if row < rows else last
        y = top - TICK - row * depth
        yield make_line([(0.0, y), (2 * TICK + row_count * width, y)], ink, line_width)
