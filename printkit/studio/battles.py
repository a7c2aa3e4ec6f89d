"""Battles against a general without a player, kept in the very files of the commands: each step is a command.

The studio never chooses a move. It shows what a command has told, and what has been said of the battle so far.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from msgspec import Struct

from printkit.core.errors import UsageError
from printkit.core.resources import names as resource_names
from printkit.core.words import Words
from printkit.export.placing import replacing
from printkit.studio.desk import Desk
from printkit.studio.forms import Choice, Control, value_label
from printkit.studio.sitting import Notes
from printkit.terrain.field.battlefield import Edge

FOLDER: Final = "battles"
STAGES: Final = ("terrain", "edge", "deploy", "swap", "bound")
"""What is played of a battle, in its order; the last of them again and again."""

_RULES: Final = "solo-dba"
_LISTED: Final = re.compile(r"\s*(\d+) (.+?) \[([A-Z]+-[\w.-]+)\]")
_CLAUSE: Final = re.compile(r"\s*\[([A-Z]{2}-[\w.-]+)\]")
_LOSSES: Final = re.compile(r"\+?\d{1,2}")
_DICE: Final = re.compile(r"[1-6](?:[ ,]+[1-6])*")
_EDGE: Final = re.compile(r"^(?:# )?npg_edge = .*$", re.MULTILINE)
_SECONDS: Final = 60
_MOST: Final = 60
"""Lines of a step that are kept to be shown."""


class ToldLine(Struct, frozen=True, kw_only=True):
    """A line of what a command told: its words and the clause behind it; one of a list has its number."""

    text: str
    clause: str = ""
    number: str = ""


class BattleView(Struct, frozen=True, kw_only=True):
    """A battle as a page shows it: what the last step told, where the battle stands, and what may come next."""

    name: str
    head: str
    told: tuple[ToldLine, ...]
    standing: tuple[ToldLine, ...]
    bounds: int


class Battles:
    """The battles of an output folder."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._notes = Notes(desk.sitting.folder)

    @property
    def _folder(self) -> Path:
        return self._desk.settings.out / FOLDER

    def names(self) -> tuple[str, ...]:
        """Return the names of the battles, the latest first."""
        found = [path for path in self._folder.glob("*.toml") if not path.is_symlink()] if self._folder.is_dir() else []
        return tuple(path.stem for path in sorted(found, key=lambda each: -each.stat().st_mtime))

    def path(self, name: str) -> Path:
        """Return the file of a battle; its name is looked up.

        Raises:
            UsageError: there is none.
        """
        if name not in self.names():
            raise UsageError("there is no battle {name!r} here", name=name)
        return self._folder / f"{name}.toml"

    def new(self, npg: str, you: str, field: str, words: Words) -> str:
        """Write the file of a battle, and return its name.

        Args:
            npg: the army of the general, one of ours.
            you: the person's, likewise.
            field: the address of the field on which it is fought; empty for one that is still to be diced for.
            words: the language.

        Raises:
            UsageError: no such army or field.
        """
        known = armies()
        for army in (npg, you):
            if army not in known:
                raise UsageError("there is no army {army!r} here; choose one of the list", army=army)
        record = [f"--map={self._desk.sitting.path(field).resolve()}"] if field else []
        names = self.names()
        name = next(each for each in _free(f"{npg}-{you}") if each not in names)
        self._folder.mkdir(parents=True, exist_ok=True)
        lines = _said(["new", npg, you, *record, f"--out={self._folder / name}.toml", f"--lang={words.code}"])
        self._keep(name, lines)
        return name

    def play(self, name: str, stage: str, asked: Mapping[str, str], words: Words) -> None:
        """Play a stage, or the next bound; what it told is kept to be shown.

        Args:
            name: of the battle.
            stage: one of ``STAGES``, or ``override``.
            asked: what the form says: losses so far as ``npg`` and ``you``, lost camps, one's own ``dice``.
            words: the language.

        Raises:
            UsageError: the stage cannot be played now, or what was given cannot be; in the words of the command.
        """
        path = self.path(name)
        if edge := asked.get("edge", ""):
            _write_edge(path, edge)
        own = ["--override"] if stage == "override" else _losses(asked) if stage == "bound" else []
        command = "bound" if stage == "override" else stage
        if command not in STAGES:
            raise UsageError("a battle has no stage {stage!r}", stage=stage)
        if dice := asked.get("dice", "").strip():
            if not _DICE.fullmatch(dice):
                raise UsageError("dice {dice!r} are no scores of a d6; write 4 2", dice=dice)
            own.append(f"--dice={dice}")
        self._keep(name, _said([command, str(path), *own, f"--lang={words.code}"]))

    def back(self, name: str, words: Words) -> None:
        """Take back the last step.

        Raises:
            UsageError: nothing was played yet.
        """
        path = self.path(name)
        for stage in reversed(STAGES):
            try:
                lines = _said([stage, str(path), "--undo", f"--lang={words.code}"])
            except UsageError:
                continue
            self._keep(name, lines)
            return
        raise UsageError("nothing of this battle was played that could be taken back")

    def view(self, name: str, words: Words) -> BattleView:
        """Return a battle as it stands.

        Raises:
            UsageError: its file cannot be read, in the words of the command.
        """
        shown = _said(["show", str(self.path(name)), f"--lang={words.code}"])
        told = [str(line) for line in self._notes.read(f"battle-{name}").get("lines", [])]
        head = _head(told)
        rest = [line for line in told if line != head]
        return BattleView(
            name=name,
            head=head,
            told=tuple(map(_line, rest)),
            standing=tuple(map(_line, shown)),
            bounds=sum(bool(re.search(r"\d+ PIP", line)) for line in shown),
        )

    def _keep(self, name: str, lines: Sequence[str]) -> None:
        self._notes.write(f"battle-{name}", {"lines": list(lines)[:_MOST]})


def armies() -> tuple[str, ...]:
    """Return the names of our armies."""
    return tuple(resource_names("templates/armies", ".toml"))


def army_control(name: str, chosen: str, words: Words) -> Control:
    """Return the choice of an army."""
    choices = [Choice(value=each, label=value_label("npg", each, words), chosen=each == chosen) for each in armies()]
    return Control(
        name=name,
        title=words(f"studio.battle.{name}"),
        choices=tuple(sorted(choices, key=lambda choice: choice.label)),
        value=chosen,
    )


def field_control(desk: Desk, words: Words) -> Control:
    """Return the choice of the field: one that is still to be diced for, or one of the sitting by these rules."""
    fields = [each for each in reversed(desk.sitting.fields) if each.rules == _RULES]
    none = Choice(value="", label=words("studio.battle.diced"), chosen=True)
    choices = (Choice(value=each.id, label=f"{each.name or each.title} ({each.seed})") for each in fields)
    return Control(name="field", title=words("studio.battle.field"), choices=(none, *choices))


def _free(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1


def _write_edge(path: Path, edge: str) -> None:
    """Write into the file of a battle which base edge was left to a general who defends.

    Raises:
        UsageError: no such edge, or a file without a place for it.
    """
    if edge not in list(Edge):
        raise UsageError("there is no edge {edge!r}; it is near, far, left or right", edge=edge)
    text, count = _EDGE.subn(f'npg_edge = "{edge}"', path.read_text(encoding="utf-8"), count=1)
    if not count:
        raise UsageError("{path} has no npg_edge under [board]; write it there", path=path.name)
    with replacing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")


def _losses(asked: Mapping[str, str]) -> list[str]:
    npg, you = (asked.get(side, "").strip() for side in ("npg", "you"))
    camps = [f"--camp-lost={side}" for side in ("npg", "you") if asked.get(f"camp-{side}")]
    if not npg and not you:
        return camps
    for text in (npg, you):
        if text and not _LOSSES.fullmatch(text):
            raise UsageError("losses {text!r} are no number of elements", text=text)
    return [f"--lost={npg or 0},{you or 0}", *camps]


def _said(words: Sequence[str]) -> list[str]:
    """Return the lines that a command of a battle told.

    Raises:
        UsageError: it failed; its words are those of the command.
    """
    command = [sys.executable, "-X", "utf8", "-m", "printkit", "npg", *words]
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=_SECONDS, check=False)
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines() or [""]
        raise UsageError("{told}", told=last[-1].removeprefix("printkit: "))
    return [line for line in done.stdout.decode("utf-8", "replace").splitlines() if line.strip()]


def _head(lines: Sequence[str]) -> str:
    """Return the line that stands above a list of moves; where there is none, the first that is not within another."""
    heads = [line for line in lines if not line.startswith(" ")]
    listed = [line for line, after in pairwise(lines) if line in heads and _LISTED.fullmatch(after)]
    return (listed or heads or [""])[0]


def _line(text: str) -> ToldLine:
    if (listed := _LISTED.fullmatch(text)) and text.startswith(" "):
        return ToldLine(number=listed[1], text=listed[2], clause=listed[3] or "")
    clause = _CLAUSE.search(text)
    return ToldLine(text=_CLAUSE.sub("", text).strip(), clause=clause[1] if clause else "")
