"""The judge of courses of version 2: ends, chains, hills, banks, stretches (PW2-30..PW2-37, PW2-41, PW2-44, PW2-60)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, both
from printkit.systems.portable.grid.edges import Quarters, address, edge_cells
from printkit.systems.portable.grid.overrides import End, GivenWay
from printkit.systems.portable.grid.routes import Ways, best
from printkit.systems.portable.grid.sketch import ROADS, Way
from printkit.systems.portable.judge.case import HEIGHTS, WAYS, Case, Check, cells_of
from printkit.systems.portable.judge.counting import addressed
from printkit.systems.portable.judge.grid import alone, ends_inside
from printkit.terrain.field.features import Course, Kind
from printkit.terrain.field.grids import Cell, neighbours

_STAGES: Final[Mapping[Kind, str]] = {
    Kind.RIVER: "rivers", Kind.ROAD: "roads", Kind.TRACK: "roads", Kind.RAILWAY: "railways",
}  # fmt: skip
_ONE_AREA: Final = 0.5
"""A course of one area is narrower than this share of it."""

_COVERED: Final = 0.05
"""The part of each area beside its chain that a wide river covers at least."""

_SLACK: Final = 0.1
"""How far a line may waver over the sides of its areas, in areas."""

_EDGE_WORDS: Final = ("entry", "exit")


def pairs(case: Case, *kinds: Kind) -> Iterator[tuple[Course, Way]]:
    """Yield each course of some kinds with what the log makes of it, in the order laid."""
    for sort in (kinds or WAYS,):
        for kind in sort:
            there = case.drawn(kind)
            due = tuple(way for way in case.recount.sketch.ways_of(kind))
            if _STAGES[kind] not in case.recount.done:
                raise UnseenError("the log of {stage} does not fit", stage=_STAGES[kind])
            yield from zip(there, due, strict=False)


def through(case: Case, *kinds: Kind) -> tuple[Course, ...]:
    """Return the courses that run from edge to edge."""
    return tuple(course for course in case.drawn(*kinds) if not ends_inside(case, course))


# --- Ends ------------------------------------------------------------------------------------------------------------


def _on_the_edge(case: Case) -> Faults:
    """PW2-30: a course comes in and goes out by an area of the edge."""
    edge = {cell for along in edge_cells(case.grid) for cell in along}
    for course in through(case):
        cells = cells_of(course)
        for end in (cells[0], cells[-1]):
            if end not in edge:
                yield Sentence("{course} ends at {end}, which is not on the edge", course=course.id, end=address(end))
        if cells[0] == cells[-1]:
            yield Sentence("{course} comes in and goes out at {cell}", course=course.id, cell=address(cells[0]))


def _direction(*readings: str) -> Check:
    """Return the check of the two direction dice, where the second is read in one of some ways."""

    def check(case: Case) -> Faults:
        reading = case.asked("pw2.exit")
        if readings and reading not in readings:
            raise UnseenError("the second die is read as {reading}", reading=reading)
        quarters = Quarters.of(case.rules)
        for course, name, given in _named(case):
            start = case.score(_STAGES[course.kind], f"entry of {name}")
            if start is not None:
                yield from _in_quarter(case, quarters, course, 0, start)
            score = case.score(_STAGES[course.kind], f"exit of {name}")
            first = start if start is not None else given.start.quarter
            if score is not None and first is not None:
                yield from _in_quarter(case, quarters, course, -1, quarters.exit_of(first, score))

    return check


def _in_quarter(case: Case, quarters: Quarters, course: Course, place: int, quarter: int) -> Faults:
    cells, cell = quarters.cells(case.grid, quarter), cells_of(course)[place]
    lakes = () if course.kind is Kind.RIVER else (Kind.LAKE,)
    kept = {cell for place in case.given.places for cell in place.cells}
    taken = case.cells(*HEIGHTS, Kind.SEA, *lakes) | kept
    free = [each for each in cells if each not in taken]
    if cell not in cells and [each for each in free if each != cells_of(course)[0]]:
        word = _EDGE_WORDS[place]
        yield Sentence(
            "{course}: the {word} {cell} is not in quarter {quarter}, {cells}",
            course=course.id,
            word=word,
            cell=address(cell),
            quarter=quarter,
            cells=addressed(cells),
        )


def _named(case: Case) -> Iterator[tuple[Course, str, GivenWay]]:
    """Yield each course from edge to edge with its name in the log, and what a person gave of it."""
    case.throws()
    for kinds, known in (
        ((Kind.RIVER,), case.given.rivers), (ROADS, case.given.roads), ((Kind.RAILWAY,), case.given.railways),
    ):  # fmt: skip
        for number, course in enumerate(through(case, *kinds), 1):
            given = known[number - 1] if number <= len(known) else GivenWay(place="")
            yield course, f"{course.kind} {number}", given


def _exact_ends(case: Case) -> Faults:
    """PW2-32: the entry and exit are the areas of the highest dice, or those given."""
    for course, way in pairs(case):
        for place, word in ((0, "entry"), (-1, "exit")):
            due, there = way.cells[place], cells_of(course)[place]
            if due != there and way.leaves is not None:
                yield Sentence(
                    "{course}: the {word} is {there}, the dice say {due}",
                    course=course.id,
                    word=word,
                    there=address(there),
                    due=address(due),
                )
    for _, _, given in _named(case):
        if End() not in (given.start, given.end) and given.start == given.end:
            yield Sentence("{place}: both ends are one", place=given.place)


# --- Chains ----------------------------------------------------------------------------------------------------------


def chains(case: Case) -> Faults:
    """Yield where the areas of a course do not hang together, and where its line leaves them or passes corners."""
    corners = case.rules.settings.get("pw2.square_steps") == "8" and case.grid.shape == "square"
    for course in case.drawn():
        cells = cells_of(course)
        if len(set(cells)) < len(cells):
            yield Sentence("{course} passes an area twice", course=course.id)
        for one, other in pairwise(cells):
            diagonal = corners and abs(one.column - other.column) == 1 == abs(one.row - other.row)
            if other not in neighbours(case.grid, one) and not diagonal:
                yield Sentence(
                    "{course}: {one} and {other} share no side",
                    course=course.id,
                    one=address(one),
                    other=address(other),
                )
        if not case.is_wide(course) and not corners:
            yield from _line_in_cells(case, course)


def _line_in_cells(case: Case, course: Course) -> Faults:
    cells, slack = cells_of(course), _SLACK * case.grid.cell
    outside = course.line.intersection(case.hull).difference(case.shape(cells).buffer(slack))
    if outside.length > slack:
        at = outside.representative_point()
        yield Sentence("{course}: its line leaves its areas at {x:.0f}, {y:.0f} mm", course=course.id, x=at.x, y=at.y)
    for one, other in pairwise(cells):
        if other in neighbours(case.grid, one):
            face = case.grid.face(one, case.grid.turn(one, other))
            if face.distance(course.line) > slack / 2:
                yield Sentence(
                    "{course} does not pass the side between {one} and {other}",
                    course=course.id,
                    one=address(one),
                    other=address(other),
                )


def off_its_areas(course: Course, way: Way) -> Faults:
    """Yield where a course runs by other areas than the log gives."""
    if way.cells != cells_of(course):
        yield Sentence(
            "{course} goes by {drawn}, the log gives {logged}",
            course=course.id,
            drawn=addressed(cells_of(course)),
            logged=addressed(way.cells),
        )


def off_its_die(course: Course, way: Way) -> Faults:
    """Yield where a course goes round hills on another side than that of its die."""
    score = way.told.get("detour")
    if score is not None and way.cells != cells_of(course):
        yield Sentence(
            "{course}: the die {score} leads by {logged}",
            course=course.id,
            score=score,
            logged=addressed(way.cells),
        )


def _most_direct(case: Case) -> Faults:
    """PW2-33: side by side, and of all ways the most direct."""
    yield from chains(case)
    for course, way in pairs(case):
        ends = (way.cells[0], way.cells[-1]) == (cells_of(course)[0], cells_of(course)[-1])
        if ends and "detour" not in way.told and way.cells != cells_of(course):
            yield Sentence(
                "{course} goes by {drawn}, more direct is {logged}",
                course=course.id,
                drawn=addressed(cells_of(course)),
                logged=addressed(way.cells),
            )


def _detours(case: Case) -> Faults:
    """PW2-34, PWA-07: round hills by the shorter way, of equal ones by that of the die."""
    for course, way in pairs(case):
        yield from off_its_die(course, way)
        if (
            way.told.get("detour") is None
            and case.rules.choice("pw2.detour") == "shortest"
            and not way.told.get("forced")
        ):
            hills = len(case.cells(*HEIGHTS) & set(cells_of(course)))
            if hills:
                yield Sentence("{course} passes {hills} areas of hills", course=course.id, hills=hills)


def _through_hills(case: Case) -> Faults:
    """PW2-35: hills are passed only where they close every way."""
    heights = case.cells(*HEIGHTS)
    for course in case.drawn():
        cells = cells_of(course)
        hills = [cell for cell in cells if cell in heights]
        ways = Ways(grid=case.grid, barred=heights - {cells[0], cells[-1]}, closed=_closed(case, course))
        if hills and best(ways, cells[0], cells[-1]) is not None and not {cells[0], cells[-1]} & heights:
            yield Sentence(
                "{course} passes hills at {hills}, though there is a way round",
                course=course.id,
                hills=addressed(tuple(hills)),
            )


def _closed(case: Case, course: Course) -> frozenset[Cell]:
    kept = frozenset(cell for place in case.given.places for cell in place.cells) - frozenset(cells_of(course))
    lakes = () if course.kind is Kind.RIVER else (Kind.LAKE,)
    return case.cells(Kind.SEA, *lakes) | (kept - case.cells(*HEIGHTS))


# --- Rivers, roads, railways -----------------------------------------------------------------------------------------


def _width_of_rivers(case: Case) -> Faults:
    """PW2-36: one area wide or two, and the second on the bank of the die."""
    for course, way in pairs(case, Kind.RIVER):
        wide = any(way.beside)
        if case.is_wide(course) != wide:
            yield Sentence(
                "{course} is {cells:.2f} areas wide, it takes {sides}",
                course=course.id,
                cells=course.width / case.grid.cell,
                sides=2 if wide else 1,
            )
        beside = [cell for cell in way.beside if cell is not None]
        water = course.line.buffer(course.width / 2, cap_style="flat")
        for cell in beside if case.is_wide(course) and way.cells == cells_of(course) else ():
            if case.covered(water, cell) < _COVERED:
                yield Sentence("{course} leaves {cell} on its bank dry", course=course.id, cell=address(cell))


def _narrow(*kinds: Kind) -> Check:
    def check(case: Case) -> Faults:
        for course in case.drawn(*kinds):
            if course.width > _ONE_AREA * case.grid.cell:
                yield Sentence(
                    "{course} is {cells:.2f} areas wide", course=course.id, cells=course.width / case.grid.cell
                )

    return check


def same_cells(*kinds: Kind) -> Check:
    """Return the check that courses of some kinds run by the very areas that the log gives."""

    def check(case: Case) -> Faults:
        for course, way in pairs(case, *kinds):
            yield from off_its_areas(course, way)

    return check


def _off_lakes(case: Case) -> Faults:
    """PW2-41: roads go round lakes."""
    for cell in sorted(case.cells(Kind.LAKE)):
        for course in case.through(cell, *ROADS):
            yield Sentence("{course} goes through the lake at {cell}", course=course.id, cell=address(cell))


def _stretches(case: Case) -> Faults:
    """PW2-44: villages, towns and cities off the roads are joined to the nearest one, where asked for."""
    due = [way for way in case.ways("connecting", *ROADS) if way.leaves is None]
    there = [course for course in case.drawn(*ROADS) if ends_inside(case, course)]
    for way in due:
        if way.cells not in [cells_of(course) for course in there]:
            yield Sentence("no stretch by {logged} joins {joins}", logged=addressed(way.cells), joins=way.told["joins"])
    for course in there:
        if cells_of(course) not in [way.cells for way in due]:
            yield Sentence("{course} joins no village or town", course=course.id)


CHECKS: Final[Mapping[str, Check]] = {
    "PW2-30": _on_the_edge,
    "PW2-31": _direction("onward"),
    "PW2-31a": _direction("sep30", "sep30-topdown"),
    "PW2-32": _exact_ends,
    "PW2-33": _most_direct,
    "PW2-34": _detours,
    "PW2-35": _through_hills,
    "PW2-36": _width_of_rivers,
    "PW2-41": both(_narrow(*ROADS), same_cells(*ROADS), _off_lakes),
    "PW2-44": _stretches,
    "PW2-60": both(_narrow(Kind.RAILWAY), same_cells(Kind.RAILWAY), alone(Kind.LAKE, courses=(Kind.RAILWAY,))),
    "PWA-05": _direction(),
    "PWA-06": _direction(),
}
