"""How each feature came about, in sentences: compelled or chosen, its dice and where they put it, its clauses.

Nothing of the NPG's army is told, for these sentences stand on the map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from printkit.chance.dice import Act
from printkit.core.words import BETWEEN, Words
from printkit.terrain.field.features import Crossing, Feature
from printkit.terrain.field.record import Record


def account(record: Record, words: Words) -> Mapping[str, str]:
    """Return by the ID of each feature how it came about; features of which the record tells nothing are left out.

    In two languages both stand side by side.
    """
    tellers = [_Teller.of(record, language) for language in words.each()]
    found = {}
    for feature in record.battlefield.features:
        told = [" ".join(teller.sentences(feature)) for teller in tellers]
        if all(told):
            found[feature.id] = BETWEEN.join(told)
    return found


def armies_line(record: Record, words: Words) -> str:
    """Return both armies by name and who attacks, or an empty text where the record does not tell."""
    armies, attack = record.details.get("armies"), record.details.get("attack")
    try:
        names = {side: str(armies[side]["name"]) for side in ("npg", "you")}  # type: ignore[index]
        key = f"solo-dba.armies.{attack['attacker']}"  # type: ignore[index]
    except (KeyError, TypeError):
        return ""
    return words(key, **names) if words.has(key) else ""


class _Teller(Struct, frozen=True):
    words: Words
    record: Record
    home: str
    pieces: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, record: Record, words: Words) -> _Teller:
        terrain = record.details.get("terrain", {})
        needed = {"id", "terrain", "compulsory", "of", "result"}
        pieces = {piece["id"]: piece for piece in terrain.get("pieces", ()) if needed <= piece.keys()}
        return cls(words, record, str(terrain.get("home", "")), pieces)

    def sentences(self, feature: Feature) -> Iterator[str]:
        """Yield how a feature was picked, and where its dice put it."""
        if isinstance(feature, Crossing):
            if "SD-3.3.5-d" in feature.origin.clauses:
                yield self._say("crossing", kind=self.words(f"kind.{feature.kind}"))
            return
        piece = self.pieces.get(feature.id)
        if piece is None or not piece["result"]:
            return
        yield self._picked(piece)
        yield from self._placed(feature, piece)

    def _picked(self, piece: Mapping[str, Any]) -> str:
        if piece["compulsory"]:
            key = "compulsory_two" if piece["of"] > 1 else "compulsory"
            return self._say(key, home=self.words(f"solo-dba.home.{self.home}"))
        return self._say("optional", of=piece["of"])

    def _placed(self, feature: Feature, piece: Mapping[str, Any]) -> Iterator[str]:
        log = self.record.log
        thrown = [log[place - 1] for place in feature.origin.throws if 0 < place <= len(log)]
        dice = [throw.answer for throw in thrown if throw.act is Act.DIE]
        if dice:
            yield self._say(
                "placed" if len(dice) == 1 else "placed_two",
                dice=", ".join(dice),
                where=self._where(piece["terrain"], piece["result"]),
                clauses=", ".join(feature.origin.clauses),
            )

    def _where(self, terrain: str, result: str) -> str:
        """Return a result in words: an edge, a corner, a band, a row, or a sector by column and row."""
        if terrain in ("waterway", "bua", "river"):
            return self.words(f"solo-dba.{terrain}.{result}")
        first, _, second = result.partition("/")
        if terrain == "road":
            return self.words(f"solo-dba.road.{first}")
        return self.words(
            "solo-dba.sector", column=self.words(f"solo-dba.column.{first}"), row=self.words(f"solo-dba.row.{second}")
        )

    def _say(self, key: str, **values: object) -> str:
        return self.words(f"solo-dba.account.{key}", **values)
