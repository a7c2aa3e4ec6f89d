"""The printer test sheet: long lines to measure, ladders at the edges, and a target for a pin through to the back.

The front has the instructions, boxes for the readings, and the command that saves them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from printkit.content.prose import Block, Steps
from printkit.core.errors import PageError
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Font, Item, Rect, Stroke
from printkit.drawing.canvas.layers import drawing_items, marks_drawing
from printkit.drawing.canvas.plain import BLACK, GREY, make_disc, make_frame, make_line, make_lines, make_polygon
from printkit.drawing.lettering.lettering import LEAST_BOOK, SMALL, TypeStyle, line, shorten, shrink_to_fit
from printkit.drawing.text.text_styles import TextStyle, black_text_style
from printkit.drawing.text.typesetting import lay_out_blocks, lay_out_to_fit, stack_blocks
from printkit.page.marks import Imprint
from printkit.page.sheet import Flip, Page, Placement, Sheet

# --- Ladders at the four edges of a test sheet ------------------------------------------------------------------------

# Rungs of a ladder, 1 mm apart.
RUNGS: Final = 16

# Depth of a ladder with its numbers, from the edge of the sheet, in mm.
DEPTH: Final = 21.0

# Width of a ladder along the edge, in mm.
WIDTH: Final = RUNGS * 4.2

_RUNG: Final = 3.2
_FOOT: Final = 16.8
_RUNG_NUMBER: Final = 17.6
_LINE: Final = 0.2
_RUNG_RISE: Final = 1.65  # The height of a digit in mm.


class _Edge(NamedTuple):
    """An edge of the sheet: the start of its ladder in mm on paper, and unit vectors along the ladder and inwards."""

    start: tuple[float, float]
    direction: tuple[int, int]
    inwards: tuple[int, int]

    def at(self, distance: float, depth: float) -> tuple[float, float]:
        """Return the point (x, y) in mm on paper, ``distance`` along the ladder and ``depth`` from the edge."""
        return (
            self.start[0] + distance * self.direction[0] + depth * self.inwards[0],
            self.start[1] + distance * self.direction[1] + depth * self.inwards[1],
        )


def draw_ladders(sheet: Sheet) -> list[Item]:
    """Return a ladder of short lines in the middle of each edge of the sheet, to read its real margins.

    Rung 7 is 7 mm on paper from the edge, with its number at the inner end.
    """
    left, low = (sheet.width - WIDTH) / 2, (sheet.height - WIDTH) / 2
    edges = (
        _Edge((left, 0.0), (1, 0), (0, 1)),
        _Edge((left, sheet.height), (1, 0), (0, -1)),
        _Edge((0.0, low), (0, 1), (1, 0)),
        _Edge((sheet.width, low), (0, 1), (-1, 0)),
    )
    return [item for edge in edges for item in _draw_ladder(edge)]


def _draw_ladder(edge: _Edge) -> list[Item]:
    """Return the ladder of short lines at one edge, with its distance in mm on paper at each rung.

    There are ``RUNGS`` rungs, one for each mm from 1.
    """
    rungs, feet = [], []
    numbers: list[Item] = []
    for number in range(1, RUNGS + 1):
        middle = (number - 0.5) * WIDTH / RUNGS
        rungs.append((*edge.at(middle - _RUNG / 2, number), *edge.at(middle + _RUNG / 2, number)))
        if number < _FOOT:
            feet.append((*edge.at(middle, number), *edge.at(middle, _FOOT)))
        numbers += _draw_number(str(number), *edge.at(middle, _RUNG_NUMBER), edge)
    return [make_lines(feet, GREY, _LINE / 2), make_lines(rungs, BLACK, _LINE), *numbers]


def _draw_number(text: str, x: float, y: float, edge: _Edge) -> list[Item]:
    """Return a horizontal number on the inner side of the point (x, y) in mm on paper.

    ``edge`` decides the side and the anchor.
    """
    match edge.inwards:
        case (0, 1):
            return [*line(text, (x, y), SMALL, anchor=Anchor.MIDDLE)]
        case (0, -1):
            return [*line(text, (x, y - _RUNG_RISE), SMALL, anchor=Anchor.MIDDLE)]
        case (1, 0):
            return [*line(text, (x, y - _RUNG_RISE / 2), SMALL)]
        case _:
            return [*line(text, (x, y - _RUNG_RISE / 2), SMALL, anchor=Anchor.END)]


# --- The offset between the front and the back of a sheet, measured with a pin ----------------------------------------

# Distance from the centre of the grid to its sides, in mm.
REACH: Final = 5

# Height of the grid and its numbers above the centre, in mm.
ROOM: Final = 27.0

_RING: Final = (1.6, 5.0)
_CROSS: Final = 9.0
_TARGET_HAIR: Final = 0.12
_FINE: Final = 0.06
_BOLD: Final = 0.3
_STEPS: Final = 2  # Lines per mm.
_TARGET_NUMBER: Final = SMALL.resize(1.25)
_TARGET_RISE: Final = 2.05
_NECK: Final = 1.5
# The numbers on the right are farther out than those above, so that the two fans do not meet.
_SPREAD_ABOVE: Final = 4.0
_FAN_ABOVE: Final = 11.0
_SPREAD_BESIDE: Final = 3.2
_FAN_BESIDE: Final = 19.0
_HEAD: Final = 6.0
_CIRCLE_SIDES: Final = 72


def draw_target(x: float, y: float) -> list[Item]:
    """Return a cross in two rings at the point (x, y) in mm on paper.

    The pin goes through the centre of the cross.
    """
    items: list[Item] = [
        make_lines([(x - _CROSS, y, x + _CROSS, y), (x, y - _CROSS, x, y + _CROSS)], BLACK, _TARGET_HAIR)
    ]
    stroke = Stroke(BLACK, _TARGET_HAIR)
    return items + [make_disc((x, y), radius, None, stroke, sides=_CIRCLE_SIDES) for radius in _RING]


def draw_grid(x: float, y: float, words: Words) -> list[Item]:
    """Return the grid on the back, around (x, y) in mm on paper, with the number to type at each line.

    A hole to the right of the centre means that the back is too far left, so numbers there are negative.
    """
    fine: list[tuple[float, float, float, float]] = []
    normal: list[tuple[float, float, float, float]] = []
    bold: list[tuple[float, float, float, float]] = []
    for step in range(-REACH * _STEPS, REACH * _STEPS + 1):
        offset = step / _STEPS
        pair = [(x + offset, y - REACH, x + offset, y + REACH), (x - REACH, y + offset, x + REACH, y + offset)]
        (bold if step == 0 else normal if step % _STEPS == 0 else fine).extend(pair)
    items: list[Item] = [
        make_lines(fine, GREY, _FINE),
        make_lines(normal, BLACK, _TARGET_HAIR),
        make_lines(bold, BLACK, _BOLD),
    ]
    for offset in range(-REACH, REACH + 1):
        items += _column_number(x, y, offset)
        items += _row_number(x, y, offset)
    label_y, label_x = y + REACH + _NECK + _FAN_ABOVE + _HEAD, x + REACH + _NECK + _FAN_BESIDE + _HEAD
    items += line(words("calibration.right"), (x, label_y), _TARGET_NUMBER, anchor=Anchor.MIDDLE)
    items += line(words("calibration.up"), (label_x, y - _TARGET_RISE / 2), _TARGET_NUMBER)
    return items


def _column_number(x: float, y: float, offset: int) -> list[Item]:
    """Return the number of a vertical grid line above the grid, with a thin leader to it.

    The line is ``offset`` mm on paper right of the centre (x, y) of the grid; the number is minus ``offset``.
    """
    number_x, neck = x + offset * _SPREAD_ABOVE, y + REACH + _NECK
    points = (x + offset, y + REACH), (x + offset, neck), (number_x, neck + _FAN_ABOVE - 0.8)
    leader = make_line(points, GREY, _TARGET_HAIR)
    return [leader, *line(_format_offset(-offset), (number_x, neck + _FAN_ABOVE), _TARGET_NUMBER, anchor=Anchor.MIDDLE)]


def _row_number(x: float, y: float, offset: int) -> list[Item]:
    """Return the number of a horizontal grid line at the right, with a thin leader to it.

    The line is ``offset`` mm on paper above the centre (x, y) of the grid; the number is minus ``offset``.
    """
    number_y, neck = y + offset * _SPREAD_BESIDE, x + REACH + _NECK
    points = (x + REACH, y + offset), (neck, y + offset), (neck + _FAN_BESIDE - 0.8, number_y)
    leader = make_line(points, GREY, _TARGET_HAIR)
    return [leader, *line(_format_offset(-offset), (neck + _FAN_BESIDE, number_y - _TARGET_RISE / 2), _TARGET_NUMBER)]


def _format_offset(number: int) -> str:
    """Return a number as text, with a minus sign (not a hyphen) if negative."""
    return f"−{-number}" if number < 0 else str(number)


# Smallest distance of the long lines from the edge, in mm; every known printer can print there.
_CLEAR: Final = 13.0

_BAR: Final = 30.0
_TEXT: Final = 38.0
_TITLE: Final = TypeStyle(font=Font.ROMAN, size_pt=20.0, ink=BLACK)
_CODE: Final = TypeStyle(font=Font.FIGURES_MEDIUM, size_pt=8.5, ink=BLACK)
_LETTER: Final = TypeStyle(font=Font.HEAVY, size_pt=9.0, ink=BLACK)
_LARGEST: Final = 12.0
_LEADING: Final = 1.2
# Factor for the gaps between steps.
_GAP_FACTOR: Final = 2.6
# Leading and that factor on small paper.
_TIGHTEST: Final = (1.12, 0.3)
_APART: Final = 1.4
_PIN: Final = 12.0
_BOX: Final = 10.0
_BOXES: Final = ("ABGH", "CDEF")
_LOWER_STEPS: Final = ("calibration.pin", "calibration.type")
_HAIR: Final = 0.15
_CAP: Final = 5.0
_ARROW: Final = 2.4


class TestLines(NamedTuple):
    """The lengths of the two lines of a test sheet in mm, if printed at actual size."""

    horizontal: float
    vertical: float


class TestSheet(Struct, frozen=True, kw_only=True):
    """A test sheet: the paper in portrait, the edge to flip on, and the command that saves the readings."""

    sheet: Sheet
    flip: Flip
    command: Sequence[str]


def portrait_sheet(sheet: Sheet) -> Sheet:
    """Return the sheet in portrait, for calibration, if it can be used.

    Raises:
        PageError: the sheet has no fixed size or is too small for the ladders.
    """
    if math.isinf(sheet.width + sheet.height):
        raise PageError(
            "{sheet} has no fixed size, so it cannot have a test sheet. Choose another paper.",
            sheet=sheet.name,
        )
    portrait = sheet.portrait
    if portrait.width < WIDTH + 2 * DEPTH:
        raise PageError(
            "{sheet} is too small for a test sheet; both sides must be at least {least:.0f} mm",
            sheet=sheet.name,
            least=WIDTH + 2 * DEPTH,
        )
    return portrait


def test_lines(sheet: Sheet) -> TestLines:
    """Return the lengths in mm on paper of the lines on a portrait sheet, the longest in whole cm."""
    horizontal, vertical = ((side - 2 * _CLEAR) // 10 * 10 for side in (sheet.width, sheet.height))
    return TestLines(horizontal, vertical)


def calibration_pages(test: TestSheet, words: Words) -> tuple[Page, Page]:
    """Return the front and the back of the test sheet, in this order.

    Raises:
        PageError: the text does not fit the sheet.
    """
    title = words("calibration.title")
    pages = []
    for number, (items, bookmark) in enumerate(((_front_side(test, words), title), (_back_side(test, words), "")), 1):
        sheet = test.sheet
        placement = Placement(marks_drawing(sheet.width, sheet.height, items))
        pages.append(sheet.page(placement, label=str(number), bookmark=bookmark, back=number == 2))
    return pages[0], pages[1]


def _front_side(test: TestSheet, words: Words) -> list[Item]:
    """Return the front of the test sheet: ladders, lines to measure, the steps and boxes for the answers.

    Items are in mm on paper.
    """
    sheet = test.sheet
    text_area = Rect(_TEXT, DEPTH + 9.0, sheet.width - _TEXT - DEPTH - 2.0, sheet.height - 2 * DEPTH - 36.0)
    middle = sheet.height / 2
    upper = Rect(text_area.x, middle + _PIN, text_area.width, text_area.top - middle - _PIN)
    lower = Rect(text_area.x, text_area.y, text_area.width, middle - _PIN - text_area.y)
    steps = [f"calibration.print-{test.flip}", "calibration.lines", "calibration.margins", *_LOWER_STEPS]
    first, pin, last = _steps(steps[:3], words), _steps(steps[3:4], words, start=4), _steps(steps[4:], words, start=5)
    # The boxes and the command, with the space around them.
    answers_height = len(_BOXES) * (_BOX + 5.2) + 6.0 + len(test.command) * _CODE.height * 1.3
    style = _fitting_style(
        words,
        (first, upper.width, upper.height),
        ([*pin, *last], lower.width, lower.height - answers_height),
    )
    items = [
        *draw_ladders(sheet),
        *_long_lines(sheet),
        *draw_target(sheet.width / 2, middle),
        *_heading(sheet, "title", words),
    ]
    items += _set_text(first, upper.x, upper.top, upper.width, style).items
    pin_text = _set_text(pin, lower.x, lower.top, lower.width, style)
    boxes, below = _answer_boxes(lower, pin_text.bottom, words)
    command_text = _set_text(last, lower.x, below, lower.width, style)
    items += [*pin_text.items, *boxes, *command_text.items]
    y = command_text.bottom - 1.0
    for row in test.command:
        y -= _CODE.height * 1.3
        items += line(row, (lower.x, y), shrink_to_fit(row, _CODE, lower.width))
    return items + _foot(sheet, words, test)


def _back_side(test: TestSheet, words: Words) -> list[Item]:
    """Return the back of the test sheet: the grid around its centre and the steps.

    Items are in mm on paper.
    """
    sheet = test.sheet
    x, y = sheet.width / 2, sheet.height / 2
    side = DEPTH + 9.0
    top = sheet.height - DEPTH - 22.0
    steps = _steps([f"calibration.{key}" for key in ("back-hole", "back-read", "back-between", "back-none")], words)
    width = sheet.width - 2 * side
    style = _fitting_style(words, (steps, width, top - y - ROOM))
    items = [*draw_grid(x, y, words), *_heading(sheet, "back-title", words, x=side)]
    items += _set_text(steps, side, top, width, style).items
    return items + _foot(sheet, words, test, x=side)


def _heading(sheet: Sheet, key: str, words: Words, *, x: float = _TEXT) -> list[Item]:
    """Return the title ``x`` mm from the left edge of the paper, at a type size that fits the sheet.

    ``key`` is the end of its word key, after ``calibration.``.
    """
    title = words(f"calibration.{key}")
    available_mm = sheet.width - x - DEPTH
    style = _TITLE
    for share in (0.9, 0.8, 0.7, 0.6, 0.5):
        if shorten(title, style, available_mm) == title:
            break
        style = _TITLE.resize(share)
    return [*line(title, (x, sheet.height - DEPTH - 10.0), style)]


def _foot(sheet: Sheet, words: Words, test: TestSheet, *, x: float = _TEXT) -> list[Item]:
    """Return the line of text at the foot, ``x`` mm from the left edge of the paper.

    It names the sheet and states that no profile was applied.
    """
    language = words.each()[0]
    text = Imprint(title=language("calibration.title")).format_line(
        language, sheet.name, language(f"imposition.turn-{test.flip}")
    )
    return [*line(text, (x, DEPTH + 3.5), SMALL)]


def _long_lines(sheet: Sheet) -> list[Item]:
    """Return the horizontal line A and the vertical line B to measure, with their lengths in mm and inches.

    They cross at the upper left; items are in mm on paper.
    """
    lengths = test_lines(sheet)
    y, start = sheet.height - DEPTH - 19.0, (sheet.width - lengths.horizontal) / 2
    low = (sheet.height - lengths.vertical) / 2
    labels = [f"{mm:g} mm = {mm / MM_PER_INCH:.2f} in" for mm in lengths]
    items = _draw_measured_line(start, y, lengths.horizontal, horizontal=True) + _draw_measured_line(
        _BAR, low, lengths.vertical, horizontal=False
    )
    items += line(f"A: {labels[0]}", (sheet.width - start - 6.0, y + 3.2), SMALL, anchor=Anchor.END)
    items += line(f"B: {labels[1]}", (_BAR - 3.2, low + 8.0), SMALL, angle=90)
    return items


def _draw_measured_line(x: float, y: float, length: float, *, horizontal: bool) -> list[Item]:
    """Return a line to measure from the point (x, y), ``length`` mm long, horizontal or vertical.

    All lengths are in mm on paper. The line has end bars and arrows, centimetre ticks on one side and inch ticks on
    the other.
    """

    def point(distance: float, offset: float) -> tuple[float, float]:
        """Return the point (x, y) in mm on paper, ``distance`` along the line and ``offset`` beside it."""
        return (x + distance, y + offset) if horizontal else (x - offset, y + distance)

    strokes = [(*point(0.0, 0.0), *point(length, 0.0))]
    strokes += [(*point(end, -_CAP), *point(end, _CAP)) for end in (0.0, length)]
    strokes += [(*point(10.0 * cm, 0.0), *point(10.0 * cm, -1.8)) for cm in range(1, round(length / 10))]
    inches = range(1, math.floor(length / MM_PER_INCH) + 1)
    strokes += [(*point(MM_PER_INCH * inch, 0.0), *point(MM_PER_INCH * inch, 1.8)) for inch in inches]
    arrowheads = [
        make_polygon([point(end, 0.0), point(end + reach, 0.7), point(end + reach, -0.7)], BLACK)
        for end, reach in ((0.0, _ARROW), (length, -_ARROW))
    ]
    return [make_lines(strokes, BLACK, _HAIR), *arrowheads]


class _TextBlock(NamedTuple):
    """Typeset paragraphs, and the y below them in mm."""

    items: list[Item]
    bottom: float


def _steps(keys: Sequence[str], words: Words, *, start: int = 1) -> list[Block]:
    """Return the texts of these keys as steps numbered from ``start``, one language after the other."""
    return [Steps(tuple(map(language, keys)), first=start) for language in words.each()]


def _fitting_style(words: Words, *texts: tuple[Sequence[Block], float, float]) -> TextStyle:
    """Return the text style with the largest type in which all texts fit.

    Each text is its blocks, and the width and height of its area in mm on paper.

    Raises:
        PageError: a text does not fit in the smallest type.
    """
    sizes = [LEAST_BOOK + step / 2 for step in range(round(2 * (_LARGEST - LEAST_BOOK)), -1, -1)]
    spacings = [(size, _LEADING, _GAP_FACTOR) for size in sizes] + [(LEAST_BOOK, *_TIGHTEST)]
    for size, *spacing in spacings:
        style = black_text_style(size, words.languages[0]).with_spacing(*spacing)
        if all(not lay_out_to_fit(blocks, width, height, [style]).excess_mm for blocks, width, height in texts):
            return style
    raise PageError("the paper is too small for the text of the test sheet; use larger paper, or one --lang")


def _set_text(blocks: Sequence[Block], x: float, top: float, width: float, style: TextStyle) -> _TextBlock:
    """Return blocks as type in a column, and the y below them.

    ``x`` is the left edge of the column, ``top`` its top and ``width`` its width, in mm on paper.
    """
    drawing = stack_blocks(lay_out_blocks(blocks, width, style), width)
    return _TextBlock(drawing_items(drawing, x, top - drawing.height), top - drawing.height - _APART)


def _answer_boxes(area: Rect, top: float, words: Words) -> _TextBlock:
    """Return two rows of boxes to write in, each with its letter from the command, and the y below them.

    ``area`` and ``top``, the y of the upper edge of the boxes, are in mm on paper.
    """
    items: list[Item] = []
    y = top - 1.0
    for row in _BOXES:
        wide = (area.width - 3 * 3.0) / len(row)
        for number, letter in enumerate(row):
            x = area.x + number * (wide + 3.0)
            items.append(make_frame(Rect(x, y - 4.2 - _BOX, wide, _BOX), GREY, 0.25))
            items += line(letter, (x, y - 3.0), _LETTER)
            label = shorten(words(f"calibration.box-{letter.lower()}"), SMALL, wide - 4.0)
            items += line(label, (x + 4.0, y - 3.0), SMALL)
            if letter not in "AB":
                items += line("mm", (x + wide - 1.2, y - 4.2 - _BOX + 1.2), SMALL, anchor=Anchor.END)
        y -= _BOX + 5.2
    return _TextBlock(items, y - 2.0)
