"""The back of the battle sheet: edges, camp, garrison, groups, swap, level, overrides (S1, 8.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from printkit.systems.solo.armies.force import Side
from printkit.systems.solo.armies.steps import AppliedModifier, Mode, sum_of
from printkit.systems.solo.cards import pair_tables
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.pair import Pair, Resolved, said
from printkit.systems.solo.cards.sheet_values import TICKS, SheetCase, Tick, dice, tick_of
from printkit.systems.solo.tactics.camp import NONE
from printkit.systems.solo.tactics.edges import EDGE as EDGE_TABLE
from printkit.systems.solo.tactics.edges import EdgeCase
from printkit.systems.solo.tactics.grouping import written
from printkit.systems.solo.tactics.positions import PositionCase, position_modifiers
from printkit.systems.solo.tactics.situation import EDGES
from printkit.systems.solo.tactics.tactics_tables import Level
from printkit.terrain.field.battlefield import Edge

# Minimum rows of the table of groups; an army with more groups gets more rows.
GROUPS: Final = 9

_MODIFIERS: Final = 8
_EDGE_STEP, _REAL_STEP = "SD-4.1-b", "SD-4.1-c"


class EdgeLine(Struct, frozen=True, kw_only=True):
    """A modifier of the edge table: letter, amount, condition, and a box for each edge."""

    letter: str
    amount: str
    what: str
    ticks: tuple[Tick, ...]


class DieLine(Struct, frozen=True, kw_only=True):
    """A die to roll: its purpose and outcomes, and its score and result if it was rolled."""

    what: str
    gives: str
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
    preferred: str
    real_die: str
    real: str
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
    words, thrown = text.words, case.deployed
    pair = case.counted
    level_step = thrown.step("SD-5.2-a")
    level = "" if level_step is None else str(level_step["result"])
    swap = thrown.step("SD-4.8-a")
    chosen, real = thrown.step(_EDGE_STEP), thrown.step(_REAL_STEP)
    defends = case.pair is not None and case.pair.attacker is Side.YOU
    columns = tuple(_column(edge, None if defends else pair, text, chosen) for edge in EDGES)
    return DeploymentSheet(
        title=case.title,
        edges=tuple(_edge_lines(columns, text)),
        sums=tuple(column.sum for column in columns),
        edge_dice=tuple(column.dice for column in columns),
        totals=tuple(column.total for column in columns),
        edge_note=words("npg.sheet.edge.defends") if defends else "",
        preferred="" if chosen is None else text(f"edge.{chosen['result']}"),
        real_die=dice(real),
        real="" if real is None else text(f"edge.{real['result']}"),
        dice=tuple(_dice_lines(case, text)),
        groups=_groups(case, text),
        swap="" if swap is None else _swapped(swap["result"], text),
        level="" if pair is None else _faces(pair_tables.level_left(pair), "level", text),
        level_die=dice(level_step),
        levels=tuple(
            (text(f"level.{each}"), Tick.ON if level == each else Tick.OFF if level else Tick.EMPTY) for each in Level
        ),
        overrides=tuple(
            Tick.ON if place < case.thrown.overrides and case.mode is Mode.ROLLED else Tick.EMPTY
            for place in range(text.tactics.overrides)
        ),
        credit=words("npg.sheet.credit"),
    )


class _Column(Struct, frozen=True):
    """A column of the edge table: the modifiers if they are counted, their sum, the dice and the total."""

    modifiers: tuple[AppliedModifier, ...] = ()
    sum: str = ""
    dice: str = ""
    total: str = ""


def _column(edge: Edge, pair: Pair | None, text: CardText, step: Mapping[str, Any] | None) -> _Column:
    """Return the column of an edge; empty without armies, dashes for an edge next to the built-up area."""
    if pair is None:
        return _Column()
    judged = EDGE_TABLE.judge(EdgeCase(npg=pair.npg, you=pair.you, situation=pair.known, edge=edge), pair.rules)
    if pair.known.beside_bua(edge) is True:
        return _Column(judged, *[text("nothing")] * 3)
    totals = [] if step is None else step["inputs"]["totals"].get(edge.value, [])
    added = sum_of(judged)
    thrown = " ".join(str(total - added) for total in totals)
    return _Column(judged, text.signed(added), thrown, " ".join(map(str, totals)))


def _edge_lines(columns: Sequence[_Column], text: CardText) -> Iterator[EdgeLine]:
    for number, modifier in enumerate(text.rules.outcomes("edge").modifiers):
        clause = modifier.condition
        yield EdgeLine(
            letter=chr(ord("a") + number),
            amount=text.signed(modifier.amount),
            what=text.modifier(clause),
            ticks=tuple(tick_of(each.modifiers[number]) if each.modifiers else Tick.EMPTY for each in columns),
        )


def _dice_lines(case: SheetCase, text: CardText) -> Iterator[DieLine]:
    """Yield the dice for the camp, the garrison and a landing."""
    pair, words, thrown = case.counted, text.words, case.deployed
    camp, town, sea = (thrown.step(*clauses) for clauses in (("SD-4.2-a", "SD-4.2-b"), ("SD-4.4-a",), ("SD-4.6-a",)))
    wanted = {"camp": "spear", "garrison": "garrison", "landing": "allowed"}
    spans = {name: text.span(text.row(name, outcome).span) for name, outcome in wanted.items()}
    gives = {name: words(f"npg.sheet.die.{name}-blank", **spans) for name in wanted}
    if pair is not None:
        found = pair_tables.camp_left(pair)
        none = "camp-no-spear" if pair.npg.camp else "camp-none"
        gives["camp"] = words(f"npg.sheet.die.{none}") if found is None else _faces(found, "camp", text)
        town_left = pair_tables.garrison_left(pair)
        gives["garrison"] = "; ".join(
            words(
                f"npg.sheet.die.garrison-{each.camp or 'followers'}",
                type=each.type,
                own=said(each.own, text),
                other=said(each.other, text),
            )
            for each in town_left
        ) or words("npg.sheet.die.garrison-none")
        landing = pair_tables.landing_left(pair)
        gives["landing"] = words("npg.sheet.die.landing-none") if landing is None else _faces(landing, "landing", text)
    for name, step in (("camp", camp), ("garrison", town), ("landing", sea)):
        yield DieLine(
            what=words(f"npg.sheet.die.{name}"), gives=gives[name], die=dice(step), result=_result(name, step, text)
        )


def _result(name: str, step: Mapping[str, Any] | None, text: CardText) -> str:
    if step is None:
        return ""
    if name == "garrison" and step["result"] != NONE:
        return str(step["result"])
    return text.words(f"npg.battle.result.{name}.{step['result']}")


def _faces(found: Resolved, name: str, text: CardText) -> str:
    """Return the modifier sum and the faces of each outcome: ``D6 +3: one Sp 3–6, followers 1–2``."""
    words = text.words
    outcomes = text.list(
        words("npg.sheet.die.outcome", what=words(f"npg.battle.result.{name}.{outcome}"), faces=said(faces, text))
        for outcome, faces in found.faces.items()
    )
    key = "npg.sheet.die.faces-open" if found.open else "npg.sheet.die.faces"
    return words(key, sum=text.signed(found.sum), outcomes=outcomes)


def _groups(case: SheetCase, text: CardText) -> tuple[GroupLine, ...]:
    thrown = list(case.deployed.steps_of("SD-4.7-e"))
    found: list[GroupLine] = []
    if thrown:
        found = [_thrown_group(step, text) for step in thrown]
    elif case.counted is not None:
        found = list(_known_groups(case.counted, text))
    return (*found, *(GroupLine() for _ in range(GROUPS - len(found))))


def _known_groups(pair: Pair, text: CardText) -> Iterator[GroupLine]:
    for each in pair_tables.groups_left(pair):
        case = PositionCase(group=each.group, npg=pair.npg, you=pair.you, situation=pair.known, rules=pair.rules)
        yield GroupLine(
            elements=written(each.group),
            lead=each.lead,
            ticks=tuple(tick_of(modifier) for modifier in position_modifiers(case)),
            total=text.words("npg.sheet.group.sum", sum=text.signed(each.places.sum)),
        )


def _thrown_group(step: Mapping[str, Any], text: CardText) -> GroupLine:
    # An edited log can repeat or omit a modifier.
    states = {each["id"]: TICKS[each["state"]] for each in step["modifiers"]}
    modifiers = text.rules.outcomes("position").modifiers
    return GroupLine(
        elements=step["inputs"]["group"],
        lead=step["inputs"]["lead"],
        ticks=tuple(states.get(each.condition, Tick.EMPTY) for each in modifiers),
        dice=dice(step),
        total="" if step["total"] is None else str(step["total"]),
        place=text.words(f"npg.battle.result.position.{step['result']}"),
    )


def _swapped(result: str, text: CardText) -> str:
    return text.words("npg.battle.result.swap.none") if result == "none" else result
