"""The options of the command line, the same wherever they make sense, and the groups in which they come."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Struct

from printkit.console.parameters import Opt, flag
from printkit.core.errors import UsageError
from printkit.core.numbers import GREATEST

if TYPE_CHECKING:
    from printkit.export.writers import FieldWishes

FOLDER: Final = Path("output")
"""Where files go if nobody says anything."""

STREAM: Final = Path("-")
"""What stands for standard output."""

# --- Options one by one -----------------------------------------------------------------------------------------------

Rules = Annotated[str | None, Opt("--rules", "NAME", "The rule system [brantley].")]
Settings = Annotated[
    tuple[str, ...], Opt("--set", "NAME=VALUE", "One setting of the rules; repeatable. See printkit rules NAME.")
]
Scenario = Annotated[Path | None, Opt("--scenario", "FILE.toml", "Settings and lists from a file.")]
BoardSize = Annotated[str | None, Opt("--board", "SIZE", "24in, 72x48in, 18BW [the system's own].")]
Seed = Annotated[int | None, Opt("--seed", "N", "Chance comes from this seed [a fresh one].", least=0, most=GREATEST)]
DiceText = Annotated[
    str | None, Opt("--dice", "SCORES", 'Your own dice and cards, "5 3 KS 7H", or @FILE; a log is one.')
]
Ask = Annotated[bool, flag("--ask", "Ask for each throw on the terminal.")]
From = Annotated[Path | None, Opt("--from", "RECORD.json", "Print this record again; nothing is rolled.")]
PaperName = Annotated[
    str, Opt("--sheet", "NAME", "a4, a3 ... 36in-roll, one, WIDTHxHEIGHT with units, or your FILE.toml[:NAME].")
]
SizedPaperName = Annotated[
    str, Opt("--sheet", "NAME", "a4, a3 ..., WIDTHxHEIGHT with units, or your FILE.toml[:NAME].")
]
OwnMargin = Annotated[str | None, Opt("--margin", "LENGTH", "The edge that is not printed [10mm, or the printer's].")]
Printer = Annotated[str | None, Opt("--printer", "NAME", "Print true on this printer; see printkit calibrate.")]
Overlap = Annotated[str, Opt("--overlap", "LENGTH", "How far neighbouring sheets repeat each other.")]
SkipBare = Annotated[bool, flag("--skip-bare", "Leave out sheets that show bare ground.")]
LargePrint = Annotated[bool, flag("--large-print", "No type under 11 pt on cards, keys and sheets.")]
ShowSeed = Annotated[bool, flag("--show-seed", "Print the seed also on what lies on the table.")]
FurnitureKind = Annotated[
    str | None, Opt("--furniture", "KIND", "mat, full or none [mat for tiled sheets, else full].")
]
Scale = Annotated[str, Opt("--scale", "SCALE", "1:1, 1:4, or fit: an overview on one sheet.")]
DressingKind = Annotated[
    str, Opt("--dressing", "KIND", "Country between the features, for the eye only: none, light or full.")
]
Climate = Annotated[
    str, Opt("--climate", "NAME", "Of a painted style: temperate, dry or winter [that of the country].")
]
Labels = Annotated[bool, flag("--labels", "With a painted style: names, numbers and lines on the ground too.")]
KeyKind = Annotated[
    str, Opt("--key", "KIND", "The key of the map: plain, what players need, or full, with dice and clauses.")
]
_LANGUAGES: Final = ("printkit.console.terminal:languages_known",)
_STYLES: Final = ("printkit.console.terminal:styles_known",)
StyleName = Annotated[str, Opt("--style", "NAME", "{names}, or a file of your own.", names=_STYLES)]
Language = Annotated[
    str | None, Opt("--lang", "CODE", "{names}, or en+es [from the locale, else en].", names=_LANGUAGES)
]
_FORMATS: Final = Opt(
    "--to",
    "FORMAT",
    "{names}; repeatable [pdf].",
    names=("printkit.export.writers:PAGES", "printkit.export.writers:RECORDS"),
)
Formats = Annotated[tuple[str, ...], _FORMATS]
DeckFormats = Annotated[tuple[str, ...], _FORMATS._replace(names=(_FORMATS.names[0], "printkit.export.writers:DECKS"))]
FolderFormats = Annotated[tuple[str, ...], _FORMATS._replace(names=("printkit.export.writers:FOLDERS",))]
SheetFormats = Annotated[tuple[str, ...], _FORMATS._replace(names=_FORMATS.names[:1])]
PlayerA = Annotated[
    tuple[str, ...],
    Opt("--player-a", "KEY=VALUE", "Player A's sheets otherwise: style, sheet, margin or lang; repeatable."),
]
PlayerB = Annotated[tuple[str, ...], Opt("--player-b", "KEY=VALUE", "Player B's sheets, as --player-a.")]
Out = Annotated[Path, Opt("--out", "PATH", "A file or a folder; - for standard output.")]
TerrainBox = Annotated[str | None, Opt("--box", "FILE.toml", "Your own terrain pieces, to which the field is held.")]
Force = Annotated[bool, flag("--force", "Replace files of another game or another printing that stand in the way.")]
Plan = Annotated[bool, flag("--plan", "Say what would be written, and write nothing.")]
Numbers = Annotated[bool, flag("--numbers/--no-numbers", "Number the features, and explain them in a key.")]
Zones = Annotated[bool, flag("--zones/--no-zones", "Mark the zones of the rules on the map.")]
Deployment = Annotated[bool, flag("--deployment/--no-deployment", "Draw the lines up to which armies deploy.")]
CardSize = Annotated[str, Opt("--size", "SIZE", "us-2.5x3.5in, mini, tarot, or 60x92mm [poker-63x88].")]
Backs = Annotated[str, Opt("--backs", "KIND", "none, deck (one picture on all) or content [the deck's own].")]
FlipEdge = Annotated[
    str | None, Opt("--flip", "EDGE", "How sheets are turned over: long-edge or short-edge [long-edge].")
]
Fold = Annotated[bool, flag("--fold", "Backs beside their fronts, to be folded: prints on one side.")]
UrlBase = Annotated[str, Opt("--url-base", "ADDRESS", "Of tts: where its pictures lie [the folder, as file:///].")]
Dpi = Annotated[int, Opt("--dpi", "N", "With --to png: dots an inch.", least=1)]
MapDpi = Annotated[
    int,
    Opt(
        "--dpi", "N", "With --to png: dots an inch; of a painted style the textures of every file, up to 300.", least=1
    ),
]
Quiet = Annotated[bool, flag("--quiet", "Say nothing but errors.")]
Verbose = Annotated[bool, flag("--verbose", "Show every throw.")]


# --- Options that come together ---------------------------------------------------------------------------------------


class Game(Struct, frozen=True, kw_only=True):
    """Which game is played, or which that was played is printed again."""

    rules: Rules = None
    settings: Settings = ()
    scenario: Scenario = None
    board: BoardSize = None
    cell: Annotated[str | None, Opt("--cell", "LENGTH", "Of a gridded board: across flats or side [100mm].")] = None
    seed: Seed = None
    dice: DiceText = None
    ask: Ask = False
    record: From = None
    reroll: Annotated[tuple[str, ...], Opt("--reroll", "STAGE", "With --from: throw this stage anew; repeatable.")] = ()
    keep: Annotated[
        tuple[str, ...], Opt("--keep", "STAGE", "With --from: throw all stages anew but this; repeatable.")
    ] = ()
    overwrite: Annotated[
        tuple[str, ...], Opt("--overwrite", "THROW=ANSWER", "With --from: your own answer to a throw; repeatable.")
    ] = ()


class Paper(Struct, frozen=True, kw_only=True):
    """The sheets over which a map is laid."""

    sheet: PaperName = "a4"
    margin: OwnMargin = None
    overlap: Overlap = "10mm"


class Output(Struct, frozen=True, kw_only=True):
    """Which files are written, and where."""

    to: Formats = ()
    out: Out = FOLDER
    force: Force = False

    def formats(self, *kinds: Mapping[str, object]) -> tuple[str, ...]:
        """Return the formats that are asked for, each once.

        Args:
            kinds: the tables in which they may stand, as ``export.writers.PAGES``.

        Raises:
            UsageError: there is none of a name.
        """
        from printkit.export.writers import known

        return tuple(dict.fromkeys(known(name, *kinds) for name in self.to or ("pdf",)))


class OtherPrograms(Struct, frozen=True, kw_only=True):
    """What a field is for in other programs."""

    sight: Annotated[str, Opt("--sight", "KIND", "Of uvtt: walls where ground hides, rules, or none.")] = "rules"
    kerf: Annotated[str, Opt("--kerf", "LENGTH", "Of svg-cut: how wide the tool cuts away; 0.2mm is usual.")] = "0mm"
    url_base: UrlBase = ""

    def wishes(self) -> FieldWishes:
        """Return what a person wants of a field for other programs.

        Raises:
            UsageError: a kind that there is not, or a length that cannot be.
        """
        from printkit.core.units import parse_length
        from printkit.export.writers import FieldWishes

        if self.sight not in _SIGHT:
            raise UsageError("--sight {sight}: it may be {kinds}", sight=self.sight, kinds=" or ".join(_SIGHT))
        kerf = parse_length(self.kerf)
        if not 0.0 <= kerf <= _KERF:
            raise UsageError("--kerf {kerf}: from 0mm to {most:g}mm", kerf=self.kerf, most=_KERF)
        return FieldWishes(sight=self.sight == _SIGHT[0], kerf=kerf, url_base=self.url_base)


_SIGHT: Final = ("rules", "none")
_KERF: Final = 5.0
"""The widest kerf in millimetres: a hot wire's is 2."""


class SheetOutput(Output, frozen=True, kw_only=True):
    """Which files of sheets without a record are written, and where."""

    to: SheetFormats = ()

    def sheet_formats(self) -> tuple[str, ...]:
        """Return the formats of sheets that are asked for, where standard output takes but one.

        Raises:
            UsageError: there is none of a name, or there are several for standard output.
        """
        from printkit.export.writers import PAGES

        formats = self.formats(PAGES)
        if self.out == STREAM and len(formats) > 1:
            raise UsageError("--out - writes one file; give one --to")
        return formats


class DeckOutput(Output, frozen=True, kw_only=True):
    """Which files of a deck are written, and where."""

    to: DeckFormats = ()

    def deck_formats(self) -> tuple[str, ...]:
        """Return the formats that are asked for, where standard output takes but one, of sheets.

        Raises:
            UsageError: there is none of a name, or there are several for standard output.
        """
        from printkit.export.writers import DECKS, PAGES

        formats = self.formats(PAGES, DECKS)
        if self.out == STREAM and (len(formats) > 1 or formats[0] in DECKS):
            raise UsageError("--out - writes one file; give one --to")
        return formats


class BatchOptions(Struct, frozen=True, kw_only=True):
    """How many battlefields are made, and by whom; ``again`` where what is there is made anew."""

    count: Annotated[int, Opt("--count", "N", "N battlefields of consecutive seeds.", least=1)] = 1
    jobs: Annotated[
        int | None, Opt("--jobs", "N", "With --count: processes that share them out [one a core].", least=1)
    ] = None
    backend: Annotated[
        str | None,
        Opt("--backend", "NAME", "With --count: loky, multiprocessing, or dask, a cluster [loky]."),
    ] = None
    again: Annotated[bool, flag("--again", "With --count: make also those anew that are there and whole.")] = False
