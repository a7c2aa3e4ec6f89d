"""The canvas of reportlab, redrawn for each sheet; of what a sheet does not show, nothing is drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import Any

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import FILL_EVEN_ODD, FILL_NON_ZERO, Canvas

from benchmarks.peers.surface import MITRE_LIMIT, draw, em, lines_of, points_of
from printkit.core.units import mm_to_points
from printkit.drawing.canvas.items import Affine, Artwork, FillRule, Font, Ink, Path, PathRun, Rect, Stroke, Text
from printkit.drawing.lettering.typefaces import typeface
from printkit.page.sheet import Document


class CanvasSurface:
    """A canvas scaled to millimetres."""

    def __init__(self, path: FilePath) -> None:
        """Begin a file."""
        self._canvas = Canvas(str(path), pageCompression=1, invariant=1)
        self._begun = False
        for font in Font:
            pdfmetrics.registerFont(typeface(font))

    def page(self, width: float, height: float) -> None:
        """Begin a sheet."""
        if self._begun:
            self._canvas.showPage()
        self._begun = True
        self._canvas.setPageSize((mm_to_points(width), mm_to_points(height)))
        self._canvas.scale(mm_to_points(1), mm_to_points(1))
        self._canvas.setMiterLimit(MITRE_LIMIT)

    @contextmanager
    def within(self, clip: Rect | PathRun | None, transform: Affine) -> Iterator[None]:
        """Save the state, clip, transform."""
        self._canvas.saveState()
        if clip is not None:
            shape = self._canvas.beginPath()
            if isinstance(clip, Rect):
                shape.rect(*clip)
            else:
                self._outline(shape, clip)
            self._canvas.clipPath(shape, stroke=0, fill=0)
        if transform != Affine():
            self._canvas.transform(*transform)
        yield
        self._canvas.restoreState()

    def path(self, path: Path) -> None:
        """Draw a path; fill and stroke at once."""
        shape = self._canvas.beginPath()
        for run in path.runs:
            self._outline(shape, run)
        if path.fill is not None:
            self._fill(path.fill)
        if path.stroke is not None:
            self._stroke(path.stroke)
        mode = FILL_EVEN_ODD if path.rule is FillRule.EVEN_ODD else FILL_NON_ZERO
        self._canvas.drawPath(shape, stroke=path.stroke is not None, fill=path.fill is not None, fillMode=mode)

    def text(self, text: Text) -> None:
        """Draw a text, its halo beneath."""
        self._fill(text.ink)
        if text.halo is not None:
            self._stroke(text.halo)
            self._letters(text, mode=1)
        self._letters(text, mode=0)

    def stamp(self, artwork: Artwork, places: Sequence[Affine]) -> None:
        """Draw the paths of the picture again at each place; forms of the canvas lose what is translucent."""
        for place in places:
            with self.within(None, place):
                for path in artwork.paths:
                    self.path(path)

    def save(self) -> None:
        """Write the file."""
        self._canvas.save()

    def _letters(self, text: Text, *, mode: int) -> None:
        made = self._canvas.beginText()
        made.setFont(text.font.value, em(text))
        made.setTextRenderMode(mode)
        made.setCharSpace(text.track)
        for line in lines_of(text):
            cosine, sine = math.cos(math.radians(line.angle)), math.sin(math.radians(line.angle))
            made.setTextTransform(cosine, sine, -sine, cosine, line.x, line.y)
            made.textOut(line.content)
        made.setCharSpace(0)
        made.setTextRenderMode(0)
        self._canvas.drawText(made)

    def _outline(self, shape: Any, run: PathRun) -> None:
        first, *others = points_of(run)
        shape.moveTo(*first)
        for point in others:
            shape.lineTo(*point)
        if run.closed:
            shape.close()

    def _fill(self, ink: Ink) -> None:
        self._canvas.setFillColorRGB(ink.red / 255, ink.green / 255, ink.blue / 255, ink.alpha)

    def _stroke(self, stroke: Stroke) -> None:
        ink = stroke.ink
        self._canvas.setStrokeColorRGB(ink.red / 255, ink.green / 255, ink.blue / 255, ink.alpha)
        self._canvas.setLineWidth(stroke.width)
        self._canvas.setLineCap(int(stroke.cap))
        self._canvas.setLineJoin(int(stroke.join))
        self._canvas.setDash(list(stroke.dash), stroke.phase)


def write(document: Document, path: FilePath, *, culled: bool = True) -> None:
    """Write the sheets."""
    surface = CanvasSurface(path)
    draw(document, surface, culled=culled)
    surface.save()
