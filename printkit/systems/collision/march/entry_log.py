"""Logs of PIPs as a scenario lists them: a line a bound, ``defender 3 6: column-2 1 on, column-3 4, other 1``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from printkit.core.errors import ScenarioError, Sentence
from printkit.systems.collision.march.columns import Role
from printkit.systems.collision.march.entry import Bound, Spend, Target

_LINE: Final = re.compile(r"(?P<role>[a-z]+)\s+(?P<bound>\d+)\s+(?P<score>[1-6])\s*(?::\s*(?P<spends>.*))?")
_SPEND: Final = re.compile(r"(?P<on>[a-z][a-z0-9-]*)(?:\s+(?P<pips>\d+))?(?P<marks>(?:\s+[a-z-]+)*)")
_MARKS: Final = ("on", "troops-on", "general")
_NO_ROOM: Final = "no-room"
_PRICED: Final = (Target.BAGGAGE, Target.LANDING)
"""What may stand without PIPs, as its price is fixed."""


def read_log(lines: Sequence[str], place: str = "pips") -> dict[Role, tuple[Bound, ...]]:
    """Return the bounds of each side that has any.

    Args:
        lines: side, bound and score of the PIP die, a colon, and what PIPs were spent on, parted by commas. After the
            PIPs stand ``on`` where the column is wholly on, ``troops-on`` where all but its baggage is, ``general``
            where he came on; ``no-room`` says that column 3 had no room.
        place: what errors call the list.

    Raises:
        ScenarioError: a line cannot be read, or the bounds of a side do not count from 1; says which line.
    """
    found: dict[Role, list[Bound]] = {}
    for number, line in enumerate(lines, 1):
        where = Sentence("{place}: line {number} {line!r}", place=place, number=number, line=line)
        match = _LINE.fullmatch(line.strip().lower())
        if match is None or match["role"] not in [each.value for each in Role]:
            raise ScenarioError(
                "{where} is not SIDE BOUND SCORE: SPENDING, as defender 2 5: column-2 1 on, other 4", where=where
            )
        bounds = found.setdefault(Role(match["role"]), [])
        if int(match["bound"]) != len(bounds) + 1:
            raise ScenarioError(
                "{where}: bound {bound} of the {role} comes next",
                where=where,
                bound=len(bounds) + 1,
                role=match["role"],
            )
        bounds.append(_bound(match["spends"] or "", int(match["bound"]), int(match["score"]), where))
    return {role: tuple(bounds) for role, bounds in found.items()}


def _bound(text: str, number: int, score: int, where: str) -> Bound:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    spends = tuple(_spend(part, where) for part in parts if part != _NO_ROOM)
    return Bound(number=number, score=score, spends=spends, room=_NO_ROOM not in parts)


def _spend(text: str, where: str) -> Spend:
    match = _SPEND.fullmatch(text)
    targets = [each.value for each in Target]
    if match is None or match["on"] not in targets:
        raise ScenarioError(
            "{where}: {text!r} is no spending; PIPs go to {targets}, or no-room stands there",
            where=where,
            text=text,
            targets=", ".join(targets),
        )
    on, marks = Target(match["on"]), match["marks"].split()
    for mark in marks:
        if mark not in _MARKS:
            raise ScenarioError(
                "{where}: {mark!r} means nothing here; after the PIPs there may be {marks}",
                where=where,
                mark=mark,
                marks=", ".join(_MARKS),
            )
    if match["pips"] is None and on not in _PRICED:
        raise ScenarioError(
            "{where}: {text!r} has no number of PIPs; write it after {on}", where=where, text=text, on=on.value
        )
    return Spend(
        on=on,
        pips=int(match["pips"] or 0),
        completes="on" in marks,
        troops="troops-on" in marks,
        general="general" in marks,
    )
