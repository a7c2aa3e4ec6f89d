"""The text of an army file: read with care, and searched for the line that an error is about."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct

from printkit.core.errors import ResourceError, ScenarioError, Sentence

T = TypeVar("T")

MOST_BYTES: Final = 250_000
"""Above this a file is no army; it is not parsed."""

_KINDS: Final[Mapping[type, str]] = {
    str: Sentence("text in quotes"),
    int: Sentence("a whole number"),
    bool: Sentence("true or false"),
    list: Sentence("a list in square brackets"),
    dict: Sentence("a table of keys and values"),
}


def read_text(path: Path) -> str:
    """Return the text of an army file.

    Raises:
        ResourceError: there is no such file, it is a folder, too large, or no text.
    """
    if path.is_dir():
        raise ResourceError("{path} is a folder; give the path of an army file, NAME.toml", path=path)
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise ResourceError(
                "{path} has {size:.0f} kB; an army file has {most} kB at most",
                path=path,
                size=size / 1000,
                most=MOST_BYTES // 1000,
            )
        # A mark at the beginning, which some editors leave in texts, is no part of the army.
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ResourceError(
            "{path}: no text in UTF-8 at byte {byte}; save it as UTF-8", path=path, byte=error.start + 1
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ResourceError(
            "cannot read {path}: {why}; give the path of an army file, NAME.toml", path=path, why=why
        ) from None


class ArmyText(Struct, frozen=True):
    """The text of an army file with the name by which errors call it."""

    file: str
    text: str

    def values(self) -> Mapping[str, Any]:
        """Return what the text says as plain values.

        Raises:
            ScenarioError: it is not TOML; names the line.
        """
        try:
            return tomllib.loads(self.text)
        except (ValueError, RecursionError) as error:
            raise ScenarioError("{file}: not TOML: {error}", file=self.file, error=error) from None

    def line(self, section: str, number: int, key: str = "", value: str = "") -> int:
        """Return the number of the line that says something, or 0 where it cannot be told.

        Args:
            section: ``slot``, ``general``, ... or empty for what stands before all sections.
            number: which of the sections of that name, from 1.
            key: a key in it.
            value: a text in quotes in the value of that key.
        """
        inside = list(self._section(section, number))
        if not inside:
            return 0
        start = next((place for place, line in inside if key and _is_key(line, key)), 0)
        if not start:
            return inside[0][0] if section else 0
        if value:
            quoted = re.compile(rf"""["']{re.escape(value)}["']|\b{re.escape(value)}\s*=""")
            return next((place for place, line in inside if place >= start and quoted.search(line)), start)
        return start

    def _section(self, section: str, number: int) -> Iterator[tuple[int, str]]:
        head = re.compile(rf"\s*\[+\s*{re.escape(section)}\s*\]+") if section else None
        met, inside = 0, head is None
        for place, line in enumerate(self.text.splitlines(), 1):
            if re.match(r"\s*\[{1,2}\s*[\w\"'.-]+\s*\]{1,2}\s*(#.*)?$", line):
                met += head is not None and head.match(line) is not None
                inside = head is not None and met == number and head.match(line) is not None
            if inside:
                yield place, line


def _is_key(line: str, key: str) -> bool:
    return re.match(rf"""\s*["']?{re.escape(key)}["']?\s*[.=]""", line) is not None


class Part(Struct, frozen=True, kw_only=True):
    """A table of an army file with its place: the whole, a slot, the general's options, what was chosen."""

    text: ArmyText
    values: Mapping[str, Any]
    section: str = ""
    number: int = 1
    name: str = ""

    def wrong(self, why: str, key: str = "", value: str = "", clause: str = "", /, **values: object) -> ScenarioError:
        """Return an error that names the file, the line where it can be told, and the table.

        Args:
            why: the template of what is wrong, with ``values``.
            key: where it is: the key, and of several lines with it the one that has ``value``.
        """
        line = self.text.line(self.section, self.number, key, value)
        at = Sentence("{file}, line {line}", file=self.text.file, line=line) if line else self.text.file
        named = f"{at}: {self.name}" if self.name else at
        return ScenarioError("{named}: {why}", named=named, why=Sentence(why, **values), clause=clause)

    def need(self, key: str, kind: type[T], why: str = Sentence("add it")) -> T:
        """Return a value that has to be there.

        Raises:
            ScenarioError: it is missing or of another kind.
        """
        if key not in self.values:
            raise self.wrong("{key} is missing; {why}", key=key, why=why)
        return self.get(key, kind, kind())

    def get(self, key: str, kind: type[T], default: T) -> T:
        """Return a value, or the default where the file is silent.

        Raises:
            ScenarioError: it is of another kind.
        """
        value = self.values.get(key, default)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.wrong(
                "{key} = {short} is wrong; it is {kinds}", key, key=key, short=_short(value), kinds=_KINDS[kind]
            )
        return value

    def short(self, key: str, default: str) -> str:
        """Return a text that can stand in a line with others.

        Raises:
            ScenarioError: it is no text, is empty, or has a break in it.
        """
        text = self.get(key, str, default)
        if not text.strip() or not text.isprintable():
            raise self.wrong(
                "{key} = {short} is wrong; it is a short text on one line", key, key=key, short=_short(text)
            )
        return text

    def only(self, *keys: str) -> None:
        """Refuse keys that nobody would read.

        Raises:
            ScenarioError: there is one; names those that may stand here.
        """
        for key in self.values:
            if key not in keys:
                raise self.wrong("{key!r} means nothing here; there are {keys}", key, key=key, keys=", ".join(keys))

    def one_of(self, key: str, values: tuple[str, ...], default: str | None = None) -> str:
        """Return a text that is one of a few.

        Raises:
            ScenarioError: it is missing and has no default, or is none of them; names them.
        """
        listed = ", ".join(values)
        found = (
            self.need(key, str, Sentence("it is one of {listed}", listed=listed))
            if default is None
            else self.get(key, str, default)
        )
        if found not in values:
            raise self.wrong(
                "{key} = {short} is wrong; it is one of {listed}", key, key=key, short=_short(found), listed=listed
            )
        return found


def _short(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
