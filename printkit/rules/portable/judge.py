"""The judge: a verdict for every clause of the book, from shapes, areas and log alone.

What a file says of how things came about is not believed: the log is counted out once more, to the very areas; what
stands where, how high, how wide and how it hangs together is read from shapes. A clause that neither shows is not
judged, and never called kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.errors import Sentence
from printkit.rules.book import RuleBook
from printkit.rules.judging import Reasons, both, verdicts
from printkit.rules.portable import (
    judge_bands,
    judge_counting,
    judge_country,
    judge_courses,
    judge_crossings,
    judge_grid,
    judge_ground,
    judge_order,
    judge_places,
)
from printkit.rules.portable.judge_case import Case, Check
from printkit.rules.system import Verdict
from printkit.terrain.record import Record

CHECKS: Final[Mapping[str, Check]] = {
    **judge_bands.CHECKS,
    **judge_counting.CHECKS,
    **judge_country.CHECKS,
    **judge_courses.CHECKS,
    **judge_crossings.CHECKS,
    **judge_grid.CHECKS,
    **judge_ground.CHECKS,
    **judge_order.CHECKS,
    **judge_places.CHECKS,
    "PW2-38": both(judge_country.CHECKS["PW2-38"], judge_ground.LAKES),
    "PW2-39": both(judge_country.CHECKS["PW2-39"], judge_ground.MARSHES),
    "PW2-50": both(judge_country.CHECKS["PW2-50"], judge_ground.WOODS),
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


def judge(record: Record, book: RuleBook) -> tuple[Verdict, ...]:
    """Return a verdict for every clause that the book lists, in its order."""
    grid = record.battlefield.grid
    if grid is None:
        return tuple(
            Verdict(clause, "broken", Sentence("the record has no grid"))
            if clause == "PW0-01"
            else Verdict(clause, "not judged", Sentence("the record has no grid"))
            for clause in book.clauses
        )
    return verdicts(book.clauses, CHECKS, _REASONS, Case(record, book, grid), record.rules)
