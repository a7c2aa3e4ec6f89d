"""Blocks of reference cards that are computed from the rules: tables, odds, and plans on the backs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from math import comb
from typing import Any, Final

from printkit.content.prose import (
    Align,
    Block,
    Boxes,
    Bullets,
    CheckBoxes,
    Diagram,
    Heading,
    Paragraph,
    Results,
    Steps,
    Table,
)
from printkit.core.words import decimal_sign
from printkit.systems.solo.armies.force import TroopType, read_troops
from printkit.systems.solo.cards.card_text import CardText, faces
from printkit.systems.solo.tactics.combat_odds import CombatOdds, combat_odds, fighting_types
from printkit.systems.solo.tactics.tactics_tables import FACES, Action, Level, Stance

# --- Plans on the backs of reference cards: die faces and measurements of the rule book at their positions ------------

_BOARD: Final = "board_in_15mm"
_PLAN_MM: Final = 33.0
_WARBAND: Final = 8
_SPEARS: Final = 10
_PIKES: Final = 8


def corners(text: CardText) -> Diagram:
    """Return a plan of built-up area corners and waterway edges with their faces (SD-3.3.1, 3.3.2)."""
    labels = {**faces(text.rules.outcomes("bua"), text), **faces(text.rules.outcomes("waterway"), text)}
    numbers = {
        "board": text.rules.number("board_in_" + text.rules.choice("scale")),
        "corner": float(str(text.numbers["corner"])),
    }
    return Diagram(
        name="corners", labels={**labels, "note": text("R05.corners-note")}, numbers=numbers, max_height=_PLAN_MM
    )


def bands(text: CardText) -> Diagram:
    """Return a plan of the river bands with their faces (SD-3.3.3)."""
    numbers = {"board": text.rules.number("board_in_" + text.rules.choice("scale"))}
    for row in text.rules.rows("river_bands"):
        for end in ("from", "to"):
            numbers[f"{row.need('band', str)}-{end}"] = float(text.format_band_inches(row.need(f"{end}_in", int)))
    labels = {**faces(text.rules.outcomes("river"), text), "note": text("R05.bands-note"), "far": text("R05.edge")}
    return Diagram(name="bands", labels=labels, numbers=numbers, max_height=_PLAN_MM)


def sectors(text: CardText) -> Diagram:
    """Return a plan of the nine sectors with the faces of both dice and of roads (SD-3.3.4, 3.3.5)."""
    labels: dict[str, str] = {}
    for table in ("sector_column", "sector_row"):
        for name, label in faces(text.rules.outcomes(table), text).items():
            labels |= {f"{name}-die": label, name: text(f"result.{table}.{name}")}
    labels |= faces(text.rules.outcomes("road"), text)
    labels |= {
        key: text(f"R06.{label}") for key, label in (("first", "first"), ("second", "second"), ("road", "road-die"))
    }
    return Diagram(name="sectors", labels=labels, max_height=64.0)


def zones(text: CardText) -> Diagram:
    """Return a plan of the strips that the edge modifiers refer to, with their letters (AMB-25)."""
    return Diagram(
        name="edges", labels={name: text(f"R07.{name}") for name in ("zone", "ahead", "far-ahead", "far-zone", "rear")}
    )


def camp(text: CardText) -> Diagram:
    """Return a plan of camp positions and of the features that a camp avoids (SD-4.3-p1..p4)."""
    names = ("edge", "water", "road", "bad", "camp", "centre")
    return Diagram(name="camp", labels={name: text(f"R08.plan-{name}") for name in names}, max_height=44.0)


def shore(text: CardText) -> Diagram:
    """Return a plan of the shore strip and the player's camp, for the landing (SD-4.6-m2, m3)."""
    numbers = {
        "board": text.rules.number(_BOARD) * text.rules.paces_per_inch,
        "along": text.rules.number("SD-4.6-m3_along"),
        "inland": text.rules.number("SD-4.6-m3_inland"),
        "camp": text.rules.number("SD-4.6-m2_paces"),
    }
    number_texts = {name: f"{value:g}" for name, value in numbers.items()}
    names = ("npg", "you", "water", "line", "here", "camp", "camp-note")
    labels = {name: text(f"R11.{name}", **number_texts) for name in names}
    return Diagram(name="shore", labels=labels, numbers=numbers, max_height=52.0)


def places(text: CardText) -> Diagram:
    """Return a plan of the four places for groups (SD-4.7-a..d)."""
    names = ("left", "centre", "right", "reserve", "front", "edge")
    return Diagram(name="places", labels={name: text(f"R13.{name}") for name in names})


def pikes(text: CardText) -> Diagram:
    """Return a plan of pikes two deep (SD-4.7-d1)."""
    labels = {"front": text("R13.pikes-front"), "said": text("R13.two")}
    return Diagram(name="pikes", labels=labels, numbers={"elements": _PIKES})


def warband_ranks(text: CardText) -> Diagram:
    """Return a plan of both formations of massed warband with their faces (SD-4.7-d6)."""
    return _build_ranks_plan(text, "warband_ranks", "R13.warband-front", _WARBAND)


def spear_ranks(text: CardText) -> Diagram:
    """Return a plan of both formations of massed spears with their faces (SD-4.7-d7)."""
    return _build_ranks_plan(text, "spear_ranks", "R14.spears-front", _SPEARS)


def _build_ranks_plan(text: CardText, table: str, front: str, elements: int) -> Diagram:
    """Return a plan of elements two deep, and one with ends one deep, with the die faces of each.

    Args:
        text: the texts of the language.
        table: the name of the die table.
        front: the key of the label of the front.
        elements: the number of elements to draw.
    """
    spans = faces(text.rules.outcomes(table), text)
    labels = {"front": text(front), "deep": spans["deep"], "thin": spans["thin-ends"]}
    return Diagram(name="ranks", labels=labels, numbers={"elements": elements})


_CANDIDATES: Final = 10
# Modifier sums of a group that the odds card shows.
_SUMS: Final = range(-5, 8)

_FRONTAGES: Final = range(6, 13)
_EDGES: Final = ("near", "left", "far", "right")
_ROW_MM: Final = 5.0
_SMALL_ROW_MM: Final = 3.5
_ATTACKS: Final = ("safe_attack", "calculated_attack", "aggressive_attack", "reckless_attack")
_DRAW_COUNT: Final = 12
# Relative widths of the columns of places.
_PLACE_SHARES: Final = {"reserve": 1.5, "centre": 1.4, "left": 1.1, "right": 1.5, "landing": 1.7}
# The die does not change the result if the modifier sum is beyond this.
_MAX_MODIFIER_SUM: Final = 12

_MIDDLE: Final[tuple[Align, ...]] = ("middle",)
_STANCES: Final = (Stance.DEFENSIVE, Stance.CAUTIOUS, Stance.AGGRESSIVE)


def build_example(text: CardText, entries: tuple[Mapping[str, Any], ...]) -> Table:
    """Return the worked example: dice, modifiers and totals of each option, by ``entries`` (SD-2.2.1-a).

    Each entry has the option, its die, the clauses of its modifiers and its second die.
    """
    heads = ("option", "die", "modifiers", "total", "again")
    rows = []
    for entry in entries:
        amounts = [text.find_amount(clause) for clause in entry["modifiers"]]
        total, reroll_total = entry["die"] + sum(amounts), entry["again"] + sum(amounts)
        modifier_text = " ".join(map(text.format_signed, amounts))
        rows.append(
            (
                f"**{entry['option']}**",
                str(entry["die"]),
                modifier_text,
                str(total),
                f"{entry['again']} → {reroll_total}",
            )
        )
    return Table(rows=tuple(rows), head=tuple(text(f"R02.head-{name}") for name in heads))


def topography(text: CardText) -> Table:
    """Return the compulsory and optional features of each home (F-03)."""
    doubled = {row.need("piece", str) for row in text.rules.rows("pieces") if row.get("doubled", bool, False)}
    pairs = [row.need("either", tuple[str, str]) for row in text.rules.rows("littoral")]
    rows = []
    for row in text.rules.rows("topography"):
        compulsory_names, optional_names = (
            [name for name in row.need(key, list[str]) if name != "bua" or text.rules.is_on("use_bua")]
            for key in ("compulsory", "optional")
        )
        compulsory_texts = [
            f"{text(f'piece.{name}')} 1–2" if name in doubled else text(f"piece.{name}") for name in compulsory_names
        ]
        optional_texts = []
        for name in optional_names:
            pair = next((pair for pair in pairs if name in pair and set(pair) <= set(optional_names)), ())
            if not pair or name != pair[0]:
                optional_texts += [] if pair else [text(f"piece.{name}")]
                continue
            optional_texts.append(text("or", one=text(f"piece.{pair[0]}"), other=text(f"piece.{pair[1]}")))
        compulsory = (
            text("or", one=compulsory_texts[0], other=compulsory_texts[1])
            if len(compulsory_texts) > 1
            else compulsory_texts[0]
        )
        home = text(f"home.{row.need('home', str)}")
        rows.append((f"**{home}**", compulsory, text.join_texts(optional_texts)))
    head = tuple(text(f"R03.head.{name}") for name in ("home", "compulsory", "optional"))
    return Table(rows=tuple(rows), head=head, shares=(1.0, 1.1, 2.0))


def candidates(text: CardText) -> Table:
    """Return ten empty rows to write the scores of optional pieces (SD-3.2.3-a)."""
    head = ("", text("R04.piece"), text("die"), text("R04.total"), text("R04.in"))
    rows = tuple((str(number),) for number in range(1, _CANDIDATES + 1))
    return Table(rows=rows, head=head, shares=(0.5, 3.0, 1.0, 1.0, 0.8), min_height=_ROW_MM)


def edges(text: CardText) -> Table:
    """Return a grid of the nine modifiers by the four edges, with rows for die and total."""
    modifiers = text.rules.outcomes("edge").modifiers
    labels = (
        f"{chr(ord('a') + index)} {text.format_signed(modifier.amount)}" for index, modifier in enumerate(modifiers)
    )
    rows = ((text("die"),), *((name,) for name in labels), (text("R07.total"),))
    head = ("", *(text(f"edge.{edge}") for edge in _EDGES))
    return Table(rows=rows, head=head, shares=(1.3, 1, 1, 1, 1), min_height=_SMALL_ROW_MM)


def garrison(text: CardText) -> Paragraph:
    """Return the order of preference for the garrison of a built-up area (SD-4.4-p1..p9)."""
    texts = (text(f"R09.{choice.when}", type=choice.type) for choice in text.rules.garrison_choices)
    return Paragraph("; ".join(f"**{number}** {entry}" for number, entry in enumerate(texts, 1)))


def garrison_odds(text: CardText) -> Table:
    """Return the number of faces that give a garrison, by modifier sum (SD-4.4-r1, r2)."""
    table = text.rules.outcomes("garrison")
    no_garrison = table.rows[0].outcome
    counts = {
        modifier_sum: sum(table.look_up(die + modifier_sum) != no_garrison for die in FACES)
        for modifier_sum in range(-_MAX_MODIFIER_SUM, _MAX_MODIFIER_SUM + 1)
    }
    # The count is the same for all sums below `low` and above `high`.
    low = max(modifier_sum for modifier_sum, count in counts.items() if not count)
    high = min(modifier_sum for modifier_sum, count in counts.items() if count == len(FACES))
    sums = range(low, high + 1)
    ends = {
        low: text("span.most", high=text.format_signed(low)),
        high: text("span.least", low=text.format_signed(high)),
    }
    rows = tuple(
        (f"**{ends.get(modifier_sum, text.format_signed(modifier_sum))}**", _format_count(text, counts[modifier_sum]))
        for modifier_sum in sums
    )
    return Table(rows=rows, head=(text("R09.head-sum"), text("R09.head-garrison")), aligns=_MIDDLE * 2)


def position_odds(text: CardText) -> Table:
    """Return the number of rolls of two dice for each place of a group, by modifier sum (SD-4.7-e)."""
    table = text.rules.outcomes("position")
    counts = {
        modifier_sum: Counter(table.look_up(first + second + modifier_sum) for first in FACES for second in FACES)
        for modifier_sum in _SUMS
    }
    places = [row.outcome for row in table.rows]
    cells = {
        modifier_sum: [_format_count(text, count[place]) for place in places] for modifier_sum, count in counts.items()
    }
    return build_places_table(text, places, cells)


def build_places_table(text: CardText, places: Sequence[str], cells: Mapping[int, Sequence[str]]) -> Table:
    """Return a table with a column for each place of a group, and the cells of each modifier sum."""
    head = (text("R12.head-sum"), *(text(f"R12.head-{place}") for place in places))
    return _build_sums_table(text, head, cells, (0.9, *(_PLACE_SHARES[place] for place in places)))


def _build_sums_table(
    text: CardText, head: tuple[str, ...], cells: Mapping[int, Sequence[str]], shares: tuple[float, ...]
) -> Table:
    """Return a table with a row for each modifier sum, and its cells in the middle of their columns."""
    rows = tuple((f"**{text.format_signed(modifier_sum)}**", *row) for modifier_sum, row in cells.items())
    return Table(rows=rows, head=head, aligns=_MIDDLE * len(head), shares=shares)


def frontages(text: CardText) -> Table:
    """Return frontages two deep, and with a single element at each end (SD-4.7-d6, d7)."""
    rows = tuple((f"**{count}**", str(-(-count // 2)), str(2 + -(-(count - 2) // 2))) for count in _FRONTAGES)
    head = tuple(text(f"R14.head-{name}") for name in ("elements", "deep", "thin"))
    return Table(rows=rows, head=head, aligns=("middle",) * 3)


def match_ups(text: CardText) -> Results:
    """Return the bad match-ups: types, and the enemy types they suffer from (SD-4.8.1)."""
    return build_match_ups(text, ((" ".join(row.bad_for), row.by) for row in text.tactics.match_ups))


def build_match_ups(text: CardText, rows: Iterable[tuple[str, Iterable[str]]]) -> Results:
    """Return bad match-ups: types as text, and the enemy types they suffer from."""
    return Results(tuple(((types, text("R15.by", types=" ".join(enemies))),) for types, enemies in rows))


def turned(text: CardText) -> Table:
    """Return the match-ups by enemy type: the types that it is good against."""
    rows = tuple((f"**{facing}**", " ".join(good_types)) for facing, good_types in text.tactics.good_against().items())
    return Table(rows=rows, head=(text("R15.head-type"), text("R15.head-good")), shares=(1.0, 3.0))


def levels(text: CardText) -> CheckBoxes:
    """Return the aggression levels with a box each."""
    return CheckBoxes(
        tuple(f"{text(f'level.{level}')} ({text.format_signed(text.tactics.level_values[level])})" for level in Level)
    )


def level_odds(text: CardText) -> Table:
    """Return the number of faces that give each level, by modifier sum (SD-5.2-a)."""
    amounts = [value.amount for value in text.tactics.level.modifiers]
    sums = range(sum(min(0, value) for value in amounts), sum(max(0, value) for value in amounts) + 1)
    odds = {modifier_sum: text.tactics.level_odds(modifier_sum) for modifier_sum in sums}
    cells = {
        modifier_sum: [_format_count(text, counts[level]) for level in Level] for modifier_sum, counts in odds.items()
    }
    head = (text("R16.head-sum"), *(text(f"level.{level}") for level in Level))
    return _build_sums_table(text, head, cells, (0.8, 1.2, 1.0, 1.2))


def loss_index(text: CardText) -> Table:
    """Return the NET of losses: rows are the NPG's, columns the player's (SD-5.3-m1, m4, m7)."""
    lost = range(text.tactics.most_lost + 1)
    rows = tuple(
        (f"**{npg}**", *(text.format_signed(text.tactics.loss_index(npg, you)) for you in lost)) for npg in lost
    )
    return Table(rows=rows, head=("", *map(str, lost)), aligns=_MIDDLE * (len(lost) + 1))


def stance_odds(text: CardText) -> Table:
    """Return the number of rolls out of 36 that give each stance, by NET (SD-5.3-b)."""
    odds = {net: text.tactics.odds(net) for net in text.tactics.nets()}
    cells = {net: [_format_count(text, counts[stance]) for stance in _STANCES] for net, counts in odds.items()}
    head = (text("bound.net"), *(text(f"stance.{stance}") for stance in _STANCES))
    return _build_sums_table(text, head, cells, (0.8, 1.2, 1.1, 1.2))


def overrides(text: CardText) -> Boxes:
    """Return a box for each override attempt (SD-5.4-a)."""
    return Boxes(tuple(str(number) for number in range(1, text.tactics.overrides + 1)), side=6.0)


def lost(text: CardText) -> tuple[Block, ...]:
    """Return boxes to count the lost elements of each side until the game ends."""
    return tuple(CheckBoxes((text(f"R18.{side}"),), boxes=text.tactics.most_lost + 1) for side in ("npg", "you"))


def lost_rules(text: CardText) -> Iterator[str]:
    """Yield the rules for lost elements and the end of the game (AMB-43, F-13)."""
    for name in ("lost", "not-lost", "camp", "end"):
        yield text(f"R18.{name}")


def lost_elements(text: CardText) -> Bullets:
    """Return the rules for lost elements and the end of the game as bullets."""
    return Bullets(tuple(lost_rules(text)))


def luck(text: CardText) -> Table:
    """Return odds at NET 0 with dice, and with cards that are not reshuffled, in per cent."""
    cards = len(FACES) ** 2
    good = text.tactics.odds(0)[Stance.AGGRESSIVE]
    share = Fraction(good, cards)
    lines = [("one", 1), ("two", 2), ("three", 3)]
    rows = [
        (text(f"R19.row-{name}"), share**times, Fraction(comb(good, times), comb(cards, times)))
        for name, times in lines
    ]
    bad = cards - good
    rows.append(
        (
            text("R19.row-none", count=_DRAW_COUNT),
            (1 - share) ** _DRAW_COUNT,
            Fraction(comb(bad, _DRAW_COUNT), comb(cards, _DRAW_COUNT)),
        )
    )
    exact_chance = comb(cards, good) * share**good * (1 - share) ** bad
    rows.append((text("R19.row-just", count=good), exact_chance, Fraction(1)))
    text_rows = tuple(
        (label, _format_percent(dice_chance, text), _format_percent(deck_chance, text))
        for label, dice_chance, deck_chance in rows
    )
    head = ("", text("R19.head-true"), text("R19.head-even"))
    return Table(rows=text_rows, head=head, aligns=("left", "middle", "middle"), shares=(2.4, 1.0, 1.0))


def attacks(text: CardText) -> Results:
    """Return the kinds of attack with their conditions, safest first (AMB-41)."""
    rows = tuple(((text(f"R20.{name}"), text(f"action.{name}")),) for name in _ATTACKS)
    return Results((*rows, ((text("R20.none"), text("R20.none-name")),)))


def combat_factors(text: CardText) -> Table:
    """Return the close combat factors of each troop type against foot and mounted, in two columns (F-15)."""
    types = fighting_types(read_troops())
    half = -(-len(types) // 2)
    cells = [(f"**{troop.code}**", *(f"+{troop.factor[kind]}" for kind in ("foot", "mounted"))) for troop in types]
    rows = tuple((*left, *right) for left, right in zip(cells[:half], cells[half:], strict=True))
    head = ("", text("R20.foot"), text("R20.mounted")) * 2
    return Table(rows=rows, head=head, aligns=("left", "middle", "middle") * 2)


def build_odds_table(text: CardText, attackers: Sequence[TroopType], defenders: Sequence[TroopType]) -> Table:
    """Return a table of the kind of attack, and the chances to kill and to die in 36ths.

    Rows are attackers, columns are defenders.
    """
    rows = tuple(
        (f"**{attacker.code}**", *(_format_odds(text, combat_odds(attacker, defender)) for defender in defenders))
        for attacker in attackers
    )
    head = ("", *(defender.code for defender in defenders))
    shares = (1.0, *(2.0 for _ in defenders))
    return Table(rows=rows, head=head, aligns=("left", *(_MIDDLE * len(defenders))), shares=shares)


def build_odds(text: CardText, part: int) -> tuple[Block, ...]:
    """Return a note and one quarter of the odds table: a quarter of the defender types.

    ``part`` is the number of the quarter, from 0.
    """
    types = fighting_types(read_troops())
    width = -(-len(types) // 4)
    table = build_odds_table(text, types, types[part * width : (part + 1) * width])
    return Paragraph(text("R20.read"), "note"), table


def _format_odds(text: CardText, chances: CombatOdds) -> str:
    """Return the letter of an attack and its odds to kill and to die in 36ths; a dash without one."""
    if chances.attack is None:
        return text("nothing")
    return f"**{text(f'R20.letter.{chances.attack}')}** {chances.kill}/{chances.die}"


def build_move_steps(text: CardText, stance: Stance) -> Steps:
    """Return the allowed moves of a stance in order of preference (SD-5.3-A1..D9)."""
    return Steps(tuple(move_names(text, stance)))


def move_names(text: CardText, stance: Stance) -> Iterator[str]:
    """Yield the names of the moves of a stance in order of preference."""
    for move in text.tactics.permitted[stance]:
        yield text(f"action.{move.action}")


def moves(text: CardText) -> Table:
    """Return the permitted moves with a column for each stance, in order of preference."""
    columns = [tuple(move_names(text, stance)) for stance in reversed(_STANCES)]
    rows = tuple(
        tuple(f"**{place}** {name}" if name else "" for name in names)
        for place, names in enumerate(zip_longest(*columns, fillvalue=""), 1)
    )
    return Table(rows=rows, head=tuple(text(f"stance.{stance}") for stance in reversed(_STANCES)))


def build_meaning_steps(text: CardText, stance: Stance) -> Steps:
    """Return a line with the meaning of each action of a stance."""
    return Steps(
        tuple(
            f"**{text(f'action.{move.action}')}:** {text(f'meaning.{move.action}')}"
            for move in text.tactics.permitted[stance]
        )
    )


def build_glossary(text: CardText, actions: tuple[str, ...]) -> tuple[Block, ...]:
    """Return the definitions of actions, each a heading and a paragraph (SD-5.1-act01..act13)."""
    blocks: list[Block] = []
    for name in actions:
        action = Action(name)
        blocks += [Heading(text(f"action.{action}")), Paragraph(text(f"definition.{action}"))]
    return tuple(blocks)


def _format_count(text: CardText, count: int) -> str:
    """Return a number, or a dash for 0."""
    return str(count) if count else text("nothing")


def _format_percent(share: Fraction, text: CardText) -> str:
    """Return a share, 0 to 1, in per cent as text without the sign; one decimal below 20."""
    value = float(100 * share)
    digits = f"{value:.0f}" if value >= 20 or value == int(value) else f"{value:.1f}"
    return digits.replace(".", decimal_sign(text.words.code))
