"""What a record shows of the clauses: for the time being nothing is judged, and nothing is called kept."""

from __future__ import annotations

from printkit.rules.book import RuleBook
from printkit.rules.system import Verdict
from printkit.terrain.record import Record


def judge(record: Record, book: RuleBook) -> tuple[Verdict, ...]:
    """Return a verdict for every clause of the book."""
    del record
    return tuple(Verdict(clause, "not judged") for clause in book.clauses)
