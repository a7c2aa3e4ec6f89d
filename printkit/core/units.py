"""Units, and a parser for written lengths: ``24in``, ``60 cm``, ``15BW``, ``600p``."""

from __future__ import annotations

import re
from typing import Final

from printkit.core.errors import UsageError

MM_PER_INCH: Final = 25.4
MM_PER_POINT: Final = 25.4 / 72

# Default resolution of a bitmap in dots per inch: enough for a screen; for printing there is the PDF.
DPI: Final = 150

# Millimetres of each unit.
_METRES: Final[dict[str, float]] = {
    "mm": 1.0,
    "cm": 10.0,
    "m": 1000.0,
    "in": MM_PER_INCH,
    '"': MM_PER_INCH,
    "ft": 12 * MM_PER_INCH,
    "'": 12 * MM_PER_INCH,
    "pt": MM_PER_POINT,
}
# Other spellings of units.
_WRITTEN_OUT: Final = {
    "inch": "in",
    "inches": "in",
    "ins": "in",
    "foot": "ft",
    "feet": "ft",
    "metres": "m",
    "meters": "m",
}

# A board size without a unit: the message suggests feet too up to this number, and only inches above it.
_FEET: Final = 12.0

# Decimal places of millimetres: rounding makes 48 in exactly 1219.2 mm, the value that a record contains.
_PLACES: Final = 6

_LENGTH: Final = re.compile(r"\s*([0-9]{1,40}(?:[.,][0-9]{1,40})?|[.,][0-9]{1,40})\s*([a-zA-Z\"']*)\s*")


def parse_length(text: str, *, pace: float | None = None, base_width: float | None = None) -> float:
    """Return a length in mm (real size) from a text with a number and a unit.

    It is rounded to six decimals and is never negative, but can be 0. The decimal sign is a point or a comma.

    Args:
        text: a number with a unit: mm, cm, m, in, ft, pt, and p (paces) or BW (base widths) if the scale is given.
        pace: mm per pace on the board; None if paces are not allowed.
        base_width: mm per base width; None if base widths are not allowed.

    Raises:
        UsageError: the text has no number, no unit, or an unknown unit.
    """
    match = _LENGTH.fullmatch(text)
    if match is None:
        raise UsageError(
            "{text!r} is not a length; write a number with a unit, for example 24in, 60cm or 10mm", text=text
        )
    number, unit = float(match.group(1).replace(",", ".")), match.group(2)
    if not unit:
        raise UsageError(
            "{text!r} has no unit; write {number}in, {number}cm or {number}mm", text=text, number=text.strip()
        )
    unit = _WRITTEN_OUT.get(unit.lower(), unit)
    scales = dict(_METRES)
    if pace is not None:
        scales["p"] = pace
    if base_width is not None:
        scales["bw"] = base_width
    if unit.lower() not in scales:
        raise UsageError(
            "Unknown unit {unit!r} in {text!r}. Use {scales}.", unit=unit, text=text, scales=", ".join(scales)
        )
    return round(number * scales[unit.lower()], _PLACES)


def parse_size(text: str, *, pace: float | None = None, base_width: float | None = None) -> tuple[float, float]:
    """Return width and depth in mm (real size) of a text such as ``24in`` (a square) or ``72x48in``.

    Args:
        text: the size.
        pace: mm per pace on the board; None if paces are not allowed.
        base_width: mm per base width; None if base widths are not allowed.

    Raises:
        UsageError: the text is not one or two lengths, or a length is 0.
    """
    parts = re.split(r"(?:(?<!\s)\s++)?[x×]\s*", text.strip())
    if len(parts) > 2 or not all(parts):
        raise UsageError("{text!r} is not a size; write one length (24in) or two (72x48in)", text=text)
    if len(parts) == 2 and all(re.fullmatch(r"[0-9]{1,40}(?:[.,][0-9]{1,40})?", part) for part in parts):
        feet = max(float(part.replace(",", ".")) for part in parts) <= _FEET
        size = text.strip()
        usual, metric = f"{size}ft, {size}in" if feet else f"{size}in", f"{size}cm"
        raise UsageError(
            "{text!r} has no unit; write for example {usual} or {metric}", text=text, usual=usual, metric=metric
        )
    if re.fullmatch(r"[0-9.,]+", parts[0]) and len(parts) == 2:
        unit = _LENGTH.fullmatch(parts[1])
        parts[0] += unit.group(2) if unit else ""
    lengths = [parse_length(part, pace=pace, base_width=base_width) for part in parts]
    if min(lengths) <= 0:
        raise UsageError("{text!r} has a side of length 0; both sides must be greater than 0", text=text)
    return lengths[0], lengths[-1]


def mm_to_points(mm: float) -> float:
    """Return a length given in mm in points (1/72 inch)."""
    return mm / MM_PER_POINT


# The widest bleed in mm; print shops want 2 to 5.
MOST_BLEED: Final = 10.0


def validate_bleed(bleed_mm: float) -> float:
    """Return the bleed of a card or page, in mm, unchanged if it is valid.

    Raises:
        UsageError: it is negative or more than ``MOST_BLEED`` (10 mm).
    """
    if not 0 <= bleed_mm <= MOST_BLEED:
        raise UsageError(
            "a bleed of {bleed:g} mm is not possible; use 0 to {most_bleed:g} mm, usually 3",
            bleed=bleed_mm,
            most_bleed=MOST_BLEED,
        )
    return bleed_mm
