"""Papers of the user: a TOML file with their names, widths, heights and margins."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import asdict

from printkit.core.errors import Sentence, UsageError
from printkit.core.typed import MemberError, member_error, read_file, read_toml, right

_FILE: Final = re.compile(r"(?P<path>.+\.toml)(?::(?P<name>[^:/\\]*))?", re.IGNORECASE)

Length = Annotated[float, Meta(gt=0, le=100_000), right(Sentence("a length in mm, for example 210"))]
Border = Annotated[float, Meta(ge=0, le=100_000), right(Sentence("a length in mm, for example 10"))]

# The name becomes part of the names of files.
PaperName = Annotated[
    str,
    Meta(pattern="^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$"),
    right(Sentence("lower-case letters, digits and hyphens, for example my-paper")),
]


class PaperSize(Struct, frozen=True, forbid_unknown_fields=True):
    """A paper of a file, in mm; without a height it is a roll, and without a margin it has the usual margins."""

    width: Length
    height: Length = math.inf
    margin: Border | None = None
    head: Border | None = None

    def __post_init__(self) -> None:
        if self.head is not None and self.margin is None:
            raise MemberError("head also needs margin, for the left and right edges", "head")


class OwnPaper(PaperSize, frozen=True):
    """A paper with its name, which is its key in the file."""

    name: str = ""


class PaperFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of papers."""

    sheets: Annotated[
        dict[PaperName, Annotated[PaperSize, right(Sentence("{{ width = 210, height = 297 }}, in mm"))]],
        Meta(min_length=1),
    ]


def paper_file(text: str) -> str | None:
    """Return the path of the paper file in ``FILE.toml`` or ``FILE.toml:NAME``; None for other texts."""
    match = _FILE.fullmatch(text.strip())
    return None if match is None else match["path"]


def own_paper(text: str, other_papers: Mapping[str, object]) -> OwnPaper:
    """Return the paper of ``FILE.toml`` if it is the only one, or of ``FILE.toml:NAME``.

    Args:
        text: the file, and the name of a paper if the file has several.
        other_papers: the papers of printkit by name; a paper of the file must not have one of these names.

    Raises:
        FileError: the file cannot be read, or does not contain papers.
        UsageError: it has several papers and the text has no name, or no paper has this name.
    """
    match = _FILE.fullmatch(text.strip())
    if match is None:
        raise UsageError("{text!r} is not a paper file; write FILE.toml or FILE.toml:NAME", text=text)
    path, name = Path(match["path"]), match["name"]
    papers = _papers(path, other_papers)
    if name is None and len(papers) == 1:
        return next(iter(papers.values()))
    if name is None or name.lower() not in papers:
        raise UsageError(
            "--sheet {text} has several papers ({known}); name one, for example {path}:{first}",
            text=text,
            path=path,
            first=next(iter(papers)),
            known=", ".join(papers),
        )
    return papers[name.lower()]


def _papers(path: Path, other_papers: Mapping[str, object]) -> dict[str, OwnPaper]:
    """Return all papers of a file by their names."""
    text = read_file(path)
    papers = read_toml(text, PaperFile, str(path)).sheets
    if duplicates := [name for name in papers if name in other_papers]:
        reason = Sentence("{name} is the name of a paper that printkit has; choose another", name=duplicates[0])
        raise member_error(str(path), text, ("sheets",), reason, (duplicates[0],))
    return {name: OwnPaper(**asdict(paper), name=name) for name, paper in papers.items()}
