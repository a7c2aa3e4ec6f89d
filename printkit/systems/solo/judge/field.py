"""Checks of the terrain of a whole board: what was selected, and the quarters that have some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, ignoring_hand_edits
from printkit.systems.dba.ground.checked_pieces import LeftOutPiece
from printkit.systems.solo.judge.case import Check, SoloCase


def check_known_terrain(case: SoloCase) -> Faults:
    """Check that everything on the board is terrain of these rules (SD-3-a)."""
    for name in case.unknown_ids:
        yield Sentence("{name} is not a terrain type of DBA", name=name)


def check_piece_counts(case: SoloCase) -> Faults:
    """Check that there are no more pieces of a type than a board may have (SD-3.2.3-a, AMB-12)."""
    for terrain, count in Counter(piece.terrain for piece in case.pieces).items():
        highest_count = case.terms.piece_rules[terrain].count_max
        if count > highest_count:
            yield Sentence(
                "{count} features of {terrain}; a board has at most {most}",
                count=count,
                terrain=terrain.value,
                most=highest_count,
            )


def cover(case: SoloCase) -> Faults:
    """Check that there is bad going, a waterway or a river (SD-3.2.3-c)."""
    case.require_terrain()
    if not any(case.terms.is_cover(piece.terrain) for piece in case.pieces):
        yield Sentence("no feature is bad going, a waterway or a river")


def check_board(case: SoloCase) -> Faults:
    """Check that the board has exactly the selected pieces, except those left out (SD-3.2.3-d)."""
    board_pieces, left_out = (
        {piece.id: piece.terrain for piece in case.pieces},
        {piece.id for piece in case.read_detail(tuple[LeftOutPiece, ...], "terrain", "left_out")},
    )
    for recorded_piece in case.recorded_pieces:
        if recorded_piece.id in board_pieces and board_pieces.pop(recorded_piece.id) is not recorded_piece.terrain:
            yield Sentence("{piece} is not {terrain}", piece=recorded_piece.id, terrain=recorded_piece.terrain.value)
        elif not recorded_piece.result and recorded_piece.id not in left_out:
            yield Sentence(
                "{piece} has no place, and the record does not say why it was left out", piece=recorded_piece.id
            )
        elif recorded_piece.result and recorded_piece.id not in {piece.id for piece in case.pieces}:
            yield Sentence("{piece} was placed but is not on the board", piece=recorded_piece.id)
    for name in board_pieces:
        yield Sentence("{piece} is on the board but was not selected", piece=name)


def check_quarters(case: SoloCase) -> Faults:
    """Check that enough quarters have a feature, and enough a river, a waterway or bad going (SD-3.3-b)."""
    case.require_terrain()
    get_number = case.rules.number
    feature_count = len(case.terms.find_quarters(*(piece.shape for piece in case.pieces)))
    if feature_count < get_number("quarters_with_features_min"):
        yield Sentence("quarters with a feature: {features}; at least three", features=feature_count)
    covering_pieces = [piece for piece in case.pieces if case.terms.is_cover(piece.terrain)]
    covered_count = len(case.terms.find_quarters(*(piece.shape for piece in covering_pieces)))
    if covered_count < get_number("quarters_with_cover_min"):
        yield Sentence("quarters with a river, a waterway or bad going: {covered}; at least two", covered=covered_count)


CHECKS: Final[Mapping[str, Check]] = {
    "SD-3-a": check_known_terrain,
    "SD-3.2.3-c": cover,
    "SD-3.2.3-d": ignoring_hand_edits(check_board),
    "AMB-12": check_piece_counts,
    "AMB-14": cover,
}
