"""The assembly plan: a small map with the names of its sheets, and the steps to join them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct

from printkit.core.sums import plain_sum
from printkit.core.words import Words
from printkit.drawing.canvas.items import GRID, Affine, Anchor, Drawing, Font, Ink, Item, Path, PathRun, Rect, Stroke
from printkit.drawing.lettering.lettering import TypeStyle, line, measure, wrapped
from printkit.page.lattice import Lattice
from printkit.page.marks import Imprint, cell, check_bar
from printkit.page.ruling import BLACK, SMALL, WHITE, filled, frame, lines, printed, shortened
from printkit.page.sheet import Page, Placement, Sheet
from printkit.page.slots import SHELF_GAP, ShelfSpot, shelved
from printkit.page.tiling import Tiling, Zone

_TITLE: Final = TypeStyle(font=Font.ROMAN, size_pt=20.0, ink=BLACK)
_BODY: Final = TypeStyle(font=Font.ROMAN, size_pt=10.0, ink=BLACK)
_BODY_OF_TWO: Final = _BODY.sized(0.85)
_NAME: Final = TypeStyle(font=Font.BANNER, size_pt=18.0, ink=BLACK, halo=Stroke(WHITE, 1.2))
_HEAD: Final = 19.0
_FOOT: Final = 14.0
_SIDE: Final = 9.0
_LEADING: Final = 1.22
# Covers the parts that are not printed.
VEIL: Final = Ink(255, 255, 255, 0.75)

# Shares of the page for the small map; the plan uses the largest that needs the fewest pages.
_SHARES: Final = (0.62, 0.54, 0.46, 0.38)


class AssemblyPlan(Protocol):
    """Protocol for the assembly page: the map, its sheets, and their texts and drawings."""

    @property
    def drawing(self) -> Drawing:
        """Return the whole map."""
        ...

    def taken(self, words: Words) -> str:
        """Return the paper that the map needs: number of sheets, paper name, and portrait or landscape."""
        ...

    def steps(self, words: Words) -> list[str]:
        """Return the numbered steps, and notes."""
        ...

    def sheets(self, place: Rect) -> list[Item]:
        """Return the edges and names of the sheets on the small map at ``place``."""
        ...


class _Plan(Struct, frozen=True):
    """The layout of the plan: the small map, the text next to it, and the positions of the blocks."""

    map: Rect
    text: Rect
    spots: list[ShelfSpot]

    @property
    def pages(self) -> int:
        return 1 + max((spot.page for spot in self.spots), default=0)


def assembly(
    tiling: Tiling, overview: Drawing, blocks: Sequence[Drawing], sheet: Sheet, *, imprint: Imprint, words: Words
) -> tuple[Page, ...]:
    """Return the assembly plan on as few pages as possible.

    Args:
        tiling: the sheets to join.
        overview: the map at any scale; it is scaled to fit.
        blocks: legend, scales, title and key; they are stacked below and not resized, because some contain scales.
        sheet: the paper, with a fixed size.
        imprint: the name of the pack and its seed.
        words: the language or languages of the steps.

    Raises:
        PageError: a block is larger than a page.
    """
    return plan_pages(_Sheets(tiling), overview, blocks, sheet, imprint=imprint, words=words)


def plan_pages(
    puzzle: AssemblyPlan, overview: Drawing, blocks: Sequence[Drawing], sheet: Sheet, *, imprint: Imprint, words: Words
) -> tuple[Page, ...]:
    """Return the plan of anything that is assembled from sheets; ``assembly`` uses it for a map.

    Raises:
        PageError: a block is larger than a page.
    """
    paper = sheet.portrait
    free = room(paper)
    plans = [_planned(puzzle, blocks, free, share=share, words=words) for share in _SHARES]
    plan = min(plans, key=lambda each: each.pages)
    label = words.each()[0]("marks.plan-label")
    pages = []
    for number in range(plan.pages):
        first = number == 0
        items = _heading(puzzle, free, imprint, words, first=first)
        items += _foot(free, words)
        placements = [Placement(spot.drawing, Affine(e=spot.x, f=spot.y)) for spot in plan.spots if spot.page == number]
        if first:
            placements.insert(0, _small(overview, plan.map))
            items += puzzle.sheets(plan.map) + _steps(puzzle, plan.text, words)
        placements.append(Placement(printed(paper.width, paper.height, items)))
        pages.append(
            paper.page(
                *placements,
                label=label if first else f"{label} {number + 1}",
                bookmark=words("marks.plan-bookmark") if first else "",
            )
        )
    return tuple(pages)


def room(sheet: Sheet) -> Rect:
    """Return the area for blocks on a plan of this paper, without heading and check bars."""
    free = sheet.portrait.printable
    return Rect(free.x, free.y + _FOOT, free.width - _SIDE, free.height - _FOOT - _HEAD)


def _planned(puzzle: AssemblyPlan, blocks: Sequence[Drawing], room: Rect, *, share: float, words: Words) -> _Plan:
    scale = min(room.width * share / puzzle.drawing.width, room.height * share / puzzle.drawing.height)
    width, height = puzzle.drawing.width * scale, puzzle.drawing.height * scale
    shown = Rect(room.x, room.top - height, width, height)
    text = Rect(shown.right + SHELF_GAP, room.y, room.right - shown.right - SHELF_GAP, room.height)
    ends = min(shown.y, text.top - _written(puzzle, text.width, words))
    below = Rect(room.x, room.y, room.width, max(ends - 2 * SHELF_GAP - room.y, 0.0))
    return _Plan(shown, text, shelved(blocks, below, room))


def _heading(puzzle: AssemblyPlan, room: Rect, imprint: Imprint, words: Words, *, first: bool) -> list[Item]:
    title = words("assembly.title" if first else "assembly.continued")
    hand = _TITLE.sized(min(1.0, room.width / measure(title, _TITLE)))
    items: list[Item] = [*line(title, (room.x, room.top + _HEAD - 7.0), hand)]
    rows = [imprint.said(one, puzzle.taken(one)) for one in words.each()]
    # The names of the players follow the first row with enough space. With one language they can have a second row.
    behind = [imprint.behind(row, room.width) for row in rows]
    place = next((number for number, row in enumerate(behind) if row), None)
    if place is not None:
        rows[place] = behind[place]
    elif len(rows) == 1:
        rows += [imprint.fullest(room.width)]
    for number, row in enumerate(rows):
        under = shortened(row, SMALL, room.width)
        items += line(under, (room.x, room.top + _HEAD - 11.5 - 2.8 * number), SMALL)
    return [*items, lines([(room.x, room.top + 3.5, room.right, room.top + 3.5)], BLACK, 0.3)]


def _foot(room: Rect, words: Words) -> list[Item]:
    """Return check bars on both axes: the plan is printed first and shows whether the printer keeps the scale."""
    bar = check_bar(room.width, words)
    y = room.y - 4.0
    said = shortened(words("marks.true-size"), SMALL, room.width - bar.room)
    upright = check_bar(room.height, words)
    standing = upright.up(room.right + _SIDE + 1.4, room.y)
    return [*bar.across(room.x, y), *standing, *line(said, (room.x + bar.room + 2.0, y - 3.0), SMALL)]


def _small(overview: Drawing, place: Rect) -> Placement:
    scale = place.width / overview.width
    return Placement(overview, Affine(scale, 0.0, 0.0, scale, place.x, place.y), place)


def small_sheets(tiling: Tiling, place: Rect) -> list[Item]:
    """Return the edges and names of the sheets on the small map; sheets that are not printed are faded.

    Args:
        tiling: the sheets of the whole map or of one zone.
        place: the area of the small map, in mm.
    """
    lattice, scale = tiling.lattice, place.width / tiling.drawing.width
    kept = [page.label for page in tiling.pages]
    edges: list[tuple[float, float, float, float]] = []
    veiled: list[Rect] = []
    names: list[Item] = []
    for tile in lattice.tiles():
        shown = cell(lattice, tile)
        x, y = place.x + (lattice.at[0] + shown.x) * scale, place.y + (lattice.at[1] + shown.y) * scale
        width, height = shown.width * scale, shown.height * scale
        if tile.column > 0:
            edges.append((x, y, x, y + height))
        if tile.row < lattice.rows - 1:
            edges.append((x, y, x + width, y))
        if tile.name not in kept:
            veiled.append(Rect(x, y, width, height))
            continue
        wide = measure(tile.name, _NAME)
        if lattice.zone and _crowded(tile.name, width, height):
            continue
        hand = _NAME.sized(min(1.0, 0.6 * width / wide, 0.6 * height / _NAME.height), least=SMALL.size_pt)
        at = (x + width / 2, y + height / 2 - hand.height * 0.36)
        names += line(tile.name, at, hand, anchor=Anchor.MIDDLE)
    items: list[Item] = [filled(veiled, VEIL)] if veiled else []
    if edges:
        items += [lines(edges, Ink(255, 255, 255, 0.8), 0.9), lines(edges, BLACK, 0.25)]
    return [*items, *names]


def _crowded(name: str, width: float, height: float) -> bool:
    """Return whether the name of a sheet is too large for its cell on the plan."""
    least = _NAME.sized(0.0, least=SMALL.size_pt)
    return measure(name, least) > 0.92 * width or least.height > height


def _steps(puzzle: AssemblyPlan, place: Rect, words: Words) -> list[Item]:
    """Return the numbered steps as type, one language below the other."""
    items: list[Item] = []
    hand, y = _body(words), place.top
    for text, gap in _lines(puzzle, place.width, words):
        y -= gap
        items += line(text, (place.x, y - hand.height * 0.8), hand)
        y -= hand.height * _LEADING
    return items


def _written(puzzle: AssemblyPlan, width: float, words: Words) -> float:
    """Return the height of the steps in mm."""
    return plain_sum(gap + _body(words).height * _LEADING for _, gap in _lines(puzzle, width, words))


def _lines(puzzle: AssemblyPlan, width: float, words: Words) -> list[tuple[str, float]]:
    """Return the lines of the steps, each with the gap above it in mm."""
    found: list[tuple[str, float]] = []
    hand = _body(words)
    for one in words.each():
        for number, step in enumerate(puzzle.steps(one)):
            gap = 0.0 if not found else 1.6 if number else 5.0
            rows = wrapped(step, hand.font, hand.size_pt, width)
            found += [(row, 0.0 if place else gap) for place, row in enumerate(rows)]
    return found


def _body(words: Words) -> TypeStyle:
    return _BODY if len(words.languages) == 1 else _BODY_OF_TWO


class _Sheets(Struct, frozen=True):
    """The assembly plan data of a map in one tiling."""

    tiling: Tiling

    @property
    def drawing(self) -> Drawing:
        return self.tiling.drawing

    def taken(self, words: Words) -> str:
        lattice = self.tiling.lattice
        count = len(self.tiling.pages)
        paper = paper_name(lattice.sheet)
        said = words("assembly.sheets", count=count, paper=paper, columns=lattice.columns, rows=lattice.rows)
        return f"{said}, {lying(lattice, words)}"

    def steps(self, words: Words) -> list[str]:
        numbered = [f"{number}. {step}" for number, step in enumerate(joining_steps(self.tiling, words), 1)]
        if self.tiling.dropped:
            numbered.append(words("assembly.dropped", names=", ".join(self.tiling.dropped)))
        if self.tiling.skipped and self.tiling.bare:
            numbered.append(words("assembly.skipped", names=", ".join(self.tiling.bare)))
        return numbered

    def sheets(self, place: Rect) -> list[Item]:
        return [frame(place, BLACK, 0.3), *small_sheets(self.tiling, place)]


def paper_name(sheet: Sheet) -> str:
    """Return the name of a paper for display."""
    return sheet.name.replace("-", " ").capitalize()


def lying(lattice: Lattice, words: Words) -> str:
    """Return the word for portrait or landscape."""
    return words("assembly.lying") if lattice.sheet.lies else words("assembly.upright")


def joining_steps(tiling: Tiling, words: Words) -> list[str]:
    """Return the steps to print, cut and glue the sheets of a tiling."""
    lattice = tiling.lattice
    printing = words("assembly.step-print", length=10)
    if lattice.count == 1:
        return [printing, words("assembly.step-single")]
    kept = [page.label for page in tiling.pages]
    lowest = [
        tile.name for tile in reversed(list(lattice.tiles())) if tile.name in kept and tile.row == lattice.rows - 1
    ]
    corner = lowest[-1] if lowest else kept[-1]
    found = [printing, words("assembly.step-cut")]
    found.append(words("assembly.step-row", corner=corner, overlap=f"{lattice.overlap:g}"))
    if lattice.rows > 1:
        found.append(words("assembly.step-rows"))
    return [*found, words("assembly.step-trim")]


# --- The plan of a map printed zone by zone: its zones, the sheets of each, and the steps to join them ----------------

_NUMBER: Final = TypeStyle(font=Font.HEAVY, size_pt=9.0, ink=WHITE)
_RADIUS: Final = 2.4
_ROUND: Final = 32


def zone_assembly(
    tilings: Sequence[Tiling],
    zones: Sequence[Zone],
    overview: Drawing,
    blocks: Sequence[Drawing],
    sheet: Sheet,
    *,
    imprint: Imprint,
    words: Words,
) -> tuple[Page, ...]:
    """Return the plan of a map in zones on as few portrait pages as possible.

    Args:
        tilings: the tiling of each zone that is printed.
        zones: all zones of the map.
        overview: the map at any scale; it is scaled to fit.
        blocks: legend, scales, title and key.
        sheet: the paper.
        imprint: the name of the pack and its seed.
        words: the language or languages of the steps.

    Raises:
        PageError: a block is larger than a page.
    """
    puzzle = _Zones(tuple(tilings), tuple(zones))
    return plan_pages(puzzle, overview, blocks, sheet, imprint=imprint, words=words)


class _Zones(Struct, frozen=True):
    """The assembly plan data of a map in zones: the printed ``tilings``, and all ``zones``."""

    tilings: tuple[Tiling, ...]
    zones: tuple[Zone, ...]

    @property
    def drawing(self) -> Drawing:
        return self.tilings[0].drawing

    def taken(self, words: Words) -> str:
        first = self.tilings[0].lattice
        zones, paper = words("zoning.zones", count=len(self.tilings)), paper_name(first.sheet)
        shapes = {(each.lattice.columns, each.lattice.rows, each.lattice.sheet.lies) for each in self.tilings}
        counts = [len(each.pages) for each in self.tilings]
        if len(shapes) > 1 or len(set(counts)) > 1:
            return words("zoning.several", zones=zones, count=sum(counts), paper=paper)
        return words(
            "zoning.each",
            zones=zones,
            count=counts[0],
            paper=paper,
            columns=first.columns,
            rows=first.rows,
            lies=lying(first, words),
        )

    def steps(self, words: Words) -> list[str]:
        longest = max(self.tilings, key=lambda each: (each.lattice.count, each.lattice.rows))
        steps = [words("zoning.step-zone"), *joining_steps(longest, words)]
        if len(self.tilings) > 1:
            steps.append(words("zoning.step-join"))
        found = [f"{number}. {step}" for number, step in enumerate(steps, 1)]
        if len({len(each.pages) for each in self.tilings}) > 1:
            counts = (words("zoning.count-of", zone=each.lattice.zone, count=len(each.pages)) for each in self.tilings)
            found.append(words("zoning.several-of", list=", ".join(counts)))
        if dropped := [name for each in self.tilings for name in each.dropped]:
            found.append(words("assembly.dropped", names=", ".join(dropped)))
        if skipped := [name for each in self.tilings if each.skipped for name in each.bare]:
            found.append(words("assembly.skipped", names=", ".join(skipped)))
        if len(self.tilings) < len(self.zones):
            found.append(words("zoning.some"))
        return found

    def sheets(self, place: Rect) -> list[Item]:
        scale = place.width / self.drawing.width
        printed = {each.lattice.zone for each in self.tilings}
        cells = {zone.name: _small_zone(zone.window, place, scale) for zone in self.zones}
        veiled = [cell for name, cell in cells.items() if name not in printed]
        items: list[Item] = [filled(veiled, VEIL)] if veiled else []
        for tiling in self.tilings:
            items += small_sheets(tiling, place)
        sides = [
            side
            for cell in cells.values()
            for side in ((cell.x, cell.y, cell.x, cell.top), (cell.x, cell.y, cell.right, cell.y))
        ]
        items += [lines(sides, Ink(255, 255, 255, 0.8), 1.6), lines(sides, BLACK, 0.7), frame(place, BLACK, 0.7)]
        for name, small in cells.items():
            items += _number(name, small)
        return items


def _small_zone(window: Rect, place: Rect, scale: float) -> Rect:
    return Rect(place.x + window.x * scale, place.y + window.y * scale, window.width * scale, window.height * scale)


def _number(name: str, cell: Rect) -> list[Item]:
    """Return the name of a zone, white on a black disc, in the upper left corner of its cell."""
    wide = max(measure(name, _NUMBER) / 2 + 0.8, _RADIUS)
    x, y = cell.x + wide + 0.7, cell.top - _RADIUS - 0.7
    turns = [math.tau * step / _ROUND for step in range(_ROUND)]
    points = [value for turn in turns for value in (x + wide * math.cos(turn), y + _RADIUS * math.sin(turn))]
    disc = Path((PathRun(tuple(round(value / GRID) for value in points)),), fill=BLACK)
    return [disc, *line(name, (x, y - 0.36 * _NUMBER.height), _NUMBER, anchor=Anchor.MIDDLE)]
