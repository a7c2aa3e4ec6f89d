"""Checks of the game in a record: zones, seal, deployment areas, and where courses start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from printkit.chance.dice import Act
from printkit.core.errors import ScenarioError, Sentence
from printkit.core.numbers import parse_int
from printkit.kit.checks import Faults, UnseenError, check_rolls_placed, combine_checks, ignoring_hand_edits
from printkit.systems.brantley.dealing.closed_game import pack_commitment
from printkit.systems.brantley.dealing.deal import PLAYERS, ZONES
from printkit.systems.brantley.dealing.facts import CourseFacts, Seal
from printkit.systems.brantley.dealing.game_rules import rule_inch_mm
from printkit.systems.brantley.dealing.progress import Progress, recorded_progress, turn_texts
from printkit.systems.brantley.judge.case import BrantleyCase, Check
from printkit.systems.brantley.judge.courses import starts_at
from printkit.terrain.field.battlefield import Overlay


def find_pack(case: BrantleyCase) -> tuple[str, ...]:
    """Return the codes of the pack in shuffled order, the top card first.

    The log counts more than the record.

    Raises:
        UnseenError: neither the log nor the record contains it.
    """
    for throw in case.record.log:
        if throw.stage == "deal" and throw.act is Act.CARD:
            return tuple(throw.answer.split())
    case.detail("deck")
    return case.facts.deck


def check_commitment(case: BrantleyCase) -> Faults:
    """Check that the sealed data, with salt and pack, give the commitment of the sheets (BR-M13).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record has no seal, salt or pack.
    """
    for name in ("seal", "salt"):
        case.detail(name)
    seal, salt, pack = case.facts.seal or Seal(), case.facts.salt, find_pack(case)
    try:
        progress = recorded_progress(case.facts)
    except ScenarioError as error:
        yield Sentence("the journal of the game is wrong: {error}", error=error.sentence)
        return
    if progress is not None and (progress.game.salt, progress.game.pack) != (salt, tuple(pack)):
        yield Sentence("salt and deck are not the ones sealed at the deal")
    if progress is not None:
        yield from _compare_seal(case, progress)
    computed_code = progress.game.commitment if progress is not None else pack_commitment(salt, pack)
    if seal.commitment != computed_code:
        yield Sentence(
            "the sheets show the commitment {stated}; the cards dealt give {found}",
            stated=seal.commitment,
            found=computed_code,
        )


def _compare_seal(case: BrantleyCase, progress: Progress) -> Faults:
    """Yield the differences between a record and its seal: turns, dice seed, settings, shapes and first player.

    Raises:
        UnseenError: the record lacks the first player.
    """
    sealed_game = progress.game
    if sealed_game.journal and case.facts.inputs.get("placements", ()) != turn_texts(progress.turns):
        yield Sentence("the cards are not placed as in the journal of the game")
    if case.record.seed != (expected_seed := progress.seed):
        yield Sentence(
            "the seed of the dice is {seed}; the sealed game gives {due}",
            seed=case.record.seed,
            due=expected_seed,
        )
    book = case.rules.book
    settings = {setting.key: setting.default for setting in book.settings} | book.current(case.record.settings)
    for key, text in book.current(sealed_game.rule_settings).items():
        if (current := settings.get(key, Sentence("nothing"))) != text:
            yield Sentence("{key} is {now}; {text} was sealed", key=key, now=current, text=text)
    if case.record.shapes < sealed_game.shapes:
        yield Sentence(
            "the map has version {made} of the shapes, the sealed game {sealed}: another version of "
            "printkit made the map",
            made=case.record.shapes,
            sealed=sealed_game.shapes,
        )
    if (first_player := case.read_detail(str, "first")) != sealed_game.first:
        yield Sentence(
            "{first} placed the first card; {closed} was sealed", first=first_player, closed=sealed_game.first
        )


def check_zone_numbers(case: BrantleyCase) -> Faults:
    """Check that the nine zones are 1 to 9, and that each feature is in its recorded zone (BR-106).

    It yields a sentence for each fault; nothing if there is none.
    """
    numbers = sorted({slot.number for slot in case.slots})
    has_turns = any(slot.turn is not None for slot in case.slots)
    if not all(1 <= number <= 9 for number in numbers) or (has_turns and len(numbers) != 9):
        yield Sentence("the zones are {numbers}; they must be 1 to 9", numbers=", ".join(map(str, numbers)))
    for feature in case.ground:
        actual_zone = case.find_zone(feature)
        if feature.origin.zone is not None and feature.origin.zone != actual_zone:
            yield Sentence(
                "{feature} is recorded in zone {zone}, but is in zone {lies}",
                feature=feature.id,
                zone=feature.origin.zone,
                lies=actual_zone,
            )
    for overlay in case.record.battlefield.overlays:
        if overlay.kind == "zone" and (zone := parse_int(overlay.label, len(case.zones))):
            difference = overlay.shape.symmetric_difference(case.zones[zone - 1]).area
            if overlay.shape.area and difference > case.touch_mm * overlay.shape.length:
                yield Sentence("the square labelled {label} is not zone {label}", label=overlay.label)


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
    """Check that the record of a played game has the squares of all zones and both deployment areas (BR-G90).

    It yields a sentence for each fault; nothing if there is none.
    """
    if not case.record.log:
        return
    overlays = case.record.battlefield.overlays
    squares = {overlay.label for overlay in overlays if overlay.kind == "zone"}
    areas = {overlay.side for overlay in overlays if overlay.kind == "deployment"}
    for missing_name in sorted({str(number) for number in ZONES} - squares):
        yield Sentence("the square of zone {number} is missing", number=missing_name)
    for missing_name in sorted(set(PLAYERS) - areas):
        yield Sentence("the deployment area of {player} is missing", player=missing_name)


def check_consistency(case: BrantleyCase) -> Faults:
    """Check that the record lists the courses on the board, each with its start (BR-G90).

    It yields a sentence for each fault; nothing if there is none.
    """
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


def _list_placing_rolls(case: BrantleyCase) -> Iterator[tuple[int, str]]:
    """Yield the number of each roll that makes a feature or a course, and an empty reason.

    A count die that gives no course makes none, so the count dice are left out.
    """
    for number, throw in enumerate(case.record.log, 1):
        if throw.stage in _PLACING_STAGES and throw.clause not in _COUNT_CLAUSES:
            yield number, ""


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


# The stages whose rolls make features and courses, and the clauses of the dice for the number of courses.
_PLACING_STAGES: Final = ("features", "hills", "rivers", "roads", "crossings")
_COUNT_CLAUSES: Final = ("BR-401", "BR-501")

CHECKS: Final[Mapping[str, Check]] = {
    "BR-106": check_zone_numbers,
    "BR-107": check_opposite_edges,
    "BR-M13": check_commitment,
    "BR-G71": check_ground_scale,
    "BR-G72": check_deployment_overlays,
    "BR-G90": combine_checks(
        check_completeness, check_consistency, ignoring_hand_edits(check_rolls_placed(_list_placing_rolls))
    ),
    "BR-Q18": check_ground_scale,
}
