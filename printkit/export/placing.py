"""File names and numbers for writers, and atomic writing: all files of a command or none, and never over other content.

Files are staged near their targets, in a folder ``.printkit-HOST-PROCESS-…``, until all are complete. Then the list of
their targets is written there too, and the move is final. If the process dies, the next process that writes into the
output folder completes the move. It deletes a staging folder without a list.
"""

from __future__ import annotations

import filecmp
import json
import os
import platform
import re
import shutil
import time
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from msgspec import ValidationError, convert

from printkit.core.errors import FileTakenError, PageError, PrintkitError
from printkit.core.reading import DEEPEST, nesting_depth, read_utf8

# --- Number formatting ------------------------------------------------------------------------------------------------


def format_number(value: float, digits: int = 3) -> str:
    """Return a number as text, rounded to at most ``digits`` decimals, without exponent or trailing zeros.

    The decimal sign is a point; minus zero becomes ``0``.
    """
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


# Characters that no file name may contain: folder separators, and characters that Windows forbids.
_FORBIDDEN_CHARACTERS: Final = frozenset('/\\:*?"<>|')

_BYTE_SURROGATES: Final = frozenset(map(chr, range(0xDC80, 0xDD00)))


def check_file_name(name: str) -> str:
    """Return the name of a file or folder unchanged, after checking it.

    Raises:
        PageError: the name is not valid on all systems: empty, with folder separators or control characters.
    """
    # Undecodable bytes of a name (surrogates) are allowed.
    bad = set(name) & _FORBIDDEN_CHARACTERS or any(
        not char.isprintable() and char not in _BYTE_SURROGATES for char in name
    )
    if bad or not name.strip(". ") or name.endswith((".", " ")):
        raise PageError("{name!r} is not a valid file name; choose another --out", name=name)
    return name


def relative_path(name: str) -> PurePosixPath:
    """Return the name of a file below a folder, for example ``player-a/player-a.pdf``, as a checked relative path.

    The parts are separated by ``/``.

    Raises:
        PageError: the path leaves the folder, or a part of it is not a valid name.
    """
    for part in name.split("/"):
        check_file_name(part)
    return PurePosixPath(name)


def path_below(folder: Path, name: str) -> Path:
    """Return the path of a file below a folder, after checking that no name or link leaves the folder.

    Raises:
        PageError: the path leaves the folder, or the name is not valid.
    """
    path = folder / relative_path(name)
    if not path.parent.resolve().is_relative_to(folder.resolve()):
        raise PageError("{name!r} is not a valid file name; choose another --out", name=name)
    return path


def page_paths(path: Path, count: int) -> tuple[Path, ...]:
    """Return one path per page: ``map.svg`` for one page, ``map-1.svg``, ``map-2.svg`` ... for several.

    All numbers have the same number of digits, so that the files sort in order.
    """
    if count == 1:
        return (path,)
    digits = len(str(count))
    return tuple(path.with_name(f"{path.stem}-{number:0{digits}d}{path.suffix}") for number in range(1, count + 1))


_RECORD: Final = ".json"

# Keys of a record that identify the printkit version. They are not part of its content.
_VERSION_KEYS: Final = ("version", "shapes")
# Permissions of a private file: only the owner can read and write it.
_OWNER_ONLY: Final = 0o600

# --- Staging folders, and those of dead processes ---------------------------------------------------------------------

_HOST: Final = f"{zlib.crc32(platform.node().encode()):08x}"
_STAGING_NAME: Final = re.compile(r"\.printkit-(?P<host>[0-9a-f]{8})-(?P<process>[0-9]{1,10})-.+")
# Age in seconds at which the staged files of another machine in a shared folder count as abandoned.
_ABANDONED_AFTER: Final = 24 * 3600.0

_NEW: Final = "new"
_OLD: Final = "old"
_PLAN: Final = "places"
_LOCK: Final = "held"

# The files to delete, and for each staged file its name and its target, relative to the root folder.
_MovePlan: TypeAlias = tuple[list[str], list[tuple[str, str]]]

_own_names: Final[set[str]] = set()


def _staging_prefix() -> str:
    """Return the prefix of staged names. It has the host and process number, to check whether the process is alive."""
    return f".printkit-{_HOST}-{os.getpid()}-"


class StagingFolder(TemporaryDirectory[str]):
    """A staging folder for files until all are complete; it is always deleted with its contents."""

    def __init__(self, folder: Path) -> None:
        """Create the staging folder in an existing folder."""
        # Ignore errors: a worker in a cluster may be stopped while it writes.
        super().__init__(dir=folder, prefix=_staging_prefix(), ignore_cleanup_errors=True)
        _own_names.add(Path(self.name).name)
        # On Windows we cannot check whether a process is alive, but a folder with an open file cannot be renamed.
        self._held = os.open(Path(self.name, _LOCK), os.O_CREAT | os.O_WRONLY)

    def cleanup(self) -> None:
        """Delete the staging folder with its contents."""
        if Path(self.name).name in _own_names:
            os.close(self._held)
            _own_names.discard(Path(self.name).name)
        super().cleanup()


def clean_up(folder: Path) -> None:
    """Complete the moves that dead processes left in a folder, and delete their unfinished files.

    A staged file of another host is deleted when it is a day old. Errors in reading the folder are ignored.
    """
    for abandoned_path in _abandoned_paths(folder):
        claimed_path = folder / f"{_staging_prefix()}{os.urandom(4).hex()}"
        # Only one process can rename it. On Windows none can while the process that made it is alive.
        with suppress(OSError):
            abandoned_path.rename(claimed_path)
            for plan_file in sorted(claimed_path.rglob(_PLAN)) if claimed_path.is_dir() else ():
                _complete_move(plan_file, folder)
            shutil.rmtree(claimed_path) if claimed_path.is_dir() else claimed_path.unlink()


def _abandoned_paths(folder: Path) -> list[Path]:
    """Return the unfinished files and folders that dead processes left in a folder; often none.

    They are sorted by path. The list is empty too if the folder cannot be read.
    """
    try:
        with os.scandir(folder) as entries:
            staged_entries = [
                entry for entry in entries if _STAGING_NAME.fullmatch(entry.name) and not entry.is_symlink()
            ]
        return sorted(Path(entry.path) for entry in staged_entries if _is_dead(entry))
    except OSError:
        return []


def _is_dead(entry: os.DirEntry[str]) -> bool:
    """Return whether a staged file is of a process that has ended, or of another host and a day old."""
    name_match = _STAGING_NAME.fullmatch(entry.name)
    if name_match is None:
        return False
    if name_match["host"] != _HOST:
        return time.time() - entry.stat().st_mtime > _ABANDONED_AFTER
    process = int(name_match["process"])
    return entry.name not in _own_names if process == os.getpid() else not _is_running(process)


def _is_running(process: int) -> bool:
    """Return whether the process with this number is alive on this machine; always False on Windows.

    If that cannot be found out, it is True.
    """
    if os.name == "nt":
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


# --- Files of one command ---------------------------------------------------------------------------------------------


def commit_files(
    make: Callable[[Path], Iterable[Path]],
    folder: Path,
    *,
    staging_parent: Path | None = None,
    force: bool = False,
    stale: Iterable[str] = (),
    private: bool = False,
) -> tuple[Path, ...]:
    """Write the output files of a command to a folder, and return their paths in the order of ``make``.

    Files move to their targets when all are complete, records last. After an error or Ctrl-C the earlier files are
    unchanged. An existing file with other content stops the command. Errors of ``make`` are passed on.

    Args:
        make: writes the files below the folder it gets, and returns their paths in order.
        folder: the output folder; it is created.
        staging_parent: a staging folder on the same disk, beside the targets or above them; by default ``folder``.
        force: overwrite existing files.
        stale: files below the folder to delete, for example ``player-a/player-a.pdf``.
        private: whether only their owner can read the files.

    Raises:
        PageError: the folder cannot be created or written to, or a name leads out of it.
        FileTakenError: a file with other content already exists.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if staging_parent is None:
            clean_up(folder)
        root = folder if staging_parent is None else staging_parent.parent
        with StagingFolder(staging_parent or folder) as staging_folder:
            new_folder = Path(staging_folder, _NEW)
            new_folder.mkdir()
            relative_names = [part.relative_to(new_folder).as_posix() for part in make(new_folder)]
            for relative_name in relative_names if private else ():
                (new_folder / relative_name).chmod(_OWNER_ONLY)
            targets = [path_below(folder, relative_name) for relative_name in relative_names]
            if not force:
                _check_targets(
                    [
                        target
                        for relative_name, target in zip(relative_names, targets, strict=True)
                        if _differs(new_folder / relative_name, target)
                    ]
                )
            stale_files = [path_below(folder, name) for name in stale]
            moves = sorted(zip(relative_names, targets, strict=True), key=lambda move: move[1].suffix == _RECORD)
            _move_or_restore(Path(staging_folder), moves, stale_files, root)
        return tuple(targets)
    except OSError as error:
        raise PageError(
            "cannot write to {folder}: {reason}; choose another --out", folder=folder, reason=error.strerror or error
        ) from None


def _move_or_restore(waiting: Path, moves: Sequence[tuple[str, Path]], stale_files: Sequence[Path], root: Path) -> None:
    """Move files to their targets and delete stale files: all of it or, after an OSError, nothing.

    The error is raised again. After Ctrl-C during the moves, they are completed before it is raised again. Existing
    targets are overwritten.

    Args:
        waiting: the staging folder; the staged files are in its folder ``new``.
        moves: the name of each file below ``new``, and its target.
        stale_files: files of an earlier run; a missing one is ignored.
        root: the folder above all targets and stale files.
    """
    existing_targets = [target for _, target in moves if target.exists()]
    for name, target in moves:
        if target in existing_targets:
            _flush_to_disk(waiting / _NEW / name)
    relative_moves = [(name, target.relative_to(root).as_posix()) for name, target in moves]
    plan_file = waiting / f"{_PLAN}.unfinished"
    # JSON escapes keep undecodable bytes of file names (surrogates), so ASCII can encode them.
    plan_file.write_text(
        json.dumps([[target.relative_to(root).as_posix() for target in stale_files], relative_moves]),
        encoding="ascii",
        newline="\n",
    )
    _flush_to_disk(plan_file)
    backups = _back_up([*existing_targets, *(target for target in stale_files if target.exists())], waiting / _OLD)
    plan_file.replace(waiting / _PLAN)
    try:
        _move_files(waiting / _NEW, moves, stale_files)
    except OSError:
        (waiting / _PLAN).unlink()
        for _, target in moves:
            with suppress(OSError):
                backups[target].replace(target) if target in backups else target.unlink()
        for target in stale_files:
            if target in backups:
                backups[target].replace(target)
        raise
    except BaseException:
        # After Ctrl-C the list is final, so complete the moves.
        _move_files(waiting / _NEW, moves, stale_files)
        raise


def _move_files(new_folder: Path, moves: Iterable[tuple[str, Path]], stale_files: Iterable[Path]) -> None:
    """Move the remaining staged files to their targets, and delete stale files.

    ``moves`` has the name in ``new_folder`` and the target of each file.
    """
    for target in stale_files:
        target.unlink(missing_ok=True)
    for name, target in moves:
        if (new_folder / name).exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            (new_folder / name).replace(target)


def _complete_move(plan_file: Path, root: Path) -> None:
    """Move the files of a dead process to their targets below ``root``.

    A list that leads out of the folder is ignored.
    """
    with suppress(PrintkitError, ValidationError, ValueError, OSError):
        stale_names, moves = convert(json.loads(plan_file.read_bytes()), _MovePlan)
        new_folder = plan_file.with_name(_NEW)
        checked_moves = [
            (staged_name, path_below(root, name))
            for staged_name, name in moves
            if not path_below(new_folder, staged_name).is_symlink()
        ]
        _move_files(new_folder, checked_moves, [path_below(root, name) for name in stale_names])


def _back_up(targets: Iterable[Path], folder: Path) -> dict[Path, Path]:
    """Return the path of a hard link or copy of each existing target, by target, to restore it later.

    The copies are in ``folder``, which this function creates.
    """
    folder.mkdir()
    backups = {}
    for number, target in enumerate(targets):
        copy = backups[target] = folder / str(number)
        try:
            os.link(target, copy)
        except OSError:
            shutil.copy2(target, copy)
    return backups


def _flush_to_disk(path: Path) -> None:
    """Flush a file to disk, so that a crash loses neither the old file nor the new one."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def _check_targets(occupied_targets: Iterable[Path]) -> None:
    """Raise an error if any target is taken by another file.

    Raises:
        FileTakenError: there is such a file. The message names a record first, because it means a different game.
    """
    ordered_targets = sorted(occupied_targets, key=lambda target: (target.suffix != _RECORD, target.as_posix()))
    if not ordered_targets:
        return
    if ordered_targets[0].suffix == _RECORD:
        raise FileTakenError(
            "{path} already exists and holds a different game. Choose another name, or overwrite it with --force.",
            path=ordered_targets[0],
        )
    raise FileTakenError(
        "{path} already exists with different content. Choose another name, or overwrite it with --force.",
        path=ordered_targets[0],
    )


def _differs(staged_file: Path, target: Path) -> bool:
    """Return whether ``target`` exists with other content than the staged file.

    The printkit version of a record does not count.
    """
    if not target.exists():
        return False
    if target.suffix == _RECORD:
        with suppress(OSError, ValueError):
            if (staged_content := record_content(read_utf8(staged_file))) is not None:
                return staged_content != record_content(read_utf8(target))
    return not filecmp.cmp(staged_file, target, shallow=False)


def record_content(text: str, skipped_members: Collection[str] = ()) -> str | None:
    """Return the text of a printkit record without its version and ``skipped_members``; None for other texts."""
    try:
        if nesting_depth(text) > DEEPEST:
            return None
        document = {name: value for name, value in json.loads(text).items() if name not in skipped_members}
        origin = document["printkit"]
        origin_without_version = {name: value for name, value in origin.items() if name not in _VERSION_KEYS}
        return json.dumps({**document, "printkit": origin_without_version})
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


# --- One file ---------------------------------------------------------------------------------------------------------


@contextmanager
def replace_file(path: Path, *, private: bool = False) -> Iterator[Path]:
    """Yield a temporary path beside ``path``, which replaces ``path`` at the end of the block.

    The block must create the file, unless it is ``private``. After an error or Ctrl-C ``path`` is unchanged and the
    temporary file is deleted. ``private``: only the owner can read the file.

    Raises:
        PageError: the folder does not exist or cannot be written to, or the block raises an OSError.
    """
    # A killed process may have left a file, which the next process here deletes.
    clean_up(path.parent)
    # The process number in the name keeps two runs from writing to the same file.
    temporary = path.with_name(f"{_staging_prefix()}{path.name}")
    _own_names.add(temporary.name)
    try:
        if private:
            os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ONLY))
        yield temporary
        if path.exists():
            _flush_to_disk(temporary)
        temporary.replace(path)
    except OSError as error:
        raise PageError("cannot write {path}: {reason}", path=path, reason=error.strerror or error) from None
    finally:
        temporary.unlink(missing_ok=True)
        _own_names.discard(temporary.name)
