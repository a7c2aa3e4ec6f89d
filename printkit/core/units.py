"""Millimetres, and reading lengths as people write them: ``24in``, ``60 cm``, ``15BW``, ``600p``."""

from __future__ import annotations

import re
from typing import Final

from printkit.core.errors import UsageError

MM_PER_INCH: Final = 25.4
MM_PER_POINT: Final = 25.4 / 72

DPI: Final = 150
"""Dots an inch of a bitmap unless a person asks otherwise: enough for a screen; a printer gets the PDF."""

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
_WRITTEN_OUT: Final = {
    "inch": "in",
    "inches": "in",
    "ins": "in",
    "foot": "ft",
    "feet": "ft",
    "metres": "m",
    "meters": "m",
}
"""Units as people also write them, and as which they are read."""

_FEET: Final = 12.0
"""Sizes of boards up to so many are told to be in feet, greater ones in inches."""

_PLACES: Final = 6
"""Digits of millimetres: 48 in are 1219.2 mm, as a record writes them, and not a last bit less."""

_LENGTH: Final = re.compile(r"\s*([0-9]{1,40}(?:[.,][0-9]{1,40})?|[.,][0-9]{1,40})\s*([a-zA-Z\"']*)\s*")


def parse_length(text: str, *, pace: float | None = None, base_width: float | None = None) -> float:
    """Return the millimetres of a written length.

    Args:
        text: a number with a unit: mm, cm, m, in, ft, pt, and p (paces) or BW where the scale is known.
        pace: millimetres of one pace on the board, if paces mean anything here.
        base_width: millimetres of one base width, likewise.

    Raises:
        UsageError: no number, no unit, or a unit that is not known here.
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
    """Return width and depth in millimetres of ``24in``, ``72x48in`` or ``6ftx4ft``; one length is a square.

    Raises:
        UsageError: not one or two lengths, or a length of nothing.
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


def points(mm: float) -> float:
    """Return printer's points (1/72 inch) of millimetres."""
    return mm / MM_PER_POINT


MOST_BLEED: Final = 10.0
"""The widest bleed in mm; print shops ask for 2 to 5."""


def judged_bleed(bleed: float) -> float:
    """Return a bleed in mm, of a card or of anything else that is cut.

    Raises:
        UsageError: it is none, or wider than any print shop asks for.
    """
    if not 0 <= bleed <= MOST_BLEED:
        raise UsageError(
            "a bleed of {bleed:g} mm is not possible; use 0 to {most_bleed:g} mm, usually 3",
            bleed=bleed,
            most_bleed=MOST_BLEED,
        )
    return bleed
