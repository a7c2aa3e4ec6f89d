"""A stock from a spreadsheet: CSV with a row for each piece, its head in English or Spanish (HX-05, HX-32)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Final

from printkit.core.csv_text import csv_text, plain_cell
from printkit.core.errors import BookError, Sentence
from printkit.core.numbers import parse_int
from printkit.core.resources import template
from printkit.hexon.layout.stock import Stock, is_piece, unknown_piece

_PIECE, _OWN, _CODE, _PACK = "piece", "own", "code", "pack"

# The separators of columns; if the head has several, the first of these.
_SEPARATORS: Final = ";,\t"


def stock_of_rows(name: str, text: str) -> Stock:
    """Return the stock of a spreadsheet.

    The first row names the columns: the piece, the number of pieces and, if there are any, product codes and the pieces
    of a packet; other columns are ignored. A count may be written 12, 12.0 or 12,0; an empty one is left out.

    Args:
        name: the name of the file, for errors.
        text: its text; semicolons, commas or tabs separate the columns.

    Raises:
        BookError: a column is missing, a piece is unknown or listed twice, or a count is wrong; names row and column.
    """
    own: dict[str, int] = {}
    codes: dict[str, str] = {}
    packs: dict[str, int] = {}
    row_numbers: dict[str, int] = {}
    for number, cells in _rows(name, text):
        piece = cells.get(_PIECE, "")
        if not piece:
            continue
        if not is_piece(piece):
            raise BookError("{name}: row {number}: {reason}", name=name, number=number, reason=unknown_piece(piece))
        if piece in row_numbers:
            raise BookError(
                "{name}: row {number}: {piece} is already in row {first}; add them up in one row",
                name=name,
                number=number,
                piece=piece,
                first=row_numbers[piece],
            )
        row_numbers[piece] = number
        for column, counts, minimum in ((_OWN, own, 0), (_PACK, packs, 1)):
            if cells.get(column):
                place = Sentence("{name}: row {number}, {column}", name=name, number=number, column=column)
                counts[piece] = _count(cells[column], place, minimum)
        if cells.get(_CODE):
            codes[piece] = cells[_CODE]
    return Stock(own=own, codes=codes, packs=packs)


def _rows(name: str, text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number of each row below the head, and its cells by the name of the column."""
    text = text.removeprefix("\ufeff")
    head = next((line for line in text.splitlines() if line.strip()), "")
    separator = next((each for each in _SEPARATORS if each in head), ",")
    rows = [
        (number, [plain_cell(cell.strip()) for cell in row])
        for number, row in enumerate(csv.reader(io.StringIO(text), delimiter=separator), 1)
        if any(cell.strip() for cell in row)
    ]
    columns = [_column(cell) for cell in rows[0][1]] if rows else []
    for column in (_PIECE, _OWN):
        if column not in columns:
            headings = template("hexon", "columns")[column]
            raise BookError(
                "{name}: the first row has no column {lacks}; it needs one of {known}",
                name=name,
                lacks=column,
                known=", ".join(headings),
            )
    for number, cells in rows[1:]:
        yield number, {column: cell for column, cell in zip(columns, cells, strict=False) if column}


def _column(head: str) -> str:
    names: Mapping[str, list[str]] = template("hexon", "columns")
    return next((column for column, headings in names.items() if head.lower().rstrip(":") in headings), "")


def _count(text: str, place: str, minimum: int) -> int:
    whole, _, rest = text.replace(",", ".").partition(".")
    count = parse_int(whole)
    if count is None or rest.strip("0") or count < minimum:
        raise BookError(
            "{place}: {text!r} is not a count; write a whole number of at least {least}",
            place=place,
            text=text,
            least=minimum,
        )
    return count


def with_rows(text: str, answers: Mapping[str, int]) -> str:
    """Return a spreadsheet with a row more for each piece of ``answers``, counts by the names of pieces."""
    head = next((line for line in text.removeprefix("\ufeff").splitlines() if line.strip()), "")
    separator = next((each for each in _SEPARATORS if each in head), ",")
    columns = [_column(cell.strip()) for cell in head.split(separator)]
    rows = [[{_PIECE: name, _OWN: str(count)}.get(column, "") for column in columns] for name, count in answers.items()]
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{text}{end}{csv_text(rows, separator)}"
