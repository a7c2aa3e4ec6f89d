"""The pages of the bound log and of the strip of bounds rolled before the game (S2, S3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Item, Rect
from printkit.drawing.forms.form_parts import (
    DrawnCell,
    FormCell,
    FormColumn,
    Marks,
    TickState,
    draw_cell_text,
    draw_form_table,
)
from printkit.systems.solo.armies.composition_text import format_signed
from printkit.systems.solo.armies.steps import Mode
from printkit.systems.solo.cards.sheet_values import BOUND_COUNT, SheetCase, roll_bounds
from printkit.systems.solo.cards.tables import lost_rules
from printkit.systems.solo.sheets.paper import HEAD, SheetPaper
from printkit.systems.solo.sheets.stance_marks import stance_mark
from printkit.systems.solo.tactics.battle_log import BoundEntry
from printkit.systems.solo.tactics.bounds import winner
from printkit.systems.solo.tactics.tactics_tables import Stance

# Minimum height of a row of the log, in mm.
LEAST_ROW: Final = 8.0

_HINT: Final = 9.0
_FLAP: Final = 9.0
_OVER: Final = 11.0
_LOG_HEAD: Final = 7.0
_STRIP_HEAD: Final = 6.0
_MARK: Final = (6.2, 7.4)
_LARGE_MARK: Final = (8.0, 9.4)
_ORDER: Final = (Stance.DEFENSIVE, Stance.CAUTIOUS, Stance.AGGRESSIVE)
_LOG: Final = {
    "number": 0.75, "pips": 0.75, "die": 0.75, "net": 0.75, "total": 0.8, "stance": 1.9, "override": 1.3,
    "moves": 5.0, "npg-lost": 0.8, "you-lost": 0.8,
}  # fmt: skip
_LARGE_LOG: Final = {
    "number": 1.0, "pips": 0.8, "die": 0.95, "net": 1.05, "total": 0.95, "stance": 1.9, "override": 1.75,
    "moves": 2.6, "npg-lost": 1.3, "you-lost": 1.35,
}  # fmt: skip


def log_items(case: SheetCase, paper: SheetPaper, bounds: range = range(1, BOUND_COUNT + 1)) -> Iterator[Item]:
    """Yield the bound log: a row for each of ``bounds``. Bounds already played are filled in.

    Raises:
        PageError: the rows would be less than 8 mm high.
    """
    room = paper.room
    yield from paper.head(paper.say("log"), case.title)
    high = paper.high(_HINT)
    hint = Rect(-0.9, room.top - HEAD - high, room.width + 1.8, high)
    yield from draw_cell_text(paper.say("bound.hint", **_numbers_of(paper)), hint, paper.drafter, size_pt=8.0)
    over = paper.high(_OVER)
    foot = Rect(-0.9, 0.0, room.width + 1.8, over)
    yield from draw_cell_text(_over(case, paper), foot, paper.drafter, size_pt=8.0)
    place = Rect(0.0, over, room.width, hint.y - 0.5 - over)
    head = paper.high(_LOG_HEAD)
    _high_enough((place.height - head) / len(bounds), paper)
    columns = [
        FormColumn(share, paper.say(f"bound.{name}"), middle=name != "moves", strong=name == "number")
        for name, share in (_LARGE_LOG if paper.large else _LOG).items()
    ]
    played = case.rolls.bounds if case.mode is Mode.ROLLED else ()
    rows = [_row(number, played[number - 1] if number <= len(played) else None, paper) for number in bounds]
    yield from draw_form_table(columns, rows, place, paper.drafter, head=head)


def _over(case: SheetCase, paper: SheetPaper) -> str:
    """Return which losses count and when the game ends; after its end, the winner (AMB-43)."""
    played = case.rolls.bounds if case.mode is Mode.ROLLED else ()
    if played and (found := winner(played[-1].losses, paper.rules)):
        lost = played[-1].losses
        return paper.words(f"npg.battle.end.{found}", npg=lost.npg, you=lost.you)
    return " ".join(lost_rules(paper.text)).replace("**", "")


def strip_items(seed: int, paper: SheetPaper, *, title: str = "") -> Iterator[Item]:
    """Yield 24 bounds rolled from a seed, one row each.

    A row has the PIPs, the stance at each NET, and whether an override passes.

    Raises:
        PageError: the paper is too small.
    """
    room, text = paper.room, paper.text
    yield from paper.head(paper.say("strip"), title)
    high = paper.high(_FLAP)
    said = Rect(-0.9, room.top - HEAD - high, room.width + 1.8, high)
    yield from draw_cell_text(
        f"{paper.say('bound.seed', seed=seed)}. {paper.say('bound.flap')}", said, paper.drafter, size_pt=8.0
    )  # fmt: skip
    place = Rect(0.0, 0.0, room.width, said.y - 0.5)
    _high_enough((place.height - _STRIP_HEAD) / BOUND_COUNT, paper)
    columns = [
        FormColumn(1.2, paper.say("bound.number"), middle=True),
        FormColumn(1.1, paper.say("bound.pips"), middle=True, strong=True),
    ]
    columns += [FormColumn(1.0, text.format_signed(net), middle=True) for net in text.tactics.nets()]
    columns.append(FormColumn(2.2, paper.say("bound.override"), middle=True, strong=True))
    rows: list[tuple[FormCell, ...]] = []
    for bound in roll_bounds(seed, paper.rules):
        marks = (_mark(stance, paper) for stance in bound.strip)
        rows.append(
            (str(bound.number), str(bound.pips), *marks, paper.say("bound.yes" if bound.is_free else "bound.no"))
        )
    yield from draw_form_table(columns, rows, place, paper.drafter, head=_STRIP_HEAD)


def _numbers_of(paper: SheetPaper) -> dict[str, str]:
    """Return the totals of each stance, and the modifiers of 1 and 6 PIPs, for the hint."""
    text, tactics = paper.text, paper.text.tactics
    spans = {f"{row.outcome}_at": text.format_span(row.span) for row in tactics.stance.rows}
    return {**spans, "low": text.format_signed(tactics.base(1, 0)), "high": text.format_signed(tactics.base(6, 0))}


def _high_enough(row: float, paper: SheetPaper) -> None:
    if row < LEAST_ROW:
        raise PageError(
            "rows of {row:.1f} mm are too low to write in; {own} is too short for {bounds} bounds",
            row=row,
            own=paper.own.name,
            bounds=BOUND_COUNT,
        )


def _row(number: int, played: BoundEntry | None, paper: SheetPaper) -> tuple[FormCell, ...]:
    letters = tuple(paper.text(f"letter.{stance}") for stance in _ORDER)
    states: list[TickState] = ["on" if played and stance == played.stance else "empty" for stance in _ORDER]
    rings = Marks(tuple(states), letters, rings=True)
    if played is None:
        return (str(number), "", "", "", "", rings, "", "", "", "")
    total = paper.text.tactics.base(played.pips, played.die) + played.net
    return (
        *(str(number), str(played.pips), str(played.die), format_signed(played.net), str(total).replace("-", "−")),
        rings,
        paper.words(f"npg.battle.result.override.{played.override}") if played.override else "",
        "",
        str(played.npg_lost),
        str(played.you_lost),
    )


def _mark(stance: Stance, paper: SheetPaper) -> DrawnCell:
    """Return a cell with the mark of a stance."""
    letter, ink = paper.text(f"letter.{stance}"), paper.style.solid("ink")

    def draw(place: Rect) -> Iterator[Item]:
        middle = (place.x + place.width / 2, place.y + place.height / 2)
        size = _LARGE_MARK if paper.large else _MARK
        yield from stance_mark(stance.value, letter, middle, *size, ink=ink, least_pt=paper.style.least_pt)

    return DrawnCell(draw)
