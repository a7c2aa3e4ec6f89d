"""Checks of hills, waters, trees and crossings: position, height, and features that share their areas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import Final

import shapely

from printkit.core.errors import Sentence, joined
from printkit.kit.checks import Faults, combine_checks
from printkit.systems.portable.grid.edges import address
from printkit.systems.portable.grid.sketch import HABITATION, HEIGHTS, ROADS, TREES, WAYS
from printkit.systems.portable.judge.case import BESIDE, CROSSED, Check, PortableCase, cells_of, said
from printkit.systems.portable.judge.counting import COUNTED, added, addressed, by, every, missing
from printkit.systems.portable.judge.country import counted
from printkit.systems.portable.judge.grid import alone
from printkit.terrain.field.features import Crossing, Kind
from printkit.terrain.field.grids import Cell, neighbours

# --- Checks of crossings ----------------------------------------------------------------------------------------------


def _meetings(
    stage: str, ways: tuple[Kind, ...], waters: tuple[Kind, ...], kinds: tuple[Kind, ...], case: PortableCase
) -> Faults:
    """Yield the faults of crossings of ``ways`` over ``waters``, which must have one of ``kinds``."""
    there = [each for each in case.crossings if _joins(case, each, ways, waters)]
    for crossing in there:
        if crossing.kind not in kinds:
            yield Sentence(
                "{crossing} is a {kind}, not a {kinds}",
                crossing=crossing.id,
                kind=said(crossing.kind),
                kinds=joined(map(said, kinds), Sentence(" or ")),
            )
    yield from _at_every_meeting(case, there, ways, waters)
    yield from _in_place(case, there)
    yield from _as_counted(case, there, stage, kinds)


def _joins(case: PortableCase, crossing: Crossing, ways: tuple[Kind, ...], waters: tuple[Kind, ...]) -> bool:
    way, water = case.course(crossing.route), case.course(crossing.water)
    return way is not None and water is not None and way.kind in ways and water.kind in waters


def _at_every_meeting(
    case: PortableCase, there: list[Crossing], ways: tuple[Kind, ...], waters: tuple[Kind, ...]
) -> Faults:
    """Yield points where lines cross without a crossing; a run of shared areas has only one crossing."""
    ground = case.hull.buffer(-case.rules.length("rim"))
    over = {each.id: case.shape(_run(case, each, waters)).buffer(case.rules.length("off_meeting")) for each in there}
    for way in case.drawn(*ways):
        for water in case.drawn(*waters):
            for place in shapely.get_parts(way.line.intersection(water.line)):
                at = place.centroid
                if ground.contains(at) and not any(shape.contains(at) for shape in over.values()):
                    yield Sentence(
                        "{way} meets {water} at {x:.0f}, {y:.0f} mm without a crossing",
                        way=way.id,
                        water=water.id,
                        x=at.x,
                        y=at.y,
                    )


def _run(case: PortableCase, crossing: Crossing, waters: tuple[Kind, ...]) -> set[Cell]:
    """Return the run of areas that the course of a crossing shares with ``waters`` there."""
    found, way = set(cells_of(crossing)), case.course(crossing.route)
    wet = {cell for water in case.drawn(*waters) for cell in case.takes(water)}
    line = cells_of(way) if way is not None else ()
    for order in (line, line[::-1]):
        for one, other in pairwise(order):
            if one in found and other in wet:
                found.add(other)
    return found


def _in_place(case: PortableCase, there: list[Crossing]) -> Faults:
    for crossing in there:
        way, water = case.course(crossing.route), case.course(crossing.water)
        if way is not None and way.line.distance(crossing.at) > case.rules.limit("off_way") + case.rules.slack(
            "off_way"
        ):
            yield Sentence("{crossing} is not on {way}", crossing=crossing.id, way=way.id)
        if water is not None and water.line.distance(crossing.at) > max(case.rules.limit("off_water"), water.width):
            yield Sentence("{crossing} is not at {water}", crossing=crossing.id, water=water.id)


def _as_counted(case: PortableCase, there: list[Crossing], stage: str, kinds: tuple[Kind, ...]) -> Faults:
    """Yield the differences between crossings of the log and crossings on the board."""
    if not case.record.log:
        return
    last = "connecting" if stage == "roads" and "connecting" in case.recount.stages else stage
    due = Counter((passage.kind, passage.cells) for passage in case.passages(last, *kinds))
    found = Counter((crossing.kind, cells_of(crossing)) for crossing in there if crossing.kind in kinds)
    for kind, cells in due - found:
        yield Sentence("no {kind} at {cells}, although there should be one", kind=said(kind), cells=addressed(cells))
    for kind, cells in found - due:
        yield Sentence("a {kind} at {cells}, although there should be none", kind=said(kind), cells=addressed(cells))


_ROADS_OVER_RIVERS: Final = partial(_meetings, "roads", ROADS, (Kind.RIVER,), CROSSED)

CROSSING_CHECKS: Final[Mapping[str, Check]] = {
    "PW1-21": _ROADS_OVER_RIVERS,
    "PW2-42": _ROADS_OVER_RIVERS,
    "PW2-61": partial(_meetings, "railways", (Kind.RAILWAY,), (Kind.RIVER,), (Kind.RAILWAY_BRIDGE,)),
    "PW2-62": partial(_meetings, "railways", (Kind.RAILWAY,), ROADS, (Kind.LEVEL_CROSSING,)),
}

_WAYS_BEFORE: Final = (Kind.RIVER, *ROADS)


def _height_dice(case: PortableCase) -> Faults:
    """PW1-31, PW2-11: contours and mountains match the dice; there is a maximum of contours."""
    most = case.rules.whole("most_contours")
    for cell in sorted(case.cells(Kind.HILL)):
        if not 1 <= case.height(cell) <= most:
            yield Sentence("the hill at {cell} has {height} contours", cell=address(cell), height=case.height(cell))
    for part in every(case, *HEIGHTS):
        there = next((feature.kind for feature in case.at(part.cell) if feature.kind in HEIGHTS), None)
        if there is None:
            continue
        if there is not part.piece.kind:
            score = part.told.get("height_score")
            yield Sentence(
                "{there} at {cell}, but die {score} makes it a {kind}",
                there=said(there),
                cell=address(part.cell),
                score=score,
                kind=part.piece.kind,
            )
        elif there is Kind.HILL and case.height(part.cell) != part.piece.contours:
            due, found = part.piece.contours, case.height(part.cell)
            yield Sentence(
                "the hill at {cell} has {found} contours; it should have {due}",
                cell=address(part.cell),
                found=found,
                due=due,
            )


def of_kinds(*kinds: Kind) -> Check:
    """Return the check that features of some kinds are exactly where the log places them."""
    return combine_checks(lambda case: missing(case, lambda _: True, *kinds), lambda case: added(case, *kinds))


def counted_hills(case: PortableCase) -> Faults:
    """PW1-32, PW2-12: hills are where counting places them."""
    yield from missing(case, by(*COUNTED), *HEIGHTS)
    yield from added(case, *HEIGHTS)


def _chained(case: PortableCase) -> Faults:
    """PW1-62, PW2-20: a feature that the chain die joins to the last is on the side of the direction die."""
    yield from missing(case, by(BESIDE), *HEIGHTS, Kind.LAKE, Kind.MARSH, *TREES, *HABITATION)


def _one_body(*kinds: Kind) -> Check:
    """Return the check that neighbouring areas of a kind are one feature."""

    def check(case: PortableCase) -> Faults:
        for kind in kinds:
            for cell in sorted(case.cells(kind)):
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


def _on_mountains(case: PortableCase) -> Faults:
    """PWA-14: mountains have no trees and no inhabited places."""
    for cell in sorted(case.cells(Kind.MOUNTAIN)):
        for feature in case.at(cell):
            if feature.kind in (*HABITATION, *TREES):
                yield Sentence("{kind} on the mountain at {cell}", kind=said(feature.kind), cell=address(cell))


def _trees_alone(case: PortableCase) -> Faults:
    """PW1-41, PW2-50: trees are on empty areas or on hills."""
    yield from alone(*TREES, on=(Kind.HILL,), courses=_WAYS_BEFORE, stretches=True)(case)


def _hills_alone(case: PortableCase) -> Faults:
    """PW1-32: hills share areas only with trees and settlements."""
    rivers_first = case.asked("pw1.order") == "rivers-first"
    courses = _WAYS_BEFORE if rivers_first else ()
    yield from alone(*HEIGHTS, on=(*TREES, Kind.SETTLEMENT), courses=courses)(case)


_ONE_HEIGHT: Final = alone(*HEIGHTS, on=(*TREES, *HABITATION), courses=())

CHECKS: Final[Mapping[str, Check]] = {
    "PW1-31": _height_dice,
    "PW1-32": combine_checks(_hills_alone, counted_hills),
    "PW1-41": combine_checks(_trees_alone, of_kinds(*TREES)),
    "PW1-62": _chained,
    "PW2-11": _height_dice,
    "PW2-12": combine_checks(_ONE_HEIGHT, counted_hills),
    "PW2-20": _chained,
    "PWA-14": _on_mountains,
    "PW2-38": combine_checks(
        counted("lakes", Kind.LAKE), alone(Kind.LAKE, courses=WAYS), of_kinds(Kind.LAKE), _one_body(Kind.LAKE)
    ),
    "PW2-39": combine_checks(
        counted("marshes", Kind.MARSH),
        alone(Kind.MARSH, courses=(Kind.RIVER,)),
        of_kinds(Kind.MARSH),
        _one_body(Kind.MARSH),
    ),
    "PW2-50": combine_checks(counted("trees", *TREES), _trees_alone, of_kinds(*TREES)),
}
