"""A sealed game on several screens: the public facts, the hand of each player, and placing a card.

The page of a player is made from a value that has only that player's cards, like the printed hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import RecordError, ScenarioError, Sentence
from printkit.core.paths import is_file
from printkit.core.words import Words
from printkit.export.pdf import data
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.options.printing import PrintOptions
from printkit.page.sheet import Document, Page
from printkit.recipes.game.games import GeneratedGame
from printkit.recipes.game.request import Orders
from printkit.recipes.output.printers import print_context
from printkit.systems.brantley.dealing.cards import PlayingCard
from printkit.systems.brantley.dealing.deal import CARDS_NEEDED, PLAYERS, hide_cards, next_player
from printkit.systems.brantley.dealing.decks import describe_card
from printkit.systems.brantley.dealing.game_rules import RULES
from printkit.systems.brantley.dealing.journal import NUMBER_PLAYER, parse_codes
from printkit.systems.brantley.dealing.progress import Progress
from printkit.systems.brantley.sheets.dealing import current_settings, deal_files, deal_game, reveal_game
from printkit.systems.brantley.sheets.documents import build_proof_page
from printkit.systems.brantley.sheets.game_folder import (
    SEALED_GAME_NAME,
    name_deal,
    read_game,
    read_progress,
    read_saved,
    reveal_saved,
    save_progress,
    write_deal,
)
from printkit.systems.brantley.sheets.verifying import PlayerEvidence, conclude, parse_code, parse_numbers, prove_game
from printkit.terrain.field.record import Record


class OpenFacts(Struct, frozen=True, kw_only=True):
    """The public facts of a sealed game: name, commitment, placed cards and whose turn it is.

    ``first`` placed the first card: A or B. ``zones`` has for each zone, from 1, the player whose card is there, or an
    empty text. ``placed_count`` is the number of placed cards. ``next_player`` is empty when all eight cards are
    placed. ``codes`` are the lines of the journal, for example ``8 A a4 9``, each with its code. ``number`` is the
    number of player B for the dice, and ``takes_number`` is True if player B may give it now.
    """

    game: str
    commitment: str
    first: str
    zones: tuple[str, ...]
    placed_count: int
    next_player: str
    is_revealed: bool
    codes: tuple[tuple[str, str], ...] = ()
    number: int | None = None
    takes_number: bool = False


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
    progress = _read_progress(folder)
    game, turns = progress.game, progress.turns
    zones = tuple(zone.placed_by for zone in hide_cards(turns))
    return OpenFacts(
        game=game.seal.game,
        commitment=game.seal.grouped_commitment,
        first=game.first,
        zones=zones,
        placed_count=len(turns),
        next_player="" if len(turns) == CARDS_NEEDED - 1 else next_player(turns, game.first),
        is_revealed=bool(progress.reveal_fingerprint),
        codes=tuple((f"{number} {line.text}", line.code) for number, line in enumerate(progress.journal.lines, 1)),
        number=progress.numbers.get(NUMBER_PLAYER),
        takes_number=bool(game.journal)
        and len(turns) == CARDS_NEEDED - 1
        and not progress.numbers
        and not progress.reveal_fingerprint,
    )


def print_sheets(folder: Path, sheet: str, words: Words) -> bytes:
    """Return all sheets of the sealed game in a folder as one PDF to print on both sides, those without cards first.

    ``sheet`` is the name of the paper. ``words`` has the languages.

    Raises:
        PrintkitError: the game cannot be read, or the paper is unknown or too small.
    """
    files = deal_files(_read_progress(folder).game, print_context(PrintOptions(sheet=sheet), words))
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
    progress = _read_progress(folder)
    game, turns = progress.game, progress.turns
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
    progress = _read_progress(folder).add([f"{player} {player.lower()}{place} {zone}"])
    save_progress(folder / SEALED_GAME_NAME, progress)


def give_number(folder: Path, player: str, number: str) -> None:
    """Save player B's number for the dice in the folder; ``number`` is as typed.

    Raises:
        UsageError: it is not a number of six to twelve digits.
        ScenarioError: it is not player B who gives it, or it cannot come now.
        RecordError: the folder does not contain a sealed game.
        PageError: the folder cannot be written to.
    """
    save_progress(folder / SEALED_GAME_NAME, _read_progress(folder).add([], [f"{player}={number.strip()}"]))


def verify_game(
    folder: Path, record: Record, commitment: str, codes: Sequence[str], number: str
) -> tuple[Sentence, ...]:
    """Return the rows of ``printkit verify`` for a revealed game, and its conclusion, as sentences.

    Args:
        folder: the folder of the game.
        record: the record of its reveal.
        commitment: the commitment that the player kept, as typed.
        codes: the codes of lines that they kept, such as ``8=91be5c20aa07``.
        number: player B's number as typed; empty if they did not type one.

    Raises:
        PrintkitError: something typed is not a code or a number, or the game cannot be read.
    """
    file = folder / SEALED_GAME_NAME
    game = read_game(file)
    numbers = parse_numbers(game, [f"{NUMBER_PLAYER}={number.strip()}"] if number.strip() else [])
    evidence = PlayerEvidence(commitment=parse_code([commitment]), codes=parse_codes(codes), numbers=numbers)
    checks = tuple(prove_game(game, evidence, record, read_saved(file)))
    return (*(check.line for check in checks), conclude(checks, is_revealed=True))


def reveal_cards(folder: Path, words: Words) -> GeneratedGame:
    """Reveal all cards, save that they are revealed as ``printkit reveal`` does, and return the game.

    Raises:
        PrintkitError: fewer than eight cards are placed, or the game was changed.
    """
    progress = _read_progress(folder)
    game_result = reveal_game(progress, Orders(rules=RULES), words)
    with reveal_saved(folder / SEALED_GAME_NAME, progress, progress.reveal(game_result.record)):
        return game_result


def _read_progress(folder: Path) -> Progress:
    """Return the sealed game of a folder with its cards so far.

    Raises:
        RecordError: the folder does not contain one.
        PrintkitError: the game or its journal cannot be read.
    """
    if not is_game(folder):
        raise RecordError("there is no sealed game in {folder}", folder=folder.name)
    return read_progress(folder / SEALED_GAME_NAME)


class SealedGameActions(Struct, frozen=True, kw_only=True):
    """The actions for a sealed game on screen; each is a function of this module.

    ``file`` is the name of the file of a game in its folder, which is locked while the game changes.
    """

    file: str
    deal: Callable[[Path, Mapping[str, str], int, str, Words], Path]
    is_game: Callable[[Path], bool]
    open_facts: Callable[[Path], OpenFacts]
    hand_of: Callable[[Path, str, Words], tuple[HandCard, ...]]
    print_sheets: Callable[[Path, str, Words], bytes]
    place_card: Callable[[Path, str, int, int], None]
    give_number: Callable[[Path, str, str], None]
    verify: Callable[[Path, Record, str, Sequence[str], str], tuple[Sentence, ...]]
    proof_page: Callable[[Record, Words], str]
    reveal: Callable[[Path, Words], GeneratedGame]


GAMES: Final = SealedGameActions(
    file=SEALED_GAME_NAME,
    deal=deal_to_folder,
    is_game=is_game,
    open_facts=read_public_facts,
    hand_of=read_hand,
    print_sheets=print_sheets,
    place_card=place_card,
    give_number=give_number,
    verify=verify_game,
    proof_page=build_proof_page,
    reveal=reveal_cards,
)
