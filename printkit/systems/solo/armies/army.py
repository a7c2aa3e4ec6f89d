"""An army list with its options: slots that are fixed or diced for, the general's last, and what can come of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import combinations_with_replacement, product
from math import comb, prod

from msgspec import Struct, field

from printkit.core.errors import ScenarioError
from printkit.systems.solo.armies.force import Classing, Element, Force, Home, LittoralPairs
from printkit.systems.solo.armies.troops import TroopTable


class Bundle(Struct, frozen=True):
    """Elements that stand in an army together, as codes: the whole of an option, or a part that is fixed."""

    codes: tuple[str, ...]

    def __str__(self) -> str:
        return " + ".join(f"{count} x {code}" if count > 1 else code for code, count in Counter(self.codes).items())

    def __len__(self) -> int:
        return len(self.codes)


class Mode(StrEnum):
    """How a slot is filled: without a choice, by one choice for each element, or by one for all of it (AMB-03)."""

    FIXED = "fixed"
    EACH = "each"
    BLOCK = "block"


class Slot(Struct, frozen=True, kw_only=True):
    """A line of an army list. ``count`` is how many choices it takes; a fixed slot has its one option."""

    id: str
    mode: Mode
    options: tuple[Bundle, ...]
    count: int = 1

    @property
    def open(self) -> bool:
        """Return whether there is anything to choose."""
        return len(self.options) > 1

    @property
    def ways(self) -> int:
        """Return in how many ways it can be filled, without regard to order."""
        return comb(self.count + len(self.options) - 1, self.count)


class Combination(Struct, frozen=True, kw_only=True):
    """One way to fill an army: what each slot took, and the general's option, whose first code is his own element."""

    slots: tuple[tuple[Bundle, ...], ...]
    general: Bundle

    @property
    def others(self) -> tuple[str, ...]:
        """Return the codes of all elements but the general's own, slot by slot."""
        taken = (code for bundles in self.slots for bundle in bundles for code in bundle.codes)
        return (*taken, *self.general.codes[1:])

    def __len__(self) -> int:
        return len(self.others) + 1


class Army(Struct, frozen=True, kw_only=True):
    """An army list as its file says it, its codes translated to those of the troop table.

    ``chosen`` holds what a person chose, by the ID of the slot; the general's option stands apart in ``led_by``.
    ``number`` is that in the published lists, ``version`` that of their rules. ``confidence`` says how well the
    list is known, ``doubt`` what is open about it, and ``fielded`` that the choices of the list were not found but
    one army that was fielded.
    """

    file: str
    name: str
    home: Home
    aggression: int
    slots: tuple[Slot, ...]
    general: tuple[Bundle, ...]
    troops: TroopTable
    camp: bool = True
    pairs: LittoralPairs = field(default_factory=LittoralPairs)
    chosen: Mapping[str, tuple[Bundle, ...]] = field(default_factory=dict)
    led_by: Bundle | None = None
    id: str = ""
    number: str = ""
    dates: str = ""
    version: str = ""
    source: str = ""
    confidence: str = ""
    doubt: str = ""
    note: str = ""
    fielded: bool = False

    @property
    def ways(self) -> int:
        """Return how many combinations there are."""
        return prod(slot.ways for slot in self.slots) * len(self.general)

    def combinations(self) -> Iterator[Combination]:
        """Yield every way to fill the army, in the order of the file."""
        fillings = (combinations_with_replacement(slot.options, slot.count) for slot in self.slots)
        for slots in product(*fillings):
            for general in self.general:
                yield Combination(slots=slots, general=general)

    def unchosen(self) -> tuple[str, ...]:
        """Return the IDs of the slots that still wait for a choice, ``general`` among them."""
        waiting = [slot.id for slot in self.slots if slot.open and slot.id not in self.chosen]
        return (*waiting, *(("general",) if len(self.general) > 1 and self.led_by is None else ()))

    def possible(self, classing: Classing | None = None) -> Iterator[Force]:
        """Yield every army that can still come of the choices that are left."""
        fillings = (
            [self.chosen[slot.id]]
            if slot.id in self.chosen
            else combinations_with_replacement(slot.options, slot.count)
            for slot in self.slots
        )
        generals = self.general if self.led_by is None else (self.led_by,)
        for slots in product(*fillings):
            for general in generals:
                yield self.force(Combination(slots=slots, general=general), classing)

    def resolved(self, classing: Classing | None = None) -> Force:
        """Return the army with the options that were chosen.

        Raises:
            ScenarioError: a choice is still open; names the slots.
        """
        waiting = self.unchosen()
        if waiting:
            named = ", ".join(repr(slot) for slot in waiting)
            raise ScenarioError(
                "{file}: YOUR choices come first, before any die, and these are still open: {named}; "
                "write what you take under [chosen]",
                file=self.file,
                named=named,
                clause="SD-2.1-a",
            )
        return next(self.possible(classing))

    def force(self, combination: Combination, classing: Classing | None = None) -> Force:
        """Return the army of one combination."""
        led, *_ = combination.general.codes
        codes = [(led, True), *((code, False) for code in combination.others)]
        return Force(
            name=self.name,
            home=self.home,
            aggression=self.aggression,
            elements=tuple(self.element(code, general=general) for code, general in codes),
            camp=self.camp,
            pairs=self.pairs,
            classing=classing or Classing(),
        )

    def element(self, code: str, *, general: bool = False) -> Element:
        """Return an element of the army.

        Raises:
            ScenarioError: no troop type has that code.
        """
        troop = self.troops.find(code)
        if troop is None:
            raise ScenarioError("{file}: no troop type has the code {code!r}", file=self.file, code=code)
        return Element(code=code, troop=troop, general=general)
