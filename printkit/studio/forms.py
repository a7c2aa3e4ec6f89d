"""Form controls from a rule book, and battlefields from submitted forms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Struct

from printkit.api import Field, generate
from printkit.console.own_name import use_own_name
from printkit.core.errors import UsageError
from printkit.core.resources import names as resource_names
from printkit.core.words import Words, capitalise_text, phrases
from printkit.kit import registry
from printkit.kit.book import RuleBook, Setting
from printkit.kit.countryside import default_name_list
from printkit.kit.rules import NAMES_KEY, OWN_KEYS
from printkit.options.commands import GameOptions
from printkit.options.printing import PrintOptions
from printkit.options.table import find_row
from printkit.recipes.game.book_lines import setting_range
from printkit.terrain.field.names import NO_NAMES, load_name_book

# Buttons side by side: at most this many values, with this many characters in total. More values become a list.
_SEGMENTS: Final = 3
_LONGEST: Final = 42

_NUMBER: Final = re.compile(r"([0-9]{1,40}(?:\.[0-9]{1,40})?)(mm|in|bw)?")
_UNITS: Final[Mapping[str, str]] = {"mm": " mm", "in": " in", "bw": " BW"}

# Keys of words for armies, home terrain, kinds of feature and edges.
_TERMS: Final = ("npg.sample.{}.name", "dba3.home.{}", "kind.{}", "edge.{}")

_BOARDS: Final = ("24in", "36in", "48x48in", "72x48in", "90x60cm", "120x120cm", "180x120cm")
_CELL: Final = 100.0
_LOOSE: Final = 1e-3
_CELLS: Final = ("50mm", "75mm", "100mm", "4in")


class Choice(Struct, frozen=True, kw_only=True):
    """A value in a form; for a rule system also its source."""

    value: str
    label: str
    chosen: bool = False
    source: str = ""


class Control(Struct, frozen=True, kw_only=True):
    """A form control for a setting.

    ``kind`` is ``segments``, ``list``, ``text``, ``number``, ``switch``, or ``told`` (a fixed value). ``hint``
    describes valid texts, and ``least`` is the least number.
    """

    name: str
    title: str
    clause: str = ""
    kind: str = "list"
    choices: tuple[Choice, ...] = ()
    value: str = ""
    usual: str = ""
    hint: str = ""
    least: int | None = None


class GameForm(Struct, frozen=True, kw_only=True):
    """The form of a new battlefield: rule system, board, names, seed and settings."""

    rules: str
    systems: tuple[Choice, ...]
    size: Control
    period: Control
    first: tuple[Control, ...]
    others: tuple[Control, ...]
    seed: Control

    @property
    def chosen(self) -> Choice:
        """Return the chosen rule system."""
        return next(system for system in self.systems if system.chosen)


def game_form(rules: str, values: Mapping[str, str], words: Words) -> GameForm:
    """Return the form of a new battlefield.

    Args:
        rules: the name of the rule system.
        values: the current values, by the names of the controls.
        words: the words of the language.

    Raises:
        UsageError: the rule system does not exist.
    """
    book = registry.find(rules).book
    controls = [setting_control(book, setting, values, words) for setting in book.settings]
    first_keys = [key for key in book.first if key in {control.name for control in controls}]
    by_name = {control.name: control for control in controls}
    size, sizes = ("cell", _CELLS) if _is_gridded(book) else ("board", _BOARDS)
    return GameForm(
        rules=rules,
        systems=system_choices(rules, words),
        size=option_control(GameOptions, size, values, words, suggestions=sizes),
        period=_period_control(values, words),
        first=tuple(by_name[key] for key in first_keys),
        others=tuple(control for control in controls if control.name not in first_keys),
        seed=option_control(GameOptions, "seed", {}, words),
    )


def system_choices(rules: str, words: Words) -> tuple[Choice, ...]:
    """Return all rule systems with their titles; the one named ``rules`` is chosen."""
    systems = []
    for name in registry.names():
        book = registry.find(name).book
        source = book.source_in(words)
        systems.append(Choice(value=name, label=book.title_in(words), chosen=name == rules, source=source))
    return tuple(systems)


def setting_control(book: RuleBook, setting: Setting, values: Mapping[str, str], words: Words) -> Control:
    """Return the control of a setting; ``values`` are the current values by the names of the controls.

    Its kind is ``text``, ``told`` (a single value), ``segments`` or ``list``. Without a value the default is chosen.
    """
    value = values.get(setting.key, "") or setting.default
    choices = tuple(
        Choice(value=option, label=value_label(setting.key, option, words), chosen=option == value)
        for option in setting.values
    )
    # The studio never reads a file by a path from a page, so file settings are not free text.
    free = setting.open or bool(setting.pattern and not setting.path)
    fits = len(choices) <= _SEGMENTS and sum(len(choice.label) for choice in choices) <= _LONGEST
    kind = "text" if free else "told" if len(choices) == 1 else "segments" if fits else "list"
    hint = book.setting_like(setting, words) if free else ""
    if setting.open:
        hint = words.translate(setting_range(setting))
    return Control(
        name=setting.key,
        title=book.setting_title(setting, words),
        clause=setting.clause,
        kind=kind,
        choices=choices,
        value=value,
        usual=setting.default,
        hint=hint,
    )


def value_label(key: str, value: str, words: Words) -> str:
    """Return the label of a value of the setting ``key``.

    Without a translation this is the value with spaces for hyphens and underscores.
    """
    if name := _word_key(key, value, words):
        return words(name)
    if match := _NUMBER.fullmatch(value):
        return match[1].replace(".", words("leaflets.decimal")) + _UNITS.get(match[2] or "", "")
    return value.replace("-", " ").replace("_", " ")


def _word_key(key: str, value: str, words: Words) -> str:
    """Return the key of the words for a value: of this setting, of all settings, or of a term; empty if none."""
    names = (f"studio.value-of.{key}.{value}", f"studio.value.{value}", *(term.format(value) for term in _TERMS))
    return next((name for name in names if words.has(name)), "")


def _is_gridded(book: RuleBook) -> bool:
    """Return whether the rule book has a setting for the grid."""
    return any(setting.key == "grid" for setting in book.settings)


def option_control(
    options: type[Struct],
    name: str,
    form: Mapping[str, str],
    words: Words,
    choices: Sequence[str] | None = None,
    suggestions: Sequence[str] = (),
) -> Control:
    """Return the control of an option; its title, help, valid values and bounds are those of the option table.

    Args:
        options: the class of the option.
        name: the name of its field. The name of the control is its flag without dashes.
        form: the current values by the names of the controls.
        words: the words of the language.
        choices: the values to choose from; None for those of the table. Another current value is added.
        suggestions: some valid texts of an option without choices.
    """
    row, texts = find_row(name, options), phrases(words.code, "help")
    hint = row.describe(lambda text: texts.get(text, text))
    key, default = row.flag.lstrip("-"), "" if row.default is None else str(row.default)
    if choices is None:
        choices = (*([""] if not default else []), *row.choices()) if row.option.choices else ()
    is_text = not choices and row.kind is not bool
    value = form.get(key, "" if is_text else default)
    values = [*choices, *([value] if choices and value not in choices else [])]
    if choices:
        kind = "segments" if 1 < len(values) <= _SEGMENTS else "list"
    else:
        kind = "switch" if row.kind is bool else "number" if row.kind is int else "text"
    labels = [_option_label(key, str(choice), words) for choice in values] if choices else suggestions
    return Control(
        name=key,
        title=row.title_in(words),
        kind=kind,
        choices=tuple(
            Choice(value=str(choice), label=label, chosen=choice == value)
            for choice, label in zip(values or suggestions, labels, strict=True)
        ),
        value=("on" if key in form else "") if kind == "switch" else str(value),
        hint=capitalise_text(hint) if is_text else "",
        least=row.option.least,
    )


def _option_label(key: str, value: str, words: Words) -> str:
    """Return the label of a value of an option in a form."""
    name = f"studio.print.{key}-{value or 'usual'}"
    if words.has(name):
        return words(name)
    return {"sheet": name_paper, "style": style_label}.get(key, partial(value_label, key))(value, words)


def name_paper(paper: str, words: Words) -> str:
    """Return the name of a paper in a language, such as ``A4`` and ``Letter``."""
    key = f"studio.start.{paper}"
    if words.has(key):
        return words(key)
    return paper.upper() if re.fullmatch(r"a[0-9]", paper) else paper.replace("-", " ").capitalize()


def _period_control(values: Mapping[str, str], words: Words) -> Control:
    """Return the control that chooses the period of the names; ``values`` are the current values by control.

    The first choice is empty, for the default.
    """
    value = values.get(NAMES_KEY, "")
    periods = (*load_name_book(words.code).periods, NO_NAMES)
    usual = Choice(value="", label=words("studio.field.usual"), chosen=not value)
    choices = [
        Choice(value=period, label=value_label(NAMES_KEY, period, words), chosen=period == value) for period in periods
    ]
    return Control(
        name=NAMES_KEY, title=words("studio.field.names"), kind="list", choices=(usual, *choices), value=value
    )


def styles(selected: str, words: Words) -> Control:
    """Return the control that chooses a map style, Watercolour first."""
    names = sorted(resource_names("templates/styles", ".toml"), key=lambda name: name != "campaign")
    return option_control(PrintOptions, "style", {"style": selected}, words, names)


def style_label(name: str, words: Words) -> str:
    """Return the label of a map style."""
    key = f"studio.style.{name}"
    return words(key) if words.has(key) else name.replace("-", " ")


# --- What a page sends back -------------------------------------------------------------------------------------------


def parse_form(form: Mapping[str, str]) -> dict[str, str]:
    """Return the values of a form for a new battlefield, without defaults.

    Raises:
        UsageError: the rule system does not exist, the seed is not a number, or a setting names a file.
    """
    rules = registry.validate_name(form.get("rules", registry.DEFAULT))
    book = registry.find(rules).book
    values = {"rules": rules}
    for name in ("board", "cell", "seed", *OWN_KEYS):
        if value := form.get(name, "").strip():
            values[name] = value
    usual = {setting.key: setting.default for setting in book.settings}
    values |= {key: value for key in usual if (value := form.get(key, "").strip()) and value != usual[key]}
    for setting in book.settings:
        if setting.path and values.get(setting.key, setting.default) not in setting.values:
            raise UsageError(
                "{key}: the studio does not read files by their paths; choose one from the list", key=setting.key
            )
    if "seed" in values and not re.fullmatch(r"[0-9]{1,18}", values["seed"]):
        raise UsageError("seed {seed!r} is not a whole number", seed=values["seed"])
    if _is_gridded(book):
        values.pop("board", None)
    else:
        values.pop("cell", None)
    return values


def generate_field(values: Mapping[str, str], default_seed: int, lang: str) -> Field:
    """Generate a battlefield from the values that ``parse_form`` returns.

    ``default_seed`` is the seed if the form does not have one.

    Raises:
        PrintkitError: a setting or the board is not valid.
    """
    settings: dict[str, Any] = {key: value for key, value in values.items() if key not in ("rules", "seed")}
    for name in ("scenario", "dice", "inputs"):
        settings.pop(name, None)
    return generate(values["rules"], seed=int(values.get("seed", default_seed)), lang=lang, **settings)


def form_of(field: Field) -> dict[str, str]:
    """Return the form values of a battlefield: its rules, and each setting that is not the default, by key.

    The size of the board or of the cells is a text such as ``36x24in`` or ``40mm``, if it is not the default.
    """
    record, book = field.record, registry.find(field.rules).book
    values = {"rules": field.rules}
    for setting in book.settings:
        value = record.settings.get(setting.key, setting.default)
        if value != setting.default:
            values[setting.key] = value
    names = record.settings.get(NAMES_KEY, "")
    if names and names != default_name_list(registry.find(field.rules), record.details):
        values[NAMES_KEY] = names
    board, grid = record.battlefield.board, record.battlefield.grid
    if grid is not None:
        if abs(grid.cell - _CELL) > _LOOSE:
            values["cell"] = f"{grid.cell:g}mm"
    else:
        default_board = registry.find(field.rules).board(
            settings={s.key: record.settings.get(s.key, s.default) for s in book.settings}
        )
        if (default_board.width, default_board.depth) != (board.width, board.depth):
            values["board"] = _size_text(board.width, board.depth)
    return values


def _size_text(width: float, depth: float) -> str:
    """Return a board size, given in mm, as text: in inches if that gives integers, otherwise in mm."""
    inches = [side / 25.4 for side in (width, depth)]
    unit, sides = ("in", inches) if all(abs(side - round(side)) < 1e-6 for side in inches) else ("mm", [width, depth])
    return f"{sides[0]:g}{unit}" if width == depth else f"{sides[0]:g}x{sides[1]:g}{unit}"


def command_line(arguments: Sequence[str]) -> str:
    """Return a command line as the user types it, with quotes where needed."""
    words = " ".join(word if re.fullmatch(r"[\w./:=+,%×~-]+", word) else f'"{word}"' for word in arguments)
    return use_own_name(words)
