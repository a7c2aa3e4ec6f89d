"""The sheet to roll the NPG's army by hand: each choice of its list, then its general (S5, SD-2.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from printkit.drawing.canvas.items import Font, Item, Rect
from printkit.drawing.text.form_parts import FormCell, FormColumn, Marks, draw_cell_text, draw_form_table
from printkit.systems.solo.armies.army import Army, SlotMode
from printkit.systems.solo.armies.army_files import named
from printkit.systems.solo.armies.composition_text import slot_text
from printkit.systems.solo.sheets.paper import HEADING_MM, SheetPaper

_NAME_MM: Final = 9.0
_TEXT_MM: Final = 11.0
_HEADING_MM: Final = 6.0
_GAP_MM: Final = 5.0
_ROW_MM: Final = 9.5
_LEAST_OPTIONS: Final = 3
_BLANK_CHOICES: Final = 10
_BLANK_GENERALS: Final = 4
_EMPTY: Final = Marks(("empty",))


def draw_army_sheet(army: Army | None, paper: SheetPaper) -> Iterator[Item]:
    """Yield the sheet of an army list, or a blank one to fill in.

    Items are in mm on paper, from the lower left corner of ``paper.area``.

    Raises:
        PageError: the paper is too small.
    """
    area, drafter = paper.area, paper.drafter
    yield from paper.draw_heading(paper.get_text("list.title"), "")
    top = area.top - HEADING_MM
    name = "" if army is None else named(army.name, paper.words)
    name_area = Rect(-0.9, top - _NAME_MM, area.width, _NAME_MM)
    yield from draw_cell_text(
        f"{paper.get_text('side.npg')}  {name}", name_area, drafter, size_pt=12.0, font=Font.HEAVY
    )
    top -= _NAME_MM
    fixed_slots = (
        "" if army is None else ", ".join(slot_text(slot, paper.words) for slot in army.slots if not slot.is_open)
    )
    instructions = (
        paper.get_text("list.slots")
        if not fixed_slots
        else f"{paper.get_text('list.fixed', elements=fixed_slots)} {paper.get_text('list.slots')}"
    )
    yield from draw_cell_text(instructions, Rect(-0.9, top - _TEXT_MM, area.width, _TEXT_MM), drafter, size_pt=8.5)
    top -= _TEXT_MM
    choices, generals = _list_choices(army), _list_generals(army)
    option_count = max(_LEAST_OPTIONS, *(len(options) for _, options in choices)) if choices else _LEAST_OPTIONS
    rows = [
        _make_choice_row(number, choice, options, option_count) for number, (choice, options) in enumerate(choices, 1)
    ]
    other_mm = 2 * _HEADING_MM + 2 * _GAP_MM + 3 * _TEXT_MM
    row_mm = min(_ROW_MM, (top - other_mm) / (len(rows) + len(generals)))
    height_mm = _HEADING_MM + row_mm * len(rows)
    columns = [FormColumn(0.5, "", middle=True, strong=True), FormColumn(2.6, paper.get_text("list.slot"))]
    for _ in range(option_count):
        columns += [FormColumn(1.5, paper.get_text("list.option")), FormColumn(1.3, paper.get_text("d6"), middle=True)]
    columns.append(FormColumn(1.6, paper.get_text("list.taken")))
    yield from draw_form_table(
        columns, rows, Rect(0.0, top - height_mm, area.width, height_mm), drafter, head=_HEADING_MM
    )
    top -= height_mm + _GAP_MM
    yield from draw_cell_text(
        paper.get_text("list.general"), Rect(-0.9, top - _TEXT_MM, area.width, _TEXT_MM), drafter, size_pt=8.5
    )
    top -= _TEXT_MM
    height_mm = _HEADING_MM + row_mm * len(generals)
    modifiers = paper.rules.outcomes("general").modifiers
    columns = [FormColumn(2.2, paper.get_text("list.leads"), strong=True)]
    for number, modifier in enumerate(modifiers, 1):
        columns.append(FormColumn(1.0, f"m{number} {paper.text.format_signed(modifier.amount)}", middle=True))
    columns += [
        FormColumn(1.5, paper.get_text("d6"), middle=True),
        FormColumn(1.2, paper.get_text("total"), middle=True),
    ]
    lines: list[tuple[FormCell, ...]] = [(option, *(_EMPTY for _ in modifiers), "", "") for option in generals]
    yield from draw_form_table(
        columns, lines, Rect(0.0, top - height_mm, area.width, height_mm), drafter, head=_HEADING_MM
    )
    top -= height_mm + _GAP_MM
    modifier_text = "; ".join(
        f"m{number} {paper.text.describe_modifier(entry.condition)}" for number, entry in enumerate(modifiers, 1)
    )
    modifier_area = Rect(-0.9, top - 2 * _TEXT_MM, area.width + 1.8, 2 * _TEXT_MM)
    yield from draw_cell_text(modifier_text, modifier_area, drafter, size_pt=8.0)


def _list_choices(army: Army | None) -> list[tuple[str, tuple[str, ...]]]:
    """Return the label and the options of each choice of each open slot.

    A slot with several choices numbers them from 1. Without an army they are empty lines to fill in.
    """
    if army is None:
        return [("", ())] * _BLANK_CHOICES
    choices = []
    for slot in army.slots:
        if slot.is_open:
            is_each = slot.mode is SlotMode.EACH
            choice_count = slot.count if is_each else 1
            prefix = f"{slot.count} x " if slot.count > 1 and not is_each else ""
            options = tuple(f"{prefix}{option}" for option in slot.options)
            choices += [
                (slot.id if choice_count == 1 else f"{slot.id} {number}/{choice_count}", options)
                for number in range(1, choice_count + 1)
            ]
    return choices


def _list_generals(army: Army | None) -> list[str]:
    """Return the options of the general; without a list, blank lines to fill in."""
    return [""] * _BLANK_GENERALS if army is None else [str(option) for option in army.general]


def _make_choice_row(number: int, choice: str, options: tuple[str, ...], option_count: int) -> tuple[FormCell, ...]:
    """Return the cells of a choice: number, name, ``option_count`` options with dice, and the result."""
    cells: list[FormCell] = []
    for index in range(option_count):
        cells += [options[index] if index < len(options) else "", ""]
    return (str(number), choice, *cells, "")
