"""Draws the boards of the README's gallery: one a rule system, and one a style, small enough to be seen in a browser.

python tools/gallery.py
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from PIL import Image

import printkit

FOLDER: Final = Path(__file__).resolve().parents[1] / "docs" / "gallery"
DPI: Final = 72
WIDTH: Final = 860
COLOURS: Final = 160


class Shown(NamedTuple):
    """A picture of the gallery."""

    name: str
    rules: str
    seed: int
    board: str | None = None
    style: str = "campaign"
    dressing: str = "light"


BOARDS: Final = (
    Shown("brantley", "brantley", 14, dressing="full"),
    Shown("solo-dba", "solo-dba", 5, dressing="full"),
    Shown("dba3", "dba3", 2),
    Shown("collision-course", "collision-course", 8),
    Shown("portable-1", "portable-1", 3),
    Shown("portable-2", "portable-2", 5),
    Shown("acw", "acw", 63, board="72x48in", dressing="full"),
    Shown("ink-saver", "brantley", 14, style="ink-saver"),
    Shown("high-contrast", "brantley", 14, style="high-contrast", dressing="full"),
    Shown("painted", "brantley", 77, style="painted", dressing="full"),
)


def main() -> None:
    """Write the pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for shown in BOARDS:
        game = printkit.generate(shown.rules, seed=shown.seed, board=shown.board)
        with TemporaryDirectory() as folder:
            (path,) = game.png(
                Path(folder) / "board.png",
                dpi=DPI,
                sheet="one",
                furniture="full",
                style=shown.style,
                dressing=shown.dressing,
            )
            with Image.open(path) as board:
                height = round(board.height * WIDTH / board.width)
                small = board.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)
        target = FOLDER / f"{shown.name}.png"
        small.quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)
        print(f"{target.name}: seed {shown.seed}, {target.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
