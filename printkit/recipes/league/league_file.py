"""The file of a league: the rules and players of its games, how they are printed, and each game with its score."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from reprlib import repr as shortened
from typing import Annotated, Any, Final, TypeVar

from msgspec import Meta, Struct, ValidationError, convert, field
from msgspec.structs import fields, replace

from printkit.core.errors import BookError, PrintkitError, ResourceError, Sentence, UsageError, quote_path
from printkit.core.paths import is_file
from printkit.core.reading import plain
from printkit.core.typed import parse_toml, read_file
from printkit.kit.rules import split_names
from printkit.options.printing import EveningOptions
from printkit.options.table import parse_words, rows

SCHEMA: Final = "printkit-league/2"
_FIRST_SCHEMA: Final = "printkit-league/1"
FILE: Final = "league.toml"
PAGE: Final = "league.pdf"
RECORDS: Final = "records"
SCENARIO: Final = "scenario.toml"
BOX: Final = "box.toml"

# The most games of a league without players, whose page has a map of each game.
MOST_GAMES: Final = 60

MOST_PLAYERS: Final = 40
_LEAST_PLAYERS: Final = 2

# The most games of a league with players: every pair of them once.
_MOST_PAIRS: Final = MOST_PLAYERS * (MOST_PLAYERS - 1) // 2

# The most characters of a note, a date or a title.
LONGEST: Final = 200

# The most characters of the name of a player.
LONGEST_NAME: Final = 60

Whole = Annotated[int, Meta(ge=0, le=999_999)]
Counted = Annotated[int, Meta(ge=1, le=999_999)]
Members = TypeVar("Members", bound=Struct)

# What a member of the file may be, for errors.
_EXAMPLES: Final = {
    "name": '"Autumn league"',
    "rules": '"dba3"',
    "set": '["state=maryland"]',
    "board": '"48x48in"',
    "cell": '"100mm"',
    "players": '["Ann", "Bob"]',
    "points": "[3, 1, 0]",
    "print": '["--sheet", "a3"]',
    "scenario": "true",
    "shared_box": f'"{BOX}"',
    "round": "1",
    "table": "1",
    "seed": "12",
    "title": '"Rook Holt"',
    "date": '"9 May"',
    "score": "[5, 2]",
    "note": '"Ann\'s camp held"',
}


class LeagueGame(Struct, frozen=True, kw_only=True):
    """A game of a league.

    Attributes:
        round: its round, from 1; 0 in a league without players.
        table: its table in that round, from 1; 0 in a league without players.
        players: who plays; the first has the far edge.
        seed: the seed of its battlefield.
        title: the title of its battlefield.
        date: its date, as the user writes it.
        score: the score of each player; None before the game.
        note: a note; without players the result.
    """

    round: Counted = 0
    table: Counted = 0
    players: tuple[str, ...] = ()
    seed: Annotated[int, Meta(ge=0)]
    title: str = ""
    date: str = ""
    score: tuple[Whole, Whole] | None = None
    note: str = ""


class League(Struct, frozen=True, kw_only=True, dict=True):
    """Games of one rule system, with the members of the file.

    Attributes:
        name: its name.
        rules: the name of the rule system.
        settings: settings as ``--set`` takes them.
        board: the size of the board as ``--board`` takes it.
        cell: the size of a cell as ``--cell`` takes it.
        players: all players; empty for a league without a list of players.
        points: points for a win, a draw and a loss.
        print_words: options of ``handouts`` as typed.
        scenario: whether the folder has a scenario.
        shared_box: the path of the terrain box; with players all tables of a round share its pieces.
        games: the games; a game has its number by its place, from 1.
    """

    name: str
    rules: str
    settings: tuple[str, ...] = field(default=(), name="set")
    board: str = ""
    cell: str = ""
    players: tuple[str, ...] = ()
    points: tuple[Whole, Whole, Whole] = (3, 1, 0)
    print_words: tuple[str, ...] = field(default=(), name="print")
    scenario: bool = False
    shared_box: str = ""
    games: tuple[LeagueGame, ...] = field(default=(), name="game")

    @cached_property
    def print_options(self) -> EveningOptions:
        """Return how its game nights are printed.

        Raises:
            UsageError: a word is not an option of ``handouts``.
        """
        return EveningOptions(**parse_words(rows(EveningOptions), self.print_words))

    @property
    def lang(self) -> str:
        """Return the language of its sheets."""
        return self.print_options.lang or "en"

    @property
    def rounds(self) -> int:
        """Return the number of the latest round; 0 before the first."""
        return max((game.round for game in self.games), default=0)

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

    @property
    def shown_games(self) -> tuple[int, ...]:
        """Return the numbers of the games on its page: of the latest round by table, without players all games."""
        numbers = [number for number, game in enumerate(self.games, 1) if game.round == self.rounds or not self.players]
        return tuple(sorted(numbers, key=lambda number: self.games[number - 1].table if self.players else number))


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
    yield "# A league of printkit. Everything may be changed by hand; `printkit league show` reads it again."
    yield f"schema = {_toml(SCHEMA)}"
    comments = {"points": "win, draw, loss", "print": "options of `printkit handouts`"}
    for info in fields(League):
        key, value = info.encode_name, getattr(league, info.name)
        if key != "game" and (value or info.required) and (key != "points" or league.players):
            comment = f"  # {comments[key]}" if key in comments else ""
            yield f"{key} = {_toml(value)}{comment}"
    for game in league.games:
        yield from ("", "[[game]]")
        for info in fields(LeagueGame):
            value = getattr(game, info.name)
            # Empty texts invite the user to fill them in.
            if value is not None and (league.players or info.name not in ("round", "table")):
                yield f"{info.name} = {_toml(value)}"


def _toml(value: object) -> str:
    """Return texts, numbers, truth values, or a list of them in TOML."""
    # These values have the same form in JSON, where no sign is written as two halves.
    return json.dumps(value, ensure_ascii=False)


def read_league(folder: Path) -> League:
    """Return the league of a folder. A file of format 1 becomes a league of format 2.

    Raises:
        ResourceError: there is none, or it cannot be read.
        BookError: its file is wrong; names the file, the member and what to write.
    """
    path = folder / FILE
    if not is_file(path):
        raise ResourceError(
            "{folder} is not a league; start one with: printkit league new {folder}", folder=quote_path(folder)
        )
    tree = parse_toml(read_file(path), str(path))
    schema = tree.pop("schema", None)
    if schema == _FIRST_SCHEMA:
        _convert_first_format(tree)
    elif schema != SCHEMA:
        raise BookError("{path}: schema is not {schema}, so this league cannot be read", path=path, schema=SCHEMA)
    games = tree.pop("game", [])
    league = _read_members(League, tree, str(path), required=("name", "rules"))
    most = _MOST_PAIRS if league.players else MOST_GAMES
    if not isinstance(games, list) or len(games) > most:
        raise BookError("{path}: game is not a list of at most {most} [[game]] tables", path=path, most=most)
    required = ("seed", "round", "table") if league.players else ("seed",)
    places = [Sentence("{path}: game {number}", path=path, number=number) for number in range(1, len(games) + 1)]
    members = (_read_members(LeagueGame, game, place, required) for game, place in zip(games, places, strict=True))
    league = replace(league, games=tuple(members))
    key = "players"
    try:
        if league.players:
            check_players(league.players)
        key = "print"
        _ = league.print_options
    except PrintkitError as error:
        raise BookError("{place}: {error}", place=f"{path}: {key}", error=error) from None
    for game, place in zip(league.games if league.players else (), places, strict=False):
        if len({*game.players}) != _LEAST_PLAYERS or not {*game.players} <= {*league.players}:
            raise BookError(
                "{place}: players must be two of the league: {players}", place=place, players=", ".join(league.players)
            )
    return league


def _convert_first_format(tree: dict[str, Any]) -> None:
    """Change the members of a file of format 1 into those of format 2; wrong values stay, for the later check."""
    options = [name for name in ("sheet", "style", "lang", "dressing") if name in tree]
    tree["print"] = [f"--{name}={tree.pop(name)}" for name in options]
    if tree.pop("box", False) is True:
        tree["shared_box"] = BOX
    games = tree.get("game")
    for game in games if isinstance(games, list) else ():
        if isinstance(game, dict):
            # The players and the result were texts.
            game["players"] = [*split_names(str(game.get("players", "")))]
            game["note"] = game.pop("result", "")


def _read_members(kind: type[Members], tree: Any, place: str, required: Sequence[str]) -> Members:
    """Return the values of a table of the file; ``place`` is what errors begin with."""
    infos = {info.encode_name: info for info in fields(kind)}
    if not isinstance(tree, Mapping):
        raise BookError("{place} is not a table; write [[game]] above its lines", place=place)
    values: dict[str, Any] = {}
    for key, value in tree.items():
        if key not in infos:
            known = ", ".join(infos)
            raise BookError("{place}: unknown key {key!r}; known keys are {known}", place=place, key=key, known=known)
        try:
            values[infos[key].name] = _tidy(key, convert(value, infos[key].type))
        except ValidationError:
            raise BookError(
                "{place}: {key} = {value} is not valid. Write for example {key} = {example}.",
                place=place,
                key=key,
                value=shortened(value),
                example=_EXAMPLES[key],
            ) from None
        except UsageError as error:
            raise BookError("{place}: {error}", place=place, error=error) from None
    for key in required:
        if values.get(key, "") == "":
            raise BookError(
                "{place}: {key} is missing. Write for example {key} = {example}.",
                place=place,
                key=key,
                example=_EXAMPLES[key],
            )
    return kind(**values)


def _tidy(key: str, value: Any) -> Any:
    """Return a value with each text, or text of a list, on one line."""
    if isinstance(value, str):
        return checked(key, value)
    if isinstance(value, tuple):
        return tuple(_tidy(key, item) for item in value)
    return value


def check_players(names: Sequence[str]) -> None:
    """Check the list of players of a league.

    Raises:
        UsageError: there is one player, there are too many, or a name occurs twice or is too long.
    """
    if not _LEAST_PLAYERS <= len(names) <= MOST_PLAYERS:
        raise UsageError(
            "a league has {least} to {most} players, not {count}",
            least=_LEAST_PLAYERS,
            most=MOST_PLAYERS,
            count=len(names),
        )
    folded_names = [name.casefold() for name in names]
    for name in names:
        checked("player", name, LONGEST_NAME)
        if "," in name:
            raise UsageError("the name {name!r} contains a comma; give each player one name", name=name)
        if folded_names.count(name.casefold()) > 1:
            raise UsageError("{name} is in the list of players twice; give each player a different name", name=name)


def checked(name: str, text: str, most: int = LONGEST) -> str:
    """Return a text on one line, without control characters.

    Raises:
        UsageError: it is longer than anybody can read on the page.
    """
    text = " ".join(plain(text).split())
    if len(text) > most:
        raise UsageError("{name} has {count} characters; write at most {most}", name=name, count=len(text), most=most)
    return text
