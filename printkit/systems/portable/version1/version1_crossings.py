"""Where roads of version 1 cross rivers, and whether by ford or bridge (PW1-21, PW1-22)."""

from __future__ import annotations

from collections.abc import Iterator

import shapely
from msgspec import Struct
from shapely import LineString, Point

from printkit.chance.dice import Dice
from printkit.core.errors import ScenarioError
from printkit.systems.portable.grid.bands import axis, meeting
from printkit.systems.portable.grid.counting import since
from printkit.systems.portable.grid.overrides import GivenWay
from printkit.systems.portable.grid.sketch import Passage, Sketch, Way
from printkit.systems.portable.version1.terms import Terms
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid


class _Meeting(Struct, frozen=True):
    """A place where a road meets a river: how far along the road, the areas, and the place where it is a point."""

    along: float
    river: str
    cells: tuple[Cell, ...]
    at: tuple[float, float] | None


def crossings(terms: Terms, sketch: Sketch, road: Way, given: GivenWay, dice: Dice) -> Sketch:
    """Return the sketch with the crossings of a road from its entry to its exit, a die for each that is not given.

    Raises:
        ScenarioError: more crossings are given than there are.
    """
    met = sorted(
        (found for river in sketch.ways_of(Kind.RIVER) for found in _meetings(sketch.grid, road, river)),
        key=lambda found: found.along,
    )
    if len(given.crossings) > len(met):
        raise ScenarioError(
            "{place} gives {given} crossings; {road} has {met}",
            place=given.place,
            given=len(given.crossings),
            road=road.id,
            met=len(met),
        )
    for number, found in enumerate(met, 1):
        mark = len(dice.log)
        kind = _given(terms, given, number)
        if kind is None:
            kind = Kind(terms.book.tables["crossing"].roll(dice, f"crossing {number} of {road.id}, over {found.river}"))
        thrown = dice.log[mark:]
        passage = Passage(
            id=sketch.next_id(kind.value),
            kind=kind,
            way=road.id,
            water=found.river,
            cells=found.cells,
            at=found.at,
            throws=since(dice, mark),
            clauses=("PW1-21",),
            told={"score": int(thrown[-1].answer) if thrown else None},
        )
        sketch = sketch.put(passage)
    return sketch


def _given(terms: Terms, given: GivenWay, number: int) -> Kind | None:
    """Return what a person says that a crossing is (PW0-13)."""
    if number <= len(given.crossings):
        return given.crossings[number - 1]
    return None if terms.settings["crossing"] == "die" else Kind(terms.settings["crossing"])


def _meetings(grid: Grid, road: Way, river: Way) -> Iterator[_Meeting]:
    """Yield where a road meets a river: bands where their lines cross, chains where they share areas in a row."""
    if road.band is not None and river.band is not None:
        at = meeting(grid, road.band, river.band)
        if at is not None:
            yield _Meeting(axis(road.band).project(Point(at)), river.id, _cells_at(grid, at), at)
    elif road.band is None and river.band is None:
        for along, cells in _runs(road.cells, {*river.cells, *filter(None, river.beside)}):
            yield _Meeting(along, river.id, cells, None)
    else:
        line = _line(grid, road)
        met = line.intersection(_line(grid, river))
        for place in () if met.is_empty else shapely.get_parts(met):
            middle = place.centroid
            at = (middle.x, middle.y)
            yield _Meeting(line.project(middle), river.id, _cells_at(grid, at), at)


def _runs(cells: tuple[Cell, ...], shared: set[Cell]) -> Iterator[tuple[int, tuple[Cell, ...]]]:
    run: tuple[Cell, ...] = ()
    for place, cell in enumerate(cells):
        if cell in shared:
            run = (*run, cell)
        elif run:
            yield place - len(run), run
            run = ()
    if run:
        yield len(cells) - len(run), run


def _line(grid: Grid, way: Way) -> LineString:
    """Return a band's middle line, or the line through the middles of a chain's areas and of its outer sides."""
    if way.band is not None:
        return axis(way.band)
    points = [grid.centre(cell) for cell in way.cells]
    for side, cell, at in ((way.enters, way.cells[0], 0), (way.leaves, way.cells[-1], len(points) + 1)):
        if side is not None:
            middle = grid.face(cell, side).interpolate(0.5, normalized=True)
            points.insert(at, (middle.x, middle.y))
    return LineString(points)


def _cells_at(grid: Grid, at: tuple[float, float]) -> tuple[Cell, ...]:
    cell = grid.at(*at)
    return (cell,) if cell is not None else ()
