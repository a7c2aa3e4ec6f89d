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
from printkit.systems.portable.version2.ground import place_hills, place_lakes, place_marshes, place_rivers, place_trees
from printkit.systems.portable.version2.habitation import place_fields, place_habitation
from printkit.systems.portable.version2.roads_and_railways import place_connections, place_railways, place_roads
from printkit.systems.portable.version2.terms import GIVEN_IN, Version2Terms
from printkit.systems.portable.version2.terms import STAGES as STAGES
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Grid

Step = Callable[[Version2Terms, Sketch, Dice], Sketch]

# The function that places the features of each stage.
STEPS: Final[Mapping[str, Step]] = {
    "hills": place_hills,
    "rivers": place_rivers,
    "lakes": place_lakes,
    "marshes": place_marshes,
    "roads": place_roads,
    "trees": place_trees,
    "habitation": place_habitation,
    "connecting": place_connections,
    "railways": place_railways,
    "fields": place_fields,
}

# The kinds of places that a scenario may give. A coast is sea on the areas along an edge.
GIVEN: Final = (Kind.SEA, *(kind for kinds in GIVEN_IN.values() for kind in kinds))


def steps(grid: Grid, rules: Rules, inputs: Mapping[str, object]) -> tuple[Sketch, Stages]:
    """Return the board with the sea of a given coast, and the function of each stage, in order.

    ``inputs`` are the lists of the scenario by name.

    Raises:
        ScenarioError: a list or a line of the scenario is wrong.
    """
    terms = Version2Terms.from_scenario(grid, rules, inputs)
    terms.terrain.check_kinds(*GIVEN)
    return Sketch(grid=grid).add(*_place_coast(terms.terrain)), {
        stage: partial(STEPS[stage], terms) for stage in STAGES
    }


def _place_coast(terrain: ScenarioTerrain) -> tuple[AreaFeature, ...]:
    """Return the sea that the scenario gives; nothing is placed on it and no course passes it (PW0-13)."""
    return tuple(
        AreaFeature(id=f"sea-{number}", kind=Kind.SEA, cells=place.cells, clauses=("PW0-13",), told={"given": True})
        for number, place in enumerate(terrain.find_places(Kind.SEA), 1)
    )
