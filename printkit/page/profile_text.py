"""Printer profiles as TOML: written for people to read, and read back with an eye on what cannot be."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from printkit.core.errors import BookError, UsageError
from printkit.page.printer import Margins, Profile
from printkit.page.sheet import Flip

FARTHEST: Final = 0.15
"""How far a scale may be from 1: a sheet farther off was not printed at 100 %, or was measured wrongly."""

WIDEST: Final = 50.0
"""The widest margin in mm that is believed of a printer."""

OFF: Final = 10.0
"""How far in mm a back may lie beside its front."""

DIGITS: Final = 5
"""Decimals that are kept: a hundredth of a millimetre in a metre."""

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST: Final = 40
_TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "scale": ("across", "along"),
    "backs": ("right", "up", "flip"),
    "margins": Margins._fields,
}


def checked_name(text: str) -> str:
    """Return the name of a printer, which is also that of its file.

    Raises:
        UsageError: it holds something else than letters, digits and hyphens, or is too long.
    """
    name = text.strip().lower()
    if _NAME.fullmatch(name) is None or len(name) > _LONGEST:
        raise UsageError(
            "{text!r} cannot be a printer's name; write a-z, digits and hyphens, up to {longest}, as office-laser",
            text=text,
            longest=_LONGEST,
        )
    return name


def text_of(profile: Profile) -> str:
    """Return a profile as TOML; what was not measured is left out."""
    lines = [
        "# What a printer does to a sheet, as printkit calibrate measured it. Lengths are in mm.",
        "",
        "[scale]  # printed mm per mm, the sheet upright",
        f"across = {_number(profile.scale_x)}",
        f"along = {_number(profile.scale_y)}",
    ]
    if profile.moves_backs:
        lines += [
            "",
            "[backs]  # how far they come too far to the right and too far up, looking at the back",
            f"right = {_number(profile.back_dx)}",
            f"up = {_number(profile.back_dy)}",
            f'flip = "{profile.flip}"',
        ]
    if profile.margins is not None:
        lines += ["", "[margins]  # what it leaves white"]
        lines += [f"{side} = {_number(value)}" for side, value in profile.margins._asdict().items()]
    return "\n".join(lines) + "\n"


def read(name: str, text: str) -> Profile:
    """Return the profile that a TOML text holds.

    Raises:
        BookError: it is none; names the key and what would be right.
    """
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BookError("not TOML: {error}", error=error) from None
    for table, members in tree.items():
        if table not in _TABLES or not isinstance(members, Mapping):
            raise BookError(
                "{table!r} means nothing here; a profile has {tables}",
                table=table,
                tables=", ".join(f"[{key}]" for key in _TABLES),
            )
        for key in members:
            if key not in _TABLES[table]:
                raise BookError(
                    "{table}.{key} means nothing here; [{table}] has {keys}",
                    table=table,
                    key=key,
                    keys=", ".join(_TABLES[table]),
                )
    scale, backs, margins = (tree.get(table, {}) for table in _TABLES)
    return Profile(
        name=name,
        scale_x=_between(scale, "scale.across", 1 - FARTHEST, 1 + FARTHEST, default=1.0),
        scale_y=_between(scale, "scale.along", 1 - FARTHEST, 1 + FARTHEST, default=1.0),
        back_dx=_between(backs, "backs.right", -OFF, OFF, default=0.0),
        back_dy=_between(backs, "backs.up", -OFF, OFF, default=0.0),
        flip=_flip(backs.get("flip", Flip.LONG_EDGE)),
        margins=Margins(*(_between(margins, f"margins.{side}", 0.0, WIDEST) for side in Margins._fields))
        if margins
        else None,
    )


def _between(table: Mapping[str, Any], key: str, low: float, high: float, *, default: float | None = None) -> float:
    value = table.get(key.split(".")[1], default)
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    if not plain or not math.isfinite(value) or not low <= value <= high:
        said = "is missing" if value is None else f"= {value!r}"
        raise BookError("{key} {said}; write a number from {low:g} to {high:g}", key=key, said=said, low=low, high=high)
    return float(value)


def _flip(value: object) -> Flip:
    if value not in list(Flip):
        raise BookError(
            "backs.flip = {value!r}; write {flip}", value=value, flip=" or ".join(repr(str(flip)) for flip in Flip)
        )
    return Flip(str(value))


def _number(value: float) -> str:
    return f"{round(value, DIGITS) + 0.0:g}"
