"""Facts that may be unknown, and modifiers that may be open."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from selecting import list_active_clauses

from printkit.systems.solo.armies.steps import (
    Fact,
    Step,
    all_facts,
    any_fact,
    apply_modifier,
    find_sum_range,
    is_at_least,
    list_open_clauses,
    negate_fact,
    sum_modifiers,
)

FACTS: tuple[Fact, ...] = (True, False, None)


def worlds(*facts: Fact) -> list[tuple[bool, ...]]:
    """Return every way in which the unknown facts can turn out."""
    return list(product(*((True, False) if fact is None else (fact,) for fact in facts)))


def agreed(found: set[bool]) -> Fact:
    return found.pop() if len(found) == 1 else None


@given(st.lists(st.sampled_from(FACTS), min_size=1, max_size=4))
def test_facts_are_known_where_every_world_agrees(facts: list[Fact]) -> None:
    assert all_facts(*facts) == agreed({all(world) for world in worlds(*facts)})
    assert any_fact(*facts) == agreed({any(world) for world in worlds(*facts)})
    assert negate_fact(facts[0]) == agreed({not fact for (fact,) in worlds(facts[0])})


def test_open_modifiers_count_nothing_and_widen_the_sum() -> None:
    found = [
        apply_modifier("m1", -2, True),
        apply_modifier("m2", 3, None),
        apply_modifier("m3", -1, None),
        apply_modifier("m4", 5, False),
    ]
    assert [one.state.value for one in found] == ["on", "open", "open", "off"]
    assert (sum_modifiers(found), find_sum_range(found)) == (-2, (-3, 1))
    assert (list_open_clauses(found), list_active_clauses(found)) == (("m2", "m3"), ("m1",))
    assert (is_at_least(4, 4), is_at_least(3, 4), is_at_least(None, 4)) == (True, False, None)


def test_a_step_as_data() -> None:
    step = Step(
        clause="SD-4.1-a",
        title="key",
        inputs={"edge": "near"},
        dice=(3,),
        modifiers=(apply_modifier("SD-4.1-m4", 1, None, "near"),),
        total=3,
        open=("SD-4.1-m4",),
    )
    assert step.as_data() == {
        "clause": "SD-4.1-a",
        "title": "key",
        "inputs": {"edge": "near"},
        "dice": [3],
        "modifiers": [{"id": "SD-4.1-m4", "value": 1, "state": "open", "about": "near"}],
        "total": 3,
        "row": "",
        "result": "",
        "open": ["SD-4.1-m4"],
        "needs_person": None,
    }
