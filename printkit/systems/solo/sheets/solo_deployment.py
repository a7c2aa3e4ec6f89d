"""The back of the battle sheet on paper: edge, camp, groups, the zone to sketch in, swap, level, overrides (S1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from printkit.drawing.canvas.items import Font, Item, Rect
from printkit.drawing.forms.form_table import Cell, Column, Marks, boxes, cell_text, form_table
from printkit.systems.solo.armies.procedures import table
from printkit.systems.solo.cards.sheet_deployment import DeploymentSheet, GroupLine, deployment
from printkit.systems.solo.cards.sheet_values import SheetCase
from printkit.systems.solo.sheets.paper import HEAD, Paper
from printkit.systems.solo.sheets.sketches import ZONE, zone_sketch

_GAP: Final = 1.8
_CREDIT: Final = 7.5
_LAST: Final = 13.0
_SKETCH: Final = ZONE[1] + 9.0
_DIE_ROW: Final = 7.0
_HEAD: Final = 4.6
_GROUP_HEAD: Final = 7.0
_FOUND: Final = 6.0


def deployment_items(case: SheetCase, paper: Paper, *, title: str = "") -> Iterator[Item]:
    """Yield the back of the battle sheet; ``title`` is another than its own.

    Raises:
        PageError: a text is too long for its place, or the paper is too small.
    """
    sheet, room = deployment(case, paper.text), paper.room
    yield from paper.head(title or paper.say("deployment"), sheet.title)
    dice = _HEAD + _DIE_ROW * len(sheet.dice)
    fixed = HEAD + _FOUND + dice + _GROUP_HEAD + _HEAD + _SKETCH + _LAST + _CREDIT + 4 * _GAP
    rows = len(sheet.edges) + 3 + len(sheet.groups) + 1
    row = (room.height - fixed) / rows
    top = room.top - HEAD
    high = _HEAD + row * (len(sheet.edges) + 3)
    yield from _edges(sheet, Rect(0.0, top - high, room.width, high), paper)
    top -= high
    yield from _found(sheet, Rect(0.0, top - _FOUND, room.width, _FOUND), paper)
    top -= _FOUND + _GAP
    yield from _dice(sheet, Rect(0.0, top - dice, room.width, dice), paper)
    top -= dice + _GAP
    high = _GROUP_HEAD + row * (len(sheet.groups) + 1)
    yield from _groups(sheet.groups, Rect(0.0, top - high, room.width, high), paper)
    said = {name: paper.say(f"zone.{name}") for name in ("left", "centre", "right", "reserve", "enemy", "edge")}
    foot = _CREDIT + _LAST + _GAP
    yield from zone_sketch((room.width - ZONE[0]) / 2, foot + 4.2, said, paper.desk)
    yield from _last(sheet, Rect(0.0, _CREDIT, room.width, _LAST), paper)
    credit = Rect(-0.9, 0.0, room.width + 1.8, _CREDIT - 0.5)
    yield from cell_text(sheet.credit, credit, paper.desk, size_pt=7.5)


def _edges(sheet: DeploymentSheet, place: Rect, paper: Paper) -> Iterator[Item]:
    columns = [Column(0.45, middle=True, strong=True), Column(0.7, middle=True, strong=True)]
    columns.append(Column(6.4, paper.say("edge.title")))
    columns += [Column(1.0, paper.say(f"edge.{edge}"), middle=True) for edge in ("near", "left", "far", "right")]
    rows: list[tuple[Cell, ...]] = [
        (each.letter, each.amount, each.what, *(Marks((tick.value,)) for tick in each.ticks)) for each in sheet.edges
    ]
    for name, cells in (("sum", sheet.sums), ("die", sheet.edge_dice), ("total", sheet.totals)):
        said = paper.say(f"edge.{name}")
        rows.append(("", "", said, *cells))
    yield from form_table(columns, rows, place, paper.desk, head=_HEAD)


def _found(sheet: DeploymentSheet, place: Rect, paper: Paper) -> Iterator[Item]:
    """Yield the preferred edge, the edge die, and the edge that it gave; or that none is diced for."""
    if sheet.edge_note:
        yield from cell_text(sheet.edge_note, place, paper.desk, font=Font.HEAVY)
        yield paper.desk.box(place, 0.35)
        return
    cells: list[Cell] = []
    for name, found in (("preferred", sheet.preferred), ("real-die", sheet.real_die), ("real", sheet.real)):
        cells += [paper.say(f"edge.{name}"), found]
    shares = (1.1, 1.8, 1.1, 1.0, 0.8, 1.8)
    columns = [Column(share, strong=place % 2 == 0) for place, share in enumerate(shares)]
    yield from form_table(columns, [cells], place, paper.desk, head=0.0)


def _dice(sheet: DeploymentSheet, place: Rect, paper: Paper) -> Iterator[Item]:
    shares = {"what": 1.2, "gives": 6.6, "die": 0.8, "result": 2.2}
    columns = [Column(share, paper.say(f"die.{name}"), strong=name == "what") for name, share in shares.items()]
    rows = [(each.what, each.gives, each.die, each.result) for each in sheet.dice]
    yield from form_table(columns, rows, place, paper.desk, head=_HEAD)


def _groups(groups: tuple[GroupLine, ...], place: Rect, paper: Paper) -> Iterator[Item]:
    columns = [Column(0.5, "", middle=True, strong=True), Column(2.6, paper.say("group.elements"))]
    columns.append(Column(1.0, paper.say("group.lead"), middle=True))
    for number, modifier in enumerate(table("position").modifiers, 1):
        columns.append(Column(0.82, f"m{number} {paper.text.signed(modifier.amount)}", middle=True))
    columns += [Column(1.2, paper.say("group.dice")), Column(1.1, paper.say("group.total"))]
    columns.append(Column(1.9, paper.say("group.place")))
    rows: list[tuple[Cell, ...]] = []
    for number, each in enumerate(groups):
        ticks = (Marks((tick.value,)) for tick in each.ticks)
        letter = chr(ord("A") + number)
        rows.append((letter, each.elements, each.lead, *ticks, each.dice, each.total, each.place))
    yield from form_table(columns, rows, place, paper.desk, head=_GROUP_HEAD)


def _last(sheet: DeploymentSheet, place: Rect, paper: Paper) -> Iterator[Item]:
    """Yield level, swap and overrides side by side, each with its title."""
    desk = paper.desk
    shares = (0.56, 0.18, 0.26)
    x = place.x
    level = Marks(tuple(tick.value for _, tick in sheet.levels), tuple(name for name, _ in sheet.levels))
    spent = Marks(tuple(tick.value for tick in sheet.overrides))
    for name, share in zip(("level", "swap", "override"), shares, strict=True):
        box = Rect(x, place.y + 0.8, place.width * share, place.height - 0.8)
        head = Rect(box.x, box.top - 4.4, box.width, 4.4)
        body = Rect(box.x, box.y, box.width, box.height - 4.4)
        yield from cell_text(paper.say(f"{name}.title"), head, desk, size_pt=8.0, font=Font.HEAVY)
        if name == "level":
            thrown = f"{paper.say('level.die')} {sheet.level_die}".strip()
            text = f"{sheet.level}. {thrown}" if sheet.level and sheet.level_die else sheet.level or thrown
            split = 0.40 if sheet.level else 0.16
            yield from cell_text(text, Rect(body.x, body.y, split * body.width, body.height), desk, size_pt=8.0)
            rest = Rect(body.x + split * body.width, body.y, (1 - split) * body.width, body.height)
            yield from boxes(level, rest, desk)
        elif name == "swap":
            yield from cell_text(sheet.swap, body, desk)
            yield desk.rule([(body.x + 2.0, body.y + 2.0), (body.right - 2.0, body.y + 2.0)], 0.15)
        else:
            yield from boxes(spent, Rect(body.x, body.y, 0.36 * body.width, body.height), desk)
            note = Rect(body.x + 0.36 * body.width, body.y, 0.64 * body.width, body.height)
            yield from cell_text(paper.say("override.note"), note, desk, size_pt=8.0)
        yield desk.box(box, 0.35)
        x += place.width * share
