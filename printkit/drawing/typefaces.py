"""Typefaces: each opened once, by the library that embeds it, and the advances by which its type is measured."""

from __future__ import annotations

import io
from functools import cache
from typing import Any, NamedTuple

from printkit.drawing.items import Font
from printkit.resources import resource


class Advances(NamedTuple):
    """How far each letter that a face has moves the pen, in shares of the size, and what any other letter takes."""

    shares: dict[str, float]
    missing: float


@cache
def typeface(font: Font) -> Any:
    """Return the opened typeface, a ``reportlab.pdfbase.ttfonts.TTFont`` called by the font's value."""
    from reportlab.pdfbase.ttfonts import TTFont

    return TTFont(font.value, io.BytesIO(resource("fonts", f"{font.value}.ttf").read_bytes()), asciiReadable=0)


@cache
def advances(font: Font) -> Advances:
    """Return the advances of a typeface."""
    face = typeface(font).face
    return Advances({chr(code): wide / 1000 for code, wide in face.charWidths.items()}, face.defaultWidth / 1000)
