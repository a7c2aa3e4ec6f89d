"""Draws the boards of the README's gallery: one a style, small enough to be looked at in a browser.

python tools/gallery.py
"""

from __future__ import annotations

import io
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from printkit.core import words
from printkit.export import png
from printkit.kit import registry
from printkit.recipes.game.games import play
from printkit.recipes.game.request import ordered
from printkit.recipes.prints.maps import MapRequest, map_document, map_sheet

BOARDS = ((2, "campaign"), (6, "ink-saver"), (4, "high-contrast"))
FOLDER = Path(__file__).resolve().parents[1] / "docs" / "gallery"
DPI = 34.0
COLOURS = 96


def main() -> None:
    """Write the pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    english = words.find("en")
    for seed, style in BOARDS:
        orders = ordered(
            rules=None,
            settings=(),
            scenario=None,
            board=None,
            seed=seed,
            dice=None,
        )
        system = registry.find(orders.rules)
        game = play(system, orders, seed, english)
        order = map_sheet(MapRequest(sheet="one", style=style, furniture="full"), english)
        document, _ = map_document(game.record, system, order)
        with TemporaryDirectory() as folder:
            (picture,) = png.write(document, Path(folder) / "board.png", dpi=2 * DPI)
            board = Image.open(io.BytesIO(picture.read_bytes()))
        small = board.resize((board.width // 2, board.height // 2), Image.Resampling.LANCZOS)
        target = FOLDER / f"{style}.png"
        small.quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)
        print(f"{target.name}: seed {seed}, {target.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
