"""Read a DBA 3 record: its rules, its terrain and its base edges."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from printkit.core.errors import RecordError, ScenarioError
from printkit.kit.book import RuleBook
from printkit.kit.rules import Rules
from printkit.systems.dba.ground.piece_origins import ChosenPiece
from printkit.systems.dba3.placing import profile
from printkit.systems.dba3.placing.terms import HomeTopography
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.record import Record, read_detail

# Rule systems with records of this form.
SUPPORTED_RULES: Final = ("dba3", "collision-course")


class RecordedPiece(ChosenPiece, frozen=True, kw_only=True):
    """A recorded choice of a feature; a discarded one has no quarter."""

    terrain: str
    quarter: int | None = None


class DiscardedPiece(Struct, frozen=True):
    """A feature that was chosen and discarded, by its ID."""

    id: str


class RecordedTerrain(Struct, frozen=True, kw_only=True):
    """The terrain of a record: the home topography, all features chosen in placing order, and those discarded."""

    home: HomeTopography
    pieces: tuple[RecordedPiece, ...]
    discarded: tuple[DiscardedPiece, ...]


class RecordedSides(Struct, frozen=True, kw_only=True):
    """The sides of a record: the letters of both and of the first to act, and the base edges."""

    defender: str
    invader: str
    defender_edge: Edge
    invader_edge: Edge
    deploys_first: str
    moves_first: str


def read_rules(record: Record, book: RuleBook) -> Rules:
    """Return the rules of a record: the rule book with the recorded profile and settings.

    Raises:
        RecordError: a setting or a line of the profile is not valid; names it.
    """
    lines = read_detail(record, list[str], "inputs", profile.LIST_NAME) if record.rules in SUPPORTED_RULES else None
    try:
        changed_book = book if lines is None else profile.apply_profile(book, lines)
    except ScenarioError as error:
        raise RecordError("{error}", error=error) from None
    return Rules.of_record(changed_book, record, *SUPPORTED_RULES)
