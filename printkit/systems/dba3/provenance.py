"""How each feature came about, in sentences; and what a record keeps of the game besides features."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from printkit.core.words import Words
from printkit.kit.provenance import by_feature, dice_of
from printkit.systems.dba3.placing.placing import PlacedTerrain, ordered
from printkit.systems.dba3.placing.selection import FeaturePick
from printkit.systems.dba3.placing.terms import HomeTopography
from printkit.systems.dba3.placing.told import ToldPiece, discarded_ids, terrain_of, told_home, told_pieces
from printkit.systems.dba3.placing.zones import DEFENDER, INVADER, Edges
from printkit.terrain.field.features import Crossing, Feature
from printkit.terrain.field.record import Record

# --- What a game keeps in its record besides features: home, features with quarter and die, discards, base edges ------

_Json = dict[str, Any]


def terrain_facts(home: HomeTopography, picks: tuple[FeaturePick, ...], placed: PlacedTerrain) -> _Json:
    """Return the features in the order placed; those without a quarter were discarded, and ``discarded`` says why."""
    laid = {each.identity: each for each in placed.laid}
    compulsory = sum(pick.compulsory for pick in picks)
    return {
        "home": home.value,
        "pieces": [
            {
                "id": identity,
                "terrain": pick.terrain.value,
                "bua": pick.town or None,
                "compulsory": pick.compulsory,
                "of": compulsory if pick.compulsory else len(picks) - compulsory,
                "quarter": laid[identity].quarter if identity in laid else None,
            }
            for pick, identity in ordered(picks)
        ],
        "discarded": [
            {"id": each.identity, "name": each.pick.name, "quarter": each.quarter, "by": list(each.by)}
            for each in placed.discarded
        ],
    }


def deployment_facts(edges: Edges) -> _Json:
    """Return both base edges, and who deploys and moves first (D3-55, D3-66)."""
    return {
        "defender": DEFENDER,
        "invader": INVADER,
        "defender_edge": edges.defender.value,
        "invader_edge": edges.invader.value,
        "deploys_first": DEFENDER,
        "moves_first": INVADER,
    }


def account(record: Record, words: Words) -> Mapping[str, str]:
    """Return by the ID of each feature how it came about; features of which the record tells nothing are left out."""
    return by_feature(record, words, lambda record, language: _Teller.of(record, language).sentences)


def discards_line(record: Record, words: Words) -> str:
    """Return which features were discarded, in one line, or an empty text (D3-39)."""
    terrain = terrain_of(record)
    named = discarded_ids(terrain) if terrain is not None else ()
    names = ", ".join(words(_key(name)) if words.has(_key(name)) else name for name in named)
    return words("dba3.discarded", names=names) if names else ""


def _key(identity: str) -> str:
    return f"dba3.terrain.{identity.rstrip('0123456789').rstrip('-')}"


class _Teller(Struct, frozen=True):
    words: Words
    record: Record
    home: str
    pieces: Mapping[str, ToldPiece]

    @classmethod
    def of(cls, record: Record, words: Words) -> _Teller:
        terrain = terrain_of(record)
        if terrain is None:
            return cls(words, record, "", {})
        return cls(words, record, told_home(terrain), {piece.id: piece for piece in told_pieces(terrain)})

    def sentences(self, feature: Feature) -> Iterator[str]:
        """Yield how a feature was chosen, and where its die put it."""
        if isinstance(feature, Crossing):
            if "D3-54" in feature.origin.clauses:
                yield self._say("crossing", kind=self.words(f"kind.{feature.kind}"))
            return
        piece = self.pieces.get(feature.id)
        if piece is None or piece.quarter is None:
            return
        if piece.compulsory:
            key = "compulsory" if piece.of == 1 else "compulsory_two"
            yield self._say(key, home=self.words(f"dba3.home.{self.home}"))
        else:
            yield self._say("optional", of=piece.of)
        dice = dice_of(feature, self.record.log)
        if dice:
            who = {"5": "defender", "6": "invader"}.get(dice[0], "quarter")
            clauses = ", ".join(clause for clause in feature.origin.clauses if clause)
            yield self._say(who, die=dice[0], quarter=piece.quarter, clauses=clauses)

    def _say(self, key: str, **values: object) -> str:
        return self.words(f"dba3.account.{key}", **values)
