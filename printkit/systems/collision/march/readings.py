"""How the open questions of the rules are read: settings of the rule book as plain values (CC-Q)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Readings(Struct, frozen=True):
    """The settings ``cc-q05`` to ``cc-q32``; what is not an option of the specification is the default."""

    settings: Mapping[str, str]

    def __call__(self, number: int, option: str) -> bool:
        """Return whether question CC-Q``number`` is read as ``option``."""
        return self.settings.get(f"cc-q{number:02}", "") == option
