"""The games of a league: different games, their records and folders, and one terrain box for all tables of a round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count as count_from
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import ResourceError, Sentence, UsageError
from printkit.core.paths import is_file, resolve_sibling
from printkit.core.typed import member_error
from printkit.core.words import Words
from printkit.kit.system import RuleSystem
from printkit.options.printing import EveningOptions
from printkit.page.papers import paper_file
from printkit.recipes.box.box_fit import FieldFit, fit_record
from printkit.recipes.box.box_list import missing_text, number_ranges, piece_name
from printkit.recipes.box.piece_box import PieceBox
from printkit.recipes.box.refit import fit_to_box, match_record
from printkit.recipes.evening.handouts import evening, game_night_context
from printkit.recipes.game.games import GeneratedGame, play
from printkit.recipes.game.request import GameNames, Orders, build_orders, read_record_file, read_text
from printkit.recipes.league.league_file import FILE, MOST_GAMES, League, LeagueGame, folder_name, record_name
from printkit.recipes.league.league_results import played_pairs
from printkit.recipes.league.round_robin import next_round
from printkit.recipes.output.files import FileContent
from printkit.recipes.output.printers import PrintContext
from printkit.terrain.field.record import Record


def remove_pieces(box: PieceBox, fit: FieldFit) -> PieceBox:
    """Return the pieces of a box that remain after a battlefield has been built from it.

    They keep their numbers; an entry without pieces left stays with the number 0. The box itself does not change.
    """
    used_numbers = {use.number for use in fit.match.uses}
    pieces = []
    for piece, first in zip(box.pieces, box.first_numbers, strict=True):
        # Pieces of an entry are used from its first number on.
        used_count = len(used_numbers.intersection(range(first, first + piece.number)))
        pieces.append(replace(piece, number=piece.number - used_count, first=first + used_count))
    return replace(box, pieces=tuple(pieces))


def share(box: PieceBox, records: Iterable[Record], tables: int) -> tuple[tuple[FieldFit, ...], PieceBox]:
    """Return a battlefield for each table that the box builds all at once, and the remaining pieces.

    Each table in turn takes the battlefield with nothing missing, the best score and the most pieces used. Pieces can
    still be missing in the result.

    Args:
        box: the pieces for all tables; it does not change.
        records: the battlefields to choose from, at least one for each table.
        tables: the number of tables.
    """
    fits: list[FieldFit] = []
    candidates, left = list(records), box
    for _ in range(tables):
        # The score comes before the number of pieces: otherwise the first tables would take nearly the whole box.
        best = max(
            (fit_record(record, left) for record in candidates),
            key=lambda fit: (not fit.match.missing_pieces, fit.score, fit.piece_count),
        )
        fits.append(best)
        candidates.remove(best.record)
        left = remove_pieces(left, best)
    return tuple(fits), left


def shared_games(
    system: RuleSystem, games: Sequence[GeneratedGame], words: Words, box: PieceBox, tables: int
) -> Iterator[GeneratedGame]:
    """Yield a game for each table of a round whose tables share a terrain box.

    Args:
        system: the rule system.
        games: the games to choose from, at least one for each table.
        words: the texts of the language.
        box: the pieces for all tables.
        tables: the number of tables.

    Raises:
        UsageError: there are enough pieces for one table but not for all.
        PrintkitError: a game cannot be generated.
    """
    fits, _ = share(box, (game.record for game in games), tables)
    table, lacking = next(((table, fit) for table, fit in enumerate(fits, 1) if fit.match.missing_pieces), (0, fits[0]))
    # If even the first table lacks something, fewer tables would not help, and the sheets list it.
    if table > 1:
        raise UsageError(
            "Table {table} needs more pieces: {pieces}. Use --tables {count}, or add these pieces to the box file.",
            table=table,
            pieces=missing_text(lacking.match, words),
            count=table - 1,
        )
    by_seed = {game.record.seed: game for game in games}
    for fit in fits:
        yield fit_to_box(system, by_seed[fit.record.seed], fit.match.box, words, can_reroll=False)


class FetchList(Struct, frozen=True, kw_only=True):
    """A kind of piece of a shared box: its name, the numbers to fetch for each table, and how many remain."""

    piece: str
    tables: tuple[tuple[int, ...], ...]
    left: int


def fetch_lists(records: Sequence[Record], words: Words) -> tuple[FetchList, ...]:
    """Return a row for each piece that a table of a round needs; empty if the tables do not share a box.

    Args:
        records: the battlefields of a round, in the order of its tables.
        words: the texts of the language.
    """
    matches = [match for record in records if (match := match_record(record)) is not None]
    if len(matches) < len(records):
        return ()
    box, rows = matches[0].box, []
    for piece, first in zip(box.pieces, box.first_numbers, strict=True):
        numbers = range(first, first + piece.number)
        tables = tuple(tuple(sorted({use.number for use in match.uses} & {*numbers})) for match in matches)
        if any(tables):
            left = piece.number - sum(map(len, tables))
            rows.append(FetchList(piece=piece_name(piece, words), tables=tables, left=left))
    return tuple(rows)


def fetch_lines(records: Sequence[Record], words: Words) -> Iterator[Sentence]:
    """Yield a line for the terminal for each table that shares a box: the pieces to fetch, with their numbers.

    Tables are numbered from 1. There are no lines if the tables do not share a box.
    """
    rows = fetch_lists(records, words)
    for table in range(len(records) if rows else 0):
        pieces = [
            words("box.numbered", piece=row.piece, numbers=number_ranges(row.tables[table]))
            for row in rows
            if row.tables[table]
        ]
        yield Sentence("  table {table} needs {pieces}", table=table + 1, pieces="; ".join(pieces))


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
    try:
        return game_night_context(replace(options, sheet=sheet, style=style), words)
    except UsageError as error:
        if file is None:
            raise
        raise member_error(str(file), read_text(file), ("print",), error.sentence) from None


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
    for number in numbers:
        path = folder / record_name(number)
        if not is_file(path):
            raise ResourceError("the record of game {number} is missing: {path}", number=number, path=path)
        yield read_record_file(resolve_sibling(folder / FILE, record_name(number), key="record"))[1]
