"""The origin of the pieces of a DBA record, in sentences common to both editions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

from msgspec import Struct, field

from printkit.core.words import Words
from printkit.kit.provenance import scores_of_feature
from printkit.terrain.field.features import Crossing, Feature
from printkit.terrain.field.record import Record


class ChosenPiece(Struct, frozen=True, kw_only=True):
    """A chosen piece: compulsory or not, and the number of such choices in ``choice_count``."""

    id: str
    is_compulsory: bool = field(name="compulsory")
    choice_count: int = field(name="of")


T = TypeVar("T", bound=ChosenPiece)


class PieceAccount(Struct, Generic[T], frozen=True):
    """Describes in one language how the features of a record came about.

    ``key`` is the prefix of its word keys. ``crossing_clause`` is the clause of crossings. ``pieces`` are the pieces on
    the board by ID. ``describe_placing`` returns the sentence key and the values for the dice that placed a piece.
    """

    key: str
    crossing_clause: str
    words: Words
    record: Record
    home: str
    pieces: Mapping[str, T]
    describe_placing: Callable[[Feature, T, list[str], Words], tuple[str, Mapping[str, object]]]

    def sentences(self, feature: Feature) -> Iterator[str]:
        """Yield sentences about how a feature was chosen and where its dice placed it.

        A feature without recorded facts yields nothing, and a crossing at most its kind.
        """
        if isinstance(feature, Crossing):
            if self.crossing_clause in feature.origin.clauses:
                yield self._text("crossing", kind=self.words(f"kind.{feature.kind}"))
            return
        piece = self.pieces.get(feature.id)
        if piece is None:
            return
        if piece.is_compulsory:
            key = "compulsory" if piece.choice_count == 1 else "compulsory_two"
            yield self._text(key, home=self.words(f"{self.key}.home.{self.home}"))
        else:
            yield self._text("optional", of=piece.choice_count)
        if dice := scores_of_feature(feature, self.record.log):
            key, values = self.describe_placing(feature, piece, dice, self.words)
            yield self._text(key, **values)

    def _text(self, key: str, **values: object) -> str:
        """Return the sentence of a word key below ``account``, with its values filled in."""
        return self.words(f"{self.key}.account.{key}", **values)
