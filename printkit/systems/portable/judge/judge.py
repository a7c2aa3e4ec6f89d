"""The judge: a verdict for every clause, from shapes, areas and log alone, the order of steps and dice among them.

What a file says of how things came about is not believed: the log is counted out once more, to the very areas; what
stands where, how high, how wide and how it hangs together is read from shapes. A clause that neither shows is not
judged, and never called kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from itertools import groupby, pairwise
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, Reasons, both, verdicts
from printkit.kit.rules import Rules
from printkit.kit.system import Verdict
from printkit.systems.portable.grid.terms import SketchSteps
from printkit.systems.portable.judge import bands, counting, country, courses, grid, ground, places
from printkit.systems.portable.judge.case import Case, Check
from printkit.systems.portable.judge.ground import DICE
from printkit.terrain.field.record import Record

# --- The judge of the order of steps and dice, as the log has them (PW1-01, PW1-16..PW1-55, PW2-01 --------------------

_FIRST: Final = ("rivers", "roads", "hills", "trees", "habitation")
_HILLS_FIRST: Final = ("hills", "rivers", "roads", "trees", "habitation")
_SECOND: Final = (
    "hills", "rivers", "lakes", "marshes", "roads", "trees", "habitation", "connecting", "railways", "fields",
)  # fmt: skip

_HILLS_1: Final = ("number of", "height of", "start row", "hill|mountain|does|direction")
_HILLS_2: Final = ("number of", "start row", "hill|does|direction", "height of")
_ENDS_1: Final = ("entry of", "exit of", "station of the entry", "station of the exit of", "exit of .* again")
_RIVER_1: Final = (*_ENDS_1, "width of", "which way round")
_ROAD_1: Final = (*_ENDS_1, "which way round", "crossing")
_ENDS_2: Final = (r"entry of [a-z]+ \d+$", r"exit of [a-z]+ \d+$", "entry of .* area", "exit of .* area")
_RIVER_2: Final = (*_ENDS_2, "width of", "bank of", "which way round")
_ROAD_2: Final = (*_ENDS_2, "which way round", "crossing of")
_FIELDS: Final = ("number of", "round", "direction of", "use of")


def _steps(case: Case) -> Faults:
    """PW1-01, PW2-01: the steps of the rules, each complete before the next."""
    stages = [stage for stage, _ in groupby(case.throws(), key=lambda throw: throw.stage)]
    order: tuple[str, ...] = _SECOND
    if case.rules.book.name == "portable-1":
        order = _HILLS_FIRST if case.asked("pw1.order") == "hills-first" else _FIRST
    for stage in dict.fromkeys(stages):
        if stage not in order:
            yield Sentence("the log has a stage {stage!r}, which these rules do not know", stage=stage)
        if stages.count(stage) > 1:
            yield Sentence("the log goes back to {stage}", stage=stage)
    known = [order.index(stage) for stage in stages if stage in order]
    for one, other in pairwise(known):
        if other < one:
            yield Sentence("{second} come after {first}", second=order[other], first=order[one])


def _sequence(stage: str, patterns: tuple[str, ...], case: Case, *, each: bool = False) -> Faults:
    """The dice of a stage come in an order, which begins anew for ``each`` course.

    Patterns may be left out, as where something is given. And the log is what the rules ask for, line by line.
    """
    last = 0
    for throw in case.throws(stage):
        fits = [place for place, pattern in enumerate(patterns) if re.match(pattern, throw.reason)]
        if not fits:
            yield Sentence("{reason} is no die of {stage}", reason=throw.reason, stage=stage)
            continue
        place = next((place for place in fits if place >= last), None)
        if place is None and not (each and last >= 1):
            yield Sentence("{reason} comes too late", reason=throw.reason)
        last = fits[-1] if place is None else place
    if stage in case.recount.astray:
        yield case.recount.astray[stage]


ORDER_CHECKS: Final[Mapping[str, Check]] = {
    "PW1-01": _steps,
    "PW1-16": partial(_sequence, "rivers", _RIVER_1, each=True),
    "PW1-22": both(partial(_sequence, "roads", _ROAD_1, each=True), DICE),
    "PW1-33": partial(_sequence, "hills", _HILLS_1),
    "PW1-55": partial(_sequence, "habitation", ("number of", "start row", "settlement|village|town|direction")),
    "PW2-01": _steps,
    "PW2-21": partial(_sequence, "hills", _HILLS_2),
    "PW2-37": partial(_sequence, "rivers", _RIVER_2, each=True),
    "PW2-43": both(partial(_sequence, "roads", _ROAD_2, each=True), DICE),
    "PW2-74": partial(_sequence, "fields", _FIELDS),
}


CHECKS: Final[Mapping[str, Check]] = {
    **bands.CHECKS,
    **counting.CHECKS,
    **country.CHECKS,
    **courses.CHECKS,
    **ground.CROSSING_CHECKS,
    **grid.CHECKS,
    **ground.CHECKS,
    **ORDER_CHECKS,
    **places.CHECKS,
    "PW2-38": both(country.CHECKS["PW2-38"], ground.LAKES),
    "PW2-39": both(country.CHECKS["PW2-39"], ground.MARSHES),
    "PW2-50": both(country.CHECKS["PW2-50"], ground.WOODS),
}
"""Every clause that a record can be seen to break, and what looks for it."""

_REASONS: Final = Reasons(
    clauses={
        "PW1-63": Sentence("a remark on another grid"),
        "PWA-01": Sentence("about the captions of the published example"),
        "PWA-07": Sentence("whose left is meant shows in the course, which is judged by the die of the way round"),
        "PWA-13": Sentence("no height forbids anything"),
        "PW-WE2": Sentence("a worked example"),
    },
)


def judge(record: Record, book: RuleBook, steps: SketchSteps) -> tuple[Verdict, ...]:
    """Return a verdict for every clause that the book lists, in its order."""
    grid = record.battlefield.grid
    if grid is None:
        return tuple(
            Verdict(clause, "broken", Sentence("the record has no grid"))
            if clause == "PW0-01"
            else Verdict(clause, "not judged", Sentence("the record has no grid"))
            for clause in book.clauses
        )
    rules = Rules.of_record(book, record, units={"cell": grid.cell})
    case = Case(record=record, rules=rules, grid=grid, steps=steps)
    return verdicts(book.clauses, CHECKS, _REASONS, case, record)
