"""The folder of an evening: the list of what was put there, by which one evening makes room for another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from printkit.core.errors import PageError, TakenError
from printkit.core.paths import is_file
from printkit.core.reading import text_of
from printkit.export.files import way_of
from printkit.export.placing import replacing
from printkit.recipes.game.request import SEALED, UMPIRE
from printkit.recipes.output.files import FileContent, write_folder

MANIFEST: Final = "manifest.txt"
"""The list of the files of an evening, a name a line, at the top of its folder."""

_HEAD: Final = "# printkit handouts wrote these files. --force overwrites them with another game night."

YOU: Final = "you"
"""The folder of a solo game with which the person plays."""

_FOLDERS: Final = ("", "player-a", "player-b", YOU, UMPIRE, SEALED)

_OURS: Final = re.compile(
    r"(contents|map|map-plan|overview|reference|layout|hexon|form|report|battle-sheet|bound-log|collision-course"
    r"|markers|cards-[a-z0-9-]+)\.pdf"
    r"|(player-a|player-b|you)/[a-z-]+\.pdf|you/table-aid\.html|((player-a|player-b|you|umpire|sealed)/)?(table|own)(-[a-z0-9-]+\.png|\.tts\.json)"
    r"|(umpire|sealed)/((umpire|npg-secret|bound-strip|cards-[a-z0-9-]+)\.pdf|record\.json|log\.txt|(battle|npg|you)\.toml|battle\.json)"
)
"""The files of an evening by their names, for a folder that has no list of them."""


class Folders(Struct, frozen=True):
    """Where the files of an evening lie: of a solo game in ``you/`` and ``sealed/``, else on top and in ``umpire/``."""

    solo: bool = False

    @property
    def shared(self) -> str:
        """Return what stands before the name of a file that everybody may see."""
        return f"{YOU}/" if self.solo else ""

    @property
    def kept(self) -> str:
        """Return the folder of what the players do not see before the end."""
        return SEALED if self.solo else UMPIRE

    @property
    def record(self) -> str:
        """Return the name of the record."""
        return f"{self.kept}/record.json"

    @property
    def log(self) -> str:
        """Return the name of the log."""
        return f"{self.kept}/log.txt"


def manifest(names: Iterable[str]) -> str:
    """Return the list of the files of an evening as text."""
    return "".join(f"{line}\n" for line in (_HEAD, *names))


def write_evening(
    files: Mapping[str, FileContent],
    folder: Path,
    *,
    within: Path | None = None,
    force: bool = False,
    alone: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Path, ...]:
    """Write the files of an evening by their names below a folder, where nothing of another evening is left.

    Files that no evening has put there are never touched; with ``alone`` those of earlier ones stay too. Each is told
    of by its name when it is whole.

    Raises:
        PageError: the folder cannot be made or written to.
        TakenError: it holds another evening, and ``force`` is not given.
    """
    stale = [] if alone else [name for name in _there(folder) if name not in files]
    if stale and not force:
        raise TakenError(
            "{folder} already holds a different game night ({name}). Choose another --out, or overwrite it "
            "with --force.",
            folder=folder,
            name=stale[0],
        )
    names = text_of(folder / MANIFEST).splitlines()[1:] if alone and is_file(folder / MANIFEST) else []
    written = write_folder(files, folder, within=within, force=force, stale=stale, tell=tell)
    if names and not files.keys() <= set(names):
        # The next game night takes away what is listed.
        with replacing(folder / MANIFEST) as temporary:
            temporary.write_text(manifest(dict.fromkeys((*names, *files))), encoding="utf-8", newline="\n")
    return written


def _there(folder: Path) -> Iterator[str]:
    """Yield the names of the files that an earlier evening has put into a folder and that are still there."""
    try:
        listed = text_of(folder / MANIFEST).splitlines()
    except OSError:
        # A person may name a large folder of his own, so only those are looked into that an evening has.
        places = (path for part in _FOLDERS for path in sorted(folder.joinpath(part).glob("*")) if is_file(path))
        found = (path.relative_to(folder).as_posix() for path in places)
        yield from (name for name in found if _OURS.fullmatch(name))
        return
    for name in listed:
        if not name.startswith("#") and _is_below(name) and is_file(folder / name):
            yield name


def _is_below(name: str) -> bool:
    """Return whether a name of a list, which anybody may have written, stays in the folder."""
    try:
        way_of(name)
    except PageError:
        return False
    return True
