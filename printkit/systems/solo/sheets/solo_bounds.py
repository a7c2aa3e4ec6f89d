"""The bound log, and the strip of bounds rolled before the game, on paper (S2, S3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Item, Rect
from printkit.drawing.forms.form_table import Cell, Column, Drawn, Marks, State, cell_text, form_table
from printkit.systems.solo.cards.sheet_bounds import rolled_bounds
from printkit.systems.solo.cards.sheet_values import BOUNDS, BoundLine, Mode, SheetCase
from printkit.systems.solo.sheets.paper import HEAD, Paper
from printkit.systems.solo.sheets.stance_marks import stance_mark
from printkit.systems.solo.tactics.tactics_tables import Stance

LEAST_ROW: Final = 8.0
"""The least height of a row of the log, in mm."""

_HINT: Final = 9.0
_FLAP: Final = 9.0
_LOG_HEAD: Final = 7.0
_STRIP_HEAD: Final = 6.0
_MARK: Final = (6.2, 7.4)
_ORDER: Final = (Stance.DEFENSIVE, Stance.CAUTIOUS, Stance.AGGRESSIVE)
_LOG: Final = {
    "number": 0.75, "pips": 0.75, "die": 0.75, "net": 0.75, "total": 0.8, "stance": 1.9, "override": 1.3,
    "moves": 5.0, "npg-lost": 0.8, "you-lost": 0.8,
}  # fmt: skip


def log_items(case: SheetCase, paper: Paper) -> Iterator[Item]:
    """Yield the bound log: 24 rows, those that were played filled in.

    Raises:
        PageError: the paper leaves rows less than 8 mm.
    """
    room = paper.room
    yield from paper.head(paper.say("log"), case.title)
    hint = Rect(-0.9, room.top - HEAD - _HINT, room.width + 1.8, _HINT)
    yield from cell_text(paper.say("bound.hint", **_numbers_of(paper)), hint, paper.desk, size_pt=8.0)
    place = Rect(0.0, 0.0, room.width, hint.y - 0.5)
    _high_enough((place.height - _LOG_HEAD) / BOUNDS, paper)
    columns = [
        Column(share, paper.say(f"bound.{name}"), middle=name != "moves", strong=name == "number")
        for name, share in _LOG.items()
    ]
    played = case.thrown.bounds if case.mode is Mode.ROLLED else ()
    rows = [_row(number, played[number - 1] if number <= len(played) else None, paper) for number in _numbers()]
    yield from form_table(columns, rows, place, paper.desk, head=_LOG_HEAD)


def strip_items(seed: int, paper: Paper, *, title: str = "") -> Iterator[Item]:
    """Yield 24 bounds rolled from a seed, a line each: PIPs, the stance at every NET, whether an override passes.

    Raises:
        PageError: the paper is too small.
    """
    room, text = paper.room, paper.text
    yield from paper.head(paper.say("strip"), title)
    said = Rect(-0.9, room.top - HEAD - _FLAP, room.width + 1.8, _FLAP)
    yield from cell_text(
        f"{paper.say('bound.seed', seed=seed)}. {paper.say('bound.flap')}", said, paper.desk, size_pt=8.0
    )  # fmt: skip
    place = Rect(0.0, 0.0, room.width, said.y - 0.5)
    _high_enough((place.height - _STRIP_HEAD) / BOUNDS, paper)
    columns = [
        Column(1.2, paper.say("bound.number"), middle=True),
        Column(1.1, paper.say("bound.pips"), middle=True, strong=True),
    ]
    columns += [Column(1.0, text.signed(net), middle=True) for net in text.tactics.nets()]
    columns.append(Column(2.2, paper.say("bound.override"), middle=True, strong=True))
    rows: list[tuple[Cell, ...]] = []
    for bound in rolled_bounds(seed):
        marks = (_mark(stance, paper) for stance in bound.strip)
        rows.append((str(bound.number), str(bound.pips), *marks, paper.say("bound.yes" if bound.free else "bound.no")))
    yield from form_table(columns, rows, place, paper.desk, head=_STRIP_HEAD)


def _numbers_of(paper: Paper) -> dict[str, str]:
    """Return the numbers by which a stance total is made and read."""
    text, tactics = paper.text, paper.text.tactics
    spans = {f"{row.outcome}_at": text.span(row.span) for row in tactics.stance.rows}
    return {**spans, "low": text.signed(tactics.base(1, 0)), "high": text.signed(tactics.base(6, 0))}


def _numbers() -> range:
    return range(1, BOUNDS + 1)


def _high_enough(row: float, paper: Paper) -> None:
    if row < LEAST_ROW:
        raise PageError(
            "rows of {row:.1f} mm are too low to write into; {own} is too short for {bounds}",
            row=row,
            own=paper.own.name,
            bounds=BOUNDS,
        )


def _row(number: int, played: BoundLine | None, paper: Paper) -> tuple[Cell, ...]:
    letters = tuple(paper.text(f"letter.{stance}") for stance in _ORDER)
    if played is None:
        nothing: State = "empty"
        rings = Marks((nothing,) * len(letters), letters, rings=True)
        return (str(number), "", "", "", "", rings, "", "", "", "")
    states: list[State] = ["on" if stance == played.stance else "empty" for stance in _ORDER]
    return (
        str(number),
        played.pips,
        played.die,
        played.net,
        played.total,
        Marks(tuple(states), letters, rings=True),
        paper.words(f"npg.battle.result.override.{played.override}") if played.override else "",
        "",
        played.npg_lost,
        played.you_lost,
    )


def _mark(stance: Stance, paper: Paper) -> Drawn:
    """Return a cell with the mark of a stance."""
    letter, ink = paper.text(f"letter.{stance}"), paper.style.solid("ink")

    def draw(place: Rect) -> Iterator[Item]:
        middle = (place.x + place.width / 2, place.y + place.height / 2)
        yield from stance_mark(stance.value, letter, middle, *_MARK, ink=ink)

    return Drawn(draw)
