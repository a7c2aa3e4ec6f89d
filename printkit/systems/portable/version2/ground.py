"""Hills and mountains, the first step: how many, where, and after all are located how high (PW2-10..PW2-21)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from printkit.chance.dice import Dice
from printkit.systems.portable.grid.chains import Spot, Trial
from printkit.systems.portable.grid.counting import since
from printkit.systems.portable.grid.sketch import Placing, Sketch
from printkit.systems.portable.grid.telling import placed
from printkit.systems.portable.version2.terms import DIE, GIVEN_IN, MOUNTAIN, Count, Terms
from printkit.systems.portable.version2.version2_bodies import full, given_areas
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell


class _Hill(NamedTuple):
    """A hill before its height is known; ``contours`` are those that a person gave."""

    cell: Cell
    spot: Spot | None
    contours: int | None = None
    mountain: bool = False


def hills(terms: Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its hills and mountains; only another hill is in the way of one (PW2-12)."""
    given = given_areas(terms, *GIVEN_IN["hills"], may=sketch.is_empty)
    found = [_Hill(cell, None, place.contours, place.kind == MOUNTAIN) for place, cell in given]
    number = terms.count("hills", terms.country.hills_table, given=len(found), dice=dice)
    taken = {cell for _, cell in given}

    def may(trial: Trial) -> bool:
        return trial.cell not in taken and sketch.is_empty(trial.cell)

    spots = terms.chains("hills").locate(number.left, name="hill", clause="PW2-12", dice=dice, may=may)
    found += [_Hill(spot.cell, spot) for spot in spots]
    with_hills = sketch
    for hill, made in zip(found, _heights(found, terms, dice), strict=True):
        with_hills = with_hills.put(_placing(with_hills, hill, made, number))
    return with_hills.put(*full(Kind.HILL, number.left - len(spots)))


class _Height(NamedTuple):
    """Contours, or that it is a mountain, and the die that said so; None where none was thrown."""

    text: str
    score: int | None = None
    throws: tuple[int, ...] = ()
    clauses: tuple[str, ...] = ()


def _heights(found: Sequence[_Hill], terms: Terms, dice: Dice) -> list[_Height]:
    """Return the height of each hill in order of location: contours, or a mountain (PW2-11)."""
    name = terms.row("hills", "table", terms.country.hills_table).get("heights", str, "")
    heights = []
    for place, hill in enumerate(found, 1):
        if hill.mountain:
            heights.append(_Height(MOUNTAIN))
        elif hill.contours is not None:
            heights.append(_Height(str(hill.contours)))
        elif terms.settings["hill-height"] != DIE:
            heights.append(_Height(terms.settings["hill-height"]))
        elif not name:
            heights.append(_Height("1"))
        else:
            mark = len(dice.log)
            text = terms.table(name).roll(dice, f"height of hill {place}")
            heights.append(_Height(text, int(dice.log[-1].answer), since(dice, mark), ("PW2-11",)))
    return heights


def _placing(sketch: Sketch, hill: _Hill, height: _Height, number: Count) -> Placing:
    mountain = height.text == MOUNTAIN
    told, throws, clause = placed(), tuple[int, ...](), "PW0-13"
    if hill.spot is not None:
        told, throws = {**number.told, **hill.spot.told}, (*number.throws, *hill.spot.throws)
        clause = "PW2-12" if hill.spot.chained_to is None else "PW2-20"
    return Placing(
        id=sketch.next_id("mountain" if mountain else "hill"),
        kind=Kind.MOUNTAIN if mountain else Kind.HILL,
        cells=(hill.cell,),
        contours=0 if mountain else int(height.text),
        throws=(*throws, *height.throws),
        clauses=("PW2-10", clause, *height.clauses),
        told={**told, "height_score": height.score},
    )
