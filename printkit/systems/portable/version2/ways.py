"""Roads and tracks with their crossings and connecting sections (PW2-40..PW2-44), and railways (PW2-60..PW2-62)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.systems.portable.grid.counting import since
from printkit.systems.portable.grid.edges import CourseEnds, address
from printkit.systems.portable.grid.places import about
from printkit.systems.portable.grid.routes import Route, Ways, by_way_of, distances, nearest, shorter
from printkit.systems.portable.grid.sketch import ROADS, CellCourse, Passage, Sketch, SketchNote
from printkit.systems.portable.version2.courses import CoursePlan, covered, ground, lay, runs
from printkit.systems.portable.version2.terms import Version2Terms
from printkit.terrain.field.features import Kind

# --- Railways, the sixth step: from edge to edge, or with a detour to a village or town (PW2-60..PW2-62) --------------

# Places that railways and connecting roads go to.
_LARGE: Final = (Kind.VILLAGE, Kind.TOWN, Kind.CITY)


def railways(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its railways; each gets its bridges and level crossings before the next."""
    for number, given in terms.asked("railway", terms.given.railways):
        name, clauses = f"railway {number}", ("PW2-60", "PW2-33")
        plan = CoursePlan(kind=Kind.RAILWAY, stage="railways", name=name, given=given, clauses=clauses)
        sketch, railway = lay(terms, sketch, plan, dice, divert=partial(_diverted, terms, sketch))
        sketch = sketch if railway is None else _with_passages(sketch, railway)
    return sketch


def _diverted(terms: Version2Terms, sketch: Sketch, ways: Ways, ends: CourseEnds, direct: Route) -> tuple[str, Route]:
    """Return the ID of the village or town that a railway serves, and its route.

    The route passes through the place or next to it. Without such a place, return "" and the direct route.

    A detour may be longer than the direct route by the number of areas in a setting. The best of them is taken.
    """
    places = tuple(sketch.of(*_LARGE))
    for place in places:
        if about(terms.grid, place.cells) & set(direct.cells):
            return place.id, direct
    limit = terms.rules.whole("rail_divert")
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


def _with_passages(sketch: Sketch, railway: CellCourse) -> Sketch:
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


def roads(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its roads or tracks; each gets its crossings before the next (PWA-12)."""
    for number, given in terms.asked("road", terms.given.roads):
        kind, clauses = given.kind or terms.country.way, ("PW2-40", "PW2-41", "PW2-33")
        plan = CoursePlan(kind=kind, stage="roads", name=f"{kind} {number}", given=given, clauses=clauses)
        sketch, road = lay(terms, sketch, plan, dice)
        sketch = sketch if road is None else _with_crossings(terms, sketch, road, given.crossings, dice=dice)
    return sketch


def connections(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with a road section from each larger place that no road touches (PW2-44).

    Larger places are villages, towns and cities. Each section goes to the nearest road of that moment, by the cheapest
    route. There is no section if the board has no road, or if hills and lakes surround the place.
    """
    if terms.rules.choice("pw2.connect") == "off":
        return sketch
    for place in tuple(sketch.of(*_LARGE)):
        here = covered(sketch.ways_of(*ROADS))
        if not here or here & about(terms.grid, place.cells):
            continue
        kind = next(sketch.ways_of(*ROADS)).kind
        route = nearest(ground(terms, sketch, kind=kind, stage="connecting"), place.cells, sorted(here))
        if route is None:
            sketch = sketch.put(
                SketchNote(
                    key="unconnected",
                    clause="PW2-44",
                    feature=place.id,
                    values={"area": address(place.cells[0])},
                )
            )
            continue
        stretch = CellCourse(
            id=sketch.next_id(kind.value),
            kind=kind,
            cells=route.cells,
            width=1.0,
            clauses=("PW2-44", "PW2-33"),
            told={"entry": list(route.cells[0]), "exit": list(route.cells[-1]), "joins": place.id},
        )
        sketch = _with_crossings(terms, sketch.put(stretch), stretch, (), dice=dice)
    return sketch


def _with_crossings(
    terms: Version2Terms, sketch: Sketch, road: CellCourse, known: Sequence[Kind], *, dice: Dice
) -> Sketch:
    """Return the sketch with a ford or bridge at each river crossing of a road, in travel order (PW2-42).

    Roll for each that ``known`` does not give. A section that ends on a road makes no crossing there, because that road
    has one already.
    """
    own = road.cells if road.leaves is not None else road.cells[:-1]
    for number, run in enumerate(runs(own, tuple(sketch.ways_of(Kind.RIVER)))):
        mark = len(dice.log)
        reason = Sentence("crossing of {road} over {river}", road=road.id, river=run.way.id)
        kind = terms.crossing(known, number, reason, dice)
        sketch = sketch.put(
            Passage(
                id=sketch.next_id(kind.value),
                kind=kind,
                way=road.id,
                water=run.way.id,
                cells=run.cells,
                throws=since(dice, mark),
                clauses=("PW2-42",),
            )
        )
    return sketch
