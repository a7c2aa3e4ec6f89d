"""The rows of the tracker: what is known of each bound, and what the rules say of it beforehand (CC-A06, CC-K)."""

from __future__ import annotations

from typing import Final

from printkit.core.words import Words
from printkit.systems.collision.march.duties import Landing, Where
from printkit.systems.collision.march.entry import Flag, Step, Target
from printkit.systems.collision.march.side_facts import SideFacts
from printkit.systems.collision.sheets.forms import Cell, Ledger, Shade

BOUNDS: Final = 20
"""Rows of a tracker (CC-A06)."""

_SHARES: Final = (1.0, 0.9, 1.7, 0.9, 0.9, 0.9, 0.9, 0.9, 1.0, 1.0, 1.0, 1.0)
_SECOND: Final = 2
_STATES: Final = (Where.PARTLY, Where.ON)
_ALL: Final = (Where.OFF, Where.PARTLY, Where.ON)
_CLOSED: Final = Cell(shade=Shade.CLOSED)
_OPEN: Final = Cell()


def tracker_ledger(side: SideFacts, words: Words) -> Ledger:
    """Return the twenty bounds of a side.

    Without a log the boxes are empty; in the first bound column 2 is half on and column 3 off, and nothing but a
    landing brings column 3 on (CC-K01). With a log its bounds are filled in, boxes that had to be are framed.
    """
    lands = side.army is None or side.army.landing > 0
    played = {step.bound.number: step for step in side.steps}
    rows = tuple(
        _played(played[number], words) if number in played else _open(number, lands=lands)
        for number in range(1, BOUNDS + 1)
    )
    short = words.each()

    def name(key: str) -> str:
        return "\n".join(dict.fromkeys(one(f"columns.track.{key}") for one in short))

    names = (
        *(name("bound"), name("pips"), name("flag")),
        *(name(f"tick-{state.value}") for state in (*_STATES, *_ALL)),
        *(name("spent-2"), name("spent-3"), name("spent-baggage"), name("left")),
    )
    groups = (
        ("", 3),
        (" / ".join(dict.fromkeys(one("columns.track.state", n=2) for one in short)), len(_STATES)),
        (" / ".join(dict.fromkeys(one("columns.track.state", n=3) for one in short)), len(_ALL)),
        (name("spent").replace("\n", " / "), 4),
    )
    return Ledger(names=names, shares=_SHARES, groups=groups, rows=rows)


def _open(number: int, *, lands: bool) -> tuple[Cell, ...]:
    """Return a bound that is still to come."""
    if number == 1:
        return (
            *(Cell(str(number), strong=True), _OPEN, _OPEN),
            *(Cell(ticked=True), _CLOSED),
            *(Cell(ticked=True), _CLOSED, _CLOSED),
            *(_OPEN, _OPEN if lands else _CLOSED, _OPEN, _OPEN),
        )
    tick = Cell(ticked=False)
    # When the second bound begins, column 3 can have done nothing but land.
    third = (tick, _CLOSED, tick if lands else _CLOSED) if number == _SECOND else (tick, tick, tick)
    return (Cell(str(number), strong=True), _OPEN, _OPEN, tick, tick, *third, *(_OPEN,) * 4)


def _played(step: Step, words: Words) -> tuple[Cell, ...]:
    """Return a bound of the log; what the score obliged to is framed."""
    before = step.before
    first = before.bound == 1
    landing = step.pips.get(Target.LANDING, 0)
    # The box holds one word; the sign for the entry point is told in full below, in each language.
    flag = Cell(
        words.each()[0](f"columns.track.flag-{step.flag.value}"), Shade.OPEN if step.flag is Flag.NORMAL else Shade.OWED
    )
    second = step.pips.get(Target.COLUMN_2, 0)
    third = step.pips.get(Target.COLUMN_3, 0) + landing
    started = step.committed > step.duty.least or step.duty.must == "enter" or step.duty.must == "move-3"
    closed = first and before.landing is not Landing.PLANNED and not third
    return (
        *(Cell(str(before.bound), strong=True), Cell(str(step.bound.score)), flag),
        *(Cell(ticked=before.second is state) for state in _STATES),
        *(Cell(ticked=before.third is state) for state in _ALL),
        Cell(_number(second), Shade.OWED if step.duty.must.startswith("move-2") else Shade.OPEN),
        Cell(_number(third), Shade.CLOSED if closed else Shade.OWED if started else Shade.OPEN),
        Cell(_number(step.pips.get(Target.BAGGAGE, 0))),
        Cell(str(step.left).replace("-", "−")),
    )


def _number(pips: int) -> str:
    return str(pips) if pips else ""
