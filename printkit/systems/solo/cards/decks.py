"""The decks of the solo game that belong to no battle: the reference cards, the summary of them, the bound deck."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from printkit.content.cards import Deck
from printkit.core.words import Words
from printkit.systems.solo.cards.bound_deck import BOUND, bound_deck
from printkit.systems.solo.cards.cards_summary import SIZE, SUMMARY, summary_deck
from printkit.systems.solo.cards.reference import NPG, reference_deck

SYSTEM: Final = "solo-dba"
"""The rule system that the decks belong to."""

_PLAIN: Final[Mapping[str, Callable[[Words], Deck]]] = {NPG: reference_deck, SUMMARY: summary_deck}

NAMES: Final = (*_PLAIN, BOUND)

SIZES: Final[Mapping[str, str]] = {SUMMARY: SIZE}
"""Sizes of decks whose cards are not those of a hand, where nobody says anything."""


def deck(name: str, words: Words, *, seed: int = 0, copies: int = 1) -> Deck:
    """Return one of the decks, ``NAMES``.

    Args:
        name: of the deck.
        words: the language.
        seed: shuffles the order in which the bound deck is printed.
        copies: of each card of the bound deck.

    Raises:
        UsageError: so many copies are not printed.
    """
    return bound_deck(words, seed=seed, copies=copies) if name == BOUND else _PLAIN[name](words)


def decks(words: Words, *, seed: int = 0, copies: int = 1) -> tuple[Deck, ...]:
    """Return the decks whose cards are those of a hand, as ``deck`` makes them."""
    return tuple(deck(name, words, seed=seed, copies=copies) for name in NAMES if name not in SIZES)
