"""The rolls of sections 3 to 5 that remain for two armies, with known modifiers counted (8.6).

The results are plain values: rolls by outcome, elements, types. Other modules turn them into text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from msgspec import Struct

from printkit.chance.tables import DieTable
from printkit.systems.dba.ground.legal import PiecePick, Terrain
from printkit.systems.solo.armies.force import Element, Force, Home, Side, TroopType
from printkit.systems.solo.armies.steps import AppliedModifier, ModifierState, Procedure, agreed
from printkit.systems.solo.cards.pair import TWO, DieFaces, Pair, Resolved, resolved
from printkit.systems.solo.tactics.bounds import LEVEL, LevelCase
from printkit.systems.solo.tactics.camp import (
    CAMP,
    FOLLOWERS,
    GARRISON,
    LANDING,
    SPEAR,
    CampCase,
    GarrisonCase,
    LandingCase,
    after_camp,
    garrison_choice,
)
from printkit.systems.solo.tactics.edges import EDGE, EdgeCase
from printkit.systems.solo.tactics.grouping import Group, groups_of
from printkit.systems.solo.tactics.positions import PositionCase, place_at, position_modifiers
from printkit.systems.solo.tactics.situation import EDGES, Place
from printkit.systems.solo.tactics.tactics_tables import FACES, Stance, TacticsTables
from printkit.systems.solo.terrain.selection import TWO as TWO_PIECES
from printkit.systems.solo.terrain.selection import candidates
from printkit.systems.solo.terrain.topography import modifiers

C = TypeVar("C")

GARRISONED: Final = "garrison"


class PairPiece(Struct, frozen=True):
    """A type of terrain to roll for: the maximum number of dice, and the amount added to each."""

    terrain: Terrain
    count: int
    added: int


class TerrainLeft(Struct, frozen=True, kw_only=True):
    """The rolls that remain for the defender's terrain.

    ``compulsory`` has the faces by type; it is empty if there is one type. ``second`` has the faces for a second piece
    by the type of the first. ``number`` has the faces for two and three features; its key is whether two bad-going
    pieces are compulsory. ``either`` are littoral pairs that a roll decides.
    """

    home: Home
    offered: tuple[Terrain, ...]
    compulsory: Mapping[str, DieFaces]
    second: Mapping[Terrain, DieFaces]
    number: Mapping[bool, Mapping[str, DieFaces]]
    pieces: tuple[PairPiece, ...]
    either: tuple[tuple[Terrain, Terrain], ...]


def terrain_left(pair: Pair, defender: Side = Side.NPG) -> TerrainLeft:
    """Return the terrain rolls if this side defends (SD-3.1 to SD-3.2.3)."""
    case = pair.case(defender)
    offered = case.country.compulsory_of(case.home)
    doubled = [terrain for terrain in offered if case.country.pieces[terrain].doubled]

    def faces(name: str, compulsory: Sequence[PiecePick] = ()) -> Mapping[str, DieFaces]:
        return _on(case.rules.outcomes(name), modifiers(name, case, compulsory)).faces

    one = PiecePick(offered[0], compulsory=True)
    bad = [terrain for terrain in doubled if case.country.is_bad_going(terrain)]
    number = {False: faces("optional", (one,))}
    if bad:
        number[True] = faces("optional", (PiecePick(bad[0], compulsory=True),) * 2)
    optional = case.country.optional_of(case.home)
    pairs = list[tuple[Terrain, Terrain]]()
    if case.home is Home.LITTORAL:
        for two in case.country.pairs:
            suits = str(getattr(case.defender.pairs, two.key))
            if suits in [terrain.value for terrain in two.either]:
                optional = tuple(each for each in optional if each not in two.either or each.value == suits)
            elif set(two.either) <= set(optional):
                pairs.append(two.either)
    # Compulsory pieces count towards the limit per type, so use the lists with a single compulsory piece.
    found: dict[Terrain, PairPiece] = {}
    for first in offered:
        able = candidates(case, (PiecePick(first, compulsory=True),), optional)
        for terrain, count in Counter(each.terrain for each in able).items():
            added = next(each.added for each in able if each.terrain is terrain)
            if terrain not in found or found[terrain].count < count:
                found[terrain] = PairPiece(terrain, count, added)
    order = [terrain for terrain in optional if terrain in found]
    return TerrainLeft(
        home=case.home,
        offered=offered,
        compulsory=faces("compulsory") if len(offered) > 1 else {},
        second={
            terrain: faces("second_piece", (PiecePick(terrain, compulsory=True),))[TWO_PIECES] for terrain in doubled
        },
        number=number,
        pieces=tuple(found[terrain] for terrain in order),
        either=tuple(pairs),
    )


def edge_left(pair: Pair) -> tuple[AppliedModifier, ...]:
    """Return the edge modifiers that can apply to at least one edge (SD-4.1-m1..m9)."""
    judged = (
        EDGE.judge(EdgeCase(npg=pair.npg, you=pair.you, situation=pair.known, edge=edge), pair.rules) for edge in EDGES
    )
    return tuple(
        each[0]
        for each in zip(*judged, strict=True)
        if any(one.state is not ModifierState.OFF for one in each)
    )  # fmt: skip


def camp_left(pair: Pair) -> Resolved | None:
    """Return the faces for who holds the camp; None if no die is rolled (SD-4.2-b)."""
    if not pair.npg.camp or not pair.npg.count("Sp"):
        return None
    return _judged(CAMP, CampCase(pair.npg, pair.you), pair)


def camp_holders(pair: Pair) -> tuple[str, ...]:
    """Return the possible holders of the camp: followers, a Sp, or both; empty without a camp."""
    if not pair.npg.camp:
        return ()
    left = camp_left(pair)
    if left is None:
        return (FOLLOWERS,)
    return tuple(holder for holder in (FOLLOWERS, SPEAR) if left.faces[holder])


class GarrisonLeft(Struct, frozen=True, kw_only=True):
    """The garrison of the built-up area if ``camp`` holds the camp: its element, type and faces.

    ``own`` are the faces for a built-up area in the NPG's half, ``other`` for one in the other half.
    """

    camp: str
    element: Element
    type: str
    own: DieFaces
    other: DieFaces


def garrison_left(pair: Pair) -> tuple[GarrisonLeft, ...]:
    """Return the garrison for each holder of the camp; empty if no die is rolled (SD-4.4-a)."""
    if not pair.may_attack(Side.YOU) or pair.situation.bua is False:
        return ()
    found = []
    for camp in camp_holders(pair) or ("",):
        left = after_camp(pair.npg, camp)
        choice = garrison_choice(left, pair.rules) if left.infantry else None
        if choice is None:
            continue
        cases = (GarrisonCase(left, pair.you, own_side) for own_side in (True, False))
        own, other = (_judged(GARRISON, case, pair).faces for case in cases)
        element = choice[0]
        found.append(
            GarrisonLeft(
                camp=camp,
                element=element,
                type=element.troop.code,
                own=own[GARRISONED],
                other=other[GARRISONED],
            )
        )
    return tuple(found)


class GroupLeft(Struct, frozen=True):
    """A group, its lead type, and the rolls of two dice for each place."""

    group: Group
    lead: str
    places: Resolved


def places_of(pair: Pair) -> tuple[Place, ...]:
    """Return the places for a group; ``LANDING`` only if the NPG may land."""
    landing = may_land(pair)
    return tuple(place for place in Place if landing or place is not Place.LANDING)


def may_land(pair: Pair) -> bool:
    """Return whether the NPG may land, given the known facts (SD-4.6-a)."""
    return pair.npg.littoral and pair.situation.waterway is not False


def groups_left(pair: Pair, elements: Sequence[Element] | None = None) -> tuple[GroupLeft, ...]:
    """Return the groups with the rolls of two dice for each place (SD-4.5, SD-4.7-e).

    Args:
        pair: both armies.
        elements: the elements to deploy; None for all of them, if the garrison is not known yet.
    """
    whole = pair.npg.elements if elements is None else elements
    groups, _ = groups_of(whole, pair.npg, pair.you, pair.rules)
    places = places_of(pair)
    found = []
    for group in groups:
        case = PositionCase(group=group, npg=pair.npg, you=pair.you, situation=pair.known, rules=pair.rules)
        left = resolved(
            position_modifiers(case),
            lambda total: place_at(total, pair.rules, landing=may_land(pair))[0].value,
            [place.value for place in places],
            TWO,
        )
        found.append(GroupLeft(group, case.lead, left))
    return tuple(found)


def landing_left(pair: Pair) -> Resolved | None:
    """Return the faces for a landing; None if the NPG cannot land (SD-4.6-a)."""
    if not may_land(pair):
        return None
    judged = [
        LANDING.judge(
            LandingCase(npg=pair.npg, you=pair.you, npg_attacks=side is Side.NPG, situation=pair.known), pair.rules
        )
        for side in Side
        if pair.may_attack(side)
    ]
    return _on(pair.rules.outcomes(LANDING.table), agreed(judged))


def level_left(pair: Pair) -> Resolved:
    """Return the faces for the three aggression levels (SD-5.2-a)."""
    return _judged(LEVEL, LevelCase(pair.npg, pair.you), pair)


def stance_left(tables: TacticsTables, pips: int, net: int) -> Mapping[Stance, DieFaces]:
    """Return the stance die's faces for each stance at a NET (SD-5.3-b)."""
    thrown = {die: tables.stance_at(tables.base(pips, die) + net) for die in FACES}
    return {stance: tuple(die for die in FACES if thrown[die] is stance) for stance in Stance}


def match_ups_left(tables: TacticsTables, sufferer: Force, facing: Force) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the types in a bad match-up, each with the enemy types that it suffers from (SD-4.8.1)."""
    own, other = _types(sufferer), _types(facing)
    return tuple(
        (kind, by)
        for kind in own
        if (by := tuple(each for each in other if tables.bad(kind, each)))
    )  # fmt: skip


def army_rows(force: Force) -> tuple[tuple[str, TroopType, int, bool], ...]:
    """Return an army by code: code, type, count, and whether the general's element has this code."""
    counts = Counter(element.code for element in force.elements)
    first = {element.code: element for element in reversed(force.elements)}
    led = force.general.code if force.general else ""
    return tuple((code, first[code].troop, count, code == led) for code, count in counts.items())


def _types(force: Force) -> tuple[str, ...]:
    return tuple(dict.fromkeys(element.troop.code for element in force.elements))


def _judged(procedure: Procedure[C], case: C, pair: Pair) -> Resolved:
    """Return the die table of a procedure with its known modifiers counted."""
    return _on(pair.rules.outcomes(procedure.table), procedure.judge(case, pair.rules))


def _on(rows: DieTable[str], judged: Sequence[AppliedModifier]) -> Resolved:
    """Return a die table with its known modifiers counted."""
    return resolved(judged, lambda total: rows.row(total).outcome, [row.outcome for row in rows.rows])
