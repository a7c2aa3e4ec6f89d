"""The session: all battlefields of an output folder, each saved as a record before it is shown.

The ID of a battlefield is the start of the hash of its record, so an address always shows the same battlefield.
Reloads, crashes and other windows find the same files: ``OUT/.sitting/HASH.json``, and ``sitting.json`` with the order.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

import msgspec
from filelock import FileLock
from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import MissingError
from printkit.export.placing import replace_file
from printkit.studio.tokens import fresh_token, tokens_match

if TYPE_CHECKING:
    from printkit.api import Field

FOLDER: Final = ".sitting"
# The folders of battles and leagues in the output folder, and the start of the names of notes about sealed games.
BATTLES: Final = "battles"
LEAGUES: Final = "leagues"
DEALS: Final = "hands-"
_ORDER: Final = "sitting.json"
_DIGITS: Final = 16
_ID: Final = re.compile(f"[0-9a-f]{{{_DIGITS}}}")

# The number of battlefields without a name; above it the oldest are deleted.
MOST: Final = 200

# The number of battlefields in memory, which need not be read again.
_WARM: Final = 24


class Change(Struct, frozen=True, kw_only=True):
    """How a battlefield was derived: the change made, and the stages whose rolls were dropped or re-rolled.

    Attributes:
        what: ``new``, ``overwrite``, ``again``, ``like``, ``hand`` or ``given``.
        throw: the number of the overwritten roll.
        answer: the new answer to that roll.
        stage: the stage that was rolled again, or the wish of ``like``.
        count: the number of features that the wish is about.
        before: their number in the earlier battlefield.
        renewed: other stages whose rolls were dropped or re-rolled.
    """

    what: str = "new"
    throw: int = 0
    answer: str = ""
    stage: str = ""
    count: int = 0
    before: int = 0
    renewed: tuple[str, ...] = ()


class SavedField(Struct, frozen=True, kw_only=True):
    """A battlefield of the session: its ID, its names, and the battlefield it was derived from."""

    id: str
    title: str
    rules: str
    seed: int | None = None
    name: str = ""
    parent: str = ""
    change: Change = Change()


class _Order(Struct, frozen=True, kw_only=True):
    fields: tuple[SavedField, ...] = ()
    dropped: int = 0


class Session:
    """The battlefields of one output folder.

    Args:
        out: the output folder; the session has a subfolder there.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder = out / FOLDER
        self._turn = RLock()
        self._warm: dict[str, Field] = {}

    @property
    def fields(self) -> tuple[SavedField, ...]:
        """Return all saved battlefields, the latest last."""
        return self._read_order().fields

    @property
    def dropped(self) -> int:
        """Return the number of battlefields deleted because there were too many."""
        return self._read_order().dropped

    @property
    def last(self) -> SavedField | None:
        """Return the latest battlefield, or None."""
        fields = self.fields
        return fields[-1] if fields else None

    def keep(self, field: Field, *, parent: str = "", change: Change | None = None) -> SavedField:
        """Save a battlefield on disk as the latest one, and return its entry.

        ``parent`` is the ID of the battlefield it was derived from.

        Raises:
            PageError: the folder cannot be written to.
        """
        change = change or Change()
        text = field.geojson
        name = hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
        with self._lock_order():
            path = self.folder / f"{name}.json"
            if not path.is_file():
                with replace_file(path, private=True) as temporary:
                    temporary.write_text(text, encoding="utf-8", newline="\n")
            self._cache_field(name, field)
            order = self._read_order()
            previous = next((entry for entry in order.fields if entry.id == name), None)
            if previous is not None and (change.what == "given" or parent == ""):
                parent, change = previous.parent, previous.change
            saved_field = SavedField(
                id=name,
                title=field.title,
                rules=field.rules,
                seed=field.record.seed,
                name="" if previous is None else previous.name,
                parent="" if parent == name else parent,
                change=change,
            )
            others = tuple(entry for entry in order.fields if entry.id != name)
            self._write_order(self._drop_oldest(replace(order, fields=(*others, saved_field))))
        return saved_field

    def find(self, name: str) -> SavedField:
        """Return the entry of a battlefield by ID, even if it is no longer in the order but still on disk.

        Raises:
            MissingError: the battlefield does not exist.
        """
        for entry in self.fields:
            if entry.id == name:
                return entry
        self.path(name)
        field = self.field(name)
        return SavedField(id=name, title=field.title, rules=field.rules, seed=field.record.seed)

    def field(self, name: str) -> Field:
        """Return a battlefield by ID, from memory or from its file.

        Raises:
            MissingError: the battlefield does not exist.
            RecordError: its file is no longer a valid record.
        """
        from printkit.api import load

        with self._turn:
            if cached_field := self._warm.pop(name, None):
                self._warm[name] = cached_field
                return cached_field
            path = self.path(name)
            return self._cache_field(name, load(path))

    def path(self, name: str) -> Path:
        """Return the file of a battlefield; the ID is validated, so it cannot leave the folder.

        Raises:
            MissingError: the battlefield does not exist.
        """
        path = self.folder / f"{name}.json"
        if not _ID.fullmatch(name) or not path.is_file():
            raise MissingError(
                "this session has no battlefield {name!r}; the battlefield page shows those it has", name=name
            )
        return path

    def set_name(self, name: str, new_name: str) -> None:
        """Give a battlefield a name, so that it is never deleted; an empty name removes it.

        ``name`` is the ID of the battlefield.
        """
        clean_name = " ".join(new_name.split())[:60]
        with self._lock_order():
            order = self._read_order()
            fields = tuple(replace(entry, name=clean_name) if entry.id == name else entry for entry in order.fields)
            self._write_order(replace(order, fields=fields))

    # --- On disk --------------------------------------------------------------------------------------------------

    def _cache_field(self, name: str, field: Field) -> Field:
        """Add a battlefield to the cache under its ID, drop the oldest ones, and return it."""
        with self._turn:
            self._warm[name] = field
            while len(self._warm) > _WARM:
                del self._warm[next(iter(self._warm))]
        return field

    def _drop_oldest(self, order: _Order) -> _Order:
        """Delete the oldest battlefields without a name above the limit, and return the new order."""
        without_name = [entry for entry in order.fields if not entry.name]
        dropped = without_name[: max(0, len(without_name) - MOST)]
        for entry in dropped:
            for ending in (".json", ".jpg"):
                with suppress(OSError):
                    (self.folder / f"{entry.id}{ending}").unlink()
        ids = {entry.id for entry in dropped}
        return replace(
            order,
            fields=tuple(entry for entry in order.fields if entry.id not in ids),
            dropped=order.dropped + len(dropped),
        )

    @contextmanager
    def _lock_order(self) -> Iterator[None]:
        """Lock the order against other threads and other studio processes."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._turn, FileLock(self.folder / ".lock", thread_local=False):
            yield

    def _read_order(self) -> _Order:
        """Return the saved list of battlefields; an empty one if there is no valid file."""
        with suppress(OSError, msgspec.MsgspecError):
            return msgspec.json.decode((self.folder / _ORDER).read_bytes(), type=_Order)
        return _Order()

    def _write_order(self, order: _Order) -> None:
        """Save the list of battlefields."""
        with replace_file(self.folder / _ORDER, private=True) as temporary:
            temporary.write_bytes(msgspec.json.format(msgspec.json.encode(order), indent=1))


class SessionLists(Struct):
    """Small files with mappings in the folder of a session, for example the tokens of a sealed game.

    Each file is replaced atomically.

    Attributes:
        folder: the folder of the session.
    """

    folder: Path

    def read(self, name: str) -> Mapping[str, Any]:
        """Return a mapping by the name of its file; empty if there is no valid file."""
        with suppress(OSError, msgspec.MsgspecError):
            return msgspec.json.decode((self.folder / f"{name}.notes").read_bytes(), type=dict[str, Any])
        return {}

    def write(self, name: str, notes: Mapping[str, Any]) -> None:
        """Write a mapping to a file that only its owner may read."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with replace_file(self.folder / f"{name}.notes", private=True) as temporary:
            temporary.write_bytes(msgspec.json.encode(notes))

    def token(self, name: str, key: str = "token", *, is_renewed: bool = False) -> str:
        """Return the token of a link, which a file has under a key; a missing or renewed one is created and saved."""
        tokens = dict(self.read(name))
        if is_renewed or not tokens.get(key):
            self.write(name, tokens | {key: fresh_token()})
            return self.token(name, key)
        return str(tokens[key])

    def find_token(self, names: Iterable[str], given_token: str) -> tuple[str, str]:
        """Return the file and the key of a token, both empty if no file of these names has it."""
        # Every token is compared, so the time does not help guessing.
        pairs = [(name, key, str(token)) for name in names for key, token in self.read(name).items()]
        matches = [(name, key) for name, key, token in pairs if tokens_match(token, given_token) and token]
        return matches[0] if matches else ("", "")
