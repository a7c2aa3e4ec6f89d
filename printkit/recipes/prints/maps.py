"""Print a record as a map: draw the board, add title and furniture, and divide it into sheets."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import asdict, replace

from printkit.core.errors import UsageError
from printkit.core.units import DPI, parse_length, validate_bleed
from printkit.core.words import Words
from printkit.drawing.dressing.countryside_types import DressingLevel
from printkit.drawing.furniture.furniture import Furniture
from printkit.options.printing import MapOptions, validate_parts
from printkit.options.table import MAX_NUMBER
from printkit.page.printer import PrinterProfile
from printkit.page.sheet import Sheet
from printkit.recipes.output.printers import PrintContext, print_context
from printkit.recipes.prints.map_ground import validate_climate
from printkit.recipes.prints.map_key import KeyKind
from printkit.terrain.field.record import Record

# The parts of a map that ``--hide`` can leave out.
SHOWN: Final = ("numbers", "names", "zones", "deployment", "grid")


# The scale that fits a map to one sheet, and the form of any other scale.
FIT: Final = "fit"
_RATIO: Final = re.compile(r"1\s*:\s*([0-9]{1,40}(?:\.[0-9]{1,40})?)")


class MapContext(PrintContext[MapOptions], frozen=True, kw_only=True):
    """The context of a map; its properties parse the options that are text."""

    @property
    def scale(self) -> float | None:
        """Return printed mm per mm of the board, or None to fit the map on one page."""
        return parse_scale(self.asked.scale)

    @property
    def overlap(self) -> float:
        """Return the overlap of neighbouring sheets in mm on paper."""
        return parse_length(self.asked.overlap)

    @property
    def bleed(self) -> float:
        """Return the bleed in mm on paper on every side of a sheet as large as the map; 0 without bleed."""
        return validate_bleed(parse_length(self.asked.bleed))

    @property
    def furniture(self) -> Furniture | None:
        """Return the furniture around the board, or None for the default."""
        return None if self.asked.furniture is None else Furniture(self.asked.furniture)

    @property
    def zones(self) -> tuple[str, ...] | None:
        """Return the zones to print separately, empty for all zones; None to print the board in one piece."""
        return _parse_only(self.asked.only)[0]

    @property
    def reprint(self) -> tuple[str, ...]:
        """Return the names of the sheets to print again, empty for all sheets."""
        return _parse_only(self.asked.only)[1]

    @property
    def dpi(self) -> int:
        """Return the resolution of pictures in dots per inch."""
        return parse_dpi(self.asked.dpi)[0]

    @property
    def pixels(self) -> int | None:
        """Return the pixels per cell for a picture of the board only, or None for sheets."""
        return parse_dpi(self.asked.dpi)[1]

    def prints_plan(self, record: Record, formats: Sequence[str]) -> bool:
        """Return whether a PDF has the plan to build a battlefield, because the user has its pieces."""
        return bool(record.box) and "pdf" in formats and not self.asked.only

    def on_one_sheet(self, sheet: Sheet) -> MapContext:
        """Return a context that prints the complete map on one sheet, with title and legend."""
        return replace(self, asked=replace(self.asked, scale=FIT, furniture=None), sheet=sheet)


# The value of ``--only`` for all zones separately, in capitals.
_ZONES: Final = "ZONES"
_ZONE: Final = re.compile(r"Z(\d{1,3})")
_DOTS: Final = re.compile(r"(\d{1,6})(/cell)?")

LABELS: Final = "labels"  # the value of ``--show`` for a painted board
PAPER_MAP: Final = "map"  # the value of ``--with`` for the paper map as well as the building plan


def map_context(options: MapOptions, words: Words, profile: PrinterProfile | None = None) -> MapContext:
    """Validate the options of a map and return their context.

    ``profile`` has the corrections of a printer; None without them.

    Raises:
        UsageError: a paper, length, furniture or scale is not valid, or cannot be combined with zones or a bleed.
        PrintkitError: a style file cannot be read.
    """
    parse_length(options.overlap)
    if options.furniture is not None and options.furniture not in list(Furniture):
        raise UsageError(
            "unknown --furniture {furniture!r}; use one of {known}",
            furniture=options.furniture,
            known=", ".join(Furniture),
        )
    if options.dressing not in list(DressingLevel):
        raise UsageError(
            "unknown --dressing {dressing!r}; use one of {known}",
            dressing=options.dressing,
            known=", ".join(DressingLevel),
        )
    if options.key not in list(KeyKind):
        raise UsageError("unknown --key {key!r}; use one of {known}", key=options.key, known=", ".join(KeyKind))
    has_zones, scale = _parse_only(options.only)[0] is not None, parse_scale(options.scale)
    if has_zones and scale is None:
        raise UsageError(
            "--scale fit prints the whole map on one sheet; for single zones give a scale, for example 1:1 or 1:4"
        )
    if has_zones and options.furniture == Furniture.FULL:
        raise UsageError("--furniture full needs the whole map; for single zones use mat or none")
    order = MapContext(**asdict(print_context(options, words, profile)))
    if order.bleed and not math.isinf(order.sheet.width):
        raise UsageError("--bleed needs a sheet the size of the map, cut to fit: add --sheet one")
    validate_parts(options.hide, SHOWN)
    validate_parts(options.show, (LABELS,), "--show")
    validate_parts(options.wanted, (PAPER_MAP,), "--with")
    parse_dpi(options.dpi)
    validate_climate(options.climate, order.style, labels=LABELS in options.show)
    return order


def parse_dpi(text: str | int) -> tuple[int, int | None]:
    """Parse ``300`` or ``70/cell``: return the dots per inch, and the pixels for each cell of the board.

    The pixels have the value None in the first form. In the second form the dots per inch have their default.

    Raises:
        UsageError: the text has neither form, or the number is out of range.
    """
    match = _DOTS.fullmatch(str(text).strip())
    number = int(match[1]) if match else 0
    if match is None or not 1 <= number <= MAX_NUMBER:
        raise UsageError(
            "--dpi {dpi!r} is not valid; write dots per inch, for example 300, or 70/cell; from 1 to {most}",
            dpi=text,
            most=MAX_NUMBER,
        )
    return (DPI, number) if match[2] else (number, None)


def _parse_only(texts: Sequence[str]) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """Return the zones to print separately (empty: all, None: no zones), and the sheets to print again.

    Names of sheets are in capitals, each once.
    """
    names = tuple(dict.fromkeys(text.strip().upper() for text in texts))
    zones = tuple(match[1] for name in names if (match := _ZONE.fullmatch(name)))
    sheet_names = tuple(name for name in names if name != _ZONES and not _ZONE.fullmatch(name))
    return (None if not zones and _ZONES not in names else zones), sheet_names


def parse_scale(text: str) -> float | None:
    """Return the printed mm per mm of the board for a text such as ``1:4``, here 0.25; None for ``fit``.

    Raises:
        UsageError: the text has neither form, or is ``1:0``.
    """
    if text.strip().lower() == FIT:
        return None
    match = _RATIO.fullmatch(text.strip())
    if match is None or float(match[1]) == 0:
        raise UsageError("--scale {text!r} is not a scale; write 1:1, 1:4 or fit", text=text)
    return 1.0 / float(match[1])
