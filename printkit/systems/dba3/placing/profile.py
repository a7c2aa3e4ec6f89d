"""A user's values for rules that rest on one source, on memory or on none (D3-68).

The user's file has tables like those of the rule book, with only the values that differ::

    [numbers]
    river_clearance_bw = 3

    [pieces.rocky]
    going = "bad"

    [home.steppe]
    optional = ["river", "rocky", "scrub"]

A scenario can contain the same as lines of the list ``profile``: ``numbers river_clearance_bw 3``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from printkit.core.errors import ScenarioError
from printkit.core.typed import MemberPath, parse_toml, place_of
from printkit.kit.book import RuleBook
from printkit.systems.dba.ground.terrain_limits import Terrain

LIST_NAME: Final = "profile"

_PARTS: Final = ("numbers", "pieces", "home")
_PIECE_TYPES: Final[Mapping[str, type]] = {
    "going": str, "most": int, "longest": float, "shortest": float, "reach": str, "serves": bool,
}  # fmt: skip
_CLAUSE: Final = "D3-68"


def read_profile_lines(text: str, place: str, book: RuleBook) -> tuple[str, ...]:
    """Return a user's profile file as lines of the list; each line is valid.

    A line is for example ``numbers river_clearance_bw 3``. ``text`` is the TOML text of the file, and ``place`` names
    the file in errors.

    Raises:
        ScenarioError: the text is not TOML, or has an unknown entry; names the file and the key.
    """
    tree = parse_toml(text, place)
    lines: dict[MemberPath, str] = {}
    for part, table in tree.items():
        if part not in _PARTS or not isinstance(table, dict):
            raise ScenarioError(
                "{place}: unknown table [{part}]; use {parts}",
                place=place_of(place, text, (part,)),
                part=part,
                parts=", ".join(_PARTS),
                clause=_CLAUSE,
            )
        for key, value in table.items():
            if isinstance(value, dict):
                for name, inner in value.items():
                    lines[part, key, name] = f"{part} {key} {name} {_value_text(inner)}"
            else:
                lines[part, key] = f"{part} {key} {_value_text(value)}"
    for path, line in lines.items():
        try:
            apply_profile(book, [line])
        except ScenarioError as error:
            raise ScenarioError("{place}: {error}", place=place_of(place, text, path), error=error) from None
    return tuple(lines.values())


def apply_profile(book: RuleBook, lines: Iterable[str]) -> RuleBook:
    """Return a copy of the rule book with the lines of a profile applied, in order.

    Raises:
        ScenarioError: a line is not valid; shows the correct form.
    """
    numbers = dict(book.numbers)
    rows = {name: [dict(row) for row in book.rows[name]] for name in ("pieces", "topography")}
    for line in lines:
        part, _, remainder = line.strip().partition(" ")
        words = remainder.split()
        if part == "numbers" and len(words) == 2 and words[0] in numbers:
            numbers[words[0]] = _parse_number(line, words[1])
        elif part == "pieces" and len(words) == 3 and words[1] in _PIECE_TYPES:
            _find_row(line, rows["pieces"], "piece", words[0])[words[1]] = _parse_value(line, words[1], words[2], book)
        elif part == "home" and len(words) > 2 and words[1] == "optional":
            _find_row(line, rows["topography"], "home", words[0])["optional"] = [
                _parse_piece(line, word) for word in words[2:]
            ]
        else:
            raise ScenarioError(
                "profile line {line!r} cannot be read; write for example numbers river_clearance_bw 3, "
                "pieces rocky going bad, or home steppe optional river scrub",
                line=line,
                clause=_CLAUSE,
            )
    return replace(
        book, numbers=numbers, rows={**book.rows, **{name: tuple(book_rows) for name, book_rows in rows.items()}}
    )


def _value_text(value: Any) -> str:
    """Return a value of a TOML file as words of a profile line; a list becomes several words."""
    if isinstance(value, list):
        return " ".join(str(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _find_row(line: str, rows: list[dict[str, Any]], key: str, name: str) -> dict[str, Any]:
    """Return the first row with ``name`` as the value of ``key``; the error quotes ``line``.

    Raises:
        ScenarioError: no row has this name.
    """
    for row in rows:
        if row[key] == name:
            return row
    raise ScenarioError(
        "profile line {line!r}: unknown name {name!r}; use one of {rows}",
        line=line,
        name=name,
        rows=", ".join(row[key] for row in rows),
        clause=_CLAUSE,
    )


def _parse_value(line: str, key: str, word: str, book: RuleBook) -> object:
    """Return the value that a word gives to an entry of a terrain type: a bool, a number or the word.

    The error quotes ``line``.

    Args:
        line: the line of the profile.
        key: the entry, for example ``going`` or ``most``.
        word: the value in the line.
        book: the rule book, for the names of goings.

    Raises:
        ScenarioError: the entry cannot have this value.
    """
    kind = _PIECE_TYPES[key]
    if kind is bool:
        return word == "true"
    if kind is int:
        return int(_parse_number(line, word))
    if kind is float:
        return _parse_number(line, word)
    if key == "going" and word not in book.going:
        raise ScenarioError(
            "profile line {line!r}: unknown going {word!r}; use one of {goings}",
            line=line,
            word=word,
            goings=", ".join(book.going),
            clause=_CLAUSE,
        )
    if key == "reach" and word not in ("inside", "may", "must"):
        raise ScenarioError("profile line {line!r}: reach must be inside, may or must", line=line, clause=_CLAUSE)
    return word


def _parse_piece(line: str, word: str) -> str:
    """Return the word if it is the name of a terrain type; the error quotes ``line``.

    Raises:
        ScenarioError: there is no such type.
    """
    if word not in list(Terrain):
        raise ScenarioError(
            "profile line {line!r}: unknown piece {word!r}; use one of {terrain}",
            line=line,
            word=word,
            terrain=", ".join(Terrain),
            clause=_CLAUSE,
        )
    return word


def _parse_number(line: str, word: str) -> float:
    """Return a word as a number of 0 or more, as a finite number in the unit of its entry; the error quotes ``line``.

    Raises:
        ScenarioError: the word is not such a number.
    """
    try:
        number = float(word)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise ScenarioError(
            "profile line {line!r}: {word!r} is not a number of 0 or more", line=line, word=word, clause=_CLAUSE
        )
    return number
