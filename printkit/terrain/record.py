"""The record: a battlefield and its log as GeoJSON, written, read back and printed again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from printkit.chance.dice import Throw
from printkit.terrain.battlefield import Battlefield

FORMAT: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One saved game: what was asked for, what was thrown, what lies on the board.

    ``details`` is the object named after the rule system; ``properties`` holds, by feature ID, the properties that
    only that system knows.
    """

    rules: str
    battlefield: Battlefield
    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    reseeded: Mapping[str, int] = field(default_factory=dict)
    log: tuple[Throw, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    properties: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
