"""What a sheet carries outside its window: crop marks, names, check bars, and a plan that shows where it goes.

Two bands, at the left of the window and below it, hold everything that is read; they are cut off later. Each is at
least 9 mm wide: three rows, of which two hold the bars and the outermost holds type. Where millimetres decide a row of
sheets, a band is narrow: at the left the bars stand one above the other with type beside them; below, two thinner bars
lie one below the other, and the type at their right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache, partial
from typing import Final

from msgspec import Struct

from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Rect
from printkit.drawing.lettering.lettering import Hand, line, measure
from printkit.page.lattice import BAND, Lattice
from printkit.page.ruling import BLACK, GREY, PALE, SMALL, filled, frame, lines, printed, shortened, striped
from printkit.page.sheet import Tile

_HAIR: Final = 0.15
_LOOSE: Final = 1e-6
_CLEAR: Final = 1.0
_CROP: Final = 4.0
_BAR: Final = 1.6
_ROWS: Final = (1.4, 4.2, 8.2)
"""How far below the window the two bars begin, and where the type of the third row stands."""
_CLOSE_ROWS: Final = (0.7, 2.5)
_THIN: Final = 1.2
_CLOSE_FOOT: Final = 3.7
_CLOSE_TYPE: Final = 2.95
"""Of a narrow band: where the two bars begin and how thick they are, and where type stands below and at the left."""

_NAME_ROOM: Final = 9.0
_LITTLE_PLAN: Final = 12.0
"""Of a narrow band below: what the name of a neighbour takes, and how wide the plan may be."""

_BELOW_NAME: Final = 5.0
"""How far below the strip for glue the name of the neighbour at the left reaches, so that no long title meets it."""

_BETWEEN: Final = 3.0
"""Mm between texts in one row of a band, and before the plan."""

_LEAST_PLAN: Final = 10.0
_WIDEST_PLAN: Final = 34.0
_AT_ONCE: Final = 8
"""Of so many lattices it is kept what their sheets have in common: those of a map's zones are equal but for names."""


_DASH: Final = " – "


class Imprint(Struct, frozen=True, kw_only=True):
    """What every sheet says of its origin: the name of the pack, the seed, and the printer's profile, or empty.

    ``who`` tells who is who in a game, from the longest text to the shortest: a sheet of a map has the first that fits.
    """

    title: str
    seed: str = ""
    profile: str = ""
    who: tuple[str, ...] = ()

    def said(self, words: Words, *more: str) -> str:
        """Return the imprint as one line, with more of it between the seed and the profile."""
        profile = words("marks.profile", name=self.profile) if self.profile else words("marks.no-profile")
        parts = (self.title, words("marks.seed", seed=self.seed) if self.seed else "", *more, profile)
        return _DASH.join(part for part in parts if part)

    def behind(self, said: str, long: float) -> str:
        """Return a text with who is who behind it as fully as ``long`` mm hold; nothing where they do not."""
        rows = (_DASH.join((said, who)) for who in self.who)
        return next((row for row in rows if measure(row, SMALL) <= long), "")

    def fullest(self, long: float) -> str:
        """Return who is who as fully as ``long`` mm hold, or else as shortly as it is told."""
        return next((who for who in self.who if measure(who, SMALL) <= long), self.who[-1] if self.who else "")

    def fitted(self, words: Words, sheet: Callable[[Words], str], long: float, foot: float) -> tuple[str, str]:
        """Return the imprint of a sheet, no longer than ``long`` mm, and who is who where ``foot`` mm are free below.

        Who is who stands behind the imprint, else below, else behind the imprint in the first language.
        """
        usual, first = (self.said(one, sheet(one)) for one in (words, words.each()[0]))
        for who in self.who:
            behind, shorter = (_DASH.join((said, who)) for said in (usual, first))
            if measure(behind, SMALL) <= long:
                return behind, ""
            if measure(who, SMALL) <= foot:
                return shortened(usual, SMALL, long), who
            if measure(shorter, SMALL) <= long:
                return shorter, ""
        return shortened(_DASH.join((first, *self.who[-1:])) if self.who else usual, SMALL, long), ""


def common_marks(lattice: Lattice, words: Words) -> Drawing:
    """Return what all sheets of a lattice carry alike, as large as the sheet: crop marks and check bars."""
    room, window = lattice.sheet.printable, lattice.window
    lying, x = _lying(lattice, words)
    left, below = _narrow(lattice)
    items: list[Item] = [*_crop_marks(room, window)]
    said, at = _true_size(lattice, words)
    if left:
        items += one_above_the_other(window.x, window.y + _CROP, window.top - lattice.overlap - 1.0, words)
    else:
        standing = check_bar(room.top - window.y - _CROP, words)
        items += standing.up(window.x, min(window.y + _CROP, room.top - standing.room))
    items += lying.across(x, window.y, _CLOSE_ROWS, _THIN) if below else lying.across(x, window.y)
    items += line(said, at, SMALL)
    return printed(lattice.sheet.width, lattice.sheet.height, items)


def _true_size(lattice: Lattice, words: Words) -> tuple[str, tuple[float, float]]:
    """Return how a sheet is to be printed, and where that stands: below the check bar, in a narrow band behind it."""
    bar, x = _lying(lattice, words)
    said = words("marks.true-size")
    if not _narrow(lattice)[1]:
        return said, (x, lattice.window.y - _ROWS[2])
    start = x + bar.room
    said = shortened(said, SMALL, _right_of_plan(lattice) - _LITTLE_PLAN - 2.0 - start)
    return said, (start, lattice.window.y - _CLOSE_FOOT)


def tile_marks(lattice: Lattice, tile: Tile, imprint: Imprint, words: Words, *, kept: Collection[str]) -> Drawing:
    """Return what one sheet carries, as large as the sheet: its names, and where it goes.

    ``kept`` names the sheets that are printed.
    """
    window = lattice.window
    numbers = _numbers(lattice, tuple(kept))
    neighbours = _neighbours(lattice, tile, numbers)
    long = window.height - _CROP - lattice.overlap - max(lattice.overlap, _BELOW_NAME)
    foot = window.x - _ROWS[2] + 1.5
    if _narrow(lattice)[0]:
        foot, long = window.x - _CLOSE_TYPE, min(long, window.height - _CROP - lattice.overlap - _NAME_ROOM - 2.0)
    bar, x = _lying(lattice, words)
    items: list[Item] = [*_corner(lattice, tile.name), *_glue(lattice, neighbours, words), *_names(lattice, neighbours)]
    said, (start, y) = _true_size(lattice, words)
    start += measure(said, SMALL) + _BETWEEN
    end = lattice.sheet.printable.right
    if lattice.count > 1:
        plan = _plan(lattice, tuple(numbers), x + bar.room)
        items += [*plan.below, filled([plan.cells[tile.name]], BLACK), *plan.above]
        end = min(place.x for place in plan.cells.values()) - _BETWEEN
    sheet = partial(_sheet_of, tile.name, numbers)
    origin, who = imprint.fitted(words, sheet, long, end - start)
    items += line(origin, (foot, window.y + _CROP), SMALL, angle=90)
    items += line(who, (start, y), SMALL)
    return printed(lattice.sheet.width, lattice.sheet.height, items)


def _sheet_of(name: str, numbers: Mapping[str, int], words: Words) -> str:
    return words("marks.sheet-of", name=name, number=numbers[name], count=len(numbers))


def _narrow(lattice: Lattice) -> tuple[bool, bool]:
    """Return whether the band at the left is narrow, and that below."""
    left, below = lattice.bands
    return left < BAND - _LOOSE, below < BAND - _LOOSE


def _right_of_plan(lattice: Lattice) -> float:
    """Return where the plan ends in a narrow band below: before the name of the neighbour, and the strip for glue."""
    return lattice.window.right - lattice.overlap - _NAME_ROOM


@lru_cache(maxsize=_AT_ONCE)
def _numbers(lattice: Lattice, kept: tuple[str, ...]) -> Mapping[str, int]:
    """Return the number of each sheet that is printed, by its name, in reading order."""
    printed_names = set(kept)
    names = (tile.name for tile in lattice.tiles())
    return {name: number for number, name in enumerate((name for name in names if name in printed_names), 1)}


def _lying(lattice: Lattice, words: Words) -> tuple[CheckBar, float]:
    """Return the check bar below the window, and where it begins: past the crop mark, or as far right as it must."""
    room, window = lattice.sheet.printable, lattice.window
    bar = check_bar(room.right - max(window.x + _CROP, room.x), words)
    return bar, min(window.x + _CROP, room.right - bar.room)


class CheckBar(Struct, frozen=True):
    """A bar of ``length`` mm in centimetres and one in inches beside it, to be measured on the print."""

    length: float
    words: Words

    @property
    def inches(self) -> int:
        """Return how many whole inches the second bar has."""
        return round(self.length / MM_PER_INCH)

    @property
    def texts(self) -> tuple[str, str]:
        """Return what stands at the ends of the two bars."""
        centimetres = self.words("marks.bar-cm", length=round(self.length / 10))
        return centimetres, self.words("marks.bar-in", length=self.inches)

    @property
    def room(self) -> float:
        """Return how long the bars are with their texts, in mm."""
        ends = (self.length, self.inches * MM_PER_INCH)
        return max(end + measure(text, SMALL) for end, text in zip(ends, self.texts, strict=True)) + 2.0

    def across(self, x: float, top: float, rows: Sequence[float] = _ROWS, thick: float = _BAR) -> list[Item]:
        """Return the bars lying below the line ``top``, their left ends at ``x``; ``rows`` is how far below it each."""
        items: list[Item] = []
        for (step, count), text, row in zip(self._steps(), self.texts, rows, strict=False):
            y = top - row - thick
            items += striped([Rect(x + step * part, y, step, thick) for part in range(count)])
            items += line(text, (x + step * count + 1.0, y), SMALL)
        return items

    def up(self, right: float, y: float) -> list[Item]:
        """Return the bars standing at the left of the line ``right``, their lower ends at ``y``."""
        items: list[Item] = []
        for (step, count), text, row in zip(self._steps(), self.texts, _ROWS, strict=False):
            x = right - row - _BAR
            items += striped([Rect(x, y + step * part, _BAR, step) for part in range(count)])
            items += line(text, (right - row, y + step * count + 1.0), SMALL, angle=90)
        return items

    def _steps(self) -> tuple[tuple[float, int], tuple[float, int]]:
        return (10.0, round(self.length / 10)), (MM_PER_INCH, self.inches)

    def alone(self, which: int, right: float, y: float) -> tuple[list[Item], float]:
        """Return one of the bars, 0 or 1, standing at the left of a line, and where the next may begin above it."""
        step, count = self._steps()[which]
        x, text = right - _CLOSE_ROWS[0] - _THIN, self.texts[which]
        top = y + step * count
        items = striped([Rect(x, y + step * part, _THIN, step) for part in range(count)])
        items += line(text, (right - _CLOSE_ROWS[0], top + 1.0), SMALL, angle=90)
        return items, top + measure(text, SMALL) + 3.0


def one_above_the_other(right: float, y: float, top: float, words: Words) -> list[Item]:
    """Return a bar of 10 cm and above it one of as many inches as end below ``top``, at the left of a line."""
    whole = CheckBar(100.0, words)
    items, start = whole.alone(0, right, y)
    others = (each.alone(1, right, start) for each in (whole, CheckBar(50.0, words)))
    other = next((found for found, end in others if end - 2.0 <= top), [])
    return [*items, *other]


def check_bar(room: float, words: Words) -> CheckBar:
    """Return the bar of 10 cm and 4 in, or on small sheets of 5 cm and 2 in, that fits a band ``room`` mm long."""
    whole = CheckBar(100.0, words)
    return whole if whole.room <= room else CheckBar(50.0, words)


def _crop_marks(room: Rect, window: Rect) -> list[Item]:
    """Return two lines outside every corner of the window, as long as there is room for them inside the margins."""
    ends: list[tuple[float, float, float, float]] = []
    for x, outwards, free in ((window.x, -1, window.x - room.x), (window.right, 1, room.right - window.right)):
        reach = min(_CLEAR + _CROP, free)
        if reach - _CLEAR >= 1.0:
            ends += [(x + outwards * _CLEAR, y, x + outwards * reach, y) for y in (window.y, window.top)]
    for y, outwards, free in ((window.y, -1, window.y - room.y), (window.top, 1, room.top - window.top)):
        reach = min(_CLEAR + _CROP, free)
        if reach - _CLEAR >= 1.0:
            ends += [(x, y + outwards * _CLEAR, x, y + outwards * reach) for x in (window.x, window.right)]
    return [lines(ends, BLACK, _HAIR)]


def _corner(lattice: Lattice, name: str) -> list[Item]:
    """Return the name of the sheet, as large as the corner between the two bands lets it be."""
    room, window = lattice.sheet.printable, lattice.window
    left, below = _narrow(lattice)
    width = window.x - room.x - (0.5 if left else 2.0)
    height, free = window.y - room.y - (1.2 if below else 2.0), 0.8 if below else 1.5
    hand = Hand(font=Font.BANNER, size_pt=28.0, ink=BLACK)
    hand = hand.sized(min(1.0, width / measure(name, hand), height / (hand.height * 0.72)), least=SMALL.size_pt)
    at = (room.x + width / 2 + (0.1 if left else 0.0), window.y - free - hand.height * 0.72)
    return [*line(name, at, hand, anchor=Anchor.MIDDLE)]


def _neighbours(lattice: Lattice, tile: Tile, kept: Collection[str]) -> dict[str, str]:
    """Return the names of the printed sheets at the four sides."""
    sides = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
    found = {}
    for side, (down, across) in sides.items():
        row, column = tile.row + down, tile.column + across
        if 0 <= row < lattice.rows and 0 <= column < lattice.columns:
            name = lattice.tile(row, column).name
            if name in kept:
                found[side] = name
    return found


def _glue(lattice: Lattice, neighbours: dict[str, str], words: Words) -> list[Item]:
    """Return brackets in the bands along what the next sheets will cover."""
    window, strip = lattice.window, lattice.overlap
    if strip < 2.0:
        return []
    items: list[Item] = []
    said = words.each()[0]("marks.glue")
    fits = measure(said, SMALL) <= strip - 1.0
    if "right" in neighbours:
        start, y = window.right - strip, window.y - 1.4
        items.append(lines([(start, y, window.right, y), (start, window.y - _CLEAR, start, y - 2.6)], GREY, _HAIR))
        if fits:
            items += line(said, (window.right - strip / 2, y - 2.4), SMALL, anchor=Anchor.MIDDLE)
    if "up" in neighbours:
        start, x = window.top - strip, window.x - 1.4
        items.append(lines([(x, start, x, window.top), (window.x - _CLEAR, start, x - 2.6, start)], GREY, _HAIR))
        if fits:
            items += line(said, (x - 0.8, window.top - strip / 2), SMALL, anchor=Anchor.MIDDLE, angle=90)
    return items


def _names(lattice: Lattice, neighbours: dict[str, str]) -> list[Item]:
    """Return the names of the neighbours at the edges where they go."""
    room, window = lattice.sheet.printable, lattice.window
    items: list[Item] = []
    left, below = _narrow(lattice)
    if "left" in neighbours and left:
        # Turned like the band, so that the arrow that points up shows to the left.
        at = (window.x - _CLOSE_TYPE, window.top - lattice.overlap - 1.0)
        items += line(f"↑ {neighbours['left']}", at, SMALL, anchor=Anchor.END, angle=90)
    elif "left" in neighbours:
        at = (window.x - 1.4, window.top - lattice.overlap - 3.4)
        items += line(f"← {neighbours['left']}", at, SMALL, anchor=Anchor.END)
    if "down" in neighbours and below:
        at = (window.right - lattice.overlap - 1.0, window.y - _CLOSE_FOOT)
        items += line(f"↓ {neighbours['down']}", at, SMALL, anchor=Anchor.END)
    elif "down" in neighbours:
        items += line(f"↓ {neighbours['down']}", (window.right, window.y - _ROWS[2]), SMALL, anchor=Anchor.END)
    if "right" in neighbours and room.right - window.right >= 3.0:
        at = (window.right + 2.6, window.y + window.height / 2)
        items += line(f"↓ {neighbours['right']}", at, SMALL, anchor=Anchor.MIDDLE, angle=90)
    if "up" in neighbours and room.top - window.top >= 3.0:
        at = (window.x + window.width / 2, window.top + 1.0)
        items += line(f"↑ {neighbours['up']}", at, SMALL, anchor=Anchor.MIDDLE)
    return items


class _Plan(Struct, frozen=True):
    """A thumbnail of the whole in which one sheet is to be filled: what lies below it, above it, and all the sheets."""

    cells: Mapping[str, Rect]
    below: tuple[Item, ...]
    above: tuple[Item, ...]


@lru_cache(maxsize=_AT_ONCE)
def _plan(lattice: Lattice, kept: tuple[str, ...], start: float) -> _Plan:
    """Return the thumbnail that all sheets show: below the window from ``start``, else at the top of the left band."""
    room, window = lattice.sheet.printable, lattice.window
    height = window.y - room.y - _CLEAR
    wide = window.right - lattice.overlap - 2.0 - start
    if _narrow(lattice)[1]:
        scale = min(_LITTLE_PLAN / lattice.width, (height - 0.2) / lattice.height)
        left, bottom = _right_of_plan(lattice) - lattice.width * scale, window.y - _CLEAR - lattice.height * scale
    elif wide >= _LEAST_PLAN:
        scale = min(min(wide, _WIDEST_PLAN) / lattice.width, height / lattice.height)
        left, bottom = start + wide - lattice.width * scale, window.y - _CLEAR - lattice.height * scale
    else:
        scale = min((window.x - room.x - 2.0) / lattice.width, 30.0 / lattice.height)
        left = room.x + 1.0
        bottom = window.top - 2 * lattice.overlap - 2.0 - lattice.height * scale
    cells = {}
    for tile in lattice.tiles():
        shown = cell(lattice, tile)
        x, y = left + shown.x * scale, bottom + shown.y * scale
        cells[tile.name] = Rect(x, y, shown.width * scale, shown.height * scale)
    names = set(kept)
    missing = [place for name, place in cells.items() if name not in names]
    ends = [(place.x, place.y, place.right, place.y) for place in cells.values() if place.y > bottom + 0.01]
    ends += [(place.x, place.y, place.x, place.top) for place in cells.values() if place.x > left + 0.01]
    if _narrow(lattice)[1]:
        # On so small a plan lines between the sheets would hide the one that is filled.
        ends = []
    about = frame(Rect(left, bottom, lattice.width * scale, lattice.height * scale), BLACK, 0.2)
    below = (filled(missing, PALE),) if missing else ()
    return _Plan(cells, below, (lines(ends, GREY, _HAIR), about) if ends else (about,))


def cell(lattice: Lattice, tile: Tile) -> Rect:
    """Return what can be seen of a sheet when all are glued: neighbours cover its right and its upper strip."""
    window = tile.window
    right = window.right - lattice.overlap if tile.column < lattice.columns - 1 else lattice.width
    top = window.top - lattice.overlap if tile.row > 0 else lattice.height
    return Rect(window.x, window.y, right - window.x, top - window.y)
