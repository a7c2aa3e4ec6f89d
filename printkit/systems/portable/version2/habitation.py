"""Habitation, the fifth step: areas are inhabited one by one, and those side by side grow together (PW2-55..PW2-58)."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.systems.portable.grid.chains import Trial
from printkit.systems.portable.grid.places import bodies
from printkit.systems.portable.grid.sketch import HABITATION, Sketch
from printkit.systems.portable.version2.terms import Terms
from printkit.systems.portable.version2.version2_bodies import body, full, given_areas
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grid import neighbours
from printkit.terrain.field.grids import Cell, Grid


def habitation(terms: Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its inhabited places; how many areas hang together says what each is (PW2-57)."""
    free = Settling(sketch=sketch, terms=terms, given=frozenset())
    given = [(Kind(place.kind), cell) for place, cell in given_areas(terms, *HABITATION, may=free.takes_people)]
    number = terms.count("habitation", terms.country.habitation_table, given=len(given), dice=dice)
    settling = Settling(sketch=sketch, terms=terms, given=frozenset(cell for _, cell in given))
    spots = terms.chains("habitation").locate(
        number.left, name="habitation", clause="PW2-56", dice=dice, may=settling.may
    )
    by_cell = {spot.cell: spot for spot in spots}
    for cells in bodies(terms.grid, [*(cell for _, cell in given), *by_cell]):
        named = [kind for kind, cell in given if cell in cells]
        kind = max([*named, kind_of(terms, len(cells))], key=HABITATION.index)
        sketch = sketch.put(body(sketch, kind, cells, by_cell, number=number, clause="PW2-57"))
    return sketch.put(*full(Kind.SETTLEMENT, number.left - len(spots)))


def kind_of(terms: Terms, count: int) -> Kind:
    """Return what so many inhabited areas side by side are (PW2-57)."""
    rows = [row for row in terms.book.own("places") if row.need("least", int) <= count]
    return Kind(rows[-1].need("kind", str))


class Settling(Struct, frozen=True, kw_only=True):
    """Which areas people may settle on, as things stand (PW2-56, PW2-57).

    Hills without trees take settlements of a single area alone: not beside inhabited areas, and nothing settles beside
    them later (PWA-09: ``single``); or never (``forbid``), or any place (``always``).
    """

    sketch: Sketch
    terms: Terms
    given: frozenset[Cell]

    def may(self, trial: Trial) -> bool:
        """Return whether people may settle on an area."""
        inhabited = self.given | {spot.cell for spot in trial.found}
        if trial.cell in self.given or not self.takes_people(trial.cell):
            return False
        single = self.terms.settings["pwa-09"] == "single"
        near = _near(self.terms.grid, trial.cell, inhabited)
        if single and any(self.sketch.on(cell, Kind.HILL) for cell in near):
            return False
        return not (single and near and self.sketch.on(trial.cell))

    def takes_people(self, cell: Cell) -> bool:
        """Return whether an area is empty, or holds a hill that people may live on, and nothing else."""
        if not self.sketch.on(cell):
            return not self.sketch.through(cell)
        only_a_hill = all(piece.kind is Kind.HILL for piece in self.sketch.on(cell)) and not self.sketch.through(cell)
        return only_a_hill and self.terms.settings["pwa-09"] != "forbid"


def _near(grid: Grid, cell: Cell, inhabited: Collection[Cell]) -> tuple[Cell, ...]:
    return tuple(other for other in neighbours(grid, cell) if other in inhabited)
