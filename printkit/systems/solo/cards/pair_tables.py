"""The rolls of sections 3 to 5 that remain for two armies, with known modifiers counted (8.6).

The results are plain values: rolls by outcome, elements, types. Other modules turn them into text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from msgspec import Struct

from printkit.chance.tables import DieTable
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.systems.solo.armies.force import Element, Force, Home, Side, TroopType
from printkit.systems.solo.armies.steps import AppliedModifier, ModifierState, Procedure, merge_states
from printkit.systems.solo.cards.pair import TWO_DICE, DieFaces, Pair, ResolvedTable, resolve_table
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
from printkit.systems.solo.terrain.selection import list_candidates
from printkit.systems.solo.terrain.topography import find_modifiers

C = TypeVar("C")

GARRISONED: Final = "garrison"


class PairPiece(Struct, frozen=True):
    """A type of terrain to roll for: the maximum number of dice, and the amount added to each."""

    terrain: Terrain
    count: int
    modifier: int


class TerrainRolls(Struct, frozen=True, kw_only=True):
    """The rolls that remain for the defender's terrain.

    ``compulsory`` has the faces by type; it is empty if there is one type. ``second`` has the faces for a second piece
    by the type of the first. ``number`` has the faces for two and three features; its key is whether two bad-going
    pieces are compulsory. ``rolled_pairs`` are littoral pairs that a roll decides.
    """

    home: Home
    compulsory_types: tuple[Terrain, ...]
    compulsory: Mapping[str, DieFaces]
    second: Mapping[Terrain, DieFaces]
    number: Mapping[bool, Mapping[str, DieFaces]]
    pieces: tuple[PairPiece, ...]
    rolled_pairs: tuple[tuple[Terrain, Terrain], ...]


def find_terrain_rolls(pair: Pair, defender: Side = Side.NPG) -> TerrainRolls:
    """Return the terrain rolls if this side defends (SD-3.1 to SD-3.2.3)."""
    case = pair.case(defender)
    compulsory_types = case.tables.compulsory_types(case.home)
    double_types = [terrain for terrain in compulsory_types if case.tables.pieces[terrain].doubled]

    def faces(name: str, compulsory: Sequence[PiecePick] = ()) -> Mapping[str, DieFaces]:
        """Return the rolls for each outcome of a die table, with these compulsory pieces."""
        return _resolve_die_table(case.rules.outcomes(name), find_modifiers(name, case, compulsory)).faces

    pick = PiecePick(compulsory_types[0], compulsory=True)
    bad = [terrain for terrain in double_types if case.tables.is_bad_going(terrain)]
    number = {False: faces("optional", (pick,))}
    if bad:
        number[True] = faces("optional", (PiecePick(bad[0], compulsory=True),) * 2)
    optional = case.tables.optional_types(case.home)
    pairs = list[tuple[Terrain, Terrain]]()
    if case.home is Home.LITTORAL:
        for pair_rule in case.tables.pairs:
            suits = str(getattr(case.defender.pairs, pair_rule.key))
            if suits in [terrain.value for terrain in pair_rule.types]:
                optional = tuple(
                    candidate for candidate in optional if candidate not in pair_rule.types or candidate.value == suits
                )
            elif set(pair_rule.types) <= set(optional):
                pairs.append(pair_rule.types)
    # Compulsory pieces count towards the limit per type, so use the lists with a single compulsory piece.
    pieces: dict[Terrain, PairPiece] = {}
    for first in compulsory_types:
        possible_pieces = list_candidates(case, (PiecePick(first, compulsory=True),), optional)
        for terrain, count in Counter(candidate.terrain for candidate in possible_pieces).items():
            modifier = next(candidate.modifier for candidate in possible_pieces if candidate.terrain is terrain)
            if terrain not in pieces or pieces[terrain].count < count:
                pieces[terrain] = PairPiece(terrain, count, modifier)
    order = [terrain for terrain in optional if terrain in pieces]
    return TerrainRolls(
        home=case.home,
        compulsory_types=compulsory_types,
        compulsory=faces("compulsory") if len(compulsory_types) > 1 else {},
        second={
            terrain: faces("second_piece", (PiecePick(terrain, compulsory=True),))[TWO_PIECES]
            for terrain in double_types
        },
        number=number,
        pieces=tuple(pieces[terrain] for terrain in order),
        rolled_pairs=tuple(pairs),
    )


def find_edge_modifiers(pair: Pair) -> tuple[AppliedModifier, ...]:
    """Return the edge modifiers that can apply to at least one edge (SD-4.1-m1..m9); may be empty.

    Their states are those for the first edge.
    """
    modifiers_by_edge = (
        EDGE.judge(EdgeCase(npg=pair.npg, you=pair.you, situation=pair.known_situation, edge=edge), pair.rules)
        for edge in EDGES
    )
    return tuple(
        states[0]
        for states in zip(*modifiers_by_edge, strict=True)
        if any(modifier.state is not ModifierState.OFF for modifier in states)
    )  # fmt: skip


def find_camp_faces(pair: Pair) -> ResolvedTable | None:
    """Return the rolls for who holds the camp; None if no die is rolled (SD-4.2-b)."""
    if not pair.npg.camp or not pair.npg.count("Sp"):
        return None
    return _resolve_procedure(CAMP, CampCase(pair.npg, pair.you), pair)


def list_camp_holders(pair: Pair) -> tuple[str, ...]:
    """Return the possible holders of the camp: followers, a Sp, or both; empty without a camp."""
    if not pair.npg.camp:
        return ()
    table = find_camp_faces(pair)
    if table is None:
        return (FOLLOWERS,)
    return tuple(holder for holder in (FOLLOWERS, SPEAR) if table.faces[holder])


class GarrisonRolls(Struct, frozen=True, kw_only=True):
    """The garrison of the built-up area if ``camp`` holds the camp: its element, type and faces.

    ``own_half_faces`` are the faces for a built-up area in the NPG's half, ``other_half_faces`` for one in the other
    half.
    """

    camp: str
    element: Element
    type: str
    own_half_faces: DieFaces
    other_half_faces: DieFaces


def find_garrison_rolls(pair: Pair) -> tuple[GarrisonRolls, ...]:
    """Return the garrison for each holder of the camp; empty if no die is rolled (SD-4.4-a).

    Each has the element and the faces of the die in both halves of the board.
    """
    if not pair.may_attack(Side.YOU) or pair.situation.bua is False:
        return ()
    garrisons = []
    for camp in list_camp_holders(pair) or ("",):
        remaining_force = after_camp(pair.npg, camp)
        choice = garrison_choice(remaining_force, pair.rules) if remaining_force.infantry_count else None
        if choice is None:
            continue
        cases = (GarrisonCase(remaining_force, pair.you, own_side) for own_side in (True, False))
        own_faces, other_faces = (_resolve_procedure(GARRISON, case, pair).faces for case in cases)
        element = choice[0]
        garrisons.append(
            GarrisonRolls(
                camp=camp,
                element=element,
                type=element.troop.code,
                own_half_faces=own_faces[GARRISONED],
                other_half_faces=other_faces[GARRISONED],
            )
        )
    return tuple(garrisons)


class GroupRolls(Struct, frozen=True):
    """A group, its lead type, and the rolls of two dice for each place."""

    group: Group
    lead: str
    places: ResolvedTable


def list_places(pair: Pair) -> tuple[Place, ...]:
    """Return the places for a group in the order of the rules; ``LANDING`` only if the NPG may land."""
    landing = can_land(pair)
    return tuple(place for place in Place if landing or place is not Place.LANDING)


def can_land(pair: Pair) -> bool:
    """Return whether the NPG may land, given the known facts (SD-4.6-a)."""
    return pair.npg.is_littoral and pair.situation.waterway is not False


def find_group_rolls(pair: Pair, elements: Sequence[Element] | None = None) -> tuple[GroupRolls, ...]:
    """Return the groups of the NPG with the rolls of two dice for each place (SD-4.5, SD-4.7-e).

    They are in the order of deployment; each also has its leading type.

    Args:
        pair: both armies.
        elements: the elements to deploy; None for all of them, if the garrison is not known yet.
    """
    group_elements = pair.npg.elements if elements is None else elements
    groups, _ = groups_of(group_elements, pair.npg, pair.you, pair.rules)
    places = list_places(pair)
    group_rolls = []
    for group in groups:
        case = PositionCase(group=group, npg=pair.npg, you=pair.you, situation=pair.known_situation, rules=pair.rules)
        table = resolve_table(
            position_modifiers(case),
            lambda total: place_at(total, pair.rules, landing=can_land(pair))[0].value,
            [place.value for place in places],
            TWO_DICE,
        )
        group_rolls.append(GroupRolls(group, case.lead, table))
    return tuple(group_rolls)


def find_landing_faces(pair: Pair) -> ResolvedTable | None:
    """Return the rolls for each outcome of a landing; None if the NPG cannot land (SD-4.6-a)."""
    if not can_land(pair):
        return None
    modifiers_by_side = [
        LANDING.judge(
            LandingCase(npg=pair.npg, you=pair.you, npg_attacks=side is Side.NPG, situation=pair.known_situation),
            pair.rules,
        )
        for side in Side
        if pair.may_attack(side)
    ]
    return _resolve_die_table(pair.rules.outcomes(LANDING.table), merge_states(modifiers_by_side))


def find_level_faces(pair: Pair) -> ResolvedTable:
    """Return the rolls for each of the three aggression levels (SD-5.2-a)."""
    return _resolve_procedure(LEVEL, LevelCase(pair.npg, pair.you), pair)


def find_stance_faces(tables: TacticsTables, pips: int, net: int) -> Mapping[Stance, DieFaces]:
    """Return the stance die's faces, 1 to 6, for each stance with this PIP die and NET (SD-5.3-b).

    A stance without faces is not possible.
    """
    stances_by_die = {die: tables.stance_at(tables.base(pips, die) + net) for die in FACES}
    return {stance: tuple(die for die in FACES if stances_by_die[die] is stance) for stance in Stance}


def find_match_ups(tables: TacticsTables, sufferer: Force, facing: Force) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the types in a bad match-up, each with the enemy types that are bad for it (SD-4.8.1).

    They are type codes in list order; types without a bad match-up are left out.

    Args:
        tables: the tactics tables.
        sufferer: the army with the types.
        facing: the enemy army.
    """
    own_types, facing_types = _list_types(sufferer), _list_types(facing)
    return tuple(
        (kind, enemy_types)
        for kind in own_types
        if (enemy_types := tuple(enemy_type for enemy_type in facing_types if tables.bad(kind, enemy_type)))
    )  # fmt: skip


def list_army_rows(force: Force) -> tuple[tuple[str, TroopType, int, bool], ...]:
    """Return an army by code: code, type, count, and whether the general's element has this code."""
    counts = Counter(element.code for element in force.elements)
    first_elements = {element.code: element for element in reversed(force.elements)}
    general_code = force.general.code if force.general else ""
    return tuple((code, first_elements[code].troop, count, code == general_code) for code, count in counts.items())


def _list_types(force: Force) -> tuple[str, ...]:
    """Return the type codes of an army, each once, in list order."""
    return tuple(dict.fromkeys(element.troop.code for element in force.elements))


def _resolve_procedure(procedure: Procedure[C], case: C, pair: Pair) -> ResolvedTable:
    """Return the die table of a procedure with the modifiers counted that are known in this case."""
    return _resolve_die_table(pair.rules.outcomes(procedure.table), procedure.judge(case, pair.rules))


def _resolve_die_table(die_table: DieTable[str], applied_modifiers: Sequence[AppliedModifier]) -> ResolvedTable:
    """Return a die table of one die with its known modifiers counted."""
    return resolve_table(
        applied_modifiers, lambda total: die_table.row(total).outcome, [row.outcome for row in die_table.rows]
    )
