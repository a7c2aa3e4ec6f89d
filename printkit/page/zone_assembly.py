"""The plan that goes before a map printed zone by zone: its zones, the sheets of each, and how all is joined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from printkit.core.words import Words
from printkit.drawing.canvas.items import GRID, Anchor, Drawing, Font, Ink, Item, Path, Rect, Run
from printkit.drawing.lettering.lettering import Hand, line, measure
from printkit.page.assembly import VEIL, joining_steps, lying, paper_name, plan_pages, small_sheets
from printkit.page.marks import Imprint
from printkit.page.ruling import BLACK, WHITE, filled, frame, lines
from printkit.page.sheet import Page, Sheet
from printkit.page.tiling import Tiling, Zone

_NUMBER: Final = Hand(font=Font.HEAVY, size_pt=9.0, ink=WHITE)
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
    """Return the plan of a map in zones on as few pages as it takes, upright.

    Args:
        tilings: the sheets of the zones that are printed, one after the other.
        zones: all zones of the map.
        overview: the map at any scale; it is put down to fit.
        blocks: legend, scales, title, key.
        sheet: the paper.
        imprint: the name of the pack and its seed.
        words: the language, or both, of the steps.

    Raises:
        PageError: a block is larger than a page.
    """
    puzzle = _Zones(tuple(tilings), tuple(zones))
    return plan_pages(puzzle, overview, blocks, sheet, imprint=imprint, words=words)


class _Zones(Struct, frozen=True):
    """A map over sheets zone by zone; ``zones`` are all, the tilings those that are printed."""

    tilings: tuple[Tiling, ...]
    zones: tuple[Zone, ...]

    @property
    def drawing(self) -> Drawing:
        return self.tilings[0].drawing

    @property
    def sheet(self) -> Sheet:
        return self.tilings[0].lattice.sheet

    def taken(self, words: Words) -> str:
        first = self.tilings[0].lattice
        zones, paper = words("zoning.zones", count=len(self.tilings)), paper_name(first.sheet)
        shapes = {(each.lattice.columns, each.lattice.rows, each.lattice.lies) for each in self.tilings}
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
        if len(self.tilings) < len(self.zones):
            found.append(words("zoning.some"))
        return found

    def sheets(self, place: Rect) -> list[Item]:
        scale = place.width / self.drawing.width
        printed = {each.lattice.zone for each in self.tilings}
        cells = {zone.name: _small(zone.window, place, scale) for zone in self.zones}
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
        for name, cell in cells.items():
            items += _number(name, cell)
        return items


def _small(window: Rect, place: Rect, scale: float) -> Rect:
    return Rect(place.x + window.x * scale, place.y + window.y * scale, window.width * scale, window.height * scale)


def _number(name: str, cell: Rect) -> list[Item]:
    """Return the name of a zone, white on black, in its upper left corner."""
    wide = max(measure(name, _NUMBER) / 2 + 0.8, _RADIUS)
    x, y = cell.x + wide + 0.7, cell.top - _RADIUS - 0.7
    turns = [math.tau * step / _ROUND for step in range(_ROUND)]
    points = [value for turn in turns for value in (x + wide * math.cos(turn), y + _RADIUS * math.sin(turn))]
    disc = Path((Run(tuple(round(value / GRID) for value in points)),), fill=BLACK)
    return [disc, *line(name, (x, y - 0.36 * _NUMBER.height), _NUMBER, anchor=Anchor.MIDDLE)]
