"""Checks of the course of the game: order of steps and dice, deployment, and a consistent record."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import Final

from printkit.chance.dice import Act
from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, combine_checks
from printkit.systems.brantley.dealing.cards import GOOD_GOING
from printkit.systems.brantley.dealing.deal import PLAYERS, ZONES, opponent
from printkit.systems.brantley.dealing.facts import CourseFacts
from printkit.systems.brantley.dealing.game_rules import rule_inch_mm
from printkit.systems.brantley.judge.case import BrantleyCase, Check
from printkit.systems.brantley.judge.courses import decide_roll_off, expected_count, starts_at
from printkit.terrain.field.battlefield import Overlay

# The three steps of building, by the stages of the log.
STEPS: Final[Mapping[str, int]] = {"deal": 0, "placing": 0, "features": 0, "hills": 0, "rivers": 1, "roads": 2}


def check_dice_values(case: BrantleyCase) -> Faults:
    """Check that chance comes from one pack and six-sided dice (BR-102).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record has no log.
    """
    for place, throw in enumerate(case.throws(), 1):
        if throw.act is Act.DIE and throw.asked != "d6":
            yield Sentence(
                "line {place} of the log asks for {asked}; only six-sided dice are used",
                place=place,
                asked=throw.asked,
            )
        elif throw.act is Act.DIE and throw.answer not in ("1", "2", "3", "4", "5", "6"):
            yield Sentence(
                "line {place} of the log shows {answer} on a six-sided die", place=place, answer=throw.answer
            )


def check_step_order(case: BrantleyCase) -> Faults:
    """Check the order: card terrain, then rivers, then roads (BR-103).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record has no log.
    """
    steps = [(place, throw) for place, throw in enumerate(case.throws(), 1) if throw.stage in STEPS]
    for earlier, later in pairwise(steps):
        stages = earlier[1].stage, later[1].stage
        if STEPS[stages[1]] < STEPS[stages[0]]:
            yield Sentence(
                "line {later} of the log ({second}) comes after {first}",
                later=later[0],
                second=stages[1],
                first=stages[0],
            )


def check_opposite_edges(case: BrantleyCase) -> Faults:
    """Check that the players' deployment areas are at opposite edges (BR-107).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record lacks the deployment areas.
    """
    for player, overlays in _deployment_overlays(case).items():
        for overlay in overlays:
            _, low, _, high = overlay.shape.bounds
            # An area as deep as the board is not on either side: it touches both edges.
            far_gap, near_gap = case.board.depth - high, low
            if max(far_gap, near_gap) > case.touch_mm and (far_gap < near_gap) != (player == "A"):
                yield Sentence(
                    "the deployment area of {player} is on the {half} side",
                    player=player,
                    half=Sentence("far") if far_gap < near_gap else Sentence("near"),
                )


def check_first_player_dice(case: BrantleyCase) -> Faults:
    """Check that dice for the first placer occur only with ``first=roll`` (BR-D1).

    They stop when they differ. It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record has no log.
    """
    scores = [score for stage in ("deal", "placing") for score in case.scores(stage)]
    if case.rules.choice("br-q02") == "roll":
        yield from _check_roll_off(scores, Sentence("who places the first card"))
    elif scores:
        yield Sentence(
            "the log has {count} dice before the reveal; the first placer is decided without dice", count=len(scores)
        )


def check_count_and_roll_off(stage: str, case: BrantleyCase) -> Faults:
    """Check for one count die, then the roll-off if it gives exactly one (BR-D3, BR-D4).

    It yields a sentence for each fault; nothing if there is none. ``stage`` is ``rivers`` or ``roads``.

    Raises:
        UnseenError: the record has no log.
    """
    scores = case.scores(stage)
    if not scores:
        yield Sentence("the log has no count die for {stage}", stage=stage)
    elif expected_count(case, stage) == 1:
        yield from _check_roll_off(scores[1:], Sentence("who places in {stage}", stage=stage))
    elif len(scores) > 1:
        yield Sentence(
            "{left} dice follow the count die {score} of {stage}, but none are needed",
            left=len(scores) - 1,
            score=scores[0],
            stage=stage,
        )


def check_crossing_dice(case: BrantleyCase) -> Faults:
    """Check that each crossing has a die, only with ``crossing=die`` (BR-D5).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record has no log.
    """
    dice = len(case.dice("crossings"))
    due = len(case.crossings) if case.rules.choice("br-q16") == "die" else 0
    if dice != due:
        yield Sentence("the log has {dice} dice for crossings; it should have {due}", dice=dice, due=due)


def check_order_dice(case: BrantleyCase) -> Faults:
    """Check that the last dice are A and B, both again while they are equal (BR-D6).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the order was agreed, or there is no log.
    """
    if case.rules.choice("br-q19") in PLAYERS:
        raise UnseenError("the players agreed on the order")
    yield from _check_roll_off(case.scores("order"), Sentence("who deploys first"))
    stages = [throw.stage for throw in case.dice()]
    if "order" in stages and stages[-1] != "order":
        yield Sentence("after the dice for the order of deployment comes another die, for {last}", last=stages[-1])


def check_order_source(case: BrantleyCase) -> Faults:
    """Check that the order is rolled, or is the agreed one without dice (BR-Q19).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: there is no log, or no record of the deployment.
    """
    scores, agreed_player = case.scores("order"), case.rules.choice("br-q19")
    if agreed_player not in PLAYERS:
        yield from check_order_dice(case)
        return
    if scores:
        yield Sentence("the order of deployment was agreed, but dice were rolled for it: {count}", count=len(scores))
    if (first_mover := _deployment_text(case, "moves_first")) != agreed_player:
        yield Sentence(
            "{first} takes the first bound; the players agreed on {agreed}", first=first_mover, agreed=agreed_player
        )


def check_deploys_first(case: BrantleyCase) -> Faults:
    """Check that the player with the lower score deploys first (BR-702).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the dice do not decide it, or the record lacks the deployment.
    """
    winner = _find_order_winner(case)
    first_player = _deployment_text(case, "deploys_first")
    if first_player != opponent(winner):
        yield Sentence("{first} deploys first, but {loser} rolled lower", first=first_player, loser=opponent(winner))


def check_moves_first(case: BrantleyCase) -> Faults:
    """Check that the player with the higher score moves first (BR-703).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the dice do not decide it, or the record lacks the deployment.
    """
    winner = _find_order_winner(case)
    first_player = _deployment_text(case, "moves_first")
    if first_player != winner:
        yield Sentence("{first} takes the first bound, but {winner} rolled higher", first=first_player, winner=winner)


def check_deployment_depth(case: BrantleyCase) -> Faults:
    """Check the depth of deployment (BR-701).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record lacks the deployment.
    """
    case.detail("deployment")
    recorded_depth, expected = case.facts.deployment.depth_mm, case.rules.length("deployment_paces")
    if recorded_depth is not None and abs(recorded_depth - expected) > case.rules.slack("deployment_paces"):
        yield Sentence(
            "the deployment area is {number:.1f} mm deep; {paces:g} paces are {due:.1f} mm",
            number=recorded_depth,
            paces=case.rules.number("deployment_paces"),
            due=expected,
        )


def check_ground_scale(case: BrantleyCase) -> Faults:
    """Check the ground scale (BR-G71, BR-Q18).

    It yields a sentence for each fault; nothing if there is none.
    """
    pace, paces = case.board.scale.pace, case.rules.number("paces_per_inch")
    expected = rule_inch_mm(case.rules) / paces
    if abs(expected / pace - 1) * paces > case.rules.slack("paces_per_inch"):
        yield Sentence(
            "100 paces are {pace:.2f} mm on this board; they should be {due:.2f} mm",
            pace=100 * pace,
            due=100 * expected,
        )


def check_deployment_overlays(case: BrantleyCase) -> Faults:
    """Check that both deployment areas have the full width and the depth of deployment (BR-G72).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record lacks the deployment areas.
    """
    board = case.board
    depth, slack = case.rules.length("deployment_paces"), case.rules.slack("deployment_paces")
    expected_lines = {"A": board.depth - depth, "B": depth}
    for player, overlays in _deployment_overlays(case).items():
        for overlay in overlays:
            left, low, right, high = overlay.shape.bounds
            line = low if player == "A" else high
            if abs(line - expected_lines[player]) > slack:
                yield Sentence(
                    "the deployment line of {player} is at y = {line:.1f} mm; it should be at {due:.1f} mm",
                    player=player,
                    line=line,
                    due=expected_lines[player],
                )
            if abs(left) > slack or abs(right - board.width) > slack:
                yield Sentence(
                    "the deployment area of {player} runs from x = {left:.1f} to {right:.1f} mm, not over "
                    "the full width",
                    player=player,
                    left=left,
                    right=right,
                )


def check_completeness(case: BrantleyCase) -> Faults:
    """Check that the record of a played game has zones, hill dice, courses and deployment (BR-G90).

    It yields a sentence for each fault; nothing if there is none.
    """
    if not case.record.log:
        return
    members = ["zones", "rivers", "roads", "deployment", *(["hills"] if case.hills() else [])]
    yield from (Sentence("the record has no {name}", name=name) for name in members if name not in case.details)
    overlays = case.record.battlefield.overlays
    squares = {overlay.label for overlay in overlays if overlay.kind == "zone"}
    areas = {overlay.side for overlay in overlays if overlay.kind == "deployment"}
    for missing_name in sorted({str(number) for number in ZONES} - squares):
        yield Sentence("the square of zone {number} is missing", number=missing_name)
    for missing_name in sorted(set(PLAYERS) - areas):
        yield Sentence("the deployment area of {player} is missing", player=missing_name)


def check_consistency(case: BrantleyCase) -> Faults:
    """Check that the recorded results and course ends agree with the cards and the lines (BR-G90).

    It yields a sentence for each fault; nothing if there is none.
    """
    for slot in (slot for slot in case.slots if slot.card and slot.result):
        result = case.look_up_card(slot.card)
        if slot.result != (result.name if result else GOOD_GOING):
            yield Sentence(
                "zone {number} is recorded as {result}, but {card} does not give that",
                number=slot.number,
                result=slot.result,
                card=slot.card,
            )
    for stage, courses in (("rivers", case.rivers), ("roads", case.roads)):
        recorded_courses: tuple[CourseFacts, ...] = getattr(case.facts, stage)
        starts = {entry.id: entry.start for entry in recorded_courses}
        for missing_id in sorted(starts.keys() ^ {course.id for course in courses}) if stage in case.details else ():
            yield Sentence(
                "{missing} is listed in {stage} but not drawn, or drawn but not listed", missing=missing_id, stage=stage
            )
        for course in courses:
            start = starts.get(course.id)
            if start and not starts_at(case, course, start):
                yield Sentence(
                    "{way} is recorded as starting at {start}, but starts at {way_start}",
                    way=course.id,
                    start=start,
                    way_start=course.start,
                )


def _deployment_text(case: BrantleyCase, name: str) -> str:
    """Return a value of the recorded deployment as text.

    Raises:
        UnseenError: the record does not have it.
    """
    return case.read_detail(str, "deployment", name)


def _check_roll_off(scores: tuple[int, ...] | list[int], question: str) -> Faults:
    """Yield the faults of a roll-off: missing dice, no winner, or dice after the decision.

    ``question`` says what the dice decide, for messages.
    """
    winner, used_count = decide_roll_off(scores)
    if not winner:
        yield Sentence(
            "the dice do not decide {what}: {scores}",
            what=question,
            scores=" ".join(map(str, scores)) or Sentence("there are none"),
        )
    elif used_count != len(scores):
        yield Sentence(
            "the dice already decided {what}, but {left} more were rolled", left=len(scores) - used_count, what=question
        )


def _find_order_winner(case: BrantleyCase) -> str:
    """Return the player with the higher score in the roll for the order of deployment.

    Raises:
        UnseenError: the dice in the log do not decide it.
    """
    winner, _ = decide_roll_off(case.scores("order"))
    if not winner:
        raise UnseenError("the dice in the log do not decide the order")
    return winner


def _deployment_overlays(case: BrantleyCase) -> Mapping[str, list[Overlay]]:
    """Return the deployment areas by player, A and B; a list may be empty.

    Raises:
        UnseenError: the record does not have any.
    """
    overlays = {
        player: [
            overlay
            for overlay in case.record.battlefield.overlays
            if overlay.kind == "deployment" and overlay.side == player
        ]
        for player in PLAYERS
    }
    if not any(overlays.values()):
        raise UnseenError("the record has no deployment areas")
    return overlays


CHECKS: Final[Mapping[str, Check]] = {
    "BR-102": check_dice_values,
    "BR-103": check_step_order,
    "BR-107": check_opposite_edges,
    "BR-701": check_deployment_depth,
    "BR-702": check_deploys_first,
    "BR-703": check_moves_first,
    "BR-D1": check_first_player_dice,
    "BR-D3": partial(check_count_and_roll_off, "rivers"),
    "BR-D4": partial(check_count_and_roll_off, "roads"),
    "BR-D5": check_crossing_dice,
    "BR-D6": check_order_dice,
    "BR-G71": check_ground_scale,
    "BR-G72": check_deployment_overlays,
    "BR-G90": combine_checks(check_completeness, check_consistency),
    "BR-Q19": check_order_source,
    "BR-Q18": check_ground_scale,
}
