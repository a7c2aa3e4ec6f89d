"""The two armies for which terrain is selected, and what each modifier of the selection asks of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from printkit.chance.tables import DieTable
from printkit.core.errors import BookError
from printkit.kit.book import RuleBook
from printkit.systems.dba.ground.pieces import Pick, Terrain
from printkit.systems.solo.armies.force import Force, Home
from printkit.systems.solo.armies.steps import AppliedModifier, applied
from printkit.systems.solo.terrain.topography import ON, Country

SPEARS_AND_BLADES: Final = ("Sp", "Bd")
OWN_HOME: Final = "auto"


class SelectionCase(Struct, frozen=True, kw_only=True):
    """Everything that the selection of terrain hangs on (SD-3-a)."""

    defender: Force
    attacker: Force
    book: RuleBook
    settings: Mapping[str, str]
    country: Country

    @classmethod
    def of(cls, defender: Force, attacker: Force, book: RuleBook, settings: Mapping[str, str]) -> SelectionCase:
        """Return the case of two armies."""
        country = Country.of(book, settings)
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


class Stand(Struct, frozen=True):
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
    stand = Stand(case, tuple(compulsory))
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


def _few_line_foot(stand: Stand) -> bool:
    """SD-3.1.1-m2; where AMB-11 is read the other way, m4 stands for both."""
    case = stand.case
    if case.settings["m4_replaces_m2"] == ON and _no_line_foot(stand):
        return False
    return case.defender.count(*SPEARS_AND_BLADES) < case.least("arable_foot")


def _no_line_foot(stand: Stand) -> bool:
    """SD-3.1.1-m4."""
    case = stand.case
    return not case.defender.count(*SPEARS_AND_BLADES) and case.attacker.count(*SPEARS_AND_BLADES) > 0


def _bad_goers_at_home(stand: Stand) -> bool:
    """SD-3.1.2-m1: the four bad-going types in numbers, and ground that they like."""
    case = stand.case
    return case.country.pieces[stand.terrain].bad_goers and case.defender.bad_goers >= case.least("second_bad_goers")


def _two_bad_pieces(stand: Stand) -> bool:
    """SD-3.2.1-m3."""
    bad = sum(1 for pick in stand.compulsory if stand.case.country.is_bad_going(pick.terrain))
    return bad >= stand.case.least("compulsory_bad")


CONDITIONS: Final[Mapping[str, Callable[[Stand], bool]]] = {
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
