"""An army in three columns, read from a file (CC-S01), and the troop types of DBA 3.

An army list is read too. The first option of each of its slots is used, unless ``chosen`` says otherwise. An army
without columns is put into three legal ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import astuple, fields, replace

from printkit.core.errors import FileError, ScenarioError, Sentence
from printkit.core.typed import MemberError, MemberPath, convert, member_error, right, wrong_choice
from printkit.kit.book_file import BookEntry
from printkit.kit.rules import Rules
from printkit.kit.sides import find_look
from printkit.systems.dba.armies.army_list import ArmyList, Elements, ListGeneral, ListSlot
from printkit.systems.dba.armies.list_notation import parse_notation
from printkit.systems.dba3.placing.terms import HomeTopography
from printkit.systems.dba3.placing.zones import DEFENDER, INVADER

# --- Depth, move and side margin of the troop types of DBA 3 ----------------------------------------------------------

WAGON: Final = "WWg"
"""The troop type with the move of baggage (CC-3.2)."""

_FIGURES: Final = re.compile(r"^(Mtd-)?\d(?:/\d)?")


class Troop(Struct, frozen=True, kw_only=True):
    """A troop type: ``move`` in base widths in good going, ``depth`` in mm by the width of a base in mm."""

    move: float
    depth: Mapping[int, float]


class TroopRow(BookEntry, frozen=True, kw_only=True):
    """Types with the same move and depth in the list ``troops`` of a rule book."""

    codes: tuple[str, ...]
    move: float
    depth: dict[Literal["40mm", "60mm"], float]


class Troops(Struct, frozen=True, kw_only=True):
    """All troop types by their codes; the side margins of the deployment zone, in base widths."""

    types: Mapping[str, Troop]
    near_sides: tuple[str, ...]
    side: float
    side_near: float

    def find(self, code: str) -> Troop | None:
        """Return the type of a code such as ``4Bd``, ``3/4Wb`` or ``3Kn//4Bd``, whose part before ``//`` counts."""
        text = code.split("//", 1)[0].strip()
        return self.types.get(text) or self.types.get(_bare(text))

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
        FileError: a row is wrong; names file, line and key.
    """
    types: dict[str, Troop] = {}
    for row in rules.rows("troops"):
        troop = row.read(TroopRow)
        depth = {int(width.removesuffix("mm")): mm for width, mm in troop.depth.items()}
        for place, code in enumerate(troop.codes):
            if code in types:
                reason = Sentence("the code {code} is listed twice; each code must name one type", code=code)
                raise row.error(reason, "codes", place)
            types[code] = Troop(move=troop.move, depth=depth)
    return Troops(
        types=types,
        near_sides=tuple(code for row in rules.rows("near_sides") for code in row.need("types", list[str])),
        side=rules.number("zone_side_bw"),
        side_near=rules.number("zone_side_bw_fast"),
    )


BAGGAGE: Final = "BG"
"""The ID of the baggage in a column; it is not among the elements (CC-S01)."""

COLUMNS: Final = (1, 2, 3)
HOMES: Final = tuple(home.value for home in HomeTopography)
LITTORAL: Final = "littoral"
LANDS: Final = 3
"""The column that may land (CC-6.2); it is that of a landing without a number."""

Depth = Annotated[float, Meta(gt=0, le=10_000), right(Sentence("a number of millimetres above 0"))]


class Role(StrEnum):
    """The side that chose the terrain and deploys first, and the other side (CC-2.8)."""

    DEFENDER = "defender"
    ATTACKER = "attacker"

    @property
    def letter(self) -> str:
        """Return the letter of the side in records and overlays."""
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


class Element(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One element: its ID, the code of its type, mm of depth, whether the general stands on it, and whose it is."""

    id: Annotated[str, Meta(pattern=r"\S")]
    type: Annotated[str, Meta(pattern=r"\S")]
    depth: Depth | None = field(default=None, name="depth_mm")
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
        elements = {element.id: element for element in self.elements}
        return tuple(elements[name] for name in self.column(number) if name != BAGGAGE)

    def codes(self, number: int) -> tuple[str, ...]:
        """Return the codes of the types of a column from front to rear; baggage moves like a war wagon (CC-3.2)."""
        kinds = {element.id: element.type for element in self.elements} | {BAGGAGE: WAGON}
        return tuple(kinds[name] for name in self.column(number))

    @property
    def used_allies(self) -> tuple[Contingent, ...]:
        """Return the allied contingents that have elements here."""
        there = {element.contingent for element in self.elements}
        return tuple(ally for ally in (Contingent.FIRST, Contingent.SECOND) if ally in there)

    def power(self, contingent: Contingent) -> ArmyName:
        """Return the name and home of a contingent; one without a name has that of its place in the file."""
        if contingent is Contingent.OWN:
            return ArmyName(name=self.name, home=self.home)
        return self.allies.get(contingent, ArmyName(name=contingent.value))

    @property
    def baggage_column(self) -> int:
        """Return the first column in which baggage marches, or 0."""
        return next((number for number in COLUMNS if BAGGAGE in self.column(number)), 0)

    @property
    def general(self) -> Element | None:
        """Return the general's element, the first if there are several; None without a general."""
        return next((element for element in self.elements if element.general), None)


Text = Annotated[str, Meta(pattern=r"\S")]
Ids = Annotated[tuple[str, ...], right(Sentence('a list of ids, for example ["A", "B"]'))]


class Ally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An allied contingent in a file."""

    name: Text
    home: HomeTopography


class ThreeColumns(Struct, frozen=True, forbid_unknown_fields=True):
    """The ids of the three columns in a file, from front to rear."""

    first: Ids = field(default=(), name="1")
    second: Ids = field(default=(), name="2")
    third: Ids = field(default=(), name="3")


class ArmyTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An army in columns in a file (CC-S01)."""

    name: Text
    role: Role | None = None
    home: HomeTopography
    elements: tuple[Element, ...]
    ally1: Ally | None = None
    ally2: Ally | None = None
    columns: ThreeColumns | None = None
    city: bool = False
    fort: bool = False
    garrison: bool = False
    two_allies: bool = False
    landing: Annotated[
        bool | Annotated[int, Meta(ge=1, le=3)], right(Sentence("true or false, or the number of a column from 1 to 3"))
    ] = False
    baggage_depth_mm: Depth | None = None

    def __post_init__(self) -> None:
        ids = [element.id for element in self.elements]
        for place, name in enumerate(ids):
            if name in ids[:place] or name == BAGGAGE:
                raise MemberError(
                    "the id {element!r} is used twice or means baggage; choose another",
                    "elements",
                    place,
                    element=name,
                )
        for number, column in enumerate(astuple(self.columns or ThreeColumns()), 1):
            for name in column:
                if name not in ids and name != BAGGAGE:
                    raise MemberError(
                        "column {number} names {name!r}, which is not an element of this army",
                        "columns",
                        str(number),
                        number=number,
                        name=name,
                    )


# Keys of an army file that columns do not need.
_UNUSED: Final = {
    *("schema", "id", "number", "dates", "version", "source", "confidence", "doubt", "fielded", "by_name", "note"),
    *("aggression", "camp", "littoral"),
}
_LIST_KEYS: Final = {member.encode_name for member in fields(ArmyList)}

# Elements of a column without allies (CC-S03).
_COLUMN_SIZE: Final = 4

# War wagons that take the place of baggage (CC-3.8).
_WAGONS: Final = 2


def read_army(tree: Mapping[str, Any], place: str, troops: Troops, *, role: str = "") -> Army:
    """Return the army of a table, which may be an army list without elements and columns.

    Args:
        tree: the table of a scenario file, or of an army's own file.
        place: the start of errors, for example ``army.defender``.
        troops: the troop types.
        role: the side of the army, or "" if only the table has it; the two must not differ.

    Raises:
        ScenarioError: a key or value is wrong; the message gives the key and a correct value.
    """
    try:
        return _read_army(tree, place, troops, role)
    except (FileError, ScenarioError) as error:
        wrong = ScenarioError("{error}", error=error)
        wrong.member = (*place.split("."), *error.member)
        raise wrong from None


def _read_army(tree: Mapping[str, Any], place: str, troops: Troops, role: str) -> Army:
    paths: Sequence[MemberPath] = ()
    if "elements" not in tree and not _LIST_KEYS.isdisjoint(tree):
        tree, paths = _count_elements(tree, place)
    # Homes and sides may be in capitals.
    words = {key: tree[key].lower() for key in ("home", "role") if isinstance(tree.get(key), str)}
    table = convert({**({"role": role} if role else {}), **tree, **words}, ArmyTable, place)
    if table.role is None or (role and table.role != role):
        reason = Sentence("role = {said} is in the table of the {role}; leave it out", said=table.role, role=role)
        raise member_error(place, None, (), reason)
    for number, element in enumerate(table.elements):
        if troops.find(element.type) is None:
            reason = wrong_choice("type", element.type, list(troops.types))
            if paths:
                raise member_error(place, None, (), reason, paths[number])
            raise member_error(place, None, ("elements", number), reason)
    allies = {Contingent.FIRST: table.ally1, Contingent.SECOND: table.ally2}
    landing = LANDS if table.landing is True else int(table.landing)
    columns = table.columns or ThreeColumns()
    army = Army(
        name=table.name.strip(),
        role=table.role,
        home=table.home.value,
        elements=table.elements,
        columns=(columns.first, columns.second, columns.third),
        allies={key: ArmyName(name=ally.name, home=ally.home.value) for key, ally in allies.items() if ally},
        city=table.city,
        fort=table.fort,
        garrison=table.garrison,
        two_allies=table.two_allies,
        landing=landing,
        baggage_depth=table.baggage_depth_mm,
    )
    return army if table.columns else replace(army, columns=_form_columns(army, troops))


def _count_elements(tree: Mapping[str, Any], place: str) -> tuple[dict[str, Any], list[MemberPath]]:
    """Return the table of an army list with its elements in place of the list, and the member of each element.

    The general is the first.

    Raises:
        PrintkitError: the list is wrong.
    """
    line = tree.get("list")
    values = {**(parse_notation(line, HOMES) if isinstance(line, str) else {}), **tree}
    army = convert(values, ArmyList, place)
    if isinstance(army.general, ListGeneral):
        codes = _list_codes(army.chosen.get("general", army.general.options[0]))
        paths: list[MemberPath] = [("general",)] * len(codes)
        for number, slot in enumerate(army.slot):
            codes += _slot_codes(slot, army.chosen.get(slot.id or ""))
            paths += [("slot", number)] * (len(codes) - len(paths))
    else:
        codes = _list_codes(army.counts or {})
        paths = [("counts",)] * len(codes)
        if army.general not in codes:
            reason = wrong_choice("general", str(army.general), list(army.counts or ()))
            raise member_error(place, None, (), reason, ("general",))
        codes.insert(0, codes.pop(codes.index(army.general)))
    elements = [{"id": f"E{number}", "type": code, "general": number == 1} for number, code in enumerate(codes, 1)]
    name = values.get("id", place.rpartition(".")[2])
    others = {key: value for key, value in values.items() if key not in _LIST_KEYS | _UNUSED}
    return {"name": name, **others, "elements": elements}, [("list",) if line else path for path in paths]


def _slot_codes(slot: ListSlot, choice: Elements | list[Elements] | None) -> list[str]:
    """Return the codes of a slot; a chosen code alone stands for as many as the slot has."""
    if slot.options and (choice is None or isinstance(choice, str)):
        return _list_codes(slot.options[0] if choice is None else choice) * slot.count
    return _list_codes(slot.fixed or choice or [])


def _list_codes(value: Elements | list[Elements]) -> list[str]:
    """Return the codes of a code, of a table of codes and numbers, or of a list of both."""
    if isinstance(value, list):
        return [code for item in value for code in _list_codes(item)]
    return [value] if isinstance(value, str) else [code for code, count in value.items() for _ in range(count)]


def _form_columns(army: Army, troops: Troops) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return three legal columns of an army, the general at the head of the first (CC-S03 to CC-S07).

    The slow march first and the fast come last, as a column comes on at the move of its slowest (CC-4.5). Allies are
    the third column. Baggage ends the second, where any is needed.
    """

    def move(element: Element) -> float:
        troop = troops.find(element.type)
        return 0.0 if troop is None else troop.move

    own = [element for element in army.elements if element.contingent is Contingent.OWN]
    ally_ids = [element.id for element in army.elements if element.contingent is not Contingent.OWN]
    general = [element for element in own if element.general][:1]
    others = sorted((element for element in own if element not in general), key=move)
    marching = [element.id for element in (*general, *others)]
    end = len(marching) if ally_ids else 2 * _COLUMN_SIZE
    wagons = sum(element.type.endswith(WAGON) for element in army.elements)
    baggage = [] if army.city or wagons >= _WAGONS else [BAGGAGE]
    return tuple(marching[:_COLUMN_SIZE]), (*marching[_COLUMN_SIZE:end], *baggage), tuple(ally_ids or marching[end:])
