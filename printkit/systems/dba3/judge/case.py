"""A record under check: its features by their shapes, and its recorded facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final, TypeAlias

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.dba.ground.checked_pieces import DbaCase, sort_features
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.dba3.placing.placement import Shore, find_shore
from printkit.systems.dba3.placing.read_record import (
    SUPPORTED_RULES,
    RecordedPiece,
    RecordedSides,
    RecordedTerrain,
    read_rules,
)
from printkit.systems.dba3.placing.terms import HomeTopography, Terms, Topography
from printkit.systems.dba3.placing.terrain_rules import Dba3Surroundings
from printkit.terrain.field.battlefield import Edge, Overlay
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record

# Yields the faults against a clause; an empty result means a legal record.
Dba3Check: TypeAlias = "Callable[[Dba3Case], Faults]"

# The kinds of features of each type of terrain, in addition to those of both editions.
_OWN_KINDS: Final[Mapping[Terrain, tuple[Kind, ...]]] = {
    Terrain.BUA: (Kind.EDIFICE,),
    Terrain.BOGGY: (Kind.BOGGY_GROUND,),
    Terrain.ROCKY: (Kind.ROCKS, Kind.ROUGH_GROUND, Kind.BROKEN_GROUND),
    Terrain.SCRUB: (Kind.SCRUB,),
    Terrain.PLOUGH: (Kind.PLOUGH, Kind.CROPS),
    Terrain.ENCLOSURES: (Kind.ENCLOSURE, Kind.PASTURE, Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD),
    Terrain.GULLY: (Kind.GULLY, Kind.RAVINE),
}


class Dba3Case(DbaCase, frozen=True, kw_only=True, eq=False, dict=True):
    """A record of DBA 3 under check."""

    @classmethod
    def of_record(cls, record: Record, book: RuleBook) -> Dba3Case:
        """Return the case of a record; missing settings have their defaults.

        It uses the profile of the record, if there is one.

        Raises:
            RecordError: a setting or a line of the profile is unknown; names it.
        """
        pieces, unknown_ids = sort_features(record.battlefield.features, _OWN_KINDS)
        return cls(record=record, rules=read_rules(record, book), pieces=pieces, unknown_ids=unknown_ids)

    @cached_property
    def terms(self) -> Terms:
        """Return the terms of the game: the lists of the rules."""
        return Terms.from_rules(self.rules)

    @cached_property
    def surroundings(self) -> Dba3Surroundings:
        """Return what the pieces of terrain are measured against."""
        return Dba3Surroundings(terms=self.terms, pieces=self.pieces)

    @cached_property
    def shore(self) -> Shore | None:
        """Return the waterway along an edge, or None if there is none."""
        return find_shore(self.record.battlefield)

    @property
    def is_generated(self) -> bool:
        """Return whether DBA 3 or Collision Course made the board: it has a log and is not drawn by hand."""
        return bool(self.record.log) and self.record.rules in SUPPORTED_RULES

    @property
    def is_same_system(self) -> bool:
        """Return whether the rule system of the check made the board, so that all of its drawings must be there."""
        return self.is_generated and self.record.rules == self.rules.book.name

    @cached_property
    def recorded_terrain(self) -> RecordedTerrain:
        """Return the recorded terrain.

        Raises:
            UnseenError: the record does not have terrain.
            RecordError: it cannot be parsed.
        """
        return self.read_detail(RecordedTerrain, "terrain")

    @property
    def recorded_pieces(self) -> tuple[RecordedPiece, ...]:
        """Return the recorded choices of features, discarded ones too; raises the errors of ``recorded_terrain``."""
        return self.recorded_terrain.pieces

    @property
    def details(self) -> Mapping[str, Any]:
        """Return the details of a record of DBA 3 or Collision Course; empty for other rule systems."""
        return self.record.details if self.record.rules in SUPPORTED_RULES else {}

    @cached_property
    def sides(self) -> Mapping[str, Edge]:
        """Return the base edges by the letters of the sides, the defender's first.

        Raises:
            UnseenError: the record has no sides.
            RecordError: the entry cannot be parsed.
        """
        sides = self.recorded_sides
        return {sides.defender: sides.defender_edge, sides.invader: sides.invader_edge}

    @cached_property
    def recorded_sides(self) -> RecordedSides:
        """Return the recorded letters and base edges of the sides; raises the errors of ``sides``."""
        return self.read_detail(RecordedSides, "deployment")

    def find_overlays(self, kind: str) -> tuple[tuple[Overlay, Edge], ...]:
        """Return the overlays of a kind for the sides, each with its base edge.

        Raises:
            UnseenError: there are none, and the rule system of the check did not make the board; or an overlay is of a
                side that the record does not have.
        """
        overlays = [overlay for overlay in self.record.battlefield.overlays if overlay.kind == kind]
        if not overlays and not self.is_same_system:
            raise UnseenError("the record does not draw a {kind}", kind=kind)
        for overlay in overlays:
            if overlay.side not in self.sides:
                raise UnseenError("the record does not mention side {side!r}", side=overlay.side)
        return tuple((overlay, self.sides[overlay.side]) for overlay in overlays)

    def report_missing(self, kind: str) -> Faults:
        """Yield the sides without an overlay of a kind, on a board that the rule system of the check made.

        Nothing is yielded for other boards.
        """
        drawn_sides = {overlay.side for overlay in self.record.battlefield.overlays if overlay.kind == kind}
        missing = [side for side in self.sides if side not in drawn_sides] if self.is_same_system else []
        return (Sentence("no {kind} is drawn for side {side}", kind=kind, side=side) for side in missing)

    @property
    def home(self) -> HomeTopography:
        """Return the home topography.

        Raises:
            UnseenError: the record does not state it.
        """
        setting = self.rules.choice("home")
        return HomeTopography(setting) if setting != "auto" else self.recorded_terrain.home

    @cached_property
    def topography(self) -> Topography:
        """Return the options of the home topography; raises the errors of ``home``."""
        return self.terms.topography(self.home)
