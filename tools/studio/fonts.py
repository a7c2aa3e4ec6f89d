"""Cuts the type of the studio's pages out of fonts/: WOFF2, with the letters of European languages and a few signs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from fontTools.subset import Options, Subsetter, load_font, save_font

ROOT: Final = Path(__file__).resolve().parents[2]
TO: Final = ROOT / "printkit" / "studio" / "static" / "fonts"

FACES: Final = (
    *("EBGaramond12-Regular", "EBGaramond12-Italic", "EBGaramondSC12-Regular", "Lato-Regular", "Lato-Semibold"),
)
LETTERS: Final = (
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),
    *map(ord, "–—‘’“”„…•†−×÷≤≥½¼¾⅓⅔′″€←↑→↓↶↷✓✗♠♥♦♣▢☐☑"),
)
FEATURES: Final = ("kern", "liga", "mark", "mkmk", "ccmp", "locl", "lnum", "tnum")


def main() -> int:
    """Write the faces, and say how large each is."""
    TO.mkdir(parents=True, exist_ok=True)
    for face in FACES:
        (source,) = ROOT.joinpath("fonts").glob(f"{face}.*tf")
        options = Options(flavor="woff2", layout_features=list(FEATURES), hinting=False, notdef_outline=True)
        options.name_IDs = [0, 1, 2, 13, 14]
        options.recalc_timestamp = False
        font = load_font(str(source), options)
        cutter = Subsetter(options)
        cutter.populate(unicodes=LETTERS)
        cutter.subset(font)
        path = TO / f"{face}.woff2"
        save_font(font, str(path), options)
        print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
