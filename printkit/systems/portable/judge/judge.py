"""The checker: a verdict for every clause, from shapes, areas and the log, including the order of steps and dice.

It does not trust what a record says about how features were placed. It replays the log on the grid, and reads position,
height, width and connection from the shapes. If neither shows a clause, the verdict is "not judged", never "kept".
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby, pairwise
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, Reasons, verdicts
from printkit.kit.rules import Rules
from printkit.kit.system import RollClauses, Verdict
from printkit.systems.portable.grid.terms import SketchSteps
from printkit.systems.portable.judge import bands, counting, courses, geography, grid, ground, places
from printkit.systems.portable.judge.case import Check, PortableCase
from printkit.systems.portable.judge.counting import log_check
from printkit.terrain.field.record import Record

# --- Checks of the order of steps and dice in the log (PW1-01, PW1-16..PW1-55, PW2-01) --------------------------------


def _check_steps(case: PortableCase) -> Faults:
    """Check that the steps are in the order of the rules, each complete before the next (PW1-01, PW2-01)."""
    stages = [stage for stage, _ in groupby(case.throws(), key=lambda throw: throw.stage)]
    order = case.recount.stages
    for stage in dict.fromkeys(stages):
        if stage not in order:
            yield Sentence("the log has a stage {stage!r}, which these rules do not have", stage=stage)
        if stages.count(stage) > 1:
            yield Sentence("the log goes back to {stage}", stage=stage)
    positions = [order.index(stage) for stage in stages if stage in order]
    for first, second in pairwise(positions):
        if second < first:
            yield Sentence("{second} come after {first}", second=order[second], first=order[first])


_CHAINED: Final = ("hills", "lakes", "marshes", "trees", "habitation")

ORDER_CHECKS: Final[Mapping[str, Check]] = {
    "PW1-01": _check_steps,
    "PW2-01": _check_steps,
    "PW1-16": log_check("rivers"),
    "PW1-22": log_check("roads"),
    "PW1-33": log_check("hills"),
    "PW1-55": log_check("habitation"),
    "PW2-21": log_check("hills"),
    "PW2-37": log_check("rivers"),
    "PW2-43": log_check("roads"),
    "PW2-74": log_check("fields"),
    "PWA-15": log_check(*_CHAINED),
    "PWA-17": log_check("hills"),
}


# The checks of all clauses that a record can show to be broken.
CHECKS: Final[Mapping[str, Check]] = {
    **bands.CHECKS,
    **counting.CHECKS,
    **geography.CHECKS,
    **courses.CHECKS,
    **ground.CROSSING_CHECKS,
    **grid.CHECKS,
    **ground.CHECKS,
    **ORDER_CHECKS,
    **places.CHECKS,
}

# No clause is for the replay alone, because the checks recount the dice. It compares what they do not look at.
ROLL_CLAUSES: Final = RollClauses(
    clauses=frozenset(),
    members={"": "PW0-14", "geography": "PW0-17", "notes": "PW0-11", "features": "PW0-02"},
)

_REASONS: Final = Reasons(
    clauses={
        "PW1-63": Sentence("a remark about another grid"),
        "PWA-01": Sentence("about the captions of the published example"),
        "PWA-07": Sentence("the course shows whose left is meant; its direction die is checked"),
        "PWA-13": Sentence("any height is allowed"),
        "PW-WE2": Sentence("a worked example"),
    },
)


def judge(record: Record, book: RuleBook, steps: SketchSteps) -> tuple[Verdict, ...]:
    """Return a verdict for every clause of the book, in its order.

    A record without a grid breaks PW0-01, and no other clause is checked.
    """
    grid = record.battlefield.grid
    if grid is None:
        return tuple(
            Verdict(clause, "broken", Sentence("the record has no grid"))
            if clause == "PW0-01"
            else Verdict(clause, "not judged", Sentence("the record has no grid"))
            for clause in book.clauses
        )
    rules = Rules.of_record(book, record, units={"cell": grid.cell})
    case = PortableCase(record=record, rules=rules, grid=grid, steps=steps)
    return verdicts(book.clauses, CHECKS, _REASONS, case, record)
