"""Check a Solo DBA record by its shapes: all verdicts, and the check of crossings.

A replay of the log proves the clauses about dice (``ROLL_CLAUSES``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, Reasons, combine_checks, ignoring_hand_edits, verdicts
from printkit.kit.system import RollClauses, Verdict
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.dba.ground.terrain_rules import terrain_checks
from printkit.systems.solo.judge import field
from printkit.systems.solo.judge.case import Check, SoloCase
from printkit.systems.solo.terrain.terrain_rules import MADE_RULES, PLACED_RULES
from printkit.terrain.field.record import Record
from printkit.terrain.geometry.measure import find_meetings


def check_crossings(case: SoloCase) -> Faults:
    """Check that there is a crossing wherever a road meets a river, and nowhere else (SD-3.3.5-d).

    It is a bridge if the player has a model of one, otherwise a ford.
    """
    kind, meeting_points = case.terms.crossing_kind, []
    tolerance_mm = case.rules.limit("crossing_off_max")
    for road in case.pieces_of_type(Terrain.ROAD):
        for river in case.pieces_of_type(Terrain.RIVER):
            for meeting in find_meetings(road.line, river.line):
                meeting_points.append(meeting.at)
                near_crossings = [
                    candidate for candidate in case.crossings if candidate.at.distance(meeting.at) <= tolerance_mm
                ]
                if [candidate.kind for candidate in near_crossings] != [kind]:
                    yield Sentence(
                        "there is no {kind} where {road} meets {river}", road=road.id, river=river.id, kind=kind.value
                    )
    for crossing in case.crossings:
        if all(crossing.at.distance(point) > tolerance_mm for point in meeting_points):
            yield Sentence("{crossing} is not where a road meets a river", crossing=crossing.id)


_SHAPE_CHECKS: Final[Mapping[str, Check]] = terrain_checks(PLACED_RULES, MADE_RULES)

# The check of each clause that the shapes of a record can break.
CHECKS: Final[Mapping[str, Check]] = {
    **field.CHECKS,
    **_SHAPE_CHECKS,
    # SD-3.3-b: the limits that the rule book of DBA sets for any board (F-06).
    "SD-3.3-b": combine_checks(field.check_quarters, _SHAPE_CHECKS["SD-3.3-b"]),
    **{
        clause: ignoring_hand_edits(check)
        for clause, check in _SHAPE_CHECKS.items()
        if clause.startswith(("SD-3.3.1-r", "SD-3.3.2-r", "SD-3.3.4-r", "SD-3.3.4-b"))
    },
    "SD-3.3.5-d": check_crossings,
}

# The clauses about dice, and the selection of terrain.
ROLL_CLAUSES: Final = RollClauses(
    clauses=frozenset(
        (
            *("SD-2.1-a", "SD-2.2-b", "SD-2.2-c", "SD-2.2-d", "SD-2.2.1-a", "SD-2.3-a", "SD-3.1-a", "SD-3.1.1-a"),
            *("SD-3.1.1-b", "SD-3.1.1-r1", "SD-3.1.1-r2", "SD-3.1.1-m1", "SD-3.1.1-m2", "SD-3.1.1-m3", "SD-3.1.1-m4"),
            *("SD-3.1.2-a", "SD-3.1.2-m1", "SD-3.1.2-r1", "SD-3.2.1-a", "SD-3.2.1-r1", "SD-3.2.1-r2"),
            *("SD-3.2.1-m1", "SD-3.2.1-m2", "SD-3.2.1-m3", "SD-3.2.1-m4", "SD-3.2.1-m5", "SD-3.2.2-a", "SD-3.2.2-b"),
            *("SD-3.2.3-a", "SD-3.2.3-b", "SD-3.2.3-e", "SD-3.3-c", "AMB-04", "AMB-11", "AMB-13"),
        )
    ),
    members={
        "": "SD-3.2.3-d",
        "armies": "SD-2.1-a",
        "composition": "SD-2.2-b",
        "attack": "SD-2.3-a",
        "terrain": "SD-3.2.3-a",
        "terrain.pieces": "SD-3.2.3-d",
        "terrain.pieces.compulsory": "SD-3.1-a",
        "terrain.pieces.result": "SD-3.3-b",
        "terrain.left_out": "SD-3.2.3-d",
        "terrain.placement": "SD-3.3-b",
    },
)

_REASONS: Final = Reasons(
    clauses={
        "SD-3.3-a": Sentence("where you sit cannot be checked from a record"),
        "SD-3.3.4-a": Sentence("the nine sectors, checked where features are in them"),
        "SD-3.3.5-e": Sentence("the nine sectors, checked where roads are in them"),
    },
    families={
        "SD-1": Sentence("a term, or the purpose of the rules"),
        "SD-2": Sentence("about armies, before there is a battlefield"),
        "SD-4": Sentence("about edges and deployment, after the battlefield is made"),
        "SD-5": Sentence("about play"),
        "AMB": Sentence("an interpretation of the rules, checked where it is used"),
        "ST-": Sentence("a worked example"),
    },
)


def judge(record: Record, book: RuleBook) -> tuple[Verdict, ...]:
    """Return a verdict for every clause of the rule book, in its order.

    Raises:
        RecordError: a member of the rule system's object in the record is wrong. The message names it.
    """
    return verdicts(book.clauses, CHECKS, _REASONS, SoloCase.of_record(record, book), record)
