"""Army lists with their options and strength, and army files whose errors name the line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import combinations_with_replacement, product
from math import comb, prod
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from printkit.core.errors import FileError, ResourceError, ScenarioError, Sentence, joined
from printkit.core.paths import exists, is_folder
from printkit.core.reading import read_utf8
from printkit.core.typed import MemberPath, member_error
from printkit.systems.dba.armies.army_list import STRENGTH
from printkit.systems.solo.armies.force import Element, Force, Home, LittoralPairs, TroopTable

# --- The text of an army file: read and checked; errors name the line -------------------------------------------------

# Larger files are not army files and are not parsed.
MAX_BYTES: Final = 250_000


def read_text(path: Path) -> str:
    """Return the text of an army file, with a line feed as line end.

    Raises:
        ResourceError: the file is missing, is a folder, is too large, or is not text.
    """
    if is_folder(path):
        raise ResourceError("{path} is a folder; give the path of an army file, NAME.toml", path=path)
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise ResourceError(
                "{path} has {size:.0f} kB; an army file may have at most {most} kB",
                path=path,
                size=size / 1000,
                most=MAX_BYTES // 1000,
            )
        text = read_utf8(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        if exists(path):
            raise ResourceError("{path} cannot be read: {reason}", path=path, reason=reason) from None
        raise ResourceError(
            "cannot read {path}: {reason}; give the path of an army file, NAME.toml", path=path, reason=reason
        ) from None
    if not text.strip():
        raise ResourceError("{place}: {reason}", place=path, reason=Sentence("the file is empty"))
    return text


class ArmyText(Struct, frozen=True):
    """The text of an army file, and the file name for errors; an army on one line has no text."""

    file: str
    text: str

    def build_error(
        self, template: str, path: MemberPath, /, *, key_count: int | None = None, **values: object
    ) -> FileError:
        """Return an error that names the file, the line and the member at a path.

        Args:
            template: the message template, filled with ``values``.
            path: the keys that lead to the member; they are found in the text.
            key_count: how many of the keys the message names, the first ones; None for all.
        """
        reason = Sentence(template, **values)
        return member_error(self.file, self.text or None, path[:key_count], reason, path[len(path[:key_count]) :])


class Bundle(Struct, frozen=True):
    """The codes of elements that an army takes together: one option, or a part without options."""

    codes: tuple[str, ...]

    def __str__(self) -> str:
        return " + ".join(f"{count} x {code}" if count > 1 else code for code, count in Counter(self.codes).items())

    def __len__(self) -> int:
        return len(self.codes)


class SlotMode(StrEnum):
    """How a slot is filled: without a choice, by a choice per element, or by one choice for all (AMB-03)."""

    FIXED = "fixed"
    EACH = "each"
    BLOCK = "block"


class Slot(Struct, frozen=True, kw_only=True):
    """A line of an army list. ``count`` is its number of choices; a fixed slot has one option."""

    id: str
    mode: SlotMode
    options: tuple[Bundle, ...]
    count: int = 1

    @property
    def is_open(self) -> bool:
        """Return whether the slot has more than one option."""
        return len(self.options) > 1

    @property
    def fill_count(self) -> int:
        """Return the number of ways to fill the slot; the order of its elements does not count."""
        return comb(self.count + len(self.options) - 1, self.count)


class Combination(Struct, frozen=True, kw_only=True):
    """One way to fill an army: the options of each slot, and the general's option.

    The first code of ``general`` is the general's element.
    """

    slots: tuple[tuple[Bundle, ...], ...]
    general: Bundle

    @property
    def other_codes(self) -> tuple[str, ...]:
        """Return the codes of all elements except the general's, slot by slot."""
        codes = (code for bundles in self.slots for bundle in bundles for code in bundle.codes)
        return (*codes, *self.general.codes[1:])

    def __len__(self) -> int:
        return len(self.other_codes) + 1


class Army(Struct, frozen=True, kw_only=True):
    """An army list from its file, with the codes of the troop table.

    ``chosen_options`` are the player's options by slot ID, ``general_option`` is the player's option for the general.
    ``number`` is the number in the published lists, ``version`` the version of their rules. ``confidence`` grades the
    source, ``doubt`` names open questions. ``fielded`` marks a list that is one army as fielded: its options are
    unknown. ``by_name`` marks a sample that is used only if a user names it; it is not drawn at random. ``open_place``
    is the file and the line of the first choice that is open, for errors.
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
    chosen_options: Mapping[str, tuple[Bundle, ...]] = field(default_factory=dict)
    general_option: Bundle | None = None
    id: str = ""
    number: str = ""
    dates: str = ""
    version: str = ""
    source: str = ""
    confidence: str = ""
    doubt: str = ""
    note: str = ""
    fielded: bool = False
    by_name: bool = False
    open_place: str = ""

    @property
    def combination_count(self) -> int:
        """Return the number of ways to fill the army, with all options of the slots and the general.

        Choices that the player has made do not reduce it.
        """
        return prod(slot.fill_count for slot in self.slots) * len(self.general)

    def iter_combinations(self) -> Iterator[Combination]:
        """Yield every way to fill the army, in the order of the file, whatever the player has chosen."""
        return self._iter_combinations({}, self.general)

    def find_open_slots(self) -> tuple[str, ...]:
        """Return the IDs of the slots without a choice yet; ``general`` is one of them.

        The result is empty if everything is chosen.
        """
        open_slots = [slot.id for slot in self.slots if slot.is_open and slot.id not in self.chosen_options]
        return (*open_slots, *(("general",) if len(self.general) > 1 and self.general_option is None else ()))

    def iter_possible_forces(self) -> Iterator[Force]:
        """Yield every army that is possible with the player's choices so far."""
        general_options = self.general if self.general_option is None else (self.general_option,)
        return (
            self.build_force(combination)
            for combination in self._iter_combinations(self.chosen_options, general_options)
        )

    def _iter_combinations(
        self, chosen_options: Mapping[str, tuple[Bundle, ...]], general_options: tuple[Bundle, ...]
    ) -> Iterator[Combination]:
        """Yield every way to fill the army with the open slots, in the order of the file.

        Args:
            chosen_options: the options of slots that are not open, by slot ID.
            general_options: the possible options of the general.
        """
        fillings = (
            [chosen_options[slot.id]]
            if slot.id in chosen_options
            else combinations_with_replacement(slot.options, slot.count)
            for slot in self.slots
        )
        for slots, general in product(product(*fillings), general_options):
            yield Combination(slots=slots, general=general)

    def resolve_force(self) -> Force:
        """Return the army with the chosen options; slots with a single option need no choice.

        Raises:
            ScenarioError: a choice is still open; the message names the slots.
        """
        open_slots = self.find_open_slots()
        if open_slots:
            slot_list = ", ".join(repr(slot) for slot in open_slots)
            raise ScenarioError(
                "{file}: make YOUR choices before any roll. These are still open: {named}. Write them under [chosen]",
                file=self.open_place or self.file,
                named=slot_list,
                clause="SD-2.1-a",
            )
        return next(self.iter_possible_forces())

    def build_force(self, combination: Combination) -> Force:
        """Return the army of one combination."""
        general_code, *_ = combination.general.codes
        codes = [(general_code, True), *((code, False) for code in combination.other_codes)]
        return Force(
            name=self.name,
            home=self.home,
            aggression=self.aggression,
            elements=tuple(self.build_element(code, general=general) for code, general in codes),
            camp=self.camp,
            pairs=self.pairs,
        )

    def build_element(self, code: str, *, general: bool = False) -> Element:
        """Return an element of the army, of the troop type of ``code``.

        ``general`` marks it as the general's.

        Raises:
            ScenarioError: the troop table does not have the code.
        """
        troop = self.troops.find_type(code)
        if troop is None:
            raise ScenarioError("{file}: no troop type has the code {code!r}", file=self.file, code=code)
        return Element(code=code, troop=troop, general=general)


# --- The strength of an army: twelve elements with the general, for every choice of options ---------------------------

MAX_COMBINATIONS: Final = 10_000

# Number of wrong combinations that an error lists; it counts the rest.
_MAX_LISTED: Final = 3


def check_strength(source: ArmyText, key: MemberPath, army: Army) -> None:
    """Reject an army with too many combinations, or with one that does not have twelve elements.

    The twelve include the general's. ``key`` is where ``source`` has the elements.

    Raises:
        FileError: the army is rejected.
    """
    if army.combination_count > MAX_COMBINATIONS:
        raise source.build_error(
            "its options allow {ways} armies, but printkit looks at {most_combinations} at most; remove "
            'some options, or choose several elements together with mode = "block"',
            key,
            key_count=0,
            ways=army.combination_count,
            most_combinations=MAX_COMBINATIONS,
        )
    mismatches = [combination for combination in army.iter_combinations() if len(combination) != STRENGTH]
    if not mismatches:
        return
    if army.combination_count == 1:
        raise source.build_error(
            "{count} elements with the general's; an army must have {strength}",
            key,
            key_count=0,
            count=len(mismatches[0]),
            strength=STRENGTH,
        )
    if len(mismatches) == army.combination_count and len({len(combination) for combination in mismatches}) == 1:
        raise source.build_error(
            "{count} elements with the general's, whatever is chosen; an army must have {strength}",
            key,
            key_count=0,
            count=len(mismatches[0]),
            strength=STRENGTH,
        )
    examples = joined(
        (
            Sentence(
                "{count} with {slots}, general {general}",
                count=len(combination),
                slots=", ".join(str(bundle) for slot in combination.slots for bundle in slot),
                general=combination.general,
            )
            for combination in mismatches[:_MAX_LISTED]
        ),
        "; ",
    )
    remainder = (
        Sentence("; and {count} more", count=len(mismatches) - _MAX_LISTED) if len(mismatches) > _MAX_LISTED else ""
    )
    raise source.build_error(
        "{count} of its {ways} combinations do not have {strength} elements with the general's: {shown}{more}",
        key,
        key_count=0,
        count=len(mismatches),
        ways=army.combination_count,
        strength=STRENGTH,
        shown=examples,
        more=remainder,
    )
