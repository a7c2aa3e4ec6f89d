"""How the doubtful points of army composition are read: one value of the settings, each an entry of the register."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct, field

from printkit.core.errors import ScenarioError
from printkit.systems.solo.armies.force import Classing

_TRUE: Final = "true"
_FALSE: Final = "false"


class PikeParity(StrEnum):
    """When an option is left out because of an odd number of pikes (AMB-02).

    By ``COMPLETION`` where nothing that may follow, the general among it, can make the number even; by ``STRICT`` the
    general is not counted on. By ``FINAL`` only the finished army is looked at, and the last choice that has to do with
    pikes is diced again. ``OFF`` leaves nothing out.
    """

    COMPLETION = "completion"
    STRICT = "strict"
    FINAL = "final"
    OFF = "off"


class CompositionTerms(Struct, frozen=True, kw_only=True):
    """The readings of AMB-01, 02 and 04 to 09; the defaults are those of the register."""

    redice_all: bool = False  # AMB-01: after a tie all options dice again, not the tied ones alone
    pike_parity: PikeParity = PikeParity.COMPLETION  # AMB-02
    general_asked: bool = False  # AMB-04: a person chooses between tied elements of the general
    slower_than_some: bool = False  # AMB-05
    match_code: bool = False  # AMB-06: the number of figures counts as well
    classing: Classing = field(default_factory=Classing)  # AMB-07, 08, 09

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> CompositionTerms:
        """Return the terms of the settings; those that are not there have their defaults.

        Raises:
            ScenarioError: a setting has no such value; names those it has.
        """
        yes_no = (_TRUE, _FALSE)
        return cls(
            redice_all=_value(settings, "tie_redice", ("tied", "all"), "AMB-01") == "all",
            pike_parity=PikeParity(_value(settings, "pike_parity", tuple(PikeParity), "AMB-02")),
            general_asked=_value(settings, "general_tie", ("again", "ask"), "AMB-04") == "ask",
            slower_than_some=_value(settings, "slower", ("every", "some"), "AMB-05") == "some",
            match_code=_value(settings, "general_match", ("type", "code"), "AMB-06") == "code",
            classing=Classing(
                bow_aliases=_value(settings, "bow_aliases", yes_no, "AMB-07") == _TRUE,
                elephants_mounted=_value(settings, "el_mounted", yes_no, "AMB-08") == _TRUE,
                artillery_is_infantry=_value(settings, "artillery_is_infantry", yes_no[::-1], "AMB-09") == _TRUE,
            ),
        )


def _value(settings: Mapping[str, str], key: str, values: tuple[str, ...], clause: str) -> str:
    """Return the value of a setting, or the first of its values where nothing is said."""
    value = settings.get(key, values[0]).lower()
    if value not in values:
        raise ScenarioError(
            "{key} cannot be {value!r}; it is one of {values}",
            key=key,
            value=settings[key],
            values=", ".join(values),
            clause=clause,
        )
    return value
