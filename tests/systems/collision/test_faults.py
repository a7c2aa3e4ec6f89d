"""Recorded positions, and what each fault says in both languages."""

from __future__ import annotations

import pytest
from columns_scene import TROOPS, army, rules

from printkit.core.errors import ScenarioError
from printkit.core.words import find_words
from printkit.systems.collision.march.columns import Role
from printkit.systems.collision.march.columns_check import CODES, READINGS, Fault, Key, Value, entry_margin
from printkit.systems.collision.march.positions import (
    XY,
    Base,
    ElementPosition,
    Positions,
    check_positions,
    read_positions,
)
from printkit.terrain.field.battlefield import Edge

SOUTH = Base(side=15.0)
SHORE = Base(side=15.0, shore=(XY(0.0, 2.5), XY(15.0, 2.5)))


def stand(x: float, y: float, *, width: float = 1.0, depth: float = 0.375) -> ElementPosition:
    """Return an element that faces north, by the left end of its front edge."""
    return ElementPosition(left=XY(x, y), right=XY(x + width, y), depth=depth)


def faults(positions: Positions, base: Base = SOUTH, *, margin: float = 4.0) -> list[Fault]:
    """Return what is wrong with positions."""
    return check_positions(positions, base, rules(), margin=margin)


def codes(positions: Positions, base: Base = SOUTH, *, margin: float = 4.0) -> list[str]:
    """Return the codes of what is wrong with positions."""
    return [fault.code for fault in faults(positions, base, margin=margin)]


@pytest.mark.clause("CC-T13", "CC-T14", "CC-T16", "CC-2.2", "CC-2.9", "CC-E31", "CC-O11")
def test_a_lead_may_stand_four_from_the_edge_or_the_shore_and_no_farther_in() -> None:
    for base, line in ((SOUTH, 0.0), (SHORE, 2.5)):
        assert codes({1: (stand(6.0, line + 4.0),)}, base) == []
        (fault,) = faults({1: (stand(6.0, line + 4.1),)}, base)
        assert (fault.code, fault.values["d"]) == ("CC-E31", 4.1)
        assert "4.1 BW" in fault.describe(find_words("en"))
        assert "4,1 BW" in fault.describe(find_words("es"))
    slanting = Base(side=15.0, shore=(XY(0.0, 1.0), XY(15.0, 4.0)))
    assert [slanting.line(at) for at in (-1.0, 5.0, 16.0)] == [1.0, 2.0, 4.0]


@pytest.mark.clause("CC-T15", "CC-E32", "CC-2.3", "CC-Q06")
def test_the_whole_front_edge_of_a_lead_is_near_the_centre_line() -> None:
    (fault,) = faults({1: (stand(9.0, 3.0),)})
    assert (fault.code, fault.values["d"]) == ("CC-E32", 2.5)
    assert codes({1: (stand(8.5, 3.0),)}) == codes({1: (stand(5.5, 3.0),)}) == []
    assert codes({1: (stand(5.4, 3.0),)}) == ["CC-E32"]


@pytest.mark.clause("CC-T17", "CC-E33", "CC-2.4", "CC-O12", "CC-Q05")
def test_column_one_and_the_lead_of_column_two_stand_wholly_on_the_board() -> None:
    assert codes({2: (stand(7.0, 0.65, depth=0.75),)}) == ["CC-E33"]
    assert codes({2: (stand(7.0, 0.75, depth=0.75),)}) == []
    assert codes({2: (stand(9.0, 0.75, depth=0.75),)}) == ["CC-E32"]
    column = tuple(stand(7.0, 1.0 - 0.375 * place) for place in range(4))
    assert codes({1: column}) == ["CC-Q05"]
    assert codes({1: (stand(7.0, 0.1),)}) == ["CC-Q05"]


@pytest.mark.clause("CC-T18", "CC-E34", "CC-4.3", "CC-4.4", "CC-Q16")
def test_column_three_comes_on_within_its_stretch_of_the_edge_or_the_shore() -> None:
    spears, light = (entry_margin(army(types=("Cv", *["4Bd"] * 7, *[kind] * 4)), 3, TROOPS) for kind in ("Sp", "LH"))
    (fault,) = faults({3: (stand(3.5, 0.0),)}, margin=spears)
    assert (fault.code, fault.values["a"], fault.values["b"]) == ("CC-E34", 4, 11)
    assert codes({3: (stand(4.0, 0.0),)}, margin=spears) == []
    assert codes({3: (stand(10.5, 0.0),)}, margin=spears) == ["CC-E34"]
    assert codes({3: (stand(2.0, 0.0),)}, margin=light) == []
    assert codes({3: (stand(7.0, 1.0),)}) == ["CC-4.4"]
    assert codes({3: (stand(7.0, 2.5),)}, SHORE) == []


@pytest.mark.clause("CC-Q07", "CC-Q08", "CC-O12")
def test_where_the_lead_of_column_two_stands_and_faces() -> None:
    assert codes({2: (stand(7.0, 2.0),)}) == ["CC-Q07"]
    aslant: Positions = {1: (ElementPosition(left=XY(7.0, 2.5), right=XY(7.8, 3.1), depth=0.5),)}
    assert codes(aslant) == []
    both: Positions = {1: (stand(7.0, 0.5),), 2: (stand(7.5, 0.375),)}
    assert codes(both) == ["CC-O12"]


@pytest.mark.clause("CC-6.4", "CC-Q25", "CC-Q26")
def test_a_landing_touches_the_water_with_its_rear_or_a_whole_flank() -> None:
    rear = tuple(stand(7.0, 2.5 + 0.5 * place, depth=0.5) for place in (3, 2, 1))
    assert codes({"landing": rear}, SHORE) == []
    east = tuple(ElementPosition(left=XY(x, 3.5), right=XY(x, 2.5), depth=0.5) for x in (6.0, 5.5, 5.0))
    assert codes({"landing": east}, SHORE) == []
    ashore = tuple(stand(7.0, 4.0 + 0.5 * place, depth=0.5) for place in (3, 2, 1))
    assert codes({"landing": ashore}, SHORE) == ["CC-6.4"]
    aslant = (ElementPosition(left=XY(7.0, 3.2), right=XY(7.8, 3.8), depth=0.0001 + 0.875),)
    assert codes({"landing": aslant}, SHORE) == ["CC-6.4"]


@pytest.mark.clause("CC-O11", "CC-O12")
@pytest.mark.parametrize(
    ("edge", "left", "right"),
    [
        (Edge.FAR, XY(8.0, 10.9), XY(7.0, 10.9)),
        (Edge.LEFT, XY(4.1, 8.0), XY(4.1, 7.0)),
        (Edge.RIGHT, XY(10.9, 7.0), XY(10.9, 8.0)),
    ],
)
def test_every_edge_is_measured_alike(edge: Edge, left: XY, right: XY) -> None:
    (fault,) = faults({1: (ElementPosition(left=left, right=right, depth=0.4),)}, Base(side=15.0, edge=edge))
    assert (fault.code, fault.values["d"]) == ("CC-E31", 4.1)


@pytest.mark.clause("CC-O11")
def test_positions_are_read_from_lines_and_a_wrong_one_is_named() -> None:
    read = read_positions(["defender 1: 6,4.1 7,4.1 0.75; 6,3.35 7,3.35", "attacker landing: 8,11 7,11 0.5"])
    assert len(read[Role.DEFENDER][1]) == 2
    assert read[Role.ATTACKER]["landing"][0].depth == 0.5
    for line in ("defender 4: 1,1 2,1", "defender 1: here", "defender 1: 1,1 1,1 0.5"):
        with pytest.raises(ScenarioError, match="line 1"):
            read_positions([line])


SAID: dict[str, Value] = {
    **dict.fromkeys(("n", "wanted", "count", "b", "c", "spent", "p"), 3),
    "found": "4/4/4",
    "id": "E1",
    "name": "Vikings",
    "d": 4.1,
    "a": 0.3,
    "low": 3.5,
    "high": 4.5,
    "why": Key("columns.why.first"),
    "most": 4.0,
}


@pytest.mark.clause("CC-E01..CC-E24", "CC-E31..CC-E34")
@pytest.mark.parametrize("code", [*CODES, *READINGS])
def test_every_fault_is_told_in_both_languages(code: str) -> None:
    english, spanish = (Fault(code, SAID).describe(find_words(lang)) for lang in ("en", "es"))
    assert english.endswith(".")
    assert spanish.endswith(".")
    assert english != spanish
    assert "{" not in english + spanish
    assert Fault(code, SAID).line(find_words("en+es")) == f"{code} {english} · {spanish}"
