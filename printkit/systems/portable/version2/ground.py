"""Hills (PW2-10..PW2-21), rivers, lakes and marshes (PW2-30..PW2-39), trees (PW2-50, PW2-51) of version 2."""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

from printkit.chance.dice import Dice
from printkit.systems.portable.grid.counting import LocatedArea, PlacementFacts, Trial, scenario_facts
from printkit.systems.portable.grid.sketch import AreaFeature, Sketch
from printkit.systems.portable.grid.terms import DIE, MOUNTAIN, Height
from printkit.systems.portable.version2.courses import CoursePlan, bank_reason, place_course, width_reason
from printkit.systems.portable.version2.terms import (
    GIVEN_IN,
    TREES,
    BodyPlan,
    Count,
    Version2Terms,
    check_given_areas,
    is_open,
    note_missing,
    place_bodies,
)
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell

# --- Trees, the fourth step: groups of one area each, on open ground and on hills (PW2-50, PW2-51) --------------------


def place_trees(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its trees, of the kind that the climate has; connected areas are one wood.

    Trees that find no area are left out, and the sketch gets a note about them (PW0-11).
    """
    kind = terms.geography.trees
    can_take = partial(is_open, sketch)
    given_cells = [cell for _, cell in check_given_areas(terms, TREES, can_take=can_take)]
    plan = BodyPlan(stage="trees", table=terms.geography.trees_table, name="trees", clause="PW2-50")
    return place_bodies(
        terms, sketch, plan, given_cells, dice, can_take=lambda trial: can_take(trial.cell), kind=lambda _: kind
    )


# --- Rivers, lakes and marshes, the second step (PW2-30..PW2-39) ------------------------------------------------------

_WIDE: Final = 2
_CLAUSES: Final = {"lakes": "PW2-38", "marshes": "PW2-39"}


def place_rivers(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its rivers; each is complete before the next, which may cross it (PWA-12).

    A river without a route is left out, and the sketch gets a note about it (PW2-35). Positions and widths are in areas
    of the grid.
    """
    for number, spec in terms.list_courses("river", terms.terrain.rivers):
        name, clauses = f"river {number}", ("PW2-31", "PW2-33", "PW2-36")
        plan = CoursePlan(kind=Kind.RIVER, stage="rivers", name=name, spec=spec, clauses=clauses)
        sketch, _ = place_course(terms, sketch, plan, dice, breadth=partial(_roll_breadth, terms, plan, dice))
    return sketch


def _roll_breadth(terms: Version2Terms, plan: CoursePlan, dice: Dice) -> PlacementFacts:
    """Return the facts ``width`` of a river in areas and, for a wide one, ``bank`` (PW2-36).

    The bank is the side of the second areas: left or right, going downstream.
    """
    width_setting = terms.rules.choice("river-areas")
    width = plan.spec.width or int(
        terms.rules.outcomes("river_width").roll(dice, width_reason(plan.name))
        if width_setting == DIE
        else width_setting
    )
    if width < _WIDE:
        return {"width": width}
    return {"width": width, "bank": terms.rules.outcomes("bank").roll(dice, bank_reason(plan.name))}


def place_lakes(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its lakes, and with a note if some find no area (PW2-38, PW0-11)."""
    return _place_waters(terms, sketch, dice, stage="lakes", kind=Kind.LAKE)


def place_marshes(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its marshes and swamps, and a note if some find no area (PW2-39, PW0-11)."""
    return _place_waters(terms, sketch, dice, stage="marshes", kind=Kind.MARSH)


def _place_waters(terms: Version2Terms, sketch: Sketch, dice: Dice, *, stage: str, kind: Kind) -> Sketch:
    """Return the sketch with lakes or marshes on empty areas, located like hills; connected areas are one feature.

    ``stage`` is the name of the stage of ``kind``.
    """
    given_cells = [cell for _, cell in check_given_areas(terms, kind, can_take=sketch.is_empty)]
    plan = BodyPlan(stage=stage, table="all", name=kind.value, clause=_CLAUSES[stage])
    may = sketch.is_empty
    return place_bodies(
        terms, sketch, plan, given_cells, dice, can_take=lambda trial: may(trial.cell), kind=lambda _: kind
    )


class _Hill(NamedTuple):
    """A hill before its height is known; ``contours`` are those that the scenario gives."""

    cell: Cell
    area: LocatedArea | None
    contours: int | None = None
    is_mountain: bool = False


def place_hills(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its hills and mountains; they need areas without another hill (PW2-12).

    Hills that find no area are left out, and the sketch gets a note about them (PW0-11).
    """
    given_places = check_given_areas(terms, *GIVEN_IN["hills"], can_take=sketch.is_empty)
    new_hills = [_Hill(cell, None, place.contours, place.kind == MOUNTAIN) for place, cell in given_places]
    number = terms.roll_count("hills", terms.geography.hills_table, given_count=len(new_hills), dice=dice)
    taken_cells = {cell for _, cell in given_places}

    def can_take(trial: Trial) -> bool:
        """Return whether an area is empty and has no given hill."""
        return trial.cell not in taken_cells and sketch.is_empty(trial.cell)

    areas = terms.chains("hills").locate(number.left, name="hill", clause="PW2-12", dice=dice, may=can_take)
    new_hills += [_Hill(area.cell, area) for area in areas]
    with_hills = sketch
    table = terms.rules.row("hills", "table", terms.geography.hills_table).get("heights", str, "")
    heights = [
        Height(0) if hill.is_mountain else terms.roll_height(hill.contours, table, place, dice)
        for place, hill in enumerate(new_hills, 1)
    ]
    for hill, height in zip(new_hills, heights, strict=True):
        with_hills = with_hills.add(_build_hill(with_hills, hill, height, number))
    return with_hills.add(*note_missing(Kind.HILL, number.left - len(areas)))


def _build_hill(sketch: Sketch, hill: _Hill, height: Height, number: Count) -> AreaFeature:
    """Return a hill or mountain as a feature of the sketch.

    ``number`` has the roll for how many hills there are.
    """
    kind = Kind.HILL if height.contours else Kind.MOUNTAIN
    facts, throws, clause = scenario_facts(), tuple[int, ...](), "PW0-13"
    if hill.area is not None:
        facts, throws = {**number.facts, **hill.area.facts}, (*number.throws, *hill.area.throws)
        clause = "PW2-12" if hill.area.chained_to is None else "PW2-20"
    return AreaFeature(
        id=sketch.next_id(kind.value),
        kind=kind,
        cells=(hill.cell,),
        contours=height.contours,
        throws=(*throws, *height.throws),
        clauses=("PW2-10", clause, *(("PW2-11",) if height.throws else ())),
        told={**facts, "height_score": height.score},
    )
