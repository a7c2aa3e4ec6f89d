"""The pages of the bound log and of the strip of bounds rolled before the game (S2, S3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Item, Rect
from printkit.drawing.text.form_parts import (
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
from printkit.systems.solo.sheets.paper import HEADING_MM, SheetPaper
from printkit.systems.solo.sheets.stance_marks import draw_stance_mark
from printkit.systems.solo.tactics.battle_log import BoundEntry
from printkit.systems.solo.tactics.bounds import winner
from printkit.systems.solo.tactics.tactics_tables import Stance

# Minimum height of a row of the log, in mm.
LEAST_ROW_MM: Final = 8.0

_HINT_MM: Final = 9.0
_FLAP_MM: Final = 9.0
_END_MM: Final = 11.0
_LOG_HEADING_MM: Final = 7.0
_STRIP_HEADING_MM: Final = 6.0
_MARK: Final = (6.2, 7.4)
_LARGE_MARK: Final = (8.0, 9.4)
_ORDER: Final = (Stance.DEFENSIVE, Stance.CAUTIOUS, Stance.AGGRESSIVE)
_LOG_SHARES: Final = {
    "number": 0.75, "pips": 0.75, "die": 0.75, "net": 0.75, "total": 0.8, "stance": 1.9, "override": 1.3,
    "moves": 5.0, "npg-lost": 0.8, "you-lost": 0.8,
}  # fmt: skip
_LARGE_LOG_SHARES: Final = {
    "number": 1.0, "pips": 0.8, "die": 0.95, "net": 1.05, "total": 0.95, "stance": 1.9, "override": 1.75,
    "moves": 2.6, "npg-lost": 1.3, "you-lost": 1.35,
}  # fmt: skip


def draw_bound_log(case: SheetCase, paper: SheetPaper, bounds: range = range(1, BOUND_COUNT + 1)) -> Iterator[Item]:
    """Yield the bound log: a row for each of ``bounds``. Bounds already played are filled in.

    Raises:
        PageError: the rows would be less than 8 mm high on paper.
    """
    area = paper.area
    yield from paper.draw_heading(paper.get_text("log"), case.title)
    hint_mm = paper.scale_height(_HINT_MM)
    hint_area = Rect(-0.9, area.top - HEADING_MM - hint_mm, area.width + 1.8, hint_mm)
    # The totals of each stance, and the modifiers of 1 and 6 PIPs.
    text, tactics = paper.text, paper.text.tactics
    hint_numbers = {
        **{f"{row.outcome}_at": text.format_span(row.span) for row in tactics.stance.rows},
        "low": text.format_signed(tactics.base(1, 0)),
        "high": text.format_signed(tactics.base(6, 0)),
    }
    yield from draw_cell_text(paper.get_text("bound.hint", **hint_numbers), hint_area, paper.drafter, size_pt=8.0)
    end_mm = paper.scale_height(_END_MM)
    end_area = Rect(-0.9, 0.0, area.width + 1.8, end_mm)
    yield from draw_cell_text(_describe_end(case, paper), end_area, paper.drafter, size_pt=8.0)
    place = Rect(0.0, end_mm, area.width, hint_area.y - 0.5 - end_mm)
    heading_mm = paper.scale_height(_LOG_HEADING_MM)
    _check_row_height((place.height - heading_mm) / len(bounds), paper)
    columns = [
        FormColumn(share, paper.get_text(f"bound.{name}"), middle=name != "moves", strong=name == "number")
        for name, share in (_LARGE_LOG_SHARES if paper.is_large_print else _LOG_SHARES).items()
    ]
    played_bounds = case.rolls.bounds if case.mode is Mode.ROLLED else ()
    rows = [
        _make_row(number, played_bounds[number - 1] if number <= len(played_bounds) else None, paper)
        for number in bounds
    ]
    yield from draw_form_table(columns, rows, place, paper.drafter, head=heading_mm)


def _describe_end(case: SheetCase, paper: SheetPaper) -> str:
    """Return which losses count and when the game ends; after its end, the winner (AMB-43)."""
    played_bounds = case.rolls.bounds if case.mode is Mode.ROLLED else ()
    if played_bounds and (winning_side := winner(played_bounds[-1].losses, paper.rules)):
        losses = played_bounds[-1].losses
        return paper.words(f"npg.battle.end.{winning_side}", npg=losses.npg, you=losses.you)
    return " ".join(lost_rules(paper.text)).replace("**", "")


def draw_bound_strip(seed: int, paper: SheetPaper, *, title: str = "") -> Iterator[Item]:
    """Yield a table of 24 bounds rolled from a seed, one row each.

    A row has the PIPs, the stance at each NET, and whether an override passes. ``title`` is that of the battle, next to
    the heading. Items are in mm on paper, from the lower left corner of ``paper.area``.

    Raises:
        PageError: the paper is too small.
    """
    area, text = paper.area, paper.text
    yield from paper.draw_heading(paper.get_text("strip"), title)
    flap_mm = paper.scale_height(_FLAP_MM)
    flap_area = Rect(-0.9, area.top - HEADING_MM - flap_mm, area.width + 1.8, flap_mm)
    flap_text = f"{paper.get_text('bound.seed', seed=seed)}. {paper.get_text('bound.flap')}"
    yield from draw_cell_text(flap_text, flap_area, paper.drafter, size_pt=8.0)
    place = Rect(0.0, 0.0, area.width, flap_area.y - 0.5)
    _check_row_height((place.height - _STRIP_HEADING_MM) / BOUND_COUNT, paper)
    columns = [
        FormColumn(1.2, paper.get_text("bound.number"), middle=True),
        FormColumn(1.1, paper.get_text("bound.pips"), middle=True, strong=True),
    ]
    columns += [FormColumn(1.0, text.format_signed(net), middle=True) for net in text.tactics.nets()]
    columns.append(FormColumn(2.2, paper.get_text("bound.override"), middle=True, strong=True))
    rows: list[tuple[FormCell, ...]] = []
    for bound in roll_bounds(seed, paper.rules):
        marks = (_make_mark_cell(stance, paper) for stance in bound.strip)
        rows.append(
            (str(bound.number), str(bound.pips), *marks, paper.get_text("bound.yes" if bound.is_free else "bound.no"))
        )
    yield from draw_form_table(columns, rows, place, paper.drafter, head=_STRIP_HEADING_MM)


def _check_row_height(row_mm: float, paper: SheetPaper) -> None:
    """Check that rows of ``row_mm`` mm on paper are high enough to write in.

    Raises:
        PageError: they are lower than 8 mm.
    """
    if row_mm < LEAST_ROW_MM:
        raise PageError(
            "rows of {row:.1f} mm are too low to write in; {own} is too short for {bounds} bounds",
            row=row_mm,
            own=paper.portrait_sheet.name,
            bounds=BOUND_COUNT,
        )


def _make_row(number: int, entry: BoundEntry | None, paper: SheetPaper) -> tuple[FormCell, ...]:
    """Return the cells of bound ``number`` (from 1) in the log; without an entry, boxes to fill in.

    They are number, PIPs, die, NET, total, stance, override, an empty cell, and the losses of both sides.
    """
    letters = tuple(paper.text(f"letter.{stance}") for stance in _ORDER)
    states: list[TickState] = ["on" if entry and stance == entry.stance else "empty" for stance in _ORDER]
    rings = Marks(tuple(states), letters, rings=True)
    if entry is None:
        return (str(number), "", "", "", "", rings, "", "", "", "")
    total = paper.text.tactics.base(entry.pips, entry.die) + entry.net
    return (
        *(str(number), str(entry.pips), str(entry.die), format_signed(entry.net), str(total).replace("-", "−")),
        rings,
        paper.words(f"npg.battle.result.override.{entry.override}") if entry.override else "",
        "",
        str(entry.npg_lost),
        str(entry.you_lost),
    )


def _make_mark_cell(stance: Stance, paper: SheetPaper) -> DrawnCell:
    """Return a cell with the mark of a stance."""
    letter, ink = paper.text(f"letter.{stance}"), paper.style.solid("ink")

    def draw(place: Rect) -> Iterator[Item]:
        """Yield the mark in the middle of a place in mm on paper."""
        middle = (place.x + place.width / 2, place.y + place.height / 2)
        size = _LARGE_MARK if paper.is_large_print else _MARK
        yield from draw_stance_mark(stance.value, letter, middle, *size, ink=ink, least_pt=paper.style.least_pt)

    return DrawnCell(draw)
