"""The pair cards of two armies: of a recorded game, or of armies that a person names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from printkit.chance.dice import Dice, Seeded
from printkit.core.errors import ScenarioError, Sentence, UsageError
from printkit.core.words import Words
from printkit.kit import registry as systems
from printkit.kit.system import RuleSystem
from printkit.recipes.game.own_files import with_files
from printkit.recipes.game.request import pairs
from printkit.recipes.prints.decks import Found
from printkit.systems.solo.cards import pair_cards
from printkit.systems.solo.cards.decks import SYSTEM
from printkit.systems.solo.cards.pair import Pair, pair_of_record, pair_of_settings
from printkit.terrain.field.record import Record

PAIR: Final = pair_cards.PAIR


class FoundPair(NamedTuple):
    """The deck, and what is to be said about its armies."""

    found: Found
    said: tuple[str, ...]


def found_pair(
    game: tuple[RuleSystem, Record] | None, settings: Sequence[str], seed: int, words: Words
) -> FoundPair:  # fmt: skip
    """Return the pair cards of a recorded game, or of the armies that settings name.

    Where a setting names none, or the NPG's list leaves choices, the seed decides, as in a game of that seed.

    Raises:
        UsageError: there is no such setting, or settings beside a record, which has its own.
        RecordError: the record is of other rules, or tells of no armies.
        ScenarioError: an army is wrong, or YOUR choices are open.
    """
    system = systems.find(SYSTEM)
    if game is not None:
        if settings:
            raise UsageError("--from has its own settings; leave out --set")
        if game[0].name != SYSTEM:
            raise UsageError(
                "the deck {pair} belongs to {system}, and this record is of {rules}",
                pair=PAIR,
                system=SYSTEM,
                rules=game[0].name,
            )
        pair = pair_of_record(game[1], game[0].book)
        return FoundPair(Found(pair_cards.pair_deck(pair, words), game[0]), (told_pair(pair),))
    pair, thrown = named_pair(system, dict(pairs(settings)), seed)
    by = (Sentence("  armies by seed {seed}", seed=seed),) if thrown else ()
    return FoundPair(Found(pair_cards.pair_deck(pair, words), system), (told_pair(pair), *by))


def named_pair(system: RuleSystem, settings: dict[str, str], seed: int) -> tuple[Pair, bool]:
    """Return the armies of settings, and whether the seed had a hand in them.

    Raises:
        UsageError: there is no such setting or value.
        ScenarioError: an army is wrong, or YOUR choices are open.
    """
    try:
        settled = system.book.settle(settings)
    except ScenarioError as error:
        raise UsageError("--set: {error}", error=error) from None
    inputs = with_files(system, settled, {})
    dice = Dice(Seeded(seed))
    pair, _ = pair_of_settings(settled, inputs, dice, system.book)
    return pair, bool(dice.log)


def told_pair(pair: Pair) -> Sentence:
    """Return the line that tells who fights whom."""
    return Sentence("  {npg} (NPG) against {you} (YOU)", npg=pair.npg.name, you=pair.you.name)
