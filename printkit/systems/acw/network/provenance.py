"""How each feature came about, in sentences: its zone and roll, its die, the defender's choice, its clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from printkit.core.words import Words
from printkit.systems.acw.terms.plan import Fate
from printkit.terrain.field.features import Feature
from printkit.terrain.field.record import Record

_TOLD = (Fate.KEPT, Fate.CHOSEN, Fate.GIVEN, Fate.ACROSS)


def account(record: Record, words: Words) -> Mapping[str, str]:
    """Return by the ID of each feature how it came about; features of which the record tells nothing are left out.

    A feature belongs to the roll whose ID it bears, as ``z3-2``, and to all rolls whose dice its origin names.
    """
    teller = _Teller.of(record, words)
    told = {feature.id: " ".join(teller.sentences(feature)) for feature in record.battlefield.features}
    return {identity: text for identity, text in told.items() if text}


class _Teller(Struct, frozen=True):
    words: Words
    rolls: tuple[Mapping[str, Any], ...]
    geography: str
    water: Mapping[str, Any] | None

    @classmethod
    def of(cls, record: Record, words: Words) -> _Teller:
        needed = {"zone", "roll", "die", "cell", "fate", "piece", "throw"}
        rolls = tuple(roll for roll in record.details.get("zones", ()) if needed <= roll.keys())
        return cls(words, rolls, record.details.get("geography", ""), record.details.get("water"))

    def sentences(self, feature: Feature) -> Iterator[str]:
        """Yield a sentence for each roll, then the clauses of what joined it."""
        for roll in self.rolls:
            own = feature.id == f"z{roll['zone']}-{roll['roll']}"
            thrown = roll["throw"] is not None and roll["throw"] in feature.origin.throws
            if (own or thrown) and roll["fate"] in _TOLD:
                yield self._roll(roll)
        if self.water is not None and "AC-303" in feature.origin.clauses:
            edge = self.words(f"acw.side.{self.water['edge']}")
            yield self.words("acw.account.water", edge=edge)
        joined = [clause for clause in feature.origin.clauses if clause.startswith("AC-N")]
        if joined:
            yield self.words("acw.account.joined", clauses=", ".join(joined))

    def _roll(self, roll: Mapping[str, Any]) -> str:
        piece = self.words(f"acw.piece.{roll['piece']}")
        zone, number = roll["zone"], roll["roll"]
        if roll["die"] is None:
            name = roll.get("name", "")
            key = "named" if name else "given"
            return self.words(f"acw.account.{key}", zone=zone, piece=piece, name=name)
        values = {"zone": zone, "roll": self.words(f"acw.roll.{number}"), "die": roll["die"], "piece": piece}
        if roll["fate"] in (Fate.CHOSEN, Fate.ACROSS):
            return self.words("acw.account.chosen", **values)
        geography = self.words(f"acw.geography.{self.geography}")
        return self.words("acw.account.rolled", geography=geography, **values)
