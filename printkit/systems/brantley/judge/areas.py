"""Checks of areas and hills: in their zones, apart, of the allowed size, and as the cards say."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, combine_checks, ignoring_hand_edits
from printkit.kit.shape_rules import shape_checks
from printkit.systems.brantley.board.area_rules import (
    AREA_RULES,
    CONTOUR_RULES,
    STEEP_SIDE_RULES,
    AreaSurroundings,
    SteepSide,
)
from printkit.systems.brantley.dealing.cards import RANKS
from printkit.systems.brantley.judge import slopes
from printkit.systems.brantley.judge.case import BrantleyCase, Check
from printkit.terrain.field.features import Hill

# --- Checks of the card results ---------------------------------------------------------------------------------------


def check_reveal_row(rank: str, case: BrantleyCase) -> Faults:
    """Check one row of the reveal table (BR-301 to BR-313).

    It yields a sentence for each fault in a zone with a card of ``rank``, such as ``10`` or ``K``; nothing if there is
    none.

    Raises:
        UnseenError: the record lacks the cards.
    """
    for zone, card in sorted(case.cards().items()):
        if card[:-1] != rank:
            continue
        expected, zone_features = case.look_up_card(card), case.features_in_zone(zone)
        if expected is None:
            yield from (
                Sentence(
                    "{card} in zone {number} is good going, but {feature} ({kind}) is there",
                    card=card,
                    number=zone,
                    feature=item.id,
                    kind=item.kind,
                )
                for item in zone_features
            )
            continue
        matches = [feature for feature in zone_features if feature.kind is expected.kind]
        if len(matches) != 1 or len(zone_features) != 1:
            present = ", ".join(f"{feature.id} ({feature.kind})" for feature in zone_features) or Sentence("nothing")
            yield Sentence(
                "{card} in zone {number} should give one {kind}; the zone has {lies}",
                card=card,
                number=zone,
                kind=expected.kind,
                lies=present,
            )
        for feature in matches:
            if isinstance(feature, Hill) and (count := len(feature.contours)) != expected.levels:
                yield Sentence(
                    "{feature} has {levels}; {card} gives a hill of {due}",
                    feature=feature.id,
                    levels=Sentence("one level") if count == 1 else Sentence("{count} levels", count=count),
                    card=card,
                    due=expected.levels,
                )
            # An empty name: the record does not state the going.
            if expected.going and feature.going.name not in (expected.going.name, ""):
                yield Sentence(
                    "{feature} is {going} going; {card} gives {due} going",
                    feature=feature.id,
                    going=feature.going.name,
                    card=card,
                    due=expected.going.name,
                )


def check_good_going_empty(case: BrantleyCase) -> Faults:
    """Check that a red card places nothing on the board (BR-344).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record lacks the cards.
    """
    for number, card in sorted(case.cards().items()):
        if case.look_up_card(card) is None:
            yield from (
                Sentence(
                    "zone {number} has {card}, but {feature} is there", number=number, card=card, feature=feature.id
                )
                for feature in case.features_in_zone(number)
            )


AREA_RESULT_CHECKS: Final[Mapping[str, Check]] = {
    **{
        f"BR-{301 + place}": ignoring_hand_edits(partial(check_reveal_row, rank), counts_features=True)
        for place, rank in enumerate(RANKS)
    },
    "BR-344": ignoring_hand_edits(check_good_going_empty),
}


def check_board_square(case: BrantleyCase) -> Faults:
    """Check that the board is square (BR-105).

    It yields a sentence for each fault; nothing if there is none.
    """
    board = case.board
    if abs(board.width - board.depth) > case.touch_mm:
        yield Sentence("the board is {width:g} x {depth:g} mm; it must be square", width=board.width, depth=board.depth)


def check_rotated_by_placer(case: BrantleyCase) -> Faults:
    """Check that the placer of each feature chose its rotation (BR-342).

    Yield a sentence for each feature that another player rotated, according to the log.

    Raises:
        UnseenError: there are features, but the log does not say who turned them.
    """
    rotations = [throw for throw in case.throws() if throw.clause == "BR-342"]
    if case.ground and not rotations:
        raise UnseenError("the log does not say who turned the features")
    for throw in rotations:
        for feature in (feature for feature in case.ground if feature.id in case.find_named_ids(throw)):
            placer = feature.origin.placed_by
            if "placed by" in throw.reason and placer and not throw.reason.endswith(f"placed by {placer}"):
                yield Sentence(
                    "{feature} was placed by {placer}, but the log of its facing says {turned}",
                    feature=feature.id,
                    placer=placer,
                    turned=throw.reason.split(", ")[-1],
                )


def _steep_sides(case: BrantleyCase) -> tuple[SteepSide, ...]:
    """Return every steep side of every hill."""
    return tuple(SteepSide(hill, face) for hill in case.hills() for face in hill.faces)


def _surroundings(case: BrantleyCase) -> AreaSurroundings:
    """Return what areas and hills are measured against."""
    return case.area_surroundings


AREA_CHECKS: Final = shape_checks(AREA_RULES, lambda case: case.area_surroundings.areas, _surroundings)
_CONTOURS: Final = shape_checks(CONTOUR_RULES, BrantleyCase.hills, _surroundings)
_SIDES: Final = shape_checks(STEEP_SIDE_RULES, _steep_sides, _surroundings)

CHECKS: Final[Mapping[str, Check]] = {
    **{clause: check for clause, check in AREA_CHECKS.items() if clause != "BR-343"},
    "BR-105": check_board_square,
    "BR-G03": combine_checks(AREA_CHECKS["BR-G03"], AREA_CHECKS["BR-G02"]),
    "BR-G16": combine_checks(slopes.check_levels, AREA_CHECKS["BR-G16"]),
    "BR-G17": combine_checks(_CONTOURS["BR-G17"], AREA_CHECKS["BR-G17"]),
    "BR-G21": combine_checks(_SIDES["BR-G21"], slopes.check_full_outline),
}
