"""What is kept of a sitting: each field as a record on disk before it is shown, in the order in which they came.

A field goes by the beginning of the hash of its record, so that an address names the very same field for ever. A
reload, a crash or a second window finds everything: ``OUT/.sitting/HASH.json``, and ``sitting.json`` with the order.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any, Final

import msgspec
from filelock import FileLock
from msgspec import Struct
from msgspec.structs import replace

from printkit.api import Field, load
from printkit.core.errors import UsageError
from printkit.export.placing import replacing

FOLDER: Final = ".sitting"
_ORDER: Final = "sitting.json"
_DIGITS: Final = 16
_ID: Final = re.compile(f"[0-9a-f]{{{_DIGITS}}}")

MOST: Final = 200
"""Fields that are kept; then the oldest go that have no name."""

_WARM: Final = 24
"""Fields that are kept as values, so that they need not be read again."""


class Change(Struct, frozen=True, kw_only=True):
    """How a field came of another: what was done, and stages of which throws fell away or were thrown anew.

    ``what`` is ``new``, ``overwrite``, ``again``, ``hand`` or ``given``; ``throw`` the number of an overwritten throw,
    ``stage`` one that was thrown again.
    """

    what: str = "new"
    throw: int = 0
    answer: str = ""
    stage: str = ""
    renewed: tuple[str, ...] = ()


class KeptField(Struct, frozen=True, kw_only=True):
    """A field of the sitting: its address, what it is called, and the field of which it came."""

    id: str
    title: str
    rules: str
    seed: int | None = None
    name: str = ""
    parent: str = ""
    change: Change = Change()


class _Order(Struct, frozen=True, kw_only=True):
    fields: tuple[KeptField, ...] = ()
    dropped: int = 0


class Sitting:
    """The fields of one output folder.

    Args:
        out: the folder of what is printed; the sitting has a folder of its own in it.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder = out / FOLDER
        self._turn = RLock()
        self._warm: dict[str, Field] = {}

    @property
    def fields(self) -> tuple[KeptField, ...]:
        """Return every field that is kept, the latest last."""
        return self._read().fields

    @property
    def dropped(self) -> int:
        """Return how many fields have made room for later ones."""
        return self._read().dropped

    @property
    def last(self) -> KeptField | None:
        """Return the field that came last."""
        fields = self.fields
        return fields[-1] if fields else None

    def keep(self, made: Field, *, parent: str = "", change: Change | None = None) -> KeptField:
        """Put a field on disk, at the end of the order, and return what it goes by from now on.

        Raises:
            PageError: the folder cannot be written to.
        """
        change = change or Change()
        text = made.geojson
        name = hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
        with self._alone():
            path = self.folder / f"{name}.json"
            if not path.is_file():
                with replacing(path, private=True) as unfinished:
                    unfinished.write_text(text, encoding="utf-8", newline="\n")
            self._warmed(name, made)
            order = self._read()
            before = next((each for each in order.fields if each.id == name), None)
            if before is not None and (change.what == "given" or parent == ""):
                parent, change = before.parent, before.change
            kept = KeptField(
                id=name,
                title=made.title,
                rules=made.rules,
                seed=made.record.seed,
                name="" if before is None else before.name,
                parent="" if parent == name else parent,
                change=change,
            )
            others = tuple(each for each in order.fields if each.id != name)
            self._write(self._fewer(replace(order, fields=(*others, kept))))
        return kept

    def find(self, name: str) -> KeptField:
        """Return what is kept under an address.

        Raises:
            UsageError: there is nothing.
        """
        for each in self.fields:
            if each.id == name:
                return each
        if _ID.fullmatch(name) and (self.folder / f"{name}.json").is_file():
            made = self.field(name)
            return KeptField(id=name, title=made.title, rules=made.rules, seed=made.record.seed)
        raise UsageError("this session has no battlefield {name!r}; the battlefield page shows those it has", name=name)

    def field(self, name: str) -> Field:
        """Return a field.

        Raises:
            UsageError: there is none.
            RecordError: its file was changed, and is no record any more.
        """
        with self._turn:
            if found := self._warm.pop(name, None):
                self._warm[name] = found
                return found
            path = self.path(name)
            return self._warmed(name, load(path))

    def path(self, name: str) -> Path:
        """Return the file of a field; the name is looked up, never joined as it is.

        Raises:
            UsageError: there is none.
        """
        path = self.folder / f"{name}.json"
        if not _ID.fullmatch(name) or not path.is_file():
            raise UsageError(
                "this session has no battlefield {name!r}; the battlefield page shows those it has", name=name
            )
        return path

    def call(self, name: str, called: str) -> None:
        """Keep a field under a name of the person's own, so that it does not make room; an empty one takes it back."""
        plain = " ".join(called.split())[:60]
        with self._alone():
            order = self._read()
            fields = tuple(replace(each, name=plain) if each.id == name else each for each in order.fields)
            self._write(replace(order, fields=fields))

    # --- On disk --------------------------------------------------------------------------------------------------

    def _warmed(self, name: str, made: Field) -> Field:
        with self._turn:
            self._warm[name] = made
            while len(self._warm) > _WARM:
                del self._warm[next(iter(self._warm))]
        return made

    def _fewer(self, order: _Order) -> _Order:
        """Return the order without the oldest that have no name, and take their files away."""
        unnamed = [each for each in order.fields if not each.name]
        gone = unnamed[: max(0, len(unnamed) - MOST)]
        for each in gone:
            for ending in (".json", ".jpg"):
                with suppress(OSError):
                    (self.folder / f"{each.id}{ending}").unlink()
        ids = {each.id for each in gone}
        return replace(
            order,
            fields=tuple(each for each in order.fields if each.id not in ids),
            dropped=order.dropped + len(gone),
        )

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other threads, and the studio of another window, from the order meanwhile."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._turn, FileLock(self.folder / ".lock", thread_local=False):
            yield

    def _read(self) -> _Order:
        with suppress(OSError, msgspec.MsgspecError):
            return msgspec.json.decode((self.folder / _ORDER).read_bytes(), type=_Order)
        return _Order()

    def _write(self, order: _Order) -> None:
        with replacing(self.folder / _ORDER, private=True) as unfinished:
            unfinished.write_bytes(msgspec.json.format(msgspec.json.encode(order), indent=1))


class Notes(Struct):
    """Small lists beside a sitting, as who plays a sealed game: a file each, whole or as it was.

    Attributes:
        folder: of the sitting.
    """

    folder: Path

    def read(self, name: str) -> Mapping[str, Any]:
        """Return a list by its names; empty where there is none."""
        with suppress(OSError, msgspec.MsgspecError):
            return msgspec.json.decode((self.folder / f"{name}.notes").read_bytes(), type=dict[str, Any])
        return {}

    def write(self, name: str, notes: Mapping[str, Any]) -> None:
        """Write a list, which its owner alone may read."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with replacing(self.folder / f"{name}.notes", private=True) as unfinished:
            unfinished.write_bytes(msgspec.json.encode(notes))
