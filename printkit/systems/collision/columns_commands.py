"""The commands of columns at the table: a game made, shown, its bounds noted one at a time, and taken back."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Struct

from printkit.console import options, terminal
from printkit.console.locks import alone_at
from printkit.console.parameters import Opt, argument, flag
from printkit.core.errors import UsageError
from printkit.core.paths import exists

if TYPE_CHECKING:
    from printkit.recipes.output.files import FileContent
    from printkit.systems.collision.march.columns import Army, Role
    from printkit.systems.collision.march.tracker import Tracker

_NAME: Final = "collision-course"
_FORMAT: Final = 1
_TO: Final = ("text", "json")
_SIDES: Final = {"defender": "defender", "attacker": "attacker", "defensor": "defender", "atacante": "attacker"}
_NOTHING: Final = ("none", "nada")
_DIE: Final = re.compile(r"[1-6]", re.ASCII)

GameFile = Annotated[Path, argument("GAME", "The game: a scenario file or a record; its log is kept beside it.")]
To = Annotated[str, Opt("--to", "FORMAT", "text or json [text].")]


class NewOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit columns new``."""

    game: Annotated[Path, argument("GAME.toml", "The scenario file to write.")]
    defender: Annotated[
        str | None, Opt("--defender", "ARMY", "A sample army by its name, an army file, or a list on one line.")
    ] = None
    attacker: Annotated[str | None, Opt("--attacker", "ARMY", "The same for the other side.")] = None
    landing: Annotated[tuple[str, ...], Opt("--landing", "SIDE", "Column 3 of this side is to land; repeatable.")] = ()
    settings: options.Settings = ()
    seed: options.Seed = None
    lang: options.Language = None
    force: options.Force = False


def new(asked: NewOptions) -> None:
    """Write a scenario file with armies in three columns each."""
    from printkit.kit.registry import find
    from printkit.kit.rules import Rules
    from printkit.recipes.game.copied_settings import copied_settings
    from printkit.recipes.game.request import pairs, table_of
    from printkit.recipes.output.files import write_folder
    from printkit.systems.collision.march.columns import LANDS, read_troops
    from printkit.systems.collision.march.columns_check import Land, check_army
    from printkit.systems.collision.march.listed import army_from

    words, book = terminal.words(asked.lang), find(_NAME).book
    settings, copies = copied_settings(find(_NAME), pairs(asked.settings), asked.game)
    rules = Rules.of(book, book.settle({}, settings))
    troops, landing = read_troops(rules), {_side(side) for side in asked.landing}
    parts = [f"rules = {_quoted(_NAME)}", *([] if asked.seed is None else [f"seed = {asked.seed}"])]
    if settings:
        parts += ["", "[settings]", *(f"{_quoted(key)} = {_quoted(text)}" for key, text in settings.items())]
    told: list[str] = []
    for role, name in (("defender", asked.defender), ("attacker", asked.attacker)):
        if name is None:
            continue
        tree = dict(table_of("army", name))
        if role in landing:
            tree["landing"] = LANDS
        army = army_from(tree, f"army.{role}", troops, role=role)
        faults = check_army(army, rules, land=Land(waterway=True))
        parts += ["", *_army_text(army)]
        told += [f"  {words(f'sides.role-title.{role}')} ({army.name}): {_columns_text(army)}"]
        told += [f"    {fault.line(words)}" for fault in faults]
    files: dict[str, FileContent] = {**copies, asked.game.name: "\n".join(parts) + "\n"}
    path = write_folder(files, asked.game.parent, force=asked.force)[-1]
    terminal.show([f"{path}", *told])


class ShowOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit columns show``."""

    game: GameFile
    to: To = "text"
    lang: options.Language = None


def show(asked: ShowOptions) -> None:
    """Show the bounds of both sides, and how they stand."""
    from printkit.systems.collision.march.tracker import show_lines

    words = terminal.words(asked.lang)
    game = _opened(asked.game)
    _tell(game, list(show_lines(game, words)), asked.to)


class BoundOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit columns bound``."""

    game: GameFile
    side: Annotated[str, argument("SIDE", "defender or attacker.")]
    die: Annotated[str, argument("DIE", "The score of the PIP die, 1 to 6.")]
    spending: Annotated[
        tuple[str, ...],
        argument(
            "[SPENDING]", 'What the PIPs were spent on, as "column-2 1 on, other 4"; without it nothing is noted.'
        ),
    ] = ()
    no_room: Annotated[bool, flag("--no-room", "Column 3 has no room at the edge or on the shore.")] = False
    to: To = "text"
    lang: options.Language = None


def bound(asked: BoundOptions) -> None:
    """Tell what the die allows and obliges in a side's next bound; with what was spent, note it."""
    from printkit.systems.collision.march.tracker import duty_lines, step_lines

    words, role, room = terminal.words(asked.lang), _role(asked.side), not asked.no_room
    if not _DIE.fullmatch(asked.die.strip()):
        raise UsageError("a PIP die of {die!r} cannot be; it shows 1 to 6", die=asked.die)
    score, spending = int(asked.die), " ".join(asked.spending).strip()
    with alone_at(asked.game):
        game = _opened(asked.game)
        lines = list(duty_lines(game, role, score, words, room=room))
        if spending:
            parts = [] if spending.lower() in _NOTHING else [spending]
            game = game.played(role, score, ", ".join([*parts, *([] if room else ["no-room"])]), words)
            place = _save(game, asked.game)
            lines += [f"  {line}" for line in step_lines(game, role, words)]
            lines.append(words("columns.tell.noted", path=place))
        else:
            lines.append(words("columns.tell.how"))
    _tell(game, lines, asked.to)


class BackOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit columns back``."""

    game: GameFile
    side: Annotated[str | None, argument("[SIDE]", "Whose last bound; without it the last of all.")] = None
    to: To = "text"
    lang: options.Language = None


def back(asked: BackOptions) -> None:
    """Take back the bound that was noted last."""
    from printkit.systems.collision.march.tracker import show_lines

    words = terminal.words(asked.lang)
    with alone_at(asked.game):
        game, line = _opened(asked.game).taken_back(_role(asked.side) if asked.side is not None else None)
        _save(game, asked.game)
    _tell(game, [words("columns.tell.taken-back", line=line), *show_lines(game, words)], asked.to)


# --- The game and its log ---------------------------------------------------------------------------------------------


def _log_path(path: Path) -> Path:
    return path.with_name(f"{path.stem}.columns.json")


def _opened(path: Path) -> Tracker:
    """Return the game of a scenario file or a record, with its log, which begins with the bounds that stand there."""
    from printkit.kit.registry import find
    from printkit.kit.rules import OWN_KEYS, Rules
    from printkit.recipes.game.request import ordered, read_text
    from printkit.systems.collision.march.columns import read_troops
    from printkit.systems.collision.march.entry import read_log
    from printkit.systems.collision.march.side_facts import PIPS, read_armies
    from printkit.systems.collision.march.tracker import Tracker
    from printkit.systems.dba3.placing import profile

    system = find(_NAME)
    inputs: Any
    if read_text(path).lstrip().startswith("{"):
        from printkit.kit.registry import read_record

        _, record = read_record(read_text(path))
        rules_name, inputs = record.rules, record.details.get("inputs") or {}
        settings = (
            system.book.settle({key: text for key, text in record.settings.items() if key not in OWN_KEYS})
            if (rules_name == _NAME)
            else {}
        )
    else:
        orders = ordered(rules=None, settings=(), scenario=path, board=None, seed=None, dice=None)
        rules_name, inputs = orders.rules, orders.inputs
        settings = system.book.settle(orders.settings, orders.options) if rules_name == _NAME else {}
    if rules_name != _NAME:
        raise UsageError(
            "{path} is a game of {rules}; columns march by {name}", path=path, rules=rules_name, name=_NAME
        )
    rules = Rules.of(profile.changed(system.book, inputs.get(profile.LIST, ())), settings)
    lines = _logged(path)
    game = Tracker(
        rules=rules,
        armies=read_armies(inputs, read_troops(rules)),
        lines=tuple(inputs.get(PIPS, ())) if lines is None else lines,
    )
    read_log(game.lines, str(_log_path(path)))
    return game


def _logged(path: Path) -> tuple[str, ...] | None:
    from printkit.recipes.game.request import read_text

    place = _log_path(path)
    if not exists(place):
        return None
    try:
        lines = json.loads(read_text(place))["lines"]
    except (ValueError, KeyError, TypeError, RecursionError):
        lines = None
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise UsageError("{path} is no log of columns; put it away, and the bounds begin anew", path=place)
    return tuple(lines)


def _save(game: Tracker, path: Path) -> Path:
    from printkit.recipes.output.files import write_folder
    from printkit.systems.collision.march.tracker import facts

    place = _log_path(path)
    text = json.dumps({"format": _FORMAT, "game": path.name, **facts(game)}, ensure_ascii=False, indent=1) + "\n"
    write_folder({place.name: text}, place.parent, force=True)
    return place


def _tell(game: Tracker, lines: list[str], to: str) -> None:
    from printkit.systems.collision.march.tracker import facts

    if to not in _TO:
        raise UsageError("--to {to!r} is none; there are {names}", to=to, names=", ".join(_TO))
    if to == "json":
        terminal.show([json.dumps({**facts(game), "told": lines}, ensure_ascii=False, indent=1)])
        return
    terminal.show(lines)


def _side(text: str) -> str:
    if text.lower() not in _SIDES:
        raise UsageError("{side!r} is no side; it is defender or attacker", side=text)
    return _SIDES[text.lower()]


def _role(text: str) -> Role:
    from printkit.systems.collision.march.columns import Role

    return Role(_side(text))


# --- An army as the table of a scenario file --------------------------------------------------------------------------


def _army_text(army: Army) -> list[str]:
    rows = [f"[army.{army.role.value}]", f"name = {_quoted(army.name)}", f"home = {_quoted(army.home)}"]
    for contingent, ally in army.allies.items():
        home = f", home = {_quoted(ally.home)}" if ally.home else ""
        rows.append(f"{contingent.value} = {{ name = {_quoted(ally.name)}{home} }}")
    rows += ["landing = true"] if army.landing else []
    rows += ["city = true"] if army.city else []
    rows.append("elements = [")
    for each in army.elements:
        more = ", general = true" if each.general else ""
        more += f", contingent = {_quoted(each.contingent.value)}" if each.contingent != "own" else ""
        more += f", depth_mm = {each.depth:g}" if each.depth is not None else ""
        rows.append(f"  {{ id = {_quoted(each.id)}, type = {_quoted(each.type)}{more} }},")
    rows.append("]")
    columns = ", ".join(f"{number} = {json.dumps(list(army.column(number)))}" for number in (1, 2, 3))
    return [*rows, f"columns = {{ {columns} }}"]


def _columns_text(army: Army) -> str:
    kinds = {element.id: element.type for element in army.elements}
    return " | ".join(" ".join(kinds.get(name, name) for name in army.column(number)) for number in (1, 2, 3))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
