"""Options for printing: paper, look, cards and tiles. The calls of the Python API take these classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

from msgspec import Struct

from printkit.core.errors import UsageError
from printkit.core.numbers import GREATEST
from printkit.core.units import DPI
from printkit.options.table import Option

STREAM: Final = "-"  # the path that means standard output

FOLDER: Final = Path("output")  # the default folder for files

_STYLES: Final = ("printkit.console.terminal:styles_known",)
_LANGUAGES: Final = ("printkit.console.terminal:languages_known",)
PAGES: Final = "printkit.export.writers:PAGES"

Language = Annotated[
    str | None,
    Option(
        "CODE",
        "{names}, or two together: en+es",
        "look",
        first=True,
        choices=_LANGUAGES,
        usual="yours",
        title="Language",
    ),
]
Formats = Annotated[
    Sequence[str],
    Option("FORMAT", "{names}; repeatable", "files", choices=(PAGES,), usual="pdf"),
]
UrlBase = Annotated[
    str, Option("ADDRESS", "with --to tts: the web address of its pictures", "other", usual="the folder, with file:///")
]
CardSize = Annotated[
    str, Option("SIZE", "card size: us-2.5x3.5in, mini, tarot, or 60x92mm", "paper", usual="poker-63x88")
]
Backs = Annotated[
    str, Option("KIND", "card backs: none, deck (the same on all cards) or content", "paper", usual="the deck's own")
]
Flip = Annotated[
    str | None, Option("EDGE", "duplex: flip sheets on the long-edge or the short-edge", "paper", usual="long-edge")
]
Fold = Annotated[bool, Option("", "print each back next to its front, to fold (single-sided printing)", "paper")]


class LanguageOptions(Struct, frozen=True, kw_only=True):
    """The language of messages and sheets."""

    lang: Language = None


class PrintOptions(LanguageOptions, frozen=True, kw_only=True):
    """The paper and the look of every sheet."""

    style: Annotated[
        str,
        Option(
            "NAME",
            "campaign, high-contrast, ink-saver, painted, FILE",
            "look",
            first=True,
            choices=_STYLES,
            title="Style",
        ),
    ] = "campaign"
    sheet: Annotated[
        str,
        Option("NAME", "a4, letter, a3, 50x70cm, FILE, one (a large sheet)", "paper", first=True, title="Paper"),
    ] = "a4"
    margin: Annotated[
        str | None,
        Option("LENGTH", "the unprintable edge of the paper", "paper", usual="10mm, or your printer's", title="Margin"),
    ] = None
    large_print: Annotated[bool, Option("", "print all text at 11 pt or larger", "look", title="Large print")] = False
    show_seed: Annotated[
        bool,
        Option("", "also print the seed on the map and other sheets for the table", "look", title="Print the seed"),
    ] = False
    force: Annotated[
        bool, Option("", "overwrite files of a different game or format that have the same name", "files")
    ] = False


class SheetOptions(PrintOptions, frozen=True, kw_only=True):
    """Options for drawing the battlefield and dividing it into sheets, for maps and game-night folders."""

    overlap: Annotated[str, Option("LENGTH", "how far neighbouring sheets overlap", "paper", title="Overlap")] = "10mm"
    skip_bare: Annotated[
        bool, Option("", "skip sheets with no terrain features", "paper", title="Skip sheets without terrain")
    ] = False
    dressing: Annotated[
        str,
        Option(
            "KIND",
            "decorative landscape between the features: {names}",
            "look",
            choices=("printkit.drawing.dressing.countryside_types:DressingLevel",),
            title="Landscape between features",
        ),
    ] = "light"
    climate: Annotated[
        str,
        Option(
            "NAME", "for a painted style: temperate, dry or winter", "look", usual="the climate of the armies' homeland"
        ),
    ] = ""
    key: Annotated[
        str,
        Option(
            "KIND",
            "the key of the map: {names} (full has dice and clauses)",
            "look",
            choices=("printkit.recipes.prints.map_key:KeyKind",),
            title="Key",
        ),
    ] = "plain"


class MapOptions(SheetOptions, frozen=True, kw_only=True):
    """Options for printing a map."""

    scale: Annotated[
        str, Option("SCALE", "1:1, 1:4, or fit (everything on one page)", "paper", first=True, title="Scale")
    ] = "1:1"
    only: Annotated[
        Sequence[str],
        Option("SHEET", "print this sheet (B3) or zone (Z4) alone, or each zone: zones; repeatable", "paper"),
    ] = ()
    wanted: Annotated[
        Sequence[str],
        Option("PART", "with --box: also print this part: map (the paper map)", "files", flag="--with"),
    ] = ()
    bleed: Annotated[str, Option("LENGTH", "with --sheet one: bleed beyond the trim edge; 3mm is usual", "paper")] = (
        "0mm"
    )
    furniture: Annotated[
        str | None,
        Option(
            "KIND",
            "what surrounds the board: {names}",
            "look",
            choices=("printkit.drawing.furniture.furniture:Furniture",),
            usual="full on one sheet, mat on several",
            title="Around the board",
        ),
    ] = None
    hide: Annotated[
        Sequence[str],
        Option("PART", "leave out {names}; repeatable", "look", choices=("printkit.recipes.prints.maps:SHOWN",)),
    ] = ()
    show: Annotated[
        Sequence[str],
        Option("PART", "for a painted style: labels (names and lines on the map)", "look"),
    ] = ()
    dpi: Annotated[
        int | str,
        Option(
            "N",
            "dots per inch of pictures and textures; 70/cell: only the board, 70 pixels to a cell or an inch",
            "files",
        ),
    ] = DPI


class EveningOptions(SheetOptions, frozen=True, kw_only=True):
    """Options for the contents of a game-night folder, and for printing it."""

    laid: Annotated[
        str,
        Option(
            "KIND", "print (the map), build (your own terrain) or hexon (tiles)", "field", first=True, flag="--table"
        ),
    ] = "print"
    wanted: Annotated[
        Sequence[str],
        Option(
            "PART",
            "also print this part (contents.pdf lists them; cards: all decks); repeatable",
            "files",
            flag="--with",
        ),
    ] = ()
    unwanted: Annotated[
        Sequence[str], Option("PART", "leave this part out; repeatable", "files", flag="--without")
    ] = ()
    only: Annotated[
        Sequence[str], Option("PART", "print only this part or folder, for example player-a; repeatable", "files")
    ] = ()
    size: CardSize = ""
    backs: Backs = ""
    flip: Flip = None
    fold: Fold = False
    to: Formats = ()
    url_base: UrlBase = ""


class CardOptions(PrintOptions, frozen=True, kw_only=True):
    """Options for selecting and printing cards."""

    rules: Annotated[str | None, Option("NAME", "the rule system of the deck", first=True, usual="brantley")] = None
    settings: Annotated[Sequence[str], Option("NAME=VALUE", "a setting of the deck; repeatable", flag="--set")] = ()
    seed: Annotated[
        int | None, Option("N", "seed of a shuffled deck", first=True, least=0, most=GREATEST, usual="a new one")
    ] = None
    count: Annotated[
        int | None,
        Option(
            "N", "how many blank cards, or copies of each bound card", first=True, least=1, usual="one sheet, one copy"
        ),
    ] = None
    size: CardSize = ""
    gutter: Annotated[str, Option("LENGTH", "gutter between cards; 0mm saves a cut", "paper")] = "0mm"
    bleed: Annotated[str, Option("LENGTH", "bleed: colour beyond the trim edge; 3mm is usual", "paper")] = "0mm"
    backs: Backs = ""
    flip: Flip = None
    fold: Fold = False
    hide: Annotated[Sequence[str], Option("PART", "leave out outline, the hairlines to cut along", "look")] = ()
    to: Formats = ()
    dpi: Annotated[int, Option("N", "with --to png: dots per inch", "files", least=1)] = DPI


class TileOptions(PrintOptions, frozen=True, kw_only=True):
    """Options for building a battlefield from Hexon tiles."""

    hexes: Annotated[
        str | None,
        Option("COLSxROWS", "hexes for a board without a grid", usual="its size at 100 mm, at least 9x8"),
    ] = None
    grain: Annotated[
        str | None, Option("GRAIN", "with --hexes: flat-topped or pointed hexes (flat, pointed)", usual="flat")
    ] = None
    hills: Annotated[str, Option("MODE", "how the sides of hills are built: auto, slope or step")] = "auto"
    stock: Annotated[
        str | None,
        Option("FILE", "a file of the pieces you own (.toml or .csv); missing pieces are listed", first=True),
    ] = None
    far_side: Annotated[bool, Option("", "also print the plans as seen from the far edge", "look")] = False
    overlays: Annotated[
        bool, Option("", "also print paper strips and hexes to cut out, for features that no tile shows", "look")
    ] = False
    to: Formats = ()


class FileOptions(Struct, frozen=True, kw_only=True):
    """Options for the files to write, and for messages."""

    to: Formats = ()
    out: Annotated[
        str,
        Option(
            "PATH",
            "the file or folder; - for standard output",
            "files",
            first=True,
            usual="output",
        ),
    ] = ""
    plan: Annotated[
        bool,
        Option(
            "",
            "show what would be printed, without writing any files",
            "files",
            first=True,
        ),
    ] = False
    printer: Annotated[
        str | None, Option("NAME", "a calibrated printer; see printkit calibrate", "paper", title="Printer")
    ] = None
    quiet: Annotated[bool, Option("", "show only errors", "files")] = False
    verbose: Annotated[bool, Option("", "show every roll", "files")] = False
    url_base: UrlBase = ""
    kerf: Annotated[str, Option("LENGTH", "with --to svg-cut: width of the cut; 0.2mm is usual", "other")] = "0mm"
    blank: Annotated[bool, Option("", "an empty grid or form to sketch on")] = False

    @property
    def place(self) -> Path:
        """Return the path to write to; the default is the folder ``output``."""
        return Path(self.out) if self.out else FOLDER

    @property
    def streams(self) -> bool:
        """Return whether the file goes to standard output."""
        return self.out == STREAM

    def formats(self, *kinds: Mapping[str, object], is_single: bool = False) -> tuple[str, ...]:
        """Return the selected formats without duplicates; the default is PDF.

        Args:
            kinds: tables with the valid formats, for example ``export.writers.PAGES``.
            is_single: whether standard output accepts only one format, from the first table.

        Raises:
            UsageError: a format is unknown, or standard output would get several files.
        """
        names = validate_formats(self.to, *kinds) or ("pdf",)
        if is_single and self.streams and (len(names) > 1 or names[0] not in kinds[0]):
            raise UsageError("--out - writes a single file; use --to only once")
        return names


def validate_formats(names: Sequence[str], *kinds: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of formats in lower case, without duplicates.

    Args:
        names: the formats as the user typed them.
        kinds: tables with the valid formats, for example ``export.writers.PAGES``.

    Raises:
        UsageError: a format is unknown.
    """
    known_names = [name_of_format for kind in kinds for name_of_format in kind]
    for name in names:
        if name.lower() not in known_names:
            raise UsageError("unknown format {name!r}; use one of {formats}", name=name, formats=", ".join(known_names))
    return tuple(dict.fromkeys(name.lower() for name in names))


def validate_parts(parts: Sequence[str], known_parts: Sequence[str], option: str = "--hide") -> frozenset[str]:
    """Return the parts as a set, after checking that ``known_parts`` has each.

    ``option`` names the option in the error.

    Raises:
        UsageError: a part is not in ``known_parts``.
    """
    for part in parts:
        if part not in known_parts:
            raise UsageError(
                "{option} {part} is not valid; use {known}",
                option=option,
                part=part,
                known=", ".join(known_parts),
            )
    return frozenset(parts)
