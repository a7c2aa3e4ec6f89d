"""A printer's profile: what it does to a sheet, pages corrected for it, and the profile as TOML.

A profile is in the sheet's own directions, the sheet upright: across is its short side, along its long side, whichever
way a page lies on it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Annotated, Final, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import astuple, replace

from printkit.core.errors import UsageError
from printkit.core.typed import read_toml
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Affine, Item, Path, Rect, Text
from printkit.drawing.canvas.layers import marks_drawing
from printkit.drawing.lettering.extent import PER_MM, Extent, box_of, extents, text_foot, text_length
from printkit.drawing.lettering.lettering import SMALL, line
from printkit.page.sheet import ONE, Document, Flip, Page, Placement, Sheet, intersect_rects

LEAST_MARGIN: Final = 5.0
"""The edge in mm that hardly any home printer reaches, and that cards keep clear of unless its profile says less."""

_TOUCH: Final = 0.2
"""What lies no more than this in mm beyond the margin is not outside: nobody would see it missing."""

_ASCENT: Final = 0.76
"""How far type rises above its foot, as a share of its size."""


class Margins(NamedTuple):
    """The edges in mm that a printer leaves white, the sheet upright."""

    left: float
    right: float
    top: float
    bottom: float

    @property
    def across(self) -> float:
        """Return what both sides keep free: a sheet that is turned over has its left margin at the right."""
        return max(self.left, self.right)

    @property
    def along(self) -> float:
        """Return what head and foot keep free."""
        return max(self.top, self.bottom)


class PrinterProfile(Struct, frozen=True, kw_only=True):
    """What a printer does to what is sent to it.

    ``scale_x`` and ``scale_y`` are printed mm per mm across and along the sheet. ``back_dx`` and ``back_dy`` say how
    far in mm a back comes too far to the right and too far up as one looks at it, when the sheet is turned over the
    edge that ``flip`` names.
    """

    name: str
    scale_x: float = 1.0
    scale_y: float = 1.0
    back_dx: float = 0.0
    back_dy: float = 0.0
    flip: Flip = Flip.LONG_EDGE
    margins: Margins | None = None

    @property
    def moves_backs(self) -> bool:
        """Return whether backs come to lie beside their fronts."""
        return bool(self.back_dx or self.back_dy)

    def sheet(self, sheet: Sheet, *, margin: float | None = None, backs: bool = False) -> Sheet:
        """Return a sheet with margins inside which everything is printed, also once it has been corrected.

        Args:
            sheet: the paper; its own margins count where nothing better is known.
            margin: what a person asked for, which goes before what was measured.
            backs: whether it is printed on both sides, so that there must be room to move the backs.
        """
        if math.isinf(sheet.width):
            return sheet
        upright = sheet.portrait
        room = upright.printable
        across, along = (room.x, room.y) if self.margins is None else (self.margins.across, self.margins.along)
        if margin is not None:
            across = along = margin
        moved = (abs(self.back_dx), abs(self.back_dy)) if backs else (0.0, 0.0)
        made = replace(
            upright,
            margin=_kept(upright.width, across, self.scale_x) + moved[0],
            head=_kept(upright.height, along, self.scale_y) + moved[1],
        )
        return made.rotated() if sheet.is_landscape else made


def _kept(length: float, margin: float, scale: float) -> float:
    """Return the margin inside which things still lie within ``margin`` when they are moved from the middle."""
    if math.isinf(length) or scale >= 1.0:
        return margin
    return length / 2 - (length / 2 - margin) * scale


class Corrected(Struct, frozen=True):
    """Pages that print true, and the labels of those on which something lies where the printer does not reach."""

    document: Document
    outside: tuple[str, ...] = ()


def apply_profile(document: Document, profile: PrinterProfile | None) -> Corrected:
    """Return a document such that the printer prints it true: stretched where it shrinks, backs moved to their fronts.

    Backs are moved only if the sheets are turned over the edge with which the profile was measured. Sheets that lie on
    their side are stood up for it, for a printer may turn them either way.
    """
    if profile is None:
        return Corrected(document)
    moving = profile.moves_backs and document.flip is profile.flip
    pages = tuple(
        _corrected(_stood_up(page) if moving and page.sheet.is_landscape else page, profile, moving=moving)
        for page in document.pages
    )
    outside = tuple(page.label for page in pages if _overruns(page, profile))
    return Corrected(replace(document, pages=pages), outside)


def with_line(page: Page, text: str) -> Page:
    """Return a page with a small line at its foot, for pages that have no imprint of their own to state a profile."""
    room = page.sheet.printable
    at = (max(room.x, 4.0), max(room.y, 2.0))
    line_below = Placement(marks_drawing(page.sheet.width, page.sheet.height, [*line(text, at, SMALL)]))
    return replace(page, placements=(*page.placements, line_below))


def _corrected(page: Page, profile: PrinterProfile, *, moving: bool) -> Page:
    sheet = page.sheet
    by_x, by_y = (profile.scale_y, profile.scale_x) if sheet.is_landscape else (profile.scale_x, profile.scale_y)
    right, up = (profile.back_dx, profile.back_dy) if moving and page.back else (0.0, 0.0)
    across, along = 1 / by_x, 1 / by_y
    if sheet.name == ONE:
        # Paper that is as large as what stands on it grows with it.
        larger = replace(sheet, width=sheet.width * across, height=sheet.height * along)
        return _changed(page, larger, Affine(across, 0.0, 0.0, along))
    x, y = sheet.width / 2 * (1 - across) - right * across, sheet.height / 2 * (1 - along) - up * along
    return _changed(page, sheet, Affine(across, 0.0, 0.0, along, x, y))


def _stood_up(page: Page) -> Page:
    """Return a page that lies on its side turned a quarter to the left, so that its sheet stands upright."""
    return _changed(page, page.sheet.rotated(), Affine(0.0, 1.0, -1.0, 0.0, page.sheet.height, 0.0))


def _changed(page: Page, sheet: Sheet, change: Affine) -> Page:
    placements = []
    for placement in page.placements:
        clip = None if placement.clip is None else moved(placement.clip, change)
        placements.append(Placement(placement.drawing, after(change, placement.transform), clip))
    trim = sheet.area if page.trim == page.sheet.area else intersect_rects(moved(page.trim, change), sheet.area)
    return replace(page, sheet=sheet, placements=tuple(placements), trim=trim)


def after(change: Affine, first: Affine) -> Affine:
    """Return the transform that does ``first``, then ``change``."""
    return Affine(
        change.a * first.a + change.c * first.b,
        change.b * first.a + change.d * first.b,
        change.a * first.c + change.c * first.d,
        change.b * first.c + change.d * first.d,
        *change.at(first.e, first.f),
    )


def moved(rect: Rect, change: Affine) -> Rect:
    """Return a rectangle after a transform that turns by quarters at most."""
    left, bottom, right, top = box_of(rect).apply_transform(change)
    return Rect(left / PER_MM, bottom / PER_MM, (right - left) / PER_MM, (top - bottom) / PER_MM)


def _overruns(page: Page, profile: PrinterProfile) -> bool:
    """Return whether something of a page lies outside the margins that were measured, or outside the sheet."""
    sheet = page.sheet
    if sheet.name == ONE:
        return False
    across, along = (0.0, 0.0) if profile.margins is None else (profile.margins.across, profile.margins.along)
    if sheet.is_landscape:
        across, along = along, across
    reach = box_of(Rect(across, along, sheet.width - 2 * across, sheet.height - 2 * along).padded(_TOUCH))
    return any(
        box.left < reach.left or box.bottom < reach.bottom or box.right > reach.right or box.top > reach.top
        for placement in page.placements
        for box in _shown(placement)
    )


def _shown(placement: Placement) -> Iterator[Extent]:
    """Yield the bounds of what a placement shows: its clip, or where it has none what it draws."""
    if placement.clip is not None:
        yield box_of(placement.clip)
        return
    for layer in placement.drawing.layers:
        for item in layer.items:
            yield from (box.apply_transform(placement.transform) for box in _bounds(item))


def _bounds(item: Item) -> list[Extent]:
    """Return how far an item reaches, closer than the bounds by which pages are culled.

    The width of lines and the tails of letters are left out: losing a hair of them is nothing to be told of.
    """
    match item:
        case Path() if item.runs:
            across = [x for run in item.runs for x in run.points[::2]]
            up = [y for run in item.runs for y in run.points[1::2]]
            return [Extent(min(across), min(up), max(across), max(up))]
        case Text() if item.content.strip() and not item.glyphs:
            (x, y), turn, height = text_foot(item), math.radians(item.angle), item.size_pt * MM_PER_POINT
            set_so = Affine(math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn), x, y)
            return [box_of(Rect(0.0, 0.0, text_length(item), _ASCENT * height)).apply_transform(set_so)]
        case _:
            return extents(item)


# --- Printer profiles as TOML: written for people to read, and read back with an eye on what cannot be ----------------

FARTHEST: Final = 0.15
"""How far a scale may be from 1: a sheet farther off was not printed at 100 %, or was measured wrongly."""

WIDEST: Final = 50.0
"""The widest margin in mm that is believed of a printer."""

OFF: Final = 10.0
"""How far in mm a back may lie beside its front."""

DIGITS: Final = 5
"""Decimals that are kept: a hundredth of a millimetre in a metre."""

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST: Final = 40

Scale = Annotated[float, Meta(ge=1 - FARTHEST, le=1 + FARTHEST)]
Offset = Annotated[float, Meta(ge=-OFF, le=OFF)]
Margin = Annotated[float, Meta(ge=0, le=WIDEST)]


class PrinterScale(Struct, frozen=True, forbid_unknown_fields=True):
    """Printed mm per mm, the sheet in portrait."""

    across: Scale = 1.0
    along: Scale = 1.0


class PrinterBacks(Struct, frozen=True, forbid_unknown_fields=True):
    """How far in mm backs come too far to the right and too far up, looking at the back."""

    right: Offset = 0.0
    up: Offset = 0.0
    flip: Flip = Flip.LONG_EDGE


class PrinterMargins(Struct, frozen=True, forbid_unknown_fields=True):
    """The edges in mm that a printer leaves white."""

    left: Margin
    right: Margin
    top: Margin
    bottom: Margin


class PrinterFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a printer profile."""

    scale: PrinterScale = PrinterScale()
    backs: PrinterBacks = PrinterBacks()
    margins: PrinterMargins | None = None


def checked_name(text: str) -> str:
    """Return the name of a printer, which is also that of its file.

    Raises:
        UsageError: it holds something else than letters, digits and hyphens, or is too long.
    """
    name = text.strip().lower()
    if _NAME.fullmatch(name) is None or len(name) > _LONGEST:
        raise UsageError(
            "{text!r} is not a valid printer name; use a-z, digits and hyphens, at most {longest} "
            "characters, for example office-laser",
            text=text,
            longest=_LONGEST,
        )
    return name


def text_of(profile: PrinterProfile) -> str:
    """Return a profile as TOML; what was not measured is left out."""
    lines = [
        "# What a printer does to a sheet, as printkit calibrate measured it. Lengths are in mm.",
        "",
        "[scale]  # printed mm per mm, the sheet upright",
        f"across = {_number(profile.scale_x)}",
        f"along = {_number(profile.scale_y)}",
    ]
    if profile.moves_backs:
        lines += [
            "",
            "[backs]  # how far they come too far to the right and too far up, looking at the back",
            f"right = {_number(profile.back_dx)}",
            f"up = {_number(profile.back_dy)}",
            f'flip = "{profile.flip}"',
        ]
    if profile.margins is not None:
        lines += ["", "[margins]  # what it leaves white"]
        lines += [f"{side} = {_number(value)}" for side, value in profile.margins._asdict().items()]
    return "\n".join(lines) + "\n"


def read(name: str, text: str, file: str) -> PrinterProfile:
    """Return the profile that the TOML text of a file contains.

    Raises:
        FileError: it does not contain one; names the line, the key and what is right.
    """
    values = read_toml(text, PrinterFile, file)
    return PrinterProfile(
        name=name,
        scale_x=values.scale.across,
        scale_y=values.scale.along,
        back_dx=values.backs.right,
        back_dy=values.backs.up,
        flip=values.backs.flip,
        margins=None if values.margins is None else Margins(*astuple(values.margins)),
    )


def _number(value: float) -> str:
    return f"{round(value, DIGITS) + 0.0:g}"
