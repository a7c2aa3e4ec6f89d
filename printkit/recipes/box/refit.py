"""Fit a game to a terrain box: replace features without a piece, or roll them again, and log this in the record.

A substitute that the user named is used first, because it does not change the battlefield. For other features the
stage that decides them is rolled again. Its seed depends on the seed of the game and on the attempt. The best
battlefield of a limited number of attempts is kept, and the pieces that are still missing are listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from printkit.chance.dice import Throw
from printkit.chance.streams import Stream
from printkit.core.errors import RecordError, Sentence, joined
from printkit.core.sums import plain_sum
from printkit.core.words import Words
from printkit.kit.system import RuleSystem
from printkit.recipes.box.piece_box import PieceBox, box_object, box_of
from printkit.recipes.box.piece_matching import MatchedPieces, MissingPiece, find_needs, match_pieces, select_needs
from printkit.recipes.game.games import GeneratedGame, replay_game, roundtrip_record
from printkit.recipes.game.roll_text import stage_of
from printkit.terrain.field.features import Feature, Kind
from printkit.terrain.field.record import Record

# Most attempts to roll stages again.
ATTEMPTS: Final = 6

# The name of a record's box in errors.
RECORD_BOX: Final = "box of the record"

_SEEDS: Final = 1_000_000
# The list of a rule book with the stage that decides whether a kind is on the board.
_STAGE_LIST: Final = "thrown"


class Attempt(Struct, frozen=True, kw_only=True):
    """An attempt to roll stages again: its seed, the missing kinds, and whether its battlefield was kept."""

    stages: tuple[str, ...]
    seed: int
    wanting: tuple[Kind, ...]
    kept: bool


def fit_to_box(
    system: RuleSystem, game: GeneratedGame, box: PieceBox, words: Words, *, can_reroll: bool
) -> GeneratedGame:
    """Return a game fitted to a box; its record has the box and a log of the changes.

    If pieces are missing, the stages that decide these features are rolled again with other seeds, a limited number of
    times; the best game is kept. Missing and replaced pieces give warnings.

    Args:
        system: the rules.
        game: the game as it was played.
        box: the user's pieces.
        words: the language of names and titles.
        can_reroll: whether to roll stages again; False if the user gave the dice, or nothing may change.

    Raises:
        PrintkitError: the game cannot be replayed from its record.
    """
    attempts: list[Attempt] = []
    best_game, match = game, _match_box(game.record, box)
    while can_reroll and game.record.log and match.missing_pieces and len(attempts) < ATTEMPTS:
        stages = _deciding_stages(system, best_game.record, match.missing_pieces)
        if not stages:
            break
        seed = Stream(f"box/{game.record.seed}/{len(attempts) + 1}").draw_index(_SEEDS)
        new_game = replay_game(system, best_game.record, words, reroll=stages, keep=(), new_seed=seed)
        if new_game.record.log == best_game.record.log:
            # The log is the same because the user gave these answers; other seeds cannot change them.
            break
        new_match = _match_box(new_game.record, box)
        is_better = _shortfall(new_match) < _shortfall(match)
        attempts.append(Attempt(stages=stages, seed=seed, wanting=_missing_kinds(match.missing_pieces), kept=is_better))
        if is_better:
            best_game, match = new_game, new_match
    record = replace(best_game.record, box=_box_record(box, match, attempts))
    return replace(
        best_game,
        record=roundtrip_record(system, record),
        warnings=(*best_game.warnings, *_warnings(match, attempts)),
        renewed=best_game.renewed if best_game is game else (),
    )


def refit_to_box(system: RuleSystem, game: GeneratedGame, earlier: Record, words: Words) -> GeneratedGame:
    """Return a game with re-rolled stages, fitted to the box of the earlier record if that has one.

    Raises:
        FileError: an entry of the box is wrong.
    """
    box = box_of_record(earlier)
    return game if box is None else fit_to_box(system, game, box, words, can_reroll=False)


def box_of_record(record: Record) -> PieceBox | None:
    """Return the box of a record, or None.

    Raises:
        FileError: an entry of the box is wrong.
    """
    if not record.box:
        return None
    return box_of(
        {key: value for key, value in record.box.items() if key in ("title", "families", "piece")}, RECORD_BOX
    )


def match_record(record: Record) -> MatchedPieces | None:
    """Return the pieces of its box for a record; None if the record does not have a box.

    Raises:
        FileError: an entry of the box is wrong.
    """
    record_box = box_of_record(record)
    return None if record_box is None else _match_box(record, record_box)


def recorded_attempts(record: Record) -> tuple[Attempt, ...]:
    """Return the attempts to roll stages again for the box of a record; empty if there were none.

    Raises:
        RecordError: the list in the record is not valid.
    """
    try:
        return convert(record.box.get("thrown_again", ()), tuple[Attempt, ...])
    except ValidationError:
        raise RecordError("box.thrown_again is not a list of stages, seed, wanting and kept; leave it out") from None


def _match_box(record: Record, box: PieceBox) -> MatchedPieces:
    """Return the pieces of a box that are used for a record, and the missing pieces."""
    return match_pieces(find_needs(record.battlefield), box)


def _shortfall(match: MatchedPieces) -> tuple[float, int]:
    """Return how badly a box builds a battlefield; smaller tuples are better.

    The parts are the weight of missing pieces (1 each, a share for a course), and the number of features with a
    replacement.
    """
    replaced_count = sum(any(use.is_substitute for use in uses) for uses in match.group_by_need())
    return round(plain_sum(missing_piece.weight for missing_piece in match.missing_pieces), 6), replaced_count


def _missing_kinds(missing_pieces: Sequence[MissingPiece]) -> tuple[Kind, ...]:
    """Return the kinds of missing pieces, each once."""
    return tuple(dict.fromkeys(missing_piece.need.kind for missing_piece in missing_pieces))


def _deciding_stages(system: RuleSystem, record: Record, missing_pieces: Sequence[MissingPiece]) -> tuple[str, ...]:
    """Return the stages that decide the features with missing pieces, in the order of the game.

    A stage appears once; there may be none.
    """
    feature_ids = {missing_piece.need.feature for missing_piece in missing_pieces}
    rows = system.book.own(_STAGE_LIST) if _STAGE_LIST in system.book.rows else ()
    stages_by_kind = {kind: row.need("stage", str) for row in rows for kind in row.need("kinds", list[str])}
    needed_stages = {
        _deciding_stage(feature, record.log, system.stages, stages_by_kind)
        for feature in record.battlefield.features
        if feature.id in feature_ids
    }
    return tuple(stage for stage in system.stages if stage in needed_stages)


def _deciding_stage(
    feature: Feature, log: Sequence[Throw], stages: Sequence[str], stages_by_kind: Mapping[str, str]
) -> str | None:
    """Return the stage to roll again for a feature: that of the rule book, or that of its first roll.

    If the log has no roll in that stage, return the last earlier stage that has one; None if there is none.
    ``stages_by_kind`` has the stage of the rule book for a kind.
    """
    first = replace(feature, origin=replace(feature.origin, throws=feature.origin.throws[:1]))
    stage = stages_by_kind.get(feature.kind) or stage_of(first, log, stages)
    rolled_stages = {throw.stage for throw in log}
    earlier_stages = stages[: stages.index(stage) + 1] if stage in stages else ()
    return next((candidate for candidate in reversed(earlier_stages) if candidate in rolled_stages), None)


def _box_record(box: PieceBox, match: MatchedPieces, attempts: Sequence[Attempt]) -> dict[str, Any]:
    """Return the data for the record: the box, and the keys ``replaced``, ``missing`` and ``thrown_again``."""
    replaced_uses = (
        (use.need.feature, use.need.kind.value, use.piece.kind.value) for use in match.uses if use.is_substitute
    )
    replacements = [
        {"feature": feature, "kind": kind, "by": substitute}
        for feature, kind, substitute in dict.fromkeys(replaced_uses)
    ]
    missing = [
        {"feature": missing_piece.need.feature, "kind": missing_piece.need.kind.value}
        for missing_piece in match.missing_pieces
    ]
    return {**box_object(box), "replaced": replacements, "missing": missing, "thrown_again": to_builtins(attempts)}


def _warnings(match: MatchedPieces, attempts: Sequence[Attempt]) -> tuple[str, ...]:
    """Return the notices for the user about rolled-again, replaced and missing pieces of the box, in this order.

    There are none if all pieces fit. The last one lists missing kinds that the file of the box does not mention.
    """
    notices = []
    if attempts:
        once = Sentence("once")
        notices.append(
            Sentence(
                "terrain box: {stages} rolled again {times}, because it has no {kinds}",
                stages=joined(
                    dict.fromkeys(stage for attempt in attempts for stage in attempt.stages), Sentence(" and ")
                ),
                times=once if len(attempts) == 1 else Sentence("{count} times", count=len(attempts)),
                kinds=_kind_names(attempts[0].wanting),
            )
        )
    replacements = dict.fromkeys((use.piece.kind.value, use.need.kind.value) for use in match.uses if use.is_substitute)
    notices += [
        Sentence("terrain box: {by} replaces {kind}", by=substitute, kind=kind)
        for substitute, kind in (map(_kind_name, pair) for pair in replacements)
    ]
    if match.missing_pieces:
        notices.append(
            Sentence("terrain box: no piece for {kinds}", kinds=_kind_names(_missing_kinds(match.missing_pieces)))
        )
    if unlisted_names := [kind for kind in _missing_kinds(match.missing_pieces) if not match.box.lists(kind)]:
        notices.append(
            Sentence("terrain box: {kinds} not listed, so assumed missing", kinds=_kind_names(unlisted_names))
        )
    return tuple(notices)


def unlisted_kinds(record: Record, box: PieceBox) -> tuple[Kind, ...]:
    """Return the kinds that a battlefield needs and a box does not list, in the order of the key."""
    needs = select_needs(find_needs(record.battlefield), box)
    return tuple(dict.fromkeys(need.kind for need in needs if not box.lists(need.kind)))


def _kind_names(kinds: Sequence[str]) -> str:
    """Return the kinds as English words with commas."""
    return ", ".join(_kind_name(kind) for kind in kinds)


def _kind_name(kind: str) -> str:
    """Return a kind as English words, with spaces for underscores."""
    return kind.replace("_", " ")
