"""The judge: a verdict for every clause of the rule book, from shapes and log alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Reasons, verdicts
from printkit.kit.system import Verdict
from printkit.systems.dba3.judge import areas as judge_areas
from printkit.systems.dba3.judge import courses as judge_courses
from printkit.systems.dba3.judge import judge_choice
from printkit.systems.dba3.judge.case import Case, Check
from printkit.terrain.field.record import Record

CHECKS: Final[Mapping[str, Check]] = {**judge_choice.CHECKS, **judge_areas.CHECKS, **judge_courses.CHECKS}
"""Every clause of DBA 3 that a record can be seen to break, and what looks for it."""

REASONS: Final[Mapping[str, str]] = {
    "D3-27": Sentence("how natural an outline looks"),
    "D3-61": Sentence("about camps, after there is a field"),
    "D3-62": Sentence("about camps, after there is a field"),
    "D3-63": Sentence("about camps, after there is a field"),
    "D3-64": Sentence("about play"),
    "D3-65": Sentence("before there is a field"),
    "D3-67": Sentence("a term of these rules"),
    "D3-68": Sentence("what is replaced is judged where it is used"),
}


def judge(
    record: Record, book: RuleBook, checks: Mapping[str, Check] = CHECKS, reasons: Mapping[str, str] = REASONS
) -> tuple[Verdict, ...]:
    """Return a verdict for every clause that the book lists, in its order.

    Args:
        checks: what looks for breaches, by clause.
        reasons: why a clause without a check is not judged, beyond those known here.

    Raises:
        RecordError: the object of the rule system has a wrong member; names it.
    """
    why_not = Reasons(clauses={**REASONS, **reasons}, otherwise=Sentence("nothing of it shows in a record of terrain"))
    return verdicts(book.clauses, checks, why_not, Case.of(record, book), record.rules)
