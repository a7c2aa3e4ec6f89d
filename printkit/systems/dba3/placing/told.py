"""What a record of DBA 3 tells, read back: the rules that it was made by, and the features chosen."""

from __future__ import annotations

from typing import Final

from printkit.core.errors import RecordError, ScenarioError, Sentence
from printkit.kit.book import RuleBook
from printkit.kit.rules import Rules
from printkit.systems.dba.ground.told import ChosenPiece
from printkit.systems.dba3.placing import profile
from printkit.systems.dba3.placing.terms import HomeTopography
from printkit.terrain.field.geojson import Member
from printkit.terrain.field.record import Record

OWN: Final = ("dba3", "collision-course")
"""Rule systems whose records are read here."""


def rules_of(record: Record, book: RuleBook) -> Rules:
    """Return the rules by which a record was made: the book with the profile and the settings that the record keeps.

    Raises:
        RecordError: a setting or a line of the profile means nothing; names it.
    """
    lines = Member(dict(record.details), record.rules).get("inputs") if record.rules in OWN else None
    given = None if lines is None else lines.get(profile.LIST)
    try:
        changed = book if given is None else profile.changed(book, [line.text() for line in given.items()])
    except ScenarioError as error:
        raise RecordError("{error}", error=error) from None
    return Rules.of_record(changed, record, *OWN)


class RecordedPiece(ChosenPiece, frozen=True, kw_only=True):
    """A feature that was chosen; one that was discarded has no quarter."""

    terrain: str
    quarter: int | None


def told_pieces(terrain: Member) -> tuple[RecordedPiece, ...]:
    """Return the features chosen, discarded ones too, in the order in which they were placed.

    Args:
        terrain: what the record tells of its terrain.

    Raises:
        RecordError: something is missing or of another type; names it.
    """
    return tuple(_piece(each) for each in terrain.need("pieces", Sentence("list the features chosen")).items())


def discarded_ids(terrain: Member) -> tuple[str, ...]:
    """Return the IDs of the features that found no room; as ``told_pieces``."""
    told = terrain.need("discarded", Sentence("list the features discarded"))
    return tuple(each.need("id", Sentence("write the ID of the feature")).text() for each in told.items())


def told_home(terrain: Member) -> HomeTopography:
    """Return the home topography; as ``told_pieces``."""
    told = terrain.need("home", Sentence("write a home topography such as steppe"))
    if told.text() not in list(HomeTopography):
        raise told.wrong("a home topography such as steppe")
    return HomeTopography(told.text())


def terrain_of(record: Record) -> Member | None:
    """Return what a record tells of its terrain, or None."""
    return Member(dict(record.details), record.rules).get("terrain")


def _piece(told: Member) -> RecordedPiece:
    quarter = told.get("quarter")
    return RecordedPiece(
        id=told.need("id", Sentence("write the ID of the feature")).text(),
        terrain=told.need("terrain", Sentence("write the terrain type chosen")).text(),
        compulsory=told.need("compulsory", Sentence("write true or false")).yes_no(),
        of=told.need("of", Sentence("write the number of such features")).whole(),
        quarter=None if quarter is None else quarter.whole(),
    )
