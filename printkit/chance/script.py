"""The dice log as text: one line a throw, and the plain lists of scores that people type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from printkit.chance.dice import Throw, split_scores
from printkit.core.errors import DiceError

_HEAD = "# stage | reason | asked | answer | clause"


def write_log(log: Iterable[Throw]) -> str:
    """Return the log as text that ``read_log`` reads back."""
    lines = [" | ".join((t.stage, t.reason, t.asked, t.answer, t.clause)).rstrip(" |") for t in log]
    return "\n".join([_HEAD, *lines]) + "\n"


def is_log(text: str) -> bool:
    """Return whether the text is a log rather than a plain list of scores."""
    return " | " in text


def read_log(text: str) -> tuple[Throw, ...]:
    """Return the throws of a log.

    Raises:
        DiceError: a line lacks a part; names the line.
    """
    throws = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|")]
        if len(parts) < 4:
            raise DiceError(
                "line {number} of the log has {count} parts; stage | reason | asked | answer are needed",
                number=number,
                count=len(parts),
            )
        stage, reason, asked, answer = parts[:4]
        throws.append(
            Throw(stage=stage, reason=reason, asked=asked, answer=answer, clause=parts[4] if len(parts) > 4 else "")
        )
    return tuple(throws)


def read_scores(text: str) -> Sequence[str]:
    """Return the scores and cards of a list such as ``5 3, 2 KS 10h``: in capitals, comments after ``#`` dropped."""
    return split_scores(re.sub(r"#.*", " ", text))
