"""Papers of a person's own: a TOML file with their names, widths, heights and margins."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from printkit.core.errors import BookError, UsageError
from printkit.core.typed import parse_toml, read_file

_FILE: Final = re.compile(r"(?P<path>.+\.toml)(?::(?P<name>[^:/\\]*))?", re.IGNORECASE)
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_KEYS: Final = ("width", "height", "margin", "head")


class OwnPaper(Struct, frozen=True):
    """A paper as its file tells it, in mm; without a height it is a roll, without margins it has the usual ones."""

    name: str
    width: float
    height: float = math.inf
    margin: float | None = None
    head: float | None = None


def paper_file(text: str) -> str | None:
    """Return the path of the file that a text names papers of; None where it names no file."""
    found = _FILE.fullmatch(text.strip())
    return None if found is None else found["path"]


def own_paper(text: str, taken: Mapping[str, object]) -> OwnPaper:
    """Return the paper of ``FILE.toml``, where there is one, or of ``FILE.toml:NAME``.

    Args:
        text: the file, and the name of a paper where it holds several.
        taken: names that a person's own paper may not have, as they are known.

    Raises:
        BookError: the file cannot be read or holds what is no paper; names file and key.
        UsageError: it has several papers and none is named, or it has none of the name.
    """
    found = _FILE.fullmatch(text.strip())
    if found is None:
        raise UsageError("{text!r} is not a paper file; write FILE.toml or FILE.toml:NAME", text=text)
    path, wanted = Path(found["path"]), found["name"]
    papers = _papers(path, taken)
    if wanted is None and len(papers) == 1:
        return next(iter(papers.values()))
    if wanted is None or wanted.lower() not in papers:
        raise UsageError(
            "--sheet {text} has several papers ({known}); name one, for example {path}:{first}",
            text=text,
            path=path,
            first=next(iter(papers)),
            known=", ".join(papers),
        )
    return papers[wanted.lower()]


def _papers(path: Path, taken: Mapping[str, object]) -> dict[str, OwnPaper]:
    """Return all papers of a file, each judged."""
    tree = parse_toml(read_file(path), str(path))
    for key in tree:
        if key != "sheets":
            raise BookError("{path}: unknown key {key!r}; papers go under [sheets]", path=path, key=key)
    entries = tree.get("sheets")
    if not isinstance(entries, Mapping) or not entries:
        raise BookError("{path}: no papers under [sheets]; write one line per paper, its name first", path=path)
    return {name: _paper(path, name, entry, taken) for name, entry in entries.items()}


def _paper(path: Path, name: str, entry: Any, taken: Mapping[str, object]) -> OwnPaper:
    # The name becomes part of the names of files.
    if not _NAME.fullmatch(name) or name in taken:
        raise BookError(
            "{path}: {name!r} is not a valid paper name; use lower-case letters, digits and hyphens, and "
            "no name of a paper that printkit has",
            path=path,
            name=name,
        )
    if not isinstance(entry, Mapping) or "width" not in entry:
        raise BookError(
            "{path}: {name} = {entry!r} is not a paper size; write {{ width = 210, height = 297 }} in mm",
            path=path,
            name=name,
            entry=entry,
        )
    for key, value in entry.items():
        if key not in _KEYS:
            raise BookError(
                "{path}: unknown key {name}.{key}; a paper has {keys}",
                path=path,
                name=name,
                key=key,
                keys=", ".join(_KEYS),
            )
        number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if not number or value < 0 or (value == 0 and key in ("width", "height")):
            raise BookError(
                "{path}: {name}.{key} = {value!r} is not a length in mm", path=path, name=name, key=key, value=value
            )
    if "head" in entry and "margin" not in entry:
        raise BookError("{path}: {name}.head also needs margin, for the left and right edges", path=path, name=name)
    return OwnPaper(name, **{key: float(value) for key, value in entry.items()})
