"""Typefaces: each opened once, by the library that embeds it, and the advances by which its type is measured."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from printkit.core.resources import resource
from printkit.drawing.canvas.items import Font


class Advances(NamedTuple):
    """How far each letter that a face has moves the pen, in shares of the size, and what any other letter takes."""

    shares: dict[str, float]
    missing: float


@cache
def typeface(font: Font) -> Any:
    """Return the opened typeface, a ``reportlab.pdfbase.ttfonts.TTFont`` called by the font's value."""
    from printkit.drawing.lettering.typefaces_opened import OpenedFont

    return OpenedFont(font.value, resource("fonts", f"{font.value}.ttf").read_bytes())


@cache
def advances(font: Font) -> Advances:
    """Return the advances of a typeface."""
    face = typeface(font).face
    shares = [wide / 1000 for wide in face.charWidths.values()]
    return Advances(dict(zip(map(chr, face.charWidths), shares, strict=True)), face.defaultWidth / 1000)
