"""The NPG's army as it stands on the board, each element in its place (SD-4.7), and whom it faces (SD-4.7-d3, d4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Polygon, box

from printkit.core.sums import plain_sum
from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.tactics.ground import SideGround
from printkit.systems.solo.tactics.group_columns import ElementBlock, Ranks, blocks_of, laid_in_columns
from printkit.systems.solo.tactics.positions import PlacedGroup
from printkit.systems.solo.tactics.situation import Place

_SHIFT: Final = 10.0
"""mm by which a line is moved sideways to find better ground."""

_GAP: Final = 4.0
"""mm between groups that stand beside each other; within a group bases touch."""

_TOUCH: Final = 1.0
_MOSTLY: Final = 0.5


class ElementFootprint(Struct, frozen=True, kw_only=True):
    """One element on the board.

    ``x`` and ``y`` are the middle of its base in mm, ``facing`` is degrees anticlockwise from +x, ``width`` and
    ``depth`` the base in mm. ``group`` is the number of its group from 1, ``rank`` is 1 in front.
    """

    element: Element
    place: Place
    group: int
    rank: int
    x: float
    y: float
    facing: float
    width: float
    depth: float


class Deployment(Struct, frozen=True, kw_only=True):
    """Every element that stands on the table, those kept back to land, and what the person should look at.

    ``along`` gives for each footprint its middle in mm from the left end of the NPG's base edge. ``notes`` are the
    clauses that could not be kept, each with the number of the group or 0.
    """

    footprints: tuple[ElementFootprint, ...]
    landing: tuple[Element, ...] = ()
    along: tuple[float, ...] = ()
    notes: tuple[tuple[str, int], ...] = ()
    columns: tuple[int, ...] = ()


class _Set(Struct, frozen=True):
    """A block where it stands: mm of its left front corner in the coordinates of the side."""

    block: ElementBlock
    left: float
    front: float

    def outline(self) -> Polygon:
        return box(self.left, self.front - self.block.depth, self.left + self.block.width, self.front)


def deploy(
    placed: Sequence[PlacedGroup], npg: Force, ranks: Ranks, ground: SideGround, *, scale: str = "15mm"
) -> Deployment:
    """Return where every element stands.

    The Centre stands on the middle of the board, up to the front of the zone; flanks in the outer quarters; the Reserve
    200 p behind the front of the Centre, or behind its last rank where that is deeper. A line is moved sideways off
    ground on which it cannot stand, then off bad going; a group that stands in bad going all the same, or faces it
    within its move, goes into column (SD-4.7-d5).
    """
    order = _Order(placed=placed, npg=npg, ranks=ranks, ground=ground, scale=scale)
    kept_in = frozenset(group for each in _stood(order) if _exposed(each, ground) for group in each.block.groups)
    order = replace(order, inside=kept_in)
    for _ in range(2):
        needed = frozenset(group for each in _stood(order) if _in_column(each, ground) for group in each.block.groups)
        if needed <= order.columns:
            break
        order = replace(order, columns=order.columns | needed)
    stood = _stood(order)
    if _notes(stood, ground):
        # A Centre that is too long for its room gets more where the flanks stand at the outer ends.
        stood = min(stood, _stood(replace(order, outermost=True)), key=lambda each: len(_notes(each, ground)))
    landing = tuple(element for each in placed if each.place is Place.LANDING for element in each.group.elements)
    found = [footprint for each in stood for footprint in _footprints(each, ground)]
    return Deployment(
        footprints=tuple(footprint for footprint, _ in found),
        along=tuple(along for _, along in found),
        landing=landing,
        notes=tuple(_notes(stood, ground)),
        columns=tuple(sorted(group + 1 for group in order.columns)),
    )


class _Order(Struct, frozen=True, kw_only=True):
    """What is laid out: ``columns`` are the groups in column, ``inside`` those that are kept from the ends.

    ``outermost`` puts the flanks at the outer ends of their quarters.
    """

    placed: Sequence[PlacedGroup]
    npg: Force
    ranks: Ranks
    ground: SideGround
    scale: str
    columns: frozenset[int] = frozenset()
    inside: frozenset[int] = frozenset()
    outermost: bool = False

    def blocks(self, place: Place) -> tuple[ElementBlock, ...]:
        base = self.ground.frame.board.scale.base_width
        found = blocks_of(self.placed, place, self.npg, self.ranks, width=base, scale=self.scale, inside=self.inside)
        return tuple(laid_in_columns(block) if self.columns & set(block.groups) else block for block in found)


def _stood(order: _Order) -> list[_Set]:
    """Return every block of every place: flanks first, for the Centre has what they leave, and the Reserve last."""
    ground = order.ground
    front = ground.front
    found: list[_Set] = []
    for place in (Place.LEFT, Place.RIGHT, Place.CENTRE, Place.RESERVE):
        blocks = order.blocks(place)
        if not blocks:
            continue
        line = front
        if place is Place.RESERVE:
            behind = [each.front - each.block.depth - _GAP for each in found if each.block.place is Place.CENTRE]
            line = min([front - ground.rules.length("reserve_behind_p"), *behind])
        beside = [each for each in found if each.front - each.block.depth < line]
        found += _row(blocks, _Room.of(place, beside, ground, outermost=order.outermost), ground, line)
    return found


class _Room(Struct, frozen=True):
    """From where to where a row may stand, and the middle that it is to have: mm from the left of the base edge.

    ``outer`` is the end from which a flank that is too long for its quarter reaches inwards.
    """

    low: float
    high: float
    middle: float
    outer: float | None = None

    @classmethod
    def of(cls, place: Place, beside: Sequence[_Set], ground: SideGround, *, outermost: bool) -> _Room:
        """Return the room of a place.

        A flank may be joined to the Centre: where nobody stands there, the line may reach into it (SD-4.7-f). The
        Centre has its middle on the middle line of the board (SD-4.7-g).
        """
        frame = ground.frame
        if place in (Place.LEFT, Place.RIGHT):
            low, high = frame.flank(left=place is Place.LEFT)
            outer = low if place is Place.LEFT else high
            return cls(low, high, outer if outermost else (low + high) / 2, outer)
        left = [each.left + each.block.width + _GAP for each in beside if each.block.place is Place.LEFT]
        right = [each.left - _GAP for each in beside if each.block.place is Place.RIGHT]
        return cls(max([0.0, *left]), min([frame.width, *right]), frame.width / 2)

    def start(self, length: float) -> float:
        """Return where a row of this length begins, as near its middle as the room allows."""
        if length > self.high - self.low:
            if self.outer is None:
                return self.middle - length / 2
            return self.low if self.outer == self.low else self.high - length
        return min(max(self.middle - length / 2, self.low), self.high - length)


def _row(blocks: Sequence[ElementBlock], room: _Room, ground: SideGround, line: float) -> list[_Set]:
    """Return the blocks of a place side by side, on the best ground that is near its middle."""
    chosen, deepest = list(blocks), line - ground.baseline
    while _length(chosen) > room.high - room.low:
        may = [block for block in chosen if block.can_deepen and block.deepened().depth <= deepest]
        if not may:
            break
        widest = max(may, key=lambda block: block.width)
        chosen[chosen.index(widest)] = widest.deepened()
    length = _length(chosen)
    start = room.start(length)
    straight = _at(chosen, start, line)
    if plain_sum(_badness(straight, ground)) <= _TOUCH:
        return straight
    rows = [straight]
    for step in range(ceil((room.high - room.low) / _SHIFT)):
        row = _at(chosen, room.low + step * _SHIFT, line)
        # A parted row that begins on bad ground is the same as one that begins behind it.
        free = plain_sum(_badness(row[:1], ground)) <= _TOUCH
        tried = (row, _parted(chosen, row[0].left, line, ground, room.high)) if free else (row,)
        rows += [each for each in tried if _end(each) <= room.high]

    def worse(row: Sequence[_Set]) -> tuple[int, int, int]:
        barred, bad = _badness(row, ground)
        ends = row[0].left, _end(row)
        gaps = ends[1] - ends[0] - length
        return round(barred), round(bad), round(gaps + abs(plain_sum(ends) / 2 - room.middle))

    return min(rows, key=worse)


def _at(blocks: Sequence[ElementBlock], left: float, line: float) -> list[_Set]:
    found = []
    for block in blocks:
        found.append(_Set(block, left, line))
        left += block.width + _GAP
    return found


def _parted(blocks: Sequence[ElementBlock], left: float, line: float, ground: SideGround, high: float) -> list[_Set]:
    """Return the blocks side by side, with gaps where ground is in the way of one and there is room (SD-4.7-f)."""
    found = []
    for block in blocks:
        each = _Set(block, left, line)
        while plain_sum(_badness([each], ground)) > _TOUCH and each.left < high:
            each = _Set(block, each.left + _SHIFT, line)
        found.append(each)
        left = each.left + block.width + _GAP
    return found


def _end(row: Sequence[_Set]) -> float:
    return row[-1].left + row[-1].block.width


def _length(blocks: Sequence[ElementBlock]) -> float:
    return plain_sum(block.width for block in blocks) + _GAP * (len(blocks) - 1)


def _badness(row: Sequence[_Set], ground: SideGround) -> tuple[float, float]:
    """Return the mm² of ground on which elements cannot stand, and of bad going; the least is the best row."""
    barred = bad = 0.0
    for each in row:
        outline = each.outline()
        if not (ground.all_bad.intersects(outline) or ground.barred.intersects(outline)):
            continue
        slow = float(ground.all_bad.intersection(outline).area)
        barred += float(ground.barred.intersection(outline).area) + (slow if each.block.wheels else 0.0)
        bad += slow
    return barred, bad


def _in_column(each: _Set, ground: SideGround) -> bool:
    """Return whether a block stands in bad going, or faces it over most of its width within its move."""
    outline = each.outline()
    if ground.all_bad.intersection(outline).area > outline.area / 4:
        return True
    move = ground.frame.board.paces(each.block.slowest)
    ahead = box(each.left, each.front, each.left + each.block.width, each.front + move)
    facing = ground.all_bad.intersection(ahead)
    return not facing.is_empty and (facing.bounds[2] - facing.bounds[0]) > _MOSTLY * each.block.width


def _exposed(each: _Set, ground: SideGround) -> bool:
    """Return whether mounted would stand in bad going at this place, or face it within 600 p (SD-4.7-d8)."""
    if not each.block.mounted:
        return False
    reach = each.front + ground.rules.length("ahead_p")
    seen = box(each.left, each.front - each.block.depth, each.left + each.block.width, reach)
    return bool(ground.all_bad.intersection(seen).area > _TOUCH)


def _footprints(each: _Set, ground: SideGround) -> list[tuple[ElementFootprint, float]]:
    """Return the elements of a block on the board, file by file, and how far along the base edge each stands."""
    found, frame = list[tuple[ElementFootprint, float]](), ground.frame
    for column, file in enumerate(each.block.files):
        along = each.left + (column + 0.5) * each.block.base
        front = each.front
        for rank, (element, group) in enumerate(file, 1):
            depth = each.block.depths[element.troop.code]
            x, y = frame.on_board(along, front - depth / 2)
            footprint = ElementFootprint(
                element=element,
                place=each.block.place,
                group=group + 1,
                rank=rank,
                x=round(x, 2),
                y=round(y, 2),
                facing=frame.facing,
                width=each.block.base,
                depth=depth,
            )
            found.append((footprint, along))
            front -= depth
    return found


def _notes(stood: Sequence[_Set], ground: SideGround) -> list[tuple[str, int]]:
    """Return what the person has to settle: ground on which a group cannot stand, or on which two stand."""
    found: list[tuple[str, int]] = []
    for place, each in enumerate(stood):
        outline = each.outline()
        barred, _ = _badness([each], ground)
        outside = each.left < -_TOUCH or each.left + each.block.width > ground.frame.width + _TOUCH
        if barred > _TOUCH or outside or outline.bounds[1] < ground.baseline - _TOUCH:
            found.append(("SD-4.7-j", each.block.groups[0] + 1))
        if any(outline.intersection(other.outline()).area > _TOUCH for other in stood[:place]):
            found.append(("SD-4.7-f", each.block.groups[0] + 1))
    return found


# --- Whom the NPG faces where YOUR line is known: no Ps before horse, no El or WWg before guns (SD-4.7-d3, d4) --------

_HORSE: Final = ("Cv", "Cm", "Kn")
_RULES: Final = (
    ("SD-4.7-d3", ("Ps",), _HORSE, "opposite_horse_bw"),
    ("SD-4.7-d4", ("WWg", "El"), ("Art",), "opposite_guns_bw"),
)
"""Clause, whom it keeps out, of whom, and the number within which of straight opposite, middle to middle."""


class Opponent(Struct, frozen=True):
    """A deployed element of YOURS: its type, and mm from the left end of the NPG's base edge, as the NPG looks."""

    type: str
    along: float


def facing_faults(
    deployment: Deployment, line: Sequence[Opponent], npg: Force, ground: SideGround
) -> tuple[tuple[str, int], ...]:
    """Return which elements stand opposite those that they should not: clause and place of the footprint, in order.

    Only front ranks count. Ps may face horse across bad going (SD-4.7-d3).
    """
    return tuple(sorted(_faults(deployment, line, npg, ground)))


def mended(deployment: Deployment, line: Sequence[Opponent], npg: Force, ground: SideGround) -> Deployment:
    """Return the deployment after elements of a place have changed places as long as that leaves fewer faults.

    What is left is noted with its clause and group; d3 goes before d4, for the lower number wins (AMB-39).
    """
    found = deployment
    while faults := facing_faults(found, line, npg, ground):
        better = next(
            (
                tried
                for _, place in faults
                for other in range(len(found.footprints))
                if found.footprints[other].place is found.footprints[place].place
                and (tried := _exchanged(found, place, other)) is not found
                and facing_faults(tried, line, npg, ground) < faults
                and len(facing_faults(tried, line, npg, ground)) < len(faults)
            ),
            None,
        )
        if better is None:
            break
        found = better
    left = [(clause, found.footprints[place].group) for clause, place in facing_faults(found, line, npg, ground)]
    return replace(found, notes=(*found.notes, *left))


def _faults(
    deployment: Deployment, line: Sequence[Opponent], npg: Force, ground: SideGround
) -> Iterator[tuple[str, int]]:
    front, far = ground.front, ground.frame.depth - ground.zone_depth
    for clause, kept_out, foes, number in _RULES:
        reach = ground.rules.length(number)
        for place, footprint in enumerate(deployment.footprints):
            if footprint.rank != 1 or npg.type_of(footprint.element) not in kept_out:
                continue
            along = deployment.along[place]
            for foe in line:
                near = foe.type in foes and abs(foe.along - along) < reach
                covered = clause == "SD-4.7-d3" and LineString([(along, front), (foe.along, far)]).intersects(
                    ground.all_bad
                )
                if near and not covered:
                    yield clause, place
                    break


def _exchanged(deployment: Deployment, one: int, other: int) -> Deployment:
    """Return the deployment with two elements in each other's place; the same where their bases differ."""
    first, second = deployment.footprints[one], deployment.footprints[other]
    if first.element.troop.code == second.element.troop.code or first.depth != second.depth or second.rank != 1:
        return deployment
    places = list(deployment.footprints)
    places[one] = replace(first, element=second.element)
    places[other] = replace(second, element=first.element)
    return replace(deployment, footprints=tuple(places))
