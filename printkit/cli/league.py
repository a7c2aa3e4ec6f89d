"""The commands of a league: different games of one rule system, saved with their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from printkit.console import terminal
from printkit.core.errors import FileTakenError, Sentence, UsageError, quote_path
from printkit.core.numbers import parse_int
from printkit.core.paths import exists, resolve_sibling
from printkit.options.commands import GameOptions, LeagueOptions
from printkit.options.printing import FileOptions, SheetOptions

if TYPE_CHECKING:
    from printkit.recipes.box.piece_box import PieceBox
    from printkit.recipes.league.league_file import League
    from printkit.recipes.output.files import FileContent
    from printkit.recipes.output.printers import SheetContext
    from printkit.terrain.field.record import Record


def begin_league(asked: LeagueOptions, game: GameOptions, printed: SheetOptions, files: FileOptions) -> None:
    """Create a league with its first games."""
    from printkit.console.games import scenario_path
    from printkit.core.resources import template_text
    from printkit.kit import registry
    from printkit.recipes.box.piece_box import read_piece_box
    from printkit.recipes.game.request import read_text
    from printkit.recipes.league.league_copies import copy_files, copy_scenario_files
    from printkit.recipes.league.league_file import BOX, FILE, SCENARIO, League, checked

    folder, scenario = Path(asked.folder), scenario_path(game)
    if exists(folder / FILE):
        raise FileTakenError(
            "{folder} already has a league. To add games to it: printkit league add {folder}", folder=quote_path(folder)
        )
    words = terminal.words(printed.lang)
    system = registry.find(registry.validate_name(game.rules or registry.DEFAULT))
    copies: dict[str, FileContent] = {}
    if scenario is not None:
        copies[SCENARIO] = read_text(scenario)
        copies |= copy_scenario_files(scenario, system, folder / FILE)
    box = None
    if game.box is not None:
        box, copies[BOX] = read_piece_box(game.box), template_text("boxes", game.box)
    own = copy_files(system, game.settings, printed.sheet, printed.style, folder / FILE)
    league = League(
        name=checked("name", asked.name or folder.resolve().name),
        rules=system.name,
        settings=own.settings,
        board=game.board or "",
        cell=game.cell or "",
        lang="+".join(one.code for one in words.each()),
        scenario=scenario is not None,
        box=box is not None,
        sheet=own.sheet,
        style=own.style,
        dressing=printed.dressing,
    )
    # The copies are not in the folder yet, so the first games use the original files.
    given = replace(league, settings=tuple(game.settings), sheet=printed.sheet, style=printed.style)
    first = terminal.fresh_seed() if game.seed is None else game.seed
    making = _Making(folder, league, scenario, box, files.quiet, given=given)
    making.add_games(asked.games, first, {**own.files, **copies})


def add_games(asked: LeagueOptions, game: GameOptions, files: FileOptions) -> None:
    """Add games to a league."""
    from printkit.console.locks import alone_at
    from printkit.recipes.box.piece_box import read_piece_box
    from printkit.recipes.league.league_file import BOX, FILE, SCENARIO, read_league

    terminal.words(asked.lang)
    file = Path(asked.folder) / FILE
    with alone_at(file):
        league = read_league(file.parent)
        first = max((each.seed for each in league.games), default=0) + 1 if game.seed is None else game.seed
        box = read_piece_box(str(resolve_sibling(file, BOX, key="box"))) if league.box else None
        scenario = resolve_sibling(file, SCENARIO, key="scenario") if league.scenario else None
        _Making(file.parent, league, scenario, box, files.quiet).add_games(asked.games, first, {})


class _Making(Struct, frozen=True):
    """Generates games of a league and writes all their files together.

    For a new league ``given`` is the league with the paths of the command line, because copies do not exist yet.
    """

    folder: Path
    league: League
    scenario: Path | None
    box: PieceBox | None
    quiet: bool
    given: League | None = None

    def add_games(self, count: int, first: int, files: Mapping[str, FileContent]) -> None:
        """Generate games from a first seed, with their game nights, and write them together with other files."""
        from printkit.core.errors import ScenarioError
        from printkit.kit import registry
        from printkit.recipes.league.league_file import FILE, folder_name
        from printkit.recipes.league.league_games import (
            append_games,
            build_context,
            game_files,
            game_orders,
            new_games,
            read_records,
        )

        league, words = self.league, terminal.words(self.league.lang)
        file = None if self.given is not None else self.folder / FILE
        used = self.given or league
        system, order = registry.find(league.rules), build_context(used, words, file)
        orders = game_orders(used, self.scenario, file)
        try:
            system.book.settle(orders.options)
        except ScenarioError as error:
            raise UsageError("--set: {error}", error=error) from None
        kept = tuple(read_records(league, self.folder))
        numbers = range(len(kept) + 1, len(kept) + count + 1)
        thrown = new_games(system, orders, words, numbers=numbers, first=first, records=kept, box=self.box)
        games = tuple(terminal.counted(thrown, self.quiet, total=count))
        made = dict(files)
        for game in games:
            made |= game_files(game, system, order)
        league = append_games(league, games)
        _write(self.folder, league, (*kept, *(game.record for game in games)), made, order)
        if not self.quiet:
            _tell(self.folder, league)
            terminal.tell(f"  {self.folder / folder_name(game.number)}" for game in games)
            terminal.tell(warning for game in games for warning in game.warnings)


def note_result(asked: LeagueOptions, files: FileOptions) -> None:
    """Record the result and the players of a game."""
    from printkit.console.locks import alone_at
    from printkit.recipes.league.league_file import FILE, checked, read_league
    from printkit.recipes.league.league_games import read_records

    terminal.words(asked.lang)
    folder, number = _game(asked.game)
    with alone_at(folder / FILE):
        league = read_league(folder)
        before = league.game(number)
        given = {"result": asked.result, "players": asked.players}
        told = {name: checked(name, text) for name, text in given.items() if text is not None}
        league = league.with_game(number, replace(before, **told))
        _write(folder, league, tuple(read_records(league, folder)), {})
    if not files.quiet:
        if before.result:
            terminal.tell([Sentence("previous result of game {number}: {result}", number=number, result=before.result)])
        _tell(folder, league)


def show_league(asked: LeagueOptions, files: FileOptions) -> None:
    """Show the results of a league, and update its page from its file."""
    from printkit.console.locks import alone_at
    from printkit.recipes.league.league_file import FILE, PAGE, read_league
    from printkit.recipes.league.league_games import read_records
    from printkit.recipes.league.league_page import league_lines

    terminal.words(asked.lang)
    folder = Path(asked.folder)
    with alone_at(folder / FILE):
        league = read_league(folder)
        _write(folder, league, tuple(read_records(league, folder)), {})
    terminal.show(league_lines(league))
    if not files.quiet:
        terminal.tell([str(folder / PAGE)])


def _game(text: str) -> tuple[Path, int]:
    """Return the folder and number of a game from ``autumn/2``, ``autumn/game-2`` or, in the folder, ``2``."""
    path = Path(text)
    number = path.name.removeprefix("game-")
    if (found := parse_int(number)) is None:
        raise UsageError(
            "{text!r} is not a game; write the folder of the league and the number of the game, for example autumn/2",
            text=text,
        )
    return path.parent, found


def _write(
    folder: Path,
    league: League,
    records: Sequence[Record],
    files: Mapping[str, FileContent],
    order: SheetContext | None = None,
) -> None:
    """Write files into the folder of a league, with its page and, last, the league file."""
    from printkit.kit import registry
    from printkit.recipes.league.league_file import FILE, PAGE, league_text
    from printkit.recipes.league.league_games import build_context
    from printkit.recipes.league.league_page import league_document
    from printkit.recipes.output.files import write_folder

    words = terminal.words(league.lang)
    order = order or build_context(league, words, folder / FILE)
    page = league_document(league, records, registry.find(league.rules), order)
    taken = [name for name in files if exists(folder / name)]
    if taken:
        raise FileTakenError("{path} already exists; a league never overwrites a game", path=folder / taken[0])
    write_folder({**files, PAGE: page, FILE: league_text(league)}, folder, force=True)


def _tell(folder: Path, league: League) -> None:
    from printkit.recipes.league.league_file import PAGE
    from printkit.recipes.league.league_page import league_lines

    terminal.tell([*league_lines(league), f"  {folder / PAGE}"])
