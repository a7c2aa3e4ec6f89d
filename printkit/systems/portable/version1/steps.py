"""Stages of version 1 in order: rivers, roads, hills, trees, habitation (PW1-01)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from printkit.chance.dice import Dice
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.sketch import Sketch
from printkit.systems.portable.grid.terms import MOUNTAIN, Stages
from printkit.systems.portable.version1.courses import place_rivers, place_roads
from printkit.systems.portable.version1.hills import HILL, place_hills
from printkit.systems.portable.version1.places import PLACES, TREES_LINE, place_habitation, place_trees
from printkit.systems.portable.version1.terms import Version1Terms
from printkit.terrain.field.grids import Grid

STAGES: Final = ("rivers", "roads", "hills", "trees", "habitation")

_STAGE_FUNCTIONS: Final[Mapping[str, Callable[[Version1Terms, Sketch, Dice], Sketch]]] = {
    "rivers": place_rivers, "roads": place_roads, "hills": place_hills, "trees": place_trees,
    "habitation": place_habitation,
}  # fmt: skip
_HILLS_FIRST: Final = ("hills", "rivers", "roads", "trees", "habitation")


def steps(grid: Grid, rules: Rules, inputs: Mapping[str, object]) -> tuple[Sketch, Stages]:
    """Return the empty board and the function of each stage, in playing order (PW1-01).

    ``inputs`` are the lists of the scenario by name.

    Raises:
        ScenarioError: a list or a line of the scenario is wrong.
    """
    terms = Version1Terms.from_scenario(grid, rules, inputs)
    terms.terrain.check_kinds(HILL, MOUNTAIN, TREES_LINE, *(kind.value for kind in PLACES))
    stages = _HILLS_FIRST if rules.choice("pw1.order") == "hills-first" else STAGES
    return Sketch(grid=grid), {stage: partial(_STAGE_FUNCTIONS[stage], terms) for stage in stages}
