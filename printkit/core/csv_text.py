"""CSV tables for spreadsheets; no text in them can become a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Final

# A spreadsheet runs a cell that starts with one of these, or strips it and runs the rest.
_RUN: Final = ("=", "+", "-", "@", "\t", "\r")
_APOSTROPHE: Final = "'"


def csv_text(rows: Iterable[Iterable[object]], separator: str = ",") -> str:
    """Return rows as CSV text with one line for each row, each with a line feed at its end.

    A text that a spreadsheet would run as a formula gets an apostrophe in front; numbers do not change. Without rows
    the text is empty. ``separator`` is the character between two cells.
    """
    return "".join(f"{_line(row, separator)}\n" for row in rows)


def _line(row: Iterable[object], separator: str) -> str:
    """Return one row as a line of CSV without a line end.

    A text that a spreadsheet would run as a formula gets an apostrophe before it.
    """
    line = io.StringIO()
    cells = [
        f"{_APOSTROPHE}{value}" if isinstance(value, str) and value.lstrip(_APOSTROPHE).startswith(_RUN) else value
        for value in row
    ]
    # With this terminator csv quotes both characters in a cell; with "\n" alone it would not quote "\r".
    csv.writer(line, delimiter=separator, lineterminator="\r\n").writerow(cells)
    return line.getvalue().removesuffix("\r\n")


def plain_cell(cell: str) -> str:
    """Return the text of a cell without the apostrophe that ``csv_text`` adds; any other cell unchanged."""
    bare = cell.removeprefix(_APOSTROPHE)
    return bare if bare != cell and bare.lstrip(_APOSTROPHE).startswith(_RUN) else cell
