"""The swatches of the built-in styles, and the ink of each symbol. ``patterns.py`` stores both."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

import numpy as np

from printkit.core.resources import names
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.style import find
from printkit.drawing.furniture.legend import DRESSING_ENTRIES, SWATCH_ENTRIES, draw_swatch, swatch_drawing
from printkit.drawing.furniture.stored_swatches import STORED_SCALES, STORED_STYLES, dump_swatches, file_name
from printkit.drawing.furniture.swatches import ENTRIES
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.text.drafter import Drafter
from printkit.export.png import picture_share, pictures
from printkit.page.sheet import document_of
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale

# The resolution of the estimate in ``export.png``, so that both count fine lines alike.
_DPI: Final = 50.0
# The width in mm of the rim with the border of a swatch, which does not count.
_RIM: Final = 1.0
# The side in mm of a board without features.
_OPEN: Final = 120.0


def ink_text() -> str:
    """Return the ink shares of all symbols as JSON, one line for each style."""
    words = Words(("en",))
    board = Battlefield(board=Board(_OPEN, _OPEN, GroundScale(pace=0.254, base_width=40.0)))
    lines = []
    for name in names("templates/styles", ".toml"):
        drafter = Drafter.furniture(find(name), words)
        shares = {"ground": _share(board_drawing(board, drafter))}
        shares |= {
            entry.key: _share(swatch_drawing(entry, drafter)) for entry in (*ENTRIES, *DRESSING_ENTRIES.values())
        }
        lines.append(f"{json.dumps(name)}: {json.dumps(shares)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def swatch_files() -> Iterator[tuple[str, dict[str, bytes]]]:
    """Yield the name of each file of stored swatches, and its parts by name."""
    words = Words(("en",))
    for style in STORED_STYLES:
        for scale in STORED_SCALES:
            drafter = Drafter.furniture(find(style), words, scale=scale)
            swatches = {key: draw_swatch(entry, drafter) for key, entry in SWATCH_ENTRIES.items()}
            yield file_name(style, scale), dump_swatches(swatches)


def _share(drawing: Drawing) -> float:
    """Return the ink share of a drawing inside its rim, rounded to two decimals."""
    (picture,) = pictures(document_of(drawing), _DPI)
    dots, rim = np.asarray(picture), round(_RIM / MM_PER_INCH * _DPI) + 1
    return round(picture_share(np.ascontiguousarray(dots[rim:-rim, rim:-rim])), 2)
