"""Calibrating a printer: the test sheet as a document, and what a person read off it as a profile."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from printkit.core.errors import UsageError
from printkit.core.units import MM_PER_INCH, parse_length
from printkit.core.words import Words
from printkit.page import paper
from printkit.page.calibration import TestSheet, calibration, test_lines, upright
from printkit.page.printer import Margins, Profile
from printkit.page.profile_text import DIGITS, FARTHEST, OFF, WIDEST, checked_name
from printkit.page.sheet import Document, Flip

_DEFAULT: Final = Flip.LONG_EDGE


class Reading(Struct, frozen=True, kw_only=True):
    """What a person read off the test sheet, as he typed it; what he left out is empty."""

    across: str
    along: str
    right: str = ""
    up: str = ""
    margins: str = ""


def parse_flip(text: str) -> Flip:
    """Return the edge over which a sheet is turned.

    Raises:
        UsageError: there is no such edge.
    """
    if text not in list(Flip):
        raise UsageError("--flip {text!r} is no edge of a sheet; it is {flip}", text=text, flip=" or ".join(Flip))
    return Flip(text)


def calibration_document(sheet: str, flip: Flip, words: Words) -> Document:
    """Return the test sheet, front and back, with the command that saves what is read off it.

    Raises:
        UsageError: there is no such paper.
        PageError: it is too small.
    """
    found = upright(paper.find(sheet))
    edge = "" if flip is _DEFAULT else f" --flip {flip}"
    command = (
        f"printkit calibrate --printer NAME --sheet {found.name}{edge} --measured-across A --measured-along B",
        '--margins "C D E F mm" --back-right Gmm --back-up Hmm',
    )
    title = words.each()[0]("calibration.title")
    pages = calibration(TestSheet(sheet=found, flip=flip, command=command), words)
    return Document(title=title, pages=pages, language=words.code, keywords=(found.name,), flip=flip)


def profile_of(name: str, sheet: str, flip: Flip, reading: Reading) -> Profile:
    """Return the profile of what was read off the test sheet of a paper.

    Raises:
        UsageError: a name, paper or length that cannot be; says which, and what would be right.
    """
    found = upright(paper.find(sheet))
    across, along = test_lines(found)
    return Profile(
        name=checked_name(name),
        scale_x=_scale("--measured-across", reading.across, across, found.name),
        scale_y=_scale("--measured-along", reading.along, along, found.name),
        back_dx=_offset("--back-right", reading.right),
        back_dy=_offset("--back-up", reading.up),
        flip=flip,
        margins=parse_margins(reading.margins) if reading.margins else None,
    )


def parse_margins(text: str) -> Margins:
    """Return the margins of ``4mm 4mm 3mm 12mm``: left, right, top, bottom; one unit at the end may serve for all.

    Raises:
        UsageError: they are not four lengths, or one cannot be a printer's margin.
    """
    parts = re.sub(r"(?<=\d)\s+(?=[a-zA-Z\"'])", "", text.strip()).replace(",", " ").split()
    if len(parts) != len(Margins._fields):
        raise UsageError(
            "--margins {text!r} is not four lengths; write left, right, top and bottom: '4 4 3 12mm'", text=text
        )
    unit = parts[-1].lstrip("0123456789.")
    lengths = [parse_length(f"{part}{unit}" if part[-1] in "0123456789." else part) for part in parts]
    if max(lengths) > WIDEST:
        raise UsageError(
            "--margins {text!r} holds more than any printer leaves white; each is 0 to {widest:g}mm",
            text=text,
            widest=WIDEST,
        )
    return Margins(*(round(length, DIGITS) for length in lengths))


def _scale(option: str, text: str, length: float, sheet: str) -> float:
    """Return printed mm per mm of a line of the test sheet."""
    scale = _signed(option, text) / length
    if abs(scale - 1) > FARTHEST:
        raise UsageError(
            "{option} {text} is too far from the {length:g} mm ({inches:.2f} in) of that line on a "
            "test sheet {sheet}; measure again from end to end, or name the --sheet that was printed",
            option=option,
            text=text,
            length=length,
            inches=length / MM_PER_INCH,
            sheet=sheet,
        )
    return round(scale, DIGITS)


def _offset(option: str, text: str) -> float:
    offset = _signed(option, text) if text else 0.0
    if abs(offset) > OFF:
        raise UsageError(
            "{option} {text} is farther off than the {off:g} mm that can be mended; give 1mm or -0.5mm",
            option=option,
            text=text,
            off=OFF,
        )
    return round(offset, DIGITS)


def _signed(option: str, text: str) -> float:
    """Return a length that may be below 0, with a hyphen or with the minus sign that is on the sheet."""
    bare = text.strip().replace("−", "-")
    try:
        return -parse_length(bare[1:]) if bare.startswith("-") else parse_length(bare.removeprefix("+"))
    except UsageError as error:
        raise UsageError("{option}: {error}", option=option, error=error) from None
