"""The checker: a verdict for every clause of the rule book, from shapes and log alone.

It measures everything that the shapes show: zones, levels and courses come from outlines and lines, not from the
entries of the record. Dice and choices come from the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, Reasons, combine_checks, verdicts
from printkit.kit.system import Verdict
from printkit.systems.brantley.judge import areas, cards, choices, hills, order, slopes
from printkit.systems.brantley.judge import roads as road_checks
from printkit.systems.brantley.judge.case import BrantleyCase, Check, find_rivers, find_roads
from printkit.systems.brantley.judge.courses import check_first_placer, check_joins_earlier, is_same_edge
from printkit.systems.brantley.judge.order import check_count_and_roll_off, check_order_dice
from printkit.terrain.field.record import Record

# --- Checks shared by rivers and roads, or by several roll-offs -------------------------------------------------------


def check_edges_differ(case: BrantleyCase) -> Faults:
    """Check that a course ends on another edge than it starts from (BR-Q09).

    It yields a sentence for each fault; nothing if there is none.
    """
    for course in (course for course in (*case.rivers, *case.roads) if is_same_edge(course)):
        yield Sentence("{way} starts and ends on the {start} edge", way=course.id, start=course.start.target)


SHARED_CHECKS: Final[Mapping[str, Check]] = {
    "BR-Q09": check_edges_differ,
    "BR-Q11": combine_checks(partial(check_first_placer, find_rivers), partial(check_first_placer, find_roads)),
    "BR-Q14": combine_checks(partial(check_joins_earlier, find_rivers), partial(check_joins_earlier, find_roads)),
    "BR-Q17": combine_checks(
        partial(check_count_and_roll_off, "rivers"), partial(check_count_and_roll_off, "roads"), check_order_dice
    ),
}


# The check of each clause that a record can break.
CHECKS: Final[Mapping[str, Check]] = {
    **areas.CHECKS,
    **cards.CHECKS,
    **areas.AREA_RESULT_CHECKS,
    **hills.CHECKS,
    **order.CHECKS,
    **cards.POLICY_CHECKS,
    **road_checks.RIVER_CHECKS,
    **road_checks.CHECKS,
    **SHARED_CHECKS,
    **slopes.CHECKS,
    **choices.CHECKS,
}

_REASONS: Final = Reasons(
    clauses={
        "BR-101": Sentence("a remark on climate"),
        "BR-204": Sentence("a record cannot show who saw a hand"),
        "BR-D7": Sentence("about dice in a list, which are checked when they are read"),
        "BR-D8": Sentence("can be seen only by comparing two games"),
        "BR-M21": Sentence("can be seen only by comparing two games"),
        "BR-M22": Sentence("a card order for the policies"),
        "BR-M23": Sentence("how to read the policies"),
        "BR-G01": Sentence("the scale for the other lengths"),
        "BR-G04": Sentence("any angle is allowed"),
        "BR-G05": Sentence("about making an outline, not about the outline"),
        "BR-G37": Sentence("about routing a river or road, not about its line"),
        "BR-G58": Sentence("about routing a river or road, not about its line"),
    },
    families={
        "BR-A": Sentence("about printed sheets"),
        "BR-M": Sentence("about the use of the program"),
        "BR-P": Sentence("a probability, not about one single board"),
        "BR-Q": Sentence("leaves no trace in a record"),
        "BR-T": Sentence("a worked example"),
        "BR-X": Sentence("about input, before there is a record"),
    },
)


def judge(record: Record, book: RuleBook) -> tuple[Verdict, ...]:
    """Return a verdict for every clause of the rule book, in its order.

    Raises:
        RecordError: the rule system's object in the record has a wrong member; names it.
    """
    return verdicts(book.clauses, CHECKS, _REASONS, BrantleyCase.from_record(record, book), record)
