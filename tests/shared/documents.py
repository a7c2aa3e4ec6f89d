"""The pages that a person reads: the commands that they show, the files that they let him save, and their links.

A block with a line that begins with a program holds commands, a line each. A block of Python is run; what it names is
known to those after it. A block of data says in its first line, a comment, where it is saved: ``# mine.toml``, or
``# mine.toml, at its end`` for lines that are added to such a file. Or it names a file of the repository, of which the
block is a part: ``# tests/plugins/toy/pyproject.toml``.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from imports import ROOT
from markdown_it import MarkdownIt
from markdown_it.token import Token

PAGES: Final = (
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md"),
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")),
)
OWN: Final = "printkit"
OTHERS: Final = ("make", "pip", "pipx", "uv", "dask")
"""Programs besides our own whose commands the pages show."""

BLOCK, TEXT, ROW = "block", "text", "row"
"""Where a command stands: in a block, in running text, or as options in a table of what one can ask for."""

_SHELL: Final = ("", "sh", "bash", "console")
_PYTHON: Final = "python"
_ASKED: Final = (["you want", "type"], ["quieres", "añade"])
"""The heads of a table whose options are added to the command before it."""

_SAVED: Final = re.compile(r"# (?P<name>[\w.-]+\.\w+)(?P<more>, at its end)?")
_QUOTED: Final = re.compile(r"# (?P<path>[\w.-]+(?:/[\w.-]+)+)")
_SYNOPSIS: Final = re.compile(r"\[[^]]*\]|\b[A-Z]+\b")
_STANDS_FOR: Final[Mapping[str, str]] = {"N": "2", "ARMY": "gallic"}
"""What a reader may write where running text says what kind of thing is meant."""


class Saved(NamedTuple):
    """A file that the reader writes: its text, and whether that comes behind what he has written before."""

    line: int
    name: str
    text: str
    more: bool


class Quoted(NamedTuple):
    """A part of a file of the repository, by its path there."""

    line: int
    path: str
    text: str


class Command(NamedTuple):
    """A command line as the reader pastes it, and where it stands."""

    line: int
    text: str
    place: str

    @property
    def words(self) -> list[str]:
        """Return the program and its arguments, without what is set for its surroundings."""
        words = shlex.split(self.text, comments=True)
        while "=" in words[0]:
            del words[0]
        return words


class Script(NamedTuple):
    """A part of a program in Python, which goes on from those before it."""

    line: int
    text: str


Step: TypeAlias = Saved | Command | Script
"""What a page lets the reader do."""


@dataclass(frozen=True)
class Page:
    """One page: what it lets the reader do, in its order; what stands in code style; where it leads to."""

    name: str
    steps: tuple[Step, ...]
    spans: tuple[str, ...]
    links: tuple[str, ...]
    anchors: tuple[str, ...]
    nameless: tuple[int, ...]
    """Lines at which a block begins that is neither commands nor a drawing, and does not say where it is saved."""
    quoted: tuple[Quoted, ...] = ()

    @property
    def folder(self) -> Path:
        """Return the folder from which its links lead on."""
        return (ROOT / self.name).parent


@cache
def page(name: str) -> Page:
    """Return a page by its path in the repository."""
    return read(name, (ROOT / name).read_text(encoding="utf-8"))


def read(name: str, text: str) -> Page:
    """Return what a page of this name and text tells."""
    reader = _Reader()
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        reader.take(token)
    return Page(
        name=name,
        steps=tuple(reader.steps),
        spans=tuple(reader.spans),
        links=tuple(reader.links),
        anchors=tuple(reader.anchors),
        nameless=tuple(reader.nameless),
        quoted=tuple(reader.quoted),
    )


def script(told: Page) -> str:
    """Return all that a page shows of Python as one program, each line where it stands on the page."""
    lines: list[str] = []
    for step in told.steps:
        if isinstance(step, Script):
            lines += [""] * (step.line - 1 - len(lines)) + step.text.splitlines()
    return "\n".join((*lines, ""))


class _Reader:
    """Goes through a page from top to bottom."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.spans: list[str] = []
        self.links: list[str] = []
        self.anchors: list[str] = []
        self.nameless: list[int] = []
        self.quoted: list[Quoted] = []
        self._heading = False
        self._heads: list[str] = []
        self._in_head = False

    def take(self, token: Token) -> None:
        """Take the next part of the page."""
        if token.type == "fence":
            self._block(token)
        elif token.type in ("thead_open", "thead_close"):
            self._in_head = token.type == "thead_open"
            self._heads = [] if self._in_head else self._heads
        elif token.type == "table_close":
            self._heads = []
        elif token.type in ("heading_open", "heading_close"):
            self._heading = token.type == "heading_open"
        elif token.type == "inline":
            if self._heading:
                self.anchors.append(_anchor(token, self.anchors))
            if self._in_head:
                self._heads.append(token.content)
            self._text(token)

    def _block(self, token: Token) -> None:
        at = _line(token) + 1
        if token.info.strip() in _SHELL:
            lines = token.content.splitlines()
            if any(map(is_command, lines)):
                told = ((line, text) for line, text in enumerate(lines, at) if shlex.split(text, comments=True))
                self.steps += [Command(line, text, BLOCK) for line, text in told]
            return
        head, _, rest = token.content.partition("\n")
        if saved := _SAVED.fullmatch(head):
            self.steps.append(Saved(at, saved["name"], token.content, bool(saved["more"])))
        elif quoted := _QUOTED.fullmatch(head):
            self.quoted.append(Quoted(at, quoted["path"], rest.lstrip("\n")))
        elif token.info.strip() == _PYTHON:
            self.steps.append(Script(at, token.content))
        else:
            self.nameless.append(at)

    def _text(self, token: Token) -> None:
        for child in token.children or ():
            if child.type in ("link_open", "image"):
                self.links.append(str(child.attrs["href" if child.type == "link_open" else "src"]))
            if child.type != "code_inline":
                continue
            self.spans.append(child.content)
            if is_command(child.content) and " " in child.content:
                self.steps.append(Command(_line(token), _filled(child.content), TEXT))
            elif child.content.startswith("--") and self._heads in _ASKED:
                self.steps.append(Command(_line(token), f"{self._before()} {child.content}", ROW))

    def _before(self) -> str:
        """Return the last command of our own that stands in a block before a table."""
        blocks = [step for step in self.steps if isinstance(step, Command) and step.place == BLOCK]
        return next(shlex.join(step.words) for step in reversed(blocks) if step.words[0] == OWN)


def is_command(text: str) -> bool:
    """Return whether a text begins with a program, what is set for one, or the prompt of a shell before it."""
    return re.match(rf"(?:\$ )?(?:[A-Z_]+=\S+ +)*(?:{'|'.join((OWN, *OTHERS))})(?:\s|$)", text) is not None


def options(text: str) -> Iterator[str]:
    """Yield the names of the options in a text."""
    yield from re.findall(r"(?<![\w-])--[a-z][\w-]*", text)


def _filled(text: str) -> str:
    """Return a command of running text as a reader may type it; what may be left out is."""
    if not text.startswith(OWN):
        return text
    return _SYNOPSIS.sub(lambda found: "" if found[0].startswith("[") else _STANDS_FOR[found[0]], text).strip()


def _anchor(token: Token, before: list[str]) -> str:
    """Return how a link names a heading: small letters, hyphens for spaces, and a number where there are several."""
    plain = "".join(child.content for child in token.children or ())
    slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
    again = sum(each == slug or re.fullmatch(rf"{re.escape(slug)}-\d+", each) is not None for each in before)
    return f"{slug}-{again}" if again else slug


def _line(token: Token) -> int:
    assert token.map is not None
    return token.map[0] + 1
