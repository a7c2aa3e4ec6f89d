"""The army on the board: ranks, order, places, ground (SD-4.7-a..i, d1, d3..d9); the littoral landing (SD-4.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from boards import BOARD, INCH, area, board, marsh
from forces import CST, DES, EVERY, HOP, LEG, PHX, SOL, STP, TRB, force
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shapely import box
from solo_games import RULES
from throwing import FACES, dice, no_dice, on, share

from printkit.chance.dice import Dice, Seeded
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.steps import ModifierState, Step, sum_modifiers
from printkit.systems.solo.tactics.camp import LANDING, LandingCase, landing
from printkit.systems.solo.tactics.deployed import Deployment, ElementFootprint, deploy
from printkit.systems.solo.tactics.facing_line import Opponent, facing_faults, mended
from printkit.systems.solo.tactics.ground import ground_of, situation_of
from printkit.systems.solo.tactics.group_columns import (
    DEEP,
    THIN_ENDS,
    applies,
    depths,
    files_of,
    frontage,
    masses,
    throw_ranks,
)
from printkit.systems.solo.tactics.grouping import Group, groups_of
from printkit.systems.solo.tactics.positions import PlacedGroup, positions
from printkit.systems.solo.tactics.situation import EDGES, Place, Situation
from printkit.terrain.field.battlefield import Battlefield, Edge
from printkit.terrain.field.features import Kind


def sent(npg: Force, you: Force, *places: Place) -> tuple[PlacedGroup, ...]:
    """Return the groups of an army in these places, the last place for all that are left."""
    groups, _ = groups_of(npg.elements, npg, you, RULES)
    step = Step(clause="SD-4.7-e", title="x")
    chosen = [*places, *([places[-1]] * len(groups))]
    return tuple(PlacedGroup(group=group, place=chosen[number], step=step) for number, group in enumerate(groups))


def stood(npg: Force, you: Force, *places: Place, field: Battlefield | None = None) -> Deployment:
    return deploy(sent(npg, you, *places), npg, {}, ground_of(field or board(), Edge.NEAR, RULES))


def codes(found: Deployment, rank: int = 1) -> list[str]:
    """Return the elements of a rank from the left."""
    row = sorted((each for each in found.footprints if each.rank == rank), key=lambda each: each.x)
    return [f"{each.element.code}{'*' if each.element.general else ''}" for each in row]


def outline(each: ElementFootprint) -> object:
    wide = each.facing in (90.0, 270.0)
    x, y = (each.width, each.depth) if wide else (each.depth, each.width)
    return box(each.x - x / 2, each.y - y / 2, each.x + x / 2, each.y + y / 2)


@pytest.mark.clause("ST-59", "SD-4.7-d6", "SD-4.7-d7", "AMB-36")
def test_st_59() -> None:
    ranks, (step,) = throw_ranks(TRB, HOP, RULES, dice(3))
    assert (step.clause, step.result, frontage(8, ranks["Wb"])) == ("SD-4.7-d6", DEEP, 4)
    ranks, _ = throw_ranks(TRB, HOP, RULES, dice(4))
    assert frontage(8, ranks["Wb"]) == 5
    ranks, (step,) = throw_ranks(HOP, SOL, RULES, dice(5))
    assert (step.clause, frontage(10, ranks["Sp"])) == ("SD-4.7-d7", 6)
    assert throw_ranks(HOP, LEG, RULES, no_dice()) == ({}, ())


@pytest.mark.clause("SD-4.7-d6", "SD-4.7-d7", "AMB-36")
def test_when_a_die_for_ranks_is_thrown() -> None:
    five, six = force("five", "Wb* 5, Hd 7", "hilly", 1), force("six", "Wb* 6, Hd 6", "hilly", 1)
    assert [applies("Wb", army, LEG, RULES) for army in (five, six)] == [False, True]
    spears = [force("x", f"Sp* {many}, Hd {12 - many}", "hilly", 1) for many in (4, 5, 6)]
    assert [applies("Sp", spears[2], you, RULES) for you in spears] == [False, True, True]
    assert not applies("Sp", spears[1], spears[2], RULES)


@pytest.mark.clause("SD-4.7-d1", "SD-4.7-d6", "SD-4.7-d7", "SD-4.7-d9", "SD-4.5-x1")
def test_depths_and_files_of_groups() -> None:
    def shape(elements: str) -> list[str]:
        army = force("x", elements, "hilly", 1)
        files = files_of(army.elements, {})
        return ["".join(f"{each.code}{'*' if each.general else ''}" for each in file) for file in files]

    assert depths(5, DEEP) == (2, 2, 1)
    assert depths(8, THIN_ENDS) == (1, 2, 2, 2, 1)
    assert depths(7, THIN_ENDS) == (1, 2, 2, 1, 1)
    assert depths(2, THIN_ENDS) == (1, 1)
    assert depths(3, "") == (1, 1, 1)
    assert shape("Pk* 4") == ["Pk*Pk", "PkPk"]
    assert shape("Bd* 3, Ps 1") == ["Bd", "Bd*Ps", "Bd"]
    assert shape("Bd* 2, Bw 2") == ["Bd*", "Bw", "Bd", "Bw"]
    assert shape("Sp* 3, Bw 1") == ["Sp", "Sp*", "Bw", "Sp"]
    assert shape("Ps* 2") == ["Ps*", "Ps"]
    assert shape("El* 1, Ax 1, Ps 1") == ["Ax", "El*", "Ps"]


@pytest.mark.clause("SD-4.7-i", "AMB-36")
def test_groups_of_one_type_stand_as_one_mass() -> None:
    assert masses(sent(HOP, LEG, Place.CENTRE), Place.CENTRE) == ((0, 1, 2), (3,))
    found = stood(HOP, LEG, Place.CENTRE)
    line = [each.x for each in found.footprints if each.element.code == "Sp"]
    # Ten in one line would leave the two middle quarters, so that they stand two deep.
    assert max(line) - min(line) == pytest.approx(4 * 40)
    assert codes(found).index("Sp*") in (1, 2, 3, 4)


@pytest.mark.clause("SD-4.7-a", "SD-4.7-g", "SD-4.7-h", "SD-4.7-b")
def test_centre_and_reserve() -> None:
    found = stood(PHX, HOP, Place.CENTRE, Place.RESERVE)
    front = [each for each in found.footprints if each.place is Place.CENTRE]
    middle = (min(each.x for each in front) + max(each.x for each in front)) / 2
    assert middle == pytest.approx(12 * INCH)
    assert max(each.y + each.depth / 2 for each in front) == pytest.approx(6 * INCH)
    behind = [each for each in found.footprints if each.place is Place.RESERVE]
    assert max(each.y + each.depth / 2 for each in behind) == pytest.approx(4 * INCH, abs=0.01)


@pytest.mark.clause("SD-4.7-c", "SD-4.7-d")
@pytest.mark.parametrize("edge", EDGES)
def test_flanks_stand_in_their_quarters(edge: Edge) -> None:
    placed = sent(LEG, STP, Place.CENTRE, Place.CENTRE, Place.CENTRE, Place.LEFT, Place.RIGHT)
    ground = ground_of(board(), edge, RULES)
    found = deploy(placed, LEG, {}, ground)
    for each, along in zip(found.footprints, found.along, strict=True):
        if each.place is Place.LEFT:
            assert along < 6 * INCH
        if each.place is Place.RIGHT:
            assert along > 18 * INCH
        assert each.facing == ground.frame.facing
        assert ground.frame.on_board(along, 0)[0] >= 0


@pytest.mark.clause("SD-4.7-d8", "SD-4.7-d9")
def test_the_fastest_stand_outside_but_no_mounted_before_bad_going() -> None:
    army = force("mixed", "Cv* 2, LH 2, Bd 8", "hilly", 1)
    centre = codes(stood(army, LEG, Place.CENTRE))
    assert centre[0] == "LH"
    assert centre[-1] in ("Cv*", "Cv")
    assert codes(stood(army, LEG, Place.CENTRE, Place.CENTRE, Place.LEFT))[0] == "LH"
    assert codes(stood(army, LEG, Place.CENTRE, Place.CENTRE, Place.RIGHT))[-1] == "LH"
    light = force("mixed", "LH* 2, Bd 4, Hd 4, Ax 2", "hilly", 1)
    wooded = codes(stood(light, LEG, Place.CENTRE, field=board(marsh(0, 8, 8.5, 11), marsh(15, 8, 24, 11))))
    assert codes(stood(light, LEG, Place.CENTRE))[0].startswith("LH")
    assert not wooded[0].startswith("LH")
    assert not wooded[-1].startswith("LH")


@pytest.mark.clause("SD-4.7-f", "SD-4.7-g", "SD-4.7-d5")
def test_a_line_leaves_a_gap_for_bad_going() -> None:
    field = board(marsh(11, 3, 13, 6))
    found = stood(LEG, HOP, Place.CENTRE, field=field)
    wet = ground_of(field, Edge.NEAR, RULES).all_bad
    assert all(wet.intersection(outline(each)).area < 1 for each in found.footprints)
    assert {each.x < 12 * INCH for each in found.footprints} == {True, False}


@pytest.mark.clause("SD-4.7-d5")
def test_columns_in_bad_going_and_before_it() -> None:
    army = force("line", "Bd* 4, Hd 4, Sp 4", "hilly", 1)
    everywhere = stood(army, LEG, Place.CENTRE, field=board(marsh(0, 0, 24, 6)))
    assert everywhere.columns == (1, 2, 3)
    assert len({each.x for each in everywhere.footprints}) == 3
    ahead = stood(army, LEG, Place.CENTRE, field=board(marsh(0, 7, 24, 9)))
    assert ahead.columns == (1, 2, 3)
    assert stood(army, LEG, Place.CENTRE, field=board(marsh(0, 8.5, 24, 10))).columns == ()


@pytest.mark.clause("SD-4.7-j", "SD-4.7-f")
def test_impossible_ground_is_noted() -> None:
    water = board(area(Kind.WATERWAY, 0, 0, 24, 2))
    behind = stood(LEG, HOP, Place.CENTRE, field=water)
    assert max(each.y + each.depth / 2 for each in behind.footprints) == pytest.approx(8 * INCH)
    army = force("line", "Bd* 4, Hd 8", "hilly", 1)
    town = stood(army, HOP, Place.LEFT, Place.CENTRE, field=board(area(Kind.BUA, 0, 0, 6, 6)))
    assert town.notes == (("SD-4.7-d", 1),)
    everywhere = stood(army, HOP, Place.CENTRE, field=board(area(Kind.BUA, 0, 0, 24, 6)))
    assert (everywhere.footprints, everywhere.notes) == ((), tuple(("SD-4.7-j", group) for group in (1, 2, 3)))


@pytest.mark.clause("SD-4.7-d2", "SD-4.6-a")
def test_those_that_land_are_not_on_the_table() -> None:
    found = stood(LEG, HOP, Place.LANDING, Place.CENTRE)
    assert len(found.landing) + len(found.footprints) == 12
    assert len(found.landing) > 0


def thrown(npg: str, you: str, seed: int, edge: Edge) -> Deployment:
    """Return an army on an empty board, with everything that is thrown for it by a seed."""
    army, foe, throws = EVERY[npg], EVERY[you], Dice(Seeded(seed))
    groups, _ = groups_of(army.elements, army, foe, RULES)
    placed, _ = positions(groups, army, foe, situation_of(board(), edge, RULES), RULES, throws, landing=False)
    ranks, _ = throw_ranks(army, foe, RULES, throws)
    return deploy(placed, army, ranks, ground_of(board(), edge, RULES))


@given(
    st.sampled_from(sorted(EVERY)), st.sampled_from(sorted(EVERY)), st.integers(0, 999), st.sampled_from(list(EDGES))
)
@settings(max_examples=20, deadline=None, derandomize=True)
def test_every_army_stands_whole_and_apart(npg: str, you: str, seed: int, edge: Edge) -> None:
    found = thrown(npg, you, seed, edge)
    assert Counter(each.element.code for each in found.footprints) == Counter(each.code for each in EVERY[npg].elements)
    shapes = [outline(each) for each in found.footprints]
    for place, shape in enumerate(shapes):
        assert BOARD.shape.buffer(0.1).covers(shape)
        assert all(shape.intersection(other).area < 1 for other in shapes[:place])  # type: ignore[attr-defined]


def test_armies_stand_where_they_stood(kept_text: Callable[[str, str], None]) -> None:
    lines = []
    names = sorted(EVERY)
    for seed, (npg, you) in enumerate(zip(names[::3], names[1::3], strict=False)):
        edge = list(EDGES)[seed % len(EDGES)]
        lines.append(f"{npg} {you} {edge}\n")
        for each in thrown(npg, you, seed, edge).footprints:
            x, y = outline(each).centroid.coords[0]  # type: ignore[attr-defined]
            lines.append(f"  {each.element.code} {x:.1f} {y:.1f}\n")
    kept_text("".join(lines), "deployed")


def front_of(npg: Force, *lines: str) -> Deployment:
    """Return an army in the Centre whose groups are these."""
    left, step = list(npg.elements), Step(clause="SD-4.7-e", title="x")
    placed = []
    for line in lines:
        group = [next(each for each in left if each.code == code) for code in line.split()]
        placed.append(PlacedGroup(group=Group(tuple(group)), place=Place.CENTRE, step=step))
    return deploy(placed, npg, {}, ground_of(board(), Edge.NEAR, RULES))


@pytest.mark.clause("SD-4.7-d3", "AMB-39")
def test_no_psiloi_before_horse() -> None:
    army = force("x", "Ps* 1, Ax 1, Hd 10", "hilly", 1)
    found = front_of(army, "Ps", "Ax")
    ground = ground_of(board(), Edge.NEAR, RULES)
    place = next(number for number, each in enumerate(found.footprints) if each.element.code == "Ps")
    for kind, wrong in (("Cv", True), ("Cm", True), ("Kn", True), ("LH", False), ("Bd", False)):
        line = (Opponent(kind, found.along[place]),)
        assert bool(facing_faults(found, line, ground)) is wrong
    line = (Opponent("Kn", found.along[place]),)
    covered = ground_of(board(marsh(8, 10, 16, 14)), Edge.NEAR, RULES)
    assert facing_faults(found, line, covered) == ()
    behind_them = ground_of(board(marsh(8, 19, 16, 24)), Edge.NEAR, RULES)
    assert facing_faults(found, line, behind_them) == facing_faults(found, line, ground)
    better = mended(found, line, ground)
    assert facing_faults(better, line, ground) == ()
    assert {each.element.code for each in better.footprints} == {"Ps", "Ax"}
    everywhere = tuple(Opponent("Kn", along) for along in found.along)
    assert mended(found, everywhere, ground).notes == (("SD-4.7-d3", 1),)


@pytest.mark.clause("SD-4.7-d4")
def test_no_elephants_before_guns() -> None:
    army = force("x", "El* 1, Kn 1, Hd 10", "hilly", 1)
    found = front_of(army, "El")
    ground = ground_of(board(), Edge.NEAR, RULES)
    (along,) = found.along
    for shift, wrong in ((0, True), (59, True), (61, False)):
        line = (Opponent("Art", along + shift),)
        assert bool(facing_faults(found, line, ground)) is wrong
    assert facing_faults(found, (Opponent("Kn", along),), ground) == ()
    assert replace(found).notes == ()


CALM: dict[str, bool | int | str] = {
    "waterway": "left",
    "your_camp_within_6in_of_waterway": False,
    "bad_going_at_shore": False,
    "dunes_at_shore": False,
    "your_troops_within_3in_of_your_camp": False,
    "you_reserved_landing": 0,
}
AT_SHORE = {"your_camp_within_6in_of_waterway": True, "bad_going_at_shore": True}


def case(npg: Force, you: Force, attacks: bool, **facts: bool | int | str) -> LandingCase:
    situation = Situation().knowing(CALM | facts, "given")
    return LandingCase(npg=npg, you=you, npg_attacks=attacks, situation=situation, edge=Edge.NEAR)


@pytest.mark.clause("ST-53", "SD-4.6-a", "SD-4.6-m1..SD-4.6-m12")
@pytest.mark.parametrize(
    ("one", "added", "counted", "chance"),
    [
        (case(CST, HOP, True, **AT_SHORE), 7, ["m1", "m2", "m3", "m4", "m6", "m7", "m8", "m9"], Fraction(1)),
        (case(CST, LEG, True), 4, ["m1", "m4", "m6", "m7", "m8", "m9"], Fraction(5, 6)),
        (case(CST, CST, True, you_reserved_landing=2), -10, ["m1", "m4", "m8", "m9", "m12"], Fraction(0)),
        (case(CST, DES, False, waterway="far"), -3, ["m6", "m8", "m9", "m10"], Fraction(0)),
        (case(CST, STP, False), -1, ["m6", "m8", "m9"], Fraction(0)),
    ],
)
def test_st_53(one: LandingCase, added: int, counted: list[str], chance: Fraction) -> None:
    step = landing(one, RULES, dice(1))
    assert (sum_modifiers(step.modifiers), on(step.modifiers)) == (added, counted)
    assert share(landing(one, RULES, dice(face)).result == "allowed" for face in FACES) == chance


@pytest.mark.clause("ST-54", "SD-4.6-m11")
def test_st_54() -> None:
    one = case(CST, HOP, True, your_troops_within_3in_of_your_camp=True, **AT_SHORE)
    step = landing(one, RULES, dice(1))
    assert (sum_modifiers(step.modifiers), step.total, step.result) == (5, 6, "allowed")
    assert all(landing(one, RULES, dice(face)).result == "allowed" for face in FACES)


@pytest.mark.clause("SD-4.6-a")
def test_without_littoral_home_or_waterway_no_die_is_thrown() -> None:
    assert landing(case(LEG, HOP, True), RULES, no_dice()).result == "none"
    assert landing(case(CST, HOP, True, waterway="none"), RULES, no_dice()).result == "none"
    unsure = LandingCase(npg=CST, you=HOP, npg_attacks=True, situation=Situation())
    assert landing(unsure, RULES, no_dice()).question_key == "npg.battle.person.waterway"


QUIET = force("quiet", "Cv* 6, Sp 2, Bw 4", "littoral", 1)
"""A fast general, two Sp, neither Ax nor a train, fewer than eight that move 300 p."""
FOE = force("foe", "Cv* 6, Sp 2, Ax 4", "littoral", 1)
"""Littoral, with as many Sp, and fewer than ten that are slow: the Ax move 300 p."""


@pytest.mark.clause("SD-4.6-m1..SD-4.6-m12", "AMB-35")
@pytest.mark.parametrize(
    ("modifier", "npg", "you", "facts"),
    [
        ("m2", QUIET, FOE, {"your_camp_within_6in_of_waterway": True}),
        ("m3", force("x", "Cv* 6, Sp 2, Bw 3, Ax 1", "littoral", 1), FOE, {"bad_going_at_shore": True}),
        ("m3", force("x", "Cv* 5, Cm 1, Sp 2, Bw 4", "littoral", 1), FOE, {"dunes_at_shore": True}),
        ("m4", QUIET, force("x", "Cv* 2, Sp 2, Ax 8", "littoral", 1), {}),
        ("m5", force("x", "Cv* 8, Sp 2, Bw 2", "littoral", 1), FOE, {}),
        ("m6", QUIET, force("x", "Cv* 6, Sp 2, Ax 4", "hilly", 1), {}),
        ("m7", QUIET, force("x", "Cv* 6, Sp 3, Ax 3", "littoral", 1), {}),
        ("m8", force("x", "Cv* 6, Sp 2, Bw 3, Hd 1", "littoral", 1), FOE, {}),
        ("m9", force("x", "Sp* 2, Cv 6, Bw 4", "littoral", 1), FOE, {}),
        ("m10", QUIET, FOE, {"waterway": "far"}),
    ],
)
def test_each_modifier_matters(modifier: str, npg: Force, you: Force, facts: dict[str, bool | int | str]) -> None:
    assert on(LANDING.judge(case(QUIET, FOE, False), RULES)) == []
    assert on(LANDING.judge(case(npg, you, False, **facts), RULES)) == [modifier]
    assert list(LANDING.tests) == [each.condition for each in RULES.outcomes("landing").modifiers]


@pytest.mark.clause("SD-4.6-m1", "SD-4.6-m10", "SD-4.6-m11", "SD-4.6-m12", "SD-4.6-m3")
def test_some_modifiers_ask_who_attacks_and_rough_ground_at_the_shore_does_not_suit_camels() -> None:
    guarded = {"your_troops_within_3in_of_your_camp": True}
    camels = force("x", "Cv* 5, Cm 1, Sp 2, Bw 4", "littoral", 1)
    for one, counted in (
        (case(QUIET, FOE, True), ["m1"]),
        (case(QUIET, FOE, True, **guarded), ["m1", "m11"]),
        (case(QUIET, FOE, False, **guarded), []),
        (case(QUIET, FOE, True, you_reserved_landing=2), ["m1", "m12"]),
        (case(QUIET, FOE, True, you_reserved_landing=1), ["m1"]),
        (case(QUIET, FOE, True, waterway="far"), ["m1"]),
        (case(camels, FOE, False, bad_going_at_shore=True), []),
    ):
        assert on(LANDING.judge(one, RULES)) == counted


@pytest.mark.clause("AMB-38")
def test_your_camp_is_unknown_when_the_npg_deploys_first() -> None:
    situation = Situation.given(waterway="left")
    one = LandingCase(npg=CST, you=HOP, npg_attacks=False, situation=situation, edge=Edge.NEAR)
    opened = [each.clause for each in LANDING.judge(one, RULES) if each.state is ModifierState.OPEN]
    assert opened == ["SD-4.6-m2", "SD-4.6-m3"]
    assert landing(one, RULES, dice(3)).open == ("SD-4.6-m2", "SD-4.6-m3")
