"""Check a record: a verdict for every clause of the rule book, from its log, zones, graph and shapes.

If several parts of a record can break a clause, all of them are checked. A battlefield drawn by hand has only shapes,
so clauses about dice are not checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Reasons, verdicts
from printkit.kit.rules import Rules
from printkit.kit.system import Verdict
from printkit.systems.acw.judge import courses, network, positions, relations, shapes, zones
from printkit.systems.acw.judge.case import AcwCase, Check, combine_checks
from printkit.terrain.field.record import Record

_CHECK_GROUPS: Final = (
    zones.CHECKS,
    zones.MEMBER_CHECKS,
    network.CHECKS,
    shapes.CHECKS,
    positions.CHECKS,
    relations.CHECKS,
    courses.CHECKS,
    courses.RECORDED_END_CHECKS,
    network.CROSSING_CHECKS,
)


def _combine_groups() -> Mapping[str, Check]:
    """Return one check for each clause ID; a clause in several groups gets a check that combines them."""
    checks_by_clause: dict[str, list[Check]] = {}
    for group in _CHECK_GROUPS:
        for clause, check in group.items():
            checks_by_clause.setdefault(clause, []).append(check)
    return {
        clause: checks[0] if len(checks) == 1 else combine_checks(*checks)
        for clause, checks in checks_by_clause.items()
    }


# The check for each clause that can be checked in a record, except the rows of the State table.
CHECKS: Final[Mapping[str, Check]] = _combine_groups()

_REASONS: Final = Reasons(
    clauses={
        "AC-102": Sentence("who placed the terrain cannot be checked from a record"),
        "AC-104": Sentence("the letters of the geographies are names only"),
        "AC-202": Sentence("an example of a division into zones"),
        "AC-203": Sentence("a plan drawn by hand cannot be checked from a record"),
        "AC-G03": Sentence("the order of placement, which the shapes do not show"),
        "AC-G09": Sentence("can be seen only by comparing two games"),
        "AC-D6": Sentence("about dice in a list, which are checked when they are read"),
    },
    families={
        "AC-A": Sentence("about printed sheets"),
        "AC-M": Sentence("about the use of the program"),
        "AC-P": Sentence("a probability, which a single table cannot show"),
        "AC-Q": Sentence("an interpretation of the rules, checked where it is used"),
        "AC-T": Sentence("a worked example"),
        "AC-X": Sentence("about input, before there is a record"),
    },
)


def judge(record: Record, book: RuleBook) -> tuple[Verdict, ...]:
    """Return a verdict for every clause of the rule book, in its order.

    Raises:
        RecordError: a member of the rule system's object is wrong; the message names it.
    """
    case = AcwCase(record=record, rules=Rules.of_record(book, record))
    checks: Mapping[str, Check] = {
        **CHECKS,
        **{region.clause: partial(zones.check_state, region) for region in case.tables.regions},
    }
    return verdicts(book.clauses, checks, _REASONS, case, record)
