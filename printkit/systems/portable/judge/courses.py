"""Checks of courses of version 2: ends, chains, hills, banks, sections (PW2-30..PW2-37, PW2-41, PW2-44, PW2-60)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import shapely

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, check_maximum, combine_checks
from printkit.systems.portable.grid.edges import address, edge_cells
from printkit.systems.portable.grid.routes import Ways, best
from printkit.systems.portable.grid.sketch import HEIGHTS, ROADS, CellCourse
from printkit.systems.portable.judge.case import Check, PortableCase, cells_of
from printkit.systems.portable.judge.counting import addressed, logged
from printkit.systems.portable.judge.grid import alone, ends_inside
from printkit.terrain.field.features import Course, Kind
from printkit.terrain.field.grids import Cell, neighbours
from printkit.terrain.geometry.measure import ribbon


def through(case: PortableCase, *kinds: Kind) -> tuple[Course, ...]:
    """Return the courses that run from edge to edge."""
    return tuple(course for course in case.drawn(*kinds) if not ends_inside(case, course))


# --- Ends ------------------------------------------------------------------------------------------------------------


def _on_the_edge(case: PortableCase) -> Faults:
    """PW2-30: a course enters and leaves through areas of the edge."""
    edge = {cell for along in edge_cells(case.grid) for cell in along}
    for course in through(case):
        cells = cells_of(course)
        for end in (cells[0], cells[-1]):
            if end not in edge:
                yield Sentence("{course} ends at {end}, which is not on the edge", course=course.id, end=address(end))
        if cells[0] == cells[-1]:
            yield Sentence("{course} enters and leaves at {cell}", course=course.id, cell=address(cells[0]))


def _direction(*readings: str) -> Check:
    """Return the check of entry and exit, for some readings of the second direction die."""

    def check(case: PortableCase) -> Faults:
        if (reading := case.asked("pw2.exit")) not in (readings or (reading,)):
            raise UnseenError("the second die is used as {reading}", reading=reading)
        yield from ends(case)

    return check


_logged: Final = logged("rivers", "roads", "railways")


def ends(case: PortableCase) -> Faults:
    """PW2-31, PW2-32: the entry and exit are the areas that the dice or the scenario give."""
    if off := list(_logged(case)):
        yield from off
        return
    for course, way in case.pairs():
        if not (way.cells and course.cells):  # Of areas that are missing on one side the chains tell.
            continue
        for place, word in ((0, Sentence("entry")), (-1, Sentence("exit"))):
            due, there = way.cells[place], cells_of(course)[place]
            if due != there and way.leaves is not None:
                yield Sentence(
                    "{course}: the {word} is {there}, but the dice say {due}",
                    course=course.id,
                    word=word,
                    there=address(there),
                    due=address(due),
                )


# --- Chains ----------------------------------------------------------------------------------------------------------


def chains(case: PortableCase) -> Faults:
    """Yield courses whose areas are not connected, or whose line leaves the areas."""
    for course in case.drawn():
        yield from chained(case, course)


def chained(case: PortableCase, course: Course) -> Faults:
    """Yield the faults of one course: its areas are not connected, or its line leaves them."""
    cells = cells_of(course)
    if len(set(cells)) < len(cells):
        yield Sentence("{course} enters an area twice", course=course.id)
    for one, other in pairwise(cells):
        if other not in neighbours(case.grid, one):
            yield Sentence(
                "{course}: {one} and {other} do not share a side",
                course=course.id,
                one=address(one),
                other=address(other),
            )
    if not case.is_wide(course):
        yield from _line_in_cells(case, course)


def _line_in_cells(case: PortableCase, course: Course) -> Faults:
    """Yield the points where a line leaves its areas, and the sides between areas that it does not cross."""
    cells, most = cells_of(course), case.rules.limit("off_line") + case.rules.slack("off_line")
    places = shapely.points(shapely.get_coordinates(course.line.intersection(case.hull)))
    off = shapely.distance(places, case.shape(cells))
    if off.size and off.max() > most:
        at = places[off.argmax()]
        yield Sentence("{course}: its line leaves its areas at {x:.0f}, {y:.0f} mm", course=course.id, x=at.x, y=at.y)
    for one, other in pairwise(cells):
        if other in neighbours(case.grid, one):
            face = case.grid.face(one, case.grid.find_direction(one, other))
            if face.distance(course.line) > most:
                yield Sentence(
                    "{course} does not cross the side between {one} and {other}",
                    course=course.id,
                    one=address(one),
                    other=address(other),
                )


def off_its_areas(course: Course, way: CellCourse) -> Faults:
    """Yield a fault if a course uses other areas than the log gives."""
    if way.cells != cells_of(course):
        yield Sentence(
            "{course} goes by {drawn}, but the log gives {logged}",
            course=course.id,
            drawn=addressed(cells_of(course)),
            logged=addressed(way.cells),
        )


def round_hills(case: PortableCase) -> Faults:
    """PW1-61, PW2-34, PWA-07: courses go round hills on the shorter side, or on that of the die."""
    for course, way in case.pairs():
        if "detour" in way.told or not way.told.get("forced"):
            yield from off_its_areas(course, way)


def _through_hills(case: PortableCase) -> Faults:
    """PW2-35: courses cross hills only if these close every route."""
    heights = case.cells(*HEIGHTS)
    for course in case.drawn():
        cells = cells_of(course)
        hills = [cell for cell in cells if cell in heights]
        ways = Ways(grid=case.grid, barred=heights - {cells[0], cells[-1]}, closed=_closed(case, course))
        if hills and best(ways, cells[0], cells[-1]) is not None and not {cells[0], cells[-1]} & heights:
            yield Sentence(
                "{course} crosses hills at {hills}, although there is a way round",
                course=course.id,
                hills=addressed(tuple(hills)),
            )


def _closed(case: PortableCase, course: Course) -> frozenset[Cell]:
    kept = frozenset(cell for place in case.given.places for cell in place.cells) - frozenset(cells_of(course))
    lakes = () if course.kind is Kind.RIVER else (Kind.LAKE,)
    return case.cells(Kind.SEA, *lakes) | (kept - case.cells(*HEIGHTS))


# --- Rivers, roads, railways -----------------------------------------------------------------------------------------


def width_of_rivers(case: PortableCase) -> Faults:
    """PW1-14, PW2-36: a river has the width that the log gives: one area or two."""
    for course, way in case.pairs(Kind.RIVER):
        if case.is_wide(course) != way.is_wide:
            yield Sentence(
                "{course} is {cells:.2f} areas wide; it should be {sides}",
                course=course.id,
                cells=course.width / case.grid.cell,
                sides=2 if way.is_wide else 1,
            )


def _banks(case: PortableCase) -> Faults:
    """PW2-36: the second area of a wide river is on the bank that the die gives."""
    least = case.rules.number("bank_wet")
    for course, way in case.pairs(Kind.RIVER):
        water = ribbon(course.line, course.width)
        for cell in way.beside if case.is_wide(course) and way.cells == cells_of(course) else ():
            if cell is not None and case.covered(water, cell) < least:
                yield Sentence("{course} leaves {cell} on its bank dry", course=course.id, cell=address(cell))


def narrow(*kinds: Kind) -> Check:
    """Return the check that courses of some kinds are at most one area wide (PW1-20, PW2-41)."""
    return check_maximum(
        lambda case: case.drawn(*kinds),
        lambda _, course: course.width,
        "one_area",
        says="{it} is {found:.1f} mm wide, which is more than an area ({limit:.1f} mm)",
    )


def same_cells(*kinds: Kind) -> Check:
    """Return the check that courses of some kinds use exactly the areas in the log."""

    def check(case: PortableCase) -> Faults:
        for course, way in case.pairs(*kinds):
            yield from off_its_areas(course, way)

    return check


def _off_lakes(case: PortableCase) -> Faults:
    """PW2-41: roads go round lakes."""
    for cell in sorted(case.cells(Kind.LAKE)):
        for course in case.through(cell, *ROADS):
            yield Sentence("{course} runs through the lake at {cell}", course=course.id, cell=address(cell))


def _stretches(case: PortableCase) -> Faults:
    """PW2-44: if requested, a road section connects each larger place off the roads to the nearest road."""
    due = [way for way in case.ways("connecting", *ROADS) if way.leaves is None]
    there = [course for course in case.drawn(*ROADS) if ends_inside(case, course)]
    for way in due:
        if way.cells not in [cells_of(course) for course in there]:
            yield Sentence(
                "no section by {logged} connects {joins}", logged=addressed(way.cells), joins=way.told["joins"]
            )
    for course in there:
        if cells_of(course) not in [way.cells for way in due]:
            yield Sentence("{course} does not connect a village or town", course=course.id)


CHECKS: Final[Mapping[str, Check]] = {
    "PW2-30": _on_the_edge,
    "PW2-31": _direction("onward"),
    "PW2-31a": _direction("sep30", "sep30-topdown"),
    "PW2-32": ends,
    "PW2-33": combine_checks(chains, same_cells()),
    "PW2-34": round_hills,
    "PW2-35": _through_hills,
    "PW2-36": combine_checks(width_of_rivers, _banks),
    "PW2-41": combine_checks(narrow(*ROADS), same_cells(*ROADS), _off_lakes),
    "PW2-44": _stretches,
    "PW2-60": combine_checks(narrow(Kind.RAILWAY), same_cells(Kind.RAILWAY), alone(Kind.LAKE, courses=(Kind.RAILWAY,))),
    "PWA-05": _direction(),
    "PWA-06": _direction(),
}
