"""Battles against the non-player general (NPG): each step runs a ``printkit npg`` command on the battle file.

The studio never chooses a move. It shows the output of the commands and the state of the battle.
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
from printkit.core.errors import UsageError, quote_path
from printkit.core.resources import names as resource_names
from printkit.core.words import Words
from printkit.kit import registry
from printkit.studio.desk import AppState
from printkit.studio.forms import Choice, Control, value_label
from printkit.studio.own_command import run_own
from printkit.studio.sitting import Change, SavedField, SessionLists
from printkit.studio.tokens import same, token

# The folder of battles, and in it the folder of the user's own armies.
FOLDER: Final = "battles"
ARMIES: Final = "armies"

_OWN: Final = "own"

# The stages of a battle in order; the last one repeats.
STAGES: Final = ("terrain", "edge", "deploy", "swap", "bound")

_RULES: Final = "solo-dba"
_LISTED: Final = re.compile(r"\s*([0-9]{1,40}) (.+?) \[([A-Z]+-[\w.-]+)\]")
_CLAUSE: Final = re.compile(r"(?:(?<!\s)\s++)?\[([A-Z]{2}-[\w.-]+)\]")
_LOSSES: Final = re.compile(r"\+?[0-9]{1,2}")
_DICE: Final = re.compile(r"[1-6](?:[ ,]+[1-6])*")
_SCALES: Final = ("15mm", "25mm")

# The number of output lines saved for one step.
_MOST: Final = 60


class ToldLine(Struct, frozen=True, kw_only=True):
    """A line of command output: its text, its clause ID and, in a list, its number."""

    text: str
    clause: str = ""
    number: str = ""


class BattleView(Struct, frozen=True, kw_only=True):
    """A battle as a page shows it: its state from the rule system, and the output of the last step."""

    name: str
    at: Any
    told: tuple[ToldLine, ...]


class Begun(Struct, frozen=True, kw_only=True):
    """The options of a new battle.

    Attributes:
        npg: the army of the NPG: a sample army, an army list on one line, or the text of an army file.
        you: the army of the user, in the same forms.
        field: the ID of the battlefield; empty if the terrain is rolled later.
        scale: the figure scale.
    """

    npg: str
    you: str
    field: str = ""
    scale: str = _SCALES[0]


class Battles:
    """The battles of an output folder."""

    def __init__(self, desk: AppState) -> None:
        self._desk = desk
        self._notes = SessionLists(desk.sitting.folder)

    @property
    def _folder(self) -> Path:
        return self._desk.settings.out / FOLDER

    def names(self) -> tuple[str, ...]:
        """Return the names of the battles, newest first."""
        found = [path for path in self._folder.glob("*.toml") if not path.is_symlink()] if self._folder.is_dir() else []
        return tuple(path.stem for path in sorted(found, key=lambda each: -each.stat().st_mtime))

    def path(self, name: str) -> Path:
        """Return the file of a battle; only names of existing battles are accepted.

        Raises:
            UsageError: the battle does not exist.
        """
        if name not in self.names():
            raise UsageError("there is no battle {name!r} here", name=name)
        return self._folder / f"{name}.toml"

    def new(self, begun: Begun, words: Words) -> str:
        """Create the file of a battle and return its name.

        Raises:
            PrintkitError: an army, the battlefield or the scale is not valid.
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
        """Return the army argument of a command; a page cannot name a path."""
        if army in armies():
            return army
        if re.fullmatch(r"[a-z0-9-]*", army):
            raise UsageError("there is no army {army!r} here; choose one from the list", army=army)
        named: str = rules_added().own_army(army, self._folder / ARMIES)
        return named

    def play(self, name: str, stage: str, asked: Mapping[str, str], words: Words) -> None:
        """Play a stage or the next bound, and save the output for the page.

        Args:
            name: the name of the battle.
            stage: one of ``STAGES``, or ``override``.
            asked: the form: losses so far as ``npg`` and ``you``, lost camps, ``dice`` of the user, ``edge``.
            words: the words of the language.

        Raises:
            UsageError: the stage cannot be played now, or a value is not valid; with the message of the command.
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
        """Record a fact about the table in the battle file; an empty answer removes it.

        Raises:
            PrintkitError: the battle or fact does not exist, or the answer is not valid.
        """
        rules_added().tell_fact(self.path(name), fact, answer)

    def back(self, name: str, words: Words, to: int | None = None) -> None:
        """Undo the last step, or every step after a bound.

        Args:
            name: the name of the battle.
            words: the words of the language.
            to: the number of the bound that becomes the last one.

        Raises:
            UsageError: nothing has been played, or the bound does not exist.
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
        """Return the state of a battle from its rule system.

        Raises:
            PrintkitError: the file of the battle cannot be read.
        """
        return rules_added().standing(self.path(name), words)

    def view(self, name: str, words: Words) -> BattleView:
        """Return the state of a battle with the output of the last step.

        Raises:
            PrintkitError: the file of the battle cannot be read.
        """
        notes = self._notes.read(f"battle-{name}")
        lines = [] if notes.get("stage") in ("bound", "override", "back") else notes.get("lines", [])
        at = self.standing(name, words)
        known = {*at.lines, words("npg.battle.sealed", path=quote_path(self.path(name)))}
        told = tuple(_line(str(line)) for line in lines if str(line).strip() not in known)
        return BattleView(name=name, at=at, told=told)

    def field(self, name: str, style: str, words: Words) -> SavedField:
        """Save the battlefield of a battle in the session.

        Raises:
            PrintkitError: the battle does not have a map yet.
        """
        at = self.standing(name, words)
        if at.map is None:
            raise UsageError("this battle has no map yet")
        return self._desk.keep(load(at.map), style, words.code, change=Change(what="given"))

    def _keep(self, name: str, stage: str, lines: Sequence[str]) -> None:
        self._notes.write(f"battle-{name}", {"stage": stage, "lines": list(lines)[:_MOST]})

    # --- On a phone -----------------------------------------------------------------------------------------------

    def link(self, name: str) -> str:
        """Return the token of the table aid of a battle; it is created on first use."""
        kept = self._kept(name)
        if not kept:
            kept = token()
            self._notes.write(f"aid-{name}", {"token": kept})
        return kept

    def _kept(self, name: str) -> str:
        """Return the token of a battle, or an empty text if it does not have one."""
        return str(self._notes.read(f"aid-{name}").get("token", ""))

    def aid(self, given: str, words: Words) -> str:
        """Return the HTML of the table aid that a token opens.

        Raises:
            UsageError: no battle has this token.
        """
        # Every token is compared, so the time does not help guessing. A wrong guess does not create a token.
        kept = {name: self._kept(name) for name in self.names()}
        found = [name for name, own in kept.items() if same(own, given) and own]
        if not found:
            raise UsageError("this link no longer opens a battle; ask the host for a new one")
        return _output(["aid", str(self.path(found[0])), "--out=-", f"--lang={words.code}"])

    def from_aid(self, name: str, log: str, words: Words) -> None:
        """Import the log that the page of the table aid saves into a battle.

        Raises:
            UsageError: the log is not valid, or is from another battle; with the message of the command.
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
    """Return the functions of the rule system for battles on a screen."""
    return registry.load_plugin_field(_RULES, "lone_battles")


def armies() -> tuple[str, ...]:
    """Return the names of the sample armies."""
    return tuple(resource_names("templates/armies", ".toml"))


def army_control(name: str, chosen: str, words: Words) -> Control:
    """Return the control that chooses an army."""
    choices = [Choice(value=each, label=value_label("npg", each, words), chosen=each == chosen) for each in armies()]
    return Control(
        name=name,
        title=words(f"studio.battle.{name}"),
        choices=tuple(sorted(choices, key=lambda choice: choice.label)),
        value=chosen,
    )


def scale_control(chosen: str, words: Words) -> Control:
    """Return the control that chooses the figure scale."""
    choices = tuple(
        Choice(value=each, label=value_label("scale", each, words), chosen=each == (chosen or _SCALES[0]))
        for each in _SCALES
    )
    return Control(name="scale", title=words("studio.battle.scale"), kind="segments", choices=choices)


def field_control(desk: AppState, words: Words) -> Control:
    """Return the control that chooses a battlefield: roll for terrain later, or one of the session."""
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
    """Run a ``printkit npg`` command and return its standard output.

    Raises:
        UsageError: the command failed, with its last error line; or it took too long.
    """
    done = run_own("npg", *words)
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines() or [""]
        raise UsageError("{told}", told=last[-1].removeprefix("printkit: "))
    return done.stdout.decode("utf-8", "replace")


def _said(words: Sequence[str]) -> list[str]:
    """Return the output lines of an ``npg`` command that are not blank; raises as ``_output``."""
    return [line for line in _output(words).splitlines() if line.strip()]


def _line(text: str) -> ToldLine:
    if (listed := _LISTED.fullmatch(text)) and text.startswith(" "):
        return ToldLine(number=listed[1], text=listed[2], clause=listed[3] or "")
    clause = _CLAUSE.search(text)
    return ToldLine(text=_CLAUSE.sub("", text).strip(), clause=clause[1] if clause else "")
