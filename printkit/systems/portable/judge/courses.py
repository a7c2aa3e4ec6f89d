"""Checks of courses of version 2: ends, chains, hills, banks, sections (PW2-30..PW2-37, PW2-41, PW2-44, PW2-60)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import shapely

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, combine_checks
from printkit.kit.shape_rules import shape_checks
from printkit.systems.portable.grid.edges import address, edge_cells
from printkit.systems.portable.grid.routes import RouteGround, find_best_route
from printkit.systems.portable.grid.sketch import HEIGHTS, ROADS, CellCourse
from printkit.systems.portable.judge.case import Check, PortableCase, cells_of
from printkit.systems.portable.judge.counting import format_cells, log_check
from printkit.systems.portable.judge.grid import find_inner_ends, unshared_check
from printkit.systems.portable.judge.shape_rules import WIDTH_RULES
from printkit.terrain.field.features import Course, Kind
from printkit.terrain.field.grids import Cell, neighbours
from printkit.terrain.geometry.measure import ribbon


def find_through_courses(case: PortableCase, *kinds: Kind) -> tuple[Course, ...]:
    """Return the courses of some kinds, or of all, that run from edge to edge."""
    return tuple(course for course in case.find_courses(*kinds) if not find_inner_ends(case, course))


# --- Ends ------------------------------------------------------------------------------------------------------------


def _check_edge(case: PortableCase) -> Faults:
    """Check that a course enters and leaves through areas of the edge (PW2-30)."""
    edge = {cell for side_cells in edge_cells(case.grid) for cell in side_cells}
    for course in find_through_courses(case):
        cells = cells_of(course)
        for end in (cells[0], cells[-1]):
            if end not in edge:
                yield Sentence("{course} ends at {end}, which is not on the edge", course=course.id, end=address(end))
        if cells[0] == cells[-1]:
            yield Sentence("{course} enters and leaves at {cell}", course=course.id, cell=address(cells[0]))


def _direction_check(*readings: str) -> Check:
    """Return the check of entry and exit, for some ``readings`` of the second direction die, or for all."""

    def check(case: PortableCase) -> Faults:
        """Yield courses with a wrong entry or exit.

        Raises:
            UnseenError: the settings have another reading.
        """
        if (reading := case.stated_setting("pw2.exit")) not in (readings or (reading,)):
            raise UnseenError("the second die is used as {reading}", reading=reading)
        yield from check_ends(case)

    return check


_check_log: Final = log_check("rivers", "roads", "railways")


def check_ends(case: PortableCase) -> Faults:
    """Check that the entry and exit are the areas that the dice or the scenario give (PW2-31, PW2-32).

    If the log itself has faults, only these are yielded.
    """
    if log_faults := list(_check_log(case)):
        yield from log_faults
        return
    for course, log_course in case.pair_courses():
        if not (log_course.cells and course.cells):  # Of areas that are missing on one side the chains tell.
            continue
        for index, word in ((0, Sentence("entry")), (-1, Sentence("exit"))):
            due, there = log_course.cells[index], cells_of(course)[index]
            if due != there and log_course.leaves is not None:
                yield Sentence(
                    "{course}: the {word} is {there}, but the dice say {due}",
                    course=course.id,
                    word=word,
                    there=address(there),
                    due=address(due),
                )


# --- Chains ----------------------------------------------------------------------------------------------------------


def check_chains(case: PortableCase) -> Faults:
    """Yield courses whose areas are not connected, or whose line leaves the areas."""
    for course in case.find_courses():
        yield from check_chain(case, course)


def check_chain(case: PortableCase, course: Course) -> Faults:
    """Yield the faults of one course: its areas are not connected, or its line leaves them."""
    cells = cells_of(course)
    if len(set(cells)) < len(cells):
        yield Sentence("{course} enters an area twice", course=course.id)
    for cell, next_cell in pairwise(cells):
        if next_cell not in neighbours(case.grid, cell):
            yield Sentence(
                "{course}: {one} and {other} do not share a side",
                course=course.id,
                one=address(cell),
                other=address(next_cell),
            )
    yield from _check_water(case, course) if case.is_wide(course) else _check_line(case, course)


def _check_water(case: PortableCase, course: Course) -> Faults:
    """Yield the areas that a river two areas wide does not cover enough."""
    water, least = ribbon(course.line, course.width), case.rules.number("water")
    for cell in cells_of(course):
        if (share := case.measure_cover(water, cell)) < least:
            yield Sentence(
                "{feature} covers {share:.0%} of {cell}; it should cover at least {least:.0%}",
                feature=course.id,
                share=share,
                cell=address(cell),
                least=least,
            )


def _check_line(case: PortableCase, course: Course) -> Faults:
    """Yield where a line leaves its areas, and the sides between areas that it does not cross."""
    cells, most = cells_of(course), case.rules.limit("off_line") + case.rules.slack("off_line")
    points = shapely.points(shapely.get_coordinates(course.line.intersection(case.hull)))
    distances = shapely.distance(points, case.join_areas(cells))
    if distances.size and distances.max() > most:
        point = points[distances.argmax()]
        yield Sentence(
            "{course}: its line leaves its areas at {x:.0f}, {y:.0f} mm", course=course.id, x=point.x, y=point.y
        )
    for cell, next_cell in pairwise(cells):
        if next_cell in neighbours(case.grid, cell):
            face = case.grid.face(cell, case.grid.find_direction(cell, next_cell))
            if face.distance(course.line) > most:
                yield Sentence(
                    "{course} does not cross the side between {one} and {other}",
                    course=course.id,
                    one=address(cell),
                    other=address(next_cell),
                )


def check_areas(course: Course, log_course: CellCourse) -> Faults:
    """Yield a fault if a course uses other areas than the log gives."""
    if log_course.cells != cells_of(course):
        yield Sentence(
            "{course} goes by {drawn}, but the log gives {logged}",
            course=course.id,
            drawn=format_cells(cells_of(course)),
            logged=format_cells(log_course.cells),
        )


def check_round_hills(case: PortableCase) -> Faults:
    """Check on which side courses go round hills (PW1-61, PW2-34, PWA-07).

    It must be the shorter side, or that of the die.
    """
    for course, log_course in case.pair_courses():
        if "detour" in log_course.facts or not log_course.facts.get("forced"):
            yield from check_areas(course, log_course)


def _check_hills(case: PortableCase) -> Faults:
    """Check that courses cross hills only if these close every route (PW2-35)."""
    heights = case.find_cells(*HEIGHTS)
    for course in case.find_courses():
        cells = cells_of(course)
        hills = [cell for cell in cells if cell in heights]
        route_ground = RouteGround(
            grid=case.grid, barred_cells=heights - {cells[0], cells[-1]}, closed=_closed_cells(case, course)
        )
        if (
            hills
            and find_best_route(route_ground, cells[0], cells[-1]) is not None
            and not {cells[0], cells[-1]} & heights
        ):
            yield Sentence(
                "{course} crosses hills at {hills}, although there is a way round",
                course=course.id,
                hills=format_cells(tuple(hills)),
            )


def _closed_cells(case: PortableCase, course: Course) -> frozenset[Cell]:
    """Return the areas that a course may not enter.

    They are the sea, lakes for roads and railways, and areas without hills that the scenario uses for other features.
    """
    reserved_cells = frozenset(cell for place in case.terrain.places for cell in place.cells) - frozenset(
        cells_of(course)
    )
    lakes = () if course.kind is Kind.RIVER else (Kind.LAKE,)
    return case.find_cells(Kind.SEA, *lakes) | (reserved_cells - case.find_cells(*HEIGHTS))


# --- Rivers, roads, railways -----------------------------------------------------------------------------------------


def check_river_width(case: PortableCase) -> Faults:
    """Check that a river has the width that the log gives: one area or two (PW1-14, PW2-36)."""
    for course, log_course in case.pair_courses(Kind.RIVER):
        if case.is_wide(course) != log_course.is_wide:
            yield Sentence(
                "{course} is {cells:.2f} areas wide; it should be {sides}",
                course=course.id,
                cells=course.width / case.grid.cell,
                sides=2 if log_course.is_wide else 1,
            )


def _check_banks(case: PortableCase) -> Faults:
    """Check that the second area of a wide river is on the bank that the die gives (PW2-36)."""
    least = case.rules.number("bank_wet")
    for course, log_course in case.pair_courses(Kind.RIVER):
        water = ribbon(course.line, course.width)
        for cell in log_course.beside if case.is_wide(course) and log_course.cells == cells_of(course) else ():
            if cell is not None and case.measure_cover(water, cell) < least:
                yield Sentence("{course} leaves {cell} on its bank dry", course=course.id, cell=address(cell))


WIDTH_CHECKS: Final = shape_checks(WIDTH_RULES, lambda case: case.courses, lambda case: case)


def same_cells_check(*kinds: Kind) -> Check:
    """Return the check that courses of some kinds use exactly the areas in the log."""

    def check(case: PortableCase) -> Faults:
        """Yield courses that use other areas than the log gives."""
        for course, log_course in case.pair_courses(*kinds):
            yield from check_areas(course, log_course)

    return check


def _check_lakes(case: PortableCase) -> Faults:
    """Check that roads go round lakes (PW2-41)."""
    for cell in sorted(case.find_cells(Kind.LAKE)):
        for course in case.courses_at(cell, *ROADS):
            yield Sentence("{course} runs through the lake at {cell}", course=course.id, cell=address(cell))


def _check_sections(case: PortableCase) -> Faults:
    """Check that a road section connects each larger place off the roads to the nearest one (PW2-44).

    This applies if the settings request it.
    """
    due = [log_course for log_course in case.log_courses("connecting", *ROADS) if log_course.leaves is None]
    there = [course for course in case.find_courses(*ROADS) if find_inner_ends(case, course)]
    for log_course in due:
        if log_course.cells not in [cells_of(course) for course in there]:
            yield Sentence(
                "no section by {logged} connects {joins}",
                logged=format_cells(log_course.cells),
                joins=log_course.facts["joins"],
            )
    for course in there:
        if cells_of(course) not in [log_course.cells for log_course in due]:
            yield Sentence("{course} does not connect a village or town", course=course.id)


CHECKS: Final[Mapping[str, Check]] = {
    "PW2-30": _check_edge,
    "PW2-31": _direction_check("onward"),
    "PW2-31a": _direction_check("sep30", "sep30-topdown"),
    "PW2-32": check_ends,
    "PW2-33": combine_checks(check_chains, same_cells_check()),
    "PW2-34": check_round_hills,
    "PW2-35": _check_hills,
    "PW2-36": combine_checks(check_river_width, _check_banks),
    "PW2-41": combine_checks(WIDTH_CHECKS["PW2-41"], same_cells_check(*ROADS), _check_lakes),
    "PW2-44": _check_sections,
    "PW2-60": combine_checks(
        WIDTH_CHECKS["PW2-60"], same_cells_check(Kind.RAILWAY), unshared_check(Kind.LAKE, courses=(Kind.RAILWAY,))
    ),
    "PWA-05": _direction_check(),
    "PWA-06": _direction_check(),
}
