"""Habitation, area by area (PW2-55..PW2-58), and the fields of places (PW2-70..PW2-74)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.systems.portable.grid.counting import Told, Trial, placed, since, turn
from printkit.systems.portable.grid.counting import turned as beside
from printkit.systems.portable.grid.places import Settlement, allotted, kind_of, owners
from printkit.systems.portable.grid.sketch import FIELDS, HABITATION, AreaFeature, Sketch
from printkit.systems.portable.grid.terms import DIE
from printkit.systems.portable.version2.terms import (
    FIELD,
    BodyPlan,
    Count,
    Version2Terms,
    full,
    given_areas,
    is_open,
    located,
)
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, neighbours

# --- Fields, the last step: allot them to places, place them next to these, roll for their use (PW2-70..PW2-74) -------

GROVE = "grove"
OPEN = "open"
ON, OFF = "on", "off"


class FieldSpec(Struct, frozen=True, kw_only=True):
    """An area that becomes a field, and how it was found.

    Attributes:
        kind: the use, if the scenario gives it.
    """

    cell: Cell
    told: Told
    throws: tuple[int, ...] = ()
    clauses: tuple[str, ...] = ()
    kind: Kind | None = None


def fields(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its fields; the dice are in the order of PW2-74."""
    given = tuple(
        FieldSpec(cell=cell, told=placed(), clauses=("PW0-13",), kind=None if place.kind == FIELD else Kind(place.kind))
        for place, cell in given_areas(terms, FIELD, *FIELDS, may=sketch.is_empty)
    )
    table, number = terms.country.fields_table, Count(0)
    if table or terms.rules.choice("fields") != DIE:
        number = terms.count("fields", table, given=len(given), dice=dice)
    places = tuple(Settlement(id=piece.id, kind=piece.kind, cells=piece.cells) for piece in sketch.of(*HABITATION))
    mark = len(dice.log)
    allocation = allotted(owners(places), number.left, dice)
    shared = (*number.throws, *since(dice, mark))
    if allocation or not number.left:
        located = _beside_places(terms, sketch, allocation, given, dice)
    else:
        located = _counted(terms, sketch, number.left, given, dice)
    plots = (
        *given,
        *(replace(plot, throws=(*shared, *plot.throws), told={**number.told, **plot.told}) for plot in located),
    )
    for plot, use in zip(plots, tuple(_uses(plots, terms, dice)), strict=True):
        sketch = sketch.put(
            AreaFeature(
                id=sketch.next_id("field"),
                kind=use.kind,
                cells=(plot.cell,),
                throws=(*plot.throws, *use.throws),
                clauses=("PW2-70", *plot.clauses, *use.clauses),
                told={**plot.told, "use_score": use.score},
            )
        )
    return sketch.put(*full(Kind.CROPS, number.left - len(located)))


def _counted(
    terms: Version2Terms, sketch: Sketch, count: int, given: Sequence[FieldSpec], dice: Dice
) -> tuple[FieldSpec, ...]:
    """Locate fields by counting if there are no inhabited places (PW2-71)."""
    taken = {plot.cell for plot in given}

    def may(trial: Trial) -> bool:
        return trial.cell not in taken and sketch.is_empty(trial.cell)

    spots = terms.chains("fields", joined=False).locate(count, name="field", clause="PW2-71", dice=dice, may=may)
    return tuple(FieldSpec(cell=spot.cell, told=spot.told, throws=spot.throws, clauses=("PW2-71",)) for spot in spots)


def _beside_places(
    terms: Version2Terms, sketch: Sketch, allocation: Sequence[Settlement], given: Sequence[FieldSpec], dice: Dice
) -> tuple[FieldSpec, ...]:
    """Place each field next to its place: next to its areas in order, then next to its fields (PW2-72).

    If none of these has a free neighbour, take the next free area in reading order, without a die.
    """
    found: list[FieldSpec] = []
    owned: dict[str, list[Cell]] = {}

    def free(cell: Cell) -> bool:
        taken = any(cell == plot.cell for plot in (*given, *found))
        return not taken and sketch.is_empty(cell)

    for number, place in enumerate(allocation, 1):
        own = owned.setdefault(place.id, [])
        plot = _laid(terms, place, own, name=f"field {number}", dice=dice, free=free)
        if plot is not None:
            own.append(plot.cell)
            found.append(plot)
    return tuple(found)


def _laid(
    terms: Version2Terms, place: Settlement, own: Sequence[Cell], *, name: str, dice: Dice, free: Callable[[Cell], bool]
) -> FieldSpec | None:
    mark = len(dice.log)
    for base in (*place.cells, *own):
        if any(map(free, neighbours(terms.grid, base))):
            reason = Sentence("direction of {feature}", feature=name)
            turned = turn(terms.grid, base, dice=dice, reason=reason, clause="PW2-72", may=free)
            if turned.cell is not None:
                return FieldSpec(
                    cell=turned.cell,
                    told={**beside(turned, base), "of": place.id},
                    throws=since(dice, mark),
                    clauses=("PW2-71", "PW2-72"),
                )
    every = terms.grid.cells()
    after = every.index(place.cells[0]) + 1
    for cell in (*every[after:], *every[:after]):
        if free(cell):
            return FieldSpec(cell=cell, told={"by": "next", "of": place.id}, clauses=("PW2-71", "PW2-72"))
    return None


class _Use(Struct, frozen=True, kw_only=True):
    """The use of a field, and the score that gave it; None if there was no roll."""

    kind: Kind
    score: int | None = None
    throws: tuple[int, ...] = ()
    clauses: tuple[str, ...] = ()


def _uses(plots: Sequence[FieldSpec], terms: Version2Terms, dice: Dice) -> Iterator[_Use]:
    """Roll for the use of each field; the kinds of open fields and of groves alternate (PW2-73)."""
    asked, climate = terms.rules.choice("pw2.orchards"), terms.rules.choice("climate")
    groves = terms.rules.row("groves", "climate", climate).need("kinds", list) if asked in (ON, OFF) else [asked]
    opens = next(terms.rules.rows("open_fields")).need("kinds", list)
    counts = {GROVE: 0, OPEN: 0}
    for number, plot in enumerate(plots, 1):
        if plot.kind is not None:
            yield _Use(kind=plot.kind)
            continue
        mark = len(dice.log)
        thrown = asked != OFF
        reason = Sentence("use of field {number:d}", number=number)
        use = terms.rules.outcomes("field_use").roll(dice, reason) if thrown else OPEN
        kinds = groves if use == GROVE else opens
        kind = Kind(kinds[counts[use] % len(kinds)])
        score = int(dice.log[-1].answer) if thrown else None
        yield _Use(kind=kind, score=score, throws=since(dice, mark), clauses=("PW2-73",) if thrown else ())
        counts[use] += 1


def habitation(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its inhabited places; the number of connected areas gives the kind (PW2-57).

    A hill without trees takes only settlements of a single area. They are never placed next to inhabited areas, and
    later places are never next to them (PWA-09).
    """
    takes_people = partial(is_open, sketch)
    given = [(Kind(place.kind), cell) for place, cell in given_areas(terms, *HABITATION, may=takes_people)]
    cells_given = [cell for _, cell in given]

    def may(trial: Trial) -> bool:
        inhabited = {*cells_given, *(spot.cell for spot in trial.found)}
        near = inhabited.intersection(neighbours(terms.grid, trial.cell))
        return takes_people(trial.cell) and not (near and any(map(sketch.on, (trial.cell, *near))))

    def kind(cells: tuple[Cell, ...]) -> Kind:
        named = [kind for kind, cell in given if cell in cells]
        return max([*named, kind_of(terms.rules, len(cells))], key=HABITATION.index)

    plan = BodyPlan(
        stage="habitation",
        table=terms.country.habitation_table,
        name="habitation",
        clause="PW2-56",
        body="PW2-57",
        lacking=Kind.SETTLEMENT,
    )
    return located(terms, sketch, plan, cells_given, dice, may=may, kind=kind)
