"""Trees, the fourth step: groups of one area each, on open ground and on hills (PW2-50, PW2-51)."""

from __future__ import annotations

from printkit.chance.dice import Dice
from printkit.systems.portable.grid.chains import Trial
from printkit.systems.portable.grid.places import bodies
from printkit.systems.portable.grid.sketch import Sketch
from printkit.systems.portable.version2.terms import TREES, Terms
from printkit.systems.portable.version2.version2_bodies import body, full, given_areas
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell


def trees(terms: Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its trees, of the kind that the climate has; those side by side are one wood."""
    kind = terms.country.trees

    def bears(cell: Cell) -> bool:
        return _bears_trees(terms, sketch, cell)

    given = [cell for _, cell in given_areas(terms, TREES, may=bears)]
    number = terms.count("trees", terms.country.trees_table, given=len(given), dice=dice)

    def may(trial: Trial) -> bool:
        return trial.cell not in given and bears(trial.cell)

    spots = terms.chains("trees").locate(number.left, name="trees", clause="PW2-50", dice=dice, may=may)
    by_cell = {spot.cell: spot for spot in spots}
    found = sketch
    for cells in bodies(terms.grid, [*given, *by_cell]):
        found = found.put(body(found, kind, cells, by_cell, number=number, clause="PW2-50"))
    return found.put(*full(kind, number.left - len(spots)))


def _bears_trees(terms: Terms, sketch: Sketch, cell: Cell) -> bool:
    """Return whether trees may stand on an area: an empty one, a hill, or by PWA-14 a mountain."""
    grounds = (Kind.HILL, Kind.MOUNTAIN) if terms.settings["pwa-14"] == "trees" else (Kind.HILL,)
    return not sketch.through(cell) and all(piece.kind in grounds for piece in sketch.on(cell))
