"""matplotlib: a figure as large as the sheet, an artist for each path, for each text, for the places of each stamp.

Its writer of PDF fills by winding number only, and takes one clip an artist beside a box.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path as FilePath

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Shape
from matplotlib.patheffects import withStroke
from matplotlib.transforms import Affine2D, Bbox, TransformedBbox

from benchmarks.peers.surface import draw, em, letters_of, lines_of, points_of
from printkit.core.resources import resource
from printkit.core.units import MM_PER_INCH, mm_to_points
from printkit.drawing.canvas.items import Affine, Artwork, Font, Ink, Path, PathRun, Rect, Stroke, Text
from printkit.page.sheet import Document

_CAPS = ("butt", "round", "projecting")
_JOINS = ("miter", "round", "bevel")


class FigureSurface:
    """One figure after the other, in a file of several pages."""

    def __init__(self, path: FilePath) -> None:
        """Begin a file, its letters embedded as TrueType."""
        mpl.rcParams["pdf.fonttype"] = 42
        self._pages = PdfPages(path)
        self._figure, self._begun = Figure(), False
        self._transforms = [Affine2D()]
        self._clips: list[Rect | PathRun] = []

    def page(self, width: float, height: float) -> None:
        """Put the figure before on its page, and begin the next."""
        self._flush()
        self._begun = True
        self._figure = Figure(figsize=(width / MM_PER_INCH, height / MM_PER_INCH))
        to_inches = Affine2D().scale(1 / MM_PER_INCH) + self._figure.dpi_scale_trans
        self._to_figure, self._order = to_inches, 0

    @contextmanager
    def within(self, clip: Rect | PathRun | None, transform: Affine) -> Iterator[None]:
        """Note clip and transform, for each artist has its own."""
        if clip is not None:
            self._clips.append(_moved(clip, self._transforms[-1]))
        self._transforms.append(_matrix(transform) + self._transforms[-1])
        yield
        self._transforms.pop()
        if clip is not None:
            self._clips.pop()

    def path(self, path: Path) -> None:
        """Add a patch."""
        filled = "none" if path.fill is None else _colour(path.fill)
        drawn: dict[str, object] = {"facecolor": filled, "edgecolor": "none", "linewidth": 0}
        drawn |= {} if path.stroke is None else _stroke(path.stroke)
        self._add(PathPatch(_shape(path), **drawn, transform=self._transforms[-1] + self._to_figure))

    def text(self, text: Text) -> None:
        """Add a text; letters with space between them one by one."""
        size = mm_to_points(em(text))
        effects = []
        if text.halo is not None:
            effects = [withStroke(linewidth=mm_to_points(text.halo.width), foreground=_colour(text.halo.ink))]
        for line in letters_of(text) if text.track else lines_of(text):
            x, y = self._transforms[-1].transform((line.x, line.y))
            made = self._figure.text(
                x,
                y,
                line.content,
                transform=self._to_figure,
                rotation=line.angle,
                rotation_mode="anchor",
                ha="left",
                va="baseline",
                color=_colour(text.ink),
                fontproperties=_typeface(text.font),
                fontsize=size,
                path_effects=effects,
                parse_math=False,
            )
            self._order += 1
            made.set_zorder(self._order)
            self._clip(made)

    def stamp(self, artwork: Artwork, places: Sequence[Affine]) -> None:
        """Add all places of a picture as one collection, whose paths come in turn."""
        paths = [path for path in artwork.paths if path.runs and (path.fill or path.stroke)]
        if not paths or not places:
            return
        matrices = [_matrix(place).get_matrix() for place in places for _ in paths]
        strokes = [path.stroke for path in paths]
        made = PathCollection(
            [_shape(path) for path in paths],
            facecolors=["none" if path.fill is None else _colour(path.fill) for path in paths],
            edgecolors=["none" if stroke is None else _colour(stroke.ink) for stroke in strokes],
            linewidths=[0 if stroke is None else mm_to_points(stroke.width) for stroke in strokes],
            capstyle="round",
            joinstyle="round",
        )
        made.set_transform(Affine2D())
        made._transforms = np.array(matrices)
        made.set_transform(self._transforms[-1] + self._to_figure)
        self._add(made)

    def save(self) -> None:
        """Write the file."""
        self._flush()
        self._pages.close()

    def _add(self, artist: Artist) -> None:
        self._order += 1
        artist.set_zorder(self._order)
        self._figure.add_artist(artist, clip=False)
        self._clip(artist)

    def _clip(self, artist: Artist) -> None:
        rects = [clip for clip in self._clips if isinstance(clip, Rect)]
        if rects:
            left, low = max(rect.x for rect in rects), max(rect.y for rect in rects)
            right, top = min(rect.right for rect in rects), min(rect.top for rect in rects)
            artist.set_clip_box(TransformedBbox(Bbox([[left, low], [right, top]]), self._to_figure))
            artist.set_clip_on(True)
        for run in (clip for clip in self._clips if isinstance(clip, PathRun)):
            artist.set_clip_path(_outline((run,)), self._to_figure)

    def _flush(self) -> None:
        if self._begun:
            self._pages.savefig(self._figure)


def _moved(clip: Rect | PathRun, transform: Affine2D) -> Rect | PathRun:
    """Return a clip on the sheet; sheets are moved over the map, never turned."""
    across, up = transform.transform((0.0, 0.0))
    if isinstance(clip, Rect):
        return clip._replace(x=clip.x + across, y=clip.y + up)
    moved = (round(value + (up if place % 2 else across) * 100) for place, value in enumerate(clip.points))
    return PathRun(tuple(moved), clip.closed)


def _matrix(place: Affine) -> Affine2D:
    return Affine2D.from_values(*place)


def _shape(path: Path) -> Shape:
    return _outline(path.runs)


def _outline(runs: Sequence[PathRun]) -> Shape:
    vertices: list[tuple[float, float]] = []
    codes: list[int] = []
    for run in runs:
        line = points_of(run)
        vertices += line
        codes += [Shape.MOVETO, *[Shape.LINETO] * (len(line) - 1)]
        if run.closed:
            vertices.append(line[0])
            codes.append(Shape.CLOSEPOLY)
    return Shape(vertices, codes)


def _colour(ink: Ink) -> tuple[float, float, float, float]:
    return ink.red / 255, ink.green / 255, ink.blue / 255, ink.alpha


def _stroke(stroke: Stroke) -> dict[str, object]:
    width = mm_to_points(stroke.width)
    dashed = (mm_to_points(stroke.phase) / width, tuple(mm_to_points(length) / width for length in stroke.dash))
    return {
        "edgecolor": _colour(stroke.ink),
        "linewidth": width,
        "capstyle": _CAPS[stroke.cap],
        "joinstyle": _JOINS[stroke.join],
        "linestyle": dashed if stroke.dash else "solid",
    }


@cache
def _typeface(font: Font) -> FontProperties:
    return FontProperties(fname=str(resource("fonts", f"{font.value}.ttf")))


def write(document: Document, path: FilePath) -> None:
    """Write the sheets."""
    surface = FigureSurface(path)
    draw(document, surface)
    surface.save()
