"""Railways, the sixth step: from edge to edge, or out of the way to a village or town (PW2-60..PW2-62)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.systems.portable.grid.counting import since
from printkit.systems.portable.grid.ends import Mouths
from printkit.systems.portable.grid.geography import count_of
from printkit.systems.portable.grid.overrides import GivenWay
from printkit.systems.portable.grid.places import about
from printkit.systems.portable.grid.routes import Route, Ways, by_way_of, distances, shorter
from printkit.systems.portable.grid.sketch import ROADS, Passage, Sketch, Way
from printkit.systems.portable.version2.courses import (
    across,
    facts,
    ground,
    mouths,
    nowhere,
    passed_hills,
    runs,
    sides,
)
from printkit.systems.portable.version2.terms import Terms
from printkit.terrain.field.features import Kind

_WORTH_A_STOP: Final = (Kind.VILLAGE, Kind.TOWN, Kind.CITY)


def railways(terms: Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its railways, each with its bridges and level crossings complete before the next."""
    known = terms.given.railways
    for number in range(max(count_of(terms.settings["railway"]), len(known))):
        given = known[number] if number < len(known) else GivenWay(place="")
        sketch = _railway(terms, sketch, given, name=f"railway {number + 1}", dice=dice)
    return sketch


def _railway(terms: Terms, sketch: Sketch, given: GivenWay, *, name: str, dice: Dice) -> Sketch:
    mark, ways = len(dice.log), ground(terms, sketch, kind=Kind.RAILWAY, stage="railways")
    ends = mouths(terms, ways, given, name=name, dice=dice)
    direct = across(terms, ways, ends, name=name, dice=dice) if ends else None
    if ends is None or direct is None:
        return sketch.put(nowhere(name))
    stop, route = _diverted(terms, sketch, ways, ends, direct)
    enters, leaves = sides(terms, ends, route)
    railway = Way(
        id=sketch.next_id("railway"),
        kind=Kind.RAILWAY,
        cells=route.cells,
        width=1.0,
        enters=enters,
        leaves=leaves,
        throws=since(dice, mark),
        clauses=("PW2-60", "PW2-33", *(("PW2-35",) if route.forced else ())),
        told={**facts(ends, route, dice.log[mark:], name=name), **({"stop": stop} if stop else {})},
    )
    sketch = sketch.put(railway, *passed_hills(route, railway.id))
    return _with_passages(sketch, railway)


def _diverted(terms: Terms, sketch: Sketch, ways: Ways, ends: Mouths, direct: Route) -> tuple[str, Route]:
    """Return the village or town that a railway passes through or next to, and its course; empty and direct if none.

    Of all courses that pass one and are at most so many areas longer as a person allows, the best is taken.
    """
    places = tuple(sketch.of(*_WORTH_A_STOP))
    for place in places:
        if about(terms.grid, place.cells) & set(direct.cells):
            return place.id, direct
    limit = round(float(terms.settings["pw2.rail_divert"]))
    if limit == 0 or direct.forced:
        return "", direct
    start, end, most = ends.entry.cell, ends.exit.cell, len(direct.cells) + limit
    plain = replace(ways, extra={})
    there, back = distances(plain, start), distances(plain, end)
    found: dict[Route, str] = {}
    for place in places:
        for cell in sorted(about(terms.grid, place.cells)):
            if cell in there and cell in back and there[cell] + back[cell] - 1 <= most:
                route = by_way_of(ways, start, cell, end)
                if route is not None and len(route.cells) <= most:
                    found.setdefault(route, place.id)
    best = shorter(terms.grid, found)
    return ("", direct) if best is None else (found[best], best)


def _with_passages(sketch: Sketch, railway: Way) -> Sketch:
    """Return the sketch with a bridge over each river and a level crossing of each road, without dice."""
    for kind, name, clause, crossed in (
        (Kind.RAILWAY_BRIDGE, "railway-bridge", "PW2-61", (Kind.RIVER,)),
        (Kind.LEVEL_CROSSING, "level-crossing", "PW2-62", ROADS),
    ):
        for run in runs(railway.cells, tuple(sketch.ways_of(*crossed))):
            passage = Passage(
                id=sketch.next_id(name),
                kind=kind,
                way=railway.id,
                water=run.way.id,
                cells=run.cells,
                clauses=(clause,),
            )
            sketch = sketch.put(passage)
    return sketch
