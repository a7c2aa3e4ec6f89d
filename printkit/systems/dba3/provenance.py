"""The origin of each feature in sentences, and the facts of the game in a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from printkit.core.words import Words
from printkit.kit.provenance import describe_features
from printkit.systems.dba.ground.told import PieceTeller
from printkit.systems.dba3.placing.placing import PlacedTerrain, ordered
from printkit.systems.dba3.placing.selection import FeaturePick
from printkit.systems.dba3.placing.terms import HomeTopography
from printkit.systems.dba3.placing.told import RecordedPiece, discarded_ids, terrain_of, told_home, told_pieces
from printkit.systems.dba3.placing.zones import DEFENDER, INVADER, Edges
from printkit.terrain.field.features import Feature, Kind
from printkit.terrain.field.record import Record

# --- Facts of a game in its record: home, features with quarter and die, discards, base edges -------------------------

_Json = dict[str, Any]
# The going of dry ploughed land (D3-21).
_DRY: Final = "good"


def terrain_facts(home: HomeTopography, picks: tuple[FeaturePick, ...], placed: PlacedTerrain) -> _Json:
    """Return the features in placing order; those without a quarter are discarded, for the reasons in ``discarded``."""
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
    """Return how each feature came about, by its ID; features without recorded facts are left out."""

    def teller(record: Record, language: Words) -> Callable[[Feature], Iterator[str]]:
        told = _teller(record, language).sentences

        def sentences(feature: Feature) -> Iterator[str]:
            yield from told(feature)
            if feature.kind is Kind.PLOUGH and feature.going.name == _DRY:
                yield language("dba3.account.plough")

        return sentences

    return describe_features(record, words, teller)


def discards_line(record: Record, words: Words) -> str:
    """Return the discarded features in one line, or an empty text (D3-39)."""
    terrain = terrain_of(record)
    named = discarded_ids(terrain) if terrain is not None else ()
    names = ", ".join(words(_key(name)) if words.has(_key(name)) else name for name in named)
    return words("dba3.discarded", names=names) if names else ""


def _key(identity: str) -> str:
    return f"dba3.terrain.{identity.rstrip('0123456789').rstrip('-')}"


def _teller(record: Record, words: Words) -> PieceTeller[RecordedPiece]:
    terrain = terrain_of(record)
    home, told = ("", ()) if terrain is None else (told_home(terrain).value, told_pieces(terrain))
    return PieceTeller(
        key="dba3",
        passes="D3-54",
        words=words,
        record=record,
        home=home,
        pieces={piece.id: piece for piece in told if piece.quarter is not None},
        placed=_placed,
    )


def _placed(feature: Feature, piece: RecordedPiece, dice: list[str], _words: Words) -> tuple[str, _Json]:
    who = {"5": "defender", "6": "invader"}.get(dice[0], "quarter")
    clauses = ", ".join(clause for clause in feature.origin.clauses if clause)
    return who, {"die": dice[0], "quarter": piece.quarter, "clauses": clauses}
