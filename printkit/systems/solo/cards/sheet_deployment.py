"""The back of the battle sheet: edges, camp, garrison, groups, swap, level, overrides (S1, 8.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from printkit.systems.solo.armies.force import Side
from printkit.systems.solo.armies.steps import AppliedModifier, Mode, sum_modifiers
from printkit.systems.solo.cards import pair_tables
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.pair import Pair, ResolvedTable, said
from printkit.systems.solo.cards.sheet_values import TICKS, SheetCase, Tick, dice, find_tick
from printkit.systems.solo.tactics.camp import NONE
from printkit.systems.solo.tactics.edges import EDGE as EDGE_TABLE
from printkit.systems.solo.tactics.edges import EdgeCase
from printkit.systems.solo.tactics.grouping import written
from printkit.systems.solo.tactics.positions import PositionCase, position_modifiers
from printkit.systems.solo.tactics.situation import EDGES
from printkit.systems.solo.tactics.tactics_tables import Level
from printkit.terrain.field.battlefield import Edge

# Minimum rows of the table of groups; an army with more groups gets more rows.
MIN_GROUP_ROWS: Final = 9

_MODIFIERS: Final = 8
_EDGE_STEP, _REAL_STEP = "SD-4.1-b", "SD-4.1-c"


class EdgeLine(Struct, frozen=True, kw_only=True):
    """A modifier of the edge table: letter, signed amount, condition, and a box for each edge."""

    letter: str
    amount: str
    condition: str
    ticks: tuple[Tick, ...]


class DieLine(Struct, frozen=True, kw_only=True):
    """A die to roll: its purpose and outcomes, and its score and result if it was rolled."""

    purpose: str
    outcomes: str
    die: str = ""
    result: str = ""


class GroupLine(Struct, frozen=True, kw_only=True):
    """A group: elements, lead type, boxes of the eight modifiers, dice, total and place."""

    elements: str = ""
    lead: str = ""
    ticks: tuple[Tick, ...] = (Tick.EMPTY,) * _MODIFIERS
    dice: str = ""
    total: str = ""
    place: str = ""


class DeploymentSheet(Struct, frozen=True, kw_only=True):
    """The contents of the back of the battle sheet. ``sums``, ``edge_dice`` and ``totals`` are by edge."""

    title: str
    edges: tuple[EdgeLine, ...]
    sums: tuple[str, ...]
    edge_dice: tuple[str, ...]
    totals: tuple[str, ...]
    edge_note: str
    preferred_edge: str
    real_die: str
    real_edge: str
    dice: tuple[DieLine, ...]
    groups: tuple[GroupLine, ...]
    swap: str
    level: str
    level_die: str
    levels: tuple[tuple[str, Tick], ...]
    overrides: tuple[Tick, ...]
    credit: str


def deployment(case: SheetCase, text: CardText) -> DeploymentSheet:
    """Return the back of the battle sheet in one language."""
    words, rolls = text.words, case.deployment_rolls
    pair = case.counted_pair
    level_step = rolls.find_step("SD-5.2-a")
    level = "" if level_step is None else str(level_step["result"])
    swap_step = rolls.find_step("SD-4.8-a")
    swap = "" if swap_step is None else swap_step["result"]
    preferred_step, real_step = rolls.find_step(_EDGE_STEP), rolls.find_step(_REAL_STEP)
    defends = case.pair is not None and case.pair.attacker is Side.YOU
    columns = tuple(_build_column(edge, None if defends else pair, text, preferred_step) for edge in EDGES)
    return DeploymentSheet(
        title=case.title,
        edges=tuple(_edge_lines(columns, text)),
        sums=tuple(column.sum for column in columns),
        edge_dice=tuple(column.dice for column in columns),
        totals=tuple(column.total for column in columns),
        edge_note=words("npg.sheet.edge.defends") if defends else "",
        preferred_edge="" if preferred_step is None else text(f"edge.{preferred_step['result']}"),
        real_die=dice(real_step),
        real_edge="" if real_step is None else text(f"edge.{real_step['result']}"),
        dice=tuple(_dice_lines(case, text)),
        groups=_build_group_lines(case, text),
        swap=words("npg.battle.result.swap.none") if swap == "none" else swap,
        level="" if pair is None else _format_faces(pair_tables.find_level_faces(pair), "level", text),
        level_die=dice(level_step),
        levels=tuple(
            (text(f"level.{candidate}"), Tick.ON if level == candidate else Tick.OFF if level else Tick.EMPTY)
            for candidate in Level
        ),
        overrides=tuple(
            Tick.ON if index < case.rolls.overrides and case.mode is Mode.ROLLED else Tick.EMPTY
            for index in range(text.tactics.overrides)
        ),
        credit=words("npg.sheet.credit"),
    )


class _Column(Struct, frozen=True):
    """A column of the edge table: the modifiers if they are counted, then sum, dice and totals as texts."""

    modifiers: tuple[AppliedModifier, ...] = ()
    sum: str = ""
    dice: str = ""
    total: str = ""


def _build_column(edge: Edge, pair: Pair | None, text: CardText, step: Mapping[str, Any] | None) -> _Column:
    """Return the column of an edge: its modifiers, and their sum, the dice and the totals as texts.

    It is empty without armies. Next to the built-up area it has the modifiers and three dashes. ``step`` is the roll
    for the edges as plain values; without it, dice and totals are empty.
    """
    if pair is None:
        return _Column()
    edge_modifiers = EDGE_TABLE.judge(
        EdgeCase(npg=pair.npg, you=pair.you, situation=pair.known_situation, edge=edge), pair.rules
    )
    if pair.known_situation.beside_bua(edge) is True:
        return _Column(edge_modifiers, *[text("nothing")] * 3)
    totals = [] if step is None else step["inputs"]["totals"].get(edge.value, [])
    modifier_sum = sum_modifiers(edge_modifiers)
    dice_text = " ".join(str(total - modifier_sum) for total in totals)
    return _Column(edge_modifiers, text.format_signed(modifier_sum), dice_text, " ".join(map(str, totals)))


def _edge_lines(columns: Sequence[_Column], text: CardText) -> Iterator[EdgeLine]:
    """Yield a line for each modifier of the edge table, with a box for each column.

    The letters of the lines count from ``a``.
    """
    for number, modifier in enumerate(text.rules.outcomes("edge").modifiers):
        clause = modifier.condition
        yield EdgeLine(
            letter=chr(ord("a") + number),
            amount=text.format_signed(modifier.amount),
            condition=text.describe_modifier(clause),
            ticks=tuple(find_tick(column.modifiers[number]) if column.modifiers else Tick.EMPTY for column in columns),
        )


def _dice_lines(case: SheetCase, text: CardText) -> Iterator[DieLine]:
    """Yield three lines with the dice for the camp, the garrison and a landing.

    Each has its outcomes, the scores and the result; the last two are empty without a roll. Without armies the outcomes
    are general.
    """
    pair, words, rolls = case.counted_pair, text.words, case.deployment_rolls
    camp, town, sea = (
        rolls.find_step(*clauses) for clauses in (("SD-4.2-a", "SD-4.2-b"), ("SD-4.4-a",), ("SD-4.6-a",))
    )
    main_outcomes = {"camp": "spear", "garrison": "garrison", "landing": "allowed"}
    spans = {name: text.format_span(text.find_row(name, outcome).span) for name, outcome in main_outcomes.items()}
    outcome_texts = {name: words(f"npg.sheet.die.{name}-blank", **spans) for name in main_outcomes}
    if pair is not None:
        camp_table = pair_tables.find_camp_faces(pair)
        camp_key = "camp-no-spear" if pair.npg.camp else "camp-none"
        outcome_texts["camp"] = (
            words(f"npg.sheet.die.{camp_key}") if camp_table is None else _format_faces(camp_table, "camp", text)
        )
        town_left = pair_tables.find_garrison_rolls(pair)
        outcome_texts["garrison"] = "; ".join(
            words(
                f"npg.sheet.die.garrison-{garrison.camp or 'followers'}",
                type=garrison.type,
                own=said(garrison.own_half_faces, text),
                other=said(garrison.other_half_faces, text),
            )
            for garrison in town_left
        ) or words("npg.sheet.die.garrison-none")
        landing = pair_tables.find_landing_faces(pair)
        outcome_texts["landing"] = (
            words("npg.sheet.die.landing-none") if landing is None else _format_faces(landing, "landing", text)
        )
    for name, step in (("camp", camp), ("garrison", town), ("landing", sea)):
        yield DieLine(
            purpose=words(f"npg.sheet.die.{name}"),
            outcomes=outcome_texts[name],
            die=dice(step),
            result=_format_result(name, step, text),
        )


def _format_result(name: str, step: Mapping[str, Any] | None, text: CardText) -> str:
    """Return the result of a deployment die as text; empty without a roll.

    ``name`` is ``camp``, ``garrison`` or ``landing``.
    """
    if step is None:
        return ""
    if name == "garrison" and step["result"] != NONE:
        return str(step["result"])
    return text.words(f"npg.battle.result.{name}.{step['result']}")


def _format_faces(table: ResolvedTable, name: str, text: CardText) -> str:
    """Return the modifier sum and the faces of each outcome: ``D6 +3: one Sp 3–6, followers 1–2``.

    ``name`` begins the keys of the outcomes.
    """
    words = text.words
    outcomes = text.join_texts(
        words("npg.sheet.die.outcome", what=words(f"npg.battle.result.{name}.{outcome}"), faces=said(faces, text))
        for outcome, faces in table.faces.items()
    )
    key = "npg.sheet.die.faces-open" if table.open else "npg.sheet.die.faces"
    return words(key, sum=text.format_signed(table.sum), outcomes=outcomes)


def _build_group_lines(case: SheetCase, text: CardText) -> tuple[GroupLine, ...]:
    """Return the lines of the groups: rolled, or known before the roll; empty lines fill the table."""
    steps = list(case.deployment_rolls.find_steps("SD-4.7-e"))
    lines: list[GroupLine] = []
    if steps:
        lines = [_rolled_group_line(step, text) for step in steps]
    elif case.counted_pair is not None:
        lines = list(_known_group_lines(case.counted_pair, text))
    return (*lines, *(GroupLine() for _ in range(MIN_GROUP_ROWS - len(lines))))


def _known_group_lines(pair: Pair, text: CardText) -> Iterator[GroupLine]:
    """Yield a line for each group with its modifiers and their sum, before the roll."""
    for group in pair_tables.find_group_rolls(pair):
        case = PositionCase(
            group=group.group, npg=pair.npg, you=pair.you, situation=pair.known_situation, rules=pair.rules
        )
        yield GroupLine(
            elements=written(group.group),
            lead=group.lead,
            ticks=tuple(find_tick(modifier) for modifier in position_modifiers(case)),
            total=text.words("npg.sheet.group.sum", sum=text.format_signed(group.places.sum)),
        )


def _rolled_group_line(step: Mapping[str, Any], text: CardText) -> GroupLine:
    """Return the line of a rolled group; ``step`` is its roll as plain values, see ``Step.as_data``.

    A modifier that is missing in it has an empty box.
    """
    # An edited log can repeat or omit a modifier.
    states = {modifier["id"]: TICKS[modifier["state"]] for modifier in step["modifiers"]}
    modifiers = text.rules.outcomes("position").modifiers
    return GroupLine(
        elements=step["inputs"]["group"],
        lead=step["inputs"]["lead"],
        ticks=tuple(states.get(modifier.condition, Tick.EMPTY) for modifier in modifiers),
        dice=dice(step),
        total="" if step["total"] is None else str(step["total"]),
        place=text.words(f"npg.battle.result.position.{step['result']}"),
    )
