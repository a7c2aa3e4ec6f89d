"""The file of a league: the rules of its games, how they are printed, and each game with players, date and result."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import BookError, ResourceError, UsageError, quote_path
from printkit.core.paths import is_file
from printkit.core.reading import parse_toml, read_utf8

SCHEMA: Final = "printkit-league/1"
FILE: Final = "league.toml"
PAGE: Final = "league.pdf"
RECORDS: Final = "records"
SCENARIO: Final = "scenario.toml"
BOX: Final = "box.toml"

MOST_GAMES: Final = 60
"""So many games a league has at most."""

LONGEST: Final = 200
"""Characters of a result, of a date and of the names of players."""

_TEXTS: Final = ("name", "rules", "board", "cell", "sheet", "style", "lang", "dressing")
_GAME_TEXTS: Final = ("title", "players", "date", "result")


class LeagueGame(Struct, frozen=True, kw_only=True):
    """A game of a league: its seed, the title of its field, and what came of it, as far as somebody has said so."""

    seed: int
    title: str = ""
    players: str = ""
    date: str = ""
    result: str = ""


class League(Struct, frozen=True, kw_only=True):
    """Games of one rule system. Settings are texts as ``--set`` takes them; print options as those of ``handouts``.

    ``scenario`` and ``box`` say whether the folder holds a scenario and a terrain box, as ``FILE`` stands in it.
    """

    name: str
    rules: str
    settings: tuple[str, ...] = ()
    board: str = ""
    cell: str = ""
    sheet: str = "a4"
    style: str = "campaign"
    lang: str = "en"
    dressing: str = "light"
    scenario: bool = False
    box: bool = False
    games: tuple[LeagueGame, ...] = ()

    def game(self, number: int) -> LeagueGame:
        """Return a game by its number, from 1.

        Raises:
            UsageError: there is none.
        """
        if not 1 <= number <= len(self.games):
            raise UsageError(
                "{name} has no game {number}; its games are 1 to {last}",
                name=self.name,
                number=number,
                last=len(self.games),
            )
        return self.games[number - 1]

    def with_game(self, number: int, game: LeagueGame) -> League:
        """Return the league with another value of one of its games."""
        games = list(self.games)
        games[number - 1] = game
        return replace(self, games=tuple(games))


def folder_name(number: int) -> str:
    """Return the folder of a game within that of its league."""
    return f"game-{number}"


def record_name(number: int) -> str:
    """Return the record of a game within the folder of its league."""
    return f"{RECORDS}/game-{number}.json"


def league_text(league: League) -> str:
    """Return a league as the text of its file."""
    return "\n".join(_lines(league)) + "\n"


def _lines(league: League) -> Iterator[str]:
    yield "# A league of printkit: results, dates and players may be written here by hand."
    yield f"schema = {_quoted(SCHEMA)}"
    for name in _TEXTS:
        if value := getattr(league, name):
            yield f"{name} = {_quoted(value)}"
    if league.settings:
        yield f"set = [{', '.join(map(_quoted, league.settings))}]"
    for name in ("scenario", "box"):
        if getattr(league, name):
            yield f"{name} = true"
    for game in league.games:
        yield from ("", "[[game]]", f"seed = {game.seed}")
        yield from (f"{name} = {_quoted(getattr(game, name))}" for name in _GAME_TEXTS)


def _quoted(text: str) -> str:
    # Strings of JSON are strings of TOML, where no sign is written as two halves.
    return json.dumps(text, ensure_ascii=False)


def read_league(folder: Path) -> League:
    """Return the league of a folder.

    Raises:
        ResourceError: there is none, or it cannot be read.
        BookError: its file is wrong; names the file and the member.
    """
    path = folder / FILE
    if not is_file(path):
        raise ResourceError(
            "{folder} is not a league; start one with: printkit league new {folder}", folder=quote_path(folder)
        )
    try:
        tree = parse_toml(read_utf8(path))
    except OSError as error:
        raise ResourceError("{path} cannot be read: {reason}", path=path, reason=error.strerror) from None
    except tomllib.TOMLDecodeError as error:
        raise BookError("{name}: not valid TOML: {error}", name=path, error=error) from None
    return _league(tree, path)


def _league(tree: Mapping[str, Any], path: Path) -> League:
    if tree.get("schema") != SCHEMA:
        raise BookError("{path}: schema is not {schema}, so this league cannot be read", path=path, schema=SCHEMA)
    known = {"schema", "set", "scenario", "box", "game", *_TEXTS}
    for key in tree:
        if key not in known:
            raise BookError(
                "{path}: unknown key {key!r}; known keys are {known}",
                path=path,
                key=key,
                known=", ".join(sorted(known)),
            )
    texts = {name: _text(tree[name], name, path) for name in _TEXTS if name in tree}
    for name in ("name", "rules"):
        if not texts.get(name):
            raise BookError("{path}: {name} is missing; write it as text in quotes", path=path, name=name)
    settings, games = tree.get("set", []), tree.get("game", [])
    if not isinstance(settings, list) or not all(isinstance(text, str) for text in settings):
        raise BookError('{path}: set is not a list of texts; write for example set = ["state=maryland"]', path=path)
    if not isinstance(games, list) or not all(isinstance(game, Mapping) for game in games) or len(games) > MOST_GAMES:
        raise BookError("{path}: game is not a list of at most {most} [[game]] tables", path=path, most=MOST_GAMES)
    return League(
        **texts,
        settings=tuple(settings),
        scenario=tree.get("scenario") is True,
        box=tree.get("box") is True,
        games=tuple(_game(game, number, path) for number, game in enumerate(games, 1)),
    )


def _game(tree: Mapping[str, Any], number: int, path: Path) -> LeagueGame:
    for key in tree:
        if key not in ("seed", *_GAME_TEXTS):
            raise BookError(
                "{path}: game {number}: unknown key {key!r}; known keys are {known}",
                path=path,
                number=number,
                key=key,
                known=", ".join(("seed", *_GAME_TEXTS)),
            )
    seed = tree.get("seed")
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise BookError("{path}: game {number}: seed is not a whole number of 0 or more", path=path, number=number)
    return LeagueGame(seed=seed, **{name: _text(tree[name], name, path) for name in _GAME_TEXTS if name in tree})


def _text(value: object, name: str, path: Path) -> str:
    if not isinstance(value, str):
        raise BookError(
            "{path}: {name} = {value!r} is not a text; write it in quotes", path=path, name=name, value=value
        )
    return checked(name, value)


def checked(name: str, text: str) -> str:
    """Return a text on one line.

    Raises:
        UsageError: it is longer than anybody can read on the page.
    """
    text = " ".join(text.split())
    if len(text) > LONGEST:
        raise UsageError(
            "{name} has {count} characters; write at most {most}", name=name, count=len(text), most=LONGEST
        )
    return text
