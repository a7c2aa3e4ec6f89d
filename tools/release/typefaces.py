"""Takes out of the typefaces what printkit never draws: glyphs that no letter stands for, and how letters combine.

EB Garamond and Old Standard reserve no name, so they may be changed under theirs; Lato does, and stays whole. Every
outline that is left, and all that a PDF is told of a face, is as it was.

    python tools/release/typefaces.py FOLDER      FOLDER has the faces as their makers publish them
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.DefaultTable import DefaultTable

FONTS: Final = Path(__file__).resolve().parents[2] / "fonts"

FACES: Final = (
    *("EBGaramond08-Italic", "EBGaramond08-Regular", "EBGaramond12-Italic", "EBGaramond12-Regular"),
    *("EBGaramondSC12-Regular", "OldStandard-Bold"),
)
CORNERS: Final = "OldStandard-Bold"
"""The face of the corners of cards: letters of European languages, figures and suits are enough for it."""

RANGES: Final = ((0x20, 0x250), (0x370, 0x530), (0x1E00, 0x1F00), (0x2000, 0x2300), (0x2600, 0x2700))
KEPT: Final = ("name", "OS/2")
"""What goes into every PDF, and so stays to the byte."""

DROPPED: Final = ("GSUB", "GPOS", "GDEF", "DSIG", "kern", "FFTM")


def slimmed(source: Path, to: Path) -> None:
    """Write a face without what is never drawn."""
    font = TTFont(source, recalcBBoxes=False, recalcTimestamp=False)
    raw = {tag: font.reader[tag] for tag in KEPT}
    letters = list(font.getBestCmap())
    if source.stem == CORNERS:
        letters = [letter for letter in letters if any(low <= letter < high for low, high in RANGES)]
    options = Options(glyph_names=False, hinting=True, layout_features=[], notdef_outline=True, recalc_bounds=False)
    options.drop_tables = list(DROPPED)
    options.recalc_timestamp = options.recalc_average_width = options.recalc_max_context = False
    options.legacy_cmap = options.symbol_cmap = True
    options.prune_unicode_ranges = options.prune_codepage_ranges = False
    cutter = Subsetter(options)
    cutter.populate(unicodes=letters)
    cutter.subset(font)
    for tag, data in raw.items():
        table = DefaultTable(tag)
        table.data = data
        font[tag] = table
    font.save(to, reorderTables=None)


def main(arguments: list[str]) -> int:
    """Write the faces."""
    (folder,) = map(Path, arguments)
    for face in FACES:
        slimmed(folder / f"{face}.ttf", FONTS / f"{face}.ttf")
        print(f"{face}: {(FONTS / f'{face}.ttf').stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
