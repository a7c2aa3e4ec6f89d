"""A setting: a block as it stands in its column, in parts between which a page may break; and plain shapes for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from printkit.drawing.canvas.items import GRID, Cap, Drawing, Ink, Item, Join, Layer, LayerName, Path, Run, Stroke


class Setting(Struct, frozen=True, kw_only=True):
    """A block set to the width of a column.

    ``parts`` follow one another from the top without gaps; ``before`` mm stay free above the first. ``keeps``: the
    next block must begin on the same page. ``head`` is repeated where the parts go on in another column. ``least``
    parts stay together at either end.
    """

    parts: tuple[Drawing, ...]
    before: float
    keeps: bool = False
    head: Drawing | None = None
    least: int = 1

    @property
    def height(self) -> float:
        """Return the height in mm without the gap before."""
        return sum(part.height for part in self.parts)

    def split(self, count: int) -> tuple[Setting, Setting]:
        """Return the first ``count`` parts and the others, these under the head where there is one."""
        rest = self.parts[count:]
        again = (self.head, *rest) if self.head is not None else rest
        return replace(self, parts=self.parts[:count]), replace(self, parts=again)


def part(width: float, height: float, items: Iterable[Item]) -> Drawing:
    """Return a part of a setting, its origin at its lower left corner."""
    found = tuple(items)
    return Drawing(width, height, (Layer(LayerName.MARGIN, found),) if found else ())


def rule(points: Sequence[tuple[float, float]], ink: Ink, width: float) -> Path:
    """Return a line through points in mm, with square ends."""
    return Path((_run(points, closed=False),), stroke=Stroke(ink, width, cap=Cap.BUTT, join=Join.MITRE))


def patch(points: Sequence[tuple[float, float]], ink: Ink | None, stroke: Stroke | None = None) -> Path:
    """Return a closed shape, filled, stroked or both."""
    return Path((_run(points, closed=True),), fill=ink, stroke=stroke)


def oblong(x: float, y: float, width: float, height: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a rectangle."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def lozenge(x: float, y: float, half_width: float, half_height: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a lozenge about a point."""
    return (x - half_width, y), (x, y - half_height), (x + half_width, y), (x, y + half_height)


def _run(points: Sequence[tuple[float, float]], *, closed: bool) -> Run:
    return Run(tuple(round(value / GRID) for point in points for value in point), closed)
