"""The games of a league: generate different games, and build their records and game-night folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders, build_orders, read_text
from printkit.recipes.league.league_file import FILE, MOST_GAMES, League, LeagueGame, folder_name, record_name
from printkit.recipes.output.files import FileContent
from printkit.recipes.output.printers import PrintContext
from printkit.terrain.field.record import Record, write

_TRIES: Final = 50  # the maximum number of skipped seeds whose battlefield already exists


class NewGame(Struct, frozen=True, kw_only=True):
    """A new game of a league: its number, its record, and warnings for the user."""

    number: int
    record: Record
    warnings: tuple[str, ...] = ()


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
    sheet, style = league.sheet, league.style
    if file is not None:
        if (paper := paper_file(sheet)) is not None:
            sheet = f"{resolve_sibling(file, paper, key='sheet')}{sheet.strip()[len(paper) :]}"
        if style.endswith(".toml"):
            style = str(resolve_sibling(file, style, key="style"))
    return game_night_context(EveningOptions(sheet=sheet, style=style, dressing=league.dressing), words)


def new_games(
    system: RuleSystem,
    orders: Orders,
    words: Words,
    *,
    numbers: range,
    first: int,
    records: Iterable[Record],
    box: PieceBox | None,
) -> Iterator[NewGame]:
    """Yield new games of a league from consecutive seeds; skip seeds whose battlefield already exists.

    Args:
        system: the rule system.
        orders: the orders for the games.
        words: the texts of the language for names and titles.
        numbers: the numbers of the new games.
        first: the first seed.
        records: the existing records of the league.
        box: the terrain box that limits the battlefields, or None.

    Raises:
        UsageError: the league would have too many games, or its settings do not give another battlefield.
        PrintkitError: a game cannot be generated.
    """
    if numbers.stop > MOST_GAMES + 1:
        raise UsageError("a league has at most {most} games; start another one", most=MOST_GAMES)
    boards = [record.battlefield.features for record in records]
    seed, tries = first, 0
    for number in numbers:
        while True:
            game = play(system, orders, seed, words)
            if box is not None:
                game = fit_to_box(system, game, box, words, can_reroll=True)
            seed += 1
            if game.record.battlefield.features not in boards:
                break
            tries += 1
            if tries > _TRIES:
                raise UsageError(
                    "these settings give no more different battlefields; a longer league needs other settings"
                )
        boards.append(game.record.battlefield.features)
        yield NewGame(number=number, record=game.record, warnings=game.warnings)


def append_games(league: League, games: Iterable[NewGame]) -> League:
    """Return the league with the new games added."""
    new_entries = (LeagueGame(seed=game.record.seed or 0, title=game.record.battlefield.title) for game in games)
    return replace(league, games=(*league.games, *new_entries))


def game_files(game: NewGame, system: RuleSystem, order: PrintContext[EveningOptions]) -> dict[str, FileContent]:
    """Return the files of a game by path in the folder of a league: its record, and its game night.

    Raises:
        PrintkitError: a part of the game night cannot be printed.
    """
    night = evening(game.record, system, order)
    subfolder = folder_name(game.number)
    return {
        record_name(game.number): write(game.record),
        **{f"{subfolder}/{name}": content for name, content in night.files.items()},
    }


def read_records(league: League, folder: Path) -> Iterator[Record]:
    """Yield the records of a league, in the order of its games.

    Raises:
        ResourceError: a record is missing.
        PrintkitError: a record cannot be read.
    """
    from printkit.kit.registry import read_record

    for number in range(1, len(league.games) + 1):
        path = folder / record_name(number)
        if not is_file(path):
            raise ResourceError("the record of game {number} is missing: {path}", number=number, path=path)
        yield read_record(read_text(resolve_sibling(folder / FILE, record_name(number), key="record")))[1]
