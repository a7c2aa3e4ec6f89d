"""Home topographies and piece rules of the rule book, and the modifiers of terrain selection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.core.errors import BookError
from printkit.kit.book_file import BookEntry
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain, TerrainType
from printkit.systems.solo.armies.force import Force, Home
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import AppliedModifier, apply_modifier
from printkit.terrain.field.features import Kind

BAD: Final = "bad"

_WATERS: Final = (Terrain.WATERWAY, Terrain.RIVER)


class Topography(BookEntry, frozen=True, kw_only=True):
    """A home topography: its compulsory features (one applies) and optional ones, in table order (F-03).

    ``names`` is the period of its names, if it has its own.
    """

    home: Home
    compulsory: tuple[Terrain, ...]
    optional: tuple[Terrain, ...]
    names: str = ""


class PieceRow(BookEntry, frozen=True, kw_only=True):
    """A row of the list ``pieces``: see ``PieceRule``; ``going`` is a name."""

    piece: Terrain
    most: int
    going: str
    kind: Kind
    ratio: float | None = None
    doubled: bool = False
    bad_goers: bool = False


class PieceRule(TerrainType, frozen=True, kw_only=True):
    """The rules of a type of terrain (F-04, F-05).

    ``doubled`` allows a second compulsory piece; ``bad_goers`` makes it more likely with many bad-going troops.
    """

    doubled: bool
    bad_goers: bool

    @property
    def is_bad(self) -> bool:
        """Return whether the type is bad going."""
        return self.going.name == BAD


class EitherPair(BookEntry, frozen=True, kw_only=True):
    """A pair of types, in dice order, and its key in the army file; a littoral battlefield uses one type."""

    key: str
    types: tuple[Terrain, Terrain] = field(name="either")


class SelectionTables(Struct, frozen=True, kw_only=True):
    """All topographies, piece rules and littoral pairs of the rules of a game."""

    topographies: Mapping[Home, Topography]
    pieces: Mapping[Terrain, PieceRule]
    pairs: tuple[EitherPair, ...]
    rules: SoloRules

    @classmethod
    def from_rules(cls, rules: SoloRules) -> SelectionTables:
        """Read the rows of the rule book.

        Raises:
            FileError: a row is not valid.
            BookError: a topography is missing.
        """
        rows = rules.read("topography", Topography)
        missing = [home for home in Home if home not in [row.home for row in rows]]
        if missing:
            raise BookError(
                "{file}: [rows] topography has no row for {missing}", file=rules.book.file, missing=missing[0]
            )
        return cls(
            topographies={row.home: row for row in rows},
            pieces=rules.compute_once(read_piece_rules),
            pairs=rules.read("littoral", EitherPair),
            rules=rules,
        )

    def compulsory_types(self, home: Home) -> tuple[Terrain, ...]:
        """Return the compulsory features of a home, without unused built-up areas (SD-3.1.1-a)."""
        return self._remove_unused(self.topographies[home].compulsory)

    def optional_types(self, home: Home) -> tuple[Terrain, ...]:
        """Return the optional features of a home in table order, without unused built-up areas."""
        return self._remove_unused(self.topographies[home].optional)

    def is_bad_going(self, terrain: Terrain) -> bool:
        """Return whether a type is bad going; a built-up area is not (AMB-14)."""
        return self.pieces[terrain].is_bad

    def is_required(self, terrain: Terrain) -> bool:
        """Return whether a type is of a required kind: bad going, waterway or river (SD-3.2.3-c)."""
        return terrain in _WATERS or self.is_bad_going(terrain)

    def lacks_required(self, picks: Iterable[PiecePick]) -> bool:
        """Return whether none of the picks is bad going, a waterway or a river; True without picks."""
        return not any(self.is_required(pick.terrain) for pick in picks)

    def list_candidates(self, optional: Iterable[Terrain], compulsory: Iterable[PiecePick]) -> tuple[Terrain, ...]:
        """Return a type for each piece still possible, in table order (SD-3.2.3-a, AMB-12).

        A type appears as often as the board may have more of it than the compulsory pieces.
        """
        compulsory_counts = Counter(pick.terrain for pick in compulsory)
        return tuple(
            terrain
            for terrain in optional
            for _ in range(max(0, self.pieces[terrain].count_max - compulsory_counts[terrain]))
        )

    def _remove_unused(self, features: tuple[Terrain, ...]) -> tuple[Terrain, ...]:
        """Return the types without built-up areas if the settings leave these out."""
        return tuple(terrain for terrain in features if self.rules.is_on("use_bua") or terrain is not Terrain.BUA)


def read_piece_rules(rules: SoloRules) -> Mapping[Terrain, PieceRule]:
    """Return the rules of each type of terrain, by type; types without a row are missing.

    Raises:
        FileError: a row is not valid; the message names it.
    """
    piece_rules = {}
    for row in rules.rows("pieces"):
        piece = row.read(PieceRow)
        piece_rules[piece.piece] = PieceRule(
            kind=piece.kind,
            going=row.find("going", rules.book.going),
            count_max=piece.most,
            ratio_max=piece.ratio,
            doubled=piece.doubled,
            bad_goers=piece.bad_goers,
        )
    return piece_rules


# --- The two armies of a terrain selection, and the conditions of its modifiers ---------------------------------------

SPEARS_AND_BLADES: Final = ("Sp", "Bd")
OWN_HOME: Final = "auto"


class SelectionCase(Struct, frozen=True, kw_only=True):
    """The input of the terrain selection: both armies, the rules and the tables (SD-3-a).

    ``compulsory`` are the compulsory pieces so far; they count for some modifiers.
    """

    defender: Force
    attacker: Force
    rules: SoloRules
    tables: SelectionTables
    compulsory: tuple[PiecePick, ...] = ()

    @classmethod
    def from_armies(cls, defender: Force, attacker: Force, rules: SoloRules) -> SelectionCase:
        """Build the case of two armies."""
        return cls(
            defender=defender, attacker=attacker, rules=rules, tables=rules.compute_once(SelectionTables.from_rules)
        )

    @property
    def home(self) -> Home:
        """Return the home topography to use: the defender's, or the one in the settings."""
        setting = self.rules.choice("home")
        return self.defender.home if setting == OWN_HOME else Home(setting)


def find_modifiers(
    table: str, case: SelectionCase, compulsory: Sequence[PiecePick] = (), option: str = ""
) -> tuple[AppliedModifier, ...]:
    """Return the modifiers of a table with their states for these armies, in rule order.

    Args:
        table: the name of the die table.
        case: the armies and the rules.
        compulsory: the compulsory pieces so far.
        option: what the modifiers apply to, if the step has several totals.

    Raises:
        BookError: the table has a modifier with an unknown condition.
    """
    case = replace(case, compulsory=tuple(compulsory))
    applied_modifiers = []
    for modifier in case.rules.outcomes(table).modifiers:
        if modifier.condition not in CONDITIONS:
            raise BookError(
                "{file}: [tables] {table}: unknown condition {condition!r}",
                file=case.rules.book.file,
                table=table,
                condition=modifier.condition,
            )
        applied_modifiers.append(
            apply_modifier(modifier.condition, modifier.amount, CONDITIONS[modifier.condition](case), option)
        )
    return tuple(applied_modifiers)


def _no_line_foot(case: SelectionCase) -> bool:
    """Return whether only the attacker has spears or blades (SD-3.1.1-m4)."""
    return not case.defender.count(*SPEARS_AND_BLADES) and case.attacker.count(*SPEARS_AND_BLADES) > 0


def _bad_goers_at_home(case: SelectionCase) -> bool:
    """Return whether the defender has many bad-going troops and the terrain suits them (SD-3.1.2-m1)."""
    suits_bad_goers = case.tables.pieces[case.compulsory[0].terrain].bad_goers
    return suits_bad_goers and case.defender.bad_goer_count >= case.rules.whole("SD-3.1.2-m1")


def _two_bad_pieces(case: SelectionCase) -> bool:
    """Return whether enough compulsory pieces are bad going (SD-3.2.1-m3)."""
    bad_count = sum(1 for pick in case.compulsory if case.tables.is_bad_going(pick.terrain))
    return bad_count >= case.rules.whole("SD-3.2.1-m3")


# The condition of each modifier in the tables of section 3; it is known once both armies are.
CONDITIONS: Final[Mapping[str, Callable[[SelectionCase], bool]]] = {
    "SD-3.1.1-m1": lambda case: case.defender.mounted_count >= case.rules.whole("SD-3.1.1-m1"),
    "SD-3.1.1-m2": lambda case: case.defender.count(*SPEARS_AND_BLADES) < case.rules.whole("SD-3.1.1-m2"),
    "SD-3.1.1-m3": lambda case: case.attacker.count("Art") >= case.rules.whole("SD-3.1.1-m3"),
    "SD-3.1.1-m4": _no_line_foot,
    "SD-3.1.2-m1": _bad_goers_at_home,
    "SD-3.2.1-m1": lambda case: case.defender.bad_goer_count > case.attacker.bad_goer_count,
    "SD-3.2.1-m2": lambda case: case.attacker.mounted_count > case.defender.mounted_count,
    "SD-3.2.1-m3": _two_bad_pieces,
    "SD-3.2.1-m4": lambda case: case.defender.mounted_count > case.attacker.mounted_count,
    "SD-3.2.1-m5": lambda case: case.attacker.bad_goer_count > case.defender.bad_goer_count,
    "SD-3.2.3-b": lambda case: case.attacker.is_littoral,
}
