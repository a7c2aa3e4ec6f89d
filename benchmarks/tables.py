"""Markdown: tables with a head, names on the left and figures on the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[object]], *, left: int = 1) -> str:
    """Return a table; the first ``left`` columns are names, the others figures.

    Raises:
        ValueError: a row has more or fewer columns than the head.
    """
    lines = [_line(head), _line("---" if place < left else "---:" for place in range(len(head)))]
    for row in rows:
        if len(row) != len(head):
            raise ValueError(f"a row of {len(row)} in a table of {len(head)} columns: {row}")
        lines.append(_line(str(cell).replace("|", "\\|").replace("\n", " ") for cell in row))
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
