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
from printkit.recipes.box.piece_matching import MatchedPieces, MissingPiece, asking, fetched, needs_of
from printkit.recipes.game.games import GeneratedGame, play_again, settled
from printkit.recipes.game.throw_text import stage_of
from printkit.terrain.field.features import Feature, Kind
from printkit.terrain.field.record import Record

# Most attempts to roll stages again.
ATTEMPTS: Final = 6

# The name of a record's box in errors.
PLACE: Final = "box of the record"

_SEEDS: Final = 1_000_000
# The list of a rule book with the stage that decides whether a kind is on the board.
_THROWN: Final = "thrown"


class Attempt(Struct, frozen=True, kw_only=True):
    """An attempt to roll stages again: its seed, the missing kinds, and whether its battlefield was kept."""

    stages: tuple[str, ...]
    seed: int
    wanting: tuple[Kind, ...]
    kept: bool


def held(system: RuleSystem, game: GeneratedGame, box: PieceBox, words: Words, *, throws: bool) -> GeneratedGame:
    """Fit a game to a box; its record then has the box and a log of the changes.

    Args:
        system: the rules.
        game: the game as it was played.
        box: the user's pieces.
        words: the language of names and titles.
        throws: whether to roll stages again; False if the user gave the dice, or nothing may change.

    Raises:
        PrintkitError: the game cannot be replayed from its record.
    """
    attempts: list[Attempt] = []
    kept, found = game, _fetched(game.record, box)
    while throws and game.record.log and found.lacks and len(attempts) < ATTEMPTS:
        stages = _stages(system, kept.record, found.lacks)
        if not stages:
            break
        seed = Stream(f"box/{game.record.seed}/{len(attempts) + 1}").below(_SEEDS)
        tried = play_again(system, kept.record, words, reroll=stages, keep=(), fresh=seed)
        if tried.record.log == kept.record.log:
            # The log is the same because the user gave these answers; other seeds cannot change them.
            break
        instead = _fetched(tried.record, box)
        better = _want(instead) < _want(found)
        attempts.append(Attempt(stages=stages, seed=seed, wanting=_kinds(found.lacks), kept=better))
        if better:
            kept, found = tried, instead
    record = replace(kept.record, box=_log(box, found, attempts))
    return replace(
        kept,
        record=settled(system, record),
        warnings=(*kept.warnings, *_warnings(found, attempts)),
        renewed=kept.renewed if kept is game else (),
    )


def held_again(system: RuleSystem, game: GeneratedGame, earlier: Record, words: Words) -> GeneratedGame:
    """Fit a game with re-rolled stages to the box of the earlier record, if that has one.

    Raises:
        BookError: an entry of the box is wrong.
    """
    box = own_box(earlier)
    return game if box is None else held(system, game, box, words, throws=False)


def own_box(record: Record) -> PieceBox | None:
    """Return the box of a record, or None.

    Raises:
        BookError: an entry of the box is wrong.
    """
    if not record.box:
        return None
    return box_of({key: value for key, value in record.box.items() if key in ("title", "families", "piece")}, PLACE)


def fetched_for(record: Record) -> MatchedPieces | None:
    """Return the pieces of its box for a record; None if the record does not have a box.

    Raises:
        BookError: an entry of the box is wrong.
    """
    box = own_box(record)
    return None if box is None else _fetched(record, box)


def thrown_again(record: Record) -> tuple[Attempt, ...]:
    """Return the attempts to roll stages again for the box of a record.

    Raises:
        RecordError: the list in the record is not valid.
    """
    try:
        return convert(record.box.get("thrown_again", ()), tuple[Attempt, ...])
    except ValidationError:
        raise RecordError("box.thrown_again is not a list of stages, seed, wanting and kept; leave it out") from None


def _fetched(record: Record, box: PieceBox) -> MatchedPieces:
    return fetched(needs_of(record.battlefield), box)


def _want(found: MatchedPieces) -> tuple[float, int]:
    """Return how badly a box builds a battlefield: the weight of missing pieces, then the number of replacements."""
    replaced = sum(any(use.is_substitute for use in uses) for uses in found.by_need())
    return round(plain_sum(lack.weight for lack in found.lacks), 6), replaced


def _kinds(lacks: Sequence[MissingPiece]) -> tuple[Kind, ...]:
    return tuple(dict.fromkeys(lack.need.kind for lack in lacks))


def _stages(system: RuleSystem, record: Record, lacks: Sequence[MissingPiece]) -> tuple[str, ...]:
    """Return the stages that decide the features with missing pieces, in the order of the game."""
    asked = {lack.need.feature for lack in lacks}
    named = _named(system)
    found = {
        _deciding(feature, record.log, system.stages, named)
        for feature in record.battlefield.features
        if feature.id in asked
    }
    return tuple(stage for stage in system.stages if stage in found)


def _named(system: RuleSystem) -> dict[str, str]:
    """Return the deciding stage of each kind that the rule book lists."""
    rows = system.book.own(_THROWN) if _THROWN in system.book.rows else ()
    return {str(kind): row.need("stage", str) for row in rows for kind in row.need("kinds", list)}


def _deciding(feature: Feature, log: Sequence[Throw], stages: Sequence[str], named: Mapping[str, str]) -> str | None:
    """Return the stage to roll again for a feature: that of the rule book, or that of its first roll.

    If the log has no roll in that stage, return the last earlier stage that has one, or None.
    """
    first = replace(feature, origin=replace(feature.origin, throws=feature.origin.throws[:1]))
    stage = named.get(feature.kind) or stage_of(first, log, stages)
    thrown = {throw.stage for throw in log}
    upto = stages[: stages.index(stage) + 1] if stage in stages else ()
    return next((each for each in reversed(upto) if each in thrown), None)


def _log(box: PieceBox, found: MatchedPieces, attempts: Sequence[Attempt]) -> dict[str, Any]:
    """Return the data for the record: the box, and what was replaced, is missing and was rolled again."""
    standing = (
        (use.need.feature, use.need.kind.value, use.piece.kind.value) for use in found.uses if use.is_substitute
    )
    replaced = [{"feature": feature, "kind": kind, "by": by} for feature, kind, by in dict.fromkeys(standing)]
    missing = [{"feature": lack.need.feature, "kind": lack.need.kind.value} for lack in found.lacks]
    return {**box_object(box), "replaced": replaced, "missing": missing, "thrown_again": to_builtins(attempts)}


def _warnings(found: MatchedPieces, attempts: Sequence[Attempt]) -> tuple[str, ...]:
    """Return the notices for the user about the box."""
    said = []
    if attempts:
        once = Sentence("once")
        said.append(
            Sentence(
                "terrain box: {stages} rolled again {times}, because it has no {kinds}",
                stages=joined(
                    dict.fromkeys(stage for attempt in attempts for stage in attempt.stages), Sentence(" and ")
                ),
                times=once if len(attempts) == 1 else Sentence("{count} times", count=len(attempts)),
                kinds=_names(attempts[0].wanting),
            )
        )
    replaced = dict.fromkeys((use.piece.kind.value, use.need.kind.value) for use in found.uses if use.is_substitute)
    said += [
        Sentence("terrain box: {by} replaces {kind}", by=by, kind=kind)
        for by, kind in (map(_plain, pair) for pair in replaced)
    ]
    if found.lacks:
        said.append(Sentence("terrain box: no piece for {kinds}", kinds=_names(_kinds(found.lacks))))
    if unlisted := [kind for kind in _kinds(found.lacks) if not found.box.lists(kind)]:
        said.append(Sentence("terrain box: {kinds} not listed, so assumed missing", kinds=_names(unlisted)))
    return tuple(said)


def unlisted(record: Record, box: PieceBox) -> tuple[Kind, ...]:
    """Return the kinds that a battlefield needs and a box does not list, in the order of the key."""
    asked = asking(needs_of(record.battlefield), box)
    return tuple(dict.fromkeys(need.kind for need in asked if not box.lists(need.kind)))


def _names(kinds: Sequence[str]) -> str:
    return ", ".join(_plain(kind) for kind in kinds)


def _plain(kind: str) -> str:
    return kind.replace("_", " ")
