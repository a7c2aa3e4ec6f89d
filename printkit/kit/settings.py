"""A setting of a rule system: its key, the values that it may have, and the one that holds where nothing is said."""

from __future__ import annotations

import re

from msgspec import Struct

from printkit.core.errors import ScenarioError, Sentence


class Setting(Struct, frozen=True, kw_only=True):
    """One choice that a person may make: its key, its values with the default first, the clause it settles.

    ``alias`` is a plain name beside the key; settings that share one are set together by it. ``open`` means that a
    number from ``least`` to ``most`` may be given besides the listed values, ``pattern`` that any text which it matches
    may, and ``like`` says in words what that is; ``path`` keeps such a text as it was given, capitals and all.
    """

    key: str
    values: tuple[str, ...]
    clause: str
    title: str
    alias: str = ""
    open: bool = False
    least: float | None = None
    most: float | None = None
    pattern: str = ""
    like: str = ""
    path: bool = False

    @property
    def default(self) -> str:
        """Return the value that holds where a person says nothing."""
        return self.values[0]

    def read(self, text: str) -> str:
        """Return a value as the book spells it.

        Raises:
            ScenarioError: the setting has no such value; names those it has.
        """
        for value in self.values:
            if value.lower() == text.strip().lower():
                return value
        if self.open and _in_range(text, self.least, self.most):
            return text.strip()
        if self.pattern and re.fullmatch(self.pattern, text.strip().lower()):
            return text.strip() if self.path else text.strip().lower()
        raise ScenarioError(
            "{key} cannot be {text!r}; {choices}", key=self.key, text=text, choices=self.choices, clause=self.clause
        )

    @property
    def choices(self) -> str:
        """Return in words what may be given."""
        listed = ", ".join(self.values)
        if self.pattern:
            return Sentence("it is one of {listed}, or {like}", listed=listed, like=self.like)
        if not self.open:
            return Sentence("it is one of {listed}", listed=listed)
        return Sentence(
            "it is {listed} or a number from {least:g} to {most:g}",
            listed=listed,
            least=self.least or 0,
            most=self.most or float("inf"),
        )


def _in_range(text: str, least: float | None, most: float | None) -> bool:
    try:
        value = float(text)
    except ValueError:
        return False
    return (least is None or value >= least) and (most is None or value <= most) and abs(value) < float("inf")
