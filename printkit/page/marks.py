"""Marks outside the window of a sheet: crop marks, names, check bars, and a plan with the position of the sheet.

Two bands, left of the window and below it, contain all text; they are cut off later. The usual band is at least 9 mm
wide and has three rows: two for the check bars, the outermost for type. A narrow band is used if it saves a row or
column of sheets. The narrow left band has the bars end to end with type next to them. The narrow lower band has two
thin bars with type to their right.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache, partial
from typing import Final

from msgspec import Struct

from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Rect
from printkit.drawing.canvas.layers import marks_drawing
from printkit.drawing.canvas.plain import (
    BLACK,
    GREY,
    PALE,
    TOLERANCE,
    make_frame,
    make_lines,
    make_rectangles,
)
from printkit.drawing.lettering.lettering import SMALL, TypeStyle, line, measure, shorten
from printkit.page.check_bars import CLOSE_ROWS, ROWS, THIN, CheckBar, check_bar, draw_stacked_bars
from printkit.page.lattice import BAND, Lattice
from printkit.page.sheet import Tile

_HAIR: Final = 0.15
_CLEAR: Final = 1.0
_CROP: Final = 4.0
# Narrow bands, in mm: the baselines of type below and on the left.
_CLOSE_FOOT: Final = 3.7
_CLOSE_TYPE: Final = 2.95

# Narrow lower band, in mm: the space for the name of a neighbour, and the largest width of the plan.
_NAME_ROOM: Final = 9.0
_LITTLE_PLAN: Final = 12.0

# Space in mm below the glue strip for the name of the left neighbour, so that a long title does not meet it.
_BELOW_NAME: Final = 5.0

# Gap in mm between texts in one row of a band, and before the plan.
_BETWEEN: Final = 3.0

# The usual distance in mm of an edge tick from the edge of the paper, and the step of other distances.
_EDGE: Final = 10.0
_EDGE_STEP: Final = 5.0
# From the corner of the window to both ends of an edge tick, and from the tick to the foot of its number, in mm.
_EDGE_TICK: Final = (0.8, 3.2)
_BESIDE_TICK: Final = 0.5
# Height of figures of marks, in type sizes, and the gap in mm between a tick or its number and the window.
_FIGURE_HEIGHT: Final = 0.73
_FROM_WINDOW: Final = 0.3
# The least distance in mm between the baselines of two rows.
_ROW: Final = 2.8

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
        horizontal_bar.draw_horizontal(x, window.y, CLOSE_ROWS, THIN)
        if below
        else horizontal_bar.draw_horizontal(x, window.y)
    )
    items += line(text, position, SMALL)
    items += _draw_edge_ticks(lattice, words)
    return marks_drawing(lattice.sheet.width, lattice.sheet.height, items)


def _edge_distances(lattice: Lattice) -> tuple[float | None, float | None]:
    """Return the distances of the edge ticks from the left and from the lower edge of the paper, in mm.

    It is None if there is no tick, because only a tick on the map would have a distance of whole 5 mm.
    """
    printable, window = lattice.sheet.printable, lattice.window

    def choose_distance(margin: float, end: float) -> float | None:
        """Return the distance of a tick between a margin and the window, which begins at ``end``; both in mm."""
        usual = max(_EDGE, _EDGE_STEP * math.ceil(margin / _EDGE_STEP - TOLERANCE))
        return next((each for each in (usual, _EDGE_STEP) if margin - TOLERANCE <= each <= end - _FROM_WINDOW), None)

    return choose_distance(printable.x, window.x), choose_distance(printable.y, window.y)


def _edge_text(lattice: Lattice, words: Words) -> tuple[str, bool]:
    """Return the text about the distance of the first edge tick, and whether it is in the lower band.

    It is empty without a tick. In a narrow lower band it has no room, so it is in the left band.
    """
    left, below = _edge_distances(lattice)
    bar, x = _horizontal_bar(lattice, words)
    texts = {each: words.each()[0]("marks.edge", distance=f"{each:g}") for each in (left, below) if each is not None}
    if below is not None and not _narrow_bands(lattice)[1]:
        row_mm = measure(texts[below], SMALL)
        if not _has_own_row(lattice, below):
            row_mm += _BETWEEN + measure(words("marks.true-size"), SMALL)
        if row_mm <= (bar.total_length if lattice.count > 1 else lattice.sheet.printable.right - x):
            return texts[below], True
    return ("", False) if left is None else (texts[left], False)


def _draw_edge_ticks(lattice: Lattice, words: Words) -> list[Item]:
    """Return a tick at a whole distance from the left edge of the paper, and one from the lower edge.

    Each is labelled, one with a text. They show whether the printer scales. They are between the crop marks and the
    bars at the lower left corner of the window.
    """
    window, (first, last) = lattice.window, _EDGE_TICK
    text, is_below = _edge_text(lattice, words)
    items: list[Item] = []
    for axis, distance in enumerate(_edge_distances(lattice)):
        if distance is None:
            continue
        along, end = (window.y, window.x) if axis == 0 else (window.x, window.y)
        corners = (distance, along + first, distance, along + last)
        items.append(make_lines([corners if axis == 0 else (*corners[1::-1], *corners[:1:-1])], BLACK, _HAIR))
        if text and is_below == (axis == 1):
            continue
        high = _FIGURE_HEIGHT * SMALL.height
        fits = distance + _BESIDE_TICK + high <= end - _FROM_WINDOW
        foot = distance + _BESIDE_TICK if fits else distance - _BESIDE_TICK - high
        middle = along + (first + last) / 2
        if axis == 0:
            # Type in the left band is rotated; its foot is on the right.
            items += line(f"{distance:g}", (foot + high, middle), SMALL, anchor=Anchor.MIDDLE, angle=90)
        else:
            items += line(f"{distance:g}", (middle, foot), SMALL, anchor=Anchor.MIDDLE)
    return [*items, *line(text, _edge_text_position(lattice, words), SMALL, angle=0.0 if is_below else 90.0)]


def _edge_text_position(lattice: Lattice, words: Words) -> tuple[float, float]:
    """Return the position (x, y) in mm on paper of the text of the first edge tick.

    It is beside its tick in a wide lower band. Otherwise it is in the row of the true-size line or of the imprint,
    before it.
    """
    below = _edge_distances(lattice)[1]
    if below is not None and _edge_text(lattice, words)[1]:
        y = below if _has_own_row(lattice, below) else lattice.window.y - ROWS[2]
        return _horizontal_bar(lattice, words)[1], y
    return _left_foot(lattice), lattice.window.y + _CROP


def _left_foot(lattice: Lattice) -> float:
    """Return the x in mm on paper of the baseline of type in the left band."""
    return lattice.window.x - (_CLOSE_TYPE if _narrow_bands(lattice)[0] else ROWS[2] - 1.5)


def _edge_shifts(lattice: Lattice, words: Words) -> tuple[float, float]:
    """Return how far the imprint and the true-size line begin after the start of their row, in mm on paper."""
    text, is_below = _edge_text(lattice, words)
    left, below = _edge_distances(lattice)
    room = measure(text, SMALL) + _BETWEEN if text else 0.0
    if not is_below or below is None:
        return room, 0.0
    return 0.0 if left is None else _BETWEEN / 2, 0.0 if _has_own_row(lattice, below) else room


def _has_own_row(lattice: Lattice, distance: float) -> bool:
    """Return whether the lower band has room for a row of type ``distance`` mm above the lower edge of the paper."""
    return lattice.window.y - ROWS[2] - distance >= _ROW


def _true_size(lattice: Lattice, words: Words) -> tuple[str, tuple[float, float]]:
    """Return the line about actual size and its position (x, y) in mm on paper.

    It is below the check bar, or after it in a narrow band.
    """
    bar, x = _horizontal_bar(lattice, words)
    text = words("marks.true-size")
    if not _narrow_bands(lattice)[1]:
        return text, (x + _edge_shifts(lattice, words)[1], lattice.window.y - ROWS[2])
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
    if _narrow_bands(lattice)[0]:
        long = min(long, window.height - _CROP - lattice.overlap - _NAME_ROOM - 2.0)
    shift = _edge_shifts(lattice, words)[0]
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
    origin, who = imprint.fit_line(words, sheet, long - shift, end - start)
    items += line(origin, (_left_foot(lattice), window.y + _CROP + shift), SMALL, angle=90)
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
        items += line(f"↓ {neighbours['down']}", (window.right, window.y - ROWS[2]), SMALL, anchor=Anchor.END)
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
