"""How deep the troops of a place stand (SD-4.7-d1, d6, d7), and its groups side by side as blocks of files."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.core.sums import plain_sum
from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import Step
from printkit.systems.solo.tactics.positions import PlacedGroup
from printkit.systems.solo.tactics.situation import Place

DEEP: Final = "deep"
THIN_ENDS: Final = "thin-ends"

File = tuple[Element, ...]
"""Elements one behind the other, the front one first."""

_RULES: Final = (("Wb", "warband_ranks", "SD-4.7-d6"), ("Sp", "spear_ranks", "SD-4.7-d7"))


def applies(kind: str, npg: Force, you: Force, rules: SoloRules) -> bool:
    """Return whether a die for ranks is thrown for a type (SD-4.7-d6, SD-4.7-d7)."""
    if kind == "Wb":
        return npg.count("Wb") >= rules.whole("warband_ranks_min")
    return you.count("Sp") >= rules.whole("spear_ranks_yours") and npg.count("Sp") >= rules.whole("spear_ranks_own")


def throw_ranks(npg: Force, you: Force, rules: SoloRules, dice: Dice) -> tuple[dict[str, str], tuple[Step, ...]]:
    """Throw one die a rule (AMB-36), and return by type ``deep`` or ``thin-ends``, and the steps."""
    found, steps = dict[str, str](), list[Step]()
    for kind, name, clause in _RULES:
        if applies(kind, npg, you, rules):
            die = dice.d6(Sentence("ranks of {troops}", troops=kind), clause, brings=rules.outcomes(name).look_up)
            found[kind] = rules.outcomes(name).look_up(die)
            steps.append(
                Step(
                    clause=clause,
                    title="npg.battle.step.ranks",
                    inputs={"type": kind},
                    dice=(die,),
                    total=die,
                    row=clause,
                    result=found[kind],
                )
            )
    return found, tuple(steps)


def frontage(elements: int, formation: str) -> int:
    """Return how many elements wide a mass of one type stands: two ranks, with single ends, or in one line."""
    return sum(1 for _ in depths(elements, formation))


def depths(elements: int, formation: str) -> tuple[int, ...]:
    """Return the ranks of each file from one end to the other; an odd element leaves the last deep file one deep."""
    if formation == DEEP:
        return (2,) * (elements // 2) + (1,) * (elements % 2)
    if formation == THIN_ENDS and elements > 2:
        inner = elements - 2
        return (1, *((2,) * (inner // 2)), *((1,) * (inner % 2)), 1)
    return (1,) * elements


def files_of(group: Sequence[Element], formation: Mapping[str, str]) -> tuple[File, ...]:
    """Return a group, or groups that stand as one mass, as files from its left to its right.

    Pikes stand two deep (SD-4.7-d1); ``formation`` gives what the dice decided for a type. A Ps that supports stands
    behind the middle of the others, bows among those that carry them. The general is as near the middle as can be
    (SD-4.7-d9).
    """
    counts = {element.troop.code for element in group}
    support = "Ps" in counts and counts & {"Bd", "Sp", "Ax"} and "El" not in counts
    front = [element for element in group if not (support and element.troop.code == "Ps")]
    behind = [element for element in group if support and element.troop.code == "Ps"]
    files = list[list[Element]]()
    for kind in dict.fromkeys(element.troop.code for element in front):
        of_kind = [element for element in front if element.troop.code == kind]
        shape = DEEP if kind == "Pk" else formation.get(kind, "")
        files += _filed(of_kind, depths(len(of_kind), shape))
    files = _interspersed(files)
    files = _general_inside(files)
    middle = len(files) // 2
    order = sorted(range(len(files)), key=lambda place: (len(files[place]), abs(place - middle)))
    for place, element in zip(order, behind, strict=False):
        files[place].append(element)
    for element in behind[len(order) :]:
        files[middle].append(element)
    return tuple(tuple(file) for file in files)


def doubled(files: Sequence[File]) -> tuple[File, ...]:
    """Return files two by two one behind the other, half as wide."""
    return tuple(
        tuple(element for file in files[start : start + 2] for element in file) for start in range(0, len(files), 2)
    )


def masses(placed: Sequence[PlacedGroup], place: Place) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of the groups in a place, those of one type alone that stand as one mass together (AMB-36)."""
    found: list[tuple[int, ...]] = []
    kinds: list[str] = []
    for position, each in enumerate(placed):
        if each.place is not place:
            continue
        types = {element.troop.code for element in each.group.elements}
        kind = next(iter(types)) if len(types) == 1 else ""
        if kind in ("Wb", "Sp") and kind in kinds:
            found[kinds.index(kind)] += (position,)
        else:
            found.append((position,))
            kinds.append(kind)
    return tuple(found)


def _filed(elements: Sequence[Element], ranks: Sequence[int]) -> list[list[Element]]:
    """Return files; the general comes in front of the middle one, for he is the first of his type."""
    left, files = list(elements), [list[Element]() for _ in ranks]
    middle = len(ranks) // 2
    for place in sorted(range(len(ranks)), key=lambda place: abs(place - middle)):
        files[place] = [left.pop(0) for _ in range(ranks[place])]
    return files


def _interspersed(files: list[list[Element]]) -> list[list[Element]]:
    """Return the files with bows spread evenly among the others (SD-4.5-x2)."""
    bows = [file for file in files if file[0].troop.code == "Bw"]
    others = [file for file in files if file[0].troop.code != "Bw"]
    if not bows or not others:
        return files
    spread = [(place + 0.5) / len(others) for place in range(len(others))]
    among = [(place + 0.75) / len(bows) for place in range(len(bows))]
    merged = sorted([*zip(spread, others, strict=True), *zip(among, bows, strict=True)], key=lambda pair: pair[0])
    return [file for _, file in merged]


def _general_inside(files: list[list[Element]]) -> list[list[Element]]:
    """Return the files with the general's as near the middle as may be, where all are alike deep (SD-4.7-d9).

    Among bows he changes places with a file of his own type, so that they stay spread out.
    """
    own = next((place for place, file in enumerate(files) if any(element.general for element in file)), None)
    if own is None or len({len(file) for file in files}) > 1:
        return files
    found, middle = list(files), (len(files) - 1) // 2
    if any(file[0].troop.code == "Bw" for file in files):
        alike = [place for place, file in enumerate(files) if file[0].troop.code == files[own][0].troop.code]
        other = min(alike, key=lambda place: abs(place - middle))
        found[own], found[other] = found[other], found[own]
    else:
        found.insert(middle, found.pop(own))
    return found


# --- Blocks of files: the groups of one place as they stand side by side, fastest outside, the general inside ---------

GroupedElement = tuple[Element, int]
"""An element and the number of its group."""


class ElementBlock(Struct, frozen=True, kw_only=True):
    """Elements that stand together: files from left to right, each from the front. Lengths in mm."""

    place: Place
    groups: tuple[int, ...]
    files: tuple[tuple[GroupedElement, ...], ...]
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
        return max(plain_sum(self.depths[element.troop.code] for element, _ in file) for file in self.files)

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

    def deepened(self) -> ElementBlock:
        """Return the block half as wide."""
        paired = doubled(tuple(tuple(element for element, _ in file) for file in self.files))
        numbers = [number for file in self.files for _, number in file]
        files, start = [], 0
        for file in paired:
            files.append(tuple(zip(file, numbers[start : start + len(file)], strict=True)))
            start += len(file)
        return replace(self, files=tuple(files))


def blocks_of(
    placed: Sequence[PlacedGroup],
    place: Place,
    npg: Force,
    ranks: Mapping[str, str],
    *,
    width: float,
    scale: str,
    inside: Collection[int] = (),
) -> tuple[ElementBlock, ...]:
    """Return the blocks of a place from its left to its right.

    Groups of Wb, and of Sp, stand as one mass (SD-4.7-i, AMB-36). The fastest stand outermost, mounted before foot of
    the same move (SD-4.7-d8); of equally fast ones the general's is further in (SD-4.7-d9).

    Args:
        placed: every group of the army with its place.
        place: the one that is laid out.
        npg: the army.
        ranks: what the dice for ranks gave, by type.
        width: mm of a base.
        scale: of the figures, by which depths are looked up.
        inside: groups that are not to stand at an end, whatever their move.
    """
    depths = {element.troop.code: float(element.troop.depth[scale]) for element in npg.elements}
    blocks = []
    for numbers in masses(placed, place):
        left = [(element, number) for number in numbers for element in placed[number].group.elements]
        files = files_of([element for element, _ in left], ranks)
        standing = []
        for file in files:
            row = []
            for element in file:
                # Equal elements are interchangeable: the number of the first one left is as good as another's.
                found = next(each for each in left if each[0] == element)
                left.remove(found)
                row.append(found)
            standing.append(tuple(row))
        blocks.append(ElementBlock(place=place, groups=numbers, files=tuple(standing), base=width, depths=depths))
    return _outermost_fastest(blocks, place, inside)


def laid_in_columns(block: ElementBlock) -> ElementBlock:
    """Return a block one element wide; a mass of several groups as many files as it has groups (SD-4.7-d5)."""
    deepest = max(len(file) for file in block.files)
    # Front ranks first: what supports comes behind.
    standing = [file[rank] for rank in range(deepest) for file in block.files if len(file) > rank]
    return replace(
        block,
        files=tuple(tuple(each for each in standing if each[1] == group) for group in block.groups),
    )


def in_groups(block: ElementBlock) -> tuple[ElementBlock, ...]:
    """Return the groups of a block each as a block of its own, in their order from left to right."""
    numbers = tuple(dict.fromkeys(number for file in block.files for _, number in file))
    return tuple(_of_group(block, number) for number in numbers)


def in_files(block: ElementBlock) -> tuple[ElementBlock, ...]:
    """Return each file of a block as a block of its own."""
    return tuple(
        replace(block, files=(file,), groups=tuple(dict.fromkeys(number for _, number in file))) for file in block.files
    )


def _of_group(block: ElementBlock, number: int) -> ElementBlock:
    files = (tuple(each for each in file if each[1] == number) for file in block.files)
    return replace(block, files=tuple(file for file in files if file), groups=(number,))


def _outermost_fastest(
    blocks: Sequence[ElementBlock], place: Place, inside: Collection[int]
) -> tuple[ElementBlock, ...]:
    """Return the blocks in their order: on a flank the fastest at its outer end, elsewhere at both ends."""

    def outward(block: ElementBlock) -> tuple[bool, int, bool, bool, tuple[int, ...]]:
        kept_in = any(group in inside for group in block.groups)
        return kept_in, -block.slowest, not block.mounted, block.general, block.groups

    ranked = sorted(blocks, key=outward)
    if place is Place.LEFT:
        return tuple(ranked)
    if place is Place.RIGHT:
        return tuple(reversed(ranked))
    left, right = ranked[0::2], ranked[1::2]
    return (*left, *reversed(right))
