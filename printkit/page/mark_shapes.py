"""Basic shapes for printer's marks and plans, in mm: rectangles, frames, lines and small type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from printkit.drawing.canvas.items import (
    GRID,
    Cap,
    Drawing,
    Font,
    Ink,
    Item,
    Join,
    Layer,
    LayerName,
    Path,
    PathRun,
    Rect,
    Stroke,
)
from printkit.drawing.lettering.lettering import TypeStyle, measure

BLACK: Final = Ink(0, 0, 0)
GREY: Final = Ink(120, 120, 120)
PALE: Final = Ink(205, 205, 205)
WHITE: Final = Ink(255, 255, 255)

_HAIR: Final = 0.15

# The smallest type that is printed.
SMALL: Final = TypeStyle(font=Font.FIGURES, size_pt=6.5, ink=BLACK)


def fill_rects(rects: Sequence[Rect], ink: Ink) -> Path:
    """Return filled rectangles, given in mm on paper, as one path."""
    return Path(tuple(rect_run(rect) for rect in rects), fill=ink)


def frame(rect: Rect, ink: Ink, width: float) -> Path:
    """Return the outline of a rectangle, with a line ``width`` wide centred on its sides; in mm on paper."""
    return Path((rect_run(rect),), stroke=Stroke(ink, width, join=Join.MITRE))


def striped_bar(parts: list[Rect]) -> list[Item]:
    """Return a bar of alternating black and white parts, given as rectangles in mm on paper.

    Its outline is exactly as long as the bar.
    """
    first, last = parts[0], parts[-1]
    bar = Rect(first.x, first.y, last.right - first.x, last.top - first.y)
    return [fill_rects([bar], WHITE), fill_rects(parts[::2], BLACK), frame(bar, BLACK, _HAIR)]


def lines(ends: list[tuple[float, float, float, float]], ink: Ink, width: float, dash: tuple[float, ...] = ()) -> Path:
    """Return straight lines, each (x, y, x, y) in mm on paper, as one path with butt ends.

    ``width`` is the line width in mm. ``dash`` has the lengths of strokes and gaps in mm; empty for solid lines.
    """
    stroke = Stroke(ink, width, dash, cap=Cap.BUTT, join=Join.MITRE)
    return Path(tuple(PathRun(on_grid(*end), closed=False) for end in ends), stroke=stroke)


def rect_run(rect: Rect) -> PathRun:
    """Return the corners of a rectangle in mm on paper as a closed run."""
    return PathRun(on_grid(rect.x, rect.y, rect.right, rect.y, rect.right, rect.top, rect.x, rect.top))


def on_grid(*values: float) -> tuple[int, ...]:
    """Return values in mm on paper as whole units of 0.01 mm."""
    return tuple(round(value / GRID) for value in values)


def shorten(text: str, style: TypeStyle, available_mm: float) -> str:
    """Return a text cut to at most ``available_mm`` mm on paper, with an ellipsis if it was cut.

    It is empty if not even the ellipsis with one letter fits.
    """
    if measure(text, style) <= available_mm:
        return text
    # Cut a very long text to a length that is close to the width first.
    fits = 16
    while measure(text[:fits], style) <= available_mm:
        fits *= 2
    text = text[:fits].rstrip()
    while text and measure(f"{text}…", style) > available_mm:
        text = text[:-1].rstrip()
    return f"{text}…" if text else ""


def marks_drawing(width: float, height: float, items: list[Item]) -> Drawing:
    """Return items as a drawing of ``width`` x ``height`` mm on paper, in the layer of printer's marks."""
    return Drawing(width, height, (Layer(LayerName.PRINTER, tuple(items)),))
