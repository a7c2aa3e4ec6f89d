"""Roads and tracks with their crossings and connecting sections (PW2-40..PW2-44), and railways (PW2-60..PW2-62)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.systems.portable.grid.counting import log_positions
from printkit.systems.portable.grid.edges import CourseEnds, address
from printkit.systems.portable.grid.places import about
from printkit.systems.portable.grid.routes import (
    Route,
    RouteGround,
    find_least_costs,
    find_nearest_route,
    find_route_via,
    pick_best_route,
)
from printkit.systems.portable.grid.sketch import ROADS, CellCourse, Passage, Sketch, SketchNote
from printkit.systems.portable.version2.courses import (
    CoursePlan,
    build_route_ground,
    find_covered_cells,
    place_course,
    runs,
)
from printkit.systems.portable.version2.terms import Version2Terms
from printkit.terrain.field.features import Kind

# --- Railways, the sixth step: from edge to edge, or with a detour to a village or town (PW2-60..PW2-62) --------------

# Places that railways and connecting roads go to.
_LARGE: Final = (Kind.VILLAGE, Kind.TOWN, Kind.CITY)


def place_railways(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its railways; each gets its bridges and level crossings before the next."""
    for number, spec in terms.list_courses("railway", terms.terrain.railways):
        name, clauses = f"railway {number}", ("PW2-60", "PW2-33")
        plan = CoursePlan(kind=Kind.RAILWAY, stage="railways", name=name, spec=spec, clauses=clauses)
        sketch, railway = place_course(terms, sketch, plan, dice, divert=partial(_find_diversion, terms, sketch))
        sketch = sketch if railway is None else _add_passages(sketch, railway)
    return sketch


def _find_diversion(
    terms: Version2Terms, sketch: Sketch, route_ground: RouteGround, ends: CourseEnds, direct: Route
) -> tuple[str, Route]:
    """Return the ID of the village or town that a railway serves, and its route.

    The route passes through the place or next to it. Without such a place, or if the direct route had to cross hills,
    return "" and the ``direct`` route. A detour may be longer than the direct route by the number of areas in a
    setting. The best of them is taken: the cheapest, then the straightest.
    """
    places = tuple(sketch.of(*_LARGE))
    for place in places:
        if about(terms.grid, place.cells) & set(direct.cells):
            return place.id, direct
    limit = terms.rules.whole("rail_divert")
    if limit == 0 or direct.forced_cells:
        return "", direct
    start, end, longest = ends.entry.cell, ends.exit.cell, len(direct.cells) + limit
    plain_ground = replace(route_ground, extra={})
    start_costs, end_costs = find_least_costs(plain_ground, start), find_least_costs(plain_ground, end)
    places_by_route: dict[Route, str] = {}
    for place in places:
        for cell in sorted(about(terms.grid, place.cells)):
            if cell in start_costs and cell in end_costs and start_costs[cell] + end_costs[cell] - 1 <= longest:
                route = find_route_via(route_ground, start, cell, end)
                if route is not None and len(route.cells) <= longest:
                    places_by_route.setdefault(route, place.id)
    best = pick_best_route(terms.grid, places_by_route)
    return ("", direct) if best is None else (places_by_route[best], best)


def _add_passages(sketch: Sketch, railway: CellCourse) -> Sketch:
    """Return the sketch with a bridge over each river and a level crossing of each road, without dice."""
    for kind, name, clause, crossed_kinds in (
        (Kind.RAILWAY_BRIDGE, "railway-bridge", "PW2-61", (Kind.RIVER,)),
        (Kind.LEVEL_CROSSING, "level-crossing", "PW2-62", ROADS),
    ):
        for run in runs(railway.cells, tuple(sketch.select_courses(*crossed_kinds))):
            passage = Passage(
                id=sketch.next_id(name),
                kind=kind,
                way=railway.id,
                water=run.course.id,
                cells=run.cells,
                clauses=(clause,),
            )
            sketch = sketch.add(passage)
    return sketch


def place_roads(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its roads or tracks; each gets its crossings before the next (PWA-12)."""
    for number, spec in terms.list_courses("road", terms.terrain.roads):
        kind, clauses = spec.kind or terms.geography.road_kind, ("PW2-40", "PW2-41", "PW2-33")
        plan = CoursePlan(kind=kind, stage="roads", name=f"{kind} {number}", spec=spec, clauses=clauses)
        sketch, road = place_course(terms, sketch, plan, dice)
        sketch = sketch if road is None else _add_crossings(terms, sketch, road, spec.crossings, dice=dice)
    return sketch


def place_connections(terms: Version2Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with a road section from each larger place that no road touches (PW2-44).

    Larger places are villages, towns and cities. Each section goes to the nearest road of that moment, by the cheapest
    route. There is no section if the board has no road, or if hills and lakes surround the place.
    """
    if terms.rules.choice("pw2.connect") == "off":
        return sketch
    for place in tuple(sketch.of(*_LARGE)):
        road_cells = find_covered_cells(sketch.select_courses(*ROADS))
        if not road_cells or road_cells & about(terms.grid, place.cells):
            continue
        kind = next(sketch.select_courses(*ROADS)).kind
        route = find_nearest_route(
            build_route_ground(terms, sketch, kind=kind, stage="connecting"), place.cells, sorted(road_cells)
        )
        if route is None:
            sketch = sketch.add(
                SketchNote(
                    key="unconnected",
                    clause="PW2-44",
                    feature=place.id,
                    values={"area": address(place.cells[0])},
                )
            )
            continue
        section = CellCourse(
            id=sketch.next_id(kind.value),
            kind=kind,
            cells=route.cells,
            width=1.0,
            clauses=("PW2-44", "PW2-33"),
            facts={"entry": list(route.cells[0]), "exit": list(route.cells[-1]), "joins": place.id},
        )
        sketch = _add_crossings(terms, sketch.add(section), section, (), dice=dice)
    return sketch


def _add_crossings(
    terms: Version2Terms, sketch: Sketch, road: CellCourse, known_kinds: Sequence[Kind], *, dice: Dice
) -> Sketch:
    """Return the sketch with a ford or bridge at each river crossing of a road, in travel order (PW2-42).

    Roll for each that ``known_kinds`` does not give. A section that ends on a road makes no crossing there, because
    that road has one already.
    """
    road_cells = road.cells if road.leaves is not None else road.cells[:-1]
    for number, run in enumerate(runs(road_cells, tuple(sketch.select_courses(Kind.RIVER)))):
        mark = len(dice.log)
        reason = Sentence("crossing of {road} over {river}", road=road.id, river=run.course.id)
        kind = terms.roll_crossing(known_kinds, number, reason, dice)
        sketch = sketch.add(
            Passage(
                id=sketch.next_id(kind.value),
                kind=kind,
                way=road.id,
                water=run.course.id,
                cells=run.cells,
                throws=log_positions(dice, mark),
                clauses=("PW2-42",),
            )
        )
    return sketch
