"""The file of a league: the rules and players of its games, how they are printed, and each game with its score."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import fields, replace

from printkit.core.errors import PrintkitError, ResourceError, Sentence, UsageError, quote_path
from printkit.core.paths import is_file
from printkit.core.reading import plain
from printkit.core.typed import MemberPath, member_error, read_file, read_toml, right
from printkit.kit.registry import validate_name
from printkit.kit.rules import split_names
from printkit.options.printing import EveningOptions
from printkit.options.table import parse_words, rows

SCHEMA: Final[Literal["printkit-league/2"]] = "printkit-league/2"
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
Line = Annotated[str, Meta(max_length=LONGEST)]
Lines = tuple[Line, ...]
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST), right(Sentence('a text, for example "Autumn league"'))]
Rules = Annotated[str, Meta(min_length=1), right(Sentence('the name of a rule system, for example "dba3"'))]
Settings = Annotated[Lines, right(Sentence('a list of settings, for example ["state=maryland"]'))]
Points = Annotated[tuple[Whole, Whole, Whole], right(Sentence("three whole numbers, for example [3, 1, 0]"))]
Score = Annotated[tuple[Whole, Whole], right(Sentence("two whole numbers, for example [5, 2]"))]


class LeagueGame(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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
    players: Lines = ()
    seed: Annotated[int, Meta(ge=0)]
    title: Line = ""
    date: Line = ""
    score: Score | None = None
    note: Line = ""


class League(Struct, frozen=True, kw_only=True, dict=True, forbid_unknown_fields=True):
    """Games of one rule system, with the members of the file.

    Attributes:
        schema: the format of the file.
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

    schema: Literal["printkit-league/2"] = SCHEMA
    name: Name
    rules: Rules
    settings: Settings = field(default=(), name="set")
    board: Line = ""
    cell: Line = ""
    players: Lines = ()
    points: Points = (3, 1, 0)
    print_words: Lines = field(default=(), name="print")
    scenario: bool = False
    shared_box: Line = ""
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
        ResourceError: there is none.
        FileError: its file is wrong; names the file, the member and what to write.
    """
    path = folder / FILE
    if is_file(folder):
        raise ResourceError(
            "{path} is a file; give the folder of the league: {folder}", path=folder, folder=folder.parent
        )
    if not is_file(path):
        raise ResourceError(
            "{folder} is not a league; start one with: printkit league new {folder}", folder=quote_path(folder)
        )
    text = read_file(path)
    league = read_toml(text, League, str(path), _prepare)
    for place, key, reason in _faults(league):
        raise member_error(str(path), text, place, reason, key)
    return league


def _faults(league: League) -> Iterator[tuple[MemberPath, MemberPath, Sentence]]:
    """Yield what is wrong in a league: the table or member, the way to the line, and the reason."""
    most = _MOST_PAIRS if league.players else MOST_GAMES
    if len(league.games) > most:
        yield (), ("game", most), Sentence("this league has at most {most} games", most=most)
    try:
        validate_name(league.rules)
    except UsageError as error:
        yield ("rules",), (), error.fault
    try:
        if league.players:
            check_players(league.players)
    except UsageError as error:
        yield ("players",), (), error.fault
    try:
        _ = league.print_options
    except PrintkitError as error:
        yield ("print",), (), error.fault
    for number, game in enumerate(league.games if league.players else ()):
        if not game.round or not game.table:
            yield ("game", number), (), Sentence("round or table is missing; write for example round = 1, table = 1")
        if len({*game.players}) != _LEAST_PLAYERS or not {*game.players} <= {*league.players}:
            names = ", ".join(league.players)
            yield (
                ("game", number),
                ("players",),
                Sentence("players must be two of the league: {players}", players=names),
            )


def _prepare(tree: dict[str, Any]) -> None:
    """Change a file of format 1 into one of format 2, and put each text on one line."""
    if tree.get("schema") == _FIRST_SCHEMA:
        _convert_first_format(tree)
    tree.update(_on_one_line(tree))


def _on_one_line(value: Any) -> Any:
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, dict):
        return {key: _on_one_line(member) for key, member in value.items()}
    return [_on_one_line(entry) for entry in value] if isinstance(value, list) else value


def _convert_first_format(tree: dict[str, Any]) -> None:
    """Change the members of a file of format 1 into those of format 2; wrong values stay, for the later check."""
    tree["schema"] = SCHEMA
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
        clean_text("player", name, LONGEST_NAME)
        if "," in name:
            raise UsageError("the name {name!r} contains a comma; give each player one name", name=name)
        if folded_names.count(name.casefold()) > 1:
            raise UsageError("{name} is in the list of players twice; give each player a different name", name=name)


def clean_text(name: str, text: str, most: int = LONGEST) -> str:
    """Return a text on one line, without control characters.

    Raises:
        UsageError: it is longer than anybody can read on the page.
    """
    text = " ".join(plain(text).split())
    if len(text) > most:
        raise UsageError("{name} has {count} characters; write at most {most}", name=name, count=len(text), most=most)
    return text
