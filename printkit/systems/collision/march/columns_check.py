"""Faults of armies, positions and logs (CC-E), and the check of an army (CC-S02 to S12)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct, field

from printkit.core.sums import plain_sum
from printkit.core.words import SEPARATOR, Words
from printkit.kit.rules import Rules
from printkit.systems.collision.march.columns import (
    BAGGAGE,
    COLUMNS,
    LANDS,
    LITTORAL,
    Army,
    Contingent,
    Role,
    Troops,
)

ARMY: Final = tuple(f"CC-E{number:02}" for number in range(1, 20))
LOG: Final = tuple(f"CC-E{number}" for number in range(20, 25))
PLACES: Final = tuple(f"CC-E{number}" for number in range(31, 35))
# The numbered errors of the specification, about armies, logs and positions.
CODES: Final = (*ARMY, *LOG, *PLACES)

# Codes of faults and notes without a number, by their clause.
READINGS: Final = ("CC-Q05", "CC-Q07", "CC-Q20", "CC-Q32", "CC-O12", "CC-4.4", "CC-6.4")

# Codes that do not make an army or a log illegal.
WARNINGS: Final = ("CC-E19", "CC-Q20", "CC-Q32", "CC-4.5")


class Key(NamedTuple):
    """A value of a fault that is translated."""

    key: str


Value: TypeAlias = str | int | float | Key


class Fault(Struct, frozen=True):
    """One fault: its code, and the values for its sentence."""

    code: str
    values: Mapping[str, Value] = field(default_factory=dict)

    @property
    def is_warning(self) -> bool:
        """Return whether the fault is only a warning, so that the army or the log is still legal."""
        return self.code in WARNINGS

    def describe(self, words: Words) -> str:
        """Return the sentence of the fault in the languages of ``words``, separated by a raised dot.

        Each language has its number format; equal sentences appear once.
        """
        return SEPARATOR.join(dict.fromkeys(self._sentence_in(one) for one in words.each()))

    def line(self, words: Words) -> str:
        """Return the code and the sentence of the fault."""
        return f"{self.code} {self.describe(words)}"

    def _sentence_in(self, words: Words) -> str:
        """Return the sentence of the fault in one language."""
        values = {name: _translate_value(value, words) for name, value in self.values.items()}
        return words(f"columns.faults.{self.code.removeprefix('CC-').lower()}", **values)


def format_number(number: float, words: Words) -> str:
    """Return a number without a unit, with at most four decimals and the decimal sign of the first language."""
    return f"{round(number, 4):g}".replace(".", words.each()[0]("leaflets.decimal"))


def _translate_value(value: Value, words: Words) -> object:
    """Return a value of a fault for its sentence: translated, formatted, or unchanged."""
    match value:
        case Key():
            return words(value.key)
        case float():
            return format_number(value, words)
        case _:
            return value


_PAIR: Final = 2


class Land(Struct, frozen=True, kw_only=True):
    """The water and towns on the map; ``waterway`` can be None, for an unknown map."""

    waterway: bool | None = None
    city: bool = False
    forts: int = 0


def check_army(army: Army, rules: Rules, *, land: Land | None = None) -> list[Fault]:
    """Return all faults of an army, sorted by their codes, warnings included; empty without faults.

    Args:
        army: from a file.
        rules: of the game.
        land: the map; without one, the army has no waterway, city or fort.
    """
    faults = [*_check_numbers(army, rules), *_check_sizes(army, rules), *_check_statements(army, rules, land or Land())]
    return sorted(faults, key=lambda fault: fault.code)


def column_sizes(rules: Rules, *, one_ally: bool) -> tuple[int, int, int]:
    """Return the sizes of the three columns in elements, without baggage.

    ``one_ally`` is True for an army with exactly one allied contingent.
    """
    usual = rules.whole("column_elements")
    if not one_ally:
        return usual, usual, usual
    return usual, rules.whole("column_elements_second_with_ally"), rules.whole("column_elements_third_with_ally")


def required_sizes(army: Army, rules: Rules) -> tuple[int, int, int]:
    """Return the required sizes of columns 1, 2 and 3 in elements, without baggage.

    A column with baggage has one element less if a setting counts baggage as an element. The clauses are CC-2.1,
    CC-10.3, CC-10.4 and CC-10.6.
    """
    one = len(army.used_allies) == 1 and not (rules.choice("cc-q19") == "could" and army.two_allies)
    sizes = list(column_sizes(rules, one_ally=one))
    if _counts_baggage(rules):
        for number in COLUMNS:
            sizes[number - 1] -= army.column(number).count(BAGGAGE)
    return sizes[0], sizes[1], sizes[2]


def needs_baggage(army: Army, rules: Rules, land: Land) -> bool:
    """Return whether an army must have baggage: it defends no city and has too few war wagons (CC-3.8, CC-7.5)."""
    own_only = rules.choice("cc-q22") == "own-only"
    elements = [each for each in army.elements if not own_only or each.contingent is Contingent.OWN]
    wagons = sum(element.type.split("//", 1)[0].lstrip("0123456789/") == "WWg" for element in elements)
    return not has_city(army, land) and wagons < rules.whole("wagons_min")


def has_city(army: Army, land: Land) -> bool:
    """Return whether the army defends a city: its file says so, or the defender's map has one."""
    return army.role is Role.DEFENDER and (army.city or land.city)


def _counts_baggage(rules: Rules) -> bool:
    """Return whether baggage counts as an element of its column (CC-Q09)."""
    return rules.choice("cc-q09") == "inside"


def _check_numbers(army: Army, rules: Rules) -> Iterator[Fault]:
    """Yield the faults of the number of elements, and of elements in no or several columns (CC-E01, E02)."""
    required = rules.whole("army_elements") - (1 if _counts_baggage(rules) and army.baggage_column else 0)
    if len(army.elements) != required:
        yield Fault("CC-E01", {"n": len(army.elements), "wanted": required})
    counts = Counter(name for number in COLUMNS for name in army.column(number))
    for element in army.elements:
        if counts[element.id] != 1:
            yield Fault("CC-E02", {"id": element.id})


def _check_sizes(army: Army, rules: Rules) -> Iterator[Fault]:
    """Yield the faults of the sizes of columns and of allied contingents (CC-E03, CC-E04, CC-Q20).

    Baggage does not count. Nothing is yielded for sizes that the rules require.
    """
    sizes = tuple(len(army.column(number)) - army.column(number).count(BAGGAGE) for number in COLUMNS)
    required = required_sizes(army, rules)
    if sizes != required:
        values = {"found": "/".join(map(str, sizes)), "wanted": "/".join(map(str, required))}
        yield Fault("CC-E03", {**values, "count": len(army.used_allies)})
    if not army.used_allies:
        return
    allied_ids = {element.id for element in army.elements if element.contingent is not Contingent.OWN}
    if {element.id for element in army.troops(LANDS)} != allied_ids:
        yield Fault("CC-E04")
    if len(army.used_allies) == _PAIR:
        split = tuple(sum(each.contingent is ally for each in army.elements) for ally in army.used_allies)
        alike = (rules.whole("ally_elements"),) * _PAIR
        if split != alike:
            values = {"found": " + ".join(map(str, split)), "wanted": " + ".join(map(str, alike))}
            yield Fault("CC-Q20", values)


def _check_statements(army: Army, rules: Rules, land: Land) -> Iterator[Fault]:
    """Yield the faults of baggage, general, landing and towns (CC-E05 to CC-E19).

    ``land`` has the terrain facts that some clauses need.
    """
    second, third = army.column(2), army.column(3)
    count = sum(army.column(number).count(BAGGAGE) for number in COLUMNS)
    closes = second[-1:] == (BAGGAGE,) and second.count(BAGGAGE) == 1
    opens = third[:1] == (BAGGAGE,)
    generals = [element for element in army.elements if element.general]
    ashore = dict.fromkeys(element.contingent for element in army.troops(army.landing)) if army.landing else {}
    defends = army.role is Role.DEFENDER
    wrong = {
        "CC-E05": needs_baggage(army, rules, land) and not count,
        "CC-E06": count > 1,
        "CC-E07": count and has_city(army, land),
        "CC-E08": count and (not (closes or opens) or BAGGAGE in army.column(1)),
        "CC-E09": count and army.used_allies and not closes,
        "CC-E10": count and army.landing and not closes,
        "CC-E11": len(generals) != 1 or generals[0].contingent is not Contingent.OWN,
        "CC-E12": army.landing not in (0, LANDS),
        "CC-E14": len(ashore) > 1,
        "CC-E15": army.landing and land.waterway is False,
        "CC-E16": army.fort or (land.forts and defends),
        "CC-E17": army.city and not defends,
        "CC-E18": army.garrison,
    }
    yield from (Fault(code) for code, is_wrong in wrong.items() if is_wrong)
    powers = (army.power(contingent) for contingent in ashore)
    yield from (Fault("CC-E13", {"name": power.name}) for power in powers if power.home != LITTORAL)
    depth = rules.number("baggage_mm")
    if army.baggage_depth is not None and army.baggage_depth != depth:
        yield Fault("CC-E19", {"d": army.baggage_depth, "wanted": depth})


def base_width(rules: Rules) -> float:
    """Return the base width of the board, in mm at 1:1; without a board, that of 15 mm figures."""
    return rules.board.scale.base_width if rules.board is not None else _USUAL_BASE


# --- The length of a column that is off the board, and the moves that it needs (CC-S12) -------------------------------

_LOOSE: Final = 1e-9
_USUAL_BASE: Final = 40.0


class EntryLength(Struct, frozen=True, kw_only=True):
    """The part of a column off the board, in mm at 1:1, and its slowest move in base widths (CC-4.5)."""

    column: int
    mm: float
    base_width: float
    speed: float

    @property
    def widths(self) -> float:
        """Return the length of the column that is off the board, in base widths."""
        return self.mm / self.base_width

    @property
    def moves(self) -> int:
        """Return the number of moves at the slowest speed until the rear of the column is on the board.

        The number is rounded up.
        """
        return math.ceil(self.widths / self.speed - _LOOSE)


def depth_of(army: Army, name: str, troops: Troops, rules: Rules) -> float:
    """Return the depth of an element or of the baggage in mm at 1:1.

    It is the one in the file, otherwise that of its type for the base width nearest to that of the board. ``name`` is
    the ID of the element, or the name of the baggage.
    """
    if name == BAGGAGE:
        return rules.number("baggage_mm") if army.baggage_depth is None else army.baggage_depth
    element = next(each for each in army.elements if each.id == name)
    if element.depth is not None:
        return element.depth
    troop = troops.find(element.type)
    assert troop is not None
    near = min(troop.depth, key=lambda width: (abs(width - base_width(rules)), width))
    return troop.depth[near]


def entry_length(army: Army, column: int, troops: Troops, rules: Rules, *, speed: float | None = None) -> EntryLength:
    """Return the length of a column off the board when the game begins (CC-2.4 to 2.6), in mm at 1:1.

    The first element of column 2 is on the board. All other elements of columns 2 and 3 are off, so column 1 has length
    0.

    Args:
        army: the army.
        column: 1, 2 or 3.
        troops: depths and moves.
        rules: of the game.
        speed: base widths of a move; default: that of the slowest element.
    """
    names = army.column(column)
    waiting_names = {1: (), 2: names[1:], 3: names}[column]
    mm = plain_sum(depth_of(army, name, troops, rules) for name in waiting_names)
    slow = speed or slowest_move(army, column, troops)
    return EntryLength(column=column, mm=mm, base_width=base_width(rules), speed=slow)


def slowest_move(army: Army, column: int, troops: Troops) -> float:
    """Return the move of the slowest element of ``column`` (1 to 3) in base widths (CC-4.5).

    Baggage moves like a war wagon (CC-3.2). A column without known troops has 1.
    """
    moves = [troop.move for code in army.codes(column) if (troop := troops.find(code)) is not None]
    return min(moves, default=1.0)


def entry_margin(army: Army, column: int, troops: Troops) -> float:
    """Return the least base widths from the entry of ``column`` (1 to 3) to the side edges (CC-4.3).

    It is the largest margin of its troops.
    """
    return max((troops.margin(code) for code in army.codes(column)), default=troops.side)
