"""Rivers, lakes and marshes, the second step (PW2-30..PW2-39)."""

from __future__ import annotations

from typing import Any, Final

from printkit.chance.dice import Dice
from printkit.systems.portable.grid.banks import widened
from printkit.systems.portable.grid.chains import Trial
from printkit.systems.portable.grid.counting import since
from printkit.systems.portable.grid.geography import count_of
from printkit.systems.portable.grid.overrides import GivenWay
from printkit.systems.portable.grid.places import bodies
from printkit.systems.portable.grid.sketch import Sketch, Way
from printkit.systems.portable.version2.courses import (
    BANK,
    HEIGHTS,
    WIDTH,
    across,
    facts,
    ground,
    mouths,
    nowhere,
    passed_hills,
    sides,
)
from printkit.systems.portable.version2.terms import DIE, Terms
from printkit.systems.portable.version2.version2_bodies import body, full, given_areas
from printkit.terrain.field.features import Kind

_WIDE: Final = 2
_CLAUSES: Final = {"lakes": "PW2-38", "marshes": "PW2-39"}


def rivers(terms: Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its rivers, each complete before the next, which may cross it (PWA-12)."""
    known = terms.given.rivers
    for number in range(max(count_of(terms.settings["river"]), len(known))):
        given = known[number] if number < len(known) else GivenWay(place="")
        sketch = _river(terms, sketch, given, name=f"river {number + 1}", dice=dice)
    return sketch


def _river(terms: Terms, sketch: Sketch, given: GivenWay, *, name: str, dice: Dice) -> Sketch:
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


def _width(terms: Terms, name: str, dice: Dice) -> int:
    if terms.settings["river-areas"] != DIE:
        return int(terms.settings["river-areas"])
    return int(terms.table("river_width").roll(dice, WIDTH.format(name=name)))


def _bank(terms: Terms, name: str, dice: Dice) -> str:
    if terms.settings["pw2.wide_bank"] != DIE:
        return terms.settings["pw2.wide_bank"]
    return terms.table("bank").roll(dice, BANK.format(name=name))


def lakes(terms: Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its lakes (PW2-38)."""
    return _waters(terms, sketch, dice, what="lakes", kind=Kind.LAKE)


def marshes(terms: Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its marshes and swamps (PW2-39)."""
    return _waters(terms, sketch, dice, what="marshes", kind=Kind.MARSH)


def _waters(terms: Terms, sketch: Sketch, dice: Dice, *, what: str, kind: Kind) -> Sketch:
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
