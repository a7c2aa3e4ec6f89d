"""A sealed game on several screens: the public facts, the hand of each player, and placing a card.

The page of a player is made from a value that has only that player's cards, like the printed hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import RecordError, ScenarioError
from printkit.core.paths import is_file
from printkit.core.words import Words
from printkit.export.pdf import data
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.options.printing import PrintOptions
from printkit.page.sheet import Document, Page
from printkit.recipes.game.games import GeneratedGame
from printkit.recipes.game.request import Orders, read_text
from printkit.recipes.output.printers import print_context
from printkit.systems.brantley.dealing.cards import PlayingCard
from printkit.systems.brantley.dealing.closed_game import ClosedGame, read
from printkit.systems.brantley.dealing.deal import CARDS_NEEDED, PLAYERS, ZoneCard, hide_cards, next_player
from printkit.systems.brantley.dealing.decks import describe_card
from printkit.systems.brantley.dealing.game_rules import RULES
from printkit.systems.brantley.dealing.reveal_note import RevealNote
from printkit.systems.brantley.sheets.dealing import (
    add_turns,
    current_settings,
    deal_files,
    deal_game,
    parse_turns,
    reveal_game,
)
from printkit.systems.brantley.sheets.equal_sizes import write_deal
from printkit.systems.brantley.sheets.game_folder import (
    PLACEMENTS,
    SEALED_GAME_NAME,
    name_deal,
    note_written,
    read_saved_note,
    read_saved_numbers,
    read_saved_turns,
    write_turns,
)


class OpenFacts(Struct, frozen=True, kw_only=True):
    """The public facts of a sealed game: name, commitment, placed cards and whose turn it is.

    ``first`` placed the first card: A or B. ``zones`` has for each zone, from 1, the player whose card is there, or an
    empty text. ``laid`` is the number of placed cards. ``to_lay`` is the next player, empty when all eight cards are
    placed.
    """

    game: str
    commitment: str
    first: str
    zones: tuple[str, ...]
    laid: int
    to_lay: str
    revealed: bool


class HandCard(Struct, frozen=True, kw_only=True):
    """A card of a player's hand: its number from 1, its name, its feature, and its zone; 0 if it is not placed."""

    place: int
    card: str
    becomes: str
    zone: int = 0


def deal_to_folder(out: Path, settings: Mapping[str, str], seed: int, salt: str, words: Words) -> Path:
    """Deal a game into a new folder with all sheets of ``printkit deal``, and return the folder.

    Args:
        out: the folder that contains the new folder.
        settings: rule settings as options, by name.
        seed: the seed of the dice after the reveal.
        salt: random hexadecimal digits, which shuffle the pack.
        words: the languages of the sheets.

    Raises:
        PrintkitError: a setting is not valid, or the folder cannot be written to.
    """
    game = deal_game(Orders(rules=RULES, options=settings), seed, salt=salt)
    folder = name_deal(out, game)
    order = print_context(PrintOptions(), words)
    write_deal(deal_files(game, order), folder, order)
    return folder


def is_game(folder: Path) -> bool:
    """Return whether a folder contains a sealed game."""
    return is_file(folder / SEALED_GAME_NAME)


def read_public_facts(folder: Path) -> OpenFacts:
    """Return the public facts of the sealed game in a folder.

    Raises:
        PrintkitError: the game, or its turns, cannot be read.
    """
    game, turns = _read_game_and_turns(folder)
    zones = tuple(zone.placed_by for zone in hide_cards(turns))
    return OpenFacts(
        game=game.seal.game,
        commitment=game.seal.grouped,
        first=game.first,
        zones=zones,
        laid=len(turns),
        to_lay="" if len(turns) == CARDS_NEEDED - 1 else next_player(turns, game.first),
        revealed=read_saved_note(folder / SEALED_GAME_NAME) is not None,
    )


def print_sheets(folder: Path, sheet: str, words: Words) -> bytes:
    """Return all sheets of the sealed game in a folder as one PDF to print on both sides, those without cards first.

    ``sheet`` is the name of the paper. ``words`` has the languages.

    Raises:
        PrintkitError: the game cannot be read, or the paper is unknown or too small.
    """
    files = deal_files(_read_game(folder), print_context(PrintOptions(sheet=sheet), words))
    documents = [content for content in files.values() if isinstance(content, Document)]
    first, *_, last = documents = sorted(documents, key=lambda document: len(document.pages))
    pages: list[Page] = []
    for page in (page for document in documents for page in document.pages):
        if len(pages) % 2 and not page.back:
            pages.append(replace(pages[-1], placements=(), bookmark="", back=True))
        pages.append(page)
    return data(replace(first, pages=tuple(pages), flip=last.flip))


def read_hand(folder: Path, player: str, words: Words) -> tuple[HandCard, ...]:
    """Return the hand of one player in deal order, without any card of the other.

    The texts are in the languages of ``words``.

    Raises:
        PrintkitError: the game, or its turns, cannot be read.
        KeyError: ``player`` is not A or B.
    """
    game, turns = _read_game_and_turns(folder)
    rules = Rules.of(find(RULES).book, current_settings(game))
    zones = {turn.card: turn.zone for turn in turns if turn.placed_by == player}
    return tuple(
        HandCard(place=place, card=str(card), becomes=_card_result(card, rules, words), zone=zones.get(card, 0))
        for place, card in enumerate(game.dealt.hands[player], 1)
    )


def _card_result(card: PlayingCard, rules: Rules, words: Words) -> str:
    """Return the feature that a card places in words, without the name of the card.

    With several languages only the first card name is left out.
    """
    description = describe_card(card, rules, words)
    return description.partition(": ")[2] or description


def place_card(folder: Path, player: str, place: int, zone: int) -> None:
    """Place a card of a player's hand, and save the turn in the folder.

    ``place`` is the number of the card in the hand, ``zone`` that of the zone; both count from 1.

    Raises:
        ScenarioError: it is not the player's turn, the card is already placed, or the zone is taken.
        RecordError: the folder does not contain a sealed game.
        PageError: the folder cannot be written to.
    """
    if player not in PLAYERS:
        raise ScenarioError("there is no player {player!r} here", player=player)
    game = _read_game(folder)
    path = folder / PLACEMENTS
    write_turns(
        path, add_turns(game, read_saved_turns(path, is_required=False), [f"{player} {player.lower()}{place} {zone}"])
    )


def reveal_cards(folder: Path, words: Words) -> GeneratedGame:
    """Reveal all cards, save the note as ``printkit reveal`` does, and return the game.

    Raises:
        PrintkitError: fewer than eight cards are placed, or the game was changed.
    """
    game, turns = _read_game_and_turns(folder)
    file = folder / SEALED_GAME_NAME
    game_result = reveal_game(game, turns, Orders(rules=RULES), words, numbers=read_saved_numbers(file))
    new_note, saved_note = RevealNote.of(game_result.record, game), read_saved_note(file)
    if saved_note is not None:
        saved_note.refuse_other(new_note)
        return game_result
    with note_written(file, new_note):
        return game_result


def _read_game_and_turns(folder: Path) -> tuple[ClosedGame, tuple[ZoneCard, ...]]:
    """Return the sealed game of a folder, and its turns so far.

    Raises:
        PrintkitError: the game, or its turns, cannot be read.
    """
    game = _read_game(folder)
    return game, parse_turns(game, read_saved_turns(folder / PLACEMENTS, is_required=False))


def _read_game(folder: Path) -> ClosedGame:
    """Return the sealed game of a folder.

    Raises:
        RecordError: the folder does not contain one.
    """
    if not is_game(folder):
        raise RecordError("there is no sealed game in {folder}", folder=folder.name)
    return read(read_text(folder / SEALED_GAME_NAME), str(folder / SEALED_GAME_NAME))


class SealedGameActions(Struct, frozen=True, kw_only=True):
    """The actions for a sealed game on screen; each is a function of this module."""

    deal: Callable[[Path, Mapping[str, str], int, str, Words], Path]
    is_game: Callable[[Path], bool]
    open_facts: Callable[[Path], OpenFacts]
    hand_of: Callable[[Path, str, Words], tuple[HandCard, ...]]
    print_sheets: Callable[[Path, str, Words], bytes]
    lay: Callable[[Path, str, int, int], None]
    reveal: Callable[[Path, Words], GeneratedGame]


GAMES: Final = SealedGameActions(
    deal=deal_to_folder,
    is_game=is_game,
    open_facts=read_public_facts,
    hand_of=read_hand,
    print_sheets=print_sheets,
    lay=place_card,
    reveal=reveal_cards,
)
