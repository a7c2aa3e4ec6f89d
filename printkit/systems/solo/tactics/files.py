"""Blocks of files: the groups of one place as they stand side by side, fastest outside, the general inside."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.tactics.group_columns import Ranks, doubled, files_of, masses
from printkit.systems.solo.tactics.positions import Placed
from printkit.systems.solo.tactics.situation import Place

Standing = tuple[Element, int]
"""An element and the number of its group."""


class Block(Struct, frozen=True, kw_only=True):
    """Elements that stand together: files from left to right, each from the front. Lengths in mm."""

    place: Place
    groups: tuple[int, ...]
    files: tuple[tuple[Standing, ...], ...]
    base: float
    depths: Mapping[str, float]

    @property
    def elements(self) -> tuple[Element, ...]:
        """Return its elements, file by file."""
        return tuple(element for file in self.files for element, _ in file)

    @property
    def width(self) -> float:
        """Return its frontage."""
        return len(self.files) * self.base

    @property
    def depth(self) -> float:
        """Return how far back its deepest file reaches."""
        return max(sum(self.depths[element.troop.code] for element, _ in file) for file in self.files)

    @property
    def slowest(self) -> int:
        """Return the move of its slowest element, in paces."""
        return min(element.troop.move for element in self.elements)

    @property
    def general(self) -> bool:
        """Return whether the general is in it."""
        return any(element.general for element in self.elements)

    @property
    def mounted(self) -> bool:
        """Return whether all of it is mounted."""
        return all(element.troop.mounted for element in self.elements)

    @property
    def wheels(self) -> bool:
        """Return whether an element of it cannot enter bad going."""
        return any(not element.troop.enters_bad_going for element in self.elements)

    @property
    def can_deepen(self) -> bool:
        """Return whether it may stand two deep where there is no room for its line."""
        return len(self.files) > 1 and max(len(file) for file in self.files) <= 2

    def deepened(self) -> Block:
        """Return the block half as wide."""
        paired = doubled(tuple(tuple(element for element, _ in file) for file in self.files))
        numbers = [number for file in self.files for _, number in file]
        files, start = [], 0
        for file in paired:
            files.append(tuple(zip(file, numbers[start : start + len(file)], strict=True)))
            start += len(file)
        return replace(self, files=tuple(files))


def blocks_of(
    placed: Sequence[Placed],
    place: Place,
    npg: Force,
    ranks: Ranks,
    *,
    width: float,
    scale: str,
    inside: Collection[int] = (),
) -> tuple[Block, ...]:
    """Return the blocks of a place from its left to its right.

    Groups of Wb, and of Sp, stand as one mass (SD-4.7-i, AMB-36). The fastest stand outermost, mounted before foot of
    the same move (SD-4.7-d8); of equally fast ones the general's is further in (SD-4.7-d9).

    Args:
        placed: every group of the army with its place.
        place: the one that is laid out.
        npg: the army.
        ranks: what the dice for ranks gave.
        width: mm of a base.
        scale: of the figures, by which depths are looked up.
        inside: groups that are not to stand at an end, whatever their move.
    """
    depths = {element.troop.code: float(element.troop.depth[scale]) for element in npg.elements}
    blocks = []
    for numbers in masses(placed, place, npg):
        left = [(element, number) for number in numbers for element in placed[number].group.elements]
        formation = {kind: shape for kind in ("Wb", "Sp") if (shape := ranks.of(kind, numbers[0]))}
        files = files_of([element for element, _ in left], npg, formation)
        standing = []
        for file in files:
            row = []
            for element in file:
                # Equal elements are interchangeable: the number of the first one left is as good as another's.
                found = next(each for each in left if each[0] == element)
                left.remove(found)
                row.append(found)
            standing.append(tuple(row))
        blocks.append(Block(place=place, groups=numbers, files=tuple(standing), base=width, depths=depths))
    return _outermost_fastest(blocks, place, inside)


def laid_in_columns(block: Block) -> Block:
    """Return a block one element wide; a mass of several groups as many files as it has groups (SD-4.7-d5)."""
    deepest = max(len(file) for file in block.files)
    # Front ranks first: what supports comes behind.
    standing = [file[rank] for rank in range(deepest) for file in block.files if len(file) > rank]
    return replace(
        block,
        files=tuple(tuple(each for each in standing if each[1] == group) for group in block.groups),
    )


def _outermost_fastest(blocks: Sequence[Block], place: Place, inside: Collection[int]) -> tuple[Block, ...]:
    """Return the blocks in their order: on a flank the fastest at its outer end, elsewhere at both ends."""

    def outward(block: Block) -> tuple[bool, int, bool, bool, tuple[int, ...]]:
        kept_in = any(group in inside for group in block.groups)
        return kept_in, -block.slowest, not block.mounted, block.general, block.groups

    ranked = sorted(blocks, key=outward)
    if place is Place.LEFT:
        return tuple(ranked)
    if place is Place.RIGHT:
        return tuple(reversed(ranked))
    left, right = ranked[0::2], ranked[1::2]
    return (*left, *reversed(right))
