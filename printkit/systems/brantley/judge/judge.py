"""The checker: a verdict for every clause of the rule book that shapes can break, from the shapes alone.

It measures zones, levels and courses from outlines and lines, not from the entries of the record. A replay of the log
proves the clauses about cards, dice and turns (``ROLL_CLAUSES``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, Reasons, combine_checks, verdicts
from printkit.kit.system import RollClauses, Verdict
from printkit.systems.brantley.judge import areas, choices, game, slopes
from printkit.systems.brantley.judge import roads as road_checks
from printkit.systems.brantley.judge.case import BrantleyCase, Check, find_rivers, find_roads
from printkit.systems.brantley.judge.courses import check_joins_earlier, is_same_edge
from printkit.terrain.field.record import Record


def check_edges_differ(case: BrantleyCase) -> Faults:
    """Check that a course ends on another edge than it starts from (BR-Q09).

    It yields a sentence for each fault; nothing if there is none.
    """
    for course in (course for course in (*case.rivers, *case.roads) if is_same_edge(course)):
        yield Sentence("{way} starts and ends on the {start} edge", way=course.id, start=course.start.target)


# The check of each clause that the shapes of a record can break.
CHECKS: Final[Mapping[str, Check]] = {
    **game.CHECKS,
    **areas.CHECKS,
    **areas.AREA_RESULT_CHECKS,
    **road_checks.RIVER_CHECKS,
    **road_checks.CHECKS,
    **slopes.CHECKS,
    **choices.CHECKS,
    "BR-327": slopes.check_side_numbers,
    "BR-Q09": check_edges_differ,
    "BR-Q14": combine_checks(partial(check_joins_earlier, find_rivers), partial(check_joins_earlier, find_roads)),
}

# The clauses about cards, dice and turns.
ROLL_CLAUSES: Final = RollClauses(
    clauses=frozenset(
        (
            *("BR-102", "BR-103", "BR-104", "BR-201", "BR-202", "BR-203", "BR-205", "BR-206", "BR-207", "BR-208"),
            *("BR-209", "BR-321", "BR-322", "BR-323", "BR-324", "BR-325", "BR-328", "BR-329", "BR-330", "BR-331"),
            *("BR-332", "BR-341", "BR-401", "BR-402", "BR-403", "BR-501", "BR-502", "BR-503"),
            *("BR-701", "BR-702", "BR-703", "BR-D1", "BR-D2", "BR-D3", "BR-D4", "BR-D5", "BR-D6"),
            *("BR-M24", "BR-M25", "BR-M26", "BR-M27", "BR-Q01", "BR-Q02", "BR-Q03", "BR-Q04", "BR-Q05"),
            *("BR-Q11", "BR-Q17", "BR-Q19", "BR-Q20"),
        )
    ),
    members={
        "": "BR-G90",
        "zones": "BR-206",
        "zones.placed_by": "BR-205",
        "zones.turn": "BR-207",
        "zones.blind": "BR-208",
        "first": "BR-Q02",
        "hands": "BR-203",
        "deck": "BR-202",
        "hills": "BR-321",
        "hills.woods": "BR-328",
        "rivers": "BR-401",
        "rivers.placed_by": "BR-402",
        "roads": "BR-501",
        "roads.placed_by": "BR-502",
        "deployment.depth_mm": "BR-701",
        "deployment.deploys_first": "BR-702",
        "deployment.moves_first": "BR-703",
    },
)

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
