"""Printer profiles in the user's folder, the calibration of a printer, and the print context of a command."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Generic, TypeAlias, TypeVar

from msgspec import Struct

from printkit.core.errors import PageError, ResourceError, Sentence, UsageError, joined
from printkit.core.paths import toml_names
from printkit.core.typed import read_file
from printkit.core.units import MM_PER_INCH, parse_length
from printkit.core.words import Words
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import SMALL, measure
from printkit.drawing.text.drafter import Drafter
from printkit.export.placing import replace_file
from printkit.options.commands import CalibrateOptions
from printkit.options.printing import PrintOptions
from printkit.page import sheet as sheets
from printkit.page.printer import DIGITS, FARTHEST, OFF, WIDEST, Margins, PrinterProfile, checked_name, read, text_of
from printkit.page.sheet import Document, Flip, Sheet
from printkit.recipes.output.files import find_style

# --- Calibration: the test sheet as a document, and the profile from its measurements ---------------------------------

_DEFAULT: Final = Flip.LONG_EDGE
_MAX_PATH_LENGTH: Final = 60  # the greatest length of a path on the test sheet, in characters

_PATH_SEPARATOR: Final = re.compile(r"[/\\]")
# A text that every shell takes as one word without quotes.
_PLAIN_WORD: Final = re.compile(r"[\w./\\:~×-]+")


def parse_flip(text: str) -> Flip:
    """Return the edge on which sheets are flipped.

    ``text`` is the value of ``--flip``.

    Raises:
        UsageError: the edge is unknown.
    """
    if text not in list(Flip):
        raise UsageError(
            "--flip {text!r} is not an edge of a sheet; write {flip}", text=text, flip=joined(Flip, Sentence(" or "))
        )
    return Flip(text)


def calibration_document(sheet: str, flip: Flip, words: Words) -> Document:
    """Return the test sheet, front and back, with the command that saves its measurements.

    ``sheet`` is the name of a paper, or the path of a paper file, with a colon and a name if it has several.

    Raises:
        UsageError: the paper is unknown.
        PageError: the paper is too small.
    """
    # Imported here because only test sheets need it, with the typesetting modules.
    from printkit.page import calibration

    paper = calibration.portrait_sheet(sheets.find_sheet(sheet))
    edge = "" if flip is _DEFAULT else f" --flip {flip}"
    command_start, measured_option = "printkit calibrate --printer NAME", "--measured AxB"
    # PowerShell splits an argument at a comma outside quotes.
    other_options = '--margins "C D E F mm" --back "G,Hmm"'
    command: tuple[str, ...]
    if sheets.own_paper(sheet) is None:
        command = (f"{command_start} --sheet {_quote_word(paper.name)}{edge} {measured_option}", other_options)
    else:
        command = (
            f"{command_start}{edge} {measured_option}",
            f"--sheet {_paper_argument(sheet.strip(), paper.name)}",
            other_options,
        )
    title = words.each()[0]("calibration.title")
    pages = calibration.calibration_pages(calibration.TestSheet(sheet=paper, flip=flip, command=command), words)
    return Document(title=title, pages=pages, language=words.code, keywords=(sheets.unique_name(paper),), flip=flip)


def _quote_word(text: str) -> str:
    """Return a word of a command, in quotes if necessary."""
    return text if _PLAIN_WORD.fullmatch(text) else f'"{text}"'


def _paper_argument(text: str, name: str) -> str:
    """Return a paper file for the command on the test sheet: its path, only its file name, or an example."""
    for candidate in (text, _PATH_SEPARATOR.split(text)[-1]):
        with suppress(ResourceError):
            if len(candidate) <= _MAX_PATH_LENGTH and measure(candidate, SMALL):
                return _quote_word(candidate)
    return f"FILE.toml:{name}"


def build_profile(options: CalibrateOptions, sheet: str) -> PrinterProfile:
    """Return the printer profile from the measurements of a test sheet.

    Raises:
        UsageError: a name, paper or length is missing or not valid; the message shows the correct form.
    """
    if options.name is None or options.measured is None:
        raise UsageError("to save a printer, give both --printer and --measured")
    # Imported here because only test sheets need it, with the typesetting modules.
    from printkit.page import calibration

    paper = calibration.portrait_sheet(sheets.find_sheet(sheet))
    lengths = calibration.test_lines(paper)
    printed_lengths = _share_unit(re.split("[x×]", options.measured))
    if len(printed_lengths) != len(lengths):
        raise UsageError(
            "--measured {text!r} is not two lengths; write lines A and B of the test sheet, for example 180.2x249.5mm",
            text=options.measured,
        )
    back = _split_lengths(options.back or "0,0mm")
    if len(back) != len(lengths):
        raise UsageError(
            "--back {text!r} is not two lengths; write numbers G and H of the test sheet, for example 0.5,-1mm",
            text=options.back,
        )
    return PrinterProfile(
        name=checked_name(options.name),
        scale_x=_parse_scale("A", printed_lengths[0], lengths.horizontal, paper.name),
        scale_y=_parse_scale("B", printed_lengths[1], lengths.vertical, paper.name),
        back_dx=_parse_offset(back[0]),
        back_dy=_parse_offset(back[1]),
        flip=calibration_flip(options),
        margins=parse_margins(options.margins) if options.margins else None,
    )


def calibration_flip(options: CalibrateOptions) -> Flip:
    """Return the edge on which the test sheet is flipped.

    Raises:
        UsageError: the edge is unknown.
    """
    return _DEFAULT if options.flip is None else parse_flip(options.flip)


def parse_margins(text: str) -> Margins:
    """Parse margins such as ``4mm 4mm 3mm 12mm``: left, right, top, bottom.

    Commas separate lengths too. Lengths without a unit get that of the last one. The result is in mm on paper.

    Raises:
        UsageError: there are not four lengths, or one is too wide for a printer's margin.
    """
    parts = _split_lengths(text)
    if len(parts) != len(Margins._fields):
        raise UsageError(
            "--margins {text!r} is not four lengths; write left, right, top and bottom, for example '4 4 3 12mm'",
            text=text,
        )
    lengths = [parse_length(part) for part in parts]
    if max(lengths) > WIDEST:
        raise UsageError(
            "--margins {text!r} is wider than the margins of any printer; each must be 0 to {widest:g}mm",
            text=text,
            widest=WIDEST,
        )
    return Margins(*(round(length, DIGITS) for length in lengths))


def _split_lengths(text: str) -> list[str]:
    """Split a text into lengths at commas or spaces."""
    return _share_unit(re.sub(r"(?<=\d)\s+(?=[a-zA-Z\"'])", "", text).replace(",", " ").split() or [""])


def _share_unit(parts: Sequence[str]) -> list[str]:
    """Return the lengths as texts; those without a unit get the unit of the last one."""
    unit = parts[-1].strip("+-−0123456789., ")
    return [f"{part}{unit}" if part.strip()[-1:] in tuple("0123456789.") else part for part in parts]


def _parse_scale(line: str, text: str, length: float, sheet: str) -> float:
    """Return the scale of the printer from a line of the test sheet: printed mm per mm.

    ``text`` is the measured length, and ``length`` the length in mm that the line should have on paper. ``line`` is the
    letter of the line in messages.

    Raises:
        UsageError: the text is not a length, or the scale is too far from 1.
    """
    scale = _parse_signed_length("--measured", text) / length
    if abs(scale - 1) > FARTHEST:
        raise UsageError(
            "--measured: line {line} = {text} is too far from the {length:g} mm ({inches:.2f} in) of the "
            "{sheet} test sheet. Measure again from end to end, or give the --sheet that you printed.",
            line=line,
            text=text,
            length=length,
            inches=length / MM_PER_INCH,
            sheet=sheet,
        )
    return round(scale, DIGITS)


def _parse_offset(text: str) -> float:
    """Return the offset of card backs from a text, in mm on paper; positive is right or up.

    Raises:
        UsageError: the text is not a length, or the offset is too large.
    """
    offset = _parse_signed_length("--back", text)
    if abs(offset) > OFF:
        raise UsageError(
            "--back: {text} is more than the {off:g} mm that can be corrected; write for example 0.5,-1mm",
            text=text,
            off=OFF,
        )
    return round(offset, DIGITS)


def _parse_signed_length(option: str, text: str) -> float:
    """Return a text as a length in mm on paper; it may be negative, with a hyphen or a minus sign.

    Raises:
        UsageError: the text is not a length; the message names the option.
    """
    plain_text = text.strip().replace("−", "-")
    try:
        return (
            -parse_length(plain_text[1:]) if plain_text.startswith("-") else parse_length(plain_text.removeprefix("+"))
        )
    except UsageError as error:
        raise UsageError("{option}: {error}", option=option, error=error) from None


_SUFFIX: Final = ".toml"
# A scale this far from 1 usually comes from a fit-to-page setting in the print dialog, not from the printer.
_DOUBTFUL_ERROR: Final = 0.03


def find(name: str, folder: Path) -> PrinterProfile:
    """Return the printer profile that is saved in a folder under this name; capitals do not matter.

    Raises:
        UsageError: there is no profile with that name; the message gives the known names, and how to make one.
        FileError: the file is not valid; the message names the file and the key.
    """
    key = name.strip().lower()
    names = toml_names(folder)
    if key not in names:
        known_names = (
            Sentence("the saved ones are {names}", names=", ".join(names)) if names else Sentence("none is saved yet")
        )
        raise UsageError(
            "unknown printer {name!r}; {there}; to save one, print a test sheet with printkit calibrate",
            name=name,
            there=known_names,
        )
    path = folder / f"{key}{_SUFFIX}"
    return read(key, read_file(path), str(path))


def save(profile: PrinterProfile, folder: Path) -> Path:
    """Save a profile atomically, replace an earlier one with the same name, and return its path.

    Raises:
        PageError: the folder cannot be created or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PageError("cannot create {folder}: {reason}", folder=folder, reason=error.strerror or error) from None
    path = folder / f"{profile.name}{_SUFFIX}"
    with replace_file(path) as staging_path:
        staging_path.write_text(text_of(profile), encoding="utf-8", newline="\n")
    return path


def sheet_for(
    name: str, *, margin: float | None, default: float, profile: PrinterProfile | None, backs: bool = False
) -> Sheet:
    """Return the paper for a command.

    Args:
        name: the name of the paper, or its size.
        margin: the margin in mm on paper from the options; it has priority over the measured one.
        default: the margin in mm on paper if neither the printer profile nor the paper file has one.
        profile: the printer profile.
        backs: whether the sheet is printed on both sides.

    Raises:
        UsageError: the sheet is unknown, or its margins are too wide for it.
    """
    sheet = sheets.find_sheet(name, margin=default if margin is None else margin, use_file_margins=margin is None)
    return sheet if profile is None else profile.sheet(sheet, margin=margin, backs=backs)


def saved_lines(profile: PrinterProfile, path: Path) -> Iterator[str]:
    """Yield lines that describe the corrections of a profile saved at ``path``: width, height, backs and margins."""
    yield Sentence("Saved in {path}. From now on print with --printer {name}.", path=path, name=profile.name)
    scale_x, scale_y = profile.scale_x, profile.scale_y
    wider = Sentence("sheets are widened to {to:.2%}", to=1 / scale_x)
    correction = _describe_correction(scale_x, wider, Sentence("sheets are narrowed to {to:.2%}", to=1 / scale_x))
    yield Sentence("  width: prints at {scale:.2%}; {done}", scale=scale_x, done=correction)
    yield from _scale_warnings(scale_x)
    longer = Sentence("sheets are lengthened to {to:.2%}", to=1 / scale_y)
    correction = _describe_correction(scale_y, longer, Sentence("sheets are shortened to {to:.2%}", to=1 / scale_y))
    yield Sentence("  height: prints at {scale:.2%}; {done}", scale=scale_y, done=correction)
    yield from _scale_warnings(scale_y)
    if profile.moves_backs:
        yield Sentence(
            "  backs: {moved}, when flipped on the {edge}",
            moved=_describe_back_shift(profile),
            edge=flip_edge(profile.flip),
        )
    if profile.margins is None:
        yield Sentence("  margins: not measured")
    else:
        yield Sentence("  margins: {margins}", margins=_format_margins(profile.margins))


def list_lines(folder: Path) -> Iterator[str]:
    """Yield one line for each printer saved in a folder, or one that says that there are none."""
    names = toml_names(folder)
    if not names:
        yield Sentence("No printer is saved yet.")
    for name in names:
        profile = find(name, folder)
        parts = [Sentence("width {across:.2%}, height {along:.2%}", across=profile.scale_x, along=profile.scale_y)]
        if profile.moves_backs:
            parts.append(
                Sentence("backs {moved} ({edge})", moved=_describe_back_shift(profile), edge=flip_edge(profile.flip))
            )
        if profile.margins is not None:
            parts.append(Sentence("margins {margins}", margins=_format_margins(profile.margins)))
        yield Sentence("{name}: {parts}", name=name, parts=joined(parts, "; "))


def _describe_correction(scale: float, larger: Sentence, smaller: Sentence) -> Sentence:
    """Return the correction for a scale: ``larger`` if the printer prints too small, else ``smaller``.

    ``scale`` is in printed mm per mm; 1 needs no correction.
    """
    if scale == 1:
        return Sentence("no correction")
    return larger if scale < 1 else smaller


def _scale_warnings(scale: float) -> Iterator[str]:
    """Yield a warning if a scale in printed mm per mm differs from 1 by more than 3 %."""
    if abs(scale - 1) > _DOUBTFUL_ERROR:
        yield Sentence(
            "    printers are rarely so far off: print the test again, and check that the print dialog says 100 %"
        )


def _describe_back_shift(profile: PrinterProfile) -> Sentence:
    """Return the correction of card backs in words: the opposite of their measured offset.

    The offset must not be 0 in both directions.
    """
    right, up = profile.back_dx, profile.back_dy
    parts = []
    if right:
        shift_mm = abs(right)
        parts.append(
            Sentence("{by:g} mm to the left", by=shift_mm)
            if right > 0
            else Sentence("{by:g} mm to the right", by=shift_mm)
        )
    if up:
        parts.append(Sentence("{by:g} mm down", by=up) if up > 0 else Sentence("{by:g} mm up", by=-up))
    return Sentence("moved {ways}", ways=joined(parts, Sentence(" and ")))


def flip_edge(flip: Flip) -> Sentence:
    """Return the edge on which sheets are flipped, in words."""
    return Sentence("long edge") if flip is Flip.LONG_EDGE else Sentence("short edge")


def _format_margins(margins: Margins) -> Sentence:
    """Return margins in words, in mm on paper."""
    return Sentence("left {left:g} mm, right {right:g} mm, top {top:g} mm, bottom {bottom:g} mm", **margins._asdict())


AskedT = TypeVar("AskedT", bound=PrintOptions, covariant=True)
_Asked = TypeVar("_Asked", bound=PrintOptions)


class PrintContext(Struct, Generic[AskedT], frozen=True, kw_only=True):
    """Option values, with the paper, texts, style and printer profile for them.

    ``of_game`` is true for a game night, which names the players even if the record does not.
    """

    asked: AskedT
    sheet: Sheet
    words: Words
    style: Style
    profile: PrinterProfile | None = None
    of_game: bool = False

    @property
    def drafter(self) -> Drafter:
        """Return the drafter for its sheets."""
        return Drafter.sheet(self.style, self.words)

    @property
    def printer(self) -> str:
        """Return the name of the calibrated printer, or an empty text."""
        return "" if self.profile is None else self.profile.name


# The context of sheets that need only the options for paper and look.
SheetContext: TypeAlias = PrintContext[PrintOptions]


def margin_of(options: PrintOptions) -> float | None:
    """Return the margin in mm on paper from the options, or None for that of the paper.

    Raises:
        UsageError: the margin is not a length.
    """
    return None if options.margin is None else parse_length(options.margin)


def print_context(options: _Asked, words: Words, profile: PrinterProfile | None = None) -> PrintContext[_Asked]:
    """Return the print context for option values, with their paper and style.

    ``profile`` has the corrections of a printer; None without them.

    Raises:
        UsageError: a paper, margin or style is unknown.
        PrintkitError: a style file cannot be read.
    """
    return PrintContext(
        asked=options,
        sheet=sheet_for(options.sheet, margin=margin_of(options), default=sheets.MARGIN, profile=profile),
        words=words,
        style=find_style(options.style, words.code, large_print=options.large_print),
        profile=profile,
    )
