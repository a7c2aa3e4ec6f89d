"""The judge: a verdict for every clause of the book, from shapes, areas and log alone.

What a file says of how things came about is not believed: the log is counted out once more, to the very areas; what
stands where, how high, how wide and how it hangs together is read from shapes. A clause that neither shows is not
judged, and never called kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Reasons, both, verdicts
from printkit.kit.system import Verdict
from printkit.systems.portable.judge import bands as judge_bands
from printkit.systems.portable.judge import counting as judge_counting
from printkit.systems.portable.judge import country as judge_country
from printkit.systems.portable.judge import courses as judge_courses
from printkit.systems.portable.judge import grid as judge_grid
from printkit.systems.portable.judge import ground as judge_ground
from printkit.systems.portable.judge import judge_crossings, judge_order
from printkit.systems.portable.judge import places as judge_places
from printkit.systems.portable.judge.case import Case, Check
from printkit.terrain.field.record import Record

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
