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
from printkit.recipes.batch.batches import Batch, Proof, Report, proof

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
        self._folder = batch.to.folder
        self._orders = orders_digest(batch)
        self._made: dict[int, Mapping[str, Proof]] = {}
        try:
            lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            lines = []
        for line in lines:
            self._read(line)

    @property
    def path(self) -> Path:
        """Return the path of the log file."""
        return self._folder / NAME

    def whole(self, seed: int) -> bool:
        """Return whether the same orders wrote all files of a seed, and the files are unchanged."""
        made = self._made.get(seed)
        return bool(made) and all(_is(self._folder / name, known) for name, known in (made or {}).items())

    def known(self, seed: int) -> bool:
        """Return whether the same orders wrote the files of a seed before, even if they are changed or missing now."""
        return seed in self._made

    def note(self, report: Report) -> None:
        """Add the report of a seed to the log.

        Raises:
            PageError: the file cannot be written.
        """
        files = {name: list(known) for name, known in report.proofs.items()}
        line = json.dumps({"seed": report.seed, "orders": self._orders, "files": files}, ensure_ascii=False)
        try:
            # End an incomplete last line first, so that only that line is lost.
            with self.path.open("a+b") as file:
                if file.tell() and not self._ends_well(file):
                    file.write(b"\n")
                file.write(f"{line}\n".encode())
        except OSError as error:
            raise PageError("cannot write {path}: {reason}", path=self.path, reason=error.strerror or error) from None
        self._made[report.seed] = report.proofs

    @staticmethod
    def _ends_well(file: Any) -> bool:
        file.seek(-1, 2)
        return bool(file.read(1) == b"\n")

    def _read(self, line: str) -> None:
        try:
            tree = json.loads(line)
            if tree["orders"] == self._orders:
                self._made[tree["seed"]] = {name: Proof(size, digest) for name, (size, digest) in tree["files"].items()}
        except (ValueError, KeyError, TypeError, AttributeError):
            return


def _is(path: Path, known: Proof) -> bool:
    """Return whether a file has the known size and SHA-256; the size is compared first because it is cheap."""
    try:
        return path.stat().st_size == known.size and proof(path) == known
    except OSError:
        return False
