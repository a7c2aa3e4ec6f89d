"""The form for sketching a table of zones: fields, a blank map to scale, boxes for dice, a legend."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from printkit.content.prose import Heading
from printkit.core.errors import PageError
from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_INCH
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Rect, Stroke
from printkit.drawing.canvas.layers import PlacedDrawing, drawing_of, joined
from printkit.drawing.canvas.plain import WHITE, make_line
from printkit.drawing.lettering.lettering import TypeStyle, line, measure, shrink_to_fit
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.form_parts import FormField, fields_height, set_fields
from printkit.drawing.text.text_styles import text_style
from printkit.drawing.text.typesetting import lay_out_blocks, stack_blocks
from printkit.page.leaflets import ratio
from printkit.recipes.output.handout import LengthFormatter
from printkit.systems.acw.terms.plan import ZonePlan

_TITLE_PT: Final = 12.0
_AFTER_FIELDS: Final = 2.0
# A scale as long as any, for the height of the title before the scale is known.
_ANY_SCALE: Final = 1 / 11.11
_STROKE: Final = 0.3
# Space for rulers and edge names in mm: left of the map; above and below it.
_RULER: Final = (7.0, 9.5)

_RIGHT: Final = 3.0

# Distance between the faint lines that help to draw to scale, in inches.
_NET_INCHES: Final = 6

_FAINT: Final = 0.72

# Minimum and maximum side of a box for a die, in mm.
_DICE: Final = (2.4, 6.0)

_BOXES: Final = 4
_SIDE_LABEL_SPACE: Final = 3.0

# A label wider than this share of its box is replaced by the number of the roll.
_LABEL_SHARE: Final = 0.85

_NUMBER: Final = (9.0, 15.0)
# Width of an entry of the legend, in mm.
KEY_COLUMN: Final = 44.0
_KEY_GAP: Final = 4.0
_HEAD: Final = 7.5
_LEAST_MAP: Final = 40.0


class ZoneSketch(Struct, frozen=True, kw_only=True):
    """A form: its fields, the zones of its board, and the entries of its legend, each 44 mm wide."""

    fields: tuple[FormField, ...]
    grid: ZonePlan
    signs: tuple[Drawing, ...]


class Plan(Struct, frozen=True, kw_only=True):
    """The layout of a sheet: scale (printed mm per mm of the board), map, legend and its columns."""

    scale: float
    map: Rect
    key: Rect
    columns: int


def choose_plan(sketch: ZoneSketch, width: float, height: float, drafter: Drafter) -> Plan:
    """Return the layout with the largest map; the legend is to the right of it or below.

    ``width`` and ``height`` are the size of the form in mm on paper.

    Raises:
        PageError: the paper is too small.
    """
    title = _draw_title(sketch, _ANY_SCALE, width, drafter).height
    top = height - title - fields_height(sketch.fields, width - 2 * _STROKE, drafter) - _AFTER_FIELDS
    plans = []
    for columns in range(1, max(len(sketch.signs), 1) + 1):
        key_height = _HEAD + max(map(_column_height, _split_signs(sketch.signs, columns)), default=0.0)
        key_width = columns * KEY_COLUMN
        if key_height <= top and key_width < width:
            map_area = Rect(0.0, 0.0, width - key_width - _KEY_GAP, top)
            key_area = Rect(width - key_width, 0.0, key_width, top)
            plans.append(_fit_plan(sketch, map_area, key_area, columns))
        if key_width <= width < key_width + KEY_COLUMN and key_height < top:
            map_area = Rect(0.0, key_height + _KEY_GAP, width, top - key_height - _KEY_GAP)
            plans.append(_fit_plan(sketch, map_area, Rect(0.0, 0.0, width, key_height), columns))
    best = max(plans, key=lambda plan: plan.scale, default=None)
    # The map must be large enough, and each zone needs boxes large enough to write in.
    if (
        best is None
        or min(best.map.width, best.map.height) < _LEAST_MAP / 4
        or best.map.width < _LEAST_MAP / 2
        or not all(_place_boxes(zone, cell, drafter) for zone, cell in _zone_rects(sketch, best))
    ):
        raise PageError("the sketch form has no room for its map on this paper; use a larger --sheet")
    return best


def _fit_plan(sketch: ZoneSketch, area: Rect, key: Rect, columns: int) -> Plan:
    """Return the layout with the map as large as fits into ``area`` with its rulers, up to actual size.

    ``area`` and ``key`` (for the legend) are rectangles in mm on the sheet. Without room the scale is 0.
    """
    width, depth = sketch.grid.size
    left, below = _RULER
    free_width, free_height = area.width - left - _RIGHT, area.height - 2 * below
    scale = min(free_width / width, free_height / depth, 1.0)
    if scale <= 0:
        return Plan(scale=0.0, map=Rect(0.0, 0.0, 0.0, 0.0), key=key, columns=columns)
    spare = free_width - width * scale
    foot = area.y + below + (free_height - depth * scale) / 2
    map_area = Rect(area.x + left + spare / 2, foot, width * scale, depth * scale)
    return Plan(scale=scale, map=map_area, key=key, columns=columns)


def sketch_form(sketch: ZoneSketch, width: float, height: float, drafter: Drafter) -> Drawing:
    """Return the form as a drawing of ``width`` by ``height`` mm on paper: title, fields, map and legend.

    Raises:
        PageError: the paper is too small.
    """
    plan = choose_plan(sketch, width, height, drafter)
    title = _draw_title(sketch, plan.scale, width, drafter)
    # The strokes of boxes extend slightly past their rectangles.
    fields = Rect(_STROKE, 0.0, width - 2 * _STROKE, height - title.height)
    items: list[Item] = [*set_fields(sketch.fields, fields, drafter), *_draw_map(sketch, plan, drafter)]
    legend_head = plan.key._replace(y=plan.key.top - _HEAD, height=_HEAD)
    items += drafter.prose((Heading(drafter.words("acw.form.key")),), legend_head)
    signs = _place_signs(sketch.signs, plan)
    parts = [
        PlacedDrawing(title, 0.0, height - title.height),
        PlacedDrawing(drawing_of(width, height, items), 0.0, 0.0),
    ]
    return joined(width, height, [*parts, *signs])


def _draw_title(sketch: ZoneSketch, scale: float, width: float, drafter: Drafter) -> Drawing:
    """Return the title of the form with its subtitle, ``width`` mm wide on paper.

    ``scale`` is in printed mm per mm of the board.
    """
    words = drafter.words
    size = LengthFormatter(words).format_size_inline(*sketch.grid.size)
    zones = words("acw.form.zones", count=len(sketch.grid.zones))
    subtitle = words("acw.form.aside", size=size, zones=zones, scale=ratio(scale))
    heading = Heading(words("acw.form.title"), remark=subtitle)
    return stack_blocks(lay_out_blocks((heading,), width, text_style(drafter.style, _TITLE_PT)), width)


def _draw_map(sketch: ZoneSketch, plan: Plan, drafter: Drafter) -> Iterator[Item]:
    """Yield the blank map: faint net, zones with their boxes, rulers and the names of two edges.

    Items are in printed mm.
    """
    area, scale = plan.map, plan.scale
    # The faint net starts at the near left corner.
    pale, step = drafter.style.solid("ink").mix(WHITE, _FAINT), _NET_INCHES * MM_PER_INCH * scale
    net = ([number * step for number in range(1, math.ceil(side / step))] for side in (area.width, area.height))
    yield from (make_line(line, pale, 0.08) for line in _grid_lines(area, *net))
    for zone, cell in _zone_rects(sketch, plan):
        yield from _draw_zone(zone, cell, drafter)
    grid = sketch.grid
    sides = (
        [number * size * scale for number in range(1, count)]
        for count, size in ((grid.columns, grid.width), (grid.rows, grid.depth))
    )
    yield from (drafter.rule(line, 0.35) for line in _grid_lines(area, *sides))
    yield drafter.box(area, 0.7)
    yield from _draw_ruler(area, scale, drafter)
    style = drafter.type_style(Font.BANNER, 9.0, track=0.1)
    middle = area.x + area.width / 2
    for name, foot in (("far", area.top + 4.6), ("near", area.y - 8.4)):
        edge_name = drafter.words(f"acw.form.{name}")
        yield from drafter.text(edge_name, (middle, foot), style, max_width_mm=area.width, anchor=Anchor.MIDDLE)


def _grid_lines(area: Rect, xs: Sequence[float], ys: Sequence[float]) -> Iterator[list[tuple[float, float]]]:
    """Yield vertical lines at ``xs``, then horizontal lines at ``ys``, as two points in mm on paper.

    ``xs`` and ``ys`` are distances in mm from the near left corner of ``area``, which is in mm on the sheet.
    """
    yield from ([(area.x + x, area.y), (area.x + x, area.top)] for x in xs)
    yield from ([(area.x, area.y + y), (area.right, area.y + y)] for y in ys)


def _draw_ruler(area: Rect, scale: float, drafter: Drafter) -> Iterator[Item]:
    """Yield ruler ticks below and to the left, with inches where there is room.

    ``area`` is the map in mm on the sheet; ``scale`` is in printed mm per mm of the board.
    """
    style = drafter.type_style(Font.FIGURES, 6.5, "ink-secondary")
    inch = MM_PER_INCH * scale
    step = next((step for step in (1, 2, 3, 6, 12, 24) if step * inch >= 1.2), 24)
    figures = next((step for step in (6, 12, 24, 48) if step * inch >= 7.0), 48)
    for length, is_vertical in ((area.width, False), (area.height, True)):
        for count in range(0, int(length / inch + 1e-6) + 1, step):
            offset, is_long = count * inch, count % figures == 0
            tick_length = 1.8 if is_long else 1.0
            foot = (area.x, area.y + offset) if is_vertical else (area.x + offset, area.y)
            tip = (area.x - tick_length, area.y + offset) if is_vertical else (area.x + offset, area.y - tick_length)
            yield drafter.rule([tip, foot], 0.2)
            if is_long and is_vertical:
                at_left = (area.x - 2.3, area.y + offset - 0.36 * style.height)
                yield from drafter.text(str(count), at_left, style, max_width_mm=6.0, anchor=Anchor.END)
            elif is_long:
                below = (area.x + offset, area.y - 2.3 - 0.72 * style.height)
                yield from drafter.text(str(count), below, style, max_width_mm=8.0, anchor=Anchor.MIDDLE)


def _zone_rects(sketch: ZoneSketch, plan: Plan) -> Iterator[tuple[int, Rect]]:
    """Yield each zone with its rectangle on the sheet, in mm on paper."""
    for zone in sketch.grid.zones:
        left, near, width, depth = (side * plan.scale for side in sketch.grid.box(zone))
        yield zone, Rect(plan.map.x + left, plan.map.y + near, width, depth)


def _place_number(zone: int, cell: Rect, drafter: Drafter) -> tuple[TypeStyle, Rect]:
    """Return the type style of a zone's number, and its rectangle in the upper left corner.

    ``cell`` is the zone on the sheet. Both rectangles are in mm on paper.
    """
    size = min(max(0.55 * cell.width, _NUMBER[0]), _NUMBER[1])
    inset = min(1.2, 0.08 * cell.width, 0.08 * cell.height)
    style = shrink_to_fit(str(zone), drafter.type_style(Font.HEAVY, size), max(cell.width - 2 * inset, 1.0))
    style = style.resize(min(1.0, max(cell.height - 2 * inset, 1.0) / (0.72 * style.height)))
    high = 0.72 * style.height
    return style, Rect(cell.x + inset, cell.top - inset - high, measure(str(zone), style), high)


def _place_boxes(zone: int, cell: Rect, drafter: Drafter) -> tuple[Rect, ...]:
    """Return the boxes for a zone's dice in mm on paper, or an empty tuple if the zone is too small.

    They are in a row next to its number or below it, with room for a label below each box, or else in a column.
    ``cell`` is the zone on the sheet, in mm.
    """
    _, number = _place_number(zone, cell, drafter)
    inset = number.x - cell.x
    top, most = number.y - inset, min(_DICE[1], 0.3 * cell.height)
    beside_mm, below_mm = (cell.right - number.right - 3 * inset) / _BOXES, (cell.width - 2 * inset) / _BOXES
    rows = (
        (min(beside_mm, most), cell.right - inset - _BOXES * min(beside_mm, most), cell.top - inset),
        (min(below_mm, most), cell.x + inset, top),
    )
    for side, left, high in rows:
        if side >= _DICE[0]:
            return tuple(Rect(left + index * side, high - side, side, side) for index in range(_BOXES))
    side = min(_DICE[1], cell.width - 2 * inset, (top - inset - cell.y) / _BOXES)
    if side < _DICE[0]:
        return ()
    return tuple(Rect(cell.x + inset, top - (index + 1) * side, side, side) for index in range(_BOXES))


def _draw_zone(zone: int, cell: Rect, drafter: Drafter) -> Iterator[Item]:
    """Yield the number of a zone in its upper left corner, and the four boxes for its dice.

    ``cell`` is the zone on the sheet, in mm.
    """
    style, number = _place_number(zone, cell, drafter)
    yield from line(str(zone), (number.x, number.y), style)
    label = drafter.type_style(Font.FIGURES, 6.5, "ink-secondary").with_halo(Stroke(WHITE, 1.0))
    boxes = _place_boxes(zone, cell, drafter)
    rolls = (drafter.words.each()[0](f"acw.form.roll.{number}") for number in range(1, _BOXES + 1))
    in_row = len({box.y for box in boxes}) == 1
    for place, (box, roll) in enumerate(zip(boxes, rolls, strict=False), 1):
        yield drafter.box(box, 0.25, fill=WHITE)
        if in_row:
            label_text = roll if measure(roll, label) <= _LABEL_SHARE * box.width else str(place)
            text_position = (box.x + box.width / 2, box.y - 0.7 - 0.72 * label.height)
            yield from drafter.text(label_text, text_position, label, max_width_mm=box.width, anchor=Anchor.MIDDLE)
        elif cell.right - box.right > _SIDE_LABEL_SPACE:
            side_position = (box.right + 0.6, box.y + (box.height - 0.72 * label.height) / 2)
            yield from drafter.text(roll, side_position, label, max_width_mm=cell.right - box.right - 1.0)


def _split_signs(signs: Sequence[Drawing], columns: int) -> Iterator[Sequence[Drawing]]:
    """Yield the entries of each column of the legend, all with equal numbers of entries but the last."""
    rows = max(1, math.ceil(len(signs) / columns))
    yield from (signs[first : first + rows] for first in range(0, len(signs), rows))


def _column_height(signs: Sequence[Drawing]) -> float:
    """Return the height of a column of the legend in mm on paper."""
    return plain_sum(sign.height for sign in signs)


def _place_signs(signs: Sequence[Drawing], plan: Plan) -> Iterator[PlacedDrawing]:
    """Yield the entries of the legend in columns below its heading, placed in mm on the sheet."""
    pitch = plan.key.width / plan.columns
    for column, entries in enumerate(_split_signs(signs, plan.columns)):
        top = plan.key.top - _HEAD
        for entry in entries:
            top -= entry.height
            yield PlacedDrawing(entry, plan.key.x + column * pitch, top)
