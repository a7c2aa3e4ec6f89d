"""Sealed games on several screens: each player opens their hand by a secret link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from printkit.console.locks import lock_game
from printkit.core.errors import MissingError, UsageError
from printkit.core.numbers import parse_int
from printkit.core.words import Words
from printkit.kit import registry
from printkit.studio.app_state import AppState
from printkit.studio.session import DEALS, SavedField, SessionLists
from printkit.studio.tokens import fresh_salt, fresh_seed

if TYPE_CHECKING:
    from printkit.core.errors import Sentence
    from printkit.studio.views import CardView
    from printkit.terrain.field.record import Record

PLAYERS: Final = ("A", "B")


class PlayerLink(Struct, frozen=True, kw_only=True):
    """The hand that a token opens: the folder and name of the game, and the player."""

    folder: Path
    game: str
    player: str


class SeatView(Struct, frozen=True, kw_only=True):
    """The contents of a player page: the public facts and the hand of this player only.

    ``codes`` are the lines of the game, such as ``8 A a4 9``, each with its code; ``takes_number`` says that player B
    can give the number for the dice now.
    """

    game: str
    commitment: str
    player: str
    zones: tuple[str, ...]
    placed_count: int
    next_player: str
    hand: tuple[tuple[int, CardView | None, str, int], ...]
    is_revealed: bool
    codes: tuple[tuple[str, str], ...]
    number: int | None
    takes_number: bool


class SealedGames:
    """The sealed games of an output folder. The rule system implements the secret deal.

    Args:
        app: the state of the studio.
    """

    def __init__(self, app: AppState) -> None:
        self._desk = app
        self._notes = SessionLists(app.sitting.folder)
        # Players who have opened their page since the studio started: game and player.
        self.came: set[tuple[str, str]] = set()

    @property
    def _kind(self) -> Any:
        """Return the object with the functions of the rule system for sealed games."""
        return registry.load_plugin_field(registry.DEFAULT, "sealed_games")

    def names(self) -> Iterator[str]:
        """Yield the names of the games in the folder, newest first."""
        out = self._desk.settings.out
        folders = (path for path in out.iterdir() if path.is_dir()) if out.is_dir() else ()
        game_folders = [path for path in folders if not path.is_symlink() and self._kind.is_game(path)]
        for path in sorted(game_folders, key=lambda folder: -folder.stat().st_mtime):
            yield path.name

    def folder(self, name: str) -> Path:
        """Return the folder of a game; only names of existing games are accepted.

        Raises:
            MissingError: the game does not exist.
        """
        if name not in self.names():
            raise MissingError("there is no sealed game {name!r} here", name=name)
        return self._desk.settings.out / name

    def deal(self, settings: Mapping[str, str], words: Words) -> str:
        """Deal a game and return its name.

        Raises:
            PrintkitError: a setting is not valid.
        """
        folder = self._kind.deal(self._desk.settings.out, settings, fresh_seed(), fresh_salt(), words)
        self.links(folder.name)
        name: str = folder.name
        return name

    def links(self, name: str) -> dict[str, str]:
        """Return the token of each player of a game, by player; missing tokens are created and saved."""
        return {player: self._notes.token(f"{DEALS}{name}", player) for player in PLAYERS}

    def renew_link(self, name: str, player: str) -> None:
        """Replace the link of a player, who then has not opened their page yet."""
        if player in PLAYERS:
            self._notes.token(f"{DEALS}{name}", player, is_renewed=True)
            self.came.discard((name, player))

    def link(self, given_token: str) -> PlayerLink:
        """Return the hand that a token opens.

        Raises:
            MissingError: no player has this token.
        """
        note, player = self._notes.find_token([f"{DEALS}{name}" for name in self.names()], given_token)
        if not note:
            raise MissingError("this link no longer opens a hand; ask the host for a new one")
        game = note.removeprefix(DEALS)
        return PlayerLink(folder=self._desk.settings.out / game, game=game, player=player)

    def facts(self, name: str) -> Any:
        """Return the public facts of a game as an object of its rule system.

        Raises:
            PrintkitError: the game cannot be read.
        """
        return self._kind.open_facts(self.folder(name))

    def print_sheets(self, name: str, words: Words) -> bytes:
        """Return all sheets of a game as one PDF on the paper of the preferences.

        Raises:
            PrintkitError: the game cannot be read.
        """
        pdf: bytes = self._kind.print_sheets(self.folder(name), self._desk.preferences.sheet, words)
        return pdf

    def seat(self, link: PlayerLink, words: Words) -> SeatView:
        """Return the view of a player, and note that they have opened their page."""
        from printkit.studio.views import card_of

        self.came.add((link.game, link.player))
        facts = self._kind.open_facts(link.folder)
        hand = self._kind.hand_of(link.folder, link.player, words)
        return SeatView(
            game=facts.game,
            commitment=facts.commitment,
            player=link.player,
            zones=facts.zones,
            placed_count=facts.placed_count,
            next_player=facts.next_player,
            hand=tuple((card.place, card_of(card.card), card.becomes, card.zone) for card in hand),
            is_revealed=facts.is_revealed,
            codes=facts.codes,
            number=facts.number,
            takes_number=facts.takes_number,
        )

    def place_card(self, link: PlayerLink, place: str, zone: str) -> None:
        """Place a card of a player on a zone; ``place`` and ``zone`` are numbers as text.

        Raises:
            PrintkitError: it is not the turn of this player, or the card or zone is not valid.
        """
        card, number = parse_int(place), parse_int(zone)
        if card is None or number is None:
            raise UsageError("choose a card and a zone")
        with lock_game(link.folder / self._kind.file):
            self._kind.place_card(link.folder, link.player, card, number)

    def give_number(self, link: PlayerLink, number: str) -> None:
        """Save the number of a player for the dice; ``number`` is as typed.

        Raises:
            PrintkitError: it is not a number, it is another player's task, or it cannot come now.
        """
        with lock_game(link.folder / self._kind.file):
            self._kind.give_number(link.folder, link.player, number)

    def verify(self, link: PlayerLink, commitment: str, code: str, number: str) -> tuple[Sentence, ...]:
        """Return the rows that prove a revealed game to a player, from what they kept, each as typed.

        Raises:
            PrintkitError: something typed is not a code or a number, or the game is not revealed.
        """
        record = self._record(link)
        codes = [code] if code.strip() else []
        rows: tuple[Sentence, ...] = self._kind.verify(link.folder, record, commitment, codes, number)
        return rows

    def proof_page(self, link: PlayerLink, words: Words) -> str:
        """Return the page that proves a revealed game in a browser without printkit. It is HTML.

        Raises:
            PrintkitError: the game is not revealed.
        """
        page: str = self._kind.proof_page(self._record(link), words)
        return page

    def _record(self, link: PlayerLink) -> Record:
        """Return the record of a revealed game.

        Raises:
            MissingError: the game is not revealed.
        """
        field = self.revealed_field_id(link.game)
        if not field:
            raise MissingError("this game is not revealed yet")
        return self._desk.sitting.field(field).record

    def reveal(self, name: str, style: str, words: Words) -> SavedField:
        """Turn over all cards, save the battlefield in the session, and return it.

        Raises:
            PrintkitError: not all eight cards are placed.
        """
        from printkit.api import Field

        folder = self.folder(name)
        with lock_game(folder / self._kind.file):
            game = self._kind.reveal(folder, words)
        saved_field = self._desk.keep(Field(record=game.record), style, words.code)
        self.note_field(name, saved_field.id)
        return saved_field

    def note_field(self, name: str, field: str) -> None:
        """Save the ID of the battlefield of a revealed game."""
        self._notes.write(f"revealed-{name}", {"field": field})

    def revealed_field_id(self, name: str) -> str:
        """Return the ID of the battlefield of a revealed game, or an empty text."""
        return str(self._notes.read(f"revealed-{name}").get("field", ""))
