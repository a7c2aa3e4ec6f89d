"""The judge: a verdict for every clause of the rule book, from shapes and log alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.errors import RecordError
from printkit.rules.book import RuleBook
from printkit.rules.solo_dba import judge_courses, judge_field, judge_selection
from printkit.rules.solo_dba.judge_case import Case, Check, UnseenError
from printkit.rules.system import Verdict
from printkit.terrain.record import Record

CHECKS: Final[Mapping[str, Check]] = {**judge_selection.CHECKS, **judge_field.CHECKS, **judge_courses.CHECKS}
"""Every clause that a record can be seen to break, and what looks for it."""

_REASONS: Final[Mapping[str, str]] = {
    "SD-3.3-a": "where the person sits leaves no trace",
    "SD-3.3.4-a": "the nine sectors, judged where pieces lie in them",
    "SD-3.3.5-e": "the nine sectors, judged where roads lie in them",
}

_REASONS_BY_FAMILY: Final[Mapping[str, str]] = {
    "SD-1": "a term, or what the rules are for",
    "SD-2": "about armies, before there is a field",
    "SD-4": "about edges and deployment, after there is a field",
    "SD-5": "about play",
    "AMB": "a reading of the rules, judged where it is used",
    "ST-": "a worked example",
}

_NAMED_AT_MOST: Final = 3


def judge(record: Record, book: RuleBook) -> tuple[Verdict, ...]:
    """Return a verdict for every clause that the book lists, in its order.

    Raises:
        RecordError: the object of the rule system has a wrong member; names it.
    """
    case = Case.of(record, book)
    return tuple(_verdict(clause, case) for clause in book.clauses)


def _verdict(clause: str, case: Case) -> Verdict:
    if clause not in CHECKS:
        reason = _REASONS.get(clause) or _of_family(clause)
        return Verdict(clause, "not judged", reason)
    try:
        faults = list(CHECKS[clause](case))
    except UnseenError as unseen:
        return Verdict(clause, "not judged", str(unseen))
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise RecordError(f"the object solo-dba of the record cannot be read for {clause}: {error!r}") from None
    if not faults:
        return Verdict(clause, "kept")
    more = len(faults) - _NAMED_AT_MOST
    return Verdict(clause, "broken", "; ".join(faults[:_NAMED_AT_MOST]) + (f"; and {more} more" if more > 0 else ""))


def _of_family(clause: str) -> str:
    for family, reason in _REASONS_BY_FAMILY.items():
        if clause.startswith(family):
            return reason
    return "nothing of it shows in a record"
