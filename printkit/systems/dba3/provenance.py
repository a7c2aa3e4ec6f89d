"""The origin of each feature in sentences, and the facts of the game in a record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from printkit.core.words import Words
from printkit.kit.provenance import AccountLine, account_features, scores_of_feature
from printkit.systems.dba.ground.placed_pieces import PlacedTerrain, choice_facts, explain_choice
from printkit.systems.dba.ground.terrain_limits import PiecePick
from printkit.systems.dba3.placing.placing import order_features
from printkit.systems.dba3.placing.read_record import RecordedTerrain
from printkit.systems.dba3.placing.selection import name_pick
from printkit.systems.dba3.placing.terms import HomeTopography, Terms
from printkit.systems.dba3.placing.zones import DEFENDER, INVADER, BaseEdges
from printkit.terrain.field.features import Feature, Kind
from printkit.terrain.field.record import Record, read_detail

# --- Facts of a game in its record: home, features with quarter and die, discards, base edges -------------------------

_Json = dict[str, Any]
# The going of dry ploughed land (D3-21).
_DRY_GOING: Final = "good"


def build_terrain_facts(home: HomeTopography, picks: tuple[PiecePick, ...], terrain: PlacedTerrain) -> _Json:
    """Return the home topography and the features in placing order, ready for the JSON record.

    The keys are ``home``, ``pieces`` and ``discarded``. In ``pieces`` the quarter of a discarded feature is null.
    ``discarded`` lists quarters and obstacles. ``of`` is the number of compulsory or of optional features, and
    ``turned_by`` has the obstacles of a course that does not run in the chosen direction.
    """
    quarters = {piece.identity: int(piece.result) for piece in terrain.placed_pieces}
    turned_by = {piece.identity: piece.turned_by for piece in terrain.placed_pieces if piece.turned_by}
    return {
        "home": home.value,
        "pieces": [
            {
                "id": identity,
                "terrain": pick.terrain.value,
                "bua": pick.town or None,
                **choice_facts(pick, picks),
                "quarter": quarters.get(identity),
                **({"turned_by": list(turned_by[identity])} if identity in turned_by else {}),
            }
            for pick, identity in order_features(picks)
        ],
        "discarded": [
            {
                "id": piece.identity,
                "name": name_pick(piece.pick),
                "quarter": int(piece.result),
                "by": list(piece.blockers),
            }
            for piece in terrain.blocked_pieces
        ],
    }


def build_deployment_facts(edges: BaseEdges) -> _Json:
    """Return both base edges, and who deploys and moves first, ready for the JSON record (D3-55, D3-66)."""
    return {
        "defender": DEFENDER,
        "invader": INVADER,
        "defender_edge": edges.defender.value,
        "invader_edge": edges.invader.value,
        "deploys_first": DEFENDER,
        "moves_first": INVADER,
    }


# Who chose the quarter, by the score of its die.
_CHOOSERS: Final = {"5": "defender", "6": "invader"}


def account(record: Record, words: Words) -> Mapping[str, str]:
    """Return how each feature came about in sentences, by its ID; features without recorded facts are left out.

    The text is in the languages of ``words``.
    """
    terrain = read_detail(record, RecordedTerrain, "terrain")
    pieces = {piece.id: piece for piece in terrain.pieces if piece.quarter is not None} if terrain else {}
    choice = {"prefix": "dba3", "home": terrain.home.value if terrain else "", "crossing_clause": Terms.crossing_clause}

    def explain(feature: Feature) -> Iterator[AccountLine]:
        piece = pieces.get(feature.id)
        yield from explain_choice(feature, piece, **choice)
        if piece is not None and (scores := scores_of_feature(feature, record.log)):
            yield AccountLine(f"dba3.account.{_CHOOSERS.get(scores[0], 'quarter')}", quarter=piece.quarter)
        if feature.kind is Kind.PLOUGH and feature.going.name == _DRY_GOING:
            yield AccountLine("dba3.account.plough")

    return account_features(record, words, explain)


def discards_line(record: Record, words: Words) -> str:
    """Return the names of the discarded features in one line, or an empty text (D3-39).

    The text is in the languages of ``words``.
    """
    terrain = read_detail(record, RecordedTerrain, "terrain")
    ids = [piece.id for piece in terrain.discarded] if terrain else []
    names = ", ".join(words(_terrain_key(name)) if words.has(_terrain_key(name)) else name for name in ids)
    return words("dba3.discarded", names=names) if names else ""


def _terrain_key(identity: str) -> str:
    """Return the word key of a terrain type from the ID of its feature, for example ``marsh-2``."""
    return f"dba3.terrain.{identity.rstrip('0123456789').rstrip('-')}"
