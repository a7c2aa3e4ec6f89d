"""Form controls from a rule book, and battlefields from submitted forms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from printkit.api import Field, generate
from printkit.core.errors import UsageError
from printkit.core.resources import names as resource_names
from printkit.core.words import Words
from printkit.kit import registry
from printkit.kit.book import RuleBook, Setting
from printkit.kit.countryside import default_name_list
from printkit.kit.rules import NAMES_KEY, OWN_KEYS
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

    ``kind`` is ``segments``, ``list``, ``text``, or ``told`` (a fixed value). ``hint`` describes valid texts.
    """

    name: str
    title: str
    clause: str = ""
    kind: str = "list"
    choices: tuple[Choice, ...] = ()
    value: str = ""
    usual: str = ""
    hint: str = ""


class GameForm(Struct, frozen=True, kw_only=True):
    """The form of a new battlefield: rule system, board, names, seed and settings."""

    rules: str
    systems: tuple[Choice, ...]
    size: Control
    period: Control
    first: tuple[Control, ...]
    others: tuple[Control, ...]
    seed: str = ""

    @property
    def chosen(self) -> Choice:
        """Return the chosen rule system."""
        return next(each for each in self.systems if each.chosen)


def game_form(rules: str, given: Mapping[str, str], words: Words) -> GameForm:
    """Return the form of a new battlefield.

    Args:
        rules: the name of the rule system.
        given: the current values, by the names of the controls.
        words: the words of the language.

    Raises:
        UsageError: the rule system does not exist.
    """
    book = registry.find(rules).book
    controls = [setting_control(book, setting, given, words) for setting in book.settings]
    shown = [key for key in book.first if key in {control.name for control in controls}]
    by_name = {control.name: control for control in controls}
    size = "cell" if _is_gridded(book) else "board"
    return GameForm(
        rules=rules,
        systems=system_choices(rules, words),
        size=_text_control(size, words, _CELLS if size == "cell" else _BOARDS, given),
        period=_period_control(given, words),
        first=tuple(by_name[key] for key in shown),
        others=tuple(control for control in controls if control.name not in shown),
        seed=given.get("seed", ""),
    )


def system_choices(rules: str, words: Words) -> tuple[Choice, ...]:
    """Return all rule systems with their titles; the one named ``rules`` is chosen."""
    found = []
    for name in registry.names():
        book = registry.find(name).book
        source = book.source_in(words)
        found.append(Choice(value=name, label=book.title_in(words), chosen=name == rules, source=source))
    return tuple(found)


def setting_control(book: RuleBook, setting: Setting, given: Mapping[str, str], words: Words) -> Control:
    """Return the control of a setting."""
    value = given.get(setting.key, "") or setting.default
    choices = tuple(
        Choice(value=each, label=value_label(setting.key, each, words), chosen=each == value) for each in setting.values
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
    """Return the label of a value; without a translation, the value with spaces for hyphens and underscores."""
    if name := _word_of(key, value, words):
        return words(name)
    if found := _NUMBER.fullmatch(value):
        return found[1].replace(".", words("leaflets.decimal")) + _UNITS.get(found[2] or "", "")
    return value.replace("-", " ").replace("_", " ")


def wordless(book: RuleBook, words: Words) -> list[str]:
    """Return the values of a rule book that a language does not translate, each as ``key=value``."""
    return [
        f"{setting.key}={value}"
        for setting in book.settings
        for value in setting.values
        if not _NUMBER.fullmatch(value) and not _word_of(setting.key, value, words)
    ]


def _word_of(key: str, value: str, words: Words) -> str:
    """Return the key of the words for a value: of this setting, of all settings, or of a term; empty if none."""
    names = (f"studio.value-of.{key}.{value}", f"studio.value.{value}", *(term.format(value) for term in _TERMS))
    return next((name for name in names if words.has(name)), "")


def _is_gridded(book: RuleBook) -> bool:
    return any(setting.key == "grid" for setting in book.settings)


def _text_control(name: str, words: Words, offered: Iterable[str], given: Mapping[str, str]) -> Control:
    return Control(
        name=name,
        title=words(f"studio.field.{name}"),
        kind="text",
        choices=tuple(Choice(value=each, label=each) for each in offered),
        value=given.get(name, ""),
        hint=words(f"studio.field.{name}-hint"),
    )


def _period_control(given: Mapping[str, str], words: Words) -> Control:
    value = given.get(NAMES_KEY, "")
    periods = (*load_name_book(words.code).periods, NO_NAMES)
    usual = Choice(value="", label=words("studio.field.usual"), chosen=not value)
    choices = [Choice(value=each, label=value_label(NAMES_KEY, each, words), chosen=each == value) for each in periods]
    return Control(
        name=NAMES_KEY, title=words("studio.field.names"), kind="list", choices=(usual, *choices), value=value
    )


def styles(chosen: str, words: Words) -> Control:
    """Return the control that chooses a map style."""
    names = sorted(resource_names("templates/styles", ".toml"), key=lambda name: name != "campaign")
    choices = tuple(Choice(value=each, label=style_label(each, words), chosen=each == chosen) for each in names)
    kind = "segments" if len(choices) <= _SEGMENTS else "list"
    return Control(name="style", title=words("studio.field.style"), kind=kind, choices=choices, value=chosen)


def style_label(name: str, words: Words) -> str:
    """Return the label of a map style."""
    key = f"studio.style.{name}"
    return words(key) if words.has(key) else name.replace("-", " ")


# --- What a page sends back -------------------------------------------------------------------------------------------


def asked_of(sent: Mapping[str, str]) -> dict[str, str]:
    """Return the values of a form for a new battlefield, without defaults.

    Raises:
        UsageError: the rule system does not exist, the seed is not a number, or a setting names a file.
    """
    rules = registry.validate_name(sent.get("rules", registry.DEFAULT))
    book = registry.find(rules).book
    found = {"rules": rules}
    for name in ("board", "cell", "seed", *OWN_KEYS):
        if value := sent.get(name, "").strip():
            found[name] = value
    usual = {setting.key: setting.default for setting in book.settings}
    found |= {key: value for key in usual if (value := sent.get(key, "").strip()) and value != usual[key]}
    for setting in book.settings:
        if setting.path and found.get(setting.key, setting.default) not in setting.values:
            raise UsageError(
                "{key}: the studio does not read files by their paths; choose one from the list", key=setting.key
            )
    if "seed" in found and not re.fullmatch(r"[0-9]{1,18}", found["seed"]):
        raise UsageError("seed {seed!r} is not a whole number", seed=found["seed"])
    if _is_gridded(book):
        found.pop("board", None)
    else:
        found.pop("cell", None)
    return found


def generate_field(asked: Mapping[str, str], fresh: int, lang: str) -> Field:
    """Generate a battlefield from the values that ``asked_of`` returns; ``fresh`` is the default seed.

    Raises:
        PrintkitError: a setting or the board is not valid.
    """
    rest: dict[str, Any] = {key: value for key, value in asked.items() if key not in ("rules", "seed")}
    for name in ("scenario", "dice", "inputs"):
        rest.pop(name, None)
    return generate(asked["rules"], seed=int(asked.get("seed", fresh)), lang=lang, **rest)


def wanted_of(made: Field) -> dict[str, str]:
    """Return the form values of a battlefield: its rules, and each setting that is not the default."""
    record, book = made.record, registry.find(made.rules).book
    found = {"rules": made.rules}
    for setting in book.settings:
        value = record.settings.get(setting.key, setting.default)
        if value != setting.default:
            found[setting.key] = value
    names = record.settings.get(NAMES_KEY, "")
    if names and names != default_name_list(registry.find(made.rules), record.details):
        found[NAMES_KEY] = names
    board, grid = record.battlefield.board, record.battlefield.grid
    if grid is not None:
        if abs(grid.cell - _CELL) > _LOOSE:
            found["cell"] = f"{grid.cell:g}mm"
    else:
        own = registry.find(made.rules).board(
            settings={s.key: record.settings.get(s.key, s.default) for s in book.settings}
        )
        if (own.width, own.depth) != (board.width, board.depth):
            found["board"] = _size(board.width, board.depth)
    return found


def _size(width: float, depth: float) -> str:
    inches = [side / 25.4 for side in (width, depth)]
    unit, sides = ("in", inches) if all(abs(side - round(side)) < 1e-6 for side in inches) else ("mm", [width, depth])
    return f"{sides[0]:g}{unit}" if width == depth else f"{sides[0]:g}x{sides[1]:g}{unit}"


def typed(arguments: Sequence[str]) -> str:
    """Return a command line as the user types it, with quotes where needed."""
    return " ".join(each if re.fullmatch(r"[\w./:=+,%×~-]+", each) else f'"{each}"' for each in arguments)
