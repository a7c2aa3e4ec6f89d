"""Sealed games at several screens: who holds which hand, by links that nobody can guess."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from printkit.api import Field
from printkit.core.errors import UsageError
from printkit.core.numbers import parse_int
from printkit.core.words import Words
from printkit.kit import registry
from printkit.studio.desk import Desk
from printkit.studio.sitting import KeptField, Notes
from printkit.studio.tokens import fresh_salt, fresh_seed, same, token
from printkit.studio.views import CardView, card_of

PLAYERS: Final = ("A", "B")


class PlayerLink(Struct, frozen=True, kw_only=True):
    """Whose hand a token opens: the folder of the game and the player."""

    folder: Path
    game: str
    player: str


class SeatView(Struct, frozen=True, kw_only=True):
    """What a player's page is made of: what everybody may know, and his own hand; nothing of the other's is in it."""

    game: str
    commitment: str
    player: str
    zones: tuple[str, ...]
    laid: int
    to_lay: str
    hand: tuple[tuple[int, CardView | None, str, int], ...]
    revealed: bool


class SealedGames:
    """The sealed games of an output folder.

    Args:
        desk: the studio; the rule system that deals in secret says how that is done.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._notes = Notes(desk.sitting.folder)
        self.came: set[tuple[str, str]] = set()
        """Who has opened his page since the studio was started."""

    @property
    def _kind(self) -> Any:
        return registry.added(registry.DEFAULT, "sealed_games")

    def names(self) -> Iterator[str]:
        """Yield the names of the games of the folder, the latest first."""
        out = self._desk.settings.out
        folders = (path for path in out.iterdir() if path.is_dir()) if out.is_dir() else ()
        there = [path for path in folders if not path.is_symlink() and self._kind.is_game(path)]
        for path in sorted(there, key=lambda each: -each.stat().st_mtime):
            yield path.name

    def folder(self, name: str) -> Path:
        """Return the folder of a game; its name is looked up.

        Raises:
            UsageError: there is none.
        """
        if name not in self.names():
            raise UsageError("there is no sealed game {name!r} here", name=name)
        return self._desk.settings.out / name

    def deal(self, settings: Mapping[str, str], words: Words) -> str:
        """Deal a game, and return its name.

        Raises:
            PrintkitError: a setting that cannot be.
        """
        folder = self._kind.deal(self._desk.settings.out, settings, fresh_seed(), fresh_salt(), words)
        self.links(folder.name)
        name: str = folder.name
        return name

    def links(self, name: str, *, anew: str = "") -> dict[str, str]:
        """Return the token of each player of a game; that of a player is made ``anew`` where his link was lost."""
        kept = {key: str(value) for key, value in self._notes.read(f"hands-{name}").items()}
        if anew in PLAYERS or any(player not in kept for player in PLAYERS):
            kept = {player: kept.get(player, token()) if player != anew else token() for player in PLAYERS}
            self._notes.write(f"hands-{name}", kept)
        return kept

    def link(self, given: str) -> PlayerLink:
        """Return whose hand a token opens; every token is compared, so that the time tells nothing.

        Raises:
            UsageError: nobody's.
        """
        found = None
        for name in self.names():
            for player, kept in self.links(name).items():
                if same(kept, given):
                    found = PlayerLink(folder=self._desk.settings.out / name, game=name, player=player)
        if found is None:
            raise UsageError("this link no longer opens a hand; ask the host for a new one")
        return found

    def facts(self, name: str) -> Any:
        """Return what everybody may know of a game.

        Raises:
            PrintkitError: it cannot be read.
        """
        return self._kind.open_facts(self.folder(name))

    def seat(self, link: PlayerLink, words: Words) -> SeatView:
        """Return what a player may see."""
        self.came.add((link.game, link.player))
        facts = self._kind.open_facts(link.folder)
        hand = self._kind.hand_of(link.folder, link.player, words)
        return SeatView(
            game=facts.game,
            commitment=facts.commitment,
            player=link.player,
            zones=facts.zones,
            laid=facts.laid,
            to_lay=facts.to_lay,
            hand=tuple((each.place, card_of(each.card), each.becomes, each.zone) for each in hand),
            revealed=facts.revealed,
        )

    def lay(self, link: PlayerLink, place: str, zone: str) -> None:
        """Lay a card.

        Raises:
            PrintkitError: it is not his turn, or the card or the zone cannot be.
        """
        card, number = parse_int(place), parse_int(zone)
        if card is None or number is None:
            raise UsageError("choose a card and a zone")
        self._kind.lay(link.folder, link.player, card, number)

    def reveal(self, name: str, style: str, words: Words) -> KeptField:
        """Turn all cards up, and return the field.

        Raises:
            PrintkitError: not all eight cards lie.
        """
        played = self._kind.reveal(self.folder(name), words)
        kept = self._desk.keep(Field(record=played.record), style, words.code)
        self.note_field(name, kept.id)
        return kept

    def note_field(self, name: str, field: str) -> None:
        """Note the field of a game that was revealed here, by its ID."""
        self._notes.write(f"revealed-{name}", {"field": field})

    def revealed(self, name: str) -> str:
        """Return the field of a game that was revealed here, or nothing."""
        return str(self._notes.read(f"revealed-{name}").get("field", ""))
