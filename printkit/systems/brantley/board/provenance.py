"""The origin of each feature in plain words, and the facts of the game in a record (BR-G90)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace
from shapely import box

from printkit.chance.dice import Act, Throw
from printkit.core.words import Words, capitalise_text
from printkit.kit.provenance import AccountLine, account_features, rolls_of_feature, scores_of_feature
from printkit.systems.brantley.board.course_brief import RIVER, ROAD
from printkit.systems.brantley.board.course_records import LETTERS
from printkit.systems.brantley.board.courses import PlacedCourse
from printkit.systems.brantley.board.hills import HillRolls
from printkit.systems.brantley.dealing.cards import GOOD_GOING, CardResult, name_card, read_card
from printkit.systems.brantley.dealing.deal import CARDS_NEEDED, PLAYERS, ZONES, Deal, Deployment, ZoneCard
from printkit.systems.brantley.dealing.facts import CourseFacts, HillDice, ZoneFacts, facts_of
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
    facts = facts_of(record)
    explainer = _Explainer(
        log=record.log,
        zones={zone.number: zone for zone in facts.zones if words.has(f"brantley.result.{zone.result}")},
        hills={hill.zone: hill for hill in facts.hills},
        courses={each.id: each for each in (*facts.rivers, *facts.roads) if _has_ends(each)},
    )
    return account_features(record, words, explainer.explain)


def _line(key: str, **values: object) -> AccountLine:
    """Return the line of a key below ``brantley.``."""
    return AccountLine(f"brantley.{key}", **values)


class _Explainer(Struct, frozen=True, kw_only=True):
    """Yields the sentences about a feature from the log and the facts of a record: by zone, or by course ID."""

    log: Sequence[Throw]
    zones: Mapping[int, ZoneFacts]
    hills: Mapping[int, HillDice]
    courses: Mapping[str, CourseFacts]

    def explain(self, feature: Feature) -> Iterator[AccountLine]:
        """Yield the sentences about one feature; nothing if the record lacks its facts."""
        match feature:
            case Area() | Hill():
                yield from self._explain_card(feature)
            case Course():
                yield from self._explain_course(feature)
            case Crossing() if feature.route in self.courses and feature.water in self.courses:
                road, water = _course_line(feature.route), _course_line(feature.water)
                yield AccountLine("brantley.account.crossing", capitalise_text, way=road, water=water, clause="BR-601")
                for score in scores_of_feature(feature, self.log):
                    yield _line("account.crossing_die", score=score, clause="BR-D5")

    def _explain_card(self, feature: Area | Hill) -> Iterator[AccountLine]:
        """Yield the sentences about an area or hill: its card, the dice of a hill, and its placer.

        It yields nothing if the card or the slope die is unknown.
        """
        zone, thrown = self.zones.get(feature.origin.zone or 0), self.hills.get(feature.origin.zone or 0)
        if zone is None or not zone.card or not feature.origin.clauses:
            return
        card = {
            "source": _card_line(zone),
            "result": _line(f"result.{zone.result}"),
            "going": AccountLine(f"going.{feature.going.name}"),
        }
        if isinstance(feature, Area):
            yield _line("account.area", **card)
        elif thrown is None:
            return
        else:
            yield from _explain_hill(feature, thrown, card)
        yield _line("account.placed", player=feature.origin.placed_by or None)

    def _explain_course(self, course: Course) -> Iterator[AccountLine]:
        """Yield the sentences about a river or road: its dice, its placer and its ends.

        It yields nothing if one of them is unknown.
        """
        course_type = RIVER if course.kind is Kind.RIVER else ROAD
        dice = [throw for throw in rolls_of_feature(course, self.log) if throw.act is Act.DIE]
        entry = self.courses.get(course.id)
        if not dice or entry is None or not course.origin.placed_by:
            return
        count = sum(course_id.startswith(course.id[0]) for course_id in self.courses)
        count_line = _line(f"account.{course_type.stage}", count=count)
        yield _line(f"account.{course.kind}", score=dice[0].answer, count=count_line, clause=dice[0].clause)
        if count > 1 or len(dice) < 3:
            yield _line("account.shared", clause=course_type.clauses["each"])
        else:
            low, high = sorted(int(throw.answer) for throw in dice[-2:])
            yield _line("account.won", high=high, low=low, clause=course_type.clauses["single"])
        clause = course_type.clauses[_END_CLAUSES[entry.ends_in]]
        yield _line("account.from_to", start=_edge_line("edge", entry.start), end=_end_line(entry), clause=clause)


def _explain_hill(hill: Hill, thrown: HillDice, card: Mapping[str, AccountLine]) -> Iterator[AccountLine]:
    """Yield the sentences about the card and the dice of a hill; ``card`` has the values of its card."""
    first, *others = hill.origin.clauses
    modifier = thrown.modified - thrown.slope
    yield _line(
        "account.hill",
        **card,
        slope=f"{thrown.slope} + {modifier}" if modifier else thrown.slope,
        steep=_line(f"slopes.{_STEEP_KEYS.get(len({face.side for face in hill.faces}), 'all')}"),
        slope_clause=next((clause for clause in others if clause in _SLOPE_CLAUSES), first),
    )
    clause = next((clause for clause in others if clause not in _SLOPE_CLAUSES), first)
    yield _line("account.woods", score=thrown.woods, cover=_line(f"cover.{hill.cover or 'open'}"), clause=clause)


def _card_line(zone: ZoneFacts) -> AccountLine:
    """Return the card of a zone, with the player and the turn if a player placed it."""
    name = name_card(read_card(zone.card))
    if zone.turn is not None and 0 < zone.turn < CARDS_NEEDED:
        return _line("account.laid", card=name, player=zone.placed_by, turn=zone.turn)
    return _line("account.blind" if zone.is_blind else "account.lies", card=name)


def _edge_line(key: str, position: str) -> AccountLine:
    """Return a point on an edge, such as ``N:8.0``; ``key`` selects the text.

    The point is the letter of the edge and a distance in inches of the rules. These count from the west end of N and S,
    and from the south end of W and E. ``key`` is a name below ``account.``, such as ``edge``.
    """
    letter, _, distance = position.partition(":")
    return _line(f"account.{key}", edge=AccountLine(f"edge.{LETTERS[letter]}"), distance=distance)


def _end_line(entry: CourseFacts) -> AccountLine:
    """Return the end of a course: a point on an edge, an area or a course."""
    match entry.ends_in:
        case "edge":
            return _edge_line("to_edge", entry.end)
        case "lake" | "bua":
            return _line("account.to_area", name=_line(f"result.{entry.ends_in}"), zone=entry.end.removeprefix("z"))
        case _:
            return _line("account.to_course", name=_course_line(entry.end))


def _course_line(identity: str) -> AccountLine:
    """Return the name of a river or road, from its ID such as ``R1``."""
    return _line(f"course.{identity[0]}", number=identity[1:])


def _has_ends(course: CourseFacts) -> bool:
    """Return whether the facts of a course have its start and its end.

    They may be missing if the map was drawn by hand.
    """
    letters = {"edge": LETTERS, "river": "R", "road": "D"}.get(course.ends_in, course.end[:1])
    return course.start[:1] in LETTERS and bool(course.end) and course.end[0] in letters
