"""The commands for columns: write a game, show it, record its bounds one at a time, take one back."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from printkit.console import terminal
from printkit.console.locks import lock_game
from printkit.core.errors import Sentence, UsageError, quote_path
from printkit.core.paths import exists
from printkit.core.typed import read_json
from printkit.kit.registry import find
from printkit.kit.rules import OWN_KEYS, Rules
from printkit.options.commands import GameOptions
from printkit.options.play import ColumnsOptions
from printkit.options.printing import PrintOptions
from printkit.recipes.game.request import build_orders, load_table, parse_settings, read_record_file, read_text
from printkit.recipes.output.files import FileContent, write_folder

if TYPE_CHECKING:
    from printkit.systems.collision.march.columns import Army, Role
    from printkit.systems.collision.march.tracker import Tracker

# The values of --to.
FORMATS: Final = ("text", "json")

_NAME: Final = "collision-course"
_FORMAT: Final = 1
# The setting for the sides that land.
_LANDING: Final = "landing"
_SIDES: Final = {"defender": "defender", "attacker": "attacker", "defensor": "defender", "atacante": "attacker"}
_NOTHING: Final = ("none", "nada")
_DIE: Final = re.compile(r"[1-6]", re.ASCII)


class ColumnsLog(Struct, frozen=True):
    """The log of a game: its bounds as lines."""

    lines: tuple[str, ...]


def write_march(game: GameOptions, options: ColumnsOptions, print_options: PrintOptions) -> None:
    """Write a scenario file with armies in three columns each, and show the path, the columns and the faults.

    The options name the armies; a side without one is left out. Copies of files that settings name go next to it.

    Raises:
        PrintkitError: an army or a setting is wrong, or a file exists and may not be overwritten.
    """
    from printkit.recipes.game.copies import copy_setting_files
    from printkit.systems.collision.march.columns import LANDS, Role, read_army, read_troops
    from printkit.systems.collision.march.columns_check import Land, check_army
    from printkit.systems.collision.march.ground import landing_sides

    words, book, file = terminal.words(options.lang), find(_NAME).book, Path(options.new_file)
    settings, copies = copy_setting_files(find(_NAME), parse_settings(game.settings), file)
    rules = Rules.of(book, book.settle({}, settings))
    troops, landing = read_troops(rules), landing_sides(rules, littoral=False)
    names = {Role.DEFENDER: options.defender, Role.ATTACKER: options.attacker}
    if landing and all(names[role] for role in Role if role.letter in landing):
        # With the setting, only those armies can land. The armies below state their landing themselves.
        del settings[_LANDING]
    parts = [f"rules = {_toml_string(_NAME)}", *([] if game.seed is None else [f"seed = {game.seed}"])]
    if settings:
        parts += ["", "[settings]", *(f"{_toml_string(key)} = {_toml_string(text)}" for key, text in settings.items())]
    lines: list[str] = []
    for role, name in names.items():
        if not name:
            continue
        tree = dict(load_table("army", name))
        if role.letter in landing:
            tree["landing"] = LANDS
        army = read_army(tree, f"army.{role.value}", troops, role=role.value)
        faults = check_army(army, rules, land=Land(waterway=True))
        parts += ["", *_format_army(army)]
        kinds = {element.id: element.type for element in army.elements}
        columns = [" ".join(kinds.get(name, name) for name in army.column(number)) for number in (1, 2, 3)]
        lines += [f"  {words(f'sides.role-title.{role.value}')} ({army.name}): {' | '.join(columns)}"]
        lines += [f"    {fault.line(words)}" for fault in faults]
    files: dict[str, FileContent] = {**copies, file.name: "\n".join(parts) + "\n"}
    path = write_folder(files, file.parent, force=print_options.force)[-1]
    terminal.show([f"{path}", *lines])


def show_columns(options: ColumnsOptions) -> None:
    """Show the bounds and the state of one side or both on standard output.

    With ``--undo``, first remove the last bound from the log file: of the side given, otherwise of the game.
    """
    from printkit.systems.collision.march.columns import Role
    from printkit.systems.collision.march.tracker import show_lines

    words, path, lines = terminal.words(options.lang), Path(options.file), list[str]()
    role = _parse_role(options.side) if options.side else None
    if options.undo:
        with lock_game(path):
            game, log = _open_game(path), _log_path(path)
            with terminal.naming(log if exists(log) else path):
                game, line = game.without_last_bound(role)
            _save_log(game, path)
        lines = [words("columns.tell.taken-back", line=line)]
    else:
        game = _open_game(path)
    _show_lines(game, [*lines, *show_lines(game, words, Role if role is None else (role,))], options.to)


def note_bound(options: ColumnsOptions) -> None:
    """Show what the die allows and requires in a side's next bound; if PIPs are spent, record the bound in the log.

    Raises:
        UsageError: the die is not 1 to 6, or the side is unknown.
        ScenarioError: the spending breaks a rule; nothing is recorded.
    """
    from printkit.systems.collision.march.entry import split_room
    from printkit.systems.collision.march.tracker import duty_lines, step_lines

    words, path, role = terminal.words(options.lang), Path(options.file), _parse_role(options.side)
    if not _DIE.fullmatch(options.die.strip()):
        raise UsageError("{die!r} is not a PIP score; a PIP die shows 1 to 6", die=options.die)
    score, (spending, room) = int(options.die), split_room(" ".join(options.spending))
    with lock_game(path):
        game = _open_game(path)
        lines = list(duty_lines(game, role, score, words, room=room))
        if spending:
            parts = [] if spending.lower() in _NOTHING else [spending]
            game = game.with_bound(role, score, ", ".join([*parts, *([] if room else ["no-room"])]), words)
            place = _save_log(game, path)
            lines += [f"  {line}" for line in step_lines(game, role, words)]
            lines.append(words("columns.tell.noted", log=place, path=quote_path(path)))
        else:
            lines.append(words("columns.tell.how"))
    _show_lines(game, lines, options.to)


# --- The game and its log ---------------------------------------------------------------------------------------------


def _log_path(path: Path) -> Path:
    """Return the path of the log of a game, next to its file."""
    return path.with_name(f"{path.stem}.columns.json")


def _open_game(path: Path) -> Tracker:
    """Return the game of a scenario file or a record (JSON), with its log, if there is a log file.

    A new log begins with the bounds in that file.

    Raises:
        UsageError: the file is a game of another rule system.
    """
    from printkit.systems.collision.march.columns import read_troops
    from printkit.systems.collision.march.entry import read_log
    from printkit.systems.collision.march.side_facts import PIPS, read_armies
    from printkit.systems.collision.march.tracker import Tracker
    from printkit.systems.dba3.placing import profile

    system = find(_NAME)
    inputs: Any
    if read_text(path).lstrip().startswith("{"):
        _, record = read_record_file(path)
        rules_name, inputs = record.rules, record.details.get("inputs") or {}
        settings = (
            system.book.settle({key: text for key, text in record.settings.items() if key not in OWN_KEYS})
            if (rules_name == _NAME)
            else {}
        )
    else:
        orders = build_orders(rules=None, settings=(), scenario=path, board=None, seed=None, dice=None)
        rules_name, inputs = orders.rules, orders.inputs
        settings = system.book.settle(orders.settings, orders.options) if rules_name == _NAME else {}
    if rules_name != _NAME:
        raise UsageError("{path} is a game of {rules}; columns need {name}", path=path, rules=rules_name, name=_NAME)
    rules = Rules.of(profile.apply_profile(system.book, inputs.get(profile.LIST_NAME, ())), settings)
    lines = _read_log_file(path)
    with terminal.naming(path):
        armies = read_armies(inputs, read_troops(rules))
    game = Tracker(
        rules=rules,
        armies=armies,
        lines=tuple(inputs.get(PIPS, ())) if lines is None else lines,
    )
    read_log(game.lines, str(_log_path(path)))
    return game


def _read_log_file(path: Path) -> tuple[str, ...] | None:
    """Return the lines of the log of a game, or None if there is no log yet.

    ``path`` is the file of the game.

    Raises:
        FileError: the file is not a log.
    """
    place = _log_path(path)
    if not exists(place):
        return None
    remedy = Sentence("Or move the file away to start the bounds again.")
    return read_json(read_text(place), ColumnsLog, str(place), remedy).lines


def _save_log(game: Tracker, path: Path) -> Path:
    """Write the log of a game next to its file ``path``, and return the path of the log."""
    from printkit.systems.collision.march.tracker import facts

    place = _log_path(path)
    text = json.dumps({"format": _FORMAT, "game": path.name, **facts(game)}, ensure_ascii=False, indent=1) + "\n"
    write_folder({place.name: text}, place.parent, force=True)
    return place


def _show_lines(game: Tracker, lines: list[str], output_format: str) -> None:
    """Show lines on standard output as text, or with the state of the game as JSON (key ``told``).

    Raises:
        UsageError: the output format is unknown.
    """
    from printkit.systems.collision.march.tracker import facts

    if output_format not in FORMATS:
        raise UsageError("--to {to!r} is not valid; use one of {names}", to=output_format, names=", ".join(FORMATS))
    if output_format == "json":
        terminal.show([json.dumps({**facts(game), "told": lines}, ensure_ascii=False, indent=1)])
        return
    terminal.show(lines)


def _parse_role(text: str) -> Role:
    """Return the side that the user named, in English or Spanish.

    Raises:
        UsageError: it is not a side.
    """
    from printkit.systems.collision.march.columns import Role

    if text.lower() not in _SIDES:
        raise UsageError("{text!r} is not a side; write defender or attacker", text=text)
    return Role(_SIDES[text.lower()])


# --- An army as the table of a scenario file --------------------------------------------------------------------------


def _format_army(army: Army) -> list[str]:
    """Return an army as the lines of its TOML table."""
    rows = [f"[army.{army.role.value}]", f"name = {_toml_string(army.name)}", f"home = {_toml_string(army.home)}"]
    for contingent, ally in army.allies.items():
        home = f", home = {_toml_string(ally.home)}" if ally.home else ""
        rows.append(f"{contingent.value} = {{ name = {_toml_string(ally.name)}{home} }}")
    rows += ["landing = true"] if army.landing else []
    rows += ["city = true"] if army.city else []
    rows.append("elements = [")
    for each in army.elements:
        more = ", general = true" if each.general else ""
        more += f", contingent = {_toml_string(each.contingent.value)}" if each.contingent != "own" else ""
        more += f", depth_mm = {each.depth:g}" if each.depth is not None else ""
        rows.append(f"  {{ id = {_toml_string(each.id)}, type = {_toml_string(each.type)}{more} }},")
    rows.append("]")
    columns = ", ".join(f"{number} = {json.dumps(list(army.column(number)))}" for number in (1, 2, 3))
    return [*rows, f"columns = {{ {columns} }}"]


def _toml_string(text: str) -> str:
    """Return a text in quotes for a TOML file."""
    return json.dumps(text, ensure_ascii=False)
