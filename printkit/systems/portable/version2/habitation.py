"""Habitation, area by area (PW2-55..PW2-58), and the fields of places (PW2-70..PW2-74)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.systems.portable.grid.counting import PlacementFacts, Trial, log_positions, roll_direction, scenario_facts
from printkit.systems.portable.grid.counting import direction_facts as beside
from printkit.systems.portable.grid.places import Settlement, allotted, kind_of, owners
from printkit.systems.portable.grid.sketch import FIELDS, HABITATION, AreaFeature, Sketch
from printkit.systems.portable.grid.terms import DIE
from printkit.systems.portable.version2.terms import (
    FIELD,
    BodyPlan,
    Count,
    Version2Terms,
    check_given_areas,
    is_open,
    note_missing,
    place_bodies,
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
    facts: PlacementFacts
    throws: tuple[int, ...] = ()
    clauses: tuple[str, ...] = ()
    kind: Kind | None = None


def place_fields(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its fields; the dice are in the order of PW2-74."""
    given_fields = tuple(
        FieldSpec(
            cell=cell,
            facts=scenario_facts(),
            clauses=("PW0-13",),
            kind=None if place.kind == FIELD else Kind(place.kind),
        )
        for place, cell in check_given_areas(terms, FIELD, *FIELDS, can_take=sketch.is_empty)
    )
    table, number = terms.geography.fields_table, Count(0)
    if table or terms.rules.choice("fields") != DIE:
        number = terms.roll_count("fields", table, given_count=len(given_fields), dice=dice)
    places = tuple(Settlement(id=piece.id, kind=piece.kind, cells=piece.cells) for piece in sketch.of(*HABITATION))
    mark = len(dice.log)
    allocation = allotted(owners(places), number.left, dice)
    shared_throws = (*number.throws, *log_positions(dice, mark))
    if allocation or not number.left:
        new_fields = _place_owned_fields(terms, sketch, allocation, given_fields, dice)
    else:
        new_fields = _count_fields(terms, sketch, number.left, given_fields, dice)
    plots = (
        *given_fields,
        *(
            replace(plot, throws=(*shared_throws, *plot.throws), facts={**number.facts, **plot.facts})
            for plot in new_fields
        ),
    )
    for plot, use in zip(plots, tuple(_roll_uses(plots, terms, dice)), strict=True):
        sketch = sketch.add(
            AreaFeature(
                id=sketch.next_id("field"),
                kind=use.kind,
                cells=(plot.cell,),
                throws=(*plot.throws, *use.throws),
                clauses=("PW2-70", *plot.clauses, *use.clauses),
                told={**plot.facts, "use_score": use.score},
            )
        )
    return sketch.add(*note_missing(Kind.CROPS, number.left - len(new_fields)))


def _count_fields(
    terms: Version2Terms, sketch: Sketch, count: int, given_fields: Sequence[FieldSpec], dice: Dice
) -> tuple[FieldSpec, ...]:
    """Return ``count`` fields located by counting, for a board without inhabited places to get them (PW2-71).

    Each has one area without a field. There may be fewer if no area is left. Areas of ``given_fields`` are taken
    already.
    """
    taken_cells = {plot.cell for plot in given_fields}

    def can_take(trial: Trial) -> bool:
        """Return whether an area is empty and has no given field."""
        return trial.cell not in taken_cells and sketch.is_empty(trial.cell)

    areas = terms.chains("fields", joined=False).locate(count, name="field", clause="PW2-71", dice=dice, may=can_take)
    return tuple(FieldSpec(cell=area.cell, facts=area.facts, throws=area.throws, clauses=("PW2-71",)) for area in areas)


def _place_owned_fields(
    terms: Version2Terms,
    sketch: Sketch,
    allocation: Sequence[Settlement],
    given_fields: Sequence[FieldSpec],
    dice: Dice,
) -> tuple[FieldSpec, ...]:
    """Return the fields of places: each next to the areas of its place in order, then to its fields (PW2-72).

    If none of these has a free neighbour, take the next free area in reading order, without a die. ``allocation`` has
    the place of each field. A field without a free area is left out.
    """
    new_fields: list[FieldSpec] = []
    fields_by_place: dict[str, list[Cell]] = {}

    def is_free(cell: Cell) -> bool:
        """Return whether an area is empty and has no given or new field."""
        is_taken = any(cell == plot.cell for plot in (*given_fields, *new_fields))
        return not is_taken and sketch.is_empty(cell)

    for number, place in enumerate(allocation, 1):
        own_fields = fields_by_place.setdefault(place.id, [])
        plot = _place_field(terms, place, own_fields, name=f"field {number}", dice=dice, is_free=is_free)
        if plot is not None:
            own_fields.append(plot.cell)
            new_fields.append(plot)
    return tuple(new_fields)


def _place_field(
    terms: Version2Terms,
    place: Settlement,
    own_fields: Sequence[Cell],
    *,
    name: str,
    dice: Dice,
    is_free: Callable[[Cell], bool],
) -> FieldSpec | None:
    """Return a field next to an area of its place or of its fields, by a direction die (PW2-72).

    If none has a free neighbour, it is the next free area in reading order after the place; None if no area is free.

    Args:
        place: the place that gets the field.
        own_fields: areas of the fields that the place has already.
        name: name in the log.
        dice: rolls the direction.
        is_free: whether an area may take a field.
    """
    mark = len(dice.log)
    for base in (*place.cells, *own_fields):
        if any(map(is_free, neighbours(terms.grid, base))):
            reason = Sentence("direction of {feature}", feature=name)
            result = roll_direction(terms.grid, base, dice=dice, reason=reason, clause="PW2-72", may=is_free)
            if result.cell is not None:
                return FieldSpec(
                    cell=result.cell,
                    facts={**beside(result, base), "of": place.id},
                    throws=log_positions(dice, mark),
                    clauses=("PW2-71", "PW2-72"),
                )
    cells = terms.grid.cells()
    after = cells.index(place.cells[0]) + 1
    for cell in (*cells[after:], *cells[:after]):
        if is_free(cell):
            return FieldSpec(cell=cell, facts={"by": "next", "of": place.id}, clauses=("PW2-71", "PW2-72"))
    return None


class _Use(Struct, frozen=True, kw_only=True):
    """The use of a field, and the score that gave it; None if there was no roll."""

    kind: Kind
    score: int | None = None
    throws: tuple[int, ...] = ()
    clauses: tuple[str, ...] = ()


def _roll_uses(plots: Sequence[FieldSpec], terms: Version2Terms, dice: Dice) -> Iterator[_Use]:
    """Yield the use of each field, rolled or given (PW2-73).

    The kinds of open fields alternate, and so do those of groves. With orchards off no die is rolled, and fields
    without a given use are open.
    """
    orchards, climate = terms.rules.choice("pw2.orchards"), terms.rules.choice("climate")
    groves = (
        terms.rules.row("groves", "climate", climate).need("kinds", list[str]) if orchards in (ON, OFF) else [orchards]
    )
    opens = next(terms.rules.rows("open_fields")).need("kinds", list[str])
    counts = {GROVE: 0, OPEN: 0}
    for number, plot in enumerate(plots, 1):
        if plot.kind is not None:
            yield _Use(kind=plot.kind)
            continue
        mark = len(dice.log)
        is_rolled = orchards != OFF
        reason = Sentence("use of field {number:d}", number=number)
        use = terms.rules.outcomes("field_use").roll(dice, reason) if is_rolled else OPEN
        kinds = groves if use == GROVE else opens
        kind = Kind(kinds[counts[use] % len(kinds)])
        score = int(dice.log[-1].answer) if is_rolled else None
        yield _Use(kind=kind, score=score, throws=log_positions(dice, mark), clauses=("PW2-73",) if is_rolled else ())
        counts[use] += 1


def place_habitation(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its inhabited places; the number of connected areas gives the kind (PW2-57).

    A hill without trees takes only settlements of a single area. They are never placed next to inhabited areas, and
    later places are never next to them (PWA-09).
    """
    takes_people = partial(is_open, sketch)
    given_places = [
        (Kind(place.kind), cell) for place, cell in check_given_areas(terms, *HABITATION, can_take=takes_people)
    ]
    cells_given = [cell for _, cell in given_places]

    def can_take(trial: Trial) -> bool:
        """Return whether an area may take people, including the rule about hills and neighbours (PWA-09)."""
        inhabited_cells = {*cells_given, *(area.cell for area in trial.located_areas)}
        near_cells = inhabited_cells.intersection(neighbours(terms.grid, trial.cell))
        return takes_people(trial.cell) and not (near_cells and any(map(sketch.features_at, (trial.cell, *near_cells))))

    def find_kind(cells: tuple[Cell, ...]) -> Kind:
        """Return the kind that the number of connected areas gives, or a larger one that the scenario gives."""
        given_kinds = [kind for kind, cell in given_places if cell in cells]
        return max([*given_kinds, kind_of(terms.rules, len(cells))], key=HABITATION.index)

    plan = BodyPlan(
        stage="habitation",
        table=terms.geography.habitation_table,
        name="habitation",
        clause="PW2-56",
        body="PW2-57",
        lacking=Kind.SETTLEMENT,
    )
    return place_bodies(terms, sketch, plan, cells_given, dice, can_take=can_take, kind=find_kind)
