"""The game-night folder: paths of its files, and the list that lets a new game night replace it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from printkit.core.errors import FileTakenError, PageError, UsageError
from printkit.core.paths import is_file
from printkit.core.reading import read_utf8
from printkit.export.placing import relative_path, replace_file
from printkit.export.writers import path_without_extension
from printkit.options.printing import EveningOptions
from printkit.recipes.game.request import SEALED, UMPIRE
from printkit.recipes.output.files import FileContent, write_folder
from printkit.recipes.output.printers import PrintContext
from printkit.recipes.prints.file_names import add_marks, battlefield_files, name_battlefield
from printkit.terrain.field.record import Record

# The list of the files of a game night, one name per line, at the top of its folder.
MANIFEST: Final = "manifest.txt"

# Default formats of a game night.
DEFAULT_FORMATS: Final = ("pdf",)

_HEAD: Final = "# printkit handouts wrote these files. --force overwrites them with another game night."

# The player's folder in a solo game.
YOU: Final = "you"

_SUBFOLDERS: Final = ("", "player-a", "player-b", YOU, UMPIRE, SEALED)

# The names of game-night files, for a folder that has no list of them.
_GAME_NIGHT_NAMES: Final = re.compile(
    r"(contents|map|map-plan|overview|reference|layout|hexon|form|report|battle-sheet|bound-log|collision-course"
    r"|markers|cards-[a-z0-9-]+)\.pdf"
    r"|(player-a|player-b|you)/[a-z-]+\.pdf|you/table-aid\.html|((player-a|player-b|you|umpire|sealed)/)?(table|own)(-[a-z0-9-]+\.png|\.tts\.json)"
    r"|(umpire|sealed)/((umpire|npg-secret|bound-strip|cards-[a-z0-9-]+)\.pdf|record\.json|log\.txt|(battle|npg|you)\.toml|battle\.json)"
)


class Folders(Struct, frozen=True):
    """Folders of a game night: ``you/`` and ``sealed/`` in a solo game, otherwise the top folder and ``umpire/``."""

    solo: bool = False

    @property
    def shared_prefix(self) -> str:
        """Return the path prefix of files that everybody may see."""
        return f"{YOU}/" if self.solo else ""

    @property
    def private_folder(self) -> str:
        """Return the folder of files that players may not see before the end."""
        return SEALED if self.solo else UMPIRE

    @property
    def record(self) -> str:
        """Return the path of the record."""
        return f"{self.private_folder}/record.json"

    @property
    def log(self) -> str:
        """Return the path of the log."""
        return f"{self.private_folder}/log.txt"


def manifest_text(names: Iterable[str]) -> str:
    """Return the list of the files of a game night as text.

    ``names`` are the paths of the files in the folder. The text has a header line and then one name per line.
    """
    return "".join(f"{line}\n" for line in (_HEAD, *names))


def validate_folder(out: Path | None) -> None:
    """Reject standard output or a single file in place of a folder.

    Raises:
        UsageError: ``out`` is one of these.
    """
    if out is not None and (str(out) == "-" or is_file(out) or path_without_extension(out) is not None):
        raise UsageError("--out {out}: handouts are several files; name a folder", out=out)


def write_evening(
    files: Mapping[str, FileContent],
    folder: Path,
    *,
    staging_folder: Path | None = None,
    force: bool = False,
    keep_others: bool = False,
    report: Callable[[str], None] = lambda _: None,
) -> tuple[Path, ...]:
    """Write the files of a game night below a folder, remove those of an earlier one, and return the new paths.

    Other files in the folder are never touched.

    Args:
        files: the files by name, relative to the folder, with slashes.
        folder: the folder of the game night; created if missing.
        staging_folder: the folder for incomplete files; None for the folder itself.
        force: overwrite other files, and remove those of a different game night.
        keep_others: files of earlier game nights stay, and the list of files keeps them.
        report: gets the name of each file when its content is built.

    Raises:
        PageError: the folder cannot be created or written to.
        FileTakenError: the folder contains another game night, or a file with other content, and ``force`` is False.
    """
    stale = [] if keep_others else [name for name in _existing_files(folder) if name not in files]
    if stale and not force:
        raise FileTakenError(
            "{folder} already holds a different game night ({name}). Choose another name, or overwrite it "
            "with --force.",
            folder=folder,
            name=stale[0],
        )
    names = read_utf8(folder / MANIFEST).splitlines()[1:] if keep_others and is_file(folder / MANIFEST) else []
    paths = write_folder(files, folder, staging_folder=staging_folder, force=force, stale=stale, report_file=report)
    if names and not files.keys() <= set(names):
        # The next game night removes the listed files, so the list must include the new ones.
        with replace_file(folder / MANIFEST) as temporary:
            temporary.write_text(manifest_text(dict.fromkeys((*names, *files))), encoding="utf-8", newline="\n")
    return paths


def _existing_files(folder: Path) -> Iterator[str]:
    """Yield the names of files that an earlier game night wrote into a folder and that still exist.

    Names are relative to the folder, with slashes. They come from its list, or without a list from the names of files.
    """
    try:
        lines = read_utf8(folder / MANIFEST).splitlines()
    except OSError:
        # The user may name a large folder, so search only the folders of a game night.
        paths = (path for part in _SUBFOLDERS for path in sorted(folder.joinpath(part).glob("*")) if is_file(path))
        names = (path.relative_to(folder).as_posix() for path in paths)
        yield from (name for name in names if _GAME_NIGHT_NAMES.fullmatch(name))
        return
    for name in lines:
        if not name.startswith("#") and _is_inside(name) and is_file(folder / name):
            yield name


def _is_inside(name: str) -> bool:
    """Return whether a listed name is a relative path that stays inside the folder; anybody can edit the list."""
    try:
        relative_path(name)
    except PageError:
        return False
    return True


@contextmanager
def game_night_target(
    record: Record,
    order: PrintContext[EveningOptions],
    user_folder: Path | None,
    parent: Path,
    *,
    force: bool = False,
    plan: bool = False,
) -> Iterator[tuple[Path, bool]]:
    """Yield the folder of a game night, and whether it replaces an earlier one of the same battlefield.

    Args:
        record: the game, which is saved as by ``battlefield_files``.
        order: how to print it.
        user_folder: the folder that the user names; None for one that is named after the battlefield.
        parent: the folder of that folder.
        force: see ``battlefield_files``.
        plan: whether nothing is saved.
    """
    if user_folder is not None:
        yield user_folder, False
        return
    tail = _folder_tail(order.asked)
    with battlefield_files(record, parent, tails=[f"-{tail}"], force=force, plan=plan) as target:
        yield parent / target.with_marks(tail), target.is_replacing


def game_night_folder(record: Record, options: EveningOptions, parent: Path) -> Path:
    """Save a record as ``name_battlefield`` does, and return the folder of its game night in ``parent``."""
    tail = _folder_tail(options)
    return parent / add_marks(name_battlefield(record, parent, [f"-{tail}"]), tail)


def _folder_tail(options: EveningOptions) -> str:
    """Return the end of the name of a game-night folder; files for a virtual table are in a folder of their own."""
    return add_marks("game-night", *(name for name in options.to if name not in DEFAULT_FORMATS))
