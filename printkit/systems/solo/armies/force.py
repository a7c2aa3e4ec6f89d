"""An army whose options are all fixed: twelve elements, and every count that the procedures ask of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from msgspec import Struct, field

from printkit.systems.solo.armies.troops import TroopType

STRENGTH: Final = 12
"""Troop elements of an army, its general's among them."""


class Home(StrEnum):
    """Home topography (F-03)."""

    ARABLE = "arable"
    FOREST = "forest"
    HILLY = "hilly"
    STEPPE = "steppe"
    DRY = "dry"
    TROPICAL = "tropical"
    LITTORAL = "littoral"


class Side(StrEnum):
    """The two sides: the automatic general (SD-1.2-a), and the person (SD-1.2-b)."""

    NPG = "npg"
    YOU = "you"


class Classing(Struct, frozen=True, kw_only=True):
    """Readings of what counts as what, each an entry of the register of ambiguities."""

    bow_aliases: bool = True  # AMB-07: Cb and Lb are Bw
    elephants_mounted: bool = True  # AMB-08
    artillery_is_infantry: bool = False  # AMB-09


class HillsOrMarsh(StrEnum):
    """Which of the two suits a littoral army (SD-3.2.2-a); where both do, dice decide."""

    DICE = "dice"
    STEEP_HILL = "steep_hill"
    MARSH = "marsh"


class WoodsOrDunes(StrEnum):
    """Which of the two suits a littoral army (SD-3.2.2-b); where both do, dice decide."""

    DICE = "dice"
    WOODS = "woods"
    DUNES = "dunes"


class LittoralPairs(Struct, frozen=True, kw_only=True):
    """What the army file says about the two pairs of features of a littoral home."""

    hills_or_marsh: HillsOrMarsh = HillsOrMarsh.DICE
    woods_or_dunes: WoodsOrDunes = WoodsOrDunes.DICE


class Element(Struct, frozen=True, kw_only=True):
    """One element: its code as the list writes it, its type, and whether the general stands on it."""

    code: str
    troop: TroopType
    general: bool = False


class Force(Struct, frozen=True, kw_only=True):
    """One side's army with all options chosen; camp followers are not among its elements (0.3).

    ``aggression`` is 0 to 4. ``camp`` is false where the rule book gives the army none. ``pairs`` counts only where
    the home is littoral.
    """

    name: str
    home: Home
    aggression: int
    elements: tuple[Element, ...]
    camp: bool = True
    pairs: LittoralPairs = field(default_factory=LittoralPairs)
    classing: Classing = field(default_factory=Classing)

    def count(self, *types: str) -> int:
        """Return n(S, A+B): how many elements are of these types."""
        return self._how_many(lambda element: self.type_of(element) in types)

    def counts(self) -> Counter[str]:
        """Return the number of elements of each type."""
        return Counter(self.type_of(element) for element in self.elements)

    def type_of(self, element: Element) -> str:
        """Return the code of an element's type; where AMB-07 is read the other way, crossbows are their own type."""
        bare = element.code.split("//", 1)[0].removeprefix("Mtd-").lstrip("0123456789/")
        if not self.classing.bow_aliases and element.troop.code == "Bw" and bare in element.troop.aliases:
            return bare
        return element.troop.code

    def is_mounted(self, element: Element) -> bool:
        """Return whether an element is mounted (AMB-08)."""
        return element.troop.mounted and (self.classing.elephants_mounted or element.troop.code != "El")

    def is_infantry(self, element: Element) -> bool:
        """Return whether an element is infantry (AMB-09)."""
        machine = element.troop.code in ("Art", "WWg")
        return element.troop.infantry or (machine and self.classing.artillery_is_infantry)

    def is_bad_goer(self, element: Element) -> bool:
        """Return whether an element is of a bad-going type (SD-1.2-c)."""
        return element.troop.bad_goer and (self.classing.bow_aliases or self.type_of(element) == element.troop.code)

    @property
    def mounted(self) -> int:
        """Return mounted(S)."""
        return self._how_many(self.is_mounted)

    @property
    def infantry(self) -> int:
        """Return foot(S)."""
        return self._how_many(self.is_infantry)

    @property
    def bad_goers(self) -> int:
        """Return badgoers(S)."""
        return self._how_many(self.is_bad_goer)

    def moving_at_least(self, paces: int) -> int:
        """Return how many elements move at least that far in good going."""
        return self._how_many(lambda element: element.troop.move >= paces)

    def moving_at_most(self, paces: int) -> int:
        """Return how many elements move at most that far in good going."""
        return self._how_many(lambda element: element.troop.move <= paces)

    @property
    def littoral(self) -> bool:
        """Return lit(S)."""
        return self.home is Home.LITTORAL

    @property
    def general(self) -> Element | None:
        """Return the general's element, or None where he is not known."""
        return next((element for element in self.elements if element.general), None)

    def _how_many(self, holds: Callable[[Element], bool]) -> int:
        return sum(1 for element in self.elements if holds(element))
