"""The proof of a sealed game for a player: compare the printed sheet, the sealed game and the record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Final

from msgspec import Struct

from printkit.chance.dice import Act, Throw
from printkit.core.errors import PrintkitError, Sentence, UsageError, joined
from printkit.core.words import Words
from printkit.kit.registry import find, shapes_of
from printkit.recipes.game.games import build_scenario
from printkit.recipes.game.replay_check import compare_replay, newer_version_line
from printkit.recipes.game.request import Orders
from printkit.systems.brantley.dealing.closed_game import DIGITS, ClosedGame, dice_seed
from printkit.systems.brantley.dealing.facts import lists_of, numbers_of, pack_of, seal_of, sealed_of, text_of
from printkit.systems.brantley.dealing.game_rules import RULES
from printkit.systems.brantley.dealing.reveal_note import RevealNote, parted
from printkit.systems.brantley.sheets.dealing import ruled
from printkit.terrain.field.record import Record

_GAPS: Final = re.compile(r"[\s-]+")
_DIGITS: Final = re.compile(r"[0-9a-f]*")
# Number of rolls by hand that are listed one by one.
_SHOWN: Final = 8


class ProofLine(Struct, frozen=True, kw_only=True):
    """One check: its subject, its fault if it failed, and a detail if it passed.

    ``doubt`` says why a check neither failed nor proves anything.
    """

    what: Sentence
    fault: Sentence | None = None
    detail: str = ""
    doubt: Sentence | None = None

    @property
    def line(self) -> Sentence:
        """Return the check as a line of text."""
        if self.fault is not None:
            return Sentence("{what}: WRONG: {fault}", what=self.what, fault=self.fault)
        if self.doubt is not None:
            return Sentence("{what}: not proven: {doubt}", what=self.what, doubt=self.doubt)
        if self.detail:
            return Sentence("{what}: correct: {detail}", what=self.what, detail=self.detail)
        return Sentence("{what}: correct", what=self.what)


def read_code(parts: Iterable[str]) -> str:
    """Return the code of a sheet as the user typed it, without spaces and hyphens.

    Raises:
        UsageError: the text cannot be a code; says what a sheet shows.
    """
    text = _GAPS.sub("", "".join(parts)).lower()
    if _DIGITS.fullmatch(text) is None:
        raise UsageError(
            "{text!r} is not the code of a sheet; type its commitment, {digits} digits of 0 to 9 and a to f",
            text=" ".join(parts),
            digits=DIGITS,
        )
    if len(text) != DIGITS:
        raise UsageError(
            "the code has {count} digits instead of {digits}; type the complete commitment",
            count=len(text),
            digits=DIGITS,
        )
    return text


def code_line(game: ClosedGame, code: str) -> ProofLine:
    """Return the check of a sheet's code against the sealed game."""
    what = Sentence("commitment")
    if code == game.commitment:
        return ProofLine(what=what, detail=Sentence("the sheet belongs to this game, {game}", game=game.seal.game))
    fault = Sentence(
        "the sheet does not belong to this game, {game}; it is from a different game, or was changed after the deal",
        game=game.seal.game,
    )
    return ProofLine(what=what, fault=fault)


def number_line(used: Mapping[str, int], own: Mapping[str, int], others: Iterable[Mapping[str, int]]) -> ProofLine:
    """Return the check of the players' numbers.

    Args:
        used: the numbers of the record, or those next to the game before the reveal.
        own: the numbers that the user gave on the command line.
        others: the numbers saved elsewhere next to the game.
    """
    what = Sentence("numbers")
    for told in (own, *others):
        for player in sorted({*told, *used} if told is not own else told):
            if told.get(player) != used.get(player):
                fault = Sentence(
                    "player {player} gave {told}; the game has {used}",
                    player=player,
                    told=told.get(player, Sentence("nothing")),
                    used=used.get(player, Sentence("nothing")),
                )
                return ProofLine(what=what, fault=fault)
    listed = ", ".join(f"{player} {number}" for player, number in used.items())
    return ProofLine(what=what, detail=listed or Sentence("none was given"))


def proof_lines(
    game: ClosedGame,
    record: Record,
    words: Words,
    *,
    note: RevealNote | None,
    own: Mapping[str, int],
    beside: Iterable[Mapping[str, int]] = (),
    turns: tuple[str, ...] | None = None,
) -> Iterator[ProofLine]:
    """Yield the checks of the record of a sealed game.

    Args:
        game: the sealed game, which matches the code of the sheet.
        record: the record of its reveal.
        words: the language of the replay.
        note: the note of its reveal, if there is one.
        own: the numbers that the user gave on the command line.
        beside: the numbers saved next to the game.
        turns: the turns saved next to the game, if there are any.
    """
    yield _is_of_game(game, record)
    yield _pack(game, record)
    first = text_of(record, "first")
    yield _compared(Sentence("first card"), game.first, first, Sentence("placed by player {player}", player=game.first))
    yield _settings(game, record)
    numbers = numbers_of(record)
    noted = () if note is None else (note.numbers,)
    yield number_line(numbers, own, (*beside, *noted))
    yield _turns(record, turns)
    yield _dice(game, record)
    if note is not None:
        yield _noted(note, RevealNote.of(record, game))
    shapes = _shapes(game, record)
    yield shapes
    if record.shapes <= shapes_of(RULES):
        yield _again(record, words)


def _compared(what: Sentence, sealed: str, found: str, detail: str = "") -> ProofLine:
    if sealed == found:
        return ProofLine(what=what, detail=detail)
    return ProofLine(
        what=what,
        fault=Sentence(
            "{sealed} was sealed; the record has {found}", sealed=sealed, found=found or Sentence("nothing")
        ),
    )


def _is_of_game(game: ClosedGame, record: Record) -> ProofLine:
    what, seal = Sentence("record"), seal_of(record)
    if record.rules != RULES or seal is None or seal.commitment != game.commitment:
        return ProofLine(what=what, fault=Sentence("it is not from this game"))
    if sealed_of(record) != game or text_of(record, "salt") != game.salt:
        return ProofLine(what=what, fault=Sentence("its sealed data is not what was sealed"))
    return ProofLine(what=what)


def _pack(game: ClosedGame, record: Record) -> ProofLine:
    """Return the check of the pack in all parts of the record that contain it."""
    lists = lists_of(record).get("deck", ())
    shuffled = (throw.answer for throw in record.log if throw.stage == "deal" and throw.act is Act.CARD)
    for told in (" ".join(pack_of(record)), " ".join(lists), *shuffled):
        for place, card in enumerate(game.pack):
            found = told.split()[place : place + 1]
            if found != [card]:
                return _compared(
                    Sentence("deck"),
                    Sentence("{card} at position {place}", card=card, place=place + 1),
                    found[0] if found else "",
                )
    return ProofLine(what=Sentence("deck"))


def _settings(game: ClosedGame, record: Record) -> ProofLine:
    """Return the check of settings, board and lists against the deal."""
    what, sealed = Sentence("settings"), ruled(game)
    for key, text in sealed.items():
        if record.settings.get(key) != text:
            return _compared(what, f"{key} {text}", record.settings.get(key, ""))
    orders = Orders(rules=RULES, settings=sealed, board=game.board or None)
    if build_scenario(find(RULES), orders, game.seed).board != record.battlefield.board:
        return ProofLine(what=what, fault=Sentence("the board is not the sealed one"))
    lists = lists_of(record)
    for name, lines in game.inputs.items():
        if lists.get(name, ()) != lines:
            return ProofLine(what=what, fault=Sentence("the list {name} is not the sealed one", name=name))
    by_hand = [name for name in lists if name not in ("deck", "placements", *game.inputs)]
    told = Sentence("placed by hand, not covered by the seal: {names}", names=", ".join(by_hand)) if by_hand else ""
    return ProofLine(what=what, detail=told)


def _turns(record: Record, beside: tuple[str, ...] | None) -> ProofLine:
    what, played = Sentence("turns"), lists_of(record).get("placements", ())
    for number, (turn, other) in enumerate(zip_longest(played, beside or played, fillvalue=Sentence("nothing")), 1):
        if turn != other:
            fault = Sentence(
                "turn {number} is {turn} in the record, but {other} in the game folder",
                number=number,
                turn=turn,
                other=other,
            )
            return ProofLine(what=what, fault=fault)
    return ProofLine(what=what, detail=", ".join(played))


def _dice(game: ClosedGame, record: Record) -> ProofLine:
    """Return the check of the dice against the seal and the numbers; rolls by hand are listed."""
    what, numbers = Sentence("dice"), numbers_of(record)
    due = dice_seed(game, numbers)
    if record.seed != due:
        fault = Sentence("the seal and the numbers give seed {due}; the record has {seed}", due=due, seed=record.seed)
        return ProofLine(what=what, fault=fault)
    if record.reseeded:
        stages = ", ".join(record.reseeded)
        return ProofLine(what=what, fault=Sentence("rolled again after the reveal: {stages}", stages=stages))
    thrown, sealed = [throw for throw in record.log if throw.act is Act.DIE], (*game.thrown, *game.dice)
    for number, (throw, score) in enumerate(zip(thrown, sealed, strict=False), 1):
        if throw.answer != score:
            return _compared(what, Sentence("{score} for die {number}", score=score, number=number), throw.answer)
    bound = {id(throw) for throw in thrown[: len(sealed)]}
    by_hand = [each for each in record.log if _is_by_hand(each) and id(each) not in bound]
    told = Sentence(
        "{count} by hand: {throws}",
        count=len(by_hand),
        throws=joined(
            Sentence("{reason} {answer}", reason=throw.reason, answer=throw.answer) for throw in by_hand[:_SHOWN]
        ),
    )
    if by_hand and numbers:
        return ProofLine(what=what, fault=Sentence("{told}; but the numbers decide all dice", told=told))
    if by_hand:
        return ProofLine(
            what=what, detail=Sentence("{told}; the seal does not cover these; ask who saw them", told=told)
        )
    return ProofLine(what=what, detail=Sentence("seed {seed}", seed=record.seed))


def _is_by_hand(throw: Throw) -> bool:
    return not throw.seeded and throw.act is not Act.CARD


def _noted(note: RevealNote, now: RevealNote) -> ProofLine:
    """Return the check of the note of a reveal against this record."""
    what = Sentence("reveal note")
    if note.commitment != now.commitment:
        return ProofLine(what=what, fault=Sentence("it is not from this game"))
    for name, before, after in parted(note, now):
        fault = Sentence("{name} is {before} in the note, but {now} in the record", name=name, before=before, now=after)
        return ProofLine(what=what, fault=fault)
    if now.shapes < note.shapes:
        return ProofLine(
            what=what,
            fault=Sentence(
                "{name} is {before} in the note, but {now} in the record",
                name=Sentence("shapes"),
                before=note.shapes,
                now=now.shapes,
            ),
        )
    if note.field != now.field:
        return ProofLine(what=what, fault=Sentence("the record was changed after the reveal"))
    return ProofLine(what=what)


def _shapes(game: ClosedGame, record: Record) -> ProofLine:
    """Return the check of the version of the outlines.

    Whoever reveals a game of an older version may choose between two versions, so that nothing is proven.
    """
    what, here = Sentence("shapes"), shapes_of(RULES)
    if max(game.shapes, record.shapes) > here:
        made = max(game.shapes, record.shapes)
        return ProofLine(what=what, fault=newer_version_line(made, here))
    if record.shapes < game.shapes:
        return _compared(what, str(game.shapes), str(record.shapes))
    if game.shapes < here:
        return ProofLine(
            what=what,
            doubt=Sentence(
                "the game was dealt with version {made} of the shapes; this printkit has {here}",
                made=game.shapes,
                here=here,
            ),
        )
    return ProofLine(what=what)


def _again(record: Record, words: Words) -> ProofLine:
    """Return the check of a replay: the cards and dice give the same record."""
    what = Sentence("replay")
    try:
        replay = compare_replay(find(RULES), record, words)
    except PrintkitError as error:
        return ProofLine(what=what, fault=error.sentence)
    faults = replay.faults
    if not faults and replay.first_unchecked is not None:
        return ProofLine(what=what, doubt=replay.note)
    if not faults and replay.note is not None:
        return ProofLine(what=what, detail=replay.note)
    if not faults:
        return ProofLine(what=what, detail=Sentence("every roll and feature is the same"))
    if len(faults) == 1:
        return ProofLine(what=what, fault=faults[0])
    more = Sentence("{fault}; and {count} more", fault=faults[0], count=len(faults) - 1)
    return ProofLine(what=what, fault=more)
