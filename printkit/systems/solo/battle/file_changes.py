"""What a person at a screen writes of a battle: facts and the base edge into its file, and an army of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from printkit.console.locks import lock_game
from printkit.core.errors import UsageError
from printkit.core.numbers import parse_int
from printkit.core.paths import exists
from printkit.export.placing import replace_file
from printkit.recipes.game.request import read_text
from printkit.recipes.output.files import write_folder
from printkit.systems.dba.armies.list_notation import is_notation
from printkit.systems.solo.tactics.battle_file import read_battle
from printkit.systems.solo.tactics.situation import FactValue, read_fact
from printkit.terrain.field.battlefield import Edge

_SECTION: Final = re.compile(r"^\[facts\]\s*$", re.MULTILINE)
_EDGE: Final = re.compile(r"^(?:# )?npg_edge = .*$", re.MULTILINE)
_NAMED: Final = re.compile(r"[^a-z0-9]+")
_NAME_LINE: Final = re.compile(r'^[ \t]*+name[ \t]*+=[ \t]*+"([^"\n]{1,80})"', re.MULTILINE)

# Letters of an army list on one line.
_LONGEST_LIST: Final = 2000


def tell_fact(path: Path, name: str, answer: str) -> None:
    """Write a fact into the file of a battle, in the place of what stood there; an empty answer takes it back.

    Raises:
        ScenarioError: there is no such fact, or it cannot be that.
        UsageError: the file has no place for it.
    """
    number = parse_int(answer)
    value: FactValue = {"yes": True, "no": False}.get(answer, answer if number is None else number)
    if answer:
        read_fact(name, value)
        line = f"{name} = {_toml(value)}"

    def told(text: str) -> str:
        section = _SECTION.search(text)
        if section is None:
            raise UsageError("{path} has no table [facts]; add it", path=path.name)
        stood = re.compile(rf"^{re.escape(name)} *=.*\n?", re.MULTILINE)
        head, rest = text[: section.end()], stood.sub("", text[section.end() :], count=1)
        return f"{head}\n{line}{rest}" if answer else head + rest

    _rewrite(path, told)


def tell_edge(path: Path, edge: str) -> None:
    """Write into the file of a battle which base edge was left to a general who defends.

    Raises:
        UsageError: no such edge, or a file without a place for it.
    """
    if edge not in list(Edge):
        raise UsageError("there is no edge {edge!r}; write near, far, left or right", edge=edge)

    def told(text: str) -> str:
        text, count = _EDGE.subn(f'npg_edge = "{edge}"', text, count=1)
        if not count:
            raise UsageError("{path} has no npg_edge under [board]; add it", path=path.name)
        return text

    _rewrite(path, told)


def _rewrite(path: Path, change: Callable[[str], str]) -> None:
    """Change the text of a battle file while nobody else does; what would be no battle leaves it as it was."""
    with lock_game(path):
        text = change(read_text(path))
        read_battle(text, str(path))
        with replace_file(path) as unfinished:
            unfinished.write_text(text, encoding="utf-8", newline="\n")


def _toml(value: FactValue) -> str:
    return str(value).lower() if isinstance(value, bool | int) else f'"{value}"'


def own_army(text: str, folder: Path) -> str:
    """Return a person's own army as a battle names it: a list on one line as it is, or a file that is written here.

    The text is not parsed: that is left to the command that begins the battle, which can be stopped.

    Args:
        text: the list, or what stands in an army file.
        folder: into which the file is written, called after the army.
    """
    plain = text.strip()
    if "\n" not in plain and len(plain) <= _LONGEST_LIST and is_notation(plain):
        return plain
    named = _NAME_LINE.search(text)
    name = _NAMED.sub("-", named[1].lower() if named else "").strip("-")[:40] or "army"
    place = folder / f"{name}.toml"
    number = 2
    while exists(place) and place.read_bytes() != text.encode():
        place, number = folder / f"{name}-{number}.toml", number + 1
    write_folder({place.name: text}, folder, force=True)
    return str(place)
