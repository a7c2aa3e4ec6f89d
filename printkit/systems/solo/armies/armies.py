"""Armies by name or by path: the sample lists that come with the program, and a person's own files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from printkit.core.errors import ResourceError
from printkit.core.resources import names, template_text
from printkit.core.words import Words
from printkit.systems.solo.armies.army import Army
from printkit.systems.solo.armies.army_files import army_of, read_army_file
from printkit.systems.solo.armies.army_text import ArmyText
from printkit.systems.solo.armies.troops import TroopTable, read_troops

_KIND: Final = "armies"
_VERSIONS: Final = ("2.2", "3.0", "1.x")
_NUMERALS: Final[Mapping[str, int]] = {"I": 1, "II": 2, "III": 3, "IV": 4}


def read_army(name: str, troops: TroopTable | None = None) -> Army:
    """Return a sample army by its name, ``polybian-roman``, or a person's own by the path of its file.

    Raises:
        ResourceError: there is no such army or file, or it cannot be read.
        ScenarioError: the file is no army; names the line where it can be told.
    """
    table = troops or read_troops()
    known = sample_names()
    if name in known:
        return army_of(ArmyText(name, template_text(_KIND, name)), table)
    path = Path(name)
    if not path.exists() and not name.endswith(".toml") and path.name == name:
        raise ResourceError(
            "no army {name!r}; give the path of an army file, NAME.toml, or one of the samples: {known}",
            name=name,
            known=", ".join(known),
        )
    return read_army_file(path, table)


def sample_names() -> list[str]:
    """Return the names of the sample armies in alphabetical order."""
    return names(f"templates/{_KIND}", ".toml")


def samples(troops: TroopTable | None = None) -> tuple[Army, ...]:
    """Return every sample army: lists of version 2.2 first, those with their choices before armies as fielded."""
    table = troops or read_troops()
    return tuple(sorted((read_army(name, table) for name in sample_names()), key=_place))


def in_words(army: Army, words: Words) -> Army:
    """Return a sample army with its name, source, doubt and note in a language; a person's own is as he wrote it."""
    key = f"npg.sample.{army.id}"
    if army.file != army.id or not words.has(f"{key}.name"):
        return army
    return replace(
        army,
        name=words(f"{key}.name"),
        source=words(f"{key}.source") if army.source else "",
        doubt=words(f"{key}.doubt") if army.doubt else "",
        note=words(f"{key}.note") if army.note else "",
    )


def _place(army: Army) -> tuple[int, bool, int, int, str]:
    book, _, rest = army.number.partition("/")
    digits = "".join(letter for letter in rest if letter.isdigit())
    return _VERSIONS.index(army.version), army.fielded, _NUMERALS.get(book, 0), int(digits or 0), rest + army.id
