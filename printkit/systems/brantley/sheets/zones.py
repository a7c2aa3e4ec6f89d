"""Zone sheets: each zone of a board to scale on a sheet, which is placed face down and turned over later."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.content.cards import CardSize
from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Affine, Drawing, Rect
from printkit.drawing.cards.back import secret_back
from printkit.drawing.cards.layouts import card_layout
from printkit.page.imposition import CardSheet, card_marks
from printkit.page.leaflets import reading_sheet
from printkit.page.marks import Imprint
from printkit.page.printer import LEAST_MARGIN, apply_profile
from printkit.page.sheet import Document, Flip, Page, Placement, Sheet
from printkit.page.slots import Slots, fit_slots, flips_left_right, mirror_to_back
from printkit.recipes.output.printers import SheetContext
from printkit.systems.brantley.dealing.deal import ZONES
from printkit.systems.brantley.sheets.cut_outs import draw_plain_board, draw_zone_back
from printkit.systems.brantley.sheets.zone_board import sides
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record

# How a zone is divided across and up if it does not fit a sheet, the fewest parts first.
_SPLITS: Final = ((1, 1), (2, 1), (2, 2), (3, 2), (3, 3))

_ZONES_PER_SIDE: Final = 3
# Rounding step in mm for backs: twice the grid of drawings, so that their halves are on the grid.
_ROUNDING_MM: Final = 0.02


class _Part(Struct, frozen=True, kw_only=True):
    """A zone, or part ``number`` (from 1) of ``count``, with its windows on the board and on the back.

    Windows are in mm at 1:1. ``front`` is measured from the corner of the board, ``back`` from the corner of the zone.
    """

    zone: int
    number: int
    count: int
    front: Rect
    back: Rect


def build_zone_document(record: Record, order: SheetContext, *, flip: Flip = Flip.LONG_EDGE) -> Document:
    """Return the zones of a board as a document for printing on both sides.

    ``flip`` is the edge on which the printer turns the sheet.

    Raises:
        PageError: the paper is too small.
    """
    document = Document(
        title=order.words("brantley.sheets.zone.sheets"),
        pages=build_zone_pages(record, order, flip=flip),
        language=order.words.code,
        flip=flip,
    )
    return apply_profile(document, order.profile).document


def build_zone_pages(record: Record, order: SheetContext, *, flip: Flip = Flip.LONG_EDGE) -> tuple[Page, ...]:
    """Return every zone to scale with a secret back, in parts if the sheet is too small for a zone.

    Each page of fronts is followed by the page of their backs. They extend to the edge that printers can reach, because
    a zone of eight inches just fits a Letter sheet. ``flip`` is the edge on which the printer turns the sheet.

    Raises:
        PageError: the paper is too small even for a ninth of a zone.
    """
    field = record.battlefield
    slots, split = _plan_slots(field, order.sheet)
    side = round(field.board.width / _ZONES_PER_SIDE / _ROUNDING_MM) * _ROUNDING_MM
    size = CardSize(name="zone", width=side, height=side)
    far, _ = sides(order.words)
    press = _Press(
        order=order,
        slots=slots,
        flip=flip,
        board=draw_plain_board(record, order),
        secret=secret_back(card_layout(size, style=order.style, words=order.words)),
        back_drawings={zone: draw_zone_back(str(zone), side, far, order.drafter) for zone in ZONES},
    )
    parts = [part for zone in ZONES for part in _split_zone(zone, field, split)]
    pages: list[Page] = []
    for first in range(0, len(parts), slots.count):
        pages += press.sheet(parts[first : first + slots.count])
    return tuple(pages)


class _Press(Struct, frozen=True, kw_only=True):
    """Makes the pages; ``back_drawings`` has the additions to the secret back of each zone."""

    order: SheetContext
    slots: Slots
    flip: Flip
    board: Drawing
    secret: Drawing
    back_drawings: Mapping[int, Drawing]

    def sheet(self, parts: Sequence[_Part]) -> tuple[Page, Page]:
        """Return a page with the fronts of parts in its slots, and the page with their backs, mirrored for printing."""
        fronts = [self.slots.slot(place) for place in range(len(parts))]
        front_placements = [
            Placement(self.board, Affine(e=place.x - part.front.x, f=place.y - part.front.y), place)
            for part, place in zip(parts, fronts, strict=True)
        ]
        upright = flips_left_right(self.slots.sheet, self.flip)
        backs = [mirror_to_back(place, self.slots.sheet, self.flip) for place in fronts]
        back_placements = [
            Placement(drawing, _back_transform(part.back, place, upright=upright), place)
            for part, place in zip(parts, backs, strict=True)
            for drawing in (self.secret, self.back_drawings[part.zone])
        ]
        return self._make_page(parts, fronts, front_placements, back=False), self._make_page(
            parts, backs, back_placements, back=True
        )

    def _make_page(
        self, parts: Sequence[_Part], places: Sequence[Rect], contents: Sequence[Placement], *, back: bool
    ) -> Page:
        """Return a page of fronts or of backs, with its marks and labels.

        ``parts`` are in the order of ``places``, which are in mm on paper. ``contents`` are their drawings. ``back`` is
        True for a page of backs.
        """
        words = self.order.words
        notes = [_part_label(part, self.order, back=back) for part in parts]
        if parts[0].count > 1:
            notes.append(words("brantley.sheets.zone.join"))
        # The title of a battlefield comes from its names and would reveal its terrain.
        imprint = Imprint(title=words("brantley.sheets.zone.sheets"), profile=self._printer)
        marks = CardSheet(
            slots=self.slots,
            cards=places,
            line=imprint.format_line(words, *notes, words(f"imposition.turn-{self.flip}")),
            outlined=not back,
        )
        label = ", ".join(dict.fromkeys(str(part.zone) for part in parts))
        return Page(
            sheet=self.slots.sheet,
            placements=(*contents, Placement(card_marks(marks, words))),
            trim=marks.block,
            label=words.each()[0]("imposition.label-back", number=label) if back else label,
            bookmark="" if back or parts[0].number > 1 else words("dealing.zone", zone=label),
            back=back,
        )

    @property
    def _printer(self) -> str:
        """Return the name of the printer profile; empty without one."""
        return "" if self.order.profile is None else self.order.profile.name


def _plan_slots(field: Battlefield, sheet: Sheet) -> tuple[Slots, tuple[int, int]]:
    """Return the slots of a sheet, and the number of parts across and up into which each zone is split.

    The first split in ``_SPLITS`` that fits is used; a roll is replaced by a sheet for reading.

    Raises:
        PageError: the paper is too small even for a ninth of a zone.
    """
    sheet = reading_sheet(sheet) if math.isinf(sheet.width + sheet.height) else sheet
    head = None if sheet.head is None else min(sheet.head, LEAST_MARGIN)
    wide_sheet = replace(sheet, margin=min(sheet.margin, LEAST_MARGIN), head=head)
    side = field.board.width / _ZONES_PER_SIDE, field.board.depth / _ZONES_PER_SIDE
    last_error: PageError | None = None
    for columns, rows in _SPLITS:
        try:
            return fit_slots(side[0] / columns, side[1] / rows, wide_sheet), (columns, rows)
        except PageError as error:
            last_error = error
    raise last_error or PageError("the board has no zones")


def _split_zone(zone: int, field: Battlefield, split: tuple[int, int]) -> list[_Part]:
    """Return the parts of a zone in reading order, numbered from 1; each has a window on the front and on the back.

    Windows are in mm on the board. ``front`` is measured from the lower left corner of the board. ``back`` is measured
    from the lower left corner of the zone's back, where left and right are swapped. ``split`` is the number of parts
    across and up.
    """
    row, column = divmod(zone - 1, _ZONES_PER_SIDE)
    width, depth = field.board.width / _ZONES_PER_SIDE, field.board.depth / _ZONES_PER_SIDE
    left, low = column * width, field.board.depth - (row + 1) * depth
    columns, rows = split
    part_width, part_height = width / columns, depth / rows
    parts = []
    for number in range(columns * rows):
        row_in_zone, column_in_zone = divmod(number, columns)
        x, y = column_in_zone * part_width, depth - (row_in_zone + 1) * part_height
        front, back = (
            Rect(left + x, low + y, part_width, part_height),
            Rect(width - x - part_width, y, part_width, part_height),
        )
        parts.append(_Part(zone=zone, number=number + 1, count=columns * rows, front=front, back=back))
    return parts


def _back_transform(window: Rect, place: Rect, *, upright: bool) -> Affine:
    """Return the transform from a window of a back to its place; both are in mm at 1:1.

    It rotates by 180 degrees if ``upright`` is False.
    """
    if upright:
        return Affine(e=place.x - window.x, f=place.y - window.y)
    return Affine(-1.0, 0.0, 0.0, -1.0, place.right + window.x, place.top + window.y)


def _part_label(part: _Part, order: SheetContext, *, back: bool) -> str:
    """Return the label of a zone, front or back, or of a part of a zone."""
    words = order.words
    if part.count > 1:
        return words("brantley.sheets.zone.half", zone=part.zone, part=part.number, count=part.count)
    return words(f"brantley.sheets.zone.{'back' if back else 'front'}", zone=part.zone)
