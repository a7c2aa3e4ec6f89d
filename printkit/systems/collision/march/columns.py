"""An army in three columns, as a file gives it (CC-S01), and what DBA 3 says of its troop types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct, field

from printkit.core.errors import BookError, ScenarioError, Sentence
from printkit.kit.rules import Rules
from printkit.kit.sides import find_look
from printkit.systems.dba3.placing.terms import HomeTopography
from printkit.systems.dba3.placing.zones import DEFENDER, INVADER

# --- Depth, move and side margin of the troop types of DBA 3 ----------------------------------------------------------

WAGON: Final = "WWg"
"""What baggage moves like (CC-3.2)."""

_FIGURES: Final = re.compile(r"^(Mtd-)?\d(?:/\d)?")


class Troop(Struct, frozen=True, kw_only=True):
    """A troop type: ``move`` in base widths in good going, ``depth`` in mm by the width of a base in mm."""

    move: float
    depth: Mapping[int, float]


class Troops(Struct, frozen=True, kw_only=True):
    """All troop types by their codes; the side margins of the deployment zone, in base widths."""

    known: Mapping[str, Troop]
    near_sides: tuple[str, ...]
    side: float
    side_near: float

    def find(self, code: str) -> Troop | None:
        """Return the type of a code such as ``4Bd``, ``3/4Wb`` or ``3Kn//4Bd``, whose part before ``//`` counts."""
        text = code.split("//", 1)[0].strip()
        return self.known.get(text) or self.known.get(_bare(text))

    def margin(self, code: str) -> float:
        """Return how near to the side edges troops of a code may come on, in base widths."""
        text = code.split("//", 1)[0].strip()
        return self.side_near if text in self.near_sides or _bare(text) in self.near_sides else self.side


def _bare(code: str) -> str:
    """Return the type in a code, without its number of figures."""
    return _FIGURES.sub(lambda match: match[1] or "", code)


def read_troops(rules: Rules) -> Troops:
    """Return the troop types of a rule book, with the margins of its deployment zone.

    Raises:
        BookError: a row is wrong; names file, row and key.
    """
    known: dict[str, Troop] = {}
    for row in rules.rows("troops"):
        row.only("codes", "move", "depth", "confidence", "clause")
        depth = {int(width.removesuffix("mm")): float(mm) for width, mm in row.need("depth", dict).items()}
        for code in row.need("codes", list):
            if code in known:
                raise BookError(
                    "{place}: the code {code} is listed twice; each code must name one type", place=row.place, code=code
                )
            known[code] = Troop(move=row.need("move", float), depth=depth)
    return Troops(
        known=known,
        near_sides=tuple(code for row in rules.rows("near_sides") for code in row.need("types", list)),
        side=rules.number("zone_side_bw"),
        side_near=rules.number("zone_side_bw_fast"),
    )


BAGGAGE: Final = "BG"
"""How a column names the baggage, which is not among the elements (CC-S01)."""

COLUMNS: Final = (1, 2, 3)
HOMES: Final = tuple(home.value for home in HomeTopography)
LITTORAL: Final = "littoral"
LANDS: Final = 3
"""The column that may land (CC-6.2), and that a landing without a number means."""

SHARED: Final = ("name", "role", "home", "elements", "ally1", "ally2", "columns")
MARKS: Final = ("city", "fort", "garrison", "two_allies", "landing", "baggage_depth_mm")
_ELEMENT: Final = ("id", "type", "depth_mm", "general", "contingent")


class Role(StrEnum):
    """Who chose the terrain, and deploys first, and who did not (CC-2.8)."""

    DEFENDER = "defender"
    ATTACKER = "attacker"

    @property
    def letter(self) -> str:
        """Return the letter by which records and overlays name the side."""
        return DEFENDER if self is Role.DEFENDER else INVADER

    @property
    def token(self) -> str:
        """Return the name of the ink of a side."""
        return find_look(self.letter).ink


class Contingent(StrEnum):
    """Whose an element is."""

    OWN = "own"
    FIRST = "ally1"
    SECOND = "ally2"


class Element(Struct, frozen=True, kw_only=True):
    """One element: its ID, the code of its type, mm of depth, whether the general stands on it, and whose it is."""

    id: str
    type: str
    depth: float | None = None
    general: bool = False
    contingent: Contingent = Contingent.OWN


class ArmyName(Struct, frozen=True, kw_only=True):
    """An army or an allied contingent by name and home topography, which is empty where nobody says it."""

    name: str
    home: str = ""


class Army(Struct, frozen=True, kw_only=True):
    """An army as it marches on.

    ``columns`` are three tuples of IDs from front to rear, ``BG`` for the baggage. ``landing`` is the column that is
    to land, or 0. ``two_allies`` says that its list allows two (CC-Q19). ``garrison`` and ``fort`` are what may not be.
    """

    name: str
    role: Role
    home: str
    elements: tuple[Element, ...]
    columns: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    allies: Mapping[Contingent, ArmyName] = field(default_factory=dict)
    city: bool = False
    fort: bool = False
    garrison: bool = False
    two_allies: bool = False
    landing: int = 0
    baggage_depth: float | None = None

    def column(self, number: int) -> tuple[str, ...]:
        """Return the IDs of a column, 1 to 3, from front to rear."""
        return self.columns[number - 1]

    def troops(self, number: int) -> tuple[Element, ...]:
        """Return the elements of a column without the baggage, from front to rear."""
        known = {element.id: element for element in self.elements}
        return tuple(known[name] for name in self.column(number) if name != BAGGAGE)

    def codes(self, number: int) -> tuple[str, ...]:
        """Return the codes of the types of a column from front to rear; baggage moves like a war wagon (CC-3.2)."""
        kinds = {element.id: element.type for element in self.elements} | {BAGGAGE: WAGON}
        return tuple(kinds[name] for name in self.column(number))

    @property
    def fielded(self) -> tuple[Contingent, ...]:
        """Return the allied contingents that have elements here."""
        there = {element.contingent for element in self.elements}
        return tuple(ally for ally in (Contingent.FIRST, Contingent.SECOND) if ally in there)

    def power(self, contingent: Contingent) -> ArmyName:
        """Return whose elements these are; a contingent without a name is called by its place in the file."""
        if contingent is Contingent.OWN:
            return ArmyName(name=self.name, home=self.home)
        return self.allies.get(contingent, ArmyName(name=contingent.value))

    @property
    def baggage_column(self) -> int:
        """Return the first column in which baggage marches, or 0."""
        return next((number for number in COLUMNS if BAGGAGE in self.column(number)), 0)

    @property
    def general(self) -> Element | None:
        """Return the general's element, the first where there are several."""
        return next((element for element in self.elements if element.general), None)


def read_army(tree: Mapping[str, Any], place: str, troops: Troops, *, role: str = "") -> Army:
    """Return the army of a table.

    Args:
        tree: the table of a scenario file, or of an army's own file.
        place: what errors call it, as ``army.defender``.
        troops: the types known.
        role: the side that it is given for; the table may leave it out, but not contradict it.

    Raises:
        ScenarioError: a key or value is wrong; says which, and what would be right.
    """
    reader = _Reader(tree, place)
    reader.only(*SHARED, *MARKS)
    elements = tuple(_elements(reader, troops))
    seen: set[str] = set()
    for element in elements:
        if element.id in seen or element.id == BAGGAGE:
            raise ScenarioError(
                "{place}: the id {element!r} is used twice or means baggage; choose another",
                place=place,
                element=element.id,
            )
        seen.add(element.id)
    return Army(
        name=reader.text("name"),
        role=_role(reader, role),
        home=_home(reader),
        elements=elements,
        columns=_columns(reader, seen),
        allies=dict(_allies(reader)),
        city=reader.flag("city"),
        fort=reader.flag("fort"),
        garrison=reader.flag("garrison"),
        two_allies=reader.flag("two_allies"),
        landing=_landing(reader),
        baggage_depth=reader.number("baggage_depth_mm"),
    )


class _Reader(Struct, frozen=True):
    """A table and its place in a file; every value is asked for by its kind."""

    tree: Mapping[str, Any]
    place: str

    def only(self, *names: str) -> None:
        for name in self.tree:
            if name not in names:
                raise ScenarioError(
                    "{place}: unknown key {name!r}; known keys are {names}",
                    place=self.place,
                    name=name,
                    names=", ".join(names),
                )

    def text(self, name: str, default: str | None = None) -> str:
        value = self.tree.get(name, default)
        if not isinstance(value, str) or (default is None and not value.strip()):
            raise ScenarioError(
                '{place}: {name} = {value!r} is not a text; write {name} = "..."',
                place=self.place,
                name=name,
                value=value,
            )
        return value.strip()

    def flag(self, name: str) -> bool:
        value = self.tree.get(name, False)
        if not isinstance(value, bool):
            raise ScenarioError(
                "{place}: {name} = {value!r} is neither true nor false", place=self.place, name=name, value=value
            )
        return value

    def number(self, name: str) -> float | None:
        value = self.tree.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
            raise ScenarioError(
                "{place}: {name} = {value!r} is not a number of millimetres above 0",
                place=self.place,
                name=name,
                value=value,
            )
        return float(value)

    def table(self, name: str, default: Mapping[str, Any] | None = None) -> _Reader:
        value = self.tree.get(name, default)
        if not isinstance(value, Mapping):
            raise ScenarioError(
                "{place}: {name} = {value!r} is not a table; write {name} = {{ ... }}",
                place=self.place,
                name=name,
                value=value,
            )
        return _Reader(value, f"{self.place}.{name}")


def _elements(reader: _Reader, troops: Troops) -> Iterator[Element]:
    rows = reader.tree.get("elements")
    if not isinstance(rows, list | tuple) or not all(isinstance(row, Mapping) for row in rows):
        raise ScenarioError(
            '{place}: elements is not a list of tables such as {{ id = "A", type = "4Bd" }}', place=reader.place
        )
    for number, row in enumerate(rows, 1):
        own = _Reader(row, Sentence("{place}: element {number}", place=reader.place, number=number))
        own.only(*_ELEMENT)
        kind, depth = own.text("type"), own.number("depth_mm")
        if troops.find(kind) is None:
            known = ", ".join(troops.known)
            raise ScenarioError(
                "{place}: type {kind!r} is not a known troop type; use one of {known}",
                place=own.place,
                kind=kind,
                known=known,
            )
        yield Element(
            id=own.text("id"),
            type=kind,
            depth=depth,
            general=own.flag("general"),
            contingent=Contingent(_chosen(own, "contingent", [each.value for each in Contingent], "own")),
        )


def _role(reader: _Reader, given: str) -> Role:
    said = _chosen(reader, "role", [each.value for each in Role], given or None)
    if given and said != given:
        raise ScenarioError(
            "{place}: role = {said!r} is in the table of the {given}; leave it out",
            place=reader.place,
            said=said,
            given=given,
        )
    return Role(said)


def _home(reader: _Reader) -> str:
    return _chosen(reader, "home", HOMES, None)


def _chosen(reader: _Reader, name: str, known: tuple[str, ...] | list[str], default: str | None) -> str:
    said = reader.text(name, default).lower()
    if said not in known:
        raise ScenarioError(
            "{place}: {name} = {said!r} is not valid; use one of {known}",
            place=reader.place,
            name=name,
            said=said,
            known=", ".join(known),
        )
    return said


def _allies(reader: _Reader) -> Iterator[tuple[Contingent, ArmyName]]:
    for ally in (Contingent.FIRST, Contingent.SECOND):
        if ally.value in reader.tree:
            own = reader.table(ally.value)
            own.only("name", "home")
            yield ally, ArmyName(name=own.text("name"), home=_home(own))


def _columns(reader: _Reader, known: set[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    own = reader.table("columns")
    own.only(*map(str, COLUMNS))
    found = []
    for number in COLUMNS:
        names = own.tree.get(str(number), [])
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            raise ScenarioError(
                '{place}: {number} = {names!r} is not a list of ids such as ["A", "B"]',
                place=own.place,
                number=number,
                names=names,
            )
        for name in names:
            if name not in known and name != BAGGAGE:
                raise ScenarioError(
                    "{place}: column {number} names {name!r}, which is not an element of this army",
                    place=own.place,
                    number=number,
                    name=name,
                )
        found.append(tuple(names))
    return found[0], found[1], found[2]


def _landing(reader: _Reader) -> int:
    """Return the column that is to land: true means the third, a number that one (CC-6.2)."""
    value = reader.tree.get("landing", False)
    if isinstance(value, bool):
        return LANDS if value else 0
    if isinstance(value, int) and value in COLUMNS:
        return value
    raise ScenarioError(
        "{place}: landing = {value!r} is neither true nor false, nor a column from 1 to 3",
        place=reader.place,
        value=value,
    )
