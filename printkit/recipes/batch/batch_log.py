"""The log of a batch: one line for each finished battlefield, with checksums of its files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from printkit import __version__
from printkit.core.errors import PageError
from printkit.recipes.batch.batches import Batch, FileChecksum, Report, compute_checksum

NAME: Final = "printkit-batch.jsonl"  # in the folder of the batch


def orders_digest(batch: Batch) -> str:
    """Return a fingerprint of a batch: equal if the version, the games and the files to make are equal.

    The folder and the number of seeds are not in it, so a batch can be moved and continued. ``force`` and ``lang`` are
    not in it either: the first does not change files, and the words are in the order.
    """
    order = batch.work.order
    work = replace(batch.work, order=replace(order, asked=replace(order.asked, force=False, lang=None)))
    return sha256(repr((__version__, batch.games, work)).encode()).hexdigest()


class BatchLog:
    """The log file of a batch. It is read once; each battlefield adds a line when all its files are complete."""

    def __init__(self, batch: Batch) -> None:
        """Read the existing log; incomplete or invalid lines are ignored."""
        self._folder = batch.delivery.folder
        self._orders = orders_digest(batch)
        self._made: dict[int, Mapping[str, FileChecksum]] = {}
        try:
            lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            lines = []
        for line in lines:
            self._read_line(line)

    @property
    def path(self) -> Path:
        """Return the path of the log file."""
        return self._folder / NAME

    def is_complete(self, seed: int) -> bool:
        """Return whether all files of a seed are as this batch's orders wrote them, according to the log.

        It is False for a seed that is not in the log with these orders.
        """
        checksums = self._made.get(seed)
        return bool(checksums) and all(
            _matches_checksum(self._folder / name, checksum) for name, checksum in (checksums or {}).items()
        )

    def has_seed(self, seed: int) -> bool:
        """Return whether the log has a seed with this batch's orders, even if files are changed or missing."""
        return seed in self._made

    def note(self, report: Report) -> None:
        """Add the report of a seed to the log file and to this object.

        Raises:
            PageError: the file cannot be written.
        """
        files = {name: list(checksum) for name, checksum in report.checksums.items()}
        line = json.dumps({"seed": report.seed, "orders": self._orders, "files": files}, ensure_ascii=False)
        try:
            # End an incomplete last line first, so that only that line is lost.
            with self.path.open("a+b") as file:
                if file.tell() and not self._ends_with_newline(file):
                    file.write(b"\n")
                file.write(f"{line}\n".encode())
        except OSError as error:
            raise PageError("cannot write {path}: {reason}", path=self.path, reason=error.strerror or error) from None
        self._made[report.seed] = report.checksums

    @staticmethod
    def _ends_with_newline(file: Any) -> bool:
        """Return whether the last byte of an open binary file is a newline. The file must not be empty."""
        file.seek(-1, 2)
        return bool(file.read(1) == b"\n")

    def _read_line(self, line: str) -> None:
        """Remember the seed and checksums of a log line; skip it if it is invalid or of other orders."""
        try:
            tree = json.loads(line)
            if tree["orders"] == self._orders:
                self._made[tree["seed"]] = {
                    name: FileChecksum(size, digest) for name, (size, digest) in tree["files"].items()
                }
        except (ValueError, KeyError, TypeError, AttributeError):
            return


def _matches_checksum(path: Path, expected: FileChecksum) -> bool:
    """Return whether a file has the expected size and SHA-256; False if it cannot be read."""
    try:
        return path.stat().st_size == expected.size and compute_checksum(path) == expected
    except OSError:
        return False
