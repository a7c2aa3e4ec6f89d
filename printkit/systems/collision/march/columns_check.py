"""Whether an army may march as it is written (CC-S02 to S11), and how much of a column is still to come on (CC-S12)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from printkit.core.sums import plain_sum
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
from printkit.systems.collision.march.faults import Fault, reads

_PAIR: Final = 2


class Land(Struct, frozen=True, kw_only=True):
    """What an army finds on the map: whether there is a waterway (None: no map is known), a city, forts."""

    waterway: bool | None = None
    city: bool = False
    forts: int = 0


def check_army(army: Army, rules: Rules, *, land: Land | None = None) -> list[Fault]:
    """Return everything that is wrong with an army, in the order of the codes; nothing where it is legal.

    Args:
        army: what a file gives.
        rules: of the game.
        land: the map; without one nothing is said of water.
    """
    found = [*_numbers(army, rules), *_sizes(army, rules), *_stated(army, rules, land or Land())]
    return sorted(found, key=lambda fault: fault.code)


def sizes_of(rules: Rules, *, one_ally: bool) -> tuple[int, int, int]:
    """Return how many elements the three columns have, without baggage and with one allied contingent or not."""
    usual = rules.whole("column_elements")
    if not one_ally:
        return usual, usual, usual
    return usual, rules.whole("column_elements_second_with_ally"), rules.whole("column_elements_third_with_ally")


def wanted_sizes(army: Army, rules: Rules) -> tuple[int, int, int]:
    """Return how many elements the columns must have, without baggage (CC-2.1, CC-10.3, CC-10.4, CC-10.6)."""
    one = len(army.fielded) == 1 and not (reads(rules, 19, "could") and army.two_allies)
    sizes = list(sizes_of(rules, one_ally=one))
    if reads(rules, 9, "inside"):
        for number in COLUMNS:
            sizes[number - 1] -= army.column(number).count(BAGGAGE)
    return sizes[0], sizes[1], sizes[2]


def needs_baggage(army: Army, rules: Rules, land: Land) -> tuple[bool, bool]:
    """Return whether an army must have baggage, and whether it may (CC-3.8, CC-7.5)."""
    if has_city(army, land):
        return False, False
    counted = [each for each in army.elements if not (reads(rules, 22, "own-only") and each.contingent != "own")]
    wagons = sum(element.type.split("//", 1)[0].lstrip("0123456789/") == "WWg" for element in counted)
    if wagons >= rules.whole("wagons_min"):
        return False, not reads(rules, 23, "forbidden")
    return True, True


def has_city(army: Army, land: Land) -> bool:
    """Return whether the army defends a city: its file says so, or it is the defender's and one is on the map."""
    return army.role is Role.DEFENDER and (army.city or land.city)


def _numbers(army: Army, rules: Rules) -> Iterator[Fault]:
    wanted = rules.whole("army_elements") - (1 if reads(rules, 9, "inside") and army.baggage_column else 0)
    if len(army.elements) != wanted:
        yield Fault("CC-E01", {"n": len(army.elements), "wanted": wanted})
    placed = Counter(name for number in COLUMNS for name in army.column(number))
    for element in army.elements:
        if placed[element.id] != 1:
            yield Fault("CC-E02", {"id": element.id})


def _sizes(army: Army, rules: Rules) -> Iterator[Fault]:
    found = tuple(len(army.column(number)) - army.column(number).count(BAGGAGE) for number in COLUMNS)
    wanted = wanted_sizes(army, rules)
    if found != wanted:
        said = {"found": "/".join(map(str, found)), "wanted": "/".join(map(str, wanted))}
        yield Fault("CC-E03", {**said, "count": len(army.fielded)})
    if not army.fielded:
        return
    allied = {element.id for element in army.elements if element.contingent is not Contingent.OWN}
    if {element.id for element in army.troops(LANDS)} != allied:
        yield Fault("CC-E04")
    if len(army.fielded) == _PAIR:
        split = tuple(sum(each.contingent is ally for each in army.elements) for ally in army.fielded)
        alike = (rules.whole("ally_elements"),) * _PAIR
        if split != alike:
            said = {"found": " + ".join(map(str, split)), "wanted": " + ".join(map(str, alike))}
            yield Fault("CC-Q20", said, hard=reads(rules, 20, "2+2-only"))


def _stated(army: Army, rules: Rules, land: Land) -> Iterator[Fault]:
    """Yield what is wrong with baggage, general, landing and towns, each seen by a condition alone."""
    second, third = army.column(2), army.column(3)
    count = sum(army.column(number).count(BAGGAGE) for number in COLUMNS)
    must, may = needs_baggage(army, rules, land)
    closes = second[-1:] == (BAGGAGE,) and second.count(BAGGAGE) == 1
    opens = third[:1] == (BAGGAGE,)
    generals = [element for element in army.elements if element.general]
    ashore = dict.fromkeys(element.contingent for element in army.troops(army.landing)) if army.landing else {}
    defends = army.role is Role.DEFENDER
    wrong = {
        "CC-E05": must and not count,
        "CC-E06": count > 1,
        "CC-E07": count and not may and has_city(army, land),
        "CC-E08": count and (not (closes or opens) or BAGGAGE in army.column(1)),
        "CC-E09": count and army.fielded and not closes,
        "CC-E10": count and army.landing and not closes,
        "CC-E11": len(generals) != 1 or generals[0].contingent is not Contingent.OWN,
        "CC-E12": army.landing not in (0, LANDS),
        "CC-E14": len(ashore) > 1,
        "CC-E15": army.landing and land.waterway is False,
        "CC-E16": army.fort or (land.forts and defends),
        "CC-E17": army.city and not defends,
        "CC-E18": army.garrison,
    }
    yield from (Fault(code) for code, holds in wrong.items() if holds)
    if count and not may and not has_city(army, land):
        yield Fault("CC-Q23", {"wagons": rules.whole("wagons_min")})
    powers = (army.power(contingent) for contingent in ashore)
    yield from (Fault("CC-E13", {"name": power.name}) for power in powers if power.home != LITTORAL)
    depth = baggage_depth(rules)
    if army.baggage_depth is not None and army.baggage_depth != depth:
        yield Fault("CC-E19", {"d": army.baggage_depth, "wanted": depth})


def baggage_depth(rules: Rules) -> float:
    """Return how deep the baggage is in mm (CC-3.1, CC-Q29)."""
    return base_width(rules) if reads(rules, 29, "1bw") else rules.number("baggage_mm")


def base_width(rules: Rules) -> float:
    """Return the mm of a base width of the game's board; those of 15 mm figures where there is no board yet."""
    return rules.board.scale.base_width if rules.board is not None else _USUAL_BASE


# --- How much of a column is still to come on, and how many moves that takes (CC-S12) ---------------------------------

_LOOSE: Final = 1e-9
_USUAL_BASE: Final = 40.0


class EntryLength(Struct, frozen=True, kw_only=True):
    """What of a column is off the board, in mm, and its slowest move in base widths (CC-4.5)."""

    column: int
    mm: float
    base_width: float
    speed: float

    @property
    def widths(self) -> float:
        """Return the length in base widths."""
        return self.mm / self.base_width

    @property
    def moves(self) -> int:
        """Return how many moves at the slowest speed bring the rear on to the board."""
        return math.ceil(self.widths / self.speed - _LOOSE)


def depth_of(army: Army, name: str, troops: Troops, rules: Rules) -> float:
    """Return the depth in mm of an element, or of the baggage: as the file says, else as its type has it."""
    if name == BAGGAGE:
        return baggage_depth(rules) if army.baggage_depth is None else army.baggage_depth
    element = next(each for each in army.elements if each.id == name)
    if element.depth is not None:
        return element.depth
    troop = troops.find(element.type)
    assert troop is not None
    near = min(troop.depth, key=lambda width: (abs(width - base_width(rules)), width))
    return troop.depth[near]


def entry_length(army: Army, column: int, troops: Troops, rules: Rules, *, speed: float | None = None) -> EntryLength:
    """Return what of column 2 or 3 is still to come on when the game begins (CC-2.4 to 2.6).

    The lead of column 2 stands on the board, everything else of both is off.

    Args:
        army: the army.
        column: 1, 2 or 3; of the first nothing is off.
        troops: depths and moves.
        rules: of the game.
        speed: base widths; that of the slowest element where none is given.
    """
    names = army.column(column)
    off = {1: (), 2: names[1:], 3: names}[column]
    mm = plain_sum(depth_of(army, name, troops, rules) for name in off)
    slow = speed or slowest(army, column, troops)
    return EntryLength(column=column, mm=mm, base_width=base_width(rules), speed=slow)


def slowest(army: Army, column: int, troops: Troops) -> float:
    """Return the move in base widths of a column's slowest element; baggage moves like a war wagon (CC-3.2, CC-4.5)."""
    moves = [troop.move for code in army.codes(column) if (troop := troops.find(code)) is not None]
    return min(moves, default=1.0)


def entry_margin(army: Army, column: int, troops: Troops, rules: Rules) -> float:
    """Return how far from the side edges a column must come on, in base widths (CC-4.3, CC-Q16)."""
    if reads(rules, 16, "none"):
        return 0.0
    if reads(rules, 16, "4bw"):
        return troops.side
    codes = army.codes(column)[:1] if reads(rules, 16, "lead-type") else army.codes(column)
    return max((troops.margin(code) for code in codes), default=troops.side)
