"""Reads what is in a PDF: its streams, the outlines that it strokes, its pixels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
import pikepdf
import pypdfium2
from numpy.typing import NDArray

_OPERATORS = "q Q cm m l h re W n f f* S B B* w J j d g rg G RG gs Do BT ET Tf TJ Tj Tm Tr Tc BDC EMC"
OPERATORS = frozenset(_OPERATORS.split())
"""What a content stream of ours may hold."""

RESOURCES = {"Tf": "/Font", "Do": "/XObject", "gs": "/ExtGState"}
"""Operators that name a resource, and the kind of resource."""

POINTS = 72 / 25.4

_STROKING = "q Q cm w Do m l S f f* B B* n"
"""Operators that lay down or end an outline of straight lines; curves, colours and text need not be read."""

_SIGN = 40.0
"""Forms that are smaller, in mm, are trees and houses, thousands of them."""


def opened(data: bytes) -> pikepdf.Pdf:
    """Return the PDF as a tree of objects."""
    return pikepdf.open(BytesIO(data))


def holders(made: pikepdf.Pdf) -> Iterator[Any]:
    """Yield everything that has a content stream: each page and each form."""
    yield from (page.obj for page in made.pages)
    yield from (
        each for each in made.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == pikepdf.Name.Form
    )


def content(holder: Any) -> bytes:
    """Return the decompressed content stream of a page or form."""
    return bytes((holder.Contents if "/Contents" in holder else holder).read_bytes())


class Outline(NamedTuple):
    """A stroked outline of four corners: bounds and width of the stroke, in mm from the lower left of the page."""

    left: float
    bottom: float
    right: float
    top: float
    width: float

    @property
    def size(self) -> tuple[float, float]:
        """Return how far it reaches across and up, along the middle of the stroke."""
        return self.right - self.left, self.top - self.bottom


def _reach(form: Any, placed: pikepdf.Matrix) -> float:
    """Return how far a form reaches across or up, in mm."""
    left, bottom, right, top = (float(side) for side in form.BBox)
    corners = [placed.transform((x, y)) for x in (left, right) for y in (bottom, top)]
    return max(max(values) - min(values) for values in zip(*corners, strict=True)) / POINTS


Step = tuple[str, list[Any]]


def _steps(holder: Any) -> Iterator[Step]:
    """Yield what a content stream does that moves, widens, shows a form or strokes four corners, with its numbers."""
    corners: list[float] = []
    for operands, operator in pikepdf.parse_content_stream(holder, _STROKING):
        match str(operator):
            case "q" | "Q" as name:
                yield name, []
            case "cm" | "w" as name:
                yield name, [float(operand) for operand in operands]
            case "Do":
                yield "Do", [holder.Resources.XObject[operands[0]]]
            case "m" | "l":
                corners += map(float, operands)
            case name:
                if name == "S" and len(corners) == 8:
                    yield name, corners
                corners = []


def outlines(
    holder: Any, placed: pikepdf.Matrix | None = None, known: dict[tuple[int, int], list[Step]] | None = None
) -> Iterator[Outline]:
    """Yield every outline of four corners that a page strokes, itself or in its forms; signs are left out.

    Nothing of ours is skewed. ``known`` keeps the forms that are read: pages of one file that share it read them once.
    """
    known = {} if known is None else known
    states = [(pikepdf.Matrix() if placed is None else placed, 1.0)]
    own = getattr(holder, "obj", holder).objgen
    if own not in known:
        known[own] = list(_steps(holder))
    for name, given in known[own]:
        matrix, width = states[-1]
        match name:
            case "q":
                states.append(states[-1])
            case "Q":
                states.pop()
            case "cm":
                states[-1] = (pikepdf.Matrix(*given) @ matrix, width)
            case "w":
                states[-1] = (matrix, given[0])
            case "Do":
                if _reach(given[0], matrix) > _SIGN:
                    yield from outlines(given[0], matrix, known)
            case _:
                corners = [matrix.transform(corner) for corner in zip(given[::2], given[1::2], strict=True)]
                across, up = ([value / POINTS for value in values] for values in zip(*corners, strict=True))
                yield Outline(
                    min(across), min(up), max(across), max(up), width * math.hypot(matrix.a, matrix.b) / POINTS
                )


def rendered(data: bytes, dots: int) -> Iterator[NDArray[np.int16]]:
    """Yield the pages in grey, ``dots`` pixels a millimetre; pages should be whole pixels large."""
    made = pypdfium2.PdfDocument(data)
    try:
        for page in made:
            # A hair less, because a page whose size is not exact in points would get another row of pixels.
            shown = page.render(scale=dots / POINTS * (1 - 1e-6), grayscale=True).to_numpy()
            yield shown.reshape(shown.shape[:2]).astype(np.int16)
    finally:
        made.close()


def texts(data: bytes) -> list[str]:
    """Return the text of each page as a reader selects it."""
    made = pypdfium2.PdfDocument(data)
    try:
        return [page.get_textpage().get_text_range() for page in made]
    finally:
        made.close()


def type_sizes(data: bytes) -> set[float]:
    """Return the sizes in points in which a PDF sets type, as they come out on the paper."""
    found: set[float] = set()
    for holder in holders(opened(data)):
        if holder.get("/Type") != pikepdf.Name.Page:
            continue
        matrix, kept = pikepdf.Matrix(), list[pikepdf.Matrix]()
        size, line = 0.0, pikepdf.Matrix()
        for operands, operator in pikepdf.parse_content_stream(holder):
            match str(operator):
                case "q":
                    kept.append(matrix)
                case "Q":
                    matrix = kept.pop()
                case "cm":
                    matrix = pikepdf.Matrix(*map(float, operands)) @ matrix
                case "Tm":
                    line = pikepdf.Matrix(*map(float, operands))
                case "Tf":
                    size = float(operands[1])
                case "Tj" | "TJ":
                    whole = line @ matrix
                    found.add(round(size * math.hypot(whole.a, whole.b), 2))
    return found


def everything_said(data: bytes) -> list[str]:
    """Return all text that can be found in a PDF: of its pages, streams, outline, properties and metadata."""
    file = opened(data)
    told = [*texts(data), *map(str, file.docinfo.values())]
    told += [content(holder).decode("latin-1") for holder in holders(file)]
    told += [str(item.title) for item in file.open_outline().root]
    told += [bytes(each.read_bytes()).decode("latin-1") for each in file.objects if _is_metadata(each)]
    return told


def _is_metadata(found: pikepdf.Object) -> bool:
    return isinstance(found, pikepdf.Stream) and found.get("/Subtype") == pikepdf.Name.XML
