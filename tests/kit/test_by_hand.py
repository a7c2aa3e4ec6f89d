"""Fields changed by hand: what was thrown is held against nothing that a hand has moved; the ground still is."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from printkit.api import Field, generate
from printkit.kit import registry
from printkit.recipes.game.by_hand import Gesture, by_hand
from printkit.terrain.field.features import Area, Hill

GAMES = [("brantley", 2), ("solo-dba", 11), ("dba3", 4), ("acw", 3)]


@pytest.fixture(scope="module", params=GAMES, ids=[rules for rules, _ in GAMES])
def made(request: pytest.FixtureRequest) -> Field:
    rules, seed = request.param
    return generate(rules, seed=seed)


def verdicts(made: Field, *gestures: Gesture) -> dict[str, tuple[str, str]]:
    """Return state and reason of each clause after some gestures."""
    record = made.record
    for gesture in gestures:
        record = by_hand(registry.find(made.rules), record, gesture)
    return {each.clause: (each.state, str(each.where)) for each in Field(record=record).check().verdicts}


def test_what_a_hand_takes_away_breaks_no_throw(made: Field) -> None:
    movable = [each.id for each in made.record.battlefield.features if isinstance(each, Area | Hill)]
    before = verdicts(made)
    assert [clause for clause, (state, _) in before.items() if state == "broken"] == []
    after = verdicts(made, Gesture(id=movable[0], delete=True))
    assert [clause for clause, (state, _) in after.items() if state == "broken"] == []
    passed_over = [clause for clause in after if before[clause][0] == "kept" and after[clause][0] == "not judged"]
    assert passed_over
    assert all("changed by hand" in after[clause][1] for clause in passed_over)


@pytest.mark.clause("BR-342", "BR-343", "BR-G02")
def test_a_wood_moved_in_its_zone_is_held_to_its_zone_and_not_to_its_dice() -> None:
    made = generate("brantley", seed=2)
    after = verdicts(made, Gesture(id="z1", move=(6.0, 4.0), turn=15.0))
    assert after["BR-342"][0] == after["BR-343"][0] == "not judged"
    assert not [clause for clause, (state, _) in after.items() if state == "broken"]
    beyond = verdicts(made, Gesture(id="z1", move=(95.0, -70.0)))
    assert beyond["BR-343"] == ("broken", "z1 reaches 23.7 mm over the line of zone 1")
    assert beyond["BR-G02"][0] == "broken"
    # The same field without a word of a hand is one whose dice do not fit.
    record = by_hand(registry.find("brantley"), made.record, Gesture(id="z1", move=(6.0, 4.0), turn=15.0))
    told = {each.clause for each in Field(record=replace(record, hand=())).check().broken}
    assert {"BR-342", "BR-343"} <= told
