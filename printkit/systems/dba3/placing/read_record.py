"""Read a DBA 3 record: its rules, and the features chosen."""

from __future__ import annotations

from typing import Final

from printkit.core.errors import RecordError, ScenarioError, Sentence
from printkit.kit.book import RuleBook
from printkit.kit.rules import Rules
from printkit.systems.dba.ground.piece_origins import ChosenPiece
from printkit.systems.dba3.placing import profile
from printkit.systems.dba3.placing.terms import HomeTopography
from printkit.terrain.field.geojson import Member
from printkit.terrain.field.record import Record

# Rule systems with records of this form.
SUPPORTED_RULES: Final = ("dba3", "collision-course")


def read_rules(record: Record, book: RuleBook) -> Rules:
    """Return the rules of a record: the rule book with the recorded profile and settings.

    Raises:
        RecordError: a setting or a line of the profile is not valid; names it.
    """
    lines = Member(dict(record.details), record.rules).get("inputs") if record.rules in SUPPORTED_RULES else None
    profile_entry = None if lines is None else lines.get(profile.LIST_NAME)
    try:
        changed_book = (
            book
            if profile_entry is None
            else profile.apply_profile(book, [line.text() for line in profile_entry.items()])
        )
    except ScenarioError as error:
        raise RecordError("{error}", error=error) from None
    return Rules.of_record(changed_book, record, *SUPPORTED_RULES)


class RecordedPiece(ChosenPiece, frozen=True, kw_only=True):
    """A recorded choice of a feature; a discarded one has no quarter."""

    terrain: str
    quarter: int | None


def read_pieces(terrain: Member) -> tuple[RecordedPiece, ...]:
    """Return the chosen features, discarded ones too, in placing order.

    Args:
        terrain: the terrain object of the record.

    Raises:
        RecordError: an entry is missing or of another type; names it.
    """
    return tuple(_parse_piece(entry) for entry in terrain.need("pieces", Sentence("list the features chosen")).items())


def read_discarded_ids(terrain: Member) -> tuple[str, ...]:
    """Return the IDs of the discarded features; raises the errors of ``read_pieces``."""
    entries = terrain.need("discarded", Sentence("list the features discarded"))
    return tuple(entry.need("id", Sentence("write the ID of the feature")).text() for entry in entries.items())


def read_home(terrain: Member) -> HomeTopography:
    """Return the home topography; raises the errors of ``read_pieces``."""
    entry = terrain.need("home", Sentence("write a home topography such as steppe"))
    if entry.text() not in list(HomeTopography):
        raise entry.wrong("a home topography such as steppe")
    return HomeTopography(entry.text())


def read_terrain(record: Record) -> Member | None:
    """Return the terrain object of a record, or None if it is missing."""
    return Member(dict(record.details), record.rules).get("terrain")


def _parse_piece(entry: Member) -> RecordedPiece:
    """Return a chosen feature from its entry in the record.

    Raises:
        RecordError: an entry is missing or of another type.
    """
    quarter = entry.get("quarter")
    return RecordedPiece(
        id=entry.need("id", Sentence("write the ID of the feature")).text(),
        terrain=entry.need("terrain", Sentence("write the terrain type chosen")).text(),
        is_compulsory=entry.need("compulsory", Sentence("write true or false")).yes_no(),
        choice_count=entry.need("of", Sentence("write the number of such features")).whole(),
        quarter=None if quarter is None else quarter.whole(),
    )
