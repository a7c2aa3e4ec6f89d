"""An army with all options chosen and its element counts, and the table of troop types."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from typing import Final

from msgspec import Struct, field

from printkit.core.errors import Sentence
from printkit.core.resources import template, template_file, template_text
from printkit.core.typed import convert, member_error

# --- The table of troop types: properties, move distance, and the codes used in army lists ----------------------------

DEFAULT_TABLE: Final = "dba-2.2"

# A code in a list: an optional number of figures (``4`` or ``3/4``) and the type. ``Mtd-`` bows count as bows.
_CODE: Final = re.compile(r"(?:Mtd-)?(?:\d(?:/\d)?)?(?P<type>[A-Z][A-Za-z]*)")


class TroopType(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A troop type (F-01, F-02, F-18).

    ``aliases`` are other codes of the type: crossbows and longbows are bows (AMB-07). ``move`` is in paces in good
    going. ``depth`` is the base depth in mm (real size) by scale, ``15mm`` or ``25mm``. ``confidence`` grades the
    source of each value. ``bad_goer`` marks the four bad-going types (SD-1.2-c).

    ``factor`` is the close combat factor against ``foot`` and ``mounted``; it is empty if the type does not fight.
    Types in ``destroyers`` destroy it if its total is lower. Types in ``contact_destroyers`` do so only if it also
    moved into contact with them. Types in ``nonlethal_types`` do not destroy it even if they double its total. ``*`` is
    all types (F-15).
    """

    code: str
    name: str
    aliases: tuple[str, ...] = ()
    mounted: bool = False
    infantry: bool = False
    bad_goer: bool = False
    enters_bad_going: bool = True
    move: int
    depth: Mapping[str, float]
    factor: Mapping[str, int] = field(default_factory=dict)
    destroyers: tuple[str, ...] = field(default=(), name="beaten")
    contact_destroyers: tuple[str, ...] = field(default=(), name="charging")
    nonlethal_types: tuple[str, ...] = field(default=(), name="spared")
    confidence: Mapping[str, str] = field(default_factory=dict)


class TroopFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of a troop table: its types, and the codes of lists for other versions, by version."""

    name: str
    title: str = ""
    troops: tuple[TroopType, ...]
    codes: dict[str, dict[str, str]] = {}


class TroopTable(Struct, frozen=True, kw_only=True):
    """All troop types of a version of the rules, in file order.

    ``types_by_code`` maps every code and alias to its type. ``codes`` translates the codes of lists for other versions,
    by
    version: complete codes, or prefixes that end in a hyphen.
    """

    name: str
    types: tuple[TroopType, ...]
    types_by_code: Mapping[str, TroopType]
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def translate_code(self, code: str, version: str) -> str:
        """Translate a code of another version to this version, in both parts of a ``3Kn//4Bd``.

        A code that needs no translation is returned unchanged.
        """
        table = self.codes.get(version, {})
        parts = []
        for part in code.split("//"):
            code_part = part.strip()
            for prefix in (prefix for prefix in table if prefix.endswith("-")):
                code_part = (
                    f"{table[prefix]}{code_part.removeprefix(prefix)}" if code_part.startswith(prefix) else code_part
                )
            parts.append(table.get(code_part, code_part))
        return "//".join(parts)

    def find_type(self, code: str) -> TroopType | None:
        """Return the type of a code such as ``4Pk``, ``3/4Wb`` or ``3Kn//4Bd``; None if it is unknown.

        The number of figures does not matter. Of a code with ``//`` the part before it counts.
        """
        text = code.split("//", 1)[0].strip()
        if text in self.types_by_code:
            return self.types_by_code[text]
        return self.types_by_code.get(_find_type_code(text))

    def get_type(self, code: str) -> TroopType:
        """Return the type with exactly this code or alias, without a number of figures.

        Raises:
            KeyError: the table does not have the code.
        """
        return self.types_by_code[code]


@cache
def _find_type_code(code: str) -> str:
    """Return the type in a code, without the number of figures; empty if the text is not a code."""
    match = _CODE.fullmatch(code)
    return "" if match is None else match["type"]


def read_troops(name: str = DEFAULT_TABLE) -> TroopTable:
    """Load a troop table by name, or a user's table by path.

    Raises:
        ResourceError: the table does not exist.
        FileError: a row is not valid; the message names file, line and key.
    """
    text, place = template_text("troops", name), template_file("troops", name)
    file = convert(template("troops", name), TroopFile, place, text)
    types_by_code: dict[str, TroopType] = {}
    for number, troop in enumerate(file.troops):
        for code in (troop.code, *troop.aliases):
            if code in types_by_code:
                reason = Sentence("the code {code} is listed twice; each code must name one type", code=code)
                raise member_error(place, text, ("troops", number), reason)
            types_by_code[code] = troop
    return TroopTable(name=file.name, types=file.troops, types_by_code=types_by_code, codes=file.codes)


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
    """The two sides: the NPG (SD-1.2-a) and the player (SD-1.2-b)."""

    NPG = "npg"
    YOU = "you"


class HillsOrMarsh(StrEnum):
    """The feature of this pair for a littoral army (SD-3.2.2-a); with ``DICE`` a roll decides."""

    DICE = "dice"
    STEEP_HILL = "steep_hill"
    MARSH = "marsh"


class WoodsOrDunes(StrEnum):
    """The feature of this pair for a littoral army (SD-3.2.2-b); with ``DICE`` a roll decides."""

    DICE = "dice"
    WOODS = "woods"
    DUNES = "dunes"


class LittoralPairs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices of an army file between the two pairs of features of a littoral home."""

    hills_or_marsh: HillsOrMarsh = HillsOrMarsh.DICE
    woods_or_dunes: WoodsOrDunes = WoodsOrDunes.DICE


class Element(Struct, frozen=True, kw_only=True):
    """One element: its code in the list, its type, and whether it is the general's."""

    code: str
    troop: TroopType
    general: bool = False


class Force(Struct, frozen=True, kw_only=True):
    """One side's army with all options chosen; its elements do not include camp followers (0.3).

    ``aggression`` is 0 to 4. ``camp`` is False if the rule book gives the army no camp. ``pairs`` applies only to a
    littoral home.
    """

    name: str
    home: Home
    aggression: int
    elements: tuple[Element, ...]
    camp: bool = True
    pairs: LittoralPairs = field(default_factory=LittoralPairs)

    def count(self, *types: str) -> int:
        """Return n(S, A+B): the number of elements of these types, by type code such as ``Bw``; 0 without types."""
        return self._count_elements(lambda element: element.troop.code in types)

    def type_counts(self) -> Counter[str]:
        """Return the number of elements of each type."""
        return Counter(element.troop.code for element in self.elements)

    @property
    def mounted_count(self) -> int:
        """Return mounted(S): the number of mounted elements, including elephants (AMB-08)."""
        return self._count_elements(lambda element: element.troop.mounted)

    @property
    def infantry_count(self) -> int:
        """Return foot(S): the number of infantry elements, without artillery and war wagons (AMB-09)."""
        return self._count_elements(lambda element: element.troop.infantry)

    @property
    def bad_goer_count(self) -> int:
        """Return badgoers(S): the number of elements of bad-going types."""
        return self._count_elements(lambda element: element.troop.bad_goer)

    def count_moving_at_least(self, paces: int) -> int:
        """Return the number of elements that move at least ``paces`` in good going."""
        return self._count_elements(lambda element: element.troop.move >= paces)

    def count_moving_at_most(self, paces: int) -> int:
        """Return the number of elements that move at most ``paces`` in good going."""
        return self._count_elements(lambda element: element.troop.move <= paces)

    @property
    def is_littoral(self) -> bool:
        """Return lit(S): whether the home is littoral."""
        return self.home is Home.LITTORAL

    @property
    def general(self) -> Element | None:
        """Return the general's element, or None if it is not known."""
        return next((element for element in self.elements if element.general), None)

    def _count_elements(self, predicate: Callable[[Element], bool]) -> int:
        """Return the number of elements that meet ``predicate``."""
        return sum(1 for element in self.elements if predicate(element))
