"""The origin of the pieces of a DBA record, in sentences common to both editions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from printkit.core.words import Words
from printkit.kit.provenance import scores_of_feature
from printkit.terrain.field.features import Crossing, Feature
from printkit.terrain.field.record import Record


class ChosenPiece(Struct, frozen=True, kw_only=True):
    """A chosen piece: compulsory or not, and the number of such choices in ``of``."""

    id: str
    compulsory: bool
    of: int


T = TypeVar("T", bound=ChosenPiece)


class PieceTeller(Struct, Generic[T], frozen=True, kw_only=True):
    """Describes in one language how the features of a record came about.

    ``key`` is the prefix of its word keys. ``passes`` is the clause of crossings. ``pieces`` are the pieces on the
    board by ID. ``placed`` returns the sentence key and the values for the dice that placed a piece.
    """

    key: str
    passes: str
    words: Words
    record: Record
    home: str
    pieces: Mapping[str, T]
    placed: Callable[[Feature, T, list[str], Words], tuple[str, Mapping[str, object]]]

    def sentences(self, feature: Feature) -> Iterator[str]:
        """Yield how a feature was chosen, and where its dice placed it."""
        if isinstance(feature, Crossing):
            if self.passes in feature.origin.clauses:
                yield self._say("crossing", kind=self.words(f"kind.{feature.kind}"))
            return
        piece = self.pieces.get(feature.id)
        if piece is None:
            return
        if piece.compulsory:
            key = "compulsory" if piece.of == 1 else "compulsory_two"
            yield self._say(key, home=self.words(f"{self.key}.home.{self.home}"))
        else:
            yield self._say("optional", of=piece.of)
        if dice := scores_of_feature(feature, self.record.log):
            key, values = self.placed(feature, piece, dice, self.words)
            yield self._say(key, **values)

    def _say(self, key: str, **values: object) -> str:
        return self.words(f"{self.key}.account.{key}", **values)
