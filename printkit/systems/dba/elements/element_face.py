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
from printkit.drawing.canvas.area_fill import draw_hatching
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
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import TypeStyle, least_size, line, measure, shrink_to_fit
from printkit.drawing.text.text_styles import drawing_of, make_line, oblong, patch
from printkit.systems.dba.elements.deployed_overlay import NPG
from printkit.systems.dba.elements.troop_symbols import STAR, symbol

# The inks of the sides.
SIDES: Final = {NPG: "side-red"}
OTHER: Final = "side-blue"

# Shares of the width of a base. A base of depth share ``_DEEP`` or more has its code below the symbol.
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
_DEEP: Final = 0.6


class ElementFace(Struct, frozen=True, kw_only=True):
    """The content of a base: side, code and type of the element, and whether it is a general."""

    side: str
    code: str
    type: str
    general: bool = False


def side_ink(side: str, style: Style) -> Ink:
    """Return the ink of a side: red for the NPG, blue for YOU, or black if the style has no colours."""
    return style.solid(SIDES.get(side, OTHER))


def ground_ink(side: str, style: Style) -> Ink:
    """Return the colour of a side's bases: paper, with a tint of its ink if the style has washes."""
    paper = style.solid("halo")
    return paper.mix(side_ink(side, style), _TINT) if style.washes else paper


def element_face(
    face: ElementFace, x: float, y: float, width: float, depth: float, style: Style, *, facing: float = 90.0
) -> list[Item]:
    """Return an element's base drawn around its centre.

    Args:
        face: the content of the base.
        x: of the centre, in mm.
        y: of the centre, in mm.
        width: of the front, in mm; the fill has exactly this size.
        depth: of the base, in mm.
        style: inks.
        facing: in degrees anticlockwise from the right; 90 is up.
    """
    turn = (facing - 90.0) % 360.0
    # Text must not be upside down: a base that faces down is drawn the other way up, with its front below.
    reading = turn - 180.0 if 90.0 < turn <= 270.0 else turn
    front_up = not 90.0 < turn <= 270.0
    drawn = _upright(face, x, y, width, depth, style, front_up=front_up)
    return [_turned(item, reading, x, y) for item in drawn] if reading % 360.0 else drawn


def _upright(
    face: ElementFace, x: float, y: float, width: float, depth: float, style: Style, *, front_up: bool
) -> list[Item]:
    ink, ground, black = side_ink(face.side, style), ground_ink(face.side, style), style.solid("ink")
    left, low = x - width / 2, y - depth / 2
    bar = _BAR * width
    rim = max(_RIM * width * style.line_factor, _LEAST_RIM)
    front = Rect(left, low + depth - bar if front_up else low, width, bar)
    body = Rect(left, low if front_up else low + bar, width, depth - bar)
    items: list[Item] = [patch(oblong(left, low, width, depth), ground)]
    solid = face.side == NPG
    wing = _WING * width if solid else 0.0
    if solid:
        wings = [box(at, body.y, at + wing, body.top) for at in (left, left + width - wing)]
        items += draw_hatching(wings, ink, _PITCH * width, max(_HATCH * width, 0.12))
    items += _front(front, ink, ground, rim, solid=solid, up=front_up)
    pad = _PAD * width + rim
    inner = Rect(body.x + wing + pad, body.y + pad, body.width - 2 * (wing + pad), body.height - 2 * pad)
    items += _content(face, inner, width, style, black, ground)
    edge = Stroke(ink, rim, cap=Cap.BUTT, join=Join.MITRE)
    items.append(patch(oblong(left + rim / 2, low + rim / 2, width - rim, depth - rim), None, edge))
    return items


def _front(place: Rect, ink: Ink, ground: Ink, rim: float, *, solid: bool, up: bool) -> Iterable[Item]:
    """Yield the bar along the front, with an arrow towards the enemy if it is high enough."""
    edge = Stroke(ink, rim, cap=Cap.BUTT, join=Join.MITRE)
    inset = oblong(place.x + rim / 2, place.y + rim / 2, place.width - rim, place.height - rim)
    yield patch(oblong(*place), ink) if solid else patch(inset, None, edge)
    if place.height < _ARROW:
        return
    middle, half = place.x + place.width / 2, 0.36 * place.height
    foot, top = place.y + 0.5 * place.height - half, place.y + 0.5 * place.height + half
    if not up:
        foot, top = top, foot
    yield patch(((middle - 2.2 * half, foot), (middle + 2.2 * half, foot), (middle, top)), ground if solid else ink)


def _content(face: ElementFace, inner: Rect, width: float, style: Style, ink: Ink, ground: Ink) -> Iterable[Item]:
    """Yield symbol and code: one above the other on a deep base, side by side on a shallow one."""
    least = max(least_size(Font.HEAVY), style.least_pt) * MM_PER_POINT
    if inner.height >= _DEEP * inner.width:
        high = max(_CODE * width, least)
        side = min(inner.height - 0.85 * high, 1.1 * _SYMBOL * width, inner.width)
        free = inner.height - side - 0.85 * high
        yield from symbol(face.type, inner.x + inner.width / 2, inner.top - free / 3 - side / 2, side, ink, ground)
        foot = inner.y + free / 3 + 0.06 * high
        yield from _code(face, inner.x + inner.width / 2, foot, high, inner.width, style, ink)
        return
    side = min(inner.height, _SYMBOL * inner.width)
    middle = inner.y + inner.height / 2
    room = 0.54 * inner.width
    at, high = inner.x + inner.width - room / 2, max(min(_CODE_BESIDE * inner.height, _CODE * width), least)
    if not face.general or 0.5 * inner.height >= least:
        yield from symbol(face.type, inner.x + 0.24 * inner.width, middle, side, ink, ground)
    if not face.general:
        yield from _code(face, at, middle - _CAPITALS * high / 2, high, room, style, ink)
        return
    bare, half = replace(face, general=False), 0.5 * inner.height
    if half < least:
        # On the small base of an overview the star replaces the symbol; the code shows the type.
        yield from _code(bare, at, middle - _CAPITALS * high / 2, high, room, style, ink)
        yield from symbol(STAR, inner.x + 0.24 * inner.width, middle, side, ink, ground)
        return
    yield from _code(bare, at, inner.y + 0.1 * inner.height, min(high, half), room, style, ink)
    star = min(_STAR_ABOVE * inner.height, room)
    yield from symbol(STAR, at, inner.top - star / 2, star, ink, ground)


def _code(face: ElementFace, x: float, foot: float, high: float, room: float, style: Style, ink: Ink) -> Iterable[Item]:
    """Yield the code centred at ``x``, followed by the star of a general."""
    star = _STAR * _CAPITALS * high if face.general else 0.0
    gap = 0.2 * high if face.general else 0.0
    whole = TypeStyle.for_style(style, Font.HEAVY, high / MM_PER_POINT, ink)
    # If 3/4Wb would be too small to read, Wb is enough: the list has the complete code.
    least = replace(whole, size_pt=max(least_size(Font.HEAVY), style.least_pt))
    said = face.code if measure(face.code, least) <= room - star - gap else face.type
    hand = shrink_to_fit(said, whole, room - star - gap)
    long = measure(said, hand)
    start = x - (long + gap + star) / 2
    yield from line(said, (start, foot), hand)
    if face.general:
        middle = foot + _CAPITALS * high / 2
        yield from symbol(STAR, start + long + gap + star / 2, middle, star, ink, style.solid("halo"))


def _turned(item: Item, degrees: float, x: float, y: float) -> Item:
    """Return an item rotated anticlockwise around a point in mm."""
    across, up = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def at(a: float, b: float) -> tuple[float, float]:
        return x + (a - x) * across - (b - y) * up, y + (a - x) * up + (b - y) * across

    match item:
        case Path():
            return replace(item, runs=tuple(_turned_run(run, across, up, x, y) for run in item.runs))
        case Text():
            glyphs = tuple((*at(a, b), angle + degrees) for a, b, angle in item.glyphs)
            return replace(item, at=at(*item.at), angle=item.angle + degrees, glyphs=glyphs)
        case Stamp() | Picture():
            raise TypeError("no face bears a stamp or a picture")


def _turned_run(run: PathRun, across: float, up: float, x: float, y: float) -> PathRun:
    found: list[int] = []
    for a, b in zip(run.points[::2], run.points[1::2], strict=True):
        off_x, off_y = a * GRID - x, b * GRID - y
        found += (round((x + off_x * across - off_y * up) / GRID), round((y + off_x * up + off_y * across) / GRID))
    return PathRun(tuple(found), run.closed)


# --- A camp as a square: a dashed border, three tents in its rear half, and its name along the rear -------------------

_TENT: Final = 0.24
_TENTS: Final = ((-0.3, 0.08), (0.0, 0.14), (0.3, 0.08))
_NAME: Final = 0.075
_FROM_REAR: Final = 0.40
_DASH: Final = (0.05, 0.025)
_LINE: Final = 0.010
_LEAST: Final = 0.18


def camp_face(
    said: str, side: str, x: float, y: float, size: float, style: Style, *, facing: float = 90.0
) -> list[Item]:
    """Return a camp drawn around its centre.

    Args:
        said: its name.
        side: ``NPG`` or ``YOU``.
        x: of the centre, in mm.
        y: of the centre, in mm.
        size: its side in mm.
        style: inks.
        facing: the direction of the enemy, in degrees anticlockwise from the right; 90 is up.
    """
    width = max(_LINE * size * style.line_factor, _LEAST)
    dash = tuple(share * size for share in _DASH)
    stroke = Stroke(side_ink(side, style), width, dash, cap=Cap.BUTT, join=Join.MITRE)
    half = (size - width) / 2
    ground = rotate(box(x - size / 2, y - size / 2, x + size / 2, y + size / 2), facing - 90.0, origin=(x, y))
    border = rotate(box(x - half, y - half, x + half, y + half), facing - 90.0, origin=(x, y))
    items: list[Item] = [*fill(ground, ground_ink(side, style)), *outline(border.exterior, stroke)]
    ahead_x, ahead_y = unit_vector(facing)
    along_x, along_y = unit_vector(facing - 90.0)
    for along, back in _TENTS:
        at_x, at_y = x + size * (along * along_x - back * ahead_x), y + size * (along * along_y - back * ahead_y)
        items += symbol("CF", at_x, at_y, _TENT * size, style.solid("ink"), style.solid("halo"))
    points = max(_NAME * size / MM_PER_POINT, least_size(Font.BANNER))
    hand = shrink_to_fit(said, TypeStyle.for_style(style, Font.BANNER, points, style.solid("ink")), 0.9 * size)
    angle = 90.0 if round(facing) % 180 == 0 else 0.0
    up_x, up_y = unit_vector(angle + 90.0)
    low = 0.36 * hand.height
    foot = (x - _FROM_REAR * size * ahead_x - up_x * low, y - _FROM_REAR * size * ahead_y - up_y * low)
    return [*items, *line(said, foot, hand, anchor=Anchor.MIDDLE, angle=angle)]


def unit_vector(degrees: float) -> tuple[float, float]:
    """Return the unit vector of an angle in degrees."""
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


# --- Counters to cut out ----------------------------------------------------------------------------------------------

# Length of cut lines beyond a strip, in mm.
TICK: Final = 4.0

_CUT: Final = 0.12


class Counter(Struct, frozen=True, kw_only=True):
    """One counter: its face, and the width and depth of its base in mm."""

    face: ElementFace
    width: float
    depth: float


def counter_face(counter: Counter, style: Style) -> Drawing:
    """Return one counter as a drawing of the size of its base."""
    wide, deep = counter.width, counter.depth
    return drawing_of(wide, deep, element_face(counter.face, wide / 2, deep / 2, wide, deep, style))


def strips(counters: Sequence[Counter], width: float, height: float, style: Style) -> tuple[Drawing, ...]:
    """Return counters as blocks of at most ``width`` by ``height`` mm, each of one base size, deep ones first.

    Adjacent counters share the line between them. Counters keep their order within a size.
    """
    sizes = sorted({(each.depth, each.width) for each in counters}, reverse=True)
    found: list[Drawing] = []
    for depth, wide in sizes:
        alike = [each for each in counters if (each.depth, each.width) == (depth, wide)]
        columns = max(1, int((width - 2 * TICK) // wide))
        rows = max(1, int((height - 2 * TICK) // depth))
        starts = range(0, len(alike), columns * rows)
        found += [_block(alike[start : start + columns * rows], columns, style) for start in starts]
    return tuple(found)


def camp_tile(said: str, side: str, size: float, style: Style) -> Drawing:
    """Return a camp to cut out, ``size`` mm square, with space for its garrison in front of the tents."""
    middle, whole = TICK + size / 2, size + 2 * TICK
    items = camp_face(said, side, middle, middle, size, style)
    ink, width = style.solid("ink"), _CUT * style.line_factor
    for at in (TICK, TICK + size):
        # The border of the camp is the cut line, so only its extensions are drawn.
        for start, end in ((0.0, TICK), (TICK + size, whole)):
            items += [make_line([(at, start), (at, end)], ink, width), make_line([(start, at), (end, at)], ink, width)]
    return drawing_of(whole, whole, items)


def _block(counters: Sequence[Counter], columns: int, style: Style) -> Drawing:
    """Return counters of one size in rows, from the upper left."""
    wide, deep = counters[0].width, counters[0].depth
    across = min(columns, len(counters))
    rows = -(-len(counters) // columns)
    height = rows * deep + 2 * TICK
    items: list[Item] = []
    for number, each in enumerate(counters):
        row, column = divmod(number, columns)
        x, y = TICK + (column + 0.5) * wide, height - TICK - (row + 0.5) * deep
        items += element_face(each.face, x, y, wide, deep, style)
    items += _cuts(across, rows, wide, deep, len(counters) - (rows - 1) * columns, style)
    return drawing_of(across * wide + 2 * TICK, height, items)


def _cuts(columns: int, rows: int, wide: float, deep: float, last: int, style: Style) -> Iterator[Item]:
    """Yield the cut lines; the last row has ``last`` counters."""
    ink, line = style.solid("ink"), _CUT * style.line_factor
    top = 2 * TICK + rows * deep
    for column in range(columns + 1):
        reach = rows if column <= last else rows - 1
        foot = top - TICK - reach * deep
        yield make_line([(TICK + column * wide, top), (TICK + column * wide, foot - TICK)], ink, line)
    for row in range(rows + 1):
        many = columns if row < rows else last
        y = top - TICK - row * deep
        yield make_line([(0.0, y), (2 * TICK + many * wide, y)], ink, line)
