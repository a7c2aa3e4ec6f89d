"""What is known of the table: facts by name, each yes, no, a number or unknown, with where it comes from (0.6, 7.5)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeAlias

from msgspec import Struct, field

from printkit.core.errors import ScenarioError
from printkit.systems.solo.armies.steps import Fact, all_facts, any_fact, negate_fact
from printkit.terrain.field.battlefield import Edge

FactValue: TypeAlias = bool | int | str

NONE: Final = "none"
"""The value of ``waterway`` and ``bua`` where there is none on the table."""

EDGES: Final = (Edge.NEAR, Edge.LEFT, Edge.FAR, Edge.RIGHT)
"""In the order in which edges throw their dice (0.5)."""

CORNERS: Final = ("near-left", "near-right", "far-left", "far-right")

_OPPOSITE: Final = {Edge.NEAR: Edge.FAR, Edge.FAR: Edge.NEAR, Edge.LEFT: Edge.RIGHT, Edge.RIGHT: Edge.LEFT}


class Place(StrEnum):
    """Where a group may be sent (SD-4.7-a..d), as the NPG faces the enemy; or off the table, to land."""

    RESERVE = "reserve"
    CENTRE = "centre"
    LEFT = "left"
    RIGHT = "right"
    LANDING = "landing"


_KEYS: Final = {
    Place.RESERVE: "reserve",
    Place.CENTRE: "centre",
    Place.LEFT: "left_flank",
    Place.RIGHT: "right_flank",
}
"""Places as a battle file names them; the edges of the board are called left and right too."""

_TEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    "waterway": (*(edge.value for edge in EDGES), NONE),
    "bua": (*CORNERS, NONE),
}
_NUMBERS: Final = (
    "you_reserved_landing",
    *(f"{name}.{part}" for name in _KEYS.values() for part in ("room", "room_for_wheels")),
)
_YES_NO: Final = (
    "bua_own_side",
    "your_camp_within_6in_of_waterway",
    "bad_going_at_shore",
    "dunes_at_shore",
    "your_troops_within_3in_of_your_camp",
    "ground_ahead_good",
    "both_flanks_bad",
    *(f"{edge}.{part}" for edge in EDGES for part in ("zone_clear", "zone_bad_centre", "bad_ahead", "gentle_hill")),
    *(f"{flank}.{part}" for flank in ("left_flank", "right_flank") for part in ("bad_going", "bad_ahead", "clear")),
    *(f"{name}.{part}" for name in _KEYS.values() for part in ("closed", "closed_to_wheels")),
)
NAMES: Final = (*_TEXTS, *_NUMBERS, *_YES_NO)
"""Every fact that a person may give."""


class Situation(Struct, frozen=True, kw_only=True):
    """Facts of the table by name; ``sources`` says of each whether it was ``given``, ``asked``, of the ``map``, or
    follows from the ``armies``.
    """

    values: Mapping[str, FactValue] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def given(cls, source: str = "given", **facts: FactValue) -> Situation:
        """Return a situation of these facts; a dot in a name is written as two underlines."""
        return cls().knowing({name.replace("__", "."): value for name, value in facts.items()}, source)

    def knowing(self, facts: Mapping[str, FactValue], source: str) -> Situation:
        """Return the situation with more facts, which outweigh those already known."""
        checked = {name: read_fact(name, value) for name, value in facts.items()}
        return Situation(values={**self.values, **checked}, sources={**self.sources, **dict.fromkeys(checked, source)})

    def fact(self, name: str) -> Fact:
        """Return a yes-or-no fact, or None where nobody knows it."""
        value = self.values.get(name)
        return value if isinstance(value, bool) else None

    def number(self, name: str) -> int | None:
        """Return a number, or None where nobody knows it."""
        value = self.values.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def text(self, name: str) -> str:
        """Return a fact that is a word, or nothing where nobody knows it."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def from_home(self, *, littoral: bool) -> Situation:
        """Return the situation with what follows from YOUR home: who has no shore holds nobody back to land.

        Nor does who has no waterway on the table. What was said outweighs it.
        """
        if (littoral and self.waterway is not False) or "you_reserved_landing" in self.values:
            return self
        return self.knowing({"you_reserved_landing": 0}, "armies")

    # --- what follows from the facts ------------------------------------------------------------------------------

    @property
    def waterway(self) -> Fact:
        """Return whether there is a waterway on the table."""
        return (self.text("waterway") != NONE) if self.text("waterway") else None

    @property
    def bua(self) -> Fact:
        """Return whether there is a built-up area on the table."""
        return (self.text("bua") != NONE) if self.text("bua") else None

    def waterway_at(self, *edges: Edge) -> Fact:
        """Return whether the waterway runs along one of these edges."""
        return (self.text("waterway") in edges) if self.text("waterway") else None

    def beside_bua(self, edge: Edge) -> Fact:
        """Return whether the corner of the built-up area lies on an edge (SD-4.1-a)."""
        return (edge in self.text("bua").split("-")) if self.text("bua") else None

    def bua_own_side(self, edge: Edge | None) -> Fact:
        """Return whether the built-up area is on the side of whoever has this base edge (AMB-26)."""
        stated = self.fact("bua_own_side")
        if stated is not None or edge is None or not self.bua:
            return stated
        return self.beside_bua(edge)

    @property
    def both_flanks_bad(self) -> Fact:
        """Return whether both flanks are bad going (AMB-34)."""
        stated = self.fact("both_flanks_bad")
        return stated if stated is not None else all_facts(self.flank_bad(Place.LEFT), self.flank_bad(Place.RIGHT))

    def flank_bad(self, place: Place) -> Fact:
        """Return whether a flank is bad going or has it within 600 p ahead (SD-4.7-d10)."""
        name = _KEYS[place]
        return any_fact(self.fact(f"{name}.bad_going"), self.fact(f"{name}.bad_ahead"))

    def flank_clear(self, place: Place) -> Fact:
        """Return whether a flank has no bad going, neither in it nor within 600 p ahead (SD-4.7-d10).

        What a person or the map says of it counts first; otherwise it is the opposite of ``flank_bad``. None if that
        is not known. ``place`` is the left or the right flank.
        """
        stated = self.fact(f"{_KEYS[place]}.clear")
        return stated if stated is not None else negate_fact(self.flank_bad(place))

    def holds(self, place: Place, elements: int, *, wheels: bool) -> Fact:
        """Return whether a place has ground on which so many elements can stand (SD-4.7-j).

        Args:
            place: where they are sent.
            elements: how many of them.
            wheels: some of them cannot enter bad going.
        """
        if place is Place.LANDING:
            return True
        name = _KEYS[place]
        answers = [self._room(name, "room", "closed", elements)]
        if wheels:
            answers.append(self._room(name, "room_for_wheels", "closed_to_wheels", elements))
        return all_facts(*answers)

    def _room(self, name: str, room: str, closed: str, elements: int) -> Fact:
        stated, found = self.fact(f"{name}.{closed}"), self.number(f"{name}.{room}")
        if stated is not None:
            return not stated
        return None if found is None else found >= elements


def facing(edge: Edge) -> Edge:
    """Return the opposite edge."""
    return _OPPOSITE[edge]


def flanking(edge: Edge) -> tuple[Edge, Edge]:
    """Return the two edges beside an edge."""
    one, other = (beside for beside in EDGES if beside not in (edge, _OPPOSITE[edge]))
    return one, other


def key_of(place: Place) -> str:
    """Return the name of a place in a battle file: ``centre``, ``left_flank`` ..."""
    return _KEYS[place]


def read_fact(name: str, value: object) -> FactValue:
    """Return the value of a fact.

    Raises:
        ScenarioError: there is no such fact, or it cannot be that; names it and what would be right.
    """
    if name in _TEXTS:
        if value not in _TEXTS[name]:
            raise ScenarioError(
                "facts: {name} = {value!r} is not valid; use one of {texts}",
                name=name,
                value=value,
                texts=", ".join(_TEXTS[name]),
            )
        return str(value)
    if name in _NUMBERS:
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise ScenarioError(
                "facts: {name} = {value!r} is not a number of elements; write 0, 1, 2 ...", name=name, value=value
            )
        return value
    if name not in _YES_NO:
        raise ScenarioError("facts: unknown fact {name!r}; use one of {names}", name=name, names=", ".join(NAMES))
    if not isinstance(value, bool):
        raise ScenarioError(
            "facts: {name} = {value!r} is not valid; write true or false, or leave it out if you do not know",
            name=name,
            value=value,
        )
    return value


def is_number(name: str) -> bool:
    """Return whether a fact is a number of elements."""
    return name in _NUMBERS


def choices_of(name: str) -> tuple[str, ...]:
    """Return the words that a fact may be, or nothing where it is a number or yes or no."""
    return _TEXTS.get(name, ())
