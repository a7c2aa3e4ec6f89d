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
from printkit.systems.brantley.dealing.deal import PLAYERS, ZONES, other
from printkit.systems.brantley.dealing.game_rules import inch_of
from printkit.systems.brantley.judge.case import BrantleyCase, Check
from printkit.systems.brantley.judge.courses import due_count, is_at, roll_off
from printkit.terrain.field.battlefield import Overlay

# The three steps of building, by the stages of the log.
STEPS: Final[Mapping[str, int]] = {"deal": 0, "placing": 0, "features": 0, "hills": 0, "rivers": 1, "roads": 2}


def one_pack_one_die(case: BrantleyCase) -> Faults:
    """Check that chance comes from one pack and six-sided dice (BR-102)."""
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


def steps_in_order(case: BrantleyCase) -> Faults:
    """Check the order: card terrain, then rivers, then roads (BR-103)."""
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


def opposite_base_edges(case: BrantleyCase) -> Faults:
    """Check that the players' deployment areas are at opposite edges (BR-107)."""
    for player, overlays in _deployment(case).items():
        for overlay in overlays:
            _, low, _, high = overlay.shape.bounds
            # An area as deep as the board is not on either side: it touches both edges.
            far, near = case.board.depth - high, low
            if max(far, near) > case.touch and (far < near) != (player == "A"):
                yield Sentence(
                    "the deployment area of {player} is on the {half} side",
                    player=player,
                    half=Sentence("far") if far < near else Sentence("near"),
                )


def first_placer_dice(case: BrantleyCase) -> Faults:
    """Check that dice for the first placer occur only with ``first=roll``, and stop when they differ (BR-D1)."""
    dice = [score for stage in ("deal", "placing") for score in case.scores(stage)]
    if case.rules.choice("br-q02") == "roll":
        yield from _settled(dice, Sentence("who places the first card"))
    elif dice:
        yield Sentence(
            "the log has {count} dice before the reveal; the first placer is decided without dice", count=len(dice)
        )


def count_then_roll_off(stage: str, case: BrantleyCase) -> Faults:
    """Check for one count die, then the roll-off if it gives exactly one (BR-D3, BR-D4)."""
    scores = case.scores(stage)
    if not scores:
        yield Sentence("the log has no count die for {stage}", stage=stage)
    elif due_count(case, stage) == 1:
        yield from _settled(scores[1:], Sentence("who places in {stage}", stage=stage))
    elif len(scores) > 1:
        yield Sentence(
            "{left} dice follow the count die {score} of {stage}, but none are needed",
            left=len(scores) - 1,
            score=scores[0],
            stage=stage,
        )


def crossing_dice(case: BrantleyCase) -> Faults:
    """Check that each crossing has a die, only with ``crossing=die`` (BR-D5)."""
    dice = len(case.dice("crossings"))
    due = len(case.crossings) if case.rules.choice("br-q16") == "die" else 0
    if dice != due:
        yield Sentence("the log has {dice} dice for crossings; it should have {due}", dice=dice, due=due)


def order_dice(case: BrantleyCase) -> Faults:
    """Check that the last dice are A and B, both again while they are equal (BR-D6)."""
    if case.rules.choice("br-q19") in PLAYERS:
        raise UnseenError("the players agreed on the order")
    yield from _settled(case.scores("order"), Sentence("who deploys first"))
    stages = [throw.stage for throw in case.dice()]
    if "order" in stages and stages[-1] != "order":
        yield Sentence("after the dice for the order of deployment comes another die, for {last}", last=stages[-1])


def thrown_or_agreed(case: BrantleyCase) -> Faults:
    """Check that the order is rolled, or is the agreed one without dice (BR-Q19)."""
    dice, agreed = case.scores("order"), case.rules.choice("br-q19")
    if agreed not in PLAYERS:
        yield from order_dice(case)
        return
    if dice:
        yield Sentence("the order of deployment was agreed, but dice were rolled for it: {count}", count=len(dice))
    if (first := _text(case, "moves_first")) != agreed:
        yield Sentence("{first} takes the first bound; the players agreed on {agreed}", first=first, agreed=agreed)


def lower_deploys_first(case: BrantleyCase) -> Faults:
    """Check that the player with the lower score deploys first (BR-702)."""
    winner = _order_winner(case)
    first = _text(case, "deploys_first")
    if first != other(winner):
        yield Sentence("{first} deploys first, but {loser} rolled lower", first=first, loser=other(winner))


def higher_moves_first(case: BrantleyCase) -> Faults:
    """Check that the player with the higher score moves first (BR-703)."""
    winner = _order_winner(case)
    first = _text(case, "moves_first")
    if first != winner:
        yield Sentence("{first} takes the first bound, but {winner} rolled higher", first=first, winner=winner)


def depth_of_deployment(case: BrantleyCase) -> Faults:
    """Check the depth of deployment (BR-701)."""
    stated, due = case.detail("deployment").get("depth_mm"), case.rules.length("deployment_paces")
    if stated and abs(stated.number() - due) > case.rules.slack("deployment_paces"):
        yield Sentence(
            "the deployment area is {number:.1f} mm deep; {paces:g} paces are {due:.1f} mm",
            number=stated.number(),
            paces=case.rules.number("deployment_paces"),
            due=due,
        )


def ground_scale(case: BrantleyCase) -> Faults:
    """Check the ground scale (BR-G71, BR-Q18)."""
    pace, paces = case.board.scale.pace, case.rules.number("paces_per_inch")
    due = inch_of(case.rules) / paces
    if abs(due / pace - 1) * paces > case.rules.slack("paces_per_inch"):
        yield Sentence(
            "100 paces are {pace:.2f} mm on this board; they should be {due:.2f} mm", pace=100 * pace, due=100 * due
        )


def deployment_overlay(case: BrantleyCase) -> Faults:
    """Check that both deployment areas have the full width and the depth of deployment (BR-G72)."""
    board = case.board
    deep, slack = case.rules.length("deployment_paces"), case.rules.slack("deployment_paces")
    due = {"A": board.depth - deep, "B": deep}
    for player, overlays in _deployment(case).items():
        for overlay in overlays:
            left, low, right, high = overlay.shape.bounds
            line = low if player == "A" else high
            if abs(line - due[player]) > slack:
                yield Sentence(
                    "the deployment line of {player} is at y = {line:.1f} mm; it should be at {due:.1f} mm",
                    player=player,
                    line=line,
                    due=due[player],
                )
            if abs(left) > slack or abs(right - board.width) > slack:
                yield Sentence(
                    "the deployment area of {player} runs from x = {left:.1f} to {right:.1f} mm, not over "
                    "the full width",
                    player=player,
                    left=left,
                    right=right,
                )


def whole(case: BrantleyCase) -> Faults:
    """Check that the record of a played game has zones, hill dice, courses and deployment (BR-G90)."""
    if not case.record.log:
        return
    due = ["zones", "rivers", "roads", "deployment", *(["hills"] if case.hills() else [])]
    yield from (Sentence("the record has no {name}", name=name) for name in due if name not in case.details)
    overlays = case.record.battlefield.overlays
    squares = {overlay.label for overlay in overlays if overlay.kind == "zone"}
    areas = {overlay.side for overlay in overlays if overlay.kind == "deployment"}
    for missing in sorted({str(number) for number in ZONES} - squares):
        yield Sentence("the square of zone {number} is missing", number=missing)
    for missing in sorted(set(PLAYERS) - areas):
        yield Sentence("the deployment area of {player} is missing", player=missing)


def agrees_with_itself(case: BrantleyCase) -> Faults:
    """Check that the recorded results and course ends agree with the cards and the lines (BR-G90)."""
    for slot in (slot for slot in case.slots if slot.card and slot.result):
        result = case.reveal(slot.card)
        if slot.result != (result.name if result else GOOD_GOING):
            yield Sentence(
                "zone {number} is recorded as {result}, but {card} does not give that",
                number=slot.number,
                result=slot.result,
                card=slot.card,
            )
    for stage, found in (("rivers", case.rivers), ("roads", case.roads)):
        entries = case.detail(stage).items() if stage in case.details else ()
        written = {entry.need("id", Sentence("name the river or road")).text(): entry for entry in entries}
        for missing in sorted(set(written) ^ {way.id for way in found}) if stage in case.details else ():
            yield Sentence(
                "{missing} is listed in {stage} but not drawn, or drawn but not listed", missing=missing, stage=stage
            )
        for way in found:
            start = written[way.id].get("start") if way.id in written else None
            if start and not is_at(case, way, start.text()):
                yield Sentence(
                    "{way} is recorded as starting at {start}, but starts at {way_start}",
                    way=way.id,
                    start=start.text(),
                    way_start=way.start,
                )


def _text(case: BrantleyCase, name: str) -> str:
    found = case.detail("deployment").get(name)
    if found is None:
        raise UnseenError("the record has no {rules}.deployment.{name}", rules=case.record.rules, name=name)
    return found.text()


def _settled(scores: tuple[int, ...] | list[int], what: str) -> Faults:
    """Yield the faults of a roll-off: missing dice, no winner, or dice after the decision."""
    winner, used = roll_off(scores)
    if not winner:
        yield Sentence(
            "the dice do not decide {what}: {scores}",
            what=what,
            scores=" ".join(map(str, scores)) or Sentence("there are none"),
        )
    elif used != len(scores):
        yield Sentence(
            "the dice already decided {what}, but {left} more were rolled", left=len(scores) - used, what=what
        )


def _order_winner(case: BrantleyCase) -> str:
    winner, _ = roll_off(case.scores("order"))
    if not winner:
        raise UnseenError("the dice in the log do not decide the order")
    return winner


def _deployment(case: BrantleyCase) -> Mapping[str, list[Overlay]]:
    found = {
        player: [o for o in case.record.battlefield.overlays if o.kind == "deployment" and o.side == player]
        for player in PLAYERS
    }
    if not any(found.values()):
        raise UnseenError("the record has no deployment areas")
    return found


CHECKS: Final[Mapping[str, Check]] = {
    "BR-102": one_pack_one_die,
    "BR-103": steps_in_order,
    "BR-107": opposite_base_edges,
    "BR-701": depth_of_deployment,
    "BR-702": lower_deploys_first,
    "BR-703": higher_moves_first,
    "BR-D1": first_placer_dice,
    "BR-D3": partial(count_then_roll_off, "rivers"),
    "BR-D4": partial(count_then_roll_off, "roads"),
    "BR-D5": crossing_dice,
    "BR-D6": order_dice,
    "BR-G71": ground_scale,
    "BR-G72": deployment_overlay,
    "BR-G90": combine_checks(whole, agrees_with_itself),
    "BR-Q19": thrown_or_agreed,
    "BR-Q18": ground_scale,
}
