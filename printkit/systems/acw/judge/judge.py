"""Check a record: a verdict for every clause of the rule book that its shapes can break.

Shapes are compared with the rules, and with the zones and the graph of the record. A replay of the log proves the
clauses about dice, zones and links (``ROLL_CLAUSES``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Reasons, verdicts
from printkit.kit.rules import Rules
from printkit.kit.system import RollClauses, Verdict
from printkit.systems.acw.judge import courses, positions, relations, shapes, zones
from printkit.systems.acw.judge.case import AcwCase, Check, combine_checks
from printkit.terrain.field.record import Record

_CHECK_GROUPS: Final = (
    zones.CHECKS,
    shapes.CHECKS,
    positions.CHECKS,
    relations.CHECKS,
    courses.CHECKS,
    courses.RECORDED_END_CHECKS,
    *courses.RULE_CHECKS,
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

# The clauses about rolls, zones and the links between them.
ROLL_CLAUSES: Final = RollClauses(
    clauses=frozenset(
        (
            *("AC-201", "AC-204", "AC-205", "AC-206", "AC-207", "AC-208", "AC-209", "AC-210", "AC-212", "AC-410"),
            *("AC-D3", "AC-D4", "AC-N01", "AC-N03", "AC-N12", "AC-N15", "AC-N21", "AC-N22", "AC-N23", "AC-N32"),
        )
    ),
    members={
        "": "AC-G09",
        "state": "AC-103",
        "geography": "AC-103",
        "table": "AC-103",
        "grid": "AC-201",
        "water": "AC-303",
        "zones": "AC-204",
        "zones.cell": "AC-205",
        "zones.piece": "AC-205",
        "zones.fate": "AC-212",
        "zones.name": "AC-301",
        "zones.throw": "AC-D3",
        "graph": "AC-211",
        "graph.roads.links": "AC-N02",
        "graph.roads.ends": "AC-N10",
        "graph.streams.links": "AC-N02",
        "graph.streams.mouths": "AC-N20",
        "graph.streams.sources": "AC-N25",
        "graph.rail": "AC-N32",
        "graph.swamps": "AC-N33",
        "graph.creek": "AC-N30",
        "reaches": "AC-N04",
        "features": "AC-205",
    },
)

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
        **{region.clause: zones.require_region(region) for region in case.tables.regions},
    }
    return verdicts(book.clauses, checks, _REASONS, case, record)
