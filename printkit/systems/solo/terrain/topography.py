"""Home topographies and pieces as the book lists them, and the armies by which each modifier is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from msgspec import Struct

from printkit.chance.tables import DieTable
from printkit.core.errors import BookError
from printkit.kit.book import BookRow, RuleBook
from printkit.systems.dba.ground.legal import Pick, Terrain
from printkit.systems.solo.armies.force import Force, Home
from printkit.systems.solo.armies.steps import AppliedModifier, applied

BAD: Final = "bad"
ON: Final = "true"

_WATERS: Final = (Terrain.WATERWAY, Terrain.RIVER)

Named = TypeVar("Named", Terrain, Home)


class Topography(Struct, frozen=True, kw_only=True):
    """What a home topography compels, of which one is taken, and what it offers, in the order of its table (F-03)."""

    home: Home
    compulsory: tuple[Terrain, ...]
    optional: tuple[Terrain, ...]


class PieceRule(Struct, frozen=True, kw_only=True):
    """What the rules say of a type of terrain (F-04, F-05).

    ``most`` is how many a field holds, ``shape`` one of edge, area and course, ``ratio`` how many times an area may be
    longer than wide, None without a limit. ``doubled`` says that a second compulsory one may come, ``bad_goers`` that
    many bad-going troops make it likelier.
    """

    terrain: Terrain
    most: int
    going: str
    shape: str
    ratio: float | None
    doubled: bool
    bad_goers: bool
    clause: str


class EitherPair(Struct, frozen=True):
    """Two types of which a littoral field has one, in the order of their dice, and their key in the army file."""

    key: str
    either: tuple[Terrain, Terrain]
    clause: str


class SelectionCountry(Struct, frozen=True, kw_only=True):
    """All topographies and pieces, read by the settings of a game."""

    topographies: Mapping[Home, Topography]
    pieces: Mapping[Terrain, PieceRule]
    pairs: tuple[EitherPair, ...]
    uses_bua: bool
    bua_is_bad_going: bool
    cap_counts_compulsory: bool

    @classmethod
    def of(cls, book: RuleBook, settings: Mapping[str, str]) -> SelectionCountry:
        """Return what a rule book lists.

        Raises:
            BookError: a row is wrong, or a topography is missing.
        """
        rows = [_topography(row) for row in book.own("topography")]
        missing = [home for home in Home if home not in [row.home for row in rows]]
        if missing:
            raise BookError("{file}: [rows] topography has no row for {missing}", file=book.file, missing=missing[0])
        pieces = [_piece(row, book) for row in book.own("pieces")]
        return cls(
            topographies={row.home: row for row in rows},
            pieces={piece.terrain: piece for piece in pieces},
            pairs=tuple(_pair(row) for row in book.own("littoral")),
            uses_bua=settings["use_bua"] == ON,
            bua_is_bad_going=settings["bua_is_bad_going"] == ON,
            cap_counts_compulsory=settings["cap_counts_compulsory"] == ON,
        )

    def compulsory_of(self, home: Home) -> tuple[Terrain, ...]:
        """Return the compulsory features of a home, without built-up areas where nobody uses them (SD-3.1.1-a)."""
        return self._used(self.topographies[home].compulsory)

    def optional_of(self, home: Home) -> tuple[Terrain, ...]:
        """Return the optional features of a home in the order of the table, without built-up areas if need be."""
        return self._used(self.topographies[home].optional)

    def is_bad_going(self, terrain: Terrain) -> bool:
        """Return whether a piece is bad going; a built-up area is where a setting says so (AMB-14)."""
        return self.pieces[terrain].going == BAD or (terrain is Terrain.BUA and self.bua_is_bad_going)

    def is_required(self, terrain: Terrain) -> bool:
        """Return whether a piece is of the kinds of which every field has one (SD-3.2.3-c)."""
        return terrain in _WATERS or self.is_bad_going(terrain)

    def lacks_required(self, picks: Iterable[Pick]) -> bool:
        """Return whether no piece among these is bad going, a waterway or a river."""
        return not any(self.is_required(pick.terrain) for pick in picks)

    def candidates(self, optional: Iterable[Terrain], compulsory: Iterable[Pick]) -> tuple[Terrain, ...]:
        """Return a type for every piece that may still come, in the order of the table (SD-3.2.3-a, AMB-12)."""
        taken = Counter(pick.terrain for pick in compulsory) if self.cap_counts_compulsory else Counter[Terrain]()
        return tuple(terrain for terrain in optional for _ in range(max(0, self.pieces[terrain].most - taken[terrain])))

    def _used(self, features: tuple[Terrain, ...]) -> tuple[Terrain, ...]:
        return tuple(terrain for terrain in features if self.uses_bua or terrain is not Terrain.BUA)


def _topography(row: BookRow) -> Topography:
    row.only("home", "compulsory", "optional", "confidence", "clause")
    return Topography(
        home=_named(row, Home, row.need("home", str)),
        compulsory=tuple(_named(row, Terrain, name) for name in row.need("compulsory", list)),
        optional=tuple(_named(row, Terrain, name) for name in row.need("optional", list)),
    )


def _piece(row: BookRow, book: RuleBook) -> PieceRule:
    row.only(
        "piece", "most", "going", "shape", "ratio", "doubled", "bad_goers", "kind", "confidence", "clause"
    )  # fmt: skip
    going = row.need("going", str)
    if going not in book.going:
        raise BookError(
            "{place}: going = {going!r}; there are {goings}", place=row.place, going=going, goings=", ".join(book.going)
        )
    return PieceRule(
        terrain=_named(row, Terrain, row.need("piece", str)),
        most=row.need("most", int),
        going=going,
        shape=row.need("shape", str),
        ratio=row.need("ratio", float) if "ratio" in row.values else None,
        doubled=row.get("doubled", bool, False),
        bad_goers=row.get("bad_goers", bool, False),
        clause=row.need("clause", str),
    )


def _pair(row: BookRow) -> EitherPair:
    row.only("key", "either", "confidence", "clause")
    first, second = (_named(row, Terrain, name) for name in row.need("either", list))
    return EitherPair(row.need("key", str), (first, second), row.need("clause", str))


def _named(row: BookRow, names: type[Named], name: str) -> Named:
    if name not in [member.value for member in names]:
        raise BookError(
            "{place}: {name!r} is none of {names}",
            place=row.place,
            name=name,
            names=", ".join(member.value for member in names),
        )
    return names(name)


# --- The two armies for which terrain is selected, and what each modifier of the selection asks of them ---------------

SPEARS_AND_BLADES: Final = ("Sp", "Bd")
OWN_HOME: Final = "auto"


class SelectionCase(Struct, frozen=True, kw_only=True):
    """Everything that the selection of terrain hangs on (SD-3-a)."""

    defender: Force
    attacker: Force
    book: RuleBook
    settings: Mapping[str, str]
    country: SelectionCountry

    @classmethod
    def of(cls, defender: Force, attacker: Force, book: RuleBook, settings: Mapping[str, str]) -> SelectionCase:
        """Return the case of two armies."""
        country = SelectionCountry.of(book, settings)
        return cls(defender=defender, attacker=attacker, book=book, settings=settings, country=country)

    @property
    def home(self) -> Home:
        """Return the home topography whose lists are used: the defender's, or the one asked for."""
        asked = self.settings["home"]
        return self.defender.home if asked == OWN_HOME else Home(asked)

    def table(self, name: str) -> DieTable[str]:
        """Return a die table of the book."""
        return self.book.tables[name]

    def least(self, name: str) -> int:
        """Return the number from which a condition holds."""
        return int(self.book.numbers[f"{name}_min"])


class SelectionState(Struct, frozen=True):
    """What a modifier is judged by: the armies, and the compulsory pieces known so far."""

    case: SelectionCase
    compulsory: tuple[Pick, ...]

    @property
    def terrain(self) -> Terrain:
        """Return the type of the compulsory pieces."""
        return self.compulsory[0].terrain


def modifiers(
    table: str, case: SelectionCase, compulsory: Sequence[Pick] = (), about: str = ""
) -> tuple[AppliedModifier, ...]:
    """Return the modifiers of a table in the state that these armies give them, in the order of the rules.

    Raises:
        BookError: the table has a modifier of which nothing is known here.
    """
    stand = SelectionState(case, tuple(compulsory))
    found = []
    for modifier in case.table(table).modifiers:
        if modifier.condition not in CONDITIONS:
            raise BookError(
                "{file}: [tables] {table}: nobody knows the condition {condition!r}",
                file=case.book.file,
                table=table,
                condition=modifier.condition,
            )
        found.append(applied(modifier.condition, modifier.amount, CONDITIONS[modifier.condition](stand), about))
    return tuple(found)


def _few_line_foot(stand: SelectionState) -> bool:
    """SD-3.1.1-m2; where AMB-11 is read the other way, m4 stands for both."""
    case = stand.case
    if case.settings["m4_replaces_m2"] == ON and _no_line_foot(stand):
        return False
    return case.defender.count(*SPEARS_AND_BLADES) < case.least("arable_foot")


def _no_line_foot(stand: SelectionState) -> bool:
    """SD-3.1.1-m4."""
    case = stand.case
    return not case.defender.count(*SPEARS_AND_BLADES) and case.attacker.count(*SPEARS_AND_BLADES) > 0


def _bad_goers_at_home(stand: SelectionState) -> bool:
    """SD-3.1.2-m1: the four bad-going types in numbers, and ground that they like."""
    case = stand.case
    return case.country.pieces[stand.terrain].bad_goers and case.defender.bad_goers >= case.least("second_bad_goers")


def _two_bad_pieces(stand: SelectionState) -> bool:
    """SD-3.2.1-m3."""
    bad = sum(1 for pick in stand.compulsory if stand.case.country.is_bad_going(pick.terrain))
    return bad >= stand.case.least("compulsory_bad")


CONDITIONS: Final[Mapping[str, Callable[[SelectionState], bool]]] = {
    "SD-3.1.1-m1": lambda at: at.case.defender.mounted >= at.case.least("arable_mounted"),
    "SD-3.1.1-m2": _few_line_foot,
    "SD-3.1.1-m3": lambda at: at.case.attacker.count("Art") >= at.case.least("arable_artillery"),
    "SD-3.1.1-m4": _no_line_foot,
    "SD-3.1.2-m1": _bad_goers_at_home,
    "SD-3.2.1-m1": lambda at: at.case.defender.bad_goers > at.case.attacker.bad_goers,
    "SD-3.2.1-m2": lambda at: at.case.attacker.mounted > at.case.defender.mounted,
    "SD-3.2.1-m3": _two_bad_pieces,
    "SD-3.2.1-m4": lambda at: at.case.defender.mounted > at.case.attacker.mounted,
    "SD-3.2.1-m5": lambda at: at.case.attacker.bad_goers > at.case.defender.bad_goers,
    "SD-3.2.3-b": lambda at: at.case.attacker.littoral,
}
"""What each modifier of the tables of section 3 asks; all of it is known once both armies are."""
