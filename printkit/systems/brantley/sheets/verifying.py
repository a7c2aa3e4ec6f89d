"""The proof of a sealed game for a player: compare the printed sheet, the sealed game and the record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Final

from msgspec import Struct

from printkit.chance.dice import Act
from printkit.core.errors import PrintkitError, Sentence, UsageError, joined
from printkit.kit.registry import find, shapes_of
from printkit.kit.replay import compare_replay, newer_version_line
from printkit.recipes.game.request import Orders
from printkit.recipes.game.scenarios import build_scenario
from printkit.systems.brantley.dealing.closed_game import DIGITS, ClosedGame, dice_seed, sealed_of
from printkit.systems.brantley.dealing.facts import GameFacts, facts_of
from printkit.systems.brantley.dealing.game_rules import RULES
from printkit.systems.brantley.dealing.reveal_note import RevealNote, parted
from printkit.systems.brantley.sheets.dealing import current_settings
from printkit.terrain.field.record import Record

_SEPARATORS: Final = re.compile(r"[\s-]+")
_DIGITS: Final = re.compile(r"[0-9a-f]*")
# Number of rolls by hand that are listed one by one.
_MAX_LISTED: Final = 8


class ProofLine(Struct, frozen=True, kw_only=True):
    """One check: its subject, its fault if it failed, and a detail if it passed.

    ``doubt`` says why a check neither failed nor proves anything. At most one of fault and doubt is given.
    """

    subject: Sentence
    fault: Sentence | None = None
    detail: str = ""
    doubt: Sentence | None = None

    @property
    def line(self) -> Sentence:
        """Return the check as a line of text."""
        if self.fault is not None:
            return Sentence("{what}: WRONG: {fault}", what=self.subject, fault=self.fault)
        if self.doubt is not None:
            return Sentence("{what}: not proven: {doubt}", what=self.subject, doubt=self.doubt)
        if self.detail:
            return Sentence("{what}: correct: {detail}", what=self.subject, detail=self.detail)
        return Sentence("{what}: correct", what=self.subject)


def parse_code(parts: Iterable[str]) -> str:
    """Return the code of a sheet as the user typed it, without spaces and hyphens, in lower case.

    ``parts`` are the words of the code, in their order.

    Raises:
        UsageError: the text cannot be a code; says what a sheet shows.
    """
    text = _SEPARATORS.sub("", "".join(parts)).lower()
    if _DIGITS.fullmatch(text) is None:
        raise UsageError(
            "{text!r} is not the code of a sheet; type its commitment, {digits} digits of 0 to 9 and a to f",
            text=" ".join(parts),
            digits=DIGITS,
        )
    if len(text) != DIGITS:
        raise UsageError(
            "the code must have {digits} digits, not {count}; type the complete commitment",
            count=len(text),
            digits=DIGITS,
        )
    return text


def check_code(game: ClosedGame, code: str) -> ProofLine:
    """Return the check of a sheet's code against the sealed game.

    ``code`` is without spaces and hyphens, as from ``parse_code``.
    """
    subject = Sentence("commitment")
    if code == game.commitment:
        return ProofLine(
            subject=subject, detail=Sentence("the sheet belongs to sealed game {game}", game=game.seal.game)
        )
    fault = Sentence(
        "the sheet does not belong to this game, {game}; it is from a different game, or was changed after the deal",
        game=game.seal.game,
    )
    return ProofLine(subject=subject, fault=fault)


def check_numbers(
    game_numbers: Mapping[str, int], user_numbers: Mapping[str, int], saved_numbers: Iterable[Mapping[str, int]]
) -> ProofLine:
    """Return the check of the players' numbers; its fault is the first number that differs.

    Args:
        game_numbers: the numbers of the record by player, or those next to the game before the reveal.
        user_numbers: the numbers that the user gave on the command line, by player; others are not compared.
        saved_numbers: the numbers saved elsewhere next to the game, by player; they must have all players of the game.
    """
    subject = Sentence("numbers")
    for given_numbers in (user_numbers, *saved_numbers):
        for player in sorted({*given_numbers, *game_numbers} if given_numbers is not user_numbers else given_numbers):
            if given_numbers.get(player) != game_numbers.get(player):
                fault = Sentence(
                    "player {player} gave {told}; the game has {used}",
                    player=player,
                    told=given_numbers.get(player, Sentence("nothing")),
                    used=game_numbers.get(player, Sentence("nothing")),
                )
                return ProofLine(subject=subject, fault=fault)
    number_text = ", ".join(f"{player} {number}" for player, number in game_numbers.items())
    return ProofLine(subject=subject, detail=number_text or Sentence("none was given"))


def check_record(
    game: ClosedGame,
    record: Record,
    *,
    note: RevealNote | None,
    user_numbers: Mapping[str, int],
    saved_numbers: Iterable[Mapping[str, int]] = (),
    turns: tuple[str, ...] | None = None,
) -> Iterator[ProofLine]:
    """Yield the checks of the record of a sealed game, failed ones too.

    The replay is checked only if this version of printkit knows the shapes of the record.

    Args:
        game: the sealed game, which matches the code of the sheet.
        record: the record of its reveal.
        note: the note of its reveal; None if there is no note, and no check of it.
        user_numbers: the numbers that the user gave on the command line, by player.
        saved_numbers: the numbers saved next to the game, by player.
        turns: the turns saved next to the game as texts of player, card and zone; None if there are none.

    Raises:
        RecordError: an entry of the record is not valid.
    """
    if record.rules != RULES:
        yield ProofLine(subject=Sentence("record"), fault=Sentence("it is not from this game"))
        return
    facts = facts_of(record)
    yield _check_game(game, facts)
    yield _check_pack(game, record, facts)
    yield _compare_values(
        Sentence("first card"), game.first, facts.first, Sentence("placed by player {player}", player=game.first)
    )
    yield _check_settings(game, record, facts)
    note_numbers = () if note is None else (note.numbers,)
    yield check_numbers(facts.numbers, user_numbers, (*saved_numbers, *note_numbers))
    yield _check_turns(facts, turns)
    yield _check_dice(game, record, facts.numbers)
    if note is not None:
        yield _check_note(note, RevealNote.of(record, game))
    shapes = _check_shapes(game, record)
    yield shapes
    if record.shapes <= shapes_of(RULES):
        yield _check_replay(record)


def _compare_values(subject: Sentence, sealed_value: str, record_value: str, detail: str = "") -> ProofLine:
    """Return a check that passes, with ``detail``, if the record has the sealed value; otherwise it names both."""
    if sealed_value == record_value:
        return ProofLine(subject=subject, detail=detail)
    return ProofLine(
        subject=subject,
        fault=Sentence(
            "{sealed} was sealed; the record has {found}",
            sealed=sealed_value,
            found=record_value or Sentence("nothing"),
        ),
    )


def _check_game(game: ClosedGame, facts: GameFacts) -> ProofLine:
    """Return the check that a record is of this sealed game, and contains its sealed data unchanged."""
    subject = Sentence("record")
    if facts.seal is None or facts.seal.commitment != game.commitment:
        return ProofLine(subject=subject, fault=Sentence("it is not from this game"))
    if (sealed_of(facts), facts.salt) != (game, game.salt):
        return ProofLine(subject=subject, fault=Sentence("its sealed data is not what was sealed"))
    return ProofLine(subject=subject)


def _check_pack(game: ClosedGame, record: Record, facts: GameFacts) -> ProofLine:
    """Return the check of the pack in all parts of the record that contain it.

    The fault is the first card that differs, with its position from 1.
    """
    shuffles = (throw.answer for throw in record.log if throw.stage == "deal" and throw.act is Act.CARD)
    for pack_text in (" ".join(facts.deck), " ".join(facts.inputs.get("deck", ())), *shuffles):
        for index, card in enumerate(game.pack):
            record_card = pack_text.split()[index : index + 1]
            if record_card != [card]:
                return _compare_values(
                    Sentence("deck"),
                    Sentence("{card} at position {place}", card=card, place=index + 1),
                    record_card[0] if record_card else "",
                )
    return ProofLine(subject=Sentence("deck"))


def _check_settings(game: ClosedGame, record: Record, facts: GameFacts) -> ProofLine:
    """Return the check that settings, board and lists of a record are those of the deal.

    The fault is the first difference. A passed check names the lists that the seal does not cover.
    """
    subject, sealed_settings = Sentence("settings"), current_settings(game)
    for key, text in sealed_settings.items():
        if record.settings.get(key) != text:
            return _compare_values(subject, f"{key} {text}", record.settings.get(key, ""))
    orders = Orders(rules=RULES, settings=sealed_settings, board=game.board or None)
    if build_scenario(find(RULES), orders, game.seed).board != record.battlefield.board:
        return ProofLine(subject=subject, fault=Sentence("the board is not the sealed one"))
    for name, lines in game.inputs.items():
        if facts.inputs.get(name, ()) != lines:
            return ProofLine(subject=subject, fault=Sentence("the list {name} is not the sealed one", name=name))
    by_hand = [name for name in facts.inputs if name not in ("deck", "placements", *game.inputs)]
    detail = Sentence("placed by hand, not covered by the seal: {names}", names=", ".join(by_hand)) if by_hand else ""
    return ProofLine(subject=subject, detail=detail)


def _check_turns(facts: GameFacts, saved_turns: tuple[str, ...] | None) -> ProofLine:
    """Return the check of the turns in a record against those saved in the game folder.

    The fault is the first turn, from 1, that differs. Without saved turns (None) there is no fault.
    """
    subject, record_turns = Sentence("turns"), facts.inputs.get("placements", ())
    for number, (turn, saved_turn) in enumerate(
        zip_longest(record_turns, saved_turns or record_turns, fillvalue=Sentence("nothing")), 1
    ):
        if turn != saved_turn:
            fault = Sentence(
                "turn {number} is {turn} in the record, but {other} in the game folder",
                number=number,
                turn=turn,
                other=saved_turn,
            )
            return ProofLine(subject=subject, fault=fault)
    return ProofLine(subject=subject, detail=", ".join(record_turns))


def _check_dice(game: ClosedGame, record: Record, numbers: Mapping[str, int]) -> ProofLine:
    """Return the check of the dice of a record against the seal and the players' numbers.

    Rolls by hand are listed in the detail; with players' numbers they are a fault.
    """
    subject = Sentence("dice")
    expected_seed = dice_seed(game, numbers)
    if record.seed != expected_seed:
        fault = Sentence(
            "the seal and the numbers give seed {due}; the record has {seed}", due=expected_seed, seed=record.seed
        )
        return ProofLine(subject=subject, fault=fault)
    if record.reseeded:
        stages = ", ".join(record.reseeded)
        return ProofLine(subject=subject, fault=Sentence("rolled again after the reveal: {stages}", stages=stages))
    dice, sealed_dice = [throw for throw in record.log if throw.act is Act.DIE], (*game.thrown, *game.dice)
    for number, (throw, score) in enumerate(zip(dice, sealed_dice, strict=False), 1):
        if throw.answer != score:
            return _compare_values(
                subject, Sentence("{score} for die {number}", score=score, number=number), throw.answer
            )
    sealed_ids = {id(throw) for throw in dice[: len(sealed_dice)]}
    by_hand = [
        throw for throw in record.log if not throw.seeded and throw.act is not Act.CARD and id(throw) not in sealed_ids
    ]
    detail = Sentence(
        "{count} by hand: {throws}",
        count=len(by_hand),
        throws=joined(
            Sentence("{reason} {answer}", reason=throw.reason, answer=throw.answer) for throw in by_hand[:_MAX_LISTED]
        ),
    )
    if by_hand and numbers:
        return ProofLine(subject=subject, fault=Sentence("{told}; but the numbers decide all dice", told=detail))
    if by_hand:
        return ProofLine(
            subject=subject, detail=Sentence("{told}; the seal does not cover these; ask who saw them", told=detail)
        )
    return ProofLine(subject=subject, detail=Sentence("seed {seed}", seed=record.seed))


def _check_note(note: RevealNote, now: RevealNote) -> ProofLine:
    """Return the check that the saved note of a reveal agrees with ``now``, the note of this record.

    The fault is the first difference. A newer version of the shapes in the record is allowed.
    """
    subject = Sentence("reveal note")
    if note.commitment != now.commitment:
        return ProofLine(subject=subject, fault=Sentence("it is not from this game"))
    for name, before, after in parted(note, now):
        fault = Sentence("{name} is {before} in the note, but {now} in the record", name=name, before=before, now=after)
        return ProofLine(subject=subject, fault=fault)
    if now.printkit.shapes < note.printkit.shapes:
        return ProofLine(
            subject=subject,
            fault=Sentence(
                "{name} is {before} in the note, but {now} in the record",
                name=Sentence("shapes"),
                before=note.printkit.shapes,
                now=now.printkit.shapes,
            ),
        )
    if note.field != now.field:
        return ProofLine(subject=subject, fault=Sentence("the record was changed after the reveal"))
    return ProofLine(subject=subject)


def _check_shapes(game: ClosedGame, record: Record) -> ProofLine:
    """Return the check of the version of the outlines in a record.

    Whoever reveals a game of an older version may choose between two versions, so that nothing is proven.
    """
    subject, current = Sentence("shapes"), shapes_of(RULES)
    if max(game.shapes, record.shapes) > current:
        newest = max(game.shapes, record.shapes)
        return ProofLine(subject=subject, fault=newer_version_line(newest, current))
    if record.shapes < game.shapes:
        return _compare_values(subject, str(game.shapes), str(record.shapes))
    if game.shapes < current:
        return ProofLine(
            subject=subject,
            doubt=Sentence(
                "the game was dealt with version {made} of the shapes; this printkit has {here}",
                made=game.shapes,
                here=current,
            ),
        )
    return ProofLine(subject=subject)


def _check_replay(record: Record) -> ProofLine:
    """Return the check that a replay of the cards and dice gives the same record.

    The fault is the first difference, with the number of others. Parts that cannot be replayed give a doubt.
    """
    subject = Sentence("replay")
    try:
        replay = compare_replay(find(RULES), record)
    except PrintkitError as error:
        return ProofLine(subject=subject, fault=error.sentence)
    faults = replay.faults
    if not faults and replay.first_unchecked is not None:
        return ProofLine(subject=subject, doubt=replay.note)
    if not faults and replay.note is not None:
        return ProofLine(subject=subject, detail=replay.note)
    if not faults:
        return ProofLine(subject=subject, detail=Sentence("every roll and feature is the same"))
    if len(faults) == 1:
        return ProofLine(subject=subject, fault=faults[0])
    more = Sentence("{fault}; and {count} more", fault=faults[0], count=len(faults) - 1)
    return ProofLine(subject=subject, fault=more)
