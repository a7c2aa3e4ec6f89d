"""Checks of hills, waters, trees and crossings: position, height, and features that share their areas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from itertools import pairwise, product
from typing import Final

import shapely

from printkit.core.errors import Sentence, joined
from printkit.kit.checks import Faults, combine_checks
from printkit.systems.portable.grid.edges import address
from printkit.systems.portable.grid.sketch import HABITATION, HEIGHTS, ROADS, TREES, WAYS
from printkit.systems.portable.judge.case import BESIDE, CROSSED, Check, PortableCase, cells_of, said
from printkit.systems.portable.judge.counting import (
    COUNTED,
    find_added,
    find_missing,
    find_parts,
    format_cells,
    located_by,
)
from printkit.systems.portable.judge.geography import count_check
from printkit.systems.portable.judge.grid import unshared_check
from printkit.terrain.field.features import Crossing, Kind
from printkit.terrain.field.grids import Cell, neighbours

# --- Checks of crossings ----------------------------------------------------------------------------------------------


def _check_crossings(
    stage: str, course_kinds: tuple[Kind, ...], waters: tuple[Kind, ...], kinds: tuple[Kind, ...], case: PortableCase
) -> Faults:
    """Yield the faults of crossings of ``course_kinds`` over ``waters``.

    Args:
        stage: the stage that places the crossings.
        course_kinds: kinds of courses that cross.
        waters: kinds of courses that are crossed: rivers or roads.
        kinds: the kinds that a crossing may have.
    """
    there = [each for each in case.crossings if _is_between(case, each, course_kinds, waters)]
    for crossing in there:
        if crossing.kind not in kinds:
            yield Sentence(
                "{crossing} is a {kind}, not a {kinds}",
                crossing=crossing.id,
                kind=said(crossing.kind),
                kinds=joined(map(said, kinds), Sentence(" or ")),
            )
    yield from _check_every_meeting(case, there, course_kinds, waters)
    yield from _check_position(case, there)
    yield from _check_against_log(case, there, stage, kinds)


def _is_between(
    case: PortableCase, crossing: Crossing, course_kinds: tuple[Kind, ...], waters: tuple[Kind, ...]
) -> bool:
    """Return whether a crossing connects a course of ``course_kinds`` with one of ``waters``."""
    course, water = case.find_course(crossing.route), case.find_course(crossing.water)
    return course is not None and water is not None and course.kind in course_kinds and water.kind in waters


def _check_every_meeting(
    case: PortableCase, crossings: list[Crossing], course_kinds: tuple[Kind, ...], waters: tuple[Kind, ...]
) -> Faults:
    """Yield a fault for each point where lines cross without a crossing; a run of shared areas has only one crossing.

    ``course_kinds`` are the kinds of courses that cross, ``waters`` the kinds that are crossed. Points at the rim of
    the board do not count.
    """
    ground = case.hull.buffer(-case.rules.length("rim"))
    runs = {
        crossing.id: case.join_areas(_shared_run(case, crossing)).buffer(case.rules.length("off_meeting"))
        for crossing in crossings
    }
    for course, water in product(case.find_courses(*course_kinds), case.find_courses(*waters)):
        marks = [crossing for crossing in crossings if (crossing.route, crossing.water) == (course.id, water.id)]
        met = course.line.intersection(water.line)
        points = [part.centroid for part in shapely.get_parts(met) if ground.contains(part.centroid)]
        places = shapely.MultiPoint([mark.at for mark in marks])
        nearest = min(points, key=places.distance, default=None)
        for point in points:
            # Two straight bands cross once.
            is_second = point is not nearest and {course.id, water.id} <= case.band_ids
            if is_second or not any(runs[mark.id].contains(point) for mark in marks):
                yield Sentence(
                    "{way} meets {water} at {x:.0f}, {y:.0f} mm without a crossing",
                    way=course.id,
                    water=water.id,
                    x=point.x,
                    y=point.y,
                )


def _shared_run(case: PortableCase, crossing: Crossing) -> set[Cell]:
    """Return the areas in a row, at a crossing, that its course shares with the course it crosses; may be empty.

    The areas of the crossing itself are included.
    """
    run_cells = set(cells_of(crossing))
    course, water = case.find_course(crossing.route), case.find_course(crossing.water)
    wet = case.find_taken_cells(water) if water is not None else ()
    line = cells_of(course) if course is not None else ()
    for order in (line, line[::-1]):
        for first, second in pairwise(order):
            if first in run_cells and second in wet:
                run_cells.add(second)
    return run_cells


def _check_position(case: PortableCase, crossings: list[Crossing]) -> Faults:
    """Yield crossings that are not where both lines meet; without such a point, those too far from one of them."""
    near = case.rules.limit("off_way") + case.rules.slack("off_way")
    for crossing in crossings:
        course, water = case.find_course(crossing.route), case.find_course(crossing.water)
        if course is None or water is None:
            continue
        if course.line.distance(crossing.at) > near:
            yield Sentence("{crossing} is not on {way}", crossing=crossing.id, way=course.id)
        met = course.line.intersection(water.line)
        is_met = met.intersects(case.join_areas(cells_of(crossing)))
        most = near if is_met else max(case.rules.limit("off_water"), water.width)
        if (met if is_met else water.line).distance(crossing.at) > most:
            yield Sentence("{crossing} is not at {water}", crossing=crossing.id, water=water.id)


def _check_against_log(case: PortableCase, there: list[Crossing], stage: str, kinds: tuple[Kind, ...]) -> Faults:
    """Yield the differences in kind and areas between crossings of the log and those that are ``there``.

    Without a log there are none. ``stage`` is the stage that places them.
    """
    if not case.record.log:
        return
    last = "connecting" if stage == "roads" and "connecting" in case.recount.stages else stage
    log_crossings = Counter((passage.kind, passage.cells) for passage in case.log_crossings(last, *kinds))
    board_crossings = Counter((crossing.kind, cells_of(crossing)) for crossing in there if crossing.kind in kinds)
    for kind, cells in log_crossings - board_crossings:
        yield Sentence("no {kind} at {cells}, although there should be one", kind=said(kind), cells=format_cells(cells))
    for kind, cells in board_crossings - log_crossings:
        yield Sentence("a {kind} at {cells}, although there should be none", kind=said(kind), cells=format_cells(cells))


_ROADS_OVER_RIVERS: Final = partial(_check_crossings, "roads", ROADS, (Kind.RIVER,), CROSSED)

CROSSING_CHECKS: Final[Mapping[str, Check]] = {
    "PW1-21": _ROADS_OVER_RIVERS,
    "PW2-42": _ROADS_OVER_RIVERS,
    "PW2-61": partial(_check_crossings, "railways", (Kind.RAILWAY,), (Kind.RIVER,), (Kind.RAILWAY_BRIDGE,)),
    "PW2-62": partial(_check_crossings, "railways", (Kind.RAILWAY,), ROADS, (Kind.LEVEL_CROSSING,)),
}

_WAYS_BEFORE: Final = (Kind.RIVER, *ROADS)


def _check_heights(case: PortableCase) -> Faults:
    """Check that contours and mountains match the dice; there is a maximum of contours (PW1-31, PW2-11)."""
    most = case.rules.whole("most_contours")
    for cell in sorted(case.find_cells(Kind.HILL)):
        if not 1 <= case.contours_at(cell) <= most:
            yield Sentence(
                "the hill at {cell} has {height} contours", cell=address(cell), height=case.contours_at(cell)
            )
    for part in find_parts(case, *HEIGHTS):
        there = next((feature.kind for feature in case.at(part.cell) if feature.kind in HEIGHTS), None)
        if there is None:
            continue
        if there is not part.piece.kind:
            score = part.facts.get("height_score")
            yield Sentence(
                "{there} at {cell}, but die {score} makes it a {kind}",
                there=said(there),
                cell=address(part.cell),
                score=score,
                kind=part.piece.kind,
            )
        elif there is Kind.HILL and case.contours_at(part.cell) != part.piece.contours:
            due, contours = part.piece.contours, case.contours_at(part.cell)
            yield Sentence(
                "the hill at {cell} has {found} contours; it should have {due}",
                cell=address(part.cell),
                found=contours,
                due=due,
            )


def kinds_check(*kinds: Kind) -> Check:
    """Return the check that features of some kinds are exactly on the areas where the log places them."""
    return combine_checks(
        lambda case: find_missing(case, lambda _: True, *kinds), lambda case: find_added(case, *kinds)
    )


def check_counted_hills(case: PortableCase) -> Faults:
    """Check that hills are where counting places them (PW1-32, PW2-12)."""
    yield from find_missing(case, located_by(*COUNTED), *HEIGHTS)
    yield from find_added(case, *HEIGHTS)


def _check_chains(case: PortableCase) -> Faults:
    """Check that a feature joined to the last one is on the side of its direction die (PW1-62, PW2-20)."""
    yield from find_missing(case, located_by(BESIDE), *HEIGHTS, Kind.LAKE, Kind.MARSH, *TREES, *HABITATION)


def _connection_check(*kinds: Kind) -> Check:
    """Return the check that neighbouring areas of one of these kinds are one feature."""

    def check(case: PortableCase) -> Faults:
        """Yield neighbouring areas of one kind that are two features."""
        for kind in kinds:
            for cell in sorted(case.find_cells(kind)):
                for other in neighbours(case.grid, cell):
                    alike = [each for each in case.at(other) if each.kind is kind]
                    if cell < other and alike and not {each.cells for each in case.at(cell)} & {alike[0].cells}:
                        yield Sentence(
                            "{kind} at {cell} and {other} are next to each other, but are two features",
                            kind=said(kind),
                            cell=address(cell),
                            other=address(other),
                        )

    return check


def _check_mountains(case: PortableCase) -> Faults:
    """Check that mountains have no trees and no inhabited places (PWA-14)."""
    for cell in sorted(case.find_cells(Kind.MOUNTAIN)):
        for feature in case.at(cell):
            if feature.kind in (*HABITATION, *TREES):
                yield Sentence("{kind} on the mountain at {cell}", kind=said(feature.kind), cell=address(cell))


def _check_trees(case: PortableCase) -> Faults:
    """Check that trees are on empty areas or on hills (PW1-41, PW2-50)."""
    yield from unshared_check(*TREES, ground_kinds=(Kind.HILL,), courses=_WAYS_BEFORE, allow_sections=True)(case)


def _check_hills(case: PortableCase) -> Faults:
    """Check that hills share areas only with trees and settlements (PW1-32)."""
    rivers_first = case.stated_setting("pw1.order") == "rivers-first"
    courses = _WAYS_BEFORE if rivers_first else ()
    yield from unshared_check(*HEIGHTS, ground_kinds=(*TREES, Kind.SETTLEMENT), courses=courses)(case)


_ONE_HEIGHT: Final = unshared_check(*HEIGHTS, ground_kinds=(*TREES, *HABITATION), courses=())

CHECKS: Final[Mapping[str, Check]] = {
    "PW1-31": _check_heights,
    "PW1-32": combine_checks(_check_hills, check_counted_hills),
    "PW1-41": combine_checks(_check_trees, kinds_check(*TREES)),
    "PW1-62": _check_chains,
    "PW2-11": _check_heights,
    "PW2-12": combine_checks(_ONE_HEIGHT, check_counted_hills),
    "PW2-20": _check_chains,
    "PWA-14": _check_mountains,
    "PW2-38": combine_checks(
        count_check("lakes", Kind.LAKE),
        unshared_check(Kind.LAKE, courses=WAYS),
        kinds_check(Kind.LAKE),
        _connection_check(Kind.LAKE),
    ),
    "PW2-39": combine_checks(
        count_check("marshes", Kind.MARSH),
        unshared_check(Kind.MARSH, courses=(Kind.RIVER,)),
        kinds_check(Kind.MARSH),
        _connection_check(Kind.MARSH),
    ),
    "PW2-50": combine_checks(count_check("trees", *TREES), _check_trees, kinds_check(*TREES)),
}
