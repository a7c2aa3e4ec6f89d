"""Hands for a virtual table, of a sealed game or a revealed one; no card is in two of them (BR-M12)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from printkit.content.cards import Deck
from printkit.core.errors import RecordError
from printkit.core.words import Words
from printkit.drawing.cards.faces import faces
from printkit.drawing.cards.layouts import find_size
from printkit.export.tabletop_simulator import saved_object
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.recipes.game.request import UMPIRE
from printkit.recipes.output.files import FileContent
from printkit.recipes.output.handout import HandoutContext, SidePieces
from printkit.recipes.output.printers import SheetContext
from printkit.recipes.prints.virtual_decks import PicturePlace, deck_object
from printkit.systems.brantley.dealing.cards import PlayingCard, read_card
from printkit.systems.brantley.dealing.closed_game import ClosedGame
from printkit.systems.brantley.dealing.deal import PLAYERS
from printkit.systems.brantley.dealing.decks import build_face
from printkit.systems.brantley.dealing.facts import facts_of
from printkit.systems.brantley.dealing.game_rules import RULES, is_ninth_blind
from printkit.systems.brantley.sheets.dealing import current_settings


def build_virtual_hands(
    game: ClosedGame,
    order: SheetContext,
    *,
    url_base: str = "",
) -> dict[str, FileContent]:
    """Return the files of each player's hand and of the ninth card, pictures included, by their path below a folder.

    Nothing is written. The ninth card is left out if the last zone stays clear (BR-Q20). The files of a hand are in
    ``player-a`` or ``player-b``, those of the ninth card in ``ninth``. Objects need the address of the pictures: files
    of players do not contain a path of the dealer's disk.

    Args:
        game: the sealed game.
        order: style and language of the cards.
        url_base: the address of the pictures, with the same subfolders; empty for pictures without objects.

    Raises:
        PageError: a text does not fit its card.
    """
    rules = Rules.of(find(RULES).book, current_settings(game))
    files: dict[str, FileContent] = {}
    hands = {f"player-{player.lower()}/hand": (player, game.dealt.hands[player]) for player in PLAYERS}
    if is_ninth_blind(rules):
        hands["ninth/ninth"] = ("", (game.dealt.ninth,))
    for base, (player, cards) in hands.items():
        deck = _hand_deck(cards, rules, order.words, player)
        parent = base.rpartition("/")[0]
        size = find_size()
        deck_objects = deck_object(
            faces(deck, size, style=order.style, words=order.words),
            size,
            title=deck.title,
            secret=True,
            place=PicturePlace(Path(base), f"{url_base.rstrip('/')}/{parent}"),
        )
        if url_base:
            files[f"{base}.tts.json"] = saved_object(f"{deck.title}, {game.seal.game}", deck_objects.objects)
        files.update({f"{parent}/{name}": picture for name, picture in deck_objects.pictures.items()})
    return files


def side_pieces(handout: HandoutContext) -> tuple[SidePieces, ...]:
    """Return each player's hand in placing order, and the ninth card; empty for a map drawn by hand.

    A is first, then B, then the ninth card, which goes into the folder of the umpire. Sides without cards are left out.
    """
    try:
        zones = sorted((zone for zone in facts_of(handout.record).zones if zone.card), key=lambda zone: zone.turn or 0)
    except RecordError:
        return ()
    words, rules = handout.words, handout.rules
    pieces = []
    for player in (*PLAYERS, ""):
        hand = [read_card(zone.card) for zone in zones if ("" if zone.is_blind else zone.placed_by) == player]
        if hand:
            deck = _hand_deck(hand, rules, words, player)
            folder = f"player-{player.lower()}" if player else UMPIRE
            pieces.append(SidePieces(folder=folder, title=deck.title, hand=deck))
    return tuple(pieces)


def _hand_deck(cards: Sequence[PlayingCard], rules: Rules, words: Words, player: str) -> Deck:
    """Return the cards of a player as a deck; an empty ``player`` means the ninth card."""
    title = words("dealing.hand.title", player=player) if player else words("dealing.ninth.title")
    name = f"hand-{player.lower()}" if player else "ninth"
    return Deck(name=name, title=title, cards=tuple(build_face(card, rules, words) for card in cards), backs="secret")
