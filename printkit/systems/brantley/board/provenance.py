"""The origin of each feature in plain words, and the facts of the game in a record (BR-G90)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar, assert_never

from msgspec.structs import replace
from shapely import box

from printkit.chance.dice import Act, Throw
from printkit.core.words import Words
from printkit.kit.provenance import describe_features, scores_of_feature
from printkit.systems.brantley.board.course_brief import RIVER, ROAD, CourseType
from printkit.systems.brantley.board.course_records import LETTERS
from printkit.systems.brantley.board.courses import PlacedCourse
from printkit.systems.brantley.board.hills import HillRolls
from printkit.systems.brantley.dealing.cards import GOOD_GOING, CardResult, read_card
from printkit.systems.brantley.dealing.deal import CARDS_NEEDED, PLAYERS, ZONES, Deal, Deployment, ZoneCard
from printkit.systems.brantley.dealing.facts import CourseFacts, ZoneFacts, facts_of
from printkit.terrain.field.battlefield import Board, Overlay
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill, Kind
from printkit.terrain.field.record import Record

# --- Facts of a game in its record: zones, hands, hill dice, courses, deployment (BR-G90) -----------------------------

_Json = dict[str, Any]
Traceable = TypeVar("Traceable", Course, Crossing)

_DECIMALS: Final = 3


def build_card_facts(
    zone_cards: Mapping[int, ZoneCard], results: Mapping[int, CardResult], dealt: Deal | None, first_player: str
) -> _Json:
    """Return the nine zones as facts for a record; if a pack was dealt, also its order and the hands.

    ``dealt`` also decides whether a zone counts as blind. Zones are in the order of their numbers, from 1.

    Args:
        zone_cards: the card of each zone.
        results: the feature that each card placed, by zone; zones of good going are missing.
        dealt: None if only the cards of the zones are known.
        first_player: the player who placed the first card.
    """
    zones = [
        {
            "n": zone,
            "card": str(zone_card.card) if zone_card.card else None,
            "placed_by": zone_card.placed_by or None,
            "turn": zone_card.turn,
            "blind": zone_card.is_blind and dealt is not None,
            "result": results[zone].name if zone in results else GOOD_GOING,
        }
        for zone, zone_card in sorted(zone_cards.items())
    ]
    if dealt is None:
        return {"zones": zones}
    hands = {player: [str(card) for card in hand] for player, hand in dealt.hands.items()}
    return {"zones": zones, "first": first_player, "hands": hands, "deck": [str(card) for card in dealt.pack]}


def build_hill_facts(hill_rolls: Mapping[int, HillRolls]) -> list[_Json]:
    """Return the dice of each hill as facts for a record, sorted by zone.

    The keys are ``zone``, ``slope``, ``modified`` and ``woods``. ``modified`` is the slope score that counts.
    """
    return [
        {"zone": zone, "slope": dice.slope, "modified": dice.slope_score, "woods": dice.woods}
        for zone, dice in sorted(hill_rolls.items())
    ]


def build_course_facts(courses: Sequence[PlacedCourse]) -> list[_Json]:
    """Return the start and end of each river or road for a record, as in recorded courses (``N:8.0``).

    Each has the keys ``id``, ``placed_by``, ``start`` and ``end``; positions along an edge are in inches of the rules.
    """
    return [
        {
            "id": placed.course.id,
            "placed_by": placed.course.origin.placed_by,
            "start": placed.start,
            "end": dict(placed.end),
        }
        for placed in courses
    ]


def traced(features: Sequence[Traceable], stage: str, log: Sequence[Throw]) -> list[Traceable]:
    """Return courses or crossings with the log numbers of their rolls, from 1.

    A roll of ``stage`` belongs to a feature if its reason has the feature's ID, or the ID of no feature. The numbers
    replace those of the origin; the order is kept.
    """
    names = [re.compile(rf"\b{feature.id}\b") for feature in features]
    traced_features = []
    for feature, own_name in zip(features, names, strict=True):
        throws = tuple(
            place
            for place, throw in enumerate(log, 1)
            if throw.stage == stage
            and (own_name.search(throw.reason) or not any(n.search(throw.reason) for n in names))
        )
        traced_features.append(replace(feature, origin=replace(feature.origin, throws=throws)))
    return traced_features


def build_deployment_facts(order: Deployment, depth: float) -> _Json:
    """Return deployment for a record: its depth in mm on the board, and who deploys and moves first.

    The players are A or B.
    """
    return {
        "depth_mm": round(depth, _DECIMALS),
        "deploys_first": order.deploys_first,
        "moves_first": order.moves_first,
    }


def build_overlays(board: Board, depth: float) -> tuple[Overlay, ...]:
    """Return the nine zones and both deployment areas as overlays (BR-105, BR-701, BR-G72).

    They are in mm on the board. The deployment areas are at the base edges, ``depth`` mm deep. The zones come first, in
    the order of their numbers; then the areas of A (far) and of B (near).
    """
    areas = {"A": box(0, board.depth - depth, board.width, board.depth), "B": box(0, 0, board.width, depth)}
    zones = board.zones(3, 3)
    return (
        *(Overlay(kind="zone", shape=zones[zone - 1], label=str(zone)) for zone in ZONES),
        *(Overlay(kind="deployment", shape=areas[player], side=player) for player in PLAYERS),
    )


_STEEP_KEYS: Final[Mapping[int, str]] = {0: "none", 1: "one", 2: "two"}
_SLOPE_CLAUSES: Final = ("BR-322", "BR-323", "BR-324", "BR-325")
# The clause name in ``CourseType`` for each kind of course end in records.
_END_CLAUSES: Final = {"edge": "edge", "lake": "area", "bua": "area", "river": "course", "road": "course"}


def account(record: Record, words: Words) -> dict[str, str]:
    """Return how each feature was placed, by its ID; features without recorded facts are left out.

    The texts are in the language or languages of ``words``.
    """
    return describe_features(record, words, lambda record, language: _FeatureAccounts(record, language).describe)


class _FeatureAccounts:
    """Describes the features of one record in one language."""

    def __init__(self, record: Record, words: Words) -> None:
        self._words = words
        self._log = record.log
        facts = facts_of(record)
        self._zones = {zone.number: zone for zone in facts.zones if words.has(f"brantley.result.{zone.result}")}
        self._hills = {hill.zone: hill for hill in facts.hills}
        self._courses = {each.id: each for each in (*facts.rivers, *facts.roads) if _has_ends(each)}

    def describe(self, feature: Feature) -> Iterator[str]:
        """Yield the sentences about one feature; nothing if the record lacks its facts."""
        match feature:
            case Area():
                yield from self._describe_area(feature)
            case Hill():
                yield from self._describe_hill(feature)
            case Course():
                yield from self._describe_course(feature)
            case Crossing():
                yield from self._describe_crossing(feature)
            case _:
                assert_never(feature)

    def _text(self, key: str, **values: object) -> str:
        """Return the text of a key below ``brantley.`` in the language of the accounts."""
        return self._words(f"brantley.{key}", **values)

    def _describe_area(self, area: Area) -> Iterator[str]:
        """Yield the sentences about an area: its card and its placer; nothing if the record has no card."""
        zone = self._zones.get(area.origin.zone or 0)
        if zone is None or not zone.card or not area.origin.clauses:
            return
        yield self._text(
            "account.area",
            source=self._card_source(zone),
            result=self._text(f"result.{zone.result}"),
            going=self._words(f"going.{area.going.name}"),
            clause=area.origin.clauses[0],
        )
        yield from self._describe_placer(area)

    def _describe_hill(self, hill: Hill) -> Iterator[str]:
        """Yield the sentences about a hill: its card, its dice and its placer.

        It yields nothing if the card or the slope die is unknown.
        """
        zone, thrown = self._zones.get(hill.origin.zone or 0), self._hills.get(hill.origin.zone or 0)
        if zone is None or not zone.card or thrown is None or not hill.origin.clauses:
            return
        first, *others = hill.origin.clauses
        modifier = thrown.modified - thrown.slope
        yield self._text(
            "account.hill",
            source=self._card_source(zone),
            result=self._text(f"result.{zone.result}"),
            going=self._words(f"going.{hill.going.name}"),
            clause=first,
            slope=f"{thrown.slope} + {modifier}" if modifier else thrown.slope,
            steep=self._text(f"slopes.{_STEEP_KEYS.get(len({face.side for face in hill.faces}), 'all')}"),
            slope_clause=next((clause for clause in others if clause in _SLOPE_CLAUSES), first),
        )
        if thrown.woods is not None:
            yield self._text(
                "account.woods",
                score=thrown.woods,
                cover=self._text(f"cover.{hill.cover or 'open'}"),
                clause=next((clause for clause in others if clause not in _SLOPE_CLAUSES), first),
            )
        yield from self._describe_placer(hill)

    def _describe_placer(self, feature: Feature) -> Iterator[str]:
        """Yield a sentence with the player who placed a feature; nothing if the record does not say."""
        if feature.origin.placed_by:
            yield self._text("account.placed", player=feature.origin.placed_by)

    def _card_source(self, zone: ZoneFacts) -> str:
        """Return the card of a zone in words, with the player and the turn if a player placed it."""
        card = read_card(zone.card)
        name = self._text("card", rank=self._text(f"rank.{card.rank}"), suit=self._text(f"suit.{card.suit}"))
        if zone.turn is not None and 0 < zone.turn < CARDS_NEEDED:
            return self._text("account.laid", card=name, player=zone.placed_by, turn=zone.turn)
        return self._text("account.blind" if zone.is_blind else "account.lies", card=name)

    def _describe_course(self, course: Course) -> Iterator[str]:
        """Yield the sentences about a river or road: its die, its placer and its ends.

        It yields nothing if one of them is unknown.
        """
        course_type = RIVER if course.kind is Kind.RIVER else ROAD
        dice = [throw for throw in self._log if throw.stage == course_type.stage and throw.act is Act.DIE]
        entry = self._courses.get(course.id)
        if not dice or entry is None or not course.origin.placed_by:
            return
        count = sum(course_id.startswith(course.id[0]) for course_id in self._courses)
        count_text = self._text(f"account.{course_type.stage}", count=count)
        yield self._text(f"account.{course.kind}", score=dice[0].answer, count=count_text, clause=dice[0].clause)
        yield self._describe_course_placer(course.origin.placed_by, count, dice, course_type)
        yield self._text(
            "account.from_to",
            start=self._edge_text("edge", entry.start),
            end=self._end_text(entry.ends_in, entry.end),
            clause=course_type.clauses[_END_CLAUSES[entry.ends_in]],
        )

    def _describe_course_placer(self, player: str, count: int, dice: Sequence[Throw], course_type: CourseType) -> str:
        """Return a sentence with the player who placed a course, and how the dice decided that.

        ``count`` is the number of courses of its type, ``dice`` are the dice of its stage.
        """
        if count > 1 or len(dice) < 3:
            return self._text("account.shared", player=player, clause=course_type.clauses["each"])
        clause, scores = course_type.clauses["single"], sorted(int(throw.answer) for throw in dice[-2:])
        return self._text("account.won", player=player, high=scores[1], low=scores[0], clause=clause)

    def _edge_text(self, key: str, position: str) -> str:
        """Return a point on an edge, such as ``N:8.0``, in words; ``key`` selects the text.

        The point is the letter of the edge and a distance in inches of the rules. These count from the west end of N
        and S, and from the south end of W and E. ``key`` is a name below ``account.``, such as ``edge``.
        """
        letter, _, distance = position.partition(":")
        edge = self._words(f"edge.{LETTERS[letter]}")
        return self._text(f"account.{key}", edge=edge, distance=distance.replace(".", self._text("decimal")))

    def _end_text(self, sort: str, to: str) -> str:
        """Return the end of a course in words.

        ``sort`` is the kind of end in the record, such as ``edge`` or ``lake``. ``to`` is the point or the ID.
        """
        if sort == "edge":
            return self._edge_text("to_edge", to)
        if sort in ("lake", "bua"):
            return self._text("account.to_area", name=self._text(f"result.{sort}"), zone=to.removeprefix("z"))
        return self._text("account.to_course", name=self._course_name(to))

    def _course_name(self, identity: str) -> str:
        """Return the name of a river or road in words, from its ID such as ``R1``."""
        return self._text(f"course.{identity[0]}", number=identity[1:])

    def _describe_crossing(self, crossing: Crossing) -> Iterator[str]:
        """Yield the sentences about a crossing: its courses and its die; nothing if a course is unknown."""
        if {crossing.route, crossing.water} - set(self._courses):
            return
        road, water = self._course_name(crossing.route), self._course_name(crossing.water)
        kind = self._words(f"kind.{crossing.kind}").lower()
        text = self._text("account.crossing", way=road, water=water, kind=kind, clause="BR-601")
        yield text[0].upper() + text[1:]
        for score in scores_of_feature(crossing, self._log):
            yield self._text("account.crossing_die", score=score, clause="BR-D5")


def _has_ends(course: CourseFacts) -> bool:
    """Return whether the facts of a course have its start and its end.

    They may be missing if the map was drawn by hand.
    """
    letters = {"edge": LETTERS, "river": "R", "road": "D"}.get(course.ends_in, course.end[:1])
    return course.start[:1] in LETTERS and bool(course.end) and course.end[0] in letters
