"""The proof of a sealed game for a player: compare the sheet, the codes, the game, its journal and the record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.chance.dice import Act
from printkit.core.errors import PrintkitError, ScenarioError, Sentence, UsageError, joined
from printkit.kit.registry import find, shapes_of
from printkit.kit.replay import compare_replay, newer_version_line
from printkit.recipes.game.request import Orders
from printkit.recipes.game.scenarios import build_scenario
from printkit.systems.brantley.dealing.closed_game import DIGITS, ClosedGame, sealed_of
from printkit.systems.brantley.dealing.facts import GameFacts, facts_of
from printkit.systems.brantley.dealing.game_rules import RULES
from printkit.systems.brantley.dealing.journal import NUMBER_PLAYER, parse_number
from printkit.systems.brantley.dealing.old_game import read_old_numbers
from printkit.systems.brantley.dealing.progress import Progress, field_fingerprint, recorded_progress, turn_texts
from printkit.systems.brantley.sheets.dealing import current_settings
from printkit.terrain.field.record import Record

_SEPARATORS: Final = re.compile(r"[\s-]+")
_DIGITS: Final = re.compile(r"[0-9a-f]*")
# A game with its journal, or the error of a journal that was changed.
_Read: TypeAlias = Progress | ScenarioError

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


class PlayerEvidence(Struct, frozen=True, kw_only=True):
    """What a player kept of a sealed game: the code of their sheet, codes of lines by number, and player B's number.

    ``numbers`` are by player, because in a game of version 0.2 both players gave one.
    """

    commitment: str
    codes: Mapping[int, str] = {}
    numbers: Mapping[str, int] = {}


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


def parse_numbers(game: ClosedGame, texts: Sequence[str]) -> Mapping[str, int]:
    """Return the numbers for the dice as the user typed them, by player.

    Raises:
        UsageError: a text is not such a number.
        ScenarioError: it is not one of a game of version 0.2, in which both players gave a number.
    """
    if not game.journal:
        return read_old_numbers("\n".join(texts))
    numbers = [parse_number(text) for text in texts]
    return {NUMBER_PLAYER: numbers[-1]} if numbers else {}


def prove_game(
    game: ClosedGame, evidence: PlayerEvidence, record: Record | None, saved_game: _Read
) -> Iterator[ProofLine]:
    """Yield the checks of a sealed game: deal, chain, turns, number, dice and map; failed ones too.

    After a wrong deal nothing else is checked. Before the reveal there are no dice and no map. A game that was dealt
    with older outlines has a check more, which proves nothing: its keeper could choose between two maps.

    Args:
        game: the sealed game.
        evidence: what the player kept.
        record: the record of its reveal; None before the reveal.
        saved_game: the game with its journal as saved next to it, or the error of a journal that was changed.

    Raises:
        RecordError: an entry of the record is not valid.
    """
    deal = _check_deal(game, evidence.commitment, record)
    yield deal
    if deal.fault is not None:
        return
    progress = saved_game
    facts = GameFacts() if record is None else facts_of(record)
    if record is not None:
        try:
            progress = recorded_progress(facts) or saved_game
        except ScenarioError as error:
            progress = error
    yield _check_chain(progress, saved_game, record)
    if isinstance(progress, ScenarioError):
        return
    yield _check_turns(progress, saved_game, evidence.codes, None if record is None else facts)
    yield _check_number(progress, saved_game, evidence.numbers)
    if record is not None:
        yield _check_dice(progress, record)
        if record.shapes <= shapes_of(RULES):
            yield _check_map(game, record, facts)
        yield from _check_shapes(game, record)


def conclude(checks: Iterable[ProofLine], *, is_revealed: bool) -> Sentence:
    """Return the last line of a proof."""
    rows = tuple(checks)
    if wrong := sum(row.fault is not None for row in rows):
        return Sentence("Wrong: {wrong} of {count} checks failed.", wrong=wrong, count=len(rows))
    if not is_revealed:
        return Sentence("The cards are still hidden, or the record is missing. Verify again after the reveal.")
    if doubts := sum(row.doubt is not None for row in rows):
        return Sentence(
            "Nothing is wrong, but {doubts} of {count} checks are not proven.", doubts=doubts, count=len(rows)
        )
    return Sentence("All is proven: the game was played as sealed.")


def _check_deal(game: ClosedGame, code: str, record: Record | None) -> ProofLine:
    """Return the check of the sealed game against the code of a sheet and the sealed part of the record."""
    subject = Sentence("deal")
    if code != game.commitment:
        fault = Sentence(
            "the sheet does not belong to this game, {game}; it is from another game, or was changed after the deal",
            game=game.seal.game,
        )
        return ProofLine(subject=subject, fault=fault)
    if record is not None:
        facts = facts_of(record) if record.rules == RULES else GameFacts()
        if facts.seal is None or facts.seal.commitment != game.commitment:
            return ProofLine(subject=subject, fault=Sentence("the record is not from this game"))
        if (sealed_of(facts), facts.salt) != (game, game.salt):
            return ProofLine(subject=subject, fault=Sentence("the sealed data of the record is not what was sealed"))
        if difference := _compare_deal(game, record, facts):
            return ProofLine(subject=subject, fault=difference)
    return ProofLine(subject=subject, detail=Sentence("the sheet belongs to sealed game {game}", game=game.seal.game))


def _compare_deal(game: ClosedGame, record: Record, facts: GameFacts) -> Sentence | None:
    """Return the first difference between a deal and its record: the deck, then the player of the first card."""
    shuffles = (throw.answer for throw in record.log if throw.stage == "deal" and throw.act is Act.CARD)
    for text in (" ".join(facts.deck), " ".join(facts.inputs.get("deck", ())), *shuffles):
        for index, card in enumerate(game.pack):
            if (cards := text.split()[index : index + 1]) != [card]:
                sealed_card = Sentence("{card} at position {place}", card=card, place=index + 1)
                return _differ(sealed_card, cards[0] if cards else "")
    return None if facts.first == game.first else _differ(game.first, facts.first)


def _check_chain(progress: _Read, saved_game: _Read, record: Record | None) -> ProofLine:
    """Return the check that each line follows from those before, in the record and next to the game."""
    subject = Sentence("chain")
    for game_state in (progress, saved_game):
        if isinstance(game_state, ScenarioError):
            return ProofLine(subject=subject, fault=game_state.sentence)
    assert isinstance(progress, Progress)
    assert isinstance(saved_game, Progress)
    if not progress.game.journal:
        return ProofLine(subject=subject, doubt=_OLD)
    if saved_game.journal.lines and saved_game.journal.line_texts != progress.journal.line_texts:
        return ProofLine(subject=subject, fault=Sentence("the record has another journal than the folder of the game"))
    if record is not None and saved_game.reveal_fingerprint not in ("", field_fingerprint(record, progress.game)):
        return ProofLine(subject=subject, fault=Sentence("the record was changed after the reveal"))
    return ProofLine(subject=subject, detail=Sentence("{count} lines", count=len(progress.journal.lines)))


def _check_turns(progress: Progress, saved_game: _Read, codes: Mapping[int, str], facts: GameFacts | None) -> ProofLine:
    """Return the check of the cards placed: as in the record, and as the codes say that a player was sent."""
    subject, journal, turns = Sentence("turns"), progress.journal, turn_texts(progress.turns)
    record_turns = turns if facts is None else facts.inputs.get("placements", ())
    if not progress.game.journal:
        turns = turn_texts(saved_game.turns) if isinstance(saved_game, Progress) else ()
        if turns and record_turns != turns:
            return ProofLine(subject=subject, fault=_NOT_AS_PLACED)
        return ProofLine(subject=subject, doubt=_OLD)
    if record_turns != turns:
        return ProofLine(subject=subject, fault=_NOT_AS_PLACED)
    for number, code in sorted(codes.items()):
        if number > len(journal.lines):
            fault = Sentence("you have the code of line {number}; the game has no such line", number=number)
            return ProofLine(subject=subject, fault=fault)
        if journal.lines[number - 1].code != code:
            fault = Sentence(
                "line {number} has the code {found}, not {code}: a card up to this line was changed",
                number=number,
                found=journal.lines[number - 1].code,
                code=code,
            )
            return ProofLine(subject=subject, fault=fault)
    if not codes:
        return ProofLine(subject=subject, doubt=Sentence("you gave no code of a line; add for example --code 8=CODE"))
    last = max(journal.turns, default=0)
    if max(codes) < last:
        doubt = Sentence("your codes prove the game only up to line {number} of {last}", number=max(codes), last=last)
        return ProofLine(subject=subject, doubt=doubt)
    return ProofLine(subject=subject, detail=", ".join(turns))


def _check_number(progress: Progress, saved_game: _Read, typed_numbers: Mapping[str, int]) -> ProofLine:
    """Return the check of the numbers for the dice against those that the user typed and those saved with the game."""
    subject, numbers = Sentence("number"), progress.numbers
    saved_numbers = saved_game.numbers if isinstance(saved_game, Progress) and not progress.game.journal else {}
    for expected_numbers in (typed_numbers, saved_numbers):
        for player, number in expected_numbers.items():
            if numbers.get(player) != number:
                fault = Sentence(
                    "player {player} gave {told}; the game has {used}",
                    player=player,
                    told=number,
                    used=numbers.get(player, Sentence("nothing")),
                )
                return ProofLine(subject=subject, fault=fault)
    if NUMBER_PLAYER not in numbers:
        return ProofLine(subject=subject, doubt=Sentence("player B gave no number"))
    if NUMBER_PLAYER not in typed_numbers:
        return ProofLine(subject=subject, doubt=Sentence("you typed no number; add for example --number B=416235"))
    return ProofLine(subject=subject, detail=", ".join(f"{player} {number}" for player, number in numbers.items()))


def _check_dice(progress: Progress, record: Record) -> ProofLine:
    """Return the check of the dice of a record: they come from the seal, the turns and player B's number."""
    subject, game = Sentence("dice"), progress.game
    if record.seed != progress.seed:
        fault = Sentence("the sealed game gives seed {due}; the record has {seed}", due=progress.seed, seed=record.seed)
        return ProofLine(subject=subject, fault=fault)
    if record.reseeded:
        stages = ", ".join(record.reseeded)
        return ProofLine(subject=subject, fault=Sentence("rolled again after the reveal: {stages}", stages=stages))
    dice, sealed_dice = [throw for throw in record.log if throw.act is Act.DIE], (*game.thrown, *game.dice)
    for number, (throw, score) in enumerate(zip(dice, sealed_dice, strict=False), 1):
        if throw.answer != score:
            fault = _differ(Sentence("{score} for die {number}", score=score, number=number), throw.answer)
            return ProofLine(subject=subject, fault=fault)
    sealed_ids = {id(throw) for throw in dice[: len(sealed_dice)]}
    by_hand = [
        throw for throw in record.log if not throw.seeded and throw.act is not Act.CARD and id(throw) not in sealed_ids
    ]
    roll_list = Sentence(
        "{count} by hand: {throws}",
        count=len(by_hand),
        throws=joined(
            Sentence("{reason} {answer}", reason=throw.reason, answer=throw.answer) for throw in by_hand[:_MAX_LISTED]
        ),
    )
    if by_hand and progress.numbers:
        return ProofLine(subject=subject, fault=Sentence("{told}; but the number decides all dice", told=roll_list))
    if by_hand:
        return ProofLine(subject=subject, doubt=Sentence("{told}; ask who saw them", told=roll_list))
    if not progress.numbers:
        return ProofLine(subject=subject, doubt=Sentence("without player B's number, the keeper could know them"))
    if not game.journal:
        return ProofLine(subject=subject, doubt=_OLD)
    return ProofLine(subject=subject, detail=Sentence("seed {seed}", seed=record.seed))


def _check_map(game: ClosedGame, record: Record, facts: GameFacts) -> ProofLine:
    """Return the check that settings, board and lists are those of the deal, and that a replay gives the same map."""
    subject = Sentence("map")
    if fault := _compare_settings(game, record, facts):
        return ProofLine(subject=subject, fault=fault)
    try:
        replay = compare_replay(find(RULES), record)
    except PrintkitError as error:
        return ProofLine(subject=subject, fault=error.sentence)
    if len(replay.faults) > 1:
        more = Sentence("{fault}; and {count} more", fault=replay.faults[0], count=len(replay.faults) - 1)
        return ProofLine(subject=subject, fault=more)
    if replay.faults:
        return ProofLine(subject=subject, fault=replay.faults[0])
    if replay.first_unchecked is not None:
        return ProofLine(subject=subject, doubt=replay.note)
    by_hand = [name for name in facts.inputs if name not in ("deck", "placements", *game.inputs)]
    if by_hand:
        doubt = Sentence("placed by hand, not covered by the seal: {names}", names=", ".join(by_hand))
        return ProofLine(subject=subject, doubt=doubt)
    return ProofLine(subject=subject, detail=replay.note or Sentence("every roll and feature is the same"))


def _check_shapes(game: ClosedGame, record: Record) -> Iterator[ProofLine]:
    """Yield the check of the version of the outlines, unless it is the one of this printkit everywhere.

    Whoever reveals a game of an older version may choose between two versions, so nothing is proven.
    """
    subject, current = Sentence("shapes"), shapes_of(RULES)
    if (newest := max(game.shapes, record.shapes)) > current:
        yield ProofLine(subject=subject, fault=newer_version_line(newest, current))
    elif record.shapes < game.shapes:
        yield ProofLine(subject=subject, fault=_differ(game.shapes, record.shapes))
    elif game.shapes < current:
        doubt = Sentence(
            "the game was dealt with version {made} of the shapes; this printkit has {here}",
            made=game.shapes,
            here=current,
        )
        yield ProofLine(subject=subject, doubt=doubt)


def _compare_settings(game: ClosedGame, record: Record, facts: GameFacts) -> Sentence | None:
    """Return the first difference between the settings, board and lists of a record and those of the deal."""
    sealed_settings = current_settings(game)
    for key, text in sealed_settings.items():
        if record.settings.get(key) != text:
            return _differ(f"{key} {text}", record.settings.get(key, ""))
    orders = Orders(rules=RULES, settings=sealed_settings, board=game.board or None)
    if build_scenario(find(RULES), orders, game.seed).board != record.battlefield.board:
        return Sentence("the board is not the sealed one")
    for name, lines in game.inputs.items():
        if facts.inputs.get(name, ()) != lines:
            return Sentence("the list {name} is not the sealed one", name=name)
    return None


def _differ(sealed_value: object, record_value: object) -> Sentence:
    """Return the sentence for something that was sealed, and that a record has otherwise."""
    return Sentence(
        "{sealed} was sealed; the record has {found}", sealed=sealed_value, found=record_value or Sentence("nothing")
    )


_OLD: Final = Sentence("this game was dealt before codes proved the turns")
_NOT_AS_PLACED: Final = Sentence("the record has other turns than the game")
