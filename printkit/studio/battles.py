"""Battles against a general without a player, kept in the very files of the commands: each step is a command.

The studio never chooses a move. It shows what a command has told, and what has been said of the battle so far.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from msgspec import Struct

from printkit.api import load
from printkit.core.errors import UsageError, typed_path
from printkit.core.resources import names as resource_names
from printkit.core.words import Words
from printkit.kit import registry
from printkit.studio.desk import Desk
from printkit.studio.forms import Choice, Control, value_label
from printkit.studio.own_command import run_own
from printkit.studio.sitting import Change, KeptField, Notes
from printkit.studio.tokens import same, token

FOLDER: Final = "battles"
ARMIES: Final = "armies"
"""The folder of battles, and that of a person's own armies in it."""

_OWN: Final = "own"
STAGES: Final = ("terrain", "edge", "deploy", "swap", "bound")
"""What is played of a battle, in its order; the last of them again and again."""

_RULES: Final = "solo-dba"
_LISTED: Final = re.compile(r"\s*([0-9]{1,40}) (.+?) \[([A-Z]+-[\w.-]+)\]")
_CLAUSE: Final = re.compile(r"(?:(?<!\s)\s++)?\[([A-Z]{2}-[\w.-]+)\]")
_LOSSES: Final = re.compile(r"\+?[0-9]{1,2}")
_DICE: Final = re.compile(r"[1-6](?:[ ,]+[1-6])*")
_SCALES: Final = ("15mm", "25mm")
_MOST: Final = 60
"""Lines of a step that are kept to be shown."""


class ToldLine(Struct, frozen=True, kw_only=True):
    """A line of what a command told: its words and the clause behind it; one of a list has its number."""

    text: str
    clause: str = ""
    number: str = ""


class BattleView(Struct, frozen=True, kw_only=True):
    """A battle as a page shows it: where it stands by its rule system, and what the last step told."""

    name: str
    at: Any
    told: tuple[ToldLine, ...]


class Begun(Struct, frozen=True, kw_only=True):
    """What is asked for of a new battle.

    Attributes:
        npg: the army of the general, one of ours; or a person's own, as a list on one line or the text of its file.
        you: the person's, likewise.
        field: the address of the field on which it is fought; empty for one that is still to be diced for.
        scale: of the figures.
    """

    npg: str
    you: str
    field: str = ""
    scale: str = _SCALES[0]


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

    def new(self, begun: Begun, words: Words) -> str:
        """Write the file of a battle, and return its name.

        Raises:
            PrintkitError: no such army or field.
        """
        if begun.scale not in _SCALES:
            raise UsageError(
                "--scale {scale!r} is not valid; use one of {scales}", scale=begun.scale, scales=", ".join(_SCALES)
            )
        record = [f"--map={self._desk.sitting.path(begun.field).resolve()}"] if begun.field else []
        own = self._folder / ARMIES
        before = set(own.glob("*.toml"))
        npg, you = (self._army(army) for army in (begun.npg, begun.you))
        names = self.names()
        called = "-".join(army if army in armies() else _OWN for army in (npg, you))
        name = next(each for each in _free(called) if each not in names)
        self._folder.mkdir(parents=True, exist_ok=True)
        scale = [] if begun.scale == _SCALES[0] else [f"--scale={begun.scale}"]
        words_of_it = [*record, *scale, f"--out={self._folder / name}.toml", f"--lang={words.code}"]
        try:
            self._keep(name, "new", _said(["new", *words_of_it, "--", npg, you]))
        except UsageError as error:
            for path in set(own.glob("*.toml")) - before:
                path.unlink()
            raise UsageError("{told}", told=str(error).replace(f"{own}{os.sep}", "")) from None
        return name

    def _army(self, army: str) -> str:
        """Return an army as a command names it; no path comes from a page."""
        if army in armies():
            return army
        if re.fullmatch(r"[a-z0-9-]*", army):
            raise UsageError("there is no army {army!r} here; choose one from the list", army=army)
        named: str = rules_added().own_army(army, self._folder / ARMIES)
        return named

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
            rules_added().tell_edge(path, edge)
        own = ["--override"] if stage == "override" else _losses(asked) if stage == "bound" else []
        command = "bound" if stage == "override" else stage
        if command not in STAGES:
            raise UsageError("a battle has no stage {stage!r}", stage=stage)
        if dice := asked.get("dice", "").strip():
            if not _DICE.fullmatch(dice):
                raise UsageError("dice {dice!r} are not d6 scores; write for example 4 2", dice=dice)
            own.append(f"--dice={dice}")
        self._keep(name, stage, _said([command, str(path), *own, f"--lang={words.code}"]))

    def tell(self, name: str, fact: str, answer: str) -> None:
        """Write down a fact that only the board knows; an empty answer takes it back.

        Raises:
            PrintkitError: no such battle or fact, or an answer that it cannot have.
        """
        rules_added().tell_fact(self.path(name), fact, answer)

    def back(self, name: str, words: Words, to: int | None = None) -> None:
        """Take back the last step, or every step after a bound.

        Args:
            name: of the battle.
            words: the language.
            to: the number of the bound that is to be the last one.

        Raises:
            UsageError: nothing was played yet.
        """
        path = self.path(name)
        at = self.standing(name, words)
        if to is not None and not any(bound.number == to for bound in at.bounds):
            raise UsageError("this battle has no bound {number}", number=to)
        while True:
            done = [stage for stage in STAGES if stage in at.done]
            stage = STAGES[-1] if "level" in at.done else done[-1] if done else ""
            if not stage:
                raise UsageError("this battle has no move to take back")
            self._keep(name, "back", _said([stage, str(path), "--undo", f"--lang={words.code}"]))
            if to is None:
                return
            at = self.standing(name, words)
            if at.bounds[-1].number <= to:
                return

    def standing(self, name: str, words: Words) -> Any:
        """Return where a battle stands, by its rule system.

        Raises:
            PrintkitError: its file cannot be read.
        """
        return rules_added().standing(self.path(name), words)

    def view(self, name: str, words: Words) -> BattleView:
        """Return a battle as it stands, with what the last step told.

        Raises:
            PrintkitError: its file cannot be read.
        """
        notes = self._notes.read(f"battle-{name}")
        lines = [] if notes.get("stage") in ("bound", "override", "back") else notes.get("lines", [])
        at = self.standing(name, words)
        known = {*at.lines, words("npg.battle.sealed", path=typed_path(self.path(name)))}
        told = tuple(_line(str(line)) for line in lines if str(line).strip() not in known)
        return BattleView(name=name, at=at, told=told)

    def field(self, name: str, style: str, words: Words) -> KeptField:
        """Put the ground of a battle on the desk.

        Raises:
            PrintkitError: none lies yet.
        """
        at = self.standing(name, words)
        if at.map is None:
            raise UsageError("this battle has no map yet")
        return self._desk.keep(load(at.map), style, words.code, change=Change(what="given"))

    def _keep(self, name: str, stage: str, lines: Sequence[str]) -> None:
        self._notes.write(f"battle-{name}", {"stage": stage, "lines": list(lines)[:_MOST]})

    # --- On a phone -----------------------------------------------------------------------------------------------

    def link(self, name: str) -> str:
        """Return the token of the table aid of a battle."""
        kept = self._kept(name)
        if not kept:
            kept = token()
            self._notes.write(f"aid-{name}", {"token": kept})
        return kept

    def _kept(self, name: str) -> str:
        """Return the token that a battle has; nothing where nobody was shown one."""
        return str(self._notes.read(f"aid-{name}").get("token", ""))

    def aid(self, given: str, words: Words) -> str:
        """Return the table aid that a token opens, as the command writes it; every token is compared.

        Raises:
            UsageError: none.
        """
        # All are compared, and none is made: who guesses leaves nothing behind.
        kept = {name: self._kept(name) for name in self.names()}
        found = [name for name, own in kept.items() if same(own, given) and own]
        if not found:
            raise UsageError("this link no longer opens a battle; ask the host for a new one")
        return _output(["aid", str(self.path(found[0])), "--out=-", f"--lang={words.code}"])

    def from_aid(self, name: str, log: str, words: Words) -> None:
        """Keep in a battle what was played of it with the table aid, by the log that its page saves.

        Raises:
            UsageError: it is no such log, or of another battle; in the words of the command.
        """
        if not log.strip():
            raise UsageError("paste the log of the table aid first; its page saves it")
        with TemporaryDirectory() as folder:
            path = Path(folder) / "aid.json"
            path.write_text(log, encoding="utf-8", newline="\n")
            self._keep(
                name,
                "back",
                _said(["show", str(self.path(name)), f"--from-aid={path}", "--keep", f"--lang={words.code}"]),
            )


def rules_added() -> Any:
    """Return what the rule system of battles lets a screen do."""
    return registry.added(_RULES, "lone_battles")


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


def scale_control(chosen: str, words: Words) -> Control:
    """Return the choice of the scale of figures."""
    choices = tuple(
        Choice(value=each, label=value_label("scale", each, words), chosen=each == (chosen or _SCALES[0]))
        for each in _SCALES
    )
    return Control(name="scale", title=words("studio.battle.scale"), kind="segments", choices=choices)


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


def _losses(asked: Mapping[str, str]) -> list[str]:
    npg, you = (asked.get(side, "").strip() for side in ("npg", "you"))
    camps = [f"--camp-lost={side}" for side in ("npg", "you") if asked.get(f"camp-{side}")]
    if not npg and not you:
        return camps
    for text in (npg, you):
        if text and not _LOSSES.fullmatch(text):
            raise UsageError("losses {text!r} is not a number of elements", text=text)
    return [f"--lost={npg or 0},{you or 0}", *camps]


def _output(words: Sequence[str]) -> str:
    """Return what a command of a battle wrote to standard output.

    Raises:
        UsageError: it failed, in the words of the command; or it took too long.
    """
    done = run_own("npg", *words)
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines() or [""]
        raise UsageError("{told}", told=last[-1].removeprefix("printkit: "))
    return done.stdout.decode("utf-8", "replace")


def _said(words: Sequence[str]) -> list[str]:
    """Return the lines that a command of a battle told; as ``_output``."""
    return [line for line in _output(words).splitlines() if line.strip()]


def _line(text: str) -> ToldLine:
    if (listed := _LISTED.fullmatch(text)) and text.startswith(" "):
        return ToldLine(number=listed[1], text=listed[2], clause=listed[3] or "")
    clause = _CLAUSE.search(text)
    return ToldLine(text=_CLAUSE.sub("", text).strip(), clause=clause[1] if clause else "")
