"""Version 1 from its first die to its last: rivers, roads, hills, trees, habitation (PW1-01)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from printkit.chance.dice import Dice
from printkit.kit.book import RuleBook
from printkit.systems.portable.grid.sketch import Sketch
from printkit.systems.portable.version1.hills import HILL, MOUNTAIN, hills
from printkit.systems.portable.version1.places import PLACES, TREES_LINE, habitation, trees
from printkit.systems.portable.version1.terms import Version1Terms
from printkit.systems.portable.version1.ways import rivers, roads
from printkit.terrain.field.grids import Grid

STAGES: Final = ("rivers", "roads", "hills", "trees", "habitation")

_LAYING: Final[Mapping[str, Callable[[Version1Terms, Sketch, Dice], Sketch]]] = {
    "rivers": rivers, "roads": roads, "hills": hills, "trees": trees, "habitation": habitation,
}  # fmt: skip
_HILLS_FIRST: Final = ("hills", "rivers", "roads", "trees", "habitation")


def steps(
    grid: Grid, book: RuleBook, settings: Mapping[str, str], inputs: Mapping[str, object]
) -> tuple[Sketch, Mapping[str, Callable[[Sketch, Dice], Sketch]]]:
    """Return the bare board, and by stage, in the order laid, what puts something on it (PW1-01).

    Raises:
        ScenarioError: a list or a line of the scenario is wrong.
        UsageError: a setting does not fit the grid.
    """
    terms = Version1Terms.of(grid, book, settings, inputs)
    terms.given.only(HILL, MOUNTAIN, TREES_LINE, *(kind.value for kind in PLACES))
    stages = _HILLS_FIRST if settings["pw1.order"] == "hills-first" else STAGES
    return Sketch(grid=grid), {stage: partial(_LAYING[stage], terms) for stage in stages}


def sketch(grid: Grid, book: RuleBook, settings: Mapping[str, str], inputs: Mapping[str, object], dice: Dice) -> Sketch:
    """Return what version 1 puts on the areas of a grid.

    Raises:
        ScenarioError: a list or a line of the scenario is wrong.
        PlacementError: a given feature cannot stand where it was put.
        UsageError: a setting does not fit the grid.
        DiceError: the dice run out, or one cannot be.
    """
    found, laying = steps(grid, book, settings, inputs)
    for stage, step in laying.items():
        found = step(found, dice.at(stage))
    return found
