"""Where the blocks of a place stand: in a row on free ground, else two deep, in columns, or one behind another.

Free is the ground of the place (SD-4.7-a..d) where no camp, river, town or impassable ground lies and nobody stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import Polygon, box, unary_union
from shapely.geometry.base import BaseGeometry

from printkit.core.sums import plain_sum
from printkit.systems.solo.tactics.ground import SideGround
from printkit.systems.solo.tactics.group_columns import ElementBlock, in_files, in_groups, laid_in_columns
from printkit.systems.solo.tactics.situation import Place

GAP: Final = 4.0
"""mm between groups that stand beside each other; within a group bases touch."""

TOUCH: Final = 1.0
"""mm² from which two shapes overlap; less is how outlines are rounded."""

_SHIFT: Final = 10.0
"""mm by which a row is moved sideways to find better ground."""

_STEP: Final = 5.0
"""mm between the spots that are tried for a block on its own."""

_EDGE: Final = 0.01
"""mm by which a base that is tried is drawn smaller, so that what only touches it is not in its way."""

_BAD, _DEEPER, _BEHIND = 200.0, 60.0, 2.0
"""What it costs a block on its own to stand in bad going, to be deeper than its line, and each mm behind the line."""


class StoodBlock(Struct, frozen=True):
    """A block where it stands: mm of its left front corner in the coordinates of the side."""

    block: ElementBlock
    left: float
    front: float

    def outline(self, less: float = 0.0) -> Polygon:
        """Return the ground that it covers, on each side so many mm less."""
        rear, right = self.front - self.block.depth, self.left + self.block.width
        return box(self.left + less, rear + less, right - less, self.front - less)

    def outside(self, low: float, high: float, rear: float) -> float:
        """Return the mm² of the block that lie beyond two ends or a rear, each part counted once; 0 if it is inside.

        ``low`` and ``high`` are the ends along the base edge, and ``rear`` is the back, all in mm as the side sees it.
        Ground in front does not count.
        """
        wide = min(self.left + self.block.width, high) - max(self.left, low)
        deep = self.front - max(self.front - self.block.depth, rear)
        return self.block.width * self.block.depth - max(wide, 0.0) * max(deep, 0.0)


class RowGround(Struct, frozen=True):
    """Ground on which blocks may stand, in mm as the side sees it.

    ``low`` and ``high`` are its ends along the base edge, ``line`` is its front and ``rear`` its back; a row is to have
    its middle at ``middle``. ``closed`` is what is in the way, ``slow`` bad going; both as far as the zone reaches.
    """

    low: float
    high: float
    rear: float
    line: float
    middle: float
    closed: BaseGeometry
    slow: BaseGeometry
    width: float

    @classmethod
    def of(cls, place: Place, ground: SideGround, closed: Sequence[BaseGeometry], line: float) -> RowGround:
        """Return the ground of a place up to a line; ``closed`` are shapes where nobody can stand."""
        frame = ground.frame
        flanks = (Place.LEFT, Place.RIGHT)
        low, high = frame.flank(left=place is Place.LEFT) if place in flanks else frame.middle()
        zone = box(0.0, ground.baseline, frame.width, ground.front)
        shut, slow = (
            _prepared([shape.intersection(zone) for shape in shapes]) for shapes in (closed, [ground.all_bad])
        )
        return cls(low, high, ground.baseline, line, (low + high) / 2, shut, slow, frame.width)

    def whole(self) -> RowGround:
        """Return the room with the whole width of the zone."""
        return replace(self, low=0.0, high=self.width)

    def without(self, stood: Sequence[StoodBlock]) -> RowGround:
        """Return the room with the ground of some blocks closed, and 4 mm around each, the gap between groups.

        ``stood`` are blocks that stand already, in mm as the side sees them. The ends of the room stay the same.
        """
        return replace(self, closed=_prepared([self.closed, *(around(each) for each in stood)])) if stood else self

    @property
    def length(self) -> float:
        """Return how long a row can be."""
        return self.high - self.low

    def free(self, row: Sequence[StoodBlock]) -> bool:
        """Return whether blocks stand inside, on nothing that is closed or bad going."""
        for each in row:
            if each.outside(self.low, self.high, self.rear) > TOUCH:
                return False
            outline = each.outline(less=_EDGE)
            if self.closed.intersects(outline) or self.slow.intersects(outline):
                return False
        return True

    def badness(self, row: Sequence[StoodBlock]) -> tuple[float, float]:
        """Return the mm² on which elements cannot stand, and those of bad going."""
        barred = bad = 0.0
        slow = self.slow
        for each in row:
            outline = each.outline()
            barred += each.outside(self.low, self.high, self.rear)
            if self.closed.intersects(outline):
                barred += float(self.closed.intersection(outline).area)
            if slow.intersects(outline):
                area = float(slow.intersection(outline).area)
                barred += area if each.block.wheels else 0.0
                bad += area
        return barred, bad


def around(each: StoodBlock) -> Polygon:
    """Return the ground of a block with the gap that others leave."""
    return each.outline().buffer(GAP - _EDGE, join_style="mitre")


def _prepared(shapes: Sequence[BaseGeometry]) -> BaseGeometry:
    found = unary_union(list(shapes))
    shapely.prepare(found)
    return found


def stood_in(room: RowGround, blocks: Sequence[ElementBlock]) -> tuple[list[StoodBlock], list[ElementBlock]]:
    """Return the blocks of a place on its ground, and those for which it has none.

    First as one row, in as much line as there is room for; then each by itself, near where it would be in the row;
    then the groups of a mass each by itself; and last the files of a group, one by one. Where a row has to stand in bad
    going, and blocks by themselves less, these are taken.
    """
    row = _best_row(room, blocks)
    slow = room.badness(row)[1] if row is not None else 0.0
    if row is not None and slow <= TOUCH:
        return row, []
    parted = [group for block in blocks for group in in_groups(block)]
    for tried in (list(blocks), parted) if len(parted) > len(blocks) else (parted,):
        for order in _orders(tried, room):
            stood, left = one_by_one(room, order)
            if not left and (row is None or room.badness(stood)[1] < slow - TOUCH):
                return stood, []
    if row is not None:
        return row, []
    stood, left = one_by_one(room, _orders(parted, room)[0])
    homeless = list[ElementBlock]()
    for block in left:
        files, none = one_by_one(room.without(stood), [(file, room.middle) for file in in_files(block)])
        stood += files if not none else []
        homeless += [block] if none else []
    return stood, homeless


# --- In one row ------------------------------------------------------------------------------------------------------


def _best_row(room: RowGround, blocks: Sequence[ElementBlock]) -> list[StoodBlock] | None:
    """Return the blocks side by side on ground where all can stand, if there is any: off bad going where that can be.

    The more of their line is kept the better: they go two deep where the room is too short, and two deep or into
    columns where bad going or closed ground leaves no room for the line (SD-4.7-d5).
    """
    best: list[StoodBlock] | None = None
    least = 0.0
    for shaped in _shapes(room, blocks):
        row, barred, bad = _row(room, shaped)
        if barred > TOUCH:
            continue
        if bad <= TOUCH:
            return row
        if best is None or bad < least - TOUCH:
            best, least = row, bad
    return best


def _shapes(room: RowGround, blocks: Sequence[ElementBlock]) -> Iterator[list[ElementBlock]]:
    """Yield the blocks in every shape that is tried, from lines to columns, the widest first made narrower."""
    chosen, deepest = list(blocks), room.line - room.rear
    narrower: tuple[Callable[[ElementBlock], ElementBlock], ...] = (_two_deep, laid_in_columns)
    for narrow in narrower:
        while True:
            if _length(chosen) <= room.length:
                yield list(chosen)
            may = [
                (block.width, -place)
                for place, block in enumerate(chosen)
                if narrow(block).width < block.width and narrow(block).depth <= deepest
            ]
            if not may:
                break
            place = -max(may)[1]
            chosen[place] = narrow(chosen[place])


def _two_deep(block: ElementBlock) -> ElementBlock:
    return block.deepened() if block.can_deepen else block


def _row(room: RowGround, blocks: Sequence[ElementBlock]) -> tuple[list[StoodBlock], float, float]:
    """Return the blocks side by side on the best ground, and how bad it is: mm² barred to them, and mm² of bad going.

    Both are 0 if all of the ground is free. Barred is what lies outside the room, on closed ground, or in bad going
    under wheels. The row with the least barred ground is taken, then the one with the least bad going, then the one
    nearest to the middle. Fronts are on the line of the room; positions are in mm as the side sees it.
    """
    length = _length(blocks)
    straight = _at(blocks, min(max(room.middle - length / 2, room.low), room.high - length), room.line)
    if room.free(straight):
        return straight, 0.0, 0.0
    rows = [straight]
    for step in range(ceil(room.length / _SHIFT)):
        row = _at(blocks, room.low + step * _SHIFT, room.line)
        # A parted row that begins on bad ground is the same as one that begins behind it.
        tried = (row, _parted(blocks, row[0].left, room)) if room.free(row[:1]) else (row,)
        rows += [each for each in tried if _end(each) <= room.high]

    def aside(row: Sequence[StoodBlock]) -> int:
        ends = row[0].left, _end(row)
        return round(ends[1] - ends[0] - length + abs(plain_sum(ends) / 2 - room.middle))

    clear = [each for each in rows if room.free(each)]
    if clear:
        return min(clear, key=aside), 0.0, 0.0
    judged = [(each, *room.badness(each)) for each in rows]
    return min(judged, key=lambda each: (round(each[1]), round(each[2]), aside(each[0])))


def _at(blocks: Sequence[ElementBlock], left: float, line: float) -> list[StoodBlock]:
    found = []
    for block in blocks:
        found.append(StoodBlock(block, left, line))
        left += block.width + GAP
    return found


def _parted(blocks: Sequence[ElementBlock], left: float, room: RowGround) -> list[StoodBlock]:
    """Return the blocks side by side, with gaps where ground is in the way of one and there is room (SD-4.7-f)."""
    found = []
    for block in blocks:
        each = StoodBlock(block, left, room.line)
        while not room.free([each]) and each.left < room.high:
            each = StoodBlock(block, each.left + _SHIFT, room.line)
        found.append(each)
        left = each.left + block.width + GAP
    return found


def _end(row: Sequence[StoodBlock]) -> float:
    return row[-1].left + row[-1].block.width


def _length(blocks: Sequence[ElementBlock]) -> float:
    return plain_sum(block.width for block in blocks) + GAP * (len(blocks) - 1)


# --- One by one ------------------------------------------------------------------------------------------------------

_Wanted = tuple[ElementBlock, float]
"""A block, and where along the base edge its middle would be in a row."""


def _orders(blocks: Sequence[ElementBlock], room: RowGround) -> list[list[_Wanted]]:
    """Return the orders in which blocks are tried: first by their places in a row, then the largest first.

    A row begins at its middle, that of a flank at its outer end, where the fastest are to stand (SD-4.7-d8). A row that
    is too long is thought pressed together.
    """
    length = _length(blocks)
    pressed = min(1.0, room.length / length)
    at, wanted = room.middle - pressed * length / 2, list[_Wanted]()
    for block in blocks:
        wanted.append((block, at + pressed * block.width / 2))
        at += pressed * (block.width + GAP)
    first = {Place.LEFT: room.low, Place.RIGHT: room.high}.get(blocks[0].place, room.middle)
    in_row = sorted(wanted, key=lambda each: (not each[0].wheels, abs(each[1] - first)))
    largest = sorted(wanted, key=lambda each: (not each[0].wheels, -each[0].width * each[0].depth))
    return [in_row, largest]


def one_by_one(room: RowGround, order: Sequence[_Wanted]) -> tuple[list[StoodBlock], list[ElementBlock]]:
    """Return each block where it stands best of what those before it leave, and those for which nothing is left."""
    stood, left = list[StoodBlock](), list[ElementBlock]()
    for block, middle in order:
        found = _best_spot(room, block, middle, stood)
        if found is None:
            left.append(block)
        else:
            stood.append(found)
    return stood, left


def _best_spot(room: RowGround, block: ElementBlock, middle: float, stood: Sequence[StoodBlock]) -> StoodBlock | None:
    """Return a block in its best shape at its best spot, or None where none is free."""
    best, least = None, 0.0
    shapes = {len(shape.files): shape for shape in (laid_in_columns(block), _two_deep(block), block)}
    for number, shape in enumerate(reversed(shapes.values())):
        wide, deep = room.length - shape.width, room.line - room.rear - shape.depth
        if wide < -_EDGE or deep < -_EDGE:
            continue
        # The last spot of either way is its very end.
        lefts = np.append(np.arange(room.low, room.low + wide, _STEP), room.low + max(wide, 0.0))
        fronts = np.append(np.arange(room.line, room.line - deep, -_STEP), room.line - max(deep, 0.0))
        at, front = (each.ravel() for each in np.meshgrid(lefts, fronts))
        free = np.ones(at.shape, dtype=bool)
        for other in stood:
            apart = GAP - _EDGE
            free &= (
                (at + shape.width <= other.left - apart)
                | (at >= other.left + other.block.width + apart)
                | (front <= other.front - other.block.depth - apart)
                | (front - shape.depth >= other.front + apart)
            )
        at, front = at[free], front[free]
        bases = shapely.box(at + _EDGE, front - shape.depth + _EDGE, at + shape.width - _EDGE, front - _EDGE)
        slow = shapely.intersects(room.slow, bases)
        closed = shapely.intersects(room.closed, bases)
        kept = ~(closed | slow) if shape.wheels else ~closed
        if not kept.any():
            continue
        aside = np.abs(at + shape.width / 2 - middle)
        cost = aside + _BEHIND * (room.line - front) + _BAD * slow + _DEEPER * number
        chosen = int(np.argmin(np.where(kept, cost, np.inf)))
        if best is None or float(cost[chosen]) < least:
            best, least = StoodBlock(shape, float(at[chosen]), float(front[chosen])), float(cost[chosen])
    return best
