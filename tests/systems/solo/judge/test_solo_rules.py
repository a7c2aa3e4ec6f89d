"""A rule that is always broken: no such terrain is placed, and ``check`` names its clause."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from placing_by_hand import square, table_with
from test_solo_judge import FLAT, GOOD, SYSTEM, WAVY, course, sea, town, woods

from printkit.kit.placement import PlacementFailure
from printkit.kit.shape_rules import Measurement
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.systems.dba.ground.terrain_rules import TerrainRule
from printkit.systems.solo.terrain.place_pieces import SoloTurn
from printkit.systems.solo.terrain.terrain_rules import MADE_RULES, PLACED_RULES
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Feature, Hill
from printkit.terrain.field.record import Record

WOODS = woods(1, 1, 1, 4, 4)
DRAWN: dict[Terrain, tuple[Feature, str]] = {
    Terrain.WOODS: (WOODS, "left/near"),
    Terrain.GENTLE_HILL: (Hill(id="hill-1", kind=WOODS.kind, contours=(WOODS.outline,), going=GOOD), "left/near"),
    Terrain.BUA: (town(1, 1, 4, 4), "near-left"),
    Terrain.WATERWAY: (sea(0, 0, 24, 2), "near"),
    Terrain.RIVER: (course("river", WAVY), "across-far"),
    Terrain.ROAD: (course("road-1", FLAT), "across-middle"),
}
"""A piece of each group of rules, with the result of its dice."""
ROWS = [
    (terrain, rule_set, number)
    for rule_set in (PLACED_RULES, MADE_RULES)
    for terrain in DRAWN
    for number in range(len(rule_set.get(terrain, ())))
]


def is_placed(terrain: Terrain) -> bool:
    """Return whether a piece finds a place on a board with one wood."""
    table = table_with((PiecePick(Terrain.WOODS), square(17, 17, 20, 20)))
    turn = SoloTurn(placement=table, pick=PiecePick(terrain), identity="it")
    return not isinstance(turn.try_result(DRAWN[terrain][1]), PlacementFailure)


def names_fault(clause: str, terrain: Terrain) -> bool:
    """Return whether the verdict on a clause has the fault of this test."""
    feature, result = DRAWN[terrain]
    piece = {"id": feature.id, "terrain": terrain.value, "compulsory": False, "of": 1, "result": result}
    record = Record(
        rules="solo-dba",
        battlefield=Battlefield(board=SYSTEM.board(), features=(feature,)),
        log=(),
        settings={},
        details={"terrain": {"pieces": [piece]}},
    )
    return any(f"{feature.id}!" in each.faults for each in SYSTEM.judge(record) if each.clause == clause)


@pytest.mark.clause("SD-3.3-b", "SD-3.3.1-r1..SD-3.3.1-r4", "SD-3.3.2-a", "SD-3.3.2-r1..SD-3.3.2-r4", "AMB-23")
@pytest.mark.clause("SD-3.3.3-a..SD-3.3.3-d", "SD-3.3.3-r1..SD-3.3.3-r4", "SD-3.3.4-b", "SD-3.3.4-c")
@pytest.mark.clause("SD-3.3.4-r1..SD-3.3.4-r6", "SD-3.3.5-a..SD-3.3.5-c", "SD-3.3.5-r1..SD-3.3.5-r6")
@pytest.mark.parametrize(
    ("terrain", "rule_set", "number"), ROWS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_terrain_is_placed_and_checked_by_each_rule(
    terrain: Terrain, rule_set: dict[Terrain, tuple[TerrainRule, ...]], number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = rule_set[terrain]
    always_broken = replace(rules[number], measure=lambda *_: [Measurement()], minimum="", maximum="", says="{it}!")
    assert is_placed(terrain)
    assert not names_fault(always_broken.clause, terrain)
    monkeypatch.setitem(rule_set, terrain, (*rules[:number], always_broken, *rules[number + 1 :]))
    assert names_fault(always_broken.clause, terrain)
    assert is_placed(terrain) is (rule_set is MADE_RULES)
