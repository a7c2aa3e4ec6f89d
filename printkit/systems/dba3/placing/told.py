"""Read a DBA 3 record: its rules, and the features chosen."""

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

# Rule systems with records of this form.
OWN: Final = ("dba3", "collision-course")


def rules_of(record: Record, book: RuleBook) -> Rules:
    """Return the rules of a record: the rule book with the recorded profile and settings.

    Raises:
        RecordError: a setting or a line of the profile is not valid; names it.
    """
    lines = Member(dict(record.details), record.rules).get("inputs") if record.rules in OWN else None
    given = None if lines is None else lines.get(profile.LIST)
    try:
        changed = book if given is None else profile.changed(book, [line.text() for line in given.items()])
    except ScenarioError as error:
        raise RecordError("{error}", error=error) from None
    return Rules.of_record(changed, record, *OWN)


class RecordedPiece(ChosenPiece, frozen=True, kw_only=True):
    """A recorded choice of a feature; a discarded one has no quarter."""

    terrain: str
    quarter: int | None


def told_pieces(terrain: Member) -> tuple[RecordedPiece, ...]:
    """Return the chosen features, discarded ones too, in placing order.

    Args:
        terrain: the terrain object of the record.

    Raises:
        RecordError: an entry is missing or of another type; names it.
    """
    return tuple(_piece(each) for each in terrain.need("pieces", Sentence("list the features chosen")).items())


def discarded_ids(terrain: Member) -> tuple[str, ...]:
    """Return the IDs of the discarded features; raises the errors of ``told_pieces``."""
    told = terrain.need("discarded", Sentence("list the features discarded"))
    return tuple(each.need("id", Sentence("write the ID of the feature")).text() for each in told.items())


def told_home(terrain: Member) -> HomeTopography:
    """Return the home topography; raises the errors of ``told_pieces``."""
    told = terrain.need("home", Sentence("write a home topography such as steppe"))
    if told.text() not in list(HomeTopography):
        raise told.wrong("a home topography such as steppe")
    return HomeTopography(told.text())


def terrain_of(record: Record) -> Member | None:
    """Return the terrain object of a record, or None."""
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
