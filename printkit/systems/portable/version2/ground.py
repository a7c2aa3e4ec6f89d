"""Hills (PW2-10..PW2-21), rivers, lakes and marshes (PW2-30..PW2-39), trees (PW2-50, PW2-51) of version 2."""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

from printkit.chance.dice import Dice
from printkit.systems.portable.grid.counting import LocatedArea, Told, Trial, placed
from printkit.systems.portable.grid.sketch import AreaFeature, Sketch
from printkit.systems.portable.grid.terms import DIE, MOUNTAIN, Height
from printkit.systems.portable.version2.courses import CoursePlan, bank_of, lay, width_of
from printkit.systems.portable.version2.terms import (
    GIVEN_IN,
    TREES,
    BodyPlan,
    Count,
    Version2Terms,
    full,
    given_areas,
    is_open,
    located,
)
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell

# --- Trees, the fourth step: groups of one area each, on open ground and on hills (PW2-50, PW2-51) --------------------


def trees(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its trees, of the kind that the climate has; connected areas are one wood."""
    kind = terms.country.trees
    bears = partial(is_open, sketch)
    given = [cell for _, cell in given_areas(terms, TREES, may=bears)]
    plan = BodyPlan(stage="trees", table=terms.country.trees_table, name="trees", clause="PW2-50")
    return located(terms, sketch, plan, given, dice, may=lambda trial: bears(trial.cell), kind=lambda _: kind)


# --- Rivers, lakes and marshes, the second step (PW2-30..PW2-39) ------------------------------------------------------

_WIDE: Final = 2
_CLAUSES: Final = {"lakes": "PW2-38", "marshes": "PW2-39"}


def rivers(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its rivers; each is complete before the next, which may cross it (PWA-12)."""
    for number, given in terms.asked("river", terms.given.rivers):
        name, clauses = f"river {number}", ("PW2-31", "PW2-33", "PW2-36")
        plan = CoursePlan(kind=Kind.RIVER, stage="rivers", name=name, given=given, clauses=clauses)
        sketch, _ = lay(terms, sketch, plan, dice, breadth=partial(_breadth, terms, plan, dice))
    return sketch


def _breadth(terms: Version2Terms, plan: CoursePlan, dice: Dice) -> Told:
    """Return the width of a river in areas and, for a wide one, the bank of its second area (PW2-36)."""
    width = plan.given.width or _width(terms, plan.name, dice)
    if width < _WIDE:
        return {"width": width}
    return {"width": width, "bank": terms.rules.outcomes("bank").roll(dice, bank_of(plan.name))}


def _width(terms: Version2Terms, name: str, dice: Dice) -> int:
    if terms.rules.choice("river-areas") != DIE:
        return int(terms.rules.choice("river-areas"))
    return int(terms.rules.outcomes("river_width").roll(dice, width_of(name)))


def lakes(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its lakes (PW2-38)."""
    return _waters(terms, sketch, dice, what="lakes", kind=Kind.LAKE)


def marshes(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its marshes and swamps (PW2-39)."""
    return _waters(terms, sketch, dice, what="marshes", kind=Kind.MARSH)


def _waters(terms: Version2Terms, sketch: Sketch, dice: Dice, *, what: str, kind: Kind) -> Sketch:
    """Locate lakes or marshes in the same way as hills, on empty areas; connected areas are one feature."""
    given = [cell for _, cell in given_areas(terms, kind, may=sketch.is_empty)]
    plan = BodyPlan(stage=what, table="all", name=kind.value, clause=_CLAUSES[what])
    may = sketch.is_empty
    return located(terms, sketch, plan, given, dice, may=lambda trial: may(trial.cell), kind=lambda _: kind)


class _Hill(NamedTuple):
    """A hill before its height is known; ``contours`` are those that the scenario gives."""

    cell: Cell
    spot: LocatedArea | None
    contours: int | None = None
    mountain: bool = False


def hills(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its hills and mountains; they need areas without another hill (PW2-12)."""
    given = given_areas(terms, *GIVEN_IN["hills"], may=sketch.is_empty)
    found = [_Hill(cell, None, place.contours, place.kind == MOUNTAIN) for place, cell in given]
    number = terms.count("hills", terms.country.hills_table, given=len(found), dice=dice)
    taken = {cell for _, cell in given}

    def may(trial: Trial) -> bool:
        return trial.cell not in taken and sketch.is_empty(trial.cell)

    spots = terms.chains("hills").locate(number.left, name="hill", clause="PW2-12", dice=dice, may=may)
    found += [_Hill(spot.cell, spot) for spot in spots]
    with_hills = sketch
    table = terms.rules.row("hills", "table", terms.country.hills_table).get("heights", str, "")
    heights = [
        Height(0) if hill.mountain else terms.height(hill.contours, table, place, dice)
        for place, hill in enumerate(found, 1)
    ]
    for hill, made in zip(found, heights, strict=True):
        with_hills = with_hills.put(_placing(with_hills, hill, made, number))
    return with_hills.put(*full(Kind.HILL, number.left - len(spots)))


def _placing(sketch: Sketch, hill: _Hill, height: Height, number: Count) -> AreaFeature:
    kind = Kind.HILL if height.contours else Kind.MOUNTAIN
    told, throws, clause = placed(), tuple[int, ...](), "PW0-13"
    if hill.spot is not None:
        told, throws = {**number.told, **hill.spot.told}, (*number.throws, *hill.spot.throws)
        clause = "PW2-12" if hill.spot.chained_to is None else "PW2-20"
    return AreaFeature(
        id=sketch.next_id(kind.value),
        kind=kind,
        cells=(hill.cell,),
        contours=height.contours,
        throws=(*throws, *height.throws),
        clauses=("PW2-10", clause, *(("PW2-11",) if height.throws else ())),
        told={**told, "height_score": height.score},
    )
