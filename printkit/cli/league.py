"""The commands of a league: games of one rule system, all different and all kept, with their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct
from msgspec.structs import replace

from printkit.console import options, terminal
from printkit.console.parameters import Opt, argument
from printkit.core.errors import Sentence, TakenError, UsageError, typed_path
from printkit.core.numbers import parse_int
from printkit.core.paths import beside, exists

if TYPE_CHECKING:
    from printkit.recipes.box.piece_box import PieceBox
    from printkit.recipes.evening.handouts import EveningOrder
    from printkit.recipes.league.league_file import League
    from printkit.recipes.output.files import FileContent
    from printkit.terrain.field.record import Record

_FOLDER = Annotated[Path, argument("FOLDER", "The folder of a league.")]


class LeagueOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit league new``."""

    folder: Annotated[Path, argument("FOLDER", "The folder to make; the league is called after it.")]
    games: Annotated[int, Opt("--games", "N", "So many games.", least=1)] = 3
    name: Annotated[str | None, Opt("--name", "TEXT", "What the league is called [as its folder].")] = None
    rules: options.Rules = None
    settings: options.Settings = ()
    scenario: options.Scenario = None
    board: options.BoardSize = None
    cell: Annotated[str | None, Opt("--cell", "LENGTH", "Of a gridded board: across flats or side [100mm].")] = None
    seed: options.Seed = None
    box: options.TerrainBox = None
    sheet: options.PaperName = "a4"
    style: options.StyleName = "campaign"
    dressing: options.DressingKind = "light"
    lang: options.Language = None
    quiet: options.Quiet = False


def new(asked: LeagueOptions) -> None:
    """Begin a league."""
    from printkit.core.resources import template_text
    from printkit.kit import registry
    from printkit.recipes.box.piece_box import read_piece_box
    from printkit.recipes.game.request import read_text
    from printkit.recipes.league.league_copies import copies_of, scenario_copies
    from printkit.recipes.league.league_file import BOX, FILE, SCENARIO, League, checked

    if exists(asked.folder / FILE):
        raise TakenError(
            "{folder} holds a league; add games to it with: printkit league add {folder}",
            folder=typed_path(asked.folder),
        )
    words = terminal.words(asked.lang)
    system = registry.find(registry.known(asked.rules or registry.DEFAULT))
    files: dict[str, FileContent] = {}
    if asked.scenario is not None:
        files[SCENARIO] = read_text(asked.scenario)
        files |= scenario_copies(asked.scenario, system, asked.folder / FILE)
    box = None
    if asked.box is not None:
        box, files[BOX] = read_piece_box(asked.box), template_text("boxes", asked.box)
    own = copies_of(system, asked.settings, asked.sheet, asked.style, asked.folder / FILE)
    league = League(
        name=checked("name", asked.name or asked.folder.resolve().name),
        rules=system.name,
        settings=own.settings,
        board=asked.board or "",
        cell=asked.cell or "",
        lang="+".join(one.code for one in words.each()),
        scenario=asked.scenario is not None,
        box=asked.box is not None,
        sheet=own.sheet,
        style=own.style,
        dressing=asked.dressing,
    )
    # The copies are not in the folder yet, so these games are made with the files themselves.
    given = replace(league, settings=asked.settings, sheet=asked.sheet, style=asked.style)
    first = terminal.fresh_seed() if asked.seed is None else asked.seed
    making = _Making(asked.folder, league, asked.scenario, box, asked.quiet, given=given)
    making.more(asked.games, first, {**own.files, **files})


class AddOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit league add``."""

    folder: _FOLDER
    games: Annotated[int, Opt("--games", "N", "So many games.", least=1)] = 1
    seed: options.Seed = None
    lang: options.Language = None
    quiet: options.Quiet = False


def add(asked: AddOptions) -> None:
    """Add games to a league."""
    from printkit.console.locks import alone_at
    from printkit.recipes.box.piece_box import read_piece_box
    from printkit.recipes.league.league_file import BOX, FILE, SCENARIO, read_league

    with alone_at(asked.folder / FILE):
        league = read_league(asked.folder)
        first = max((game.seed for game in league.games), default=0) + 1 if asked.seed is None else asked.seed
        file = asked.folder / FILE
        box = read_piece_box(str(beside(file, BOX, key="box"))) if league.box else None
        scenario = beside(file, SCENARIO, key="scenario") if league.scenario else None
        _Making(asked.folder, league, scenario, box, asked.quiet).more(asked.games, first, {})


class _Making(Struct, frozen=True):
    """Makes games for a league, and puts everything into its folder together.

    A new league is ``given`` with the files of the command line, of which its folder has no copies yet.
    """

    folder: Path
    league: League
    scenario: Path | None
    box: PieceBox | None
    quiet: bool
    given: League | None = None

    def more(self, count: int, first: int, files: Mapping[str, FileContent]) -> None:
        """Throw so many games from a seed on, with their evenings, and write them beside other files."""
        from printkit.core.errors import ScenarioError
        from printkit.kit import registry
        from printkit.recipes.league.league_file import FILE, folder_name
        from printkit.recipes.league.league_games import (
            game_files,
            new_games,
            order_of,
            orders_of,
            records_of,
            with_games,
        )

        league, words = self.league, terminal.words(self.league.lang)
        file = None if self.given is not None else self.folder / FILE
        used = self.given or league
        system, order = registry.find(league.rules), order_of(used, words, file)
        orders = orders_of(used, self.scenario, file)
        try:
            system.book.settle(orders.options)
        except ScenarioError as error:
            raise UsageError("--set: {error}", error=error) from None
        kept = tuple(records_of(league, self.folder))
        numbers = range(len(kept) + 1, len(kept) + count + 1)
        thrown = new_games(system, orders, words, numbers=numbers, first=first, kept=kept, box=self.box)
        games = tuple(terminal.counted(thrown, self.quiet, total=count))
        made = dict(files)
        for game in games:
            made |= game_files(game, system, order)
        league = with_games(league, games)
        _write(self.folder, league, (*kept, *(game.record for game in games)), made, order)
        if not self.quiet:
            _tell(self.folder, league)
            terminal.tell(f"  {self.folder / folder_name(game.number)}" for game in games)
            terminal.tell(warning for game in games for warning in game.warnings)


class ResultOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit league result``."""

    game: Annotated[str, argument("GAME", "The folder of a league and a number, as autumn/2; within it the number.")]
    result: Annotated[str, argument("RESULT", "What came of it, in a few words; an empty text takes it back.")]
    players: Annotated[str | None, Opt("--players", "TEXT", "Who played.")] = None
    date: Annotated[str | None, Opt("--date", "TEXT", "When.")] = None
    lang: options.Language = None
    quiet: options.Quiet = False


def result(asked: ResultOptions) -> None:
    """Note what came of a game."""
    from printkit.console.locks import alone_at
    from printkit.recipes.league.league_file import FILE, checked, read_league
    from printkit.recipes.league.league_games import records_of

    folder, number = _game(asked.game)
    with alone_at(folder / FILE):
        league = read_league(folder)
        before = league.game(number)
        given = {"result": asked.result, "players": asked.players, "date": asked.date}
        told = {name: checked(name, text) for name, text in given.items() if text is not None}
        league = league.with_game(number, replace(before, **told))
        _write(folder, league, tuple(records_of(league, folder)), {})
    if not asked.quiet:
        if before.result:
            terminal.tell([Sentence("game {number} was: {result}", number=number, result=before.result)])
        _tell(folder, league)


class ShowLeagueOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit league show``."""

    folder: Annotated[Path, argument("FOLDER", "The folder of a league [this one].")] = Path()
    lang: options.Language = None
    quiet: options.Quiet = False


def show(asked: ShowLeagueOptions) -> None:
    """Show the results of a league, and print its page anew where its file was changed by hand."""
    from printkit.console.locks import alone_at
    from printkit.recipes.league.league_file import FILE, PAGE, read_league
    from printkit.recipes.league.league_games import records_of
    from printkit.recipes.league.league_page import league_lines

    with alone_at(asked.folder / FILE):
        league = read_league(asked.folder)
        _write(asked.folder, league, tuple(records_of(league, asked.folder)), {})
    terminal.show(league_lines(league))
    if not asked.quiet:
        terminal.tell([str(asked.folder / PAGE)])


def _game(text: str) -> tuple[Path, int]:
    """Return the folder and the number of a game: ``autumn/2``, ``autumn/game-2``, or within the folder ``2``."""
    path = Path(text)
    number = path.name.removeprefix("game-")
    if (found := parse_int(number)) is None:
        raise UsageError("{text!r} is no game; write the folder of the league and a number, as autumn/2", text=text)
    return path.parent, found


def _write(
    folder: Path,
    league: League,
    records: Sequence[Record],
    files: Mapping[str, FileContent],
    order: EveningOrder | None = None,
) -> None:
    """Put files into the folder of a league together with its page and, last, its own file."""
    from printkit.kit import registry
    from printkit.recipes.league.league_file import FILE, PAGE, league_text
    from printkit.recipes.league.league_games import order_of
    from printkit.recipes.league.league_page import league_document
    from printkit.recipes.output.files import write_folder

    words = terminal.words(league.lang)
    order = order or order_of(league, words, folder / FILE)
    page = league_document(league, records, registry.find(league.rules), order.map)
    taken = [name for name in files if exists(folder / name)]
    if taken:
        raise TakenError("{path} is there already; a league replaces no game", path=folder / taken[0])
    write_folder({**files, PAGE: page, FILE: league_text(league)}, folder, force=True)


def _tell(folder: Path, league: League) -> None:
    from printkit.recipes.league.league_file import PAGE
    from printkit.recipes.league.league_page import league_lines

    terminal.tell([*league_lines(league), f"  {folder / PAGE}"])
