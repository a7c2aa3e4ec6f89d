"""The page of the NPG's army, which stays face down: his elements, and how the dice made them (8.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from printkit.content.prose import Block, Paragraph
from printkit.drawing.canvas.items import Font, Item, Rect
from printkit.drawing.forms.form_table import Cell, Column, Marks, cell_text, form_table
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.cards.sheet_setup import army_of
from printkit.systems.solo.cards.sheet_values import ARMY_ROWS
from printkit.systems.solo.sheets.paper import HEAD, Paper

_WARNING: Final = 10.0
_NAME: Final = 10.0
_ROW: Final = 7.5
_SHARE: Final = 0.5
_GAP: Final = 6.0
_COMPOSING: Final = "SD-2.2"
_SIZES: Final = (9.5, 9.0, 8.5, 8.0, 7.5)


def composition_items(
    npg: Force, steps: Sequence[Mapping[str, Any]], paper: Paper, *, title: str = ""
) -> Iterator[Item]:  # fmt: skip
    """Yield the page: the NPG's twelve elements, and every die by which they were chosen.

    Raises:
        PageError: the paper is too small.
    """
    room, desk = paper.room, paper.desk
    yield from paper.head(paper.say("army-title"), title)
    top = room.top - HEAD
    warning = Rect(0.0, top - _WARNING, room.width, _WARNING - 1.0)
    yield desk.box(warning, 0.8)
    yield from cell_text(paper.say("secret"), warning, desk, middle=True, size_pt=11.0, font=Font.HEAVY)
    top -= _WARNING + 1.0
    wide = _SHARE * room.width
    yield from cell_text(
        npg.name, Rect(-0.9, top - _NAME, room.width, _NAME), desk, size_pt=12.0, font=Font.HEAVY
    )  # fmt: skip
    top -= _NAME
    columns = [Column(0.5, paper.say("number"), middle=True), Column(3.2, paper.say("type"))]
    columns += [Column(1.6, paper.say("code"))]
    columns += [Column(0.9, paper.say("general"), middle=True), Column(0.9, paper.say("lost"), middle=True)]
    army = army_of(npg, paper.text)
    rows: list[tuple[Cell, ...]] = [
        (str(number), kind, code, "*" if led else "", Marks(("empty",)))
        for number, (kind, code, led) in enumerate(army[:ARMY_ROWS], 1)
    ]
    high = 5.0 + _ROW * len(rows)
    yield from form_table(columns, rows, Rect(0.0, top - high, wide, high), desk)
    said = tuple(_dice(steps, paper))
    if said:
        yield from desk.prose(
            said, Rect(wide + _GAP, 0.0, room.width - wide - _GAP, top), sizes=_SIZES
        )  # fmt: skip


def _dice(steps: Sequence[Mapping[str, Any]], paper: Paper) -> Iterator[Block]:
    """Yield every choice that was diced for: the dice, what counted for the general, and what came."""
    words = paper.words
    for step in steps:
        if not str(step["clause"]).startswith(_COMPOSING) or not step["dice"]:
            continue
        inputs: Mapping[str, Any] = step["inputs"]
        named = {name: inputs[name] for name in ("slot", "element", "of") if name in inputs}
        thrown = " ".join(str(die) for die in step["dice"])
        yield Paragraph(paper.say("composed", what=words(step["title"], **named), dice=thrown, result=step["result"]))
        for each in step["modifiers"]:
            if each["state"] == "on":
                what = paper.text(f"modifier.{each['id']}", count=paper.text.count(each["id"]))
                amount = paper.text.signed(each["value"])
                yield Paragraph(paper.say("composed-for", option=each["about"], amount=amount, what=what), "note")
