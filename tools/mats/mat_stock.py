"""Makes the stock of painted pictures anew from fixed seeds: textures, sprites and tiles of noise.

    python tools/mats/mat_stock.py [FOLDER]

Without a folder it goes where the package keeps it, ``templates/mats``. A test makes it anew and compares.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from mat_sprites import sprites
from mat_textures import clipped, textures, waves
from PIL import Image

ROOT: Final = Path(__file__).resolve().parents[2]
_LAP: Final = 4
_QUALITY: Final = 80
# Crops and furrows are so fine that they compress badly, and nobody sees the difference.
_LOWER_QUALITY: Final = {"corn": 55, "furrow": 55}
_TILE: Final = 512
_NOISE: Final = {"middle": (1.15, 900, 3, 2.2), "broad": (1.6, 901, 2, 2.55), "fine": (0.55, 902, 40, 2.55)}
"""The slope, the seed, the fewest waves and the farthest value of each tile of noise."""

_MIDDLE: Final = 2.55
_STEPS: Final = 50


def make(folder: Path) -> None:
    """Make the whole stock in a folder."""
    for below in (folder / "sprites", folder / "noise"):
        below.mkdir(parents=True, exist_ok=True)
    for name, field in textures():
        lapped = np.pad(clipped(field), ((_LAP, _LAP), (_LAP, _LAP), (0, 0)), mode="wrap")
        quality = _LOWER_QUALITY.get(name, _QUALITY)
        Image.fromarray(lapped).save(folder / f"{name}.jpg", quality=quality, subsampling=2)
    for name, image in sprites():
        image.save(folder / "sprites" / f"{name}.png")
    for name, (slope, seed, low, most) in _NOISE.items():
        field = np.clip(waves(_TILE, slope, seed, low=low), -most, most)
        levels = np.rint((field + _MIDDLE) * _STEPS).astype(np.uint8)
        Image.fromarray(levels).save(folder / "noise" / f"{name}.png", optimize=True)


def main(arguments: Sequence[str]) -> int:
    """Make it; 0 where all went well."""
    make(Path(arguments[0]) if arguments else ROOT / "templates" / "mats")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
