"""The judge of crossings: one wherever a way meets water, of the kind of its die (PW1-21, PW2-42, PW2-61, PW2-62)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import shapely

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.portable.grid.sketch import ROADS
from printkit.systems.portable.judge.case import CROSSED, Case, Check, cells_of, said
from printkit.systems.portable.judge.counting import addressed
from printkit.terrain.field.features import Crossing, Kind
from printkit.terrain.field.grids import Cell

_ON_ITS_WAY: Final = 1.0
"""Millimetres from the line of its way at which a crossing may stand."""

_SLACK: Final = 0.12
"""How far beyond the areas of its crossing a way may meet its water, in areas; lines waver."""

_RIM: Final = 0.3
"""How near to the edge of the board lines that meet beyond it may meet, in areas."""

_FAR: Final = 0.75
"""How far from the middle of its water a crossing may stand, in areas."""


def _meetings(stage: str, ways: tuple[Kind, ...], waters: tuple[Kind, ...], kinds: tuple[Kind, ...]) -> Check:
    """Return the check of the crossings of some ways over some waters, or other ways, which are of some kinds."""

    def check(case: Case) -> Faults:
        there = [each for each in case.crossings if _joins(case, each, ways, waters)]
        for crossing in there:
            if crossing.kind not in kinds:
                yield Sentence(
                    "{crossing} is a {kind}, not a {kinds}",
                    crossing=crossing.id,
                    kind=said(crossing.kind),
                    kinds=" or ".join(map(said, kinds)),
                )
        yield from _at_every_meeting(case, there, ways, waters)
        yield from _in_place(case, there)
        yield from _as_counted(case, there, stage, kinds)

    return check


def _joins(case: Case, crossing: Crossing, ways: tuple[Kind, ...], waters: tuple[Kind, ...]) -> bool:
    way, water = case.course(crossing.way), case.course(crossing.water)
    return way is not None and water is not None and way.kind in ways and water.kind in waters


def _at_every_meeting(case: Case, there: list[Crossing], ways: tuple[Kind, ...], waters: tuple[Kind, ...]) -> Faults:
    """Yield where lines cross on the board outside the areas of every crossing: a run of shared areas has but one."""
    ground = case.hull.buffer(-_RIM * case.grid.cell)
    over = {each.id: case.shape(_run(case, each, waters)).buffer(_SLACK * case.grid.cell) for each in there}
    for way in case.courses(*ways):
        for water in case.courses(*waters):
            for place in shapely.get_parts(way.line.intersection(water.line)):
                at = place.centroid
                if ground.contains(at) and not any(shape.contains(at) for shape in over.values()):
                    yield Sentence(
                        "{way} meets {water} at {x:.0f}, {y:.0f} mm, and nothing leads over",
                        way=way.id,
                        water=water.id,
                        x=at.x,
                        y=at.y,
                    )


def _run(case: Case, crossing: Crossing, waters: tuple[Kind, ...]) -> set[Cell]:
    """Return the areas of a crossing, and those on either side that its way shares with whatever it crosses."""
    found, way = set(cells_of(crossing)), case.course(crossing.way)
    wet = {cell for water in case.courses(*waters) for cell in case.takes(water)}
    line = cells_of(way) if way is not None else ()
    for order in (line, line[::-1]):
        for one, other in pairwise(order):
            if one in found and other in wet:
                found.add(other)
    return found


def _in_place(case: Case, there: list[Crossing]) -> Faults:
    for crossing in there:
        way, water = case.course(crossing.way), case.course(crossing.water)
        if way is not None and way.line.distance(crossing.at) > _ON_ITS_WAY:
            yield Sentence("{crossing} does not stand on {way}", crossing=crossing.id, way=way.id)
        if water is not None and water.line.distance(crossing.at) > max(_FAR * case.grid.cell, water.width):
            yield Sentence("{crossing} does not stand at {water}", crossing=crossing.id, water=water.id)


def _as_counted(case: Case, there: list[Crossing], stage: str, kinds: tuple[Kind, ...]) -> Faults:
    """Yield what the log puts on shared areas and is not there, and what is there besides."""
    if not case.record.log:
        return
    last = "connecting" if stage == "roads" and "connecting" in case.recount.stages else stage
    due = Counter((passage.kind, passage.cells) for passage in case.passages(last, *kinds))
    found = Counter((crossing.kind, cells_of(crossing)) for crossing in there if crossing.kind in kinds)
    for kind, cells in due - found:
        yield Sentence("no {kind} at {cells}, where one is due", kind=said(kind), cells=addressed(cells))
    for kind, cells in found - due:
        yield Sentence("a {kind} at {cells}, where none is due", kind=said(kind), cells=addressed(cells))


def _counted_dice(case: Case) -> Faults:
    """Yield each crossing without a die of its own, where dice decide (PW1-22, PW2-43)."""
    if case.asked("crossing") != "die":
        raise UnseenError("crossings were given")
    given = sum(len(way.crossings) for way in case.given.roads)
    thrown = sum(throw.reason.startswith("crossing ") for throw in case.log())
    there = sum(crossing.kind in CROSSED for crossing in case.crossings)
    if thrown + given < there:
        yield Sentence("{there} fords and bridges, {thrown} dice", there=there, thrown=thrown)


_ROADS_OVER_RIVERS: Final = _meetings("roads", ROADS, (Kind.RIVER,), CROSSED)

CHECKS: Final[Mapping[str, Check]] = {
    "PW1-21": _ROADS_OVER_RIVERS,
    "PW2-42": _ROADS_OVER_RIVERS,
    "PW2-61": _meetings("railways", (Kind.RAILWAY,), (Kind.RIVER,), (Kind.RAILWAY_BRIDGE,)),
    "PW2-62": _meetings("railways", (Kind.RAILWAY,), ROADS, (Kind.LEVEL_CROSSING,)),
}

DICE: Final[Check] = _counted_dice
