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
from printkit.console.own_name import PROGRAM
from printkit.core.errors import MissingError, UsageError, quote_path
from printkit.core.resources import names as resource_names
from printkit.core.words import Words
from printkit.kit import registry
from printkit.options.play import BattleOptions
from printkit.studio.app_state import AppState
from printkit.studio.command_process import read_own
from printkit.studio.forms import Choice, Control, option_control, value_label
from printkit.studio.session import BATTLES, Change, SavedField, SessionLists

# The folder of the user's own armies in that of the battles.
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


class OutputLine(Struct, frozen=True, kw_only=True):
    """A line of command output: its text, its clause ID and, in a list, its number."""

    text: str
    clause: str = ""
    number: str = ""


class BattleView(Struct, frozen=True, kw_only=True):
    """A battle as a page shows it: its state from the rule system, and the output of the last step."""

    name: str
    at: Any
    told: tuple[OutputLine, ...]


class NewBattle(Struct, frozen=True, kw_only=True):
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

    def __init__(self, app: AppState) -> None:
        self._desk = app
        self._notes = SessionLists(app.sitting.folder)

    @property
    def _folder(self) -> Path:
        """Return the folder of the battles."""
        return self._desk.settings.out / BATTLES

    def names(self) -> tuple[str, ...]:
        """Return the names of the battles, the one whose file (not its log) changed last first.

        The result is empty if the folder does not exist.
        """
        paths = [path for path in self._folder.glob("*.toml") if not path.is_symlink()] if self._folder.is_dir() else []
        return tuple(path.stem for path in sorted(paths, key=lambda file: -file.stat().st_mtime))

    def path(self, name: str) -> Path:
        """Return the file of a battle; only names of existing battles are accepted.

        Raises:
            MissingError: the battle does not exist.
        """
        if name not in self.names():
            raise MissingError("there is no battle {name!r} here", name=name)
        return self._folder / f"{name}.toml"

    def new(self, options: NewBattle, words: Words) -> str:
        """Create the file of a battle and return its name.

        Raises:
            PrintkitError: an army, the battlefield or the scale is not valid.
        """
        if options.scale not in _SCALES:
            raise UsageError(
                "--scale {scale!r} is not valid; use one of {scales}", scale=options.scale, scales=", ".join(_SCALES)
            )
        record = [f"--map={self._desk.sitting.path(options.field).resolve()}"] if options.field else []
        army_folder = self._folder / ARMIES
        old_files = set(army_folder.glob("*.toml"))
        npg, you = (self._army(army) for army in (options.npg, options.you))
        names = self.names()
        base_name = "-".join(army if army in armies() else _OWN for army in (npg, you))
        name = next(candidate for candidate in _free_names(base_name) if candidate not in names)
        self._folder.mkdir(parents=True, exist_ok=True)
        scale = [] if options.scale == _SCALES[0] else [f"--scale={options.scale}"]
        arguments = [*record, *scale, f"--out={self._folder / name}.toml", f"--lang={words.code}"]
        try:
            self._save_output(name, "new", _output_lines(["new", *arguments, "--", npg, you]))
        except UsageError as error:
            for path in set(army_folder.glob("*.toml")) - old_files:
                path.unlink()
            raise UsageError("{told}", told=str(error).replace(f"{army_folder}{os.sep}", "")) from None
        return name

    def _army(self, army: str) -> str:
        """Return the army argument of a command; a page cannot name a path."""
        if army in armies():
            return army
        if re.fullmatch(r"[a-z0-9-]*", army):
            raise UsageError("there is no army {army!r} here; choose one from the list", army=army)
        argument: str = battle_rules().own_army(army, self._folder / ARMIES)
        return argument

    def play(self, name: str, stage: str, form: Mapping[str, str], words: Words) -> None:
        """Play a stage or the next bound, and save the output for the page.

        Args:
            name: the name of the battle.
            stage: one of ``STAGES``, or ``override``.
            form: the form: losses so far as ``npg`` and ``you``, lost camps, ``dice`` of the user, ``edge``.
            words: the words of the language.

        Raises:
            UsageError: the stage cannot be played now, or a value is not valid; with the message of the command.
        """
        path = self.path(name)
        if edge := form.get("edge", ""):
            battle_rules().tell_edge(path, edge)
        arguments = ["--override"] if stage == "override" else _loss_arguments(form) if stage == "bound" else []
        command = "bound" if stage == "override" else stage
        if command not in STAGES:
            raise UsageError("a battle has no stage {stage!r}", stage=stage)
        if dice := form.get("dice", "").strip():
            if not _DICE.fullmatch(dice):
                raise UsageError("dice {dice!r} are not d6 scores; write for example 4 2", dice=dice)
            arguments.append(f"--dice={dice}")
        self._save_output(name, stage, _output_lines([command, str(path), *arguments, f"--lang={words.code}"]))

    def record_fact(self, name: str, fact: str, answer: str) -> None:
        """Record a fact about the table in the battle file; an empty answer removes it.

        Raises:
            PrintkitError: the battle or fact does not exist, or the answer is not valid.
        """
        battle_rules().tell_fact(self.path(name), fact, answer)

    def back(self, name: str, words: Words, last_bound: int | None = None) -> None:
        """Undo the last step, or every step after a bound.

        Args:
            name: the name of the battle.
            words: the words of the language.
            last_bound: the number of the bound that becomes the last one.

        Raises:
            UsageError: nothing has been played, or the bound does not exist.
        """
        path = self.path(name)
        state = self.standing(name, words)
        if last_bound is not None and not any(bound.number == last_bound for bound in state.bounds):
            raise UsageError("this battle has no bound {number}", number=last_bound)
        while True:
            stages = [stage for stage in STAGES if stage in state.done]
            stage = STAGES[-1] if "level" in state.done else stages[-1] if stages else ""
            if not stage:
                raise UsageError("this battle has no move to take back")
            self._save_output(name, "back", _output_lines([stage, str(path), "--undo", f"--lang={words.code}"]))
            if last_bound is None:
                return
            state = self.standing(name, words)
            if state.bounds[-1].number <= last_bound:
                return

    def standing(self, name: str, words: Words) -> Any:
        """Return the state of a battle as an object of its rule system.

        Raises:
            PrintkitError: the file of the battle cannot be read.
        """
        return battle_rules().standing(self.path(name), words)

    def view(self, name: str, words: Words) -> BattleView:
        """Return the state of a battle with the output of the last step.

        Raises:
            PrintkitError: the file of the battle cannot be read.
        """
        notes = self._notes.read(f"battle-{name}")
        lines = [] if notes.get("stage") in ("new", "bound", "override", "back") else notes.get("lines", [])
        state = self.standing(name, words)
        hint, _, command = words("npg.battle.sealed", path=quote_path(self.path(name))).partition(PROGRAM)
        shown_lines = [
            line
            for line in map(str, lines)
            if line.strip() not in state.lines and not (line.startswith(hint) and line.rstrip().endswith(command))
        ]
        output = tuple(map(_parse_line, shown_lines))
        return BattleView(name=name, at=state, told=output)

    def field(self, name: str, style: str, words: Words) -> SavedField:
        """Save the battlefield of a battle in the session, and return its entry.

        Raises:
            PrintkitError: the battle does not have a map yet.
        """
        state = self.standing(name, words)
        if state.map is None:
            raise UsageError("this battle has no map yet")
        return self._desk.keep(load(state.map), style, words.code, change=Change(what="given"))

    def _save_output(self, name: str, stage: str, lines: Sequence[str]) -> None:
        """Save the output lines of a step for the page of the battle."""
        self._notes.write(f"battle-{name}", {"stage": stage, "lines": list(lines)[:_MOST]})

    # --- On a phone -----------------------------------------------------------------------------------------------

    def link(self, name: str, *, is_renewed: bool = False) -> str:
        """Return the token of the table aid of a battle, created on first use; a renewed one ends the old link.

        Raises:
            MissingError: the battle does not exist.
        """
        self.path(name)
        return self._notes.token(f"aid-{name}", is_renewed=is_renewed)

    def aid(self, given_token: str, words: Words) -> str:
        """Return the HTML of the table aid that a token opens.

        Raises:
            MissingError: no battle has this token.
        """
        note, _ = self._notes.find_token([f"aid-{name}" for name in self.names()], given_token)
        if not note:
            raise MissingError("this link no longer opens a battle; ask the host for a new one")
        return _output(["aid", str(self.path(note.removeprefix("aid-"))), "--out=-", f"--lang={words.code}"])

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
            self._save_output(
                name,
                "back",
                _output_lines(["show", str(self.path(name)), f"--from-aid={path}", "--keep", f"--lang={words.code}"]),
            )


def battle_rules() -> Any:
    """Return the object with the functions of the rule system for battles on a screen."""
    return registry.load_plugin_field(_RULES, "lone_battles")


def armies() -> tuple[str, ...]:
    """Return the names of the sample armies."""
    return tuple(resource_names("templates/armies", ".toml"))


def army_control(name: str, selected: str, words: Words) -> Control:
    """Return the control that chooses an army."""
    choices = [Choice(value=army, label=value_label("npg", army, words), chosen=army == selected) for army in armies()]
    return Control(
        name=name,
        title=words(f"studio.battle.{name}"),
        choices=tuple(sorted(choices, key=lambda choice: choice.label)),
        value=selected,
    )


def scale_control(selected: str, words: Words) -> Control:
    """Return the control that chooses the figure scale."""
    return option_control(BattleOptions, "figures", {"scale": selected or _SCALES[0]}, words, _SCALES)


def field_control(app: AppState, words: Words) -> Control:
    """Return the control that chooses a battlefield: roll for terrain later, or one of the session."""
    fields = [entry for entry in reversed(app.sitting.fields) if entry.rules == _RULES]
    none = Choice(value="", label=words("studio.battle.diced"), chosen=True)
    choices = (Choice(value=entry.id, label=f"{entry.name or entry.title} ({entry.seed})") for entry in fields)
    return Control(name="field", title=words("studio.battle.field"), choices=(none, *choices))


def _free_names(name: str) -> Iterator[str]:
    """Yield a name, then the name with -2, -3 and so on."""
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1


def _loss_arguments(form: Mapping[str, str]) -> list[str]:
    """Return the arguments of a command for the lost elements and camps in a form.

    Raises:
        UsageError: a number of lost elements is not valid.
    """
    npg, you = (form.get(side, "").strip() for side in ("npg", "you"))
    camps = [f"--camp-lost={side}" for side in ("npg", "you") if form.get(f"camp-{side}")]
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
    return read_own("npg", *words)


def _output_lines(words: Sequence[str]) -> list[str]:
    """Return the output lines of an ``npg`` command that are not blank; raises as ``_output``."""
    return [line for line in _output(words).splitlines() if line.strip()]


def _parse_line(text: str) -> OutputLine:
    """Return a line of command output, split into text, clause ID and number."""
    if (match := _LISTED.fullmatch(text)) and text.startswith(" "):
        return OutputLine(number=match[1], text=match[2], clause=match[3] or "")
    clause = _CLAUSE.search(text)
    return OutputLine(text=_CLAUSE.sub("", text).strip(), clause=clause[1] if clause else "")
