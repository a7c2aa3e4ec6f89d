"""The judge: a verdict for every clause of the rule book, from shapes and log alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Reasons, verdicts
from printkit.kit.system import Verdict
from printkit.systems.solo.judge import field as judge_field
from printkit.systems.solo.judge import judge_courses
from printkit.systems.solo.judge import selection as judge_selection
from printkit.systems.solo.judge.case import Case, Check
from printkit.terrain.field.record import Record

CHECKS: Final[Mapping[str, Check]] = {**judge_selection.CHECKS, **judge_field.CHECKS, **judge_courses.CHECKS}
"""Every clause that a record can be seen to break, and what looks for it."""

_REASONS: Final = Reasons(
    clauses={
        "SD-3.3-a": Sentence("where the person sits leaves no trace"),
        "SD-3.3.4-a": Sentence("the nine sectors, judged where pieces lie in them"),
        "SD-3.3.5-e": Sentence("the nine sectors, judged where roads lie in them"),
    },
    families={
        "SD-1": Sentence("a term, or what the rules are for"),
        "SD-2": Sentence("about armies, before there is a field"),
        "SD-4": Sentence("about edges and deployment, after there is a field"),
        "SD-5": Sentence("about play"),
        "AMB": Sentence("a reading of the rules, judged where it is used"),
        "ST-": Sentence("a worked example"),
    },
)


def judge(record: Record, book: RuleBook) -> tuple[Verdict, ...]:
    """Return a verdict for every clause that the book lists, in its order.

    Raises:
        RecordError: the object of the rule system has a wrong member; names it.
    """
    return verdicts(book.clauses, CHECKS, _REASONS, Case.of(record, book), record.rules)
