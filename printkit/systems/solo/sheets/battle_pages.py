"""The battle sheet on paper, both sides (S1), and the NPG's own page (8.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from printkit.content.prose import Block, Paragraph
from printkit.drawing.canvas.items import Font, Item, Rect
from printkit.drawing.canvas.plain import WHITE
from printkit.drawing.lettering.lettering import line, measure
from printkit.drawing.text.form_parts import (
    TICK,
    FormCell,
    FormColumn,
    Marks,
    draw_boxes,
    draw_cell_text,
    draw_form_table,
    draw_tick_box,
)
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
from printkit.systems.solo.sheets.paper import HEADING_MM, SheetPaper
from printkit.systems.solo.sheets.sketches import BOARD, ZONE, draw_board_sketch, draw_zone_sketch

# --- The back of the battle sheet on paper ----------------------------------------------------------------------------

_DEPLOYMENT_GAP: Final = 1.8
_CREDIT: Final = 7.5
_LAST_ROW: Final = 13.0
_SKETCH: Final = ZONE[1] + 9.0
_DIE_ROW: Final = 7.0
_HEAD: Final = 4.6
_GROUP_HEAD: Final = 7.0
_EDGE_RESULT: Final = 6.0


# The part of a battle-sheet side on one page: all of it, or in large print its upper or lower half.
Half: TypeAlias = Literal["whole", "upper", "lower"]


def draw_deployment(case: SheetCase, paper: SheetPaper, *, title: str = "", half: Half = "whole") -> Iterator[Item]:
    """Yield the back of the battle sheet, or half of it. ``title`` replaces the usual title.

    Items are in mm on paper, from the lower left corner of ``paper.area``.

    Raises:
        PageError: a text is too long for its place, or the paper is too small.
    """
    sheet, area = deployment(case, paper.text), paper.area
    yield from paper.draw_heading(title or paper.get_text("deployment"), sheet.title)
    has_upper, has_lower = half != "lower", half != "upper"
    heading_mm, result_mm = paper.scale_height(_HEAD), paper.scale_height(_EDGE_RESULT)
    last_mm, credit_mm, group_heading_mm = (
        paper.scale_height(_LAST_ROW),
        paper.scale_height(_CREDIT),
        paper.scale_height(_GROUP_HEAD),
    )
    dice_mm = heading_mm + paper.scale_height(_DIE_ROW) * len(sheet.dice)
    fixed_mm, row_count = HEADING_MM, 0
    if has_upper:
        fixed_mm, row_count = (
            fixed_mm + heading_mm + result_mm + dice_mm + 2 * _DEPLOYMENT_GAP,
            row_count + len(sheet.edges) + 3,
        )
    if has_lower:
        fixed_mm += group_heading_mm + _SKETCH + last_mm + credit_mm + 2 * _DEPLOYMENT_GAP
        row_count += len(sheet.groups) + 1
    row_mm = (area.height - fixed_mm) / row_count
    top = area.top - HEADING_MM
    if has_upper:
        height_mm = heading_mm + row_mm * (len(sheet.edges) + 3)
        yield from _draw_edges(sheet, Rect(0.0, top - height_mm, area.width, height_mm), paper)
        top -= height_mm
        yield from _draw_edge_result(sheet, Rect(0.0, top - result_mm, area.width, result_mm), paper)
        top -= result_mm + _DEPLOYMENT_GAP
        yield from _draw_deployment_dice(sheet, Rect(0.0, top - dice_mm, area.width, dice_mm), paper)
        top -= dice_mm + _DEPLOYMENT_GAP
    if has_lower:
        height_mm = group_heading_mm + row_mm * (len(sheet.groups) + 1)
        yield from _draw_groups(sheet.groups, Rect(0.0, top - height_mm, area.width, height_mm), paper)
        yield from draw_zone_sketch((area.width - ZONE[0]) / 2, credit_mm + last_mm + _DEPLOYMENT_GAP + 4.2, paper)
        yield from _draw_last_row(sheet, Rect(0.0, credit_mm, area.width, last_mm), paper)
        credit_area = Rect(-0.9, 0.0, area.width + 1.8, credit_mm - 0.5)
        yield from draw_cell_text(sheet.credit, credit_area, paper.drafter, size_pt=7.5)


def _draw_edges(sheet: DeploymentSheet, place: Rect, paper: SheetPaper) -> Iterator[Item]:
    """Yield the table of edge modifiers with a column for each edge, in a place in mm on paper."""
    columns = [FormColumn(0.45, middle=True, strong=True), FormColumn(0.7, middle=True, strong=True)]
    columns.append(FormColumn(6.4, paper.get_text("edge.title")))
    columns += [
        FormColumn(1.0, paper.get_text(f"edge.{edge}"), middle=True) for edge in ("near", "left", "far", "right")
    ]
    rows: list[tuple[FormCell, ...]] = [
        (edge_line.letter, edge_line.amount, edge_line.condition, *(Marks((tick.value,)) for tick in edge_line.ticks))
        for edge_line in sheet.edges
    ]
    for name, cells in (("sum", sheet.sums), ("die", sheet.edge_dice), ("total", sheet.totals)):
        label = paper.get_text(f"edge.{name}")
        rows.append(("", "", label, *cells))
    yield from draw_form_table(columns, rows, place, paper.drafter, head=paper.scale_height(_HEAD))


def _draw_edge_result(sheet: DeploymentSheet, place: Rect, paper: SheetPaper) -> Iterator[Item]:
    """Yield the preferred edge, the edge die and its result, or a note that no edge is rolled for.

    ``place`` is its rectangle in mm on paper.
    """
    if sheet.edge_note:
        yield from draw_cell_text(sheet.edge_note, place, paper.drafter, font=Font.HEAVY)
        yield paper.drafter.box(place, 0.35)
        return
    cells: list[FormCell] = []
    for name, value in (("preferred", sheet.preferred_edge), ("real-die", sheet.real_die), ("real", sheet.real_edge)):
        cells += [paper.get_text(f"edge.{name}"), value]
    shares = (1.1, 1.8, 1.1, 1.0, 0.8, 1.8)
    columns = [FormColumn(share, strong=place % 2 == 0) for place, share in enumerate(shares)]
    yield from draw_form_table(columns, [cells], place, paper.drafter, head=0.0)


def _draw_deployment_dice(sheet: DeploymentSheet, place: Rect, paper: SheetPaper) -> Iterator[Item]:
    """Yield the table of the dice for camp, garrison and landing, in a place in mm on paper."""
    shares = {"what": 1.2, "gives": 6.6, "die": 0.8, "result": 2.2}
    columns = [
        FormColumn(share, paper.get_text(f"die.{name}"), strong=name == "what") for name, share in shares.items()
    ]
    rows = [(die_line.purpose, die_line.outcomes, die_line.die, die_line.result) for die_line in sheet.dice]
    yield from draw_form_table(columns, rows, place, paper.drafter, head=paper.scale_height(_HEAD))


def _draw_groups(groups: tuple[GroupLine, ...], place: Rect, paper: SheetPaper) -> Iterator[Item]:
    """Yield the table of groups with boxes for their modifiers, in a place in mm on paper."""
    columns = [FormColumn(0.5, "", middle=True, strong=True), FormColumn(2.6, paper.get_text("group.elements"))]
    columns.append(FormColumn(1.0, paper.get_text("group.lead"), middle=True))
    for number, modifier in enumerate(paper.rules.outcomes("position").modifiers, 1):
        columns.append(FormColumn(0.82, f"m{number} {paper.text.format_signed(modifier.amount)}", middle=True))
    columns += [FormColumn(1.2, paper.get_text("group.dice")), FormColumn(1.1, paper.get_text("group.total"))]
    columns.append(FormColumn(1.9, paper.get_text("group.place")))
    rows: list[tuple[FormCell, ...]] = []
    for number, group in enumerate(groups):
        ticks = (Marks((tick.value,)) for tick in group.ticks)
        letter = chr(ord("A") + number)
        rows.append((letter, group.elements, group.lead, *ticks, group.dice, group.total, group.place))
    yield from draw_form_table(columns, rows, place, paper.drafter, head=paper.scale_height(_GROUP_HEAD))


def _draw_last_row(sheet: DeploymentSheet, place: Rect, paper: SheetPaper) -> Iterator[Item]:
    """Yield aggression level, swap and overrides side by side, each with its title.

    ``place`` is their rectangle in mm on paper.
    """
    drafter = paper.drafter
    shares = (0.54, 0.22, 0.24) if paper.is_large_print else (0.56, 0.18, 0.26)
    x = place.x
    level = Marks(tuple(tick.value for _, tick in sheet.levels), tuple(name for name, _ in sheet.levels))
    override_marks = Marks(tuple(tick.value for tick in sheet.overrides))
    for name, share in zip(("level", "swap", "override"), shares, strict=True):
        box = Rect(x, place.y + 0.8, place.width * share, place.height - 0.8)
        title_mm = paper.scale_height(4.4)
        title_area = Rect(box.x, box.top - title_mm, box.width, title_mm)
        body_area = Rect(box.x, box.y, box.width, box.height - title_mm)
        yield from draw_cell_text(paper.get_text(f"{name}.title"), title_area, drafter, size_pt=8.0, font=Font.HEAVY)
        if name == "level":
            die_text = f"{paper.get_text('level.die')} {sheet.level_die}".strip()
            text = f"{sheet.level}. {die_text}" if sheet.level and sheet.level_die else sheet.level or die_text
            text_share = 0.40 if sheet.level else 0.16
            text_area = Rect(body_area.x, body_area.y, text_share * body_area.width, body_area.height)
            marks_area = Rect(
                body_area.x + text_share * body_area.width,
                body_area.y,
                (1 - text_share) * body_area.width,
                body_area.height,
            )
            if paper.is_large_print:
                # One above the other, because they do not fit side by side.
                low_mm = 0.42 * body_area.height
                text_area, marks_area = (
                    body_area._replace(y=body_area.y + low_mm, height=body_area.height - low_mm),
                    body_area._replace(height=low_mm),
                )
            yield from draw_cell_text(text, text_area, drafter, size_pt=8.0)
            yield from draw_boxes(level, marks_area, drafter)
        elif name == "swap":
            yield from draw_cell_text(sheet.swap, body_area, drafter)
            yield drafter.rule(
                [(body_area.x + 2.0, body_area.y + 2.0), (body_area.right - 2.0, body_area.y + 2.0)], 0.15
            )
        else:
            yield from draw_boxes(
                override_marks, Rect(body_area.x, body_area.y, 0.36 * body_area.width, body_area.height), drafter
            )
            note_area = Rect(
                body_area.x + 0.36 * body_area.width, body_area.y, 0.64 * body_area.width, body_area.height
            )
            yield from draw_cell_text(paper.get_text("override.note"), note_area, drafter, size_pt=8.0)
        yield drafter.box(box, 0.35)
        x += place.width * share


# --- The page of the NPG's army, which stays face down: its elements and the dice that chose them (8.1) ---------------

_WARNING: Final = 10.0
_NAME: Final = 10.0
_SECRET_ROW: Final = 7.5
_ARMY_SHARE: Final = 0.5
_SECRET_GAP: Final = 6.0
_COMPOSING: Final = "SD-2.2"
_SIZES: Final = (9.5, 9.0, 8.5, 8.0, 7.5)


def draw_composition(
    npg: Force, steps: Sequence[Mapping[str, Any]], paper: SheetPaper, *, title: str = ""
) -> Iterator[Item]:  # fmt: skip
    """Yield the page of the NPG's army: its twelve elements, and every die that chose them.

    ``steps`` are those of the log as plain values. ``title`` is that of the battle, next to the heading. Items are in
    mm on paper, from the lower left corner of ``paper.area``.

    Raises:
        PageError: the paper is too small.
    """
    area, drafter = paper.area, paper.drafter
    yield from paper.draw_heading(paper.get_text("army-title"), title)
    top = area.top - HEADING_MM
    warning = Rect(0.0, top - _WARNING, area.width, _WARNING - 1.0)
    yield drafter.box(warning, 0.8)
    yield from draw_cell_text(paper.get_text("secret"), warning, drafter, middle=True, size_pt=11.0, font=Font.HEAVY)
    top -= _WARNING + 1.0
    width_mm = _ARMY_SHARE * area.width
    yield from draw_cell_text(
        named(npg.name, drafter.words),
        Rect(-0.9, top - _NAME, area.width, _NAME),
        drafter,
        size_pt=12.0,
        font=Font.HEAVY,
    )
    top -= _NAME
    army = list_elements(npg, paper.text)[:ARMY_ROWS]
    height_mm = paper.scale_height(_ARMY_HEAD) + _SECRET_ROW * len(army)
    yield from _draw_army(army, Rect(0.0, top - height_mm, width_mm, height_mm), (0.5, 3.2, 1.6, 0.9, 0.9), paper)
    dice_blocks = tuple(_list_secret_dice(steps, paper))
    if dice_blocks:
        yield from drafter.prose(
            dice_blocks, Rect(width_mm + _SECRET_GAP, 0.0, area.width - width_mm - _SECRET_GAP, top), sizes=_SIZES
        )  # fmt: skip


def _list_secret_dice(steps: Sequence[Mapping[str, Any]], paper: SheetPaper) -> Iterator[Block]:
    """Yield a paragraph for every rolled choice of composing the army, and a note for each modifier that counted.

    ``steps`` are plain values, see ``Step.as_data``.
    """
    words = paper.words
    for step in steps:
        if not str(step["clause"]).startswith(_COMPOSING) or not step["dice"]:
            continue
        inputs: Mapping[str, Any] = step["inputs"]
        title_values = {name: inputs[name] for name in ("slot", "element", "of") if name in inputs}
        dice_text = " ".join(str(die) for die in step["dice"])
        yield Paragraph(
            paper.get_text("composed", what=words(step["title"], **title_values), dice=dice_text, result=step["result"])
        )
        for modifier in step["modifiers"]:
            if modifier["state"] == "on":
                condition = paper.text.describe_modifier(str(modifier["id"]))
                amount = paper.text.format_signed(modifier["value"])
                yield Paragraph(
                    paper.get_text("composed-for", option=modifier["about"], amount=amount, what=condition), "note"
                )


_GAP: Final = 4.0
_FACTS: Final = 12.0
_ARMY_HEAD: Final = 5.0
_ROW: Final = 9.0
_LOWER_HALF: Final = BOARD + 11.0
_FOOT: Final = 7.0
_SIDE: Final = 5.0
_BETWEEN: Final = 7.0
_FACT_SHARES: Final = {"home": 2.2, "aggression": 2.4, "d6": 1.4, "total": 1.3, "": 2.7}


def draw_set_up(case: SheetCase, paper: SheetPaper, *, half: Half = "whole") -> Iterator[Item]:
    """Yield the front of the battle sheet, or half of it: both armies, or the battlefield.

    Items are in mm on paper, from the lower left corner of ``paper.area``.

    Raises:
        PageError: a name is too long for its place, or the paper is too small.
    """
    sheet = build_set_up_sheet(case, paper.text)
    yield from paper.draw_heading(paper.get_text("title"), sheet.title)
    width_mm = paper.area.width
    if half == "upper":
        party_mm = (paper.area.height - HEADING_MM) / len(sheet.parties)
        row_mm = (party_mm - _NAME - paper.scale_height(_FACTS) - paper.scale_height(_ARMY_HEAD) - _GAP) / ARMY_ROWS
        for number, party in enumerate(sheet.parties):
            yield from _draw_party(
                party, 0.0, width_mm, paper.area.top - HEADING_MM - number * party_mm, min(_ROW, row_mm), paper
            )
        return
    if half == "lower":
        foot = paper.area.top - HEADING_MM - _LOWER_HALF
        yield from draw_board_sketch((width_mm - BOARD) / 2, foot + 5.0, paper)
        yield from _draw_terrain(sheet.terrain, Rect(0.0, _FOOT, width_mm, foot - _FOOT - _GAP), paper)
        yield from _draw_odds(paper)
        return
    yield from _draw_parties(sheet, paper)
    yield from draw_board_sketch(_SIDE, _FOOT + 5.0, paper)
    left = _SIDE + BOARD + _BETWEEN
    place = Rect(left, _FOOT, width_mm - left, _LOWER_HALF)
    yield from _draw_terrain(sheet.terrain, place, paper)
    yield from _draw_odds(paper)


def _draw_parties(sheet: SetUpSheet, paper: SheetPaper) -> Iterator[Item]:
    """Yield both armies side by side."""
    area = paper.area
    party_width = (area.width - _GAP) / 2
    top = area.top - HEADING_MM
    free_mm = top - _NAME - _FACTS - _ARMY_HEAD - _LOWER_HALF - _FOOT - _GAP
    row_mm = min(_ROW, free_mm / ARMY_ROWS)
    for number, party in enumerate(sheet.parties):
        x = number * (party_width + _GAP)
        yield from _draw_party(party, x, party_width, top, row_mm, paper)


def _draw_party(
    party: PartySheet, x: float, width_mm: float, top: float, row_mm: float, paper: SheetPaper
) -> Iterator[Item]:
    """Yield one army: name, facts, roles, and a row for each element.

    Args:
        party: its texts.
        x: its left edge, in mm.
        width_mm: its width, in mm.
        top: its upper edge, in mm.
        row_mm: height of a row, in mm.
        paper: the paper.
    """
    drafter = paper.drafter
    label_mm = 13.0
    yield from draw_cell_text(
        party.label, Rect(x - 0.9, top - _NAME, label_mm, _NAME), drafter, size_pt=12.0, font=Font.HEAVY
    )  # fmt: skip
    yield from draw_cell_text(
        party.name, Rect(x + label_mm, top - _NAME, width_mm - label_mm, _NAME), drafter, size_pt=11.0
    )
    yield drafter.rule([(x + label_mm, top - _NAME + 0.6), (x + width_mm, top - _NAME + 0.6)], 0.2)
    facts_mm, heading_mm = paper.scale_height(_FACTS), paper.scale_height(_ARMY_HEAD)
    facts_area = Rect(x, top - _NAME - facts_mm, width_mm, facts_mm - 1.0)
    columns = [FormColumn(share, paper.get_text(name) if name else "") for name, share in _FACT_SHARES.items()]
    role_marks = Marks(
        (party.attacks.value, party.defends.value), (paper.get_text("attacks"), paper.get_text("defends"))
    )
    cells: tuple[FormCell, ...] = (party.home, party.aggression, party.die, party.total, "")
    yield from draw_form_table(columns, [cells], facts_area, drafter, head=paper.scale_height(4.5))
    role_area = Rect(
        facts_area.right - facts_area.width * 0.27, facts_area.y, facts_area.width * 0.27, facts_area.height
    )
    yield from _draw_roles(role_marks, role_area, paper)
    army_area = Rect(
        x, top - _NAME - facts_mm - heading_mm - ARMY_ROWS * row_mm, width_mm, heading_mm + ARMY_ROWS * row_mm
    )
    army = (*party.army, *[("", "", False)] * ARMY_ROWS)[:ARMY_ROWS]
    yield from _draw_army(army, army_area, (0.55, 3.2, 1.6, 1.0, 1.0), paper)
    if party.hidden_note:
        note_area = Rect(x + 0.12 * width_mm, army_area.y + 0.42 * army_area.height, 0.76 * width_mm, 3 * row_mm)
        yield drafter.box(note_area, 0.2, fill=WHITE)
        yield from draw_cell_text(
            party.hidden_note, note_area, drafter, middle=True, size_pt=9.0, font=Font.FIGURES_ITALIC
        )


def _draw_army(
    army: Sequence[tuple[str, str, bool]], place: Rect, shares: Sequence[float], paper: SheetPaper
) -> Iterator[Item]:
    """Yield the table of an army: a row for each element, with a box to tick when it is lost.

    Args:
        army: type name, code, and whether it is the general's, for each element.
        place: its rectangle, in mm.
        shares: relative widths of the five columns.
        paper: the paper.
    """
    names = ("number", "type", "code", "general", "lost")
    columns = [
        FormColumn(share, paper.get_text(name), middle=name not in ("type", "code"))
        for name, share in zip(names, shares, strict=True)
    ]
    rows: list[tuple[FormCell, ...]] = [
        (str(number), troop_type, code, "*" if is_general else "", Marks(("empty",)))
        for number, (troop_type, code, is_general) in enumerate(army, 1)
    ]
    yield from draw_form_table(columns, rows, place, paper.drafter, head=paper.scale_height(_ARMY_HEAD))


def _draw_roles(marks: Marks, place: Rect, paper: SheetPaper) -> Iterator[Item]:
    """Yield the boxes for "attacks" and "defends", one above the other.

    ``place`` is their rectangle in mm on paper.
    """
    style = paper.drafter.type_style(Font.FIGURES, 8.0)
    for number, (state, label) in enumerate(zip(marks.states, marks.labels, strict=True)):
        foot = place.y + place.height / 2 + (1.0 - 4.6 * number)
        if paper.is_large_print:
            # One is level with the table heading, the other is below the heading.
            foot = place.y + place.height * (0.75 - 0.5 * number) - TICK / 2
        yield from draw_tick_box(state, place.x + 1.5, foot, paper.drafter)
        width_mm = place.width - 7.0
        yield from paper.drafter.text(label, (place.x + 5.8, foot + 0.5), style, max_width_mm=width_mm)


def _draw_terrain(lines: tuple[TerrainLine, ...], place: Rect, paper: SheetPaper) -> Iterator[Item]:
    """Yield the table of terrain rolls, in a place in mm on paper."""
    columns = [
        FormColumn(2.6, paper.get_text("terrain.what")),
        FormColumn(1.7, paper.get_text("terrain.dice")),
        FormColumn(0.7, paper.get_text("terrain.chosen"), middle=True),
        FormColumn(3.0, paper.get_text("terrain.where")),
    ]
    rows = [
        (
            terrain_line.label,
            terrain_line.dice,
            "" if terrain_line.tick is None else Marks((terrain_line.tick.value,)),
            terrain_line.position,
        )
        for terrain_line in lines
    ]
    yield from draw_form_table(columns, rows, place, paper.drafter, head=paper.scale_height(5.0))


def _draw_odds(paper: SheetPaper) -> Iterator[Item]:
    """Yield a box for each way to roll the bounds: two ways to use the deck, or dice (8.5)."""
    drafter = paper.drafter
    label_style, style = drafter.type_style(Font.HEAVY, 8.5), drafter.type_style(Font.FIGURES, 8.5)
    title, x = paper.get_text("deck-odds"), 0.0
    yield from line(title, (x, 1.0), label_style)
    x += measure(title, label_style) + 3.0
    for name in ("deck-back", "deck-out", "deck-dice"):
        yield from draw_tick_box("empty", x, 0.6, drafter)
        label = paper.get_text(name)
        yield from line(label, (x + 4.0, 1.0), style)
        x += 4.0 + measure(label, style) + 5.0
