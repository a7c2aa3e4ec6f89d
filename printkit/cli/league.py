"""The commands of a league: games of one rule system with their results, and rounds between its players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from printkit.console import terminal
from printkit.core.errors import FileTakenError, Sentence, UsageError, quote_path
from printkit.core.numbers import parse_int
from printkit.core.paths import exists, is_file, resolve_sibling
from printkit.core.typed import member_error
from printkit.kit import registry
from printkit.options.commands import GameOptions, LeagueOptions
from printkit.options.printing import EveningOptions, FileOptions
from printkit.recipes.game.request import read_text
from printkit.recipes.league.league_file import (
    BOX,
    FILE,
    PAGE,
    SCENARIO,
    League,
    check_players,
    clean_text,
    folder_name,
    league_text,
    read_league,
    record_name,
)
from printkit.recipes.output.files import FileContent, write_folder

if TYPE_CHECKING:
    from printkit.recipes.box.piece_box import PieceBox
    from printkit.recipes.output.printers import PrintContext
    from printkit.terrain.field.record import Record

# The number of games in a new league without players.
_GAMES = 3


def begin_league(options: LeagueOptions, game: GameOptions, print_options: EveningOptions, files: FileOptions) -> None:
    """Create a league with its first games, or with its players and their first round."""
    from printkit.console.games import scenario_path
    from printkit.core.resources import template_text
    from printkit.options.table import format_words
    from printkit.recipes.box.piece_box import read_piece_box
    from printkit.recipes.league.league_copies import copy_files, copy_scenario_files

    folder, scenario = Path(options.folder), scenario_path(game)
    if exists(folder / FILE):
        raise FileTakenError(
            "{folder} already has a league. To add games to it: {command}",
            folder=folder,
            command=f"printkit league {'round' if options.players else 'add'} {quote_path(folder)}",
        )
    players = _read_players(options.players)
    if options.players is not None:
        check_players(players)
    if players and options.games is not None:
        raise UsageError("--games is for a league without players; with --players each round has its games")
    if not players and options.tables is not None:
        raise UsageError("--tables needs --players, the players of the round")
    words = terminal.words(print_options.lang)
    system = registry.find(registry.validate_name(game.rules or registry.DEFAULT))
    copies: dict[str, FileContent] = {}
    if scenario is not None:
        copies[SCENARIO] = read_text(scenario)
        copies |= copy_scenario_files(scenario, system, folder / FILE)
    box = None
    if game.box is not None:
        box, copies[BOX] = read_piece_box(game.box), template_text("boxes", game.box)
    print_options = replace(
        print_options,
        lang="+".join(language.code for language in words.each()),
        laid=print_options.laid or ("build" if players and box is not None else "print"),
    )
    file_copies = copy_files(system, game.settings, print_options, folder / FILE)
    league = League(
        name=clean_text("name", options.name or folder.resolve().name),
        rules=system.name,
        settings=file_copies.settings,
        board=game.board or "",
        cell=game.cell or "",
        players=players,
        print_words=tuple(format_words(file_copies.print_options)),
        scenario=scenario is not None,
        shared_box=BOX if box is not None else "",
    )
    # The copies are not in the folder yet, so the first games use the original files.
    original = replace(league, settings=tuple(game.settings), print_words=tuple(format_words(print_options)))
    new_files = {**file_copies.files, **copies}
    _add_games(league, options, game.seed, scenario, box, files.quiet, new_files, original=original)


def add_games(options: LeagueOptions, game: GameOptions, files: FileOptions) -> None:
    """Add games to a league without players."""
    with _open_league(Path(options.folder), options) as league:
        if league.players:
            raise UsageError(
                "{folder} has players. To add their next round: printkit league round {folder}",
                folder=quote_path(options.folder),
            )
        _extend_league(league, options, game, files)


def add_round(options: LeagueOptions, game: GameOptions, files: FileOptions) -> None:
    """Add the next round to a league, with a battlefield for each table; new players join first."""
    with _open_league(Path(options.folder), options) as league:
        if not league.players:
            raise UsageError(
                '{folder} has no players. To start one with players: printkit league new NAME --players "Ann, Bob"',
                folder=quote_path(options.folder),
            )
        league = replace(league, players=(*league.players, *_read_players(options.players)))
        check_players(league.players)
        _extend_league(league, options, game, files)


def _read_players(text: str | None) -> tuple[str, ...]:
    """Return the names of players from a text with commas, or from the lines of a file; empty without a text.

    Raises:
        PrintkitError: the file does not exist or cannot be read.
    """
    from printkit.kit.rules import split_names

    path = Path(text or "")
    if text and is_file(path):
        text = read_text(path).replace("\n", ",")
    elif path.suffix in (".txt", ".csv"):
        raise UsageError(
            "--players: there is no file {path}. Write a name on each line of it, or type the names with commas.",
            path=path,
        )
    return split_names(text or "")


@contextmanager
def _open_league(folder: Path, options: LeagueOptions) -> Iterator[League]:
    """Yield the league of a folder, which is locked meanwhile."""
    from printkit.console.locks import lock_game

    terminal.words(options.lang)
    with lock_game(folder / FILE):
        league, file = read_league(folder), folder / FILE
        try:
            terminal.words(league.lang)
        except UsageError as error:
            raise member_error(str(file), read_text(file), ("print",), error.sentence) from None
        yield league


def _extend_league(league: League, options: LeagueOptions, game: GameOptions, files: FileOptions) -> None:
    """Add games to a league, with the scenario and the terrain box of its folder."""
    from printkit.recipes.box.piece_box import read_piece_box

    file = Path(options.folder) / FILE
    box_path = resolve_sibling(file, league.shared_box, key="shared_box") if league.shared_box else None
    scenario = resolve_sibling(file, SCENARIO, key="scenario") if league.scenario else None
    box = None if box_path is None else read_piece_box(str(box_path))
    _add_games(league, options, game.seed, scenario, box, files.quiet, {})


def _add_games(
    league: League,
    options: LeagueOptions,
    seed: int | None,
    scenario: Path | None,
    box: PieceBox | None,
    quiet: bool,
    files: Mapping[str, FileContent],
    original: League | None = None,
) -> None:
    """Generate new games of a league, and write all their files together with other ``files``.

    For a new league ``original`` is the league with the paths of the command line, because copies do not exist yet.
    """
    from printkit.core.errors import ScenarioError
    from printkit.recipes.league.league_games import (
        build_context,
        fetch_lines,
        game_night_files,
        game_orders,
        new_entries,
        new_games,
        read_records,
    )
    from printkit.recipes.league.league_page import league_lines
    from printkit.terrain.field.record import write

    folder, words = Path(options.folder), terminal.words(league.lang)
    has_sheets = options.print_sheets or not league.players
    entries = new_entries(league, options.games or (1 if original is None else _GAMES), options.tables)
    if seed is None:
        seed = max((game.seed for game in league.games), default=0) + 1 if original is None else terminal.fresh_seed()
    file = None if original is not None else folder / FILE
    source = original or league
    system, order = registry.find(league.rules), build_context(source, words, file)
    orders = game_orders(source, scenario, file)
    try:
        system.book.settle(orders.options)
    except ScenarioError as error:
        raise UsageError("--set: {error}", error=error) from None
    old_records = tuple(read_records(folder, range(1, len(league.games) + 1)))
    game_iterator = new_games(system, orders, words, entries=entries, first=seed, records=old_records, box=box)
    games = tuple(terminal.track_progress(game_iterator, quiet, total=len(entries)))
    all_files = dict(files)
    for game in games:
        terminal.stage(Sentence("drawing {title}", title=game.record.battlefield.title))
        all_files[record_name(game.number)] = write(game.record)
        if has_sheets:
            all_files |= game_night_files(game.number, game.record, system, order)
    if existing := [name for name in all_files if exists(folder / name)]:
        raise FileTakenError("{path} already exists; a league never overwrites a game", path=folder / existing[0])
    league = replace(league, games=(*league.games, *(game.entry for game in games)))
    records = (*old_records, *(game.record for game in games))
    _write_league(folder, league, [records[number - 1] for number in league.shown_games], all_files, order)
    if quiet:
        return
    folders = [folder_name(game.number) for game in games] if has_sheets else []
    notes: list[str] = [*fetch_lines([game.record for game in games], words)] if league.players else []
    for game in games:
        title = game.record.battlefield.title
        notes += (Sentence("{title}: {warning}", title=title, warning=warning) for warning in game.warnings)
    terminal.tell([*league_lines(league), *_next_lines(folder, league, folders, notes)])


def note_result(options: LeagueOptions, files: FileOptions) -> None:
    """Record the score of a game between players, or the result and the players of any other game."""
    from printkit.recipes.league.league_games import read_records
    from printkit.recipes.league.league_page import league_lines
    from printkit.recipes.league.league_results import enter_score, result_text

    folder, number = _parse_game(options.game)
    with _open_league(folder, options) as league:
        if league.players:
            if options.players is not None:
                raise UsageError("the rounds of a league decide who plays; remove --players")
            number, game = enter_score(league, options.result, number)
        elif number is None:
            raise _no_game_error(options.game)
        else:
            game = replace(league.game(number), note=clean_text("result", options.result), score=None)
            if options.players is not None:
                game = replace(
                    game, players=tuple(clean_text("players", name) for name in _read_players(options.players))
                )
        old_result = result_text(league.game(number))
        league = league.with_game(number, game)
        _write_league(folder, league, tuple(read_records(folder, league.shown_games)), {})
    if not files.quiet:
        if old_result:
            terminal.tell([Sentence("previous result of game {number}: {result}", number=number, result=old_result)])
        terminal.tell([*league_lines(league), *_next_lines(folder, league)])


def show_league(options: LeagueOptions, files: FileOptions) -> None:
    """Show the results of a league, and update its page from its file."""
    from printkit.recipes.league.league_games import build_context, game_night_files, read_records
    from printkit.recipes.league.league_page import league_lines

    folder = Path(options.folder)
    sheets: dict[str, FileContent] = {}
    with _open_league(folder, options) as league:
        records = tuple(read_records(folder, league.shown_games))
        if options.print_sheets:
            order = build_context(league, terminal.words(league.lang), folder / FILE)
            for number, record in zip(league.shown_games, records, strict=True):
                sheets |= game_night_files(number, record, registry.find(league.rules), order)
        _write_league(folder, league, records, sheets)
    terminal.show(league_lines(league))
    if not files.quiet:
        terminal.tell(_next_lines(folder, league, dict.fromkeys(Path(name).parts[0] for name in sheets)))


def _parse_game(text: str) -> tuple[Path, int | None]:
    """Return the folder and number of a game from ``autumn/2``, ``autumn/game-2`` or, in the folder, ``2``.

    The second value for the folder of a league: None.
    """
    path = Path(text)
    if is_file(path / FILE):
        return path, None
    if (game_number := parse_int(path.name.removeprefix("game-"))) is None:
        raise _no_game_error(text)
    return path.parent, game_number


def _no_game_error(text: str) -> UsageError:
    """Return the error for a text that names no game."""
    return UsageError(
        "{text!r} is not a game; write the folder of the league and the number of the game, for example autumn/2",
        text=text,
    )


def _write_league(
    folder: Path,
    league: League,
    records: Sequence[Record],
    files: Mapping[str, FileContent],
    order: PrintContext[EveningOptions] | None = None,
) -> None:
    """Write files into the folder of a league, with its page and, last, the league file.

    ``records`` are those of its ``shown_games``. The default of ``order`` is the print context of the league.
    """
    from printkit.recipes.league.league_games import build_context
    from printkit.recipes.league.league_page import league_document

    order = order or build_context(league, terminal.words(league.lang), folder / FILE)
    if not records:
        raise UsageError(
            "{folder} has no games yet. To add some: {command}",
            folder=folder,
            command=f"printkit league {'round' if league.players else 'add'} {quote_path(folder)}",
        )
    page = league_document(league, records, registry.find(league.rules), order)
    write_folder({**files, PAGE: page, FILE: league_text(league)}, folder, force=True)


def _next_lines(folder: Path, league: League, folders: Iterable[str] = (), notes: Iterable[str] = ()) -> Iterator[str]:
    """Yield the paths of the page of a league and of printed ``folders``, ``notes``, and what to do next."""
    from printkit.recipes.league.league_results import result_text

    yield from (f"  {folder / name}" for name in (PAGE, *folders))
    yield from notes
    if league.players and not folders:
        yield Sentence("Print the tables: printkit league show {folder} --print", folder=quote_path(folder))
    open_games = [number for number in league.shown_games if not result_text(league.game(number))]
    if open_games and league.players:
        far, near = league.game(open_games[0]).players
        words = (str(folder), f"{far} 5-2 {near}")
    elif open_games:
        words = (str(folder / str(open_games[0])), "5-2")
    else:
        return
    command = f"printkit league result {' '.join(map(quote_path, words))}"
    yield Sentence("After the game: {command}", command=command)
