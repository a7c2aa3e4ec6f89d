"""Hills (PW2-10..PW2-21), rivers, lakes and marshes (PW2-30..PW2-39), trees (PW2-50, PW2-51) of version 2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.systems.portable.grid.counting import LocatedArea, Trial, placed, since
from printkit.systems.portable.grid.overrides import GivenWay
from printkit.systems.portable.grid.places import bodies
from printkit.systems.portable.grid.routes import widened
from printkit.systems.portable.grid.sketch import HEIGHTS, AreaFeature, Sketch, Way
from printkit.systems.portable.grid.terms import DIE
from printkit.systems.portable.version2.courses import (
    across,
    asked,
    bank_of,
    facts,
    ground,
    mouths,
    nowhere,
    passed_hills,
    sides,
    width_of,
)
from printkit.systems.portable.version2.terms import (
    GIVEN_IN,
    MOUNTAIN,
    TREES,
    Count,
    Version2Terms,
    body,
    full,
    given_areas,
)
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell

# --- Trees, the fourth step: groups of one area each, on open ground and on hills (PW2-50, PW2-51) --------------------


def trees(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
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


def _bears_trees(terms: Version2Terms, sketch: Sketch, cell: Cell) -> bool:
    """Return whether trees may stand on an area: an empty one, a hill, or by PWA-14 a mountain."""
    grounds = (Kind.HILL, Kind.MOUNTAIN) if terms.rules.choice("pwa-14") == "trees" else (Kind.HILL,)
    return not sketch.through(cell) and all(piece.kind in grounds for piece in sketch.on(cell))


# --- Rivers, lakes and marshes, the second step (PW2-30..PW2-39) ------------------------------------------------------

_WIDE: Final = 2
_CLAUSES: Final = {"lakes": "PW2-38", "marshes": "PW2-39"}


def rivers(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its rivers, each complete before the next, which may cross it (PWA-12)."""
    known = terms.given.rivers
    for number, given in asked(terms, "river", known):
        sketch = _river(terms, sketch, given, name=f"river {number}", dice=dice)
    return sketch


def _river(terms: Version2Terms, sketch: Sketch, given: GivenWay, *, name: str, dice: Dice) -> Sketch:
    """Return the sketch with one more river; the dice are those of PW2-37 in their order."""
    mark, ways = len(dice.log), ground(terms, sketch, kind=Kind.RIVER, stage="rivers")
    ends = mouths(terms, ways, given, name=name, dice=dice)
    if ends is None:
        return sketch.put(nowhere(name))
    width = given.width or _width(terms, name, dice)
    bank = _bank(terms, name, dice) if width == _WIDE else ""
    route = across(terms, ways, ends, name=name, dice=dice)
    if route is None:
        return sketch.put(nowhere(name))
    enters, leaves = sides(terms, ends, route)
    barred = sketch.cells_of(*HEIGHTS, Kind.SEA) | terms.kept("rivers")
    details: dict[str, Any] = {
        **facts(ends, route, dice.log[mark:], name=name),
        "width": width,
        **({"bank": bank} if bank else {}),
    }
    river = Way(
        id=sketch.next_id("river"),
        kind=Kind.RIVER,
        cells=route.cells,
        width=float(width),
        enters=enters,
        leaves=leaves,
        beside=widened(terms.grid, route.cells, barred=barred, bank=bank) if bank else (),
        throws=since(dice, mark),
        clauses=("PW2-31", "PW2-33", "PW2-36", *(("PW2-35",) if route.forced else ())),
        told=details,
    )
    return sketch.put(river, *passed_hills(route, river.id))


def _width(terms: Version2Terms, name: str, dice: Dice) -> int:
    if terms.rules.choice("river-areas") != DIE:
        return int(terms.rules.choice("river-areas"))
    return int(terms.rules.outcomes("river_width").roll(dice, width_of(name)))


def _bank(terms: Version2Terms, name: str, dice: Dice) -> str:
    if terms.rules.choice("pw2.wide_bank") != DIE:
        return terms.rules.choice("pw2.wide_bank")
    return terms.rules.outcomes("bank").roll(dice, bank_of(name))


def lakes(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its lakes (PW2-38)."""
    return _waters(terms, sketch, dice, what="lakes", kind=Kind.LAKE)


def marshes(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its marshes and swamps (PW2-39)."""
    return _waters(terms, sketch, dice, what="marshes", kind=Kind.MARSH)


def _waters(terms: Version2Terms, sketch: Sketch, dice: Dice, *, what: str, kind: Kind) -> Sketch:
    """Locate areas of still water like hills; whatever an area holds is in the way. Those side by side are one."""
    clause = _CLAUSES[what]
    given = [cell for _, cell in given_areas(terms, kind, may=sketch.is_empty)]
    number = terms.count(what, "all", given=len(given), dice=dice)

    def may(trial: Trial) -> bool:
        return trial.cell not in given and sketch.is_empty(trial.cell)

    spots = terms.chains(what).locate(number.left, name=kind.value, clause=clause, dice=dice, may=may)
    by_cell = {spot.cell: spot for spot in spots}
    for cells in bodies(terms.grid, [*given, *by_cell]):
        sketch = sketch.put(body(sketch, kind, cells, by_cell, number=number, clause=clause))
    return sketch.put(*full(kind, number.left - len(spots)))


class _Hill(NamedTuple):
    """A hill before its height is known; ``contours`` are those that a person gave."""

    cell: Cell
    spot: LocatedArea | None
    contours: int | None = None
    mountain: bool = False


def hills(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
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


def _heights(found: Sequence[_Hill], terms: Version2Terms, dice: Dice) -> list[_Height]:
    """Return the height of each hill in order of location: contours, or a mountain (PW2-11)."""
    name = terms.rules.row("hills", "table", terms.country.hills_table).get("heights", str, "")
    heights = []
    for place, hill in enumerate(found, 1):
        if hill.mountain:
            heights.append(_Height(MOUNTAIN))
        elif hill.contours is not None:
            heights.append(_Height(str(hill.contours)))
        elif terms.rules.choice("hill-height") != DIE:
            heights.append(_Height(terms.rules.choice("hill-height")))
        elif not name:
            heights.append(_Height("1"))
        else:
            mark = len(dice.log)
            text = terms.rules.outcomes(name).roll(dice, Sentence("height of hill {number:d}", number=place))
            heights.append(_Height(text, int(dice.log[-1].answer), since(dice, mark), ("PW2-11",)))
    return heights


def _placing(sketch: Sketch, hill: _Hill, height: _Height, number: Count) -> AreaFeature:
    mountain = height.text == MOUNTAIN
    told, throws, clause = placed(), tuple[int, ...](), "PW0-13"
    if hill.spot is not None:
        told, throws = {**number.told, **hill.spot.told}, (*number.throws, *hill.spot.throws)
        clause = "PW2-12" if hill.spot.chained_to is None else "PW2-20"
    return AreaFeature(
        id=sketch.next_id("mountain" if mountain else "hill"),
        kind=Kind.MOUNTAIN if mountain else Kind.HILL,
        cells=(hill.cell,),
        contours=0 if mountain else int(height.text),
        throws=(*throws, *height.throws),
        clauses=("PW2-10", clause, *height.clauses),
        told={**told, "height_score": height.score},
    )
