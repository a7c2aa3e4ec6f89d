"""The front of the battle sheet on paper: both armies, the terrain table, and a board to sketch on (S1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from printkit.drawing.canvas.items import Font, Ink, Item, Rect
from printkit.drawing.forms.form_table import Cell, Column, Marks, cell_text, form_table, tick_box
from printkit.drawing.lettering.lettering import line, measure
from printkit.systems.solo.cards.sheet_setup import PartySheet, SetUpSheet, TerrainLine, set_up
from printkit.systems.solo.cards.sheet_values import ARMY_ROWS, SheetCase
from printkit.systems.solo.sheets.paper import HEAD, Paper
from printkit.systems.solo.sheets.sketches import BOARD, board_sketch

_GAP: Final = 4.0
_NAME: Final = 10.0
_FACTS: Final = 12.0
_ARMY_HEAD: Final = 5.0
_ROW: Final = 9.0
_LOWER: Final = BOARD + 11.0
_FOOT: Final = 7.0
_SIDE: Final = 5.0
_BETWEEN: Final = 7.0
_FACT_SHARES: Final = {"home": 2.2, "aggression": 2.4, "d6": 1.4, "total": 1.3, "": 2.7}
_WHITE: Final = Ink(255, 255, 255)


def set_up_items(case: SheetCase, paper: Paper) -> Iterator[Item]:
    """Yield the front of the battle sheet.

    Raises:
        PageError: a name is too long for its place, or the paper is too small.
    """
    sheet = set_up(case, paper.text)
    yield from paper.head(paper.say("title"), sheet.title)
    yield from _parties(sheet, paper)
    yield from _board(paper)
    wide = paper.room.width
    left = _SIDE + BOARD + _BETWEEN
    place = Rect(left, _FOOT, wide - left, _LOWER)
    yield from _terrain(sheet.terrain, place, paper)
    yield from _odds(paper)


def _parties(sheet: SetUpSheet, paper: Paper) -> Iterator[Item]:
    room = paper.room
    wide = (room.width - _GAP) / 2
    top = room.top - HEAD
    free = top - _NAME - _FACTS - _ARMY_HEAD - _LOWER - _FOOT - _GAP
    row = min(_ROW, free / ARMY_ROWS)
    for number, party in enumerate(sheet.parties):
        x = number * (wide + _GAP)
        yield from _party(party, x, wide, top, row, paper)


def _party(party: PartySheet, x: float, wide: float, top: float, row: float, paper: Paper) -> Iterator[Item]:
    desk = paper.desk
    label = 13.0
    yield from cell_text(
        party.label, Rect(x - 0.9, top - _NAME, label, _NAME), desk, size_pt=12.0, font=Font.HEAVY
    )  # fmt: skip
    yield from cell_text(party.name, Rect(x + label, top - _NAME, wide - label, _NAME), desk, size_pt=11.0)
    yield desk.rule([(x + label, top - _NAME + 0.6), (x + wide, top - _NAME + 0.6)], 0.2)
    facts = Rect(x, top - _NAME - _FACTS, wide, _FACTS - 1.0)
    columns = [Column(share, paper.say(name) if name else "") for name, share in _FACT_SHARES.items()]
    sides = Marks((party.attacks.value, party.defends.value), (paper.say("attacks"), paper.say("defends")))
    cells: tuple[Cell, ...] = (party.home, party.aggression, party.die, party.total, "")
    yield from form_table(columns, [cells], facts, desk, head=4.5)
    last = Rect(facts.right - facts.width * 0.27, facts.y, facts.width * 0.27, facts.height)
    yield from _sides(sides, last, paper)
    body = Rect(x, top - _NAME - _FACTS - _ARMY_HEAD - ARMY_ROWS * row, wide, _ARMY_HEAD + ARMY_ROWS * row)
    army = [
        Column(0.55, paper.say("number"), middle=True),
        Column(3.2, paper.say("type")),
        Column(1.6, paper.say("code")),
    ]
    army += [Column(1.0, paper.say("general"), middle=True), Column(1.0, paper.say("lost"), middle=True)]
    rows: list[tuple[Cell, ...]] = []
    for number in range(ARMY_ROWS):
        kind, code, led = party.army[number] if number < len(party.army) else ("", "", False)
        rows.append((str(number + 1), kind, code, "*" if led else "", Marks(("empty",))))
    yield from form_table(army, rows, body, desk, head=_ARMY_HEAD)
    if party.hidden:
        note = Rect(x + 0.12 * wide, body.y + 0.42 * body.height, 0.76 * wide, 3 * row)
        yield desk.box(note, 0.2, fill=_WHITE)
        yield from cell_text(party.hidden, note, desk, middle=True, size_pt=9.0, font=Font.FIGURES_ITALIC)


def _sides(marks: Marks, place: Rect, paper: Paper) -> Iterator[Item]:
    """Yield attacks and defends, one above the other."""
    hand = paper.desk.hand(Font.FIGURES, 8.0)
    for number, (state, label) in enumerate(zip(marks.states, marks.labels, strict=True)):
        foot = place.y + place.height / 2 + (1.0 - 4.6 * number)
        yield from tick_box(state, place.x + 1.5, foot, paper.desk)
        room = place.width - 7.0
        yield from paper.desk.text(label, (place.x + 5.8, foot + 0.5), hand, room=room)


def _board(paper: Paper) -> Iterator[Item]:
    said = {name: paper.say(f"board.{name}") for name in ("near", "far", "left", "right")}
    yield from board_sketch(_SIDE, _FOOT + 5.0, said, paper.desk)


def _terrain(lines: tuple[TerrainLine, ...], place: Rect, paper: Paper) -> Iterator[Item]:
    columns = [
        Column(2.6, paper.say("terrain.what")),
        Column(1.7, paper.say("terrain.dice")),
        Column(0.7, paper.say("terrain.chosen"), middle=True),
        Column(3.0, paper.say("terrain.where")),
    ]
    rows = [
        (each.what, each.dice, "" if each.chosen is None else Marks((each.chosen.value,)), each.where) for each in lines
    ]
    yield from form_table(columns, rows, place, paper.desk)


def _odds(paper: Paper) -> Iterator[Item]:
    """Yield by which dice the bounds are thrown, with a box for each way (8.5)."""
    desk = paper.desk
    strong, hand = desk.hand(Font.HEAVY, 8.5), desk.hand(Font.FIGURES, 8.5)
    said, x = paper.say("deck-odds"), 0.0
    yield from line(said, (x, 1.0), strong)
    x += measure(said, strong) + 3.0
    for name in ("deck-back", "deck-out", "deck-dice"):
        yield from tick_box("empty", x, 0.6, desk)
        label = paper.say(name)
        yield from line(label, (x + 4.0, 1.0), hand)
        x += 4.0 + measure(label, hand) + 5.0
