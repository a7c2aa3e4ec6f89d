"""What can be seen on a page: its lines in millimetres, and the boxes of its type."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from printkit.drawing.canvas.items import Item, Path, Rect, Text
from printkit.drawing.lettering.extent import text_foot, text_length
from printkit.page.sheet import Page

MM_A_POINT = 25.4 / 72

Line = tuple[float, float, float, float]


def own(page: Page) -> list[Item]:
    """Return what a page carries at the size of its sheet, not what is put down small or elsewhere."""
    size = page.sheet.width, page.sheet.height
    drawings = [put.drawing for put in page.placements if (put.drawing.width, put.drawing.height) == size]
    return [item for drawing in drawings for _, item in drawing.items()]


def runs(items: Sequence[Item]) -> Iterator[tuple[Path, list[tuple[float, float]]]]:
    """Yield every run of every path with its points in mm."""
    for path in items:
        if isinstance(path, Path):
            for run in path.runs:
                yield path, [(x / 100, y / 100) for x, y in zip(run.points[::2], run.points[1::2], strict=True)]


def straight(items: Sequence[Item]) -> list[Line]:
    """Return the straight lines, each from x, y to x, y."""
    return [(*points[0], *points[1]) for path, points in runs(items) if path.stroke and len(points) == 2]


def box_around(points: Sequence[tuple[float, float]]) -> Rect:
    """Return the bounds of points."""
    (left, bottom), (right, top) = (tuple(pick(at) for at in zip(*points, strict=True)) for pick in (min, max))
    return Rect(left, bottom, right - left, top - bottom)


def type_boxes(items: Sequence[Item]) -> list[tuple[str, Rect]]:
    """Return every line of type with its box, from its foot to the height of its figures."""
    found = []
    for item in items:
        if isinstance(item, Text):
            (x, y), length, rise = text_foot(item), text_length(item), 0.72 * item.size_pt * MM_A_POINT
            assert item.angle in (0, 90)
            box = Rect(x - rise, y, rise, length) if math.isclose(item.angle, 90) else Rect(x, y, length, rise)
            found.append((item.content, box))
    return found


def assert_legible(items: Sequence[Item], room: Rect) -> None:
    """Assert that no line of type leaves the room or runs into another; one in two typefaces may touch itself."""
    boxes = type_boxes(items)
    for said, box in boxes:
        assert room.x <= box.x < box.right <= room.right + 0.01, said
        assert room.y <= box.y < box.top <= room.top + 0.01, said
    for (one, first), (other, second) in combinations(boxes, 2):
        assert not first.padded(-0.1).meets(second), (one, other)
