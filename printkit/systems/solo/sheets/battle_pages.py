"""The battle sheet on paper, both sides (S1), and the NPG's own page (8.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from printkit.content.prose import Block, Paragraph
from printkit.drawing.canvas.items import Font, Ink, Item, Rect
from printkit.drawing.forms.form_parts import (
    TICK,
    FormCell,
    FormColumn,
    Marks,
    draw_boxes,
    draw_cell_text,
    draw_form_table,
    draw_tick_box,
)
from printkit.drawing.lettering.lettering import line, measure
from printkit.systems.solo.armies.army_files import named
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.cards.sheet_deployment import DeploymentSheet, GroupLine, deployment
from printkit.systems.solo.cards.sheet_setup import (
    PartySheet,
    SetUpSheet,
    TerrainLine,
    build_set_up_sheet,
    list_elements,
)
from printkit.systems.solo.cards.sheet_values import ARMY_ROWS, SheetCase
from printkit.systems.solo.sheets.paper import HEAD, SheetPaper
from printkit.systems.solo.sheets.sketches import BOARD, ZONE, board_sketch, zone_sketch

# --- The back of the battle sheet on paper ----------------------------------------------------------------------------

_DEPLOYMENT_GAP: Final = 1.8
_CREDIT: Final = 7.5
_LAST: Final = 13.0
_SKETCH: Final = ZONE[1] + 9.0
_DIE_ROW: Final = 7.0
_HEAD: Final = 4.6
_GROUP_HEAD: Final = 7.0
_FOUND: Final = 6.0


# The part of a battle-sheet side on one page: all of it, or in large print its upper or lower half.
Half: TypeAlias = Literal["whole", "upper", "lower"]


def deployment_items(case: SheetCase, paper: SheetPaper, *, title: str = "", half: Half = "whole") -> Iterator[Item]:
    """Yield the back of the battle sheet, or half of it. ``title`` replaces the usual title.

    Raises:
        PageError: a text is too long for its place, or the paper is too small.
    """
    sheet, room = deployment(case, paper.text), paper.room
    yield from paper.head(title or paper.say("deployment"), sheet.title)
    above, below = half != "lower", half != "upper"
    head, found = paper.high(_HEAD), paper.high(_FOUND)
    last, noted, group_head = paper.high(_LAST), paper.high(_CREDIT), paper.high(_GROUP_HEAD)
    dice = head + paper.high(_DIE_ROW) * len(sheet.dice)
    fixed, rows = HEAD, 0
    if above:
        fixed, rows = fixed + head + found + dice + 2 * _DEPLOYMENT_GAP, rows + len(sheet.edges) + 3
    if below:
        fixed += group_head + _SKETCH + last + noted + 2 * _DEPLOYMENT_GAP
        rows += len(sheet.groups) + 1
    row = (room.height - fixed) / rows
    top = room.top - HEAD
    if above:
        high = head + row * (len(sheet.edges) + 3)
        yield from _edges(sheet, Rect(0.0, top - high, room.width, high), paper)
        top -= high
        yield from _found(sheet, Rect(0.0, top - found, room.width, found), paper)
        top -= found + _DEPLOYMENT_GAP
        yield from _deployment_dice(sheet, Rect(0.0, top - dice, room.width, dice), paper)
        top -= dice + _DEPLOYMENT_GAP
    if below:
        high = group_head + row * (len(sheet.groups) + 1)
        yield from _groups(sheet.groups, Rect(0.0, top - high, room.width, high), paper)
        yield from zone_sketch((room.width - ZONE[0]) / 2, noted + last + _DEPLOYMENT_GAP + 4.2, paper)
        yield from _last(sheet, Rect(0.0, noted, room.width, last), paper)
        credit = Rect(-0.9, 0.0, room.width + 1.8, noted - 0.5)
        yield from draw_cell_text(sheet.credit, credit, paper.drafter, size_pt=7.5)


def _edges(sheet: DeploymentSheet, place: Rect, paper: SheetPaper) -> Iterator[Item]:
    columns = [FormColumn(0.45, middle=True, strong=True), FormColumn(0.7, middle=True, strong=True)]
    columns.append(FormColumn(6.4, paper.say("edge.title")))
    columns += [FormColumn(1.0, paper.say(f"edge.{edge}"), middle=True) for edge in ("near", "left", "far", "right")]
    rows: list[tuple[FormCell, ...]] = [
        (each.letter, each.amount, each.condition, *(Marks((tick.value,)) for tick in each.ticks))
        for each in sheet.edges
    ]
    for name, cells in (("sum", sheet.sums), ("die", sheet.edge_dice), ("total", sheet.totals)):
        said = paper.say(f"edge.{name}")
        rows.append(("", "", said, *cells))
    yield from draw_form_table(columns, rows, place, paper.drafter, head=paper.high(_HEAD))


def _found(sheet: DeploymentSheet, place: Rect, paper: SheetPaper) -> Iterator[Item]:
    """Yield the preferred edge, the edge die and its result, or a note that no edge is rolled for."""
    if sheet.edge_note:
        yield from draw_cell_text(sheet.edge_note, place, paper.drafter, font=Font.HEAVY)
        yield paper.drafter.box(place, 0.35)
        return
    cells: list[FormCell] = []
    for name, found in (("preferred", sheet.preferred_edge), ("real-die", sheet.real_die), ("real", sheet.real_edge)):
        cells += [paper.say(f"edge.{name}"), found]
    shares = (1.1, 1.8, 1.1, 1.0, 0.8, 1.8)
    columns = [FormColumn(share, strong=place % 2 == 0) for place, share in enumerate(shares)]
    yield from draw_form_table(columns, [cells], place, paper.drafter, head=0.0)


def _deployment_dice(sheet: DeploymentSheet, place: Rect, paper: SheetPaper) -> Iterator[Item]:
    shares = {"what": 1.2, "gives": 6.6, "die": 0.8, "result": 2.2}
    columns = [FormColumn(share, paper.say(f"die.{name}"), strong=name == "what") for name, share in shares.items()]
    rows = [(each.purpose, each.outcomes, each.die, each.result) for each in sheet.dice]
    yield from draw_form_table(columns, rows, place, paper.drafter, head=paper.high(_HEAD))


def _groups(groups: tuple[GroupLine, ...], place: Rect, paper: SheetPaper) -> Iterator[Item]:
    columns = [FormColumn(0.5, "", middle=True, strong=True), FormColumn(2.6, paper.say("group.elements"))]
    columns.append(FormColumn(1.0, paper.say("group.lead"), middle=True))
    for number, modifier in enumerate(paper.rules.outcomes("position").modifiers, 1):
        columns.append(FormColumn(0.82, f"m{number} {paper.text.format_signed(modifier.amount)}", middle=True))
    columns += [FormColumn(1.2, paper.say("group.dice")), FormColumn(1.1, paper.say("group.total"))]
    columns.append(FormColumn(1.9, paper.say("group.place")))
    rows: list[tuple[FormCell, ...]] = []
    for number, each in enumerate(groups):
        ticks = (Marks((tick.value,)) for tick in each.ticks)
        letter = chr(ord("A") + number)
        rows.append((letter, each.elements, each.lead, *ticks, each.dice, each.total, each.place))
    yield from draw_form_table(columns, rows, place, paper.drafter, head=paper.high(_GROUP_HEAD))


def _last(sheet: DeploymentSheet, place: Rect, paper: SheetPaper) -> Iterator[Item]:
    """Yield aggression level, swap and overrides side by side, each with its title."""
    drafter = paper.drafter
    shares = (0.54, 0.22, 0.24) if paper.large else (0.56, 0.18, 0.26)
    x = place.x
    level = Marks(tuple(tick.value for _, tick in sheet.levels), tuple(name for name, _ in sheet.levels))
    spent = Marks(tuple(tick.value for tick in sheet.overrides))
    for name, share in zip(("level", "swap", "override"), shares, strict=True):
        box = Rect(x, place.y + 0.8, place.width * share, place.height - 0.8)
        named = paper.high(4.4)
        head = Rect(box.x, box.top - named, box.width, named)
        body = Rect(box.x, box.y, box.width, box.height - named)
        yield from draw_cell_text(paper.say(f"{name}.title"), head, drafter, size_pt=8.0, font=Font.HEAVY)
        if name == "level":
            thrown = f"{paper.say('level.die')} {sheet.level_die}".strip()
            text = f"{sheet.level}. {thrown}" if sheet.level and sheet.level_die else sheet.level or thrown
            split = 0.40 if sheet.level else 0.16
            said = Rect(body.x, body.y, split * body.width, body.height)
            rest = Rect(body.x + split * body.width, body.y, (1 - split) * body.width, body.height)
            if paper.large:
                # One above the other, because they do not fit side by side.
                low = 0.42 * body.height
                said, rest = body._replace(y=body.y + low, height=body.height - low), body._replace(height=low)
            yield from draw_cell_text(text, said, drafter, size_pt=8.0)
            yield from draw_boxes(level, rest, drafter)
        elif name == "swap":
            yield from draw_cell_text(sheet.swap, body, drafter)
            yield drafter.rule([(body.x + 2.0, body.y + 2.0), (body.right - 2.0, body.y + 2.0)], 0.15)
        else:
            yield from draw_boxes(spent, Rect(body.x, body.y, 0.36 * body.width, body.height), drafter)
            note = Rect(body.x + 0.36 * body.width, body.y, 0.64 * body.width, body.height)
            yield from draw_cell_text(paper.say("override.note"), note, drafter, size_pt=8.0)
        yield drafter.box(box, 0.35)
        x += place.width * share


# --- The page of the NPG's army, which stays face down: its elements and the dice that chose them (8.1) ---------------

_WARNING: Final = 10.0
_NAME: Final = 10.0
_SECRET_ROW: Final = 7.5
_SHARE: Final = 0.5
_SECRET_GAP: Final = 6.0
_COMPOSING: Final = "SD-2.2"
_SIZES: Final = (9.5, 9.0, 8.5, 8.0, 7.5)


def composition_items(
    npg: Force, steps: Sequence[Mapping[str, Any]], paper: SheetPaper, *, title: str = ""
) -> Iterator[Item]:  # fmt: skip
    """Yield the page of the NPG's army: its twelve elements, and every die that chose them.

    Raises:
        PageError: the paper is too small.
    """
    room, drafter = paper.room, paper.drafter
    yield from paper.head(paper.say("army-title"), title)
    top = room.top - HEAD
    warning = Rect(0.0, top - _WARNING, room.width, _WARNING - 1.0)
    yield drafter.box(warning, 0.8)
    yield from draw_cell_text(paper.say("secret"), warning, drafter, middle=True, size_pt=11.0, font=Font.HEAVY)
    top -= _WARNING + 1.0
    wide = _SHARE * room.width
    yield from draw_cell_text(
        named(npg.name, drafter.words),
        Rect(-0.9, top - _NAME, room.width, _NAME),
        drafter,
        size_pt=12.0,
        font=Font.HEAVY,
    )
    top -= _NAME
    army = list_elements(npg, paper.text)[:ARMY_ROWS]
    high = paper.high(_ARMY_HEAD) + _SECRET_ROW * len(army)
    yield from _army_table(army, Rect(0.0, top - high, wide, high), (0.5, 3.2, 1.6, 0.9, 0.9), paper)
    said = tuple(_secret_dice(steps, paper))
    if said:
        yield from drafter.prose(
            said, Rect(wide + _SECRET_GAP, 0.0, room.width - wide - _SECRET_GAP, top), sizes=_SIZES
        )  # fmt: skip


def _secret_dice(steps: Sequence[Mapping[str, Any]], paper: SheetPaper) -> Iterator[Block]:
    """Yield every rolled choice with its dice and its result, and then the modifiers that counted."""
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
                what = paper.text.describe_modifier(str(each["id"]))
                amount = paper.text.format_signed(each["value"])
                yield Paragraph(paper.say("composed-for", option=each["about"], amount=amount, what=what), "note")


_GAP: Final = 4.0
_FACTS: Final = 12.0
_ARMY_HEAD: Final = 5.0
_ROW: Final = 9.0
_LOWER: Final = BOARD + 11.0
_FOOT: Final = 7.0
_SIDE: Final = 5.0
_BETWEEN: Final = 7.0
_FACT_SHARES: Final = {"home": 2.2, "aggression": 2.4, "d6": 1.4, "total": 1.3, "": 2.7}
_WHITE: Final = Ink(255, 255, 255)


def set_up_items(case: SheetCase, paper: SheetPaper, *, half: Half = "whole") -> Iterator[Item]:
    """Yield the front of the battle sheet, or half of it: both armies, or the battlefield.

    Raises:
        PageError: a name is too long for its place, or the paper is too small.
    """
    sheet = build_set_up_sheet(case, paper.text)
    yield from paper.head(paper.say("title"), sheet.title)
    wide = paper.room.width
    if half == "upper":
        high = (paper.room.height - HEAD) / len(sheet.parties)
        row = (high - _NAME - paper.high(_FACTS) - paper.high(_ARMY_HEAD) - _GAP) / ARMY_ROWS
        for number, party in enumerate(sheet.parties):
            yield from _party(party, 0.0, wide, paper.room.top - HEAD - number * high, min(_ROW, row), paper)
        return
    if half == "lower":
        foot = paper.room.top - HEAD - _LOWER
        yield from board_sketch((wide - BOARD) / 2, foot + 5.0, paper)
        yield from _terrain(sheet.terrain, Rect(0.0, _FOOT, wide, foot - _FOOT - _GAP), paper)
        yield from _odds(paper)
        return
    yield from _parties(sheet, paper)
    yield from board_sketch(_SIDE, _FOOT + 5.0, paper)
    left = _SIDE + BOARD + _BETWEEN
    place = Rect(left, _FOOT, wide - left, _LOWER)
    yield from _terrain(sheet.terrain, place, paper)
    yield from _odds(paper)


def _parties(sheet: SetUpSheet, paper: SheetPaper) -> Iterator[Item]:
    room = paper.room
    wide = (room.width - _GAP) / 2
    top = room.top - HEAD
    free = top - _NAME - _FACTS - _ARMY_HEAD - _LOWER - _FOOT - _GAP
    row = min(_ROW, free / ARMY_ROWS)
    for number, party in enumerate(sheet.parties):
        x = number * (wide + _GAP)
        yield from _party(party, x, wide, top, row, paper)


def _party(party: PartySheet, x: float, wide: float, top: float, row: float, paper: SheetPaper) -> Iterator[Item]:
    drafter = paper.drafter
    label = 13.0
    yield from draw_cell_text(
        party.label, Rect(x - 0.9, top - _NAME, label, _NAME), drafter, size_pt=12.0, font=Font.HEAVY
    )  # fmt: skip
    yield from draw_cell_text(party.name, Rect(x + label, top - _NAME, wide - label, _NAME), drafter, size_pt=11.0)
    yield drafter.rule([(x + label, top - _NAME + 0.6), (x + wide, top - _NAME + 0.6)], 0.2)
    facts_high, head = paper.high(_FACTS), paper.high(_ARMY_HEAD)
    facts = Rect(x, top - _NAME - facts_high, wide, facts_high - 1.0)
    columns = [FormColumn(share, paper.say(name) if name else "") for name, share in _FACT_SHARES.items()]
    sides = Marks((party.attacks.value, party.defends.value), (paper.say("attacks"), paper.say("defends")))
    cells: tuple[FormCell, ...] = (party.home, party.aggression, party.die, party.total, "")
    yield from draw_form_table(columns, [cells], facts, drafter, head=paper.high(4.5))
    last = Rect(facts.right - facts.width * 0.27, facts.y, facts.width * 0.27, facts.height)
    yield from _sides(sides, last, paper)
    body = Rect(x, top - _NAME - facts_high - head - ARMY_ROWS * row, wide, head + ARMY_ROWS * row)
    army = (*party.army, *[("", "", False)] * ARMY_ROWS)[:ARMY_ROWS]
    yield from _army_table(army, body, (0.55, 3.2, 1.6, 1.0, 1.0), paper)
    if party.hidden_note:
        note = Rect(x + 0.12 * wide, body.y + 0.42 * body.height, 0.76 * wide, 3 * row)
        yield drafter.box(note, 0.2, fill=_WHITE)
        yield from draw_cell_text(party.hidden_note, note, drafter, middle=True, size_pt=9.0, font=Font.FIGURES_ITALIC)


def _army_table(
    army: Sequence[tuple[str, str, bool]], place: Rect, shares: Sequence[float], paper: SheetPaper
) -> Iterator[Item]:
    """Yield the table of an army: a row for each element, with a box to tick when it is lost."""
    names = ("number", "type", "code", "general", "lost")
    columns = [
        FormColumn(share, paper.say(name), middle=name not in ("type", "code"))
        for name, share in zip(names, shares, strict=True)
    ]
    rows: list[tuple[FormCell, ...]] = [
        (str(number), kind, code, "*" if led else "", Marks(("empty",)))
        for number, (kind, code, led) in enumerate(army, 1)
    ]
    yield from draw_form_table(columns, rows, place, paper.drafter, head=paper.high(_ARMY_HEAD))


def _sides(marks: Marks, place: Rect, paper: SheetPaper) -> Iterator[Item]:
    """Yield the boxes for "attacks" and "defends", one above the other."""
    hand = paper.drafter.type_style(Font.FIGURES, 8.0)
    for number, (state, label) in enumerate(zip(marks.states, marks.labels, strict=True)):
        foot = place.y + place.height / 2 + (1.0 - 4.6 * number)
        if paper.large:
            # One is level with the table heading, the other is below the heading.
            foot = place.y + place.height * (0.75 - 0.5 * number) - TICK / 2
        yield from draw_tick_box(state, place.x + 1.5, foot, paper.drafter)
        room = place.width - 7.0
        yield from paper.drafter.text(label, (place.x + 5.8, foot + 0.5), hand, max_width_mm=room)


def _terrain(lines: tuple[TerrainLine, ...], place: Rect, paper: SheetPaper) -> Iterator[Item]:
    columns = [
        FormColumn(2.6, paper.say("terrain.what")),
        FormColumn(1.7, paper.say("terrain.dice")),
        FormColumn(0.7, paper.say("terrain.chosen"), middle=True),
        FormColumn(3.0, paper.say("terrain.where")),
    ]
    rows = [
        (each.label, each.dice, "" if each.tick is None else Marks((each.tick.value,)), each.position) for each in lines
    ]
    yield from draw_form_table(columns, rows, place, paper.drafter, head=paper.high(5.0))


def _odds(paper: SheetPaper) -> Iterator[Item]:
    """Yield a box for each way to roll the bounds: two ways to use the deck, or dice (8.5)."""
    drafter = paper.drafter
    strong, hand = drafter.type_style(Font.HEAVY, 8.5), drafter.type_style(Font.FIGURES, 8.5)
    said, x = paper.say("deck-odds"), 0.0
    yield from line(said, (x, 1.0), strong)
    x += measure(said, strong) + 3.0
    for name in ("deck-back", "deck-out", "deck-dice"):
        yield from draw_tick_box("empty", x, 0.6, drafter)
        label = paper.say(name)
        yield from line(label, (x + 4.0, 1.0), hand)
        x += 4.0 + measure(label, hand) + 5.0
