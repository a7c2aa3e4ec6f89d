"""The games of a league: new ones, all different, each with its evening, and what is put into the folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import ResourceError, UsageError
from printkit.core.paths import beside, is_file
from printkit.core.words import Words
from printkit.kit.system import RuleSystem
from printkit.options.printing import EveningOptions
from printkit.page.papers import paper_file
from printkit.recipes.box.holding import held
from printkit.recipes.box.piece_box import PieceBox
from printkit.recipes.evening.handouts import evening, evening_context
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders, ordered, read_text
from printkit.recipes.league.league_file import FILE, MOST_GAMES, League, LeagueGame, folder_name, record_name
from printkit.recipes.output.files import FileContent
from printkit.recipes.output.printers import PrintContext
from printkit.terrain.field.record import Record, write

_TRIES: Final = 50
"""So many seeds are passed over at most because their field is there already."""


class NewGame(Struct, frozen=True, kw_only=True):
    """A game that has been thrown for a league: its number, its record, and what the person should hear of it."""

    number: int
    record: Record
    warnings: tuple[str, ...] = ()


def orders_of(league: League, scenario: Path | None, file: Path | None = None) -> Orders:
    """Return what a league orders of its rule system, with its scenario file if it has one.

    Args:
        league: its settings may name files.
        scenario: its scenario file.
        file: that of the league, in the folder of which they are; None for the command line.

    Raises:
        PrintkitError: a setting or the file is wrong.
    """
    return ordered(
        rules=league.rules,
        settings=league.settings,
        scenario=scenario,
        board=league.board or None,
        cell=league.cell or None,
        seed=None,
        dice=None,
        settings_file=file,
    )


def order_of(league: League, words: Words, file: Path | None = None) -> PrintContext[EveningOptions]:
    """Return how the evenings of a league are printed.

    Args:
        league: its paper and style may be files.
        words: the language.
        file: that of the league, in the folder of which they are; None for the command line.

    Raises:
        PrintkitError: a paper or style that is not known, or outside that folder.
    """
    sheet, style = league.sheet, league.style
    if file is not None:
        if (paper := paper_file(sheet)) is not None:
            sheet = f"{beside(file, paper, key='sheet')}{sheet.strip()[len(paper) :]}"
        if style.endswith(".toml"):
            style = str(beside(file, style, key="style"))
    return evening_context(EveningOptions(sheet=sheet, style=style, dressing=league.dressing), words)


def new_games(
    system: RuleSystem,
    orders: Orders,
    words: Words,
    *,
    numbers: range,
    first: int,
    kept: Iterable[Record],
    box: PieceBox | None,
) -> Iterator[NewGame]:
    """Yield more games of a league, of consecutive seeds, passing over what is the same field as another.

    Args:
        system: its rules.
        orders: what it orders of them.
        words: the language of names and titles.
        numbers: of the games that are thrown.
        first: the seed of the first of them.
        kept: the records that the league has already.
        box: the terrain box to which its fields are held, if any.

    Raises:
        UsageError: it would have too many games, or its settings leave no other field.
        PrintkitError: a game cannot be played.
    """
    if numbers.stop > MOST_GAMES + 1:
        raise UsageError("a league has at most {most} games; start another one", most=MOST_GAMES)
    there = [record.battlefield.features for record in kept]
    seed, tries = first, 0
    for number in numbers:
        while True:
            game = play(system, orders, seed, words)
            if box is not None:
                game = held(system, game, box, words, throws=True)
            seed += 1
            if game.record.battlefield.features not in there:
                break
            tries += 1
            if tries > _TRIES:
                raise UsageError(
                    "these settings give no more different battlefields; a longer league needs other settings"
                )
        there.append(game.record.battlefield.features)
        yield NewGame(number=number, record=game.record, warnings=game.warnings)


def with_games(league: League, games: Iterable[NewGame]) -> League:
    """Return a league with more games."""
    more = (LeagueGame(seed=game.record.seed or 0, title=game.record.battlefield.title) for game in games)
    return replace(league, games=(*league.games, *more))


def game_files(game: NewGame, system: RuleSystem, order: PrintContext[EveningOptions]) -> dict[str, FileContent]:
    """Return what is put into the folder of a league for a game: its record, and its evening in a folder of its own.

    Raises:
        PrintkitError: something of the evening cannot be printed.
    """
    made = evening(game.record, system, order)
    within = folder_name(game.number)
    return {
        record_name(game.number): write(game.record),
        **{f"{within}/{name}": content for name, content in made.files.items()},
    }


def records_of(league: League, folder: Path) -> Iterator[Record]:
    """Yield the records of a league, in the order of its games.

    Raises:
        ResourceError: one is not there.
        PrintkitError: one cannot be read.
    """
    from printkit.kit.registry import read_record

    for number in range(1, len(league.games) + 1):
        path = folder / record_name(number)
        if not is_file(path):
            raise ResourceError("the record of game {number} is missing: {path}", number=number, path=path)
        yield read_record(read_text(beside(folder / FILE, record_name(number), key="record")))[1]
