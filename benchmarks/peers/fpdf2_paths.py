"""fpdf2: painted paths in drawing contexts, and its own texts between them. It clips to rectangles only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path as FilePath

from fpdf import FPDF
from fpdf.drawing import DeviceRGB, GraphicsContext, PaintedPath, Transform
from fpdf.enums import IntersectionRule, PathPaintRule, StrokeCapStyle, StrokeJoinStyle, TextMode

from benchmarks.peers.surface import draw, em, lines_of, points_of
from printkit.core.resources import resource
from printkit.core.units import mm_to_points
from printkit.drawing.canvas.items import Affine, Artwork, FillRule, Font, Ink, Path, PathRun, Rect, Text
from printkit.drawing.lettering.extent import bounds_of
from printkit.page.sheet import Document


class FpdfSurface:
    """Pages of fpdf2, which counts downwards; paths wait until a text or a clip ends them."""

    def __init__(self, path: FilePath) -> None:
        """Begin a file."""
        self._path = path
        self._pdf = FPDF(unit="mm")
        self._pdf.set_auto_page_break(False)
        for font in Font:
            self._pdf.add_font(font.value, fname=str(resource("fonts", f"{font.value}.ttf")))
        self._waiting: list[GraphicsContext | PaintedPath] = []
        self._moved = [(0.0, 0.0)]
        self._pictures: dict[int, list[PaintedPath]] = {}

    def page(self, width: float, height: float) -> None:
        """Begin a sheet."""
        self._flush()
        self._pdf.add_page(format=(width, height), orientation="portrait" if width <= height else "landscape")
        if (self._pdf.w > self._pdf.h) != (width > height):
            raise ValueError("fpdf2 has turned the sheet")

    @contextmanager
    def within(self, clip: Rect | PathRun | None, transform: Affine) -> Iterator[None]:
        """Clip to a rectangle, then move; sheets are moved over the map, never turned."""
        self._flush()
        x, y = self._moved[-1]
        self._moved.append((x + transform.e, y + transform.f))
        if clip is None:
            yield
        else:
            shown = bounds_of(clip)
            with self._pdf.rect_clip(shown.x + x, self._pdf.h - shown.top - y, shown.width, shown.height):
                yield
                self._flush()
        self._flush()
        self._moved.pop()

    def path(self, path: Path) -> None:
        """Add a painted path."""
        self._waiting.append(_painted(path))

    def text(self, text: Text) -> None:
        """Draw a text, its halo beneath."""
        self._flush()
        pdf, (x, y) = self._pdf, self._moved[-1]
        pdf.set_font(text.font.value, size=mm_to_points(em(text)))
        pdf.set_char_spacing(mm_to_points(text.track))
        pdf.set_text_color(*text.ink[:3])
        pdf.set_fill_color(*text.ink[:3])
        for line in lines_of(text):
            at = (line.x + x, pdf.h - line.y - y)
            with pdf.rotation(line.angle, *at):
                if text.halo is not None:
                    pdf.set_draw_color(*text.halo.ink[:3])
                    pdf.set_line_width(text.halo.width)
                    with pdf.local_context(text_mode=TextMode.STROKE, stroke_opacity=text.halo.ink.alpha):
                        pdf.text(*at, line.content)
                with pdf.local_context(fill_opacity=text.ink.alpha):
                    pdf.text(*at, line.content)

    def stamp(self, artwork: Artwork, places: Sequence[Affine]) -> None:
        """Add the paths of the picture at each place, the same objects every time."""
        if id(artwork) not in self._pictures:
            self._pictures[id(artwork)] = [_painted(path) for path in artwork.paths if path.runs]
        for place in places:
            group = GraphicsContext()
            group.transform = Transform(*place)
            for path in self._pictures[id(artwork)]:
                group.add_item(path, clone=False)
            self._waiting.append(group)

    def save(self) -> None:
        """Write the file."""
        self._flush()
        self._pdf.output(str(self._path))

    def _flush(self) -> None:
        """Put the paths that wait on the page, turned the right way up."""
        if not self._waiting:
            return
        sheet = GraphicsContext()
        x, y = self._moved[-1]
        sheet.transform = Transform(1.0, 0.0, 0.0, -1.0, x, self._pdf.h - y)
        for item in self._waiting:
            sheet.add_item(item, clone=False)
        self._waiting = []
        with self._pdf.drawing_context() as context:
            context.add_item(sheet, clone=False)


def _painted(path: Path) -> PaintedPath:
    """Return a path with all that fpdf2 needs to know of its paint."""
    made = PaintedPath()
    for run in path.runs:
        first, *others = points_of(run)
        made.move_to(*first)
        for point in others:
            made.line_to(*point)
        if run.closed:
            made.close()
    style = made.style
    style.auto_close = False
    rule = path.rule is FillRule.EVEN_ODD
    style.intersection_rule = IntersectionRule.EVENODD if rule else IntersectionRule.NONZERO
    style.fill_color = None if path.fill is None else _colour(path.fill)
    style.stroke_color = None if path.stroke is None else _colour(path.stroke.ink)
    if path.stroke is None:
        style.paint_rule = PathPaintRule.FILL_EVENODD if rule else PathPaintRule.FILL_NONZERO
        return made
    both = PathPaintRule.STROKE_FILL_EVENODD if rule else PathPaintRule.STROKE_FILL_NONZERO
    style.paint_rule = PathPaintRule.STROKE if path.fill is None else both
    style.stroke_width = path.stroke.width
    style.stroke_cap_style = StrokeCapStyle(int(path.stroke.cap))
    style.stroke_join_style = StrokeJoinStyle(int(path.stroke.join))
    style.stroke_dash_pattern = path.stroke.dash or None
    style.stroke_dash_phase = path.stroke.phase
    return made


def _colour(ink: Ink) -> DeviceRGB:
    return DeviceRGB(ink.red / 255, ink.green / 255, ink.blue / 255, ink.alpha)


def write(document: Document, path: FilePath) -> None:
    """Write the sheets."""
    surface = FpdfSurface(path)
    draw(document, surface)
    surface.save()
