"""Marks outside the window of a sheet: crop marks, names, check bars, and a plan with the position of the sheet.

Two bands, left of the window and below it, contain all text; they are cut off later. The usual band is at least 9 mm
wide and has three rows: two for the check bars, the outermost for type. A narrow band is used if it saves a row or
column of sheets. The narrow left band has the bars end to end with type next to them. The narrow lower band has two
thin bars with type to their right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache, partial
from typing import Final

from msgspec import Struct

from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Rect
from printkit.drawing.canvas.layers import marks_drawing
from printkit.drawing.canvas.plain import (
    BLACK,
    GREY,
    PALE,
    TOLERANCE,
    WHITE,
    make_frame,
    make_lines,
    make_rectangle,
    make_rectangles,
)
from printkit.drawing.lettering.lettering import SMALL, TypeStyle, line, measure, shorten
from printkit.page.lattice import BAND, Lattice
from printkit.page.sheet import Tile

_HAIR: Final = 0.15
_CLEAR: Final = 1.0
_CROP: Final = 4.0
_BAR: Final = 1.6
_LONG_BAR: Final = 100.0
# The long and the short side of a bank card in mm (ISO/IEC 7810, ID-1).
CARD_LONG: Final = 85.60
CARD_SHORT: Final = 53.98
# The line of a card mark in mm: its width, and how far it extends below or left of the bar.
_CARD_LINE: Final = (0.2, 0.45)
# The card before that line, as shares of the thickness of the bar: its gap to the line, and its side across the bar.
_CARD_SIGN: Final = (0.25, 0.72)
# The stripe of that card, as shares of its height: its distance from the lower edge, and its height.
_CARD_STRIPE: Final = (0.56, 0.24)
# Distance in mm from the window to the two bars and to the baseline of the third row.
_ROWS: Final = (1.4, 4.2, 8.2)
# Narrow bands, in mm: distance to the two bars, their thickness, and the baselines of type below and on the left.
_CLOSE_ROWS: Final = (0.7, 2.5)
_THIN: Final = 1.2
_CLOSE_FOOT: Final = 3.7
_CLOSE_TYPE: Final = 2.95

# Narrow lower band, in mm: the space for the name of a neighbour, and the largest width of the plan.
_NAME_ROOM: Final = 9.0
_LITTLE_PLAN: Final = 12.0

# Space in mm below the glue strip for the name of the left neighbour, so that a long title does not meet it.
_BELOW_NAME: Final = 5.0

# Gap in mm between texts in one row of a band, and before the plan.
_BETWEEN: Final = 3.0

_LEAST_PLAN: Final = 10.0
_WIDEST_PLAN: Final = 34.0
# Cached lattices: the zones of a map have equal lattices except for their names.
_AT_ONCE: Final = 8


_DASH: Final = " – "


class Imprint(Struct, frozen=True, kw_only=True):
    """The line of origin on every sheet.

    Attributes:
        title: the name of the pack.
        seed: the seed, or empty.
        profile: the name of the printer profile, or empty.
        who: texts that name the players or sides, longest first; a map sheet shows the first that fits.
    """

    title: str
    seed: str = ""
    profile: str = ""
    who: tuple[str, ...] = ()

    def format_line(self, words: Words, *more: str) -> str:
        """Return the imprint as one line, with ``more`` texts between the seed and the profile."""
        profile = words("marks.profile", name=self.profile) if self.profile else words("marks.no-profile")
        parts = (self.title, words("marks.seed", seed=self.seed) if self.seed else "", *more, profile)
        return _DASH.join(part for part in parts if part)

    def add_players(self, text: str, long: float) -> str:
        """Return a text followed by the longest text of ``who``, if both fit in ``long`` mm on paper.

        The result is empty if none fits.
        """
        rows = (_DASH.join((text, players)) for players in self.who)
        return next((row for row in rows if measure(row, SMALL) <= long), "")

    def longest_players(self, long: float) -> str:
        """Return the longest text of ``who`` that fits in ``long`` mm on paper.

        If none fits, it is the shortest. It is empty if there are no such texts.
        """
        return next(
            (players for players in self.who if measure(players, SMALL) <= long), self.who[-1] if self.who else ""
        )

    def fit_line(self, words: Words, sheet: Callable[[Words], str], long: float, foot: float) -> tuple[str, str]:
        """Return the imprint of a sheet and a second text, at most ``long`` and ``foot`` mm on paper long.

        A text of ``who`` follows the imprint or is the second text. If it fits neither, it follows the imprint in one
        language. The second text may be empty. ``sheet`` returns the text about the sheet in a language.
        """
        usual, first = (self.format_line(language, sheet(language)) for language in (words, words.each()[0]))
        for players in self.who:
            full_line, shorter = (_DASH.join((base, players)) for base in (usual, first))
            if measure(full_line, SMALL) <= long:
                return full_line, ""
            if measure(players, SMALL) <= foot:
                return shorten(usual, SMALL, long), players
            if measure(shorter, SMALL) <= long:
                return shorter, ""
        return shorten(_DASH.join((first, *self.who[-1:])) if self.who else usual, SMALL, long), ""


def common_marks(lattice: Lattice, words: Words) -> Drawing:
    """Return the marks that all sheets of a lattice share: crop marks and check bars, on the page in mm."""
    printable, window = lattice.sheet.printable, lattice.window
    horizontal_bar, x = _horizontal_bar(lattice, words)
    left, below = _narrow_bands(lattice)
    items: list[Item] = [*_draw_crop_marks(printable, window)]
    text, position = _true_size(lattice, words)
    if left:
        items += draw_stacked_bars(window.x, window.y + _CROP, window.top - lattice.overlap - 1.0, words)
    else:
        vertical_bar = check_bar(printable.top - window.y - _CROP, words)
        items += vertical_bar.draw_vertical(window.x, min(window.y + _CROP, printable.top - vertical_bar.total_length))
    items += (
        horizontal_bar.draw_horizontal(x, window.y, _CLOSE_ROWS, _THIN)
        if below
        else horizontal_bar.draw_horizontal(x, window.y)
    )
    items += line(text, position, SMALL)
    return marks_drawing(lattice.sheet.width, lattice.sheet.height, items)


def _true_size(lattice: Lattice, words: Words) -> tuple[str, tuple[float, float]]:
    """Return the line about actual size and its position (x, y) in mm on paper.

    It is below the check bar, or after it in a narrow band.
    """
    bar, x = _horizontal_bar(lattice, words)
    text = words("marks.true-size")
    if not _narrow_bands(lattice)[1]:
        return text, (x, lattice.window.y - _ROWS[2])
    start = x + bar.total_length
    text = shorten(text, SMALL, _right_of_plan(lattice) - _LITTLE_PLAN - 2.0 - start)
    return text, (start, lattice.window.y - _CLOSE_FOOT)


def tile_marks(
    lattice: Lattice, tile: Tile, imprint: Imprint, words: Words, *, sheet_names: Collection[str]
) -> Drawing:
    """Return the marks of one sheet: its name, its neighbours and the plan.

    They are a drawing of the sheet size in mm on paper. ``sheet_names`` has the names of the sheets that are printed.
    """
    window = lattice.window
    numbers = _number_sheets(lattice, tuple(sheet_names))
    neighbours = _neighbours(lattice, tile, numbers)
    long = window.height - _CROP - lattice.overlap - max(lattice.overlap, _BELOW_NAME)
    foot = window.x - _ROWS[2] + 1.5
    if _narrow_bands(lattice)[0]:
        foot, long = window.x - _CLOSE_TYPE, min(long, window.height - _CROP - lattice.overlap - _NAME_ROOM - 2.0)
    bar, x = _horizontal_bar(lattice, words)
    items: list[Item] = [
        *_draw_corner_name(lattice, tile.name),
        *_draw_glue_marks(lattice, neighbours, words),
        *_draw_neighbour_names(lattice, neighbours),
    ]
    text, (start, y) = _true_size(lattice, words)
    start += measure(text, SMALL) + _BETWEEN
    end = lattice.sheet.printable.right
    if lattice.count > 1:
        plan = _build_plan(lattice, tuple(numbers), x + bar.total_length)
        items += [*plan.below, make_rectangles([plan.cells[tile.name]], BLACK), *plan.above]
        end = min(place.x for place in plan.cells.values()) - _BETWEEN
    sheet = partial(_sheet_of, tile.name, numbers)
    origin, who = imprint.fit_line(words, sheet, long, end - start)
    items += line(origin, (foot, window.y + _CROP), SMALL, angle=90)
    items += line(who, (start, y), SMALL)
    return marks_drawing(lattice.sheet.width, lattice.sheet.height, items)


def _sheet_of(name: str, numbers: Mapping[str, int], words: Words) -> str:
    """Return the text about a sheet: its name, its number and the number of sheets.

    ``numbers`` has the number of each printed sheet by its name.
    """
    return words("marks.sheet-of", name=name, number=numbers[name], count=len(numbers))


def _narrow_bands(lattice: Lattice) -> tuple[bool, bool]:
    """Return whether the left band is narrow, and whether the lower band is narrow."""
    left, below = lattice.bands
    return left < BAND - TOLERANCE, below < BAND - TOLERANCE


def _right_of_plan(lattice: Lattice) -> float:
    """Return the x in mm on paper of the right end of the plan in a narrow lower band.

    It is before the neighbour's name and the glue strip.
    """
    return lattice.window.right - lattice.overlap - _NAME_ROOM


@lru_cache(maxsize=_AT_ONCE)
def _number_sheets(lattice: Lattice, sheet_names: tuple[str, ...]) -> Mapping[str, int]:
    """Return the number of each printed sheet, from 1 in reading order, by its name."""
    printed_names = set(sheet_names)
    names = (tile.name for tile in lattice.tiles())
    return {name: number for number, name in enumerate((name for name in names if name in printed_names), 1)}


def _horizontal_bar(lattice: Lattice, words: Words) -> tuple[CheckBar, float]:
    """Return the check bar below the window and the x of its left end in mm on paper."""
    printable, window = lattice.sheet.printable, lattice.window
    bar = check_bar(printable.right - max(window.x + _CROP, printable.x), words)
    return bar, min(window.x + _CROP, printable.right - bar.total_length)


class CheckBar(Struct, frozen=True):
    """A centimetre bar of ``length`` mm and an inch bar next to it, to measure on the print."""

    length: float
    words: Words

    @property
    def inches(self) -> int:
        """Return the length of the inch bar in whole inches."""
        return round(self.length / MM_PER_INCH)

    @property
    def texts(self) -> tuple[str, str]:
        """Return the labels at the ends of the centimetre bar and the inch bar."""
        centimetres = self.words("marks.bar-cm", length=round(self.length / 10))
        return centimetres, self.words("marks.bar-in", length=self.inches)

    @property
    def total_length(self) -> float:
        """Return the length of the bars with their labels, in mm on paper."""
        ends = (self.length, self.inches * MM_PER_INCH)
        return max(end + measure(text, SMALL) for end, text in zip(ends, self.texts, strict=True)) + 2.0

    def draw_horizontal(self, x: float, top: float, rows: Sequence[float] = _ROWS, thick: float = _BAR) -> list[Item]:
        """Return the two bars, horizontal, from ``x`` mm to the right.

        ``rows`` are their distances in mm below ``top``, and ``thick`` is their thickness in mm on paper.
        """
        items: list[Item] = []
        for index in (0, 1):
            y = top - rows[index] - thick
            step, count = self._steps()[index]
            items += _draw_bar([Rect(x + step * part, y, step, thick) for part in range(count)])
            items += line(self.texts[index], (x + step * count + 1.0, y), SMALL)
        return items

    def draw_vertical(self, right: float, y: float) -> list[Item]:
        """Return the two bars, vertical, left of the x ``right`` and from ``y`` upwards, in mm on paper."""
        items: list[Item] = []
        for index in (0, 1):
            items += self._draw_vertical_bar(index, right - _ROWS[index], y, _BAR)[0]
        return items

    def _steps(self) -> tuple[tuple[float, int], tuple[float, int]]:
        """Return the length of each part in mm on paper and their number, for the cm and the inch bar."""
        return (10.0, round(self.length / 10)), (MM_PER_INCH, self.inches)

    def draw_single(self, index: int, right: float, y: float) -> tuple[list[Item], float]:
        """Return one vertical bar left of the x ``right``, and the y above it where the next bar can start.

        The bar with index 0 has centimetres, that with 1 inches. It starts at ``y``; all lengths are in mm on paper.
        """
        items, top = self._draw_vertical_bar(index, right - _CLOSE_ROWS[0], y, _THIN)
        return items, top + measure(self.texts[index], SMALL) + 3.0

    def _draw_vertical_bar(self, index: int, right: float, y: float, thick: float) -> tuple[list[Item], float]:
        """Return one vertical bar with its label, and the y of its upper end.

        Its right edge is at ``right``, and it starts at ``y``. All lengths, with ``thick``, are in mm on paper.
        """
        step, count = self._steps()[index]
        top = y + step * count
        items = _draw_bar([Rect(right - thick, y + step * part, thick, step) for part in range(count)])
        return [*items, *line(self.texts[index], (right, top + 1.0), SMALL, angle=90)], top


def _draw_bar(parts: list[Rect]) -> list[Item]:
    """Return a striped bar of equal parts; a bar of ten parts, which is 10 cm long, has the mark for a bank card."""
    return [*striped_bar(parts), *(_draw_card_mark(parts[0]) if len(parts) == 10 else ())]


def striped_bar(parts: list[Rect]) -> list[Item]:
    """Return a bar of alternating black and white parts, given as rectangles in mm on paper.

    Its outline is exactly as long as the bar.
    """
    first, last = parts[0], parts[-1]
    bar = Rect(first.x, first.y, last.right - first.x, last.top - first.y)
    return [make_rectangle(bar, WHITE), make_rectangles(parts[::2], BLACK), make_frame(bar, BLACK, _HAIR)]


def _draw_card_mark(bar: Rect) -> list[Item]:
    """Return the mark at which a bank card ends that starts with a 10 cm bar: a line across the bar, and a small card.

    ``bar`` is the first part of the bar. On a horizontal bar the mark is for the long side of the card, on a vertical
    one for the short side.
    """
    is_vertical = bar.height > bar.width
    end, thick = (CARD_SHORT, bar.width) if is_vertical else (CARD_LONG, bar.height)
    is_black = end // 10 % 2 == 0
    ink, ground = (WHITE, BLACK) if is_black else (BLACK, WHITE)
    width, overhang = _CARD_LINE
    gap, high = (share * thick for share in _CARD_SIGN)
    long = high * (CARD_SHORT / CARD_LONG if is_vertical else CARD_LONG / CARD_SHORT)

    def place(distance: float, offset: float, length: float, height: float) -> Rect:
        """Return a rectangle by its distances along and across the bar from its start, and its sizes in mm."""
        if is_vertical:
            return Rect(bar.x + offset, bar.y + distance, height, length)
        return Rect(bar.x + distance, bar.y + offset, length, height)

    line_start = end - width / 2
    card = place(line_start - gap - long, (thick - high) / 2, long, high)
    stripe_y, stripe = (share * card.height for share in _CARD_STRIPE)
    return [
        make_rectangles([place(line_start, -overhang, width, overhang)], BLACK),
        make_rectangles([place(line_start, 0.0, width, thick), card], ink),
        make_rectangle((card.x, card.y + stripe_y, card.width, stripe), ground),
    ]


def draw_stacked_bars(right: float, y: float, top: float, words: Words) -> list[Item]:
    """Return a 10 cm bar left of the line ``right``, and an inch bar above it.

    The inch bar is the longest that ends below ``top``; it is left out if none does. The first bar starts at ``y``; all
    lengths are in mm on paper.
    """
    long_bar = CheckBar(_LONG_BAR, words)
    items, start = long_bar.draw_single(0, right, y)
    others = (bar.draw_single(1, right, start) for bar in (long_bar, CheckBar(50.0, words)))
    other = next((bar_items for bar_items, end in others if end - 2.0 <= top), [])
    return [*items, *other]


def check_bar(available_mm: float, words: Words) -> CheckBar:
    """Return a check bar of 10 cm and 4 in, if it fits ``available_mm`` mm on paper with its labels.

    Otherwise the bar has 5 cm and 2 in, whether that fits or not.
    """
    long_bar = CheckBar(_LONG_BAR, words)
    return long_bar if long_bar.total_length <= available_mm else CheckBar(50.0, words)


def _draw_crop_marks(printable: Rect, window: Rect) -> list[Item]:
    """Return two lines outside each corner of the window, shortened to fit inside the margins.

    ``printable`` and ``window`` are areas of the page in mm on paper.
    """
    ends: list[tuple[float, float, float, float]] = []
    for x, outwards, free in (
        (window.x, -1, window.x - printable.x),
        (window.right, 1, printable.right - window.right),
    ):
        reach = min(_CLEAR + _CROP, free)
        if reach - _CLEAR >= 1.0:
            ends += [(x + outwards * _CLEAR, y, x + outwards * reach, y) for y in (window.y, window.top)]
    for y, outwards, free in ((window.y, -1, window.y - printable.y), (window.top, 1, printable.top - window.top)):
        reach = min(_CLEAR + _CROP, free)
        if reach - _CLEAR >= 1.0:
            ends += [(x, y + outwards * _CLEAR, x, y + outwards * reach) for x in (window.x, window.right)]
    return [make_lines(ends, BLACK, _HAIR)]


def _draw_corner_name(lattice: Lattice, name: str) -> list[Item]:
    """Return the name of the sheet, at up to 28 points, as large as the corner between the two bands allows."""
    printable, window = lattice.sheet.printable, lattice.window
    left, below = _narrow_bands(lattice)
    width = window.x - printable.x - (0.5 if left else 2.0)
    height, free = window.y - printable.y - (1.2 if below else 2.0), 0.8 if below else 1.5
    style = TypeStyle(font=Font.BANNER, size_pt=28.0, ink=BLACK)
    style = style.resize(
        min(1.0, width / measure(name, style), height / (style.height * 0.72)), minimum_pt=SMALL.size_pt
    )
    position = (printable.x + width / 2 + (0.1 if left else 0.0), window.y - free - style.height * 0.72)
    return [*line(name, position, style, anchor=Anchor.MIDDLE)]


def _neighbours(lattice: Lattice, tile: Tile, sheet_names: Collection[str]) -> dict[str, str]:
    """Return the names of the neighbours in ``sheet_names`` by side: ``left``, ``right``, ``up`` or ``down``.

    Sides without one are missing.
    """
    sides = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
    names = {}
    for side, (row_step, column_step) in sides.items():
        row, column = tile.row + row_step, tile.column + column_step
        if 0 <= row < lattice.rows and 0 <= column < lattice.columns:
            name = lattice.tile(row, column).name
            if name in sheet_names:
                names[side] = name
    return names


def _draw_glue_marks(lattice: Lattice, neighbours: dict[str, str], words: Words) -> list[Item]:
    """Return brackets in the bands along the edges that the next sheets cover, right and above.

    ``neighbours`` has the sheet names by side (``right``, ``up``). Without them, or with an overlap below 2 mm on
    paper, the result is empty.
    """
    window, strip = lattice.window, lattice.overlap
    if strip < 2.0:
        return []
    items: list[Item] = []
    text = words.each()[0]("marks.glue")
    fits = measure(text, SMALL) <= strip - 1.0
    if "right" in neighbours:
        start, y = window.right - strip, window.y - 1.4
        items.append(make_lines([(start, y, window.right, y), (start, window.y - _CLEAR, start, y - 2.6)], GREY, _HAIR))
        if fits:
            items += line(text, (window.right - strip / 2, y - 2.4), SMALL, anchor=Anchor.MIDDLE)
    if "up" in neighbours:
        start, x = window.top - strip, window.x - 1.4
        items.append(make_lines([(x, start, x, window.top), (window.x - _CLEAR, start, x - 2.6, start)], GREY, _HAIR))
        if fits:
            items += line(text, (x - 0.8, window.top - strip / 2), SMALL, anchor=Anchor.MIDDLE, angle=90)
    return items


def _draw_neighbour_names(lattice: Lattice, neighbours: dict[str, str]) -> list[Item]:
    """Return the names of the neighbours at their edges, with arrows.

    ``neighbours`` has sheet names by ``left``, ``right``, ``up`` and ``down``. Right and upper names are left out if
    the margin there is under 3 mm on paper.
    """
    printable, window = lattice.sheet.printable, lattice.window
    items: list[Item] = []
    left, below = _narrow_bands(lattice)
    if "left" in neighbours and left:
        # The type is rotated with the band, so an up arrow points to the left.
        position = (window.x - _CLOSE_TYPE, window.top - lattice.overlap - 1.0)
        items += line(f"↑ {neighbours['left']}", position, SMALL, anchor=Anchor.END, angle=90)
    elif "left" in neighbours:
        position = (window.x - 1.4, window.top - lattice.overlap - 3.4)
        items += line(f"← {neighbours['left']}", position, SMALL, anchor=Anchor.END)
    if "down" in neighbours and below:
        position = (window.right - lattice.overlap - 1.0, window.y - _CLOSE_FOOT)
        items += line(f"↓ {neighbours['down']}", position, SMALL, anchor=Anchor.END)
    elif "down" in neighbours:
        items += line(f"↓ {neighbours['down']}", (window.right, window.y - _ROWS[2]), SMALL, anchor=Anchor.END)
    if "right" in neighbours and printable.right - window.right >= 3.0:
        position = (window.right + 2.6, window.y + window.height / 2)
        items += line(f"↓ {neighbours['right']}", position, SMALL, anchor=Anchor.MIDDLE, angle=90)
    if "up" in neighbours and printable.top - window.top >= 3.0:
        position = (window.x + window.width / 2, window.top + 1.0)
        items += line(f"↑ {neighbours['up']}", position, SMALL, anchor=Anchor.MIDDLE)
    return items


class _Plan(Struct, frozen=True):
    """A thumbnail of the map: the cells of all sheets, and the items below and above the one that is filled.

    ``cells`` are in mm on paper by sheet name.
    """

    cells: Mapping[str, Rect]
    below: tuple[Item, ...]
    above: tuple[Item, ...]


@lru_cache(maxsize=_AT_ONCE)
def _build_plan(lattice: Lattice, sheet_names: tuple[str, ...], start: float) -> _Plan:
    """Return the thumbnail of all sheets, on the page in mm; it is cached.

    It is below the map area, right of the x ``start`` in mm on paper, or in the left band if there is no space.
    ``sheet_names`` are the sheets that are printed.
    """
    printable, window = lattice.sheet.printable, lattice.window
    height = window.y - printable.y - _CLEAR
    wide = window.right - lattice.overlap - 2.0 - start
    if _narrow_bands(lattice)[1]:
        scale = min(_LITTLE_PLAN / lattice.width, (height - 0.2) / lattice.height)
        left, bottom = _right_of_plan(lattice) - lattice.width * scale, window.y - _CLEAR - lattice.height * scale
    elif wide >= _LEAST_PLAN:
        scale = min(min(wide, _WIDEST_PLAN) / lattice.width, height / lattice.height)
        left, bottom = start + wide - lattice.width * scale, window.y - _CLEAR - lattice.height * scale
    else:
        scale = min((window.x - printable.x - 2.0) / lattice.width, 30.0 / lattice.height)
        left = printable.x + 1.0
        bottom = window.top - 2 * lattice.overlap - 2.0 - lattice.height * scale
    cells = {}
    for tile in lattice.tiles():
        visible = visible_part(lattice, tile)
        x, y = left + visible.x * scale, bottom + visible.y * scale
        cells[tile.name] = Rect(x, y, visible.width * scale, visible.height * scale)
    names = set(sheet_names)
    missing = [place for name, place in cells.items() if name not in names]
    ends = [(place.x, place.y, place.right, place.y) for place in cells.values() if place.y > bottom + 0.01]
    ends += [(place.x, place.y, place.x, place.top) for place in cells.values() if place.x > left + 0.01]
    if _narrow_bands(lattice)[1]:
        # On a plan this small, lines between the sheets would hide the filled sheet.
        ends = []
    border = make_frame(Rect(left, bottom, lattice.width * scale, lattice.height * scale), BLACK, 0.2)
    below = (make_rectangles(missing, PALE),) if missing else ()
    return _Plan(cells, below, (make_lines(ends, GREY, _HAIR), border) if ends else (border,))


def visible_part(lattice: Lattice, tile: Tile) -> Rect:
    """Return the visible part of a sheet after assembly, in printed mm.

    It is measured from the lower left of the map or of its zone. Neighbours cover the overlap at its right and upper
    edges, if it has neighbours there.
    """
    window = tile.window
    right = window.right - lattice.overlap if tile.column < lattice.columns - 1 else lattice.width
    top = window.top - lattice.overlap if tile.row > 0 else lattice.height
    return Rect(window.x, window.y, right - window.x, top - window.y)
