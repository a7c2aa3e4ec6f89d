"""The pair card of the groups: where two dice send each, and boxes for what they came to (X5, 8.6).

Armies of many groups with many open modifiers need a second card, X5b, for the groups.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from printkit.content.prose import Align, Block, Modifiers, Table
from printkit.systems.solo.cards import pair_tables as left
from printkit.systems.solo.cards.pair_faces import Throws, short
from printkit.systems.solo.cards.pair_telling import HIGHEST, LOWEST, Telling, runs
from printkit.systems.solo.tactics.grouping import written

_ROOM: Final = 62.0
_ROOM_APART: Final = 54.0
_MOST: Final = 71.5
_ROOM_OF_HEAD: Final = 5.5
_ROOM_OF_TICK: Final = 3.9
_ROOM_OF_ROW: Final = 3.6
_SHARES: Final = {"reserve": 1.5, "centre": 1.4, "left": 1.1, "right": 1.5, "landing": 1.7}
_MIDDLE: Final[Align] = "middle"
_LEFT: Final[Align] = "left"


class _Told(Struct, frozen=True):
    """The groups, what two dice give at each sum, and for each open modifier the sums that it makes, with groups."""

    groups: Sequence[left.GroupLeft]
    sums: Mapping[int, Mapping[str, Throws]]
    shifts: Mapping[str, Mapping[int, Sequence[str]]]

    @property
    def taken(self) -> float:
        """Return how high in mm everything but the rows of the groups is on one card."""
        return 2 * _ROOM_OF_HEAD + _ROOM_OF_ROW * len(self.sums) + _ROOM_OF_TICK * len(self.shifts)

    @property
    def apart(self) -> bool:
        """Return whether the groups need a card of their own."""
        return self.taken + LOWEST * len(self.groups) > _MOST


def groups_card(tell: Telling) -> Iterator[Block]:
    """Yield X5: what two dice give at each sum, the groups with theirs, and what is still open."""
    told = _told(tell)
    yield _sums(tell, told)
    if not told.apart:
        yield _rows(tell, told, _ROOM - told.taken)
    if told.shifts:
        rows = (
            (tell.text.signed(tell.text.amount(clause)), tell.say(f"position.{clause}", then=_then(tell, own)))
            for clause, own in told.shifts.items()
        )
        yield Modifiers(tuple(rows), boxes=1)


def groups_apart(tell: Telling) -> Iterator[Block]:
    """Yield X5b: the groups, where X5 has no room for them."""
    told = _told(tell)
    if told.apart:
        yield _rows(tell, told, _ROOM_APART)


def _told(tell: Telling) -> _Told:
    found = left.groups_left(tell.pair)
    sums: dict[int, Mapping[str, Throws]] = {}
    shifts: dict[str, dict[int, list[str]]] = {}
    for letter, each in zip(_letters(len(found)), found, strict=True):
        sums.setdefault(each.places.sum, each.places.faces)
        for shifted in each.places.open:
            clause, total = shifted.modifier.clause, each.places.sum + shifted.modifier.amount
            sums.setdefault(total, shifted.faces)
            shifts.setdefault(clause, {}).setdefault(total, []).append(letter)
    return _Told(found, sums, shifts)


def _sums(tell: Telling, told: _Told) -> Table:
    text, places = tell.text, [place.value for place in left.places_of(tell.pair)]
    rows = tuple(
        (f"**{text.signed(total)}**", *(short(told.sums[total][place], text) for place in places))
        for total in sorted(told.sums)
    )
    head = (tell.say("X5.sum"), *(tell.say(f"X5.{place}") for place in places))
    shares = (0.9, *(_SHARES[place] for place in places))
    return Table(rows=rows, head=head, shares=shares, aligns=(_MIDDLE,) * len(head))


def _rows(tell: Telling, told: _Told, room: float) -> Table:
    """Return a row for each group, with its sum and boxes for dice and place."""
    groups = tuple(
        (f"**{letter}**", written(each.group, tell.pair.npg), tell.text.signed(each.places.sum))
        for letter, each in zip(_letters(len(told.groups)), told.groups, strict=True)
    )
    return Table(
        rows=groups,
        head=("", *(tell.say(f"X5.{name}") for name in ("group", "sum", "dice", "place"))),
        shares=(0.6, 2.6, 1.0, 1.6, 1.9),
        aligns=(_MIDDLE, _LEFT, _MIDDLE),
        least=max(LOWEST, min(HIGHEST, room / len(groups))),
    )


def _then(tell: Telling, own: Mapping[int, Sequence[str]]) -> str:
    """Return the groups that an open modifier is for, with the sum that each then has."""
    signed = tell.text.signed
    return tell.text.list(
        tell.say("X5.then", groups=runs(letters), sum=signed(total)) for total, letters in own.items()
    )


def _letters(count: int) -> str:
    return "ABCDEFGHIJKL"[:count]
