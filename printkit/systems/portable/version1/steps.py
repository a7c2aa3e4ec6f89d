"""Stages of version 1 in order: rivers, roads, hills, trees, habitation (PW1-01)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from printkit.chance.dice import Dice
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.sketch import Sketch
from printkit.systems.portable.grid.terms import MOUNTAIN, Stages
from printkit.systems.portable.version1.hills import HILL, hills
from printkit.systems.portable.version1.places import PLACES, TREES_LINE, habitation, trees
from printkit.systems.portable.version1.terms import Version1Terms
from printkit.systems.portable.version1.ways import rivers, roads
from printkit.terrain.field.grids import Grid

STAGES: Final = ("rivers", "roads", "hills", "trees", "habitation")

_LAYING: Final[Mapping[str, Callable[[Version1Terms, Sketch, Dice], Sketch]]] = {
    "rivers": rivers, "roads": roads, "hills": hills, "trees": trees, "habitation": habitation,
}  # fmt: skip
_HILLS_FIRST: Final = ("hills", "rivers", "roads", "trees", "habitation")


def steps(grid: Grid, rules: Rules, inputs: Mapping[str, object]) -> tuple[Sketch, Stages]:
    """Return the empty board and the function of each stage, in playing order (PW1-01).

    Raises:
        ScenarioError: a list or a line of the scenario is wrong.
    """
    terms = Version1Terms.of(grid, rules, inputs)
    terms.given.only(HILL, MOUNTAIN, TREES_LINE, *(kind.value for kind in PLACES))
    stages = _HILLS_FIRST if rules.choice("pw1.order") == "hills-first" else STAGES
    return Sketch(grid=grid), {stage: partial(_LAYING[stage], terms) for stage in stages}
