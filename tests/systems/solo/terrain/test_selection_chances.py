"""Chances of the selection as fractions: against the published ones, and against every throw that can come."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from forces import ARB, CST, HOP, LEG, STP, WDS
from selecting import case_of, pieces
from terrain_chances import compulsory_chances, field_chances, optional_chances, set_chances

from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.terrain.selection import Candidate

STEPPE = pieces("river", "rough", "rough", "bua")
FOREST = pieces("river", "marsh", "marsh", "gentle_hill", "gentle_hill")
AT_SEA = (*pieces("river", "gentle_hill"), Candidate(terrain=Terrain.WATERWAY, modifier=-1, required=True))


def named(chances: object) -> dict[str, Fraction]:
    assert isinstance(chances, dict)
    return {" ".join(chosen): chance for chosen, chance in chances.items()}


@pytest.mark.clause("ST-23", "SD-3.2.3-c", "SD-3.2.3-d", "SD-3.2.3-e")
def test_sets_of_steppe_without_a_required_piece() -> None:
    assert named(set_chances(STEPPE, 2, required=True)) == {
        "river rough": Fraction(1313, 3888),
        "bua rough": Fraction(1279, 3888),
        "rough rough": Fraction(1313, 7776),
        "bua river": Fraction(1279, 7776),
    }
    assert named(set_chances(STEPPE, 3, required=True)) == {
        "bua river rough": Fraction(1943, 3888),
        "river rough rough": Fraction(649, 2592),
        "bua rough rough": Fraction(1943, 7776),
    }


@pytest.mark.clause("ST-24", "SD-3.2.3-d")
def test_sets_of_forest() -> None:
    assert named(set_chances(FOREST, 2, required=False)) == {
        "gentle_hill marsh": Fraction(2, 5),
        "marsh river": Fraction(1, 5),
        "gentle_hill river": Fraction(1, 5),
        "marsh marsh": Fraction(1, 10),
        "gentle_hill gentle_hill": Fraction(1, 10),
    }


def by_every_throw(able: Sequence[Candidate], places: int, *, required: bool) -> dict[str, Fraction]:
    """Return the chances by throwing every throw: a tie that decides goes on to all throws of those that tie."""

    @cache
    def best(tied: tuple[int, ...], count: int) -> dict[tuple[int, ...], Fraction]:
        """Return who of some that tie come in, with chances; a throw that leaves all in a tie is left out."""
        found: dict[tuple[int, ...], Fraction] = {}
        for dice in product(range(1, 7), repeat=len(tied)):
            scores = {place: die + able[place].modifier for place, die in zip(tied, dice, strict=True)}
            for chosen, share in ranked(tied, scores, count, root=tied):
                found[chosen] = found.get(chosen, Fraction(0)) + share
        whole = sum(found.values())
        return {chosen: share / whole for chosen, share in found.items()}

    def ranked(
        places_able: tuple[int, ...], scores: dict[int, int], count: int, root: tuple[int, ...] = ()
    ) -> list[tuple[tuple[int, ...], Fraction]]:
        order = sorted(places_able, key=lambda place: (-scores[place], place))
        if count <= 0 or len(order) <= count:
            return [(tuple(sorted(order[: max(0, count)])), Fraction(1))]
        line = scores[order[count - 1]]
        above = [place for place in order if scores[place] > line]
        tied = tuple(sorted(place for place in order if scores[place] == line))
        if len(above) + len(tied) == count or len({able[place].terrain for place in tied}) == 1:
            return [(tuple(sorted(order[:count])), Fraction(1))]
        if tied == root:
            return []
        return [(tuple(sorted((*above, *more))), share) for more, share in best(tied, count - len(above)).items()]

    found: dict[str, Fraction] = {}
    every = tuple(range(len(able)))
    for dice in product(range(1, 7), repeat=len(able)):
        scores = {place: die + able[place].modifier for place, die in zip(every, dice, strict=True)}
        first = tuple(place for place in every if able[place].required) if required else ()
        for led, chance in ranked(first, scores, 1 if first else 0):
            rest = tuple(place for place in every if place not in led)
            for others, share in ranked(rest, scores, places - len(led)):
                name = " ".join(sorted(able[place].terrain for place in (*led, *others)))
                found[name] = found.get(name, Fraction(0)) + chance * share / 6 ** len(able)
    return found


@pytest.mark.clause("SD-3.2.3-b", "SD-3.2.3-e")
@pytest.mark.parametrize("required", [True, False])
def test_chances_are_those_of_every_throw_that_can_come(required: bool) -> None:
    for able, places in ((AT_SEA, 1), (AT_SEA, 2), (STEPPE, 2)):
        assert named(set_chances(able, places, required=required)) == by_every_throw(able, places, required=required)


@pytest.mark.clause("SD-3.1.1-r1", "SD-3.1.2-r1", "SD-3.2.1-r2")
@pytest.mark.parametrize(("defender", "attacker"), [(ARB, HOP), (STP, WDS)])
def test_the_chances_of_a_field_make_one(defender: Force, attacker: Force) -> None:
    case = case_of(defender, attacker)
    assert sum(compulsory_chances(case).values()) == 1
    for compulsory in compulsory_chances(case):
        assert sum(optional_chances(case, compulsory).values()) == 1


@pytest.mark.clause("SD-3.2.2-a", "SD-3.2.2-b")
def test_each_littoral_pair_is_even_and_never_both() -> None:
    fields = field_chances(case_of(CST, LEG))
    waterway = PiecePick(Terrain.WATERWAY, compulsory=True)
    assert {compulsory for compulsory, _ in fields} == {(waterway,)}
    for one, other in (("steep_hill", "marsh"), ("woods", "dunes")):
        assert not any(one in chosen and other in chosen for _, chosen in fields)
        with_one, with_other = (
            sum(chance for (_, chosen), chance in fields.items() if name in chosen) for name in (one, other)
        )
        assert with_one == with_other
