"""How things are printed: paper, look, cards and tiles; what a call of the Python API takes is one of these classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

from msgspec import Struct

from printkit.core.errors import UsageError
from printkit.core.numbers import GREATEST
from printkit.core.units import DPI
from printkit.options.table import Option

STREAM: Final = "-"
"""What stands for standard output."""

FOLDER: Final = Path("output")
"""Where files go if nobody says anything."""

_STYLES: Final = ("printkit.console.terminal:styles_known",)
_LANGUAGES: Final = ("printkit.console.terminal:languages_known",)
PAGES: Final = "printkit.export.writers:PAGES"

Language = Annotated[
    str | None,
    Option(
        "CODE",
        "{names}, or two as en+es",
        "look",
        first=True,
        choices=_LANGUAGES,
        aliases=("--language", "-l", "--locale"),
        usual="yours",
    ),
]
Formats = Annotated[
    Sequence[str],
    Option(
        "FORMAT", "{names}; repeatable", "files", choices=(PAGES,), aliases=("--format", "-f", "--type"), usual="pdf"
    ),
]
UrlBase = Annotated[
    str, Option("ADDRESS", "with --to tts: where its pictures lie", "other", usual="the folder, as file:///")
]
CardSize = Annotated[
    str, Option("SIZE", "of cards: us-2.5x3.5in, mini, tarot, or 60x92mm", "paper", usual="poker-63x88")
]
Backs = Annotated[
    str, Option("KIND", "of cards: none, deck (one picture on all) or content", "paper", usual="as the deck")
]
Flip = Annotated[
    str | None, Option("EDGE", "how sheets are turned over: long-edge or short-edge", "paper", usual="long-edge")
]
Fold = Annotated[bool, Option("", "put backs beside their fronts, to be folded: prints on one side", "paper")]


class LanguageOptions(Struct, frozen=True, kw_only=True):
    """In which language a command speaks and prints."""

    lang: Language = None


class PrintOptions(LanguageOptions, frozen=True, kw_only=True):
    """The paper and the look of every sheet."""

    style: Annotated[str, Option("NAME", "{names}, or a file of your own", "look", first=True, choices=_STYLES)] = (
        "campaign"
    )
    sheet: Annotated[
        str,
        Option(
            "NAME",
            "a4, letter, a3, WIDTHxHEIGHT, one (a single large sheet), or a FILE.toml",
            "paper",
            first=True,
            aliases=("--paper", "--page", "--paper-size", "-p"),
        ),
    ] = "a4"
    margin: Annotated[
        str | None,
        Option("LENGTH", "the edge that the printer cannot reach", "paper", usual="that of the printer, else 10mm"),
    ] = None
    large_print: Annotated[bool, Option("", "use no type under 11 pt", "look")] = False
    show_seed: Annotated[bool, Option("", "print the seed on what lies on the table too", "look")] = False
    force: Annotated[bool, Option("", "replace files of another game or printing", "files")] = False


class SheetOptions(PrintOptions, frozen=True, kw_only=True):
    """How the battlefield is drawn and laid over sheets, in a map and in the folder of a game night."""

    overlap: Annotated[str, Option("LENGTH", "how far neighbouring sheets repeat each other", "paper")] = "10mm"
    skip_bare: Annotated[bool, Option("", "leave out sheets of open ground", "paper")] = False
    dressing: Annotated[
        str,
        Option(
            "KIND",
            "the country between the features: {names}",
            "look",
            choices=("printkit.drawing.dressing.country:DressingLevel",),
        ),
    ] = "light"
    climate: Annotated[
        str, Option("NAME", "of a painted style: temperate, dry or winter", "look", usual="that of the country")
    ] = ""
    key: Annotated[
        str,
        Option(
            "KIND",
            "the key of the map: {names} (full: with dice and clauses)",
            "look",
            choices=("printkit.recipes.prints.map_key:KeyKind",),
        ),
    ] = "plain"


class MapOptions(SheetOptions, frozen=True, kw_only=True):
    """How a map is printed."""

    scale: Annotated[str, Option("SCALE", "1:1, 1:4, or fit: everything on one page", "paper", first=True)] = "1:1"
    only: Annotated[
        Sequence[str],
        Option("SHEET", "print this sheet (B3) or zone (Z4) alone, or each zone: zones; repeatable", "paper"),
    ] = ()
    bleed: Annotated[str, Option("LENGTH", "with --sheet one: ground beyond the trim; 3mm is usual", "paper")] = "0mm"
    furniture: Annotated[
        str | None,
        Option(
            "KIND",
            "what surrounds the board: {names}",
            "look",
            choices=("printkit.drawing.furniture.furniture:Furniture",),
            usual="mat for several sheets, else full",
        ),
    ] = None
    hide: Annotated[
        Sequence[str],
        Option("PART", "leave out {names}; repeatable", "look", choices=("printkit.recipes.prints.maps:SHOWN",)),
    ] = ()
    show: Annotated[
        Sequence[str],
        Option("PART", "with a painted style: labels, the names and lines on the ground", "look"),
    ] = ()
    dpi: Annotated[
        int | str,
        Option(
            "N",
            "of pictures and textures: dots an inch; 70/cell: the board alone, 70 pixels to a cell or an inch",
            "files",
            aliases=("--resolution",),
        ),
    ] = DPI


class EveningOptions(SheetOptions, frozen=True, kw_only=True):
    """What is in the folder of a game night, and how it is printed."""

    laid: Annotated[
        str,
        Option(
            "KIND", "print (the map), build (your own terrain) or hexon (tiles)", "field", first=True, flag="--table"
        ),
    ] = "print"
    wanted: Annotated[
        Sequence[str],
        Option(
            "PART", "print this part too; contents.pdf names them, cards: all decks; repeatable", "files", flag="--with"
        ),
    ] = ()
    unwanted: Annotated[
        Sequence[str], Option("PART", "leave this part out; repeatable", "files", flag="--without")
    ] = ()
    only: Annotated[
        Sequence[str], Option("PART", "print this part or folder alone, as player-a; repeatable", "files")
    ] = ()
    size: CardSize = ""
    backs: Backs = ""
    flip: Flip = None
    fold: Fold = False
    to: Formats = ()
    url_base: UrlBase = ""


class CardOptions(PrintOptions, frozen=True, kw_only=True):
    """Which cards are printed, and how."""

    rules: Annotated[str | None, Option("NAME", "the rule system of the deck", first=True, usual="brantley")] = None
    settings: Annotated[
        Sequence[str], Option("NAME=VALUE", "a setting of a deck that has some; repeatable", flag="--set")
    ] = ()
    seed: Annotated[
        int | None, Option("N", "of a shuffled deck", first=True, least=0, most=GREATEST, usual="a new one")
    ] = None
    count: Annotated[
        int | None,
        Option(
            "N", "how many blank cards, or copies of each bound card", first=True, least=1, usual="one sheet, one copy"
        ),
    ] = None
    size: CardSize = ""
    gutter: Annotated[str, Option("LENGTH", "left between cards; 0mm saves a cut", "paper")] = "0mm"
    bleed: Annotated[str, Option("LENGTH", "colour beyond the cut; 3mm is usual", "paper")] = "0mm"
    backs: Backs = ""
    flip: Flip = None
    fold: Fold = False
    hide: Annotated[Sequence[str], Option("PART", "leave out the hairlines on the cuts: outline", "look")] = ()
    to: Formats = ()
    dpi: Annotated[int, Option("N", "with --to png: dots an inch", "files", least=1)] = DPI


class TileOptions(PrintOptions, frozen=True, kw_only=True):
    """How a battlefield is laid as Hexon tiles."""

    hexes: Annotated[
        str | None,
        Option("COLSxROWS", "of a board without a grid", usual="its size at 100 mm, at least 9x8"),
    ] = None
    grain: Annotated[str | None, Option("GRAIN", "with --hexes: flat or pointed tops", usual="flat")] = None
    hills: Annotated[str, Option("MODE", "how the sides of hills are built: auto, slope or step")] = "auto"
    stock: Annotated[
        str | None, Option("FILE", "your own pieces, .toml or .csv; what is missing is listed", first=True)
    ] = None
    far_side: Annotated[bool, Option("", "print the plans once more as seen from the far edge", "look")] = False
    overlays: Annotated[
        bool, Option("", "print paper strips and hexes too, to cut out, for what no tile shows", "look")
    ] = False
    to: Formats = ()


class FileOptions(Struct, frozen=True, kw_only=True):
    """Which files are written, where, and what is said meanwhile."""

    to: Formats = ()
    out: Annotated[
        str,
        Option(
            "PATH",
            "the file or folder; - for standard output",
            "files",
            first=True,
            aliases=("-o", "--output", "--dir", "--folder", "--file"),
            usual="output",
        ),
    ] = ""
    plan: Annotated[
        bool, Option("", "say what it would take, write nothing", "files", first=True, aliases=("--dry-run", "-n"))
    ] = False
    printer: Annotated[str | None, Option("NAME", "a calibrated printer; see printkit calibrate", "paper")] = None
    quiet: Annotated[bool, Option("", "say nothing but errors", "files", aliases=("-q", "--silent"))] = False
    verbose: Annotated[bool, Option("", "show every roll", "files", aliases=("-v",))] = False
    url_base: UrlBase = ""
    kerf: Annotated[str, Option("LENGTH", "with --to svg-cut: how wide the tool cuts; 0.2mm is usual", "other")] = "0mm"
    blank: Annotated[bool, Option("", "an empty grid or form to sketch on")] = False

    @property
    def place(self) -> Path:
        """Return where files go: the folder ``output`` if nothing is said."""
        return Path(self.out) if self.out else FOLDER

    @property
    def streams(self) -> bool:
        """Return whether the file goes to standard output."""
        return self.out == STREAM

    def formats(self, *kinds: Mapping[str, object], alone: bool = False) -> tuple[str, ...]:
        """Return the formats that are asked for, each once; PDF if none is.

        Args:
            kinds: the tables in which they may stand, as ``export.writers.PAGES``.
            alone: whether standard output takes one format, and only of the first table.

        Raises:
            UsageError: there is none of a name, or standard output would take several files.
        """
        found = known_formats(self.to, *kinds) or ("pdf",)
        if alone and self.streams and (len(found) > 1 or found[0] not in kinds[0]):
            raise UsageError("--out - writes one file; give one --to")
        return found


def known_formats(names: Sequence[str], *kinds: Mapping[str, object]) -> tuple[str, ...]:
    """Return formats in lower case, each once.

    Args:
        names: as a person wrote them.
        kinds: the tables in which they may stand, as ``export.writers.PAGES``.

    Raises:
        UsageError: there is none of a name.
    """
    there = [each for kind in kinds for each in kind]
    for name in names:
        if name.lower() not in there:
            raise UsageError("no format {name!r}; there are {formats}", name=name, formats=", ".join(there))
    return tuple(dict.fromkeys(name.lower() for name in names))


def hidden(parts: Sequence[str], known: Sequence[str], option: str = "--hide") -> frozenset[str]:
    """Return the parts that are left out.

    Raises:
        UsageError: there is no part of a name.
    """
    for part in parts:
        if part not in known:
            raise UsageError(
                "{option} {part}: there is no such part; there are {known}",
                option=option,
                part=part,
                known=", ".join(known),
            )
    return frozenset(parts)
