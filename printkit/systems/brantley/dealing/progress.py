"""How far a sealed game is: its cards on the board, player B's number, and whether it is revealed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from printkit.core.errors import ScenarioError
from printkit.systems.brantley.dealing.closed_game import ClosedGame, fingerprint, sealed_of
from printkit.systems.brantley.dealing.deal import ZoneCard
from printkit.systems.brantley.dealing.facts import GameFacts
from printkit.systems.brantley.dealing.journal import (
    FINGERPRINT_DIGITS,
    NUMBER_PLAYER,
    Journal,
    add_line,
    build_journal,
    dice_seed,
    journal_turns,
    parse_number,
)
from printkit.systems.brantley.dealing.old_game import OldFiles, old_dice_seed, read_old_numbers, read_old_turns
from printkit.terrain.field.record import Record, write


class Progress(Struct, frozen=True, kw_only=True):
    """A sealed game with its journal.

    ``old`` has the files of a game of version 0.2; then the journal has no line but that of the reveal.
    """

    game: ClosedGame
    journal: Journal
    old: OldFiles = OldFiles()

    @property
    def turns(self) -> tuple[ZoneCard, ...]:
        """Return the cards on the board, in the order placed."""
        return (
            journal_turns(self.game, self.journal) if self.game.journal else read_old_turns(self.game, self.old.turns)
        )

    @property
    def numbers(self) -> Mapping[str, int]:
        """Return the numbers for the dice, by player; in a game of this version only that of player B."""
        if not self.game.journal:
            return read_old_numbers(self.old.numbers)
        return {} if self.journal.number is None else {NUMBER_PLAYER: self.journal.number}

    @property
    def seed(self) -> int:
        """Return the seed of the dice after the reveal."""
        return dice_seed(self.game, self.journal) if self.game.journal else old_dice_seed(self.game, self.numbers)

    @property
    def reveal_fingerprint(self) -> str:
        """Return the fingerprint of the revealed battlefield; empty before the reveal."""
        return self.journal.reveal_fingerprint or self.old.reveal_fingerprint

    def add(self, turns: Sequence[str], numbers: Sequence[str] = ()) -> Progress:
        """Return the game after more cards and numbers, as the user typed them.

        Raises:
            UsageError: a text is not a number.
            ScenarioError: a card or a number cannot come now; says why.
        """
        if not self.game.journal:
            if numbers and self.reveal_fingerprint:
                raise ScenarioError(
                    "this game is revealed and its dice are rolled; a player's number must come before that",
                    clause="BR-M13",
                )
            return replace(self, old=self.old.add(self.game, turns, numbers))
        journal = self.journal
        for text in (*turns, *(f"number {NUMBER_PLAYER} {parse_number(text)}" for text in numbers)):
            journal = add_line(self.game, journal, text)
        return replace(self, journal=journal)

    def reveal(self, record: Record) -> Progress:
        """Return the game after its reveal, which gave ``record``; a game that is revealed already does not change.

        Raises:
            ScenarioError: it was revealed before with another battlefield.
        """
        digits = field_fingerprint(record, self.game)
        if not self.reveal_fingerprint:
            return replace(self, journal=add_line(self.game, self.journal, f"revealed {digits}"))
        if self.reveal_fingerprint != digits:
            raise ScenarioError(
                "this game was already revealed with other dice, lists or outlines; a sealed game is revealed only "
                "once, so that nobody can try again until the result suits them. Print its record with printkit map "
                "--from",
                clause="BR-M14",
            )
        return self


def seal_facts(progress: Progress) -> dict[str, object]:
    """Return the members about the deal in the record of a revealed game, for the reveal sheet and the proof."""
    game, numbers = progress.game, progress.numbers
    members = (
        {"journal": list(progress.journal.line_texts)}
        if game.journal
        else {"numbers": dict(numbers)}
        if numbers
        else {}
    )
    return {"seal": to_builtins(game.seal), "salt": game.salt, "sealed": game.members, **members}


def turn_texts(turns: Iterable[ZoneCard]) -> tuple[str, ...]:
    """Return turns as a record has them: player, card and zone."""
    return tuple(f"{turn.placed_by} {turn.card} {turn.zone}" for turn in turns)


def field_fingerprint(record: Record, game: ClosedGame) -> str:
    """Return a fingerprint of a record without title and names, which have no effect on the battlefield.

    The settings are those of the deal, not those of the record.
    """
    field = record.battlefield
    bare = replace(field, title="", features=tuple(replace(feature, name="") for feature in field.features))
    document = json.loads(write(replace(record, battlefield=bare, settings=game.rule_settings)))
    del document["printkit"]
    return fingerprint(json.dumps(document, sort_keys=True, separators=(",", ":")))[:FINGERPRINT_DIGITS]


def recorded_progress(facts: GameFacts) -> Progress | None:
    """Return a revealed game from its record; None if the record does not have its sealed part.

    The turns of a game of version 0.2 are left out, because its dice do not depend on them.

    Raises:
        RecordError: the sealed part is not valid.
        ScenarioError: a line of the journal cannot come where it is.
    """
    game = sealed_of(facts)
    if game is None:
        return None
    old = OldFiles(numbers="".join(f"{player}={number}\n" for player, number in facts.numbers.items()))
    return Progress(game=game, journal=build_journal(game, facts.journal if game.journal else ()), old=old)
