"""The games of a league: generate different games, and build their records and game-night folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count as count_from
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import ResourceError, UsageError
from printkit.core.paths import is_file, resolve_sibling
from printkit.core.words import Words
from printkit.kit.system import RuleSystem
from printkit.options.printing import EveningOptions
from printkit.page.papers import paper_file
from printkit.recipes.box.piece_box import PieceBox
from printkit.recipes.box.refit import fit_to_box
from printkit.recipes.evening.handouts import evening, game_night_context
from printkit.recipes.game.games import GeneratedGame, play
from printkit.recipes.game.request import GameNames, Orders, build_orders, read_text
from printkit.recipes.league.league_file import FILE, MOST_GAMES, League, LeagueGame, folder_name, record_name
from printkit.recipes.league.league_results import played_pairs
from printkit.recipes.league.round_robin import next_round
from printkit.recipes.league.shared_box import shared_games
from printkit.recipes.output.files import FileContent
from printkit.recipes.output.printers import PrintContext
from printkit.terrain.field.record import Record

_TRIES: Final = 50  # the maximum number of skipped seeds whose battlefield already exists
_CHOICES: Final = 12  # the number of battlefields to choose from for each table that shares a box


class NewGame(Struct, frozen=True, kw_only=True):
    """A new game of a league: its number, its entry in the file, its record, and warnings for the user."""

    number: int
    entry: LeagueGame
    record: Record
    warnings: tuple[str, ...] = ()


def new_entries(league: League, count: int, tables: int | None) -> tuple[LeagueGame, ...]:
    """Return the entries of the next round, a table for each pair; without players ``count`` single games.

    They have no battlefield yet, so the seed is 0. ``tables`` is the most tables of the round, or None.

    Raises:
        UsageError: all players have met, or the league has too many games.
    """
    if not league.players:
        if len(league.games) + count > MOST_GAMES:
            raise UsageError("a league has at most {most} games; start another one", most=MOST_GAMES)
        return (LeagueGame(seed=0),) * count
    pairs = next_round(league.players, played_pairs(league), tables)
    if not pairs:
        raise UsageError("all players of {name} have played each other; start another league", name=league.name)
    return tuple(
        LeagueGame(round=league.rounds + 1, table=table, players=tuple(pair), seed=0)
        for table, pair in enumerate(pairs, 1)
    )


def game_orders(league: League, scenario: Path | None, file: Path | None = None) -> Orders:
    """Return the orders for the games of a league.

    Args:
        league: the league; its settings may name files.
        scenario: its scenario file, or None.
        file: the file of the league, in the same folder as the files of its settings; None for the command line.

    Raises:
        PrintkitError: a setting or the scenario file is wrong.
    """
    return build_orders(
        rules=league.rules,
        settings=league.settings,
        scenario=scenario,
        board=league.board or None,
        cell=league.cell or None,
        seed=None,
        dice=None,
        settings_file=file,
    )


def build_context(league: League, words: Words, file: Path | None = None) -> PrintContext[EveningOptions]:
    """Return the print context for the game nights of a league.

    Args:
        league: the league; its paper and style may be files.
        words: the texts of the language.
        file: the file of the league, in the same folder as those files; None for the command line.

    Raises:
        PrintkitError: a paper or style is unknown, or its file is outside that folder.
    """
    options = league.print_options
    sheet, style = options.sheet, options.style
    if file is not None:
        if (paper := paper_file(sheet)) is not None:
            sheet = f"{resolve_sibling(file, paper, key='print --sheet')}{sheet.strip()[len(paper) :]}"
        if style.endswith(".toml"):
            style = str(resolve_sibling(file, style, key="print --style"))
    return game_night_context(replace(options, sheet=sheet, style=style), words)


def new_games(
    system: RuleSystem,
    orders: Orders,
    words: Words,
    *,
    entries: Sequence[LeagueGame],
    first: int,
    records: Sequence[Record],
    box: PieceBox | None,
) -> Iterator[NewGame]:
    """Yield new games of a league from consecutive seeds; skip seeds whose battlefield already exists.

    Tables of a round share the box, and choose among several seeds.

    Args:
        system: the rule system.
        orders: the orders for the games.
        words: the texts of the language for names and titles.
        entries: the entries of the new games, without seed and title.
        first: the first seed.
        records: the records of all earlier games.
        box: the terrain box that limits the battlefields, or None.

    Raises:
        UsageError: the settings do not give another battlefield, or a shared box is too small for all tables.
        PrintkitError: a game cannot be generated.
    """
    is_shared = any(entry.players for entry in entries)
    games = _different_games(system, orders, words, first=first, records=records, box=None if is_shared else box)
    if box is not None and is_shared:
        games = shared_games(system, tuple(islice(games, _CHOICES + len(entries) - 1)), words, box, len(entries))
    # The entries come first, so that no game is generated after the last entry.
    for number, (entry, game) in enumerate(zip(entries, games, strict=False), len(records) + 1):
        record = GameNames(players=", ".join(entry.players)).rename(game.record)
        entry = replace(entry, seed=record.seed or 0, title=record.battlefield.title)
        yield NewGame(number=number, entry=entry, record=record, warnings=game.warnings)


def _different_games(
    system: RuleSystem, orders: Orders, words: Words, *, first: int, records: Sequence[Record], box: PieceBox | None
) -> Iterator[GeneratedGame]:
    """Yield games without end from consecutive seeds; skip seeds whose battlefield already exists.

    Args:
        system: the rule system.
        orders: the orders for the games.
        words: the texts of the language for names and titles.
        first: the first seed.
        records: the records of all earlier games.
        box: the terrain box to which each game is fitted, or None.

    Raises:
        UsageError: too many battlefields were skipped.
        PrintkitError: a game cannot be generated.
    """
    boards = [record.battlefield.features for record in records]
    tries = 0
    for seed in count_from(first):
        game = play(system, orders, seed, words)
        if box is not None:
            game = fit_to_box(system, game, box, words, can_reroll=True)
        if game.record.battlefield.features not in boards:
            boards.append(game.record.battlefield.features)
            yield game
        elif (tries := tries + 1) > _TRIES:
            raise UsageError("these settings give no more different battlefields; a longer league needs other settings")


def game_night_files(
    number: int, record: Record, system: RuleSystem, order: PrintContext[EveningOptions]
) -> dict[str, FileContent]:
    """Return the files of the game night of a game by path in the folder of the league.

    ``number`` is that of the game in the league, and names its folder.

    Raises:
        PrintkitError: a part of the game night cannot be printed.
    """
    night = evening(record, system, order)
    return {f"{folder_name(number)}/{name}": content for name, content in night.files.items()}


def read_records(folder: Path, numbers: Iterable[int]) -> Iterator[Record]:
    """Yield the records of games of a league by their numbers, from 1.

    Raises:
        ResourceError: a record is missing.
        PrintkitError: a record cannot be read.
    """
    from printkit.kit.registry import read_record

    for number in numbers:
        path = folder / record_name(number)
        if not is_file(path):
            raise ResourceError("the record of game {number} is missing: {path}", number=number, path=path)
        yield read_record(read_text(resolve_sibling(folder / FILE, record_name(number), key="record")))[1]
