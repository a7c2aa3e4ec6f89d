"""Letters as curves, for peers that cannot open a typeface from a file."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, TypeAlias

from printkit.drawing.canvas.items import Font
from printkit.export.svg import outline

Move: TypeAlias = tuple[str, tuple[float, ...]]

_STEP: Final = re.compile(r"([MLQZ])([^MLQZ]*)")


@cache
def moves(font: Font, letter: str) -> tuple[Move, ...]:
    """Return the outline of a letter as steps of a pen: M, L and Q with their points, and Z; in units of the em."""
    return tuple((kind, tuple(map(float, numbers.split()))) for kind, numbers in _STEP.findall(outline(font, letter)))
