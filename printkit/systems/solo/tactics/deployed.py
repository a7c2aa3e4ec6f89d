"""The NPG's army as it stands on the board, each element in its place, and what could not be kept (SD-4.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import Polygon, box, unary_union
from shapely.geometry.base import BaseGeometry

from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.tactics.block_rows import GAP, TOUCH, RowGround, StoodBlock, around, one_by_one, stood_in
from printkit.systems.solo.tactics.ground import SideGround, place_box
from printkit.systems.solo.tactics.group_columns import ElementBlock, blocks_of, in_files, laid_in_columns
from printkit.systems.solo.tactics.positions import PlacedGroup
from printkit.systems.solo.tactics.situation import Place

_MOSTLY: Final = 0.5
_PAIR: Final = 2

_CLAUSES: Final = {
    Place.CENTRE: "SD-4.7-a",
    Place.RESERVE: "SD-4.7-b",
    Place.RIGHT: "SD-4.7-c",
    Place.LEFT: "SD-4.7-d",
}
"""The clause that says where each place is."""

NOWHERE: Final = "SD-4.7-j"
APART: Final = "SD-4.7-i"
"""Clauses of a group for which there is no ground at all, and of one that does not stand together."""


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
    clauses that could not be kept, each with the number of the group or 0. Of a group that is noted with ``NOWHERE``
    some elements have no footprint: there is no ground for them.
    """

    footprints: tuple[ElementFootprint, ...]
    landing: tuple[Element, ...] = ()
    along: tuple[float, ...] = ()
    notes: tuple[tuple[str, int], ...] = ()
    columns: tuple[int, ...] = ()


def deploy(
    placed: Sequence[PlacedGroup],
    npg: Force,
    ranks: Mapping[str, str],
    ground: SideGround,
    *,
    scale: str = "15mm",
    camp: float | None = None,
) -> Deployment:
    """Return where every element stands.

    The Centre stands in the two middle quarters, about the middle of the board, up to the front of the zone; flanks in
    the outer quarters; the Reserve 200 p behind the front of the Centre, or behind its last rank where that is deeper.
    Nobody stands on the camp, in a river, a town or impassable ground, or off the zone. A line is moved sideways off
    such ground, then off bad going; where it has no room it goes two deep or into columns. A group that stands in bad
    going all the same, or faces it within its move, goes into column (SD-4.7-d5). Where a place has no ground for a
    group it stands elsewhere in the zone, and that is noted.

    Args:
        placed: every group with its place.
        npg: the army.
        ranks: what the dice for ranks gave, by type.
        ground: of the NPG's base edge.
        scale: of the figures.
        camp: mm of the middle of the camp from the left end of the base edge; None where nobody knows where it stands.
    """
    order = _Order(placed=placed, npg=npg, ranks=ranks, ground=ground, scale=scale, camp=camp)
    kept_in = frozenset(group for each in _stood(order)[0] if _exposed(each, ground) for group in each.block.groups)
    order = replace(order, inside=kept_in)
    for _ in range(2):
        needed = frozenset(
            group for each in _stood(order)[0] if _in_column(each, ground) for group in each.block.groups
        )
        if needed <= order.columns:
            break
        order = replace(order, columns=order.columns | needed)
    stood, nowhere = _stood(order)
    landing = tuple(element for each in placed if each.place is Place.LANDING for element in each.group.elements)
    found = [footprint for each in stood for footprint in _footprints(each, ground)]
    return Deployment(
        footprints=tuple(footprint for footprint, _ in found),
        along=tuple(along for _, along in found),
        landing=landing,
        notes=tuple(_notes(stood, nowhere, order)),
        columns=_columns(stood, order),
    )


class _Order(Struct, frozen=True, kw_only=True):
    """What is laid out: ``columns`` are the groups in column, ``inside`` those that are kept from the ends."""

    placed: Sequence[PlacedGroup]
    npg: Force
    ranks: Mapping[str, str]
    ground: SideGround
    scale: str
    camp: float | None
    columns: frozenset[int] = frozenset()
    inside: frozenset[int] = frozenset()

    def blocks(self, place: Place) -> tuple[ElementBlock, ...]:
        base = self.ground.frame.board.scale.base_width
        found = blocks_of(self.placed, place, self.npg, self.ranks, width=base, scale=self.scale, inside=self.inside)
        return tuple(laid_in_columns(block) if self.columns & set(block.groups) else block for block in found)

    def unfolded(self, block: ElementBlock) -> ElementBlock:
        """Return a block as it stands where it need not be in column."""
        plain = replace(self, columns=self.columns - set(block.groups)).blocks(block.place)
        return next((each for each in plain if each.groups == block.groups), block)

    @property
    def closed(self) -> list[BaseGeometry]:
        """Return where nobody may stand: towns, rivers, impassable ground, and the camp."""
        ground = self.ground
        if self.camp is None:
            return [ground.barred]
        side = ground.rules.length("camp_p_side")
        return [
            ground.barred,
            box(self.camp - side / 2, ground.baseline, self.camp + side / 2, ground.baseline + side),
        ]


def _stood(order: _Order) -> tuple[list[StoodBlock], list[ElementBlock]]:
    """Return every block of every place, and those for which there is no ground at all.

    First each in its own place, the Reserve last, for it stands behind the Centre; then who found no ground there
    wherever the zone has some, as near as can be.
    """
    found, homeless = list[StoodBlock](), list[ElementBlock]()
    for place in (Place.LEFT, Place.RIGHT, Place.CENTRE, Place.RESERVE):
        blocks = order.blocks(place)
        if not blocks:
            continue
        for line in _lines(place, found, order.ground):
            stood, left = stood_in(_room(place, order, found, line), blocks)
            if not left:
                break
        found += stood
        homeless += left
    nowhere = list[ElementBlock]()
    for block in homeless:
        unfolded = order.unfolded(block)
        for shape, room in _elsewhere(block, unfolded, order, found):
            stood, left = stood_in(room, [shape])
            if not left:
                break
        else:
            files = [(file, room.middle) for file in in_files(block)]
            stood, left = one_by_one(room, files)
        found += stood
        nowhere += left
    return found, nowhere


def _lines(place: Place, found: Sequence[StoodBlock], ground: SideGround) -> list[float]:
    """Return up to where a place reaches; a Reserve to behind the Centre, or where that is too little to its rule."""
    if place is not Place.RESERVE:
        return [ground.front]
    behind = [each.front - each.block.depth - GAP for each in found if each.block.place is Place.CENTRE]
    furthest = ground.front - ground.rules.length("reserve_behind_p")
    return sorted({furthest, min([furthest, *behind])})


def _elsewhere(
    block: ElementBlock, line: ElementBlock, order: _Order, found: Sequence[StoodBlock]
) -> Iterator[tuple[ElementBlock, RowGround]]:
    """Yield what is tried for a block that finds no ground in its place.

    A column stands there in line; then come the whole width of the zone, and a Reserve nearer than it should stand.
    """
    place, front = block.place, order.ground.front
    for end in _lines(place, found, order.ground):
        yield line, _room(place, order, found, end)
    rooms = [_room(place, order, found, front).whole()]
    if place is Place.RESERVE:
        behind = front - order.ground.rules.length("reserve_behind_p")
        rooms = [_room(place, order, found, behind).whole(), _room(place, order, found, front), *rooms]
    for room in rooms:
        yield block, room
        yield line, room


def _room(place: Place, order: _Order, found: Sequence[StoodBlock], line: float) -> RowGround:
    return RowGround.of(place, order.ground, [*order.closed, *(around(each) for each in found)], line)


def _in_column(each: StoodBlock, ground: SideGround) -> bool:
    """Return whether a block stands in bad going, or faces it over most of its width within its move."""
    outline = each.outline()
    if ground.all_bad.intersection(outline).area > outline.area / 4:
        return True
    move = ground.frame.board.paces(each.block.slowest)
    ahead = box(each.left, each.front, each.left + each.block.width, each.front + move)
    facing = ground.all_bad.intersection(ahead)
    return not facing.is_empty and (facing.bounds[2] - facing.bounds[0]) > _MOSTLY * each.block.width


def _exposed(each: StoodBlock, ground: SideGround) -> bool:
    """Return whether mounted would stand in bad going at this place, or face it within 600 p (SD-4.7-d8)."""
    if not each.block.mounted:
        return False
    reach = each.front + ground.rules.length("ahead_p")
    seen = box(each.left, each.front - each.block.depth, each.left + each.block.width, reach)
    return bool(ground.all_bad.intersection(seen).area > TOUCH)


def _columns(stood: Sequence[StoodBlock], order: _Order) -> tuple[int, ...]:
    """Return the numbers of the groups that stand in column: each in one file, two only where they were sent so."""
    found = set[int]()
    for file in (file for each in stood for file in each.block.files):
        group = file[0][1]
        whole = len(file) == order.placed[group].elements and all(other == group for _, other in file)
        if whole and (len(file) > _PAIR or (len(file) == _PAIR and group in order.columns)):
            found.add(group + 1)
    return tuple(sorted(found))


def _footprints(each: StoodBlock, ground: SideGround) -> list[tuple[ElementFootprint, float]]:
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


def _notes(stood: Sequence[StoodBlock], nowhere: Sequence[ElementBlock], order: _Order) -> list[tuple[str, int]]:
    """Return what the person has to know, a group after the other.

    A group may stand outside its place, in parts that do not touch, or have no ground at all.
    """
    found = set[tuple[int, str]]()
    parts: dict[int, list[StoodBlock]] = {}
    for each in stood:
        outline, home = each.outline(), place_box(order.ground, each.block.place)
        if outline.area - outline.intersection(home).area > TOUCH:
            found |= {(group + 1, _CLAUSES[each.block.place]) for group in each.block.groups}
        for group in each.block.groups:
            parts.setdefault(group, []).append(each)
    found |= {(group + 1, APART) for group, each in parts.items() if len(each) > 1 and not _together(each)}
    found |= {(group + 1, NOWHERE) for block in nowhere for group in block.groups}
    return [(clause, group) for group, clause in sorted(found)]


def _together(parts: Sequence[StoodBlock]) -> bool:
    """Return whether blocks stand so that each is beside or behind another."""
    joined = unary_union([part.outline().buffer(GAP / 2 + TOUCH, join_style="mitre") for part in parts])
    return isinstance(joined, Polygon)
