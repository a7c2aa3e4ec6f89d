"""Games for the tests: played from cards and dice, or from a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from printkit.chance.dice import Act, Dice, ScriptedSource, Seeded
from printkit.chance.streams import Jitter
from printkit.kit.book import RuleBook, read_book
from printkit.kit.rules import Rules
from printkit.kit.system import Outcome, Scenario
from printkit.systems.brantley.dealing.deal import Deal, ZoneCard, deal_hands, shuffle
from printkit.systems.brantley.dealing.game_rules import game_rules
from printkit.systems.brantley.dealing.policies import place_all_cards
from printkit.systems.brantley.system import Brantley

BRANTLEY = Brantley()
BOOK = read_book("brantley")

RED = "AH 2H 3H 4H 5H 6H 7H 8H 9H"
HILLS = "9S 10S JC JS 9C 10C 2D 3D 4D"
EVERYTHING = "KS 2S 3S 4S 5C 7S 9S JS QC"
NO_COURSES = "5 6"
"""A river die and a road die that give none."""


def rules(settings: Mapping[str, str] | None = None, *, book: RuleBook = BOOK, side: float | None = None) -> Rules:
    """Return the rules of a game on a board of a side."""
    return game_rules(book, settings or {}, BRANTLEY.board(side))


_PLAYED: dict[str, Outcome] = {}


def play(
    dice: str | None = None,
    *,
    seed: int = 1,
    side: float | None = None,
    settings: Mapping[str, str] | None = None,
    **inputs: object,
) -> Outcome:
    """Return a game of a list of dice, or of a seed where there is none; the same game is played once."""
    asked = repr((dice, seed, side, sorted((settings or {}).items()), sorted(inputs.items())))
    if asked not in _PLAYED:
        _PLAYED[asked] = play_anew(dice, seed=seed, side=side, settings=settings, **inputs)
    return _PLAYED[asked]


def play_anew(
    dice: str | None = None,
    *,
    seed: int = 1,
    side: float | None = None,
    settings: Mapping[str, str] | None = None,
    **inputs: object,
) -> Outcome:
    """Return the game of ``play``, played in any case."""
    source = Seeded(seed) if dice is None else ScriptedSource(dice.split(), Seeded(seed))
    scenario = Scenario(board=BRANTLEY.board(side), settings=BOOK.settle(settings or {}), seed=seed, inputs=inputs)
    return BRANTLEY.lay_out(scenario, Dice(source), Jitter(seed))


def dealt(cards: str) -> Deal:
    """Return the deal of a pack of which the top cards are given."""
    return deal_hands(shuffle(Dice(Seeded(1)), cards.split()))


def laid(cards: str, *, first: str = "A", seed: int = 1, **policies: str) -> tuple[ZoneCard, ...]:
    """Return the eight turns of two policies: ``policy``, ``a`` and ``b``."""
    names = {"policy": "policy", "a": "policy-a", "b": "policy-b"}
    settings = {names[name]: policy for name, policy in policies.items()}
    return place_all_cards(dealt(cards), first, rules(settings), Dice(Seeded(seed)))


def turns(found: Sequence[ZoneCard]) -> str:
    """Return turns as the examples write them: ``A KS@5, B QC@6``."""
    return ", ".join(f"{turn.placed_by} {turn.card}@{turn.zone}" for turn in found)


def dice_of(outcome: Outcome, stage: str = "") -> list[int]:
    """Return the scores of the dice of a game, or of one of its stages."""
    return [int(throw.answer) for throw in outcome.log if throw.act is Act.DIE and stage in ("", throw.stage)]
