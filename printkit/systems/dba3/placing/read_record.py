"""Read a DBA 3 record: its rules, its terrain with the origin of each feature, and its sides (D3-55..D3-60)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from printkit.core.errors import RecordError, ScenarioError
from printkit.core.words import Words
from printkit.kit.book import RuleBook, read_book
from printkit.kit.provenance import AccountLine, account_features, scores_of_feature
from printkit.kit.rules import Rules
from printkit.kit.sides import PlayerSide, RecordedSide
from printkit.systems.dba.ground.checked_pieces import LeftOutPiece
from printkit.systems.dba.ground.placed_pieces import ChosenPiece, explain_choice
from printkit.systems.dba3.placing import profile
from printkit.systems.dba3.placing.placement import find_shore
from printkit.systems.dba3.placing.terms import HomeTopography, Terms
from printkit.systems.dba3.placing.zones import DEFENDER, INVADER
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Feature, Kind
from printkit.terrain.field.record import Record, read_detail

# Rule systems with records of this form.
SUPPORTED_RULES: Final = ("dba3", "collision-course")

_EDGES: Final[Mapping[str, str]] = {DEFENDER: "defender_edge", INVADER: "invader_edge"}


class RecordedPiece(ChosenPiece, frozen=True, kw_only=True):
    """A recorded choice of a feature; a discarded one has no quarter."""

    terrain: str
    quarter: int | None = None


class RecordedTerrain(Struct, frozen=True, kw_only=True):
    """The terrain of a record: the home topography, all features chosen in placing order, and those discarded."""

    home: HomeTopography
    pieces: tuple[RecordedPiece, ...]
    discarded: tuple[LeftOutPiece, ...]


class RecordedSides(Struct, frozen=True, kw_only=True):
    """The sides of a record: the letters of both and of the first to act, and the base edges."""

    defender: str
    invader: str
    defender_edge: Edge
    invader_edge: Edge
    deploys_first: str
    moves_first: str


def read_rules(record: Record, book: RuleBook) -> Rules:
    """Return the rules of a record: the rule book with the recorded profile and settings.

    Raises:
        RecordError: a setting or a line of the profile is not valid; names it.
    """
    lines = read_detail(record, list[str], "inputs", profile.LIST_NAME) if record.rules in SUPPORTED_RULES else None
    try:
        changed_book = book if lines is None else profile.apply_profile(book, lines)
    except ScenarioError as error:
        raise RecordError("{error}", error=error) from None
    return Rules.of_record(changed_book, record, *SUPPORTED_RULES)


def read_sides(record: Record) -> dict[str, RecordedSide]:
    """Return the recorded side for each letter of a side: its edge, and whether the waterway is along it.

    The letters are those of defender and invader. A side whose edge the record does not give is missing.
    """
    recorded_deployment = record.details.get("deployment")
    facts = recorded_deployment if isinstance(recorded_deployment, Mapping) else {}
    edges = {name: Edge(facts[key]) for name, key in _EDGES.items() if facts.get(key) in list(Edge)}
    shore = find_shore(record.battlefield)
    water_edge = None if shore is None else shore.edge
    return {name: RecordedSide(edge=edge, shore=edge is water_edge) for name, edge in edges.items()}


def describe_zone(record: Record, side: PlayerSide, words: Words, length: Callable[[float], str]) -> Iterator[str]:
    """Yield the description of a side's zone: its depth, its distance from the board sides, and the water.

    Yields no text if the side has no zone.

    Args:
        record: of the game.
        side: the side.
        words: one language.
        length: formats a length in mm on the board.
    """
    depth = side.depth(record.battlefield)
    if depth is None:
        return
    rules = read_rules(record, read_book(record.rules))
    numbers = {name: f"{rules.number(name):g}" for name in ("zone_side_bw", "zone_side_bw_fast")}
    line = words(f"sides.behind.{side.look.line}")
    yield words("dba3.deploying.ground", depth=length(depth), line=line, **numbers)
    if side.shore:
        yield words("dba3.deploying.shore")


# The going of dry ploughed land (D3-21).
_DRY_GOING: Final = "good"
# The player that chose the quarter, by the score of its die.
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
