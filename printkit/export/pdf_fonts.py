"""Typefaces for PDF: letters to codes of an embedded subset."""

from __future__ import annotations

from typing import Any

from reportlab.pdfbase.pdfdoc import PDFDocument

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Font
from printkit.drawing.lettering.typefaces import typeface


class Fonts:
    """The subsets of one document, which grow as texts are spelled."""

    def __init__(self, container: PDFDocument) -> None:
        """Keep the subsets for ``container``, which embeds them when it is closed."""
        self._container = container
        self._first: dict[Font, dict[str, str]] = {}

    def spell(self, font: Font, text: str) -> list[tuple[str, str]]:
        """Return the name of each subset that the text needs, with its letters in hexadecimal.

        Raises:
            PageError: the typeface lacks a letter.
        """
        # Nearly all texts keep to letters that were met before, in the first subset of their typeface.
        known = self._first.setdefault(font, {})
        try:
            codes = "".join([known[letter] for letter in text])
        except KeyError:
            return self._learned(font, text)
        return [(self._name(typeface(font), 0), codes)]

    def _learned(self, font: Font, text: str) -> list[tuple[str, str]]:
        """Return the spelling of a text with letters that are new, or that stand in a later subset."""
        face = typeface(font)
        for letter in text:
            if ord(letter) not in face.face.charToGlyph:
                raise PageError(
                    "{font} has no letter {letter!r} (U+{code:04X}), which stands in {text!r}",
                    font=font,
                    letter=letter,
                    code=ord(letter),
                    text=text,
                )
        spelled = face.splitString(text, self._container)
        if [subset for subset, _ in spelled] == [0]:
            ((_, codes),) = spelled
            self._first[font].update(zip(text, map("{:02x}".format, codes), strict=True))
        return [(self._name(face, subset), codes.hex()) for subset, codes in spelled]

    def _name(self, face: Any, subset: int) -> str:
        return str(face.getSubsetInternalName(subset, self._container)[1:])
