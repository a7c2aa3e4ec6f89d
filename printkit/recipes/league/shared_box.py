"""One terrain box for all tables of a round: the battlefield of each table, and the pieces to fetch for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import Sentence, UsageError
from printkit.core.words import Words
from printkit.kit.system import RuleSystem
from printkit.recipes.box.box_fit import FieldFit, fit_record
from printkit.recipes.box.box_list import missing_text, number_ranges, piece_name
from printkit.recipes.box.piece_box import PieceBox
from printkit.recipes.box.refit import fit_to_box, match_record
from printkit.recipes.game.games import GeneratedGame
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
