"""A record as the Solo DBA checks see it: pieces by shape, and recorded facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final, TypeAlias

from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain, DbaCase, sort_features
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.terrain.placement import PlacementTerms
from printkit.systems.solo.terrain.read_record import RecordedPiece
from printkit.systems.solo.terrain.terrain_rules import SoloSurroundings, no_result_error
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record

# A check yields the faults of a clause. Without faults the clause is satisfied.
Check: TypeAlias = "Callable[[SoloCase], Faults]"

# The kinds of features of each type of terrain, in addition to those of both editions.
_OWN_KINDS: Final[Mapping[Terrain, tuple[Kind, ...]]] = {
    Terrain.ROUGH: (Kind.ROUGH_GROUND, Kind.BROKEN_GROUND, Kind.SCRUB, Kind.ROCKS),
    Terrain.MARSH: (Kind.BOGGY_GROUND,),
}


class SoloCase(DbaCase, frozen=True, kw_only=True, eq=False, dict=True):
    """A record with its terrain pieces, for the checks of Solo DBA."""

    rules: SoloRules

    @classmethod
    def of_record(cls, record: Record, book: RuleBook) -> SoloCase:
        """Return the case of a record. Settings that the record does not have get their defaults.

        Raises:
            RecordError: a setting is unknown, or its value is not valid.
        """
        pieces, unknown_ids = sort_features(record.battlefield.features, _OWN_KINDS)
        return cls(record=record, rules=SoloRules.of_record(book, record), pieces=pieces, unknown_ids=unknown_ids)

    @cached_property
    def terms(self) -> PlacementTerms:
        """Return the placement rules of this game."""
        return PlacementTerms.from_rules(self.rules)

    @cached_property
    def recorded_pieces(self) -> tuple[RecordedPiece, ...]:
        """Return the pieces that the record lists.

        Raises:
            UnseenError: the record has no list of pieces.
            RecordError: a piece is incomplete, or a value has the wrong type.
        """
        return self.read_detail(tuple[RecordedPiece, ...], "terrain", "pieces")

    @cached_property
    def surroundings(self) -> SoloSurroundings:
        """Return what the pieces of terrain are measured against."""
        return SoloSurroundings(
            terms=self.terms,
            pieces=self.pieces,
            bad_count=sum(self.terms.is_bad(piece.terrain) for piece in self.area_pieces),
            find_result=self.find_result,
        )

    def require_terrain(self) -> None:
        """Check that YOU do not still have to place the terrain.

        Other records without terrain raise nothing: dice placed it, or the record has no facts about terrain.

        Raises:
            UnseenError: YOU place the terrain yourself, and there is none yet (AMB-10).
        """
        if not self.pieces and "terrain" in self.details and self.detail("terrain", "by") == "person":
            raise UnseenError("you place the terrain yourself (AMB-10)")

    def find_result(self, piece: CheckedTerrain) -> str:
        """Return the recorded result of the dice that placed a piece, for example ``across-far`` or ``left/near``.

        Raises:
            UnseenError: the record has no such result.
        """
        result = next((item.result for item in self.recorded_pieces if item.id == piece.id), None)
        if result is None:
            raise no_result_error(piece)
        return result
