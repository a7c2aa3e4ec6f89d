"""Counts of an army: mounted, bad-going troops, moves, and what counts as what."""

from __future__ import annotations

import pytest
from forces import EVERY, PHX, force

from printkit.systems.solo.armies.force import read_troops


@pytest.mark.clause("SD-1.2-c", "SD-1.2-a", "SD-1.2-b")
@pytest.mark.parametrize(
    ("name", "mounted", "bad_goers", "fast", "slow"),
    [
        ("PHX", 3, 3, 6, 11),
        ("LEG", 2, 2, 4, 10),
        ("TRB", 2, 10, 4, 10),
        ("STP", 11, 1, 12, 1),
        ("HOP", 0, 2, 2, 12),
        ("CST", 1, 6, 7, 11),
        ("DES", 6, 6, 8, 6),
        ("WDS", 0, 12, 10, 12),
        ("MED", 5, 4, 5, 12),
        ("WAG", 2, 2, 2, 10),
        ("SOL", 1, 3, 4, 11),
        ("ARB", 2, 4, 6, 10),
    ],
)
def test_the_counts_of_the_invented_armies(name: str, mounted: int, bad_goers: int, fast: int, slow: int) -> None:
    army = EVERY[name]
    assert len(army.elements) == 12
    assert (army.mounted, army.bad_goers) == (mounted, bad_goers)
    assert (army.moving_at_least(300), army.moving_at_most(300)) == (fast, slow)


def test_codes_name_their_types_of_which_four_are_bad_going_troops() -> None:
    troops = read_troops()
    assert {troop.code for troop in troops.types if troop.bad_goer} == {"Ps", "Ax", "Wb", "Bw"}
    found = [troops.find(code) for code in ("4Pk", "Pk", "3/4Pk", "4Pk//4Bd", "Orc")]
    assert [troop and troop.code for troop in found] == ["Pk", "Pk", "Pk", "Pk", None]
    assert PHX.general is not None
    assert PHX.general.troop.code == "Kn"


@pytest.mark.clause("AMB-08", "AMB-09")
def test_elephants_are_mounted_and_artillery_is_no_infantry() -> None:
    army = force("Wheels", "El* 2, Bw 3, Art 3, Sp 4", "dry", 1)
    assert (army.mounted, army.infantry) == (2, 7)
