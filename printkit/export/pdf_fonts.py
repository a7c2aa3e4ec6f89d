"""Typefaces for PDF: letters to codes of an embedded subset."""

from __future__ import annotations

from reportlab.pdfbase.pdfdoc import PDFDocument

from printkit.drawing.items import Font
from printkit.drawing.typefaces import typeface
from printkit.errors import PageError


class Fonts:
    """The subsets of one document, which grow as texts are spelled."""

    def __init__(self, container: PDFDocument) -> None:
        """Keep the subsets for ``container``, which embeds them when it is closed."""
        self._container = container

    def spell(self, font: Font, text: str) -> list[tuple[str, str]]:
        """Return the name of each subset that the text needs, with its letters in hexadecimal.

        Raises:
            PageError: the typeface lacks a letter.
        """
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
        return [
            (face.getSubsetInternalName(subset, self._container)[1:], codes.hex())
            for subset, codes in face.splitString(text, self._container)
        ]
