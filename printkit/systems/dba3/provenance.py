"""The origin of each feature in sentences, and the facts of the game in a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from printkit.core.words import Words
from printkit.kit.provenance import describe_features
from printkit.systems.dba.ground.piece_origins import PieceAccount
from printkit.systems.dba.ground.placed_pieces import PlacedTerrain, choice_facts
from printkit.systems.dba.ground.terrain_limits import PiecePick
from printkit.systems.dba3.placing.placing import order_features
from printkit.systems.dba3.placing.read_record import RecordedPiece, RecordedTerrain
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


def account(record: Record, words: Words) -> Mapping[str, str]:
    """Return how each feature came about in sentences, by its ID; features without recorded facts are left out.

    The text is in the languages of ``words``.
    """

    def make_sentences(record: Record, language: Words) -> Callable[[Feature], Iterator[str]]:
        """Return a function that yields the sentences about a feature in one language."""
        base_sentences = _make_account(record, language).sentences

        def sentences(feature: Feature) -> Iterator[str]:
            """Yield the sentences about a feature, with one about dry ploughed land (D3-21)."""
            yield from base_sentences(feature)
            if feature.kind is Kind.PLOUGH and feature.going.name == _DRY_GOING:
                yield language("dba3.account.plough")

        return sentences

    return describe_features(record, words, make_sentences)


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


def _make_account(record: Record, words: Words) -> PieceAccount[RecordedPiece]:
    """Return the account of a record's features in one language; discarded features are left out."""
    terrain = read_detail(record, RecordedTerrain, "terrain")
    pieces = {piece.id: piece for piece in terrain.pieces if piece.quarter is not None} if terrain else {}
    home = terrain.home.value if terrain else ""
    return PieceAccount("dba3", Terms.crossing_clause, words, record, home, pieces, _describe_quarter)


def _describe_quarter(feature: Feature, piece: RecordedPiece, dice: list[str], _words: Words) -> tuple[str, _Json]:
    """Return the word key and the values for the die that gave a feature its quarter.

    ``dice`` are the scores as texts; the first is that of the quarter.
    """
    who = {"5": "defender", "6": "invader"}.get(dice[0], "quarter")
    clauses = ", ".join(clause for clause in feature.origin.clauses if clause)
    return who, {"die": dice[0], "quarter": piece.quarter, "clauses": clauses}
