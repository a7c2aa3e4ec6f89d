"""pycairo on a surface of PDF, redrawn for each sheet. Letters are curves: pycairo opens no typeface from a file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path as FilePath

import cairo

from benchmarks.peers.outlines import moves
from benchmarks.peers.surface import MITRE_LIMIT, draw, em, letters_of, points_of
from printkit.core.units import mm_to_points
from printkit.drawing.canvas.items import Affine, Artwork, FillRule, Ink, Path, PathRun, Rect, Stroke, Text
from printkit.drawing.lettering.glyphs import units_per_em
from printkit.page.sheet import Document


class CairoSurface:
    """A context scaled to millimetres and turned over, for cairo counts downwards."""

    def __init__(self, path: FilePath) -> None:
        """Begin a file."""
        self._surface = cairo.PDFSurface(str(path), 1, 1)
        self._context = cairo.Context(self._surface)
        self._begun = False

    def page(self, width: float, height: float) -> None:
        """Begin a sheet."""
        if self._begun:
            self._context.show_page()
        self._begun = True
        self._surface.set_size(mm_to_points(width), mm_to_points(height))
        self._context.identity_matrix()
        self._context.translate(0, mm_to_points(height))
        self._context.scale(mm_to_points(1), -mm_to_points(1))
        self._context.set_miter_limit(MITRE_LIMIT)

    @contextmanager
    def within(self, clip: Rect | PathRun | None, transform: Affine) -> Iterator[None]:
        """Save the state, clip, transform."""
        self._context.save()
        if clip is not None:
            self._context.new_path()
            if isinstance(clip, Rect):
                self._context.rectangle(*clip)
            else:
                self._outline(clip)
            self._context.clip()
        self._context.transform(cairo.Matrix(*transform))
        yield
        self._context.restore()

    def path(self, path: Path) -> None:
        """Draw a path."""
        self._context.new_path()
        for run in path.runs:
            self._outline(run)
        if path.fill is not None:
            even_odd = path.rule is FillRule.EVEN_ODD
            self._context.set_fill_rule(cairo.FILL_RULE_EVEN_ODD if even_odd else cairo.FILL_RULE_WINDING)
            self._ink(path.fill)
            self._context.fill_preserve()
        if path.stroke is not None:
            self._stroke(path.stroke)

    def text(self, text: Text) -> None:
        """Draw a text by the outlines of its letters, its halo beneath."""
        scale = em(text) / units_per_em(text.font)
        self._context.new_path()
        for letter in letters_of(text):
            self._context.save()
            self._context.translate(letter.x, letter.y)
            self._context.rotate(math.radians(letter.angle))
            self._context.scale(scale, scale)
            for kind, at in moves(text.font, letter.content):
                self._step(kind, at)
            self._context.restore()
        self._context.set_fill_rule(cairo.FILL_RULE_WINDING)
        if text.halo is not None:
            self._stroke(text.halo, keep=True)
        self._ink(text.ink)
        self._context.fill()

    def stamp(self, artwork: Artwork, places: Sequence[Affine]) -> None:
        """Draw the paths of the picture again at each place."""
        for place in places:
            self._context.save()
            self._context.transform(cairo.Matrix(*place))
            for path in artwork.paths:
                self.path(path)
            self._context.restore()

    def save(self) -> None:
        """Write the file."""
        self._surface.finish()

    def _step(self, kind: str, at: tuple[float, ...]) -> None:
        match kind:
            case "M":
                self._context.move_to(*at)
            case "L":
                self._context.line_to(*at)
            case "Q":
                (x0, y0), (x1, y1, x2, y2) = self._context.get_current_point(), at
                nears = (x0 + (x1 - x0) * 2 / 3, y0 + (y1 - y0) * 2 / 3)
                self._context.curve_to(*nears, x2 + (x1 - x2) * 2 / 3, y2 + (y1 - y2) * 2 / 3, x2, y2)
            case _:
                self._context.close_path()

    def _outline(self, run: PathRun) -> None:
        first, *others = points_of(run)
        self._context.move_to(*first)
        for point in others:
            self._context.line_to(*point)
        if run.closed:
            self._context.close_path()

    def _ink(self, ink: Ink) -> None:
        self._context.set_source_rgba(ink.red / 255, ink.green / 255, ink.blue / 255, ink.alpha)

    def _stroke(self, stroke: Stroke, *, keep: bool = False) -> None:
        self._ink(stroke.ink)
        self._context.set_line_width(stroke.width)
        self._context.set_line_cap(cairo.LineCap(int(stroke.cap)))
        self._context.set_line_join(cairo.LineJoin(int(stroke.join)))
        self._context.set_dash(stroke.dash, stroke.phase)
        if keep:
            self._context.stroke_preserve()
        else:
            self._context.stroke()


def write(document: Document, path: FilePath) -> None:
    """Write the sheets."""
    surface = CairoSurface(path)
    draw(document, surface)
    surface.save()
