"""A rule that is always broken: no such terrain is placed, and ``check`` names its clause."""

from __future__ import annotations

import pytest
from changed_books import number_changed
from dba3_boards import area, course, kept, waterway, woods
from msgspec.structs import replace
from shapely import box

from printkit.chance.dice import Dice, Seeded
from printkit.chance.streams import Jitter
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.kit.shape_rules import Measurement
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.systems.dba.ground.terrain_rules import TerrainRule
from printkit.systems.dba3.placing import placing
from printkit.systems.dba3.placing.placing import place_features
from printkit.systems.dba3.placing.terms import Terms
from printkit.systems.dba3.placing.terrain_rules import MADE_RULES, PLACED_RULES
from printkit.systems.dba3.system import Dba3
from printkit.terrain.field.features import Kind

SYSTEM = find("dba3")
DRAWN = {
    Terrain.WOODS: woods("woods-1", 1, 1, 4, 4),
    Terrain.BUA: area("bua", Kind.HAMLET, 1, 1, 4, 3),
    Terrain.WATERWAY: waterway(box(0, 0, 15, 2)),
    Terrain.RIVER: course("river", Kind.RIVER, (0, 6), (15, 6)),
    Terrain.ROAD: course("road-1", Kind.ROAD, (0, 6), (15, 6)),
}
"""A piece of each group of rules that keeps them."""
ROWS = [
    (terrain, rule_set, number)
    for rule_set in (PLACED_RULES, MADE_RULES)
    for terrain in DRAWN
    for number in range(len(rule_set.get(terrain, ())))
]


def is_placed(terrain: Terrain) -> bool:
    """Return whether a piece is placed that has one try for each size."""
    pick = PiecePick(terrain=terrain, compulsory=False, town="hamlet" if terrain is Terrain.BUA else "")
    with number_changed("dba3", "tries", 0.005):
        terms = Terms.from_rules(Rules.of(Dba3().book, board=SYSTEM.board()))
    return bool(place_features((pick,), terms, Dice(Seeded(3), "placement"), Jitter(3)).placed_pieces)


@pytest.mark.clause("D3-22..D3-26", "D3-32..D3-38", "D3-41..D3-44", "D3-46..D3-53")
@pytest.mark.parametrize(
    ("terrain", "rule_set", "number"), ROWS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_terrain_is_placed_and_checked_by_each_rule(
    terrain: Terrain, rule_set: dict[Terrain, tuple[TerrainRule, ...]], number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = rule_set[terrain]
    always_broken = replace(rules[number], measure=lambda *_: [Measurement()], minimum="", maximum="", says="{it}")
    assert is_placed(terrain)
    monkeypatch.setattr(placing, "search_placement", lambda *_: None)
    assert kept(SYSTEM, always_broken.clause, [DRAWN[terrain]])
    monkeypatch.setitem(rule_set, terrain, (*rules[:number], always_broken, *rules[number + 1 :]))
    assert not kept(SYSTEM, always_broken.clause, [DRAWN[terrain]])
    assert is_placed(terrain) is (rule_set is MADE_RULES)
