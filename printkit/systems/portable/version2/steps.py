"""Stages of version 2 in order: hills, waters, roads, trees, habitation, railways, fields (PW2-01)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from printkit.chance.dice import Dice
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.overrides import ScenarioTerrain
from printkit.systems.portable.grid.sketch import AreaFeature, Sketch
from printkit.systems.portable.grid.terms import Stages
from printkit.systems.portable.version2.ground import hills, lakes, marshes, rivers, trees
from printkit.systems.portable.version2.habitation import fields, habitation
from printkit.systems.portable.version2.terms import GIVEN_IN, Version2Terms
from printkit.systems.portable.version2.terms import STAGES as STAGES
from printkit.systems.portable.version2.ways import connections, railways, roads
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Grid

Step = Callable[[Version2Terms, Sketch, Dice], Sketch]

# The function that places the features of each stage.
STEPS: Final[Mapping[str, Step]] = {
    "hills": hills,
    "rivers": rivers,
    "lakes": lakes,
    "marshes": marshes,
    "roads": roads,
    "trees": trees,
    "habitation": habitation,
    "connecting": connections,
    "railways": railways,
    "fields": fields,
}

# The kinds of places that a scenario may give. A coast is sea on the areas along an edge.
GIVEN: Final = (Kind.SEA, *(kind for kinds in GIVEN_IN.values() for kind in kinds))


def steps(grid: Grid, rules: Rules, inputs: Mapping[str, object]) -> tuple[Sketch, Stages]:
    """Return the board with the sea of a given coast, and the function of each stage, in order.

    Raises:
        ScenarioError: a list or a line of the scenario is wrong.
    """
    terms = Version2Terms.of(grid, rules, inputs)
    terms.given.only(*GIVEN)
    return Sketch(grid=grid).put(*_coast(terms.given)), {stage: partial(STEPS[stage], terms) for stage in STAGES}


def _coast(given: ScenarioTerrain) -> tuple[AreaFeature, ...]:
    """Return the sea that the scenario gives; nothing is placed on it and no course passes it (PW0-13)."""
    return tuple(
        AreaFeature(id=f"sea-{number}", kind=Kind.SEA, cells=place.cells, clauses=("PW0-13",), told={"given": True})
        for number, place in enumerate(given.of(Kind.SEA), 1)
    )
