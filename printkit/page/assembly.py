"""The assembly plan: a small map with the names of its sheets, and the steps to join them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct

from printkit.content.prose import Block, Paragraph, Space, Steps
from printkit.core.words import Words
from printkit.drawing.canvas.items import Affine, Anchor, Drawing, Font, Ink, Item, Rect, Stroke
from printkit.drawing.canvas.layers import drawing_items, marks_drawing
from printkit.drawing.canvas.plain import BLACK, WHITE, make_frame, make_lines, make_polygon, make_rectangles
from printkit.drawing.lettering.lettering import SMALL, TypeStyle, line, measure, shorten, wrap_words
from printkit.drawing.text.text_styles import black_text_style
from printkit.page.check_bars import CARD_LONG, CARD_SHORT, check_bar
from printkit.page.lattice import Lattice
from printkit.page.marks import Imprint, visible_part
from printkit.page.sheet import Page, Placement, Sheet
from printkit.page.slots import SHELF_GAP, ShelfPosition, place_on_shelves
from printkit.page.tiling import Tiling, Zone

_TITLE: Final = TypeStyle(font=Font.ROMAN, size_pt=20.0, ink=BLACK)
# Size of the steps in points, in one language and in two.
_BODY_PT: Final = 10.0
_BODY_OF_TWO_PT: Final = 8.5
_BETWEEN_LANGUAGES: Final = 1.0
# Leading of the steps, and a factor for the gaps between them.
_SPACING: Final = (1.2, 2.6)
_NAME: Final = TypeStyle(font=Font.BANNER, size_pt=18.0, ink=BLACK, halo=Stroke(WHITE, 1.2))
_CARD_TEXT: Final = TypeStyle(font=Font.ROMAN, size_pt=10.0, ink=BLACK)
# The outline of a bank card in mm: the radius of its corners (ISO/IEC 7810) and the width of its line.
_CARD_CORNER: Final = 3.18
_CARD_LINE: Final = 0.2
_HEAD: Final = 19.0
_FOOT: Final = 14.0
_SIDE: Final = 9.0
# Covers the parts that are not printed.
VEIL: Final = Ink(255, 255, 255, 0.75)

# Shares of the page for the small map; the plan uses the largest that needs the fewest pages and has room for a card.
_SHARES: Final = (0.62, 0.54, 0.46, 0.38)


class AssemblyPlan(Protocol):
    """Protocol for the assembly page: the map, its sheets, and their texts and drawings."""

    @property
    def drawing(self) -> Drawing:
        """Return the drawing of the map at actual size, in mm."""
        ...

    def describe_paper(self, words: Words) -> str:
        """Return a text about the paper that the map needs: number of sheets, paper name and position."""
        ...

    def steps(self, words: Words) -> list[Block]:
        """Return the numbered steps in one language, and notes after them."""
        ...

    def sheets(self, place: Rect) -> list[Item]:
        """Return the edges and names of the sheets on the small map; ``place`` is its area on the page, in mm."""
        ...


class _Plan(Struct, frozen=True):
    """The layout of the plan: the small map, the steps next to it, and the positions of the blocks, in mm on paper.

    ``card`` is the position of the outline of a bank card, or None if the first page has no room for it.
    """

    map: Rect
    steps: list[Item]
    positions: list[ShelfPosition]
    card: ShelfPosition | None

    @property
    def pages(self) -> int:
        """Return the number of pages of the plan."""
        return 1 + max((position.page for position in self.positions), default=0)


def assembly_plan_pages(
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
    assembly_plan: AssemblyPlan,
    overview: Drawing,
    blocks: Sequence[Drawing],
    sheet: Sheet,
    *,
    imprint: Imprint,
    words: Words,
) -> tuple[Page, ...]:
    """Return the plan of anything that is assembled from sheets; a block keeps its size.

    ``assembly_plan_pages`` uses it for a map.

    Args:
        assembly_plan: the map, its sheets and the texts about them.
        overview: the map at any scale; it is scaled to fit.
        blocks: legend, scales, title and key; they are not resized.
        sheet: the paper, with a fixed size.
        imprint: the name of the pack and its seed.
        words: the language or languages of the steps.

    Raises:
        PageError: a block is larger than a page.
    """
    paper = sheet.portrait
    free = plan_area(paper)
    plans = [_lay_out_plan(assembly_plan, blocks, free, share=share, words=words) for share in _SHARES]
    plan = min(plans, key=lambda candidate: (candidate.pages, candidate.card is None))
    label = words.each()[0]("marks.plan-label")
    pages = []
    for number in range(plan.pages):
        first = number == 0
        items = _heading(assembly_plan, free, imprint, words, first=first)
        items += _foot(free, words)
        placements = [
            Placement(position.drawing, Affine(e=position.x, f=position.y))
            for position in (*plan.positions, *([plan.card] if plan.card else ()))
            if position.page == number
        ]
        if first:
            placements.insert(0, _place_overview(overview, plan.map))
            items += assembly_plan.sheets(plan.map) + plan.steps
        placements.append(Placement(marks_drawing(paper.width, paper.height, items)))
        pages.append(
            paper.page(
                *placements,
                label=label if first else f"{label} {number + 1}",
                bookmark=words("marks.plan-bookmark") if first else "",
            )
        )
    return tuple(pages)


def plan_area(sheet: Sheet) -> Rect:
    """Return the area for blocks on a plan page, in mm on paper, without heading and check bars."""
    free = sheet.portrait.printable
    return Rect(free.x, free.y + _FOOT, free.width - _SIDE, free.height - _FOOT - _HEAD)


def _lay_out_plan(
    assembly_plan: AssemblyPlan, blocks: Sequence[Drawing], area: Rect, *, share: float, words: Words
) -> _Plan:
    """Return the positions of the small map, the steps and the blocks.

    Args:
        assembly_plan: the map and its texts.
        blocks: the drawings below the map.
        area: the free area of a page, in mm on paper.
        share: the largest share of the width and height that the map takes, 0 to 1.
        words: the language or languages of the steps.

    Raises:
        PageError: a block is larger than a page.
    """
    scale = min(area.width * share / assembly_plan.drawing.width, area.height * share / assembly_plan.drawing.height)
    width, height = assembly_plan.drawing.width * scale, assembly_plan.drawing.height * scale
    map_area = Rect(area.x, area.top - height, width, height)
    left = map_area.right + SHELF_GAP
    steps = _set_steps(assembly_plan, area.right - left, words)
    ends = min(map_area.y, area.top - steps.height)
    below = Rect(area.x, area.y, area.width, max(ends - 2 * SHELF_GAP - area.y, 0.0))
    step_items = drawing_items(steps, left, area.top - steps.height)
    card, top = _draw_card(words), area.top - steps.height - SHELF_GAP
    positions = place_on_shelves(blocks, below, area)
    if card.width <= area.right - left and card.height <= top - map_area.y:
        return _Plan(map_area, step_items, positions, ShelfPosition(card, 0, left, top - card.height))
    plan = _Plan(map_area, step_items, positions, None)
    if card.width > below.width or card.height > below.height:
        return plan
    for number in range(len(blocks), -1, -1):
        positions = place_on_shelves([*blocks[:number], card, *blocks[number:]], below, area)
        full_plan = _Plan(map_area, step_items, positions, positions.pop(number))
        if full_plan.card is not None and full_plan.card.page == 0 and full_plan.pages <= plan.pages:
            return full_plan
    return plan


def _draw_card(words: Words) -> Drawing:
    """Return the outline of a bank card at actual size, with a line of text in each language."""
    inner_area = Rect(0.0, 0.0, CARD_LONG, CARD_SHORT).padded(-_CARD_CORNER)
    x, top = inner_area.right, inner_area.top
    corners = ((x, top), (inner_area.x, top), (inner_area.x, inner_area.y), (x, inner_area.y))
    turns = [
        (corner, math.radians(90 * number + 10 * step)) for number, corner in enumerate(corners) for step in range(10)
    ]
    points = [(x + _CARD_CORNER * math.cos(turn), y + _CARD_CORNER * math.sin(turn)) for (x, y), turn in turns]
    items: list[Item] = [make_polygon(points, None, Stroke(BLACK, _CARD_LINE))]
    texts = [language("assembly.card") for language in words.each()]
    rows = [row for text in texts for row in wrap_words(text, _CARD_TEXT, inner_area.width)]
    y = (CARD_SHORT + (len(rows) - 2) * _CARD_TEXT.height * _SPACING[0]) / 2
    for row in rows:
        items += line(row, (CARD_LONG / 2, y), _CARD_TEXT, anchor=Anchor.MIDDLE)
        y -= _CARD_TEXT.height * _SPACING[0]
    return marks_drawing(CARD_LONG, CARD_SHORT, items)


def _heading(assembly_plan: AssemblyPlan, area: Rect, imprint: Imprint, words: Words, *, first: bool) -> list[Item]:
    """Return the items of the title, the imprint and a line below them, above ``area`` on the page.

    ``area`` is the free area in mm on paper. ``first`` is False for a continued page.
    """
    title = words("assembly.title" if first else "assembly.continued")
    style = _TITLE.resize(min(1.0, area.width / measure(title, _TITLE)))
    items: list[Item] = [*line(title, (area.x, area.top + _HEAD - 7.0), style)]
    rows = [imprint.format_line(language, assembly_plan.describe_paper(language)) for language in words.each()]
    # The names of the players follow the first row with enough space. With one language they can have a second row.
    rows_with_players = [imprint.add_players(row, area.width) for row in rows]
    place = next((number for number, row in enumerate(rows_with_players) if row), None)
    if place is not None:
        rows[place] = rows_with_players[place]
    elif len(rows) == 1:
        rows += [imprint.longest_players(area.width)]
    for number, row in enumerate(rows):
        text = shorten(row, SMALL, area.width)
        items += line(text, (area.x, area.top + _HEAD - 11.5 - 2.8 * number), SMALL)
    return [*items, make_lines([(area.x, area.top + 3.5, area.right, area.top + 3.5)], BLACK, 0.3)]


def _foot(area: Rect, words: Words) -> list[Item]:
    """Return check bars on both axes at the foot of a plan; ``area`` is the free area in mm on paper.

    The horizontal bar is below the area, the vertical one to its right. The plan is printed first and shows whether the
    printer keeps the scale.
    """
    bar = check_bar(area.width, words)
    y = area.y - 4.0
    text = shorten(words("marks.true-size"), SMALL, area.width - bar.total_length)
    vertical_bar = check_bar(area.height, words)
    vertical_items = vertical_bar.draw_vertical(area.right + _SIDE + 1.4, area.y)
    return [
        *bar.draw_horizontal(area.x, y),
        *vertical_items,
        *line(text, (area.x + bar.total_length + 2.0, y - 3.0), SMALL),
    ]


def _place_overview(overview: Drawing, place: Rect) -> Placement:
    """Return the overview scaled to the width of ``place``, an area of the page in mm on paper."""
    scale = place.width / overview.width
    return Placement(overview, Affine(scale, 0.0, 0.0, scale, place.x, place.y), place)


def draw_small_sheets(tiling: Tiling, place: Rect) -> list[Item]:
    """Return the edges and names of the sheets on the small map; sheets that are not printed are faded.

    Args:
        tiling: the sheets of the whole map or of one zone.
        place: the area of the small map, in mm on paper.
    """
    lattice, scale = tiling.lattice, place.width / tiling.drawing.width
    labels = [page.label for page in tiling.pages]
    edges: list[tuple[float, float, float, float]] = []
    faded_areas: list[Rect] = []
    names: list[Item] = []
    for tile in lattice.tiles():
        visible = visible_part(lattice, tile)
        x, y = place.x + (lattice.at[0] + visible.x) * scale, place.y + (lattice.at[1] + visible.y) * scale
        width, height = visible.width * scale, visible.height * scale
        if tile.column > 0:
            edges.append((x, y, x, y + height))
        if tile.row < lattice.rows - 1:
            edges.append((x, y, x + width, y))
        if tile.name not in labels:
            faded_areas.append(Rect(x, y, width, height))
            continue
        wide = measure(tile.name, _NAME)
        if lattice.zone and _is_crowded(tile.name, width, height):
            continue
        style = _NAME.resize(min(1.0, 0.6 * width / wide, 0.6 * height / _NAME.height), minimum_pt=SMALL.size_pt)
        position = (x + width / 2, y + height / 2 - style.height * 0.36)
        names += line(tile.name, position, style, anchor=Anchor.MIDDLE)
    items: list[Item] = [make_rectangles(faded_areas, VEIL)] if faded_areas else []
    if edges:
        items += [make_lines(edges, Ink(255, 255, 255, 0.8), 0.9), make_lines(edges, BLACK, 0.25)]
    return [*items, *names]


def _is_crowded(name: str, width: float, height: float) -> bool:
    """Return whether the name of a sheet is too large for its cell on the plan.

    The cell is ``width`` x ``height`` mm on paper.
    """
    least = _NAME.resize(0.0, minimum_pt=SMALL.size_pt)
    return measure(name, least) > 0.92 * width or least.height > height


def _set_steps(assembly_plan: AssemblyPlan, width: float, words: Words) -> Drawing:
    """Return the steps as text ``width`` mm wide on paper, one language below the other; smaller if there are two."""
    # Imported here because a map on one sheet has no plan, and does not need the typesetting modules.
    from printkit.drawing.text.typesetting import lay_out_blocks, stack_blocks

    blocks: list[Block] = []
    for language in words.each():
        blocks += [*([Space(_BETWEEN_LANGUAGES)] if blocks else []), *assembly_plan.steps(language)]
    style = black_text_style(_BODY_PT if len(words.languages) == 1 else _BODY_OF_TWO_PT, words.languages[0])
    style = style.with_spacing(*_SPACING)
    return stack_blocks(lay_out_blocks(blocks, width, style), width)


class _Sheets(Struct, frozen=True):
    """The assembly plan data of a map in one tiling."""

    tiling: Tiling

    @property
    def drawing(self) -> Drawing:
        """Return the drawing of the map at actual size, in mm."""
        return self.tiling.drawing

    def describe_paper(self, words: Words) -> str:
        """Return a text about the paper: number of sheets, paper name, portrait or landscape."""
        lattice = self.tiling.lattice
        count = len(self.tiling.pages)
        paper = paper_name(lattice.sheet)
        text = words("assembly.sheets", count=count, paper=paper, columns=lattice.columns, rows=lattice.rows)
        return f"{text}, {orientation_word(lattice, words)}"

    def steps(self, words: Words) -> list[Block]:
        """Return the numbered steps to print and join the sheets, and notes after them."""
        blocks: list[Block] = [Steps(tuple(joining_steps(self.tiling, words)))]
        if self.tiling.dropped:
            blocks.append(Paragraph(words("assembly.dropped", names=", ".join(self.tiling.dropped))))
        if self.tiling.skipped and self.tiling.bare:
            blocks.append(Paragraph(words("assembly.skipped", names=", ".join(self.tiling.bare))))
        return blocks

    def sheets(self, place: Rect) -> list[Item]:
        """Return the edges and names of the sheets on the small map, in the area ``place`` in mm on paper."""
        return [make_frame(place, BLACK, 0.3), *draw_small_sheets(self.tiling, place)]


def paper_name(sheet: Sheet) -> str:
    """Return the name of a sheet's paper for display, for example ``A4`` or ``24in roll``; it is not translated."""
    return sheet.name.replace("-", " ").capitalize()


def orientation_word(lattice: Lattice, words: Words) -> str:
    """Return the word for portrait or landscape, for the sheets of a lattice."""
    return words("assembly.lying") if lattice.sheet.is_landscape else words("assembly.upright")


def joining_steps(tiling: Tiling, words: Words) -> list[str]:
    """Return the steps to print, cut and glue the sheets of a tiling, in the language or languages of ``words``.

    The steps have no numbers. A single sheet has only two.
    """
    lattice = tiling.lattice
    printing = words("assembly.step-print", length=10)
    if lattice.count == 1:
        return [printing, words("assembly.step-single")]
    labels = [page.label for page in tiling.pages]
    lowest = [
        tile.name for tile in reversed(list(lattice.tiles())) if tile.name in labels and tile.row == lattice.rows - 1
    ]
    corner = lowest[-1] if lowest else labels[-1]
    steps = [printing, words("assembly.step-cut")]
    steps.append(words("assembly.step-row", corner=corner, overlap=f"{lattice.overlap:g}"))
    if lattice.rows > 1:
        steps.append(words("assembly.step-rows"))
    return [*steps, words("assembly.step-trim")]


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
    assembly_plan = _Zones(tuple(tilings), tuple(zones))
    return plan_pages(assembly_plan, overview, blocks, sheet, imprint=imprint, words=words)


class _Zones(Struct, frozen=True):
    """The assembly plan data of a map in zones: the printed ``tilings``, and all ``zones``."""

    tilings: tuple[Tiling, ...]
    zones: tuple[Zone, ...]

    @property
    def drawing(self) -> Drawing:
        """Return the drawing of the map in zones at actual size, in mm."""
        return self.tilings[0].drawing

    def describe_paper(self, words: Words) -> str:
        """Return a text about the paper: number of zones and sheets, and paper name.

        If all zones have equal sheets, the number is that of each zone, with columns, rows and portrait or landscape.
        Otherwise it is the number of all sheets.
        """
        first = self.tilings[0].lattice
        zones, paper = words("zoning.zones", count=len(self.tilings)), paper_name(first.sheet)
        shapes = {
            (tiling.lattice.columns, tiling.lattice.rows, tiling.lattice.sheet.is_landscape) for tiling in self.tilings
        }
        counts = [len(tiling.pages) for tiling in self.tilings]
        if len(shapes) > 1 or len(set(counts)) > 1:
            return words("zoning.several", zones=zones, count=sum(counts), paper=paper)
        return words(
            "zoning.each",
            zones=zones,
            count=counts[0],
            paper=paper,
            columns=first.columns,
            rows=first.rows,
            lies=orientation_word(first, words),
        )

    def steps(self, words: Words) -> list[Block]:
        """Return the numbered steps to print and join the sheets, then notes."""
        longest = max(self.tilings, key=lambda tiling: (tiling.lattice.count, tiling.lattice.rows))
        steps = [words("zoning.step-zone"), *joining_steps(longest, words)]
        if len(self.tilings) > 1:
            steps.append(words("zoning.step-join"))
        notes: list[str] = []
        if len({len(tiling.pages) for tiling in self.tilings}) > 1:
            counts = (
                words("zoning.count-of", zone=tiling.lattice.zone, count=len(tiling.pages)) for tiling in self.tilings
            )
            notes.append(words("zoning.several-of", list=", ".join(counts)))
        if dropped := [name for tiling in self.tilings for name in tiling.dropped]:
            notes.append(words("assembly.dropped", names=", ".join(dropped)))
        if skipped := [name for tiling in self.tilings if tiling.skipped for name in tiling.bare]:
            notes.append(words("assembly.skipped", names=", ".join(skipped)))
        if len(self.tilings) < len(self.zones):
            notes.append(words("zoning.some"))
        return [Steps(tuple(steps)), *map(Paragraph, notes)]

    def sheets(self, place: Rect) -> list[Item]:
        """Return the edges and names of zones and sheets on the small map at ``place``.

        Items are in mm on paper, and zones that are not printed are faded.
        """
        scale = place.width / self.drawing.width
        printed_zones = {zone_tiling.lattice.zone for zone_tiling in self.tilings}
        cells = {zone.name: _small_zone(zone.window, place, scale) for zone in self.zones}
        faded_areas = [cell for name, cell in cells.items() if name not in printed_zones]
        items: list[Item] = [make_rectangles(faded_areas, VEIL)] if faded_areas else []
        for tiling in self.tilings:
            items += draw_small_sheets(tiling, place)
        sides = [
            side
            for cell in cells.values()
            for side in ((cell.x, cell.y, cell.x, cell.top), (cell.x, cell.y, cell.right, cell.y))
        ]
        items += [
            make_lines(sides, Ink(255, 255, 255, 0.8), 1.6),
            make_lines(sides, BLACK, 0.7),
            make_frame(place, BLACK, 0.7),
        ]
        for name, zone_area in cells.items():
            items += _draw_zone_name(name, zone_area)
        return items


def _small_zone(window: Rect, place: Rect, scale: float) -> Rect:
    """Return the area of a zone on the small map at ``place``, in mm on paper.

    ``window`` is its area in the drawing, in mm, and ``scale`` mm on paper per mm of the drawing.
    """
    return Rect(place.x + window.x * scale, place.y + window.y * scale, window.width * scale, window.height * scale)


def _draw_zone_name(name: str, cell: Rect) -> list[Item]:
    """Return the name of a zone, white on a black disc, at the upper left of its cell (mm on paper)."""
    wide = max(measure(name, _NUMBER) / 2 + 0.8, _RADIUS)
    x, y = cell.x + wide + 0.7, cell.top - _RADIUS - 0.7
    turns = [math.tau * step / _ROUND for step in range(_ROUND)]
    disc = make_polygon([(x + wide * math.cos(turn), y + _RADIUS * math.sin(turn)) for turn in turns], BLACK)
    return [disc, *line(name, (x, y - 0.36 * _NUMBER.height), _NUMBER, anchor=Anchor.MIDDLE)]
