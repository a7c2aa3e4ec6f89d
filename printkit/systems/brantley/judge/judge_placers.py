"""The judge on who places rivers and roads, and how many of them: the dice of the log say so."""

from __future__ import annotations

from collections.abc import Sequence

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.brantley.judge.case import PLAYERS, Case, Check
from printkit.systems.brantley.judge.courses import Ways


def due_count(case: Case, stage: str) -> int:
    """Return how many courses the count die gives (BR-401, BR-501).

    Raises:
        UnseenError: there is no log, or no score in it.
    """
    scores = case.scores(stage)
    if not scores:
        raise UnseenError("the log has no die for the number of {stage}", stage=stage)
    return int(case.book.tables[stage].look_up(scores[0]))


def roll_off(scores: Sequence[int], *, a_wins_ties: bool) -> tuple[str, int]:
    """Return who threw higher, A or B, and how many dice that took; no winner where the dice ran out.

    Args:
        scores: A, B, and both again while they are equal (BR-Q17).
        a_wins_ties: whether a tie is settled for A instead.
    """
    for used in range(2, len(scores) + 1, 2):
        first, second = scores[used - 2], scores[used - 1]
        if first != second or a_wins_ties:
            return ("A" if first >= second else "B"), used
    return "", len(scores)


def count_by_die(stage: str, found: Ways) -> Check:
    """Return the check that the count die gave as many as lie on the board."""

    def check(case: Case) -> Faults:
        scores = case.scores(stage)
        if not scores:
            yield Sentence("the log has no die for the number of {stage}", stage=stage)
        elif len(found(case)) != (due := due_count(case, stage)):
            yield Sentence(
                "{count} {stage} lie on the board; the count die {score} gives {due}",
                count=len(found(case)),
                stage=stage,
                score=scores[0],
                due=due,
            )

    return check


def higher_places(stage: str, found: Ways) -> Check:
    """Return the check that a single course was placed by the player who threw higher for it."""

    def check(case: Case) -> Faults:
        scores = case.scores(stage)
        if not scores or due_count(case, stage) != 1:
            return
        winner, _ = roll_off(scores[1:], a_wins_ties=ties_to_a(case))
        if not winner:
            yield Sentence(
                "the log does not settle who places: its dice are {scores}",
                scores=" ".join(map(str, scores[1:])) or Sentence("missing"),
            )
        for way in found(case):
            if winner and way.course.origin.placed_by != winner:
                yield Sentence(
                    "{way} was placed by {placer}; {winner} threw higher",
                    way=way.id,
                    placer=way.course.origin.placed_by or Sentence("nobody"),
                    winner=winner,
                )

    return check


def one_each(found: Ways) -> Check:
    """Return the check that of two courses each player placed one, in the order that the setting says (BR-Q11)."""

    def check(case: Case) -> Faults:
        both = found(case)
        placers = [way.course.origin.placed_by for way in both]
        if len(both) != 2:
            return
        if not any(placers):
            raise UnseenError("the record does not say who placed them")
        if sorted(placers) != list(PLAYERS):
            yield Sentence(
                "{one} and {two} were placed by {first_placer} and {second_placer}",
                one=both[0].id,
                two=both[1].id,
                first_placer=placers[0] or Sentence("nobody"),
                second_placer=placers[1] or Sentence("nobody"),
            )

    return check


def first_of_two(stage: str, found: Ways) -> Check:
    """Return the check of who placed the first of two courses: A, the higher of a roll-off, or he who deploys first."""

    def check(case: Case) -> Faults:
        both = found(case)
        if len(both) != 2 or not both[0].course.origin.placed_by:
            return
        match case.setting("br-q11"):
            case "roll":
                due, _ = roll_off(case.scores(stage)[1:], a_wins_ties=ties_to_a(case))
            case "deployer-order":
                first = case.detail("deployment").get("deploys_first")
                due = first.text() if first else ""
            case _:
                due = "A"
        if due and both[0].course.origin.placed_by != due:
            yield Sentence(
                "{one} was placed by {placed_by}; {due} places the first of two",
                one=both[0].id,
                placed_by=both[0].course.origin.placed_by,
                due=due,
            )

    return check


def ties_to_a(case: Case) -> bool:
    """Return whether a tied roll-off is A's (BR-Q17)."""
    return case.setting("br-q17") == "A-wins"
