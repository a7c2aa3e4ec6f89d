"""Whether an army may march as it is written (CC-S02 to S11), and how much of a column is still to come on (CC-S12)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

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
    there = land or Land()
    found = [
        *_numbers(army, rules),
        *_sizes(army, rules),
        *_baggage(army, rules, there),
        *_general(army),
        *_landing(army, there),
        *_places(army, there),
        *_depth(army, rules),
    ]
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


def _baggage(army: Army, rules: Rules, land: Land) -> Iterator[Fault]:
    count = sum(army.column(number).count(BAGGAGE) for number in COLUMNS)
    must, may = needs_baggage(army, rules, land)
    if must and not count:
        yield Fault("CC-E05")
    if count > 1:
        yield Fault("CC-E06")
    if count and not may:
        yield Fault("CC-E07") if has_city(army, land) else Fault("CC-Q23", {"wagons": rules.whole("wagons_min")})
    if not count:
        return
    second, third = army.column(2), army.column(3)
    closes = BAGGAGE in second and second.index(BAGGAGE) == len(second) - 1
    opens = BAGGAGE in third and third.index(BAGGAGE) == 0
    if not (closes or opens) or BAGGAGE in army.column(1):
        yield Fault("CC-E08")
    if army.fielded and not closes:
        yield Fault("CC-E09")
    if army.landing and not closes:
        yield Fault("CC-E10")


def _general(army: Army) -> Iterator[Fault]:
    """Yield that there is not one general of the army's own; his column is free (CC-5.1)."""
    generals = [element for element in army.elements if element.general]
    if len(generals) != 1 or generals[0].contingent is not Contingent.OWN:
        yield Fault("CC-E11")


def _landing(army: Army, land: Land) -> Iterator[Fault]:
    if not army.landing:
        return
    if army.landing != LANDS:
        yield Fault("CC-E12")
    ashore = dict.fromkeys(element.contingent for element in army.troops(army.landing))
    for contingent in ashore:
        power = army.power(contingent)
        if power.home != LITTORAL:
            yield Fault("CC-E13", {"name": power.name})
    if len(ashore) > 1:
        yield Fault("CC-E14")
    if land.waterway is False:
        yield Fault("CC-E15")


def _places(army: Army, land: Land) -> Iterator[Fault]:
    if army.fort or (land.forts and army.role is Role.DEFENDER):
        yield Fault("CC-E16")
    if army.city and army.role is not Role.DEFENDER:
        yield Fault("CC-E17")
    if army.garrison:
        yield Fault("CC-E18")


def _depth(army: Army, rules: Rules) -> Iterator[Fault]:
    wanted = baggage_depth(rules)
    if army.baggage_depth is not None and army.baggage_depth != wanted:
        yield Fault("CC-E19", {"d": army.baggage_depth, "wanted": wanted})


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
    mm = sum(depth_of(army, name, troops, rules) for name in off)
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
