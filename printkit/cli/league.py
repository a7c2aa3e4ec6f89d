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


def begin_league(options: LeagueOptions, game: GameOptions, print_options: SheetOptions, files: FileOptions) -> None:
    """Create a league with its first games."""
    from printkit.console.games import scenario_path
    from printkit.core.resources import template_text
    from printkit.kit import registry
    from printkit.recipes.box.piece_box import read_piece_box
    from printkit.recipes.game.request import read_text
    from printkit.recipes.league.league_copies import copy_files, copy_scenario_files
    from printkit.recipes.league.league_file import BOX, FILE, SCENARIO, League, checked

    folder, scenario = Path(options.folder), scenario_path(game)
    if exists(folder / FILE):
        raise FileTakenError(
            "{folder} already has a league. To add games to it: printkit league add {folder}", folder=quote_path(folder)
        )
    words = terminal.words(print_options.lang)
    system = registry.find(registry.validate_name(game.rules or registry.DEFAULT))
    copies: dict[str, FileContent] = {}
    if scenario is not None:
        copies[SCENARIO] = read_text(scenario)
        copies |= copy_scenario_files(scenario, system, folder / FILE)
    box = None
    if game.box is not None:
        box, copies[BOX] = read_piece_box(game.box), template_text("boxes", game.box)
    file_copies = copy_files(system, game.settings, print_options.sheet, print_options.style, folder / FILE)
    league = League(
        name=checked("name", options.name or folder.resolve().name),
        rules=system.name,
        settings=file_copies.settings,
        board=game.board or "",
        cell=game.cell or "",
        lang="+".join(language.code for language in words.each()),
        scenario=scenario is not None,
        box=box is not None,
        sheet=file_copies.sheet,
        style=file_copies.style,
        dressing=print_options.dressing,
    )
    # The copies are not in the folder yet, so the first games use the original files.
    original = replace(league, settings=tuple(game.settings), sheet=print_options.sheet, style=print_options.style)
    first = terminal.fresh_seed() if game.seed is None else game.seed
    builder = _GameBuilder(folder, league, scenario, box, files.quiet, original=original)
    builder.add_games(options.games, first, {**file_copies.files, **copies})


def add_games(options: LeagueOptions, game: GameOptions, files: FileOptions) -> None:
    """Add games to a league."""
    from printkit.console.locks import lock_game
    from printkit.recipes.box.piece_box import read_piece_box
    from printkit.recipes.league.league_file import BOX, FILE, SCENARIO, read_league

    terminal.words(options.lang)
    file = Path(options.folder) / FILE
    with lock_game(file):
        league = read_league(file.parent)
        first = (
            max((earlier_game.seed for earlier_game in league.games), default=0) + 1 if game.seed is None else game.seed
        )
        box = read_piece_box(str(resolve_sibling(file, BOX, key="box"))) if league.box else None
        scenario = resolve_sibling(file, SCENARIO, key="scenario") if league.scenario else None
        _GameBuilder(file.parent, league, scenario, box, files.quiet).add_games(options.games, first, {})


class _GameBuilder(Struct, frozen=True):
    """Generates games of a league and writes all their files together.

    For a new league ``original`` is the league with the paths of the command line, because copies do not exist yet.
    """

    folder: Path
    league: League
    scenario: Path | None
    box: PieceBox | None
    quiet: bool
    original: League | None = None

    def add_games(self, count: int, first: int, files: Mapping[str, FileContent]) -> None:
        """Generate ``count`` games from the seed ``first`` on, with their game nights.

        They are written into the folder of the league together with ``files`` (by path) and the league file. Their
        numbers continue those of the league.
        """
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
        file = None if self.original is not None else self.folder / FILE
        source = self.original or league
        system, order = registry.find(league.rules), build_context(source, words, file)
        orders = game_orders(source, self.scenario, file)
        try:
            system.book.settle(orders.options)
        except ScenarioError as error:
            raise UsageError("--set: {error}", error=error) from None
        records = tuple(read_records(league, self.folder))
        numbers = range(len(records) + 1, len(records) + count + 1)
        game_iterator = new_games(system, orders, words, numbers=numbers, first=first, records=records, box=self.box)
        games = tuple(terminal.track_progress(game_iterator, self.quiet, total=count))
        all_files = dict(files)
        for game in games:
            terminal.stage(Sentence("drawing {title}", title=game.record.battlefield.title))
            all_files |= game_files(game, system, order)
        league = append_games(league, games)
        _write_league(self.folder, league, (*records, *(game.record for game in games)), all_files, order)
        if not self.quiet:
            _report_league(self.folder, league)
            terminal.tell(f"  {self.folder / folder_name(game.number)}" for game in games)
            terminal.tell(warning for game in games for warning in game.warnings)


def note_result(options: LeagueOptions, files: FileOptions) -> None:
    """Record the result and the players of a game."""
    from printkit.console.locks import lock_game
    from printkit.recipes.league.league_file import FILE, checked, read_league
    from printkit.recipes.league.league_games import read_records

    terminal.words(options.lang)
    folder, number = _parse_game(options.game)
    with lock_game(folder / FILE):
        league = read_league(folder)
        old_game = league.game(number)
        texts = {"result": options.result, "players": options.players}
        changes = {name: checked(name, text) for name, text in texts.items() if text is not None}
        league = league.with_game(number, replace(old_game, **changes))
        _write_league(folder, league, tuple(read_records(league, folder)), {})
    if not files.quiet:
        if old_game.result:
            terminal.tell(
                [Sentence("previous result of game {number}: {result}", number=number, result=old_game.result)]
            )
        _report_league(folder, league)


def show_league(options: LeagueOptions, files: FileOptions) -> None:
    """Show the results of a league, and update its page from its file."""
    from printkit.console.locks import lock_game
    from printkit.recipes.league.league_file import FILE, PAGE, read_league
    from printkit.recipes.league.league_games import read_records
    from printkit.recipes.league.league_page import league_lines

    terminal.words(options.lang)
    folder = Path(options.folder)
    with lock_game(folder / FILE):
        league = read_league(folder)
        _write_league(folder, league, tuple(read_records(league, folder)), {})
    terminal.show(league_lines(league))
    if not files.quiet:
        terminal.tell([str(folder / PAGE)])


def _parse_game(text: str) -> tuple[Path, int]:
    """Return the folder and number of a game from ``autumn/2``, ``autumn/game-2`` or, in the folder, ``2``.

    A text without a number raises UsageError.
    """
    path = Path(text)
    number = path.name.removeprefix("game-")
    if (game_number := parse_int(number)) is None:
        raise UsageError(
            "{text!r} is not a game; write the folder of the league and the number of the game, for example autumn/2",
            text=text,
        )
    return path.parent, game_number


def _write_league(
    folder: Path,
    league: League,
    records: Sequence[Record],
    files: Mapping[str, FileContent],
    order: SheetContext | None = None,
) -> None:
    """Write files into the folder of a league, with its page and, last, the league file.

    The default of ``order`` is the print context of the league.
    """
    from printkit.kit import registry
    from printkit.recipes.league.league_file import FILE, PAGE, league_text
    from printkit.recipes.league.league_games import build_context
    from printkit.recipes.league.league_page import league_document
    from printkit.recipes.output.files import write_folder

    words = terminal.words(league.lang)
    order = order or build_context(league, words, folder / FILE)
    page = league_document(league, records, registry.find(league.rules), order)
    existing = [name for name in files if exists(folder / name)]
    if existing:
        raise FileTakenError("{path} already exists; a league never overwrites a game", path=folder / existing[0])
    write_folder({**files, PAGE: page, FILE: league_text(league)}, folder, force=True)


def _report_league(folder: Path, league: League) -> None:
    """Show the results of a league and the path of its page."""
    from printkit.recipes.league.league_file import PAGE
    from printkit.recipes.league.league_page import league_lines

    terminal.tell([*league_lines(league), f"  {folder / PAGE}"])
