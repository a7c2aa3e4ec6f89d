"""The sheet to roll the NPG's army by hand: each choice of its list, then its general (S5, SD-2.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from printkit.drawing.canvas.items import Font, Item, Rect
from printkit.drawing.forms.form_parts import FormCell, FormColumn, Marks, draw_cell_text, draw_form_table
from printkit.systems.solo.armies.army import Army, Slot, SlotMode
from printkit.systems.solo.armies.army_files import named
from printkit.systems.solo.armies.composition_text import slot_text
from printkit.systems.solo.sheets.paper import HEAD, SheetPaper

_NAME: Final = 9.0
_SAID: Final = 11.0
_COLUMNS_HEAD: Final = 6.0
_GAP: Final = 5.0
_ROW: Final = 9.5
_OPTIONS: Final = 3
_SLOTS: Final = 10
_GENERALS: Final = 4
_EMPTY: Final = Marks(("empty",))


def army_sheet_items(army: Army | None, paper: SheetPaper) -> Iterator[Item]:
    """Yield the sheet of an army list, or a blank one to fill in.

    Raises:
        PageError: the paper is too small.
    """
    room, drafter = paper.room, paper.drafter
    yield from paper.head(paper.say("list.title"), "")
    top = room.top - HEAD
    name = "" if army is None else named(army.name, paper.words)
    place = Rect(-0.9, top - _NAME, room.width, _NAME)
    yield from draw_cell_text(f"{paper.say('side.npg')}  {name}", place, drafter, size_pt=12.0, font=Font.HEAVY)
    top -= _NAME
    fixed = "" if army is None else ", ".join(slot_text(slot, paper.words) for slot in army.slots if not slot.is_open)
    said = (
        paper.say("list.slots") if not fixed else f"{paper.say('list.fixed', elements=fixed)} {paper.say('list.slots')}"
    )
    yield from draw_cell_text(said, Rect(-0.9, top - _SAID, room.width, _SAID), drafter, size_pt=8.5)
    top -= _SAID
    slots, generals = _slots(army), _generals(army)
    most = max(_OPTIONS, *(len(options) for _, options in slots)) if slots else _OPTIONS
    rows = [_slot_row(number, what, options, most) for number, (what, options) in enumerate(slots, 1)]
    other = 2 * _COLUMNS_HEAD + 2 * _GAP + 3 * _SAID
    row = min(_ROW, (top - other) / (len(rows) + len(generals)))
    high = _COLUMNS_HEAD + row * len(rows)
    columns = [FormColumn(0.5, "", middle=True, strong=True), FormColumn(2.6, paper.say("list.slot"))]
    for _ in range(most):
        columns += [FormColumn(1.5, paper.say("list.option")), FormColumn(1.3, paper.say("d6"), middle=True)]
    columns.append(FormColumn(1.6, paper.say("list.taken")))
    yield from draw_form_table(columns, rows, Rect(0.0, top - high, room.width, high), drafter, head=_COLUMNS_HEAD)
    top -= high + _GAP
    yield from draw_cell_text(
        paper.say("list.general"), Rect(-0.9, top - _SAID, room.width, _SAID), drafter, size_pt=8.5
    )
    top -= _SAID
    high = _COLUMNS_HEAD + row * len(generals)
    modifiers = paper.rules.outcomes("general").modifiers
    columns = [FormColumn(2.2, paper.say("list.leads"), strong=True)]
    for number, modifier in enumerate(modifiers, 1):
        columns.append(FormColumn(1.0, f"m{number} {paper.text.format_signed(modifier.amount)}", middle=True))
    columns += [FormColumn(1.5, paper.say("d6"), middle=True), FormColumn(1.2, paper.say("total"), middle=True)]
    lines: list[tuple[FormCell, ...]] = [(option, *(_EMPTY for _ in modifiers), "", "") for option in generals]
    yield from draw_form_table(columns, lines, Rect(0.0, top - high, room.width, high), drafter, head=_COLUMNS_HEAD)
    top -= high + _GAP
    told = "; ".join(
        f"m{number} {paper.text.describe_modifier(each.condition)}" for number, each in enumerate(modifiers, 1)
    )
    below = Rect(-0.9, top - 2 * _SAID, room.width + 1.8, 2 * _SAID)
    yield from draw_cell_text(told, below, drafter, size_pt=8.0)


def _slots(army: Army | None) -> list[tuple[str, tuple[str, ...]]]:
    """Return each choice of each open slot with its options; without a list, blank lines to fill in."""
    if army is None:
        return [("", ())] * _SLOTS
    found = []
    for slot in army.slots:
        if slot.is_open:
            times = slot.count if slot.mode is SlotMode.EACH else 1
            found += [(_named(slot, number, times), _options(slot)) for number in range(1, times + 1)]
    return found


def _named(slot: Slot, number: int, times: int) -> str:
    return slot.id if times == 1 else f"{slot.id} {number}/{times}"


def _options(slot: Slot) -> tuple[str, ...]:
    if slot.mode is SlotMode.EACH:
        return tuple(str(option) for option in slot.options)
    return tuple(f"{slot.count} x {option}" if slot.count > 1 else str(option) for option in slot.options)


def _generals(army: Army | None) -> list[str]:
    return [""] * _GENERALS if army is None else [str(option) for option in army.general]


def _slot_row(number: int, what: str, options: tuple[str, ...], most: int) -> tuple[FormCell, ...]:
    cells: list[FormCell] = []
    for place in range(most):
        cells += [options[place] if place < len(options) else "", ""]
    return (str(number), what, *cells, "")
